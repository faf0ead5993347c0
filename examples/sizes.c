/* A program with too many sizes to tune them all. `sizes` chooses configurations for 481 sizes without a race, by the
   rule in sizes_rule.h. To make the rule, 12 sizes were tuned and saved, and `autotune fit` wrote a C function:

       sizes sizes.jsonl
       autotune fit --format c --name sizes_rule --output sizes_rule.h --file sizes.jsonl sizes.c:tune

   The rule holds for the machine on which it was made. On another machine, make it again with these commands. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include "sizes_rule.h"
#include <stdio.h>

enum { LEAST = 32, MOST = 512, MOST_LANES = 32 };
static float matrix[MOST * MOST], vector[MOST], product[MOST];

/* Adds the products in `lanes` independent sums, so that no sum waits for another. The rest is added one by one. */
static inline __attribute__((always_inline)) float dot(const float *x, const float *y, int n, int lanes) {
    float sum[MOST_LANES] = {0}, all = 0;
    int i = 0;
    for (; i + lanes <= n; i += lanes) for (int l = 0; l < lanes; l++) sum[l] += x[i + l] * y[i + l];
    for (; i < n; i++) all += x[i] * y[i];
    for (int l = 0; l < lanes; l++) all += sum[l];
    return all;
}
static void multiply(int n, int lanes) {
    #define LANES(l) case l: for (int i = 0; i < n; i++) product[i] = dot(matrix + i * n, vector, n, l); break;
    switch (lanes) { LANES(1) LANES(2) LANES(4) LANES(8) LANES(16) LANES(32) }
}

static bool tune(int n) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(lanes, 1, 2, 4, 8, 16, 32)), 1, multiply(n, lanes), .key = KEY(n), .result = &result);
    printf("n = %3d: %2s lanes, %6.2f us, %4.1f x as fast as 1\n", n, autotune_get_label(&result.config, "lanes"),
           result.median_ns / 1e3, result.default_ns / result.median_ns);
    return result.status == AUTOTUNE_OK;
}
static bool tune_some(const char *file) {
    const int some[] = { LEAST, 41, 53, 68, 88, 113, 145, 187, 240, 309, 398, MOST };
    bool right = true;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) right = tune(some[i]) && right;
    return right && autotune_save(file) == AUTOTUNE_OK;
}
static bool compute_all(void) {
    int answered = 0, sizes[MOST_LANES + 1] = {0};
    bool right = true;
    for (int n = LEAST; n <= MOST; n++) {
        const struct sizes_rule_choice *choice = sizes_rule(n);
        const int lanes = choice ? (int)choice->lanes : 1;      /* NULL: the rule does not hold for n */
        multiply(n, lanes);
        answered += choice != NULL;
        sizes[lanes]++;
        for (int i = 0; i < n; i++) right = right && product[i] == dot(matrix + i * n, vector, n, 1);
    }
    printf("the rule answered for %d of %d sizes\n", answered, MOST - LEAST + 1);
    for (int lanes = 1; lanes <= MOST_LANES; lanes++)
        if (sizes[lanes]) printf("%3d sizes with %2d lanes\n", sizes[lanes], lanes);
    return right;
}

int main(int count, char **arguments) {
    /* Whole numbers: their sums are exact in any order. */
    for (int i = 0; i < MOST * MOST; i++) matrix[i] = (float)(i % 7);
    for (int i = 0; i < MOST; i++) vector[i] = (float)(i % 5);
    const bool right = count > 1 ? tune_some(arguments[1]) : compute_all();
    puts(right ? "all right" : "something is WRONG");
    return right ? 0 : 1;
}
