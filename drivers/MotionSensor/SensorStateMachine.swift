/// What one sensor's output says, and whether it can be believed.
struct SensorStateMachine {
    enum Fault: Equatable {
        /// It is high for longer than anybody moves.
        case stuck
        /// It changes faster than a sensor can.
        case chatters
    }

    enum Report: Equatable {
        case faulty(Fault, at: Duration)
        case recovered(at: Duration)
    }

    /// From when on a high output is stuck.
    private let stuckAfter: Duration
    private var isHigh: Bool
    /// When the output changed last, or when it was first looked at.
    private var since: Duration
    private var fault: Fault?
    private var rises: [Duration] = []
    /// When the level is read again, and how long that was waited for.
    private var check: (at: Duration, after: Duration)?

    /// An HC-SR501 sees nothing for 2.5 s after its output fell: it rises four times in this time at most. More than
    /// twice that is a loose wire, whatever the sensor.
    private static let mostRises = 10
    private static let chatterWindow: Duration = .seconds(10)
    /// How long a sensor that chattered must be quiet to be believed again; a day of chatter is told 48 times at most.
    private static let quietTime: Duration = .seconds(1800)
    private static let firstCheck: Duration = .seconds(1)
    private static let longestCheck: Duration = .seconds(60)

    init(stuckAfter: Duration, isHigh: Bool, at now: Duration) {
        self.stuckAfter = stuckAfter
        self.isHigh = isHigh
        since = now
        if isHigh { check = (now + Self.firstCheck, Self.firstCheck) }
    }

    /// Whether it sees somebody move, as far as it can be believed.
    var isMotion: Bool { isHigh && fault == nil }

    /// When to read the level, if no edge comes before.
    var deadline: Duration? { [check?.at, judgement].compactMap(\.self).min() }

    /// When it is judged anew.
    private var judgement: Duration? {
        switch fault {
        case nil: isHigh ? since + stuckAfter : nil
        case .stuck: nil
        case .chatters: since + Self.quietTime
        }
    }

    /// The output has changed, or reads as this.
    mutating func level(isHigh: Bool, at time: Duration) -> [Report] {
        if let last = check, last.at <= time {
            let wait = min(last.after * 2, Self.longestCheck)
            check = (time + wait, wait)
        }
        var reports = judge(at: time)
        guard isHigh != self.isHigh else { return reports }
        self.isHigh = isHigh
        since = time
        check = isHigh ? (time + Self.firstCheck, Self.firstCheck) : nil
        if !isHigh, fault == .stuck {
            fault = nil
            reports.append(.recovered(at: time))
        }
        guard isHigh else { return reports }
        rises = rises.filter { time - $0 < Self.chatterWindow } + [time]
        if rises.count > Self.mostRises, fault == nil {
            fault = .chatters
            reports.append(.faulty(.chatters, at: time))
        }
        return reports
    }

    private mutating func judge(at time: Duration) -> [Report] {
        guard let due = judgement, due <= time else { return [] }
        if fault == .chatters {
            fault = nil
            return [.recovered(at: due)]
        }
        fault = .stuck
        return [.faulty(.stuck, at: due)]
    }
}
