/* compilers.h - functions for the tests of autotune_cc.h: compilers that are shell scripts in a folder of the test, and
   a count of their runs. For C and C++. The real compiler is cc. */
#ifndef COMPILERS_H
#define COMPILERS_H

#include "plain.h"
#include "cache_file.h"
#include "autotune_cc.h"
#include <dirent.h>
#include <time.h>

/* The path of a file in the folder of the test. It is valid until the eighth call after this one. */
static inline const char *in_folder(const char *name) {
    static char path[8][400];
    static int next;
    char *const p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", cache_folder, name);
    return p;
}
static inline const char *write_text(const char *name, const char *text) {
    const char *const path = in_folder(name);
    write_file(path, text, strlen(text));
    return path;
}
/* Writes a file, and sets its time to a minute ago: the library does not trust the time of a file that is new. */
static inline void write_settled(const char *name, const char *text) {
    const struct timespec times[2] = {{time(NULL) - 60, 0}, {time(NULL) - 60, (long)(strlen(text) * 1000)}};
    CHECK(utimensat(AT_FDCWD, write_text(name, text), times, 0) == 0);
}
/* Makes a compiler, which appends a line to the file `ran`, and then runs the script. Returns its path. */
static inline const char *make_compiler(const char *name, const char *script) {
    const char *const path = in_folder(name);
    char text[4096];
    snprintf(text, sizeof text, "#!/bin/sh\necho \"$*\" >> '%s'\n%s\n", in_folder("ran"), script);
    write_settled(name, text);
    CHECK(chmod(path, 0700) == 0);
    return path;
}
/* From now on this script compiles all programs that have no option --cc. */
static inline void compile_by(const char *script) { setenv("AUTOTUNE_CC", make_compiler("compiler", script), 1); }
static inline size_t compilations(void) { return count_lines(read_file(in_folder("ran"))); }
static inline void forget_compilations(void) { unlink(in_folder("ran")); }
static inline bool was_compiled_with(const char *word) {
    const bytes all = read_file(in_folder("ran"));
    return all.at && strstr(all.at, word) != NULL;
}
/* Returns true if the real compiler can compile this source. */
static inline bool has_compiler(const char *source, const char *text) {
    char command[1200];
    snprintf(command, sizeof command, "cc -c -o '%s' '%s' 2> /dev/null", in_folder("object"), write_text(source, text));
    return system(command) == 0;
}
/* Returns true if a process runs whose command line contains this text. */
static inline bool runs(const char *part) {
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    bool found = false;
    CHECK(folder != NULL);
    while (!found && (entry = readdir(folder)) != NULL) {
        char path[64], words[4096] = "";
        FILE *file;
        size_t length, i;
        snprintf(path, sizeof path, "/proc/%.20s/cmdline", entry->d_name);
        if (!(file = fopen(path, "r"))) continue;
        length = fread(words, 1, sizeof words - 1, file);
        for (i = 0; i < length; i++)
            if (!words[i]) words[i] = ' ';
        found = strstr(words, part) != NULL;
        fclose(file);
    }
    closedir(folder);
    return found;
}
static inline size_t files_in(const char *path) {
    DIR *folder = opendir(path);
    size_t count = 0;
    CHECK(folder != NULL);
    while (readdir(folder)) count++;
    closedir(folder);
    return count - 2;
}

/* Returns a script that sleeps. Its number of seconds is the process id of the first caller, which no other process
   uses. So sleeps() can find the process of the script. */
static inline const char *sleep_in(const char *format) {
    static char script[200];
    static int seconds;
    if (!seconds) seconds = 1000000 + (int)getpid();
    snprintf(script, sizeof script, format, seconds, seconds);
    return script;
}
/* Returns true if a process of a sleep_in() script still runs. A killed process exists for a moment, so the function
   looks again for 10 s. */
static inline bool sleeps(void) {
    for (int i = 0; i < 1000 && runs(sleep_in("sleep %d ")); i++) usleep(10000);
    return runs(sleep_in("sleep %d "));
}

#define REAL_COMPILER "exec cc \"$@\""

#endif
