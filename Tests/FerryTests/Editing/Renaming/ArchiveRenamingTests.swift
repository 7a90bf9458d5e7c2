import TestSupport
import Testing

@testable import Ferry

@Suite struct `renaming in archives` {
  @Test func `of an app's own classes, there and back, gives real archives their bytes`() throws {
    var renamed = 0
    for (index, file) in try Corpus.files(under: "keyed").enumerated() where index.isMultiple(of: 2) {
      // In nibs, scenes and data models the names of classes are, or are not, one object with other strings; renaming
      // back cannot know which.
      guard !["nib", "sks", "xcdatamodel"].contains(where: { file.hasPrefix("keyed/\($0)/") }) else {
        continue
      }
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
      let outcome = try there.apply(to: bytes)
      let bytesThere = outcome.bytes
      guard !outcome.changes.isEmpty else { continue }
      let isOther = bytesThere != bytes
      #expect(isOther)
      let bytesBack = try back.apply(to: bytesThere).bytes
      let isSame = bytesBack == bytes
      #expect(isSame, "\(file)")
      renamed += 1
    }
    #expect(renamed > 25)
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
    let outcome = try renaming.apply(to: outer.bytes)
    #expect(
      outcome.changes == [
        .init(keyOf: nil, old: "Person", new: "MyApp.Person", nesting: 1): 1,
        .init(keyOf: "Person", old: "first", new: "given", nesting: 1): 1,
      ])
    guard case .data(let inner)? = try Value(reading: MemoryInput(outcome.bytes))["data_model"] else {
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
    let failure = #expect(throws: FerryError.self) { try renaming.apply(to: output.bytes) }
    #expect(failure?.position.isEmpty == false)
    // Two names may be exchanged.
    renaming.keys["Person"] = ["first": "last", "last": "first"]
    #expect(throws: Never.self) { try renaming.apply(to: output.bytes) }
  }
}
