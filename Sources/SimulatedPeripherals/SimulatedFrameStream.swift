import DeviceRuntime
import Peripherals

/// A camera that goes on taking pictures, which show when each was taken.
final class SimulatedFrameStream: FrameStream {
    private let loop: EventLoop
    private let interval: Duration
    private let size: PictureSize?
    private let state = Protected((next: Duration.zero, isClosed: false))

    init(_ configuration: FrameStreamConfiguration, loop: EventLoop) {
        self.loop = loop
        interval = .seconds(1) / max(configuration.picturesPerSecond, 1)
        size = configuration.size
        // The program starts and finds its exposure.
        state.withLock { $0.next = loop.now + .seconds(1) }
    }

    func next() async throws -> CameraFrame {
        let due = try take()
        try await loop.sleep(until: due)
        _ = try take()
        let now = loop.now
        // Those that nobody fetched are left out.
        state.withLock { $0.next = max(due + interval, now) }
        var picture = Picture(size)
        picture.write(String(now.clockText.prefix(12)), x: 20, y: 50, height: 24)
        guard let bytes = picture.png else {
            throw PeripheralError(.io, "the simulated camera could not draw its picture")
        }
        return CameraFrame(bytes: bytes, mediaType: "image/png", timestamp: now)
    }

    func close() async { state.withLock { $0.isClosed = true } }

    private func take() throws -> Duration {
        let (next, isClosed) = state.withLock { $0 }
        if isClosed { throw PeripheralError(.closed, "the pictures of the simulated camera were closed before") }
        return next
    }
}
