import DeviceKit
import DeviceRuntime
import Peripherals
public import SimulatedPeripherals

/// What is around a simulated board: the parts that a configuration's devices expect, connected to its wires,
/// and people who walk past and ring.
public struct SimulatedWorld: Sendable {
    /// A part, and the device that it is the part of.
    struct Entry: Sendable {
        let name: String
        let model: PartModel
        let part: any SimulatedPart
        /// What of the board it is connected to.
        let wires: [Wire]
    }

    let board: SimulatedBoard
    /// `nil` where only the board is simulated.
    let surroundings: SimulatedSurroundings?
    private var loop: EventLoop { board.loop }
    var trace: Trace { board.trace }
    private let generator: Protected<SeededGenerator>
    /// In the order of the configuration.
    let parts: [Entry]

    /// Connects a part for each device that there is a model for; a device with another driver finds its wires
    /// floating.
    public init(
        _ configuration: Configuration, on board: SimulatedBoard, models: [PartModel] = standardParts
    ) throws {
        try self.init(configuration, on: board, models: models, surroundings: nil)
    }

    init(
        _ configuration: Configuration, on board: SimulatedBoard, models: [PartModel],
        surroundings: SimulatedSurroundings?
    ) throws {
        self.board = board
        self.surroundings = surroundings
        generator = Protected(board.makeGenerator())
        parts = try configuration.devices.compactMap { device in
            // Drawn for each device, so that one more model does not change what the others do.
            let generator = board.makeGenerator()
            guard let model = models.first(where: { $0.driver == device.driver.name }) else { return nil }
            let wiring = PartWiring(name: device.name, options: device.options, board: board, generator: generator)
            do {
                return Entry(name: device.name, model: model, part: try model.connect(wiring), wires: device.wires)
            } catch let error as PeripheralError where error.code == .notFound {
                // The device itself says that its wires are not there, and the others go on.
                return nil
            }
        }
    }

    /// Lets people come until cancelled: the first a minute and a half after the board's boot, the next ones
    /// about `interval` apart. Each walks past the motion sensors, and two of three ring.
    public func receiveVisitors(every interval: Duration) async throws {
        try await loop.sleep(until: .seconds(90))
        let buttons = parts.compactMap { entry in (entry.part as? ButtonPart).map { (entry.name, $0.button) } }
        while true {
            let leaves = loop.now + interval * random(0.5...1.5)
            for entry in parts {
                guard let sensor = entry.part as? MotionSensorPart else { continue }
                trace.record("world", "somebody walks past \(entry.name)")
                sensor.move(for: min(.seconds(random(2...6)), interval / 2))
            }
            try await loop.sleep(for: min(.seconds(random(0.8...2.5)), interval / 4))
            if random(0...1) < 2.0 / 3, let (name, button) = buttons.randomElement(using: generator) {
                trace.record("world", "somebody presses \(name)")
                button.press(for: min(.seconds(random(0.08...0.4)), interval / 4))
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
