import CPNG
import Glibc
import SegmentGlyphs

/// A small grey picture to draw text on, in the segments of a 14-segment display.
struct Picture {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    private static let ink: UInt8 = 240
    private static let paper: UInt8 = 24

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: Self.paper, count: width * height)
    }

    /// Draws text from `x`, `y` (the upper left corner). What does not fit is cut off.
    mutating func write(_ text: String, x: Int, y: Int, height: Int) {
        let size = (width: Double(height) * 0.5, height: Double(height))
        for (index, character) in text.enumerated() {
            let glyph = FourteenSegment(character) ?? []
            let left = Double(x) + Double(index) * size.width * 1.6
            for line in SegmentLine.all where glyph.contains(line.segment) {
                draw(
                    from: (left + line.from.x * size.width, Double(y) + line.from.y * size.height),
                    to: (left + line.to.x * size.width, Double(y) + line.to.y * size.height))
            }
        }
    }

    /// A line two pixels wide.
    private mutating func draw(from: (x: Double, y: Double), to: (x: Double, y: Double)) {
        let steps = max(Int(max(abs(to.x - from.x), abs(to.y - from.y)).rounded(.up)), 1)
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            let x = Int((from.x + (to.x - from.x) * part).rounded())
            let y = Int((from.y + (to.y - from.y) * part).rounded())
            for (column, row) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
            where (0..<width).contains(column) && (0..<height).contains(row) {
                pixels[row * width + column] = Self.ink
            }
        }
    }

    struct WriteError: Error, CustomStringConvertible {
        let description: String
    }

    private var image: png_image {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(height)
        image.format = 0  // PNG_FORMAT_GRAY
        // A simulated day has hundreds of pictures, and what this one is made of becomes small in any way.
        image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        return image
    }

    /// The picture as a file's bytes; `nil` without memory.
    var png: [UInt8]? {
        var image = image
        // Packing may make it larger by its frame and some bytes for each part.
        var size = width * height + height + width * height / 1000 + 1024
        var bytes = [UInt8](repeating: 0, count: size)
        guard png_image_write_to_memory(&image, &bytes, &size, 0, pixels, 0, nil) != 0 else { return nil }
        return Array(bytes.prefix(size))
    }

    func writePNG(to path: String) throws {
        var image = image
        guard png_image_write_to_file(&image, path, 0, pixels, 0, nil) != 0 else {
            let message = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw WriteError(description: message)
        }
    }
}
