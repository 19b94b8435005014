/// Cuts a stream of JPEG pictures into pictures (ITU-T T.81, annex B).
///
/// A picture may have a smaller one in it, with marks of its own: segments are skipped by their lengths, so only the
/// picture's own end counts. What is no picture, as after bytes were lost, is skipped up to the next beginning.
struct JPEGSplitter {
    private enum Place {
        /// Before a picture; whether the last byte could begin it.
        case outside(afterMark: Bool)
        /// Between segments, where a mark begins the next one.
        case betweenSegments(afterMark: Bool)
        /// In a segment's length, of whose two bytes the first may be known.
        case length(first: UInt8?, isScan: Bool)
        /// So many bytes of a segment are left.
        case segment(left: Int, isScan: Bool)
        /// In the compressed picture itself.
        case scan(afterMark: Bool)
    }

    private let largest: Int
    private var place = Place.outside(afterMark: false)
    private var picture: [UInt8] = []

    /// What is larger than `largest` bytes is no picture.
    init(largest: Int) { self.largest = largest }

    /// Takes what has come in, and returns the pictures that are complete.
    mutating func add(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        var pictures: [[UInt8]] = []
        for byte in bytes {
            if add(byte) {
                pictures.append(picture)
                restart()
            } else if picture.count > largest {
                restart()
            }
        }
        return pictures
    }

    private mutating func restart() {
        picture = []
        place = .outside(afterMark: false)
    }

    /// Returns whether the picture is complete.
    private mutating func add(_ byte: UInt8) -> Bool {
        if case .outside(let afterMark) = place {
            if afterMark, byte == 0xD8 {
                picture = [0xFF, 0xD8]
                place = .betweenSegments(afterMark: false)
            } else {
                place = .outside(afterMark: byte == 0xFF)
            }
            return false
        }
        picture.append(byte)
        switch place {
        case .outside: break
        case .betweenSegments(afterMark: false):
            // Nothing else can stand here.
            if byte == 0xFF { place = .betweenSegments(afterMark: true) } else { restart() }
        case .betweenSegments(afterMark: true): return mark(byte)
        case .length(nil, let isScan): place = .length(first: byte, isScan: isScan)
        case .length(let first?, let isScan):
            // It counts itself.
            let left = (Int(first) << 8 | Int(byte)) - 2
            if left > 0 {
                place = .segment(left: left, isScan: isScan)
            } else if left == 0 {
                place = isScan ? .scan(afterMark: false) : .betweenSegments(afterMark: false)
            } else {
                restart()
            }
        case .segment(1, let isScan):
            place = isScan ? .scan(afterMark: false) : .betweenSegments(afterMark: false)
        case .segment(let left, let isScan): place = .segment(left: left - 1, isScan: isScan)
        case .scan(afterMark: false): place = .scan(afterMark: byte == 0xFF)
        case .scan(afterMark: true):
            switch byte {
            // A byte of data that is FF, and the marks that stand in the data.
            case 0x00, 0xD0...0xD7: place = .scan(afterMark: false)
            default: return mark(byte)
            }
        }
        return false
    }

    /// What comes behind an FF. Returns whether it is the end.
    private mutating func mark(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xFF: break
        case 0xD9: return true
        // A beginning, where the end of the one before was lost.
        case 0xD8:
            picture = [0xFF, 0xD8]
            place = .betweenSegments(afterMark: false)
        // Marks without a length.
        case 0x01, 0xD0...0xD7: place = .betweenSegments(afterMark: false)
        case 0x00: restart()
        default: place = .length(first: nil, isScan: byte == 0xDA)
        }
        return false
    }
}
