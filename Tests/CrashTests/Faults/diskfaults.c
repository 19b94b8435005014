/* A disk that fails as it is told: loaded into a program in front of the C library (LD_PRELOAD).
 *
 * DISK_FAULTS_FOLDER is the folder whose files are meant. DISK_FAULTS names a file with what is wrong at present, a line
 * for each: "write 28" lets writing fail with that errno, "sync 5" flushing, "open 30" opening for writing, making and
 * renaming; "delay 3000" lets a flush take so many milliseconds; "room 300000" is a disk of so many bytes, of which those
 * count that the files directly in the folder have. No file, no fault. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int setting(const char *kind) {
    const char *path = getenv("DISK_FAULTS");
    char text[256], word[32];
    int value, found = 0;
    if (!path) return 0;
    int saved = errno;
    int fd = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[count > 0 ? count : 0] = 0;
    for (char *line = text; line && *line; line = strchr(line, '\n'), line += line ? 1 : 0)
        if (sscanf(line, "%31s %d", word, &value) == 2 && strcmp(word, kind) == 0) found = value;
    errno = saved;
    return found;
}

static int is_meant(const char *path) {
    const char *folder = getenv("DISK_FAULTS_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_meant_fd(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, path, sizeof path - 1);
    path[count > 0 ? count : 0] = 0;
    return is_meant(path);
}

static int fails(const char *kind) {
    int code = setting(kind);
    if (code) errno = code;
    return code != 0;
}

#define FAIL_FD(fd, kind) if (is_meant_fd(fd) && fails(kind)) return -1
#define FAIL_PATH(path, kind) if (is_meant(path) && fails(kind)) return -1

static long long used(void) {
    long long sum = 0;
    DIR *folder = opendir(getenv("DISK_FAULTS_FOLDER"));
    struct stat status;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode)) sum += status.st_size;
    if (folder) closedir(folder);
    return sum;
}

/* Whether a file may become so long. */
static int has_room(int fd, long long end) {
    struct stat status;
    int room = is_meant_fd(fd) ? setting("room") : 0;
    if (!room || fstat(fd, &status) || end <= status.st_size || used() + end - status.st_size <= room) return 1;
    errno = ENOSPC;
    return 0;
}

ssize_t write(int fd, const void *data, size_t size) { FAIL_FD(fd, "write"); return REAL(write)(fd, data, size); }
#define PWRITE(name, offset) \
    ssize_t name(int fd, const void *data, size_t size, offset at) { \
        FAIL_FD(fd, "write"); \
        return has_room(fd, at + (long long)size) ? REAL(name)(fd, data, size, at) : -1; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
int posix_fallocate(int fd, off_t at, off_t size) {
    return has_room(fd, at + size) ? REAL(posix_fallocate)(fd, at, size) : ENOSPC;
}
int statvfs(const char *path, struct statvfs *status) {
    int result = REAL(statvfs)(path, status);
    int room = is_meant(path) ? setting("room") : 0;
    if (result == 0 && room) status->f_blocks = room / status->f_frsize;
    return result;
}

static void delay(int fd) {
    int milliseconds = is_meant_fd(fd) ? setting("delay") : 0;
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    if (milliseconds) nanosleep(&time, NULL);
}
int fsync(int fd) { delay(fd); FAIL_FD(fd, "sync"); return REAL(fsync)(fd); }
int fdatasync(int fd) { delay(fd); FAIL_FD(fd, "sync"); return REAL(fdatasync)(fd); }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        if (flags & (O_WRONLY | O_RDWR | O_CREAT)) { FAIL_PATH(path, "open"); } \
        return REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) { FAIL_PATH(path, "open"); return REAL(mkdir)(path, mode); }
int rename(const char *from, const char *to) { FAIL_PATH(to, "open"); return REAL(rename)(from, to); }
int unlink(const char *path) { FAIL_PATH(path, "open"); return REAL(unlink)(path); }
