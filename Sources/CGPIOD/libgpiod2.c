/* libgpiod 2.x: a request outlives its chip, and is described by objects that are put together first. */
#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES /* which only 1.x defines */

#include "CGPIOD.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct perch_gpio_request {
    struct gpiod_line_request *lines;
    struct gpiod_edge_event_buffer *events;
    unsigned int count;
};

int perch_gpio_is_version_2(void) {
    return 1;
}

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
        facts[offset].is_output = gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
        gpiod_line_info_free(info);
    }
    int error = errno;
    gpiod_chip_close(chip);
    errno = error;
    return result;
}

static enum gpiod_line_value value(int level) {
    return level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

static enum gpiod_line_bias line_bias(enum perch_gpio_bias bias) {
    static const enum gpiod_line_bias biases[] = {
        [PERCH_GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
        [PERCH_GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
        [PERCH_GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
        [PERCH_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
    };
    return biases[bias];
}

/* `levels` for outputs; the kernel takes them with the request. */
static int configure(
    struct gpiod_line_config *config, struct gpiod_line_settings *settings, const unsigned int *offsets,
    unsigned int count, const int *levels) {
    if (gpiod_line_config_add_line_settings(config, offsets, count, settings) != 0) return -1;
    if (!levels) return 0;
    enum gpiod_line_value values[PERCH_GPIO_MOST_LINES];
    for (unsigned int index = 0; index < count; index++) values[index] = value(levels[index]);
    return gpiod_line_config_set_output_values(config, values, count);
}

static struct gpiod_line_request *request_lines(
    const char *path, struct gpiod_line_settings *settings, const unsigned int *offsets, unsigned int count,
    const int *levels, const char *consumer) {
    struct gpiod_line_request *request = NULL;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line_config *lines = chip ? gpiod_line_config_new() : NULL;
    struct gpiod_request_config *config = lines ? gpiod_request_config_new() : NULL;
    if (config && configure(lines, settings, offsets, count, levels) == 0) {
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
static struct perch_gpio_request *request(
    const char *path, struct gpiod_line_settings *settings, const unsigned int *offsets, unsigned int count,
    const int *levels, const char *consumer) {
    int fits = count > 0 && count <= PERCH_GPIO_MOST_LINES;
    struct perch_gpio_request *request = fits ? calloc(1, sizeof *request) : NULL;
    if (!fits) errno = EINVAL;
    if (request) {
        request->count = count;
        request->events = gpiod_edge_event_buffer_new(PERCH_GPIO_EVENT_COUNT);
        if (request->events) request->lines = request_lines(path, settings, offsets, count, levels, consumer);
    }
    int error = errno;
    gpiod_line_settings_free(settings);
    if (request && request->lines) {
        int descriptor = gpiod_line_request_get_fd(request->lines);
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        return request;
    }
    if (request && request->events) gpiod_edge_event_buffer_free(request->events);
    free(request);
    errno = error;
    return NULL;
}

struct perch_gpio_request *perch_gpio_request_input(
    const char *path, const unsigned int *offsets, unsigned int count, enum perch_gpio_bias bias,
    enum perch_gpio_edges edges, unsigned int debounce_us, const char *consumer) {
    static const enum gpiod_line_edge detections[] = {
        [PERCH_GPIO_EDGES_NONE] = GPIOD_LINE_EDGE_NONE,
        [PERCH_GPIO_EDGES_RISING] = GPIOD_LINE_EDGE_RISING,
        [PERCH_GPIO_EDGES_FALLING] = GPIOD_LINE_EDGE_FALLING,
        [PERCH_GPIO_EDGES_BOTH] = GPIOD_LINE_EDGE_BOTH,
    };
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_bias(settings, line_bias(bias));
    gpiod_line_settings_set_edge_detection(settings, detections[edges]);
    gpiod_line_settings_set_debounce_period_us(settings, debounce_us);
    return request(path, settings, offsets, count, NULL, consumer);
}

struct perch_gpio_request *perch_gpio_request_output(
    const char *path, const unsigned int *offsets, unsigned int count, const int *levels, enum perch_gpio_drive drive,
    enum perch_gpio_bias bias, const char *consumer) {
    static const enum gpiod_line_drive drives[] = {
        [PERCH_GPIO_DRIVE_PUSH_PULL] = GPIOD_LINE_DRIVE_PUSH_PULL,
        [PERCH_GPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_DRIVE_OPEN_DRAIN,
        [PERCH_GPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_DRIVE_OPEN_SOURCE,
    };
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) return NULL;
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_drive(settings, drives[drive]);
    gpiod_line_settings_set_bias(settings, line_bias(bias));
    return request(path, settings, offsets, count, levels, consumer);
}

int perch_gpio_read(struct perch_gpio_request *request, int *levels) {
    enum gpiod_line_value values[PERCH_GPIO_MOST_LINES];
    if (gpiod_line_request_get_values(request->lines, values) != 0) return -1;
    for (unsigned int index = 0; index < request->count; index++) levels[index] = values[index] == GPIOD_LINE_VALUE_ACTIVE;
    return 0;
}

int perch_gpio_write(struct perch_gpio_request *request, const int *levels) {
    enum gpiod_line_value values[PERCH_GPIO_MOST_LINES];
    for (unsigned int index = 0; index < request->count; index++) values[index] = value(levels[index]);
    return gpiod_line_request_set_values(request->lines, values);
}

int perch_gpio_event_descriptor(struct perch_gpio_request *request) {
    return gpiod_line_request_get_fd(request->lines);
}

int perch_gpio_read_events(
    struct perch_gpio_request *request, struct perch_gpio_edge_event events[PERCH_GPIO_EVENT_COUNT]) {
    int count = gpiod_line_request_read_edge_events(request->lines, request->events, PERCH_GPIO_EVENT_COUNT);
    for (int index = 0; index < count; index++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(request->events, (unsigned long)index);
        events[index].timestamp_ns = gpiod_edge_event_get_timestamp_ns(event);
        events[index].sequence_number = gpiod_edge_event_get_line_seqno(event);
        events[index].is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

void perch_gpio_release(struct perch_gpio_request *request) {
    gpiod_line_request_release(request->lines);
    gpiod_edge_event_buffer_free(request->events);
    free(request);
}

#endif
