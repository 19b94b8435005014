public import DeviceRuntime

/// The records that are on their way to storage, kept on disk until every backend has them.
///
/// A service: captures are taken from the start, and written while it runs. When it is stopped it writes what
/// waits, so it comes before everything that captures.
///
/// An actor of the loop; its disk has a thread of its own.
public actor Outbox: Service {
    public nonisolated let name = "outbox"
    public nonisolated let directory: String
    let loop: EventLoop
    nonisolated let wallClock: WallClock
    nonisolated var settings: OutboxSettings { description.settings }
    let thread: BlockingThread
    nonisolated let description: OutboxStorage.Description
    /// `nil` while the disk is so full or broken that the outbox cannot even be opened.
    var storage: OutboxStorage?
    let logger: Logger
    private let payloadPrefix: String
    private var payloadCount = 0

    /// What is to be written, in order.
    var batch = OutboxStorage.Batch()
    var schedule: CommitSchedule
    var waiting = WaitingCaptures()
    /// Wakes the service when there is something new.
    var wake = Waiter()
    var isEnded = false
    var isWriting = false
    var isClockKnown = false
    private var wasClockWrong = false
    var syncWaiters: [SyncWaiter] = []
    var observers: [@Sendable (OutboxEvent) -> Void] = []
    /// How many captures are written at once, at most.
    var portion = Outbox.portions.upperBound
    /// Writes that took very long.
    var slowness = OutageLog()
    /// Why the disk takes nothing at present.
    var failure: String?
    /// When it is tried again; `nil` while it takes what it is given.
    var nextTry: Duration?
    /// Times in which it took nothing.
    var outages = OutageLog()
    var droppedCount = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the outbox in `directory`, which is made if it is missing. Blocks for as long as that takes.
    ///
    /// `device` is the board's name, with which its objects' names begin; `backends` are the names of those
    /// that each record is for. `identity` and `boot` are given where runs have to be repeatable; otherwise
    /// they are random and the kernel's.
    ///
    /// Throws ``OutboxError`` when the directory is in use, or not for this user. Never because of what is in it, and
    /// not because the disk is full or read-only: captures then wait in memory until it is not.
    public init(
        directory: String, device: String, backends: [String], settings: OutboxSettings = OutboxSettings(),
        loop: EventLoop, wallClock: WallClock, logger: Logger, identity: String? = nil, boot: String? = nil
    ) throws {
        self.directory = directory
        self.loop = loop
        self.wallClock = wallClock
        self.logger = logger
        description = OutboxStorage.Description(
            directory: directory, device: device, backends: backends, settings: settings, identity: identity,
            boot: boot ?? Self.kernelBootID())
        schedule = CommitSchedule(settings.grouping)
        // Never used before: not in this boot, nor in another.
        payloadPrefix = "\(directory)/incoming/\(OutboxStorage.randomIdentity())-"
        do {
            storage = try OutboxStorage(description, logger: logger)
            isClockKnown = storage?.isClockKnown == true
        } catch let error as OutboxError where error.isPassing {
            failure = error.message
            _ = outages.fail(now: loop.now)
            logger.error("the outbox cannot be opened; captures wait in memory", ["error": error.description])
        }
        do {
            thread = try BlockingThread(named: "outbox", loop: loop)
        } catch {
            throw OutboxError("cannot start the outbox's thread: \(error)", advice: "the system is out of resources")
        }
    }

    static func kernelBootID() -> String {
        let text = try? String(decoding: Files.read("/proc/sys/kernel/random/boot_id"), as: UTF8.self)
        return text?.split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    // MARK: Captures

    /// A path for a file that is to become a payload: on the outbox's file system, never used before. A file
    /// that is left there is removed at the next start. On the loop.
    public nonisolated func makePayloadPath() -> String {
        assumeIsolated { outbox in
            outbox.payloadCount += 1
            return "\(outbox.payloadPrefix)\(outbox.payloadCount)"
        }
    }

    /// Takes a capture that is to be stored. It is written with all others that wait, in order. On the loop.
    /// Without any backend it is discarded.
    ///
    /// While the disk takes nothing, captures wait in memory and then, when 10,000 do, are dropped, counted
    /// and reported.
    public nonisolated func enqueue(_ capture: Capture) { assumeIsolated { $0.add(capture, whenDone: nil) } }

    /// Takes a capture and returns when it is on the disk. Throws ``OutboxError`` when it was dropped.
    public func accept(_ capture: Capture) async throws -> RecordID {
        try await withCheckedThrowingContinuation { continuation in
            add(capture) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        }
    }

    private func add(_ capture: Capture, whenDone: (@Sendable (Result<RecordID, OutboxError>) -> Void)?) {
        guard !description.backends.isEmpty else {
            // Nobody would ever take it off the disk again.
            discard(capture)
            whenDone?(.failure(OutboxError("no backend takes captures", advice: "name one under storage")))
            return
        }
        let now = loop.now
        let isClockRight = checkClock(now)
        guard !isEnded, waiting.add(capture) || capture.recordClass == .alert && displace() && waiting.add(capture)
        else {
            drop(capture)
            whenDone?(.failure(OutboxError("the outbox in \(directory) takes no captures", advice: failure)))
            return
        }
        batch.insertions.append(
            Insertion(
                capture: capture, monotonic: capture.timestamp.nanoseconds,
                time: wallClock.now - (now - capture.timestamp), isClockRight: isClockRight, whenDone: whenDone))
        schedule.add(capture.recordClass, now: now)
        wake.finish()
    }

    /// Drops the oldest capture that is no alert, and returns whether there was one.
    private func displace() -> Bool {
        guard let index = batch.insertions.firstIndex(where: { $0.capture.recordClass != .alert }) else { return false }
        let insertion = batch.insertions.remove(at: index)
        waiting.remove([insertion])
        drop(insertion.capture)
        insertion.whenDone?(.failure(OutboxError("the outbox in \(directory) takes no captures", advice: failure)))
        return true
    }

    private func drop(_ capture: Capture) {
        droppedCount += 1
        batch.drops[Drop(recordClass: capture.recordClass, reason: .memory), default: 0] += 1
        // Once at 1, 10, 100 …
        if isPowerOfTen(droppedCount) {
            logger.error("a capture was dropped: the outbox takes none", ["dropped so far": "\(droppedCount)"])
        }
        discard(capture)
    }

    private func discard(_ capture: Capture) {
        guard let payload = capture.payload else { return }
        batch.garbage.append(payload.path)
        schedule.hurry()
        wake.finish()
    }

    /// Whether there may be records whose time is not known.
    var isClockWanted: Bool { wasClockWrong || storage?.isClockWanted == true }

    func clockWasSet() { checkClock(loop.now) }

    /// Whether the clock is right. The first time that it is, the outbox learns what the times before it were.
    @discardableResult
    private func checkClock(_ now: Duration) -> Bool {
        if isClockKnown { return true }
        guard wallClock.isRight else {
            wasClockWrong = true
            return false
        }
        isClockKnown = true
        batch.clockOffset = (wallClock.now.sinceEpoch - now).nanoseconds
        if isClockWanted {
            schedule.hurry()
            wake.finish()
        }
        return true
    }

    // MARK: Deliveries

    /// Calls `handler` on the loop when there is something new for an uploader.
    func observe(_ handler: @escaping @Sendable (OutboxEvent) -> Void) { observers.append(handler) }

    func plan(
        for backend: String, _ source: UploadSource, after sequence: Int64, limit: Int, isEstimating: Bool
    ) async throws -> UploadPlan {
        checkClock(loop.now)
        // What is noted must be in the file before it is looked up there.
        if source != .records, !batch.settlements.isEmpty { try await sync(.notes) }
        let storage = try opened()
        return try await thread.run {
            try storage.plan(for: backend, source, after: sequence, limit: limit, isEstimating: isEstimating)
        }
    }

    func load(_ sequences: [Int64], _ share: Record.Share, ahead: Int64 = 0) async throws -> [LoadedRecord] {
        let storage = try opened()
        return try await thread.run { try storage.load(sequences, share, ahead: ahead) }
    }

    func opened() throws -> OutboxStorage {
        guard let storage else { throw OutboxError("the outbox in \(directory) is not open", advice: failure) }
        return storage
    }

    /// Notes what has come of tries; written with whatever else waits, a little later.
    func settle(_ settlement: Settlement) {
        batch.add(settlement)
        schedule.addSettlement(now: loop.now)
        wake.finish()
    }

    /// Writes what waits, and returns once what `extent` says is done. Throws `CancellationError`.
    func sync(_ extent: SyncWaiter.Extent = .everything) async throws {
        guard !isEnded, hasWork || isWriting, extent == .notes || failure == nil else { return }
        let waiter = SyncWaiter(extent: extent)
        syncWaiters.append(waiter)
        schedule.hurry()
        wake.finish()
        try await waiter.waiter.wait()
    }
}

/// Somebody who waits until something is written.
struct SyncWaiter: Sendable {
    enum Extent: Sendable {
        /// What has come of deliveries: however long the disk takes nothing, but not for captures, of which many may wait.
        case notes
        /// Captures, too, unless the disk takes none: a person is not kept waiting for that to end.
        case everything
    }

    let waiter = Waiter()
    let extent: Extent

    func finish() { waiter.finish() }
}

/// What uploaders want to hear of.
enum OutboxEvent: Sendable {
    case recordsArrived
    /// The clock has become right: records that waited for that have their times.
    case clockLearned
    /// Somebody does not want to wait, or has changed what is noted.
    case hurry
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
    }
}
