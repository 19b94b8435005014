public import DeviceRuntime

/// Brings the outbox's records to one backend, in order, until each is stored.
///
/// Sleeps while there is nothing to do or the backend is out of reach. When it is stopped it drops what it has
/// in hand; that is still in the outbox, and goes under the same name the next time.
public struct Uploader: Service {
    public var name: String { "upload to \(backend.name)" }
    private let backend: any StorageBackend
    private let outbox: Outbox
    private let loop: EventLoop
    private let logger: Logger
    private let policy: UploadPolicy

    public init(
        to backend: any StorageBackend, from outbox: Outbox, loop: EventLoop, logger: Logger,
        policy: UploadPolicy = UploadPolicy()
    ) {
        self.backend = backend
        self.outbox = outbox
        self.loop = loop
        self.logger = logger
        self.policy = policy
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        var policy = policy
        var position: Int64 = 0
        do {
            while true {
                try Task.checkCancellation()
                try await deliverNext(after: &position, &policy)
            }
        } catch is CancellationError {
            return
        }
    }

    /// Delivers a few records, or waits for one.
    private func deliverNext(after position: inout Int64, _ policy: inout UploadPolicy) async throws {
        let pending: PendingRecords
        do {
            pending = try await outbox.pending(for: backend.name, after: position)
        } catch {
            let failure = StorageError(.temporary(retryAfter: nil), "the outbox cannot be read: \(error)")
            try await finish(policy.handle(.failed(failure), now: loop.now), nil, failure)
            return
        }
        guard !pending.records.isEmpty else {
            position = max(position, pending.lastSequence)
            try await outbox.waitForRecord(after: position)
            return
        }
        for record in pending.records {
            let failure = try await store(record, spool: pending.spool)
            let action = policy.handle(failure.map { .failed($0) } ?? .stored, now: loop.now)
            try await finish(action, record, failure)
            // After a pause the record is read again: its file may have gone, or the record itself.
            if case .pause = action { return }
            position = record.id.sequence
        }
        // Keeps what is stored but not yet struck off to these few records, also when the disk is slow.
        try await outbox.settled()
    }

    private func store(_ record: Record, spool: String) async throws -> StorageError? {
        do {
            try await backend.store([record.stored(spool: spool)])
            return nil
        } catch let error as StorageError {
            try Task.checkCancellation()
            return error
        } catch {
            try Task.checkCancellation()
            return StorageError(.temporary(retryAfter: nil), "\(error)")
        }
    }

    private func finish(_ action: UploadPolicy.Action, _ record: Record?, _ failure: StorageError?) async throws {
        let reason = failure?.description ?? ""
        switch action {
        case .confirm(let ended):
            if let record { await outbox.settle(record.id, backend: backend.name, .stored) }
            guard let ended else { return }
            logger.notice(
                "uploads work again",
                [
                    "backend": backend.name, "failed tries": "\(ended.failures)",
                    "after": "\((loop.now - ended.start).components.seconds) s",
                ])
        case .reject(let isAnnounced):
            if let record { await outbox.settle(record.id, backend: backend.name, .rejected(reason)) }
            guard isAnnounced else { return }
            logger.error(
                "a record was rejected and is kept aside",
                ["backend": backend.name, "record": record?.id.description ?? "", "error": reason])
        case .pause(let pause, let isAnnounced):
            if let record { await outbox.settle(record.id, backend: backend.name, .failed(reason)) }
            if isAnnounced {
                logger.warning(
                    "uploads fail; records stay in the outbox until they succeed",
                    ["backend": backend.name, "error": reason])
            }
            try await loop.sleep(for: pause)
        }
    }
}
