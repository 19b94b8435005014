import CaptureStore
import TestSupport
import Testing

@testable import StorageBackends

@Suite("What an S3 server's answer means")
struct S3AnswerTests {
    enum Meaning: Sendable { case temporary, pause, rejected }

    private func answer(_ status: Int, _ code: String) -> S3Answer {
        let text = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>it is &quot;so&quot;</Message></Error>"
        return S3Answer(
            HTTPResponse(status: status, headers: ["content-type": "application/xml"], body: Array(text.utf8)))
    }

    @Test(
        "The code decides what the status leaves open",
        arguments: [
            (400, "BadDigest", .temporary), (400, "RequestTimeout", .temporary), (400, "IncompleteBody", .temporary),
            (503, "SlowDown", .temporary), (500, "InternalError", .temporary), (404, "NoSuchUpload", .temporary),
            (409, "ConditionalRequestConflict", .temporary), (400, "AuthorizationHeaderMalformed", .pause),
            (400, "ExpiredToken", .pause), (403, "AccessDenied", .pause), (403, "SignatureDoesNotMatch", .pause),
            (404, "NoSuchBucket", .pause), (400, "InvalidStorageClass", .pause), (400, "EntityTooLarge", .rejected),
            (400, "KeyTooLongError", .rejected),
        ] as [(Int, String, Meaning)])
    func codes(status: Int, code: String, meaning: Meaning) {
        let error = answer(status, code).error("https://s3.local/porch/")
        switch (meaning, error?.kind) {
        case (.temporary, .temporary(retryAfter: nil)), (.pause, .temporary(retryAfter: .some)),
            (.rejected, .permanent):
            break
        default: Issue.record("\(code): \(String(describing: error))")
        }
        #expect(error?.message.contains("\(code): it is \"so\"") == true)
        #expect(error?.advice != nil || meaning != .pause)
    }

    @Test("A success that says in its body that it is an error is one")
    func lateError() {
        let error = answer(200, "InternalError").error("https://s3.local/porch/")
        #expect(error?.kind == .temporary(retryAfter: nil))
        #expect(error?.message == "https://s3.local/porch/ answers 200, but with InternalError: it is \"so\"")
    }

    @Test(
        "An address is made of endpoint, bucket and region",
        arguments: [
            (nil, .automatic, "https://porch.s3.eu-central-1.amazonaws.com/"),
            (nil, .path, "https://s3.eu-central-1.amazonaws.com/porch/"),
            ("http://minio.local:9000", .automatic, "http://minio.local:9000/porch/"),
            ("https://e.r2.cloudflarestorage.com/", .virtualHost, "https://porch.e.r2.cloudflarestorage.com/"),
        ] as [(String?, S3Settings.Addressing, String)])
    func addresses(endpoint: String?, addressing: S3Settings.Addressing, expected: String) throws {
        let settings = S3Settings(
            endpoint: endpoint, bucket: "porch", region: "eu-central-1", addressing: addressing)
        #expect(try settings.bucketURL() == expected)
    }

    @Test("What is no bucket's name does not get into an address", arguments: ["", "a/b", "a b", "?"])
    func buckets(name: String) {
        let settings = S3Settings(endpoint: nil, bucket: name, region: "x")
        #expect(thrown(StorageError.self) { try settings.bucketURL() }?.advice != nil)
    }

    @Test("A part is large enough for 10,000 of them to hold the object")
    func partSizes() {
        let mebibyte = 1 << 20
        #expect(S3PartedUpload.partSize(of: 100 * mebibyte, at: 8 * mebibyte) == 8 * mebibyte)
        let large = 200_000 * mebibyte
        let size = S3PartedUpload.partSize(of: large, at: 8 * mebibyte)
        #expect(size.isMultiple(of: mebibyte) && (large + size - 1) / size <= 10_000)
    }
}

@Suite("Access keys")
struct AccessKeysTests {
    @Test("The file of the AWS tools is read, of which the first profile counts")
    func file() throws {
        let text = """
            # made by aws configure
            [default]
            aws_access_key_id = AKIDEXAMPLE
            aws_secret_access_key=a/b+c=
            aws_session_token = t0ken
            [other]
            aws_access_key_id = OTHER
            """
        let keys = try #require(AccessKeys(file: text))
        #expect(keys.accessKey == "AKIDEXAMPLE" && keys.secretKey == "a/b+c=" && keys.sessionToken == "t0ken")
    }

    @Test(
        "Anything else is none",
        arguments: ["", "AKID:secret", "aws_access_key_id = A", "aws_access_key_id =\naws_secret_access_key = B"])
    func mistakes(text: String) { #expect(AccessKeys(file: text) == nil) }

    @Test("Keys show themselves nowhere")
    func secrets() throws {
        let keys = try #require(AccessKeys(accessKey: "hunter1", secretKey: "hunter2", sessionToken: "hunter3"))
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped] { #expect(!text.contains("hunter")) }
    }
}

@Suite("XML of storage servers")
struct XMLTextTests {
    private func text(_ xml: String) -> XMLText { XMLText(Array(xml.utf8)) }

    @Test("Elements are found at any depth, with and without attributes, and references are resolved")
    func values() {
        let list = text(
            "<L xmlns=\"x\"><Uploads>no</Uploads><Upload a=\"b\"><Key>a&amp;b&lt;c</Key></Upload>"
                + "<Upload><Key>2</Key></Upload></L>")
        #expect(list.value("Key") == "a&b<c")
        #expect(list.elements("Upload").map { $0.value("Key") } == ["a&b<c", "2"])
        #expect(list.value("Uploa") == nil)
    }

    @Test(
        "What is not well-formed has fewer elements", arguments: ["", "<Key>", "<Key", "<Key>a</key>", "Key", "<Key/>"])
    func broken(xml: String) { #expect(text(xml).value("Key") == nil) }
}
