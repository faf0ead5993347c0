/* autotune 0.2.0, revision 0b92aee7 of src/: made by src/headers.sh, so edit the files in src/, and not this one. */
/* autotune_opencl.h - tuning of OpenCL launches: one backend for autotune.h

   Name the queue as the backend of a statement. Then the device times the launches by their events. Buffers in options
   are cl_mem:

       #include "autotune_opencl.h"

       AUTOTUNE(SPACE(AXIS(local, 0, 32, 64, 128, 256)), 1,
                OPENCL_LAUNCH(saxpy, GLOBAL(n), LOCAL(local)),
                .backend = OPENCL(queue), .key = KEY(n), .restore = BUFFERS({y, bytes}));

   Or let each configuration have its own kernel, which is compiled with the values of the axes as macros:

       static autotune_opencl_program gemm = OPENCL_PROGRAM_FILE("gemm.cl", "-cl-fast-relaxed-math");

       AUTOTUNE(SPACE(AXIS(TILE, 8, 16), AXIS(PER, 1, 2, 4)), 1,
                OPENCL_RUN(&gemm, "gemm", GLOBAL(m / PER, n), LOCAL(TILE, TILE / PER), a, b, c, m, n, k),
                .backend = OPENCL(queue), .key = KEY(m, n, k));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_OPENCL_IMPLEMENTATION        the bodies of this header and of autotune.h
       #include "autotune_opencl.h"

   OPENCL(queue)  the backend: the device of the queue in its context. The queue is no part of the key. Make an in-order
                  queue with CL_QUEUE_PROFILING_ENABLE. On any other queue nothing is tuned, and a sentence says so.

   Read also the part below, "These rules hold for CUDA and for OpenCL". These rules hold for OpenCL alone:

   * The time of a launch is the time in which the device works on its commands. The time between two commands does not
     count.
   * Two threads must not set the arguments of one cl_kernel at the same time. OPENCL_RUN ensures this. With
     OPENCL_LAUNCH give each thread its own cl_kernel.

   Needs: CL/cl.h to compile (Debian's opencl-headers).

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_OPENCL_H
#define AUTOTUNE_OPENCL_H

#if defined AUTOTUNE_OPENCL_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120            /* define it yourself for newer functions */
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif


/* ---- src/kernels/site.h --------------------------------------------------------------------------------------------
   Kernels that are compiled for each configuration, in any language: the part that programs see. */

#ifndef AUTOTUNE__KERNEL_LAUNCHES               /* each header of a backend with a compiler has a copy of this room */
#define AUTOTUNE__KERNEL_LAUNCHES
/* These rules hold for CUDA and for OpenCL:

   * Caches are cold by default, unless the device is the CPU: a buffer of twice the device's cache is written before
     each trial launch. The end of the statement frees this buffer. If .cache_state is AUTOTUNE_HOT, the race times
     batches of launches.
   * If a launch takes longer than .launch_timeout, and then ends, its configuration fails, and the race goes on. If the
     launch does not end within nine more timeouts, but at most 9 s more, it counts as hung. Tuning stops after a launch
     that hangs, or after an error that makes the device unusable. The library writes a message that names the
     configuration. The statement makes no call. The library tunes nothing more in this context. If the launch was only
     slow and ends later, later calls are made as before.
   * Name the memory that the kernel writes in .outputs. This memory is then filled with a pattern before the first
     launch of each configuration. So a kernel that does not write all results fails, even if the right values were
     there before. Without .outputs a kernel that does nothing is the fastest.
   * Winners are kept for each kind of device: its name, multiprocessors or compute units, memory (of a GPU), compute
     capability or version of OpenCL, and driver. Contexts, streams and queues of equal devices share winners.
   * The first statement that needs a driver opens it: libcuda.so.1 of CUDA 12.4 or later, or libOpenCL.so.1, on macOS
     the framework OpenCL. Without the driver, or without a device, the statement ends with AUTOTUNE_ERR_ENVIRONMENT and
     a sentence. Statements on the CPU still work. The only linked library is that of dlopen: -ldl with C libraries
     older than glibc 2.34.
   * On a hit CUDA_LAUNCH, OPENCL_LAUNCH and OPENCL_RUN launch on the stream or queue that the thread named last. If the
     body first runs a statement with another stream or queue, write (void)CUDA(stream); or (void)OPENCL(queue); after
     that statement.
   * If a CUDA_LAUNCH, OPENCL_LAUNCH or OPENCL_RUN fails, the configuration or the call fails. This also holds in a
     block that ignores its status.
   * A program may include both headers, in any order. The file that has the implementations defines both
     AUTOTUNE_CUDA_IMPLEMENTATION and AUTOTUNE_OPENCL_IMPLEMENTATION before it includes them.

   These rules hold for kernels that CUDA_LAUNCH and OPENCL_RUN compile:

   * Each configuration has its own kernel, in which each axis is a macro: AXIS(TILE, 16, 32) is compiled with TILE as
     16 and as 32. Configurations share a kernel if they differ only in axes that the program does not mention. Numbers
     and bools become literals. Strings are inserted without quotes: AXIS(ELEMENT, "float", "double") names a type. Axes
     of functions are left out. The macro replaces its name everywhere, also in included files, so write it in capitals.
     An option of the program must not define the same name: some compilers use the value of the axis, and other
     compilers refuse the configuration.
   * A program is source as a string, or in a file that is read before the first launch. The compiler searches the
     folder of the file for included files. Up to 12 options of the compiler follow. $NAME in an option is the value of
     an axis. An option that is only "$NAME" is divided at blanks. The program must live until the last launch of the
     process.
   * A launch names a kernel. The name may be an axis, and need not outlive the statement. Up to 60 arguments follow,
     each with its type at the call site: pass an int for an int, and a float, not a double, for a float. Their number
     and sizes are checked. Any number of threads may make the same call at once.
   * .compile_threads worker threads compile kernels, in the order in which the race tries them. The first kernel is
     measured while the next ones are compiled.
   * Compiled kernels are kept on disk, in the folder cubins or opencl of the cache. A second run compiles nothing. The
     name of each file is a digest of all data that decide the code, also of included files. AUTOTUNE_CUBINS_MIB in the
     environment is the largest size of the folder in MiB (default 256); 0 keeps nothing. .cache and AUTOTUNE_CACHE also
     hold for this folder. If the source of the winner's kernel or the compiler has changed since, the winner is not
     used. The key is tuned again. */

enum { AUTOTUNE_MAX_OPTIONS = 12 };
typedef struct autotune_program_source {        /* make it static: it must live until the last launch of the process */
    const char *text;                           /* its source, or NULL */
    const char *file;                           /* the path of its source, or NULL */
    const char *options[AUTOTUNE_MAX_OPTIONS + 1];      /* of its compiler, up to the first NULL */
    struct autotune__program *made;             /* the library's state of this program; NULL: not used yet */
} autotune_program_source;
#define AUTOTUNE__PROGRAM_TEXT(text, ...) { text, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL }
#define AUTOTUNE__PROGRAM_FILE(path, ...) { AUTOTUNE__NULL, path, { __VA_ARGS__ }, AUTOTUNE__NULL }

/* The part of a kernel that a hit reads, if the kernel is a function of this process. The word behind the values of an
   entry points to a list of kernels. Each element of this list begins with this struct. */
typedef struct autotune__listed_function {
    const void *key;                            /* an address that identifies the call site; NULL: the kernel is no
                                                   function of this process */
    void (*address)(void);
} autotune__listed_function;

/* The value of SHARED and LOCAL_BYTES: bytes of shared memory of a block, or of local memory of a work-group. */
typedef struct autotune_local_bytes { size_t bytes; } autotune_local_bytes;
AUTOTUNE__INLINE autotune_local_bytes autotune__local_bytes_of(size_t size) {
    const autotune_local_bytes local = { size };
    return local;
}
typedef struct autotune__arguments {            /* of a launch */
    void **at;
    const unsigned short *sizes;                /* in bytes; 0: an autotune_local_bytes */
    size_t count;
} autotune__arguments;
/* AUTOTUNE__LAUNCH_KERNEL(function, call, (member, ...), argument, ..., 0) calls the function with a struct `call`. The
   last member of this struct has the arguments. The final 0 is no argument: it allows an empty list. */
#define AUTOTUNE__UNWRAPPED(...) __VA_ARGS__
#ifdef __cplusplus
template <class Status, class Call, class... T>
AUTOTUNE__INLINE Status autotune__launch_with(Status (*function)(autotune__tuning *, const uint64_t *, const Call *),
                                              const autotune__run *run, Call call, T... argument) {
    void *at[] = { const_cast<void *>(static_cast<const void *>(&argument))... };
    static constexpr unsigned short sizes[] = {
        static_cast<unsigned short>(std::is_same<T, autotune_local_bytes>::value ? 0 : sizeof(T))... };
    call.arguments.at = at;                     /* nvcc warns of unused members if one list sets all */
    call.arguments.sizes = sizes;
    call.arguments.count = sizeof...(T) - 1;
    return autotune__launched(run, function(run->tuning, run->slot, &call));
}
#define AUTOTUNE__LAUNCH_KERNEL(launch, call, members, ...) \
    autotune__launch_with(launch, autotune__this, call{ AUTOTUNE__UNWRAPPED members, autotune__arguments() }, \
                          __VA_ARGS__)
#else
/* Each argument is wrapped in a struct with one member, so an argument may itself be a struct. */
#define AUTOTUNE__LAUNCH_KERNEL(launch, call, members, ...) \
    autotune__launched(autotune__this, launch(autotune__this->tuning, autotune__this->slot, \
                       (const call[]){ { AUTOTUNE__UNWRAPPED members, AUTOTUNE__ARGUMENTS(__VA_ARGS__) } }))
#define AUTOTUNE__ARGUMENTS(...) \
    { (void *[]){ AUTOTUNE__EACH(AUTOTUNE__ARGUMENT, ~, __VA_ARGS__) }, \
      (const unsigned short[]){ AUTOTUNE__EACH(AUTOTUNE__ARGUMENT_SIZE, ~, __VA_ARGS__) }, \
      AUTOTUNE__COUNT(__VA_ARGS__) - 1 }
#define AUTOTUNE__ARGUMENT(c, left, v) (void *)&(struct { AUTOTUNE__DECAYED(v) value; }){ v },
#define AUTOTUNE__ARGUMENT_SIZE(c, left, v) \
    _Generic((v), autotune_local_bytes: 0, default: sizeof(AUTOTUNE__DECAYED(v))),
#endif
#endif

/* ---- src/opencl/site.h ---------------------------------------------------------------------------------------------
   The part of OpenCL that programs see: its macros and functions at a call site. */

#define AUTOTUNE_OPENCL(queue) autotune_opencl(queue)

/* OPENCL_LAUNCH(kernel, global, local)     an expression of type autotune_status, in the call or block of a statement.
   It enqueues a cl_kernel, whose arguments are set, on the queue of the backend.
   global   the number of work-items: GLOBAL(x), GLOBAL(x, y) or GLOBAL(x, y, z). Each size is a dimension.
   local    the work-items of a work-group: LOCAL(x), LOCAL(x, y), LOCAL(x, y, z). A missing size is 1. With LOCAL(0)
            the driver chooses the size. Add the value 0 to the axis: then the driver's choice is raced, too.
   A global size is rounded up to a multiple of the local size. So the kernel has to check whether its work-item has
   work. If the device or the kernel does not allow a launch, the configuration fails with the error of the driver.

   OPENCL_EVENT     an argument for your own enqueue, in the call or block of a statement. It is the address of an event
   in a trial, and in the first calls of a winner; the backend measures and releases this event. Else it is NULL. Each
   enqueue of the body needs its own OPENCL_EVENT; their number has no limit:

       clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, OPENCL_EVENT)

   A trial fails if an enqueue did not set its event, which means that the enqueue was refused. A trial also fails if
   its body enqueues nothing by OPENCL_LAUNCH, OPENCL_RUN or OPENCL_EVENT. */
#define AUTOTUNE_OPENCL_LAUNCH(kernel, global, local) \
    autotune__launched(autotune__this, AUTOTUNE__OPENCL_START(autotune__this->tuning, kernel, global, local))
#define AUTOTUNE_OPENCL_GLOBAL(...) AUTOTUNE__OPENCL_SIZE("GLOBAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_LOCAL(...) AUTOTUNE__OPENCL_SIZE("LOCAL", AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_OPENCL_EVENT \
    (AUTOTUNE__LIKELY(!autotune__this->tuning) ? AUTOTUNE__NULL \
                                               : autotune__opencl_event_of(autotune__this->tuning))

/* OPENCL_PROGRAM(text, option, ...)        a program as source in OpenCL C. One string may have several options, with
                                            blanks between them.
   OPENCL_PROGRAM_FILE(path, option, ...)   source in a file.
   Each macro initialises an autotune_opencl_program.

   OPENCL_RUN(&program, name, global, local, argument, ...)     an expression of type autotune_status
   It enqueues a kernel of the program on the queue of the backend.
   global, local    as in OPENCL_LAUNCH.
   argument         a value; a cl_mem for memory; LOCAL_BYTES(n) for n bytes of local memory. */
#define AUTOTUNE_OPENCL_PROGRAM(...) AUTOTUNE__PROGRAM_TEXT(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_OPENCL_PROGRAM_FILE(...) AUTOTUNE__PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_OPENCL_RUN(program, name, global, ...) AUTOTUNE__OPENCL_RUN(program, name, global, __VA_ARGS__, 0)
#define AUTOTUNE__OPENCL_RUN(program, name, global, local, ...) \
    AUTOTUNE__LAUNCH_KERNEL(autotune__opencl_run_kernel, autotune__opencl_run, (program, name, global, local), \
                            __VA_ARGS__)
#define AUTOTUNE_OPENCL_LOCAL_BYTES(size) autotune__local_bytes_of(AUTOTUNE__AS(size_t, size))

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define OPENCL(queue) AUTOTUNE_OPENCL(queue)
#define OPENCL_LAUNCH(kernel, global, local) AUTOTUNE_OPENCL_LAUNCH(kernel, global, local)
#define OPENCL_EVENT AUTOTUNE_OPENCL_EVENT
#define OPENCL_PROGRAM(...) AUTOTUNE_OPENCL_PROGRAM(__VA_ARGS__)
#define OPENCL_PROGRAM_FILE(...) AUTOTUNE_OPENCL_PROGRAM_FILE(__VA_ARGS__)
#define OPENCL_RUN(program, name, global, ...) AUTOTUNE_OPENCL_RUN(program, name, global, __VA_ARGS__)
#define LOCAL_BYTES(size) AUTOTUNE_OPENCL_LOCAL_BYTES(size)
#define GLOBAL(...) AUTOTUNE_OPENCL_GLOBAL(__VA_ARGS__)
#define LOCAL(...) AUTOTUNE_OPENCL_LOCAL(__VA_ARGS__)
#endif

AUTOTUNE__BEGIN_C

typedef struct autotune_opencl_size {           /* the value of GLOBAL and LOCAL */
    cl_uint dimensions;                         /* 1 to 3 */
    size_t at[3];                               /* sizes beyond `dimensions` are 1 */
} autotune_opencl_size;
typedef autotune_program_source autotune_opencl_program;

/* OPENCL(queue) calls this function. Returns the backend for the context and the device of the queue, never NULL. The
   next launches of this thread use the queue. If OpenCL does not work, or the queue is NULL, statements with this
   backend end with AUTOTUNE_ERR_ENVIRONMENT. Any thread may call it. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue);

/* OPENCL_LAUNCH and OPENCL_EVENT as functions, for launch() of a created tuner. They work for the innermost statement
   of this thread; without a statement the call is a hit. */
AUTOTUNE__API autotune_status autotune_opencl_launch(cl_kernel kernel, autotune_opencl_size global,
                                                     autotune_opencl_size local);
AUTOTUNE__API cl_event *autotune_opencl_event(void);
AUTOTUNE__API cl_event *autotune__opencl_event_of(const autotune__tuning *tuning);

/* Turns the error of an OpenCL function into an autotune_status. The name of the error becomes the reason why the trial
   fails. Write autotune_opencl_status(clEnqueueNDRangeKernel(...)). Any thread may call the function. */
AUTOTUNE__API autotune_status autotune_opencl_status(cl_int error);

/* OPENCL_LAUNCH calls this function. tuning: NULL on a hit. The function's name is a message, which the linker shows if
   no file has the implementation. */
#define AUTOTUNE__OPENCL_START autotune__define_AUTOTUNE_OPENCL_IMPLEMENTATION_in_one_file
AUTOTUNE__API autotune_status AUTOTUNE__OPENCL_START(autotune__tuning *tuning, cl_kernel kernel,
                                                     autotune_opencl_size global, autotune_opencl_size local);

typedef struct autotune__opencl_run {           /* the arguments of OPENCL_RUN */
    autotune_opencl_program *program;
    const char *name;
    autotune_opencl_size global, local;
    autotune__arguments arguments;
} autotune__opencl_run;
/* OPENCL_RUN calls this function. tuning: NULL on a hit. values: the values of the configuration; the word after them
   leads to its kernels. */
AUTOTUNE__API autotune_status autotune__opencl_run_kernel(autotune__tuning *tuning, const uint64_t *values,
                                                          const autotune__opencl_run *run);

AUTOTUNE__INLINE autotune_opencl_size autotune__opencl_sized(cl_uint dimensions, size_t x, size_t y, size_t z) {
    const autotune_opencl_size size = { dimensions, { x, y, z } };
    return size;
}
#define AUTOTUNE__OPENCL_SIZE(name, n, x, y, z, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) <= 3, name ": x, y and z, no more"); }), \
     autotune__opencl_sized(n, AUTOTUNE__AS(size_t, x), AUTOTUNE__AS(size_t, y), AUTOTUNE__AS(size_t, z)))

AUTOTUNE__END_C

#endif  /* AUTOTUNE_OPENCL_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_OPENCL_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__OPENCL_IMPLEMENTED
#define AUTOTUNE__OPENCL_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_opencl.h: define AUTOTUNE_OPENCL_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, \
or there alone"
#endif

AUTOTUNE__COLD_CODE
#ifndef AUTOTUNE__KERNELS_IMPLEMENTED
#define AUTOTUNE__KERNELS_IMPLEMENTED

/* ---- src/kernels/digest.h ------------------------------------------------------------------------------------------
   Digests of 128 bits: FNV-1a, and a second hash by another rule. This room also hashes the tokens of a source. */

typedef struct autotune__digest { uint64_t word[2]; } autotune__digest;

static void autotune__digest_bytes(autotune__digest *digest, const void *bytes, size_t count) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t a = digest->word[0], b = digest->word[1];
    size_t i;
    for (i = 0; i < count; i++) {
        a = autotune__hash_byte(a, at[i]);
        b = ((b << 9 | b >> 55) + at[i] + 1) * 0x9E3779B97F4A7C15u;
    }
    digest->word[0] = (a ^ count) * 1099511628211u; /* marks the end: "ab", "c" differs from "a", "bc" */
    digest->word[1] = (b + count) * 0x9E3779B97F4A7C15u;
}
static void autotune__digest_string(autotune__digest *digest, const char *string) {
    autotune__digest_bytes(digest, string, strlen(string));
}
/* Returns true if the two characters make one token without a gap between them, such as `+=`. `>>` and `..` do not
   count: `> >` closes two templates like `>>`, and `... ...` means the same as `......`. */
static bool autotune__are_joined(char first, char second) {
    if (second == '=') return strchr("+-*/%&|^<>!=", first) != NULL;
    return (first == second && strchr("+-<&|:#", second)) || (first == '-' && second == '>');
}
/* Hashes the tokens of a source, without comments and blanks. A line feed counts if it ends a directive. A gap is a
   comment, or blanks. A gap counts between characters that would be one token without the gap. A gap also counts in a
   #define between name and `(`. */
static uint64_t autotune__hash_code(uint64_t hash, const char *text) {
    const char *at, *next, *feed;
    char last = ' ';
    bool directive = false, gap = false, joined = false, defines = false, named = false;
    for (at = text; *at; at = next) {
        bool counts = *at == '\n' && directive;
        next = at + 1;
        if (*at == '\n') directive = named = false;
        else if (at[0] == '/' && at[1] == '/') next = at + strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') next = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (at[0] == '\\' && at[1] == '\n') { next = at + 2; continue; }
        else if (!strchr(" \t\r\f\v", *at)) {
            counts = true;
            directive = directive || *at == '#';
            next = autotune__past_token(at);
            feed = autotune__past_raw_string(at) ? NULL : (const char *)memchr(at, '\n', (size_t)(next - at));
            if (feed && feed > at && feed[-1] != '\\') next = feed;     /* a quote left open in a directive */
            joined = !joined && autotune__are_joined(last, *at);
            if (gap && (joined || (named && *at == '('))) hash = autotune__hash_byte(hash, ' ');
            joined = joined && !gap;
            named = defines;
            defines = directive && next - at == 6 && !memcmp(at, "define", 6);
        }
        if ((gap = !counts)) continue;
        last = next[-1];
        hash = autotune__hash_more(hash, at, (size_t)(next - at));
    }
    return hash;
}

/* ---- src/kernels/compiler.h ----------------------------------------------------------------------------------------
   The functions that a backend provides for its compiler, and the structs of this floor. The floor compiles a program
   with the values of a configuration as definitions. It loads the machine code as a kernel. */

/* The target into which kernels are loaded: a context of a device. It lives as long as the process. */
typedef struct autotune__target {
    struct autotune__compiler *compiler;
    const char *architecture;                   /* targets with equal architectures share machine code */
    const struct autotune__target *other;       /* a second target for the same code, whose copy may be faster or
                                                   slower: the control of a duel launches the copy. NULL: none */
} autotune__target;

