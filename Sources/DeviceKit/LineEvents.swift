import DeviceRuntime
public import Peripherals

extension DigitalInput {
    /// What the line tells, from this call on, as a sequence. It takes the place of the event handler.
    ///
    /// It ends when the line is closed or gets another handler, throws the error of a line that fails, and throws
    /// `CancellationError` at once when the waiting task is cancelled. For one task; who stops iterating and lets go
    /// of the sequence stops watching. A consumer that falls behind by more than ``LineEvents/capacity`` events is
    /// told how many it lost.
    public func events(quietAfter quiet: Duration? = nil) throws -> LineEvents {
        let buffer = LineEventBuffer()
        let end = EndOfEvents(buffer)
        try setEventHandler(quietAfter: quiet) { end.buffer.add($0) }
        return LineEvents(buffer: buffer, subscription: Subscription(input: self, buffer: buffer))
    }
}

/// A line's events as an async sequence: see ``Peripherals/DigitalInput/events(quietAfter:)``.
public struct LineEvents: AsyncSequence, Sendable {
    /// How many events wait for their consumer at most.
    public static let capacity = 1024

    fileprivate let buffer: LineEventBuffer
    fileprivate let subscription: Subscription

    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, subscription: subscription) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let buffer: LineEventBuffer
        fileprivate let subscription: Subscription

        public mutating func next() async throws -> LineEvent? { try await buffer.next() }

        /// Stays where the caller is: no hop between an edge and its consumer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> LineEvent? {
            try await buffer.next(isolation: actor)
        }
    }
}

/// Stops watching when nobody iterates any more.
private final class Subscription: Sendable {
    let input: any DigitalInput
    let buffer: LineEventBuffer

    init(input: any DigitalInput, buffer: LineEventBuffer) {
        self.input = input
        self.buffer = buffer
    }

    deinit {
        // Another handler may have come in the meantime: it stays.
        if !buffer.hasEnded { try? input.setEventHandler(nil) }
    }
}

/// Goes with the handler: when the line lets go of it, the sequence ends.
private final class EndOfEvents: Sendable {
    let buffer: LineEventBuffer
    init(_ buffer: LineEventBuffer) { self.buffer = buffer }
    deinit { buffer.end() }
}

private final class LineEventBuffer: Sendable {
    private typealias Continuation = UnsafeContinuation<LineEvent?, any Error>

    private struct State {
        var events: [LineEvent] = []
        /// Where the next event is.
        var first = 0
        /// The newest that found no place.
        var lost: UInt64 = 0
        var lastLost: EdgeEvent?
        /// The level that the last event in the buffer leads to.
        var level: Level?
        var failure: PeripheralError?
        var hasEnded = false
        var waiter: Continuation?

        mutating func pop() -> Result<LineEvent?, any Error>? {
            if first < events.count {
                defer {
                    first += 1
                    if first == events.count {
                        events.removeAll(keepingCapacity: true)
                        first = 0
                    }
                }
                return .success(events[first])
            }
            if let edge = lastLost {
                defer {
                    lost = 0
                    lastLost = nil
                    level = edge.edge.level
                }
                let missing = level == edge.edge.level ? nil : edge
                return .success(
                    .loss(
                        EdgeLoss(count: lost, timestamp: edge.timestamp, level: edge.edge.level, missingEdge: missing)))
            }
            if let failure {
                self.failure = nil
                hasEnded = true
                return .failure(failure)
            }
            return hasEnded ? .success(nil) : nil
        }
    }

    private let state = Protected(State())

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func add(_ event: LineEvent) {
        let waiter = state.withLock { state -> Continuation? in
            if case .failure(let error) = event {
                state.failure = error
            } else if let waiter = state.waiter {
                state.level = event.edge?.edge.level ?? state.level
                state.waiter = nil
                return waiter
            } else if state.events.count - state.first < LineEvents.capacity, state.lastLost == nil {
                state.level = event.edge?.edge.level ?? state.level
                state.events.append(event)
            } else if let edge = event.edge {
                state.lost += 1
                state.lastLost = edge
            }
            return nil
        }
        if let waiter { return waiter.resume(returning: event) }
        wake()
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wake()
    }

    /// Gives a waiting consumer what there is.
    private func wake() {
        let next = state.withLock { state -> (Continuation, Result<LineEvent?, any Error>)? in
            guard let waiter = state.waiter, let result = state.pop() else { return nil }
            state.waiter = nil
            return (waiter, result)
        }
        next?.0.resume(with: next?.1 ?? .success(nil))
    }

    func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> LineEvent? {
        if let result = state.withLock({ $0.pop() }) { return try result.get() }
        return try await withTaskCancellationHandler {
            // Resumed by whoever takes it out of the state, so once; a checked one costs an allocation for each edge.
            try await withUnsafeThrowingContinuation { (continuation: Continuation) in
                let result = state.withLock { state -> Result<LineEvent?, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let result = state.pop() { return result }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
