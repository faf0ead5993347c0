/* autotune 0.2.0, revision 0b92aee7 of src/: made by src/headers.sh, so edit the files in src/, and not this one. */
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

/* ---- src/cc/site.h -------------------------------------------------------------------------------------------------
   The macros of a call site for functions that are compiled for each configuration. */

/* CC_PROGRAM(text, option, ...)              a program as source in C
   CC_PROGRAM_FILE(path, option, ...)         source in a file. Its name tells the compiler the language: C, C++ or
                                              Fortran.
   Each macro initialises a static autotune_cc_program. Up to 12 options of the compiler follow; each is one word of the
   command line. $NAME in an option is replaced by the value of the axis NAME, so an axis may have flags. An option that
   is only "$FLAGS" is divided at blanks. --cc=COMPILER names the compiler of this program, as one word or several.

   CC_CALL(&program, function, argument, ...)  an expression of type autotune_status, in the call or block of a
                                               statement on the CPU. It calls a function of the program, compiled for
                                               this configuration: each axis is a macro, as by -D.
   program     the address of a static program. The call site keeps the address.
   function    is declared in this file, and defined in the program alone. The declaration checks the arguments. The
               function returns void or an autotune_status. C++ declares it extern "C".
   CC_CALL_WITH(config, &program, function, argument, ...)     the same, in launch() of a created tuner.
   config      the pointer that launch() received; a copy of the configuration does not work. Call it in the thread of
               launch().
   A configuration fails if its code cannot be compiled or loaded. The reason is the compiler's first error line.
   Without a compiler the status is AUTOTUNE_ERR_ENVIRONMENT, unless machine code of an earlier run is on disk. */
#define AUTOTUNE_CC_PROGRAM(...) AUTOTUNE__PROGRAM_TEXT(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CC_PROGRAM_FILE(...) AUTOTUNE__PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CC_CALL(program, ...) \
    autotune__launched(autotune__this, \
                       AUTOTUNE__CC_CALL(autotune__cc_function_of, autotune__this, program, __VA_ARGS__))
#define AUTOTUNE_CC_CALL_WITH(config, program, ...) \
    AUTOTUNE__CC_CALL(autotune__cc_function_with, config, program, __VA_ARGS__)

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define CC_PROGRAM(...) AUTOTUNE_CC_PROGRAM(__VA_ARGS__)
#define CC_PROGRAM_FILE(...) AUTOTUNE_CC_PROGRAM_FILE(__VA_ARGS__)
#define CC_CALL(program, ...) AUTOTUNE_CC_CALL(program, __VA_ARGS__)
#define CC_CALL_WITH(config, program, ...) AUTOTUNE_CC_CALL_WITH(config, program, __VA_ARGS__)
#endif

AUTOTUNE__BEGIN_C

typedef autotune_program_source autotune_cc_program;

/* CC_CALL calls this if the list of the configuration does not begin with the function. tuning: NULL on a hit. Returns
   NULL if there is no such function; autotune__cc_failure() is then the status. The name is a message, which the linker
   shows if no file has the implementation. */
#define AUTOTUNE__CC_FIND autotune__define_AUTOTUNE_CC_IMPLEMENTATION_in_one_file
typedef void autotune__cc_function(void);
AUTOTUNE__COLD autotune__cc_function *AUTOTUNE__CC_FIND(autotune__tuning *tuning, const uint64_t *values,
                                                        const void *key, autotune_cc_program *program,
                                                        const char *name);
AUTOTUNE__COLD autotune_status autotune__cc_failure(void);
/* CC_CALL_WITH calls this. */
AUTOTUNE__API autotune__cc_function *autotune__cc_function_with(const autotune_config *config, const void *key,
                                                                autotune_cc_program *program, const char *name);

/* key: an address that identifies the program and the function of this call. */
AUTOTUNE__INLINE autotune__cc_function *autotune__cc_function_of(const autotune__run *run, const void *key,
                                                                 autotune_cc_program *program, const char *name) {
    const autotune__shared_word *const word =
        AUTOTUNE__AS(const autotune__shared_word *, AUTOTUNE__AS(const void *, run->slot + AUTOTUNE_MAX_AXES));
    const uintptr_t address = AUTOTUNE__AS(uintptr_t, __atomic_load_n(word, __ATOMIC_ACQUIRE));
    const autotune__listed_function *list = AUTOTUNE__NULL;
    memcpy(&list, &address, sizeof address);
    return AUTOTUNE__LIKELY(list && list->key == key)
               ? list->address : AUTOTUNE__CC_FIND(run->tuning, run->slot, key, program, name);
}

AUTOTUNE__END_C

/* find(given, key, program, name) finds the function. given: the run of the statement, or the configuration that
   launch() received. */
#define AUTOTUNE__CC_CALL(find, given, program, ...) \
    AUTOTUNE__CAT(AUTOTUNE__CC_CALL_, AUTOTUNE__CC_HAS_ARGUMENTS(__VA_ARGS__))(find, given, program, __VA_ARGS__)
