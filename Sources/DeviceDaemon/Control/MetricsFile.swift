import DeviceRuntime

/// A file with what the daemon counts, written anew from time to time: for the textfile collector of Prometheus'
/// node_exporter, which takes files that end in `.prom`.
public struct MetricsFile: Sendable, Hashable {
    public var path: String
    public var interval: Duration
}

extension MetricsFile {
    /// Writes it until cancelled, and removes it then: numbers of a daemon that does not run are not taken for its own.
    /// That it cannot be written is said once.
    func keep(_ site: ControlSite, logger: Logger) async throws {
        let thread = try BlockingThread(named: "metrics", loop: site.loop)
        let path = path
        defer { try? Files.remove(path) }
        var isFailing = false
        while true {
            do {
                let text = try await Status(site).metrics
                try await thread.run { try Files.replace(path, with: text.utf8) }
                if isFailing { logger.notice("the metrics file is written again", ["file": path]) }
                isFailing = false
            } catch let error as SystemError {
                if !isFailing {
                    logger.warning("the metrics file cannot be written", ["file": path, "error": "\(error)"])
                }
                isFailing = true
            }
            try await site.loop.sleep(for: interval)
        }
    }
}
