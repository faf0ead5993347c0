// plain_created.cpp - created tuners in C++, with an implementation that is C++ too: exceptions may pass through
// callbacks. It is built with AUTOTUNE_CHECKS: filters are asked at every hit.
#define AUTOTUNE_CHECKS
#define AUTOTUNE_STATIC
#include "plain.h"
#include <pthread.h>
#include <stdexcept>

namespace {

autotune_backend kernel_clock;

struct kernel {
    int launches = 0, throws_at = 0; // from which launch on; 0: never
    int64_t tile = 0, data = 0;
};
autotune_status launch(void *user, const autotune_config *config) {
    kernel &k = *static_cast<kernel *>(user);
    k.tile = autotune_get_int(config, "tile");
    k.data++;
    spend(static_cast<uint64_t>(k.tile == 2 ? 1 : 3) * MILLISECOND);
    if (++k.launches == k.throws_at) throw std::runtime_error("a launch");
    return AUTOTUNE_OK;
}
bool throw_at_two(void *, const autotune_config *partial) {
    if (autotune_get_int(partial, "tile") == 2) throw std::runtime_error("a filter");
    return true;
}

const int64_t tiles[] = {1, 2, 3};
autotune_tuner *create(const char *name, bool (*filter)(void *, const autotune_config *)) {
    autotune_axis axis;
    axis.name = "tile";
    axis.values = tiles;
    axis.count = 3;
    axis.where = filter;
    autotune_desc desc;
    desc.name = name;
    desc.axes = &axis;
    desc.axis_count = 1;
    desc.launch = launch;
    autotune_tuner *tuner = autotune_create(&desc);
    CHECK(tuner);
    return tuner;
}
autotune_options options_for(kernel &k) {
    autotune_options o;
    o.user = &k;
    o.backend = &kernel_clock;
    o.restore = BUFFERS({&k.data, sizeof k.data});
    return o;
}
bool call_throws(autotune_tuner *tuner, const autotune_options &o) {
    try {
        autotune_call(tuner, &o);
        return false;
    } catch (const std::runtime_error &) {
        return true;
    }
}

void a_tuner_is_called() {
    kernel k;
    autotune_tuner *tuner = create("called", nullptr);
    const autotune_options o = options_for(k);
    CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 2 && k.data == 1);
    CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 2 && k.data == 2);
    autotune_destroy(tuner);
}
void an_exception_of_a_trial_fails_its_configuration() {
    kernel k;
    autotune_tuner *tuner = create("throwing", nullptr);
    const autotune_options o = options_for(k);
    k.throws_at = 1;
    CHECK(call_throws(tuner, o));
    CHECK(last_error_has("left the body"));
    CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 2); // without the one that threw
    k.throws_at = k.launches + 1;
    CHECK(call_throws(tuner, o)); // a hit
    CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 2);
    autotune_destroy(tuner);
}
void an_exception_of_a_filter_leaves_buffers_as_they_were() {
    kernel k;
    k.data = 7;
    autotune_tuner *tuner = create("filtered", throw_at_two);
    const autotune_options o = options_for(k);
    CHECK(call_throws(tuner, o) && k.data == 7 && k.launches == 0);
    CHECK(last_error_has("an exception left the statement"));
    autotune_destroy(tuner);
}
void an_exception_of_a_filter_ends_a_step() {
    kernel k;
    autotune_tuner *tuner = create("stepped", throw_at_two);
    const autotune_options o = options_for(k);
    autotune_step step;
    bool caught = false;
    try {
        autotune_step_begin(tuner, &o, &step);
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(caught && last_error_has("stepped: an exception left the statement"));
    CHECK(autotune_shutdown() == AUTOTUNE_OK); // no statement is in progress
    autotune_destroy(tuner);
}

int64_t most = 3; // what the filter reads, and the key lacks
bool at_most(void *, const autotune_config *partial) { return autotune_get_int(partial, "tile") <= most; }
void a_refused_hit_takes_another_configuration() {
    kernel k;
    autotune_tuner *tuner = create("checked", at_most);
    const autotune_options o = options_for(k);
    CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 2);
    CHECK(!last_error_has("checked"));
    most = 1;
    for (int call = 0; call < 2; call++) {
        k.launches = 0;
        CHECK(autotune_call(tuner, &o) == AUTOTUNE_OK && k.tile == 1 && k.launches == 1);
        CHECK(last_error_has("checked: what is known for the key does not satisfy WHERE"));
    }
    most = 3;
    autotune_destroy(tuner);
}

void a_queued_case_throws() {
    kernel k;
    autotune_tuner *tuner = create("queued", throw_at_two);
    autotune_options o = options_for(k);
    o.key = KEY("a string that is copied");
    CHECK(autotune_add(tuner, &o) == AUTOTUNE_OK);
    bool caught = false;
    try {
        autotune_tune_all();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(caught);
    CHECK(autotune_tune_all() == AUTOTUNE_OK); // nothing is left
    autotune_destroy(tuner);
}

void throw_line(void *, autotune_log_level, const char *) { throw 1; }
void *say_nothing_more(void *user) {
    autotune_set_log(say_nothing, NULL);
    return user;
}
void a_log_function_throws() {
    pthread_t thread;
    bool caught = false;
    autotune_set_log(throw_line, NULL);
    try {
        autotune_lookup(NULL, KEY(1), NULL);
    } catch (int) {
        caught = true;
    }
    CHECK(caught && pthread_create(&thread, NULL, say_nothing_more, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

} // namespace

int main() {
    static const plain_test tests[] = {
        {"a tuner is called", a_tuner_is_called},
        {"an exception of a trial fails its configuration", an_exception_of_a_trial_fails_its_configuration},
        {"a log function throws", a_log_function_throws},
        {"a queued case throws", a_queued_case_throws},
        {"a refused hit takes another configuration", a_refused_hit_takes_another_configuration},
        {"an exception of a filter leaves buffers as they were", an_exception_of_a_filter_leaves_buffers_as_they_were},
        {"an exception of a filter ends a step", an_exception_of_a_filter_ends_a_step},
    };
    kernel_clock = virtual_backend("a device");
    return RUN_PLAIN_TESTS(tests);
}
