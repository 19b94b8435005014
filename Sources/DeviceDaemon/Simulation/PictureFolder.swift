import DeviceRuntime
import SimulatedPeripherals

/// Keeps what parts look like, in a folder for each: `sign/00.01.31.760781.svg`, at each change.
final class PictureFolder: Sendable {
    private let path: String
    private let parts: [String: any SimulatedPart]
    private let state: Protected<(last: [String: String], failure: (any Error)?)> = Protected(([:], nil))

    init(_ path: String, of world: SimulatedWorld) {
        self.path = path
        parts = Dictionary(world.parts.map { ($0.name, $0.part) }, uniquingKeysWith: { first, _ in first })
    }

    /// Something happened: looks whether the part that it happened to looks different now.
    func look(_ entry: Trace.Entry) {
        guard !entry.isWire, let picture = parts[entry.source]?.picture else { return }
        let isNew = state.withLock { $0.last.updateValue(picture, forKey: entry.source) != picture }
        guard isNew else { return }
        let folder = "\(path)/\(entry.source)"
        let time = entry.description.prefix { $0 != " " }.map { $0 == ":" ? "." : String($0) }.joined()
        do {
            try Files.makeDirectory(folder)
            try Files.write(Array(picture.utf8), to: "\(folder)/\(time).svg")
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    /// Throws what kept a picture from being written, if something did.
    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
