/* Functions for every program: errors, the log, values of a configuration, the cache on disk. Any thread may call them,
   unless their comment says otherwise. Strings that they return belong to the library. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "options.h"

/* AUTOTUNE_VERSION of the implementation, which may stand in a shared library that is newer than the program. */
AUTOTUNE__API int autotune_version(void);
AUTOTUNE__API const char *autotune_status_text(autotune_status status);         /* never NULL */
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict);      /* as in the log; never NULL */
/* The last error of this thread as one sentence, or "". The string is valid until the thread's next error. */
AUTOTUNE__API const char *autotune_last_error(void);
/* Sends the lines of the log to a function, and not to stderr; NULL: to stderr again, where control characters are
   escaped. Lines come from several threads, but one at a time. AUTOTUNE_LOG still chooses which lines there are. When
   the program ends, there may be more lines: the function and what `user` points to must live until another function,
   or NULL, is set. In C++ the function may throw only if the implementation is compiled as C++, or with
   -fexceptions. */
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

/* Adds a part to a key whose parts are known at run time only. A key begins empty, which is all zero. Integers become
   an AUTOTUNE_I64, other numbers an AUTOTUNE_F64. A string, which may be NULL, is compared by its content, and must
   live until the call that gets the key has returned. The call refuses a key of more than AUTOTUNE_MAX_KEY parts, and a
   key with a NaN. */
AUTOTUNE__API void autotune_key_add_int(autotune_key *key, int64_t value);
AUTOTUNE__API void autotune_key_add_double(autotune_key *key, double value);
AUTOTUNE__API void autotune_key_add_string(autotune_key *key, const char *value);

/* The cache on disk. Every winner that was measured is appended to results.jsonl in the folder AUTOTUNE_CACHE_DIR, else
   $XDG_CACHE_HOME/autotune, else ~/.cache/autotune, with its verdict. In later runs of the program it answers for the
   same tuner, key and device. The file is read once, at the first call that needs it. When it has more than 64 MiB, or
   than AUTOTUNE_CACHE_MIB in the environment says, it shrinks to three quarters of that size. Superseded records are
   removed first. Then the oldest records lose their tables of configurations, and keep their winners. At last the
   oldest records are removed. docs/cache-format.md describes the file. */

/* Writes every result of this process that was measured or came from disk to a file in the format of the cache. The
   file replaces the one that is there. AUTOTUNE_ERR_FILE: no file was written, as where a link or a pipe is there. */
AUTOTUNE__API autotune_status autotune_save(const char *path);
/* Lets the records of such a file answer in this process. If two records are for the same key, the later date counts.
   Keys that this process already knows stay as they are. AUTOTUNE_ERR_FILE: the file cannot be read, or some of its
   lines are damaged and only the others were loaded. */
AUTOTUNE__API autotune_status autotune_load(const char *path);
/* As autotune_load(), from a text in memory, which is copied. */
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes);
enum { AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2 };
/* Forgets results: of all tuners with this name, or of all tuners if name is NULL; of this key, or of all keys if key
   is NULL. `where` is AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |. AUTOTUNE_MEMORY means the results of this process
   and those that it loaded; name#number selects a tuner there as in autotune_lookup(). AUTOTUNE_DISK means the cache on
   disk, whichever program wrote there. Other processes keep what they know. AUTOTUNE_ERR_ARGUMENT: where or key is
   wrong. AUTOTUNE_ERR_FILE: the file cannot be rewritten. AUTOTUNE_ERR_ENVIRONMENT: AUTOTUNE_CACHE in the environment
   forbids to write, or the process has more rights than its user, and no cache on disk. */
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where);

/* Frees all that the library holds: the results of this process, records that were loaded or read, open files. The
   cache on disk stays. This function is for programs that are searched for leaks at their end, and for a shared library
   with its own copy of the implementation, before it is unloaded. While it runs, no other thread may be in a statement
   or function of this library, and shared libraries whose statements used this implementation must still be loaded.
   Names, labels and strings in results from before are invalid afterwards. Later statements start as in a new run of
   the program. Created tuners stay, and must still be destroyed. Kernels that autotune_cuda.h compiled and loaded are
   unloaded, unless the program has destroyed the CUDA context. The memory of autotune_cuda.h and autotune_opencl.h on
   devices is freed, with the same exception. Some hundred bytes for each program in source and each context stay.
   AUTOTUNE_ERR_ARGUMENT: it was called in the body of a statement, or while autotune_each() runs, and did nothing. A
   statement whose winner is known cannot be seen by it: there it frees all, and what remains of the body runs. */
AUTOTUNE__API autotune_status autotune_shutdown(void);

/* The least power of base that is not less than x, but at least min, and at most max. base is at least 2; 0 and 1 mean
   2. min and max of 0 mean no bound. A power that does not fit 64 bits is UINT64_MAX. */
AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max);

/* Gives the reason, in the format of printf, why the current launch of this thread fails, or why its backend cannot do
   what it is asked. It is for backends, and for calls that return an autotune_status: the log and the errors then have
   the reason instead of the text of the status. The first reason of a launch is kept. If no statement is tuned in this
   thread, as on a hit, nothing happens. */
AUTOTUNE__COLD void autotune_explain(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Says that the configuration does not work here: fails the innermost trial that runs in this thread, and returns
   AUTOTUNE_REJECTED. In the block of a statement write `continue` after it. In the block of a hit there is no trial:
   the reason is in autotune_last_error(), and the status stays as it is. */
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...)
    __attribute__((__format__(__printf__, 1, 2)));
#define AUTOTUNE_REJECT(...) autotune_reject(__VA_ARGS__)
