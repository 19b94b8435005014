internal import DeviceRuntime

/// What an ``Uploader`` does next and what it makes of the outcome: its decisions, without its actions.
///
/// Documents go before files across the whole backlog, so that an event is never behind a picture: files have a lane
/// of their own, which begins something new only while no document waits.
struct UploadStateMachine: Sendable {
    enum Action: Sendable, Hashable {
        /// Look up what comes next. While `isEstimating`, records go although their time may yet be learned.
        case read(UploadSource, after: Int64, limit: Int, isEstimating: Bool)
        case send(UploadBatch)
        /// Nothing to do before this time; `nil`: before something happens.
        case wait(until: Duration?)
    }

    /// What is worth a line in the log.
    enum Report: Sendable, Hashable {
        case outageBegan(StorageError)
        case outageEnded(OutageLog.Outage)
        case rejected(Int64, reason: String)
        case deferred(Int64, reason: String)
    }

    enum Standing { case unknown, works, fails }

    /// How far a source was read.
    struct Position {
        var sequence: Int64 = 0
        var isExhausted = false
    }

    let backend: String
    private let limits: UploadLimits
    /// Until when a record waits for its time to become known.
    private let patience: Duration

    var documents: UploadLane
    /// `nil` where files go with their documents.
    var files: UploadLane?
    var notes = Position()
    var records = Position()
    var filePosition = Position()
    var isHeld = false
    var isReading = false
    /// Nothing could be looked up: not before this.
    var readFrom = Duration.zero
    var nextID = 0

    var standing = Standing.unknown
    var failures = 0
    var pausedUntil = Duration.zero
    var backoff: Backoff
    /// For a record that fails alone: from when it has failed thrice on.
    var ownBackoff: Backoff
    var outages = OutageLog()
    var documentRate: RateLimit
    var fileRate: RateLimit
    var rejections = 0
    var deferrals = 0

    var settlement: Settlement
    var settledCursor: Int64 = 0

    init(
        backend: String, batchLimit: Int, sendsFilesApart: Bool, limits: UploadLimits = UploadLimits(),
        patience: Duration = .zero, shortest: Duration = .seconds(1), longest: Duration = .seconds(300),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.backend = backend
        self.limits = limits
        self.patience = patience
        documents = UploadLane(sendsFilesApart ? .document : .everything, limit: batchLimit)
        files = sendsFilesApart ? UploadLane(.file, limit: 1) : nil
        filePosition.isExhausted = !sendsFilesApart
        backoff = Backoff(shortest: shortest, longest: longest, random: random)
        ownBackoff = Backoff(shortest: shortest * 8, longest: .seconds(3600), random: random)
        documentRate = RateLimit(limits.rate)
        fileRate = RateLimit(limits.rate)
        settlement = Settlement(backend: backend, cursor: 0)
    }

    /// Whether the last thing that was heard of the backend is good.
    var works: Bool { standing == .works }

    // MARK: What is next

    /// `windowWait` is how long it takes until the backend's daily window opens.
    mutating func next(now: Duration, windowWait: Duration) -> Action {
        if isHeld, now >= patience { isHeld = false }
        if let read = nextRead(now) { return read }
        let opening = now + windowWait
        let documentsFrom = max(pausedUntil, documentRate.next, limits.windowScope == .everything ? opening : .zero)
        let filesFrom = max(pausedUntil, fileRate.next, opening)
        if now >= documentsFrom, documents.inFlightCount < max(1, limits.parallel), let batch = nextDocuments(now) {
            return .send(batch)
        }
        if now >= filesFrom, isFileTime, let batch = nextFile(now) { return .send(batch) }
        var deadlines: [Duration] = isHeld ? [patience, readFrom] : [readFrom]
        if documents.inFlightCount < max(1, limits.parallel) {
            deadlines += documents.deadlines.map { max($0, documentsFrom) }
        }
        if let files, files.inFlightCount == 0, isFileTime { deadlines += files.deadlines.map { max($0, filesFrom) } }
        return .wait(until: deadlines.filter { $0 > now }.min())
    }

    private mutating func nextRead(_ now: Duration) -> Action? {
        guard !isReading, now >= readFrom else { return nil }
        let isEstimating = now >= patience
        if !notes.isExhausted, documents.room > 0 {
            isReading = true
            return .read(.notes, after: notes.sequence, limit: documents.room, isEstimating: isEstimating)
        }
        if notes.isExhausted, !records.isExhausted, !isHeld, documents.room > 0 {
            isReading = true
            return .read(.records, after: records.sequence, limit: documents.room, isEstimating: isEstimating)
        }
        if let files, !filePosition.isExhausted, files.room > 0 {
            isReading = true
            return .read(.files, after: filePosition.sequence, limit: files.room, isEstimating: isEstimating)
        }
        return nil
    }

    private mutating func nextDocuments(_ now: Duration) -> UploadBatch? {
        guard let batch = documents.next(id: nextID, now: now, isProven: standing == .works) else { return nil }
        nextID += 1
        documentRate.spend(batch.size, now: now)
        fileRate.spend(batch.size, now: now)
        return batch
    }

    /// Small first.
    private var isFileTime: Bool {
        documents.isIdle && notes.isExhausted && (records.isExhausted || isHeld)
    }

    private mutating func nextFile(_ now: Duration) -> UploadBatch? {
        guard var lane = files, lane.inFlightCount == 0 else { return nil }
        guard let batch = lane.next(id: nextID, now: now, isProven: standing == .works) else { return nil }
        files = lane
        nextID += 1
        fileRate.spend(batch.size, now: now)
        return batch
    }
}
