import DeviceRuntime

/// What a receiver says of one moment, in several sentences: RMC (place, speed, course, date) and GGA (place, altitude,
/// quality). It sends one of them or both, in any order; which belong together their time tells. GSA, which has no time,
/// says whether the altitude is known.
struct GPSMoment {
    enum Outcome: Equatable {
        case known(GPSPosition)
        /// The receiver says itself that it does not know.
        case unknown
    }

    private var time: String?
    private var minimum: NMEASentence?
    private var fix: NMEASentence?
    private var isTold = true
    /// 1 is no fix, 2 is without altitude.
    private var dimensions = 3

    /// Returns what a moment has come to, when both sentences are there or the next moment begins.
    mutating func add(_ sentence: NMEASentence) -> Outcome? {
        switch sentence.type {
        case "GSA": dimensions = sentence.integer(1) ?? dimensions
        case "RMC": return add(sentence) { $0.minimum = sentence }
        case "GGA": return add(sentence) { $0.fix = sentence }
        default: break
        }
        return nil
    }

    private mutating func add(_ sentence: NMEASentence, _ keep: (inout GPSMoment) -> Void) -> Outcome? {
        var finished: Outcome?
        // A receiver without a fix may not know the time either: then each sentence is a moment of its own.
        if sentence.field(0) != time || time == nil {
            if !isTold { finished = outcome }
            (time, minimum, fix, isTold) = (sentence.field(0), nil, nil, false)
        }
        keep(&self)
        if minimum != nil, fix != nil, !isTold {
            isTold = true
            return outcome
        }
        return finished
    }

    private var outcome: Outcome { position.map { .known($0) } ?? .unknown }

    /// Where it is, if all that it said agrees that it knows.
    private var position: GPSPosition? {
        // RMC: A is valid. Its mode: estimated, manual, simulated and none are no fix (NMEA 0183 version 2.3).
        if let minimum {
            guard minimum.field(1) == "A", !["E", "M", "S", "N"].contains(minimum.field(11) ?? "A") else { return nil }
        }
        // GGA: 0 is no fix; 6, 7 and 8 are estimated, manual and simulated.
        if let fix { guard let quality = fix.integer(5), (1...5).contains(quality) else { return nil } }
        guard dimensions > 1, let (sentence, place) = minimum.map({ ($0, 2) }) ?? fix.map({ ($0, 1) }),
            let latitude = sentence.degrees(place, ("N", "S"), limit: 90),
            let longitude = sentence.degrees(place + 2, ("E", "W"), limit: 180)
        else { return nil }
        var position = GPSPosition(latitude: latitude, longitude: longitude)
        if let fix {
            position.altitude = dimensions == 3 ? fix.number(8) : nil
            position.satellites = fix.integer(6)
            position.dilution = fix.number(7)
        }
        if let minimum {
            // A knot is 1852 m in an hour.
            position.speed = minimum.number(6).map { ($0 * 1852 / 3600 * 100).rounded() / 100 }
            position.course = minimum.number(7)
            position.time = Self.time(minimum)
        }
        return position
    }

    /// Receivers count weeks with ten bits: an old one that was not told of it shows a date that is 1024 weeks too early.
    private static let earliest = WallTime(sinceEpoch: .seconds(1_704_067_200))  // 2024

    /// `hhmmss.sss` and `ddmmyy`. `nil` for what is no date, or too early to be true.
    private static func time(_ sentence: NMEASentence) -> WallTime? {
        guard let clock = sentence.field(0), let date = sentence.field(8), clock.utf8.count >= 6, date.utf8.count == 6
        else { return nil }
        func pairs(_ text: String) -> [Substring] {
            stride(from: 0, to: 6, by: 2).map { text.dropFirst($0).prefix(2) }
        }
        let (hours, days) = (pairs(clock), pairs(date))
        let fraction = (clock.split(separator: ".").dropFirst().first.map(String.init) ?? "") + "000"
        let time = WallTime(
            "20\(days[2])-\(days[1])-\(days[0])T\(hours[0]):\(hours[1]):\(hours[2]).\(fraction.prefix(3))Z")
        return time.flatMap { $0 < earliest ? nil : $0 }
    }
}
