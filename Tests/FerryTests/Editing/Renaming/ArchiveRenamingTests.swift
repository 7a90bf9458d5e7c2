import TestSupport
import Testing

@testable import Ferry

@Suite struct `Renaming in archives` {
  @Test func `A renaming of the classes of real archives, there and back, gives their bytes`() throws {
    var renamed = 0
    for file in try Corpus.files(under: "keyed") {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 30_000, bytes.starts(with: "bplist0".utf8),
        let list = try? BinaryPropertyList(bytes),
        let archive = try? ArchiveObjects(list)
      else { continue }
      let unknown = try namesOfOtherStrings(list)
      var (there, back) = (ArchiveRenaming(), ArchiveRenaming())
      for number in archive.numbers {
        guard let node = try? archive.node(of: number),
          let named = try? list.value("$classname", of: node), let name = try? list.string(named),
          // Names of Foundation's stand elsewhere as well, as those of types or outlets.
          !name.hasPrefix("NS"), !unknown.contains(name)
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
    #expect(renamed > 100)
  }

  /// Returns the names of classes that are one string, and are also another string. The renamed file does not show whether both were one
  /// object.
  private func namesOfOtherStrings(_ list: BinaryPropertyList) throws -> Set<String> {
    var (uses, usesByClasses): ([String: Int], [String: Int]) = ([:], [:])
    var nodes: [String: Set<NodeID>] = [:]
    func add(_ node: NodeID) throws {
      guard let text = try list.string(node) else { return }
      usesByClasses[text, default: 0] += 1
      nodes[text, default: []].insert(node)
    }
    for node in (0..<list.nodeCount).map(NodeID.init) where try list.kind(of: node).isCollection {
      try list.forEachChild(of: node) { child throws(FerryError) in
        if let text = try list.string(child) { uses[text, default: 0] += 1 }
      }
      guard case .dictionary(let count) = try list.kind(of: node) else { continue }
      for index in 0..<count {
        if let key = try list.string(list.key(index, of: node)) { uses[key, default: 0] += 1 }
      }
      guard let name = try list.value("$classname", of: node) else { continue }
      try add(name)
      guard let chain = try list.value("$classes", of: node),
        case .array(let count) = try list.kind(of: chain)
      else { continue }
      for index in 0..<count { try add(list.element(index, of: chain)) }
    }
    return Set(nodes.filter { $0.value.count == 1 && uses[$0.key] != usesByClasses[$0.key] }.keys)
  }

  /// The values of an archive in JSON. The order of keys depends on their names.
  private func json(of archive: [UInt8]) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.writing.sortsKeys = true
    return String(decoding: try conversion.convert(archive).bytes, as: UTF8.self)
  }

  @Test func `A key is renamed in the objects of subclasses, unless they have another name for it`() throws {
    func archive(_ first: String, _ second: String) throws -> [UInt8] {
      let output = MemoryOutput()
      let writer = ArchiveWriter(
        to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
      let (point, marked) = (ObjectClass("Point"), ObjectClass("Marked", "Point"))
      try Value.array([
        .object(ObjectValue(point, content: [first: 1, "y": 2])),
        .object(ObjectValue(marked, content: [second: 3, "y": 4])),
        .object(ObjectValue(ObjectClass("Other"), content: ["x": 5])),
      ]).replay(into: writer)
      try writer.finish()
      return output.bytes
    }
    var renaming = ArchiveRenaming()
    renaming.keys["Point"] = ["x": "px"]
    let outcome = try renaming.apply(to: archive("x", "x"))
    #expect(outcome.changes == [.init(keyOf: "Point", old: "x", new: "px", nesting: 0): 2])
    #expect(try json(of: outcome.bytes) == json(of: archive("px", "px")))
    renaming.keys["Marked"] = ["x": "mx"]
    let both = try renaming.apply(to: archive("x", "x"))
    #expect(
      both.changes == [
        .init(keyOf: "Point", old: "x", new: "px", nesting: 0): 1,
        .init(keyOf: "Marked", old: "x", new: "mx", nesting: 0): 1,
      ])
    #expect(try json(of: both.bytes) == json(of: archive("px", "mx")))
  }

  @Test func `The superclasses of a class with many objects are looked through once`() throws {
    let output = MemoryOutput()
    let writer = ArchiveWriter(
      to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
    let type = ObjectClass(name: "Point", chain: ["Point"] + Array(repeating: "Base", count: 6000))
    try Value.array(Array(repeating: .object(ObjectValue(type, content: ["x": 1])), count: 6000))
      .replay(into: writer)
    try writer.finish()
    var renaming = ArchiveRenaming()
    renaming.keys = ["Base": ["x": "bx"], "Point": ["x": "px"]]
    let outcome = try expectProcessorTime(atMost: .seconds(5)) { try renaming.apply(to: output.bytes) }
    #expect(outcome.changes == [.init(keyOf: "Point", old: "x", new: "px", nesting: 0): 6000])
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
    #expect(failure?.location.isEmpty == false)
    // Two names may be exchanged.
    renaming.keys["Person"] = ["first": "last", "last": "first"]
    #expect(throws: Never.self) { try renaming.apply(to: output.bytes) }
  }

  @Test func `Names of classes and keys that are canonically equivalent are different names`() throws {
    let (one, two) = ("\u{C5}", "A\u{30A}")
    let archive = try Archived.bytes([
      "a": .object(ObjectValue(ObjectClass(one), content: [one: 1, two: 2])),
      "b": .object(ObjectValue(ObjectClass(two), content: [one: 3, two: 4])),
    ])
    var renaming = ArchiveRenaming()
    renaming.renameKey(one, ofClass: one, to: "x")
    renaming.renameKey(two, ofClass: one, to: "y")
    renaming.renameKey(two, ofClass: two, to: "z")
    let outcome = try renaming.apply(to: archive)
    let value = try Value(reading: MemoryInput(outcome.bytes))
    #expect(value["a"]?.scalar == ["x": 1, "y": 2])
    #expect(value["b"]?.scalar == [one: 3, "z": 4])
    #expect(outcome.changes.count == 3)
  }

  @Test func `A renaming of keys of a superclass is refused if objects of a subclass do not fit it`() throws {
    let type = ObjectClass("NSMutableArray", "NSArray", "NSObject")
    let archive = try Archived.bytes(["list": .object(ObjectValue(type, content: [1]))])
    var renaming = ArchiveRenaming()
    renaming.keys = ["NSArray": ["NS.objects": "objects"]]
    let failure = #expect(throws: FerryError.self) { try renaming.apply(to: archive) }
    #expect(failure?.code == "archive.unfit-name")
  }

  /// Names with which programs could not read the objects that have them.
  private static let unfit: [(classes: [String: String], keys: [String: [String: String]])] = [
    (["NSArray": "NSDictionary"], [:]), (["NSDictionary": "NSArray"], [:]), (["Person": "NSArray"], [:]),
    (["Person": "NSMutableSet"], [:]), (["Person": "NSDate"], [:]), (["NSDate": "NSURL"], [:]),
    (["Base": "NSMutableArray"], [:]), (["Base": "NSDictionary"], [:]),
    ([:], ["NSArray": ["NS.objects": "objects"]]), ([:], ["NSDictionary": ["NS.keys": "keys"]]),
    ([:], ["NSDate": ["NS.time": "time"]]),
    // A class that would be its own superclass, or the superclass of all.
    (["Base": "Derived"], [:]), (["Derived": "Base"], [:]), (["Person": "NSObject"], [:]),
    (["Person": "NSNumber"], [:]), (["Base": "NSObject"], [:]), (["Derived": "X", "Base": "X"], [:]),
    (["Base": "NSArray"], [:]),
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
    ["Person": "MyApp.Person", "NSArray": "NSMutableArray"], ["Derived": "Base", "Base": "Derived"],
    ["Derived": "Person", "Person": "Other"],
  ])
  func `A renaming to a name that objects fit is accepted`(_ classes: [String: String]) throws {
    var renaming = ArchiveRenaming()
    renaming.classes = classes
    let bytes = try renaming.apply(to: Self.archive()).bytes
    #expect(throws: Never.self) { try Value(reading: MemoryInput(bytes)) }
  }

  @Test func `A damaged object gets its name back if the renaming accepts objects that do not fit`() throws {
    let bytes = try Archived.file([
      ["NS.uuidbytes": .data([0, 15]), "$class": .uid(2)],
      ["$classname": "NSUUID", "$classes": ["NSUUID", "NSObject"]],
    ])
    var (there, back) = (ArchiveRenaming(), ArchiveRenaming())
    (there.classes, back.classes) = (["NSUUID": "Other"], ["Other": "NSUUID"])
    let renamed = try there.apply(to: bytes).bytes
    let failure = #expect(throws: FerryError.self) { try back.apply(to: renamed) }
    #expect(failure?.code == "archive.unfit-name")
    back.acceptsUnfitObjects = true
    #expect(try back.apply(to: renamed).bytes == bytes)
    back.classes = ["Other": "NSObject"]
    #expect(throws: FerryError.self) { try back.apply(to: renamed) }
  }

  @Test func `A renaming refuses every class of the catalog for an object with other keys`() throws {
    let archive = try Self.archive()
    for name in ClassCatalog.standard.names {
      var renaming = ArchiveRenaming()
      renaming.classes = ["Person": name]
      let failure = #expect(throws: FerryError.self, "\(name)") { try renaming.apply(to: archive) }
      #expect(failure?.code == "archive.unfit-name")
    }
  }

  // MARK: XML

  private static func base64(_ bytes: [UInt8]) -> String { Value.data(bytes).plainText ?? "" }

  /// A property list with an archive in its data, in a notation that no writer chooses.
  private static func list(_ data: String, _ end: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- mine --><plist version='1.0'>
    <dict>
      <!-- kept: ü 🎈 -->
      <key>zeta</key><real>0.10</real>
      <key>alpha</key><integer>0x1F</integer>
      <key>m</key> \(data)
      <key>tail</key><string><![CDATA[<&>]]></string>
    </dict>
    </plist>

    """.replacing("\n", with: end)
  }

  @Test(arguments: EncodedText.allCases, ["\n", "\r\n"])
  func `A renaming keeps the text of an XML property list around an archive`(
    _ encoding: EncodedText, _ end: String
  )
    throws
  {
    let archive = try Self.archive()
    var renaming = ArchiveRenaming()
    renaming.classes = ["Person": "P2"]
    let declared = encoding.declared(Self.list("<data>\(Self.base64(archive))</data>", end))
    let renamed = try renaming.apply(to: encoding.bytes(declared)).bytes
    let parts = declared.split(separator: Self.base64(archive), omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    #expect(renamed.starts(with: encoding.bytes(String(parts[0]))))
    let tail = encoding.bytes(String(parts[1])).dropFirst(encoding.bytes("").count)
    #expect(renamed.suffix(tail.count) == tail)
    #expect(try Edited.value(renamed, "zeta") == .real(0.1))
    let inner = try renaming.apply(to: archive).bytes
    #expect(try EditableFile(renamed).contents(at: ValuePath(parsing: "m")) == inner)
  }

  @Test(arguments: EncodedText.allCases)
  func `A renaming changes nothing but the names in an archive in XML`(_ encoding: EncodedText) throws {
    let xml = try Conversion(to: .xmlArchive).convert(Self.archive()).bytes
    let text = encoding.declared(
      String(decoding: xml, as: UTF8.self).replacing("<key>$objects", with: "<!-- c --> <key >$objects"))
    var (there, back) = (ArchiveRenaming(), ArchiveRenaming())
    (there.classes, there.keys) = (["Person": "P&2"], ["Person": ["first": "a<b"]])
    (back.classes, back.keys) = (["P&2": "Person"], ["P&2": ["a<b": "first"]])
    let expected = text.replacing("<string>Person</string>", with: "<string>P&amp;2</string>")
      .replacing("<key>first</key>", with: "<key>a&lt;b</key>")
    let renamed = try there.apply(to: encoding.bytes(text)).bytes
    #expect(renamed == encoding.bytes(expected))
    #expect(try back.apply(to: renamed).bytes == encoding.bytes(text))
  }

  @Test func `A renaming exchanges keys of an archive in XML in their places`() throws {
    let people: Value = [
      .object(ObjectValue(ObjectClass("Person"), content: ["first": "Ada", "last": ["L", "King"]]))
    ]
    let xml = try Conversion(to: .xmlArchive).convert(Archived.bytes(people)).bytes
    var renaming = ArchiveRenaming()
    renaming.keys = ["Person": ["first": "last", "last": "first"]]
    let renamed = try renaming.apply(to: xml).bytes
    #expect(try Edited.value(renamed, "[0].last") == "Ada")
    #expect(try renaming.apply(to: renamed).bytes == xml)
  }
}
