import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals

/// Calls a bus again and again, as a driver does: each waits for the one before.
///
///     bus-benchmark register|raw|spi|thread NODE COUNT
///
/// prints nanoseconds of time and of processor time. `thread` is the way to a bus's thread and back alone.
@main
enum BusBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else {
            throw SystemError(code: EINVAL, call: "usage: register|raw|spi|thread NODE COUNT")
        }
        let loop = try EventLoop(time: .real)
        let (time, processorTime) = try loop.run {
            let call = try await Self.call(arguments[1], arguments[2], loop)
            for _ in 0..<count / 10 { try await call() }
            let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
            for _ in 0..<count { try await call() }
            return (now(CLOCK_MONOTONIC) - start.0, now(CLOCK_PROCESS_CPUTIME_ID) - start.1)
        }
        print(time, processorTime)
    }

    private static func call(
        _ kind: String, _ node: String, _ loop: EventLoop
    ) async throws -> @Sendable () async throws -> Void {
        if kind == "thread" {
            let thread = try BlockingThread(named: "bus", loop: loop)
            return { try await thread.run {} }
        }
        let profile = BoardProfile(name: "benchmark", i2cBuses: ["I2C": node], spiTargets: ["SPI": node])
        let board = LinuxBoard(profile, loop: loop)
        guard let address = I2CAddress(0x70), let speed = Frequency(hertz: 1_000_000) else {
            throw SystemError(code: EINVAL, call: "address and speed")
        }
        if kind == "spi" {
            let configuration = SPIConfiguration(maximumSpeed: speed)
            let device = try await board.makeSPIDevice("SPI", configuration, consumer: "benchmark")
            return { _ = try await device.transfer([1, 2, 3, 4]) }
        }
        let device = try await board.makeI2CDevice(bus: "I2C", address: address, consumer: "benchmark")
        if kind == "raw" { return { _ = try await device.writeRead([0], count: 2) } }
        return { _ = try await device.readRegister(0) }
    }

    private static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
