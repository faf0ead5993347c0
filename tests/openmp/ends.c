/* ends.c WAY - a program whose main thread ends before another thread, which still runs a region. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double values[1 << 10];
static void sweep(int calls) {
    for (int call = 0; call < calls; call++) {
#pragma omp parallel for
        for (int i = 0; i < 1 << 10; i++) values[i] = values[i] * 0.5 + i;
    }
}
static void *go_on(void *way) {
    sleep(1);                                   /* meanwhile the library finds that the main thread has ended */
    sweep(2000);
    printf("%s: %g\n", (const char *)way, values[1]);
    fflush(stdout);
    if (!strcmp(way, "waits")) for (;;) pause();
    if (!strcmp(way, "executes")) execlp("sh", "sh", "-c", "exit 3", (char *)NULL);
    return NULL;
}
int main(int count, char **arguments) {
    pthread_t thread;
    char *const way = count > 1 ? arguments[1] : arguments[0];
    sweep(1000);
    pthread_create(&thread, NULL, go_on, way);
    pthread_exit(NULL);
}
