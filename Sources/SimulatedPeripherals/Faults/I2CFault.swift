import Peripherals

/// What goes wrong with transfers on an I2C bus: see ``SimulatedI2CBus/inject(_:at:)``.
public struct I2CFault: Sendable, Hashable {
    public enum Effect: Sendable, Hashable {
        /// Nobody acknowledges the address.
        case addressNotAcknowledged
        /// The part acknowledges its address and refuses a byte.
        case byteNotAcknowledged
        /// A byte of the data arrives with the bits of `mask` inverted. Nobody notices without a check byte.
        case flippedBits(mask: UInt8, byte: Int)
        /// The part holds the clock for so long. Longer than the bus's timeout ends the transfer.
        case stretchedClock(Duration)
        /// A signal interrupts the call (EINTR), which is made again.
        case interruption
    }

    /// Which transfers count.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        case transfers
        /// Those that read.
        case reads
        /// Those that only write.
        case writes
    }

    public var effect: Effect
    public var direction: Direction
    public var occasions: FaultOccasions

    public init(
        _ effect: Effect, of direction: Direction = .transfers, _ occasions: FaultOccasions = FaultOccasions()
    ) {
        self.effect = effect
        self.direction = direction
        self.occasions = occasions
    }

    /// A transfer begins: returns what happens to it.
    mutating func takesNext(_ transfer: SimulatedI2CTransfer) -> Effect? {
        let reads = transfer.messages.contains { if case .read = $0 { true } else { false } }
        switch direction {
        case .transfers: break
        case .reads: guard reads else { return nil }
        case .writes: guard !reads else { return nil }
        }
        return occasions.takesNext() ? effect : nil
    }
}

/// All that goes wrong with one transfer.
struct I2CFaultEffects {
    private(set) var ending: SimulatedI2CBus.Ending?
    private(set) var stretch: Duration = .zero
    private(set) var interruptions = 0
    private var flips: [(mask: UInt8, byte: Int)] = []

    mutating func add(_ effect: I2CFault.Effect) {
        switch effect {
        case .addressNotAcknowledged: ending = .missing
        case .byteNotAcknowledged: ending = ending ?? .refused
        case .flippedBits(let mask, let byte): flips.append((mask, byte))
        case .stretchedClock(let time): stretch += time
        case .interruption: interruptions += 1
        }
    }

    var flipsBits: Bool { !flips.isEmpty }

    func flipping(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for flip in flips where bytes.indices.contains(flip.byte) { bytes[flip.byte] ^= flip.mask }
        return bytes
    }
}
