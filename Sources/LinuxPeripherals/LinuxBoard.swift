public import DeviceRuntime
internal import LineMonitoring
public import Peripherals

/// The real board: GPIO by libgpiod, I2C by i2c-dev, SPI by spidev, PWM by sysfs, serial ports by the
/// kernel's terminals.
///
/// Everything is opened, used and closed on the loop; transfers on a bus wait on a thread of that bus.
public final class LinuxBoard: Board {
    public let profile: BoardProfile
    private let loop: EventLoop
    private let sysfs: String
    private let claims = Claims()
    private let chips: GPIOChipWatch
    /// By the name of the bus. A thread sleeps while there is nothing to do.
    private let threads = Protected<[String: BlockingThread]>([:])
    /// By the name of the bus.
    private let i2cHealth = Protected<[String: Protected<I2CBusHealth>]>([:])

    /// `sysfs` is where sysfs is mounted.
    public init(_ profile: BoardProfile, loop: EventLoop, sysfs: String = "/sys") {
        self.profile = profile
        self.loop = loop
        chips = GPIOChipWatch(loop: loop)
        self.sysfs = sysfs
    }

    public var name: String { profile.name }

    public func gpioChips() async throws -> [GPIOChipFacts] { try GPIOLines(profile: profile).facts() }

    public func makeDigitalInput(
        _ line: String, _ configuration: DigitalInputConfiguration, consumer: String
    ) async throws -> any DigitalInput {
        let lines = GPIOLines(profile: profile)
        _ = try configuration.debounceMicroseconds()
        let place = try lines.find(line)
        return try lines.describingRequest(of: [place]) {
            let (request, canWatch) = try GPIORequest.watchedInput(place, configuration, consumer: consumer)
            let source = LinuxLineSource(request, canWatch: canWatch, chips: chips, loop: loop)
            return try MonitoredInput(source, LinuxLineSource.facts, configuration, loop: loop)
        }
    }

    public func makeDigitalOutput(
        _ line: String, _ configuration: DigitalOutputConfiguration, consumer: String
    ) async throws -> any DigitalOutput {
        let lines = GPIOLines(profile: profile)
        let place = try lines.find(line)
        return try lines.describingRequest(of: [place]) {
            LinuxDigitalOutput(
                try GPIORequest(
                    output: [place], levels: [configuration.initialLevel], drive: configuration.drive,
                    bias: configuration.bias, consumer: consumer))
        }
    }

    public func makeDigitalInputGroup(
        _ names: [String], bias: Bias, consumer: String
    ) async throws -> any DigitalInputGroup {
        try checkGroup(names)
        let lines = GPIOLines(profile: profile)
        let places = try lines.findGroup(names)
        return try lines.describingRequest(of: places) {
            LinuxDigitalInputGroup(try GPIORequest(input: places, bias: bias, consumer: consumer))
        }
    }

    public func makeDigitalOutputGroup(
        _ names: [String], initialLevels: [Level], drive: Drive, consumer: String
    ) async throws -> any DigitalOutputGroup {
        try checkGroup(names, levels: initialLevels.count)
        let lines = GPIOLines(profile: profile)
        let places = try lines.findGroup(names)
        return try lines.describingRequest(of: places) {
            LinuxDigitalOutputGroup(
                try GPIORequest(
                    output: places, levels: initialLevels, drive: drive, bias: .asIs, consumer: consumer))
        }
    }

    public func makePWMOutput(_ channel: String, consumer: String) async throws -> any PWMOutput {
        guard let wanted = profile.pwmChannels[channel] else {
            throw notFound("PWM channel", channel, among: profile.pwmChannels.keys.inNumericOrder())
        }
        let chip = try PWMChip.find(wanted, name: channel, sysfs: sysfs)
        let claim = try claims.claim(channel, for: consumer)
        return try await SysfsPWMOutput.open(
            name: channel, chip: chip, channel: wanted.channel, claim: claim, clock: loop)
    }

