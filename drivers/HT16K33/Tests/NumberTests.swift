import DeviceKit
import Peripherals
import SimulatedPeripherals
import Testing

@testable import HT16K33Driver

@Suite("HT16K33: numbers and times")
struct NumberTests {
    @Test(
        "Numbers are rounded as they are written, halves away from zero",
        arguments: [
            ("2.675", 2, "2.68"), ("1.005", 2, "1.01"), ("0.5", 0, "1"), ("-0.5", 0, "-1"), ("-0.04", 1, "0.0"),
            ("99.995", 2, "100.00"), ("7", 2, "7.00"), ("007.10", 1, "7.1"), (".5", 1, "0.5"), ("-.25", 1, "-0.3"),
            ("999999999999999999999999", 0, "999999999999999999999999"), ("+3", 0, "3"), ("5.", 1, "5.0"),
        ])
    func rounding(text: String, decimals: Int, result: String) throws {
        #expect(try #require(DecimalNumber(text)).text(decimals: decimals) == result)
    }

    @Test(
        "What is no number is none", arguments: ["", "-", ".", "1e3", "1,5", "0x10", "1.2.3", "- 1", "٣", "½", "--1"])
    func none(text: String) { #expect(DecimalNumber(text) == nil) }

    @Test(
        "A number stands at the right with the decimals that fit",
        arguments: [
            ("7", "   7"), ("-7", "  -7"), ("21.4375", "21.44"), ("-21.4375", "-21.4"), ("1234.5", "1235"),
            ("99.996", "100.0"), ("0.00004", "0.000"), ("-0.00004", "0.000"), ("9999.4", "9999"), ("100", " 100"),
        ])
    func fitting(value: String, glass: String) async throws {
        for layout in ["alphanumeric", "7-segment"] {
            try await Sign.run(layout) { sign in
                try await sign.perform("number", ["value": .scalar(value)])
                #expect(sign.display.text == glass, "\(layout)")
            }
        }
    }

    @Test(
        "A number that does not fit is said not to, on the glass and to whoever asked",
        arguments: [
            ("12345", "fitting", "  OL"), ("-1000", "fitting", " -OL"), ("9999.6", "fitting", "  OL"),
            ("1000", "1", "  OL"),
            ("-12.34", "2", " -OL"),
        ])
    func overflow(value: String, decimals: String, glass: String) async throws {
        try await Sign.run { sign in
            let arguments: [String: OptionInput] = ["value": .scalar(value), "decimals": .scalar(decimals)]
            await #expect(throws: PeripheralError.self) { try await sign.perform("number", arguments) }
            try await sign.wait(for: .milliseconds(20))
            #expect(sign.display.text == glass)
        }
    }

    @Test("The large glass has no points: a decimal costs a digit", arguments: [("20.54", "20_5"), ("5", "   5")])
    func withoutPoints(value: String, glass: String) async throws {
        try await Sign.run("7-segment-large") { sign in
            try await sign.perform("number", ["value": .scalar(value)])
            #expect(sign.display.text == glass)
        }
    }

    @Test(
        "Hexadecimal, with zeros before if wanted",
        arguments: [("255", "1", "  FF"), ("255", "4", "00FF"), ("65535", "1", "FFFF"), ("0", "2", "  00")])
    func hexadecimal(value: String, digits: String, glass: String) async throws {
        try await Sign.run { sign in
            try await sign.perform("hex", ["value": .scalar(value), "digits": .scalar(digits)])
            #expect(sign.display.text == glass)
        }
        try await Sign.run { sign in
            await #expect(throws: PeripheralError.self) {
                try await sign.perform("hex", ["value": .scalar("65536")])
            }
        }
    }

    @Test(
        "A time stands with its colon on each glass",
        arguments: [
            ("7-segment", "12:34", "on", "12:34"), ("7-segment", "7:05", "on", " 7:05"),
            ("7-segment", "7:05", "off", " 705"), ("7-segment", "07:05", "on", "07:05"),
            ("7-segment", "7:05pm", "on", " 7:05."), ("7-segment-large", "7:05 PM", "on", " 7:0°5"),
            ("7-segment-large", "12:34am", "on", "12:34"), ("alphanumeric", "12:34", "on", "12.34"),
            ("alphanumeric", "7:05", "on", " 7.05"), ("alphanumeric", "99:59", "off", "9959"),
        ])
    func time(layout: String, value: String, colon: String, glass: String) async throws {
        try await Sign.run(layout) { sign in
            try await sign.perform("time", ["value": .scalar(value), "colon": .scalar(colon)])
            #expect(sign.display.text == glass)
        }
    }

    @Test(
        "What is no time is none",
        arguments: ["", ":", "7", "7:5", "7:60", "123:00", "13:00pm", "0:00am", "7:05xm", "-7:05", "a:bc", "7:05:00"])
    func noTime(text: String) { #expect(ClockTime(text) == nil) }
}
