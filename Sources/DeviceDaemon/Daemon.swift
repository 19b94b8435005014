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
        /// Is told what the rules make of events.
        var occurred: @Sendable (RuleOccurrence) -> Void = { _ in }
        /// What follows from chance, such as the pauses between tries to upload.
        var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

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
    private let configuration: Protected<Configuration>
    private let rules: RuleEngine
    private let deviceSet: DeviceSet
    private let makeDevice: @Sendable (DeviceConfiguration) throws -> DeviceDirectory.Entry
    public let outbox: Outbox
    let uploads: Uploads
    /// The devices, for whoever shows or controls them.
    public let devices = DeviceDirectory()

    /// Opens the outbox and makes backends and devices, without touching a peripheral.
    ///
    /// Throws ``OutboxError``, or what a backend says is missing.
    public init(_ configuration: Configuration, _ environment: Environment) throws {
        let (loop, logger) = (environment.loop, environment.logger)
        let context = StorageContext(
            loop: loop, stateDirectory: environment.stateDirectory, device: configuration.name, devices: devices,
            logger: logger)
        let backends = try configuration.storage.map { try environment.makeBackend($0, context) }
        let outbox = try Outbox(
            directory: environment.stateDirectory, device: configuration.name, backends: backends.map(\.name),
            settings: configuration.outbox, loop: loop, wallClock: environment.wallClock, logger: logger,
            identity: environment.identity?.outbox,
            boot: environment.identity?.boot)
        self.outbox = outbox

        // Devices tell the router, which tells the rules, which tell the devices: the circle is closed by the
        // directory, which is filled below, before anything runs.
        rules = RuleEngine(
            rules: configuration.rules, directory: devices, logger: logger, occurred: environment.occurred)
        let router = Router(outbox: outbox, rules: rules, directory: devices, logger: logger)
        makeDevice = { device in
            let context = DeviceContext(
                name: device.name, board: environment.board, loop: loop, logger: logger, sink: router)
            return DeviceDirectory.Entry(
                configuration: device, device: try device.driver.makeDevice(device.options, context))
        }
        devices.replace(try configuration.devices.map(makeDevice))
        deviceSet = DeviceSet(devices, clock: loop, logger: logger)
        // What keeps a connection does so before the first upload and until the last.
        let connections = backends.compactMap { $0 as? any Service }
        uploads = Uploads(
            zip(backends, configuration.storage).map { backend, storage in
                Uploader(
                    to: backend, from: outbox, limits: storage.limits, loop: loop, logger: logger,
                    random: environment.random)
            })
        services = ServiceGroup([outbox] + connections + [uploads, rules, deviceSet], logger: logger)
        self.configuration = Protected(configuration)
    }

    /// Applies a changed configuration to what changed in it, and to nothing else: other devices, uploads and what
    /// waits go on. Returns `false`, having changed nothing, where that cannot be: another board, device name or
    /// storage.
    ///
    /// Throws what a driver says of its options; nothing has changed then either.
    public func apply(_ new: Configuration) async throws -> Bool {
        guard new.hasSameFrame(as: configuration.withLock({ $0 })) else { return false }
        let entries = try new.devices.map(makeDevice)
        try await deviceSet.replace(entries)
        rules.replace(new.rules)
        configuration.withLock { $0 = new }
        return true
    }

    /// Runs until `body` returns, then stops everything in reverse: devices make their outputs safe, and what
    /// they told is on the disk before the outbox closes.
    public func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // Devices tell the directory, and it holds them: at the end nobody holds the other any more.
        defer { devices.replace([]) }
        try await services.run(body)
    }
}

extension Configuration {
    /// Whether what devices stand on is the same: name, board and storage.
    fileprivate func hasSameFrame(as other: Configuration) -> Bool {
        name == other.name && board == other.board && boardProfile == other.boardProfile
            && storage.map(\.frame) == other.storage.map(\.frame) && outbox == other.outbox && page == other.page
            && metrics == other.metrics
    }
}

extension StorageConfiguration {
    fileprivate var frame: [String] { [name, backend.name] + texts.flatMap { [$0.name, $0.text] } }
}
