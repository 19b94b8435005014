public import DeviceRuntime

/// A satellite receiver on a serial port: each second RMC, GGA, GSA and GSV of NMEA 0183, as common modules send them.
public final class GPSModel: Sendable {
    /// Where it is and what it knows.
    public struct Situation: Sendable {
        /// Degrees; north and east are positive.
        public var latitude = 52.516275
        public var longitude = 13.377704
        /// In metres.
        public var altitude = 34.0
        /// In metres per second, and degrees from north.
        public var speed = 0.0
        public var course = 0.0
        public var hasFix = true
        public var satellites = 8
        public var isTalking = true

        public init() {}
    }

    private struct State {
        var situation = Situation()
        var damagedSentences = 0
    }

    private let port: SimulatedSerialPort
    private let loop: EventLoop
    private let state = Protected(State())

    /// What the satellites' clocks show when the board's shows zero: 2026-01-01T00:00:00Z.
    private static let start = WallTime(sinceEpoch: .seconds(1_767_225_600))

    public init(on port: SimulatedSerialPort, loop: EventLoop) {
        self.port = port
        self.loop = loop
        loop.schedule(after: .seconds(1)) { [weak self] in self?.talk() }
    }

    public var situation: Situation {
        get { state.withLock { $0.situation } }
        set { state.withLock { $0.situation = newValue } }
    }

    /// A byte of so many of the sentences that follow is another one when it arrives.
    public func damageSentences(_ count: Int) { state.withLock { $0.damagedSentences = count } }

    private func talk() {
        loop.schedule(after: .seconds(1)) { [weak self] in self?.talk() }
        let now = loop.now
        let (situation, damaged) = state.withLock { state in
            defer { state.damagedSentences = max(state.damagedSentences - 4, 0) }
            return (state.situation, state.damagedSentences)
        }
        guard situation.isTalking else { return }
        let time = WallTime(sinceEpoch: Self.start.sinceEpoch + now)
        for (index, sentence) in Self.sentences(situation, time).enumerated() {
            var bytes = Array(sentence.utf8)
            if index < damaged { bytes[10] ^= 0x02 }
            port.send(bytes)
        }
    }

    // MARK: Sentences

    private static func sentences(_ situation: Situation, _ time: WallTime) -> [String] {
        // 2026-01-01T00:00:00.250Z
        let text = Array(time.description)
        let clock = String(text[11...12] + text[14...15] + text[17...18]) + ".00"
        let date = String(text[8...9] + text[5...6] + text[2...3])
        let place = [
            angle(situation.latitude, digits: 2), situation.latitude < 0 ? "S" : "N",
            angle(situation.longitude, digits: 3), situation.longitude < 0 ? "W" : "E",
        ]
        let known = situation.hasFix ? place : ["", "", "", ""]
        let knots = fixed(situation.speed * 3600 / 1852, places: 3)
        let satellites = situation.hasFix ? situation.satellites : 0
        let inUse = (0..<12).map { $0 < satellites ? padded($0 + 1, to: 2) : "" }
        let dilutions = situation.hasFix ? ["1.80", "0.95", "1.53"] : ["99.99", "99.99", "99.99"]
        return [
            ["GNRMC", clock, situation.hasFix ? "A" : "V"] + known
                + (situation.hasFix ? [knots, fixed(situation.course, places: 2)] : ["", ""])
                + [date, "", "", situation.hasFix ? "A" : "N"],
            ["GNGGA", clock] + known + [situation.hasFix ? "1" : "0", padded(satellites, to: 2), dilutions[1]]
                + (situation.hasFix ? [fixed(situation.altitude, places: 1), "M", "44.6", "M"] : ["", "M", "", "M"])
                + ["", ""],
            ["GNGSA", "A", situation.hasFix ? "3" : "1"] + inUse + dilutions,
            ["GPGSV", "1", "1", padded(situation.satellites, to: 2)],
        ].map(framed)
    }

    private static func framed(_ fields: [String]) -> String {
        let body = fields.joined(separator: ",")
        let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
    }

    /// `dddmm.mmmmm`
    private static func angle(_ degrees: Double, digits: Int) -> String {
        let hundredThousandths = Int((abs(degrees) * 60 * 100_000).rounded())
        let (whole, rest) = hundredThousandths.quotientAndRemainder(dividingBy: 60 * 100_000)
        return padded(whole, to: digits) + padded(rest / 100_000, to: 2) + "." + padded(rest % 100_000, to: 5)
    }

    private static func fixed(_ number: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let value = Int((abs(number) * Double(scale)).rounded())
        return (number < 0 ? "-" : "") + "\(value / scale)." + padded(value % scale, to: places)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
