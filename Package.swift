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
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    // libgpiod has two incompatible APIs: one face over both, chosen when compiling.
    .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
]

// What every part stands on. Peripherals imports nothing, DeviceRuntime knows no hardware.
let foundation: [Target] = [
    .target(name: "Peripherals"),
    .target(name: "DeviceRuntime", dependencies: ["CLinux", "CSystemd"]),
    .target(name: "DeviceKit", dependencies: ["Peripherals", "DeviceRuntime"]),
    .target(name: "SegmentGlyphs"),
]

let boards: [Target] = [
    // What happens on a board as lines of text: recorded, and played in a board's place.
    .target(name: "BoardScripts", dependencies: ["Peripherals", "DeviceRuntime", "DeviceKit"]),
    // Lost edges and debounce, the same on every board.
    .target(name: "LineMonitoring", dependencies: ["Peripherals", "DeviceRuntime"]),
    .target(
        name: "LinuxPeripherals",
        dependencies: ["Peripherals", "DeviceRuntime", "LineMonitoring", "CLinux", "CGPIOD", "CI2C"]),
    .target(
        name: "SimulatedPeripherals",
        dependencies: ["Peripherals", "DeviceRuntime", "LineMonitoring", "SegmentGlyphs", "CPNG"]),
    // One device on a simulated board in virtual time: what drivers' tests share, here and elsewhere.
    .target(
        name: "DriverTesting",
        dependencies: ["Peripherals", "DeviceRuntime", "DeviceKit", "SimulatedPeripherals", "BoardScripts"]),
]

// One folder a part: the driver, its README and its tests. A driver sees no board, so it cannot depend on one.
let parts = [
    "BME280",
    "Button",
    "Camera",
    "Chord",
    "GPS",
    "HT16K33",
    "KernelSensor",
    "LED",
    "MCP3008",
    "MotionSensor",
    "Relay",
    "RotaryEncoder",
    "SHT31",
    "Servo",
    "Speaker",
]
let drivers: [Target] = parts.flatMap { part -> [Target] in
    [
        .target(
            name: "\(part)Driver", dependencies: ["Peripherals", "DeviceRuntime", "DeviceKit", "SegmentGlyphs"],
            path: "drivers/\(part)", exclude: ["README.md", "Tests"]),
        .testTarget(
            name: "\(part)DriverTests",
            dependencies: [
                .target(name: "\(part)Driver"), "Peripherals", "DeviceRuntime", "DeviceKit", "SimulatedPeripherals",
                "SegmentGlyphs", "DriverTesting",
            ],
            path: "drivers/\(part)/Tests"),
    ]
}

// The package that `perch new driver` makes, with a thermometer for an example: compiled and tested here as it is, and
// the program has its text.
let template: [Target] = [
    .target(
        name: "DriverTemplate", path: "Templates/Driver", sources: ["DriverTemplate.swift"],
        resources: [
            "Manifest.text", "README.md", "perch.yaml", "perch.scenarios.yaml",
            "Sources/TMP102Driver/TMP102.swift", "Sources/TMP102Model/TMP102Part.swift",
            "Sources/TMP102Daemon/main.swift",
            "Tests/TMP102DriverTests/TMP102Tests.swift", "Tests/TMP102DriverTests/TMP102RulesTests.swift",
            "Tests/TMP102DriverTests/TMP102ScenarioTests.swift",
        ].map { .embedInCode("Package/\($0)") }),
    .target(
        name: "TMP102Driver", dependencies: ["Peripherals", "DeviceRuntime", "DeviceKit"],
        path: "Templates/Driver/Package/Sources/TMP102Driver"),
    .target(
        name: "TMP102Model",
        dependencies: ["TMP102Driver", "DeviceRuntime", "DeviceKit", "SimulatedPeripherals", "DeviceDaemon"],
        path: "Templates/Driver/Package/Sources/TMP102Model"),
    .executableTarget(
        name: "tmp102-daemon", dependencies: ["TMP102Driver", "TMP102Model", "DeviceRuntime", "DeviceDaemon"],
        path: "Templates/Driver/Package/Sources/TMP102Daemon"),
    .testTarget(
        name: "TMP102DriverTests",
        dependencies: ["TMP102Driver", "TMP102Model", "DeviceRuntime", "DeviceKit", "DeviceDaemon", "DriverTesting"],
        path: "Templates/Driver/Package/Tests/TMP102DriverTests"),
]

let storage: [Target] = [
    .target(name: "CaptureStore", dependencies: ["DeviceRuntime", "CSQLite"]),
    .target(
        name: "StorageBackends",
        dependencies: [
            "CaptureStore", "DeviceRuntime", "CCurl", "CCrypto", "CMosquitto", "CZlib", "CZstd", "CJansson",
        ]),
]

let daemon: [Target] = [
    // HTTP on the loop, for the page.
    .target(name: "WebServing", dependencies: ["DeviceRuntime", "CMicroHTTPD"]),
    .target(
        name: "DeviceDaemon",
        dependencies: [
            "Peripherals", "DeviceRuntime", "DeviceKit", "LinuxPeripherals", "SimulatedPeripherals", "BoardScripts",
            "CaptureStore", "StorageBackends", "WebServing", "CYAML", "CJansson",
        ] + parts.map { .target(name: "\($0)Driver") },
        resources: ["page.html", "page.css", "page.js"].map { .embedInCode("Page/Files/\($0)") }),
    .executableTarget(
        name: "perch",
        dependencies: [
            "Peripherals", "DeviceRuntime", "DeviceKit", "SimulatedPeripherals", "BoardScripts", "CaptureStore",
            "StorageBackends", "DeviceDaemon", "DriverTemplate",
        ]),
]

