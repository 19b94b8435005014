@testable import CaptureStore
import DeviceRuntime
import TestSupport
import Testing

@testable import StorageBackends

@Suite("Google's storage, without a server")
struct GoogleTests {
    @Test(
        "How much of an upload is there is what Range says; no Range is nothing",
        arguments: [
            (nil, 0), ("bytes=0-524287", 524_288), ("bytes=0-99999", 100_000), ("bytes=0-0", 0), ("bytes=5-9", 0),
            ("bytes=0-", 0), ("bytes=0--5", 0), ("bytes=0-9223372036854775807", 0), ("garbage", 0),
        ] as [(String?, Int)])
    func reached(range: String?, expected: Int) { #expect(GoogleResumableUpload.reached(range) == expected) }

    @Test("An object is what was sent if its size and every hash say so")
    func comparison() throws {
        let hashes = try ContentHashes(HTTPBody("123456789"), withCRC32C: true, Cancellation())
        let (md5, crc) = ("JfnnlDI7RTiF9RgfG2JNCw==", "4waSgw==")
        #expect(hashes.md5.base64 == md5 && hashes.crc32cBase64 == crc)
        for (text, expected) in [
            (#"{"name":"a","size":"9","md5Hash":"\#(md5)","crc32c":"\#(crc)"}"#, true),
            (#"{"name":"a","size":"9","crc32c":"\#(crc)"}"#, true), (#"{"name":"a","size":"9"}"#, true),
            (#"{"name":"a","size":"8","md5Hash":"\#(md5)"}"#, false),
            (#"{"name":"a","size":"9","md5Hash":"x","crc32c":"\#(crc)"}"#, false),
            (#"{"name":"a","size":"9","crc32c":"AAAAAA=="}"#, false), (#"{"name":"a"}"#, false),
        ] {
            let object = try #require(GoogleObject(HTTPResponse(status: 200, body: Array(text.utf8))))
            #expect(object.matches(hashes) == expected, "\(text)")
        }
        for text in ["", "{}", "[]", "welcome", #"{"name":1}"#] {
            #expect(GoogleObject(HTTPResponse(status: 200, body: Array(text.utf8))) == nil)
        }
    }

    @Test("Members of a JSON document are found by their path, and by no other kind")
    func json() throws {
        let document = try #require(JSONDocument(Array(#"{"a":{"b":"c","n":5},"s":"x\u00e9","f":1.5}"#.utf8)))
        #expect(document.text("a", "b") == "c" && document.integer("a", "n") == 5 && document.text("s") == "xé")
        #expect(document.text("a") == nil && document.text("a", "n") == nil && document.integer("f") == nil)
        #expect(document.text("s", "b") == nil && document.text("none", "b") == nil)
        for text in ["", "{", #"{"a":}"#, "{}x", "\u{0}"] { #expect(JSONDocument(Array(text.utf8)) == nil, "\(text)") }
        // As deep as nobody writes: refused, not followed.
        #expect(JSONDocument(Array(String(repeating: "[", count: 1_000_000).utf8)) == nil)
    }

    @Test(
        "What is no key file of a service account is refused",
        arguments: [
            "", "{}", #"{"type":"authorized_user"}"#,
            #"{"type":"service_account","client_email":"a@b","private_key":"no key"}"#,
        ])
    func accounts(text: String) { #expect(ServiceAccount(file: text) == nil) }

    @Test("A note of an upload is for its object alone, readable for the owner alone, and gone once it is cleared")
    func notes() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/uploads/photos"
        let notes = ResumeFile(path: path)
        #expect(notes.session(of: "1.png") == nil)
        notes.note("1.png", session: "https://google.example/session/1")
        #expect(notes.session(of: "1.png") == "https://google.example/session/1")
        #expect(notes.session(of: "2.png") == nil)
        #expect(try directory.tree() == ["uploads/photos"])
        notes.clear()
        #expect(try directory.tree() == [])
        // Where nothing can be written, uploads just begin anew.
        let nowhere = ResumeFile(path: "/proc/nowhere/photos")
        nowhere.note("1.png", session: "x")
        #expect(nowhere.session(of: "1.png") == nil && ResumeFile(path: nil).session(of: "1.png") == nil)
    }
}

@Suite("A record as an entry of the Realtime Database")
struct FirebaseEntryTests {
    private func entry(part: String = "bell", event: String = "pressed", _ document: String = "{}") -> FirebaseEntry {
        let record = StoredRecord(
            id: RecordID(device: "porch", identity: "1dea0000", sequence: 42), part: part, event: event,
            time: WallTime(sinceEpoch: .zero), fields: [], document: document, objects: [])
        return FirebaseEntry(record) { "https://x/\"\($0)" }
    }

    @Test("Its key has none of the characters that keys must not have, and is the same at every try")
    func path() {
        #expect(entry().path == "porch/1dea0000/00000042-bell-pressed")
        #expect(entry(part: "a.b$c", event: "#[x]\u{1}").path == "porch/1dea0000/00000042-a-b-c---x--")
    }

    @Test(
        "It is the record's document, and says where its file can be had",
        arguments: [
            (#"{"id":"porch"}"#, #"{"id":"porch"}"#),
            (#"{"payload":{"name":"1.png"}}"#, #"{"payload":{"name":"1.png"},"download":"https://x/\"1.png"}"#),
            (#"{"payload":{"name":"1.png","lost":true}}"#, #"{"payload":{"name":"1.png","lost":true}}"#),
        ])
    func document(text: String, expected: String) { #expect(entry(text).document == expected) }
}

@Suite("A server's clock")
struct ServerClockTests {
    @Test("It is taken over when it is off by more than servers let pass, and only then")
    func correction() throws {
        // A loop that does not run stands at zero: it is 1994-11-06T08:49:37Z.
        let loop = try EventLoop(time: .virtual)
        let own = WallClock.starting(at: WallTime(sinceEpoch: .seconds(784_111_777)), with: loop)
        var clock = ServerClock(own)
        func correct(_ date: String?) -> Bool {
            clock.correct(
                by: HTTPResponse(status: 403, headers: date.map { ["date": $0] } ?? [:]), tolerance: .seconds(240))
        }
        let wrong = [correct(nil), correct("soon"), correct("Sun, 06 Nov 1994 08:52:00 GMT")]
        #expect(wrong == [false, false, false])
        let first = correct("Sun, 06 Nov 2022 08:49:37 GMT")
        #expect(first && clock.now == WallTime("2022-11-06T08:49:37.000Z"))
        // Once is enough: what is still refused is so for another reason.
        let second = correct("Sun, 06 Nov 2022 08:49:38 GMT")
        #expect(!second)
    }
}
