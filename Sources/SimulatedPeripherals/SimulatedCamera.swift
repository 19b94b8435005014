import DeviceRuntime
public import Peripherals

/// The camera of a simulated board. Its pictures show what happened and when, so that a person who looks at a stored
/// picture sees which event it belongs to.
public final class SimulatedCamera: Sendable {
    /// What a test may change at any time, for the pictures that begin afterwards.
    public struct Conditions: Sendable {
        /// How long a picture takes; about what a still takes on a Raspberry Pi with the sensor running.
        public var exposure: Duration = .milliseconds(400)
        /// Why there is no picture, such as a cable that is loose; `nil` while it works.
        public var failure: PeripheralError?
        /// Whether it never finishes: then each picture ends with the deadline that the camera was opened with.
        public var isHung = false

        public init() {}
    }

    /// A picture that was taken.
    public struct Shot: Sendable, Hashable {
        /// When it was finished, as time since boot.
        public var time: Duration
        public var caption: String
        public var path: String
    }

    private let loop: EventLoop
    private let trace: Trace
    private let state = Protected((conditions: Conditions(), shots: [Shot]()))

    init(loop: EventLoop, trace: Trace) {
        self.loop = loop
        self.trace = trace
    }

    /// Changes the conditions under which the camera works.
    public func setConditions(_ change: (inout Conditions) -> Void) { state.withLock { change(&$0.conditions) } }

    /// The pictures that were taken, the oldest first.
    public var shots: [Shot] { state.withLock { $0.shots } }

    func open(_ configuration: StillCameraConfiguration) -> any StillCamera {
        SimulatedStillCamera(camera: self, deadline: configuration.deadline)
    }

    fileprivate func takePicture(to path: String, caption: String, deadline: Duration) async throws -> String {
        let conditions = state.withLock { $0.conditions }
        let time = conditions.isHung ? deadline : min(conditions.exposure, deadline)
        try await loop.sleep(for: time)
        if conditions.isHung || conditions.exposure > deadline {
            throw PeripheralError(
                .timedOut, "the simulated camera had not taken the picture after \(deadline)",
                advice: "raise the deadline, or see why it hangs")
        }
        if let failure = conditions.failure { throw failure }
        try draw(caption, to: path)
        let shot = Shot(time: loop.now, caption: caption, path: path)
        state.withLock { $0.shots.append(shot) }
        trace.record("camera", "picture of \(caption)")
        return "image/png"
    }

    private func draw(_ caption: String, to path: String) throws {
        var picture = Picture(width: 360, height: 120)
        // Capitals, because a point and small letters are hard to tell apart in segments.
        let title = caption.uppercased().split(separator: ".").joined(separator: " ")
        picture.write(title, x: 20, y: 22, height: 34)
        picture.write(String(loop.now.clockText.prefix(8)), x: 20, y: 76, height: 24)
        do {
            try picture.writePNG(to: path)
        } catch {
            throw PeripheralError(.io, "the simulated camera could not write \(path)", cause: "\(error)")
        }
    }
}

/// A simulated camera while the program has it open.
private final class SimulatedStillCamera: StillCamera {
    private let camera: SimulatedCamera
    private let deadline: Duration

    init(camera: SimulatedCamera, deadline: Duration) {
        self.camera = camera
        self.deadline = deadline
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        try await camera.takePicture(to: path, caption: caption, deadline: deadline)
    }
}
