import DeviceRuntime
import Peripherals

/// The camera of a simulated board. Its pictures show what happened and when, so that a person who looks at a stored
/// picture sees which event it belongs to.
public final class SimulatedCamera: Sendable {
    /// A picture that was taken.
    public struct Shot: Sendable, Hashable {
        /// When it was finished, as time since boot.
        public var time: Duration
        public var caption: String
        public var path: String
    }

    private let loop: EventLoop
    private let trace: Trace
    private struct State {
        /// About what a still takes on a Raspberry Pi with the sensor running.
        var exposure: Duration = .milliseconds(400)
        var shots: [Shot] = []
        var faults = FaultTable<CameraFault>()
    }

    private let state = Protected(State())

    init(loop: EventLoop, trace: Trace) {
        self.loop = loop
        self.trace = trace
    }

    /// How long the pictures take that begin afterwards.
    public func setExposure(_ exposure: Duration) { state.withLock { $0.exposure = exposure } }

    /// Brings about a fault, until what is returned is called.
    @discardableResult
    public func inject(_ fault: CameraFault) -> EndOfFault {
        let number = state.withLock { $0.faults.add(fault) }
        return { [state] in state.withLock { $0.faults.remove(number) } }
    }

    private var fault: CameraFault? { state.withLock { $0.faults.newest } }

    /// The pictures that were taken, the oldest first.
    public var shots: [Shot] { state.withLock { $0.shots } }

    func open(_ configuration: StillCameraConfiguration) -> any StillCamera {
        SimulatedStillCamera(camera: self, configuration: configuration)
    }

    fileprivate func takePicture(
        to path: String, caption: String, _ configuration: StillCameraConfiguration
    ) async throws -> String {
        // As CommandCamera tells of its program.
        let program = configuration.command.first ?? "the camera"
        func failure(_ lastLine: String) -> PeripheralError {
            PeripheralError(.io, "'\(program)' ended with status 1", cause: lastLine)
        }
        let start = loop.now
        let exposure = state.withLock { $0.exposure }
        if fault != .hangs { try await loop.sleep(for: min(exposure, configuration.deadline)) }
        // One may have begun or ended meanwhile.
        let fault = fault
        if fault == .hangs || exposure > configuration.deadline {
            try await loop.sleep(until: start + configuration.deadline)
            throw PeripheralError(
                .timedOut, "'\(program)' had not taken the picture after \(configuration.deadline)",
                advice: "raise the deadline, or see why it hangs")
        }
        if fault == .absent { throw failure("no cameras available") }
        if case .cannotWrite(let reason) = fault { throw failure("cannot write the picture: \(reason)") }
        try draw(caption, configuration.size, to: path)
        let shot = Shot(time: loop.now, caption: caption, path: path)
        state.withLock { $0.shots.append(shot) }
        trace.record("camera", "picture of \(caption)")
        return "image/png"
    }

    private func draw(_ caption: String, _ size: PictureSize?, to path: String) throws {
        var picture = Picture(size)
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
    private let configuration: StillCameraConfiguration

    init(camera: SimulatedCamera, configuration: StillCameraConfiguration) {
        self.camera = camera
        self.configuration = configuration
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        try await camera.takePicture(to: path, caption: caption, configuration)
    }
}
