internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A camera that is a program: it is run once for each picture and writes the file.
final class CommandCamera: StillCamera {
    private let configuration: StillCameraConfiguration
    private let loop: EventLoop

    /// Throws `invalidArgument` for a command that cannot know what it has to.
    init(_ configuration: StillCameraConfiguration, loop: EventLoop) throws {
        self.configuration = configuration
        self.loop = loop
        _ = try command(writing: "")
    }

    private func command(writing path: String) throws -> CameraCommand {
        let (values, needed) = CameraCommand.values(configuration.size, configuration.rotation)
        return try CameraCommand(
            configuration.command, values.merging(["": path]) { $1 }, needed: [("", "the picture")] + needed)
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        do {
            try await run(writing: path)
            return try describingErrors({ PeripheralError($0, "'\(program)' wrote no picture", code: .io) }) {
                try mediaType(of: path)
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    private var program: String { configuration.command[0] }

    private func run(writing path: String) async throws {
        let command = try command(writing: path)
        let child = try describingErrors(command.startingError) { try ChildProcess(command.arguments, loop: loop) }
        let isLate = Protected(false)
        let timer = loop.schedule(after: configuration.deadline) {
            isLate.withLock { $0 = true }
            child.kill()
        }
        defer { timer.cancel() }
        let end = await withTaskCancellationHandler {
            await child.end()
        } onCancel: {
            loop.execute { child.kill() }
        }
        try Task.checkCancellation()
        if isLate.withLock({ $0 }) {
            throw PeripheralError(
                .timedOut, "'\(program)' had not taken the picture after \(configuration.deadline)",
                cause: end.lastLine,
                advice: "raise the deadline, or see why it hangs")
        }
        guard end.status == .exited(0) else {
            throw PeripheralError(.io, "'\(program)' \(end.status)", cause: end.lastLine)
        }
    }

    private func mediaType(of path: String) throws -> String {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY)
        let number = try file.open()
        var start = [UInt8](repeating: 0, count: 16)
        let count = try systemCall("read \(path)") { read(number, &start, start.count) }
        guard count > 0 else { throw PeripheralError(.io, "'\(program)' wrote an empty file") }
        return MediaType.of(start.prefix(count))
    }
}

/// What a file is, by the bytes that it begins with.
enum MediaType {
    static func of(_ start: some Sequence<UInt8>) -> String {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        return "application/octet-stream"
    }
}
