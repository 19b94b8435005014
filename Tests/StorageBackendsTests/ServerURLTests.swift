import CaptureStore
import TestSupport
import Testing

@testable import StorageBackends

@Suite("Server addresses and credentials")
struct ServerURLTests {
    @Test(
        "An address of a folder gets a slash at its end",
        arguments: [
            ("https://nas.local/porch", "https://nas.local/porch/"), ("https://nas.local", "https://nas.local/"),
            ("http://[::1]:8080/a/", "http://[::1]:8080/a/"),
        ])
    func addresses(text: String, expected: String) throws {
        #expect(try ServerURL.checked(text) == expected)
    }

    @Test(
        "What is not one is refused with what would be right, and not shown",
        arguments: [
            "", "nas.local/porch", "ftp://nas.local/", "file:///etc/passwd", "https://me:secret@nas.local/",
            "https://secret@nas.local/", "https://nas.local/?token=secret", "https://nas.local/#secret",
            "http://na s.local/", "http://nas.local:99999/",
        ])
    func mistakes(text: String) throws {
        let error = try #require(thrown(StorageError.self) { try ServerURL.checked(text) })
        #expect(error.kind == .permanent)
        #expect(error.advice != nil)
        #expect(!error.description.contains("secret"))
    }

    @Test(
        "A name becomes the path of a URL",
        arguments: [
            ("porch/3fa2c81b/00000042-bell.pressed.json", "porch/3fa2c81b/00000042-bell.pressed.json"),
            ("a b?c#d%e", "a%20b%3Fc%23d%25e"), ("tür\n", "t%C3%BCr%0A"),
        ])
    func names(name: String, expected: String) {
        #expect(ServerURL.encoded(name) == expected)
    }

    @Test("Credentials show themselves nowhere")
    func secrets() throws {
        for credentials in [
            try #require(HTTPCredentials.bearer("hunter2")),
            try #require(HTTPCredentials.basic(user: "hunter2", password: "hunter2")),
        ] {
            var dumped = ""
            dump(credentials, to: &dumped)
            dump([credentials], to: &dumped)
            let texts = ["\(credentials)", String(reflecting: credentials), "\(Optional(credentials) as Any)", dumped]
            for text in texts { #expect(!text.contains("hunter2")) }
        }
    }

    @Test("A secret cannot add a header of its own")
    func injection() {
        #expect(HTTPCredentials.bearer("a\r\nX: y") == nil)
        #expect(HTTPCredentials.bearer("") == nil)
        #expect(HTTPCredentials.basic(user: "a:b", password: "c") == nil)
        #expect(HTTPCredentials.basic(user: "a", password: "b\nc") == nil)
        #expect(HTTPCredentials.basic(user: "a", password: "") != nil)
    }

    @Test("The parts of an address that are signed or said in headers")
    func parts() {
        #expect(ServerURL.host("https://nas.local:8080/a/b?c=/d") == "nas.local:8080")
        #expect(ServerURL.path("https://nas.local:8080/a/b?c=/d") == "/a/b")
        #expect(ServerURL.encodedWord("a/b c") == "a%2Fb%20c")
    }

    @Test("A proxy is an address without a login")
    func proxies() {
        for text in ["http://proxy.local:3128", "https://proxy.local", "socks5h://[::1]:1080"] {
            #expect(ServerURL.isValidProxy(text), "\(text)")
        }
        for text in ["", "proxy.local", "ftp://proxy.local", "http://me:secret@proxy.local:3128"] {
            #expect(!ServerURL.isValidProxy(text), "\(text)")
        }
    }
}
