/* Files: opened, told apart, read, written, replaced and removed. Where a function fails, errno says why.

   A file is a number here: on Windows that of a handle, which the functions of the C library do not know. Windows keeps
   32 bits of a handle for all programs. A path is in the code page of the program, as the C library's paths are. */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#include <aclapi.h>
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#include "../api/language.h"

/* How a file is opened: READ, WRITE or both, and what else is wanted. A file that is created is its owner's alone, or
   with SHARED may be read by others. */
enum {
    AUTOTUNE__READ = 1,
    AUTOTUNE__WRITE = 2,
    AUTOTUNE__APPEND = 4,                       /* every write goes behind the end of the file */
    AUTOTUNE__CREATE = 8,                       /* the file is made if it is not there */
    AUTOTUNE__NEW = 16,                         /* it must not be there */
    AUTOTUNE__SHARED = 32,
    AUTOTUNE__NO_LINK = 64,                     /* the path must not end with a link */
    AUTOTUNE__NO_WAIT = 128                     /* a pipe is not waited for */
};
/* What is known of a file. A file keeps its id, whatever its name becomes. */
typedef struct autotune__file_id { uint64_t device, number; } autotune__file_id;
typedef struct autotune__file_facts {
    autotune__file_id id;
    size_t bytes;
    int64_t modified_ns;                        /* when it was written last, in nanoseconds since 1970 */
    bool is_regular, is_folder;                 /* not so: it is a link, a pipe, a device */
    bool is_own;                                /* it belongs to the user */
} autotune__file_facts;
static bool autotune__is_same_id(autotune__file_id a, autotune__file_id b) {
    return a.device == b.device && a.number == b.number;
}

#ifndef _WIN32
/* Another number for an open file. The number of every file that is opened here is above 2. A program may have been
   started without standard output, or may have closed it; if a file of this library took the free number, it would
   receive what the program prints. */
static AUTOTUNE__UNUSED int autotune__duplicate_file(int file) {
    return fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}
static AUTOTUNE__UNUSED int autotune__above_standard_files(int file) {
    int above;
    if (file < 0 || file > STDERR_FILENO) return file;
    above = autotune__duplicate_file(file);
    close(file);
    return above;
}
static AUTOTUNE__UNUSED int autotune__open_file(const char *path, int how) {        /* -1: it cannot be opened */
    const int flags = (how & AUTOTUNE__WRITE ? how & AUTOTUNE__READ ? O_RDWR : O_WRONLY : O_RDONLY) |
                      (how & AUTOTUNE__APPEND ? O_APPEND : 0) | (how & AUTOTUNE__CREATE ? O_CREAT : 0) |
                      (how & AUTOTUNE__NEW ? O_CREAT | O_EXCL : 0) | (how & AUTOTUNE__NO_LINK ? O_NOFOLLOW : 0) |
                      (how & AUTOTUNE__NO_WAIT ? O_NONBLOCK : 0);
    const mode_t mode = S_IRUSR | S_IWUSR | (how & AUTOTUNE__SHARED ? S_IRGRP | S_IROTH : 0);
    return autotune__above_standard_files(open(path, flags | O_CLOEXEC, mode));
}
static AUTOTUNE__UNUSED FILE *autotune__open_to_read(const char *path) {            /* NULL: it cannot be opened */
    const int file = autotune__open_file(path, AUTOTUNE__READ);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (!stream && file >= 0) close(file);
    return stream;
}
static AUTOTUNE__UNUSED bool autotune__close_file(int file) {       /* nothing is done with a negative one */
    return file < 0 || close(file) == 0;
}
/* Does somebody see what is written to the standard error? */
static bool autotune__stderr_is_terminal(void) { return isatty(STDERR_FILENO); }

