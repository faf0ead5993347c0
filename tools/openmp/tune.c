/* The race of each case: a region and how many threads it asked for. */
#include <stdlib.h>
#include <time.h>
#include "library.h"
#include "tune.h"

/* A case, whose race goes on over batches of calls: one batch is one step of the race. So what a step costs is small
   beside what is measured; and where processors are shared, a call whose threads wait for one that lost its processor
   takes a hundred times as long as others: what it costs shows in the mean of many. The members below `busy` are those
   of the call that has set it. */
struct openmp_case {
    openmp_case *next;                          /* of the same region */
    int asked;
    int threads;                                /* that calls get which are not measured; 0: as asked */
    bool known, busy;                           /* the winner is known, and nothing is measured any more; see above */
    autotune_tuner *tuner;
    autotune_options options;
    autotune_step step;
    autotune_result result;
    int trying;                                 /* the threads of the batch; 0: as asked */
    int planned, made;                          /* calls of the batch; planned is 0 where no batch was begun */
    double batch_ns, longest_ns, target_ns;     /* what they took, one of them did, and all of them should take */
    double call_ns, all_ns;                     /* what a call of the last batch took, and what all batches did */
    double lost_ns;                             /* by trying */
    int64_t debt_ns;                            /* what its calls cost regions after them; any thread adds to it */
};

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- Cases ---- */

