/* ends.c [STATUS] - a program that one configuration ends within its race, by a signal. STATUS: what main() returns. */
#include "autotune.h"
#include <signal.h>
#include <stdlib.h>

static volatile unsigned sum;

int main(int count, char **arguments) {
    AUTOTUNE_BLOCK(SPACE(AXIS(rounds, 4000, 1000, 2000, 3000)), .name = "ends", .key = KEY(7)) {
        if (rounds == 2000) raise(SIGKILL);
        for (int i = 0; i < rounds; i++) sum += (unsigned)i;
    }
    return count > 1 ? atoi(arguments[1]) : 0;
}
