/* The code of a hit, and the functions that the macros of a call site call. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../api/ranks.h"

/* A word that one thread may read while another thread writes it. On 32-bit x86 a uint64_t is aligned to 4 bytes only,
   and may lie in two cache lines. Then no instruction reads it atomically, and clang calls libatomic, which takes a
   lock. So the alignment is 8 here. */
typedef uint64_t autotune__shared_word __attribute__((__aligned__(8)));

/* The backend and the ranks of a statement. Statements share a winner only if both are equal. The struct is passed by
   value, so that both members are in registers. */
typedef struct autotune__scope {
    autotune_backend *backend;                  /* the option .backend of the statement */
    const autotune_ranks *ranks;                /* the option .ranks of the statement */
} autotune__scope;
#define AUTOTUNE__SCOPE_OF(options) AUTOTUNE__STRUCT(autotune__scope, (options).backend, (options).ranks)

/* The data of a winner that a hit needs. Readers take no lock, because no entry is freed before autotune_shutdown(),
   and a published entry does not change. There are two exceptions:
   - `shape` becomes 0 to retire the entry;
   - `result`, with its `edition`, changes when the same configuration wins again. */
typedef struct autotune__entry {
    autotune__shared_word shape;                /* autotune__shape() of the statement; 0: retired, matches none */
    autotune__scope scope;
    uint64_t word[AUTOTUNE_MAX_KEY];            /* the parts of the key; a string points to the known key's copy */
    /* The winner's values of the axes. The last word is *prepared of the backend's prepare(). */
    autotune__shared_word value[AUTOTUNE_MAX_AXES + 1];
    uint64_t hash;                              /* of key, .name and .version */
    const char *name, *version;                 /* .name and .version of the tuner; "" for no version */
    struct autotune__known_key *known_key;      /* the registry's data of the key */
    struct autotune__entry *next_made;          /* the next in the list of all entries */
    struct autotune__entry *next_of_key;        /* the next in the list of the entries of the key */
    bool forced;                                /* tuned in mode FORCE */
    uint32_t edition;                           /* counts changes of `result`; odd: a thread writes it */
    autotune_result result;                     /* what .result gets on a hit */
} autotune__entry;

/* One call site, or one created tuner. A hit only reads it; the functions for a miss write to it. */
typedef struct autotune__site {
    /* file, function: __FILE__ and __func__; created tuner: NULL and the name of the tuner. text: the arguments of the
       statement as written. build: see build.h. */
    const char *file, *function, *text, *build;
    /* The line of the source. It tells two AUTOTUNE_BLOCKs of one function apart, in this process only. Created tuner:
       1 if the tuner has filters, else 0. */
    int line;
    autotune__entry *last;                      /* the entry published last; at first AUTOTUNE__NO_ENTRY */
    struct autotune__entries *table;            /* all entries of the site */
    uint32_t reported;                          /* bit n: an error of status n was logged, and is not repeated */
    struct autotune__site *next_known;          /* the next in the list of all sites that have entries */
    struct autotune__entries *stand_ins;        /* entries for keys that have no winner */
} autotune__site;

/* The phase of a statement on a miss: what this iteration of its loop does. statement/phase.h sets the phase. */
typedef enum autotune__phase {
    AUTOTUNE__DESCRIBING,                       /* the call site describes the axes */
    /* Phases that judge a point and launch nothing. */
    AUTOTUNE__JUDGING,                          /* a point for the race */
    AUTOTUNE__SEEKING,                          /* a point that may be the first configuration */
    AUTOTUNE__RECALLING,                        /* a candidate that the cache on disk names */
    AUTOTUNE__LISTING,                          /* a point for an online race */
    AUTOTUNE__TRYING,                           /* the iteration launches a trial */
    /* Phases that make the call for real. */
    AUTOTUNE__CALLING_FIRST,                    /* with the first configuration, untuned */
    AUTOTUNE__CALLING_CANDIDATE,                /* with a candidate that the cache on disk names */
    AUTOTUNE__CALLING_WINNER,                   /* with the winner */
    AUTOTUNE__CALLING_ON_PROBATION,             /* with the winner, timed: see statement/probation.h */
    AUTOTUNE__CALLING_MEASURED,                 /* with a configuration that an online race chooses */
    AUTOTUNE__ENDED                             /* the statement is over, and its loop ends */
} autotune__phase;
/* The part of a statement on a miss that the loops of the call site see. It is the first member of the statement's
   autotune__statement. refused: see autotune__run. */
typedef struct autotune__tuning { autotune__phase phase; bool refused; } autotune__tuning;

/* One execution of a statement, in its call site. Only inline functions get the address of this struct, so that the
   compiler keeps its members in registers. */
