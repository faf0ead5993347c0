/* autotune_create() and autotune_destroy(), and the queue of cases for autotune_tune_all(). */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "description.h"

/* The cases that wait for autotune_tune_all(), the oldest first. autotune__lock guards the array. */
typedef struct autotune__case {
    autotune_tuner *tuner;
    autotune_options options;
    char *strings;                              /* the memory of the strings of `options` */
} autotune__case;
static autotune__case *autotune__cases;

/* Takes the first case of a tuner out of the queue; the caller frees its strings. tuner: NULL for any tuner. Returns
   false if no such case waits. */
static bool autotune__take_case(const autotune_tuner *tuner, autotune__case *taken) {
    size_t i = 0, count;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    count = autotune__count(autotune__cases);
    while (i < count && tuner && autotune__cases[i].tuner != tuner) i++;
    if (i == count) return false;
    *taken = autotune__cases[i];
    AUTOTUNE__REMOVE(autotune__cases, i);
    if (count == 1) AUTOTUNE__FREE_ARRAY(autotune__cases);
    return true;
}

/* Drops the waiting cases and the online races of a tuner; NULL: of all tuners. */
static __attribute__((__cold__)) void autotune__drop_all_for(const autotune_tuner *tuner) {
    autotune__case waiting;
    while (autotune__take_case(tuner, &waiting)) autotune__free(waiting.strings);
    if (autotune__measured_calls.drop_all) autotune__measured_calls.drop_all(tuner ? &tuner->site : NULL);
}
AUTOTUNE__API void autotune_destroy(autotune_tuner *tuner) {
    const autotune__statement *statement = autotune__current;
    size_t a;
    while (tuner && statement && statement->subject.site != &tuner->site) statement = statement->outer;
    if (!tuner || statement) return;            /* this thread runs a statement of this tuner */
    autotune__drop_all_for(tuner);
    autotune__lock_mutex(&autotune__lock);
    AUTOTUNE__UNLINK(autotune__created_sites, &tuner->site, next_known);
    autotune__reset_site(&tuner->site);
    autotune__unlock_mutex(&autotune__lock);
    autotune__free_space(&tuner->space);
    for (a = 0; a < tuner->space.axis_count; a++) autotune__free((void *)(uintptr_t)tuner->names[a]);
    autotune__free((void *)(uintptr_t)tuner->site.function);
    autotune__free(tuner);
}
/* Makes a tuner. Returns NULL if the description is wrong, or if there is no memory. `problem` then has the reason; an
   empty `problem` means that there is no memory. */
static __attribute__((__cold__, __noinline__)) autotune_tuner *autotune__make_tuner(const autotune_desc *desc,
                                                                                    autotune__text *problem) {
    autotune_tuner *tuner;
    if (autotune__description_problem(problem, desc) || !(tuner = (autotune_tuner *)autotune__allocate(sizeof *tuner)))
        return NULL;
    tuner->desc = *desc;
    tuner->desc.axes = NULL;
    tuner->desc.configs = NULL;
    tuner->desc.name = tuner->site.function = autotune__copy_string(desc->name);
    tuner->site.build = AUTOTUNE__BUILD;
    tuner->site.last = &AUTOTUNE__NO_ENTRY;
    if (autotune__describe_created(tuner, desc, problem) && tuner->site.function) return tuner;
    autotune_destroy(tuner);
    return NULL;
}
AUTOTUNE__API autotune_tuner *autotune_create(const autotune_desc *desc) {
    autotune__text problem AUTOTUNE__FREED = { NULL, false };
    autotune_tuner *tuner = NULL;
    autotune__ready();
    if (desc) tuner = autotune__make_tuner(desc, &problem);
    else autotune__append(&problem, "the description is NULL");
    if (!tuner)
        autotune__complain("autotune_create of '%.64s': %s", desc && desc->name ? desc->name : "",
                           problem.at ? autotune__string(&problem) : "out of memory");
    return tuner;
}
