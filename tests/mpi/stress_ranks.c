/* stress_ranks.c - ranks over MPI beside busy processes. Communicators come and go, threads use them for the first time
   at once, and ranks come late. Configurations fail on one rank, and a second thread calls in the middle of a
   statement. All ranks must choose the same configuration, no rank may wait for ever, and hits must not communicate.
   Its argument is the seed. */
#define _DEFAULT_SOURCE
#include "autotune_mpi.h"
#include "busy.h"
#include <pthread.h>

enum { TILES = 6, KEYS = 4, THREADS = 3 };
static int rank, ranks; /* in MPI_COMM_WORLD */
static int own, size;   /* rank and number of ranks in `group` */
static MPI_Comm group;
static int bad_tile, bad_rank, calls, launches;
static pthread_barrier_t together;

/* Waits for up to 2 ms, or not at all. The time differs from rank to rank; roll() gives the same numbers on all
   ranks. */
static void come_late(void) {
    static unsigned state;
    state = state * 1103515245u + 12345u + (unsigned)rank * 7919u;
    if (state >> 16 & 1) usleep(state >> 16 & 2047);
}
static void same_everywhere(int value) {
    int extremes[2] = {value, -value};
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, group);
    CHECK(extremes[0] == -extremes[1]);
}
static void compute(int tile) {
    volatile double sum = 0;
    for (int i = 0; i < 1000 * (tile + 4); i++) sum += i;
}
/* A second thread makes a statement in the middle of a launch on all ranks. The statement is a hit if its key is KNOWN;
   otherwise it is refused. */
static void tune_simply(int key, autotune_result *result) {
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, compute(tile), .key = KEY(key), .ranks = MPI_RANKS(group),
             .preset = AUTOTUNE_FAST, .max_seconds = 0.1, .result = result);
}
enum { KNOWN, UNKNOWN };
static void *tune_beside(void *key) {
    autotune_result result;
    tune_simply(*(int *)key, &result);
    if (*(int *)key == KNOWN) CHECK(result.status == AUTOTUNE_OK && result.cache_hit);
    else CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && result.index == 0);
    return NULL;
}
static int crowded; /* the number of the launch in which the second thread makes its statement; 0: none */
static autotune_status launch(int tile, bool trial, bool communicates) {
    calls += !trial;
    if (trial && ++launches == crowded) {
        int key = crowded % 2 ? KNOWN : UNKNOWN;
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, tune_beside, &key) == 0 && pthread_join(thread, NULL) == 0);
    }
    come_late();
    if (communicates) same_everywhere(tile);
    compute(tile);
    return own == bad_rank && tile == bad_tile ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static autotune_result tune(int key, autotune_agreement agreement) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(tile, autotune_trial, agreement == AUTOTUNE_TOGETHER),
             .key = KEY(key), .ranks = MPI_RANKS(group), .agree = agreement, .preset = AUTOTUNE_FAST,
             .max_seconds = 0.1, .result = &result);
    return result;
}
static void *use_first(void *found) {
    pthread_barrier_wait(&together);
    *(autotune_ranks **)found = MPI_RANKS(group);
    return NULL;
}
static void use_first_in_threads(void) {
    autotune_ranks *found[THREADS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) CHECK(pthread_create(&threads[t], NULL, use_first, &found[t]) == 0);
    for (int t = 0; t < THREADS; t++) CHECK(pthread_join(threads[t], NULL) == 0);
    for (int t = 0; t < THREADS; t++) CHECK(found[t] == found[0] && found[t]->count == size);
}
static void use_communicator(void) {
    autotune_result known;
    MPI_Comm_split(MPI_COMM_WORLD, roll(2) ? rank % 2 : 0, rank, &group);
    MPI_Comm_rank(group, &own);
    MPI_Comm_size(group, &size);
    come_late();
    use_first_in_threads();
    tune_simply(KNOWN, &known);
    CHECK(known.status == AUTOTUNE_OK);
    for (int key = 0; key < KEYS; key++) {
        const autotune_agreement agreement = (autotune_agreement)roll(3);
        autotune_result result;
        bad_rank = roll(size + 1); /* `size`: no rank is bad */
        bad_tile = 1 + roll(TILES - 1); /* never tile 0: the race may have time for this tile alone */
        crowded = size > 1 && agreement == AUTOTUNE_TOGETHER ? roll(12) : 0;
        calls = launches = 0;
        result = tune(key, agreement);
        if (size > 1 && bad_rank < size) CHECK(result.index != (size_t)bad_tile);
        CHECK(result.status == AUTOTUNE_OK && calls >= 1);
        same_everywhere((int)result.index);
        CHECK(tune(key, agreement).index == result.index);
    }
    MPI_Comm_free(&group);
}

int main(int count, char **arguments) {
    int level, communicators = 0, goes_on = 1;
    const double end = seconds_now() + STRESS_SECONDS;
    alarm(600);
    setenv("AUTOTUNE_CACHE", "off", 1);
    autotune_set_log(say_nothing, NULL);
    if (count > 1) dice = strtoull(arguments[1], NULL, 0);
    CHECK(pthread_barrier_init(&together, NULL, THREADS) == 0);
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK(level == MPI_THREAD_MULTIPLE);
    if (rank == 0) begin_busy_processes();
    for (; goes_on; communicators++) {
        use_communicator();
        goes_on = seconds_now() < end;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) end_busy_processes();
    if (rank == 0) printf("%d communicators\n", communicators);
    MPI_Finalize();
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    return EXIT_SUCCESS;
}
