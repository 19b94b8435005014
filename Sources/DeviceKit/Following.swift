import DeviceRuntime

/// What becomes of an event that another device follows.
public enum Passing: Sendable {
    case passOn
    /// It counts as not told: it has become a part of something else, such as a click of a chord.
    case withhold
}

/// Goes on until it is cancelled or nobody holds it any more.
public final class Following: Sendable {
    private let end: OneTimeAction

    public init(_ end: @escaping @Sendable () -> Void) { self.end = OneTimeAction(end) }

    deinit { cancel() }

    /// From the loop, any number of times.
    public func cancel() { end.run() }
}

/// Who follows which device: what a ``DeviceSink`` needs to let devices follow each other.
public final class Followers: Sendable {
    private typealias Handler = @Sendable (Event) -> Passing
    private struct State {
        var handlers: [String: [UInt64: Handler]] = [:]
        var last: UInt64 = 0
    }

    private let state = Protected(State())

    public init() {}

    public func follow(_ device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following {
        let number = state.withLock { state in
            state.last += 1
            state.handlers[device, default: [:]][state.last] = handler
            return state.last
        }
        return Following { [weak self] in self?.state.withLock { _ = $0.handlers[device]?.removeValue(forKey: number) }
        }
    }

    /// Hands an event to all who follow its device, in the order in which they began to; one who withholds it is enough.
    public func pass(_ event: Event) -> Passing {
        let handlers = state.withLock { $0.handlers[event.device] } ?? [:]
        if handlers.isEmpty { return .passOn }
        let answers = handlers.sorted { $0.key < $1.key }.map { $0.value(event) }
        return answers.contains(.withhold) ? .withhold : .passOn
    }
}
