internal import Peripherals

/// A GPIO line that is driven, by libgpiod.
final class LinuxDigitalOutput: DigitalOutput {
    private let line: GPIOLine

    init(_ line: GPIOLine) { self.line = line }

    var name: String { line.name }

    func write(_ level: Level) throws { try line.write(level) }

    func close() { line.release() }
}