/* An entry of the list of a configuration. The list has the kernels that the configuration launches. */
typedef struct autotune__listed_kernel {
    autotune__listed_function function;         /* has to come first: a call site reads it */
    const void *program;                        /* the program's autotune_program_source */
    const char *name;
    struct autotune__kernel *kernel;
    struct autotune__listed_kernel *next;       /* the next kernel of the same configuration */
    struct autotune__listed_kernel *older_copy; /* the copies of the kernel's own entry, the newest first. The own entry
                                                   points to the newest copy. The end of `kernel` frees all copies */
} autotune__listed_kernel;

/* A kernel: a compilation that is loaded into a target. The backend's struct of a kernel contains this struct. */
typedef struct autotune__kernel {
    autotune__listed_kernel listed;             /* its entry for lists; hits read it */
    const autotune__target *target;
    struct autotune__compilation *compilation;
    struct autotune__kernel *sibling;           /* the next kernel of this compilation, in another target */
    size_t users;                               /* how many sessions try the kernel */
    bool kept;                                  /* it was launched for real, so entries may point to it; or there was
                                                   no memory to note its session */
} autotune__kernel;

/* The kinds of options that a program gives to its compiler. */
typedef enum autotune__option_kind {
    AUTOTUNE__OPTION_OTHER,                     /* names neither a folder nor a file */
    AUTOTUNE__OPTION_FOLDER,                    /* names a folder of included files */
    AUTOTUNE__OPTION_FILE                       /* makes the compiler read or write a file, which the scan cannot see */
} autotune__option_kind;
typedef struct autotune__known_option {
    const char *name;                           /* without its dashes; the value may follow the name without a gap */
    autotune__option_kind kind;
} autotune__known_option;

/* The limits at which a compiler may stop. */
typedef struct autotune__compile_limits {
    bool *unwanted;                             /* true: the code is not needed any more; NULL: it is needed */
    double seconds;                             /* a longer compilation fails */
} autotune__compile_limits;
static bool autotune__program_ends;             /* exit() was called: code that is compiled ahead is unwanted */
static AUTOTUNE__UNUSED bool autotune__is_unwanted(const autotune__compile_limits *limits) {
    return limits->unwanted && (__atomic_load_n(limits->unwanted, __ATOMIC_RELAXED) ||
                                __atomic_load_n(&autotune__program_ends, __ATOMIC_RELAXED));
}

/* The compiler of a backend. It lives as long as the process. Any thread may call its functions. The callers of
   add_options, compile and still_holds do not hold autotune__kernels_lock; the callers of the others do. */
typedef struct autotune__compiler {
    const char *folder, *suffix;                /* of machine code on disk: "cubins", "cubin" */
    const char *version;                        /* name and version; if they change, a key is tuned again. NULL: each
                                                   compilation has its own */
    const char *identity;                       /* further data that decide machine code, such as the compiler's file;
                                                   NULL: there are no further data */
    bool divides;                               /* an option string may have several options, with blanks between */
    bool outlives_session;                      /* compile() needs no context, and may return long after it is unwanted:
                                                   the end of a session does not wait for it */
    const autotune__known_option *options;      /* the known options. The last one has no name, and gives the kind of
                                                   all other options, and of words without a dash. If two names begin
                                                   alike, the longer name comes first */
    const char *const *variables;               /* variables of the environment, up to NULL. They decide machine code,
                                                   too, and name folders of included files. NULL: there are no such
                                                   variables */
    /* Returns the name of the file in `folder` that has the version of a toolkit. This version stands for the headers
       of the toolkit. "": the folder has copies of such headers, but no toolkit. NULL: the folder has no such headers.
       If the function is NULL, the compiler knows no toolkit. */
    const char *(*version_file)(const char *folder);
    /* Appends the options that come before the program's own options, each with its zero. NULL: there are none. */
    void (*add_options)(autotune__text *options, const struct autotune__program *program,
                        const autotune__target *target);
    /* Compiles a compilation with the progress WAITING: sets .progress to MADE, and .image, .image_bytes and .symbol.
       Or calls autotune__refuse(). The progress stays WAITING if the compilation is given up, or if memory lacks. This
       takes from milliseconds to seconds. */
    void (*compile)(struct autotune__compilation *compilation, const autotune__target *target,
                    const autotune__compile_limits *limits);
    /* Called after machine code was read from disk. Returns true if the symbol of the code shows that the code is
       still valid. If the function is NULL, code on disk is always valid, and code is not kept there if the scan of its
       includes is blind. */
    bool (*still_holds)(struct autotune__compilation *compilation);
    /* Loads the machine code. NULL: this failed, the trial has the reason, and *error is the backend's error number. */
    autotune__kernel *(*load)(const autotune__target *target, const struct autotune__compilation *compilation,
                              int *error);
    /* Frees the kernel, and unloads it if its context still works. */
    void (*unload)(autotune__kernel *kernel);
    /* Returns the function of this name in a kernel that has several functions. NULL: it has no such function, or
       kernels are no functions of this process. */
    void (*(*function_of)(const autotune__kernel *kernel, const char *name))(void);
    double kept_bytes;                          /* of machine code on disk; 0: not counted yet. Guarded by
                                                   autotune__cache_lock, except in autotune_shutdown() */
} autotune__compiler;

typedef struct autotune__compilation autotune__compilation;
/* A program: the source that the user named. The struct lives as long as the process. The user's source lives as long
   as the process launches it. */
typedef struct autotune__program {
    autotune__compiler *compiler;
    autotune_program_source *declared;          /* the user's struct, which launches name */
    char *file_text;                            /* the source, if it is in a file; NULL: the file was not read */
    autotune__text options;                     /* each with its zero */
    struct autotune__scan *scan;                /* of its source; NULL: the source was not scanned */
    autotune__map *mentions;                    /* names that were asked for, with the places that mention the name */
    autotune__map *compilations;                /* found by the key that autotune__compilation_of() makes */
    struct autotune__program *next;             /* in the list of all programs */
} autotune__program;
static const char *autotune__source_of(const autotune__program *program) {         /* NULL: the file was not read */
    return program->declared->text ? program->declared->text : program->file_text;
}
/* Goes through the options of a text. */
#define AUTOTUNE__EACH_OPTION(option, of) \
    for ((option) = (of)->at; (option) && (option) < (of)->at + autotune__count((of)->at); \
         (option) += strlen(option) + 1)
/* Returns the kind of an option. *value: the folder, which follows the name of the option or is the next option; NULL:
   the option names no folder. */
static autotune__option_kind autotune__read_option(const autotune__compiler *compiler, const char *option,
                                                   const char **value) {
    const size_t dashes = strspn(option, "-");
    const autotune__known_option *known = compiler->options;
    *value = NULL;
    if (*option == '@') return AUTOTUNE__OPTION_FILE;           /* the file has options */
    while (known->name && (!dashes || strncmp(option + dashes, known->name, strlen(known->name)))) known++;
    if (known->kind != AUTOTUNE__OPTION_FOLDER) return known->kind;
    *value = option + dashes + strlen(known->name);
    *value += strspn(*value, "= \t");
    if (!**value) *value = option + strlen(option) + 1;         /* "": there is no next option */
    return known->kind;
}

/* WAITING: no thread has begun the compilation, or a thread gave it up, or there was no memory.
   IN_WORK: a thread compiles.
   MADE: the machine code is in memory.
   REFUSED: there is no machine code, and `reason` says why. */
typedef enum autotune__code_progress {
    AUTOTUNE__CODE_WAITING, AUTOTUNE__CODE_IN_WORK,
    AUTOTUNE__CODE_MADE, AUTOTUNE__CODE_REFUSED         /* in both the compilation is complete */
} autotune__code_progress;
/* A compilation: a program with the values of a configuration as definitions, for one kernel of the program. */
struct autotune__compilation {
    autotune__program *program;
    autotune__text definitions;                 /* the definitions on which the code may depend, each with its zero */
    autotune__text options;                     /* of the compiler, each with its zero, the definitions last; set before
                                                   the code is compiled or read from disk */
    char *name;                                 /* of the kernel, as written; a copy, since strings of an axis end with
                                                   the statement */
    const char *instance;                       /* `name` with values of axes in it: the name that is compiled */
    autotune__code_progress progress;
    char *image;                                /* memory with the machine code, then the symbol */
    size_t image_bytes;                         /* of the machine code */
    const char *symbol;                         /* data for load() and still_holds(): the kernel's name in the code, or
                                                   the folders of its headers */
    size_t shared_bytes;                        /* size of the first part of the text, its headers, which does not
                                                   depend on the definitions; 0: there is no such part */
    char version[64];                           /* of the compiler that made it, if the backend's compiler has none */
    char *reason;                               /* why it is refused; NULL: it is not refused */
    bool no_compiler;                           /* it is refused because no compiler works */
    bool unsettled;                             /* its dependencies may change unnoticed: it is not kept on disk */
    autotune__kernel *kernels;                  /* loaded from this compilation: one for each target */
};

/* ---- src/kernels/includes.h ----------------------------------------------------------------------------------------
   Scans the files that a program includes. The scan follows each #include line that names a file. It reads every file
   with this name: beside the including file, in the working directory, and in each folder that an option or the
   environment names. So the order in which the compiler searches does not matter. If one of these files changes, or
   is missing at the scan and appears later, the scan becomes invalid. In folders of a toolkit the scan reads only the
   file with the toolkit's version. The scan cannot follow an include of another form. Then the scan is blind: the
   machine code of the program is not kept on disk, unless the compiler has still_holds(). */

/* with more files or bytes the scan is blind */
enum { AUTOTUNE__MOST_LOOKED_FOR = 16384, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__looked_for {           /* a file for which the scan has looked */
    autotune__file_facts facts;                 /* all 0: the file does not exist */
    autotune__file_id folder;                   /* the folder in which the path stands: the includes of the file are
                                                   searched there. If the path is a link: the folder of the link */
    char *text;                                 /* NULL: the file does not exist, cannot be read, belongs to a
                                                   toolkit, or was read before by another path */
} autotune__looked_for;
typedef struct autotune__scan {
    autotune__digest digest;                    /* of the program's options and text, the versions of toolkits,
                                                   and the included files */
    uint64_t code;                              /* a hash of the same data; if the program's text is C, its comments and
                                                   blanks do not count */
    bool blind;                                 /* the scan does not see all data that decide the code */
    bool has_include_of_macro;                  /* __has_include has a macro as its argument */
    autotune__text folders;                     /* folders that are searched, each with its zero */
    autotune__text toolkits;                    /* folders of a toolkit, each with its zero: their files are not read */
    autotune__looked_for *files;
    autotune__map *paths;                       /* of the files, in the same order */
    size_t bytes;                               /* of all files that were read */
    size_t header_end;                          /* where the headers of the program's text end */
    bool pastes;                                /* a text uses the operator ##, which may join two words to one name */
} autotune__scan;

static const char *autotune__skip_blanks(const char *at) { return at + strspn(at, " \t"); }
static const char *autotune__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
static autotune__file_id autotune__folder_of(char *path) {
    char *const base = path + (autotune__base_name(path) - path), first = *base;
    autotune__file_facts facts;
    *base = 0;
    (void)autotune__facts_of_path(*path ? path : ".", &facts);
    *base = first;
    return facts.id;
}
/* Returns true if the file was read before, by another spelling of its path. */
static bool autotune__was_read(const autotune__scan *scan, const autotune__looked_for *file, const char *path) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].folder, file->folder) &&
            !strcmp(autotune__base_name(scan->paths[i].key), autotune__base_name(path))) return true;
    return false;
}
static void autotune__read_included(autotune__scan *scan, autotune__looked_for *file, char *path) {
    const char *why;
    size_t bytes = 0;
    file->folder = autotune__folder_of(path);
    if (autotune__was_read(scan, file, path) || !(file->text = autotune__read_path(path, &bytes, &why))) return;
    autotune__digest_bytes(&scan->digest, file->text, bytes);
    scan->code = autotune__hash_more(scan->code, file->text, bytes);
    scan->bytes += bytes;
    if (strlen(file->text) < bytes || scan->bytes > AUTOTUNE__MOST_INCLUDED_BYTES)  /* text after a zero is not seen */
        scan->blind = true;
}
/* Adds a file with its facts. reads: also reads the file. */
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length, bool reads) {
    autotune__text path AUTOTUNE__FREED = { NULL, false };
    autotune__looked_for file;
    memset(&file, 0, sizeof file);
    if (*name != '/') autotune__append(&path, "%.*s/", (int)folder_length, folder);
    autotune__append_piece(&path, name, length);
    if (scan->blind || autotune__value_of(scan->paths, autotune__string(&path))) return;
    if (!path.broken && autotune__facts_of_path(path.at, &file.facts) && reads)
        autotune__read_included(scan, &file, path.at);
    if (!path.broken && autotune__count(scan->files) < AUTOTUNE__MOST_LOOKED_FOR &&
        autotune__put_value(&scan->paths, path.at, scan) && AUTOTUNE__PUSH(scan->files, file)) return;
    scan->blind = true;
    autotune__free(file.text);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    const char *folder;
    autotune__digest_bytes(&scan->digest, name, length);
    scan->code = autotune__hash_more(scan->code, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length, true);
    autotune__scan_file(scan, ".", 1, name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) autotune__scan_file(scan, folder, strlen(folder), name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->toolkits)
        autotune__scan_file(scan, folder, strlen(folder), name, length, false);
}
/* Called for a word `include` that no "name" or <name> follows. end: the end of the word. Returns true if the word is
   in a directive. Then a macro may name a file that the scan cannot see. A directive begins at the beginning of a
   line, or after a comment. */
static bool autotune__includes_unseen(const char *text, const char *word, const char *end) {
    while (word > text && (word[-1] == ' ' || word[-1] == '\t')) word--;
    if (autotune__is_word(*end) || *end == '\'' || word == text || *--word != '#') return false;
    while (word > text && word[-1] != '\n' && word[-1] <= ' ') word--;
    return word == text || word[-1] == '\n' || word[-1] == '/';
}
static bool autotune__has_pastes(const char *text) { return strstr(text, "##") || strstr(text, "%:%:"); }
/* Returns the end of the headers of a text: after the last #include that is outside of conditions, and has only
   directives and comments before it. 0: there is none. */
static size_t autotune__header_end(const char *text) {
    const char *at = text, *end = text;
    int depth = 0;
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            if (!(at = strstr(at + 2, "*/"))) break;
            at += 2;
        } else if (*at == '#') {
            const char *word = autotune__skip_blanks(at + 1), *const line = at;
            while (*at && (*at != '\n' || at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\'))) at++;
            if (memchr(line, '*', (size_t)(at - line))) break;      /* a comment may go on in the next line */
            if (!strncmp(word, "if", 2)) depth++;
            else if (!strncmp(word, "endif", 5)) depth--;
            else if (!strncmp(word, "include", 7) && !depth && *at) end = at + 1;
        } else break;
    }
    return (size_t)(end - text);
}
/* Finds each "name" and <name> after the word `include`, wherever the word stands: in a directive, in __has_include or
   in a comment. */
static void autotune__scan_text(autotune__scan *scan, const char *text, const char *path) {
    const char *at = text, *word, *end;
    scan->pastes = scan->pastes || autotune__has_pastes(text);
    while (!scan->blind && (word = strstr(at, "include")) != NULL) {
        const char *const behind = word + (strncmp(word + 7, "_next", 5) ? 7 : 12);
        at = autotune__skip_blanks(behind);
        if (*at == '(') at = autotune__skip_blanks(at + 1);
        end = *at == '<' ? strpbrk(at, ">\n") : *at == '"' ? strpbrk(at + 1, "\"\n") : NULL;
        if (end && *end != '\n') autotune__scan_name(scan, path, at + 1, (size_t)(end - at - 1));
        else if (word - text < 6 || strncmp(word - 6, "__has_", 6))
            scan->blind = autotune__includes_unseen(text, word, behind);
        else scan->has_include_of_macro = scan->has_include_of_macro || *autotune__skip_blanks(behind) == '(';
    }
}
static void autotune__scan_files(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)              /* more files are added meanwhile */
        if (scan->files[i].text) autotune__scan_text(scan, scan->files[i].text, scan->paths[i].key);
}
static const char *autotune__path_of(const autotune__program *program) {        /* of its source; "": no file */
    return program->declared->file ? program->declared->file : "";
}
/* Moves the folders of toolkits from `folders` to `toolkits`: the version of a toolkit stands for its headers. Some
   folders have copies of a toolkit's headers, but no toolkit. If there is such a folder, the function moves no folder,
   since headers of the toolkit may include the copies. */
static void autotune__set_toolkits_apart(autotune__scan *scan, const autotune__compiler *compiler) {
    autotune__text rest = { NULL, false };
    const char *folder, *version, *why;
    bool strange = !compiler->version_file;
    size_t bytes;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders)
        strange = strange || ((version = compiler->version_file(folder)) != NULL && !*version);
    if (strange) return;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) {
        version = compiler->version_file(folder);
        char *path AUTOTUNE__OWNED = version ? autotune__joined(folder, version) : NULL,
             *text AUTOTUNE__OWNED = path ? autotune__read_path(path, &bytes, &why) : NULL;
        autotune__append(text ? &scan->toolkits : &rest, "%s%c", folder, 0);
        if (text) autotune__digest_bytes(&scan->digest, text, bytes);
        if (text) scan->code = autotune__hash_more(scan->code, text, bytes);
        if (text) autotune__scan_file(scan, folder, strlen(folder), version, strlen(version), false);
    }
    rest.broken = rest.broken || scan->toolkits.broken;
    autotune__free_text(&scan->folders);
    scan->folders = rest;
}
/* Returns true if compilers may take the file for Fortran or assembler, by the suffix of its name. In these languages
   `//` begins no comment, and line feeds have a meaning. */
static bool autotune__may_not_be_c(const char *path) {
    const char *const suffix = strrchr(autotune__base_name(path), '.');
    return suffix && suffix[1] && strchr("fFsS", suffix[1]);
}
/* Scans a program that has source: its options, its text or file, and the included files. If an option names
   a file, this file is not scanned, and the scan is blind. The digest has no data of a configuration or a device. The
   digest has no path of a folder, unless the path is an option of its own. */
static void autotune__scan_source(autotune__scan *scan, const autotune__program *program) {
    const char *text = autotune__source_of(program), *option, *value = NULL, *folder;
    const char *const *variable = program->compiler->variables;
    bool reads_files = false, is_c = !autotune__may_not_be_c(autotune__path_of(program));
    size_t length;
    memset(scan, 0, sizeof *scan);
    AUTOTUNE__EACH_OPTION(option, &program->options) {
        const autotune__option_kind kind =
            option == value ? AUTOTUNE__OPTION_OTHER : autotune__read_option(program->compiler, option, &value);
        reads_files = reads_files || kind == AUTOTUNE__OPTION_FILE ||
                      (kind == AUTOTUNE__OPTION_FOLDER && strchr(value, '$'));       /* a folder named by an axis */
        is_c = is_c && strncmp(option, "-x", 2);                /* -x names a language */
        if (kind == AUTOTUNE__OPTION_FOLDER) autotune__append(&scan->folders, "%s%c", value, 0);
        else autotune__digest_string(&scan->digest, option);
        scan->pastes = scan->pastes || autotune__has_pastes(option);
    }
    scan->header_end = autotune__header_end(text);
    for (; variable && *variable; variable++)
        AUTOTUNE__EACH_FOLDER(folder, length, autotune__variable(*variable))
            autotune__append(&scan->folders, "%.*s%c", (int)length, folder, 0);
    scan->code = is_c ? autotune__hash_code(scan->digest.word[0], text)
                      : autotune__hash_more(scan->digest.word[0], text, strlen(text));
    autotune__set_toolkits_apart(scan, program->compiler);
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, autotune__path_of(program));
    autotune__scan_files(scan);
    scan->blind = scan->blind || reads_files || scan->folders.broken;
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) autotune__free(scan->files[i].text);
    AUTOTUNE__FREE_ARRAY(scan->files);
    autotune__free_map(&scan->paths);
    autotune__free_text(&scan->folders);
    autotune__free_text(&scan->toolkits);
}
/* Returns true if a new scan would probably find the same files. Reads no file for this. */
static bool autotune__files_unchanged(const autotune__scan *scan) {
    autotune__file_facts facts;
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) {
        const autotune__file_facts *known = &scan->files[i].facts;
        (void)autotune__facts_of_path(scan->paths[i].key, &facts);
        if (!autotune__is_same_id(facts.id, known->id) || facts.bytes != known->bytes ||
            facts.modified_ns != known->modified_ns) return false;
    }
    return true;
}
/* Makes the digest of all data that decide the machine code of a compilation for this target. Returns false if there is
   no scan, or if a file has changed since the scan. Also returns false if the scan is blind and the compiler has no
   still_holds(). */
static bool autotune__digest_code(autotune__digest *digest, const autotune__compilation *compilation,
                                  const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    const char *option;
    const char *const *variable = target->compiler->variables;
    if (!scan || (scan->blind && !target->compiler->still_holds) || !autotune__files_unchanged(scan)) return false;
    memset(digest, 0, sizeof *digest);
    if (target->compiler->version) autotune__digest_string(digest, target->compiler->version);
    if (target->compiler->identity) autotune__digest_string(digest, target->compiler->identity);
    for (; variable && *variable; variable++) {
        const char *const value = autotune__variable(*variable);
        autotune__digest_string(digest, value ? value : "");
    }
    autotune__digest_string(digest, target->architecture);
    autotune__digest_string(digest, autotune__path_of(program));        /* __FILE__ */
    autotune__digest_string(digest, compilation->instance);
    AUTOTUNE__EACH_OPTION(option, &compilation->options) autotune__digest_string(digest, option);
    autotune__digest_bytes(digest, &scan->digest, sizeof scan->digest);
    return true;
}

