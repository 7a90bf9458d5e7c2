import Ferry
import Foundation
import TestSupport
import Testing

extension DocumentType {
  static let garden = DocumentType(
    name: "garden", identifier: "com.example.garden", extensions: ["garden"], layout: .file(.archive))
}

/// The app of `Tutorial.md` in its first version.
private enum FirstVersion {
  struct Plant: Codable, Equatable {
    var id: Int
    var name: String
    var light: String
  }

  final class Garden: Document {
    var plants: [Plant] = []

    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      .file(try FerryError.ofCoding { try KeyedArchiveEncoder().encode(plants) })
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {
      let bytes = try contents.file
      plants = try FerryError.ofCoding { try KeyedArchiveDecoder().decode([Plant].self, from: bytes) }
    }
  }

  static func makeDocument(at path: String, from plantsXML: String, _ printed: Printed) async throws {
    func print(_ items: Any...) { printed.add(items) }
    let plants = try FerryDecoder().decode([Plant].self, from: FileInput(path: plantsXML))
    print(plants.map(\.name))  // ["Monstera", "Aloe vera"]

    let first = Garden(path: path, type: .garden)
    await first.edit { $0.plants = plants }
    try await first.save(to: path, for: .creating)
    try await first.close()
  }

  static func changeDocument(at path: String) async throws {
    let garden = Garden(path: path, type: .garden)
    try await garden.open()
    await garden.edit { $0.plants[0].light = "half shade" }  // saved after two quiet seconds
    try await garden.close()  // or now
  }
}

/// The app in its second version.
private enum SecondVersion {
  struct Plant: Codable, Equatable {
    var id: Int
    var name: String
    var light: String
    var waterEvery: Int?
  }

  final class Garden: Document {
    var plants: [Plant] = []

    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      .file(try FerryError.ofCoding { try KeyedArchiveEncoder().encode(plants) })
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {
      let bytes = try contents.file
      plants = try FerryError.ofCoding { try KeyedArchiveDecoder().decode([Plant].self, from: bytes) }
    }
  }

  static func changeDocument(at path: String, _ printed: Printed) async throws {
    func print(_ items: Any...) { printed.add(items) }
    let garden = Garden(path: path, type: .garden)
    try await garden.open()
    print(await garden.plants[0].light, await garden.plants[0].waterEvery ?? 7)  // half shade 7
    await garden.edit { $0.plants[0].waterEvery = 5 }
    try await garden.close()
  }

  /// Returns the bytes of a copy of a document with a change.
  static func copy(
    of path: String, in copy: String, _ change: @DocumentActor @Sendable (inout [Plant]) -> Void
  ) async throws -> [UInt8] {
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let garden = Garden(path: copy, type: .garden)
    try await garden.open()
    await garden.edit { change(&$0.plants) }
    try await garden.close()
    return try FileInput(path: copy).readAll()
  }

  static func merge(
    _ before: [UInt8], _ ada: [UInt8], _ grace: [UInt8], into garden: Garden, _ printed: Printed
  ) async throws {
    func print(_ items: Any...) { printed.add(items) }
    let merge = DocumentMerge()
    let ours = try merge.read(ada)
    let theirs = try merge.read(grace, as: ours)
    let base = try merge.read(before, as: ours)
    let result = try merge.merge(base: base, ours: ours, theirs: theirs)
    print(result.conflicts.count)  // 0

    for conflict in result.conflicts {
      print(conflict.path, conflict.ours ?? .null, conflict.theirs ?? .null)  // [id="1"].light "sun" "shade"
    }

    let merged = try KeyedArchiveDecoder().decode([Plant].self, from: result.bytes)
    await garden.edit { $0.plants = merged }
    try await garden.close()
  }
}

/// The steps of `Tutorial.md`, on the files of the steps before.
@Suite(.temporaryDirectory) struct `The tutorial` {
  private var printed = Printed()
  private var directory: TemporaryDirectory { .current }

  /// Makes the document of the third step.
  private func makeDocument() async throws -> String {
    try directory.write("plants.xml", plantsXML)
    let path = directory.path("mine.garden")
    try await FirstVersion.makeDocument(at: path, from: directory.path("plants.xml"), printed)
    try await FirstVersion.changeDocument(at: path)
    return path
  }

