import TestSupport
import Testing

@testable import Ferry

@Suite struct `Renaming in archives` {
  @Test func `A renaming of the classes of real archives, there and back, gives their bytes`() throws {
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

  @Test(arguments: ["a dictionary", "an array", "a set"])
  func `A renaming reaches into archives inside data`(in collection: String) throws {
    let people = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: people, sharing: .archiver), keyOrder: .buckets)
    try Value.array([.object(ObjectValue(ObjectClass("Person"), content: ["first": "Ada"]))])
      .replay(into: writer)
    try writer.finish()
    let outer = MemoryOutput()
    let list = BinaryPropertyListWriter(to: outer)
    let data = Value.data(people.bytes)
    let preferences: Value =
      switch collection {
      case "a dictionary": ["data_model": data]
      case "an array": [data]
      default: .set([data])
      }
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
    let renamed = try Value(reading: MemoryInput(outcome.bytes))
    guard case .data(let inner)? = renamed["data_model"] ?? renamed.listElements?.first else {
      Issue.record("the data is gone")
      return
    }
    #expect(try Value(reading: MemoryInput(inner))[0]?["given"] == "Ada")
  }

  @Test func `A renaming that gives an object one key twice is refused`() throws {
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

  /// Names with which programs could not read the objects that have them.
  private static let unfit: [(classes: [String: String], keys: [String: [String: String]])] = [
    (["NSArray": "NSDictionary"], [:]), (["NSDictionary": "NSArray"], [:]), (["Person": "NSArray"], [:]),
    (["Person": "NSMutableSet"], [:]), (["Person": "NSDate"], [:]), (["NSDate": "NSURL"], [:]),
    (["Base": "NSMutableArray"], [:]), (["Base": "NSDictionary"], [:]),
    ([:], ["NSArray": ["NS.objects": "objects"]]), ([:], ["NSDictionary": ["NS.keys": "keys"]]),
    ([:], ["NSDate": ["NS.time": "time"]]),
  ]

  private static func archive() throws -> [UInt8] {
    let chain = ObjectClass("Derived", "Base")
    return try Archived.bytes([
      "list": ["a", .date(secondsSince2001: 5)],
      "person": .object(ObjectValue(ObjectClass("Person"), content: ["first": "Ada"])),
      "derived": .object(ObjectValue(chain, content: ["name": "x"])),
    ])
  }

  @Test(arguments: unfit.indices)
  func `A renaming to a name that objects do not fit is refused, also inside data`(_ index: Int) throws {
    var renaming = ArchiveRenaming()
    (renaming.classes, renaming.keys) = Self.unfit[index]
    let archive = try Self.archive()
    let failure = #expect(throws: FerryError.self) { try renaming.apply(to: archive) }
    #expect(failure?.code == "archive.unfit-name")
    #expect(failure?.path.steps.first == .key("$objects"))
    let outer = MemoryOutput()
    let list = BinaryPropertyListWriter(to: outer)
    let preferences: Value = ["data": .data(archive)]
    try preferences.replay(into: list)
    try list.finish()
    let nested = #expect(throws: FerryError.self) { try renaming.apply(to: outer.bytes) }
    #expect(nested?.code == "archive.unfit-name")
  }

  @Test(arguments: [
    ["NSArray": "NSMutableArray"], ["NSArray": "MyArray"], ["NSDate": "MyDate"], ["Person": "NSPerson"],
    ["Person": "MyApp.Person", "NSArray": "NSMutableArray"],
  ])
  func `A renaming to a name that objects fit is accepted`(_ classes: [String: String]) throws {
    var renaming = ArchiveRenaming()
    renaming.classes = classes
    let bytes = try renaming.apply(to: Self.archive()).bytes
    #expect(throws: Never.self) { try Value(reading: MemoryInput(bytes)) }
  }
}
