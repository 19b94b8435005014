extension Verb {
    static let version = Verb(name: "version", summary: "prints the version") { _ in
        Output.print("perch 0.1.0")
        return .success
    }
}
