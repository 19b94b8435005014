internal import Peripherals

/// A GPIO line that is driven, by libgpiod.
final class LinuxDigitalOutput: DigitalOutput {
    private let request: GPIORequest

    init(_ request: GPIORequest) { self.request = request }

    var name: String { request.names.first ?? "" }

    func write(_ level: Level) throws { try request.write([level]) }

    func close() { request.release() }
}
