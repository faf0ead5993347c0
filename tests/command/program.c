/* program.c - tunes one call and saves its records to the given file. WINNERS may name a header that the command
   exported: the program then loads it first. */
#include "autotune.h"
#include <stdio.h>
#ifdef WINNERS
#include WINNERS
#endif

static volatile unsigned sum;

int main(int count, char **arguments) {
    autotune_result r = {.status = AUTOTUNE_ERR_ARGUMENT};
#ifdef WINNERS
    if (autotune_load_text(autotune_winners, sizeof autotune_winners - 1) != AUTOTUNE_OK) return 2;
#endif
    AUTOTUNE_BLOCK(SPACE(AXIS(rounds, 4000, 1000, 2000)), .name = "spin */ \"?\?/*\\\"", .key = KEY(7, "\x1b"),
                   .result = &r) {
        for (int i = 0; i < rounds; i++) sum += (unsigned)i;
    }
    printf("%s: rounds %s\n", r.cache_hit ? "known" : "tuned", autotune_get_label(&r.config, "rounds"));
    if (r.status != AUTOTUNE_OK) return 1;
    return count > 1 && autotune_save(arguments[1]) != AUTOTUNE_OK;
}
