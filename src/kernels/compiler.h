/* The functions that a backend with a compiler gives to this floor. The floor compiles a program with the values of a
   configuration as definitions, and loads the machine code as a kernel. */
#pragma once
#include "../base/floor.h"
#include "site.h"
#include "digest.h"

/* The target into which kernels are loaded: a context of a device. It lives as long as the process. */
typedef struct autotune__target {
    struct autotune__compiler *compiler;
    const char *architecture;                   /* targets for which this is equal share their machine code */
    const struct autotune__target *other;       /* where the same code is loaded once more, for it may be faster or
                                                   slower there; NULL: nowhere */
} autotune__target;

/* An entry of the list in which a launch finds a kernel: the kernels that its configuration launches. */
typedef struct autotune__listed_kernel {
    autotune__listed_function function;         /* first: a call site reads it */
    const void *program;                        /* as the user named it */
    const char *name;
    struct autotune__kernel *kernel;
    struct autotune__listed_kernel *next;       /* that the same configuration launches */
    struct autotune__listed_kernel *made_before;        /* another one of the same kernel, which frees them */
} autotune__listed_kernel;

/* A kernel: a compilation that is loaded into a target. The backend's struct for it contains this one. */
typedef struct autotune__kernel {
    autotune__listed_kernel listed;             /* a hit reads it */
    const autotune__target *target;
    struct autotune__compilation *compilation;
    struct autotune__kernel *sibling;           /* of the same compilation, in another target */
    size_t users;                               /* sessions that try it */
    bool kept;                                  /* it was launched for real: entries may point to it */
} autotune__kernel;

/* The meaning of an option of a program for its compiler. */
typedef enum autotune__option_kind {
    AUTOTUNE__OPTION_OTHER,
    AUTOTUNE__OPTION_FOLDER,                    /* where included files are looked for */
    AUTOTUNE__OPTION_FILE                       /* to read or write a file, which cannot be seen here */
} autotune__option_kind;
typedef struct autotune__known_option {         /* behind one dash or more; its value may follow it at once */
    const char *name;
    autotune__option_kind kind;
} autotune__known_option;

/* When a compiler may give up. */
typedef struct autotune__compile_limits {
    bool *unwanted;                             /* once this is true; NULL: what it makes is needed */
    double seconds;                             /* after so long it is told that it failed */
} autotune__compile_limits;
static bool autotune__program_ends;             /* exit() was called: what is compiled ahead is unwanted */
static AUTOTUNE__UNUSED bool autotune__is_unwanted(const autotune__compile_limits *limits) {
    return limits->unwanted && (__atomic_load_n(limits->unwanted, __ATOMIC_RELAXED) ||
                                __atomic_load_n(&autotune__program_ends, __ATOMIC_RELAXED));
}

/* A compiler, as a backend has it. One for each backend; it lives as long as the process. Its functions are called in
   any thread; identify, add_options and compile without the lock, the others with autotune__kernels_lock. */
typedef struct autotune__compiler {
    const char *folder, *suffix;                /* of machine code on disk: "cubins", "cubin" */
    const char *version;                        /* in words, which compiler it is; where that changes, a winner of
                                                   before is tuned again. NULL: each compilation says it */
    bool divides;                               /* blanks divide options that stand in one string */
    bool outlives_session;                      /* compile() needs no context, and may return long after it is unwanted:
                                                   the end of a session does not wait for it */
    const autotune__known_option *options;      /* all that tell something, up to one without a name, which stands for
                                                   all others and for words without a dash. If two begin alike, the
                                                   longer one comes first */
    const char *const *variables;               /* of the environment, up to NULL: these decide machine code, too, and
                                                   name folders where included files are looked for. NULL: there are
                                                   none */
    /* Names the file that says the version of the toolkit whose headers the folder has: that version stands for them.
       "": the folder has some that are of no toolkit. NULL: it has none; or, in the place of the function, no toolkit
       is known. */
    const char *(*version_file)(const char *folder);
    /* Adds to the digest what decides machine code besides source, options, architecture and the kernel's name: the
       compiler's version, say. NULL: nothing does. */
    void (*identify)(autotune__digest *digest);
    /* Appends the options, each with its zero, that stand before the program's own. NULL: there are none. */
    void (*add_options)(autotune__text *options, const struct autotune__program *program,
                        const autotune__target *target);
    /* Compiles: sets .progress, and with it .image, .image_bytes and .symbol, or .reason. Takes from milliseconds to
       seconds. A compilation that is given up keeps .progress at WAITING. */
    void (*compile)(struct autotune__compilation *compilation, const autotune__target *target,
                    const autotune__compile_limits *limits);
    /* Machine code was read from disk. Returns true if it holds here and now, by its symbol. NULL: it does, and code is
       not kept where the scan of its includes is blind. */
    bool (*still_holds)(struct autotune__compilation *compilation);
    /* Loads the machine code. NULL: it cannot be, the trial was told why, and error is the backend's number for it. */
    autotune__kernel *(*load)(const autotune__target *target, const struct autotune__compilation *compilation,
                              int *error);
    /* Frees the kernel, and unloads it if its context still works. */
    void (*unload)(autotune__kernel *kernel);
    /* The function of this name in a kernel that has several. NULL: it has none, or kernels are no functions of this
       process. */
    void (*(*function_of)(const autotune__kernel *kernel, const char *name))(void);
    double kept_bytes;                          /* of machine code on disk; 0 before they are counted. With
                                                   autotune__cache_lock */
} autotune__compiler;

