/* fit_rule.c - see fit_rule.h */
#include "fit_rule.h"
#include <math.h>
#include <stdlib.h>

/* A leaf of fewer than LEAST_KEYS keys would fit their noise. A split has to save 0.5 % of the time at each of its
   keys. */
enum { LEAST_KEYS = 3, NEAR_KEYS = 4 };
static const double least_gain = 0.005, far = 2;

static double sum_at(const struct times *times, const bool *in, size_t config) {
    double sum = 0;
    for (size_t k = 0; k < COUNT(times->keys); k++)
        if (in[k]) sum += times->keys[k].ratio[config];
    return sum;
}
size_t answer_of_best_single(const struct times *times, const bool *in) {
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t c = 0; c < COUNT(times->configs); c++) {
        const double sum = times->complete[c] ? sum_at(times, in, c) : INFINITY;
        if (sum < least) least = sum, best = c;
    }
    return best;
}

/* ---- The configurations that cover all keys ---- */

/* Computes the least time of each key among the choices, without the choice at the place `without`. */
static void best_without(const struct times *times, const size_t *choices, size_t without, double *best) {
    for (size_t k = 0; k < COUNT(times->keys); k++) {
        best[k] = INFINITY;
        for (size_t i = 0; i < COUNT(choices); i++)
            if (i != without) best[k] = fmin(best[k], times->keys[k].ratio[choices[i]]);
    }
}
/* Finds the configuration that makes the sum over all keys least, if each key takes the better of it and `best`.
   Returns this sum. */
static double best_beside(const struct times *times, const bool *in, const double *best, size_t *config) {
    double least = INFINITY;
    for (size_t c = 0; c < COUNT(times->configs); c++) {
        double sum = 0;
        if (!times->complete[c]) continue;
        for (size_t k = 0; k < COUNT(times->keys) && sum < least; k++)
            if (in[k]) sum += fmin(best[k], times->keys[k].ratio[c]);
        if (sum < least) least = sum, *config = c;
    }
    return least;
}
/* Chooses configurations one after the other: each is the best addition to those before. Then exchanges each, as long
   as this makes the sum less. */
static size_t *choose(const struct times *times, const bool *in, size_t at_most) {
    double *best = autotune__allocate(COUNT(times->keys) * sizeof *best), sum = INFINITY;
    size_t *choices = NULL, config = 0, keys = 0;
    if (!best) no_memory();
    for (size_t k = 0; k < COUNT(times->keys); k++) keys += in[k];
    while (COUNT(choices) < at_most) {
        best_without(times, choices, SIZE_MAX, best);
        const double less = best_beside(times, in, best, &config);
        if (!(less < sum - least_gain * (double)keys)) break;
        PUSH(choices, config);
        sum = less;
    }
    for (size_t unchanged = 0, i = 0; unchanged < COUNT(choices); i = (i + 1) % COUNT(choices), unchanged++) {
        best_without(times, choices, i, best);
        const double less = best_beside(times, in, best, &config);
        if (!(less < sum - 1e-9 * sum)) continue;
        choices[i] = config;
        sum = less;
        unchanged = 0;
    }
    autotune__free(best);
    return choices;
}

/* ---- The tree ---- */

struct leaf { double sum, worst; size_t config, keys; };
/* Returns a leaf for the keys k with in[k]: the best of the choices, and the times with it. */
static struct leaf leaf_of(const struct times *times, const bool *in, const size_t *choices) {
    struct leaf best = {.sum = INFINITY, .config = SIZE_MAX};
    for (size_t i = 0; i < COUNT(choices); i++) {
        struct leaf leaf = {.config = choices[i]};
        for (size_t k = 0; k < COUNT(times->keys); k++) {
            if (!in[k]) continue;
            leaf.sum += times->keys[k].ratio[choices[i]];
            leaf.worst = fmax(leaf.worst, times->keys[k].ratio[choices[i]]);
            leaf.keys++;
        }
        if (leaf.sum < best.sum) best = leaf;
    }
    return best;
}
/* Returns a number between two numbers: their geometric mean if both are above 0. Between integers the result is an
   integer. */
