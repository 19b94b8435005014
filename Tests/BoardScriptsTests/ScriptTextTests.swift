import DeviceRuntime
import Peripherals
import Testing

@testable import BoardScripts

@Suite("The text of scripts")
struct ScriptTextTests {
    @Test(
        "A line is read and written",
        arguments: [
            ("I2C1 0x44: write 24 00", nil, "I2C1 0x44", "write 24 00", "", Duration.zero),
            ("I2C1 0x44: read 2 -> 61 30", nil, "I2C1 0x44", "read 2", "61 30", .zero),
            (
                "    1.234567890  I2C1 0x44: read 2 -> 61 30 (took 1204us)", .nanoseconds(1_234_567_890), "I2C1 0x44",
                "read 2", "61 30", .microseconds(1204)
            ),
            ("GPIO27: falling", nil, "GPIO27", "falling", "", .zero),
            ("/dev/ttyUSB0: write \"a -> b: c\"", nil, "/dev/ttyUSB0", "write \"a -> b: c\"", "", .zero),
            ("pinctrl-rp1:17: write high", nil, "pinctrl-rp1:17", "write high", "", .zero),
            ("  GPIO5:   write   high  ", nil, "GPIO5", "write high", "", .zero),
            (
                "bell: tells pressed text=\"two  spaces (took 3s)\"", nil, "bell",
                "tells pressed text=\"two  spaces (took 3s)\"", "", .zero
            ),
        ] as [(String, Duration?, String, String, String, Duration)])
    func line(
        text: String, time: Duration?, source: String, request: String, answer: String, took: Duration
    ) throws {
        let line = try #require(ScriptLine(text))
        #expect(line == ScriptLine(time: time, source: source, request: request, answer: answer, took: took))
        #expect(ScriptLine("\(line)") == line)
    }

