import DeviceKit
import StorageBackends

private let url = Option("url", OptionKind<String>.endpoint, "where to: a whole address, with a query if it needs one")
private let secretPath = Option(
    "secret-path", .text, default: "", "the name of a credential with the secret end of the address, as a chat's has it"
)
private let format = Option(
    "format", .choice(["json": false, "ndjson": true]), default: "json",
    "a record in each request, or up to 500, one to a line (ndjson)")
private let template = Option(
    "template", OptionKind<BodyTemplate?>.template, default: "",
    "the body in words of your own, with ${part}, ${event}, ${time}, ${fields.NAME} … for a record's; see docs/storage.md"
)
private let contentType = Option(
    "content-type", OptionKind<String>.mediaType, default: "application/json", "of the template")
private let signature = Option(
    "signature", .text, default: "", "the name of a credential with the key that signs each body (HMAC-SHA256)")
private let signatureHeader = Option(
    "signature-header", OptionKind<String>.headerName, default: "X-Hub-Signature-256", "the header with the signature")
private let expectation = Option(
    "expect", .text, default: "", "what the answer has to contain; otherwise its status alone counts")

let httpPostStorage = StorageKind(
    BackendDescription(
        name: "http-post",
        summary: "an address that takes records by HTTP POST: a web service of your own, Home Assistant, ntfy, a chat",
        options: [
            url.description, secretPath.description, format.description, template.description,
            contentType.description, signature.description, signatureHeader.description, expectation.description,
        ] + LoginOptions.descriptions + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    var post = HTTPPostBackend.Options(format: try options[format] ? .lines : .json)
    if let template = try options[template] {
        post.format = .template(template, contentType: try options[contentType])
    }
    if case let name = try options[signature], !name.isEmpty {
        let key = Array(try Credential.read(name).utf8)
        guard let signature = BodySignature(header: try options[signatureHeader], key: key) else {
            throw Credential.Unusable(name: name, expected: "a key on its first line")
        }
        post.signature = signature
    }
    if case let text = try options[expectation], !text.isEmpty { post.expectation = text }
    if case let name = try options[secretPath], !name.isEmpty { post.secretPath = try Credential.read(name) }
    var connection = try ConnectionOptions.settings(options)
    connection.compression = .automatic
    return try HTTPPostBackend(
        name: storage.name, url: try options[url], options: post, credentials: try LoginOptions.credentials(options),
        connection: connection, loop: context.loop)
}

extension OptionKind<String> {
    /// A whole address.
    static var endpoint: OptionKind {
        OptionKind("an http or https URL without a login or a fragment, such as https://api.local/events?source=porch")
        {
            guard case .scalar(let text) = $0, HTTPPostBackend.isValid(text) else { return nil }
            return text
        }
    }

    static var headerName: OptionKind {
        OptionKind("the name of a header, such as X-Signature") { input in
            guard case .scalar(let text) = input, BodySignature.isHeader(text) else { return nil }
            return text
        }
    }

    static var mediaType: OptionKind {
        OptionKind("a media type, such as application/json or text/plain; charset=utf-8") { input in
            guard case .scalar(let text) = input, text.contains("/") else { return nil }
            return text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
        }
    }
}

extension OptionKind<BodyTemplate?> {
    /// Empty for none.
    static var template: OptionKind {
        let names = BodyTemplate.names.map { "${\($0)}" }.joined(separator: ", ")
        return OptionKind("a text in which \(names) and ${fields.NAME} may stand") { input in
            guard case .scalar(let text) = input else { return nil }
            if text.isEmpty { return .some(nil) }
            return BodyTemplate(text).map { .some($0) }
        }
    }
}
