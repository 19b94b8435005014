import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let spi: [Behaviour] = [
        Behaviour("SPI", "A transfer returns what MISO is pulled to, in every mode") { bench in
            for mode in SPIMode.allCases {
                let device = try await bench.spi { $0.mode = mode }
                try bench.pullMISO(to: .high)
                #expect(try await device.transfer([1, 2, 3]) == [0xFF, 0xFF, 0xFF])
                #expect(try await device.read(count: 2) == [0xFF, 0xFF])
                try bench.pullMISO(to: .low)
                #expect(try await device.transfer([1, 2, 3]) == [0, 0, 0])
                try await device.write([1, 2, 3])
                #expect(try await device.writeRead([1], count: 4) == [0, 0, 0, 0])
                device.close()
            }
        },
        Behaviour("SPI", "The bit order is that of the configuration, whoever set another one before") { bench in
            for (order, byte, level) in [
                (.mostSignificantFirst, 0x01, .high), (.leastSignificantFirst, 0x01, .low),
                (.leastSignificantFirst, 0x80, .high), (.mostSignificantFirst, 0x80, .low),
            ] as [(BitOrder, UInt8, Level)] {
                let device = try await bench.spi { $0.bitOrder = order }
                try await device.write([byte])
                #expect(try bench.lastBitOnMOSI() == level)
                device.close()
            }
        },
        Behaviour("SPI", "Words of other sizes stand in one, two or four bytes, right-aligned, in the host's order") {
            bench in
            try bench.pullMISO(to: .high)
            for (size, bytes, ones, lastBit) in [
                (5, [0x1F], [0x1F], .high), (8, [0x01], [0xFF], .high), (12, [0xFF, 0x0E], [0xFF, 0x0F], .high),
                (16, [0x01, 0x00, 0x00, 0x01], [0xFF, 0xFF, 0xFF, 0xFF], .low),
                (24, [1, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0], .high), (32, [0, 1, 1, 1], [0xFF, 0xFF, 0xFF, 0xFF], .low),
            ] as [(Int, [UInt8], [UInt8], Level)] {
                let device = try await bench.spi { $0.wordSize = size }
                #expect(try await device.transfer(bytes) == ones)
                #expect(try bench.lastBitOnMOSI() == lastBit)
                if size > 8 { #expect(await failure { try await device.write([1]) }?.code == .invalidArgument) }
                device.close()
            }
            for size in [0, -1, 33, 64] {
                #expect(await failure { _ = try await bench.spi { $0.wordSize = size } }?.code == .invalidArgument)
            }
        },
        Behaviour("SPI", "Segments run under one chip select, each with its own direction, delay and speed") { bench in
            try bench.pullMISO(to: .high)
            let device = try await bench.spi()
            var slow = SPISegment(.exchange([1, 2]), delay: .microseconds(10), releasesSelect: true)
            slow.speed = Frequency(hertz: 50_000)
            let reads = try await device.transfer([.write([0x9F]), .read(count: 3), slow, .read(count: 1)])
            #expect(reads == [[0xFF, 0xFF, 0xFF], [0xFF, 0xFF], [0xFF]])
            for wrong in [
                [], [.write([])], [.read(count: 0)], [.read(count: -1)], [SPISegment(.write([1]), delay: .seconds(1))],
                [SPISegment(.write([1]), delay: .seconds(-1))],
                [SPISegment(.write([1]), speed: Frequency(hertz: 1e300))],
            ] as [[SPISegment]] {
                #expect(await failure { _ = try await device.transfer(wrong) }?.code == .invalidArgument)
            }
            device.close()
        },
        Behaviour("SPI", "What is longer than the interface takes at once is refused, and sent where it may be split") {
            bench in
            try bench.pullMISO(to: .low)
            let device = try await bench.spi()
            let most = device.largestTransfer
            #expect(try await device.transfer([UInt8](repeating: 1, count: most)).count == most)
            // Both directions have room of their own.
            #expect(try await device.transfer([.write([1, 2]), .read(count: most)]).first?.count == most)
            let error = await failure { try await device.write([UInt8](repeating: 1, count: most + 1)) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.description.contains("\(most)") == true)
            let both: [SPISegment] = [.write([UInt8](repeating: 1, count: most)), .write([1])]
            #expect(await failure { _ = try await device.transfer(both) }?.code == .invalidArgument)
            for splitting in [SPISplitting.releasingSelect, .keepingSelect] {
                let count = 2 * most + 1
                #expect(
                    try await device.transfer([UInt8](repeating: 1, count: count), splitting: splitting)
                        == [UInt8](repeating: 0, count: count))
                _ = try await device.transfer(both, splitting: splitting)
            }
            // The chip select of each is its own: no splitting is needed.
            let apart = both.map { SPISegment($0.content, releasesSelect: true) }
            #expect(try await device.transfer(apart) == [])
            device.close()
        },
        Behaviour("SPI", "More than 511 segments under one chip select are refused, and sent where it may be split") {
            bench in
            try bench.pullMISO(to: .low)
            let device = try await bench.spi()
            let many = [SPISegment](repeating: .write([1]), count: 512)
            #expect(await failure { _ = try await device.transfer(many) }?.code == .invalidArgument)
            #expect(try await device.transfer(Array(many.prefix(511))) == [])
            #expect(try await device.transfer(many, splitting: .releasingSelect) == [])
            let apart = many.map { SPISegment($0.content, releasesSelect: true) }
            #expect(try await device.transfer(apart) == [])
            device.close()
        },
        Behaviour("SPI", "A target that is held or absent says so") { bench in
            let device = try await bench.board.makeSPIDevice("SPI0.0", bench.spiConfiguration(), consumer: "display")
            let held = await failure { _ = try await bench.spi() }
            #expect(held?.code == .busy)
            #expect(held?.description.contains("'display'") == true)
            device.close()
            let absent = await failure {
                _ = try await bench.board.makeSPIDevice("SPI9.9", bench.spiConfiguration(), consumer: "test")
            }
            #expect(absent?.code == .notFound)
            #expect(absent?.description.contains("SPI0.0") == true)
            try await bench.spi().close()
        },
        Behaviour("SPI", "A line that is a chip select is busy, and the error says that it is one") { bench in
            let device = try await bench.spi()
            let error = await failure {
                _ = try await bench.board.makeDigitalOutput("GPIO7", .init(initialLevel: .low), consumer: "test")
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("chip select of SPI") == true)
            device.close()
        },
        Behaviour("SPI", "A target is shared by those who say so in the same way, and busy for anybody else") { bench in
            try bench.pullMISO(to: .high)
            let first = try await bench.spi { $0.sharedBy = "converter" }
            let second = try await bench.spi { $0.sharedBy = "converter" }
            for other in [
                { _ in }, { $0.sharedBy = "display" },
                {
                    $0.sharedBy = "converter"; $0.mode = .mode3
                },
            ]
                as [(inout SPIConfiguration) -> Void]
            {
                #expect(await failure { _ = try await bench.spi(other) }?.code == .busy)
            }
            first.close()
            #expect(try await second.read(count: 1) == [0xFF])
            #expect(await failure { _ = try await bench.spi() }?.code == .busy)
            second.close()
            try await bench.spi().close()
        },
        Behaviour("SPI", "A closed target throws closed, also for what was asked for before and had not begun") {
            bench in
            try bench.pullMISO(to: .low)
            let device = try await bench.spi()
            try await withThrowingTaskGroup(of: PeripheralError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            return try await device.read(count: 100).count == 100 ? nil : .io
                        } catch let error as PeripheralError { return error.code }
                    }
                }
                group.addTask {
                    device.close()
                    device.close()
                    return .closed
                }
                for try await code in group { #expect(code == nil || code == .closed) }
            }
            #expect(await failure { _ = try await device.read(count: 1) }?.code == .closed)
            try await bench.spi().close()
        },
    ]
}

extension TestBench {
    func spiConfiguration() throws -> SPIConfiguration {
        SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
    }

    /// Opens `SPI0.0`.
    func spi(_ change: (inout SPIConfiguration) -> Void = { _ in }) async throws -> any SPIDevice {
        var configuration = try spiConfiguration()
        change(&configuration)
        return try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
    }
}
