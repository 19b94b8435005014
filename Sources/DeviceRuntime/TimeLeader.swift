/// Leads virtual time along moments that are known beforehand, such as those of a recording.
public protocol TimeLeader: AnyObject, Sendable {
    /// The moment to go to when nothing is ready, not before `now`; `timer` is when the next timer is due, which may have
    /// passed. `nil` leaves it to the timers.
    func next(after now: Duration, timer: Duration?) -> LedMoment?

    /// That moment has come. Called on the loop before the timers that are due, so that what is to happen then comes
    /// before what follows from them.
    func arrive(at now: Duration)
}

/// Where a leader goes to.
public struct LedMoment: Sendable {
    public var time: Duration
    /// Whether timers that are due have their turn then. Otherwise they wait: they were late.
    public var firesTimers: Bool

    public init(time: Duration, firesTimers: Bool) {
        self.time = time
        self.firesTimers = firesTimers
    }
}

/// A moment that lasts while the loop works.
struct TimeStep {
    let time = EventLoop.monotonicNow()

    /// A loop that is never idle must not stop the clock for ever.
    private static let longest: Duration = .seconds(10)

    var isOver: Bool { EventLoop.monotonicNow() - time > Self.longest }
}
