/* plain_device_choices.c - how a winner is chosen, kept, pinned, verified and guessed on a real device, each test in
   its own process. For the preset gpu; other presets only compile it. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "device_process.h"

/* The kernel of a configuration waits for WAIT microseconds, or twice as long if WAIT is equal to `slowed`. */
static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void add(int n, float *x, int slowed) {\n"
    "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
    "    unsigned long long begun, now;\n"
    "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(begun));\n"
    "    for (now = begun; now - begun < (WAIT == slowed ? 2 : 1) * WAIT * 1000ull;)\n"
    "        asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now));\n"
    "    if (i < n) x[i] += 1;\n"
    "}\n");
static int slowed;
static unsigned watch;
static autotune_result add(int n, double margin, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(WAIT, 210, 400, 200, 600)), 8,
             CUDA_LAUNCH(&program, "add", THREADS(256), SHARED(0), n, x, slowed), .backend = CUDA(stream),
             .key = KEY(n), .restore = BUFFERS({(void *)(uintptr_t)x, BYTES}), .margin = margin, .mode = mode,
             .watch = watch, .unseen = AUTOTUNE_GUESS, .result = &result);
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

/* ---- Margin ----------------------------------------------------------------------------------------------------- */

static void add_with_a_wide_margin(void) { keep(add(100, 0.2, AUTOTUNE_ON)); }
static void add_with_no_margin(void) { keep(add(900, 0, AUTOTUNE_ON)); }
static void a_margin_keeps_the_first_configuration(void) {
    CHECK(in_a_process(add_with_a_wide_margin)->result.index == 0);
    CHECK(is_known(in_a_process(add_with_a_wide_margin)) && seen->result.index == 0);
    CHECK(in_a_process(add_with_no_margin)->result.index == 2);
    CHECK(is_known(in_a_process(add_with_no_margin)) && seen->result.index == 2);
}

/* ---- Pins ------------------------------------------------------------------------------------------------------- */

static void add_pinned(void) {
    CHECK(add(900, 0, AUTOTUNE_ON).launches == 1);
    CHECK(keep(add(900, 0, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
static void a_pin_answers_whatever_is_known(void) {
    setenv("AUTOTUNE_USE", "*add*=WAIT=400", 1);
    for (int run = 0; run < 2; run++) {
        CHECK(in_a_process(add_pinned)->result.index == 1);
        CHECK(seen->result.verdict == AUTOTUNE_PINNED && seen->result.tried == 0);
    }
    unsetenv("AUTOTUNE_USE");
    CHECK(is_known(in_a_process(add_with_no_margin)) && seen->result.index == 2);
}

/* ---- Verify ----------------------------------------------------------------------------------------------------- */

static void verify(void) {
    add(900, 0, AUTOTUNE_ON);
    CHECK(was_called(1));
    CHECK(keep(add(900, 0, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
/* Returns true if verify.jsonl has one line, and this line says that the winner is faster than its rival. */
static bool is_verified(void) {
    char path[300];
    bytes text;
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    text = read_file(path);
    if (count_lines(text) == 1 && sound_lines(text) == 1 && strstr(text.at, "\"winner\":{\"WAIT\":200}") &&
        strstr(text.at, "\"lead\":0."))
        return true;
    fprintf(stderr, "verify.jsonl: %s\n", text.at ? text.at : "is not there");
    return false;
}
static void a_winner_is_verified_and_stays(void) {
    setenv("AUTOTUNE_MODE", "verify", 1);
    CHECK(in_a_process(verify)->result.index == 2);
    CHECK(is_verified());
    unsetenv("AUTOTUNE_MODE");
    CHECK(is_known(in_a_process(add_with_no_margin)) && seen->result.index == 2);
    CHECK(is_verified());
}

/* ---- Guess ------------------------------------------------------------------------------------------------------ */

static void add_to_a_key_between(void) {
    CHECK(add(1000, 0, AUTOTUNE_ON).launches == 1);
    CHECK(keep(add(1000, 0, AUTOTUNE_ON))->launches == 1);
    CHECK(was_called(2));
}
static void a_key_that_was_never_tuned_is_guessed(void) {
    CHECK(in_a_process(add_with_no_margin)->result.index == 2);
    for (int run = 0; run < 2; run++) {
        CHECK(in_a_process(add_to_a_key_between)->result.index == 2);
        CHECK(seen->result.verdict == AUTOTUNE_GUESSED && seen->result.tried == 0);
    }
}

/* ---- Online ----------------------------------------------------------------------------------------------------- */

/* Makes calls until `winner` is the winner of the key. Returns the number of calls. */
static int calls_until(int n, size_t winner) {
    int calls = 0;
    do keep(add(n, 0, AUTOTUNE_ONLINE));
    while (++calls < 4000 && (seen->result.verdict == AUTOTUNE_ONGOING || seen->result.index != winner) &&
           cuStreamSynchronize(stream) == CUDA_SUCCESS);
    return calls;
}
static void add_until_settled(void) { CHECK(was_called(calls_until(50, 2))); }
static void calls_for_real_find_the_winner(void) {
    CHECK(in_a_process(add_until_settled)->result.verdict != AUTOTUNE_ONGOING && seen->result.index == 2);
    CHECK(is_known(in_a_process(add_until_settled)) && seen->result.index == 2);
}
static void add_until_the_winner_changed(void) {
    watch = 4;
    /* No earlier test tuned the key 40. */
    int calls = calls_until(40, 2);
    /* These calls show the usual time of the winner. Only calls that are waited for give a time. */
    for (int more = 0; more < 200; more++, calls++) {
        (void)add(40, 0, AUTOTUNE_ONLINE);
        DONE(cuStreamSynchronize(stream));
    }
    slowed = 200;
    CHECK(was_called(calls + calls_until(40, 0)));
}
static void add_to_what_was_watched(void) { keep(add(40, 0, AUTOTUNE_ON)); }
static void a_winner_that_is_watched_and_slows_down_is_replaced(void) {
    CHECK(in_a_process(add_until_the_winner_changed)->result.verdict != AUTOTUNE_ONGOING && seen->result.index == 0);
    CHECK(is_known(in_a_process(add_to_what_was_watched)) && seen->result.index == 0);
}

int main(void) {
    const plain_test tests[] = {
        {"a_margin_keeps_the_first_configuration", a_margin_keeps_the_first_configuration},
        {"a_pin_answers_whatever_is_known", a_pin_answers_whatever_is_known},
        {"a_winner_is_verified_and_stays", a_winner_is_verified_and_stays},
        {"a_key_that_was_never_tuned_is_guessed", a_key_that_was_never_tuned_is_guessed},
        {"calls_for_real_find_the_winner", calls_for_real_find_the_winner},
        {"a_winner_that_is_watched_and_slows_down_is_replaced", a_winner_that_is_watched_and_slows_down_is_replaced}};
    seen = shared_memory(sizeof *seen);
    use_new_folder();
    const int failed = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return failed;
}
