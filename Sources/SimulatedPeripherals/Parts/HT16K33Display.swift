public import DeviceRuntime
import Peripherals

/// A display with one HT16K33, or several side by side as one: what a person sees of them.
public final class HT16K33Display: Sendable {
    public let name: String
    public let glass: HT16K33Glass
    /// From left to right. Attach each to its bus.
    public let chips: [HT16K33Model]

    private struct Look: Sendable, Equatable {
        var lit: [Set<Int>]
        var blink: Double?
    }

    private let trace: Trace?
    private let interrupt: SimulatedLine?
    private let last: Protected<(look: Look?, pins: [HT16K33Model.Pin])> = Protected((nil, []))

    /// `interrupt` is the line that the INT pins are connected to, together.
    public init(
        name: String, glass: HT16K33Glass = .alphanumeric, count: Int = 1, loop: EventLoop, trace: Trace? = nil,
        interrupt: SimulatedLine? = nil, generator: SeededGenerator
    ) {
        self.name = name
        self.glass = glass
        self.trace = trace
        self.interrupt = interrupt
        var generator = generator
        chips = (0..<max(1, count)).map { _ in
            HT16K33Model(loop: loop, generator: SeededGenerator(seed: generator.next()))
        }
        for chip in chips { chip.observe { [weak self] in self?.look() } }
    }

    // MARK: What a person sees

    /// What can be read, spaces while it is dark; `nil` for a glass that shows pictures.
    public var text: String? {
        let texts = lit.compactMap { glass.text($0) }
        return texts.isEmpty ? nil : texts.joined()
    }

    /// What it looks like, in lines of text.
    public var drawing: String { HT16K33Glass.side(by: lit.map { glass.rows($0) }).joined(separator: "\n") }

    /// What it looks like, as an SVG document. It blinks if the display does.
    public var svg: String { glass.svg(lit, brightness: brightness, blinkFrequency: chips[0].blinkFrequency) }

    /// From 1 to 16 sixteenths of the full brightness; 0 while it is off.
    public var brightness: Int { chips.filter(\.isLit).map(\.brightness).max() ?? 0 }

    /// `2Hz`, or `off`.
    public var blink: String { chips[0].blinkFrequency.map { $0 < 1 ? "0.5Hz" : "\(Int($0))Hz" } ?? "off" }

    /// How many LEDs are lit.
    public var litCount: Int { lit.reduce(0) { $0 + $1.count } }

    /// The lit bits of each chip that something is connected to.
    private var lit: [Set<Int>] {
        let wired = Set(glass.lamps.map(\.bit))
        return chips.map { chip in
            guard chip.isLit else { return [] }
            let ram = chip.ram
            return wired.filter { ram[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        }
    }

    // MARK: Changes

    /// Tells of a change on the glass, and drives the interrupt.
    private func look() {
        let look = Look(lit: lit, blink: chips[0].isLit ? chips[0].blinkFrequency : nil)
        let pins = chips.map(\.pin)
        let (before, hasNewPins) = last.withLock { last in
            defer { last = (look, pins) }
            return (last.look ?? Look(lit: look.lit.map { _ in [] }), last.pins != pins)
        }
        if hasNewPins { drive(pins) }
        let isDark = look.lit.allSatisfy(\.isEmpty)
        if look.lit != before.lit {
            let words =
                text.map { "shows \($0)" } ?? "shows \(look.lit.reduce(0) { $0 + glass.colours($1).count }) points"
            trace?.record(name, isDark ? "glass is dark" : "glass \(words)", drawing: isDark ? nil : drawing)
        }
        if look.blink != before.blink, !isDark {
            trace?.record(name, look.blink == nil ? "glass stands still" : "glass blinks at \(blink)")
        }
    }

    /// Pins that are active low only pull the line down: several can share it.
    private func drive(_ pins: [HT16K33Model.Pin]) {
        let raised = pins.compactMap { pin in
            if case .interrupt(let isActiveLow, true) = pin { isActiveLow } else { nil }
        }
        let isActiveHigh = pins.contains {
            if case .interrupt(isActiveLow: false, _) = $0 { true } else { false }
        }
        interrupt?.drive(raised.isEmpty ? (isActiveHigh ? .low : nil) : raised.contains(true) ? .low : .high)
    }
}
