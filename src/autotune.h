/* autotune.h - a call site that tunes itself

   Drop this one header into a C or C++ program, and wrap the launch of a kernel in AUTOTUNE(space, blocks, call). The
   first call with a new key races the configurations of the space on the real arguments. Then the library restores the
   buffers, and makes the call once with the winner. Every later call with that key costs a few nanoseconds more than
   the winner's call. If the key has a string, it costs up to about twenty nanoseconds more.

   Do this in exactly one file (C or C++):

       #define AUTOTUNE_IMPLEMENTATION
       #include "autotune.h"

   and this in each file with a call to tune:

       #include "autotune.h"

       void matmul(int n, const float *a, const float *b, float *c) {
           AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8), WHERE(unroll <= tile)),
                    1,
                    matmul_blocked(n, a, b, c, tile, unroll),
                    .key = KEY(n), .restore = BUFFERS({c, sizeof(float) * (size_t)n * (size_t)n}));
       }

   SPACE     lists the axes. Each axis is a variable that `call` may use. WHERE keeps only the combinations for which
             its expression is true. Each kept combination of values is a configuration.
   blocks    how many blocks the launch has: GRID(x, y, z) or an integer. `call` may use blocks.x, .y and .z. On the CPU
             write 1.
   call      one expression, which is evaluated once per launch. If its type is autotune_status, any value except
             AUTOTUNE_OK fails the configuration.
   .key      the values on which the best configuration depends: sizes, types, layouts. Each key has its own race and
             its own winner.
   .restore  memory that the call reads and writes. It gets its old content before every trial and before the call for
             real, so that tuning does not change the program's result.

   The other two statements:

       AUTOTUNE_BLOCK(SPACE(AXIS(threads, 1, 2, 4)), .key = KEY(n)) {     a block instead of a call: it may hold commas
           #pragma omp parallel for num_threads(threads)                 and loops. In the block `continue` ends this
           for (int i = 0; i < n; i++) out[i] = f(in[i]);                launch; break, return and goto leave the block.
       }

       AUTOTUNE_SELECT((.key = KEY(n)), s = sum(v, n), CASE(sum_fours(&s, v, n / 4), WHERE(n % 4 == 0)));  alternatives

   Every macro, type, option and function is described where it is declared. src/api has the types, options and
   functions. src/site/statements.h has the statements, the items of a space, keys and buffers. The header autotune.h
   contains all these files, each below a line with its name.

   Good to know

   * Space, blocks, key and options may be evaluated any number of times: they must have no side effects. If axes,
     WHERE, PRIORITY or MODEL read a value that can change, this value belongs in the key. ANCHOR(n) gives many n the
     same winner. If WHERE reads n, it might refuse this winner for some n: then put n itself in the key.
   * If a configuration fails, rejects itself or computes something else (.outputs, .verify), the race records the
     reason, and goes on. If no configuration works, the call is not made: the status and one sentence say why.
   * Errors never end the program. They are in .result, in autotune_last_error(), and in one line on stderr. When tuning
     is impossible (a wrong option, no memory), the first configuration is launched untuned. If there is no memory even
     for the values of the axes, the call is not made.
   * Any thread may run statements and call functions. One thread tunes a key, and one key at a time is tuned on a
     device. A thread whose key has no winner yet waits while another race on the device makes progress. A hit never
     waits.
     A race makes no progress when a trial takes longer than a second, and longer than four times the longest launch so
     far. Such a trial may itself wait for one of the waiting threads. So the waiting threads launch the first
     configuration untuned, and log this once for each call site. A later call tunes their keys.
     A thread waits for a race of another process as long as a race may take, but for a minute at most.
   * A body may be left by return, break, goto or an exception. It must not be left by longjmp(). A thread that runs a
     statement must not be cancelled by pthread_cancel(): locks would stay locked.
     In a body a thread may call pthread_exit() only if this unwinds the stack, as in C++ and in C with -fexceptions. It
     counts as an exception. Without unwinding the race never ends. Then other calls that would race on the device
     launch their first configuration untuned, and autotune_shutdown() returns an error and frees nothing.
   * A process made by fork() knows the winners of its parent, and tunes other keys itself. This holds whatever the
     threads of the parent did at the time of the fork. CUDA does not work in such a process.
   * With .isolate = AUTOTUNE_CHILD, or AUTOTUNE_ISOLATE=child in the environment, trials are made in a child process.
     If a trial crashes, hangs or calls exit(), its configuration fails. No trial can change the program's memory.
   * In a signal handler a statement may run only on the CPU, and only with a key whose winner is known. A hit takes no
     lock and allocates nothing. A miss, and a hit whose call fails, may wait forever for a lock of the interrupted
     thread.
   * AUTOTUNE_USE='matmul.c:*=tile=32, unroll=4' in the environment pins a configuration: it is launched in every mode
     except OFF, and nothing is measured.
   * AUTOTUNE_LOG=winner in the environment prints a line for each race; AUTOTUNE_LOG=full prints a line for each
     configuration, too. On a terminal a race of more than half a second shows its progress. AUTOTUNE_PROGRESS=0 never
     shows the progress, and AUTOTUNE_PROGRESS=1 always shows it.
   * AUTOTUNE_MODE=off in the environment always launches the first configuration. If a program works
     with it, but fails without it, the fault comes from tuning.
   * A call is one macro argument: if it has a comma outside of parentheses, put the call into parentheses. The call of
     a statement cannot contain another statement; the block of AUTOTUNE_BLOCK can. If a macro is misused, gcc names
     your own line with -ftrack-macro-expansion=0.
   * Every winner that was measured is kept on disk in $XDG_CACHE_HOME/autotune or ~/.cache/autotune: a second
     run of the program tunes nothing. src/api/functions.h describes this cache. AUTOTUNE_CACHE=off in the environment
     neither reads nor writes it.

   Defines, before the include

       AUTOTUNE_IMPLEMENTATION    the bodies of all functions follow; for one file of the program
       AUTOTUNE_STATIC            the bodies of all functions follow, and all functions are static: a private copy of
                                  the library for this file
       AUTOTUNE_API               attributes of all functions that are not static. A shared library that is compiled
                                  with -fvisibility=hidden, and has the implementation for other parts of the program,
                                  defines it as __attribute__((visibility("default")))
       AUTOTUNE_NO_SHORT_NAMES    no macros SPACE, CASE, KEY, BUFFERS, GRID and ANCHOR: only AUTOTUNE_SPACE and so on.
                                  The items of SPACE and CASE (AXIS, RANGE, WHERE, NAME, ...) are never macros: a
                                  program may use these names
       AUTOTUNE_CHECKS            a hit evaluates WHERE. If WHERE refuses the winner, the key lacks a part: the library
                                  reports this once, and launches another configuration
       AUTOTUNE_WARN_SHADOWS      -Wshadow stays on for axes: the compiler warns of each axis that hides a variable
       AUTOTUNE_REALLOC(old, bytes), AUTOTUNE_FREE(old)    memory for the implementation; define both or none
       AUTOTUNE_STB_DS_H          where stb_ds.h is, with quotes or angle brackets; the default is <stb_ds.h> or
                                  <stb/stb_ds.h>
       AUTOTUNE_WITHOUT_ONLINE    leaves out mode ONLINE: a call of this mode, or a step, behaves as in mode CACHED
       AUTOTUNE_WITHOUT_RANKS     leaves out .ranks: a call with this option launches the first configuration untuned
       AUTOTUNE_WITHOUT_CHILD     leaves out AUTOTUNE_CHILD and AUTOTUNE_MODE=audit: all launches are in this process
       AUTOTUNE_WITHOUT_GUESSES   leaves out AUTOTUNE_GUESS: a key that was never tuned is raced, and its race learns
                                  nothing from other keys
       AUTOTUNE_LEAN              the same as these four AUTOTUNE_WITHOUT_... together
       AUTOTUNE_NO_STB_DS_IMPL    the program has its own STB_DS_IMPLEMENTATION, and the library uses it. If memory is
                                  short, stb_ds may then crash the program

   Needs: gcc or clang, C11 or C++14, POSIX threads and clock_gettime or Windows, and for the implementation stb_ds
   (Debian: libstb-dev).

   MIT License, see the end of the file. */
