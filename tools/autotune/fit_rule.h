/* fit_rule.h - rules. A rule chooses a configuration for a key by a tree over the numbers of the key. Other ways to
   choose a configuration are here, too, to compare rules with them. */
#pragma once
#include "fit_times.h"

struct node {
    int part;         /* the part of the key whose number decides; -1: the node is a leaf */
    double most;      /* a number up to this goes to the node `left`, a greater number to `right` */
    size_t left, right;
    size_t config;    /* the configuration of a leaf; SIZE_MAX: the leaf gives no answer */
};
struct rule {
    struct node *nodes;                         /* the first is the root. Arrays of stb_ds */
    size_t *choices;                            /* the configurations that cover all keys */
    double low[MOST_PARTS], high[MOST_PARTS];   /* of each number; beyond them the rule gives no answer */
};
struct limits {
    size_t at_most; /* the greatest number of configurations in a rule */
    double guard;   /* a leaf gives no answer if one of its keys would take more than `guard` times its best time */
};

/* Makes a rule from the keys k with in[k]. */
struct rule make_rule(const struct times *times, const bool *in, const struct limits *limits);
void free_rule(struct rule *rule);
/* These functions return a configuration; SIZE_MAX: no answer. They use the keys k with in[k]. */
size_t answer_of_rule(const struct times *times, const struct rule *rule, const double *number);
size_t answer_of_four_nearest(const struct times *times, const bool *in, size_t key);
size_t answer_of_nearest(const struct times *times, const bool *in, size_t key);
size_t answer_of_best_single(const struct times *times, const bool *in);
size_t answer_of_bucket(const struct times *times, const bool *in, size_t key); /* the bucket's first winner */
