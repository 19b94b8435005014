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
    private let thread: BlockingThread
    let storage: OutboxStorage
    private let wallClock: WallClock
    private let boot: String
    private let logger: Logger
    private let payloadPrefix: String
    private var payloadCount = 0

    /// What is to be written, in order.
    private var batch = OutboxStorage.Batch()
    /// Wakes the service when there is something to write.
    private var wake = Waiter()
    private var isEnded = false
    /// How many settlements are being written, and how many ever were.
    private var inFlight = 0
    private var settledCount = 0
    private var settlementWaiters: [(count: Int, waiter: Waiter)] = []
    private var recordWaiters: [Waiter] = []
    private var lastSequence: Int64
    /// Why the disk takes nothing at present.
    private var failure: String?
    private(set) var droppedCount = 0

    /// How many captures may wait in memory while the disk takes none. An event is a few hundred bytes, so
    /// this is a few megabytes.
    static let capacity = 10_000
    /// The first and the longest pause between tries to write.
    private static let retry = Duration.seconds(1)...(.seconds(60))

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the outbox in `directory`, which is made if it is missing. Blocks for as long as that takes.
    ///
    /// `device` is the board's name, with which its objects' names begin; `backends` are the names of those
    /// that each record is for. `identity` and `boot` are given where runs have to be repeatable; otherwise
    /// they are random and the kernel's.
    ///
    /// Throws ``OutboxError`` when the directory cannot be written or is in use. Never because of what is in it.
    public init(
        directory: String, device: String, backends: [String], loop: EventLoop, wallClock: WallClock, logger: Logger,
        identity: String? = nil, boot: String? = nil
    ) throws {
        self.directory = directory
        self.loop = loop
        self.wallClock = wallClock
        self.logger = logger
        self.boot = boot ?? Self.kernelBootID()
        storage = try OutboxStorage(
            directory: directory, device: device, backends: backends, identity: identity, logger: logger)
        lastSequence = storage.lastSequence
        payloadPrefix = "\(storage.spool.incoming)/\(storage.run)-"
        do {
            thread = try BlockingThread(named: "outbox", loop: loop)
        } catch {
            throw OutboxError("cannot start the outbox's thread: \(error)", advice: "the system is out of resources")
        }
    }

    private static func kernelBootID() -> String {
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
        guard !storage.backends.isEmpty else {
            // Nobody would ever take it off the disk again.
            discard(capture)
            whenDone?(.failure(OutboxError("no backend takes captures", advice: "name one under storage")))
            return
        }
        guard !isEnded, batch.insertions.count < Self.capacity else {
            droppedCount += 1
            // Once at 1, 10, 100 …
            if isPowerOfTen(droppedCount) {
                logger.error("a capture was dropped: the outbox takes none", ["dropped so far": "\(droppedCount)"])
            }
            discard(capture)
            whenDone?(.failure(OutboxError("the outbox in \(directory) takes no captures", advice: failure)))
            return
        }
        let time = wallClock.now - (loop.now - capture.timestamp)
        batch.insertions.append(
            Insertion(
                capture: capture, monotonic: capture.timestamp.nanoseconds, boot: boot, time: time.description,
                whenDone: whenDone))
        wake.finish()
    }

    private func discard(_ capture: Capture) {
        guard let payload = capture.payload else { return }
        batch.garbage.append(payload.path)
        wake.finish()
    }

    // MARK: Deliveries

    func pending(for backend: String, after sequence: Int64) async throws -> PendingRecords {
        let storage = storage
        return try await thread.run { try storage.pending(for: backend, after: sequence) }
    }

    /// Returns when there is a record that is newer. Throws `CancellationError`.
    func waitForRecord(after sequence: Int64) async throws {
        guard lastSequence <= sequence else { return }
        let waiter = Waiter()
        recordWaiters.append(waiter)
        try await waiter.wait()
    }

    /// Notes what came of an attempt; written with whatever else waits.
    func settle(_ record: RecordID, backend: String, _ outcome: Settlement.Outcome) {
        batch.settlements.append(Settlement(sequence: record.sequence, backend: backend, outcome: outcome))
        wake.finish()
    }

    /// Waits until what was noted so far is written. Throws `CancellationError`.
    func settled() async throws {
        let waiter = Waiter()
        settlementWaiters.append((count: settledCount + inFlight + batch.settlements.count, waiter: waiter))
        resumeSettlementWaiters()
        try await waiter.wait()
    }

    private func resumeSettlementWaiters() {
        settlementWaiters.removeAll { entry in
            guard isEnded || entry.count <= settledCount else { return false }
            entry.waiter.finish()
            return true
        }
    }

    // MARK: Service

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        var pause = Self.retry.lowerBound
        while !Task.isCancelled {
            if !hasWork {
                wake = Waiter()
                try? await wake.wait()
            } else if await write() {
                pause = Self.retry.lowerBound
            } else {
                try? await loop.sleep(for: pause)
                pause = min(pause * 2, Self.retry.upperBound)
            }
        }
        await end()
    }

    private var hasWork: Bool {
        !batch.insertions.isEmpty || !batch.settlements.isEmpty || !batch.garbage.isEmpty
    }

    /// Writes what waits, in one transaction: whoever comes while it runs shares the next one.
    private func write() async -> Bool {
        let taken = batch
        batch = OutboxStorage.Batch()
        inFlight = taken.settlements.count
        let storage = storage
        let result = try? await thread.run {
            var batch = taken
            let outcome = storage.write(&batch)
            return (batch, outcome)
        }
        inFlight = 0
        guard let (written, outcome) = result else { return false }
        finish(written, outcome)
        return outcome.error == nil
    }

    private func finish(_ written: OutboxStorage.Batch, _ outcome: OutboxStorage.Outcome) {
        if outcome.isSettled {
            settledCount += written.settlements.count
            resumeSettlementWaiters()
        } else {
            batch.settlements = written.settlements + batch.settlements
        }
        if let error = outcome.error {
            if failure == nil {
                logger.error(
                    "the outbox cannot write; captures wait in memory",
                    ["directory": directory, "error": error])
            }
            failure = error
            batch.insertions = written.insertions + batch.insertions
            return
        }
        if failure != nil { logger.notice("the outbox writes again", ["dropped so far": "\(droppedCount)"]) }
        failure = nil
        for (insertion, id) in zip(written.insertions, outcome.accepted) { insertion.whenDone?(.success(id)) }
        guard let last = outcome.accepted.last else { return }
        lastSequence = last.sequence
        let waiters = recordWaiters
        recordWaiters = []
        for waiter in waiters { waiter.finish() }
    }

    /// Writes what waits, or says what is lost, and closes the file.
    private func end() async {
        while hasWork {
            guard await write() else { break }
        }
        isEnded = true
        resumeSettlementWaiters()
        let lost = batch.insertions
        batch.insertions = []
        if !lost.isEmpty {
            logger.error(
                "captures are lost: the outbox could not write them before the end",
                ["captures": "\(lost.count)", "error": failure ?? ""])
        }
        for insertion in lost {
            insertion.whenDone?(.failure(OutboxError("the outbox in \(directory) ended", advice: failure)))
        }
        let storage = storage
        try? await thread.run { storage.close() }
    }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
    }
}
