import Peripherals

/// How a servo gets from one angle to another.
enum Easing: String, CaseIterable {
    /// At one speed all the way.
    case linear
    /// Slowly at both ends.
    case smooth

    /// How much of the way is behind it after that part of the time.
    func progress(_ part: Double) -> Double {
        switch self {
        case .linear: part
        case .smooth: part * part * (3 - 2 * part)
        }
    }

    /// The highest speed on the way, as a multiple of the average.
    var peak: Double { self == .linear ? 1 : 1.5 }
}

/// Where a servo is to be at which time: legs, one after the other.
struct ServoPath: Equatable {
    /// A jump begins where it ends: it is sent there at once, and needs the time to arrive.
    struct Leg: Equatable {
        let from: Angle
        let to: Angle
        let duration: Duration
    }

    /// What a slow servo needs at 4.8 V: 0.2 s for 60 degrees. A jump is taken to be over then.
    private static let travelSpeed = 300.0
    /// How far it may be where nobody knows where it stands.
    private static let longestWay = 180.0

    private let easing: Easing
    /// No leg is faster at any moment.
    private let speed: AngularSpeed?
    /// Where it ends so far; `nil` if nobody knows where the servo stands.
    private(set) var end: Angle?
    private(set) var duration: Duration = .zero
    private var legs: [Leg] = []

    init(from start: Angle?, easing: Easing = .linear, speed: AngularSpeed? = nil) {
        end = start
        self.easing = easing
        self.speed = speed
    }

    /// Goes on to an angle within that time, or as soon as the speed allows. With neither, and where nobody knows where
    /// it stands, it jumps.
    mutating func move(to target: Angle, over time: Duration = .zero) {
        let way = end.map { abs(target.degrees - $0.degrees) } ?? Self.longestWay
        let least = speed.map { .seconds(way / $0.degreesPerSecond * easing.peak) } ?? Duration.zero
        if let end, max(time, least) > .zero {
            append(Leg(from: end, to: target, duration: max(time, least)))
        } else {
            append(Leg(from: target, to: target, duration: .seconds(way / Self.travelSpeed)))
        }
    }

    mutating func wait(_ time: Duration) {
        if let end { append(Leg(from: end, to: end, duration: time)) }
    }

    private mutating func append(_ leg: Leg) {
        legs.append(leg)
        end = leg.to
        duration += leg.duration
    }

    /// Where it is to be that long after its start.
    func angle(at elapsed: Duration) -> Angle? {
        guard elapsed < duration, let (leg, since) = leg(at: elapsed) else { return end }
        let part = easing.progress(max(since / leg.duration, 0))
        return .degrees(leg.from.degrees + (leg.to.degrees - leg.from.degrees) * part)
    }

    /// When it is to move again, if it waits then.
    func waitsUntil(_ elapsed: Duration) -> Duration? {
        guard elapsed < duration, let (leg, since) = leg(at: elapsed), leg.from == leg.to else { return nil }
        return elapsed - since + leg.duration
    }

    private func leg(at elapsed: Duration) -> (Leg, since: Duration)? {
        var rest = elapsed
        for leg in legs {
            if rest < leg.duration { return (leg, rest) }
            rest -= leg.duration
        }
        return nil
    }
}
