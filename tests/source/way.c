/* Prints the address of each function that the first call of a key runs, once each. check.sh finds their rooms. The
   first run of the program races. The second run finds the winner in the cache. Compile it with
   -finstrument-functions. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdio.h>
#define UNSEEN __attribute__((__no_instrument_function__))

enum { MOST = 4096 };
static void *passed[MOST];
static size_t count;
static bool counting;

UNSEEN void __cyg_profile_func_enter(void *function, void *caller);
UNSEEN void __cyg_profile_func_exit(void *function, void *caller);
UNSEEN void __cyg_profile_func_enter(void *function, void *caller) {
    size_t i = 0;
    (void)caller;
    while (i < count && passed[i] != function) i++;
    if (counting && i == count && count < MOST) passed[count++] = function;
}
UNSEEN void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }

static volatile int sum;
UNSEEN static void work(int size) { for (int i = 0; i < size * 20000; i++) sum += i; }
UNSEEN static void call(int n) { AUTOTUNE(SPACE(AXIS(size, 1, 2, 3, 4)), 1, work(size), .key = KEY(n)); }

UNSEEN int main(void) {
    counting = true;
    call(7);
    counting = false;
    for (size_t i = 0; i < count; i++) printf("%p\n", passed[i]);
    return 0;
}