static double between(double low, double high) {
    const double middle = low > 0 ? sqrt(low * high) : (low + high) / 2;
    return high - low >= 2 && rint(low) == low && rint(high) == high ? rint(middle) : middle;
}
static bool *those_up_to(const struct times *times, const bool *in, int part, double most, bool up_to) {
    bool *those = autotune__allocate(COUNT(times->keys) * sizeof *those);
    if (!those) no_memory();
    for (size_t k = 0; k < COUNT(times->keys); k++)
        those[k] = in[k] && (times->keys[k].number[part] <= most) == up_to;
    return those;
}
static double sum_of_split(const struct times *times, const bool *in, const size_t *choices, int part, double most) {
    bool *left = those_up_to(times, in, part, most, true), *right = those_up_to(times, in, part, most, false);
    const struct leaf a = leaf_of(times, left, choices), b = leaf_of(times, right, choices);
    autotune__free(left);
    autotune__free(right);
    return a.keys < LEAST_KEYS || b.keys < LEAST_KEYS ? INFINITY : a.sum + b.sum;
}
static double next_number(const struct times *times, const bool *in, int part, double above) {
    double next = INFINITY;
    for (size_t k = 0; k < COUNT(times->keys); k++)
        if (in[k] && times->keys[k].number[part] > above) next = fmin(next, times->keys[k].number[part]);
    return next;
}
static size_t grow(const struct times *times, const bool *in, const struct limits *limits, struct rule *rule) {
    const struct leaf leaf = leaf_of(times, in, rule->choices);
    const size_t at = COUNT(rule->nodes);
    struct node node = {.part = -1, .config = leaf.worst > limits->guard ? SIZE_MAX : leaf.config};
    double least = leaf.sum - least_gain * (double)leaf.keys;
    for (int part = 0; part < (int)times->part_count; part++) {
        double low = times->parts[part].is_number ? next_number(times, in, part, -INFINITY) : INFINITY, high;
        for (; (high = next_number(times, in, part, low)) < INFINITY; low = high) {
            const double sum = sum_of_split(times, in, rule->choices, part, between(low, high));
            if (sum < least) least = sum, node.part = part, node.most = between(low, high);
        }
    }
    PUSH(rule->nodes, node);
    if (node.part < 0) return at;
    for (int side = 0; side < 2; side++) {
        bool *those = those_up_to(times, in, node.part, node.most, side == 0);
        const size_t child = grow(times, those, limits, rule);
        if (side == 0) rule->nodes[at].left = child;
        else rule->nodes[at].right = child;
        autotune__free(those);
    }
    return at;
}
struct rule make_rule(const struct times *times, const bool *in, const struct limits *limits) {
    struct rule rule = {.choices = choose(times, in, limits->at_most)};
    for (size_t p = 0; p < times->part_count; p++) {
        rule.low[p] = INFINITY, rule.high[p] = -INFINITY;
        for (size_t k = 0; k < COUNT(times->keys); k++) {
            const double number = times->keys[k].number[p];
            if (!in[k] || !times->parts[p].is_number) continue;
            rule.low[p] = fmin(rule.low[p], number > 0 ? number / far : number * far);
            rule.high[p] = fmax(rule.high[p], number > 0 ? number * far : number / far);
        }
    }
    (void)grow(times, in, limits, &rule);
    return rule;
}
void free_rule(struct rule *rule) {
    stbds_arrfree(rule->nodes);
    stbds_arrfree(rule->choices);
}
size_t answer_of_rule(const struct times *times, const struct rule *rule, const double *number) {
    size_t at = 0;
    for (size_t p = 0; p < times->part_count; p++)
        if (times->parts[p].is_number && !(number[p] >= rule->low[p] && number[p] <= rule->high[p])) return SIZE_MAX;
    while (rule->nodes[at].part >= 0)
        at = number[rule->nodes[at].part] <= rule->nodes[at].most ? rule->nodes[at].left : rule->nodes[at].right;
    return rule->nodes[at].config;
}

/* ---- Other ways to choose: the library's guess, the winner of the nearest key, ANCHOR ---- */

/* Returns the distance of two keys. INFINITY: they are too far apart. */
static double distance_of(const struct times *times, size_t a, size_t b, bool guarded) {
    double product = 1;
    for (size_t p = 0; p < times->part_count; p++) {
        const double one = times->keys[a].number[p], other = times->keys[b].number[p],
                     ratio = one / other > 1 ? one / other : other / one;
        if (!times->parts[p].is_number || (one >= other && one <= other)) continue;
        if (!(ratio > 0) || (guarded && !(ratio <= far))) return INFINITY;
        product *= ratio;
    }
    return product;
}
/* Returns the nearest of the keys k with in[k] that are not among the first `count` of `found`. SIZE_MAX: none. */
static size_t next_nearest(const struct times *times, const bool *in, size_t key, const size_t *found, size_t count,
                           bool guarded) {
    size_t nearest = SIZE_MAX;
    double least = INFINITY;
    for (size_t k = 0; k < COUNT(times->keys); k++) {
        bool is_new = in[k] && k != key;
        for (size_t i = 0; i < count; i++) is_new = is_new && found[i] != k;
        const double distance = is_new ? distance_of(times, key, k, guarded) : INFINITY;
        if (distance < least) least = distance, nearest = k;
    }
    return nearest;
}
size_t answer_of_nearest(const struct times *times, const bool *in, size_t key) {
    const size_t nearest = next_nearest(times, in, key, NULL, 0, false);
    return nearest == SIZE_MAX ? SIZE_MAX : times->keys[nearest].winner;
}
static size_t least_mean(const struct times *times, const size_t *keys, size_t count) {
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t c = 0; c < COUNT(times->configs); c++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) sum += times->keys[keys[i]].ratio[c];
        if (sum < least) least = sum, best = c; /* false for a NAN */
    }
    return best;
}
size_t answer_of_four_nearest(const struct times *times, const bool *in, size_t key) {
    size_t found[NEAR_KEYS], count = 0, config = SIZE_MAX;
    while (count < NEAR_KEYS && (found[count] = next_nearest(times, in, key, found, count, true)) != SIZE_MAX) count++;
    for (; count > 1 && config == SIZE_MAX; count = count > 2 ? 2 : 1) config = least_mean(times, found, count);
    return config == SIZE_MAX && count ? times->keys[found[0]].winner : config;
}
static double bucket_of(double number) { return number > 0 ? exp2(ceil(log2(number))) : number; }
size_t answer_of_bucket(const struct times *times, const bool *in, size_t key) {
    size_t first = SIZE_MAX;
    for (size_t k = 0; k < COUNT(times->keys); k++) {
        bool is_in = in[k] && k != key;
        for (size_t p = 0; is_in && p < times->part_count; p++) {
            const double one = bucket_of(times->keys[k].number[p]), other = bucket_of(times->keys[key].number[p]);
            is_in = !times->parts[p].is_number || (one >= other && one <= other);
        }
        if (is_in && (first == SIZE_MAX || strcmp(times->keys[k].date, times->keys[first].date) < 0)) first = k;
    }
    return first == SIZE_MAX ? SIZE_MAX : times->keys[first].winner;
}
