import Testing

@testable import SpeakerDriver

@Suite("Melodies")
struct MelodyTests {
    @Test(
        "A note has its height and its length",
        arguments: [
            ("b=60:a4", 440.0, 1000), ("b=60:2a4", 440, 2000), ("b=60:32a4", 440, 125), ("b=60:a4.", 440, 1500),
            ("b=60:a.4", 440, 1500), ("b=60:8a#4.", 466.1638, 750), ("b=60:c5", 523.2512, 1000),
            ("b=60:c8", 4186.0096, 1000), ("b=60:c1", 32.7032, 1000), ("d=8,o=5,b=120:a", 880, 250),
            ("A4", 440, 952), ("Name:d=16,o=4,b=60: A", 440, 250), ("name:a4", 440, 952), ("b=60:h4", 493.8833, 1000),
        ])
    func note(text: String, hertz: Double, milliseconds: Int) throws {
        let note = try #require(Melody(text)?.notes.first)
        #expect(abs(try #require(note.hertz) - hertz) < 0.001)
        #expect(Int((note.duration / .milliseconds(1)).rounded()) == milliseconds)
    }

    @Test("A rest has no height, and notes follow each other")
    func notes() throws {
        let melody = try #require(Melody("chime:d=4,o=5,b=120:e,8p,2c"))
        #expect(melody.notes.map { $0.hertz == nil } == [false, true, false])
        #expect(melody.notes.map(\.duration) == [.milliseconds(500), .milliseconds(250), .seconds(1)])
    }

    @Test(
        "What is no melody is none",
        arguments: [
            "", ":", "x", "3a", "a9", "a0", "c##", "a..", "d=3:a", "o=9:a", "b=0:a", "b=x:a", "q=1:a", "a,,b", "a,",
            "1:2:3:a",
            "name:x:a", "64a", "é", "a-1", "d=99999999999999999999:a", "99999999999999999999a",
        ])
    func none(text: String) { #expect(Melody(text) == nil) }

    @Test("A melody has at most a thousand notes")
    func length() {
        let notes = [String](repeating: "a", count: 1000).joined(separator: ",")
        #expect(Melody(notes)?.notes.count == 1000)
        #expect(Melody(notes + ",a") == nil)
    }
}
