import Conformance
import DeviceRuntime
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    /// What only the kernel can show; the rest is in the conformance suite.
    @Suite("SPI on the kernel", .serialized)
    struct SPITests {
        private let kernel: Kernel
        private let configuration: SPIConfiguration

        init() throws {
            kernel = try Kernel()
            configuration = SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
        }

        @Test("A target that the profile has and the kernel has not is told with its node")
        func absent() async throws {
            try await kernel.run { [configuration] _, board in
                let absent = await failure {
                    _ = try await board.makeSPIDevice("SPI0.1", configuration, consumer: "test")
                }
                #expect(absent?.code == .notFound)
                #expect(absent?.description.contains("/dev/spidev0.1") == true)
            }
        }

        @Test("Chip select is released after every transfer, split ones too")
        func chipSelect() async throws {
            let kernel = kernel
            try await kernel.run { [configuration] _, board in
                let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                for splitting in [SPISplitting.releasingSelect, .keepingSelect] {
                    try await device.write([UInt8](repeating: 1, count: 9000), splitting: splitting)
                    // Active low.
                    #expect(try kernel.chipSelect.value == "1")
                }
                device.close()
            }
        }
    }
}
