/// The topics of one board: `perch/porch/…`. Events have four levels; whatever else there is has three or five.
public struct MQTTTopics: Sendable, Hashable {
    /// `perch/porch`
    public let base: String

    /// `prefix` may have several levels: `home/sensors`.
    public init(prefix: String, device: String) { base = "\(prefix)/\(Self.level(device))" }

    /// Whether the board is there: `online` or `offline`.
    public var availability: String { "\(base)/availability" }

    /// The records of an event: `perch/porch/bell/pressed`.
    public func event(_ part: String, _ event: String) -> String { "\(base)/\(Self.level(part))/\(Self.level(event))" }

    /// The files of an event's records: `perch/porch/camera/captured/payload`.
    public func payload(_ part: String, _ event: String) -> String { "\(self.event(part, event))/payload" }

    /// A text as one level of a topic: without what separates levels, what stands for many, and what is invisible.
    public static func level(_ text: String) -> String {
        let level = String(
            text.unicodeScalars.map { scalar in
                "/+#".unicodeScalars.contains(scalar) || scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                    ? "-" : Character(scalar)
            })
        return level.isEmpty ? "-" : level
    }
}
