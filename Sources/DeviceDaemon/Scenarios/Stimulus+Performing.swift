import DeviceKit
import DeviceRuntime
import Peripherals
import SimulatedPeripherals

/// Brings stimuli about on a simulated board.
struct StimulusPerformer: Sendable {
    let world: SimulatedWorld
    /// What stands in for I2C parts that there is no model of, by bus and address.
    private let registers = Protected<[String: RegistersModel]>([:])

    init(world: SimulatedWorld) { self.world = world }

    /// Throws what a part says against it.
    func perform(_ stimulus: Stimulus) throws {
        world.trace.record("world", "\(stimulus)")
        switch stimulus {
        case .part(let device, let command, _):
            try world.parts.first { $0.name == device }?.part.apply(command)
        case .level(let name, let level): try world.board.line(name).drive(level)
        case .registers(let bus, let address, let contents):
            let part = try part(on: bus, at: address)
            for content in contents {
                for (offset, byte) in content.bytes.enumerated() {
                    part[content.register &+ UInt8(truncatingIfNeeded: offset)] = byte
                }
            }
        case .serial(let name, let bytes): try world.board.serialPort(name).send(bytes)
        }
    }

    private func part(on bus: String, at address: I2CAddress) throws -> RegistersModel {
        let key = "\(bus) \(address)"
        if let part = registers.withLock({ $0[key] }) { return part }
        let part = RegistersModel()
        try world.board.i2cBus(bus).attach(part, at: address)
        registers.withLock { $0[key] = part }
        return part
    }
}
