/* support.c - C functions for plain_fortran.f90: a clock that only its kernels move, and the offsets of the members of
   structs in autotune.h. */
#include "autotune.h"

void test_spend(double ns);
autotune_backend *test_backend(void);
const size_t *test_offsets(int which, size_t *count);
const int *test_constants(size_t *count);

static uint64_t virtual_time;
static uint64_t virtual_now(autotune_backend *self) {
    (void)self;
    return virtual_time;
}
void test_spend(double ns) { virtual_time += (uint64_t)ns; }
autotune_backend *test_backend(void) {
    static autotune_backend backend;
    backend = autotune_cpu();
    backend.now = virtual_now;
    return &backend;
}

/* The size of each struct, and where its members begin, in their order. */
#define AT(member) offsetof(STRUCT, member)
const size_t *test_offsets(int which, size_t *count) {
#define STRUCT autotune_key
    static const size_t key[] = {sizeof(STRUCT), AT(count), AT(types), AT(word), AT(text)};
#undef STRUCT
#define STRUCT autotune_buffer
    static const size_t buffer[] = {sizeof(STRUCT), AT(memory), AT(bytes), AT(type), AT(tolerance)};
#undef STRUCT
#define STRUCT autotune_buffers
    static const size_t buffers[] = {sizeof(STRUCT), AT(at), AT(count)};
#undef STRUCT
#define STRUCT autotune_config
    static const size_t config[] = {sizeof(STRUCT), AT(index), AT(count), AT(names), AT(labels), AT(types), AT(values)};
#undef STRUCT
#define STRUCT autotune_result
    static const size_t result[] = {sizeof(STRUCT), AT(status), AT(verdict), AT(cache_hit), AT(index), AT(median_ns),
        AT(min_ns), AT(runner_up_ns), AT(default_ns), AT(slowest_ns), AT(lead), AT(lead_low), AT(lead_high), AT(doubt),
        AT(note), AT(space_size), AT(refused), AT(tried), AT(failed), AT(launches), AT(seconds), AT(loss_seconds),
        AT(guessed_from), AT(in_use_ns), AT(config)};
#undef STRUCT
#define STRUCT autotune_options
    static const size_t options[] = {sizeof(STRUCT), AT(autotune__first), AT(autotune__second), AT(key), AT(name),
        AT(version), AT(mode), AT(preset), AT(strategy), AT(cache_state), AT(launch_timeout), AT(compile_threads),
        AT(compile_timeout), AT(max_seconds), AT(max_loss), AT(work), AT(watch), AT(margin), AT(max_trials), AT(top_k),
        AT(seed), AT(stop_at_ns), AT(restore), AT(zero), AT(outputs), AT(setup), AT(verify), AT(user), AT(backend),
        AT(ranks), AT(agree), AT(first_rank), AT(cache), AT(unseen), AT(isolate), AT(result), AT(autotune__place)};
#undef STRUCT
#define STRUCT autotune_axis
    static const size_t axis[] = {sizeof(STRUCT), AT(name), AT(values), AT(count), AT(type), AT(labels), AT(where)};
#undef STRUCT
#define STRUCT autotune_desc
    static const size_t desc[] = {sizeof(STRUCT), AT(name), AT(axes), AT(axis_count), AT(configs), AT(config_count),
        AT(where), AT(model), AT(priority), AT(launch), AT(user)};
#undef STRUCT
#define STRUCT autotune_step
    static const size_t step[] = {sizeof(STRUCT), AT(config), AT(ticket), AT(key)};
#undef STRUCT
#define LIST(name) {name, sizeof name / sizeof *name}
    static const struct { const size_t *at; size_t count; } all[] = {LIST(key), LIST(buffer), LIST(buffers),
        LIST(config), LIST(result), LIST(options), LIST(axis), LIST(desc), LIST(step)};
    *count = all[which].count;
    return all[which].at;
}

/* A new status comes behind the last one that Fortran knows. */
const int *test_constants(size_t *count) {
    static const int all[] = {
        AUTOTUNE_OK, AUTOTUNE_FAILED, AUTOTUNE_REJECTED, AUTOTUNE_ERR_ARGUMENT, AUTOTUNE_ERR_SPACE,
        AUTOTUNE_ERR_ALL_FAILED, AUTOTUNE_ERR_MISS, AUTOTUNE_ERR_AMBIGUOUS, AUTOTUNE_ERR_MEMORY, AUTOTUNE_ERR_LEFT,
        AUTOTUNE_ERR_DEVICE, AUTOTUNE_ERR_ENVIRONMENT, AUTOTUNE_ERR_FILE, AUTOTUNE__STATUS_COUNT - 1,
        AUTOTUNE_DEFAULT, AUTOTUNE_SINGLE, AUTOTUNE_SEPARATED, AUTOTUNE_TIE, AUTOTUNE_UNRESOLVED, AUTOTUNE_UNRELIABLE,
        AUTOTUNE_ONGOING,
        AUTOTUNE_PINNED, AUTOTUNE_GUESSED,
        AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_ONLINE, AUTOTUNE_OFF, AUTOTUNE_FORCE,
        AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH,
        AUTOTUNE_AUTO, AUTOTUNE_EXHAUSTIVE, AUTOTUNE_RANDOM, AUTOTUNE_SURROGATE,
        AUTOTUNE_CACHE_STATE_DEFAULT, AUTOTUNE_HOT, AUTOTUNE_COLD,
        AUTOTUNE_TOGETHER, AUTOTUNE_FIRST, AUTOTUNE_DIVIDED,
        AUTOTUNE_CACHE_ON, AUTOTUNE_CACHE_OFF, AUTOTUNE_CACHE_READONLY,
        AUTOTUNE_RACE, AUTOTUNE_GUESS, AUTOTUNE_IN_PROCESS, AUTOTUNE_CHILD,
        AUTOTUNE_MEMORY, AUTOTUNE_DISK,
        AUTOTUNE_MAX_KEY, AUTOTUNE_MAX_AXES, AUTOTUNE_MAX_BUFFERS};
    *count = sizeof all / sizeof *all;
    return all;
}
