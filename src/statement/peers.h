/* The peers of a statement: the other ranks that make it, too. A statement asks them at each point where ranks have to
   agree, and does all else as if it were alone. The floor collective has their functions; a statement that is alone has
   none: trial.peers is NULL. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "statement.h"

/* A function of type bool returns true if the statement goes on, unless its comment says otherwise. If it returns
   false, the peers have decided what the statement does instead. */
struct autotune__peers {
    /* The statement: */
    void (*begin)(autotune__subject *);
    bool (*meet)(autotune__statement *);                    /* no winner of its key is known to this process */
    void (*leave)(autotune__statement *);                   /* one is known */
    bool (*recall)(autotune__statement *);                  /* finds the candidates: see recall.h */
    void (*recall_news)(autotune__statement *);             /* a winner became known, and is the next candidate */
    bool (*agree_on_candidate)(autotune__statement *);      /* that was prepared, or launched */
    void (*distrust)(autotune__statement *);                /* no candidate works */
    void (*accept_candidate)(autotune__statement *);        /* it works: the statement ends with it */
    bool (*end)(autotune__statement *);                     /* returns true if they were told of the end */
    bool (*have_ended)(autotune__statement *);              /* returns true if they have ended the statement */
    /* Its race: */
    bool (*race_for_it)(const autotune__statement *);       /* returns true if one of them races alone */
    bool (*begin_race)(autotune__statement *, autotune__beginning *);
    void (*divide)(autotune__statement *, autotune__limits *);
    void (*take_part)(const autotune__statement *, autotune__race_setup *);
    bool (*join_parts)(autotune__statement *);              /* returns false if the race is over */
    bool (*tell_winner)(autotune__statement *);             /* returns true if it is the next candidate of all */
    const char *(*bind)(const autotune__statement *);       /* why trials work in no child process; NULL: they do */
    /* Its trials: */
    void (*step_past_point)(autotune__trial_state *);       /* that was judged */
    void (*step_into_run)(autotune__trial_state *);
    void (*make_ready)(autotune__trial_state *, bool judged);
    void (*agree_to_go_on)(autotune__trial_state *);
    void (*agree_on_time)(autotune__trial_state *, double *ns, bool *disturbed, uint64_t stopped);
    autotune_error_class (*meaning_of)(const autotune__trial_state *, autotune_status);     /* of the last launch */
    bool (*make_each_launch)(const autotune__trial_state *);    /* returns true if they make each one, too */
    /* A statement begins, and these peers have so many bytes of state for it; or it ends before it could begin. */
    size_t group_bytes;
    void (*join)(autotune__statement *);
    void (*end_before_joining)(const autotune__site *, const autotune_options *, autotune_status);
};
/* The door RANKS. Without it every statement is alone. */
typedef struct autotune__collective_table {
    const struct autotune__peers *(*peers_of)(const autotune_options *);        /* NULL: the statement is alone */
    bool (*problem)(autotune__text *, const autotune_options *);    /* appends what is wrong; false: nothing is */
    bool (*is_in_trial_of_rank)(void);          /* returns true in a trial that this rank makes alone */
} autotune__collective_table;
AUTOTUNE__DECLARE_TABLE(autotune__collective_table, autotune__collective)
#ifdef AUTOTUNE_WITHOUT_RANKS
static bool autotune__refuse_ranks(autotune__text *problem, const autotune_options *options AUTOTUNE__UNUSED) {
    return autotune__append(problem, ".ranks is left out of this program (AUTOTUNE_WITHOUT_RANKS)"), true;
}
AUTOTUNE__DEFINE_TABLE(autotune__collective_table, autotune__collective, NULL, autotune__refuse_ranks, NULL)
#endif
/* Appends what is wrong with the options for peers; false: nothing is. */
static bool autotune__peers_problem(autotune__text *problem, const autotune_options *options) {
    return options->ranks && autotune__collective.problem(problem, options);
}
/* The peers that the options name. NULL: the statement is alone. */
static const struct autotune__peers *autotune__peers_of(const autotune_options *options) {
    return options->ranks && autotune__collective.peers_of ? autotune__collective.peers_of(options) : NULL;
}
/* Behind the statement there is room for their group. Ranks are another tuner than others, also where there is one. */
static void autotune__give_peers(autotune__statement *statement, const struct autotune__peers *peers) {
    statement->trial.peers = peers;
    statement->subject.peers = statement->subject.options.ranks;
    if (peers) statement->trial.group = (struct autotune__peer_group *)(void *)(statement + 1);
}
/* The meaning of this error of the last launch. If peers agreed on that launch, the worst error of all counts. */
static autotune_error_class autotune__meaning_of(const autotune__trial_state *trial, autotune_status status) {
    return trial->peers ? trial->peers->meaning_of(trial, status) : autotune__class_of(trial->subject->backend, status);
}
