import TestSupport
import Testing

@testable import Ferry

@Suite struct `The layout of a binary property list` {
  /// A file of objects, one behind the other, the first of which is the root.
  private func file(_ objects: [[UInt8]], offsetWidth: Int = 1, referenceWidth: Int = 1) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8](repeating: 0, count: offsetWidth - 1) + [UInt8(bytes.count)]
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
    return bytes + [0, 0, 0, 0, 0, 0, 0, table]
  }

  private func layout(_ bytes: [UInt8]) throws -> BinaryLayout {
    try BinaryLayout(of: BinaryPropertyList(bytes))
  }

  /// The bytes that the writer makes of a file's values and its layout.
  private func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    let list = try BinaryPropertyList(bytes)
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, layout: try BinaryLayout(of: list))
    try list.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  /// The characters of short strings that Apple's systems store in a pointer. Up to eleven of the first half fit, and up to nine of all.
  @Test func `Strings of up to eleven frequent characters fit in a pointer`() {
    let alphabet = Array("eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)
    for byte: UInt8 in 0..<0x80 {
      let index = alphabet.firstIndex(of: byte)
      for (count, limit) in [(7, 0), (8, 64), (9, 64), (10, 32), (11, 32), (12, -1)] {
        let bytes = [UInt8](repeating: UInt8(ascii: "e"), count: count - 1) + [byte]
        let fits = limit == 0 || (index ?? 64) < limit
        #expect(BorrowedText(bytes.span).fitsInPointer == fits, "\(byte) \(count)")
      }
    }
  }

  private static let (a, b): ([UInt8], [UInt8]) = ([0x51, 0x61], [0x51, 0x62])

  @Test func `The layout of a file as Apple writes it is empty`() throws {
    let bytes = file([[0xa3, 1, 1, 2], Self.a, Self.b])
    #expect(try layout(bytes).isEmpty)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes equal strings that are two objects`() throws {
    let bytes = file([[0xa3, 1, 2, 1], Self.a, Self.a])
    let found = try layout(bytes)
    #expect(found.deviations == [.init(distance: 2, choice: 0), .init(distance: 1, choice: 1)])
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes once how a program shares objects`() throws {
    // Ten times the same string, each an object of its own.
    let bytes = file([[0xaa] + Array(1...10)] + [[UInt8]](repeating: Self.a, count: 10))
    #expect(try layout(bytes).deviations == [.init(distance: 2, choice: 0)])
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes a string that equals a distant one, and refuses an invalid one`() throws {
    let array: [UInt8] = [0xaf, 0x10, 40] + Array(1...40)
    let strings = (0x41..<0x41 + 39).map { [0x51, UInt8($0)] }
    let bytes = file([array] + strings + [[0x51, 0x41]])
    #expect(try layout(bytes).deviations == [.init(distance: 40, choice: 0)])
    #expect(try rewritten(bytes) == bytes)
    #expect(throws: FerryError.self) { try layout(file([array] + strings + [[0x51, 0xc1]])) }
  }

  @Test func `The layout notes widths that are larger than necessary`() throws {
    let bytes = file([[0xa2, 0, 1, 0, 2], Self.a, Self.b], offsetWidth: 3, referenceWidth: 2)
    let found = try layout(bytes)
    #expect(found.offsetWidth == 3)
    #expect(found.referenceWidth == 2)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout distinguishes the three dialects of repeated booleans`() throws {
    let orphans = file([[0xa2, 1, 1], [0x09], [0x09]])
    let separate = file([[0xa2, 1, 2], [0x09], [0x09]])
    let shared = file([[0xa2, 1, 1], [0x09]])
    #expect(try layout(orphans).booleans == .orphans)
    #expect(try layout(separate).booleans == .separate)
    #expect(try layout(shared).booleans == .shared)
    for bytes in [orphans, separate, shared] { #expect(try rewritten(bytes) == bytes) }
  }

  /// The file of an array in which a UID and a boolean occur three times.
  private func file(references: BinaryLayout.Repeats, booleans: BinaryLayout.Repeats) -> [UInt8] {
    var objects: [[UInt8]] = [[]]
    var numbers: [UInt8] = []
    var first: [[UInt8]: UInt8] = [:]
    for _ in 0..<3 {
      for (object, repeats) in [([0x80, 7] as [UInt8], references), ([0x09], booleans)] {
        let number = UInt8(objects.count)
        if first[object] == nil || repeats != .shared { objects.append(object) }
        numbers.append(repeats == .separate ? number : first[object] ?? number)
        if first[object] == nil { first[object] = number }
      }
    }
    objects[0] = [0xa6] + numbers
    return file(objects)
  }

  @Test(arguments: BinaryLayout.Repeats.allCases, BinaryLayout.Repeats.allCases)
  func `The layout distinguishes the dialects of repeated references and booleans`(
    _ references: BinaryLayout.Repeats, _ booleans: BinaryLayout.Repeats
  ) throws {
    let bytes = file(references: references, booleans: booleans)
    let found = try layout(bytes)
    // No known program shares references, but not booleans.
    let isKnown = references != .shared || booleans != .separate
    #expect((found.patch == nil) == isKnown)
    #expect(!isKnown || found.references == references)
    #expect(!isKnown || found.booleans == booleans)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout notes objects numbered entry by entry`() throws {
    let bytes = file([[0xd2, 1, 3, 2, 4], Self.a, [0x10, 1], Self.b, [0x10, 2]])
    #expect(try layout(bytes).isInPairs)
    #expect(try rewritten(bytes) == bytes)
  }

  @Test func `The layout has a patch for objects that follow no rule`() throws {
    // An integer in eight bytes that fits in one, and an object that nobody refers to.
    let bytes = file([[0xa1, 1], [0x13, 0, 0, 0, 0, 0, 0, 0, 5], Self.b])
    #expect(try layout(bytes).patch != nil)
    #expect(try rewritten(bytes) == bytes)
  }

  /// Texts in ASCII as UTF-16, counts that need fewer bytes, and integers and references of UIDs that do.
  private static let wide: [[UInt8]] = [
    [0x61, 0, 0x61],
    [0x60],
    [0x5f, 0x10, 1, 0x61],
    [0x5f, 0x11, 0, 1, 0x61],
    [0x6f, 0x10, 1, 0, 0xe9],
    [0x4f, 0x10, 0],
    [
      0x5f, 0x11, 0, 16, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61,
      0x61, 0x61, 0x61,
    ],
    [0x11, 0, 1],
    [0x12, 0, 0, 1, 0],
    [0x13, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
    [0x14, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x81, 0, 1],
    [0x82, 0, 1, 0],
  ]

  @Test(arguments: wide)
  func `The layout has a patch for an object with more bytes than necessary`(_ object: [UInt8]) throws {
    let bytes = file([[0xa1, 1], object])
    #expect(try layout(bytes).patch != nil)
    #expect(try rewritten(bytes) == bytes)
  }

  /// Scalars with as few bytes as possible.
  private static let least: [[UInt8]] = [
    [0x61, 0, 0xe9],
    [0x62, 0xd8, 0x3d, 0xde, 0],
    [0x11, 1, 0],
    [0x50],
    [0x40],
    [0x12, 0, 1, 0, 0],
    [0x13, 0, 0, 0, 1, 0, 0, 0, 0],
    [0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x81, 1, 0],
    [0x83, 0, 1, 0, 0],
    [0x22, 0x7f, 0xc0, 0, 1],
    [0x23, 0x7f, 0xf8, 0, 0, 0, 0, 0, 1],
    [
      0x6f, 0x10, 15, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61,
      0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61,
    ],
  ]

  @Test(arguments: least)
  func `The layout of a file with an object in as few bytes as possible is empty`(_ object: [UInt8]) throws {
    let bytes = file([[0xa1, 1], object])
    #expect(try layout(bytes).isEmpty)
    #expect(try rewritten(bytes) == bytes)
  }

  /// A file with dictionaries of two entries, as a list or as the objects of an archive. The first key is one of three equal strings.
  private func file(withKeys choices: [Int], _ key: String, isArchive: Bool) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }
    var objects: [[UInt8]] = [[]]
    if isArchive {
      objects += [text("$archiver"), text("$objects"), text("$top"), text("a"), []]
    }
    let list = objects.count - 1
    var numbers: [[UInt8]: UInt8] = [:]
    func number(_ id: [UInt8], _ object: [UInt8]) -> UInt8 {
      if let known = numbers[id] { return known }
      objects.append(object)
      numbers[id] = UInt8(objects.count - 1)
      return UInt8(objects.count - 1)
    }
    objects[list] = [0xa0 | UInt8(choices.count)]
    for choice in choices {
      let dictionary = objects.count
      objects[list].append(UInt8(dictionary))
      objects.append([0xd2])
      let first = number([UInt8(choice)], text(key))
      let second = number([9], text("second"))
      let value = number([10], [0x10, 1])
      objects[dictionary] += [first, second, value, value]
    }
    if isArchive {
      objects[0] = [0xd3, 1, 2, 3, 4, 5, UInt8(objects.count)]
      objects.append([0xd0])
    }
    return file(objects)
  }

  @Test(arguments: ["k", "constant key"], [false, true])
  func `The layout notes any choice among equal keys`(_ key: String, _ isArchive: Bool) throws {
    for pattern in 0..<243 {
      let choices = [pattern / 81, pattern / 27 % 3, pattern / 9 % 3, pattern / 3 % 3, pattern % 3]
      let bytes = file(withKeys: choices + choices, key, isArchive: isArchive)
      #expect(try layout(bytes).patch == nil, "\(choices)")
      #expect(try rewritten(bytes) == bytes, "\(choices)")
    }
  }

  @Test func `The layout of a file with any changed byte gives that file, or the file is refused`() throws {
    let scalars: [[UInt8]] = [
      [0x00], [0x09], [0x08], [0x09], [0x11, 0x01, 0x2c], [0x13] + [UInt8](repeating: 0xff, count: 8),
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8),
      [0x22, 0x3f, 0x80, 0, 0], [0x23, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], [0x33, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
      [0x42, 1, 2], [0x61, 0x00, 0xe9], [0x5f, 0x10, 0x10] + Array("sixteen letters.".utf8), [0x80, 5],
      [0x80, 5],
    ]
    // The root has the scalars, a dictionary and an array; the repeated boolean and UID are objects without a reference.
    let count = UInt8(scalars.count + 2)
    var references = Array(1...count)
    (references[3], references[14]) = (2, 14)
    let a = count + 1
    let bytes = file(
      [[0xaf, 0x10, count] + references] + scalars + [[0xd1, a, a + 1], [0xa0], Self.a, Self.b])
    let damage = Damage(to: bytes, lengths: [], change: .flipping([1, 2, 4, 8, 16, 32, 64, 128, 255]))
    let tally = try damage.check { changed in
      let list = try BinaryPropertyList(changed)
      let layout = try BinaryLayout(of: list)
      let output = MemoryOutput()
      #expect(throws: Never.self) {
        let order = try ObjectOrder(of: list, layout: layout, sharing: .stored)
        try BinaryObjects.write(order, of: list, layout: layout, to: output)
      }
      #expect(output.bytes == changed)
    }
    #expect(tally.readChanges > 200)
  }

  @Test func `A layout applies to no other value`() throws {
    let found = try layout(file([[0xa1, 1], [0x13, 0, 0, 0, 0, 0, 0, 0, 5]]))
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, layout: found)
    try Value.array([6, "a"]).replay(into: writer)
    try writer.finish()
    #expect(try Value(reading: MemoryInput(output.bytes)) == [6, "a"])
  }
}
