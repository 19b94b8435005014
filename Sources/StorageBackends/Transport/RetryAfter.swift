internal import CCurl

/// The header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
    /// Reads a number of seconds, or a date: that is taken relative to the server's own `Date`, because a board
    /// without a battery clock may not know what day it is. `nil` for anything else; zero for what has passed.
    static func parse(_ text: String, date: String?) -> Duration? {
        if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 86400 * 365)) : nil }
        guard let date, let then = time(text), let now = time(date) else { return nil }
        return .seconds(max(0, then - now))
    }

    private static func time(_ text: String) -> Int? {
        let time = curl_getdate(text, nil)
        return time < 0 ? nil : time
    }
}
