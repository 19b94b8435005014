/// Where the page is served, and who may command through it.
public struct PageConfiguration: Sendable, Hashable {
    /// At `127.0.0.1`; 0 takes a free one.
    public var port: UInt16
    /// The name of the credential that a command has to show; `nil` for none.
    public var token: String?

    /// `127.0.0.1:8420`; `nil` for anything else, also what other machines could reach.
    static func port(of text: String) -> UInt16? {
        for host in ["127.0.0.1:", "localhost:"] where text.hasPrefix(host) {
            return UInt16(text.dropFirst(host.count))
        }
        return nil
    }
}
