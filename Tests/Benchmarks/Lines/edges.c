/* What libgpiod and the kernel can do: waits for the edges of a line and takes the time.
 *
 *     edges OFFSET COUNT
 *
 * says `ready`, and after COUNT edges prints each one's latency in ns. */
#include <gpiod.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    unsigned int offset = (unsigned int)atoi(argv[1]);
    int count = atoi(argv[2]);
    int64_t *latencies = calloc((size_t)count, sizeof *latencies);
    struct gpiod_chip *chip = gpiod_chip_open("/dev/gpiochip0");
    if (!chip || !latencies) return fail("chip");
#ifdef GPIOD_LINE_BULK_MAX_LINES
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line || gpiod_line_request_both_edges_events(line, "edges") != 0) return fail("line");
    int descriptor = gpiod_line_event_get_fd(line);
#else
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    struct gpiod_line_config *config = gpiod_line_config_new();
    gpiod_line_config_add_line_settings(config, &offset, 1, settings);
    struct gpiod_line_request *line = gpiod_chip_request_lines(chip, NULL, config);
    struct gpiod_edge_event_buffer *events = gpiod_edge_event_buffer_new(1);
    if (!line || !events) return fail("line");
    int descriptor = gpiod_line_request_get_fd(line);
#endif
    puts("ready");
    fflush(stdout);
    for (int index = 0; index < count; index++) {
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        if (poll(&wait, 1, -1) != 1) return fail("poll");
#ifdef GPIOD_LINE_BULK_MAX_LINES
        struct gpiod_line_event event;
        if (gpiod_line_event_read(line, &event) != 0) return fail("read");
        latencies[index] = now() - event.ts.tv_sec * INT64_C(1000000000) - event.ts.tv_nsec;
#else
        if (gpiod_line_request_read_edge_events(line, events, 1) != 1) return fail("read");
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(events, 0);
        latencies[index] = now() - (int64_t)gpiod_edge_event_get_timestamp_ns(event);
#endif
    }
    for (int index = 0; index < count; index++) printf("%lld\n", (long long)latencies[index]);
    return 0;
}
