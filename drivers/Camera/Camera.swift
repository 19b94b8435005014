public import DeviceKit
import DeviceRuntime
import Peripherals

/// A camera that takes a picture when told to.
public actor Camera: Device {
    private let context: DeviceContext
    private let configuration: StillCameraConfiguration

    /// What the next picture is of; a second wish while one is being taken replaces the first.
    private var wish: String?
    private var wake: AsyncStream<Void>.Continuation?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        configuration = StillCameraConfiguration(
            command: try options[Self.command], deadline: try options[Self.deadline])
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let camera = try await context.board.makeStillCamera(configuration, consumer: context.name)
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

    public func perform(_ command: Command) async throws {
        guard command.name == "capture" else { throw DeviceError.unknownCommand(command.name) }
        wish = command.cause ?? context.name
        wake?.yield()
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
}

extension Camera {
    static let command = Option(
        "command", .command, default: "rpicam-still --nopreview --immediate --output {}",
        "the program that takes a picture, and its arguments; {} stands for the file to write")
    static let deadline = Option(
        "deadline", .duration(.milliseconds(100)...(.seconds(300))), default: "10s",
        "how long a picture may take; then the program is killed")

    private static let cause = FieldDescription("cause", .text, "the event that led to it, or the camera's own name")

    public static let driver = Driver(
        name: "camera",
        summary: "a still camera, by a program that writes a picture",
        options: [command.description, deadline.description],
        events: [
            EventDescription(
                "captured", "a picture was taken; it belongs to the event", fields: [cause], hasPicture: true),
            EventDescription(
                "failed", "there is no picture",
                fields: [cause, FieldDescription("reason", .text, "why, and what to do")]),
        ],
        states: [StateDescription("capturing", "a picture is being taken")],
        commands: [CommandDescription("capture", "takes a picture")],
        claims: { _ in [] },
        makeDevice: { try Camera($0, $1) })
}
