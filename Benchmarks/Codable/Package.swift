// swift-tools-version: 6.3
import PackageDescription

/// A client of Ferry that compares it with other decoders. It is a package of its own, so that Ferry's clients do not get
/// XMLCoder.
let package = Package(
  name: "codable",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "ferry", path: "../.."),
    .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.2"),
  ],
  targets: [
    .executableTarget(
      name: "codable",
      dependencies: [
        .product(name: "Ferry", package: "ferry"),
        .product(name: "XMLCoder", package: "XMLCoder"),
      ])
  ]
)
