import DeviceRuntime
import Peripherals
import Testing

extension Behaviour {
    static let pwm = [
        Behaviour("PWM", "A servo's pulse of 1.5 ms in 20 ms is what the channel gets, and closing ends it") { bench in
            let output = try await bench.board.makePWMOutput("PWM0", consumer: "test")
            try await output.setPeriod(.milliseconds(20))
            try await output.setPulseWidth(.microseconds(1500))
            try await output.enable()
            let signal = PWMSignal(period: .milliseconds(20), pulseWidth: .microseconds(1500), isEnabled: true)
            #expect(try bench.signal(of: "PWM0") == signal)
            await output.close()
            let next = try await bench.board.makePWMOutput("PWM0", consumer: "test")
            try await next.setPeriod(.milliseconds(20))
            #expect(
                try bench.signal(of: "PWM0")
                    == PWMSignal(period: .milliseconds(20), pulseWidth: .zero, isEnabled: false))
            await next.close()
        }
    ]
}
