import TestSupport
import Testing

@testable import Ferry

/// A compiled nib file that is built from its tables.
struct NIBSample {
  var objects: [(type: Int, first: Int, count: Int)] = []
  var keys: [String] = []
  var values: [[UInt8]] = []
  var classes: [(name: String, fallbacks: [UInt8])] = []

  static func number(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value) | 0x80] : [UInt8(value & 0x7f)] + number(value >> 7)
  }

  private static func fixed(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xff) } }

  /// The value of a key with a type.
  static func value(_ key: Int, _ type: UInt8, _ bytes: [UInt8] = []) -> [UInt8] {
    number(key) + [type] + bytes
  }
  static func object(_ key: Int, _ number: Int) -> [UInt8] { value(key, 10, fixed(number)) }
  static func data(_ key: Int, _ text: String) -> [UInt8] {
    value(key, 8, number(text.utf8.count) + text.utf8)
  }

  var bytes: [UInt8] {
    let objectTable: [UInt8] = objects.flatMap { object -> [UInt8] in
      Self.number(object.type) + Self.number(object.first) + Self.number(object.count)
    }
    let keyTable: [UInt8] = keys.flatMap { key -> [UInt8] in Self.number(key.utf8.count) + Array(key.utf8) }
    let classTable: [UInt8] = classes.flatMap { type -> [UInt8] in
      var entry: [UInt8] = Self.number(type.name.utf8.count + 1) + Self.number(type.fallbacks.count)
      for fallback in type.fallbacks { entry += Self.fixed(Int(fallback)) }
      return entry + Array(type.name.utf8) + [0]
    }
    let tables: [[UInt8]] = [objectTable, keyTable, values.flatMap { $0 }, classTable]
    var header = Array("NIBArchive".utf8) + Self.fixed(1) + Self.fixed(9)
    var offset = 50
    for (count, table) in zip([objects.count, keys.count, values.count, classes.count], tables) {
      header += Self.fixed(count) + Self.fixed(offset)
      offset += table.count
    }
    return header + tables.flatMap { $0 }
  }

  /// A window with a value of every type, and objects of Foundation.
  static let window = NIBSample(
    objects: [
      (0, 0, 12), (1, 12, 1), (2, 13, 1), (3, 14, 3), (4, 17, 3), (5, 20, 1), (2, 21, 1), (6, 22, 2),
      (7, 24, 1),
    ],
    keys: [
      "tiny", "small", "medium", "large", "no", "yes", "single", "double", "data", "nil",
      "UINibEncoderEmptyKey",
      "list", "map", "NS.bytes", "NSInlinedValue", "NS.intval", "me",
    ],
    values: [
      value(0, 0, [0xff]), value(1, 1, [0x00, 0x80]), value(2, 2, [1, 0, 0, 0x80]),
      value(3, 3, [0, 0, 0, 0, 0, 0, 0, 0x80]), value(4, 4), value(5, 5), value(6, 6, [0, 0, 0xc0, 0x3f]),
      value(7, 7, [0, 0, 0, 0, 0, 0, 0x04, 0x40]), value(9, 9), object(11, 3), object(12, 4), object(16, 0),
      data(13, "Ada"), value(15, 0, [42]),
      value(14, 5), object(10, 1), object(10, 2),
      value(14, 5), object(10, 1), object(10, 5), data(13, "\u{0}\u{1}"), value(15, 1, [0, 1]),
      object(10, 1), object(10, 8), value(14, 5),
    ],
    classes: [
      ("MyWindow", [8]), ("NSString", []), ("NSNumber", []), ("NSArray", []), ("NSDictionary", []),
      ("NSData", []),
      ("Unnamed", []), ("NSMutableSet", []), ("NSWindow", []),
    ])
}

@Suite struct `Compiled nib files` {
  private func text(_ bytes: [UInt8], to format: Format = .json, _ form: Representation = .plain)
    throws(FerryError) -> String
  {
    var conversion = Conversion(to: format)
    conversion.writing.representation = form
    return String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
  }

