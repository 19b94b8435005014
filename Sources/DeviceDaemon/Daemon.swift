public import CaptureStore
import DeviceKit
public import DeviceRuntime
public import Peripherals

/// A whole device: its parts, its rules, its outbox and the way to its storage.
///
/// A daemon of your own with your own driver:
///
///     let daemon = try Daemon(configuration, environment)
///     try await daemon.run { try await stop.wait() }
public struct Daemon: Sendable {
    /// What the daemon runs in.
    public struct Environment: Sendable {
        public var loop: EventLoop
        public var board: any Board
        public var stateDirectory: String
        public var wallClock: WallClock
        public var logger: Logger
        /// Makes the backend of each storage.
        public var makeBackend: @Sendable (StorageConfiguration, StorageContext) throws -> any StorageBackend
        /// Given where runs have to be repeatable; otherwise random, and the kernel's.
        public var identity: (outbox: String, boot: String)?
        /// Gets a summary whenever a device's health changes.
        public var healthChanged: @Sendable (String) -> Void = { _ in }

        public init(
            loop: EventLoop, board: any Board, stateDirectory: String, wallClock: WallClock, logger: Logger,
            makeBackend: @escaping @Sendable (StorageConfiguration, StorageContext) throws -> any StorageBackend
        ) {
            self.loop = loop
            self.board = board
            self.stateDirectory = stateDirectory
            self.wallClock = wallClock
            self.logger = logger
            self.makeBackend = makeBackend
        }
    }

    /// In the order in which they start: each builds on those before it.
    private let services: ServiceGroup
    private let health: HealthTable
    public let outbox: Outbox

    /// How the devices do: `3 of 4 devices running; failing: sign`.
    public var healthSummary: String { health.summary }

    /// Opens the outbox and makes backends and devices, without touching a peripheral.
    ///
    /// Throws ``OutboxError``, or what a backend says is missing.
    public init(_ configuration: Configuration, _ environment: Environment) throws {
        let (loop, logger) = (environment.loop, environment.logger)
        let context = StorageContext(loop: loop, stateDirectory: environment.stateDirectory)
        let backends = try configuration.storage.map { try environment.makeBackend($0, context) }
        let outbox = try Outbox(
            directory: environment.stateDirectory, device: configuration.name, backends: backends.map(\.name),
            loop: loop, wallClock: environment.wallClock, logger: logger, identity: environment.identity?.outbox,
            boot: environment.identity?.boot)
        self.outbox = outbox

        // Devices tell the router, which tells the rules, which tell the devices: the circle is closed by a
        // table that is filled below, before anything runs.
        let rules = RuleEngine(rules: configuration.rules, logger: logger)
        let router = Router(outbox: outbox, rules: rules, logger: logger)
        health = HealthTable(devices: configuration.devices.map(\.name), changed: environment.healthChanged)
        var supervisors: [any Service] = []
        for device in configuration.devices {
            let made = try device.driver.makeDevice(
                device.options,
                DeviceContext(name: device.name, board: environment.board, loop: loop, logger: logger, sink: router))
            rules.add(made, named: device.name)
            supervisors.append(
                DeviceSupervisor(name: device.name, device: made, clock: loop, health: health, logger: logger))
        }
        let uploaders = backends.map { Uploader(to: $0, from: outbox, loop: loop, logger: logger) }
        services = ServiceGroup([outbox] + uploaders + [rules] + supervisors, logger: logger)
    }

    /// Runs until `body` returns, then stops everything in reverse: devices make their outputs safe, and what
    /// they told is on the disk before the outbox closes.
    public func run(_ body: @escaping @Sendable () async throws -> Void) async throws { try await services.run(body) }
}
