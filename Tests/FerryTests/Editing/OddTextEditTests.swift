import Foundation
import TestSupport
import Testing

@testable import Ferry

/// Edits whose new keys and values are texts with line breaks, markup and other characters that a format escapes.
@Suite struct `Odd texts in edits` {
  static let texts = [
    "a\nb", "\na", "a\n", "\n", "a\n\nb", "a\r\nb", "\r", "a\tb", "\t\ta", " a ", "", "a&b", "<a>", "]]>",
    "\"", "'",
    "a\\b", "{}", "\u{e9}", "e\u{301}", "\u{1f600}", "\u{2028}", "</key>", "a\n\t<key>b</key>",
  ]

  /// Documents of one line and of several, in every format whose values are changed by path.
  private static func documents() throws -> [(name: String, bytes: [UInt8])] {
    let value: Value = ["x": 1, "inner": ["y": true, "list": ["z"]], "none": .dictionary(KeyedValues())]
    let list = try Conversion(to: .xmlPropertyList).convert(json(value)).bytes
    var documents: [(name: String, bytes: [UInt8])] = []
    // The root of an XML document has one entry, a table has only rows, and a sequence of JSON is a list, so they have tests of
    // their own.
    let others: [Format] = [.xml, .jsonSequence, .nulSeparatedJSON, .concatenatedJSON]
    for format in Format.written
    where format.isEditedByPath && !others.contains(format) && format.description.content != .tables {
      // A line of JSON Lines is a dictionary only without the name of a list.
      let name = format == .jsonLines ? "a" : "a.\(format.description.extensions.first ?? format.rawValue)"
      documents.append((name, try Conversion(to: format).convert(json(value)).bytes))
    }
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == "\t" } }
    documents.append(("line.plist", Array(lines.joined().utf8)))
    return documents
  }

  private static func json(_ value: Value) throws -> [UInt8] {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  @Test func `A new key or value with an odd text is read back as it was given, also by Foundation`() throws {
    for (name, document) in try Self.documents() {
      for text in Self.texts {
        for place in [[], [ValuePath.Step.key("inner")], [.key("none")]] {
          let path = ValuePath(place + [.key(text)])
          do {
            let file = try EditableFile(document, named: name)
            try file.insert(text: text, at: path)
            let bytes = try file.bytes()
            let back = try EditableFile(bytes, named: name)
            #expect(try back.value(at: path) == .string(text), "\(name) \(path)")
            #expect(try back.value(at: ValuePath(parsing: "inner.list")) == ["z"])
            if file.format == .xmlPropertyList || file.format == .binaryPropertyList {
              let list = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
              var owner = list as? NSDictionary
              if let key = place.first {
                owner = owner?[key == .key("none") ? "none" : "inner"] as? NSDictionary
              }
              #expect(owner?[text] as? String == text, "\(name) \(path)")
            }
            // A removal gives the document back.
            try back.remove(at: path)
            let restored = try back.bytes()
            #expect(
              try EditableFile(restored, named: name).value(at: ValuePath())
                == EditableFile(document, named: name).value(at: ValuePath())
            )
          } catch { Issue.record("\(name) \(path): \(error)") }
        }
        let file = try EditableFile(document, named: name)
        try file.set(text: text, as: .string, at: ValuePath(parsing: "inner.list[0]"))
        #expect(
          try EditableFile(file.bytes(), named: name).value(at: ValuePath(parsing: "inner.list[0]"))
            == .string(text))
      }
    }
  }
}

