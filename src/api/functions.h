/* Functions. All may be called from any thread. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "options.h"

AUTOTUNE__API const char *autotune_status_text(autotune_status status);         /* never NULL */
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict);      /* never NULL; as the log says it */
/* of this thread, one sentence; "" when there was none. Valid until the next */
AUTOTUNE__API const char *autotune_last_error(void);
/* lines go to log instead of stderr; NULL: stderr again. On stderr control characters are escaped. AUTOTUNE_LOG still
   says which. Lines come from several threads, one at a time */
AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user);
AUTOTUNE__API autotune_backend autotune_cpu(void);      /* a copy of the CPU backend, to change */

/* Values of a configuration by the axis' name. A name that is not there, or a value of another kind, is 0, NaN or NULL,
   and sets the last error. Integers convert to double. */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name);    /* integers, enums, bools */
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name);
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name);
/* functions: cast it back */
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name);
/* any value, as logs show it */
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name);
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config);

/* The cache on disk. A winner that was measured, and is not UNRELIABLE, is appended to results.jsonl in the folder
   AUTOTUNE_CACHE_DIR, else $XDG_CACHE_HOME/autotune, else ~/.cache/autotune, and answers in later runs for the same
   tuner, key and device. The file is read once, at the first call that needs it. When it has more than 64 MiB, or than
   AUTOTUNE_CACHE_MIB in the environment says, superseded records are removed, and then the oldest, until three quarters
   of that are left. docs/cache-format.md describes it. Without jsmn all of these are AUTOTUNE_ERR_ENVIRONMENT. */

/* every result of this process that was measured or came from disk, as a cache file, which replaces the one that is
   there. AUTOTUNE_ERR_FILE: none was written */
AUTOTUNE__API autotune_status autotune_save(const char *path);
/* the records of a cache file answer from now on, in this process; of two for the same the later date counts. Keys that
   are already known stay as they are. AUTOTUNE_ERR_FILE: it cannot be read, or only what of it is sound was loaded */
AUTOTUNE__API autotune_status autotune_load(const char *path);
/* the same; its records answer on every device */
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path);
/* the same as autotune_load(), from memory; copied */
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes);
/* the same; on every device */
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes);
enum { AUTOTUNE_MEMORY = 1, AUTOTUNE_DISK = 2 };
/* Forgets results: of the tuners of one name, NULL for all; of one key, NULL for all. where: AUTOTUNE_MEMORY for those
   of this process and what was loaded, where name#number selects as in autotune_lookup(); AUTOTUNE_DISK for the cache
   on disk, of every program; or both with |. What other processes know they keep. AUTOTUNE_ERR_FILE: the file cannot be
   rewritten; AUTOTUNE_ERR_ENVIRONMENT: AUTOTUNE_CACHE forbids it; AUTOTUNE_ERR_ARGUMENT: where or key is wrong. */
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where);

/* Frees what the library holds: results of this process, what was loaded or read, open files. What is on disk stays.
   For programs that look for leaks at their end, and for a library with an implementation of its own before it is
   unloaded. No other thread may be in a statement or function of this library meanwhile, and libraries whose statements
   ran with this implementation must still be loaded. Names, labels and strings of results that were filled before are
   gone. Statements after it start anew, as in another run of the program; created tuners stay, and are still to be
   destroyed. What autotune_cuda.h compiled and loaded is not freed. AUTOTUNE_ERR_ARGUMENT: it was called in the body of
   a statement, and did nothing. */
AUTOTUNE__API autotune_status autotune_shutdown(void);

/* x bucketed upwards: the least power of base (at least 2; 0 and 1 mean 2) that is >= x, then clamped to [min, max], 0
   for no bound. Exact in integers; past the largest power that fits 64 bits the answer is UINT64_MAX. */
AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max);

/* What AUTOTUNE_REJECT calls: marks the innermost trial that runs in this thread; returns AUTOTUNE_REJECTED. */
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