    public func makeI2CDevice(
        bus: String, address: I2CAddress, _ configuration: I2CConfiguration, consumer: String
    ) async throws -> any I2CDevice {
        let node = try i2cBus(bus)
        let claim = try claims.claim("\(bus) \(address)", for: consumer)
        return try LinuxI2CDevice(bus: node, address: address, configuration, claim: claim)
    }

    public func i2cFunctionality(of bus: String) async throws -> I2CFunctionality { try i2cBus(bus).open().1 }

    public func scanI2CBus(_ bus: String) async throws -> I2CScan { try await i2cBus(bus).scan() }

    private func i2cBus(_ name: String) throws -> I2CBus {
        guard let path = profile.i2cBuses[name] else {
            throw notFound("I2C bus", name, among: present(profile.i2cBuses))
        }
        let thread = try thread(for: name)
        let health = i2cHealth.withLock { table in
            let health = table[name] ?? Protected(I2CBusHealth())
            table[name] = health
            return health
        }
        return I2CBus(name: name, path: path, sysfs: sysfs, thread: thread, loop: loop, health: health)
    }

    public func makeSPIDevice(
        _ target: String, _ configuration: SPIConfiguration, consumer: String
    ) async throws -> any SPIDevice {
        guard let path = profile.spiTargets[target] else {
            throw notFound("SPI target", target, among: present(profile.spiTargets))
        }
        let claim = try claims.claim(target, for: consumer, sharing: configuration)
        // The targets of a bus differ in what comes after the dot.
        let thread = try thread(for: String(target.prefix { $0 != "." }))
        return try LinuxSPIDevice(
            name: target, path: path, configuration, sysfs: sysfs, thread: thread, claim: claim)
    }

    public func makeSerialPort(
        _ port: String, _ configuration: SerialConfiguration, consumer: String
    ) async throws -> any SerialPort {
        guard let path = port.hasPrefix("/") ? port : profile.serialPorts[port] else {
            throw notFound("serial port", port, among: present(profile.serialPorts))
        }
        // Several names may lead to one device.
        let claim = try claims.claim(SystemFiles.realPath(path) ?? path, for: consumer)
        return LinuxSerialPort(
            try SerialDevice(name: port, path: path, configuration, claim: claim), configuration, loop: loop)
    }

    public func makeKernelSensor(_ name: KernelSensorName, consumer: String) async throws -> any KernelSensor {
        // One after the other on the 1-Wire bus; others have nothing in common.
        let thread = try thread(for: name.sensorClass == .w1 ? "w1" : "\(name)")
        let sysfs = sysfs
        return SysfsSensor(
            name, folder: try await thread.run { try SysfsSensor.find(name, sysfs: sysfs) }, thread: thread)
    }

    public func makeStillCamera(
        _ configuration: StillCameraConfiguration, consumer: String
    ) async throws -> any StillCamera {
        try CommandCamera(configuration, loop: loop)
    }

    public func makeFrameStream(
        _ configuration: FrameStreamConfiguration, consumer: String
    ) async throws -> any FrameStream {
        try CommandFrameStream(configuration, loop: loop)
    }

    private func thread(for bus: String) throws -> BlockingThread {
        if let thread = threads.withLock({ $0[bus] }) { return thread }
        let thread = try describingErrors({ PeripheralError($0, "\(bus): no thread for its transfers") }) {
            try BlockingThread(named: bus, loop: loop)
        }
        threads.withLock { $0[bus] = thread }
        return thread
    }

    private func present(_ nodes: [String: String]) -> [String] {
        nodes.filter { SystemFiles.exists($0.value) }.keys.inNumericOrder()
    }

    private func notFound(_ kind: String, _ name: String, among names: [String]) -> PeripheralError {
        let list = names.isEmpty ? "it has none" : "it has " + names.joined(separator: ", ")
        return PeripheralError(.notFound, "\(profile.name) has no \(kind) '\(name)'; \(list)")
    }
}
