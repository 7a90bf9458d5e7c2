import Foundation
public import Testing

/// A directory of its own for each test, gone when the test ends.
///
///     @Test(.temporaryDirectory) func `…`() throws {
///       let directory = TemporaryDirectory.current
///       try directory.write("a.json", "[1]")
///     }
public struct TemporaryDirectory: Sendable {
  /// The directory of the test that runs.
  @TaskLocal public static var current = TemporaryDirectory(path: "")

  /// The path of the directory.
  public let path: String

  /// Returns the path of a file in the directory.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Puts a file there.
  public func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Puts a file there.
  public func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// Makes a directory in it.
  public func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  /// Returns the bytes of a file in the directory.
  public func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// Returns the text of a file in the directory.
  public func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  /// Every name in it or in a directory of it, hidden ones too, in order.
  public func names(in name: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}

/// Gives each test a temporary directory.
public struct TemporaryDirectoryTrait: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A suite is not a test: each of its tests comes here by itself.
    guard testCase != nil else { return try await function() }
    let url = FileManager.default.temporaryDirectory.appending(path: "ferry-test-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await TemporaryDirectory.$current.withValue(TemporaryDirectory(path: url.path), operation: function)
  }
}

extension Trait where Self == TemporaryDirectoryTrait {
  /// A directory of its own for each test: `TemporaryDirectory.current`.
  public static var temporaryDirectory: Self { Self() }
}
