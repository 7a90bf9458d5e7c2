import Foundation
import Testing

@testable import Ferry

/// Outside suites, whose files are named by what a reader must do with them.
@Suite struct `JSON files of other suites` {
  private static let corpus = ProcessInfo.processInfo.environment["FERRY_CORPUS"]

  /// The files of a folder of the corpus, by name.
  private func files(in folder: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let corpus = Self.corpus else {
      try Test.cancel("FERRY_CORPUS names no folder of test files")
    }
    let directory = URL(filePath: corpus).appending(path: "json").appending(path: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    return try names.filter { $0.hasSuffix(".json") }.map { name in
      (name, [UInt8](try Data(contentsOf: directory.appending(path: name))))
    }
  }

  /// Reads a text whole and in small chunks, and rewrites it when it is JSON; the failure when it is not.
  private func failure(_ bytes: [UInt8], _ name: String) -> FerryError? {
    #expect(JSONTest.outcome(bytes, chunk: .max) == JSONTest.outcome(bytes, chunk: 3), "\(name)")
    do throws(FerryError) {
      let text = try JSONTest.rewritten(bytes)
      #expect(try JSONTest.rewritten(Array(text.utf8)) == text, "\(name)")
      #expect(try JSONTest.value(text) == JSONTest.value(bytes), "\(name)")
      return nil
    } catch {
      return error
    }
  }

  @Test func `JSONTestSuite's y files are read, n files are refused with a place, and i files are either`()
    throws
  {
    let files = try files(in: "JSONTestSuite/test_parsing")
    #expect(files.count { $0.name.hasPrefix("y_") } > 20)
    #expect(files.count { $0.name.hasPrefix("n_") } > 50)
    for (name, bytes) in files {
      let failure = failure(bytes, name)
      if name.hasPrefix("y_") { #expect(failure == nil, "\(name)") }
      if name.hasPrefix("n_") { #expect(failure != nil, "\(name)") }
      if let failure { #expect(failure.location.line != nil && failure.location.byte != nil, "\(name)") }
    }
  }

  @Test func `The JSON checker's pass files are read, and its fail files are refused`() throws {
    // Numbers beyond a 64-bit real are JSON all the same, and so is a key that comes twice.
    let wellFormed: Set = ["fail39_EXCLUDE.json", "fail60.json", "fail73.json"]
    let files = try files(in: "simdjson-data/jsonchecker")
    #expect(files.count > 30)
    for (name, bytes) in files {
      let isJSON = name.hasPrefix("pass") || wellFormed.contains(name)
      #expect((failure(bytes, name) == nil) == isJSON, "\(name)")
    }
  }

  @Test func `Foundation's pass files are read, and its fail files are refused`() throws {
    for (name, bytes) in try files(in: "swift-foundation/JSON/pass") {
      let failure = failure(bytes, name)
      if name.contains("utf16le") {
        #expect(failure?.reason == .json(.otherEncoding("UTF-16 (little-endian)")))
      } else {
        #expect(failure == nil, "\(name)")
      }
    }
    for (name, bytes) in try files(in: "swift-foundation/JSON/fail") {
      #expect(failure(bytes, name) != nil, "\(name)")
    }
  }

  /// Python keeps numbers as text and objects as lists of entries here, so that nothing can hide.
  @Test func `Python reads the same values from rewritten JSON`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files =
      try files(in: "JSONTestSuite/test_parsing").filter { $0.name.hasPrefix("y_") }
      + files(in: "simdjson-data/jsonchecker").filter { $0.name.hasPrefix("pass") }
      + files(in: "simdjson-data/jsonexamples")
    for (name, bytes) in files {
      try Data(bytes).write(to: folder.appending(path: name))
      for (name, style) in [("\(name).compact", OutputStyle.compact), ("\(name).pretty", .pretty)] {
        let text = try JSONTest.rewritten(bytes, style)
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
    }
    let script = """
      import json, os, sys
      def load(path):
        with open(path, "rb") as file:
          return json.loads(file.read(), parse_int=str, parse_float=str, object_pairs_hook=lambda entries: ("{", entries))
      names = [name for name in sorted(os.listdir(sys.argv[1])) if name.endswith(".json")]
      for name in names:
        path = os.path.join(sys.argv[1], name)
        for style in ["compact", "pretty"]:
          if load(path) != load(path + "." + style): print(name, style)
      print(len(names), "files")
      """
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = ["python3", "-c", script, folder.path]
    let output = Pipe()
    python.standardOutput = output
    try python.run()
    let report = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    python.waitUntilExit()
    guard python.terminationStatus != 127 else { try Test.cancel("there is no python3") }
    #expect(report == "\(files.count) files\n")
  }
}
