/// What a record is called for as long as anybody remembers it.
///
/// Unique without a server's help: the sequence number is never used twice by an outbox, and an outbox that
/// might have forgotten numbers takes a new identity.
public struct RecordID: Sendable, Hashable, CustomStringConvertible {
    /// The board's name in the configuration at the time of acceptance.
    public let device: String
    /// Eight hexadecimal digits.
    public let identity: String
    /// From 1 up, in order of acceptance.
    public let sequence: Int64

    public init(device: String, identity: String, sequence: Int64) {
        self.device = device
        self.identity = identity
        self.sequence = sequence
    }

    /// `porch/3fa2c81b/00000042`
    public var description: String { "\(Self.segment(device))/\(Self.segment(identity))/\(paddedSequence)" }

    private var paddedSequence: String {
        let digits = String(sequence)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The name of an object of this record: `porch/3fa2c81b/00000042-bell.pressed.json`.
    func objectName(part: String, event: String, extension fileExtension: String) -> String {
        "\(self)-\(Self.segment(part)).\(Self.segment(event)).\(fileExtension)"
    }

    /// A text as one segment of a name that is valid everywhere: in a URL, a bucket, a FAT file system.
    static func segment(_ text: String) -> String {
        let safe = text.unicodeScalars.map { isSafe($0) ? Character($0) : "-" }
        // Not "..", not a hidden file; and a file system's limit of 255 bytes leaves room for three segments.
        let name = String(safe.drop { $0 == "." }.prefix(64))
        return name.isEmpty ? "-" : name
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
