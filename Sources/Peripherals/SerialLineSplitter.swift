/// Cuts what comes in on a serial port into lines.
struct SerialLineSplitter: Sendable {
    let terminator: UInt8
    let maximumLength: Int
    private var line: [UInt8] = []
    private var isDamaged = false
    /// The line was told as too long already; what is left of it is dropped.
    private var isSkipping = false
    private var lines: [SerialLine] = []

    init(terminator: UInt8, maximumLength: Int) {
        self.terminator = terminator
        self.maximumLength = max(maximumLength, 1)
    }

    /// The next line that is finished.
    mutating func next() -> SerialLine? { lines.isEmpty ? nil : lines.removeFirst() }

    mutating func add(_ input: SerialInput) {
        switch input {
        case .bytes(let bytes): for byte in bytes { add(byte) }
        case .damagedByte, .lineBreak, .overrun: isDamaged = true
        }
    }

    private mutating func add(_ byte: UInt8) {
        if byte == terminator {
            if !isSkipping { lines.append(isDamaged ? .damaged(line) : .complete(line)) }
            line = []
            isDamaged = false
            isSkipping = false
        } else if !isSkipping {
            guard line.count < maximumLength else {
                lines.append(.tooLong(line))
                line = []
                isSkipping = true
                return
            }
            line.append(byte)
        }
    }
}
