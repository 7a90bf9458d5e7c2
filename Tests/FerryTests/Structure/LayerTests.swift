import Foundation
import Testing

/// The library's folders are layers: a layer uses those before it, never those after it.
@Suite struct `Layers` {
  /// The folders from the lowest layer to the highest.
  static let folders = [
    "Bytes", "Errors", "Values", "Formats", "Archives", "Records", "Tagged", "Stores", "Reading",
    "Conversion",
    "Editing", "Coding", "Streaming",
    "Diffing", "Inspection", "Documents",
  ]

  /// Folders that use each other: reading and writing throws errors, and an error has a location in the bytes.
  static let mutual: Set<String> = ["Bytes", "Errors"]

  @Test func `Every folder of the library is a layer`() throws {
    let found = Set(try SourceFile.all().map(\.folder))
    #expect(found == Set(Self.folders))
  }

  @Test func `No type is used from a layer below its own`() throws {
    let files = try SourceFile.all()
    let layers = Self.layersOfTypes(in: files)
    // Files of a folder that declares a nested type mean that type by its short name.
    let nested = Dictionary(grouping: files, by: \.folder).mapValues { files in
      files.reduce(into: Set<String>()) { $0.formUnion($1.nestedTypes) }
    }
    let upward = files.flatMap { file in
      file.names.subtracting(nested[file.folder] ?? []).compactMap {
        Self.upwardUse($0, layers[$0], in: file)
      }
    }
    #expect(upward.sorted() == [])
  }

  @Test func `No member is used from a layer below the extension that adds it`() throws {
    let files = try SourceFile.all()
    let added = Self.addedMembers(in: files)
    var layers: [String: Int] = [:]
    for file in files {
      guard let layer = Self.layer(of: file) else { continue }
      for member in file.members { layers[member] = min(layer, layers[member] ?? layer) }
    }
    let upward = files.flatMap { file in
      file.uses.intersection(added).compactMap { Self.upwardUse($0, layers[$0], in: file) }
    }
    #expect(upward.sorted() == [])
  }

  @Test func `A source file is read for its types, its extensions and their uses`() {
    let lower = SourceFile(path: "Values/A.swift", text: "struct A { let b: B  /* C */ }\nlet d = A(e: .f).g")
    #expect(lower.types == ["A"])
    #expect(lower.names == ["A", "B"])
    #expect(lower.uses == ["A(e", "f", "g"])
    let nested = SourceFile(path: "Values/D.swift", text: "enum D {\n  struct B {}\n}")
    #expect(nested.types == ["D"])
    #expect(nested.nestedTypes == ["B"])
    let upper = SourceFile(
      path: "Formats/E.swift",
      text: """
        extension A {
          init(e: Int) { self.init(h: "}") }
          private func f() {}
          var g: Int { let i = #"{"#; return i }
        }
        struct J { var k: Int }
        """)
    #expect(upper.extensions == [SourceFile.Extension(head: ["A"], members: ["A(e", "g"])])
    #expect(upper.members == ["A(e", "f", "g", "i", "k"])
  }

  private static func layer(of file: SourceFile) -> Int? { folders.firstIndex(of: file.folder) }

  private static func layersOfTypes(in files: [SourceFile]) -> [String: Int] {
    var layers: [String: Int] = [:]
    for file in files {
      guard let layer = layer(of: file) else { continue }
      for type in file.types { layers[type] = min(layer, layers[type] ?? layer) }
    }
    return layers
  }

  /// Returns the members of extensions in a layer above those of the types that they extend.
  private static func addedMembers(in files: [SourceFile]) -> Set<String> {
    let layers = layersOfTypes(in: files)
    var members: Set<String> = []
    for file in files {
      guard let layer = layer(of: file) else { continue }
      for each in file.extensions where each.head.allSatisfy({ layers[$0] ?? 0 < layer }) {
        members.formUnion(each.members)
      }
    }
    return members
  }

  /// Returns a sentence about a name that a file uses; nil if the name is not from a layer above.
  private static func upwardUse(_ name: String, _ layer: Int?, in file: SourceFile) -> String? {
    guard let own = Self.layer(of: file), let layer, layer > own else { return nil }
    guard !mutual.isSuperset(of: [file.folder, folders[layer]]) else { return nil }
    return "\(file.path) uses \(name) of \(folders[layer])"
  }
}
