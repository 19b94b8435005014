/// The kinds of storage that Perch comes with.
public let standardStorage: [StorageKind] = [
    directoryStorage, httpStorage, webDAVStorage, s3Storage, googleCloudStorage, firebaseStorage, mqttStorage,
    influxStorage, httpPostStorage,
]
