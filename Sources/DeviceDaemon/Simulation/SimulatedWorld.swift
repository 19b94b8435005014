import ButtonDriver
import DeviceKit
import DeviceRuntime
import HT16K33Driver
import MotionSensorDriver
import Peripherals
public import SimulatedPeripherals

/// What is around a simulated board: the parts that a configuration's devices expect, connected to its wires,
/// and people who walk past and ring.
public struct SimulatedWorld: Sendable {
    private let loop: EventLoop
    private let trace: Trace
    private let generator: Protected<SeededGenerator>
    private var motionSensors: [(name: String, model: MotionSensorModel)] = []
    private var buttons: [(name: String, model: PushButtonModel)] = []

    /// Connects a part for each device that Perch has a model for; a device with another driver finds its wires
    /// floating.
    public init(_ configuration: Configuration, on board: SimulatedBoard) throws {
        loop = board.loop
        trace = board.trace
        generator = Protected(board.makeGenerator())
        for device in configuration.devices {
            // Drawn for each device, so that one more model does not change what the others do.
            let generator = board.makeGenerator()
            switch device.driver.name {
            case MotionSensor.driver.name:
                let line = try board.line(device.options[MotionSensor.pin])
                motionSensors.append((device.name, MotionSensorModel(on: line, loop: loop, generator: generator)))
            case Button.driver.name:
                let model = PushButtonModel(
                    on: try board.line(device.options[Button.pin]), loop: loop,
                    pressedLevel: try Button.activeLevel(device.options), generator: generator)
                buttons.append((device.name, model))
            case HT16K33.driver.name:
                let model = HT16K33Model(name: device.name, trace: board.trace, generator: generator)
                try board.i2cBus(device.options[HT16K33.bus]).attach(model, at: device.options[HT16K33.address])
            default: break
            }
        }
    }

    /// Lets people come until cancelled: the first a minute and a half after the board's boot, the next ones
    /// about `interval` apart. Each walks past the motion sensors, and two of three ring.
    public func receiveVisitors(every interval: Duration) async throws {
        try await loop.sleep(until: .seconds(90))
        while true {
            let leaves = loop.now + interval * random(0.5...1.5)
            for sensor in motionSensors {
                trace.record("world", "somebody walks past \(sensor.name)")
                sensor.model.move(for: min(.seconds(random(2...6)), interval / 2))
            }
            try await loop.sleep(for: min(.seconds(random(0.8...2.5)), interval / 4))
            if random(0...1) < 2.0 / 3, let button = buttons.randomElement(using: generator) {
                trace.record("world", "somebody presses \(button.name)")
                button.model.press(for: min(.seconds(random(0.08...0.4)), interval / 4))
            }
            try await loop.sleep(until: leaves)
        }
    }

    private func random(_ range: ClosedRange<Double>) -> Double {
        generator.withLock { Double.random(in: range, using: &$0) }
    }
}

extension Array {
    fileprivate func randomElement(using generator: Protected<SeededGenerator>) -> Element? {
        guard !isEmpty else { return nil }
        return self[generator.withLock { Int.random(in: 0..<count, using: &$0) }]
    }
}
