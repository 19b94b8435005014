internal import CGPIOD
internal import DeviceRuntime
internal import Glibc
internal import Peripherals

/// Lines of one chip that this process holds, released exactly once.
///
/// From any task: each call holds the lock, so the lines are not released in the middle of one.
final class GPIORequest: Sendable {
    /// Where a line is.
    struct Place {
        var name: String
        var chip: GPIOChip
        var offset: UInt32

        /// For messages: `GPIO17 (line 17 of pinctrl-bcm2711)`.
        var description: String { "\(name) (line \(offset) of \(chip.label))" }
    }

    let places: [Place]
    private let handle: Protected<Handle>

    private struct Handle: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    deinit { release() }

    /// Throws ``SystemError``. All places are on one chip; edges and a debounce are for a single one.
    init(
        input places: [Place], bias: Bias, edges: Set<Edge> = [], debounceMicroseconds: UInt32 = 0, consumer: String
    ) throws {
        self.places = places
        handle = try Self.request(places) { path, offsets in
            perch_gpio_request_input(
                path, offsets, UInt32(places.count), bias.flag, edges.flag, debounceMicroseconds, consumer)
        }
    }

    /// Throws ``SystemError``. All places are on one chip, and there are as many levels.
    init(output places: [Place], levels: [Level], drive: Drive, bias: Bias, consumer: String) throws {
        self.places = places
        handle = try Self.request(places) { path, offsets in
            perch_gpio_request_output(
                path, offsets, UInt32(places.count), levels.map(\.number), drive.flag, bias.flag, consumer)
        }
    }

    private static func request(
        _ places: [Place], _ call: (String, [UInt32]) -> OpaquePointer?
    ) throws -> Protected<Handle> {
        guard let path = places.first?.chip.path else { throw SystemError(code: EINVAL, call: "request of no line") }
        var pointer: OpaquePointer?
        try systemCall("request of lines") {
            pointer = call(path, places.map(\.offset))
            return Int32(pointer == nil ? -1 : 0)
        }
        return Protected(Handle(pointer: pointer))
    }

    var names: [String] { places.map(\.name) }
    private var title: String { names.joined(separator: ", ") }

    func read() throws -> [Level] {
        var levels = [Int32](repeating: 0, count: places.count)
        _ = try call("read") { perch_gpio_read($0, &levels) }
        return levels.map { $0 == 0 ? .low : .high }
    }

    /// The level of the only line, without an array.
    func readOne() throws -> Level {
        var level: Int32 = 0
        _ = try call("read") { perch_gpio_read($0, &level) }
        return level == 0 ? .low : .high
    }

    func write(_ levels: [Level]) throws { _ = try call("written") { perch_gpio_write($0, levels.map(\.number)) } }

    func eventDescriptor() throws -> Int32 { try call("watched") { perch_gpio_event_descriptor($0) } }

    /// The next queued edges; none when there are none.
    func readEvents() throws -> [EdgeEvent] {
        var raw = [perch_gpio_edge_event](repeating: perch_gpio_edge_event(), count: Int(PERCH_GPIO_EVENT_COUNT))
        let count = try call("watched", unless: EAGAIN) { perch_gpio_read_events($0, &raw) }
        return raw.prefix(Int(count)).map { EdgeEvent($0) }
    }

    func release() {
        handle.withLock { handle in
            if let pointer = handle.pointer { perch_gpio_release(pointer) }
            handle.pointer = nil
        }
    }

    func checkOpen() throws { _ = try handle.withLock { try open($0) } }

    private func open(_ handle: Handle) throws -> OpaquePointer {
        guard let pointer = handle.pointer else { throw PeripheralError(.closed, "\(title) was closed before") }
        return pointer
    }

    /// `harmless` is an error that stands for 0.
    private func call(
        _ verb: String, unless harmless: Int32? = nil, _ body: (OpaquePointer) -> Int32
    ) throws -> Int32 {
        try handle.withLock { handle in
            let pointer = try open(handle)
            do { return try systemCall("line", { body(pointer) }) } catch let error as SystemError {
                if error.code == harmless { return 0 }
                throw PeripheralError(error, "\(title) cannot be \(verb)")
            }
        }
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

extension Drive {
    fileprivate var flag: perch_gpio_drive {
        switch self {
        case .pushPull: PERCH_GPIO_DRIVE_PUSH_PULL
        case .openDrain: PERCH_GPIO_DRIVE_OPEN_DRAIN
        case .openSource: PERCH_GPIO_DRIVE_OPEN_SOURCE
        }
    }
}

extension Set<Edge> {
    fileprivate var flag: perch_gpio_edges {
        switch (contains(.rising), contains(.falling)) {
        case (true, true): PERCH_GPIO_EDGES_BOTH
        case (true, false): PERCH_GPIO_EDGES_RISING
        case (false, true): PERCH_GPIO_EDGES_FALLING
        case (false, false): PERCH_GPIO_EDGES_NONE
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
