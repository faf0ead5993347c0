/* The peers of a statement: the other ranks that make the same statement. A statement asks its peers wherever ranks
   have to agree. It does all other work as if it were alone. The floor `collective` defines the functions of the peers.
   If a statement is alone, trial.peers is NULL. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "statement.h"

/* If the comment of a bool function says nothing else, the function returns true if the statement goes on. It returns
   false if the peers have already decided what the statement does instead. */
struct autotune__peers {
    /* The statement: */
    void (*begin)(autotune__subject *);                     /* notes how many ranks launch together, and if this rank
                                                               is not the first rank */
    bool (*meet)(autotune__statement *);                    /* called if this process knows no winner of the key */
    void (*leave)(autotune__statement *);                   /* called if this process knows the winner */
    bool (*recall)(autotune__statement *);                  /* finds the candidates: see store/recall.h */
    void (*recall_new_winner)(autotune__statement *);       /* a winner became known, and is the next candidate */
    /* Called after a candidate was prepared or launched. Returns false if the group of the peers has ended. Then
       have_ended() decides what the statement does. */
    bool (*agree_on_candidate)(autotune__statement *);
    void (*distrust)(autotune__statement *);                /* called if no candidate works */
    void (*accept_candidate)(autotune__statement *);        /* the candidate works, and the statement ends with it */
    bool (*end)(autotune__statement *);                     /* returns true if it told the peers of the end */
    /* Returns true if the group of the peers has ended, and decides what the statement does instead. */
    bool (*have_ended)(autotune__statement *);
    /* Its race: */
    bool (*another_rank_races)(const autotune__statement *);       /* returns true if another rank races alone */
    bool (*begin_race)(autotune__statement *, autotune__beginning *);       /* agrees on limits and prior knowledge */
    void (*divide)(autotune__statement *, autotune__limits *);      /* before a race: divides it, lowers its limits */
    void (*take_part)(const autotune__statement *, autotune__race_setup *); /* sets the part of this rank */
    bool (*join_parts)(autotune__statement *);              /* returns false if nothing is left to race */
    /* Returns true if the winner is the next candidate of all ranks: */
    bool (*make_winner_the_candidate)(autotune__statement *);
    const char *(*bind)(const autotune__statement *);       /* why trials cannot run in a child; NULL: they can */
    /* Its trials: */
    void (*step_past_point)(autotune__trial_state *);       /* called after a point was judged */
    void (*step_into_run)(autotune__trial_state *);         /* called before a RUN */
    void (*make_ready)(autotune__trial_state *, bool judged);       /* called before a batch */
    void (*agree_to_go_on)(autotune__trial_state *);        /* fails the launch on all ranks if it failed on one rank */
    /* Called after a batch: its time on the slowest rank counts, and a disturbance on any rank. */
    void (*agree_on_time)(autotune__trial_state *, double *ns, bool *disturbed, uint64_t stopped);
    autotune_error_class (*meaning_of)(const autotune__trial_state *, autotune_status);     /* of an error of the last
                                                                                               launch */
    bool (*make_each_launch)(const autotune__trial_state *);    /* returns true if the peers make each launch, too */
    /* The beginning of a statement: */
    size_t group_bytes;                                     /* the size of the peer group of a statement */
    void (*join)(autotune__statement *);                    /* joins the peers, and does not wait for them */
    /* Called if the statement could not begin: tells the peers, which would wait in meet(). */
    void (*end_before_joining)(const autotune__site *, const autotune_options *, autotune_status);
};
/* The door RANKS. Without this door every statement is alone. */
typedef struct autotune__collective_table {
    const struct autotune__peers *(*peers_of)(const autotune_options *);        /* NULL: the statement is alone */
    bool (*problem)(autotune__text *, const autotune_options *);    /* true: an option is wrong; appends a sentence */
    bool (*is_in_trial_of_rank)(void);          /* returns true in a trial that this rank makes alone */
} autotune__collective_table;
AUTOTUNE__DECLARE_TABLE(autotune__collective_table, autotune__collective)
#ifdef AUTOTUNE_WITHOUT_RANKS
static bool autotune__refuse_ranks(autotune__text *problem, const autotune_options *options AUTOTUNE__UNUSED) {
    return autotune__append(problem, ".ranks is left out of this program (AUTOTUNE_WITHOUT_RANKS)"), true;
}
AUTOTUNE__DEFINE_TABLE(autotune__collective_table, autotune__collective, NULL, autotune__refuse_ranks, NULL)
#endif
/* Returns true if an option for peers is wrong, and appends a sentence. */
static bool autotune__peers_problem(autotune__text *problem, const autotune_options *options) {
    return options->ranks && autotune__collective.problem(problem, options);
}
/* Returns the peers that the options name. NULL: the statement is alone. */
static const struct autotune__peers *autotune__peers_of(const autotune_options *options) {
    return options->ranks && autotune__collective.peers_of ? autotune__collective.peers_of(options) : NULL;
}
/* Gives the statement its peers. Their data are in the memory after the statement. A call site with .ranks is a
   separate tuner, even if there is only one rank. */
static void autotune__give_peers(autotune__statement *statement, const struct autotune__peers *peers) {
    statement->trial.peers = peers;
    statement->subject.peers = statement->subject.options.ranks;
    if (peers) statement->trial.group = (struct autotune__peer_group *)(void *)(statement + 1);
}
/* Returns the meaning of an error of the last launch. If ranks agreed on this launch, the worst error counts. */
static autotune_error_class autotune__meaning_of(const autotune__trial_state *trial, autotune_status status) {
    return trial->peers ? trial->peers->meaning_of(trial, status) : autotune__class_of(trial->subject->backend, status);
}
