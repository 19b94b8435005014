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
            (EREMOTEIO, "bcm2835 (i2c@7e804000)", .noAcknowledge), (EIO, "bcm2835 (i2c@7e804000)", .io),
            (EREMOTEIO, "Synopsys DesignWare I2C adapter", .noAcknowledge),
            (EIO, "Synopsys DesignWare I2C adapter", .io),
            (ENXIO, "i2c-gpio", .noAcknowledge), (EIO, "i2c-gpio", .noAcknowledge), (ETIMEDOUT, "i2c-gpio", .timedOut),
            (EAGAIN, "i2c-gpio", .io), (EBADF, "i2c-gpio", .closed), (EOPNOTSUPP, "i2c-gpio", .unsupported),
        ] as [(Int32, String, PeripheralError.Code)])
    func errors(number: Int32, adapter: String, expected: PeripheralError.Code) {
        let error = I2CErrors(target: "I2C1 0x70", adapter: adapter).transfer(SystemError(code: number, call: "test"))
        #expect(error.code == expected)
        #expect(error.message.contains("I2C1 0x70"))
    }

    @Test(
        "A transfer that SMBus has no command for says so before it touches the bus",
        arguments: [(0, 2), (34, 0), (2, 1), (1, 33)])
    func unsupported(written: Int, read: Int) async throws {
        let bus = SMBus(target: "I2C1 0x70", functionality: .max)
        let error = try await failure {
            _ = try bus.transfer(-1, [UInt8](repeating: 0, count: written), count: read)
        }
        #expect(error.code == .unsupported)
        #expect(error.description.contains("I2C1 0x70"))
    }

    @Test(
        "A command that the controller lacks is not tried",
        arguments: [(0, 1), (1, 0), (2, 0), (3, 0), (1, 1), (1, 2)])
    func missingCommand(written: Int, read: Int) async throws {
        let bus = SMBus(target: "I2C1 0x70", functionality: 0)
        let error = try await failure {
            _ = try bus.transfer(-1, [UInt8](repeating: 0, count: written), count: read)
        }
        #expect(error.code == .unsupported)
    }
}
