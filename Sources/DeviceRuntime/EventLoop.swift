internal import CLinux
internal import Glibc

/// One thread that runs everything: tasks, actors, timers, file descriptors.
///
/// A task started with `Task(executorPreference: loop)` and all that is structured below it runs here, and so
/// does an actor that names the loop as its executor. Idle means asleep in one `epoll_wait`.
///
/// With ``Time/virtual`` the loop never waits: when nothing is ready, time jumps to the next timer. The same
/// jobs then run in the same order every time, however busy the machine is.
///
/// Unchecked: what is marked as the loop's own is touched on its thread only; `inbox` has a lock.
public final class EventLoop: TaskExecutor, SerialExecutor, MonotonicClock, @unchecked Sendable {
    public enum Time: Sendable {
        case real
        case virtual
    }

    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    public let time: Time
    private let noteTimers: (@Sendable (Duration) -> Void)?

    private struct Inbox {
        var work: [Work] = []
        var thread: pthread_t?
        /// The loop is, or is about to be, asleep: whoever adds work has to wake it.
        var needsWaking = false
    }

    private let inbox = Protected(Inbox())

    // The loop's own.
    private var ready: [Work] = []
    private var timers = TimerQueue()
    private var virtualNow: Duration = .zero
    private var leader: (any TimeLeader)?
    private var leaderFiresTimers = true
    private var step: TimeStep?
    private var isStopped = false
    private var stall: (@Sendable () -> Void)?
    private let turnsTaken = Protected(DurationHistogram())
    let poller: Poller

    /// With `noteTimers`, real time goes in steps: while there is something to do it stands still, so that all that
    /// follows from a wake-up has one time, as in virtual time; it moves on when all of that is done.
    /// `noteTimers` is told the time of each step at which a timer was due. What is noted so can be played again
    /// exactly: see ``follow(_:)``.
    ///
    /// Throws ``SystemError`` when the process is out of file descriptors.
    public init(time: Time = .real, noteTimers: (@Sendable (Duration) -> Void)? = nil) throws {
        self.time = time
        self.noteTimers = noteTimers
        poller = try Poller()
    }

    /// How long the loop was busy each time something had woken it: as long as what happened meanwhile had to wait.
    /// In real time only; from any thread.
    public var turns: DurationHistogram { turnsTaken.withLock { $0 } }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `closure` on the loop, after what is queued already. From any thread.
    public func execute(_ closure: @escaping @Sendable () -> Void) { add(.closure(closure)) }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Lets an actor of this loop be entered from a handler that the loop calls (`assumeIsolated`).
    public func checkIsolated() { precondition(isCurrent, "not on the event loop's thread") }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool {
        inbox.withLock { inbox in inbox.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private func add(_ work: Work) {
        let wake = inbox.withLock { inbox in
            inbox.work.append(work)
            defer { inbox.needsWaking = false }
            // A handler that the loop calls adds to a loop that is awake, which looks here before it sleeps.
            return inbox.needsWaking && inbox.thread.map { pthread_equal($0, pthread_self()) == 0 } ?? true
        }
        if wake { poller.wake() }
    }

    // MARK: Clock

    public var now: Duration {
        if time == .virtual { return virtualNow }
        guard noteTimers != nil, isCurrent else { return Self.monotonicNow() }
        let now = step.flatMap { $0.isOver ? nil : $0 } ?? TimeStep()
        step = now
        return now.time
    }

    /// Virtual time then goes from moment to moment as `leader` says, for as long as it knows any. On the loop's thread.
    public func follow(_ leader: (any TimeLeader)?) {
        checkIsolated()
        self.leader = leader
        leaderFiresTimers = true
    }

    @discardableResult
    public func schedule(at deadline: Duration, _ handler: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let timer = ScheduledTimer(handler)
        if isCurrent {
            timers.insert(timer, deadline: deadline)
        } else {
            execute { self.timers.insert(timer, deadline: deadline) }
        }
        return timer
    }

    /// `CLOCK_MONOTONIC`, the clock that the kernel stamps GPIO edges with.
    public static func monotonicNow() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: Running

    /// Runs `body` and all that it starts on the calling thread, and returns what it returned.
    ///
    /// In virtual time a body that waits for something that can no longer happen, or has not within ten years, is
    /// cancelled; if it still waits then, ``EventLoopStalled`` is thrown.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try start(body)()
    }

    /// Starts `body` as a task with the caller's task-local values, and returns what runs the loop until it has
    /// ended, on the thread that is to be the loop's.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () throws -> Value {
        let outcome = Protected<Result<Value, any Error>?>(nil)
        let task = Task(executorPreference: self) {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            self.execute { self.isStopped = true }
        }
        return {
            self.stall = { task.cancel() }
            defer { self.stall = nil }
            try self.runUntilStopped()
            guard let result = outcome.withLock({ $0 }) else { throw EventLoopStalled() }
            return try result.get()
        }
    }