/* ---- src/kernels/source_words.h ------------------------------------------------------------------------------------
   Finds the names that a program mentions. The definition of any other name does not change the program's machine
   code. */

/* The places that mention a name. A word in a comment counts, too.
   MENTIONED: the program may mention the name.
   SEEN_BY_HEADERS: a header may mention the name.
   NO_MACRO: the program needs no macro of this name. No text and no option has this word, or a template has a parameter
   of this name. */
enum { AUTOTUNE__MENTIONED = 1, AUTOTUNE__SEEN_BY_HEADERS = 2, AUTOTUNE__NO_MACRO = 4 };

static bool autotune__has_word(const char *text, size_t bytes, const char *word, size_t length) {
    const char *at = text, *const end = text + bytes;
    for (; (size_t)(end - at) >= length && (at = (const char *)memchr(at, *word, (size_t)(end - at))) != NULL; at++)
        if ((size_t)(end - at) >= length && !memcmp(at, word, length) &&
            (at == text || at[-1] == '$' || !autotune__is_word(at[-1])) &&          /* an option may have $A$B */
            (at + length == end || at[length] == '$' || !autotune__is_word(at[length]))) return true;
    return false;
}
/* Returns true if the parameter list of a template in the text has this name. A macro of this name would break the
   template. Reads the whole text. */
static bool autotune__declares(const char *text, size_t bytes AUTOTUNE__UNUSED, const char *name, size_t length) {
    const char *at = text, *list;
    while ((at = strstr(at, "template")) != NULL) {
        int depth = 0;
        at += 8;
        list = at += strspn(at, " \t\r\n");
        do depth += (*at == '<') - (*at == '>'); while (depth > 0 && *++at);
        if (autotune__has_word(list, (size_t)(at - list), name, length)) return true;
    }
    return false;
}
/* Returns true if is_so() holds for the first `bytes` bytes of the program's text, or for an included file. */
static bool autotune__some_text(bool (*is_so)(const char *text, size_t bytes, const char *word, size_t length),
                                const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const autotune__scan *scan = program->scan;
    bool some = is_so(autotune__source_of(program), bytes, word, length);
    size_t i;
    for (i = 0; !some && i < autotune__count(scan->files); i++)
        some = scan->files[i].text && is_so(scan->files[i].text, strlen(scan->files[i].text), word, length);
    return some;
}
/* Returns true if the first `bytes` bytes of the text, an included file, or an option of the program mentions the
   name. If `bytes` is the end of the headers, options with a `$` do not count. */
static bool autotune__is_mentioned(const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const char *option;
    AUTOTUNE__EACH_OPTION(option, &program->options)        /* headers see the value of $NAME, not the name */
        if ((bytes != program->scan->header_end || !strchr(option, '$')) &&
            autotune__has_word(option, strlen(option), word, length)) return true;
    return autotune__some_text(autotune__has_word, program, bytes, word, length);
}
/* Returns true if headers of a toolkit may read the macro. These headers are not scanned. */
static bool autotune__configures_toolkit(const char *name) {
    return !strncmp(name, "CU", 2) || !strncmp(name, "NV", 2) || !strncmp(name, "CCCL_", 5) ||
           !strncmp(name, "THRUST_", 7) || !strncmp(name, "LIBCUDACXX_", 11);
}
/* Returns true if headers may read the macro of this name. The operator ## may join two mentioned words to this
   name, or a mentioned word and a number. Headers of the compiler may read any name that begins with an underscore. */
static bool autotune__headers_may_read(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = program->scan->header_end;
    size_t i;
    for (i = 1; program->scan->pastes && i < length; i++)
        if (autotune__is_mentioned(program, bytes, name, i) &&
            ((name[i] >= '0' && name[i] <= '9') || autotune__is_mentioned(program, bytes, name + i, length - i)))
            return true;
    return *name == '_' || (program->scan->toolkits.at && autotune__configures_toolkit(name)) ||
           autotune__is_mentioned(program, bytes, name, length);
}
static unsigned autotune__find_mentions(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = strlen(autotune__source_of(program));
    const bool seen = autotune__is_mentioned(program, bytes, name, length),
               declared = autotune__some_text(autotune__declares, program, bytes, name, length);
    unsigned mentions = seen || program->scan->pastes || program->scan->blind ? AUTOTUNE__MENTIONED : 0;
    if (program->scan->blind || autotune__headers_may_read(program, name, length))
        mentions |= AUTOTUNE__SEEN_BY_HEADERS;
    return !seen || declared ? mentions | AUTOTUNE__NO_MACRO : mentions;
}
/* The caller holds the lock. Returns the places that mention the name of a definition. Texts may be long, so a map
   keeps the answer. The map has the answer plus one, since NULL means that there is no answer. */
static unsigned autotune__mentions_of(autotune__program *program, const char *name, size_t length) {
    autotune__text key AUTOTUNE__FREED = { NULL, false };
    uintptr_t known;
    unsigned mentions;
    if (!program->scan) return AUTOTUNE__MENTIONED | AUTOTUNE__SEEN_BY_HEADERS;
    autotune__append(&key, "%.*s", (int)length, name);
    known = key.broken ? 0 : (uintptr_t)autotune__value_of(program->mentions, key.at);
    if (known) return (unsigned)known - 1;
    mentions = autotune__find_mentions(program, name, length);
    if (!key.broken) (void)autotune__put_value(&program->mentions, key.at, (void *)(uintptr_t)(mentions + 1));
    return mentions;
}

/* ---- src/kernels/images.h ------------------------------------------------------------------------------------------
   Machine code on disk. Each compiler has a folder beside the records, such as `cubins`. The folder has a file for each
   compilation, named by its digest. The file is the output of the compiler, which tools can read. Behind it a line
   identifies the code. A file with a wrong line or checksum is not loaded. A file is always replaced as a whole. If the
   folder has no room for a new file, all files are removed. */

typedef struct autotune__image_name { char at[64]; } autotune__image_name;
/* Returns the name of the file for a digest. */
static autotune__image_name autotune__name_image(const autotune__compiler *compiler, const autotune__digest *digest) {
    autotune__image_name name;
    autotune__put_text(name.at, sizeof name.at, "%016llx%016llx.%s", (unsigned long long)digest->word[0],
                       (unsigned long long)digest->word[1], compiler->suffix);
    return name;
}
/* The line after the code, for the suffix cubin: {"cubin":1,"digest":"...","kernel":"its name in the
   code","crc":"..."}. Its checksum is that of records. This function writes the part before the kernel's name, and
   returns its length. */
enum { AUTOTUNE__IMAGE_LINE_START = 96 };
static size_t autotune__begin_image_line(char *start, const char *suffix, const autotune__digest *digest) {
    return (size_t)snprintf(start, AUTOTUNE__IMAGE_LINE_START,
                            "\n{\"%s\":1,\"digest\":\"%016llx%016llx\",\"kernel\":\"", suffix,
                            (unsigned long long)digest->word[0], (unsigned long long)digest->word[1]);
}
/* Returns true if the file has the code of this digest. The compilation then owns the bytes. The caller has put a
   zero behind the bytes of the file. */
static bool autotune__take_image(autotune__compilation *compilation, const autotune__digest *digest, char *file,
                                 size_t bytes) {
    char start[AUTOTUNE__IMAGE_LINE_START], sum[AUTOTUNE__CRC_BYTES + 2];
    const size_t length = autotune__begin_image_line(start, compilation->program->compiler->suffix, digest);
    char *const end = file + (bytes < sizeof sum ? 0 : bytes + 1 - sizeof sum), *at = end;
    autotune__put_text(sum, sizeof sum, ",\"crc\":\"%08lx\"}\n",
                       (unsigned long)autotune__crc(file, (size_t)(end - file)));
    while (at > file && *at != '\n') at--;
    if (strcmp(end, sum) || strncmp(at, start, length) || (size_t)(end - at) <= length || end[-1] != '"') return false;
    *at = end[-1] = 0;
    compilation->image = file;
    compilation->image_bytes = (size_t)(at - file);
    compilation->symbol = at + length;
    return true;
}
/* Reads the code of a digest. Returns false if the folder has no such code, or if the code no longer holds. */
static bool autotune__read_image(autotune__compilation *compilation, const autotune__digest *digest) {
    const autotune__compiler *compiler = compilation->program->compiler;
    const int file AUTOTUNE__CLOSED = autotune__open_in_cache(compiler->folder,
                                                              autotune__name_image(compiler, digest).at);
    const char *why;
    char *bytes = NULL;
    size_t got;
    const bool taken = file >= 0 && (bytes = autotune__read_whole(file, &got, &why)) != NULL &&
                       autotune__take_image(compilation, digest, bytes, got) &&
                       (!compiler->still_holds || compiler->still_holds(compilation));
    if (taken) compilation->progress = AUTOTUNE__CODE_MADE;
    else {
        autotune__free(bytes);
        compilation->image = NULL;
    }
    return taken;
}

typedef struct autotune__image_walk {
    autotune__compiler *compiler;
    const char *folder;
    bool removes;                               /* removes the files; false: counts their bytes */
} autotune__image_walk;
/* Counts or removes a file. An unfinished file has a longer name. It stays for a minute, since a process may still
   write it. */
static void autotune__meet_image(const char *name, void *user) {
    const autotune__image_walk *walk = (const autotune__image_walk *)user;
    const size_t length = strlen(walk->compiler->suffix);
    const bool is_image = strspn(name, "0123456789abcdef") == 32 && name[32] == '.' &&
                          !strncmp(name + 33, walk->compiler->suffix, length);
    autotune__file_facts facts;
    char *path AUTOTUNE__OWNED = is_image ? autotune__joined(walk->folder, name) : NULL;
    if (path && autotune__facts_of_name(path, &facts)) {
        const bool in_work = name[33 + length] && facts.modified_ns / 1000000000 > autotune__calendar_seconds() - 60;
        if (!walk->removes) walk->compiler->kept_bytes += (double)facts.bytes;
        else if (!in_work) autotune__remove_file(path);
    }
}
/* The caller holds the lock of the cache. Makes room for `bytes` bytes in the folder. If there is no room, all files
   are removed, and their code is compiled again when it is needed. Other processes add and remove files, too, so all
   files are counted once, and counted anew when the limit seems to be reached. */
static void autotune__make_image_room(const char *folder, double bytes, void *user) {
    const double room = autotune__environment.cubins_mib * 1048576;
    autotune__compiler *compiler = (autotune__compiler *)user;
    autotune__image_walk walk = { compiler, folder, false };
    if (!(compiler->kept_bytes > 0) || compiler->kept_bytes + bytes > room) {
        compiler->kept_bytes = 0;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
    }
    if (compiler->kept_bytes + bytes > room) {
        walk.removes = true;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
        compiler->kept_bytes = 0;
    }
    compiler->kept_bytes += bytes;
}
static void autotune__keep_image(const autotune__compilation *compilation, const autotune__digest *digest) {
    const double room = autotune__environment.cubins_mib * 1048576, bytes = (double)compilation->image_bytes;
    const bool plain = !compilation->unsettled && !strpbrk(compilation->symbol, "\"\\\n") && bytes <= room / 4;
    autotune__compiler *compiler = compilation->program->compiler;
    char start[AUTOTUNE__IMAGE_LINE_START];
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    if (!plain) return;
    autotune__append_piece(&text, compilation->image, compilation->image_bytes);
    autotune__begin_image_line(start, compiler->suffix, digest);
    autotune__append(&text, "%s%s\"", start, compilation->symbol);
    autotune__append_crc(&text, 0);
    autotune__keep_in_cache(compiler->folder, autotune__name_image(compiler, digest).at, &text,
                            autotune__make_image_room, compiler);
}

/* ---- src/kernels/image_turn.h --------------------------------------------------------------------------------------
   Turns: several processes may need the same machine code at the same time, for instance the ranks of a node. One
   process compiles the code, and the others wait for its file on disk. */

/* Returns the byte of the cache's lock file for an image: at least 0x80000001. The locks of keys use the bytes up to
   0x80000000, see store/lock.h. Systems with 32 bits may lack offsets from 0x80000000 on. On these systems an image
   has a byte above 0x40000000. This byte may be the lasting byte of a key, with a chance of one in 2^30. Earlier
   versions of the library use these lower bytes on all systems. So two processes with different versions do not wait
   for each other, and may compile the same code at the same time. A lock ends with its process. */
static uint64_t autotune__image_byte(const autotune__digest *digest) {
    return (sizeof(void *) > 4 ? 0x80000001u : 0x40000001u) + digest->word[0] % 0x3FFFFFFF;
}
static void autotune__end_image_turn(const autotune__digest *digest) {
    autotune__release_lock(autotune__image_byte(digest));
}
/* Waits for the turn. Returns true if this process has the turn. Returns false if another process had the turn when
   this function was called. Then the turn of the other process has ended or takes too long, or the code is unwanted
   now. Also returns false if locks do not work, or if another thread of this process has the turn. */
static bool autotune__take_image_turn(const autotune__digest *digest, const autotune__compile_limits *limits) {
    const uint64_t began = autotune__wait_clock();
    const double patience_ns = limits->seconds * 1e9;
    autotune__locked locked;
    bool waited = false;
    while ((locked = autotune__hold_lock(autotune__image_byte(digest))) == AUTOTUNE__BUSY &&
           (double)(autotune__wait_clock() - began) < patience_ns && !autotune__is_unwanted(limits)) {
        waited = true;
        autotune__sleep_ns(1000000);
    }
    if (locked == AUTOTUNE__HELD && waited) autotune__end_image_turn(digest);
    return locked == AUTOTUNE__HELD && !waited;
}

/* ---- src/kernels/definitions.h -------------------------------------------------------------------------------------
   Definitions: the values of a configuration as options of the compiler, "-DTILE=16", each with its zero. */

/* Appends the definition for the value of an axis. An axis of functions gets no definition. A definition is one line:
   blanks replace line feeds. Negative integers and all floating-point numbers are in parentheses, since an operator may
   come before the macro. */
static void autotune__define(autotune__text *text, const char *name, autotune_type type, uint64_t value) {
    const size_t start = autotune__count(text->at);
    if (type == AUTOTUNE_POINTER) return;
    if (type == AUTOTUNE_STRING) {
        char *at;
        autotune__append(text, "-D%s=%s%c", name, value ? autotune__string_of_value(value) : "", 0);
        for (at = text->broken ? NULL : text->at + start; at && (at = strpbrk(at, "\r\n")) != NULL; ) *at = ' ';
    }
    else if (type == AUTOTUNE_U64) autotune__append(text, "-D%s=%lluu%c", name, (unsigned long long)value, 0);
    else if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64) {
        autotune__append(text, "-D%s=(", name);
        autotune__append_number(text, "%.17g", autotune__double_of_value(type, value));
        if (!text->broken && !strpbrk(text->at + start + strlen(name) + 4, ".en")) autotune__append(text, ".0");
        autotune__append(text, "%s)%c", type == AUTOTUNE_F32 ? "f" : "", 0);
    } else {
        const int64_t number = autotune__int_of_value(type, value);
        autotune__append(text, number < 0 ? "-D%s=(%lld)%c" : "-D%s=%lld%c", name, (long long)number, 0);
    }
}
/* Defines the axes of the located point. The axis of AUTOTUNE_SELECT gets no definition. */
static void autotune__define_point(autotune__text *text, const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count && !autotune__is_select(space); a++)
        autotune__define(text, space->axes[a].name, space->axes[a].type, space->value[a]);
}
static AUTOTUNE__UNUSED void autotune__define_config(autotune__text *text, const autotune_config *config) {
    size_t a;
    const bool select = config->count == 1 && config->types[0] == AUTOTUNE_U64 && !strcmp(config->names[0], "call");
    for (a = 0; a < config->count && !select; a++)
        autotune__define(text, config->names[a], config->types[a], config->values[a]);
}
/* Returns the value of an axis in the definitions. NULL: no axis has this name. */
static const char *autotune__value_of_axis(const autotune__text *definitions, const char *axis, size_t length) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)      /* -DNAME=VALUE */
        if (!strncmp(at + 2, axis, length) && at[2 + length] == '=') return at + 3 + length;
    return NULL;
}

/* ---- src/kernels/program.h -----------------------------------------------------------------------------------------
   Programs: the library's structs for the programs of the user. This room lists the programs, and reads their source
   and their options. It also has the lock of this floor. */

/* The lock of programs, compilations and kernels. */
static autotune__mutex autotune__kernels_lock = AUTOTUNE__MUTEX;
static autotune__condition autotune__kernels_changed = AUTOTUNE__CONDITION;     /* a compilation made progress, or
                                                                                   workers have new work, or
                                                                                   have to end */

/* The number of forks between the first process and this process. */
static unsigned autotune__kernels_generation;
static autotune__program *autotune__programs;                   /* all programs */

/* The caller holds the lock, or is the only thread of a child made by fork(). Forgets the source of the program and its
   compilations, and frees nothing. The options stay. */
static void autotune__empty_program(autotune__program *program) {
    program->scan = NULL;
    program->mentions = program->compilations = NULL;
    program->file_text = NULL;
}
/* The caller holds the lock. Reads the program's file and scans its source, unless both were done. Tries again after a
   failure. */
static void autotune__read_program(autotune__program *program) {
    const char *why;
    size_t bytes;
    if (!autotune__source_of(program) && program->declared->file)
        program->file_text = autotune__read_path(program->declared->file, &bytes, &why);
    if (!program->scan && autotune__source_of(program) &&
        (program->scan = (autotune__scan *)autotune__allocate(sizeof *program->scan)) != NULL)
        autotune__scan_source(program->scan, program);
}
/* Divides a text at blanks, and appends each word with its zero. */
static void autotune__append_divided(autotune__text *words, const char *text) {
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        autotune__append(words, "%.*s%c", (int)length, text, 0);
        text += length;
    }
}
/* Makes the options of a program: the user's options. If the source is in a file, -I with the folder of this file comes
   first, for included files. Returns false if there is no memory. */
static bool autotune__take_options(autotune__program *program) {
    const char *const *given = program->declared->options;
    const char *const path = autotune__path_of(program), *const name = autotune__base_name(path);
    autotune__text *const options = &program->options;
    size_t i;
    if (*path) autotune__append(options, "-I%.*s%c", name > path ? (int)(name - path) : 1, name > path ? path : ".", 0);
    for (i = 0; i < AUTOTUNE_MAX_OPTIONS && given[i]; i++)
        if (program->compiler->divides) autotune__append_divided(options, given[i]);
        else if (*given[i]) autotune__append(options, "%s%c", given[i], 0);
    return !options->broken;
}
/* The caller holds the lock. NULL: no memory. */
static autotune__program *autotune__make_program(autotune_program_source *of, autotune__compiler *compiler) {
    autotune__program *program = (autotune__program *)autotune__allocate(sizeof *program);
    if (!program) return NULL;
    program->declared = of;
    program->compiler = compiler;
    if (autotune__take_options(program)) {
        program->next = autotune__programs;
        return autotune__programs = program;
    }
    autotune__free_text(&program->options);
    autotune__free(program);
    return NULL;
}
/* The caller holds the lock. Returns the struct for the user's program; if needed makes the struct and reads the
   program. NULL: no memory. */
static autotune__program *autotune__program_from(autotune_program_source *of, autotune__compiler *compiler) {
    if (!of->made) of->made = autotune__make_program(of, compiler);
    if (of->made) autotune__read_program(of->made);
    return of->made;
}

/* ---- src/kernels/compilation.h -------------------------------------------------------------------------------------
   Finds or makes the compilation for a program, kernel, architecture and definitions. Each compilation is compiled
   once. This room also has the functions by which a compiler reads a compilation, and gives it machine code or a
   reason. */

/* Returns true if the axis is an argument of a template in the kernel's name, and the source needs no macro of this
   name. An axis that the source mentions is a macro, unless a template has a parameter of this name. */
static bool autotune__is_argument(autotune__program *program, const char *kernel, const char *axis, size_t length) {
    const char *arguments = kernel + strcspn(kernel, "<");
    return autotune__has_word(arguments, strlen(arguments), axis, length) &&
           (autotune__mentions_of(program, axis, length) & AUTOTUNE__NO_MACRO);
}
/* Appends the kernel's name. Values replace the axes for which autotune__is_argument() is true. */
static void autotune__append_instance(autotune__text *instance, autotune__program *program,
                                      const autotune__text *definitions, const char *kernel) {
    const char *at, *next, *value;
    for (at = kernel; *at; at = next) {
        next = autotune__past_token(at);
        value = autotune__value_of_axis(definitions, at, (size_t)(next - at));
        if (value && autotune__is_argument(program, kernel, at, (size_t)(next - at)))
            autotune__append(instance, "%s", value);
        else autotune__append_piece(instance, at, (size_t)(next - at));
    }
}
/* Keeps the definitions on which the code may depend. Their names are in the source, in the kernel's name, or in the
   value of a definition. An axis whose value is in the kernel's name needs no definition. All values of any other axis
   share one compilation. An axis DX beside an axis X counts as mentioned, since the option -DX has the word DX. */
