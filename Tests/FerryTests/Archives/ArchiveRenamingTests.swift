import TestSupport
import Testing

@testable import Ferry

@Suite struct `renaming in archives` {
  @Test func `of an app's own classes, there and back, gives real archives their bytes`() throws {
    var renamed = 0
    for (index, file) in try Corpus.files(under: "keyed").enumerated() where index.isMultiple(of: 3) {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 30_000, bytes.starts(with: "bplist0".utf8),
        let list = try? BinaryPropertyList(bytes),
        let archive = try? ArchiveObjects(list), let layout = try? BinaryLayout(of: list), layout.patch == nil
      else { continue }
      var (there, back) = (ArchiveRenaming(), ArchiveRenaming())
      for number in 0..<archive.count {
        guard let node = try? archive.node(of: UInt64(number), referredFrom: list.root),
          let named = try? list.value("$classname", of: node), let name = try? list.string(named),
          // Names of Foundation's stand elsewhere as well, as those of types or outlets.
          !name.hasPrefix("NS")
        else { continue }
        there.classes[name] = "Renamed." + name
        back.classes["Renamed." + name] = name
      }
      guard try !usesElsewhere(there.classes, archive) else { continue }
      let (bytesThere, changes) = try there.apply(to: bytes)
      guard !changes.isEmpty else { continue }
      let isOther = bytesThere != bytes
      #expect(isOther)
      let bytesBack = try back.apply(to: bytesThere).bytes
      let isSame = bytesBack == bytes
      #expect(isSame, "\(file)")
      renamed += 1
    }
    #expect(renamed > 25)
  }

  /// Whether a class's name is a string of the archive too.
  private func usesElsewhere(_ names: [String: String], _ archive: ArchiveObjects) throws -> Bool {
    let nodes = archive.nodes
    for number in 0..<archive.count {
      let node = try archive.node(of: UInt64(number), referredFrom: nodes.root)
      if let text = try nodes.string(node), names[text] != nil { return true }
      guard case .dictionary(let count) = try nodes.kind(of: node),
        try nodes.value("$classname", of: node) == nil
      else { continue }
      for index in 0..<count {
        for child in [try nodes.key(index, of: node), try nodes.value(index, of: node)] {
          if let text = try nodes.string(child), names[text] != nil { return true }
        }
      }
    }
    return false
  }

  @Test func `goes into archives inside data`() throws {
    let people = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: people, sharing: .archiver), keyOrder: .buckets)
    try Value.array([.object(ObjectValue(ObjectClass("Person"), content: ["first": "Ada"]))])
      .replay(into: writer)
    try writer.finish()
    let outer = MemoryOutput()
    let list = BinaryPropertyListWriter(to: outer)
    let preferences: Value = ["data_model": .data(people.bytes)]
    try preferences.replay(into: list)
    try list.finish()
    var renaming = ArchiveRenaming()
    renaming.classes["Person"] = "MyApp.Person"
    renaming.keys["Person"] = ["first": "given"]
    let (bytes, changes) = try renaming.apply(to: outer.bytes)
    #expect(
      changes == [
        .init(keyOf: nil, old: "Person", new: "MyApp.Person", nesting: 1): 1,
        .init(keyOf: "Person", old: "first", new: "given", nesting: 1): 1,
      ])
    guard case .data(let inner)? = try Value(reading: MemoryInput(bytes))["data_model"] else {
      Issue.record("the data is gone")
      return
    }
    #expect(try Value(reading: MemoryInput(inner))[0]?["given"] == "Ada")
  }

  @Test func `refuses to give an object one key twice`() throws {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    try Value.object(ObjectValue(ObjectClass("Person"), content: ["first": "Ada", "last": "L"]))
      .replay(into: writer)
    try writer.finish()
    var renaming = ArchiveRenaming()
    renaming.keys["Person"] = ["first": "last"]
    let failure = #expect(throws: Failure.self) { try renaming.apply(to: output.bytes) }
    #expect(failure?.position.isEmpty == false)
    // Two names may be exchanged.
    renaming.keys["Person"] = ["first": "last", "last": "first"]
    #expect(throws: Never.self) { try renaming.apply(to: output.bytes) }
  }
}
