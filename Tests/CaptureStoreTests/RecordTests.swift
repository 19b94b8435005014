import DeviceRuntime
import Testing

@testable import CaptureStore

@Suite("Records")
struct RecordTests {
    private func record(payload: Record.Payload? = nil, fields: [Capture.Field] = []) -> Record {
        Record(
            id: RecordID(device: "porch", identity: "3fa2c81b", sequence: 42), part: "bell", event: "pressed",
            recordClass: .alert, monotonic: 1_500_000_001, boot: "b007",
            stamp: .init(time: WallTime("2026-03-01T07:30:00.250Z") ?? Bench.start, quality: .exact),
            fields: JSONText(fields).description, fieldValues: fields, payload: payload)
    }

    @Test("The document has sorted keys and exact numbers")
    func document() {
        let fields: [Capture.Field] = [
            .init("zone", .text("a \"b\"\n\u{1}é")), .init("armed", .flag(true)), .init("level", .number(0.1)),
            .init("broken", .number(.nan)), .init("count", .integer(-3)),
        ]
        #expect(
            record(
                payload: .init(file: "1-1", mediaType: "image/jpeg", size: 7), fields: fields
            ).document == """
                {"boot":"b007","clock":"exact","device":"porch","event":"pressed",\
                "fields":{"armed":true,"broken":null,"count":-3,"level":0.1,"zone":"a \\"b\\"\\n\\u0001é"},\
                "id":"porch/3fa2c81b/00000042","monotonic":1.500000001,"part":"bell",\
                "payload":{"mediaType":"image/jpeg","name":"porch/3fa2c81b/00000042-bell.pressed.jpg","size":7},\
                "sequence":42,"time":"2026-03-01T07:30:00.250Z"}
                """)
    }

    @Test("A document without payload says nothing of one, and one whose file is lost says so")
    func payloads() {
        #expect(!record().document.contains("payload"))
        let lost = record(payload: .init(file: nil, mediaType: "image/png", size: 7))
        #expect(lost.document.contains(#""payload":{"lost":true,"mediaType":"image/png""#))
        #expect(
            lost.stored(.everything, spool: "/spool").objects.map(\.name) == [
                "porch/3fa2c81b/00000042-bell.pressed.json"
            ])
    }

    @Test("The document comes first, then the file that belongs to it, under the same name")
    func objects() {
        let record = record(payload: .init(file: "1-1", mediaType: "image/png", size: 7))
        #expect(
            record.stored(.everything, spool: "/spool").objects[1]
                == StoredObject(
                    name: "porch/3fa2c81b/00000042-bell.pressed.png", mediaType: "image/png",
                    body: .file(path: "/spool/1-1", size: 7)))
    }

    @Test(
        "A name is safe in a URL and on every file system",
        arguments: [
            ("bell", "bell"), ("front door", "front-door"), ("..", "-"), ("../etc", "-etc"), (".hidden", "hidden"),
            ("a/b", "a-b"), ("", "-"), ("tür", "t-r"), ("A_1.b-c", "A_1.b-c"), ("a\u{0}b", "a-b"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 64)),
        ])
    func segments(text: String, expected: String) {
        #expect(RecordID.segment(text) == expected)
    }

    @Test(
        "Nanoseconds become seconds without rounding",
        arguments: [
            (0, "0"), (1, "0.000000001"), (1_000_000_000, "1"), (12_340_000_000, "12.34"), (-1_500_000_000, "-1.5"),
            (.max, "9223372036.854775807"),
        ] as [(Int64, String)])
    func seconds(nanoseconds: Int64, expected: String) {
        #expect(JSONText.seconds(nanoseconds: nanoseconds).description == expected)
    }
}
