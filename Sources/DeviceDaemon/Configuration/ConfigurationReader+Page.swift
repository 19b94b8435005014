internal import DeviceKit

/// The options of `page:`.
private enum PageOptions {
    static let listen = Option(
        "listen", OptionKind<String>.text, default: "127.0.0.1:8420", "where it is served, on this machine alone")
    static let token = Option(
        "token", OptionKind<String>.text, default: "", "the name of a credential that commands have to show")
    static let table = [listen.description, token.description]
}

extension ConfigurationReader {
    /// `page: { listen: 127.0.0.1:8420, token: page-token }`
    mutating func page(_ node: YAMLNode) -> PageConfiguration? {
        guard let entries = mapping(node, "a mapping, such as { listen: 127.0.0.1:8420 }") else { return nil }
        let reading = options(entries, PageOptions.table, "option", of: "page", at: node.position)
        guard reading.isValid, let listen = try? reading.values[PageOptions.listen],
            let token = try? reading.values[PageOptions.token]
        else { return nil }
        guard let port = PageConfiguration.port(of: listen) else {
            diagnostics.report(
                reading.positions["listen"] ?? node.position,
                "listen: expected an address of this machine alone, such as 127.0.0.1:8420; found \(quoted(listen)); "
                    + "for others, put a server with TLS and a login before it (docs/page.md)")
            return nil
        }
        return PageConfiguration(port: port, token: token.isEmpty ? nil : token)
    }
}