#define AUTOTUNE__CC_CALL_0(find, given, program, function) \
    AUTOTUNE__CC_CALL_OF(find, given, program, function, #function, ())
#define AUTOTUNE__CC_CALL_1(find, given, program, function, ...) \
    AUTOTUNE__CC_CALL_OF(find, given, program, function, #function, (__VA_ARGS__))
/* 1 if a second argument follows the first one, else 0. */
#define AUTOTUNE__CC_HAS_ARGUMENTS(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0)
#define AUTOTUNE__CC_RETURNS "CC_CALL(&program, function, ...): the function returns void or an autotune_status"
#ifdef __cplusplus
/* (take(&status), call) writes the status of the call, unless the call returns void. */
struct autotune__cc_taker { autotune_status *status; };
AUTOTUNE__INLINE autotune__cc_taker autotune__cc_take(autotune_status *status) { return autotune__cc_taker{ status }; }
AUTOTUNE__INLINE void operator,(autotune__cc_taker taker, autotune_status status) { *taker.status = status; }
template <class T> struct autotune__cc_returns
    : std::integral_constant<bool, std::is_same<T, void>::value || std::is_same<T, autotune_status>::value> {};
template <class T> AUTOTUNE__INLINE T autotune__cc_as(autotune__cc_function *function) {
    return reinterpret_cast<T>(function);
}
#define AUTOTUNE__CC_CALL_OF(find, given, program, function, name, arguments) __extension__({ \
    AUTOTUNE__DEMAND(autotune__cc_returns<decltype(function arguments)>::value, AUTOTUNE__CC_RETURNS); \
    static constexpr autotune_cc_program *autotune__cc_key = program; \
    const auto autotune__cc_here = autotune__cc_as<decltype(&function)>( \
        find(given, &autotune__cc_key, autotune__cc_key, name)); \
    autotune_status autotune__cc_value = AUTOTUNE_OK; \
    if (AUTOTUNE__LIKELY(autotune__cc_here != nullptr)) \
        autotune__cc_take(&autotune__cc_value), autotune__cc_here arguments; \
    else autotune__cc_value = autotune__cc_failure(); \
    autotune__cc_value; })
#else
#define AUTOTUNE__CC_CALL_OF(find, given, program, function, name, arguments) __extension__({ \
    enum { autotune__cc_void = __builtin_types_compatible_p(__typeof__(function arguments), void) }; \
    { AUTOTUNE__DEMAND(autotune__cc_void || \
                       __builtin_types_compatible_p(__typeof__(function arguments), autotune_status), \
                       AUTOTUNE__CC_RETURNS); } \
    static autotune_cc_program *autotune__cc_key = program; \
    __typeof__(&function) const autotune__cc_here = (__typeof__(&function)) \
        find(given, &autotune__cc_key, autotune__cc_key, name); \
    (autotune_status)(AUTOTUNE__LIKELY(autotune__cc_here != NULL) /* ?: makes an enum unsigned */ \
        ? __builtin_choose_expr(autotune__cc_void, (autotune__cc_here arguments, (autotune_status)AUTOTUNE_OK), \
                                autotune__cc_here arguments) \
        : autotune__cc_failure()); })
#endif

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


/* ---- src/cc/words.h ------------------------------------------------------------------------------------------------
   The words of a command line: the known options, and their meaning. */

/* The options that come first. The program chooses the optimisation.
   -shared, -fPIC: the source becomes a library.
   -fno-semantic-interposition: functions of the library call each other directly.
   -Wl,-z,noseparate-code: code and constants share pages. This halves the bytes that are written and mapped, and saves
   a quarter of the time.
   -Wp,-v: the compiler prints the folders that it searches for headers. */
static const char autotune__cc_own_options[] =
    "-shared\0-fPIC\0-fno-semantic-interposition\0-Wl,-z,noseparate-code\0-Wp,-v\0";
static const char autotune__cc_names_compiler[] = "--cc=";

/* The known options. Any other word may make the compiler read files that its list of dependencies lacks. */
static const autotune__known_option autotune__cc_options[] = {
    { "I", AUTOTUNE__OPTION_FOLDER }, { "isystem", AUTOTUNE__OPTION_FOLDER }, { "iquote", AUTOTUNE__OPTION_FOLDER },
    { "idirafter", AUTOTUNE__OPTION_FOLDER }, { "fplugin", AUTOTUNE__OPTION_FILE },
    { "fprofile", AUTOTUNE__OPTION_FILE }, { "fbranch-probabilities", AUTOTUNE__OPTION_FILE },
    { "fauto-profile", AUTOTUNE__OPTION_FILE }, { "fmodule", AUTOTUNE__OPTION_FILE }, { "for-", AUTOTUNE__OPTION_FILE },
    { "Wl,", AUTOTUNE__OPTION_FILE }, { "Wa,", AUTOTUNE__OPTION_FILE }, { "Wp,", AUTOTUNE__OPTION_FILE },
    { "gcc-", AUTOTUNE__OPTION_FILE }, { "f", AUTOTUNE__OPTION_OTHER }, { "W", AUTOTUNE__OPTION_OTHER },
    { "m", AUTOTUNE__OPTION_OTHER }, { "O", AUTOTUNE__OPTION_OTHER }, { "g", AUTOTUNE__OPTION_OTHER },
    { "D", AUTOTUNE__OPTION_OTHER }, { "U", AUTOTUNE__OPTION_OTHER }, { "std=", AUTOTUNE__OPTION_OTHER },
    { "param=", AUTOTUNE__OPTION_OTHER }, { "pthread", AUTOTUNE__OPTION_OTHER }, { "cpp", AUTOTUNE__OPTION_OTHER },
    { "cc=", AUTOTUNE__OPTION_OTHER }, { "l", AUTOTUNE__OPTION_OTHER }, { NULL, AUTOTUNE__OPTION_FILE }
};
/* The values of these variables decide machine code, like options of the program. */
static const char *const autotune__cc_variables[] = {
    "AUTOTUNE_CC", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "LIBRARY_PATH", "LD_RUN_PATH",
    NULL
};

/* ---- src/cc/command.h ----------------------------------------------------------------------------------------------
   The command line of a compilation: the path of the compiler, and its words. */

typedef struct autotune__cc_command {
    autotune__text compiler;                    /* its words, each with a zero; empty: no compiler was named */
    bool by_option;                             /* an option of the program names the compiler */
    char path[1024];                            /* of the compiler; "": it was not found */
    autotune__file_facts facts;                 /* of `path`, before the compiler runs */
    autotune__text options, libraries;          /* words, each with its zero. `libraries` has the options -l:
                                                   the linker needs these after the source */
} autotune__cc_command;