static void autotune__keep_mentioned(autotune__text *kept, autotune__program *program,
                                     const autotune__text *definitions, const char *kernel, const char *instance) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions) {
        const size_t length = strcspn(at, "=") - 2;
        if (!autotune__is_argument(program, kernel, at + 2, length) &&
            ((autotune__mentions_of(program, at + 2, length) & AUTOTUNE__MENTIONED) ||
             autotune__has_word(instance, strlen(instance), at + 2, length) ||
             autotune__has_word(definitions->at, autotune__count(definitions->at), at + 2, length)))
            autotune__append(kept, "%s%c", at, 0);
    }
}
/* Returns the size of the part of the text that may come before the definitions: the headers. This part is the same for
   all configurations. 0: there is no such part, a header may read an axis, or the scan does not see all headers. */
static size_t autotune__shared_bytes(autotune__program *program, const autotune__text *definitions) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)
        if (autotune__mentions_of(program, at + 2, strcspn(at + 2, "=")) & AUTOTUNE__SEEN_BY_HEADERS) return 0;
    return program->scan && !program->scan->blind ? program->scan->header_end : 0;
}
/* Refuses a compilation with a reason. If there is no memory for the reason, the compilation is not refused. */
static __attribute__((__format__(__printf__, 2, 3)))
void autotune__refuse(autotune__compilation *compilation, const char *format, ...) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    AUTOTUNE__APPEND_ARGUMENTS(&text, format);
    if (!text.broken) compilation->reason = autotune__copy_string(autotune__string(&text));
    if (compilation->reason) compilation->progress = AUTOTUNE__CODE_REFUSED;
}
/* Allocates room for `bytes` bytes of machine code, and for the symbol, which is copied there. Returns false if there
   is no memory. */
static AUTOTUNE__UNUSED bool autotune__take_room(autotune__compilation *compilation, size_t bytes, const char *symbol) {
    compilation->image = (char *)autotune__allocate(bytes + strlen(symbol) + 2);
    if (!compilation->image) return false;
    compilation->image_bytes = bytes;
    compilation->symbol = strcpy(compilation->image + bytes + 1, symbol);
    return true;
}
/* Returns the place in .options where the definitions begin. NULL: there are no options. */
static AUTOTUNE__UNUSED const char *autotune__own_options_end(const autotune__compilation *compilation) {
    const autotune__text *const all = &compilation->options;
    return all->at ? all->at + (autotune__count(all->at) - autotune__count(compilation->definitions.at)) : NULL;
}
/* Returns the axis that probably breaks a header: the compiler's message shows a line that has the name of the axis.
   NULL: the error is in no header, or the message has no axis. */
static const char *autotune__axis_in_header(const autotune__compilation *compilation, const char *error) {
    const char *const shown = strchr(error, '\n'), *const end = shown ? strstr(shown, "\n\n") : NULL;
    const char *const place = shown && !strncmp(error, "<command-line>", 14) ? shown + 1 : error;   /* for gcc */
    const char *const own = autotune__path_of(compilation->program);
    const size_t length = strcspn(place, "(:\n"), bytes = end ? (size_t)(end - shown) : shown ? strlen(shown) : 0;
    const char *axis;
    if (!shown || length < 3 || (strlen(own) == length && !strncmp(own, place, length)) ||
        (place[length - 1] != 'h' && strncmp(place + length - 3, "hpp", 3) != 0)) return NULL;
    AUTOTUNE__EACH_OPTION(axis, &compilation->definitions)
        if (autotune__has_word(shown, bytes, axis + 2, strcspn(axis, "=") - 2)) return axis + 2;
    return NULL;
}
/* Refuses a compilation that does not compile. The reason is the first line of the compiler's log that has an error.
   If no line has an error, the reason is the first line. If the log is NULL or empty, the reason is `otherwise`. */
static AUTOTUNE__UNUSED void autotune__refuse_by_log(autotune__compilation *compilation, const char *log,
                                                     const char *otherwise) {
    const char *at = log ? strstr(log, "rror") : NULL, *axis;      /* error, or Error */
    while (at && at > log && at[-1] != '\n') at--;
    if (!at || !strncmp(at, "collect2", 8)) at = log && *log ? log : otherwise;     /* collect2 repeats the linker */
    axis = autotune__axis_in_header(compilation, at);
    autotune__refuse(compilation, axis ? "does not compile: %.*s; the axis %.*s is a macro in this header: give it "
                                         "another name"
                                       : "does not compile: %.*s",
                     (int)strcspn(at, "\n"), at, axis ? (int)strcspn(axis, "=") : 0, axis);
}
/* Returns the text of a compilation: the first `length` bytes, `between`, the definitions, and the rest. NULL: no
   memory. */
static AUTOTUNE__UNUSED char *autotune__text_with_definitions(const autotune__compilation *compilation, size_t length,
                                                              const char *between) {
    const char *const text = autotune__source_of(compilation->program), *at;
    autotune__text whole AUTOTUNE__FREED = { NULL, false };
    unsigned long line = 1;
    for (at = text; at < text + length; at++) line += *at == '\n';
    autotune__append(&whole, "%.*s%s", (int)length, text, between);
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) {
        const int name = (int)strcspn(at, "=");
        autotune__append(&whole, "#define %.*s %s\n", name - 2, at + 2, at + name + 1);
    }
    autotune__append(&whole, "#line %lu\n%s", line, text + length);
    return whole.broken ? NULL : autotune__copy_string(autotune__string(&whole));
}
/* The caller holds the lock. Takes over `definitions`, unless there is no memory: then returns NULL. */
static autotune__compilation *autotune__new_compilation(autotune__program *program, const char *key, const char *name,
                                                        const char *instance, autotune__text *definitions) {
    autotune__compilation *compilation = (autotune__compilation *)autotune__put_block(
        &program->compilations, key, autotune__allocate(sizeof *compilation + strlen(name) + strlen(instance) + 2));
    if (!compilation) return NULL;
    compilation->program = program;
    compilation->name = strcpy((char *)(compilation + 1), name);
    compilation->instance = strcpy(compilation->name + strlen(name) + 1, instance);
    compilation->definitions = *definitions;
    definitions->at = NULL;
    compilation->shared_bytes = autotune__shared_bytes(program, &compilation->definitions);
    return compilation;
}
/* The caller holds the lock. Finds or makes a compilation, but does not compile it. NULL: no memory. */
static autotune__compilation *autotune__compilation_of(const autotune__target *target, autotune__program *program,
                                                       const char *name, const autotune__text *definitions) {
    autotune__text key AUTOTUNE__FREED = { NULL, false }, kept AUTOTUNE__FREED = { NULL, false },
                   instance AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation = NULL;
    const char *at;
    if (autotune__source_of(program)) {
        autotune__append_instance(&instance, program, definitions, name);
        autotune__keep_mentioned(&kept, program, definitions, name, autotune__string(&instance));
    }
    autotune__append(&key, "%s\n%s\n%s", target->architecture, name, autotune__string(&instance));
    AUTOTUNE__EACH_OPTION(at, &kept) autotune__append(&key, "\n%s", at);
    key.broken = key.broken || kept.broken || instance.broken || definitions->broken;
    if (!key.broken && !(compilation = (autotune__compilation *)autotune__value_of(program->compilations, key.at)))
        compilation = autotune__new_compilation(program, key.at, name, autotune__string(&instance), &kept);
    return compilation;
}

/* ---- src/kernels/compile.h -----------------------------------------------------------------------------------------
   Compiles one compilation, or reads its machine code from disk. */

/* Appends an option of the program, with the value of an axis in place of each $NAME. An option that is only "$NAME" is
   divided at blanks. Returns false if a NAME is no axis; the compilation is then refused. */
static bool autotune__append_with_values(autotune__compilation *compilation, const char *option) {
    autotune__text word AUTOTUNE__FREED = { NULL, false };
    const char *at = option, *dollar, *value;
    size_t length;
    bool whole = false;
    for (; (dollar = strchr(at, '$')) != NULL; at = dollar + 1 + length) {
        for (length = 0; autotune__is_word(dollar[1 + length]) && dollar[1 + length] != '$'; length++) continue;
        whole = dollar == option && !dollar[1 + length];
        value = autotune__value_of_axis(&compilation->definitions, dollar + 1, length);
        if (!value) {
            autotune__refuse(compilation, "the option %s asks for $%.*s, which is no axis", option, (int)length,
                             dollar + 1);
            return false;
        }
        autotune__append(&word, "%.*s%s", (int)(dollar - at), at, value);
    }
    autotune__append(&word, "%s", at);
    if (whole) autotune__append_divided(&compilation->options, autotune__string(&word));
    else autotune__append(&compilation->options, "%s%c", autotune__string(&word), 0);
    compilation->options.broken = compilation->options.broken || word.broken;
    return true;
}
/* Gathers the options of a compilation in their order: options of the compiler for the target, options of the program,
   definitions. Returns false if the compilation is refused, or if there is no memory. */
static bool autotune__gather_options(autotune__compilation *compilation, const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const char *at;
    autotune__free_text(&compilation->options);
    if (target->compiler->add_options) target->compiler->add_options(&compilation->options, program, target);
    AUTOTUNE__EACH_OPTION(at, &program->options) if (!autotune__append_with_values(compilation, at)) return false;
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) autotune__append(&compilation->options, "%s%c", at, 0);
    return !compilation->options.broken;
}
/* Compiles and keeps the code on disk, unless another process makes the code meanwhile. If the user edits a file
   meanwhile, the digest differs afterwards, and the code is not kept. */
static void autotune__compile_and_keep(autotune__compilation *compilation, const autotune__target *target,
                                       const autotune__digest *digest, const autotune__compile_limits *limits) {
    const bool has_turn = autotune__take_image_turn(digest, limits);
    autotune__digest after;
    if (!autotune__read_image(compilation, digest) && !autotune__is_unwanted(limits)) {
        target->compiler->compile(compilation, target, limits);
        if (compilation->progress == AUTOTUNE__CODE_MADE &&
            autotune__digest_code(&after, compilation, target) && !memcmp(digest, &after, sizeof after))
            autotune__keep_image(compilation, digest);
    }
    if (has_turn) autotune__end_image_turn(digest);
}
/* The caller does not hold the lock. Reads the code from disk, or compiles it. Policy ON: compiled code is kept on
   disk. Policy OFF: no code is read from disk. */
static void autotune__compile(autotune__compilation *compilation, const autotune__target *target,
                              autotune_cache policy, const autotune__compile_limits *limits) {
    const char *const file = compilation->program->declared->file;
    autotune__digest digest;
    bool has_digest;
    if (!autotune__source_of(compilation->program))
        autotune__refuse(compilation, "%s cannot be read: the path is relative to the working directory",
                         file ? file : "a program without text");
    else if (autotune__gather_options(compilation, target)) {
        has_digest = policy != AUTOTUNE_CACHE_OFF && autotune__digest_code(&digest, compilation, target);
        if (has_digest && autotune__read_image(compilation, &digest)) return;
        if (has_digest && policy == AUTOTUNE_CACHE_ON) autotune__compile_and_keep(compilation, target, &digest, limits);
        else target->compiler->compile(compilation, target, limits);
    }
}
/* The caller holds the lock, which is released meanwhile. Compiles in this thread, or waits for the thread that
   compiles. Ends early if the code is unwanted. If the compilation is not complete afterwards, the code is unwanted or
   there was no memory. */
static void autotune__finish_compilation(autotune__compilation *compilation, const autotune__target *target,
                                         autotune_cache policy, const autotune__compile_limits *limits) {
    while (compilation->progress < AUTOTUNE__CODE_MADE && !autotune__is_unwanted(limits)) {
        autotune__compilation done = *compilation;
        if (compilation->progress == AUTOTUNE__CODE_IN_WORK) {
            autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
            continue;
        }
        compilation->progress = AUTOTUNE__CODE_IN_WORK;
        autotune__unlock_mutex(&autotune__kernels_lock);
        autotune__compile(&done, target, policy, limits);
        autotune__lock_mutex(&autotune__kernels_lock);
        *compilation = done;
        autotune__wake_all(&autotune__kernels_changed);
        if (compilation->progress < AUTOTUNE__CODE_MADE) break;
    }
}

/* ---- src/kernels/kernels.h -----------------------------------------------------------------------------------------
   Kernels: compilations that are loaded into a target. The end of a session unloads kernels that were only tried. */

/* The caller holds the lock. NULL: the compilation is not loaded into this target. */
static autotune__kernel *autotune__loaded_kernel(const autotune__target *target,
                                                 const autotune__compilation *compilation) {
    autotune__kernel *kernel = compilation->kernels;
    while (kernel && kernel->target != target) kernel = kernel->sibling;
    return kernel;
}
/* The caller holds the lock. Returns the loaded kernel, and loads it if needed. NULL: loading failed, the trial has the
   reason, and *error is the backend's error number. */
static autotune__kernel *autotune__load_kernel(const autotune__target *target, autotune__compilation *compilation,
                                               int *error) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    if (!kernel && (kernel = target->compiler->load(target, compilation, error))) {
        kernel->listed.program = compilation->program->declared;
        kernel->listed.name = compilation->name;
        kernel->listed.kernel = kernel;
        kernel->target = target;
        kernel->compilation = compilation;
        kernel->sibling = compilation->kernels;
        compilation->kernels = kernel;
    }
    return kernel;
}
static void autotune__unload_kernel(autotune__kernel *kernel) {         /* the caller holds the lock */
    AUTOTUNE__UNLINK(kernel->compilation->kernels, kernel, sibling);
    while (kernel->listed.older_copy) {
        autotune__listed_kernel *const copy = kernel->listed.older_copy;
        kernel->listed.older_copy = copy->older_copy;
        autotune__free(copy);
    }
    kernel->target->compiler->unload(kernel);
}

/* The caller holds the lock. Notes in the list `used` of a session that the session tries the kernel. */
static void autotune__use_kernel(autotune__kernel ***used, autotune__kernel *kernel) {
    size_t i;
    for (i = 0; i < autotune__count(*used); i++) if ((*used)[i] == kernel) return;
    if (AUTOTUNE__PUSH(*used, kernel)) kernel->users++;
    else kernel->kept = true;                   /* no memory for the note: the kernel stays loaded */
}
/* Unloads kernels of a session that ends, if no other session tries them and they were not launched for real. */
static void autotune__let_kernels_go(autotune__kernel **used) {
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; i < autotune__count(used); i++)
        if (!--used[i]->users && !used[i]->kept) autotune__unload_kernel(used[i]);
    AUTOTUNE__FREE_ARRAY(used);
}

/* ---- src/kernels/workers.h -----------------------------------------------------------------------------------------
   Worker threads that compile ahead, in the order of a queue. */

/* The workers of a session compile ahead of its measurements. A thread is started only if there is work: a race whose
   kernels are all compiled starts no thread. */
typedef struct autotune__workers {
    autotune__thread *threads;                  /* in the memory after this struct */
    size_t most;                                /* the most threads; 0: no thread can be started */
    size_t count, running, next;                /* how many threads were started, and how many compile; next: the index
                                                   of the next compilation in `queue`. If `left` is true, `count` is the
                                                   number of threads that have not ended */
    autotune__compilation **queue;              /* in the order in which the race tries the kernels */
    const autotune__target *target;             /* of the session */
    autotune_cache policy;                      /* of the session */
    unsigned generation;                        /* autotune__kernels_generation when the threads were started: a child
                                                   made by fork() has no such threads */
    bool dismissed;                             /* the session ends */
    bool left;                                  /* the session ended while threads compile: the last thread that ends
                                                   frees this struct */
    autotune__compile_limits limits;            /* of compilations in these threads */
} autotune__workers;
/* A kernel that a race expects each of its configurations to launch. */
typedef struct autotune__launch_guess {
    autotune__program *program;
    char *name;                                 /* of the kernel; NULL: it is the value of an axis */
    size_t name_axis;                           /* the axis that has the name; the number of axes: none */
} autotune__launch_guess;
/* The kernels of a session. */
typedef struct autotune__kernel_session {
    const autotune__target *target;
    const autotune__target *other;              /* the target's `other`; NULL: none, or loading into it failed once */
    bool loads_nothing;                         /* a stream is captured: only loaded kernels can be launched */
    autotune_cache policy;                      /* of the cache on disk */
    int threads;                                /* .compile_threads */
    autotune__compile_limits limits;            /* of compilations that a launch needs now */
    autotune__workers *workers;                 /* NULL: no kernel was launched yet */
    autotune__launch_guess *guesses;            /* the kernels that workers compile for each configuration */
    size_t first;                               /* the first launched configuration: the guesses are made from it */
    autotune__kernel **used;                    /* the kernels that the session tried */
    autotune_status status;                     /* of the last autotune__find_kernel(), if it returned NULL */
    int error;                                  /* the backend's error number, if loading a kernel failed in this
                                                   autotune__find_kernel(); else 0 */
} autotune__kernel_session;

static AUTOTUNE__UNUSED void autotune__begin_kernel_session(autotune__kernel_session *session,
                                                            const autotune__target *target,
                                                            const autotune_options *options) {
    memset(session, 0, sizeof *session);
    session->target = target;
    session->other = target->other;
    session->policy = autotune__cache_policy(options);
    session->threads = options->compile_threads;
    session->limits.seconds = options->compile_timeout > 0 ? options->compile_timeout : 60;
}
static void autotune__free_workers(autotune__workers *workers) {
    AUTOTUNE__FREE_ARRAY(workers->queue);
    autotune__free(workers);
}
static void *autotune__compile_queued(void *argument) {
    autotune__workers *workers = (autotune__workers *)argument;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    while (!workers->dismissed && !autotune__program_ends) {
        if (workers->next < autotune__count(workers->queue)) {
            autotune__compilation *compilation = workers->queue[workers->next++];
            workers->running++;
            __atomic_fetch_add(&autotune__compiling, 1, __ATOMIC_RELAXED);
            if (compilation->progress == AUTOTUNE__CODE_WAITING)
                autotune__finish_compilation(compilation, workers->target, workers->policy, &workers->limits);
            workers->running--;
            __atomic_fetch_sub(&autotune__compiling, 1, __ATOMIC_RELAXED);
        } else autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    }
    autotune__wake_all(&autotune__kernels_changed);
    if (workers->left && !--workers->count) autotune__free_workers(workers);
    return NULL;
}
/* The caller holds the lock. Starts or wakes threads after compilations were queued. */
static void autotune__call_workers(autotune__workers *workers) {
    const size_t queued = autotune__count(workers->queue) - workers->next, useful = workers->running + queued;
    if (autotune__program_ends || workers->generation != autotune__kernels_generation) workers->most = 0;
    while (workers->count < useful && workers->count < workers->most)
        if (autotune__start_thread(&workers->threads[workers->count], autotune__compile_queued, workers))
            workers->count++;
        else workers->most = workers->count;
    if (queued) autotune__wake_all(&autotune__kernels_changed);
}
/* The caller holds the lock. Waits until no worker of this process compiles. */
static void autotune__await_workers(void) {
    while (autotune__compiling) autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
}
/* Called at the end of the program: no worker may compile while the libraries of the program are destroyed. A race that
   goes on compiles in its own thread. */
static void autotune__end_workers(void) {
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    __atomic_store_n(&autotune__program_ends, true, __ATOMIC_RELAXED);  /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    autotune__await_workers();
}
/* The caller holds the lock. Makes the workers of a session. The limit is .compile_threads; 0: one thread less than
   processors, but at least one and at most eight. NULL: no memory, and each kernel is compiled at its launch. */
static autotune__workers *autotune__hire_workers(const autotune__kernel_session *session) {
    const long others = autotune__usable_processors(autotune__processor_count()) - 1,
               usual = others < 1 ? 1 : others < 8 ? others : 8;
    const size_t most = (size_t)(session->threads ? session->threads : usual);
    autotune__workers *workers = (autotune__workers *)autotune__allocate(sizeof *workers +
                                                                         most * sizeof *workers->threads);
    static bool watched;
    if (!workers) return NULL;
    workers->threads = (autotune__thread *)(void *)(workers + 1);
    workers->most = most;
    workers->target = session->target;
    workers->policy = session->policy;
    workers->limits = session->limits;
    workers->limits.unwanted = &workers->dismissed;
    workers->generation = autotune__kernels_generation;
    if (!watched) watched = atexit(autotune__end_workers) == 0;
    return workers;
}
/* Dismisses the workers. A running compilation is given up, and ends in its thread. The function waits for this end,
   unless the compiler outlives the session. A queued compilation is not begun. */
static void autotune__dismiss_workers(autotune__workers *workers) {
    size_t i;
    if (!workers) return;
    autotune__lock_mutex(&autotune__kernels_lock);
    if (workers->generation != autotune__kernels_generation) workers->count = workers->running = 0;
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    while (workers->running && !workers->target->compiler->outlives_session)
        autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    workers->left = workers->running > 0;
    for (i = 0; workers->left && i < workers->count; i++) autotune__detach_thread(workers->threads[i]);
    if (workers->left) workers = NULL;
    autotune__unlock_mutex(&autotune__kernels_lock);
    for (i = 0; workers && i < workers->count; i++) autotune__join_thread(workers->threads[i]);
    if (workers) autotune__free_workers(workers);
}

/* ---- src/kernels/ahead.h -------------------------------------------------------------------------------------------
   Compiling ahead: queues the kernels that the race will probably try next for the workers of a session. This room also
   ends the part of a session that has kernels.

   The kernels of later configurations are not known before their launch. The guess is that they launch the kernel of
   the first configuration. If the name of this kernel is the value of an axis, the value at each configuration is used.
   After a wrong guess a worker compiles a kernel in vain, and the right kernel is compiled at its launch. */

