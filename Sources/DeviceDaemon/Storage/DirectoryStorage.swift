import DeviceKit
import StorageBackends

private let path = Option("path", .text, "the folder; a relative one is below the state directory")

private let mounted = Option(
    "mounted", .choice(["true": true, "false": false]), default: "false",
    "whether the folder has to be a mount point: nothing is written while its stick or share is away")
private let keepFree = Option(
    "keep-free", .size(0...1_000_000_000_000), default: "64MB", "how much room of its file system is left to others")

let directoryStorage = StorageKind(
    BackendDescription(
        name: "directory", summary: "a folder: on a USB stick, a network share, or the card itself",
        options: [path.description, mounted.description, keepFree.description])
) { storage, context in
    let conditions = DirectoryConditions(
        isMounted: try storage.options[mounted], keptFree: try storage.options[keepFree])
    return try DirectoryBackend(
        name: storage.name, path: context.resolve(try storage.options[path]), conditions: conditions, loop: context.loop
    )
}
