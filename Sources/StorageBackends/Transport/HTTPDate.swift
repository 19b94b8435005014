internal import CCurl

/// Points in time as HTTP writes them (RFC 9110, 5.6.7).
enum HTTPDate {
    /// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for anything else.
    static func seconds(_ text: String) -> Int? {
        let time = curl_getdate(text, nil)
        return time < 0 ? nil : time
    }

    /// Reads `Retry-After` (10.2.3): a number of seconds, or a date: that is taken relative to the server's own
    /// `Date`, because a board without a battery clock may not know what day it is. `nil` for anything else; zero
    /// for what has passed.
    static func retryAfter(_ text: String, date: String?) -> Duration? {
        if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 86400 * 365)) : nil }
        guard let date, let then = seconds(text), let now = seconds(date) else { return nil }
        return .seconds(max(0, then - now))
    }
}
