import DeviceKit
import DeviceRuntime

extension SimulatedWorld {
    /// What can be done to the simulated parts.
    var json: JSONText {
        .array(
            parts.map { entry in
                .object([
                    "name": .text(entry.name), "driver": .text(entry.model.driver),
                    "stimuli": .array(entry.model.stimuli.map(Self.object)),
                ])
            })
    }

    private static func object(_ stimulus: CommandDescription) -> JSONText {
        .object([
            "name": .text(stimulus.name), "summary": .text(stimulus.summary),
            "arguments": .array(
                stimulus.arguments.map { argument in
                    .object([
                        "name": .text(argument.name), "default": argument.defaultText.map { .text($0) } ?? .null,
                    ])
                }),
        ])
    }
}
