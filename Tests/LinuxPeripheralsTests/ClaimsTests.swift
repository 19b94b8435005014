import Peripherals
import Testing

@testable import LinuxPeripherals

@Suite("Claims")
struct ClaimsTests {
    @Test("The second one is told who holds it, until it is released, once or by letting go")
    func holders() async throws {
        let claims = Claims()
        let first = try claims.claim("I2C1 0x70", for: "sign")
        let error = try await failure { _ = try claims.claim("I2C1 0x70", for: "clock") }
        #expect(error.code == .busy)
        #expect(error.message.contains("'sign'"))
        _ = try claims.claim("I2C1 0x71", for: "clock")

        first.release()
        let second = try claims.claim("I2C1 0x70", for: "clock")
        first.release()
        #expect(throws: PeripheralError.self) { try claims.claim("I2C1 0x70", for: "sign") }
        withExtendedLifetime(second) {}
        _ = try claims.claim("I2C1 0x71", for: "sign")
    }

    @Test("Those who share it hold it together, until the last one has released it")
    func sharing() async throws {
        let claims = Claims()
        let way = SPIConfiguration(maximumSpeed: .kilohertz(1000), sharedBy: "mcp3008")
        let first = try claims.claim("SPI0.0", for: "light", sharing: way)
        let second = try claims.claim("SPI0.0", for: "soil", sharing: way)
        var other = way
        other.maximumSpeed = .kilohertz(500)
        for sharing in [nil, other, SPIConfiguration(maximumSpeed: .kilohertz(1000))] {
            let error = try await failure { _ = try claims.claim("SPI0.0", for: "glass", sharing: sharing) }
            #expect(error.code == .busy)
            #expect(error.message.contains("'light'"))
        }
        first.release()
        first.release()
        #expect(throws: PeripheralError.self) { try claims.claim("SPI0.0", for: "glass") }
        second.release()
        let third = try claims.claim("SPI0.0", for: "glass")
        #expect(throws: PeripheralError.self) { try claims.claim("SPI0.0", for: "light", sharing: way) }
        withExtendedLifetime(third) {}
    }
}