#ifndef AUTOTUNE_H
#define AUTOTUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "api/language.h"

AUTOTUNE__BEGIN_C
#include "api/types.h"
#include "api/backend.h"
#include "api/ranks.h"
#include "api/options.h"
#include "api/functions.h"
#include "api/search.h"
#include "api/created.h"
#include "api/known.h"
#include "site/hit.h"
AUTOTUNE__END_C
#include "site/lists.h"
#include "site/diagnostics.h"
#include "site/build.h"
#include "site/values.h"
#include "site/items.h"
#include "site/loops.h"
#include "site/statements.h"

#endif  /* AUTOTUNE_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__IMPLEMENTED
#define AUTOTUNE__IMPLEMENTED
#if defined AUTOTUNE_LEAN || defined _WIN32     /* without fork() there is no child */
#undef AUTOTUNE_WITHOUT_CHILD
#define AUTOTUNE_WITHOUT_CHILD
#endif
#ifdef AUTOTUNE_LEAN
#undef AUTOTUNE_WITHOUT_ONLINE
#undef AUTOTUNE_WITHOUT_RANKS
#undef AUTOTUNE_WITHOUT_GUESSES
#define AUTOTUNE_WITHOUT_ONLINE
#define AUTOTUNE_WITHOUT_RANKS
#define AUTOTUNE_WITHOUT_GUESSES
#endif

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX                                /* else windows.h has macros named min and max */
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <process.h>
#include <windows.h>
#else
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

