/* Machine code on disk. Each compiler has a folder beside the records, such as `cubins`. The folder has a file for each
   compilation, named by its digest. The file is the output of the compiler, which tools can read. Behind it a line
   identifies the code. A file with a wrong line or checksum is not loaded. A file is always replaced as a whole. If the
   folder has no room for a new file, all files are removed. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../store/floor.h"
#include "digest.h"
#include "compiler.h"

typedef struct autotune__image_name { char at[64]; } autotune__image_name;
/* Returns the name of the file for a digest. */
static autotune__image_name autotune__name_image(const autotune__compiler *compiler, const autotune__digest *digest) {
    autotune__image_name name;
    autotune__put_text(name.at, sizeof name.at, "%016llx%016llx.%s", (unsigned long long)digest->word[0],
                       (unsigned long long)digest->word[1], compiler->suffix);
    return name;
}
/* The line after the code, for the suffix cubin: {"cubin":1,"digest":"...","kernel":"its name in the
   code","crc":"..."}. Its checksum is that of records. This function writes the part before the kernel's name, and
   returns its length. */
enum { AUTOTUNE__IMAGE_LINE_START = 96 };
static size_t autotune__begin_image_line(char *start, const char *suffix, const autotune__digest *digest) {
    return (size_t)snprintf(start, AUTOTUNE__IMAGE_LINE_START,
                            "\n{\"%s\":1,\"digest\":\"%016llx%016llx\",\"kernel\":\"", suffix,
                            (unsigned long long)digest->word[0], (unsigned long long)digest->word[1]);
}
/* Returns true if the file has the code of this digest. The compilation then owns the bytes. The caller has put a
   zero behind the bytes of the file. */
static bool autotune__take_image(autotune__compilation *compilation, const autotune__digest *digest, char *file,
                                 size_t bytes) {
    char start[AUTOTUNE__IMAGE_LINE_START], sum[AUTOTUNE__CRC_BYTES + 2];
    const size_t length = autotune__begin_image_line(start, compilation->program->compiler->suffix, digest);
    char *const end = file + (bytes < sizeof sum ? 0 : bytes + 1 - sizeof sum), *at = end;
    autotune__put_text(sum, sizeof sum, ",\"crc\":\"%08lx\"}\n",
                       (unsigned long)autotune__crc(file, (size_t)(end - file)));
    while (at > file && *at != '\n') at--;
    if (strcmp(end, sum) || strncmp(at, start, length) || (size_t)(end - at) <= length || end[-1] != '"') return false;
    *at = end[-1] = 0;
    compilation->image = file;
    compilation->image_bytes = (size_t)(at - file);
    compilation->symbol = at + length;
    return true;
}
/* Reads the code of a digest. Returns false if the folder has no such code, or if the code no longer holds. */
static bool autotune__read_image(autotune__compilation *compilation, const autotune__digest *digest) {
    const autotune__compiler *compiler = compilation->program->compiler;
    const int file AUTOTUNE__CLOSED = autotune__open_in_cache(compiler->folder,
                                                              autotune__name_image(compiler, digest).at);
    const char *why;
    char *bytes = NULL;
    size_t got;
    const bool taken = file >= 0 && (bytes = autotune__read_whole(file, &got, &why)) != NULL &&
                       autotune__take_image(compilation, digest, bytes, got) &&
                       (!compiler->still_holds || compiler->still_holds(compilation));
    if (taken) compilation->progress = AUTOTUNE__CODE_MADE;
    else {
        autotune__free(bytes);
        compilation->image = NULL;
    }
    return taken;
}

typedef struct autotune__image_walk {
    autotune__compiler *compiler;
    const char *folder;
    bool removes;                               /* removes the files; false: counts their bytes */
} autotune__image_walk;
/* Counts or removes a file. An unfinished file has a longer name. It stays for a minute, since a process may still
   write it. */
static void autotune__meet_image(const char *name, void *user) {
    const autotune__image_walk *walk = (const autotune__image_walk *)user;
    const size_t length = strlen(walk->compiler->suffix);
    const bool is_image = strspn(name, "0123456789abcdef") == 32 && name[32] == '.' &&
                          !strncmp(name + 33, walk->compiler->suffix, length);
    autotune__file_facts facts;
    char *path AUTOTUNE__OWNED = is_image ? autotune__joined(walk->folder, name) : NULL;
    if (path && autotune__facts_of_name(path, &facts)) {
        const bool in_work = name[33 + length] && facts.modified_ns / 1000000000 > autotune__calendar_seconds() - 60;
        if (!walk->removes) walk->compiler->kept_bytes += (double)facts.bytes;
        else if (!in_work) autotune__remove_file(path);
    }
}
/* The caller holds the lock of the cache. Makes room for `bytes` bytes in the folder. If there is no room, all files
   are removed, and their code is compiled again when it is needed. Other processes add and remove files, too, so all
   files are counted once, and counted anew when the limit seems to be reached. */
static void autotune__make_image_room(const char *folder, double bytes, void *user) {
    const double room = autotune__environment.cubins_mib * 1048576;
    autotune__compiler *compiler = (autotune__compiler *)user;
    autotune__image_walk walk = { compiler, folder, false };
    if (!(compiler->kept_bytes > 0) || compiler->kept_bytes + bytes > room) {
        compiler->kept_bytes = 0;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
    }
    if (compiler->kept_bytes + bytes > room) {
        walk.removes = true;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
        compiler->kept_bytes = 0;
    }
    compiler->kept_bytes += bytes;
}
static void autotune__keep_image(const autotune__compilation *compilation, const autotune__digest *digest) {
    const double room = autotune__environment.cubins_mib * 1048576, bytes = (double)compilation->image_bytes;
    const bool plain = !compilation->unsettled && !strpbrk(compilation->symbol, "\"\\\n") && bytes <= room / 4;
    autotune__compiler *compiler = compilation->program->compiler;
    char start[AUTOTUNE__IMAGE_LINE_START];
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    if (!plain) return;
    autotune__append_piece(&text, compilation->image, compilation->image_bytes);
    autotune__begin_image_line(start, compiler->suffix, digest);
    autotune__append(&text, "%s%s\"", start, compilation->symbol);
    autotune__append_crc(&text, 0);
    autotune__keep_in_cache(compiler->folder, autotune__name_image(compiler, digest).at, &text,
                            autotune__make_image_room, compiler);
}
