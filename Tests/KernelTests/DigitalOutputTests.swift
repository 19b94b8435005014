import Conformance
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("Digital outputs and names on the kernel", .serialized)
    struct DigitalOutputTests {
        private let kernel: Kernel

        init() throws { kernel = try Kernel() }

        @Test(
            "An output has its initial level when it is open, and then each that is written", arguments: Level.allCases)
        func output(initial: Level) async throws {
            let wire = kernel.header(22)
            try wire.pull(initial == .high ? "pull-down" : "pull-up")
            let levels = try await kernel.run { _, board in
                let line = try await board.makeDigitalOutput(
                    "GPIO22", DigitalOutputConfiguration(initialLevel: initial), consumer: "test")
                defer { line.close() }
                var levels = [try wire.value]
                for level in [initial.inverted, initial] {
                    try line.write(level)
                    levels.append(try wire.value)
                }
                line.close()
                #expect(throws: PeripheralError.self) { try line.write(.high) }
                return levels
            }
            #expect(levels == (initial == .high ? ["1", "0", "1"] : ["0", "1", "0"]))
        }

        @Test("A line that is held names its holder, of this process or of the kernel")
        func holder() async throws {
            var profile = BoardProfile.raspberryPi4
            profile.gpioChipLabels = ["perch-bus-wires"]
            profile.lines = ["MOSI": 3]
            let (own, kernels) = try await kernel.run { [profile] loop, board in
                let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "bell")
                defer { line.close() }
                let own = await failure {
                    _ = try await board.makeDigitalOutput(
                        "GPIO17", DigitalOutputConfiguration(initialLevel: .low), consumer: "lamp")
                }
                let wires = LinuxBoard(profile, loop: loop)
                let kernels = await failure {
                    _ = try await wires.makeDigitalInput("MOSI", DigitalInputConfiguration(), consumer: "bell")
                }
                return (own, kernels)
            }
            #expect(own?.code == .busy)
            #expect(
                own?.description.contains("GPIO17 (line 17 of pinctrl-bcm2711) is held by 'bell'") == true)
            #expect(kernels?.code == .busy)
            #expect(kernels?.description.contains("'mosi'") == true)
        }

        @Test("A line that the board does not have is told with those that it has, under every profile")
        func unknownLine() async throws {
            for profile in [BoardProfile.raspberryPi4, .generic] {
                let error = try await kernel.run(profile) { _, board in
                    await failure {
                        _ = try await board.makeDigitalInput("GPIO99", DigitalInputConfiguration(), consumer: "test")
                    }
                }
                #expect(error?.code == .notFound)
                #expect(error?.description.contains("GPIO99") == true)
                #expect(error?.description.contains("GPIO2, GPIO3") == true)
            }
        }

        @Test("A profile of another board says what chip it needs and what there is")
        func wrongProfile() async throws {
            let error = try await kernel.run(.raspberryPi5) { _, board in
                await failure {
                    _ = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                }
            }
            #expect(error?.code == .notFound)
            #expect(error?.description.contains("needs pinctrl-rp1; there is pinctrl-bcm2711, perch-bus-wires") == true)
        }

        @Test("A line is also found by the kernel's name for it")
        func kernelName() async throws {
            for (profile, name) in [(BoardProfile.raspberryPi4, "ID_SDA"), (.generic, "GPIO17")] {
                let level = try await kernel.run(profile) { _, board in
                    let line = try await board.makeDigitalInput(
                        name, DigitalInputConfiguration(bias: .pullUp), consumer: "test")
                    defer { line.close() }
                    return try line.read()
                }
                #expect(level == .high)
            }
        }
    }
}
