import DeviceKit
import StorageBackends

private let bucket = Option("bucket", .text, "the bucket; it has to be there")
private let region = Option("region", .text, default: "us-east-1", "the region that is signed for; R2 wants auto")
private let endpoint = Option(
    "endpoint", OptionKind<String>.endpointURL, default: "",
    "the server, as in https://minio.local:9000; without it AWS in the region")
private let addressing = Option(
    "addressing",
    .choice(Dictionary(uniqueKeysWithValues: S3Settings.Addressing.allCases.map { ($0.rawValue, $0) })),
    default: "automatic",
    "whether the bucket stands in the path or in the server's name; automatic: in the name for AWS, else in the path")
private let prefix = Option("prefix", .text, default: "", "what comes before each name, as in cameras/")
private let storageClass = Option(
    "storage-class", .text, default: "", "the class of what is stored, as in STANDARD_IA; without it the bucket's own")
private let credentials = Option(
    "credentials", .text, "the name of a credential in the format of ~/.aws/credentials; see docs/storage.md")

let s3Storage = StorageKind(
    BackendDescription(
        name: "s3", summary: "a bucket on AWS, MinIO, Ceph, Garage, R2 or another S3 server",
        options: [
            bucket.description, region.description, endpoint.description, addressing.description, prefix.description,
            storageClass.description, credentials.description,
        ] + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    let name = try options[credentials]
    guard let keys = AccessKeys(file: try Credential.text(name)) else {
        throw Credential.Unusable(
            name: name, expected: "lines such as aws_access_key_id = AKIA… and aws_secret_access_key = …")
    }
    let server = try options[endpoint]
    var settings = S3Settings(
        endpoint: server.isEmpty ? nil : server, bucket: try options[bucket], region: try options[region],
        addressing: try options[addressing])
    settings.prefix = try options[prefix]
    if case let name = try options[storageClass], !name.isEmpty { settings.storageClass = name }
    return try S3Backend(
        name: storage.name, settings, keys: keys, connection: try ConnectionOptions.settings(options),
        loop: context.loop)
}

extension OptionKind<String> {
    /// The address of a server, or nothing.
    static var endpointURL: OptionKind {
        OptionKind("an http or https URL without login, query or fragment, such as https://minio.local:9000") { input in
            guard case .scalar(let text) = input, text.isEmpty || ServerURL.isValid(text) else { return nil }
            return text
        }
    }
}
