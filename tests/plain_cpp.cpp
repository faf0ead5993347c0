// plain_cpp.cpp - what C++ adds: exceptions on every way out of a statement, templates and overloads, lambdas, enum
// classes, temporaries in options, destructors, overloaded commas and [[nodiscard]]. C++14 and later.
#include "plain.h"
#include <stdexcept>
#include <string>
#include <vector>

static autotune_backend kernel_clock;
#define MEASURED .backend = &kernel_clock, .max_seconds = 1e6

constexpr int FIRST = 16, MIDDLE = 32, BEST = 64;
#define TILES SPACE(AXIS(tile, FIRST, MIDDLE, BEST))

// The record of one statement. total is memory that it adds 1 to, and that trials put back; out is memory that it fills
// with NEW.
constexpr unsigned char OLD = 7, NEW = 9;
constexpr size_t LENGTH = 16;
struct seen {
    autotune_result result{};
    int trials = 0, calls = 0, tile = 0, total = 0;
    unsigned char out[LENGTH];
    seen() { memset(out, OLD, LENGTH); }
    void launch(bool trial, int now) {
        spend((now == BEST ? 1u : 3u) * static_cast<uint64_t>(MILLISECOND));
        if (trial)
            trials++;
        else
            calls++, tile = now;
        total++;
        memset(out, NEW, LENGTH);
    }
    bool untouched() const { return total == 0 && all(OLD); }
    bool written() const { return total == 1 && all(NEW); }
    bool called(int now) const { return calls == 1 && tile == now && written() && result.status == AUTOTUNE_OK; }
    bool tuned(int now) const { return called(now) && trials > 0 && !result.cache_hit; }
    bool hit(int now) const { return called(now) && trials == 0 && result.cache_hit; }

  private:
    bool all(unsigned char byte) const {
        for (unsigned char b : out)
            if (b != byte) return false;
        return true;
    }
};
#define NO_TRACE_OF(s) .restore = BUFFERS({&(s).total, sizeof(s).total}), .outputs = BUFFERS({(s).out, sizeof(s).out})

// ---- Exceptions
// ---------------------------------------------------------------------------------------------------------------------

// The places in which a statement throws. A string in it, so that a lost exception, or one that is destroyed twice, is
// noticed.
enum class throws {
    nowhere,
    in_key,
    in_axis,
    in_where,
    in_model,
    in_blocks,
    in_setup,
    in_verification,
    in_trial,
    for_real
};
static throws here;
static void perhaps(throws where) {
    if (here == where)
        throw std::runtime_error("thrown on purpose, in a text that is too long for a short string: " +
                                 std::to_string(static_cast<int>(where)));
}
template <class T> static T perhaps(throws where, T value) { return perhaps(where), value; }
static void set_up(void *, const autotune_config *) { perhaps(throws::in_setup); }
static bool verify(void *, const autotune_config *) { return perhaps(throws::in_verification), true; }

static void launch_or_throw(seen &s, bool trial, int tile) {
    s.launch(trial, tile);
    perhaps(trial ? throws::in_trial : throws::for_real);
}
static void call_that_may_throw(seen &s, int key) {
    AUTOTUNE(SPACE(AXIS(tile, FIRST, MIDDLE, perhaps(throws::in_axis, BEST)), AXIS(way, "one", "two"),
                   WHERE(perhaps(throws::in_where, way[0] == 'o')), MODEL(perhaps(throws::in_model, tile))),
             perhaps(throws::in_blocks, 1), launch_or_throw(s, autotune_trial, tile),
             .key = KEY(perhaps(throws::in_key, key), "text"), NO_TRACE_OF(s), .setup = set_up, .verify = verify,
             MEASURED, .result = &s.result);
}
static void block_that_may_throw(seen &s, int key) {
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, FIRST, MIDDLE, perhaps(throws::in_axis, BEST)), AXIS(way, "one", "two"),
                         WHERE(perhaps(throws::in_where, way[0] == 'o')), MODEL(perhaps(throws::in_model, tile))),
                   .key = KEY(perhaps(throws::in_key, key), "text"), NO_TRACE_OF(s), .setup = set_up, .verify = verify,
                   MEASURED, .result = &s.result) {
        perhaps(throws::in_blocks);
        launch_or_throw(s, autotune_trial, tile);
    }
}
using statement = void (*)(seen &, int);

