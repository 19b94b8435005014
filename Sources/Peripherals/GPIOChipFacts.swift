/// A chip with digital lines, as the kernel describes it.
public struct GPIOChipFacts: Sendable, Hashable {
    public enum Direction: String, Sendable, Hashable {
        case input
        case output
    }

    public struct Line: Sendable, Hashable {
        /// The kernel's name for it; `nil` if it has none.
        public var name: String?
        /// The name on the board's header; `nil` if it is not there.
        public var headerName: String?
        public var direction: Direction
        /// Who holds it, by the name that the holder gave; `nil` when nobody does.
        public var holder: String?

        public init(name: String?, headerName: String?, direction: Direction, holder: String?) {
            self.name = name
            self.headerName = headerName
            self.direction = direction
            self.holder = holder
        }
    }

    /// `gpiochip0`. The number may change from boot to boot.
    public var name: String
    /// `pinctrl-bcm2711`
    public var label: String
    /// In the order of their offsets.
    public var lines: [Line]

    public init(name: String, label: String, lines: [Line]) {
        self.name = name
        self.label = label
        self.lines = lines
    }
}