  @Test func `The objects of a nib file have their values, classes and identities`() throws {
    let bytes = NIBSample.window.bytes
    #expect(try Format.of(bytes) == .nibArchive)
    #expect(
      try text(bytes)
        == ##"""
        {"tiny":-1,"small":-32768,"medium":-2147483647,"large":-9223372036854775808,"no":false,"yes":true,\##
        "single":1.5,"double":2.5,"nil":null,"list":["Ada",42],"map":{"Ada":"AAE="},"me":{"$ref":"#"}}

        """##)
    let typed = try text(bytes, to: .json, .typed)
    #expect(
      typed.contains(##""$$classname":"MyWindow","$$classes":["MyWindow"],"$$classhints":["NSWindow"]"##))
  }

  @Test func `Values without keys get those of an archiver`() throws {
    var sample = NIBSample.window
    sample.objects[0] = (6, 22, 2)
    #expect(try text(sample.bytes) == "{\"$0\":\"Ada\",\"$1\":[]}\n")
  }

  @Test func `A nib file becomes a keyed archive with the same values`() throws {
    let bytes = NIBSample.window.bytes
    let archive = try Conversion(to: .archive).convert(bytes)
    #expect(archive.report.losses.isEmpty)
    #expect(try Format.of(archive.bytes) == .archive)
    #expect(try text(archive.bytes) == text(bytes))
  }

  @Test func `A value of a nib file is read by its path, and not changed`() throws {
    let file = try EditableFile(NIBSample.window.bytes)
    #expect(try file.value(at: ValuePath(parsing: "list[1]")) == 42)
    let error = #expect(throws: FerryError.self) { try file.set(1, at: ValuePath(parsing: "list[1]")) }
    #expect(error?.reason == .path(.notEditable(.nibArchive, isInData: false)))
  }

  @Test func `A nib file is inspected as its objects`() throws {
    let inspection = try Inspection(reading: MemoryInput(NIBSample.window.bytes))
    #expect(inspection.format == .nibArchive)
    #expect(inspection.archive?.classes.map(\.name).contains("MyWindow") == true)
    // The file has neither an archiver nor the version of a keyed archive.
    let archive = try #require(inspection.archive)
    #expect(!archive.hasArchiver && archive.archiver == nil && archive.version == nil)
  }

  // MARK: Hostile files

  @Test func `Damage is read or refused with its place`() throws {
    try Damage(to: NIBSample.window.bytes).check { bytes in
      guard bytes.starts(with: "NIBArchive".utf8) else { throw Damage.Refusal() }
      _ = try text(bytes)
    }
  }

  /// Nib files with changed bytes, with the offset and the message of the error.
  private static let refused: [(name: String, changes: [Int: UInt8], byte: Int, message: String)] = [
    ("a newer version", [10: 2], 14, "version 2 of the format"),
    ("objects beyond the file", [18: 0xff, 19: 0xff], 18, "65535 objects"),
    ("a table after the end", [40: 0xff, 41: 0xff], 34, "values"),
    ("an unknown class", [50: 0xff], 50, "class 127 does not exist"),
    ("values after the last", [52: 0xff], 50, "after the last"),
  ]

  @Test(arguments: refused.indices) func `A wrong part of a nib file is named with its offset`(_ index: Int)
    throws
  {
    let (name, changes, byte, message) = Self.refused[index]
    var bytes = NIBSample.window.bytes
    for (offset, new) in changes { bytes[offset] = new }
    let error = #expect(throws: FerryError.self) { try NIBArchive(bytes, budget: Budget()) }
    #expect(error?.message.contains(message) == true, "\(name): \(String(describing: error))")
    #expect(error?.location.byte == byte, "\(name): \(String(describing: error))")
  }

  @Test func `Objects that share many values stay within the budget`() throws {
    let count = 4000
    let value = NIBSample.value(0, 4)
    let sample = NIBSample(
      objects: (0..<count).map { _ in (0, 0, count) }, keys: [String(repeating: "k", count: 1000)],
      values: [[UInt8]](repeating: value, count: count), classes: [("A", [])])
    let error = #expect(throws: FerryError.self) { try NIBArchive(sample.bytes, budget: Budget()) }
    guard case .overBudget(.amplification)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.location.byte != nil)
  }

  @Test func `Every real nib file is read`() throws {
    var count = 0
    for file in try Corpus.files(under: "nibarchive") {
      let bytes = try Corpus.bytes(file)
      let json = try text(bytes)
      #expect(json.contains(#""IB.objectdata":{"NSRoot":"#), "\(file)")
      let archive = try Conversion(to: .archive).convert(bytes).bytes
      #expect(try text(archive) == json, "\(file)")
      _ = try text(bytes, to: .json, .typed)
      count += 1
    }
    #expect(count >= 50)
  }
}
