import DeviceRuntime

/// Where the receiver is, with what it knows about it.
struct GPSPosition: Equatable {
    /// North is positive.
    var latitude: Double
    /// East is positive.
    var longitude: Double
    /// In metres above the sea; unknown with a fix of two dimensions, where receivers hold an old one.
    var altitude: Double?
    /// In metres per second.
    var speed: Double?
    /// Degrees from north, clockwise; means nothing while it stands.
    var course: Double?
    var satellites: Int?
    /// How much the satellites' places in the sky spoil the position, horizontally: 1 is ideal, above 5 is poor.
    var dilution: Double?
    /// By the satellites' clocks, in UTC.
    var time: WallTime?

    /// In metres, along the ground; good enough for less than some hundred kilometres.
    func distance(to other: GPSPosition) -> Double {
        // The mean radius of the earth is 6,371,008.8 m (IUGG).
        let perDegree = 111_195.08
        var east = other.longitude - longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        let middle = (latitude + other.latitude) / 2
        let (x, y) = (east * Self.cosine(degrees: middle) * perDegree, (other.latitude - latitude) * perDegree)
        return (x * x + y * y).squareRoot()
    }

    /// By its series, from -90 to 90 degrees to four digits.
    private static func cosine(degrees: Double) -> Double {
        let x = degrees * Double.pi / 180
        let square = x * x
        return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
    }
}

/// Which positions are told.
struct GPSPositionFilter {
    let interval: Duration
    /// In metres; with zero the interval alone decides.
    let distance: Double
    /// Told at least so often, however little it moved.
    let longestSilence: Duration
    private var told: (position: GPSPosition, time: Duration)?

    init(interval: Duration, distance: Double, longestSilence: Duration) {
        self.interval = interval
        self.distance = distance
        self.longestSilence = longestSilence
    }

    mutating func shouldTell(_ position: GPSPosition, at now: Duration, isAsked: Bool) -> Bool {
        if let told, !isAsked {
            let silence = now - told.time
            // A receiver's second is not quite the clock's.
            guard silence >= interval - .milliseconds(500) else { return false }
            guard silence >= longestSilence || told.position.distance(to: position) >= distance else { return false }
        }
        told = (position, now)
        return true
    }
}
