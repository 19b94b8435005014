import CaptureStore
import DeviceRuntime

extension Verb {
    /// Reads the outbox beside a running daemon.
    static let queue = Verb(
        name: "queue", summary: "shows the outbox: `perch queue list`", operands: "list", flags: [StateDirectory.flag]
    ) { arguments in
        guard arguments.operands == ["list"] else {
            throw CommandFailure(.usage, "perch queue: expected 'list', as in: perch queue list")
        }
        let directory = StateDirectory.resolve(arguments)
        do {
            let reader = try OutboxReader(directory: directory)
            var count = 0
            try reader.forEachEntry { entry in
                count += 1
                Output.print(line(entry))
            }
            let backlog = try reader.backlog()
            Output.print(
                count == 0
                    ? "The outbox in \(directory) is empty: everything was delivered."
                    : backlog.map(line).joined(separator: "\n"))
            for drops in try reader.drops() {
                Output.print(
                    "dropped: \(drops.records) \(drops.recordClass.plural), the last \(drops.last): \(drops.reason.explanation)"
                )
            }
            return .success
        } catch let error as OutboxError {
            throw CommandFailure(.unavailable, "perch queue: \(error)")
        }
    }

    private static func line(_ entry: OutboxReader.Entry) -> String {
        let payload = entry.payloadSize.map { "  with \($0) bytes" } ?? ""
        let deliveries = entry.deliveries.map { delivery in
            if delivery.isRejected { return "\(delivery.backend): rejected: \(delivery.lastError ?? "")" }
            return "\(delivery.backend): waits"
                + (delivery.lastError.map { " after \(delivery.attempts) tries: \($0)" } ?? "")
        }
        return
            "\(entry.id)  \(entry.time)  \(entry.part).\(entry.event)\(payload)  \(deliveries.joined(separator: "; "))"
    }

    private static func line(_ backlog: OutboxReader.Backlog) -> String {
        "\(backlog.backend): \(backlog.pending) waiting, \(backlog.rejected) rejected"
    }
}
