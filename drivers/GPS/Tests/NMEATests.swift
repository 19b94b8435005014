import DeviceRuntime
import Testing

@testable import GPSDriver

/// Frames a sentence's body.
func nmea(_ body: String) -> [UInt8] {
    let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r".utf8)
}

@Suite("NMEA sentences")
struct NMEATests {
    @Test("A sentence of the standard's example is taken apart")
    func example() throws {
        let line = Array("$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r".utf8)
        let sentence = try #require(NMEASentence(line))
        #expect(sentence.talker == "GP")
        #expect(sentence.type == "RMC")
        #expect(sentence.fields.count == 11)
        #expect(sentence.degrees(2, ("N", "S"), limit: 90) == 48.1173)
        #expect(sentence.degrees(4, ("E", "W"), limit: 180) == 11.5166667)
        #expect(sentence.number(6) == 22.4)
        #expect(sentence.field(11) == nil)
    }

    @Test("A maker's own sentence has its own type")
    func proprietary() {
        #expect(NMEASentence(nmea("PMTK001,604,3"))?.type == "PMTK001")
    }

    @Test(
        "What is not whole is not believed",
        arguments: [
            "", "$", "$*00", "$GPRMC", "$GPRMC*4B ", "GPRMC,1*00", "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4*6A",
            "$GPRMC,1234$GPRMC,1*2A", "$GPGGA,,,,,,0,,,,,,,,*6", "$GPGGA,,,,,,0,,,,,,,,*ZZ", "$GPGGA,,,,,,0,,,,,,,,*67",
            "$GP*17", "$GPGGA,\u{01}*00", "garbage",
        ])
    func damaged(text: String) {
        #expect(NMEASentence(Array(text.utf8)) == nil)
    }

