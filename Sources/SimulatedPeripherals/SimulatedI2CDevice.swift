import DeviceRuntime
import Peripherals

final class SimulatedI2CDevice: I2CDevice {
    let address: I2CAddress
    let functionality: I2CFunctionality
    private let bus: SimulatedI2CBus
    private let configuration: I2CConfiguration
    private let owner: Ownership
    private let opening: UInt64

    var busName: String { bus.name }

    init(
        bus: SimulatedI2CBus, address: I2CAddress, functionality: I2CFunctionality, _ configuration: I2CConfiguration,
        owner: Ownership, opening: UInt64
    ) {
        self.bus = bus
        self.address = address
        self.functionality = functionality
        self.configuration = configuration
        self.owner = owner
        self.opening = opening
    }

    deinit { close() }

    func transfer(_ messages: [I2CMessage]) async throws -> [[UInt8]] {
        try owner.check(opening)
        let place = "\(busName) \(address)"
        try I2CMessage.check(messages, for: place)
        if functionality.contains(.rawMessages) { return try await run(SimulatedI2CTransfer(messages)) }
        let reads = messages.contains { if case .read = $0 { true } else { false } }
        let bytes = try await perform(SMBusCommand(of: messages, for: place))
        return reads ? [bytes] : []
    }

    func perform(_ command: SMBusCommand) async throws -> [UInt8] {
        try owner.check(opening)
        try command.check(against: functionality, for: "\(busName) \(address)")
        let transfer = SimulatedI2CTransfer(of: command, checksPackets: configuration.checksPackets)
        return try await run(transfer.checked(for: address)).first ?? []
    }

    func close() { _ = owner.release(opening) }

    private func run(_ transfer: SimulatedI2CTransfer) async throws -> [[UInt8]] {
        try await configuration.retries.run(now: { bus.loop.now }, sleep: { try await bus.loop.sleep(for: $0) }) {
            try await bus.run(transfer, at: address) { try owner.check(opening) }
        }
    }
}
