import DeviceRuntime
import Glibc
import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("A camera that is a program")
struct CommandCameraTests {
    private static let patience = Duration.seconds(60)

    /// What taking a picture with a shell script returns; `$1` in it is the file's path.
    private func takePicture(_ script: String, deadline: Duration = patience) async throws -> String {
        let folder = try TemporaryDirectory()
        return try await EventLoop.run(time: .real) { loop in
            let board = LinuxBoard(.generic, loop: loop)
            let camera = try await board.makeStillCamera(
                StillCameraConfiguration(command: ["sh", "-c", script, "sh", "{}"], deadline: deadline),
                consumer: "test")
            do {
                return try await camera.takePicture(to: "\(folder.path)/picture", caption: "")
            } catch {
                #expect(!SystemFiles.exists("\(folder.path)/picture"), "a failed picture is left behind")
                throw error
            }
        }
    }

    private func failureOf(_ script: String, deadline: Duration = patience) async throws -> PeripheralError {
        try await failure { _ = try await takePicture(script, deadline: deadline) }
    }

    @Test(
        "The media type is read from what was written",
        arguments: [
            (#"\377\330\377\340"#, "image/jpeg"), (#"\211PNG\r\n\032\n"#, "image/png"),
            (#"\211PNG"#, "application/octet-stream"), ("x", "application/octet-stream"),
        ])
    func mediaTypes(content: String, expected: String) async throws {
        #expect(try await takePicture("printf '\(content)' > $1") == expected)
    }

    @Test(
        "A failed program is told with its status and the last thing that it said",
        arguments: [
            ("echo first >&2; echo 'no camera found' >&2; echo >&2; exit 3", "status 3", "no camera found"),
            ("echo x > $1; exit 1", "status 1", nil),
            ("echo going >&2; kill -TERM $$", "signal 15", "going"),
            (
                "i=0; while [ $i -lt 20000 ]; do echo \"line $i\" >&2; i=$((i+1)); done; exit 2", "status 2",
                "line 19999"
            ),
        ] as [(String, String, String?)])
    func failures(script: String, status: String, lastLine: String?) async throws {
        let error = try await failureOf(script)
        #expect(error.code == .io)
        #expect(error.message.contains(status), "\(error)")
        #expect(error.cause == lastLine)
    }

    @Test("A program that ends well has written a picture", arguments: ["true", ": > $1"])
    func noPicture(script: String) async throws {
        #expect(try await failureOf(script).code == .io)
    }

    @Test("After the deadline the program is killed, however it resists")
    func deadline() async throws {
        let error = try await failureOf("trap '' TERM INT; echo waiting >&2; sleep 1000", deadline: .milliseconds(200))
        #expect(error.code == .timedOut)
        #expect(error.message.contains("0.2 seconds"), "\(error)")
    }

    @Test("A cancelled picture leaves nothing running, also not what the program started")
    func cancellation() async throws {
        let folder = try TemporaryDirectory()
        let fifo = "\(folder.path)/alive"
        #expect(mkfifo(fifo, 0o600) == 0)
        try await EventLoop.run(time: .real) { loop in
            // At its end when nobody is left that could write to it.
            let alive = try FileDescriptor(opening: fifo, flags: O_RDONLY | O_NONBLOCK)
            let camera = try CommandCamera(
                StillCameraConfiguration(
                    command: ["sh", "-c", "exec 9>\(fifo); (sleep 1000; : {}) & echo x >&9; wait"],
                    deadline: Self.patience), loop: loop)
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await camera.takePicture(to: "\(folder.path)/picture", caption: "") }
                    try await loop.wait(for: try alive.open())
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            let number = try alive.open()
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(Glibc.read(number, &bytes, bytes.count) == 2)
            try await loop.wait(for: number)
            #expect(Glibc.read(number, &bytes, bytes.count) == 0)
        }
    }

    @Test("The program does not inherit that the loop's thread blocks its signals")
    func signalMask() async throws {
        let error = try await failureOf("grep SigBlk /proc/self/status >&2; exit 1")
        #expect(error.cause == "SigBlk:\t0000000000000000")
    }

    @Test("The program does not inherit an open file, also not one that a library left inheritable")
    func descriptors() async throws {
        let file = FileDescriptor(taking: try systemCall("open") { open("/dev/null", O_RDONLY) })
        defer { file.close() }
        // The shell opens the folder that it lists, at the lowest number that is free.
        let error = try await failureOf("echo /proc/self/fd/* >&2; exit 1")
        #expect(error.cause == "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3")
    }

    @Test(
        "A command that cannot work is refused with advice",
        arguments: [
            ([], .invalidArgument), ([""], .invalidArgument),
            (["rpicam-still", "-o", "picture.jpg"], .invalidArgument),
            (["{}"], .invalidArgument), (["perch-has-no-such-program", "{}"], .notFound),
            (["/etc/passwd", "{}"], .permissionDenied),
        ] as [([String], PeripheralError.Code)])
    func refusals(command: [String], code: PeripheralError.Code) async throws {
        let error = try await failure {
            try await EventLoop.run(time: .real) { loop in
                let camera = try CommandCamera(
                    StillCameraConfiguration(command: command, deadline: Self.patience), loop: loop)
                _ = try await camera.takePicture(to: "/nowhere/picture", caption: "")
            }
        }
        #expect(error.code == code)
    }
}
