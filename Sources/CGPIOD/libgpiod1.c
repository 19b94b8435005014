/* libgpiod 1.6: lines are structs inside their chip, which has to stay open as long as they are held. */
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES /* which only 1.x defines */

#include "CGPIOD.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct perch_gpio_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

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
    }
    int error = errno;
    gpiod_chip_close(chip);
    errno = error;
    return result;
}

static struct perch_gpio_line *request(
    const char *path, unsigned int offset, const struct gpiod_line_request_config *config, int level) {
    struct perch_gpio_line *line = calloc(1, sizeof *line);
    if (!line) return NULL;
    line->chip = gpiod_chip_open(path);
    if (line->chip) line->line = gpiod_chip_get_line(line->chip, offset);
    if (line->line && gpiod_line_request(line->line, config, level) == 0) {
        int descriptor = gpiod_line_event_get_fd(line->line);
        if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        return line;
    }
    int error = errno;
    if (line->chip) gpiod_chip_close(line->chip);
    free(line);
    errno = error;
    return NULL;
}

struct perch_gpio_line *perch_gpio_request_input(
    const char *path, unsigned int offset, enum perch_gpio_bias bias, int with_edges, const char *consumer) {
    static const int flags[] = {
        [PERCH_GPIO_BIAS_AS_IS] = 0,
        [PERCH_GPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
        [PERCH_GPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
        [PERCH_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
    };
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type =
            with_edges ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES : GPIOD_LINE_REQUEST_DIRECTION_INPUT,
        .flags = flags[bias],
    };
    return request(path, offset, &config, 0);
}

struct perch_gpio_line *perch_gpio_request_output(
    const char *path, unsigned int offset, int level, const char *consumer) {
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
    };
    return request(path, offset, &config, level);
}

int perch_gpio_read(struct perch_gpio_line *line) {
    return gpiod_line_get_value(line->line);
}

int perch_gpio_write(struct perch_gpio_line *line, int level) {
    return gpiod_line_set_value(line->line, level);
}

int perch_gpio_event_descriptor(struct perch_gpio_line *line) {
    return gpiod_line_event_get_fd(line->line);
}

int perch_gpio_read_events(
    struct perch_gpio_line *line, struct perch_gpio_edge_event events[PERCH_GPIO_EVENT_COUNT]) {
    struct gpiod_line_event raw[PERCH_GPIO_EVENT_COUNT];
    int count = gpiod_line_event_read_multiple(line->line, raw, PERCH_GPIO_EVENT_COUNT);
    for (int index = 0; index < count; index++) {
        events[index].timestamp_ns =
            (uint64_t)raw[index].ts.tv_sec * 1000000000u + (uint64_t)raw[index].ts.tv_nsec;
        events[index].sequence_number = 0;
        events[index].is_rising = raw[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

void perch_gpio_release(struct perch_gpio_line *line) {
    gpiod_line_release(line->line);
    gpiod_chip_close(line->chip);
    free(line);
}

#endif