static bool autotune__cc_is_file(const char *path) {
    autotune__file_facts facts;
    return autotune__facts_of_path(path, &facts) && facts.is_regular;
}
/* Finds a program by its name, as a shell does. */
static bool autotune__cc_find_program(const char *name, char *path, size_t room) {
    const char *const search = autotune__variable("PATH"), *folder;
    size_t length;
    bool found = false;
    if (autotune__last_separator(name))
        return (size_t)snprintf(path, room, "%s", name) < room && autotune__cc_is_file(path);
    AUTOTUNE__EACH_FOLDER(folder, length, search ? search : "/usr/bin:/bin")
        found = found || ((size_t)snprintf(path, room, "%.*s/%s", (int)length, folder, name) < room &&
                          autotune__cc_is_file(path));
    return found;
}
/* Finds the named compiler, else the first usual compiler that exists. */
static void autotune__cc_find_compiler(autotune__cc_command *command) {
#ifndef AUTOTUNE_CC_DEFAULT
#define AUTOTUNE_CC_DEFAULT "cc"
#endif
    static const char *const usual[] = { AUTOTUNE_CC_DEFAULT, "cc", "gcc", "clang" };
    const bool named = autotune__has_text(&command->compiler);
    bool found = named && autotune__cc_find_program(command->compiler.at, command->path, sizeof command->path);
    size_t i;
    for (i = 0; !named && !found && i < sizeof usual / sizeof *usual; i++)
        found = autotune__cc_find_program(usual[i], command->path, sizeof command->path);
    if (!found) *command->path = 0;
    (void)autotune__facts_of_path(command->path, &command->facts);
}
static void autotune__cc_name_compiler(autotune__cc_command *command, const char *words, bool by_option) {
    autotune__clear_text(&command->compiler);
    autotune__append_divided(&command->compiler, words);
    command->by_option = by_option;
}
static void autotune__cc_free_command(autotune__cc_command *command) {
    autotune__free_text(&command->compiler);
    autotune__free_text(&command->options);
    autotune__free_text(&command->libraries);
}
/* Adds a word to the command. Returns false if the compilation is refused. */
static bool autotune__cc_take_word(autotune__cc_command *command, autotune__compilation *compilation,
                                   const char *word) {
    const size_t prefix = strlen(autotune__cc_names_compiler);
    if (!strcmp(word, "-c") || !strcmp(word, "-static") || !strncmp(word, "-o", 2)) {
        autotune__refuse(compilation, "the option %s is not for a library that is loaded: leave it out", word);
        return false;
    }
    if (!strncmp(word, autotune__cc_names_compiler, prefix)) autotune__cc_name_compiler(command, word + prefix, true);
    else autotune__append(strncmp(word, "-l", 2) ? &command->options : &command->libraries, "%s%c", word, 0);
    return true;
}
/* Makes the command of a compilation. Its compiler may be missing. Returns false if the compilation is
   refused, or if there is no memory. */
static bool autotune__cc_make_command(autotune__cc_command *command, autotune__compilation *compilation) {
    const char *const named = autotune__variable("AUTOTUNE_CC"), *at;
    bool taken = true;
    memset(command, 0, sizeof *command);
    if (named) autotune__cc_name_compiler(command, named, false);
    AUTOTUNE__EACH_OPTION(at, &compilation->options) taken = taken && autotune__cc_take_word(command, compilation, at);
    autotune__cc_find_compiler(command);
    return taken && !command->options.broken && !command->libraries.broken && !command->compiler.broken;
}

/* ---- src/cc/dependencies.h -----------------------------------------------------------------------------------------
   Dependencies of an image: the files that decide its code. This room follows the includes of the source through the
   folders that the compiler searches. The option -Wp,-v makes the compiler print these folders. All files that are
   found go into one digest. The symbol of the image has the digest and the folders: "digest folder folder ". By -MD
   the compiler lists the files that it read. If this room did not follow one of these files, the image is not kept,
   and the program is compiled again in each run. The same holds if an option or the source may read further files. */

/* ---- Words ---- */

/* Returns true if these words, except `skipped`, bring in headers alone. -lm is allowed: it is a shared library, so no
   code is copied from it, unless LIBRARY_PATH leads to another library. */
static bool autotune__cc_are_simple(const autotune__compiler *compiler, const autotune__text *words,
                                    const char *skipped) {
    const char *word;
    AUTOTUNE__EACH_OPTION(word, words)
        if (word != skipped && (strcmp(word, "-lm") || autotune__variable("LIBRARY_PATH")) &&
            (!strncmp(word, "-l", 2) || autotune__read_option(compiler, word, &skipped) == AUTOTUNE__OPTION_FILE ||
             (!strncmp(word, "-f", 2) && strchr(word, '=') && autotune__cc_is_file(strrchr(word, '=') + 1))))
            return false;
    return true;
}
static bool autotune__cc_is_simple(const autotune__cc_command *command, const autotune__compiler *compiler) {
    return !autotune__variable("COMPILER_PATH") && !autotune__variable("GCC_EXEC_PREFIX") &&
           !autotune__variable("CCC_OVERRIDE_OPTIONS") &&
           autotune__cc_are_simple(compiler, &command->compiler, command->compiler.at) &&
           autotune__cc_are_simple(compiler, &command->options, NULL) &&
           autotune__cc_are_simple(compiler, &command->libraries, NULL);
}

/* ---- Files ---- */

/* Follows the includes of the source through `folders`. The scan owns `folders`. unasked: headers that compilers
   include by default. */
