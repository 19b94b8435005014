import DeviceDaemon
import Testing

@Suite("A display's options in a configuration")
struct DisplayOptionTests {
    private static func messages(_ options: String) -> [String] {
        let text = """
            device: porch
            devices:
              sign: { driver: ht16k33, \(options) }
            """
        do {
            _ = try Configuration.read(
                text.utf8, file: "perch.yaml", drivers: standardDrivers, backends: [], boards: Configuration.boards)
            return []
        } catch { return "\(error)".split(separator: "\n").map(String.init) }
    }

    @Test(
        "What does not go together is told at the device, before anything runs",
        arguments: [
            ("rotate: 90deg", "3:3: driver ht16k33: 'rotate' and 'mirror' are for matrices"),
            ("layout: 16x8, interrupt: GPIO22", "3:3: driver ht16k33: layout 16x8 lights points with ROW15"),
            ("glyphs: [\"é=Z\"]", "3:3: driver ht16k33: 'Z' names no segments"),
            ("address: 0x60", "3:37: address: expected an I2C address from 0x70 to 0x77"),
            ("interrupt: GPIO99, board: x", "unknown option 'board'"),
        ])
    func wrong(options: String, message: String) {
        let messages = Self.messages(options)
        #expect(messages.contains { $0.contains(message) }, "\(messages)")
    }

    @Test(
        "None is a value where one may be left out",
        arguments: [
            "interrupt: none", "refresh: off, key-poll: off, release-check: off", "layout: 8x8, interrupt: GPIO22",
            "address: [0x70, 0x71, 0x72]",
        ])
    func right(options: String) { #expect(Self.messages(options) == []) }

    @Test("Each chip of a display is a claim of its own, and so is the interrupt")
    func claims() throws {
        let text = """
            device: porch
            board: raspberry-pi-5
            devices:
              sign: { driver: ht16k33, layout: 8x8, address: [0x70, 0x71], interrupt: GPIO22 }
              other: { driver: ht16k33, address: 0x71 }
              bell: { driver: button, pin: GPIO22 }
              wrong: { driver: ht16k33, layout: 8x8, address: 0x72, interrupt: GPIO99 }
            """
        do {
            _ = try Configuration.read(
                text.utf8, file: "perch.yaml", drivers: standardDrivers, backends: [], boards: Configuration.boards)
            Issue.record("it was accepted")
        } catch {
            #expect("\(error)".contains("I2C1 0x71 is used by 'sign' already"))
            #expect("\(error)".contains("GPIO22 is used by 'sign' already"))
            #expect("\(error)".contains("interrupt: raspberry-pi-5 has no digital line 'GPIO99'"))
            #expect("\(error)".split(separator: "\n").count == 3)
        }
    }
}
