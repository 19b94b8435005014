/* The loops of bus-benchmark, in C: calls without anything around them.
 *
 *     calls register|raw|spi NODE COUNT
 *
 * prints nanoseconds of time and of processor time. */
#include <fcntl.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

static long long now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int read_register(int fd) {
    return i2c_smbus_read_byte_data(fd, 0);
}

static int write_then_read(int fd) {
    unsigned char reg = 0, values[2];
    struct i2c_msg messages[] = {{0x70, 0, 1, &reg}, {0x70, I2C_M_RD, 2, values}};
    struct i2c_rdwr_ioctl_data request = {messages, 2};
    return ioctl(fd, I2C_RDWR, &request);
}

static int exchange(int fd) {
    unsigned char bytes[4] = {1, 2, 3, 4};
    struct spi_ioc_transfer transfer;
    memset(&transfer, 0, sizeof transfer);
    transfer.tx_buf = transfer.rx_buf = (unsigned long)bytes;
    transfer.len = sizeof bytes;
    transfer.speed_hz = 1000000;
    transfer.bits_per_word = 8;
    return ioctl(fd, SPI_IOC_MESSAGE(1), &transfer);
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
    int fd = open(argv[2], O_RDWR | O_CLOEXEC);
    if (fd < 0) return 69;
    int is_spi = strcmp(argv[1], "spi") == 0;
    if (!is_spi && ioctl(fd, I2C_SLAVE, 0x70) < 0) return 69;
    int (*call)(int) = is_spi ? exchange : strcmp(argv[1], "raw") == 0 ? write_then_read : read_register;
    int count = atoi(argv[3]);
    for (int i = 0; i < count / 10; i++)
        if (call(fd) < 0) return 74;
    long long start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++)
        if (call(fd) < 0) return 74;
    printf("%lld %lld\n", now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