static autotune__scan autotune__cc_follow(const autotune__cc_command *command, const autotune__program *program,
                                          autotune__text folders) {
    static const char unasked[] = "#include <stdc-predef.h>\n#include <finclude/math-vector-fortran.h>\n"
                                  "#include <finclude/x86_64-linux-gnu/math-vector-fortran.h>\n"
                                  "#include <finclude/aarch64-linux-gnu/math-vector-fortran.h>\n";
    const char *const path = autotune__path_of(program);
    autotune__scan scan;
    size_t i;
    memset(&scan, 0, sizeof scan);
    scan.folders = folders;
    autotune__digest_string(&scan.digest, command->path);
    autotune__digest_bytes(&scan.digest, &command->facts.bytes, sizeof command->facts.bytes);
    autotune__digest_bytes(&scan.digest, &command->facts.modified_ns, sizeof command->facts.modified_ns);
    autotune__scan_text(&scan, unasked, "");
    if (*path) autotune__scan_file(&scan, ".", 1, path, strlen(path), true);
    else autotune__scan_text(&scan, autotune__source_of(program), "");
    autotune__scan_files(&scan);
    for (i = 0; i < autotune__count(scan.files); i++)
        if (scan.files[i].facts.id.number) autotune__digest_bytes(&scan.digest, &i, sizeof i);  /* it exists */
    return scan;
}
/* Reads the folders that the compiler prints. The compiler ignores a folder that does not exist, or is a link to
   another folder. Ignored folders are read, too, since they may exist later. If the text is broken, some folders may be
   missing. */
static const char autotune__cc_folders_end[] = "End of search list.";
static autotune__text autotune__cc_read_folders(const char *printed) {
    autotune__text folders = { NULL, false };
    const char *at = printed, *feed;
    char path[4096];
    for (; at && strncmp(at, autotune__cc_folders_end, sizeof autotune__cc_folders_end - 1);
         at = (feed = strchr(at, '\n')) != NULL ? feed + 1 : NULL)
        if (sscanf(at, "ignoring %*s directory \"%4095[^\"\n]", path) == 1 ||
            (at[0] == ' ' && at[1] != ' ' && sscanf(at, " %4095[^\n]", path) == 1))
            autotune__append(&folders, "%s%c", path, 0);
    if (!at) folders.broken = true;
    return folders;
}
/* Returns true if a text may bring in files without #include. */
static bool autotune__cc_brings_more(const char *text) {
    return strstr(text, "incbin") || strstr(text, ".include") || strstr(text, "__has_embed") ||
           autotune__has_word(text, strlen(text), "embed", 5);
}
static bool autotune__cc_was_followed(const autotune__scan *scan, const char *path) {
    autotune__file_facts facts;
    size_t i;
    if (!autotune__facts_of_path(path, &facts)) return false;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].facts.id, facts.id))
            return !autotune__cc_brings_more(scan->files[i].text);
    return false;
}
/* Returns true if each file that the compiler read was followed, and was written before the compilation began. rule:
   the list of these files, as a rule for make. A path with a blank counts as two paths that do not exist. */
static bool autotune__cc_followed_all(const autotune__scan *scan, const char *rule, int64_t began_ns) {
    autotune__text paths AUTOTUNE__FREED = { NULL, false };
    const char *const at = rule ? strstr(rule, "/made:") : NULL, *path;
    bool all = at && !scan->blind && !scan->has_include_of_macro && !scan->folders.broken;
    size_t i;
    if (at) autotune__append_divided(&paths, strchr(at, ':') + 1);     /* clang names only files that it read */
    AUTOTUNE__EACH_OPTION(path, &paths) all = all && (!strcmp(path, "\\") || autotune__cc_was_followed(scan, path));
    for (i = 0; i < autotune__count(scan->files); i++)
        all = all && scan->files[i].facts.modified_ns < began_ns - 2000000000;
    return all && !paths.broken;
}
/* Reads the compiler's version from the image. An image of clang may name gcc, too. */
static void autotune__cc_read_version(autotune__compilation *compilation, const char *image, size_t bytes) {
    size_t at = 0;
    while (at + 64 < bytes && memcmp(image + at, "clang version ", 14) && memcmp(image + at, "GCC: ", 5)) at++;
    autotune__put_text(compilation->version, sizeof compilation->version, "%s", at + 64 < bytes ? image + at : "C");
}
/* Returns true if the folders of an image still give its digest. Without a compiler the image always holds. */
static bool autotune__cc_still_holds(autotune__compilation *compilation) {
    const char *const symbol = compilation->symbol;
    autotune__text folders = { NULL, false };
    autotune__cc_command command;
    autotune__scan scan;
    bool holds = autotune__cc_make_command(&command, compilation);
    if (holds && *command.path) {
        autotune__append_divided(&folders, symbol + strcspn(symbol, " "));
        scan = autotune__cc_follow(&command, compilation->program, folders);
        holds = autotune__cc_is_simple(&command, compilation->program->compiler) &&     /* 33: digest and dot */
                !strncmp(symbol, autotune__name_image(compilation->program->compiler, &scan.digest).at, 33);
        autotune__free_scan(&scan);
    }
    autotune__cc_read_version(compilation, compilation->image, compilation->image_bytes);
    autotune__cc_free_command(&command);
    return holds;
}

/* ---- src/cc/compile.h ----------------------------------------------------------------------------------------------
   Runs a compiler, and reads its output file, the machine code, into memory. */

/* A compiler that runs, and its files. */
typedef struct autotune__cc_run {
    const autotune__compile_limits *limits;
    char *folder, *input;                       /* paths: of the folder for its files, and of its input in the folder */
    int lock;                                   /* the open file `input`; it is locked while the folder is in use */
    bool made;                                  /* this run made the folder */
    int64_t began_ns;                           /* since 1970 */
    autotune__text printed;                     /* the first 64 KiB of the compiler's output, or up to 4 KiB more */
    autotune__child_end end;
} autotune__cc_run;

/* ---- Folders ---- */

