/// The clock polarity and phase of an SPI transfer.
public enum SPIMode: UInt8, Sendable, Hashable, CaseIterable {
    /// Clock idles low, sampled on the leading edge.
    case mode0 = 0
    /// Clock idles low, sampled on the trailing edge.
    case mode1 = 1
    /// Clock idles high, sampled on the leading edge.
    case mode2 = 2
    /// Clock idles high, sampled on the trailing edge.
    case mode3 = 3
}

/// How to talk to an SPI target.
public struct SPIConfiguration: Sendable, Hashable {
    public var mode: SPIMode
    /// The clock's frequency at most; the controller may choose a lower one.
    public var maximumSpeed: Frequency

    public init(mode: SPIMode = .mode0, maximumSpeed: Frequency) {
        self.mode = mode
        self.maximumSpeed = maximumSpeed
    }
}

/// One target on an SPI bus, selected by its chip-select line for the length of each transfer.
///
/// SPI has no acknowledgement: an absent target reads as all zeros or all ones, without an error. Closing
/// more than once is harmless.
public protocol SPIDevice: AnyObject, Sendable {
    /// The target's name on its board: `SPI0.0`.
    var name: String { get }

    /// Sends the bytes and returns as many that came back at the same time. Throws `invalidArgument` for more
    /// bytes than the interface takes in one transfer (spidev's `bufsiz`, 4096 unless configured).
    func transfer(_ bytes: [UInt8]) async throws -> [UInt8]

    /// Gives the target back.
    func close()
}
