// swift-tools-version: 6.0
import PackageDescription

// The house: each target sees only what stands in its own list (docs/architecture.md draws it).

let cLibraries: [Target] = [
    // One C library each: a module map, and a function for each macro or variadic call that Swift cannot see.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CI2C"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
]

let runtime: [Target] = [
    .target(name: "Peripherals"),
    .target(name: "DeviceRuntime", dependencies: ["CLinux", "CSystemd"]),
    .target(name: "DeviceKit", dependencies: ["Peripherals", "DeviceRuntime"]),
    .target(name: "LinuxPeripherals", dependencies: ["Peripherals", "DeviceRuntime", "CLinux", "CGPIOD", "CI2C"]),
]

let tests: [Target] = [
    .testTarget(name: "DeviceKitTests", dependencies: ["DeviceKit", "Peripherals"]),
    .testTarget(name: "DeviceRuntimeTests", dependencies: ["DeviceRuntime"]),
    .testTarget(name: "KernelTests", dependencies: ["LinuxPeripherals", "Peripherals", "DeviceRuntime"]),
    .testTarget(name: "LinuxPeripheralsTests", dependencies: ["LinuxPeripherals", "Peripherals", "DeviceRuntime"]),
]

let package = Package(
    name: "perch",
    targets: cLibraries + runtime + tests
)

// One language for every target. Warnings are errors by the build's flags (see the Makefile), not here: a
// package that builds on Perch must not break on a compiler that is newer than ours.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        // An import is an implementation detail unless it says otherwise.
        .enableUpcomingFeature("InternalImportsByDefault"),
        // A member is visible only where its module is imported. (Swift 6.0 does not know this one: it only
        // rejects, so the source means the same there.)
        .enableUpcomingFeature("MemberImportVisibility"),
        // `any P` is written as such.
        .enableUpcomingFeature("ExistentialAny"),
    ]
}