static const char *autotune__cc_parent(void) {
    const char *const named = autotune__variable("TMPDIR");
    return named && *named ? named : "/tmp";
}
static void autotune__cc_remove_file(const char *name, void *folder) {
    char *path AUTOTUNE__OWNED = autotune__joined((const char *)folder, name);
    if (path) (void)remove(path);
}
static void autotune__cc_remove_folder(char *folder) {
    autotune__walk_folder(folder, autotune__cc_remove_file, folder);
    (void)remove(folder);
}
/* Removes a folder whose process ended while a compiler ran. Such a folder has a name like ours, and a file `input`
   that no process has locked. A folder younger than a minute stays, since its file may not be locked yet. */
static void autotune__cc_sweep_folder(const char *name, void *parent) {
    const size_t length = strlen(name);
    const bool alike = !strncmp(name, "autotune-", 9) && strspn(name + 9, "0123456789abcdef-") == length - 9 &&
                       length > 26 && name[length - 17] == '-';
    char *folder AUTOTUNE__OWNED = alike ? autotune__joined((const char *)parent, name) : NULL,
         *input AUTOTUNE__OWNED = folder ? autotune__joined(folder, "input") : NULL;
    const char *why;
    const int file AUTOTUNE__CLOSED = input && autotune__is_own_folder(folder)
                                          ? autotune__open_ours(input, AUTOTUNE__READ | AUTOTUNE__WRITE, &why) : -1;
    autotune__file_facts facts;
    if (autotune__facts_of_file(file, &facts) && facts.modified_ns / 1000000000 < autotune__calendar_seconds() - 60 &&
        autotune__lock_at(file, 0) == AUTOTUNE__HELD)
        autotune__cc_remove_folder(folder);
}
static void autotune__cc_sweep(void) {
    autotune__walk_folder(autotune__cc_parent(), autotune__cc_sweep_folder, (void *)(uintptr_t)autotune__cc_parent());
}
/* Makes a folder that this user alone can read, and in it a file with the source. This file is empty if the source is a
   file already. Returns true if all files were made; else `why` has the reason, or is NULL: no memory. */
static bool autotune__cc_make_files(autotune__cc_run *run, const char *source, const char **why) {
    char name[64];
    autotune__put_text(name, sizeof name, "autotune-%llu-%016llx", (unsigned long long)autotune__process_number(),
                       (unsigned long long)autotune__hash_word(autotune__wait_clock(), (uint64_t)(uintptr_t)run));
    run->folder = autotune__joined(autotune__cc_parent(), name);
    run->input = run->folder ? autotune__joined(run->folder, "input") : NULL;
    if (!run->input) return false;
    run->made = autotune__make_folder(run->folder);
    if (run->made) run->lock = autotune__open_file(run->input, AUTOTUNE__WRITE | AUTOTUNE__NEW | AUTOTUNE__NO_LINK);
    if (run->lock >= 0) (void)autotune__lock_at(run->lock, 0);
    if (run->lock >= 0 && autotune__fits(0, strlen(source)) &&
        autotune__write_all(run->lock, source, strlen(source))) return true;
    *why = strerror(errno);
    return false;
}
static void autotune__cc_remove_files(autotune__cc_run *run) {
    if (run->made) autotune__cc_remove_folder(run->folder);
    autotune__close_file(run->lock);
    autotune__free(run->folder);
    autotune__free(run->input);
}
static char *autotune__cc_read_made(const autotune__cc_run *run, const char *name, size_t *bytes) {     /* NULL: none */
    const char *why;
    char *path AUTOTUNE__OWNED = autotune__joined(run->folder, name);
    return path ? autotune__read_path(path, bytes, &why) : NULL;
}

/* ---- The compiler ---- */

/* Reads the output of the compiler, and keeps its first 64 KiB, or up to 4 KiB more. */
static void autotune__cc_read_output(autotune__text *printed, const autotune__child *compiler) {
    char bytes[4096];
    size_t got;
    while ((got = autotune__read_reports(compiler, bytes, sizeof bytes)) > 0)
        if (autotune__count(printed->at) < 65536) autotune__append(printed, "%.*s", (int)got, bytes);
}
/* Waits until the compiler ends, is late, or is unwanted. Then ends the compiler and all programs that it started. */
static void autotune__cc_await_compiler(autotune__cc_run *run, autotune__child *compiler) {
    const uint64_t began = autotune__wait_clock();
    bool ended, late;
    do {
        if (autotune__await_child(compiler, 5)) autotune__sleep_ns(500000);     /* it may close its pipe first */
        ended = autotune__child_has_ended(compiler);
        late = (double)(autotune__wait_clock() - began) > run->limits->seconds * 1e9;
        autotune__cc_read_output(&run->printed, compiler);
    } while (!ended && !late && !autotune__is_unwanted(run->limits));
    run->end = autotune__end_child(compiler, !ended);
}
/* Makes the whole command line. Returns true unless there is no memory. */
static bool autotune__cc_write_line(autotune__text *line, const autotune__cc_run *run,
                                    const autotune__cc_command *command, const autotune__program *program) {
    const char *at, *const folder = run->folder;
    autotune__append(line, "%s%c", command->path, 0);
    AUTOTUNE__EACH_OPTION(at, &command->compiler) if (at > command->compiler.at) autotune__append(line, "%s%c", at, 0);
    if (program->declared->text) autotune__append(line, "-x%cc%c", 0, 0);
    for (at = autotune__cc_own_options; *at; at += strlen(at) + 1) autotune__append(line, "%s%c", at, 0);
    AUTOTUNE__EACH_OPTION(at, &command->options) autotune__append(line, "%s%c", at, 0);
    autotune__append(line, "-MD%c-MF%c%s/rule%c-o%c%s/made%c%s%c", 0, 0, folder, 0, 0, folder, 0,
                     program->declared->text ? "-" : program->declared->file, 0);
    AUTOTUNE__EACH_OPTION(at, &command->libraries) autotune__append(line, "%s%c", at, 0);
    return !line->broken;
}
/* Copies the variables of this process, and changes two. LC_ALL makes the messages English, so that errors are found.
   TMPDIR puts the compiler's own files into our folder. Returns true unless there is no memory. */
