internal import CI2C
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// An I2C bus: a `/dev/i2c-N` and the thread on which its transfers wait.
struct I2CBus: Sendable {
    let name: String
    let path: String
    let sysfs: String
    let thread: BlockingThread
    let loop: EventLoop
    /// Shared by all that talk over the bus.
    let health: Protected<I2CBusHealth>

    /// Opens the bus and asks what its controller can do.
    func open() throws -> (FileDescriptor, I2CFunctionality) {
        let descriptor = try describingErrors({ openingError($0) }) { try FileDescriptor(opening: path, flags: O_RDWR) }
        var functionality: UInt = 0
        try describingErrors({ PeripheralError($0, "\(name): \(path) is no I2C bus") }) {
            let number = try descriptor.open()
            _ = try systemCall("I2C_FUNCS") { perch_i2c_functionality(number, &functionality) }
        }
        return (descriptor, I2CFunctionality(rawValue: functionality))
    }

    func errors(of address: I2CAddress) -> I2CErrors {
        // The class's device is the adapter, which lies in the folder of its controller.
        let driver = try? SystemFiles.linkTarget("\(sysfs)/class/i2c-dev/\(node)/device/../driver")
        return I2CErrors(target: "\(name) \(address)", controller: I2CErrors.Controller(driver: driver ?? ""))
    }

    /// The driver of the kernel that has an address, by sysfs.
    func kernelDriver(of address: I2CAddress) -> String? {
        let digits = String(address.rawValue, radix: 16)
        let number = node.split(separator: "-").last ?? ""
        let device = "\(number)-" + String(repeating: "0", count: 4 - digits.count) + digits
        return try? SystemFiles.linkTarget("\(sysfs)/bus/i2c/devices/\(device)/driver")
    }

    func openingError(_ error: SystemError) -> PeripheralError {
        switch PeripheralError.code(of: error.code) {
        case .notFound:
            PeripheralError(
                error, "\(name): there is no \(path)",
                advice: "switch the bus on (on a Raspberry Pi dtparam=i2c_arm=on in config.txt, and the module i2c-dev)"
            )
        case .permissionDenied:
            PeripheralError(error, "\(name): \(path) may not be opened", advice: AccessGroup.i2c.advice)
        default:
            PeripheralError(error, "\(name): \(path) cannot be opened")
        }
    }

    /// `i2c-1`
    private var node: Substring { path.split(separator: "/").last ?? "" }
}
