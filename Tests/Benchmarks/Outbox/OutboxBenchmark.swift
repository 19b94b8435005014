import CaptureStore
import DeviceRuntime
import Glibc

/// How many records a second the outbox accepts, each on the disk before its sender goes on, against what the same
/// disk can do: the same number of appends, flushed in groups as large as the number of senders.
///
///     outbox-benchmark DIRECTORY
///
/// prints a line for each number of senders: it, the outbox's rate, the disk's, and the median ratio. Both take
/// turns, because other programs use the disk as well.
@main
enum OutboxBenchmark {
    private static let rounds = 5

    static func main() throws {
        guard CommandLine.arguments.count == 2 else { throw SystemError(code: EINVAL, call: "usage: DIRECTORY") }
        let directory = CommandLine.arguments[1]
        try Files.makeDirectory(directory)
        for (senders, records) in [(1, 500), (64, 12_800)] {
            var pairs: [(outbox: Double, disk: Double)] = []
            for round in 0..<rounds {
                let path = "\(directory)/\(senders)-\(round)"
                let disk = try rate(of: records) { try append(records, inGroupsOf: senders, to: "\(path).log") }
                pairs.append((try outboxRate(of: records, from: senders, in: path), disk))
            }
            print(
                senders, median(pairs.map(\.outbox)), median(pairs.map(\.disk)),
                median(pairs.map { $0.outbox / $0.disk }))
        }
    }

    private static func rate(of records: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = EventLoop.monotonicNow()
        try body()
        return Double(records) / ((EventLoop.monotonicNow() - start) / .seconds(1))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Appends records of the size that a press has in JSON.
    private static func append(_ records: Int, inGroupsOf group: Int, to path: String) throws {
        let file = try FileDescriptor(opening: path, flags: O_WRONLY | O_CREAT | O_APPEND)
        let number = try file.open()
        let record = [UInt8](repeating: UInt8(ascii: "x"), count: 200)
        for _ in 0..<records / group {
            for _ in 0..<group { try systemCall("write") { write(number, record, record.count) } }
            try systemCall("fdatasync") { fdatasync(number) }
        }
    }

    private static func outboxRate(of records: Int, from senders: Int, in directory: String) throws -> Double {
        let loop = try EventLoop()
        return try loop.run {
            let logger = Logger(TextLogSink())
            let outbox = try Outbox(
                directory: directory, device: "porch", backends: ["photos"], loop: loop, wallClock: .system(on: loop),
                logger: logger)
            let took = Protected(Duration.zero)
            try await ServiceGroup([outbox], logger: logger).run {
                // The first record of a run also marks the file as in use.
                _ = try await outbox.accept(press(at: loop.now))
                let start = loop.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<senders {
                        group.addTask {
                            for _ in 0..<records / senders { _ = try await outbox.accept(press(at: loop.now)) }
                        }
                    }
                    try await group.waitForAll()
                }
                let duration = loop.now - start
                took.withLock { $0 = duration }
            }
            return Double(records) / (took.withLock { $0 } / .seconds(1))
        }
    }

    private static func press(at time: Duration) -> Capture {
        Capture(part: "bell", event: "pressed", timestamp: time, fields: [.init("count", .integer(1))])
    }
}
