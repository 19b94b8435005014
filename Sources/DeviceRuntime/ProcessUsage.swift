internal import CLinux
internal import Glibc

/// What this process takes of the system, since it began.
public struct ProcessUsage: Sendable, Hashable {
    /// CPU time of all threads.
    public var cpu: Duration
    /// Memory that is in RAM, shared libraries in full; `nil` where /proc does not say.
    public var residentBytes: Int?
    /// Open file descriptors; `nil` where /proc does not say.
    public var openFiles: Int?
    /// What the kernel had to write to disks for this process (`write_bytes` of proc_pid_io(5)): what wears flash out.
    /// `nil` where the kernel does not count it.
    public var diskBytesWritten: Int?

    public init(cpu: Duration, residentBytes: Int? = nil, openFiles: Int? = nil, diskBytesWritten: Int? = nil) {
        self.cpu = cpu
        self.residentBytes = residentBytes
        self.openFiles = openFiles
        self.diskBytesWritten = diskBytesWritten
    }

    /// Reads it from the kernel: a few system calls, none of which waits.
    public static func now() -> ProcessUsage {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        var files = -1  // The one that the folder is read with.
        let isCounted = (try? Files.forEachEntry(of: "/proc/self/fd") { _ in files += 1 }) != nil
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let written = text("/proc/self/io").split(separator: "\n").first { $0.hasPrefix("write_bytes:") }
        return ProcessUsage(
            cpu: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec),
            residentBytes: pages.map { $0 * Int(getpagesize()) }, openFiles: isCounted ? files : nil,
            diskBytesWritten: written?.split(separator: " ").last.flatMap { Int($0) })
    }

    private static func text(_ path: String) -> String {
        (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
