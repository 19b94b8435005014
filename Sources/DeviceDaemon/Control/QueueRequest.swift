public import CaptureStore

/// Something that is to be done with an outbox: the words of `perch queue` that change it.
public struct QueueRequest: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        case flush
        case retry
        case drop
    }

    public let action: Action
    public let selection: RecordSelection

    /// - Throws: ``Wrong``.
    public init(_ words: [String]) throws(Wrong) {
        let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
        guard let action = words.first.flatMap({ Action(rawValue: $0) }) else {
            throw Wrong("expected one of \(names)")
        }
        self.action = action
        var selection = RecordSelection()
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--rejected": selection.isRejected = true
            case "--storage":
                guard let name = rest.popFirst() else { throw Wrong("--storage needs a name") }
                selection.backend = name
            default:
                guard let sequence = RecordSelection.sequence(of: word) else {
                    throw Wrong("'\(word)' is no record; expected one as perch queue list shows it, or its number")
                }
                selection.sequences.insert(sequence)
            }
        }
        self.selection = try Self.check(selection, action)
    }

    private static func check(_ selection: RecordSelection, _ action: Action) throws(Wrong) -> RecordSelection {
        switch action {
        case .flush where selection != RecordSelection(): throw Wrong("flush takes nothing: it is for all records")
        case .drop where selection.sequences.isEmpty && !selection.isRejected:
            throw Wrong("drop needs the records that are to go, or --rejected for all dead letters")
        case .drop where selection.backend != nil && !selection.isRejected:
            throw Wrong("a record goes for all storages; --storage is for dead letters: drop --rejected --storage NAME")
        default: return selection
        }
    }

    /// What was done, in words.
    public func report(_ count: Int) -> String {
        switch action {
        case .flush: "what waits is tried now"
        case .retry: count == 1 ? "1 dead letter waits again" : "\(count) dead letters wait again"
        case .drop where selection.isRejected: count == 1 ? "1 dead letter is gone" : "\(count) dead letters are gone"
        case .drop: count == 1 ? "1 record is gone" : "\(count) records are gone"
        }
    }

    /// What is wrong with the words.
    public struct Wrong: Error {
        public let message: String
        init(_ message: String) { self.message = message }
    }
}

extension ControlVerb {
    /// Changes the outbox of the running daemon: `queue retry --storage nas`.
    static let queue = ControlVerb(name: "queue") { words, site, answer in
        let request: QueueRequest
        do {
            request = try QueueRequest(words)
        } catch let error as QueueRequest.Wrong {
            throw ControlFailure.usage(error.message)
        }
        let outbox = site.daemon.outbox
        var count = 0
        do {
            switch request.action {
            case .flush: try await outbox.flush()
            case .retry: count = try await outbox.retry(request.selection)
            case .drop: count = try await outbox.drop(request.selection)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ControlFailure.unavailable("\(error)")
        }
        try await answer.print(request.report(count))
        return 0
    }
}
