import DeviceKit
import StorageBackends

private let url = Option(
    "url", OptionKind<String>.httpURL,
    "a folder that is there, as in https://cloud.example/remote.php/dav/files/porch/Photos")
private let digest = Option(
    "authentication", .choice(["basic": false, "digest": true]), default: "basic",
    "how the login is sent: as it is, or as an answer to a challenge")

let webDAVStorage = StorageKind(
    BackendDescription(
        name: "webdav", summary: "a WebDAV server: Nextcloud, Apache, nginx, a NAS",
        options: [url.description] + LoginOptions.descriptions + [digest.description] + ConnectionOptions.descriptions)
) { storage, context in
    let options = storage.options
    return try WebDAVBackend(
        name: storage.name, url: try options[url],
        credentials: try LoginOptions.credentials(options, answersChallenges: try options[digest]),
        connection: try ConnectionOptions.settings(options), loop: context.loop)
}
