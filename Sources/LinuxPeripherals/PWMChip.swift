internal import DeviceRuntime
internal import Peripherals

/// A PWM chip in sysfs: one `pwmchipN`. The number may change from boot to boot; the device behind it does not.
struct PWMChip {
    /// `/sys/class/pwm/pwmchip0`
    var path: String
    /// The device behind it: `fe20c000.pwm`.
    var device: String

    /// What a person must not drive by accident: the second controller of the Raspberry Pi 5's RP1, whose channel
    /// 3 is the fan.
    private static let reserved: Set<String> = ["1f0009c000.pwm"]

    var isReserved: Bool { Self.reserved.contains(device) }

    /// The chips of this system. Throws ``SystemError``.
    static func all(sysfs: String) throws -> [PWMChip] {
        let folder = "\(sysfs)/class/pwm"
        return try SystemFiles.names(in: folder, prefix: "pwmchip").map { name in
            PWMChip(path: "\(folder)/\(name)", device: try SystemFiles.linkTarget("\(folder)/\(name)/device"))
        }
    }

    /// The chip of a profile's channel: the one whose device is listed, or, where none is listed, the only one.
    static func find(_ channel: BoardProfile.PWMChannel, name: String, sysfs: String) throws -> PWMChip {
        let chips = try describingErrors({ PeripheralError($0, "\(name): the PWM chips cannot be listed") }) {
            try all(sysfs: sysfs).filter { !$0.isReserved }
        }
        let candidates = channel.devices.isEmpty ? chips : chips.filter { channel.devices.contains($0.device) }
        if candidates.count == 1 { return candidates[0] }
        let found = chips.isEmpty ? "there is none" : "there is " + chips.map(\.device).joined(separator: ", ")
        if candidates.isEmpty {
            let wanted = channel.devices.isEmpty ? "any PWM chip" : channel.devices.joined(separator: " or ")
            throw PeripheralError(
                .notFound, "\(name) needs \(wanted); \(found)",
                advice: "switch PWM on (on a Raspberry Pi dtoverlay=pwm-2chan in config.txt)")
        }
        throw PeripheralError(
            .notFound, "\(name) could be on several PWM chips; \(found)",
            advice: "use a board profile that names the chip's device")
    }
}
