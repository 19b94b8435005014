extension SerialPort {
    /// What comes in, until the port is closed. Throws when it is unplugged.
    public var input: SerialInputs { SerialInputs(port: self) }

    /// What comes in, line by line, until the port is closed. Throws when it is unplugged.
    ///
    /// A line that is longer than `maximumLength` bytes is cut there and told as such, so that noise or a wrong
    /// baud rate cannot fill the memory. The terminator is not part of a line.
    public func lines(terminator: UInt8 = 0x0A, maximumLength: Int = 1024) -> SerialLines {
        SerialLines(port: self, splitter: SerialLineSplitter(terminator: terminator, maximumLength: maximumLength))
    }

    /// Waits for something to arrive, as long as it takes.
    public func read() async throws -> SerialInput { try await read(timeout: nil) }
}

/// What comes in on a port. Nothing is fetched ahead: what nobody asks for waits in the kernel.
public struct SerialInputs: AsyncSequence, Sendable {
    let port: any SerialPort

    public func makeAsyncIterator() -> Iterator { Iterator(port: port) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let port: any SerialPort

        public func next() async throws -> SerialInput? {
            do {
                return try await port.read(timeout: nil)
            } catch let error as PeripheralError where error.code == .closed {
                return nil
            }
        }
    }
}

/// A line that came in.
public enum SerialLine: Sendable, Hashable {
    case complete([UInt8])
    /// The line's beginning, as long as lines may be; its rest is dropped.
    case tooLong([UInt8])
    /// A line in which bytes were damaged or lost, without them.
    case damaged([UInt8])
}

/// The lines that come in on a port.
public struct SerialLines: AsyncSequence, Sendable {
    let port: any SerialPort
    let splitter: SerialLineSplitter

    public func makeAsyncIterator() -> Iterator { Iterator(inputs: port.input.makeAsyncIterator(), splitter: splitter) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let inputs: SerialInputs.Iterator
        var splitter: SerialLineSplitter

        public mutating func next() async throws -> SerialLine? {
            while true {
                if let line = splitter.next() { return line }
                guard let input = try await inputs.next() else { return nil }
                splitter.add(input)
            }
        }
    }
}