    @Test("No change of one byte passes the checksum, and no cut")
    func everyDamage() {
        let line = nmea("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
        #expect(NMEASentence(line) != nil)
        for place in line.indices.dropLast() {
            for bit in 0..<7 {
                var other = line
                other[place] ^= 1 << UInt8(bit)
                // The checksum's letters may be small.
                let isCase = bit == 5 && place >= line.count - 3 && other[place] > UInt8(ascii: "9")
                #expect(NMEASentence(other) == nil || isCase, "\(String(decoding: other, as: UTF8.self))")
            }
            #expect(NMEASentence(Array(line[..<place])) == nil)
            if place > 0 { #expect(NMEASentence(Array(line[place...])) == nil) }
        }
    }

    @Test(
        "A place on the earth is degrees, minutes and a half",
        arguments: [
            ("4807.038,N", 90, 48.1173), ("4807.038,S", 90, -48.1173), ("0000.000,N", 90, 0), ("9000.000,N", 90, 90),
            ("9000.001,N", 90, nil), ("4860.000,N", 90, nil), ("4807.038,E", 90, nil), ("4807.038,", 90, nil),
            (",N", 90, nil), ("-4807.038,N", 90, nil), ("nan,N", 90, nil), ("inf,N", 90, nil), ("1e300,N", 90, nil),
            ("x,N", 90, nil),
        ] as [(String, Double, Double?)])
    func degrees(text: String, limit: Double, expected: Double?) {
        #expect(NMEASentence(nmea("GPGLL,\(text)"))?.degrees(0, ("N", "S"), limit: limit) == expected)
    }
}

@Suite("What a receiver says of one moment")
struct GPSMomentTests {
    static let rmc = "GPRMC,120000.00,A,5231.000,N,01322.000,E,10.0,84.4,150626,,,A"
    static let gga = "GPGGA,120000.00,5231.000,N,01322.000,E,1,08,0.9,34.5,M,44.6,M,,"
    static let place = GPSPosition(latitude: 52.5166667, longitude: 13.3666667)

    /// What the sentences come to, one after the other.
    static func outcomes(_ bodies: [String]) throws -> [GPSMoment.Outcome] {
        var moment = GPSMoment()
        var outcomes: [GPSMoment.Outcome] = []
        for body in bodies {
            let sentence = try #require(NMEASentence(nmea(body)))
            if let outcome = moment.add(sentence) { outcomes.append(outcome) }
        }
        return outcomes
    }

    @Test("Both sentences together are one position, in either order")
    func together() throws {
        var whole = Self.place
        (whole.altitude, whole.satellites, whole.dilution) = (34.5, 8, 0.9)
        (whole.speed, whole.course) = (5.14, 84.4)
        whole.time = WallTime("2026-06-15T12:00:00.000Z")
        #expect(try Self.outcomes([Self.rmc, Self.gga]) == [.known(whole)])
        #expect(try Self.outcomes([Self.gga, Self.rmc]) == [.known(whole)])
        #expect(try Self.outcomes([Self.gga, "GPGSA,A,2,,,,,,,,,,,,,1,1,1", Self.rmc]).count == 1)
    }

    @Test("A receiver that sends one of them only is understood when the next moment begins")
    func alone() throws {
        let next = Self.rmc.replacing("120000.00", with: "120001.00")
        let outcomes = try Self.outcomes([Self.rmc, next, next.replacing("120001.00", with: "120002.00")])
        #expect(outcomes.count == 2)
        guard case .known(let position)? = outcomes.first else {
            Issue.record("no position")
            return
        }
        #expect(position.altitude == nil)
        #expect(position.speed == 5.14)
    }

    @Test(
        "Whatever says that it does not know makes it unknown",
        arguments: [
            [rmc.replacing(",A,52", with: ",V,52"), gga], [rmc, gga.replacing(",E,1,", with: ",E,0,")],
            [rmc, gga.replacing(",E,1,", with: ",E,6,")], [rmc.replacing(",,,A", with: ",,,E"), gga],
            [rmc.replacing(",,,A", with: ",,,N"), gga], ["GPGSA,A,1,,,,,,,,,,,,,,,", rmc, gga],
            [rmc.replacing("5231.000", with: ""), gga], [rmc.replacing("5231.000", with: "9931.000"), gga],
            ["GPRMC,120000.00,V,,,,,,,150626,,,N", "GPGGA,120000.00,,,,,0,00,99.99,,,,,,"],
            // Without a time each is a moment of its own.
            ["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,"],
        ])
    func unknown(bodies: [String]) throws { #expect(try Self.outcomes(bodies) == [.unknown]) }

    @Test("In two dimensions the altitude is an old one, and left out")
    func twoDimensions() throws {
        guard case .known(let position)? = try Self.outcomes(["GPGSA,A,2,,,,,,,,,,,,,1,1,1", Self.rmc, Self.gga]).first
        else {
            Issue.record("no position")
            return
        }
        #expect(position.altitude == nil)
        #expect(position.satellites == 8)
    }

    @Test(
        "A date that is none, or too early to be true, is left out",
        arguments: [
            ("150626", true), ("311299", true), ("150606", false), ("320126", false), ("", false), ("xx", false),
        ])
    func dates(date: String, isTrue: Bool) throws {
        let outcome = try Self.outcomes([Self.rmc.replacing("150626", with: date), Self.gga]).first
        guard case .known(let position)? = outcome else {
            Issue.record("no position")
            return
        }
        #expect((position.time != nil) == isTrue)
    }

    @Test(
        "Distances along the ground",
        arguments: [
            // One minute of latitude is 1853 m on this sphere, a nautical mile.
            ((52.0, 13.0), (52.0 + 1.0 / 60, 13.0), 1853.25), ((0, 0), (0, 1), 111_195), ((60, 10), (60, 11), 55_597),
            ((-33.8568, 151.2153), (-33.8523, 151.2108), 651), ((0, 179.999), (0, -179.999), 222),
        ] as [((Double, Double), (Double, Double), Double)])
    func distance(from: (Double, Double), to: (Double, Double), metres: Double) {
        let (first, second) = (
            GPSPosition(latitude: from.0, longitude: from.1), GPSPosition(latitude: to.0, longitude: to.1)
        )
        #expect(abs(first.distance(to: second) - metres) < max(metres * 0.001, 0.5))
    }
}
