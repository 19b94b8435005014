public import DeviceRuntime
import Peripherals

/// A speaker on a PWM channel: what can be heard of it, and a complaint in the trace when direct current flows through its
/// coil.
public final class SpeakerModel: Sendable {
    private struct State {
        var hertz: Double?
        var soundCount = 0
        var isHeated = false
        var timer: ScheduledTimer?
    }

    private let name: String
    private let channel: SimulatedPWMChannel
    private let loop: EventLoop
    private let trace: Trace
    private let state = Protected(State())

    /// An ear takes no notice of what is shorter; a channel is set in several steps.
    private static let attention: Duration = .milliseconds(1)

    public init(name: String, on channel: SimulatedPWMChannel, trace: Trace, loop: EventLoop) {
        self.name = name
        self.channel = channel
        self.loop = loop
        self.trace = trace
        channel.watch { [weak self] _ in self?.listenSoon() }
    }

    /// What sounds, in hertz; `nil` is silence.
    public var hertz: Double? { state.withLock { $0.hertz } }

    /// How many sounds were heard so far: one that changes its height is another.
    public var soundCount: Int { state.withLock { $0.soundCount } }

    /// The nearest note of the scale: `A4`, `C#5`; `nil` is silence.
    public var note: String? { hertz.flatMap(Self.note) }

    private func listenSoon() {
        let timer = loop.schedule(after: Self.attention) { [weak self] in self?.listen() }
        state.withLock { state in
            state.timer?.cancel()
            state.timer = timer
        }
    }

    private func listen() {
        let signal = channel.signal
        let isDriven = signal.isEnabled && signal.pulseWidth > .zero
        let heard = isDriven && signal.pulseWidth < signal.period ? .seconds(1) / signal.period : nil
        let isHeated = isDriven && heard == nil
        let (isNew, heats) = state.withLock { state in
            defer { (state.hertz, state.isHeated) = (heard, isHeated) }
            if heard != nil, heard != state.hertz { state.soundCount += 1 }
            return (heard != state.hertz, isHeated && !state.isHeated)
        }
        if heats { trace.record(name, "gets hot: direct current flows through it") }
        guard isNew else { return }
        if let heard {
            let note = Self.note(heard).map { " (\($0))" } ?? ""
            trace.record(name, "sounds at \(Int(heard.rounded())) Hz\(note)")
        } else {
            trace.record(name, "is silent")
        }
    }

    /// The names of the twelve notes, and the middle octave's frequencies (equal temperament, A at 440 Hz).
    private static let scale: [(name: String, hertz: Double)] = [
        ("C", 261.6256), ("C#", 277.1826), ("D", 293.6648), ("D#", 311.1270), ("E", 329.6276), ("F", 349.2282),
        ("F#", 369.9944), ("G", 391.9954), ("G#", 415.3047), ("A", 440), ("A#", 466.1638), ("B", 493.8833),
    ]

    /// The note within half a semitone, three percent.
    private static func note(_ hertz: Double) -> String? {
        for octave in 0...9 {
            for note in scale {
                let exact = note.hertz * Double(1 << octave) / 16
                if abs(hertz / exact - 1) < 0.0286 { return "\(note.name)\(octave)" }
            }
        }
        return nil
    }
}
