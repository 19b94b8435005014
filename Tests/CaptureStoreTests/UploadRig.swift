import DeviceRuntime

@testable import CaptureStore

/// A state machine with a backlog that is a list and a backend that is a function, in a time that jumps.
struct UploadRig {
    typealias Answer = (_ batch: UploadBatch, _ now: Duration) -> StorageError?

    var machine: UploadStateMachine
    var now = Duration.zero
    var items: [UploadItem]
    var answer: Answer
    /// How long it takes until the window opens.
    var windowWait: (Duration) -> Duration = { _ in .zero }

    private(set) var requests: [(time: Duration, batch: UploadBatch)] = []
    private(set) var delivered: [Int64] = []
    private(set) var deliveredFiles: [Int64] = []
    private(set) var notes: [Int64: Settlement.Note] = [:]
    private(set) var cursor: Int64 = 0
    private(set) var reports: [UploadStateMachine.Report] = []

    init(
        _ items: [UploadItem], batchLimit: Int, sendsFilesApart: Bool = false, limits: UploadLimits = UploadLimits(),
        random: any RandomNumberGenerator & Sendable = FixedGenerator.half, answer: @escaping Answer
    ) {
        self.items = items
        self.answer = answer
        machine = UploadStateMachine(
            backend: "test", batchLimit: batchLimit, sendsFilesApart: sendsFilesApart, limits: limits, random: random)
    }

    static func items(_ count: Int, fileEvery: Int = .max, fileSize: Int = 100_000) -> [UploadItem] {
        (1...count).map { number in
            UploadItem(
                sequence: Int64(number), size: 500, fileSize: number.isMultiple(of: fileEvery) ? fileSize : nil,
                attempts: 0, isNoted: false, isDurable: true)
        }
    }

    static let unavailable = StorageError(.temporary(retryAfter: nil), "503")
    static let rejection = StorageError(.permanent, "422")

    /// The dead letters.
    var rejected: [Int64] { notes.values.filter(\.isRejected).map(\.sequence).sorted() }
    /// Those that have a time of their own.
    var deferred: [Int64] {
        notes.values.filter { !$0.isRejected && $0.content == .everything }.map(\.sequence).sorted()
    }

    /// Runs until there is nothing left to do, or until a time.
    mutating func run(until end: Duration = .seconds(7 * 86400)) {
        while true {
            switch machine.next(now: now, windowWait: windowWait(now)) {
            case .read(let source, let position, let limit, _):
                machine.handle(plan(source, position, limit), from: source)
            case .send(let batch): send(batch)
            case .wait(let deadline):
                guard let deadline, deadline <= end else { return now = max(now, min(deadline ?? now, end)) }
                now = deadline
            }
        }
    }

    private func plan(_ source: UploadSource, _ position: Int64, _ limit: Int) -> UploadPlan {
        var found: [UploadItem]
        switch source {
        case .records: found = items.filter { $0.sequence > max(position, cursor) }
        case .notes, .files:
            let content: NoteRow.Content = source == .files ? .file : .everything
            found = items.filter { item in
                item.sequence > position
                    && notes[item.sequence].map { !$0.isRejected && $0.content == content } ?? false
            }
            for index in found.indices { found[index].isNoted = true }
        }
        return UploadPlan(items: Array(found.prefix(limit)), isEnd: found.count < limit)
    }

    private mutating func send(_ batch: UploadBatch) {
        requests.append((now, batch))
        let error = answer(batch, now)
        if error == nil {
            if batch.share == .file {
                deliveredFiles += batch.items.map(\.sequence)
            } else {
                delivered += batch.items.map(\.sequence)
            }
        }
        reports += machine.handle(UploadStateMachine.Outcome(error: error), of: batch, now: now)
        guard let settlement = machine.takeSettlement() else { return }
        cursor = settlement.cursor
        for note in settlement.notes { notes[note.sequence] = note }
        for sequence in settlement.done { notes[sequence] = nil }
    }
}
