/* autotune_cc.h - functions that are compiled for each configuration, for autotune.h

   An axis of a statement on the CPU is a number of the running program. If the compiler needs the number, as for
   unrolling or vectorising a loop, name the axis in a source of its own. This source is compiled with the values of
   each configuration as macros:

       #include "autotune_cc.h"

       void gemm(int n, const float *a, const float *b, float *c);      // defined in gemm.c, with ROWS and COLS
       static autotune_cc_program gemm_c = CC_PROGRAM_FILE("gemm.c", "-O3", "-march=native", "$FLAGS");

       AUTOTUNE(SPACE(AXIS(ROWS, 1, 2, 4, 8), AXIS(COLS, 8, 16, 32), AXIS(FLAGS, "", "-ffast-math")), 1,
                CC_CALL(&gemm_c, gemm, n, a, b, c), .key = KEY(n));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CC_IMPLEMENTATION        the bodies of this header and of autotune.h
       #include "autotune_cc.h"

   Good to know

   * An axis that neither the source nor an option with a $ names compiles nothing anew. A macro replaces its name
     everywhere, also in what the source includes: so write axes in capitals.
   * The compiler is the one that an option names, "--cc=clang" or "--cc=$COMPILER"; else the one that AUTOTUNE_CC in
     the environment names. Without these it is AUTOTUNE_CC_DEFAULT, a string that the program may define for the
     implementation; else cc, gcc or clang. It runs without a shell, and must know -shared, -fPIC,
     -fno-semantic-interposition, -Wl, -MD, -MF, -o, -D and -I. No -O and no -march is added.
   * Configurations are compiled by .compile_threads worker threads, in the order in which the race tries them. A
     compilation that takes longer than .compile_timeout fails, and its compiler is ended with all that it started.
   * The machine code is kept on disk, in the folder cc of the cache: a second run compiles nothing, and needs no
     compiler. Each file is named by a digest of the source, its included files, the options, the macros and the
     processor. The compiler and the headers of the system are known by their sizes and times. AUTOTUNE_CUBINS_MIB is
     the largest size of this folder, too.
   * The functions are loaded as a library. They may call each other, and the functions of libraries that an option
     names, "-lm"; those of the program only where it is linked with -rdynamic. Static variables belong to each
     configuration alone. OpenMP is an option: "-fopenmp".
   * A configuration that lost is unloaded at the end of its race.
   * A process with more rights than the user who started it compiles nothing; a program that is linked statically loads
     nothing. It is for Linux: elsewhere the implementation is one #error.

   Needs: gcc or clang when the program runs. No library is linked but that of dlopen: -ldl with C libraries older than
   glibc 2.34.

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_CC_H
#define AUTOTUNE_CC_H

#if defined AUTOTUNE_CC_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"

#include "kernels/site.h"
#include "cc/site.h"

#endif  /* AUTOTUNE_CC_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_CC_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__CC_IMPLEMENTED
#define AUTOTUNE__CC_IMPLEMENTED

#ifndef __linux__
#error "autotune_cc.h: compiled code is loaded on Linux alone: leave this header out elsewhere, where axes can be \
arguments of a function of the program"
#endif
#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_cc.h: define AUTOTUNE_CC_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, or there \
alone"
#endif

AUTOTUNE__COLD_CODE
#include "kernels/floor.h"

#include "cc/floor.h"
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
