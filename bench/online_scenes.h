/* online_scenes.h - programs whose calls are not alike, for online.c. A change of configuration takes time, a first
   call builds something, or light and heavy calls alternate. There are eight configurations, with a noise of 1 %. The
   first takes 200 us, and the best 100 us. */
#ifndef ONLINE_SCENES_H
#define ONLINE_SCENES_H

#include "sets.h"

enum { SCENE_CONFIGURATIONS = 8, SCENE_BEST = 3 };

typedef struct scene {
    const char *name;
    size_t calls;       /* the calls of the program */
    double switch_us;   /* a call takes this time longer if the call before had another configuration */
    double build_us;    /* the first call of each configuration but the first takes this time longer */
    double heavy;       /* a heavy call has this many times the work of a light call */
    size_t period;      /* one call in this many is heavy; 0: no call is */
    bool scaled;        /* true: the time of a heavy call is multiplied. false: each configuration takes longer by the
                           same time */
    double allowance_s; /* .max_seconds */
    size_t ranks;       /* a call takes the time of the slowest of this many ranks */
    /* limits of --check, for 20 runs: */
    size_t wrong;       /* runs that end with a wrong configuration */
    size_t separated;   /* wrong runs with the verdict SEPARATED */
    size_t ended;       /* each race ends before this many calls; 0: no limit */
    double loss_error;  /* the error of .loss_seconds at the end, divided by the true loss; 0: no limit */
} scene;
#define SWITCHES(us, wrong_of_20) \
    {.name = "a change of configuration costs " #us " us", .calls = 10000, .switch_us = us, .allowance_s = 0.1, \
     .ranks = 1, .wrong = wrong_of_20, .ended = 10000, .loss_error = 0.1}
#define BUILDS(steps, wrong_of_20) \
    {.name = "a first call builds for " #steps " steps", .calls = 20000, .build_us = 200. * steps, .allowance_s = 0.1, \
     .ranks = 1, .wrong = wrong_of_20, .ended = 20000, .loss_error = 0.1}
#define IN_TURN(times, in, how, scales) \
    {.name = "one call in " #in " has " #times " times the work" how, .calls = 10000, .heavy = times, .period = in, \
     .scaled = scales, .allowance_s = 0.1, .ranks = 1, .wrong = 2}
static const scene scenes[] = {
    {.name = "calls are alike", .calls = 10000, .allowance_s = 0.1, .ranks = 1, .ended = 1000, .loss_error = 0.1},
    SWITCHES(50, 1), SWITCHES(150, 1), SWITCHES(200, 1), SWITCHES(400, 1), SWITCHES(1000, 1), SWITCHES(2000, 1),
    BUILDS(12, 1), BUILDS(40, 1), BUILDS(60, 1), BUILDS(100, 1), BUILDS(200, 1),
    {.name = "a first call builds for 200 steps, .max_seconds is 0.01", .calls = 20000, .build_us = 40000,
     .allowance_s = 0.01, .ranks = 1, .wrong = 20, .ended = 20000},
    {.name = "it builds for 40 steps, and a change costs 400 us", .calls = 20000, .build_us = 8000, .switch_us = 400,
     .allowance_s = 0.1, .ranks = 1, .wrong = 1, .ended = 20000, .loss_error = 0.1},
    IN_TURN(2, 2, "", false), IN_TURN(2, 3, "", false), IN_TURN(2, 4, "", false), IN_TURN(2, 5, "", false),
    IN_TURN(6, 2, "", false), IN_TURN(6, 3, "", false), IN_TURN(6, 4, "", false), IN_TURN(6, 5, "", false),
    IN_TURN(2, 2, ", scaled", true), IN_TURN(2, 3, ", scaled", true), IN_TURN(2, 4, ", scaled", true),
    IN_TURN(2, 5, ", scaled", true), IN_TURN(6, 2, ", scaled", true), IN_TURN(6, 3, ", scaled", true),
    IN_TURN(6, 4, ", scaled", true), IN_TURN(6, 5, ", scaled", true),
};
enum { SCENES = sizeof scenes / sizeof *scenes };

typedef struct scene_state {
    dice d;
    size_t last; /* the configuration of the call before; SIZE_MAX: there was none */
    bool built[SCENE_CONFIGURATIONS];
} scene_state;
static inline void begin_scene(scene_state *state, uint64_t seed) {
    memset(state, 0, sizeof *state);
    state->d.state = seed * 7919;
    state->last = SIZE_MAX;
    state->built[0] = true;
}
/* Returns the time that this call of the program takes if all calls have the first configuration. */
static inline double first_in_scene(const scene *s, size_t call) {
    return 200e3 * (s->period && call % s->period == 0 ? s->heavy : 1);
}
static inline double call_in_scene(const scene *s, scene_state *state, size_t which, size_t call) {
    static const double us[SCENE_CONFIGURATIONS] = {200, 190, 180, 100, 210, 220, 230, 240};
    const double more_ns = first_in_scene(s, call) - 200e3;
    double ns = 0;
    for (size_t rank = 0; rank < s->ranks; rank++) {
        const double own = us[which] * 1e3 * (1 + 0.01 * normal(&state->d));
        if (own > ns) ns = own;
    }
    ns += s->scaled ? ns * more_ns / 200e3 : more_ns;
    if (!state->built[which]) ns += s->build_us * 1e3;
    if (state->last != SIZE_MAX && state->last != which) ns += s->switch_us * 1e3;
    state->built[which] = true;
    state->last = which;
    return ns;
}

#endif
