import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import TestSupport
import Testing

@testable import DeviceDaemon

/// A part that is taken away and comes back.
struct Unplugging: Sendable, CustomTestStringConvertible {
    let device: String
    /// What the daemon says of the device meanwhile.
    let words: String
    let unplug: @Sendable (SimulatedBoard) throws -> Void
    let plugIn: @Sendable (SimulatedBoard) throws -> Void

    var testDescription: String { device }
}

@Suite("Parts that are unplugged, and come back")
struct RecoveryTests {
    private static func i2c(
        _ device: String, _ address: Int, _ make: @escaping @Sendable (SimulatedBoard) -> any SimulatedI2CTarget
    ) -> Unplugging {
        Unplugging(device: "{ driver: \(device), every: 1s }", words: "did not acknowledge") { board in
            try board.i2cBus("I2C1").detach(try #require(I2CAddress(address)))
        } plugIn: { board in
            try board.i2cBus("I2C1").attach(make(board), at: try #require(I2CAddress(address)))
        }
    }

    static let parts = [
        i2c("bme280", 0x76) { BME280Model(clock: $0.loop) },
        i2c("sht31", 0x44) { SHT31Model(clock: $0.loop) },
        Unplugging(device: "{ driver: mcp3008, channel: 0, every: 1s }", words: "no MCP3008 answers") { board in
            try board.spiTarget("SPI0.0").attach { bytes in bytes.map { _ in 0xFF } }
        } plugIn: { board in
            try board.spiTarget("SPI0.0").attach(MCP3008Model())
        },
        Unplugging(device: "{ driver: gps, every: 1s }", words: "unplugged") { board in
            try board.serialPort("SERIAL0").unplug()
        } plugIn: { board in
            try board.serialPort("SERIAL0").plugIn()
        },
        Unplugging(device: "{ driver: kernel-sensor, sensor: w1:28-0316a2794aff, every: 1s }", words: "there is no") {
            $0.removeKernelSensor(KernelSensorName(.w1, "28-0316a2794aff"))
        } plugIn: { board in
            _ = DS18B20Model(on: board.addKernelSensor(KernelSensorName(.w1, "28-0316a2794aff")))
        },
        Unplugging(device: "{ driver: rotary-encoder, a: GPIO23, b: GPIO24 }", words: "GPIO23") { board in
            try board.line("GPIO23").setUnplugged(true)
        } plugIn: { board in
            let lines = (a: try board.line("GPIO23"), b: try board.line("GPIO24"))
            lines.a.setUnplugged(false)
            RotaryEncoderModel(a: lines.a, b: lines.b, loop: board.loop, generator: board.makeGenerator())
                .turn(by: 500, over: .seconds(1000))
        },
    ]

    @Test("The device says what it misses, and goes on within a minute of the part's return", arguments: parts)
    func recovery(part: Unplugging) async throws {
        let configuration = try Configuration.read(
            "device: porch\ndevices:\n  part: \(part.device)\n".utf8, file: "test.yaml", drivers: standardDrivers,
            backends: standardStorage.map(\.description), boards: Configuration.boards)
        let folder = try TemporaryDirectory()
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let world = try SimulatedWorld(configuration, on: board)
            let daemon = try Daemon(
                configuration,
                Daemon.Environment(
                    loop: loop, board: board, stateDirectory: folder.path,
                    wallClock: .starting(at: WallTime(sinceEpoch: .zero), with: loop),
                    logger: Logger(RecordingLogSink()), makeBackend: StorageKind.makeStandardBackend))
            try await daemon.run {
                try await loop.sleep(until: .seconds(10))
                #expect(daemon.devices["part"]?.health == .healthy)
                try part.unplug(board)
                try await loop.sleep(until: .seconds(600))
                guard case .failing(let reason, _)? = daemon.devices["part"]?.health else {
                    Issue.record("it does not notice")
                    return
                }
                #expect(reason.contains(part.words), "\(reason)")
                try part.plugIn(board)
                try await loop.sleep(until: .seconds(665))
                #expect(daemon.devices["part"]?.health == .healthy)
                try await loop.sleep(until: .seconds(670))
                let last = try #require(daemon.devices["part"]?.lastEvent)
                #expect(last.timestamp > .seconds(660))
            }
            withExtendedLifetime(world) {}
        }
    }
}
