/* ahead.c - mode ONLINE while the host runs ahead of the device: 10,000 launches of some 20 us, 60 configurations, on
   a virtual clock. The device measures the time of each launch, and the host knows the time when the launch has ended.
   Prints a table: a line for each greatest number of queued launches. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

#include <stdio.h>

enum { CALLS = 10000, POINTS = 60, MOST_QUEUED = 1024 };
static const double first_ns = 20e3, host_ns = 4e3; /* time of the first configuration; time of the host per call */

static double host, device;                         /* the present time of the host; when the device has made all its
                                                       launches; in ns */
static double ends[MOST_QUEUED];                    /* the ends of the last launches, in ns */
static double begun[AUTOTUNE_MOST_OPEN], ended[AUTOTUNE_MOST_OPEN];
static uint64_t noise = 7;

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}
static double cost(int64_t point) {
    uint64_t state = (uint64_t)(point + 1) * 0x9E3779B97F4A7C15u;
    (void)uniform(&state);
    return point == 0 ? first_ns : (0.7 + 1.3 * uniform(&state)) * first_ns;
}
/* A launch waits only if `queued` launches are in the queue. */
static void launch(int64_t point, size_t call, size_t queued) {
    host += host_ns;
    if (call >= queued && ends[(call - queued) % MOST_QUEUED] > host) host = ends[(call - queued) % MOST_QUEUED];
    if (device < host) device = host;
    device += cost(point) * (1 + 0.02 * uniform(&noise));
    ends[call % MOST_QUEUED] = device;
}

static uint64_t now(autotune_backend *self) { (void)self; return (uint64_t)host; }
static autotune_status start(autotune_backend *self) { (void)self; return AUTOTUNE_OK; }
static autotune_status stop(autotune_backend *self, double *ns) { (void)self; *ns = 0; return AUTOTUNE_OK; }
static autotune_status clock_call(autotune_backend *self, size_t number, bool is_end) {
    (void)self;
    (is_end ? ended : begun)[number] = device > host ? device : host;
    return AUTOTUNE_OK;
}
static autotune_status ask(autotune_backend *self, size_t number, double *ns) {
    (void)self;
    *ns = ended[number] <= host ? ended[number] - begun[number] : -1;
    return AUTOTUNE_OK;
}

static void run(size_t queued) {
    autotune_backend backend = autotune_cpu();
    autotune_result result;
    size_t settled = CALLS;
    host = device = 0;
    backend.now = now;
    backend.start = start;
    backend.stop = stop;
    backend.clock_call = clock_call;
    backend.ask = ask;
    for (size_t call = 0; call < CALLS; call++) {
        AUTOTUNE(SPACE(RANGE(point, 0, POINTS - 1, 1)), 1, launch(point, call, queued), .backend = &backend,
                 .mode = AUTOTUNE_ONLINE, .key = KEY(queued), .cache = AUTOTUNE_CACHE_OFF, .result = &result);
        if (result.cache_hit && settled == CALLS) settled = call;
    }
    printf("%6zu   ", queued);
    if (settled < CALLS) printf("%7zu", settled);
    else printf("  never");
    printf("   %25.3f   %.2f\n", device / (CALLS * first_ns * 1.01), cost((int64_t)result.index) / first_ns);
    (void)autotune_shutdown();
}
int main(void) {
    double best = first_ns;
    for (int point = 0; point < POINTS; point++) if (cost(point) < best) best = cost(point);
    printf("%d launches of %.0f us, %d configurations, the best takes %.2f of the first one's time\n", CALLS,
           first_ns / 1e3, POINTS, best / first_ns);
    printf("queued   settled   all of the untuned's time   the last call's\n");
    for (size_t queued = 1; queued <= MOST_QUEUED; queued *= 4) run(queued);
    return 0;
}
