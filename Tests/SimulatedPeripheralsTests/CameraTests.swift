import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated camera")
struct CameraTests {
    private func withCamera(
        exposure: Duration, size: PictureSize? = nil,
        _ body: @escaping @Sendable (EventLoop, SimulatedCamera, any StillCamera, _ path: String) async throws -> Void
    ) async throws {
        let folder = try Files.makeTemporaryDirectory(prefix: "perch-test")
        defer { try? Files.removeTree(folder) }
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            board.camera.setExposure(exposure)
            let camera = try await board.makeStillCamera(
                StillCameraConfiguration(command: ["camera", "{}"], deadline: .seconds(5), size: size), consumer: "test"
            )
            try await body(loop, board.camera, camera, "\(folder)/picture")
        }
    }

    @Test("A picture takes its exposure, and is noted with its caption")
    func picture() async throws {
        try await withCamera(exposure: .seconds(2)) { loop, camera, opened, path async throws in
            #expect(try await opened.takePicture(to: path, caption: "bell.pressed") == "image/png")
            #expect(camera.shots.map(\.caption) == ["bell.pressed"])
            #expect(camera.shots.map(\.time) == [.seconds(2)])
            #expect(try Files.read(path).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test(
        "A picture has the size that was asked for, else the camera's own",
        arguments: [(nil, [360, 120]), (PictureSize(width: 1280, height: 720), [1280, 720])])
    func size(_ size: PictureSize?, pixels: [UInt32]) async throws {
        try await withCamera(exposure: .seconds(1), size: size) { _, _, opened, path async throws in
            _ = try await opened.takePicture(to: path, caption: "bell.pressed")
            // The first chunk: PNG specification, 11.2.2.
            let header = try Files.read(path).dropFirst(16).prefix(8).map(UInt32.init)
            #expect([header[0...3], header[4...7]].map { $0.reduce(0) { $0 << 8 | $1 } } == pixels)
        }
    }

    @Test(
        "A camera that fails, hangs or is too slow takes no picture and says so, and works again afterwards",
        arguments: [
            (.milliseconds(400), .absent, .io, .milliseconds(400)),
            (.milliseconds(400), .cannotWrite("No space left on device"), .io, .milliseconds(400)),
            (.milliseconds(400), .hangs, .timedOut, .seconds(5)), (.seconds(6), nil, .timedOut, .seconds(5)),
        ] as [(Duration, CameraFault?, PeripheralError.Code, Duration)])
    func failures(exposure: Duration, fault: CameraFault?, code: PeripheralError.Code, time: Duration) async throws {
        try await withCamera(exposure: exposure) { loop, camera, opened, path async throws in
            let end = fault.map { camera.inject($0) }
            let error = await failure { _ = try await opened.takePicture(to: path, caption: "x") }
            #expect(error?.code == code)
            #expect(loop.now == time)
            #expect(try Files.size(of: path) == nil)
            end?()
            camera.setExposure(.milliseconds(400))
            _ = try await opened.takePicture(to: path, caption: "x")
            #expect(camera.shots.count == 1)
        }
    }
}
