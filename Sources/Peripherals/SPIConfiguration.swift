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

/// Which bit of a word comes first on the wire.
public enum BitOrder: Sendable, Hashable, CaseIterable {
    /// As in nearly all parts.
    case mostSignificantFirst
    case leastSignificantFirst
}

/// How to talk to an SPI target.
public struct SPIConfiguration: Sendable, Hashable {
    public var mode: SPIMode
    /// The clock's frequency at most; the controller may choose a lower one.
    public var maximumSpeed: Frequency
    /// Reversed in software where the controller refuses it, as a Raspberry Pi's does
    /// (``SPIDevice/reversesBitsInSoftware``).
    public var bitOrder: BitOrder
    /// Bits in a word, 1 to 32: 8 with nearly all parts, and the only size of a Raspberry Pi's controller. A word of up
    /// to 8 bits is one byte of a transfer, one of up to 16 bits two, a longer one four, in the host's byte order and
    /// right-aligned. Opening throws `unsupported` for a size that the controller lacks.
    public var wordSize: Int
    /// Who else may have the target open at the same time: whoever opens it with the same word here and the same
    /// settings, such as the devices for the inputs of one converter. `nil` is nobody.
    public var sharedBy: String?

    public init(
        mode: SPIMode = .mode0, maximumSpeed: Frequency, bitOrder: BitOrder = .mostSignificantFirst, wordSize: Int = 8,
        sharedBy: String? = nil
    ) {
        self.mode = mode
        self.maximumSpeed = maximumSpeed
        self.bitOrder = bitOrder
        self.wordSize = wordSize
        self.sharedBy = sharedBy
    }

    /// Whether both may have a target open at the same time.
    package func shares(with other: SPIConfiguration) -> Bool { sharedBy != nil && self == other }

    /// How many bytes of a transfer are a word.
    public var bytesPerWord: Int { wordSize <= 8 ? 1 : wordSize <= 16 ? 2 : 4 }

    /// The clock in whole hertz. Throws `invalidArgument` for a clock or a word that no interface has.
    package func checkedHertz(for name: String) throws -> UInt32 {
        guard 1...32 ~= wordSize else {
            throw PeripheralError(.invalidArgument, "\(name): a word has from 1 to 32 bits, not \(wordSize)")
        }
        return try maximumSpeed.checkedHertz(for: name)
    }

    /// The words with their bits in reverse.
    package func reversingBits(_ bytes: [UInt8]) -> [UInt8] {
        mapWords(bytes) { word in
            var rest = word
            var reversed: UInt32 = 0
            for _ in 0..<wordSize {
                reversed = reversed << 1 | rest & 1
                rest >>= 1
            }
            return reversed
        }
    }

    /// The words without the bits that they do not have.
    package func maskingWords(_ bytes: [UInt8]) -> [UInt8] {
        mapWords(bytes) { $0 & (UInt32.max >> UInt32(32 - wordSize)) }
    }

    /// The hosts that Linux boards have are little-endian.
    private func mapWords(_ bytes: [UInt8], _ transform: (UInt32) -> UInt32) -> [UInt8] {
        var result = bytes
        for start in stride(from: 0, to: bytes.count - bytesPerWord + 1, by: bytesPerWord) {
            let places = start..<start + bytesPerWord
            var word: UInt32 = 0
            for place in places.reversed() { word = word << 8 | UInt32(bytes[place]) }
            word = transform(word)
            for place in places {
                result[place] = UInt8(truncatingIfNeeded: word)
                word >>= 8
            }
        }
        return result
    }
}

extension Frequency {
    /// A clock in whole hertz. Throws `invalidArgument` for one that the interface cannot express.
    package func checkedHertz(for name: String) throws -> UInt32 {
        // Zero would mean the device tree's limit.
        guard let wholeHertz else {
            throw PeripheralError(
                .invalidArgument, "\(name): a clock of \(hertz) Hz is out of range", advice: "choose from 1 Hz to 4 GHz"
            )
        }
        return wholeHertz
    }
}
