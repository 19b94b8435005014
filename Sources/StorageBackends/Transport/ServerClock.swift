internal import DeviceRuntime

/// A server's clock, as far as it is known from the `Date` of its answers. What is signed with a time has to be signed
/// with the server's, and a board without a battery clock may have another one.
struct ServerClock: Sendable {
    private let own: WallClock
    /// How far the server's clock is ahead of the own one.
    private(set) var offset = Duration.zero

    init(_ own: WallClock) { self.own = own }

    var now: WallTime { WallTime(sinceEpoch: own.now.sinceEpoch + offset) }

    /// Takes over the server's time from an answer that refused the time in a request. Returns whether that makes a
    /// difference, so that trying again may help. `tolerance` is what such servers let pass at the very least.
    mutating func correct(by response: HTTPResponse, tolerance: Duration) -> Bool {
        guard let date = response.headers["date"].flatMap({ HTTPDate.seconds($0) }) else { return false }
        let difference = Duration.seconds(date) - now.sinceEpoch
        guard difference > tolerance || difference < .zero - tolerance else { return false }
        offset += difference
        return true
    }
}
