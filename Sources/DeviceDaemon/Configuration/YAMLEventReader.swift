internal import CYAML

/// What makes a text not a YAML document, or not one that is taken.
struct YAMLProblem: Error {
    var position: SourcePosition
    var message: String
    /// libyaml can read no further, though what it read before is sound.
    var isSyntax = false
}

/// One of libyaml's parsing events, with where it begins.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case streamEnd
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case alias(String)
        /// The end of a collection.
        case end
        /// The stream's start and a document's end.
        case other
    }

    var kind: Kind
    var position: SourcePosition
    var anchor: String?
    var tag: String?
}

/// libyaml's parser as a pull of events. The one place that calls libyaml.
final class YAMLEventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml reads from it until the end.
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let source: [UInt8]

    /// `nil` without memory for the parser.
    init?(_ source: [UInt8]) {
        parser = .allocate(capacity: 1)
        input = .allocate(capacity: source.count)
        self.source = source
        _ = input.initialize(from: source)
        // Zeroed first, so that `deinit` may delete a parser that was not initialised.
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) != 0 else { return nil }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event. Not to be called again after it threw or gave the stream's end.
    func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw YAMLProblem(parser.pointee, source) }
        defer { yaml_event_delete(&event) }
        var result = YAMLEvent(kind: .other, position: SourcePosition(event.start_mark))
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_STREAM_END_EVENT: result.kind = .streamEnd
        case YAML_ALIAS_EVENT: result.kind = .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length)
            result.kind = .scalar(
                String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            result.anchor = text(scalar.anchor)
            result.tag = text(scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            result.anchor = text(event.data.sequence_start.anchor)
            result.tag = text(event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            result.anchor = text(event.data.mapping_start.anchor)
            result.tag = text(event.data.mapping_start.tag)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: result.kind = .end
        default: break
        }
        return result
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

extension SourcePosition {
    init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
