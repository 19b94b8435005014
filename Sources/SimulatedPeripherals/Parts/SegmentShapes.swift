import SegmentGlyphs

/// A point on a drawing, x to the right and y downwards.
struct DrawingPoint: Sendable {
    var x: Double
    var y: Double
}

/// The outlines of a digit's segments as they are on the part: bars with pointed ends, and slanted ones between them.
struct SegmentShapes {
    /// The centre lines of the outer segments are the box's sides.
    let width: Double
    let height: Double
    let thickness: Double
    /// Half of what is dark between two segments.
    let gap: Double

    private var middle: Double { height / 2 }

    func outline(of segment: SevenSegment) -> [DrawingPoint] {
        switch segment {
        case .top: horizontal(0, width, at: 0)
        case .middle: horizontal(0, width, at: middle)
        case .bottom: horizontal(0, width, at: height)
        case .upperLeft: vertical(0, middle, at: 0)
        case .upperRight: vertical(0, middle, at: width)
        case .lowerLeft: vertical(middle, height, at: 0)
        case .lowerRight: vertical(middle, height, at: width)
        default: []
        }
    }

    func outline(of segment: FourteenSegment) -> [DrawingPoint] {
        let centre = width / 2
        return switch segment {
        case .top: horizontal(0, width, at: 0)
        case .bottom: horizontal(0, width, at: height)
        case .middleLeft: horizontal(0, centre, at: middle)
        case .middleRight: horizontal(centre, width, at: middle)
        case .upperLeft: vertical(0, middle, at: 0)
        case .upperRight: vertical(0, middle, at: width)
        case .lowerLeft: vertical(middle, height, at: 0)
        case .lowerRight: vertical(middle, height, at: width)
        // The inner bars end below the outer ones.
        case .upperVertical: vertical(thickness / 2 + gap, middle, at: centre)
        case .lowerVertical: vertical(middle, height - thickness / 2 - gap, at: centre)
        case .upperLeftDiagonal: diagonal(0, centre, 0, middle, isFalling: true)
        case .upperRightDiagonal: diagonal(centre, width, 0, middle, isFalling: false)
        case .lowerLeftDiagonal: diagonal(0, centre, middle, height, isFalling: false)
        case .lowerRightDiagonal: diagonal(centre, width, middle, height, isFalling: true)
        default: []
        }
    }

    private func horizontal(_ from: Double, _ to: Double, at y: Double) -> [DrawingPoint] {
        let (half, left, right) = (thickness / 2, from + gap, to - gap)
        return [
            DrawingPoint(x: left, y: y), DrawingPoint(x: left + half, y: y - half),
            DrawingPoint(x: right - half, y: y - half), DrawingPoint(x: right, y: y),
            DrawingPoint(x: right - half, y: y + half), DrawingPoint(x: left + half, y: y + half),
        ]
    }

    private func vertical(_ from: Double, _ to: Double, at x: Double) -> [DrawingPoint] {
        horizontal(from, to, at: x).map { DrawingPoint(x: $0.y, y: $0.x) }
    }

    /// From corner to corner of the field between four bars.
    private func diagonal(
        _ left: Double, _ right: Double, _ top: Double, _ bottom: Double, isFalling: Bool
    ) -> [DrawingPoint] {
        let margin = thickness / 2 + 1.6 * gap
        let (x0, x1, y0, y1) = (left + margin, right - margin, top + margin, bottom - margin)
        let (across, down) = (0.5 * (x1 - x0), 0.3 * (y1 - y0))
        let falling = [
            DrawingPoint(x: x0, y: y0), DrawingPoint(x: x0 + across, y: y0), DrawingPoint(x: x1, y: y1 - down),
            DrawingPoint(x: x1, y: y1), DrawingPoint(x: x1 - across, y: y1), DrawingPoint(x: x0, y: y0 + down),
        ]
        return isFalling ? falling : falling.map { DrawingPoint(x: x0 + x1 - $0.x, y: $0.y) }
    }
}
