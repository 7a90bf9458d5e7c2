import TestSupport
import Testing

@testable import Ferry

/// A binary property list put together by hand, so that anything in it can be wrong.
struct BinaryFile {
  var objects: [[UInt8]]
  var offsetWidth = 1
  var referenceWidth = 1
  var root: UInt64 = 0
  /// Instead of where the objects really are.
  var offsets: [UInt64]?
  var count: UInt64?
  var tableStart: UInt64?

  init(_ objects: [UInt8]...) { self.objects = objects }

  func with(_ change: (inout BinaryFile) -> Void) -> BinaryFile {
    var changed = self
    change(&changed)
    return changed
  }

  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var found: [UInt64] = []
    for object in objects {
      found.append(UInt64(bytes.count))
      bytes += object
    }
    let start = UInt64(bytes.count)
    for offset in offsets ?? found { bytes += Self.bigEndian(offset, width: offsetWidth) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for number in [count ?? UInt64(objects.count), root, tableStart ?? start] {
      bytes += Self.bigEndian(number, width: 8)
    }
    return bytes
  }

  static func bigEndian(_ number: UInt64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }
}

/// A file that must be refused, why and where.
struct BinaryRefusal: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  let problem: PropertyListProblem
  let byte: Int
  let object: Int?

  init(_ name: String, _ file: BinaryFile, _ problem: PropertyListProblem, byte: Int, object: Int? = nil) {
    self.init(name, file.bytes, problem, byte: byte, object: object)
  }

  init(_ name: String, _ bytes: [UInt8], _ problem: PropertyListProblem, byte: Int, object: Int? = nil) {
    (self.name, self.bytes, self.problem) = (name, bytes, problem)
    (self.byte, self.object) = (byte, object)
  }

  var testDescription: String { name }
}

@Suite struct `Binary property lists` {
  static let a: [UInt8] = [0x51, 0x61]
  static let yes: [UInt8] = [0x09]
  /// `{"a": true}`: the example of the documentation.
  static let example = BinaryFile([0xd1, 1, 2], a, yes)

  @Test func `The documented example is the binary property list that is written and read`() throws {
    let bytes: [UInt8] = [
      0x62, 0x70, 0x6c, 0x69, 0x73, 0x74, 0x30, 0x30, 0xd1, 1, 2, 0x51, 0x61, 0x09, 8, 11, 13,
      0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14,
    ]
    #expect(try PropertyLists.binary(["a": true]) == bytes)
    #expect(try PropertyLists.value(binary: bytes) == ["a": true])
    #expect(Self.example.bytes == bytes)
  }

  @Test(arguments: [BinaryPropertyListWriter.Sharing.equalScalars, .archiver])
  func `Every kind of value comes back from a binary property list`(
    _ sharing: BinaryPropertyListWriter.Sharing
  ) throws {
    var value = PropertyLists.sample
    guard case .dictionary(var entries) = value else { return }
    entries["null"] = .null
    entries["set"] = .set([1, 2, "three", [4]])
    entries["singles"] = [.single(1.5), .single(.nan), .single(-.infinity)]
    entries["nan"] = .real(.nan)
    entries["unpaired"] = .unpairedString([0x61, 0xd800, 0x62])
    entries["half date"] = .date(secondsSince2001: 0.5)
    entries["big uid"] = .uid(.max)
    entries[.integer(7)] = "seven"
    entries[.data([1])] = "data"
    value = .dictionary(entries)
    let bytes = try PropertyLists.binary(value, sharing: sharing)
    let back = try PropertyLists.value(binary: bytes)
    #expect(back == value)
    #expect(try PropertyLists.binary(back, sharing: sharing) == bytes)
  }

  @Test(arguments: 1...8, 1...8)
  func `Any width of offsets and references is read`(_ offsetWidth: Int, _ referenceWidth: Int) throws {
    func references(_ numbers: UInt64...) -> [UInt8] {
      numbers.flatMap { BinaryFile.bigEndian($0, width: referenceWidth) }
    }
    let file = BinaryFile([0xd1] + references(1, 2), Self.a, [0xa2] + references(3, 1), Self.yes).with {
      ($0.offsetWidth, $0.referenceWidth) = (offsetWidth, referenceWidth)
    }
    #expect(try PropertyLists.value(binary: file.bytes) == ["a": [true, "a"]])
  }

