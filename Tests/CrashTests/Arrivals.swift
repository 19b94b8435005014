import DeviceRuntime

/// What lies in a directory backend's folder.
struct Arrivals {
    /// The identifiers of the records, as in `porch/1dea0042/00000017`.
    private(set) var records: Set<String> = []
    /// Their sequence numbers, sorted, doubles included.
    private(set) var sequences: [Int64] = []
    private(set) var missingPayloads: [String] = []
    private(set) var payloadCount = 0
    /// Files that are neither a record nor a payload.
    private(set) var unfinished: [String] = []

    init(_ root: String) throws {
        var payloads: Set<String> = []
        var wanted: [String] = []
        let device = "porch"
        try Files.forEachEntry(of: "\(root)/\(device)") { identity in
            try Files.forEachEntry(of: "\(root)/\(device)/\(identity)") { file in
                let name = "\(device)/\(identity)/\(file)"
                if file.hasSuffix(".png") {
                    payloads.insert(name)
                } else if file.hasSuffix(".json"), !file.hasPrefix(".") {
                    let digits = file.prefix { $0 != "-" }
                    records.insert("\(device)/\(identity)/\(digits)")
                    sequences.append(Int64(digits) ?? -1)
                    let text = String(decoding: try Files.read("\(root)/\(name)"), as: UTF8.self)
                    if text.contains(#""payload":{"mediaType""#) { wanted.append(name.dropLast(4) + "png") }
                } else {
                    unfinished.append(name)
                }
            }
        }
        sequences.sort()
        payloadCount = payloads.count
        missingPayloads = wanted.filter { !payloads.contains($0) }
    }
}
