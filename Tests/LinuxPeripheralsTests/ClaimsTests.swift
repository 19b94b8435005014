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
}
