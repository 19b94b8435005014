internal import CaptureStore

/// What an S3 server's refusal means. The status alone does not say: a body that arrived damaged, a wrong region and a
/// name that is too long are all 400.
struct S3Answer {
    let response: HTTPResponse
    /// `NoSuchBucket`; empty when the server does not say.
    let code: String
    private let message: String

    init(_ response: HTTPResponse) {
        self.response = response
        let text = XMLText(response.body)
        code = text.value("Code") ?? ""
        message = text.value("Message") ?? ""
    }

    /// Whether the server does not know the condition `If-None-Match`.
    var isUnimplemented: Bool { response.status == 501 || code == "NotImplemented" }

    /// `nil` when the server has done what it was asked to.
    func error(_ destination: String) -> StorageError? {
        // As AWS answers when it has taken long and failed in the end.
        if response.isSuccess && XMLText(response.body).value("Error") != nil {
            return StorageError(
                .temporary(retryAfter: nil), "\(destination) answers \(response.status), but with \(code): \(message)")
        }
        let error = HTTPVerdict.error(
            response, destination: destination, explanation: code.isEmpty ? nil : "\(code): \(message)")
        guard var error, response.status >= 400 else { return error }
        switch code {
        case "BadDigest", "IncompleteBody", "RequestTimeout", "SlowDown", "XAmzContentSHA256Mismatch",
            "XAmzContentChecksumMismatch", "ConditionalRequestConflict", "NoSuchUpload", "OperationAborted":
            error.kind = .temporary(retryAfter: response.retryAfter)
        case "AuthorizationHeaderMalformed", "ExpiredToken", "InvalidToken", "InvalidBucketName", "InvalidRequest",
            "InvalidStorageClass", "MissingSecurityHeader", "IllegalLocationConstraintException":
            error.kind = HTTPVerdict.misconfigured
        default: break
        }
        error.advice = advice ?? error.advice
        return error
    }

    private var advice: String? {
        switch code {
        case "NoSuchBucket": "make the bucket, or check its name and the endpoint"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch": "check the access key, its secret and the region"
        case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException": "check the region"
        case "AccessDenied": "give the key the right to put objects into the bucket"
        case "RequestTimeTooSkewed": "set the board's clock"
        case "ExpiredToken", "InvalidToken": "the session token is no longer valid; give the storage new credentials"
        case "InvalidStorageClass": "check storage-class"
        case "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch":
            "it was damaged on its way and is sent again"
        default: nil
        }
    }
}
