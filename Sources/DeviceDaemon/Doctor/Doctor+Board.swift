import DeviceKit
import LinuxPeripherals
import Peripherals

// What a board has, and what of it is missing for what is configured.

extension Doctor {
    var versions: [Finding] {
        let board = facts.board.model ?? "a machine without a device tree"
        let system = facts.board.operatingSystem ?? "an unknown system"
        return [
            Finding(
                .well, "version", "perch \(perchVersion) on \(board), \(system), Linux \(facts.board.kernelRelease)")
        ]
    }

    var gpio: [Finding] {
        let chips = facts.board.gpioChips
        guard !chips.isEmpty else {
            return missing(
                "gpio", "there is no GPIO chip", needs(.line),
                remedy: "check that the kernel has the board's GPIO driver: ls /dev/gpiochip*")
        }
        var findings: [Finding] = []
        for entry in chips {
            guard let chip = entry.chip else {
                findings.append(
                    Finding(
                        .problem, "gpio", "\(entry.path) may not be opened by \(facts.user)",
                        remedy: accessRemedy(entry.access)))
                continue
            }
            let held = chip.lines.enumerated().compactMap { offset, line in
                line.holder.map { "\(line.headerName ?? line.name ?? "line \(offset)") by '\($0)'" }
            }
            let holders = held.isEmpty ? "none held" : "held: " + held.joined(separator: ", ")
            findings.append(
                Finding(.well, "gpio", "\(entry.path) is \(chip.label) with \(chip.lines.count) lines; \(holders)"))
        }
        return findings + heldLines
    }

    /// Lines that a device needs and somebody else has. The daemon holds each by its device's name.
    private var heldLines: [Finding] {
        let lines = facts.board.gpioChips.compactMap(\.chip).flatMap(\.lines)
        return needs(.line).compactMap { need in
            guard let line = lines.first(where: { $0.headerName == need.name || $0.name == need.name }),
                let holder = line.holder, holder != need.device
            else { return nil }
            return Finding(
                .problem, "gpio", "\(need.device) needs \(need.name), which is held by '\(holder)'",
                remedy: "end what holds it (an overlay in config.txt, or a program), or choose another line")
        }
    }

    var pwm: [Finding] {
        let chips = facts.board.pwmChips
        let wanted = needs(.pwmChannel)
        let usable = chips.filter { !$0.isReserved }
        guard !usable.isEmpty else {
            return missing("pwm", "PWM is off", wanted, remedy: bootLine("dtoverlay=pwm-2chan"))
        }
        var findings = usable.map { chip in
            chip.access.isAllowed
                ? Finding(.well, "pwm", "\(chip.device) with \(counted(chip.channelCount, "channel"))")
                : Finding(
                    .problem, "pwm", "\(chip.device) may not be driven by \(facts.user)",
                    remedy: accessRemedy(chip.access))
        }
        for need in wanted {
            guard let channel = profile?.pwmChannels[need.name] else { continue }
            let isThere = usable.contains { chip in
                (channel.devices.isEmpty || channel.devices.contains(chip.device))
                    && channel.channel < chip.channelCount
            }
            if !isThere {
                findings.append(
                    Finding(
                        .problem, "pwm", "\(need.device) needs \(need.name), which no PWM chip has",
                        remedy: bootLine("dtoverlay=pwm-2chan")))
            }
        }
        return findings
    }

    var i2c: [Finding] {
        let remedy = bootLine("dtparam=i2c_arm=on") + "\necho i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf"
        let nodes = facts.board.i2cBuses.map { bus in
            Node(
                path: bus.path, text: "\(bus.path) is \(bus.adapter.isEmpty ? "a bus" : bus.adapter)",
                access: bus.access)
        }
        return nodeFindings("i2c", "I2C is off", nodes, needs(.i2cBus), profile?.i2cBuses ?? [:], remedy)
    }

    var spi: [Finding] {
        let nodes = facts.board.spiTargets.map { Node(path: $0.path, text: $0.path, access: $0.access) }
        var findings = nodeFindings(
            "spi", "SPI is off", nodes, needs(.spiTarget), profile?.spiTargets ?? [:], bootLine("dtparam=spi=on"))
        if let size = facts.board.spiBufferSize, !nodes.isEmpty {
            findings.append(
                size < 65536
                    ? Finding(
                        .note, "spi", "one transfer has at most \(size) bytes; large displays need more",
                        remedy: "add spidev.bufsiz=65536 to the one line of "
                            + "\(facts.board.bootConfiguration.map(cmdline) ?? "the kernel's command line"), and reboot"
                    )
                    : Finding(.well, "spi", "one transfer has at most \(size) bytes"))
        }
        return findings
    }

    /// The kernel's command line lies beside the firmware's settings.
    private func cmdline(_ path: String) -> String { path.replacing("config.txt", with: "cmdline.txt") }

    var serial: [Finding] {
        let nodes = facts.board.serialPorts.map { port in
            Node(
                path: port.path, text: ([port.path] + port.links.map { "(\($0))" }).joined(separator: " "),
                access: port.access, links: port.links)
        }
        // A machine without any has nothing to switch on unless a device needs one.
        return nodes.isEmpty && needs(.serialPort).isEmpty
            ? []
            : nodeFindings(
                "serial", "there is no serial port", nodes, needs(.serialPort), profile?.serialPorts ?? [:],
                bootLine("enable_uart=1"))
    }

    var rules: [Finding] {
        guard !facts.board.hasRules else { return [] }
        return [
            Finding(
                .note, "udev", "there are no udev rules of Perch; the distribution's may do",
                remedy: "install Perch's package, or its udev rules: make install")
        ]
    }

    struct Node {
        var path: String
        var text: String
        var access: BoardFacts.Access
        var links: [String] = []
    }

    /// Of nodes in /dev: those that are there, and those that are needed and are not. `names` are the board's.
    private func nodeFindings(
        _ topic: String, _ absence: String, _ nodes: [Node], _ needs: [Need], _ names: [String: String],
        _ remedy: String
    ) -> [Finding] {
        guard !nodes.isEmpty else { return missing(topic, absence, needs, remedy: remedy) }
        let found = nodes.map { node in
            node.access.isAllowed
                ? Finding(.well, topic, node.text)
                : Finding(
                    .problem, topic, "\(node.path) may not be opened by \(facts.user)",
                    remedy: accessRemedy(node.access))
        }
        let lacking = needs.filter { need in
            guard let path = need.name.hasPrefix("/") ? need.name : names[need.name] else { return false }
            return !nodes.contains { $0.path == path || $0.links.contains(path) }
        }
        return found
            + lacking.map {
                Finding(.problem, topic, "\($0.device) needs \($0.name), which is not there", remedy: remedy)
            }
    }

    /// What is missing altogether: a problem if something needs it.
    private func missing(_ topic: String, _ absence: String, _ needs: [Need], remedy: String) -> [Finding] {
        guard !needs.isEmpty else { return [Finding(.note, topic, absence, remedy: remedy)] }
        let list = needs.map { "\($0.device) needs \($0.name)" }.joined(separator: ", ")
        return [Finding(.problem, topic, "\(absence), and \(list)", remedy: remedy)]
    }
}
