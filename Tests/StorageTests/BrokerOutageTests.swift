import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

/// Kills the broker in the middle of every seventh batch, and starts it again.
private struct KilledBroker: StorageBackend {
    let backend: MQTTBackend
    let broker: Mosquitto
    let loop: EventLoop
    let stored: Protected<Int>
    let wanted: Int
    let done: Waiter
    private let tries = Protected(0)

    init(_ backend: MQTTBackend, _ broker: Mosquitto, loop: EventLoop, wanted: Int, done: Waiter) {
        self.backend = backend
        self.broker = broker
        self.loop = loop
        self.wanted = wanted
        self.done = done
        stored = Protected(0)
    }

    var name: String { backend.name }
    var destination: String { backend.destination }
    var batchLimit: Int { 5 }

    func store(_ records: [StoredRecord]) async throws {
        let number = tries.withLock { tries in
            tries += 1
            return tries
        }
        if number % 7 == 3 {
            // What it has confirmed is on its disk; what comes now it will never confirm.
            try broker.settle()
            broker.signal(SIGSTOP)
            loop.schedule(after: .milliseconds(20)) { [broker, done] in
                broker.end(SIGKILL)
                do { try broker.start() } catch { done.finish(.failure(error)) }
            }
        }
        try await backend.store(records)
        let count = stored.withLock { count in
            count += records.count
            return count
        }
        if count >= wanted { done.finish() }
    }
}

@Suite("Outbox, uploader and mosquitto", .boundedHang)
struct BrokerOutageTests {
    @Test("Every record reaches a subscriber, over a broker that is killed again and again")
    func kills() async throws {
        let broker = try Mosquitto(Mosquitto.persistent)
        let directory = try TemporaryDirectory()
        let log = RecordingLogSink()
        let records = 200
        let address = try #require(BrokerAddress(broker.address))
        try await EventLoop.run(time: .real) { loop in
            // Makes the reader's session, in which the broker keeps what comes.
            let reader = ["-c", "-x", "3600", "-i", "reader"]
            do { _ = try MQTTSubscriber("perch/porch/+/+", at: broker, arguments: reader, loop: loop) }
            let outbox = try Outbox(
                directory: directory.path, device: "porch", backends: ["hub"], loop: loop, wallClock: .system(on: loop),
                logger: Logger(log), identity: "1dea")
            let backoff = Backoff(shortest: .milliseconds(1), longest: .milliseconds(10))
            let mqtt = try MQTTBackend(
                name: "hub", device: "porch", settings: MQTTSettings(broker: address, clientID: "perch-porch"),
                loop: loop, logger: Logger(log), backoff: backoff)
            let done = Waiter()
            let backend = KilledBroker(mqtt, broker, loop: loop, wanted: records, done: done)
            let uploader = Uploader(
                to: backend, from: outbox, pauses: .milliseconds(1) ... .milliseconds(10), loop: loop,
                logger: Logger(log))
            try await ServiceGroup([outbox, mqtt, uploader], logger: Logger(log)).run {
                for number in 0..<records {
                    outbox.enqueue(
                        Capture(
                            part: "bell", event: "pressed", timestamp: loop.now,
                            fields: [.init("count", .integer(number))]))
                }
                try await done.wait()
            }
            let late = try MQTTSubscriber("perch/porch/+/+", at: broker, format: "%p", arguments: reader, loop: loop)
            var missing = Set((0..<records).map { "\"fields\":{\"count\":\($0)}" })
            while !missing.isEmpty {
                let document = try await late.next()
                missing = missing.filter { !document.contains($0) }
            }
        }
        var left = 0
        try OutboxReader(directory: directory.path).forEachEntry { _ in left += 1 }
        #expect(left == 0)
    }
}
