internal import CI2C
internal import DeviceRuntime
internal import Glibc

extension BoardFacts {
    /// Where to look.
    struct Places {
        let devices: String
        let sysfs: String
        let model: String
        let kernelRelease: String
        let operatingSystem: String
        /// The first that is there.
        let bootConfigurations: [String]
        let rules: [String]

        /// `root` is the folder that stands for `/`.
        init(root: String = "") {
            devices = "\(root)/dev"
            sysfs = "\(root)/sys"
            model = "\(root)/proc/device-tree/model"
            kernelRelease = "\(root)/proc/sys/kernel/osrelease"
            operatingSystem = "\(root)/etc/os-release"
            bootConfigurations = ["\(root)/boot/firmware/config.txt", "\(root)/boot/config.txt"]
            rules = ["\(root)/usr/lib/udev/rules.d", "\(root)/etc/udev/rules.d"]
        }
    }

    /// Looks at this machine. Nothing is taken from anybody: no line, address, channel or port is requested, and what
    /// cannot be read is left out. A few system calls for each chip, none of which waits for hardware.
    public static func gather() -> BoardFacts { gather(Places()) }

    static func gather(_ places: Places) -> BoardFacts {
        let bufferSize = try? SystemFiles.text(of: "\(places.sysfs)/module/spidev/parameters/bufsiz")
        let model = try? SystemFiles.text(of: places.model)
        return BoardFacts(
            model: model, kernelRelease: (try? SystemFiles.text(of: places.kernelRelease)) ?? "unknown",
            operatingSystem: operatingSystem(places.operatingSystem),
            bootConfiguration: places.bootConfigurations.first(where: SystemFiles.exists),
            hasRules: places.rules.contains { folder in
                ((try? SystemFiles.names(in: folder, prefix: "")) ?? []).contains { $0.hasSuffix("perch.rules") }
            },
            gpioChips: gpioChips(places.devices, model.flatMap(BoardProfile.matching)),
            i2cBuses: nodes("i2c-", places.devices).map { i2c($0, places.sysfs) },
            spiTargets: nodes("spidev", places.devices).map { SPI(path: $0, access: access(to: $0)) },
            spiBufferSize: bufferSize.flatMap { Int($0) },
            pwmChips: ((try? PWMChip.all(sysfs: places.sysfs)) ?? []).map(pwm), serialPorts: serialPorts(places),
            watchdogs: watchdogs(places.sysfs), flash: flash(places.sysfs))
    }

    private static func operatingSystem(_ path: String) -> String? {
        let lines = (try? SystemFiles.text(of: path))?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("PRETTY_NAME=") }.map { String($0.dropFirst(12).filter { $0 != "\"" }) }
    }

    private static func watchdogs(_ sysfs: String) -> [Watchdog] {
        let folder = "\(sysfs)/class/watchdog"
        return ((try? SystemFiles.names(in: folder, prefix: "watchdog")) ?? []).map { name in
            Watchdog(
                name: (try? SystemFiles.text(of: "\(folder)/\(name)/identity")) ?? name,
                isActive: (try? SystemFiles.text(of: "\(folder)/\(name)/state")) == "active")
        }
    }

    private static func flash(_ sysfs: String) -> [Flash] {
        ((try? SystemFiles.names(in: "\(sysfs)/block", prefix: "mmcblk")) ?? []).compactMap { name in
            // Two estimates, for two kinds of memory, in tenths: 0x01 is 0 to 10 %.
            guard let text = try? SystemFiles.text(of: "\(sysfs)/block/\(name)/device/life_time") else { return nil }
            let tenths = text.split(separator: " ").compactMap { Int($0.dropFirst(2), radix: 16) }.max() ?? 0
            return tenths == 0 ? nil : Flash(name: name, wear: tenths * 10)
        }
    }

    /// The device nodes whose names begin so, without links to them.
    private static func nodes(_ prefix: String, _ folder: String) -> [String] {
        ((try? SystemFiles.names(in: folder, prefix: prefix, withLinks: false)) ?? []).map { "\(folder)/\($0)" }
    }

    private static func gpioChips(_ folder: String, _ profile: BoardProfile?) -> [GPIO] {
        let paths = nodes("gpiochip", folder)
        let chips = paths.compactMap { try? GPIOChip(path: $0) }
        return paths.map { path in
            let chip = chips.first { $0.path == path }
            return GPIO(path: path, access: access(to: path), chip: try? chip?.facts(profile, among: chips))
        }
    }

    private static func i2c(_ path: String, _ sysfs: String) -> I2C {
        let name = path.split(separator: "/").last ?? ""
        var functionality: UInt?
        if let descriptor = try? FileDescriptor(opening: path, flags: O_RDWR), let number = descriptor.number {
            var flags: UInt = 0
            if perch_i2c_functionality(number, &flags) == 0 { functionality = flags }
        }
        return I2C(
            path: path, access: access(to: path),
            adapter: (try? SystemFiles.text(of: "\(sysfs)/class/i2c-dev/\(name)/name")) ?? "",
            functionality: functionality)
    }

    private static func pwm(_ chip: PWMChip) -> PWM {
        let count = (try? SystemFiles.text(of: "\(chip.path)/npwm")).flatMap { Int($0) } ?? 0
        return PWM(
            path: chip.path, access: access(to: "\(chip.path)/export", W_OK), device: chip.device, channelCount: count,
            isReserved: chip.isReserved)
    }

    private static func serialPorts(_ places: Places) -> [Serial] {
        let folder = "\(places.sysfs)/class/tty"
        var links: [String: [String]] = [:]
        let named = (try? SystemFiles.names(in: places.devices, prefix: "serial")) ?? []
        let identified = (try? SystemFiles.names(in: "\(places.devices)/serial/by-id", prefix: "")) ?? []
        for link in named.map({ "\(places.devices)/\($0)" })
            + identified.map({ "\(places.devices)/serial/by-id/\($0)" })
        where SystemFiles.realPath(link) != link {
            if let target = SystemFiles.realPath(link) { links[target, default: []].append(link) }
        }
        return ((try? SystemFiles.names(in: folder, prefix: "tty")) ?? []).compactMap { name in
            // Consoles have no device; a port that the driver keeps in reserve has no hardware (type 0).
            guard SystemFiles.exists("\(folder)/\(name)/device"),
                (try? SystemFiles.text(of: "\(folder)/\(name)/type")) != "0"
            else { return nil }
            let path = "\(places.devices)/\(name)"
            return Serial(path: path, access: access(to: path), links: links[path] ?? [])
        }
    }

    private static func access(to path: String, _ mode: Int32 = R_OK | W_OK) -> Access {
        if Glibc.access(path, mode) == 0 { return Access(isAllowed: true) }
        return Access(isAllowed: false, helpfulGroup: helpfulGroup(for: path))
    }

    /// The group whose members may write to it; `nil` if there is none, or only root's.
    static func helpfulGroup(for path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_gid != 0, status.st_mode & S_IWGRP != 0,
            let entry = getgrgid(status.st_gid)
        else { return nil }
        return String(cString: entry.pointee.gr_name)
    }
}
