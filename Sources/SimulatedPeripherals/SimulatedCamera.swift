import DeviceRuntime
import Peripherals

/// A camera whose pictures show what happened and when, so that a person who looks at a stored picture sees
/// which event it belongs to.
final class SimulatedCamera: StillCamera {
    private let configuration: StillCameraConfiguration
    private let faults: Protected<FaultTable<CameraFault>>
    private let loop: EventLoop
    private let trace: Trace

    /// About what a still takes on a Raspberry Pi with the sensor running.
    private static let exposure: Duration = .milliseconds(400)

    /// `faults` are the board's.
    init(
        _ configuration: StillCameraConfiguration, faults: Protected<FaultTable<CameraFault>>, loop: EventLoop,
        trace: Trace
    ) {
        self.configuration = configuration
        self.faults = faults
        self.loop = loop
        self.trace = trace
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        if faults.withLock({ $0.newest }) == .hangs { try await hang() }
        try await loop.sleep(for: Self.exposure)
        // It may have begun or ended meanwhile.
        switch faults.withLock({ $0.newest }) {
        case .absent: throw failure("no cameras available")
        case .cannotWrite(let reason): throw failure("cannot write the picture: \(reason)")
        case .hangs: try await hang()
        case nil: break
        }
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
        trace.record("camera", "picture of \(caption)")
        return "image/png"
    }

    // As CommandCamera tells of its program.

    private var program: String { configuration.command.first ?? "the camera" }

    private func hang() async throws {
        try await loop.sleep(for: configuration.deadline)
        throw PeripheralError(
            .timedOut, "'\(program)' had not taken the picture after \(configuration.deadline)",
            advice: "raise the deadline, or see why it hangs")
    }

    private func failure(_ lastLine: String) -> PeripheralError {
        PeripheralError(.io, "'\(program)' ended with status 1", cause: lastLine)
    }
}
