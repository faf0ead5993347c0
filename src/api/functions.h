/* Functions for every program: errors, the log, values of a configuration, the cache on disk. Any thread may call them,
   unless their comment says otherwise. Strings that they return belong to the library. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "options.h"

/* Returns AUTOTUNE_VERSION of the implementation. The implementation may be in a newer shared library. */
AUTOTUNE__API int autotune_version(void);
AUTOTUNE__API const char *autotune_status_text(autotune_status status);         /* never NULL */
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict);      /* as in the log; never NULL */
/* Returns the last error of this thread as a sentence, or "". The string is valid until the thread's next error. */
AUTOTUNE__API const char *autotune_last_error(void);
/* Sends the lines of the log to a function instead of stderr. NULL: to stderr again, with escaped control characters.
   Lines come from several threads, but one at a time. AUTOTUNE_LOG still selects the lines. More lines may come when
   the program ends: the function and the object behind `user` must live until another function, or NULL, is set. In C++
   the function may throw only if the implementation is compiled as C++, or with -fexceptions. */
AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user);
AUTOTUNE__API autotune_backend autotune_cpu(void);      /* a copy of the CPU backend, to be changed */

/* Return the value of an axis by its name. If there is no such axis, or its values have another type, the result is 0,
   NaN or NULL. The last error then says so. autotune_get_double() converts integers. */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name);    /* integers, enums, bools */
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name);
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name);
/* For values that are pointers to functions: cast the result to the function's type. */
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name);
/* Returns a value of any type as logs show it. */
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name);
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config);     /* config->index; 0 for NULL */

/* Add a part to a key whose parts are known only at run time. An empty key is all zero. An integer becomes an
   AUTOTUNE_I64, another number an AUTOTUNE_F64. A string may be NULL, and is compared by its content. It must live
   until the call with the key has returned. The call refuses a key of more than AUTOTUNE_MAX_KEY parts, and a key with
   a NaN. */
AUTOTUNE__API void autotune_key_add_int(autotune_key *key, int64_t value);
AUTOTUNE__API void autotune_key_add_double(autotune_key *key, double value);
AUTOTUNE__API void autotune_key_add_string(autotune_key *key, const char *value);

/* The cache on disk. Each measured winner is appended with its verdict to results.jsonl in the folder
   AUTOTUNE_CACHE_DIR, else $XDG_CACHE_HOME/autotune, else ~/.cache/autotune. Later runs of the program find the winner
   for the same tuner, key and device. The file is read once, at the first call that needs it. Its limit is 64 MiB, or
   AUTOTUNE_CACHE_MIB in the environment. A larger file shrinks to three quarters of the limit. First superseded records
   are removed. Then the oldest records lose their tables of configurations, and keep their winners. At last the oldest
   records are removed. docs/cache-format.md describes the file. */

/* Writes all results of this process to a file in the format of the cache: measured results, and results from disk. An
   existing file is replaced. AUTOTUNE_ERR_FILE: no file was written, for instance if `path` is a link or a pipe. */
AUTOTUNE__API autotune_status autotune_save(const char *path);
/* Loads the records of such a file into this process. If two records have the same key, the later date counts. Keys
   that this process already knows do not change. AUTOTUNE_ERR_FILE: the file cannot be read, or some of its lines are
   damaged, and only the other lines were loaded. */
AUTOTUNE__API autotune_status autotune_load(const char *path);
/* Like autotune_load(), from a text in memory, which is copied. */
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes);
enum { AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2 };
/* Forgets results. name: of all tuners with this name; NULL: of all tuners. key: of this key; NULL: of all keys. where:
   AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |. AUTOTUNE_MEMORY means the results that this process found or loaded;
   name#number selects a tuner, as in autotune_lookup(). AUTOTUNE_DISK means the records in the cache on disk, written
   by any program. Other processes keep their results. AUTOTUNE_ERR_ARGUMENT: `where` or `key` is wrong.
   AUTOTUNE_ERR_FILE: the file cannot be rewritten. AUTOTUNE_ERR_ENVIRONMENT: AUTOTUNE_CACHE in the environment forbids
   writing. Or the process has more rights than its user, and so no cache on disk. */
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where);

/* Frees all memory and files of the library: the results of this process, records that were loaded or read, open files.
   The cache on disk stays. It is for programs that are searched for leaks at their end. It is also for a shared library
   with its own copy of the implementation, before it is unloaded. Meanwhile no other thread may be in a statement or
   function of this library. Shared libraries whose statements used this implementation must still be loaded. Names,
   labels and strings in earlier results are invalid afterwards. Later statements start as in a new run of the program.
   Created tuners stay, and must still be destroyed. Kernels that autotune_cuda.h loaded are unloaded, unless the
   program has destroyed the CUDA context. The memory of autotune_cuda.h and autotune_opencl.h on devices is freed, with
   the same exception. Some hundred bytes stay for each program in source and each context. AUTOTUNE_ERR_ARGUMENT: it
   was called in the body of a statement, or while autotune_each() runs, and did nothing. In the body of a hit it frees
   all, and the rest of the body runs. */
AUTOTUNE__API autotune_status autotune_shutdown(void);

/* Returns the least power of base that is not less than x, but at least min, and at most max. base: at least 2; 0 and 1
   mean 2. min, max: 0 means no bound. A power that does not fit 64 bits is UINT64_MAX. */
AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max);

/* Gives the reason why the current launch of this thread fails, or a function of its backend. The arguments are those
   of printf. It is for backends, and for calls that return an autotune_status. The log and the errors then have the
   reason instead of the text of the status. The first reason of a launch is kept. If no statement is tuned in this
   thread, for instance on a hit, nothing happens. */
AUTOTUNE__COLD void autotune_explain(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Rejects the configuration: fails the innermost trial of this thread, and returns AUTOTUNE_REJECTED. In the block of a
   statement write `continue` after it. In the block of a hit there is no trial: autotune_last_error() has the reason,
   and the status does not change. */
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...)
    __attribute__((__format__(__printf__, 1, 2)));
#define AUTOTUNE_REJECT(...) autotune_reject(__VA_ARGS__)
