import Peripherals

final class MediatedInput: DigitalInput {
    let name: String
    let activeLevel: Level
    let debouncer: Debouncer
    private let input: (any DigitalInput)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(
        _ name: String, _ activeLevel: Level, _ debouncer: Debouncer, _ input: (any DigitalInput)?,
        _ mediator: any Mediator
    ) {
        self.name = name
        self.activeLevel = activeLevel
        self.debouncer = debouncer
        self.input = input
        self.mediator = mediator
    }

    func read() throws -> Level {
        try mediator.performNow(name, "read", .word) { try behind(input, name).read() }
    }

    func setEventHandler(quietAfter quiet: Duration?, _ handler: (@Sendable (LineEvent) -> Void)?) throws {
        try mediator.setHandler(name, handler) {
            try behind(input, name).setEventHandler(quietAfter: quiet, $0)
        }
    }

    func close() { opening.closeNow(name, mediator) { input?.close() } }
}

final class MediatedOutput: DigitalOutput {
    let name: String
    private let output: (any DigitalOutput)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(_ name: String, _ output: (any DigitalOutput)?, _ mediator: any Mediator) {
        self.name = name
        self.output = output
        self.mediator = mediator
    }

    func write(_ level: Level) throws {
        try mediator.performNow(name, "write \(level)", .none) { try behind(output, name).write(level) }
    }

    func close() { opening.closeNow(name, mediator) { output?.close() } }
}

final class MediatedInputGroup: DigitalInputGroup {
    let names: [String]
    private let source: String
    private let group: (any DigitalInputGroup)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(_ names: [String], _ source: String, _ group: (any DigitalInputGroup)?, _ mediator: any Mediator) {
        self.names = names
        self.source = source
        self.group = group
        self.mediator = mediator
    }

    func read() throws -> [Level] {
        try mediator.performNow(source, "read", .levels) { try behind(group, source).read() }
    }

    func close() { opening.closeNow(source, mediator) { group?.close() } }
}

final class MediatedOutputGroup: DigitalOutputGroup {
    let names: [String]
    private let source: String
    private let group: (any DigitalOutputGroup)?
    private let mediator: any Mediator
    private let opening = Opening()

    init(_ names: [String], _ source: String, _ group: (any DigitalOutputGroup)?, _ mediator: any Mediator) {
        self.names = names
        self.source = source
        self.group = group
        self.mediator = mediator
    }

    func write(_ levels: [Level]) throws {
        try mediator.performNow(source, "write \(ScriptText.text(levels))", .none) {
            try behind(group, source).write(levels)
        }
    }

    func close() { opening.closeNow(source, mediator) { group?.close() } }
}
