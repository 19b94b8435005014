public import DeviceKit
import DeviceRuntime

/// The rules of docs/driver-style.md that a machine can check: those of the text here, those of what a device does in
/// ``problems(running:_:connecting:)``. Each problem says where it is and what would be right.
public enum DriverRules {
    /// What no driver says, and why. Words of the source, without its comments.
    private static let forbidden: [(word: String, reason: String)] = [
        ("Task {", "a task of its own leaves the loop; use what `run` can await"),
        ("Task.detached", "a task of its own leaves the loop; use what `run` can await"),
        ("Task.yield", "it leaves the loop"),
        ("Task.sleep", "time is `context.clock`"), ("ContinuousClock", "time is `context.clock`"),
        ("SuspendingClock", "time is `context.clock`"), ("Date(", "time is `context.clock`; records are dated later"),
        ("WallClock", "time is `context.clock`; records are dated later"),
        ("monotonicNow", "time is `context.clock`"), ("DispatchQueue", "everything runs on the loop"),
        ("Thread", "everything runs on the loop"), ("usleep(", "it blocks the loop; use `context.clock.sleep`"),
        ("nanosleep(", "it blocks the loop; use `context.clock.sleep`"),
        ("DispatchSemaphore", "it blocks the loop"), ("FileDescriptor", "what is outside comes from `context.board`"),
        ("try!", "throw the error"), ("as!", "throw an error"), ("fatalError(", "throw an error"),
        ("preconditionFailure(", "throw an error"), ("precondition(", "throw an error"),
        ("print(", "tell it by an event, or `context.logger`"),
    ]

    /// What a driver stands on: no board, so that it cannot depend on one.
    private static let modules: Set<Substring> = ["Peripherals", "DeviceRuntime", "DeviceKit", "SegmentGlyphs"]

    /// What is wrong with the sources of a driver, in the folder's Swift files.
    public static func problems(inSources folder: String) throws -> [String] {
        var problems: [String] = []
        try Files.forEachEntry(of: folder) { name in
            guard name.hasSuffix(".swift") else { return }
            let text = String(decoding: try Files.read("\(folder)/\(name)"), as: UTF8.self)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                problems += self.problems(inLine: code).map { "\(folder)/\(name):\(index + 1): \($0)" }
            }
        }
        return problems.sorted()
    }

    private static func problems(inLine code: Substring) -> [String] {
        let words = code.split(separator: " ")
        if let keyword = words.firstIndex(of: "import"), keyword < 3, keyword + 1 < words.count {
            let module = words[keyword + 1]
            return modules.contains(module)
                ? [] : ["import \(module): \(modules.sorted().joined(separator: ", ")) only"]
        }
        return forbidden.compactMap { word, reason in
            guard let place = code.firstRange(of: word) else { return nil }
            // A picture may be written, on a thread for what blocks.
            if word == "Files.", code.contains("thread.run {") { return nil }
            let before = code[..<place.lowerBound].last
            return before.map { $0.isLetter || $0.isNumber || $0 == "_" } == true ? nil : "'\(word)': \(reason)"
        }
    }

    /// What is missing in a driver's tables and in the README that people read.
    public static func problems(of driver: Driver, readme path: String) throws -> [String] {
        var problems: [String] = []
        guard try Files.size(of: path) != nil else { return ["\(path) is missing"] }
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        let names =
            driver.options.map(\.name) + driver.events.flatMap { [$0.name] + $0.fields.map(\.name) }
            + driver.states.map(\.name) + driver.commands.map(\.name)
        problems += names.filter { !text.contains("`\($0)") }.map { "\(path): `\($0)` is not in it" }
        for recordClass in Set(driver.events.map(\.recordClass)) where recordClass != .alert {
            let words = "recorded as a \(recordClass.rawValue)"
            if !text.contains(words) { problems.append("\(path): it does not say what is '\(words)'") }
        }
        if !text.contains("{ driver: \(driver.name)") {
            problems.append("\(path): an example is missing, such as 'name: { driver: \(driver.name) }'")
        }
        let options = driver.options + driver.commands.flatMap(\.arguments)
        for option in options {
            if option.summary.isEmpty { problems.append("\(driver.name): option '\(option.name)' has no summary") }
            if let text = option.defaultText, option.parse(.scalar(text)) == nil {
                problems.append("\(driver.name): option '\(option.name)' does not take its own default, '\(text)'")
            }
        }
        return problems
    }
}