static bool autotune__cc_gather_settings(const char ***settings, autotune__text *own, const char *folder) {
    char *const *at;
    bool complete = AUTOTUNE__PUSH(*settings, "LC_ALL=C");
    autotune__append(own, "TMPDIR=%s", folder);
    for (at = autotune__all_variables(); complete && *at; at++)
        if (strncmp(*at, "LC_ALL=", 7) && strncmp(*at, "TMPDIR=", 7)) complete = AUTOTUNE__PUSH(*settings, *at);
    return complete && !own->broken && AUTOTUNE__PUSH(*settings, own->at) && AUTOTUNE__PUSH(*settings, NULL);
}
/* Runs the compiler to its end. Returns false if there is no memory, or if the compiler did not start. `why` then has
   the reason, or is NULL. */
static bool autotune__cc_run_compiler(autotune__cc_run *run, const autotune__cc_command *command,
                                      const autotune__program *program, const char **why) {
    autotune__text line AUTOTUNE__FREED = { NULL, false }, own AUTOTUNE__FREED = { NULL, false };
    const char **words = NULL, **settings = NULL, *at;
    autotune__child compiler;
    bool complete = autotune__cc_write_line(&line, run, command, program) &&
                    autotune__cc_gather_settings(&settings, &own, run->folder), started;
    AUTOTUNE__EACH_OPTION(at, &line) complete = complete && AUTOTUNE__PUSH(words, at);
    complete = complete && AUTOTUNE__PUSH(words, NULL);
    started = complete && autotune__start_program(&compiler, words, settings, run->input, why);
    if (started) autotune__cc_await_compiler(run, &compiler);
    AUTOTUNE__FREE_ARRAY(settings);
    AUTOTUNE__FREE_ARRAY(words);
    return started;
}
/* Appends the text of compilation->symbol: the digest of the dependencies, and the folders of the headers. Returns
   true if the dependencies decide the code completely. */
static bool autotune__cc_describe(autotune__text *symbol, const autotune__cc_run *run,
                                  const autotune__cc_command *command, const autotune__program *program) {
    autotune__scan scan = autotune__cc_follow(command, program, autotune__cc_read_folders(run->printed.at));
    size_t bytes;
    char *rule AUTOTUNE__OWNED = autotune__cc_read_made(run, "rule", &bytes);
    const bool tells_all = autotune__cc_is_simple(command, program->compiler) &&
                           autotune__cc_followed_all(&scan, rule, run->began_ns) &&
                           !autotune__cc_brings_more(autotune__source_of(program));
    const char *folder;
    autotune__append(symbol, "%s ", autotune__name_image(program->compiler, &scan.digest).at);
    AUTOTUNE__EACH_OPTION(folder, &scan.folders) autotune__append(symbol, "%s ", folder);
    autotune__free_scan(&scan);
    return tells_all;
}
/* Makes the image from the file that the compiler wrote. */
static void autotune__cc_take_made(autotune__compilation *compilation, const autotune__cc_run *run,
                                   const autotune__cc_command *command) {
    autotune__text symbol AUTOTUNE__FREED = { NULL, false };
    size_t bytes = 0;
    char *made AUTOTUNE__OWNED = autotune__cc_read_made(run, "made", &bytes);
    compilation->unsettled = !autotune__cc_describe(&symbol, run, command, compilation->program);
    if (made) autotune__cc_read_version(compilation, made, bytes);
    if (!made || !bytes) autotune__refuse(compilation, "the compiler made no file");
    else if (!symbol.broken && autotune__take_room(compilation, bytes, symbol.at)) {
        memcpy(compilation->image, made, bytes);
        compilation->progress = AUTOTUNE__CODE_MADE;
    }
}
/* The compiler first prints its search folders. Returns the output behind this list if that output has an error. Else
   returns the whole output. */
static const char *autotune__cc_messages(const char *printed) {
    const char *const end = printed ? strstr(printed, autotune__cc_folders_end) : NULL;
    return end && strstr(end, "rror") ? end + sizeof autotune__cc_folders_end : printed;
}
/* Called when the compiler has ended. If this process waits for all its children, it may have received the compiler's
   exit status elsewhere. The output file then shows if the compiler succeeded. */
