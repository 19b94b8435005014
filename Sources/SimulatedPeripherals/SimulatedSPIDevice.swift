import Peripherals

final class SimulatedSPIDevice: SPIDevice {
    let configuration: SPIConfiguration
    let largestTransfer: Int
    let reversesBitsInSoftware: Bool
    let opening: UInt64
    private let target: SimulatedSPITarget

    var name: String { target.name }

    init(
        target: SimulatedSPITarget, _ configuration: SPIConfiguration, _ controller: SimulatedSPITarget.Controller,
        opening: UInt64
    ) {
        self.target = target
        self.configuration = configuration
        self.opening = opening
        largestTransfer = controller.largestTransfer
        reversesBitsInSoftware = configuration.bitOrder == .leastSignificantFirst && !controller.takesBitOrder
    }

    deinit { close() }

    func transfer(_ segments: [SPISegment], splitting: SPISplitting) async throws -> [[UInt8]] {
        try target.check(opening)
        let plan = try SPIPlan(segments, splitting, largestTransfer: largestTransfer, configuration, name: name)
        return try await target.run(plan, segments, self)
    }

    func close() { target.close(opening) }

    /// The bit that the controller sends last.
    func lastBit(of bytes: [UInt8]) -> Level {
        let isReversed = configuration.bitOrder == .leastSignificantFirst && !reversesBitsInSoftware
        let word = (isReversed ? configuration.reversingBits(bytes) : bytes).suffix(configuration.bytesPerWord)
        return (word.first ?? 0) & 1 == 1 ? .high : .low
    }
}
