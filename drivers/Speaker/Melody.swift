/// Notes one after the other, read from the text that old telephones had their ring tones in (RTTTL, Nokia Smart
/// Messaging 2.0.0, section 4.4): `chime:d=4,o=5,b=120:e,c,8p,2g4`.
///
/// A name and defaults may be left out. A note is its length as a part of a whole one, its letter (`p` is a rest), `#` and
/// its octave, with a `.` that makes it half as long again.
struct Melody: Sendable, Hashable {
    struct Note: Sendable, Hashable {
        /// `nil` is a rest.
        let hertz: Double?
        let duration: Duration
    }

    let notes: [Note]

    /// More than a person listens to, and far less than memory holds.
    private static let mostNotes = 1000

    /// `nil` for what is no melody.
    init?(_ text: String) {
        let parts = text.lowercased().filter { !$0.isWhitespace }
            .split(separator: ":", omittingEmptySubsequences: false)
        guard let tune = parts.last, parts.count <= 3 else { return nil }
        // Of two parts the first is the defaults if it looks like them, or a name.
        let defaults = parts.dropLast().last.flatMap { $0.contains("=") ? $0 : nil } ?? ""
        guard parts.count < 3 || !defaults.isEmpty || parts[1].isEmpty else { return nil }
        guard let style = Style(defaults) else { return nil }
        let words = tune.split(separator: ",", omittingEmptySubsequences: false)
        guard 1...Self.mostNotes ~= words.count else { return nil }
        let notes = words.compactMap { style.note($0) }
        guard notes.count == words.count else { return nil }
        self.notes = notes
    }

    /// What a note has that says nothing else.
    private struct Style {
        var length = 4
        var octave = 6
        /// Quarter notes in a minute.
        var tempo = 63

        init?(_ text: Substring) {
            for setting in text.split(separator: ",") {
                let parts = setting.split(separator: "=", omittingEmptySubsequences: false)
                guard parts.count == 2, let value = Int(parts[1]) else { return nil }
                switch parts[0] {
                case "d" where Self.lengths.contains(value): length = value
                case "o" where Self.octaves.contains(value): octave = value
                case "b" where 10...900 ~= value: tempo = value
                default: return nil
                }
            }
        }

        static let lengths = [1, 2, 4, 8, 16, 32]
        static let octaves = 1...8

        func note(_ word: Substring) -> Note? {
            var rest = word
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            var letter = String(rest.prefix(1))
            rest = rest.dropFirst()
            if rest.first == "#" { letter.append(contentsOf: rest.prefix(1)) }
            rest = rest.drop { $0 == "#" }
            // The dot stands before or behind the octave: both are written.
            let isDotted = rest.contains(".")
            let octave = rest.filter { $0 != "." }
            guard rest.count - octave.count <= 1, word.count(where: { $0 == "#" }) <= 1 else { return nil }
            let length = digits.isEmpty ? self.length : Int(digits) ?? 0
            let height = octave.isEmpty ? self.octave : Int(octave) ?? 0
            guard Self.lengths.contains(length), Self.octaves.contains(height) else { return nil }
            let whole: Duration = .seconds(240) / tempo
            let duration = whole / length * (isDotted ? 1.5 : 1)
            if letter == "p" { return Note(hertz: nil, duration: duration) }
            guard let base = Self.fourthOctave[letter] else { return nil }
            return Note(hertz: base * Double(1 << height) / 16, duration: duration)
        }

        /// In equal temperament, with A at 440 Hz (ISO 16).
        private static let fourthOctave: [String: Double] = [
            "c": 261.6256, "c#": 277.1826, "d": 293.6648, "d#": 311.1270, "e": 329.6276, "f": 349.2282,
            "f#": 369.9944, "g": 391.9954, "g#": 415.3047, "a": 440, "a#": 466.1638, "b": 493.8833, "h": 493.8833,
        ]
    }
}