static bool thrown(statement make, seen &s, int key, throws where) {
    here = where;
    bool caught = false;
    try {
        make(s, key);
    } catch (const std::runtime_error &error) {
        caught = strstr(error.what(), std::to_string(static_cast<int>(where)).c_str()) != nullptr;
    }
    here = throws::nowhere;
    return caught;
}
static void after_that_it_tunes_and_hits(statement make, int key, int best) {
    for (int again = 0; again < 3; again++) {
        seen s;
        make(s, key);
        CHECK(again ? s.hit(best) : s.tuned(best));
    }
}
static const statement both[] = {call_that_may_throw, block_that_may_throw};

// Before any launch: it is as if the statement had not been there.
static void exceptions_in_the_statements_own_expressions() {
    static const throws places[] = {throws::in_key, throws::in_axis, throws::in_where, throws::in_model};
    for (statement make : both) {
        int key = 0;
        for (throws where : places) {
            for (int again = 0; again < 3; again++) {
                seen s;
                CHECK(thrown(make, s, key, where) && s.trials == 0 && s.calls == 0 && s.untouched());
            }
            after_that_it_tunes_and_hits(make, key++, BEST);
        }
    }
}
// In a trial: what the launch did stays, its configuration fails.
static void exceptions_in_a_trial() {
    for (statement make : both) {
        seen s;
        CHECK(thrown(make, s, 100, throws::in_trial));
        CHECK(s.trials == 1 && s.calls == 0 && s.written() && s.result.status == AUTOTUNE_ERR_LEFT &&
              last_error_has("left the body"));
        seen next;
        make(next, 100);
        CHECK(next.tuned(BEST) && next.result.failed == 1);
        seen last;
        make(last, 100);
        CHECK(last.hit(BEST));
    }
}
// In a child process an exception, or a return, ends the child alone.
static int leave(int which, pid_t parent) {
    if (getpid() != parent && which == 1) throw std::runtime_error("in a trial");
    spend(static_cast<uint64_t>(which == 3 ? 10 : 20) * MILLISECOND);
    return which;
}
static int enter_isolated(autotune_result &result, pid_t parent) {
    AUTOTUNE_BLOCK(SPACE(AXIS(which, 0, 1, 2, 3)), .backend = &kernel_clock, .isolate = AUTOTUNE_CHILD,
                   .result = &result) {
        if (leave(which, parent) == 2 && getpid() != parent) return -1;
    }
    return 1;
}
static void exceptions_in_a_child() {
    autotune_result result;
    bool caught = false;
    try {
        CHECK(enter_isolated(result, getpid()) == 1 && result.status == AUTOTUNE_OK);
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(!caught && result.failed == 2 && result.index == 3 && !result.cache_hit);
    CHECK(enter_isolated(result, getpid()) == 1 && result.cache_hit && result.index == 3);
}
static void two_exceptions_in_trials() {
    for (statement make : both) {
        for (int again = 0; again < 2; again++) {
            seen s;
            CHECK(thrown(make, s, 110, throws::in_trial) && s.written());
            CHECK(last_error_has("stays on the first configuration") == (again == 1));
        }
        seen s;
        make(s, 110);
        CHECK(s.hit(FIRST));
    }
}
// Around a launch, but not in it: nothing was launched, or what was is not the statement's doing. No buffer shows a
// trace.
static void exceptions_before_a_launch() {
    static const throws places[] = {throws::in_setup, throws::in_blocks};
    for (statement make : both)
        for (throws where : places) {
            seen s;
            CHECK(thrown(make, s, 120 + static_cast<int>(where), where) && s.trials == 0 && s.calls == 0 &&
                  s.untouched());
            CHECK(s.result.status == AUTOTUNE_ERR_LEFT);
            seen next;
            make(next, 120 + static_cast<int>(where));
            CHECK(next.tuned(BEST));
        }
}
// No launch is to blame: the buffers are as before.
static void exceptions_in_a_verification() {
    for (statement make : both) {
        seen s;
        CHECK(thrown(make, s, 140, throws::in_verification) && s.trials == 1 && s.calls == 0 && s.untouched());
        seen next;
        make(next, 140);
        CHECK(next.tuned(BEST));
    }
}
// For real: the call was made, the winner stays known.
static void exceptions_in_the_call_for_real() {
    for (statement make : both)
        for (int again = 0; again < 3; again++) {
            seen s;
            CHECK(thrown(make, s, 150, throws::for_real));
            CHECK(again ? s.hit(BEST) : s.tuned(BEST));
        }
}
// In the setup of a later launch: the trials before it leave no trace, and what is zeroed for a launch that does not
// happen is put back.
static int setups_until_throw;
static void set_up_for_the_last_time(void *, const autotune_config *) {
    if (--setups_until_throw == 0) throw std::runtime_error("no further launch");
}
static void exceptions_in_a_later_setup() {
    for (int n = 1; n <= 6; n++) {
        seen s;
        int zeroed = OLD;
        bool caught = false;
        setups_until_throw = n;
        try {
            AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), .key = KEY(n), NO_TRACE_OF(s),
                     .zero = BUFFERS({&zeroed, sizeof zeroed}), .setup = set_up_for_the_last_time, MEASURED);
        } catch (const std::runtime_error &) {
            caught = true;
        }
        CHECK(caught && s.trials == n - 1 && s.calls == 0);
        CHECK(s.untouched() && zeroed == OLD);
    }
}
// Through two statements, of which the inner one is raced in a trial of the outer.
static void throw_through_two(seen &outer, seen &inner, bool throwing) {
    AUTOTUNE_BLOCK(TILES, .restore = BUFFERS({&outer.total, sizeof outer.total}), MEASURED, .result = &outer.result) {
        outer.launch(autotune_trial, tile);
        AUTOTUNE_BLOCK(TILES, .key = KEY(tile), MEASURED, .result = &inner.result) {
            spend(MILLISECOND);
            if (throwing) throw std::logic_error("through both");
        }
    }
}
static void an_exception_leaves_two_statements() {
    seen outer, inner;
    bool caught = false;
    try {
        throw_through_two(outer, inner, true);
    } catch (const std::logic_error &) {
        caught = true;
    }
    CHECK(caught && outer.result.status == AUTOTUNE_ERR_LEFT && inner.result.status == AUTOTUNE_ERR_LEFT);
    CHECK(AUTOTUNE_REJECT("outside of every trial") == AUTOTUNE_REJECTED);
    seen next;
    throw_through_two(next, inner, false);
    CHECK(next.tuned(BEST) && next.result.failed == 1);
}
// Statements that begin while an exception is on its way, in a destructor.
struct tunes_when_destroyed {
    seen &s;
    explicit tunes_when_destroyed(seen &where) : s(where) {}
    ~tunes_when_destroyed() {
        AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    }
};
static void a_destructor_tunes_while_an_exception_passes() {
    for (int again = 0; again < 2; again++) {
        seen s;
        bool caught = false;
        try {
            tunes_when_destroyed guard(s);
            throw std::logic_error("passes");
        } catch (const std::logic_error &) {
            caught = true;
        }
        CHECK(caught && (again ? s.hit(BEST) : s.tuned(BEST)));
    }
}

