/* Made from src/ by `cmake --build build --target headers`: edit the files there, and not this one. */
/* autotune.h - a call site that tunes itself

   Drop this one header into a C or C++ program, wrap the launch of a kernel in AUTOTUNE(space, blocks, call), and the
   first call with a new key races the configurations of the space on the real arguments, puts the buffers back, and
   makes the call once with the winner. Every later call with that key is the winner's call plus a few nanoseconds, or
   about twenty with a string in the key.

   Do this in exactly one file (C or C++):

       #define AUTOTUNE_IMPLEMENTATION
       #include "autotune.h"

   and this wherever there is something to tune:

       #include "autotune.h"

       void matmul(int n, const float *a, const float *b, float *c) {
           AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8), WHERE(unroll <= tile)),
                    1,
                    matmul_blocked(n, a, b, c, tile, unroll),
                    .key = KEY(n), .restore = BUFFERS({c, sizeof(float) * (size_t)n * (size_t)n}));
       }

   SPACE     lists the axes. Each axis is a variable that `call` may use. WHERE keeps only the combinations that make
             sense.
   blocks    how many blocks the launch has: GRID(x, y, z) or an integer. `call` may use blocks.x, .y and .z. On the CPU
             write 1.
   call      one expression, which is evaluated once per launch. If its type is autotune_status, anything but
             AUTOTUNE_OK fails the configuration.
   .key      what the best configuration depends on besides the call site: sizes, types, layouts. Each key is tuned.
   .restore  memory that the call reads and writes. It gets its old content before every trial and before the call for
             real, so that tuning does not change the program's result.

   The other two statements:

       AUTOTUNE_BLOCK(SPACE(AXIS(threads, 1, 2, 4)), .key = KEY(n)) {     a block instead of a call: it may hold commas
           #pragma omp parallel for num_threads(threads)                 and loops. In the block `continue` ends this
           for (int i = 0; i < n; i++) out[i] = f(in[i]);                launch; break, return and goto leave the block.
       }

       AUTOTUNE_SELECT((.key = KEY(n)), sort_small(v, n), CASE(sort_radix(v, n, scratch), WHERE(n > 64)));  alternatives

   Every macro, type, option and function is described where it is declared: src/api has the types, options and
   functions, and src/site/statements.h the statements, the items of a space, keys and buffers. In the made header each
   of these files stands below a line with its name.

   Good to know

   * Space, blocks, key and options may be evaluated any number of times: they must have no side effects. All that axes,
     WHERE, PRIORITY and MODEL read, and that can change, belongs in the key. ANCHOR(n) gives many n the same winner; a
     WHERE that reads n might refuse this winner for some of them, and then needs n itself in the key.
   * A configuration that fails, rejects itself or computes something else (.outputs, .verify) is recorded with its
     reason, and the race goes on. If no configuration works, the call is not made: the status and one sentence say why.
   * Errors never end the program. They are in .result, in autotune_last_error(), and in one line on stderr. When tuning
     is impossible (a wrong option, no memory), the first configuration is launched untuned. Only if there is no memory
     even for the values of the axes, the call is not made.
   * Any thread may run statements and call functions. One thread tunes a key, and one key at a time is tuned on a
     device; other threads with a key that is not known wait while that race makes progress. A race makes no progress
     when it launched and computed nothing for 100 ms, or for four times its longest launch if this is longer: its trial
     may then be waiting for one of these threads. So they launch the first configuration untuned, say so once for each
     key, and a later call tunes. The same happens when another process tunes the key for longer than a race may take,
     or for a minute. A hit never waits.
   * A body must not be left by longjmp. It may be left by return, break, goto or an exception. Its thread may also be
     cancelled (deferred cancellation, which is the default), or end by pthread_exit(): the race is given up, and the
     next call tunes. In C without -fexceptions the thread's stack is gone by then: what the trial did to the buffers of
     .restore and .outputs stays. With -fexceptions, and in C++, the body is left as by an exception, and counts as
     such.
   * A process made by fork() knows the winners of its parent, and tunes other keys itself, whatever threads of the
     parent were doing. CUDA does not work there.
   * In a signal handler a statement may run only if its key is known and it runs on the CPU. A hit takes no lock and
     allocates nothing. A miss, and a hit whose call fails, may wait for ever for a lock of the interrupted thread.
   * AUTOTUNE_PIN=core in the environment holds the thread that races on one processor until the race ends. On systems
     other than Linux a line says that it is ignored. AUTOTUNE_LOG=winner says when it might help. The default is off,
     because threads that the call starts inherit the one processor and would be slow.
   * AUTOTUNE_LOG=winner in the environment prints what was chosen; AUTOTUNE_LOG=full prints every configuration. On a
     terminal a race of more than half a second shows its progress; AUTOTUNE_PROGRESS=0 never shows it, and
     AUTOTUNE_PROGRESS=1 always. AUTOTUNE_MODE=off always launches the first configuration, which tells whether a fault
     comes from tuning.
   * A call is one macro argument: a comma outside of parentheses needs parentheses around it, and no statement can
     stand in the call of another one (in the block of AUTOTUNE_BLOCK it can). gcc shows a misuse at your own line with
     -ftrack-macro-expansion=0.
   * Winners are kept on disk in $XDG_CACHE_HOME/autotune or ~/.cache/autotune, unless they are unreliable: a second
     run of the program tunes nothing. src/api/functions.h describes this cache. AUTOTUNE_CACHE=off in the environment
     neither reads nor writes it.

   Defines, before the include

       AUTOTUNE_IMPLEMENTATION    the function bodies, in one file of the program
       AUTOTUNE_STATIC            everything static, function bodies included: a private copy for this file
       AUTOTUNE_API               attributes of all functions that are not static. A shared library that is compiled
                                  with -fvisibility=hidden, and holds the implementation for others, defines it as
                                  __attribute__((visibility("default")))
       AUTOTUNE_NO_SHORT_NAMES    no macros SPACE, CASE, KEY, BUFFERS, GRID and ANCHOR: only AUTOTUNE_SPACE and so on.
                                  The items of SPACE and CASE (AXIS, RANGE, WHERE, NAME, ...) are never macros: a
                                  program may use these names
       AUTOTUNE_CHECKS            a hit evaluates WHERE. If WHERE refuses the winner, the key lacks a part: this is
                                  reported once, and the first configuration that WHERE admits is launched instead
       AUTOTUNE_REALLOC(old, bytes), AUTOTUNE_FREE(old)    memory for the implementation; define both or none
       AUTOTUNE_STB_DS_H          where stb_ds.h is, with quotes or angle brackets; the default is <stb_ds.h> or
                                  <stb/stb_ds.h>
       AUTOTUNE_NO_STB_DS_IMPL    the program has its own STB_DS_IMPLEMENTATION, which then also serves the library, but
                                  does not survive an allocation that fails
       AUTOTUNE_JSMN_H            where jsmn.h is, likewise; the default is <jsmn.h>. Without jsmn there is no cache on
                                  disk, and a message of the compiler says so
       AUTOTUNE_NO_CACHE          no cache on disk, and no message

   Needs: gcc or clang, C11 or C++14, POSIX threads and clock_gettime, and for the implementation stb_ds and, for the
   cache on disk, jsmn (Debian: libstb-dev, libjsmn-dev).

   MIT License, see the end of the file. */
#ifndef AUTOTUNE_H
#define AUTOTUNE_H

#define AUTOTUNE_VERSION_MAJOR 0
#define AUTOTUNE_VERSION_MINOR 1
#define AUTOTUNE_VERSION_PATCH 0

#if !defined __GNUC__ && !defined __cppcheck__
#error "autotune.h: gcc or clang is needed (statement expressions and __typeof__)"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- src/api/language.h --------------------------------------------------------------------------------------------
   What differs between C and C++, and between gcc and clang; attributes of functions. */

#ifdef __cplusplus
#include <type_traits>
/* A member with an initialiser is none that -Wmissing-field-initializers misses. */
#define AUTOTUNE__DEFAULT(value) = value
#define AUTOTUNE__NULL nullptr
/* A cast in a template is warned of by neither -Wuseless-cast nor -Wold-style-cast. */
template <class To, class From> static inline __attribute__((__always_inline__)) constexpr To autotune__as(From value) {
    return static_cast<To>(value);
}
#define AUTOTUNE__AS(type, ...) autotune__as<type>(__VA_ARGS__)
#define AUTOTUNE__ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#define AUTOTUNE__ASSERT(condition, sentence) static_assert(condition, sentence)
#define AUTOTUNE__DEMAND(condition, sentence) AUTOTUNE__ASSERT(condition, sentence)
#else
#define AUTOTUNE__DEFAULT(value)
#define AUTOTUNE__NULL NULL
#define AUTOTUNE__AS(type, ...) ((type)(__VA_ARGS__))
#define AUTOTUNE__ADDRESS(pointer) ((uintptr_t)(pointer))
#define AUTOTUNE__ASSERT(condition, sentence) _Static_assert(condition, sentence)
/* AUTOTUNE__DEMAND asserts an enumerator, so that clang quotes one word after "due to requirement" and not a page of
   _Generic. A block can hold one AUTOTUNE__DEMAND. */
#define AUTOTUNE__DEMAND(condition, sentence) \
    enum { autotune__demand = (condition) }; AUTOTUNE__ASSERT(autotune__demand, sentence)
#endif

#ifdef AUTOTUNE_STATIC
#define AUTOTUNE__API static __attribute__((__unused__))
#elif defined AUTOTUNE_API
#define AUTOTUNE__API extern AUTOTUNE_API
#else
#define AUTOTUNE__API extern
#endif
#define AUTOTUNE__COLD AUTOTUNE__API __attribute__((__cold__, __noinline__))
#define AUTOTUNE__INLINE static inline __attribute__((__always_inline__, __unused__))
#define AUTOTUNE__UNUSED __attribute__((__unused__))
#define AUTOTUNE__LIKELY(condition) __builtin_expect(condition, 1)

/* The names of a statement (axes, blocks, autotune_trial) may hide names of the caller: -Wshadow is off from the first
   declaration to the last, and as the caller had it in the body. */
#define AUTOTUNE__SHADOWS_OFF _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define AUTOTUNE__SHADOWS_ON(live) __extension__({ _Pragma("GCC diagnostic pop") live; })
/* The values of an axis must have the type of the first: what is only a warning in C becomes an error for them. In
   clang -Wconversion includes the other warnings about conversions. */
#ifdef __clang__
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wconversion\"") \
    _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")
#elif defined __cplusplus
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push")
#else
#define AUTOTUNE__STRICT_ON _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wint-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wconversion\"") _Pragma("GCC diagnostic error \"-Wsign-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wfloat-conversion\"") \
    _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")
#endif
#define AUTOTUNE__STRICT_OFF _Pragma("GCC diagnostic pop")

#ifdef __cplusplus
extern "C" {
#endif

/* ---- src/api/types.h -----------------------------------------------------------------------------------------------
   Types: statuses, keys, buffers, configurations, verdicts, results. */

/* The most parts of a key, axes of a space, and buffers of one list. */
enum { AUTOTUNE_MAX_KEY = 8, AUTOTUNE_MAX_AXES = 16, AUTOTUNE_MAX_BUFFERS = 8 };
/* The largest space of which WHERE judges every point before the race: this takes about 30 ns for each point, and 8
   bytes for each that WHERE admits. A larger space is sampled: only points that are drawn from it are judged. */
enum { AUTOTUNE_MAX_POINTS = 1 << 24 };

/* What a launch returns, and what statements and functions of this library return. */
#define AUTOTUNE_STATUSES(X) \
    X(AUTOTUNE_OK,              "success") \
    X(AUTOTUNE_FAILED,          "the launch failed") \
    X(AUTOTUNE_REJECTED,        "the configuration does not work here") \
    X(AUTOTUNE_ERR_ARGUMENT,    "an option or an argument is wrong") \
    X(AUTOTUNE_ERR_SPACE,       "the space has no configuration; the call was not made") \
    X(AUTOTUNE_ERR_ALL_FAILED,  "no configuration works; the call was not made") \
    X(AUTOTUNE_ERR_MISS,        "no winner is known") \
    X(AUTOTUNE_ERR_AMBIGUOUS,   "several tuners of this name know the key; name#1, name#2, ... select one") \
    X(AUTOTUNE_ERR_MEMORY,      "out of memory") \
    X(AUTOTUNE_ERR_LEFT,        "the body was left by break, return, goto or an exception during a trial") \
    X(AUTOTUNE_ERR_DEVICE,      "the device can no longer be used") \
    X(AUTOTUNE_ERR_ENVIRONMENT, "it is not available here") \
    X(AUTOTUNE_ERR_FILE,        "a file cannot be read or written, or not all of it is sound")
typedef enum autotune_status {
#define AUTOTUNE__STATUS(name, text) name,
    AUTOTUNE_STATUSES(AUTOTUNE__STATUS)
#undef AUTOTUNE__STATUS
    AUTOTUNE__STATUS_COUNT
} autotune_status;

/* The type of a part of a key, of the values of an axis, or of the elements of a buffer. It has 16 values, because a
   key keeps the type of each part in 4 bits. */
typedef enum autotune_type {
    AUTOTUNE_BYTES,                                             /* only for buffers: compared byte by byte */
    AUTOTUNE_I8, AUTOTUNE_I16, AUTOTUNE_I32, AUTOTUNE_I64,
    AUTOTUNE_U8, AUTOTUNE_U16, AUTOTUNE_U32, AUTOTUNE_U64,
    AUTOTUNE_F16, AUTOTUNE_BF16, AUTOTUNE_F32, AUTOTUNE_F64,
    AUTOTUNE_STRING, AUTOTUNE_POINTER, AUTOTUNE_BOOL,           /* not for buffers; AUTOTUNE_POINTER only for axes */
    AUTOTUNE__CHAR = '\377' < 0 ? AUTOTUNE_I8 : AUTOTUNE_U8,
    AUTOTUNE__LONG = sizeof(long) == 8 ? AUTOTUNE_I64 : AUTOTUNE_I32,
    AUTOTUNE__ULONG = sizeof(long) == 8 ? AUTOTUNE_U64 : AUTOTUNE_U32
} autotune_type;

/* How many blocks a launch has. A number below 0 or over INT32_MAX in GRID(...) fails the configuration. */
typedef struct autotune_grid { uint32_t x, y, z; } autotune_grid;

/* The value of KEY(...). Two keys are equal if they have the same number of parts, and each part has the same type and
   value, or as a string the same content. A key with a NaN is an error, since a NaN equals nothing. */
typedef struct autotune_key {
    uint32_t count;                             /* of parts */
    uint32_t types;                             /* an autotune_type for each part, 4 bits each, the first part lowest */
    /* Integers are sign-extended, and floats are doubles. Of a string it has the address; a miss copies the string. */
    uint64_t word[AUTOTUNE_MAX_KEY];
    const char *text;                           /* the arguments of KEY(...) as written, for logs; may be NULL */
} autotune_key;

/* A range of memory in BUFFERS(...): {pointer, bytes}, or {pointer, bytes, type, tolerance}. */
typedef struct autotune_buffer {
    void *memory          AUTOTUNE__DEFAULT(nullptr);
    size_t bytes          AUTOTUNE__DEFAULT(0);               /* 0 bytes are an error, as a NULL pointer is */
    autotune_type type    AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);  /* of the elements that .outputs compares */
    /* The relative difference up to which .outputs takes two floating-point elements for the same. 0 means the default:
       1e-2 for F16, 5e-2 for BF16, 1e-4 for F32, 1e-10 for F64. */
    double tolerance      AUTOTUNE__DEFAULT(0);
} autotune_buffer;
typedef struct autotune_buffers {
    autotune_buffer at[AUTOTUNE_MAX_BUFFERS];
    size_t count AUTOTUNE__DEFAULT(0);
} autotune_buffers;

/* A configuration. Names, labels, types and the strings among the values belong to the library, and live until
   autotune_shutdown() or the end of the process. Callbacks of created tuners see names and labels of the tuner. */
typedef struct autotune_config {
    size_t index;                               /* its point: the number in the unfiltered product, last axis fastest */
    size_t count;                               /* of axes; 0 where there was no memory for the names */
    const char *const *names;                   /* of the axes */
    const char *const *labels;                  /* what logs call the values: 32, radix_sort, ROWS */
    const autotune_type *types;
    uint64_t values[AUTOTUNE_MAX_AXES];         /* to be read with autotune_get_int() and the functions beside it */
} autotune_config;

/* How sure it is that the winner is the fastest configuration. */
typedef enum autotune_verdict {
    AUTOTUNE_DEFAULT,                           /* nothing was measured; the first configuration was launched */
    AUTOTUNE_SINGLE,                            /* the space has only one configuration */
    /* The winner is more than 0.2 % faster than every finalist that stayed in the duel, and the risk that this is wrong
       is at most 5 % over the whole duel. Or the winner was three times as fast as all others before the duel. */
    AUTOTUNE_SEPARATED,
    AUTOTUNE_TIE,                               /* no finalist is more than 1 % faster than the winner; the same risk */
    /* Neither of the two could be shown: time or the rounds of the duel ran out, .stop_at_ns was reached, most of a
       sampled space was not found, or a configuration was skipped since earlier runs of the program ended in it. */
    AUTOTUNE_UNRESOLVED,
    /* The times contradict each other, or the clock cannot be trusted: result.doubt says why. The winner is used in
       this process and not written to the cache on disk, so that the next run tunes again. autotune_save() writes
       it. */
    AUTOTUNE_UNRELIABLE
} autotune_verdict;

/* What every call with .result fills in, hits included. A time that was not measured is NaN. */
typedef struct autotune_result {
    autotune_status status;                     /* of the launch; or why nothing was launched, or nothing tuned */
    autotune_verdict verdict;
    bool cache_hit;                             /* the winner was known, and this call made no trial */
    size_t index;                               /* of the configuration that was launched: config.index */
    double median_ns, min_ns;                   /* of the winner, in nanoseconds per launch */
    /* The times of the runner-up, of the first configuration and of the slowest, comparable with median_ns. A finalist
       has its median of the duel. Any other configuration has median_ns times its own minimum over the winner's. */
    double runner_up_ns, default_ns, slowest_ns;
    /* By how much the runner-up is slower than the winner, 0.03 for 3 %: the median of the rounds in which both ran and
       its 95 % interval from a sign test, which assumes nothing about the noise. The interval needs 6 such rounds, and
       is NaN with fewer. */
    double lead, lead_low, lead_high;
    const char *doubt;                          /* why the verdict is AUTOTUNE_UNRELIABLE, else NULL; never freed */
    size_t space_size;                          /* configurations that WHERE admits and no negative PRIORITY excludes */
    size_t tried, failed;                       /* of configurations: launched by this call; failed, rejected, wrong */
    size_t launches;                            /* that this call made, with the one for real */
    double seconds;                             /* that this call tuned, without the time it waited for other races */
    autotune_config config;                     /* the last member: so a hit copies only the values that there are */
} autotune_result;

/* ---- src/api/backend.h ---------------------------------------------------------------------------------------------
   Types: a backend, which measures the time of launches and knows where memory lives. */

/* What a failed launch means for the race. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* the configuration fails, and the race goes on */
    AUTOTUNE_ERROR_DEVICE,                      /* the device is lost: the race ends, and nothing more is launched */
    AUTOTUNE_ERROR_ENVIRONMENT                  /* the backend does not work here: the race ends, and no call is made */
} autotune_error_class;

/* So many launches may stand between two calls of a backend's stop(). */
enum { AUTOTUNE_MOST_QUEUED = 64 };
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
/* What the caches of the device hold when a trial starts. */
typedef enum autotune_cache_state {
    AUTOTUNE_CACHE_STATE_DEFAULT,               /* the backend's default: hot on the CPU, cold on a GPU */
    AUTOTUNE_HOT,                               /* what the launch before left there */
    AUTOTUNE_COLD                               /* nothing of the call: the backend's flush() empties the caches */
} autotune_cache_state;
/* A backend of one's own is a copy of autotune_cpu() with some members replaced:

       autotune_backend replay = autotune_cpu();
       replay.device = "recorded times";
       replay.now = recorded_now;

   It must live until the last call that names it in .backend has returned, since tuners keep its address. Its functions
   are called from the thread that tunes, and for one device from one race at a time; `self` is the backend itself, or
   what its open() returned. All memory is the backend's or the program's: the library frees nothing but by release().
   A function may be NULL only where this is said. What a function returns but AUTOTUNE_OK goes through classify();
   with autotune_explain() it says why. */
struct autotune_backend {
    /* The device */
    const char *device;                         /* in words, not NULL: backends with equal words race one by one */
    /* Backends with the same family and equal devices share winners; NULL: this backend shares with no other. */
    const void *family;
    void *user;                                 /* for the functions of the backend; the library ignores it */

    /* The clock of the race: nanoseconds. It never goes back; it may stand still between launches, and move in steps.
       It measures the launches too, unless the device has a clock of its own: see start. */
    uint64_t (*now)(autotune_backend *self);
    /* Waits for a device that became slower during a race: 50 ms, at most ten times in a race. NULL: nothing waits. */
    void (*pause)(autotune_backend *self, uint64_t ns);

    /* Memory, for .restore, .zero and .outputs. The `memory` of a buffer is what the option names. */
    bool memory_is_handle;                      /* memory is named by a handle, as a cl_mem, and no address: nobody
                                                   computes with it, and two buffers overlap only if they are equal */
    void *(*allocate)(autotune_backend *self, size_t bytes);    /* for a copy of a buffer; NULL: there is no memory */
    void (*release)(autotune_backend *self, void *memory);      /* which allocate() returned */
    /* Whole buffers are copied and filled; copy() may still be at work when it returns, if what follows on the device
       waits for it. */
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    /* So many bytes of a buffer, from the offset on, to or from memory of the CPU. They are there on return. */
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t offset, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, size_t offset, const void *host, size_t bytes);

    /* The launches */
    autotune_cache_state cache_state;           /* where .cache_state is the default; 0: hot */
    /* Empties the caches, for AUTOTUNE_COLD. The CPU writes to twice the size of the last-level cache, at most 1 GiB,
       and keeps this memory. */
    autotune_status (*flush)(autotune_backend *self);
    /* Called before the first launch of a configuration; *prepared is kept with the configuration. The time that it
       takes does not count against the default limit of a race. May be NULL. */
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *, uint64_t *prepared);
    /* What an error means, of a function of the backend or of a launch. NULL: AUTOTUNE_ERROR_CONFIGURATION, always. */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);

    /* A device beside the CPU, which has a clock of its own. All that follows may be NULL: then now() measures. start()
       and stop() come together. */
    /* Called before a launch, or before a batch of launches. */
    autotune_status (*start)(autotune_backend *self);
    /* Waits until the launches since start() have ended: *ns is what they took together, of failed launches too. An
       error that a launch shows only now is returned here, as is that nothing was launched. If a launch has failed
       before, its own error stands, unless this one is AUTOTUNE_ERROR_DEVICE. */
    autotune_status (*stop)(autotune_backend *self, double *ns);
    /* Called instead of stop() after a launch that another start() follows, at most AUTOTUNE_MOST_QUEUED - 1 times in a
       row; stop() then tells the sum of all. NULL: every launch is waited for. */
    autotune_status (*mark)(autotune_backend *self);
    /* The step of the device's clock, and what a start and a stop together add to a measured time; 0: not known. NULL:
       both are learnt from now(). */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    /* The least time that a launch can take between start and stop: a shorter one fails its configuration. 0: none. */
    double least_launch_ns;

    /* A statement that is no hit. All of this may be NULL. */
    /* Where on the device the launches go, such as a stream or a queue: what the expression in .backend said besides
       the backend. It is asked once, in the thread that wrote the option and before anything else, so that it may
       stand in a variable of that thread; open() gets the answer, which is not NULL. */
    void *(*place)(autotune_backend *self);
    /* The statement begins, maybe in another thread and later than place() was asked (autotune_tune_all()). place:
       NULL without place(). Returns the backend that the statement works with, which may be self; NULL: there is no
       memory, and no call is made. */
    autotune_backend *(*open)(autotune_backend *self, void *place, const autotune_options *);
    /* Asked before a race. AUTOTUNE_REJECTED: not now, and the statement behaves as in mode CACHED. Another error: no
       call is made. */
    autotune_status (*ready)(autotune_backend *opened);
    void (*close)(autotune_backend *opened);    /* the statement ends */
};

/* ---- src/api/options.h ---------------------------------------------------------------------------------------------
   Types: the options of a statement, each with its default; the levels of the log. */

/* What a statement does on a miss. Where it launches the first configuration, this is the first one that WHERE admits.
   If WHERE refuses AUTOTUNE_MAX_POINTS points before it, nothing is launched: AUTOTUNE_ERR_SPACE. */
typedef enum autotune_mode {
    AUTOTUNE_ON,                                /* tunes, then launches the winner */
    AUTOTUNE_OFF,                               /* launches the first configuration, even where the winner is known */
    AUTOTUNE_CACHED,                            /* launches the first configuration; never tunes */
    AUTOTUNE_REQUIRE,                           /* launches nothing: AUTOTUNE_ERR_MISS, or an error that came before */
    AUTOTUNE_FORCE                              /* as ON; each key is tuned anew once in this process, though known */
} autotune_mode;
typedef enum autotune_preset { AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH } autotune_preset;
/* In which order configurations are tried, and how many. Points of a space over AUTOTUNE_MAX_POINTS are drawn and
   judged one by one: there AUTO means SURROGATE, result.space_size is an estimate, and only EXHAUSTIVE visits all
   points, in the order of the space and not of MODEL. The groups of PRIORITY in such a space are learnt from 256 points
   that are drawn before the first launch. The highest group is raced first, and when 200 configurations of it fail, the
   next. */
typedef enum autotune_strategy {
    /* Tries up to 50 configurations as RANDOM does. Of more it first tries eight that lie far apart. If the limits of
       time and trials then seem to be enough for all, it tries all; else it continues as SURROGATE. */
    AUTOTUNE_AUTO,
    AUTOTUNE_EXHAUSTIVE,                        /* all, in the order of MODEL or of the space; no default time limit */
    AUTOTUNE_RANDOM,                            /* the first, then the others in random order, until the budget ends */
    /* Tries the configuration from which a model of the times so far expects the greatest gain. Without .max_trials and
       .max_seconds the search ends after at least 50 trials, when the last three fifths of them brought no gain and as
       many more are expected to bring less than 2 %. */
    AUTOTUNE_SURROGATE,
    AUTOTUNE_GENETIC                            /* crossings and mutations of the best 20, until the budget ends */
} autotune_strategy;
typedef enum autotune_cache {
    AUTOTUNE_CACHE_ON,                          /* the cache on disk is read, and new winners are written to it */
    AUTOTUNE_CACHE_OFF,                         /* it is neither read nor written */
    AUTOTUNE_CACHE_READONLY                     /* it is read; nothing is written, and no folder or lock is made */
} autotune_cache;

/* Options of a statement, written as .name = value after the call. Zero means the default. Strings and lists of buffers
   are copied; what .result, .user and .backend point to must live until the call returns, .backend even longer. */
struct autotune_options {
    char autotune__first AUTOTUNE__DEFAULT(0);                  /* so that a call without options is legal C11 */
    struct autotune__write_options_as_dot_name_equals_value     /* its name is the compiler's message for a value */
        *autotune__second AUTOTUNE__DEFAULT(nullptr);           /* that is written without .name = */
    autotune_key key AUTOTUNE__DEFAULT({});                     /* KEY(...); default: one winner for the call site */
    /* The name of the tuner. The default is file.c:function. Call sites share their results if they have the same name,
       texts of space and call, values of the axes, and version. */
    const char *name AUTOTUNE__DEFAULT(nullptr);
    /* Any string of the program's. A tuner of another version is another tuner: change it when a kernel was changed. */
    const char *version AUTOTUNE__DEFAULT(nullptr);
    autotune_mode mode AUTOTUNE__DEFAULT(AUTOTUNE_ON);
    /* The limits of a race. FAST: 0.5 s and 16 rounds of the duel; BALANCED: 2 s and 60; THOROUGH: 10 s and 200. With
       FAST and BALANCED a race of 128 samples and more also ends its duel once this took over 50 ms and over 0.6 of the
       time before it. */
    autotune_preset preset AUTOTUNE__DEFAULT(AUTOTUNE_BALANCED);
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);
    autotune_cache_state cache_state AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_STATE_DEFAULT);
    /* Seconds after which a launch on a device counts as hung, and the device as lost, up to 1e9; 0: 10 s. A launch on
       the CPU cannot be ended. */
    double launch_timeout AUTOTUNE__DEFAULT(0);
    /* Threads that compile kernels ahead of the measurements, 1 to 256, all signals blocked. 0: one at first, then four
       times as many as long as they compile more in the same time; at most one less than there are processors, and 16.
       A kernel that is needed before a thread began with it is compiled by the calling thread. No effect on the CPU. */
    int compile_threads AUTOTUNE__DEFAULT(0);
    /* The longest time of a race, in seconds up to 1e9; no launch starts later. 0: the preset's time, and ten times as
       long for the first launches of all configurations, so that slow kernels are compared at all. With 0 the time of
       .outputs, .verify and compiling is not counted, and a search makes 50 trials however long its launches take; all
       else that these trials need may take four times as long as first launches may. */
    double max_seconds AUTOTUNE__DEFAULT(0);
    uint64_t max_trials AUTOTUNE__DEFAULT(0);                   /* the most configurations that are tried; 0: all */
    /* How many configurations of each PRIORITY are raced: those that MODEL predicts cheapest; 0: all. Without a MODEL,
       or in a space over AUTOTUNE_MAX_POINTS, all are raced, and the log says so. */
    uint64_t top_k AUTOTUNE__DEFAULT(0);
    uint64_t seed AUTOTUNE__DEFAULT(0);                         /* same seed and same times: same order, same winner */
    /* Two samples of a configuration at or below this time, in nanoseconds per launch, end the race; 0: never. For
       instance a roofline, or a time that is known to be good. */
    double stop_at_ns AUTOTUNE__DEFAULT(0);
    autotune_buffers restore AUTOTUNE__DEFAULT({});             /* get their old content before every trial launch */
    autotune_buffers zero AUTOTUNE__DEFAULT({});                /* are filled with zeros before every trial launch */
    /* Their content after a configuration's first launch is compared with that of the first configuration that works. A
       difference fails the configuration. Before that launch they are filled with poison (NaNs, or random bits), so
       that an element that the call does not write is noticed. If the body is left during that launch, elements that
       still are poison get their old value back; of buffers without a type, runs of four bytes and more, and the
       edges. */
    autotune_buffers outputs AUTOTUNE__DEFAULT({});
    /* Called before every trial launch, after .restore; its time does not count. It may give each trial other data of
       the same kind, since the branch predictor learns short data that never changes. */
    void (*setup)(void *user) AUTOTUNE__DEFAULT(nullptr);
    /* Called after the first launch of each configuration; false fails the configuration. */
    bool (*verify)(void *user) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);                      /* what .setup and .verify get */
    autotune_backend *backend AUTOTUNE__DEFAULT(nullptr);       /* NULL: the CPU */
    autotune_cache cache AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_ON);  /* AUTOTUNE_CACHE in the environment overrides it */
    autotune_result *result AUTOTUNE__DEFAULT(nullptr);         /* filled in by every call; NULL: no result */
    void *autotune__place AUTOTUNE__DEFAULT(nullptr);           /* what the backend's function place() returned */
};

typedef enum autotune_log_level {
    AUTOTUNE_LOG_OFF,
    AUTOTUNE_LOG_ERRORS,                        /* the default */
    AUTOTUNE_LOG_WINNER,                        /* and a line for each race */
    AUTOTUNE_LOG_FULL                           /* and a line for each configuration */
} autotune_log_level;
/* Receives one line of the log, without a line feed; the line is valid until the function returns. */
typedef void autotune_log(void *user, autotune_log_level level, const char *line);

/* ---- src/api/functions.h -------------------------------------------------------------------------------------------
   Functions for every program: errors, the log, values of a configuration, the cache on disk. Any thread may call them,
   unless their comment says otherwise. Strings that they return belong to the library. */

AUTOTUNE__API const char *autotune_status_text(autotune_status status);         /* never NULL */
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict);      /* as in the log; never NULL */
/* The last error of this thread as one sentence, or "". The string is valid until the thread's next error. */
AUTOTUNE__API const char *autotune_last_error(void);
/* Sends the lines of the log to a function, and not to stderr; NULL: to stderr again, where control characters are
   escaped. Lines come from several threads, but one at a time. AUTOTUNE_LOG still chooses which lines there are. In C++
   the function may throw only if the implementation is compiled as C++, or with -fexceptions. */
AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user);
AUTOTUNE__API autotune_backend autotune_cpu(void);      /* a copy of the CPU backend, to be changed */

/* The value of an axis by its name. If there is no such axis, or its values have another type, the result is 0, NaN or
   NULL, and the last error says so. Integers are converted to double. */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name);    /* integers, enums, bools */
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name);
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name);
/* For values that are pointers to functions: cast the result to the function's type. */
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name);
/* A value of any type, as logs show it. */
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name);
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config);     /* config->index; 0 for NULL */

/* The cache on disk. A winner that was measured, and whose verdict is not UNRELIABLE, is appended to results.jsonl in
   the folder AUTOTUNE_CACHE_DIR, else $XDG_CACHE_HOME/autotune, else ~/.cache/autotune. In later runs of the program it
   answers for the same tuner, key and device. The file is read once, at the first call that needs it. When it has more
   than 64 MiB, or than AUTOTUNE_CACHE_MIB in the environment says, superseded records are removed, and then the oldest,
   until three quarters of that size are left. docs/cache-format.md describes the file. A program without jsmn has no
   cache, and these functions return AUTOTUNE_ERR_ENVIRONMENT. */

/* Writes every result of this process that was measured or came from disk to a file in the format of the cache, in the
   place of the file that is there. A link stays, and the file to which it leads is replaced. A pipe or a device is
   written to. AUTOTUNE_ERR_FILE: no file was written. */
AUTOTUNE__API autotune_status autotune_save(const char *path);
/* Lets the records of such a file answer in this process. Of two records for the same key the later date counts; keys
   that this process already knows stay as they are. AUTOTUNE_ERR_FILE: the file cannot be read, or some of its lines
   are damaged and only the others were loaded. */
AUTOTUNE__API autotune_status autotune_load(const char *path);
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path);   /* its records answer on every device */
/* As autotune_load(), from a text in memory, which is copied. */
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes);
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes);   /* on every device */
enum { AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2 };
/* Forgets results: of all tuners with this name, or of all tuners if name is NULL; of this key, or of all keys if key
   is NULL. `where` is AUTOTUNE_MEMORY, for the results of this process and what it loaded (here name#number selects a
   tuner as in autotune_lookup()); AUTOTUNE_DISK, for the cache on disk, whichever program wrote there; or both with |.
   Other processes keep what they know. AUTOTUNE_ERR_ARGUMENT: where or key is wrong. AUTOTUNE_ERR_FILE: the file cannot
   be rewritten. AUTOTUNE_ERR_ENVIRONMENT: AUTOTUNE_CACHE in the environment forbids to write. */
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where);

/* Frees all that the library holds: the results of this process, records that were loaded or read, open files. What is
   on disk stays. It is for programs that are searched for leaks at their end, and for a shared library with its own
   copy of the implementation, before it is unloaded. While it runs, no other thread may be in a statement or function
   of this library, and shared libraries whose statements used this implementation must still be loaded. Names, labels
   and strings in results from before are invalid afterwards. Later statements start as in a new run of the program.
   Created tuners stay, and must still be destroyed. Kernels that autotune_cuda.h compiled and loaded are unloaded, and
   its memory on devices is freed, unless the program has destroyed the context; a hundred bytes for each program in
   source and each context stay.
   AUTOTUNE_ERR_ARGUMENT: it was called in the body of a statement, or while autotune_each() runs, and did nothing. */
AUTOTUNE__API autotune_status autotune_shutdown(void);

/* The least power of base that is not less than x, but at least min, and at most max. base is at least 2; 0 and 1 mean
   2. min and max of 0 mean no bound. A power that does not fit 64 bits is UINT64_MAX. */
AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max);

/* Gives the reason, in the format of printf, why the current launch of this thread fails, or why its backend cannot do
   what it is asked. It is for backends, and for calls that return an autotune_status: the log and the errors then have
   the reason instead of the text of the status. The first reason of a launch is kept. Where no statement is tuned in
   this thread, as on a hit, nothing happens. */
AUTOTUNE__COLD void autotune_explain(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* What AUTOTUNE_REJECT calls. Fails the innermost trial that runs in this thread, and returns AUTOTUNE_REJECTED. */
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* ---- src/api/search.h ----------------------------------------------------------------------------------------------
   A search for loops of one's own, in which the program measures the times itself.

       autotune_search *search = autotune_search_create(&desc);
       while (autotune_search_pays(search) && autotune_search_ask(search, &point) == AUTOTUNE_OK)
           autotune_search_tell(search, point, measure(point));
       autotune_search_destroy(search);

   A point is the number of a configuration in the unfiltered product of the axes, last axis fastest. The values of an
   axis are numbered from 0. One thread at a time may use a search. The caller keeps the best point itself.

   SURROGATE first tries 8 points that lie far apart. Then a Gaussian process over log(time) forecasts the times of a
   pool of proposals: neighbours of the best ten, crossings of the best twenty, and points from anywhere. The proposal
   with the greatest expected gain is tried. */

typedef struct autotune_search autotune_search;
typedef struct autotune_search_axis {
    size_t count;                               /* of values, at least 1 */
    bool categorical;                           /* true: the order of the values means nothing; false: it does */
} autotune_search_axis;
typedef struct autotune_search_desc {
    const autotune_search_axis *axes AUTOTUNE__DEFAULT(nullptr);    /* copied */
    size_t axis_count AUTOTUNE__DEFAULT(0);     /* 1 to AUTOTUNE_MAX_AXES */
    /* Can a configuration begin with values[0] to values[bound - 1]? It is asked with bound = 1, 2, ... up to
       axis_count while it returns true, so that a constraint is tested as soon as all its values are bound. NULL: every
       point is admitted. */
    bool (*where)(void *user, const size_t *values, size_t bound) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);      /* what where() gets */
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);    /* AUTO means SURROGATE here */
    uint64_t seed AUTOTUNE__DEFAULT(0);         /* same seed and same times: same points */
} autotune_search_desc;

/* NULL: the description is wrong, where() admits no point, or there is no memory; the last error says which. The points
   of a space of up to 2^20 points are listed now, and those of a larger space if where() is asked at most 2^17 times.
   Otherwise the search keeps only what was tried. The caller destroys the search. */
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc);
AUTOTUNE__API void autotune_search_destroy(autotune_search *search);            /* NULL: nothing happens */
/* Adds a point that is asked for before those of the strategy, in the order of these calls: a default, or the winner of
   a similar problem. A point that where() refuses is skipped. AUTOTUNE_ERR_ARGUMENT: the space has no such point.
   AUTOTUNE_ERR_MEMORY: it was not added. */
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point);
/* The next point to try, never the same twice. Several points may be asked for before the first is told.
   AUTOTUNE_ERR_SPACE: no point is left; or, if the points were not listed, 2^22 draws in a row found none.
   AUTOTUNE_ERR_ARGUMENT: search or point is NULL. AUTOTUNE_ERR_MEMORY: there is no memory. */
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point);
/* Tells the time of a trial in any unit; INFINITY or NaN: the configuration failed. A point that was never asked for
   may be told too. A point that is told twice counts as two trials. AUTOTUNE_ERR_ARGUMENT: the space has no such point,
   where() refuses it, or the time is below 0. AUTOTUNE_ERR_MEMORY: the search does not know the time. */
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time);
/* Is another trial worth its time? SURROGATE says no after at least 50 trials, when the last three fifths of them
   brought no gain of more than 0.2 %, and as many more are expected to bring less than 2 %. The other strategies do not
   forecast, and always say yes. */
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search);

/* ---- src/api/created.h ---------------------------------------------------------------------------------------------
   Created tuners: for programs that build their spaces at run time, and for bindings to other languages. A created
   tuner is tuned, cached and looked up like a call site; where the call site has expressions, it has callbacks. Any
   number of threads may call these functions at once. */

/* An axis. Each value has 8 bytes, whatever its type. An array of double may be cast to int64_t, and so may one of
   pointers if these have 8 bytes. */
typedef struct autotune_axis {
    const char *name             AUTOTUNE__DEFAULT(nullptr);
    const int64_t *values        AUTOTUNE__DEFAULT(nullptr);
    size_t count                 AUTOTUNE__DEFAULT(0);          /* of values */
    /* AUTOTUNE_I64 (also 0), AUTOTUNE_F64, AUTOTUNE_STRING (a value may be NULL) or AUTOTUNE_POINTER */
    autotune_type type           AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);
    /* What logs call the values: count strings. Pointers need them. NULL: the numbers or strings themselves. */
    const char *const *labels    AUTOTUNE__DEFAULT(nullptr);
    /* A filter that is asked as soon as this axis has a value; partial has the axes up to this one. False refuses all
       configurations that begin with these values, and none of them is visited. So a space may have any number of
       points if the filters of its first axes leave few. */
    bool (*where)(void *user, const autotune_config *partial) AUTOTUNE__DEFAULT(nullptr);
} autotune_axis;

/* A tuner. Tuners with the same name, axes and version share their results. Callbacks get options->user, or user of
   this description if that is NULL. They may call every function but autotune_destroy(); a configuration is valid until
   they return. where(), model() and priority() are called any number of times, and must have no side effects. An
   exception may pass through a callback if the implementation is compiled as C++. */
typedef struct autotune_desc {
    const char *name             AUTOTUNE__DEFAULT(nullptr);    /* required */
    const autotune_axis *axes    AUTOTUNE__DEFAULT(nullptr);    /* the space is their product, last axis fastest */
    size_t axis_count            AUTOTUNE__DEFAULT(0);          /* 1 to AUTOTUNE_MAX_AXES */
    /* If it is not NULL, the space is this table instead: config_count rows of axis_count values. The axes then need no
       values; if an axis has values, the table may contain no others for it. */
    const int64_t *configs       AUTOTUNE__DEFAULT(nullptr);
    size_t config_count          AUTOTUNE__DEFAULT(0);
    bool (*where)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);      /* NULL: all are admitted */
    double (*model)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* the predicted cost: MODEL */
    int (*priority)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);    /* PRIORITY; negative: never */
    /* Required: launches the configuration, which fails if the result is not AUTOTUNE_OK. */
    autotune_status (*launch)(void *user, const autotune_config *) AUTOTUNE__DEFAULT(nullptr);
    void *user                   AUTOTUNE__DEFAULT(nullptr);
} autotune_desc;
typedef struct autotune_tuner autotune_tuner;

/* Makes a tuner, which the caller destroys. The description is copied with its strings and labels; what user points to
   is not. NULL: the description is wrong, or there is no memory; autotune_last_error() says what to change. */
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc);
/* Frees the tuner and its queued cases; its results stay known. No call of the tuner may run or begin. NULL: nothing
   happens. */
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner);
/* Tunes on a miss, then launches the winner, as AUTOTUNE does at a call site. The options mean the same as there; NULL:
   no options. Returns the status of the launch, or why nothing was launched. If an option is wrong, or tuning has no
   memory, the first configuration is launched; if this succeeds, the error is returned. A hit takes no lock. */
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options);
/* As autotune_call(), without the last launch. AUTOTUNE_OK: the winner is known; or the mode is OFF or CACHED, nothing
   was tuned, and .result holds the first configuration. It waits for other races on the device while they make
   progress; AUTOTUNE_ERR_MISS: one of them made none. */
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options);
/* Queues a case for autotune_tune_all(). The options are copied with their strings. What buffers, .user, .result and
   .backend point to must live until the case was tuned, or the tuner was destroyed. AUTOTUNE_ERR_ARGUMENT,
   AUTOTUNE_ERR_MEMORY: the case was not queued. */
AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options);
/* Tunes all queued cases that are not known, in the order in which they were added, as autotune_tune() does; also those
   that are added meanwhile. A case that fails does not stop the others: the first status other than AUTOTUNE_OK is
   returned at the end. After two seconds each case is a line on stderr if this is a terminal; AUTOTUNE_PROGRESS=1 in
   the environment writes the lines always, and 0 never. A tuner with a queued case must not be destroyed meanwhile. Two
   threads that call it share the cases. */
AUTOTUNE__API autotune_status autotune_tune_all(void);

/* ---- src/api/known.h -----------------------------------------------------------------------------------------------
   Looking up and listing the results of this process: of call sites, from their first call on, and of created
   tuners. */

/* What a race found out about one configuration. */
typedef struct autotune_measurement {
    autotune_config config;
    autotune_status status;                     /* AUTOTUNE_OK, or why it failed */
    const char *reason;                         /* of the failure in words; else NULL */
    const char *stage;                          /* the last stage it reached: "screen", "halving", "duel" or "winner" */
    double median_ns, min_ns;                   /* nanoseconds per launch: of the duel; of all samples. NaN: none */
    size_t launches;                            /* trials of it */
} autotune_measurement;

/* One key of one tuner. It is valid during the visit; names, labels and strings of its configurations live until
   autotune_shutdown(). */
typedef struct autotune_known {
    const char *name;                           /* of the tuner */
    size_t number;                              /* name#number: 1 for the first tuner that was used with this name */
    autotune_key key;
    autotune_result result;                     /* of the call that tuned the key; AUTOTUNE_ERR_ALL_FAILED: no winner */
    const autotune_measurement *measurements;   /* in the order in which they were tried; NULL: none is remembered */
    size_t measurement_count;
} autotune_known;
typedef void autotune_visit(void *user, const autotune_known *known);

/* The winner of a key, without a launch. The numbers of keys are compared by value, whatever their types: KEY(512)
   finds what was tuned for a size_t of 512. AUTOTUNE_OK: *winner is the winner's configuration. AUTOTUNE_ERR_MISS: no
   tuner of this name knows the key. AUTOTUNE_ERR_AMBIGUOUS: several tuners of this name know it, which differ in space,
   version or device; the name "name#2" selects the second of them in the order of their first use.
   AUTOTUNE_ERR_ARGUMENT: the name is missing, or the key is wrong. After an error *winner is zero: it has no axes.
   winner may be NULL. */
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner);
/* Calls visit() for each key whose winner is known or whose configurations all failed, as known when the call began;
   tuners come in the order of their first use. visit() may call every function. Without memory nothing is visited, and
   the last error says so. */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user);

/* ---- src/site/hit.h ------------------------------------------------------------------------------------------------
   The hot path: what a hit does, and the functions that the macros of a call site call. */

/* A word that one thread may read while another writes it. On 32-bit x86 a uint64_t is aligned to 4 bytes only, and may
   lie in two cache lines. No instruction then reads it atomically, and clang calls libatomic, which takes a lock. */
typedef uint64_t autotune__shared_word __attribute__((__aligned__(8)));

/* What a hit needs of a winner. Once published, an entry never changes, but for `shape`: 0 retires the entry. Readers
   need no lock, because no entry is freed before autotune_shutdown(). */
typedef struct autotune__entry {
    autotune__shared_word shape;                /* autotune__shape() of the statement; 0 matches no statement */
    autotune_backend *backend;                  /* what the statement has in .backend */
    uint64_t word[AUTOTUNE_MAX_KEY];            /* of the key; strings point to the record's copies */
    autotune__shared_word value[AUTOTUNE_MAX_AXES + 1];     /* of the axes; the last is what the backend prepared */
    uint64_t hash;                              /* of key, .name and .version */
    const char *name, *version;                 /* of the tuner; "" for no version */
    struct autotune__record *record;            /* of the key, in the registry */
    struct autotune__entry *original;           /* the entry that this one copies for another backend, or NULL */
    struct autotune__entry *made_before;        /* the next in the list of all entries */
    struct autotune__entry *copy;               /* the next entry of this winner: for other backends, newest first */
    bool forced, violated;                      /* tuned in mode FORCE; a violation of WHERE was reported */
    autotune_result result;                     /* what .result gets on a hit */
} autotune__entry;

/* One call site. A hit only reads it; the functions for a miss write to it. */
typedef struct autotune__site {
    const char *file, *function, *text, *build; /* build: compiler and target */
    int line;                                   /* tells two blocks apart, in this process only */
    autotune__entry *last;                      /* the entry published last; at first AUTOTUNE__NO_ENTRY */
    struct autotune__entries *table;            /* all entries of the site */
    uint32_t said;                              /* a bit for each status that was reported; 31: its library is known */
    struct autotune__site *known_before;        /* the next in the list of all sites that have entries */
} autotune__site;

/* What the loop at the call site sees of a statement that is no hit: the first member of its autotune__statement. */
typedef struct autotune__tuning {
    bool filtering;                             /* this turn of the loop judges a point, and launches nothing */
    bool trial;                                 /* the next launch is a trial */
} autotune__tuning;

/* One execution of a statement. Only inline functions get its address, so the compiler keeps it in registers. */
typedef struct autotune__run {
    autotune__site *site;
    autotune_result *result;
    const uint64_t *slot;                       /* the values of the axes for this turn; NULL: the loop ends */
    autotune__tuning *tuning;                   /* NULL: a hit */
    bool done;                                  /* the body ran to its end */
} autotune__run;
typedef struct autotune__start { const uint64_t *slot; autotune__tuning *tuning; } autotune__start;

/* An entry of zeros, which matches no key. Every call site refers to it: so the linker names it where no file holds the
   implementation. */
#define AUTOTUNE__NO_ENTRY autotune__define_AUTOTUNE_IMPLEMENTATION_in_one_file
AUTOTUNE__API autotune__entry AUTOTUNE__NO_ENTRY;
AUTOTUNE__API const uint64_t *autotune__find(const autotune__site *site, const autotune_key *key,
                                             const autotune_backend *backend);
AUTOTUNE__API const uint64_t *autotune__find_few(const autotune__site *site, const autotune_backend *backend,
                                                 uint64_t shape, uint64_t first, uint64_t second, uint64_t third);
AUTOTUNE__API const uint64_t *autotune__find_named(const autotune__site *site, const autotune_key *key,
                                                   const autotune_backend *backend, const char *name,
                                                   const char *version);
AUTOTUNE__API void autotune__answer_hit(const uint64_t *slot, autotune_result *result);
AUTOTUNE__COLD autotune__start autotune__begin(autotune__site *site, const autotune_options *options);
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done);
AUTOTUNE__COLD void autotune__abandon(autotune__tuning *tuning);
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status);
AUTOTUNE__COLD void autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why);
AUTOTUNE__COLD void autotune__hit_violated(const autotune__site *site, const uint64_t *slot);
AUTOTUNE__COLD bool autotune__known_violated(autotune__tuning *tuning);
AUTOTUNE__COLD autotune__start autotune__begin_refused(autotune__site *site, const autotune_options *options);
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void);
/* type is an autotune_type; a call site has it as an enumerator of an enum of its own. */
AUTOTUNE__COLD void autotune__tell_axis(autotune__tuning *, const char *name, const char *text, const void *values,
                                        size_t count, int type);
AUTOTUNE__COLD void autotune__range(autotune__tuning *, const char *name, int64_t first, int64_t last, int64_t step,
                                    autotune_type type);
AUTOTUNE__COLD void autotune__pow2(autotune__tuning *, const char *name, int64_t first, int64_t last,
                                   autotune_type type);
AUTOTUNE__COLD void autotune__table(autotune__tuning *, const char *text, const void *rows, size_t row_bytes,
                                    size_t count);
AUTOTUNE__COLD void autotune__column(autotune__tuning *, const char *name, size_t offset, autotune_type type);
AUTOTUNE__COLD void autotune__calls(autotune__tuning *, const char *text, const char *expanded, size_t count);
AUTOTUNE__COLD void autotune__call_name(autotune__tuning *, size_t call, const char *name);
AUTOTUNE__COLD void autotune__priority(autotune__tuning *, int64_t group, int64_t intra);
AUTOTUNE__COLD void autotune__model(autotune__tuning *, double cost);
AUTOTUNE__COLD void autotune__admit(autotune__tuning *, bool admitted);

/* One word from the number of parts of a key, their types, and whether the statement has .name and .version, so that
   most entries are told apart without comparing strings. It is never 0. Too many parts count as 15, which no entry
   has. */
AUTOTUNE__INLINE uint64_t autotune__shape(uint32_t count, uint32_t types, const char *name, const char *version) {
    return AUTOTUNE__AS(uint64_t, types) << 32 | (count <= AUTOTUNE_MAX_KEY ? count + 1u : 15u) | (name ? 16u : 0u) |
           (version ? 32u : 0u);
}
/* Is one of eight 4-bit numbers 0? The subtraction sets the highest bit of the lowest such number. */
#define AUTOTUNE__HAS_ZERO_PART(types) ((((types) - 0x11111111u) & ~(types) & 0x88888888u) != 0)
AUTOTUNE__INLINE bool autotune__has_string(uint32_t types) {
    return AUTOTUNE__HAS_ZERO_PART(types ^ 0x11111111u * AUTOTUNE_STRING);
}
/* The options are passed by value: with the address of the structure all of it would be filled on every hit. The parts
   of the key are passed one by one, so that the compiler knows which are constant when it inlines the function. Strings
   are compared out of line. .name and .version are always compared: if the function around the statement is inlined for
   several names, these share one site. */
AUTOTUNE__INLINE autotune__run autotune__hit(autotune__site *site, autotune_mode mode, autotune_result *result,
                                             autotune_backend *backend, const char *name, const char *version,
                                             uint32_t count, uint32_t types, uint64_t w0, uint64_t w1, uint64_t w2,
                                             uint64_t w3, uint64_t w4, uint64_t w5, uint64_t w6, uint64_t w7) {
    autotune__run run = { site, result, AUTOTUNE__NULL, AUTOTUNE__NULL, false };
    if (mode != AUTOTUNE_ON) return run;                    /* constant if the statement has no .mode */
    const autotune__entry *entry = __atomic_load_n(&site->last, __ATOMIC_ACQUIRE);
    const uint64_t shape = autotune__shape(count, types, AUTOTUNE__NULL, AUTOTUNE__NULL);
    uint64_t different = __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) ^ shape;
    if (count > 0) different |= entry->word[0] ^ w0;
    if (count > 1) different |= entry->word[1] ^ w1;
    if (count > 2) different |= entry->word[2] ^ w2;
    if (count > 3) different |= entry->word[3] ^ w3;
    if (count > 4) different |= entry->word[4] ^ w4;
    if (count > 5) different |= entry->word[5] ^ w5;
    if (count > 6) different |= entry->word[6] ^ w6;
    if (count > 7) different |= entry->word[7] ^ w7;
    if (name || version) {                                  /* constant if the statement has neither */
        const autotune_key key = { count, types, { w0, w1, w2, w3, w4, w5, w6, w7 }, AUTOTUNE__NULL };
        run.slot = autotune__find_named(site, &key, backend, name, version);
    } else if (AUTOTUNE__LIKELY(different == 0 && entry->backend == backend && !autotune__has_string(types))) {
        run.slot = entry->value;
    } else if (count <= 3) {                                /* passed in registers: no key is stored */
        run.slot = autotune__find_few(site, backend, shape, w0, w1, w2);
    } else {
        const autotune_key key = { count, types, { w0, w1, w2, w3, w4, w5, w6, w7 }, AUTOTUNE__NULL };
        run.slot = autotune__find(site, &key, backend);
    }
    if (result && run.slot) autotune__answer_hit(run.slot, result);
    return run;
}
#define AUTOTUNE__HIT_WITH(options) autotune__hit(&autotune__s, options.mode, options.result, options.backend, \
    options.name, options.version, options.key.count, options.key.types, options.key.word[0], options.key.word[1], \
    options.key.word[2], options.key.word[3], \
    options.key.word[4], options.key.word[5], options.key.word[6], options.key.word[7])
AUTOTUNE__INLINE void autotune__started(autotune__run *run, autotune__start start) {
    run->slot = start.slot;
    run->tuning = start.tuning;
}
AUTOTUNE__INLINE const uint64_t *autotune__step(autotune__run *run) {
    const bool done = run->done;
    if (AUTOTUNE__LIKELY(!run->tuning)) return AUTOTUNE__NULL;
    run->done = false;
    return autotune__next(run->tuning, done);
}
/* With AUTOTUNE_CHECKS: WHERE refuses the configuration of the call for real. True: it is not launched. After a hit the
   run has no slot, so that AUTOTUNE__STEP begins the statement anew. */
AUTOTUNE__INLINE bool autotune__refused(autotune__run *run) {
    if (run->tuning) return autotune__known_violated(run->tuning);
    autotune__hit_violated(run->site, run->slot);
    run->slot = AUTOTUNE__NULL;
    return true;
}
AUTOTUNE__INLINE void autotune__leave(autotune__run *run) {
    if (!AUTOTUNE__LIKELY(!run->tuning)) autotune__abandon(run->tuning);
}
AUTOTUNE__INLINE void autotune__take_status(const autotune__run *run, int status) {
    if (AUTOTUNE__LIKELY(status == AUTOTUNE_OK)) return;
    if (run->tuning) autotune__trial_failed(run->tuning, status);
    else autotune__hit_failed(run->site, run->slot, run->result, status, AUTOTUNE__NULL);
}

AUTOTUNE__INLINE autotune_grid autotune__grid3(int64_t x, int64_t y, int64_t z) {
    if (!AUTOTUNE__LIKELY(x >= 0 && y >= 0 && z >= 0 && x <= INT32_MAX && y <= INT32_MAX && z <= INT32_MAX))
        return autotune__bad_grid();
    const autotune_grid grid = { AUTOTUNE__AS(uint32_t, x), AUTOTUNE__AS(uint32_t, y), AUTOTUNE__AS(uint32_t, z) };
    return grid;
}
AUTOTUNE__INLINE autotune_grid autotune__grid_same(autotune_grid grid) { return grid; }
AUTOTUNE__INLINE autotune_grid autotune__grid_signed(int64_t x) { return autotune__grid3(x, 1, 1); }
AUTOTUNE__INLINE autotune_grid autotune__grid_unsigned(uint64_t x) {
    return autotune__grid3(x > INT32_MAX ? -1 : AUTOTUNE__AS(int64_t, x), 1, 1);
}
AUTOTUNE__INLINE uint64_t autotune__word_signed(int64_t value) { return AUTOTUNE__AS(uint64_t, value); }
AUTOTUNE__INLINE uint64_t autotune__word_unsigned(uint64_t value) { return value; }
AUTOTUNE__INLINE uint64_t autotune__word_double(double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word << 1 ? word : 0;                /* -0.0 becomes 0.0; under -ffast-math value + 0.0 does not do this */
}
AUTOTUNE__INLINE uint64_t autotune__word_pointer(const void *value) { return AUTOTUNE__ADDRESS(value); }
#ifdef __cplusplus
}   /* extern "C" */
#endif


/* ---- src/site/lists.h ----------------------------------------------------------------------------------------------
   Lists of the preprocessor: what the macros of a call site are written with. */

#define AUTOTUNE__CAT(a, b) AUTOTUNE__CAT_(a, b)
#define AUTOTUNE__CAT_(a, b) a##b
#define AUTOTUNE__TEXT(...) #__VA_ARGS__
#define AUTOTUNE__UNWRAP(...) __VA_ARGS__
#define AUTOTUNE__NOTHING(...)
#define AUTOTUNE__HEAD(...) AUTOTUNE__HEAD_(__VA_ARGS__, ~)
#define AUTOTUNE__HEAD_(a, ...) a
#define AUTOTUNE__SECOND(...) AUTOTUNE__SECOND_(__VA_ARGS__, 0, ~)
#define AUTOTUNE__SECOND_(a, b, ...) b
/* IS_PAREN is 1 if x begins with a parenthesis, else 0: AUTOTUNE__PAREN then expands, and leaves 1 as the second
   argument. IS_EMPTY is 1 if x is empty. IS_UNIT is 1 if x begins with (). */
#define AUTOTUNE__IS_PAREN(x) AUTOTUNE__SECOND(AUTOTUNE__PAREN x)
#define AUTOTUNE__PAREN(...) ~, 1,
#define AUTOTUNE__IS_EMPTY(x) AUTOTUNE__CAT(AUTOTUNE__IS_EMPTY_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_EMPTY_0(x) AUTOTUNE__IS_PAREN(x ())
#define AUTOTUNE__IS_EMPTY_1(x) 0
#define AUTOTUNE__IS_UNIT(x) AUTOTUNE__CAT(AUTOTUNE__IS_UNIT_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_UNIT_0(x) 0
#define AUTOTUNE__IS_UNIT_1(x) AUTOTUNE__IS_EMPTY(AUTOTUNE__HEAD x)
/* The number of arguments, from 1 to 70. */
#define AUTOTUNE__COUNT(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, \
    50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, \
    30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, \
    10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
/* 1 if there are more than 12 arguments, else 0. */
#define AUTOTUNE__OVER_TWELVE(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define AUTOTUNE__SEVENTIETH( \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, \
    a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, \
    a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, \
    a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, n, ...) n
/* M(context, number of arguments from this one on, argument) for each of up to 64 arguments. EACH_OF gets the number of
   arguments, since counting takes the compiler longer than the rest. The last eight arguments take one expansion,
   because each expansion reads the rest of the list again. */
#define AUTOTUNE__EACH(M, c, ...) AUTOTUNE__EACH_OF(M, c, AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__EACH_OF(M, c, n, ...) AUTOTUNE__CAT(AUTOTUNE__EACH_, n)(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_1(M, c, a1) M(c, 1, a1)
#define AUTOTUNE__EACH_2(M, c, a1, a2) M(c, 2, a1) M(c, 1, a2)
#define AUTOTUNE__EACH_3(M, c, a1, a2, a3) M(c, 3, a1) M(c, 2, a2) M(c, 1, a3)
#define AUTOTUNE__EACH_4(M, c, a1, a2, a3, a4) M(c, 4, a1) M(c, 3, a2) M(c, 2, a3) M(c, 1, a4)
#define AUTOTUNE__EACH_5(M, c, a1, a2, a3, a4, a5) M(c, 5, a1) M(c, 4, a2) M(c, 3, a3) M(c, 2, a4) M(c, 1, a5)
#define AUTOTUNE__EACH_6(M, c, a1, a2, a3, a4, a5, a6) \
    M(c, 6, a1) M(c, 5, a2) M(c, 4, a3) M(c, 3, a4) M(c, 2, a5) M(c, 1, a6)
#define AUTOTUNE__EACH_7(M, c, a1, a2, a3, a4, a5, a6, a7) \
    M(c, 7, a1) M(c, 6, a2) M(c, 5, a3) M(c, 4, a4) M(c, 3, a5) M(c, 2, a6) M(c, 1, a7)
#define AUTOTUNE__EACH_8(M, c, a1, a2, a3, a4, a5, a6, a7, a8) \
    M(c, 8, a1) M(c, 7, a2) M(c, 6, a3) M(c, 5, a4) M(c, 4, a5) M(c, 3, a6) M(c, 2, a7) M(c, 1, a8)
#define AUTOTUNE__EACH_9(M, c, a, ...) M(c, 9, a) AUTOTUNE__EACH_8(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_10(M, c, a, ...) M(c, 10, a) AUTOTUNE__EACH_9(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_11(M, c, a, ...) M(c, 11, a) AUTOTUNE__EACH_10(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_12(M, c, a, ...) M(c, 12, a) AUTOTUNE__EACH_11(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_13(M, c, a, ...) M(c, 13, a) AUTOTUNE__EACH_12(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_14(M, c, a, ...) M(c, 14, a) AUTOTUNE__EACH_13(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_15(M, c, a, ...) M(c, 15, a) AUTOTUNE__EACH_14(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_16(M, c, a, ...) M(c, 16, a) AUTOTUNE__EACH_15(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_17(M, c, a, ...) M(c, 17, a) AUTOTUNE__EACH_16(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_18(M, c, a, ...) M(c, 18, a) AUTOTUNE__EACH_17(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_19(M, c, a, ...) M(c, 19, a) AUTOTUNE__EACH_18(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_20(M, c, a, ...) M(c, 20, a) AUTOTUNE__EACH_19(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_21(M, c, a, ...) M(c, 21, a) AUTOTUNE__EACH_20(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_22(M, c, a, ...) M(c, 22, a) AUTOTUNE__EACH_21(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_23(M, c, a, ...) M(c, 23, a) AUTOTUNE__EACH_22(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_24(M, c, a, ...) M(c, 24, a) AUTOTUNE__EACH_23(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_25(M, c, a, ...) M(c, 25, a) AUTOTUNE__EACH_24(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_26(M, c, a, ...) M(c, 26, a) AUTOTUNE__EACH_25(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_27(M, c, a, ...) M(c, 27, a) AUTOTUNE__EACH_26(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_28(M, c, a, ...) M(c, 28, a) AUTOTUNE__EACH_27(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_29(M, c, a, ...) M(c, 29, a) AUTOTUNE__EACH_28(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_30(M, c, a, ...) M(c, 30, a) AUTOTUNE__EACH_29(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_31(M, c, a, ...) M(c, 31, a) AUTOTUNE__EACH_30(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_32(M, c, a, ...) M(c, 32, a) AUTOTUNE__EACH_31(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_33(M, c, a, ...) M(c, 33, a) AUTOTUNE__EACH_32(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_34(M, c, a, ...) M(c, 34, a) AUTOTUNE__EACH_33(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_35(M, c, a, ...) M(c, 35, a) AUTOTUNE__EACH_34(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_36(M, c, a, ...) M(c, 36, a) AUTOTUNE__EACH_35(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_37(M, c, a, ...) M(c, 37, a) AUTOTUNE__EACH_36(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_38(M, c, a, ...) M(c, 38, a) AUTOTUNE__EACH_37(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_39(M, c, a, ...) M(c, 39, a) AUTOTUNE__EACH_38(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_40(M, c, a, ...) M(c, 40, a) AUTOTUNE__EACH_39(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_41(M, c, a, ...) M(c, 41, a) AUTOTUNE__EACH_40(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_42(M, c, a, ...) M(c, 42, a) AUTOTUNE__EACH_41(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_43(M, c, a, ...) M(c, 43, a) AUTOTUNE__EACH_42(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_44(M, c, a, ...) M(c, 44, a) AUTOTUNE__EACH_43(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_45(M, c, a, ...) M(c, 45, a) AUTOTUNE__EACH_44(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_46(M, c, a, ...) M(c, 46, a) AUTOTUNE__EACH_45(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_47(M, c, a, ...) M(c, 47, a) AUTOTUNE__EACH_46(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_48(M, c, a, ...) M(c, 48, a) AUTOTUNE__EACH_47(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_49(M, c, a, ...) M(c, 49, a) AUTOTUNE__EACH_48(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_50(M, c, a, ...) M(c, 50, a) AUTOTUNE__EACH_49(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_51(M, c, a, ...) M(c, 51, a) AUTOTUNE__EACH_50(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_52(M, c, a, ...) M(c, 52, a) AUTOTUNE__EACH_51(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_53(M, c, a, ...) M(c, 53, a) AUTOTUNE__EACH_52(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_54(M, c, a, ...) M(c, 54, a) AUTOTUNE__EACH_53(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_55(M, c, a, ...) M(c, 55, a) AUTOTUNE__EACH_54(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_56(M, c, a, ...) M(c, 56, a) AUTOTUNE__EACH_55(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_57(M, c, a, ...) M(c, 57, a) AUTOTUNE__EACH_56(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_58(M, c, a, ...) M(c, 58, a) AUTOTUNE__EACH_57(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_59(M, c, a, ...) M(c, 59, a) AUTOTUNE__EACH_58(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_60(M, c, a, ...) M(c, 60, a) AUTOTUNE__EACH_59(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_61(M, c, a, ...) M(c, 61, a) AUTOTUNE__EACH_60(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_62(M, c, a, ...) M(c, 62, a) AUTOTUNE__EACH_61(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_63(M, c, a, ...) M(c, 63, a) AUTOTUNE__EACH_62(M, c, __VA_ARGS__)
#define AUTOTUNE__EACH_64(M, c, a, ...) M(c, 64, a) AUTOTUNE__EACH_63(M, c, __VA_ARGS__)
/* Too many arguments become nothing. An assertion elsewhere names the mistake. */
#define AUTOTUNE__EACH_65(M, c, ...)
#define AUTOTUNE__EACH_66(M, c, ...)
#define AUTOTUNE__EACH_67(M, c, ...)
#define AUTOTUNE__EACH_68(M, c, ...)
#define AUTOTUNE__EACH_69(M, c, ...)
#define AUTOTUNE__EACH_70(M, c, ...)
/* M(a1, b1) M(a2, b2) ... for n names, at most 12, followed by n values and possibly more. */
#define AUTOTUNE__ZIP(n, M, ...) AUTOTUNE__CAT(AUTOTUNE__ZIP_, n)(M, __VA_ARGS__)
#define AUTOTUNE__ZIP_1(M, a1, b1, ...) M(a1, b1)
#define AUTOTUNE__ZIP_2(M, a1, a2, b1, b2, ...) M(a1, b1) M(a2, b2)
#define AUTOTUNE__ZIP_3(M, a1, a2, a3, b1, b2, b3, ...) M(a1, b1) M(a2, b2) M(a3, b3)
#define AUTOTUNE__ZIP_4(M, a1, a2, a3, a4, b1, b2, b3, b4, ...) M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4)
#define AUTOTUNE__ZIP_5(M, a1, a2, a3, a4, a5, b1, b2, b3, b4, b5, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5)
#define AUTOTUNE__ZIP_6(M, a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6)
#define AUTOTUNE__ZIP_7(M, a1, a2, a3, a4, a5, a6, a7, b1, b2, b3, b4, b5, b6, b7, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7)
#define AUTOTUNE__ZIP_8(M, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7) M(a8, b8)
#define AUTOTUNE__ZIP_9(M, a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b7, b8, b9, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7) M(a8, b8) M(a9, b9)
#define AUTOTUNE__ZIP_10(M, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7) M(a8, b8) M(a9, b9) M(a10, b10)
#define AUTOTUNE__ZIP_11(M, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, \
                         b11, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7) M(a8, b8) M(a9, b9) M(a10, b10) \
    M(a11, b11)
#define AUTOTUNE__ZIP_12(M, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, b1, b2, b3, b4, b5, b6, b7, b8, b9, \
                         b10, b11, b12, ...) \
    M(a1, b1) M(a2, b2) M(a3, b3) M(a4, b4) M(a5, b5) M(a6, b6) M(a7, b7) M(a8, b8) M(a9, b9) M(a10, b10) \
    M(a11, b11) M(a12, b12)

/* ---- src/site/values.h ---------------------------------------------------------------------------------------------
   The types of axes, parts of keys and calls, in C and in C++; options at a call site; what a tuner was built with. */

#define AUTOTUNE__IS_INTEGER_TYPE(type) (((type) >= AUTOTUNE_I8 && (type) <= AUTOTUNE_U64) || (type) == AUTOTUNE_BOOL)

#ifndef __cplusplus

/* The type of the variable that an axis becomes. The comma makes arrays and functions decay and drops qualifiers;
   unlike ?: it does not promote small integers to int. */
#define AUTOTUNE__TYPE(v) __typeof__(_Generic((v), char *: (const char *)0, default: ((void)0, (v))))
/* The autotune_type of a value; AUTOTUNE_BYTES: it can be no value. An enum counts as its integer type. */
#define AUTOTUNE__KIND(v) AUTOTUNE__KIND_OR(v, AUTOTUNE_BYTES)
#define AUTOTUNE__KIND_OR(v, other) _Generic((v), _Bool: AUTOTUNE_BOOL, char: AUTOTUNE__CHAR, \
    signed char: AUTOTUNE_I8, short: AUTOTUNE_I16, int: AUTOTUNE_I32, long: AUTOTUNE__LONG, long long: AUTOTUNE_I64, \
    unsigned char: AUTOTUNE_U8, unsigned short: AUTOTUNE_U16, unsigned: AUTOTUNE_U32, unsigned long: AUTOTUNE__ULONG, \
    unsigned long long: AUTOTUNE_U64, float: AUTOTUNE_F32, double: AUTOTUNE_F64, \
    char *: AUTOTUNE_STRING, const char *: AUTOTUNE_STRING, default: other)
/* *v has the type of v again, after decay, if v is a pointer to a function, and never if v is a pointer to data. */
#define AUTOTUNE__IS_FUNCTION(v) \
    __builtin_types_compatible_p(__typeof__(((void)0, (v))), __typeof__(((void)0, *AUTOTUNE__AS_POINTER(v))))
#define AUTOTUNE__AS_POINTER(v) __builtin_choose_expr(__builtin_classify_type(((void)0, (v))) == 5, (v), (char *)0)
/* As AUTOTUNE__KIND for the values of axes, which may be functions. */
#define AUTOTUNE__VALUE_KIND(v) AUTOTUNE__KIND_OR(v, AUTOTUNE__IS_FUNCTION(v) ? AUTOTUNE_POINTER : AUTOTUNE_BYTES)

#define AUTOTUNE__WORD(v) \
    _Generic((v), _Bool: autotune__word_unsigned, char: autotune__word_signed, signed char: autotune__word_signed, \
    short: autotune__word_signed, int: autotune__word_signed, long: autotune__word_signed, \
    long long: autotune__word_signed, \
    unsigned char: autotune__word_unsigned, unsigned short: autotune__word_unsigned, \
    unsigned: autotune__word_unsigned, \
    unsigned long: autotune__word_unsigned, unsigned long long: autotune__word_unsigned, float: autotune__word_double, \
    double: autotune__word_double, default: autotune__word_pointer)(v)
#define AUTOTUNE__KEY(text, ...) AUTOTUNE__KEY_OF(text, AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__KEY_OF(text, n, ...) ((autotune_key){ \
    n, __extension__({ \
        enum { autotune__types = 0u AUTOTUNE__EACH_OF(AUTOTUNE__KEY_TYPE, n, n, __VA_ARGS__), \
               autotune__is_key = \
               !AUTOTUNE__HAS_ZERO_PART((uint32_t)autotune__types | (uint32_t)(~UINT64_C(0) << 4 * n)) }; \
        AUTOTUNE__ASSERT(n <= 8, "KEY: at most 8 parts"); \
        AUTOTUNE__ASSERT(autotune__is_key, "KEY: integers, enums, bools, floats and strings; an address is no key"); \
        (uint32_t)autotune__types; }), \
    { AUTOTUNE__EACH_OF(AUTOTUNE__KEY_WORD, ~, n, __VA_ARGS__) }, text })
#define AUTOTUNE__KEY_TYPE(n, left, v) | (uint32_t)AUTOTUNE__KIND(v) << (4 * ((n) - (left)) & 31)
#define AUTOTUNE__KEY_WORD(c, left, v) AUTOTUNE__WORD(v),

/* {pointer, bytes} leaves members of a buffer out on purpose. gcc does not warn of this where the list around it has a
   designator. clang warns, so the warning is off for the list. */
#ifdef __clang__
#define AUTOTUNE__MISSING_OFF \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define AUTOTUNE__MISSING_ON _Pragma("GCC diagnostic pop")
#else
#define AUTOTUNE__MISSING_OFF
#define AUTOTUNE__MISSING_ON
#endif
#define AUTOTUNE__BUFFERS_BYTES(...) sizeof((autotune_buffer[]){ [0] = __VA_ARGS__ })
#define AUTOTUNE__BUFFERS(...) __extension__({ \
    AUTOTUNE__MISSING_OFF \
    _Static_assert(AUTOTUNE__BUFFERS_BYTES(__VA_ARGS__) <= AUTOTUNE_MAX_BUFFERS * sizeof(autotune_buffer), \
                   "BUFFERS: at most 8 buffers"); \
    const autotune_buffers autotune__b = { .at = { __VA_ARGS__ }, \
                                           .count = AUTOTUNE__BUFFERS_BYTES(__VA_ARGS__) / sizeof(autotune_buffer) }; \
    AUTOTUNE__MISSING_ON \
    autotune__b; })

/* Associations of _Generic: one function for signed integers, and one for unsigned integers. */
#define AUTOTUNE__BY_SIGN(takes_signed, takes_unsigned) \
    _Bool: takes_signed, char: takes_signed, signed char: takes_signed, short: takes_signed, int: takes_signed, \
    long: takes_signed, \
    long long: takes_signed, unsigned char: takes_unsigned, unsigned short: takes_unsigned, unsigned: takes_unsigned, \
    unsigned long: takes_unsigned, unsigned long long: takes_unsigned
/* Without a default the compiler refuses pointers. */
#define AUTOTUNE__GRID_OF(b) _Generic((b), autotune_grid: autotune__grid_same, \
    AUTOTUNE__BY_SIGN(autotune__grid_signed, autotune__grid_unsigned))(b)

/* Is the call's value an autotune_status? An enum is compatible with its integer type, so _Generic alone would take
   every unsigned integer for a status. But two enums are not compatible, so what is compatible with the decoy is a
   plain integer. */
enum autotune__decoy { AUTOTUNE__DECOY_0, AUTOTUNE__DECOY_1 };
#define AUTOTUNE__IS_STATUS(t) \
    _Generic((t), enum autotune__decoy *: 0, \
             default: _Generic((t), autotune_status *: 1, default: AUTOTUNE__IS_BACKEND_STATUS(t)))
/* The header of a backend defines these two anew for its own type of status. */
#define AUTOTUNE__IS_BACKEND_STATUS(t) 0
#define AUTOTUNE__TAKE_STATUS(t) autotune__take_status
#define AUTOTUNE__LAUNCH(call) __extension__({ \
    AUTOTUNE__SHADOWS_OFF __typeof__(((void)0, (call))) *autotune__value = NULL; \
    AUTOTUNE__SHADOWS_ON((void)autotune__value); \
    AUTOTUNE__TAKE_STATUS(autotune__value)(autotune__this, \
        (int)__builtin_choose_expr(AUTOTUNE__IS_STATUS(autotune__value), (call), \
                                   __extension__({ (void)(call); AUTOTUNE_OK; }))); })

/* A compound literal in the first clause of a for statement lives as long as the loop: .user = &(struct mine){n} is
   safe. */
#define AUTOTUNE__HIT(site_text, ...) __extension__({ \
    AUTOTUNE__SHADOWS_OFF \
    static autotune__site autotune__s = { __FILE__, __func__, site_text, AUTOTUNE__BUILD, __LINE__, \
                                          &AUTOTUNE__NO_ENTRY, NULL, 0, NULL }; \
    const autotune_options autotune__o = { .autotune__first = 0, __VA_ARGS__ }; \
    AUTOTUNE__HIT_WITH(autotune__o); })
#define AUTOTUNE__BEGIN(begin, run, ...) \
    autotune__started(&run, begin(run.site, &(const autotune_options){ .autotune__first = 0, __VA_ARGS__ }))

#else   /* C++ */

template <class T> T autotune__decay(T);
#define AUTOTUNE__TYPE(v) decltype(autotune__decay(v))
template <class T> struct autotune__is_string
    : std::integral_constant<bool, std::is_same<T, char *>::value || std::is_same<T, const char *>::value> {};
template <class T>
struct autotune__is_function
    : std::integral_constant<bool, std::is_pointer<T>::value &&
                                       std::is_function<typename std::remove_pointer<T>::type>::value> {};
template <class T, bool = std::is_enum<T>::value> struct autotune__integer { typedef T type; };
template <class T> struct autotune__integer<T, true> { typedef typename std::underlying_type<T>::type type; };
template <class T> static constexpr autotune_type autotune__kind() {
    using I = typename autotune__integer<T>::type;
    return std::is_same<T, bool>::value                   ? AUTOTUNE_BOOL
           : std::is_same<T, float>::value                ? AUTOTUNE_F32
           : std::is_same<T, double>::value               ? AUTOTUNE_F64
           : autotune__is_string<T>::value                ? AUTOTUNE_STRING
           : !std::is_integral<I>::value || sizeof(I) > 8 ? AUTOTUNE_BYTES
           : std::is_signed<I>::value                     ? (sizeof(I) == 1   ? AUTOTUNE_I8
                                                             : sizeof(I) == 2 ? AUTOTUNE_I16
                                                             : sizeof(I) == 4 ? AUTOTUNE_I32
                                                                              : AUTOTUNE_I64)
                                                          : (sizeof(I) == 1   ? AUTOTUNE_U8
                                                             : sizeof(I) == 2 ? AUTOTUNE_U16
                                                             : sizeof(I) == 4 ? AUTOTUNE_U32
                                                                              : AUTOTUNE_U64);
}
#define AUTOTUNE__KIND(v) autotune__kind<AUTOTUNE__TYPE(v)>()
template <class T> static constexpr autotune_type autotune__value_kind() {
    return autotune__is_function<T>::value ? AUTOTUNE_POINTER : autotune__kind<T>();
}
#define AUTOTUNE__VALUE_KIND(v) autotune__value_kind<AUTOTUNE__TYPE(v)>()

template <class T>
AUTOTUNE__INLINE typename std::enable_if<autotune__is_string<T>::value, uint64_t>::type autotune__word(T v) {
    return autotune__word_pointer(v);
}
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_floating_point<T>::value, uint64_t>::type autotune__word(T v) {
    return autotune__word_double(static_cast<double>(v));
}
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, uint64_t>::type
autotune__word(T v) {
    return static_cast<uint64_t>(v);
}
template <class T>
AUTOTUNE__INLINE
    typename std::enable_if<!std::is_arithmetic<T>::value && !std::is_enum<T>::value && !autotune__is_string<T>::value,
                            uint64_t>::type
    autotune__word(T) {
    return 0;
}
template <class... T> struct autotune__all_keys : std::true_type {};
template <class A, class... T> struct autotune__all_keys<A, T...>
    : std::integral_constant<bool, autotune__kind<A>() != AUTOTUNE_BYTES && autotune__all_keys<T...>::value> {};
template <class... T> struct autotune__key_types : std::integral_constant<uint32_t, 0> {};
template <class A, class... T>
struct autotune__key_types<A, T...> : std::integral_constant<uint32_t, static_cast<uint32_t>(autotune__kind<A>()) |
                                                                           (autotune__key_types<T...>::value << 4)> {};
template <class... T> AUTOTUNE__INLINE autotune_key autotune__make_key(const char *text, T... v) {
    static_assert(sizeof...(T) <= 8, "KEY: at most 8 parts");
    static_assert(autotune__all_keys<T...>::value,
                  "KEY: integers, enums, bools, floats and strings; an address is no key, "
                  "and a std::string is one as s.c_str()");
    return autotune_key{ static_cast<uint32_t>(sizeof...(T)),
                         autotune__key_types<T...>::value,
                         { autotune__word(v)... },
                         text };
}
#define AUTOTUNE__KEY(text, ...) autotune__make_key(text, __VA_ARGS__)

/* A list of buffers in braces, which lives until the end of the full expression. The conversion copies it; on a hit the
   option is a sink, and nothing is copied. */
template <size_t N> struct autotune__buffer_list {
    static_assert(N <= AUTOTUNE_MAX_BUFFERS, "BUFFERS: at most 8 buffers");
    const autotune_buffer (&list)[N];
    operator autotune_buffers() const {
        autotune_buffers all;
        for (size_t i = 0; i < N && i < AUTOTUNE_MAX_BUFFERS; i++) all.at[i] = list[i];
        all.count = N;
        return all;
    }
};
template <size_t N>
AUTOTUNE__INLINE autotune__buffer_list<N> autotune__list_buffers(const autotune_buffer (&list)[N], int) {
    return autotune__buffer_list<N>{ list };
}
/* The memory of a buffer that is no pointer: a CUdeviceptr, which is a number, or a mistake, which becomes one sentence
   of the compiler. */
struct autotune__buffer_memory {
    void *at;
    autotune__buffer_memory(unsigned long long address)
        : at(reinterpret_cast<void *>(static_cast<uintptr_t>(address))) {}
    template <class T>
    autotune__buffer_memory(T *pointer) : at(const_cast<void *>(static_cast<const void *>(pointer))) {
        static_assert(!std::is_const<T>::value,
                      "BUFFERS({pointer, bytes}, ...): the memory is written to, and must not be const");
    }
    template <class T> autotune__buffer_memory(T) : at(nullptr) {
        static_assert(sizeof(T) == 0, "BUFFERS({pointer, bytes}, ...): the first is a pointer, or a CUdeviceptr");
    }
};
struct autotune__untyped_buffer {
    autotune__buffer_memory memory;
    size_t bytes;
    autotune_type type = AUTOTUNE_BYTES;
    double tolerance = 0;
};
template <size_t N>
AUTOTUNE__INLINE autotune_buffers autotune__list_buffers(const autotune__untyped_buffer (&list)[N], long) {
    static_assert(N <= AUTOTUNE_MAX_BUFFERS, "BUFFERS: at most 8 buffers");
    autotune_buffers all;
    for (size_t i = 0; i < N && i < AUTOTUNE_MAX_BUFFERS; i++) {
        all.at[i] = autotune_buffer{ list[i].memory.at, list[i].bytes, list[i].type, list[i].tolerance };
    }
    all.count = N;
    return all;
}
#define AUTOTUNE__BUFFERS(...) autotune__list_buffers({ __VA_ARGS__ }, 0)

AUTOTUNE__INLINE autotune_grid autotune__grid_of(autotune_grid grid) { return grid; }
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, autotune_grid>::type
autotune__grid_of(T x) {
    return std::is_signed<T>::value ? autotune__grid_signed(static_cast<int64_t>(x))
                                    : autotune__grid_unsigned(static_cast<uint64_t>(x));
}
#define AUTOTUNE__GRID_OF(b) autotune__grid_of(b)

/* An overloaded comma takes the value of the call if it is a status. Another one drops any other value. It needs a
   conversion, so that an overloaded comma of the program is a better match and not ambiguous. A void call gets the
   built-in comma. */
struct autotune__launcher { autotune__run *run; };
AUTOTUNE__INLINE autotune__launcher autotune__launch(autotune__run *run) { return autotune__launcher{ run }; }
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, autotune_status status) {
    autotune__take_status(launcher.run, status);
}
struct autotune__dropper { __attribute__((__always_inline__)) autotune__dropper(autotune__launcher) {} };
template <class T> AUTOTUNE__INLINE void operator,(autotune__dropper, const T &) {}
#define AUTOTUNE__LAUNCH(call) (autotune__launch(autotune__this), (call))

/* Options are assigned one by one, so that any order is valid since C++14. The call that reads them is in the same full
   expression, so that temporaries still live. The options that a hit does not need are sinks, which drop their
   values. */
struct autotune__sink {
    template <class T> __attribute__((__always_inline__)) bool operator=(const T &) const { return true; }
};
struct autotune__hot_options {
    __attribute__((__always_inline__)) autotune__hot_options()
        : key(), mode(AUTOTUNE_ON), result(nullptr), backend(nullptr), name(nullptr), version(nullptr) {}
    autotune_key key;
    autotune_mode mode;
    autotune_result *result;
    autotune_backend *backend;
    const char *name, *version;
    autotune__sink preset, strategy, cache_state, launch_timeout, compile_threads, max_seconds, max_trials, top_k, seed,
                   stop_at_ns, restore, zero, outputs, setup, verify, user, cache;
};
#define AUTOTUNE__SET(options, left, option) (void)(options option),
/* For nvcc the name of a function in a template is no constant, and cannot initialise a static variable. There the
   first thread that misses stores the name, before anything reads it. */
#ifdef __CUDACC__
#define AUTOTUNE__FUNCTION nullptr
#define AUTOTUNE__SET_FUNCTION(site) autotune__set_function(site, __PRETTY_FUNCTION__),
AUTOTUNE__INLINE void autotune__set_function(autotune__site *site, const char *function) {
    const char *none = nullptr;
    __atomic_compare_exchange_n(&site->function, &none, function, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
#else
#define AUTOTUNE__FUNCTION __PRETTY_FUNCTION__
#define AUTOTUNE__SET_FUNCTION(site)
#endif
#define AUTOTUNE__HIT(site_text, ...) __extension__({ \
    AUTOTUNE__SHADOWS_OFF \
    static autotune__site autotune__s = { __FILE__, AUTOTUNE__FUNCTION, site_text, AUTOTUNE__BUILD, __LINE__, \
                                          &AUTOTUNE__NO_ENTRY, nullptr, 0, nullptr }; \
    autotune__hot_options autotune__o; \
    (AUTOTUNE__EACH(AUTOTUNE__SET, autotune__o, __VA_ARGS__) \
     AUTOTUNE__HIT_WITH(autotune__o)); })
#define AUTOTUNE__BEGIN(begin, run, ...) __extension__({ \
    autotune_options autotune__o = autotune_options(); \
    (AUTOTUNE__SET_FUNCTION(run.site) AUTOTUNE__EACH(AUTOTUNE__SET, autotune__o, __VA_ARGS__) \
     autotune__started(&run, begin(run.site, &autotune__o))); })

#endif

/* What a tuner is built with: a winner of one compiler, target or instruction set does not answer for another. */
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
#ifdef __OPTIMIZE__
#define AUTOTUNE__OPTIMIZED ""
#else
#define AUTOTUNE__OPTIMIZED " unoptimised"
#endif
#define AUTOTUNE__BUILD AUTOTUNE__COMPILER AUTOTUNE__TARGET AUTOTUNE__VECTORS AUTOTUNE__OPTIMIZED

/* ---- src/site/items.h ----------------------------------------------------------------------------------------------
   What the items of a space become: axes, tables, filters, priorities, models. */

/* M(context, 0, argument) for the first eight arguments. */
#define AUTOTUNE__EIGHT(M, c, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    M(c, 0, a1) M(c, 0, a2) M(c, 0, a3) M(c, 0, a4) M(c, 0, a5) M(c, 0, a6) M(c, 0, a7) M(c, 0, a8)
#define AUTOTUNE__MISUSED(sentence) { AUTOTUNE__DEMAND(0, sentence); }

/* A statement becomes nested loops. The outermost turns once per launch, and on a miss first once per point of the
   space; each of the others turns once. On a hit autotune__live is constant, so that the compiler removes the loops.
   `run` is declared before -Wshadow is off, and so has another name in every statement; the parts of a statement use
   autotune__this. */
#define AUTOTUNE__NEW_RUN AUTOTUNE__CAT(autotune__run_, __COUNTER__)
#define AUTOTUNE__APPLY(M, ...) M(__VA_ARGS__)
#define AUTOTUNE__FOR(declaration) for (declaration; autotune__live; autotune__live = 0)
#define AUTOTUNE__ITEMS(tag, ...) __VA_ARGS__

/* AUTOTUNE__ITEM(pass, left, (tag, ...)) becomes tag_pass(...). The passes are: _count, which adds up axes; _describe,
   which tells axes to the library; _bind, one loop for each axis; _test, which asks WHERE; _score, which tells PRIORITY
   and MODEL; _case, which tells the items of a CASE. C reserves names with an underscore in front, so no macro of the
   program has such a name. */
#define AUTOTUNE__ITEM(pass, left, item) AUTOTUNE__ITEM##pass item
#define AUTOTUNE__ITEM_count(tag, ...) tag##_count(__VA_ARGS__)
#define AUTOTUNE__ITEM_describe(tag, ...) tag##_describe(__VA_ARGS__)
#define AUTOTUNE__ITEM_bind(tag, ...) tag##_bind(__VA_ARGS__)
#define AUTOTUNE__ITEM_test(tag, ...) tag##_test(__VA_ARGS__)
#define AUTOTUNE__ITEM_score(tag, ...) tag##_score(__VA_ARGS__)
#define AUTOTUNE__ITEM_case(tag, ...) tag##_case(__VA_ARGS__)
/* A space becomes (AUTOTUNE__SPACE, number of items, item, ...), and a CASE becomes ((), call, item, ...), where each
   item is a tuple. The short names of items are no macros: AXIS(...) is joined to AUTOTUNE__ITEM_NAMED_AXIS(...), which
   gives the full name and the arguments. An item that begins with a parenthesis is what a full name became. Any other
   item becomes (UNKNOWN, item); if it begins with neither a name nor an integer, the preprocessor complains first.
   Where more follows an item, a comma is missing between two items. CONFIGS applies EACH_OF to its rows, and no macro
   expands inside of itself: so AUTOTUNE__LATER delays the full names until EACH_OF has ended. */
#define AUTOTUNE__SPACE_OF(n, ...) \
    AUTOTUNE__MADE(AUTOTUNE__SPACE, n AUTOTUNE__EACH_OF(AUTOTUNE__COMMA_TUPLE, ~, n, __VA_ARGS__))
#define AUTOTUNE__CASE_OF(n, call, ...) \
    AUTOTUNE__MADE((), call AUTOTUNE__EACH_OF(AUTOTUNE__COMMA_TUPLE, ~, n, __VA_ARGS__))
#define AUTOTUNE__MADE(...) (__VA_ARGS__)
#define AUTOTUNE__COMMA_TUPLE(c, left, item) , AUTOTUNE__CAT(AUTOTUNE__TUPLE_PROBE_, AUTOTUNE__IS_PAREN(item))(item)
#define AUTOTUNE__TUPLE_PROBE_0(item) \
    AUTOTUNE__TUPLE_OF(AUTOTUNE__ITEM_NAMED_##item, AUTOTUNE__UNKNOWN_ITEM, (item), , ~)
#define AUTOTUNE__TUPLE_PROBE_1(item) AUTOTUNE__TUPLE_OF(AUTOTUNE__IF_TUPLE item, ~)
#define AUTOTUNE__IF_TUPLE(...) ~, AUTOTUNE__TUPLE, (__VA_ARGS__),
#define AUTOTUNE__UNKNOWN_ITEM(item) (AUTOTUNE__UNKNOWN, item)
#define AUTOTUNE__TUPLE(...) (__VA_ARGS__)
#define AUTOTUNE__TUPLE_OF(...) AUTOTUNE__TUPLE_OF_(__VA_ARGS__)
#define AUTOTUNE__TUPLE_OF_(probe, name, arguments, rest, ...) \
    AUTOTUNE__CAT(AUTOTUNE__TUPLE_, AUTOTUNE__IS_EMPTY(rest))(name, arguments)
#define AUTOTUNE__TUPLE_1(name, arguments) name AUTOTUNE__LATER() arguments
#define AUTOTUNE__LATER()
#define AUTOTUNE__TUPLE_0(name, arguments) \
    (AUTOTUNE__MISUSE, "SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items")
#define AUTOTUNE__ITEM_NAMED_AXIS(...) ~, AUTOTUNE_AXIS, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_RANGE(...) ~, AUTOTUNE_RANGE, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_POW2(...) ~, AUTOTUNE_POW2, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_AXIS_OF(...) ~, AUTOTUNE_AXIS_OF, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_CONFIGS(...) ~, AUTOTUNE_CONFIGS, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_WHERE(...) ~, AUTOTUNE_WHERE, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_PRIORITY(...) ~, AUTOTUNE_PRIORITY, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_MODEL(...) ~, AUTOTUNE_MODEL, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_NAME(...) ~, AUTOTUNE_NAME, (__VA_ARGS__),

/* The tag NAMED, for an axis: its name, an expression of its type, the macro that describes it, and the arguments of
   this macro. All axes are described in one scope, so that a name that is used twice is one error, a redeclaration. */
#define AUTOTUNE__NAMED_count(...) + 1
#define AUTOTUNE__NAMED_describe(name, sample, describe, ...) \
    enum { autotune__two_axes_named_##name = AUTOTUNE__IS_NAME(#name) }; \
    AUTOTUNE__ASSERT(autotune__two_axes_named_##name == 1, \
                     "SPACE: the name of an axis is an identifier, and no macro of the program has this name; " \
                     "here it is '" #name "'"); \
    { describe(name, sample, __VA_ARGS__) }
/* Digits, quotes, parentheses and most operators come before the letters in ASCII. What other text a macro of the
   program made of the name is left to the errors of the compiler. */
#define AUTOTUNE__IS_NAME(text) __builtin_strncmp(text, "A", 1) >= 0
#define AUTOTUNE__NAMED_bind(name, sample, ...) \
    AUTOTUNE__FOR(AUTOTUNE__TYPE(sample) name AUTOTUNE__UNUSED = AUTOTUNE__FETCH(name))
#define AUTOTUNE__NAMED_test(...)
#define AUTOTUNE__NAMED_score(...)
#define AUTOTUNE__NAMED_case(name, ...) \
    AUTOTUNE__MISUSED("CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not an axis '" #name "'")
#define AUTOTUNE__FETCH(name) \
    __extension__({ __typeof__(name) autotune__v; \
                    memcpy(&autotune__v, &autotune__this->slot[autotune__live++ - 1], sizeof autotune__v); \
                    autotune__v; })

#define AUTOTUNE__AXIS_ITEM(name, first, ...) \
    AUTOTUNE__CAT(AUTOTUNE__AXIS_ITEM_, AUTOTUNE__IS_EMPTY(first))(name, first, __VA_ARGS__)
#define AUTOTUNE__AXIS_ITEM_0(name, first, ...) \
    (AUTOTUNE__NAMED, name, first, AUTOTUNE__AXIS, AUTOTUNE__TEXT(first, __VA_ARGS__), first, __VA_ARGS__)
#define AUTOTUNE__AXIS_ITEM_1(name, ...) (AUTOTUNE__MISUSE, "AXIS(" #name ", value, ...): at least one value")
#define AUTOTUNE__AXIS(name, sample, text, ...) \
    AUTOTUNE__ASSERT(__builtin_strncmp(text, "{", 1) != 0, \
                     "AXIS(" #name ", value, ...): the values stand without braces"); \
    enum { autotune__kind_of_axis = AUTOTUNE__VALUE_KIND(sample) }; \
    AUTOTUNE__ASSERT(autotune__kind_of_axis != 0, "AXIS(" #name ", ...): values are numbers, strings or functions"); \
    AUTOTUNE__STRICT_ON const AUTOTUNE__TYPE(sample) autotune__v[] = { __VA_ARGS__ }; AUTOTUNE__STRICT_OFF \
    autotune__tell_axis(autotune__told, #name, text, autotune__v, sizeof autotune__v / sizeof autotune__v[0], \
                   autotune__kind_of_axis);
#define AUTOTUNE__AXIS_OF(name, sample, pointer, count) \
    enum { autotune__kind_of_axis = AUTOTUNE__VALUE_KIND(sample) }; \
    AUTOTUNE__ASSERT(autotune__kind_of_axis != 0, \
                     "AXIS_OF(" #name ", ...): values are numbers, strings or functions"); \
    autotune__tell_axis(autotune__told, #name, AUTOTUNE__NULL, pointer, AUTOTUNE__AS(size_t, count), \
                   autotune__kind_of_axis);
#define AUTOTUNE__RANGE(name, sample, first, last, step) \
    AUTOTUNE__DEMAND(AUTOTUNE__IS_INTEGER_TYPE(AUTOTUNE__KIND(sample)), "RANGE(" #name ", ...): integers only"); \
    autotune__range(autotune__told, #name, AUTOTUNE__AS(int64_t, first), AUTOTUNE__AS(int64_t, last), \
                    AUTOTUNE__AS(int64_t, step), \
                    AUTOTUNE__KIND(sample));
#define AUTOTUNE__POW2(name, sample, first, last) \
    AUTOTUNE__DEMAND(AUTOTUNE__IS_INTEGER_TYPE(AUTOTUNE__KIND(sample)), "POW2(" #name ", ...): integers only"); \
    autotune__pow2(autotune__told, #name, AUTOTUNE__AS(int64_t, first), AUTOTUNE__AS(int64_t, last), \
                   AUTOTUNE__KIND(sample));

/* The tag TABLE: CONFIGS becomes an array of local structs, and each of its columns becomes what an axis becomes. */
#define AUTOTUNE__CONFIGS_0(text, ...) \
    (AUTOTUNE__MISUSE, "CONFIGS((a, b), (1, 2), ...): the names stand in parentheses")
#define AUTOTUNE__CONFIGS_1(text, names, ...) \
    AUTOTUNE__CAT(AUTOTUNE__CONFIGS_OF_, AUTOTUNE__OVER_TWELVE names)(text, names, __VA_ARGS__)
#define AUTOTUNE__CONFIGS_OF_1(...) (AUTOTUNE__MISUSE, "CONFIGS: at most 12 names")
#define AUTOTUNE__CONFIGS_OF_0(text, names, ...) \
    AUTOTUNE__CONFIGS_2(text, names, AUTOTUNE__HEAD(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__CONFIGS_2(text, names, first, ...) \
    (AUTOTUNE__TABLE, names, (AUTOTUNE__UNWRAP names, AUTOTUNE__UNWRAP first, AUTOTUNE__ZEROS), text, \
     AUTOTUNE__COUNT(__VA_ARGS__), (1 AUTOTUNE__EACH(AUTOTUNE__ROW_OK, AUTOTUNE__COUNT names, __VA_ARGS__)), \
     AUTOTUNE__EACH(AUTOTUNE__ROW, ~, __VA_ARGS__))
#define AUTOTUNE__COLUMNS(M, names, zipped) AUTOTUNE__ZIP(AUTOTUNE__COUNT names, M, AUTOTUNE__UNWRAP zipped)
#define AUTOTUNE__ZEROS 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define AUTOTUNE__ROW(c, left, row) AUTOTUNE__CAT(AUTOTUNE__ROW_, AUTOTUNE__IS_PAREN(row))(row)
#define AUTOTUNE__ROW_0(row) { 0 },
#define AUTOTUNE__ROW_1(row) { AUTOTUNE__UNWRAP row },
#define AUTOTUNE__ROW_OK(n, left, row) AUTOTUNE__CAT(AUTOTUNE__ROW_OK_, AUTOTUNE__IS_PAREN(row))(n, row)
#define AUTOTUNE__ROW_OK_0(n, row) && 0
#define AUTOTUNE__ROW_OK_1(n, row) && AUTOTUNE__COUNT row == n
#define AUTOTUNE__MEMBER(name, v) AUTOTUNE__TYPE(v) name;
#define AUTOTUNE__COLUMN_NAME(name, v) AUTOTUNE__NAMED_describe(name, v, AUTOTUNE__NOTHING, ~)
#define AUTOTUNE__COLUMN_BIND(name, v) AUTOTUNE__NAMED_bind(name, v, ~)
#define AUTOTUNE__COLUMN_OF(name, v) \
    { AUTOTUNE__DEMAND(AUTOTUNE__VALUE_KIND(v) != AUTOTUNE_BYTES, \
                       "CONFIGS: " #name ": values are numbers, strings or functions"); } \
    autotune__column(autotune__told, #name, __builtin_offsetof(__typeof__(autotune__v[0]), name), \
                     AUTOTUNE__VALUE_KIND(v));
#define AUTOTUNE__TABLE_count(names, ...) + AUTOTUNE__COUNT names
#define AUTOTUNE__TABLE_describe(names, zipped, text, rows, ok, ...) { \
    { AUTOTUNE__DEMAND((rows) <= 64, "CONFIGS: at most 64 configurations"); } \
    { AUTOTUNE__DEMAND(ok, "CONFIGS: every row is in parentheses and has one value for each name"); } \
    AUTOTUNE__STRICT_ON \
    const struct { AUTOTUNE__COLUMNS(AUTOTUNE__MEMBER, names, zipped) } autotune__v[] = { __VA_ARGS__ }; \
    AUTOTUNE__STRICT_OFF \
    autotune__table(autotune__told, text, autotune__v, sizeof autotune__v[0], \
                    sizeof autotune__v / sizeof autotune__v[0]); \
    AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_OF, names, zipped) } \
    AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_NAME, names, zipped)
#define AUTOTUNE__TABLE_bind(names, zipped, ...) AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_BIND, names, zipped)
#define AUTOTUNE__TABLE_test(...)
#define AUTOTUNE__TABLE_score(...)
#define AUTOTUNE__TABLE_case(...) \
    AUTOTUNE__MISUSED("CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not CONFIGS")

/* The tag FILTER is for WHERE. The tag RANK is for PRIORITY and MODEL: a function and its arguments. */
#define AUTOTUNE__FILTER_count(...)
#define AUTOTUNE__FILTER_describe(...)
#define AUTOTUNE__FILTER_bind(...)
#define AUTOTUNE__FILTER_test(...) if (autotune__ok) { if (__VA_ARGS__) {} else autotune__ok = false; }
#define AUTOTUNE__FILTER_score(...)
#define AUTOTUNE__FILTER_case(...)
#define AUTOTUNE__RANK_count(...)
#define AUTOTUNE__RANK_describe(...)
#define AUTOTUNE__RANK_bind(...)
#define AUTOTUNE__RANK_test(...)
#define AUTOTUNE__RANK_score(function, ...) function(autotune__told, __VA_ARGS__);
#define AUTOTUNE__RANK_case(...)
#define AUTOTUNE__GROUP(group, intra, ...) AUTOTUNE__AS(int64_t, group), AUTOTUNE__AS(int64_t, intra)

/* The tags CALL_NAME for NAME, NONE for no item, MISUSE for a mistake, and UNKNOWN for any other item. */
#define AUTOTUNE__CALL_NAME_count(...)
#define AUTOTUNE__CALL_NAME_describe(...) AUTOTUNE__MISUSED("SPACE: NAME belongs into a CASE of AUTOTUNE_SELECT")
#define AUTOTUNE__CALL_NAME_bind(...)
#define AUTOTUNE__CALL_NAME_test(...)
#define AUTOTUNE__CALL_NAME_score(...)
#define AUTOTUNE__CALL_NAME_case(name) autotune__call_name(autotune__told, autotune__k, name);
#define AUTOTUNE__NONE_test(...)
#define AUTOTUNE__NONE_score(...)
#define AUTOTUNE__NONE_case(...)
#define AUTOTUNE__MISUSE_count(...) + 1
#define AUTOTUNE__MISUSE_describe(sentence) AUTOTUNE__MISUSED(sentence)
#define AUTOTUNE__MISUSE_bind(...)
#define AUTOTUNE__MISUSE_test(...)
#define AUTOTUNE__MISUSE_score(...)
#define AUTOTUNE__MISUSE_case(sentence) AUTOTUNE__MISUSED(sentence)
#define AUTOTUNE__UNKNOWN_count(item) + 1
#define AUTOTUNE__UNKNOWN_describe(item) \
    AUTOTUNE__MISUSED("SPACE: every item is AXIS, RANGE, POW2, AXIS_OF, CONFIGS, WHERE, PRIORITY or MODEL, not '" \
                      #item "'")
#define AUTOTUNE__UNKNOWN_bind(item)
#define AUTOTUNE__UNKNOWN_test(item)
#define AUTOTUNE__UNKNOWN_score(item)
#define AUTOTUNE__UNKNOWN_case(item) \
    AUTOTUNE__MISUSED("CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not '" #item "'")

/* GRID and ANCHOR; the caller has added the default values of missing arguments. n: the number of given arguments. */
#define AUTOTUNE__GRID(n, x, y, z, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) <= 3, "GRID: x, y and z, no more"); }), \
     autotune__grid3(AUTOTUNE__AS(int64_t, x), AUTOTUNE__AS(int64_t, y), AUTOTUNE__AS(int64_t, z)))
#define AUTOTUNE__ANCHOR(n, x, base, min, max, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) == 1 || (n) == 4, "ANCHOR(x) or ANCHOR(x, base, min, max)"); }), \
     autotune_anchor(AUTOTUNE__AS(uint64_t, x), AUTOTUNE__AS(uint64_t, base), AUTOTUNE__AS(uint64_t, min), \
                     AUTOTUNE__AS(uint64_t, max)))

/* ---- src/site/loops.h ----------------------------------------------------------------------------------------------
   The loops that AUTOTUNE, AUTOTUNE_BLOCK and AUTOTUNE_SELECT become. */

#define AUTOTUNE__OPEN(run, text, describe, ...) \
    for (autotune__run run __attribute__((__cleanup__(autotune__leave))) = AUTOTUNE__HIT(text, __VA_ARGS__), \
             *const autotune__this = AUTOTUNE__LIKELY(run.slot != AUTOTUNE__NULL) ? &run \
                                   : (AUTOTUNE__BEGIN(autotune__begin, run, __VA_ARGS__), AUTOTUNE__APPLY describe); \
         run.slot; run.slot = AUTOTUNE__STEP(run, describe, __VA_ARGS__)) \
    for (int autotune__live = 1; autotune__live; autotune__live = 0)
#define AUTOTUNE__FOR_READY(last, admit, test) \
    for (const bool autotune_trial AUTOTUNE__UNUSED = autotune__this->tuning && autotune__this->tuning->trial; \
         last(autotune__live) && AUTOTUNE__READY(admit, test); autotune__live = 0, autotune__this->done = true)
#define AUTOTUNE__FOR_SPACE(last, ...) \
    AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _bind, __VA_ARGS__) \
    AUTOTUNE__FOR_READY(last, AUTOTUNE__ADMIT_SPACE(__VA_ARGS__), AUTOTUNE__TEST_SPACE(__VA_ARGS__))
#define AUTOTUNE__DESCRIBE_SPACE(run, ...) __extension__({ \
    enum { autotune__axes = 0 AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _count, __VA_ARGS__) }; \
    AUTOTUNE__ASSERT(autotune__axes >= 1, "SPACE: at least one axis"); \
    AUTOTUNE__ASSERT(autotune__axes <= 16, "SPACE: at most 16 axes"); \
    autotune__tuning *const autotune__told = run.tuning; \
    if (autotune__told) { \
        AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _describe, __VA_ARGS__) \
        run.slot = autotune__next(autotune__told, false); \
    } \
    &run; })
#define AUTOTUNE__ADMIT_SPACE(...) __extension__({ \
    autotune__tuning *const autotune__told = autotune__this->tuning; \
    bool autotune__ok = true; \
    AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _test, __VA_ARGS__) \
    if (autotune__ok) { AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _score, __VA_ARGS__) } \
    autotune__admit(autotune__told, autotune__ok); \
    false; })
#ifdef AUTOTUNE_CHECKS
#define AUTOTUNE__TEST_SPACE(...) __extension__({ \
    bool autotune__ok = true; AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _test, __VA_ARGS__) autotune__ok; })
#define AUTOTUNE__TEST_CALLS(...) __extension__({ \
    bool autotune__ok = true; \
    switch (*autotune__this->slot) { AUTOTUNE__CALLS(_test, __VA_ARGS__) default: break; } autotune__ok; })
/* A winner that WHERE refuses is not launched, but the first configuration that WHERE admits. If the winner was a hit,
   the statement begins once more for this, as if it were a miss. */
#define AUTOTUNE__READY(admit, test) \
    (autotune__this->tuning && autotune__this->tuning->filtering \
         ? admit : autotune_trial || (test) || !autotune__refused(autotune__this))
#define AUTOTUNE__STEP(run, describe, ...) \
    (run.slot ? autotune__step(&run) \
              : (AUTOTUNE__BEGIN(autotune__begin_refused, run, __VA_ARGS__), (AUTOTUNE__APPLY describe)->slot))
#else
#define AUTOTUNE__STEP(run, describe, ...) autotune__step(&run)
#define AUTOTUNE__READY(admit, test) \
    (AUTOTUNE__LIKELY(!autotune__this->tuning) || !autotune__this->tuning->filtering || admit)
#define AUTOTUNE__TEST_SPACE(...)
#define AUTOTUNE__TEST_CALLS(...)
#endif

/* AUTOTUNE */
#define AUTOTUNE__CALL_2(...) \
    do AUTOTUNE__MISUSED("AUTOTUNE(space, blocks, call, .option = ..., ...): three arguments at least") while (0)
#define AUTOTUNE__CALL_0(...) \
    do AUTOTUNE__MISUSED("AUTOTUNE: the first argument is SPACE(AXIS(name, value, ...), ...)") while (0)
#define AUTOTUNE__CALL_1(run, text, space, grid, call, ...) \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_CALL, #call, run, AUTOTUNE__ITEMS space), __VA_ARGS__) \
    AUTOTUNE__FOR_SPACE(AUTOTUNE__UNWRAP, AUTOTUNE__ITEMS space) \
    for (const autotune_grid blocks AUTOTUNE__UNUSED = AUTOTUNE__GRID_OF(grid); AUTOTUNE__SHADOWS_ON(autotune__live); \
         autotune__live = 0) \
        AUTOTUNE__LAUNCH(call)
#define AUTOTUNE__DESCRIBE_CALL(text, ...) (AUTOTUNE__IS_CALL(text), AUTOTUNE__DESCRIBE_SPACE(__VA_ARGS__))
#define AUTOTUNE__IS_CALL(text) __extension__({ \
    AUTOTUNE__DEMAND(__builtin_strncmp(text, ".", 1) != 0 ||    /* .5 is a call, .key is not */ \
                     (__builtin_strncmp(text, ".0", 2) >= 0 && __builtin_strncmp(text, ".:", 2) < 0), \
                     "AUTOTUNE(space, blocks, call, .option = ..., ...): " \
                     "an option stands in the place of the call; were the blocks left out? On the CPU write 1"); \
    (void)0; })
/* 1: the arguments are right; 0: the first argument is no space; 2: the third argument is missing. */
#define AUTOTUNE__FORM(space, grid, call, ...) AUTOTUNE__CAT(AUTOTUNE__FORM_, AUTOTUNE__SECOND(call))(space)
#define AUTOTUNE__ABSENT ~, 1
#define AUTOTUNE__FORM_0(space) AUTOTUNE__IS_SPACE(space)
#define AUTOTUNE__FORM_1(space) 2
#define AUTOTUNE__IS_SPACE(x) AUTOTUNE__SECOND(AUTOTUNE__IF_SPACE x)
#define AUTOTUNE__IF_SPACE(tag, ...) AUTOTUNE__TAG_##tag
#define AUTOTUNE__TAG_AUTOTUNE__SPACE ~, 1,

/* AUTOTUNE_BLOCK: the body follows the last loop, which turns the caller's warnings on again. */
#define AUTOTUNE__BLOCK_0(...) \
    if (__extension__({ \
            AUTOTUNE__MISUSED("AUTOTUNE_BLOCK: the first argument is SPACE(AXIS(name, value, ...), ...)") true; }))
#define AUTOTUNE__BLOCK_1(run, text, space, ...) \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_SPACE, run, AUTOTUNE__ITEMS space), __VA_ARGS__) \
    AUTOTUNE__FOR_SPACE(AUTOTUNE__SHADOWS_ON, AUTOTUNE__ITEMS space)

/* AUTOTUNE_SELECT: its space has one axis, "call", with the numbers of the calls as values. */
#define AUTOTUNE__SELECT_0(run, text, options, ...) \
    do AUTOTUNE__MISUSED("AUTOTUNE_SELECT((.option = ...), call, ...): the options stand in parentheses, () for none") \
    while (0)
#define AUTOTUNE__SELECT_1(run, text, options, ...) \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_CALLS, run, text, __VA_ARGS__), AUTOTUNE__UNWRAP options) \
    AUTOTUNE__FOR_READY(AUTOTUNE__SHADOWS_ON, AUTOTUNE__ADMIT_CALLS(__VA_ARGS__), AUTOTUNE__TEST_CALLS(__VA_ARGS__)) \
        __extension__({ switch (*autotune__this->slot) { AUTOTUNE__CALLS(_launch, __VA_ARGS__) default: break; \
                                                         } (void)0; })
#define AUTOTUNE__DESCRIBE_CALLS(run, text, ...) __extension__({ \
    autotune__tuning *const autotune__told = run.tuning; \
    if (autotune__told) { \
        autotune__calls(autotune__told, text, AUTOTUNE__TEXT(__VA_ARGS__), AUTOTUNE__COUNT(__VA_ARGS__)); \
        AUTOTUNE__CALLS(_describe, __VA_ARGS__) \
        run.slot = autotune__next(autotune__told, false); \
    } \
    &run; })
#define AUTOTUNE__ADMIT_CALLS(...) __extension__({ \
    autotune__tuning *const autotune__told = autotune__this->tuning; \
    bool autotune__ok = true; \
    switch (*autotune__this->slot) { AUTOTUNE__CALLS(_admit, __VA_ARGS__) default: break; } \
    autotune__admit(autotune__told, autotune__ok); \
    false; })
/* AUTOTUNE__CALLS(pass, calls): a plain call becomes PLAIN_pass, and a CASE becomes CASE_pass with eight items or
   more. */
#define AUTOTUNE__CALLS(pass, ...) AUTOTUNE__EACH(AUTOTUNE__CALL, (pass, AUTOTUNE__COUNT(__VA_ARGS__)), __VA_ARGS__)
#define AUTOTUNE__CALL(c, left, call) AUTOTUNE__CALL_OF(AUTOTUNE__IS_CASE(call), AUTOTUNE__UNWRAP c, left, call)
#define AUTOTUNE__CALL_OF(...) AUTOTUNE__CALL_OF_(__VA_ARGS__)
#define AUTOTUNE__CALL_OF_(is_case, pass, n, left, call) \
    AUTOTUNE__CAT(AUTOTUNE__CALL_OF_, is_case)(pass, (n) - (left), call)
#define AUTOTUNE__CALL_OF_0(pass, k, call) AUTOTUNE__PLAIN##pass(k, call)
#define AUTOTUNE__CALL_OF_1(pass, k, call) AUTOTUNE__CALL_OF_2(pass, k, AUTOTUNE__ITEMS call)
#define AUTOTUNE__CALL_OF_2(...) AUTOTUNE__CALL_OF_3(__VA_ARGS__, AUTOTUNE__NO_ITEMS)
#define AUTOTUNE__CALL_OF_3(pass, k, call, ...) AUTOTUNE__CASE##pass(k, call, __VA_ARGS__)
#define AUTOTUNE__NO_ITEM (AUTOTUNE__NONE, ~)
#define AUTOTUNE__NO_ITEMS AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, \
    AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, ~
#define AUTOTUNE__IS_CASE(x) AUTOTUNE__CAT(AUTOTUNE__IS_CASE_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_CASE_0(x) 0
#define AUTOTUNE__IS_CASE_1(x) AUTOTUNE__IS_UNIT(AUTOTUNE__HEAD x)
#define AUTOTUNE__PLAIN_describe(k, call)
#define AUTOTUNE__PLAIN_admit(k, call)
#define AUTOTUNE__PLAIN_test(k, call)
#define AUTOTUNE__PLAIN_launch(k, call) case k: AUTOTUNE__LAUNCH(call); break;
#define AUTOTUNE__CASE_describe(k, call, ...) { const size_t autotune__k = k; (void)autotune__k; \
    { AUTOTUNE__DEMAND(AUTOTUNE__COUNT(__VA_ARGS__) <= 18, "CASE: at most 8 items"); } \
    { AUTOTUNE__DEMAND(!AUTOTUNE__IS_CASE_ITEM(#call), \
                       "CASE(call, item, ...): the call stands before WHERE, PRIORITY, MODEL and NAME"); } \
    AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _case, __VA_ARGS__) }
#define AUTOTUNE__IS_CASE_ITEM(text) \
    (AUTOTUNE__BEGINS_WITH(text, "WHERE(") || AUTOTUNE__BEGINS_WITH(text, "PRIORITY(") || \
     AUTOTUNE__BEGINS_WITH(text, "MODEL(") || AUTOTUNE__BEGINS_WITH(text, "NAME("))
#define AUTOTUNE__BEGINS_WITH(text, beginning) __builtin_strncmp(text, beginning, sizeof beginning - 1) == 0
#define AUTOTUNE__CASE_admit(k, call, ...) case k: { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _test, __VA_ARGS__) \
    if (autotune__ok) { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _score, __VA_ARGS__) } break; }
#define AUTOTUNE__CASE_test(k, call, ...) case k: { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _test, __VA_ARGS__) break; }
#define AUTOTUNE__CASE_launch(k, call, ...) case k: AUTOTUNE__LAUNCH(call); break;

/* ---- src/site/statements.h -----------------------------------------------------------------------------------------
   What users write at a call site: statements, items of a space, keys, buffers, blocks. */

/* AUTOTUNE(space, blocks, call, .option = value, ...)              a statement; `call` is an expression.
   AUTOTUNE_BLOCK(space, .option = value, ...) { ... }              a statement with a block instead of a call.
   AUTOTUNE_SELECT((.option = value, ...), call_1, call_2, ...)     up to 64 alternatives; () means no options.

   The call or block can use the axes, `blocks` (only with AUTOTUNE), and `autotune_trial`, which is true in a trial and
   false in the call for real: f(autotune_trial ? scratch : out).

   AUTOTUNE(SPACE(AXIS(tile, 1, 2), WHERE(tile < n)), 1, f(tile), .key = KEY(n)) becomes, in C,

       for (run CLEANUP = ({ static site s = {...}; options o = {.key = ...}; autotune__hit(&s, o.mode, ...); }),
            *this = run.slot ? &run : (begin(&run, &(options){.key = ...}), ({ describe the axes; &run; }));
            run.slot; run.slot = step(&run))
       for (int live = 1; live; live = 0)
       for (int tile = FETCH(this->slot[live++ - 1]); live; live = 0)
       for (; live && (!this->tuning || !this->tuning->filtering || ({ bool ok = tile < n; admit(ok); false; }));
            live = 0, this->done = 1)
       for (const autotune_grid blocks = GRID_OF(1); live; live = 0)
           take_status(f(tile));

   The first loop turns once per launch, and on a miss first once per point of the space. Its cleanup attribute notices
   return, goto and exceptions. Each axis has a loop that binds it to its value, the one with the number `live`. A body
   that is left by `break` does not set this->done. */
#define AUTOTUNE(...) \
    AUTOTUNE__CAT(AUTOTUNE__CALL_, AUTOTUNE__FORM(__VA_ARGS__, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT)) \
        (AUTOTUNE__NEW_RUN, #__VA_ARGS__, __VA_ARGS__, )
#define AUTOTUNE_BLOCK(...) \
    AUTOTUNE__CAT(AUTOTUNE__BLOCK_, AUTOTUNE__IS_SPACE(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, \
                                                                                     __VA_ARGS__, )
#define AUTOTUNE_SELECT(options, ...) \
    AUTOTUNE__CAT(AUTOTUNE__SELECT_, AUTOTUNE__IS_PAREN(options))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, options, __VA_ARGS__)

/* SPACE(item, ...): the product of the axes, without what WHERE refuses. It has up to 64 items in any order, and 1 to
   16 axes. A macro of the program may stand for one item or several. If a macro of the program has the name of an item,
   such as RANGE, that macro is expanded, and the item is written AUTOTUNE_RANGE(...).

   AXIS(name, v1, v2, ...)            values: integers, enums, floats, strings or functions, also computed at run time.
                                      The name becomes a variable with the type of the first value, decayed and without
                                      qualifiers. Equal values count once. The name must not hide a variable that a
                                      later item reads. No warning tells that an axis hides a variable (-Wshadow is off
                                      there), or that an axis is not used.
   RANGE(name, first, last, step)     first, first + step, ... up to and including last: integers of the type of first.
                                      step may be negative.
   POW2(name, first, last)            first, 2 first, 4 first, ... up to and including last; first > 0.
   AXIS_OF(name, pointer, count)      the elements of an array.
   CONFIGS((a, b), (16, 1), ...)      a list of up to 64 configurations: up to 12 names, then the values of each row.
   WHERE(expression)                  admits only configurations for which it is true, and so is every other WHERE.
   PRIORITY(group), PRIORITY(group, intra)   orders configurations by group, then by intra. The highest are raced first,
                                      and others only if none of these works. A negative number means never. In a SELECT
                                      calls without PRIORITY are raced with the highest.
   MODEL(expression)                  the predicted cost, in any unit. The cheapest are tried first; .top_k limits how
                                      many are tried. */
#define AUTOTUNE_SPACE(...) AUTOTUNE__SPACE_OF(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE_AXIS(...) AUTOTUNE__AXIS_ITEM(__VA_ARGS__, )
#define AUTOTUNE_RANGE(name, first, last, step) (AUTOTUNE__NAMED, name, first, AUTOTUNE__RANGE, first, last, step)
#define AUTOTUNE_POW2(name, first, last) (AUTOTUNE__NAMED, name, first, AUTOTUNE__POW2, first, last)
#define AUTOTUNE_AXIS_OF(name, pointer, count) (AUTOTUNE__NAMED, name, *(pointer), AUTOTUNE__AXIS_OF, pointer, count)
#define AUTOTUNE_CONFIGS(...) \
    AUTOTUNE__CAT(AUTOTUNE__CONFIGS_, AUTOTUNE__IS_PAREN(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__TEXT(__VA_ARGS__), \
                                                                                       __VA_ARGS__)
#define AUTOTUNE_WHERE(...) (AUTOTUNE__FILTER, __VA_ARGS__)
#define AUTOTUNE_PRIORITY(...) (AUTOTUNE__RANK, autotune__priority, AUTOTUNE__GROUP(__VA_ARGS__, 0, ~))
#define AUTOTUNE_MODEL(...) (AUTOTUNE__RANK, autotune__model, AUTOTUNE__AS(double, __VA_ARGS__))

/* CASE(call, item, ...) in a SELECT has up to 8 items: WHERE, PRIORITY, MODEL and NAME("what logs call it"). */
#define AUTOTUNE_CASE(...) AUTOTUNE__CASE_OF(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, AUTOTUNE__NO_ITEM)
#define AUTOTUNE_NAME(name) (AUTOTUNE__CALL_NAME, name)

/* KEY(v, ...)         up to 8 integers, enums, bools, floats, or strings, which are compared by content. Other pointers
                       are refused: an address is no key. Logs and files show an enumerator as its number, and a string,
                       such as "row major", as it is.
   ANCHOR(x), ANCHOR(x, base, min, max)    the least power of base (2) that is not less than x, between min and max: see
                                           autotune_anchor().
   BUFFERS({pointer, bytes}, {pointer, bytes, AUTOTUNE_F32, 1e-4}, ...)    up to 8 buffers; the list is copied.
   GRID(x), GRID(x, y), GRID(x, y, z)      the number of blocks in each dimension; a missing one is 1.
   AUTOTUNE_REJECT("why %d", x)            says that the configuration does not work here. It is an expression of type
                                           autotune_status, and fails the innermost trial of this thread. In a block
                                           write `continue` after it. In the block of a hit there is no trial: the
                                           reason is in autotune_last_error(), and the status stays as it is. */
#define AUTOTUNE_KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)
#define AUTOTUNE_ANCHOR(...) AUTOTUNE__ANCHOR(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 2, 0, 0, ~)
#define AUTOTUNE_BUFFERS(...) AUTOTUNE__BUFFERS(__VA_ARGS__)
#define AUTOTUNE_GRID(...) AUTOTUNE__GRID(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_REJECT(...) autotune_reject(__VA_ARGS__)

/* These macros have arguments, so that a variable of the program may be called SPACE. */
#ifndef AUTOTUNE_NO_SHORT_NAMES
#define SPACE(...) AUTOTUNE_SPACE(__VA_ARGS__)
#define CASE(...) AUTOTUNE_CASE(__VA_ARGS__)
#define KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)       /* not AUTOTUNE_KEY: it would expand the text first */
#define ANCHOR(...) AUTOTUNE_ANCHOR(__VA_ARGS__)
#define BUFFERS(...) AUTOTUNE_BUFFERS(__VA_ARGS__)
#define GRID(...) AUTOTUNE_GRID(__VA_ARGS__)
#endif

/* cppcheck can neither expand the lists nor parse the loops. Here it gets plain code that reads what a statement reads
   and makes the call. It does not know the axes, and so concludes nothing from their values. It does not see the
   options of a SELECT, nor that .result is written: initialise the variable to which .result points. */
#ifdef __cppcheck__
#undef AUTOTUNE
#undef AUTOTUNE_BLOCK
#undef AUTOTUNE_SELECT
#undef AUTOTUNE_SPACE
#undef AUTOTUNE_AXIS
#undef AUTOTUNE_RANGE
#undef AUTOTUNE_POW2
#undef AUTOTUNE_AXIS_OF
#undef AUTOTUNE_CONFIGS
#undef AUTOTUNE_WHERE
#undef AUTOTUNE_PRIORITY
#undef AUTOTUNE_MODEL
#undef AUTOTUNE_CASE
#undef AUTOTUNE_NAME
#undef AUTOTUNE_ANCHOR
#undef AUTOTUNE_BUFFERS
#undef AUTOTUNE_GRID
#undef AUTOTUNE__KEY
bool autotune__reads(int64_t value, ...);
autotune_key autotune__key_of(const char *text, ...);
autotune_grid autotune__grid_of(int64_t x, ...);
uint64_t autotune__anchor_of(uint64_t x, ...);
#define AUTOTUNE(space, grid, call, ...) \
    while (autotune__reads(space, grid, (autotune_options){ __VA_ARGS__ })) (void)(call)
#define AUTOTUNE_BLOCK(space, ...) while (autotune__reads(space, (autotune_options){ __VA_ARGS__ }))
#define AUTOTUNE_SELECT(options, ...) while (autotune__reads(0)) (void)(__VA_ARGS__)
#define AUTOTUNE_SPACE(...) __VA_ARGS__
#define AUTOTUNE_AXIS(name, ...) __VA_ARGS__
#define AUTOTUNE_RANGE(name, ...) __VA_ARGS__
#define AUTOTUNE_POW2(name, ...) __VA_ARGS__
#define AUTOTUNE_AXIS_OF(name, ...) __VA_ARGS__
#define AUTOTUNE_CONFIGS(names, ...) __VA_ARGS__
#define AUTOTUNE_WHERE(...) (__VA_ARGS__)
#define AUTOTUNE_PRIORITY(...) __VA_ARGS__
#define AUTOTUNE_MODEL(...) (__VA_ARGS__)
#define AUTOTUNE_CASE(call, ...) call
#define AUTOTUNE_NAME(name) name
#define AUTOTUNE_ANCHOR(...) autotune__anchor_of(__VA_ARGS__)
#define AUTOTUNE_BUFFERS(...) { { __VA_ARGS__ }, 1 }
#define AUTOTUNE_GRID(...) autotune__grid_of(__VA_ARGS__)
#define AUTOTUNE__KEY(...) autotune__key_of(__VA_ARGS__)
#endif

#endif  /* AUTOTUNE_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__IMPLEMENTED
#define AUTOTUNE__IMPLEMENTED

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>


/* With -std=c11 -pthread glibc declares what POSIX had in 1995: the clock, but not all else that is used here. */
#if !defined CLOCK_MONOTONIC || (defined _POSIX_C_SOURCE && _POSIX_C_SOURCE < 200809L)
#error "autotune.h: this C library hides functions of POSIX 2008: define _POSIX_C_SOURCE 200809L before the first \
include of this file, or compile it with -std=gnu11"
#else


/* ---- src/system/files.h --------------------------------------------------------------------------------------------
   Files: opened, told apart, read, written, replaced and removed; folders. Where a function fails, errno says why. */

/* How a file is opened: READ, WRITE or both, and what else is wanted. A file that is created is its owner's alone, or
   with SHARED may be read by others. */
enum {
    AUTOTUNE__READ = 1,
    AUTOTUNE__WRITE = 2,
    AUTOTUNE__APPEND = 4,                       /* every write goes behind the end of the file */
    AUTOTUNE__CREATE = 8,                       /* the file is made if it is not there */
    AUTOTUNE__NEW = 16,                         /* it must not be there */
    AUTOTUNE__SHARED = 32,
    AUTOTUNE__NO_LINK = 64,                     /* the path must not end with a link */
    AUTOTUNE__NO_WAIT = 128                     /* a pipe is not waited for */
};
/* The number of every file that is opened here is above 2. A program may have been started without standard output, or
   may have closed it; if a file of this library took the free number, it would receive what the program prints. */
static AUTOTUNE__UNUSED int autotune__above_standard_files(int file) {
    int above;
    if (file < 0 || file > STDERR_FILENO) return file;
    above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return above;
}
static AUTOTUNE__UNUSED int autotune__open_file(const char *path, int how) {        /* -1: it cannot be opened */
    const int flags = (how & AUTOTUNE__WRITE ? how & AUTOTUNE__READ ? O_RDWR : O_WRONLY : O_RDONLY) |
                      (how & AUTOTUNE__APPEND ? O_APPEND : 0) | (how & AUTOTUNE__CREATE ? O_CREAT : 0) |
                      (how & AUTOTUNE__NEW ? O_CREAT | O_EXCL : 0) | (how & AUTOTUNE__NO_LINK ? O_NOFOLLOW : 0) |
                      (how & AUTOTUNE__NO_WAIT ? O_NONBLOCK : 0);
    const mode_t mode = S_IRUSR | S_IWUSR | (how & AUTOTUNE__SHARED ? S_IRGRP | S_IROTH : 0);
    return autotune__above_standard_files(open(path, flags | O_CLOEXEC, mode));
}
static AUTOTUNE__UNUSED FILE *autotune__open_to_read(const char *path) {            /* NULL: it cannot be opened */
    const int file = autotune__open_file(path, AUTOTUNE__READ);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (!stream && file >= 0) close(file);
    return stream;
}
/* Another number for an open file. */
static AUTOTUNE__UNUSED int autotune__duplicate_file(int file) {
    return fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}
static AUTOTUNE__UNUSED bool autotune__close_file(int file) {       /* nothing is done with a negative one */
    return file < 0 || close(file) == 0;
}
/* Does somebody see what is written to the standard error? */
static bool autotune__stderr_is_terminal(void) { return isatty(STDERR_FILENO); }

/* What is known of a file. A file keeps its id, whatever its name becomes. */
typedef struct autotune__file_id { uint64_t device, number; } autotune__file_id;
typedef struct autotune__file_facts {
    autotune__file_id id;
    size_t bytes;
    int64_t modified_ns;                        /* when it was written last, in nanoseconds since 1970 */
    bool is_regular, is_folder;                 /* not so: it is a link, a pipe, a device */
    bool is_own;                                /* it belongs to the user */
} autotune__file_facts;
static bool autotune__is_same_id(autotune__file_id a, autotune__file_id b) {
    return a.device == b.device && a.number == b.number;
}
static AUTOTUNE__UNUSED bool autotune__take_facts(int error, const struct stat *status, autotune__file_facts *facts) {
    if (error != 0) return false;
    facts->id.device = (uint64_t)status->st_dev;
    facts->id.number = (uint64_t)status->st_ino;
    facts->bytes = (size_t)status->st_size;
#ifdef __APPLE__
    facts->modified_ns = (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    facts->modified_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
    facts->is_regular = S_ISREG(status->st_mode);
    facts->is_folder = S_ISDIR(status->st_mode);
    facts->is_own = status->st_uid == geteuid();
    return true;
}
static AUTOTUNE__UNUSED bool autotune__facts_of_file(int file, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(fstat(file, &status), &status, facts);
}
static AUTOTUNE__UNUSED bool autotune__facts_of_path(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(stat(path, &status), &status, facts);
}
/* Of a path that ends with a link: of the link itself. */
static AUTOTUNE__UNUSED bool autotune__facts_of_name(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(lstat(path, &status), &status, facts);
}
/* Is the number still that of this file, and was not closed by somebody else and given to another file? */
static AUTOTUNE__UNUSED bool autotune__has_open(int file, autotune__file_id id) {
    autotune__file_facts facts;
    return file >= 0 && autotune__facts_of_file(file, &facts) && autotune__is_same_id(facts.id, id);
}

/* Reads `most` bytes from `offset` on, or those that there are. */
static AUTOTUNE__UNUSED bool autotune__read_at(int file, char *bytes, size_t most, size_t offset, size_t *got) {
    ssize_t more = 1;
    for (*got = 0; more && *got < most;) {
        more = pread(file, bytes + *got, most - *got, (off_t)(offset + *got));
        if (more > 0) *got += (size_t)more;
        else if (more < 0 && errno != EINTR) return false;
    }
    return true;
}
/* Is there room for so many bytes more? A write past this limit would end the program by a signal. */
static AUTOTUNE__UNUSED bool autotune__fits(size_t size, size_t more) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size + more <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}
static AUTOTUNE__UNUSED bool autotune__write_all(int file, const char *bytes, size_t count) {
    while (count) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) { if (!written) errno = ENOSPC; return false; }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}
static AUTOTUNE__UNUSED bool autotune__write_at(int file, const char *bytes, size_t count, size_t offset) {
    ssize_t written;
    do written = pwrite(file, bytes, count, (off_t)offset);
    while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written < count) errno = ENOSPC;
    return written >= 0 && (size_t)written == count;
}
/* Where the next byte is written; -1: a pipe has no such place. */
static AUTOTUNE__UNUSED int64_t autotune__place_in(int file) { return (int64_t)lseek(file, 0, SEEK_CUR); }
static AUTOTUNE__UNUSED bool autotune__cut_file(int file, size_t bytes) { return ftruncate(file, (off_t)bytes) == 0; }
/* The file counts as used now. Where that fails, nothing is lost. */
static AUTOTUNE__UNUSED void autotune__touch_file(int file) { if (futimens(file, NULL) != 0) {} }
static AUTOTUNE__UNUSED void autotune__remove_file(const char *path) { (void)unlink(path); }
/* Fills a new file and gives it the path, where another file may stand. lasting: it is there after the machine went
   down, too. `file` has the name `new_name`, and is closed. False: why says it, and the new file is removed. */
static AUTOTUNE__UNUSED bool autotune__fill_and_rename(int file, const char *new_name, const char *path,
                                                       const char *bytes, size_t count, bool lasting,
                                                       const char **why) {
    bool written = autotune__fits(0, count) && autotune__write_all(file, bytes, count);
    if (written && lasting) written = fsync(file) == 0;
    if (!written) *why = strerror(errno);
    if (close(file) != 0 && written) { *why = strerror(errno); written = false; }
    if (written && rename(new_name, path) != 0) { *why = strerror(errno); written = false; }
    if (!written) unlink(new_name);
    return written;
}

/* Where a link leads to, with a zero behind it. False: the path is no link, or cannot be read. */
static AUTOTUNE__UNUSED bool autotune__read_link(const char *path, char *target, size_t room) {
    const ssize_t length = readlink(path, target, room - 1);
    if (length >= 0) target[length] = 0;
    return length >= 0;
}
/* A link among the open files of this process, as /dev/stdout leads to one: its number there; -1: it is none. */
static AUTOTUNE__UNUSED int autotune__open_number(const char *link) {
    const char *name = strrchr(link, '/');
    autotune__file_facts folder, own;
    char path[4096];
    if (!name || (size_t)(name - link) >= sizeof path) return -1;
    snprintf(path, sizeof path, "%.*s", (int)(name - link), link);
    return autotune__facts_of_path(path, &folder) && autotune__facts_of_path("/proc/self/fd", &own) &&
                   autotune__is_same_id(folder.id, own.id)
               ? (int)strtol(name + 1, NULL, 10)
               : -1;
}

/* Makes a folder and those above it, for their owner alone. The path is changed meanwhile. */
static AUTOTUNE__UNUSED bool autotune__make_folders(char *path) {
    char *slash;
    int first = 0;                              /* the error of the first folder that could not be made */
    for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST && !first) first = errno;
        *slash = '/';
    }
    if (mkdir(path, S_IRWXU) == 0 || errno == EEXIST) return true;
    if (errno == ENOENT && first) errno = first;
    return false;
}
/* The names in a folder, but for those that begin with a point. */
static AUTOTUNE__UNUSED void autotune__walk_folder(const char *path, void (*visit)(const char *name, void *user),
                                                   void *user) {
    const int file = autotune__above_standard_files(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    const struct dirent *entry;
    if (!folder) autotune__close_file(file);
    while (folder && (entry = readdir(folder)) != NULL) if (*entry->d_name != '.') visit(entry->d_name, user);
    if (folder) closedir(folder);
}
/* The names that a folder has are there after the machine went down, too. */
static AUTOTUNE__UNUSED void autotune__flush_folder(const char *path) {
    const int folder = autotune__open_file(path, AUTOTUNE__READ);
    if (folder >= 0) (void)fsync(folder);
    autotune__close_file(folder);
}
static AUTOTUNE__UNUSED const char *autotune__current_folder(char *path, size_t room) {    /* "." if unknown */
    return getcwd(path, room) ? path : ".";
}

/* ---- src/system/threads.h ------------------------------------------------------------------------------------------
   Threads: locks within the process, conditions, what is done once, cancellation, the end of a thread, and fork. */

/* A lock of the process. A static one begins with the value AUTOTUNE__MUTEX. */
typedef pthread_mutex_t autotune__mutex;
#define AUTOTUNE__MUTEX PTHREAD_MUTEX_INITIALIZER
static void autotune__lock_mutex(autotune__mutex *mutex) { pthread_mutex_lock(mutex); }
/* The same for as long as that takes at most, in milliseconds. False: another thread has it, or this one. */
static AUTOTUNE__UNUSED bool autotune__lock_within(autotune__mutex *mutex, unsigned milliseconds) {
    const struct timespec pause = { 0, 1000000 };
    unsigned i;
    for (i = 0; pthread_mutex_trylock(mutex) != 0; i++) {
        if (i == milliseconds) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}
static void autotune__unlock_mutex(autotune__mutex *mutex) { pthread_mutex_unlock(mutex); }
/* Makes an open mutex of whatever it was before. In the child of a fork this frees a lock that the parent held. */
static void autotune__make_mutex(autotune__mutex *mutex) { pthread_mutex_init(mutex, NULL); }
/* Makes a mutex that one thread may lock several times. */
static void autotune__make_recursive_mutex(autotune__mutex *mutex) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

/* Whatever is called through `autotune__run_once(&once, function)` is called once in the process; all callers return
   after it has returned. */
typedef pthread_once_t autotune__once;
#define AUTOTUNE__ONCE PTHREAD_ONCE_INIT
static void autotune__run_once(autotune__once *once, void (*function)(void)) { pthread_once(once, function); }

/* Cancellation. Both functions return the state before, for autotune__set_cancellation(). A system without cancellation
   has one state. */
static int autotune__set_cancellation(int state) {
    int before = 0;
#ifdef PTHREAD_CANCEL_DISABLE
    pthread_setcancelstate(state, &before);
#else
    (void)state;
#endif
    return before;
}
static int autotune__hold_cancellation(void) {
#ifdef PTHREAD_CANCEL_DISABLE
    return autotune__set_cancellation(PTHREAD_CANCEL_DISABLE);
#else
    return 0;
#endif
}

/* A condition, for which threads wait with its mutex locked. A static one for which nobody waits with a deadline begins
   with the value AUTOTUNE__CONDITION. */
typedef pthread_cond_t autotune__condition;
#define AUTOTUNE__CONDITION PTHREAD_COND_INITIALIZER
/* The deadlines of autotune__await() are times of this clock: nanoseconds. Apple's conditions know no other clock than
   that of the calendar. */
#ifdef __APPLE__
enum { AUTOTUNE__DEADLINE_CLOCK = CLOCK_REALTIME };
#else
enum { AUTOTUNE__DEADLINE_CLOCK = CLOCK_MONOTONIC };
#endif
static void autotune__make_condition(autotune__condition *condition) {
#ifdef __APPLE__
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, AUTOTUNE__DEADLINE_CLOCK);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
#endif
}
static void autotune__wake_all(autotune__condition *condition) { pthread_cond_broadcast(condition); }
static AUTOTUNE__UNUSED void autotune__wait_for(autotune__condition *condition, autotune__mutex *mutex) {
    pthread_cond_wait(condition, mutex);
}
static uint64_t autotune__wait_clock(void) {
    struct timespec now;
    clock_gettime(AUTOTUNE__DEADLINE_CLOCK, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
static void autotune__unlock_cancelled(void *mutex) { pthread_mutex_unlock((pthread_mutex_t *)mutex); }
/* Waits until the condition is signalled, or until the deadline. Meanwhile the thread has this state of cancellation;
   if it is cancelled, the mutex is unlocked. Afterwards cancellation is held. */
static void autotune__await(autotune__condition *condition, autotune__mutex *mutex, uint64_t deadline,
                            int cancellation) {
    struct timespec until;
    until.tv_sec = (time_t)(deadline / 1000000000u);
    until.tv_nsec = (long)(deadline % 1000000000u);
    pthread_cleanup_push(autotune__unlock_cancelled, mutex);
    autotune__set_cancellation(cancellation);
    pthread_cond_timedwait(condition, mutex, &until);
    autotune__hold_cancellation();
    pthread_cleanup_pop(0);
}

/* Threads that are started. They handle no signals: those are the program's. */
typedef pthread_t autotune__thread;
static AUTOTUNE__UNUSED autotune__thread autotune__this_thread(void) { return pthread_self(); }
static AUTOTUNE__UNUSED bool autotune__is_same_thread(autotune__thread a, autotune__thread b) {
    return pthread_equal(a, b) != 0;
}
static AUTOTUNE__UNUSED bool autotune__start_thread(autotune__thread *thread, void *(*function)(void *),
                                                    void *argument) {
    sigset_t all, before;
    bool started;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);                    /* a thread begins with the mask of its maker */
    started = pthread_create(thread, NULL, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
static AUTOTUNE__UNUSED void autotune__join_thread(autotune__thread thread) { pthread_join(thread, NULL); }

/* A value that each thread has for itself. A thread that ends with a value other than NULL calls `at_end` with it. */
typedef pthread_key_t autotune__thread_key;
static bool autotune__make_thread_key(autotune__thread_key *key, void (*at_end)(void *value)) {
    return pthread_key_create(key, at_end) == 0;
}
static void autotune__remove_thread_key(autotune__thread_key key) { pthread_key_delete(key); }
static void autotune__set_thread_value(autotune__thread_key key, const void *value) {
    (void)pthread_setspecific(key, value);
}

/* The functions are called around every fork of the process: in the parent before and after it, and in the child. */
static void autotune__watch_forks(void (*before)(void), void (*after)(void), void (*in_child)(void)) {
    (void)pthread_atfork(before, after, in_child);
}

/* The number of this process, which a child made by fork does not share. */
static AUTOTUNE__UNUSED uint64_t autotune__process_number(void) { return (uint64_t)getpid(); }
/* Is there a process of this number, or may there be one? */
static AUTOTUNE__UNUSED bool autotune__process_exists(unsigned long number) {
    const pid_t process = (pid_t)number;
    return process <= 0 || (unsigned long)process != number || kill(process, 0) == 0 || errno != ESRCH;
}

/* ---- src/system/clock.h --------------------------------------------------------------------------------------------
   Clocks of the system, in nanoseconds, and sleeping. */

static inline uint64_t autotune__read_clock(clockid_t clock) {      /* 0: the system does not tell */
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec : 0;
}
/* Since some moment before the process began. Nobody sets this clock. */
static inline uint64_t autotune__monotonic_ns(void) { return autotune__read_clock(CLOCK_MONOTONIC); }
/* For which all threads of this process have computed. The clock stands still while the process is stopped. */
static uint64_t autotune__computed_ns(void) { return autotune__read_clock(CLOCK_PROCESS_CPUTIME_ID); }
/* For which the calling thread has computed. */
static AUTOTUNE__UNUSED uint64_t autotune__thread_computed_ns(void) {
    return autotune__read_clock(CLOCK_THREAD_CPUTIME_ID);
}
/* Sleeps for so long, or until a signal is handled. */
static void autotune__sleep_ns(uint64_t ns) {
    const struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
    nanosleep(&time, NULL);
}
/* Since 1970, in seconds, as the clock of the calendar has it. */
static AUTOTUNE__UNUSED int64_t autotune__calendar_seconds(void) { return (int64_t)time(NULL); }

/* ---- src/system/locks.h --------------------------------------------------------------------------------------------
   Locks among processes: of single bytes of an open file. They end with the process at the latest. */

/* BUSY: another process has the lock. NO_LOCKS: this file, or its file system, has none. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

/* Locks belong to the open file, where the system has such: F_OFD_GETLK and F_OFD_SETLK of Linux 3.15 and later, whose
   names the C library hides from POSIX programs. So two copies of this implementation in one process (in a library with
   AUTOTUNE_STATIC, say) exclude each other as two processes do, and neither drops a lock of the other's by closing its
   file. Elsewhere locks belong to the process, and both is given up. */
static AUTOTUNE__UNUSED int autotune__ask_lock(int file, int command, short type, uint64_t byte, struct flock *range) {
    memset(range, 0, sizeof *range);
    range->l_type = type;
    range->l_whence = SEEK_SET;
    range->l_start = (off_t)byte;
    range->l_len = 1;
#if defined __linux__ && defined __LP64__
    enum { OFD_GETLK = 36, OFD_SETLK = 37 };
    if (fcntl(file, command == F_GETLK ? OFD_GETLK : OFD_SETLK, range) == 0) return 0;
    if (errno != EINVAL) return -1;
#endif
    return fcntl(file, command, range);
}
static AUTOTUNE__UNUSED autotune__locked autotune__lock_at(int file, uint64_t byte) {       /* without waiting */
    struct flock range;
    if (autotune__ask_lock(file, F_SETLK, F_WRLCK, byte, &range) == 0) return AUTOTUNE__HELD;
    return errno == EACCES || errno == EAGAIN ? AUTOTUNE__BUSY : AUTOTUNE__NO_LOCKS;
}
static AUTOTUNE__UNUSED void autotune__unlock_at(int file, uint64_t byte) {
    struct flock range;
    (void)autotune__ask_lock(file, F_SETLK, F_UNLCK, byte, &range);
}
/* Does another process, or another copy of this implementation, have the lock? */
static AUTOTUNE__UNUSED bool autotune__is_locked_at(int file, uint64_t byte) {
    struct flock range;
    return autotune__ask_lock(file, F_GETLK, F_WRLCK, byte, &range) == 0 && range.l_type != F_UNLCK;
}

/* ---- src/system/library.h ------------------------------------------------------------------------------------------
   Libraries: opened at run time; and which file of the program an address belongs to. */

/* The library stays open as long as the process lives. NULL: it is not there. */
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {        /* NULL: it has none */
    return dlsym(library, name);
}

/* A range of addresses into which a file is mapped. */
typedef struct autotune__mapping { unsigned long low, high; char path[4400]; } autotune__mapping;
/* Finds the mapping that holds the address. False: there is none, or the system does not tell; low and high are 0. */
static AUTOTUNE__UNUSED bool autotune__find_mapping(const void *address, autotune__mapping *mapping) {
    const unsigned long place = (unsigned long)(uintptr_t)address;
    FILE *maps = autotune__open_to_read("/proc/self/maps");
    bool found = false;
    char line[4400];
    int path;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        path = 0;
        found = sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &mapping->low, &mapping->high, &path) >= 2 &&
                place >= mapping->low && place < mapping->high;
        line[strcspn(line, "\n")] = 0;
        if (found) snprintf(mapping->path, sizeof mapping->path, "%s", path ? line + path : "");
    }
    if (maps) fclose(maps);
    if (!found) mapping->low = mapping->high = 0;
    return found;
}

/* ---- src/system/processor.h ----------------------------------------------------------------------------------------
   The processor: on which one a thread runs, and holding it there; preemptions; caches; its name. */

#ifdef __linux__
#include <sys/syscall.h>
#ifndef __cplusplus
extern long syscall(long number, ...);          /* strict POSIX hides it, and sched_setaffinity with its types */
#endif
#endif

/* The processors on which a thread may run, as they were before autotune__pin(). Threads that a thread starts while it
   is held on a processor are held there, too. */
typedef struct autotune__affinity {
    unsigned long former[1024 / sizeof(unsigned long)];     /* a bit for each processor: 8192 at most */
    size_t bytes;                               /* that the system knows of them; 0: the thread is not held */
} autotune__affinity;
typedef struct autotune__pinned {               /* the thread that races */
    autotune__affinity affinity;
    int processor;                              /* on which it was at the last RUN; -1: nobody looked */
    size_t moves;                               /* how often it was on another than before */
} autotune__pinned;
#ifdef __linux__
enum { AUTOTUNE__CAN_PIN = true };
static int autotune__processor(void) {          /* on which the thread runs; -1: nobody knows */
    unsigned processor;
    return syscall(SYS_getcpu, &processor, NULL, NULL) == 0 ? (int)processor : -1;
}
/* Holds the thread on the processor on which it runs. False: the system refuses. */
static bool autotune__pin(autotune__affinity *affinity) {
    enum { BITS = 8 * sizeof(unsigned long) };
    unsigned long here[sizeof affinity->former / sizeof *affinity->former] = { 0 };
    const int processor = autotune__processor();
    const long bytes = processor < 0 ? -1
                                     : syscall(SYS_sched_getaffinity, 0, sizeof affinity->former, affinity->former);
    if (bytes <= 0) return false;
    here[processor / BITS] = 1ul << processor % BITS;
    if (syscall(SYS_sched_setaffinity, 0, (size_t)bytes, here) != 0) return false;
    affinity->bytes = (size_t)bytes;
    return true;
}
static void autotune__unpin(autotune__affinity *affinity) {
    if (affinity->bytes) syscall(SYS_sched_setaffinity, 0, affinity->bytes, affinity->former);
    affinity->bytes = 0;
}
#else
enum { AUTOTUNE__CAN_PIN = false };
static int autotune__processor(void) { return -1; }
/* true: that AUTOTUNE_PIN is ignored was said when the environment was read */
static bool autotune__pin(autotune__affinity *affinity) { (void)affinity; return true; }
static void autotune__unpin(autotune__affinity *affinity) { (void)affinity; }
#endif

static long autotune__involuntary_switches(void) {      /* how often the process was preempted */
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static AUTOTUNE__UNUSED long autotune__processor_count(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

/* Caches of the first processor, by sysfs. sysconf is asked where there is no sysfs: it may multiply the size of a
   shared cache by the number of processors of a virtual machine. */
static const char *autotune__caches_folder = "/sys/devices/system/cpu/cpu0/cache";
static bool autotune__cache_says(int index, const char *what, char word[16]) {
    char path[256];
    FILE *file;
    bool said;
    snprintf(path, sizeof path, "%s/index%d/%s", autotune__caches_folder, index, what);
    if (!(file = autotune__open_to_read(path))) return false;
    said = fgets(word, 16, file) != NULL;
    fclose(file);
    return said;
}
static size_t autotune__configured_cache(int level) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const long bytes = sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : level == 2 ? _SC_LEVEL2_CACHE_SIZE
                                                                                : _SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : 0;
#else
    (void)level;
    return 0;
#endif
}
static size_t autotune__cache_bytes(int level) {        /* of the data cache of level 1, 2 or 3; 0: unknown */
    char word[16], *unit;
    int i;
    for (i = 0; autotune__cache_says(i, "level", word); i++) {
        unsigned long size;
        if (strtol(word, NULL, 10) != level || !autotune__cache_says(i, "type", word) || *word == 'I') continue;
        if (!autotune__cache_says(i, "size", word)) continue;
        size = strtoul(word, &unit, 10);
        return (size_t)size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
    }
    return autotune__configured_cache(level);
}
/* The name of the processor, "CPU" where nobody knows it. */
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    FILE *file = autotune__open_to_read("/proc/cpuinfo");
    char line[256], name[128] = "", part[64] = "";
    while (file && !*name && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = 0;
        if (!colon) continue;
        if (!strncmp(line, "model name", 10)) snprintf(name, sizeof name, "%s", colon + 1 + strspn(colon + 1, " "));
        /* ARM has no model name */
        else if (!strncmp(line, "CPU implementer", 15) || !strncmp(line, "CPU part", 8)) {
            if (strlen(part) < 32) snprintf(part + strlen(part), sizeof part - strlen(part), "%.24s", colon + 1);
        }
    }
    if (file) fclose(file);
    if (*name) snprintf(model, room, "%s", name);
    else snprintf(model, room, "CPU%s", part);
}


/* ---- src/base/libraries.h ------------------------------------------------------------------------------------------
   The two libraries, stb_ds and jsmn, and the program's own realloc and free.

   stb_ds does not look at what realloc returns: ours leaves the growing operation by longjmp before it has changed
   anything. */

#if defined AUTOTUNE_REALLOC != defined AUTOTUNE_FREE
#error "autotune.h: define both AUTOTUNE_REALLOC and AUTOTUNE_FREE, or neither"
#endif
#ifndef AUTOTUNE_REALLOC
#define AUTOTUNE_REALLOC(old, bytes) realloc(old, bytes)
#define AUTOTUNE_FREE(old) free(old)
#endif

static __thread jmp_buf *autotune__memory_exit;

static AUTOTUNE__UNUSED void *autotune__stb_realloc(void *old, size_t bytes) {
    void *block = AUTOTUNE_REALLOC(old, bytes);
    if (!block && autotune__memory_exit) longjmp(*autotune__memory_exit, 1);
    return block;
}

#ifndef AUTOTUNE_STB_DS_H
#if __has_include(<stb_ds.h>)
#define AUTOTUNE_STB_DS_H <stb_ds.h>
#elif __has_include(<stb/stb_ds.h>)
#define AUTOTUNE_STB_DS_H <stb/stb_ds.h>
#else
#error "autotune.h: stb_ds.h is not found: install libstb-dev, or define AUTOTUNE_STB_DS_H as the path of the file"
#endif
#endif

/* Declared static beforehand, stb_ds's functions stay private to this file: no clash with a program's own stb_ds. */
#if !defined AUTOTUNE_NO_STB_DS_IMPL && !defined STB_DS_IMPLEMENTATION
#define STB_DS_IMPLEMENTATION
#define AUTOTUNE__OWN_STB_DS
#ifndef INCLUDE_STB_DS_H
#ifdef __cplusplus
extern "C" {
#endif
struct stbds_string_arena;
static AUTOTUNE__UNUSED void stbds_rand_seed(size_t seed);
static AUTOTUNE__UNUSED size_t stbds_hash_bytes(void *p, size_t len, size_t seed);
static AUTOTUNE__UNUSED size_t stbds_hash_string(char *str, size_t seed);
static AUTOTUNE__UNUSED char *stbds_stralloc(struct stbds_string_arena *a, char *str);
static AUTOTUNE__UNUSED void stbds_strreset(struct stbds_string_arena *a);
static AUTOTUNE__UNUSED void *stbds_arrgrowf(void *a, size_t elemsize, size_t addlen, size_t min_cap);
static AUTOTUNE__UNUSED void stbds_arrfreef(void *a);
static AUTOTUNE__UNUSED void stbds_hmfree_func(void *p, size_t elemsize);
static AUTOTUNE__UNUSED void *stbds_hmget_key(void *a, size_t elemsize, void *key, size_t keysize, int mode);
static AUTOTUNE__UNUSED void *stbds_hmget_key_ts(void *a, size_t elemsize, void *key, size_t keysize, ptrdiff_t *temp,
                                                 int mode);
static AUTOTUNE__UNUSED void *stbds_hmput_default(void *a, size_t elemsize);
static AUTOTUNE__UNUSED void *stbds_hmput_key(void *a, size_t elemsize, void *key, size_t keysize, int mode);
static AUTOTUNE__UNUSED void *stbds_hmdel_key(void *a, size_t elemsize, void *key, size_t keysize, size_t keyoffset,
                                              int mode);
static AUTOTUNE__UNUSED void *stbds_shmode_func(size_t elemsize, int mode);
#ifdef __cplusplus
}
#endif
#endif
#undef STBDS_REALLOC
#undef STBDS_FREE
#define STBDS_REALLOC(context, old, bytes) autotune__stb_realloc(old, bytes)
#define STBDS_FREE(context, old) AUTOTUNE_FREE(old)
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress 550                    /* a variable set but never used */
#endif
#include AUTOTUNE_STB_DS_H
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_default 550
#endif
#pragma GCC diagnostic pop
#ifdef AUTOTUNE__OWN_STB_DS
#undef STB_DS_IMPLEMENTATION                    /* a later include of stb_ds.h must not repeat it */
#endif

/* jsmn, for the cache on disk; private as well. Links to parents make its time linear. */
#ifndef AUTOTUNE_NO_CACHE
#if !defined AUTOTUNE_JSMN_H && __has_include(<jsmn.h>)
#define AUTOTUNE_JSMN_H <jsmn.h>
#endif
#ifdef AUTOTUNE_JSMN_H
#if !defined JSMN_H && !defined JSMN_STATIC
#define JSMN_STATIC
#define AUTOTUNE__OWN_JSMN
#ifndef JSMN_STRICT
#define JSMN_STRICT
#define AUTOTUNE__OWN_JSMN_STRICT
#endif
#ifndef JSMN_PARENT_LINKS
#define JSMN_PARENT_LINKS
#endif
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include AUTOTUNE_JSMN_H
#pragma GCC diagnostic pop
#ifdef AUTOTUNE__OWN_JSMN
#undef JSMN_STATIC
#endif
#ifdef AUTOTUNE__OWN_JSMN_STRICT
#undef JSMN_STRICT
#endif
#else
#define AUTOTUNE_NO_CACHE
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic warning "-W#pragma-messages"
#endif
#pragma message("autotune.h: jsmn.h is not found, so there is no cache on disk: install libjsmn-dev, or define \
AUTOTUNE_JSMN_H as the path of the file, or AUTOTUNE_NO_CACHE to do without")
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif
#endif

/* ---- src/base/memory.h ---------------------------------------------------------------------------------------------
   Memory: blocks, arrays and maps. Every allocation may fail, and then ends in a status. */

static void *autotune__allocate(size_t bytes) {         /* zeroed; NULL when there is none */
    void *block = AUTOTUNE_REALLOC(NULL, bytes ? bytes : 1);
    if (block) memset(block, 0, bytes);
    return block;
}
static void autotune__free(void *block) { if (block) AUTOTUNE_FREE(block); }

/* NULL: no memory, the array is as it was */
static void *autotune__grown(void *array, size_t element, size_t capacity) {
    jmp_buf here;
    void *grown;
    if (setjmp(here)) { autotune__memory_exit = NULL; return NULL; }
    autotune__memory_exit = &here;
    grown = stbds_arrgrowf(array, element, 0, capacity);
    autotune__memory_exit = NULL;
    return grown;
}
/* An array is a pointer to its elements, NULL while it has none. stb_ds keeps the count and the room of an array in
   front of its elements. Only this file calls stb_ds.

   ROOM: is there room for `more` elements, or can it be had? False: there is no memory, and the array is as it was.
   PUSH appends one element; false as for ROOM.
   REMOVE takes one element out; those behind it move up.
   FREE_ARRAY frees the array and sets it to NULL. */
#define AUTOTUNE__ROOM(array, more) \
    (autotune__count(array) + (more) <= stbds_arrcap(array) || \
     autotune__take((void **)(void *)&(array), sizeof *(array), autotune__count(array) + (more)))
#define AUTOTUNE__PUSH(array, ...) (AUTOTUNE__ROOM(array, 1u) && ((void)stbds_arrput(array, __VA_ARGS__), true))
#define AUTOTUNE__REMOVE(array, index) ((void)stbds_arrdel(array, index))
#define AUTOTUNE__FREE_ARRAY(array) stbds_arrfree(array)
static inline size_t autotune__count(const void *array) { return array ? stbds_header(array)->length : 0; }
/* The array keeps its room; `count` is at most that. */
static void autotune__set_count(void *array, size_t count) { if (array) stbds_header(array)->length = count; }
static bool autotune__take(void **array, size_t element, size_t capacity) {
    void *old, *grown;
    memcpy(&old, (void *)array, sizeof old);            /* *array is a pointer of another type */
    grown = autotune__grown(old, element, capacity);
    if (grown) memcpy((void *)array, &grown, sizeof grown);
    return grown != NULL;
}

static char *autotune__copy_string(const char *text) {
    char *copy = text ? (char *)autotune__allocate(strlen(text) + 1) : NULL;
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* A map leads from texts to pointers, and owns neither. DEFINE_MAP(name, type) defines autotune__NAME_map, an array of
   slots in the order in which they were put, and

     autotune__find_NAME(map, key)              the value; NULL: the map has no such key
     autotune__put_NAME(&map, key, value)       a key that is not there yet; false: no memory, the map is as it was

   Each map has a lock of its user's; stb_ds draws the seeds of all maps from one variable, so only one map grows at a
   time. */
static autotune__mutex autotune__putting = AUTOTUNE__MUTEX;
#define AUTOTUNE__MAP_COUNT(map) stbds_shlenu(map)
#define AUTOTUNE__FREE_MAP(map) stbds_shfree(map)
#define AUTOTUNE__DEFINE_MAP(name, type) \
    typedef struct autotune__##name##_map { char *key; type *value; } autotune__##name##_map; \
    static type *autotune__find_##name(autotune__##name##_map *map, const char *key) { \
        const ptrdiff_t at = map ? stbds_shgeti(map, (char *)(uintptr_t)key) : -1; \
        return at < 0 ? NULL : map[at].value; \
    } \
    static bool autotune__put_##name(autotune__##name##_map **map, char *key, type *value) { \
        jmp_buf here; \
        autotune__##name##_map *slots, *filled;         /* the first slot is the default of stb_ds */ \
        autotune__lock_mutex(&autotune__putting); \
        if (setjmp(here)) { \
            autotune__memory_exit = NULL; \
            autotune__unlock_mutex(&autotune__putting); \
            return false; \
        } \
        autotune__memory_exit = &here; \
        if (!*map) *map = (autotune__##name##_map *)stbds_hmput_default(NULL, sizeof **map); \
        slots = *map - 1;                               /* of the two steps that allocate, each may fail alone */ \
        if (autotune__count(slots) == stbds_arrcap(slots)) \
            *map = (autotune__##name##_map *)stbds_arrgrowf(slots, sizeof **map, 1, 0) + 1; \
        filled = *map; \
        stbds_shput(filled, key, value); \
        *map = filled; \
        autotune__memory_exit = NULL; \
        autotune__unlock_mutex(&autotune__putting); \
        return true; \
    }

/* ---- src/base/read_files.h -----------------------------------------------------------------------------------------
   Files are read into memory. */

/* At most `most` bytes of a file from `offset` on, with a zero behind them. The caller frees them. NULL: errno says
   why. */
static AUTOTUNE__UNUSED char *autotune__read_part(int file, size_t offset, size_t most, size_t *got) {
    char *bytes = (char *)AUTOTUNE_REALLOC(NULL, most + 1);         /* not zeroed: it may be large */
    if (!bytes) errno = ENOMEM;
    else if (autotune__read_at(file, bytes, most, offset, got)) {
        bytes[*got] = 0;
        return bytes;
    }
    autotune__free(bytes);
    return NULL;
}
/* All bytes of a regular file, likewise. NULL: why says it. */
static AUTOTUNE__UNUSED char *autotune__read_whole(int file, size_t *got, const char **why) {
    autotune__file_facts facts;
    char *bytes = NULL;
    *why = NULL;
    if (autotune__facts_of_file(file, &facts)) {
        if (facts.is_regular) bytes = autotune__read_part(file, 0, facts.bytes, got);
        else *why = "is no regular file";
    }
    if (!bytes && !*why) *why = strerror(errno);
    return bytes;
}
/* The same of the file at a path. */
static AUTOTUNE__UNUSED char *autotune__read_path(const char *path, size_t *got, const char **why) {
    const int file = autotune__open_file(path, AUTOTUNE__READ | AUTOTUNE__NO_WAIT);
    char *bytes;
    if (file < 0) { *why = strerror(errno); return NULL; }
    bytes = autotune__read_whole(file, got, why);
    autotune__close_file(file);
    return bytes;
}

/* ---- src/base/numbers.h --------------------------------------------------------------------------------------------
   Numbers: what is no number; hashes, random numbers, searching and sorting, medians, and the functions of the math
   library that would have to be linked. */

/* -ffast-math lets a compiler assume that there are neither infinities nor NaNs. So here a time that is not known, and
   a bound that nothing reached yet, is AUTOTUNE__NEVER: a finite number beyond all others. What comes from outside is
   judged by its bits, which pass through memory unseen by the compiler; only what users are told of is NaN where it was
   not measured. */
#define AUTOTUNE__NEVER 1e200
static uint64_t autotune__bits(double value) {
    uint64_t bits;
    __asm__("" : "+m"(value));
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static bool autotune__are_nan(uint64_t bits) { return bits << 1 > 0xFFE0000000000000u; }
static bool autotune__is_finite(double value) { return autotune__bits(value) << 1 < 0xFFE0000000000000u; }
/* Is it a number below 2^500? */
static bool autotune__is_definite(double value) { return autotune__bits(value) << 1 < 0xBE60000000000000u; }
static bool autotune__is_within(double value, double least, double most) {
    return autotune__is_definite(value) && value >= least && value <= most;
}
static double autotune__nan(void) {
    const uint64_t bits = 0x7FF8000000000000u;
    double value;
    memcpy(&value, &bits, sizeof value);
    __asm__("" : "+m"(value));
    return value;
}

/* Texts are hashed by FNV-1a, byte by byte. The cache on disk keeps such hashes: their values must not change. */
static inline uint64_t autotune__hash_byte(uint64_t hash, unsigned char byte) {
    return (hash ^ byte) * 1099511628211u;
}
static uint64_t autotune__hash_string(const char *text) {           /* NULL is hashed as "" */
    uint64_t hash = 14695981039346656037u;
    if (text) for (; *text; text++) hash = autotune__hash_byte(hash, (unsigned char)*text);
    return hash;
}
/* The text and an end: so "a", "bc" and "ab", "c" have different hashes. */
static AUTOTUNE__UNUSED uint64_t autotune__hash_more(uint64_t hash, const char *text, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) hash = autotune__hash_byte(hash, (unsigned char)text[i]);
    return autotune__hash_byte(hash, 0xFF);
}
/* Words are mixed by a product that is folded: every bit of the word reaches the low bits of the hash. */
static inline uint64_t autotune__hash_word(uint64_t hash, uint64_t word) {
    word *= 0x9E3779B97F4A7C15u;
    return (hash << 23 | hash >> 41) + (word ^ word >> 32);
}

static uint64_t autotune__random(uint64_t *state) {                 /* splitmix64 */
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
/* Evenly from 0 to below - 1: by a product where 64 bits are enough for it, else by drawing again. */
static uint64_t autotune__random_below(uint64_t *state, uint64_t below) {
    const uint64_t rest = (UINT64_MAX % below + 1) % below;         /* of 2^64: so many numbers are too many */
    uint64_t random = autotune__random(state);
    if (below <= UINT32_MAX) return (random >> 32) * below >> 32;
    while (random > UINT64_MAX - rest) random = autotune__random(state);
    return random % below;
}

/* Logarithm, exponential and inverse root, so that a program need not be linked with the math library. Errors: 1e-10,
   1e-12, 1e-6. */
static double autotune__logarithm(double x) {   /* of a normal number above 0: by its exponent, and atanh's series */
    uint64_t bits;
    int64_t exponent;
    double s, square;
    memcpy(&bits, &x, sizeof bits);
    /* what is left lies between the roots of 1/2 and 2 */
    exponent = (int64_t)((bits - 0x3FE6A09E00000000u) >> 52 & 0x7FF);
    if (exponent & 0x400) exponent -= 0x800;
    bits -= (uint64_t)exponent << 52;
    memcpy(&x, &bits, sizeof x);
    s = (x - 1) / (x + 1);
    square = s * s;
    return (double)exponent * 0.69314718055994531 +
           2 * s *
               (1 + square * (1 / 3.0 + square * (1 / 5.0 + square * (1 / 7.0 + square * (1 / 9.0 + square / 11)))));
}
static double autotune__exp(double x) {         /* a power of two, and Taylor's series of the rest */
    const double clamped = x < -700 ? -700 : x > 700 ? 700 : x, turns = clamped / 0.69314718055994531;
    const int64_t power = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double rest = clamped - (double)power * 0.69314718055994531;
    const uint64_t bits = (uint64_t)(power + 1023) << 52;
    static const double one_over[] = { 0,       1,       1 / 2.0, 1 / 3.0, 1 / 4.0, 1 / 5.0,
                                       1 / 6.0, 1 / 7.0, 1 / 8.0, 1 / 9.0, 1 / 10.0 };
    double scale, sum = 1;
    int n;
    for (n = 10; n > 0; n--) sum = 1 + sum * rest * one_over[n];
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}
static float autotune__inverse_root(float x) {  /* a guess from the exponent, bettered by Newton */
    uint32_t bits;
    float y;
    int n;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5F375A86u - (bits >> 1);
    memcpy(&y, &bits, sizeof y);
    for (n = 0; n < 3; n++) y *= 1.5f - 0.5f * x * y * y;
    return y;
}

/* A sum of products: in lanes, since without -ffast-math a compiler must add in the order that is written. */
typedef float autotune__lanes __attribute__((__vector_size__(16)));
static float autotune__dot(const float *a, const float *b, size_t count) {
    autotune__lanes sum = { 0, 0, 0, 0 }, other = { 0, 0, 0, 0 }, x, y;
    float total;
    size_t i;
    for (i = 0; i + 8 <= count; i += 8) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        sum += x * y;
        memcpy(&x, a + i + 4, sizeof x);
        memcpy(&y, b + i + 4, sizeof y);
        other += x * y;
    }
    sum += other;
    total = sum[0] + sum[1] + sum[2] + sum[3];
    for (; i < count; i++) total += a[i] * b[i];
    return total;
}

/* For qsort(): of elements that begin with a size_t. */
static int autotune__order_sizes(const void *left, const void *right) {
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return a < b ? -1 : a > b;
}
/* Where ascending elements stop being before what is looked for: sets `at` to the first of 0, 1 ... count for which
   `is_before`, an expression of `at`, is false. */
#define AUTOTUNE__BISECT(at, count, is_before) \
    do { \
        size_t autotune__low = 0, autotune__high = (count); \
        while (autotune__low < autotune__high) { \
            (at) = autotune__low + (autotune__high - autotune__low) / 2; \
            if (is_before) autotune__low = (at) + 1; \
            else autotune__high = (at); \
        } \
        (at) = autotune__low; \
    } while (0)
/* The position of the value among ascending ones; SIZE_MAX: it is not there. */
static size_t autotune__position_of(size_t value, const size_t *ascending, size_t count) {
    size_t at;
    AUTOTUNE__BISECT(at, count, ascending[at] < value);
    return at < count && ascending[at] == value ? at : SIZE_MAX;
}

static int autotune__order_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
static void autotune__sort(double *values, size_t count) {
    qsort(values, count, sizeof *values, autotune__order_doubles);
}
static double autotune__median(double *values, size_t count) {      /* reorders them */
    autotune__sort(values, count);
    return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : AUTOTUNE__NEVER;
}

/* ---- src/base/text.h -----------------------------------------------------------------------------------------------
   Text: a text that grows, the parts of a macro argument's text, and numbers as they are written in every locale. */

/* an array of characters, with a zero behind its end; broken: there was no memory for all of it */
typedef struct autotune__text { char *at; bool broken; } autotune__text;

static void autotune__append_list(autotune__text *text, const char *format, va_list list) {
    va_list again;
    int length;
    va_copy(again, list);
    length = vsnprintf(NULL, 0, format, list);
    if (length < 0 || !AUTOTUNE__ROOM(text->at, (size_t)length + 1)) text->broken = true;
    else {
        vsnprintf(text->at + autotune__count(text->at), (size_t)length + 1, format, again);
        autotune__set_count(text->at, autotune__count(text->at) + (size_t)length);      /* the zero is behind the end */
    }
    va_end(again);
}
static __attribute__((__format__(__printf__, 2, 3))) void autotune__append(autotune__text *text, const char *format,
                                                                           ...) {
    va_list list;
    va_start(list, format);
    autotune__append_list(text, format, list);
    va_end(list);
}
/* A number with a point, whatever the locale has. The format is one of printf for a double, as "%.9g". */
static void autotune__append_number(autotune__text *text, const char *format, double value) {
    char written[64], number[64];
    const char *digits = written;
    size_t length = 0;
    bool point = false;
    snprintf(written, sizeof written, format, value);
    for (; *digits && length + 1 < sizeof number; digits++) {
        const bool plain = (*digits >= '0' && *digits <= '9') || (*digits >= 'a' && *digits <= 'z') || *digits == '-' ||
                           *digits == '+';
        if (plain) number[length++] = *digits;
        else if (!point) { number[length++] = '.'; point = true; }
    }
    autotune__append(text, "%.*s", (int)length, number);
}
/* The 64 bits of an integer. */
static void autotune__append_integer(autotune__text *text, bool is_unsigned, uint64_t bits) {
    if (is_unsigned) autotune__append(text, "%llu", (unsigned long long)bits);
    else autotune__append(text, "%lld", (long long)(int64_t)bits);
}
static const char *autotune__string(const autotune__text *text) {
    return text->at && !text->broken ? text->at : "(no memory for this text)";
}
static void autotune__clear_text(autotune__text *text) {
    autotune__set_count(text->at, 0);
    if (text->at) text->at[0] = 0;
    text->broken = false;
}
static void autotune__free_text(autotune__text *text) { AUTOTUNE__FREE_ARRAY(text->at); text->broken = false; }

/* How many bytes the character at `at` has, of those that are left; 0: it is no UTF-8. */
static size_t autotune__utf8_bytes(const unsigned char *at, size_t left) {
    const unsigned char first = *at;
    const size_t bytes = first < 0x80 ? 1 : first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3
                       : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    size_t i;
    if (!bytes || bytes > left) return 0;
    for (i = 1; i < bytes; i++) if ((at[i] & 0xC0) != 0x80) return 0;
    if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F)) return 0;       /* overlong; a surrogate */
    /* overlong; past Unicode's end */
    if ((first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F)) return 0;
    return bytes;
}
/* Text for a terminal. What a terminal would obey, or would show in another order than it has, becomes \u001b: control
   characters, marks of direction, and what is no UTF-8. */
static bool autotune__is_control(const unsigned char *at, size_t bytes) {           /* the character at `at` */
    if (bytes == 1) return *at < 0x20 || *at == 0x7F;
    /* U+0080 to 9F, 061C */
    if (bytes == 2) return (at[0] == 0xC2 && at[1] < 0xA0) || (at[0] == 0xD8 && at[1] == 0x9C);
    return bytes == 3 && at[0] == 0xE2 &&
           ((at[1] == 0x80 &&
             (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE))) ||   /* U+200E, F, 2028 to E */
            (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));     /* U+2066 to 2069 */
}
/* Appends the next character, escaped if it must be. Returns how many bytes of `at` it takes. */
static size_t autotune__append_visible(autotune__text *text, const unsigned char *at, size_t left) {
    const size_t bytes = autotune__utf8_bytes(at, left);
    if (!bytes) autotune__append(text, "\\u%04x", 0xDC00u + *at);       /* as Python's surrogateescape does */
    else if (!autotune__is_control(at, bytes)) autotune__append(text, "%.*s", (int)bytes, (const char *)at);
    else autotune__append(text, "\\u%04x", bytes == 1 ? *at : bytes == 2 ? (at[0] & 31u) << 6 | (at[1] & 63u)
                                              : (at[0] & 15u) << 12 | (at[1] & 63u) << 6 | (at[2] & 63u));
    return bytes ? bytes : 1;
}
/* Returns the line itself where nothing of it is to be escaped; else its escaped form, which the text then holds. */
static const char *autotune__visible(autotune__text *text, const char *line) {
    const unsigned char *at = (const unsigned char *)line;
    while (*at >= 0x20 && *at < 0x7F) at++;
    if (!*at) return line;
    for (at = (const unsigned char *)line; *at;) at += autotune__append_visible(text, at, strlen((const char *)at));
    return autotune__string(text);
}

/* The next line of a text that ends at `end`, without its line feed; `at` moves behind it. NULL: what is left has no
   line feed. */
static const char *autotune__next_line(const char **at, const char *end, size_t *length) {
    const char *const line = *at, *const feed = line == end ? NULL
                                                            : (const char *)memchr(line, '\n', (size_t)(end - line));
    if (!feed) return NULL;
    *length = (size_t)(feed - line);
    *at = feed + 1;
    return line;
}
static bool autotune__is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || (unsigned char)c >= 128;
}
/* Behind what begins with a quote: behind the next such quote that has no backslash before it, or at the end. The text
   ends at `end`; NULL: at its zero. */
static const char *autotune__past_quoted(const char *at, const char *end) {
    const char quote = *at++;
    for (; at != end && (end || *at) && *at != quote; at++) if (*at == '\\' && at + 1 != end && (end || at[1])) at++;
    return at != end && *at ? at + 1 : at;
}
static const char *autotune__past_raw_string(const char *quote) {      /* "delimiter( ... )delimiter" */
    const size_t length = strcspn(quote, "(");
    const char *at = quote + length;
    while (*at && !(*at == ')' && !strncmp(at + 1, quote + 1, length - 1) && at[length] == '"')) at++;
    return *at ? at + length + 1 : at;
}
/* Behind the token that begins a text which is not empty: a word, a number with its digit separators (1'000), a literal
   in quotes with what stands before it (u8'x', R"(x)"), or one other character. */
static const char *autotune__past_token(const char *at) {
    const char *const start = at;
    const bool number = *at >= '0' && *at <= '9';
    while (autotune__is_word(*at) || (number && *at == '\'' && autotune__is_word(at[1]))) at++;
    if (*at != '"' && *at != '\'') return at > start ? at : at + 1;
    if (*at == '"' && at > start && at[-1] == 'R') return autotune__past_raw_string(at);
    return autotune__past_quoted(at, NULL);
}
/* The next comma-separated part of a macro argument's text, without spaces around it; NULL at the end. Parentheses and
   quotes protect commas, as they do for the preprocessor. */
static const char *autotune__next_part(const char **text, size_t *length) {
    const char *at = *text, *first, *last, *next;
    int depth = 0;
    if (!at) return NULL;
    while (*at == ' ') at++;
    if (!*at) return NULL;
    for (first = last = at; *at && (depth > 0 || *at != ','); at = next) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        next = autotune__past_token(at);
        if (*at != ' ') last = next;
    }
    *length = (size_t)(last - first);
    *text = *at ? at + 1 : NULL;
    return first;
}
/* The part with this number, from 0 on; NULL: there is none. */
static const char *autotune__part(const char *text, size_t number, size_t *length) {
    const char *part = autotune__next_part(&text, length);
    while (part && number--) part = autotune__next_part(&text, length);
    return part;
}
/* The same of the parts in the first parentheses of a text. */
static const char *autotune__part_inside(const char *text, size_t number, size_t *length) {
    const char *open = text ? strchr(text, '(') : NULL, *part = open ? autotune__part(open + 1, number, length) : NULL;
    const char *at;
    int depth = 0;
    for (at = part; part && at < part + *length; at = autotune__past_token(at)) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth < 0) *length = (size_t)(at - part);       /* their end */
    }
    return part;
}
/* Reads a number that is written with a point, whatever the locale has. AUTOTUNE__NEVER: the text is no number. */
static double autotune__number_of(const char *text, size_t length) {
    const char *point = localeconv()->decimal_point;
    char digits[64], *end;
    size_t i, filled = 0;
    double number;
    for (i = 0; i < length; i++) {
        const char *piece = text[i] == '.' ? point : text + i;
        const size_t bytes = text[i] == '.' ? strlen(point) : 1;
        if (filled + bytes >= sizeof digits || (text[i] != '.' && text[i] == *point)) return AUTOTUNE__NEVER;
        memcpy(digits + filled, piece, bytes);
        filled += bytes;
    }
    digits[filled] = 0;
    number = strtod(digits, &end);
    return filled && !*end && autotune__is_definite(number) ? number : AUTOTUNE__NEVER;
}

/* ---- src/base/log.h ------------------------------------------------------------------------------------------------
   The log and errors: the state of the process that all threads share, its locks, the lines of the log, the last
   error. */

/* State of the process. */
static autotune__mutex autotune__lock = AUTOTUNE__MUTEX;          /* of the registry and of every publication;
                                                                               never held while user code runs */
static autotune__condition autotune__changed;                                    /* a race ended */
static autotune__once autotune__locks = AUTOTUNE__ONCE;      /* for those that need an initialisation at run time */
static autotune__mutex autotune__log_lock;                                  /* recursive: a log function may tune */
static autotune_log *autotune__log_function;
static void *autotune__log_user;
static struct autotune__environment {                                       /* -1, 0: not said */
    int mode, preset, cache, log, progress, pin;
    double max_seconds, cache_mib, cubins_mib;
    bool has_seed;
    uint64_t seed;
} autotune__environment;
static autotune__text autotune__complaints;                                 /* about the environment, a line each, until
                                                                               they are said */
static bool autotune__progress_shown;                                       /* a line without its end is on stderr; with
                                                                               the log's lock */
static __thread char autotune__error[1024];

/* Cancellation. A thread cannot be cancelled while it is in this library, except where it waits for another: it would
   leave locks, files and races behind. Where a body is cancelled, and the compiler unwinds no cleanups (C without
   -fexceptions), the end of the thread gives up its statements; nothing of theirs outlives the thread but what the key
   has, which is set as long as there is one. */
static autotune__thread_key autotune__thread_end;
static bool autotune__ends_threads;             /* there is such a key */

/* What is done when a thread ends in the middle of statements, and around a fork. The functions stand where statements
   are known, and are entered here before main() and before constructors of C++: whoever needs the locks first hands
   them to the system. */
static struct autotune__events {
    void (*end_thread)(void *statement);
    void (*before_fork)(void), (*after_fork)(void), (*begin_child)(void);
} autotune__events;

/* What a floor above the statements does besides: in the child of a fork, which has one thread and copies of all locks,
   and in autotune_shutdown(). Entered before main(), as the events are; the floor entered last is called first. */
typedef struct autotune__floor {
    void (*begin_child)(void), (*shut_down)(void);
    struct autotune__floor *entered_before;
} autotune__floor;
static autotune__floor *autotune__floors;
static AUTOTUNE__UNUSED void autotune__enter_floor(autotune__floor *floor) {
    floor->entered_before = autotune__floors;
    autotune__floors = floor;
}

static void autotune__erase_progress(void) {                                /* with the log's lock */
    if (autotune__progress_shown) fputs("\r\033[K", stderr);
    autotune__progress_shown = false;
}
static void autotune__leave_log(int *cancellation) {
    autotune__unlock_mutex(&autotune__log_lock);
    autotune__set_cancellation(*cancellation);
}
/* The log is left by a cleanup: a log function in C++ may throw. */
static void autotune__write_line(autotune_log_level level, const char *line) {
    int cancellation __attribute__((__cleanup__(autotune__leave_log))) = autotune__hold_cancellation();
    autotune__text visible = { NULL, false };
    (void)cancellation;
    autotune__lock_mutex(&autotune__log_lock);
    autotune__erase_progress();
    if (autotune__log_function) autotune__log_function(autotune__log_user, level, line);
    else fprintf(stderr, "autotune: %s\n", autotune__visible(&visible, line));
    autotune__free_text(&visible);
}
/* Does somebody look at stderr, or wish to see how far tuning is? */
static bool autotune__wants_progress(void) {
    bool to_stderr;
    if (autotune__environment.progress >= 0) return autotune__environment.progress == 1;
    autotune__lock_mutex(&autotune__log_lock);
    to_stderr = !autotune__log_function && autotune__environment.log > AUTOTUNE_LOG_OFF;
    autotune__unlock_mutex(&autotune__log_lock);
    return to_stderr && autotune__stderr_is_terminal();
}
static void autotune__say(autotune_log_level level, const char *line) {
    if ((int)level <= autotune__environment.log) autotune__write_line(level, line);
}
/* The error of this thread, and a line in the log. */
static __attribute__((__format__(__printf__, 1, 2))) void autotune__complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
}
/* The same for each line of a text, which is freed. */
static void autotune__complain_of_all(autotune__text *text) {
    const char *at = text->at, *line;
    size_t length;
    while (at && (line = autotune__next_line(&at, text->at + autotune__count(text->at), &length)) != NULL)
        autotune__complain("%.*s", (int)length, line);
    autotune__free_text(text);
}

AUTOTUNE__API const char *autotune_status_text(autotune_status status) {
    static const char *const texts[] = {
#define AUTOTUNE__STATUS(name, text) text,
        AUTOTUNE_STATUSES(AUTOTUNE__STATUS)
#undef AUTOTUNE__STATUS
    };
    return (unsigned)status < AUTOTUNE__STATUS_COUNT ? texts[status] : "an unknown status";
}
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict) {
    static const char *const texts[] = { "not measured", "the only configuration", "separated",
                                         "a tie within 1 %", "unresolved", "unreliable" };
    return (unsigned)verdict <= AUTOTUNE_UNRELIABLE ? texts[verdict] : "an unknown verdict";
}
AUTOTUNE__API const char *autotune_last_error(void) { return autotune__error; }

/* ---- src/base/environment.h ----------------------------------------------------------------------------------------
   The environment: what the AUTOTUNE_ variables say. It is read once. */

/* The environment is read once. What is wrong with it is said afterwards, when a log function may tune without waiting
   for itself. */
static int autotune__choice(const char *name, const char *const *names, int otherwise) {    /* names end with NULL */
    const char *value = getenv(name);
    int i;
    if (!value || !*value) return otherwise;
    for (i = 0; names[i]; i++) if (!strcmp(value, names[i])) return i;
    autotune__append(&autotune__complaints, "%s=%.40s is not known and is ignored: it is one of ", name, value);
    for (i = 0; names[i]; i++) autotune__append(&autotune__complaints, "%s%s", i ? ", " : "", names[i]);
    autotune__append(&autotune__complaints, "\n");
    return otherwise;
}
static double autotune__number(const char *name, double otherwise, double smallest, const char *accepted) {
    const char *value = getenv(name);
    double number;
    if (!value || !*value) return otherwise;
    number = autotune__number_of(value, strlen(value));
    if (autotune__is_within(number, smallest, 1e18)) return number;
    autotune__append(&autotune__complaints, "%s=%.40s is not known and is ignored: it is %s\n", name, value, accepted);
    return otherwise;
}
static void autotune__read_environment(void) {
    static const char *const modes[] = { "on", "off", "cached", "require", "force", NULL },
                      *const presets[] = { "balanced", "fast", "thorough", NULL },
                      *const caches[] = { "on", "off", "readonly", NULL },
                      *const levels[] = { "off", "errors", "winner", "full", NULL },
                      *const switches[] = { "0", "1", NULL }, *const pins[] = { "off", "core", NULL };
    struct autotune__environment *e = &autotune__environment;
    const char *seed = getenv("AUTOTUNE_SEED");
    e->log = autotune__choice("AUTOTUNE_LOG", levels, AUTOTUNE_LOG_ERRORS);
    e->mode = autotune__choice("AUTOTUNE_MODE", modes, -1);
    e->preset = autotune__choice("AUTOTUNE_PRESET", presets, -1);
    e->cache = autotune__choice("AUTOTUNE_CACHE", caches, -1);
    e->progress = autotune__choice("AUTOTUNE_PROGRESS", switches, -1);
    e->pin = autotune__choice("AUTOTUNE_PIN", pins, 0);
    if (e->pin && !AUTOTUNE__CAN_PIN)
        autotune__append(&autotune__complaints,
                         "AUTOTUNE_PIN=core is ignored: only Linux can hold a thread on a processor\n");
    e->max_seconds = autotune__number("AUTOTUNE_MAX_SECONDS", 0, 1e-9, "a number of seconds greater than 0");
    e->cache_mib = autotune__number("AUTOTUNE_CACHE_MIB", 64, 1e-9, "a number of MiB greater than 0");
    e->cubins_mib = autotune__number("AUTOTUNE_CUBINS_MIB", 256, 0, "a number of MiB, 0 to keep no compiled kernels");
    if (seed && *seed) {
        char *end;
        errno = 0;
        e->seed = (uint64_t)strtoull(seed, &end, 0);
        e->has_seed = !*end && !errno && !strchr(seed, '-');
        if (!e->has_seed)
            autotune__append(&autotune__complaints,
                             "AUTOTUNE_SEED=%.40s is not known and is ignored: it is an integer from 0 to 2^64 - 1\n",
                             seed);
    }
}
/* Of a statement: what the environment says, else the option. */
static autotune_cache autotune__cache_policy(const autotune_options *options) {
    return autotune__environment.cache < 0 ? options->cache : (autotune_cache)autotune__environment.cache;
}
static void autotune__make_locks(void) {        /* in a child made by fork, once more */
    autotune__make_condition(&autotune__changed);
    autotune__make_recursive_mutex(&autotune__log_lock);
}
static void autotune__start_locks(void) {
    autotune__make_locks();
    autotune__watch_forks(autotune__events.before_fork, autotune__events.after_fork, autotune__events.begin_child);
}
static void autotune__watch_threads(void) {
    bool watched;
    autotune__lock_mutex(&autotune__lock);
    watched = autotune__ends_threads || autotune__make_thread_key(&autotune__thread_end, autotune__events.end_thread);
    __atomic_store_n(&autotune__ends_threads, watched, __ATOMIC_RELEASE);
    autotune__unlock_mutex(&autotune__lock);
}
static void autotune__ready(void) {             /* before anything else that is not a hit */
    static autotune__once environment = AUTOTUNE__ONCE;
    autotune__text complaints = { NULL, false };
    autotune__run_once(&autotune__locks, autotune__start_locks);
    autotune__run_once(&environment, autotune__read_environment);
    if (!AUTOTUNE__LIKELY(__atomic_load_n(&autotune__ends_threads, __ATOMIC_ACQUIRE))) autotune__watch_threads();
    if (AUTOTUNE__LIKELY(__atomic_load_n(&autotune__complaints.at, __ATOMIC_RELAXED) == NULL)) return;
    complaints.at = __atomic_exchange_n(&autotune__complaints.at, (char *)NULL, __ATOMIC_ACQ_REL);
    autotune__complain_of_all(&complaints);
}
AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user) {
    autotune__run_once(&autotune__locks, autotune__start_locks);
    autotune__lock_mutex(&autotune__log_lock);
    autotune__log_function = log;
    autotune__log_user = user;
    autotune__unlock_mutex(&autotune__log_lock);
}


/* ---- src/space/key.h -----------------------------------------------------------------------------------------------
   Keys: hashing, comparing, and writing them as text. */

static autotune_type autotune__part_type(uint32_t types, uint32_t part) {
    return (autotune_type)(types >> 4 * part & 15);
}
static const char *autotune__as_string(uint64_t word) { return (const char *)(uintptr_t)word; }
static double autotune__as_double(uint64_t word) { double value; memcpy(&value, &word, sizeof value); return value; }
static uint32_t autotune__parts(const autotune_key *key) {
    return key->count < AUTOTUNE_MAX_KEY ? key->count : (uint32_t)AUTOTUNE_MAX_KEY;
}
static uint64_t autotune__hash(const autotune_key *key) {
    uint64_t hash = key->count;
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++)
        hash = autotune__hash_word(hash, autotune__part_type(key->types, i) == AUTOTUNE_STRING
                                             ? autotune__hash_string(autotune__as_string(key->word[i])) : key->word[i]);
    return hash;
}
static bool autotune__same_word(autotune_type type, uint64_t a, uint64_t b) {
    if (AUTOTUNE__LIKELY(a == b || type != AUTOTUNE_STRING)) return a == b;
    return a && b && !strcmp(autotune__as_string(a), autotune__as_string(b));
}
/* What is wrong with a key; NULL: nothing. */
static const char *autotune__key_problem(const autotune_key *key) {
    uint32_t i;
    if (key->count > AUTOTUNE_MAX_KEY) return "the key has more than 8 parts: make it with KEY(...)";
    for (i = 0; i < key->count; i++) {
        const autotune_type type = autotune__part_type(key->types, i);
        if ((type == AUTOTUNE_F32 || type == AUTOTUNE_F64) && autotune__are_nan(key->word[i]))
            return "a part of the key is not a number (NaN) and would never be found again: test for it "
                   "before the call";
    }
    return NULL;
}
/* With `exact` two keys have the same text only if they are equal. Without it the text is for people, with the names of
   the parts. */
static void autotune__append_key(autotune__text *text, const autotune_key *key, bool exact) {
    uint32_t i;
    for (i = 0; i < key->count && i < AUTOTUNE_MAX_KEY; i++) {
        const autotune_type type = autotune__part_type(key->types, i);
        const uint64_t word = key->word[i];
        size_t length = 0;
        const char *name = exact ? NULL : autotune__part(key->text, i, &length);
        if (i) autotune__append(text, "%s", exact ? "," : ", ");
        if (exact) autotune__append(text, "%d:", (int)type);
        else if (name && (*name == '_' || (*name >= 'A' && *name <= 'z')))
            autotune__append(text, "%.*s=", (int)length, name);
        if (type == AUTOTUNE_STRING && !word)
            autotune__append(text, "NULL");
        else if (type == AUTOTUNE_STRING && exact)
            autotune__append(text, "%lu:%s", (unsigned long)strlen(autotune__as_string(word)),
                             autotune__as_string(word));
        else if (type == AUTOTUNE_STRING)
            autotune__append(text, "%.64s", autotune__as_string(word));
        else if ((type == AUTOTUNE_F32 || type == AUTOTUNE_F64) && exact)
            autotune__append(text, "%llx", (unsigned long long)word);
        else if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64)
            autotune__append_number(text, "%g", autotune__as_double(word));
        else
            autotune__append_integer(text, type >= AUTOTUNE_U8 && type <= AUTOTUNE_U64, word);
    }
}

/* For instance: matmul.c:matmul [n=512] */
static void autotune__append_case(autotune__text *text, const char *name, const autotune_key *key) {
    autotune__append(text, "%s", name);
    if (key->count) {
        autotune__append(text, " [");
        autotune__append_key(text, key, false);
        autotune__append(text, "]");
    }
}

/* ---- src/space/values.h --------------------------------------------------------------------------------------------
   Values of axes, which have 8 bytes each, from and to numbers and strings; autotune_get_int() and the like. */

static size_t autotune__type_bytes(autotune_type type) {
    static const unsigned char bytes[] = {
        1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, sizeof(char *), sizeof(void *), sizeof(bool)
    };
    return bytes[type];
}
/* A value has the bytes of its type at its beginning, whatever the byte order. */
static uint64_t autotune__value_of_int(autotune_type type, int64_t number) {
    const int8_t b1 = (int8_t)number;
    const int16_t b2 = (int16_t)number;
    const int32_t b4 = (int32_t)number;
    const bool truth = number != 0;
    const size_t bytes = autotune__type_bytes(type);
    uint64_t value = 0;
    if (type == AUTOTUNE_BOOL) memcpy(&value, &truth, bytes);
    else if (bytes == 1) memcpy(&value, &b1, 1);
    else if (bytes == 2) memcpy(&value, &b2, 2);
    else if (bytes == 4) memcpy(&value, &b4, 4);
    else memcpy(&value, &number, 8);
    return value;
}
static int64_t autotune__int_of_value(autotune_type type, uint64_t value) {
    int8_t i8; int16_t i16; int32_t i32; uint8_t u8; uint16_t u16; uint32_t u32; bool truth;
    switch (type) {
    case AUTOTUNE_I8: memcpy(&i8, &value, 1); return i8;
    case AUTOTUNE_I16: memcpy(&i16, &value, 2); return i16;
    case AUTOTUNE_I32: memcpy(&i32, &value, 4); return i32;
    case AUTOTUNE_U8: memcpy(&u8, &value, 1); return u8;
    case AUTOTUNE_U16: memcpy(&u16, &value, 2); return u16;
    case AUTOTUNE_U32: memcpy(&u32, &value, 4); return u32;
    case AUTOTUNE_BOOL: memcpy(&truth, &value, sizeof truth); return truth;
    default: return (int64_t)value;
    }
}
static double autotune__double_of_value(autotune_type type, uint64_t value) {
    float f;
    if (type == AUTOTUNE_F64) return autotune__as_double(value);
    memcpy(&f, &value, sizeof f);
    return type == AUTOTUNE_F32   ? (double)f
           : type == AUTOTUNE_U64 ? (double)value
                                  : (double)autotune__int_of_value(type, value);
}
static const char *autotune__string_of_value(uint64_t value) {
    const char *text;
    memcpy(&text, &value, sizeof text);
    return text;
}

/* The value of an axis by name, if types has the bit of its type. NULL: there is none, and the last error says so. */
static const uint64_t *autotune__value_named(const autotune_config *config, const char *name, unsigned types,
                                             autotune_type *type) {
    size_t a;
    for (a = 0; config && name && a < config->count; a++) {
        if (strcmp(config->names[a], name)) continue;
        *type = config->types[a];
        if (types >> *type & 1) return &config->values[a];
        break;
    }
    snprintf(autotune__error, sizeof autotune__error,
             "the configuration has no value '%.64s' of the type that was asked for", name ? name : "NULL");
    return NULL;
}
#define AUTOTUNE__INTEGERS (1u << AUTOTUNE_BOOL | 0x1FEu)       /* I8 to U64 */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, AUTOTUNE__INTEGERS, &type);
    return value ? autotune__int_of_value(type, *value) : 0;
}
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name,
                                                  AUTOTUNE__INTEGERS | 1u << AUTOTUNE_F32 | 1u << AUTOTUNE_F64, &type);
    return value ? autotune__double_of_value(type, *value) : autotune__nan();
}
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 1u << AUTOTUNE_STRING, &type);
    return value ? autotune__string_of_value(*value) : NULL;
}
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 1u << AUTOTUNE_POINTER, &type);
    void *pointer = NULL;
    if (value) memcpy(&pointer, value, sizeof pointer);
    return pointer;
}
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 0xFFFFu, &type);
    return value ? config->labels[value - config->values] : NULL;
}
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config) { return config ? config->index : 0; }

AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max) {
    uint64_t bucket = 1;
    if (base < 2) base = 2;
    while (bucket < x) {
        if (bucket > UINT64_MAX / base) { bucket = UINT64_MAX; break; }
        bucket *= base;
    }
    if (min && bucket < min) bucket = min;
    if (max && bucket > max) bucket = max;
    return bucket;
}
static bool autotune__is_float(autotune_type type) { return type >= AUTOTUNE_F16 && type <= AUTOTUNE_F64; }

/* ---- src/space/axes.h ----------------------------------------------------------------------------------------------
   A space: its axes and tables, and the values of a point. A dimension is either an axis, or a table whose columns are
   axes that change together. */

typedef enum autotune__source { AUTOTUNE__LIST, AUTOTUNE__STEPS, AUTOTUNE__DOUBLING } autotune__source;
typedef struct autotune__axis_of_space {
    const char *name, *texts;                   /* texts: the values of a list as written in the program, or NULL */
    const char **labels;                        /* what logs call the values of a list; NULL: their texts or values */
    autotune_type type;
    autotune__source source;
    uint64_t *values;                           /* of a list; a word begins with the bytes of its type. Own strings */
    int64_t first, step;                        /* of STEPS and DOUBLING */
    size_t dimension, column;                   /* column: its number in the table */
} autotune__axis_of_space;
typedef struct autotune__dimension {
    size_t count, digit;                        /* number of rows; the row of the located point */
    bool table;
    bool *repeated;                             /* for each row: an earlier row is equal. NULL: no rows are equal */
    const char *text;                           /* the rows of a table as written in the program */
    const unsigned char *rows;                  /* of a table, until its columns are described */
    size_t row_bytes, columns;
} autotune__dimension;
typedef struct autotune__space {
    autotune__axis_of_space axes[AUTOTUNE_MAX_AXES];
    autotune__dimension dimensions[AUTOTUNE_MAX_AXES];
    size_t axis_count, dimension_count;
    size_t points;                              /* SIZE_MAX: more than a size_t can count */
    size_t at;                                  /* the located point: its values are in value[]; SIZE_MAX: none */
    autotune__shared_word value[AUTOTUNE_MAX_AXES + 1];     /* the last is what the backend prepared */
    const char *call_names[64];                 /* of AUTOTUNE_SELECT: NAME("..."), or NULL */
    bool lent;                                  /* the memory belongs to a created tuner */
    bool pruned;                                /* axes have filters, so that not all points are visited */
    bool no_memory;
    const char *problem;                        /* what is wrong with the space, as the end of a sentence, or NULL */
} autotune__space;

static autotune__axis_of_space *autotune__new_axis(autotune__space *space, const char *name, autotune_type type) {
    autotune__axis_of_space *axis;
    if (space->axis_count == AUTOTUNE_MAX_AXES) { space->problem = "has more than 16 axes"; return NULL; }
    axis = &space->axes[space->axis_count++];
    axis->name = name;
    axis->type = type;
    return axis;
}
static autotune__dimension *autotune__new_dimension(autotune__space *space, size_t count) {
    autotune__dimension *dimension = &space->dimensions[space->dimension_count++];
    dimension->count = count;
    if (count && space->points > SIZE_MAX / count) space->points = SIZE_MAX;
    else space->points *= count;
    return dimension;
}
/* Copies count values that lie stride bytes apart. */
static void autotune__copy_values(autotune__space *space, autotune__axis_of_space *axis, const void *from,
                                  size_t stride, size_t count) {
    size_t i;
    if (count > SIZE_MAX / sizeof *axis->values ||
        !(axis->values = (uint64_t *)autotune__allocate(count * sizeof *axis->values))) {
        space->no_memory = true;
        return;
    }
    for (i = 0; i < count; i++) {
        memcpy(&axis->values[i], (const char *)from + i * stride, autotune__type_bytes(axis->type));
        if (axis->type == AUTOTUNE_STRING && axis->values[i]) {
            const char *copy = autotune__copy_string(autotune__string_of_value(axis->values[i]));
            if (!copy) space->no_memory = true;
            axis->values[i] = 0;
            memcpy(&axis->values[i], &copy, sizeof copy);
        }
    }
}
static void autotune__add_list(autotune__space *space, const char *name, const char *texts, const void *values,
                               size_t count, autotune_type type) {
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->texts = texts;
    axis->dimension = space->dimension_count;
    autotune__new_dimension(space, values ? count : 0);
    autotune__copy_values(space, axis, values, autotune__type_bytes(type), values ? count : 0);
}
static void autotune__add_rule(autotune__space *space, const char *name, autotune__source source, int64_t first,
                               int64_t step, size_t count, autotune_type type) {
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->source = source;
    axis->first = first;
    axis->step = step;
    axis->dimension = space->dimension_count;
    autotune__new_dimension(space, count);
}
static size_t autotune__steps(int64_t first, int64_t last, int64_t step) {      /* the number of values of a RANGE */
    if (step > 0 && last >= first) return (size_t)(((uint64_t)last - (uint64_t)first) / (uint64_t)step) + 1;
    if (step < 0 && last <= first) return (size_t)(((uint64_t)first - (uint64_t)last) / (0 - (uint64_t)step)) + 1;
    return 0;
}
static size_t autotune__doublings(int64_t first, int64_t last) {                /* the number of values of a POW2 */
    size_t count = 0;
    while (first > 0 && first <= last) { count++; if (first > INT64_MAX / 2) break; first *= 2; }
    return count;
}

static uint64_t autotune__axis_value(const autotune__axis_of_space *axis, size_t digit) {
    switch (axis->source) {
    case AUTOTUNE__STEPS:
        return autotune__value_of_int(axis->type, (int64_t)((uint64_t)axis->first + digit * (uint64_t)axis->step));
    case AUTOTUNE__DOUBLING: return autotune__value_of_int(axis->type, (int64_t)((uint64_t)axis->first << digit));
    default: return axis->values[digit];
    }
}
/* Locates a point: puts its values into value[]. The digits of the next point are those of an odometer one step
   further, so that only few axes change. */
static void autotune__locate(autotune__space *space, size_t index) {
    size_t d = space->dimension_count, a, lowest = 0;
    if (index == space->at) return;
    if (space->at != SIZE_MAX && index == space->at + 1) {
        while (d-- > 0 && ++space->dimensions[d].digit == space->dimensions[d].count) space->dimensions[d].digit = 0;
        lowest = d;                             /* the first dimension that changed */
    } else {
        size_t rest = index;
        while (d-- > 0) {
            space->dimensions[d].digit = rest % space->dimensions[d].count;
            rest /= space->dimensions[d].count;
        }
    }
    space->at = index;
    for (a = space->axis_count; a-- > 0;) {
        const autotune__axis_of_space *axis = &space->axes[a];
        if (axis->dimension < lowest) break;
        space->value[a] = autotune__axis_value(axis, space->dimensions[axis->dimension].digit);
    }
}
/* The first dimension in which the located point has a repeated row; the number of dimensions: there is none. */
static size_t autotune__repeated(const autotune__space *space) {
    size_t d;
    for (d = 0; d < space->dimension_count; d++)
        if (space->dimensions[d].repeated && space->dimensions[d].repeated[space->dimensions[d].digit]) break;
    return d;
}
/* How many of the points after the located one have the same digits up to this dimension. */
static size_t autotune__points_below(const autotune__space *space, size_t dimension) {
    size_t points = 1, d;
    for (d = dimension + 1; d < space->dimension_count; d++) points *= space->dimensions[d].count;
    return points - 1 - space->at % points;
}

/* Finds the rows of a dimension that equal an earlier row: once sorted by value, then by number, they are
   neighbours. */
typedef struct autotune__ranked { const autotune__space *space; size_t dimension, row; } autotune__ranked;
static int autotune__compare_rows(const autotune__ranked *a, const autotune__ranked *b) {
    size_t i;
    for (i = 0; i < a->space->axis_count; i++) {
        const autotune__axis_of_space *axis = &a->space->axes[i];
        uint64_t x, y;
        if (axis->dimension != a->dimension) continue;
        x = axis->values[a->row];
        y = axis->values[b->row];
        if (autotune__same_word(axis->type, x, y)) continue;
        if (axis->type == AUTOTUNE_STRING && x && y)
            return strcmp(autotune__string_of_value(x), autotune__string_of_value(y));
        return x < y ? -1 : 1;
    }
    return 0;
}
static int autotune__order_rows(const void *left, const void *right) {
    const autotune__ranked *a = (const autotune__ranked *)left, *b = (const autotune__ranked *)right;
    const int order = autotune__compare_rows(a, b);
    return order ? order : a->row < b->row ? -1 : 1;
}
static void autotune__mark_repeated(autotune__space *space, size_t dimension) {
    autotune__dimension *d = &space->dimensions[dimension];
    autotune__ranked *order = (autotune__ranked *)autotune__allocate(d->count * sizeof *order);
    size_t i;
    d->repeated = (bool *)autotune__allocate(d->count);
    if (!order || !d->repeated) space->no_memory = true;
    else {
        for (i = 0; i < d->count; i++) { order[i].space = space; order[i].dimension = dimension; order[i].row = i; }
        qsort(order, d->count, sizeof *order, autotune__order_rows);
        for (i = 1; i < d->count; i++)
            d->repeated[order[i].row] = autotune__compare_rows(&order[i - 1], &order[i]) == 0;
    }
    autotune__free(order);
}
/* After the last axis was described. */
static void autotune__finish_space(autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count && !space->no_memory; a++) {
        const autotune__axis_of_space *axis = &space->axes[a];
        if (axis->source == AUTOTUNE__LIST && !space->dimensions[axis->dimension].repeated &&
            space->dimensions[axis->dimension].count > 1)
            autotune__mark_repeated(space, axis->dimension);
    }
}
static void autotune__free_space(autotune__space *space) {
    size_t a, i;
    if (space->lent) return;
    for (a = 0; a < space->axis_count; a++) {
        autotune__axis_of_space *axis = &space->axes[a];
        for (i = 0; axis->type == AUTOTUNE_STRING && axis->values && i < space->dimensions[axis->dimension].count; i++)
            autotune__free((void *)(uintptr_t)axis->values[i]);
        autotune__free(axis->values);
        autotune__free((void *)axis->labels);
    }
    for (a = 0; a < space->dimension_count; a++) autotune__free(space->dimensions[a].repeated);
}

/* ---- src/space/labels.h --------------------------------------------------------------------------------------------
   Labels, which are what logs call values and configurations; texts that are equal for equal spaces. */

/* What logs call a value. Functions and enumerators of a list have the name that is written in the program; a name with
   a capital letter in front is taken for an enumerator. */
static void autotune__append_value(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    const autotune__axis_of_space *axis = &space->axes[a];
    const uint64_t value = autotune__axis_value(axis, digit);
    size_t length = 0;
    const char *written = axis->texts
                              ? autotune__part(axis->texts, digit + (space->dimensions[axis->dimension].table ? 1 : 0),
                                               &length)
                              : NULL;
    if (written && space->dimensions[axis->dimension].table)
        written = autotune__part_inside(written, axis->column, &length);
    if (axis->labels) { autotune__append(text, "%s", axis->labels[digit]); return; }
    switch (axis->type) {
    case AUTOTUNE_F32: case AUTOTUNE_F64:
        autotune__append_number(text, "%.9g", autotune__double_of_value(axis->type, value));
        return;
    case AUTOTUNE_STRING: autotune__append(text, "%s", value ? autotune__string_of_value(value) : "NULL"); return;
    case AUTOTUNE_POINTER:
        if (written && *written == '&') { written++; length--; }
        if (written) autotune__append(text, "%.*s", (int)length, written);
        else autotune__append(text, "%s[%lu]", axis->name, (unsigned long)digit);
        return;
    case AUTOTUNE_U64: autotune__append_integer(text, true, value); return;
    default:
        if (written && *written >= 'A' && *written <= 'Z' && !memchr(written, '(', length))
            autotune__append(text, "%.*s", (int)length, written);
        else
            autotune__append_integer(text, false, (uint64_t)autotune__int_of_value(axis->type, value));
    }
}
static void autotune__append_call_name(autotune__text *text, const autotune__space *space, size_t call) {
    size_t length = 0;
    const char *written = autotune__part(space->axes[0].texts, call, &length);
    if (space->call_names[call]) { autotune__append(text, "%s", space->call_names[call]); return; }
    if (written &&
        (!strncmp(written, "CASE(", 5) || !strncmp(written, "CASE (", 6) || !strncmp(written, "AUTOTUNE_CASE(", 14)))
        written = autotune__part_inside(written, 0, &length);
    /* What the preprocessor made of a CASE begins with "(()". */
    else if (written && !strncmp(written, "(()", 3)) written = autotune__part_inside(written, 1, &length);
    if (written) autotune__append(text, "%.*s", (int)length, written);
}
static bool autotune__is_select(const autotune__space *space) {
    return space->axis_count == 1 && space->axes[0].source == AUTOTUNE__STEPS && space->axes[0].texts;
}
/* The label of an axis of the located point. */
static void autotune__append_label(autotune__text *text, const autotune__space *space, size_t a) {
    const size_t digit = space->dimensions[space->axes[a].dimension].digit;
    if (autotune__is_select(space)) autotune__append_call_name(text, space, digit);
    else autotune__append_value(text, space, a, digit);
}
/* For instance: tile=32, unroll=4 */
static void autotune__append_point(autotune__text *text, autotune__space *space, size_t index) {
    size_t a;
    autotune__locate(space, index);
    for (a = 0; a < space->axis_count; a++) {
        if (!autotune__is_select(space)) autotune__append(text, "%s%s=", a ? ", " : "", space->axes[a].name);
        autotune__append_label(text, space, a);
    }
}
static bool autotune__has_strings(const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count; a++) if (space->axes[a].type == AUTOTUNE_STRING) return true;
    return false;
}
/* Names, types and values of all axes. Equal spaces have equal texts, in other processes, too. */
static void autotune__append_space(autotune__text *text, const autotune__space *space) {
    size_t a, i;
    for (a = 0; a < space->axis_count; a++) {
        const autotune__axis_of_space *axis = &space->axes[a];
        autotune__append(text, "\n%s:%d:%lu", axis->name, (int)axis->type, (unsigned long)axis->dimension);
        if (axis->source != AUTOTUNE__LIST)
            autotune__append(text, ":%d:%lld:%lld:%lu", (int)axis->source, (long long)axis->first,
                             (long long)axis->step, (unsigned long)space->dimensions[axis->dimension].count);
        else for (i = 0; i < space->dimensions[axis->dimension].count; i++) {
            autotune__append(text, ",");
            if (axis->type == AUTOTUNE_STRING && axis->values[i])
                autotune__append(text, "%lu:%s:", (unsigned long)strlen(autotune__string_of_value(axis->values[i])),
                                 autotune__string_of_value(axis->values[i]));
            else if (axis->type == AUTOTUNE_F32 || axis->type == AUTOTUNE_F64) {
                const double value = autotune__double_of_value(axis->type, axis->values[i]);
                autotune__append(text, "%llx:", (unsigned long long)autotune__word_double(value));
            }
            autotune__append_value(text, space, a, i);
            if (AUTOTUNE__IS_INTEGER_TYPE(axis->type))
                autotune__append(text, "(%lld)", (long long)autotune__int_of_value(axis->type, axis->values[i]));
        }
    }
}
/* The values that are pointers: spaces of this process are equal only if these are equal, too. */
static void autotune__append_pointers(autotune__text *text, const autotune__space *space) {
    size_t a, i;
    for (a = 0; a < space->axis_count; a++)
        for (i = 0; space->axes[a].type == AUTOTUNE_POINTER && i < space->dimensions[space->axes[a].dimension].count;
             i++)
            autotune__append(text, ",%llx", (unsigned long long)autotune__axis_value(&space->axes[a], i));
}

/* ---- src/space/describe.h ------------------------------------------------------------------------------------------
   Configurations as users get them: their names, labels and strings outlive the statement. */

/* What an autotune_config in a result points to. Equal descriptions are kept once, until autotune_shutdown(). */
typedef struct autotune__description {
    const char **names, **labels, **strings;
    autotune_type *types;
} autotune__description;
AUTOTUNE__DEFINE_MAP(description, autotune__description)
static autotune__description_map *autotune__descriptions;

static autotune__description *autotune__new_description(const autotune__space *space, const autotune__text *strings) {
    const size_t head = sizeof(autotune__description) +
                        space->axis_count * (3 * sizeof(char *) + sizeof(autotune_type));
    autotune__description *description =
        (autotune__description *)autotune__allocate(head + autotune__count(strings->at));
    char *at;
    size_t a;
    if (!description) return NULL;
    description->names = (const char **)(void *)(description + 1);
    description->labels = description->names + space->axis_count;
    description->strings = description->labels + space->axis_count;
    description->types = (autotune_type *)(void *)(description->strings + space->axis_count);
    at = (char *)description + head;
    memcpy(at, strings->at, autotune__count(strings->at));
    for (a = 0; a < space->axis_count; a++) {           /* name, label and string of each axis, with their zeros */
        description->types[a] = space->axes[a].type;
        description->names[a] = at;
        description->labels[a] = at += strlen(at) + 1;
        description->strings[a] = at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
    return description;
}
static const char *autotune__string_at(const autotune__space *space, size_t a) {        /* "" if it is no string */
    const bool string = space->axes[a].type == AUTOTUNE_STRING && space->value[a];
    return string ? autotune__string_of_value(space->value[a]) : "";
}
/* The description of the located point; NULL: no memory. */
static autotune__description *autotune__describe(const autotune__space *space) {
    autotune__text key = { NULL, false }, strings = { NULL, false };
    autotune__description *description = NULL;
    size_t a, i;
    for (a = 0; a < space->axis_count; a++) {
        autotune__append(&strings, "%s%c", space->axes[a].name, 0);
        autotune__append_label(&strings, space, a);
        autotune__append(&strings, "%c%s%c", 0, autotune__string_at(space, a), 0);
        autotune__append(&key, "%d,", (int)space->axes[a].type);
    }
    for (i = 0; !strings.broken && i < autotune__count(strings.at); i += strlen(strings.at + i) + 1)
        autotune__append(&key, "%lu:%s,", (unsigned long)strlen(strings.at + i), strings.at + i);
    key.broken = key.broken || strings.broken;
    autotune__lock_mutex(&autotune__lock);
    description = key.broken ? NULL : autotune__find_description(autotune__descriptions, key.at);
    if (!description && !key.broken) {
        char *copy = autotune__copy_string(key.at);
        description = copy ? autotune__new_description(space, &strings) : NULL;
        if (!description || !autotune__put_description(&autotune__descriptions, copy, description)) {
            autotune__free(copy);
            autotune__free(description);
            description = NULL;
        }
    }
    autotune__unlock_mutex(&autotune__lock);
    autotune__free_text(&key);
    autotune__free_text(&strings);
    return description;
}
/* Locates the point at index, and makes its configuration. False: no memory, and the configuration has no axes. */
static bool autotune__configure(autotune__space *space, size_t index, autotune_config *config) {
    const autotune__description *description;
    size_t a;
    memset(config, 0, sizeof *config);
    config->index = index;
    autotune__locate(space, index);
    if (!(description = autotune__describe(space))) return false;
    config->count = space->axis_count;
    config->names = description->names;
    config->labels = description->labels;
    config->types = description->types;
    for (a = 0; a < space->axis_count; a++) {
        config->values[a] = space->value[a];
        if (config->types[a] != AUTOTUNE_STRING || !space->value[a]) continue;
        config->values[a] = 0;
        memcpy(&config->values[a], &description->strings[a], sizeof description->strings[a]);
    }
    return true;
}


/* ---- src/device/cpu.h ----------------------------------------------------------------------------------------------
   The backend of the CPU, which is the reference for all backends. */

static uint64_t autotune__cpu_now(autotune_backend *self) {
    (void)self;
    return autotune__monotonic_ns();
}
/* How often the process was preempted. It is 0 for a backend with a clock of its own: a virtual clock gives the same
   times whatever else happens. */
static long autotune__preemptions(const autotune_backend *backend) {
    return backend->now == autotune__cpu_now ? autotune__involuntary_switches() : 0;
}
static void *autotune__cpu_allocate(autotune_backend *self, size_t bytes) {
    (void)self;
    return AUTOTUNE_REALLOC(NULL, bytes);
}
static void autotune__cpu_release(autotune_backend *self, void *memory) { (void)self; autotune__free(memory); }
static autotune_status autotune__cpu_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static autotune_status autotune__cpu_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                          size_t bytes) {
    return autotune__cpu_copy(self, host, (const unsigned char *)memory + offset, bytes);
}
static autotune_status autotune__cpu_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                           size_t bytes) {
    return autotune__cpu_copy(self, (unsigned char *)memory + offset, host, bytes);
}
static autotune_status autotune__cpu_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    (void)self;
    memset(memory, byte, bytes);
    return AUTOTUNE_OK;
}

/* Writes twice the last-level cache, at most 1 GiB, so that nothing else is left in it. The memory is kept for the next
   time. */
static autotune__mutex autotune__one_flush_at_a_time = AUTOTUNE__MUTEX;
static volatile unsigned char *autotune__flush_memory;
static autotune_status autotune__cpu_flush(autotune_backend *self) {
    static size_t bytes;
    volatile unsigned char *memory;
    size_t i;
    (void)self;
    autotune__lock_mutex(&autotune__one_flush_at_a_time);
    if (!autotune__flush_memory) {
        const size_t cache = autotune__cache_bytes(3);
        bytes = cache ? 2 * cache : (size_t)64 << 20;
        if (bytes > (size_t)1 << 30) bytes = (size_t)1 << 30;
        autotune__flush_memory = (volatile unsigned char *)AUTOTUNE_REALLOC(NULL, bytes);
    }
    memory = autotune__flush_memory;
    /* a line of the cache each */
    for (i = 0; memory && i < bytes; i += 64) memory[i] = (unsigned char)(memory[i] + 1);
    autotune__unlock_mutex(&autotune__one_flush_at_a_time);
    return memory ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
static void autotune__cpu_pause(autotune_backend *self, uint64_t ns) {
    (void)self;
    autotune__sleep_ns(ns);
}
static autotune_backend autotune__cpu_backend = {
    "cpu", NULL, NULL,
    autotune__cpu_now, autotune__cpu_pause,
    false, autotune__cpu_allocate, autotune__cpu_release, autotune__cpu_copy, autotune__cpu_fill, autotune__cpu_read,
    autotune__cpu_write,
    AUTOTUNE_HOT, autotune__cpu_flush, NULL, NULL,
    NULL, NULL, NULL, NULL, 0,                  /* now() measures the launches */
    NULL, NULL, NULL, NULL };
AUTOTUNE__API autotune_backend autotune_cpu(void) { return autotune__cpu_backend; }

/* ---- src/device/clock.h --------------------------------------------------------------------------------------------
   Clocks of backends: how finely they tell the time, and how long reading them takes. */

/* What is known of a backend's clock. A reading costs the least time between two readings, and a step is the least
   difference of two readings that differ. A clock that does not move in a hundred readings is read until it has made
   two steps, but no more than half a million times, some 10 ms: it may be one that only launches move. The clock that
   was used last is remembered and not measured again. */
typedef struct autotune__clock {
    autotune_backend *backend;
    uint64_t (*now)(autotune_backend *self);
    double cost_ns;                             /* of two readings, around nothing */
    double tick_ns;                             /* of a step; 0: the steps are finer than can be told */
} autotune__clock;
static autotune__clock autotune__calibrate(autotune_backend *backend) {
    autotune__clock clock = { backend, backend->now, 0, 0 };
    uint64_t last = backend->now(backend), cost = UINT64_MAX, step = UINT64_MAX;
    int i, steps = 0;
    if (backend->calibrate) { backend->calibrate(backend, &clock.tick_ns, &clock.cost_ns); return clock; }
    for (i = 0; i < 100 || (i < 500000 && steps < 2); i++) {
        const uint64_t now = backend->now(backend), delta = now > last ? now - last : 0;
        if (delta < cost) cost = delta;
        if (delta) steps++;
        if (delta && delta < step) step = delta;
        last = now;
    }
    clock.cost_ns = (double)cost;
    if (!cost && step < UINT64_MAX) clock.tick_ns = (double)step;  /* a clock that moves at every reading is finer than
                                                                      its cost */
    return clock;
}
static autotune__clock autotune__clock_of(autotune_backend *backend) {
    static autotune__clock known;
    autotune__clock clock;
    autotune__lock_mutex(&autotune__lock);
    clock = known;
    autotune__unlock_mutex(&autotune__lock);
    if (clock.backend == backend && clock.now == backend->now && !backend->calibrate) return clock;
    clock = autotune__calibrate(backend);
    autotune__lock_mutex(&autotune__lock);
    known = clock;
    autotune__unlock_mutex(&autotune__lock);
    return clock;
}

/* ---- src/device/buffers.h ------------------------------------------------------------------------------------------
   Buffers: what trials may touch. Each is snapshotted before the first trial; outputs are poisoned before a
   configuration's first launch, and compared after it with those of the first configuration that worked. */

typedef struct autotune__memory {
    autotune_buffer buffer;
    bool restore, zero, output;
    void *snapshot;                             /* in the backend's memory */
    unsigned char *expected;                    /* of an output, in the CPU's; NULL until a configuration worked */
    double largest;                             /* finite value in it */
} autotune__memory;
typedef struct autotune__memories {
    autotune__memory at[3 * AUTOTUNE_MAX_BUFFERS];
    size_t count;
    unsigned char *scratch;                     /* a chunk of an output */
    bool poisoned;                              /* outputs may hold poison that no launch has overwritten */
} autotune__memories;

/* Outputs are written and read chunk by chunk, since most wrong outputs differ in the first. The size is a power of
   two, so that the pattern of poison goes on from one chunk to the next. */
enum { AUTOTUNE__CHUNK = 1 << 22 };
static size_t autotune__chunk(const autotune_buffer *buffer, size_t at) {       /* bytes of the one that begins there */
    return buffer->bytes - at < AUTOTUNE__CHUNK ? buffer->bytes - at : (size_t)AUTOTUNE__CHUNK;
}

/* Two values agree if they differ by no more than a tolerance, relative to the expected one, or by no more than the
   rounding of the largest value in the buffer may leave behind where sums cancel: 16 units in its last place in single
   and double precision, 2 in the half ones. */
static double autotune__tolerance(autotune_type type) {
    return type == AUTOTUNE_F16 ? 1e-2
         : type == AUTOTUNE_BF16 ? 5e-2
         : type == AUTOTUNE_F32 ? 1e-4
         : 1e-10;
}
static double autotune__rounding(autotune_type type) {
    return type == AUTOTUNE_F16 ? 1.0 / 512
         : type == AUTOTUNE_BF16 ? 1.0 / 64
         : type == AUTOTUNE_F32 ? 1.0 / (1 << 19)
         : 1.0 / ((int64_t)1 << 48);
}

static bool autotune__overlap(const autotune_buffer *a, const autotune_buffer *b, bool handles) {
    const uintptr_t x = (uintptr_t)a->memory, y = (uintptr_t)b->memory;
    if (handles) return x == y;
    return x < y ? y - x < a->bytes : x - y < b->bytes;
}
static bool autotune__same_range(const autotune_buffer *a, const autotune_buffer *b) {
    return a->memory == b->memory && a->bytes == b->bytes;
}

/* What is wrong with a list, as a sentence about `.name`. False: nothing is. handles: memory is no address. */
static bool autotune__list_problem(autotune__text *problem, const char *name, const autotune_buffers *list,
                                   bool handles) {
    size_t i, j;
    if (list->count > AUTOTUNE_MAX_BUFFERS) {
        autotune__append(problem, ".%s has more than 8 buffers: make it with BUFFERS(...)", name);
        return true;
    }
    if (!list->count && list->at[0].memory) {
        autotune__append(problem, ".%s has a buffer and a count of 0: make it with BUFFERS({pointer, bytes})", name);
        return true;
    }
    for (i = 0; i < list->count; i++) {
        const autotune_buffer *b = &list->at[i];
        if (!b->memory)
            autotune__append(problem, "buffer %lu of .%s is NULL: name memory that exists when the call is made",
                             (unsigned long)i + 1, name);
        else if (!b->bytes)
            autotune__append(problem, "buffer %lu of .%s has 0 bytes: give its size, or leave it out",
                             (unsigned long)i + 1, name);
        else if ((unsigned)b->type > AUTOTUNE_F64)
            autotune__append(problem, "buffer %lu of .%s has no element type that can be compared",
                             (unsigned long)i + 1, name);
        else if (b->bytes % autotune__type_bytes(b->type))
            autotune__append(problem, "buffer %lu of .%s has %lu bytes, no multiple of its elements' %lu",
                             (unsigned long)i + 1, name, (unsigned long)b->bytes,
                             (unsigned long)autotune__type_bytes(b->type));
        else if (!autotune__is_finite(b->tolerance) || b->tolerance < 0)
            autotune__append(problem, "buffer %lu of .%s has a tolerance that is negative or no number",
                             (unsigned long)i + 1, name);
        else {
            for (j = 0; j < i && !autotune__overlap(&list->at[j], b, handles); j++) {}
            if (j == i) continue;
            autotune__append(problem, "buffers %lu and %lu of .%s overlap: name each byte once",
                             (unsigned long)j + 1, (unsigned long)i + 1, name);
        }
        return true;
    }
    return false;
}
static bool autotune__buffer_problem(autotune__text *problem, const autotune_options *options) {
    const bool handles = options->backend && options->backend->memory_is_handle;
    size_t i, j;
    if (autotune__list_problem(problem, "restore", &options->restore, handles) ||
        autotune__list_problem(problem, "zero", &options->zero, handles) ||
        autotune__list_problem(problem, "outputs", &options->outputs, handles))
        return true;
    for (i = 0; i < options->restore.count; i++)
        for (j = 0; j < options->zero.count; j++)
            if (autotune__overlap(&options->restore.at[i], &options->zero.at[j], handles)) {
                autotune__append(
                    problem,
                    "buffer %lu of .restore and buffer %lu of .zero overlap: they cannot both be put back and zeroed",
                    (unsigned long)i + 1, (unsigned long)j + 1);
                return true;
            }
    return false;
}

static autotune__memory *autotune__memory_of(autotune__memories *all,
                                             const autotune_buffer *buffer) {       /* one for each range, whatever
                                                                                       lists name it */
    size_t i;
    for (i = 0; i < all->count; i++) if (autotune__same_range(&all->at[i].buffer, buffer)) return &all->at[i];
    all->at[all->count].buffer = *buffer;
    return &all->at[all->count++];
}
/* Copies all buffers that the options name, before the first trial. */
static autotune_status autotune__snapshot(autotune__memories *all, const autotune_options *options,
                                          autotune_backend *backend) {
    size_t i, largest = 0;
    for (i = 0; i < options->restore.count; i++) autotune__memory_of(all, &options->restore.at[i])->restore = true;
    for (i = 0; i < options->zero.count; i++) autotune__memory_of(all, &options->zero.at[i])->zero = true;
    for (i = 0; i < options->outputs.count; i++) {
        autotune__memory *memory = autotune__memory_of(all, &options->outputs.at[i]);
        memory->output = true;
        memory->buffer = options->outputs.at[i];            /* its type and tolerance count */
        if (autotune__chunk(&memory->buffer, 0) > largest) largest = autotune__chunk(&memory->buffer, 0);
    }
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        autotune_status status;
        if (!(memory->snapshot = backend->allocate(backend, memory->buffer.bytes))) return AUTOTUNE_ERR_MEMORY;
        if ((status = backend->copy(backend, memory->snapshot, memory->buffer.memory, memory->buffer.bytes)) !=
            AUTOTUNE_OK) {
            backend->release(backend, memory->snapshot);
            memory->snapshot = NULL;                        /* nothing that could be put back */
            return status;
        }
    }
    if (largest && !(all->scratch = (unsigned char *)autotune__allocate(largest))) return AUTOTUNE_ERR_MEMORY;
    return AUTOTUNE_OK;
}
static autotune_status autotune__put_back(autotune__memories *all, autotune_backend *backend) {
    autotune_status worst = AUTOTUNE_OK;
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune_status status = all->at[i].snapshot ? backend->copy(backend, all->at[i].buffer.memory,
                                                                     all->at[i].snapshot, all->at[i].buffer.bytes)
                                                     : AUTOTUNE_OK;
        if (status != AUTOTUNE_OK) worst = status;
    }
    all->poisoned = false;
    return worst;
}
static void autotune__free_memories(autotune__memories *all, autotune_backend *backend) {
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        if (memory->snapshot) backend->release(backend, memory->snapshot);
        autotune__free(memory->expected);
        memory->restore = memory->zero = memory->output = false;
        memory->snapshot = NULL;
        memory->expected = NULL;
    }
    autotune__free(all->scratch);
    all->scratch = NULL;
    all->count = 0;
}

/* Poison is what outputs are filled with before a launch, so that an element that the launch does not write is noticed:
   floating-point elements become NaNs that all differ, and others noise. */
static inline uint64_t autotune__poison_word(size_t word, uint64_t nan) {
    uint64_t z = (word + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 29) * 0xBF58476D1CE4E5B9u;
    return (z ^ z >> 32) | nan;
}
/* Writes the poison of so many bytes of a buffer, from the byte `first` on, which is a multiple of 8. */
static void autotune__poison_pattern(unsigned char *out, autotune_type type, size_t first, size_t bytes) {
    const uint64_t nan = type == AUTOTUNE_F64 ? 0x7FF8000000000000u : type == AUTOTUNE_F32 ? 0x7FC000007FC00000u
                       : type == AUTOTUNE_F16 ? 0x7E007E007E007E00u : type == AUTOTUNE_BF16 ? 0x7FC07FC07FC07FC0u : 0;
    size_t i;
    for (i = 0; i < bytes / 8; i++) {
        const uint64_t word = autotune__poison_word(first / 8 + i, nan);
        memcpy(out + 8 * i, &word, 8);
    }
    if (bytes % 8) {
        const uint64_t word = autotune__poison_word(first / 8 + i, nan);
        memcpy(out + 8 * i, &word, bytes % 8);
    }
}
static autotune_status autotune__poison(autotune__memories *all, autotune_backend *backend) {
    size_t i, at;
    for (i = 0; i < all->count; i++) {
        const autotune__memory *memory = &all->at[i];
        if (!memory->output || memory->restore) continue;
        all->poisoned = true;
        for (at = 0; at < memory->buffer.bytes; at += AUTOTUNE__CHUNK) {
            const size_t bytes = autotune__chunk(&memory->buffer, at);
            autotune_status status;
            autotune__poison_pattern(all->scratch, memory->buffer.type, at, bytes);
            status = backend->write(backend, memory->buffer.memory, at, all->scratch, bytes);
            if (status != AUTOTUNE_OK) return status;
        }
    }
    return AUTOTUNE_OK;
}
static autotune_status autotune__restore_and_zero(autotune__memories *all, autotune_backend *backend) {
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        autotune_status status = AUTOTUNE_OK;
        if (memory->restore)
            status = backend->copy(backend, memory->buffer.memory, memory->snapshot, memory->buffer.bytes);
        else if (memory->zero) status = backend->fill(backend, memory->buffer.memory, 0, memory->buffer.bytes);
        if (status != AUTOTUNE_OK) return status;
    }
    return AUTOTUNE_OK;
}
/* Gives the elements that still are poison their old values back. */
static void autotune__unpoison_elements(unsigned char *now, const unsigned char *before, const unsigned char *poison,
                                        size_t bytes, size_t size) {
    size_t at;
    for (at = 0; at + size <= bytes; at += size)
        if (!memcmp(now + at, poison + at, size)) memcpy(now + at, before + at, size);
}
/* The same of bytes. Too often a launch writes a byte that equals the poison by chance. So bytes count as poison where
   four in a row do, or where they reach to the edge of the buffer. */
static void autotune__unpoison_bytes(unsigned char *now, const unsigned char *before, const unsigned char *poison,
                                     size_t bytes) {
    size_t at, end;
    for (at = 0; at < bytes; at = end + 1) {
        for (end = at; end < bytes && now[end] == poison[end]; end++) {}
        if (at == 0 || end == bytes || end - at >= 4) memcpy(now + at, before + at, end - at);
    }
}
/* The body was left in the middle of a launch: what it wrote stays, and the rest of its outputs gets its old values
   back. Without memory to tell them apart all of it does. */
static void autotune__unpoison(autotune__memories *all, autotune_backend *backend) {
    size_t i;
    if (!all->poisoned) return;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        const size_t bytes = memory->buffer.bytes;
        unsigned char *now, *before, *poison;
        if (!memory->output || memory->restore) continue;
        now = (unsigned char *)autotune__allocate(bytes);
        before = (unsigned char *)autotune__allocate(bytes);
        poison = (unsigned char *)autotune__allocate(bytes);
        if (poison) autotune__poison_pattern(poison, memory->buffer.type, 0, bytes);
        if (now && before && poison && backend->read(backend, now, memory->buffer.memory, 0, bytes) == AUTOTUNE_OK &&
            backend->read(backend, before, memory->snapshot, 0, bytes) == AUTOTUNE_OK) {
            if (memory->buffer.type == AUTOTUNE_BYTES) autotune__unpoison_bytes(now, before, poison, bytes);
            else autotune__unpoison_elements(now, before, poison, bytes, autotune__type_bytes(memory->buffer.type));
            backend->write(backend, memory->buffer.memory, 0, now, bytes);
        } else backend->copy(backend, memory->buffer.memory, memory->snapshot, bytes);
        autotune__free(now);
        autotune__free(before);
        autotune__free(poison);
    }
    all->poisoned = false;
}

/* ---- src/device/outputs.h ------------------------------------------------------------------------------------------
   Outputs: what a configuration computed, compared with what the first configuration that worked computed. */

/* One element as a double. */
static double autotune__half(unsigned bits, bool brain) {                          /* binary16, or bfloat16 */
    const unsigned exponent = brain ? bits >> 7 & 255 : bits >> 10 & 31, fraction = brain ? bits & 127 : bits & 1023;
    const uint32_t single = (bits & 0x8000u) << 16 |
                            (exponent == (brain ? 255u : 31u) ? 255u << 23
                             : exponent                       ? (brain ? exponent : exponent + 112) << 23
                                                              : 0) |
                            fraction << (brain ? 16 : 13);
    float value;
    if (!brain && !exponent) return (bits & 0x8000u ? -1.0 : 1.0) * (double)fraction / (1 << 24);
    memcpy(&value, &single, sizeof value);
    return (double)value;
}
static double autotune__element(const unsigned char *at, autotune_type type) {
    uint16_t half; uint64_t value = 0;
    if (type == AUTOTUNE_F16 || type == AUTOTUNE_BF16) {
        memcpy(&half, at, 2);
        return autotune__half(half, type == AUTOTUNE_BF16);
    }
    memcpy(&value, at, autotune__type_bytes(type));
    return autotune__double_of_value(type, value);
}

/* By how much a value may differ from the expected one: relative to that one, or in all. */
typedef struct autotune__allowed { double relative, absolute; } autotune__allowed;
static autotune__allowed autotune__allowed_of(const autotune__memory *memory) {
    const autotune_buffer *buffer = &memory->buffer;
    autotune__allowed allowed;
    allowed.relative = buffer->tolerance > 0 ? buffer->tolerance : autotune__tolerance(buffer->type);
    allowed.absolute = autotune__rounding(buffer->type) * memory->largest;
    return allowed;
}
/* For finite values. A distance near the largest double may be one that was too large for a double. */
#define AUTOTUNE__LARGEST_DISTANCE 1e308
static inline bool autotune__is_near(double x, double y, autotune__allowed allowed) {
    const double distance = fabs(x - y);
    return (distance <= allowed.relative * fabs(y) || distance <= allowed.absolute) &&
           distance < AUTOTUNE__LARGEST_DISTANCE;
}
/* Infinities and NaNs are recognised by the bits of their exponent, which are all set, since with -ffast-math a
   compiler takes it that there are none. */
static uint64_t autotune__exponent_bits(autotune_type type) {
    return type == AUTOTUNE_F64   ? 0x7FF0000000000000u
           : type == AUTOTUNE_F32 ? 0x7F800000u
           : type == AUTOTUNE_F16 ? 0x7C00u
                                  : 0x7F80u;
}
static bool autotune__passes(const unsigned char *got, const unsigned char *expected, autotune_type type,
                             autotune__allowed allowed) {
    const uint64_t exponent = autotune__exponent_bits(type), magnitude = exponent | (exponent - 1);
    uint64_t x = 0, y = 0;
    memcpy(&x, got, autotune__type_bytes(type));
    memcpy(&y, expected, autotune__type_bytes(type));
    if ((x & exponent) == exponent || (y & exponent) == exponent)
        return (x & magnitude) > exponent && (y & magnitude) > exponent;
    return autotune__is_near(autotune__element(got, type), autotune__element(expected, type), allowed);
}
/* Are all elements near the expected ones? The answer may be false where there are infinities or NaNs. A comparison
   spends its time here, so there is no branch for an element. */
static bool autotune__are_near_f32(const unsigned char *got, const unsigned char *expected, size_t count,
                                   autotune__allowed allowed) {
    size_t i, far = 0;
    for (i = 0; i < count; i++) {
        uint32_t a, b, special;
        float x, y;
        double distance, magnitude;
        memcpy(&a, got + 4 * i, 4);
        memcpy(&b, expected + 4 * i, 4);
        special = ((a & 0x7F800000u) == 0x7F800000u) | ((b & 0x7F800000u) == 0x7F800000u);
        a &= special - 1;                       /* 0 in its place */
        b &= special - 1;
        memcpy(&x, &a, 4);
        memcpy(&y, &b, 4);
        distance = fabs((double)x - (double)y);
        magnitude = allowed.relative * fabs((double)y);
        far += special | (size_t)!((distance <= magnitude) | (distance <= allowed.absolute));
    }
    return far == 0;
}
static bool autotune__are_near_f64(const unsigned char *got, const unsigned char *expected, size_t count,
                                   autotune__allowed allowed) {
    size_t i, far = 0;
    for (i = 0; i < count; i++) {
        const uint64_t exponent = 0x7FF0000000000000u;
        uint64_t a, b, special;
        double x, y, distance;
        memcpy(&a, got + 8 * i, 8);
        memcpy(&b, expected + 8 * i, 8);
        special = ((a & exponent) == exponent) | ((b & exponent) == exponent);
        a &= special - 1;
        b &= special - 1;
        memcpy(&x, &a, 8);
        memcpy(&y, &b, 8);
        distance = fabs(x - y);
        far += (size_t)special | (size_t)(!((distance <= allowed.relative * fabs(y)) | (distance <= allowed.absolute)) |
                                  !(distance < AUTOTUNE__LARGEST_DISTANCE));
    }
    return far == 0;
}
static bool autotune__are_near_halves(const unsigned char *got, const unsigned char *expected, size_t count,
                                      autotune_type type, autotune__allowed allowed) {
    size_t i;
    for (i = 0; i < count; i++)
        if (memcmp(got + 2 * i, expected + 2 * i, 2) && !autotune__passes(got + 2 * i, expected + 2 * i, type, allowed))
            return false;
    return true;
}
static bool autotune__are_near(autotune_type type, const unsigned char *got, const unsigned char *expected,
                               size_t bytes, autotune__allowed allowed) {
    switch (type) {
    case AUTOTUNE_F16: case AUTOTUNE_BF16: return autotune__are_near_halves(got, expected, bytes / 2, type, allowed);
    case AUTOTUNE_F32: return autotune__are_near_f32(got, expected, bytes / 4, allowed);
    case AUTOTUNE_F64: return autotune__are_near_f64(got, expected, bytes / 8, allowed);
    default: return false;
    }
}
/* The offset of the first element that differs; `bytes` if none does. Block by block, since most blocks are the same,
   or near. */
static size_t autotune__difference(autotune_type type, const unsigned char *got, const unsigned char *expected,
                                   size_t bytes, autotune__allowed allowed) {
    const size_t size = autotune__type_bytes(type), block = 4096;
    size_t start, at;
    for (start = 0; start < bytes; start += block) {
        const size_t end = bytes - start < block ? bytes : start + block;
        if (!memcmp(got + start, expected + start, end - start) ||
            autotune__are_near(type, got + start, expected + start, end - start, allowed)) continue;
        for (at = start; at < end; at += size) {
            if (!memcmp(got + at, expected + at, size)) continue;
            if (!autotune__is_float(type) || !autotune__passes(got + at, expected + at, type, allowed)) return at;
        }
    }
    return bytes;
}
/* The largest magnitude among the finite elements of a buffer. */
static double autotune__largest(const autotune_buffer *buffer, const unsigned char *values) {
    const autotune_type type = buffer->type;
    const size_t size = autotune__type_bytes(type);
    const uint64_t exponent = autotune__exponent_bits(type);
    double largest = 0;
    size_t at;
    for (at = 0; autotune__is_float(type) && at < buffer->bytes; at += size) {
        uint64_t bits = 0;
        double y;
        memcpy(&bits, values + at, size);
        if ((bits & exponent) == exponent) continue;
        y = fabs(autotune__element(values + at, type));
        if (y > largest) largest = y;
    }
    return largest;
}
static void autotune__append_element(autotune__text *text, const autotune_buffer *buffer, const unsigned char *at) {
    uint64_t value = 0;
    memcpy(&value, at, autotune__type_bytes(buffer->type));
    if (autotune__is_float(buffer->type)) autotune__append_number(text, "%.9g", autotune__element(at, buffer->type));
    else if (buffer->type == AUTOTUNE_BYTES) autotune__append(text, "0x%02x", *at);
    else autotune__append_integer(text, buffer->type == AUTOTUNE_U64,
                                  (uint64_t)autotune__int_of_value(buffer->type, value));
}
/* Compares an output with what is expected. AUTOTUNE_FAILED: they differ, and `why` says where. */
static autotune_status autotune__compare_output(autotune__memories *all, const autotune__memory *memory,
                                                autotune_backend *backend, autotune__text *why) {
    const autotune_buffer *buffer = &memory->buffer;
    const autotune__allowed allowed = autotune__allowed_of(memory);
    size_t at, bytes, different;
    for (at = 0; at < buffer->bytes; at += bytes) {
        const unsigned char *expected = memory->expected + at;
        const autotune_status status = backend->read(backend, all->scratch, buffer->memory, at,
                                                     bytes = autotune__chunk(buffer, at));
        if (status != AUTOTUNE_OK) return status;
        different = autotune__difference(buffer->type, all->scratch, expected, bytes, allowed);
        if (different == bytes) continue;
        autotune__append(why, "wrong output: element %lu is ",
                         (unsigned long)((at + different) / autotune__type_bytes(buffer->type)));
        autotune__append_element(why, buffer, all->scratch + different);
        autotune__append(why, ", not ");
        autotune__append_element(why, buffer, expected + different);
        return AUTOTUNE_FAILED;
    }
    return AUTOTUNE_OK;
}
static autotune_status autotune__compare(autotune__memories *all, autotune_backend *backend, autotune__text *why) {
    size_t i;
    for (i = 0; i < all->count; i++) {
        const autotune__memory *memory = &all->at[i];
        const autotune_status status = memory->output && memory->expected
                                           ? autotune__compare_output(all, memory, backend, why)
                                           : AUTOTUNE_OK;
        if (status != AUTOTUNE_OK) return status;
    }
    return AUTOTUNE_OK;
}
static autotune_status autotune__keep_outputs(autotune__memories *all,
                                              autotune_backend *backend) {  /* of the first configuration that worked */
    size_t i;
    for (i = 0; i < all->count; i++) {
        autotune__memory *memory = &all->at[i];
        autotune_status status;
        if (!memory->output || memory->expected) continue;
        if (!(memory->expected = (unsigned char *)autotune__allocate(memory->buffer.bytes))) return AUTOTUNE_ERR_MEMORY;
        if ((status = backend->read(backend, memory->expected, memory->buffer.memory, 0, memory->buffer.bytes)) !=
            AUTOTUNE_OK)
            return status;
        memory->largest = autotune__largest(&memory->buffer, memory->expected);
    }
    return AUTOTUNE_OK;
}


/* ---- src/search/points.h -------------------------------------------------------------------------------------------
   A search, which chooses the point of a large space to try next: its data, the points of its space, and drawing one.

   A search asks for one thing at a time, like a race: JUDGE a point (does WHERE admit it?), or TRY it. It keeps only
   the points that were tried, and a pool of proposals. RANDOM draws without replacement. GENETIC combines the best 20.

   SURROGATE forecasts log(time) by a Gaussian process. The covariance of two points is called their similarity. On one
   axis the similarity (likeness) decreases with the distance of the two values; how fast (fading, the inverse of a
   length scale) is learnt from the trials, one number for each axis. Some spaces have axes that act independently, and
   in others the axes interact: so one part of the similarity is the mean of the axes' likeness, and the other part the
   product. */

/* Numbers that were tuned on seven recorded spaces, and not derived: bench/search --leave-one-out varies them. */
typedef struct autotune__search_habits {
    size_t first;                               /* trials of points that lie far apart, before the first forecast */
    size_t patience;                            /* trials without gain, after which two of three explore */
    double curiosity;                           /* exploring takes the least mean - curiosity * standard deviation */
    double additive;                            /* the share of the mean in the similarity; the rest is the product */
    double fading;                              /* of every axis, before anything is learnt */
    double cap;                                 /* longer times count as median + cap * (median - best) */
} autotune__search_habits;
static const autotune__search_habits autotune__usual_habits = { 8, 10, 2.0, 0.3, 0.3, 1.0 };

enum {
    AUTOTUNE__POPULATION = 20,                  /* the best trials, from which crossings are made */
    AUTOTUNE__BINS = 64,                      /* of an axis: the model does not tell values of one bin apart */
    AUTOTUNE__REVIEWED = 64,                    /* points from which the model learns the fading of the axes */
    AUTOTUNE__KNOWN_POINTS = 160,               /* room of the model; when it is full, the best and some others stay */
    AUTOTUNE__POOL = 128,                       /* proposals that are kept from one trial to the next */
    AUTOTUNE__LISTED_POINTS = 1 << 20,          /* autotune_search lists a space up to this size */
    AUTOTUNE__FRUITLESS = 1 << 22               /* draws in a row without a new point, after which none is left */
};

#define AUTOTUNE__USUAL_NOISE (-4.6)            /* the logarithm of its share of the variance: a hundredth */

typedef struct autotune__ordered { double log_ns; size_t trial; } autotune__ordered;
typedef struct autotune__tried_point {
    size_t index;
    double log_ns;                              /* AUTOTUNE__NEVER: the configuration failed */
    unsigned char bin[AUTOTUNE_MAX_AXES];
} autotune__tried_point;

/* A point that may be tried next, and its forecast. L * whitened = its similarities to the points of the model. */
typedef struct autotune__proposal {
    size_t index;
    unsigned char bin[AUTOTUNE_MAX_AXES];
    float mean, variance;
    float whitened[AUTOTUNE__KNOWN_POINTS];
} autotune__proposal;

/* The model of SURROGATE. Its points are the trials from which it forecasts. L is the Cholesky factor of the matrix of
   their similarities; on its diagonal are the inverse values. */
typedef struct autotune__surrogate {
    double fading[AUTOTUNE_MAX_AXES + 1];       /* logarithms: of each axis; the last is the share of noise */
    float likeness[AUTOTUNE_MAX_AXES][2 * AUTOTUNE__BINS];              /* at [AUTOTUNE__BINS + difference of bins] */
    size_t point[AUTOTUNE__KNOWN_POINTS];       /* numbers of trials */
    unsigned char bin[AUTOTUNE_MAX_AXES][AUTOTUNE__KNOWN_POINTS];       /* of each point on each axis */
    size_t count, factored, absorbed;           /* numbers of points; of rows of L; of trials that were considered */
    size_t next_review;                         /* at this number of trials the fading of the axes is learnt anew */
    float target[AUTOTUNE__KNOWN_POINTS];       /* logarithms of times, capped, with mean 0 and deviation 1 */
    float L[AUTOTUNE__KNOWN_POINTS][AUTOTUNE__KNOWN_POINTS];
    float solved[AUTOTUNE__KNOWN_POINTS];       /* L solved = target */
    float noise;                                /* is added to the similarity of a point with itself */
    float best, scale;                          /* the least target; the variance that a similarity of 1 means */
    double deviation;                           /* the standard deviation of log times that a target of 1 means */
    autotune__proposal pool[AUTOTUNE__POOL];
    size_t proposals;
} autotune__surrogate;

typedef enum autotune__purpose { AUTOTUNE__TO_TRY, AUTOTUNE__TO_POOL, AUTOTUNE__CHOSEN } autotune__purpose;
typedef enum autotune__move { AUTOTUNE__JUDGE, AUTOTUNE__TRY, AUTOTUNE__EXHAUSTED, AUTOTUNE__NO_ROOM } autotune__move;

/* An axis with more than one value, as the model sees it. */
typedef struct autotune__feature {
    size_t axis;                                /* its number in the search */
    size_t count;                               /* of different values, at least 2 */
    bool categorical;
    unsigned char *bin;                         /* of each value; NULL: autotune__bin_of() the value's number */
} autotune__feature;

struct autotune_search {
    size_t axis_count, count[AUTOTUNE_MAX_AXES];
    bool unordered[AUTOTUNE_MAX_AXES];          /* values with neighbouring numbers are not alike */
    autotune__feature features[AUTOTUNE_MAX_AXES];
    size_t feature_count;
    size_t points;                              /* of the product */
    const size_t *list;                         /* the admitted points, ascending; NULL: points are judged one by one */
    size_t list_count;
    autotune_strategy strategy;
    autotune__search_habits habits;
    uint64_t random;
    autotune__tried_point *trials;
    size_t best[AUTOTUNE__POPULATION], best_count;      /* the best trials that worked, the fastest first */
    size_t improved;                            /* the number of trials at the last gain of more than 0.2 % */
    size_t *visited, visited_count, visited_room;       /* points that were asked for: a hash set of index + 1 */
    size_t *preferred, preferred_next;          /* points to be tried first */
    size_t drawn;                               /* the point that was drawn last */
    autotune__purpose purpose;
    bool judging;
    size_t sweep_axis, sweep_value;             /* the next neighbour of the best point that becomes a proposal */
    size_t wanted;                              /* so many more proposals, before one of the pool is chosen */
    bool filling;                               /* the pool is being filled for the next choice */
    bool uniform, sparse;                       /* draws are uniform until one is admitted; such draws find none */
    size_t ordered;                             /* EXHAUSTIVE: the next point, or its number in the list */
    size_t fruitless;                           /* draws in a row that found no new admitted point */
    bool no_memory;
    autotune__ordered *order;                   /* scratch memory for sorting trials */
    double gain;                                /* that is expected of the next trial, 0.02 for 2 %; 1: unknown */
    autotune__surrogate *model;
    bool (*where)(void *user, const size_t *values, size_t bound);      /* from autotune_search_create() */
    void *user;
    size_t *own_list;
};

static size_t autotune__trial_count(const autotune_search *search) {
    return autotune__count(search->trials);
}
static uint64_t autotune__draw(autotune_search *search, uint64_t below) {
    return autotune__random_below(&search->random, below);
}

/* The number of a point's value on each axis. */
static void autotune__values_of(const autotune_search *search, size_t index, size_t *values) {
    size_t a;
    for (a = search->axis_count; a-- > 0;) { values[a] = index % search->count[a]; index /= search->count[a]; }
}
static size_t autotune__index_of(const autotune_search *search, const size_t *values) {
    size_t a, index = 0;
    for (a = 0; a < search->axis_count; a++) index = index * search->count[a] + values[a];
    return index;
}
/* On an axis with more than AUTOTUNE__BINS values several values share a bin. */
static unsigned char autotune__bin_of(size_t value, size_t count, bool categorical) {
    const size_t bins = AUTOTUNE__BINS;
    if (count <= bins) return (unsigned char)value;
    return (unsigned char)(categorical ? value % bins
                                       : (size_t)((double)value * (double)(bins - 1) / (double)(count - 1)));
}
static void autotune__bins_of(const autotune_search *search, size_t index, unsigned char *bins) {
    size_t i, values[AUTOTUNE_MAX_AXES];
    autotune__values_of(search, index, values);
    for (i = 0; i < search->feature_count; i++) {
        const autotune__feature *feature = &search->features[i];
        const size_t value = values[feature->axis];
        bins[i] = feature->bin ? feature->bin[value]
                               : autotune__bin_of(value, feature->count, feature->categorical);
    }
}
/* The position of a point in the list; SIZE_MAX: it is not there. */
static size_t autotune__listed(const autotune_search *search, size_t index) {
    return autotune__position_of(index, search->list, search->list_count);
}

/* The hash set of visited points has open addressing, and is never more than half full. */
static size_t autotune__slot_of(const autotune_search *search, size_t index) {
    size_t slot = (size_t)autotune__hash_word(0, index) & (search->visited_room - 1);
    while (search->visited[slot] && search->visited[slot] != index + 1) slot = (slot + 1) & (search->visited_room - 1);
    return slot;
}
static bool autotune__is_visited(const autotune_search *search, size_t index) {
    return search->visited_room && search->visited[autotune__slot_of(search, index)];
}
static bool autotune__visit_point(autotune_search *search, size_t index) {      /* false: no memory */
    if (2 * (search->visited_count + 1) > search->visited_room) {
        size_t *old = search->visited, old_room = search->visited_room, room = old_room ? 2 * old_room : 256, i;
        size_t *visited = (size_t *)autotune__allocate(room * sizeof *visited);
        if (!visited) return false;
        search->visited = visited;
        search->visited_room = room;
        for (i = 0; i < old_room; i++) if (old[i]) visited[autotune__slot_of(search, old[i] - 1)] = old[i];
        autotune__free(old);
    }
    search->visited_count += !autotune__is_visited(search, index);
    search->visited[autotune__slot_of(search, index)] = index + 1;
    return true;
}

/* Draws a point uniformly; the caller draws again if it is visited or not admitted. If a listed point is visited, the
   next one in the list that is not is taken instead. That favours neighbours of tried points, so RANDOM first draws up
   to 1000 times. */
static size_t autotune__draw_uniform(autotune_search *search) {
    size_t position, i, draws = search->strategy == AUTOTUNE_RANDOM ? 1000 : 1;
    if (!search->list) return (size_t)autotune__draw(search, search->points);
    do position = (size_t)autotune__draw(search, search->list_count);
    while (autotune__is_visited(search, search->list[position]) && --draws);
    for (i = 0; i < search->list_count && autotune__is_visited(search, search->list[position]); i++)
        if (++position == search->list_count) position = 0;
    return search->list[position];
}
/* Draws another value on one axis. On an ordered axis of more than 8 values, half of the draws move by a power of
   two. */
static void autotune__vary(autotune_search *search, size_t *values, size_t axis) {
    const size_t count = search->count[axis], last = count - 1;
    if (!search->unordered[axis] && count > 8 && autotune__draw(search, 2)) {
        size_t levels = 0, step;
        while (last >> (levels + 1)) levels++;
        step = (size_t)1 << autotune__draw(search, levels + 1);
        if (autotune__draw(search, 2)) values[axis] = last - values[axis] < step ? last : values[axis] + step;
        else values[axis] = values[axis] < step ? 0 : values[axis] - step;
    } else values[axis] = (size_t)autotune__draw(search, count);
}
/* Draws one of the best `most` trials; better ones are drawn more often. */
static size_t autotune__draw_best(autotune_search *search, size_t most) {
    const size_t below = 1 + (size_t)autotune__draw(search, most < search->best_count ? most : search->best_count);
    return search->trials[search->best[autotune__draw(search, below)]].index;
}
/* One of the best trials with one, two or three values changed. */
static size_t autotune__draw_neighbour(autotune_search *search) {
    size_t values[AUTOTUNE_MAX_AXES],
        changes = 1 + (size_t)autotune__draw(search, 2) + (autotune__draw(search, 8) == 0);
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION / 2), values);
    while (changes--) autotune__vary(search, values, (size_t)autotune__draw(search, search->axis_count));
    return autotune__index_of(search, values);
}
/* A crossing of two of the best trials: each value comes from one of them. */
static size_t autotune__draw_child(autotune_search *search, bool mutate) {
    size_t mother[AUTOTUNE_MAX_AXES], father[AUTOTUNE_MAX_AXES], a;
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION), mother);
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION), father);
    for (a = 0; a < search->axis_count; a++) {
        if (autotune__draw(search, 2)) mother[a] = father[a];
        if (mutate && autotune__draw(search, search->axis_count) == 0) autotune__vary(search, mother, a);
    }
    return autotune__index_of(search, mother);
}

/* ---- src/search/model.h --------------------------------------------------------------------------------------------
   The model of SURROGATE: a Gaussian process that forecasts the times of points that were not tried. */

/* The likeness of two bins of an axis at distance r is (exp(-r) + exp(-3 r^2)) / 2. The first half falls at once, and
   the second slowly, since the times along some axes have cliffs, and along others are smooth. */
static void autotune__fade(autotune_search *search, size_t i) {
    const autotune__feature *feature = &search->features[i];
    const size_t bins = AUTOTUNE__BINS, count = feature->count < bins ? feature->count : bins;
    const double fading = autotune__exp(search->model->fading[i]);
    float *middle = search->model->likeness[i] + bins;
    size_t apart;
    for (apart = 0; apart < bins; apart++) {
        const double r = fading * (feature->categorical ? (double)(apart > 0) : (double)apart / (double)(count - 1));
        middle[apart] = *(middle - apart) = (float)(0.5 * autotune__exp(-r) + 0.5 * autotune__exp(-3 * r * r));
    }
}
/* The similarity of a point, given by its bins, to the points [from, to) of the model. */
static void autotune__compare_bins(const autotune_search *search, const unsigned char *bin, size_t from, size_t to,
                                     float *similarity) {
    const autotune__surrogate *m = search->model;
    const float additive = (float)search->habits.additive,
                share = search->feature_count ? additive / (float)search->feature_count : 0;
    float sum[AUTOTUNE__KNOWN_POINTS];
    size_t i, j;
    for (j = from; j < to; j++) { similarity[j] = 1 - additive; sum[j] = 0; }
    for (i = 0; i < search->feature_count; i++) {
        const float *likeness = &m->likeness[i][AUTOTUNE__BINS - bin[i]];
        const unsigned char *other = m->bin[i];
        for (j = from; j < to; j++) {
            similarity[j] *= likeness[other[j]];
            sum[j] += likeness[other[j]];
        }
    }
    for (j = from; j < to; j++) similarity[j] += share * sum[j];
}

/* Computes row i of L. */
static void autotune__factor_row(autotune_search *search, size_t i) {
    autotune__surrogate *m = search->model;
    float *row = m->L[i], rest;
    size_t j;
    autotune__compare_bins(search, search->trials[m->point[i]].bin, 0, i, row);
    for (j = 0; j < i; j++) row[j] = (row[j] - autotune__dot(row, m->L[j], j)) * m->L[j][j];
    rest = 1 + m->noise - autotune__dot(row, row, i);
    row[i] = autotune__inverse_root(rest > 1e-5f ? rest : 1e-5f);
}
static void autotune__solve(autotune__surrogate *m, size_t count) {
    float sum = 0;
    size_t i;
    for (i = 0; i < count; i++) {
        m->solved[i] = (m->target[i] - autotune__dot(m->L[i], m->solved, i)) * m->L[i][i];
        sum += m->solved[i] * m->solved[i];
    }
    m->scale = sum / (float)count + 1e-12f;
}
/* The logarithm of the likelihood of the first `count` targets, plus that of a normal prior for the fading of the
   axes. */
static double autotune__likelihood(autotune_search *search, size_t count) {
    autotune__surrogate *m = search->model;
    const double spread = 1.5, noise_spread = 2;
    double sum, distance;
    size_t i;
    m->noise = (float)autotune__exp(m->fading[AUTOTUNE_MAX_AXES]);
    for (i = 0; i < count; i++) autotune__factor_row(search, i);
    autotune__solve(m, count);
    sum = -0.5 * (double)count * autotune__logarithm((double)m->scale);
    for (i = 0; i < count; i++) sum += autotune__logarithm((double)m->L[i][i]);
    for (i = 0; i < search->feature_count; i++) {
        distance = (m->fading[i] - autotune__logarithm(search->habits.fading)) / spread;
        sum -= 0.5 * distance * distance;
    }
    distance = (m->fading[AUTOTUNE_MAX_AXES] - AUTOTUNE__USUAL_NOISE) / noise_spread;
    return sum - 0.5 * distance * distance;
}
/* Learns one fading: it moves down or up by a step if that is more likely, and else stays as it was. */
static void autotune__learn_number(autotune_search *search, size_t i, double step, size_t count, double *likelihood) {
    autotune__surrogate *m = search->model;
    const double before = m->fading[i];
    int direction;
    for (direction = -1; direction <= 1; direction += 2) {
        double now;
        m->fading[i] = before + direction * step;
        if (i < AUTOTUNE_MAX_AXES) autotune__fade(search, i);
        if ((now = autotune__likelihood(search, count)) > *likelihood) { *likelihood = now; return; }
    }
    m->fading[i] = before;
    m->noise = (float)autotune__exp(m->fading[AUTOTUNE_MAX_AXES]);
    if (i < AUTOTUNE_MAX_AXES) autotune__fade(search, i);
}
static void autotune__learn(autotune_search *search) {
    autotune__surrogate *m = search->model;
    const size_t most = AUTOTUNE__REVIEWED, count = m->count < most ? m->count : most;
    double likelihood, step;
    size_t i;
    likelihood = autotune__likelihood(search, count);
    for (step = count < most ? 1 : 0.6; step > 0.5; step *= 0.6) {     /* with many points little changes */
        for (i = 0; i < search->feature_count; i++) autotune__learn_number(search, i, step, count, &likelihood);
        autotune__learn_number(search, AUTOTUNE_MAX_AXES, step, count, &likelihood);
    }
}

/* Forecasts a proposal. Its forecast from the points of the model before `from` is known already. */
static void autotune__forecast(const autotune_search *search, autotune__proposal *p, size_t from) {
    const autotune__surrogate *m = search->model;
    size_t i;
    if (!from) p->variance = 1;
    autotune__compare_bins(search, p->bin, from, m->count, p->whitened);
    for (i = from; i < m->count; i++) {
        p->whitened[i] = (p->whitened[i] - autotune__dot(m->L[i], p->whitened, i)) * m->L[i][i];
        p->variance -= p->whitened[i] * p->whitened[i];
    }
    p->mean = autotune__dot(p->whitened, m->solved, m->count);
}
static float autotune__deviation(const autotune__surrogate *m, const autotune__proposal *p) {
    const float variance = (p->variance > 1e-6f ? p->variance : 1e-6f) * m->scale;
    return variance * autotune__inverse_root(variance);
}
/* The expected improvement of Bayesian optimisation: the mean of max(0, best - time), where best - time is normal with
   mean `below`. It is deviation * h(z) with h(z) = density(z) + z * probability(z) of the normal distribution. For z <
   0 h is the density over a parabola, within 5 % for z > -3; and h(z) = z + h(-z). */
static float autotune__expected_gain(float below, float deviation) {
    const float z = below / deviation, t = z < 0 ? -z : z;
    const float h = 0.39894228f * (float)autotune__exp(-0.5 * (double)(z * z)) / (1 + 1.2533f * t + 0.7f * t * t);
    return (below > 0 ? below : 0) + deviation * h;
}

/* Puts the `count` least elements in front (Hoare's selection). */
static void autotune__select(autotune__ordered *all, size_t total, size_t count) {
    size_t low = 0, high = total;               /* all[low..high) is not partitioned yet */
    while (high > low + 1 && count > low && count < high) {
        const double pivot = all[low + (high - low) / 2].log_ns;
        size_t i = low, j = high - 1;
        for (;;) {
            autotune__ordered swap;
            while (all[i].log_ns < pivot) i++;
            while (all[j].log_ns > pivot) j--;
            if (i >= j) break;
            swap = all[i]; all[i] = all[j]; all[j] = swap;
            i++; j--;
        }
        if (count <= i) high = i; else low = i;
    }
}
static void autotune__add_point(autotune_search *search, size_t trial) {
    autotune__surrogate *m = search->model;
    size_t i;
    for (i = 0; i < search->feature_count; i++) m->bin[i][m->count] = search->trials[trial].bin[i];
    m->point[m->count++] = trial;
}
/* Chooses the points of the model: the best trials, and others drawn from the rest. False: no memory. */
static bool autotune__choose_points(autotune_search *search, size_t best, size_t total) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials);
    size_t i;
    autotune__set_count(search->order, 0);
    if (!AUTOTUNE__ROOM(search->order, trials)) return false;
    for (i = 0; i < trials; i++) {
        autotune__ordered ordered;
        ordered.log_ns = search->trials[i].log_ns;
        ordered.trial = i;
        (void)AUTOTUNE__PUSH(search->order, ordered);
    }
    autotune__select(search->order, trials, best);
    m->count = m->factored = 0;
    for (i = 0; i < total; i++) {
        const size_t j = i < best ? i : i + (size_t)autotune__draw(search, trials - i);
        autotune__add_point(search, search->order[j].trial);
        search->order[j] = search->order[i];
    }
    m->absorbed = trials;
    return true;
}
/* Sets the targets to the logarithms of the points' times. Slow times are capped, since differences among them tell
   little. A failure counts as a capped time, but as at least a hundredth slower than the best. False: no point
   worked. */
static bool autotune__set_targets(autotune_search *search) {
    autotune__surrogate *m = search->model;
    autotune__ordered times[AUTOTUNE__KNOWN_POINTS];
    double least = AUTOTUNE__NEVER, greatest = -AUTOTUNE__NEVER, median, cap, failed, mean = 0, square = 0;
    size_t i, worked = 0;
    for (i = 0; i < m->count; i++) {
        const double time = search->trials[m->point[i]].log_ns;
        if (time >= AUTOTUNE__NEVER) continue;
        times[worked++].log_ns = time;
        if (time < least) least = time;
        if (time > greatest) greatest = time;
    }
    if (!worked) return false;
    autotune__select(times, worked, worked / 2);
    for (median = AUTOTUNE__NEVER, i = worked / 2; i < worked; i++)
        if (times[i].log_ns < median) median = times[i].log_ns;
    cap = median + search->habits.cap * (median - least);
    if (cap > greatest || cap <= least) cap = greatest;
    failed = cap > least + 0.01 ? cap : least + 0.01;
    for (i = 0; i < m->count; i++) {
        const double time = search->trials[m->point[i]].log_ns, capped = time < cap               ? time
                                                                         : time < AUTOTUNE__NEVER ? cap
                                                                                                  : failed;
        m->target[i] = (float)(capped - least);
        mean += (capped - least) / (double)m->count;
        square += (capped - least) * (capped - least) / (double)m->count;
    }
    square = square > mean * mean + 1e-12 ? square - mean * mean : 1e-12;
    m->deviation = autotune__exp(autotune__logarithm(square) / 2);
    for (i = 0; i < m->count; i++) m->target[i] = (float)(((double)m->target[i] - mean) / m->deviation);
    m->best = (float)(-mean / m->deviation);
    return true;
}
/* Makes points of the new trials. Before a review the best trials come first, since the fading of the axes is learnt
   from the first points. False: no memory. */
static bool autotune__absorb_trials(autotune_search *search, bool reviews) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__trial_count(search), room = AUTOTUNE__KNOWN_POINTS, kept = room * 3 / 5;
    if (trials > m->absorbed + room - m->count) return autotune__choose_points(search, kept * 3 / 4, kept);
    if (reviews)
        return autotune__choose_points(search, trials < AUTOTUNE__REVIEWED ? trials : AUTOTUNE__REVIEWED / 2, trials);
    while (m->absorbed < trials) autotune__add_point(search, m->absorbed++);
    return true;
}
/* Brings the model and the forecasts up to the last trial. False: no memory. */
static bool autotune__update_model(autotune_search *search) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__trial_count(search);
    const bool forecasts = trials >= search->habits.first && search->best_count,
               reviews = forecasts && trials >= m->next_review && trials <= AUTOTUNE__KNOWN_POINTS;
    size_t i, from;
    if (!autotune__absorb_trials(search, reviews)) return false;
    if (!forecasts || !autotune__set_targets(search)) return true;
    if (reviews) {
        autotune__learn(search);
        m->next_review = trials + trials / 3 + 1;
        m->factored = 0;
    }
    from = m->factored;
    for (; m->factored < m->count; m->factored++) autotune__factor_row(search, m->factored);
    autotune__solve(m, m->count);
    for (i = 0; i < m->proposals; i++) autotune__forecast(search, &m->pool[i], from);
    return true;
}

/* ---- src/search/strategies.h ---------------------------------------------------------------------------------------
   The strategies of a search: which point to judge or to try next; the pool of proposals. */

static void autotune__drop_proposal(autotune__surrogate *m, size_t index) {
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) { m->pool[i] = m->pool[--m->proposals]; return; }
}
/* Adds a point to the pool. In a full pool it replaces the proposal that promises least. */
static void autotune__add_proposal(autotune_search *search, size_t index) {
    autotune__surrogate *m = search->model;
    autotune__proposal *proposal;
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) return;
    if (m->proposals < AUTOTUNE__POOL) proposal = &m->pool[m->proposals++];
    else {
        float worst = -FLT_MAX;
        for (proposal = m->pool, i = 0; i < AUTOTUNE__POOL; i++) {
            const float least = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
            if (least > worst) { worst = least; proposal = &m->pool[i]; }
        }
    }
    proposal->index = index;
    autotune__bins_of(search, index, proposal->bin);
    if (m->factored) autotune__forecast(search, proposal, 0);
}
/* Before anything can be forecast: chooses the proposal that is least similar to the points that were tried. */
static size_t autotune__choose_unknown(const autotune_search *search) {
    const autotune__surrogate *m = search->model;
    float least = FLT_MAX, similarity[AUTOTUNE__KNOWN_POINTS];
    size_t i, j, chosen = 0;
    for (i = 0; i < m->proposals; i++) {
        float nearest = 0;
        autotune__compare_bins(search, m->pool[i].bin, 0, m->count, similarity);
        for (j = 0; j < m->count; j++) if (similarity[j] > nearest) nearest = similarity[j];
        if (nearest < least) { least = nearest; chosen = i; }
    }
    return chosen;
}
/* Chooses the proposal with the greatest expected gain. After many trials without gain, two of three choices explore:
   they take the proposal whose time may be the least. */
static size_t autotune__choose_proposal(autotune_search *search) {
    const autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials);
    const bool curious = trials - search->improved > search->habits.patience && autotune__draw(search, 3);
    float most = -FLT_MAX, lowest = FLT_MAX;
    size_t i, chosen = 0, other = 0;
    for (i = 0; i < m->proposals; i++) {
        const autotune__proposal *p = &m->pool[i];
        const float deviation = autotune__deviation(m, p), low = p->mean - (float)search->habits.curiosity * deviation,
                    below = m->best - p->mean, z = below / deviation, bell = 0.4f / ((1 + z * z / 4) * (1 + z * z / 4));
        if (low < lowest) { lowest = low; other = i; }
        /* `bell` is not less than the normal density: so the expected gain is computed only where it may be greater. */
        if ((below > 0 ? below : 0) + deviation * bell > most) {
            const float gain = autotune__expected_gain(below, deviation);
            if (gain > most) { most = gain; chosen = i; }
        }
    }
    search->gain = 1 - autotune__exp(-(double)most * m->deviation);
    return curious ? other : chosen;
}

/* Draws uniformly until a point is admitted and new. If so few points are left that uniform draws found none, draws
   neighbours of the best trials. */
static bool autotune__draw_any(autotune_search *search, autotune__purpose purpose) {
    search->purpose = purpose;
    search->uniform = !search->sparse;
    search->drawn = search->uniform ? autotune__draw_uniform(search) : autotune__draw_neighbour(search);
    return true;
}
/* Draws the best point with another value on one axis. One axis after the other takes all its values, or 32 drawn
   values if it has more. False: all were drawn. */
static bool autotune__sweep(autotune_search *search) {
    const size_t most = 32;
    for (; search->sweep_axis < search->axis_count; search->sweep_axis++, search->sweep_value = 0) {
        const size_t axis = search->sweep_axis, count = search->count[axis];
        size_t values[AUTOTUNE_MAX_AXES];
        if (count < 2 || search->sweep_value >= (count < most ? count : most)) continue;
        autotune__values_of(search, search->trials[search->best[0]].index, values);
        if (count <= most) values[axis] = search->sweep_value;
        else autotune__vary(search, values, axis);
        search->sweep_value++;
        search->drawn = autotune__index_of(search, values);
        return true;
    }
    return false;
}
/* Draws a proposal: of eight draws two are uniform, two are crossings, and four are neighbours. Before the first
   forecast all are uniform. False: the pool has enough proposals. */
static bool autotune__draw_for_pool(autotune_search *search) {
    const bool forecasts = search->model->factored > 0;
    uint64_t kind;
    search->purpose = AUTOTUNE__TO_POOL;
    if (forecasts && autotune__sweep(search)) return true;
    if (!search->wanted) return false;
    search->wanted--;
    kind = forecasts ? autotune__draw(search, 8) : 0;
    if (kind < 2 && !search->sparse) return autotune__draw_any(search, AUTOTUNE__TO_POOL);
    if (!forecasts) return false;
    search->drawn = kind < 4 ? autotune__draw_child(search, false) : autotune__draw_neighbour(search);
    return true;
}
/* A choice of SURROGATE begins: the model learns the new times, the pool gets new proposals, and one of them is
   chosen. */
static void autotune__begin_choice(autotune_search *search) {
    const size_t from_afar = AUTOTUNE__POOL / 2;
    search->no_memory = !autotune__update_model(search);
    search->filling = !search->no_memory;
    if (search->model->factored) search->wanted = 4 + 300 / autotune__trial_count(search);
    else search->wanted = search->model->proposals < from_afar ? from_afar - search->model->proposals : 0;
    if (search->model->factored && !search->sweep_axis && !search->sweep_value) search->wanted += 30;
}
static bool autotune__draw_by_model(autotune_search *search) {
    autotune__surrogate *m = search->model;
    if (!search->filling) {
        if (!search->sparse && autotune__draw(search, 50) == 0)
            return autotune__draw_any(search, AUTOTUNE__TO_TRY);    /* the model may be wrong */
        autotune__begin_choice(search);
        if (search->no_memory) return false;
    }
    if (autotune__draw_for_pool(search)) return true;
    search->filling = false;
    if (!m->proposals) return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    search->purpose = AUTOTUNE__CHOSEN;
    search->drawn =
        m->pool[m->factored ? autotune__choose_proposal(search) : autotune__choose_unknown(search)].index;
    return true;
}
static bool autotune__draw_child_to_try(autotune_search *search) {
    const size_t barren = 64;                   /* crossings in a row that were visited or not admitted */
    if (autotune__trial_count(search) < AUTOTUNE__POPULATION || search->best_count < 2 || search->fruitless >= barren)
        return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    search->purpose = AUTOTUNE__TO_TRY;
    search->drawn = autotune__draw_child(search, true);
    return true;
}
static bool autotune__draw_in_order(autotune_search *search) {
    search->purpose = AUTOTUNE__TO_TRY;
    if (search->ordered == (search->list ? search->list_count : search->points)) return false;
    search->drawn = search->list ? search->list[search->ordered] : search->ordered;
    search->ordered++;
    return true;
}
static bool autotune__draw_point(autotune_search *search) {     /* false: no point is left, or no memory */
    if (search->list && search->visited_count >= search->list_count) return false;
    if (search->preferred_next < autotune__count(search->preferred)) {
        search->purpose = AUTOTUNE__TO_TRY;
        search->drawn = search->preferred[search->preferred_next++];
        return true;
    }
    if (search->uniform) return autotune__draw_any(search, search->purpose);
    switch (search->strategy) {
    case AUTOTUNE_EXHAUSTIVE: return autotune__draw_in_order(search);
    case AUTOTUNE_RANDOM: return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    case AUTOTUNE_GENETIC: return autotune__draw_child_to_try(search);
    default: return autotune__draw_by_model(search);
    }
}
/* Takes the answer whether the drawn point is admitted. True: it is the point to try. */
static bool autotune__accept(autotune_search *search, bool admitted) {
    if (search->model && search->purpose != AUTOTUNE__TO_POOL)
        autotune__drop_proposal(search->model, search->drawn);
    if (!admitted || autotune__is_visited(search, search->drawn)) { search->fruitless++; return false; }
    search->fruitless = 0;
    search->uniform = false;
    if (search->purpose == AUTOTUNE__TO_POOL) { autotune__add_proposal(search, search->drawn); return false; }
    search->no_memory = !autotune__visit_point(search, search->drawn);
    return !search->no_memory;
}
/* Have too many draws in a row found no new point? If the pool is not empty, uniform draws for it just end for this
   choice. EXHAUSTIVE does not draw. True: no point is left. */
static bool autotune__is_exhausted(autotune_search *search) {
    const bool spare = search->uniform && search->purpose == AUTOTUNE__TO_POOL && search->model->proposals;
    const size_t most = spare ? AUTOTUNE__FRUITLESS >> 8 : AUTOTUNE__FRUITLESS;
    if (search->strategy == AUTOTUNE_EXHAUSTIVE || search->fruitless < most) return false;
    if (spare) search->wanted = 0;
    else search->sparse = search->uniform && search->best_count && search->strategy != AUTOTUNE_RANDOM;
    search->uniform = false;
    search->fruitless = 0;
    return !spare && !search->sparse;
}
/* What comes next: JUDGE *point (the next call says in `admitted` whether WHERE admits it), or TRY it. */
static autotune__move autotune__search_step(autotune_search *search, bool admitted, size_t *point) {
    const bool judged = search->judging;
    search->judging = search->no_memory = false;
    if (judged && autotune__accept(search, admitted)) { *point = search->drawn; return AUTOTUNE__TRY; }
    while (!search->no_memory) {
        if (autotune__is_exhausted(search)) return AUTOTUNE__EXHAUSTED;
        if (!autotune__draw_point(search)) return search->no_memory ? AUTOTUNE__NO_ROOM : AUTOTUNE__EXHAUSTED;
        *point = search->drawn;
        if (search->purpose == AUTOTUNE__CHOSEN) admitted = true;
        else if (search->list) admitted = autotune__listed(search, search->drawn) != SIZE_MAX;
        else { search->judging = true; return AUTOTUNE__JUDGE; }
        if (autotune__accept(search, admitted)) return AUTOTUNE__TRY;
    }
    return AUTOTUNE__NO_ROOM;
}

/* Inserts a trial that worked into the list of the best. */
static void autotune__rank_trial(autotune_search *search, size_t trial) {
    const double time = search->trials[trial].log_ns,
                 least = search->best_count ? search->trials[search->best[0]].log_ns : AUTOTUNE__NEVER;
    size_t i;
    if (time < least - 0.002) search->improved = trial + 1;
    if (time < least) search->sweep_axis = search->sweep_value = 0;
    for (i = search->best_count; i > 0 && search->trials[search->best[i - 1]].log_ns > time; i--)
        if (i < AUTOTUNE__POPULATION) search->best[i] = search->best[i - 1];
    if (i < AUTOTUNE__POPULATION) search->best[i] = trial;
    if (search->best_count < AUTOTUNE__POPULATION) search->best_count++;
}
/* Tells a search the time of a trial; AUTOTUNE__NEVER: the configuration failed. False: no memory. */
static bool autotune__tell_search(autotune_search *search, size_t index, double ns) {
    const size_t trial = autotune__trial_count(search);
    autotune__tried_point told;
    memset(&told, 0, sizeof told);
    told.index = index;
    told.log_ns = autotune__is_definite(ns) ? autotune__logarithm(ns > 1e-300 ? ns : 1e-300) : AUTOTUNE__NEVER;
    autotune__bins_of(search, index, told.bin);
    if (!autotune__visit_point(search, index) || !AUTOTUNE__PUSH(search->trials, told)) return false;
    if (search->model) autotune__drop_proposal(search->model, index);
    if (told.log_ns < AUTOTUNE__NEVER) autotune__rank_trial(search, trial);
    return true;
}

/* A point that is likely to be tried after k others: a preferred point, or the proposal of the pool whose time may be
   the least. SIZE_MAX: unknown. */
static AUTOTUNE__UNUSED size_t autotune__likely_next(const autotune_search *search, size_t k) {
    const autotune__surrogate *m = search->model;
    const size_t preferred = search->preferred ? autotune__count(search->preferred) - search->preferred_next : 0;
    bool taken[AUTOTUNE__POOL] = { false };
    size_t i, round, chosen = SIZE_MAX;
    if (k < preferred) {
        const size_t point = search->preferred[search->preferred_next + k];
        return search->list && autotune__listed(search, point) == SIZE_MAX ? SIZE_MAX : point;
    }
    if (!m || !m->factored || k - preferred >= m->proposals) return SIZE_MAX;
    for (round = preferred; round <= k; round++) {
        float least = FLT_MAX;
        for (i = 0; i < m->proposals; i++) {
            const float low = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
            if (!taken[i] && low < least) { least = low; chosen = i; }
        }
        if (chosen == SIZE_MAX) return SIZE_MAX;
        taken[chosen] = true;
    }
    return m->pool[chosen].index;
}

/* ---- src/search/create.h -------------------------------------------------------------------------------------------
   Setting up and freeing a search; the search of a tuner's space. */

/* Replaces the tuned numbers of a search before its first trial. */
static void autotune__set_habits(autotune_search *search, const autotune__search_habits *habits) {
    size_t i;
    search->habits = *habits;
    for (i = 0; search->model && i < search->feature_count; i++) {
        search->model->fading[i] = autotune__logarithm(habits->fading);
        autotune__fade(search, i);
    }
}
static void autotune__add_feature(autotune_search *search, size_t axis, size_t count, bool categorical,
                                  unsigned char *bin) {
    autotune__feature *feature = &search->features[search->feature_count++];
    feature->axis = axis;
    feature->count = count;
    feature->categorical = categorical;
    feature->bin = bin;
}
/* Sets up a search whose axes are known. False: no memory. */
static bool autotune__prepare_search(autotune_search *search, autotune_strategy strategy, uint64_t seed) {
    size_t a;
    search->strategy = strategy;
    search->random = seed;
    search->gain = 1;
    search->points = 1;
    for (a = 0; a < search->axis_count; a++) search->points *= search->count[a];
    if (strategy != AUTOTUNE_AUTO && strategy != AUTOTUNE_SURROGATE) return true;
    if (!(search->model = (autotune__surrogate *)autotune__allocate(sizeof *search->model))) return false;
    search->model->fading[AUTOTUNE_MAX_AXES] = AUTOTUNE__USUAL_NOISE;
    autotune__set_habits(search, &autotune__usual_habits);
    return true;
}
static void autotune__free_search(autotune_search *search) {
    size_t i;
    if (!search) return;
    for (i = 0; i < search->feature_count; i++) autotune__free(search->features[i].bin);
    AUTOTUNE__FREE_ARRAY(search->trials);
    AUTOTUNE__FREE_ARRAY(search->preferred);
    AUTOTUNE__FREE_ARRAY(search->order);
    AUTOTUNE__FREE_ARRAY(search->own_list);
    autotune__free(search->visited);
    autotune__free(search->model);
    autotune__free(search);
}

/* Sorts the values of an axis by size, and strings and pointers so that equal values are neighbours. */
typedef struct autotune__sized { const autotune__axis_of_space *axis; size_t number; } autotune__sized;
static bool autotune__has_size(autotune_type type) { return type != AUTOTUNE_STRING && type != AUTOTUNE_POINTER; }
static int autotune__compare_sized(const autotune__sized *a, const autotune__sized *b) {
    const autotune_type type = a->axis->type;
    const uint64_t x = a->axis->values[a->number], y = b->axis->values[b->number];
    if (autotune__same_word(type, x, y)) return 0;
    if (type == AUTOTUNE_STRING && x && y) return strcmp(autotune__string_of_value(x), autotune__string_of_value(y));
    if (!autotune__has_size(type)) return x < y ? -1 : 1;
    return autotune__double_of_value(type, x) < autotune__double_of_value(type, y) ? -1 : 1;
}
static int autotune__order_sized(const void *left, const void *right) {
    const autotune__sized *a = (const autotune__sized *)left, *b = (const autotune__sized *)right;
    const int order = autotune__compare_sized(a, b);
    return order ? order : a->number < b->number ? -1 : 1;
}
/* Adds an axis whose values are a list, in any order and with repetitions, such as a column of a table. False: no
   memory. */
static bool autotune__add_listed(autotune_search *search, const autotune__axis_of_space *axis, size_t count) {
    const bool categorical = !autotune__has_size(axis->type);
    autotune__sized *order = (autotune__sized *)autotune__allocate(count * sizeof *order);
    unsigned char *bin = (unsigned char *)autotune__allocate(count);
    size_t i, rank = 0, different = 1;
    if (!order || !bin) { autotune__free(order); autotune__free(bin); return false; }
    for (i = 0; i < count; i++) { order[i].axis = axis; order[i].number = i; }
    qsort(order, count, sizeof *order, autotune__order_sized);
    for (i = 1; i < count; i++) different += autotune__compare_sized(&order[i - 1], &order[i]) != 0;
    for (i = 0; i < count; i++) {
        if (i && autotune__compare_sized(&order[i - 1], &order[i])) rank++;
        bin[order[i].number] = autotune__bin_of(rank, different, categorical);
        if (categorical || order[i].number != i) search->unordered[axis->dimension] = true;
    }
    if (different > 1) autotune__add_feature(search, axis->dimension, different, categorical, bin);
    else autotune__free(bin);
    autotune__free(order);
    return true;
}
/* A search of a tuner's space; the caller frees it. NULL: no memory. */
static autotune_search *autotune__search_space(const autotune__space *space, autotune_strategy strategy,
                                               uint64_t seed) {
    autotune_search *search = (autotune_search *)autotune__allocate(sizeof *search);
    bool complete = search != NULL;
    size_t i;
    if (!search) return NULL;
    search->axis_count = space->dimension_count;
    for (i = 0; i < space->dimension_count; i++) {
        search->count[i] = space->dimensions[i].count;
        search->unordered[i] = space->dimensions[i].table || autotune__is_select(space);
    }
    for (i = 0; i < space->axis_count && complete; i++) {
        const autotune__axis_of_space *axis = &space->axes[i];
        const size_t count = search->count[axis->dimension];
        if (axis->source == AUTOTUNE__LIST) complete = autotune__add_listed(search, axis, count);
        else if (count > 1) autotune__add_feature(search, axis->dimension, count, autotune__is_select(space), NULL);
    }
    if (complete && autotune__prepare_search(search, strategy, seed)) return search;
    autotune__free_search(search);
    return NULL;
}

/* ---- src/search/ask_tell.h -----------------------------------------------------------------------------------------
   The functions of api/search.h: autotune_search_create(), _ask(), _tell(), _pays(), _destroy(). */

static bool autotune__holds(const autotune_search *search, size_t index) {
    size_t values[AUTOTUNE_MAX_AXES], bound;
    if (!search->where) return true;
    autotune__values_of(search, index, values);
    for (bound = 1; bound <= search->axis_count; bound++) if (!search->where(search->user, values, bound)) return false;
    return true;
}
/* Lists the admitted points. All points that begin with refused values are skipped at once, so that a large space can
   be listed if its first axes leave few. Any other large space is not listed, and may be empty. False: no memory. */
static bool autotune__list_points(autotune_search *search, bool *empty) {
    size_t values[AUTOTUNE_MAX_AXES] = { 0 }, bound = 1, questions = 0;
    const bool large = search->points > AUTOTUNE__LISTED_POINTS;
    if (large && !search->where) return true;
    while (bound) {
        const bool holds = !search->where || search->where(search->user, values, bound);
        if (large && ++questions == AUTOTUNE__LISTED_POINTS / 8) {
            AUTOTUNE__FREE_ARRAY(search->own_list);
            return true;
        }
        if (holds && bound < search->axis_count) { values[bound++] = 0; continue; }
        if (holds && !AUTOTUNE__PUSH(search->own_list, autotune__index_of(search, values))) return false;
        while (bound && ++values[bound - 1] == search->count[bound - 1]) bound--;
    }
    search->list = search->own_list;
    search->list_count = autotune__count(search->own_list);
    *empty = !search->list;
    return true;
}
static const char *autotune__search_problem(const autotune_search_desc *desc) {
    size_t a, points = 1;
    if (!desc) return "the description is NULL";
    if (!desc->axes || !desc->axis_count || desc->axis_count > AUTOTUNE_MAX_AXES) return "a space has 1 to 16 axes";
    if ((unsigned)desc->strategy > AUTOTUNE_GENETIC)
        return "the strategy is one of AUTOTUNE_AUTO, _EXHAUSTIVE, _RANDOM, _SURROGATE, _GENETIC";
    for (a = 0; a < desc->axis_count; a++) {
        if (!desc->axes[a].count) return "an axis has no value";
        if (points > SIZE_MAX / 2 / desc->axes[a].count)
            return "the space has more points than can be numbered: give fewer values";
        points *= desc->axes[a].count;
    }
    return NULL;
}
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc) {
    const char *problem = autotune__search_problem(desc);
    autotune_search *search;
    bool complete, empty = false;
    size_t a;
    autotune__ready();
    if (problem) { autotune__complain("autotune_search_create: %s", problem); return NULL; }
    search = (autotune_search *)autotune__allocate(sizeof *search);
    if (search) {
        search->axis_count = desc->axis_count;
        for (a = 0; a < desc->axis_count; a++) {
            search->count[a] = desc->axes[a].count;
            search->unordered[a] = desc->axes[a].categorical;
            if (search->count[a] > 1)
                autotune__add_feature(search, a, search->count[a], desc->axes[a].categorical, NULL);
        }
        search->where = desc->where;
        search->user = desc->user;
    }
    complete = search && autotune__prepare_search(search, desc->strategy, desc->seed) &&
               autotune__list_points(search, &empty);
    if (complete && !empty) return search;
    if (!complete) autotune__complain("autotune_search_create: out of memory");
    else autotune__complain("autotune_search_create: where admits none of %lu points", (unsigned long)search->points);
    autotune_search_destroy(search);
    return NULL;
}
AUTOTUNE__API void autotune_search_destroy(autotune_search *search) { autotune__free_search(search); }

static bool autotune__is_point(const autotune_search *search, size_t point, const char *function) {
    if (search && point < search->points) return true;
    autotune__ready();
    autotune__complain(search ? "%s: the space has no such point" : "%s: the search is NULL", function);
    return false;
}
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point) {
    if (!autotune__is_point(search, point, "autotune_search_prefer")) return AUTOTUNE_ERR_ARGUMENT;
    return AUTOTUNE__PUSH(search->preferred, point) ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point) {
    bool admitted = false;
    if (!search || !point) {
        autotune__ready();
        autotune__complain("autotune_search_ask: %s is NULL", search ? "point" : "the search");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    for (;;) {
        switch (autotune__search_step(search, admitted, point)) {
        case AUTOTUNE__JUDGE: admitted = autotune__holds(search, *point); break;
        case AUTOTUNE__TRY: return AUTOTUNE_OK;
        case AUTOTUNE__EXHAUSTED: return AUTOTUNE_ERR_SPACE;
        default: return AUTOTUNE_ERR_MEMORY;
        }
    }
}
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time) {
    if (!autotune__is_point(search, point, "autotune_search_tell")) return AUTOTUNE_ERR_ARGUMENT;
    if (autotune__is_finite(time) && time < 0) {
        autotune__complain("autotune_search_tell: a time below 0: INFINITY says that it failed");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (!autotune__is_visited(search, point) && !autotune__holds(search, point)) {
        autotune__complain("autotune_search_tell: where does not admit this point");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    return autotune__tell_search(search, point, time) ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search) {
    const size_t trials = search ? autotune__trial_count(search) : 0, least = 50;
    if (!search) {
        autotune__ready();
        autotune__complain("autotune_search_pays: the search is NULL");
        return false;
    }
    return trials < least || trials - search->improved < trials * 3 / 5 || search->gain * (double)trials >= 0.02;
}


/* ---- src/race/shortlist.h ------------------------------------------------------------------------------------------
   Shortlists: the few points for which some number, a time or a cost, is the least. */

enum { AUTOTUNE__SHORTLISTED = 10 };
typedef struct autotune__shortlist {
    size_t count, index[AUTOTUNE__SHORTLISTED];
    double value[AUTOTUNE__SHORTLISTED];        /* of each point, in ascending order */
} autotune__shortlist;

static bool autotune__makes_shortlist(const autotune__shortlist *list, double value) {
    return value < (list->count < AUTOTUNE__SHORTLISTED ? AUTOTUNE__NEVER : list->value[AUTOTUNE__SHORTLISTED - 1]);
}
static void autotune__shortlist_point(autotune__shortlist *list, size_t index, double value) {
    size_t i;
    if (!autotune__makes_shortlist(list, value)) return;
    i = list->count < AUTOTUNE__SHORTLISTED ? list->count++ : AUTOTUNE__SHORTLISTED - 1;
    for (; i > 0 && list->value[i - 1] > value; i--) {
        list->index[i] = list->index[i - 1];
        list->value[i] = list->value[i - 1];
    }
    list->index[i] = index;
    list->value[i] = value;
}

/* ---- src/race/request.h --------------------------------------------------------------------------------------------
   What a race is given, what it asks for, and what it is answered.

   A race asks for one thing at a time, and is told the answer: EVALUATE a point of the space, RUN a configuration,
   PAUSE, FINISH. A RUN is one launch or more of one configuration, and becomes one sample. The race knows neither the
   call site nor the clock. */

typedef enum autotune__what { AUTOTUNE__EVALUATE, AUTOTUNE__RUN_IT, AUTOTUNE__PAUSE, AUTOTUNE__FINISH } autotune__what;
typedef struct autotune__request {
    autotune__what what;
    size_t index;                               /* the point to EVALUATE, or the configuration to RUN */
    double limit_ns;                            /* RUN: make no further launch once the launches took so long together;
                                                   0: make all of them. PAUSE: wait so long */
    /* RUN only */
    uint32_t launches;                          /* make so many launches, */
    uint32_t at_least;                          /* and so many even where limit_ns is exceeded */
    bool first;                                 /* this configuration was not launched before */
    uint64_t prepared;                          /* what the answer to its first RUN gave as `prepared` */
} autotune__request;

typedef struct autotune__answer {
    /* to EVALUATE */
    bool admitted;                              /* WHERE admits the point */
    size_t skip;                                /* WHERE refuses so many points after this one as well */
    bool grouped;                               /* the point has a PRIORITY: group, intra */
    int64_t group, intra;
    double cost;                                /* what MODEL predicts; AUTOTUNE__NEVER: there is no MODEL */
    /* to RUN */
    autotune_status status;                     /* not AUTOTUNE_OK: the configuration failed */
    const char *reason;                         /* why it failed; the race copies the text */
    double ns;                                  /* the sample: the time of one launch */
    uint32_t launches;                          /* how many launches the sample is made of */
    size_t made;                                /* how many launches were made, with those that are not in the sample */
    uint64_t prepared;                          /* what the backend prepared for this configuration */
    bool disturbed;                             /* something else ran during the sample */
    bool clock_jumped;                          /* the clock, which is the user's own, jumped */
    bool spared;                                /* no launch was made, because earlier processes did not survive it */
    bool no_memory;                             /* there is no memory to carry out requests: the race has to end */
} autotune__answer;

/* When a race ends, and how it measures. The race owns its copy. */
typedef struct autotune__limits {
    double seconds;                             /* after this time no launch is asked for */
    double screen_seconds;                      /* after this time no configuration gets its first launch */
    bool explicit_seconds;                      /* the user gave both, so that nothing puts them off */
    uint64_t trials;                            /* the most configurations that are launched; 0: all */
    uint64_t top_k;                             /* the most configurations of a batch, by the least cost; 0: all */
    double stop_at_ns;                          /* a configuration with two such samples wins at once; 0: none does */
    size_t rounds;                              /* the most rounds of a duel */
    double share;                               /* the most time of a duel, over the time of all launches before it */
    double tick_ns;                             /* the clock moves in such steps; 0: in none that can be told */
    bool whole_batches;                         /* a batch is not ended before its last launch: clocked one by one,
                                                   launches take longer */
    uint64_t seed;                              /* random numbers begin with it */
    autotune_strategy strategy;
} autotune__limits;

/* What is raced. The race copies the struct. The space and the array of deferred points are borrowed: they outlive the
   race. */
typedef struct autotune__race_setup {
    size_t points;                              /* how many points the space has */
    const autotune__space *space;               /* NULL: no search is possible, the space is raced in order */
    bool sampled;                               /* the space is too large to be listed: only the points that a search
                                                   draws are evaluated */
    size_t incumbent;                           /* the point that won before; SIZE_MAX: there is none */
    const size_t *deferred;                     /* points that are launched after all others of their batch, in
                                                   ascending order */
    size_t deferred_count;
    autotune__shortlist seeds;                  /* points that a search tries first */
} autotune__race_setup;

/* ---- src/race/race.h -----------------------------------------------------------------------------------------------
   The race: it finds the fastest configuration, by asking for one measurement after the other.

   The screen launches every configuration once; the halving compares the survivors by their minimum, and cuts by a
   margin that follows the noise seen; the duel compares the finalists by paired samples, with a test that may be looked
   at after every round. The incumbent is the configuration that won before, else the first of the space: it is launched
   first, warms the device up, shows by probes whether the device's speed changed, and wins a tie. What speaks against
   the times makes the verdict UNRELIABLE. The thresholds were chosen with bench/replay.c.

   This file: the state of a race, one struct for each room that keeps it up to date, and the rows, which the floors
   above read. Only the rooms of this floor write to any of them. */

/* The launch table: a row for each configuration that was tried, in the order of their first launches. */
typedef enum autotune__state { AUTOTUNE__WORKS, AUTOTUNE__SLOW, AUTOTUNE__FAILED } autotune__state;
typedef struct autotune__row {
    size_t index;                               /* of the configuration */
    autotune__state state;
    autotune_status status;                     /* of its last RUN */
    const char *stage;                          /* the name of the last stage that it reached */
    const char *why;                            /* why it went no further, where it is slow */
    char *reason;                               /* why it failed; the row owns the text */
    const char *note;                           /* what earlier processes left to be said of it; NULL: nothing */
    size_t launches;                            /* all that were made */
    size_t at_goal;                             /* samples that were not above limits.stop_at_ns */
    uint64_t prepared;                          /* what the backend prepared for it */
    double measured;                            /* the least sample, in nanoseconds per launch, as it was measured */
    double minimum, second;                     /* the least sample and the next, converted to the device's speed of
                                                   now */
    bool unsure;                                /* nobody knows at which speed of the device these were measured */
    bool batched;                               /* these are samples of batches, and not of single launches */
    double *samples;                            /* of the duel, one for each round */
    double median;                              /* of the samples of the duel */
    double relative;                            /* the median of each of them over the fastest of its round */
} autotune__row;

/* evaluate.h: the points that may be raced, and what PRIORITY and MODEL say of them. */
typedef struct autotune__rank {
    bool grouped;                               /* the point has a PRIORITY: group, intra */
    int64_t group, intra;
    double cost;                                /* that MODEL predicts; AUTOTUNE__NEVER: none */
    bool tried;                                 /* a batch had the point */
} autotune__rank;
typedef struct autotune__admission {
    size_t visited;                             /* the next point that is evaluated */
    size_t *points;                             /* those that were admitted, in ascending order */
    autotune__rank *ranks;                      /* of each of them; NULL: none has a PRIORITY or a cost */
    size_t count;                               /* how many there are; of a sampled space an estimate */
} autotune__admission;

/* batch.h: the points of the PRIORITY that is raced now. */
typedef struct autotune__batch {
    bool first;                                 /* none was chosen yet */
    uint32_t *order;                            /* positions in admitted.points, in the order of their first launches */
    size_t next;                                /* the position in `order` that comes next */
    size_t *deferred, next_deferred;            /* points that come after all others; which of them comes next */
    bool priced;                                /* MODEL predicts costs of the batch */
    bool no_model;                              /* .top_k was asked for, and no cost is predicted */
    size_t first_row;                           /* the row of the batch's first launch */
    double began;                               /* when, in seconds since the race began */
} autotune__batch;

/* sample.h: what the points that were drawn from a sampled space tell of it. */
typedef struct autotune__sample {
    size_t drawn, eligible;                     /* points that were drawn uniformly; those of them that may be raced */
    size_t point;                               /* that the survey has drawn and asks about */
    autotune__rank current;                     /* the lowest PRIORITY that is raced now */
    autotune__rank lower;                       /* the highest PRIORITY below it that was seen */
    autotune__rank ceiling;                     /* this PRIORITY and higher ones were raced before */
    autotune__shortlist cheapest;               /* the points with the least predicted costs */
} autotune__sample;

/* sample.h, screen.h: a search that chooses which configuration of the batch is launched next. */
typedef enum autotune__extent {
    AUTOTUNE__SEARCHED,                         /* the search has its trials, and the rest is not launched */
    AUTOTUNE__UNDECIDED,                        /* the first trials show whether there is time for the whole batch */
    AUTOTUNE__WHOLE                             /* there is: what the search has not tried is launched in order */
} autotune__extent;
typedef struct autotune__searching {
    autotune_search *search;                    /* NULL: the batch is launched in order */
    autotune__extent extent;
    bool judging, admits;                       /* the search asks whether a point is admitted; the answer */
    size_t judged;                              /* that point */
    size_t told;                                /* how many rows the search was told of */
    bool ended;                                 /* it proposes nothing more */
} autotune__searching;

/* screen.h, probe.h: the first launches. */
typedef enum autotune__repeat {                 /* is the configuration that ran last launched again at once? */
    AUTOTUNE__NO_REPEAT,
    AUTOTUNE__ONCE_MORE,
    AUTOTUNE__UNTIL_THE_CLOCK_MOVES             /* so often that the clock's step can be told */
} autotune__repeat;
typedef struct autotune__screening {
    autotune__repeat repeat;
    bool clock_asked;                           /* the step of the clock was asked for */
    size_t recheck;                             /* the next row that may deserve a second launch */
    bool cut_short;                             /* not all that should be launched was found in time, and launched */
    bool spared;                                /* a configuration was not launched: see autotune__answer */
} autotune__screening;

/* probe.h: the first launches of a process, and the device's speed. */
typedef struct autotune__warm_up {
    unsigned launches;
    bool settled;                               /* the warm-up is over */
    double total_ns, last_ns;                   /* of its launches; of the last of them */
} autotune__warm_up;
typedef struct autotune__probe_state {
    size_t row;                                 /* the configuration that is launched again */
    size_t due;                                 /* the next probe is due when there are so many rows */
    size_t rows;                                /* how many there were at the last probe */
    unsigned launches;                          /* of the probe that is made now; 0: none is */
    double expected_ns;                         /* what its launches should take */
    double least_ns, most_ns;                   /* what they took */
} autotune__probe_state;
typedef struct autotune__pace {                 /* how long a launch takes, over what it took at the beginning */
    double now, fastest;                        /* at present; the least so far */
    double slowdown;                            /* the most over the least before it */
    unsigned pauses;                            /* in which the device may have cooled down */
    bool pausing;                               /* one is asked for next */
} autotune__pace;

/* rounds.h: one sample of each survivor, in random order. */
typedef struct autotune__round {
    size_t *rows;                               /* in the order of their samples; AUTOTUNE__CONTROL among them */
    size_t turn;                                /* the position in `rows` that is sampled now */
    uint32_t launches;                          /* a repetition has so many launches, */
    uint32_t repetitions, repetition;           /* a sample so many repetitions; how many were made */
    double least_ns;                            /* the least of these, which becomes the sample */
    bool quicker;                               /* the last sample was shorter than any of its row before, by 5 % */
} autotune__round;

/* halving.h */
typedef struct autotune__halving {
    size_t count;                               /* cuts that were made */
    size_t rounds_left;                         /* before the next cut */
    unsigned repeated;                          /* rounds that were made anew, as the device became faster in them */
    double noise;                               /* the median of (second - minimum) / minimum of all survivors */
} autotune__halving;

/* duel.h */
typedef struct autotune__duel_state {
    size_t finalists, rounds;
    double *fastest;                            /* sample of each round */
    double spent_ns;                            /* on launches */
} autotune__duel_state;
/* A finalist is sampled twice in each round, to see whether a configuration differs from itself. */
typedef struct autotune__control {
    size_t row;                                 /* SIZE_MAX: none */
    bool active;                                /* in the next rounds, too */
    double *first, *second;                     /* the two samples of each round, in the order of their launches */
} autotune__control;

/* verdict.h */
typedef struct autotune__conditions {           /* what the answers said of the measurement itself */
    size_t runs, disturbed;                     /* RUNs with a launch; those of them that were disturbed */
    bool clock_jumped;
} autotune__conditions;
typedef struct autotune__race_outcome {
    size_t winner, runner_up;                   /* rows; SIZE_MAX: none */
    autotune_verdict verdict;
    const char *doubt;                          /* why it is UNRELIABLE; NULL: it is not */
    double lead, lead_low, lead_high;           /* of the winner: see autotune_result */
    unsigned confirmed;                         /* launches that confirmed which configuration is the slowest */
} autotune__race_outcome;

typedef enum autotune__stage {
    AUTOTUNE__EVALUATING,                       /* points are evaluated, one after the other */
    AUTOTUNE__SURVEYING,                        /* of a sampled space: points that are drawn */
    AUTOTUNE__SCREENING,
    AUTOTUNE__HALVING,
    AUTOTUNE__DUELLING,
    AUTOTUNE__CONFIRMING,                       /* the slowest configuration is launched again */
    AUTOTUNE__OVER
} autotune__stage;
typedef struct autotune__race {
    autotune__race_setup setup;                 /* its `sampled` is set later where too many points have to be
                                                   evaluated */
    autotune__limits limits;
    autotune__stage stage;
    uint64_t random;                            /* the state of the random numbers */
    double elapsed;                             /* seconds since the race began */
    double before_duel_ns;                      /* spent on launches before the duel */
    size_t samples;                             /* that were taken in all */
    bool no_memory;
    autotune__row *rows;
    size_t row;                                 /* that runs now, or ran last */
    bool running;                               /* the answer to its RUN is awaited */
    size_t *live;                               /* the rows of the survivors */
    double best_ns;                             /* the least minimum of the batch's rows; AUTOTUNE__NEVER: none works */
    autotune__admission admitted;
    autotune__batch batch;
    autotune__sample sample;
    autotune__searching searching;
    autotune__screening screening;
    autotune__warm_up warm_up;
    autotune__probe_state probe;
    autotune__pace pace;
    autotune__round round;
    autotune__halving halving;
    autotune__duel_state duel;
    autotune__control control;
    autotune__conditions conditions;
    autotune__race_outcome outcome;
} autotune__race;

/* A stage is a function. It takes the race, the answer to what the stage asked for last, NULL when it begins, and the
   request to be filled. It returns true if it asks for something, and false if another stage goes on. */
static bool autotune__ask(autotune__request *request, autotune__what what, size_t index, uint32_t launches,
                          double limit_ns) {
    request->what = what;
    request->index = index;
    request->launches = launches;
    request->limit_ns = limit_ns;
    request->at_least = 1;
    return true;
}
static bool autotune__ask_run(autotune__race *race, autotune__request *request, size_t row, uint32_t launches,
                              double limit_ns) {
    race->row = row;
    race->running = true;
    (void)autotune__ask(request, AUTOTUNE__RUN_IT, race->rows[row].index, launches, limit_ns);
    request->first = race->rows[row].launches == 0;
    request->prepared = race->rows[row].prepared;
    return true;
}
/* What a launch takes, by the best that is known of it: the median of the duel, else the minimum. */
static double autotune__time(const autotune__row *row) {
    return autotune__is_definite(row->median)    ? row->median
           : autotune__is_definite(row->minimum) ? row->minimum
                                                 : row->measured;
}
/* A launch takes another time in a batch than alone, mostly a shorter one, and the mean of a batch is never as low as
   its least launch. So once a row has a sample of a batch, its samples of single launches no longer count. */
static void autotune__add_sample(autotune__row *row, double ns, bool batched) {
    if (row->batched && !batched) return;
    if (row->batched != batched) row->minimum = row->second = row->measured = AUTOTUNE__NEVER;
    row->batched = batched;
    if (!(row->measured <= ns)) row->measured = ns;
    if (!(row->minimum <= ns)) { row->second = row->minimum; row->minimum = ns; }
    else if (!(row->second <= ns)) row->second = ns;
}
/* The first configuration of the space; SIZE_MAX: none is known yet. */
static size_t autotune__first_admitted(const autotune__race *race) {
    return autotune__count(race->admitted.points) ? race->admitted.points[0] : SIZE_MAX;
}
/* What the backend prepared for this configuration; 0: nothing. */
static uint64_t autotune__prepared_of(const autotune__race *race, size_t index) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index) return race->rows[i].prepared;
    return 0;
}
/* Notes what earlier processes left to be said of the configuration that runs now. The text lives as long as the
   program. */
static void autotune__annotate(autotune__race *race, const char *note) { race->rows[race->row].note = note; }
/* Puts the end of the race off, by the time of something that is no launch: the check of outputs, a compilation. A
   limit that the user gave stays. */
static void autotune__put_off_limit(autotune__race *race, double seconds) {
    if (!race->limits.explicit_seconds && seconds > 0) race->limits.seconds += seconds;
}
/* Does a search choose what is launched next? */
static bool autotune__is_searching(const autotune__race *race) {
    return race->searching.search && race->searching.extent != AUTOTUNE__WHOLE;
}
static bool autotune__in_time(const autotune__race *race) { return race->elapsed < race->limits.seconds; }
/* Counts a sample that reaches .stop_at_ns. True: it is the second of its row, and ends the race. */
static bool autotune__at_goal(autotune__race *race, double ns) {
    return race->limits.stop_at_ns > 0 && ns <= race->limits.stop_at_ns && ++race->rows[race->row].at_goal >= 2;
}

/* ---- src/race/evidence.h -------------------------------------------------------------------------------------------
   Evidence: when samples show that one configuration is slower than another; medians; the lead of the winner. */

/* The order of a round is random. So which of two equal configurations takes longer in a round is the toss of a fair
   coin, however the device's speed drifts. If one took longer in w of n rounds, the evidence against a fair coin is
   E(w, n) = 2^n / ((n + 1) C(n, w)). For a fair coin this is a martingale (the mean of the likelihood ratios of all
   biases), so by Ville's inequality the chance that it ever reaches T is at most 1/T, and one may look after every
   round. */
static double autotune__evidence(size_t wins, size_t rounds) {
    const size_t k = wins < rounds - wins ? wins : rounds - wins;
    double e = 1 / (double)(rounds + 1);
    size_t i;
    for (i = 1; i <= rounds; i++) { e *= 2; if (i <= k) e *= (double)i / (double)(rounds - k + i); }
    return e;
}
/* That `slow` takes longer than `fast`, if its times are multiplied by `scale`. Rounds in which both are equal do not
   count. */
static double autotune__evidence_of_slower(const double *slow, const double *fast, size_t rounds, double scale) {
    size_t i, wins = 0, decided = 0;
    for (i = 0; i < rounds; i++) {
        const double x = slow[i] * scale, y = fast[i];
        if (x < y || x > y) decided++;
        if (x > y) wins++;
    }
    return 2 * wins > decided ? autotune__evidence(wins, decided) : 0;
}
static size_t autotune__rounds_of_both(const double *a, const double *b) {
    const size_t x = autotune__count(a), y = autotune__count(b);
    return x < y ? x : y;
}
static bool autotune__shown_slower(const autotune__row *slow, const autotune__row *fast, double scale,
                                   double threshold) {
    const size_t rounds = autotune__rounds_of_both(slow->samples, fast->samples);
    return autotune__evidence_of_slower(slow->samples, fast->samples, rounds, scale) >= threshold;
}
static const double *autotune__samples(const autotune__race *race, size_t row) {
    return row == SIZE_MAX ? NULL : race->rows[row].samples;
}
/* That the control's second sample of a round differs from its first by more than 1 %. */
static double autotune__control_evidence(const autotune__race *race) {
    const size_t rounds = autotune__rounds_of_both(race->control.first, race->control.second);
    const double slower = autotune__evidence_of_slower(race->control.second, race->control.first, rounds, 1 / 1.01),
                 faster = autotune__evidence_of_slower(race->control.first, race->control.second, rounds, 1 / 1.01);
    return slower > faster ? slower : faster;
}

/* A sample over the fastest sample of its round is not affected by a drift, which slows the whole round. */
enum { AUTOTUNE__MOST_ROUNDS = 256 };
static void autotune__update_medians(autotune__race *race) {
    const double *fastest = race->duel.fastest;
    double scratch[AUTOTUNE__MOST_ROUNDS];
    size_t i, k;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        const size_t rounds = autotune__rounds_of_both(row->samples, fastest);
        if (!rounds) continue;
        memcpy(scratch, row->samples, rounds * sizeof *scratch);
        row->median = autotune__median(scratch, rounds);
        for (k = 0; k < rounds; k++) scratch[k] = fastest[k] > 0 ? row->samples[k] / fastest[k] : 1;
        row->relative = autotune__median(scratch, rounds);
    }
}
/* The number by which finalists are compared, and else all rows. */
static double autotune__standing(const autotune__row *row) {
    return autotune__is_definite(row->relative) ? row->relative : autotune__time(row);
}
/* A row of the duel stands better than one that was not in it. */
static bool autotune__stands_better(const autotune__row *a, const autotune__row *b) {
    const bool x = autotune__is_definite(a->relative), y = autotune__is_definite(b->relative);
    return x != y ? x : autotune__standing(a) < autotune__standing(b);
}
static size_t autotune__second(const autotune__race *race) {        /* the row that stands best beside the winner */
    size_t i, second = SIZE_MAX;
    for (i = 0; i < autotune__count(race->rows); i++) {
        if (i == race->outcome.winner || race->rows[i].state == AUTOTUNE__FAILED ||
            !autotune__is_definite(race->rows[i].minimum))
            continue;
        if (second == SIZE_MAX || autotune__stands_better(&race->rows[i], &race->rows[second])) second = i;
    }
    return second;
}
/* The lead is the median of how much longer the runner-up took in each round. Its interval reaches from the k-th least
   to the k-th largest of these: that the median lies on one side of it has a chance of at most 1 in 40. */
static void autotune__measure_lead(autotune__race *race) {
    autotune__race_outcome *outcome = &race->outcome;
    const double *winner = race->rows[outcome->winner].samples,
                 *second = autotune__samples(race, outcome->runner_up);
    const size_t rounds = autotune__rounds_of_both(winner, second);
    double ratios[AUTOTUNE__MOST_ROUNDS], chance = ldexp(1, -(int)rounds), below = chance;
    size_t i, k = 0;
    for (i = 0; i < rounds; i++) ratios[i] = second[i] / winner[i] - 1;
    if (!rounds) return;
    outcome->lead = autotune__median(ratios, rounds);
    while (below <= 0.025) { k++; chance *= (double)(rounds - k + 1) / (double)k; below += chance; }
    if (!k) return;
    outcome->lead_low = ratios[k - 1];
    outcome->lead_high = ratios[rounds - k];
}

/* ---- src/race/verdict.h --------------------------------------------------------------------------------------------
   How a race ends: its verdict, and what makes it UNRELIABLE. */

/* The spread of the ratios a/b: the distance of the quartiles over the median. */
static double autotune__spread(const double *a, const double *b, size_t rounds) {
    double ratios[AUTOTUNE__MOST_ROUNDS];
    size_t i;
    for (i = 0; i < rounds; i++) ratios[i] = a[i] / b[i];
    autotune__sort(ratios, rounds);
    return rounds ? (ratios[3 * (rounds - 1) / 4] - ratios[(rounds - 1) / 4]) / ratios[rounds / 2] : 0;
}
/* How much slower the duel's slowest third is than its fastest. */
static double autotune__drift(const autotune__race *race) {
    const size_t third = autotune__count(race->duel.fastest) / 3;
    double scratch[AUTOTUNE__MOST_ROUNDS], slowest = 0, fastest = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < 3 && third >= 3; i++) {
        double median;
        memcpy(scratch, race->duel.fastest + i * third, third * sizeof *scratch);
        median = autotune__median(scratch, third);
        if (median > slowest) slowest = median;
        if (median < fastest) fastest = median;
    }
    return autotune__is_definite(fastest) && fastest > 0 ? slowest / fastest - 1 : 0;
}
/* In a fifth of the rounds winner and runner-up took equally long, and the winner's times are more than 1 % apart. */
static bool autotune__too_coarse(const autotune__race *race) {
    const double *winner = race->rows[race->outcome.winner].samples,
                 *second = autotune__samples(race, race->outcome.runner_up);
    const size_t rounds = autotune__rounds_of_both(winner, second);
    double sorted[AUTOTUNE__MOST_ROUNDS], step = AUTOTUNE__NEVER;
    size_t i, ties = 0;
    if (rounds < 5) return false;
    for (i = 0; i < rounds; i++) ties += !(winner[i] < second[i]) && !(winner[i] > second[i]);
    memcpy(sorted, winner, rounds * sizeof *sorted);
    autotune__sort(sorted, rounds);
    for (i = 1; i < rounds; i++)
        if (sorted[i] - sorted[i - 1] > 0 && sorted[i] - sorted[i - 1] < step) step = sorted[i] - sorted[i - 1];
    return 5 * ties >= rounds && autotune__is_definite(step) && step > 0.01 * sorted[rounds / 2];
}
/* What speaks against the times; NULL: nothing. A device that gets faster during the screen only warms up. A probe is a
   single launch, so what it shows does not count against a winner that was measured in batches. */
static const char *autotune__doubts(const autotune__race *race) {
    const autotune__row *row = &race->rows[race->outcome.winner];
    const autotune__conditions *conditions = &race->conditions;
    const double *winner = row->samples, *second = autotune__samples(race, race->outcome.runner_up);
    const size_t rounds = autotune__rounds_of_both(winner, second), few = 12;
    const double spread = 0.07;                 /* of a ratio: 5 % of each of its two sides */
    if (conditions->clock_jumped) return "the clock jumped";
    if (autotune__control_evidence(race) >= 20)
        return "a configuration that ran twice in each round differed from itself";
    if (autotune__too_coarse(race)) return "the clock is too coarse: many rounds ended in a tie";
    if ((race->pace.slowdown > 1.1 && !row->batched) || autotune__drift(race) > 0.1)
        return "the device's speed changed by more than 10 %";
    if (rounds >= few && autotune__spread(winner, second, rounds) > spread) return "the times spread by more than 5 %";
    if (conditions->runs >= 10 && 10 * conditions->disturbed > conditions->runs)
        return "the process was interrupted in more than a tenth of the launches";
    return NULL;
}
/* Ends the race by the row that won, or with SIZE_MAX by none. Where not all that should be launched was, SEPARATED and
   TIE become UNRESOLVED. */
static bool autotune__finish(autotune__race *race, size_t winner, autotune_verdict verdict) {
    autotune__race_outcome *outcome = &race->outcome;
    const bool sure = verdict == AUTOTUNE_SEPARATED || verdict == AUTOTUNE_TIE,
               incomplete = race->screening.cut_short || race->screening.spared;
    outcome->winner = winner;
    outcome->verdict = sure && incomplete ? AUTOTUNE_UNRESOLVED : verdict;
    race->stage = winner == SIZE_MAX || verdict == AUTOTUNE_SINGLE ? AUTOTUNE__OVER : AUTOTUNE__CONFIRMING;
    if (race->stage == AUTOTUNE__OVER) return false;
    race->rows[winner].stage = "winner";
    race->rows[winner].why = NULL;
    outcome->runner_up = autotune__second(race);
    autotune__measure_lead(race);
    if (!outcome->doubt) outcome->doubt = autotune__doubts(race);
    if (outcome->doubt) outcome->verdict = AUTOTUNE_UNRELIABLE;
    return false;
}

/* ---- src/race/batch.h ----------------------------------------------------------------------------------------------
   A batch: the configurations that are raced together, by PRIORITY, and their order. How many launches a sample has. */

/* How many launches make a sample that the clock can resolve, if one takes so long: they take 32 us together, or 1000
   steps of the clock where those are less than 20 ms, and 20 steps in any case. */
static const double autotune__least_batch_ns = 32e3;
static uint32_t autotune__launches_of_sample(const autotune__race *race, double ns) {
    const double tick = race->limits.tick_ns, fine = 1000 * tick < 20e6 ? 1000 * tick : 20e6,
                 coarse = fine > 20 * tick ? fine : 20 * tick,
                 enough = coarse > autotune__least_batch_ns ? coarse : autotune__least_batch_ns;
    if (!(ns > 0)) return 1000;
    return ns >= enough ? 1 : enough / ns > 100000 ? 100000 : (uint32_t)(enough / ns) + 1;
}

/* What the answer to EVALUATE says. A point with a negative PRIORITY is never launched. */
static bool autotune__is_eligible(const autotune__answer *answer) {
    return answer->admitted && !(answer->grouped && (answer->group < 0 || answer->intra < 0));
}
static autotune__rank autotune__rank_of(const autotune__answer *answer) {
    autotune__rank rank;
    rank.group = answer->group;
    rank.intra = answer->intra;
    rank.cost = autotune__is_definite(answer->cost) ? answer->cost : AUTOTUNE__NEVER;
    rank.grouped = answer->grouped;
    rank.tried = false;
    return rank;
}
static bool autotune__higher(const autotune__rank *a, const autotune__rank *b) {       /* of two PRIORITYs */
    return a->group != b->group ? a->group > b->group : a->intra > b->intra;
}
/* Adds a point to those that may be raced. Ranks are kept from the first PRIORITY or cost on. */
static void autotune__enlist(autotune__race *race, size_t index, const autotune__answer *answer) {
    const autotune__rank unranked = { false, 0, 0, AUTOTUNE__NEVER, false }, rank = autotune__rank_of(answer);
    autotune__admission *admitted = &race->admitted;
    if (!autotune__is_eligible(answer)) return;
    if (!AUTOTUNE__PUSH(admitted->points, index)) race->no_memory = true;
    if (race->no_memory || (!admitted->ranks && !answer->grouped && !autotune__is_definite(answer->cost))) return;
    while (!race->no_memory && autotune__count(admitted->ranks) + 1 < autotune__count(admitted->points))
        race->no_memory = !AUTOTUNE__PUSH(admitted->ranks, unranked);
    if (!race->no_memory) race->no_memory = !AUTOTUNE__PUSH(admitted->ranks, rank);
}

/* The order of a batch: by cost where MODEL predicts any, else at random with the incumbent first; with EXHAUSTIVE as
   the space is written. */
static size_t autotune__point_at(const autotune__race *race, size_t position) {        /* of the batch's order */
    return race->admitted.points[race->batch.order[position]];
}
typedef struct autotune__priced { uint32_t place; double cost; } autotune__priced;
/* by cost, with those without one last; of equals the lower index first */
static int autotune__order_priced(const void *left, const void *right) {
    const autotune__priced *a = (const autotune__priced *)left, *b = (const autotune__priced *)right;
    const double x = a->cost, y = b->cost;
    return x < y ? -1 : x > y ? 1 : a->place < b->place ? -1 : 1;
}
static bool autotune__sort_by_cost(autotune__race *race) {          /* and keeps top_k of them; false: no memory */
    uint32_t *order = race->batch.order;
    const size_t count = autotune__count(order);
    autotune__priced *priced = (autotune__priced *)autotune__allocate(count * sizeof *priced);
    size_t i;
    if (!priced) { race->no_memory = true; return false; }
    for (i = 0; i < count; i++) { priced[i].place = order[i]; priced[i].cost = race->admitted.ranks[order[i]].cost; }
    qsort(priced, count, sizeof *priced, autotune__order_priced);
    for (i = 0; i < count; i++) order[i] = priced[i].place;
    autotune__free(priced);
    if (race->limits.top_k && count > race->limits.top_k) autotune__set_count(order, (size_t)race->limits.top_k);
    return true;
}
static void autotune__shuffle_batch(autotune__race *race) {         /* but for the first, which may be the incumbent */
    uint32_t *order = race->batch.order;
    size_t i;
    for (i = autotune__count(order); i > 2; i--) {
        const size_t j = 1 + (size_t)(autotune__random(&race->random) % (i - 1));
        const uint32_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}
static void autotune__lead_off(autotune__race *race) {              /* the incumbent becomes the first */
    uint32_t *order = race->batch.order;
    size_t i = 0;
    while (i < autotune__count(order) && autotune__point_at(race, i) != race->setup.incumbent) i++;
    if (i == autotune__count(order)) return;
    for (; i > 0; i--) {
        const uint32_t place = order[i];
        order[i] = order[i - 1];
        order[i - 1] = place;
    }
}

/* Deferred points come after all others of their batch. */
static bool autotune__is_deferred(const autotune__race *race, size_t index) {
    return autotune__position_of(index, race->setup.deferred, race->setup.deferred_count) != SIZE_MAX;
}
static bool autotune__has_deferred(const autotune__race *race) {    /* any left? */
    return race->batch.next_deferred < autotune__count(race->batch.deferred);
}
static void autotune__defer(autotune__race *race, size_t index) {   /* once, though a search may draw a point twice */
    size_t i;
    for (i = 0; i < autotune__count(race->batch.deferred); i++) if (race->batch.deferred[i] == index) return;
    if (!AUTOTUNE__PUSH(race->batch.deferred, index)) race->no_memory = true;
}
static void autotune__set_deferred_apart(autotune__race *race) {
    uint32_t *order = race->batch.order;
    size_t i, kept = 0;
    for (i = 0; i < autotune__count(order); i++) {
        const size_t index = autotune__point_at(race, i);
        if (autotune__is_deferred(race, index)) autotune__defer(race, index);
        else order[kept++] = order[i];
    }
    autotune__set_count(order, kept);
}

/* The next batch: the points of the highest PRIORITY that was not raced. Points without a PRIORITY are raced with the
   first batch. */
static const autotune__rank *autotune__highest_untried(const autotune__admission *admitted) {      /* NULL: none */
    const autotune__rank *ranks = admitted->ranks, *highest = NULL;
    size_t i;
    for (i = 0; i < autotune__count(ranks); i++)
        if (ranks[i].grouped && !ranks[i].tried && (!highest || autotune__higher(&ranks[i], highest)))
            highest = &ranks[i];
    return highest;
}
static void autotune__gather_batch(autotune__race *race) {          /* into an order[] that has room for all */
    autotune__batch *batch = &race->batch;
    const autotune__rank *highest = autotune__highest_untried(&race->admitted);
    size_t i;
    for (i = 0; i < autotune__count(race->admitted.points); i++) {
        autotune__rank *rank = race->admitted.ranks ? &race->admitted.ranks[i] : NULL;
        const bool chosen = rank && rank->grouped
                                ? !rank->tried && rank->group == highest->group && rank->intra == highest->intra
                                : batch->first;
        if (!chosen) continue;
        (void)AUTOTUNE__PUSH(batch->order, (uint32_t)i);
        if (rank) rank->tried = true;
        if (rank && autotune__is_definite(rank->cost)) batch->priced = true;
    }
    batch->first = false;
}
static bool autotune__choose_batch(autotune__race *race) {          /* false: there is none, or no memory */
    autotune__batch *batch = &race->batch;
    const bool in_order = race->limits.strategy == AUTOTUNE_EXHAUSTIVE;
    autotune__set_count(batch->order, 0);
    autotune__set_count(batch->deferred, 0);
    batch->next_deferred = 0;
    batch->priced = false;
    if (!race->admitted.ranks && !batch->first) return false;
    if (!AUTOTUNE__ROOM(batch->order, autotune__count(race->admitted.points))) { race->no_memory = true; return false; }
    autotune__gather_batch(race);
    if (batch->priced && !autotune__sort_by_cost(race)) return false;
    autotune__set_deferred_apart(race);         /* after the sort: .top_k counts deferred points, too */
    if (race->no_memory) return false;
    batch->no_model = !batch->priced && race->limits.top_k > 0;
    if (!batch->priced && !in_order) autotune__shuffle_batch(race);
    if (!in_order) autotune__lead_off(race);
    return autotune__count(batch->order) > 0 || autotune__has_deferred(race);
}

/* ---- src/race/searching.h ------------------------------------------------------------------------------------------
   A space that is sampled, and the search of a batch: which points take part, and who chooses among them. */

/* A sampled space. Before the first launch a survey draws points until 256 of them may be raced; so it learns which
   PRIORITYs there are. The first batch is the highest of them, and any higher one that the search meets. Points of a
   lower PRIORITY are refused, but the highest of these is remembered: it becomes the next batch if nothing of this one
   works, which is so when the first 200 fail. */
static bool autotune__takes_part(autotune__race *race, const autotune__answer *answer) {
    const autotune__rank rank = autotune__rank_of(answer);
    autotune__sample *sample = &race->sample;
    if (!autotune__is_eligible(answer)) return false;
    if (!sample->current.grouped) sample->current = rank;
    if (!autotune__higher(&sample->current, &rank))
        return !sample->ceiling.grouped || autotune__higher(&sample->ceiling, &rank);
    if (!sample->lower.grouped || autotune__higher(&rank, &sample->lower)) sample->lower = rank;
    return false;
}
static void autotune__take_surveyed(autotune__race *race, const autotune__answer *answer) {
    const autotune__rank rank = autotune__rank_of(answer);
    autotune__sample *sample = &race->sample;
    sample->drawn++;
    if (!autotune__is_eligible(answer)) return;
    sample->eligible++;
    if (sample->current.grouped && autotune__higher(&rank, &sample->current)) {
        sample->lower = sample->current;
        sample->current = rank;
        sample->cheapest.count = 0;
    }
    if (autotune__takes_part(race, answer)) autotune__shortlist_point(&sample->cheapest, sample->point, answer->cost);
}
/* The next batch is a PRIORITY, and not a list of points: only the first configuration of the space is in its order.
   False: all PRIORITYs that are known were raced, or there is no memory. */
static bool autotune__choose_sample(autotune__race *race) {
    autotune__sample *sample = &race->sample;
    const bool first = race->batch.first;
    autotune__set_count(race->batch.order, 0);
    race->batch.first = false;
    if (!first && !sample->lower.grouped) return false;
    if (!first) {
        sample->ceiling = sample->current;
        sample->current = sample->lower;
        sample->lower.grouped = false;
    }
    if (race->admitted.points) race->no_memory = !AUTOTUNE__PUSH(race->batch.order, 0);
    return !race->no_memory;
}
/* How many configurations the space has, by the share of the points drawn uniformly that may be raced. */
static size_t autotune__estimated_count(const autotune__race *race) {
    const size_t points = race->setup.points, drawn = race->sample.drawn, seen = autotune__count(race->rows);
    const double share = drawn ? (double)race->sample.eligible / (double)drawn : 0, count = share * (double)points;
    return count >= (double)points ? points : count > (double)seen ? (size_t)count : seen;
}
/* Counts a point that the search has drawn, if it is one from anywhere, or the next in order. */
static void autotune__count_draw(autotune__race *race, const autotune__answer *answer) {
    autotune_search *search = race->searching.search;
    const bool in_order = search->ordered == race->searching.judged + 1;
    if (!in_order && !search->uniform) return;
    race->sample.drawn += 1 + (in_order ? answer->skip : 0);
    race->sample.eligible += autotune__is_eligible(answer);
    if (in_order) search->ordered += answer->skip;
}
static bool autotune__gives_up(const autotune__race *race) {        /* this batch, for a lower PRIORITY */
    const size_t enough = 200;
    return race->setup.sampled && race->sample.lower.grouped && !autotune__is_definite(race->best_ns) &&
           autotune__count(race->rows) - race->batch.first_row >= enough;
}

/* The search of a batch. With AUTO a batch of more than 50 configurations is searched, unless its first trials show
   that there is time for all of it. */
static bool autotune__list_batch(autotune__race *race, autotune_search *search) {       /* false: no memory */
    const size_t count = autotune__count(race->batch.order);
    size_t i;
    search->list_count = count;
    search->list = race->admitted.points;
    if (count == autotune__count(race->admitted.points)) return true;
    if (!AUTOTUNE__ROOM(search->own_list, count)) return false;
    for (i = 0; i < count; i++) (void)AUTOTUNE__PUSH(search->own_list, autotune__point_at(race, i));
    qsort(search->own_list, count, sizeof *search->own_list, autotune__order_sizes);
    search->list = search->own_list;
    return true;
}
static void autotune__prefer_listed(autotune_search *search, const autotune__shortlist *list, size_t most) {
    size_t i;
    for (i = 0; i < list->count && i < most; i++) (void)AUTOTUNE__PUSH(search->preferred, list->index[i]);
}
/* What the search tries first: the first configuration, the incumbent, those with the least predicted costs, and what
   was good for another key. False: no memory. */
static bool autotune__prefer_points(autotune__race *race, autotune_search *search) {
    const size_t count = autotune__count(race->batch.order), cheapest = 8;
    const autotune__race_setup *setup = &race->setup;
    size_t i, taken = 0;
    if (!AUTOTUNE__ROOM(search->preferred, cheapest + 2 + setup->seeds.count)) return false;
    if (count) (void)AUTOTUNE__PUSH(search->preferred, search->list ? search->list[0] : race->admitted.points[0]);
    if (setup->incumbent != SIZE_MAX) (void)AUTOTUNE__PUSH(search->preferred, setup->incumbent);
    for (i = 0; race->batch.priced && i < count && taken < cheapest; i++) {
        if (autotune__point_at(race, i) == setup->incumbent) continue;
        (void)AUTOTUNE__PUSH(search->preferred, autotune__point_at(race, i));
        taken++;
    }
    autotune__prefer_listed(search, &race->sample.cheapest, cheapest);
    autotune__prefer_listed(search, &setup->seeds, setup->seeds.count);
    return true;
}
/* Does a search choose among so many configurations? Else they are launched in order. */
static bool autotune__is_searched(const autotune__race_setup *setup, autotune_strategy strategy, size_t count) {
    const size_t small = 50;
    const bool in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM ||
                          (strategy == AUTOTUNE_AUTO && count <= small);
    return setup->space && (setup->sampled || (count && !in_order));
}
static bool autotune__start_search(autotune__race *race) {          /* if the batch is searched; false: no memory */
    const autotune_strategy strategy = race->limits.strategy;
    const bool sampled = race->setup.sampled;
    autotune__searching *searching = &race->searching;
    autotune__free_search(searching->search);
    memset(searching, 0, sizeof *searching);
    searching->told = autotune__count(race->rows);
    if (!autotune__is_searched(&race->setup, strategy, autotune__count(race->batch.order))) return true;
    searching->extent = strategy == AUTOTUNE_AUTO && !sampled ? AUTOTUNE__UNDECIDED : AUTOTUNE__SEARCHED;
    searching->search = autotune__search_space(race->setup.space, strategy, race->limits.seed);
    return searching->search && (sampled || autotune__list_batch(race, searching->search)) &&
           autotune__prefer_points(race, searching->search);
}
/* The screen of the next batch begins. Where there is none, the race ends without a winner. */
static bool autotune__next_batch(autotune__race *race) {
    const bool chosen = race->setup.sampled ? autotune__choose_sample(race) : autotune__choose_batch(race);
    if (!chosen) return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (!autotune__start_search(race)) { race->no_memory = true; return false; }
    race->stage = AUTOTUNE__SCREENING;
    race->batch.began = race->elapsed;
    race->batch.next = 0;
    race->batch.first_row = race->screening.recheck = race->probe.row = autotune__count(race->rows);
    race->best_ns = race->probe.expected_ns = AUTOTUNE__NEVER;
    return false;
}

/* ---- src/race/evaluate.h -------------------------------------------------------------------------------------------
   The first stage: which points may be raced. Every point of a space is evaluated; of a sampled one those that are
   drawn. */

static bool autotune__new_row(autotune__race *race, size_t index) {
    autotune__row row;
    memset(&row, 0, sizeof row);
    row.index = index;
    row.stage = "screen";
    row.minimum = row.second = row.measured = row.median = row.relative = AUTOTUNE__NEVER;
    return AUTOTUNE__PUSH(race->rows, row);
}

/* Of a sampled space only the first configuration is looked for in order. */
static bool autotune__evaluate(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    const bool sampled = race->setup.sampled;
    autotune__admission *admitted = &race->admitted;
    bool found;
    if (answer) {
        autotune__enlist(race, admitted->visited, answer);
        admitted->visited += 1 + answer->skip;
    }
    if (race->no_memory) return false;
    found = sampled && (admitted->points || admitted->visited > AUTOTUNE__FRUITLESS);
    if (admitted->visited < race->setup.points && !found)
        return autotune__ask(request, AUTOTUNE__EVALUATE, admitted->visited, 0, 0);
    admitted->count = autotune__count(admitted->points);
    if (sampled && (admitted->ranks || !admitted->count)) { race->stage = AUTOTUNE__SURVEYING; return false; }
    if (admitted->count == 1 && !sampled && autotune__new_row(race, admitted->points[0]))
        return autotune__finish(race, 0, AUTOTUNE_SINGLE);
    return autotune__next_batch(race);
}
/* The survey of a sampled space: see sample.h. */
static bool autotune__survey(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    const size_t enough = 256, most = 1 << 18;
    autotune__sample *sample = &race->sample;
    if (answer) autotune__take_surveyed(race, answer);
    else if (race->admitted.ranks) sample->current = race->admitted.ranks[0];
    if (sample->eligible >= enough || sample->drawn >= most) return autotune__next_batch(race);
    sample->point = (size_t)autotune__random_below(&race->random, race->setup.points);
    return autotune__ask(request, AUTOTUNE__EVALUATE, sample->point, 0, 0);
}
/* Before the first launch: from now on the space is sampled, since to evaluate all of its points takes too long. */
static void autotune__sample_instead(autotune__race *race) {
    race->setup.sampled = true;
    race->admitted.visited = race->setup.points;
    autotune__set_count(race->admitted.points, 1);
    autotune__set_count(race->admitted.ranks, 1);
}

/* ---- src/race/cut.h ------------------------------------------------------------------------------------------------
   Cuts: which configurations leave the race, and why. */

static void autotune__remove_live(autotune__race *race, size_t row) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] == row) {
            AUTOTUNE__REMOVE(race->live, i);
            break;
        }
    if (race->control.row == row) race->control.active = false;
}
static void autotune__drop(autotune__race *race, size_t row, const char *why) {
    race->rows[row].state = AUTOTUNE__SLOW;
    race->rows[row].why = why;
    autotune__remove_live(race, row);
}
/* The largest minimum that survives: `factor` times the least. Two rows survive in any case, unless the second takes
   three times as long: few samples show nothing, and a duel with something that is much slower is short. A device has a
   quick launch now and then, so a minimum that is far from the next sample of its own row is replaced by that. */
static double autotune__cut(const autotune__race *race, double factor) {
    const double hopeless = 3;
    double best = AUTOTUNE__NEVER, second = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        const bool lonely = autotune__is_definite(row->second) && row->second > factor * row->minimum;
        const double ns = lonely ? row->second : row->minimum;
        if (ns < best) { second = best; best = ns; }
        else if (ns < second) second = ns;
    }
    return second > factor * best && second <= hopeless * best ? second : factor * best;
}
/* Of two equals the incumbent is preferred, else the lower index. True: the first row yields to the second. */
static bool autotune__yields(const autotune__race *race, size_t a, size_t b) {
    const size_t x = race->rows[a].index, y = race->rows[b].index;
    return y == race->setup.incumbent || (x != race->setup.incumbent && x > y);
}
static bool autotune__is_slower(const autotune__race *race, size_t a, size_t b) {
    const double x = race->rows[a].minimum, y = race->rows[b].minimum;
    return x > y || (!(x < y) && autotune__yields(race, a, b));
}
/* Keeps the survivors within `factor` of the best, and `most` of them at most, the best first. */
static void autotune__keep(autotune__race *race, double factor, size_t most, const char *stage) {
    const double cut = autotune__cut(race, factor);
    size_t i, kept = 0;
    for (i = 0; i < autotune__count(race->live); i++) {
        const size_t row = race->live[i];
        size_t j = kept;
        race->rows[row].state = AUTOTUNE__SLOW;
        race->rows[row].why = "too slow";
        if (autotune__is_definite(race->rows[row].minimum) && race->rows[row].minimum > cut) continue;
        for (; j > 0 && autotune__is_slower(race, race->live[j - 1], row); j--) race->live[j] = race->live[j - 1];
        race->live[j] = row;
        kept++;
    }
    for (i = 0; i < kept; i++) {
        autotune__row *row = &race->rows[race->live[i]];
        row->why = "not among the best";
        if (i >= most) continue;
        row->state = AUTOTUNE__WORKS;
        row->stage = stage;
        row->why = NULL;
    }
    autotune__set_count(race->live, kept < most ? kept : most);
    race->best_ns = kept ? race->rows[race->live[0]].minimum : AUTOTUNE__NEVER;
}
/* The factor of the screen: what takes more than twice as long as the best is cut. Where launches take less time in a
   batch than alone, a part of the time of one is the CPU's; then what is shorter than a batch is seen only in a batch,
   and the factor is larger. */
static double autotune__screen_factor(const autotune__race *race) {
    const bool hidden = race->limits.whole_batches && autotune__launches_of_sample(race, race->best_ns) > 1;
    return 2 + (hidden ? autotune__least_batch_ns / race->best_ns : 0);
}
/* The rows of the batch that work become the survivors. False: there are none, or there is no memory. */
static bool autotune__collect(autotune__race *race) {
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = race->batch.first_row; row < autotune__count(race->rows) && !race->no_memory; row++) {
        if (race->rows[row].state == AUTOTUNE__FAILED || !autotune__is_definite(race->rows[row].minimum)) continue;
        race->rows[row].relative = AUTOTUNE__NEVER;             /* of rounds that the others were not in */
        race->no_memory = !AUTOTUNE__PUSH(race->live, row);
    }
    if (race->no_memory || !race->live) return false;
    autotune__keep(race, autotune__screen_factor(race), SIZE_MAX, "halving");
    return autotune__count(race->live) > 0;
}

/* ---- src/race/rounds.h ---------------------------------------------------------------------------------------------
   Rounds, of which halving and duel are made: one sample of each survivor, in an order that is drawn anew for each. */

/* The control is sampled a second time in each round of the duel: this stands for it in round.rows. */
enum { AUTOTUNE__CONTROL = INT32_MAX };

/* A sample below 0.25 ms is the least of three repetitions, since what disturbs a launch only ever makes it longer. The
   number of launches varies by up to 20 % from round to round, lest it follow the rhythm of something else. */
static void autotune__start_round(autotune__race *race) {
    const size_t live = autotune__count(race->live);
    autotune__round *round = &race->round;
    size_t i;
    autotune__set_count(round->rows, 0);
    if (!AUTOTUNE__ROOM(round->rows, live + 1)) { race->no_memory = true; return; }
    for (i = 0; i < live; i++) (void)AUTOTUNE__PUSH(round->rows, race->live[i]);
    if (race->control.active) (void)AUTOTUNE__PUSH(round->rows, AUTOTUNE__CONTROL);
    for (i = autotune__count(round->rows); i > 1; i--) {
        const size_t j = (size_t)(autotune__random(&race->random) % i), swap = round->rows[i - 1];
        round->rows[i - 1] = round->rows[j];
        round->rows[j] = swap;
    }
    round->turn = round->repetition = 0;
    round->repetitions = race->best_ns < 2.5e5 ? 3 : 1;
    round->launches = autotune__launches_of_sample(race, race->best_ns);
    if (round->launches >= 5)
        round->launches += (uint32_t)(autotune__random(&race->random) % (round->launches / 5 + 1));
    round->least_ns = AUTOTUNE__NEVER;
}
static size_t autotune__row_of_turn(const autotune__race *race) {
    const size_t row = race->round.rows[race->round.turn];
    return row == AUTOTUNE__CONTROL ? race->control.row : row;
}

/* Keeps a sample of the duel. False: no memory. */
static bool autotune__keep_sample(autotune__race *race) {
    const double ns = race->round.least_ns;
    const bool controlled = race->control.active && race->row == race->control.row,
               first = autotune__count(race->control.first) <= race->duel.rounds;
    if (controlled && !(first ? AUTOTUNE__PUSH(race->control.first, ns) : AUTOTUNE__PUSH(race->control.second, ns)))
        return false;
    return race->round.rows[race->round.turn] == AUTOTUNE__CONTROL || AUTOTUNE__PUSH(race->rows[race->row].samples, ns);
}
/* A sample took no time, though all launches of the screen took some: the clock moves in steps after all. The screen is
   made again, with samples that are long enough for them. */
static void autotune__screen_anew(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__set_count(race->rows[i].samples, 0);
        race->rows[i].median = race->rows[i].relative = AUTOTUNE__NEVER;
    }
    race->screening.recheck = race->batch.first_row;
    race->screening.clock_asked = true;
    race->screening.repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    race->stage = AUTOTUNE__SCREENING;
}
static void autotune__take_sample(autotune__race *race) {           /* of all its repetitions */
    autotune__row *row = &race->rows[race->row];
    const double ns = race->round.least_ns;
    race->round.quicker = !(ns >= 0.95 * row->minimum);
    autotune__add_sample(row, ns, race->round.launches > 1);
    race->samples++;
    if (race->stage == AUTOTUNE__DUELLING && !autotune__keep_sample(race)) race->no_memory = true;
    if (autotune__at_goal(race, ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
}
static void autotune__take_repetition(autotune__race *race, const autotune__answer *answer) {
    autotune__round *round = &race->round;
    if (answer->status != AUTOTUNE_OK) autotune__remove_live(race, race->row);
    else if (!(answer->ns > 0) && !race->screening.clock_asked) autotune__screen_anew(race);
    else {
        if (answer->ns < round->least_ns) round->least_ns = answer->ns;
        if (++round->repetition < round->repetitions) return;
        autotune__take_sample(race);
    }
    round->turn++;
    round->repetition = 0;
    round->least_ns = AUTOTUNE__NEVER;
}

/* ---- src/race/probe.h ----------------------------------------------------------------------------------------------
   The samples of the screen: the warm-up, the step of the clock, and probes of the device's speed. */

/* The warm-up. The first launches of a process are not like the others: the first configuration that works is launched
   until two launches in a row agree within 2 %, at most 8 times and for 50 ms. It then serves as the probe, and the
   shorter of the two launches is what a probe should take. */
static bool autotune__warms_up(autotune__race *race, double ns) {   /* false: the warm-up is over */
    autotune__warm_up *warm_up = &race->warm_up;
    const double last_ns = warm_up->last_ns, difference = ns > last_ns ? ns - last_ns : last_ns - ns;
    if (warm_up->settled) return false;
    warm_up->total_ns += ns;
    warm_up->settled = (warm_up->launches && difference <= 0.02 * ns) || ++warm_up->launches >= 8 ||
                       warm_up->total_ns >= 50e6;
    warm_up->last_ns = ns;
    race->probe.row = race->row;
    race->probe.expected_ns = last_ns > 0 && last_ns < ns ? last_ns : ns;
    return !warm_up->settled;
}

/* A launch that took no time shows that the clock moves in steps. The configuration is then launched until the clock
   moves, which takes one step. From then on a sample takes four steps or more, and what was measured before is
   forgotten. */
static void autotune__learn_tick(autotune__race *race, double tick_ns) {
    size_t i;
    race->limits.tick_ns = tick_ns;
    race->best_ns = race->probe.expected_ns = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(race->rows); i++)
        race->rows[i].minimum = race->rows[i].second = race->rows[i].measured = AUTOTUNE__NEVER;
}
static bool autotune__ask_sample(autotune__race *race, autotune__request *request, size_t row) {
    const double tick = race->limits.tick_ns;
    if (race->screening.repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES)
        return autotune__ask_run(race, request, row, 1024, 0.5);
    return autotune__ask_run(race, request, row, tick > 0 ? 100000 : 1, 4 * tick);
}
static void autotune__take_screened(autotune__race *race, const autotune__answer *answer) {
    const autotune__repeat repeat = race->screening.repeat;
    autotune__row *row = &race->rows[race->row];
    race->screening.repeat = AUTOTUNE__NO_REPEAT;
    if (answer->status != AUTOTUNE_OK) return;
    if (!(answer->ns > 0) && !race->screening.clock_asked) {
        race->screening.clock_asked = true;
        race->screening.repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    } else if (answer->ns > 0 && repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES) {
        autotune__learn_tick(race, answer->ns * answer->launches);
        race->screening.repeat = AUTOTUNE__ONCE_MORE;
    } else {
        autotune__add_sample(row, answer->ns, false);
        race->samples++;
        if (row->minimum < race->best_ns) race->best_ns = row->minimum;
        if (autotune__at_goal(race, answer->ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
        else if (autotune__warms_up(race, answer->ns) || (row->at_goal && repeat == AUTOTUNE__NO_REPEAT))
            race->screening.repeat = AUTOTUNE__ONCE_MORE;
    }
}

/* Probes. After every 16 configurations, and after the last of more than two, the probe is launched again: the first
   configuration, or the best one once that is four times as fast. If three launches in a row are all slower by more
   than 5 % than the probe took before, or all faster, then the device's speed has changed. The minima of before are
   converted to the new speed, but only until the halving measures them anew: not all configurations follow alike, and
   nobody knows at which speed those since the last probe were measured. If the device is slower by 25 %, it may be
   throttled, and gets a pause of 50 ms, ten times in a race. */
static void autotune__change_pace(autotune__race *race, double ratio) {
    autotune__pace *pace = &race->pace;
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        const bool known = i < race->probe.rows;                    /* measured before the last probe */
        row->unsure = i != race->probe.row && (ratio < 1 || !known);
        if (!known) continue;
        row->minimum *= ratio;
        row->second *= ratio;
    }
    race->best_ns *= ratio;
    race->probe.expected_ns *= ratio;
    pace->now *= ratio;
    if (pace->now < pace->fastest) pace->fastest = pace->now;
    if (pace->now > pace->slowdown * pace->fastest) pace->slowdown = pace->now / pace->fastest;
}
static void autotune__choose_probe(autotune__race *race) {
    autotune__probe_state *probe = &race->probe;
    size_t i;
    if (race->rows[probe->row].state != AUTOTUNE__FAILED && probe->expected_ns <= 4 * race->best_ns) return;
    probe->expected_ns = AUTOTUNE__NEVER;
    for (i = race->batch.first_row; i < autotune__count(race->rows); i++) {
        if (race->rows[i].state == AUTOTUNE__FAILED || !(race->rows[i].minimum < probe->expected_ns)) continue;
        probe->row = i;
        probe->expected_ns = race->rows[i].minimum;
    }
}
static void autotune__begin_probe(autotune__probe_state *probe) {
    probe->least_ns = AUTOTUNE__NEVER;
    probe->most_ns = 0;
}
static void autotune__end_probe(autotune__race *race) {
    race->probe.launches = 0;
    race->probe.rows = autotune__count(race->rows);
}
static void autotune__take_probe(autotune__race *race, const autotune__answer *answer) {
    const double fast = 0.95, slow = 1.05, throttled = 1.25;
    autotune__probe_state *probe = &race->probe;
    bool slower, faster;
    double ratio;
    if (answer->status != AUTOTUNE_OK) { autotune__end_probe(race); return; }
    if (answer->ns < probe->least_ns) probe->least_ns = answer->ns;
    if (answer->ns > probe->most_ns) probe->most_ns = answer->ns;
    ratio = probe->least_ns / probe->expected_ns;
    slower = ratio > slow;
    faster = probe->most_ns < fast * probe->expected_ns;
    if ((slower || faster) && probe->launches++ < 3) return;
    race->pace.pausing = ratio > throttled && race->pace.pauses < 10;
    if (race->pace.pausing) {                   /* after it the probe begins anew */
        probe->launches = 1;
        autotune__begin_probe(probe);
        return;
    }
    if (slower || faster) autotune__change_pace(race, ratio);
    autotune__end_probe(race);
}
static bool autotune__ask_pause(autotune__race *race, autotune__request *request) {
    race->pace.pausing = false;
    race->pace.pauses++;
    return autotune__ask(request, AUTOTUNE__PAUSE, 0, 0, 50e6);
}
static bool autotune__is_screened(const autotune__race *race) {     /* the batch is, but for its deferred points */
    return race->searching.search ? race->searching.ended : race->batch.next >= autotune__count(race->batch.order);
}
static bool autotune__starts_probe(autotune__race *race) {
    autotune__probe_state *probe = &race->probe;
    const size_t rows = autotune__count(race->rows), every = 16;
    const bool no_more = autotune__is_screened(race) && !autotune__has_deferred(race),
               last = no_more && rows > 2 && rows > probe->rows;
    if (rows < probe->due && !last) return false;
    probe->due = rows + every;
    autotune__choose_probe(race);
    autotune__begin_probe(probe);
    return autotune__is_definite(probe->expected_ns) && probe->expected_ns > 0 && rows > probe->rows;
}
static bool autotune__probe(autotune__race *race, autotune__request *request) {
    if (race->pace.pausing) return autotune__ask_pause(race, request);
    if (!race->probe.launches && autotune__starts_probe(race)) race->probe.launches = 1;
    return race->probe.launches && autotune__ask_sample(race, request, race->probe.row);
}

/* ---- src/race/screen.h ---------------------------------------------------------------------------------------------
   The screen: every configuration of the batch is launched once. Which comes next, when time is up, and how the screen
   ends. */

/* Tells the search what every new row took, once the row has its samples. False: no memory. */
static bool autotune__tell_rows(autotune__race *race) {
    autotune__searching *searching = &race->searching;
    for (; searching->told < autotune__count(race->rows); searching->told++) {
        const autotune__row *row = &race->rows[searching->told];
        const bool failed = row->state == AUTOTUNE__FAILED;
        const double ns = failed ? AUTOTUNE__NEVER : row->minimum > 0 ? row->minimum : 1;
        if (!failed && !autotune__is_definite(row->minimum)) continue;          /* the clock did not move during it */
        if (!autotune__tell_search(searching->search, row->index, ns)) return false;
    }
    return true;
}
/* After eight trials of a batch: is there time to launch all of it, at the pace of these? */
static void autotune__choose_extent(autotune__race *race) {
    const autotune__limits *limits = &race->limits;
    const autotune__batch *batch = &race->batch;
    const size_t enough = 8, rows = autotune__count(race->rows) - batch->first_row,
                 count = autotune__count(batch->order);
    const double spent = race->elapsed - batch->began;
    bool whole;
    if (race->searching.extent != AUTOTUNE__UNDECIDED || rows < enough) return;
    whole = (!limits->trials || limits->trials >= batch->first_row + count) &&
            batch->began + spent / (double)rows * (double)count <= limits->screen_seconds;
    race->searching.extent = whole ? AUTOTUNE__WHOLE : AUTOTUNE__SEARCHED;
}
/* The configuration that is launched next: TRY. JUDGE: the point has to be evaluated before. EXHAUSTED: none is
   left. */
static autotune__move autotune__next_candidate(autotune__race *race, size_t *index) {
    const bool by_default = !race->limits.trials && !race->limits.explicit_seconds;
    autotune__searching *searching = &race->searching;
    autotune_search *search = searching->search;
    autotune__move move;
    autotune__choose_extent(race);
    while (!autotune__is_searching(race) && race->batch.next < autotune__count(race->batch.order)) {
        *index = autotune__point_at(race, race->batch.next++);
        if (!search || !autotune__is_visited(search, *index)) return AUTOTUNE__TRY;
    }
    if (!autotune__is_searching(race)) return AUTOTUNE__EXHAUSTED;
    if (searching->judging) move = autotune__search_step(search, searching->admits, index);
    else if (!autotune__tell_rows(race)) return AUTOTUNE__NO_ROOM;
    else if (by_default && searching->extent == AUTOTUNE__SEARCHED && !autotune_search_pays(search))
        return AUTOTUNE__EXHAUSTED;
    else move = autotune__search_step(search, false, index);
    searching->judging = move == AUTOTUNE__JUDGE;
    return move;
}
static autotune__move autotune__next_deferred(autotune__race *race, size_t *index) {
    if (!autotune__has_deferred(race)) return AUTOTUNE__EXHAUSTED;
    *index = race->batch.deferred[race->batch.next_deferred++];
    return AUTOTUNE__TRY;
}
/* The user's own limit is strict. The default limit is exceeded until something works, though not in a sampled space,
   and until a search has its 50 trials, however long their launches take. But what is no launch, as drawing points and
   compiling, takes four times the limit at most. */
static bool autotune__no_time_left(const autotune__race *race) {
    const double limit = race->limits.screen_seconds, besides_launches = race->elapsed - race->before_duel_ns / 1e9;
    const size_t enough = 50, rows = autotune__count(race->rows), tried = rows - race->batch.first_row;
    if (race->elapsed < limit || !rows) return false;
    if (race->limits.explicit_seconds) return true;
    if (!autotune__is_definite(race->best_ns)) return race->setup.sampled && !race->limits.trials;
    return !autotune__is_searching(race) || tried >= enough || besides_launches >= 4 * limit;
}
/* The search proposes nothing more. If that is so because it finds no further point of a sampled space, and not because
   more trials do not pay, then not all that should be launched was. How many points one PRIORITY has nobody knows. */
static void autotune__end_search(autotune__race *race) {
    race->searching.ended = true;
    if (!race->setup.sampled || race->sample.current.grouped || race->limits.strategy == AUTOTUNE_EXHAUSTIVE) return;
    if (autotune_search_pays(race->searching.search) &&
        autotune__estimated_count(race) / 2 > autotune__count(race->rows))
        race->screening.cut_short = true;
}
/* Asks for the first launch of another configuration. False: none gets one. */
static bool autotune__screen_next(autotune__race *race, autotune__request *request) {
    const bool screened = autotune__is_screened(race), gives_up = autotune__gives_up(race),
               no_trial_left = race->limits.trials && autotune__count(race->rows) >= race->limits.trials;
    size_t index;
    if (screened && !autotune__has_deferred(race)) return false;
    if (gives_up || no_trial_left || autotune__no_time_left(race)) {
        race->searching.ended = race->searching.ended || gives_up;
        race->screening.cut_short = race->screening.cut_short || !(gives_up || no_trial_left);
        race->searching.judging = false;
        return false;
    }
    switch (screened ? autotune__next_deferred(race, &index) : autotune__next_candidate(race, &index)) {
    case AUTOTUNE__JUDGE:
        race->searching.judged = index;
        return autotune__ask(request, AUTOTUNE__EVALUATE, index, 0, 0);
    case AUTOTUNE__EXHAUSTED:
        autotune__end_search(race);
        return autotune__has_deferred(race) && autotune__screen_next(race, request);
    case AUTOTUNE__TRY: race->no_memory = !autotune__new_row(race, index); break;
    default: race->no_memory = true;
    }
    return !race->no_memory && autotune__ask_sample(race, request, autotune__count(race->rows) - 1);
}
/* Asks for a second launch of a configuration that would be cut, if its first one took less than a millisecond: first
   launches may start threads and touch pages. And of what was measured before the clock's step was known. */
static bool autotune__screen_again(autotune__race *race, autotune__request *request) {
    const double within = autotune__screen_factor(race), short_ns = 1e6;
    size_t *next = &race->screening.recheck;
    for (; *next < autotune__count(race->rows) && autotune__in_time(race); ++*next) {
        const autotune__row *row = &race->rows[*next];
        const bool lost = row->launches == 1 && row->minimum < short_ns && row->minimum > within * race->best_ns,
                   unknown = !autotune__is_definite(row->minimum);
        if (row->state != AUTOTUNE__FAILED && (unknown || (lost && !race->screening.cut_short)))
            return autotune__ask_sample(race, request, (*next)++);
    }
    return false;
}
/* No launch took any time by the clock: the lowest index wins. */
static bool autotune__finish_unmeasured(autotune__race *race) {
    size_t i, lowest = race->live[0];
    for (i = 1; i < autotune__count(race->live); i++)
        if (race->rows[race->live[i]].index < race->rows[lowest].index) lowest = race->live[i];
    race->outcome.doubt = "the clock did not move during the launches";
    return autotune__finish(race, lowest, AUTOTUNE_UNRESOLVED);
}
static void autotune__forget_unsure(autotune__race *race) {         /* the halving measures these rows anew */
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        if (row->unsure && row->state == AUTOTUNE__WORKS) row->minimum = row->second = AUTOTUNE__NEVER;
        row->unsure = false;
    }
}
static void autotune__start_halving(autotune__race *race) {
    race->stage = AUTOTUNE__HALVING;
    memset(&race->halving, 0, sizeof race->halving);
    race->halving.rounds_left = 1;
    race->duel.rounds = 0;
    autotune__set_count(race->duel.fastest, 0);
    autotune__set_count(race->control.first, 0);
    autotune__set_count(race->control.second, 0);
    race->control.row = SIZE_MAX;
    race->control.active = false;
    autotune__forget_unsure(race);
    autotune__start_round(race);
}
static bool autotune__end_screen(autotune__race *race) {
    if (!autotune__collect(race)) return autotune__next_batch(race);
    if (!autotune__is_definite(race->best_ns) || !(race->best_ns > 0)) return autotune__finish_unmeasured(race);
    if (autotune__count(race->live) == 1) return autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
    autotune__start_halving(race);
    return false;
}
/* The answer for a point that the search asked about. A deferred point is not admitted, but kept for later. */
static void autotune__take_judgement(autotune__race *race, const autotune__answer *answer) {
    const size_t index = race->searching.judged;
    const bool takes_part = autotune__takes_part(race, answer), deferred = autotune__is_deferred(race, index);
    autotune__count_draw(race, answer);
    if (takes_part && deferred) autotune__defer(race, index);
    race->searching.admits = takes_part && !deferred;
}
static bool autotune__screen(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    if (answer && race->searching.judging) autotune__take_judgement(race, answer);
    else if (answer && race->probe.launches) autotune__take_probe(race, answer);
    else if (answer) autotune__take_screened(race, answer);
    if (race->stage != AUTOTUNE__SCREENING) return false;           /* .stop_at_ns was reached */
    if (race->screening.repeat && autotune__in_time(race)) return autotune__ask_sample(race, request, race->row);
    race->screening.repeat = AUTOTUNE__NO_REPEAT;
    if (autotune__in_time(race) && autotune__probe(race, request)) return true;
    race->probe.launches = 0;
    if (autotune__screen_next(race, request)) return true;
    if (race->no_memory) return false;
    if (race->searching.ended && autotune__in_time(race) && autotune__probe(race, request)) return true;
    if (race->setup.sampled) race->admitted.count = autotune__estimated_count(race);
    return autotune__screen_again(race, request) || autotune__end_screen(race);
}

/* ---- src/race/halving.h --------------------------------------------------------------------------------------------
   The halving: survivors within a margin of the best stay, until there are few enough for the duel. */

/* A cut comes after 1 round, after 2 more, and after 4 more. Survivors within 15, 10 and 7 % of the best stay, but not
   more than half of them, or as many as the duel may have. If samples of one configuration differ by less, the margin
   is narrower: 4, 2 and 4/3 times the usual difference, but not less than 1 %. */
enum { AUTOTUNE__FINALISTS = 8 };
/* How far apart the two least samples of a survivor are, over the least: the median of all survivors. */
static double autotune__measured_noise(const autotune__race *race) {
    const size_t count = autotune__count(race->live);
    double *distances = (double *)autotune__allocate(count * sizeof *distances), noise = AUTOTUNE__NEVER;
    size_t i, known = 0;
    for (i = 0; distances && i < count; i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        if (row->minimum > 0 && autotune__is_definite(row->second)) distances[known++] = row->second / row->minimum - 1;
    }
    if (known) noise = autotune__median(distances, known);
    autotune__free(distances);
    return noise;
}
static double autotune__halving_margin(const autotune__race *race) {
    static const double widest[] = { 0.15, 0.10, 0.07 };
    const size_t cut = race->halving.count;
    const double margin = 4 * race->halving.noise / (double)(cut + 1);
    return margin < 0.01 ? 0.01 : margin < widest[cut] ? margin : widest[cut];
}
static void autotune__start_duel(autotune__race *race) {
    autotune__keep(race, AUTOTUNE__NEVER, AUTOTUNE__FINALISTS, "duel");
    race->duel.finalists = autotune__count(race->live);
    race->stage = AUTOTUNE__DUELLING;
    race->control.row = race->live[0];
    race->control.active = race->duel.finalists > 1;
}
/* Before a cut all survivors must have a sample at the device's speed of now. If the last sample of the round was
   shorter than any of its row before, the first configuration of the round is sampled again. If that sample is shorter,
   too, then the device became faster in the middle of the round, and the round is made again, three times at most.
   True: a sample is asked for. */
static bool autotune__completes_round(autotune__race *race) {
    autotune__round *round = &race->round;
    const size_t last = autotune__count(round->rows) - 1, most = 3;
    if (round->rows[last] != round->rows[0]) return AUTOTUNE__PUSH(round->rows, round->rows[0]);
    if (race->halving.repeated++ >= most) return false;
    autotune__start_round(race);
    return true;
}
static void autotune__halve(autotune__race *race) {                 /* after every round */
    autotune__halving *halving = &race->halving;
    const size_t half = (autotune__count(race->live) + 1) / 2, finalists = AUTOTUNE__FINALISTS;
    if (race->round.quicker && halving->rounds_left == 1 && autotune__completes_round(race)) return;
    if (--halving->rounds_left == 0) {
        if (halving->count == 0) halving->noise = autotune__measured_noise(race);
        autotune__keep(race, 1 + autotune__halving_margin(race), half < finalists ? finalists : half, "halving");
        halving->rounds_left = (size_t)1 << ++halving->count;
        if (halving->count == 3 || autotune__count(race->live) <= finalists) autotune__start_duel(race);
    }
    if (autotune__count(race->live) == 1) autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
    else autotune__start_round(race);
}

/* ---- src/race/duel.h -----------------------------------------------------------------------------------------------
   The duel: finalists are dropped once they are shown to be slower, until one is left, or the rest ties, or time is
   up. */

static size_t autotune__leader(const autotune__race *race) {        /* the survivor that stands best */
    size_t i, best = race->live[0];
    for (i = 1; i < autotune__count(race->live); i++)
        if (autotune__standing(&race->rows[race->live[i]]) < autotune__standing(&race->rows[best]))
            best = race->live[i];
    return best;
}
/* Configurations within 0.2 % are alike: two copies of one kernel differ by some nanoseconds. Of those that are alike
   to the leader the incumbent wins, else the lowest index, so that the winner does not change from process to process.
   With 1 % instead, one winner in ten of a noisy flat space would be more than 1 % slow. */
static const double autotune__alike = 1.002;
static size_t autotune__pick(const autotune__race *race) {
    const double fastest = autotune__standing(&race->rows[autotune__leader(race)]);
    size_t i, nearest = SIZE_MAX;
    for (i = 0; i < autotune__count(race->live); i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        if (autotune__standing(row) > autotune__alike * fastest) continue;
        if (row->index == race->setup.incumbent) return race->live[i];
        if (nearest == SIZE_MAX || row->index < race->rows[nearest].index) nearest = race->live[i];
    }
    return nearest;
}
static bool autotune__stands_worse(const autotune__race *race, size_t a, size_t b) {
    const double x = autotune__standing(&race->rows[a]), y = autotune__standing(&race->rows[b]);
    return x > y || (!(x < y) && autotune__yields(race, a, b));
}
/* Many rounds are for few configurations: from the 4th on the best six stay, from the 8th on four, from the 20th on
   three. */
static void autotune__thin_out(autotune__race *race) {
    const size_t rounds = race->duel.rounds,
                 most = rounds >= 20 ? 3 : rounds >= 8 ? 4 : rounds >= 4 ? 6 : (size_t)AUTOTUNE__FINALISTS;
    while (autotune__count(race->live) > most) {
        size_t i, worst = race->live[0];
        for (i = 1; i < autotune__count(race->live); i++)
            if (autotune__stands_worse(race, race->live[i], worst)) worst = race->live[i];
        autotune__drop(race, worst, "not among the best");
    }
}
static bool autotune__finish_unresolved(autotune__race *race) {
    return autotune__finish(race, autotune__pick(race), AUTOTUNE_UNRESOLVED);
}
/* Is every other survivor shown to be no more than 1 % faster than this one? At most one of two is faster, so the
   threshold covers these tests, too. */
static bool autotune__unbeaten(const autotune__race *race, size_t row, double threshold) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] != row &&
            !autotune__shown_slower(&race->rows[race->live[i]], &race->rows[row], 1.01, threshold))
            return false;
    return true;
}
/* Does the leader stand better than every other by more than 1 %? Then more rounds may show that it is the fastest. */
static bool autotune__leads(const autotune__race *race, size_t leader) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] != leader &&
            autotune__standing(&race->rows[race->live[i]]) <= 1.01 * autotune__standing(&race->rows[leader]))
            return false;
    return true;
}
/* Are the rounds used up, or the duel's share of the time? Equals could be compared for ever. 128 samples and 50 ms are
   never too much. */
static bool autotune__is_spent(const autotune__race *race) {
    const autotune__duel_state *duel = &race->duel;
    return duel->rounds >= race->limits.rounds || (race->samples >= 128 && duel->spent_ns > 50e6 &&
                                                   duel->spent_ns > race->limits.share * race->before_duel_ns);
}
static double autotune__fastest_of_round(const autotune__race *race) {
    double fastest = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        const double *samples = race->rows[race->live[i]].samples;
        if (samples[race->duel.rounds] < fastest) fastest = samples[race->duel.rounds];
    }
    return fastest;
}
/* Was the round slower than the median round by more than 25 %? It is then discarded, and the device gets a pause. */
static bool autotune__is_throttled(const autotune__race *race, double fastest) {
    double scratch[AUTOTUNE__MOST_ROUNDS];
    const size_t rounds = autotune__count(race->duel.fastest);
    if (rounds < 3 || race->pace.pauses >= 10) return false;
    memcpy(scratch, race->duel.fastest, rounds * sizeof *scratch);
    return fastest > 1.25 * autotune__median(scratch, rounds);
}
static void autotune__discard_round(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        autotune__set_count(race->rows[race->live[i]].samples, race->duel.rounds);
    if (autotune__count(race->control.second) > race->duel.rounds) {
        autotune__set_count(race->control.first, race->duel.rounds);
        autotune__set_count(race->control.second, race->duel.rounds);
    }
    race->pace.pausing = true;
    autotune__start_round(race);
}
static void autotune__drop_slower(autotune__race *race, size_t leader, double threshold) {
    size_t i;
    for (i = autotune__count(race->live); i-- > 0;) {
        const size_t row = race->live[i];
        if (row != leader &&
            autotune__shown_slower(&race->rows[row], &race->rows[leader], 1 / autotune__alike, threshold))
            autotune__drop(race, row, "shown to be slower");
    }
}
/* After every round. The duel errs if it drops the fastest finalist. Each comparison with another may do so, hence the
   number of these is a factor of the threshold. The control is sampled in the first four rounds, and as long as it
   seems to differ from itself. */
static void autotune__duel(autotune__race *race) {
    const double alpha = 0.05, threshold = (double)(race->duel.finalists - 1) / alpha,
                 fastest = autotune__fastest_of_round(race);
    const size_t first_look = 5, controlled = 4;
    size_t leader, choice;
    bool looks, spent;
    if (autotune__is_throttled(race, fastest)) { autotune__discard_round(race); return; }
    if (!AUTOTUNE__PUSH(race->duel.fastest, fastest)) { race->no_memory = true; return; }
    race->duel.rounds++;
    looks = race->duel.rounds >= first_look;
    if (race->duel.rounds >= controlled && autotune__control_evidence(race) < 1) race->control.active = false;
    autotune__update_medians(race);
    autotune__thin_out(race);
    leader = autotune__leader(race);
    if (looks) autotune__drop_slower(race, leader, threshold);
    choice = autotune__pick(race);
    spent = autotune__is_spent(race);
    if (autotune__count(race->live) == 1) autotune__finish(race, leader, AUTOTUNE_SEPARATED);
    else if (looks && (spent || !autotune__leads(race, leader)) && autotune__unbeaten(race, choice, threshold))
        autotune__finish(race, choice, AUTOTUNE_TIE);
    else if (spent) autotune__finish(race, choice, AUTOTUNE_UNRESOLVED);
    else autotune__start_round(race);
}

/* ---- src/race/decide.h ---------------------------------------------------------------------------------------------
   The entry of a race: it takes an answer, and makes the next request. The rounds, and the confirmation. */

/* Halving and duel: one RUN after the other, in rounds. */
static bool autotune__rounds(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    autotune__round *round = &race->round;
    if (answer) autotune__take_repetition(race, answer);
    if ((race->stage != AUTOTUNE__HALVING && race->stage != AUTOTUNE__DUELLING) || race->no_memory) return false;
    if (!autotune__count(race->live)) {         /* all of them failed: something that was cut wins, or the next batch
                                                   is raced */
        if (autotune__collect(race)) return autotune__finish_unresolved(race);
        return autotune__next_batch(race);
    }
    if (!autotune__in_time(race)) {
        autotune__update_medians(race);
        return autotune__finish_unresolved(race);
    }
    if (race->pace.pausing) return autotune__ask_pause(race, request);
    while (round->turn < autotune__count(round->rows) &&
           race->rows[autotune__row_of_turn(race)].state == AUTOTUNE__FAILED)
        round->turn++;
    if (round->turn < autotune__count(round->rows)) {
        const bool first = race->stage == AUTOTUNE__HALVING && race->halving.count == 0 && round->launches > 1 &&
                           !race->limits.whole_batches;
        const double limit_ns = first ? 1.25 * race->best_ns * round->launches : 0;     /* then the batch has lost */
        (void)autotune__ask_run(race, request, autotune__row_of_turn(race), round->launches, limit_ns);
        request->at_least = 4;                  /* one launch that was held up shows nothing */
        return true;
    }
    if (race->stage == AUTOTUNE__HALVING) autotune__halve(race);
    else autotune__duel(race);
    return false;
}

/* The confirmation. The result tells how long the slowest configuration takes. If that was launched only once, it is
   launched again, since one preemption would make any configuration the slowest. The winner is never launched again: it
   might fail. */
static bool autotune__confirm(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    size_t i, slowest = race->outcome.winner;
    if (answer && answer->status == AUTOTUNE_OK) autotune__add_sample(&race->rows[race->row], answer->ns, false);
    for (i = 0; i < autotune__count(race->rows); i++)
        if (race->rows[i].state != AUTOTUNE__FAILED &&
            autotune__time(&race->rows[i]) > autotune__time(&race->rows[slowest]))
            slowest = i;
    if (slowest != race->outcome.winner && race->rows[slowest].launches == 1 && race->outcome.confirmed++ < 16 &&
        autotune__in_time(race))
        return autotune__ask_run(race, request, slowest, 1, 0);
    race->stage = AUTOTUNE__OVER;
    return false;
}

/* Which configuration is likely to get its first launch next (k = 0), after that (k = 1), and so on, as far as is known
   now. SIZE_MAX: none. */
static AUTOTUNE__UNUSED size_t autotune__upcoming(const autotune__race *race, size_t k) {
    const autotune__batch *batch = &race->batch;
    const bool searching = autotune__is_searching(race);
    const size_t left = searching ? 0 : autotune__count(batch->order) - batch->next;
    if (race->stage != AUTOTUNE__SCREENING) return SIZE_MAX;
    if (searching && !race->searching.ended) return autotune__likely_next(race->searching.search, k);
    if (k < left) return autotune__point_at(race, batch->next + k);
    k += batch->next_deferred - left;
    return k < autotune__count(batch->deferred) ? batch->deferred[k] : SIZE_MAX;
}
static void autotune__prepare_race(autotune__race *race, const autotune__race_setup *setup,
                                   const autotune__limits *limits) {
    memset(race, 0, sizeof *race);
    race->setup = *setup;
    race->limits = *limits;
    if (race->limits.rounds > AUTOTUNE__MOST_ROUNDS) race->limits.rounds = AUTOTUNE__MOST_ROUNDS;
    race->batch.first = true;
    race->random = limits->seed;
    race->outcome.winner = race->outcome.runner_up = race->control.row = SIZE_MAX;
    race->probe.due = 16;
    race->pace.now = race->pace.fastest = race->pace.slowdown = 1;
    race->outcome.lead = race->outcome.lead_low = race->outcome.lead_high = AUTOTUNE__NEVER;
}
/* Writes down what a RUN brought, in the row of its configuration. decide() calls this; a race that is broken off is
   told its last answer by this function alone. */
static void autotune__file(autotune__race *race, const autotune__answer *answer) {
    double *spent_ns = race->stage == AUTOTUNE__DUELLING ? &race->duel.spent_ns : &race->before_duel_ns;
    autotune__row *row = race->running ? &race->rows[race->row] : NULL;
    if (!row) return;
    race->running = false;
    *spent_ns += answer->ns * answer->launches;
    race->conditions.runs += answer->made > 0;
    race->conditions.disturbed += answer->disturbed;
    if (answer->clock_jumped) race->conditions.clock_jumped = true;
    if (answer->spared) race->screening.spared = true;
    if (answer->no_memory) race->no_memory = true;
    row->launches += answer->made;
    row->prepared = answer->prepared;
    row->status = answer->status;
    if (answer->status == AUTOTUNE_OK) return;
    row->state = AUTOTUNE__FAILED;
    row->reason = autotune__copy_string(answer->reason);
}
/* The entry. It is told the answer to the last request, NULL at first and after a PAUSE, and how many seconds ago the
   race began. It returns the next request. With FINISH race->outcome is complete. */
static autotune__request autotune__decide(autotune__race *race, const autotune__answer *answer, double elapsed) {
    autotune__request request;
    bool asked = false;
    race->elapsed = elapsed;
    if (answer) autotune__file(race, answer);
    while (!asked) {
        if (race->no_memory && race->stage < AUTOTUNE__CONFIRMING) autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
        switch (race->stage) {
        case AUTOTUNE__EVALUATING: asked = autotune__evaluate(race, answer, &request); break;
        case AUTOTUNE__SURVEYING: asked = autotune__survey(race, answer, &request); break;
        case AUTOTUNE__SCREENING: asked = autotune__screen(race, answer, &request); break;
        case AUTOTUNE__HALVING: case AUTOTUNE__DUELLING: asked = autotune__rounds(race, answer, &request); break;
        case AUTOTUNE__CONFIRMING: asked = autotune__confirm(race, answer, &request); break;
        default: asked = autotune__ask(&request, AUTOTUNE__FINISH, 0, 0, 0);
        }
        answer = NULL;                          /* one stage has taken it */
    }
    return request;
}
static void autotune__free_race(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        AUTOTUNE__FREE_ARRAY(race->rows[i].samples);
        autotune__free(race->rows[i].reason);
    }
    AUTOTUNE__FREE_ARRAY(race->rows);
    AUTOTUNE__FREE_ARRAY(race->live);
    AUTOTUNE__FREE_ARRAY(race->round.rows);
    AUTOTUNE__FREE_ARRAY(race->duel.fastest);
    AUTOTUNE__FREE_ARRAY(race->control.first);
    AUTOTUNE__FREE_ARRAY(race->control.second);
    AUTOTUNE__FREE_ARRAY(race->batch.order);
    AUTOTUNE__FREE_ARRAY(race->batch.deferred);
    AUTOTUNE__FREE_ARRAY(race->admitted.ranks);
    AUTOTUNE__FREE_ARRAY(race->admitted.points);
    autotune__free_search(race->searching.search);
}


/* ---- src/registry/entries.h ----------------------------------------------------------------------------------------
   The inline cache of a call site: its entries. Readers take no lock; writers hold autotune__lock. */

#ifndef AUTOTUNE_STATIC
autotune__entry AUTOTUNE__NO_ENTRY;
#endif

/* A hash table of pointers to entries, with open addressing: mask + 1 pointers follow this head. It is at most a
   quarter full, so that the first place nearly always has the entry. It grows by a copy. Older tables stay for readers
   that still search them; together they are no larger than the newest. */
struct autotune__entries { size_t mask, used; struct autotune__entries *older; };
static autotune__entry **autotune__places(const struct autotune__entries *table) {
    return (autotune__entry **)(void *)((struct autotune__entries *)(uintptr_t)table + 1);
}

static bool autotune__same_key(const autotune__entry *entry, const autotune_key *key) {
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++)
        if (!autotune__same_word(autotune__part_type(key->types, i), entry->word[i], key->word[i])) return false;
    return true;
}
/* The hash of an entry: of the key, and of .name and .version where the statement has them; else these are NULL. */
static uint64_t autotune__hash_named(const autotune_key *key, const char *name, const char *version) {
    uint64_t hash = autotune__hash(key);
    if (name) hash = autotune__hash_word(hash, autotune__hash_string(name));
    return version ? autotune__hash_word(hash, autotune__hash_string(version)) : hash;
}
static bool autotune__is_of(const autotune__entry *entry, const autotune_key *key, const autotune_backend *backend,
                            const char *name, const char *version) {
    return __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) == autotune__shape(key->count, key->types, name, version) &&
           entry->backend == backend && autotune__same_key(entry, key) && (!name || !strcmp(entry->name, name)) &&
           (!version || !strcmp(entry->version, version));
}
static __attribute__((__noinline__)) const uint64_t *autotune__find_texts(const struct autotune__entries *table,
                                                                          const autotune_key *key,
                                                                          const autotune_backend *backend,
                                                                          const char *name, const char *version) {
    size_t i;
    for (i = (size_t)autotune__hash_named(key, name, version) & table->mask;; i = (i + 1) & table->mask) {
        const autotune__entry *entry = __atomic_load_n(&autotune__places(table)[i], __ATOMIC_ACQUIRE);
        if (!entry) return NULL;
        if (autotune__is_of(entry, key, backend, name, version)) return entry->value;
    }
}
/* As autotune__find_texts(), for keys without strings. The search ends, since the table always has a free place. */
static inline const uint64_t *autotune__find_numbers(const struct autotune__entries *table,
                                                     const autotune_backend *backend, uint64_t shape,
                                                     const uint64_t *word, uint32_t parts) {
    uint64_t hash = parts;
    uint32_t i;
    size_t at;
    for (i = 0; i < parts; i++) hash = autotune__hash_word(hash, word[i]);
    for (at = (size_t)hash & table->mask;; at = (at + 1) & table->mask) {
        const autotune__entry *entry = __atomic_load_n(&autotune__places(table)[at], __ATOMIC_ACQUIRE);
        uint64_t different;
        if (!entry) return NULL;
        different = __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) ^ shape;
        for (i = 0; i < parts; i++) different |= entry->word[i] ^ word[i];
        if (AUTOTUNE__LIKELY(different == 0) && entry->backend == backend) return entry->value;
    }
}
/* Finds the entry of a key when autotune__hit() did not: on the hot path where a call site has several keys. */
AUTOTUNE__API const uint64_t *autotune__find(const autotune__site *site, const autotune_key *key,
                                             const autotune_backend *backend) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    if (!table) return NULL;
    if (autotune__has_string(key->types)) return autotune__find_texts(table, key, backend, NULL, NULL);
    return autotune__find_numbers(table, backend, autotune__shape(key->count, key->types, NULL, NULL), key->word,
                                  autotune__parts(key));
}
AUTOTUNE__API const uint64_t *autotune__find_named(const autotune__site *site, const autotune_key *key,
                                                   const autotune_backend *backend, const char *name,
                                                   const char *version) {
    const autotune__entry *last = __atomic_load_n(&site->last, __ATOMIC_ACQUIRE);
    const struct autotune__entries *table;
    if (autotune__is_of(last, key, backend, name, version)) return last->value;
    table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    return table ? autotune__find_texts(table, key, backend, name, version) : NULL;
}
/* Finds the entry for the options of a statement, whether they have .name and .version or not. */
static const uint64_t *autotune__find_said(const autotune__site *site, const autotune_options *said) {
    return said->name || said->version
               ? autotune__find_named(site, &said->key, said->backend, said->name, said->version)
               : autotune__find(site, &said->key, said->backend);
}
static uint64_t autotune__shape_said(const autotune_options *said) {
    return autotune__shape(said->key.count, said->key.types, said->name, said->version);
}
AUTOTUNE__API const uint64_t *autotune__find_few(const autotune__site *site, const autotune_backend *backend,
                                                 uint64_t shape, uint64_t first, uint64_t second, uint64_t third) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    const autotune_key key = { (uint32_t)shape - 1,
                               (uint32_t)(shape >> 32),
                               { first, second, third, 0, 0, 0, 0, 0 },
                               NULL };
    if (!table) return NULL;
    if (autotune__has_string(key.types)) return autotune__find_texts(table, &key, backend, NULL, NULL);
    return autotune__find_numbers(table, backend, shape, key.word, key.count);
}
static void autotune__place(struct autotune__entries *table, autotune__entry *entry) {
    size_t i = (size_t)entry->hash & table->mask;
    while (autotune__places(table)[i]) i = (i + 1) & table->mask;
    __atomic_store_n(&autotune__places(table)[i], entry, __ATOMIC_RELEASE);
    table->used++;
}
static struct autotune__entries *autotune__larger(const struct autotune__entries *old) {
    const size_t places = old ? 2 * (old->mask + 1) : 16;
    struct autotune__entries *table = (struct autotune__entries *)autotune__allocate(
        sizeof *table + places * sizeof(autotune__entry *));
    size_t i;
    if (!table) return NULL;
    table->mask = places - 1;
    table->older = (struct autotune__entries *)(uintptr_t)old;
    for (i = 0; old && i <= old->mask; i++) {
        autotune__entry *entry = autotune__places(old)[i];
        if (entry && entry->shape) autotune__place(table, entry);
    }
    return table;
}
/* All entries, which autotune_shutdown() frees, and the sites that point to them. Sites of created tuners, which have
   no file, have a list of their own, from which they are removed with their tuner. To remove one, the list is walked;
   the sites of call sites are not in it, since their library may have been unloaded. */
static autotune__site *autotune__known_sites, *autotune__created_sites;
static autotune__entry *autotune__made_entries;
/* With the lock. NULL in, NULL out. */
static autotune__entry *autotune__list_entry(autotune__entry *entry) {
    if (!entry) return NULL;
    entry->made_before = autotune__made_entries;
    return autotune__made_entries = entry;
}
static void autotune__reset_site(autotune__site *site) {
    struct autotune__entries *table, *older;
    for (table = site->table; table; table = older) { older = table->older; autotune__free(table); }
    site->table = NULL;
    site->last = &AUTOTUNE__NO_ENTRY;
    site->said = 0;
}
/* Publishes an entry at a site: as the last one, and in the table if there is memory for it. */
static void autotune__publish(autotune__site *site, autotune__entry *entry) {
    struct autotune__entries *table = site->table;
    if (site->last == &AUTOTUNE__NO_ENTRY) {
        autotune__site **newest = site->file ? &autotune__known_sites : &autotune__created_sites;
        site->known_before = *newest;
        *newest = site;
    }
    if (!table || 4 * (table->used + 1) > table->mask + 1) table = autotune__larger(table);
    if (table) {
        autotune__place(table, entry);
        __atomic_store_n(&site->table, table, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&site->last, entry, __ATOMIC_RELEASE);
}
/* Makes an entry, and its copies for other backends, match no statement any more. */
static void autotune__retire(autotune__entry *original) {
    autotune__entry *entry;
    for (entry = original; entry; entry = entry->copy) __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}
/* With the lock. A copy of an entry for another backend of the same family, which has not prepared the launch yet, or
   for a statement that has .name or .version where the other has not. NULL: no memory. */
static autotune__entry *autotune__entry_for(autotune__entry *original, const autotune_options *said) {
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    entry->shape = autotune__shape_said(said);
    entry->backend = said->backend;
    entry->name = original->name;
    entry->version = original->version;
    memcpy(entry->word, original->word, sizeof entry->word);
    /* The last value is left out: another thread may be writing what its backend prepared. */
    memcpy(entry->value, original->value, AUTOTUNE_MAX_AXES * sizeof *entry->value);
    entry->hash = autotune__hash_named(&said->key, said->name, said->version);
    entry->record = original->record;
    entry->original = original;
    entry->copy = original->copy;
    original->copy = entry;
    entry->forced = original->forced;
    entry->result = original->result;
    return entry;
}

static autotune__entry *autotune__entry_of(const uint64_t *slot) {
    return (autotune__entry *)(void *)((char *)(uintptr_t)slot - offsetof(autotune__entry, value));
}
AUTOTUNE__API void autotune__answer_hit(const uint64_t *slot, autotune_result *result) {
    const autotune__entry *entry = autotune__entry_of(slot);
    memcpy(result, &entry->result,
           offsetof(autotune_result, config.values) + entry->result.config.count * sizeof(uint64_t));
}

/* ---- src/registry/records.h ----------------------------------------------------------------------------------------
   The registry: every tuner and its keys; finding, making and visiting them. autotune__lock guards all of it. */

typedef struct autotune__history {              /* what a race found out, for autotune_each(); never changes */
    size_t references;                          /* from the record, and from visits */
    autotune_result result;
    size_t count;
    autotune_measurement *measurements;         /* in the same block of memory, as the texts of their reasons */
} autotune__history;
typedef struct autotune__record {               /* one key of one tuner; lives until autotune_shutdown() */
    autotune_key key;                           /* its strings are in the same block of memory */
    autotune__history *history;                 /* of the last race, while its result is valid; may be NULL */
    autotune__entry *entry;                     /* the winner; NULL: it is not known */
    autotune__entry *retired;                   /* the entry of the winner that failed last */
    struct autotune__turn *turn;                /* of the statement that races it; NULL: nobody does */
    autotune__race *race;                /* that this statement feeds, and nobody else touches; NULL: none yet */
    unsigned left;                              /* how often the body was left during a trial, and the configuration of
                                                   the last time */
    size_t left_index;
    autotune__text line;                        /* what the cache on disk keeps of it */
    bool distrusted;                            /* the winner that the cache on disk names failed in this process */
    bool impatient;                             /* another process raced the key for too long; wait no more */
    bool said_untuned;                          /* it was said why a call was not tuned */
} autotune__record;
AUTOTUNE__DEFINE_MAP(record, autotune__record)
typedef struct autotune__known_tuner {
    char *identity, *name, *version;
    size_t number;                              /* 1 for the first tuner that was used with this name */
    autotune__record_map *records;
    bool many_keys;                             /* it was said that the tuner has many keys */
    uint64_t fingerprint;                       /* of its texts, for the cache on disk */
} autotune__known_tuner;
AUTOTUNE__DEFINE_MAP(tuner, autotune__known_tuner)
static autotune__tuner_map *autotune__tuners;

static size_t autotune__tuner_count(void) { return AUTOTUNE__MAP_COUNT(autotune__tuners); }
static size_t autotune__count_named(const char *name) {
    size_t i, count = 0;
    for (i = 0; i < autotune__tuner_count(); i++) count += !strcmp(autotune__tuners[i].value->name, name);
    return count;
}
static autotune__known_tuner *autotune__tuner_of(const char *identity, const char *name, const char *version,
                                           uint64_t fingerprint) { /* found or made; NULL: no memory */
    autotune__known_tuner *tuner = autotune__find_tuner(autotune__tuners, identity);
    if (tuner) return tuner;
    if (!(tuner = (autotune__known_tuner *)autotune__allocate(sizeof *tuner))) return NULL;
    tuner->identity = autotune__copy_string(identity);
    tuner->name = autotune__copy_string(name);
    tuner->version = autotune__copy_string(version);
    tuner->number = autotune__count_named(name) + 1;
    tuner->fingerprint = fingerprint;
    if (tuner->identity && tuner->name && tuner->version &&
        autotune__put_tuner(&autotune__tuners, tuner->identity, tuner))
        return tuner;
    autotune__free(tuner->identity);
    autotune__free(tuner->name);
    autotune__free(tuner->version);
    autotune__free(tuner);
    return NULL;
}
static autotune__record *autotune__new_record(const autotune_key *key) {           /* NULL: no memory */
    size_t bytes = sizeof(autotune__record) + (key->text ? strlen(key->text) + 1 : 0);
    autotune__record *record;
    char *at;
    uint32_t i;
    for (i = 0; i < key->count; i++)
        if (autotune__part_type(key->types, i) == AUTOTUNE_STRING && key->word[i])
            bytes += strlen(autotune__as_string(key->word[i])) + 1;
    if (!(record = (autotune__record *)autotune__allocate(bytes))) return NULL;
    record->key = *key;
    at = (char *)(record + 1);
    for (i = 0; i < key->count; i++) {
        if (autotune__part_type(key->types, i) != AUTOTUNE_STRING || !key->word[i]) continue;
        record->key.word[i] = autotune__word_pointer(at);
        strcpy(at, autotune__as_string(key->word[i]));
        at += strlen(at) + 1;
    }
    if (key->text) record->key.text = strcpy(at, key->text);
    return record;
}
/* Finds or makes the record of a key, whose exact text is `text`. NULL: no memory. */
static autotune__record *autotune__record_of(autotune__known_tuner *tuner, const char *text, const autotune_key *key) {
    autotune__record *record = autotune__find_record(tuner->records, text);
    char *copy;
    if (record) return record;
    record = autotune__new_record(key);
    copy = autotune__copy_string(text);
    if (record && copy && autotune__put_record(&tuner->records, copy, record)) return record;
    autotune__free(copy);
    autotune__free(record);
    return NULL;
}
/* With the lock: each record of a tuner, or of all, in the order of their first use, until visit returns false. False:
   it did. */
typedef bool autotune__visit_record(void *user, const autotune__known_tuner *tuner, autotune__record *record);
static bool autotune__walk_records(const autotune__known_tuner *tuner, autotune__visit_record *visit, void *user) {
    const size_t count = AUTOTUNE__MAP_COUNT(tuner->records);
    size_t i;
    for (i = 0; i < count; i++) if (!visit(user, tuner, tuner->records[i].value)) return false;
    return true;
}
static bool autotune__walk(autotune__visit_record *visit, void *user) {
    size_t i;
    for (i = 0; i < autotune__tuner_count(); i++)
        if (!autotune__walk_records(autotune__tuners[i].value, visit, user)) return false;
    return true;
}
/* With the lock: gives up one reference. */
static void autotune__drop_history(autotune__history *history) {
    if (history && --history->references == 0) autotune__free(history);
}

/* ---- src/registry/subject.h ----------------------------------------------------------------------------------------
   A subject, which is what a statement tunes: all that the log, the registry and the store know of the statement. */

typedef struct autotune__subject {
    autotune__site *site;                       /* has the texts of space and call, and what they were compiled with */
    const char *name;                           /* of the tuner: options.name, or own_name */
    char *own_name;
    autotune_options options;                   /* the key, and what is to be done; strings are copies */
    autotune_mode mode;
    autotune_backend *backend;                  /* the device */
    const void *code;                           /* an address in the program or library that holds the call */
    autotune__space space;
    const autotune__known_tuner *tuner;               /* where the registry has it; NULL before it was asked */
    autotune__record *record;
} autotune__subject;

static void autotune__append_subject(autotune__text *text, const autotune__subject *subject) {
    autotune__append_case(text, subject->name, &subject->options.key);
}
/* The text of the call as written in the program. NULL for a block, and for a SELECT, whose values are the texts. */
static const char *autotune__call_text(const autotune__subject *subject, size_t *length) {
    const char *text = subject->site->text,
               *part = autotune__is_select(&subject->space) ? NULL : autotune__part(text, 1, length);
    return part && *part != '.' ? autotune__part(text, 2, length) : NULL;
}

/* ---- src/registry/thread_turns.h -----------------------------------------------------------------------------------
   Turns of threads: which thread races a key, and how long the others wait for it. */

/* The turn of a statement. Threads that wait for its race read `steps` and `longest_ns`, and set the flags. */
typedef struct autotune__turn {
    const autotune__subject *subject;
    struct autotune__turn *outer;               /* of the statement in whose body this one runs, in the same thread */
    struct autotune__turn *next;                /* in the list autotune__racing */
    bool racing;                                /* the statement has the turn */
    int cancellation;                           /* the cancellation state that the thread has in the program */
    size_t steps;                               /* turns of the statement's loop */
    autotune__shared_word longest_ns;           /* the longest launch of the race */
    bool spoiled;                               /* something else ran during the trial */
    bool impatient;                             /* a thread gave up waiting for this race, so no other waits for it */
} autotune__turn;
static autotune__turn *autotune__racing;        /* the turns of all statements that race */

/* The race of the record, which this statement alone feeds while the turn is its. NULL: the statement does not race. */
static autotune__race *autotune__race_of(const autotune__turn *turn) {
    return turn->racing ? turn->subject->record->race : NULL;
}
/* With the lock: waits until that time, or until a race ends. */
static void autotune__wait_until(const autotune__turn *turn, uint64_t when) {
    autotune__await(&autotune__changed, &autotune__lock, when, turn->cancellation);
}
/* Is `other` this turn, or that of an outer statement of the same thread? */
static bool autotune__is_among(const autotune__turn *turn, const autotune__turn *other) {
    for (; turn; turn = turn->outer) if (turn == other) return true;
    return false;
}
static bool autotune__is_outer(const autotune__turn *turn, const autotune__turn *other) {
    return autotune__is_among(turn->outer, other);
}
/* The turn of a race of another thread on the same device; NULL: there is none. */
static autotune__turn *autotune__race_on_device(const autotune__turn *turn) {
    const char *device = turn->subject->backend->device;
    autotune__turn *other;
    for (other = autotune__racing; other; other = other->next)
        if (!strcmp(other->subject->backend->device, device) && !autotune__is_outer(turn, other)) return other;
    return NULL;
}
static void autotune__spoil(autotune__turn *turn) { __atomic_store_n(&turn->spoiled, true, __ATOMIC_RELAXED); }
static void autotune__spoil_outer(autotune__turn *turn) {
    for (turn = turn->outer; turn; turn = turn->outer) if (turn->racing) autotune__spoil(turn);
}
static void autotune__claim(autotune__turn *turn) {
    turn->subject->record->turn = turn;
    turn->racing = true;
    turn->next = autotune__racing;
    autotune__racing = turn;
    autotune__spoil_outer(turn);
}
static void autotune__release(autotune__turn *turn) {       /* with the lock */
    autotune__turn **at = &autotune__racing;
    if (!turn->racing) return;
    while (*at != turn) at = &(*at)->next;
    *at = turn->next;
    turn->subject->record->turn = NULL;
    turn->racing = false;
    autotune__wake_all(&autotune__changed);
}
/* With the lock, in a child made by fork(): ends the races of threads that the child does not have. Their memory is not
   freed. */
static void autotune__release_absent(const autotune__turn *own) {
    autotune__turn **at = &autotune__racing, *turn;
    while ((turn = *at) != NULL) {
        if (autotune__is_among(own, turn)) { at = &turn->next; continue; }
        turn->subject->record->turn = NULL;
        turn->subject->record->race = NULL;
        *at = turn->next;
    }
}
/* A tuner whose key has a part that never repeats is tuned in every call: the log gives this hint once for each
   tuner. */
static void autotune__say_many_keys(const autotune__subject *subject, int keys) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, subject);
    autotune__append(
        &text,
        ": more than %d keys, each of which is tuned for itself: if a part of .key hardly ever repeats, bucket it with "
        "ANCHOR(...), or leave out what the best configuration does not depend on",
        keys);
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__string(&text));
    autotune__free_text(&text);
}

typedef enum autotune__outcome {
    AUTOTUNE__KNOWN,
    AUTOTUNE__MISSED,
    AUTOTUNE__TO_RACE,
    AUTOTUNE__UNTUNED
} autotune__outcome;

static bool autotune__is_known(const autotune__subject *subject) {              /* with the lock */
    const autotune__entry *entry = subject->record->entry;
    return entry && !(subject->mode == AUTOTUNE_FORCE && !entry->forced);
}
/* A thread waits for the race of another thread: of the same key, or of another key on the same device. The waiting
   thread may be a worker of the trial of that race, and then the trial would never end. So it waits only while the race
   makes progress: its loop turns, or the process computes something. If neither happened for 100 ms, or for four times
   the race's longest launch if this is longer, or if the loop did not turn for as long as a race may take, the call of
   the waiting thread stays untuned, the trial is repeated, and no thread waits for this race again. */
typedef struct autotune__watch {
    const autotune__turn *turn;                 /* of the race for which the thread waits */
    size_t steps;
    uint64_t looked, computed_ns;               /* the time of the last look; the processor time of the process then */
    uint64_t stepped, worked;                   /* the times of the last step and of the last progress that were seen */
} autotune__watch;
static void autotune__count_step(autotune__turn *turn) {
    __atomic_store_n(&turn->steps, turn->steps + 1, __ATOMIC_RELAXED);
}
static const uint64_t autotune__moment = 100000000u;
/* For how long this process was stopped since the last look, by Ctrl-Z or with its container; 0: it was not. A waiting
   thread looks 40 times a second, so a quarter of a second without a look means that the process was stopped. */
static uint64_t autotune__stopped_ns(uint64_t looked, uint64_t now) {
    const uint64_t long_ns = 250000000u;
    return looked && now - looked > long_ns ? now - looked : 0;
}
static bool autotune__makes_progress(autotune__watch *watch, const autotune__turn *turn, uint64_t longest_wait) {
    const size_t steps = __atomic_load_n(&turn->steps, __ATOMIC_RELAXED);
    const uint64_t now = autotune__wait_clock(), computed_ns = autotune__computed_ns(),
                   longest = 4 * __atomic_load_n(&turn->longest_ns, __ATOMIC_RELAXED);
    watch->stepped += autotune__stopped_ns(watch->looked, now);
    watch->worked += autotune__stopped_ns(watch->looked, now);
    if (turn != watch->turn || steps != watch->steps) watch->stepped = watch->worked = now;
    /* The process computed for more than a tenth of the time: waiting alone takes less. */
    else if (10 * (computed_ns - watch->computed_ns) > now - watch->looked) watch->worked = now;
    watch->turn = turn;
    watch->steps = steps;
    watch->looked = now;
    watch->computed_ns = computed_ns;
    return now <= watch->worked + (longest > autotune__moment ? longest : autotune__moment) &&
           now <= watch->stepped + (longest > longest_wait ? longest : longest_wait);
}
static autotune__outcome autotune__await_turn(autotune__turn *turn, uint64_t longest_wait, autotune__text *why) {
    const autotune__subject *subject = turn->subject;
    autotune__watch watch;
    autotune__turn *other;
    memset(&watch, 0, sizeof watch);
    for (;;) {
        if (autotune__is_known(subject)) return AUTOTUNE__KNOWN;
        if (subject->mode == AUTOTUNE_REQUIRE) return AUTOTUNE__MISSED;
        if (subject->mode == AUTOTUNE_CACHED) return AUTOTUNE__UNTUNED;
        other = subject->record->turn;
        if (other && autotune__is_outer(turn, other))
            return AUTOTUNE__UNTUNED;           /* recursion: an outer statement of this thread races the key */
        autotune__spoil_outer(turn);            /* the time of an outer trial would include this waiting */
        if (!other && !(other = autotune__race_on_device(turn))) { autotune__claim(turn); return AUTOTUNE__TO_RACE; }
        if (other->impatient || !autotune__makes_progress(&watch, other, longest_wait)) {
            other->impatient = true;
            autotune__spoil(other);
            autotune__append(why, "the race of ");
            autotune__append_subject(why, other->subject);
            autotune__append(why, " in another thread makes no progress, as if its trial waited for this call");
            return AUTOTUNE__UNTUNED;
        }
        autotune__wait_until(turn, autotune__wait_clock() + autotune__moment / 4);
    }
}
/* autotune__lock also guards the flags of a record. */
static bool autotune__is_set(const bool *flag) {
    bool set;
    autotune__lock_mutex(&autotune__lock);
    set = *flag;
    autotune__unlock_mutex(&autotune__lock);
    return set;
}
static void autotune__set(bool *flag) {
    autotune__lock_mutex(&autotune__lock);
    *flag = true;
    autotune__unlock_mutex(&autotune__lock);
}

/* Finds or makes the tuner and the record of a subject. False: no memory. */
static bool autotune__enrol(autotune__subject *subject, const char *identity, const char *key, uint64_t fingerprint) {
    enum { MANY_KEYS = 64 };
    const char *version = subject->options.version ? subject->options.version : "";
    autotune__known_tuner *tuner;
    bool many_keys = false;
    autotune__lock_mutex(&autotune__lock);
    if ((tuner = autotune__tuner_of(identity, subject->name, version, fingerprint)) &&
        (subject->record = autotune__record_of(tuner, key, &subject->options.key))) {
        many_keys = !tuner->many_keys && AUTOTUNE__MAP_COUNT(tuner->records) > MANY_KEYS;
        tuner->many_keys = tuner->many_keys || many_keys;
        subject->tuner = tuner;
    }
    autotune__unlock_mutex(&autotune__lock);
    if (many_keys) autotune__say_many_keys(subject, MANY_KEYS);
    return subject->record != NULL;
}
/* With the lock: the entry of the winner for the options of this statement. NULL: it is not known, or no memory. */
static autotune__entry *autotune__take_known(const autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    const uint64_t *found;
    autotune__entry *entry;
    if (!autotune__is_known(subject)) return NULL;
    found = autotune__find_said(subject->site, o);
    entry = found ? autotune__entry_of(found) : subject->record->entry;
    if (entry->backend != o->backend || entry->shape != autotune__shape_said(o))
        entry = autotune__list_entry(autotune__entry_for(entry, o));
    if (entry && !found) autotune__publish(subject->site, entry);
    return entry;
}
static autotune__entry *autotune__look_up(const autotune__subject *subject) {          /* NULL: it is not known */
    autotune__entry *entry;
    autotune__lock_mutex(&autotune__lock);
    entry = autotune__take_known(subject);
    autotune__unlock_mutex(&autotune__lock);
    return entry;
}
/* Looks the winner up, or takes the turn to race the key. *why gets the reason if the call stays untuned. */
static autotune__outcome autotune__look_up_or_claim(autotune__turn *turn, uint64_t longest_wait,
                                                    autotune__entry **known, autotune__text *why) {
    autotune__outcome outcome;
    autotune__lock_mutex(&autotune__lock);
    outcome = autotune__await_turn(turn, longest_wait, why);
    if (outcome == AUTOTUNE__KNOWN && !(*known = autotune__take_known(turn->subject))) outcome = AUTOTUNE__UNTUNED;
    autotune__unlock_mutex(&autotune__lock);
    return outcome;
}

/* ---- src/registry/results.h ----------------------------------------------------------------------------------------
   The results of a race become entries and histories; forgetting them. */

static void autotune__clear_result(autotune_result *result) {
    memset(result, 0, sizeof *result);
    result->median_ns = result->min_ns = result->runner_up_ns = result->default_ns = result->slowest_ns =
        AUTOTUNE__NEVER;
    result->lead = result->lead_low = result->lead_high = AUTOTUNE__NEVER;
}
/* Users see NaN for a time that was not measured. Its bits are stored, since -ffast-math may compute no NaN. */
static void autotune__show_unmeasured(double *value) {
    const uint64_t nan = 0x7FF8000000000000u;
    if (!autotune__is_definite(*value)) memcpy(value, &nan, sizeof nan);
}
static autotune_result autotune__shown(const autotune_result *result) {
    autotune_result shown = *result;
    double *const times[] = { &shown.median_ns,  &shown.min_ns, &shown.runner_up_ns, &shown.default_ns,
                              &shown.slowest_ns, &shown.lead,   &shown.lead_low,     &shown.lead_high };
    size_t i;
    for (i = 0; i < sizeof times / sizeof *times; i++) autotune__show_unmeasured(times[i]);
    return shown;
}

/* A time that can be compared with the winner's median: the row's own median, or the winner's median times the row's
   minimum over the winner's. */
static double autotune__time_beside_winner(const autotune__race *race, const autotune__row *row) {
    const autotune__row *winner = race->outcome.winner == SIZE_MAX ? row : &race->rows[race->outcome.winner];
    const bool duelled = autotune__is_definite(row->median) || !autotune__is_definite(winner->median);
    return duelled || !autotune__is_definite(row->minimum) || !(winner->minimum > 0)
               ? autotune__time(row) : row->minimum * (winner->median / winner->minimum);
}
static void autotune__summarise(const autotune__race *race, autotune_result *result) {
    size_t i;
    result->space_size = race->admitted.count;
    result->tried = result->failed = 0;
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const double ns = autotune__time_beside_winner(race, row);
        if (row->launches) result->tried++;
        if (row->state == AUTOTUNE__FAILED) { result->failed++; continue; }
        if (row->index == autotune__first_admitted(race)) result->default_ns = ns;
        if (autotune__is_definite(ns) && (!autotune__is_definite(result->slowest_ns) || result->slowest_ns < ns))
            result->slowest_ns = ns;
        if (i == race->outcome.winner) { result->median_ns = ns; result->min_ns = row->measured; }
        if (i == race->outcome.runner_up) result->runner_up_ns = ns;
    }
    result->verdict = race->outcome.verdict;
    result->doubt = race->outcome.doubt;
    result->lead = race->outcome.lead;
    result->lead_low = race->outcome.lead_low;
    result->lead_high = race->outcome.lead_high;
}
/* A new entry for result.config. Its strings are those of the record. NULL: no memory. */
static autotune__entry *autotune__new_entry(const autotune__subject *subject, const autotune_result *result) {
    const autotune_options *o = &subject->options;
    const autotune_key *key = &subject->record->key;
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    memcpy(entry->word, key->word, sizeof entry->word);
    entry->shape = autotune__shape_said(o);
    entry->hash = autotune__hash_named(key, o->name, o->version);
    entry->name = subject->tuner->name;
    entry->version = subject->tuner->version;
    entry->backend = o->backend;
    entry->record = subject->record;
    entry->forced = subject->mode == AUTOTUNE_FORCE;
    memcpy(entry->value, result->config.values, sizeof result->config.values);
    entry->value[AUTOTUNE_MAX_AXES] = subject->space.value[AUTOTUNE_MAX_AXES];
    entry->result = autotune__shown(result);
    entry->result.cache_hit = true;
    entry->result.tried = entry->result.failed = 0;
    entry->result.launches = 1;
    entry->result.seconds = 0;
    return entry;
}

/* A new history. race NULL: nothing was raced. If there is a winner, it is result.config. Returns NULL: no memory. */
static autotune__history *autotune__new_history(autotune__subject *subject, const autotune__race *race,
                                                const autotune_result *result) {
    const size_t count = race ? autotune__count(race->rows) : 0;
    size_t bytes = sizeof(autotune__history) + count * sizeof(autotune_measurement), i;
    autotune__history *history;
    char *at;
    for (i = 0; i < count; i++) if (race->rows[i].reason) bytes += strlen(race->rows[i].reason) + 1;
    if (!(history = (autotune__history *)autotune__allocate(bytes))) return NULL;
    history->references = 1;
    history->result = autotune__shown(result);
    history->count = count;
    history->measurements = (autotune_measurement *)(void *)(history + 1);
    at = (char *)(history->measurements + count);
    for (i = 0; i < count; i++) {
        const autotune__row *row = &race->rows[i];
        autotune_measurement *measurement = &history->measurements[i];
        if (!autotune__configure(&subject->space, row->index, &measurement->config)) {
            autotune__free(history);
            return NULL;
        }
        measurement->status = row->status;
        measurement->stage = row->stage;
        measurement->median_ns = row->median;
        measurement->min_ns = row->measured;
        autotune__show_unmeasured(&measurement->median_ns);
        autotune__show_unmeasured(&measurement->min_ns);
        measurement->launches = row->launches;
        if (!row->reason) continue;
        measurement->reason = strcpy(at, row->reason);
        at += strlen(at) + 1;
    }
    return history;
}
static void autotune__keep_history(autotune__record *record, autotune__history *history) {         /* with the lock */
    autotune__drop_history(record->history);
    record->history = history;
}

/* With the lock: forgets a winner that failed. Its entry is kept, since it may win again: the only configuration of a
   space always does, and each failure of its call would otherwise need memory for a new entry. autotune__revived() uses
   such an entry again if its contents are the same, so that a reader that still has it sees no change. */
static void autotune__forget(autotune__entry *entry) {
    autotune__record *record = entry->record;
    if (entry->original) entry = entry->original;
    if (record->entry == entry) {
        record->entry = NULL;
        autotune__keep_history(record, NULL);
    }
    record->retired = entry;
    autotune__retire(entry);
}
static autotune__entry *autotune__revived(const autotune__subject *subject, const autotune_result *result) {
    const autotune_options *o = &subject->options;
    const bool forced = subject->mode == AUTOTUNE_FORCE;
    autotune__entry *entry = subject->record->retired;
    if (!entry || entry == subject->record->entry) return NULL;
    if (result->verdict != AUTOTUNE_SINGLE || entry->result.verdict != AUTOTUNE_SINGLE) return NULL;
    if (memcmp(entry->value, result->config.values, sizeof result->config.values)) return NULL;
    if (entry->backend != o->backend) return NULL;
    if (entry->value[AUTOTUNE_MAX_AXES] != subject->space.value[AUTOTUNE_MAX_AXES] ||
        entry->forced != forced)
        return NULL;
    if (entry->hash != autotune__hash_named(&o->key, o->name, o->version))
        return NULL;
    __atomic_store_n(&entry->shape, autotune__shape_said(o), __ATOMIC_RELEASE);
    return entry;
}

/* ---- src/registry/report.h -----------------------------------------------------------------------------------------
   What the log says of a race; its progress on a terminal. */

static void autotune__append_time(autotune__text *text, double ns) {
    if (!autotune__is_definite(ns)) autotune__append(text, "-");
    else if (ns < 1e3) autotune__append(text, "%.1f ns", ns);
    else if (ns < 1e6) autotune__append(text, "%.2f us", ns / 1e3);
    else if (ns < 1e9) autotune__append(text, "%.3f ms", ns / 1e6);
    else autotune__append(text, "%.3f s", ns / 1e9);
}
static void autotune__log_row(autotune__subject *subject, const autotune__row *row) {
    autotune__text line = { NULL, false };
    autotune__append(&line, "  %-8s min ", row->state == AUTOTUNE__FAILED ? "failed" : row->stage);
    autotune__append_time(&line, row->minimum);
    autotune__append(&line, ", median ");
    autotune__append_time(&line, row->median);
    autotune__append(&line, ", %lu launches  ", (unsigned long)row->launches);
    autotune__append_point(&line, &subject->space, row->index);
    if (row->reason || row->why || row->note)
        autotune__append(&line, "  (%s)", row->reason ? row->reason : row->note ? row->note : row->why);
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
    autotune__free_text(&line);
}
static void autotune__log_second(autotune__subject *subject, const autotune__race *race) {
    const autotune__race_outcome *outcome = &race->outcome;
    autotune__text line = { NULL, false };
    autotune__append(&line, "  the second: ");
    autotune__append_point(&line, &subject->space, race->rows[outcome->runner_up].index);
    if (autotune__is_definite(outcome->lead)) autotune__append(&line, ", slower by %.2f %%", 100 * outcome->lead);
    if (autotune__is_definite(outcome->lead_low))
        autotune__append(&line, " (%.2f to %.2f %%)", 100 * outcome->lead_low, 100 * outcome->lead_high);
    autotune__append(&line, " after %lu rounds", (unsigned long)race->duel.rounds);
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
    autotune__free_text(&line);
}
static const char *autotune__advise_pin(const autotune__subject *subject, size_t moves, autotune__text *line) {
    autotune__clear_text(line);
    autotune__append_subject(line, subject);
    autotune__append(
        line,
        ": the thread moved to another processor %lu times while it raced; AUTOTUNE_PIN=core in the environment "
        "holds it on one, and with it all threads that the call starts",
        (unsigned long)moves);
    return autotune__string(line);
}
/* Logs a race. kept: winners without a doubt are kept on disk. moves: how often the thread changed its processor. */
static void autotune__log_race(autotune__subject *subject, const autotune__race *race, const autotune_result *result,
                               bool kept, size_t moves) {
    const size_t winner = race->outcome.winner;
    autotune__text line = { NULL, false };
    size_t i;
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER) return;
    if (autotune__environment.log >= AUTOTUNE_LOG_FULL)
        for (i = 0; i < autotune__count(race->rows); i++)
            autotune__log_row(subject, &race->rows[i]);
    if (winner != SIZE_MAX && race->outcome.runner_up != SIZE_MAX && autotune__environment.log >= AUTOTUNE_LOG_FULL)
        autotune__log_second(subject, race);
    if (winner != SIZE_MAX) {
        autotune__append_subject(&line, subject);
        autotune__append(&line, ": ");
        autotune__append_point(&line, &subject->space, race->rows[winner].index);
        autotune__append(&line, ": ");
        autotune__append_time(&line, result->median_ns);
        if (autotune__is_definite(result->default_ns) && autotune__is_definite(result->median_ns) &&
            result->median_ns > 0)
            autotune__append(&line, ", %.2f x the first configuration's speed", result->default_ns / result->median_ns);
        autotune__append(&line, ", %s", autotune_verdict_text(result->verdict));
        if (result->doubt) autotune__append(&line, " (%s)%s", result->doubt, kept ? ", not kept on disk" : "");
        autotune__append(&line, "; %lu of %lu tried, %lu failed, %lu launches, %.3f s", (unsigned long)result->tried,
                         (unsigned long)result->space_size, (unsigned long)result->failed,
                         (unsigned long)result->launches, result->seconds);
        autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&line));
        if (result->doubt && moves) autotune__say(AUTOTUNE_LOG_WINNER, autotune__advise_pin(subject, moves, &line));
    }
    autotune__free_text(&line);
}
/* The progress of a race that takes more than half a second is one line on a terminal, written ten times a second. The
   time left is the longest that the race may take. The line has less than 80 columns, since a longer one that wraps
   could not be erased. */
static void autotune__hide_progress(void) {
    autotune__lock_mutex(&autotune__log_lock);
    autotune__erase_progress();
    fflush(stderr);
    autotune__unlock_mutex(&autotune__log_lock);
}
static void autotune__show_progress(const autotune__subject *subject, const autotune__race *race, double *shown) {
    static const char *const stages[] = { "looking at", "surveying", "screening", "halving", "duel of", "confirming" };
    const bool screening = race->stage == AUTOTUNE__SCREENING;
    const size_t batch = autotune__count(race->batch.order),
                 live = autotune__count(race->live);
    const double limit = screening ? race->limits.screen_seconds : race->limits.seconds, left = limit - race->elapsed;
    autotune__text line = { NULL, false }, visible = { NULL, false };
    if (race->stage == AUTOTUNE__OVER || race->elapsed < 0.5 || race->elapsed < *shown + 0.1) return;
    if (!autotune__wants_progress()) return;
    *shown = race->elapsed;
    autotune__append_subject(&line, subject);
    if (autotune__count(line.at) > 26) { autotune__set_count(line.at, 23); autotune__append(&line, "..."); }
    if (screening && autotune__is_searching(race))
        autotune__append(&line, ": searching, %lu tried", (unsigned long)autotune__count(race->rows));
    else if (screening)
        autotune__append(&line, ": screening %lu of %lu", (unsigned long)race->batch.next, (unsigned long)batch);
    else autotune__append(&line, ": %s %lu", stages[race->stage], (unsigned long)live);
    if (autotune__is_definite(race->best_ns)) {
        autotune__append(&line, ", best ");
        autotune__append_time(&line, race->best_ns);
    }
    if (left >= 0 && left < 1e6) autotune__append(&line, ", %.1f s left", left);
    autotune__lock_mutex(&autotune__log_lock);
    fprintf(stderr, "\r%.79s\033[K", autotune__visible(&visible, autotune__string(&line)));
    fflush(stderr);
    autotune__progress_shown = true;
    autotune__unlock_mutex(&autotune__log_lock);
    autotune__free_text(&visible);
    autotune__free_text(&line);
}
/* Up to three failures, each with its reason. */
static void autotune__append_failures(autotune__text *text, autotune__subject *subject, const autotune__race *race) {
    size_t i, shown = 0, failed = 0;
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        if (row->state != AUTOTUNE__FAILED) continue;
        if (failed++ >= 3) continue;
        autotune__append(text, "%s", shown++ ? "; " : "");
        autotune__append_point(text, &subject->space, row->index);
        autotune__append(text, ": %s", row->reason ? row->reason : autotune_status_text(row->status));
    }
    if (failed > shown) autotune__append(text, "; and %lu more", (unsigned long)(failed - shown));
}

/* ---- src/registry/known.h ------------------------------------------------------------------------------------------
   autotune_lookup() and autotune_each(): the registry as users see it. */

/* Do two parts of keys have the same value, whatever their types? */
static bool autotune__same_part(autotune_type type_a, uint64_t a, autotune_type type_b, uint64_t b) {
    const bool float_a = autotune__is_float(type_a), float_b = autotune__is_float(type_b);
    if (type_a == type_b) return autotune__same_word(type_a, a, b);
    if (type_a == AUTOTUNE_STRING || type_b == AUTOTUNE_STRING) return false;
    if (float_a != float_b)
        return float_a ? autotune__as_double(a) ==
                             autotune__double_of_value(type_b == AUTOTUNE_U64 ? type_b : AUTOTUNE_I64, b)
                       : autotune__same_part(type_b, b, type_a, a);
    return a == b && (float_a || !(a >> 63) || (type_a == AUTOTUNE_U64) == (type_b == AUTOTUNE_U64));
}
static bool autotune__same_parts(const autotune_key *a, const autotune_key *b) {
    uint32_t i;
    for (i = 0; i < a->count && i < b->count; i++)
        if (!autotune__same_part(autotune__part_type(a->types, i), a->word[i], autotune__part_type(b->types, i),
                                 b->word[i]))
            return false;
    return a->count == b->count;
}

typedef struct autotune__query {
    const char *name;                           /* the first `length` characters are the name, before #number */
    size_t length, number;                      /* number 0: none was given */
    const autotune_key *key;
    bool named, several;                        /* a tuner has this name; more than one of them knows the key */
    const autotune__known_tuner *tuner;               /* one that knows the key */
    const autotune__entry *entry;
} autotune__query;
static void autotune__read_number(autotune__query *query) {                 /* "gemm#2" */
    const char *hash = strrchr(query->name, '#'), *digits = hash ? hash + 1 : "";
    char *end;
    if (*digits < '1' || *digits > '9') return;
    query->number = (size_t)strtoul(digits, &end, 10);
    query->length = (size_t)(hash - query->name);
    if (*end) query->number = 0;
}
static bool autotune__has_name(const autotune__query *query, const autotune__known_tuner *tuner) {
    return !strcmp(tuner->name, query->name) ||
           (tuner->number == query->number && strlen(tuner->name) == query->length &&
            !strncmp(tuner->name, query->name, query->length));
}
/* Takes the record with the same types, or else the first record whose key has equal values. */
static bool autotune__match(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    autotune__query *query = (autotune__query *)user;
    if (!record->entry || !autotune__same_parts(&record->key, query->key)) return true;
    if (query->tuner && query->tuner != tuner) { query->several = true; return false; }
    if (!query->tuner || record->key.types == query->key->types) query->entry = record->entry;
    query->tuner = tuner;
    return true;
}
static void autotune__answer_query(autotune__query *query) {
    size_t i;
    for (i = 0; i < autotune__tuner_count() && !query->several; i++) {
        if (!autotune__has_name(query, autotune__tuners[i].value)) continue;
        query->named = true;
        autotune__walk_records(autotune__tuners[i].value, autotune__match, query);
    }
}
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner) {
    const char *problem = !name || !*name ? "the name of a tuner is missing" : autotune__key_problem(&key);
    autotune__query query;
    autotune__ready();
    if (winner) memset(winner, 0, sizeof *winner);
    if (problem) { autotune__complain("autotune_lookup: %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    memset(&query, 0, sizeof query);
    query.name = name;
    query.key = &key;
    autotune__read_number(&query);
    autotune__lock_mutex(&autotune__lock);
    autotune__answer_query(&query);
    if (winner && query.entry && !query.several) *winner = query.entry->result.config;
    autotune__unlock_mutex(&autotune__lock);
    if (query.several) {
        snprintf(autotune__error, sizeof autotune__error,
                 "several tuners named '%.64s' know this key: '%.64s#1' selects the first", name, name);
        return AUTOTUNE_ERR_AMBIGUOUS;
    }
    if (query.entry) return AUTOTUNE_OK;
    snprintf(
        autotune__error, sizeof autotune__error,
        query.named
            ? "no winner of '%.64s' is known for this key"
            : "no tuner named '%.64s' has been used: a call site is named file.c:function unless .name says otherwise",
        name);
    return AUTOTUNE_ERR_MISS;
}

/* What autotune_each() visits: a copy of what is known when it begins, since visit() may call every function, and so
   the lock is not held. */
typedef struct autotune__seen {
    const autotune__known_tuner *tuner;
    const autotune__record *record;             /* has the key */
    const autotune__entry *entry;               /* NULL: all configurations failed */
    autotune__history *history;                 /* with a reference of its own; NULL: there is none */
} autotune__seen;
typedef struct autotune__sight { autotune__seen *all; bool no_memory; } autotune__sight;
static bool autotune__see(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    autotune__sight *sight = (autotune__sight *)user;
    const autotune__seen seen = { tuner, record, record->entry, record->history };
    if (!seen.entry && !seen.history) return true;
    sight->no_memory = !AUTOTUNE__PUSH(sight->all, seen);
    if (seen.history && !sight->no_memory) seen.history->references++;
    return !sight->no_memory;
}
static void autotune__show(const autotune__seen *seen, autotune_visit *visit, void *user) {
    autotune_known known;
    known.name = seen->tuner->name;
    known.number = seen->tuner->number;
    known.key = seen->record->key;
    known.result = seen->history ? seen->history->result : seen->entry->result;
    known.measurements = seen->history ? seen->history->measurements : NULL;
    known.measurement_count = seen->history ? seen->history->count : 0;
    visit(user, &known);
}
static size_t autotune__visits;                 /* calls of autotune_each() that are under way; with autotune__lock */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user) {
    autotune__sight sight = { NULL, false };
    size_t i;
    autotune__ready();
    if (!visit) { autotune__complain("autotune_each: visit is NULL: give a function"); return; }
    autotune__lock_mutex(&autotune__lock);
    autotune__visits++;
    autotune__walk(autotune__see, &sight);
    autotune__unlock_mutex(&autotune__lock);
    if (sight.no_memory) autotune__complain("autotune_each: out of memory; nothing was visited");
    for (i = 0; i < autotune__count(sight.all); i++) {
        if (!sight.no_memory) autotune__show(&sight.all[i], visit, user);
        autotune__lock_mutex(&autotune__lock);
        autotune__drop_history(sight.all[i].history);
        autotune__unlock_mutex(&autotune__lock);
    }
    AUTOTUNE__FREE_ARRAY(sight.all);
    autotune__lock_mutex(&autotune__lock);
    autotune__visits--;
    autotune__unlock_mutex(&autotune__lock);
}

/* ---- src/registry/key_distance.h -----------------------------------------------------------------------------------
   How far apart two keys are, and seeds from this process: the ten best configurations of the tuner's nearest other
   key, which a search tries first. The distance of two numbers is that of their logarithms to base 2; any other parts
   that differ have the distance 8. The distance of two keys is the sum over their parts. */

/* The distance of two values that differ, which is never 0. */
static double autotune__part_distance(autotune_type type, double a, double b) {
    const double others = 8, least = 1e-9;
    double doublings;
    if (type == AUTOTUNE_STRING || type == AUTOTUNE_BOOL || !autotune__is_finite(a) || !autotune__is_finite(b) ||
        (a < 0) != (b < 0))
        return others;
    doublings = autotune__logarithm((a < 0 ? -a : a) + 1) - autotune__logarithm((b < 0 ? -b : b) + 1);
    doublings /= autotune__logarithm(2);
    if (doublings < 0) doublings = -doublings;
    return doublings > least ? doublings : least;
}
static double autotune__number_of_part(const autotune_key *key, uint32_t part) {    /* meaningless for a string */
    const autotune_type type = autotune__part_type(key->types, part);
    if (autotune__is_float(type)) return autotune__as_double(key->word[part]);
    return autotune__double_of_value(type == AUTOTUNE_U64 ? type : AUTOTUNE_I64, key->word[part]);
}
static double autotune__key_distance(const autotune_key *a, const autotune_key *b) {
    double sum = 0;
    uint32_t i;
    if (a->count != b->count || a->types != b->types) return AUTOTUNE__NEVER;
    for (i = 0; i < autotune__parts(a); i++) {
        const autotune_type type = autotune__part_type(a->types, i);
        if (!autotune__same_word(type, a->word[i], b->word[i]))
            sum += autotune__part_distance(type, autotune__number_of_part(a, i), autotune__number_of_part(b, i));
    }
    return sum;
}
static double autotune__measured_ns(const autotune_measurement *measurement) {
    if (measurement->status != AUTOTUNE_OK) return AUTOTUNE__NEVER;
    return autotune__is_definite(measurement->median_ns) ? measurement->median_ns
         : autotune__is_definite(measurement->min_ns) ? measurement->min_ns : AUTOTUNE__NEVER;
}
/* Takes seeds from the races of this process. Returns the distance of their key; AUTOTUNE__NEVER: there are none. */
static double autotune__seed_from_process(const autotune__subject *subject, autotune__shortlist *seeds) {
    const autotune__record_map *records;
    const autotune__history *nearest = NULL;
    double least = AUTOTUNE__NEVER;
    size_t i;
    autotune__lock_mutex(&autotune__lock);
    records = subject->tuner->records;
    for (i = 0; i < AUTOTUNE__MAP_COUNT(records); i++) {
        const autotune__record *record = records[i].value;
        const double distance = autotune__key_distance(&record->key, &subject->options.key);
        if (record == subject->record || !record->entry || !(distance < least)) continue;
        if (!record->history || !record->history->count) continue;             /* not raced by this process */
        least = distance;
        nearest = record->history;
    }
    for (i = 0; nearest && i < nearest->count; i++)
        autotune__shortlist_point(seeds, nearest->measurements[i].config.index,
                                  autotune__measured_ns(&nearest->measurements[i]));
    autotune__unlock_mutex(&autotune__lock);
    return least;
}


/* ---- src/store/store.h ---------------------------------------------------------------------------------------------
   The cache on disk as the floors above see it: all of it, or the same functions for a program that has none. */

/* ---- src/store/session.h -------------------------------------------------------------------------------------------
   What the store keeps for one statement. In a program without the cache on disk it stays empty. */

/* The numbers by which lines of the file are found. The first three stand in the head of each line. */
typedef struct autotune__identity {
    uint64_t id;                                /* of tuner and key */
    uint64_t fingerprint;                       /* of the texts, values, compiler and version of the tuner */
    uint64_t machine;                           /* of the words for the device */
    uint64_t tuner;                             /* of its name as it is written; 0: that is not known */
} autotune__identity;
/* The record that answers for the key: configurations that may win, the winner first. */
typedef struct autotune__candidate { size_t index; double median_ns, min_ns; } autotune__candidate;
enum { AUTOTUNE__CANDIDATES = 8 };
typedef struct autotune__recalled {
    autotune__candidate candidates[AUTOTUNE__CANDIDATES];
    size_t count, next;                         /* how many there are, and how many of them were taken */
    autotune_result result;                     /* as the record has it, without the configuration */
    autotune__text line;                        /* the record */
    bool any_device;                            /* the record answers on every device, whatever compiled its kernels */
} autotune__recalled;
/* A record that does not answer for the key, but has times of it, which save launches. */
typedef struct autotune__former_row {
    size_t index;                               /* first: rows are sorted by it */
    bool contender;                             /* it may still win */
    bool set_aside;                             /* it was left out of this race */
    double ns;                                  /* its least time */
    size_t start, length;                       /* where it stands in the text */
} autotune__former_row;
typedef struct autotune__former {
    autotune__text text;                        /* the record */
    autotune__former_row *rows;
    bool only_contenders;                       /* points that have no row are left out, too */
    size_t winner;                              /* a point; SIZE_MAX: the record has no winner */
    size_t left_out;                            /* how many points the race left out because of the record */
} autotune__former;
/* A line of the journal that an earlier run left open, for a point of this space. */
typedef struct autotune__crash {
    size_t index;                               /* of the point; SIZE_MAX: it came back since */
    size_t start, length;                       /* where the line stands in the text */
    size_t returned;                            /* how many others had come back from their first launches before */
    bool proven;                                /* that run saw a fault */
    bool lost_device;                           /* the device was lost in the launch */
    bool at_fault;                              /* and the launch itself was at fault */
    bool same_program;                          /* the program was not rebuilt since */
} autotune__crash;
typedef struct autotune__crashes {
    char *text;                                 /* the open lines of the file */
    autotune__crash *all;
    size_t *points;                             /* of all, ascending, each once */
    size_t lines;                               /* how many lines stand open, whatever they blame */
} autotune__crashes;
/* A kernel that the statement launched. */
typedef struct autotune__kernel_source {
    char *name;
    uint64_t source;                            /* a digest */
    const char *compiler;                       /* in words; NULL: the kernel came compiled */
} autotune__kernel_source;

typedef struct autotune__store {
    /* set when the statement begins */
    autotune__subject *subject;
    struct autotune__store *outer;              /* of the statement further out in this thread; NULL: there is none */
    autotune_cache policy;
    /* set when the tuner and the key are known */
    autotune__identity identity;
    char program[40];                           /* the identity of the program's file; "": it cannot be told */
    /* what the file knows of the key */
    autotune__recalled recalled;
    autotune__former former;
    autotune__crashes crashes;
    autotune__kernel_source *kernels;           /* that were launched so far */
    bool outdated;                              /* one of them is not what the record was found with */
    bool all_anew;                              /* times of earlier races do not count */
    /* the key among processes */
    bool locked;                                /* this process alone races it */
    uint64_t waits_since;                       /* another process was seen to race the key then; 0: none was */
    /* the race */
    double written;                             /* at which of its seconds it was last written in its middle */
    struct autotune__journal *journal;          /* NULL: none is read or written */
} autotune__store;

/* What earlier runs say of a configuration. TO_BE_SPARED: it is skipped if others work, and else tried last. */
typedef enum autotune__suspicion {
    AUTOTUNE__UNSUSPECTED, AUTOTUNE__TO_BE_LAST, AUTOTUNE__TO_BE_SPARED, AUTOTUNE__TO_BE_SKIPPED, AUTOTUNE__CONVICTED
} autotune__suspicion;
/* Which process races a key? OURS; one of the OTHERS; none, since the winner is known now: ANSWERED; another one, which
   takes so long that nobody waits for it any more: GIVEN_UP. */
typedef enum autotune__key_turn {
    AUTOTUNE__OURS,
    AUTOTUNE__OTHERS,
    AUTOTUNE__ANSWERED,
    AUTOTUNE__GIVEN_UP
} autotune__key_turn;

static void autotune__forget_former(autotune__store *store) {      /* its times do not count in this race any more */
    autotune__former *former = &store->former;
    AUTOTUNE__FREE_ARRAY(former->rows);
    autotune__free_text(&former->text);
    memset(former, 0, sizeof *former);
    former->winner = SIZE_MAX;
}
/* A statement begins, and has its options. The store is all zeros. */
static void autotune__begin_store(autotune__store *store, autotune__subject *subject, autotune__store *outer) {
    store->subject = subject;
    store->outer = outer;
    store->policy = autotune__cache_policy(&subject->options);
    autotune__forget_former(store);
}
/* A kernel was launched that is not the one of which the records speak: no record counts any more. */
static void autotune__drop_outdated_records(autotune__store *store) {
    store->recalled.next = store->recalled.count;
    store->outdated = false;
    store->all_anew = true;
}
/* Takes over a line, which stays with the key for autotune_save(). */
static void autotune__keep_line(autotune__store *store, autotune__text *line) {
    autotune__record *record = store->subject->record;
    autotune__text old;
    autotune__lock_mutex(&autotune__lock);
    old = record->line;
    record->line = *line;
    record->distrusted = false;                 /* its winner was found here, or works */
    autotune__unlock_mutex(&autotune__lock);
    memset(line, 0, sizeof *line);
    autotune__free_text(&old);
}

#ifndef AUTOTUNE_NO_CACHE

/* ---- src/store/json.h ----------------------------------------------------------------------------------------------
   JSON: how strings and numbers are written, and how members and elements are read with jsmn. */

/* Writing. Each string and each number is written in one way only, so that what is written can be compared without
   being read.

   A string of so many bytes. What is no UTF-8 becomes a lone surrogate, as Python's surrogateescape makes it: so a
   string of whatever bytes can be read back. */
static void autotune__append_quoted(autotune__text *text, const char *string, size_t length) {
    const unsigned char *at = (const unsigned char *)string, *const end = at + length;
    autotune__append(text, "\"");
    while (at < end) {
        const unsigned char *const plain = at;
        size_t bytes = 0;
        while (at < end && (bytes = autotune__utf8_bytes(at, (size_t)(end - at))) != 0 &&
               *at >= 0x20 && *at != 0x7F && *at != '"' && *at != '\\') at += bytes;
        autotune__append(text, "%.*s", (int)(at - plain), (const char *)plain);
        if (at == end) break;
        if (*at == '"' || *at == '\\') autotune__append(text, "\\%c", *at);
        else autotune__append(text, "\\u%04x", bytes ? (unsigned)*at : 0xDC00u + *at);
        at++;
    }
    autotune__append(text, "\"");
}
static void autotune__append_string(autotune__text *text, const char *string) {     /* NULL: null */
    if (string) autotune__append_quoted(text, string, strlen(string));
    else autotune__append(text, "null");
}
/* A number that reads back as the same double. What is no number is null; JSON has no infinity, so it is a string. */
static void autotune__append_double(autotune__text *text, double value) {
    char digits[64];
    const uint64_t bits = autotune__bits(value);
    bool short_is_exact;
    if (autotune__are_nan(bits)) { autotune__append(text, "null"); return; }
    if (!autotune__is_finite(value)) { autotune__append(text, bits >> 63 ? "\"-inf\"" : "\"inf\""); return; }
    snprintf(digits, sizeof digits, "%.9g", value);
    short_is_exact = !(strtod(digits, NULL) < value || strtod(digits, NULL) > value);
    autotune__append_number(text, short_is_exact ? "%.9g" : "%.17g", value);
}
/* A member whose value is a number; null: it is not known. */
static void autotune__append_measure(autotune__text *text, const char *name, bool known, const char *format,
                                     double value) {
    autotune__append(text, ",\"%s\":", name);
    if (known) autotune__append_number(text, format, value);
    else autotune__append(text, "null");
}
static void autotune__append_ns(autotune__text *text, const char *name, double ns) {
    autotune__append_measure(text, name, autotune__is_within(ns, 0, 1e18), ns < 100 ? "%.6g" : "%.1f", ns);
}
static void autotune__append_ratio(autotune__text *text, const char *name, double ratio) {
    autotune__append_measure(text, name, autotune__is_within(ratio, -1e9, 1e9), "%.4g", ratio);
}

/* Reading. A value is named by the number of its token; -1: the value is not there. */
typedef struct autotune__json { const char *text; jsmntok_t *token; int count; } autotune__json;

/* Are few enough brackets open at a time? For each bracket that closes jsmn looks through all that are open, so its
   time for a line of nothing but brackets grows with the square of its length. A record has at most four of them open.
   */
static bool autotune__is_shallow(const char *text, size_t length) {
    enum { MOST_OPEN = 32 };
    const char *at = text, *const end = text + length;
    int open = 0;
    while (at < end && open <= MOST_OPEN) {
        if (*at == '"') { at = autotune__past_quoted(at, end); continue; }
        open += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
        at++;
    }
    return open <= MOST_OPEN;
}
/* The text has to be one object, and stays the caller's. True: autotune__free_json() frees what was read. False: it is
   no object, and count is 0; or there is no memory. */
static bool autotune__parse(autotune__json *json, const char *text, size_t length) {
    jsmn_parser parser;
    json->text = text;
    json->token = NULL;
    json->count = 0;
    if (length > INT_MAX / 2 || !autotune__is_shallow(text, length)) return false;
    jsmn_init(&parser);
    json->count = jsmn_parse(&parser, text, length, NULL, 0);
    if (json->count < 0) json->count = 0;       /* the text is not JSON */
    if (!json->count || !(json->token = (jsmntok_t *)autotune__allocate((size_t)json->count * sizeof *json->token)))
        return false;
    jsmn_init(&parser);
    if (jsmn_parse(&parser, text, length, json->token, (unsigned)json->count) == json->count &&
        json->token[0].type == JSMN_OBJECT && json->token[0].start == 0 && json->token[0].end == (int)length)
        return true;
    autotune__free(json->token);
    json->token = NULL;
    json->count = 0;
    return false;
}
static void autotune__free_json(autotune__json *json) { autotune__free(json->token); json->token = NULL; }
static int autotune__after(const autotune__json *json, int at) {    /* the token behind a value and all of its parts */
    const int end = json->token[at].end;
    while (++at < json->count && json->token[at].start < end) {}
    return at;
}
/* A value as it is written, with the quotes of a string. */
static const char *autotune__raw(const autotune__json *json, int at, size_t *length) {
    const jsmntok_t *token = &json->token[at];
    const int quote = token->type == JSMN_STRING;
    *length = (size_t)(token->end - token->start + 2 * quote);
    return json->text + token->start - quote;
}
static bool autotune__is_raw(const autotune__json *json, int at, const char *text, size_t length) {
    size_t raw_length;
    const char *raw = at >= 0 ? autotune__raw(json, at, &raw_length) : NULL;
    return raw && raw_length == length && !memcmp(raw, text, length);
}
static bool autotune__is_text(const autotune__json *json, int at, const autotune__text *text) {
    return text->at && !text->broken && autotune__is_raw(json, at, text->at, autotune__count(text->at));
}
/* Is the value this string? It has nothing that would be escaped. */
static bool autotune__spells(const autotune__json *json, int at, const char *string) {
    const jsmntok_t *token = at < 0 ? NULL : &json->token[at];
    return token && token->type == JSMN_STRING && (size_t)(token->end - token->start) == strlen(string) &&
           !memcmp(json->text + token->start, string, strlen(string));
}
/* The name of the next member of an object; `at` is the name before it, 0 for the first. -1: there is no more. The
   value of the member is the token behind its name. */
static int autotune__next_member(const autotune__json *json, int object, int at) {
    at = at ? autotune__after(json, at + 1) : object + 1;
    if (at + 1 >= json->count || json->token[at].start >= json->token[object].end) return -1;
    return json->token[at].type == JSMN_STRING && json->token[at].size == 1 ? at : -1;
}
/* The next element of an array, likewise. */
static int autotune__next_row(const autotune__json *json, int rows, int at) {
    if (rows < 0 || json->token[rows].type != JSMN_ARRAY) return -1;
    at = at ? autotune__after(json, at) : rows + 1;
    return at < json->count && json->token[at].start < json->token[rows].end ? at : -1;
}
/* The value of the member with this name. */
static int autotune__member(const autotune__json *json, int object, const char *name) {
    int at = 0;
    if (object < 0 || json->token[object].type != JSMN_OBJECT) return -1;
    while ((at = autotune__next_member(json, object, at)) > 0)
        if (autotune__spells(json, at, name)) return at + 1;
    return -1;
}
static double autotune__number_at(const autotune__json *json, int at) {             /* AUTOTUNE__NEVER: no number */
    const char *raw;
    size_t length;
    if (at < 0 || json->token[at].type != JSMN_PRIMITIVE) return AUTOTUNE__NEVER;
    raw = autotune__raw(json, at, &length);
    if (!(*raw == '-' || (*raw >= '0' && *raw <= '9'))) return AUTOTUNE__NEVER;
    return autotune__number_of(raw, length);
}
/* Numbers of members; AUTOTUNE__NEVER and 0: it is none. */
static double autotune__number_in(const autotune__json *json, int object, const char *name) {
    return autotune__number_at(json, autotune__member(json, object, name));
}
static size_t autotune__count_in(const autotune__json *json, int object, const char *name) {
    const double number = autotune__number_in(json, object, name);
    return number >= 0 && number < 1e15 ? (size_t)number : 0;
}

/* ---- src/store/line_head.h -----------------------------------------------------------------------------------------
   The head of a line: its checksum, date and identity, which are read without a JSON parser. Is the line sound? */

static uint32_t autotune__crc_table[16][256];
static void autotune__fill_crc_table(void) {
    uint32_t i, k;
    for (i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        autotune__crc_table[0][i] = crc;
    }
    for (k = 1; k < 16; k++)
        for (i = 0; i < 256; i++) {
            const uint32_t crc = autotune__crc_table[k - 1][i];
            autotune__crc_table[k][i] = crc >> 8 ^ autotune__crc_table[0][crc & 255];
        }
}
/* The CRC-32 of zlib. Sixteen bytes are taken at a time ("slicing"), since every program that starts checks the whole
   file. */
static uint32_t autotune__crc(const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    const uint32_t (*t)[256] = (const uint32_t (*)[256])autotune__crc_table;
    uint32_t crc = 0xFFFFFFFFu;
    static autotune__once filled = AUTOTUNE__ONCE;
    autotune__run_once(&filled, autotune__fill_crc_table);
    for (; length >= 16; length -= 16, at += 16)
        crc = (t[11][at[4]] ^ t[10][at[5]] ^ t[9][at[6]] ^ t[8][at[7]] ^ t[7][at[8]] ^ t[6][at[9]] ^ t[5][at[10]] ^
               t[4][at[11]] ^ t[3][at[12]] ^ t[2][at[13]] ^ t[1][at[14]] ^
               t[0][at[15]]) ^ /* up to here nothing waits for the step before */
              (t[15][at[0] ^ (crc & 255)] ^ t[14][at[1] ^ (crc >> 8 & 255)] ^ t[13][at[2] ^ (crc >> 16 & 255)] ^
               t[12][at[3] ^ crc >> 24]);
    for (; length; length--, at++) crc = crc >> 8 ^ t[0][(crc ^ *at) & 255];
    return crc ^ 0xFFFFFFFFu;
}

enum { AUTOTUNE__DATE_BYTES = 20, AUTOTUNE__CRC_BYTES = 18 };       /* 2026-11-20T14:05:09Z; ,"crc":"1c291ca3"} */
typedef struct autotune__head {
    autotune__identity identity;
    char date[AUTOTUNE__DATE_BYTES];
    bool unfinished;
    uint64_t program;                           /* a hash of the program that made it; 0: it does not say */
    size_t key, key_length;                     /* where the key stands in the line; 0: that is not known */
} autotune__head;
typedef enum autotune__soundness { AUTOTUNE__SOUND, AUTOTUNE__NEWER, AUTOTUNE__DAMAGED } autotune__soundness;

/* Both move `at` behind what is expected there. False: something else stands there. */
static bool autotune__skip(const char **at, const char *end, const char *expected) {
    const size_t length = strlen(expected);
    if ((size_t)(end - *at) < length || memcmp(*at, expected, length)) return false;
    *at += length;
    return true;
}
/* Hexadecimal digits in lower case. */
static bool autotune__skip_hex(const char **at, const char *end, unsigned digits, uint64_t *value) {
    for (*value = 0; digits; digits--, ++*at) {
        const char c = (char)(*at < end ? **at : 0);
        if (c >= '0' && c <= '9') *value = *value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f') *value = *value << 4 | (uint64_t)(c - 'a' + 10);
        else return false;
    }
    return true;
}
/* Tuner and key, by which the records of the tuner's other keys are found. They come next in every line that this
   library writes. */
static void autotune__read_subject(const char *line, const char *at, const char *end, autotune__head *head) {
    const char *name, *key;
    head->identity.tuner = head->key = head->key_length = 0;
    if (!autotune__skip(&at, end, "\"tuner\":") || at == end || *at != '"') return;
    name = at;
    at = autotune__past_quoted(at, end);
    head->identity.tuner = autotune__hash_more(0, name, (size_t)(at - name));
    if (!autotune__skip(&at, end, ",\"key\":") || at == end || *at != '{') return;
    key = at;
    while (at < end && *at != '}') {
        if (*at == '"') at = autotune__past_quoted(at, end);
        else at++;
    }
    if (at == end) return;
    head->key = (size_t)(key - line);
    head->key_length = (size_t)(at + 1 - key);
}
/* Of the member "program" of the line itself, and of no object within it. */
static uint64_t autotune__program_hash(const char *at, const char *end) {
    const char *from;
    int open = 0;
    while (at < end) {
        from = at;
        if (*at != '"') {
            open += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
            at++;
            continue;
        }
        at = autotune__past_quoted(at, end);
        if (open || at - from != 9 || memcmp(from, "\"program\"", 9) || !autotune__skip(&at, end, ":")) continue;
        return at < end && *at == '"'
                   ? autotune__hash_more(0, at, (size_t)(autotune__past_quoted(at, end) - at)) : 0;
    }
    return 0;
}
/* Of a line without its line feed. The head is filled if the line is sound. */
static autotune__soundness autotune__read_head(const char *line, size_t length, autotune__head *head) {
    const char *at = line, *const end = line + length, *tail = end - AUTOTUNE__CRC_BYTES;
    unsigned long version = 0;
    uint64_t crc;
    if (length < AUTOTUNE__CRC_BYTES || !autotune__skip(&tail, end, ",\"crc\":\"") ||
        !autotune__skip_hex(&tail, end, 8, &crc) || !autotune__skip(&tail, end, "\"}") ||
        crc != autotune__crc(line, length - AUTOTUNE__CRC_BYTES))
        return AUTOTUNE__DAMAGED;
    if (!autotune__skip(&at, end, "{\"autotune\":")) return AUTOTUNE__DAMAGED;
    for (; at < end && *at >= '0' && *at <= '9' && version < 1000000; at++)
        version = 10 * version + (unsigned long)(*at - '0');
    if (version > 1) return AUTOTUNE__NEWER;
    if (version != 1 || !autotune__skip(&at, end, ",\"id\":\"") ||
        !autotune__skip_hex(&at, end, 16, &head->identity.id) || !autotune__skip(&at, end, "\",\"fingerprint\":\"") ||
        !autotune__skip_hex(&at, end, 16, &head->identity.fingerprint) ||
        !autotune__skip(&at, end, "\",\"machine\":\"") || !autotune__skip_hex(&at, end, 16, &head->identity.machine) ||
        !autotune__skip(&at, end, "\",\"date\":\"") || end - at < AUTOTUNE__DATE_BYTES)
        return AUTOTUNE__DAMAGED;
    memcpy(head->date, at, AUTOTUNE__DATE_BYTES);
    at += AUTOTUNE__DATE_BYTES;
    if (!autotune__skip(&at, end, "\",")) return AUTOTUNE__DAMAGED;
    head->unfinished = autotune__skip(&at, end, "\"unfinished\":true,");
    autotune__read_subject(line, at, end, head);
    head->program = autotune__program_hash(at, end);
    return AUTOTUNE__SOUND;
}

/* ---- src/store/machine.h -------------------------------------------------------------------------------------------
   The machine and the program: the words that name a device, and the identity of the file that holds a call site. */

/* The words for the CPU name what stays the same on a virtual machine, whatever host it wakes up on: the model, and the
   caches of one core. A cache that is shared is left out, since how much of it a virtual machine sees differs from host
   to host. */
static char autotune__cpu_words[256];
static void autotune__describe_cpu(void) {
    static const char *const caches[] = { "L1d", "L2" };
    char model[160];
    size_t i, used;
    autotune__read_processor_model(model, sizeof model);
    snprintf(autotune__cpu_words, sizeof autotune__cpu_words, "%s, %ld cores", model, autotune__processor_count());
    for (i = 0; i < sizeof caches / sizeof *caches; i++) {
        const unsigned long bytes = (unsigned long)autotune__cache_bytes((int)i + 1);
        used = strlen(autotune__cpu_words);
        if (!bytes) continue;
        snprintf(autotune__cpu_words + used, sizeof autotune__cpu_words - used, ", %s %lu KiB", caches[i],
                 bytes / 1024);
    }
}
static const char *autotune__device_words(const autotune_backend *backend) {
    static autotune__once described = AUTOTUNE__ONCE;
    if (strcmp(backend->device, autotune__cpu_backend.device)) return backend->device;
    autotune__run_once(&described, autotune__describe_cpu);
    return autotune__cpu_words;
}
/* The identity of the program or library that holds an address: when its file was written, and the size. NULL: it
   cannot be told. anew: the mapping that was found last may be gone, and another file be at its address. Threads call
   this one at a time. */
static const char *autotune__program_of(const void *address, bool anew) {
    static autotune__mapping mapping;           /* that was found last, nearly always the one asked for */
    static char words[40];
    const unsigned long place = (unsigned long)(uintptr_t)address;
    autotune__file_facts facts;
    if (!anew && place >= mapping.low && place < mapping.high) return *words ? words : NULL;
    words[0] = 0;
    if (autotune__find_mapping(address, &mapping) && *mapping.path == '/' &&
        autotune__facts_of_path(mapping.path, &facts))
        snprintf(words, sizeof words, "%llx-%llx", (unsigned long long)(facts.modified_ns / 1000000000),
                 (unsigned long long)facts.bytes);
    return *words ? words : NULL;
}

/* ---- src/store/write_files.h ---------------------------------------------------------------------------------------
   Files that are written whole or not at all. */

/* Writes a file under a new name and gives it the path, as autotune__fill_and_rename() does. Nobody has that name: no
   link stands there that would be followed, and no other process writes to it, on whatever machine and with whatever
   number. how: AUTOTUNE__SHARED or 0. */
static bool autotune__replace_file(const char *path, const char *bytes, size_t count, int how, bool lasting,
                                   const char **why) {
    static uint64_t number;
    const size_t room = strlen(path) + 32;
    char *new_name = (char *)autotune__allocate(room);
    uint64_t drawn = autotune__hash_word(autotune__wait_clock(), autotune__process_number());
    int file = -1, tries;
    bool written;
    if (!new_name) { *why = "out of memory"; return false; }
    for (errno = EEXIST, tries = 0; file < 0 && errno == EEXIST && tries < 100; tries++) {
        drawn = autotune__hash_word(drawn, __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) ^
                                               (uint64_t)(uintptr_t)new_name);
        snprintf(new_name, room, "%s.new-%016llx", path, (unsigned long long)drawn);
        file = autotune__open_file(new_name, AUTOTUNE__WRITE | AUTOTUNE__NEW | AUTOTUNE__NO_LINK | how);
    }
    if (file < 0) *why = strerror(errno);
    written = file >= 0 && autotune__fill_and_rename(file, new_name, path, bytes, count, lasting, why);
    autotune__free(new_name);
    return written;
}

static char *autotune__joined(const char *folder, const char *name) {           /* NULL: no memory */
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = (char *)autotune__allocate(bytes);
    if (path) snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}
/* Where a link at the end of a path leads to, whether something is there or not; a path that does not end with a link
   leads to itself. The caller frees it. number: that of the open file that the link leads to; -1: it leads to none.
   NULL: errno says why. */
static char *autotune__follow_links(const char *path, int *number) {
    char target[4096], *at = autotune__copy_string(path), *next, *slash;
    int links;
    *number = -1;
    if (!at) errno = ENOMEM;
    for (links = 0; at && links < 40; links++) {
        if (!autotune__read_link(at, target, sizeof target) || (*number = autotune__open_number(at)) >= 0) return at;
        if ((slash = strrchr(at, '/')) != NULL) *slash = 0;
        next = *target == '/' ? autotune__copy_string(target) : autotune__joined(slash ? at : ".", target);
        autotune__free(at);
        if (!(at = next)) { errno = ENOMEM; return NULL; }
    }
    autotune__free(at);
    if (links) errno = ELOOP;
    return NULL;
}
/* A file for the user, under the path that the user gave: one that is there is replaced. Links are followed, and stay.
   What is no regular file, as a pipe or a device, is written to. False: why says it. */
static bool autotune__write_file(const char *path, const autotune__text *text, const char **why) {
    const size_t count = autotune__count(text->at);
    autotune__file_facts facts;
    bool written;
    int number, file;
    int64_t place;
    char *target = autotune__follow_links(path, &number);
    if (target && number < 0 && (!autotune__facts_of_path(target, &facts) || facts.is_regular))
        written = autotune__replace_file(target, text->at, count, AUTOTUNE__SHARED, true, why);
    else {
        file = !target ? -1 : number < 0 ? autotune__open_file(target, AUTOTUNE__WRITE)
                                         : autotune__duplicate_file(number);
        place = file < 0 ? -1 : autotune__place_in(file);
        written = file >= 0 && (place < 0 || autotune__fits((size_t)place, count)) &&
                  autotune__write_all(file, text->at, count);
        if (!written) *why = strerror(errno);
        autotune__close_file(file);
    }
    autotune__free(target);
    return written;
}

/* ---- src/store/write_record.h --------------------------------------------------------------------------------------
   A race becomes a record: one line of JSON, as docs/cache-format.md describes it. Every name and value has one
   spelling only, so that a reader compares what is written. */

/* The value of an axis as JSON: an integer without a name of its own is a number; what has no text of its own, as a
   function, is the string of its label. */
static void autotune__append_axis_value(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    const autotune__axis_of_space *axis = &space->axes[a];
    const uint64_t value = autotune__axis_value(axis, digit);
    autotune__text label = { NULL, false }, integer = { NULL, false };
    if (autotune__is_float(axis->type))
        autotune__append_double(text, autotune__double_of_value(axis->type, value));
    else if (axis->type == AUTOTUNE_STRING) autotune__append_string(text, autotune__string_of_value(value));
    else {
        if (autotune__is_select(space)) autotune__append_call_name(&label, space, digit);
        else autotune__append_value(&label, space, a, digit);
        if (AUTOTUNE__IS_INTEGER_TYPE(axis->type) && !autotune__is_select(space))
            autotune__append_integer(&integer, axis->type == AUTOTUNE_U64,
                                     (uint64_t)autotune__int_of_value(axis->type, value));
        if (label.broken || integer.broken) text->broken = true;
        else if (label.at && integer.at && !strcmp(label.at, integer.at)) autotune__append(text, "%s", label.at);
        else autotune__append_quoted(text, label.at ? label.at : "", autotune__count(label.at));
    }
    autotune__free_text(&label);
    autotune__free_text(&integer);
}
/* {"tile":32,"order":"ijk"} */
static void autotune__append_config(autotune__text *text, autotune__space *space, size_t index) {
    size_t a;
    autotune__locate(space, index);
    for (a = 0; a < space->axis_count; a++) {
        autotune__append(text, a ? "," : "{");
        autotune__append_string(text, space->axes[a].name);
        autotune__append(text, ":");
        autotune__append_axis_value(text, space, a, space->dimensions[space->axes[a].dimension].digit);
    }
    autotune__append(text, "}");
}
static void autotune__append_key_value(autotune__text *text, const autotune_key *key, uint32_t part) {
    const uint64_t word = key->word[part];
    switch (autotune__part_type(key->types, part)) {
    case AUTOTUNE_STRING: autotune__append_string(text, autotune__as_string(word)); break;
    case AUTOTUNE_F32: case AUTOTUNE_F64: autotune__append_double(text, autotune__as_double(word)); break;
    case AUTOTUNE_BOOL: autotune__append(text, word ? "true" : "false"); break;
    case AUTOTUNE_U64: autotune__append(text, "%llu", (unsigned long long)word); break;
    default: autotune__append(text, "%lld", (long long)(int64_t)word);
    }
}
/* The name of a part of a key: what .key names it, else its number from 1 on. A name that an earlier part has, too, is
   followed by # and a number. */
static void autotune__append_key_label(autotune__text *text, const autotune_key *key, uint32_t part) {
    size_t length = 0, other_length = 0;
    const char *name = key->text ? autotune__part(key->text, part, &length) : NULL;
    uint32_t i, equal = 1;
    autotune__text label = { NULL, false };
    if (name) autotune__append(&label, "%.*s", (int)length, name);
    else autotune__append(&label, "%u", part + 1);
    for (i = 0; name && i < part; i++) {
        const char *other = autotune__part(key->text, i, &other_length);
        if (other_length == length && !memcmp(other, name, length)) equal++;
    }
    if (equal > 1) autotune__append(&label, "#%u", equal);
    if (label.broken) text->broken = true;
    else autotune__append_string(text, label.at);
    autotune__free_text(&label);
}
/* {"n":1024,"transposed":true} */
static void autotune__append_key_object(autotune__text *text, const autotune_key *key) {
    uint32_t i;
    autotune__append(text, "{");
    for (i = 0; i < autotune__parts(key); i++) {
        autotune__append(text, i ? "," : "");
        autotune__append_key_label(text, key, i);
        autotune__append(text, ":");
        autotune__append_key_value(text, key, i);
    }
    autotune__append(text, "}");
}

static const char *const autotune__verdict_words[] = { "default", "single",     "separated",
                                                       "tie",     "unresolved", "unreliable" };

/* The rows of the launch table: the winner, then the others from the fastest on, then failures. */
enum { AUTOTUNE__MOST_ROWS = 4096 };            /* of a record: some 400 KB */
typedef struct autotune__sorted_row { double ns; size_t row; } autotune__sorted_row;
static int autotune__order_sorted_rows(const void *left, const void *right) {
    const autotune__sorted_row *a = (const autotune__sorted_row *)left, *b = (const autotune__sorted_row *)right;
    return a->ns < b->ns ? -1 : a->ns > b->ns ? 1 : a->row < b->row ? -1 : 1;
}
static autotune__sorted_row *autotune__sort_rows(const autotune__race *race, size_t count) {    /* NULL: no memory */
    autotune__sorted_row *sorted = (autotune__sorted_row *)autotune__allocate(count * sizeof *sorted);
    size_t i;
    for (i = 0; sorted && i < count; i++) {
        const autotune__row *row = &race->rows[i];
        sorted[i].row = i;
        sorted[i].ns = row->state == AUTOTUNE__FAILED ? AUTOTUNE__NEVER
                       : i == race->outcome.winner    ? -1
                                                      : autotune__time(row);
    }
    if (sorted) qsort(sorted, count, sizeof *sorted, autotune__order_sorted_rows);
    return sorted;
}
static void autotune__append_row(autotune__text *text, autotune__space *space, const autotune__row *row) {
    static const char *const states[] = { "ok", "slow", "failed" };
    const bool failed = row->state == AUTOTUNE__FAILED;
    autotune__append(text, "{\"config\":");
    autotune__append_config(text, space, row->index);
    autotune__append(text, ",\"stage\":\"%s\",\"state\":\"%s\",\"launches\":%lu", row->stage,
                     failed && row->status == AUTOTUNE_REJECTED ? "rejected" : states[row->state],
                     (unsigned long)row->launches);
    autotune__append_ns(text, "min_ns", row->measured);
    autotune__append_ns(text, "median_ns", row->median);
    if (failed || row->note) {
        autotune__append(text, ",\"reason\":");
        autotune__append_string(text, failed ? row->reason : row->note);
    }
    autotune__append(text, "}");
}
/* Behind the race's own rows stand those of the former record that the race left out. */
static void autotune__append_rows(autotune__text *text, autotune__store *store, const autotune__race *race) {
    const size_t count = autotune__count(race->rows);
    autotune__sorted_row *sorted = autotune__sort_rows(race, count);
    const autotune__former *former = &store->former;
    size_t i, written = 0;
    if (!sorted) text->broken = true;
    for (i = 0; sorted && i < count && written < AUTOTUNE__MOST_ROWS; i++) {
        const autotune__row *row = &race->rows[sorted[i].row];
        if (!row->launches && !row->note) continue;
        autotune__append(text, written++ ? "," : "");
        autotune__append_row(text, &store->subject->space, row);
    }
    for (i = 0; i < autotune__count(former->rows) && written < AUTOTUNE__MOST_ROWS; i++) {
        if (!former->rows[i].set_aside) continue;
        autotune__append(text, "%s%.*s", written++ ? "," : "", (int)former->rows[i].length,
                         former->text.at + former->rows[i].start);
    }
    autotune__free(sorted);
}
static void autotune__append_winner(autotune__text *text, const char *name, autotune__space *space,
                                    const autotune__race *race, size_t row) {
    autotune__append(text, ",\"%s\":", name);
    if (row == SIZE_MAX) autotune__append(text, "null");
    else autotune__append_config(text, space, race->rows[row].index);
}
static void autotune__append_kernels(autotune__text *text, const autotune__kernel_source *kernels) {
    size_t i;
    for (i = 0; i < autotune__count(kernels); i++) {
        autotune__append(text, i ? ",{\"name\":" : ",\"kernels\":[{\"name\":");
        autotune__append_string(text, kernels[i].name);
        autotune__append(text, ",\"source\":\"%016llx\",\"compiler\":", (unsigned long long)kernels[i].source);
        autotune__append_string(text, kernels[i].compiler);
        autotune__append(text, "}");
    }
    if (i) autotune__append(text, "]");
}
/* UTC. The calendar is computed here because gmtime_r() and strftime() of the C library wait for its lock of the time
   zone, which a child made by fork() may have inherited held, from a thread that it does not have. Days are counted
   from the 1st of March of the year 0, so that the leap day ends a year; five months in a row have 153 of them. */
static void autotune__append_date(autotune__text *text, int64_t seconds) {         /* since 1970, up to the year 9999 */
    enum { DAY = 86400, DAYS_TO_1970 = 719468, FOUR_CENTURIES = 146097, CENTURY = 36524, FOUR_YEARS = 1461 };
    const int64_t last = (int64_t)253402300799, known = seconds < 0 || seconds > last ? 0 : seconds;
    const int days = (int)(known / DAY) + DAYS_TO_1970, second = (int)(known % DAY), day = days % FOUR_CENTURIES,
              year = (day - day / (FOUR_YEARS - 1) + day / CENTURY - day / (FOUR_CENTURIES - 1)) / 365,
              day_of_year = day - (365 * year + year / 4 - year / 100), month = (5 * day_of_year + 2) / 153;
    autotune__append(text, "%04d-%02d-%02dT%02d:%02d:%02dZ", days / FOUR_CENTURIES * 400 + year + month / 10,
                     (month + 2) % 12 + 1, day_of_year - (153 * month + 2) / 5 + 1, second / 3600, second / 60 % 60,
                     second % 60);
}
/* What lines of records and of the journal have in common: the head, with tuner and key; how the kernel was built, and
   where it runs; the end. */
static void autotune__append_head(autotune__text *text, const autotune__store *store, bool unfinished) {
    const autotune__identity *identity = &store->identity;
    autotune__append(text, "{\"autotune\":1,\"id\":\"%016llx\",\"fingerprint\":\"%016llx\",\"machine\":\"%016llx\"",
                     (unsigned long long)identity->id, (unsigned long long)identity->fingerprint,
                     (unsigned long long)identity->machine);
    autotune__append(text, ",\"date\":\"");
    autotune__append_date(text, autotune__calendar_seconds());
    autotune__append(text, "\",%s\"tuner\":", unfinished ? "\"unfinished\":true," : "");
    autotune__append_string(text, store->subject->name);
    autotune__append(text, ",\"key\":");
    autotune__append_key_object(text, &store->subject->options.key);
}
static void autotune__append_call(autotune__text *text, const autotune__subject *subject) {
    size_t length = 0;
    const char *call = autotune__call_text(subject, &length);
    if (call) autotune__append_quoted(text, call, length);
    else autotune__append(text, "null");
}
static void autotune__append_build(autotune__text *text, const autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__append(text, ",\"version\":");
    autotune__append_string(text, subject->options.version);
    autotune__append(text, ",\"compiler\":");
    autotune__append_string(text, subject->site->build);
    autotune__append(text, ",\"call\":");
    autotune__append_call(text, subject);
    autotune__append(text, ",\"program\":");
    autotune__append_string(text, *store->program ? store->program : NULL);
    autotune__append(text, ",\"device\":");
    autotune__append_string(text, autotune__device_words(subject->backend));
}
static void autotune__append_crc(autotune__text *text) {
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at, autotune__count(text->at)));
}
static void autotune__append_outcome(autotune__text *text, autotune__space *space, const autotune__race *race,
                                     const autotune_result *result, size_t launches, bool unfinished) {
    autotune__append_winner(text, "winner", space, race, race->outcome.winner);
    autotune__append_ns(text, "median_ns", result->median_ns);
    autotune__append(text, ",\"verdict\":\"%s\"", unfinished ? "unfinished" : autotune__verdict_words[result->verdict]);
    autotune__append_ns(text, "min_ns", result->min_ns);
    autotune__append_winner(text, "runner_up", space, race, unfinished ? SIZE_MAX : race->outcome.runner_up);
    autotune__append_ns(text, "runner_up_ns", unfinished ? AUTOTUNE__NEVER : result->runner_up_ns);
    autotune__append_ratio(text, "lead", result->lead);
    autotune__append_ratio(text, "lead_low", result->lead_low);
    autotune__append_ratio(text, "lead_high", result->lead_high);
    autotune__append(text, ",\"doubt\":");
    autotune__append_string(text, result->doubt);
    autotune__append_ns(text, "default_ns", result->default_ns);
    autotune__append_ns(text, "slowest_ns", result->slowest_ns);
    autotune__append(text, ",\"space_size\":%lu,\"tried\":%lu,\"failed\":%lu,\"launches\":%lu,\"seconds\":",
                     (unsigned long)result->space_size, (unsigned long)result->tried, (unsigned long)result->failed,
                     (unsigned long)launches);
    autotune__append_double(text, result->seconds);
}
/* The whole line, with its line feed. A race that has no winner yet makes an unfinished record. launches: those of the
   statement. */
static void autotune__append_record(autotune__text *text, autotune__store *store, const autotune__race *race,
                                    const autotune_result *result, size_t launches) {
    const bool unfinished = race->outcome.winner == SIZE_MAX;
    autotune__append_head(text, store, unfinished);
    autotune__append_outcome(text, &store->subject->space, race, result, launches, unfinished);
    autotune__append_build(text, store);
    autotune__append_kernels(text, store->kernels);
    autotune__append(text, ",\"configurations\":[");
    autotune__append_rows(text, store, race);
    autotune__append(text, "]");
    autotune__append_crc(text);
}

/* ---- src/store/read_record.h ---------------------------------------------------------------------------------------
   Records are read: of which tuner, key and kernel a record speaks, and which points of the space it names. */

/* The number of a part that was written. True and false are 1 and 0. */
static double autotune__part_at(const autotune__json *json, int at) {
    return autotune__is_raw(json, at, "true", 4)    ? 1
           : autotune__is_raw(json, at, "false", 5) ? 0
                                                    : autotune__number_at(json, at);
}
/* Is a part of a key the value that was written, in another spelling, since the type was another? So it is for
   autotune_lookup(), too: 1, 1.0 and true are one value. Two integers are equal only if their spellings are. */
static bool autotune__is_other_spelling(autotune_type type, double number, const autotune__json *json, int at) {
    size_t length, i = 0;
    const char *raw = autotune__raw(json, at, &length);
    while (i < length && (raw[i] == '-' || (raw[i] >= '0' && raw[i] <= '9'))) i++;
    if (type == AUTOTUNE_STRING || (i == length && type != AUTOTUNE_BOOL && !autotune__is_float(type))) return false;
    return number == autotune__part_at(json, at);
}
/* How far a key is from one that was written: 0 if they are equal. AUTOTUNE__NEVER: what was written is no key, or one
   of other parts; or *no_memory was set. */
static double autotune__distance_to_text(const autotune_key *key, const autotune__json *json, int object,
                                         bool *no_memory) {
    autotune__text value = { NULL, false };
    double sum = object < 0 || json->token[object].type != JSMN_OBJECT ? AUTOTUNE__NEVER : 0;
    uint32_t i;
    int at = 0;
    for (i = 0; i < autotune__parts(key) && autotune__is_definite(sum); i++) {
        at = autotune__next_member(json, object, at);
        autotune__clear_text(&value);
        autotune__append_key_value(&value, key, i);
        *no_memory = *no_memory || value.broken;
        if (at < 0 || value.broken) sum = AUTOTUNE__NEVER;
        else if (!autotune__is_text(json, at + 1, &value)) {
            const autotune_type type = autotune__part_type(key->types, i);
            const double number = autotune__number_of_part(key, i);
            if (!autotune__is_other_spelling(type, number, json, at + 1))
                sum += autotune__part_distance(type, number, autotune__part_at(json, at + 1));
        }
    }
    autotune__free_text(&value);
    return autotune__is_definite(sum) && autotune__next_member(json, object, at) < 0 ? sum : AUTOTUNE__NEVER;
}
static bool autotune__same_key_values(const autotune__json *json, int object, const autotune_key *key) {
    bool no_memory = false;
    return !(autotune__distance_to_text(key, json, object, &no_memory) > 0);
}
/* Is the member of the object this string? NULL: is it null? */
static bool autotune__same_string(const autotune__json *json, int object, const char *member, const char *string) {
    autotune__text text = { NULL, false };
    bool same;
    autotune__append_string(&text, string);
    same = autotune__is_text(json, autotune__member(json, object, member), &text);
    autotune__free_text(&text);
    return same;
}
/* Does a record speak of the tuner, and of the key, of a subject, on the same device or on any? */
static bool autotune__speaks_of_tuner(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__same_string(json, 0, "tuner", subject->name) &&
           (any_device || autotune__same_string(json, 0, "device", autotune__device_words(subject->backend)));
}
static bool autotune__speaks_of(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__speaks_of_tuner(json, subject, any_device) &&
           autotune__same_key_values(json, autotune__member(json, 0, "key"), &subject->options.key);
}
/* Was the call written and built as the one whose times the record has? */
static bool autotune__same_call(const autotune__json *json, const autotune__subject *subject) {
    autotune__text call = { NULL, false };
    bool same;
    autotune__append_call(&call, subject);
    same = autotune__is_text(json, autotune__member(json, 0, "call"), &call) &&
           autotune__same_string(json, 0, "version", subject->options.version) &&
           autotune__same_string(json, 0, "compiler", subject->site->build);
    autotune__free_text(&call);
    return same;
}
/* Is the kernel, as far as can be seen, the one whose times the record has? A block, a SELECT or a created tuner has no
   text of a call. Another one may have its name and its key, so that only a record with all of its texts speaks of
   it. */
static bool autotune__same_kernel(const autotune__json *json, const autotune__head *head,
                                  const autotune__store *store) {
    size_t length;
    return (head->identity.fingerprint == store->identity.fingerprint ||
            autotune__call_text(store->subject, &length)) &&
           autotune__same_call(json, store->subject);
}

/* Was the record found with this very kernel, or with none of its name? */
static bool autotune__had_kernel(const autotune__json *json, const autotune__kernel_source *kernel, bool any_compiler) {
    const int kernels = autotune__member(json, 0, "kernels");
    bool named = false;
    int at = 0;
    char source[20];
    snprintf(source, sizeof source, "%016llx", (unsigned long long)kernel->source);
    while ((at = autotune__next_row(json, kernels, at)) > 0) {
        if (!autotune__same_string(json, at, "name", kernel->name)) continue;
        if (autotune__same_string(json, at, "source", source) &&
            (any_compiler || autotune__same_string(json, at, "compiler", kernel->compiler)))
            return true;
        named = true;
    }
    return !named;
}

/* Of a row of "configurations". */
static bool autotune__was_finalist(const autotune__json *json, int row) {
    const int stage = autotune__member(json, row, "stage");
    return autotune__spells(json, stage, "duel") || autotune__spells(json, stage, "winner");
}
static bool autotune__had_failed(const autotune__json *json, int row) {
    const int state = autotune__member(json, row, "state");
    return autotune__spells(json, state, "failed") || autotune__spells(json, state, "rejected");
}
static bool autotune__was_launched(const autotune__json *json, int row) {           /* and not skipped */
    return autotune__count_in(json, row, "launches") > 0;
}
static autotune_verdict autotune__read_verdict(const autotune__json *json) {
    const size_t count = sizeof autotune__verdict_words / sizeof *autotune__verdict_words;
    const int verdict = autotune__member(json, 0, "verdict");
    size_t i = 0;
    while (i < count && !autotune__spells(json, verdict, autotune__verdict_words[i])) i++;
    return i < count ? (autotune_verdict)i : AUTOTUNE_UNRESOLVED;
}

/* From a configuration as it is written to its point. A dimension whose values are listed gets a table with the hash of
   what each of its digits is written as, in the order of the hashes; of a dimension that is a rule the digit is
   computed from the value. */
typedef struct autotune__spelling { uint64_t hash; size_t digit; } autotune__spelling;
typedef struct autotune__spellings { autotune__spelling *of[AUTOTUNE_MAX_AXES]; } autotune__spellings;

static int autotune__order_spellings(const void *left, const void *right) {
    const autotune__spelling *a = (const autotune__spelling *)left, *b = (const autotune__spelling *)right;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : a->digit < b->digit ? -1 : a->digit > b->digit;
}
static bool autotune__is_listed(const autotune__space *space, size_t dimension) {
    size_t a;
    for (a = 0; a < space->axis_count; a++)
        if (space->axes[a].dimension == dimension && space->axes[a].source == AUTOTUNE__LIST) return true;
    return autotune__is_select(space);
}
static autotune__spelling *autotune__spell(const autotune__space *space, size_t dimension) {    /* NULL: no memory */
    const size_t count = space->dimensions[dimension].count;
    autotune__spelling *spellings = (autotune__spelling *)autotune__allocate(count * sizeof *spellings);
    autotune__text text = { NULL, false };
    size_t a, digit;
    for (digit = 0; spellings && digit < count; digit++) {
        spellings[digit].digit = digit;
        for (a = 0; a < space->axis_count; a++) {
            if (space->axes[a].dimension != dimension) continue;
            autotune__clear_text(&text);
            autotune__append_axis_value(&text, space, a, digit);
            if (!text.broken)
                spellings[digit].hash = autotune__hash_more(spellings[digit].hash, text.at, autotune__count(text.at));
        }
    }
    if (spellings) qsort(spellings, count, sizeof *spellings, autotune__order_spellings);
    autotune__free_text(&text);
    return spellings;
}
static bool autotune__spell_space(const autotune__space *space, autotune__spellings *spellings) {
    size_t d;
    memset(spellings, 0, sizeof *spellings);
    for (d = 0; d < space->dimension_count; d++)
        if (autotune__is_listed(space, d) && !(spellings->of[d] = autotune__spell(space, d))) return false;
    return true;
}
static void autotune__free_spellings(autotune__spellings *spellings) {
    size_t d;
    for (d = 0; d < AUTOTUNE_MAX_AXES; d++) autotune__free(spellings->of[d]);
}
/* Which digit is written so? count: none is. */
static size_t autotune__spelled_digit(const autotune__spelling *spellings, size_t count, uint64_t hash) {
    size_t at;
    AUTOTUNE__BISECT(at, count, spellings[at].hash < hash);
    return at < count && spellings[at].hash == hash ? spellings[at].digit : count;
}
static size_t autotune__rule_digit(const autotune__axis_of_space *axis, size_t count, const char *raw) {
    const int64_t value = axis->type == AUTOTUNE_U64 ? (int64_t)strtoull(raw, NULL, 10) : strtoll(raw, NULL, 10);
    uint64_t digit = 0;
    if (axis->source == AUTOTUNE__DOUBLING)
        while (digit < count && (int64_t)((uint64_t)axis->first << digit) != value) digit++;
    else if (axis->step > 0) digit = ((uint64_t)value - (uint64_t)axis->first) / (uint64_t)axis->step;
    else if (axis->step < 0) digit = ((uint64_t)axis->first - (uint64_t)value) / (0 - (uint64_t)axis->step);
    return digit < count ? (size_t)digit : count;
}
/* False: the configuration is not of this space. */
static bool autotune__read_digits(const autotune__json *json, int config, const autotune__space *space,
                                  const autotune__spellings *spellings, size_t *digit) {
    uint64_t hash[AUTOTUNE_MAX_AXES] = { 0 };
    size_t a, d, length;
    int at = 0;
    if (config < 0 || json->token[config].type != JSMN_OBJECT) return false;
    for (a = 0; a < space->axis_count; a++) {
        const char *raw;
        d = space->axes[a].dimension;
        if ((at = autotune__next_member(json, config, at)) < 0) return false;
        raw = autotune__raw(json, at + 1, &length);             /* strtoll() stops at the comma or brace behind it */
        if (spellings->of[d]) hash[d] = autotune__hash_more(hash[d], raw, length);
        else digit[d] = autotune__rule_digit(&space->axes[a], space->dimensions[d].count, raw);
    }
    for (d = 0; d < space->dimension_count; d++) {
        const size_t count = space->dimensions[d].count;
        if (spellings->of[d]) digit[d] = autotune__spelled_digit(spellings->of[d], count, hash[d]);
        if (digit[d] >= count) return false;
    }
    return true;
}
/* The point of the configuration that a member of the object is. SIZE_MAX: it is none of this space. */
static size_t autotune__find_point(const autotune__json *json, int object, const char *member, autotune__space *space,
                                   const autotune__spellings *spellings) {
    const int config = autotune__member(json, object, member);
    size_t digit[AUTOTUNE_MAX_AXES] = { 0 }, d, index = 0;
    autotune__text text = { NULL, false };
    bool same;
    if (!autotune__read_digits(json, config, space, spellings, digit)) return SIZE_MAX;
    for (d = 0; d < space->dimension_count; d++) index = index * space->dimensions[d].count + digit[d];
    autotune__append_config(&text, space, index);               /* the names have to be the same, too */
    same = autotune__is_text(json, config, &text);
    autotune__free_text(&text);
    return same ? index : SIZE_MAX;
}

/* ---- src/store/lines.h ---------------------------------------------------------------------------------------------
   The cache on disk: its file, and all lines that this process knows from it or from autotune_load(). The file is read
   once, when the first winner is looked for; what other processes append meanwhile is read before a race. Whatever goes
   wrong with the file is said once, and tuning goes on without it. autotune__cache_lock guards all of this. What is to
   be said is said after the lock was released, for a log function may tune.

   This file: the lines that are known. A line that is torn or damaged is skipped, which is said once. */

typedef struct autotune__line {                 /* one sound record */
    autotune__head head;
    const char *text;                           /* of a line that was loaded; NULL: it is read from the file when it
                                                   is needed */
    size_t length, offset;                      /* without its line feed; where it stands in the file */
    size_t source;                              /* 0: the file on disk; else the number of the load */
    size_t older;                               /* the next line in the chain, + 1; 0: there is none */
    bool any_device;                            /* it answers on every device */
    bool dead;                                  /* a later record of the same source stands for it */
} autotune__line;
typedef struct autotune__loaded { char *text; size_t source; } autotune__loaded;        /* what autotune_load() read */

static autotune__mutex autotune__cache_lock = AUTOTUNE__MUTEX;
static struct autotune__disk {
    autotune__line *lines;
    autotune__loaded *texts;
    size_t *newest;                             /* a hash table of chains: the newest line of each, + 1 */
    size_t places;                              /* of the table; a power of two */
    size_t sources;                             /* loads so far */
    bool usable;                                /* the paths that follow are known */
    char *folder, *file, *new_file, *lock_file, *journals;
    /* what was read of the file */
    bool read;                                  /* the file was looked for, at least once */
    autotune__file_id id;
    size_t bytes, dead_bytes, line_count;
    char last[32];                              /* the last bytes that were read: a file that was rewritten may have
                                                   the number of an older one */
    bool open_end;                              /* the last line lacked its line feed */
    bool torn;                                  /* and is only a part of a record */
    /* the lock file, which is open as long as the process lives: to close it drops its locks */
    int lock;
    uint64_t lock_process;                      /* the process that opened it: in a child of fork() it is the parent's,
                                                   with the locks of the parent */
    autotune__file_id lock_id;
    uint64_t waits_since;                       /* for the lock for writing; 0: it was to be had the last time */
    autotune__text *unwritten;                  /* records for which that lock was not to be had: they are written with
                                                   the next one */
    /* what is said */
    bool said_unusable, said_unsound, said_unwritable, said_no_journal;
    autotune__text say;                         /* lines that are said once the lock is released */
    int cancellation;                           /* of the thread that has the lock, before it took the lock */
} autotune__disk;

static void autotune__enter_cache(void) {
    const int cancellation = autotune__hold_cancellation();
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__disk.cancellation = cancellation;
}
static void autotune__leave_cache(void) {
    autotune__text say = autotune__disk.say;
    const int cancellation = autotune__disk.cancellation;
    autotune__disk.say.at = NULL;
    autotune__disk.say.broken = false;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__complain_of_all(&say);
    autotune__set_cancellation(cancellation);
}
/* Waits a moment outside, where another thread may need the cache or fork. What was known of the cache may have changed
   meanwhile. */
static void autotune__step_out_of_cache(uint64_t ns) {
    const int cancellation = autotune__disk.cancellation;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__sleep_ns(ns);
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__disk.cancellation = cancellation;
}
static void autotune__free_unwritten(void) {
    size_t i;
    for (i = 0; i < autotune__count(autotune__disk.unwritten); i++)
        autotune__free_text(&autotune__disk.unwritten[i]);
    AUTOTUNE__FREE_ARRAY(autotune__disk.unwritten);
}
static __attribute__((__format__(__printf__, 2, 3))) void autotune__say_once(bool *said, const char *format, ...) {
    va_list list;
    if (*said) return;
    *said = true;
    va_start(list, format);
    autotune__append_list(&autotune__disk.say, format, list);
    va_end(list);
    autotune__append(&autotune__disk.say, "\n");
}
static void autotune__say_unusable(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_unusable,
                       "%s: %s: tuning goes on without the cache on disk; AUTOTUNE_CACHE_DIR names "
                       "another folder, AUTOTUNE_CACHE=off silences this",
                       path, why);
}
static void autotune__say_unwritable(const char *path, const char *why) {
    if (autotune__disk.said_unusable) return;
    autotune__say_once(&autotune__disk.said_unwritable,
                       "%s: %s: results of this run are not kept on disk; AUTOTUNE_CACHE_DIR names "
                       "another folder, AUTOTUNE_CACHE=readonly silences this",
                       path, why);
}

/* Lines are found by the hash of id and machine; those for any device by that of the id alone. All lines with one place
   in the table are a chain, from the newest on. */
static size_t *autotune__newest(uint64_t id, uint64_t machine) {
    const uint64_t hash = id ^ machine;
    return &autotune__disk.newest[(hash ^ hash >> 32) & (autotune__disk.places - 1)];
}
static uint64_t autotune__machine_of(const autotune__line *line) {
    return line->any_device ? 0 : line->head.identity.machine;
}
static void autotune__link(size_t first) {      /* puts lines into their chains from this one on; 0: all of them anew */
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    size_t i;
    if (first == 0 && cache->newest) memset(cache->newest, 0, cache->places * sizeof *cache->newest);
    for (i = first; i < count; i++) {
        size_t *newest = autotune__newest(cache->lines[i].head.identity.id, autotune__machine_of(&cache->lines[i]));
        if (cache->lines[i].dead) continue;
        cache->lines[i].older = *newest;
        *newest = i + 1;
    }
}
static bool autotune__widen(void) {             /* false: no memory */
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    size_t places = 64;
    size_t *newest;
    while (places < 2 * count) places *= 2;
    if (!(newest = (size_t *)autotune__allocate(places * sizeof *newest))) return false;
    autotune__free(cache->newest);
    cache->newest = newest;
    cache->places = places;
    return true;
}
/* A line makes older lines of its source, key and machine dead: those with its fingerprint, and in the file all but
   those of the eight programs that wrote last. So several builds of a program can take turns, and a program under work
   does not fill the disk; and however many statements of a program have one key, each is remembered. Of a loaded file,
   which somebody put together, all programs count. A line that is unfinished leaves one that is finished alone. Dead
   lines leave their chain, which stays short, however often a key is raced. */
enum { AUTOTUNE__PROGRAMS = 8 };
typedef struct autotune__latest { uint64_t hash[AUTOTUNE__PROGRAMS]; size_t count; } autotune__latest;
/* Is there room for it among them? */
static bool autotune__has_room(autotune__latest *programs, uint64_t hash) {
    size_t i;
    for (i = 0; i < programs->count; i++) if (programs->hash[i] == hash) return true;
    if (programs->count == AUTOTUNE__PROGRAMS) return false;
    programs->hash[programs->count++] = hash;
    return true;
}
static void autotune__supersede(autotune__line *line) {
    struct autotune__disk *cache = &autotune__disk;
    const autotune__identity *mine = &line->head.identity;
    autotune__latest programs = { { line->head.program }, 1 };
    size_t *at = &line->older;
    while (*at) {
        autotune__line *old = &cache->lines[*at - 1];
        const autotune__identity *its = &old->head.identity;
        const bool equal = its->fingerprint == mine->fingerprint,
                   alike = old->source == line->source && its->id == mine->id &&
                           autotune__machine_of(old) == autotune__machine_of(line);
        if (alike && !old->dead &&
            (equal ? !line->head.unfinished || old->head.unfinished
                   : old->source == 0 && !autotune__has_room(&programs, old->head.program))) {
            old->dead = true;
            if (old->source == 0) cache->dead_bytes += old->length + 1;
        }
        if (old->dead) *at = old->older;
        else at = &old->older;
    }
}
static bool autotune__add_line(const autotune__line *line) {        /* false: no memory */
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    const bool wider = count >= cache->places;
    if (!AUTOTUNE__PUSH(cache->lines, *line)) return false;
    if (wider && !autotune__widen()) { autotune__set_count(cache->lines, count); return false; }
    autotune__link(wider ? 0 : count);
    autotune__supersede(&cache->lines[count]);
    return true;
}

/* Reading lines. A line that ends with the control character CAN was torn, and said to be so, in an earlier run; or, in
   a journal, it was closed. */
#define AUTOTUNE__CANCEL '\x18'
typedef struct autotune__reading {
    size_t source;
    size_t offset;                              /* where the next line stands */
    size_t number;                              /* how many lines stand before the first that is read */
    bool any_device, keeps_text;                /* what becomes of the lines */
    bool open_end, torn, no_memory;
    size_t lines, sound, unsound;               /* how many were read; how many of them are sound, and are not */
    size_t first_unsound;                       /* the number of that line */
    const char *why;                            /* what is wrong with it */
} autotune__reading;
/* Of the line that was read last. */
static void autotune__note_unsound(autotune__reading *reading, const char *why) {
    if (reading->unsound++) return;
    reading->first_unsound = reading->number + reading->lines;
    reading->why = why;
}
static void autotune__read_line(autotune__reading *reading, const char *text, size_t length) {
    autotune__line line;
    reading->lines++;
    if (!length || text[length - 1] == AUTOTUNE__CANCEL) return;
    memset(&line, 0, sizeof line);
    switch (autotune__read_head(text, length, &line.head)) {
    case AUTOTUNE__NEWER: autotune__note_unsound(reading, "was written by a later version"); return;
    case AUTOTUNE__DAMAGED: autotune__note_unsound(reading, "is damaged or no record"); return;
    default: break;
    }
    line.text = reading->keeps_text ? text : NULL;
    line.length = length;
    line.offset = reading->offset;
    line.source = reading->source;
    line.any_device = reading->any_device;
    if (autotune__add_line(&line)) reading->sound++;
    else reading->no_memory = true;
}
/* All whole lines. Returns how many bytes they have. */
static size_t autotune__read_lines(autotune__reading *reading, const char *text, size_t bytes) {
    const char *at = text, *line;
    size_t length;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        autotune__read_line(reading, line, length);
        reading->offset += length + 1;
    }
    return (size_t)(at - text);
}
/* What stands behind the last line feed. final: nobody writes to the file now, so that a part of a line stays one. */
static void autotune__read_end(autotune__reading *reading, const char *text, size_t bytes, bool final) {
    autotune__head head;
    if (!bytes) return;
    if (autotune__read_head(text, bytes, &head) != AUTOTUNE__DAMAGED) autotune__read_line(reading, text, bytes);
    else if (!final) return;
    else {
        reading->lines++;
        autotune__note_unsound(reading, "was cut short");
        reading->torn = !memcmp(text, "{\"autotune\":", bytes < 12 ? bytes : 12);
    }
    reading->offset += bytes;
    reading->open_end = true;
}
static void autotune__read_text(autotune__reading *reading, const char *text, size_t bytes, bool final) {
    const size_t whole = autotune__read_lines(reading, text, bytes);
    autotune__read_end(reading, text + whole, bytes - whole, final);
}

/* ---- src/store/folder.h --------------------------------------------------------------------------------------------
   The cache's folder: where it is, and which files in it are safe to use. */

static bool autotune__is_ours(int file, const char **why) {         /* a regular file of the user's own */
    autotune__file_facts facts;
    *why = NULL;
    if (!autotune__facts_of_file(file, &facts)) *why = strerror(errno);
    else if (!facts.is_regular) *why = "is no regular file";
    else if (!facts.is_own) *why = "belongs to another user";
    return !*why;
}
/* Opens a file of the user's own. Links are not followed: who may write to the folder could lead elsewhere with them.
   -1: why says it; NULL: there is none. */
static int autotune__open_ours(const char *path, int how, const char **why) {
    const int file = autotune__open_file(path, how | AUTOTUNE__NO_LINK | AUTOTUNE__NO_WAIT);
    if (file < 0) *why = errno == ENOENT ? NULL : errno == ELOOP ? "is a link, which is not followed" : strerror(errno);
    else if (!autotune__is_ours(file, why)) { autotune__close_file(file); return -1; }
    return file;
}
/* The same for writing: the file is made if there is none, and so is its folder. -1: why says it. */
static int autotune__create_ours(const char *path, int how, char *folder, const char **why) {
    int file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why && autotune__make_folders(folder))
        file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why) *why = strerror(errno);
    return file;
}
static char *autotune__cache_folder(const char **why) {             /* the caller frees it; NULL: why says it */
    const char *said = getenv("AUTOTUNE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char here[4096], *folder;
    *why = "out of memory";
    if (said && *said == '/') folder = autotune__copy_string(said);
    else if (said && *said) folder = autotune__joined(autotune__current_folder(here, sizeof here), said);
    else if (xdg && *xdg == '/') folder = autotune__joined(xdg, "autotune");
    else if (home && *home == '/') folder = autotune__joined(home, ".cache/autotune");
    else { *why = "neither AUTOTUNE_CACHE_DIR, XDG_CACHE_HOME nor HOME says where it is"; return NULL; }
    return folder;
}
static void autotune__forget_paths(void) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__free(cache->folder);
    autotune__free(cache->file);
    autotune__free(cache->new_file);
    autotune__free(cache->lock_file);
    autotune__free(cache->journals);
    cache->folder = cache->file = cache->new_file = cache->lock_file = cache->journals = NULL;
    cache->usable = false;
}
/* The paths of the cache. Its folder is made when something is written. False: there is none, which was said. */
static bool autotune__find_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    if (cache->usable) return true;
    cache->lock = -1;
    if ((cache->folder = autotune__cache_folder(&why)) != NULL) {
        cache->file = autotune__joined(cache->folder, "results.jsonl");
        cache->new_file = autotune__joined(cache->folder, "results.jsonl.new");
        cache->lock_file = autotune__joined(cache->folder, "lock");
        cache->journals = autotune__joined(cache->folder, "journal");
        cache->usable = cache->file && cache->new_file && cache->lock_file && cache->journals;
        why = "out of memory";
    }
    if (cache->usable) return true;
    autotune__say_unusable("the cache on disk", why);
    autotune__forget_paths();                   /* there may be memory later */
    return false;
}

/* ---- src/store/lock.h ----------------------------------------------------------------------------------------------
   Locks among processes. */

/* Each lock is a byte of the file `lock`: byte 0 is the lock for writing to the cache's file, and each key on a device
   has one of the others. */

/* Is it open? Whoever closed it may have got its number for another file. */
static bool autotune__has_lock_open(void) { return autotune__has_open(autotune__disk.lock, autotune__disk.lock_id); }
/* Opens the lock file, once more if it was closed, removed or replaced since. create: else it has to be there, and may
   be there for reading only, to look at locks. */
static bool autotune__open_lock(bool create) {
    const int locks = AUTOTUNE__READ | AUTOTUNE__WRITE;
    struct autotune__disk *cache = &autotune__disk;
    autotune__file_facts facts;
    const char *why;
    if (autotune__has_lock_open()) {
        if (cache->lock_process == autotune__process_number() && autotune__facts_of_name(cache->lock_file, &facts) &&
            autotune__is_same_id(facts.id, cache->lock_id))
            return true;
        autotune__close_file(cache->lock);      /* the locks of a parent stay, since the parent has it open, too */
    }
    if (create) cache->lock = autotune__create_ours(cache->lock_file, locks, cache->folder, &why);
    else if ((cache->lock = autotune__open_ours(cache->lock_file, locks, &why)) < 0)
        cache->lock = autotune__open_ours(cache->lock_file, AUTOTUNE__READ, &why);
    if (cache->lock < 0 || !autotune__facts_of_file(cache->lock, &facts)) return false;
    cache->lock_id = facts.id;
    cache->lock_process = autotune__process_number();
    return true;
}
static uint64_t autotune__lock_byte(const autotune__identity *identity) {     /* of a tuner and key on a device */
    return 1 + ((identity->id ^ identity->machine) & 0x3FFFFFFF);
}
static void autotune__unlock(uint64_t byte) {
    if (autotune__disk.lock_process == autotune__process_number() && autotune__has_lock_open())
        autotune__unlock_at(autotune__disk.lock, byte);
}
/* Does another process have it locked, or another copy of this implementation? */
static bool autotune__is_locked(uint64_t byte) {
    return autotune__open_lock(false) && autotune__is_locked_at(autotune__disk.lock, byte);
}
/* In a child made by fork, with the lock of the cache. If the child kept the file open, it would keep the locks of its
   parent after the parent has ended. */
static void autotune__leave_locks_to_parent(void) {
    if (autotune__has_lock_open()) autotune__close_file(autotune__disk.lock);
    autotune__disk.lock = -1;
}
/* The lock for writing. It is held for a few milliseconds; a process that holds it for five seconds is stopped, and is
   waited for no more: the five seconds are for all writing together. Other threads may use the cache meanwhile. */
static autotune__locked autotune__lock_file(bool create) {
    const uint64_t patience = 5000000000u;
    autotune__locked locked;
    for (;;) {
        if (!autotune__find_cache()) return AUTOTUNE__BUSY;             /* out of memory, which was said */
        if (!autotune__open_lock(create)) return AUTOTUNE__NO_LOCKS;
        locked = autotune__lock_at(autotune__disk.lock, 0);
        if (locked == AUTOTUNE__HELD) autotune__disk.waits_since = 0;
        if (locked != AUTOTUNE__BUSY) return locked;
        if (!autotune__disk.waits_since) autotune__disk.waits_since = autotune__wait_clock();
        if (autotune__wait_clock() - autotune__disk.waits_since >= patience) return locked;
        autotune__step_out_of_cache(1000000);
    }
}
static void autotune__unlock_file(autotune__locked locked) { if (locked == AUTOTUNE__HELD) autotune__unlock(0); }

/* ---- src/store/file.h ----------------------------------------------------------------------------------------------
   The cache's file is read, read on, appended to, and rewritten. */

/* Reading the file: all of it, or what was appended since. */
static void autotune__drop_lines(bool (*drop)(const autotune__line *line)) {
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    size_t i, kept = 0;
    for (i = 0; i < count; i++) if (!drop(&cache->lines[i])) cache->lines[kept++] = cache->lines[i];
    autotune__set_count(cache->lines, kept);
    autotune__link(0);
}
static bool autotune__is_of_file(const autotune__line *line) { return line->source == 0; }
static bool autotune__is_unused(const autotune__line *line) { return line->source != 0 && line->dead; }
static void autotune__free_unused(void) {       /* texts that were loaded and of which no line is needed any more */
    struct autotune__disk *cache = &autotune__disk;
    size_t i, k, kept = 0;
    autotune__drop_lines(autotune__is_unused);
    for (i = 0; i < autotune__count(cache->texts); i++) {
        for (k = autotune__count(cache->lines);
             k > 0 && cache->lines[k - 1].source != cache->texts[i].source; k--) {}
        if (k > 0) cache->texts[kept++] = cache->texts[i];
        else autotune__free(cache->texts[i].text);
    }
    autotune__set_count(cache->texts, kept);
}
static void autotune__forget_file(void) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__drop_lines(autotune__is_of_file);
    cache->bytes = cache->dead_bytes = cache->line_count = 0;
    cache->open_end = cache->torn = false;
}
static void autotune__say_unsound(const autotune__reading *reading, const char *path) {
    if (reading->no_memory) autotune__say_unusable(path, "out of memory for its records");
    if (!reading->unsound) return;
    autotune__say_once(&autotune__disk.said_unsound,
                       "%s:%lu: this line %s and is skipped%s; delete it to silence this", path,
                       (unsigned long)reading->first_unsound, reading->why,
                       reading->unsound > 1 ? ", as others below it are" : "");
}
static void autotune__read_last(int file, char *last, size_t bytes) {      /* the last few of so many bytes */
    const size_t count = bytes < sizeof autotune__disk.last ? bytes : sizeof autotune__disk.last;
    size_t got;
    memset(last, 0, sizeof autotune__disk.last);
    if (!autotune__read_at(file, last, count, bytes - count, &got)) memset(last, 0, sizeof autotune__disk.last);
}
/* Is this the file that was read so far? It may have grown since. */
static bool autotune__is_same_file(int file, const autotune__file_facts *facts) {
    const struct autotune__disk *cache = &autotune__disk;
    char last[sizeof cache->last];
    if (!autotune__is_same_id(facts->id, cache->id) || facts->bytes < cache->bytes) return false;
    autotune__read_last(file, last, cache->bytes);
    return !memcmp(last, cache->last, sizeof last);
}
/* Reads what was not read yet. final: nobody writes to the file now. False: some of the file is not known; only a part
   of its last line may be missing if it is not final. */
static bool autotune__read_tail(int file, bool final) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__reading reading;
    autotune__file_facts facts;
    size_t got;
    char *tail;
    memset(&reading, 0, sizeof reading);
    if (!autotune__facts_of_file(file, &facts)) return false;
    if (!autotune__is_same_file(file, &facts)) {
        autotune__forget_file();
        cache->id = facts.id;
    }
    if (facts.bytes == cache->bytes) return true;
    reading.offset = cache->bytes;
    reading.number = cache->line_count - cache->open_end;           /* of a line without its line feed the rest comes
                                                                       first: nothing */
    tail = autotune__read_part(file, cache->bytes, facts.bytes - cache->bytes, &got);
    if (tail) autotune__read_text(&reading, tail, got, final);
    else autotune__say_unusable(cache->file, strerror(errno));
    autotune__free(tail);
    if (reading.offset == cache->bytes) return false;
    cache->bytes = reading.offset;
    cache->line_count = reading.number + reading.lines;
    cache->open_end = reading.open_end;
    cache->torn = reading.torn;
    autotune__read_last(file, cache->last, cache->bytes);
    autotune__say_unsound(&reading, cache->file);
    return cache->bytes == facts.bytes && !reading.no_memory;
}
/* Reads what the file has now. Nothing is made: the folder may be there for reading only. */
static void autotune__refresh(void) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    autotune__file_facts facts;
    int file;
    cache->read = true;
    if (!autotune__find_cache()) return;
    file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why);
    if (file < 0) {
        if (why) autotune__say_unusable(cache->file, why);
        autotune__forget_file();
        return;
    }
    (void)autotune__read_tail(file, false);
    /* Where a part of a line is left, somebody writes it now, or was stopped while writing it. */
    if (autotune__facts_of_file(file, &facts) && facts.bytes > cache->bytes) {
        const autotune__locked locked = autotune__lock_file(false);
        if (locked != AUTOTUNE__BUSY) (void)autotune__read_tail(file, true);
        autotune__unlock_file(locked);
    }
    autotune__close_file(file);
}

/* The text of a line. False: it is not there any more, since the file was replaced, or there is no memory. */
static bool autotune__fetch(const autotune__line *line, autotune__text *text) {
    const char *why;
    char *read = NULL;
    size_t got = 0;
    autotune__head head;
    autotune__clear_text(text);
    if (line->text) autotune__append(text, "%.*s", (int)line->length, line->text);
    else {
        const int file = autotune__open_ours(autotune__disk.file, AUTOTUNE__READ, &why);
        if (file >= 0) read = autotune__read_part(file, line->offset, line->length, &got);
        if (read) autotune__append(text, "%.*s", (int)got, read);
        autotune__free(read);
        autotune__close_file(file);
    }
    return text->at && !text->broken &&
           autotune__read_head(text->at, autotune__count(text->at), &head) == AUTOTUNE__SOUND &&
           !memcmp(&head.identity, &line->head.identity, sizeof head.identity);
}

/* Rewriting. With the lock of the file; so the new file may have a name that is known, and takes the place of what a
   process left there that was stopped. */
static bool autotune__write_new_file(const char *text, size_t bytes) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    int file;
    autotune__remove_file(cache->new_file);
    file = autotune__open_ours(cache->new_file, AUTOTUNE__WRITE | AUTOTUNE__NEW, &why);
    if (file < 0 || !autotune__fill_and_rename(file, cache->new_file, cache->file, text, bytes, true, &why)) {
        autotune__say_unwritable(cache->new_file, why ? why : strerror(errno));
        return false;
    }
    autotune__flush_folder(cache->folder);      /* the entry in the folder is to last, too */
    return true;
}
/* Where the last lines begin that have at most so many bytes together. The last line of all is one of them, however
   long it is. */
static size_t autotune__start_of_last(const char *text, size_t bytes, size_t most) {
    const char *feed = most < bytes ? (const char *)memchr(text + bytes - most - 1, '\n', most) : NULL;
    size_t start = bytes;
    if (most >= bytes) return 0;
    if (feed) return (size_t)(feed + 1 - text);
    while (start > 0 && (start == bytes || text[start - 1] != '\n')) start--;
    return start;
}
/* Rewrites the file, all of which was read, without the lines that are dead, and without the oldest ones if the rest
   has more than `most` bytes. A line that cannot be read stays as long as other lines of its age. False: the file is as
   it was. */
static bool autotune__rewrite(int file, size_t most) {
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    size_t got, i, start, at = 0, kept = 0;
    bool written;
    char *text = autotune__read_part(file, 0, cache->bytes, &got);
    if (!text || got != cache->bytes) { autotune__free(text); return false; }
    for (i = 0; i < count; i++) {
        const autotune__line *line = &cache->lines[i];
        if (line->source != 0 || !line->dead) continue;
        memmove(text + kept, text + at, line->offset - at);
        kept += line->offset - at;
        at = line->offset + line->length + 1;
    }
    if (at < got) { memmove(text + kept, text + at, got - at); kept += got - at; }
    start = autotune__start_of_last(text, kept, most);
    written = autotune__write_new_file(text + start, kept - start);
    autotune__free(text);
    return written;
}
/* A file that has more bytes than it may have is rewritten to three quarters of them, so that some time passes before
   the next time. A file of which more than half is dead is rewritten, too, if it is not small. */
static void autotune__compact(int file) {
    const double room = autotune__environment.cache_mib * 1048576;
    const size_t least = 64 << 10, bytes = autotune__disk.bytes;
    if ((double)bytes > room) autotune__rewrite(file, (size_t)(0.75 * room));
    else if (bytes >= least && 2 * autotune__disk.dead_bytes > bytes) autotune__rewrite(file, SIZE_MAX);
}
/* Appends a line, and those that could not be written before, in one write, so that no line of another process comes
   between. If the last line of the file has no end, it gets one first. What was written in part is taken back, unless
   another process may have appended since. */
static bool autotune__append_bytes(int file, const char *line, size_t bytes, bool locked) {
    const char *const end = autotune__disk.torn ? "\x18\n" : autotune__disk.open_end ? "\n" : "";
    autotune__text text = { NULL, false };
    autotune__file_facts facts;
    bool written = false;
    size_t i;
    autotune__append(&text, "%s", end);
    for (i = 0; i < autotune__count(autotune__disk.unwritten); i++)
        autotune__append(&text, "%s", autotune__disk.unwritten[i].at);
    autotune__append(&text, "%.*s", (int)bytes, line);
    if (text.broken) errno = ENOMEM;
    else if (autotune__facts_of_file(file, &facts) && autotune__fits(facts.bytes, autotune__count(text.at))) {
        written = autotune__write_all(file, text.at, autotune__count(text.at));
        if (!written) {
            const int error = errno;
            if (locked) (void)autotune__cut_file(file, facts.bytes);
            errno = error;
        }
    }
    if (written) autotune__free_unwritten();
    autotune__free_text(&text);
    return written;
}
static bool autotune__append_line(const char *line, size_t bytes) {        /* false: why was said */
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    autotune__locked locked;
    bool written = false;
    int file;
    if (!autotune__find_cache()) return false;
    locked = autotune__lock_file(true);
    if (locked == AUTOTUNE__BUSY) {
        autotune__say_unwritable(cache->lock_file, "another process keeps it locked");
        return false;
    }
    file = autotune__create_ours(cache->file, AUTOTUNE__READ | AUTOTUNE__WRITE | AUTOTUNE__APPEND, cache->folder, &why);
    if (file < 0) autotune__say_unwritable(cache->file, why);
    else {
        (void)autotune__read_tail(file, locked == AUTOTUNE__HELD);
        written = autotune__append_bytes(file, line, bytes, locked == AUTOTUNE__HELD);
        if (!written) autotune__say_unwritable(cache->file, strerror(errno));
        if (autotune__read_tail(file, locked == AUTOTUNE__HELD) && locked == AUTOTUNE__HELD) autotune__compact(file);
        autotune__close_file(file);
    }
    autotune__unlock_file(locked);
    return written;
}

/* ---- src/store/suspects.h ------------------------------------------------------------------------------------------
   Suspects: configurations whose first launch did not come back in earlier runs, as the journal tells. A suspect is
   tried last, or skipped.

   A configuration may end the whole program, by a signal or by exit(); it may hang, or break the device. So a line is
   written before its first launch, and closed after it. If the next run finds the line open, the configuration is a
   suspect there.

   An open line is no proof, since most programs that end in the middle of a race were stopped from outside. So exit(),
   or the end of main, closes the lines of all races except the one whose launch called exit(); and a suspect that comes
   back is acquitted at once. A suspect is skipped when the program ended in its launch in several runs in a row, and
   chance does not explain that. A program that is stopped at a random moment is stopped in a launch as often as that
   launch has a share of the time. If n others came back in the same race before, and the suspect could win, so that it
   takes no longer than any of them, its share is at most 1 / (n + 1). The shares of all these runs are multiplied, and
   chance is out when the product is 5 % or less: after two runs if many others were tried before, after three or four
   if few were, and after four runs in any case. If a run saw that the configuration called exit() or broke the device,
   its share there is 0. So whoever stops programs at random may put a long launch off, and hardly ever the best one.

   What breaks the device ends the tuning of the whole process. So a suspect in whose launch the device was lost is
   skipped if others work; and if the backend knows that the launch itself was at fault, by an illegal address for
   instance, that is proof at once.

   The file of the journal is that of one key of one tuner on one device. It is there only while the key is raced, or
   has something to tell. It belongs to the process that holds the lock of the key, so that an open line is never that
   of a process that lives.

   This file: reading the lines, and judging. */

enum { AUTOTUNE__JOURNAL_BYTES = 32 << 10 };    /* of a file, at most; the oldest lines are forgotten */

/* Moves the sound lines of a text, those of later versions, too, to its beginning. Returns how many bytes they have. */
static size_t autotune__keep_open_lines(char *text, size_t bytes) {
    const char *at = text, *line;
    autotune__head head;
    size_t length, kept = 0;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        if (!length || autotune__read_head(line, length, &head) == AUTOTUNE__DAMAGED) continue;
        memmove(text + kept, line, length + 1);
        kept += length + 1;
    }
    return kept;
}
/* The open lines of a file, or of its end: the first `kept` bytes of what is returned. bytes: how long the file is.
   NULL: it cannot be read. */
static char *autotune__read_journal(int file, size_t *bytes, size_t *kept) {
    autotune__file_facts facts;
    size_t from;
    char *text;
    if (!autotune__facts_of_file(file, &facts)) return NULL;
    from = facts.bytes > AUTOTUNE__JOURNAL_BYTES ? facts.bytes - AUTOTUNE__JOURNAL_BYTES : 0;
    if (!(text = autotune__read_part(file, from, AUTOTUNE__JOURNAL_BYTES, bytes))) return NULL;
    *kept = autotune__keep_open_lines(text, *bytes);
    *bytes = facts.bytes;
    return text;
}
/* Leaves the last line out if another process holds the lock of the key, since the line may be its own. With the lock
   of the cache. */
static void autotune__leave_out_own(const autotune__identity *identity, const char *text, size_t *kept) {
    if (!*kept || !autotune__is_locked(autotune__lock_byte(identity))) return;
    for (--*kept; *kept && text[*kept - 1] != '\n';) --*kept;
}
static void autotune__read_crash(autotune__store *store, const autotune__head *head, size_t start, size_t length) {
    autotune__space *space = &store->subject->space;
    autotune__spellings spellings;
    autotune__crash crash;
    autotune__json json;
    if (!autotune__parse(&json, store->crashes.text + start, length)) return;
    memset(&spellings, 0, sizeof spellings);
    if (autotune__speaks_of(&json, store->subject, false) && autotune__same_kernel(&json, head, store) &&
        autotune__spell_space(space, &spellings)) {
        crash.index = autotune__find_point(&json, 0, "config", space, &spellings);
        crash.start = start;
        crash.length = length;
        crash.returned = autotune__count_in(&json, 0, "returned");
        crash.proven = autotune__member(&json, 0, "fault") >= 0;
        crash.at_fault = autotune__spells(&json, autotune__member(&json, 0, "fault"), "launch");
        crash.lost_device = crash.at_fault || autotune__spells(&json, autotune__member(&json, 0, "fault"), "device");
        crash.same_program = autotune__same_string(&json, 0, "program", *store->program ? store->program : NULL);
        if (crash.index != SIZE_MAX) (void)AUTOTUNE__PUSH(store->crashes.all, crash);
    }
    autotune__free_spellings(&spellings);
    autotune__free_json(&json);
}
static void autotune__read_crashes(autotune__store *store, size_t bytes) {
    const char *const text = store->crashes.text, *at = text, *line;
    autotune__head head;
    size_t length;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        store->crashes.lines++;
        if (autotune__read_head(line, length, &head) == AUTOTUNE__SOUND &&
            head.identity.id == store->identity.id && head.identity.machine == store->identity.machine)
            autotune__read_crash(store, &head, (size_t)(line - text), length);
    }
}
static void autotune__free_crashes(autotune__crashes *crashes) {
    AUTOTUNE__FREE_ARRAY(crashes->all);
    AUTOTUNE__FREE_ARRAY(crashes->points);
    autotune__free(crashes->text);
    memset(crashes, 0, sizeof *crashes);
}
/* The points of all crashes, each once. Where memory ends some are missing, and are tried at their turn. */
static void autotune__list_suspects(autotune__crashes *crashes) {
    const size_t count = autotune__count(crashes->all);
    size_t i, kept = 0, *points;
    if (!count || !AUTOTUNE__ROOM(crashes->points, count)) return;
    points = crashes->points;
    for (i = 0; i < count; i++) points[i] = crashes->all[i].index;
    qsort(points, count, sizeof *points, autotune__order_sizes);
    for (i = 0; i < count; i++) if (!i || points[i] != points[kept - 1]) points[kept++] = points[i];
    autotune__set_count(points, kept);
}
/* Had the kernels that this run launched so far the same sources when that run ended? */
static bool autotune__blames_kernels(const autotune__store *store, const autotune__crash *crash) {
    autotune__json json;
    bool same = true;
    size_t i;
    if (!store->kernels || !autotune__parse(&json, store->crashes.text + crash->start, crash->length)) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        same = same && autotune__had_kernel(&json, &store->kernels[i], false);
    autotune__free_json(&json);
    return same;
}
/* What earlier runs say of this point, as told at the beginning of this file. A program that was rebuilt gives the
   point another chance. */
static autotune__suspicion autotune__suspicion_of(const autotune__store *store, size_t index) {
    const autotune__crash *crash = store->crashes.all;
    const double chance_is_out = 0.05;
    const size_t enough = 4;
    autotune__suspicion suspicion = AUTOTUNE__UNSUSPECTED;
    size_t i, proofs = 0, ends = 0;             /* in a row */
    double chance = 1;
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++) {
        if (crash->index == SIZE_MAX) continue;
        if (crash->index != index) {
            if (!crash->proven) { ends = proofs; chance = proofs ? 0 : 1; }
            continue;
        }
        if (!autotune__blames_kernels(store, crash)) continue;
        if (suspicion == AUTOTUNE__UNSUSPECTED) suspicion = AUTOTUNE__TO_BE_LAST;
        if (!crash->same_program) continue;
        if (crash->at_fault) return AUTOTUNE__CONVICTED;
        if (crash->lost_device) suspicion = AUTOTUNE__TO_BE_SPARED;
        ends++;
        proofs += crash->proven;
        chance = crash->proven ? 0 : chance / (double)(crash->returned + 1);
        if (ends >= enough || (ends >= 2 && chance <= chance_is_out)) suspicion = AUTOTUNE__TO_BE_SKIPPED;
    }
    return suspicion;
}
/* Visits all journals, with their open lines. With the lock of the cache. */
typedef void autotune__visit_journal(const char *path, const autotune__line *lines, size_t count, void *user);
static void autotune__show_journal(const char *path, autotune__visit_journal *visit, void *user) {
    size_t bytes, length, kept = 0;
    autotune__line line, *lines = NULL;
    const char *why, *at;
    const int file = autotune__open_ours(path, AUTOTUNE__READ, &why);
    char *text = file >= 0 ? autotune__read_journal(file, &bytes, &kept) : NULL;
    memset(&line, 0, sizeof line);
    at = text;
    if (kept && autotune__next_line(&at, text + kept, &length) &&
        autotune__read_head(text, length, &line.head) == AUTOTUNE__SOUND)
        autotune__leave_out_own(&line.head.identity, text, &kept);
    for (at = text; kept && (line.text = autotune__next_line(&at, text + kept, &line.length)) != NULL;)
        if (autotune__read_head(line.text, line.length, &line.head) == AUTOTUNE__SOUND && !AUTOTUNE__PUSH(lines, line))
            break;
    if (lines) visit(path, lines, autotune__count(lines), user);
    AUTOTUNE__FREE_ARRAY(lines);
    autotune__free(text);
    autotune__close_file(file);
}
typedef struct autotune__journal_visitor { autotune__visit_journal *visit; void *user; } autotune__journal_visitor;
static void autotune__show_named_journal(const char *name, void *user) {
    const autotune__journal_visitor *visitor = (const autotune__journal_visitor *)user;
    char *path = autotune__joined(autotune__disk.journals, name);
    if (path) autotune__show_journal(path, visitor->visit, visitor->user);
    autotune__free(path);
}
static void autotune__walk_journals(autotune__visit_journal *visit, void *user) {
    autotune__journal_visitor visitor;
    visitor.visit = visit;
    visitor.user = user;
    autotune__walk_folder(autotune__disk.journals, autotune__show_named_journal, &visitor);
}

/* ---- src/store/journal.h -------------------------------------------------------------------------------------------
   The journal: a line that stands open in a file while a configuration is launched for the first time. suspects.h tells
   what the next run makes of it. */

typedef struct autotune__journal {
    autotune__store *store;
    struct autotune__journal *next;             /* the journal that was opened before this one */
    autotune__thread thread;                           /* which races */
    char *path;
    int file;                                   /* -1: it is not there, or not yet */
    autotune__file_id id;                       /* of the file. A body may close it, and another file get its number */
    bool writes;                                /* what happens is written */
    bool open;                                  /* the line of this run stands open */
    autotune__text line;                        /* of this run */
    size_t head;                                /* so many of its bytes are the same for all configurations */
    size_t offset, line_end;                    /* where it stands in the file, and its last character */
    size_t blamed;                              /* the point that it names */
    size_t returned;                            /* how many first launches came back in this run */
} autotune__journal;

/* The journals of all races of this process, the latest one first: of the races of one thread that is the innermost.
   Any thread may call exit(), so the lock guards what a journal says of its own line, too. A thread that needs the lock
   of the cache as well takes that lock first. */
static autotune__mutex autotune__journals_lock = AUTOTUNE__MUTEX;
static autotune__journal *autotune__journals;
static bool autotune__program_ends;             /* exit() was called: threads that still race write no more lines */

static void autotune__watch_for_exit(void);
static void autotune__list_journal(autotune__journal *journal) {
    autotune__lock_mutex(&autotune__journals_lock);
    autotune__watch_for_exit();
    journal->next = autotune__journals;
    autotune__journals = journal;
    autotune__unlock_mutex(&autotune__journals_lock);
}
static void autotune__unlist_journal(const autotune__journal *journal) {
    autotune__journal **at = &autotune__journals;
    autotune__lock_mutex(&autotune__journals_lock);
    while (*at != journal) at = &(*at)->next;
    *at = journal->next;
    autotune__unlock_mutex(&autotune__journals_lock);
}

/* Writing. If that fails, it is said once, and the race goes on without a journal. */
static void autotune__say_no_journal(const char *path, const char *why) {
    autotune__enter_cache();
    autotune__say_once(&autotune__disk.said_no_journal,
                       "%s: %s: a configuration that ends this program will not be known to the next "
                       "run; AUTOTUNE_CACHE=readonly silences this",
                       path, why ? why : "cannot be written");
    autotune__leave_cache();
}
static void autotune__give_up_journal(autotune__journal *journal, const char *why) {
    journal->writes = false;
    autotune__say_no_journal(journal->path, why);
}
static void autotune__take_journal_file(autotune__journal *journal, int file) {
    autotune__file_facts facts;
    journal->file = file;
    if (file >= 0 && autotune__facts_of_file(file, &facts)) journal->id = facts.id;
}
static bool autotune__is_journal_file(const autotune__journal *journal) {
    return autotune__has_open(journal->file, journal->id);
}
static bool autotune__write_journal(autotune__journal *journal, const char *text, size_t bytes, size_t offset) {
    if (!autotune__is_journal_file(journal)) { errno = EBADF; return false; }
    return autotune__fits(offset, bytes) && autotune__write_at(journal->file, text, bytes, offset);
}
static int autotune__create_journal(const autotune__journal *journal, const char **why) {
    int file;
    autotune__enter_cache();
    file = autotune__create_ours(journal->path, AUTOTUNE__READ | AUTOTUNE__WRITE, autotune__disk.journals, why);
    autotune__leave_cache();
    return file;
}
static bool autotune__close_line(autotune__journal *journal, size_t end) {
    const char cancel = AUTOTUNE__CANCEL;
    return autotune__write_journal(journal, &cancel, 1, end);
}
/* With the lock of the journals. False: it could not be. */
static bool autotune__close_own_line(autotune__journal *journal) {
    if (journal->open) journal->open = !autotune__close_line(journal, journal->line_end);
    return !journal->open;
}
static void autotune__close_crash(autotune__journal *journal, autotune__crash *crash) {
    if (journal->writes && autotune__close_line(journal, crash->start + crash->length - 1))
        journal->store->crashes.lines--;
    crash->index = SIZE_MAX;
}

/* The race begins: what the lines of all its configurations have in common, up to the configuration. */
static void autotune__begin_line(autotune__journal *journal) {
    autotune__text *line = &journal->line;
    autotune__append_head(line, journal->store, false);
    autotune__append_build(line, journal->store);
    autotune__append(line, ",\"config\":");
    journal->head = line->broken ? 0 : autotune__count(line->at);
}
/* NULL: no cache, or no memory */
static autotune__journal *autotune__new_journal(autotune__store *store) {
    autotune__journal *journal = (autotune__journal *)autotune__allocate(sizeof *journal);
    char name[48];
    if (!journal) return NULL;
    snprintf(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)store->identity.id,
             (unsigned long long)store->identity.machine);
    autotune__enter_cache();
    if (autotune__find_cache()) journal->path = autotune__joined(autotune__disk.journals, name);
    autotune__leave_cache();
    journal->store = store;
    journal->thread = autotune__this_thread();
    journal->file = -1;
    if (journal->path) return journal;
    autotune__free(journal);
    return NULL;
}
/* Without the lock of the key nothing is written: the policy is to read only, or the file system has no locks. The last
   line is left out if another process has the lock, since it may be the line of that process. */
static void autotune__open_journal(autotune__store *store) {
    const bool writes = store->policy == AUTOTUNE_CACHE_ON && store->locked;
    autotune__journal *journal;
    size_t bytes = 0, kept = 0;
    char *text = NULL;
    const char *why;
    if (store->policy == AUTOTUNE_CACHE_OFF) return;
    if (!(journal = autotune__new_journal(store))) {
        if (writes) autotune__say_no_journal("the journal", "out of memory");
        return;
    }
    store->journal = journal;
    autotune__list_journal(journal);
    autotune__take_journal_file(
        journal, autotune__open_ours(journal->path, AUTOTUNE__READ | (writes ? AUTOTUNE__WRITE : 0), &why));
    journal->writes = writes;
    if (journal->file >= 0 && !(text = autotune__read_journal(journal->file, &bytes, &kept)) && writes)
        autotune__give_up_journal(journal, "cannot be read");
    if (text && !writes) {
        autotune__enter_cache();
        autotune__leave_out_own(&store->identity, text, &kept);
        autotune__leave_cache();
    }
    if (text && kept < bytes && writes &&
        (!autotune__write_journal(journal, text, kept, 0) || !autotune__cut_file(journal->file, kept)))
        autotune__give_up_journal(journal, strerror(errno));
    store->crashes.text = text;
    if (text) autotune__read_crashes(store, kept);
    autotune__list_suspects(&store->crashes);
    journal->offset = kept;
    if (writes) autotune__begin_line(journal);
    if (journal->writes && !journal->head) autotune__give_up_journal(journal, "out of memory");
}
/* Did the configuration come back from every launch of this race? */
static bool autotune__came_back(const autotune__journal *journal, const autotune__race *race, size_t index) {
    size_t i;
    for (i = 0; race && i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index && race->rows[i].launches) return !(journal->open && journal->blamed == index);
    return false;
}
/* The race ends. Lines of earlier runs are closed if their configurations came back this time. The file stays only if
   it has something to tell. */
static void autotune__close_journal(autotune__store *store, const autotune__race *race) {
    autotune__journal *journal = store->journal;
    autotune__crashes *crashes = &store->crashes;
    size_t i;
    if (!journal) return;
    for (i = 0; journal->writes && i < autotune__count(crashes->all); i++)
        if (autotune__came_back(journal, race, crashes->all[i].index))
            autotune__close_crash(journal, &crashes->all[i]);
    if (journal->writes && journal->file >= 0 && !journal->open && !crashes->lines)
        autotune__remove_file(journal->path);
    autotune__unlist_journal(journal);
    store->journal = NULL;
    if (autotune__is_journal_file(journal)) autotune__close_file(journal->file);
    autotune__free_text(&journal->line);
    autotune__free(journal->path);
    autotune__free(journal);
    autotune__free_crashes(crashes);
}

/* The line of a configuration. False: there is no memory, or the line is too long. */
static bool autotune__append_blame(autotune__journal *journal, size_t index, const char *fault) {
    autotune__text *line = &journal->line;
    autotune__set_count(line->at, journal->head);
    autotune__append_config(line, &journal->store->subject->space, index);
    autotune__append_kernels(line, journal->store->kernels);
    autotune__append(line, ",\"returned\":%lu", (unsigned long)journal->returned);
    if (fault) autotune__append(line, ",\"fault\":\"%s\"", fault);
    autotune__append_crc(line);
    if (!line->broken && autotune__count(line->at) <= AUTOTUNE__JOURNAL_BYTES / 2) return true;
    if (line->broken) autotune__say_no_journal(journal->path, "out of memory");
    line->broken = false;
    return false;
}
/* Writes it. Behind it may stand the rest of a longer line, which no reader takes for a line. False: it could not be
   written. */
static bool autotune__open_line(autotune__journal *journal, size_t index) {
    const size_t bytes = autotune__count(journal->line.at);
    bool written;
    autotune__lock_mutex(&autotune__journals_lock);
    written = autotune__program_ends || autotune__write_journal(journal, journal->line.at, bytes, journal->offset);
    journal->line_end = journal->offset + bytes - 2;
    journal->blamed = index;
    journal->open = written && !autotune__program_ends;
    autotune__unlock_mutex(&autotune__journals_lock);
    return written;
}
/* A configuration is about to be launched for the first time, and fault is NULL; or the launch was seen to be faulty,
   and fault is a word for how: "exit", "device" or "launch". */
static void autotune__blame(autotune__store *store, size_t index, const char *fault) {
    autotune__journal *journal = store->journal;
    const char *why = NULL;
    if (!journal || !journal->writes || !journal->head || (journal->open && !fault) ||
        !autotune__append_blame(journal, index, fault))
        return;
    if (journal->file < 0) autotune__take_journal_file(journal, autotune__create_journal(journal, &why));
    if (journal->file < 0) autotune__give_up_journal(journal, why);
    else if (!autotune__open_line(journal, index)) autotune__give_up_journal(journal, strerror(errno));
}
/* The configuration came back from its first launch, and is no suspect any more. If an earlier run saw a fault of it,
   it has to come back from all launches of the race. */
static void autotune__acquit(autotune__store *store, size_t index) {
    autotune__journal *journal = store->journal;
    autotune__crash *crash = store->crashes.all;
    bool closed;
    size_t i;
    if (!journal) return;
    journal->returned++;
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++)
        if (crash->index == index && !crash->proven) autotune__close_crash(journal, crash);
    autotune__lock_mutex(&autotune__journals_lock);
    closed = autotune__close_own_line(journal);
    autotune__unlock_mutex(&autotune__journals_lock);
    if (!closed) autotune__say_no_journal(journal->path, strerror(errno));
}
/* The thread ended in the launch, which tells nothing of the configuration. */
static void autotune__withdraw(autotune__store *store) {
    if (!store->journal) return;
    autotune__lock_mutex(&autotune__journals_lock);
    (void)autotune__close_own_line(store->journal);
    autotune__unlock_mutex(&autotune__journals_lock);
}

/* The program ends. exit() runs in the thread that called it. If that thread is inside first launches, the innermost
   one is to blame; only this thread could take its journal from the list meanwhile. If a signal's handler called exit()
   while its thread had the lock, the lines stay open. */
static bool autotune__lock_journals_to_exit(void) { return autotune__lock_within(&autotune__journals_lock, 1000); }
static void autotune__close_open_lines(void) {
    autotune__journal *to_blame, *journal;
    if (!autotune__lock_journals_to_exit()) return;
    for (to_blame = autotune__journals; to_blame; to_blame = to_blame->next)
        if (to_blame->open && autotune__is_same_thread(to_blame->thread, autotune__this_thread())) break;
    autotune__unlock_mutex(&autotune__journals_lock);
    if (to_blame) autotune__blame(to_blame->store, to_blame->blamed, "exit");
    if (!autotune__lock_journals_to_exit()) return;
    autotune__program_ends = true;
    for (journal = autotune__journals; journal; journal = journal->next)
        if (journal != to_blame) (void)autotune__close_own_line(journal);
    autotune__unlock_mutex(&autotune__journals_lock);
}
/* With the lock of the journals, which a fork waits for: a child that forked in the middle of atexit() would find the C
   library's lock held. */
static void autotune__watch_for_exit(void) {
    static bool watched;
    if (!watched) watched = atexit(autotune__close_open_lines) == 0;
}

/* Around a fork the locks of the store are held, so that what they guard is whole in the child, too. */
static void autotune__hold_store(void) {
    autotune__enter_cache();
    autotune__lock_mutex(&autotune__journals_lock);
}
static void autotune__release_store(void) {
    autotune__unlock_mutex(&autotune__journals_lock);
    autotune__leave_cache();
}
/* In the child, while the locks are held: locks of files, and open lines, are those of the parent. store: of the
   innermost statement of the thread that forked, which is the only thread here; NULL: there is no statement. */
static void autotune__disown(autotune__store *store) {
    autotune__journal **at = &autotune__journals;
    autotune__leave_locks_to_parent();
    autotune__free_unwritten();                 /* so are the records that it has to write */
    for (; store; store = store->outer) {
        store->locked = false;
        if (!store->journal) continue;
        store->journal->writes = store->journal->open = false;
        *at = store->journal;
        at = &store->journal->next;
    }
    *at = NULL;
}

/* ---- src/store/recall.h --------------------------------------------------------------------------------------------
   The winner that the cache on disk knows for a statement's key. */

/* The statement's tuner and key are known now: by which numbers and words does the file know them? exact_key: the key
   as text, with the types of its parts. */
static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) {
    const autotune__subject *subject = store->subject;
    autotune__identity *identity = &store->identity;
    const uint32_t looked_up = 1u << 31;        /* a call site that is new may be in a library that replaces another */
    const char *program;
    autotune__text name = { NULL, false };
    autotune__append_string(&name, subject->name);
    identity->id = autotune__hash_more(autotune__hash_string(subject->name), exact_key, strlen(exact_key));
    identity->fingerprint = subject->tuner->fingerprint;
    identity->machine = autotune__hash_string(autotune__device_words(subject->backend));
    identity->tuner = name.broken ? 0 : autotune__hash_more(0, name.at, autotune__count(name.at));
    autotune__free_text(&name);
    autotune__enter_cache();
    program = autotune__program_of(
        subject->code, !(__atomic_fetch_or(&subject->site->said, looked_up, __ATOMIC_RELAXED) & looked_up));
    snprintf(store->program, sizeof store->program, "%s", program ? program : "");
    autotune__leave_cache();
}

/* Is `a` newer than `b`, which stands behind it in the chain? Of one source the later line is; else the date tells. */
static bool autotune__is_newer(const autotune__line *a, const autotune__line *b) {
    return a->source == b->source || memcmp(a->head.date, b->head.date, AUTOTUNE__DATE_BYTES) >= 0;
}
/* Which of the lines with the statement's tuner, key and machine may count for it? */
typedef bool autotune__line_counts(const autotune__store *store, const autotune__line *line);
static bool autotune__has_texts(const autotune__store *store, const autotune__line *line) {     /* those of before */
    return line->head.identity.fingerprint == store->identity.fingerprint;
}
static bool autotune__may_answer(const autotune__store *store, const autotune__line *line) {
    return autotune__has_texts(store, line) && !line->head.unfinished;
}
/* The newest line that counts for the statement, of those for this machine; 0: of those for any. */
static const autotune__line *autotune__better_line(const autotune__store *store, autotune__line_counts *counts,
                                                   uint64_t machine, const autotune__line *best) {
    const struct autotune__disk *cache = &autotune__disk;
    const autotune__identity *mine = &store->identity;
    size_t at;
    for (at = cache->places ? *autotune__newest(mine->id, machine) : 0; at; at = cache->lines[at - 1].older) {
        const autotune__line *line = &cache->lines[at - 1];
        const autotune__identity *its = &line->head.identity;
        if (line->dead || its->id != mine->id || (its->machine != mine->machine && !line->any_device)) continue;
        if (line->source == 0 && store->policy == AUTOTUNE_CACHE_OFF) continue;
        if ((!best || !autotune__is_newer(best, line)) && counts(store, line)) best = line;
    }
    return best;
}
static const autotune__line *autotune__line_of(const autotune__store *store, autotune__line_counts *counts) {
    return autotune__better_line(store, counts, 0,
                                 autotune__better_line(store, counts, store->identity.machine, NULL));
}
static bool autotune__may_tune(const autotune__subject *subject) {
    return subject->mode == AUTOTUNE_ON || subject->mode == AUTOTUNE_FORCE;
}

/* Was the program built anew since? That counts only where a race may run and what it finds is kept. */
static bool autotune__was_rebuilt(const autotune__json *json, const autotune__line *line,
                                  const autotune__store *store) {
    return line->source == 0 && store->policy == AUTOTUNE_CACHE_ON && autotune__may_tune(store->subject) &&
           *store->program && !autotune__same_string(json, 0, "program", store->program);
}
/* times: the object that has its times. */
static void autotune__add_candidate(autotune__recalled *recalled, size_t index, const autotune__json *json, int times) {
    autotune__candidate *candidate;
    if (index == SIZE_MAX || recalled->count == AUTOTUNE__CANDIDATES) return;
    if (recalled->count && recalled->candidates[0].index == index) return;
    candidate = &recalled->candidates[recalled->count++];
    candidate->index = index;
    candidate->median_ns = autotune__number_in(json, times, "median_ns");
    candidate->min_ns = autotune__number_in(json, times, "min_ns");
    if (!autotune__is_definite(candidate->median_ns)) candidate->median_ns = candidate->min_ns;
}
/* The winner is a candidate. Where no race may look for another one, the other finalists are, too. */
static void autotune__read_candidates(autotune__store *store, const autotune__json *json) {
    const int rows = autotune__member(json, 0, "configurations");
    autotune__recalled *recalled = &store->recalled;
    autotune__space *space = &store->subject->space;
    autotune__spellings spellings;
    size_t index;
    int row = 0;
    if (autotune__spell_space(space, &spellings)) {
        index = autotune__find_point(json, 0, "winner", space, &spellings);
        autotune__add_candidate(recalled, index, json, 0);
        while (recalled->count && !autotune__may_tune(store->subject) &&
               (row = autotune__next_row(json, rows, row)) > 0) {
            if (!autotune__was_finalist(json, row) || autotune__had_failed(json, row)) continue;
            index = autotune__find_point(json, row, "config", space, &spellings);
            autotune__add_candidate(recalled, index, json, row);
        }
    }
    autotune__free_spellings(&spellings);
}
static void autotune__read_result(const autotune__json *json, autotune_result *result) {
    autotune__clear_result(result);
    result->verdict = autotune__read_verdict(json);
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "it was measured in an earlier run, whose record says why"
                                                           : NULL;
    result->lead = autotune__number_in(json, 0, "lead");
    result->lead_low = autotune__number_in(json, 0, "lead_low");
    result->lead_high = autotune__number_in(json, 0, "lead_high");
    result->runner_up_ns = autotune__number_in(json, 0, "runner_up_ns");
    result->default_ns = autotune__number_in(json, 0, "default_ns");
    result->slowest_ns = autotune__number_in(json, 0, "slowest_ns");
    result->space_size = autotune__count_in(json, 0, "space_size");
}
/* Finds the line that counts, reads its text, and parses it. The file may have been replaced since it was read: then
   all of it is read anew. NULL: there is none; else the caller frees the JSON. */
static const autotune__line *autotune__open_record(const autotune__store *store, autotune__line_counts *counts,
                                                   autotune__text *text, autotune__json *json) {
    const autotune__line *line = autotune__line_of(store, counts);
    if (line && !autotune__fetch(line, text)) {
        autotune__refresh();
        if ((line = autotune__line_of(store, counts)) != NULL && !autotune__fetch(line, text)) line = NULL;
    }
    return line && autotune__parse(json, text->at, autotune__count(text->at)) ? line : NULL;
}
/* True: the file has a record that answers, and its candidates are to be tried. */
static bool autotune__recall_winner(autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__recalled *recalled = &store->recalled;
    const autotune__line *line;
    autotune__json json;
    recalled->count = recalled->next = 0;
    if (subject->mode == AUTOTUNE_FORCE || autotune__is_set(&subject->record->distrusted)) return false;
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    if ((line = autotune__open_record(store, autotune__may_answer, &recalled->line, &json)) != NULL) {
        if (autotune__speaks_of(&json, subject, line->any_device) && !autotune__was_rebuilt(&json, line, store)) {
            recalled->any_device = line->any_device;
            autotune__read_result(&json, &recalled->result);
            autotune__read_candidates(store, &json);
        }
        autotune__free_json(&json);
    }
    autotune__leave_cache();
    return recalled->count > 0;
}

/* ---- src/store/former.h --------------------------------------------------------------------------------------------
   Times of an earlier race: a record that does not answer for the key, since the program was rebuilt or the race was
   broken off, saves launches of configurations that lost. */

/* A backend tells which kernel it launches. If the kernel was made of another source than that of the record, or by
   another compiler, the times of the record are not its own, and the store is outdated. candidate: the launch is that
   of a candidate, whose record is the one that answered; else it is a trial's, whose record is the former one. */
static AUTOTUNE__UNUSED void autotune__note_kernel(autotune__store *store, bool candidate, const char *name,
                                                   uint64_t source, const char *compiler) {
    const autotune__text *line = candidate ? &store->recalled.line : store->former.rows ? &store->former.text : NULL;
    autotune__kernel_source kernel = { NULL, source, compiler };
    autotune__json json;
    size_t i;
    for (i = 0; i < autotune__count(store->kernels); i++)
        if (store->kernels[i].source == source && !strcmp(store->kernels[i].name, name)) return;
    if (!(kernel.name = autotune__copy_string(name))) return;
    if (line && line->at && autotune__parse(&json, line->at, strcspn(line->at, "\n"))) {
        if (!autotune__had_kernel(&json, &kernel, candidate && store->recalled.any_device)) store->outdated = true;
        autotune__free_json(&json);
    }
    if (!AUTOTUNE__PUSH(store->kernels, kernel)) autotune__free(kernel.name);
}

/* Of the rows of a former record, contenders are launched again: its finalists, or, where the race was broken off, what
   took at most twice the best time, as in the screen. The others lost, and are set aside. If only the program was
   rebuilt, points that the former record does not name are set aside, too. A failure is tried again if the texts of the
   tuner have changed. */
static double autotune__best_of_rows(const autotune__json *json, int rows) {
    double best = AUTOTUNE__NEVER;
    int row = 0;
    while ((row = autotune__next_row(json, rows, row)) > 0) {
        const double ns = autotune__number_in(json, row, "min_ns");
        if (!autotune__had_failed(json, row) && ns < best) best = ns;
    }
    return best;
}
static void autotune__read_former_rows(autotune__store *store, const autotune__line *line,
                                       const autotune__json *json) {
    const int rows = autotune__member(json, 0, "configurations");
    const bool same_texts = line->head.identity.fingerprint == store->identity.fingerprint;
    const double within = 2 * autotune__best_of_rows(json, rows);
    autotune__former *former = &store->former;
    autotune__space *space = &store->subject->space;
    autotune__spellings spellings;
    int at = 0;
    if (!autotune__spell_space(space, &spellings)) { autotune__free_spellings(&spellings); return; }
    while ((at = autotune__next_row(json, rows, at)) > 0) {
        const bool failed = autotune__had_failed(json, at);
        const double ns = autotune__number_in(json, at, "min_ns");
        autotune__former_row row;
        memset(&row, 0, sizeof row);
        row.index = autotune__find_point(json, at, "config", space, &spellings);
        if (row.index == SIZE_MAX || (failed && (!same_texts || !autotune__was_launched(json, at)))) continue;
        row.contender = !failed && (line->head.unfinished ? !autotune__is_definite(ns) || ns <= within
                                                          : autotune__was_finalist(json, at));
        row.ns = ns;
        row.start = (size_t)json->token[at].start;
        row.length = (size_t)(json->token[at].end - json->token[at].start);
        if (!AUTOTUNE__PUSH(former->rows, row)) break;
    }
    if (former->rows) qsort(former->rows, autotune__count(former->rows), sizeof *former->rows, autotune__order_sizes);
    former->only_contenders = same_texts && !line->head.unfinished;
    if (!line->head.unfinished)
        former->winner = autotune__find_point(json, 0, "winner", space, &spellings);
    autotune__free_spellings(&spellings);
}
/* Another statement of the function may have the same key, and newer lines. */
static bool autotune__is_of_kernel(const autotune__store *store, const autotune__line *line) {
    autotune__text text = { NULL, false };
    autotune__json json;
    bool is = false;
    if (autotune__fetch(line, &text) && autotune__parse(&json, text.at, autotune__count(text.at))) {
        is = autotune__same_kernel(&json, &line->head, store);
        autotune__free_json(&json);
    }
    autotune__free_text(&text);
    return is;
}
/* That of the statement itself, or of its kernel with another space. */
static const autotune__line *autotune__open_former(autotune__store *store, autotune__json *json) {
    autotune__text *text = &store->former.text;
    const autotune__line *line = autotune__open_record(store, autotune__has_texts, text, json);
    return line ? line : autotune__open_record(store, autotune__is_of_kernel, text, json);
}
static void autotune__recall_former(autotune__store *store) {       /* before the race */
    const autotune__subject *subject = store->subject;
    const autotune__line *line;
    autotune__json json;
    if (subject->mode == AUTOTUNE_FORCE || store->policy == AUTOTUNE_CACHE_OFF || store->all_anew) return;
    autotune__enter_cache();
    if ((line = autotune__open_former(store, &json)) != NULL) {
        if (autotune__speaks_of(&json, subject, false) && autotune__same_kernel(&json, &line->head, store))
            autotune__read_former_rows(store, line, &json);
        autotune__free_json(&json);
    }
    autotune__leave_cache();
}
static autotune__former_row *autotune__former_row_of(autotune__former *former, size_t index) {
    const size_t count = autotune__count(former->rows);
    size_t at;
    AUTOTUNE__BISECT(at, count, former->rows[at].index < index);
    return at < count && former->rows[at].index == index ? &former->rows[at] : NULL;
}
/* Is this admitted point to be left out of the race? The first point is always raced, for speed-ups are measured by it.
   Of a space that is sampled the former race saw next to nothing, so only what lost is left out there. */
static bool autotune__is_set_aside(autotune__store *store, const autotune__race *race, size_t index) {
    autotune__former *former = &store->former;
    const size_t first = autotune__first_admitted(race);
    autotune__former_row *row;
    bool aside;
    if (!former->rows || first == SIZE_MAX || index == first) return false;
    row = autotune__former_row_of(former, index);
    if (row && row->set_aside) return true;     /* a search may draw a point more than once */
    aside = row ? !row->contender : former->only_contenders && !race->setup.sampled;
    if (aside && row) row->set_aside = true;
    former->left_out += aside;
    return aside;
}

/* ---- src/store/seeds.h ---------------------------------------------------------------------------------------------
   Seeds: which configurations of another key's record are worth trying first. */

/* Neighbours are the records of the tuner's other keys on this device. The nearest one with times gives the seeds. A
   record with the fingerprint of the statement is of the same kernel; of records with another only the nearest few are
   read. */
typedef struct autotune__neighbour { double distance; size_t line; } autotune__neighbour;
/* The nearest comes first, of equal ones the latest. */
static int autotune__order_neighbours(const void *left, const void *right) {
    const autotune__neighbour *a = (const autotune__neighbour *)left, *b = (const autotune__neighbour *)right;
    return a->distance < b->distance ? -1 : a->distance > b->distance ? 1 : a->line > b->line ? -1 : 1;
}
static bool autotune__may_seed(const autotune__line *line, const autotune__store *store) {
    const autotune__identity *its = &line->head.identity, *mine = &store->identity;
    return mine->tuner && its->tuner == mine->tuner && its->id != mine->id &&
           (its->machine == mine->machine || line->any_device) && !line->dead && !line->head.unfinished &&
           line->head.key && (line->source != 0 || store->policy != AUTOTUNE_CACHE_OFF);
}
static double autotune__distance_to_line(const autotune_key *key, const autotune__line *line, int file) {
    double distance = AUTOTUNE__NEVER;
    autotune__json json;
    size_t got = 0;
    char *read = line->text || file < 0
                     ? NULL
                     : autotune__read_part(file, line->offset + line->head.key, line->head.key_length, &got);
    const char *text = line->text ? line->text + line->head.key : read;
    if (text && (line->text || got == line->head.key_length) && autotune__parse(&json, text, line->head.key_length)) {
        bool no_memory = false;
        distance = autotune__distance_to_text(key, &json, 0, &no_memory);
        autotune__free_json(&json);
    }
    autotune__free(read);
    return distance;
}
/* Those that are nearer than `within`, in their order; NULL: there are none. The caller frees the array. */
static autotune__neighbour *autotune__neighbours(const autotune__store *store, double within) {
    const struct autotune__disk *cache = &autotune__disk;
    const char *why;
    const int file = cache->file ? autotune__open_ours(cache->file, AUTOTUNE__READ, &why) : -1;
    autotune__neighbour *all = NULL, one;
    for (one.line = 0; cache->lines && one.line < autotune__count(cache->lines); one.line++) {
        if (!autotune__may_seed(&cache->lines[one.line], store)) continue;
        one.distance = autotune__distance_to_line(&store->subject->options.key, &cache->lines[one.line], file);
        if (one.distance < within && !AUTOTUNE__PUSH(all, one)) break;
    }
    autotune__close_file(file);
    if (all) qsort(all, autotune__count(all), sizeof *all, autotune__order_neighbours);
    return all;
}
static void autotune__read_seeds(autotune__space *space, const autotune__json *json, autotune__shortlist *seeds) {
    const int rows = autotune__member(json, 0, "configurations");
    autotune__spellings spellings;
    const bool complete = autotune__spell_space(space, &spellings);
    int row = 0;
    while (complete && (row = autotune__next_row(json, rows, row)) > 0) {
        const double median_ns = autotune__number_in(json, row, "median_ns"),
                     ns = autotune__is_definite(median_ns)
                              ? median_ns
                              : autotune__number_in(json, row, "min_ns");
        size_t index;
        if (autotune__had_failed(json, row) || !autotune__makes_shortlist(seeds, ns)) continue;
        index = autotune__find_point(json, row, "config", space, &spellings);
        if (index != SIZE_MAX) autotune__shortlist_point(seeds, index, ns);
    }
    autotune__free_spellings(&spellings);
}
static void autotune__seed_from_records(const autotune__store *store, double within, autotune__shortlist *seeds) {
    autotune__subject *subject = store->subject;
    autotune__text text = { NULL, false };
    autotune__shortlist found;
    autotune__neighbour *all;
    size_t i, looks = 16;
    autotune__json json;
    found.count = 0;
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    all = autotune__neighbours(store, within);
    for (i = 0; i < autotune__count(all) && !found.count; i++) {
        const autotune__line *line = &autotune__disk.lines[all[i].line];
        const bool same_texts = line->head.identity.fingerprint == store->identity.fingerprint;
        if ((!same_texts && !looks) || !autotune__fetch(line, &text) ||
            !autotune__parse(&json, text.at, autotune__count(text.at)))
            continue;
        looks -= !same_texts;
        if (autotune__speaks_of_tuner(&json, subject, line->any_device) && autotune__same_call(&json, subject))
            autotune__read_seeds(&subject->space, &json, &found);
        autotune__free_json(&json);
    }
    autotune__leave_cache();
    if (found.count) *seeds = found;
    AUTOTUNE__FREE_ARRAY(all);
    autotune__free_text(&text);
}
/* Seeds of a race that is searched: the best that an earlier race of this key left to be launched again; else those of
   the nearest key that the file knows, if it is nearer than `within`, the distance of the key that the given seeds are
   of. */
static void autotune__seed_from_disk(const autotune__store *store, double within, autotune__shortlist *seeds) {
    const autotune__former_row *rows = store->former.rows;
    autotune__shortlist found;
    size_t i;
    found.count = 0;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].contender) autotune__shortlist_point(&found, rows[i].index, rows[i].ns);
    if (found.count) *seeds = found;
    else autotune__seed_from_records(store, within, seeds);
}

/* ---- src/store/process_turns.h -------------------------------------------------------------------------------------
   Turns of processes: one process races a key; the others wait for what it finds, or give up. */

/* One process at a time races a key. The others wait for its answer as long as a race of their own might take, a minute
   at most. After that they launch the first configuration untuned, and wait for this key no more. */

/* A lock is held once, whatever the number of statements that need it: a statement that gave it back would give it back
   for the one further out, too. */
static bool autotune__is_held_further_out(const autotune__store *store) {
    const uint64_t byte = autotune__lock_byte(&store->identity);
    while ((store = store->outer) != NULL)
        if (store->locked && autotune__lock_byte(&store->identity) == byte) return true;
    return false;
}
static autotune__locked autotune__lock_key(autotune__store *store) {
    autotune__locked locked = AUTOTUNE__NO_LOCKS;
    autotune__enter_cache();
    if (!autotune__is_held_further_out(store) && autotune__find_cache() && autotune__open_lock(true))
        locked = autotune__lock_at(autotune__disk.lock, autotune__lock_byte(&store->identity));
    autotune__refresh();                        /* whoever has or had the lock may have written the answer */
    autotune__leave_cache();
    store->locked = locked == AUTOTUNE__HELD;
    return locked;
}
static void autotune__unlock_key(autotune__store *store) {
    if (!store->locked) return;
    autotune__enter_cache();
    autotune__unlock(autotune__lock_byte(&store->identity));
    autotune__leave_cache();
    store->locked = false;
}
/* May this process race the key? If another process was waited for in vain, that is appended to `why`. longest_wait: in
   nanoseconds. */
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    const uint64_t now = autotune__wait_clock();
    bool *impatient = &store->subject->record->impatient;
    autotune__locked locked;
    if (store->policy != AUTOTUNE_CACHE_ON) return AUTOTUNE__OURS;
    locked = autotune__lock_key(store);
    if (autotune__recall_winner(store)) { autotune__unlock_key(store); return AUTOTUNE__ANSWERED; }
    if (locked != AUTOTUNE__BUSY) return AUTOTUNE__OURS;
    if (!store->waits_since) store->waits_since = now;
    if (now - store->waits_since < longest_wait && !autotune__is_set(impatient)) return AUTOTUNE__OTHERS;
    autotune__set(impatient);
    autotune__append(why, "another process has been tuning this key for longer than that should take");
    return AUTOTUNE__GIVEN_UP;
}
/* The race begins; and it ends, with or without a winner. */
static void autotune__enter_race(autotune__store *store) {
    store->written = 0;
    autotune__recall_former(store);
    autotune__open_journal(store);
}
static void autotune__close_race(autotune__store *store, const autotune__race *race) {
    autotune__close_journal(store, race);
    autotune__forget_former(store);
    autotune__unlock_key(store);
}
/* The statement ends. */
static void autotune__end_store(autotune__store *store) {
    size_t i;
    autotune__close_race(store, NULL);
    autotune__free_text(&store->recalled.line);
    for (i = 0; i < autotune__count(store->kernels); i++) autotune__free(store->kernels[i].name);
    AUTOTUNE__FREE_ARRAY(store->kernels);
}

/* ---- src/store/remember.h ------------------------------------------------------------------------------------------
   What a race found is kept, in memory and in the file; in the file in the middle of a long race, too. */

/* The lock for writing is not to be had. Without memory for a copy the line is lost, as was said. */
static void autotune__write_later(const autotune__text *line) {
    autotune__text copy = { NULL, false };
    autotune__append(&copy, "%s", line->at);
    if (copy.broken || !AUTOTUNE__PUSH(autotune__disk.unwritten, copy)) autotune__free_text(&copy);
}
/* Writes the record of a race to the file. keep: and keeps it with the key. */
static void autotune__write_record(autotune__store *store, const autotune__race *race, const autotune_result *result,
                                   size_t launches, bool keep) {
    autotune__text line = { NULL, false };
    autotune__append_record(&line, store, race, result, launches);
    if (store->policy == AUTOTUNE_CACHE_ON && result->verdict != AUTOTUNE_UNRELIABLE) {
        autotune__enter_cache();
        if (line.broken) autotune__say_unwritable("the cache on disk", "out of memory");
        else if (!autotune__append_line(line.at, autotune__count(line.at)) && keep && autotune__disk.waits_since)
            autotune__write_later(&line);
        autotune__leave_cache();
    }
    if (keep && !line.broken) autotune__keep_line(store, &line);
    autotune__free_text(&line);
}
/* The race is over, and took so many launches. Only what was measured is written. What is unreliable is not written to
   the file, but kept for autotune_save(). */
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    if (race->outcome.winner == SIZE_MAX || result->verdict == AUTOTUNE_DEFAULT || result->verdict == AUTOTUNE_SINGLE)
        return;
    autotune__write_record(store, race, result, launches, true);
}
/* In the middle of a race, so many seconds after its beginning: what is written lets another run resume it. Nothing is
   written before `interval` seconds have passed since the last time. */
static void autotune__checkpoint(autotune__store *store, const autotune__race *race, double seconds, size_t launches,
                                 double interval) {
    autotune_result result;
    if (store->policy != AUTOTUNE_CACHE_ON || seconds < store->written + interval) return;
    store->written = seconds;
    autotune__clear_result(&result);
    autotune__summarise(race, &result);
    result.verdict = AUTOTUNE_UNRESOLVED;
    result.seconds = seconds;
    autotune__write_record(store, race, &result, launches, false);
}

/* ---- src/store/save_load.h -----------------------------------------------------------------------------------------
   autotune_save(), autotune_load() and its variants. */

static autotune_status autotune__file_error(const char *path, const char *why) {
    autotune__complain("%s: %s", path ? path : "(no path)", why);
    return AUTOTUNE_ERR_FILE;
}
static bool autotune__append_known(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    const char *line = record->entry ? record->line.at : NULL;
    (void)tuner;
    if (line) autotune__append((autotune__text *)user, "%.*s\n", (int)strcspn(line, "\n"), line);
    return true;
}
AUTOTUNE__API autotune_status autotune_save(const char *path) {
    autotune__text all = { NULL, false };
    const char *why = "out of memory";
    bool written;
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_save() needs the path of a file");
    autotune__lock_mutex(&autotune__lock);
    autotune__walk(autotune__append_known, &all);
    autotune__unlock_mutex(&autotune__lock);
    written = !all.broken && autotune__write_file(path, &all, &why);
    autotune__free_text(&all);
    return written ? AUTOTUNE_OK : autotune__file_error(path, why);
}
/* Takes over the text. name: of its file, or of the function that was called, for messages. */
static autotune_status autotune__load_records(const char *name, char *text, size_t bytes, bool any_device) {
    autotune__loaded loaded;
    autotune__reading reading;
    memset(&reading, 0, sizeof reading);
    reading.any_device = any_device;
    reading.keeps_text = true;
    autotune__enter_cache();
    loaded.text = text;
    loaded.source = reading.source = ++autotune__disk.sources;
    if (AUTOTUNE__PUSH(autotune__disk.texts, loaded)) {
        autotune__read_text(&reading, text, bytes, true);
        autotune__free_unused();
    } else {
        autotune__free(text);
        reading.no_memory = true;
    }
    autotune__leave_cache();
    if (reading.no_memory) return autotune__file_error(name, "out of memory: not all of its records were loaded");
    if (!reading.unsound) return AUTOTUNE_OK;
    autotune__complain("%s:%lu: this line %s; %lu lines are skipped, %lu records were loaded", name,
                       (unsigned long)reading.first_unsound, reading.why, (unsigned long)reading.unsound,
                       (unsigned long)reading.sound);
    return AUTOTUNE_ERR_FILE;
}
static autotune_status autotune__load_file(const char *path, bool any_device) {
    const char *why;
    char *text;
    size_t got;
    autotune__ready();
    if (!path) return autotune__file_error(path, "autotune_load() needs the path of a file");
    text = autotune__read_path(path, &got, &why);
    return text ? autotune__load_records(path, text, got, any_device) : autotune__file_error(path, why);
}
AUTOTUNE__API autotune_status autotune_load(const char *path) { return autotune__load_file(path, false); }
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path) { return autotune__load_file(path, true); }
static autotune_status autotune__load_copy(const char *function, const char *jsonl, size_t bytes, bool any_device) {
    char *copy;
    autotune__ready();
    if (!jsonl && bytes) return autotune__file_error(function, "the text is NULL");
    if (!(copy = (char *)autotune__allocate(bytes + 1))) return autotune__file_error(function, "out of memory");
    if (bytes) memcpy(copy, jsonl, bytes);
    return autotune__load_records(function, copy, bytes, any_device);
}
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes) {
    return autotune__load_copy("autotune_load_text()", jsonl, bytes, false);
}
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes) {
    return autotune__load_copy("autotune_load_text_any_device()", jsonl, bytes, true);
}

/* ---- src/store/clear_disk.h ----------------------------------------------------------------------------------------
   What autotune_clear() forgets on disk, and of what was loaded; what autotune_shutdown() frees of the cache. */

/* The lines of a tuner, of a key, or of both; or those for which a test is true. */
typedef struct autotune__to_clear {
    autotune__text name;                        /* as it is written; empty: any */
    const autotune_key *key;                    /* NULL: any */
    bool (*test)(const char *line, size_t length, void *user);      /* NULL: name and key say which */
    void *user;
    bool no_memory;                             /* it cannot be told of every line whether it is one */
} autotune__to_clear;
static autotune__to_clear autotune__begin_clear(const char *name, const autotune_key *key) {
    autotune__to_clear clear = { { NULL, false }, key, NULL, NULL, false };
    if (name) autotune__append_string(&clear.name, name);
    clear.no_memory = clear.name.broken;
    return clear;
}
static bool autotune__is_to_clear(autotune__to_clear *clear, const autotune__line *line) {
    autotune__text text = { NULL, false };
    autotune__json json = { NULL, NULL, 0 };
    bool is = !clear->name.at && !clear->key && !clear->test;
    if (is || clear->no_memory) return is && !clear->no_memory;
    if (clear->test) {
        if (autotune__fetch(line, &text)) is = clear->test(text.at, autotune__count(text.at), clear->user);
        else clear->no_memory = true;
    } else if (autotune__fetch(line, &text) && autotune__parse(&json, text.at, autotune__count(text.at))) {
        is = (!clear->name.at || autotune__is_text(&json, autotune__member(&json, 0, "tuner"), &clear->name)) &&
             (!clear->key || !(autotune__distance_to_text(clear->key, &json, autotune__member(&json, 0, "key"),
                                                          &clear->no_memory) > 0));
        autotune__free_json(&json);
    } else if (!json.text || json.count) clear->no_memory = true;       /* it has a text, which may be no JSON */
    autotune__free_text(&text);
    return is;
}
static void autotune__clear_journal(const char *path, const autotune__line *lines, size_t count, void *user) {
    if (count && autotune__is_to_clear((autotune__to_clear *)user, &lines[0]))
        autotune__remove_file(path);            /* all are of one tuner and key */
}
/* False: no memory. */
static bool autotune__kill_lines(autotune__to_clear *clear, bool on_disk) {
    struct autotune__disk *cache = &autotune__disk;
    size_t i;
    for (i = 0; i < autotune__count(cache->lines); i++) {
        autotune__line *line = &cache->lines[i];
        if (!line->dead && (line->source == 0) == on_disk && autotune__is_to_clear(clear, line)) line->dead = true;
    }
    return !clear->no_memory;
}
/* Records that are still to be written. */
static void autotune__drop_unwritten(autotune__to_clear *clear) {
    struct autotune__disk *cache = &autotune__disk;
    size_t i;
    for (i = autotune__count(cache->unwritten); i > 0; i--) {
        autotune__text *text = &cache->unwritten[i - 1];
        autotune__line line;
        memset(&line, 0, sizeof line);
        line.text = text->at;
        line.length = autotune__count(text->at) - 1;
        (void)autotune__read_head(line.text, line.length, &line.head);
        if (!autotune__is_to_clear(clear, &line)) continue;
        autotune__free_text(text);
        AUTOTUNE__REMOVE(cache->unwritten, i - 1);
    }
}
/* Lines of the file on disk, and journals. */
static autotune_status autotune__clear_lines(autotune__to_clear *clear) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__locked locked;
    const char *why = NULL;
    bool done = false;
    int file;
    if (autotune__environment.cache > AUTOTUNE_CACHE_ON) {
        autotune__complain("AUTOTUNE_CACHE is off or readonly: nothing is cleared on disk");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    autotune__enter_cache();
    autotune__drop_unwritten(clear);
    if (autotune__find_cache()) {
        file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why);
        done = file < 0 && !why;                /* there is none */
        autotune__close_file(file);
        locked = file < 0 ? AUTOTUNE__NO_LOCKS : autotune__lock_file(true);
        if (file >= 0 && locked != AUTOTUNE__HELD)
            why = "is locked by another process, or its file system has no locks";
        /* nobody replaces it now */
        else if (file >= 0 && (file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why)) >= 0) {
            autotune__forget_file();                        /* a line of it may be missing for want of memory */
            done = autotune__read_tail(file, true) && autotune__kill_lines(clear, true) &&
                   autotune__rewrite(file, SIZE_MAX);
            autotune__close_file(file);
            if (!done) autotune__forget_file();             /* nothing was cleared: the file is read anew */
            autotune__refresh();
        }
        autotune__unlock_file(locked);
        if (done) autotune__walk_journals(autotune__clear_journal, clear);
    }
    autotune__leave_cache();
    if (clear->no_memory) { done = false; why = "out of memory: not all of it could be looked at"; }
    return done ? AUTOTUNE_OK
                : autotune__file_error(cache->file ? cache->file : "the cache on disk",
                                       why ? why : "could not be read and rewritten");
}
static autotune_status autotune__clear_disk(const char *name, const autotune_key *key) {
    autotune__to_clear clear = autotune__begin_clear(name, key);
    const autotune_status status = autotune__clear_lines(&clear);
    autotune__free_text(&clear.name);
    return status;
}
/* False: no memory, and some lines may be left. */
static bool autotune__forget_loaded(const char *name, const autotune_key *key) {
    autotune__to_clear clear = autotune__begin_clear(name, key);
    bool done;
    autotune__enter_cache();
    done = autotune__kill_lines(&clear, false);
    autotune__free_unused();
    autotune__leave_cache();
    autotune__free_text(&clear.name);
    return done;
}

static void autotune__free_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    int cancellation;
    size_t i;
    autotune__enter_cache();
    if (autotune__count(cache->unwritten)) (void)autotune__append_line("", 0);          /* the lock may be free now */
    for (i = 0; i < autotune__count(cache->texts); i++) autotune__free(cache->texts[i].text);
    AUTOTUNE__FREE_ARRAY(cache->texts);
    AUTOTUNE__FREE_ARRAY(cache->lines);
    autotune__free(cache->newest);
    autotune__free_unwritten();
    if (cache->usable && autotune__has_lock_open()) autotune__close_file(cache->lock);
    autotune__forget_paths();
    autotune__free_text(&cache->say);
    cancellation = cache->cancellation;         /* of the thread that is in here */
    memset(cache, 0, sizeof *cache);
    cache->cancellation = cancellation;
    autotune__leave_cache();
}
#else

/* ---- src/store/none.h ----------------------------------------------------------------------------------------------
   No cache on disk: what a program without jsmn, or with AUTOTUNE_NO_CACHE, has in the place of the store. */

static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) { (void)store; (void)exact_key; }
static bool autotune__recall_winner(autotune__store *store) { (void)store; return false; }
static AUTOTUNE__UNUSED void autotune__note_kernel(autotune__store *store, bool candidate, const char *name,
                                                   uint64_t source, const char *compiler) {
    (void)store; (void)candidate; (void)name; (void)source; (void)compiler;
}
static bool autotune__is_set_aside(autotune__store *store, const autotune__race *race, size_t index) {
    (void)store; (void)race; (void)index;
    return false;
}
static void autotune__seed_from_disk(const autotune__store *store, double within, autotune__shortlist *seeds) {
    (void)store; (void)within; (void)seeds;
}
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    (void)store; (void)longest_wait; (void)why;
    return AUTOTUNE__OURS;
}
static void autotune__enter_race(autotune__store *store) { (void)store; }
static void autotune__close_race(autotune__store *store, const autotune__race *race) { (void)store; (void)race; }
static void autotune__end_store(autotune__store *store) { (void)store; }
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    (void)store; (void)race; (void)result; (void)launches;
}
static void autotune__checkpoint(autotune__store *store, const autotune__race *race, double seconds, size_t launches,
                                 double interval) {
    (void)store; (void)race; (void)seconds; (void)launches; (void)interval;
}
static autotune__suspicion autotune__suspicion_of(const autotune__store *store, size_t index) {
    (void)store; (void)index;
    return AUTOTUNE__UNSUSPECTED;
}
static void autotune__blame(autotune__store *store, size_t index, const char *fault) {
    (void)store; (void)index; (void)fault;
}
static void autotune__acquit(autotune__store *store, size_t index) { (void)store; (void)index; }
static void autotune__withdraw(autotune__store *store) { (void)store; }
static void autotune__hold_store(void) {}
static void autotune__release_store(void) {}
static void autotune__disown(autotune__store *store) { (void)store; }
static bool autotune__forget_loaded(const char *name, const autotune_key *key) {
    (void)name; (void)key;
    return true;
}
static void autotune__free_cache(void) {}

static autotune_status autotune__no_cache(void) {
    autotune__ready();
    autotune__complain(
        "this program was compiled without the cache on disk: jsmn.h was not found, or AUTOTUNE_NO_CACHE is defined");
    return AUTOTUNE_ERR_ENVIRONMENT;
}
AUTOTUNE__API autotune_status autotune_save(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes) {
    (void)jsonl; (void)bytes;
    return autotune__no_cache();
}
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes) {
    (void)jsonl; (void)bytes;
    return autotune__no_cache();
}
static autotune_status autotune__clear_disk(const char *name, const autotune_key *key) {
    (void)name; (void)key;
    return autotune__no_cache();
}
#endif

/* ---- src/store/clear.h ---------------------------------------------------------------------------------------------
   autotune_clear(). */

static bool autotune__forget_known(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    const autotune__query *query = (const autotune__query *)user;
    if ((query->name && !autotune__has_name(query, tuner)) ||
        (query->key && !autotune__same_parts(&record->key, query->key)))
        return true;
    if (record->entry) autotune__forget(record->entry);
    autotune__keep_history(record, NULL);       /* of a race that all configurations failed in, too */
    autotune__free_text(&record->line);
    record->distrusted = record->impatient = false;
    return true;
}
static bool autotune__clear_memory(const char *name, const autotune_key *key) {
    autotune__query query;
    memset(&query, 0, sizeof query);
    query.name = name;
    query.key = key;
    if (name) autotune__read_number(&query);
    autotune__lock_mutex(&autotune__lock);
    autotune__walk(autotune__forget_known, &query);
    autotune__unlock_mutex(&autotune__lock);
    return autotune__forget_loaded(name, key);
}
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where) {
    const char *problem = key ? autotune__key_problem(key) : NULL;
    autotune_status status = AUTOTUNE_OK;
    autotune__ready();
    if (!where || (where & ~(unsigned)(AUTOTUNE_MEMORY | AUTOTUNE_DISK))) {
        autotune__complain("autotune_clear(): where is %u: it is AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |",
                           where);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (problem) { autotune__complain("autotune_clear(): %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    /* The disk comes first: else it would answer before it is cleared. */
    if (where & AUTOTUNE_DISK) status = autotune__clear_disk(name, key);
    if ((where & AUTOTUNE_MEMORY) && !autotune__clear_memory(name, key)) {
        autotune__complain("autotune_clear(): out of memory: not all of what was loaded is forgotten");
        status = AUTOTUNE_ERR_MEMORY;
    }
    return status;
}


/* ---- src/statement/statement.h -------------------------------------------------------------------------------------
   A statement that is no hit: what is kept of it until its end, and how its errors are reported. */

typedef enum autotune__phase {
    AUTOTUNE__DESCRIBING,                       /* the call site tells the axes */
    AUTOTUNE__JUDGING,                          /* the loop judges a point for the race */
    AUTOTUNE__SEEKING,                          /* the loop judges a point to find the first configuration */
    AUTOTUNE__RECALLING,                        /* the loop judges a candidate that the cache on disk names */
    AUTOTUNE__TRYING,                           /* the loop launches a trial */
    AUTOTUNE__LAUNCHING,                        /* the loop makes the call for real */
    AUTOTUNE__ENDED
} autotune__phase;
typedef struct autotune__stopwatch {            /* times of a race by the clock of its backend */
    uint64_t began;
    uint64_t started, stopped;                  /* the start of this batch; the end of the batch before it */
    uint64_t witnessed;                         /* the result of autotune__witness() at `stopped` */
    double suspect_ns;                          /* the time of a RUN in which the clock may have jumped; else 0 */
    double longest_known_ns;                    /* of a launch during which the clock did not jump */
    double lost_ns;                             /* the process was stopped for it, or the clock jumped by it */
    unsigned gaps;                              /* how many lost times were between two launches */
} autotune__stopwatch;
/* Carries out the RUNs of a race, one at a time. */
typedef struct autotune__trial_state {
    autotune__subject *subject;
    autotune__turn *turn;
    autotune__store *store;
    autotune__memories memories;
    autotune__stopwatch watch;
    autotune__pinned pinned;
    size_t launches;                            /* that the statement made */
    double clock_cost_ns;                       /* the time of reading the clock twice */
    bool apart;                                 /* each launch is prepared and timed alone */
    /* The RUN: */
    autotune__request request;
    autotune__answer answer;
    bool checking;                              /* it is the first launch of the configuration */
    uint32_t launched, readings, repeats;       /* launches; readings of the clock; repetitions since it was spoiled */
    long preemptions;                           /* of the process, before the RUN */
    double elapsed_ns;                          /* the time of the launches */
    double settled_ns;                          /* the part of elapsed_ns that later launches do not change */
    double alone_ns[AUTOTUNE_MOST_QUEUED];      /* the other part: launches that were timed alone, the shortest first */
    size_t alone;                               /* how many times are in alone_ns */
    /* The batch, which is the launches since the clock was started: */
    uint32_t batch, more;                       /* how many launches it has; how many of them are still to be made */
    bool queued;                                /* each launch is timed alone, and the end of all is waited for once */
    autotune_status launch_status;
    bool at_fault;                              /* the backend knows that the launch broke the device */
    autotune__text why;                         /* the reason why a launch failed */
} autotune__trial_state;
typedef struct autotune__statement {
    autotune__tuning head;                      /* the first member: all that the loop sees */
    autotune__subject subject;
    autotune__turn turn;
    autotune__store store;
    autotune__trial_state trial;
    autotune__phase phase;
    autotune__request request;
    autotune__answer answer;
    bool not_now;                               /* the backend can only launch now: buffers cannot be saved */
    bool tune_only;                             /* for autotune_tune(): the call is not made at the end */
    bool launches_candidate;                    /* the call for real has a candidate of the cache on disk */
    bool refused;                               /* WHERE refuses the known winner: see AUTOTUNE_CHECKS */
    bool held;                                  /* autotune__next() holds cancellation */
    size_t judged;                              /* how many points were judged */
    size_t point;                               /* SEEKING: the point that is judged */
    double progress_shown;                      /* the time of the last line of progress, in seconds since the start */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* of the winner, once this statement found or published it */
    autotune_result result;
    struct autotune__statement *outer;          /* the statement of this thread in whose body this one runs */
} autotune__statement;
/* The loop of a statement, and a backend, see no more of it than how it begins. */
static autotune__statement *autotune__statement_of(const autotune__tuning *tuning) {
    return (autotune__statement *)(uintptr_t)tuning;
}
static __thread autotune__statement *autotune__current;     /* the innermost statement of this thread that is no hit */
/* Why a launch failed: the reason that was given, else the text of its status. */
static const char *autotune__reason(const autotune__trial_state *trial, autotune_status status) {
    return trial->why.at && *trial->why.at ? autotune__string(&trial->why) : autotune_status_text(status);
}
/* Reports an error in one sentence that begins with the name of the statement. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__statement *statement, autotune_status status, const char *format, ...) {
    autotune__text text = { NULL, false };
    const int number = (int)status;             /* a call may return numbers that are no autotune_status */
    const uint32_t bit = number >= 0 && number < 32 ? 1u << number : 0;
    const bool once = status == AUTOTUNE_ERR_ARGUMENT || status == AUTOTUNE_ERR_MEMORY;
    va_list list;
    statement->status = status;
    autotune__append_subject(&text, &statement->subject);
    autotune__append(&text, ": ");
    va_start(list, format);
    autotune__append_list(&text, format, list);
    va_end(list);
    snprintf(autotune__error, sizeof autotune__error, "%s",
             text.broken ? autotune_status_text(status) : autotune__string(&text));
    if (!once || !(__atomic_fetch_or(&statement->subject.site->said, bit, __ATOMIC_RELAXED) & bit))
        autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
    autotune__free_text(&text);
}

/* ---- src/statement/options.h ---------------------------------------------------------------------------------------
   The mode and the limits of a statement, from its options and the environment; what is wrong with an option. */

static autotune_mode autotune__mode_of(const autotune_options *options) {
    const int said = autotune__environment.mode;
    const bool launches_more = said == AUTOTUNE_ON || said == AUTOTUNE_FORCE,
               author_forbids = options->mode != AUTOTUNE_ON && options->mode != AUTOTUNE_FORCE;
    if (options->mode == AUTOTUNE_REQUIRE) return AUTOTUNE_REQUIRE;         /* the mode with the fewest launches */
    return said < 0 || (launches_more && author_forbids) ? options->mode : (autotune_mode)said;
}
static autotune__limits autotune__limits_of(const autotune__statement *statement, double tick_ns) {
    static const struct { double seconds; size_t rounds; double share; }
        /* balanced, fast, thorough */
        presets[] = { { 2, 60, 0.6 }, { 0.5, 16, 0.6 }, { 10, 200, AUTOTUNE__NEVER } };
    const autotune_options *o = &statement->subject.options;
    const struct autotune__environment *e = &autotune__environment;
    const int preset = e->preset < 0 ? (int)o->preset : e->preset;
    autotune__limits limits;
    limits.seconds = presets[preset].seconds;
    limits.screen_seconds = o->strategy == AUTOTUNE_EXHAUSTIVE ? AUTOTUNE__NEVER : 10 * limits.seconds;
    if (o->strategy == AUTOTUNE_EXHAUSTIVE) limits.seconds = AUTOTUNE__NEVER;
    if (o->max_seconds > 0) limits.seconds = limits.screen_seconds = o->max_seconds;
    if (e->max_seconds > 0) limits.seconds = limits.screen_seconds = e->max_seconds;
    limits.explicit_seconds = o->max_seconds > 0 || e->max_seconds > 0;
    limits.tick_ns = tick_ns;
    limits.whole_batches = statement->subject.backend->start && !statement->trial.apart;
    limits.trials = o->max_trials;
    limits.top_k = o->top_k;
    limits.seed = e->has_seed ? e->seed : o->seed;
    limits.stop_at_ns = o->stop_at_ns;
    limits.rounds = presets[preset].rounds;
    limits.share = presets[preset].share;
    limits.strategy = o->strategy;
    return limits;
}
/* Appends what is wrong with the options; false: nothing is wrong. */
static bool autotune__option_problem(autotune__text *problem, const autotune_options *o) {
    const autotune_backend *b = o->backend;
    const char *key = autotune__key_problem(&o->key);
    if (key)
        autotune__append(problem, "%s", key);
    else if ((unsigned)o->mode > AUTOTUNE_FORCE)
        autotune__append(problem, ".mode is %d: it is one of AUTOTUNE_ON, _OFF, _CACHED, _REQUIRE, _FORCE",
                         (int)o->mode);
    else if ((unsigned)o->preset > AUTOTUNE_THOROUGH)
        autotune__append(problem, ".preset is %d: it is one of AUTOTUNE_BALANCED, _FAST, _THOROUGH", (int)o->preset);
    else if ((unsigned)o->strategy > AUTOTUNE_GENETIC)
        autotune__append(problem,
                         ".strategy is %d: it is one of AUTOTUNE_AUTO, _EXHAUSTIVE, _RANDOM, _SURROGATE, _GENETIC",
                         (int)o->strategy);
    else if ((unsigned)o->cache_state > AUTOTUNE_COLD)
        autotune__append(problem, ".cache_state is %d: it is one of AUTOTUNE_HOT, _COLD", (int)o->cache_state);
    else if ((unsigned)o->cache > AUTOTUNE_CACHE_READONLY)
        autotune__append(problem, ".cache is %d: it is one of AUTOTUNE_CACHE_ON, _OFF, _READONLY", (int)o->cache);
    else if (!autotune__is_within(o->launch_timeout, 0, 1e9))
        autotune__append(problem, ".launch_timeout is %g: it is a time in seconds, or 0 for the default",
                         o->launch_timeout);
    else if (o->compile_threads < 0 || o->compile_threads > 256)
        autotune__append(problem, ".compile_threads is %d: it is a number of threads up to 256, or 0 for the default",
                         o->compile_threads);
    else if (!autotune__is_within(o->max_seconds, 0, 1e9))
        autotune__append(problem, ".max_seconds is %g: it is a time in seconds, or 0 for the default", o->max_seconds);
    else if (!autotune__is_within(o->stop_at_ns, 0, 1e18))
        autotune__append(problem, ".stop_at_ns is %g: it is a time in nanoseconds, or 0 for never", o->stop_at_ns);
    else if (b && (!b->device || !b->now || !b->allocate || !b->release || !b->copy || !b->fill || !b->read ||
                   !b->write || !b->flush))
        autotune__append(problem, ".backend lacks a function that every backend has: start from autotune_cpu()");
    else if (b && !b->start != !b->stop)
        autotune__append(problem, ".backend has %s: a clock of the device's own needs both",
                         b->start ? "start() and no stop()" : "stop() and no start()");
    else
        return autotune__buffer_problem(problem, o);
    return true;
}

static void autotune__free_options(autotune_options *options) {
    uint32_t i;
    for (i = 0; i < autotune__parts(&options->key); i++)
        if (autotune__part_type(options->key.types, i) == AUTOTUNE_STRING)
            autotune__free((void *)(uintptr_t)options->key.word[i]);
    autotune__free((void *)(uintptr_t)options->key.text);
    autotune__free((void *)(uintptr_t)options->version);
    autotune__free((void *)(uintptr_t)options->name);
    options->key.count = 0;
    options->key.text = options->version = options->name = NULL;
}
/* Copies options with their strings. False: no memory, and there is nothing to free. */
static bool autotune__copy_options(autotune_options *to, const autotune_options *from) {
    bool complete;
    uint32_t i;
    *to = *from;
    /* A copy that autotune_add() made, and that is copied again in the thread that tunes, has its place already. */
    if (to->backend && to->backend->place && !to->autotune__place)
        to->autotune__place = to->backend->place(to->backend);
    to->name = autotune__copy_string(from->name);
    to->version = autotune__copy_string(from->version);
    to->key.text = autotune__copy_string(from->key.text);
    complete = !to->name == !from->name && !to->version == !from->version && !to->key.text == !from->key.text;
    for (i = 0; i < autotune__parts(&from->key); i++) {
        char *copy;
        if (autotune__part_type(from->key.types, i) != AUTOTUNE_STRING || !from->key.word[i]) continue;
        copy = autotune__copy_string(autotune__as_string(from->key.word[i]));
        to->key.word[i] = autotune__word_pointer(copy);
        complete = complete && copy;
    }
    if (!complete) autotune__free_options(to);
    return complete;
}

/* ---- src/statement/begin.h -----------------------------------------------------------------------------------------
   A statement begins: its name, its identity, and its memory. */

/* The name of a call site, for three %s: its file without folders, a colon, its function. A created tuner has no
   file. */
#define AUTOTUNE__SITE_NAME(site) autotune__site_file(site), (site)->file ? ":" : "", (site)->function
static const char *autotune__site_file(const autotune__site *site) {
    const char *slash = site->file ? strrchr(site->file, '/') : NULL;
    return slash ? slash + 1 : site->file ? site->file : "";
}
static char *autotune__site_name(const autotune__site *site) {
    const size_t bytes = strlen(autotune__site_file(site)) + 1 + strlen(site->function) + 1;
    char *name = (char *)autotune__allocate(bytes);
    if (name) snprintf(name, bytes, "%s%s%s", AUTOTUNE__SITE_NAME(site));
    return name;
}
/* The texts of a tuner, which are the same in every process: version, compiler and target, the text of space and call,
   and the values of all axes. The text of a block is not known, so that its line stands for that. The order in which
   the blocks of a function run would not do: the input of the program may choose which of them run. */
static void autotune__append_texts(autotune__text *text, const autotune__statement *statement) {
    const char *written = statement->subject.site->text;
    size_t length = 0;
    autotune__append(text, "%s\n%s\n", statement->subject.options.version ? statement->subject.options.version : "",
                     statement->subject.site->build);
    if (!written) autotune__append(text, "created");
    else if (autotune__is_select(&statement->subject.space)) autotune__append(text, "%s", written);
    else {
        const char *part = autotune__part(written, 0, &length);
        autotune__append(text, "%.*s", (int)length, part ? part : "");
        part = autotune__call_text(&statement->subject, &length);
        if (part) autotune__append(text, "\n%.*s", (int)length, part);
        else autotune__append(text, "\n%d", statement->subject.site->line);
    }
    autotune__append_space(text, &statement->subject.space);
}
/* The identity: two call sites of this process are the same tuner if they have the same name, texts, backend and
   addresses of functions. */
static void autotune__append_identity(autotune__text *text, const autotune__statement *statement,
                                      const autotune__text *texts) {
    autotune__append(text, "%s\n%s\n%s %p", statement->subject.name, autotune__string(texts),
                     statement->subject.backend->device,
                     statement->subject.backend->family ? statement->subject.backend->family
                                                        : (const void *)statement->subject.options.backend);
    autotune__append_pointers(text, &statement->subject.space);
    text->broken = text->broken || texts->broken;
}
/* Finds or makes the tuner and the record in the registry. False: no memory. */
static bool autotune__identify(autotune__statement *statement) {
    autotune__text texts = { NULL, false }, identity = { NULL, false }, key = { NULL, false };
    bool enrolled;
    autotune__append_texts(&texts, statement);
    autotune__append_identity(&identity, statement, &texts);
    autotune__append_key(&key, &statement->subject.options.key, true);
    autotune__append(&key, "%s", "");           /* a key without parts is an empty string */
    enrolled = !identity.broken && !key.broken &&
               autotune__enrol(&statement->subject, identity.at, key.at, autotune__hash_string(texts.at));
    if (enrolled) autotune__identify_on_disk(&statement->store, key.at);
    autotune__free_text(&texts);
    autotune__free_text(&identity);
    autotune__free_text(&key);
    return enrolled;
}

/* False: no memory; then autotune__end_subject() frees what there is. */
static bool autotune__begin_subject(autotune__subject *subject, autotune__site *site, const autotune_options *options,
                                    autotune_mode mode) {
    autotune_backend *backend = options->backend ? options->backend : &autotune__cpu_backend;
    if (!autotune__copy_options(&subject->options, options)) return false;
    subject->site = site;
    subject->code = site;
    subject->mode = mode;
    if (!options->name) subject->own_name = autotune__site_name(site);
    subject->name = options->name ? subject->options.name : subject->own_name;
    subject->backend =
        backend->open ? backend->open(backend, subject->options.autotune__place, &subject->options) : backend;
    subject->space.points = 1;
    subject->space.at = SIZE_MAX;
    return subject->name && subject->backend;
}
static void autotune__end_subject(autotune__subject *subject) {
    autotune_backend *backend = subject->backend;
    if (backend && backend->close) backend->close(backend);
    autotune__free_space(&subject->space);
    autotune__free_options(&subject->options);
    autotune__free(subject->own_name);
}
static void autotune__free_statement(autotune__statement *statement) {
    autotune__unpin(&statement->trial.pinned.affinity);
    autotune__end_store(&statement->store);
    autotune__free_memories(&statement->trial.memories, statement->subject.backend);
    autotune__free_text(&statement->trial.why);
    autotune__end_subject(&statement->subject);
    autotune__free(statement);
}
static void autotune__make_current(autotune__statement *statement) {
    autotune__current = statement;
    if (__atomic_load_n(&autotune__ends_threads, __ATOMIC_ACQUIRE))
        autotune__set_thread_value(autotune__thread_end, statement);
}
static autotune__statement *autotune__make_statement(autotune__site *site, const autotune_options *options,
                                                     autotune_mode mode) {
    autotune__statement *statement = (autotune__statement *)autotune__allocate(sizeof *statement),
                        *outer = autotune__current;
    if (!statement) return NULL;
    if (!autotune__begin_subject(&statement->subject, site, options, mode)) {
        autotune__free_statement(statement);
        return NULL;
    }
    autotune__begin_store(&statement->store, &statement->subject, outer ? &outer->store : NULL);
    statement->outer = outer;
    statement->turn.subject = &statement->subject;
    statement->turn.outer = outer ? &outer->turn : NULL;
    statement->trial.subject = &statement->subject;
    statement->trial.turn = &statement->turn;
    statement->trial.store = &statement->store;
    autotune__clear_result(&statement->result);
    autotune__make_current(statement);
    return statement;
}
static autotune__statement *autotune__new_statement(autotune__site *site, const autotune_options *options,
                                                    autotune_mode mode) {
    const int cancellation = autotune__hold_cancellation();
    autotune__statement *statement = autotune__make_statement(site, options, mode);
    autotune__set_cancellation(cancellation);
    return statement;
}

/* Makes a statement that is no hit. The call site describes its axes next. */
static autotune__start autotune__begin_statement(autotune__site *site, const autotune_options *options,
                                                 autotune_mode mode, bool refused) {
    autotune__start start = { NULL, NULL };
    autotune_result nothing;
    autotune__statement *statement = autotune__new_statement(site, options, mode);
    if (statement) {
        statement->refused = refused;
        start.tuning = &statement->head;
    } else {
        autotune__complain("%s%s%s: out of memory before the space could be described; the call was not made",
                           AUTOTUNE__SITE_NAME(site));
        autotune__clear_result(&nothing);
        nothing.status = AUTOTUNE_ERR_MEMORY;
        if (options->result) *options->result = autotune__shown(&nothing);
    }
    return start;
}
AUTOTUNE__COLD autotune__start autotune__begin(autotune__site *site, const autotune_options *options) {
    const autotune_mode mode = (autotune__ready(), autotune__mode_of(options));
    autotune__start hit = { NULL, NULL };
    if (mode != AUTOTUNE_OFF && !autotune__key_problem(&options->key)) hit.slot = autotune__find_said(site, options);
    if (!hit.slot || (mode == AUTOTUNE_FORCE && !autotune__entry_of(hit.slot)->forced))
        return autotune__begin_statement(site, options, mode, false);
    if (options->result) autotune__answer_hit(hit.slot, options->result);
    return hit;
}
/* Begins a statement once more after a hit that WHERE refused. */
AUTOTUNE__COLD autotune__start autotune__begin_refused(autotune__site *site, const autotune_options *options) {
    return autotune__begin_statement(site, options, autotune__mode_of(options), true);
}

/* ---- src/statement/describe.h --------------------------------------------------------------------------------------
   What the loop of a statement tells: its axes, and what WHERE, PRIORITY and MODEL say of a point. */

static autotune__space *autotune__space_of(autotune__tuning *tuning) {
    return &autotune__statement_of(tuning)->subject.space;
}

AUTOTUNE__COLD void autotune__tell_axis(autotune__tuning *tuning, const char *name, const char *text,
                                        const void *values, size_t count, int type) {
    autotune__space *space = autotune__space_of(tuning);
    if (!values && count) space->problem = "an AXIS_OF has a NULL pointer";
    else if (!count) space->problem = "an AXIS_OF has no value";
    autotune__add_list(space, name, text, values, count, (autotune_type)type);
}
AUTOTUNE__COLD void autotune__range(autotune__tuning *tuning, const char *name, int64_t first, int64_t last,
                                    int64_t step, autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    const size_t count = autotune__steps(first, last, step);
    const int64_t end = (int64_t)((uint64_t)first + (count - 1) * (uint64_t)step);
    if (!count)
        space->problem = "a RANGE has no value: its step is 0 or leads away from its last value";
    else if (type == AUTOTUNE_U64 ? (end < 0) != (first < 0)
                                  : autotune__int_of_value(type, autotune__value_of_int(type, end)) != end)
        space->problem = "a RANGE has values that its first value's type cannot hold";
    autotune__add_rule(space, name, AUTOTUNE__STEPS, first, step, count, type);
}
AUTOTUNE__COLD void autotune__pow2(autotune__tuning *tuning, const char *name, int64_t first, int64_t last,
                                   autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    const size_t count = autotune__doublings(first, last);
    if (!count)
        space->problem = "a POW2 has no value: its first is not positive or above its last";
    else if (type != AUTOTUNE_U64 &&
             autotune__int_of_value(type, autotune__value_of_int(type, first << (count - 1))) != first << (count - 1))
        space->problem = "a POW2 has values that its first value's type cannot hold";
    autotune__add_rule(space, name, AUTOTUNE__DOUBLING, first, 0, count, type);
}
AUTOTUNE__COLD void autotune__table(autotune__tuning *tuning, const char *text, const void *rows, size_t row_bytes,
                                    size_t count) {
    autotune__space *space = autotune__space_of(tuning);
    autotune__dimension *dimension = autotune__new_dimension(space, count);
    dimension->table = true;
    dimension->rows = (const unsigned char *)rows;
    dimension->row_bytes = row_bytes;
    dimension->text = text;
}
/* A column of the table that was told last. */
AUTOTUNE__COLD void autotune__column(autotune__tuning *tuning, const char *name, size_t offset, autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    const size_t dimension = space->dimension_count - 1;
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->dimension = dimension;
    axis->texts = space->dimensions[dimension].text;
    axis->column = space->dimensions[dimension].columns++;
    autotune__copy_values(space, axis, space->dimensions[dimension].rows + offset,
                          space->dimensions[dimension].row_bytes, space->dimensions[dimension].count);
}
AUTOTUNE__COLD void autotune__calls(autotune__tuning *tuning, const char *text, const char *expanded, size_t count) {
    autotune__space *space = autotune__space_of(tuning);
    size_t length = 0;
    autotune__add_rule(space, "call", AUTOTUNE__STEPS, 0, 1, count, AUTOTUNE_U64);
    /* The written text has fewer parts than there are calls where a macro of the program stands for several. */
    space->axes[0].texts = autotune__part(text, count - 1, &length) ? text : expanded;
}
AUTOTUNE__COLD void autotune__call_name(autotune__tuning *tuning, size_t call, const char *name) {
    if (call < 64) autotune__space_of(tuning)->call_names[call] = name;
}

/* What WHERE, PRIORITY and MODEL say of the point to which the loop has bound the axes. */
AUTOTUNE__COLD void autotune__admit(autotune__tuning *tuning, bool admitted) {
    autotune__statement_of(tuning)->answer.admitted = admitted;
}
AUTOTUNE__COLD void autotune__priority(autotune__tuning *tuning, int64_t group, int64_t intra) {
    autotune__answer *answer = &autotune__statement_of(tuning)->answer;
    answer->grouped = true;
    answer->group = group;
    answer->intra = intra;
}
AUTOTUNE__COLD void autotune__model(autotune__tuning *tuning, double cost) {
    autotune__statement_of(tuning)->answer.cost = cost;
}
/* Locates a point, so that the loop judges it next. False: an earlier point has the same values, and this one is not
   admitted. */
static bool autotune__judge(autotune__statement *statement, size_t index) {
    size_t repeated;
    memset(&statement->answer, 0, sizeof statement->answer);
    statement->answer.cost = AUTOTUNE__NEVER;
    statement->judged++;
    autotune__locate(&statement->subject.space, index);
    statement->head.filtering = true;
    repeated = autotune__repeated(&statement->subject.space);
    if (repeated == statement->subject.space.dimension_count) return true;
    statement->answer.skip = autotune__points_below(&statement->subject.space, repeated);
    return false;
}

/* ---- src/statement/failures.h --------------------------------------------------------------------------------------
   What a call says of its failure: a status, autotune_explain(), autotune_reject(), a wrong number of blocks. */

/* ---- src/statement/trial.h -----------------------------------------------------------------------------------------
   A trial, which carries out one RUN of the race: buffers, launches, the clock, checks of the outputs, repetitions. */

/* ---- src/statement/time.h ------------------------------------------------------------------------------------------
   The time since a race began; jumps of the clock, and times for which the process was stopped. */

/* A time is lost if it is far longer than any launch, and a second clock, the witness, saw less than a tenth of it. The
   clock of a backend of the user's own may jump: its witness is the machine's clock, and far means 10 s and 100 times
   the longest launch. The machine's clock goes on while the process is stopped (by Ctrl-Z, or with its container): its
   witness is the time for which the process computed, and far means 100 ms, which is twice the pause for a throttled
   device, and 10 times the longest launch. */
static bool autotune__has_own_clock(const autotune__trial_state *trial) {
    return trial->subject->backend->now != autotune__cpu_now && !trial->subject->backend->start;
}
static uint64_t autotune__witness(const autotune__trial_state *trial) {
    return autotune__has_own_clock(trial) ? autotune__monotonic_ns() : autotune__computed_ns();
}
static bool autotune__has_jumped(const autotune__trial_state *trial, uint64_t from, uint64_t to) {
    const bool own = autotune__has_own_clock(trial);
    const uint64_t ns = to > from ? to - from : 0, enough = own ? 10000000000u : 100000000u, times = own ? 100 : 10;
    return ns >= enough && (double)(ns / times) > trial->watch.longest_known_ns &&
           autotune__witness(trial) - trial->watch.witnessed < ns / 10;
}
static void autotune__lose(autotune__trial_state *trial, double ns) {
    trial->watch.lost_ns += ns;
    trial->answer.clock_jumped = autotune__has_own_clock(trial);
}
/* Loses the time between two launches, but at most eight times in a race: a .setup that sleeps looks the same. */
static void autotune__lose_gap(autotune__trial_state *trial) {
    const unsigned most = 8;
    if (!autotune__has_jumped(trial, trial->watch.stopped, trial->watch.started) || trial->watch.gaps >= most) return;
    trial->watch.gaps++;
    autotune__lose(trial, (double)(trial->watch.started - trial->watch.stopped));
}
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {        /* since the race began */
    return ((double)(now - trial->watch.began) - trial->watch.lost_ns) / 1e9;
}

/* ---- src/statement/sample.h ----------------------------------------------------------------------------------------
   A sample: the time of a RUN from the times of its launches. */

/* The time of several launches that were timed one by one. Now and then something else happens between the two readings
   of the clock: the process waits for a processor, or the driver for a lock while the device idles. On an H100 one cold
   launch in a hundred took 100 us, where the others took 3 us. So a launch of more than twice the median, and more than
   the steps of the clock explain, counts as the mean of the others. If the median is 0, all times count, since the
   steps are longer than the launches. The times are sorted; the median of two times is the shorter. */
static double autotune__sum_of_launches(const double *sorted, size_t count, double tick_ns) {
    const double median = count ? sorted[(count - 1) / 2] : 0,
                 most = median > 0 ? 2 * (median + tick_ns) : AUTOTUNE__NEVER;
    double sum = 0;
    size_t i;
    for (i = 0; i < count && sorted[i] <= most; i++) sum += sorted[i];
    return i ? sum * (double)count / (double)i : 0;
}
static void autotune__forget_times(autotune__trial_state *trial) {
    trial->elapsed_ns = trial->settled_ns = 0;
    trial->alone = 0;
}
/* Adds the time of the batch that ended. */
static void autotune__take_time(autotune__trial_state *trial, double ns) {
    size_t at = trial->alone;
    if (trial->batch > 1 || at == AUTOTUNE_MOST_QUEUED) {
        trial->settled_ns = trial->elapsed_ns;
        trial->alone = at = 0;
    }
    if (trial->batch > 1) { trial->elapsed_ns = trial->settled_ns += ns; return; }
    for (; at && trial->alone_ns[at - 1] > ns; at--) trial->alone_ns[at] = trial->alone_ns[at - 1];
    trial->alone_ns[at] = ns;
    trial->elapsed_ns = trial->settled_ns + autotune__sum_of_launches(trial->alone_ns, ++trial->alone,
                                                                      autotune__race_of(trial->turn)->limits.tick_ns);
}

/* ---- src/statement/launch.h ----------------------------------------------------------------------------------------
   The call for real: with the winner, or with the first configuration. */

/* Seeks the first configuration that WHERE admits. It is launched in mode OFF, in mode CACHED on a miss, and when
   tuning is impossible; in mode REQUIRE nothing is launched instead of the winner. */
static void autotune__seek_first(autotune__statement *statement) {
    statement->phase = AUTOTUNE__SEEKING;
    statement->point = statement->judged = 0;
    statement->subject.space.value[AUTOTUNE_MAX_AXES] = 0;   /* what was prepared is for another configuration */
}
static const char *autotune__instead(const autotune__statement *statement) {
    if (statement->tune_only) return "nothing was tuned";
    return statement->subject.mode == AUTOTUNE_REQUIRE ? "the mode is REQUIRE, so the call was not made"
                                          : "the first configuration is launched untuned";
}
/* Ends the statement without its call. */
static bool autotune__end(autotune__statement *statement) {
    statement->phase = AUTOTUNE__ENDED;
    statement->result.launches = statement->trial.launches;
    statement->result.status = statement->status;
    if (statement->subject.options.result) *statement->subject.options.result = autotune__shown(&statement->result);
    return false;
}
/* Makes the call with the configuration at index, unless the statement only tunes. */
static bool autotune__launch_for_real(autotune__statement *statement, size_t index) {
    if (statement->tune_only) return autotune__end(statement);
    autotune__locate(&statement->subject.space, index);
    if (statement->result.config.count)
        /* The strings of result.config outlive the call. */
        memcpy(statement->subject.space.value, statement->result.config.values, sizeof statement->result.config.values);
    statement->phase = AUTOTUNE__LAUNCHING;
    statement->head.filtering = statement->head.trial = false;
    statement->trial.more = 0;
    statement->trial.batch = 0;
    statement->trial.launch_status = AUTOTUNE_OK;
    statement->result.launches = statement->trial.launches + 1;
    autotune__clear_text(&statement->trial.why);
    return true;
}
static bool autotune__launch_known(autotune__statement *statement) {
    statement->result = statement->entry->result;
    if (statement->tune_only) return autotune__end(statement);
    memcpy(statement->subject.space.value, statement->entry->value,
           AUTOTUNE_MAX_AXES * sizeof *statement->subject.space.value);
    statement->subject.space.value[AUTOTUNE_MAX_AXES] =
        __atomic_load_n(&statement->entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_ACQUIRE);
    statement->subject.space.at = SIZE_MAX;                  /* value[] holds the values of no located point */
    statement->phase = AUTOTUNE__LAUNCHING;
    statement->head.filtering = statement->head.trial = false;
    statement->trial.more = 0;
    statement->trial.launch_status = AUTOTUNE_OK;
    return true;
}

/* What an error of a launch means to its backend. */
static autotune_error_class autotune__class_of(autotune_backend *backend, autotune_status status) {
    return backend->classify ? backend->classify(backend, status) : AUTOTUNE_ERROR_CONFIGURATION;
}
static bool autotune__loses_device(autotune_backend *backend, autotune_status status) {
    return status != AUTOTUNE_OK && autotune__class_of(backend, status) == AUTOTUNE_ERROR_DEVICE;
}
/* Stops the clock of the device. A launch that has failed keeps its own error and reason, unless the device is lost. */
static void autotune__stop_clock(autotune__trial_state *trial, double *ns) {
    autotune_backend *backend = trial->subject->backend;
    const autotune__text none = { NULL, false };
    autotune__text other = trial->why;
    autotune_status status;
    bool counts;
    trial->why = none;                          /* stop() may explain itself */
    status = backend->stop(backend, ns);
    counts = trial->launch_status == AUTOTUNE_OK ? status != AUTOTUNE_OK
                                                 : autotune__loses_device(backend, status) &&
                                                       !autotune__loses_device(backend, trial->launch_status);
    if (counts) trial->launch_status = status;
    if (!counts || !trial->why.at || !*trial->why.at) {
        const autotune__text unused = trial->why;
        trial->why = other;
        other = unused;
    }
    autotune__free_text(&other);
}
/* What the launches since the start of the clock took together. */
static double autotune__clocked(autotune__trial_state *trial, uint64_t stopped) {
    double ns = stopped > trial->watch.started ? (double)(stopped - trial->watch.started) : 0;
    if (trial->subject->backend->stop) autotune__stop_clock(trial, &ns);
    return autotune__is_definite(ns) ? ns : 0;
}
static void autotune__count_launches(autotune__trial_state *trial, uint32_t count) {
    trial->answer.made += count;
    trial->launches += count;
}
/* The RUN ends with the status of its last launch. */
static void autotune__end_run(autotune__trial_state *trial) {
    trial->answer.status = trial->launch_status;
    trial->answer.reason = autotune__reason(trial, trial->launch_status);
}
static void autotune__fail_launch(autotune__trial_state *trial, autotune_status status) {
    if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = status;
    trial->batch -= trial->more;                /* no further launch of this batch */
    trial->more = 0;
}
static bool autotune__is_cold(const autotune__trial_state *trial) {
    return (trial->subject->options.cache_state ? trial->subject->options.cache_state
                                              : trial->subject->backend->cache_state) == AUTOTUNE_COLD;
}
/* Puts the limit of the race off by the time since `from`: checking large outputs, or compiling, may take longer than
   all launches of a configuration. */
static void autotune__spend_besides(autotune__trial_state *trial, uint64_t from) {
    const uint64_t now = trial->subject->backend->now(trial->subject->backend);
    if (now > from) autotune__put_off_limit(autotune__race_of(trial->turn), (double)(now - from) / 1e9);
}
static autotune_status autotune__poison_outputs(autotune__trial_state *trial) {
    const uint64_t from = trial->subject->backend->now(trial->subject->backend);
    const autotune_status status = autotune__poison(&trial->memories, trial->subject->backend);
    autotune__spend_besides(trial, from);
    return status;
}
static autotune_status autotune__prepare_launch(autotune__trial_state *trial) {
    const autotune_options *o = &trial->subject->options;
    autotune_backend *backend = trial->subject->backend;
    autotune_status status;
    if (trial->checking && o->outputs.count && (status = autotune__poison_outputs(trial)) != AUTOTUNE_OK)
        return status;
    if ((status = autotune__restore_and_zero(&trial->memories, backend)) != AUTOTUNE_OK) return status;
    if (o->setup) o->setup(o->user);
    return autotune__is_cold(trial) ? backend->flush(backend) : AUTOTUNE_OK;
}
static bool autotune__prepare_trial(autotune__trial_state *trial) { /* false: this failed, and so the launch */
    trial->launch_status = autotune__prepare_launch(trial);
    if (trial->launch_status == AUTOTUNE_ERR_MEMORY) trial->answer.no_memory = true;
    if (trial->launch_status != AUTOTUNE_OK && (!trial->why.at || !*trial->why.at))
        autotune__append(&trial->why, "its buffers could not be prepared");
    return trial->launch_status == AUTOTUNE_OK;
}
static uint32_t autotune__batch_of(autotune__trial_state *trial) {
    const bool limited = trial->request.limit_ns > 0;
    const uint32_t left = trial->request.launches - trial->launched,
                   most = limited ? trial->request.at_least : (uint32_t)AUTOTUNE_MOST_QUEUED;
    trial->queued =
        trial->apart && !trial->checking && trial->subject->backend->mark && !trial->subject->options.setup;
    if (trial->queued) return left < most ? left : most;
    return trial->apart || trial->checking || limited ? 1 : left;
}
static bool autotune__launch_trial(autotune__trial_state *trial) { /* false: the launch failed before it began */
    if ((trial->apart || trial->checking) && !autotune__prepare_trial(trial)) return false;
    if (trial->checking) autotune__blame(trial->store, trial->request.index, NULL);
    trial->batch = autotune__batch_of(trial);
    trial->more = trial->batch - 1;
    trial->watch.started = trial->subject->backend->now(trial->subject->backend);
    autotune__lose_gap(trial);
    if (!trial->subject->backend->start) return true;
    trial->launch_status = trial->subject->backend->start(trial->subject->backend);
    if (trial->launch_status != AUTOTUNE_OK) autotune__acquit(trial->store, trial->request.index);
    return trial->launch_status == AUTOTUNE_OK;
}
/* Queues the next launch of a batch whose launches are prepared and timed one by one. False: this failed, and the batch
   ends with the last launch. */
static bool autotune__queue_launch(autotune__trial_state *trial) {
    autotune_status status = trial->subject->backend->mark(trial->subject->backend);
    if (status == AUTOTUNE_OK)
        status = autotune__prepare_trial(trial) ? trial->subject->backend->start(trial->subject->backend)
                                               : trial->launch_status;
    if (status != AUTOTUNE_OK) autotune__fail_launch(trial, status);
    return status == AUTOTUNE_OK;
}
/* Writes the race to the cache on disk, if `interval` seconds have passed since the last time. */
static void autotune__write_checkpoint(autotune__trial_state *trial, uint64_t now, double interval) {
    autotune__checkpoint(trial->store, autotune__race_of(trial->turn), autotune__seconds(trial, now), trial->launches,
                         interval);
}
static void autotune__say_suspect(autotune__trial_state *trial, const char *note) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, trial->subject);
    autotune__append(&text, ": ");
    autotune__append_point(&text, &trial->subject->space, trial->request.index);
    autotune__append(&text, ": %s; 'autotune clear' forgets that", note);
    autotune__complain("%s", autotune__string(&text));
    autotune__free_text(&text);
}
/* May the configuration be launched, although earlier runs of the program ended in its launch? Its row and the log say
   what is done with a suspect. */
static bool autotune__admits_suspect(autotune__trial_state *trial) {
    const bool others_work = autotune__is_definite(autotune__race_of(trial->turn)->best_ns);
    autotune__suspicion suspicion = autotune__suspicion_of(trial->store, trial->request.index);
    const char *note;
    if (suspicion == AUTOTUNE__UNSUSPECTED) return true;
    if (suspicion == AUTOTUNE__TO_BE_SPARED && !others_work) suspicion = AUTOTUNE__TO_BE_LAST;
    note = suspicion == AUTOTUNE__TO_BE_LAST ? "tried last: it did not come back in an earlier run"
         : suspicion == AUTOTUNE__TO_BE_SPARED
             ? "skipped: the device was lost in its launch in an earlier run, and others work"
         : suspicion == AUTOTUNE__CONVICTED ? "skipped: its launch broke the device in an earlier run"
                                            : "skipped: it did not come back in earlier runs, again and again";
    autotune__annotate(autotune__race_of(trial->turn), note);
    autotune__say_suspect(trial, note);
    if (suspicion == AUTOTUNE__TO_BE_LAST) {
        if (autotune__race_of(trial->turn)->conditions.runs)
            autotune__write_checkpoint(trial, trial->subject->backend->now(trial->subject->backend), 0);
        autotune__locate(&trial->subject->space, trial->request.index);     /* the checkpoint located others */
        return true;
    }
    autotune__append(&trial->why, "%s", note);
    trial->launch_status = AUTOTUNE_FAILED;
    trial->answer.spared = suspicion != AUTOTUNE__CONVICTED;        /* a convicted one is known to fail */
    return false;
}
/* Counts how often the thread moved to another processor, which matters only for launches on the CPU. */
static void autotune__watch_processor(autotune__trial_state *trial) {
    const int before = trial->pinned.processor;
    if (trial->subject->backend->now != autotune__cpu_now) return;
    trial->pinned.processor = autotune__processor();
    trial->pinned.moves += before >= 0 && trial->pinned.processor != before;
}
static bool autotune__begin_run(autotune__trial_state *trial) {
    autotune_backend *backend = trial->subject->backend;
    trial->checking = trial->request.first;
    trial->launched = trial->readings = trial->repeats = 0;
    trial->watch.suspect_ns = 0;
    autotune__forget_times(trial);
    trial->launch_status = AUTOTUNE_OK;
    trial->at_fault = false;
    autotune__clear_text(&trial->why);
    autotune__locate(&trial->subject->space, trial->request.index);
    if (trial->subject->record->left && trial->request.index == trial->subject->record->left_index) {
        autotune__append(&trial->why, "left the body");
        trial->launch_status = AUTOTUNE_ERR_LEFT;
        return false;
    }
    if (trial->checking && !autotune__admits_suspect(trial)) return false;
    if (trial->checking && backend->prepare) {
        autotune_config config;
        uint64_t from;
        if (!autotune__configure(&trial->subject->space, trial->request.index, &config)) {
            trial->launch_status = AUTOTUNE_ERR_MEMORY;
            trial->answer.no_memory = true;
            return false;
        }
        from = backend->now(backend);
        trial->launch_status = backend->prepare(backend, &config, &trial->subject->space.value[AUTOTUNE_MAX_AXES]);
        autotune__spend_besides(trial, from);
        trial->answer.prepared = trial->subject->space.value[AUTOTUNE_MAX_AXES];
        if (trial->launch_status != AUTOTUNE_OK) return false;
    }
    trial->subject->space.value[AUTOTUNE_MAX_AXES] = trial->answer.prepared;
    __atomic_store_n(&trial->turn->spoiled, false, __ATOMIC_RELAXED);
    trial->preemptions = autotune__preemptions(trial->subject->backend);
    autotune__watch_processor(trial);
    return autotune__launch_trial(trial);
}
/* Begins a RUN. False: the configuration failed before its launch, and the answer says so. */
static bool autotune__start_run(autotune__trial_state *trial, const autotune__request *request) {
    trial->request = *request;
    memset(&trial->answer, 0, sizeof trial->answer);
    trial->answer.prepared = request->prepared;
    if (autotune__begin_run(trial)) return true;
    autotune__end_run(trial);
    return false;
}
/* After the first launch of a configuration: compares its outputs with those of the first that worked, then asks
   .verify. */
static void autotune__check_outputs(autotune__trial_state *trial) {
    const autotune_options *o = &trial->subject->options;
    const uint64_t from = trial->subject->backend->now(trial->subject->backend);
    autotune_status status = autotune__compare(&trial->memories, trial->subject->backend, &trial->why);
    if (status == AUTOTUNE_OK && o->verify && !o->verify(o->user)) {
        autotune__append(&trial->why, "refused by .verify");
        status = AUTOTUNE_FAILED;
    }
    if (status == AUTOTUNE_OK) status = autotune__keep_outputs(&trial->memories, trial->subject->backend);
    if (status == AUTOTUNE_ERR_MEMORY) trial->answer.no_memory = true;
    trial->launch_status = status;
    autotune__spend_besides(trial, from);
}
/* Did something else run during this RUN? That is another statement, or its waiting; or another process, unless the RUN
   is so long that this must be expected. */
static bool autotune__was_spoiled(autotune__trial_state *trial) {
    const double short_ns = 20e6;
    const long before = trial->preemptions;
    const bool spoiled = __atomic_exchange_n(&trial->turn->spoiled, false, __ATOMIC_RELAXED);
    trial->preemptions = autotune__preemptions(trial->subject->backend);
    return spoiled || (trial->preemptions != before && trial->elapsed_ns < short_ns);
}
/* Is the time of the RUN suspect, because the clock jumped or the process was stopped? Then the RUN is repeated. If it
   now takes less than a tenth of the time, the suspicion was right, and the time before is lost. */
static bool autotune__is_suspect(autotune__trial_state *trial, uint64_t stopped) {
    const double ns = (double)(stopped - trial->watch.started), suspect_ns = trial->watch.suspect_ns;
    trial->watch.suspect_ns = 0;
    if (suspect_ns > 0) {
        if (ns < suspect_ns / 10) autotune__lose(trial, suspect_ns);
    } else if (autotune__has_jumped(trial, trial->watch.started, stopped)) trial->watch.suspect_ns = ns;
    if (!(trial->watch.suspect_ns > 0) && ns / trial->batch > trial->watch.longest_known_ns)
        trial->watch.longest_known_ns = ns / trial->batch;
    return trial->watch.suspect_ns > 0;
}
static bool autotune__repeat_run(autotune__trial_state *trial) {
    trial->launched = trial->readings = 0;
    autotune__forget_times(trial);
    return autotune__launch_trial(trial);
}
static bool autotune__run_goes_on(const autotune__trial_state *trial, uint64_t stopped) {
    const autotune__request *asked = &trial->request;
    const bool enough =
        asked->limit_ns > 0 && trial->launched >= asked->at_least && trial->elapsed_ns > asked->limit_ns;
    return trial->launched < asked->launches && !enough &&
           autotune__seconds(trial, stopped) < autotune__race_of(trial->turn)->limits.seconds;
}
static bool autotune__has_lost_device(const autotune__trial_state *trial) {
    return autotune__loses_device(trial->subject->backend, trial->launch_status);
}
/* Fails a launch that took less than the least time of a launch: it did not run on the stream that is timed. A RUN that
   is spoiled is repeated instead. If nothing runs, a clock with steps shows at most a quarter of a step in the mean;
   where steps are longer than the least time, some readings are needed. */
static void autotune__check_time(autotune__trial_state *trial) {
    const double steps_ns = trial->readings * autotune__race_of(trial->turn)->limits.tick_ns,
                 least_ns = trial->launched * trial->subject->backend->least_launch_ns;
    const uint32_t some = 16;
    if (trial->launch_status != AUTOTUNE_OK || !(least_ns > 0 && trial->elapsed_ns < least_ns + steps_ns / 2))
        return;
    if (__atomic_load_n(&trial->turn->spoiled, __ATOMIC_RELAXED) || (steps_ns > least_ns && trial->readings < some))
        return;
    autotune__append(
        &trial->why,
        "%.0f ns is less than an empty launch takes: the call launches on another stream than .backend names, "
        "or its launch was refused and nobody asked for the error (after <<<>>> return cudaGetLastError())",
        trial->elapsed_ns / trial->launched);
    trial->launch_status = AUTOTUNE_FAILED;
}
/* A device may compile a kernel while its first launch waits, and its clock does not count that. So a first launch
   counts twice as long as it took there, at most, against the limit of the race. */
static void autotune__put_off_first_launch(autotune__trial_state *trial, double ns) {
    const double passed_ns = (double)(trial->subject->backend->now(trial->subject->backend) - trial->watch.started);
    if (passed_ns > 2 * ns) autotune__put_off_limit(autotune__race_of(trial->turn), (passed_ns - 2 * ns) / 1e9);
}
/* Takes the end of a launch or a batch. True: the RUN goes on with another launch. False: it is complete, and the
   answer is filled in. */
static bool autotune__took_launch(autotune__trial_state *trial, uint64_t stopped) {
    const uint32_t readings = trial->queued ? trial->batch : 1;
    const double ns = autotune__clocked(trial, stopped), cost_ns = readings * trial->clock_cost_ns,
                 own = ns > cost_ns ? ns - cost_ns : 0;
    const bool suspect = autotune__is_suspect(trial, stopped);
    if (trial->checking && trial->subject->backend->stop) autotune__put_off_first_launch(trial, ns);
    if (trial->checking && !autotune__has_lost_device(trial)) autotune__acquit(trial->store, trial->request.index);
    trial->watch.stopped = stopped;
    trial->watch.witnessed = autotune__witness(trial);
    autotune__take_time(trial, own);
    trial->launched += trial->batch;
    autotune__count_launches(trial, trial->batch);
    trial->readings += readings;
    autotune__check_time(trial);
    if ((uint64_t)ns / trial->batch > trial->turn->longest_ns)
        __atomic_store_n(&trial->turn->longest_ns, (uint64_t)ns / trial->batch, __ATOMIC_RELAXED);
    if (trial->checking && trial->launch_status == AUTOTUNE_OK &&
        (trial->subject->options.outputs.count || trial->subject->options.verify))
        autotune__check_outputs(trial);
    trial->checking = false;
    /* The launch did not return properly: the journal keeps its line. */
    if (autotune__has_lost_device(trial))
        autotune__blame(trial->store, trial->request.index, trial->at_fault ? "launch" : "device");
    if (trial->launch_status == AUTOTUNE_OK) {
        const bool spoiled = autotune__was_spoiled(trial);
        if (suspect || (spoiled && trial->repeats++ < 3)) { /* at most three times: every RUN may be spoiled */
            if (autotune__repeat_run(trial)) return true;
        } else if (autotune__run_goes_on(trial, stopped)) {
            if (autotune__launch_trial(trial)) return true;
        } else trial->answer.disturbed = spoiled;
    } else if (suspect) autotune__lose(trial, ns);
    autotune__end_run(trial);
    trial->answer.ns = trial->launched ? trial->elapsed_ns / trial->launched : 0;
    trial->answer.launches = trial->launched;
    return false;
}

/* A status other than AUTOTUNE_OK, from the body or the call. */
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status) {
    autotune__fail_launch(&autotune__statement_of(tuning)->trial, (autotune_status)status);
}
/* The winner failed in a hit: it is forgotten, and the next call tunes again. */
AUTOTUNE__COLD void autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why) {
    autotune__entry *entry = autotune__entry_of(slot);
    autotune__lock_mutex(&autotune__lock);
    autotune__forget(entry);
    entry->record->distrusted = true;
    autotune__unlock_mutex(&autotune__lock);
    if (result) result->status = (autotune_status)status;
    autotune__complain("%s%s%s: the winner failed (%s) and is forgotten; a later call tunes again",
                       AUTOTUNE__SITE_NAME(site), why ? why : autotune_status_text((autotune_status)status));
}
AUTOTUNE__COLD void autotune__hit_violated(const autotune__site *site, const uint64_t *slot) {
    if (!__atomic_exchange_n(&autotune__entry_of(slot)->violated, true, __ATOMIC_RELAXED))
        autotune__complain(
            "%s%s%s: the known winner does not satisfy WHERE here and is not launched: something that WHERE "
            "reads is missing in .key, or is bucketed there by ANCHOR(...)",
            AUTOTUNE__SITE_NAME(site));
}
/* As autotune__hit_violated(), for a winner that was found after a miss. False: WHERE admitted the configuration in
   this very statement. */
AUTOTUNE__COLD bool autotune__known_violated(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (!statement->entry || statement->subject.space.at != SIZE_MAX) return false;
    autotune__hit_violated(statement->subject.site, statement->entry->value);
    return statement->refused = true;
}
/* Keeps the first reason of a launch, since later failures mostly follow from the first. */
static void autotune__explain_list(const char *format, va_list list) {
    autotune__statement *statement = autotune__current;
    if (statement && !(statement->trial.why.at && *statement->trial.why.at))
        autotune__append_list(&statement->trial.why, format, list);
}
AUTOTUNE__COLD void autotune_explain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__explain_list(format, list);
    va_end(list);
}
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...) {
    autotune__statement *statement = autotune__current;
    va_list list;
    va_start(list, format);
    vsnprintf(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    if (statement) {
        autotune__clear_text(&statement->trial.why);
        autotune__append(&statement->trial.why, "%s", autotune__error);
        autotune__fail_launch(&statement->trial, AUTOTUNE_REJECTED);
    }
    return AUTOTUNE_REJECTED;
}
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void) {
    const autotune_grid none = { 0, 0, 0 };
    autotune__statement *statement = autotune__current;
    if (statement) {
        autotune__clear_text(&statement->trial.why);
        autotune__append(&statement->trial.why, "a number of blocks or threads is negative or above INT32_MAX");
        autotune__fail_launch(&statement->trial, AUTOTUNE_FAILED);
    } else autotune__complain("a number of blocks or threads is negative or above INT32_MAX: 0 is passed instead");
    return none;
}

/* ---- src/statement/settle.h ----------------------------------------------------------------------------------------
   The race of a statement is over: its winner is published, or it ends without one. The turn is released. */

/* What the race found out so far. Points that former times left out belong to the space, too. */
static void autotune__summarise_race(autotune__statement *statement) {
    const autotune__race *race = autotune__race_of(&statement->turn);
    if (!race) return;
    autotune__summarise(race, &statement->result);
    statement->result.space_size += statement->store.former.left_out;
}
/* The race of this statement, if there is one, ends. First it leaves the cache on disk: the file lock belongs to the
   process, and once the turn is released another thread may race the key. */
static void autotune__leave_race(autotune__statement *statement) {
    autotune__hide_progress();
    autotune__unpin(&statement->trial.pinned.affinity);
    autotune__close_race(&statement->store, autotune__race_of(&statement->turn));
}
static void autotune__end_race(autotune__statement *statement) {              /* with autotune__lock */
    autotune__race *race = autotune__race_of(&statement->turn);
    if (race) {
        autotune__free_race(race);
        autotune__free(race);
        statement->subject.record->race = NULL;
    }
    autotune__release(&statement->turn);
}
/* Publishes the winner of the key, and ends the race. Without memory the winner is used once, and the next call tunes
   again. */
static void autotune__settle(autotune__statement *statement, size_t index, uint64_t prepared) {
    autotune__history *history = NULL;
    statement->result.index = index;
    statement->result.status = AUTOTUNE_OK;
    if (autotune__configure(&statement->subject.space, index, &statement->result.config))
        history = autotune__new_history(&statement->subject, autotune__race_of(&statement->turn), &statement->result);
    autotune__locate(&statement->subject.space, index);
    statement->subject.space.value[AUTOTUNE_MAX_AXES] = prepared;
    autotune__leave_race(statement);
    autotune__lock_mutex(&autotune__lock);
    if (history) statement->entry = autotune__revived(&statement->subject, &statement->result);
    if (history && !statement->entry)
        statement->entry = autotune__list_entry(autotune__new_entry(&statement->subject, &statement->result));
    if (statement->entry) {
        if (statement->subject.record->entry) autotune__forget(statement->subject.record->entry);
        statement->subject.record->entry = statement->entry;
        autotune__keep_history(statement->subject.record, history);
        if (!autotune__find_said(statement->subject.site, &statement->subject.options))
            autotune__publish(statement->subject.site, statement->entry);
    } else autotune__drop_history(history);
    autotune__end_race(statement);
    autotune__unlock_mutex(&autotune__lock);
    if (!statement->entry)
        autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                         "out of memory: the winner is used but cannot be kept; the next call tunes again");
}
static void autotune__stop_racing(autotune__statement *statement) {
    autotune__summarise_race(statement);
    autotune__leave_race(statement);
    autotune__lock_mutex(&autotune__lock);
    autotune__end_race(statement);
    autotune__unlock_mutex(&autotune__lock);
}
/* Is the winner known to the registry? */
static bool autotune__finds_winner(autotune__statement *statement) {
    autotune__entry *entry = autotune__look_up(&statement->subject);
    if (entry) statement->entry = entry;
    return entry != NULL;
}

/* ---- src/statement/candidates.h ------------------------------------------------------------------------------------
   Winners that the cache on disk names: each is launched for real, and published if it works. */

/* The buffers are saved before a candidate is launched. If the candidate works, it is published. If it fails, the
   buffers are put back, and the next candidate is tried, or the key is tuned again. */
static void autotune__say_of_candidate(autotune__statement *statement, const char *what, const char *why) {
    const autotune__recalled *recalled = &statement->store.recalled;
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &statement->subject);
    autotune__append(&text, ": the cache names ");
    autotune__append_point(&text, &statement->subject.space, recalled->candidates[recalled->next - 1].index);
    autotune__append(&text, ", which %s%s%s; %s", what, *why ? ": " : "", why,
                     recalled->next < recalled->count ? "another that was nearly as fast is tried" :
                     statement->subject.mode == AUTOTUNE_ON ? "this key is tuned again" : "no winner is known");
    autotune__complain("%s", autotune__string(&text));
    autotune__free_text(&text);
}
static void autotune__accept_candidate(autotune__statement *statement) {
    const uint64_t prepared = statement->subject.space.value[AUTOTUNE_MAX_AXES];
    statement->launches_candidate = false;
    if (autotune__finds_winner(statement)) return;        /* another thread published it before */
    autotune__settle(statement, statement->result.index, prepared);
    autotune__keep_line(&statement->store, &statement->store.recalled.line);
}
/* The times in the cache are of kernels that have changed since: all configurations are raced. */
static void autotune__drop_outdated(autotune__statement *statement) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &statement->subject);
    autotune__append(
        &text,
        ": what an earlier run found no longer counts: the source of a kernel, or its compiler, has changed since");
    autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&text));
    autotune__free_text(&text);
    autotune__drop_outdated_records(&statement->store);
}
/* False: the error is not one of the configuration. */
static bool autotune__reject_candidate(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    if (autotune__class_of(statement->subject.backend, statement->trial.launch_status) != AUTOTUNE_ERROR_CONFIGURATION)
        return false;
    if (autotune__put_back(&statement->trial.memories, backend) != AUTOTUNE_OK) return false;
    if (statement->store.outdated) autotune__drop_outdated(statement);
    else
        autotune__say_of_candidate(statement, "no longer works",
                                   autotune__reason(&statement->trial, statement->trial.launch_status));
    autotune__free_memories(&statement->trial.memories, backend);
    statement->launches_candidate = false;
    statement->trial.launches++;
    statement->phase = AUTOTUNE__RECALLING;
    return true;
}
static void autotune__launched_for_real(autotune__statement *statement) {
    autotune_result *result = &statement->result;
    if (statement->launches_candidate && statement->trial.launch_status == AUTOTUNE_OK)
        autotune__accept_candidate(statement);
    result->status = statement->trial.launch_status != AUTOTUNE_OK ? statement->trial.launch_status : statement->status;
    if (statement->trial.launch_status != AUTOTUNE_OK) {
        if (statement->entry && autotune__class_of(statement->subject.backend, statement->trial.launch_status) ==
                                    AUTOTUNE_ERROR_CONFIGURATION) {
            autotune__lock_mutex(&autotune__lock);
            autotune__forget(statement->entry);
            statement->entry->record->distrusted = true;
            autotune__unlock_mutex(&autotune__lock);
        }
        autotune__report(statement, statement->trial.launch_status, "%s%s%s",
                         autotune_status_text(statement->trial.launch_status),
                         statement->trial.why.at && *statement->trial.why.at ? ": " : "",
                         statement->trial.why.at ? autotune__string(&statement->trial.why) : "");
    }
    if (statement->subject.options.result) *statement->subject.options.result = autotune__shown(result);
    statement->phase = AUTOTUNE__ENDED;
}

/* Locates the next candidate, for the loop to judge. False: there is none. */
static bool autotune__judge_candidate(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->store.recalled;
    while (recalled->next < recalled->count)
        if (autotune__judge(statement, recalled->candidates[recalled->next++].index)) return true;
    return false;
}
static void autotune__distrust(autotune__statement *statement) {
    autotune__clear_result(&statement->result);
    autotune__set(&statement->subject.record->distrusted);
}
static void autotune__log_recalled(autotune__statement *statement, size_t index) {
    autotune__text line = { NULL, false };
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER) return;
    autotune__append_subject(&line, &statement->subject);
    autotune__append(&line, ": ");
    autotune__append_point(&line, &statement->subject.space, index);
    autotune__append(&line, ": ");
    autotune__append_time(&line, statement->result.median_ns);
    autotune__append(&line, ", known from an earlier run");
    autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&line));
    autotune__free_text(&line);
}
static bool autotune__launch_candidate(autotune__statement *statement, const autotune__candidate *candidate) {
    autotune_backend *backend = statement->subject.backend;
    autotune__configure(&statement->subject.space, candidate->index, &statement->result.config);
    statement->subject.space.value[AUTOTUNE_MAX_AXES] = 0;
    statement->trial.launch_status = AUTOTUNE_OK;
    autotune__clear_text(&statement->trial.why);
    if (backend->prepare)
        statement->trial.launch_status =
            backend->prepare(backend, &statement->result.config, &statement->subject.space.value[AUTOTUNE_MAX_AXES]);
    if (statement->trial.launch_status == AUTOTUNE_OK && backend->start && !statement->tune_only)
        statement->trial.launch_status = backend->start(backend);
    if (statement->trial.launch_status != AUTOTUNE_OK) {
        if (!autotune__reject_candidate(statement)) autotune__launched_for_real(statement);
        return false;
    }
    autotune__log_recalled(statement, candidate->index);
    statement->launches_candidate = true;
    if (!statement->tune_only) return autotune__launch_for_real(statement, candidate->index);
    autotune__accept_candidate(statement);           /* the next call shows whether it works */
    return autotune__end(statement);
}
/* Launches the candidate that the loop has judged, if it is admitted. */
static bool autotune__try_candidate(autotune__statement *statement) {
    const autotune__candidate *candidate = &statement->store.recalled.candidates[statement->store.recalled.next - 1];
    autotune_status status;
    if (!autotune__is_eligible(&statement->answer)) {
        autotune__say_of_candidate(statement, "WHERE and PRIORITY no longer admit", "");
        statement->store.all_anew = true;
        return false;
    }
    if ((status = autotune__snapshot(&statement->trial.memories, &statement->subject.options,
                                     statement->subject.backend)) != AUTOTUNE_OK) {
        autotune__report(statement, status, "the buffers cannot be saved (%s): %s",
                         autotune__reason(&statement->trial, status), autotune__instead(statement));
        autotune__seek_first(statement);
        return false;
    }
    statement->result = statement->store.recalled.result;
    statement->result.index = candidate->index;
    statement->result.median_ns = candidate->median_ns;
    statement->result.min_ns = candidate->min_ns;
    statement->result.cache_hit = true;
    if (statement->store.recalled.next > 1) {                 /* not the winner */
        statement->result.verdict = AUTOTUNE_UNRESOLVED;
        statement->result.runner_up_ns = AUTOTUNE__NEVER;
    }
    return autotune__launch_candidate(statement, candidate);
}

/* ---- src/statement/race.h ------------------------------------------------------------------------------------------
   The race of a statement: what it starts with, how it ends, and what breaks it off. */

/* The point of the winner of before: of this process, if mode FORCE tunes again, or of a record on disk. */
static size_t autotune__incumbent_of(autotune__statement *statement) {
    size_t index = statement->store.former.winner;
    autotune__lock_mutex(&autotune__lock);
    if (statement->subject.record->entry) index = statement->subject.record->entry->result.index;
    autotune__unlock_mutex(&autotune__lock);
    return index;
}
static bool autotune__make_race(autotune__statement *statement) {            /* false: no memory */
    autotune__race *race = (autotune__race *)autotune__allocate(sizeof *race);
    statement->subject.record->race = race;
    return race != NULL;
}
/* Prepares the race of the statement's space, with all that is known before it begins. */
static void autotune__set_up_race(autotune__statement *statement, const autotune__limits *limits) {
    const autotune__space *space = &statement->subject.space;
    autotune__race_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.points = space->points;
    setup.space = space;
    setup.sampled = space->points > AUTOTUNE_MAX_POINTS && !space->pruned;
    setup.incumbent = autotune__incumbent_of(statement);
    setup.deferred = statement->store.crashes.points;
    setup.deferred_count = autotune__count(setup.deferred);
    if (autotune__is_searched(&setup, limits->strategy, space->points))
        autotune__seed_from_disk(&statement->store, autotune__seed_from_process(&statement->subject, &setup.seeds),
                                 &setup.seeds);
    autotune__prepare_race(autotune__race_of(&statement->turn), &setup, limits);
}
/* Races all configurations, also those that former times left out: no other works, or the times were of other
   kernels. */
static void autotune__race_anew(autotune__statement *statement) {
    const autotune__limits limits = autotune__race_of(&statement->turn)->limits;
    autotune__forget_former(&statement->store);
    autotune__free_race(autotune__race_of(&statement->turn));
    autotune__set_up_race(statement, &limits);
    statement->judged = 0;
    statement->request = autotune__decide(autotune__race_of(&statement->turn), NULL, 0);
    statement->phase = AUTOTUNE__JUDGING;
}
/* All configurations failed: keeps the history of the race for autotune_each(), if there is memory for it. */
static void autotune__remember_failure(autotune__statement *statement) {
    autotune__history *history;
    statement->result.status = AUTOTUNE_ERR_ALL_FAILED;
    if (!(history =
              autotune__new_history(&statement->subject, autotune__race_of(&statement->turn), &statement->result)))
        return;
    autotune__lock_mutex(&autotune__lock);
    if (statement->subject.record->entry) autotune__drop_history(history);      /* an earlier winner stays known */
    else autotune__keep_history(statement->subject.record, history);
    autotune__unlock_mutex(&autotune__lock);
}
static bool autotune__conclude_without_winner(autotune__statement *statement) {
    const autotune__race *race = autotune__race_of(&statement->turn);
    const bool no_memory = race->no_memory, any = race->admitted.count > 0, sampled = race->setup.sampled;
    autotune__text failures = { NULL, false };
    autotune__append_failures(&failures, &statement->subject, race);
    if (any && !no_memory) autotune__remember_failure(statement);
    autotune__stop_racing(statement);
    if (no_memory)
        autotune__report(statement, AUTOTUNE_ERR_MEMORY, "out of memory while tuning; %s",
                         autotune__instead(statement));
    else if (any)
        autotune__report(statement, AUTOTUNE_ERR_ALL_FAILED,
                         "none of %lu configurations works, so the call was not made: %s",
                         (unsigned long)statement->result.tried, autotune__string(&failures));
    else
        autotune__report(
            statement, AUTOTUNE_ERR_SPACE,
            sampled ? "WHERE and PRIORITY leave none of the %lu points that were looked at, so the call was not made"
                    : "WHERE and PRIORITY leave none of %lu configurations, so the call was not made",
            (unsigned long)(sampled ? statement->judged : statement->subject.space.points));
    autotune__free_text(&failures);
    if (!no_memory) return autotune__end(statement);
    autotune__seek_first(statement);
    return true;
}
/* The end of a race: by a winner, or without one. */
static bool autotune__conclude(autotune__statement *statement) {
    const size_t winner = autotune__race_of(&statement->turn)->outcome.winner;
    statement->result.seconds =
        autotune__seconds(&statement->trial, statement->subject.backend->now(statement->subject.backend));
    autotune__summarise_race(statement);
    statement->result.launches = statement->trial.launches + (winner != SIZE_MAX);
    if (autotune__race_of(&statement->turn)->setup.sampled && autotune__race_of(&statement->turn)->limits.top_k)
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT,
                         ".top_k needs a space of up to %d points, which can be listed; this one was searched",
                         (int)AUTOTUNE_MAX_POINTS);
    else if (autotune__race_of(&statement->turn)->batch.no_model)
        autotune__report(
            statement, AUTOTUNE_ERR_ARGUMENT,
            ".top_k needs a MODEL in the space, which predicts costs; without one all configurations were raced");
    statement->status = AUTOTUNE_OK;                 /* these reports are hints and no errors of the call */
    if (autotune__put_back(&statement->trial.memories, statement->subject.backend) != AUTOTUNE_OK) {
        autotune__stop_racing(statement);
        autotune__report(statement, AUTOTUNE_ERR_DEVICE, "the buffers could not be put back, so the call was not made");
        return autotune__end(statement);
    }
    if (winner == SIZE_MAX && statement->store.former.left_out && !autotune__race_of(&statement->turn)->no_memory) {
        autotune__race_anew(statement);
        return true;
    }
    autotune__log_race(&statement->subject, autotune__race_of(&statement->turn), &statement->result,
                       statement->store.policy == AUTOTUNE_CACHE_ON, statement->trial.pinned.moves);
    if (winner != SIZE_MAX) {
        const size_t index = autotune__race_of(&statement->turn)->rows[winner].index;
        autotune__remember(&statement->store, autotune__race_of(&statement->turn), &statement->result,
                           statement->trial.launches);
        autotune__settle(statement, index, autotune__race_of(&statement->turn)->rows[winner].prepared);
        return autotune__launch_for_real(statement, index);
    }
    return autotune__conclude_without_winner(statement);
}
/* A launch ended with an error that is not one of its configuration: the race ends, and nothing more is launched. */
static bool autotune__break_off(autotune__statement *statement, autotune_status status, autotune_error_class error) {
    const bool gone = error == AUTOTUNE_ERROR_DEVICE;
    autotune__text point = { NULL, false };
    autotune__file(autotune__race_of(&statement->turn), &statement->trial.answer);
    autotune__put_back(&statement->trial.memories, statement->subject.backend); /* if the device still can */
    autotune__stop_racing(statement);
    autotune__append_point(&point, &statement->subject.space, statement->request.index);
    autotune__report(statement, gone ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_ENVIRONMENT,
                     "tuning stopped at %s, and the call was not made: %s", autotune__string(&point),
                     autotune__reason(&statement->trial, status));
    autotune__free_text(&point);
    return autotune__end(statement);
}
/* The body was left during a trial: what it did to buffers stays, and the configuration fails. When this happened
   twice, the key keeps the first configuration. */
static void autotune__left_body(autotune__statement *statement) {
    autotune__record *record = statement->subject.record;
    autotune__text point = { NULL, false };
    if (statement->subject.backend->stop) autotune__clocked(&statement->trial, 0); /* the device may still be writing */
    autotune__acquit(&statement->store, statement->trial.request.index);
    autotune__unpoison(&statement->trial.memories, statement->subject.backend);
    autotune__count_launches(&statement->trial, statement->trial.batch - statement->trial.more);
    autotune__append(&statement->trial.why, "left the body");
    statement->trial.launch_status = AUTOTUNE_ERR_LEFT;
    autotune__end_run(&statement->trial);
    autotune__file(autotune__race_of(&statement->turn), &statement->trial.answer);
    autotune__append_point(&point, &statement->subject.space, statement->request.index);
    record->left_index = statement->request.index;               /* needs no lock: only the race's thread uses it */
    if (++record->left < 2) {
        autotune__stop_racing(statement);
        autotune__report(
            statement, AUTOTUNE_ERR_LEFT,
            "a trial of %s left the body by break, return, goto or an exception; the next call tunes without it",
            autotune__string(&point));
    } else {
        const size_t first = autotune__first_admitted(autotune__race_of(&statement->turn));
        autotune__summarise_race(statement);
        statement->result.launches = statement->trial.launches;
        statement->result.verdict = AUTOTUNE_DEFAULT;
        autotune__settle(statement, first, autotune__prepared_of(autotune__race_of(&statement->turn), first));
        autotune__report(
            statement, AUTOTUNE_ERR_LEFT,
            "a trial of %s left the body, the second to do so; this key stays on the first configuration from now on",
            autotune__string(&point));
    }
    autotune__free_text(&point);
    autotune__end(statement);
}

/* ---- src/statement/open.h ------------------------------------------------------------------------------------------
   From the axes to what comes next: a known winner, waiting for another race, or a race of the statement. */

/* What comes after the axes were told. False: the statement ends. */
static bool autotune__untuned(autotune__statement *statement) { autotune__seek_first(statement); return true; }
static bool autotune__miss(autotune__statement *statement) {
    autotune__report(statement, AUTOTUNE_ERR_MISS,
                     "no winner is known for this key and the mode is REQUIRE, so the call was not made");
    return autotune__end(statement);
}
static void autotune__say_untuned(autotune__statement *statement) {           /* once for each key */
    autotune__text text = { NULL, false };
    if (autotune__is_set(&statement->subject.record->said_untuned)) return;
    autotune__set(&statement->subject.record->said_untuned);
    autotune__append_subject(&text, &statement->subject);
    autotune__append(
        &text,
        ": the first configuration is launched untuned: %s; a later call tunes, and to tune this key before that race "
        "begins avoids it",
        autotune__string(&statement->trial.why));
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__string(&text));
    autotune__free_text(&text);
}
static bool autotune__untuned_for_now(autotune__statement *statement) {
    const bool hindered = statement->trial.why.at && *statement->trial.why.at;
    if (statement->tune_only && statement->subject.mode != AUTOTUNE_CACHED)
        autotune__report(statement, AUTOTUNE_ERR_MISS, "nothing was tuned: %s",
                         hindered ? autotune__string(&statement->trial.why)
                                  : "the winner is being looked for further out");
    else if (hindered) autotune__say_untuned(statement);
    return autotune__untuned(statement);
}
static bool autotune__start_race(autotune__statement *statement) {
    const autotune_options *o = &statement->subject.options;
    autotune_status status = autotune__snapshot(&statement->trial.memories, o, statement->subject.backend);
    autotune__limits limits;
    autotune__clock clock;
    if (status != AUTOTUNE_OK &&
        autotune__class_of(statement->subject.backend, status) != AUTOTUNE_ERROR_CONFIGURATION) {
        autotune__stop_racing(statement);
        autotune__report(statement, status, "the buffers cannot be saved (%s), so the call was not made",
                         autotune__reason(&statement->trial, status));
        return autotune__end(statement);
    }
    if (status != AUTOTUNE_OK) {
        autotune__stop_racing(statement);
        autotune__report(statement, status, "the buffers cannot be saved (%s): %s",
                         autotune__reason(&statement->trial, status), autotune__instead(statement));
        return autotune__untuned(statement);
    }
    if (!autotune__make_race(statement)) {
        autotune__stop_racing(statement);
        autotune__report(statement, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(statement));
        return autotune__untuned(statement);
    }
    if (autotune__environment.pin && !autotune__pin(&statement->trial.pinned.affinity))
        autotune__say(AUTOTUNE_LOG_WINNER,
                      "AUTOTUNE_PIN=core has no effect: the system refuses to hold this thread on a processor");
    statement->trial.pinned.processor = -1;
    statement->trial.apart = o->restore.count || o->zero.count || o->setup || autotune__is_cold(&statement->trial);
    clock = autotune__clock_of(statement->subject.backend);
    statement->trial.clock_cost_ns = clock.cost_ns;
    limits = autotune__limits_of(statement, clock.tick_ns);
    autotune__enter_race(&statement->store);
    autotune__set_up_race(statement, &limits);
    statement->trial.watch.began = statement->trial.watch.stopped =
        statement->subject.backend->now(statement->subject.backend);
    statement->trial.watch.witnessed = autotune__witness(&statement->trial);
    statement->request = autotune__decide(autotune__race_of(&statement->turn), NULL, 0);
    statement->phase = AUTOTUNE__JUDGING;
    return true;
}
/* False: the backend does not work here. */
static bool autotune__backend_is_ready(autotune__statement *statement) {
    const autotune_status status =
        statement->subject.backend->ready ? statement->subject.backend->ready(statement->subject.backend) : AUTOTUNE_OK;
    if (status == AUTOTUNE_REJECTED) {
        statement->not_now = true;
        if (statement->subject.mode != AUTOTUNE_REQUIRE) statement->subject.mode = AUTOTUNE_CACHED;
    } else if (status != AUTOTUNE_OK) {
        autotune__report(statement, status, "%s; the call was not made", autotune__reason(&statement->trial, status));
        return false;
    }
    return true;
}
/* The longest time, in nanoseconds, to wait for another race: as long as a race of this statement may take, but at most
   a minute. */
static uint64_t autotune__longest_wait(const autotune__statement *statement) {
    const autotune__limits limits = autotune__limits_of(statement, 0);
    const double seconds = limits.seconds + limits.screen_seconds;
    return (uint64_t)((seconds < 60 ? seconds + 0.1 : 60) * 1e9);
}
/* Returns for how long the process was stopped in the pause: that is no waiting. */
static uint64_t autotune__pause_thread(const autotune__statement *statement, long milliseconds) {
    const uint64_t began = autotune__wait_clock();
    autotune__set_cancellation(statement->turn.cancellation);
    autotune__sleep_ns((uint64_t)milliseconds * 1000000);
    autotune__hold_cancellation();
    return autotune__stopped_ns(began, autotune__wait_clock());
}
/* Takes the turn among the threads, then among the processes. While another process races the key, the turn among the
   threads is released, so that other threads may use the device. */
static bool autotune__take_turn(autotune__statement *statement) {
    const uint64_t longest_wait = autotune__longest_wait(statement);
    uint64_t stopped_ns = 0;
    long pause = 1;
    for (;; pause += pause < 20) {
        switch (autotune__look_up_or_claim(&statement->turn, longest_wait, &statement->entry, &statement->trial.why)) {
        case AUTOTUNE__KNOWN: return autotune__launch_known(statement);
        case AUTOTUNE__MISSED: return autotune__miss(statement);
        case AUTOTUNE__UNTUNED: return autotune__untuned_for_now(statement);
        default: break;
        }
        switch (autotune__try_key(&statement->store, longest_wait + stopped_ns, &statement->trial.why)) {
        case AUTOTUNE__OURS: return autotune__start_race(statement);
        case AUTOTUNE__ANSWERED:
            autotune__stop_racing(statement);
            statement->phase = AUTOTUNE__RECALLING;
            return true;
        case AUTOTUNE__GIVEN_UP:
            autotune__stop_racing(statement);
            return autotune__untuned_for_now(statement);
        default:
            autotune__stop_racing(statement);
            stopped_ns += autotune__pause_thread(statement, pause);
        }
    }
}
static bool autotune__open(autotune__statement *statement) {
    autotune__space *space = &statement->subject.space;
    autotune__text problem = { NULL, false };
    if (!space->no_memory) autotune__finish_space(space);
    if (space->no_memory) {
        autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                         "out of memory for the values of the axes; the call was not made");
        return autotune__end(statement);
    }
    if (!space->points) {
        autotune__report(statement, AUTOTUNE_ERR_SPACE, "the space is empty, so the call was not made: %s",
                         space->problem ? space->problem : "an axis has no value");
        return autotune__end(statement);
    }
    if (autotune__option_problem(&problem, &statement->subject.options))
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT, "%s; %s", autotune__string(&problem),
                         autotune__instead(statement));
    else if (space->problem)
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT, "%s; %s", space->problem, autotune__instead(statement));
    else if (space->points == SIZE_MAX)
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT,
                         "the space has more points than can be numbered: give fewer values; %s",
                         autotune__instead(statement));
    autotune__free_text(&problem);
    if (statement->status != AUTOTUNE_OK || statement->subject.mode == AUTOTUNE_OFF || statement->refused)
        return autotune__untuned(statement);
    if (!autotune__backend_is_ready(statement)) return autotune__end(statement);
    if (!autotune__identify(statement)) {
        autotune__report(statement, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(statement));
        return autotune__untuned(statement);
    }
    if (autotune__finds_winner(statement)) return autotune__launch_known(statement);
    if (!statement->not_now && autotune__recall_winner(&statement->store)) {
        statement->phase = AUTOTUNE__RECALLING;
        return true;
    }
    return autotune__take_turn(statement);
}
/* SEEKING: is the point that the loop has judged the first configuration? True: its launch comes next. */
static bool autotune__is_first(autotune__statement *statement, size_t index) {
    if (!autotune__is_eligible(&statement->answer)) return false;
    statement->result.index = index;
    if (statement->subject.options.result || autotune__has_strings(&statement->subject.space))
        autotune__configure(&statement->subject.space, index, &statement->result.config);
    return autotune__launch_for_real(statement, index);
}

/* ---- src/statement/next.h ------------------------------------------------------------------------------------------
   From one turn of a statement's loop to the next. autotune__next() takes the answer of the turn that ended, and
   decides on the next: a point to judge, a trial, the call for real, or the end. */

/* Tells the race an answer, and takes its next request. */
static void autotune__take_decision(autotune__statement *statement, const autotune__answer *answer, uint64_t now) {
    statement->request =
        autotune__decide(autotune__race_of(&statement->turn), answer, autotune__seconds(&statement->trial, now));
    autotune__show_progress(&statement->subject, autotune__race_of(&statement->turn), &statement->progress_shown);
}
/* A RUN ended with an error. False: the error is not one of the configuration, and the statement ended. */
static bool autotune__run_failed(autotune__statement *statement) {
    const autotune_status status = statement->trial.answer.status;
    const autotune_error_class error = autotune__class_of(statement->subject.backend, status);
    return error == AUTOTUNE_ERROR_CONFIGURATION || autotune__break_off(statement, status, error);
}
/* The phase SEEKING: the loop judges points until one is admitted. True: it judges the next one. */
static bool autotune__seek(autotune__statement *statement) {
    const size_t points = statement->subject.space.points;
    if (statement->subject.mode == AUTOTUNE_REQUIRE)
        return statement->status == AUTOTUNE_OK ? autotune__miss(statement) : autotune__end(statement);
    while (statement->point < points && statement->judged < AUTOTUNE_MAX_POINTS) {
        if (autotune__judge(statement, statement->point)) return true;
        statement->point += 1 + statement->answer.skip;
    }
    autotune__report(
        statement, statement->status == AUTOTUNE_OK ? AUTOTUNE_ERR_SPACE : statement->status,
        statement->point < points
            ? "WHERE and PRIORITY leave none of the %lu points that were looked at, so the call was not made"
            : "WHERE and PRIORITY leave none of the %lu configurations, so the call was not made",
        (unsigned long)(statement->point < points ? statement->judged : points));
    return autotune__end(statement);
}
static uint64_t autotune__now(const autotune__statement *statement) {
    return statement->subject.backend->now(statement->subject.backend);
}
/* Requests of the race are carried out. True: the loop has to do it. False: it is done and the race has the answer, or
   the statement ended. */
static bool autotune__judge_for_race(autotune__statement *statement) {
    statement->phase = AUTOTUNE__JUDGING;
    if (statement->judged == AUTOTUNE_MAX_POINTS &&
        autotune__race_of(&statement->turn)->stage == AUTOTUNE__EVALUATING) {
        autotune__sample_instead(autotune__race_of(&statement->turn));
        autotune__take_decision(statement, NULL, autotune__now(statement));
        return false;
    }
    if (autotune__judge(statement, statement->request.index)) return true;
    autotune__take_decision(statement, &statement->answer, autotune__now(statement));
    return false;
}
static bool autotune__run_for_race(autotune__statement *statement) {
    statement->phase = AUTOTUNE__TRYING;
    if (autotune__start_run(&statement->trial, &statement->request)) return true;
    if (autotune__run_failed(statement))
        autotune__take_decision(statement, &statement->trial.answer, autotune__now(statement));
    return false;
}
static void autotune__pause_for_race(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    if (backend->pause) backend->pause(backend, (uint64_t)statement->request.limit_ns);
    autotune__take_decision(statement, NULL, autotune__now(statement));
}
static bool autotune__carry_out(autotune__statement *statement) {
    switch (statement->request.what) {
    case AUTOTUNE__EVALUATE: return autotune__judge_for_race(statement);
    case AUTOTUNE__RUN_IT: return autotune__run_for_race(statement);
    case AUTOTUNE__PAUSE: autotune__pause_for_race(statement); return false;
    default: (void)autotune__conclude(statement); return false;
    }
}
/* Decides on the next turn of the loop. True: value[] holds the values for the axes. False: the statement ended. */
static bool autotune__advance(autotune__statement *statement) {
    for (;;) {
        switch (statement->phase) {
        case AUTOTUNE__ENDED: return false;
        case AUTOTUNE__LAUNCHING: return true;
        case AUTOTUNE__SEEKING: return autotune__seek(statement);
        case AUTOTUNE__RECALLING:
            if (autotune__judge_candidate(statement)) return true;
            autotune__distrust(statement);           /* no candidate is left */
            (void)autotune__take_turn(statement);
            break;
        default:
            if (autotune__carry_out(statement)) return true;
        }
    }
}
/* Takes the answer of the turn that ended. True: the next turn is decided already. */
static bool autotune__take_answer(autotune__statement *statement, bool done, uint64_t stopped) {
    switch (statement->phase) {
    case AUTOTUNE__JUDGING:
        if (autotune__is_eligible(&statement->answer) &&
            autotune__is_set_aside(&statement->store, autotune__race_of(&statement->turn), statement->request.index))
            statement->answer.admitted = false;
        statement->request = autotune__decide(
            autotune__race_of(&statement->turn), &statement->answer,
            statement->judged % 256 /* reading the clock each time would take long */
                ? autotune__race_of(&statement->turn)->elapsed
                : autotune__seconds(&statement->trial, statement->subject.backend->now(statement->subject.backend)));
        return false;
    case AUTOTUNE__SEEKING:
        if (autotune__is_first(statement, statement->point)) return true;
        statement->point += 1 + statement->answer.skip;
        return false;
    case AUTOTUNE__RECALLING: return autotune__try_candidate(statement);
    case AUTOTUNE__TRYING:
        if (!done) { autotune__left_body(statement); return false; }
        if (autotune__took_launch(&statement->trial, stopped)) return true;
        if (statement->trial.answer.status != AUTOTUNE_OK && !autotune__run_failed(statement)) return false;
        if (statement->store.outdated) {
            autotune__drop_outdated(statement);
            autotune__race_anew(statement);
            return false;
        }
        autotune__take_decision(statement, &statement->trial.answer, stopped);
        if (statement->request.what != AUTOTUNE__FINISH) autotune__write_checkpoint(&statement->trial, stopped, 2);
        return false;
    default:
        if (statement->refused && statement->subject.space.at == SIZE_MAX) {
            autotune__clear_result(&statement->result);
            statement->entry = NULL;
            autotune__seek_first(statement);
            return false;
        }
        /* The call of a candidate may have returned before its launch failed. */
        if (statement->launches_candidate && statement->subject.backend->stop) autotune__clocked(&statement->trial, 0);
        if (statement->launches_candidate && statement->trial.launch_status != AUTOTUNE_OK &&
            autotune__reject_candidate(statement))
            return false;
        autotune__launched_for_real(statement);
        return false;
    }
}
static bool autotune__binds_launch(const autotune__statement *statement) {
    return statement->phase == AUTOTUNE__TRYING || statement->phase == AUTOTUNE__LAUNCHING;
}
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done) {
    autotune__statement *statement = autotune__statement_of(tuning);
    uint64_t stopped;
    bool goes_on;
    if (done && statement->trial.more && (!statement->trial.queued || autotune__queue_launch(&statement->trial))) {
        statement->trial.more--;
        return statement->subject.space.value;  /* inside a batch the clock runs: nothing else is done */
    }
    stopped = statement->phase == AUTOTUNE__TRYING ? statement->subject.backend->now(statement->subject.backend) : 0;
    autotune__count_step(&statement->turn);
    statement->turn.cancellation = autotune__hold_cancellation();
    statement->held = true;
    if (done) statement->head.trial = false;
    goes_on = statement->phase == AUTOTUNE__DESCRIBING ? autotune__open(statement)
                                                       : autotune__take_answer(statement, done, stopped);
    if (!goes_on || !autotune__binds_launch(statement)) goes_on = autotune__advance(statement);
    if (goes_on && statement->phase == AUTOTUNE__TRYING) {
        statement->head.filtering = false;
        statement->head.trial = true;
    }
    statement->held = false;
    autotune__set_cancellation(statement->turn.cancellation);
    return goes_on ? statement->subject.space.value : NULL;
}
/* An exception left the expressions of the statement, .setup or .verify. No configuration is to blame. */
static void autotune__left_statement(autotune__statement *statement) {
    autotune__put_back(&statement->trial.memories, statement->subject.backend);
    if (statement->turn.racing) autotune__stop_racing(statement);
    autotune__report(
        statement, AUTOTUNE_ERR_LEFT,
        "an exception left the statement outside of its call; the buffers are as before, and the next call starts "
        "anew");
    autotune__end(statement);
}
/* The cleanup of a statement, when it ended, or was left by return, goto or an exception. */
AUTOTUNE__COLD void autotune__abandon(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    int cancellation = autotune__hold_cancellation();
    /* If it is held, an exception left .setup, .verify or a function of the backend. */
    if (!statement->held) statement->turn.cancellation = cancellation;
    switch (statement->phase) {
    case AUTOTUNE__ENDED: break;
    case AUTOTUNE__LAUNCHING: autotune__launched_for_real(statement); break;
    default:
        if (statement->head.trial) autotune__left_body(statement);
        else autotune__left_statement(statement);
    }
    cancellation = statement->turn.cancellation;
    autotune__make_current(statement->outer);
    autotune__free_statement(statement);
    autotune__set_cancellation(cancellation);
}

/* ---- src/statement/for_backends.h ----------------------------------------------------------------------------------
   For backends that are headers of their own: what such a backend asks of the statement that it works for, and what it
   tells that statement. A backend sees a statement as the autotune__tuning that begins it, and NULL on a hit. These
   functions are called in the thread of the statement. */

/* The innermost statement of this thread that is no hit. NULL: there is none. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__innermost(void) {
    return autotune__current ? &autotune__current->head : NULL;
}
/* What the backend's open() returned for this statement. */
static AUTOTUNE__UNUSED autotune_backend *autotune__backend_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->subject.backend;
}
/* The same statement, if `opened` is what its backend's open() returned. NULL: the backend works for nobody here. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__tuning_with(const autotune_backend *opened) {
    autotune__tuning *tuning = autotune__innermost();
    return tuning && autotune__backend_of(tuning) == opened ? tuning : NULL;
}
/* Is a trial made? Else the axes are described, or the call is made for real. */
static AUTOTUNE__UNUSED bool autotune__is_trying(const autotune__tuning *tuning) {
    return tuning && autotune__statement_of(tuning)->phase == AUTOTUNE__TRYING;
}

/* The point of the configuration that is tried. The values are those of autotune__space_of(). */
static AUTOTUNE__UNUSED size_t autotune__point_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.request.index;
}
/* The text of the call as it was written, before expansion. NULL: there is no text of one call. */
static AUTOTUNE__UNUSED const char *autotune__call_of(const autotune__tuning *tuning, size_t *length) {
    return autotune__call_text(&autotune__statement_of(tuning)->subject, length);
}
/* The values of the configuration, and behind them the word in which the next launch of the same configuration finds
   what the backend prepared. NULL: nothing that is prepared now can be found again. */
static AUTOTUNE__UNUSED uint64_t *autotune__lasting_values(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (statement->phase == AUTOTUNE__TRYING) return statement->subject.space.value;
    if (statement->entry) return statement->entry->value;
    return statement->launches_candidate ? statement->subject.space.value
                                         : NULL; /* of a candidate, which becomes an entry */
}
/* The point that the race will probably launch after k others, for a backend that prepares ahead. SIZE_MAX: nobody
   knows. */
static AUTOTUNE__UNUSED size_t autotune__coming_point(const autotune__tuning *tuning, size_t k) {
    return autotune__upcoming(autotune__race_of(&autotune__statement_of(tuning)->turn), k);
}
/* Did the race launch this point, and did it fail? */
static AUTOTUNE__UNUSED bool autotune__has_failed(const autotune__tuning *tuning, size_t point) {
    const autotune__race *race = autotune__race_of(&autotune__statement_of(tuning)->turn);
    size_t i = autotune__count(race->rows);
    while (i-- > 0) if (race->rows[i].index == point) return race->rows[i].state == AUTOTUNE__FAILED;
    return false;
}

/* How many launches of the trial stand behind this start of the clock. 0: no trial is made. */
static AUTOTUNE__UNUSED uint32_t autotune__launches_at_once(const autotune__tuning *tuning) {
    const autotune__statement *statement = autotune__statement_of(tuning);
    if (!autotune__is_trying(tuning)) return 0;
    return statement->trial.queued ? 1 : statement->trial.batch;
}
/* What the backend's clock costs, and its steps, as far as the race knows them. All 0 without a statement. */
static AUTOTUNE__UNUSED autotune__clock autotune__clock_in(const autotune__tuning *tuning) {
    const autotune__statement *statement = autotune__statement_of(tuning);
    autotune__clock clock = { NULL, NULL, 0, 0 };
    if (!statement) return clock;
    clock.backend = statement->subject.backend;
    clock.now = clock.backend->now;
    clock.cost_ns = statement->trial.clock_cost_ns;
    clock.tick_ns = autotune__race_of(&statement->turn) ? autotune__race_of(&statement->turn)->limits.tick_ns : 0;
    return clock;
}
/* Has a launch of this trial failed? */
static AUTOTUNE__UNUSED bool autotune__is_failing(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.launch_status != AUTOTUNE_OK;
}
/* The backend launched the call more often than the statement did. */
static AUTOTUNE__UNUSED void autotune__launched_more(autotune__tuning *tuning, uint32_t launches) {
    autotune__count_launches(&autotune__statement_of(tuning)->trial, launches);
}
/* Something beside the launch was timed, so that the trial is repeated. That happens three times at most, since the
   next trial may be spoiled as well. */
static AUTOTUNE__UNUSED void autotune__spoil_trial(autotune__tuning *tuning) {
    autotune__spoil(&autotune__statement_of(tuning)->turn);
}
/* The backend measured something else than the launches of the trial, which is repeated in any case. */
static AUTOTUNE__UNUSED void autotune__void_trial(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.repeats = 0;
    autotune__spoil_trial(tuning);
}

/* The device works, or something is compiled: threads that wait for this statement wait on, for as long as something
   that takes so many nanoseconds may take. NULL: no statement, and nobody waits. */
static AUTOTUNE__UNUSED void autotune__be_patient(autotune__tuning *tuning, uint64_t ns) {
    autotune__turn *turn = tuning ? &autotune__statement_of(tuning)->turn : NULL;
    if (!turn) return;
    autotune__count_step(turn);
    if (turn->longest_ns < ns) __atomic_store_n(&turn->longest_ns, ns, __ATOMIC_RELAXED);
}

/* The backend knows that this launch broke the device: no later process launches it again. */
static AUTOTUNE__UNUSED void autotune__convict_launch(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.at_fault = true;
}
/* A kernel that this statement launches: its name, a hash of its source, and which compiler made it, NULL for none.
   False: the winner that the cache names is of another kernel of this name, fails, and must not be launched. */
static AUTOTUNE__UNUSED bool autotune__is_known_kernel(autotune__tuning *tuning, const char *name, uint64_t source,
                                                       const char *compiler) {
    autotune__statement *statement = autotune__statement_of(tuning);
    autotune__note_kernel(&statement->store, statement->launches_candidate, name, source, compiler);
    if (!statement->launches_candidate || !statement->store.outdated) return true;
    autotune_explain("%s has another source, or compiler, than when the winner was found", name);
    autotune__fail_launch(&statement->trial, AUTOTUNE_FAILED);       /* whatever the body makes of our answer */
    return false;
}
/* Which configuration of which statement is tried: "NAME [KEY] tried POINT". */
static AUTOTUNE__UNUSED void autotune__append_trial(autotune__text *text, const autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    autotune__append_subject(text, &statement->subject);
    autotune__append(text, " tried ");
    autotune__append_point(text, &statement->subject.space, statement->trial.request.index);
}

/* ---- src/statement/process.h ---------------------------------------------------------------------------------------
   What happens to statements when their thread ends, and when the process forks. */

/* A thread ends in the middle of statements: they end, the innermost first. Their .result may point to the stack of the
   thread, which is gone. */
static void autotune__end_thread(void *value) {
    autotune__statement *statement;
    (void)value;
    while ((statement = autotune__current) != NULL) {
        statement->subject.options.result = NULL;
        autotune__withdraw(&statement->store);
        if (statement->turn.racing) autotune__stop_racing(statement);
        autotune__make_current(statement->outer);
        autotune__free_statement(statement);
    }
}

/* fork(). The child has one thread and copies of all memory. The thread that forks holds the locks, so that what they
   guard is consistent in the child. The lock of the log is not taken, since a log function of the user may hold it for
   long; the child makes it anew. The child gives up the races of the other threads, and may tune itself. Files, their
   locks and the lines of the journal belong to the parent. */
static void autotune__before_fork(void) {
    autotune__hold_store();
    autotune__lock_mutex(&autotune__lock);
    autotune__lock_mutex(&autotune__putting);
}
static void autotune__after_fork(void) {
    autotune__unlock_mutex(&autotune__putting);
    autotune__unlock_mutex(&autotune__lock);
    autotune__release_store();
}
static void autotune__begin_child(void) {
    const autotune__floor *floor;
    autotune__make_locks();
    autotune__make_mutex(&autotune__one_flush_at_a_time);
    autotune__disown(autotune__current ? &autotune__current->store : NULL);
    autotune__release_absent(autotune__current ? &autotune__current->turn : NULL);
    autotune__after_fork();
    for (floor = autotune__floors; floor; floor = floor->entered_before) floor->begin_child();
}
/* 101 is the first priority that programs may use. */
static __attribute__((__constructor__(101))) void autotune__enter_events(void) {
    autotune__events.end_thread = autotune__end_thread;
    autotune__events.before_fork = autotune__before_fork;
    autotune__events.after_fork = autotune__after_fork;
    autotune__events.begin_child = autotune__begin_child;
}


/* ---- src/created/description.h -------------------------------------------------------------------------------------
   A created tuner; what is wrong with its description, and the copy of the description. */

struct autotune_tuner {
    autotune__site site;                        /* site.function is the tuner's name; site.file and .text are NULL */
    autotune__space space;                      /* every statement uses a copy, which lends its memory */
    const char *names[AUTOTUNE_MAX_AXES];       /* of the axes */
    autotune_type types[AUTOTUNE_MAX_AXES];
    bool (*filters[AUTOTUNE_MAX_AXES])(void *user, const autotune_config *partial);
    bool (*where)(void *user, const autotune_config *);
    double (*model)(void *user, const autotune_config *);
    int (*priority)(void *user, const autotune_config *);
    autotune_status (*launch)(void *user, const autotune_config *);
    void *user;
};

static autotune_type autotune__axis_type(const autotune_axis *axis) {
    return axis->type == AUTOTUNE_BYTES ? AUTOTUNE_I64 : axis->type;
}
static size_t autotune__missing_label(const autotune_axis *axis) {      /* axis->count: no label is NULL */
    size_t i;
    for (i = 0; i < axis->count && axis->labels[i]; i++) {}
    return i;
}
/* Appends what is wrong with an axis; false: nothing is wrong. */
static bool autotune__axis_problem(autotune__text *problem, const autotune_desc *desc, size_t a) {
    const autotune_axis *axis = &desc->axes[a];
    const autotune_type type = autotune__axis_type(axis);
    size_t i;
    if (!axis->name || !*axis->name) {
        autotune__append(problem, "axis %lu has no name", (unsigned long)a + 1);
        return true;
    }
    for (i = 0; i < a && strcmp(desc->axes[i].name, axis->name); i++) {}
    if (i < a)
        autotune__append(problem, "two axes are named '%.64s'", axis->name);
    else if (type != AUTOTUNE_I64 && type != AUTOTUNE_F64 && type != AUTOTUNE_STRING && type != AUTOTUNE_POINTER)
        autotune__append(problem, "the type of axis '%.64s' is %d: it is one of AUTOTUNE_I64, _F64, _STRING, _POINTER",
                         axis->name, (int)type);
    else if (!axis->values && axis->count)
        autotune__append(problem, "axis '%.64s' has a count, and its values are NULL", axis->name);
    else if (axis->values && !axis->count)
        autotune__append(problem, "axis '%.64s' has values, and a count of 0", axis->name);
    else if (!axis->values && !desc->configs)
        autotune__append(problem, "axis '%.64s' has no values: give some, or a table of configs", axis->name);
    else if (axis->labels && !axis->values)
        autotune__append(problem,
                         "axis '%.64s' has labels for values that are not there: give the values that the table uses",
                         axis->name);
    else if (type == AUTOTUNE_POINTER && !axis->labels)
        autotune__append(problem, "axis '%.64s' has pointers without labels: logs and results need a name for each",
                         axis->name);
    else if (axis->labels && (i = autotune__missing_label(axis)) < axis->count)
        autotune__append(problem, "label %lu of axis '%.64s' is NULL", (unsigned long)i + 1, axis->name);
    else
        return false;
    return true;
}
static bool autotune__description_problem(autotune__text *problem, const autotune_desc *desc) {
    size_t a;
    if (!desc)
        autotune__append(problem, "the description is NULL");
    else if (!desc->name || !*desc->name)
        autotune__append(problem, "the tuner has no name: results are found by it");
    else if (!desc->launch)
        autotune__append(problem, "launch is NULL: it is what is tuned");
    else if (!desc->axes || !desc->axis_count)
        autotune__append(problem, "there are no axes");
    else if (desc->axis_count > AUTOTUNE_MAX_AXES)
        autotune__append(problem, "there are %lu axes: at most %d", (unsigned long)desc->axis_count,
                         (int)AUTOTUNE_MAX_AXES);
    else if (desc->configs && !desc->config_count)
        autotune__append(problem, "the table configs has a config_count of 0");
    else if (!desc->configs && desc->config_count)
        autotune__append(problem, "config_count is %lu, and configs is NULL", (unsigned long)desc->config_count);
    else {
        for (a = 0; a < desc->axis_count; a++) if (autotune__axis_problem(problem, desc, a)) return true;
        return false;
    }
    return true;
}

/* The labels of an axis in one block of memory: pointers, then texts. NULL: no memory. */
static const char **autotune__new_labels(autotune__text *texts, size_t count) {
    const size_t head = count * sizeof(char *), bytes = autotune__count(texts->at);
    const char **labels = texts->broken ? NULL : (const char **)autotune__allocate(head + bytes), *at;
    size_t i;
    if (!labels) return NULL;
    at = (const char *)memcpy(labels + count, texts->at, bytes);
    for (i = 0; i < count; i++) { labels[i] = at; at += strlen(at) + 1; }
    return labels;
}
/* The position of a value among the values of an axis; axis->count: it is not there. */
static size_t autotune__value_among(const autotune_axis *axis, uint64_t value) {
    const autotune_type type = autotune__axis_type(axis);
    size_t i;
    for (i = 0; i < axis->count && !autotune__same_word(type, value, (uint64_t)axis->values[i]); i++) {}
    return i;
}
/* Sets the labels of an axis. Those of a table are the labels of equal values of the axis. False: the axis does not
   have a value of the table. */
static bool autotune__label_values(autotune__space *space, size_t a, const autotune_axis *given,
                                   autotune__text *problem) {
    autotune__axis_of_space *axis = &space->axes[a];
    const autotune__dimension *dimension = &space->dimensions[axis->dimension];
    autotune__text texts = { NULL, false };
    size_t i;
    for (i = 0; i < dimension->count && !space->no_memory; i++) {
        const size_t place = dimension->table && given->values ? autotune__value_among(given, axis->values[i]) : i;
        if (dimension->table && given->values && place == given->count) break;
        if (given->labels) autotune__append(&texts, "%s", given->labels[place]);
        else autotune__append_value(&texts, space, a, i);
        autotune__append(&texts, "%c", 0);
    }
    if (i == dimension->count && !(axis->labels = autotune__new_labels(&texts, i))) space->no_memory = true;
    autotune__free_text(&texts);
    if (i == dimension->count || space->no_memory) return true;
    autotune__append(problem, "the value of '%.64s' in row %lu of the table is none of the axis' values", axis->name,
                     (unsigned long)i + 1);
    return false;
}
static void autotune__describe_axis(autotune_tuner *tuner, const autotune_desc *desc, size_t a) {
    autotune__space *space = &tuner->space;
    const autotune_axis *given = &desc->axes[a];
    autotune__axis_of_space *axis = autotune__new_axis(space, autotune__copy_string(given->name),
                                                       autotune__axis_type(given));
    if (!axis->name) space->no_memory = true;
    tuner->names[a] = axis->name;
    tuner->types[a] = axis->type;
    tuner->filters[a] = given->where;
    space->pruned = space->pruned || given->where;
    if (desc->configs) {
        axis->column = a;
        autotune__copy_values(space, axis, desc->configs + a, desc->axis_count * sizeof(int64_t), desc->config_count);
    } else {
        axis->dimension = space->dimension_count;
        autotune__new_dimension(space, given->count);
        autotune__copy_values(space, axis, given->values, sizeof(int64_t), given->count);
    }
}
static bool autotune__describe_created(autotune_tuner *tuner, const autotune_desc *desc, autotune__text *problem) {
    autotune__space *space = &tuner->space;
    size_t a;
    space->points = 1;
    space->at = SIZE_MAX;
    if (desc->configs) autotune__new_dimension(space, desc->config_count)->table = true;
    for (a = 0; a < desc->axis_count; a++) autotune__describe_axis(tuner, desc, a);
    for (a = 0; a < desc->axis_count; a++) if (!autotune__label_values(space, a, &desc->axes[a], problem)) return false;
    if (!space->no_memory) autotune__finish_space(space);
    if (space->no_memory) autotune__append(problem, "out of memory");
    else if (space->points == SIZE_MAX) autotune__append(problem, "the space has more points than can be counted");
    return !space->no_memory && space->points < SIZE_MAX;
}

/* ---- src/created/create.h ------------------------------------------------------------------------------------------
   autotune_create() and autotune_destroy(); the cases that wait for autotune_tune_all(). */

/* The cases that wait for autotune_tune_all(), oldest first. autotune__lock guards the array. */
typedef struct autotune__case { autotune_tuner *tuner; autotune_options options; } autotune__case;
static autotune__case **autotune__cases;

static void autotune__free_case(autotune__case *waiting) {
    autotune__free_options(&waiting->options);
    autotune__free(waiting);
}
/* Takes the first case of a tuner, or of all tuners if tuner is NULL, out of the queue; *left: how many stay. NULL:
   there is none. */
static autotune__case *autotune__take_case(const autotune_tuner *tuner, size_t *left) {
    autotune__case *taken = NULL;
    size_t i, count;
    autotune__lock_mutex(&autotune__lock);
    count = autotune__count(autotune__cases);
    for (i = 0; i < count && tuner && autotune__cases[i]->tuner != tuner; i++) {}
    if (i < count) {
        taken = autotune__cases[i];
        AUTOTUNE__REMOVE(autotune__cases, i);
        *left = count - 1;
        if (count == 1) AUTOTUNE__FREE_ARRAY(autotune__cases);
    }
    autotune__unlock_mutex(&autotune__lock);
    return taken;
}

static void autotune__forget_site(autotune__site *site) {
    autotune__site **at = &autotune__created_sites;
    autotune__lock_mutex(&autotune__lock);
    while (*at && *at != site) at = &(*at)->known_before;
    if (*at) *at = site->known_before;
    autotune__unlock_mutex(&autotune__lock);
    autotune__reset_site(site);
}
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner) {
    autotune__case *waiting;
    size_t a, left;
    if (!tuner) return;
    while ((waiting = autotune__take_case(tuner, &left))) autotune__free_case(waiting);
    autotune__forget_site(&tuner->site);
    tuner->space.lent = false;
    autotune__free_space(&tuner->space);
    for (a = 0; a < tuner->space.axis_count; a++) autotune__free((void *)(uintptr_t)tuner->names[a]);
    autotune__free((void *)(uintptr_t)tuner->site.function);
    autotune__free(tuner);
}
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc) {
    autotune__text problem = { NULL, false };
    autotune_tuner *tuner = NULL;
    bool complete = false;
    autotune__ready();
    if (!autotune__description_problem(&problem, desc) &&
        (tuner = (autotune_tuner *)autotune__allocate(sizeof *tuner))) {
        tuner->where = desc->where;
        tuner->model = desc->model;
        tuner->priority = desc->priority;
        tuner->launch = desc->launch;
        tuner->user = desc->user;
        tuner->site.function = autotune__copy_string(desc->name);
        tuner->site.build = AUTOTUNE__BUILD;
        tuner->site.last = &AUTOTUNE__NO_ENTRY;
        complete = autotune__describe_created(tuner, desc, &problem) && tuner->site.function;
    }
    if (complete) tuner->space.lent = true;
    else {
        autotune__complain("autotune_create%s%.64s%s: %s", desc && desc->name ? " of '" : "",
                           desc && desc->name ? desc->name : "", desc && desc->name ? "'" : "",
                           problem.at ? autotune__string(&problem) : "out of memory");
        autotune_destroy(tuner);
        tuner = NULL;
    }
    autotune__free_text(&problem);
    return tuner;
}

/* ---- src/created/call.h --------------------------------------------------------------------------------------------
   autotune_call() and autotune_tune(): for a created tuner they do what the loop at a call site does. */

/* The configuration that callbacks see. The filters of its first `passed` axes have already returned true. */
typedef struct autotune__bound_config {
    autotune_config config;
    const char *labels[AUTOTUNE_MAX_AXES];
    size_t passed;
} autotune__bound_config;
static void autotune__bind(autotune__bound_config *bound, const autotune_tuner *tuner,
                           const autotune__statement *statement) {
    const autotune__space *space = &statement->subject.space;
    size_t a, changed = space->axis_count;
    for (a = 0; a < space->axis_count; a++) {
        if (a < changed && bound->config.values[a] != space->value[a]) changed = a;
        bound->config.values[a] = space->value[a];
        bound->labels[a] = space->axes[a].labels[space->dimensions[space->axes[a].dimension].digit];
    }
    if (bound->passed > changed) bound->passed = changed;
    bound->config.index = space->at;
    bound->config.count = space->axis_count;
    bound->config.names = tuner->names;
    bound->config.labels = bound->labels;
    bound->config.types = tuner->types;
}
/* Asks the filters in the order of the axes. Each sees only the axes up to its own. */
static bool autotune__filters_pass(autotune__bound_config *bound, const autotune_tuner *tuner, void *user) {
    const size_t count = bound->config.count;
    for (; bound->passed < count; bound->passed++) {
        bound->config.count = bound->passed + 1;
        if (tuner->filters[bound->passed] && !tuner->filters[bound->passed](user, &bound->config)) break;
    }
    bound->config.count = count;
    return bound->passed == count;
}
static void autotune__judge_created(autotune__bound_config *bound, const autotune_tuner *tuner,
                                    autotune__statement *statement) {
    void *const user = statement->subject.options.user;
    const bool passed = autotune__filters_pass(bound, tuner, user),
               admitted = passed && (!tuner->where || tuner->where(user, &bound->config));
    if (!passed)
        statement->answer.skip =
            autotune__points_below(&statement->subject.space, statement->subject.space.axes[bound->passed].dimension);
    if (admitted && tuner->priority) autotune__priority(&statement->head, tuner->priority(user, &bound->config), 0);
    if (admitted && tuner->model) autotune__model(&statement->head, tuner->model(user, &bound->config));
    autotune__admit(&statement->head, admitted);
}
/* The configuration for launch(). In the call for real its strings outlive the call, unless there was no memory. */
static const autotune_config *autotune__to_launch(autotune__bound_config *bound, const autotune_tuner *tuner,
                                                  const autotune__statement *statement) {
    if (statement->phase == AUTOTUNE__LAUNCHING && statement->result.config.count) return &statement->result.config;
    autotune__bind(bound, tuner, statement);
    return &bound->config;
}

/* A statement that is no hit begins: its space is the tuner's. */
static const uint64_t *autotune__enter(autotune_tuner *tuner, autotune__tuning *tuning, bool tune_only) {
    autotune__statement *statement = autotune__statement_of(tuning);
    statement->subject.space = tuner->space;
    statement->tune_only = tune_only;
    memcpy(&statement->subject.code, &tuner->launch, sizeof statement->subject.code);
    return autotune__next(tuning, false);
}
/* With AUTOTUNE_CHECKS: the same after a hit whose configuration the filters refuse. */
static const uint64_t *autotune__enter_refused(autotune_tuner *tuner, autotune__run *run,
                                               const autotune_options *options) {
    autotune__started(run, autotune__begin_refused(run->site, options));
    return run->tuning ? autotune__enter(tuner, run->tuning, false) : NULL;
}
/* With AUTOTUNE_CHECKS: do the filters admit a winner that is known? */
static bool autotune__still_admits(const autotune_tuner *tuner, void *user, const autotune_config *winner) {
#ifdef AUTOTUNE_CHECKS
    autotune__bound_config bound;
    memset(&bound, 0, sizeof bound);
    bound.config = *winner;
    return autotune__filters_pass(&bound, tuner, user) && (!tuner->where || tuner->where(user, &bound.config));
#else
    return (void)tuner, (void)user, (void)winner, true;
#endif
}
static autotune_status autotune__known_already(autotune_result *result) {
    result->launches = 0;
    return result->status;
}
static __attribute__((__noinline__)) autotune_status autotune__drive(autotune_tuner *tuner,
                                                                     const autotune_options *given, bool tune_only) {
    autotune_options options = *given;
    autotune_result result;
    autotune__bound_config bound;
    const autotune_config *config;
    if (!options.user) options.user = tuner->user;
    if (!options.result) options.result = &result;
    memset(&bound, 0, sizeof bound);
    autotune__run run
        __attribute__((__cleanup__(autotune__leave))) = { &tuner->site, options.result, NULL, NULL, false };
    autotune__started(&run, autotune__begin(run.site, &options));
    if (run.tuning) run.slot = autotune__enter(tuner, run.tuning, tune_only);
    else if (run.slot && tune_only) return autotune__known_already(options.result);
    for (; run.slot; run.slot = run.slot ? autotune__step(&run) : autotune__enter_refused(tuner, &run, &options)) {
        autotune__statement *statement = autotune__statement_of(run.tuning);
        if (statement && statement->head.filtering) {
            autotune__bind(&bound, tuner, statement);
            autotune__judge_created(&bound, tuner, statement);
            continue;
        }
        config =
            statement ? autotune__to_launch(&bound, tuner, statement) : &autotune__entry_of(run.slot)->result.config;
        if (!(statement && statement->head.trial) && !autotune__still_admits(tuner, options.user, config) &&
            autotune__refused(&run)) continue;
        autotune__take_status(&run, (int)tuner->launch(options.user, config));
        run.done = true;
    }
    return options.result->status;
}

static autotune_options autotune__no_options;
static bool autotune__is_tuner(const autotune_tuner *tuner, const char *function) {
    if (!tuner) {
        autotune__ready();
        autotune__complain("%s: the tuner is NULL: see why autotune_create() made none", function);
    }
    return tuner != NULL;
}
AUTOTUNE__API autotune_status autotune_tune(autotune_tuner *tuner, const autotune_options *options) {
    if (!autotune__is_tuner(tuner, "autotune_tune")) return AUTOTUNE_ERR_ARGUMENT;
    return autotune__drive(tuner, options ? options : &autotune__no_options, true);
}

/* Looks for the winner as autotune__hit() does: in the entry that was published last, then in the table. */
static const uint64_t *autotune__find_created(const autotune_tuner *tuner, const autotune_options *options) {
    const autotune__entry *last = __atomic_load_n(&tuner->site.last, __ATOMIC_ACQUIRE);
    const autotune_key *key = &options->key;
    if (options->mode != AUTOTUNE_ON) return NULL;
    if (autotune__is_of(last, key, options->backend, options->name, options->version)) return last->value;
    return autotune__find_said(&tuner->site, options);
}
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options) {
    const uint64_t *slot;
    void *user;
    autotune_status status;
    if (!AUTOTUNE__LIKELY(autotune__is_tuner(tuner, "autotune_call"))) return AUTOTUNE_ERR_ARGUMENT;
    if (!options) options = &autotune__no_options;
    if (!(slot = autotune__find_created(tuner, options))) return autotune__drive(tuner, options, false);
    user = options->user ? options->user : tuner->user;
    if (!autotune__still_admits(tuner, user, &autotune__entry_of(slot)->result.config))
        return autotune__drive(tuner, options, false);
    if (options->result) autotune__answer_hit(slot, options->result);
    status = tuner->launch(user, &autotune__entry_of(slot)->result.config);
    if (!AUTOTUNE__LIKELY(status == AUTOTUNE_OK))
        autotune__hit_failed(&tuner->site, slot, options->result, (int)status, NULL);
    return status;
}

/* ---- src/created/queue.h -------------------------------------------------------------------------------------------
   autotune_add() and autotune_tune_all(): cases are queued, and tuned one after the other. */

AUTOTUNE__API autotune_status autotune_add(autotune_tuner *tuner, const autotune_options *options) {
    autotune__text problem = { NULL, false };
    autotune__case *added = NULL;
    bool queued = false;
    if (!autotune__is_tuner(tuner, "autotune_add")) return AUTOTUNE_ERR_ARGUMENT;
    autotune__ready();
    if (!options) options = &autotune__no_options;
    if (autotune__option_problem(&problem, options)) {
        autotune__complain("autotune_add to '%.64s': %s; the case was not queued", tuner->site.function,
                           autotune__string(&problem));
        autotune__free_text(&problem);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if ((added = (autotune__case *)autotune__allocate(sizeof *added)) &&
        autotune__copy_options(&added->options, options)) {
        added->tuner = tuner;
        autotune__lock_mutex(&autotune__lock);
        queued = AUTOTUNE__PUSH(autotune__cases, added);
        autotune__unlock_mutex(&autotune__lock);
        if (queued) return AUTOTUNE_OK;
        autotune__free_options(&added->options);
    }
    autotune__free(added);
    autotune__complain("autotune_add to '%.64s': out of memory; the case was not queued", tuner->site.function);
    return AUTOTUNE_ERR_MEMORY;
}

/* Unless AUTOTUNE_PROGRESS says otherwise, progress is shown on a terminal only, and only after two seconds. */
static void autotune__say_progress(const autotune__case *now, size_t number, size_t count, uint64_t began) {
    const uint64_t patience = 2000000000u;
    const autotune_options *options = &now->options;
    autotune__text line = { NULL, false };
    if (!autotune__wants_progress() ||
        (autotune__environment.progress < 0 && autotune__wait_clock() - began < patience))
        return;
    autotune__append(&line, "%lu of %lu, after %.0f s: ", (unsigned long)number, (unsigned long)count,
                     (double)(autotune__wait_clock() - began) / 1e9);
    autotune__append_case(&line, options->name ? options->name : now->tuner->site.function, &options->key);
    autotune__write_line(AUTOTUNE_LOG_WINNER, autotune__string(&line));
    autotune__free_text(&line);
}
/* A cleanup frees the case, because a launch() in C++ may throw. */
static void autotune__end_case(autotune__case **now) { if (*now) autotune__free_case(*now); }
AUTOTUNE__API autotune_status autotune_tune_all(void) {
    autotune_status first = AUTOTUNE_OK;
    const uint64_t began = (autotune__ready(), autotune__wait_clock());
    size_t number, left;
    for (number = 1;; number++) {
        autotune__case *now __attribute__((__cleanup__(autotune__end_case))) = autotune__take_case(NULL, &left);
        autotune_status status;
        if (!now) return first;
        autotune__say_progress(now, number, number + left, began);
        status = autotune__drive(now->tuner, &now->options, true);
        if (first == AUTOTUNE_OK) first = status;
    }
}

/* ---- src/created/shutdown.h ----------------------------------------------------------------------------------------
   autotune_shutdown(): frees all that the library holds, so that everything is as before the first statement. */

static void autotune__free_records(autotune__known_tuner *tuner) {
    const size_t count = AUTOTUNE__MAP_COUNT(tuner->records);
    size_t i;
    for (i = 0; i < count; i++) {
        autotune__drop_history(tuner->records[i].value->history);
        autotune__free_text(&tuner->records[i].value->line);
        autotune__free(tuner->records[i].value);
        autotune__free(tuner->records[i].key);
    }
    AUTOTUNE__FREE_MAP(tuner->records);
}
static void autotune__reset_sites(autotune__site **newest) {
    for (; *newest; *newest = (*newest)->known_before) autotune__reset_site(*newest);
}
static void autotune__free_registry(void) {
    const size_t tuners = autotune__tuner_count(),
                 descriptions = AUTOTUNE__MAP_COUNT(autotune__descriptions);
    autotune__entry *entry;
    size_t i;
    autotune__reset_sites(&autotune__known_sites);
    autotune__reset_sites(&autotune__created_sites);
    while ((entry = autotune__made_entries) != NULL) {
        autotune__made_entries = entry->made_before;
        autotune__free(entry);
    }
    for (i = 0; i < tuners; i++) {
        autotune__known_tuner *tuner = autotune__tuners[i].value;
        autotune__free_records(tuner);
        autotune__free(tuner->identity);        /* also the key in the map */
        autotune__free(tuner->name);
        autotune__free(tuner->version);
        autotune__free(tuner);
    }
    AUTOTUNE__FREE_MAP(autotune__tuners);
    for (i = 0; i < descriptions; i++) {
        autotune__free(autotune__descriptions[i].value);
        autotune__free(autotune__descriptions[i].key);
    }
    AUTOTUNE__FREE_MAP(autotune__descriptions);
}
AUTOTUNE__API autotune_status autotune_shutdown(void) {
    const autotune__floor *floor;
    autotune__case *waiting;
    size_t left;
    autotune__ready();
    if (autotune__current || autotune__racing || autotune__visits) {
        autotune__complain(
            "autotune_shutdown(): a statement, or autotune_each(), is in progress: call it when none is");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    while ((waiting = autotune__take_case(NULL, &left))) autotune__free_case(waiting);
    autotune__lock_mutex(&autotune__lock);
    autotune__free_registry();
    if (autotune__ends_threads) autotune__remove_thread_key(autotune__thread_end);
    __atomic_store_n(&autotune__ends_threads, false, __ATOMIC_RELEASE);
    autotune__unlock_mutex(&autotune__lock);
    autotune__lock_mutex(&autotune__one_flush_at_a_time);
    autotune__free((void *)(uintptr_t)autotune__flush_memory);
    autotune__flush_memory = NULL;
    autotune__unlock_mutex(&autotune__one_flush_at_a_time);
    for (floor = autotune__floors; floor; floor = floor->entered_before) floor->shut_down();
    autotune__free_cache();
    return AUTOTUNE_OK;
}

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
