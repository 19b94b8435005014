import DeviceKit
import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    public static let digitalLines = outputs + inputs + debouncing + losses + names

    static func line(_ name: String, _ show: @escaping @Sendable (any TestBench) async throws -> Void) -> Behaviour {
        Behaviour("Digital lines", name, show)
    }

    private static let outputs = [
        line("An output shows its initial level from the first moment on, and what is written") { bench in
            for level in Level.allCases {
                let output = try await bench.board.makeDigitalOutput(
                    "GPIO5", DigitalOutputConfiguration(initialLevel: level), consumer: "test")
                #expect(try bench.level(of: "GPIO5") == level)
                try output.write(level.inverted)
                #expect(try bench.level(of: "GPIO5") == level.inverted)
                output.close()
            }
        },
        line("An open-drain output drives low, and lets go at high; an open-source output the other way round") {
            bench in
            for (drive, driven) in [(Drive.openDrain, Level.low), (.openSource, .high)] {
                try bench.pull("GPIO5", to: driven.inverted)
                let output = try await bench.board.makeDigitalOutput(
                    "GPIO5", DigitalOutputConfiguration(initialLevel: driven, drive: drive), consumer: "test")
                #expect(try bench.level(of: "GPIO5") == driven)
                output.close()
                try bench.pull("GPIO5", to: driven)
                let released = try await bench.board.makeDigitalOutput(
                    "GPIO5", DigitalOutputConfiguration(initialLevel: driven.inverted, drive: drive), consumer: "test")
                #expect(try bench.level(of: "GPIO5") == driven)
                released.close()
            }
        },
        line("Several lines are opened, set and read as one") { bench in
            let outputs = try await bench.board.makeDigitalOutputGroup(
                ["GPIO5", "GPIO16", "GPIO6"], initialLevels: [.high, .low, .high], drive: .pushPull, consumer: "test")
            #expect(outputs.names == ["GPIO5", "GPIO16", "GPIO6"])
            #expect(try outputs.names.map { try bench.level(of: $0) } == [.high, .low, .high])
            try outputs.write([.low, .high, .high])
            #expect(try outputs.names.map { try bench.level(of: $0) } == [.low, .high, .high])
            let error = await failure { try outputs.write([.low]) }
            #expect(error?.code == .invalidArgument)
            #expect(try bench.level(of: "GPIO16") == .high)
            outputs.close()
            for (name, level) in [("GPIO18", Level.high), ("GPIO9", .low), ("GPIO10", .high)] {
                try bench.pull(name, to: level)
            }
            let inputs = try await bench.board.makeDigitalInputGroup(
                ["GPIO18", "GPIO9", "GPIO10"], bias: .asIs, consumer: "test")
            #expect(try inputs.read() == [.high, .low, .high])
            inputs.close()
        },
        line("A group of which one line is held is refused whole, and the error names line and holder") { bench in
            let holder = try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "the holder")
            let error = await failure {
                _ = try await bench.board.makeDigitalOutputGroup(
                    ["GPIO5", "GPIO6"], initialLevels: [.high, .high], drive: .pushPull, consumer: "test")
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("GPIO6") == true)
            #expect(error?.description.contains("'the holder'") == true)
            holder.close()
            try await bench.board.makeDigitalInput("GPIO5", .init(), consumer: "test").close()
        },
        line("A group has 1 to 64 different lines, and a level for each") { bench in
            let groups = [[], (0..<65).map { "GPIO\($0)" }, ["GPIO5", "GPIO5"], ["GPIO5", "\(bench.chipLabel):5"]]
            for names in groups {
                let input = await failure {
                    _ = try await bench.board.makeDigitalInputGroup(names, bias: .asIs, consumer: "test")
                }
                let output = await failure {
                    _ = try await bench.board.makeDigitalOutputGroup(
                        names, initialLevels: names.map { _ in .low }, drive: .pushPull, consumer: "test")
                }
                #expect(input?.code == .invalidArgument && output?.code == .invalidArgument)
            }
            let levels = await failure {
                _ = try await bench.board.makeDigitalOutputGroup(
                    ["GPIO5", "GPIO6"], initialLevels: [.low], drive: .pushPull, consumer: "test")
            }
            #expect(levels?.code == .invalidArgument)
        },
        line("Any call on a closed line or group says that it is closed") { bench in
            let board = bench.board
            let input = try await board.makeDigitalInput("GPIO5", .init(), consumer: "test")
            let debounced = try await board.makeDigitalInput(
                "GPIO6", .init(debounce: .milliseconds(1)), consumer: "test")
            let output = try await board.makeDigitalOutput("GPIO16", .init(initialLevel: .low), consumer: "test")
            let inputs = try await board.makeDigitalInputGroup(["GPIO18", "GPIO9"], bias: .asIs, consumer: "test")
            let outputs = try await board.makeDigitalOutputGroup(
                ["GPIO10", "GPIO11"], initialLevels: [.low, .low], drive: .pushPull, consumer: "test")
            try input.setEventHandler { _ in }
            for _ in 0..<2 {
                input.close()
                debounced.close()
                output.close()
                inputs.close()
                outputs.close()
            }
            let calls: [@Sendable () throws -> Void] = [
                { _ = try input.read() }, { try input.setEventHandler { _ in } }, { try input.setEventHandler(nil) },
                { _ = try input.events() }, { _ = try debounced.read() }, { try debounced.setEventHandler { _ in } },
                { try output.write(.high) }, { _ = try inputs.read() }, { try outputs.write([.high, .high]) },
                { try outputs.write([]) },
            ]
            for call in calls {
                let error = await failure { try call() }
                #expect(error?.code == .closed)
            }
        },
    ]

    private static let names = [
        line("A line that is held is busy, and the error names its holder") { bench in
            let holder = try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "the holder")
            let error = await failure {
                _ = try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "another")
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'the holder'") == true)
            holder.close()
            try await bench.board.makeDigitalInput("GPIO6", .init(), consumer: "another").close()
        },
        line("A line that another program holds is busy, and the error names the program") { bench in
            let name = try await bench.holdByAnother("GPIO26")
            let error = await failure {
                _ = try await bench.board.makeDigitalOutput("GPIO26", .init(initialLevel: .low), consumer: "test")
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("'\(name)'") == true)
        },
        line("A name that the board does not have is not found, and the error lists what there is") { bench in
            for name in ["GPIO99", "\(bench.chipLabel):99", "nothing:1"] {
                let error = await failure {
                    _ = try await bench.board.makeDigitalInput(name, .init(), consumer: "test")
                }
                #expect(error?.code == .notFound)
                let hint = name == "GPIO99" ? "GPIO17" : name == "nothing:1" ? bench.chipLabel : "it has 0 to "
                #expect(error?.description.contains(hint) == true)
            }
        },
        line("A line goes by its name on the header, by the kernel's name, and by its chip and offset") { bench in
            for (one, other) in [("GPIO0", "ID_SDA"), ("GPIO17", "\(bench.chipLabel):17")] {
                let line = try await bench.board.makeDigitalInput(one, .init(), consumer: "test")
                let error = await failure {
                    _ = try await bench.board.makeDigitalInput(other, .init(), consumer: "test")
                }
                #expect(error?.code == .busy)
                line.close()
                try await bench.board.makeDigitalInput(other, .init(), consumer: "test").close()
            }
        },
        line("The chips' lines are listed with names, directions and holders") { bench in
            let input = try await bench.board.makeDigitalInput("GPIO5", .init(), consumer: "bell")
            let output = try await bench.board.makeDigitalOutput("GPIO6", .init(initialLevel: .low), consumer: "lamp")
            let chips = try await bench.board.gpioChips()
            let lines = try #require(chips.first { $0.label == bench.chipLabel }).lines
            #expect(
                lines[5] == .init(name: "GPIO5", headerName: "GPIO5", direction: .input, holder: "bell"))
            #expect(
                lines[6] == .init(name: "GPIO6", headerName: "GPIO6", direction: .output, holder: "lamp"))
            #expect(lines[0].name == "ID_SDA" && lines[0].headerName == "GPIO0" && lines[0].holder == nil)
            input.close()
            output.close()
            let later = try #require(try await bench.board.gpioChips().first { $0.label == bench.chipLabel }).lines
            #expect(later[5].holder == nil && later[6].holder == nil)
        },
    ]
}
