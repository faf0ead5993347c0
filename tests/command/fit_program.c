/* fit_program.c - the program of fit.sh: it tunes a space with known times, guesses, and computes by brute force the
   rule that `autotune fit` has to find.

       fit_program tune SIZE...    fit_program guess SIZE...    fit_program expect SIZE...    fit_program pair SIZE...

   WINNERS is a header that the command exported, and RULE a function that the command made. Compiled with these, the
   program also knows `shipped`, which guesses from the winners, and `rule`, which prints the answers of the function.
   FIT_VERSION is the tuner's version. */
#include "autotune.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WINNERS
#include WINNERS
#endif
#ifdef RULE
#include RULE
#endif

enum { TILES = 12, MOST = 64 };
static uint64_t virtual_ns;
static uint64_t virtual_now(autotune_backend *self) { return (void)self, virtual_ns; }

/* Returns the time of a call in ns. The best tile grows with the size n. A tile that is a multiple of 3 is slow if it
   does not divide n. */
static uint64_t cost(int n, int tile) {
    const int off = tile * tile * 16 - n, rest = tile % 3 == 0 && n % tile ? 4000 : 0;
    return (uint64_t)(20000 + 3 * abs(off) + rest + 7 * tile);
}
static double ratio(int n, int tile) {
    uint64_t best = UINT64_MAX;
    for (int t = 1; t <= TILES; t++) if (cost(n, t) < best) best = cost(n, t);
    return (double)cost(n, tile) / (double)best;
}
static autotune_result tune(int n, autotune_mode mode) {
    autotune_backend clock = autotune_cpu();
    autotune_result result;
    clock.now = virtual_now;
    AUTOTUNE(SPACE(RANGE(tile, 1, TILES, 1)), 1, (void)(virtual_ns += cost(n, tile)), .name = "fit", .key = KEY(n),
             .version = getenv("FIT_VERSION"), .mode = mode,
             .unseen = mode == AUTOTUNE_CACHED ? AUTOTUNE_GUESS : AUTOTUNE_RACE, .backend = &clock, .result = &result);
    return result;
}

/* ---- Brute force ---- */

static int winner(int n) {
    int best = 1;
    for (int t = 2; t <= TILES; t++) if (cost(n, t) < cost(n, best)) best = t;
    return best;
}
static double distance(int a, int b) { return a > b ? (double)a / b : (double)b / a; }
static int mean_of(const int *sizes, int count) {
    int best = 0;
    double least = 1e300;
    for (int t = 1; t <= TILES; t++) {
        double sum = 0;
        for (int i = 0; i < count; i++) sum += ratio(sizes[i], t);
        if (sum < least) least = sum, best = t;
    }
    return best;
}
static int asked;
static int order_by_distance(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    const double one = distance(a, asked), other = distance(b, asked);
    return one < other ? -1 : one > other ? 1 : a - b;
}
static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}
static void print_row(const char *way, double *regrets, int count) {
    qsort(regrets, (size_t)count, sizeof *regrets, compare);
    printf("%s|%d|%.1f %%|%.1f %%|%.1f %%\n", way, count, 100 * regrets[(count + 1) / 2 - 1],
           100 * regrets[(int)ceil(0.95 * count) - 1], 100 * regrets[count - 1]);
}
static void expect(const int *sizes, int count) {
    double four[MOST], one[MOST], single[MOST];
    int answered = 0;
    for (int k = 0; k < count; k++) {
        int others[MOST], near = 0, filled = 0;
        asked = sizes[k];
        for (int i = 0; i < count; i++) if (i != k) others[filled++] = sizes[i];
        qsort(others, (size_t)filled, sizeof *others, order_by_distance);
        while (near < filled && near < 4 && distance(others[near], asked) <= 2) near++;
        if (near > 1) four[answered++] = ratio(asked, mean_of(others, near)) - 1;
        if (near == 1) four[answered++] = ratio(asked, winner(others[0])) - 1;
        one[k] = ratio(asked, winner(others[0])) - 1;
        single[k] = ratio(asked, mean_of(others, filled)) - 1;
    }
    print_row("four nearest keys", four, answered);
    print_row("nearest key's winner", one, count);
    print_row("best single", single, count);
}
/* Prints the best two tiles for all sizes, if a program takes the better of the two for each size. */
static void pair(const int *sizes, int count) {
    double least = 1e300;
    int x = 0, y = 0;
    for (int s = 1; s <= TILES; s++)
        for (int t = s + 1; t <= TILES; t++) {
            double sum = 0;
            for (int i = 0; i < count; i++) sum += fmin(ratio(sizes[i], s), ratio(sizes[i], t));
            if (sum < least) least = sum, x = s, y = t;
        }
    printf("%d %d\n", x, y);
}

int main(int count, char **arguments) {
    int sizes[MOST], filled = 0;
#ifdef WINNERS
    if (!strcmp(arguments[1], "shipped") &&
        autotune_load_text(autotune_winners, sizeof autotune_winners - 1) != AUTOTUNE_OK) return 2;
#endif
    for (int i = 2; i < count && filled < MOST; i++) sizes[filled++] = atoi(arguments[i]);
    for (int i = 0; i < filled; i++) {
        if (!strcmp(arguments[1], "tune") && tune(sizes[i], AUTOTUNE_ON).status != AUTOTUNE_OK) return 1;
        if (!strcmp(arguments[1], "guess") || !strcmp(arguments[1], "shipped")) {
            const autotune_result r = tune(sizes[i], AUTOTUNE_CACHED);
            printf("%d: tile %s, %s from %s\n", sizes[i], autotune_get_label(&r.config, "tile"),
                   autotune_verdict_text(r.verdict), r.guessed_from ? r.guessed_from : "nothing");
        }
#ifdef RULE
        if (!strcmp(arguments[1], "rule")) {
            const struct fitted_choice *choice = fitted(sizes[i]);
            printf("%d: tile %lld\n", sizes[i], choice ? choice->tile : -1);
        }
#endif
    }
    if (!strcmp(arguments[1], "expect")) expect(sizes, filled);
    if (!strcmp(arguments[1], "pair")) pair(sizes, filled);
    return 0;
}
