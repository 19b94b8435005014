import DeviceRuntime
import FoundationEssentials
import Glibc
import LinuxPeripherals
import Peripherals
import TestSupport
import Testing

/// All tests that need the kernel's real interfaces: one after the other, since there is one of each.
///
/// They run inside the kernel that `make test-kernel` boots, and fail anywhere else.
@Suite(.serialized, .boundedHang)
enum OnTheKernel {}

/// The kernel that the tests run on, and the outside of its simulated lines.
struct Kernel: Sendable {
    struct WrongKernel: Error, CustomStringConvertible {
        let description = "these tests run on the kernel of Tests/Kernel only: make test-kernel"
    }

    /// Throws on any other kernel.
    init() throws {
        guard try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).contains("User Mode Linux") else {
            throw WrongKernel()
        }
    }

    /// Runs `body` on a loop with the board's own profile, or another one.
    func run<Value: Sendable>(
        _ profile: BoardProfile = .raspberryPi4,
        _ body: @escaping @Sendable (EventLoop, LinuxBoard) async throws -> Value
    ) async throws -> Value {
        try await EventLoop.run(time: .real) { loop in try await body(loop, LinuxBoard(profile, loop: loop)) }
    }

    /// One line of gpio-sim: what is pulled and seen from outside.
    struct Wire: Sendable {
        let folder: String

        func pull(_ direction: String) throws { try write(direction, to: "\(folder)/pull") }
        var value: String { get throws { try text("\(folder)/value") } }
    }

    /// A line of the header.
    func header(_ offset: Int) -> Wire {
        Wire(folder: "/sys/devices/platform/gpio-sim/gpiochip0/sim_gpio\(offset)")
    }

    /// What SPI reads.
    var controllerInput: Wire { Wire(folder: "/sys/devices/platform/gpio-sim/gpiochip1/sim_gpio4") }

    /// SPI0.0's chip select.
    var chipSelect: Wire { Wire(folder: "/sys/devices/platform/gpio-sim/gpiochip1/sim_gpio5") }

    /// What SPI sends.
    var controllerOutput: Wire { Wire(folder: "/sys/devices/platform/gpio-sim/gpiochip1/sim_gpio3") }

    /// The board with i2c-stub as the named bus. It knows SMBus commands only, and its number depends on the kernel.
    func stubProfile(as bus: String) throws -> (profile: BoardProfile, number: Int) {
        for number in 0..<16 {
            guard let name = try? text("/sys/class/i2c-dev/i2c-\(number)/name"), name.contains("stub") else { continue }
            var profile = BoardProfile.raspberryPi4
            profile.i2cBuses[bus] = "/dev/i2c-\(number)"
            return (profile, number)
        }
        throw PeripheralError(.notFound, "i2c-stub is not loaded")
    }

    /// How many files this process has open.
    func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
}

/// A file's text without its line end.
func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").joined(separator: "\n")
}

/// Writes a sysfs attribute.
func write(_ text: String, to path: String) throws {
    let file = try FileDescriptor(opening: path, flags: O_WRONLY)
    let bytes = Array(text.utf8)
    let number = try file.open()
    try systemCall("write \(path)") { Glibc.write(number, bytes, bytes.count) }
}
