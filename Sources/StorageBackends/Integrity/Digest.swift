internal import CCrypto

/// Hashes with OpenSSL's libcrypto, which is there already: libcurl stands on it.
enum Digest {
    enum Algorithm: Sendable {
        case md5
        case sha256
    }

    /// Throws ``DigestUnavailable`` for MD5 where the system's policy forbids it (FIPS).
    static func of(_ bytes: [UInt8], _ algorithm: Algorithm) throws -> [UInt8] {
        let context = try DigestContext(algorithm)
        bytes.withUnsafeBytes { context.update($0) }
        return context.finish()
    }

    static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var length: UInt32 = 0
        return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            HMAC(EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}

/// One hash that is being computed.
final class DigestContext {
    private let context: OpaquePointer

    init(_ algorithm: Digest.Algorithm) throws {
        guard let context = EVP_MD_CTX_new() else { throw DigestUnavailable() }
        self.context = context
        guard EVP_DigestInit_ex(context, algorithm == .md5 ? EVP_md5() : EVP_sha256(), nil) == 1 else {
            throw DigestUnavailable()
        }
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    func finish() -> [UInt8] {
        var length: UInt32 = 0
        return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}

struct DigestUnavailable: Error, CustomStringConvertible {
    var description: String { "libcrypto does not compute this hash: out of memory, or forbidden by its policy" }
}
