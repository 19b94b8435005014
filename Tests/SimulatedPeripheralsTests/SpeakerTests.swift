import DeviceRuntime
import Peripherals
import SimulatedPeripherals
import Testing

@Suite("Simulated speaker")
struct SpeakerModelTests {
    @Test("It sounds at what the pulses say, by its note, and complains of direct current")
    func sounds() async throws {
        try await EventLoop.run(time: .virtual) { loop in
            let board = SimulatedBoard(loop: loop)
            let speaker = SpeakerModel(
                name: "chime", on: try board.pwmChannel("PWM0"), trace: board.trace, loop: loop)
            let output = try await board.makePWMOutput("PWM0", consumer: "test")
            #expect(speaker.hertz == nil && speaker.note == nil)
            for (microseconds, note) in [(2273, "A4"), (1911, "C5"), (955, "C6")] {
                let period: Duration = .microseconds(microseconds)
                try await output.set(period: period, pulseWidth: period / 2)
                try await output.enable()
                try await loop.sleep(for: .milliseconds(5))
                #expect(speaker.note == note)
            }
            try await output.setPulseWidth(.microseconds(955))
            try await loop.sleep(for: .milliseconds(5))
            #expect(speaker.hertz == nil)
            try await output.setPulseWidth(.zero)
            try await loop.sleep(for: .milliseconds(5))
            await output.close()
            #expect(speaker.soundCount == 3)
            let told = board.trace.entries.filter { $0.source == "chime" }.map(\.text)
            #expect(
                told == [
                    "sounds at 440 Hz (A4)", "sounds at 523 Hz (C5)", "sounds at 1047 Hz (C6)",
                    "gets hot: direct current flows through it", "is silent",
                ])
        }
    }
}
