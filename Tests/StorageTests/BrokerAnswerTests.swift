import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

/// What a real broker says seldom: each answer of the protocol, silence, and what is no answer at all.
@Suite("MQTT backend and brokers' answers", .boundedHang)
struct BrokerAnswerTests {
    /// Stores records at a broker that answers so, and returns the error.
    private func failure(
        _ records: [StoredRecord] = [record(1)], version: MQTTSettings.Version = .v5,
        options: MQTTBackend.Options = MQTTBackend.Options(),
        _ answer: @escaping @Sendable (MQTTPacket) -> ScriptedBroker.Answer
    ) async throws -> StorageError? {
        try await EventLoop.run(time: .real) { loop in
            let broker = try ScriptedBroker(loop: loop)
            return try await withBackend(at: broker, version: version, options: options, loop: loop, answer) {
                backend in
                do {
                    try await backend.store(records)
                    return nil
                } catch let error as StorageError {
                    return error
                }
            }
        }
    }

    private func withBackend<Value: Sendable>(
        at broker: ScriptedBroker, version: MQTTSettings.Version = .v5,
        options: MQTTBackend.Options = MQTTBackend.Options(), deadline: Duration = .milliseconds(300),
        keepAlive: Duration = .seconds(60), loop: EventLoop,
        _ answer: @escaping @Sendable (MQTTPacket) -> ScriptedBroker.Answer,
        _ body: @escaping @Sendable (MQTTBackend) async throws -> Value
    ) async throws -> Value {
        let address = try #require(BrokerAddress(broker.address))
        let settings = MQTTSettings(
            broker: address, clientID: "perch-porch", version: version,
            connection: ConnectionSettings(deadlines: TransferDeadlines(connect: deadline, stall: deadline)),
            keepAlive: keepAlive)
        let backend = try MQTTBackend(
            name: "hub", device: "porch", settings: settings, options: options, loop: loop,
            logger: Logger(RecordingLogSink()))
        let result = Protected<Value?>(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await broker.serve(answer) }
            defer { group.cancelAll() }
            try await ServiceGroup([backend], logger: Logger(RecordingLogSink())).run {
                let value = try await body(backend)
                result.withLock { $0 = value }
            }
        }
        return try #require(result.withLock { $0 })
    }

    enum Meaning: Sendable { case stored, temporary, pause, rejected }

    private func expect(_ error: StorageError?, _ meaning: Meaning, _ code: UInt8) {
        switch (meaning, error?.kind) {
        case (.stored, nil), (.temporary, .temporary(retryAfter: nil)), (.rejected, .permanent): break
        case (.pause, .temporary(retryAfter: .some)): #expect(error?.advice != nil, "\(code)")
        default: Issue.record("\(code): \(String(describing: error))")
        }
        if let error { #expect(error.message.contains("mqtt://127.0.0.1:"), "\(error)") }
    }

    @Test(
        "Each answer to a message, as the outbox has to take it",
        arguments: [
            (.stored, [0x00, 0x10]), (.temporary, [0x80, 0x83, 0x91, 0x97]), (.pause, [0x87, 0x90]),
            (.rejected, [0x95, 0x99]),
        ] as [(Meaning, [UInt8])])
    func confirmations(meaning: Meaning, codes: [UInt8]) async throws {
        for code in codes {
            let error = try await failure { packet in
                packet.kind == .publish && packet.topic.contains("bell") ? .confirm(packet, code) : .normal(packet)
            }
            expect(error, meaning, code)
        }
    }

    @Test("What may pass goes before what is rejected: the others come again with it")
    func mixedBatch() async throws {
        let count = Protected(0)
        let error = try await failure([record(1), record(2), record(3)]) { packet in
            guard packet.kind == .publish, packet.topic.contains("bell") else { return .normal(packet) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .confirm(packet, [0x99, 0x00, 0x97][number - 1])
        }
        #expect(error?.kind == .temporary(retryAfter: nil))
    }

    @Test(
        "Each refusal of a connection, as the outbox has to take it",
        arguments: [
            (.v5, .temporary, [0x80, 0x88, 0x89, 0x97, 0x9F]),
            (.v5, .pause, [0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C, 0x9C, 0x9D]), (.v3_1_1, .temporary, [3]),
            (.v3_1_1, .pause, [1, 2, 4, 5]),
        ] as [(MQTTSettings.Version, Meaning, [UInt8])])
    func refusals(version: MQTTSettings.Version, meaning: Meaning, codes: [UInt8]) async throws {
        for code in codes {
            let error = try await failure(version: version) { _ in
                version == .v5 ? .accept(code) : .bytes([0x20, 2, 0, code])
            }
            expect(error, meaning, code)
            #expect(error?.message.contains("refuses the connection") == true, "\(String(describing: error))")
        }
    }

    @Test("What the broker says in words is passed on")
    func reasonString() async throws {
        let error = try await failure { _ in .accept(0x89, [0x1F, 0, 5] + Array("later".utf8)) }
        #expect(error?.message.contains("(later)") == true, "\(String(describing: error))")
    }

    @Test("A broker that throws the board out says why")
    func disconnection() async throws {
        for (code, meaning) in [(0x8B, .temporary), (0x8E, .pause)] as [(UInt8, Meaning)] {
            let error = try await failure { packet in
                packet.kind == .publish ? .bytes([0xE0, 2, code, 0]) : .normal(packet)
            }
            expect(error, meaning, code)
            #expect(error?.message.contains("0x\(String(code, radix: 16))") == true, "\(String(describing: error))")
        }
    }

    @Test("Silence ends after its deadline, wherever it begins")
    func silence() async throws {
        for kind in [MQTTPacket.Kind.connect, .publish] {
            let error = try #require(try await failure { $0.kind == kind ? .nothing : .normal($0) })
            #expect(error.kind == .temporary(retryAfter: nil))
            #expect(error.message.contains("within 0.3 seconds"), "\(error)")
        }
    }

    @Test("What is no broker is told from one")
    func otherServers() async throws {
        for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.local ESMTP\r\n"] {
            let error = try #require(try await failure { _ in .bytes(Array(answer.utf8)) })
            #expect(error.kind == .temporary(retryAfter: nil), "\(error)")
            #expect(error.advice?.contains("MQTT broker's port") == true, "\(error)")
        }
        let closed = try #require(try await failure { _ in .close })
        #expect(closed.kind == .temporary(retryAfter: nil))
    }

    @Test("Never more messages are under way than the broker takes")
    func receiveMaximum() async throws {
        let unconfirmed = Protected<(packets: [MQTTPacket], most: Int)>(([], 0))
        let error = try await failure((1...20).map { record($0) }) { packet in
            guard packet.kind == .publish, packet.header & 0x06 != 0 else {
                // Receive Maximum: 2
                return packet.kind == .connect ? .accept(0, [0x21, 0, 2]) : .normal(packet)
            }
            return unconfirmed.withLock { state in
                state.packets.append(packet)
                state.most = max(state.most, state.packets.count)
                // Two at a time, as late as can be: 21 with the board's availability, so the last one comes alone.
                guard state.packets.count == 2 || packet.topic.contains("bell") && packet.number.last == 21 else {
                    return .nothing
                }
                let answers = state.packets.flatMap { packet -> [UInt8] in [0x40, 4] + packet.number + [0, 0] }
                state.packets = []
                return .bytes(answers)
            }
        }
        #expect(error == nil)
        #expect(unconfirmed.withLock { $0.most } == 2)
    }

    @Test("A record whose confirmation is lost is sent again, under the same identity")
    func lostConfirmation() async throws {
        try await EventLoop.run(time: .real) { loop in
            let broker = try ScriptedBroker(loop: loop)
            let messages = Protected<[[UInt8]]>([])
            try await withBackend(at: broker, loop: loop) { packet in
                guard packet.kind == .publish, packet.topic.contains("bell") else { return .normal(packet) }
                return messages.withLock { messages in
                    messages.append(Array(packet.body.drop { $0 != UInt8(ascii: "{") }))
                    return messages.count == 1 ? .close : .confirm(packet)
                }
            } _: { backend in
                let failure = Protected<StorageError?>(nil)
                do { try await backend.store([record(1)]) } catch let error as StorageError {
                    failure.withLock { $0 = error }
                }
                #expect(failure.withLock { $0 }?.kind == .temporary(retryAfter: nil))
                try await backend.store([record(1)])
            }
            let documents = messages.withLock { $0 }
            #expect(documents == Array(repeating: Array(record(1).document.utf8), count: 2))
        }
    }

    @Test("A connection on which nothing happens is kept alive, and given up when nobody is there any more")
    func keepAlive() async throws {
        try await EventLoop.run(time: .real) { loop in
            let broker = try ScriptedBroker(loop: loop)
            let (pinged, reconnected) = (Waiter(), Waiter())
            let connections = Protected(0)
            try await withBackend(at: broker, deadline: .seconds(30), keepAlive: .seconds(5), loop: loop) { packet in
                let connections = connections.withLock { count in
                    if packet.kind == .connect { count += 1 }
                    return count
                }
                if packet.kind == .ping { pinged.finish() }
                if connections == 2 { reconnected.finish() }
                return packet.kind == .ping ? .nothing : .normal(packet)
            } _: { _ in
                try await pinged.wait()
                try await reconnected.wait()
            }
        }
    }
}
