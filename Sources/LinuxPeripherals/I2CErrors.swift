internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// What the kernel's numbers mean on an I2C bus.
struct I2CErrors: Sendable {
    /// `I2C1 0x70`
    let target: String
    /// The kernel's name for the bus's controller.
    let adapter: String

    /// Controllers that say EREMOTEIO when a target does not acknowledge, and EIO for other failures: those of
    /// the Raspberry Pi (`i2c-bcm2835.c`, `i2c-designware-common.c`). Elsewhere EIO may mean either, as in the
    /// bit-banging `i2c-algo-bit.c`, and an absent target is by far the more likely.
    private static let preciseAdapters = ["bcm2835", "DesignWare"]

    /// Of a transfer.
    func transfer(_ error: SystemError) -> PeripheralError {
        if isNoAcknowledge(error.code) {
            return PeripheralError(
                error, "\(target) did not acknowledge", code: .noAcknowledge,
                advice: "check its power, its wiring and its address ('perch scan' lists what answers)")
        }
        switch error.code {
        case ETIMEDOUT:
            return PeripheralError(
                error, "\(target) timed out",
                advice: "a target holds the clock, or the bus has no pull-up resistors or is shorted")
        case EBADF: return PeripheralError(.closed, "\(target) was closed before")
        default: return PeripheralError(error, "\(target): the transfer failed")
        }
    }

    private func isNoAcknowledge(_ code: Int32) -> Bool {
        switch code {
        // ENODEV is i2c-stub's word for it.
        case EREMOTEIO, ENXIO, ENODEV: true
        case EIO: !Self.preciseAdapters.contains { adapter.contains($0) }
        default: false
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
