import WebServing

/// Which requests are answered: decided from the request alone.
///
/// Programs of this machine may look. A web site that somebody visits with a browser of this machine may not: neither by
/// a name of its own that leads here (the Host header tells), nor by a form or a script (the browser says where it is
/// from, and lets no other site's script send a header of ours without asking, which is not answered).
struct PageGuard: Sendable {
    /// What a command has to show; `nil` for nothing.
    let token: String?
    /// Whether commands are carried out at all.
    let allowsCommands: Bool

    /// Where commands go.
    static let commandPath = "/api/ask"

    /// Why a request is not answered; `nil` if it is.
    func refusal(of request: WebRequest) -> (status: Int, reason: String)? {
        guard let host = request.headers["host"], Self.isLocal(host) else {
            return (421, "this is not the host that is asked for; use 127.0.0.1 or localhost")
        }
        switch (request.method, request.path) {
        case ("POST", Self.commandPath): return refusalOfCommand(request, host)
        case (_, Self.commandPath): return (405, "commands are sent with POST")
        case ("GET", _), ("HEAD", _): return nil
        default: return (405, "only GET is understood here")
        }
    }

    private func refusalOfCommand(_ request: WebRequest, _ host: String) -> (status: Int, reason: String)? {
        let headers = request.headers
        guard headers["x-perch"] == "1" else { return (403, "a command has the header X-Perch: 1") }
        if let origin = headers["origin"], origin != "http://\(host)" { return (403, "another site may not command") }
        if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
            return (403, "another site may not command")
        }
        guard allowsCommands else {
            return (403, "commands need 'token' in the configuration's 'page', or a simulated board")
        }
        guard let token else { return nil }
        guard let given = headers["authorization"], Self.isSame(given, "Bearer \(token)") else {
            return (401, "a command has the header Authorization: Bearer, with the token")
        }
        return nil
    }

    /// `localhost:8420`, by whatever port: it may be forwarded.
    private static func isLocal(_ host: String) -> Bool {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return hosts.contains(host) }
        return hosts.contains(String(host[..<colon])) && UInt16(host[host.index(after: colon)...]) != nil
    }

    private static let hosts: Set = ["127.0.0.1", "localhost", "[::1]"]

    /// Takes as long for a token that is nearly right as for any other.
    private static func isSame(_ given: String, _ wanted: String) -> Bool {
        let (given, wanted) = (Array(given.utf8), Array(wanted.utf8))
        var difference: UInt8 = given.count == wanted.count ? 0 : 1
        for (index, byte) in wanted.enumerated() { difference |= byte ^ (index < given.count ? given[index] : 0) }
        return difference == 0
    }
}
