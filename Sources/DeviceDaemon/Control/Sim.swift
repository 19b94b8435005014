import DeviceKit
import Peripherals
import SimulatedPeripherals

extension ControlVerb {
    /// Plays the world around a simulated board: `sim press bell for=2s`, `sim fault unplug: sign, for: 30s`, `sim show`.
    static let sim = ControlVerb(name: "sim") { words, site, answer in
        guard let world = site.world else {
            throw ControlFailure.unavailable(
                "the board is \(site.board), a real one; perch run --board simulated has the other kind")
        }
        if words.isEmpty || words == ["show"] {
            try await answer.print(world.picture)
            return 0
        }
        if words.first == "fault" {
            try begin(words.dropFirst().joined(separator: " "), site.configuration, world)
            return 0
        }
        let (stimulus, entry) = try stimulus(words, world)
        do {
            try entry.part.apply(stimulus)
        } catch {
            throw ControlFailure.usage("\(entry.name).\(stimulus.name): \(error)")
        }
        return 0
    }

    /// Lets something go wrong, from now on.
    private static func begin(_ text: String, _ configuration: Configuration, _ world: SimulatedWorld) throws {
        let fault: Fault
        do { fault = try Fault.read(text, for: configuration) } catch { throw ControlFailure.usage("\(error)") }
        guard fault.start == .zero else { throw ControlFailure.usage("it begins now: leave 'at' out") }
        do { try world.begin(fault) } catch { throw ControlFailure.unavailable("\(fault): \(error)") }
    }

    private static func stimulus(
        _ words: [String], _ world: SimulatedWorld
    ) throws(ControlFailure) -> (Command, SimulatedWorld.Entry) {
        let known = world.parts.flatMap { $0.model.stimuli.map(\.name) }
        guard let word = words.first, known.contains(word) else {
            throw ControlFailure.usage(
                "nothing here can '\(words.first ?? "")'; "
                    + advice(for: words.first ?? "", among: known + ["fault", "show"]))
        }
        let able = world.parts.filter { entry in entry.model.stimuli.contains { $0.name == word } }
        guard words.count > 1, let entry = able.first(where: { $0.name == words[1] }),
            let description = entry.model.stimuli.first(where: { $0.name == word })
        else {
            throw ControlFailure.usage("expected what to \(word): \(able.map(\.name).joined(separator: ", "))")
        }
        let arguments = try arguments(words.dropFirst(2), description.arguments, "\(word) \(entry.name)")
        return (Command(name: word, arguments: arguments), entry)
    }
}

extension SimulatedWorld {
    /// What somebody sees who looks at the board: each part with what can be seen of it, drawings below, and the lines
    /// that are held, as a meter would show them.
    var picture: String {
        (parts.map(Self.picture) + linePictures).joined(separator: "\n")
    }

    private static func picture(_ entry: Entry) -> String {
        let seen = entry.model.observations.compactMap { observation in
            entry.part.observe(observation.name).map { (name: observation.name, text: "\($0)") }
        }
        let words = seen.filter { !$0.text.contains("\n") }.map { "\($0.name): \($0.text)" }
        let stimuli = entry.model.stimuli.map(\.name).joined(separator: ", ")
        let nothing = "nothing to be seen; what can happen to it: \(stimuli)"
        let first = [
            "\(entry.name) (\(entry.model.driver))",
            seen.isEmpty && !stimuli.isEmpty ? nothing : words.joined(separator: ", "),
        ]
        return ([first.joined(separator: "  ")] + seen.map(\.text).filter { $0.contains("\n") }).joined(separator: "\n")
    }

    private var linePictures: [String] {
        board.chipLines.compactMap { line in
            line.holder.map { "\(line.name)  \(line.isOutput ? "output" : "input") \(line.level), held by \($0)" }
        }
    }
}
