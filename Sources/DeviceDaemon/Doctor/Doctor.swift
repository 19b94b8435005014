import DeviceKit
import DeviceRuntime
import LinuxPeripherals

/// Makes findings of what there is: a pure function of the facts.
struct Doctor {
    let facts: DoctorFacts

    var findings: [Finding] {
        var findings = versions + setup
        if isOnThisMachine { findings += gpio + pwm + i2c + spi + serial + rules }
        return findings + clock + disk + watchdog + storage + daemon
    }

    var configuration: Configuration? {
        if case .valid(let configuration, _) = facts.setup { configuration } else { nil }
    }

    /// A simulated board needs nothing of this one.
    var isOnThisMachine: Bool { configuration?.board != "simulated" }

    var profile: BoardProfile? {
        guard let configuration else { return facts.board.model.flatMap(BoardProfile.matching) }
        if let profile = configuration.boardProfile { return profile }
        if configuration.board == "auto" { return facts.board.model.flatMap(BoardProfile.matching) }
        return try? BoardProfile.named(configuration.board)
    }

    /// A peripheral that the configuration names, and the device that it is for.
    struct Need {
        var device: String
        var name: String
    }

    func needs(_ kind: PeripheralKind) -> [Need] {
        (configuration?.devices ?? []).flatMap { device in
            device.driver.options.filter { $0.peripheral == kind }.flatMap { option -> [Need] in
                let text = device.texts.first { $0.name == option.name }?.text ?? option.defaultText ?? ""
                let names = text.split { "[], ".contains($0) }.map(String.init)
                return names.filter { $0 != option.absence }.map { Need(device: device.name, name: $0) }
            }
        }
    }

    /// `1 rule`, `2 rules`
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// A line for the firmware's settings.
    func bootLine(_ line: String) -> String {
        guard let path = facts.board.bootConfiguration else {
            return "switch it on in the board's device tree (on a Raspberry Pi: \(line) in config.txt), and reboot"
        }
        return "echo '\(line)' | sudo tee -a \(path) && sudo reboot"
    }

    /// What opens a node to the user that asks.
    func accessRemedy(_ access: BoardFacts.Access) -> String {
        if let group = access.helpfulGroup {
            return "sudo usermod -aG \(group) \(facts.user)   # and log in again; the service is in the group already"
        }
        return facts.board.hasRules
            ? "sudo udevadm control --reload && sudo udevadm trigger"
            : "install Perch's package, or its udev rules: make install"
    }
}
