public import DeviceKit
import DeviceRuntime
import Peripherals

/// A satellite receiver on a serial port, which tells by NMEA 0183 where it is.
public actor GPS: Device {
    private let context: DeviceContext
    private let port: String
    private let baudRate: Int
    private let patience: Duration

    private var filter: GPSPositionFilter
    private var machine: GPSStateMachine?
    private var timer: ScheduledTimer?
    private var isAsked = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }

    init(_ options: OptionValues, _ context: DeviceContext) throws {
        self.context = context
        port = try options[Self.port]
        baudRate = try options[Self.baudRate]
        patience = try options[Self.patience]
        filter = GPSPositionFilter(
            interval: try options[Self.every], distance: try options[Self.distance],
            longestSilence: try options[ReadingOptions.atLeastEvery])
    }

    public func run(ready: @escaping @Sendable () -> Void) async throws {
        let serial = try await context.board.makeSerialPort(
            port, SerialConfiguration(baudRate: baudRate), consumer: context.name)
        machine = GPSStateMachine(patience: patience, at: context.clock.now)
        defer {
            timer?.cancel()
            machine = nil
            serial.close()
            context.setState("fix", false)
            context.setState("silent", false)
        }
        advance()
        ready()
        // A sentence has 82 characters at most; some receivers take more.
        for try await line in serial.lines(maximumLength: 160) {
            let bytes: [UInt8]? = if case .complete(let bytes) = line { bytes } else { nil }
            tell(machine?.handle(bytes, at: context.clock.now) ?? [])
        }
        try Task.checkCancellation()
    }

    public func perform(_ command: Command) async throws {
        guard command.name == ReadingOptions.read.name else { throw DeviceError.unknownCommand(command.name) }
        // The receiver tells it within a second, if it has a fix.
        isAsked = true
    }

    private func advance() {
        timer?.cancel()
        tell(machine?.advance(to: context.clock.now) ?? [])
    }

    private func tell(_ changes: [GPSStateMachine.Change]) {
        guard let machine else { return }
        context.setState("fix", machine.hasFix)
        context.setState("silent", machine.isSilent)
        for change in changes { tell(change) }
        timer?.cancel()
        timer = machine.deadline.map { deadline in
            context.clock.schedule(at: deadline) { [weak self] in self?.assumeIsolated { $0.advance() } }
        }
    }

    private func tell(_ change: GPSStateMachine.Change) {
        switch change {
        case .position(let position):
            guard filter.shouldTell(position, at: context.clock.now, isAsked: isAsked) else { return }
            isAsked = false
            context.emit("position", Self.fields(of: position))
        case .fixed(let time): context.emit("fixed", [.init("seconds", .number(time / .seconds(1)))])
        case .noFix(let satellites): context.emit("no-fix", [.init("satellites", .integer(satellites))])
        case .silent(let lines):
            let reason =
                lines == 0
                ? "nothing arrives: check its power, and that its TX is connected to the board's RX"
                : "what arrives is no NMEA: check the baud rate"
            context.emit("silent", [.init("reason", .text(reason))])
        case .damaged(let lines): context.emit("damaged", [.init("lines", .integer(lines))])
        }
    }

    private static func fields(of position: GPSPosition) -> [Event.Field] {
        let numbers: [(String, Double?)] = [
            ("latitude", position.latitude), ("longitude", position.longitude), ("altitude", position.altitude),
            ("speed", position.speed), ("course", position.course), ("dilution", position.dilution),
        ]
        return numbers.compactMap { name, value in value.map { Event.Field(name, .number($0)) } }
            + [
                position.satellites.map { Event.Field("satellites", .integer($0)) },
                position.time.map { Event.Field("time", .text($0.description)) },
            ].compactMap { $0 }
    }
}
