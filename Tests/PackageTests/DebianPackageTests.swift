import TestSupport
import Testing

/// What needs a package, made by `make deb`.
@Suite("The Debian package", .serialized)
struct DebianPackageTests {
    @Test("It has all that a person and the system need, and the program is stripped and small")
    func contents() throws {
        let lines = try DebianPackage.shell("dpkg-deb -c \"$DEB\"")
        func line(_ path: String) -> String? { lines.first { $0.hasSuffix(path) } }
        for path in [
            "/usr/bin/perch", "lib/systemd/system/perch.service", "/usr/lib/sysusers.d/perch.conf",
            "lib/udev/rules.d/60-perch.rules", "/etc/perch/perch.yaml", "/usr/share/man/man1/perch.1.gz",
            "/usr/share/man/man5/perch.yaml.5.gz", "/usr/share/bash-completion/completions/perch",
            "/usr/share/zsh/vendor-completions/_perch", "/usr/share/fish/vendor_completions.d/perch.fish",
            "/usr/share/doc/perch/examples/doorbell.yaml", "/usr/share/doc/perch/copyright",
            "/usr/share/doc/perch/changelog.gz",
        ] { #expect(line(path) != nil, "\(path)") }
        let words = try #require(line("/usr/bin/perch")).split(separator: " ")
        #expect(words.first == "-rwxr-xr-x")
        let size = try #require(words.count > 2 ? Int(words[2]) : nil)
        // 15 MiB, with Swift's runtime in it.
        #expect(size <= 15 << 20, "\(size)")
        print("/usr/bin/perch has \(size) bytes")
    }

    @Test("Its configuration is a conffile, and its program takes no library of Swift's from the board")
    func fields() throws {
        let conffiles = try DebianPackage.shell("dpkg-deb -I \"$DEB\" conffiles")
        #expect(conffiles == ["/etc/perch/perch.yaml"])
        let depends = try DebianPackage.shell("dpkg-deb -f \"$DEB\" Depends").joined()
        for library in ["libgpiod", "libcurl", "libsqlite3-0", "libmosquitto1", "libsystemd0", "libyaml-0-2"] {
            #expect(depends.contains(library), "\(depends)")
        }
        #expect(!depends.contains("swift"))
    }

    @Test("lintian has nothing to say against it")
    func lintian() throws {
        let lines = try DebianPackage.shell("lintian --fail-on none --tag-display-limit 0 \"$DEB\" 2>&1")
        let complaints = lines.filter { $0.hasPrefix("E:") || $0.hasPrefix("W:") }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    @Test("man reads its pages without a complaint")
    func pages() throws {
        for page in ["man1/perch.1", "man5/perch.yaml.5"] {
            let lines = try DebianPackage.shell(
                """
                dpkg-deb --fsys-tarfile "$DEB" | tar -xO ./usr/share/man/\(page).gz | gunzip > "$FOLDER/page"
                MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z "$FOLDER/page" 2>&1 >/dev/null
                """, ["FOLDER=\(folder.path)"])
            #expect(lines == [], "\(page)")
        }
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("Installed, upgraded, removed and purged: what is the user's stays until it is purged", .boundedHang)
    func life() throws {
        let lines = try DebianPackage.shell(
            """
            cd "$FOLDER"
            cp -a "$("$PROJECT/Tests/Boot/tree" "$DEB")/." root
            \(DebianPackage.nextVersion)
            cp "$DEB" root/first.deb
            mv next.deb root/next.deb
            inside() { chroot root "$@"; }
            inside dpkg --install /first.deb >/dev/null 2>&1
            inside getent group gpio i2c spi >/dev/null
            unshare --mount bash -c 'mount -t proc proc root/proc; chroot root perch check' | head -n 1
            test -e root/etc/systemd/system/multi-user.target.wants/perch.service -o \
                -L root/etc/systemd/system/multi-user.target.wants/perch.service && echo enabled

            mkdir -p root/var/lib/private/perch
            ln -s private/perch root/var/lib/perch
            echo kept > root/var/lib/perch/outbox.sqlite
            echo '# mine' >> root/etc/perch/perch.yaml
            inside dpkg --force-confold --install /next.deb >/dev/null 2>&1
            echo "version $(inside dpkg-query -W -f '${Version}' perch)"
            echo "upgrade: outbox $(cat root/var/lib/perch/outbox.sqlite), $(tail -n 1 root/etc/perch/perch.yaml)"

            inside dpkg --remove perch >/dev/null
            test ! -e root/usr/bin/perch
            test ! -e root/usr/lib/sysusers.d/perch.conf
            echo "remove: outbox $(cat root/var/lib/perch/outbox.sqlite), $(tail -n 1 root/etc/perch/perch.yaml)"

            inside dpkg --purge perch >/dev/null
            ls -d root/var/lib/perch root/var/lib/private/perch root/etc/perch root/usr/share/doc/perch 2>/dev/null \
                || echo purged
            # Nothing that begins with our name is left anywhere, but for the packages themselves.
            find root -name '*perch*' -not -path 'root/proc/*'
            """, ["FOLDER=\(folder.path)"])
        #expect(
            lines == [
                "/etc/perch/perch.yaml: valid", "enabled", "version 99.0", "upgrade: outbox kept, # mine",
                "remove: outbox kept, # mine", "purged",
            ])
    }
}
