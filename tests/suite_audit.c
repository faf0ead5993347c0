/* suite_audit.c - AUTOTUNE_MODE=audit: is .restore complete? The library reads the environment once per process, and
   each test runs in its own process. An audit launches in a child process, so the counters are in shared memory. No
   launch moves the clock. Else the audit would report counters and clock as memory that launches change. */
#define _DEFAULT_SOURCE
#include "expect.h"
#include "sanitized.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 100 };
static double x[COUNT], y[COUNT], sums[COUNT];
static struct counts {
    size_t launches, verified;
    int last_tile;
    pid_t forked;
} *counts;

static autotune_status launch(int tile) { /* the call only counts its launches */
    counts->launches++;
    counts->last_tile = tile;
    return AUTOTUNE_OK;
}
static autotune_status add(int tile) {
    for (int i = 0; i < COUNT; i++) y[i] += x[i] + 1;
    return launch(tile);
}
static void audit(void) {
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(counts != MAP_FAILED);
    setenv("AUTOTUNE_MODE", "audit", 1);
    autotune_set_log(keep_line, NULL);
}
static void audit_here(void) {
    setenv("AUTOTUNE_ISOLATE", "off", 1);
    audit();
}
#define OPTIONS .name = "add", .backend = virtual_backend(), .result = &result
#define DIFFERS(what) \
    "add: two launches from the same buffers differ (wrong output: " what \
    "): a buffer that the call changes is missing in .restore, or the call is not deterministic\n"
static void made_its_call(autotune_result result, size_t made) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(counts->launches, made);
    EXPECT_INT(counts->last_tile, 8);
}

Test(audit, a_list_that_is_complete_is_told_once) {
    autotune_result result;
    setenv("AUTOTUNE_LOG", "full", 1); /* level full: the audit has no race, so it must log no more lines */
    audit_here();
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(tile, 4, 8, 16), WHERE(tile > 4)), 1, add(tile), OPTIONS,
                 .restore = BUFFERS({y, sizeof y}, {x, sizeof x}));
        made_its_call(result, 4 + (size_t)i);
    }
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT((int)y[5], 2);                   /* two calls changed y, and no trial did */
    EXPECT_STRING(logged, "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, a_forgotten_buffer_is_seen_in_what_is_computed_from_it) {
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add(tile), memcpy(sums, y, sizeof sums), AUTOTUNE_OK), OPTIONS,
             .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_F64}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, DIFFERS("element 0 is 2, not 1, in buffer 1 of .outputs"));
}
Test(audit, a_short_count_of_bytes_is_seen_behind_it) {
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add(tile), memcpy(sums, y, sizeof sums), AUTOTUNE_OK), OPTIONS,
             .restore = BUFFERS({y, sizeof y / 2}), .zero = BUFFERS({sums, sizeof sums}));
    EXPECT_STRING(logged, DIFFERS("element 406 is 0x00, not 0xf0, in buffer 1 of .zero"));
}
Test(audit, a_static_counter_is_seen) {
    static int calls;
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = ++calls > 2, launch(tile)), OPTIONS,
             .restore = BUFFERS({x, sizeof x}, {y, sizeof y, AUTOTUNE_F64}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, DIFFERS("element 30 is 0xf0, not 0x00, in buffer 2 of .restore"));
}
Test(audit, what_is_no_output_is_compared_bit_by_bit_whatever_its_type) {
    static int calls;
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = 1 + 1e-14 * ++calls, launch(tile)), OPTIONS,
             .restore = BUFFERS({y, sizeof y, AUTOTUNE_F64}));
    EXPECT_CONTAINS(logged, "two launches from the same buffers differ (wrong output: element 24 is ");
}
Test(audit, random_numbers_are_seen) {
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[99] = 1 + rand(), launch(tile)), OPTIONS, .zero = BUFFERS({y, sizeof y}));
    EXPECT_CONTAINS(logged, "in buffer 1 of .zero");
}
Test(audit, outputs_may_differ_by_their_tolerance) {
    static int calls;
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = 1 + 1e-6 * ++calls, launch(tile)), OPTIONS,
             .restore = BUFFERS({y, sizeof y}), .outputs = BUFFERS({y, sizeof y, AUTOTUNE_F64, 1e-3}));
    EXPECT_STRING(logged, "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, without_buffers_nothing_is_compared) {
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS);
    made_its_call(result, 4);
    EXPECT_STRING(logged, "add: nothing is compared after 3 launches: .restore, .zero and .outputs name no buffer; if "
                          "the call reads what it writes, name that in .restore\n");
}
static autotune_status fail_second(int tile) {
    return launch(tile), counts->launches == 2 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static bool accept(void *user, const autotune_config *config) { return (void)user, (void)config, ++counts->verified; }
Test(audit, a_launch_that_fails_ends_it) {
    autotune_result result;
    audit_here();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, fail_second(tile), OPTIONS,
             .restore = BUFFERS({y, sizeof y}), .verify = accept);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_CONTAINS(logged, "none of 1 configurations works, so the call was not made: tile=8: ");
    EXPECT_INT(counts->launches, 2);
    EXPECT_INT(counts->verified, 1);
}
Test(audit, who_may_not_tune_is_not_audited) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .mode = AUTOTUNE_CACHED);
    made_its_call(result, 1);
    EXPECT_STRING(logged, "");
}
Test(audit, nothing_is_kept_on_disk) {
    char folder[] = "/tmp/autotune-test-XXXXXX";
    autotune_result result;
    cr_assert(mkdtemp(folder) != NULL);
    unsetenv("AUTOTUNE_CACHE");
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .restore = BUFFERS({y, sizeof y}));
    made_its_call(result, 4);
    cr_expect(rmdir(folder) == 0, "the folder is empty");
}

