// plain_stripped_audit.c - AUTOTUNE_MODE=audit in a program without symbols: the log says what to do.
#include "plain.h"

static char logged[1 << 12];
static void keep_line(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level;
    strncat(logged, line, sizeof logged - strlen(logged) - 1);
}
static double y[100];
static void add(int tile) {
    for (int i = 0; i < 100; i++) y[i] += tile;
}
static void the_log_asks_for_symbols(void) {
    autotune_set_log(keep_line, NULL);
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile));
    CHECK(strstr(logged, "memory that the call does not name is not compared: the program is static or has no symbols: "
                         "link it without -static and -s"));
}

int main(void) {
#ifndef __GLIBC__
    return 77;
#endif
    setenv("AUTOTUNE_MODE", "audit", 1);
    static const plain_test tests[] = {{"the log asks for symbols", the_log_asks_for_symbols}};
    return RUN_PLAIN_TESTS(tests);
}
