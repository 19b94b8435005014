/// The loop's pending timers: a binary heap, earliest deadline first, in order of scheduling where equal.
struct TimerQueue {
    struct Entry {
        let deadline: Duration
        let order: UInt64
        let timer: ScheduledTimer

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0

    /// The earliest deadline of a timer that was not cancelled.
    mutating func nextDeadline() -> Duration? {
        while let first = heap.first {
            if first.timer.isPending { return first.deadline }
            removeFirst()
        }
        return nil
    }

    mutating func insert(_ timer: ScheduledTimer, deadline: Duration) {
        order += 1
        heap.append(Entry(deadline: deadline, order: order, timer: timer))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest timer if it is due at `now`.
    mutating func popDue(_ now: Duration) -> ScheduledTimer? {
        guard let deadline = nextDeadline(), deadline <= now else { return nil }
        return removeFirst()
    }

    @discardableResult
    private mutating func removeFirst() -> ScheduledTimer {
        let first = heap[0]
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && heap[child].isBefore(heap[least]) {
                    least = child
                }
                if least == parent { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return first.timer
    }
}

/// A handler that waits for its deadline.
public final class ScheduledTimer: Sendable {
    /// A function that is itself what a lock holds is wrapped anew at each access, and the wrappers stay: a timer that
    /// waits while the loop wakes up again and again would grow with each look at it.
    private struct Handler {
        let run: @Sendable () -> Void
    }

    private let handler: Protected<Handler?>

    init(_ handler: @escaping @Sendable () -> Void) { self.handler = Protected(Handler(run: handler)) }

    var isPending: Bool { handler.withLock { $0 != nil } }

    /// Runs the handler unless it ran or was cancelled before.
    func fire() { take()?.run() }

    /// Makes sure that the handler does not run (again). From any thread, any number of times.
    public func cancel() { _ = take() }

    private func take() -> Handler? {
        handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
    }
}