/* Called for a kernel that a configuration launches in a trial or in a measured call. Returns the guess that the next
   configurations launch the same kernel. NULL: no guess. */
static const autotune__launch_guess *autotune__guess_launch(autotune__kernel_session *session,
                                                            autotune__tuning *tuning, autotune__program *program,
                                                            const char *name) {
    const size_t count = autotune__count(session->guesses), index = autotune__point_of(tuning);
    const autotune__space *space = autotune__space_of(tuning);
    autotune__launch_guess guess;
    size_t i, axis = 0;
    if (!count) session->first = index;
    while (axis < space->axis_count && space->value[axis] != (uint64_t)(uintptr_t)name) axis++;
    if (axis < space->axis_count) name = NULL;
    guess.program = program;
    guess.name_axis = axis;
    for (i = 0; i < count; i++) {
        const autotune__launch_guess *known = &session->guesses[i];
        if (known->program == program && known->name_axis == axis &&
            (!name || !strcmp(name, known->name))) return known;
    }
    if (session->first != index) return NULL;
    guess.name = name ? autotune__copy_string(name) : NULL;
    if ((!name || guess.name) && AUTOTUNE__PUSH(session->guesses, guess)) return &session->guesses[count];
    autotune__free(guess.name);
    return NULL;
}
/* The caller holds the lock. Locates the point `index`, and returns the compilation that this point will probably
   launch. NULL: there is no memory. */
static autotune__compilation *autotune__guessed_compilation(autotune__kernel_session *session, autotune__space *space,
                                                            size_t index, const autotune__launch_guess *guess) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__locate(space, index);
    autotune__define_point(&definitions, space);
    return autotune__compilation_of(session->target, guess->program,
                                    guess->name ? guess->name
                                                : autotune__string_of_value(space->value[guess->name_axis]),
                                    &definitions);
}
/* The caller holds the lock. Queues a compilation unless it is made, in work, or queued. */
static void autotune__queue_compilation(autotune__workers *workers, autotune__compilation *compilation) {
    size_t i = workers->next;
    while (i < autotune__count(workers->queue) && workers->queue[i] != compilation) i++;
    if (compilation && compilation->progress == AUTOTUNE__CODE_WAITING && i == autotune__count(workers->queue))
        (void)AUTOTUNE__PUSH(workers->queue, compilation);
}
/* The caller holds the lock. Queues compilations for the next configurations of the race, two for each worker. */
static void autotune__compile_ahead(autotune__kernel_session *session, autotune__tuning *tuning,
                                    autotune__program *program, const char *name) {
    autotune__space *space = autotune__space_of(tuning);
    const autotune__launch_guess *guess;
    size_t k, index, ahead;
    if (!session->workers && !(session->workers = autotune__hire_workers(session))) return;
    guess = autotune__guess_launch(session, tuning, program, name);
    ahead = guess ? 2 * session->workers->most : 0;
    for (k = 0; k < ahead && (index = autotune__coming_point(tuning, k)) != SIZE_MAX; k++)
        autotune__queue_compilation(session->workers, autotune__guessed_compilation(session, space, index, guess));
    autotune__locate(space, autotune__point_of(tuning));
    autotune__call_workers(session->workers);
}
/* Returns true if all kernels that the configuration at `index` will probably launch are compiled or refused. Queues
   the other kernels. Without workers the function always returns true. tuning: NULL if the session works for no
   statement. */
static bool autotune__is_compiled(autotune__kernel_session *session, autotune__tuning *tuning, size_t index) {
    bool compiled = true;
    size_t i;
    if (!session->workers || !tuning) return true;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; session->workers->most && i < autotune__count(session->guesses) && compiled; i++) {
        autotune__compilation *compilation =
            autotune__guessed_compilation(session, autotune__space_of(tuning), index, &session->guesses[i]);
        autotune__queue_compilation(session->workers, compilation);
        compiled = !compilation || compilation->progress >= AUTOTUNE__CODE_MADE;
    }
    if (!compiled) autotune__call_workers(session->workers);
    return compiled;
}
/* Returns the class of an error. Without a compiler or a device the race ends, since no other configuration would
   work. */
static AUTOTUNE__UNUSED autotune_error_class autotune__classify_by_status(autotune_backend *self,
                                                                            autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE
         : status == AUTOTUNE_ERR_ENVIRONMENT ? AUTOTUNE_ERROR_ENVIRONMENT
         : AUTOTUNE_ERROR_CONFIGURATION;
}
static void autotune__end_kernel_session(autotune__kernel_session *session) {
    size_t i;
    autotune__dismiss_workers(session->workers);
    autotune__let_kernels_go(session->used);
    for (i = 0; i < autotune__count(session->guesses); i++) autotune__free(session->guesses[i].name);
    AUTOTUNE__FREE_ARRAY(session->guesses);
}

/* ---- src/kernels/find.h --------------------------------------------------------------------------------------------
   Finds the kernels of a launch. Each configuration has a list of its kernels, and the word after its values points to
   the list. A hit and a trial look there first. If the list lacks a kernel, this room finds or compiles and loads it,
   and puts it into the list. */

/* The program and the kernel that a launch names. */
typedef struct autotune__kernel_call {
    autotune_program_source *declared;
    const char *name;
    const void *key;                            /* an address that identifies the call site's function; NULL: none */
    const char *function;                       /* with a key: the name of a function of the kernel */
} autotune__kernel_call;

AUTOTUNE__INLINE const autotune__listed_kernel *autotune__kernels_behind(const uint64_t *values) {
    const autotune__shared_word *prepared = (const autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    return (const autotune__listed_kernel *)(uintptr_t)__atomic_load_n(prepared, __ATOMIC_ACQUIRE);
}
/* NULL: the list does not have the kernel. */
AUTOTUNE__INLINE autotune__kernel *autotune__listed_kernel_of(const uint64_t *values, const void *program,
                                                           const char *name) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && (at->program != program || strcmp(at->name, name))) at = at->next;
    return at ? at->kernel : NULL;
}
static AUTOTUNE__UNUSED const autotune__listed_kernel *autotune__listed_by_key(const uint64_t *values,
                                                                               const void *key) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && at->function.key != key) at = at->next;
    return at;
}
/* The caller holds the lock. Puts a kernel into a list. If the list is empty and the kernel has no key, the list gets
   the kernel's own entry. Else the list gets a copy of this entry. Lists with the same key and the same next entry
   share a copy. If there is no memory for the copy, each launch searches for the kernel again. */
static void autotune__list_kernel(uint64_t *values, autotune__kernel *kernel,
                                  const autotune__listed_function *function) {
    autotune__shared_word *prepared = (autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    autotune__listed_kernel *head = (autotune__listed_kernel *)(uintptr_t)*prepared, *at = &kernel->listed;
    if (head || function->key) {
        at = kernel->listed.older_copy;
        while (at && (at->function.key != function->key || at->next != head)) at = at->older_copy;
        if (!at && (at = (autotune__listed_kernel *)autotune__allocate(sizeof *at)) != NULL) {
            *at = kernel->listed;
            at->function = *function;
            at->next = head;
            kernel->listed.older_copy = at;
        }
    }
    if (at) __atomic_store_n(prepared, (uint64_t)(uintptr_t)at, __ATOMIC_RELEASE);
}
/* The caller holds the lock. Lists the kernel, so that the next launch of the configuration finds it. Notes that the
   session tries the kernel, or that the kernel is launched for real. */
static void autotune__put_in_list(autotune__kernel_session *session, autotune__tuning *tuning, const uint64_t *values,
                                  autotune__kernel *kernel, const autotune__kernel_call *call) {
    const autotune__listed_function function = {
        call->key, call->key ? kernel->target->compiler->function_of(kernel, call->function) : NULL };
    uint64_t *list = tuning ? autotune__lasting_values(tuning) : autotune__entry_of(values)->value;
    if (autotune__is_trying(tuning)) autotune__use_kernel(&session->used, kernel);
    else kernel->kept = true;
    if (list && !call->key == !function.address &&
        !(call->key ? autotune__listed_by_key(list, call->key) != NULL
                    : autotune__listed_kernel_of(list, kernel->listed.program, kernel->listed.name) != NULL))
        autotune__list_kernel(list, kernel, &function);
}
/* The caller holds the lock. Returns false if the cached winner was found with another source or compiler. Such a
   winner is not launched. */
static bool autotune__is_known_source(autotune__tuning *tuning, const autotune__compilation *compilation) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    return !scan ||
           autotune__is_known_kernel(tuning, compilation->name, scan->code, scan->digest.word[0] ^ scan->digest.word[1],
                                     program->compiler->version ? program->compiler->version : compilation->version);
}
/* The caller holds the lock, which is released meanwhile. Compiles the kernel of a launch. The lock is also released
   around the changes of the launch note, since these changes may call a log function, which may launch kernels. */
static void autotune__compile_for_launch(autotune__kernel_session *session, autotune__tuning *tuning,
                                         autotune__compilation *compilation) {
    bool put_off;
    if (compilation->progress >= AUTOTUNE__CODE_MADE) return;
    autotune__unlock_mutex(&autotune__kernels_lock);
    put_off = autotune__puts_off_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__finish_compilation(compilation, session->target, session->policy, &session->limits);
    autotune__unlock_mutex(&autotune__kernels_lock);
    if (put_off) autotune__goes_on_to_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
}
/* The caller holds the lock. Returns the loaded kernel, or NULL after a failure. session->status has the failure. The
   status is unchanged if there was no memory. */
static autotune__kernel *autotune__make_kernel(autotune__kernel_session *session, const autotune__target *target,
                                               autotune__tuning *tuning, autotune__compilation *compilation) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    const uint64_t began = autotune__wait_clock();
    if (kernel) return kernel;
    if (session->loads_nothing) { session->status = AUTOTUNE_ERR_ENVIRONMENT; return NULL; }
    autotune__compile_for_launch(session, tuning, compilation);
    if (autotune__is_trying(tuning)) autotune__be_patient(tuning, autotune__wait_clock() - began);
    autotune__can_share(tuning, autotune__wait_clock() - began, session->workers ? session->workers->most : 0);
    if (compilation->progress == AUTOTUNE__CODE_WAITING) return NULL;
    session->status = compilation->no_compiler ? AUTOTUNE_ERR_ENVIRONMENT : AUTOTUNE_FAILED;
    if (compilation->progress == AUTOTUNE__CODE_MADE)
        return autotune__load_kernel(target, compilation, &session->error);
    autotune_explain("%s", compilation->reason);
    return NULL;
}
/* Like autotune__make_kernel(), but a duel's control launches the kernel of the other target. If this kernel cannot be
   made, the session does not ask for the other target again. */
static autotune__kernel *autotune__make_kernel_or_copy(autotune__kernel_session *session, autotune__tuning *tuning,
                                                       autotune__compilation *compilation) {
    autotune__kernel *kernel = NULL;
    if (session->other && autotune__tries_control(tuning)) {
        kernel = autotune__make_kernel(session, session->other, tuning, compilation);
        if (kernel) autotune__launches_copy(tuning);
        else session->other = NULL;
    }
    return kernel ? kernel : autotune__make_kernel(session, session->target, tuning, compilation);
}
/* Finds the kernel of a launch if the list of the configuration lacks it. tuning: NULL on a hit. Returns NULL after a
   failure: session->status and session->error have the error. The trial has the reason, unless there was no memory or
   session->loads_nothing is true. */
static autotune__kernel *autotune__find_kernel(autotune__kernel_session *session, autotune__tuning *tuning,
                                               const uint64_t *values, const autotune__kernel_call *call) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation;
    autotune__kernel *kernel = NULL;
    autotune__program *program;
    session->status = AUTOTUNE_ERR_MEMORY;
    session->error = 0;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    if (!(program = autotune__program_from(call->declared, session->target->compiler))) return NULL;
    if (tuning) autotune__define_point(&definitions, autotune__space_of(tuning));
    else autotune__define_config(&definitions, &autotune__entry_of(values)->result.config);
    if (autotune__is_trying(tuning) || autotune__is_measuring(tuning)) {
        autotune__be_patient(tuning, 2000000000u);          /* NVRTC takes 0.2 to 3 s for a matrix product */
        autotune__compile_ahead(session, tuning, program, call->name);
    }
    compilation = autotune__compilation_of(session->target, program, call->name, &definitions);
    if (compilation) kernel = autotune__make_kernel_or_copy(session, tuning, compilation);
    if (kernel && tuning && !autotune__is_known_source(tuning, compilation)) {      /* the compiler is known now */
        session->status = AUTOTUNE_FAILED;
        kernel = NULL;
    }
    if (kernel) autotune__put_in_list(session, tuning, values, kernel, call);
    return kernel;
}

/* ---- src/kernels/free_kernels.h ------------------------------------------------------------------------------------
   autotune_shutdown() frees compilations and kernels. A child made by fork() gives up the kernels of its parent. */

static void autotune__free_compilation(autotune__compilation *compilation) {
    while (compilation->kernels) autotune__unload_kernel(compilation->kernels);
    autotune__free(compilation->image);
    autotune__free(compilation->reason);
    autotune__free_text(&compilation->definitions);
    autotune__free_text(&compilation->options);
    autotune__free(compilation);
}
/* Frees the compilations, kernels and texts of all programs. The programs stay: the user's structs point to them. */
static void autotune__free_kernels(void) {
    autotune__program *program;
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    autotune__await_workers();
    for (program = autotune__programs; program; program = program->next) {
        for (i = 0; i < AUTOTUNE__MAP_COUNT(program->compilations); i++)
            autotune__free_compilation((autotune__compilation *)program->compilations[i].value);
        autotune__free_map(&program->compilations);
        if (program->scan) autotune__free_scan(program->scan);
        autotune__free(program->scan);
        autotune__free_map(&program->mentions);
        autotune__free(program->file_text);
        program->compiler->kept_bytes = 0;
        autotune__empty_program(program);
    }
}
/* At the fork another thread may have held the lock in the middle of a change. So the child uses no old data. */
static void autotune__forget_parents_kernels(void) {
    autotune__program *program;
    autotune__make_mutex(&autotune__kernels_lock);
    autotune__make_condition(&autotune__kernels_changed);
    autotune__kernels_generation++;
    autotune__compiling = 0;
    for (program = autotune__programs; program; program = program->next) autotune__empty_program(program);
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_kernels, autotune__forget_parents_kernels, autotune__free_kernels)
#endif
#ifndef AUTOTUNE__ACCELERATORS_IMPLEMENTED
#define AUTOTUNE__ACCELERATORS_IMPLEMENTED

/* ---- src/accelerator/accelerator.h ---------------------------------------------------------------------------------
   Accelerators: contexts of devices beside the processor. The struct of a context is never freed, since hits compare
   its address, and read the struct without a lock. */

struct autotune__accelerator;
struct autotune__accelerator_session;
/* The functions and texts by which this floor uses a driver. Each backend has one such struct, which lives as long as
   the process. */
typedef struct autotune__driver_interface {
    autotune_status (*status_of)(int error);    /* returns the status for an error.
                                                   FAILED: this configuration does not work.
                                                   ERR_ENVIRONMENT: the driver does not work in this process, or not
                                                   now.
                                                   ERR_DEVICE: the device is lost. */
    const char *(*error_name)(int error);
    const char *lost;                           /* the message about a lost device */
    const char *named;                          /* how a statement names the backend: "CUDA(stream)" */
    size_t bytes, session_bytes;                /* sizes of the backend's structs for an accelerator and a session */
    /* The backend of statements without a context, for instance if the driver does not work: */
    struct autotune__accelerator *without_context;
    autotune__compiler *compiler;               /* compiles kernels */
    const autotune_backend *backend;            /* the functions of the backend; its `device` describes accelerators
                                                   without a context, such as `without_context` */
    /* Names the device, and sets the members that differ between drivers. Returns false if the context is not valid. */
    bool (*describe)(struct autotune__accelerator *accelerator);
    /* Explains why there is no context. */
    void (*explain_absence)(void);
    /* Returns AUTOTUNE_OK if a call of mode ONLINE, or on probation, may be measured in this session. See enter() of
       the backend. */
    autotune_status (*enter)(struct autotune__accelerator_session *session);
    /* The clock (clock.h) calls these two functions directly before and after the launches of batch `session->number`.
       end_batch may be NULL. */
    autotune_status (*begin_batch)(struct autotune__accelerator_session *session);
    autotune_status (*end_batch)(struct autotune__accelerator_session *session);
    /* Waits until the device has ended all batches of the session that begin_batch() and end_batch() have queued, but
       no longer than autotune__wait_for_kernel() waits. */
    autotune_status (*await)(struct autotune__accelerator_session *session);
    /* Returns true if the device has ended this batch. Does not wait. *error: the error of the batch; 0: no error. */
    bool (*has_done)(struct autotune__accelerator_session *session, size_t number, int *error);
    /* Measures the time of a batch that the device has ended. */
    autotune_status (*measure)(struct autotune__accelerator_session *session, size_t number, double *ns);
    /* Called at the end of the session: frees the members that only the backend knows. */
    void (*end)(struct autotune__accelerator_session *session);
    /* Keeps a lost context, so that no other context gets its address. NULL if contexts have numbers, as in CUDA. */
    void (*keep)(const struct autotune__accelerator *accelerator);
    /* Returns true if the device has reached the event. *error: the error of the work before the event; 0: no error. */
    bool (*has_ended)(void *event, int *error);
    /* Returns the status for an error. of_kernel: a kernel ended with the error. */
    autotune_status (*judge)(struct autotune__accelerator_session *session, int error, bool of_kernel);
    /* For work_on() of the backend. Prepares the kernel that works on elements, once in a session. Returns true if the
       kernel can work on these elements. */
    bool (*can_work_on)(struct autotune__accelerator_session *session, const autotune_elements *elements);
    /* Starts the kernel that works on elements. The kernel writes its answer to session->answer. */
    autotune_status (*start_work)(struct autotune__accelerator_session *session, const autotune_elements *elements);
} autotune__driver_interface;

typedef struct autotune__accelerator {
    autotune_backend backend;                   /* the backend that a statement names */
    const autotune__driver_interface *driver;
    void *handle;                               /* the context; NULL: the driver does not work */
    uint64_t id;                                /* CUDA: the number of the context, which differs between contexts with
                                                   the same address. OpenCL: the device, since one context may have
                                                   several devices */
    autotune__target target;                    /* the target for kernels */
    char words[400];                            /* the device and the driver, in words */
    bool is_cpu;                                /* the device is the processor of this program */
    bool said;                                  /* the backend has logged why it cannot measure on this device; see
                                                   opencl/session.h */
    size_t flushed_bytes;                       /* how many bytes are written to empty the caches */
    const char *lost;                           /* why the context must not be used any more; NULL: it works */
    void *hung;                                 /* the event after the launch that hangs; NULL: no launch hangs */
    const char *was_lost;                       /* the former `lost` of a device that works again; kept, since other
                                                   threads may still read this text */
    struct autotune__accelerator *next;
} autotune__accelerator;

AUTOTUNE__DEFINE_AROUND(autotune__accelerator_at, autotune__accelerator, target, const autotune__target)
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_named, autotune__accelerator, backend, autotune_backend)

static autotune__mutex autotune__accelerators_lock = AUTOTUNE__MUTEX;           /* held to make accelerators */
static autotune__accelerator *autotune__accelerators;

static autotune__accelerator *autotune__find_accelerator(const autotune__driver_interface *driver, const void *handle,
                                                         uint64_t id) {                    /* NULL: not found */
    autotune__accelerator *at = __atomic_load_n(&autotune__accelerators, __ATOMIC_ACQUIRE);
    while (at && (at->driver != driver || at->handle != handle || at->id != id)) at = at->next;
    return at;
}
/* Describes the device in a new accelerator, whose driver, handle and id are set. Returns false if the context is not
   valid. */
static bool autotune__complete_accelerator(autotune__accelerator *accelerator) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__put_text(accelerator->words, sizeof accelerator->words, "%s", driver->backend->device);
    accelerator->target.compiler = driver->compiler;
    accelerator->target.architecture = accelerator->words;
    accelerator->backend = *driver->backend;
    accelerator->backend.device = accelerator->words;
    accelerator->backend.family = driver;
    if (accelerator->handle && !driver->describe(accelerator)) return false;
    accelerator->backend.cache_state = accelerator->is_cpu ? AUTOTUNE_HOT : AUTOTUNE_COLD;
    return true;
}
/* Finds or makes an accelerator. NULL: there is no memory, or the context is not valid. */
static autotune__accelerator *autotune__accelerator_of(const autotune__driver_interface *driver, void *handle,
                                                       uint64_t id) {
    autotune__accelerator *accelerator = autotune__find_accelerator(driver, handle, id);
    if (accelerator) return accelerator;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    accelerator = autotune__find_accelerator(driver, handle, id);               /* another thread may have made it */
    if (accelerator || !(accelerator = (autotune__accelerator *)autotune__allocate(driver->bytes))) return accelerator;
    accelerator->driver = driver;
    accelerator->handle = handle;
    accelerator->id = id;
    accelerator->next = autotune__accelerators;
    if (!autotune__complete_accelerator(accelerator)) {
        autotune__free(accelerator);
        return NULL;
    }
    __atomic_store_n(&autotune__accelerators, accelerator, __ATOMIC_RELEASE);
    return accelerator;
}
/* Returns the backend of a context. handle: the context; NULL: no context. Returns the backend without context if there
   is no context, if the context is not valid, or if there is no memory. */
