import DeviceRuntime

/// What a receiver's sentences mean over time: where it is, whether it knows, and whether it talks at all.
struct GPSStateMachine {
    enum Change: Equatable {
        case position(GPSPosition)
        /// It knows where it is, after that time.
        case fixed(after: Duration)
        /// For as long as was to be waited it has not known where it is; it hears so many satellites.
        case noFix(satellites: Int)
        /// Nothing that could be understood came for ``silence``; so many lines that could not.
        case silent(damagedLines: Int)
        /// So many lines could not be understood since the last time.
        case damaged(lines: Int)
    }

    /// Receivers talk every second.
    static let silence: Duration = .seconds(10)
    /// Damage is told at most so often.
    static let damageInterval: Duration = .seconds(60)

    private let patience: Duration
    private var moment = GPSMoment()
    private var views: [String: Int] = [:]

    private(set) var hasFix = false
    private(set) var isSilent = false
    private var lostSince: Duration
    private var hasToldNoFix = false
    private var heardAt: Duration
    private var hasHeard = false
    private var damaged = 0
    private var damagedInSilence = 0
    private var toldDamageAt: Duration?

    /// `patience` is how long it may not know where it is before that is told.
    init(patience: Duration, at now: Duration) {
        self.patience = patience
        lostSince = now
        heardAt = now
    }

    /// When ``advance(to:)`` is to be called, if nothing comes before.
    var deadline: Duration? {
        [
            isSilent ? nil : heardAt + Self.silence, hasFix || hasToldNoFix ? nil : lostSince + patience,
            damaged > 0 ? (toldDamageAt.map { $0 + Self.damageInterval } ?? .zero) : nil,
        ].compactMap { $0 }.min()
    }

    /// A line came in; `nil` stands for one that was damaged on its way.
    mutating func handle(_ line: [UInt8]?, at now: Duration) -> [Change] {
        // Some send empty ones in between.
        if let line, line.allSatisfy({ $0 <= 0x20 }) { return advance(to: now) }
        defer { hasHeard = true }
        guard let line, let sentence = NMEASentence(line) else {
            // The first one began before the port was opened.
            if hasHeard {
                damaged += 1
                damagedInSilence += 1
            }
            return advance(to: now)
        }
        (heardAt, isSilent, damagedInSilence) = (now, false, 0)
        if sentence.type == "GSV" { views[sentence.talker] = sentence.integer(2) }
        return take(moment.add(sentence), at: now) + advance(to: now)
    }

    /// Takes what the receiver says of one moment.
    private mutating func take(_ outcome: GPSMoment.Outcome?, at now: Duration) -> [Change] {
        switch outcome {
        case .known(let position):
            defer { hasFix = true }
            return (hasFix ? [] : [.fixed(after: now - lostSince)]) + [.position(position)]
        case .unknown: loseFix(at: now)
        case nil: break
        }
        return []
    }

    private mutating func loseFix(at now: Duration) {
        if hasFix { (hasFix, lostSince, hasToldNoFix) = (false, now, false) }
    }

    /// The time is now.
    mutating func advance(to now: Duration) -> [Change] {
        var changes: [Change] = []
        if damaged > 0, toldDamageAt.map({ now >= $0 + Self.damageInterval }) ?? true {
            changes.append(.damaged(lines: damaged))
            (damaged, toldDamageAt) = (0, now)
        }
        if !isSilent, now >= heardAt + Self.silence {
            isSilent = true
            loseFix(at: now)
            changes.append(.silent(damagedLines: damagedInSilence))
        }
        if !hasFix, !hasToldNoFix, now >= lostSince + patience {
            hasToldNoFix = true
            changes.append(.noFix(satellites: views.values.reduce(0, +)))
        }
        return changes
    }
}
