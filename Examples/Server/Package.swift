// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that Ferry does not depend on a server.
let package = Package(
  name: "server",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "ferry", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "server",
      dependencies: [
        .product(name: "Ferry", package: "ferry"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      path: "Sources")
  ]
)