  /// The bundled file that the page shows.
  private var plantsXML: String {
    get throws { try #require(try GuideExample.blocks(of: "xml", inFile: "Documentation/Tutorial.md").first) }
  }

  @Test func `Bundled plants become a document, which is never replaced by them again`() async throws {
    let path = try await makeDocument()
    #expect(printed.text == #"["Monstera", "Aloe vera"]"#)
    let plants = try FerryDecoder().decode([FirstVersion.Plant].self, from: FileInput(path: path))
    #expect(plants.map(\.light) == ["half shade", "sun"])
    let error = await #expect(throws: FerryError.self) {
      try await FirstVersion.makeDocument(at: path, from: directory.path("plants.xml"), printed)
    }
    #expect(error?.reason == .file(.exists))
    #expect(try directory.names() == ["mine.garden", "plants.xml"])
  }

  @Test func `A mistake in the bundled file has the line that the page shows`() throws {
    let broken = try plantsXML.replacing("<light>sun</light>", with: "")
    try directory.write("plants.xml", broken)
    let path = directory.path("plants.xml")
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([FirstVersion.Plant].self, from: FileInput(path: path))
    }
    guard case .keyNotFound(_, let context)? = error else { return }
    let message = context.debugDescription.replacing(path, with: "plants.xml")
    let page = try GuideExample.text(of: "Documentation/Tutorial.md")
    #expect(page.contains("`\(message)`"), "\(message)")
  }

  @Test func `A document of the first version gets a field in the second`() async throws {
    let path = try await makeDocument()
    printed.clear()
    try await SecondVersion.changeDocument(at: path, printed)
    #expect(printed.text == "half shade 7")
    let old = try FerryDecoder().decode([FirstVersion.Plant].self, from: FileInput(path: path))
    #expect(old.map(\.light) == ["half shade", "sun"])
    let new = try FerryDecoder().decode([SecondVersion.Plant].self, from: FileInput(path: path))
    #expect(new.map(\.waterEvery) == [5, nil])
  }

  @Test func `The changes of two people are merged, and given away as JSON and XML`() async throws {
    let path = try await makeDocument()
    try await SecondVersion.changeDocument(at: path, printed)
    let before = try FileInput(path: path).readAll()
    let ada = try await SecondVersion.copy(of: path, in: directory.path("ada.garden")) {
      $0[0].waterEvery = 4
    }
    let grace = try await SecondVersion.copy(of: path, in: directory.path("grace.garden")) {
      $0.insert(SecondVersion.Plant(id: 3, name: "Cactus", light: "sun"), at: 0)
    }
    let garden = SecondVersion.Garden(path: path, type: .garden)
    try await garden.open()
    printed.clear()
    try await SecondVersion.merge(before, ada, grace, into: garden, printed)
    #expect(printed.text == "0")

    let plants = try FerryDecoder().decode([SecondVersion.Plant].self, from: FileInput(path: path))
    #expect(Set(plants.map(\.id)) == [1, 2, 3])
    #expect(plants.first(where: { $0.id == 1 })?.waterEvery == 4)
    try expectExports(of: plants.sorted { $0.id < $1.id })
  }

  private func expectExports(of plants: [SecondVersion.Plant]) throws {
    printed.clear()
    let json = try FerryEncoder(to: .json).encode(plants)
    print(String(decoding: json, as: UTF8.self))  // [{"id":1,"name":"Monstera","light":"half shade",…
    #expect(
      printed.text.hasPrefix(#"[{"id":1,"name":"Monstera","light":"half shade","waterEvery":4},"#),
      "\(printed.text)")

    var encoder = FerryEncoder(to: .xml)
    encoder.writing.rootElement = "plants"
    let xml = try encoder.encode(["plant": plants])
    #expect(try FerryDecoder().decode([SecondVersion.Plant].self, from: xml) == plants)
  }

  @Test func `Two changes of one property are a conflict, whose path names the plant`() async throws {
    let path = try await makeDocument()
    let before = try FileInput(path: path).readAll()
    let ada = try await SecondVersion.copy(of: path, in: directory.path("ada.garden")) {
      $0[0].light = "sun"
    }
    let grace = try await SecondVersion.copy(of: path, in: directory.path("grace.garden")) {
      $0[0].light = "shade"
    }
    let garden = SecondVersion.Garden(path: path, type: .garden)
    try await garden.open()
    printed.clear()
    try await SecondVersion.merge(before, ada, grace, into: garden, printed)
    #expect(printed.text == "1\n[id=\"1\"].light \"sun\" \"shade\"")
    #expect(await garden.plants[0].light == "sun")
  }

  private func print(_ items: Any...) { printed.add(items) }
}
