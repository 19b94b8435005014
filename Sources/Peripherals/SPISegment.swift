/// A part of an SPI transfer with several: all run under one chip select, unless one says otherwise.
public struct SPISegment: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// Sends, and keeps what comes back at the same time.
        case exchange([UInt8])
        /// Sends; what comes back is dropped.
        case write([UInt8])
        /// Reads; what is sent meanwhile is up to the controller, zeros as a rule.
        case read(count: Int)
    }

    public var content: Content
    /// The pause after it, before the next one or before chip select is released: whole microseconds, 65,535 at most.
    public var delay: Duration
    /// Whether chip select is released for a moment after it. After the last one it is released anyway.
    public var releasesSelect: Bool
    /// A clock of its own.
    public var speed: Frequency?

    public init(_ content: Content, delay: Duration = .zero, releasesSelect: Bool = false, speed: Frequency? = nil) {
        self.content = content
        self.delay = delay
        self.releasesSelect = releasesSelect
        self.speed = speed
    }

    public static func exchange(_ bytes: [UInt8]) -> SPISegment { SPISegment(.exchange(bytes)) }
    public static func write(_ bytes: [UInt8]) -> SPISegment { SPISegment(.write(bytes)) }
    public static func read(count: Int) -> SPISegment { SPISegment(.read(count: count)) }

    /// How many bytes it moves.
    public var count: Int {
        switch content {
        case .exchange(let bytes), .write(let bytes): bytes.count
        case .read(let count): count
        }
    }
}

/// What may be done with a transfer that is longer than the interface takes at once. Only the part's protocol allows
/// it or does not, so the caller says it.
public enum SPISplitting: Sendable, Hashable {
    /// It throws `invalidArgument`.
    case refused
    /// It is sent in pieces, with chip select released between them: for streams, where it means nothing.
    case releasingSelect
    /// It is sent in pieces, with a pause of the clock between them and chip select kept, as far as the controller
    /// keeps it. Nobody else may use the bus meanwhile: other devices of this process wait.
    case keepingSelect
}
