import CaptureStore
import DeviceDaemon
import DeviceRuntime
import StorageBackends

extension Verb {
    /// Shows the outbox beside a running daemon. What changes it is done by the daemon, if one runs.
    static let queue = Verb(
        name: "queue",
        summary: """
            shows the outbox, and changes what waits in it:
              list                   each record that waits, and for what
              show RECORD…           documents, as storage gets them
              flush                  tries at once what would be tried later
              retry [RECORD…]        lets dead letters wait again
              export FOLDER [RECORD…]  copies documents and files into a folder
              drop RECORD… | --rejected  gives records or dead letters up
            A record is what `list` shows, or its number.
            """, operands: "list | show | flush | retry | export | drop",
        choices: ["list", "show", "flush", "retry", "export", "drop"],
        flags: [
            Flag(name: "rejected", summary: "only dead letters (list, export, drop)"),
            Flag(name: "storage", value: "NAME", summary: "only what this storage has yet to get"),
            socketFlag, StateDirectory.flag,
        ]
    ) { arguments in
        do {
            switch arguments.operands.first {
            case "list": return try list(arguments)
            case "show": return try show(arguments)
            case "export": return try export(arguments)
            case "flush", "retry", "drop": return try change(arguments)
            case let word:
                let found = word.map { "; found '\($0)'" } ?? ""
                throw wrong("expected list, show, flush, retry, export or drop, as in: perch queue list\(found)")
            }
        } catch let error as OutboxError {
            throw CommandFailure(.unavailable, "perch queue: \(error)")
        }
    }

    private static func wrong(_ message: String) -> CommandFailure { CommandFailure(.usage, "perch queue: \(message)") }

    /// What flags and the operands after the verb's own select.
    private static func selection(_ arguments: Arguments, _ operands: some Sequence<String>) throws -> RecordSelection {
        var selection = RecordSelection(backend: arguments["storage"], isRejected: arguments.has("rejected"))
        for operand in operands {
            guard let sequence = RecordSelection.sequence(of: operand) else {
                throw wrong("'\(operand)' is no record; expected one as perch queue list shows it, or its number")
            }
            selection.sequences.insert(sequence)
        }
        return selection
    }

    // MARK: Looking

    private static func list(_ arguments: Arguments) throws -> ExitCode {
        let directory = StateDirectory.resolve(arguments)
        let selection = try selection(arguments, arguments.operands.dropFirst())
        let reader = try OutboxReader(directory: directory)
        var count = 0
        try reader.forEachEntry { entry in
            guard selection.contains(entry) else { return }
            count += 1
            Output.print(QueueText.line(entry))
        }
        if count == 0 {
            Output.print(
                selection == RecordSelection()
                    ? "The outbox in \(directory) is empty: everything was delivered." : "There is none of these.")
        }
        for line in try QueueText.summary(reader) { Output.print(line) }
        return .success
    }

    private static func show(_ arguments: Arguments) throws -> ExitCode {
        let selection = try selection(arguments, arguments.operands.dropFirst())
        guard selection != RecordSelection() else { throw wrong("which record? perch queue list shows them") }
        var count = 0
        try OutboxReader(directory: StateDirectory.resolve(arguments)).forEachRecord(selection) { record, _ in
            count += 1
            Output.print(record.document)
        }
        guard count > 0 else { throw CommandFailure(.data, "perch queue: there is no such record") }
        return .success
    }

    private static func export(_ arguments: Arguments) throws -> ExitCode {
        guard arguments.operands.count > 1 else { throw wrong("export needs a folder: perch queue export FOLDER") }
        let folder = arguments.operands[1]
        let selection = try selection(arguments, arguments.operands.dropFirst(2))
        let directory = StateDirectory.resolve(arguments)
        let loop = try EventLoop()
        let target = try DirectoryBackend(name: "export", path: folder, loop: loop)
        var count = 0
        do {
            try OutboxReader(directory: directory).forEachRecord(selection) { record, _ in
                try loop.run { try await target.store([record]) }
                count += 1
            }
        } catch let error as StorageError {
            throw CommandFailure(.unavailable, "perch queue: \(error)")
        }
        Output.print(count == 1 ? "1 record is in \(folder)" : "\(count) records are in \(folder)")
        return .success
    }

    // MARK: Changing

    private static func change(_ arguments: Arguments) throws -> ExitCode {
        var words = arguments.operands
        if arguments.has("rejected") { words.append("--rejected") }
        if let storage = arguments["storage"] { words += ["--storage", storage] }
        let request: QueueRequest
        do {
            request = try QueueRequest(words)
        } catch {
            throw wrong(error.message)
        }
        // Whoever names a daemon's socket means that daemon.
        guard arguments["socket"] == nil, let outbox = try ClosedOutbox(directory: StateDirectory.resolve(arguments))
        else {
            return try ask(["queue"] + words, at: socketPath(arguments), verb: "queue")
        }
        switch request.action {
        case .flush:
            throw CommandFailure(.unavailable, "perch queue: no perch runs; what waits is tried when one is started")
        case .retry: Output.print(request.report(try outbox.retry(request.selection)))
        case .drop: Output.print(request.report(try outbox.drop(request.selection)))
        }
        return .success
    }
}
