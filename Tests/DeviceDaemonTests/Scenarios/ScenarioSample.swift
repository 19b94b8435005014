import DeviceKit
import DeviceRuntime
import SimulatedPeripherals

@testable import DeviceDaemon

/// Scenarios in a test's own words, for a small doorbell.
enum ScenarioSample {
    static let configuration = """
        device: porch
        devices:
          bell: { driver: button, pin: GPIO27 }
          sign: { driver: ht16k33 }
          arm: { driver: servo, pwm: PWM0 }
        rules:
          - { name: greet, when: bell.pressed, unless: arm.moving, do: [ sign.show: "HI" ] }
          - { name: wave, when: bell.released, do: [ arm.sweep: { from: 0deg, to: 90deg, over: 500ms } ] }
        storage:
          photos: { backend: directory, path: photos }
        """

    static func read(_ text: String, configuration: String = configuration) throws -> ScenarioFile {
        try ScenarioFile.read(
            text.utf8, path: "test.scenarios.yaml", models: standardParts, faults: standardFaults
        ) { path in
            try Configuration.read(
                configuration.utf8, file: path, drivers: standardDrivers,
                backends: standardStorage.map(\.description), boards: Configuration.boards)
        }
    }

    /// The steps of one scenario, indented as they have to be.
    static func scenario(_ steps: String) -> String {
        let lines = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
        return "configuration: perch.yaml\nscenarios:\n  - name: it\n    steps:\n" + lines
    }

    /// What fails of the steps of one scenario.
    static func failures(_ steps: String, configuration: String = configuration) throws -> [ScenarioFailure] {
        let file = try read(scenario(steps), configuration: configuration)
        return try file.scenarios.flatMap { try file.run($0).failures }
    }

    /// All that is said of a wrong file: `line:column: message`.
    static func messages(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let error as ConfigurationError {
            return error.diagnostics.map { "\($0.position.line):\($0.position.column): \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }
}
