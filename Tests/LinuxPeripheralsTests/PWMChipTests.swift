import Glibc
import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("Finding a PWM chip")
struct PWMChipTests {
    /// A sysfs with PWM chips of these devices, numbered as they are given.
    private func makeSysfs(_ devices: [String]) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for (number, device) in devices.enumerated() {
            try folder.makeDirectory("class/pwm/pwmchip\(number)")
            try #require(
                symlink("../../../\(device)", "\(folder.path)/class/pwm/pwmchip\(number)/device") == 0)
        }
        return folder
    }

    private static let piFive = ["1f0009c000.pwm", "1f00098000.pwm"]

    @Test(
        "The chip is found by its device, whatever its number",
        arguments: [
            (["fe20c000.pwm"], BoardProfile.raspberryPi4, "pwmchip0"),
            (["other.pwm", "fe20c000.pwm"], .raspberryPi4, "pwmchip1"), (piFive, .raspberryPi5, "pwmchip1"),
            (piFive.reversed(), .raspberryPi5, "pwmchip0"), (["some.pwm"], .generic, "pwmchip0"),
            // The fan's controller does not count.
            (piFive, .generic, "pwmchip1"),
        ] as [([String], BoardProfile, String)])
    func found(devices: [String], profile: BoardProfile, expected: String) throws {
        let sysfs = try makeSysfs(devices)
        let channel = try #require(profile.pwmChannels["PWM0"])
        let chip = try PWMChip.find(channel, name: "PWM0", sysfs: sysfs.path)
        #expect(chip.path == "\(sysfs.path)/class/pwm/\(expected)")
    }

    @Test("The fan's controller is refused, also by a profile that names it")
    func fan() async throws {
        let sysfs = try makeSysfs(Self.piFive)
        let fan = BoardProfile.PWMChannel(devices: ["1f0009c000.pwm"], channel: 3)
        let error = try await failure { _ = try PWMChip.find(fan, name: "FAN", sysfs: sysfs.path) }
        #expect(error.code == .notFound)
    }

    @Test(
        "A chip that is not there, or not the only one, is told with what there is",
        arguments: [
            ([], BoardProfile.raspberryPi4, "there is none"), (["a.pwm"], .raspberryPi4, "there is a.pwm"),
            (["1f0009c000.pwm"], .generic, "there is none"), (["a.pwm", "b.pwm"], .generic, "there is a.pwm, b.pwm"),
            (["1f0009c000.pwm"], .raspberryPi5, "needs 1f00098000.pwm; there is none"),
        ] as [([String], BoardProfile, String)])
    func notFound(devices: [String], profile: BoardProfile, text: String) async throws {
        let sysfs = try makeSysfs(devices)
        let channel = try #require(profile.pwmChannels["PWM0"])
        let error = try await failure { _ = try PWMChip.find(channel, name: "PWM0", sysfs: sysfs.path) }
        #expect(error.code == .notFound)
        #expect(error.message.contains(text), "\(error)")
    }
}