// ---- Each function is a tuner of its own
// ------------------------------------------------------------------------------------------------

template <class T, int best> static seen of_type(T) {
    seen s;
    AUTOTUNE(SPACE(AXIS(tile, FIRST, MIDDLE)), 1,
             (spend((tile == best ? 1 : 2) * static_cast<uint64_t>(MILLISECOND)),
              autotune_trial ? void(s.trials++) : void((s.calls++, s.tile = tile))),
             MEASURED, .result = &s.result);
    return s;
}
static seen overloaded(int) { return of_type<char, MIDDLE>('a'); }
template <class T> static seen plain_copy(T) {
    seen s;
    AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    return s;
}
static seen overload(int) {
    seen s;
    AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    return s;
}
static seen overload(double) {
    seen s;
    AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    return s;
}
struct a_class {
    seen overload(int) const {
        seen s;
        AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
        return s;
    }
};
static bool is_its_own(seen (*function)()) { return function().tuned(BEST) && function().hit(BEST); }
static void templates_and_overloads_are_their_own_tuners() {
    const seen first = of_type<int, FIRST>(1), second = of_type<float, MIDDLE>(1), third = overloaded(1);
    CHECK(first.trials && second.trials && third.trials && first.tile == FIRST && second.tile == MIDDLE &&
          third.tile == MIDDLE);
    const seen again = of_type<int, FIRST>(1);
    CHECK(again.trials == 0 && again.calls == 1 && again.tile == FIRST && again.result.cache_hit);
    CHECK(is_its_own([] { return plain_copy(1); }) && is_its_own([] { return plain_copy(1u); }) &&
          is_its_own([] { return plain_copy('1'); }));
    CHECK(is_its_own([] { return overload(1); }) && is_its_own([] { return overload(1.0); }) &&
          is_its_own([] { return a_class().overload(1); }));
}