typedef struct autotune__run {
    autotune__site *site;
    autotune_result *result;
    const uint64_t *slot;                       /* the values of the axes for this iteration; NULL: the loop ends */
    autotune__tuning *tuning;                   /* NULL: a hit */
    bool done;                                  /* the body ran to its end */
    bool refused;                               /* WHERE or the call refused the winner: see AUTOTUNE__PASS */
    unsigned rejections;                        /* autotune__rejections() before a call with AUTOTUNE_REJECT */
} autotune__run;
/* The members of a run that are set at the beginning of a miss. */
typedef struct autotune__start { const uint64_t *slot; autotune__tuning *tuning; } autotune__start;

/* An entry of zeros, which matches no key. Every call site refers to it, and its name contains the version. If the
   implementation is missing, or has another version, the error of the linker or the loader shows this name. */
#define AUTOTUNE__OF_VERSION_(major, minor) \
    autotune__define_AUTOTUNE_IMPLEMENTATION_in_one_file_of_version_##major##_##minor
#define AUTOTUNE__OF_VERSION(major, minor) AUTOTUNE__OF_VERSION_(major, minor)
#define AUTOTUNE__NO_ENTRY AUTOTUNE__OF_VERSION(AUTOTUNE_VERSION_MAJOR, AUTOTUNE_VERSION_MINOR)
AUTOTUNE__API autotune__entry AUTOTUNE__NO_ENTRY;
AUTOTUNE__API const uint64_t *autotune__find(const autotune__site *site, const autotune_key *key,
                                             const autotune_backend *backend);
AUTOTUNE__API const uint64_t *autotune__find_two(const autotune__site *site, const autotune_backend *backend,
                                                 uint64_t shape, uint64_t first, uint64_t second);
AUTOTUNE__API const uint64_t *autotune__find_three(const autotune__site *site, const autotune_backend *backend,
                                                   uint64_t shape, uint64_t first, uint64_t second, uint64_t third);
AUTOTUNE__API const uint64_t *autotune__find_any(const autotune__site *site, const autotune_key *key,
                                                 autotune__scope scope, const char *name, const char *version);
AUTOTUNE__API bool autotune__is_watched(unsigned watch);
AUTOTUNE__API void autotune__answer_hit(const uint64_t *slot, autotune_result *result);
AUTOTUNE__COLD autotune__start autotune__begin(autotune__site *site, const autotune_options *options);
AUTOTUNE__COLD autotune__start autotune__begin_again(autotune__site *site, const autotune_options *options);
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done);
AUTOTUNE__COLD void autotune__abandon(autotune__tuning *tuning);
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status);
AUTOTUNE__COLD bool autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why);
AUTOTUNE__COLD void autotune__own_launch_failed(autotune__tuning *tuning, const autotune__site *site,
                                                const uint64_t *slot, autotune_result *result, int status);
AUTOTUNE__COLD bool autotune__report_refused(autotune__site *site);
AUTOTUNE__COLD unsigned autotune__rejections(void);
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void);
/* type: an autotune_type. Call sites pass an enumerator of their own enum. */
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
AUTOTUNE__COLD void autotune__admit(autotune__tuning *);
AUTOTUNE__COLD void autotune__refuse_point(autotune__tuning *, const char *by);

/* Makes one word of the number of parts of a key, their types, and whether the statement has .name and .version. The
   word is never 0. It distinguishes most entries without a comparison of strings. A key of more than AUTOTUNE_MAX_KEY
   parts counts as 15 parts, which no entry has. */
AUTOTUNE__INLINE uint64_t autotune__shape(uint32_t count, uint32_t types, const char *name, const char *version) {
    return AUTOTUNE__AS(uint64_t, types) << 32 | (count <= AUTOTUNE_MAX_KEY ? count + 1u : 15u) | (name ? 16u : 0u) |
           (version ? 32u : 0u);
}
/* True if one of eight 4-bit numbers is 0. The subtraction sets the highest bit of the lowest number that is 0. */
#define AUTOTUNE__HAS_ZERO_PART(types) ((((types) - 0x11111111u) & ~(types) & 0x88888888u) != 0)
AUTOTUNE__INLINE bool autotune__has_string(uint32_t types) {
    return AUTOTUNE__HAS_ZERO_PART(types ^ 0x11111111u * AUTOTUNE_STRING);
}
/* Looks for the entry of a call. Returns a run whose slot is NULL on a miss.
   - The options are passed by value: if their address were passed, every hit would fill the whole structure.
   - The parts of the key are passed one by one, so that the compiler knows which parts are constant.
   - A function that is not inlined compares strings. It always compares .name and .version, since several names may
     share one site. The compiler may inline the function around the statement several times, each with another
     name. */
