internal import CGPIOD
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// A line that this process holds, released exactly once.
///
/// Unchecked: used on the loop's thread only.
final class GPIOLine: @unchecked Sendable {
    let name: String
    private var handle: OpaquePointer?

    private init(_ name: String, _ handle: OpaquePointer) {
        self.name = name
        self.handle = handle
    }

    deinit { release() }

    /// Throws ``SystemError``.
    static func input(_ name: String, at place: Place, _ bias: Bias, edges: Bool, consumer: String) throws -> GPIOLine {
        try request(name) {
            perch_gpio_request_input(place.chip.path, place.offset, bias.flag, edges ? 1 : 0, consumer)
        }
    }

    /// Throws ``SystemError``.
    static func output(_ name: String, at place: Place, _ level: Level, consumer: String) throws -> GPIOLine {
        try request(name) {
            perch_gpio_request_output(place.chip.path, place.offset, level.number, consumer)
        }
    }

    private static func request(_ name: String, _ call: () -> OpaquePointer?) throws -> GPIOLine {
        var handle: OpaquePointer?
        try systemCall("request of \(name)") {
            handle = call()
            return Int32(handle == nil ? -1 : 0)
        }
        guard let handle else { throw SystemError(code: EIO, call: "request of \(name)") }
        return GPIOLine(name, handle)
    }

    func read() throws -> Level { try call("read") { perch_gpio_read($0) } == 0 ? .low : .high }

    func write(_ level: Level) throws { _ = try call("written") { perch_gpio_write($0, level.number) } }

    func eventDescriptor() throws -> Int32 { try call("watched") { perch_gpio_event_descriptor($0) } }

    /// The next queued edges; none when there are none.
    func readEvents() throws -> [EdgeEvent] {
        guard let handle else { return [] }
        var raw = [perch_gpio_edge_event](repeating: perch_gpio_edge_event(), count: Int(PERCH_GPIO_EVENT_COUNT))
        do {
            let count = try systemCall("read the edges of \(name)") { perch_gpio_read_events(handle, &raw) }
            return raw.prefix(Int(count)).map { EdgeEvent($0) }
        } catch let error as SystemError where error.code == EAGAIN {
            return []
        }
    }

    func release() {
        if let handle { perch_gpio_release(handle) }
        handle = nil
    }

    @discardableResult
    func checkOpen() throws -> OpaquePointer {
        guard let handle else { throw PeripheralError(.closed, "\(name) was closed before") }
        return handle
    }

    private func call(_ verb: String, _ body: (OpaquePointer) -> Int32) throws -> Int32 {
        let handle = try checkOpen()
        return try describingErrors({ PeripheralError($0, "\(name) cannot be \(verb)") }) {
            try systemCall(name) { body(handle) }
        }
    }
}

extension GPIOLine {
    /// Where a line is.
    struct Place {
        var chip: GPIOChip
        var offset: UInt32
    }
}

extension Level {
    fileprivate var number: Int32 { self == .high ? 1 : 0 }
}

extension Bias {
    fileprivate var flag: perch_gpio_bias {
        switch self {
        case .asIs: PERCH_GPIO_BIAS_AS_IS
        case .disabled: PERCH_GPIO_BIAS_DISABLED
        case .pullUp: PERCH_GPIO_BIAS_PULL_UP
        case .pullDown: PERCH_GPIO_BIAS_PULL_DOWN
        }
    }
}

extension EdgeEvent {
    fileprivate init(_ raw: perch_gpio_edge_event) {
        self.init(
            edge: raw.is_rising != 0 ? .rising : .falling, timestamp: .nanoseconds(Int64(raw.timestamp_ns)),
            sequenceNumber: raw.sequence_number == 0 ? nil : raw.sequence_number)
    }
}
