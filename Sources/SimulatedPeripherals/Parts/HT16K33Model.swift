public import SegmentGlyphs

public import DeviceRuntime

/// An HT16K33 with a four-character 14-segment glass (HT16K33 datasheet V.1.10, "Command Summary").
///
/// As the chip: the RAM is random when it is switched on, the setup registers cannot be read, and the address
/// pointer wraps after 0x0F.
public final class HT16K33Model: SimulatedI2CTarget {
    private struct State {
        var ram: [UInt8]
        var pointer = 0
        var isOscillating = false
        var isOn = false
        var blink: UInt8 = 0
        var dimming: UInt8 = 15
    }

    private let name: String
    private let trace: Trace?
    private let state: Protected<State>

    /// `name` is how the trace calls it.
    public init(name: String, trace: Trace?, generator: SeededGenerator) {
        self.name = name
        self.trace = trace
        var generator = generator
        state = Protected(State(ram: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }

    // MARK: The glass

    /// The lit segments of the four digits; none while the display or its oscillator is off.
    public var digits: [FourteenSegment] {
        state.withLock { state in
            (0..<4).map { digit in
                guard state.isOscillating, state.isOn else { return [] }
                // Row 15 has no segment on this glass.
                let word = UInt16(state.ram[2 * digit]) | UInt16(state.ram[2 * digit + 1]) << 8
                return FourteenSegment(rawValue: word & 0x7FFF)
            }
        }
    }

    /// What a person reads: a point belongs to the character before it, and `\u{FFFD}` stands for segments that
    /// form no character.
    public var text: String {
        digits.map { digit in
            guard let (character, hasPoint) = digit.character else { return "\u{FFFD}" }
            return hasPoint ? "\(character)." : "\(character)"
        }.joined()
    }

    /// The glass in five rows of text.
    public var drawing: String { FourteenSegment.drawing(of: digits) }

    /// From 1 to 16 sixteenths of the full brightness.
    public var brightness: Int { state.withLock { Int($0.dimming) + 1 } }

    /// The display RAM.
    public var ram: [UInt8] { state.withLock { $0.ram } }

    // MARK: The bus

    public func write(_ bytes: [UInt8]) throws {
        let before = digits
        guard let command = bytes.first else { return }
        state.withLock { state in
            switch command {
            case 0x00...0x0F:
                state.pointer = Int(command)
                for byte in bytes.dropFirst() {
                    state.ram[state.pointer] = byte
                    state.pointer = (state.pointer + 1) % 16
                }
            case 0x20...0x21: state.isOscillating = command & 1 == 1
            case 0x80...0x87:
                state.isOn = command & 1 == 1
                state.blink = command >> 1 & 3
            case 0xE0...0xEF: state.dimming = command & 15
            // Other commands (row and interrupt set, key data) have no effect on the glass.
            default: break
            }
        }
        let after = digits
        guard after != before else { return }
        let isDark = after.allSatisfy(\.isEmpty)
        trace?.record(name, isDark ? "glass is dark" : "glass shows \(text)", drawing: isDark ? nil : drawing)
    }

    public func read(count: Int) throws -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                defer { state.pointer = (state.pointer + 1) % 16 }
                return state.ram[state.pointer]
            }
        }
    }
}
