/// A sentence of NMEA 0183: `$GPRMC,…*5A`.
struct NMEASentence: Equatable {
    /// What it is about, without who talks: `RMC`. Of a maker's own sentence all of it: `PMTK001`.
    let type: String
    /// Who talks: `GP` for GPS, `GL` for GLONASS, `GN` for several together.
    let talker: String
    /// Empty where the receiver does not know.
    let fields: [String]

    /// `nil` unless it is whole: from the dollar sign to the two digits of its checksum, which is right.
    init?(_ line: some Collection<UInt8>) {
        var bytes = Array(line)
        if bytes.last == 0x0D { bytes.removeLast() }
        guard bytes.count >= 9, bytes.first == UInt8(ascii: "$"), bytes[bytes.count - 3] == UInt8(ascii: "*"),
            let expected = UInt8(String(decoding: bytes.suffix(2), as: UTF8.self), radix: 16)
        else { return nil }
        let body = bytes[1..<bytes.count - 3]
        // A second dollar sign is the beginning of another sentence, whose line end was lost.
        guard body.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "$") }),
            body.reduce(0, ^) == expected
        else { return nil }
        var parts = String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
        let address = parts.removeFirst()
        guard address.utf8.count >= 5 || address.hasPrefix("P") else { return nil }
        (talker, type) =
            address.hasPrefix("P") ? ("P", address) : (String(address.prefix(2)), String(address.dropFirst(2)))
        fields = parts
    }

    /// The field at a place; `nil` if it is empty or missing.
    func field(_ place: Int) -> String? {
        guard fields.indices.contains(place), !fields[place].isEmpty else { return nil }
        return fields[place]
    }

    func number(_ place: Int) -> Double? { field(place).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    func integer(_ place: Int) -> Int? { field(place).flatMap { Int($0) } }

    /// A latitude or longitude in degrees, written as `4807.038,N`: degrees and minutes, and the half of the earth.
    /// `nil` if it is no place on it.
    func degrees(_ place: Int, _ halves: (positive: String, negative: String), limit: Double) -> Double? {
        guard let text = field(place), let half = field(place + 1), let number = Double(text), number >= 0 else {
            return nil
        }
        let whole = (number / 100).rounded(.down)
        let minutes = number - whole * 100
        let degrees = whole + minutes / 60
        guard minutes < 60, degrees <= limit else { return nil }
        // Ten thousandths of a minute are what receivers give: 18 cm, here kept to 1 cm.
        let rounded = (degrees * 1e7).rounded() / 1e7
        return half == halves.positive ? rounded : half == halves.negative ? -rounded : nil
    }
}
