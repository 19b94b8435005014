public import DeviceKit
import DeviceRuntime
import Peripherals

/// A camera that takes a picture when told to; if wanted, with pictures of the moments before.
public actor Camera: Device {
    private let context: DeviceContext
    private let still: StillCameraConfiguration
    /// For pictures of the moments before.
    private let stream: FrameStreamConfiguration
    private let countBefore: Int

    /// What the next picture is of; a second wish while one is being taken replaces the first.
    private var wish: String?
    private var wake: AsyncStream<Void>.Continuation?

    /// The pictures of the moments before stay in memory: a Raspberry Pi Zero has 512 MB.
    private static let ringBytes = 32 << 20

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        let source = try options[Self.source]
        let (device, deadline) = (try options[Self.device], try options[Self.deadline])
        let (size, rotation) = (try options[Self.size], try options[Self.rotate])
        let stillCommand = try options[Self.command]
        still = StillCameraConfiguration(
            command: stillCommand ?? source.stillCommand(device: device, size: size, rotation: rotation),
            deadline: deadline, size: size, rotation: rotation)
        let streamCommand = try options[Self.streamCommand]
        stream = FrameStreamConfiguration(
            command: streamCommand ?? source.streamCommand(device: device, size: size, rotation: rotation),
            picturesPerSecond: try options[Self.rate], deadline: deadline, size: size, rotation: rotation)
        countBefore = try options[Self.before]
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        if countBefore > 0 { try await runStream(ready) } else { try await runStills(ready) }
    }

    public func perform(_ command: Command) async throws {
        guard command.name == "capture" else { throw DeviceError.unknownCommand(command.name) }
        wish = command.cause ?? context.name
        wake?.yield()
    }

    // MARK: A program for each picture

    private func runStills(_ ready: @Sendable () -> Void) async throws {
        let camera = try await context.board.makeStillCamera(still, consumer: context.name)
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        defer { self.wake = nil }
        ready()
        if wish != nil { wake.yield() }
        for await _ in wakes {
            guard let cause = wish else { continue }
            wish = nil
            try await capture(camera, cause)
        }
        try Task.checkCancellation()
    }

    /// A picture that fails is an event too, and the camera stays in service for the next one.
    private func capture(_ camera: any StillCamera, _ cause: String) async throws {
        context.setState("capturing", true)
        defer { context.setState("capturing", false) }
        let start = context.clock.now
        let path = context.makePayloadPath()
        do {
            let mediaType = try await camera.takePicture(to: path, caption: cause)
            context.emit(
                "captured", at: start, [.init("cause", .text(cause))],
                payload: Event.Payload(path: path, mediaType: mediaType))
        } catch let error as PeripheralError {
            context.logger.warning("no picture", ["device": context.name, "error": "\(error)"])
            context.emit(
                "failed", at: start, [.init("cause", .text(cause)), .init("reason", .text(error.description))])
        }
    }

    // MARK: A program that goes on

    /// The pictures of the moments before are those that are at hand when the wish comes; the next one is of the moment.
    private func runStream(_ ready: @Sendable () -> Void) async throws {
        let thread = try BlockingThread(named: context.name, loop: context.loop)
        let frames = try await context.board.makeFrameStream(stream, consumer: context.name)
        do {
            var ring = FrameRing(count: countBefore, byteLimit: Self.ringBytes)
            ring.add(try await frames.next())
            ready()
            while true {
                let frame = try await frames.next()
                if let cause = wish {
                    wish = nil
                    for earlier in ring.frames {
                        let seconds = (frame.timestamp - earlier.timestamp) / .seconds(1)
                        try await store(
                            earlier, "captured-before",
                            [.init("cause", .text(cause)), .init("seconds", .number(seconds))],
                            thread)
                    }
                    try await store(frame, "captured", [.init("cause", .text(cause))], thread)
                    // Each picture is stored once.
                    ring = FrameRing(count: countBefore, byteLimit: Self.ringBytes)
                } else {
                    ring.add(frame)
                }
            }
        } catch {
            await frames.close()
            throw error
        }
    }

    private func store(
        _ frame: CameraFrame, _ name: String, _ fields: [Event.Field], _ thread: BlockingThread
    ) async throws {
        let path = context.makePayloadPath()
        do {
            try await thread.run { try Files.write(frame.bytes, to: path) }
        } catch let error as SystemError {
            context.logger.warning("no picture", ["device": context.name, "error": "\(error)"])
            return context.emit("failed", at: frame.timestamp, fields + [.init("reason", .text("\(error)"))])
        }
        context.emit(
            name, at: frame.timestamp, fields, payload: Event.Payload(path: path, mediaType: frame.mediaType))
    }
}