/* CLOCK_MONOTONIC alone is no sufficient test: with -std=c11 -pthread glibc defines it, but hides functions of POSIX
   2008, which the implementation needs. */
#if !defined _WIN32 && (!defined CLOCK_MONOTONIC || (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE < 200809L))
#error "autotune.h: this C library hides functions of POSIX 2008: define _POSIX_C_SOURCE 200809L before the first \
include of this file, or compile it with -std=gnu11"
#elif defined __APPLE__ && defined _POSIX_C_SOURCE && !defined _DARWIN_C_SOURCE
#error "autotune.h: with _POSIX_C_SOURCE defined, macOS hides functions that are needed: define _DARWIN_C_SOURCE, too, \
before the first include of this file"
#else

#include "base/libraries.h"                     /* compiled for speed: the program may call stb_ds, too */
AUTOTUNE__COLD_CODE
#include "system/floor.h"
#include "base/floor.h"
#include "space/floor.h"
#include "device/floor.h"
#include "search/floor.h"
#include "race/floor.h"
#ifndef AUTOTUNE_WITHOUT_ONLINE
#include "online/floor.h"
#endif

AUTOTUNE__END_COLD_CODE
#include "registry/hit.h"
AUTOTUNE__COLD_CODE
#include "registry/floor.h"
#include "store/floor.h"
#include "statement/floor.h"
#include "ranks/floor.h"
#ifndef AUTOTUNE_WITHOUT_RANKS
#include "collective/floor.h"
#endif
#ifndef AUTOTUNE_WITHOUT_CHILD
#include "isolated/floor.h"
#endif
#ifndef AUTOTUNE_WITHOUT_ONLINE
#include "online_calls/floor.h"
#endif

#include "created/description.h"
#include "created/create.h"
#include "created/call.h"
AUTOTUNE__END_COLD_CODE
#include "created/hit.h"
AUTOTUNE__COLD_CODE
#include "created/floor.h"
AUTOTUNE__END_COLD_CODE

#endif  /* CLOCK_MONOTONIC */
#endif  /* the implementation */

/* MIT License

   Copyright (c) 2026 the autotune authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
   documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
   rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
   permit persons to whom the Software is furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
   Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
   WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
   COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
   OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
