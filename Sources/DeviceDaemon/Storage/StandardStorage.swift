/// The kinds of storage that Perch comes with.
public let standardStorage: [StorageKind] = [directoryStorage, httpStorage, s3Storage]