static autotune_backend *autotune__backend_at(const autotune__driver_interface *driver, void *handle, uint64_t id) {
    autotune__accelerator *accelerator = handle ? autotune__accelerator_of(driver, handle, id) : NULL;
    if (accelerator) return &accelerator->backend;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    if (!driver->without_context->backend.device) {
        driver->without_context->driver = driver;
        (void)autotune__complete_accelerator(driver->without_context);
    }
    return &driver->without_context->backend;
}

/* autotune_shutdown() keeps the accelerators, since threads keep pointers to them. */
static void autotune__begin_accelerators_of_child(void) { autotune__make_mutex(&autotune__accelerators_lock); }
AUTOTUNE__ENTER_FLOOR(autotune__enter_accelerators, autotune__begin_accelerators_of_child, NULL)

/* ---- src/accelerator/lost_device.h ---------------------------------------------------------------------------------
   A lost device: an error made its context unusable, or a launch in the context does not end. The driver's judge() says
   which errors mean a loss. Each later statement of the context ends with AUTOTUNE_ERR_DEVICE and the reason. If the
   launch ends after all, a later statement notices this, and the device works again. A launch that hangs may still use
   events, memory and kernels. So code that frees events, memory or kernels calls autotune__lost_accelerator() first,
   and frees nothing of a lost context. Other contexts of the device may work. */

/* Returns why the context must not be used; NULL: the context works. */
static const char *autotune__lost_accelerator(const autotune__accelerator *accelerator) {
    return __atomic_load_n(&accelerator->lost, __ATOMIC_ACQUIRE);
}
/* Returns AUTOTUNE_OK if the device works. Else explains the loss, and returns AUTOTUNE_ERR_DEVICE. */
static autotune_status autotune__check_lost(const autotune__accelerator *accelerator) {
    const char *why = autotune__lost_accelerator(accelerator);
    if (!why) return AUTOTUNE_OK;
    autotune_explain("%s", why);
    return AUTOTUNE_ERR_DEVICE;
}
/* Declares the device lost, unless it is lost already. tuning: the statement that used the device; NULL: no statement
   used the device. The reason names the configuration in trial, if there is a trial. */
static void autotune__declare_lost(autotune__accelerator *accelerator, const autotune__tuning *tuning,
                                   const char *why) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const char *lost;
    if (autotune__lost_accelerator(accelerator)) return;
    autotune__append(&text, "%s", driver->lost);
    if (autotune__is_trying(tuning)) {
        autotune__append(&text, ", since ");
        autotune__append_trial(&text, tuning);
    }
    autotune__append(&text, " (%s)", why);
    lost = text.broken ? NULL : autotune__copy_string(autotune__string(&text));
    if (driver->keep) driver->keep(accelerator);
    __atomic_store_n(&accelerator->lost, lost ? lost : driver->lost, __ATOMIC_RELEASE);
}

/* ---- src/accelerator/session.h -------------------------------------------------------------------------------------
   A session of an accelerator belongs to one statement that is no hit. A hit opens a session only if a kernel of it is
   not listed yet. This room gives errors their status, and waits for the device. It also has the functions of a backend
   that are the same for all drivers. */

typedef struct autotune__accelerator_session {
    autotune_backend backend;                   /* the result of open() */
    autotune__accelerator *accelerator;
    void *place;                                /* the result of place(): the stream or queue of later launches. The
                                                   address of the accelerator: there is no place */
    double timeout_ns;                          /* .launch_timeout: a launch that takes longer fails; see
                                                   autotune__wait_for_kernel() */
    autotune__kernel_session kernels;           /* the kernels of this session */
    void *flushed;                              /* memory that is written to empty the caches; NULL: not used yet */
    void *answer;                               /* 8 bytes on the device, where the kernel of start_work() writes its
                                                   answer; NULL: not used yet */
    size_t number;                              /* the number of the current batch. In a trial: how many batches have
                                                   ended since the last stop(). In mode ONLINE and on probation:
                                                   the number that clock_call() got */
    bool running;                               /* the batch began, and has not ended */
    bool launched;                              /* the library launched something since the batch began, or CUDA refused
                                                   a launch of a trial */
    bool asked_later;                           /* a later call asks for the time of a call: in mode ONLINE, or on
                                                   probation. The session may outlive its context, and end in another
                                                   thread */
} autotune__accelerator_session;
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_session_of, autotune__accelerator_session, backend, autotune_backend)
static const char *autotune__lost(const autotune__accelerator_session *session) {                /* NULL: it works */
    return autotune__lost_accelerator(session->accelerator);
}
/* Returns AUTOTUNE_OK if the device can be used. Else explains why not. If a launch that counted as hung has ended
   meanwhile, the device works again. */
static autotune_status autotune__check_accelerator(const autotune__accelerator_session *session) {
    autotune__accelerator *accelerator = session->accelerator;
    void *const hung = __atomic_load_n(&accelerator->hung, __ATOMIC_ACQUIRE);
    int error = 0;
    if (hung && accelerator->driver->has_ended(hung, &error) && !error &&
        __atomic_exchange_n(&accelerator->hung, (void *)NULL, __ATOMIC_ACQ_REL))
        accelerator->was_lost = __atomic_exchange_n(&accelerator->lost, (const char *)NULL, __ATOMIC_ACQ_REL);
    if (accelerator->handle && session->place != accelerator) return autotune__check_lost(accelerator);
    session->accelerator->driver->explain_absence();
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Explains an error, and returns its status. before: the beginning of the sentence. The name of the error follows. */
static autotune_status autotune__tell_outcome(autotune__accelerator_session *session, const char *before, int error,
                                              bool of_kernel) {
    const autotune__driver_interface *driver = session->accelerator->driver;
    const autotune_status status = driver->judge(session, error, of_kernel);
    char why[160];
    autotune__put_text(why, sizeof why, "%s%s (%d)", before, driver->error_name(error), error);
    autotune_explain("%s", why);
    if (status == AUTOTUNE_ERR_DEVICE)
        autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return status;
}
/* Returns the status for the result of a driver function, and explains an error. before: "function: ", or "" if the
   program called the function. */
static autotune_status autotune__driver_outcome(autotune__accelerator_session *session, const char *before, int error) {
    return AUTOTUNE__LIKELY(!error) ? AUTOTUNE_OK : autotune__tell_outcome(session, before, error, false);
}
/* Returns the status of a kernel that has ended, and explains an error. */
static autotune_status autotune__kernel_outcome(autotune__accelerator_session *session, int error) {
    return error ? autotune__tell_outcome(session, "the kernel ended with ", error, true) : AUTOTUNE_OK;
}
/* Calls a driver function unless the device is lost. The value of the macro is an autotune_status. */
#define AUTOTUNE__DRIVER_CALL(session, function, call)                              \
    (autotune__check_lost((session)->common.accelerator) == AUTOTUNE_OK             \
         ? autotune__driver_outcome(&(session)->common, function ": ", (int)(call)) \
         : AUTOTUNE_ERR_DEVICE)

/* Waits until the device has reached the event, but at most most_ns nanoseconds. In the first millisecond the thread
   asks the driver without a pause, and then every 50 us. If the device is this processor, the thread asks every 20 us
   from the beginning, since the device needs the processor. Returns false if the device has not reached the event yet.
   *error: as in has_ended() of the driver. */
static bool autotune__await_event(const autotune__accelerator_session *session, void *event, double most_ns,
                                  int *error) {
    const bool is_cpu = session->accelerator->is_cpu;
    const uint64_t begun = autotune__wait_clock();
    for (;;) {
        const bool ended = session->accelerator->driver->has_ended(event, error);
        const double waited = (double)(autotune__wait_clock() - begun);
        if (ended || waited > most_ns) return ended;
        autotune__be_patient(autotune__innermost(), 0);     /* the device works, and its time is limited */
        if (is_cpu || waited > 1e6) autotune__sleep_ns(is_cpu ? 20000 : 50000);
    }
}
/* Waits for the kernels before an event. Nothing can end a kernel that hangs, so the wait has two limits. Kernels that
   take longer than the session's timeout have failed. The function then waits for nine more timeouts, but at most 9 s
   more. If the kernels have not ended by then, they count as hung, and the device is lost. */
static autotune_status autotune__wait_for_kernel(autotune__accelerator_session *session, void *event) {
    const double besides_ns = session->timeout_ns < 1e9 ? 9 * session->timeout_ns : 9e9;
    char why[128];
    int error = 0;
    if (autotune__await_event(session, event, session->timeout_ns, &error))
        return autotune__kernel_outcome(session, error);
    if (autotune__await_event(session, event, besides_ns, &error)) {
        if (error) return autotune__kernel_outcome(session, error);
        autotune_explain("the launch took longer than %g s, .launch_timeout", session->timeout_ns / 1e9);
        return AUTOTUNE_FAILED;
    }
    autotune__put_text(why, sizeof why, "the launch did not end within %g s, .launch_timeout: it counts as hung",
                       session->timeout_ns / 1e9);
    autotune_explain("%s", why);
    __atomic_store_n(&session->accelerator->hung, event, __ATOMIC_RELEASE);
    autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return AUTOTUNE_ERR_DEVICE;
}

/* Empties the caches: writes memory of twice their size. */
static autotune_status autotune__flush_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const size_t bytes = session->accelerator->flushed_bytes;
    if (!bytes) return AUTOTUNE_OK;
    if (!session->flushed) session->flushed = self->allocate(self, bytes);
    if (!session->flushed) return autotune__lost(session) ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_MEMORY;
    return self->fill(self, session->flushed, 0, bytes);
}
/* The clock for the budget of a race. A function other than autotune__cpu_now() is needed, since autotune__cpu_now()
   marks the backend of the CPU. */
static uint64_t autotune__accelerator_now(autotune_backend *self AUTOTUNE__UNUSED) { return autotune__wait_clock(); }
/* Lets the device fill or compare elements. Returns AUTOTUNE_REJECTED if the CPU has to do this work. */
static autotune_status autotune__work_on_elements(autotune_backend *self, const autotune_elements *elements,
                                                  uint64_t *answer) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status;
    if (autotune__lost(session) || !driver->can_work_on(session, elements)) return AUTOTUNE_REJECTED;
    if (!session->answer && !(session->answer = self->allocate(self, sizeof *answer))) return AUTOTUNE_REJECTED;
    status = self->fill(self, session->answer, 0, sizeof *answer);
    if (status == AUTOTUNE_OK) status = driver->start_work(session, elements);
    if (status == AUTOTUNE_OK && answer) status = self->read(self, answer, session->answer, 0, sizeof *answer);
    return status == AUTOTUNE_OK || status == AUTOTUNE_ERR_DEVICE ? status : AUTOTUNE_REJECTED;
}
static bool autotune__is_point_compiled(autotune_backend *self, size_t index) {
    return autotune__is_compiled(&autotune__accelerator_session_of(self)->kernels, autotune__tuning_with(self), index);
}
static autotune_backend *autotune__open_accelerator(autotune_backend *self, void *place,
                                                    const autotune_options *options) {
    autotune__accelerator *accelerator = autotune__accelerator_named(self);
    autotune__accelerator_session *session =
        (autotune__accelerator_session *)autotune__allocate(accelerator->driver->session_bytes);
    if (!session) return NULL;
    session->backend = accelerator->backend;
    session->accelerator = accelerator;
    session->timeout_ns = 1e9 * (options->launch_timeout > 0 ? options->launch_timeout : 10);
    autotune__begin_kernel_session(&session->kernels, &accelerator->target, options);
    /* A compiler that hangs must not take much more time than the budget of the race, which .max_seconds limits. */
    if (!(options->compile_timeout > 0) && options->max_seconds > 0 && options->max_seconds < 60)
        session->kernels.limits.seconds = options->max_seconds < 10 ? 10 : options->max_seconds;
    session->place = place;
    return &session->backend;
}
static void autotune__close_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune__end_kernel_session(&session->kernels);
    if (session->flushed) self->release(self, session->flushed);
    if (session->answer) self->release(self, session->answer);
    session->accelerator->driver->end(session);
    autotune__free(session);
}

/* ---- src/accelerator/clock.h ---------------------------------------------------------------------------------------
   A session's clock: the time of batches of launches, by the events of the driver. In a trial start() begins a batch,
   and mark() or stop() ends it. Only stop() waits for the device, and for all batches at once. So the device does not
   idle between batches. In mode ONLINE and on probation each call is a batch: clock_call() begins and ends the batch,
   and ask() reads its time later. Steps that only one driver needs, such as emptying its queue before a trial, are in
   the start(), stop() or clock_call() of its backend. */

static autotune_status autotune__begin_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = session->accelerator->driver->begin_batch(session);
    session->running = status == AUTOTUNE_OK;
    return status;
}
static autotune_status autotune__end_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    session->running = false;
    return driver->end_batch ? driver->end_batch(session) : AUTOTUNE_OK;
}
static autotune_status autotune__mark_batch(autotune_backend *self) {
    const autotune_status status = autotune__end_batch(self);
    if (status == AUTOTUNE_OK) autotune__accelerator_session_of(self)->number++;
    return status;
}
/* Sums the times of launches that were clocked one by one. If the shortest time is less than any launch takes, the call
   launches nothing on this stream. All times then show only how long the CPU took between two events. So the shortest
   time replaces all times. Then their mean is below least_launch_ns, and the statement fails the configuration. This
   test is left out if the clock's steps are too coarse. */
static double autotune__sum_of_batches(const autotune_backend *self, double *times, size_t count) {
    const autotune__tuning *tuning = autotune__tuning_with(self);          /* NULL: no statement uses the clock */
    const autotune__clock clock = autotune__clock_in(tuning);
    const double least_ns = tuning ? self->least_launch_ns : 0;
    autotune__sort(times, count);
    if (count && clock.tick_ns < least_ns / 4 && times[0] - clock.cost_ns < least_ns) return times[0] * (double)count;
    return autotune__sum_of_launches(times, count, clock.tick_ns);
}
static autotune_status autotune__stop_batches(autotune_backend *self, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = session->running ? autotune__mark_batch(self) : AUTOTUNE_OK;
    double times[AUTOTUNE_MOST_QUEUED];
    size_t i;
    if (status == AUTOTUNE_OK) status = autotune__check_accelerator(session);
    if (status == AUTOTUNE_OK && session->number) status = driver->await(session);
    for (i = 0; status == AUTOTUNE_OK && i < session->number; i++) status = driver->measure(session, i, &times[i]);
    *ns = autotune__sum_of_batches(self, times, i);
    session->number = 0;
    return status;
}

static autotune_status autotune__enter_measured(autotune_backend *self, void *place) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune_status status;
    session->asked_later = true;
    session->place = place;
    status = autotune__check_accelerator(session);
    return status == AUTOTUNE_OK ? session->accelerator->driver->enter(session) : status;
}
static autotune_status autotune__clock_measured(autotune_backend *self, size_t number, bool ended) {
    autotune__accelerator_session_of(self)->number = number;
    return ended ? autotune__end_batch(self) : autotune__begin_batch(self);
}
static autotune_status autotune__ask_measured(autotune_backend *self, size_t number, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = autotune__check_accelerator(session);
    int error = 0;
    *ns = -1;
    if (status != AUTOTUNE_OK || !driver->has_done(session, number, &error)) return status;
    status = autotune__kernel_outcome(session, error);
    return status == AUTOTUNE_OK ? driver->measure(session, number, ns) : status;
}

/* ---- src/accelerator/launch.h --------------------------------------------------------------------------------------
   Launches on accelerators: the session in which a launch is made, and the status for the error that it returns. */

/* Returns the session of a statement. NULL: there is no statement, or its backend belongs to another driver. */
static autotune__accelerator_session *autotune__session_in(const autotune__tuning *tuning,
                                                           const autotune__driver_interface *driver) {
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : NULL;
    return backend && backend->family == driver ? autotune__accelerator_session_of(backend) : NULL;
}
/* Refuses a launch for which the statement names another backend, or no backend. */
static autotune_status autotune__refuse_backend(const autotune__driver_interface *driver, const char *launch) {
    autotune_explain("%s needs .backend = %s", launch, driver->named);
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Returns `status`. If the call failed and launched nothing, and the device is not lost, tells the statement that the
   call may be made again with another configuration. */
static autotune_status autotune__refuse_unlaunched(const autotune__accelerator_session *session,
                                                   autotune__tuning *tuning, autotune_status status) {
    if (status != AUTOTUNE_OK && !session->launched && !autotune__lost(session)) autotune__refuse_call(tuning);
    return status;
}
/* Makes a launch whose kernel is not loaded yet, in the session of its statement. A hit has no session, so its backend
   opens a session for this launch. name: how the program writes the launch. launch: the function that makes the launch.
   tuning: NULL on a hit. of_hit: the backend of a hit. */
typedef autotune_status (*autotune__driver_launch)(autotune__accelerator_session *session, autotune__tuning *tuning,
                                                   const uint64_t *values, const void *call);
static autotune_status autotune__launch_cold(const autotune__driver_interface *driver, const char *name,
                                             autotune__driver_launch launch, autotune__tuning *tuning,
                                             autotune_backend *of_hit, const uint64_t *values, const void *call) {
    static const autotune_options usual;        /* the defaults, since an entry does not keep the options of its call
                                                   site */
    autotune_backend *const backend = tuning ? autotune__backend_of(tuning) : of_hit, *opened = NULL;
    autotune_status status = AUTOTUNE_ERR_MEMORY;
    if (autotune__acts_as_hit(tuning)) autotune__begin_hit_call();
    if (!backend || backend->family != driver) status = autotune__refuse_backend(driver, name);
    else opened = tuning ? backend : backend->open(backend, backend->place(backend), &usual);
    if (opened) status = autotune__check_accelerator(autotune__accelerator_session_of(opened));
    if (status == AUTOTUNE_OK) {
        autotune__accelerator_session *session = autotune__accelerator_session_of(opened);
        status = autotune__refuse_unlaunched(session, tuning, launch(session, tuning, values, call));
    }
    if (!tuning && opened) opened->close(opened);
    autotune__end_hit_call();
    return status;
}

/* Explains the error of a driver function, and returns its status. before: as for autotune__driver_outcome(). */
static autotune_status autotune__explain_error(const autotune__driver_interface *driver, const char *before,
                                               int error) {
    autotune_explain("%s%s (%d)", before, driver->error_name(error), error);
    return driver->status_of(error);
}
/* Explains why a hit failed, and returns the status. */
static __attribute__((__cold__, __noinline__)) autotune_status autotune__launch_failed(
    const autotune__driver_interface *driver, const char *before, int error) {
    autotune_status status;
    autotune__begin_hit_call();
    status = autotune__explain_error(driver, before, error);
    autotune__end_hit_call();
    return status;
}
/* Returns the status for an error that a driver function returned to the program, and explains the error. */
static autotune_status autotune__status_of_call(const autotune__driver_interface *driver, int error) {
    autotune__tuning *tuning = autotune__innermost();
    autotune__accelerator_session *session = autotune__session_in(tuning, driver);
    if (AUTOTUNE__LIKELY(!error)) return AUTOTUNE_OK;
    if (session && session->accelerator->handle) return autotune__driver_outcome(session, "", error);
    return tuning ? autotune__explain_error(driver, "", error) : autotune__launch_failed(driver, "", error);
}
static bool autotune__check_count(size_t parameters, size_t arguments, const char *kernel, const char *launch) {
    if (parameters != arguments)
        autotune_explain("%s has %zu parameters, and %s passes %zu arguments", kernel, parameters, launch, arguments);
    return parameters == arguments;
}
#endif


/* ---- src/opencl/driver.h -------------------------------------------------------------------------------------------
   libOpenCL, opened at run time. */

/* OpenCL 1.2 has all these functions. */
#define AUTOTUNE__OPENCL_FUNCTIONS(X) \
    X(clGetDeviceInfo) X(clRetainContext) X(clGetCommandQueueInfo) X(clFlush) X(clFinish) \
    X(clEnqueueMarkerWithWaitList) X(clCreateBuffer) X(clReleaseMemObject) X(clEnqueueCopyBuffer) \
    X(clEnqueueFillBuffer) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clGetEventInfo) \
    X(clGetEventProfilingInfo) X(clReleaseEvent) X(clCreateProgramWithSource) X(clCreateProgramWithBinary) \
    X(clBuildProgram) X(clGetProgramBuildInfo) X(clGetProgramInfo) X(clReleaseProgram) X(clCreateKernel) \
    X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelInfo) X(clEnqueueNDRangeKernel)

static struct autotune__opencl_library {
#define AUTOTUNE__OPENCL_FUNCTION(name) __typeof__(&name) name##_;
    AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__OPENCL_FUNCTION)
    char problem[192];                          /* why OpenCL does not work in this process; "": it works */
} autotune__libopencl;

static void autotune__opencl_open_library(void) {
    static const autotune__optional_library of = {
        { AUTOTUNE__OPENCL_LIBRARY, NULL }, "OpenCL is not available",
        AUTOTUNE__OPENCL_LIBRARY " was not found: install a loader, such as ocl-icd-libopencl1, and a driver",
        "one for OpenCL 1.2 or later is needed"
    };
    autotune__open_functions(&of, AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__NAME_OF_FUNCTION), &autotune__libopencl,
                             autotune__libopencl.problem, sizeof autotune__libopencl.problem);
}
AUTOTUNE__DEFINE_WORKS(autotune__opencl_works, autotune__opencl_open_library, autotune__libopencl.problem)

/* ---- src/opencl/errors.h -------------------------------------------------------------------------------------------
   The errors of OpenCL, and the status for each. The specification has the numbers; -9999 is NVIDIA's number for a
   kernel with an illegal read or write. An error that is not listed fails the configuration, too. */