/* ---- Memory that no option names. Linux shows it. A sanitizer keeps its own data between it ---------------------- */

#if defined __linux__ && defined __GLIBC__ && !SANITIZED
#define NOTHING "add: the second launch changes nothing that an audit compares\n"
#define NOTHING_ELSE \
    "add: 3 launches from the same buffers left the same in them; the second launch changes nothing else that an " \
    "audit compares\n"
static void add_to(double *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] += 1;
}
static int plain_counter;
static double *pointer;

Test(audit, all_is_launched_in_a_child) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS);
    made_its_call(result, 4);
    EXPECT_INT((int)y[5], 1);                   /* only the child ran the trials */
    EXPECT_STRING(logged, "add: a second launch changes 800 bytes of y: .restore = BUFFERS({y, 800})\n");
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS);
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT(counts->launches, 5);
}
/* The second launch forks. The new process goes on with the race. It compares no memory, since the copy is of the
   process that forked. */
static autotune_status add_and_fork(int tile) {
    const autotune_status status = add(tile);
    const pid_t process = counts->launches == 2 ? fork() : -1;
    if (process == 0) counts->forked = getpid();
    else if (process > 0) waitpid(process, NULL, 0);
    return status;
}
Test(audit, a_process_that_a_launch_forks_compares_no_memory) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add_and_fork(tile), OPTIONS);
    if (counts->forked == getpid()) {
        counts->verified = 1 + (size_t)count_of(logged, "a second launch changes");
        _exit(EXIT_SUCCESS);
    }
    EXPECT_INT(counts->verified, 1);
    EXPECT_CONTAINS(logged, "add: a second launch changes 800 bytes of y: ");
}
Test(audit, with_the_right_list_nothing_else_is_carried_over) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .restore = BUFFERS({y, sizeof y}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, NOTHING_ELSE);
}
Test(audit, what_is_only_written_is_not_carried_over) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (memcpy(y, x, sizeof y), y[3] = tile, launch(tile)), OPTIONS);
    EXPECT_STRING(logged, NOTHING);
}
Test(audit, the_end_of_a_buffer_is_named_that_the_list_leaves_out) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .restore = BUFFERS({y, sizeof y / 2}));
    EXPECT_STRING(logged, "add: a second launch changes 400 bytes of y: .restore = BUFFERS({y, 800})\n"
                          "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, counters_are_named) {
    static short local;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (plain_counter++, local++, launch(tile)), OPTIONS);
    EXPECT_CONTAINS(logged, "changes 4 bytes of plain_counter: .restore = BUFFERS({&plain_counter, 4})\n");
    EXPECT_CONTAINS(logged, "changes 2 bytes of local: .restore = BUFFERS({&local, 2})\n");
    EXPECT_INT(count_of(logged, "\n"), 2);
}
Test(audit, rand_is_named) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[99] = rand(), launch(tile)), OPTIONS, .outputs = BUFFERS({y, sizeof y}));
    EXPECT_CONTAINS(logged, " bytes of the state of rand(): each launch gets other random numbers\n");
    EXPECT_CONTAINS(logged, "in buffer 1 of .outputs");
    logged[0] = 0;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, launch(tile), OPTIONS, .key = KEY(1));
    EXPECT_STRING(logged, "add [1]: the second launch changes nothing that an audit compares\n");
}
Test(audit, blocks_of_the_heap_are_compared) {
    autotune_result result;
    double *local = calloc(COUNT, sizeof *local);
    pointer = calloc(COUNT, sizeof *pointer);
    cr_assert(local && pointer);
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(pointer, COUNT), add_to(local, COUNT / 2), launch(tile)), OPTIONS);
    EXPECT_CONTAINS(logged, "changes 800 bytes of a block of malloc(): name the buffer in .restore\n");
    EXPECT_CONTAINS(logged, "changes 400 bytes of a block of malloc(): name the buffer in .restore\n");
    EXPECT_INT(count_of(logged, "\n"), 2);
    EXPECT_INT((int)local[0], 1);
    free(local);
    free(pointer);
}
static double *map(size_t count) {
    void *memory = mmap(NULL, count * sizeof(double), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(memory != MAP_FAILED);
    return memory;
}
Test(audit, a_mapping_is_compared) {
    const size_t bytes = 1 << 20;
    autotune_result result;
    audit();
    pointer = map(bytes / sizeof *pointer);
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(pointer, bytes / sizeof *pointer), launch(tile)), OPTIONS);
    EXPECT_STRING(logged, "add: a second launch changes 1048576 bytes of memory without a name: name the buffer in "
                          ".restore\n");
    munmap(pointer, bytes);
}
/* The stack of a thread may be in one mapping with memory that was mapped earlier. The guard of the stack may be beside
   memory that was mapped later. All this memory must be compared. */
