import Conformance
import DeviceRuntime
import Glibc
import LinuxPeripherals
import Peripherals
import Testing

extension OnTheKernel {
    @Suite("Edges under load on the kernel", .serialized)
    struct EdgeLoadTests {
        private let kernel: Kernel

        init() throws { kernel = try Kernel() }

        private static let offsets = [17, 22, 23, 27]

        /// What one line told, added up.
        private struct Tally {
            var edges = 0
            var losses = 0
            var lost: UInt64 = 0
            var level = Level.low
            var doubles = 0

            mutating func add(_ event: LineEvent) {
                if case .loss(let loss) = event {
                    losses += 1
                    lost += loss.count ?? 0
                } else {
                    edges += 1
                }
                guard let edge = event.edge else { return }
                if edge.edge.level == level { doubles += 1 }
                level = edge.edge.level
            }
        }

        /// Changes each of the four lines `count` times, 2 ms apart: closer together the simulator merges them.
        private func changeFourLines(_ count: Int, handlerStalls: Bool) async throws -> [Tally] {
            for offset in Self.offsets { try kernel.header(offset).pull("pull-down") }
            let kernel = kernel
            return try await kernel.run { loop, board in
                let tallies = Protected([Tally](repeating: Tally(), count: 4))
                var lines: [any DigitalInput] = []
                for (index, offset) in Self.offsets.enumerated() {
                    let line = try await board.makeDigitalInput("GPIO\(offset)", .init(), consumer: "test")
                    try line.setEventHandler { event in
                        let edges = tallies.withLock { tallies in
                            tallies[index].add(event)
                            return tallies[index].edges
                        }
                        // For 25 changes of each line: more than the kernel keeps.
                        if handlerStalls, edges.isMultiple(of: 200) { usleep(50_000) }
                    }
                    lines.append(line)
                }
                // On a thread of its own, which goes on while the handler stalls.
                let wires = Self.offsets.map { kernel.header($0) }
                let thread = try BlockingThread(named: "pulling", loop: loop)
                try await thread.run {
                    for number in 0..<count {
                        for wire in wires { try wire.pull(number.isMultiple(of: 2) ? "pull-up" : "pull-down") }
                        usleep(2000)
                    }
                }
                // What was lost without an edge after it is found out by then.
                try await loop.sleep(for: .milliseconds(200))
                for line in lines { line.close() }
                return tallies.withLock { $0 }
            }
        }

        @Test("Of 20,000 edges on four lines at the simulator's fastest rate none is lost silently")
        func fastEdges() async throws {
            let tallies = try await changeFourLines(5000, handlerStalls: false)
            for tally in tallies {
                #expect(tally.edges == 5000 || tally.losses > 0)
                #expect(tally.level == .low && tally.doubles == 0)
            }
            // A machine that is busy may stall the kernel itself; not for most of the time.
            #expect(tallies.map(\.edges).reduce(0, +) > 15_000)
        }

        @Test("A handler that stalls is told of every loss, and ends with the right level")
        func stallingHandler() async throws {
            let tallies = try await changeFourLines(1000, handlerStalls: true)
            for tally in tallies {
                #expect(tally.edges < 1000 && tally.losses > 0)
                #expect(tally.level == .low && tally.doubles == 0)
                // Where the kernel numbers edges, each one is accounted for.
                if tally.lost > 0 { #expect(UInt64(tally.edges) + tally.lost == 1000) }
            }
        }
    }
}