#define AUTOTUNE__OPENCL_ERRORS(X) \
    X(-1, DEVICE_NOT_FOUND, ERR_ENVIRONMENT) X(-2, DEVICE_NOT_AVAILABLE, ERR_DEVICE) \
    X(-3, COMPILER_NOT_AVAILABLE, ERR_ENVIRONMENT) X(-4, MEM_OBJECT_ALLOCATION_FAILURE, FAILED) \
    X(-5, OUT_OF_RESOURCES, FAILED) X(-6, OUT_OF_HOST_MEMORY, FAILED) X(-7, PROFILING_INFO_NOT_AVAILABLE, FAILED) \
    X(-8, MEM_COPY_OVERLAP, FAILED) X(-11, BUILD_PROGRAM_FAILURE, FAILED) X(-12, MAP_FAILURE, FAILED) \
    X(-14, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, FAILED) X(-30, INVALID_VALUE, FAILED) \
    X(-32, INVALID_PLATFORM, ERR_ENVIRONMENT) X(-33, INVALID_DEVICE, ERR_ENVIRONMENT) \
    X(-34, INVALID_CONTEXT, ERR_ENVIRONMENT) X(-36, INVALID_COMMAND_QUEUE, ERR_ENVIRONMENT) \
    X(-38, INVALID_MEM_OBJECT, FAILED) X(-42, INVALID_BINARY, FAILED) X(-43, INVALID_BUILD_OPTIONS, FAILED) \
    X(-44, INVALID_PROGRAM, FAILED) X(-45, INVALID_PROGRAM_EXECUTABLE, FAILED) X(-46, INVALID_KERNEL_NAME, FAILED) \
    X(-48, INVALID_KERNEL, FAILED) X(-49, INVALID_ARG_INDEX, FAILED) X(-50, INVALID_ARG_VALUE, FAILED) \
    X(-51, INVALID_ARG_SIZE, FAILED) X(-52, INVALID_KERNEL_ARGS, FAILED) X(-53, INVALID_WORK_DIMENSION, FAILED) \
    X(-54, INVALID_WORK_GROUP_SIZE, FAILED) X(-55, INVALID_WORK_ITEM_SIZE, FAILED) \
    X(-57, INVALID_EVENT_WAIT_LIST, FAILED) X(-58, INVALID_EVENT, FAILED) X(-59, INVALID_OPERATION, FAILED) \
    X(-61, INVALID_BUFFER_SIZE, FAILED) X(-63, INVALID_GLOBAL_WORK_SIZE, FAILED) \
    X(-9999, ILLEGAL_READ_OR_WRITE_NV, ERR_DEVICE)
static const struct { int code; autotune_status status; const char *name; } autotune__opencl_errors[] = {
#define AUTOTUNE__OPENCL_ERROR(number, name, status) { number, AUTOTUNE_##status, "CL_" #name },
    AUTOTUNE__OPENCL_ERRORS(AUTOTUNE__OPENCL_ERROR)
    { 0, AUTOTUNE_FAILED, "OpenCL error" }      /* any error that is not listed */
};
static size_t autotune__opencl_known_error(int code) {
    size_t i = 0;
    while (autotune__opencl_errors[i].code && autotune__opencl_errors[i].code != code) i++;
    return i;
}
static autotune_status autotune__opencl_status_of(int code) {
    return code ? autotune__opencl_errors[autotune__opencl_known_error(code)].status : AUTOTUNE_OK;
}
static const char *autotune__opencl_error_name(int code) {
    return autotune__opencl_errors[autotune__opencl_known_error(code)].name;
}

/* ---- src/opencl/device.h -------------------------------------------------------------------------------------------
   The description of an OpenCL device, for logs and the cache. */

static cl_context autotune__opencl_context(const autotune__accelerator *of) { return (cl_context)of->handle; }
static cl_device_id autotune__opencl_device(const autotune__accelerator *of) { return (cl_device_id)(uintptr_t)of->id; }
/* Asks the device, or a queue, for a value, and stores the value in a variable. Without an answer the variable keeps
   its value. AUTOTUNE__OPENCL_ASK_QUEUE() is true if the queue answered. */
#define AUTOTUNE__OPENCL_ASK(accelerator, what, variable) \
    ((void)autotune__libopencl.clGetDeviceInfo_(autotune__opencl_device(accelerator), what, sizeof(variable), \
                                                &(variable), NULL))
#define AUTOTUNE__OPENCL_ASK_QUEUE(queue, what, variable) \
    (autotune__libopencl.clGetCommandQueueInfo_(queue, what, sizeof(variable), &(variable), NULL) == CL_SUCCESS)
static bool autotune__opencl_describe(autotune__accelerator *accelerator) {
    char name[128] = "", version[128] = "", driver[64] = "", size[32] = "";         /* a longer text stays empty */
    cl_ulong memory = 0, most = 0, cache = 0;
    cl_device_type type = 0;
    cl_uint units = 0;
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_NAME, name);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_VERSION, version);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DRIVER_VERSION, driver);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_TYPE, type);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_MAX_COMPUTE_UNITS, units);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_MAX_MEM_ALLOC_SIZE, most);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache);
    accelerator->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    if (!accelerator->is_cpu)                       /* for a CPU, drivers tell the free memory, which changes */
        autotune__put_text(size, sizeof size, "%lu MiB, ", (unsigned long)(memory >> 20));
    autotune__put_text(accelerator->words, sizeof accelerator->words, "%s, %u compute units, %s%s, driver %s", name,
                       (unsigned)units, size, version, driver);
    accelerator->flushed_bytes = (size_t)(2 * cache < most ? 2 * cache : most);
    return true;
}

/* ---- src/opencl/session.h ------------------------------------------------------------------------------------------
   A session: one statement that is no hit, its queue, the events of its launches, and the status for errors. */

typedef struct autotune__opencl_session {
    autotune__accelerator_session common;       /* has to come first: the floor `accelerator` allocates the struct */
    cl_event **events[AUTOTUNE_MOST_QUEUED];    /* the events of the commands of each batch. Each event has its own
                                                   memory block, since OPENCL_EVENT returns the address of the event */
    bool asked_for_elements;                    /* building `elements` was tried */
    cl_kernel elements;                         /* the kernel that works on outputs; NULL: not built */
} autotune__opencl_session;
AUTOTUNE__DEFINE_AROUND(autotune__opencl_session_of, autotune__opencl_session, common.backend, autotune_backend)
static cl_command_queue autotune__opencl_queue_in(const autotune__opencl_session *session) {
    return (cl_command_queue)session->common.place;
}
#define AUTOTUNE__OPENCL_CALL(session, function, ...) \
    AUTOTUNE__DRIVER_CALL(session, #function, autotune__libopencl.function##_(__VA_ARGS__))

/* Returns true if the command of an event has ended. *error: its error; 0: no error. A NULL event counts as an error,
   since the enqueue was refused. */
static bool autotune__opencl_has_ended(void *event, int *error) {
    cl_int progress = CL_COMPLETE;
    *error = event ? autotune__libopencl.clGetEventInfo_((cl_event)event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                         sizeof progress, &progress, NULL)
                   : CL_INVALID_EVENT;
    if (*error == CL_SUCCESS && progress < 0) *error = progress;
    return *error != CL_SUCCESS || progress == CL_COMPLETE;
}
/* Tests the device by a new command. Returns true if the command ends without an error, or if the device is too busy to
   reach it in time. */
static bool autotune__opencl_responds(const autotune__opencl_session *session) {
    const cl_command_queue queue = autotune__opencl_queue_in(session);
    cl_event marker = NULL;
    int error = autotune__libopencl.clEnqueueMarkerWithWaitList_(queue, 0, NULL, &marker);
    if (error != CL_SUCCESS || autotune__libopencl.clFlush_(queue) != CL_SUCCESS) return false;
    if (!autotune__await_event(&session->common, marker, session->common.timeout_ns, &error)) error = CL_SUCCESS;
    autotune__libopencl.clReleaseEvent_(marker);
    return error == CL_SUCCESS;
}
/* Returns the status for an error. After an error of a kernel, and after some other errors, the device may be lost.
   Then autotune__opencl_responds() shows if the device is lost. */
static autotune_status autotune__opencl_judge(autotune__accelerator_session *common, int error, bool of_kernel) {
    const autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    autotune__tuning *tuning = autotune__tuning_with(&common->backend);
    autotune_status status = autotune__opencl_status_of(error);
    const bool doubtful = of_kernel || error == CL_OUT_OF_RESOURCES || error == CL_INVALID_COMMAND_QUEUE ||
                          error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (common->asked_later) return status;
    if (doubtful && !autotune__opencl_responds(session)) status = AUTOTUNE_ERR_DEVICE;
    if (status == AUTOTUNE_ERR_DEVICE && of_kernel && tuning) autotune__launch_broke_device(tuning);
    return status;
}
/* Returns AUTOTUNE_OK if launches on the queue can be measured. Else logs the reason once for each device. */
static autotune_status autotune__opencl_check_queue(autotune__accelerator_session *common) {
    const cl_command_queue queue = autotune__opencl_queue_in(autotune__opencl_session_of(&common->backend));
    cl_command_queue_properties properties = 0;
    const char *why = NULL;
    char line[600];
    (void)AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_PROPERTIES, properties);
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        why = "the queue has CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE: launches overlap, so use a queue without it";
    else if (!(properties & CL_QUEUE_PROFILING_ENABLE))
        why = "the queue has no CL_QUEUE_PROFILING_ENABLE: launches have no times, so use a queue with it";
    if (!why) return AUTOTUNE_OK;
    if (!autotune__tuning_with(&common->backend)) return AUTOTUNE_REJECTED;     /* a call on probation */
    if (!__atomic_exchange_n(&common->accelerator->said, true, __ATOMIC_RELAXED)) {
        autotune__put_text(line, sizeof line, "%s: %s", common->accelerator->words, why);
        autotune__say(AUTOTUNE_LOG_ERRORS, line);
    }
    return AUTOTUNE_REJECTED;
}

/* ---- src/opencl/timing.h -------------------------------------------------------------------------------------------
   A session's clock, by the events of batches of launches, and its calibration. */

/* Releases the events of a batch, unless the device is lost: a launch that hangs may still set its event. */
static void autotune__opencl_drop_events(autotune__opencl_session *session, size_t batch) {
    size_t i;
    for (i = 0; i < autotune__count(session->events[batch]); i++) {
        cl_event *event = session->events[batch][i];
        if (*event && !autotune__lost(&session->common)) autotune__libopencl.clReleaseEvent_(*event);
        autotune__free(event);
    }
    AUTOTUNE__FREE_ARRAY(session->events[batch]);
}
static autotune_status autotune__opencl_begin_batch(autotune__accelerator_session *common) {
    autotune__opencl_drop_events(autotune__opencl_session_of(&common->backend), common->number);
    common->launched = false;
    return AUTOTUNE_OK;
}
/* Waits for the commands that the program queued before. No timeout limits these commands. */
static autotune_status autotune__opencl_start(autotune_backend *self) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    if (!session->common.number) status = AUTOTUNE__OPENCL_CALL(session, clFinish, autotune__opencl_queue_in(session));
    return status == AUTOTUNE_OK ? autotune__begin_batch(self) : status;
}
/* Returns the address for the event of the next command. NULL: the command is not measured, or there is no memory.
   Without memory a trial fails, and a call on probation goes on without an event. */
static cl_event *autotune__opencl_next_event(autotune__opencl_session *session) {
    autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    cl_event *event;
    if (!session->common.running) return NULL;
    event = (cl_event *)autotune__allocate(sizeof *event);
    if (!event || !AUTOTUNE__PUSH(session->events[session->common.number], event)) {
        autotune__free(event);
        if (tuning) autotune__trial_failed(tuning, AUTOTUNE_ERR_MEMORY);
        return NULL;
    }
    return event;
}
static autotune_status autotune__opencl_nothing_launched(autotune__accelerator_session *common) {
    autotune_explain("nothing was launched: the call needs OPENCL_LAUNCH, or an enqueue with OPENCL_EVENT");
    autotune__refuse_call(autotune__tuning_with(&common->backend));
    return AUTOTUNE_FAILED;
}
/* After a call, checks that it launched at least one command. No thread waits for the call. */
static autotune_status autotune__opencl_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const autotune_status status = autotune__clock_measured(self, number, ended);
    size_t i;
    if (!ended || status != AUTOTUNE_OK) return status;
    for (i = 0; i < autotune__count(session->events[number]); i++) if (*session->events[number][i]) return AUTOTUNE_OK;
    return autotune__opencl_nothing_launched(&session->common);
}
/* Flushes the queue, since the program may not have flushed it, and waits for all batches. If the flush fails, the
   cause may be the error of a command. Then the error of the command is reported. */
static autotune_status autotune__opencl_await(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const autotune__tuning *tuning = autotune__tuning_with(&common->backend);
    const bool failing = tuning && autotune__is_failing(tuning);
    const cl_int flushed = autotune__libopencl.clFlush_(autotune__opencl_queue_in(session));
    autotune_status status = AUTOTUNE_OK, other;
    size_t batch, i, count = 0;
    int error = 0;
    for (batch = 0; batch < common->number; batch++)
        for (i = 0; i < autotune__count(session->events[batch]) && status != AUTOTUNE_ERR_DEVICE; i++, count++) {
            const cl_event event = *session->events[batch][i];
            if (!event && !failing)
                autotune_explain("nothing was launched: an enqueue was refused, for its event was not set");
            if (!event) other = AUTOTUNE_FAILED;
            else if (flushed == CL_SUCCESS) other = autotune__wait_for_kernel(common, event);
            else other = autotune__opencl_has_ended(event, &error) ? autotune__kernel_outcome(common, error)
                                                                   : AUTOTUNE_OK;
            if (status == AUTOTUNE_OK || other == AUTOTUNE_ERR_DEVICE) status = other;
        }
    if (!count && !failing && flushed == CL_SUCCESS) return autotune__opencl_nothing_launched(common);
    return status == AUTOTUNE_OK ? autotune__driver_outcome(common, "clFlush: ", flushed) : status;
}
static bool autotune__opencl_has_done(autotune__accelerator_session *common, size_t number, int *error) {
    cl_event **const events = autotune__opencl_session_of(&common->backend)->events[number];
    size_t i;
    for (i = 0; i < autotune__count(events) && !*error; i++)
        if (!autotune__opencl_has_ended(*events[i], error)) return false;
    return true;
}
/* Sums the times of the commands of a batch. The time between two commands does not count, since drivers may compile
   then. PoCL compiles for 45 to 130 ms at the first launch with a new local size. */
static autotune_status autotune__opencl_measure(autotune__accelerator_session *common, size_t number, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    cl_event **const events = session->events[number];
    autotune_status status = AUTOTUNE_OK;
    cl_ulong begun = 0, ended = 0;
    size_t i;
    *ns = 0;
    for (i = 0; i < autotune__count(events) && status == AUTOTUNE_OK; i++) {
        status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo, *events[i], CL_PROFILING_COMMAND_START,
                                       sizeof begun, &begun, NULL);
        if (status == AUTOTUNE_OK)
            status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo, *events[i], CL_PROFILING_COMMAND_END,
                                           sizeof ended, &ended, NULL);
        *ns += (double)(int64_t)(ended - begun);
    }
    return status;
}
/* Asks the device for the step of its clock. Times of events do not include the cost of reading a clock. */
static void autotune__opencl_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    size_t step_ns = 0;
    AUTOTUNE__OPENCL_ASK(autotune__accelerator_session_of(self)->accelerator, CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                         step_ns);
    *resolution_ns = (double)step_ns;
    *cost_ns = 0;
}

/* ---- src/opencl/program.h ------------------------------------------------------------------------------------------
   Compiling with OpenCL: the functions that the floor `kernels` calls. */

/* A kernel in a context. Several threads must not call clSetKernelArg() on one cl_kernel at once. So a launch takes the
   cl_kernel, and puts it back afterwards. Another thread that launches meanwhile creates its own cl_kernel. */
typedef struct autotune__opencl_kernel {
    cl_kernel free;                             /* the cl_kernel that a launch may take; NULL: a launch has taken it */
    autotune__kernel loaded;
    cl_program program;
} autotune__opencl_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__opencl_kernel_of, autotune__opencl_kernel, loaded, autotune__kernel)
static cl_kernel autotune__opencl_take(autotune__opencl_kernel *kernel, cl_int *error) {
    const cl_kernel taken = __atomic_exchange_n(&kernel->free, NULL, __ATOMIC_ACQUIRE);
    *error = CL_SUCCESS;
    return taken ? taken : autotune__libopencl.clCreateKernel_(kernel->program, kernel->loaded.listed.name, error);
}
static void autotune__opencl_put_back(autotune__opencl_kernel *kernel, cl_kernel taken) {
    const cl_kernel other = __atomic_exchange_n(&kernel->free, taken, __ATOMIC_ACQ_REL);
    if (other) autotune__libopencl.clReleaseKernel_(other);
}

static const autotune__known_option autotune__opencl_options[] = {
    { "I", AUTOTUNE__OPTION_FOLDER }, { NULL, AUTOTUNE__OPTION_OTHER }
};
/* Builds a compilation from its machine code, else from its source, and makes its kernel. After an error the kernel is
   NULL, and the returned program may be NULL. The source, not the options, defines the axes. Drivers divide options at
   blanks, and values of axes may have blanks. */
static cl_program autotune__opencl_build(const autotune__accelerator *accelerator,
                                         const autotune__compilation *compilation, cl_kernel *kernel, cl_int *error) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    const cl_context context = autotune__opencl_context(accelerator);
    const cl_device_id device = autotune__opencl_device(accelerator);
    const unsigned char *image = (const unsigned char *)compilation->image;
    char *text AUTOTUNE__OWNED = image ? NULL : autotune__text_with_definitions(compilation, 0, "");
    autotune__text options AUTOTUNE__FREED = { NULL, false };
    const char *const definitions = autotune__own_options_end(compilation), *option;
    cl_program program = NULL;
    AUTOTUNE__EACH_OPTION(option, &compilation->options)
        if (option < definitions) autotune__append(&options, " %s", option);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (image && !options.broken)
        program = opencl->clCreateProgramWithBinary_(context, 1, &device, &compilation->image_bytes, &image, NULL,
                                                     error);
    else if (text && !options.broken)
        program = opencl->clCreateProgramWithSource_(context, 1, (const char **)&text, NULL, error);
    if (*error == CL_SUCCESS) *error = opencl->clBuildProgram_(program, 1, &device, options.at, NULL, NULL);
    *kernel = *error == CL_SUCCESS ? opencl->clCreateKernel_(program, compilation->name, error) : NULL;
    return program;
}
static void autotune__opencl_refuse(autotune__compilation *compilation, cl_program program, cl_device_id device,
                                    cl_int error) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    size_t bytes = 0;
    const bool has_log = program && opencl->clGetProgramBuildInfo_(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                                                   &bytes) == CL_SUCCESS;
    char otherwise[96], *log AUTOTUNE__OWNED = has_log ? (char *)autotune__allocate(bytes + 1) : NULL;
    if (log) (void)opencl->clGetProgramBuildInfo_(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    autotune__put_text(otherwise, sizeof otherwise, "%s (%d)", autotune__opencl_error_name(error), error);
    autotune__refuse_by_log(compilation, log, otherwise);
}
static void autotune__opencl_take_image(autotune__compilation *compilation, cl_program program) {
    enum { MOST = 64 };                         /* the most devices of a context. The program was built for one
                                                   device */
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    size_t sizes[MOST] = { 0 }, at = 0;
    unsigned char *images[MOST] = { NULL };     /* NULL: the driver copies nothing */
    (void)opencl->clGetProgramInfo_(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL);
    while (at < MOST && !sizes[at]) at++;
    if (at < MOST && !autotune__take_room(compilation, sizes[at], compilation->name)) return;
    if (at < MOST) images[at] = (unsigned char *)compilation->image;
    if (at < MOST &&
        opencl->clGetProgramInfo_(program, CL_PROGRAM_BINARIES, sizeof images, images, NULL) == CL_SUCCESS)
        compilation->progress = AUTOTUNE__CODE_MADE;
    else
        autotune__refuse(compilation, "%s was compiled, but the driver gives no machine code of it", compilation->name);
}
static void autotune__opencl_compile(autotune__compilation *compilation, const autotune__target *target,
                                     const autotune__compile_limits *limits) {
    const autotune__accelerator *accelerator = autotune__accelerator_at(target);
    cl_int error;
    cl_kernel kernel;
    cl_program program = autotune__opencl_build(accelerator, compilation, &kernel, &error);
    (void)limits;                               /* OpenCL cannot stop its compiler */
    if (kernel) autotune__opencl_take_image(compilation, program);
    else if (error == CL_INVALID_KERNEL_NAME)
        autotune__refuse(compilation, "the program has no kernel %s", compilation->name);
    else if (error != CL_OUT_OF_HOST_MEMORY)
        autotune__opencl_refuse(compilation, program, autotune__opencl_device(accelerator), error);
    if (kernel) autotune__libopencl.clReleaseKernel_(kernel);
    if (program) autotune__libopencl.clReleaseProgram_(program);
}
static autotune__kernel *autotune__opencl_load(const autotune__target *target, const autotune__compilation *compilation,
                                               int *error) {
    autotune__opencl_kernel *kernel = (autotune__opencl_kernel *)autotune__allocate(sizeof *kernel);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (kernel)
        kernel->program = autotune__opencl_build(autotune__accelerator_at(target), compilation, &kernel->free, error);
    if (*error == CL_SUCCESS) return &kernel->loaded;
    autotune_explain("the machine code of %s cannot be loaded: %s (%d)", compilation->name,
                     autotune__opencl_error_name(*error), *error);
    if (kernel && kernel->program) autotune__libopencl.clReleaseProgram_(kernel->program);
    autotune__free(kernel);
    return NULL;
}
static void autotune__opencl_unload(autotune__kernel *loaded) {
    autotune__opencl_kernel *kernel = autotune__opencl_kernel_of(loaded);
    const bool lost = autotune__lost_accelerator(autotune__accelerator_at(loaded->target)) != NULL;
    if (kernel->free && !lost) autotune__libopencl.clReleaseKernel_(kernel->free);
    if (!lost) autotune__libopencl.clReleaseProgram_(kernel->program);
    autotune__free(kernel);
}
/* The member `version` is the same for all drivers. The compiler belongs to the driver, and the description of the
   device has the driver's version. */
