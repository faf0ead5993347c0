/* A registry of named kernels whose spaces are built at run time. All kernels are tuned at once for the expected sizes.
   After that dispatch() tunes nothing, and takes the first configuration for an unexpected size.

   If FILE does not exist, `registry FILE` saves the winners to FILE. The next run loads FILE, tunes nothing, and uses
   the winners. So a program can be shipped with its results. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdio.h>
#include <unistd.h>

enum { MOST = 512 };
static float in[MOST * MOST], out[MOST * MOST];
typedef struct matrix { int n; } matrix;
static int launches;

static int least(int a, int b) { return a < b ? a : b; }
static autotune_status transpose(void *user, const autotune_config *config) {
    const int n = ((matrix *)user)->n, block = (int)autotune_get_int(config, "block");
    launches++;
    for (int i = 0; i < n; i += block)
        for (int j = 0; j < n; j += block)
            for (int y = i; y < least(i + block, n); y++)
                for (int x = j; x < least(j + block, n); x++) out[x * n + y] = in[y * n + x];
    return AUTOTUNE_OK;
}
static autotune_status sum_columns(void *user, const autotune_config *config) {        /* writes the first row of out */
    const int n = ((matrix *)user)->n, block = (int)autotune_get_int(config, "block");
    launches++;
    for (int j = 0; j < n; j += block) {
        for (int x = j; x < least(j + block, n); x++) out[x] = 0;
        for (int y = 0; y < n; y++) for (int x = j; x < least(j + block, n); x++) out[x] += in[y * n + x];
    }
    return AUTOTUNE_OK;
}

static struct kernel {
    const char *name;
    autotune_status (*launch)(void *user, const autotune_config *);
    autotune_tuner *tuner;
} kernels[] = { { "transpose", transpose, NULL }, { "sum_columns", sum_columns, NULL } };
enum { KERNELS = sizeof kernels / sizeof *kernels };
static matrix expected[] = { { 64 }, { 192 }, { MOST } };
enum { EXPECTED = sizeof expected / sizeof *expected };

static bool register_kernels(void) {
    int64_t blocks[16];
    size_t count = 0;
    for (int block = 4; block <= MOST; block *= 2) blocks[count++] = block;
    const autotune_axis axis = { .name = "block", .values = blocks, .count = count };
    for (int k = 0; k < KERNELS; k++) {
        const autotune_desc desc = {.name = kernels[k].name,
                                    .axes = &axis,
                                    .axis_count = 1,
                                    .launch = kernels[k].launch};
        if (!(kernels[k].tuner = autotune_create(&desc))) return false;
    }
    return true;
}
static autotune_status tune_kernels(void) {
    for (int k = 0; k < KERNELS; k++)
        for (int e = 0; e < EXPECTED; e++)
            autotune_add(kernels[k].tuner,
                         &(autotune_options){.key = KEY(expected[e].n), .user = &expected[e], .max_seconds = 0.2});
    return autotune_tune_all();
}
static void show(void *user, const autotune_known *known) {
    const autotune_result *r = &known->result;
    (void)user;
    printf("%-12s n = %3d: block %3s, %6.1f us, %4.2f x as fast as block 4\n", known->name, (int)known->key.word[0],
           autotune_get_label(&r->config, "block"), r->median_ns / 1e3, r->default_ns / r->median_ns);
}
static bool dispatch(const char *name, int n) {
    autotune_result r = { .status = AUTOTUNE_ERR_ARGUMENT };
    for (int k = 0; k < KERNELS; k++) {
        if (strcmp(kernels[k].name, name)) continue;
        autotune_call(kernels[k].tuner, &(autotune_options){ .key = KEY(n), .mode = AUTOTUNE_CACHED,
                                                             .user = &(matrix){ n }, .result = &r });
        printf("%s(%d) took %s\n", name, n, r.cache_hit ? "the winner" : "the first configuration");
    }
    return r.status == AUTOTUNE_OK;
}

int main(int count, char **arguments) {
    const char *file = count > 1 ? arguments[1] : NULL;
    const bool shipped = file && access(file, R_OK) == 0;
    for (int i = 0; i < MOST * MOST; i++) in[i] = (float)(i % 97);
    bool right = register_kernels() && (!shipped || autotune_load(file) == AUTOTUNE_OK) &&
                 tune_kernels() == AUTOTUNE_OK;
    printf("%s with %d launches\n", shipped ? "loaded" : "tuned", launches);
    if (file && !shipped) right = right && autotune_save(file) == AUTOTUNE_OK;
    autotune_each(show, NULL);
    for (int e = 0; e < EXPECTED; e++) right = right && dispatch("transpose", expected[e].n);
    right = right && dispatch("transpose", 100) && out[7 * 100 + 3] == in[3 * 100 + 7];
    autotune_config winner;
    right = right && autotune_lookup("sum_columns", KEY(MOST), &winner) == AUTOTUNE_OK;         /* launches nothing */
    right = right && autotune_lookup("sum_columns", KEY(100), &winner) == AUTOTUNE_ERR_MISS;
    for (int k = 0; k < KERNELS; k++) autotune_destroy(kernels[k].tuner);
    puts(right ? "all right" : "something is WRONG");
    return right ? 0 : 1;
}
