/* Machine code on disk: a folder `cubins` beside the records, a file for each, named by its digest. It is the cubin as
   NVRTC made it, so that the toolkit's tools read it, and behind it a line that says which it is. Nothing is loaded
   whose line or checksum is wrong; a file that is replaced is replaced whole. Files that were not used for longest go
   when there are too many. */
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "../base/memory.h"
#include "../system/files.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../store/store.h"
#include "digest.h"

#ifndef AUTOTUNE_NO_CACHE

static struct autotune__cubins {                /* with autotune__cache_lock */
    char *folder;
    double bytes;                               /* in it, as far as is known */
    bool counted;
} autotune__cubins;

static bool autotune__is_own_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}
/* The path of the file for a digest; NULL: there is no cache on disk. */
static char *autotune__cubin_path(const autotune__digest *digest) {
    char name[48], *path = NULL;
    autotune__enter_cache();
    if (autotune__find_cache() && !autotune__cubins.folder)
        autotune__cubins.folder = autotune__joined(autotune__cache.folder, "cubins");
    snprintf(name, sizeof name, "%016llx%016llx.cubin", (unsigned long long)digest->word[0],
             (unsigned long long)digest->word[1]);
    if (autotune__cubins.folder) path = autotune__joined(autotune__cubins.folder, name);
    autotune__leave_cache();
    return path;
}
/* The line behind the code: {"cubin":1,"digest":"...","kernel":"its name in it","crc":"..."}, the checksum as that of a
   record. */
static void autotune__append_cubin_line(autotune__text *text, const autotune__digest *digest, const char *kernel) {
    autotune__append(text, "\n{\"cubin\":1,\"digest\":\"%016llx%016llx\",\"kernel\":\"%s\"",
                     (unsigned long long)digest->word[0], (unsigned long long)digest->word[1], kernel);
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at, autotune__count(text->at)));
}
/* Does the file hold what the digest stands for? Where its code ends, and the kernel's name, without a zero. */
static bool autotune__read_cubin_line(const char *file, size_t bytes, const autotune__digest *digest,
                                      size_t *code_bytes, const char **kernel, size_t *kernel_length) {
    const char *const end = file + bytes, *sum_at = end - (AUTOTUNE__CRC_BYTES + 1), *tail = sum_at, *at;
    uint64_t sum, word[2];
    if (bytes <= AUTOTUNE__CRC_BYTES + 1 || !autotune__skip(&tail, end, ",\"crc\":\"") ||
        !autotune__skip_hex(&tail, end, 8, &sum) || !autotune__skip(&tail, end, "\"}\n") ||
        sum != autotune__crc(file, (size_t)(sum_at - file)))
        return false;
    for (at = sum_at; at > file && at[-1] != '\n'; at--) {}
    if (at == file) return false;
    *code_bytes = (size_t)(at - file) - 1;
    if (!autotune__skip(&at, end, "{\"cubin\":1,\"digest\":\"") || !autotune__skip_hex(&at, end, 16, &word[0]) ||
        !autotune__skip_hex(&at, end, 16, &word[1]) || memcmp(word, digest->word, sizeof word) ||
        !autotune__skip(&at, end, "\",\"kernel\":\"") || at >= sum_at || sum_at[-1] != '"') return false;
    *kernel = at;
    *kernel_length = (size_t)(sum_at - 1 - at);
    return true;
}
/* The code, which ends with a zero, and the kernel's name in it; both are the caller's. NULL: it is not there. used:
   the file counts as used now. */
static char *autotune__read_cubin(const autotune__digest *digest, bool used, char **kernel) {
    char *path = autotune__cubin_path(digest), *code = NULL;
    const char *why, *name;
    struct stat status;
    size_t got, bytes, length;
    const int file = path && autotune__is_own_folder(autotune__cubins.folder)
                         ? autotune__open_ours(path, O_RDONLY, &why)
                         : -1;
    *kernel = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && (code = autotune__read_from(file, 0, (size_t)status.st_size, &got))) {
        if (autotune__read_cubin_line(code, got, digest, &bytes, &name, &length) &&
            (*kernel = (char *)autotune__allocate(length + 1))) {
            memcpy(*kernel, name, length);
            code[bytes] = 0;
            if (used && futimens(file, NULL) != 0) {}               /* then it is removed a little earlier */
        } else {
            autotune__free(code);
            code = NULL;
        }
    }
    if (file >= 0) close(file);
    autotune__free(path);
    return code;
}

