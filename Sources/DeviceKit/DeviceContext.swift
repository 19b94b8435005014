public import DeviceRuntime
public import Peripherals

/// What the daemon gives a device: its name, its board, time, and the ways to tell what happened.
public struct DeviceContext: Sendable {
    /// The device's name in the configuration: `bell`.
    public let name: String
    public let board: any Board
    public let loop: EventLoop
    public let logger: Logger
    private let sink: any DeviceSink

    public init(name: String, board: any Board, loop: EventLoop, logger: Logger, sink: any DeviceSink) {
        self.name = name
        self.board = board
        self.loop = loop
        self.logger = logger
        self.sink = sink
    }

    /// The executor that a device's actor runs on.
    public var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    public var clock: any MonotonicClock { loop }

    /// Tells that something happened: now, unless the kernel knows better when.
    public func emit(
        _ name: String, at timestamp: Duration? = nil, _ fields: [Event.Field] = [], payload: Event.Payload? = nil
    ) {
        sink.emit(
            Event(device: self.name, name: name, timestamp: timestamp ?? loop.now, fields: fields, payload: payload))
    }

    /// Tells that a state of the device's table begins or ends to hold.
    public func setState(_ state: String, _ value: Bool) { sink.setState(device: name, state: state, value) }

    /// Tells that the part is not as it should be, though the device goes on working: `GPIO17 has been high for 4h`.
    /// Shows in the daemon's health and in the log, once; `nil` when it is well again.
    public func setFault(_ reason: String?) { sink.setFault(device: name, reason) }

    /// Hands each event of another device to `handler`, on the loop, before it is stored and before any rule sees it,
    /// until the following is cancelled or let go of.
    public func follow(_ device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following {
        sink.follow(device: device, handler)
    }

    /// Waits until the device is to stop, and throws `CancellationError` then: the end of a ``Device/run(ready:)``
    /// that has nothing to do by itself.
    public func waitUntilStopped() async throws { try await Waiter().wait() }

    /// A path for a file that is to become an event's payload: on the outbox's file system, unused. A file left
    /// there without an event is removed at the next start.
    public func makePayloadPath() -> String { sink.makePayloadPath() }
}

/// Where a device's events and states go. Called on the loop.
public protocol DeviceSink: Sendable {
    func emit(_ event: Event)
    func setState(device: String, state: String, _ value: Bool)
    func setFault(device: String, _ reason: String?)
    func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following
    func makePayloadPath() -> String
}

extension DeviceSink {
    public func setFault(device: String, _ reason: String?) {}
    /// Where there are no other devices, nobody tells anything.
    public func follow(device: String, _ handler: @escaping @Sendable (Event) -> Passing) -> Following {
        Following {}
    }
}
