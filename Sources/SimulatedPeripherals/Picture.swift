import CPNG
import Glibc
import Peripherals
import SegmentGlyphs

/// A grey picture to draw text on, in the segments of a 14-segment display.
struct Picture {
    private let width: Int
    private let height: Int
    private var pixels: [UInt8]
    /// How many of its pixels are one of ``format``.
    private let scale: Double

    /// What the simulated camera takes when no size is asked for. Places are in its pixels, whatever the picture's size.
    private static let format = (width: 360, height: 120)

    private static let ink: UInt8 = 240
    private static let paper: UInt8 = 24

    /// An empty one, of the camera's own size unless another is asked for.
    init(_ size: PictureSize?) {
        (width, height) = size.map { ($0.width, $0.height) } ?? Self.format
        scale = min(Double(width) / Double(Self.format.width), Double(height) / Double(Self.format.height))
        pixels = [UInt8](repeating: Self.paper, count: width * height)
    }

    /// Draws text from `x`, `y` (the upper left corner). What does not fit is cut off.
    mutating func write(_ text: String, x: Int, y: Int, height: Int) {
        let size = (width: Double(height) * 0.5 * scale, height: Double(height) * scale)
        for (index, character) in text.enumerated() {
            let glyph = FourteenSegment(character) ?? []
            let left = Double(x) * scale + Double(index) * size.width * 1.6
            let top = Double(y) * scale
            for line in SegmentLine.all where glyph.contains(line.segment) {
                draw(
                    from: (left + line.from.x * size.width, top + line.from.y * size.height),
                    to: (left + line.to.x * size.width, top + line.to.y * size.height))
            }
        }
    }

    /// A line two of the camera's pixels wide.
    private mutating func draw(from: (x: Double, y: Double), to: (x: Double, y: Double)) {
        let brush = max(Int((2 * scale).rounded()), 1)
        let steps = max(Int(max(abs(to.x - from.x), abs(to.y - from.y)).rounded(.up)), 1)
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            let x = Int((from.x + (to.x - from.x) * part).rounded())
            let y = Int((from.y + (to.y - from.y) * part).rounded())
            for row in max(y, 0)..<max(min(y + brush, height), max(y, 0)) {
                for column in max(x, 0)..<max(min(x + brush, width), max(x, 0)) {
                    pixels[row * width + column] = Self.ink
                }
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
