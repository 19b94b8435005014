/* libgpiod 1.6: lines are structs inside their chip, which has to stay open as long as they are held. */
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES /* which only 1.x defines */

#include "CGPIOD.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct perch_gpio_request {
    struct gpiod_chip *chip;
    struct gpiod_line_bulk lines;
};

int perch_gpio_is_version_2(void) {
    return 0;
}

static void copy_name(char to[PERCH_GPIO_NAME_SIZE], const char *from) {
    strncpy(to, from ? from : "", PERCH_GPIO_NAME_SIZE - 1);
    to[PERCH_GPIO_NAME_SIZE - 1] = '\0';
}

int perch_gpio_read_chip(const char *path, struct perch_gpio_chip_facts *facts) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    copy_name(facts->name, gpiod_chip_name(chip));
    copy_name(facts->label, gpiod_chip_label(chip));
    facts->line_count = gpiod_chip_num_lines(chip);
    gpiod_chip_close(chip);
    return 0;
}

int perch_gpio_read_lines(const char *path, struct perch_gpio_line_facts *facts, unsigned int count) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    int result = 0;
    for (unsigned int offset = 0; offset < count; offset++) {
        struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
        if (!line) {
            result = -1;
            break;
        }
        copy_name(facts[offset].name, gpiod_line_name(line));
        copy_name(facts[offset].consumer, gpiod_line_consumer(line));
        facts[offset].is_used = gpiod_line_is_used(line);
        facts[offset].is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    }
    int error = errno;
    gpiod_chip_close(chip);
    errno = error;
    return result;
}

static int bias_flags(enum perch_gpio_bias bias) {
    static const int flags[] = {
        [PERCH_GPIO_BIAS_AS_IS] = 0,
        [PERCH_GPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
        [PERCH_GPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
        [PERCH_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
    };
    return flags[bias];
}

static int request_lines(
    struct perch_gpio_request *request, const unsigned int *offsets, unsigned int count,
    const struct gpiod_line_request_config *config, const int *levels) {
    gpiod_line_bulk_init(&request->lines);
    for (unsigned int index = 0; index < count; index++) {
        struct gpiod_line *line = gpiod_chip_get_line(request->chip, offsets[index]);
        if (!line) return -1;
        gpiod_line_bulk_add(&request->lines, line);
    }
    return gpiod_line_request_bulk(&request->lines, config, levels);
}

static struct perch_gpio_request *request(
    const char *path, const unsigned int *offsets, unsigned int count,
    const struct gpiod_line_request_config *config, const int *levels) {
    if (count == 0 || count > PERCH_GPIO_MOST_LINES) {
        errno = EINVAL;
        return NULL;
    }
    struct perch_gpio_request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->chip = gpiod_chip_open(path);
    if (request->chip && request_lines(request, offsets, count, config, levels) == 0) {
        int descriptor = perch_gpio_event_descriptor(request);
        if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        return request;
    }
    int error = errno;
    if (request->chip) gpiod_chip_close(request->chip);
    free(request);
    errno = error;
    return NULL;
}

struct perch_gpio_request *perch_gpio_request_input(
    const char *path, const unsigned int *offsets, unsigned int count, enum perch_gpio_bias bias,
    enum perch_gpio_edges edges, unsigned int debounce_us, const char *consumer) {
    static const int types[] = {
        [PERCH_GPIO_EDGES_NONE] = GPIOD_LINE_REQUEST_DIRECTION_INPUT,
        [PERCH_GPIO_EDGES_RISING] = GPIOD_LINE_REQUEST_EVENT_RISING_EDGE,
        [PERCH_GPIO_EDGES_FALLING] = GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE,
        [PERCH_GPIO_EDGES_BOTH] = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
    };
    if (debounce_us > 0) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    struct gpiod_line_request_config config = {
        .consumer = consumer, .request_type = types[edges], .flags = bias_flags(bias),
    };
    return request(path, offsets, count, &config, NULL);
}

struct perch_gpio_request *perch_gpio_request_output(
    const char *path, const unsigned int *offsets, unsigned int count, const int *levels, enum perch_gpio_drive drive,
    enum perch_gpio_bias bias, const char *consumer) {
    static const int drives[] = {
        [PERCH_GPIO_DRIVE_PUSH_PULL] = 0,
        [PERCH_GPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN,
        [PERCH_GPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE,
    };
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
        .flags = drives[drive] | bias_flags(bias),
    };
    return request(path, offsets, count, &config, levels);
}

int perch_gpio_read(struct perch_gpio_request *request, int *levels) {
    return gpiod_line_get_value_bulk(&request->lines, levels);
}

int perch_gpio_write(struct perch_gpio_request *request, const int *levels) {
    return gpiod_line_set_value_bulk(&request->lines, levels);
}

int perch_gpio_event_descriptor(struct perch_gpio_request *request) {
    return gpiod_line_event_get_fd(gpiod_line_bulk_get_line(&request->lines, 0));
}

int perch_gpio_read_events(
    struct perch_gpio_request *request, struct perch_gpio_edge_event events[PERCH_GPIO_EVENT_COUNT]) {
    struct gpiod_line_event raw[PERCH_GPIO_EVENT_COUNT];
    struct gpiod_line *line = gpiod_line_bulk_get_line(&request->lines, 0);
    int count = gpiod_line_event_read_multiple(line, raw, PERCH_GPIO_EVENT_COUNT);
    for (int index = 0; index < count; index++) {
        events[index].timestamp_ns =
            (uint64_t)raw[index].ts.tv_sec * 1000000000u + (uint64_t)raw[index].ts.tv_nsec;
        events[index].sequence_number = 0;
        events[index].is_rising = raw[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

void perch_gpio_release(struct perch_gpio_request *request) {
    gpiod_line_release_bulk(&request->lines);
    gpiod_chip_close(request->chip);
    free(request);
}

#endif