static void *do_nothing(void *user) { return user; }
Test(audit, memory_beside_the_stack_of_a_thread_is_compared) {
    static double *before, *after;
    const size_t count = 1 << 16;
    autotune_result result;
    pthread_t threads[3];
    audit();
    before = map(count);
    for (int i = 0; i < 3; i++) cr_assert(pthread_create(&threads[i], NULL, do_nothing, NULL) == 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    after = map(count);
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(before, count / 2), add_to(after, count / 2), launch(tile)),
             OPTIONS);
    EXPECT_INT(count_of(logged, "changes 262144 bytes of memory without a name: name the buffer in .restore\n"), 2);
    EXPECT_INT(count_of(logged, "\n"), 2);
}
static void *use_stack(void *user) {
    volatile char local[10000];
    for (size_t i = 0; i < sizeof local; i++) local[i] = (char)counts->launches;
    return user;
}
static void use_threads(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) cr_assert(pthread_create(&threads[i], NULL, use_stack, NULL) == 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
Test(audit, stacks_of_threads_are_left_out) {
    autotune_result result;
    audit();
    use_threads();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (use_threads(), launch(tile)), OPTIONS);
    EXPECT_STRING(logged, NOTHING);
}
static void *audit_block_of_thread(void *user) {
    autotune_result result;
    double *block = calloc(COUNT, sizeof *block);
    cr_assert(block != NULL);
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(block, COUNT), launch(tile)), OPTIONS);
    free(block);
    return user;
}
Test(audit, a_heap_of_a_thread_is_left_out) {
    pthread_t thread;
    audit();
    cr_assert(pthread_create(&thread, NULL, audit_block_of_thread, NULL) == 0);
    pthread_join(thread, NULL);
    EXPECT_STRING(logged, NOTHING);
}
static void *audit_in_thread(void *user) {
    autotune_result result;
    double local[COUNT] = {0};
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(local, COUNT), use_threads(), launch(tile)), OPTIONS);
    EXPECT_INT((int)local[0], 1);
    return user;
}
Test(audit, a_thread_has_its_own_stack_compared) {
    pthread_t thread;
    audit();
    cr_assert(pthread_create(&thread, NULL, audit_in_thread, NULL) == 0);
    pthread_join(thread, NULL);
    EXPECT_STRING(logged, "add: a second launch changes 800 bytes of local variables of the functions that call it: "
                          "name the buffer in .restore\n");
}
Test(audit, the_stack_of_the_caller_is_compared) {
    autotune_result result;
    double local[COUNT] = {0};
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(local, COUNT), launch(tile)), OPTIONS);
    EXPECT_STRING(logged, "add: a second launch changes 800 bytes of local variables of the functions that call it: "
                          "name the buffer in .restore\n");
    logged[0] = 0;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add_to(local, COUNT), launch(tile)), OPTIONS, .key = KEY(1),
             .restore = BUFFERS({local, sizeof local}));
    EXPECT_CONTAINS(logged, "the second launch changes nothing else");
}
/* Uses and frees blocks, so that the second launch gets them in another order. */
static __attribute__((__noinline__)) void use_blocks(void) {
    char *blocks[100];
    for (int i = 0; i < 100; i++)
        if ((blocks[i] = malloc(100 << i % 13)) != NULL) memset(blocks[i], i, 100u << i % 13);
    for (int i = 0; i < 100; i++) free(blocks[i]);
    for (int i = 0; i < 100; i++)               /* blocks as small as the nodes of a std::map */
        if ((blocks[i] = malloc(72)) != NULL) memset(blocks[i], i + (int)counts->launches, 72);
    for (int i = 0; i < 100; i++) free(blocks[i]);
}
Test(audit, memory_of_the_c_library_is_left_out) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1,
             (use_blocks(), errno += 3, printf("launch %d\n", (int)counts->launches), launch(tile)), OPTIONS);
    EXPECT_STRING(logged, NOTHING);
}
Test(audit, what_the_first_launch_sets_up_is_not_carried_over) {
    static double *table;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (table = table ? table : calloc(COUNT, sizeof *table), launch(tile)),
             OPTIONS);
    EXPECT_STRING(logged, NOTHING);
    free(table);
}
Test(audit, of_many_changes_some_are_told) {
    static char *blocks[100];
    autotune_result result;
    audit();
    for (int i = 0; i < 100; i++) cr_assert((blocks[i] = calloc(1, 50)) != NULL);
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 8, 16)), OPTIONS) for (int i = 0; i < 100; i++) blocks[i][7]++;
    EXPECT_INT(count_of(logged, "\n"), 32);
    for (int i = 0; i < 100; i++) free(blocks[i]);
}
Test(audit, a_launch_that_crashes_is_told) {
    static int *volatile nothing;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (counts->launches == 1 ? *nothing = 1 : 0, launch(tile)), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_CONTAINS(logged, "none of 1 configurations works, so the call was not made: tile=8: killed by signal 11");
}
/* After this the process may take only 1 MiB more. */
static void use_up_memory(void) {
    unsigned long pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert(file && fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) == 1 && fclose(file) == 0);
    limit.rlim_cur = limit.rlim_max = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (1 << 20);
    cr_assert(setrlimit(RLIMIT_DATA, &limit) == 0);
}
Test(audit, without_memory_named_buffers_alone_are_compared) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (counts->launches == 0 ? use_up_memory() : (void)0, add(tile)), OPTIONS,
             .restore = BUFFERS({y, sizeof y}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, "add: memory that the call does not name is not compared: Cannot allocate memory\n"
                          "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, a_launch_that_hangs_in_a_child_is_made_here) {
    const pid_t program = getpid();
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (getpid() != program ? sleep(60) : 0, launch(tile)), OPTIONS,
             .launch_timeout = 0.1);
    made_its_call(result, 4);
    EXPECT_CONTAINS(logged, "add: memory that the call does not name is not compared: launches in a child process of "
                            "this program do not come back");
    EXPECT_CONTAINS(logged, "add: nothing is compared after 3 launches");
}
#endif
