/* online_scenes.h - programs whose calls are not alike, for online.c: a change of configuration costs something, a
   first call builds something, or light and heavy calls alternate. Eight configurations, of which the first takes
   200 us and the best 100 us, with a noise of 1 %. */
#ifndef ONLINE_SCENES_H
#define ONLINE_SCENES_H

#include "sets.h"

enum { SCENE_CONFIGURATIONS = 8, SCENE_BEST = 3 };

typedef struct scene {
    const char *name;
    size_t calls; /* of the program */
    double switch_us; /* a call takes so much longer if the call before was one of another configuration */
    double build_us; /* and its first call so much longer: all but the first configuration are built */
    double heavy; /* one call in so many does so many times the work, */
    size_t period;
    bool scaled; /* so that it takes so many times as long; else so much longer as it would be for the first one */
    double allowance_s; /* .max_seconds */
    size_t ranks; /* the slowest of so many makes the time of a call */
    /* limits of the check: */
    size_t wrong, separated; /* runs of 20 that end wrong, or are called SEPARATED then */
    size_t ended; /* all end within so many calls; 0: some may not */
    double loss_error; /* of what .loss_seconds says, over the truth, at the end; 0: it is not looked at */
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
/* The time of the first configuration in this call of the program, if it made all calls. */
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
