import Conformance
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("SPI on the kernel", .serialized)
    struct SPITests {
        private let kernel: Kernel
        private let configuration: SPIConfiguration

        init() throws {
            kernel = try Kernel()
            configuration = SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
        }

        @Test(
            "A transfer returns what the line from the target is at",
            arguments: [("pull-up", UInt8(0xFF)), ("pull-down", 0)])
        func transfer(pull: String, expected: UInt8) async throws {
            try kernel.controllerInput.pull(pull)
            for mode in SPIMode.allCases {
                var configuration = configuration
                configuration.mode = mode
                let received = try await kernel.run { [configuration] _, board in
                    let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                    defer { device.close() }
                    return try await device.transfer([1, 2, 3, 4])
                }
                #expect(received == [UInt8](repeating: expected, count: 4), "\(mode)")
            }
        }

        @Test("What does not fit is refused before it moves anything")
        func limits() async throws {
            try await kernel.run { [configuration] _, board in
                let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                for count in [0, 4097] {
                    let error = await failure { _ = try await device.transfer([UInt8](repeating: 0, count: count)) }
                    #expect(error?.code == .invalidArgument)
                    #expect(error?.description.contains("4096") == true)
                }
                device.close()
                device.close()
                #expect(await failure { _ = try await device.transfer([0]) }?.code == .closed)
            }
        }

        @Test("A target that is held or absent says so")
        func unavailable() async throws {
            try await kernel.run { [configuration] _, board in
                let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "display")
                let held = await failure {
                    _ = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                }
                #expect(held?.code == .busy)
                #expect(held?.description.contains("'display'") == true)
                let absent = await failure {
                    _ = try await board.makeSPIDevice("SPI0.1", configuration, consumer: "test")
                }
                #expect(absent?.code == .notFound)
                #expect(absent?.description.contains("/dev/spidev0.1") == true)
                let unknown = await failure {
                    _ = try await board.makeSPIDevice("SPI", configuration, consumer: "test")
                }
                #expect(unknown?.description.contains("SPI0.0") == true)
                device.close()
            }
        }
    }
}
