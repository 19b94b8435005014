/// Several lines of one chip that are read at once. Closing more than once is harmless; any other call on a closed
/// group throws ``PeripheralError/Code/closed``.
public protocol DigitalInputGroup: AnyObject, Sendable {
    /// The lines' names, in the order in which they were opened.
    var names: [String] { get }

    /// The levels now, in the lines' order. Throws `closed` or `io`.
    func read() throws -> [Level]

    func close()
}

/// Several lines of one chip that are set at once. Closing more than once is harmless; any other call on a closed
/// group throws ``PeripheralError/Code/closed``.
public protocol DigitalOutputGroup: AnyObject, Sendable {
    /// The lines' names, in the order in which they were opened.
    var names: [String] { get }

    /// Drives all lines, with a level for each in the lines' order. Throws `closed`, `io`, or `invalidArgument` for
    /// another number of levels; then nothing changes.
    func write(_ levels: [Level]) throws

    func close()
}

/// The most lines that a group has: what the kernel takes in one request (`GPIO_V2_LINES_MAX`).
public let maximumLinesInGroup = 64

/// Throws `invalidArgument` for lines that cannot be a group by their number or names, or for another number of levels
/// than lines.
public func checkGroup(_ lines: [String], levels: Int? = nil) throws {
    func refuse(_ message: String) -> PeripheralError { PeripheralError(.invalidArgument, message) }
    guard (1...maximumLinesInGroup).contains(lines.count) else {
        throw refuse("a group has 1 to \(maximumLinesInGroup) lines, not \(lines.count)")
    }
    if let double = Dictionary(grouping: lines, by: \.self).first(where: { $0.value.count > 1 }) {
        throw refuse("\(double.key) is twice in the group")
    }
    if let levels, levels != lines.count {
        throw refuse("the group of \(lines.joined(separator: ", ")) takes \(lines.count) levels, not \(levels)")
    }
}
