/* What NVRTC leaves behind: the headers that it compiled once lie in a folder for temporary files, and stay there when
   their process is killed. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../system/files.h"
#include "../system/folders.h"
#include "../system/threads.h"

enum { AUTOTUNE__LONGEST_PATH = 4096 };
static void autotune__remove_compiled_headers(const char *name, void *folder) {
    const size_t length = strlen(name);
    char path[AUTOTUNE__LONGEST_PATH];
    if (length < 4 || strcmp(name + length - 4, ".pch")) return;
    if (snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) < (int)sizeof path)
        autotune__remove_file(path);
}
/* The folder is named __nvrtc_auto_pch_PROCESS_NUMBER. It stays itself, empty: in a container that shares the folder
   for temporary files the process may live. NVRTC then makes the file anew; without the folder it would fail. */
static void autotune__visit_temporary_folder(const char *name, void *folder) {
    static const char prefix[] = "__nvrtc_auto_pch_";
    const char *number = name + sizeof prefix - 1;
    autotune__file_facts facts;
    char path[AUTOTUNE__LONGEST_PATH], *end;
    unsigned long process;
    if (strncmp(name, prefix, sizeof prefix - 1)) return;
    process = strtoul(number, &end, 10);
    if (end == number || *end != '_' || autotune__process_exists(process) ||
        snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) >= (int)sizeof path)
        return;
    if (autotune__facts_of_name(path, &facts) && facts.is_folder && facts.is_own)
        autotune__walk_folder(path, autotune__remove_compiled_headers, path);
}
/* Removes what NVRTC in processes of this user that are gone compiled of headers. */
static void autotune__remove_leftovers(void) {
    static char usual[] = "/tmp";
    char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = usual;
    autotune__walk_folder(folder, autotune__visit_temporary_folder, folder);
}
