import CaptureStore
import DeviceRuntime
import Glibc
import StorageBackends
import TestSupport
import Testing

/// A record as the outbox hands it out.
func record(_ number: Int, event: String = "pressed", padding: Int = 0, file: StoredObject.Body? = nil) -> StoredRecord
{
    let id = RecordID(device: "porch", identity: "3fa2c81b", sequence: Int64(number))
    let document = "{\"id\":\"\(id)\",\"fields\":{\"text\":\"\(String(repeating: "x", count: padding))\"}}"
    var objects = [
        StoredObject(
            name: "\(id)-bell.\(event).json", mediaType: "application/json", body: .bytes(Array(document.utf8)))
    ]
    if let file { objects.append(StoredObject(name: "\(id)-bell.\(event).png", mediaType: "image/png", body: file)) }
    return StoredRecord(
        id: id, part: "bell", event: event, time: WallTime(sinceEpoch: .seconds(1_772_350_200)), fields: [],
        document: document, objects: objects)
}

@Suite("MQTT backend and mosquitto", .boundedHang)
struct MosquittoTests {
    private func settings(
        _ address: String, version: MQTTSettings.Version = .v5, _ change: (inout MQTTSettings) -> Void = { _ in }
    ) throws -> MQTTSettings {
        let broker = try #require(BrokerAddress(address))
        var settings = MQTTSettings(broker: broker, clientID: "perch-porch", version: version, willDelay: .zero)
        change(&settings)
        return settings
    }

    /// Runs a backend while `body` does.
    private func withBackend(
        _ settings: MQTTSettings, options: MQTTBackend.Options = MQTTBackend.Options(), loop: EventLoop,
        log: RecordingLogSink = RecordingLogSink(), _ body: @escaping @Sendable (MQTTBackend) async throws -> Void
    ) async throws {
        let backoff = Backoff(shortest: .milliseconds(10), longest: .milliseconds(50))
        let backend = try MQTTBackend(
            name: "hub", device: "porch", settings: settings, options: options, loop: loop, logger: Logger(log),
            backoff: backoff)
        try await ServiceGroup([backend], logger: Logger(log)).run { try await body(backend) }
    }

    private func failure(_ backend: MQTTBackend, _ records: [StoredRecord]) async throws -> StorageError? {
        do {
            try await backend.store(records)
            return nil
        } catch let error as StorageError {
            return error
        }
    }

