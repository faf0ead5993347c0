/* The functions that a backend provides for its compiler, and the structs of this floor. The floor compiles a program
   with the values of a configuration as definitions. It loads the machine code as a kernel. */
#pragma once
#include "../base/floor.h"
#include "site.h"
#include "digest.h"

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
