import DeviceRuntime
import Glibc
import TestSupport

/// The package that `make deb` has made, and what is made of it.
enum DebianPackage {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    static let project = Files.parent(of: Files.parent(of: Files.parent(of: #filePath)))

    /// Its path. There is one, since `make deb` begins with an empty folder.
    static var path: String {
        get throws {
            var found: [String] = []
            let folder = "\(project)/.build/deb"
            if try Files.size(of: folder) != nil { try Files.forEachEntry(of: folder) { found.append($0) } }
            guard let name = found.first(where: { $0.hasSuffix(".deb") && !$0.contains("dbgsym") }) else {
                throw Missing(description: "there is no package in \(folder): make it with `make deb`")
            }
            return "\(folder)/\(name)"
        }
    }

    /// Runs a shell's script with `$DEB` and `$PROJECT`, and throws what it said unless it ends well.
    @discardableResult
    static func shell(_ script: String, _ variables: [String] = []) throws -> [String] {
        let environment = [
            "DEB=\(try path)", "PROJECT=\(project)", "LC_ALL=C.UTF-8",
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        ]
        let (lines, code) = try RunningProcess.run(
            ["/bin/bash", "-euo", "pipefail", "-c", script], environment: environment + inherited + variables)
        guard code == 0 else { throw Missing(description: "ended with \(code): \(lines.joined(separator: "\n"))") }
        return lines
    }

    /// What `Tests/Boot/tree` goes by.
    private static var inherited: [String] {
        let names: [String] = ["HOME", "XDG_CACHE_HOME", "RELEASE", "TREE"]
        return names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }

    /// The same package with another version and changed default configuration: nothing is built for it.
    static let nextVersion = """
        dpkg-deb -R "$DEB" next
        sed -i 's/^Version:.*/Version: 99.0/' next/DEBIAN/control
        echo '# changed by the packager' >> next/etc/perch/perch.yaml
        dpkg-deb -Zgzip -z1 -b next next.deb >/dev/null
        rm -rf next
        """
}
