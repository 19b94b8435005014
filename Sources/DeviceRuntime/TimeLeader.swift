/// Leads virtual time along moments that are known beforehand, such as those of a recording.
public protocol TimeLeader: AnyObject, Sendable {
    /// The moment to go to when nothing is ready, `timer` being when the next timer is due: not before `now`, and not
    /// past the timer further than the timer may be late. `nil` leaves it to the timers.
    func next(after now: Duration, timer: Duration?) -> Duration?

    /// That moment has come. Called on the loop before the timers that are due, so that what is to happen then comes
    /// before what follows from them.
    func arrive(at now: Duration)
}

/// A moment that lasts while the loop works.
struct TimeStep {
    let time = EventLoop.monotonicNow()

    /// A loop that is never idle must not stop the clock.
    private static let longest: Duration = .milliseconds(5)

    var isOver: Bool { EventLoop.monotonicNow() - time > Self.longest }
}
