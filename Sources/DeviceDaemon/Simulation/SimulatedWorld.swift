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

    /// Lets people come until cancelled: the first after a minute and a half, then one every few minutes. Each
    /// walks past the motion sensors, and two of three ring.
    public func receiveVisitors() async throws {
        try await loop.sleep(until: .seconds(90))
        while true {
            for sensor in motionSensors {
                trace.record("world", "somebody walks past \(sensor.name)")
                sensor.model.move(for: .milliseconds(random(2000...6000)))
            }
            try await loop.sleep(for: .milliseconds(random(800...2500)))
            if random(0...2) > 0, let button = buttons.randomElement(using: generator) {
                trace.record("world", "somebody presses \(button.name)")
                button.model.press(for: .milliseconds(random(80...400)))
            }
            try await loop.sleep(for: .seconds(random(120...1200)))
        }
    }

    private func random(_ range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }
}

extension Array {
    fileprivate func randomElement(using generator: Protected<SeededGenerator>) -> Element? {
        guard !isEmpty else { return nil }
        return self[generator.withLock { Int.random(in: 0..<count, using: &$0) }]
    }
}
