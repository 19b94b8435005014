import DeviceRuntime
import Testing

@testable import StorageBackends

@Suite("S3 signatures")
struct S3SignatureTests {
    /// The keys and the time of the examples in AWS's documentation, "Signature Calculations for the Authorization
    /// Header".
    private func authorization(
        _ method: String, _ path: String, query: String = "", headers: [String], body: String = ""
    ) throws -> String? {
        let keys = try #require(
            AccessKeys(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let time = try #require(WallTime("2013-05-24T00:00:00.000Z"))
        return try S3Signature(keys: keys, region: "us-east-1").signed(
            method, host: "examplebucket.s3.amazonaws.com", path: path, query: query, headers: headers,
            sha256: try Digest.of(Array(body.utf8), .sha256), at: time
        ).last
    }

    @Test("Signatures are those of AWS's examples")
    func examples() throws {
        let get = try authorization("GET", "/test.txt", headers: ["Range: bytes=0-9"])
        #expect(
            get == "Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        let put = try authorization(
            "PUT", "/test%24file.text",
            headers: ["Date:  Fri, 24 May 2013 00:00:00 GMT ", "x-amz-storage-class: REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.")
        #expect(put?.hasSuffix("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
        let list = try authorization("GET", "/", query: "max-keys=2&prefix=J", headers: [])
        #expect(list?.hasSuffix("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
    }

    @Test("A session's token is sent and signed")
    func token() throws {
        let keys = try #require(AccessKeys(accessKey: "A", secretKey: "B", sessionToken: "C"))
        let headers = try S3Signature(keys: keys, region: "x").signed(
            "GET", host: "h", path: "/", query: "", headers: [], sha256: [], at: WallTime(sinceEpoch: .zero))
        #expect(headers.contains("X-Amz-Security-Token: C"))
        #expect(headers.last?.contains(";x-amz-security-token,") == true)
    }
}
