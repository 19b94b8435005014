/// One target on an SPI bus, selected by its chip-select line for the length of each transfer.
///
/// SPI has no acknowledgement: an absent target reads as all zeros or all ones, without an error. Closing
/// more than once is harmless; a transfer that has begun then still ends, and any other call throws
/// ``PeripheralError/Code/closed``.
public protocol SPIDevice: AnyObject, Sendable {
    /// The target's name on its board: `SPI0.0`.
    var name: String { get }
    /// How it was opened.
    var configuration: SPIConfiguration { get }
    /// How many bytes each way the interface takes at once, over all segments (spidev's `bufsiz`, 4096 unless
    /// configured).
    var largestTransfer: Int { get }
    /// Whether the controller refused the bit order, so that each word is reversed in software.
    var reversesBitsInSoftware: Bool { get }

    /// Runs the segments and returns what each that reads has read. Throws `invalidArgument` for none, for an empty
    /// one, for bytes that are no whole words, and for more under one chip select than the interface takes
    /// (``largestTransfer``, 511 segments) unless it may be split. What stands under several chip selects is sent in as
    /// many pieces as needed.
    func transfer(_ segments: [SPISegment], splitting: SPISplitting) async throws -> [[UInt8]]

    /// Gives the target back.
    func close()
}

extension SPIDevice {
    public func transfer(_ segments: [SPISegment]) async throws -> [[UInt8]] {
        try await transfer(segments, splitting: .refused)
    }

    /// Sends the bytes and returns as many that came back at the same time.
    public func transfer(_ bytes: [UInt8], splitting: SPISplitting = .refused) async throws -> [UInt8] {
        try await transfer([.exchange(bytes)], splitting: splitting).first ?? []
    }

    /// Sends the bytes.
    public func write(_ bytes: [UInt8], splitting: SPISplitting = .refused) async throws {
        _ = try await transfer([.write(bytes)], splitting: splitting)
    }

    /// Reads as many bytes.
    public func read(count: Int, splitting: SPISplitting = .refused) async throws -> [UInt8] {
        try await transfer([.read(count: count)], splitting: splitting).first ?? []
    }

    /// Sends a command, then reads what answers it under the same chip select.
    public func writeRead(_ bytes: [UInt8], count: Int) async throws -> [UInt8] {
        try await transfer([.write(bytes), .read(count: count)]).first ?? []
    }
}
