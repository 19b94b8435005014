import DeviceDaemon

extension Verb {
    static let version = Verb(name: "version", summary: "prints the version") { _ in
        Output.print("perch \(perchVersion)")
        return .success
    }
}