/// Numbers and dates with digits that a file cannot keep.
@Suite struct `Digits in edits` {
  private static func file(_ format: Format) throws -> EditableFile {
    let value: Value = ["r": 1.5, "i": 1, "d": .date(secondsSince2001: 0), "s": "text"]
    let list = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: list)
    try value.replay(into: writer)
    try writer.finish()
    return try EditableFile(Conversion(to: format).convert(list.bytes).bytes)
  }

  private static let formats: [Format] = [.xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive]

  @Test(arguments: formats) func `A number that is too large for its type is refused as such`(
    _ format: Format
  )
    throws
  {
    let file = try Self.file(format)
    func expectRefusal(_ text: String, _ why: String, _ change: () throws -> Void) throws {
      let (problem, _) = try Edited.problem(change)
      #expect(problem == .cannotPut("the number \(text)", .other(why)))
    }
    for integer in ["99999999999999999999", "-9223372036854775809"] {
      let why = "it is too large for an integer"
      try expectRefusal(integer, why) { try file.set(text: integer, at: ValuePath(parsing: "i")) }
      try expectRefusal(integer, why) {
        try file.set(text: integer, as: .integer, at: ValuePath(parsing: "s"))
      }
    }
    let why = "it is too large for a real"
    try expectRefusal("0.1e400", why) { try file.set(text: "0.1e400", at: ValuePath(parsing: "r")) }
    try expectRefusal("0.1e400", why) {
      try file.set(text: "0.1e400", as: .real, at: ValuePath(parsing: "s"))
    }
    let (problem, _) = try Edited.problem {
      try file.set(text: "1.5", as: .integer, at: ValuePath(parsing: "s"))
    }
    #expect(problem == .badText("1.5", type: "an integer", isFound: false))
  }

  @Test(arguments: [Format.json, .yaml].filter(\.canRead))
  func `JSON and YAML keep all digits of a number, and let it have another type`(_ format: Format) throws {
    func expectKept(_ text: String, _ type: TextType?, instead old: String = "1") throws {
      let document = format == .json ? "{\"n\": \(old)}\n" : "n: \(old)   # number\n"
      var options = EditableFile.Options()
      options.format = format
      let file = try EditableFile(Array(document.utf8), options: options)
      try file.set(text: text, as: type, at: ValuePath(parsing: "n"))
      let edited = String(decoding: try file.bytes(), as: UTF8.self)
      let wanted = document.replacing(": \(old)", with: ": \(text)")
      #expect(edited == wanted, "\(text) \(type.map { "\($0)" } ?? "")")
    }
    for text in ["99999999999999999999", "-9223372036854775809"] {
      for type in [TextType.integer, .json, nil] { try expectKept(text, type) }
    }
    for text in ["0.1e400", "0.12345678901234567890"] {
      for type in [TextType.real, .json, nil] { try expectKept(text, type) }
    }
    for text in ["2.5", "2.50", "1e5", "7"] {
      try expectKept(text, nil)
      try expectKept(text, nil, instead: "1.5")
      try expectKept(text, nil, instead: "1.50")
    }
    for text in ["2.50", "1e5", "100000000000000000000000.0"] {
      for type in [TextType.real, .json] { try expectKept(text, type) }
    }
  }

  private static func converted(_ json: String, to format: Format) throws -> [UInt8] {
    try Conversion(to: format).convert(Array(json.utf8), named: "a.json").bytes
  }

  @Test(
    arguments: [Format.archive, .xmlArchive],
    ["1.50", "1e5", "1e22", "100000000000000000000000", "1E5", "-0"])
  func `A number in JSON is stored in an archive as a conversion stores it`(_ format: Format, _ text: String)
    throws
  {
    let wanted = try Edited.value(Self.converted("{\"a\":\(text)}", to: format), "a").scalar
    let isKept = text != "1E5" && text != "-0"
    #expect(isKept == (wanted == .number(text)))
    let file = try EditableFile(Self.converted(#"{"a":1,"c":[1,2.5]}"#, to: format))
    try file.set(text: text, as: .json, at: ValuePath(parsing: "a"))
    try file.insert(text: text, as: .json, at: ValuePath(parsing: "b"))
    try file.set(text: "[1,\(text)]", as: .json, at: ValuePath(parsing: "c"))
    let losses = LossReport()
    let edited = try file.bytes(losses: losses)
    for path in ["a", "b", "c[1]"] { #expect(try Edited.value(edited, path).scalar == wanted, "\(path)") }
    #expect(losses.counts.map(\.kind) == (isKept ? [] : [.numberNotation]))
    #expect(isKept || losses.counts.map(\.count) == [3])
  }

  @Test(
    arguments: [
      ("Person", ["ratio": 1.25], "ratio"), ("NSFont", ["name": "Times", "size": 12.0, "flags": 16], "size"),
      ("NSMeasurement", ["value": 1.0, "unit": "m"], "value"),
    ] as [(String, Value, String)])
  func `A real of an object stays a real`(_ name: String, _ content: Value, _ field: String) throws {
    let type = ClassCatalog.standard.type(named: name) ?? ObjectClass(name)
    let bytes = try Archived.bytes(["x": .object(ObjectValue(type, content: content))])
    for kind in [TextType.json, nil] {
      let file = try EditableFile(bytes)
      try file.set(text: "1.50", as: kind, at: ValuePath(parsing: "x.\(field)"))
      let losses = LossReport()
      #expect(try Edited.value(file.bytes(losses: losses), "x.\(field)") == 1.5)
      #expect(losses.counts.map(\.kind) == [.numberNotation])
    }
  }

  @Test(arguments: [Format.xmlPropertyList, .binaryPropertyList, .gnustepPropertyList])
  func `A property list reports each number that loses its notation`(_ format: Format) throws {
    let bytes = try Self.converted(#"{"a":1.5,"b":"x","c":[1.25,2]}"#, to: format)
    func expectLosses(_ count: Int, _ change: (EditableFile) throws -> Void) throws {
      var options = EditableFile.Options()
      options.format = format
      let file = try EditableFile(bytes, options: options)
      try change(file)
      let losses = LossReport()
      _ = try file.bytes(losses: losses)
      #expect(losses.counts.filter { $0.kind == .numberNotation }.map(\.count) == (count == 0 ? [] : [count]))
    }
    try expectLosses(1) { try $0.set(text: "1.50", as: .json, at: ValuePath(parsing: "b")) }
    for text in ["007", "0x1F", "+1"] {
      try expectLosses(1) { try $0.set(text: text, as: .integer, at: ValuePath(parsing: "c[1]")) }
      try expectLosses(1) { try $0.insert(text: text, as: .integer, at: ValuePath(parsing: "c[]")) }
    }
    try expectLosses(1) { try $0.set(text: "2.50", as: .real, at: ValuePath(parsing: "b")) }
    try expectLosses(1) { try $0.set(text: "2.50", at: ValuePath(parsing: "a")) }
    try expectLosses(1) { try $0.set(.number("2.50"), at: ValuePath(parsing: "a")) }
    try expectLosses(1) { try $0.insert(text: "1e5", as: .json, at: ValuePath(parsing: "d")) }
    try expectLosses(2) { try $0.set(text: #"[2.50,{"e":1e5},1]"#, as: .json, at: ValuePath(parsing: "c")) }
    try expectLosses(0) { try $0.set(text: "[2.5,7]", as: .json, at: ValuePath(parsing: "c")) }
    try expectLosses(2) { file in
      let patch = #"""
        [{"op":"add","path":"/d","value":1.50},{"op":"test","path":"/d","value":1.500},
         {"op":"replace","path":"/a","value":2.50}]
        """#
      try file.apply(JSONPatch(Array(patch.utf8)))
    }
  }

  @Test(
    arguments: formats, ["123456789012345678901234567890.5", "9007199254740993.0", "0.12345678901234567890"])
  func `A real whose digits would be lost is refused, and the file stays`(_ format: Format, _ text: String)
    throws
  {
    let file = try Self.file(format)
    let before = try file.bytes()
    func expectRefusal(_ change: () throws -> Void) throws {
      let (problem, _) = try Edited.problem(change)
      #expect(problem.description.contains("a real has fewer digits; the nearest is "), "\(problem)")
    }
    try expectRefusal { try file.set(text: text, at: ValuePath(parsing: "r")) }
    try expectRefusal { try file.insert(text: text, as: .real, at: ValuePath(parsing: "new")) }
    try expectRefusal { try file.set(text: text, as: .real, at: ValuePath(parsing: "s")) }
    #expect(try file.bytes() == before)
  }

  @Test(arguments: formats)
  func `A number in JSON that no real represents is refused, or becomes a decimal in an archive`(
    _ format: Format
  )
    throws
  {
    for text in ["1e400", "-1e400", "1e-400"] {
      let file = try Self.file(format)
      let before = try file.bytes()
      #expect(throws: FerryError.self) {
        try file.insert(text: text, as: .json, at: ValuePath(parsing: "new"))
      }
      #expect(throws: FerryError.self) {
        try file.insert(text: "{\"a\": [\(text)]}", as: .json, at: ValuePath(parsing: "new"))
      }
      #expect(try file.bytes() == before)
    }
    let file = try Self.file(format)
    let long = "123456789012345678901234567890.5"
    guard format.isArchive else {
      #expect(throws: FerryError.self) {
        try file.insert(text: long, as: .json, at: ValuePath(parsing: "new"))
      }
      return
    }
    try file.insert(text: long, as: .json, at: ValuePath(parsing: "new"))
    let value = try EditableFile(file.bytes()).value(at: ValuePath(parsing: "new"))
    #expect(value.scalar == .number(long))
  }

  @Test(arguments: formats, ["2.20", "1e3", "-0.0", "0.1", "3", "nan"])
  func `A real that keeps all digits of its text is set`(_ format: Format, _ text: String) throws {
    let file = try Self.file(format)
    try file.set(text: text, at: ValuePath(parsing: "r"))
    let real = try #require(Double(text))
    let value = try EditableFile(file.bytes()).value(at: ValuePath(parsing: "r"))
    #expect(value == .real(real) || real.isNaN)
  }

  @Test func `A date with a fraction of a second is refused by an XML property list`() throws {
    for text in ["2024-05-06T07:08:09.5Z", "1960-05-06T07:08:09.5Z"] {
      let file = try Self.file(.xmlPropertyList)
      let (problem, _) = try Edited.problem { try file.set(text: text, at: ValuePath(parsing: "d")) }
      #expect(problem.description.contains("a date in this format has whole seconds, such as "))
      for format in [Format.binaryPropertyList, .archive, .xmlArchive] {
        let other = try Self.file(format)
        try other.set(text: text, at: ValuePath(parsing: "d"))
        #expect(try EditableFile(other.bytes()).value(at: ValuePath(parsing: "d")).plainText == text)
      }
    }
  }

  @Test func `A 32-bit real refuses a number that it cannot represent, and JSON makes it one of 64 bits`()
    throws
  {
    let list = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: list)
    try Value.array([.single(0.5)]).replay(into: writer)
    try writer.finish()
    let path = try ValuePath(parsing: "[0]")
    for text in ["1e300", "1e-50", "16777217", "0.123456789"] {
      let file = try EditableFile(list.bytes)
      #expect(throws: FerryError.self) { try file.set(text: text, at: path) }
      #expect(try file.bytes() == list.bytes)
      try file.set(text: text, as: .json, at: path)
      let value = try file.value(at: path)
      #expect(value == (text == "16777217" ? 16_777_217 : .real(try #require(Double(text)))), "\(text)")
    }
    // The second text is the 64-bit real with the value of the 32-bit one, as it is printed.
    for text in ["0.1", Double(Float(0.1)).description] {
      for type in [nil, TextType.json] {
        let file = try EditableFile(list.bytes)
        try file.set(text: text, as: type, at: path)
        #expect(try file.value(at: path) == .single(0.1), "\(text)")
      }
    }
  }
}
