/* copy.h - the functions that the libraries have for a program. */
#ifndef COPY_H
#define COPY_H

#define EXPORTED __attribute__((__visibility__("default")))

/* Tunes a key. in_trial: called in each trial; NULL: none. The fastest tile is 3, the first is 0. */
typedef struct copy_seen {
    int tile, trials; /* tile: of the call for real, -1: not made; trials: how many were made */
} copy_seen;
EXPORTED copy_seen copy_tune(int key, void (*in_trial)(void));

/* Makes a call in mode ONLINE. Returns false if its race is over. */
EXPORTED int copy_call_online(void);

/* Prepares the unloading of the library. Returns false if that failed. */
EXPORTED int copy_end(void);

#endif
