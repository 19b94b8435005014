internal import CCrypto

/// A private RSA key that signs. Shows itself in no description or mirror.
///
/// Unchecked: libcrypto's keys may be used from several threads as long as nobody changes them.
final class SigningKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    private let key: OpaquePointer

    /// Reads a key in PEM format. `nil` for anything else.
    init?(pem: String) {
        let bytes = Array(pem.utf8)
        guard let source = BIO_new_mem_buf(bytes, Int32(clamping: bytes.count)) else { return nil }
        defer { BIO_free(source) }
        // An encrypted key would be asked for at the terminal: with a passphrase given, it is not.
        var empty: [CChar] = [0]
        guard let key = PEM_read_bio_PrivateKey(source, nil, nil, &empty) else {
            ERR_clear_error()
            return nil
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// RSASSA-PKCS1-v1_5 with SHA-256: RS256 of RFC 7518, 3.3. `nil` when the key cannot.
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &length, bytes, bytes.count) == 1
        else {
            ERR_clear_error()
            return nil
        }
        let signature = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = EVP_DigestSign(context, buffer.baseAddress, &length, bytes, bytes.count) == 1 ? length : 0
        }
        return signature.isEmpty ? nil : signature
    }

    var description: String { "a private key" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
