import Ferry
import Foundation
import TestSupport
import Testing

/// `ferry plutil` beside the plutil of the Swift toolchain, on the same files.
@Suite(.temporaryDirectory) struct `plutil of the toolchain` {
  /// The plutil beside the compiler that built the tests.
  private static func peer(_ arguments: [String]) async throws -> Peer.Answer {
    let found = try await ToolRun.shell("dirname \"$(readlink -f \"$(command -v swiftc)\")\"")
    let path = found.output.split(separator: "\n").first.map { "\($0)/plutil" } ?? ""
    guard FileManager.default.isExecutableFile(atPath: path) else {
      try Test.cancel("there is no toolchain with plutil here")
    }
    return try await Peer.run(path, arguments)
  }

  /// Expects that both print the same, and have the same exit status.
  private func expectAgreement(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let run = try await ToolRun.ferry(["plutil"] + arguments)
    let peer = try await Self.peer(arguments.map { $0.hasSuffix(".plist") ? directory.path($0) : $0 })
    #expect(run.bytes == peer.output, "\(arguments)", sourceLocation: sourceLocation)
    #expect((run.status == 0) == peer.succeeded, "\(arguments)", sourceLocation: sourceLocation)
  }

  private static var sample: [String: Any] {
    [
      "text": "a/b\n\t\"q\" é \u{2028} 🎉", "reals": [3.14, 0.1, 1e20, 1e-7, 1.0, 123456789012345680.0, -2.5],
      "integers": [0, -5, Int.min, Int.max], "unsigned": UInt64.max, "flags": [true, false], "empty": [Any](),
      "none": [String: Any](), "nested": [["x": [1, 2]], ["y": ["z": "w"]]], "k10": 1, "k2": 2, "K3": 3,
      "Zed": 1, "_a": 1, "$x": 1, "a.b": 1,
      "a-b": 1, "ab c": 1, "alpha": 1, "Alpha": 2, "É": 1, "é": 2, "007": 1, "7": 2, "10": 3,
    ]
  }

  private func writeSample(
    _ format: PropertyListSerialization.PropertyListFormat, with more: [String: Any] = [:]
  ) throws {
    let values = Self.sample.merging(more) { $1 }
    let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
    try directory.write("a.plist", Array(data))
  }

  @Test func `It prints and converts values with the same bytes`() async throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      try writeSample(format)
      try await expectAgreement(["-p", "a.plist"])
      try await expectAgreement(["-convert", "xml1", "-o", "-", "a.plist"])
      try await expectAgreement(["-convert", "json", "-r", "-o", "-", "a.plist"])
    }
    try writeSample(
      .binary, with: ["date": Date(timeIntervalSinceReferenceDate: 1.5), "data": Data(0..<100)])
    try await expectAgreement(["-convert", "xml1", "-o", "-", "a.plist"])
    try await expectAgreement(["-convert", "json", "-o", "-", "a.plist"])
  }

  @Test func `It extracts values and types with the same bytes`() async throws {
    try writeSample(.xml, with: ["date": Date(timeIntervalSinceReferenceDate: 1.5), "data": Data(0..<100)])
    for key in Self.sample.keys + [
      "date", "data", "reals.0", "nested.1.y.z", "a\\.b", "Nope", "reals.99", "text.x", "",
    ] {
      let path = key == "a.b" ? "a\\.b" : key
      for arguments in [["-extract", path, "raw"], ["-type", path], ["-extract", path, "xml1", "-o", "-"]] {
        try await expectAgreement(arguments + ["a.plist"])
      }
    }
    for path in ["reals", "nested"] {
      try await expectAgreement(["-extract", path, "json", "-o", "-", "a.plist"])
    }
  }

  @Test func `It changes files to the same bytes`() async throws {
    let changes: [[String]] = [
      ["-insert", "new", "-string", "x"], ["-insert", "nested.0", "-bool", "YES"],
      ["-insert", "nested", "-integer", "-3", "-append"],
      ["-replace", "text", "-float", "2.5"], ["-remove", "nested.0.x"], ["-remove", "a\\.b"],
      ["-insert", "d", "-date", "2024-05-06T07:08:09Z"], ["-insert", "d", "-data", "AQID"],
      ["-insert", "d", "-array"],
      ["-insert", "d", "-dictionary"], ["-insert", "d", "-json", "{\"a\": [1, true, \"x\"]}"],
      ["-insert", "d", "-xml", "<plist><array><real>1</real></array></plist>"], ["-convert", "xml1"],
      ["-extract", "nested", "xml1"], ["-extract", "reals", "json"],
      // These fail, and leave the file as it is.
      ["-insert", "text", "-string", "x"], ["-insert", "no.such", "-string", "x"],
      ["-insert", "nested.9", "-string", "x"],
      ["-insert", "nested.x", "-string", "x"], ["-insert", "text.x", "-string", "x"], ["-remove", "no"],
      ["-remove", "nested.9"],
      ["-insert", "text", "-string", "x", "-append"],
    ]
    for change in changes {
      try writeSample(.xml)
      let original = try directory.bytes("a.plist")
      let peer = try await Self.peer(change + [directory.path("a.plist")])
      let expected = try directory.bytes("a.plist")
      try directory.write("a.plist", original)
      let run = try await ToolRun.ferry(["plutil"] + change + ["a.plist"])
      #expect(try directory.bytes("a.plist") == expected, "\(change)")
      #expect((run.status == 0) == peer.succeeded, "\(change)")
      let message = peer.errors.replacingOccurrences(of: directory.path + "/", with: "")
      #expect(run.errors == message, "\(change)")
    }
  }

  @Test func `It writes literals with the same bytes if those of the toolchain compile`() async throws {
    let values: [String: Any] = [
      "name": "a \"b\"", "count": 3, "ratio": 2.5, "isOn": true, "sizes": [1, 2], "map": ["k": "v"],
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
    try directory.write("my-values.plist", Array(data))
    for format in ["swift", "objc"] {
      try await expectAgreement(["-convert", format, "-o", "-", "my-values.plist"])
    }
  }

  @Test func `It agrees on real files`() async throws {
    for file in try Corpus.files(under: "plist").prefix(400) {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 400_000, file.hasSuffix(".plist") else { continue }
      try directory.write("a.plist", bytes)
      let lint = try await Self.peer(["-lint", directory.path("a.plist")])
      let run = try await ToolRun.ferry("plutil", "-lint", "a.plist")
      // Where the toolchain reads a file, so does ferry, unless an attack or a flaw of the text is refused.
      if lint.succeeded, run.status != 0 { print("refused: \(file): \(run.errors)") }
      guard lint.succeeded, run.status == 0 else { continue }
      let converted = try await Self.peer(["-convert", "xml1", "-o", "-", directory.path("a.plist")])
      guard converted.succeeded else { continue }
      let own = try await ToolRun.ferry("plutil", "-convert", "xml1", "-o", "-", "a.plist")
      #expect(own.bytes == converted.output, "\(file)")
    }
  }
}
