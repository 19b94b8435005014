import DeviceRuntime
import StorageBackends
import TestSupport

@testable import CaptureStore

extension Site {
    private static let emulatorServer = Result { try ScriptServer("google-emulator") }

    /// Two RSA keys: the account's, and one that nobody knows.
    private static let keys = Result {
        let folder = try TemporaryDirectory()
        for name in ["right", "wrong"] {
            for command in [
                ["genrsa", "-out", "\(folder.path)/\(name).pem", "2048"],
                ["rsa", "-in", "\(folder.path)/\(name).pem", "-pubout", "-out", "\(folder.path)/\(name).pub"],
            ] {
                let (lines, code) = try RunningProcess.run(["/usr/bin/openssl"] + command)
                guard code == 0 else { throw NotShown(description: "openssl: \(lines)") }
            }
        }
        return folder
    }

    /// Gives the fake the public key of the account.
    static func prepareServiceAccount(of fake: FakeStorage) throws {
        try write(try Files.read("\(keys.get().path)/right.pub"), to: "\(fake.directory.path)/public.pem")
    }

    private static func account(_ setup: StorageSite.Setup) throws -> ServiceAccount {
        let key = try Files.read("\(keys.get().path)/\(setup.hasRightLogin ? "right" : "wrong").pem")
        let text = JSONText.object([
            "type": .text("service_account"), "client_email": .text("perch@porch.iam.gserviceaccount.com"),
            "private_key": .text(String(decoding: key, as: UTF8.self)), "private_key_id": .text("1"),
            "token_uri": .text(setup.url + "/token"),
        ]).description
        guard let account = ServiceAccount(file: text) else { throw NotShown(description: "the account is unreadable") }
        return account
    }

    private static func settings(_ setup: StorageSite.Setup) -> GoogleCloudSettings {
        var settings = GoogleCloudSettings(bucket: "porch")
        settings.endpoint = setup.url
        settings.chunkSize = 5 << 20
        settings.resumeFile = "\(setup.folder)/uploads/google"
        return settings
    }

    static let googleEmulator = StorageSite(
        backend: "Google Cloud Storage", server: emulator, traits: [.noticesDamage],
        upload: "^(POST|PUT) /upload", commit: "^(POST|PUT) /upload",
        reasons: [
            .keepsTakenNames: "the emulator does not look at the condition that the name is free",
            .checksTime: "the emulator asks for no token",
            .resumes: "the emulator may say of an upload that it has nothing, and then take no beginning",
        ],
        upstream: { try emulatorServer.get().port },
        makeBackend: { setup in
            try GoogleCloudBackend(
                name: "google", settings(setup), account: nil, connection: setup.connection, loop: setup.loop)
        },
        content: { name, fake in
            let port = try emulatorServer.get().port
            let path = encoded(name, keeping: "")
            return try download("http://127.0.0.1:\(port)/storage/v1/b/porch/o/\(path)?alt=media", fake)
        })

    static let googleFake = StorageSite(
        backend: "Google Cloud Storage", server: fakeServer,
        traits: [.keepsTakenNames, .noticesDamage, .resumes, .checksTime], upload: "^POST /upload",
        commit: "^POST /upload", upstream: { nil },
        makeBackend: { setup in
            try GoogleCloudBackend(
                name: "google", settings(setup), account: try account(setup), connection: setup.connection,
                wallClock: setup.wallClock, loop: setup.loop)
        }, content: { name, fake in try fake.stored("google/porch/\(name)") })

    static let firebase = StorageSite(
        backend: "Firebase", server: fakeServer, traits: [.keepsTakenNames, .noticesDamage, .resumes, .checksTime],
        upload: "^POST /upload", commit: "^POST /upload", upstream: { nil },
        makeBackend: { setup in
            FirebaseObjects(
                backend: try FirebaseBackend(
                    name: "firebase", database: setup.url + "/database/events", settings(setup),
                    account: try account(setup), connection: setup.connection, wallClock: setup.wallClock,
                    loop: setup.loop), folder: setup.folder)
        }, content: { name, fake in try fake.stored("google/porch/\(name)") })
}

/// Gives Firebase records, each with one file: an object.
private struct FirebaseObjects: ObjectStorage {
    let backend: FirebaseBackend
    let folder: String

    var name: String { backend.name }
    var destination: String { backend.destination }

    func store(_ object: StoredObject) async throws {
        var object = object
        if case .bytes(let bytes) = object.body {
            let path = "\(folder)/payload"
            try write(bytes, to: path)
            object.body = .file(path: path, size: bytes.count)
        }
        let document = JSONText.object(["payload": .object(["name": .text(object.name)])]).description
        try await backend.store([
            StoredRecord(
                id: RecordID(device: "porch", identity: "1dea0000", sequence: 1), part: "bell", event: "pressed",
                time: WallTime(sinceEpoch: .zero), fields: [], document: document,
                objects: [
                    StoredObject(name: "1.json", mediaType: "application/json", body: .bytes(Array(document.utf8))),
                    object,
                ])
        ])
    }
}
