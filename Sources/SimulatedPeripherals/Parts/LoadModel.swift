import DeviceRuntime
public import Peripherals

/// Something that is on while its line has a certain level, such as an LED or a relay's coil. While nobody drives the
/// line it is off, as with a resistor on its board.
public final class LoadModel: Sendable {
    private let line: SimulatedLine
    private let activeLevel: Level
    private let count = Protected(0)

    /// `words` are what the trace says when it goes on and off; `name` is how it calls it.
    public init(
        on line: SimulatedLine, activeLevel: Level, name: String, trace: Trace?, words: (on: String, off: String)
    ) {
        self.line = line
        self.activeLevel = activeLevel
        line.pull(activeLevel.inverted)
        line.watch { [count] level in
            let isOn = level == activeLevel
            if isOn { count.withLock { $0 += 1 } }
            trace?.record(name, isOn ? words.on : words.off)
        }
    }

    public var isOn: Bool { line.level == activeLevel }

    /// How often it came on.
    public var timesOn: Int { count.withLock { $0 } }
}
