import DeviceRuntime
import Testing

@testable import LinuxPeripherals

@Suite("Pictures in a stream")
struct JPEGSplitterTests {
    /// A picture with a smaller one in it, with restart marks and stuffed bytes in its data.
    static let picture: [UInt8] =
        [0xFF, 0xD8]
        // An application's segment, with a whole picture in it.
        + [0xFF, 0xE1, 0x00, 0x0C, 0xFF, 0xD8, 0xFF, 0xDA, 0x00, 0x02, 0x55, 0xAA, 0xFF, 0xD9]
        + [0xFF, 0xFF, 0xDB, 0x00, 0x03, 0x00]
        + [0xFF, 0xDA, 0x00, 0x04, 0x01, 0x02, 0x11, 0xFF, 0x00, 0x22, 0xFF, 0xD0, 0x33, 0xFF, 0xFF, 0xD7, 0x44]
        // A second scan, as progressive pictures have.
        + [0xFF, 0xC4, 0x00, 0x02, 0xFF, 0xDA, 0x00, 0x02, 0x66]
        + [0xFF, 0xD9]

    static func pictures(in bytes: [UInt8], largest: Int = 1000, chunk: Int = 7) -> [[UInt8]] {
        var splitter = JPEGSplitter(largest: largest)
        return stride(from: 0, to: bytes.count, by: chunk).flatMap { start in
            splitter.add(bytes[start..<min(start + chunk, bytes.count)])
        }
    }

    @Test("Pictures come out whole, however the stream is cut", arguments: [1, 2, 3, 7, 50, 1000])
    func whole(chunk: Int) {
        let stream = Self.picture + Self.picture + [0x00, 0x0A] + Self.picture
        #expect(Self.pictures(in: stream, chunk: chunk) == [Self.picture, Self.picture, Self.picture])
    }

    @Test("What is no picture is skipped")
    func noise() {
        let noise: [UInt8] = [0x00, 0xFF, 0xFF, 0x12, 0xD8, 0xFF, 0xD9]
        #expect(Self.pictures(in: noise + Self.picture + noise) == [Self.picture])
    }

    @Test("After a picture that was cut off, whole ones come again", arguments: 0..<picture.count)
    func cut(place: Int) {
        let stream = Self.picture[..<place] + [[UInt8]](repeating: Self.picture, count: 60).joined()
        #expect(Self.pictures(in: Array(stream)).suffix(2) == [Self.picture, Self.picture])
    }

    @Test("What is larger than a picture may be is dropped, and does not fill the memory")
    func large() {
        let endless = [0xFF, 0xD8, 0xFF, 0xDA, 0x00, 0x02] + [UInt8](repeating: 0x55, count: 5000)
        #expect(Self.pictures(in: endless + [0xFF, 0xD9] + Self.picture) == [Self.picture])
    }

    @Test("Whatever comes in, nothing breaks", arguments: 0..<100)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes: [UInt8] = (0..<3000).map { _ in
            Bool.random(using: &generator)
                ? .random(in: 0...255, using: &generator)
                : [0xFF, 0xD8, 0xD9, 0xDA, 0x00].randomElement(using: &generator) ?? 0
        }
        #expect(Self.pictures(in: bytes).allSatisfy { $0.starts(with: [0xFF, 0xD8]) && $0.suffix(2) == [0xFF, 0xD9] })
    }
}
