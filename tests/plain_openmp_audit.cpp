// plain_openmp_audit.cpp - AUTOTUNE_MODE=audit in C++, whose vectors have their elements in blocks of malloc(), and
// with threads of OpenMP, whose own memory is left out.
#include "plain.h"
#include <vector>

static char logged[1 << 14];
static void keep_line(void *, autotune_log_level, const char *line) {
    strncat(strncat(logged, line, sizeof logged - strlen(logged) - 2), "\n", 2);
}
static void listen() {
    logged[0] = 0;
    autotune_set_log(keep_line, NULL);
}
static bool is_logged(const char *part) {
    if (strstr(logged, part)) return true;
    fprintf(stderr, "%s", logged);
    return false;
}

constexpr int COUNT = 1 << 16;
double c[COUNT];                                // a mangled c would be the type char
namespace program {
std::vector<double> sums;
static double plain[COUNT];
}  // namespace program
static void add(double *values, int count, int chunk) {
#pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < count; i++) values[i] += i + 1;
}
static void write(double *values, int count, int chunk) {
    double sum = 0;
#pragma omp parallel for schedule(dynamic, chunk) reduction(+ : sum)
    for (int i = 0; i < count; i++) sum += values[i] = i + chunk;
    values[0] = sum;
}
static bool nothing_else() { return is_logged("the second launch changes nothing"); }

static void variables(void) {
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, add(program::plain, COUNT, chunk));
    CHECK(is_logged("changes 524288 bytes of program::plain: .restore = BUFFERS({program::plain, 524288})\n"));
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, add(c, COUNT, chunk));
    CHECK(is_logged("changes 524288 bytes of c: .restore = BUFFERS({c, 524288})\n"));
}
static void vectors(void) {
    program::sums.assign(COUNT, 1);
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, add(program::sums.data(), COUNT, chunk));
    CHECK(is_logged("changes 524288 bytes of memory without a name: name the buffer in .restore\n"));
}
static void local_vectors(void) {
    std::vector<double> local(COUNT / 2);
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, add(local.data(), COUNT / 2, chunk));
    CHECK(is_logged("a second launch changes 262144 bytes of "));
    CHECK(local[0] > 0 && local[0] < 2);
}
static void the_right_list(void) {
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, add(program::sums.data(), COUNT, chunk),
             .restore = BUFFERS({program::sums.data(), COUNT * sizeof(double)}));
    CHECK(nothing_else() && is_logged("3 launches from the same buffers left the same in them"));
}
static void what_is_only_written(void) {
    static double written[COUNT];
    listen();
    AUTOTUNE(SPACE(AXIS(chunk, 64, 256)), 1, write(written, COUNT, chunk));
    CHECK(nothing_else());
}

int main() {
    setenv("AUTOTUNE_MODE", "audit", 1);
    program::sums.assign(COUNT, 1);
    add(program::sums.data(), COUNT, 64);       // the program has threads
    static const plain_test tests[] = {
        {"variables", variables},           {"vectors", vectors}, {"local vectors", local_vectors},
        {"the right list", the_right_list}, {"what is only written", what_is_only_written},
    };
    return RUN_PLAIN_TESTS(tests);
}
