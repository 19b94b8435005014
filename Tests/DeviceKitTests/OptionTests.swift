import DeviceKit
import Peripherals
import Testing

@Suite("Options")
struct OptionTests {
    @Test(
        "A duration is a number with its unit",
        arguments: [
            ("60s", Duration.seconds(60)), ("800ms", .milliseconds(800)), ("1.5s", .milliseconds(1500)),
            ("10min", .seconds(600)), ("24h", .seconds(86400)), ("7d", .seconds(604_800)),
            ("500us", .microseconds(500)),
            ("0s", .zero), ("20 ms", .milliseconds(20)), ("60", nil), ("", nil), ("s", nil), ("-1s", nil), ("1m", nil),
            ("1e400s", nil), ("nans", nil), ("infs", nil), ("999999999d", nil), ("1s1s", nil),
        ] as [(String, Duration?)])
    func durations(text: String, expected: Duration?) {
        #expect(Duration(configurationText: text) == expected)
    }

    @Test(
        "A duration's text reads back as the same duration",
        arguments: [Duration.zero, .milliseconds(1), .microseconds(1500), .seconds(90), .seconds(120), .seconds(86400)])
    func durationRoundTrip(duration: Duration) {
        #expect(Duration(configurationText: duration.configurationText) == duration)
    }

    @Test(
        "An I2C address is outside the reserved ranges",
        arguments: [
            ("0x70", 0x70), ("0x08", 0x08), ("0x77", 0x77), ("112", 0x70), ("0x07", nil), ("0x78", nil), ("0x170", nil),
            ("seventy", nil), ("-1", nil),
        ] as [(String, Int?)])
    func addresses(text: String, expected: Int?) {
        let address = OptionKind.i2cAddress.parse(.scalar(text))
        #expect(address?.rawValue == expected.map { UInt16($0) })
    }

    @Test("A range of angles is two, in order, within the limits")
    func angleRanges() {
        let kind = OptionKind.angleRange(.degrees(0)...(.degrees(270)))
        #expect(kind.parse(.list(["0deg", "180deg"])) == .degrees(0)...(.degrees(180)))
        for wrong in [["180deg", "0deg"], ["0deg"], ["0deg", "300deg"], ["0", "180"], ["0deg", "90deg", "180deg"]] {
            #expect(kind.parse(.list(wrong)) == nil, "\(wrong)")
        }
    }

    @Test("A command has a program")
    func commands() {
        #expect(OptionKind.command.parse(.scalar("rpicam-still --output {}")) == ["rpicam-still", "--output", "{}"])
        #expect(OptionKind.command.parse(.list(["say", "two words"])) == ["say", "two words"])
        for wrong in [OptionInput.scalar(""), .scalar("  "), .list([]), .list([""])] {
            #expect(OptionKind.command.parse(wrong) == nil, "\(wrong)")
        }
    }

    @Test("A value is the one that was set, else the default, else an error that names the option")
    func values() throws {
        let settle = Option("settle", .duration(.zero...(.seconds(1))), default: "20ms", "")
        let pin = Option("pin", .line, "")
        #expect(try OptionValues()[settle] == .milliseconds(20))
        #expect(try OptionValues().setting(settle, .zero)[settle] == .zero)
        #expect(throws: MissingOption.self) { try OptionValues()[pin] }
        #expect(throws: MissingOption.self) { try OptionValues(["settle": "20ms"])[settle] }
    }
}
