import CLinux
import DeviceRuntime
import Glibc
import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("A camera that goes on taking pictures")
struct CommandFrameStreamTests {
    /// Writes a picture whose data is one byte.
    private static let functions = #"picture() { printf '\377\330\377\332\000\002'"$1"'\377\331'; }; "#

    /// Runs `body` with the stream of a shell script; `$1` in it is a folder.
    private func withStream<Value: Sendable>(
        _ script: String, deadline: Duration = .seconds(60),
        _ body: @escaping @Sendable (any FrameStream, EventLoop, TemporaryDirectory) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryDirectory()
        return try await EventLoop.run(time: .real) { loop in
            let stream = try await LinuxBoard(.generic, loop: loop).makeFrameStream(
                FrameStreamConfiguration(
                    command: ["sh", "-c", Self.functions + script, "sh", folder.path, "{rate}"], picturesPerSecond: 5,
                    deadline: deadline),
                consumer: "test")
            do {
                let value = try await body(stream, loop, folder)
                await stream.close()
                return value
            } catch {
                await stream.close()
                throw error
            }
        }
    }

    @Test("Pictures come one after the other, with the rate in the command")
    func pictures() async throws {
        let frames = try await withStream("for i in 1 2 3; do picture a; done; picture $2; sleep 60") {
            stream, loop, _ in
            var frames: [CameraFrame] = []
            // Those that came before anybody asked may be fewer.
            while frames.last?.bytes[6] != UInt8(ascii: "5") { frames.append(try await stream.next()) }
            return frames
        }
        #expect(frames.allSatisfy { $0.mediaType == "image/jpeg" && $0.bytes.count == 9 })
    }

    @Test("Of what nobody fetches the newest few wait")
    func unfetched() async throws {
        let script = "for i in 1 2 3 4 5 6 7 8 9; do picture $i; done; sleep 0.3; picture x; touch $1/done; sleep 60"
        let first = try await withStream(script) { stream, loop, folder in
            while !SystemFiles.exists("\(folder.path)/done") { try await loop.sleep(for: .milliseconds(10)) }
            // The last one may not have been read.
            try await loop.sleep(for: .milliseconds(50))
            return try await stream.next().bytes[6]
        }
        #expect(first == UInt8(ascii: "8"))
    }

    @Test("A program that ends is an error with the last thing that it said")
    func ending() async throws {
        let error = try await failure {
            try await withStream("picture a; echo 'no camera found' >&2; exit 3") { stream, _, _ in
                while true { _ = try await stream.next() }
            }
        }
        #expect(error.code == .io)
        #expect(error.message.contains("status 3"), "\(error)")
        #expect(error.cause == "no camera found")
    }

    @Test("A program that hangs is killed with all that it started, when its time is over")
    func hanging() async throws {
        let error = try await failure {
            try await withStream("sleep 1000 & echo $! > $1/child; picture a; wait", deadline: .milliseconds(500)) {
                stream, loop, folder in
                _ = try await stream.next()
                do {
                    _ = try await stream.next()
                } catch {
                    let child = try #require(Int32(try SystemFiles.text(of: "\(folder.path)/child")))
                    // It ends a moment after it was killed, if it was not gone before.
                    if let number = try? systemCall("pidfd_open", { perch_pidfd_open(child) }) {
                        let handle = FileDescriptor(taking: number)
                        try await loop.wait(for: handle.open())
                        handle.close()
                    }
                    throw error
                }
            }
        }
        #expect(error.code == .timedOut)
    }

    @Test("What it writes that is no picture does not count")
    func garbage() async throws {
        let error = try await failure {
            try await withStream("while :; do printf 'no picture'; sleep 0.01; done", deadline: .milliseconds(300)) {
                stream, _, _ in _ = try await stream.next()
            }
        }
        #expect(error.code == .timedOut)
        #expect(error.description.contains("JPEG"))
    }

    @Test("Closing ends the program and who waits")
    func closing() async throws {
        try await withStream("sleep 1000") { stream, loop, _ in
            try await withThrowingTaskGroup(of: PeripheralError.Code?.self) { group in
                group.addTask {
                    do { _ = try await stream.next() } catch let error as PeripheralError { return error.code }
                    return nil
                }
                try await loop.sleep(for: .milliseconds(50))
                await stream.close()
                #expect(try await group.next() == .closed)
            }
            await stream.close()
            #expect(try await failure { _ = try await stream.next() }.code == .closed)
        }
    }

    @Test(
        "A command that lacks what it is to know is refused",
        arguments: [
            (["cam"], PictureSize?.none, PictureRotation.none, "how many pictures"),
            (["cam", "{rate}"], PictureSize(width: 640, height: 480), .none, "width"),
            (["cam", "{rate}"], nil, .half, "rotation"), ([], nil, .none, "empty"),
            (["/no/such", "{rate}"], nil, .none, "no program"),
        ])
    func refused(command: [String], size: PictureSize?, rotation: PictureRotation, words: String) async throws {
        let error = try await failure {
            try await EventLoop.run(time: .real) { loop in
                let stream = try await LinuxBoard(.generic, loop: loop).makeFrameStream(
                    FrameStreamConfiguration(
                        command: command, picturesPerSecond: 1, deadline: .seconds(1), size: size, rotation: rotation),
                    consumer: "test")
                await stream.close()
            }
        }
        #expect(error.description.contains(words), "\(error)")
    }
}
