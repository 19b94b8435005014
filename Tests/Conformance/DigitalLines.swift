import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let digitalLines = [
        Behaviour("Digital lines", "An output shows its initial level from the first moment on, and what is written") {
            bench in
            for level in Level.allCases {
                let output = try await bench.board.makeDigitalOutput(
                    "GPIO5", DigitalOutputConfiguration(initialLevel: level), consumer: "test")
                #expect(try bench.level(of: "GPIO5") == level)
                try output.write(level.inverted)
                #expect(try bench.level(of: "GPIO5") == level.inverted)
                output.close()
            }
        },
        Behaviour("Digital lines", "A line that is held is busy, and the error names its holder") { bench in
            let holder = try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "the holder")
            let error = await failure {
                _ = try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "another")
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'the holder'") == true)
            holder.close()
            try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "another").close()
        },
        Behaviour(
            "Digital lines", "A name that the board does not have is not found, and the error lists what there is"
        ) {
            bench in
            let error = await failure {
                _ = try await bench.board.makeDigitalInput("GPIO99", .init(), consumer: "test")
            }
            #expect(error?.code == .notFound)
            #expect(error?.description.contains("GPIO17") == true)
        },
    ]
}
