import TestSupport
import Testing

@testable import Ferry

/// Paths and keys that commands print for dictionaries whose keys are not strings.
@Suite struct `Keys that are not strings in searches and summaries` {
  private static let values: Value = {
    var entries: KeyedValues = ["before": "a"]
    for key in [1, true, .null, ["l", 2], .date(secondsSince2001: 0), ["k": "v"]] as [Value] {
      entries[key] = .dictionary([.string("found"): key])
    }
    entries["1 and more"] = "b"
    return .dictionary(entries)
  }()

  private static func bytes(_ format: Format) throws -> [UInt8] {
    let output = MemoryOutput()
    try Conversion(to: format).write(values, to: output)
    return output.bytes
  }

  private static let formats: [Format] = [.archive, .typedstream] + (PackageTraits.hasYAML ? [.yaml] : [])

  @Test(arguments: formats) func `Every path that a search prints leads to what was found`(
    _ format: Format
  ) throws {
    let bytes = try Self.bytes(format)
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(bytes, options: options)
    var paths: [String] = []
    var search = ValueSearch()
    search.reading.format = format
    try search.find(in: MemoryInput(bytes)) { match throws(FerryError) in
      paths.append(match.path.description)
      if !match.isKey, let text = match.text {
        #expect(try file.value(at: match.path).plainText == text, "\(match.path)")
      }
      #expect(!match.path.steps.isEmpty)
    }
    #expect(paths.contains("[\"1\"].found") || paths.contains("1.found"), "\(paths)")
    #expect(Set(paths).count >= 11, "\(paths)")
  }

  @Test func `A summary of a number has the kind that a search finds`() throws {
    let file = try EditableFile(Array(#"{"a":1e400,"b":1E5,"c":1e-400,"d":1.5,"e":7}"#.utf8), named: "a.json")
    let paths = ["a", "b", "c", "d", "e"].map { ValuePath([.key($0)]) }
    #expect(try file.summaries(at: paths).map(\.kind) == [.decimal, .decimal, .decimal, .real, .integer])
  }

  @Test(arguments: formats) func `A summary has every key, and each leads to its value`(_ format: Format)
    throws
  {
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(try Self.bytes(format), options: options)
    let summary = try #require(try file.summaries(at: [ValuePath()]).first)
    #expect(summary.count == 8)
    for key in summary.keys ?? [] {
      #expect(throws: Never.self, "\(key)") { try file.value(at: ValuePath([.key(key)])) }
    }
    #expect(summary.keys?.filter { $0.begins(with: "{") || $0.begins(with: "[") }.count == 2)
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `A value under a key that is not a string is changed in YAML`() throws {
    let text = "1: one # c\ntrue: {x: 1}\n? [a, b]\n: {y: 2}\n"
    for (path, value, old, new) in [
      ("1", "two", "one", "two"), ("true.x", "5", "x: 1", "x: 5"),
      (#"["[\"a\",\"b\"]"].y"#, "7", "y: 2", "y: 7"),
    ] {
      var options = EditableFile.Options()
      options.format = .yaml
      let file = try EditableFile(Array(text.utf8), options: options)
      try file.set(text: value, at: ValuePath(parsing: path))
      #expect(String(decoding: try file.bytes(), as: UTF8.self) == text.replacing(old, with: new))
    }
  }
}
