import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

extension Site {
    private static let openStack = Result {
        try ScriptServer("openstack-swift/server", isPackaged: true)
    }
    private static let moto = Result { try ScriptServer("moto") }

    private static func motoKeys() throws -> String {
        String(decoding: try moto.get().file("keys") ?? [], as: UTF8.self)
    }

    private static let fakeKeys = """
        aws_access_key_id = AKIDEXAMPLE
        aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY

        """

    static let openStackSite = StorageSite(
        backend: "S3", server: "OpenStack Swift 2.30",
        traits: [.keepsTakenNames, .noticesDamage, .resumes, .checksTime], upload: "^PUT", commit: "^PUT",
        upstream: { try openStack.get().port },
        makeBackend: { setup in
            try makeS3(setup, setup.url, "aws_access_key_id = test:tester\naws_secret_access_key = testing\n")
        },
        content: { name, fake in
            let server = try openStack.get()
            let token = String(decoding: try server.file("token") ?? [], as: UTF8.self)
            return try download(
                "http://127.0.0.1:\(server.port)/v1/AUTH_test/porch/\(encoded(name))", fake,
                ["-H", "X-Auth-Token: \(token)"])
        })

    static let motoSite = StorageSite(
        backend: "S3", server: "moto 5.2", traits: [.keepsTakenNames, .noticesDamage, .resumes], upload: "^PUT",
        commit: "^PUT", reasons: [.checksTime: "moto does not look at the time"], upstream: { try moto.get().port },
        makeBackend: { setup in try makeS3(setup, setup.url, try motoKeys()) },
        content: { name, fake in
            let host = "127.0.0.1:\(try moto.get().port)"
            let words = try motoKeys().split(separator: "\n").compactMap { $0.split(separator: " ").last }
            return try download(
                "http://\(host)/porch/\(encoded(name))", fake,
                [
                    "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", words.joined(separator: ":"), "-H",
                    "Host: \(host)",
                    // The hash of no body, which curl 7.88 leaves out.
                    "-H", "X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                ])
        })

    static let s3Fake = StorageSite(
        backend: "S3", server: fakeServer, traits: [.keepsTakenNames, .noticesDamage, .resumes, .checksTime],
        upload: "^PUT", commit: "^PUT", upstream: { nil },
        makeBackend: { setup in try makeS3(setup, setup.url + "/s3", fakeKeys) },
        content: { name, fake in try fake.stored("s3/porch/\(name)") })

    private static func makeS3(_ setup: StorageSite.Setup, _ endpoint: String, _ keys: String) throws -> S3Backend {
        var settings = S3Settings(endpoint: endpoint, bucket: "porch", region: "us-east-1")
        settings.partSize = 5 << 20
        let text =
            setup.hasRightLogin ? keys : keys.split(separator: "\n")[0] + "\naws_secret_access_key = \(wrongSecret)"
        guard let keys = AccessKeys(file: String(text)) else { throw NotShown(description: "the keys cannot be read") }
        return try S3Backend(
            name: "s3", settings, keys: keys, connection: setup.connection, wallClock: setup.wallClock,
            loop: setup.loop)
    }

    /// Gets an object with the program curl, to know what is there by another way than the backend's.
    static func download(_ url: String, _ fake: FakeStorage, _ options: [String] = []) throws -> [UInt8]? {
        let file = "\(fake.directory.path)/download"
        try Files.remove(file)
        let code = try RunningProcess.run(
            ["/usr/bin/curl", "--silent", "--fail", "--output", file] + options + [url]
        ).code
        // What curl says of an answer from 400 on.
        if code == 22 { return nil }
        guard code == 0 else { throw NotShown(description: "curl ends with \(code)") }
        // curl makes no file for an empty object.
        return try Files.size(of: file) == nil ? [] : try Files.read(file)
    }

    static func encoded(_ name: String, keeping kept: String = "/") -> String {
        name.utf8.map { byte -> String in
            let character = Character(Unicode.Scalar(byte))
            let isPlain =
                character.isASCII && (character.isLetter || character.isNumber || "-._~\(kept)".contains(character))
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(character) : "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }
}
