// plain_cache_lambdas.cpp - one wrapper whose kernels are lambdas: compilers call two lambdas of one function the same.
// autotune_shutdown() stands for the end of a process.
#include "plain.h"
#include "cache_file.h"

static autotune_backend own_clock;
static int said, raced;
static void count_sentences(void *, autotune_log_level level, const char *line) {
    said += level == AUTOTUNE_LOG_ERRORS && strstr(line, "give each kernel a .name") != nullptr;
    if (level == AUTOTUNE_LOG_ERRORS && !strstr(line, ".name")) fprintf(stderr, "%s\n", line);
}

// Returns the chunk that wins. Another name for each kernel is the way that works.
template <class F> static int parallel_for(F kernel, const char *name = nullptr) {
    autotune_result result;
    raced = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(chunk, 1, 2, 4, 8)), .key = KEY(1000), .backend = &own_clock, .name = name,
                   .result = &result) {
        raced += autotune_trial;
        kernel(chunk);
    }
    CHECK(result.status == AUTOTUNE_OK);
    return static_cast<int>(autotune_get_int(&result.config, "chunk"));
}
// g++ calls both main()::<lambda(int)>. clang++ has line and column in its names, which are those of one macro here.
#define KERNEL(cost) [](int chunk) { spend(static_cast<uint64_t>(cost)); (void)chunk; }
#define RUN(is_first, first, second) (is_first ? parallel_for(first, name) : parallel_for(second, name))
static int either(bool is_first, const char *name) {
    return RUN(is_first, KERNEL(MILLISECOND * chunk), KERNEL(8 * MILLISECOND / chunk));
}
static int rising(const char *name) { return either(true, name); }
static int falling(const char *name) { return either(false, name); }

static bool is_raced(int (*kernel)(const char *), int best, const char *name = nullptr) {
    CHECK(kernel(name) == best);
    return raced > 0;
}
static size_t records() {
    const bytes file = read_file(cache_file);
    size_t count = 0;
    for (size_t i = 0; i < file.count; i++) count += file.at[i] == '\n';
    return count;
}
static void next_process() {
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    said = 0;
}
static void one_lambda_is_kept() {
    CHECK(is_raced(rising, 1) && !is_raced(rising, 1));
    next_process();
    CHECK(!is_raced(rising, 1) && said == 0 && records() == 1);
}
// The winner of the first lambda came from a record, which may have been that of the second.
static void two_lambdas_are_two_tuners() {
    CHECK(is_raced(falling, 8) && said == 1 && records() == 0);
    CHECK(is_raced(rising, 1) && !is_raced(rising, 1) && !is_raced(falling, 8));
    CHECK(said == 1 && records() == 0);
}
static void nothing_is_kept_for_either() {
    for (int i = 0; i < 2; i++) {
        next_process();
        CHECK(is_raced(rising, 1) && is_raced(falling, 8) && said == 1 && records() == 0);
        CHECK(!is_raced(rising, 1) && !is_raced(falling, 8));
    }
}
static void names_keep_both() {
    next_process();
    CHECK(is_raced(rising, 1, "rising") && is_raced(falling, 8, "falling"));
    next_process();
    CHECK(!is_raced(rising, 1, "rising") && !is_raced(falling, 8, "falling") && said == 0 && records() == 2);
}
// g++ calls both local types kernels()::kernel.
#ifndef __clang__ // which leaves out the function
static void local_types_of_one_function_are_two_tuners() {
    next_process();
    for (int i = 0; i < 2; i++) {
        {
            struct kernel {
                void operator()(int chunk) const { spend(static_cast<uint64_t>(MILLISECOND * chunk)); }
            };
            CHECK(parallel_for(kernel()) == 1);
        }
        {
            struct kernel {
                void operator()(int chunk) const { spend(static_cast<uint64_t>(8 * MILLISECOND / chunk)); }
            };
            CHECK(parallel_for(kernel()) == 8 && said == 1);
        }
    }
}
#endif
int main() {
    static const plain_test tests[] = {
        {"one lambda is kept", one_lambda_is_kept},
        {"two lambdas are two tuners", two_lambdas_are_two_tuners},
        {"nothing is kept for either", nothing_is_kept_for_either},
        {"names keep both", names_keep_both},
#ifndef __clang__
        {"local types of one function are two tuners", local_types_of_one_function_are_two_tuners},
#endif
    };
    own_clock = virtual_backend("its own");
    use_new_folder();
    autotune_set_log(count_sentences, nullptr);
    for (const plain_test &test : tests) {
        puts(test.name);
        test.run();
    }
    remove_folder();
    return 0;
}
