import DeviceKit
import StorageBackends

private let path = Option("path", .text, "the folder; a relative one is below the state directory")

let directoryStorage = StorageKind(
    BackendDescription(
        name: "directory", summary: "a folder: on a USB stick, a network share, or the card itself",
        options: [path.description])
) { storage, context in
    try DirectoryBackend(name: storage.name, path: context.resolve(try storage.options[path]), loop: context.loop)
}
