// swift-tools-version: 6.3
import PackageDescription

/// The settings that all Swift targets are compiled with.
let settings: [SwiftSetting] = [
  .strictMemorySafety(),  // SE-0458
  .treatAllWarnings(as: .error),  // SE-0480
  .treatWarning("DeprecatedDeclaration", as: .warning),  // SE-0480
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableExperimentalFeature("Lifetimes"),  // for types that borrow the bytes of a file
]

/// `Tests/run.sh` tests what users run: the optimized build, with declarations that only tests can see. The tests are not
/// optimized, because they run once. They are compiled file by file, on all cores and only if they have changed.
let isTested = Context.environment["FERRY_TESTED"] != nil
let testability: [SwiftSetting] = isTested ? [.unsafeFlags(["-enable-testing"])] : []
let testSettings: [SwiftSetting] =
  settings
  + (isTested
    ? [.unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"])] : [])

/// The library hides what it imports: a client sees Ferry's own types only.
let librarySettings =
  settings + testability + [.enableUpcomingFeature("InternalImportsByDefault")]  // SE-0409

let package = Package(
  name: "ferry",
  platforms: [.macOS(.v26)],  // `Span` of a string's UTF-8
  products: [
    .library(name: "Ferry", targets: ["Ferry"]),
    .library(name: "FerryFoundation", targets: ["FerryFoundation"]),
    .executable(name: "ferry", targets: ["FerryTool"]),
  ],
  traits: [
    .default(enabledTraits: ["Command", "SQLite", "XZ", "YAML", "Zstd"]),
    .trait(
      name: "Command",
      description: "Builds the command ferry. Without this trait, its argument parser is not fetched."),
    .trait(
      name: "SQLite",
      description: "Reads and writes SQLite databases, and reads Core Data stores (libsqlite3)."),
    .trait(name: "XZ", description: "Reads and writes files that xz has compressed (liblzma)."),
    .trait(name: "YAML", description: "Reads YAML (libyaml). Writing YAML needs no library."),
    .trait(name: "Zstd", description: "Reads and writes files that zstd has compressed (libzstd)."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
    ),
    .systemLibrary(name: "CIconv"),
    .systemLibrary(
      name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]
    ),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(name: "CSystemCalls"),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
    ),
    .target(
      name: "Ferry",
      dependencies: [
        "CIconv", "CLibXML2", "CSystemCalls", "CZlib",
        .target(name: "CLZMA", condition: .when(traits: ["XZ"])),
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
        .target(name: "CYAML", condition: .when(traits: ["YAML"])),
        .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: librarySettings,
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]
    ),
    .target(
      name: "FerryFoundation", dependencies: ["Ferry"], swiftSettings: librarySettings
    ),
    .executableTarget(
      name: "FerryTool",
      dependencies: [
        "Ferry",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings + testability
    ),
    .executableTarget(
      name: "people", dependencies: ["Ferry"], path: "Examples/People", swiftSettings: settings
    ),
    .executableTarget(
      name: "documents", dependencies: ["Ferry"], path: "Examples/Documents",
      swiftSettings: settings + testability
    ),
    .executableTarget(
      name: "records", dependencies: ["Ferry"], path: "Examples/Records",
      swiftSettings: settings + testability
    ),
    .executableTarget(
      name: "seeding", dependencies: ["Ferry"], path: "Examples/Seeding",
      resources: [.copy("Resources/folks.xml")], swiftSettings: settings
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "Ferry",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport",
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FerryTests",
      dependencies: ["Ferry", "TestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FerryFoundationTests", dependencies: ["Ferry", "FerryFoundation", "TestSupport"],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FerryToolTests",
      dependencies: ["Ferry", "FerryTool", "people", "documents", "seeding", "TestSupport"],
      swiftSettings: testSettings
    ),
  ]
)