static void autotune__cc_take_end(autotune__compilation *compilation, const autotune__cc_run *run,
                                  const autotune__cc_command *command) {
    const autotune__fate how = run->end.how;
    char otherwise[64];
    autotune__put_text(otherwise, sizeof otherwise, "the compiler %s %d",
                       how == AUTOTUNE__EXITED ? "ended with status" : "was killed by signal", run->end.number);
    if (how == AUTOTUNE__END_LOST || (how == AUTOTUNE__EXITED && !run->end.number))
        autotune__cc_take_made(compilation, run, command);
    else if (how != AUTOTUNE__STILL_RUNNING)
        autotune__refuse_by_log(compilation, autotune__cc_messages(run->printed.at), otherwise);
    else if (!autotune__is_unwanted(run->limits))
        autotune__refuse(compilation, "does not compile: the compiler did not end within %g s, .compile_timeout",
                         run->limits->seconds);
}
static void autotune__cc_compile_with(autotune__compilation *compilation, const autotune__cc_command *command,
                                      const autotune__compile_limits *limits) {
    static autotune__once swept = AUTOTUNE__ONCE;
    autotune__cc_run run = { limits, NULL, NULL, -1, false, autotune__calendar_seconds() * 1000000000,
                             { NULL, false }, { AUTOTUNE__END_LOST, 0 } };
    const char *const source = compilation->program->declared->text, *why = NULL;
    autotune__run_once(&swept, autotune__cc_sweep);
    if (!autotune__cc_make_files(&run, source ? source : "", &why) && why)
        autotune__refuse(compilation, "no file can be made, by TMPDIR or /tmp: %s: %s", why, autotune__cc_parent());
    else if (run.lock >= 0 && autotune__cc_run_compiler(&run, command, compilation->program, &why))
        autotune__cc_take_end(compilation, &run, command);
    else if (why) autotune__refuse(compilation, "the compiler %s does not start: %s", command->path, why);
    autotune__free_text(&run.printed);
    autotune__cc_remove_files(&run);
}
static void autotune__cc_compile(autotune__compilation *compilation, const autotune__target *target,
                                 const autotune__compile_limits *limits) {
    const char *const obstacle = autotune__cannot_load();
    autotune__cc_command command;
    (void)target;                               /* the target is this process */
    if (autotune__cc_make_command(&command, compilation)) {
        if (*command.path && !obstacle) autotune__cc_compile_with(compilation, &command, limits);
        else if (obstacle) autotune__refuse(compilation, "%s", obstacle);
        else if (command.compiler.at)
            autotune__refuse(compilation, "the compiler %s was not found: --cc= or AUTOTUNE_CC names it",
                             command.compiler.at);
        else autotune__refuse(compilation, "no compiler was found: install gcc or clang, or name one in AUTOTUNE_CC");
        compilation->no_compiler = obstacle || (!*command.path && !command.by_option);
    }
    autotune__cc_free_command(&command);
}

/* ---- src/cc/load.h -------------------------------------------------------------------------------------------------
   Loads machine code as functions of this process. */

typedef struct autotune__cc_kernel {
    autotune__kernel loaded;
    void *library;
} autotune__cc_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__cc_kernel_of, autotune__cc_kernel, loaded, autotune__kernel)

static void autotune__cc_unload(autotune__kernel *loaded) {
    autotune__cc_kernel *kernel = autotune__cc_kernel_of(loaded);
    autotune__unload_code(kernel->library);
    autotune__free(kernel);
}
static autotune__kernel *autotune__cc_load(const autotune__target *target, const autotune__compilation *compilation,
                                           int *error) {
    autotune__cc_kernel *kernel = (autotune__cc_kernel *)autotune__allocate(sizeof *kernel);
    const char *why = "out of memory";
    (void)target; (void)error;
    if (kernel) kernel->library = autotune__load_code(compilation->image, compilation->image_bytes, &why);
    if (kernel && kernel->library) return &kernel->loaded;
    autotune_explain("what was compiled cannot be loaded: %s", why);
    autotune__free(kernel);
    return NULL;
}
static void (*autotune__cc_function_in(const autotune__kernel *loaded, const char *name))(void) {
    const autotune__cc_kernel *kernel = autotune__cc_kernel_of((autotune__kernel *)(uintptr_t)loaded);
    void *const symbol = autotune__symbol_of(kernel->library, name);
    void (*address)(void);
    memcpy(&address, &symbol, sizeof address);  /* ISO C has no cast from void * to a function */
    return address;
}

/* ---- src/cc/session.h ----------------------------------------------------------------------------------------------
   A session: the backend of a statement whose call is compiled. The first CC_CALL replaces the statement's backend by
   the session. The session has the functions of the replaced backend, except close(), is_prepared() and sometimes
   classify(). */

static autotune__compiler autotune__cc_compiler = {
    "cc", "so", NULL, NULL, false, false, autotune__cc_options, autotune__cc_variables, NULL, NULL,
    autotune__cc_compile, autotune__cc_still_holds, autotune__cc_load, autotune__cc_unload, autotune__cc_function_in, 0
};
/* The process is the target of all sessions. It is also the `other` target, for a second copy of a function at another
   address. Equal processors share machine code. */
static char autotune__cc_architecture[192];
static const autotune__target autotune__cc_elsewhere = { &autotune__cc_compiler, autotune__cc_architecture, NULL },
    autotune__cc_process = { &autotune__cc_compiler, autotune__cc_architecture, &autotune__cc_elsewhere };
static void autotune__cc_describe_processor(void) {
    const unsigned long long features = autotune__processor_features();
    char model[128] = "";
    if (!features) autotune__read_processor_model(model, sizeof model);
    autotune__put_text(autotune__cc_architecture, sizeof autotune__cc_architecture, "%s, %zu bits, features %016llx",
                       model, 8 * sizeof(void *), features);
}

typedef struct autotune__cc_session {
    autotune_backend backend;
    autotune_backend *closes;                   /* the backend that the session replaces, if it has close(). NULL: it
                                                   has none, and may be gone when the session ends */
    autotune__kernel_session kernels;
    bool calls;                                 /* a function was found in this session. In mode ONLINE the session has
                                                   many calls; the list of the configuration tells what a call found */
} autotune__cc_session;
AUTOTUNE__DEFINE_AROUND(autotune__cc_session_of, autotune__cc_session, backend, autotune_backend)