/* Files that were not used for longest are removed until three quarters of the room are left over; then there is time
   until the next time. So are those that somebody who was stopped did not finish. With the lock. */
typedef struct autotune__cubin_file { char name[64]; struct timespec used; double bytes; } autotune__cubin_file;
static int autotune__order_cubins(const void *left, const void *right) {
    const autotune__cubin_file *a = (const autotune__cubin_file *)left, *b = (const autotune__cubin_file *)right;
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return a->used.tv_nsec != b->used.tv_nsec ? (a->used.tv_nsec < b->used.tv_nsec ? -1 : 1) : strcmp(a->name, b->name);
}
static void autotune__remove_cubin(const char *name) {
    char *path = autotune__joined(autotune__cubins.folder, name);
    if (path) unlink(path);
    autotune__free(path);
}
static void autotune__sweep_cubins(double room) {
    const time_t hour_ago = time(NULL) - 3600;
    autotune__cubin_file *files = NULL, file;
    struct dirent *entry;
    struct stat status;
    size_t i;
    DIR *folder = autotune__open_folder(autotune__cubins.folder);
    autotune__cubins.bytes = 0;
    autotune__cubins.counted = true;
    while (folder && (entry = readdir(folder))) {
        const size_t length = strlen(entry->d_name);
        if (length < 38 || length >= sizeof file.name || strspn(entry->d_name, "0123456789abcdef") != 32 ||
            strncmp(entry->d_name + 32, ".cubin", 6) ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;                           /* not ours */
        memset(&file, 0, sizeof file);
        snprintf(file.name, sizeof file.name, "%.63s", entry->d_name);
        file.used = status.st_mtim;
        file.bytes = (double)status.st_size;
        if (length > 38 && file.used.tv_sec < hour_ago) autotune__remove_cubin(file.name);
        else if (length == 38 && AUTOTUNE__PUSH(files, file)) autotune__cubins.bytes += file.bytes;
    }
    if (folder) closedir(folder);
    if (files && autotune__cubins.bytes > room) {
        qsort(files, autotune__count(files), sizeof *files, autotune__order_cubins);
        for (i = 0; i < autotune__count(files) && autotune__cubins.bytes > 0.75 * room; i++) {
            autotune__remove_cubin(files[i].name);
            autotune__cubins.bytes -= files[i].bytes;
        }
    }
    AUTOTUNE__FREE_ARRAY(files);
}
static bool autotune__make_cubins_folder(const char **why) {        /* if there is none */
    char *folder = autotune__copy_string(autotune__cubins.folder);
    const bool made = folder && (autotune__is_own_folder(folder) || autotune__make_folders(folder));
    *why = !folder ? "out of memory" : made ? "is no folder of this user's" : strerror(errno);
    autotune__free(folder);
    return made && autotune__is_own_folder(autotune__cubins.folder);
}
static bool autotune__keep_cubin(const autotune__digest *digest, const char *code, size_t bytes, const char *kernel) {
    const double room = autotune__environment.cubins_mib * 1048576;
    struct autotune__cubins *cubins = &autotune__cubins;
    char *path = strpbrk(kernel, "\"\n") ? NULL : autotune__cubin_path(digest);
    autotune__text text = { NULL, false };
    const char *why = "out of memory";
    bool kept = false;
    if (!path || (double)bytes > room / 4) { autotune__free(path); return false; }
    if (AUTOTUNE__ROOM(text.at, bytes + 1)) { memcpy(text.at, code, bytes); autotune__set_count(text.at, bytes); }
    else text.broken = true;
    autotune__append_cubin_line(&text, digest, kernel);
    autotune__enter_cache();
    if (!text.broken && autotune__make_cubins_folder(&why)) {       /* not flushed: the checksum tells */
        kept = autotune__replace_file(path, text.at, autotune__count(text.at), S_IRUSR | S_IWUSR, false, &why);
    }
    if (!kept) autotune__say_unwritable(cubins->folder, why);
    else {
        cubins->bytes += (double)autotune__count(text.at);
        if (!cubins->counted || cubins->bytes > room) autotune__sweep_cubins(room);
    }
    autotune__leave_cache();
    autotune__free_text(&text);
    autotune__free(path);
    return kept;
}
#endif  /* AUTOTUNE_NO_CACHE */
