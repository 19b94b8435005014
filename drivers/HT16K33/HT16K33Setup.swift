import DeviceKit
import Peripherals

/// A device's options, checked against each other.
struct HT16K33Setup: Sendable {
    struct Keys: Sendable, Hashable {
        let line: String?
        let activeLevel: Level
        /// How often the keys are read: always, or while one is down.
        let interval: Duration?
    }

    let bus: String
    let addresses: [I2CAddress]
    let layout: HT16K33Layout
    let orientation: MatrixFace.Orientation
    let pace: Duration
    let refresh: Duration?
    let keys: Keys?
    let staysLit: Bool

    /// Throws `invalidArgument` for options that do not go together.
    init(_ options: OptionValues) throws {
        bus = try options[Self.bus]
        addresses = try options[Self.address]
        layout = try options[Self.layout]
        orientation = MatrixFace.Orientation(turns: try options[Self.rotate], mirror: try options[Self.mirror])
        pace = try options[Self.pace]
        refresh = try options[Self.refresh]
        staysLit = try options[Self.atStop]
        let line = try options[Self.interrupt]
        let (poll, releases) = (try options[Self.keyPoll], try options[Self.releaseCheck])
        keys =
            line == nil && poll == nil
            ? nil : Keys(line: line, activeLevel: try options[Self.interruptLevel], interval: poll ?? releases)
        try check(orientation, line: line, poll: poll, releases: releases)
    }

    private func check(
        _ orientation: MatrixFace.Orientation, line: String?, poll: Duration?, releases: Duration?
    ) throws {
        switch layout.glass {
        case .digits where orientation != .init():
            throw Self.wrong("'rotate' and 'mirror' are for matrices, and layout \(layout.name) is none")
        case .matrix(let glass) where glass.isBar && orientation.turns % 2 == 1:
            throw Self.wrong("a bar graph has no rows to turn into columns; rotate is 0deg or 180deg")
        default: break
        }
        if line != nil, layout.usesRow15 {
            throw Self.wrong("layout \(layout.name) lights points with ROW15, the pin of the interrupt; use 'key-poll'")
        }
        if line != nil, poll != nil { throw Self.wrong("there is an interrupt: 'key-poll' is for chips without one") }
        if line == nil, releases != nil {
            throw Self.wrong("'release-check' needs an interrupt; 'key-poll' sees releases")
        }
    }

    private static func wrong(_ message: String) -> PeripheralError { PeripheralError(.invalidArgument, message) }

    /// What the pin ROW15/INT is for, where it matters.
    var rowPin: HT16K33Registers.RowPin? {
        guard let keys else { return nil }
        if keys.line == nil { return .row }
        return keys.activeLevel == .low ? .interruptActiveLow : .interruptActiveHigh
    }

    /// What the device needs for itself.
    var claims: [Driver.Claim] {
        addresses.map { Driver.Claim("address", "\(bus) \($0)") }
            + (keys?.line.map { [Driver.Claim("interrupt", $0)] } ?? [])
    }
}