static bool autotune__cc_is_point_compiled(autotune_backend *self, size_t index) {
    return autotune__is_compiled(&autotune__cc_session_of(self)->kernels, autotune__tuning_with(self), index);
}
static void autotune__cc_close(autotune_backend *self) {
    autotune__cc_session *session = autotune__cc_session_of(self);
    autotune__end_kernel_session(&session->kernels);
    if (session->closes) session->closes->close(session->closes);
    autotune__free(session);
}
static void autotune__cc_begin_kernels(autotune__kernel_session *kernels, const autotune_options *options) {
    static autotune__once once = AUTOTUNE__ONCE;
    autotune__run_once(&once, autotune__cc_describe_processor);
    autotune__begin_kernel_session(kernels, &autotune__cc_process, options);
}
/* Returns the session of a statement; the first CC_CALL begins it. NULL: *status says why there is none. */
static autotune__cc_session *autotune__cc_session_in(autotune__tuning *tuning, autotune_status *status) {
    autotune_backend *const backend = autotune__backend_of(tuning);
    autotune__cc_session *session;
    if (backend->close == autotune__cc_close) return autotune__cc_session_of(backend);
    *status = AUTOTUNE_ERR_ARGUMENT;
    if (backend->start || backend->open) {
        autotune_explain("CC_CALL is for statements on the CPU, without .backend");
        return NULL;
    }
    *status = AUTOTUNE_ERR_MEMORY;
    if (!(session = (autotune__cc_session *)autotune__allocate(sizeof *session))) return NULL;
    session->backend = *backend;
    session->closes = backend->close ? backend : NULL;
    session->backend.close = autotune__cc_close;
    session->backend.is_prepared = autotune__cc_is_point_compiled;
    autotune__cc_begin_kernels(&session->kernels, autotune__options_of(tuning));
    autotune__work_with(tuning, &session->backend);
    return session;
}

/* ---- src/cc/call.h -------------------------------------------------------------------------------------------------
   CC_CALL if its function is not the first in the list of the configuration. This room finds the function, or compiles
   and loads it. */

static __thread autotune_status autotune__cc_status;            /* of the thread's last call that found no function */
AUTOTUNE__COLD autotune_status autotune__cc_failure(void) { return autotune__cc_status; }

/* A program is compiled once for all its functions, so that these share its static variables. In records and images
   this name stands for all functions of a program. */
static const char autotune__cc_functions[] = "functions";

static autotune__cc_function *autotune__cc_find_in_kernels(autotune__kernel_session *kernels, autotune__tuning *tuning,
                                                           const uint64_t *values, const autotune__kernel_call *call) {
    autotune__kernel *const kernel = autotune__find_kernel(kernels, tuning, values, call);
    autotune__cc_function *const function = kernel ? autotune__cc_function_in(kernel, call->function) : NULL;
    autotune__cc_status = kernel ? AUTOTUNE_FAILED : kernels->status;
    if (!kernel || function) return function;
    autotune_explain("the program has no function %s: it must not be static; C++ declares it extern \"C\", Fortran "
                     "bind(C)", call->function);
    return NULL;
}
/* Finds the function of a hit if the function is not loaded yet, or was listed by another call site. */
static autotune__cc_function *autotune__cc_find_of_hit(const uint64_t *values, const autotune__kernel_call *call) {
    static const autotune_options usual;        /* an entry has no options of its call site */
    autotune__kernel_session kernels;
    autotune__cc_function *function;
    autotune__cc_begin_kernels(&kernels, &usual);
    autotune__begin_hit_call();
    function = autotune__cc_find_in_kernels(&kernels, NULL, values, call);
    autotune__end_hit_call();
    return function;
}
/* Finds the function of a call that is no hit. The clock of the call does not count the time for this. */
static autotune__cc_function *autotune__cc_find_in(autotune__tuning *tuning, const uint64_t *values,
                                                   const autotune__kernel_call *call) {
    const autotune__aside aside = autotune__step_aside(tuning);
    autotune__cc_session *session = autotune__cc_session_in(tuning, &autotune__cc_status);
    autotune__cc_function *const function =
        session ? autotune__cc_find_in_kernels(&session->kernels, tuning, values, call) : NULL;
    if (session && !function && autotune__cc_status == AUTOTUNE_ERR_ENVIRONMENT)
        session->backend.classify = autotune__classify_by_status;
    else if (session && !function &&
             !(autotune__is_measuring(tuning) ? autotune__kernels_behind(values) != NULL : session->calls))
        autotune__refuse_call(tuning);          /* this call has called no function before */
    if (function) session->calls = true;
    autotune__step_back(tuning, &aside);
    return function;
}
AUTOTUNE__COLD autotune__cc_function *AUTOTUNE__CC_FIND(autotune__tuning *tuning, const uint64_t *values,
                                                        const void *key, autotune_cc_program *program,
                                                        const char *name) {
    const autotune__kernel_call call = { program, autotune__cc_functions, key, name };
    const autotune__listed_kernel *const listed = autotune__listed_by_key(values, key);
    const int error_number = errno;
    autotune__cc_function *const function = listed   ? listed->function.address
                                            : autotune__acts_as_hit(tuning) ? autotune__cc_find_of_hit(values, &call)
                                                     : autotune__cc_find_in(tuning, values, &call);
    errno = error_number;
    return function;
}

/* Returns true if the statement belongs to a created tuner, and launches this configuration. */
static bool autotune__launches_with(const autotune__statement *statement, const autotune_config *config) {
    autotune__site *site = statement->subject.site;
    return !site->file && (config == &statement->result.config || config->names == autotune__tuner_at(site)->names);
}
/* Returns the values of the configuration that launch() received. The word after them leads to its kernels. *tuning:
   the statement of launch(), in which other statements may run. NULL on a hit: an entry has the configuration. */
static const uint64_t *autotune__values_of_launch(const autotune_config *config, autotune__tuning **tuning) {
    const size_t behind = offsetof(autotune__entry, result.config) - offsetof(autotune__entry, value);
    autotune__statement *statement = autotune__current;
    while (statement && !autotune__launches_with(statement, config)) statement = statement->outer;
    *tuning = statement ? &statement->head : NULL;
    return statement ? statement->subject.space->value
                     : (const uint64_t *)(const void *)((const char *)config - behind);
}
AUTOTUNE__API autotune__cc_function *autotune__cc_function_with(const autotune_config *config, const void *key,
                                                                autotune_cc_program *program, const char *name) {
    autotune__run run;
    memset(&run, 0, sizeof run);
    run.slot = autotune__values_of_launch(config, &run.tuning);
    return autotune__cc_function_of(&run, key, program, name);
}
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
