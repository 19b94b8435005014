internal import Peripherals

/// GPIO lines of one chip that are read at once, by libgpiod.
final class LinuxDigitalInputGroup: DigitalInputGroup {
    private let request: GPIORequest

    init(_ request: GPIORequest) { self.request = request }

    var names: [String] { request.names }

    func read() throws -> [Level] { try request.read() }

    func close() { request.release() }
}

/// GPIO lines of one chip that are set at once, by libgpiod.
final class LinuxDigitalOutputGroup: DigitalOutputGroup {
    private let request: GPIORequest

    init(_ request: GPIORequest) { self.request = request }

    var names: [String] { request.names }

    func write(_ levels: [Level]) throws {
        try request.checkOpen()
        try checkGroup(names, levels: levels.count)
        try request.write(levels)
    }

    func close() { request.release() }
}
