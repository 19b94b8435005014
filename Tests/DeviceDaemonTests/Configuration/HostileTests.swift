import DeviceDaemon
import Testing

@Suite("Hostile files")
struct HostileTests {
    /// A file ends in a value that can be shown, or in messages in order that point into it.
    private func check(_ bytes: [UInt8]) {
        do {
            let configuration = try Sample.read(bytes)
            #expect(!configuration.name.isEmpty)
            #expect(configuration.wiringTable.hasPrefix(configuration.name))
        } catch {
            let positions = error.diagnostics.map(\.position)
            #expect(!positions.isEmpty)
            #expect(positions == positions.sorted())
            // libyaml counts all of Unicode's line ends; the longest file here has far fewer than this.
            #expect(positions.allSatisfy { (1...100).contains($0.line) && (1...2000).contains($0.column) })
            #expect(error.diagnostics.allSatisfy { !$0.message.unicodeScalars.contains { $0.value < 0x20 } })
        }
    }

    @Test("Every beginning of a good file")
    func prefixes() {
        let bytes = Array(Sample.porch.utf8)
        for count in 0...bytes.count { check(Array(bytes.prefix(count))) }
    }

    @Test("A good file with random damage", arguments: 1...8 as ClosedRange<UInt64>)
    func damage(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let good = Array(Sample.porch.utf8)
        let telling = Array("{}[]:,-#&*!|>'\"%@`?\t\n\r \\0\u{0}\u{85}\u{2028}\u{FEFF}".utf8)
        for _ in 0..<500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
                case 3: bytes.remove(at: place)
                default: bytes.insert(contentsOf: good[place / 2..<min(place / 2 + 40, good.count)], at: place)
                }
            }
            check(bytes)
        }
    }

    @Test("Bytes without any sense", arguments: 1...8 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<200 {
            check((0..<Int.random(in: 1...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test("Names that command a terminal are shown, not sent")
    func terminal() {
        let text = """
            device: porch
            devices:
              "a\\e[31mb": { driver: button, pin: GPIO1 }
              c: { driver: button, pin: GPIO1 }
            rules:
              - { when: "a\\e[31mb.x", do: z.y }
            """
        #expect(
            Sample.messages(text.utf8) == [
                "3:3: 'a\\u{1B}[31mb' cannot be a name; a name has 1 to 64 letters (a to z, A to Z), digits, '-' or '_'",
                "4:29: GPIO1 is used by 'a\\u{1B}[31mb' already (line 3)",
                "6:13: unknown event 'x' of a\\u{1B}[31mb; there are pressed, released",
                "6:31: unknown device 'z'; there are a\\u{1B}[31mb, c",
            ])
    }

    @Test("A tree of aliases does not grow")
    func aliasBomb() {
        var text = "device: porch\na0: &a0 [x, x]\n"
        for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(Sample.error(text.utf8)?.diagnostics.count == 100)
    }
}

/// The same numbers for the same seed, everywhere (Steele, Lea and Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
