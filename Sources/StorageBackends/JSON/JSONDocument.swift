internal import CJansson

/// A JSON document that was read: an object whose members are looked up by their path.
final class JSONDocument {
    private let root: UnsafeMutablePointer<json_t>

    /// `nil` for what is not a JSON object.
    init?(_ bytes: [UInt8]) {
        let root = bytes.withUnsafeBytes { bytes in
            json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, 0, nil)
        }
        guard let root else { return nil }
        self.root = root
    }

    deinit { perch_json_release(root) }

    /// The text at a path of names: `text("metadata", "token")`. `nil` when there is none, or it is no text.
    func text(_ path: String...) -> String? {
        guard let value = member(path), perch_json_is_string(value) != 0, let text = json_string_value(value) else {
            return nil
        }
        return String(cString: text)
    }

    /// The whole number at a path of names.
    func integer(_ path: String...) -> Int? {
        guard let value = member(path), perch_json_is_integer(value) != 0 else { return nil }
        return Int(json_integer_value(value))
    }

    /// Whether there is a `true` at a path of names.
    func flag(_ path: String...) -> Bool { member(path).map { perch_json_is_true($0) != 0 } ?? false }

    private func member(_ path: [String]) -> UnsafeMutablePointer<json_t>? {
        path.reduce(Optional(root)) { value, name in value.flatMap { json_object_get($0, name) } }
    }
}
