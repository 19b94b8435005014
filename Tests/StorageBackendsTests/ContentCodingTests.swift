import Testing

@testable import StorageBackends

@Suite("Content codings")
struct ContentCodingTests {
    private func answer(_ status: Int, _ accepted: String? = nil) -> HTTPResponse {
        HTTPResponse(status: status, headers: accepted.map { ["accept-encoding": $0] } ?? [:])
    }

    @Test(
        "What a server says that it takes decides what it gets",
        arguments: [
            (.none, 200, "gzip, zstd", nil, nil, false), (.automatic, 200, nil, nil, nil, false),
            (.automatic, 200, "gzip", nil, .gzip, false), (.automatic, 200, "br, gzip;q=0.5, zstd", nil, .zstd, false),
            (.automatic, 200, "zstd;q=0, GZIP", nil, .gzip, false), (.automatic, 200, "identity", nil, nil, false),
            (.gzip, 200, nil, .gzip, .gzip, false), (.gzip, 200, "zstd", .gzip, .zstd, false),
            (.gzip, 415, nil, .gzip, nil, true), (.gzip, 415, "zstd", .gzip, .zstd, true),
            // The media type is what it does not take.
            (.gzip, 415, "gzip", .gzip, .gzip, false), (.gzip, 415, nil, nil, .gzip, false),
        ] as [(CompressionPolicy, Int, String?, ContentCoding?, ContentCoding?, Bool)])
    func negotiation(
        policy: CompressionPolicy, status: Int, accepted: String?, sent: ContentCoding?, next: ContentCoding?,
        again: Bool
    ) {
        var machine = ContentCodingStateMachine(policy)
        let sendsAgain = machine.handle(answer(status, accepted), sent: sent)
        #expect(sendsAgain == again)
        #expect(machine.coding == next)
    }

    @Test("What has been given up is not tried again with every request")
    func givenUp() {
        var machine = ContentCodingStateMachine(.gzip)
        let answers = [machine.handle(answer(415), sent: .gzip), machine.handle(answer(200), sent: nil)]
        #expect(answers == [true, false])
        #expect(machine.coding == nil)
    }

    @Test(
        "Text becomes smaller in each coding, and what does not is left as it is",
        arguments: [ContentCoding.gzip, .zstd])
    func compression(coding: ContentCoding) throws {
        let text = Array(String(repeating: "{\"part\":\"bell\",\"event\":\"pressed\"}\n", count: 100).utf8)
        let compressed = try #require(coding.compressed(text))
        #expect(compressed.count < text.count / 10)
        // The marks of RFC 1952 and RFC 8878.
        #expect(compressed.prefix(2) == (coding == .gzip ? [0x1F, 0x8B] : [0x28, 0xB5]))
        var generator = SystemRandomNumberGenerator()
        #expect(coding.compressed((0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }) == nil)
        #expect(coding.compressed([]) == nil)
    }
}