typedef struct autotune__compilation autotune__compilation;
/* A program: source, as the user named it. It lives as long as the process, and what it points to as
   long as the process launches it. */
typedef struct autotune__program {
    autotune__compiler *compiler;
    autotune_program_source *declared;          /* the user's own, which names it in launches */
    char *file_text;                            /* the source, if it is in a file; NULL before that was read */
    autotune__text options;                     /* each with its zero */
    struct autotune__scan *scan;                /* of its source; NULL before that was read */
    autotune__map *mentions;                    /* where names of definitions stand in it, as far as that was asked */
    autotune__map *compilations;
    struct autotune__program *next;             /* in the list of all */
} autotune__program;
static const char *autotune__source_of(const autotune__program *program) {         /* NULL: the file was not read */
    return program->declared->text ? program->declared->text : program->file_text;
}
/* Goes through the options of a text. */
#define AUTOTUNE__EACH_OPTION(option, of) \
    for ((option) = (of)->at; (option) && (option) < (of)->at + autotune__count((of)->at); \
         (option) += strlen(option) + 1)
/* Returns what an option of a text tells its compiler. *value: the folder, which stands behind its name or is the next
   option; NULL: the option names none. */
static autotune__option_kind autotune__read_option(const autotune__compiler *compiler, const char *option,
                                                   const char **value) {
    const size_t dashes = strspn(option, "-");
    const autotune__known_option *known = compiler->options;
    *value = NULL;
    if (*option == '@') return AUTOTUNE__OPTION_FILE;           /* which has more options */
    while (known->name && (!dashes || strncmp(option + dashes, known->name, strlen(known->name)))) known++;
    if (known->kind != AUTOTUNE__OPTION_FOLDER) return known->kind;
    *value = option + dashes + strlen(known->name);
    *value += strspn(*value, "= \t");
    if (!**value) *value = option + strlen(option) + 1;         /* or "", at the end */
    return known->kind;
}

typedef enum autotune__code_progress {
    AUTOTUNE__CODE_WAITING, AUTOTUNE__CODE_IN_WORK,
    AUTOTUNE__CODE_MADE, AUTOTUNE__CODE_REFUSED         /* from here on nobody compiles it */
} autotune__code_progress;
/* A compilation: a program with the values of a configuration as definitions, for one kernel of it. */
struct autotune__compilation {
    autotune__program *program;
    autotune__text definitions;                 /* options, each with its zero */
    autotune__text options;                     /* of its compiler, likewise, the definitions last; made when it is
                                                   compiled or read from disk */
    char *name;                                 /* of the kernel, as written: its own, for an axis' strings end with the
                                                   statement */
    const char *instance;                       /* the same, with values of axes in it: what is asked for */
    autotune__code_progress progress;
    char *image;                                /* machine code, and what symbol points to */
    size_t image_bytes;                         /* of the machine code */
    const char *symbol;                         /* what load() and still_holds() want to know of it: the kernel's name
                                                   in it, or the folders where it found headers */
    size_t shared_bytes;                        /* so much of the program's text does not depend on the definitions: its
                                                   headers; 0: nothing */
    char version[64];                           /* which compiler made it, where the backend's has no version */
    char *reason;                               /* why it is refused; NULL: there was no memory, and it may be tried
                                                   again */
    bool no_compiler;                           /* it is refused because no compiler works here */
    bool queued;                                /* some race's workers will come to it */
    bool unsettled;                             /* what it depends on may change unnoticed: it is not kept on disk */
    autotune__kernel *kernels;                  /* loaded from it: one for each target */
};
