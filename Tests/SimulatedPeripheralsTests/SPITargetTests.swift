import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

/// What a simulated target can show and the kernel of the tests cannot.
@Suite("Simulated SPI")
struct SPITargetTests {
    /// Notes what it sees.
    private final class Recorder: SimulatedSPIPart {
        private let seen = Protected<[String]>([])
        var log: String { seen.withLock { $0.joined(separator: " ") } }
        func select() { seen.withLock { $0.append("[") } }
        func exchange(_ bytes: [UInt8]) -> [UInt8] {
            seen.withLock { $0.append("\(bytes.count)") }
            return bytes
        }
        func deselect() { seen.withLock { $0.append("]") } }
    }

    private func withTarget(
        limit: Int = 4096, takesBitOrder: Bool = true,
        _ change: @escaping @Sendable (inout SPIConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (EventLoop, SimulatedSPITarget, any SPIDevice) async throws -> Void
    ) async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let target = try board.spiTarget("SPI0.0")
            target.setController {
                $0.largestTransfer = limit
                $0.takesBitOrder = takesBitOrder
            }
            var configuration = SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
            change(&configuration)
            let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
            try await body(loop, target, device)
            device.close()
        }
    }

    private static func segments(_ counts: [Int], releasing: Set<Int> = []) -> [SPISegment] {
        counts.enumerated().map {
            SPISegment(.write([UInt8](repeating: 1, count: $1)), releasesSelect: releasing.contains($0))
        }
    }

    @Test(
        "The part sees chip select as the caller means it, however the transfer is cut",
        arguments: [
            // Limit 256 bytes; pieces share a message as spidev counts them, in steps of 128.
            ([3, 4], [], .refused, "[ 3 4 ]"), ([3, 4], [0], .refused, "[ 3 ] [ 4 ]"),
            ([3, 4], [0, 1], .refused, "[ 3 ] [ 4 ]"), ([256, 1], [0], .refused, "[ 256 ] [ 1 ]"),
            ([300], [], .releasingSelect, "[ 256 ] [ 44 ]"), ([300], [], .keepingSelect, "[ 256 44 ]"),
            ([600], [], .keepingSelect, "[ 256 256 88 ]"), ([600], [], .releasingSelect, "[ 256 ] [ 256 ] [ 88 ]"),
            ([1, 300, 2], [], .keepingSelect, "[ 1 256 44 2 ]"), ([300, 1], [0], .keepingSelect, "[ 256 44 ] [ 1 ]"),
            ([1, 300], [0], .releasingSelect, "[ 1 ] [ 256 ] [ 44 ]"),
            ([100, 100], [], .releasingSelect, "[ 100 100 ]"),
        ] as [([Int], Set<Int>, SPISplitting, String)])
    func chipSelect(counts: [Int], releasing: Set<Int>, splitting: SPISplitting, seen: String) async throws {
        try await withTarget(limit: 256) { _, target, device async throws in
            let recorder = Recorder()
            target.attach(recorder)
            _ = try await device.transfer(Self.segments(counts, releasing: releasing), splitting: splitting)
            #expect(recorder.log == seen)
            #expect(target.selections.count == seen.filter { $0 == "[" }.count)
        }
    }

    @Test("What does not fit and may not be split moves nothing")
    func refused() async throws {
        try await withTarget(limit: 256) { _, target, device async throws in
            let error = await failure { _ = try await device.transfer(Self.segments([256, 1])) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.description.contains("257 bytes in 2 segments") == true)
            #expect(error?.description.contains("256") == true)
            #expect(target.transfers.isEmpty)
        }
    }

    @Test("A split read returns all of its bytes in order")
    func splitRead() async throws {
        try await withTarget(limit: 256) { _, target, device async throws in
            target.attach { $0 }
            let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            #expect(try await device.transfer(bytes, splitting: .keepingSelect) == bytes)
            #expect(target.selections == [bytes])
        }
    }

    @Test("Words are not cut apart")
    func words() async throws {
        try await withTarget(limit: 255, { $0.wordSize = 16 }) { _, target, device async throws in
            try await device.write([UInt8](repeating: 1, count: 510), splitting: .releasingSelect)
            #expect(target.transfers.map(\.count) == [254, 254, 2])
        }
    }

    @Test("A bit order that the controller refuses is made in software, told, and the same on the wire")
    func bitOrder() async throws {
        for takes in [true, false] {
            try await withTarget(takesBitOrder: takes, { $0.bitOrder = .leastSignificantFirst }) {
                _, target, device async throws in
                #expect(device.reversesBitsInSoftware != takes)
                target.attach { $0 }
                #expect(try await device.transfer([0x01, 0xA0]) == [0x01, 0xA0])
                #expect(target.transfers == (takes ? [[0x01, 0xA0]] : [[0x80, 0x05]]))
                #expect(target.lastBit == .high)
            }
        }
    }

    @Test(
        "Bits are reversed within words of every size",
        arguments: [
            (8, [0x01, 0xA0], [0x80, 0x05]), (5, [0x01], [0x10]), (12, [0x01, 0x00], [0x00, 0x08]),
            (16, [0x01, 0x00, 0x34, 0x12], [0x00, 0x80, 0x48, 0x2C]), (24, [0x01, 0, 0, 0], [0, 0, 0x80, 0]),
            (32, [0x01, 0, 0, 0], [0, 0, 0, 0x80]), (1, [0x01], [0x01]),
        ] as [(Int, [UInt8], [UInt8])])
    func reversal(size: Int, bytes: [UInt8], reversed: [UInt8]) async throws {
        let speed = try #require(Frequency(hertz: 1000))
        let configuration = SPIConfiguration(maximumSpeed: speed, wordSize: size)
        #expect(configuration.reversingBits(bytes) == reversed)
        #expect(configuration.reversingBits(reversed) == bytes)
    }

    @Test("A word size that the controller lacks is unsupported")
    func wordSize() async throws {
        try await withTarget { _, target, device async throws in
            device.close()
            target.setController { $0.wordSizes = 8...8 }
        }
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            try board.spiTarget("SPI0.0").setController { $0.wordSizes = 8...8 }
            let speed = try #require(Frequency(hertz: 1000))
            let error = await failure {
                _ = try await board.makeSPIDevice(
                    "SPI0.0", SPIConfiguration(maximumSpeed: speed, wordSize: 16), consumer: "test")
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("Two targets of a bus take turns")
    func turns() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let configuration = SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["SPI0.0", "SPI0.1"] {
                    group.addTask {
                        let device = try await board.makeSPIDevice(name, configuration, consumer: "test")
                        try await device.write([UInt8](repeating: 0, count: 1000))
                        device.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(loop.now == .milliseconds(16))
        }
    }

    @Test("Bytes take eight clocks each, at their segment's speed, and delays are waited for")
    func time() async throws {
        try await withTarget { loop, _, device async throws in
            let start = loop.now
            let slow = SPISegment(.read(count: 10), delay: .microseconds(20), speed: Frequency(hertz: 100_000))
            _ = try await device.transfer([.write([1, 2]), slow])
            #expect(loop.now - start == .microseconds(16 + 800 + 20))
        }
    }
}