static AUTOTUNE__UNUSED bool autotune__take_facts(int error, const struct stat *status, autotune__file_facts *facts) {
    if (error != 0) return false;
    facts->id.device = (uint64_t)status->st_dev;
    facts->id.number = (uint64_t)status->st_ino;
    facts->bytes = (size_t)status->st_size;
#ifdef __APPLE__
    facts->modified_ns = (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    facts->modified_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
    facts->is_regular = S_ISREG(status->st_mode);
    facts->is_folder = S_ISDIR(status->st_mode);
    facts->is_own = status->st_uid == geteuid();
    return true;
}
static AUTOTUNE__UNUSED bool autotune__facts_of_file(int file, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(fstat(file, &status), &status, facts);
}
static AUTOTUNE__UNUSED bool autotune__facts_of_path(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(stat(path, &status), &status, facts);
}
/* Of a path that ends with a link: of the link itself. */
static AUTOTUNE__UNUSED bool autotune__facts_of_name(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(lstat(path, &status), &status, facts);
}
/* Reads `most` bytes from `offset` on, or those that there are. */
static AUTOTUNE__UNUSED bool autotune__read_at(int file, char *bytes, size_t most, size_t offset, size_t *got) {
    ssize_t more = 1;
    for (*got = 0; more && *got < most;) {
        more = pread(file, bytes + *got, most - *got, (off_t)(offset + *got));
        if (more > 0) *got += (size_t)more;
        else if (more < 0 && errno != EINTR) return false;
    }
    return true;
}
/* Is there room for so many bytes more? A write past this limit would end the program by a signal. */
static AUTOTUNE__UNUSED bool autotune__fits(size_t size, size_t more) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size + more <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}
static AUTOTUNE__UNUSED bool autotune__write_all(int file, const char *bytes, size_t count) {
    while (count) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) { if (!written) errno = ENOSPC; return false; }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}
static AUTOTUNE__UNUSED bool autotune__write_at(int file, const char *bytes, size_t count, size_t offset) {
    ssize_t written;
    do written = pwrite(file, bytes, count, (off_t)offset);
    while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written < count) errno = ENOSPC;
    return written >= 0 && (size_t)written == count;
}
/* Where the next byte is written; -1: a pipe has no such position. */
static AUTOTUNE__UNUSED int64_t autotune__position_in(int file) { return (int64_t)lseek(file, 0, SEEK_CUR); }
static AUTOTUNE__UNUSED bool autotune__cut_file(int file, size_t bytes) { return ftruncate(file, (off_t)bytes) == 0; }
/* The file counts as used now. Where that fails, nothing is lost. */
static AUTOTUNE__UNUSED void autotune__touch_file(int file) { if (futimens(file, NULL) != 0) {} }
static AUTOTUNE__UNUSED void autotune__remove_file(const char *path) { (void)unlink(path); }
/* Fills a new file and gives it the path, where another file may stand. lasting: it is there after the machine went
   down, too. `file` has the name `new_name`, and is closed. False: why says it, and the new file is removed. */
static AUTOTUNE__UNUSED bool autotune__fill_and_rename(int file, const char *new_name, const char *path,
                                                       const char *bytes, size_t count, bool lasting,
                                                       const char **why) {
    bool written = autotune__fits(0, count) && autotune__write_all(file, bytes, count);
    if (written && lasting) written = fsync(file) == 0;
    if (!written) *why = strerror(errno);
    if (close(file) != 0 && written) { *why = strerror(errno); written = false; }
    if (written && rename(new_name, path) != 0) { *why = strerror(errno); written = false; }
    if (!written) unlink(new_name);
    return written;
}

/* Where a link leads to, with a zero behind it. False: the path is no link, or cannot be read. */
static AUTOTUNE__UNUSED bool autotune__read_link(const char *path, char *target, size_t room) {
    const ssize_t length = readlink(path, target, room - 1);
    if (length >= 0) target[length] = 0;
    return length >= 0;
}
/* A name among the open files of this process, as /dev/stdout leads to one: its number there; -1: it is none. On Linux
   these names are links, on other systems files. */
