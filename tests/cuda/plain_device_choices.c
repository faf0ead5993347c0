/* plain_device_choices.c - how a winner is chosen, kept, pinned, verified and guessed on a real device, in processes of
   their own. For the preset gpu; elsewhere it is only compiled. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "device_process.h"

/* The kernel waits for so many microseconds, so that each configuration takes what its name says. */
static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void add(int n, float *x) {\n"
    "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "    unsigned long long begun, now;\n"
    "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(begun));\n"
    "    for (now = begun; now - begun < WAIT * 1000ull;)\n"
    "        asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now));\n"
    "    if (i < n) x[i] += 1;\n"
    "}\n");
static autotune_result add(int n, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(WAIT, 210, 400, 200, 600)), 8,
             CUDA_LAUNCH(&program, "add", THREADS(256), SHARED(0), n, x), .backend = CUDA(stream), .key = KEY(n),
             .restore = BUFFERS({(void *)(uintptr_t)x, BYTES}), .mode = mode,
             .unseen = AUTOTUNE_GUESS, .result = &result);
    return result;
}
static bool was_called(int times) {
    float first;
    DONE(cuStreamSynchronize(stream));
    DONE(cuMemcpyDtoH(&first, x, sizeof first));
    return first == (float)times;
}
static const autotune_result *keep(autotune_result result) {
    seen->result = result;
    return &seen->result;
}

static void add_to_a_new_key(void) { keep(add(900, AUTOTUNE_ON)); }
static void what_was_tuned_is_known(void) {
    CHECK(in_a_process(add_to_a_new_key)->result.index == 2);
    CHECK(is_known(in_a_process(add_to_a_new_key)) && seen->result.index == 2);
}

/* ---- Pins ------------------------------------------------------------------------------------------------------- */

static void add_pinned(void) {
    CHECK(add(900, AUTOTUNE_ON).launches == 1);
    CHECK(keep(add(900, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
static void a_pin_answers_whatever_is_known(void) {
    setenv("AUTOTUNE_USE", "*add*=WAIT=400", 1);
    for (int run = 0; run < 2; run++) {
        CHECK(in_a_process(add_pinned)->result.index == 1);
        CHECK(seen->result.verdict == AUTOTUNE_PINNED && seen->result.tried == 0);
    }
    unsetenv("AUTOTUNE_USE");
    CHECK(is_known(in_a_process(add_to_a_new_key)) && seen->result.index == 2);
}

/* ---- Verify ----------------------------------------------------------------------------------------------------- */

static void verify(void) {
    add(900, AUTOTUNE_ON);
    CHECK(was_called(1));
    CHECK(keep(add(900, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
static void a_winner_is_verified_and_stays(void) {
    setenv("AUTOTUNE_MODE", "verify", 1);
    CHECK(in_a_process(verify)->result.index == 2);
    CHECK(log_has("verified: WAIT=200 is still the best"));
    unsetenv("AUTOTUNE_MODE");
    CHECK(is_known(in_a_process(add_to_a_new_key)) && seen->result.index == 2);
}

/* ---- Guess ------------------------------------------------------------------------------------------------------ */

static void add_to_a_key_between(void) {
    CHECK(add(1000, AUTOTUNE_ON).launches == 1);
    CHECK(keep(add(1000, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
static void a_key_that_was_never_tuned_is_guessed(void) {
    CHECK(in_a_process(add_to_a_new_key)->result.index == 2);
    for (int run = 0; run < 2; run++) {
        CHECK(in_a_process(add_to_a_key_between)->result.index == 2);
        CHECK(seen->result.verdict == AUTOTUNE_GUESSED && seen->result.tried == 0);
    }
}

/* ---- Online ----------------------------------------------------------------------------------------------------- */

static void add_until_settled(void) {
    int calls = 0;
    do keep(add(50, AUTOTUNE_ONLINE));
    while (++calls < 4000 && seen->result.verdict == AUTOTUNE_ONGOING && cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(was_called(calls));
}
static void calls_for_real_find_the_winner(void) {
    CHECK(in_a_process(add_until_settled)->result.verdict != AUTOTUNE_ONGOING && seen->result.index == 2);
    CHECK(is_known(in_a_process(add_until_settled)) && seen->result.index == 2);
}

int main(void) {
    const plain_test tests[] = {
        {"what_was_tuned_is_known", what_was_tuned_is_known},
        {"a_pin_answers_whatever_is_known", a_pin_answers_whatever_is_known},
        {"a_winner_is_verified_and_stays", a_winner_is_verified_and_stays},
        {"a_key_that_was_never_tuned_is_guessed", a_key_that_was_never_tuned_is_guessed},
        {"calls_for_real_find_the_winner", calls_for_real_find_the_winner}};
    seen = shared_memory(sizeof *seen);
    use_new_folder();
    const int failed = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return failed;
}
