import DeviceKit
import StorageBackends

private let url = Option(
    "url", OptionKind<String>.httpURL, "where to; the object's name is appended, as in https://nas.local/porch")

let httpStorage = StorageKind(
    BackendDescription(
        name: "http", summary: "a server that takes files by HTTP PUT: nginx, a web service of your own",
        options: [url.description] + LoginOptions.descriptions + ConnectionOptions.descriptions)
) { storage, context in
    try HTTPBackend(
        name: storage.name, url: try storage.options[url], credentials: try LoginOptions.credentials(storage.options),
        connection: try ConnectionOptions.settings(storage.options), loop: context.loop)
}
