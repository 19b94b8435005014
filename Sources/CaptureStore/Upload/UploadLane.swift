/// The items of one kind for one backend: which of them go next, and what becomes of those that fail.
///
/// A set that the backend will not take is halved until the culprit is alone. When one half passes, the culprit is in
/// the other one; when it does not, the other one goes back to the rest. So one bad record among 500 is found in ten
/// tries, and the others arrive with at most two more.
struct UploadLane: Sendable {
    private struct Entry {
        var item: UploadItem
        /// In vain, as part of whatever batch.
        var tries = 0
        /// Each is tried thrice before it is asked whether others fare better.
        var level: Int { tries / 3 }
    }

    private struct Deferred {
        var item: UploadItem
        var due: Duration
    }

    /// A set that has a culprit in it, as far as is known.
    private struct Suspects {
        var items: [UploadItem]
        /// How many they were at first.
        let size: Int
    }

    /// What became of a failed batch.
    enum Verdict: Sendable, Hashable {
        /// This one is to blame.
        case culprit(UploadItem)
        /// The search goes on.
        case narrowed
        /// It goes again later.
        case putBack
    }

    let share: Record.Share
    private let limit: Int
    /// How many go at once at present, and at most.
    private(set) var size: Int
    private var ceiling: Int
    private var waiting: [Entry] = []
    private var inFlight: [Int: (batch: UploadBatch, tries: Int)] = [:]
    private var suspects: [Suspects] = []
    private var deferred: [Deferred] = []

    /// How many may have a time of their own; beyond that it is the backend that fails.
    static let mostDeferred = 64
    /// What goes at once has at most so many bytes, and one item.
    static let mostBytes = 1 << 20

    init(_ share: Record.Share, limit: Int) {
        self.share = share
        self.limit = max(1, limit)
        size = self.limit
        ceiling = self.limit
    }

    // MARK: Items

    /// How many more are worth reading: enough for the next batches.
    var room: Int { max(0, max(64, 2 * limit) - waiting.count) }
    var isIdle: Bool { waiting.isEmpty && inFlight.isEmpty && suspects.isEmpty }
    var inFlightCount: Int { inFlight.count }
    /// Whether no more items can have a time of their own.
    var isFull: Bool { deferred.count >= Self.mostDeferred }

    mutating func add(_ items: [UploadItem]) { waiting += items.map { Entry(item: $0) } }

    func contains(_ sequence: Int64) -> Bool {
        waiting.contains { $0.item.sequence == sequence } || deferred.contains { $0.item.sequence == sequence }
            || suspects.contains { $0.items.contains { $0.sequence == sequence } }
            || inFlight.values.contains { $0.batch.items.contains { $0.sequence == sequence } }
    }

    /// The lowest number that is neither with the backend nor noted.
    var firstUnsettled: Int64? {
        let items =
            waiting.lazy.map(\.item).filter { !$0.isNoted }.map(\.sequence).min()
        let flying = inFlight.values.flatMap(\.batch.items).filter { !$0.isNoted }.map(\.sequence).min()
        let suspected = suspects.flatMap(\.items).filter { !$0.isNoted }.map(\.sequence).min()
        return [items, flying, suspected].compactMap { $0 }.min()
    }

    /// When something can go, as far as the lane is concerned.
    var deadlines: [Duration] {
        let hasSuspects = !suspects.isEmpty && !inFlight.values.contains { $0.batch.reason == .suspicion }
        return (waiting.isEmpty && !hasSuspects ? [] : [.zero]) + deferred.map(\.due)
    }

    // MARK: Sending

    /// The next batch, if there is one. `isProven` after a success: what failed thrice before is then told from what
    /// the backend failed at.
    mutating func next(id: Int, now: Duration, isProven: Bool) -> UploadBatch? {
        nextSuspicion(id) ?? nextDeferred(id, now) ?? nextWaiting(id, isProven)
    }

    private mutating func nextSuspicion(_ id: Int) -> UploadBatch? {
        guard let first = suspects.first, !inFlight.values.contains(where: { $0.batch.reason == .suspicion }) else {
            return nil
        }
        // One that is left alone is tried as it is, for its own error.
        let count = first.items.count == 1 ? 1 : first.items.count / 2
        return fly(
            UploadBatch(id: id, items: Array(first.items.prefix(count)), share: share, reason: .suspicion), tries: 0)
    }

    private mutating func nextDeferred(_ id: Int, _ now: Duration) -> UploadBatch? {
        guard let index = deferred.firstIndex(where: { $0.due <= now }) else { return nil }
        let item = deferred.remove(at: index).item
        return fly(UploadBatch(id: id, items: [item], share: share, reason: .deferred), tries: 0)
    }

