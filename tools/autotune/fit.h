/* fit.h - how a rule is written: as a line of the cache, and as a function of C */
#pragma once
#include "fit_rule.h"

/* The regrets of one way to choose configurations, in a cross-validation that leaves each key out once. A regret is the
   share by which the chosen configuration is slower than the best: 0.1 for 10 %. */
struct regrets {
    const char *way;      /* the name of this way, such as "rule" */
    double *regrets;      /* sorted, an array of stb_ds */
    double *at;           /* the regret of each key, by its number, an array of stb_ds; NAN: nothing was chosen */
};
double quantile(const struct regrets *regrets, double part);

void append_rule_line(autotune__text *out, const struct times *times, const struct rule *rule);
int append_rule_function(autotune__text *out, const struct times *times, const struct rule *rule, const char *name,
                         const char *file, const struct regrets *regrets);
