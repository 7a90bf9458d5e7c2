import TestSupport
import Testing

@testable import Ferry

@Suite struct `Archives whose objects lie over each other` {
  @Test func `How the values of the keys are stored is found in time in proportion to the file`() throws {
    let bytes = HostileFile.overlappingObjects(16_000, key: "$class")
    let archive = try ArchiveObjects(BinaryPropertyList(bytes))
    #expect(archive.count == 16_003)
    // The objects have 65 million keys.
    let storage = expectProcessorTime(atMost: .seconds(60)) { ArchivedStorage(of: archive) }
    #expect(!storage.hasUnusualCollections)
  }

  @Test func `An archive with another name for a class is refused, as without it`() throws {
    var conversion = Conversion(to: .archive)
    conversion.classNames = ["A": "B"]
    let bytes = HostileFile.overlappingObjects(16_000, key: "$class")
    #expect(throws: FerryError.self) {
      try expectProcessorTime(atMost: .seconds(120)) { try conversion.convert(bytes) }
    }
  }

  @Test func `Decoding spends the budget on the keys that it looks through`() throws {
    struct Nothing: Decodable {
      init(from decoder: any Decoder) {}
    }
    var decoder = KeyedArchiveDecoder()
    decoder.budget.amplification = 1
    let few = HostileFile.overlappingObjects(100, key: "k")
    #expect(try decoder.decode([Nothing].self, from: few).count == 100)
    // Ten million keys are more than the eight million bytes that any file may cost.
    let many = HostileFile.overlappingObjects(2500, key: "k")
    #expect {
      try decoder.decode([Nothing].self, from: many)
    } throws: { error in
      guard case .dataCorrupted(let context)? = error as? DecodingError else { return false }
      return (context.underlyingError as? FerryError)?.reason == .overBudget(.amplification(1))
    }
  }

  @Test func `Many roots with one long name are refused`() throws {
    var objects = BinaryObjects()
    objects.add([])
    let names = ["$version", "$archiver", "$top", "$objects"].map { objects.string($0) }
    let (name, archiver) = (
      objects.string(String(repeating: "k", count: 20_000)), objects.string("NSKeyedArchiver")
    )
    let (version, root) = (objects.add([0x12, 0, 1, 0x86, 0xa0]), objects.uid(0))
    let top = objects.add(BinaryObjects.dictionary(Array(repeating: (name, root), count: 5000)))
    let list = objects.add(BinaryObjects.array([objects.string("$null")]))
    objects.replace(
      0,
      BinaryObjects.dictionary([
        (names[0], version), (names[1], archiver), (names[2], top), (names[3], list),
      ]))
    let nodes = try BinaryPropertyList(objects.file)
    #expect {
      try ArchiveObjects(nodes)
    } throws: {
      ($0 as? FerryError)?.reason == .archive(.malformed("the names of its roots overlap"))
    }
  }

  @Test func `Many classes with one long list of empty names are refused`() throws {
    var objects = BinaryObjects()
    objects.add([])
    let names = ["$version", "$archiver", "$top", "$objects", "$classname", "$classes"]
      .map { objects.string($0) }
    let (version, archiver) = (objects.add([0x12, 0, 1, 0x86, 0xa0]), objects.string("NSKeyedArchiver"))
    let top = objects.add(BinaryObjects.dictionary([(objects.string("root"), objects.uid(0))]))
    let (name, empty) = (objects.string("A"), objects.string(""))
    let superclasses = objects.add(BinaryObjects.array(Array(repeating: empty, count: 3000)))
    var members = [objects.string("$null")]
    for _ in 0..<3000 {
      members.append(objects.add(BinaryObjects.dictionary([(names[4], name), (names[5], superclasses)])))
    }
    let list = objects.add(BinaryObjects.array(members))
    objects.replace(
      0,
      BinaryObjects.dictionary([
        (names[0], version), (names[1], archiver), (names[2], top), (names[3], list),
      ]))
    let nodes = try BinaryPropertyList(objects.file)
    let archive = try ArchiveObjects(nodes)
    #expect {
      for uid in 1...3000 { _ = try archive.type(UInt64(uid), referredFrom: nodes.root) }
    } throws: {
      ($0 as? FerryError)?.reason == .archive(.malformed("the names of its classes overlap"))
    }
  }

  @Test func `A model whose properties overlap or share a long name is not a model`() throws {
    let overlapping = HostileFile.overlappingObjects(16_000, key: "k")
    #expect(CoreDataModel(cache: overlapping, budget: Budget()) == nil)
    func model(named name: String) -> CoreDataModel? {
      var archive = ArchiveInMaking()
      for _ in 0..<2000 { archive.add(references: ["NSEntity": 2001, "NSPropertyName": 2002], type: 2003) }
      archive.add(references: ["NSEntityName": 2004], type: 2005)
      archive.addString(name)
      archive.addClass("NSAttributeDescription", "NSObject")
      archive.addString("Person")
      archive.addClass("NSEntityDescription", "NSObject")
      return CoreDataModel(cache: archive.file, budget: Budget())
    }
    #expect(model(named: "name")?.properties["Person"]?.count == 2000)
    #expect(model(named: String(repeating: "x", count: 20_000)) == nil)
  }
}
