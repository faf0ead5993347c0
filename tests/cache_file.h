/* cache_file.h - functions for tests of the cache on disk: a new folder, runs of a program, and the bytes of the file.
   It has a second implementation of the checksum, from docs/cache-format.md. For C and C++. Define _DEFAULT_SOURCE
   before it, for memory that processes share. */
#ifndef CACHE_FILE_H
#define CACHE_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The folder -------------------------------------------------------------------------------------------------- */

static char cache_folder[200], cache_file[240];

/* Makes an empty folder, and makes the cache on disk use it. Call this before the first statement of a process. */
static inline void use_new_folder(void) {
    const char *where = getenv("TMPDIR");
    snprintf(cache_folder, sizeof cache_folder, "%.150s/autotune-test-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(cache_folder)) abort();
    snprintf(cache_file, sizeof cache_file, "%s/results.jsonl", cache_folder);
    unsetenv("AUTOTUNE_CACHE"); /* the default is on */
    setenv("AUTOTUNE_CACHE_DIR", cache_folder, 1);
}
static inline void remove_folder(void) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", cache_folder);
    if (strstr(cache_folder, "/autotune-test-") && system(command) != 0) abort();
}

/* Returns memory that is never freed, since no test runs long. */
static inline char *kept(size_t size) {
    static struct kept { struct kept *older; } * newest;
    struct kept *block = (struct kept *)calloc(1, sizeof *block + size);
    if (!block) abort();
    block->older = newest;
    newest = block;
    return (char *)(block + 1);
}

/* ---- The file -------------------------------------------------------------------------------------------------------
 */

typedef struct bytes {
    char *at;
    size_t count;
} bytes;

static inline bytes read_file(const char *path) { /* ends in a zero; NULL: no file */
    bytes all = {NULL, 0};
    struct stat status;
    const int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) return all;
    all.at = kept((size_t)status.st_size + 1);
    all.count = (size_t)status.st_size;
    if (read(file, all.at, all.count) != (ssize_t)all.count) abort();
    close(file);
    return all;
}
static inline void write_file(const char *path, const char *text, size_t count) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, text, count) != (ssize_t)count) abort();
    close(file);
}
static inline bytes cache_bytes(void) { return read_file(cache_file); }
/* Counts lines that are not empty. If a process reads the file while another process appends a line, the first process
   may find the line without its end, and appends a line feed. This makes an empty line, which does no harm. */
static inline size_t count_lines(bytes all) {
    size_t lines = 0, i;
    for (i = 0; i < all.count; i++) lines += all.at[i] == '\n' && i && all.at[i - 1] != '\n';
    return lines;
}

/* ---- Records --------------------------------------------------------------------------------------------------------
 */

static inline uint32_t crc32_of(const char *text, size_t count) { /* bit by bit, as in the standard */
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    int bit;
    for (i = 0; i < count; i++)
        for (crc ^= (unsigned char)text[i], bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    return crc ^ 0xFFFFFFFFu;
}
/* Returns a line without its line feed, from the text before ,"crc":. */
static inline bytes with_crc(const char *text, size_t count) {
    bytes line = {kept(count + 20), count + 18};
    memcpy(line.at, text, count);
    snprintf(line.at + count, 20, ",\"crc\":\"%08x\"}", (unsigned)crc32_of(text, count));
    return line;
}
static inline int is_sound(const char *line, size_t count) {
    char tail[20];
    if (count < 18) return 0;
    snprintf(tail, sizeof tail, ",\"crc\":\"%08x\"}", (unsigned)crc32_of(line, count - 18));
    return !memcmp(line + count - 18, tail, 18);
}
static inline size_t sound_lines(bytes all) {
    size_t sound = 0, at = 0;
    while (at < all.count) {
        const char *feed = (const char *)memchr(all.at + at, '\n', all.count - at);
        const size_t length = feed ? (size_t)(feed - (all.at + at)) : all.count - at;
        sound += (size_t)is_sound(all.at + at, length);
        at += length + 1;
    }
    return sound;
}
/* Replaces a text in all lines that have it, and gives these lines new checksums. Returns the number of these lines. */
static inline size_t edit_records(const char *path, const char *old, const char *replacement) {
    const bytes all = read_file(path);
    bytes out = {kept(2 * all.count + 4096), 0};
    size_t edited = 0, at = 0;
    while (at < all.count) {
        const char *line = all.at + at, *feed = (const char *)memchr(line, '\n', all.count - at);
        const size_t length = feed ? (size_t)(feed - line) : all.count - at;
        const char *found = strstr(line, old);
        if (found && found < line + length) {
            const size_t before = (size_t)(found - line), rest = length - 18 - before - strlen(old);
            char *text = kept(length + strlen(replacement) + 1);
            bytes fresh;
            memcpy(text, line, before);
            memcpy(text + before, replacement, strlen(replacement));
            memcpy(text + before + strlen(replacement), found + strlen(old), rest);
            fresh = with_crc(text, before + strlen(replacement) + rest);
            memcpy(out.at + out.count, fresh.at, fresh.count);
            out.count += fresh.count;
            edited++;
        } else {
            memcpy(out.at + out.count, line, length);
            out.count += length;
        }
        if (feed) out.at[out.count++] = '\n';
        at += length + 1;
    }
    write_file(path, out.at, out.count);
    return edited;
}

/* ---- Runs -----------------------------------------------------------------------------------------------------------
 */

/* Returns memory that a run writes and its parent process reads. */
static inline void *shared_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    return memory;
}

#endif
