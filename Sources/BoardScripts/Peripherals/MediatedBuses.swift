import Peripherals

final class MediatedI2CDevice: I2CDevice {
    let busName: String
    let address: I2CAddress
    let functionality: I2CFunctionality
    private let device: (any I2CDevice)?
    private let mediator: any Mediator
    private let opening = Opening()

    private var source: String { "\(busName) \(address)" }

    init(
        _ busName: String, _ address: I2CAddress, _ functionality: I2CFunctionality, _ device: (any I2CDevice)?,
        _ mediator: any Mediator
    ) {
        self.busName = busName
        self.address = address
        self.functionality = functionality
        self.device = device
        self.mediator = mediator
    }

    func transfer(_ messages: [I2CMessage]) async throws -> [[UInt8]] {
        let counts = messages.compactMap { message -> Int? in
            if case .read(let count) = message { count } else { nil }
        }
        return try await mediator.perform(source, ScriptText.text(messages), .reads(counts)) {
            try await behind(device, source).transfer(messages)
        }
    }

    func perform(_ command: SMBusCommand) async throws -> [UInt8] {
        try await mediator.perform(source, ScriptText.text(command), .bytes) {
            try await behind(device, source).perform(command)
        }
    }

    func close() { opening.closeNow(source, mediator) { device?.close() } }
}

final class MediatedSPIDevice: SPIDevice {
    let name: String
    let configuration: SPIConfiguration
    private let facts: SPIFacts
    private let device: (any SPIDevice)?
    private let mediator: any Mediator
    private let opening = Opening()

    var largestTransfer: Int { facts.largestTransfer }
    var reversesBitsInSoftware: Bool { facts.reversesBits }

    init(
        _ name: String, _ configuration: SPIConfiguration, _ facts: SPIFacts, _ device: (any SPIDevice)?,
        _ mediator: any Mediator
    ) {
        self.name = name
        self.configuration = configuration
        self.facts = facts
        self.device = device
        self.mediator = mediator
    }

    func transfer(_ segments: [SPISegment], splitting: SPISplitting) async throws -> [[UInt8]] {
        let counts = segments.compactMap { segment -> Int? in
            if case .write = segment.content { nil } else { segment.count }
        }
        return try await mediator.perform(name, ScriptText.text(segments, splitting), .reads(counts)) {
            try await behind(device, name).transfer(segments, splitting: splitting)
        }
    }

    func close() { opening.closeNow(name, mediator) { device?.close() } }
}

final class MediatedSerialPort: SerialPort {
    let name: String
    private let port: (any SerialPort)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(_ name: String, _ port: (any SerialPort)?, _ mediator: any Mediator) {
        self.name = name
        self.port = port
        self.mediator = mediator
    }

    func read(timeout: Duration?) async throws -> SerialInput {
        let limit = timeout.map { " within \(ScriptText.text($0))" } ?? ""
        return try await mediator.perform(name, "receive\(limit)", .serialInput) {
            try await behind(port, name).read(timeout: timeout)
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        try await mediator.perform(name, "write \(ScriptText.textOrBytes(bytes))", .none) {
            try await behind(port, name).write(bytes)
        }
    }

    func drain() async throws {
        try await mediator.perform(name, "drain", .none) { try await behind(port, name).drain() }
    }

    func close() { opening.closeNow(name, mediator) { port?.close() } }
}
