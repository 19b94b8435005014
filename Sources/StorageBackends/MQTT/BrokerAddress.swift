internal import CCurl

/// Where a broker listens: `mqtt://broker.local`, `mqtts://broker.local:8884`.
public struct BrokerAddress: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: UInt16
    /// By TLS.
    public let isSecure: Bool

    /// The registered ports (IANA: mqtt and secure-mqtt).
    private static let ports: (plain: UInt16, secure: UInt16) = (1883, 8883)

    /// Reads an address; `nil` for anything else, one with a login or a path included: a login would be shown in
    /// messages.
    public init?(_ text: String) {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            let scheme = url.part(CURLUPART_SCHEME), let host = url.part(CURLUPART_HOST), !host.isEmpty,
            [nil, "/"].contains(url.part(CURLUPART_PATH)),
            [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT].allSatisfy({
                url.part($0) == nil
            })
        else { return nil }
        switch scheme {
        case "mqtt": isSecure = false
        case "mqtts": isSecure = true
        default: return nil
        }
        // An IPv6 address stands in brackets in a URL alone.
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard let port = url.part(CURLUPART_PORT) else {
            self.port = isSecure ? Self.ports.secure : Self.ports.plain
            return
        }
        guard let number = UInt16(port), number > 0 else { return nil }
        self.port = number
    }

    /// With the port: `mqtts://broker.local:8883`
    public var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension OpaquePointer {
    /// A part of a parsed URL.
    fileprivate func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(self, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
