public import DeviceRuntime

/// An HT16K33 (Holtek datasheet V.1.10; page numbers are its): the chip alone, without what is soldered to it, which is
/// a ``HT16K33Display``.
///
/// As the chip: the RAM is random when it is switched on (page 8), the setup registers cannot be read (page 30), the
/// address pointer wraps after 0x0F (page 28), and a key counts when two scans agree (page 17).
public final class HT16K33Model: SimulatedI2CTarget {
    /// What its pin ROW15/INT does.
    enum Pin: Sendable, Hashable {
        case row
        case interrupt(isActiveLow: Bool, isRaised: Bool)
    }

    /// Where the next byte is read.
    private enum Pointer {
        case display(Int)
        case keys
        case flag
    }

    private struct Registers {
        var ram: [UInt8]
        var pointer = Pointer.display(0)
        var isOscillating = false
        var isOn = false
        var blink: UInt8 = 0
        var dimming: UInt8 = 15
        var rowPin: UInt8 = 0
        var keys = HT16K33KeyScan()

        init(_ generator: inout SeededGenerator) {
            ram = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }

    private struct State {
        var generator: SeededGenerator
        var registers: Registers
        var observer: (@Sendable () -> Void)?
    }

    private let loop: EventLoop
    private let state: Protected<State>

    public init(loop: EventLoop, generator: SeededGenerator) {
        self.loop = loop
        var generator = generator
        let registers = Registers(&generator)
        state = Protected(State(generator: generator, registers: registers))
    }

    /// Its supply fails for a moment: all registers are as at power-on, and the RAM is random again.
    public func powerOn() {
        change { $0.registers = Registers(&$0.generator) }
    }

    // MARK: What it does

    /// The display RAM.
    public var ram: [UInt8] { registers.ram }

    /// Whether it drives its rows at all.
    public var isLit: Bool { registers.isOscillating && registers.isOn }

    /// From 1 to 16 sixteenths of the full brightness.
    public var brightness: Int { Int(registers.dimming) + 1 }

    /// How often a second the display goes on and off; `nil` when it does not (page 11).
    public var blinkFrequency: Double? { [nil, 2, 1, 0.5][Int(registers.blink)] }

    var pin: Pin {
        let registers = registers
        if registers.rowPin & 1 == 0 { return .row }
        return .interrupt(isActiveLow: registers.rowPin & 2 == 0, isRaised: registers.keys.isFlagged)
    }

    /// Calls `observer` after each change.
    func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

    private var registers: Registers { state.withLock { $0.registers } }

    private func change(_ body: (inout State) -> Void) {
        let observer = state.withLock { state in
            body(&state)
            return state.observer
        }
        observer?()
    }

    // MARK: Keys

    /// Somebody holds a key down for that long: from 1 to 13 at KS0, to 26 at KS1, to 39 at KS2.
    public func press(_ key: Int, for duration: Duration) {
        let now = loop.now
        change { $0.registers.keys.press(key, at: now) }
        loop.schedule(after: HT16K33KeyScan.confirmation) { [weak self] in
            guard let self else { return }
            let now = loop.now
            change { state in
                // No clock, no scan; and the last key of each row is the pin of the interrupt.
                let isScanned = state.registers.isOscillating && (state.registers.rowPin & 1 == 0 || key % 13 != 0)
                if isScanned { state.registers.keys.confirm(key, at: now) }
            }
        }
        loop.schedule(after: duration) { [weak self] in
            guard let self else { return }
            let now = loop.now
            change { $0.registers.keys.release(key, at: now) }
        }
    }

    // MARK: The bus

    public func write(_ bytes: [UInt8]) {
        guard let command = bytes.first else { return }
        change { state in
            switch command {
            case 0x00...0x0F:
                var pointer = Int(command)
                for byte in bytes.dropFirst() {
                    state.registers.ram[pointer] = byte
                    pointer = (pointer + 1) % 16
                }
                state.registers.pointer = .display(pointer)
            case 0x20...0x2F: state.registers.isOscillating = command & 1 == 1
            case 0x40...0x45: state.registers.pointer = .keys
            case 0x60: state.registers.pointer = .flag
            case 0x80...0x8F:
                state.registers.isOn = command & 1 == 1
                state.registers.blink = command >> 1 & 3
            case 0xA0...0xAF: state.registers.rowPin = command & 3
            case 0xE0...0xEF: state.registers.dimming = command & 15
            // Test mode, and what no command is.
            default: break
            }
        }
    }

    public func read(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let now = loop.now
        change { state in
            switch state.registers.pointer {
            case .display(let start):
                bytes = (0..<count).map { state.registers.ram[(start + $0) % 16] }
                state.registers.pointer = .display((start + count) % 16)
            case .keys: bytes = state.registers.keys.read(count: count, at: now)
            case .flag: bytes = [UInt8](repeating: state.registers.keys.isFlagged ? 0xFF : 0, count: count)
            }
        }
        return bytes
    }
}