AUTOTUNE__INLINE autotune__run autotune__hit(autotune__site *site, autotune_mode mode, autotune_result *result,
                                             autotune__scope scope, const char *name, const char *version,
                                             unsigned watch, uint32_t count, uint32_t types, uint64_t w0, uint64_t w1,
                                             uint64_t w2, uint64_t w3, uint64_t w4, uint64_t w5, uint64_t w6,
                                             uint64_t w7) {
    autotune__run run = { site, result, AUTOTUNE__NULL, AUTOTUNE__NULL, false, false, 0 };
    if (AUTOTUNE__AS(unsigned, mode) > AUTOTUNE_ONLINE) return run;     /* constant if the statement has no .mode */
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
    /* Each of these conditions is constant if the statement lacks the option. */
    if (scope.ranks || name || version || autotune__has_string(types)) {
        const autotune_key key = { count, types, { w0, w1, w2, w3, w4, w5, w6, w7 }, AUTOTUNE__NULL };
        run.slot = autotune__find_any(site, &key, scope, name, version);
    } else if (AUTOTUNE__LIKELY(different == 0 && entry->scope.backend == scope.backend)) {
        run.slot = entry->value;
    } else if (count <= 2) {                                /* the parts are passed in registers: no key is stored */
        run.slot = autotune__find_two(site, scope.backend, shape, count > 0 ? w0 : 0, count > 1 ? w1 : 0);
    } else if (count == 3) {
        run.slot = autotune__find_three(site, scope.backend, shape, w0, w1, w2);
    } else {
        const autotune_key key = { count, types, { w0, w1, w2, w3, w4, w5, w6, w7 }, AUTOTUNE__NULL };
        run.slot = autotune__find(site, &key, scope.backend);
    }
    if (watch && run.slot && autotune__is_watched(watch)) run.slot = AUTOTUNE__NULL;
    if (result && run.slot) autotune__answer_hit(run.slot, result);
    return run;
}
#define AUTOTUNE__HIT_WITH(options) autotune__hit(&autotune__s, options.mode, options.result, \
    AUTOTUNE__SCOPE_OF(options), options.name, options.version, options.watch, options.key.count, options.key.types, \
    options.key.word[0], options.key.word[1], options.key.word[2], options.key.word[3], \
    options.key.word[4], options.key.word[5], options.key.word[6], options.key.word[7])
/* Returns true if the iteration judges a point, and launches nothing. */
AUTOTUNE__INLINE bool autotune__judges(const autotune__tuning *tuning) { return tuning->phase < AUTOTUNE__TRYING; }
/* Returns true if the call launches a winner that WHERE has not judged in this statement. */
AUTOTUNE__INLINE bool autotune__is_unjudged(const autotune__tuning *tuning) {
    return !tuning || tuning->phase == AUTOTUNE__CALLING_WINNER || tuning->phase == AUTOTUNE__CALLING_ON_PROBATION;
}
AUTOTUNE__INLINE void autotune__started(autotune__run *run, autotune__start start) {
    run->slot = start.slot;
    run->tuning = start.tuning;
}
AUTOTUNE__INLINE const uint64_t *autotune__go_on(autotune__run *run) {
    const bool done = run->done;
    if (AUTOTUNE__LIKELY(!run->tuning)) return AUTOTUNE__NULL;
    run->done = false;
    return autotune__next(run->tuning, done);
}
AUTOTUNE__INLINE bool autotune__is_refused(const autotune__run *run) {
    return run->refused || (run->tuning && run->tuning->refused);
}
AUTOTUNE__INLINE void autotune__leave(autotune__run *run) {
    if (!AUTOTUNE__LIKELY(!run->tuning)) autotune__abandon(run->tuning);
}
AUTOTUNE__INLINE void autotune__take_status(autotune__run *run, int status) {
    if (AUTOTUNE__LIKELY(status == AUTOTUNE_OK)) return;
    if (run->tuning) autotune__trial_failed(run->tuning, status);
    else run->refused = autotune__hit_failed(run->site, run->slot, run->result, status, AUTOTUNE__NULL);
}
/* Takes the status of a launch that the library makes, such as CUDA_LAUNCH. So a failure also counts in a block, which
   has no value. */
AUTOTUNE__INLINE autotune_status autotune__launched(const autotune__run *run, autotune_status status) {
    if (!AUTOTUNE__LIKELY(status == AUTOTUNE_OK))
        autotune__own_launch_failed(run->tuning, run->site, run->slot, run->result, AUTOTUNE__AS(int, status));
    return status;
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
