public import DeviceKit

/// What a configuration may say outside of devices and backends, whose own tables say what they take.
public enum ConfigurationTables {
    /// A key at the top of the file.
    public struct Key: Sendable {
        public let name: String
        /// What it holds.
        public let summary: String
        /// What holds without it.
        public let absence: String
    }

    public static let keys = [
        Key(
            name: "device", summary: "the name of this whole device; part of the name of every record",
            absence: "an error"),
        Key(
            name: "board", summary: "what it runs on: auto, simulated, the name of a board, or the file of one",
            absence: "auto"),
        Key(name: "devices", summary: "the parts: a name for each, and its driver and options", absence: "none"),
        Key(name: "rules", summary: "a list: what happens when something happens", absence: "none"),
        Key(
            name: "storage", summary: "where records go: a name for each place, and its backend and options",
            absence: "nowhere"),
        Key(name: "outbox", summary: "how records are kept until the storage has them", absence: "the defaults below"),
        Key(name: "metrics", summary: "where programs that watch it find its counters", absence: "nowhere"),
        Key(
            name: "page", summary: "where a page is served to look at, and who may command through it",
            absence: "nowhere"),
    ]

    /// The options that every storage has beside its backend's.
    public static let storage = UploadOptions.table
    /// The options of `outbox`.
    public static let outbox = OutboxOptions.table
}
