import Glibc
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("The facts about a board")
struct BoardFactsTests {
    @Test("They are gathered from what there is, and what cannot be read is left out")
    func facts() throws {
        let folder = try TemporaryDirectory()
        for device in ["gpiochip0", "i2c-1", "spidev0.0", "spidev10.1", "spidev2.0", "ttyAMA0", "ttyS0", "tty1"] {
            try folder.write("", to: "dev/\(device)")
        }
        try #require(symlink("gpiochip0", "\(folder.path)/dev/gpiochip4") == 0)
        try #require(symlink("ttyAMA0", "\(folder.path)/dev/serial0") == 0)
        try folder.write("Raspberry Pi 5 Model B Rev 1.0", to: "proc/device-tree/model")
        try folder.write("6.12.25+rpt-rpi-2712\n", to: "proc/sys/kernel/osrelease")
        try folder.write("bcm2835 (i2c@7e804000)\n", to: "sys/class/i2c-dev/i2c-1/name")
        try folder.write("65536\n", to: "sys/module/spidev/parameters/bufsiz")
        for (chip, device) in [("pwmchip0", "1f00098000.pwm"), ("pwmchip1", "1f0009c000.pwm")] {
            try folder.write("4\n", to: "sys/class/pwm/\(chip)/npwm")
            try folder.write("", to: "sys/class/pwm/\(chip)/export")
            try #require(symlink("../../../\(device)", "\(folder.path)/sys/class/pwm/\(chip)/device") == 0)
        }
        try folder.write("PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n", to: "etc/os-release")
        try folder.write("", to: "boot/firmware/config.txt")
        try folder.write("", to: "usr/lib/udev/rules.d/60-perch.rules")
        try folder.write("Broadcom BCM2835 Watchdog timer\n", to: "sys/class/watchdog/watchdog0/identity")
        try folder.write("inactive\n", to: "sys/class/watchdog/watchdog0/state")
        try folder.write("0x02 0x0B\n", to: "sys/block/mmcblk0/device/life_time")
        try folder.write("0x00 0x00\n", to: "sys/block/mmcblk1/device/life_time")
        try folder.write("32\n", to: "sys/class/tty/ttyAMA0/type")
        try folder.write("", to: "sys/class/tty/ttyAMA0/device")
        try folder.write("0\n", to: "sys/class/tty/ttyS0/type")
        try folder.write("", to: "sys/class/tty/ttyS0/device")
        try folder.write("", to: "sys/class/tty/tty1/active")

        let path = try #require(SystemFiles.realPath(folder.path))
        let facts = BoardFacts.gather(
            BoardFacts.Places(root: path))
        let allowed = BoardFacts.Access(isAllowed: true)
        #expect(facts.model == "Raspberry Pi 5 Model B Rev 1.0")
        #expect(facts.kernelRelease == "6.12.25+rpt-rpi-2712")
        #expect(facts.operatingSystem == "Debian GNU/Linux 13 (trixie)")
        #expect(facts.bootConfiguration == "\(path)/boot/firmware/config.txt")
        #expect(facts.hasRules)
        #expect(facts.watchdogs == [.init(name: "Broadcom BCM2835 Watchdog timer", isActive: false)])
        // What is not defined (0x00) is not known.
        #expect(facts.flash == [.init(name: "mmcblk0", wear: 110)])
        // Plain files are no chips and no buses: their own facts are missing.
        #expect(facts.gpioChips == [.init(path: "\(path)/dev/gpiochip0", access: allowed)])
        #expect(
            facts.i2cBuses == [.init(path: "\(path)/dev/i2c-1", access: allowed, adapter: "bcm2835 (i2c@7e804000)")])
        #expect(
            facts.spiTargets.map(\.path)
                == ["spidev0.0", "spidev2.0", "spidev10.1"].map { "\(path)/dev/\($0)" })
        #expect(facts.spiBufferSize == 65536)
        #expect(facts.pwmChips.map(\.device) == ["1f00098000.pwm", "1f0009c000.pwm"])
        #expect(facts.pwmChips.map(\.isReserved) == [false, true])
        #expect(facts.pwmChips.map(\.channelCount) == [4, 4])
        #expect(
            facts.serialPorts
                == [.init(path: "\(path)/dev/ttyAMA0", access: allowed, links: ["\(path)/dev/serial0"])])
    }

    @Test("The group that would help is the one that may write, unless that is root's or nobody")
    func helpfulGroup() throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "node")
        let path = "\(folder.path)/node"
        // Root can give the file to a group; who is not root is in one that is not root's.
        if geteuid() == 0 { try #require(chown(path, 0, 20) == 0) }
        var status = stat()
        try #require(stat(path, &status) == 0)
        let group = String(cString: try #require(getgrgid(status.st_gid)).pointee.gr_name)
        try #require(chmod(path, 0o660) == 0)
        #expect(BoardFacts.helpfulGroup(for: path) == group)
        try #require(chmod(path, 0o640) == 0)
        #expect(BoardFacts.helpfulGroup(for: path) == nil)
        if geteuid() == 0 { try #require(chown(path, 0, 0) == 0) }
        try #require(chmod(path, 0o660) == 0)
        #expect(BoardFacts.helpfulGroup(for: path) == (geteuid() == 0 ? nil : group))
    }

    @Test("On any machine they can be asked for")
    func thisMachine() {
        #expect(BoardFacts.gather().kernelRelease.contains("."))
    }
}
