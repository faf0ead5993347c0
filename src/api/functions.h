/* Functions for every program: errors, the log, values of a configuration, the cache on disk. Any thread may call them,
   unless their comment says otherwise. Strings that they return belong to the library. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "options.h"

/* Returns AUTOTUNE_VERSION of the implementation, which may be in a newer shared library. */
AUTOTUNE__API int autotune_version(void);
AUTOTUNE__API const char *autotune_status_text(autotune_status status);         /* never NULL */
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict);      /* as in the log; never NULL */
/* Returns the last error of this thread as a sentence, or "". The string is valid until the thread's next error. */
AUTOTUNE__API const char *autotune_last_error(void);
/* Sends the lines of the log to a function instead of stderr. NULL: to stderr again, where control characters are
   escaped. Several threads send lines, but one at a time. AUTOTUNE_LOG still selects the lines. Lines may come until
   the program ends. So the function, and the object to which `user` points, must live until another function, or NULL,
   is set. In C++ the function may throw only if the implementation is compiled as C++, or with -fexceptions. */
AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user);
AUTOTUNE__API autotune_backend autotune_cpu(void);      /* returns a copy of the CPU backend: see autotune_backend */

/* These functions return the value of an axis by the name of the axis. If there is no such axis, or its values have
   another type, the result is 0, NaN or NULL, and autotune_last_error() says so. autotune_get_double() converts
   integers. */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name);    /* integers, enums, bools */
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name);
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name);
/* For values that are pointers to functions: cast the result to the function's type. */
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name);
/* Returns a value of any type as logs show it. */
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name);
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config);     /* config->index; 0 for NULL */

/* These functions add a part to a key whose parts are known only at run time. In an empty key all members are 0. The
   part has the type AUTOTUNE_I64, AUTOTUNE_F64 or AUTOTUNE_STRING. A string may be NULL. It is compared by its content,
   and must live until the call with the key has returned. The call refuses a key of more than AUTOTUNE_MAX_KEY parts,
   and a key with a NaN. */
AUTOTUNE__API void autotune_key_add_int(autotune_key *key, int64_t value);
AUTOTUNE__API void autotune_key_add_double(autotune_key *key, double value);
AUTOTUNE__API void autotune_key_add_string(autotune_key *key, const char *value);

/* The cache on disk is the file results.jsonl. It stands in the folder that AUTOTUNE_CACHE_DIR in the environment
   names, else in $XDG_CACHE_HOME/autotune, else in ~/.cache/autotune. Each measured winner is appended to the file as a
   record, with its verdict. Later runs of the program find the winner for the same tuner, key and device. A process
   reads the file once, at the first call that needs it. docs/cache-format.md describes the file.

   The limit of the file is 64 MiB, or AUTOTUNE_CACHE_MIB in the environment. A larger file shrinks to three quarters of
   the limit, in this order:
   - Records that a later record of the same key replaces are removed.
   - The oldest records lose their tables of configurations, but keep their winners.
   - The oldest records are removed. */

/* Writes all results of this process, measured or read from disk, to a file in the format of the cache. An existing
   file is replaced. AUTOTUNE_ERR_FILE: no file was written, for instance because `path` is a link or a pipe. */
AUTOTUNE__API autotune_status autotune_save(const char *path);
/* Loads the records of a file in the format of the cache into this process. If two records have the same key, the later
   date counts. Keys that this process already knows do not change. AUTOTUNE_ERR_FILE: the file cannot be read. Or some
   of its lines are damaged, and all other lines were loaded. */
AUTOTUNE__API autotune_status autotune_load(const char *path);
/* Like autotune_load(), but reads a text in memory, which the library copies. */
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes);
/* The places of results:
   - AUTOTUNE_MEMORY: the memory of this process, with the results that it found or loaded.
   - AUTOTUNE_DISK: the cache on disk, with the records of all programs. */
enum { AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2 };
/* Forgets results. Other processes keep their results.
   - name: the results of all tuners with this name; NULL: of all tuners. A name such as "name#2" selects one of these
     tuners, as in autotune_lookup(), but only in AUTOTUNE_MEMORY.
   - key: the results of this key; NULL: of all keys.
   - where: AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |.
   Returns one of these errors:
   - AUTOTUNE_ERR_ARGUMENT: `where` or `key` is wrong.
   - AUTOTUNE_ERR_FILE: the file cannot be rewritten.
   - AUTOTUNE_ERR_MEMORY: there is no memory, so some results are not forgotten.
   - AUTOTUNE_ERR_ENVIRONMENT: AUTOTUNE_CACHE in the environment forbids writing. Or the process has more rights than
     its user, and so has no cache on disk. */
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where);

/* Frees all memory and files of the library: the results of this process, records that were loaded or read, open files.
   The cache on disk stays. A program calls this function before its end, if a tool checks it for leaks. A shared
   library with its own copy of the implementation calls it before it is unloaded.
   - During the call no other thread may be in a statement or function of this library. Shared libraries whose
     statements used this implementation must still be loaded.
   - After the call names, labels and strings in earlier results are invalid. Later statements start as in a new run of
     the program. Created tuners stay, and must still be destroyed.
   - Kernels that autotune_cuda.h loaded are unloaded, and memory of autotune_cuda.h and autotune_opencl.h on devices is
     freed. In a context that the program has destroyed, neither is done. For each context, and for each kernel
     program with source, a few hundred bytes of memory are not freed.
   - In the body of a hit the call frees all memory and files, too, and the rest of the body runs.
   AUTOTUNE_ERR_ARGUMENT: the function did nothing, because it was called while a race or autotune_each() runs, or in
   the body of a statement that is no hit. */
AUTOTUNE__API autotune_status autotune_shutdown(void);

/* Returns the least power of `base` that is not less than x, raised to `min` or lowered to `max`. A base of 0 or 1
   means 2. min, max: 0 means no bound. If the power does not fit 64 bits, it counts as UINT64_MAX. */
AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max);

/* Gives the reason for the failure of the current launch of this thread, or of a function of its backend. A backend, or
   a call that returns an autotune_status, calls this function before it returns an error. The arguments are those of
   printf. The log and autotune_last_error() then show this reason instead of the text of the status. If one launch has
   several reasons, the first is kept. Outside of statements the function does nothing. In a hit it does something only
   if the library makes the launch, as with CUDA_LAUNCH. */
AUTOTUNE__COLD void autotune_explain(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Rejects the configuration: fails the innermost trial of this thread, and returns AUTOTUNE_REJECTED. The arguments are
   those of printf, and give the reason. In the block of an AUTOTUNE_BLOCK write `continue` after the call. If the block
   runs for a hit, there is no trial: autotune_last_error() has the reason, and the status of the statement does not
   change. */
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...)
    __attribute__((__format__(__printf__, 1, 2)));
#define AUTOTUNE_REJECT(...) autotune_reject(__VA_ARGS__)
