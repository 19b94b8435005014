/// From somebody moving to motion and occupancy.
struct PresenceStateMachine {
    enum Happening: Equatable {
        case started(at: Duration)
        case ended(at: Duration, after: Duration)
        case occupied(at: Duration)
        /// `after` is how long it was occupied; `nil` if nobody saw the beginning, or if there was none.
        case vacant(at: Duration, after: Duration?)
    }

    /// How long it must be quiet for a motion to be over.
    private let holdOff: Duration
    /// How long it stays occupied after the last motion.
    private let occupiedFor: Duration?
    private(set) var isMotion: Bool
    private(set) var isOccupied: Bool
    /// When the motion that goes on began, if that was seen.
    private var began: Duration?
    private var quietSince: Duration?
    private var occupiedSince: Duration?
    private var vacancy: Duration?

    /// What is so at the start is a state and no event. Where nobody moves then, occupancy runs out all the same: who
    /// waits to switch a lamp off is not to wait for somebody to come first.
    init(holdOff: Duration, occupiedFor: Duration?, isMotion: Bool, at now: Duration) {
        self.holdOff = holdOff
        self.occupiedFor = occupiedFor
        self.isMotion = isMotion
        isOccupied = isMotion && occupiedFor != nil
        vacancy = isMotion ? nil : occupiedFor.map { now + $0 }
    }

    /// When something ends, if nobody moves before.
    var deadline: Duration? { [end, vacancy].compactMap(\.self).min() }

    private var end: Duration? { quietSince.map { $0 + holdOff } }

    /// Somebody begins to move, or nobody moves any more.
    mutating func change(isMoving: Bool, at time: Duration) -> [Happening] {
        var happenings = advance(to: time)
        guard isMoving != (isMotion && quietSince == nil) else { return happenings }
        guard isMoving else {
            quietSince = time
            vacancy = occupiedFor.map { time + max($0, holdOff) }
            return happenings + advance(to: time)
        }
        vacancy = nil
        quietSince = nil
        if !isMotion {
            isMotion = true
            began = time
            happenings.append(.started(at: time))
        }
        if occupiedFor != nil, !isOccupied {
            isOccupied = true
            occupiedSince = time
            happenings.append(.occupied(at: time))
        }
        return happenings
    }

    /// Nobody moved up to `time`.
    mutating func advance(to time: Duration) -> [Happening] {
        var happenings: [Happening] = []
        if let quiet = quietSince, quiet + holdOff <= time {
            isMotion = false
            quietSince = nil
            // Motion from before the start has no beginning that anybody saw, and so no end to report.
            if let began { happenings.append(.ended(at: quiet, after: quiet - began)) }
            began = nil
        }
        if let due = vacancy, due <= time {
            vacancy = nil
            isOccupied = false
            happenings.append(.vacant(at: due, after: occupiedSince.map { due - $0 }))
            occupiedSince = nil
        }
        return happenings
    }
}
