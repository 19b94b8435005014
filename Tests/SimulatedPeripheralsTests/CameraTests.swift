import Conformance
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("The simulated camera")
struct CameraTests {
    private func withCamera(
        _ change: @escaping @Sendable (inout SimulatedCamera.Conditions) -> Void,
        _ body: @escaping @Sendable (EventLoop, SimulatedCamera, any StillCamera, _ path: String) async throws -> Void
    ) async throws {
        let folder = try Files.makeTemporaryDirectory(prefix: "perch-test")
        defer { try? Files.removeTree(folder) }
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            board.camera.setConditions(change)
            let camera = try await board.makeStillCamera(
                StillCameraConfiguration(command: ["camera", "{}"], deadline: .seconds(5)), consumer: "test")
            try await body(loop, board.camera, camera, "\(folder)/picture")
        }
    }

    @Test("A picture takes its exposure, and is noted with its caption")
    func picture() async throws {
        try await withCamera({ $0.exposure = .seconds(2) }) { loop, camera, opened, path async throws in
            #expect(try await opened.takePicture(to: path, caption: "bell.pressed") == "image/png")
            #expect(camera.shots.map(\.caption) == ["bell.pressed"])
            #expect(camera.shots.map(\.time) == [.seconds(2)])
            #expect(try Files.read(path).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test(
        "A camera that fails, hangs or is too slow takes no picture and says so, and works again afterwards",
        arguments: [
            (.milliseconds(400), false, PeripheralError(.io, "no sensor"), .io, .milliseconds(400)),
            (.milliseconds(400), true, nil, .timedOut, .seconds(5)),
            (.seconds(6), false, nil, .timedOut, .seconds(5)),
        ] as [(Duration, Bool, PeripheralError?, PeripheralError.Code, Duration)])
    func failures(
        exposure: Duration, isHung: Bool, error: PeripheralError?, code: PeripheralError.Code, time: Duration
    ) async throws {
        try await withCamera({ conditions in
            conditions.exposure = exposure
            conditions.isHung = isHung
            conditions.failure = error
        }) { loop, camera, opened, path async throws in
            let error = await failure { _ = try await opened.takePicture(to: path, caption: "x") }
            #expect(error?.code == code)
            #expect(loop.now == time)
            #expect(try Files.size(of: path) == nil)
            camera.setConditions { $0 = SimulatedCamera.Conditions() }
            _ = try await opened.takePicture(to: path, caption: "x")
            #expect(camera.shots.count == 1)
        }
    }
}
