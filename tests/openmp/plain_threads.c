/* plain_threads.c - four threads begin regions at once: the same regions and different ones, some of them for the first
   time. A fifth thread forks. The program contains the files of libautotune_openmp, so that the thread sanitizer checks
   them. standin.c replaces the OpenMP runtime, which the sanitizer does not understand. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void body_function(void *);
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags);

enum { THREADS = 4, BODIES = 8, CALLS = 20000 };
static void body(void *data) {
    long *const count = data;
    ++*count;
}
/* The library identifies a region by the return address of its call, and by its body. */
#define BODY(n) static void body##n(void *data) { body(data); }
BODY(0) BODY(1) BODY(2) BODY(3) BODY(4) BODY(5) BODY(6) BODY(7)
static body_function *const bodies[BODIES] = {body0, body1, body2, body3, body4, body5, body6, body7};

static void *run(void *argument) {
    long *const count = argument;
    for (int i = 0; i < CALLS; i++) {
        GOMP_parallel(body, count, 0, 0);
        GOMP_parallel(bodies[(i / 100) % BODIES], count, 0, 0);
        GOMP_parallel(body, count, 3, 0);
    }
    return NULL;
}
static void *fork_often(void *argument) {
    int *const failed = argument;
    for (int i = 0; i < 20; i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0) {
            long count = 0;
            GOMP_parallel(body, &count, 0, 0);
            _exit(count != 1);
        }
        if (waitpid(child, &status, 0) != child || status != 0) *failed = 1;
    }
    return NULL;
}
int main(void) {
    long counts[THREADS] = {0};
    pthread_t threads[THREADS], forks;
    int failed = 0;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, &counts[i]);
    pthread_create(&forks, NULL, fork_often, &failed);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_join(forks, NULL);
    for (int i = 0; i < THREADS; i++) failed |= counts[i] != 3 * CALLS;
    printf("%s\n", failed ? "a region was not run as often as it was begun" : "all right");
    return failed;
}
