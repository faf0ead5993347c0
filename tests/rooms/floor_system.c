/* floor_system.c - the functions of the operating system that the floors above call, on POSIX and on Windows.
   They are files, folders, locks, threads, clocks, the processor, the program's own file, and child processes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE                             /* sched_setaffinity() */
#endif
#include "../../src/system/floor.h"

#include "../expect.h"
#ifdef __linux__
#include <sched.h>
#endif
#ifdef _WIN32
#include <direct.h>
#define REMOVE_FOLDER(path) _rmdir(path)
#else
#define REMOVE_FOLDER(path) rmdir(path)
#endif

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* A folder of the test, in the current folder. */
static char folder[4200], path[4300], other_path[4300];
static void enter_folder(void) {
    char here[4096];
    snprintf(folder, sizeof folder, "%s/floor_system-%llu", autotune__current_folder(here, sizeof here),
             (unsigned long long)autotune__process_number());
    cr_assert(autotune__is_absolute(folder) && autotune__make_folders(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other_path, sizeof other_path, "%s/other", folder);
}
static void remove_folder(void) {
    autotune__remove_file(path);
    autotune__remove_file(other_path);
    cr_assert_eq(REMOVE_FOLDER(folder), 0);
}
TestSuite(files, .init = enter_folder, .fini = remove_folder);

static int create(int how) {
    const int file = autotune__open_file(path, AUTOTUNE__READ | AUTOTUNE__WRITE | AUTOTUNE__CREATE | how);
    cr_assert(file >= 0, "%s", strerror(errno));
    return file;
}
static const char *text_of(int file) {
    static char text[64];
    size_t got = 0;
    cr_assert(autotune__read_at(file, text, sizeof text - 1, 0, &got));
    text[got] = 0;
    return text;
}
static autotune__file_facts facts_of(int file) {
    autotune__file_facts facts;
    cr_assert(autotune__facts_of_file(file, &facts));
    return facts;
}

Test(files, are_read_and_written_at_positions) {
    const int file = create(0);
    cr_assert(autotune__write_at(file, "0123456789", 10, 0) && autotune__write_at(file, "ab", 2, 4));
    EXPECT_STRING(text_of(file), "0123ab6789");
    char part[4] = "";
    size_t got;
    cr_assert(autotune__read_at(file, part, 3, 8, &got) && got == 2 && !memcmp(part, "89", 2), "up to the end");
    cr_assert(autotune__read_at(file, part, 3, 100, &got) && got == 0, "behind the end");
    cr_assert(autotune__truncate(file, 5));
    EXPECT_STRING(text_of(file), "0123a");
    cr_assert(autotune__close_file(file));
}
Test(files, are_appended_to_by_several) {
    const int file = create(AUTOTUNE__APPEND), other = create(AUTOTUNE__APPEND);
    for (int i = 0; i < 3; i++) {
        cr_assert(autotune__write_all(file, "one ", 4) && autotune__write_all(other, "two ", 4));
        (void)text_of(file); /* reading does not change where text is appended */
    }
    EXPECT_STRING(text_of(other), "one two one two one two ");
    cr_assert(autotune__truncate(other, 8) && autotune__write_all(file, "end", 3));
    EXPECT_STRING(text_of(other), "one two end");
    autotune__close_file(file);
    autotune__close_file(other);
}
Test(files, are_opened_as_is_asked) {
    const int missing = autotune__open_file(path, AUTOTUNE__READ);
    cr_assert(missing < 0 && errno == ENOENT, "%d", errno);
    const int file = create(AUTOTUNE__NEW), again = autotune__open_file(path, AUTOTUNE__WRITE | AUTOTUNE__NEW);
    cr_assert(again < 0 && errno == EEXIST, "%d", errno);
    const int read_only = autotune__open_file(path, AUTOTUNE__READ);
    cr_assert(read_only >= 0 && !autotune__write_at(read_only, "x", 1, 0));
    autotune__close_file(read_only);
    autotune__close_file(file);
}
Test(files, tell_what_they_are) {
    const int file = create(0), folder_file = autotune__open_file(folder, AUTOTUNE__READ);
    cr_assert(autotune__write_at(file, "text", 4, 0));
    const autotune__file_facts facts = facts_of(file);
    const int64_t age = autotune__calendar_seconds() - facts.modified_ns / 1000000000;
    cr_assert(facts.is_regular && !facts.is_folder && facts.is_own && facts.bytes == 4);
    cr_assert(age >= -2 && age < 100, "%lld s", (long long)age);
    autotune__file_facts by_path, of_folder;
    cr_assert(autotune__facts_of_path(path, &by_path) && autotune__is_same_id(by_path.id, facts.id));
    cr_assert(autotune__facts_of_name(folder, &of_folder) && of_folder.is_folder && !of_folder.is_regular);
    cr_assert(of_folder.is_own && !autotune__is_same_id(of_folder.id, facts.id));
    cr_assert(autotune__is_open_as(file, facts.id) && !autotune__is_open_as(file, of_folder.id));
    autotune__close_file(folder_file);
    autotune__close_file(file);
    cr_assert_not(autotune__is_open_as(file, facts.id), "it is closed");
}
/* Replaces a file. A reader that has the file open still reads the old text. */
static bool replace(const char **why) {
    const int fresh = autotune__open_file(other_path, AUTOTUNE__WRITE | AUTOTUNE__NEW);
    autotune__file_facts facts;
    cr_assert(fresh >= 0);
    const bool replaced = autotune__fill_and_rename(fresh, other_path, path, "new text", 8, true, why);
    cr_assert_not(autotune__facts_of_path(other_path, &facts), "the new name is gone");
    return replaced;
}
Test(files, are_replaced_while_they_are_open) {
    const char *why = "";
    const int file = create(0);
    cr_assert(autotune__write_at(file, "old", 3, 0));
    const autotune__file_id id = facts_of(file).id;
    cr_assert(replace(&why), "%s", why);
    EXPECT_STRING(text_of(file), "old");
    autotune__close_file(file);
    const int now = autotune__open_file(path, AUTOTUNE__READ);
    EXPECT_STRING(text_of(now), "new text");
    cr_assert_not(autotune__is_same_id(facts_of(now).id, id));
    autotune__close_file(now);
}
static int names;
static void count_name(const char *name, void *user) {
    (void)user;
    names += !strcmp(name, "file") ? 1 : 100;
}
Test(files, are_found_in_their_folder) {
    autotune__close_file(create(0));
    autotune__walk_folder(folder, count_name, NULL);
    EXPECT_INT(names, 1);
    EXPECT_STRING(autotune__last_separator(path), "/file");
}

/* ---- Locks ------------------------------------------------------------------------------------------------------- */

/* If locks belong to the open file, two open files of one process act like those of two processes. */
#if defined _WIN32 || (defined __linux__ && defined __LP64__)
Test(files, have_a_lock_for_each_byte) {
    const int file = create(0), other = create(0);
    cr_assert(autotune__write_at(file, "text", 4, 0));
    cr_assert_eq(autotune__lock_at(file, 0), AUTOTUNE__HELD);
    cr_assert_eq(autotune__lock_at(other, 0), AUTOTUNE__BUSY);
    cr_assert_eq(autotune__lock_at(other, 1), AUTOTUNE__HELD);
    cr_assert(autotune__is_locked_at(other, 0) && autotune__is_locked_at(file, 1) && !autotune__is_locked_at(file, 2));
    EXPECT_STRING(text_of(other), "text"); /* a process without the lock may still read and write */
    cr_assert(autotune__write_at(other, "T", 1, 0));
    autotune__unlock_at(file, 0);
    cr_assert_eq(autotune__lock_at(other, 0), AUTOTUNE__HELD);
    autotune__close_file(other);
    cr_assert_eq(autotune__lock_at(file, 0), AUTOTUNE__HELD, "the lock ends with the open file");
    autotune__close_file(file);
}
#endif

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

static autotune__mutex mutex = AUTOTUNE__MUTEX;
static autotune__condition condition;
static int count, once_count;
static void once(void) { once_count++; }
static void *add(void *argument) {
    static autotune__once called = AUTOTUNE__ONCE;
    (void)argument;
    for (int i = 0; i < 1000; i++) {
        autotune__run_once(&called, once);
        autotune__lock_mutex(&mutex);
        count++;
        autotune__wake_all(&condition);
        autotune__unlock_mutex(&mutex);
    }
    return NULL;
}
Test(threads, exclude_each_other_and_end) {
    autotune__thread threads[4];
    autotune__make_condition(&condition);
    autotune__lock_mutex(&mutex);
    for (int i = 0; i < 4; i++) cr_assert(autotune__start_thread(&threads[i], add, NULL));
    while (count < 4000) autotune__wait_for(&condition, &mutex);
    autotune__unlock_mutex(&mutex);
    for (int i = 0; i < 4; i++) {
        cr_assert_not(autotune__is_same_thread(threads[i], autotune__this_thread()));
        autotune__join_thread(threads[i]);
    }
    EXPECT_INT(once_count, 1);
    cr_assert(autotune__is_same_thread(autotune__this_thread(), autotune__this_thread()));
}
Test(threads, wait_until_a_deadline) {
    const uint64_t before = autotune__wait_clock();
    autotune__make_condition(&condition);
    autotune__lock_mutex(&mutex);
    do autotune__await(&condition, &mutex, before + 30000000);
    while (autotune__wait_clock() < before + 30000000);
    cr_assert_not(autotune__lock_within(&mutex, 3), "it is locked");
    autotune__unlock_mutex(&mutex);
    cr_assert(autotune__lock_within(&mutex, 3));
    autotune__unlock_mutex(&mutex);
}

/* ---- Clocks, the processor, the program -------------------------------------------------------------------------- */

static volatile unsigned sink;
Test(clocks, go_on) {
    const uint64_t computed AUTOTUNE__UNUSED = autotune__process_ns();
    const uint64_t before = autotune__monotonic_ns();
    autotune__sleep_ns(20000000);
    const uint64_t slept = autotune__monotonic_ns() - before;
    cr_assert(slept >= 19000000, "%llu ns", (unsigned long long)slept);
#ifndef _WIN32
    while (autotune__process_ns() - computed < 50000000 && autotune__monotonic_ns() - before < 60000000000) sink++;
    cr_assert(autotune__process_ns() - computed >= 50000000);
#endif
    cr_assert(autotune__calendar_seconds() > 1700000000);
}
Test(processor, is_known) {
    char model[160] = "";
    autotune__read_processor_model(model, sizeof model);
    cr_assert(*model);
    cr_assert(autotune__processor_count() >= 1);
    const size_t first = autotune__cache_bytes(1), third = autotune__cache_bytes(3);
    cr_assert(!first || (first >= 4096 && first < 16 << 20), "%zu", first);
    cr_assert(!first || autotune__cache_bytes(2) > first);
    cr_assert(!third || third > first, "%zu", third);
}
/* The quota of a control group. Its files are in a folder of the test, whatever quota this system has. */
#ifdef __linux__
static long quota_of(const char *text) {
    const int file = create(0);
    cr_assert(autotune__write_all(file, text, strlen(text)));
    cr_assert(autotune__close_file(file));
    return autotune__least_quota(folder, "/inner", 6);
}
Test(processor, has_a_quota, .init = enter_folder, .fini = remove_folder) {
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    EXPECT_INT(quota_of("max 100000\n"), LONG_MAX);
    autotune__remove_file(path);
    EXPECT_INT(quota_of("250000 100000\n"), 3);
    snprintf(other_path, sizeof other_path, "%s/inner", folder);
    cr_assert_eq(mkdir(other_path, 0700), 0);
    snprintf(path, sizeof path, "%s/inner/cpu.max", folder);
    EXPECT_INT(quota_of("200000 100000\n"), 2);
    autotune__remove_file(path);
    cr_assert_eq(rmdir(other_path), 0);
    snprintf(path, sizeof path, "%s/cpu.max", folder);
}
/* A function with the name of one in an OpenMP runtime, which this program lacks. */
static int known_to_openmp;
int omp_get_num_procs(void);
int omp_get_num_procs(void) { return known_to_openmp; }
Test(processor, is_usable_where_the_affinity_says_so) {
    const long usable = autotune__usable_processors(autotune__processor_count());
    cpu_set_t all, one;
    size_t first = 0;
    cr_assert(usable >= 1 && usable <= autotune__processor_count());
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    if (usable < 2 || CPU_COUNT(&all) < 2) cr_skip_test("this process may use one processor");
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_INT(autotune__usable_processors(autotune__processor_count()), 1);
    known_to_openmp = (int)usable;
    EXPECT_INT(autotune__usable_processors(autotune__processor_count()), usable);
    known_to_openmp = 0;
    cr_assert_eq(sched_setaffinity(0, sizeof all, &all), 0);
}
#endif
static const char of_the_program[] = "what stands in the file, and not in memory that is zero at first";
static void check_file(const char *file) {
    autotune__file_facts facts;
    cr_assert(autotune__is_absolute(file) && autotune__facts_of_path(file, &facts), "%s", file);
    cr_assert(facts.is_regular && facts.bytes > 100000);
}
Test(program, knows_its_build_or_its_file) {
    autotune__module module;
    cr_assert(autotune__find_module(of_the_program, &module));
    if (!*module.build) check_file(module.path);
}
Test(program, has_an_identity) {
    char here[40], again[40], memory[40], of_library[40];
    char *const allocated = (char *)malloc(100000);
    cr_assert(autotune__identify_program(of_the_program, here, sizeof here));
    cr_assert(autotune__identify_program(of_the_program + 1, again, sizeof again));
    EXPECT_STRING(here, again);
    cr_assert(!autotune__identify_program(allocated, memory, sizeof memory), "what no file holds has no identity");
    if (autotune__identify_program(stdin, of_library, sizeof of_library))
        cr_assert(strcmp(of_library, here), "another library has another one");
    free(allocated);
}
#ifndef _WIN32
Test(program, has_children_or_says_why_not) {
    autotune__child child;
    const char *why = NULL;
    switch (autotune__start_child(&child, &why)) {
    case AUTOTUNE__IS_CHILD: autotune__leave_child(); break;
    case AUTOTUNE__IS_PARENT: EXPECT_INT(autotune__end_child(&child, false).how, AUTOTUNE__EXITED); break;
    default: EXPECT_CONTAINS(why, "has no fork()");
    }
}
#endif
