extension ConfigurationReader {
    /// Reports every key that is not known. Returns those that were probably meant, so that they are not called
    /// missing as well.
    mutating func reportUnknown(
        _ noun: String, in entries: [YAMLNode.Entry], of owner: String? = nil, known: [String]
    ) -> Set<String> {
        let absent = known.filter { entries[$0] == nil }
        var meant: Set<String> = []
        for entry in entries where !known.contains(entry.key) {
            let subject = unknown(noun, entry.key, of: owner)
            // In braces `pin:GPIO17` is a key without a value.
            if entry.value.isEmpty, let colon = entry.key.firstIndex(of: ":") {
                meant.insert(String(entry.key[..<colon]))
                diagnostics.report(entry.keyPosition, "\(subject); a space is missing after the ':'")
            } else if let name = suggestion(for: entry.key, among: absent) {
                meant.insert(name)
                diagnostics.report(entry.keyPosition, "\(subject); did you mean '\(name)'?")
            } else {
                diagnostics.report(entry.keyPosition, "\(subject); \(listing(known))")
            }
        }
        return meant
    }

    /// Reports a name that is not known, with the one that was probably meant or with those that there are.
    mutating func reportUnknown(
        _ noun: String, _ name: String, of owner: String? = nil, at position: SourcePosition, known: [String]
    ) {
        diagnostics.report(position, "\(unknown(noun, name, of: owner)); \(advice(for: name, among: known))")
    }
}

/// `unknown option 'warmup' of driver motion-sensor`
private func unknown(_ noun: String, _ name: String, of owner: String?) -> String {
    "unknown \(noun) \(quoted(name))" + (owner.map { " of \($0)" } ?? "")
}
