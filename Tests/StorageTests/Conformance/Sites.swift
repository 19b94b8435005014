import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport

/// The backends, each with the servers that it is tried against.
enum Site {
    static let all = [
        httpPut, webDAV(nginxServer, nginxUpstream, nginxContent), webDAV("WsgiDAV 4.4", wsgiUpstream, wsgiContent),
        openStackSite, motoSite, s3Fake,
        googleEmulator, googleFake, firebase,
    ]

    static let emulator = "gcp-storage-emulator"
    static let wrongSecret = "wr0ng-s3cret"
    static let authority = Result { try TestAuthority() }
    static let fakeServer = "strict fake"

    private static let nginxServer = "nginx 1.22"
    private static let nginx = Result { try Nginx() }
    private static let wsgi = Result { try ScriptServer("wsgidav") }

    @Sendable private static func nginxUpstream() throws -> UInt16? { try nginx.get().port }
    @Sendable private static func wsgiUpstream() throws -> UInt16? { try wsgi.get().port }

    @Sendable private static func nginxContent(_ name: String) throws -> [UInt8]? {
        try? nginx.get().stored("dav/\(name)")
    }

    @Sendable private static func wsgiContent(_ name: String) throws -> [UInt8]? {
        try wsgi.get().file("root/dav/\(name)")
    }

    private static func login(_ setup: StorageSite.Setup) -> HTTPCredentials? {
        .basic(user: "porch", password: setup.hasRightLogin ? "s3cret" : wrongSecret)
    }

    private static let httpPut = StorageSite(
        backend: "HTTP PUT", server: nginxServer, traits: [], upload: "^PUT", commit: "^PUT", upstream: nginxUpstream,
        makeBackend: { setup in
            try HTTPBackend(
                name: "put", url: setup.url + "/login", credentials: login(setup), connection: setup.connection,
                loop: setup.loop)
        }, content: { name, _ in try? nginx.get().stored("login/\(name)") })

    private static func webDAV(
        _ server: String, _ upstream: @escaping @Sendable () throws -> UInt16?,
        _ content: @escaping @Sendable (String) throws -> [UInt8]?
    ) -> StorageSite {
        StorageSite(
            backend: "WebDAV", server: server, traits: [.keepsTakenNames, .noticesDamage], upload: "^PUT",
            commit: "^MOVE", upstream: upstream,
            makeBackend: { setup in
                try WebDAVBackend(
                    name: "dav", url: setup.url + "/dav", credentials: login(setup), connection: setup.connection,
                    loop: setup.loop)
            }, content: { name, _ in try content(name) })
    }
}
