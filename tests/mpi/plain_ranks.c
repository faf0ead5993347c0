/* plain_ranks.c - ranks of an MPI program choose the same configuration: in calls that communicate, in several
   communicators, in mode ONLINE, from several threads. Errors of MPI become statuses. Its argument is the thread level
   for MPI_Init_thread(). With the argument "late" one rank comes late. */
#define _DEFAULT_SOURCE
#include "autotune_mpi.h"
#include "plain.h"
#include <pthread.h>
#include <time.h>

enum { KEYS = 200, SOME_KEYS = 20, TILES = 5 };
static int rank, ranks, exchanges;
static autotune_backend own_clock;
static uint64_t noise;
static char said[1 << 14];

static void keep_log(void *user, autotune_log_level level, const char *line) {
    const size_t used = strlen(said);
    (void)user, (void)level;
    snprintf(said + used, sizeof said - used, "%s\n", line);
}
/* Neighbours exchange a message of tile + 1 numbers, whose tag is the tile. If two neighbours had different tiles, the
   message would not arrive. */
static autotune_status exchange(int *called, int tile, MPI_Comm all) {
    int out[TILES] = {0}, in[TILES], count, size, own;
    MPI_Status status;
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &own);
    MPI_Sendrecv(out, tile + 1, MPI_INT, (own + 1) % size, tile, in, TILES, MPI_INT, (own + size - 1) % size, tile, all,
                 &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == tile + 1);
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    spend(100000 + (noise >> 40) % 3000); /* all tiles take the same time; each rank adds its own noise */
    *called = tile;
    return AUTOTUNE_OK;
}
static autotune_result result;
static int tune(int key, autotune_ranks *group, MPI_Comm all) {
    int called = -1;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, exchange(&called, tile, all), .key = KEY(key), .ranks = group,
             .backend = &own_clock, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && called >= 0);
    return called;
}
static void same_everywhere(int value, MPI_Comm all) {
    int extremes[2] = {value, -value};
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, all);
    CHECK(extremes[0] == -extremes[1]);
}

static autotune_status (*true_max)(autotune_ranks *self, double *values, size_t count);
static autotune_status counted_max(autotune_ranks *self, double *values, size_t count) {
    exchanges++;
    return true_max(self, values, count);
}
static void tune_keys(void) {
    autotune_ranks *const world = MPI_RANKS(MPI_COMM_WORLD);
    CHECK(world->rank == rank && world->count == ranks && world == MPI_RANKS(MPI_COMM_WORLD));
    true_max = world->max;
    world->max = counted_max;
    const int keys = ranks == 2 ? KEYS : SOME_KEYS;
    int tiles[KEYS];
    for (int key = 0; key < keys; key++) {
        tiles[key] = tune(key, MPI_RANKS(MPI_COMM_WORLD), MPI_COMM_WORLD);
        same_everywhere(tiles[key], MPI_COMM_WORLD);
        CHECK(result.tried == TILES);
    }
    CHECK((exchanges > 0) == (ranks > 1));
    exchanges = 0;
    for (int key = 0; key < keys; key++) {
        CHECK(tune(key, MPI_RANKS(MPI_COMM_WORLD), MPI_COMM_WORLD) == tiles[key] && result.cache_hit);
    }
    CHECK(exchanges == 0);
}
/* The calls do not communicate, so the ranks divide the space: each rank screens a part. */
static void divide_a_space(void) {
    int called = -1;
    AUTOTUNE(SPACE(RANGE(tile, 0, 63, 1)), 1,
             (spend((uint64_t)(1 + rank) * (tile == 41 ? 100000 : 300000)), called = tile), .name = "divided",
             .ranks = MPI_RANKS(MPI_COMM_WORLD), .agree = AUTOTUNE_DIVIDED, .strategy = AUTOTUNE_EXHAUSTIVE,
             .backend = &own_clock, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && called == 41 && result.tried <= (size_t)(63 / ranks + 2 + 8));
}
/* Rows and columns of ranks tune the same key, each group for itself. Their communicators are made anew in each
   round. */
static void tune_in_groups(void) {
    for (int round = 0; round < 2; round++) {
        MPI_Comm row, column;
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
        CHECK(MPI_RANKS(row) != MPI_RANKS(column));
        const int of_row = tune(100, MPI_RANKS(row), row), of_column = tune(100, MPI_RANKS(column), column);
        same_everywhere(of_row, row);
        same_everywhere(of_column, column);
        CHECK(tune(100, MPI_RANKS(row), row) == of_row && result.cache_hit);
        CHECK(tune(100, MPI_RANKS(column), column) == of_column && result.cache_hit);
        MPI_Comm_free(&row);
        MPI_Comm_free(&column);
    }
}
/* Calls in mode ONLINE that communicate, in two communicators in turn. The tiles 3 and 4 are the fastest on all ranks
   but rank 1, where they take three times as long. So tile 2 wins if rank 1 takes part. */
