public import DeviceKit
import DeviceRuntime
import Peripherals

/// A display with one HT16K33 or several (Holtek datasheet V.1.10), and the keys that they scan.
public actor HT16K33: Device {
    private let context: DeviceContext
    private let setup: HT16K33Setup
    /// What it is meant to show; kept over failures.
    private var display: DisplayState
    private var keys: KeyScanStateMachine
    private var wake: AsyncStream<Void>.Continuation?
    private var timer: ScheduledTimer?
    /// When the keys are read next, and when everything is written again; `nil` for not by time.
    private var nextReading: Duration?
    private var nextRefresh: Duration?
    private var rereadings = 0
    private var lineFailure: PeripheralError?
    private var states: [String: Bool] = [:]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        setup = try HT16K33Setup(options)
        display = try DisplayState(options, setup)
        keys = KeyScanStateMachine(watchesReleases: setup.keys?.interval != nil)
    }

    public func perform(_ command: Command) async throws {
        // A number that does not fit is shown as such, and said to be.
        defer { wake?.yield() }
        try display.apply(command, at: context.clock.now)
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        var chips: [HT16K33Chip] = []
        var line: (any DigitalInput)?
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        defer {
            self.wake = nil
            timer?.cancel()
            line?.close()
            for chip in chips { chip.device.close() }
            tell(keys.reset())
            set("moving", false)
        }
        for address in setup.addresses {
            let device = try await context.board.makeI2CDevice(
                bus: setup.bus, address: address, consumer: context.name)
            chips.append(HT16K33Chip(device))
        }
        try await bring(&chips)
        line = try await openInterrupt()
        lineFailure = nil
        nextRefresh = setup.refresh.map { context.clock.now + $0 }
        try await flushKeys(of: chips)
        ready()
        wake.yield()
        for await _ in wakes { try await work(&chips, line) }
        if !setup.staysLit { for index in chips.indices { try await chips[index].standBy() } }
        try Task.checkCancellation()
    }

    /// Does what is due, and sets the timer for what comes next.
    private func work(_ chips: inout [HT16K33Chip], _ line: (any DigitalInput)?) async throws {
        if let lineFailure { throw lineFailure }
        if let due = nextRefresh, due <= context.clock.now {
            nextRefresh = setup.refresh.map { context.clock.now + $0 }
            for index in chips.indices { chips[index].forget() }
        }
        try await bring(&chips)
        try await readKeys(of: chips, line)
        let now = context.clock.now
        set("moving", !display.sequence.isOver(at: now))
        timer?.cancel()
        let next = [display.sequence.nextChange(after: now), nextReading, nextRefresh].compactMap { $0 }.min()
        timer = next.map { [wake] in context.clock.schedule(at: $0) { wake?.yield() } }
    }

    private func bring(_ chips: inout [HT16K33Chip]) async throws {
        for (index, registers) in display.registers(at: context.clock.now).enumerated() where index < chips.count {
            if try await chips[index].bring(to: registers) {
                context.logger.notice(
                    "did not answer; everything was written again",
                    ["device": context.name, "address": "\(chips[index].device.address)"])
            }
        }
    }

    private func set(_ state: String, _ value: Bool) {
        if states.updateValue(value, forKey: state) ?? false != value { context.setState(state, value) }
    }
}

// MARK: Keys

extension HT16K33 {
    private func openInterrupt() async throws -> (any DigitalInput)? {
        guard let keys = setup.keys, let name = keys.line else { return nil }
        let isLow = keys.activeLevel == .low
        let configuration = DigitalInputConfiguration(
            bias: isLow ? .pullUp : .pullDown, activeLevel: keys.activeLevel, edges: [isLow ? .falling : .rising])
        let line = try await context.board.makeDigitalInput(name, configuration, consumer: context.name)
        try line.setEventHandler { [weak self] event in
            self?.assumeIsolated { device in
                if case .failure(let error) = event { device.lineFailure = error }
                device.nextReading = device.context.clock.now
                device.wake?.yield()
            }
        }
        return line
    }

    /// What was pressed before anybody looked is no news, and would keep the interrupt from being raised.
    private func flushKeys(of chips: [HT16K33Chip]) async throws {
        guard let interval = setup.keys.map(\.interval) else { return }
        for chip in chips { _ = try await chip.readKeys() }
        nextReading = setup.keys?.line == nil ? interval.map { context.clock.now + $0 } : nil
    }

    private func readKeys(of chips: [HT16K33Chip], _ line: (any DigitalInput)?) async throws {
        guard let due = nextReading, due <= context.clock.now else { return }
        nextReading = nil
        var down: Set<Int> = []
        for (index, chip) in chips.enumerated() {
            down.formUnion(try await chip.readKeys().map { $0 + index * HT16K33Chip.keyCount })
        }
        tell(keys.handle(down))
        if let interval = setup.keys?.interval, line == nil || !down.isEmpty {
            nextReading = context.clock.now + interval
        }
        // A key that was pressed while the chips were read keeps the line active: there is no new edge.
        guard let line, try line.isActive() else { return rereadings = 0 }
        rereadings += 1
        guard rereadings <= Self.mostRereadings else {
            throw PeripheralError(
                .io, "\(line.name) stays active although the keys were read",
                advice: "check the wire from INT, and 'interrupt-level'")
        }
        nextReading = context.clock.now
    }

    /// Two scans have to agree on a key, which takes 20 ms: several readings find no new one each time.
    private static let mostRereadings = 3

    private func tell(_ changes: KeyScanStateMachine.Changes) {
        for key in changes.pressed { context.emit("key-pressed", [.init("key", .integer(key))]) }
        for key in changes.released { context.emit("key-released", [.init("key", .integer(key))]) }
        if keys.watchesReleases { set("key-down", !keys.down.isEmpty) }
    }
}
