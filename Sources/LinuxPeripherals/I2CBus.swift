internal import DeviceRuntime
internal import Peripherals

/// An I2C bus: a `/dev/i2c-N` and the thread on which its transfers wait.
struct I2CBus: Sendable {
    /// What i2c-dev takes for one message of a transfer (`drivers/i2c/i2c-dev.c`).
    static let largestTransfer = 8192

    let name: String
    let path: String
    /// The kernel's name for the controller: `bcm2835 (i2c@7e804000)`.
    let adapterName: String
    let thread: BlockingThread

    init(name: String, path: String, sysfs: String, thread: BlockingThread) {
        self.name = name
        self.path = path
        self.thread = thread
        let node = path.split(separator: "/").last ?? ""
        adapterName = (try? SystemFiles.text(of: "\(sysfs)/class/i2c-dev/\(node)/name")) ?? ""
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
}
