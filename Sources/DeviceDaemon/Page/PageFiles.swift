import StorageBackends
import WebServing

/// What the page is made of. All of it is in the program: it needs no network and no folder.
struct PageFiles: Sendable {
    private struct File: Sendable {
        let mediaType: String
        let bytes: [UInt8]
        let compressed: [UInt8]?
    }

    private let files: [String: File]

    init() {
        let texts: [(path: String, mediaType: String, bytes: [UInt8])] = [
            ("/", "text/html; charset=utf-8", PackageResources.page_html),
            ("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
            ("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
        ]
        files = Dictionary(
            texts.map { text in
                let compressed = ContentCoding.gzip.compressed(text.bytes)
                return (text.path, File(mediaType: text.mediaType, bytes: text.bytes, compressed: compressed))
            }, uniquingKeysWith: { $1 })
    }

    func answer(_ request: WebRequest) -> WebResponse? {
        guard let file = files[request.path] else { return nil }
        let takesGzip = request.headers["accept-encoding"]?.contains("gzip") == true
        guard takesGzip, let compressed = file.compressed else { return WebResponse(file.mediaType, file.bytes) }
        return WebResponse(
            file.mediaType, compressed, headers: [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")])
    }
}

extension WebResponse {
    /// Nothing but what is served here is loaded, run or asked, and nobody puts it into a frame.
    private static let safety = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-cache"),
    ]
    /// A drawing has its colours in itself.
    private static let safetyOfDrawing =
        [
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        ] + safety.dropFirst()

    static let drawingType = "image/svg+xml"

    init(_ mediaType: String, _ bytes: [UInt8], status: Int = 200, headers: [(String, String)] = []) {
        let safety = mediaType == Self.drawingType ? Self.safetyOfDrawing : Self.safety
        self.init(
            status: status, headers: ([("Content-Type", mediaType)] + safety + headers).map { (name: $0, value: $1) },
            body: bytes)
    }

    /// One line.
    static func text(_ status: Int, _ text: String) -> WebResponse {
        WebResponse("text/plain; charset=utf-8", Array("\(text)\n".utf8), status: status)
    }
}
