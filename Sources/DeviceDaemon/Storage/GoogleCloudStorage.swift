import DeviceKit
import StorageBackends

private let bucket = Option("bucket", .text, "the bucket; it has to be there")
private let prefix = Option("prefix", .text, default: "", "what comes before each name, as in cameras/")
private let credentials = Option(
    "credentials", .text, "the name of a credential: the JSON key file of a service account; see docs/storage.md")
private let database = Option(
    "database", OptionKind<String>.httpURL,
    "the Realtime Database, and where in it, as in https://porch-default-rtdb.firebaseio.com/events")
private let endpoint = Option(
    "endpoint", OptionKind<String>.endpointURL, default: "", "another server than Google's, for tests")

let googleCloudStorage = StorageKind(
    BackendDescription(
        name: "google-cloud", summary: "a bucket of Google Cloud Storage",
        options: [bucket.description, prefix.description, credentials.description, endpoint.description]
            + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    return try GoogleCloudBackend(
        name: storage.name, try settings(storage, context), account: try account(options[credentials]),
        connection: try ConnectionOptions.settings(options), loop: context.loop)
}

let firebaseStorage = StorageKind(
    BackendDescription(
        name: "firebase", summary: "Firebase: events in the Realtime Database, their files in Firebase Storage",
        options: [
            database.description, bucket.description, prefix.description, credentials.description, endpoint.description,
        ] + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    return try FirebaseBackend(
        name: storage.name, database: try options[database], try settings(storage, context),
        account: try account(options[credentials]), connection: try ConnectionOptions.settings(options),
        loop: context.loop)
}

private func settings(_ storage: StorageConfiguration, _ context: StorageContext) throws -> GoogleCloudSettings {
    var settings = GoogleCloudSettings(bucket: try storage.options[bucket])
    settings.prefix = try storage.options[prefix]
    if case let server = try storage.options[endpoint], !server.isEmpty { settings.endpoint = server }
    settings.resumeFile = context.resolve("uploads/\(storage.name)")
    return settings
}

private func account(_ name: String) throws -> ServiceAccount {
    guard let account = ServiceAccount(file: try Credential.text(name)) else {
        throw Credential.Unusable(name: name, expected: "the JSON key file of a service account, with an RSA key")
    }
    return account
}