static autotune_status exchange_online(int *called, int tile, MPI_Comm all) {
    const autotune_status status = exchange(called, tile, all);
    spend(1000000 * (uint64_t)(rank == 1 && tile > 2 ? 3 * (9 - tile) : 9 - tile));
    return status;
}
static void tune_online(void) {
    MPI_Comm communicators[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    autotune_result own;
    int called[2] = {-1, -1}, calls = 0, hits = 0, all_hit = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &communicators[1]);
    for (; calls < 3000 && !all_hit; calls++) {
        for (int i = hits = 0; i < 2; i++) {
            own.status = AUTOTUNE_FAILED;
            AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, exchange_online(&called[i], tile, communicators[i]),
                     .name = "online", .key = KEY(1), .mode = AUTOTUNE_ONLINE, .ranks = MPI_RANKS(communicators[i]),
                     .backend = &own_clock, .result = &own);
            CHECK(own.status == AUTOTUNE_OK && own.launches <= 1);
            hits += own.cache_hit && own.verdict != AUTOTUNE_ONGOING;
        }
        hits = hits == 2;
        MPI_Allreduce(&hits, &all_hit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    CHECK(all_hit && calls > 20);
    for (int i = 0; i < 2; i++) same_everywhere(called[i], communicators[i]);
    CHECK(called[0] == (ranks > 1 ? 2 : TILES - 1));
    MPI_Comm_free(&communicators[1]);
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    return exchange(user, (int)autotune_get_int(config, "tile"), MPI_COMM_WORLD);
}
static void tune_in_other_ways(void) {
    static const int64_t tiles[] = {0, 1, 2, 3, 4};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = TILES};
    const autotune_desc description = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    int called = -1;
    autotune_options options = {.user = &called, .backend = &own_clock, .ranks = MPI_RANKS(MPI_COMM_WORLD)};
    autotune_tuner *const tuner = autotune_create(&description);
    CHECK(autotune_tune(tuner, &options) == AUTOTUNE_OK && autotune_call(tuner, &options) == AUTOTUNE_OK);
    same_everywhere(called, MPI_COMM_WORLD);
    autotune_destroy(tuner);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, TILES - 1, 1)), .name = "block", .backend = &own_clock,
                   .ranks = MPI_RANKS(MPI_COMM_WORLD), .result = &result) exchange(&called, tile, MPI_COMM_WORLD);
    CHECK(result.status == AUTOTUNE_OK);
    same_everywhere(called, MPI_COMM_WORLD);
    AUTOTUNE_SELECT((.name = "select", .backend = &own_clock, .ranks = MPI_RANKS(MPI_COMM_WORLD)),
                    exchange(&called, 0, MPI_COMM_WORLD), exchange(&called, 1, MPI_COMM_WORLD));
    same_everywhere(called, MPI_COMM_WORLD);
}
/* In place of the function of MPI: it fails if the test asks for it. */
static bool reductions_fail;
int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm all,
                   MPI_Request *request) {
    return reductions_fail ? MPI_ERR_OTHER : PMPI_Iallreduce(in, out, count, type, op, all, request);
}
static void errors_are_statuses(void) {
    autotune_ranks *gone;
    MPI_Comm other;
    int called = -1;
    if (ranks == 1) return;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    gone = MPI_RANKS(other);
    for (int freed = 0; freed < 2; freed++) {
        reductions_fail = !freed;
        if (freed) MPI_Comm_free(&other);
        AUTOTUNE(SPACE(RANGE(tile, 3, 5, 1)), 1, called = tile, .name = "errors", .ranks = gone, .backend = &own_clock,
                 .result = &result);
        reductions_fail = false;
        CHECK(called == 3 && result.status == AUTOTUNE_ERR_ENVIRONMENT);
        CHECK(last_error_has("cannot reach the other ranks"));
        CHECK(last_error_has(freed ? "the communicator was freed" : "MPI_Iallreduce: MPI_ERR_OTHER"));
    }
}
static bool attributes_fail;
int MPI_Comm_set_attr(MPI_Comm all, int attribute, void *value) {
    return attributes_fail ? MPI_ERR_OTHER : PMPI_Comm_set_attr(all, attribute, value);
}
/* The last rank cannot store its `autotune_ranks` at a communicator. Then no rank stores them, and the next use makes
   them on all ranks. */
