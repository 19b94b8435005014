/// A package with a driver of one's own, as `perch new driver` makes it: the one beside this file, under another name.
///
/// That one is compiled and tested with Perch, and docs/writing-a-driver.md explains it.
public struct DriverTemplate: Sendable {
    /// A file of the package.
    public struct File: Sendable, Hashable {
        /// From the package's folder on.
        public let path: String
        public let content: String
    }

    /// Where a package finds Perch.
    public enum Perch: Sendable, Hashable {
        case path(String)
        case url(String)

        /// What the package manager calls it.
        fileprivate var identity: String {
            guard case .url(let url) = self else { return "perch" }
            let last = url.split { $0 == "/" || $0 == ":" }.last.map { $0.lowercased() } ?? "perch"
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }

        fileprivate var dependency: String {
            switch self {
            case .path(let path): ".package(name: \"perch\", path: \(quoted(path)))"
            case .url(let url): ".package(url: \(quoted(url)), branch: \"main\")"
            }
        }
    }

    /// Why a name cannot be a driver's.
    public enum NameProblem: Error, Sendable, Hashable {
        /// It is not made of words of small letters and digits, with hyphens between them.
        case spelling
        /// A type of that name is used in the package already.
        case taken(typeName: String)
    }

    /// As in a configuration: `soil-sensor`
    public let name: String
    /// As in the source: `SoilSensor`. A word with a digit in it is a chip's, and has capitals: `TMP102`.
    public let typeName: String

    private static let sample = (name: "tmp102", typeName: "TMP102")

    public init(name: String) throws(NameProblem) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        let isSpelled = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
        }
        guard isSpelled, name.count <= 64, name.first?.isLetter == true else { throw .spelling }
        self.name = name
        typeName = words.map { word in
            word.contains(where: \.isNumber) ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        let used = Self.texts.map(\.content).joined().split { !$0.isLetter && !$0.isNumber }
        guard typeName == Self.sample.typeName || !used.contains(Substring(typeName)) else {
            throw .taken(typeName: typeName)
        }
    }

    /// The package's files.
    public func files(perch: Perch) -> [File] {
        let made = Self.texts.map { text in
            File(
                path: renamed(text.path),
                content: renamed(text.content.replacing("PERCH", with: perch.dependency))
                    .replacing("package: \"perch\"", with: "package: \"\(perch.identity)\""))
        }
        return made + [
            File(path: ".gitignore", content: ".build/\nstate/\n"),
            File(
                path: ".swift-format",
                content: "{ \"version\": 1, \"lineLength\": 120, \"indentation\": { \"spaces\": 4 } }\n"),
        ]
    }

    private func renamed(_ text: String) -> String {
        text.replacing(Self.sample.typeName, with: typeName).replacing(Self.sample.name, with: name)
    }

    /// The files of the package beside this one, by the paths that they get.
    private static let texts: [File] = [
        ("Package.swift", PackageResources.Manifest_text), ("README.md", PackageResources.README_md),
        ("perch.yaml", PackageResources.perch_yaml), ("perch.scenarios.yaml", PackageResources.perch_scenarios_yaml),
        ("Sources/TMP102Driver/TMP102.swift", PackageResources.TMP102_swift),
        ("Sources/TMP102Model/TMP102Part.swift", PackageResources.TMP102Part_swift),
        ("Sources/TMP102Daemon/main.swift", PackageResources.main_swift),
        ("Tests/TMP102DriverTests/TMP102Tests.swift", PackageResources.TMP102Tests_swift),
        ("Tests/TMP102DriverTests/TMP102RulesTests.swift", PackageResources.TMP102RulesTests_swift),
        ("Tests/TMP102DriverTests/TMP102ScenarioTests.swift", PackageResources.TMP102ScenarioTests_swift),
    ].map { File(path: $0, content: String(decoding: $1, as: UTF8.self)) }
}

/// As a literal of Swift.
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}
