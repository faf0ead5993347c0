/* The functions of this floor for Windows. The rooms for POSIX have functions with the same names, and their comments
   hold here, too. */
#pragma once
#include <process.h>
#include <windows.h>
#include "../api/floor.h"
#include "types.h"

/* ---- Rights ---- */

static bool autotune__is_privileged(void) { return false; }      /* files give no rights on Windows */

/* ---- Clocks ---- */

static inline uint64_t autotune__monotonic_ns(void) {
    LARGE_INTEGER ticks, in_a_second;
    uint64_t a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&in_a_second);
    a_second = (uint64_t)in_a_second.QuadPart;
    return (uint64_t)ticks.QuadPart / a_second * 1000000000u +
           (uint64_t)ticks.QuadPart % a_second * 1000000000u / a_second;
}
/* Returns the sum of two processor times, in nanoseconds. Windows updates these times at its ticks, every 16 ms. */
static uint64_t autotune__ns_of(FILETIME kernel, FILETIME user) {
    const uint64_t high = (uint64_t)kernel.dwHighDateTime + user.dwHighDateTime;
    return ((high << 32) + kernel.dwLowDateTime + user.dwLowDateTime) * 100;
}
static uint64_t autotune__process_ns(void) {
    FILETIME from, to, kernel, user;
    return GetProcessTimes(GetCurrentProcess(), &from, &to, &kernel, &user) ? autotune__ns_of(kernel, user) : 0;
}
static void autotune__sleep_ns(uint64_t ns) { Sleep((DWORD)((ns + 999999) / 1000000)); }

/* ---- Files ---- */

/* Sets errno by the last error of Windows. Always returns false. */
static bool autotune__windows_failed(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND: case ERROR_PATH_NOT_FOUND: case ERROR_INVALID_NAME: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED: case ERROR_SHARING_VIOLATION: case ERROR_LOCK_VIOLATION: errno = EACCES; break;
    case ERROR_ALREADY_EXISTS: case ERROR_FILE_EXISTS: errno = EEXIST; break;
    case ERROR_DISK_FULL: case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_NOT_ENOUGH_MEMORY: case ERROR_OUTOFMEMORY: errno = ENOMEM; break;
    case ERROR_INVALID_HANDLE: errno = EBADF; break;
    case ERROR_BROKEN_PIPE: case ERROR_NO_DATA: errno = EPIPE; break;
    default: errno = EIO;
    }
    return false;
}
static HANDLE autotune__handle(int file) { return (HANDLE)(intptr_t)file; }
static int autotune__number_of_handle(HANDLE handle) {
    if (handle == INVALID_HANDLE_VALUE) autotune__windows_failed();
    return handle == INVALID_HANDLE_VALUE ? -1 : (int)(intptr_t)handle;
}
/* Returns true for a link or a junction: both lead to another path. Returns false for a file whose content is in a
   cloud. */
static bool autotune__leads_elsewhere(HANDLE handle) {
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && IsReparseTagNameSurrogate(tag.ReparseTag);
}
/* While the file is open, other processes may read, write, rename and remove it. A handle that may only append writes
   at the end of the file, even if other processes write to the file at the same time. */
static AUTOTUNE__UNUSED int autotune__open_file(const char *path, int how) {
    const DWORD appending = FILE_APPEND_DATA | FILE_WRITE_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE,
                access = (how & AUTOTUNE__APPEND ? appending : how & AUTOTUNE__WRITE ? GENERIC_WRITE : 0) |
                         (how & AUTOTUNE__READ ? GENERIC_READ : 0),
                others = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                creation = how & AUTOTUNE__NEW ? CREATE_NEW : how & AUTOTUNE__CREATE ? OPEN_ALWAYS : OPEN_EXISTING,
                flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS |
                        (how & AUTOTUNE__NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const HANDLE handle = CreateFileA(path, access, others, NULL, creation, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE || !(how & AUTOTUNE__NO_LINK) || !autotune__leads_elsewhere(handle))
        return autotune__number_of_handle(handle);
    CloseHandle(handle);
    errno = ELOOP;
    return -1;
}
static AUTOTUNE__UNUSED bool autotune__close_file(int file) {
    return file < 0 || CloseHandle(autotune__handle(file)) || autotune__windows_failed();
}
/* Returns false for a console that does not obey escape sequences. */
static bool autotune__stderr_is_terminal(void) {
    const DWORD obeys = 4;                      /* ENABLE_VIRTUAL_TERMINAL_PROCESSING */
    DWORD mode;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) && (mode & obeys);
}

