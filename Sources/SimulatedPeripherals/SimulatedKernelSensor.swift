import DeviceRuntime
public import Peripherals

/// A sensor that a driver of the kernel reads: its texts, and what can go wrong with it.
public final class SimulatedKernelSensor: Sendable {
    private struct State {
        var texts: [String: String] = [:]
        var readingTime: Duration = .zero
        var isAnswering = true
        var isPlugged = true
    }

    public let name: KernelSensorName
    fileprivate let loop: EventLoop
    private let state = Protected(State())

    init(_ name: KernelSensorName, loop: EventLoop) {
        self.name = name
        self.loop = loop
    }

    /// The text of an attribute, which is there if it has one.
    public subscript(attribute: String) -> String? {
        get { state.withLock { $0.texts[attribute] } }
        set { state.withLock { $0.texts[attribute] = newValue } }
    }

    /// How long a reading takes.
    public func setReadingTime(_ time: Duration) { state.withLock { $0.readingTime = time } }

    /// Whether its wire works.
    public func setAnswering(_ isAnswering: Bool) { state.withLock { $0.isAnswering = isAnswering } }

    func unplug() { state.withLock { $0.isPlugged = false } }

    fileprivate func attributes() throws -> [String] {
        try state.withLock { state in
            guard state.isPlugged else { throw gone }
            return state.texts.keys.sorted()
        }
    }

    fileprivate func read(_ attribute: String) async throws -> String {
        try await loop.passBusTime(until: loop.now + state.withLock { $0.readingTime })
        return try state.withLock { state in
            guard state.isPlugged else { throw gone }
            guard let text = state.texts[attribute] else {
                throw PeripheralError(.notFound, "\(name) has no such attribute, or is gone", cause: "ENOENT (2)")
            }
            guard state.isAnswering else {
                throw PeripheralError(
                    .io, "\(name) does not answer", cause: "EIO (5)", advice: "check its wires and its power")
            }
            return text
        }
    }

    private var gone: PeripheralError { PeripheralError(.notFound, "\(name) is gone", cause: "ENODEV (19)") }
}

final class SimulatedKernelSensorOpening: KernelSensor {
    private let sensor: SimulatedKernelSensor
    private let isClosed = Protected(false)

    var name: KernelSensorName { sensor.name }

    init(_ sensor: SimulatedKernelSensor) { self.sensor = sensor }

    func attributes() async throws -> [String] {
        try checkOpen()
        return try sensor.attributes()
    }

    func read(_ attribute: String) async throws -> String {
        try checkOpen()
        return try await sensor.read(attribute)
    }

    func close() { isClosed.withLock { $0 = true } }

    private func checkOpen() throws {
        if isClosed.withLock({ $0 }) { throw PeripheralError(.closed, "\(name) was closed before") }
    }
}
