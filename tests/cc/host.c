/* host.c - a program with a compiled function, for hosts.sh: it prints the status of its call. */
#include "autotune_cc.h"

void add(int *out);
static autotune_cc_program program = CC_PROGRAM("void add(int *out) { *out = STEP; }\n");
int main(void) {
    autotune_result result;
    int sum = 0;
    AUTOTUNE(SPACE(AXIS(STEP, 5)), 1, CC_CALL(&program, add, &sum), .result = &result);
    printf("%s, %d, %s\n", autotune_status_text(result.status), sum, autotune_last_error());
    return 0;
}