  @Test(
    arguments: [
      ([0x10, 0xff], .integer(255)), ([0x11, 0xff, 0xff], .integer(65_535)),
      ([0x12, 0xff, 0xff, 0xff, 0xff], .integer(4_294_967_295)),
      ([0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], .integer(-2)),
      ([0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(1 << 63)),
      ([0x14] + [UInt8](repeating: 0xff, count: 15) + [0xfe], .integer(-2)),
      ([0x13, 0, 0, 0, 0, 0, 0, 0, 5], .integer(5)), ([0x00], .null),
      ([0x22, 0x3f, 0xc0, 0, 0], .single(1.5)),
      ([0x82, 1, 0, 2], .uid(65_538)), ([0x87, 0, 0, 0, 0, 0, 0, 0, 1], .uid(1)),
      ([0x5f, 0x10, 1, 0x61], "a"), ([0x5f, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 0x61], "a"),
      ([0x61, 0, 0xe9], "é"), ([0x62, 0xd8, 0x3c, 0xdf, 0x88], "🎈"), ([0x61, 0, 0x61], "a"),
      ([0x62, 0, 0x61, 0xd8, 0x3c], .unpairedString([0x61, 0xd83c])),
      ([0x62, 0xdf, 0x88, 0xd8, 0x3c], .unpairedString([0xdf88, 0xd83c])),
      ([0xc0], .set([])), ([0x4f, 0x10, 0], .data([])),
    ] as [([UInt8], Value)])
  func `Objects of any width are read`(_ object: [UInt8], _ value: Value) throws {
    #expect(try PropertyLists.value(binary: BinaryFile(object).bytes) == value)
  }

  @Test func `Objects may stand apart, in any order, with filling between them`() throws {
    let file = BinaryFile(Self.yes, [0x0f, 0x0f] + Self.a, [0x0f, 0xd1, 1, 0]).with {
      $0.root = 2
      $0.offsets = [8, 11, 14]
    }
    #expect(try PropertyLists.value(binary: file.bytes) == ["a": true])
  }

  @Test func `Keys that are not strings are sent as they are`() throws {
    let file = BinaryFile([0xd2, 1, 2, 3, 3], [0x10, 7], [0x08], Self.a)
    var entries = KeyedValues()
    entries[.integer(7)] = "a"
    entries[.boolean(false)] = "a"
    #expect(try PropertyLists.value(binary: file.bytes) == .dictionary(entries))
  }

  static let refusals: [BinaryRefusal] = [
    .init("empty", [], .notBinary, byte: 0),
    .init("XML", Array("<?xml".utf8), .notBinary, byte: 0),
    .init("cut behind the name", Array("bplist".utf8), .truncated(expecting: "the header"), byte: 6),
    .init("version 1", Array("bplist15".utf8) + example.bytes.dropFirst(8), .version("15"), byte: 6),
    .init("header only", Array("bplist00".utf8), .cutOff, byte: 8),
    .init(
      "no room for objects", Array("bplist00".utf8) + [UInt8](repeating: 0, count: 32),
      .cutOff, byte: 40),
    .init(
      "offsets of no bytes", example.with { $0.offsetWidth = 0 }, .badTrailer("an offset of 0 bytes"),
      byte: 20),
    .init(
      "references of nine bytes", example.with { $0.referenceWidth = 9 },
      .badTrailer("a reference of 9 bytes"),
      byte: 24),
    .init(
      "no objects", BinaryFile([0x09]).with { ($0.count, $0.offsets) = (0, []) },
      .badTrailer("no objects"), byte: 17),
    .init("root beyond", example.with { $0.root = 3 }, .badTrailer("the root is object 3 of 3"), byte: 33),
    .init(
      "table in the header", example.with { $0.tableStart = 8 },
      .badTrailer("the offset table begins at 8, before any object"), byte: 41),
    .init(
      "table elsewhere", example.with { $0.tableStart = 13 },
      .badTrailer("the offset table begins at 13, but 3 offsets end at the trailer"), byte: 41),
    .init(
      "more objects than bytes", example.with { $0.count = 1000 },
      .badTrailer("1000 objects in a file this small"), byte: 25),
    .init(
      "count that overflows", example.with { ($0.count, $0.offsetWidth) = (1 << 62, 8) },
      .badTrailer("\(UInt64(1) << 62) objects in a file this small"), byte: 46),
    .init(
      "offset into the header", example.with { $0.offsets = [8, 7, 13] }, .badOffset(7), byte: 15, object: 1),
    .init(
      "offset into the table", example.with { $0.offsets = [14, 11, 13] }, .badOffset(14), byte: 14, object: 0
    ),
    .init("bad reference", BinaryFile([0xa1, 7]), .badReference(7, objects: 1), byte: 9, object: 0),
    .init(
      "bad key reference", BinaryFile([0xd1, 9, 1], yes), .badReference(9, objects: 2), byte: 9, object: 0),
    .init(
      "bad value reference", BinaryFile([0xd1, 1, 0xff], a), .badReference(255, objects: 2), byte: 10,
      object: 0),
    .init(
      "key is an array", BinaryFile([0xd1, 1, 2], [0xa0], yes), .keyIsNotString(found: "an array"), byte: 11,
      object: 1),
    .init("contains itself", BinaryFile([0xa1, 0]), .containsItself, byte: 8, object: 0),
    .init(
      "contains itself from afar", BinaryFile([0xa1, 1], [0xd1, 2, 0], a), .containsItself, byte: 8, object: 0
    ),
    .init(
      "ASCII longer than the file", BinaryFile([0x5f, 0x10, 0x40, 0x61]),
      .truncated(expecting: "a string of 64 bytes"), byte: 11, object: 0),
    .init(
      "UTF-16 longer than the file", BinaryFile([0x63, 0, 0x61, 0, 0x62]),
      .truncated(expecting: "a string of 3 UTF-16 units"), byte: 9, object: 0),
    .init(
      "data longer than the file", BinaryFile([0x44, 1, 2, 3]), .truncated(expecting: "4 bytes of data"),
      byte: 9,
      object: 0),
    .init(
      "array longer than the file", BinaryFile([0xa4, 0, 0, 0]),
      .truncated(expecting: "an array of 4 elements"), byte: 9, object: 0),
    .init(
      "dictionary longer than the file", BinaryFile(a, [0xd2, 0, 0, 0]).with { $0.root = 1 },
      .truncated(expecting: "a dictionary of 2 entries"), byte: 11, object: 1),
    .init(
      "count that is negative", BinaryFile([0xdf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      .truncated(expecting: "a dictionary of \(Int.max) entries"), byte: 18, object: 0),
    .init(
      "count cut short", BinaryFile([0x5f, 0x12, 0]), .truncated(expecting: "a count"), byte: 10, object: 0),
    .init("count missing", BinaryFile([0x5f]), .truncated(expecting: "a count"), byte: 9, object: 0),
    .init("count that is a string", BinaryFile([0x5f, 0x51, 0x61]), .badMarker(0x51), byte: 9, object: 0),
    .init(
      "integer cut short", BinaryFile([0x13, 0, 0]), .truncated(expecting: "a number"), byte: 9, object: 0),
    .init(
      "integer of 128 bits", BinaryFile([0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
      .badValue("18446744073709551616", type: "an integer from −2⁶³ to 2⁶⁴−1"), byte: 9, object: 0),
    .init(
      "integer of 32 bytes", BinaryFile([0x15] + [UInt8](repeating: 0, count: 32)), .badMarker(0x15), byte: 8,
      object: 0),
    .init("real of 2 bytes", BinaryFile([0x21, 0, 0]), .badMarker(0x21), byte: 8, object: 0),
    .init("date of 4 bytes", BinaryFile([0x32, 0, 0, 0, 0]), .badMarker(0x32), byte: 8, object: 0),
    .init(
      "UID of 9 bytes", BinaryFile([0x88] + [UInt8](repeating: 0, count: 9)), .badMarker(0x88), byte: 8,
      object: 0),
    .init(
      "UID cut short", BinaryFile([0x81, 0]), .truncated(expecting: "a reference of an archive"), byte: 9,
      object: 0),
    .init("not ASCII", BinaryFile([0x52, 0x61, 0xe9]), .notASCII(0xe9), byte: 10, object: 0),
    .init("filling as an object", BinaryFile([0x0f]), .badMarker(0x0f), byte: 8, object: 0),
    .init("a URL", BinaryFile([0x0c, 0x51, 0x61]), .laterVersion("a URL"), byte: 8, object: 0),
    .init("a UUID", BinaryFile([0x0e]), .laterVersion("a UUID"), byte: 8, object: 0),
    .init("a UTF-8 string", BinaryFile([0x71, 0x61]), .laterVersion("a UTF-8 string"), byte: 8, object: 0),
    .init("an ordered set", BinaryFile([0xb0]), .laterVersion("an ordered set"), byte: 8, object: 0),
    .init("an unknown marker", BinaryFile([0xf0]), .badMarker(0xf0), byte: 8, object: 0),
  ]

  @Test(arguments: refusals)
  func `An invalid binary property list is refused with the reason and the place`(_ refusal: BinaryRefusal) {
    let failure = PropertyLists.failure { _ = try PropertyLists.value(binary: refusal.bytes) }
    #expect(failure?.reason == .propertyList(refusal.problem))
    #expect(failure?.location == InputLocation(byte: refusal.byte, object: refusal.object))
  }

  @Test func `A refusal by the sink gets the place of the object`() throws {
    let list = try BinaryPropertyList(BinaryFile([0xa2, 1, 2], Self.a, [0x00]).bytes)
    let writer = XMLPropertyListWriter(to: MemoryOutput())
    let failure = PropertyLists.failure { try list.replay(into: writer) }
    #expect(failure?.reason == .cannotHold(.kind("null", format: "an XML property list")))
    #expect(failure?.location == InputLocation(byte: 13, object: 2))
  }

  @Test func `A file that is too deep is refused, and one at the limit is read`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var file = BinaryFile().with { ($0.offsetWidth, $0.referenceWidth) = (2, 2) }
      for level in 1..<depth { file.objects.append([0xa1] + BinaryFile.bigEndian(UInt64(level), width: 2)) }
      file.objects.append([0xa0])
      return file.bytes
    }
    #expect(PropertyLists.failure { _ = try PropertyLists.value(binary: nested(512)) } == nil)
    let failure = PropertyLists.failure { _ = try PropertyLists.value(binary: nested(513)) }
    #expect(failure?.reason == .overBudget(.depth(512)))
    #expect(failure?.location == InputLocation(byte: 8 + 512 * 3, object: 512))
  }

  @Test func `A cycle below the first levels is found`() {
    var file = BinaryFile()
    for level in 1..<100 { file.objects.append([0xa1, UInt8(level)]) }
    file.objects.append([0xa1, 50])
    let failure = PropertyLists.failure { _ = try PropertyLists.value(binary: file.bytes) }
    #expect(failure?.reason == .propertyList(.containsItself))
    #expect(failure?.location == InputLocation(byte: 8 + 100, object: 50))
  }

  @Test func `A shared object is sent for each of its references`() throws {
    let file = BinaryFile([0xa3, 1, 1, 2], [0xa1, 2], Self.a)
    #expect(try PropertyLists.value(binary: file.bytes) == [["a"], ["a"], "a"])
  }

  @Test func `A bomb of shared arrays ends quickly`() throws {
    var file = BinaryFile()
    for level in 1...40 { file.objects.append([0xa2, UInt8(level), UInt8(level)]) }
    file.objects.append(Self.a)
    var budget = Budget()
    budget.amplificationFloor = 1 << 17
    let list = try BinaryPropertyList(file.bytes, budget: budget)
    let failure = expectProcessorTime(atMost: .seconds(20)) {
      PropertyLists.failure { try list.replay(into: PropertyListTree(budget: Budget())) }
    }
    #expect(failure?.reason == .overBudget(.amplification(100)))
    #expect(failure?.location.object != nil)
  }

  @Test func `A long text that is shared too often is a bomb too`() throws {
    let text = [UInt8](repeating: 0x61, count: 1000)
    var file = BinaryFile(
      [0xaf, 0x11, 0x40, 0] + [UInt8](repeating: 1, count: 0x4000), [0x5f, 0x11, 0x03, 0xe8] + text)
    file.offsetWidth = 2
    var budget = Budget()
    budget.amplificationFloor = 1000
    let list = try BinaryPropertyList(file.bytes, budget: budget)
    let failure = PropertyLists.failure { try list.replay(into: PropertyListTree(budget: Budget())) }
    #expect(failure?.reason == .overBudget(.amplification(100)))
  }

  @Test func `A binary property list with any byte missing or changed is read or refused`() throws {
    let fixtures = try [
      Self.example.bytes, PropertyLists.binary(PropertyLists.sample),
      BinaryFile([0xa3, 1, 2, 3], [0x62, 0xd8, 0x3c, 0xdf, 0x88], [0x44, 1, 2, 3, 4], [0x81, 1, 2]).bytes,
    ]
    for bytes in fixtures {
      let changes: Damage.Change =
        bytes.count < 200 ? .flipping(Array(1...255)) : .replacing([0, 0x40, 0x7f, 0x80, 0xff])
      try Damage(to: bytes, change: changes).check { bytes in
        try BinaryPropertyList(bytes).replay(into: PropertyListTree(budget: Budget()))
      }
    }
  }

  @Test func `A question to a node of another kind is refused`() throws {
    let list = try BinaryPropertyList(Self.example.bytes)
    let builder = PropertyListTree(budget: Budget())
    try list.replay(into: builder)
    for nodes in [list, builder] as [any PropertyListNodes] {
      #expect(nodes.nodeCount == 3)
      #expect(throws: FerryError.self) { try nodes.kind(of: NodeID(3)) }
      #expect(throws: FerryError.self) { try nodes.kind(of: NodeID(-1)) }
      #expect(throws: FerryError.self) { try nodes.element(0, of: NodeID(0)) }
      #expect(throws: FerryError.self) { try nodes.key(1, of: NodeID(0)) }
      #expect(throws: FerryError.self) { try nodes.value(-1, of: NodeID(0)) }
      #expect(throws: FerryError.self) { try nodes.key(0, of: NodeID(1)) }
      #expect(throws: FerryError.self) { try nodes.withText(of: NodeID(0)) { String($0) } }
      #expect(throws: FerryError.self) { try nodes.withData(of: NodeID(1)) { $0.count } }
      #expect(try nodes.withText(of: nodes.key(0, of: nodes.root)) { String($0) } == "a")
    }
    #expect(list.location(of: NodeID(1)) == InputLocation(byte: 11, object: 1))
    #expect(list.location(of: NodeID(99)) == InputLocation())
  }
}

@Suite struct `Objects of binary property lists` {
  /// The objects of a file and the references of its collections, as text.
  private func objects(_ value: Value, _ sharing: BinaryPropertyListWriter.Sharing) throws -> [String] {
    let list = try BinaryPropertyList(PropertyLists.binary(value, sharing: sharing))
    var objects: [String] = []
    for node in (0..<list.nodeCount).map(NodeID.init) {
      switch try list.kind(of: node) {
      case .string: objects.append(try list.withText(of: node) { String($0) })
      case .array(let count):
        objects.append("\(try (0..<count).map { try list.element($0, of: node).index })")
      case .dictionary(let count):
        let keys = try (0..<count).map { try list.key($0, of: node).index }
        let values = try (0..<count).map { try list.value($0, of: node).index }
        objects.append("\(keys)\(values)")
      case .boolean(let value): objects.append("\(value)")
      case .integer(let value): objects.append("\(value)")
      case .uid(let number): objects.append("#\(number)")
      case .real(let value): objects.append("\(value)")
      case let kind: objects.append(kind.name)
      }
    }
    return objects
  }

  @Test func `Keys are numbered before values, and collections after the scalars before them`() throws {
    #expect(
      try objects(["a": ["c": 1], "b": 2], .equalScalars) == [
        "[1, 2][3, 6]", "a", "b", "[4][5]", "c", "1", "2",
      ])
  }

  @Test func `Booleans and references are written each time and referred to the first time`() throws {
    #expect(
      try objects([true, false, true, .uid(1), .uid(2), .uid(1)], .equalScalars)
        == ["[1, 2, 1, 4, 5, 4]", "true", "false", "true", "#1", "#2", "#1"])
  }

  @Test func `Equal scalars are one object`() throws {
    #expect(
      try objects(["a", "a", 1, 1, 1.0, .data([1]), .data([1]), ["a": 1]], .equalScalars)
        == ["[1, 1, 2, 2, 3, 4, 4, 5]", "a", "1", "1.0", "data", "[1][2]"])
  }