/* Steps are not launched by the library. */
static autotune_status launch(void *user, const autotune_config *config) {
    return (void)user, (void)config, AUTOTUNE_FAILED;
}
/* The first configuration is what the program asks for; then come the powers of two below it, down to one thread. */
static autotune_tuner *make_tuner(const openmp_region *region, int asked) {
    int64_t threads[33] = { asked };
    autotune_axis axis = { .name = "threads", .values = threads, .count = 1 };
    const autotune_desc desc = { .name = region->module.place, .axes = &axis, .axis_count = 1, .launch = launch };
    int64_t power = 1;
    while (power * 2 < asked) power *= 2;
    for (; power > 0; power /= 2) threads[axis.count++] = power;
    return autotune_create(&desc);
}
static openmp_case *known_case(const openmp_region *region, int asked) {
    openmp_case *found = __atomic_load_n(&region->cases, __ATOMIC_ACQUIRE);
    while (found && found->asked != asked) found = found->next;
    return found;
}
static openmp_case *add_case(openmp_region *region, int asked) {
    openmp_case *added;
    pthread_mutex_lock(&openmp_lists);
    if (!(added = known_case(region, asked)) && (added = calloc(1, sizeof *added)) != NULL) {
        added->asked = asked;
        added->options = (autotune_options){
            .mode = AUTOTUNE_ONLINE, .max_loss = 0.04, .max_seconds = 0.05,
            .strategy = AUTOTUNE_EXHAUSTIVE,    /* in this order */
            .version = region->version, .key.text = "asked", .result = &added->result };
        autotune_key_add_int(&added->options.key, asked);
        added->tuner = make_tuner(region, asked);
        added->known = !added->tuner;           /* as asked */
        added->next = region->cases;
        __atomic_store_n(&region->cases, added, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&openmp_lists);
    return added;
}

/* ---- Losses ---- */

/* A region may turn out to be a thousand times slower with fewer threads. So the race of each bounds its own loss; and
   while all of them have lost this much, no batch begins. */
static int64_t all_lost_ns;
static double loaded_ns;
static __attribute__((__constructor__)) void begin_clock(void) { loaded_ns = now_ns(); }
static bool may_lose(void) {
    return (double)__atomic_load_n(&all_lost_ns, __ATOMIC_RELAXED) <= 40e6 + 0.03 * (now_ns() - loaded_ns);
}
static void add_loss(openmp_case *c, double ns) {
    c->lost_ns += ns;
    __atomic_add_fetch(&all_lost_ns, (int64_t)ns, __ATOMIC_RELAXED);
}

/* ---- Batches: only by the call that has set `busy` ---- */

/* A batch takes an eighth of what all before it took: a short program has short ones, and in the end they are longer
   than the time for which a system gives a processor to another program. Single calls are told until the race knows
   what the first configuration takes: all its times are those of as much work. */
static void plan_batch(openmp_case *c) {
    const double least_ns = 200e3, most_ns = 5e6, eighth_ns = c->all_ns / 8,
                 target_ns = eighth_ns < least_ns ? least_ns : eighth_ns > most_ns ? most_ns : eighth_ns,
                 calls = c->result.default_ns > 0 && c->call_ns > 0 ? target_ns / c->call_ns : 1;
    c->planned = calls < 1 ? 1 : calls > 10000 ? 10000 : (int)calls;
    c->target_ns = target_ns;
    c->batch_ns = c->longest_ns = 0;
}
/* What a call takes but for the longest one, in which something may have happened that is rare. */
static double usual_ns(const openmp_case *c) {
    return c->made > 1 ? (c->batch_ns - c->longest_ns) / (c->made - 1) : c->batch_ns;
}
/* A batch that takes far too long ends before its time, and so does one at the end of the program: the calls that are
   missing count as usual ones. A single call may look like thousands so, of which no more is told than shows that they
   are slow. */
static void end_batch(openmp_case *c) {
    const double seen_ns = c->batch_ns + (double)__atomic_exchange_n(&c->debt_ns, 0, __ATOMIC_RELAXED),
                 told_ns = seen_ns + usual_ns(c) * (c->planned - c->made),
                 most_ns = 8 * (seen_ns > 2 * c->target_ns ? seen_ns : 2 * c->target_ns);
    c->all_ns += c->batch_ns;
    c->call_ns = usual_ns(c);
    (void)autotune_step_end(&c->step, told_ns < most_ns ? told_ns : most_ns);
    c->planned = c->made = 0;
}
/* Nothing is said of what a race that goes on has found: it compares few calls, each of which another program may have
   held up. */
static void report(const openmp_region *region, const openmp_case *c) {
    const bool known = __atomic_load_n(&c->known, __ATOMIC_ACQUIRE);
    const double times = known && c->threads ? c->result.default_ns / c->result.median_ns : 0;
    if (times > 1.02)
        openmp_say(AUTOTUNE_LOG_WINNER,
                   "openmp: %s is %.2f times as fast with %d of %d threads; its line in the source: addr2line -e '%s' "
                   "0x%lx", region->module.place, times, c->threads, c->asked, region->module.path,
                   (unsigned long)region->module.offset - 1);
}
/* The program ends: what is known of a race goes to the next run, but for one whose step is open. */
static void end_cases(void) {
    openmp_region *region;
    openmp_case *c;
    if (openmp_is_child) return;
    for (region = __atomic_load_n(&openmp_newest, __ATOMIC_ACQUIRE); region; region = region->older)
        for (c = __atomic_load_n(&region->cases, __ATOMIC_ACQUIRE); c; c = c->next) {
            if (!__atomic_exchange_n(&c->busy, true, __ATOMIC_ACQUIRE) && c->made) end_batch(c);
            report(region, c);
        }
}
static int threads_of(const autotune_step *step) {      /* 0: as asked, which is the first configuration */
    return step->config.count && step->config.index ? (int)step->config.values[0] : 0;
}
/* While a step is measured, others of its key get what is in use. */
static int threads_in_use(openmp_case *c) {
    autotune_step other;
    c->options.result = NULL;
    (void)autotune_step_begin(c->tuner, &c->options, &other);
    c->options.result = &c->result;
    return threads_of(&other);
}
static void begin_batch(openmp_case *c) {
    static bool watches_end;
    plan_batch(c);
    c->options.work = c->planned;
    (void)autotune_step_begin(c->tuner, &c->options, &c->step);
    /* Registered after the library's own function, it is called before that. */
    if (!__atomic_exchange_n(&watches_end, true, __ATOMIC_RELAXED)) (void)atexit(end_cases);
    c->trying = threads_of(&c->step);
    __atomic_store_n(&c->threads, c->step.ticket ? threads_in_use(c) : c->trying, __ATOMIC_RELAXED);
    if (c->result.verdict == AUTOTUNE_ONGOING) add_loss(c, c->result.loss_seconds * 1e9 - c->lost_ns);
    if (c->step.ticket) return;
    c->planned = 0;
    if (c->result.verdict != AUTOTUNE_ONGOING && c->result.verdict != AUTOTUNE_DEFAULT)
        __atomic_store_n(&c->known, true, __ATOMIC_RELEASE);
}
void openmp_take(openmp_case *c, double began_ns) {
    const double ns = now_ns() - began_ns;
    c->batch_ns += ns;
    if (ns > c->longest_ns) c->longest_ns = ns;
    if (c->trying != c->threads && c->call_ns > 0) add_loss(c, ns - c->call_ns);       /* until the race tells it */
    c->made++;
    __atomic_store_n(&c->busy, false, __ATOMIC_RELEASE);
}
/* True: this call is measured. A batch ends when the region is called again: by then its debt is known. */
static bool joins_batch(openmp_case *c) {
    if (__atomic_exchange_n(&c->busy, true, __ATOMIC_ACQUIRE)) return false;
    if (c->planned && (c->made == c->planned || c->batch_ns > (c->made > 1 ? 2 : 8) * c->target_ns)) end_batch(c);
    if (!c->planned && may_lose()) begin_batch(c);
    if (c->planned) return true;
    __atomic_store_n(&c->busy, false, __ATOMIC_RELEASE);
    return false;
}

/* A runtime ends threads when a region has fewer than the one before it, and starts them anew in the next larger one.
   With libgomp a thread takes some 25 us, for which the larger region is not to blame. One thread alone ends none. */
static void charge_growth(openmp_case *c, const openmp_case *measured, int threads) {
    static __thread openmp_case *before;
    static __thread int had;
    const int64_t thread_ns = 25000;
    if (before && before != c && had > 1 && threads > had)
        __atomic_add_fetch(&before->debt_ns, thread_ns * (threads - had), __ATOMIC_RELAXED);
    before = measured ? c : NULL;
    had = threads;
}

void openmp_choose(openmp_call *call, openmp_region *region) {
    openmp_case *c;
    int asked;
    if (openmp_is_child || __atomic_load_n(&openmp_is_mixed, __ATOMIC_RELAXED) || openmp_only_runtime.level() > 0)
        return;
    asked = openmp_only_runtime.max_threads();
    if (asked < 2 || (!(c = known_case(region, asked)) && !(c = add_case(region, asked)))) return;
    if (!__atomic_load_n(&c->known, __ATOMIC_ACQUIRE) && joins_batch(c)) {
        call->threads = c->trying;
        call->measured = c;
        call->began_ns = now_ns();
    } else call->threads = __atomic_load_n(&c->threads, __ATOMIC_RELAXED);
    charge_growth(c, call->measured, call->threads ? call->threads : asked);
}
