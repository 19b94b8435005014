import Conformance
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import TestSupport
import Testing

extension OnTheKernel {
    @Suite("Closing on the kernel", .serialized)
    struct ClosingTests {
        enum Kind: CaseIterable {
            case input
            case watchedInput
            case forgottenInput
            case debouncedInput
            case group
            case output
            case pwm
            case forgottenPWM
            case i2c
            case spi
            case serial
            case forgottenSerial
            case camera
            case refused

            /// Opens one, uses it and closes it.
            func useOnce(_ board: LinuxBoard, _ terminal: PseudoTerminal) async throws {
                let high = DigitalOutputConfiguration(initialLevel: .high)
                switch self {
                case .input:
                    let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                    _ = try line.read()
                    line.close()
                    line.close()
                case .watchedInput:
                    let line = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                    try line.setEventHandler { _ in }
                    line.close()
                case .forgottenInput:
                    _ = try await board.makeDigitalInput("GPIO17", DigitalInputConfiguration(), consumer: "test")
                case .debouncedInput:
                    let configuration = DigitalInputConfiguration(debounce: .milliseconds(5))
                    let line = try await board.makeDigitalInput("GPIO17", configuration, consumer: "test")
                    try line.setEventHandler { _ in }
                    line.close()
                case .group:
                    let lines = ["GPIO17", "GPIO27"]
                    let group = try await board.makeDigitalInputGroup(lines, bias: .asIs, consumer: "test")
                    group.close()
                    group.close()
                case .output:
                    let line = try await board.makeDigitalOutput("GPIO22", high, consumer: "test")
                    line.close()
                    line.close()
                case .pwm:
                    let output = try await board.makePWMOutput("PWM0", consumer: "test")
                    try await output.setPeriod(.milliseconds(20))
                    await output.close()
                    await output.close()
                case .forgottenPWM:
                    let output = try await board.makePWMOutput("PWM0", consumer: "test")
                    try await output.setPeriod(.milliseconds(20))
                case .i2c:
                    let address = try #require(I2CAddress(0x70))
                    let device = try await board.makeI2CDevice(bus: "I2C1", address: address, consumer: "test")
                    try await device.write([0])
                    device.close()
                    device.close()
                case .spi:
                    let speed = try #require(Frequency(hertz: 1_000_000))
                    let configuration = SPIConfiguration(maximumSpeed: speed)
                    let device = try await board.makeSPIDevice("SPI0.0", configuration, consumer: "test")
                    _ = try await device.transfer([0])
                    device.close()
                    device.close()
                case .serial:
                    let port = try await board.makeSerialPort(terminal.path, .init(baudRate: 9600), consumer: "test")
                    try await port.write([0])
                    port.close()
                    port.close()
                case .forgottenSerial:
                    _ = try await board.makeSerialPort(terminal.path, .init(baudRate: 9600), consumer: "test")
                case .camera:
                    let configuration = StillCameraConfiguration(
                        command: ["sh", "-c", "echo x > $0", "{}"], deadline: .seconds(60))
                    let camera = try await board.makeStillCamera(configuration, consumer: "test")
                    _ = try await camera.takePicture(to: "/tmp/picture", caption: "")
                case .refused:
                    let line = try await board.makeDigitalOutput("GPIO22", high, consumer: "test")
                    _ = await failure { _ = try await board.makeDigitalOutput("GPIO22", high, consumer: "test") }
                    _ = await failure { _ = try await board.makeDigitalOutput("GPIO99", high, consumer: "test") }
                    line.close()
                }
            }
        }

        private let kernel: Kernel

        init() throws { kernel = try Kernel() }

        @Test("Two hundred times opened, used and closed leaves no file open", arguments: Kind.allCases)
        func nothingIsLeftOpen(kind: Kind) async throws {
            let kernel = kernel
            let terminal = try PseudoTerminal()
            let (before, after) = try await kernel.run { _, board in
                // Once beforehand: what is made once and kept, as a bus's thread, is no leak.
                try await kind.useOnce(board, terminal)
                let before = try kernel.openFiles()
                for _ in 0..<200 { try await kind.useOnce(board, terminal) }
                return (before, try kernel.openFiles())
            }
            #expect(after == before)
        }

        /// One kind of each peripheral, but for the camera: its program is a process, and 10,000 of them take minutes.
        @Test(
            "With 32 descriptors allowed, ten thousand times opened and closed leaves none open",
            arguments: [Kind.watchedInput, .group, .output, .pwm, .i2c, .spi, .serial])
        func nothingLeaks(kind: Kind) async throws {
            let kernel = kernel
            let terminal = try PseudoTerminal()
            var limit = rlimit()
            try systemCall("getrlimit") { getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            let before = limit
            limit.rlim_cur = 32
            try systemCall("setrlimit") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            defer {
                var before = before
                _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
            }
            try await kernel.run { _, board in
                try await kind.useOnce(board, terminal)
                let before = try kernel.openFiles()
                for _ in 0..<10_000 { try await kind.useOnce(board, terminal) }
                #expect(try kernel.openFiles() == before)
            }
        }
    }
}