  @Test func `Scalars with the same bytes and different types or signs are objects of their own`() throws {
    let date = Value.date(secondsSince2001: 0)
    let value: Value = ["", .data([]), "a", .data([0x61]), 0, 0.0, -0.0, date, date, "", -0.0]
    #expect(
      try objects(value, .equalScalars)
        == ["[1, 2, 3, 4, 5, 6, 7, 8, 8, 1, 7]", "", "data", "a", "data", "0", "0.0", "-0.0", "a date"])
  }

  @Test func `An archiver shares keys, numbers and short strings`() throws {
    let value: Value = [
      ["name": "name", "x": 1], ["name": "name", "x": 1], "too long for it", "too long for it", .data([1]),
      .data([1]),
    ]
    #expect(
      try objects(value, .archiver)
        == [
          "[1, 5, 6, 7, 8, 9]", "[2, 3][2, 4]", "name", "x", "1", "[2, 3][2, 4]", "too long for it",
          "too long for it", "data", "data",
        ])
  }

  @Test func `An archiver's own keys and long keys are constants that no value shares`() throws {
    #expect(
      try objects([["NSName": "NSName"], ["NSName": 1], ["quite a long key": "quite a long key"]], .archiver)
        == [
          "[1, 4, 6]", "[2][3]", "NSName", "NSName", "[2][5]", "1", "[7][8]", "quite a long key",
          "quite a long key",
        ])
  }

  @Test(arguments: [
    ("", true), ("1234567", true), ("~~~~~~~", true), ("12345678", true), ("~2345678", false),
    ("123456789", true), ("1234567890", false), ("eilotrm.ap", true), ("eilotrm.apd", true),
    ("eilotrm.apdn", false), ("étude", false), ("NSMutableArray", true), ("NSMutableArrays", false),
  ])
  func `An archiver shares strings that fit in a pointer`(_ text: String, _ isShared: Bool) throws {
    #expect(try objects([.string(text), .string(text)], .archiver).count == (isShared ? 2 : 3))
  }

  @Test func `References become wider with the 256th object`() throws {
    for (count, width) in [(254, 1), (255, 2)] {
      let bytes = try PropertyLists.binary(.array((0..<count).map { .integer(Int128($0)) }))
      #expect(bytes[bytes.count - 25] == width)
      #expect(try PropertyLists.value(binary: bytes) == .array((0..<count).map { .integer(Int128($0)) }))
    }
  }

  @Test func `A value without a place in a binary property list is refused by name`() {
    func failure(_ body: (BinaryPropertyListWriter) throws -> Void) -> FerryError.Reason? {
      PropertyLists.failure { try body(BinaryPropertyListWriter(to: MemoryOutput())) }?.reason
    }
    let format = "a binary property list"
    #expect(
      failure { try $0.integer(1 << 64) }
        == .cannotHold(.integerRange("18446744073709551616", format: format)))
    #expect(
      failure { try $0.number(BorrowedText("2.20".utf8.span)) }
        == .cannotHold(.kind("the number 2.20, which is not exactly an integer or a real", format: format)))
    #expect(
      failure { try $0.beginObject(ObjectClass("A"), identity: nil) }
        == .cannotHold(.kind("an object", format: format)))
    #expect(failure { try $0.reference(1) } == .cannotHold(.kind("a reference to an object", format: format)))
    #expect(failure { try $0.finish() } == .cannotHold(.misplaced("the end")))
    #expect(failure { try $0.endArray() } == .cannotHold(.misplaced("the end of an array")))
    #expect(
      failure {
        try $0.beginDictionary(count: nil)
        try $0.null()
      } == .cannotHold(.misplaced("a value without a key")))
    #expect(
      failure {
        try $0.null()
        try $0.null()
      } == .cannotHold(.misplaced("a second value")))
    #expect(
      failure {
        try $0.beginDictionary(count: nil)
        try $0.beginKey()
        try $0.beginArray(count: nil)
      } == .cannotHold(.kind("a key that is a collection", format: format)))
  }
}
