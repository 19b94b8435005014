import DeviceRuntime
import Peripherals
import TestSupport
import Testing

@testable import CaptureStore
@testable import DeviceDaemon
@testable import LinuxPeripherals

@Suite("What perch doctor finds")
struct DoctorTests {
    private static let allowed = BoardFacts.Access(isAllowed: true)

    private static func configuration(_ devices: String, board: String = "raspberry-pi-4") throws -> Configuration {
        let source = """
            device: porch
            board: \(board)
            devices:
              \(devices)
            storage: { photos: { backend: directory, path: photos } }

            """
        return try Configuration.read(
            source.utf8, file: "perch.yaml", drivers: standardDrivers, backends: standardStorage.map(\.description),
            boards: Configuration.boards)
    }

    /// A Raspberry Pi on which everything is as it should be, for the devices of `configuration`.
    private static func well(_ devices: String = "bell: { driver: button, pin: GPIO27 }") throws -> DoctorFacts {
        var lines = (0...27).map {
            GPIOChipFacts.Line(name: "ID\($0)", headerName: "GPIO\($0)", direction: .input, holder: nil)
        }
        lines[27].holder = "bell"
        let board = BoardFacts(
            model: "Raspberry Pi 4 Model B Rev 1.4", kernelRelease: "6.12.25+rpt-rpi-v8",
            operatingSystem: "Debian GNU/Linux 13 (trixie)", bootConfiguration: "/boot/firmware/config.txt",
            gpioChips: [
                .init(
                    path: "/dev/gpiochip0", access: allowed,
                    chip: GPIOChipFacts(name: "gpiochip0", label: "pinctrl-bcm2711", lines: lines))
            ],
            i2cBuses: [
                .init(path: "/dev/i2c-1", access: allowed, adapter: "bcm2835 (i2c@7e804000)", functionality: nil)
            ],
            spiTargets: [.init(path: "/dev/spidev0.0", access: allowed)], spiBufferSize: 65536,
            pwmChips: [
                .init(
                    path: "/sys/class/pwm/pwmchip0", access: allowed, device: "fe20c000.pwm", channelCount: 2,
                    isReserved: false)
            ],
            serialPorts: [.init(path: "/dev/ttyS0", access: allowed, links: ["/dev/serial0"])],
            watchdogs: [.init(name: "bcm2835-wdt", isActive: true)], flash: [.init(name: "mmcblk0", wear: 10)])
        return DoctorFacts(
            board: board, user: "ann", isRoot: false,
            setup: .valid(try configuration(devices), path: "/etc/perch/perch.yaml"), stateDirectory: "/var/lib/perch",
            space: DiskSpace(total: 32_000_000_000, free: 20_000_000_000), isClockRight: true, daemonStatus: 0,
            trials: ["photos": nil])
    }

