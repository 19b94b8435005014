internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A port's settings in the kernel's words (`struct termios2`).
enum SerialSettings {
    /// Sets them, and looks whether the port's driver took them: one that cannot do a thing leaves it out without
    /// an error.
    static func apply(_ configuration: SerialConfiguration, to descriptor: Int32, name: String) throws {
        var settings = perch_termios2()
        try systemCall("TCGETS2 \(name)") { perch_serial_get(descriptor, &settings) }
        fill(&settings, configuration)
        try describingErrors({ error in
            PeripheralError(error, "\(name) refuses its settings", code: error.code == EINVAL ? .unsupported : nil)
        }) {
            _ = try systemCall("TCSETS2 \(name)") { perch_serial_set(descriptor, &settings) }
        }
        var taken = perch_termios2()
        try systemCall("TCGETS2 \(name)") { perch_serial_get(descriptor, &taken) }
        try check(taken, against: settings, configuration, name)
    }

    /// Everything is set, since nothing is known of what an earlier user left.
    private static func fill(_ settings: inout perch_termios2, _ configuration: SerialConfiguration) {
        // Neither translated nor interpreted. Damaged bytes and breaks are marked instead of dropped or made zeros.
        settings.c_iflag = flags(INPCK, PARMRK)
        settings.c_oflag = 0
        settings.c_lflag = 0
        // Its modem lines are not asked: a port with three wires has none.
        settings.c_cflag = flags(CREAD, CLOCAL) | size(configuration.dataBits)
        switch configuration.parity {
        case .none: break
        case .even: settings.c_cflag |= flags(PARENB)
        case .odd: settings.c_cflag |= flags(PARENB, PARODD)
        }
        if configuration.stopBits == .two { settings.c_cflag |= flags(CSTOPB) }
        switch configuration.flowControl {
        case .none: break
        case .rtsCTS: settings.c_cflag |= hardwareFlowControl
        case .xonXOFF: settings.c_iflag |= flags(IXON, IXOFF)
        }
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            // A read returns what is there, and fails with EAGAIN (not with an end) when that is nothing.
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            characters[Int(VSTART)] = 0x11
            characters[Int(VSTOP)] = 0x13
        }
        settings.c_cflag |= standardRates[configuration.baudRate] ?? anyRate
        settings.c_ispeed = UInt32(configuration.baudRate)
        settings.c_ospeed = UInt32(configuration.baudRate)
    }

    private static func check(
        _ taken: perch_termios2, against wanted: perch_termios2, _ configuration: SerialConfiguration, _ name: String
    ) throws {
        func refuse(_ what: String) -> PeripheralError {
            PeripheralError(
                .unsupported, "\(name) cannot do \(what)", cause: "its driver left that out",
                advice: "choose what it can do, or another port")
        }
        let differences = taken.c_cflag ^ wanted.c_cflag
        if differences & flags(CSIZE) != 0 { throw refuse("\(configuration.dataBits.rawValue) data bits") }
        if differences & flags(PARENB, PARODD) != 0 { throw refuse("\(configuration.parity) parity") }
        if differences & flags(CSTOPB) != 0 { throw refuse("\(configuration.stopBits.rawValue) stop bits") }
        if differences & hardwareFlowControl != 0 { throw refuse("flow control by RTS and CTS") }
        // Beyond 2 % of difference between two clocks, the last bit of a byte may be read as its neighbour.
        let rate = Int(taken.c_ospeed)
        if abs(rate - configuration.baudRate) * 50 > configuration.baudRate {
            throw refuse("\(configuration.baudRate) baud; \(rate) is the nearest that it has")
        }
    }

    private static func size(_ bits: SerialConfiguration.DataBits) -> UInt32 {
        switch bits {
        case .five: flags(CS5)
        case .six: flags(CS6)
        case .seven: flags(CS7)
        case .eight: flags(CS8)
        }
    }

    private static func flags(_ flags: Int32...) -> UInt32 { flags.reduce(0) { $0 | UInt32(bitPattern: $1) } }

    // From asm-generic/termbits.h: `CRTSCTS`, `BOTHER`. (glibc has no BOTHER, and Swift sees no CRTSCTS.)
    private static let hardwareFlowControl: UInt32 = 0o20_000_000_000
    private static let anyRate: UInt32 = 0o010000

    /// The rates that have a number of their own; some drivers know no others. (The numbers are POSIX's and Linux's.)
    private static let standardRates: [Int: UInt32] = [
        50: 0o1, 75: 0o2, 110: 0o3, 134: 0o4, 150: 0o5, 200: 0o6, 300: 0o7, 600: 0o10, 1200: 0o11, 1800: 0o12,
        2400: 0o13, 4800: 0o14, 9600: 0o15, 19200: 0o16, 38400: 0o17, 57600: 0o10001, 115_200: 0o10002,
        230_400: 0o10003, 460_800: 0o10004, 500_000: 0o10005, 576_000: 0o10006, 921_600: 0o10007,
        1_000_000: 0o10010, 1_152_000: 0o10011, 1_500_000: 0o10012, 2_000_000: 0o10013, 2_500_000: 0o10014,
        3_000_000: 0o10015, 3_500_000: 0o10016, 4_000_000: 0o10017,
    ]
}
