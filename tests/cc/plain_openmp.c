/* plain_openmp.c - OpenMP in the compiled functions, in a program that has OpenMP itself, and in a program without it.
   In the second program the functions load the library of OpenMP. If they were unloaded, it would be unloaded, too. */
#define _DEFAULT_SOURCE
#include "compilers.h"

void add(int *out, uint64_t *clock);
static int sum;

static autotune_cc_program parallel = CC_PROGRAM("#include <omp.h>\n"
                                                 "void add(int *out, unsigned long *clock) {\n"
                                                 "    int sum = 0, i;\n"
                                                 "#pragma omp parallel for reduction(+:sum) num_threads(2)\n"
                                                 "    for (i = 0; i < 8; i++) sum += STEP;\n"
                                                 "    *out = sum;\n"
                                                 "    *clock += (16 - STEP) * 1000000;\n"
                                                 "}\n", "-fopenmp");
static void openmp_survives_its_functions(void) {
    int rounds;
    if (!has_compiler("parallel.c", "#include <omp.h>\nint main(void) { return omp_get_max_threads(); }\n")) return;
    for (rounds = 0; rounds < 3; rounds++) {    /* the losers are unloaded, while their threads wait in libgomp */
        autotune_backend clock = virtual_backend("device of OpenMP");
        autotune_result result;
        int host = 0, i;
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4, 8)), 1, CC_CALL(&parallel, add, &sum, &virtual_time), .backend = &clock,
                 .key = KEY(rounds), .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.tried == 4 && !result.failed && sum == 64);
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : host)
#endif
        for (i = 0; i < 100; i++) host++;
        CHECK(host == 100);
    }
}

int main(void) {
    static const plain_test tests[] = {{"openmp_survives_its_functions", openmp_survives_its_functions}};
    int status;
    use_new_folder();
    compile_by(REAL_COMPILER);
    status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    remove_folder();
    return status;
}
