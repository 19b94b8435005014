import DeviceRuntime
import Peripherals

/// A camera whose pictures show what happened and when, so that a person who looks at a stored picture sees
/// which event it belongs to.
final class SimulatedCamera: StillCamera {
    private let loop: EventLoop
    private let trace: Trace

    /// About what a still takes on a Raspberry Pi with the sensor running.
    private static let exposure: Duration = .milliseconds(400)

    init(loop: EventLoop, trace: Trace) {
        self.loop = loop
        self.trace = trace
    }

    func takePicture(to path: String, caption: String) async throws -> String {
        try await loop.sleep(for: Self.exposure)
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
}