    private func runUntilStopped() throws {
        isStopped = false
        inbox.withLock { $0.thread = pthread_self() }
        defer { inbox.withLock { $0.thread = nil } }
        while !isStopped {
            runReady()
            fireDueTimers()
            if isStopped { return }
            guard hasNothingReady() else {
                try lookAround()
                continue
            }
            try waitForWork()
        }
    }

    /// Where virtual time ends: what still waits for a timer then is retrying for ever.
    private static let horizon: Duration = .seconds(10 * 365 * 86400)

    /// Sleeps until a descriptor, a timer or another thread has something to do; in virtual time jumps instead.
    private func waitForWork() throws {
        let deadline = timers.nextDeadline()
        guard time == .virtual else {
            step = nil
            if let start = poller.lastWaking {
                let duration = Self.monotonicNow() - start
                turnsTaken.withLock { $0.add(duration) }
            }
            return try poller.poll(.until(deadline))
        }
        try lookAround()
        guard hasNothingReady() else { return }
        if let leader, let next = leader.next(after: virtualNow, timer: deadline), next.time <= Self.horizon {
            virtualNow = max(virtualNow, next.time)
            leaderFiresTimers = next.firesTimers
            leader.arrive(at: virtualNow)
        } else if let deadline, deadline <= Self.horizon {
            leaderFiresTimers = true
            virtualNow = max(virtualNow, deadline.wholeNanoseconds)
        } else if let stall {
            self.stall = nil
            stall()
        } else {
            isStopped = true
        }
    }

    /// Calls who watches a descriptor that is ready now. A simulated day in which nobody watches any makes no calls of
    /// the kernel for it.
    private func lookAround() throws {
        if time == .real || poller.isWatching { try poller.poll(.none) }
    }

    private func hasNothingReady() -> Bool {
        inbox.withLock { inbox in
            inbox.needsWaking = inbox.work.isEmpty
            return inbox.work.isEmpty
        }
    }

    /// How often work that work has added is run before timers and descriptors have their turn again.
    private static let mostRounds = 16

    /// Runs what is queued, and what that queues: a task that resumes another costs no call of the kernel.
    private func runReady() {
        for _ in 0..<Self.mostRounds where !isStopped {
            inbox.withLock { inbox in
                inbox.needsWaking = false
                swap(&inbox.work, &ready)
            }
            if ready.isEmpty { return }
            for work in ready { run(work) }
            ready.removeAll(keepingCapacity: true)
        }
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job):
            // Not as the serial executor as well: every call of a nonisolated async function would then be a job of
            // its own. An actor of this loop is recognised by `checkIsolated` all the same.
            job.runSynchronously(on: asUnownedTaskExecutor())
        case .closure(let closure):
            closure()
        }
    }

    private func fireDueTimers() {
        guard timers.nextDeadline() != nil, leaderFiresTimers else { return }
        let now = now
        guard let first = timers.popDue(now) else { return }
        noteTimers?(now)
        first.fire()
        while let timer = timers.popDue(now) { timer.fire() }
    }
}

extension Duration {
    /// Rounded up, as far as the kernel's clock goes.
    fileprivate var wholeNanoseconds: Duration {
        let rest = components.attoseconds % 1_000_000_000
        return rest > 0 ? self + Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000 - rest) : self
    }
}

/// In virtual time: the body waits, and no timer is pending that could wake it within ten years.
public struct EventLoopStalled: Error, CustomStringConvertible {
    public var description: String { "everything waits, and no timer can wake it: the program can never go on" }
}
