/* fit_rule.h - rules: which configuration a key is given, by a tree over its numbers; and other ways to answer, with
   which a rule is compared */
#pragma once
#include "fit_times.h"

struct node {
    int part;         /* which number decides; -1: none, this is a leaf */
    double most;      /* up to this number the left side counts */
    size_t left, right;
    size_t config;    /* of a leaf; SIZE_MAX: it answers none */
};
struct rule {
    struct node *nodes;                         /* the first is the root. Arrays of stb_ds */
    size_t *choices;                            /* the configurations that cover all keys */
    double low[MOST_PARTS], high[MOST_PARTS];   /* of each number; beyond them the rule answers none */
};
struct limits {
    size_t at_most; /* configurations */
    double guard;   /* a leaf answers none if a key of it would take so many times its best time */
};

/* From the keys that are `in`. */
struct rule make_rule(const struct times *times, const bool *in, const struct limits *limits);
void free_rule(struct rule *rule);
/* Returns the answer for the numbers of a key; SIZE_MAX: none. */
size_t answer_of_rule(const struct times *times, const struct rule *rule, const double *number);
size_t answer_of_four_nearest(const struct times *times, const bool *in, size_t key);
size_t answer_of_nearest(const struct times *times, const bool *in, size_t key);
size_t answer_of_best_single(const struct times *times, const bool *in);
size_t answer_of_bucket(const struct times *times, const bool *in, size_t key); /* of the key that came first */
