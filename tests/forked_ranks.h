/* forked_ranks.h - ranks without MPI: processes that fork() makes, with shared memory and a barrier in it. Define
   _DEFAULT_SOURCE before it, and MOST_RANKS for more than 8 ranks. For C and C++. */
#ifndef FORKED_RANKS_H
#define FORKED_RANKS_H

#include "plain.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#ifndef MOST_RANKS
#define MOST_RANKS 8
#endif
enum { MOST_VALUES = 64, MOST_GROUPS = 4, MOST_BYTES = 1 << 20 };

/* The memory that the ranks of one group share. */
typedef struct group {
    int count;
    int arrived, round;                         /* the state of the barrier; the lock guards it */
    pthread_mutex_t lock;
    pthread_cond_t all_arrived;
    double values[MOST_RANKS][MOST_VALUES];
    unsigned char bytes[MOST_BYTES];
} group;
/* The memory that all ranks of one run share. */
typedef struct run {
    group groups[MOST_GROUPS];
    int exchanges[MOST_RANKS];                  /* how many exchanges each rank has made */
    double seconds_of_nap;                      /* the time that autotune_waiting() gets for each nap of a rank */
    char log[MOST_RANKS][4096];                 /* the log of each rank */
    unsigned char results[1 << 16];             /* results of the test */
} run;
static run *shared;
static int own_rank; /* the rank of this process among all processes of the run */

/* Waits until all ranks have arrived. The time of a wait is the number of naps times seconds_of_nap, so it does not
   depend on the speed of the machine. */
static inline void barrier(autotune_ranks *self) {
    group *g = (group *)self->user;
    struct timespec until;
    unsigned naps = 0;
    int round;
    pthread_mutex_lock(&g->lock);
    round = g->round;
    if (++g->arrived == g->count) {
        g->arrived = 0;
        g->round++;
        pthread_cond_broadcast(&g->all_arrived);
    }
    while (g->round == round) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 10 * MILLISECOND;
        until.tv_sec += until.tv_nsec / (1000 * MILLISECOND);
        until.tv_nsec %= 1000 * MILLISECOND;
        if (pthread_cond_timedwait(&g->all_arrived, &g->lock, &until) == 0 || g->round != round) continue;
        pthread_mutex_unlock(&g->lock);
        autotune_waiting(self, ++naps * shared->seconds_of_nap, NULL);
        pthread_mutex_lock(&g->lock);
    }
    pthread_mutex_unlock(&g->lock);
}
static inline autotune_status max_of_all(autotune_ranks *self, double *values, size_t count) {
    group *g = (group *)self->user;
    size_t i;
    int r;
    CHECK(count <= MOST_VALUES);
    shared->exchanges[own_rank]++;
    memcpy(g->values[self->rank], values, count * sizeof *values);
    barrier(self);
    for (r = 0; r < g->count; r++)
        for (i = 0; i < count; i++) if (g->values[r][i] > values[i]) values[i] = g->values[r][i];
    barrier(self); /* no rank writes before all ranks have read */
    return AUTOTUNE_OK;
}
static inline autotune_status share_of_first(autotune_ranks *self, void *bytes, size_t count) {
    group *g = (group *)self->user;
    CHECK(count && count <= MOST_BYTES);
    shared->exchanges[own_rank]++;
    if (self->rank == 0) memcpy(g->bytes, bytes, count);
    barrier(self);
    memcpy(bytes, g->bytes, count);
    barrier(self);
    return AUTOTUNE_OK;
}
/* Returns the ranks of the group with this number; this process is `rank`. */
static inline autotune_ranks ranks_of(int number, int rank, int count) {
    autotune_ranks ranks = {rank, count, max_of_all, share_of_first, NULL};
    shared->groups[number].count = count;
    ranks.user = &shared->groups[number];
    return ranks;
}
static inline autotune_ranks all_ranks(int count) { return ranks_of(0, own_rank, count); }

static inline void keep_log(void *user, autotune_log_level level, const char *line) {
    char *log = shared->log[own_rank];
    const size_t used = strlen(log);
    (void)user, (void)level;
    snprintf(log + used, sizeof shared->log[0] - used, "%s\n", line);
}
static inline void prepare_barrier(group *g) {
    pthread_mutexattr_t of_lock;
    pthread_condattr_t of_condition;
    CHECK(pthread_mutexattr_init(&of_lock) == 0 && pthread_condattr_init(&of_condition) == 0);
    CHECK(pthread_mutexattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED) == 0);
    CHECK(pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED) == 0);
    CHECK(pthread_mutex_init(&g->lock, &of_lock) == 0 && pthread_cond_init(&g->all_arrived, &of_condition) == 0);
}
/* Starts the program in `count` processes. */
static inline void start_ranks(int count, unsigned limit, void (*program)(int rank, int count), pid_t *children) {
    int r;
    for (r = 0; r < MOST_RANKS; r++) {
        shared->exchanges[r] = 0;
        shared->log[r][0] = 0;
    }
    memset(shared->groups, 0, sizeof shared->groups);
    for (r = 0; r < MOST_GROUPS; r++) prepare_barrier(&shared->groups[r]);
    memset(shared->results, 0, sizeof shared->results);
    for (r = 0; r < count; r++) {
        CHECK((children[r] = fork()) >= 0);
        if (children[r]) continue;
        own_rank = r;
        autotune_set_log(keep_log, NULL);
        alarm(limit);
        program(r, count);
        _exit(EXIT_SUCCESS);
    }
}
/* Runs the program in `count` processes. A process that still runs after `limit` seconds is killed, and the test
   fails. */
static inline void run_ranks(int count, unsigned limit, void (*program)(int rank, int count)) {
    pid_t children[MOST_RANKS];
    int r, status;
    start_ranks(count, limit, program, children);
    for (r = 0; r < count; r++) {
        CHECK(waitpid(children[r], &status, 0) == children[r]);
        if (WIFSIGNALED(status)) fprintf(stderr, "rank %d of %d was ended by signal %d\n", r, count, WTERMSIG(status));
        else if (WEXITSTATUS(status)) fprintf(stderr, "rank %d of %d exited with %d\n", r, count, WEXITSTATUS(status));
        if (!WIFEXITED(status) || WEXITSTATUS(status)) { /* the others would wait for this rank */
            for (int other = r + 1; other < count; other++) kill(children[other], SIGKILL);
            CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
        }
    }
}
/* Like run_ranks(), but one rank may end by SIGKILL. Then all ranks are killed, as mpirun does. Returns true if this
   happened. */
static inline bool run_mortal_ranks(int count, unsigned limit, void (*program)(int rank, int count)) {
    pid_t children[MOST_RANKS], ended;
    int r, left, status;
    bool died = false;
    start_ranks(count, limit, program, children);
    for (left = count; left > 0; left--) {
        do ended = waitpid(-1, &status, 0);
        while (ended < 0);
        CHECK(WIFEXITED(status) ? !WEXITSTATUS(status) : WTERMSIG(status) == SIGKILL);
        if (!WIFSIGNALED(status)) continue;
        for (r = 0; r < count && !died; r++) if (children[r] != ended) kill(children[r], SIGKILL);
        died = true;
    }
    return died;
}
static inline void share_run(void) {
    shared = (run *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
}

#endif
