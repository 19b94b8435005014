import struct Conformance.SerialBehaviour
import protocol Conformance.SerialBench
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import TestSupport
import Testing

/// This machine's kernel, which has pairs of terminals like any other.
private struct TerminalBench: SerialBench {
    let loop: EventLoop
    let board: any Board
    let terminal: PseudoTerminal

    init(loop: EventLoop) throws {
        self.loop = loop
        terminal = try PseudoTerminal()
        board = LinuxBoard(BoardProfile(name: "desk", serialPorts: ["SERIAL0": terminal.path]), loop: loop)
    }

    func serialSend(_ bytes: [UInt8]) async throws { try await terminal.send(bytes, on: loop) }
    func serialReceived(_ count: Int) async throws -> [UInt8] { try await terminal.receive(count, on: loop) }
    func serialUnplug() throws { terminal.unplug() }
}

@Suite("Serial ports on a pair of terminals")
struct SerialPortTests {
    @Test("Behaves as the suite says", arguments: SerialBehaviour.all)
    func behaviour(_ behaviour: SerialBehaviour) async throws {
        try await EventLoop.run(time: .real) { loop in try await behaviour.show(try TerminalBench(loop: loop)) }
    }

    @Test("A port is opened by any path, and the path and the name of one port exclude each other")
    func paths() async throws {
        try await EventLoop.run(time: .real) { loop in
            let bench = try TerminalBench(loop: loop)
            let path = bench.terminal.path
            let port = try await bench.board.makeSerialPort(path, .init(baudRate: 9600), consumer: "log")
            #expect(port.name == path)
            let error = try await failure {
                _ = try await bench.board.makeSerialPort("SERIAL0", .init(baudRate: 9600), consumer: "test")
            }
            #expect(error.code == .busy)
            #expect(error.message.contains("'log'"))
            port.close()
        }
    }

    @Test("A port that another program has is busy, and the error names the program")
    func otherProgram() async throws {
        try await EventLoop.run(time: .real) { loop in
            let bench = try TerminalBench(loop: loop)
            // Another board stands for another program: it shares no claims with the first.
            let other = LinuxBoard(BoardProfile(name: "other"), loop: loop)
            let port = try await other.makeSerialPort(bench.terminal.path, .init(baudRate: 9600), consumer: "other")
            // As many as databases on the board have: the kernel's list is longer than what one read brings.
            let folder = try TemporaryDirectory()
            let locked = try (0..<200).map { number in
                let file = try FileDescriptor(opening: "\(folder.path)/\(number)", flags: O_WRONLY | O_CREAT)
                try file.lock()
                return file
            }
            defer { for file in locked { file.close() } }
            let error = try await failure {
                _ = try await bench.board.makeSerialPort("SERIAL0", .init(baudRate: 9600), consumer: "test")
            }
            #expect(error.code == .busy)
            #expect(error.message.contains("(process "), "\(error)")
            port.close()
            try await bench.board.makeSerialPort("SERIAL0", .init(baudRate: 9600), consumer: "test").close()
        }
    }

    @Test(
        "What is no serial port is told apart from one that is not there",
        arguments: [
            ("/dev/null", PeripheralError.Code.unsupported, "is no serial port"),
            ("/dev/ttyNOT0", .notFound, "there is no /dev/ttyNOT0"),
        ])
    func noPort(path: String, code: PeripheralError.Code, text: String) async throws {
        let error = try await EventLoop.run(time: .real) { loop in
            let board = LinuxBoard(BoardProfile(name: "desk"), loop: loop)
            return try await failure {
                _ = try await board.makeSerialPort(path, .init(baudRate: 9600), consumer: "test")
            }
        }
        #expect(error.code == code)
        #expect(error.message.contains(text))
    }

    @Test("Closing from another thread, and calls from outside the loop, are as safe as from the loop")
    func otherThreads() async throws {
        let terminal = try PseudoTerminal()
        let port = try await EventLoop.run(time: .real) { loop in
            let board = LinuxBoard(BoardProfile(name: "desk"), loop: loop)
            let port = try await board.makeSerialPort(terminal.path, .init(baudRate: 9600), consumer: "test")
            let outside = try BlockingThread(named: "outside", loop: loop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let error = try await failure { _ = try await port.read() }
                    #expect(error.code == .closed)
                }
                try await loop.sleep(for: .milliseconds(1))
                try await outside.run { port.close() }
                try await group.waitForAll()
            }
            return port
        }
        port.close()
    }
}
