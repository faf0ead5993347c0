/* autotune_cc.h - functions that are compiled for each configuration, for autotune.h

   In a statement on the CPU an axis is a variable, whose value the compiler does not know. To unroll or vectorise a
   loop, the compiler needs the value. So put the function into a source of its own, which names the axis. The library
   compiles this source for each configuration, with the values of the axes as macros:

       #include "autotune_cc.h"

       void gemm(int n, const float *a, const float *b, float *c);      // defined in gemm.c, with ROWS and COLS
       static autotune_cc_program gemm_c = CC_PROGRAM_FILE("gemm.c", "-O3", "-march=native", "$FLAGS");

       AUTOTUNE(SPACE(AXIS(ROWS, 1, 2, 4, 8), AXIS(COLS, 8, 16, 32), AXIS(FLAGS, "", "-ffast-math")), 1,
                CC_CALL(&gemm_c, gemm, n, a, b, c), .key = KEY(n));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CC_IMPLEMENTATION        the bodies of this header and of autotune.h
       #include "autotune_cc.h"

   Good to know

   * If two configurations differ only in an axis that neither the source nor an option with a $ names, both use the
     same machine code. A macro replaces its name everywhere, also in included files: so write axes in capitals.
   * An option may name the compiler: "--cc=clang" or "--cc=$COMPILER". If no option does, AUTOTUNE_CC in the
     environment may name it. If neither names a compiler, the library takes the first one that exists of
     AUTOTUNE_CC_DEFAULT, cc, gcc and clang. The program may define AUTOTUNE_CC_DEFAULT, a string, for the
     implementation. The compiler runs without a shell, and must know -shared, -fPIC, -fno-semantic-interposition, -Wl,
     -MD, -MF, -o, -D and -I. The library adds neither -O nor -march.
   * .compile_threads worker threads compile the configurations, in the order in which the race tries them. A
     compilation that takes longer than .compile_timeout fails, and its compiler is ended with all processes that it
     started.
   * The machine code is kept on disk, in the folder cc of the cache: a second run compiles nothing, and needs no
     compiler. The name of each file is a digest of the source, its included files, the options, the macros and the
     processor. The digest contains only sizes and times of the compiler and the system's headers. AUTOTUNE_CUBINS_MIB
     also limits the size of this folder.
   * The functions are loaded as a library. They may call each other, and functions of libraries that an option names,
     such as "-lm". They may call functions of the program only if it is linked with -rdynamic. Each configuration has
     static variables of its own. For OpenMP give the option "-fopenmp".
   * A configuration that lost is unloaded at the end of its race.
   * A process with more rights than the user who started it compiles nothing. A program that is linked statically loads
     nothing. This header is for Linux: on other systems its implementation is one #error.

   Needs: gcc or clang when the program runs. The only linked library is that of dlopen: -ldl with C libraries older
   than glibc 2.34.

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
