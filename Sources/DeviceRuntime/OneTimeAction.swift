/// Something that is done once at most, by whoever comes first, from any thread.
public final class OneTimeAction: Sendable {
    // A struct, and not the closure itself behind the lock: in a generic place a closure is wrapped anew at each access,
    // so one that is only looked at grows until its release overflows the stack.
    private struct State {
        var action: (@Sendable () -> Void)?
    }

    private let state: Protected<State>

    public init(_ action: @escaping @Sendable () -> Void) { state = Protected(State(action: action)) }

    public var isPending: Bool { state.withLock { $0.action != nil } }

    /// Does it, unless it was done or cancelled before.
    public func run() { take()?() }

    /// Makes sure that it is not done any more.
    public func cancel() { _ = take() }

    private func take() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.action = nil }
            return state.action
        }
    }
}
