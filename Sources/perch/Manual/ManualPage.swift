import DeviceDaemon
import DeviceKit

/// The manual pages, from the tables that the help, `check`, `drivers` and `backends` go by.
enum ManualPage {
    /// perch(1)
    static func perch(_ verbs: [Verb]) -> String {
        var page = Roff(
            name: "perch", section: 1, title: "runs the parts on a board, and brings what they capture to storage")
        page.section("Synopsis")
        page.paragraph("perch VERB [OPTION]… [OPERAND]…")
        page.section("Description")
        page.paragraph(
            """
            Perch turns a Raspberry Pi-class board into a dependable sensor device. One file, perch.yaml(5), says which \
            parts are on the board, what they do when something happens, and where what they capture goes. Everything \
            is on disk before anything else happens with it, and stays there until the storage has confirmed it.
            """)
        page.section("Verbs")
        for verb in verbs {
            page.subsection(
                ["perch", verb.name, verb.flags.isEmpty ? "" : "[options]", verb.operands].filter { !$0.isEmpty }
                    .joined(separator: " "))
            let lines = verb.summary.split(separator: "\n").map { String($0.drop { $0 == " " }) }
            for line in lines { page.paragraph(line) }
            for flag in verb.flags {
                page.item(
                    flag.spellings.reversed().joined(separator: ", ") + (flag.value.map { " \($0)" } ?? ""),
                    flag.summary)
            }
        }
        page.section("Exit status")
        for (code, meaning) in ExitCode.meanings { page.item("\(code.number)", meaning) }
        page.section("Files")
        for file in files { page.item(file.0, file.1) }
        page.section("See also")
        page.paragraph("perch.yaml(5), journalctl(1), systemctl(1), systemd.exec(5)")
        return page.text
    }

    /// perch.yaml(5)
    static var configuration: String {
        var page = Roff(name: "perch.yaml", section: 5, title: "what is on a board, and what it does")
        page.section("Synopsis")
        page.paragraph(ConfigurationFile.defaultPath)
        page.section("Description")
        page.paragraph(
            """
            One YAML file in UTF-8. Every value is text until the option that takes it gives it a meaning, and \
            quantities have their unit with them: 800ms, 90deg, 50%. "perch check" says everything that is wrong \
            in a file, with line and column. "systemctl reload perch" applies a changed one.
            """)
        page.example(
            """
            device: porch
            devices:
              bell: { driver: button, pin: GPIO27, pull: up }
              sign: { driver: ht16k33, bus: I2C1, address: 0x70 }
            rules:
              - when: bell.pressed
                do: [ sign.show: "HELLO" ]
            storage:
              nas: { backend: webdav, url: "https://nas.local/porch", login: nas-login }
            """)
        page.section("Keys")
        for key in ConfigurationTables.keys { page.item(key.name, "\(key.summary)\nwithout it: \(key.absence)") }
        page.section("Outbox")
        for row in ConfigurationTables.outbox.map(Table.row) { page.item(row.0, row.1) }
        page.section("Options of every storage")
        for row in ConfigurationTables.storage.map(Table.row) { page.item(row.0, row.1) }
        page.section("Drivers")
        for driver in standardDrivers { add(Reference(driver), to: &page) }
        page.section("Backends")
        for backend in standardStorage { add(Reference(backend.description), to: &page) }
        page.section("See also")
        page.paragraph("perch(1)")
        return page.text
    }

    private static func add(_ reference: Reference, to page: inout Roff) {
        page.subsection(reference.name)
        page.paragraph(reference.summary)
        for section in reference.sections { page.table(section.title, section.rows) }
    }

    private static let files = [
        (ConfigurationFile.defaultPath, "the configuration"),
        ("/var/lib/perch", "the outbox: what no storage has confirmed yet"),
        ("/run/perch/control", "the socket at which a running daemon answers"),
        ("/usr/share/doc/perch/examples", "configurations to begin with, and scenarios that test them"),
    ]
}
