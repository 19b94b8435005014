/* libi2c has no pkg-config file: the module map links it by name. */
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <i2c/smbus.h>
#include <sys/ioctl.h>

/* ioctl(2) is variadic; one function for each request that is used, with the type that it takes. */
static inline int perch_i2c_set_address(int fd, unsigned long address) {
    return ioctl(fd, I2C_SLAVE, address);
}

static inline int perch_i2c_functionality(int fd, unsigned long *functionality) {
    return ioctl(fd, I2C_FUNCS, functionality);
}

static inline int perch_i2c_transfer(int fd, struct i2c_rdwr_ioctl_data *messages) {
    return ioctl(fd, I2C_RDWR, messages);
}

/* Both take effect for what follows on the descriptor. */
static inline int perch_i2c_set_ten_bit(int fd, unsigned long on) {
    return ioctl(fd, I2C_TENBIT, on);
}

static inline int perch_i2c_set_packet_error_checking(int fd, unsigned long on) {
    return ioctl(fd, I2C_PEC, on);
}

/* Both belong to the controller, not to the descriptor. The timeout is in steps of 10 ms. */
static inline int perch_i2c_set_timeout(int fd, unsigned long steps) {
    return ioctl(fd, I2C_TIMEOUT, steps);
}

static inline int perch_i2c_set_retries(int fd, unsigned long retries) {
    return ioctl(fd, I2C_RETRIES, retries);
}
