import Conformance
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("Permissions on the kernel", .serialized)
    struct PermissionTests {
        @Test("A bus that the user may not open says which group gives it")
        func denied() async throws {
            try await Kernel().run { _, board in
                let address = try #require(I2CAddress(0x70))
                let configuration = SPIConfiguration(maximumSpeed: try #require(Frequency(hertz: 1_000_000)))
                // The nodes are root's own, as the kernel makes them.
                try systemCall("seteuid") { seteuid(65534) }
                defer { _ = seteuid(0) }
                let i2c = await failure {
                    _ = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
                }
                #expect(i2c?.code == .permissionDenied)
                #expect(i2c?.description.contains("group 'i2c'") == true)
                #expect(await failure { _ = try await board.scanI2CBus("I2C1") }?.code == .permissionDenied)
                let spi = await failure {
                    _ = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                }
                #expect(spi?.code == .permissionDenied)
                #expect(spi?.description.contains("group 'spi'") == true)
            }
        }
    }
}
