internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// What the kernel's numbers mean on an I2C bus.
struct I2CErrors: Sendable {
    /// How the bus's controller uses the numbers; the kernel's own advice (`Documentation/i2c/fault-codes.rst`) is
    /// followed by few.
    enum Controller: Sendable {
        /// Bit-banging (`i2c-algo-bit.c`): ENXIO for the address, EIO for a byte.
        case bitBanged
        /// Those of the Raspberry Pi (`i2c-bcm2835.c`, `i2c-designware-common.c`): EREMOTEIO for the address or a
        /// byte, EIO for other failures.
        case precise
        /// EIO may be anything there, and an absent target is by far the most likely.
        case unknown

        /// By the name of the controller's driver in sysfs.
        init(driver: String) {
            switch driver {
            case "i2c-gpio": self = .bitBanged
            case "i2c-bcm2835", "i2c_designware": self = .precise
            default: self = .unknown
            }
        }
    }

    /// `I2C1 0x70`
    let target: String
    let controller: Controller

    /// Of a transfer.
    func transfer(_ error: SystemError) -> PeripheralError {
        switch (error.code, controller) {
        case (EIO, .bitBanged):
            PeripheralError(
                error, "\(target) did not acknowledge a byte", code: .dataNotAcknowledged,
                advice: "it is there and refuses: it may be busy, or have no such register")
        // ENODEV is i2c-stub's word for it.
        case (EREMOTEIO, _), (ENXIO, _), (ENODEV, _), (EIO, .unknown):
            PeripheralError(
                error, "\(target) did not acknowledge", code: .noAcknowledge,
                advice: "check its power, its wiring and its address ('perch scan' lists what answers)")
        case (EAGAIN, _):
            PeripheralError(
                error, "\(target): another controller won the bus", code: .arbitrationLost,
                advice: "try again; with one controller only, SDA is disturbed")
        case (EBADMSG, _):
            PeripheralError(
                error, "\(target): the check byte (PEC) is wrong", code: .corrupted,
                advice: "try again; if it stays so, the part sends none or the wires are too long for the speed")
        case (EPROTO, _):
            PeripheralError(error, "\(target) broke the protocol: a block has from 1 to 32 bytes", code: .io)
        case (EBUSY, _):
            PeripheralError(error, "\(target): the bus is busy; another controller uses it or a line is low")
        case (ETIMEDOUT, _):
            PeripheralError(
                error, "\(target) timed out",
                advice: "a target holds the clock, or the bus has no pull-up resistors or is shorted")
        case (EOPNOTSUPP, _):
            PeripheralError(
                error, "\(target): the controller cannot do this transfer",
                advice: "a Raspberry Pi's allows one read in a transfer, at its end")
        case (ESHUTDOWN, _): PeripheralError(error, "\(target): the controller is suspended")
        case (EBADF, _): PeripheralError(.closed, "\(target) was closed before")
        default: PeripheralError(error, "\(target): the transfer failed")
        }
    }

    /// Of the claim to an address.
    func claim(_ error: SystemError) -> PeripheralError {
        guard error.code == EBUSY else { return PeripheralError(error, "\(target) cannot be addressed") }
        return PeripheralError(
            error, "\(target) is held by a driver of the kernel",
            advice: "use that driver's interface, or remove its overlay (its name is in /sys/bus/i2c/devices/)")
    }
}
