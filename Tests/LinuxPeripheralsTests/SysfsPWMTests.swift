import DeviceRuntime
import Glibc
import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

/// A PWM channel on a tree of files that stands for sysfs, in virtual time: what the real one does only while udev is
/// at work.
@Suite("A PWM channel that udev has not given free yet")
struct SysfsPWMTests {
    private static let attributes = ["period", "duty_cycle", "enable", "polarity"]

    /// A chip whose channel 0 is there, with attributes that nobody may write.
    private static func makeChip() throws -> (folder: TemporaryDirectory, chip: PWMChip) {
        let folder = try TemporaryDirectory()
        try folder.makeDirectory("pwm0")
        // The kernel refuses to open this for writing with EACCES, also to root.
        for name in attributes {
            try #require(symlink("/proc/sys/kernel/ostype", "\(folder.path)/pwm0/\(name)") == 0)
        }
        try folder.write("", to: "unexport")
        return (folder, PWMChip(path: folder.path, device: "test.pwm"))
    }

    private static func permit(_ folder: TemporaryDirectory) throws {
        for name in attributes {
            try Files.remove("\(folder.path)/pwm0/\(name)")
            try folder.write("0", to: "pwm0/\(name)")
        }
    }

    private static func open(_ chip: PWMChip, _ loop: EventLoop) async throws -> SysfsPWMOutput {
        try await SysfsPWMOutput.open(
            name: "PWM0", chip: chip, channel: 0, claim: try Claims().claim("PWM0", for: "test"), clock: loop)
    }

    @Test("The opening waits until the permission is there")
    func late() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let (folder, chip) = try Self.makeChip()
            loop.schedule(at: .milliseconds(700)) { try? Self.permit(folder) }
            let output = try await Self.open(chip, loop)
            #expect(loop.now >= .milliseconds(700) && loop.now < .milliseconds(750))
            try await output.setPeriod(.milliseconds(20))
            #expect(try SystemFiles.text(of: "\(folder.path)/pwm0/period") == "20000000")
            await output.close()
        }
    }

    @Test("Without a permission it ends after two seconds, and says which group would give it")
    func never() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let (folder, chip) = try Self.makeChip()
            let error = try await failure { _ = try await Self.open(chip, loop) }
            #expect(error.code == .permissionDenied)
            #expect(error.description.contains("group 'gpio'"))
            #expect(loop.now >= .seconds(2) && loop.now < .milliseconds(2100))
            #expect(try SystemFiles.text(of: "\(folder.path)/unexport") == "0")
        }
    }
}
