import Ferry
import Foundation
import Testing

@Suite struct `Values that can be compared` {
  /// The structures that cannot be compared: a reason, and their names.
  private static let others: [(reason: String, names: Set<String>)] = [
    (
      "they have functions, class codecs or values of any type",
      [
        "Autosaving", "ClassCatalog", "ClassCatalogEntry", "ClassMap", "Conversion", "DataStrategy",
        "DateStrategy", "DocumentMerge", "FerryDecoder", "FerryEncoder", "FileCheck",
        "FileComparison", "KeyStrategy", "KeyedArchiveDecoder", "KeyedArchiveEncoder", "Options",
        "ReadingOptions", "RecordSettings", "SchemaCheck", "SchemaInference", "ValueSearch",
        "WritingOptions",
      ]
    ),
    (
      "they read or write files when they are asked",
      [
        "AsyncIterator", "AsyncRecords", "ByteChunks", "Content", "DifferencePage", "DocumentPackage",
        "EditedRecords", "EncodedFile", "FileConflict", "Iterator", "Outcome", "PackageResult",
        "PackageVersion", "RecordDocument", "RecordInput", "Records", "Results", "SplitRecord",
        "ValueDifferences", "ValueLeaves", "ValuePage",
      ]
    ),
    ("they are a part of a tree, or count the lines of one input", ["LineCounter", "XMLTreeElement"]),
  ]

  @Test func `All structures that are plain data are Hashable`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Ferry").standardizedFileURL
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
    let texts = try paths.filter { $0.hasSuffix(".swift") }.map { path in
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let extended = Set(
      texts.flatMap { $0.matches(of: /extension (\w+): [^{\n]*Hashable/).map { String($0.output.1) } })
    let known = Self.others.reduce(into: extended) { $0.formUnion($1.names) }
    let found = texts.flatMap { $0.matches(of: /\n *(?:@safe )?public struct (\w+)([^{]*)\{/) }
      .filter { !$0.output.2.contains(/Hashable|~Copyable|~Escapable/) }.map { String($0.output.1) }
    #expect(Set(found).subtracting(known).sorted() == [])
    #expect(Set(found).count > 30)
  }

  @Test func `Results of the same input are equal`() throws {
    let json = Array(#"[{"a":1},{"a":[2,"x"]}]"#.utf8)
    let other = Array(#"[{"a":1},{"a":[2,3]}]"#.utf8)
    let inspection = try Inspection(reading: MemoryInput(json))
    #expect(try inspection == Inspection(reading: MemoryInput(json)))
    #expect(try inspection != Inspection(reading: MemoryInput(other)))
    let patch = try JSONPatch(Array(#"[{"op":"remove","path":"/0"}]"#.utf8))
    #expect(try patch == JSONPatch(Array(#"[{"op": "remove", "path": "/0"}]"#.utf8)))
    #expect(try patch != JSONPatch(Array(#"[{"op":"remove","path":"/1"}]"#.utf8)))
    let (_, losses) = try FerryEncoder(to: .json).encodeWithLosses([1.5, Double.nan])
    let (_, same) = try FerryEncoder(to: .json).encodeWithLosses([2.5, Double.nan])
    #expect(losses == same)
    #expect(Set([DocumentTypes.builtIn, DocumentTypes([])]).count == 1)
  }
}
