internal import DeviceRuntime
internal import LinuxPeripherals

extension ConfigurationReader {
    /// Reads which board it is: one by name, or by its file.
    mutating func readBoard(_ node: YAMLNode, into configuration: inout Configuration) {
        guard let text = node.text else {
            diagnostics.report(node.position, "expected the name of a board, such as auto; found \(node.found)")
            return
        }
        configuration.board = text
        if text.contains("/") || text.hasSuffix(".yaml") {
            configuration.boardProfile = boardFile(text, at: node.position)
            board = configuration.boardProfile.map { BoardDescription($0) }
        } else if let named = boards.first(where: { $0.name == text }) {
            board = named
        } else {
            reportUnknown("board", text, at: node.position, known: boards.map(\.name))
        }
    }

    /// The board of a file, whose path is relative to the configuration's folder.
    private mutating func boardFile(_ text: String, at position: SourcePosition) -> BoardProfile? {
        let name = text.hasPrefix("./") ? text.dropFirst(2) : text[...]
        let path = text.hasPrefix("/") ? text : "\(Files.parent(of: file))/\(name)"
        do {
            return try BoardProfile.read(try Files.read(path), file: path)
        } catch let error as ConfigurationError {
            diagnostics.report(position, "the board's file \(quoted(text)) is wrong:")
            diagnostics.include(error)
        } catch let error as SystemError {
            diagnostics.report(position, "the board's file \(quoted(path)) cannot be read: \(error.reason)")
        } catch {
            diagnostics.report(position, "the board's file \(quoted(path)) cannot be read: \(error)")
        }
        return nil
    }
}