    private mutating func nextWaiting(_ id: Int, _ isProven: Bool) -> UploadBatch? {
        let levels = waiting.lazy.map(\.level)
        guard let lowest = levels.min(), let highest = levels.max() else { return nil }
        let level = isProven ? highest : lowest
        // When some have failed thrice, others tell more the further away they are: bad ones come together.
        // But what is tried has its calendar time for good, so those that may yet learn theirs go in order.
        let isFromEnd = !isProven && highest > 0 && waiting.last?.item.isStamped == true
        let taken = take(level, fromEnd: isFromEnd)
        let reason: UploadBatch.Reason = isProven && level > 0 ? .probation : .backlog
        let batch = UploadBatch(id: id, items: taken.map(\.item), share: share, reason: reason)
        return fly(batch, tries: taken.map(\.tries).max() ?? 0)
    }

    /// Takes as many as may go at once of those that were tried equally often, the first ones or the last ones.
    private mutating func take(_ level: Int, fromEnd: Bool) -> [Entry] {
        var indices: [Int] = []
        var bytes = 0
        for index in fromEnd ? Array(waiting.indices.reversed()) : Array(waiting.indices)
        where waiting[index].level == level {
            let size = waiting[index].item.size(of: share)
            if indices.count >= self.size || (!indices.isEmpty && bytes + size > Self.mostBytes) { break }
            indices.append(index)
            bytes += size
        }
        indices.sort()
        let taken = indices.map { waiting[$0] }
        for index in indices.reversed() { waiting.remove(at: index) }
        return taken
    }

    private mutating func fly(_ batch: UploadBatch, tries: Int) -> UploadBatch {
        inFlight[batch.id] = (batch, tries)
        return batch
    }

    // MARK: Outcomes

    /// Takes a batch that was stored off, and returns it.
    mutating func stored(_ id: Int) -> UploadBatch? {
        guard let batch = inFlight.removeValue(forKey: id)?.batch else { return nil }
        if batch.reason == .suspicion {
            passSuspects(batch)
        } else if batch.items.count >= size {
            size = min(ceiling, size * 2)
        }
        return batch
    }

    /// A part of the first set of suspects has passed: whoever is to blame is in the rest.
    private mutating func passSuspects(_ batch: UploadBatch) {
        guard var first = suspects.first else { return }
        first.items.removeFirst(min(batch.items.count, first.items.count))
        if first.items.isEmpty {
            suspects.removeFirst()
            // All have passed in parts: the whole was too much at once.
            ceiling = max(1, first.size / 2)
            size = min(size, ceiling)
        } else {
            suspects[0] = first
        }
    }

    /// The backend will never take the batch as it is, or fails at it alone.
    mutating func blame(_ id: Int) -> Verdict {
        guard let (batch, _) = inFlight.removeValue(forKey: id) else { return .putBack }
        if batch.reason == .suspicion { return narrow(to: batch) }
        guard batch.items.count > 1 else { return .culprit(batch.items[0]) }
        suspects.append(Suspects(items: batch.items, size: batch.items.count))
        return .narrowed
    }

    private mutating func narrow(to batch: UploadBatch) -> Verdict {
        guard !suspects.isEmpty else { return .putBack }
        let first = suspects.removeFirst()
        // The other half is as good as any.
        waiting.insert(contentsOf: first.items.dropFirst(batch.items.count).map { Entry(item: $0) }, at: 0)
        if batch.items.count == 1 {
            size = max(1, min(size, first.size / 2))
            return .culprit(batch.items[0])
        }
        suspects.insert(Suspects(items: batch.items, size: first.size), at: 0)
        return .narrowed
    }

    /// The backend is out of reach: the batch goes again as it is.
    mutating func putBack(_ id: Int) {
        guard let (batch, tries) = inFlight.removeValue(forKey: id), batch.reason != .suspicion else { return }
        if batch.reason == .deferred {
            deferred += batch.items.map { Deferred(item: $0, due: .zero) }
        } else {
            waiting.insert(contentsOf: batch.items.map { Entry(item: $0, tries: tries + 1) }, at: 0)
        }
    }

    /// Gives an item a time of its own.
    mutating func `defer`(_ item: UploadItem, until due: Duration) { deferred.append(Deferred(item: item, due: due)) }

    /// Makes everything that has a time of its own due, and forgets how often the others were tried.
    mutating func hurry() {
        for index in deferred.indices { deferred[index].due = .zero }
        for index in waiting.indices { waiting[index].tries = 0 }
    }
}
