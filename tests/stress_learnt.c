/* stress_learnt.c - a quicksort of the same numbers in each trial: the branch predictor learns their order, and the log
   has to say so. In a sum of the same numbers there is nothing to learn. */
#define _DEFAULT_SOURCE
#include "autotune.h"
#include "plain.h"

enum { COUNT = 200 };
static int numbers[COUNT];
static volatile int sink;
static void sort(int *v, int count, int least) {
    while (count > least) {
        const int pivot = v[count / 2];
        int i = 0, j = count - 1;
        for (;; i++, j--) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i >= j) break;
            const int swap = v[i];
            v[i] = v[j];
            v[j] = swap;
        }
        sort(v, i, least);
        v += i;
        count -= i;
    }
    for (int i = 1; i < count; i++) {
        const int number = v[i];
        int at = i;
        for (; at > 0 && v[at - 1] > number; at--) v[at] = v[at - 1];
        v[at] = number;
    }
}
static void add(const int *v, int count, int times) {
    for (int k = 0; k < times; k++) {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += v[i] ^ k;
        sink = sum;
    }
}
static void mix(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    for (int i = 0; i < COUNT; i++) numbers[i] = rand();
}
static bool is_told(const autotune_result *r) { return r->note && strstr(r->note, "learnt the data"); }
static bool what_is_learnt_is_told(void) {
    static int key;
    autotune_result sorted, mixed, added;
    mix(NULL, NULL);
    key++;
    AUTOTUNE(SPACE(AXIS(least, 16, 8, 24)), 1, sort(numbers, COUNT, least), .name = "sorted", .key = KEY(key),
             .restore = BUFFERS({numbers, sizeof numbers}), .cache = AUTOTUNE_CACHE_OFF, .result = &sorted);
    AUTOTUNE(SPACE(AXIS(least, 16, 8, 24)), 1, sort(numbers, COUNT, least), .name = "mixed", .key = KEY(key),
             .restore = BUFFERS({numbers, sizeof numbers}), .setup = mix, .cache = AUTOTUNE_CACHE_OFF,
             .result = &mixed);
    AUTOTUNE(SPACE(AXIS(times, 22, 20, 24)), 1, add(numbers, COUNT, times), .name = "added", .key = KEY(key),
             .restore = BUFFERS({numbers, sizeof numbers}), .cache = AUTOTUNE_CACHE_OFF, .result = &added);
    printf("sorted: %s\nmixed: %s\nadded: %s\n", sorted.note ? sorted.note : "-", mixed.note ? mixed.note : "-",
           added.note ? added.note : "-");
    return is_told(&sorted) && !is_told(&mixed) && !is_told(&added);
}
/* Another program on the same core also teaches and clears the predictor, at times for seconds. */
static void learnt_data_are_told(void) {
    bool told = false;
    for (int tries = 0; tries < 5 && !told; tries++) told = in_one_of_ten_tries(what_is_learnt_is_told);
    CHECK(told);
}
int main(void) {
    static const plain_test tests[] = {{"learnt data are told", learnt_data_are_told}};
    return RUN_PLAIN_TESTS(tests);
}
