public import DeviceRuntime

/// Brings the outbox's records to one backend, until each is stored.
///
/// Sleeps while there is nothing to do or the backend is out of reach. When it is stopped it begins nothing new, and
/// what is under way has a few seconds to come to its end; the rest is still in the outbox, and goes under the same
/// name the next time.
///
/// An actor of the loop.
public actor Uploader: Service {
    public nonisolated let name: String
    let backend: any StorageBackend
    private let outbox: Outbox
    private let limits: UploadLimits
    private let loop: EventLoop
    private let logger: Logger
    private var machine: UploadStateMachine
    private var wake = Waiter()
    /// What has come of it since the daemon started.
    public private(set) var tally = UploadTally()

    /// How long what is under way may take when the daemon is to stop: below systemd's patience of 90 s, and enough
    /// for a document on any link that works.
    static let grace = Duration.seconds(10)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `pauses` are the shortest and the longest limit of a pause after a failure.
    public init(
        to backend: any StorageBackend, from outbox: Outbox, limits: UploadLimits = UploadLimits(),
        pauses: ClosedRange<Duration> = .seconds(1)...(.seconds(300)), loop: EventLoop, logger: Logger,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.backend = backend
        self.outbox = outbox
        self.limits = limits
        self.loop = loop
        self.logger = logger
        name = "upload to \(backend.name)"
        machine = UploadStateMachine(
            backend: backend.name, batchLimit: backend.batchLimit, sendsFilesApart: backend.takesFilesApart,
            limits: limits, patience: outbox.settings.clockPatience, shortest: pauses.lowerBound,
            longest: pauses.upperBound, random: random)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        await outbox.observe { [weak self] event in self?.assumeIsolated { $0.notice(event) } }
        ready()
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                // Made before the decision: what happens after it ends the wait.
                wake = Waiter()
                switch machine.next(now: loop.now, windowWait: windowWait) {
                case .send(let batch): group.addTask { await self.send(batch) }
                case .read(let source, let position, let limit, let isEstimating):
                    await read(source, after: position, limit: limit, isEstimating: isEstimating)
                case .wait(let deadline): await sleep(until: deadline)
                }
            }
        }
    }

    private var windowWait: Duration { limits.window?.wait(at: outbox.wallClock.now.localSecondOfDay) ?? .zero }

    private func notice(_ event: OutboxEvent) {
        switch event {
        case .recordsArrived: machine.recordsArrived()
        case .clockLearned: machine.clockLearned()
        case .hurry: machine.hurry()
        }
        wake.finish()
    }

    private func sleep(until deadline: Duration?) async {
        let wake = wake
        let timer = deadline.map { loop.schedule(at: $0) { wake.finish() } }
        try? await wake.wait()
        timer?.cancel()
    }

    private func read(_ source: UploadSource, after position: Int64, limit: Int, isEstimating: Bool) async {
        do {
            let plan = try await outbox.plan(
                for: backend.name, source, after: position, limit: limit, isEstimating: isEstimating)
            machine.handle(plan, from: source)
        } catch {
            let failure = StorageError(.temporary(retryAfter: nil), "the outbox cannot be read: \(error)")
            tell(machine.handleReadFailure(failure, now: loop.now))
        }
    }

    // MARK: Sending

    private func send(_ batch: UploadBatch) async {
        let outcome = await attempt(batch)
        // One that was cut short at the end says nothing.
        guard let outcome else { return }
        let reports = machine.handle(outcome, of: batch, now: loop.now)
        tell(reports)
        for case .outageBegan(let error) in reports {
            machine.noteOutage(
                Settlement.Failure.Outage(
                    since: outbox.wallClock.now.sinceEpoch.nanoseconds, reason: error.description))
        }
        if let settlement = machine.takeSettlement() { await outbox.settle(settlement) }
        wake.finish()
    }

    private func attempt(_ batch: UploadBatch) async -> UploadStateMachine.Outcome? {
        var outcome = UploadStateMachine.Outcome()
        do {
            var records: [StoredRecord] = []
            for (item, loaded) in zip(batch.items, try await load(batch)) {
                switch loaded {
                case .record(let record, let hasFile):
                    records.append(record)
                    if !hasFile { outcome.fileless.insert(item.sequence) }
                case .gone: outcome.gone.insert(item.sequence)
                case .damaged: outcome.damaged.insert(item.sequence)
                }
            }
            if !records.isEmpty {
                try Task.checkCancellation()
                try await deliver(records)
                tally.note(records, now: loop.now)
            }
            outcome.receipts = receipts(records, batch)
        } catch let error as StorageError {
            tally.failures += 1
            outcome.error = error
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch {
            tally.failures += 1
            outcome.error = StorageError(.temporary(retryAfter: nil), "\(error)")
        }
        return outcome
    }

    private func load(_ batch: UploadBatch) async throws -> [LoadedRecord] {
        // While the backend is out of reach, each record whose time is not known keeps its chance to learn it.
        try await outbox.load(batch.items.map(\.sequence), batch.share, ahead: machine.works ? 64 : 0)
    }

    private func deliver(_ records: [StoredRecord]) async throws {
        let backend = backend
        try await loop.finishing(within: Self.grace) { try await backend.store(records) }
    }

    private func receipts(_ records: [StoredRecord], _ batch: UploadBatch) -> [Settlement.Receipt] {
        let durable = Set(batch.items.filter(\.isDurable).map(\.sequence))
        return records.filter { durable.contains($0.id.sequence) }.flatMap { record in
            record.objects.map { object in
                var isFile = false
                if case .file = object.body { isFile = true }
                return Settlement.Receipt(
                    sequence: record.id.sequence, isFile: isFile, name: object.name, size: object.size)
            }
        }
    }

    // MARK: Telling

    private func tell(_ reports: [UploadStateMachine.Report]) {
        for report in reports { tell(report) }
    }

    private func tell(_ report: UploadStateMachine.Report) {
        switch report {
        case .outageBegan(let error):
            logger.warning(
                "uploads fail; records stay in the outbox until they succeed",
                ["backend": backend.name, "error": error.description])
        case .outageEnded(let outage):
            logger.notice(
                "uploads work again",
                [
                    "backend": backend.name, "failed tries": "\(outage.failures)",
                    "after": "\((loop.now - outage.start).components.seconds) s",
                ])
        case .rejected(let sequence, let reason):
            logger.error(
                "a record was rejected and is kept aside; perch queue lists it",
                ["backend": backend.name, "record": "\(sequence)", "error": reason])
        case .deferred(let sequence, let reason):
            logger.warning(
                "a record fails while others do not; it is tried again later",
                ["backend": backend.name, "record": "\(sequence)", "error": reason])
        }
    }
}
