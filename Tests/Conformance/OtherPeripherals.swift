import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let i2c = [
        Behaviour("I2C", "An address that nobody has does not acknowledge, and the error names bus and address") {
            bench in
            let address = try #require(I2CAddress(0x42))
            let device = try await bench.board.makeI2CDevice(bus: "I2C3", address: address, consumer: "test")
            let error = await failure { try await device.write([0x00]) }
            #expect(error?.code == .noAcknowledge)
            #expect(error?.description.contains("I2C3") == true)
            #expect(error?.description.contains("0x42") == true)
            device.close()
        }
    ]

    static let spi = [
        Behaviour("SPI", "A transfer returns what MISO is pulled to") { bench in
            let speed = try #require(Frequency(hertz: 100_000))
            let device = try await bench.board.makeSPIDevice(
                "SPI0.0", SPIConfiguration(maximumSpeed: speed), consumer: "test")
            try bench.pullMISO(to: .high)
            #expect(try await device.transfer([1, 2, 3]) == [0xFF, 0xFF, 0xFF])
            try bench.pullMISO(to: .low)
            #expect(try await device.transfer([1, 2, 3]) == [0, 0, 0])
            device.close()
        }
    ]
}
