/// What a speaker is meant to sound like over time.
struct SpeakerStateMachine: Sendable {
    enum Order: Sendable {
        /// Until something else is ordered, without a duration.
        case tone(hertz: Double, for: Duration?)
        /// Until something else is ordered, without a number.
        case play(Melody, times: Int?)
        case stop
    }

    private struct Sound: Sendable {
        let hertz: Double?
        /// `nil` for one that goes on.
        let duration: Duration?
    }

    private var sounds: [Sound] = []
    private var index = 0
    /// How often the sounds begin again; `nil` for ever.
    private var repeats: Int? = 0
    /// When the sound is over, if it is to be.
    private var end: Duration?

    /// What sounds; `nil` is silence.
    var hertz: Double? { isPlaying ? sounds[index].hertz : nil }

    /// Whether something is being played, rests included.
    var isPlaying: Bool { sounds.indices.contains(index) }

    /// When something changes by itself, if it does: then ``advance(to:)`` is to be called.
    var nextChange: Duration? { isPlaying ? end : nil }

    mutating func handle(_ order: Order, at now: Duration) {
        index = 0
        switch order {
        case .stop: sounds = []
        case .tone(let hertz, let duration):
            sounds = [Sound(hertz: hertz, duration: duration)]
            repeats = 0
        case .play(let melody, let times):
            sounds = melody.notes.flatMap(Self.sounds)
            repeats = times.map { $0 - 1 }
        }
        end = sounds.first?.duration.map { now + $0 }
    }

    /// Returns whether it came to its end by itself. What was slept through is left out, and the rest keeps the beat.
    mutating func advance(to now: Duration) -> Bool {
        while let over = nextChange, over <= now {
            index += 1
            if index == sounds.count {
                guard repeats != 0 else {
                    sounds = []
                    return true
                }
                repeats = repeats.map { $0 - 1 }
                index = 0
            }
            end = sounds[index].duration.map { over + $0 }
        }
        return false
    }

    /// The end of a note is silent, so that two of the same height are two.
    private static func sounds(_ note: Melody.Note) -> [Sound] {
        guard note.hertz != nil else { return [Sound(hertz: nil, duration: note.duration)] }
        let breath = min(note.duration / 10, .milliseconds(30))
        return [
            Sound(hertz: note.hertz, duration: note.duration - breath), Sound(hertz: nil, duration: breath),
        ]
    }
}