static AUTOTUNE__UNUSED int autotune__open_number(const char *path) {
#ifdef __linux__
    static const char open_files[] = "/proc/self/fd";
#else
    static const char open_files[] = "/dev/fd";
#endif
    const char *name = strrchr(path, '/');
    autotune__file_facts folder, own;
    char in[4096];
    if (!name || (size_t)(name - path) >= sizeof in || !autotune__facts_of_name(path, &own)) return -1;
    snprintf(in, sizeof in, "%.*s", (int)(name - path), path);
    return autotune__facts_of_path(in, &folder) && autotune__facts_of_path(open_files, &own) &&
                   autotune__is_same_id(folder.id, own.id)
               ? (int)strtol(name + 1, NULL, 10)
               : -1;
}
#else
/* What went wrong with the last call of Windows becomes errno. Returns false. */
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
/* A point that leads to another path: a link or a junction. A file of which a cloud has the content is none. */
static bool autotune__leads_elsewhere(HANDLE handle) {
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && IsReparseTagNameSurrogate(tag.ReparseTag);
}
/* Others may read, write, rename and remove the file while it is open. What may only append does so at the end of the
   file, whoever else writes. */
static AUTOTUNE__UNUSED int autotune__open_file(const char *path, int how) {
    const DWORD appending = FILE_APPEND_DATA | FILE_WRITE_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE,
                access = (how & AUTOTUNE__APPEND ? appending : how & AUTOTUNE__WRITE ? GENERIC_WRITE : 0) |
                         (how & AUTOTUNE__READ ? GENERIC_READ : 0) | (how & AUTOTUNE__NEW ? DELETE : 0),
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
static AUTOTUNE__UNUSED int autotune__duplicate_file(int file) {
    const HANDLE process = GetCurrentProcess();
    HANDLE copy;
    if (!DuplicateHandle(process, autotune__handle(file), process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        copy = INVALID_HANDLE_VALUE;
    return autotune__number_of_handle(copy);
}
static AUTOTUNE__UNUSED bool autotune__close_file(int file) {
    return file < 0 || CloseHandle(autotune__handle(file)) || autotune__windows_failed();
}
/* A console that does not obey what a terminal obeys is none. */
static bool autotune__stderr_is_terminal(void) {
    const DWORD obeys = 4;                      /* ENABLE_VIRTUAL_TERMINAL_PROCESSING */
    DWORD mode;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) && (mode & obeys);
}

/* The user that the process acts for, in memory that is aligned for it. False: Windows does not tell. */
typedef union autotune__user { TOKEN_USER is; char room[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE]; } autotune__user;
static AUTOTUNE__UNUSED bool autotune__ask_user(autotune__user *user) {
    HANDLE token;
    DWORD length;
    bool told;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return false;
    told = GetTokenInformation(token, TokenUser, user, sizeof *user, &length);
    CloseHandle(token);
    return told;
}
/* What an administrator makes may belong to all administrators, who may write to everything. Where files have no owner,
   all are the user's own. */
static AUTOTUNE__UNUSED bool autotune__is_owned(HANDLE handle) {
    PSECURITY_DESCRIPTOR descriptor;
    autotune__user user;
    PSID owner;
    bool own;
    if (GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL, NULL, &descriptor) != 0)
        return true;
    own = !owner || IsWellKnownSid(owner, WinBuiltinAdministratorsSid) ||
          (autotune__ask_user(&user) && EqualSid(owner, user.is.User.Sid));
    LocalFree(descriptor);
    return own;
}
static AUTOTUNE__UNUSED bool autotune__facts_of_file(int file, autotune__file_facts *facts) {
    const int64_t until_1970 = 116444736000000000;                  /* from 1601, in steps of 100 ns */
    const HANDLE handle = autotune__handle(file);
    BY_HANDLE_FILE_INFORMATION said;
    if (!GetFileInformationByHandle(handle, &said)) return autotune__windows_failed();
    facts->id.device = said.dwVolumeSerialNumber;
    facts->id.number = (uint64_t)said.nFileIndexHigh << 32 | said.nFileIndexLow;
    facts->bytes = (size_t)((uint64_t)said.nFileSizeHigh << 32 | said.nFileSizeLow);
    facts->modified_ns = (((int64_t)said.ftLastWriteTime.dwHighDateTime << 32 | said.ftLastWriteTime.dwLowDateTime) -
                          until_1970) * 100;
    facts->is_folder = (said.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && !autotune__leads_elsewhere(handle);
    facts->is_regular = !(said.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && GetFileType(handle) == FILE_TYPE_DISK &&
                        !autotune__leads_elsewhere(handle);
    facts->is_own = autotune__is_owned(handle);
    return true;
}
static AUTOTUNE__UNUSED bool autotune__facts_at(const char *path, DWORD flags, autotune__file_facts *facts) {
    const int file = autotune__number_of_handle(
        CreateFileA(path, READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | flags, NULL));
    const bool told = file >= 0 && autotune__facts_of_file(file, facts);
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
/* Windows has no such limit. */
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
static AUTOTUNE__UNUSED int64_t autotune__position_in(int file) {
    LARGE_INTEGER none, position;
    none.QuadPart = 0;
    return SetFilePointerEx(autotune__handle(file), none, &position, FILE_CURRENT) ? position.QuadPart : -1;
}
/* What may only append may not cut: the file is opened once more for that. */
static AUTOTUNE__UNUSED bool autotune__cut_file(int file, size_t bytes) {
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
static AUTOTUNE__UNUSED void autotune__touch_file(int file) {
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    (void)SetFileTime(autotune__handle(file), NULL, NULL, &now);
}
static AUTOTUNE__UNUSED void autotune__remove_file(const char *path) { (void)DeleteFileA(path); }
/* Gives the open file the path even if another process has the file open that stands there: Windows can do that since
   1709, on NTFS. */
static AUTOTUNE__UNUSED bool autotune__rename_open(int file, const char *path) {
    enum { LENGTH = 4096, RENAME_INFORMATION_EX = 22, REPLACE = 1, LIKE_POSIX = 2 };
    union { FILE_RENAME_INFO is; char room[sizeof(FILE_RENAME_INFO) + sizeof(WCHAR) * LENGTH]; } name;
    WCHAR wide[LENGTH];
    const DWORD flags = REPLACE | LIKE_POSIX;
    DWORD length;
    memset(&name, 0, sizeof name);
    if (!MultiByteToWideChar(AreFileApisANSI() ? CP_ACP : CP_OEMCP, 0, path, -1, wide, LENGTH)) return false;
    length = GetFullPathNameW(wide, LENGTH, name.is.FileName, NULL);
    if (length == 0 || length >= LENGTH) return false;
    memcpy(&name.is, &flags, sizeof flags);     /* a member that older headers do not have */
    name.is.FileNameLength = length * (DWORD)sizeof(WCHAR);
    return SetFileInformationByHandle(autotune__handle(file), (FILE_INFO_BY_HANDLE_CLASS)RENAME_INFORMATION_EX, &name,
                                      (DWORD)sizeof name);
}
/* The same elsewhere: a file that is open is given another name before, and removed afterwards. For a moment nobody
   finds it. */
static AUTOTUNE__UNUSED bool autotune__swap_in(const char *new_name, const char *path) {
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
static AUTOTUNE__UNUSED bool autotune__fill_and_rename(int file, const char *new_name, const char *path,
                                                       const char *bytes, size_t count, bool lasting,
                                                       const char **why) {
    const unsigned patience = 100;
    bool written = autotune__write_all(file, bytes, count), renamed;
    unsigned i;
    if (written && lasting) written = FlushFileBuffers(autotune__handle(file)) || autotune__windows_failed();
    if (!written) *why = strerror(errno);
    renamed = written && autotune__rename_open(file, path);
    autotune__close_file(file);
    for (i = 0; written && !renamed && !(renamed = autotune__swap_in(new_name, path)); i++) {
        if (errno != EACCES || i == patience) { *why = strerror(errno); written = false; }
        else Sleep(1);
    }
    if (!written) autotune__remove_file(new_name);
    return written;
}

/* A link is not followed by hand: the system opens what it leads to, and what is written anew takes its place. */
static AUTOTUNE__UNUSED bool autotune__read_link(const char *path AUTOTUNE__UNUSED, char *target AUTOTUNE__UNUSED,
                                                 size_t room AUTOTUNE__UNUSED) {
    return false;
}
static AUTOTUNE__UNUSED int autotune__open_number(const char *path AUTOTUNE__UNUSED) { return -1; }
#endif

/* Is the number still that of this file, and was not closed by somebody else and given to another file? */
static AUTOTUNE__UNUSED bool autotune__has_open(int file, autotune__file_id id) {
    autotune__file_facts facts;
    return file >= 0 && autotune__facts_of_file(file, &facts) && autotune__is_same_id(facts.id, id);
}