    @Test("A record arrives on its event's topic, with its identity beside it in MQTT 5", arguments: versions)
    func roundTrip(version: MQTTSettings.Version) async throws {
        let broker = try Mosquitto()
        let settings = try settings(broker.address, version: version)
        try await EventLoop.run(time: .real) { loop in
            let reader = try MQTTSubscriber("perch/porch/+/+", at: broker, format: "%t %q %r %C %P %p", loop: loop)
            try await withBackend(settings, loop: loop) { try await $0.store([record(1), record(2)]) }
            for number in 1...2 {
                let properties = version == .v5 ? "application/json id:porch/3fa2c81b/0000000\(number)" : " "
                #expect(
                    try await reader.next()
                        == "perch/porch/bell/pressed 1 0 \(properties) \(record(number).document)")
            }
        }
    }

    @Test("Whole batches arrive in order, also at a broker that takes one message at a time", arguments: versions)
    func batches(version: MQTTSettings.Version) async throws {
        for inFlight in [1, 20] {
            let broker = try Mosquitto(["allow_anonymous true", "max_inflight_messages \(inFlight)"])
            let settings = try settings(broker.address, version: version)
            try await EventLoop.run(time: .real) { loop in
                let reader = try MQTTSubscriber("perch/porch/+/+", at: broker, loop: loop)
                try await withBackend(settings, loop: loop) { backend in
                    for first in stride(from: 0, to: 200, by: 20) {
                        try await backend.store((first..<first + 20).map { record($0, padding: 1000) })
                    }
                }
                for number in 0..<200 {
                    #expect(try await reader.next().contains(record(number, padding: 1000).document))
                }
            }
        }
    }

    @Test(
        "A small picture follows its record and is kept by the broker; a large one is left out, and that is told once")
    func pictures() async throws {
        let broker = try Mosquitto()
        let directory = try TemporaryDirectory()
        try directory.write("a picture", to: "small")
        let log = RecordingLogSink()
        let settings = try settings(broker.address)
        try await EventLoop.run(time: .real) { loop in
            let options = MQTTBackend.Options(largestFile: 9)
            let reader = try MQTTSubscriber("perch/porch/#", at: broker, format: "%t %r %C %p", loop: loop)
            try await withBackend(settings, options: options, loop: loop, log: log) { backend in
                try await backend.store([
                    record(1, file: .file(path: "\(directory.path)/small", size: 9)),
                    record(2, file: .file(path: "\(directory.path)/large", size: 10)),
                ])
                try await backend.store([record(3, file: .file(path: "\(directory.path)/large", size: 10))])
            }
            #expect(try await reader.next().hasPrefix("perch/porch/availability"))
            for _ in 1...2 { #expect(try await reader.next().hasPrefix("perch/porch/bell/pressed 0 application/json")) }
            #expect(try await reader.next() == "perch/porch/bell/pressed/payload 0 image/png a picture")
            #expect(try await reader.next().hasPrefix("perch/porch/bell/pressed 0"))
            let late = try MQTTSubscriber("perch/porch/bell/#", at: broker, format: "%r %p", loop: loop)
            #expect(try await late.next() == "1 a picture")
        }
        #expect(log.entries.count { $0.message.contains("too large") } == 1)
    }

    @Test("Who subscribes later is told whether the board is there", arguments: versions)
    func availability(version: MQTTSettings.Version) async throws {
        let broker = try Mosquitto()
        let settings = try settings(broker.address, version: version)
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                try await backend.store([record(1)])
                let reader = try MQTTSubscriber("perch/porch/availability", at: broker, loop: loop)
                #expect(try await reader.next() == "perch/porch/availability online")
            }
            let reader = try MQTTSubscriber("perch/porch/availability", at: broker, loop: loop)
            #expect(try await reader.next() == "perch/porch/availability offline")
        }
    }

    @Test("A broker that is not there is a temporary error that names it")
    func refused() async throws {
        let broker = try Mosquitto()
        broker.stop()
        let settings = try settings(broker.address)
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                let error = try #require(try await failure(backend, [record(1)]))
                #expect(error.kind == .temporary(retryAfter: nil))
                #expect(error.message.contains("127.0.0.1:\(broker.port)"), "\(error)")
                #expect(error.message.contains("refused"), "\(error)")
            }
        }
    }

    @Test("A wrong login is told without being shown, and the right one is taken", arguments: versions)
    func login(version: MQTTSettings.Version) async throws {
        let directory = try TemporaryDirectory()
        try Mosquitto.writePassword(user: "porch", password: "s3cret", to: "\(directory.path)/passwords")
        let broker = try Mosquitto(["allow_anonymous false", "password_file \(directory.path)/passwords"])
        try await EventLoop.run(time: .real) { loop in
            for login in [nil, HTTPCredentials.basic(user: "porch", password: "guess")] {
                let wrong = try settings(broker.address, version: version) { $0.login = login }
                try await withBackend(wrong, loop: loop) { backend in
                    let error = try #require(try await failure(backend, [record(1)]))
                    #expect(error.kind == .temporary(retryAfter: .seconds(300)))
                    #expect(error.message.lowercased().contains("not authori"), "\(error)")
                    #expect(!error.description.contains("guess"))
                    #expect(error.advice?.contains("login") == true)
                }
            }
            let right = try settings(broker.address, version: version) {
                $0.login = .basic(user: "porch", password: "s3cret")
            }
            try await withBackend(right, loop: loop) { try await $0.store([record(1)]) }
        }
    }

    @Test("In MQTT 5 a topic that is not allowed waits for a person; nothing is thrown away")
    func accessList() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("topic read #\ntopic write perch/porch/availability\n", to: "access")
        let broker = try Mosquitto(["allow_anonymous true", "acl_file \(directory.path)/access"])
        let settings = try settings(broker.address)
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                let error = try #require(try await failure(backend, [record(1)]))
                #expect(error.kind == .temporary(retryAfter: .seconds(300)))
                #expect(error.message.contains("perch/porch/bell/pressed"), "\(error)")
                #expect(error.advice?.contains("access list") == true)
            }
        }
    }

    @Test("A record that nobody has subscribed to is told of, or kept until somebody has")
    func unheard() async throws {
        let broker = try Mosquitto()
        let settings = try settings(broker.address)
        let log = RecordingLogSink()
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop, log: log) { backend in
                for number in 1...3 { try await backend.store([record(number)]) }
            }
            #expect(log.entries.count { $0.message.contains("nobody has subscribed") } == 1)
            let options = MQTTBackend.Options(needsListener: true)
            try await withBackend(settings, options: options, loop: loop) { backend in
                let error = try #require(try await failure(backend, [record(1)]))
                #expect(error.kind == .temporary(retryAfter: nil))
                #expect(error.message.contains("nobody has subscribed"), "\(error)")
                let reader = try MQTTSubscriber("perch/porch/bell/+", at: broker, loop: loop)
                try await backend.store([record(1)])
                #expect(try await reader.next().contains("00000001"))
            }
        }
    }

    @Test("A record that the broker finds too large is rejected for good, and the next one goes through")
    func tooLarge() async throws {
        let broker = try Mosquitto(["allow_anonymous true", "max_packet_size 2000"])
        let settings = try settings(broker.address)
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                let error = try #require(
                    try await failure(backend, [record(1), record(2, padding: 3000), record(3)]))
                #expect(error.kind == .permanent, "\(error)")
                try await backend.store([record(3)])
            }
        }
    }

    @Test("A broker that stands still is given up after a while, and used again when it goes on")
    func standstill() async throws {
        let broker = try Mosquitto()
        let settings = try settings(broker.address) { settings in
            settings.connection.deadlines.stall = .milliseconds(300)
            settings.connection.deadlines.connect = .milliseconds(300)
        }
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                try await backend.store([record(1)])
                broker.signal(SIGSTOP)
                for _ in 1...2 {
                    let error = try #require(try await failure(backend, [record(2)]))
                    #expect(error.kind == .temporary(retryAfter: nil))
                    #expect(error.message.contains("within 0.3 seconds"), "\(error)")
                }
                broker.signal(SIGCONT)
                while let error = try await failure(backend, [record(2)]) {
                    #expect(error.kind == .temporary(retryAfter: nil))
                }
            }
        }
    }

    @Test("TLS verifies the broker, and shows it the board's certificate", arguments: versions)
    func certificates(version: MQTTSettings.Version) async throws {
        let authority = try TestAuthority()
        let broker = try Mosquitto([
            "allow_anonymous true", "cafile \(authority.certificate)", "certfile \(authority.serverCertificate)",
            "keyfile \(authority.serverKey)", "require_certificate true",
        ])
        let known = try settings(broker.secureAddress, version: version) { settings in
            settings.connection.authorities = authority.certificate
            settings.connection.clientCertificate = authority.clientCertificate
            settings.connection.clientKey = authority.clientKey
        }
        var cases: [(settings: MQTTSettings, message: String)] = []
        var changed = known
        changed.connection.authorities = nil
        cases.append((changed, "certificate verify failed"))
        changed.connection.authorities = "/nonexistent.pem"
        cases.append((changed, "cannot read the certificates in /nonexistent.pem"))
        changed = known
        changed.connection.clientCertificate = nil
        changed.connection.clientKey = nil
        cases.append((changed, ""))
        changed = known
        changed.broker = try #require(BrokerAddress("mqtts://localhost:\(broker.port)"))
        cases.append((changed, "host name"))
        try await EventLoop.run(time: .real) { [cases] loop in
            for (settings, message) in cases {
                try await withBackend(settings, loop: loop) { backend in
                    let error = try #require(try await failure(backend, [record(1)]))
                    #expect(error.kind != .permanent)
                    #expect(error.message.contains(message), "\(error)")
                    #expect(error.message.contains(":\(broker.port)"), "\(error)")
                }
            }
            try await withBackend(known, loop: loop) { backend in
                for first in stride(from: 0, to: 100, by: 20) {
                    try await backend.store((first..<first + 20).map { record($0, padding: 20_000) })
                }
            }
        }
    }

    @Test("Cancelling an upload that hangs returns at once")
    func cancellation() async throws {
        let broker = try Mosquitto()
        let settings = try settings(broker.address)
        try await EventLoop.run(time: .real) { loop in
            try await withBackend(settings, loop: loop) { backend in
                try await backend.store([record(1)])
                broker.signal(SIGSTOP)
                let isCancelled = Protected(false)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        do { try await backend.store([record(2)]) } catch is CancellationError {
                            isCancelled.withLock { $0 = true }
                        }
                    }
                    try await loop.sleep(for: .milliseconds(10))
                    group.cancelAll()
                    try await group.waitForAll()
                }
                #expect(isCancelled.withLock { $0 })
                broker.signal(SIGCONT)
            }
        }
    }
}

let versions: [MQTTSettings.Version] = [.v3_1_1, .v5]
