import CaptureStore
import DeviceRuntime
import Testing

@testable import StorageBackends

@Suite("Records as lines")
struct LineProtocolTests {
    private func line(
        _ fields: [Capture.Field] = [], part: String = "climate", device: String = "porch", sequence: Int64 = 42,
        measurement: String = "{part}", time: Duration = .seconds(1_772_350_200) + .milliseconds(250)
    ) throws -> String {
        let lines = LineProtocol(measurement: try #require(NamePattern(measurement)))
        return lines.line(
            StoredRecord(
                id: RecordID(device: device, identity: "3fa2c81b", sequence: sequence), part: part, event: "reading",
                time: WallTime(sinceEpoch: time), fields: fields, document: "{}", objects: []))
    }

    @Test(
        "Each kind of value has its own writing",
        arguments: [
            (.number(21.5), "v=21.5"), (.number(-1e-7), "v=-1e-07"), (.number(3), "v=3.0"), (.integer(-5), "v=-5i"),
            (.integer(.max), "v=9223372036854775807i"), (.flag(true), "v=true"), (.text("a b"), "v=\"a b\""),
            (.text("\"\\\n,= "), "v=\"\\\"\\\\\n,= \""), (.text(""), "v=\"\""),
        ] as [(CaptureValue, String)])
    func values(value: CaptureValue, text: String) throws {
        #expect(
            try line([.init("v", value)])
                == "climate,device=porch,event=reading,part=climate sequence=42i,\(text) 1772350200250000042\n")
    }

    @Test("A number that is none is left out; a record without values still is a point")
    func notFinite() throws {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(try line([.init("v", .number(number))]) == line())
        }
        #expect(try line().contains(" sequence=42i "))
    }

    @Test("Names are escaped, whatever is in them")
    func names() throws {
        let text = try line(
            [.init("a b,c=d", .integer(1)), .init("time", .integer(2)), .init("x\\\ny", .integer(3))],
            part: "a, =b\\\n", measurement: "m {part}")
        #expect(
            text == "m\\ a\\,\\ =b__,device=porch,event=reading,part=a\\,\\ \\=b__ "
                + "a\\ b\\,c\\=d=1i,sequence=42i,time_=2i,x__y=3i 1772350200250000042\n")
        #expect(try line(part: "").hasPrefix("_,device"))
    }

    @Test("The time is the record's, and tells records of one millisecond apart")
    func time() throws {
        #expect(try line(sequence: 1).hasSuffix(" 1772350200250000001\n"))
        #expect(try line(sequence: 12_000_003).hasSuffix(" 1772350200250000003\n"))
        #expect(try line(time: .zero).hasSuffix(" 42\n"))
        // A clock that is far off must not end the daemon.
        #expect(try line(time: .seconds(Int64.max / 2)).hasSuffix(" 0\n"))
    }

    @Test(
        "A pattern has places for names alone",
        arguments: [
            ("{part}", "climate"), ("perch", "perch"), ("{device}_{event}", "porch_reading"), ("", nil), ("{", nil),
            ("}", nil),
            ("{parts}", nil), ("a}", nil), ("{part", nil), ("{{part}}", nil),
        ] as [(String, String?)])
    func patterns(text: String, result: String?) throws {
        guard let result else {
            #expect(NamePattern(text) == nil)
            return
        }
        #expect(try line(measurement: text).hasPrefix(result + ","))
    }
}
