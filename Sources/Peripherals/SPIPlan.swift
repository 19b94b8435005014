/// Segments cut into the messages that the interface takes (spidev's `SPI_IOC_MESSAGE`).
package struct SPIPlan: Sendable {
    /// A segment or a part of one.
    package struct Piece: Sendable, Hashable {
        /// The index of its segment, and which of its bytes it has.
        package var segment: Int
        package var bytes: Range<Int>
        package var delayMicroseconds: UInt16
        package var hertz: UInt32
        /// `cs_change`: chip select is released for a moment after it; after the last of a message it is kept.
        package var changesSelect: Bool
    }

    package private(set) var messages: [[Piece]] = []

    /// An ioctl's argument has a size of 14 bits, and a `struct spi_ioc_transfer` 32 bytes.
    package static let mostSegments = 511
    /// spidev counts a segment up to a multiple of the memory's alignment: 128 bytes at most on Arm.
    private static let alignment = 128

    private let segments: [SPISegment]
    private let limit: Int

    /// Throws `invalidArgument` for what cannot be sent like this.
    package init(
        _ segments: [SPISegment], _ splitting: SPISplitting, largestTransfer: Int, _ configuration: SPIConfiguration,
        name: String
    ) throws {
        self.segments = segments
        limit = largestTransfer
        let pieces = try Self.pieces(of: segments, configuration, name: name)
        var selection: [Piece] = []
        for piece in pieces {
            selection.append(piece)
            guard piece.changesSelect || piece.segment == segments.count - 1 else { continue }
            if fits(selection, alignment: 1) {
                append(selection)
            } else {
                try split(selection, splitting, bytesPerWord: configuration.bytesPerWord, name: name)
            }
            selection = []
        }
    }

    private static func pieces(
        of segments: [SPISegment], _ configuration: SPIConfiguration, name: String
    ) throws -> [Piece] {
        let bytesPerWord = configuration.bytesPerWord
        let hertz = try configuration.checkedHertz(for: name)
        guard !segments.isEmpty else { throw PeripheralError(.invalidArgument, "\(name): a transfer has a segment") }
        return try segments.enumerated().map { index, segment in
            guard segment.count > 0, segment.count % bytesPerWord == 0 else {
                throw PeripheralError(
                    .invalidArgument, "\(name): \(segment.count) bytes are no transfer",
                    advice:
                        "send at least one word of \(bytesPerWord) byte\(bytesPerWord == 1 ? "" : "s"), and whole ones")
            }
            let delay = (segment.delay / .microseconds(1)).rounded(.up)
            guard let microseconds = UInt16(exactly: delay) else {
                throw PeripheralError(
                    .invalidArgument, "\(name): a delay of \(segment.delay) is out of range",
                    advice: "65.535 ms at most")
            }
            return Piece(
                segment: index, bytes: 0..<segment.count, delayMicroseconds: microseconds,
                hertz: try segment.speed?.checkedHertz(for: name) ?? hertz,
                changesSelect: segment.releasesSelect && index < segments.count - 1)
        }
    }

    /// Whether one message takes them; sent and read bytes are counted apart, as spidev does.
    private func fits(_ pieces: [Piece], alignment: Int) -> Bool {
        var sent = 0
        var received = 0
        for piece in pieces {
            let count = (piece.bytes.count + alignment - 1) / alignment * alignment
            switch segments[piece.segment].content {
            case .exchange:
                sent += count
                received += count
            case .write: sent += count
            case .read: received += count
            }
        }
        return sent <= limit && received <= limit && pieces.count <= Self.mostSegments
    }

    /// Adds what is under one chip select to the last message, or begins one: chip select is released either way.
    private mutating func append(_ selection: [Piece]) {
        if let last = messages.last, fits(last + selection, alignment: Self.alignment) {
            messages[messages.count - 1] += selection
            return
        }
        endMessage(keepingSelect: false)
        messages.append(selection)
    }

    /// The last piece of a message releases chip select by itself.
    private mutating func endMessage(keepingSelect: Bool) {
        guard let message = messages.indices.last, let piece = messages[message].indices.last else { return }
        messages[message][piece].changesSelect = keepingSelect
    }

    private mutating func split(
        _ selection: [Piece], _ splitting: SPISplitting, bytesPerWord: Int, name: String
    ) throws {
        guard splitting != .refused else {
            let count = selection.reduce(0) { $0 + $1.bytes.count }
            throw PeripheralError(
                .invalidArgument,
                "\(name): \(count) bytes in \(selection.count) segments do not fit in one transfer, which has \(limit) "
                    + "bytes each way and \(Self.mostSegments) segments at most",
                cause: "EMSGSIZE (90)",
                advice:
                    "allow splitting if the part's protocol does, or raise spidev.bufsiz on the kernel's command line")
        }
        endMessage(keepingSelect: false)
        let most = max(limit / bytesPerWord, 1) * bytesPerWord
        var message: [Piece] = []
        for whole in selection {
            for start in stride(from: 0, to: whole.bytes.count, by: most) {
                var piece = whole
                piece.bytes = start..<min(start + most, whole.bytes.count)
                if piece.bytes.upperBound < whole.bytes.count {
                    piece.delayMicroseconds = 0
                    piece.changesSelect = false
                }
                if !message.isEmpty, !fits(message + [piece], alignment: Self.alignment) {
                    messages.append(message)
                    endMessage(keepingSelect: splitting == .keepingSelect)
                    message = []
                }
                message.append(piece)
            }
        }
        messages.append(message)
    }
}
