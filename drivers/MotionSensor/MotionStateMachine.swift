/// What an HC-SR501's output means over time.
///
/// The sensor triggers falsely while it warms up (its data sheet: up to three times in the first minute after
/// power-on), so nothing is reported before `warmUp`. A level that is there at the start is a state, not an
/// event. With its jumper at H the output stays high as long as somebody moves: no falling edge is expected.
struct MotionStateMachine {
    enum Change: Equatable {
        case started(at: Duration)
        case ended(at: Duration, after: Duration)
    }

    private(set) var isMotion = false
    private var began: Duration?
    private var isWarm = false

    /// The warm-up is over, or was before the start; the output reads as this.
    mutating func warmedUp(isHigh: Bool) {
        isWarm = true
        isMotion = isHigh
    }

    /// The output changed.
    mutating func output(isHigh: Bool, at time: Duration) -> Change? {
        guard isWarm, isHigh != isMotion else { return nil }
        isMotion = isHigh
        if isHigh {
            began = time
            return .started(at: time)
        }
        // Motion from before the start has no beginning that anybody saw, and so no end to report.
        guard let began else { return nil }
        self.began = nil
        return .ended(at: time, after: time - began)
    }
}
