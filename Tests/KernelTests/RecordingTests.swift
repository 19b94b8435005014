import DeviceRuntime
import Glibc
import TestSupport
import Testing

extension OnTheKernel {
    @Suite("Recording on the kernel", .serialized)
    struct RecordingTests {
        /// The folder of this checkout.
        private static let project = #filePath.split(separator: "/").prefix { $0 != "Tests" }.reduce("") {
            "\($0)/\($1)"
        }

        /// A folder with the configuration of Tests/Recordings, for the kernel's own number of i2c-stub.
        private static func site(_ kernel: Kernel) throws -> TemporaryDirectory {
            let folder = try TemporaryDirectory()
            let number = try kernel.stubProfile(as: "STUB").number
            for name in ["porch.yaml", "board.yaml"] {
                let content = try text("\(project)/Tests/Recordings/\(name)")
                try folder.write(content.replacing("/dev/i2c-4", with: "/dev/i2c-\(number)"), to: name)
            }
            return folder
        }

        /// Records a few seconds on the porch: somebody comes by, rings, and goes.
        private static func record(_ kernel: Kernel, in folder: TemporaryDirectory) throws {
            let (motion, bell) = (kernel.header(17), kernel.header(27))
            for wire in [motion, bell] { try wire.pull("pull-down") }
            let daemon = try RunningProcess([
                RunningProcess.perch, "record", "--verbose", "--config", "\(folder.path)/porch.yaml", "--output",
                "\(folder.path)/porch.trace", "--state", "\(folder.path)/state",
            ])
            try daemon.line(containing: "device failed; it is tried again (device: lost")
            while !(try RunningProcess.run(["/usr/bin/gpioinfo", "pinctrl-bcm2711"]).lines.joined().contains("bell")) {}
            let send = try RunningProcess.run([
                RunningProcess.perch, "send", "--state", "\(folder.path)/state", "arm", "move", "to=45deg",
                "over=200ms",
            ])
            #expect(send.code == 0, "\(send.lines)")
            try daemon.line(containing: "moved (device: arm")
            try motion.pull("pull-up")
            try daemon.line(containing: "moved (device: arm")
            try bell.pull("pull-up")
            try daemon.line(containing: "captured (device: camera")
            try bell.pull("pull-down")
            try daemon.line(containing: "released (device: bell")
            try motion.pull("pull-down")
            try daemon.line(containing: "sign.clear")
            // Until it was tried again twice, with pauses.
            while try text("\(folder.path)/porch.trace").ranges(of: "I2C3 0x70: open").count < 3 {}
            #expect(daemon.end(SIGTERM) == 0)
        }

        private static func replay(_ folder: TemporaryDirectory, _ trace: String) throws -> (text: String, code: Int32)
        {
            let (lines, code) = try RunningProcess.run([
                RunningProcess.perch, "replay", "--config", "\(folder.path)/porch.yaml", "\(folder.path)/\(trace)",
            ])
            return (lines.joined(separator: "\n"), code)
        }

        @Test("What was recorded here replays on the simulated board to the same, to the nanosecond", arguments: 1...3)
        func same(round: Int) throws {
            let folder = try Self.site(try Kernel())
            try Self.record(try Kernel(), in: folder)
            let trace = try text("\(folder.path)/porch.trace")
            for line in [
                "perch: start ", ", on kernel", "GPIO27: rising", "bell: tells pressed at ",
                "arm: told \"move\" \"to=45deg\" \"over=200ms\"", "arm: tells moved degrees=45",
                "arm: tells moved degrees=160",
                "PWM0: pulse ", "I2C3 0x70: write 21 -> ! noAcknowledge", "STUB 0x70: write 00 ",
                "camera of camera: picture of \"bell.pressed\" -> application/octet-stream 8 bytes",
                "camera: tells captured at ", "perch: stop", "PWM0: close",
            ] { #expect(trace.contains(line), "\(line) is not in\n\(trace)") }
            let (said, code) = try Self.replay(folder, "porch.trace")
            #expect(code == 0, "\(said)\n\(trace)")
            #expect(said.contains("porch.trace: the same: "))
            if round == 1, let golden = getenv("PERCH_GOLDEN") {
                try Files.write((trace + "\n").utf8, to: String(cString: golden))
            }
        }

        @Test("A trace of other outputs differs")
        func different() throws {
            let folder = try Self.site(try Kernel())
            try Self.record(try Kernel(), in: folder)
            let trace = try text("\(folder.path)/porch.trace")
            try folder.write(
                trace.replacing("tells moved degrees=160", with: "tells moved degrees=161"), to: "other.trace")
            let (said, code) = try Self.replay(folder, "other.trace")
            #expect(code == 1)
            #expect(said.contains("something else was done than line"))
            #expect(said.contains("+     ") && said.contains("arm: tells moved degrees=160.0"))
        }

        @Test("A recording ends when its time is over, and a configuration is not read again meanwhile")
        func duration() throws {
            let folder = try Self.site(try Kernel())
            let daemon = try RunningProcess([
                RunningProcess.perch, "record", "-c", "\(folder.path)/porch.yaml", "-o", "\(folder.path)/a.trace",
                "--for", "1500ms", "--state", "\(folder.path)/state",
            ])
            try daemon.line(containing: "running (device: porch")
            daemon.signal(SIGHUP)
            try daemon.line(containing: "the configuration is not read again")
            try daemon.line(containing: "a.trace: written")
            #expect(daemon.wait() == 0)
            #expect(try Self.replay(folder, "a.trace").code == 0)
        }

        @Test("A trace that cannot be written is an error, before or while it is recorded")
        func full() throws {
            let folder = try Self.site(try Kernel())
            for path in ["/nonexistent/a.trace", "/dev/full"] {
                let (lines, code) = try RunningProcess.run([
                    RunningProcess.perch, "record", "-c", "\(folder.path)/porch.yaml", "-o", path, "--state",
                    "\(folder.path)/state",
                ])
                #expect(code == 1, "\(lines)")
                #expect(lines.joined().contains("the trace is not complete: "), "\(lines)")
            }
        }
    }
}
