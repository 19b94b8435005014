public import DeviceRuntime
public import Peripherals
public import Testing

/// Something that every serial port does. It needs no more than the port's two ends, so it can be shown wherever there
/// is a pair of terminals.
public struct SerialBehaviour: Sendable, CustomTestStringConvertible {
    public let name: String
    public let show: @Sendable (any SerialBench) async throws -> Void

    init(_ name: String, _ show: @escaping @Sendable (any SerialBench) async throws -> Void) {
        self.name = name
        self.show = show
    }

    public var testDescription: String { name }
}

/// A board whose `SERIAL0` is wired to a far end, and whose driver knows eight bits without parity only.
public protocol SerialBench: Sendable {
    var loop: EventLoop { get }
    var board: any Board { get }

    /// Sends from the far end.
    func serialSend(_ bytes: [UInt8]) async throws

    /// Waits until so many bytes have arrived at the far end, and takes them.
    func serialReceived(_ count: Int) async throws -> [UInt8]

    /// Takes the port away.
    func serialUnplug() throws
}

extension SerialBench {
    /// Lets what was begun come to where it waits.
    func settle() async throws { try await loop.sleep(for: .milliseconds(5)) }
}

extension Behaviour {
    static let serialPorts = SerialBehaviour.all.map { behaviour in
        Behaviour("Serial ports", behaviour.name) { bench in try await behaviour.show(bench) }
    }
}

extension SerialBehaviour {
    public static let all = serialTransfers + serialWaits + serialOpenings

    private static let everyByte = [UInt8](0...255)

    private static func open(
        _ bench: any SerialBench, flowControl: SerialConfiguration.FlowControl = .none, consumer: String = "test"
    ) async throws -> any SerialPort {
        try await bench.board.makeSerialPort(
            "SERIAL0", SerialConfiguration(baudRate: 115_200, flowControl: flowControl), consumer: consumer)
    }

