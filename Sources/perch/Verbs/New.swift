import DeviceDaemon
import DeviceKit
import DeviceRuntime
import DriverTemplate

extension Verb {
    /// Makes a package outside of Perch, with a driver to begin with.
    static let new = Verb(
        name: "new", summary: "makes a package with a driver of your own: `perch new driver NAME`",
        operands: "driver NAME",
        flags: [
            Flag(name: "path", value: "DIR", summary: "the package's folder, which is made (default: ./NAME)"),
            Flag(
                name: "perch", value: "PATH-OR-URL",
                summary: "Perch's source, for the package to build on (default: where this perch was built)"),
        ]
    ) { arguments in
        guard arguments.operands.count == 2, arguments.operands[0] == "driver" else {
            throw CommandFailure(.usage, "perch new: expected a name, as in: perch new driver soil-sensor")
        }
        let template = try template(named: arguments.operands[1])
        let folder = arguments["path"] ?? template.name
        try checkIsNew(folder)
        for file in template.files(perch: try perch(arguments["perch"])) {
            try Files.makeDirectory(Files.parent(of: "\(folder)/\(file.path)"))
            try Files.write(file.content.utf8, to: "\(folder)/\(file.path)")
        }
        Output.print(
            """
            \(folder): a driver '\(template.name)', the model of its part, tests, and a daemon that includes it.
            What it does so far is what a TMP102 thermometer does.

                cd \(folder)
                swift test
                swift run \(template.name)-daemon perch.yaml

            docs/writing-a-driver.md of Perch goes through it, from the datasheet to CI.
            """)
        return .success
    }

    private static func template(named name: String) throws -> DriverTemplate {
        guard !standardDrivers.contains(where: { $0.name == name }), name != "perch" else {
            throw CommandFailure(.usage, "perch new: there is a '\(name)' in Perch already; choose another name")
        }
        do {
            return try DriverTemplate(name: name)
        } catch DriverTemplate.NameProblem.taken(let typeName) {
            throw CommandFailure(
                .usage,
                "perch new: '\(name)' would be \(typeName), which is a name in drivers already; "
                    + "choose another, such as my-\(name)")
        } catch {
            throw CommandFailure(
                .usage,
                "perch new: expected a name of small letters and digits with hyphens between its words, "
                    + "such as soil-sensor; found '\(name)'")
        }
    }

    private static func checkIsNew(_ folder: String) throws {
        guard try Files.size(of: folder) != nil else { return }
        throw CommandFailure(.usage, "perch new: \(folder) is there already; name a new folder with --path DIR")
    }

    private static func perch(_ place: String?) throws -> DriverTemplate.Perch {
        guard let place else {
            // Built from a checkout, it lies in there: /home/me/perch/.build/debug/perch.
            guard let program = try? Files.target(of: "/proc/self/exe"), let end = program.firstRange(of: "/.build/")
            else {
                throw CommandFailure(
                    .usage,
                    "perch new: say where Perch's source is: --perch PATH-OR-URL, "
                        + "as in --perch ../perch or --perch https://…/perch.git")
            }
            return .path(String(program[..<end.lowerBound]))
        }
        if place.contains("://") || place.hasPrefix("git@") { return .url(place) }
        guard let path = try? Files.target(of: place), try Files.size(of: "\(path)/Package.swift") != nil else {
            throw CommandFailure(.usage, "perch new: --perch \(place): there is no Package.swift")
        }
        return .path(path)
    }
}
