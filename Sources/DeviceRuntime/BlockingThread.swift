internal import CLinux
internal import Glibc

/// A thread for work that may block: a slow bus, a disk's flush, an upload. Work runs one piece at a time, in
/// the order in which it was given.
///
/// On a loop with virtual time the work runs on the loop itself: it then takes no time and always has the same
/// place in the order of events.
public final class BlockingThread: Sendable {
    private let loop: EventLoop
    private let queue = BlockingQueue()

    /// The thread starts with the first piece of work and ends with the last reference.
    public init(named name: String, loop: EventLoop) throws {
        self.loop = loop
        guard loop.time == .real else { return }
        let queue = queue
        try startThread(named: name) {
            while let work = queue.next() { work() }
        }
    }

    deinit { queue.close() }

    /// Runs `work` on the thread and returns what it returned. Work that has begun is finished even when the
    /// waiting task is cancelled; who wants to cut it short gives it a way to notice.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard loop.time == .real else { return try work() }
        return try await withCheckedThrowingContinuation { continuation in
            queue.add { continuation.resume(with: Result { try work() }) }
        }
    }

    /// As ``run(_:)``, for work that cannot be cut short: when the waiting task is cancelled this throws
    /// `CancellationError` at once, and the work comes to its end unheard.
    public func runAbandonable<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard loop.time == .real else { return try work() }
        let waiter = Waiter()
        let result = Protected<Result<Value, any Error>?>(nil)
        queue.add {
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
            waiter.finish()
        }
        try await waiter.wait()
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}

/// A queue whose reader sleeps while it is empty. Unchecked: every access holds the lock.
private final class BlockingQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: [@Sendable () -> Void] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(filled, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(filled)
        mutex.deallocate()
        filled.deallocate()
    }

    func add(_ piece: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        work.append(piece)
        pthread_mutex_unlock(mutex)
        // After the lock: the reader would wake up only to wait for it.
        pthread_cond_signal(filled)
    }

    /// What was added before is still handed out.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    /// The next piece; `nil` once closed and empty.
    func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while work.isEmpty && !isClosed { pthread_cond_wait(filled, mutex) }
        return work.isEmpty ? nil : work.removeFirst()
    }
}