    /// Reads as many bytes.
    private static func bytes(_ count: Int, from port: any SerialPort) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let input = try await port.read(timeout: .seconds(30))
            guard case .bytes(let more) = input else {
                Issue.record("\(input) came in")
                return bytes
            }
            bytes += more
        }
        return bytes
    }

    private static let serialTransfers = [
        SerialBehaviour("Each of the 256 bytes arrives as it was written, and as it was sent") { bench in
            let port = try await open(bench)
            try await port.write(everyByte)
            #expect(try await bench.serialReceived(256) == everyByte)
            try await bench.serialSend(everyByte)
            #expect(try await bytes(256, from: port) == everyByte)
            port.close()
        },
        SerialBehaviour("A write larger than every buffer waits for the other end, and arrives whole") {
            bench in
            let port = try await open(bench)
            let large = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            async let received = bench.serialReceived(large.count)
            try await port.write(large)
            #expect(try await received == large)
            try await port.drain()
            port.close()
        },
        SerialBehaviour("Lines come one by one, however they were cut on the way") { bench in
            let port = try await open(bench)
            var lines = port.lines().makeAsyncIterator()
            try await bench.serialSend(Array("one\ntwo\n\nth".utf8))
            #expect(try await lines.next() == .complete(Array("one".utf8)))
            #expect(try await lines.next() == .complete(Array("two".utf8)))
            #expect(try await lines.next() == .complete([]))
            try await bench.serialSend(Array("ree\n".utf8))
            #expect(try await lines.next() == .complete(Array("three".utf8)))
            port.close()
        },
        SerialBehaviour("A line that does not end is told when it is too long, and the next one is whole") {
            bench in
            let port = try await open(bench)
            var lines = port.lines(maximumLength: 8).makeAsyncIterator()
            try await bench.serialSend(Array("0123456789".utf8))
            #expect(try await lines.next() == .tooLong(Array("01234567".utf8)))
            try await bench.serialSend(Array("ABCDEF\nshort\n".utf8))
            #expect(try await lines.next() == .complete(Array("short".utf8)))
            port.close()
        },
        SerialBehaviour("With XON/XOFF, the other end stops what is written and lets it go on") { bench in
            let port = try await open(bench, flowControl: .xonXOFF)
            try await port.write([1])
            #expect(try await bench.serialReceived(1) == [1])
            // An ordinary byte behind it shows that the stop has arrived.
            try await bench.serialSend([0x13, 7])
            #expect(try await bytes(1, from: port) == [7])
            let isWritten = Protected(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await port.write([UInt8](repeating: 2, count: 20_000))
                    isWritten.withLock { $0 = true }
                }
                try await bench.settle()
                #expect(!isWritten.withLock { $0 })
                try await bench.serialSend([0x11])
                #expect(try await bench.serialReceived(20_000).count == 20_000)
                try await group.waitForAll()
            }
            port.close()
        },
    ]

    private static let serialWaits = [
        SerialBehaviour("A read to which nothing comes ends at its time, and names the port") { bench in
            let port = try await open(bench)
            let start = bench.loop.now
            let error = await failure { _ = try await port.read(timeout: .milliseconds(30)) }
            #expect(error?.code == .timedOut)
            #expect(error?.description.contains("SERIAL0") == true)
            #expect(bench.loop.now - start >= .milliseconds(30))
            try await bench.serialSend([9])
            #expect(try await port.read(timeout: .seconds(30)) == .bytes([9]))
            port.close()
        },
        SerialBehaviour("Closing ends a read that waits and the sequence of lines") { bench in
            let port = try await open(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { #expect(await failure { _ = try await port.read() }?.code == .closed) }
                try await bench.settle()
                port.close()
                try await group.waitForAll()
            }
            let other = try await open(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for try await line in other.lines() { Issue.record("\(line) came in") } }
                try await bench.settle()
                other.close()
                try await group.waitForAll()
            }
        },
        SerialBehaviour("Closing ends a write that the other end holds up, and what was not sent is dropped") { bench in
            let port = try await open(bench, flowControl: .xonXOFF)
            try await bench.serialSend([0x13, 7])
            #expect(try await bytes(1, from: port) == [7])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let error = await failure { try await port.write([UInt8](repeating: 2, count: 20_000)) }
                    #expect(error?.code == .closed)
                }
                try await bench.settle()
                port.close()
                try await group.waitForAll()
            }
            let next = try await open(bench)
            try await next.write([9])
            #expect(try await bench.serialReceived(1) == [9])
            next.close()
        },
        SerialBehaviour("Cancelling ends a read that waits, and the port can be read again") { bench in
            let port = try await open(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        _ = try await port.read()
                        Issue.record("something came in")
                    } catch is CancellationError {}
                }
                try await bench.settle()
                group.cancelAll()
                try await group.waitForAll()
            }
            try await bench.serialSend([5])
            #expect(try await port.read(timeout: .seconds(30)) == .bytes([5]))
            port.close()
        },
        SerialBehaviour("A second reader is refused while the first waits") { bench in
            let port = try await open(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let input = try await port.read(timeout: .seconds(30))
                    #expect(input == .bytes([3]))
                }
                try await bench.settle()
                #expect(await failure { _ = try await port.read() }?.code == .busy)
                try await bench.serialSend([3])
                try await group.waitForAll()
            }
            port.close()
        },
        SerialBehaviour("A port that is unplugged ends the sequence with an error, and takes no more") {
            bench in
            let port = try await open(bench)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let error = await failure { for try await _ in port.input {} }
                    #expect(error?.code == .io)
                    #expect(error?.description.contains("SERIAL0 was unplugged") == true)
                }
                try await bench.settle()
                try bench.serialUnplug()
                try await group.waitForAll()
            }
            #expect(await failure { try await port.write([1]) }?.code == .io)
            #expect(await failure { _ = try await port.read(timeout: .seconds(1)) }?.code == .io)
            port.close()
        },
    ]

    private static let serialOpenings = [
        SerialBehaviour("A port that is held is busy, names its holder, and is free when it was closed") {
            bench in
            let port = try await open(bench, consumer: "the holder")
            let error = await failure { _ = try await open(bench, consumer: "another") }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'the holder'") == true)
            port.close()
            port.close()
            try await open(bench, consumer: "another").close()
        },
        SerialBehaviour("Every call on a closed port says that it was closed") { bench in
            let port = try await open(bench)
            port.close()
            #expect(await failure { _ = try await port.read() }?.code == .closed)
            #expect(await failure { try await port.write([1]) }?.code == .closed)
            #expect(await failure { try await port.drain() }?.code == .closed)
        },
        SerialBehaviour("What came before the opening is not delivered") { bench in
            try await open(bench).close()
            try await bench.serialSend([1, 2, 3])
            try await bench.settle()
            let port = try await open(bench)
            try await bench.serialSend([4])
            #expect(try await port.read(timeout: .seconds(30)) == .bytes([4]))
            port.close()
        },
        SerialBehaviour("A baud rate of no standard is taken, and one that is none is refused") { bench in
            for rate in [31_250, 250_000, 12_345] {
                let port = try await bench.board.makeSerialPort("SERIAL0", .init(baudRate: rate), consumer: "test")
                try await port.write([1])
                #expect(try await bench.serialReceived(1) == [1])
                port.close()
            }
            for rate in [0, -9600] {
                let error = await failure {
                    _ = try await bench.board.makeSerialPort("SERIAL0", .init(baudRate: rate), consumer: "test")
                }
                #expect(error?.code == .invalidArgument)
            }
        },
        SerialBehaviour("Settings that the port's driver leaves out are refused, not ignored") { bench in
            let error = await failure {
                _ = try await bench.board.makeSerialPort(
                    "SERIAL0", .init(baudRate: 9600, dataBits: .seven, parity: .even), consumer: "test")
            }
            #expect(error?.code == .unsupported)
            try await open(bench).close()
        },
        SerialBehaviour("A port that the board does not have is not found, and the error lists what there is") {
            bench in
            let error = await failure {
                _ = try await bench.board.makeSerialPort("SERIAL9", .init(baudRate: 9600), consumer: "test")
            }
            #expect(error?.code == .notFound)
            #expect(error?.description.contains("SERIAL0") == true)
        },
    ]
}
