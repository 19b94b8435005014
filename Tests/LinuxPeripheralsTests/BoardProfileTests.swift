import Peripherals
import TestSupport
import Testing

@testable import LinuxPeripherals

@Suite("Board profiles")
struct BoardProfileTests {
    @Test(
        "The board is recognised by the model in its device tree",
        arguments: [
            ("Raspberry Pi 3 Model B Plus Rev 1.3\0", "raspberry-pi-3"),
            ("Raspberry Pi Zero 2 W Rev 1.0\0", "raspberry-pi-zero-2-w"),
            ("Raspberry Pi 4 Model B Rev 1.4\0", "raspberry-pi-4"), ("Raspberry Pi 400 Rev 1.0\0", "raspberry-pi-4"),
            ("Raspberry Pi Compute Module 4 Rev 1.0\0", "raspberry-pi-4"),
            ("Raspberry Pi 5 Model B Rev 1.0\0", "raspberry-pi-5"), ("Raspberry Pi 500 Rev 1.0\0", "raspberry-pi-5"),
        ])
    func detection(model: String, expected: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(model.dropLast()), to: "model")
        #expect(try BoardProfile.named("auto", modelPath: "\(folder.path)/model").name == expected)
    }

    @Test("A board that is not known is told what to choose from", arguments: [nil, "Banana Pi BPI-M2"])
    func unknownBoard(model: String?) async throws {
        let folder = try TemporaryDirectory()
        if let model { try folder.write(model, to: "model") }
        let error = try await failure {
            _ = try BoardProfile.named("auto", modelPath: "\(folder.path)/model")
        }
        #expect(error.code == .notFound)
        #expect(error.description.contains(model ?? "no device tree"))
        #expect(error.description.contains("raspberry-pi-5"))
    }

    @Test("A profile has the name by which it is found", arguments: BoardProfile.all)
    func names(profile: BoardProfile) throws {
        #expect(try BoardProfile.named(profile.name) == profile)
    }

    @Test("A misspelled profile is told what there is")
    func misspelled() async throws {
        let error = try await failure { _ = try BoardProfile.named("raspberry-pi-55") }
        #expect(error.description.contains("'raspberry-pi-55'") && error.description.contains("raspberry-pi-zero-2-w"))
    }
}