let testing: [Target] = [
    // What tests share: temporary folders, programs that are started and ended, servers.
    .target(name: "TestSupport", dependencies: ["DeviceRuntime", "CLinux"], path: "Tests/TestSupport"),
    // What every board does, written once and run on the simulated one and on the real kernel.
    .target(
        name: "Conformance",
        dependencies: ["Peripherals", "DeviceRuntime", "DeviceKit"] + parts.map { .target(name: "\($0)Driver") },
        path: "Tests/Conformance", exclude: ["table"]),
]

// Programs of make bench and make bench-hal.
let benchmarks: [Target] = [
    .executableTarget(
        name: "outbox-benchmark", dependencies: ["CaptureStore", "DeviceRuntime"], path: "Tests/Benchmarks/Outbox"),
    // make bench-buses
    .executableTarget(
        name: "bus-benchmark", dependencies: ["LinuxPeripherals", "Peripherals", "DeviceRuntime"],
        path: "Tests/Benchmarks/Buses", exclude: ["calls.c"]),
    // make bench-drivers
    .executableTarget(
        name: "driver-benchmark",
        dependencies: ["DeviceDaemon", "DeviceKit", "DeviceRuntime", "Peripherals", "SimulatedPeripherals"],
        path: "Tests/Benchmarks/Drivers", exclude: ["displays.py"]),
    .executableTarget(
        name: "line-benchmark",
        dependencies: ["LinuxPeripherals", "Peripherals", "DeviceRuntime", "DeviceKit", "ButtonDriver"],
        path: "Tests/Benchmarks/Lines", exclude: ["edges.c", "edges-gpiod.py", "edges-gpiozero.py"]),
]

// Unit and simulated tests: make test.
let tests: [Target] = [
    .testTarget(
        name: "BoardScriptsTests",
        dependencies: [
            "BoardScripts", "SimulatedPeripherals", "Peripherals", "DeviceRuntime", "DeviceKit", "DriverTesting",
        ]),
    .testTarget(
        name: "CaptureStoreTests", dependencies: ["CaptureStore", "DeviceRuntime", "TestSupport"], exclude: ["Golden"]),
    .testTarget(
        name: "DeviceDaemonTests",
        dependencies: [
            "DeviceDaemon", "CaptureStore", "DeviceKit", "DeviceRuntime", "Peripherals", "LinuxPeripherals",
            "SimulatedPeripherals", "BoardScripts", "DriverTesting", "StorageBackends", "WebServing", "TestSupport",
        ]),
    .testTarget(
        name: "DeviceKitTests", dependencies: ["DeviceKit", "DeviceRuntime", "Peripherals", "SimulatedPeripherals"]),
    .testTarget(name: "DeviceRuntimeTests", dependencies: ["DeviceRuntime"]),
    .testTarget(name: "LineMonitoringTests", dependencies: ["LineMonitoring", "Peripherals"]),
    .testTarget(
        name: "LinuxPeripheralsTests",
        dependencies: ["LinuxPeripherals", "Peripherals", "DeviceRuntime", "CLinux", "Conformance", "TestSupport"]),
    .testTarget(name: "PerchTests", dependencies: ["perch", "DriverTemplate", "DeviceRuntime", "TestSupport"]),
    .testTarget(
        name: "SimulatedPeripheralsTests",
        dependencies: [
            "SimulatedPeripherals", "Peripherals", "DeviceRuntime", "DeviceKit", "LineMonitoring", "Conformance",
        ]),
    .testTarget(
        name: "StorageBackendsTests", dependencies: ["StorageBackends", "CaptureStore", "DeviceRuntime", "TestSupport"]),
]

// Each ring that needs more than this machine has its own command.
let rings: [Target] = [
    // make test-crash: perch killed under load.
    .testTarget(
        name: "CrashTests", dependencies: ["perch", "CaptureStore", "DeviceRuntime", "TestSupport"],
        exclude: ["Faults"]),
    // make test-package, make test-boot: the Debian package, installed and booted.
    .testTarget(name: "PackageTests", dependencies: ["DeviceRuntime", "TestSupport", "CLinux"]),
    // make test-kernel: real interfaces, and perch on them.
    .testTarget(
        name: "KernelTests",
        dependencies: [
            "perch", "LinuxPeripherals", "Peripherals", "DeviceRuntime", "DeviceKit", "CaptureStore",
            "Conformance", "TestSupport", "CLinux",
        ]),
    // make test-storage: real servers on loopback.
    .testTarget(
        name: "StorageTests",
        dependencies: ["StorageBackends", "CaptureStore", "DeviceRuntime", "TestSupport", "CLinux"],
        exclude: ["table"]),
]

let package = Package(
    name: "perch",
    products: [
        .executable(name: "perch", targets: ["perch"]),
        // For drivers of your own, their tests, and a daemon that includes them.
        .library(name: "Peripherals", targets: ["Peripherals"]),
        .library(name: "DeviceRuntime", targets: ["DeviceRuntime"]),
        .library(name: "DeviceKit", targets: ["DeviceKit"]),
        .library(name: "SimulatedPeripherals", targets: ["SimulatedPeripherals", "BoardScripts"]),
        .library(name: "DriverTesting", targets: ["DriverTesting"]),
        .library(name: "DeviceDaemon", targets: ["DeviceDaemon"]),
    ],
    targets: cLibraries + foundation + boards + drivers + template + storage + daemon + testing + tests + rings
        + benchmarks
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
