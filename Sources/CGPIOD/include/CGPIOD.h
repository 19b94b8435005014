/* One API over the two that libgpiod has: 1.6 (Debian 12) and 2.x (Debian 13). They share function names with
 * different meanings, so Swift cannot be written against both; libgpiod1.c and libgpiod2.c are, and the header
 * that is installed decides which of them is compiled. May go when Debian 12 does.
 *
 * Every function that fails returns NULL or -1 and sets errno. Levels are electrical: 0 low, 1 high. */
#ifndef PERCH_CGPIOD_H
#define PERCH_CGPIOD_H

#include <stdint.h>

/* The kernel's limit for names, labels and consumers, with the terminating NUL (linux/gpio.h). */
#define PERCH_GPIO_NAME_SIZE 32

struct perch_gpio_chip_facts {
    char name[PERCH_GPIO_NAME_SIZE];
    char label[PERCH_GPIO_NAME_SIZE];
    unsigned int line_count;
};

struct perch_gpio_line_facts {
    /* Empty for a line without a name. */
    char name[PERCH_GPIO_NAME_SIZE];
    /* Empty when nobody holds the line, and for a holder who gave no name. */
    char consumer[PERCH_GPIO_NAME_SIZE];
    int is_used;
    int is_output;
};

struct perch_gpio_edge_event {
    /* CLOCK_MONOTONIC, stamped in the interrupt handler. */
    uint64_t timestamp_ns;
    /* Counts the line's edges from 1; 0 where the interface has no such number (libgpiod 1.6). */
    uint64_t sequence_number;
    int is_rising;
};

enum perch_gpio_bias {
    PERCH_GPIO_BIAS_AS_IS,
    PERCH_GPIO_BIAS_DISABLED,
    PERCH_GPIO_BIAS_PULL_UP,
    PERCH_GPIO_BIAS_PULL_DOWN,
};

enum perch_gpio_drive {
    PERCH_GPIO_DRIVE_PUSH_PULL,
    PERCH_GPIO_DRIVE_OPEN_DRAIN,
    PERCH_GPIO_DRIVE_OPEN_SOURCE,
};

/* Which edges are queued. */
enum perch_gpio_edges {
    PERCH_GPIO_EDGES_NONE,
    PERCH_GPIO_EDGES_RISING,
    PERCH_GPIO_EDGES_FALLING,
    PERCH_GPIO_EDGES_BOTH,
};

/* Whether this is libgpiod 2: edges are numbered, the kernel debounces, and of a full queue the oldest is dropped. */
int perch_gpio_is_version_2(void);

int perch_gpio_read_chip(const char *path, struct perch_gpio_chip_facts *facts);

/* The facts of the lines from 0 to count - 1. */
int perch_gpio_read_lines(const char *path, struct perch_gpio_line_facts *facts, unsigned int count);

/* Requested lines of one chip: at most 64 (GPIO_V2_LINES_MAX). */
#define PERCH_GPIO_MOST_LINES 64
struct perch_gpio_request;

/* Edges are queued from here on, and only for a single line. A debounce needs libgpiod 2: EOPNOTSUPP otherwise. */
struct perch_gpio_request *perch_gpio_request_input(
    const char *path, const unsigned int *offsets, unsigned int count, enum perch_gpio_bias bias,
    enum perch_gpio_edges edges, unsigned int debounce_us, const char *consumer);

/* The lines show `levels` from the first moment on. */
struct perch_gpio_request *perch_gpio_request_output(
    const char *path, const unsigned int *offsets, unsigned int count, const int *levels, enum perch_gpio_drive drive,
    enum perch_gpio_bias bias, const char *consumer);

/* As many levels, each 0 or 1, as lines were requested. */
int perch_gpio_read(struct perch_gpio_request *request, int *levels);
int perch_gpio_write(struct perch_gpio_request *request, const int *levels);

/* Readable while edges are queued; does not block. It stays the request's. */
int perch_gpio_event_descriptor(struct perch_gpio_request *request);

/* At most as many as the kernel queues unless told otherwise. Returns the number of events; EAGAIN for none. */
#define PERCH_GPIO_EVENT_COUNT 16
int perch_gpio_read_events(
    struct perch_gpio_request *request, struct perch_gpio_edge_event events[PERCH_GPIO_EVENT_COUNT]);

/* Gives the lines back. */
void perch_gpio_release(struct perch_gpio_request *request);

#endif
