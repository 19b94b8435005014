internal import CLinux
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A camera that is a program: it runs on, and writes one picture after the other to its output.
///
/// Unchecked: used on the loop's thread only.
final class CommandFrameStream: FrameStream, @unchecked Sendable {
    private let program: String
    private let deadline: Duration
    private let loop: EventLoop
    private let child: ChildProcess
    private let pipe: FileDescriptor
    private var watch: DescriptorWatch?
    private var splitter = JPEGSplitter(largest: FrameStreamConfiguration.largestPicture)
    private var frames: [CameraFrame] = []
    private var waiter: Waiter?
    private var hasEnded = false
    private var isClosed = false

    /// How many pictures wait for who fetches them.
    private static let capacity = 3

    /// Starts the program.
    init(_ configuration: FrameStreamConfiguration, loop: EventLoop) throws {
        var (values, needed) = CameraCommand.values(configuration.size, configuration.rotation)
        values["rate"] = "\(configuration.picturesPerSecond)"
        needed.append(("rate", "how many pictures a second there are to be"))
        let command = try CameraCommand(configuration.command, values, needed: needed)
        program = command.program
        deadline = configuration.deadline
        self.loop = loop
        var ends: [Int32] = [0, 0]
        (pipe, child) = try describingErrors(command.startingError) {
            try systemCall("pipe2") { perch_pipe(&ends) }
            let writing = FileDescriptor(taking: ends[1])
            let pipe = FileDescriptor(taking: ends[0])
            defer { writing.close() }
            return (pipe, try ChildProcess(command.arguments, output: writing, loop: loop))
        }
        do {
            watch = try loop.watch(try pipe.open()) { [weak self] _ in self?.read() }
        } catch let error as SystemError {
            child.kill()
            throw command.startingError(error)
        }
    }

    deinit {
        // Who did not close it has failed; the program does not outlive it.
        child.kill()
        watch?.cancel()
    }

    func next() async throws -> CameraFrame {
        let end = loop.now + deadline
        let timer = loop.schedule(at: end) { [weak self] in self?.waiter?.finish() }
        defer { timer.cancel() }
        while true {
            if isClosed { throw PeripheralError(.closed, "the pictures of '\(program)' were closed before") }
            if !frames.isEmpty { return frames.removeFirst() }
            if hasEnded { throw await ending() }
            guard loop.now < end else { throw await lateness() }
            let waiter = Waiter()
            self.waiter = waiter
            defer { self.waiter = nil }
            try await waiter.wait()
        }
    }

    private func read() {
        guard let number = pipe.number else { return }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = (try? systemCall("read pictures") { Glibc.read(number, &buffer, buffer.count) }) ?? 0
        if count > 0 {
            for picture in splitter.add(buffer.prefix(count)) {
                frames.append(CameraFrame(bytes: picture, mediaType: "image/jpeg", timestamp: loop.now))
                if frames.count > Self.capacity { frames.removeFirst() }
            }
            if frames.isEmpty { return }
        } else {
            // It has ended, or closed its output.
            hasEnded = true
            watch?.cancel()
        }
        waiter?.finish()
    }

    private func ending() async -> PeripheralError {
        child.kill()
        let end = await finish()
        return PeripheralError(
            .io, "'\(program)' gives no more pictures: it \(end?.status.description ?? "has ended")",
            cause: end?.lastLine)
    }

    private func lateness() async -> PeripheralError {
        child.kill()
        let end = await finish()
        return PeripheralError(
            .timedOut, "'\(program)' gave no picture for \(deadline)", cause: end?.lastLine,
            advice: "raise the deadline, or see why it hangs; its output must be JPEG pictures")
    }

    func close() async {
        child.kill()
        _ = await finish()
    }

    /// Waits for the program's end, the first time.
    private func finish() async -> (status: ChildProcess.Status, lastLine: String?)? {
        guard !isClosed else { return nil }
        isClosed = true
        watch?.cancel()
        let end = await child.end()
        pipe.close()
        waiter?.finish()
        return end
    }
}
