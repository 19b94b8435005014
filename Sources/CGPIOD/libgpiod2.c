/* libgpiod 2.x: a request outlives its chip, and is described by objects that are put together first. */
#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES /* which only 1.x defines */

#include "CGPIOD.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct perch_gpio_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned int offset;
};

static void copy_name(char to[PERCH_GPIO_NAME_SIZE], const char *from) {
    strncpy(to, from ? from : "", PERCH_GPIO_NAME_SIZE - 1);
    to[PERCH_GPIO_NAME_SIZE - 1] = '\0';
}

int perch_gpio_read_chip(const char *path, struct perch_gpio_chip_facts *facts) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    int error = errno;
    gpiod_chip_close(chip);
    errno = error;
    if (!info) return -1;
    copy_name(facts->name, gpiod_chip_info_get_name(info));
    copy_name(facts->label, gpiod_chip_info_get_label(info));
    facts->line_count = (unsigned int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

int perch_gpio_read_lines(const char *path, struct perch_gpio_line_facts *facts, unsigned int count) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    int result = 0;
    for (unsigned int offset = 0; offset < count; offset++) {
        struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
        if (!info) {
            result = -1;
            break;
        }
        copy_name(facts[offset].name, gpiod_line_info_get_name(info));
        copy_name(facts[offset].consumer, gpiod_line_info_get_consumer(info));
        facts[offset].is_used = gpiod_line_info_is_used(info);
        gpiod_line_info_free(info);
    }
    int error = errno;
    gpiod_chip_close(chip);
    errno = error;
    return result;
}

static struct gpiod_line_request *request_lines(
    const char *path, unsigned int offset, struct gpiod_line_settings *settings, const char *consumer) {
    struct gpiod_line_request *request = NULL;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line_config *lines = chip ? gpiod_line_config_new() : NULL;
    struct gpiod_request_config *config = lines ? gpiod_request_config_new() : NULL;
    if (config && gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0) {
        gpiod_request_config_set_consumer(config, consumer);
        request = gpiod_chip_request_lines(chip, config, lines);
    }
    int error = errno;
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    if (chip) gpiod_chip_close(chip);
    errno = error;
    return request;
}

/* Takes over the settings. */
static struct perch_gpio_line *request(
    const char *path, unsigned int offset, struct gpiod_line_settings *settings, const char *consumer) {
    struct perch_gpio_line *line = calloc(1, sizeof *line);
    if (line) {
        line->offset = offset;
        line->events = gpiod_edge_event_buffer_new(PERCH_GPIO_EVENT_COUNT);
        if (line->events) line->request = request_lines(path, offset, settings, consumer);
    }
    int error = errno;
    gpiod_line_settings_free(settings);
    if (line && line->request) {
        int descriptor = gpiod_line_request_get_fd(line->request);
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        return line;
    }
    if (line && line->events) gpiod_edge_event_buffer_free(line->events);
    free(line);
    errno = error;
    return NULL;
}

struct perch_gpio_line *perch_gpio_request_input(
    const char *path, unsigned int offset, enum perch_gpio_bias bias, int with_edges, const char *consumer) {
    static const enum gpiod_line_bias biases[] = {
        [PERCH_GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
        [PERCH_GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
        [PERCH_GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
        [PERCH_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
    };
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_bias(settings, biases[bias]);
    gpiod_line_settings_set_edge_detection(settings, with_edges ? GPIOD_LINE_EDGE_BOTH : GPIOD_LINE_EDGE_NONE);
    return request(path, offset, settings, consumer);
}

struct perch_gpio_line *perch_gpio_request_output(
    const char *path, unsigned int offset, int level, const char *consumer) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_output_value(settings, level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
    return request(path, offset, settings, consumer);
}

int perch_gpio_read(struct perch_gpio_line *line) {
    return gpiod_line_request_get_value(line->request, line->offset);
}

int perch_gpio_write(struct perch_gpio_line *line, int level) {
    return gpiod_line_request_set_value(
        line->request, line->offset, level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

int perch_gpio_event_descriptor(struct perch_gpio_line *line) {
    return gpiod_line_request_get_fd(line->request);
}

int perch_gpio_read_events(
    struct perch_gpio_line *line, struct perch_gpio_edge_event events[PERCH_GPIO_EVENT_COUNT]) {
    int count = gpiod_line_request_read_edge_events(line->request, line->events, PERCH_GPIO_EVENT_COUNT);
    for (int index = 0; index < count; index++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->events, (unsigned long)index);
        events[index].timestamp_ns = gpiod_edge_event_get_timestamp_ns(event);
        events[index].sequence_number = gpiod_edge_event_get_line_seqno(event);
        events[index].is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

void perch_gpio_release(struct perch_gpio_line *line) {
    gpiod_line_request_release(line->request);
    gpiod_edge_event_buffer_free(line->events);
    free(line);
}

#endif