// ---- Lambdas
// ---------------------------------------------------------------------------------------------------------------------

static int verifications;
static void lambdas_as_calls_and_callbacks() {
    for (int again = 0; again < 2; again++) {
        seen s;
        int setups = 0;
        const auto body = [&s](bool trial, int tile) { s.launch(trial, tile); };
        AUTOTUNE(
            TILES, 1, body(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .user = &setups,
            .setup = [](void *user, const autotune_config *) { ++*static_cast<int *>(user); },
            .verify = [](void *, const autotune_config *) { return ++verifications > 0; }, .result = &s.result);
        CHECK(again ? s.hit(BEST) && !setups : s.tuned(BEST) && setups == s.trials && verifications == 3);
        seen t;
        AUTOTUNE(
            TILES, 1, [&t](bool trial, int now) { t.launch(trial, now); }(autotune_trial, tile), NO_TRACE_OF(t),
            MEASURED, .result = &t.result);
        CHECK(again ? t.hit(BEST) : t.tuned(BEST));
        seen u;
        AUTOTUNE(TILES, 1, ([&, trial = autotune_trial] { u.launch(trial, tile); }()), NO_TRACE_OF(u), MEASURED,
                 .result = &u.result);
        CHECK(again ? u.hit(BEST) : u.tuned(BEST));
        seen v;
        [&v] { AUTOTUNE(TILES, 1, v.launch(autotune_trial, tile), NO_TRACE_OF(v), MEASURED, .result = &v.result); }();
        CHECK(again ? v.hit(BEST) : v.tuned(BEST));
    }
}
// The value of a lambda counts if it is a status.
static void a_lambdas_status_counts() {
    seen s;
    const auto body = [&s](bool trial, int tile) -> autotune_status {
        return s.launch(trial, tile), tile == BEST ? AUTOTUNE_FAILED : AUTOTUNE_OK;
    };
    AUTOTUNE(TILES, 1, body(autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    CHECK(s.tuned(FIRST) && s.result.failed == 1);
}

// ---- Values and options
// -----------------------------------------------------------------------------------------------------------------

enum class precision : unsigned char { exact = 3, fast = 7 };
enum class wide : long long { near = 1, far = -(1LL << 40) };
static void enum_classes_as_axes_and_keys() {
    for (int again = 0; again < 2; again++) {
        seen s;
        AUTOTUNE_BLOCK(SPACE(AXIS(how, precision::exact, precision::fast), AXIS(where, wide::near, wide::far),
                             WHERE(how != precision::exact || where == wide::near)),
                       .key = KEY(precision::fast, wide::far), NO_TRACE_OF(s), MEASURED, .result = &s.result) {
            const precision same_type = how;
            const wide this_too = where;
            s.launch(autotune_trial, same_type == precision::fast && this_too == wide::far ? BEST : FIRST);
        }
        CHECK(again ? s.hit(BEST) : s.tuned(BEST));
        CHECK(s.result.space_size == 3 && autotune_get_int(&s.result.config, "how") == 7 &&
              autotune_get_int(&s.result.config, "where") == -(1LL << 40));
    }
    seen other; // another enumerator is another key
    AUTOTUNE(TILES, 1, other.launch(autotune_trial, tile), .key = KEY(precision::exact), NO_TRACE_OF(other), MEASURED,
             .result = &other.result);
    CHECK(other.tuned(BEST));
}
static void writable_strings_and_literals_as_one_axis() {
    char first[] = "fused", *const second = first;
    seen s;
    AUTOTUNE_BLOCK(SPACE(AXIS(way, first, "split"), AXIS(other, second, "split")), .key = KEY(second), NO_TRACE_OF(s),
                   MEASURED, .result = &s.result) {
        const char *const same = way;
        static_assert(std::is_same<decltype(other), const char *>::value, "the type is the same as in C");
        s.launch(autotune_trial, same[1] == 'p' && other[1] == 'p' ? BEST : FIRST);
    }
    CHECK(s.tuned(BEST) && s.result.space_size == 4);
}
static seen with_temporaries(const std::string &layout, const std::string &name) {
    seen s;
    AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile),
             .key = KEY(std::string("a layout too long for a short string: " + layout).c_str(), layout.size()),
             .name = std::string("a name too long for a short string: " + name).c_str(),
             .version = (name + name).c_str(), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    return s;
}
static void temporary_strings_in_options() {
    CHECK(with_temporaries("nhwc", "n").tuned(BEST));
    CHECK(with_temporaries("nchw", "n").tuned(BEST));
    CHECK(with_temporaries("nhwc", "n").hit(BEST) && with_temporaries("nchw", "n").hit(BEST));
}
static void options_in_any_order() {
    for (int again = 0; again < 2; again++) {
        seen s, t;
        AUTOTUNE(TILES, 1, s.launch(autotune_trial, tile), .result = &s.result, .max_seconds = 1e6,
                 .outputs = BUFFERS({s.out, sizeof s.out}), .backend = &kernel_clock,
                 .restore = BUFFERS({&s.total, sizeof s.total}), .seed = 3, .preset = AUTOTUNE_FAST,
                 .name = "any order", .key = KEY(1));
        AUTOTUNE(TILES, 1, t.launch(autotune_trial, tile), .key = KEY(2), .name = "any order", .preset = AUTOTUNE_FAST,
                 .seed = 3, .restore = BUFFERS({&t.total, sizeof t.total}), .backend = &kernel_clock,
                 .outputs = BUFFERS({t.out, sizeof t.out}), .max_seconds = 1e6, .result = &t.result);
        CHECK(again ? s.hit(BEST) && t.hit(BEST) : s.tuned(BEST) && t.tuned(BEST));
    }
}

// ---- Destructors
// ---------------------------------------------------------------------------------------------------------------------

struct counted {
    static int living;
    std::vector<int> memory;
    counted() : memory(100) { living++; }
    counted(const counted &) = delete;
    counted &operator=(const counted &) = delete;
    ~counted() { living--; }
};
int counted::living;

enum class way_out { by_continue, by_break, by_return, by_exception, by_the_end };
static void body_with_a_destructor(seen &s, way_out way, int key) {
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), NO_TRACE_OF(s), MEASURED, .result = &s.result) {
        const counted guard;
        CHECK(counted::living == 1 && guard.memory.size() == 100);
        s.launch(autotune_trial, tile);
        if (way == way_out::by_continue) continue;
        if (way == way_out::by_break) break;
        if (way == way_out::by_return) return;
        if (way == way_out::by_exception) throw std::logic_error("out");
    }
}
static void destructors_run_on_every_way_out() {
    static const way_out ways[] = {way_out::by_continue, way_out::by_break, way_out::by_return, way_out::by_exception,
                                   way_out::by_the_end};
    for (way_out way : ways) {
        for (int again = 0; again < 5; again++) { // left trials at first, the first configuration later
            seen s;
            try {
                body_with_a_destructor(s, way, static_cast<int>(way));
            } catch (const std::logic_error &) {
                CHECK(way == way_out::by_exception);
            }
            CHECK(counted::living == 0 && s.written());
        }
    }
}

