/* The build of a call site: compiler, target and instruction set. A call site that is built in another way is another
   tuner: it does not use the winners of the first build. */
#pragma once

#if defined __clang__
#define AUTOTUNE__COMPILER __VERSION__
#else
#define AUTOTUNE__COMPILER "gcc " __VERSION__
#endif
#if defined __x86_64__
#define AUTOTUNE__TARGET " x86_64"
#elif defined __aarch64__
#define AUTOTUNE__TARGET " aarch64"
#else
#define AUTOTUNE__TARGET ""
#endif
#if defined __AVX512F__
#define AUTOTUNE__VECTORS " avx512f"
#elif defined __AVX2__
#define AUTOTUNE__VECTORS " avx2"
#elif defined __AVX__
#define AUTOTUNE__VECTORS " avx"
#elif defined __ARM_FEATURE_SVE
#define AUTOTUNE__VECTORS " sve"
#else
#define AUTOTUNE__VECTORS ""
#endif
#define AUTOTUNE__UNOPTIMISED " unoptimised"
#ifdef __OPTIMIZE__
#define AUTOTUNE__OPTIMIZED ""
#else
#define AUTOTUNE__OPTIMIZED AUTOTUNE__UNOPTIMISED
#endif
#define AUTOTUNE__BUILD AUTOTUNE__COMPILER AUTOTUNE__TARGET AUTOTUNE__VECTORS AUTOTUNE__OPTIMIZED
