import Foundation
import Testing

/// The library's folders, from the lowest layer to the highest: a layer uses those before it, never those after it.
@Suite struct `Layers` {
  /// The folders of each layer. Folders of one layer are listed in the order in which they may use each other.
  static let folders = [
    "Bytes", "Errors", "Values", "Formats", "Archives", "Records", "Tagged", "Stores", "Conversion",
    "Editing",
    "Diffing", "Inspection", "Documents",
  ]

  /// Folders whose types know each other: reading and writing bytes fails, and a failure has a place in the bytes.
  static let mutual: Set<String> = ["Bytes", "Errors"]

  @Test func `every folder of the library is a layer`() throws {
    let found = Set(try SourceFile.all().map(\.folder))
    #expect(found == Set(Self.folders))
  }

  @Test func `no type is used from a layer below its own`() throws {
    let files = try SourceFile.all()
    var layers: [String: Int] = [:]
    for file in files {
      guard let layer = Self.folders.firstIndex(of: file.folder) else { continue }
      for type in file.types { layers[type] = min(layer, layers[type] ?? layer) }
    }
    // A nested type of a folder is meant where the folder's files use its short name.
    let nested = Dictionary(grouping: files, by: \.folder).mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.nestedTypes) }
    }
    var upward: [String] = []
    for file in files {
      guard let layer = Self.folders.firstIndex(of: file.folder) else { continue }
      for name in file.names.subtracting(nested[file.folder] ?? []) {
        guard let other = layers[name], other > layer else { continue }
        guard !Self.mutual.isSuperset(of: [file.folder, Self.folders[other]]) else { continue }
        upward.append("\(file.path) uses \(name) of \(Self.folders[other])")
      }
    }
    #expect(upward.sorted() == [])
  }

  @Test func `a use from below is found`() {
    let lower = SourceFile(path: "Values/A.swift", text: "struct A { let b: B  /* C */ }")
    #expect(lower.types == ["A"])
    #expect(lower.names == ["A", "B"])
    let nested = SourceFile(path: "Values/D.swift", text: "enum D {\n  struct B {}\n}")
    #expect(nested.types == ["D"])
    #expect(nested.nestedTypes == ["B"])
  }
}