static AUTOTUNE__UNUSED bool autotune__facts_of_file(int file, autotune__file_facts *facts) {
    const int64_t until_1970 = 116444736000000000;                  /* since 1601, in steps of 100 ns */
    const HANDLE handle = autotune__handle(file);
    BY_HANDLE_FILE_INFORMATION said;
    memset(facts, 0, sizeof *facts);
    if (!GetFileInformationByHandle(handle, &said)) return autotune__windows_failed();
    facts->id.device = said.dwVolumeSerialNumber;
    facts->id.number = (uint64_t)said.nFileIndexHigh << 32 | said.nFileIndexLow;
    facts->bytes = (size_t)((uint64_t)said.nFileSizeHigh << 32 | said.nFileSizeLow);
    facts->modified_ns = (((int64_t)said.ftLastWriteTime.dwHighDateTime << 32 | said.ftLastWriteTime.dwLowDateTime) -
                          until_1970) * 100;
    facts->is_folder = (said.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && !autotune__leads_elsewhere(handle);
    facts->is_regular = !(said.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && GetFileType(handle) == FILE_TYPE_DISK &&
                        !autotune__leads_elsewhere(handle);
    facts->is_own = true;                       /* the rights of the folder decide who may write */
    return true;
}
static AUTOTUNE__UNUSED bool autotune__facts_at(const char *path, DWORD flags, autotune__file_facts *facts) {
    const int file = autotune__number_of_handle(
        CreateFileA(path, READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | flags, NULL));
    const bool told = file >= 0 && autotune__facts_of_file(file, facts);
    if (file < 0) memset(facts, 0, sizeof *facts);
    autotune__close_file(file);
    return told;
}
static AUTOTUNE__UNUSED bool autotune__facts_of_path(const char *path, autotune__file_facts *facts) {
    return autotune__facts_at(path, 0, facts);
}
static AUTOTUNE__UNUSED bool autotune__facts_of_name(const char *path, autotune__file_facts *facts) {
    return autotune__facts_at(path, FILE_FLAG_OPEN_REPARSE_POINT, facts);
}

static OVERLAPPED autotune__at_offset(uint64_t offset) {
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    return at;
}
static DWORD autotune__at_once(size_t bytes) { return bytes < 1u << 30 ? (DWORD)bytes : 1u << 30; }
static AUTOTUNE__UNUSED bool autotune__read_at(int file, char *bytes, size_t most, size_t offset, size_t *got) {
    DWORD more = 1;
    for (*got = 0; more && *got < most; *got += more) {
        OVERLAPPED at = autotune__at_offset(offset + *got);
        if (ReadFile(autotune__handle(file), bytes + *got, autotune__at_once(most - *got), &more, &at)) continue;
        if (GetLastError() == ERROR_HANDLE_EOF) return true;
        return autotune__windows_failed();
    }
    return true;
}
/* Windows has no limit for the size of files like RLIMIT_FSIZE. */
static AUTOTUNE__UNUSED bool autotune__fits(size_t size AUTOTUNE__UNUSED, size_t more AUTOTUNE__UNUSED) { return true; }
static AUTOTUNE__UNUSED bool autotune__write_all(int file, const char *bytes, size_t count) {
    DWORD written;
    for (; count; bytes += written, count -= written) {
        if (!WriteFile(autotune__handle(file), bytes, autotune__at_once(count), &written, NULL))
            return autotune__windows_failed();
        if (!written) { errno = ENOSPC; return false; }
    }
    return true;
}
static AUTOTUNE__UNUSED bool autotune__write_at(int file, const char *bytes, size_t count, size_t offset) {
    OVERLAPPED at = autotune__at_offset(offset);
    DWORD written;
    if (!WriteFile(autotune__handle(file), bytes, (DWORD)count, &written, &at)) return autotune__windows_failed();
    if (written < count) errno = ENOSPC;
    return written == count;
}
/* Cuts a file. A handle that may only append cannot cut, so the file is opened again. */
static AUTOTUNE__UNUSED bool autotune__truncate(int file, size_t bytes) {
    const HANDLE again = ReOpenFile(autotune__handle(file), GENERIC_WRITE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    FILE_END_OF_FILE_INFO end;
    bool cut;
    if (again == INVALID_HANDLE_VALUE) return autotune__windows_failed();
    end.EndOfFile.QuadPart = (LONGLONG)bytes;
    cut = SetFileInformationByHandle(again, FileEndOfFileInfo, &end, sizeof end) || autotune__windows_failed();
    CloseHandle(again);
    return cut;
}
static AUTOTUNE__UNUSED void autotune__remove_file(const char *path) { (void)DeleteFileA(path); }
/* Renames a file to `path`, even if another process has the file at `path` open. The old file is renamed before, and
   removed afterwards. For a moment no file has the path. */
static AUTOTUNE__UNUSED bool autotune__replace(const char *new_name, const char *path) {
    char old_name[4096];
    if (MoveFileExA(new_name, path, MOVEFILE_REPLACE_EXISTING)) return true;
    autotune__windows_failed();
    if (errno != EACCES || (size_t)snprintf(old_name, sizeof old_name, "%s.old", path) >= sizeof old_name) return false;
    autotune__remove_file(old_name);
    if (!MoveFileExA(path, old_name, 0)) { errno = EACCES; return false; }
    if (MoveFileExA(new_name, path, 0)) {
        autotune__remove_file(old_name);
        return true;
    }
    autotune__windows_failed();
    (void)MoveFileExA(old_name, path, 0);
    return false;
}
/* Tries to replace the file a hundred times, once a millisecond, since another process may be reading it. */
static AUTOTUNE__UNUSED bool autotune__rename_over(const char *new_name, const char *path) {
    unsigned patience = 100;
    for (; !autotune__replace(new_name, path); Sleep(1)) if (errno != EACCES || !patience--) return false;
    return true;
}
static AUTOTUNE__UNUSED bool autotune__flush_file(int file) {
    return FlushFileBuffers(autotune__handle(file)) || autotune__windows_failed();
}

/* ---- Folders ---- */

/* A path that begins with a single separator is relative to the current drive, so it is not absolute. */
static bool autotune__is_separator(char character) { return character == '/' || character == '\\'; }
static AUTOTUNE__UNUSED bool autotune__is_absolute(const char *path) {
    return (*path && path[1] == ':' && autotune__is_separator(path[2])) ||
           (autotune__is_separator(*path) && autotune__is_separator(path[1]));
}
static const char *const autotune__cache_places[][2] = { { "LOCALAPPDATA", "autotune" } };
static const char autotune__no_cache_place[] = "neither AUTOTUNE_CACHE_DIR nor LOCALAPPDATA says where it is";

/* The folder inherits the rights of the folder above: LOCALAPPDATA belongs to the user alone. A drive such as "C:"
   exists already. */
static AUTOTUNE__UNUSED bool autotune__make_folder(const char *path) {
    if (path[strlen(path) - 1] == ':') { errno = EEXIST; return false; }
    return CreateDirectoryA(path, NULL) || autotune__windows_failed();
}
static AUTOTUNE__UNUSED void autotune__walk_folder(const char *path, void (*visit)(const char *name, void *user),
                                                   void *user) {
    WIN32_FIND_DATAA entry;
    char pattern[4096];
    HANDLE folder;
    if ((size_t)snprintf(pattern, sizeof pattern, "%s/*", path) >= sizeof pattern) return;
    folder = FindFirstFileA(pattern, &entry);
    if (folder == INVALID_HANDLE_VALUE) return;
    do if (*entry.cFileName != '.') visit(entry.cFileName, user);
    while (FindNextFileA(folder, &entry));
    FindClose(folder);
}
static AUTOTUNE__UNUSED void autotune__flush_folder(const char *path) { (void)path; }     /* NTFS keeps a journal */
static AUTOTUNE__UNUSED const char *autotune__current_folder(char *path, size_t room) {
    const DWORD length = GetCurrentDirectoryA((DWORD)room, path);
    return length && length < room ? path : ".";
}

/* ---- Threads ---- */

typedef SRWLOCK autotune__mutex;
#define AUTOTUNE__MUTEX SRWLOCK_INIT
static void autotune__lock_mutex(autotune__mutex *mutex) { AcquireSRWLockExclusive(mutex); }
static AUTOTUNE__UNUSED bool autotune__try_mutex(autotune__mutex *mutex) { return TryAcquireSRWLockExclusive(mutex); }
static void autotune__unlock_mutex(autotune__mutex *mutex) { ReleaseSRWLockExclusive(mutex); }
static void autotune__make_mutex(autotune__mutex *mutex) { InitializeSRWLock(mutex); }

typedef INIT_ONCE autotune__once;
#define AUTOTUNE__ONCE INIT_ONCE_STATIC_INIT
AUTOTUNE__INLINE void autotune__run_once(autotune__once *once, void (*function)(void)) {
    BOOL pending = FALSE;
    if (!InitOnceBeginInitialize(once, 0, &pending, NULL) || !pending) return;
    function();
    InitOnceComplete(once, 0, NULL);
}

typedef CONDITION_VARIABLE autotune__condition;
#define AUTOTUNE__CONDITION CONDITION_VARIABLE_INIT
static void autotune__make_condition(autotune__condition *condition) { InitializeConditionVariable(condition); }
static void autotune__wake_all(autotune__condition *condition) { WakeAllConditionVariable(condition); }
static AUTOTUNE__UNUSED void autotune__wait_for(autotune__condition *condition, autotune__mutex *mutex) {
    SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}
static uint64_t autotune__wait_clock(void) { return autotune__monotonic_ns(); }
static void autotune__await(autotune__condition *condition, autotune__mutex *mutex, uint64_t deadline) {
    const uint64_t now = autotune__wait_clock(), longest = 1000000, left = deadline > now ? deadline - now : 0,
                   milliseconds = (left + 999999) / 1000000;
    SleepConditionVariableSRW(condition, mutex, (DWORD)(milliseconds < longest ? milliseconds : longest), 0);
}

typedef struct autotune__thread {
    DWORD number;
    HANDLE handle;                              /* of a thread that this library started */
} autotune__thread;
static AUTOTUNE__UNUSED autotune__thread autotune__this_thread(void) {
    const autotune__thread here = { GetCurrentThreadId(), NULL };
    return here;
}
static AUTOTUNE__UNUSED bool autotune__is_same_thread(autotune__thread a, autotune__thread b) {
    return a.number == b.number;
}
/* The cast of the function's type is safe: on x86-64 there is one calling convention, and no code reads the result of a
   thread. */
static AUTOTUNE__UNUSED bool autotune__start_thread(autotune__thread *thread, void *(*function)(void *),
                                                    void *argument) {
    unsigned(__stdcall *const begin)(void *) = (unsigned(__stdcall *)(void *))(void (*)(void))function;
    unsigned number = 0;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, begin, argument, 0, &number);
    thread->number = number;
    return thread->handle != NULL;
}
static AUTOTUNE__UNUSED void autotune__join_thread(autotune__thread thread) {
    WaitForSingleObject(thread.handle, INFINITE);
    CloseHandle(thread.handle);
}
static AUTOTUNE__UNUSED void autotune__detach_thread(autotune__thread thread) { CloseHandle(thread.handle); }

/* Windows has no fork(). */
static void autotune__watch_forks(void (*before)(void) AUTOTUNE__UNUSED, void (*after)(void) AUTOTUNE__UNUSED,
                                  void (*forked)(void) AUTOTUNE__UNUSED) {}

static AUTOTUNE__UNUSED uint64_t autotune__process_number(void) { return GetCurrentProcessId(); }

/* ---- Locks of files ---- */

/* On Windows no other process can read or write bytes that are locked. So the locked bytes are far behind the end of
   any file. A lock belongs to the open file: another open file of this process finds it locked, too. */
static OVERLAPPED autotune__lock_place(uint64_t at) { return autotune__at_offset((uint64_t)1 << 62 | at); }
static autotune__locked autotune__lock_as(DWORD kind, int file, uint64_t at) {
    OVERLAPPED place = autotune__lock_place(at);
    if (LockFileEx(autotune__handle(file), kind | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place)) return AUTOTUNE__HELD;
    return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING ? AUTOTUNE__BUSY
                                                                                        : AUTOTUNE__NO_LOCKS;
}
static AUTOTUNE__UNUSED autotune__locked autotune__lock_at(int file, uint64_t at) {
    return autotune__lock_as(LOCKFILE_EXCLUSIVE_LOCK, file, at);
}
static AUTOTUNE__UNUSED void autotune__unlock_at(int file, uint64_t at) {
    OVERLAPPED place = autotune__lock_place(at);
    (void)UnlockFileEx(autotune__handle(file), 0, 1, 0, &place);
}
/* Takes a shared lock for a moment. It is shared so that processes that ask at the same time do not find each other's
   lock. */
static AUTOTUNE__UNUSED bool autotune__is_locked_at(int file, uint64_t at) {
    const autotune__locked locked = autotune__lock_as(0, file, at);
    if (locked == AUTOTUNE__HELD) autotune__unlock_at(file, at);
    return locked == AUTOTUNE__BUSY;
}

/* ---- Libraries ---- */

#define AUTOTUNE__OPENCL_LIBRARY "OpenCL.dll"
static AUTOTUNE__UNUSED void *autotune__open_library(const char *name) { return (void *)LoadLibraryA(name); }
static AUTOTUNE__UNUSED void *autotune__symbol_of(void *library, const char *name) {
    const FARPROC function = GetProcAddress((HMODULE)library, name);
    void *symbol;
    memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}
static AUTOTUNE__UNUSED bool autotune__find_module(const void *address, autotune__module *found) {
    MEMORY_BASIC_INFORMATION region;
    DWORD length = 0;
    found->build[0] = 0;
    if (!VirtualQuery(address, &region, sizeof region)) return false;
    if (region.Type == MEM_IMAGE)
        length = GetModuleFileNameA((HMODULE)region.AllocationBase, found->path, (DWORD)sizeof found->path);
    return length && length < sizeof found->path;
}

/* ---- The processor ---- */

/* Windows counts neither preemptions nor waits. So the library cannot tell a thread that waited for a processor from a
   thread that slept. */
static autotune__usage autotune__thread_usage(void) {
    autotune__usage usage = { 0, 0, 0, 0 };
    FILETIME from, to, kernel, user;
    if (GetThreadTimes(GetCurrentThread(), &from, &to, &kernel, &user))
        usage.cpu_ns = autotune__ns_of(kernel, user);
    return usage;
}

static AUTOTUNE__UNUSED long autotune__processor_count(void) {
    return (long)GetActiveProcessorCount(0xFFFF);               /* of all groups */
}
/* The mask is 0 if the process is in several groups of processors: then it may use all. */
static AUTOTUNE__UNUSED long autotune__usable_processors(long all) {
    DWORD_PTR mask = 0, of_system = 0;
    return GetProcessAffinityMask(GetCurrentProcess(), &mask, &of_system) && mask ? __builtin_popcountll(mask) : all;
}
static AUTOTUNE__UNUSED bool autotune__others_run(void) { return false; }
static int autotune__team_size(void) { return 1; }                /* asking OpenMP needs weak symbols, as ELF has */
static size_t autotune__cache_bytes(int level AUTOTUNE__UNUSED) { return 0; }
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    static const char place[] = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
    DWORD bytes = (DWORD)room;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, place, "ProcessorNameString", RRF_RT_REG_SZ, NULL, model, &bytes) != 0 ||
        !*model)
        autotune__put_text(model, room, "CPU");
}

/* ---- Child processes ---- */

/* Windows has no fork(), so no child can have the memory of the program: src/autotune.h defines
   AUTOTUNE_WITHOUT_CHILD. */
#define AUTOTUNE__NO_CHILD \
    "AUTOTUNE_CHILD has no effect, and the launches are made in this process: Windows has no fork()"