static autotune__compiler autotune__opencl_compiler = {
    "opencl", "bin", "OpenCL C", NULL, true, false, autotune__opencl_options, NULL, NULL, NULL,
    autotune__opencl_compile, NULL, autotune__opencl_load, autotune__opencl_unload, NULL, 0
};

/* ---- src/opencl/elements.h -----------------------------------------------------------------------------------------
   Fills and compares the elements of large outputs on the device, by a kernel. Each session that needs the kernel
   builds it. A device without double precision, or without 64-bit atomic functions, cannot build it. Then the CPU
   compares the elements. */

/* The kernel has the rules of formats.h, poison.h and outputs.h of the floor `device`. CUDA has the same kernel as PTX:
   tests/cuda/elements.sh makes the PTX from this text. */
static const char autotune__opencl_elements[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "ulong load(__global const uchar *at, ulong size) {\n"
    "    return size == 1 ? *at : size == 2 ? *(__global const ushort *)at\n"
    "         : size == 4 ? *(__global const uint *)at : *(__global const ulong *)at; }\n"
    "void store(__global uchar *at, ulong size, ulong bits) {\n"
    "    if (size == 1) *at = (uchar)bits; else if (size == 2) *(__global ushort *)at = (ushort)bits;\n"
    "    else if (size == 4) *(__global uint *)at = (uint)bits; else *(__global ulong *)at = bits; }\n"
    "ulong poison(ulong offset, ulong nan_bits) {\n"
    "    const ulong y = (offset / 8 + 1) * 0x9E3779B97F4A7C15UL, z = (y ^ y >> 29) * 0xBF58476D1CE4E5B9UL;\n"
    "    return ((z ^ z >> 32) | nan_bits) >> offset % 8 * 8; }\n"
    "double value(ulong bits, ulong exponent) {\n"
    "    const ulong unit = exponent & (~exponent + 1), sign = exponent + unit, size = bits & (sign - 1);\n"
    "    const ulong digits = popcount(unit - 1), bias = ((ulong)1 << (popcount(exponent) - 1)) - 1;\n"
    "    const double v = digits == 52 ? as_double(size)\n"
    "                   : size < unit ? (double)size * as_double((1024 - bias - digits) << 52)\n"
    "                   : as_double((size << (52 - digits)) + ((1023 - bias) << 52));\n"
    "    return bits & sign ? -v : v; }\n"
    "int is_near(ulong x, double v, ulong y, ulong exponent, double relative, double absolute) {\n"
    "    const ulong below = exponent | (exponent - 1);\n"
    "    if (x == y || !exponent) return x == y;\n"
    "    if ((x & exponent) == exponent || (y & exponent) == exponent)\n"
    "        return (x & below) > exponent && (y & below) > exponent;\n"
    "    const double expected = value(y, exponent), distance = fabs(v - expected);\n"
    "    return (distance <= relative * fabs(expected) || distance <= absolute) && distance < 1e308; }\n"
    "ulong magnitude(ulong x, double v, ulong exponent) {\n"
    "    const ulong size = x & (exponent | (exponent - 1));\n"
    "    return size > exponent ? 0 : size == exponent ? 1 : 1 + as_ulong(fabs(v)); }\n"
    "__kernel void autotune_elements(__global uchar *memory, __global const uchar *expected, __global ulong *answer,\n"
    "        ulong work, ulong count, ulong size, ulong exponent, ulong nan_bits, double relative, double absolute) {\n"
    "    ulong best = 0;\n"
    "    for (ulong i = get_global_id(0); i < count && best <= ~count; i += get_global_size(0)) {\n"
    "        const ulong at = i * size, x = work ? load(memory + at, size) : poison(at, nan_bits);\n"
    "        const double v = exponent ? value(x, exponent) : 0;\n"
    "        if (work == 0) store(memory + at, size, x);\n"
    "        else if (work == 1) best = max(best, magnitude(x, v, exponent));\n"
    "        else if (!is_near(x, v, load(expected + at, size), exponent, relative, absolute)) best = ~i;\n"
    "    }\n"
    "    if (best) atom_max(answer, best); }\n";

/* Returns true if the device has built the kernel. */
static bool autotune__opencl_can_work_on(autotune__accelerator_session *common,
                                         const autotune_elements *elements AUTOTUNE__UNUSED) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const cl_device_id device = autotune__opencl_device(common->accelerator);
    const char *text = autotune__opencl_elements;
    cl_int error = CL_SUCCESS;
    cl_program program;
    if (session->asked_for_elements) return session->elements != NULL;
    session->asked_for_elements = true;
    program = opencl->clCreateProgramWithSource_(autotune__opencl_context(common->accelerator), 1, &text, NULL, &error);
    if (error == CL_SUCCESS) error = opencl->clBuildProgram_(program, 1, &device, "", NULL, NULL);
    if (error == CL_SUCCESS) session->elements = opencl->clCreateKernel_(program, "autotune_elements", &error);
    if (program) opencl->clReleaseProgram_(program);
    return session->elements != NULL;
}
static autotune_status autotune__opencl_start_work(autotune__accelerator_session *common,
                                                   const autotune_elements *elements) {
    const size_t most = 1 << 16, items = elements->count < most ? (size_t)elements->count : most;
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const autotune_elements *const e = elements;
    const void *const arguments[] = { &e->memory, e->expected ? (const void *)&e->expected : &e->memory,
                                      &common->answer, &e->work, &e->count, &e->size, &e->exponent, &e->nan,
                                      &e->relative, &e->absolute };
    cl_int error = CL_SUCCESS;
    cl_uint i;
    for (i = 0; i < 10 && !error; i++)          /* three handles, then numbers of 8 bytes */
        error = opencl->clSetKernelArg_(session->elements, i, i < 3 ? sizeof(cl_mem) : 8, arguments[i]);
    if (!error) error = opencl->clEnqueueNDRangeKernel_(autotune__opencl_queue_in(session), session->elements, 1, NULL,
                                                        &items, NULL, 0, NULL, NULL);
    return error ? AUTOTUNE_REJECTED : AUTOTUNE_OK;
}

/* ---- src/opencl/backend.h ------------------------------------------------------------------------------------------
   The backend of a device in a context. This room has the functions for its memory (a cl_mem), begins and ends its
   sessions, and has OPENCL(queue). */

/* Enqueues a command for memory on the session's queue. */
#define AUTOTUNE__OPENCL_ENQUEUE(self, function, ...)                                               \
    AUTOTUNE__OPENCL_CALL(autotune__opencl_session_of(self), function,                              \
                          autotune__opencl_queue_in(autotune__opencl_session_of(self)), __VA_ARGS__)

static void *autotune__opencl_allocate(autotune_backend *self, size_t bytes) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const cl_context context = autotune__opencl_context(session->common.accelerator);
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    if (!autotune__lost(&session->common))
        memory = autotune__libopencl.clCreateBuffer_(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    return autotune__driver_outcome(&session->common, "clCreateBuffer: ", error) == AUTOTUNE_OK ? memory : NULL;
}
static void autotune__opencl_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__OPENCL_CALL(autotune__opencl_session_of(self), clReleaseMemObject, (cl_mem)memory);
}
static autotune_status autotune__opencl_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueCopyBuffer, (cl_mem)(uintptr_t)from, (cl_mem)to, 0, 0, bytes, 0,
                                   NULL, NULL);
}
static autotune_status autotune__opencl_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    const unsigned char pattern = (unsigned char)byte;
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueFillBuffer, (cl_mem)memory, &pattern, 1, 0, bytes, 0, NULL, NULL);
}
static autotune_status autotune__opencl_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                             size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueReadBuffer, (cl_mem)(uintptr_t)memory, CL_TRUE, offset, bytes,
                                   host, 0, NULL, NULL);
}
static autotune_status autotune__opencl_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                              size_t bytes) {
    return AUTOTUNE__OPENCL_ENQUEUE(self, clEnqueueWriteBuffer, (cl_mem)memory, CL_TRUE, offset, bytes, host, 0, NULL,
                                   NULL);
}

static __thread cl_command_queue autotune__opencl_queue;        /* the last OPENCL(queue); NULL: no valid queue */
static void *autotune__opencl_place(autotune_backend *self) {
    return autotune__opencl_queue ? (void *)autotune__opencl_queue : (void *)self;
}
static void autotune__opencl_explain_absence(void) {
    autotune_explain("%s", *autotune__libopencl.problem ? autotune__libopencl.problem
                                                        : "OPENCL(queue): this is no command queue");
}
static autotune_status autotune__opencl_ready(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = autotune__check_accelerator(session);
    return status == AUTOTUNE_OK ? autotune__opencl_check_queue(session) : status;
}
static void autotune__opencl_end(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    size_t i;
    for (i = 0; i < AUTOTUNE_MOST_QUEUED; i++) autotune__opencl_drop_events(session, i);
    if (session->elements && !autotune__lost(common)) autotune__libopencl.clReleaseKernel_(session->elements);
}
static void autotune__opencl_keep(const autotune__accelerator *accelerator) {
    autotune__libopencl.clRetainContext_(autotune__opencl_context(accelerator));
}
static const autotune_backend autotune__opencl_backend = {
    "opencl", NULL, NULL, autotune__accelerator_now,
    autotune__opencl_allocate, autotune__opencl_release, autotune__opencl_copy, autotune__opencl_fill,
    autotune__opencl_read, autotune__opencl_write,
    AUTOTUNE_COLD, autotune__flush_accelerator, NULL, autotune__classify_by_status,
    autotune__opencl_start, autotune__stop_batches, autotune__mark_batch, autotune__opencl_calibrate, 0,
    autotune__opencl_place, autotune__open_accelerator, autotune__opencl_ready, autotune__close_accelerator,
    autotune__enter_measured, NULL, autotune__opencl_clock_call, autotune__ask_measured, autotune__is_point_compiled,
    autotune__work_on_elements
};
static autotune__accelerator autotune__opencl_without_context;
static const autotune__driver_interface autotune__opencl_interface = {
    autotune__opencl_status_of, autotune__opencl_error_name,
    "the device can no longer be used in this context", "OPENCL(queue)",
    sizeof(autotune__accelerator), sizeof(autotune__opencl_session), &autotune__opencl_without_context,
    &autotune__opencl_compiler, &autotune__opencl_backend,
    autotune__opencl_describe, autotune__opencl_explain_absence, autotune__opencl_check_queue,
    autotune__opencl_begin_batch, NULL, autotune__opencl_await,
    autotune__opencl_has_done, autotune__opencl_measure, autotune__opencl_end,
    autotune__opencl_keep, autotune__opencl_has_ended, autotune__opencl_judge,
    autotune__opencl_can_work_on, autotune__opencl_start_work
};

/* A new queue may have the address of a queue that was released. So each call asks the queue for its context and
   device. This takes some nanoseconds; a launch takes thousands. */
AUTOTUNE__API autotune_backend *autotune_opencl(cl_command_queue queue) {
    cl_context handle = NULL;
    cl_device_id device = NULL;
    const bool known = autotune__opencl_works() && queue &&
                       AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_CONTEXT, handle) &&
                       AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_DEVICE, device);
    autotune__opencl_queue = known ? queue : NULL;
    return autotune__backend_at(&autotune__opencl_interface, known ? handle : NULL, (uint64_t)(uintptr_t)device);
}

/* ---- src/opencl/launch.h -------------------------------------------------------------------------------------------
   OPENCL_LAUNCH and OPENCL_RUN. On a hit they make one enqueue. Other launches are measured. For OPENCL_RUN a hit finds
   its kernel in the list of the entry. If the list does not have the kernel, the launch finds or compiles the kernel,
   and lists it. */

/* Enqueues a kernel. Each global size is rounded up to a multiple of the local size. */
static inline cl_int autotune__opencl_enqueue(cl_command_queue queue, cl_kernel kernel, autotune_opencl_size global,
                                              autotune_opencl_size local, cl_event *event) {
    cl_uint i;
    for (i = 0; i < global.dimensions; i++) {
        const size_t step = local.at[i], over = step > 1 ? global.at[i] % step : 0;
        if (over) global.at[i] += step - over;
    }
    return autotune__libopencl.clEnqueueNDRangeKernel_(queue, kernel, global.dimensions, NULL, global.at,
                                                       local.at[0] ? local.at : NULL, 0, NULL, event);
}

/* Returns false for sizes that the driver would accept, but understand in another way than OPENCL_LAUNCH. The driver
   itself refuses sizes that it cannot launch. */
static bool autotune__opencl_check_sizes(const autotune_opencl_size *global, const autotune_opencl_size *local) {
    bool right = local->dimensions <= global->dimensions;
    cl_uint i;
    for (i = 0; i < global->dimensions; i++)
        right = right && (ptrdiff_t)global->at[i] >= 1 &&
                (i >= local->dimensions || ((ptrdiff_t)local->at[i] >= 0 && !local->at[i] == !local->at[0]));
    if (!right)
        autotune_explain("GLOBAL is (%zd, %zd, %zd) in %u dimensions, and LOCAL (%zd, %zd, %zd) in %u: each size of "
                         "GLOBAL must be 1 or more; LOCAL has no more dimensions, and each size is 1 or more, or all "
                         "are 0 and the driver chooses", global->at[0], global->at[1], global->at[2],
                         (unsigned)global->dimensions, local->at[0], local->at[1], local->at[2],
                         (unsigned)local->dimensions);
    return right;
}
/* Makes the launch of a trial, of the call after the race, or of a hit on probation. */
static autotune_status autotune__opencl_launch_in(autotune__accelerator_session *common, cl_kernel kernel,
                                                  autotune_opencl_size global, autotune_opencl_size local) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    autotune_status status = autotune__check_accelerator(common);
    if (status != AUTOTUNE_OK) return status;
    if (!autotune__opencl_check_sizes(&global, &local)) return AUTOTUNE_FAILED;
    status = autotune__driver_outcome(common, "clEnqueueNDRangeKernel: ",
                                      autotune__opencl_enqueue(autotune__opencl_queue_in(session), kernel, global,
                                                               local, autotune__opencl_next_event(session)));
    common->launched = common->launched || status == AUTOTUNE_OK;
    return status;
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__opencl_launch_cold(
    autotune__tuning *tuning, cl_kernel kernel, autotune_opencl_size global, autotune_opencl_size local) {
    autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__opencl_interface);
    autotune_status status;
    if (autotune__acts_as_hit(tuning)) autotune__begin_hit_call();
    status = session ? autotune__refuse_unlaunched(session, tuning,
                                                   autotune__opencl_launch_in(session, kernel, global, local))
                     : autotune__refuse_backend(&autotune__opencl_interface, "OPENCL_LAUNCH");
    autotune__end_hit_call();
    return status;
}
AUTOTUNE__API autotune_status AUTOTUNE__OPENCL_START(autotune__tuning *tuning, cl_kernel kernel,
                                                     autotune_opencl_size global, autotune_opencl_size local) {
    cl_int error = CL_INVALID_COMMAND_QUEUE;    /* the backend has no queue */
    if (!AUTOTUNE__LIKELY(!tuning)) return autotune__opencl_launch_cold(tuning, kernel, global, local);
    if (AUTOTUNE__LIKELY(autotune__opencl_queue != NULL))
        error = autotune__opencl_enqueue(autotune__opencl_queue, kernel, global, local, NULL);
    return AUTOTUNE__LIKELY(!error)
               ? AUTOTUNE_OK : autotune__launch_failed(&autotune__opencl_interface, "clEnqueueNDRangeKernel: ", error);
}
AUTOTUNE__API autotune_status autotune_opencl_launch(cl_kernel kernel, autotune_opencl_size global,
                                                     autotune_opencl_size local) {
    autotune__tuning *tuning = autotune__innermost();
    return AUTOTUNE__OPENCL_START(autotune__session_in(tuning, &autotune__opencl_interface) ? tuning : NULL, kernel,
                                  global, local);
}
AUTOTUNE__API cl_event *autotune_opencl_event(void) { return autotune__opencl_event_of(autotune__innermost()); }
AUTOTUNE__API cl_event *autotune__opencl_event_of(const autotune__tuning *tuning) {
    autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__opencl_interface);
    if (session) session->launched = true;      /* the program makes the launch */
    return session ? autotune__opencl_next_event(autotune__opencl_session_of(&session->backend)) : NULL;
}
AUTOTUNE__API autotune_status autotune_opencl_status(cl_int error) {
    return autotune__status_of_call(&autotune__opencl_interface, error);
}

/* Sets all arguments. *at: the number of the last argument that was set, or of the argument with the error. */
static inline cl_int autotune__opencl_set_arguments(cl_kernel kernel, const autotune__opencl_run *run, cl_uint *at) {
    cl_int error = CL_SUCCESS;
    cl_uint i;
    for (i = 0; i < run->arguments.count && error == CL_SUCCESS; i++) {
        void *const value = run->arguments.at[i];
        const unsigned short bytes = run->arguments.sizes[i];
        error = autotune__libopencl.clSetKernelArg_(kernel, i, bytes ? bytes : ((autotune_local_bytes *)value)->bytes,
                                                    bytes ? value : NULL);
        *at = i;
    }
    return error;
}
static autotune_status autotune__opencl_check_arguments(autotune__accelerator_session *session,
                                                        cl_kernel kernel, const autotune__opencl_run *run) {
    cl_uint at = 0, parameters = 0;
    cl_int error;
    autotune__libopencl.clGetKernelInfo_(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, NULL);
    if (!autotune__check_count(parameters, run->arguments.count, run->name, "OPENCL_RUN")) return AUTOTUNE_FAILED;
    if ((error = autotune__opencl_set_arguments(kernel, run, &at)) == CL_INVALID_ARG_SIZE)
        autotune_explain("argument %u of %s has %d bytes, and the kernel's parameter another size: pass a value of its "
                         "type", (unsigned)at + 1, run->name, (int)run->arguments.sizes[at]);
    return autotune__driver_outcome(session, "clSetKernelArg: ", error);
}
static autotune_status autotune__opencl_run_in(autotune__accelerator_session *common, autotune__tuning *tuning,
                                               const uint64_t *values, const void *named) {
    const autotune__opencl_run *run = (const autotune__opencl_run *)named;
    autotune__kernel *loaded = autotune__listed_kernel_of(values, run->program, run->name);
    autotune_status status;
    cl_int error = CL_SUCCESS;
    cl_kernel kernel;
    if (!autotune__opencl_check_sizes(&run->global, &run->local)) return AUTOTUNE_FAILED;
    if (!loaded) {
        const autotune__kernel_call call = { run->program, run->name, NULL, NULL };
        loaded = autotune__find_kernel(&common->kernels, tuning, values, &call);
        if (!loaded) return common->kernels.status;
    }
    kernel = autotune__opencl_take(autotune__opencl_kernel_of(loaded), &error);
    if (!kernel) return autotune__driver_outcome(common, "clCreateKernel: ", error);
    status = autotune__opencl_check_arguments(common, kernel, run);
    if (status == AUTOTUNE_OK) status = autotune__opencl_launch_in(common, kernel, run->global, run->local);
    autotune__opencl_put_back(autotune__opencl_kernel_of(loaded), kernel);
    return status;
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__opencl_run_cold(
    autotune__tuning *tuning, const uint64_t *values, const autotune__opencl_run *run) {
    autotune_backend *here = autotune_opencl(autotune__opencl_queue),
                     *of_hit = tuning ? NULL : autotune__entry_of(values)->scope.backend;
    return autotune__launch_cold(&autotune__opencl_interface, "OPENCL_RUN", autotune__opencl_run_in, tuning,
                                 of_hit == here ? of_hit : NULL, values, run);
}
AUTOTUNE__API autotune_status autotune__opencl_run_kernel(autotune__tuning *tuning, const uint64_t *values,
                                                          const autotune__opencl_run *run) {
    autotune__opencl_kernel *kernel =
        tuning ? NULL : autotune__opencl_kernel_of(autotune__listed_kernel_of(values, run->program, run->name));
    cl_uint at;
    cl_int error;
    cl_kernel copy;
    if (!AUTOTUNE__LIKELY(kernel != NULL)) return autotune__opencl_run_cold(tuning, values, run);
    if ((copy = autotune__opencl_take(kernel, &error)) != NULL) {
        error = autotune__opencl_set_arguments(copy, run, &at);
        if (AUTOTUNE__LIKELY(error == CL_SUCCESS))
            error = autotune__opencl_enqueue(autotune__opencl_queue, copy, run->global, run->local, NULL);
        autotune__opencl_put_back(kernel, copy);
    }
    return AUTOTUNE__LIKELY(!error) ? AUTOTUNE_OK
                                    : autotune__launch_failed(&autotune__opencl_interface, "OPENCL_RUN: ", error);
}
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
