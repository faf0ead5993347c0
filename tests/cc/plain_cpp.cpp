/* plain_cpp.cpp - CC_CALL in C++: functions with arguments of several types, in a template, and with exceptions
   around. */
#define _DEFAULT_SOURCE
#include "compilers.h"

extern "C" {
void scale(int n, const double *from, double *to, float factor);
autotune_status refuse(autotune_status with);
}
static autotune_cc_program program =
    CC_PROGRAM("void scale(int n, const double *from, double *to, float factor) {\n"
               "    int i, k;\n"
               "    for (i = 0; i < n; i += WIDTH) for (k = i; k < i + WIDTH && k < n; k++) to[k] = factor * from[k];\n"
               "}\n"
               "int refuse(int with) { return WIDTH == 1 ? with : 0; }\n", "-O1");

template <class T> static T scaled(T x) {
    double from[3] = {1, 2, static_cast<double>(x)}, to[3] = {0, 0, 0};
    AUTOTUNE(SPACE(AXIS(WIDTH, 1, 2)), 1, CC_CALL(&program, scale, 3, from, to, 2.5f), .preset = AUTOTUNE_FAST,
             .name = sizeof(T) == 4 ? "four" : "eight");
    return static_cast<T>(to[2]);
}
static void templates_call(void) {
    CHECK(scaled(4) == 10 && scaled(6.0) == 15 && scaled(8) == 20);
}
static void statuses_are_taken(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(WIDTH, 1, 2)), 1, CC_CALL(&program, refuse, AUTOTUNE_REJECTED), .preset = AUTOTUNE_FAST,
             .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 1 && autotune_get_int(&result.config, "WIDTH") == 2);
    AUTOTUNE_BLOCK(SPACE(AXIS(WIDTH, 1)), .mode = AUTOTUNE_OFF) {
        CHECK(CC_CALL(&program, refuse, AUTOTUNE_REJECTED) == AUTOTUNE_REJECTED &&
              CC_CALL(&program, refuse, AUTOTUNE_OK) == AUTOTUNE_OK);
    }
}

int main() {
    static const plain_test tests[] = {{"templates_call", templates_call}, {"statuses_are_taken", statuses_are_taken}};
    use_new_folder();
    compile_by(REAL_COMPILER);
    const int status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    remove_folder();
    return status;
}
