import DeviceKit

/// What a servo's pulses are to be, over time.
protocol ServoStateMachine: Sendable {
    mutating func perform(_ command: Command, at now: Duration) throws

    /// Goes on from where it was: a run begins.
    mutating func resume(at now: Duration)

    /// The device is to stop: what is left to be done before the pulses end.
    mutating func park(at now: Duration)

    /// What is to be so now.
    mutating func step(at now: Duration) -> ServoStep
}

struct ServoStep: Equatable {
    /// When to take the next step, if no command comes before.
    enum Next: Equatable {
        case never
        case nextPeriod
        case at(Duration)
    }

    /// `nil` for no pulses.
    var pulse: Duration?
    var next = Next.never
    var states: [String: Bool] = [:]
    var events: [ServoEvent] = []
}

struct ServoEvent: Equatable {
    let name: String
    var fields: [Event.Field] = []
}