    @Test("On a board on which all is well it finds no problem and nothing to do")
    func wellBoard() throws {
        let findings = Doctor(facts: try Self.well()).findings
        #expect(findings.allSatisfy { $0.level == .well && $0.remedy == nil }, "\(findings)")
        #expect(
            Set(findings.map(\.topic)) == [
                "version", "setup", "gpio", "pwm", "i2c", "spi", "serial", "clock", "disk", "watchdog", "storage",
                "daemon",
            ])
        #expect(findings.contains { $0.text.contains("pinctrl-bcm2711 with 28 lines; held: GPIO27 by 'bell'") })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let remedy: String
        var level = Finding.Level.problem
        var devices = "bell: { driver: button, pin: GPIO27 }"
        let change: @Sendable (inout DoctorFacts) -> Void
        var testDescription: String { text }
    }

    private static let cases: [Case] = [
        Case(
            text: "PWM is off", remedy: "echo 'dtoverlay=pwm-2chan' | sudo tee -a /boot/firmware/config.txt",
            level: .note
        ) { $0.board.pwmChips = [] },
        Case(
            text: "PWM is off, and arm needs PWM0", remedy: "dtoverlay=pwm-2chan",
            devices: "arm: { driver: servo, pwm: PWM0 }"
        ) { $0.board.pwmChips = [] },
        Case(
            text: "arm needs PWM1, which no PWM chip has", remedy: "dtoverlay=pwm-2chan",
            devices: "arm: { driver: servo, pwm: PWM1 }"
        ) { $0.board.pwmChips[0].channelCount = 1 },
        // A fan's chip is not for servos.
        Case(text: "PWM is off", remedy: "dtoverlay", level: .note) { $0.board.pwmChips[0].isReserved = true },
        Case(
            text: "I2C is off, and sign needs I2C1", remedy: "dtparam=i2c_arm=on", devices: "sign: { driver: ht16k33 }"
        ) {
            $0.board.i2cBuses = []
        },
        Case(
            text: "sign needs I2C3, which is not there", remedy: "dtparam=i2c_arm=on",
            devices: "sign: { driver: ht16k33, bus: I2C3 }"
        ) { _ in },
        Case(text: "SPI is off", remedy: "dtparam=spi=on", level: .note) { $0.board.spiTargets = [] },
        Case(text: "one transfer has at most 4096 bytes", remedy: "/boot/firmware/cmdline.txt", level: .note) {
            $0.board.spiBufferSize = 4096
        },
        Case(text: "/dev/gpiochip0 may not be opened by ann", remedy: "sudo usermod -aG gpio ann") {
            $0.board.gpioChips[0] = .init(
                path: "/dev/gpiochip0", access: .init(isAllowed: false, helpfulGroup: "gpio"))
        },
        Case(text: "/dev/i2c-1 may not be opened by ann", remedy: "make install") {
            $0.board.i2cBuses[0].access = .init(isAllowed: false)
            $0.board.hasRules = false
        },
        Case(text: "bell needs GPIO27, which is held by 'spi0 CS0'", remedy: "choose another line") {
            $0.board.gpioChips[0].chip?.lines[27].holder = "spi0 CS0"
        },
        Case(text: "there is no configuration at /etc/perch/perch.yaml", remedy: "sudoedit /etc/perch/perch.yaml") {
            $0.setup = .missing("/etc/perch/perch.yaml")
        },
        Case(text: "perch.yaml:2:1: unknown key", remedy: "perch check /etc/perch/perch.yaml") {
            $0.setup = .wrong("perch.yaml:2:1: unknown key", path: "/etc/perch/perch.yaml")
        },
        Case(text: "no time server was heard", remedy: "sudo timedatectl set-ntp true") { $0.isClockRight = false },
        Case(text: "mmcblk0 has used 100 % of its life", remedy: "replace it") {
            $0.board.flash[0] = .init(name: "mmcblk0", wear: 110)
        },
        Case(text: "the file system of /var/lib/perch is read-only", remedy: "dmesg") { $0.space?.isReadOnly = true },
        Case(text: "50 of 32000 MB are free", remedy: "journalctl --vacuum-size") { $0.space?.free = 50_000_000 },
        Case(text: "bcm2835-wdt is not used", remedy: "RuntimeWatchdogSec=15s", level: .note) {
            $0.board.watchdogs = [.init(name: "bcm2835-wdt", isActive: false)]
        },
        Case(text: "photos: there is no room", remedy: "perch queue flush") {
            $0.trials = ["photos": .some("there is no room")]
        },
        Case(text: "uploads to photos fail since 1970-01-01T00:00:00.000Z: full", remedy: "perch queue flush") {
            $0.trials = [:]
            $0.failures = ["photos": .init(since: WallTime(sinceEpoch: .zero), reason: "full")]
        },
        Case(text: "photos was not asked", remedy: "perch doctor --upload", level: .note) { $0.trials = [:] },
        Case(text: "no daemon answers ann", remedy: "sudo systemctl enable --now perch", level: .note) {
            $0.daemonStatus = nil
        },
        Case(text: "it runs, but not all is well", remedy: "perch status") { $0.daemonStatus = 1 },
    ]

    @Test("What is not as it should be is said, with what mends it", arguments: cases)
    func findings(_ wrong: Case) throws {
        var facts = try Self.well(wrong.devices)
        facts.board.gpioChips[0].chip?.lines[27].holder = nil
        wrong.change(&facts)
        let findings = Doctor(facts: facts).findings.filter { $0.level != .well }
        let finding = findings.first { $0.text.contains(wrong.text) }
        #expect(finding?.level == wrong.level, "\(findings)")
        #expect(finding?.remedy?.contains(wrong.remedy) == true, "\(findings)")
        // Nothing else is made of it.
        #expect(findings.count == 1 || wrong.text.contains("i2c-1"), "\(findings)")
    }

    @Test("Nothing of this machine is looked for on a simulated board")
    func simulated() throws {
        var facts = try Self.well()
        facts.setup = .valid(
            try Self.configuration("arm: { driver: servo, pwm: PWM0 }", board: "simulated"), path: "perch.yaml")
        facts.board = BoardFacts(kernelRelease: "6.1")
        #expect(Diagnosis(findings: Doctor(facts: facts).findings).isWell)
    }

    @Test("A person reads the command below what it mends, a program an object")
    func output() {
        let diagnosis = Diagnosis(findings: [
            Finding(.well, "gpio", "one chip"), Finding(.problem, "pwm", "PWM is off", remedy: "switch it on"),
        ])
        #expect(
            diagnosis.text == """
                ok       gpio  one chip
                problem  pwm   PWM is off
                               -> switch it on

                1 problem
                """)
        #expect(
            diagnosis.json == #"{"findings":[{"level":"well","text":"one chip","topic":"gpio"},"#
                + #"{"level":"problem","remedy":"switch it on","text":"PWM is off","topic":"pwm"}],"well":false}"#)
    }

    @Test("A storage is asked with the daemon's own backend, and what is wrong with it is said")
    func trials() throws {
        let folder = try TemporaryDirectory()
        let configuration = try Self.configuration("bell: { driver: button, pin: GPIO27 }")
        let trial = StorageTrial(configuration, folder.path)
        #expect(try trial.failure(of: configuration.storage[0]) == nil)
        #expect(try Files.size(of: "\(folder.path)/photos/porch/doctor/test.json") != nil)
        // A folder that cannot be made.
        try folder.write("", to: "file")
        let failure = try StorageTrial(configuration, "\(folder.path)/file").failure(of: configuration.storage[0])
        #expect(failure?.contains("\(folder.path)/file/photos") == true, "\(failure ?? "none")")
    }
}
