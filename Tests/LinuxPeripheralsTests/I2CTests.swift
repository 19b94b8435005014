import DeviceRuntime
import Glibc
import Peripherals
import Testing

@testable import LinuxPeripherals

@Suite("I2C without a bus")
struct I2CTests {
    @Test(
        "A number of the kernel means what its controller means by it",
        arguments: [
            (EREMOTEIO, "i2c-bcm2835", .noAcknowledge), (EIO, "i2c-bcm2835", .io),
            (EOPNOTSUPP, "i2c-bcm2835", .unsupported),
            (ETIMEDOUT, "i2c-bcm2835", .timedOut), (EREMOTEIO, "i2c_designware", .noAcknowledge),
            (EIO, "i2c_designware", .io), (EAGAIN, "i2c_designware", .arbitrationLost),
            (EINVAL, "i2c_designware", .invalidArgument), (ETIMEDOUT, "i2c_designware", .timedOut),
            (ENXIO, "i2c-gpio", .noAcknowledge), (EIO, "i2c-gpio", .dataNotAcknowledged),
            (ETIMEDOUT, "i2c-gpio", .timedOut), (EPROTO, "i2c-gpio", .io), (EBADMSG, "i2c-gpio", .corrupted),
            (ENODEV, "", .noAcknowledge), (EIO, "i801_smbus", .noAcknowledge), (ENXIO, "i801_smbus", .noAcknowledge),
            (EBUSY, "i801_smbus", .busy), (ESHUTDOWN, "rk3x-i2c", .io), (EBADF, "i2c-gpio", .closed),
        ] as [(Int32, String, PeripheralError.Code)])
    func errors(number: Int32, driver: String, expected: PeripheralError.Code) {
        let errors = I2CErrors(target: "I2C1 0x70", controller: I2CErrors.Controller(driver: driver))
        let error = errors.transfer(SystemError(code: number, call: "test"))
        #expect(error.code == expected)
        #expect(error.message.contains("I2C1 0x70"))
        // Who only knows the number finds it, too.
        if expected != .closed { #expect(error.cause?.contains("(\(number))") == true) }
    }

    @Test("No permission says which group gives it")
    func permission() async throws {
        let denied = SystemError(code: EACCES, call: "open")
        try await EventLoop.run(time: .virtual) { loop in
            let bus = I2CBus(
                name: "I2C1", path: "/dev/i2c-1", sysfs: "/sys", thread: try BlockingThread(named: "test", loop: loop),
                loop: loop, health: Protected(I2CBusHealth()))
            #expect(bus.openingError(denied).code == .permissionDenied)
            #expect(bus.openingError(denied).description.contains("group 'i2c'"))
        }
        let spi = LinuxSPIDevice.openingError(denied, "SPI0.0", "/dev/spidev0.0")
        #expect(spi.code == .permissionDenied)
        #expect(spi.description.contains("group 'spi'"))
    }
}
