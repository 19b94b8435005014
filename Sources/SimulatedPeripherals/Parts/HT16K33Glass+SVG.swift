import SegmentGlyphs

/// The backpacks as pictures, in tenths of a millimetre: board, body, and each LED in its place. The class of an LED
/// is `lit` or `dark`, with its colour, and `data-bits` are the bits of the RAM that light it.
extension HT16K33Glass {
    private static let margin = 25.0

    /// The body's size, without the board around it.
    private var bodySize: (width: Double, height: Double) {
        switch kind {
        case .fourteen: (502, 190)
        case .seven(isLarge: false): (504, 190)
        case .seven(isLarge: true): (1180, 400)
        case .points(let width, let height): (Double(width) * 25.4, Double(height) * 25.4)
        case .bar: (24 * 25.4, 101)
        }
    }

    /// One document with the chips' glasses side by side; dimmed, and blinking if they do.
    func svg(_ chips: [Set<Int>], brightness: Int, blinkFrequency: Double?) -> String {
        let body = bodySize
        // Below the body the board shows its pads.
        let board = (width: body.width + 2 * Self.margin, height: body.height + 2 * Self.margin + 34)
        let total = board.width * Double(chips.count)
        let shine = decimal(0.35 + 0.65 * Double(brightness) / 16)
        let blink =
            blinkFrequency.map {
                "@keyframes blink{50%{opacity:0}}.lit{animation:blink \(decimal(1 / $0))s steps(1) infinite}"
            } ?? ""
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(decimal(total)) \(decimal(board.height))" \
            width="\(decimal(total))" height="\(decimal(board.height))">
            <style>.dark{fill:#3b3836}.lit{opacity:\(shine)}\
            .red{fill:#ff3b2f}.green{fill:#39e34a}.yellow{fill:#ffd21f}\(blink)</style>
            """
        let parts = chips.enumerated().map { index, lit in
            """
            <g transform="translate(\(decimal(Double(index) * board.width)) 0)">
            <rect width="\(decimal(board.width))" height="\(decimal(board.height))" rx="22" fill="#20406e"/>
            \(pads(board))
            <g transform="translate(\(decimal(Self.margin)) \(decimal(Self.margin)))">
            <rect width="\(decimal(body.width))" height="\(decimal(body.height))" rx="6" fill="#191817"/>
            \(lights(lit).joined(separator: "\n"))
            </g>
            </g>
            """
        }
        return ([head] + parts + ["</svg>\n"]).joined(separator: "\n")
    }

    /// Five holes in gold, for power and bus.
    private func pads(_ board: (width: Double, height: Double)) -> String {
        (0..<5).map { index in
            let (x, y) = (board.width / 2 + 25.4 * Double(index - 2), board.height - 22)
            return """
                <circle cx="\(decimal(x))" cy="\(decimal(y))" r="9" fill="#d8b45a"/>\
                <circle cx="\(decimal(x))" cy="\(decimal(y))" r="4.5" fill="#0d1a2e"/>
                """
        }.joined(separator: "\n")
    }

    /// Each place once, lit or dark: a LED of two colours is two lamps in one place.
    private func lights(_ lit: Set<Int>) -> [String] {
        let colours = colours(lit)
        var bits: [Place: [Int]] = [:]
        for lamp in lamps { bits[lamp.place, default: []].append(lamp.bit) }
        var seen: Set<Place> = []
        return lamps.compactMap { lamp in
            guard seen.insert(lamp.place).inserted else { return nil }
            let look = colours[lamp.place].map { "lit \($0.rawValue)" } ?? "dark"
            let numbers = (bits[lamp.place] ?? []).map(String.init).joined(separator: " ")
            return shape(of: lamp.place, #"class="\#(look)" data-bits="\#(numbers)""#)
        }
    }

    private func shape(of place: Place, _ attributes: String) -> String {
        switch place {
        case .fourteen(let digit, let segment):
            let origin = DrawingPoint(x: 30 + 122 * Double(digit), y: 30)
            if segment == .point { return dot(origin, 92, 128, 8.5, attributes) }
            let shapes = SegmentShapes(width: 70, height: 128, thickness: 13, gap: 1.6)
            return polygon(shapes.outline(of: segment), at: origin, attributes)
        case .seven(let digit, let segment):
            let (shapes, origin, size) = seven(digit: digit)
            if segment == .point {
                return dot(origin, shapes.width + 1.5 * size, shapes.height, size * 0.6, attributes)
            }
            return polygon(shapes.outline(of: segment), at: origin, attributes)
        case .dot(let dot): return self.dot(dot, attributes)
        case .point(let x, let y):
            if case .bar = kind {
                let left = decimal(25.4 * Double(x) + 3.7)
                return #"<rect x="\#(left)" y="12" width="18" height="77" rx="2" \#(attributes)/>"#
            }
            return circle(DrawingPoint(x: 25.4 * Double(x) + 12.7, y: 25.4 * Double(y) + 12.7), 9.5, attributes)
        }
    }

    private var isLarge: Bool { if case .seven(isLarge: true) = kind { true } else { false } }

    /// The digits stand apart in the middle, where the colon is.
    private func seven(digit: Int) -> (SegmentShapes, origin: DrawingPoint, thickness: Double) {
        let index = Double(digit)
        if isLarge {
            let x = 120 + 252 * index + (digit > 1 ? 70 : 0)
            return (
                SegmentShapes(width: 140, height: 280, thickness: 33, gap: 3), DrawingPoint(x: x, y: 60), 33
            )
        }
        let x = 24 + 113 * index + (digit > 1 ? 26 : 0)
        return (SegmentShapes(width: 64, height: 126, thickness: 15, gap: 1.5), DrawingPoint(x: x, y: 32), 15)
    }

    private func dot(_ dot: Dot, _ attributes: String) -> String {
        let (shapes, third, thickness) = seven(digit: 2)
        let (upper, lower) = (third.y + 0.3 * shapes.height, third.y + 0.7 * shapes.height)
        let radius = thickness * 0.62
        switch dot {
        case .colon:
            // Both are one bit.
            let x = (seven(digit: 1).origin.x + shapes.width + third.x) / 2 + (isLarge ? 0 : 3)
            let dots = [upper, lower].map {
                circle(slanted(DrawingPoint(x: x, y: $0), from: third.y, shapes.height), radius, "")
            }
            return "<g \(attributes)>\(dots.joined())</g>"
        case .upperLeft, .lowerLeft:
            let point = DrawingPoint(x: seven(digit: 0).origin.x - 66, y: dot == .upperLeft ? upper : lower)
            return circle(slanted(point, from: third.y, shapes.height), radius, attributes)
        case .upperRight:
            let x = (third.x + shapes.width + seven(digit: 3).origin.x) / 2
            return circle(slanted(DrawingPoint(x: x, y: third.y), from: third.y, shapes.height), radius, attributes)
        }
    }

    // MARK: Elements

    /// Digits lean to the right, by ten degrees.
    private func slanted(_ point: DrawingPoint, from top: Double, _ height: Double) -> DrawingPoint {
        DrawingPoint(x: point.x + 0.17 * (top + height - point.y), y: point.y)
    }

    private func polygon(_ outline: [DrawingPoint], at origin: DrawingPoint, _ attributes: String) -> String {
        let bottom = outline.isEmpty ? 0 : digitHeight
        let points = outline.map { point in
            let place = slanted(
                DrawingPoint(x: origin.x + point.x, y: origin.y + point.y), from: origin.y, bottom)
            return "\(decimal(place.x)),\(decimal(place.y))"
        }
        return #"<polygon points="\#(points.joined(separator: " "))" \#(attributes)/>"#
    }

    private var digitHeight: Double { if case .fourteen = kind { 128 } else { seven(digit: 0).0.height } }

    private func dot(
        _ origin: DrawingPoint, _ x: Double, _ y: Double, _ radius: Double, _ attributes: String
    ) -> String {
        circle(
            slanted(DrawingPoint(x: origin.x + x, y: origin.y + y), from: origin.y, digitHeight), radius, attributes)
    }

    private func circle(_ centre: DrawingPoint, _ radius: Double, _ attributes: String) -> String {
        #"<circle cx="\#(decimal(centre.x))" cy="\#(decimal(centre.y))" r="\#(decimal(radius))" \#(attributes)/>"#
    }
}

/// A number with at most two decimals.
private func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
}