static void all_keep_them_or_none(void) {
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    attributes_fail = rank == ranks - 1;
    CHECK(MPI_RANKS(other)->count == 0);
    attributes_fail = false;
    CHECK(MPI_RANKS(other)->count == ranks);
    CHECK(tune(200, MPI_RANKS(other), other) >= 0);
    MPI_Comm_free(&other);
}
static void *tune_in_a_thread(void *level) {
    int called = -1;
    autotune_result own = {.status = AUTOTUNE_OK};
    AUTOTUNE(SPACE(RANGE(tile, 0, 2, 1)), 1, (spend(1000000), called = tile), .name = "thread",
             .ranks = MPI_RANKS(MPI_COMM_WORLD), .backend = &own_clock, .result = &own);
    CHECK(called >= 0);
    if (ranks > 1 && *(int *)level < MPI_THREAD_SERIALIZED) {
        CHECK(own.status == AUTOTUNE_ERR_ENVIRONMENT && called == 0);
        CHECK(last_error_has("this is not the main thread"));
    } else CHECK(own.status == AUTOTUNE_OK);
    return NULL;
}
static void tune_in_threads(int level) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, tune_in_a_thread, &level) == 0 && pthread_join(thread, NULL) == 0);
}
/* Several threads of each rank use a communicator for the first time, at the same time. All get the same
   `autotune_ranks`. */
enum { THREADS = 4, COMMUNICATORS = 12 };
static pthread_barrier_t together;
static MPI_Comm first_used;
static void *use_first(void *found) {
    pthread_barrier_wait(&together);
    *(autotune_ranks **)found = MPI_RANKS(first_used);
    return NULL;
}
static void use_first_in_threads(void) {
    CHECK(pthread_barrier_init(&together, NULL, THREADS) == 0);
    for (int i = 0; i < COMMUNICATORS; i++) {
        autotune_ranks *found[THREADS];
        pthread_t threads[THREADS];
        MPI_Comm_dup(MPI_COMM_WORLD, &first_used);
        for (int t = 0; t < THREADS; t++) CHECK(pthread_create(&threads[t], NULL, use_first, &found[t]) == 0);
        for (int t = 0; t < THREADS; t++) CHECK(pthread_join(threads[t], NULL) == 0);
        for (int t = 0; t < THREADS; t++) CHECK(found[t] == found[0] && found[t]->count == ranks);
        CHECK(tune(300 + i, MPI_RANKS(first_used), first_used) >= 0);
        MPI_Comm_free(&first_used);
    }
    pthread_barrier_destroy(&together);
}
static void name_no_communicator(void) {
    int called = -1;
    AUTOTUNE(SPACE(RANGE(tile, 3, 5, 1)), 1, called = tile, .name = "none", .ranks = MPI_RANKS(MPI_COMM_NULL),
             .result = &result);
    CHECK(called == 3 && result.status == AUTOTUNE_ERR_ARGUMENT && last_error_has("name a communicator that exists"));
}
extern int clock_speed; /* see implementation.c */
static void come_late(void) {
    const struct timespec late = {3, 0};
    char sentence[200];
    const char *waited;
    int seconds = 0;
    uint64_t took = machine_ns();
    clock_speed = 4; /* 3 s become 12 s on the clock of waiting ranks */
    CHECK(MPI_RANKS(MPI_COMM_WORLD)->count == ranks);
    if (rank == ranks - 1) nanosleep(&late, NULL);
    tune(1000, MPI_RANKS(MPI_COMM_WORLD), MPI_COMM_WORLD);
    took = (machine_ns() - took) * (uint64_t)clock_speed;
    snprintf(sentence, sizeof sentence, "rank %d of %d has been waiting for other ranks for ", rank, ranks);
    if (rank == ranks - 1) { CHECK(!*said); return; }
    CHECK((waited = strstr(said, sentence)) != NULL && strstr(said, "key=1000"));
    CHECK(sscanf(waited + strlen(sentence), "%d s: ", &seconds) == 1 && seconds >= 10);
    CHECK((uint64_t)seconds * SECOND <= took); /* on a busy machine it may be more than 12 s */
}

int main(int count, char **arguments) {
    const char *argument = count > 1 ? arguments[1] : "";
    const bool multiple = !strcmp(argument, "multiple"), late = !strcmp(argument, "late");
    int level;
    alarm(600);
    setenv("AUTOTUNE_CACHE", "off", 1);
    autotune_set_log(keep_log, NULL);
    own_clock = virtual_backend("virtual");
    CHECK(MPI_RANKS(MPI_COMM_WORLD)->count == 0); /* MPI_Init() was not called yet */
    MPI_Init_thread(&count, &arguments, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    noise = (uint64_t)rank * 7919 + 17;
    if (late) come_late();
    else {
        tune_keys();
        divide_a_space();
        tune_in_groups();
        tune_online();
        tune_in_other_ways();
        errors_are_statuses();
        all_keep_them_or_none();
        tune_in_threads(level);
        if (level == MPI_THREAD_MULTIPLE) use_first_in_threads();
        name_no_communicator();
    }
    MPI_Finalize();
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    return EXIT_SUCCESS;
}