// ---- Kinds of calls
// -----------------------------------------------------------------------------------------------------------------

namespace algebra {
int commas;
struct matrix {
    int rows;
};
template <class T> matrix operator,(const T &, matrix m) {
    commas++;
    return m;
} // greedy on purpose
template <class T> matrix operator,(matrix m, const T &) {
    commas++;
    return m;
}
matrix product(seen &s, bool trial, int tile) {
    s.launch(trial, tile);
    return matrix{tile};
}
} // namespace algebra
static void an_overloaded_comma_does_no_harm() {
    for (int again = 0; again < 2; again++) {
        seen s;
        AUTOTUNE(TILES, 1, algebra::product(s, autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
        CHECK(again ? s.hit(BEST) : s.tuned(BEST));
        seen t;
        AUTOTUNE_SELECT((NO_TRACE_OF(t), MEASURED, .result = &t.result), algebra::product(t, autotune_trial, FIRST),
                        algebra::product(t, autotune_trial, BEST));
        CHECK(again ? t.hit(BEST) : t.tuned(BEST));
    }
}

#ifdef __clang__
#pragma clang diagnostic ignored "-Wc++17-extensions" // the attribute, in C++14
#endif
[[nodiscard]] static int nodiscard_int(seen &s, bool trial, int tile) { return s.launch(trial, tile), tile; }
[[nodiscard]] static autotune_status nodiscard_status(seen &s, bool trial, int tile) {
    return s.launch(trial, tile), tile == BEST ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void nodiscard_calls() {
    seen s, t;
    AUTOTUNE(TILES, 1, nodiscard_int(s, autotune_trial, tile), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    CHECK(s.tuned(BEST));
    AUTOTUNE(TILES, 1, nodiscard_status(t, autotune_trial, tile), NO_TRACE_OF(t), MEASURED, .result = &t.result);
    CHECK(t.tuned(FIRST) && t.result.failed == 1);
}
// Whatever a call returns, it is made once per launch and its result is destroyed.
static void calls_of_every_type() {
    seen s;
    AUTOTUNE(TILES, 1, (s.launch(autotune_trial, tile), counted()), NO_TRACE_OF(s), MEASURED, .result = &s.result);
    CHECK(s.tuned(BEST) && counted::living == 0);
    seen t;
    AUTOTUNE(TILES, 1, (s.launch(autotune_trial, tile), t.launch(autotune_trial, tile), s), NO_TRACE_OF(t), MEASURED,
             .result = &t.result);
    CHECK(t.tuned(BEST));
    seen u;
    // no status
    AUTOTUNE(TILES, 1, (u.launch(autotune_trial, tile), 7u), NO_TRACE_OF(u), MEASURED, .result = &u.result);
    CHECK(u.tuned(BEST));
}

static void a_hit_is_rejected_whatever_the_type_of_its_call() {
    for (int hit = 0; hit < 2; hit++) {
        seen s;
        AUTOTUNE(TILES, 1, hit ? (int)AUTOTUNE_REJECT("not now") : (s.launch(autotune_trial, tile), 7), NO_TRACE_OF(s),
                 MEASURED, .name = "int", .result = &s.result);
        CHECK(s.result.status == (hit ? AUTOTUNE_REJECTED : AUTOTUNE_OK));
        AUTOTUNE(TILES, 1, hit ? AUTOTUNE_REJECT("not now") : (s.launch(autotune_trial, tile), AUTOTUNE_OK),
                 NO_TRACE_OF(s), MEASURED, .name = "status", .result = &s.result);
        CHECK(s.result.status == (hit ? AUTOTUNE_REJECTED : AUTOTUNE_OK));
    }
}

// ---- Texts
// ---------------------------------------------------------------------------------------------------------------------

// Equal names, spaces and options: by the texts of their calls alone these are different tuners. An odd number of digit
// separators in the blocks, of quotes in a raw string.
static void separated_by_hand(seen &s) {
    AUTOTUNE(TILES, 1'000, s.launch(autotune_trial, tile * 1'0 / 10), .name = "separators", MEASURED, NO_TRACE_OF(s),
             .result = &s.result);
}
static void separated_and_edited(seen &s) {
    AUTOTUNE(TILES, 1'000, s.launch(autotune_trial, tile * 2'0 / 20), .name = "separators", MEASURED, NO_TRACE_OF(s),
             .result = &s.result);
}
static int zero(const char *) { return 0; }
static void an_edited_call_is_another_tuner_whatever_quotes_stand_in_it() {
    seen first, again, edited;
    separated_by_hand(first), separated_by_hand(again), separated_and_edited(edited);
    CHECK(first.tuned(BEST) && again.hit(BEST) && edited.tuned(BEST));

    seen s;
    AUTOTUNE_SELECT((MEASURED, .result = &s.result),
                    zero(")'") ? s.launch(autotune_trial, 1) : s.launch(autotune_trial, FIRST),
                    CASE((zero("')"), s.launch(autotune_trial, BEST)), PRIORITY(1 + ')' - ')')));
    CHECK(!strcmp(autotune_get_label(&s.result.config, "call"), "(zero(\"')\"), s.launch(autotune_trial, BEST))"));
}

int main() {
    static const plain_test tests[] = {
        {"exceptions in the statement's own expressions", exceptions_in_the_statements_own_expressions},
        {"exceptions in a trial", exceptions_in_a_trial},
        {"exceptions in a child", exceptions_in_a_child},
        {"two exceptions in trials", two_exceptions_in_trials},
        {"exceptions before a launch", exceptions_before_a_launch},
        {"exceptions in a later setup", exceptions_in_a_later_setup},
        {"exceptions in a verification", exceptions_in_a_verification},
        {"exceptions in the call for real", exceptions_in_the_call_for_real},
        {"an exception leaves two statements", an_exception_leaves_two_statements},
        {"a destructor tunes while an exception passes", a_destructor_tunes_while_an_exception_passes},
        {"templates and overloads are their own tuners", templates_and_overloads_are_their_own_tuners},
        {"lambdas as calls and callbacks", lambdas_as_calls_and_callbacks},
        {"a lambda's status counts", a_lambdas_status_counts},
        {"enum classes as axes and keys", enum_classes_as_axes_and_keys},
        {"writable strings and literals as one axis", writable_strings_and_literals_as_one_axis},
        {"temporary strings in options", temporary_strings_in_options},
        {"options in any order", options_in_any_order},
        {"destructors run on every way out", destructors_run_on_every_way_out},
        {"an overloaded comma does no harm", an_overloaded_comma_does_no_harm},
        {"[[nodiscard]] calls", nodiscard_calls},
        {"calls of every type", calls_of_every_type},
        {"a hit is rejected, whatever the type of its call", a_hit_is_rejected_whatever_the_type_of_its_call},
        {"an edited call is another tuner, whatever quotes stand in it",
         an_edited_call_is_another_tuner_whatever_quotes_stand_in_it},
    };
    kernel_clock = virtual_backend("kernel clock");
    return RUN_PLAIN_TESTS(tests);
}
