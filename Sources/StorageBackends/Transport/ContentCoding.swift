/// Whether what is sent may be compressed.
public enum CompressionPolicy: String, Sendable, Hashable, CaseIterable {
    /// As it is.
    case none
    /// Once the server has said what it takes: with `Accept-Encoding` in an answer (RFC 9110, 12.5.3).
    case automatic
    /// gzip from the beginning, or zstd once the server says that it takes it.
    case gzip
}

/// A way to make a body smaller, by its name in HTTP.
package enum ContentCoding: String, Sendable {
    case gzip
    case zstd
}

/// Which content coding a server gets: decided by what it says, one answer after the other.
struct ContentCodingStateMachine: Sendable {
    private let policy: CompressionPolicy
    /// What to send now; `nil` is as it is.
    private(set) var coding: ContentCoding?

    init(_ policy: CompressionPolicy) {
        self.policy = policy
        coding = policy == .gzip ? .gzip : nil
    }

    /// Takes in an answer to a request whose body had `sent`. Returns whether the request should be sent again, because
    /// the server does not take that coding.
    mutating func handle(_ response: HTTPResponse, sent: ContentCoding?) -> Bool {
        guard policy != .none else { return false }
        if let accepted = response.headers["accept-encoding"] {
            let names = Self.names(accepted)
            coding = names.contains("zstd") ? .zstd : names.contains("gzip") || names.contains("*") ? .gzip : nil
        } else if response.status == 415 && sent != nil {
            // It does not say what it would take: then nothing.
            coding = nil
        }
        return response.status == 415 && sent != nil && coding != sent
    }

    /// `gzip, zstd;q=0.5, br;q=0` → gzip and zstd.
    private static func names(_ header: String) -> [String] {
        header.lowercased().split(separator: ",").compactMap { entry in
            let parts = entry.split(separator: ";").map { String($0.filter { $0 != " " && $0 != "\t" }) }
            guard let name = parts.first, !name.isEmpty else { return nil }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            return isRefused ? nil : name
        }
    }
}
