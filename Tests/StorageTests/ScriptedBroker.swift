import DeviceRuntime
import Glibc
import TestSupport

/// A packet of MQTT (OASIS MQTT 5.0, 2.1), as far as a broker's side needs it.
struct MQTTPacket: Sendable {
    /// The first byte: what it is, and its flags.
    let header: UInt8
    let body: [UInt8]

    enum Kind: UInt8, Sendable {
        case connect = 1
        case publish = 3
        case subscribe = 8
        case ping = 12
        case disconnect = 14
    }

    var kind: Kind? { Kind(rawValue: header >> 4) }

    /// Of a message with QoS 1, and of a subscription: the number that the answer repeats.
    var number: [UInt8] {
        switch kind {
        case .publish: Array(body.dropFirst(2 + Int(body[0]) << 8 + Int(body[1])).prefix(2))
        default: Array(body.prefix(2))
        }
    }

    /// Of a message.
    var topic: String { String(decoding: body.dropFirst(2).prefix(Int(body[0]) << 8 + Int(body[1])), as: UTF8.self) }
}

/// A broker that answers what a test wants, over one connection after the other.
final class ScriptedBroker: Sendable {
    enum Answer: Sendable {
        case bytes([UInt8])
        case nothing
        case close

        /// CONNACK: a code, and properties.
        static func accept(_ code: UInt8 = 0, _ properties: [UInt8] = []) -> Answer {
            .bytes([0x20, UInt8(3 + properties.count), 0, code, UInt8(properties.count)] + properties)
        }

        /// PUBACK
        static func confirm(_ packet: MQTTPacket, _ code: UInt8 = 0) -> Answer {
            .bytes([0x40, 4] + packet.number + [code, 0])
        }

        /// What a well-behaved broker says.
        static func normal(_ packet: MQTTPacket) -> Answer {
            switch packet.kind {
            case .connect: accept()
            case .publish: packet.header & 0x06 == 0 ? .nothing : confirm(packet)
            case .subscribe: .bytes([0x90, 4] + packet.number + [0, 1])
            case .ping: .bytes([0xD0, 0])
            case .disconnect, nil: .close
            }
        }
    }

    private let socket: ListeningSocket
    private let loop: EventLoop

    init(loop: EventLoop) throws {
        socket = try ListeningSocket()
        self.loop = loop
    }

    var address: String { "mqtt://127.0.0.1:\(socket.port)" }

    /// Answers until cancelled.
    func serve(_ answer: @Sendable (MQTTPacket) -> Answer) async throws {
        while true {
            let connection = try await socket.accept(on: loop)
            try? await serve(connection, answer)
            connection.close()
            try Task.checkCancellation()
        }
    }

    private func serve(_ connection: FileDescriptor, _ answer: @Sendable (MQTTPacket) -> Answer) async throws {
        var buffer: [UInt8] = []
        while true {
            while let packet = Self.takePacket(from: &buffer) {
                switch answer(packet) {
                case .bytes(let bytes): try send(bytes, over: connection)
                case .nothing: break
                case .close: return
                }
            }
            try await loop.wait(for: connection.open())
            let number = try connection.open()
            var bytes = [UInt8](repeating: 0, count: 64 * 1024)
            let count = try systemCall("recv") { recv(number, &bytes, bytes.count, 0) }
            if count == 0 { return }
            buffer += bytes[..<count]
        }
    }

    private func send(_ bytes: [UInt8], over connection: FileDescriptor) throws {
        let number = try connection.open()
        try systemCall("send") { Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    private static func takePacket(from buffer: inout [UInt8]) -> MQTTPacket? {
        var length = 0
        for (index, byte) in buffer.dropFirst().prefix(4).enumerated() {
            length |= Int(byte & 0x7F) << (7 * index)
            guard byte & 0x80 == 0 else { continue }
            let start = 2 + index
            guard buffer.count >= start + length else { return nil }
            defer { buffer.removeFirst(start + length) }
            return MQTTPacket(header: buffer[0], body: Array(buffer[start..<start + length]))
        }
        return nil
    }
}
