import CaptureStore
import DeviceRuntime
import TestSupport
import Testing

@testable import StorageBackends

@Suite("Hashes and encodings")
struct IntegrityTests {
    @Test("The hashes of a content, from memory and from pieces of a file, are those of the standards' examples")
    func hashes() throws {
        let directory = try TemporaryDirectory()
        try write(Array("xx123456789yy".utf8), to: "\(directory.path)/file")
        for body in [
            HTTPBody("123456789"), HTTPBody([.file(path: "\(directory.path)/file", range: 2..<11)]),
            HTTPBody([
                .bytes([]), .bytes(Array("12".utf8)), .file(path: "\(directory.path)/file", range: 4..<10),
                .bytes(Array("9".utf8)),
            ]),
        ] {
            let hashes = try ContentHashes(body, withCRC32C: true, Cancellation())
            #expect(hashes.size == 9)
            // RFC 3720's check value, and what md5sum and sha256sum say.
            #expect(hashes.crc32c == 0xE306_9283)
            #expect(hashes.md5.hex == "25f9e794323b453885f5181f1b624d0b")
            #expect(hashes.sha256.hex == "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225")
        }
    }

    @Test("A file that has become shorter, or is gone, has no hash")
    func shortFile() throws {
        let directory = try TemporaryDirectory()
        try write([1, 2, 3], to: "\(directory.path)/file")
        for path in ["\(directory.path)/file", "\(directory.path)/other"] {
            let body = HTTPBody([.file(path: path, range: 0..<4)])
            let error = thrown(StorageError.self) { try ContentHashes(body, Cancellation()) }
            #expect(error?.kind == .temporary(retryAfter: nil))
        }
    }

    @Test("Hashing ends when it is cancelled")
    func cancelled() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: CancellationError.self) { try ContentHashes(HTTPBody("x"), cancellation) }
    }

    @Test(
        "Base64 is that of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("??>", "Pz8+"),
        ])
    func base64(text: String, expected: String) {
        #expect(Array(text.utf8).base64 == expected)
        #expect(
            Array(text.utf8).base64URL
                == expected.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_"))
    }

    @Test("A keyed hash is that of RFC 4231, case 2")
    func keyedHash() {
        #expect(
            Digest.hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)).hex
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
