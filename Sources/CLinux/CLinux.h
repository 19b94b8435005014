/* The parts of Linux that Swift's Glibc module does not show. Each function here stands for a macro or a
 * variadic call that Swift cannot see; everything else is the kernel's and glibc's own header. */
#ifndef PERCH_CLINUX_H
#define PERCH_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <linux/spi/spidev.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

/* SPI_IOC_MESSAGE(N) is a macro with sizeof inside, for a constant number; this is what it stands for. */
static inline int perch_spi_transfer(int fd, struct spi_ioc_transfer *transfers, unsigned int count) {
    return ioctl(fd, _IOC(_IOC_WRITE, SPI_IOC_MAGIC, 0, count * sizeof(*transfers)), transfers);
}

/* A macro with a cast inside. */
static const unsigned char perch_spi_lsb_first = SPI_LSB_FIRST;

/* The SPI_IOC_WR_* requests are macros with sizeof inside. */
static inline int perch_spi_set_mode(int fd, const unsigned char *mode) {
    return ioctl(fd, SPI_IOC_WR_MODE, mode);
}

static inline int perch_spi_set_word_size(int fd, const unsigned char *bits) {
    return ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, bits);
}

/* The kernel's struct termios2 (asm/termbits.h), whose header cannot stand beside glibc's termios.h. It is the one
 * that takes any baud rate. */
struct perch_termios2 {
    unsigned int c_iflag, c_oflag, c_cflag, c_lflag;
    unsigned char c_line;
    unsigned char c_cc[19];
    unsigned int c_ispeed, c_ospeed;
};

/* accept4(2) is declared for GNU programs only: close-on-exec and non-blocking from the first moment. */
static inline int perch_accept(int fd) {
    return (int)syscall(SYS_accept4, fd, NULL, NULL, O_CLOEXEC | O_NONBLOCK);
}

/* ioctl(2) is variadic. */
static inline int perch_serial_get(int fd, struct perch_termios2 *settings) {
    return ioctl(fd, _IOR('T', 0x2A, struct perch_termios2), settings);
}

static inline int perch_serial_set(int fd, const struct perch_termios2 *settings) {
    return ioctl(fd, _IOW('T', 0x2B, struct perch_termios2), settings);
}

static inline int perch_serial_set_exclusive(int fd, int is_exclusive) {
    return ioctl(fd, is_exclusive ? TIOCEXCL : TIOCNXCL);
}

/* Bytes that were written and have not left yet. */
static inline int perch_serial_unsent(int fd, int *count) {
    return ioctl(fd, TIOCOUTQ, count);
}

static inline int perch_serial_counts(int fd, struct serial_icounter_struct *counts) {
    return ioctl(fd, TIOCGICOUNT, counts);
}

/* fcntl(2) is variadic. */
static inline int perch_duplicate(int fd) {
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* A descriptor that becomes readable when the process ends: no SIGCHLD, no pid reuse. glibc wraps it only
 * from 2.36 on. */
static inline int perch_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* open(2) and fcntl(2) are variadic. */
static inline int perch_open(const char *path, int flags, mode_t mode) {
    return open(path, flags | O_CLOEXEC, mode);
}

/* errno is a macro over a function of the thread. */
static inline int perch_errno(void) {
    return errno;
}

/* These are GNU extensions, which Swift's Glibc module is compiled without. */
extern const char *strerrorname_np(int code);
extern const char *strerrordesc_np(int code);
extern int pthread_setname_np(unsigned long thread, const char *name);
extern unsigned long pthread_self(void);
extern int pipe2(int ends[2], int flags);
extern int ptsname_r(int fd, char *name, size_t size);
extern int unlockpt(int fd);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline const char *perch_error_name(int code) {
    return strerrorname_np(code);
}

static inline const char *perch_error_description(int code) {
    return strerrordesc_np(code);
}

/* A pipe whose reading end does not block; the writing end, which another program gets, does. (fcntl(2) is
 * variadic.) */
static inline int perch_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

/* Swift takes the variable for a data race. */
static inline char **perch_environment(void) {
    return __environ;
}

/* 15 bytes at most. */
static inline int perch_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

#endif
