import CaptureStore
import DeviceRuntime
import Glibc
import TestSupport
import Testing

extension OnTheKernel {
    @Suite("The daemon on the kernel", .serialized)
    struct DaemonTests {
        /// Edges in all.
        private static let edges = 1000

        /// A daemon with buttons on GPIO17 and GPIO27, whose records go to an nginx here.
        private final class Site: Sendable {
            let kernel: Kernel
            let nginx: Nginx
            private let daemon = Protected<RunningProcess?>(nil)

            init(_ kernel: Kernel) throws {
                self.kernel = kernel
                nginx = try Nginx()
                let configuration = """
                    device: porch
                    board: auto
                    devices:
                      door: { driver: button, pin: GPIO17, pull: down, settle: 1ms }
                      bell: { driver: button, pin: GPIO27, pull: down, settle: 1ms }
                    storage:
                      nas: { backend: http, url: "\(nginx.url)" }
                    """
                try nginx.directory.write(configuration, to: "perch.yaml")
                for wire in [kernel.header(17), kernel.header(27)] { try wire.pull("pull-down") }
                try start()
            }

            var state: String { "\(nginx.directory.path)/state" }

            func start() throws {
                let process = try RunningProcess([
                    RunningProcess.perch, "run", "--verbose", "--config", "\(nginx.directory.path)/perch.yaml",
                    "--state", state,
                ])
                try process.line(containing: "running (device: porch, board: raspberry-pi-4")
                daemon.withLock { $0 = process }
                // A line is watched a moment after the daemon runs: the kernel names its holder then.
                while !(try lines().contains("bell") && lines().contains("door")) {}
            }

            private func lines() throws -> String {
                try RunningProcess.run(["/usr/bin/gpioinfo", "pinctrl-bcm2711"]).lines.joined()
            }

            /// Pulls one line and waits until the daemon has told the event: no edge can merge with the next.
            func edge(_ number: Int) throws {
                let isBell = number.isMultiple(of: 2)
                let isRising = number / 2 % 2 == 0
                try kernel.header(isBell ? 27 : 17).pull(isRising ? "pull-up" : "pull-down")
                let event = isRising ? "pressed" : "released"
                let device = isBell ? "bell" : "door"
                try daemon.withLock { $0 }?.line(containing: "\(event) (device: \(device)")
            }

            func terminate() -> Int32? { daemon.withLock { $0 }?.end(SIGTERM) }

            /// The identifiers of what has arrived.
            func arrived() throws -> [String] {
                try nginx.directory.tree().filter { $0.hasPrefix("root/porch/") && $0.hasSuffix(".json") }
            }
        }

        @Test("Each of 1,000 edges is one record at nginx, over an outage, and over a restart of the daemon in it")
        func edgesArrive() async throws {
            let kernel = try Kernel()
            let site = try Site(kernel)
            for number in 0..<Self.edges * 4 / 10 { try site.edge(number) }
            site.nginx.stop()
            for number in Self.edges * 4 / 10..<Self.edges / 2 { try site.edge(number) }

            // SIGTERM while the server is away: what is left is in the outbox, and waits there.
            let begin = EventLoop.monotonicNow()
            #expect(site.terminate() == 0)
            print("SIGTERM took \(EventLoop.monotonicNow() - begin) with \(Self.edges / 10) records waiting")
            var waiting = 0
            try OutboxReader(directory: site.state).forEachEntry { _ in waiting += 1 }
            #expect(waiting >= Self.edges / 10)
            #expect(try site.arrived().count + waiting == Self.edges / 2)

            try site.start()
            try site.nginx.start()
            for number in Self.edges / 2..<Self.edges { try site.edge(number) }
            try await Self.wait(for: site)
            #expect(site.terminate() == 0)

            let names = try site.arrived().compactMap { $0.split(separator: "/").last }
            let sequences = names.compactMap { Int($0.prefix { $0 != "-" }) }.sorted()
            #expect(sequences == Array(1...Self.edges))
            for (event, count) in [("door.pressed", 250), ("door.released", 250), ("bell.pressed", 250)] {
                #expect(names.count { $0.hasSuffix("-\(event).json") } == count, "\(event)")
            }
        }

        /// Waits until all is delivered: after an outage the uploader pauses for some seconds. There is nothing to be
        /// told by, so it looks.
        private static func wait(for site: Site) async throws {
            try await EventLoop.run(time: .real) { loop in
                for _ in 0..<1200 {
                    if try OutboxReader(directory: site.state).backlog().allSatisfy({ $0.pending == 0 }) { return }
                    try await loop.sleep(for: .milliseconds(100))
                }
                Issue.record("records still wait after two minutes")
            }
        }
    }
}
