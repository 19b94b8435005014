import BME280Driver
import CameraDriver
import DeviceKit
import DeviceRuntime
import GPSDriver
import LEDDriver
import MCP3008Driver
import Peripherals
import RelayDriver
import RotaryEncoderDriver
import SHT31Driver
import Testing

extension Behaviour {
    /// Outputs, knobs and sensors, each driver unchanged on the board.
    static let parts = [
        Behaviour("Drivers", "led: what it blinks is seen at the wire, and it is dark at the end") { bench in
            try bench.pull("GPIO22", to: .low)
            try await DeviceOnBench.run(LED.driver, ["pin": .scalar("GPIO22")], on: bench) { led in
                #expect(try bench.level(of: "GPIO22") == .low)
                try await led.perform("on", [:])
                #expect(try bench.level(of: "GPIO22") == .high)
                try await led.perform("blink", ["times": .scalar("3"), "on": .scalar("20ms"), "off": .scalar("20ms")])
                #expect(try await led.event(1).name == "finished")
                #expect(try bench.level(of: "GPIO22") == .low)
                try await led.perform("on", [:])
            }
            #expect(try bench.level(of: "GPIO22") == .low)
        },
        Behaviour(
            "Drivers", "relay: the wire is safe from the first moment, waits for the shortest time, and ends safe"
        ) {
            bench in
            let options: [String: OptionInput] = [
                "pin": .scalar("GPIO19"), "active": .scalar("low"), "minimum-off": .scalar("100ms"),
            ]
            // Where it is off: at its end it may be let go of.
            try bench.pull("GPIO19", to: .high)
            try await DeviceOnBench.run(Relay.driver, options, on: bench) { relay in
                #expect(try bench.level(of: "GPIO19") == .high)
                try await relay.perform("on", [:])
                #expect(try bench.level(of: "GPIO19") == .high)
                #expect(relay.state("waiting") == true)
                #expect(try await relay.event(1).name == "switched-on")
                #expect(try bench.level(of: "GPIO19") == .low)
            }
            #expect(try bench.level(of: "GPIO19") == .high)
        },
        Behaviour("Drivers", "rotary-encoder: contacts that close one after the other at two wires are steps") {
            bench in
            for pin in ["GPIO23", "GPIO24"] { try bench.pull(pin, to: .high) }
            try await DeviceOnBench.run(
                RotaryEncoder.driver, ["a": .scalar("GPIO23"), "b": .scalar("GPIO24")], on: bench
            ) { knob in
                func turn(_ first: String, _ second: String) async throws {
                    for (pin, level) in [(first, Level.low), (second, .low), (first, .high), (second, .high)] {
                        try await bench.settle()
                        try bench.pull(pin, to: level)
                    }
                }
                try await bench.settle()
                try await turn("GPIO23", "GPIO24")
                #expect(try await knob.event(1).name == "clockwise")
                try await turn("GPIO24", "GPIO23")
                let event = try await knob.event(2)
                #expect(event.name == "counterclockwise")
                #expect(event.fields.last == .init("position", .integer(0)))
            }
        },
        Behaviour("Drivers", "bme280: a BMP280's registers with the datasheet's example are its reading") { bench in
            let address = try #require(I2CAddress(0x48))
            let chip = try await bench.board.makeI2CDevice(bus: "STUB", address: address, consumer: "bench")
            // Bosch BST-BMP280-DS001, section 3.12.
            let words = [27504, 26435, -1000, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]
            for (index, word) in words.enumerated() {
                try await chip.writeWordRegister(
                    I2CRegister(UInt8(0x88 + 2 * index)), UInt16(truncatingIfNeeded: word), .littleEndian)
            }
            try await chip.writeRegister(0xD0, 0x58)
            try await chip.writeRegisters(from: 0xF7, [0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00])
            for register: I2CRegister in [0xE0, 0xF3, 0xF4] { try await chip.writeRegister(register, 0) }
            chip.close()
            let options: [String: OptionInput] = ["bus": .scalar("STUB"), "address": .scalar("0x48")]
            try await DeviceOnBench.run(BME280.driver, options, on: bench) { sensor in
                let event = try await sensor.event(1)
                #expect(event.name == "reading")
                #expect(event.fields == [.init("temperature", .number(25.08)), .init("pressure", .number(1006.53))])
            }
            let after = try await bench.board.makeI2CDevice(bus: "STUB", address: address, consumer: "bench")
            #expect(try await after.readRegister(0xE0) == 0xB6, "it was not reset")
            #expect(try await after.readRegister(0xF4) == 0x25, "it was not told to measure once")
            #expect(try await after.readRegister(0xF2) == 0, "a BMP280 was asked for its humidity")
            after.close()
        },
        Behaviour("Drivers", "bme280: another part at its address is an error that says which") { bench in
            let address = try #require(I2CAddress(0x48))
            let chip = try await bench.board.makeI2CDevice(bus: "STUB", address: address, consumer: "bench")
            try await chip.writeRegister(0xD0, 0x61)
            chip.close()
            let options: [String: OptionInput] = ["bus": .scalar("STUB"), "address": .scalar("0x48")]
            let error = await failure { try await DeviceOnBench.run(BME280.driver, options, on: bench) { _ in } }
            #expect(error?.code == .unsupported)
            #expect(error?.description.contains("STUB 0x48 is a BME680") == true)
        },
        Behaviour("Drivers", "sht31: a part that answers without check bytes is refused") { bench in
            let error = await failure {
                try await DeviceOnBench.run(SHT31.driver, ["bus": .scalar("I2C1")], on: bench) { _ in }
            }
            #expect(error?.code == .unsupported)
            #expect(error?.description.contains("I2C1 0x44") == true)
        },
        Behaviour("Drivers", "sht31: nobody at its address is an error that names it") { bench in
            let error = await failure {
                try await DeviceOnBench.run(SHT31.driver, ["bus": .scalar("I2C3")], on: bench) { _ in }
            }
            #expect(error?.code == .noAcknowledge)
            #expect(error?.description.contains("I2C3 0x44") == true)
        },
        Behaviour("Drivers", "mcp3008: zeros are 0 V, two inputs share the target, and a floating wire is no chip") {
            bench in
            try bench.pullMISO(to: .low)
            try await DeviceOnBench.run(MCP3008.driver, ["channel": .scalar("0")], on: bench) { light in
                try await DeviceOnBench.run(MCP3008.driver, ["channel": .scalar("1")], on: bench) { soil in
                    let events = [try await light.event(1), try await soil.event(1)]
                    #expect(events.allSatisfy { $0.fields.last == .init("volts", .number(0)) })
                }
            }
            try bench.pullMISO(to: .high)
            let error = await failure {
                try await DeviceOnBench.run(MCP3008.driver, ["channel": .scalar("0")], on: bench) { _ in
                    try await bench.loop.sleep(for: .milliseconds(100))
                }
            }
            #expect(error?.code == .io)
        },
        Behaviour("Drivers", "gps: sentences at the port are a position; damaged ones are told and not believed") {
            bench in
            try await DeviceOnBench.run(GPS.driver, ["port": .scalar("SERIAL0")], on: bench) { receiver in
                let lines = [
                    "4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
                    "$GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230326,,,A*5B",
                    "$GPGGA,123519.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*69",
                    "$GPGGA,123520.00,9907.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*69",
                ]
                for line in lines { try await bench.serialSend(Array("\(line)\r\n".utf8)) }
                #expect(try await receiver.event(1).name == "fixed")
                let position = try await receiver.event(2)
                #expect(position.name == "position")
                #expect(
                    position.fields.prefix(2) == [
                        .init("latitude", .number(48.1173)), .init("longitude", .number(11.5166667)),
                    ])
                #expect(try await receiver.event(3).name == "damaged")
                #expect(receiver.state("fix") == true)
            }
        },
        Behaviour("Drivers", "camera: a stream's pictures of the moments before are events with files") { bench in
            // A board with a real camera runs the program; the simulated one draws pictures of its own.
            let script = #"while :; do printf '\377\330\377\332\000\002x\377\331'; sleep 0.05; done"#
            let options: [String: OptionInput] = [
                "before": .scalar("2"), "rate": .scalar("20"), "stream-command": .list(["sh", "-c", script, "{rate}"]),
            ]
            try await DeviceOnBench.run(Camera.driver, options, on: bench) { camera in
                try await bench.loop.sleep(for: .milliseconds(500))
                try await camera.perform("capture", [:])
                let events = [try await camera.event(1), try await camera.event(2), try await camera.event(3)]
                #expect(events.map(\.name) == ["captured-before", "captured-before", "captured"])
                for event in events {
                    let payload = try #require(event.payload)
                    #expect(payload.mediaType.hasPrefix("image/"))
                    #expect(try Files.size(of: payload.path) ?? 0 > 0)
                    try Files.remove(payload.path)
                }
            }
        },
    ]
}