    @Test(
        "What is no line is refused with its number",
        arguments: [
            ("GPIO5 write high", 1, "expected 'WHO: what'"), ("# good\n\nGPIO5: write high\nGPIO5:", 4, "expected"),
            ("GPIO5: read -> low -> high", 1, "expected"), ("GPIO5: read (took long)", 1, "expected"),
            ("1.000000000  GPIO5: close\nGPIO5: close", 2, "either all lines have times or none"),
            ("1.000000000 GPIO5: close\n0.5 GPIO5: close", 2, "either all"),
            ("1.000000000 GPIO5: close\n0.500000000 GPIO5: close", 2, "time goes back here"),
        ])
    func refused(text: String, row: Int, reason: String) {
        #expect {
            _ = try BoardScript(text)
        } throws: { error in
            guard let error = error as? ScriptSyntaxError else { return false }
            return error.row == row && "\(error)".contains("line \(row) of the script: \(reason)")
        }
    }

    @Test(
        "A duration has the largest unit that is exact",
        arguments: [
            (.zero, "0s"), (.seconds(90), "90s"), (.milliseconds(20), "20ms"), (.microseconds(1500), "1500us"),
            (.nanoseconds(1_888_889), "1888889ns"), (.milliseconds(1500), "1500ms"), (.seconds(-2), "-2s"),
        ] as [(Duration, String)])
    func duration(duration: Duration, text: String) {
        #expect(ScriptText.text(duration) == text)
        #expect(ScriptText.duration(text) == duration)
    }

    @Test("What is no duration is none", arguments: ["", "5", "ms", "5 ms", "5min", "99999999999999999999s", "1e3s"])
    func noDuration(text: String) { #expect(ScriptText.duration(text) == nil) }

    @Test(
        "A time has nine decimals",
        arguments: [
            (.zero, "0.000000000"), (.nanoseconds(5), "0.000000005"),
            (.seconds(12345) + .milliseconds(250), "12345.250000000"),
            (.milliseconds(-250), "-0.250000000"), (.milliseconds(-1250), "-1.250000000"),
        ] as [(Duration, String)])
    func time(time: Duration, text: String) {
        #expect(ScriptText.text(time: time) == text)
        #expect(ScriptText.time(text) == time)
    }

    @Test(
        "Text that goes over a port or into a record is quoted, and comes back",
        arguments: [
            ("AT\r\n", "\"AT\\r\\n\""), ("say \"hi\" \\ -> bye", "\"say \\\"hi\\\" \\\\ -> bye\""), ("", "\"\""),
            ("é\u{301}\u{2028}\u{85}\u{0}", "\"é\u{301}\\u{2028}\\u{85}\\u{0}\""),
        ])
    func quotes(text: String, quoted: String) {
        #expect(ScriptText.quoted(text) == quoted)
        #expect(ScriptText.unquoted(quoted) == text)
        #expect(ScriptText.words("a \(quoted) b") == ["a", quoted, "b"])
    }

    @Test(
        "What a port brings is text where it can be",
        arguments: [
            (SerialInput.bytes(Array("OK\r\n".utf8)), "\"OK\\r\\n\""), (.bytes([0, 0x80]), "00 80"),
            (.damagedByte(0x3F), "damaged 3f"), (.lineBreak, "break"), (.overrun, "overrun"),
        ])
    func serial(input: SerialInput, text: String) {
        #expect(AnswerForm.serialInput.text(input) == text)
        #expect(AnswerForm.serialInput.parse(text) == input)
    }

    private static let edge = EdgeEvent(edge: .falling, timestamp: .seconds(103), sequenceNumber: 7)
    private static let missing = EdgeEvent(edge: .rising, timestamp: .milliseconds(102_500))
    private static let loss = EdgeLoss(
        count: 3, timestamp: .milliseconds(102_500), level: .high, missingEdge: missing)

    @Test(
        "What a line tells comes back with its times",
        arguments: [
            (.edge(edge), "falling #7"), (.edge(missing), "rising at 2.500000000"),
            (.loss(loss), "lost 3 at 2.500000000 now high missing rising"),
            (.loss(EdgeLoss(count: nil, timestamp: .seconds(103), level: .low, missingEdge: nil)), "lost some now low"),
            (.quiet(since: .seconds(101)), "quiet since 1.000000000"),
            (
                .failure(PeripheralError(.io, "it is gone", cause: "ENODEV (19)")),
                "failed ! io \"it is gone\" cause \"ENODEV (19)\""
            ),
        ] as [(LineEvent, String)])
    func events(event: LineEvent, text: String) {
        #expect(ScriptText.text(event, at: .seconds(3), origin: .seconds(100)) == text)
        #expect(ScriptText.isEvent(text))
        #expect(ScriptText.event(text, of: "GPIO5", at: .seconds(3), origin: .seconds(100)) == event)
    }

    @Test(
        "Every failure comes back with all that it says; by hand its code is enough",
        arguments: PeripheralError.Code.allCases)
    func failures(code: PeripheralError.Code) throws {
        let error = PeripheralError(code, "I2C1 0x70 \"refused\"", cause: "EIO (5)", advice: "wait; try -> again")
        let text = ScriptText.text(error)
        #expect(ScriptText.failure(text, of: "I2C1 0x70") as? PeripheralError == error)
        let line = try #require(ScriptLine("I2C1 0x70: write 21 -> \(text)"))
        #expect(line.answer == text)
        let short = ScriptText.failure("! \(code.rawValue)", of: "I2C1 0x70") as? PeripheralError
        #expect(short?.code == code)
        #expect(short?.message.contains("I2C1 0x70") == true)
    }

    @Test(
        "What is no answer of its kind is none",
        arguments: [
            ("61 3", [2]), ("61", [2]), ("61 30, 5", [2, 1]), ("", [1]), ("61 30", [1, 1]), ("zz", [1]),
        ] as [(String, [Int])])
    func noAnswer(text: String, counts: [Int]) { #expect(AnswerForm.reads(counts).parse(text) == nil) }

    @Test("Settings and facts come back")
    func facts() {
        let settings = PWMSettings(
            period: .milliseconds(20), pulseWidth: .nanoseconds(1_500_001), polarity: .inversed, isEnabled: true)
        #expect(AnswerForm.settings.text(settings) == "period 20ms pulse 1500001ns inversed enabled")
        #expect(AnswerForm.settings.parse("period 20ms pulse 1500001ns inversed enabled") == settings)
        #expect(AnswerForm.functionality.parse("0xeff0001")?.contains(.rawMessages) == true)
        #expect(AnswerForm.spiFacts.parse("4096 bytes reversing")?.reversesBits == true)
        #expect(AnswerForm.picture.parse("image/jpeg 1234 bytes")?.size == 1234)
        #expect(AnswerForm.debouncer.parse("debounced by program") == .program)
    }
}
