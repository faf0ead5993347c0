/* fit.h - how a rule is written: as a line of the cache, and as a function of C */
#pragma once
#include "fit_rule.h"

struct regrets {   /* of a way to answer, each key left out once: sorted shares of the best time, 0.1 for 10 % */
    const char *way;
    double *regrets, *at; /* arrays of stb_ds; at: by the number of the key, NAN where it answers none */
};
double quantile(const struct regrets *regrets, double part);

void append_rule_line(autotune__text *out, const struct times *times, const struct rule *rule);
int append_rule_function(autotune__text *out, const struct times *times, const struct rule *rule, const char *name,
                         const char *file, const struct regrets *regrets);
