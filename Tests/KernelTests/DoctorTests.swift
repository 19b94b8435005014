import LinuxPeripherals
import Peripherals
import TestSupport
import Testing

extension OnTheKernel {
    @Suite("perch doctor on the kernel", .serialized)
    struct DoctorTests {
        @Test("It finds this board's chips, who holds a line that is needed, and what is not there")
        func board() async throws {
            let kernel = try Kernel()
            let folder = try TemporaryDirectory()
            try folder.write(
                """
                device: porch
                devices:
                  bell: { driver: button, pin: GPIO17 }
                  arm: { driver: servo, pwm: PWM1 }
                  sign: { driver: ht16k33, bus: I2C1 }

                """, to: "perch.yaml")
            try await kernel.run { _, board in
                let line = try await board.makeDigitalOutput("GPIO17", .init(initialLevel: .low), consumer: "somebody")
                defer { line.close() }
                let (lines, code) = try RunningProcess.run([
                    RunningProcess.perch, "doctor", "--config", "\(folder.path)/perch.yaml", "--state", folder.path,
                ])
                let text = lines.joined(separator: "\n")
                for part in [
                    "on Raspberry Pi 4 Model B Rev 1.4", "pinctrl-bcm2711 with 58 lines; held: ",
                    "GPIO17 by 'somebody'",
                    "bell needs GPIO17, which is held by 'somebody'", "fe20c000.pwm with 1 channel",
                    "arm needs PWM1, which no PWM chip has", "dtoverlay=pwm-2chan", "/dev/i2c-1 is ",
                    "one transfer has at most 4096 bytes",
                ] {
                    #expect(text.contains(part), "\(text)")
                }
                #expect(!text.contains("sign needs"))
                #expect(code == 1)
            }
        }
    }
}
