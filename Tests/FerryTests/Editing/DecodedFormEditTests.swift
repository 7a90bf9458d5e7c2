import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Edits of decoded forms` {
  /// An archive of a dictionary with one object of each of some classes.
  static func archive() throws -> [UInt8] {
    func object(_ name: String, _ content: Value) -> Value {
      let type = ClassCatalog.standard.type(named: name) ?? ObjectClass(name)
      return .object(ObjectValue(type, content: content))
    }
    let run: Value = ["NSKern": 1.5]
    return try Archived.bytes([
      "color": object("NSColor", ["color": "#FF8000FF", "colorSpace": "deviceRGB"]),
      "grey": object(
        "NSColor", ["color": "#545454FF", "colorSpace": "calibratedWhite", "components": [0.33]]),
      "named": object(
        "NSColor",
        [
          "colorSpace": "named", "catalog": "System", "name": "textColor",
          "value": object("NSColor", ["color": "#000000FF", "colorSpace": "calibratedWhite"]),
        ]),
      "own": object(
        "NSColor",
        [
          "color": "#FF8000FF", "colorSpace": "calibratedRGB", "customComponents": [0.9, 0.4, 0, 1],
          "customColorSpace": object("NSColorSpace", ["id": 7]),
        ]),
      "kit": object(
        "UIColor", ["color": "#FF8000FF", "doubles": [1.0, 0.5, 0.0, 1.0], "text": "1 0.502 0"]),
      "frame": object("NSValue", ["x": 1, "y": 2, "width": 30, "height": 40.5]),
      "range": object("NSValue", ["location": 3, "length": 7]),
      "edges": object("NSValue", ["top": 1.0, "left": 2.0, "bottom": 3.0, "right": 4.0]),
      "indexes": object("NSIndexSet", [["location": 3, "length": 4]]),
      "locale": object("NSLocale", "de_DE"), "zone": object("NSTimeZone", ["name": "Europe/Berlin"]),
      "page": object("NSURL", "https://example.org/a"),
      "relative": object("NSURL", ["relative": "b.html", "base": object("NSURL", "https://example.org/")]),
      "id": object("NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      "saved": .date(secondsSince2001: 0.25), "price": object("NSDecimalNumber", .number("2.20")),
      "length": object(
        "NSMeasurement",
        [
          "value": 45.0,
          "unit": object(
            "NSUnitLength",
            [
              "symbol": "mi",
              "converter": object("NSUnitConverterLinear", ["coefficient": 1609.34, "constant": 0.0]),
            ]),
        ]),
      "text": object("NSAttributedString", ["string": "a b c", "attributes": run]),
    ])
  }

  @Test(
    arguments: [
      ("color.color", "#FF8000FF"), ("grey.components[0]", 0.33), ("named.value.color", "#000000FF"),
      ("frame.width", 30), ("frame.height", 40.5), ("range.location", 3), ("range.length", 7),
      ("edges.left", 2.0), ("indexes[0].length", 4), ("indexes[-1].location", 3), ("locale", "de_DE"),
      ("zone.name", "Europe/Berlin"), ("page", "https://example.org/a"), ("relative.relative", "b.html"),
      ("relative.base", "https://example.org/"), ("length.value", 45.0), ("length.unit.symbol", "mi"),
      ("length.unit.converter.coefficient", 1609.34), ("text.string", "a b c"),
      ("text.attributes.NSKern", 1.5), ("saved", .date(secondsSince2001: 0.25)), ("price", .number("2.20")),
      // An archived key leads to what it did before.
      ("color.NSColorSpace", 2), (#"range["NS.special"]"#, 4),
      (#"frame["NS.rectval"]"#, "{{1, 2}, {30, 40.5}}"),
      ("text.NSString", "a b c"), ("indexes.NSRangeCount", 1), ("indexes[*].length", [4]),
    ] as [(String, Value)])
  func `A path leads into the decoded form of an object`(path: String, value: Value) throws {
    #expect(try Edited.value(Self.archive(), path).scalar == value)
  }

  @Test(
    arguments: [
      ("color", "#102030FF", "color.color", "#102030FF"),
      ("color.color", "#10203040", "color.color", "#10203040"),
      ("color", "#102030", "color.colorSpace", "deviceRGB"),
      ("grey", "#808080FF", "grey.colorSpace", "calibratedWhite"),
      ("grey", "#102030FF", "grey.colorSpace", "calibratedRGB"),
      ("grey.components[0]", "0.5", "grey.color", "#0.5 0.5 0.5 1"),
      ("named", "#102030FF", "named", ["color": "#102030FF", "colorSpace": "calibratedRGB"]),
      ("named.value", "#FFFFFFFF", "named.value.color", "#FFFFFFFF"),
      ("own", "#102030FF", "own.customComponents", [0.06274509804, 0.1254901961, 0.1882352941, 1]),
      ("own", "#808080FF", "own.customColorSpace.id", 7),
      ("kit", "#000000FF", "kit", ["color": "#000000FF", "doubles": [0.0, 0.0, 0.0, 1.0], "text": "0 0 0"]),
      ("frame.width", "20", "frame", ["x": 1, "y": 2, "width": 20, "height": 40.5]),
      ("range.location", "5", "range", ["location": 5, "length": 7]), ("edges.left", "7", "edges.left", 7.0),
      ("indexes[0].length", "9", "indexes", [["location": 3, "length": 9]]),
      ("locale", "en_GB", "locale", "en_GB"), ("zone.name", "UTC", "zone.name", "UTC"),
      ("page", "https://example.org/b", "page", "https://example.org/b"),
      ("relative", "c.html", "relative.relative", "c.html"),
      ("id", "01234567-89AB-CDEF-0123-456789ABCDEF", "id", "01234567-89AB-CDEF-0123-456789ABCDEF"),
      ("saved", "2001-01-01T00:00:01Z", "saved", .date(secondsSince2001: 1)),
      ("price", "9.90", "price", .number("9.90")),
      ("length.value", "5", "length.value", 5.0), ("length.unit.symbol", "km", "length.unit.symbol", "km"),
      ("text.string", "x", "text.string", "x"),
    ] as [(String, String, String, Value)])
  func `The decoded form of an object is set to a text`(
    path: String, text: String, read: String, value: Value
  ) throws {
    let bytes = try Self.archive()
    let edited = try Edited.set(bytes, path, text)
    #expect(try Edited.value(edited, read).scalar == value)
    // Nothing else has changed.
    let (before, after) = (try Edited.value(bytes, ""), try Edited.value(edited, ""))
    let name = String(path.prefix { $0 != "." && $0 != "[" })
    guard case .dictionary(let old) = before else { throw Edited.Nothing() }
    for case (.string(let key), let value) in old where key != name { #expect(after[key] == value, "\(key)") }
    // What stood there before gives the first bytes again.
    let file = try EditableFile(edited)
    let whole = try ValuePath(parsing: name)
    try file.set(try EditableFile(bytes).value(at: whole), at: whole)
    #expect(try file.bytes() == bytes)
  }

  @Test(arguments: [
    ("color.color", "red", "#RRGGBBAA"), ("kit.color", "red", "#RRGGBBAA"),
    ("color.colorSpace", "foo", "calibratedWhite"),
  ])
  func `A text that a part of a color cannot have is refused with the notation`(
    _ path: String, _ text: String, _ notation: String
  ) throws {
    let error = #expect(throws: FerryError.self) { try Edited.set(try Self.archive(), path, text) }
    #expect(error?.message.contains(notation) == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      (
        "frame", #"{"x": 0, "y": 0, "width": 10, "height": 20}"#,
        ["x": 0, "y": 0, "width": 10, "height": 20.0]
      ),
      (
        "indexes", #"[{"location": 1, "length": 2}, {"location": 9, "length": 1}]"#,
        [["location": 1, "length": 2], ["location": 9, "length": 1]]
      ),
      ("color", ##"{"color": "#102030FF"}"##, ["color": "#102030FF", "colorSpace": "deviceRGB"]),
      ("zone", #"{"name": "UTC"}"#, ["name": "UTC"]),
    ] as [(String, String, Value)])
  func `The decoded form of an object is set to JSON`(path: String, text: String, value: Value) throws {
    let edited = try Edited.set(Self.archive(), path, text, as: .json)
    #expect(try Edited.value(edited, path).scalar == value)
  }

  @Test func `Elements are added to and removed from the lists of a decoded form`() throws {
    let bytes = try Self.archive()
    let more = try Edited.insert(bytes, "indexes[]", #"{"location": 20, "length": 1}"#, as: .json)
    #expect(
      try Edited.value(more, "indexes").scalar
        == [["location": 3, "length": 4], ["location": 20, "length": 1]])
    #expect(try Edited.remove(more, "indexes[1]") == bytes)
  }

  @Test(
    arguments: [
      (
        "color", "red",
        PathProblem.badText(
          "red", type: ##"a color (#RRGGBB, #RRGGBBAA, or numbers from 0 to 1 as in "#1 0.5 0 1")"##,
          isFound: true)
      ),
      ("frame.width", "wide", .badText("wide", type: "an integer", isFound: true)),
      ("range.location", "1.5", .badText("1.5", type: "an integer", isFound: true)),
      ("frame.depth", "1", .noKey("depth", among: [], count: 3)),
      ("id", "1", .badText("1", type: "a UUID such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F", isFound: true)),
      ("indexes[1].length", "1", .noElement(1, count: 1)),
      ("indexes[0].size", "1", .noKey("size", among: ["location", "length"], count: 2)),
      ("frame", "1", .cannotPut("a text", .current("an object of the class NSValue"))),
      ("color.color.x", "1", .noStep("key \"x\"", into: "a string")),
    ] as [(String, String, PathProblem)])
  func `A decoded form that does not fit its class is refused`(
    path: String, text: String, problem: PathProblem
  ) throws {
    let (met, _) = try Edited.problem { _ = try Edited.set(Self.archive(), path, text) }
    if case .noKey(let key, [], _) = problem, case .noKey(key, _, _) = met { return }
    #expect(met == problem)
  }

  @Test func `The parts of a class are named once each, and a date as an example`() throws {
    let entry = try #require(ClassCatalog.standard.entry(for: ObjectClass("NSValue")))
    guard case .archive(.noDecodedForm(_, let parts, nil)) = entry.noDecodedForm(nil).reason else {
      Issue.record("\(entry.noDecodedForm(nil))")
      return
    }
    #expect(parts.count == Set(parts).count && parts.contains("trailing"), "\(parts)")
    #expect(TextType.date.name == "a date such as 2014-06-01T09:30:00Z")
  }

  @Test func `A shared object is copied by a set, and shared again by a set back`() throws {
    let color = Value.object(
      ObjectValue(
        ObjectClass("NSColor"), identity: 1, content: ["color": "#FF8000FF", "colorSpace": "deviceRGB"]))
    let bytes = try Archived.bytes(["a": color, "b": .reference(1), "c": "last"])
    let edited = try Edited.set(bytes, "b", "#102030FF")
    #expect(try Edited.value(edited, "a.color") == "#FF8000FF")
    #expect(try Edited.value(edited, "b.color") == "#102030FF")
    #expect(try Edited.set(edited, "b", "#FF8000FF") == bytes)
    // Inside it, all see the change.
    let inside = try Edited.set(bytes, "b.color", "#102030FF")
    #expect(try Edited.value(inside, "a.color") == "#102030FF")
  }

  /// A catalog with two classes that a caller describes. The decoded form of a `Tag` is the text of one key, and that of a `Mark` has
  /// another name for this key.
  private static var described: ClassCatalog {
    get throws {
      .standard.adding(
        try ClassCatalog(classesIn: [
          "ferry": 1,
          "classes": [
            ["class": "Tag", "value": ["archiveKey": "label", "type": "string"]],
            ["class": "Mark", "fields": [["name": "title", "archiveKey": "label", "type": "string"]]],
          ],
        ]))
    }
  }

  /// Returns an archive of a list with an object of a described class.
  private static func list(of type: String, _ label: Value) throws -> [UInt8] {
    try Archived.bytes([.object(ObjectValue(ObjectClass(type), content: ["label": label]))])
  }

  @Test func `Decoded forms inside data and of described classes are found`() throws {
    let inner = try Self.archive()
    let outer = try Archived.bytes(["theme": .data(inner)])
    let edited = try Edited.set(outer, "theme.color", "#102030FF")
    #expect(try Edited.value(edited, "theme.color.color") == "#102030FF")
    let lone = try Archived.bytes(
      .object(
        ObjectValue(ObjectClass("NSColor"), content: ["color": "#FF8000FF", "colorSpace": "deviceRGB"])))
    let theme = try Archived.bytes(["ink": .data(lone)])
    let inked = try Edited.set(theme, "ink", "#102030FF")
    #expect(try Edited.value(inked, "ink.color") == "#102030FF")
    #expect(try Edited.set(inked, "ink", "#FF8000FF") == theme)
    var options = EditableFile.Options()
    options.catalog = try Self.described
    let tag = try Self.list(of: "Tag", "new")
    let file = try EditableFile(tag, options: options)
    #expect(try file.value(at: ValuePath(parsing: "[0]")).scalar == "new")
    try file.set(text: "old", at: ValuePath(parsing: "[0]"))
    #expect(try Edited.value(file.bytes(), "[0].label") == "old")
  }

  @Test(arguments: ["grey.components", "own.customComponents", "kit.doubles"])
  func `The components of a color are neither inserted nor removed`(path: String) throws {
    let bytes = try Self.archive()
    let removal = try Edited.problem { _ = try Edited.remove(bytes, "\(path)[0]") }.0
    let insertion = try Edited.problem { _ = try Edited.insert(bytes, "\(path)[]", "0.5") }.0
    let reason = "the color space determines the number of components"
    #expect(removal == .cannotRemove(reason))
    #expect(insertion == .cannotInsert(reason))
  }

  @Test func `A number is inserted in an empty index path`() throws {
    let type = ObjectClass("NSIndexPath")
    let bytes = try Archived.bytes(["x": .object(ObjectValue(type, content: []))])
    let edited = try Edited.insert(Edited.insert(bytes, "x[]", "7"), "x[]", "2")
    #expect(try Edited.value(edited, "x").scalar == [7, 2])
  }

  /// Objects that a text can express, and a text that sets each of them although it is also Base64.
  private static let expressible: [(object: Value, text: String)] = [
    ("hello", "blue"), (.integer(5), "2024"), (.data([1, 2]), "AAEC"),
    (.object(ObjectValue(ObjectClass("NSURL"), content: "https://a.b/")), "c/de"),
  ]

  @Test(arguments: expressible)
  func `Base64 of a file replaces data that holds an archive, and other text sets the object in it`(
    _ object: Value, _ text: String
  ) throws {
    let outer = try Archived.bytes(["held": .data(Archived.bytes(object)), "other": 1])
    let archive = Value.data(try Archived.bytes(["x": "another"]))
    let replaced = try Edited.set(outer, "held", #require(archive.plainText))
    #expect(try Edited.value(replaced, "held") == archive)
    let edited = try Edited.set(outer, "held", text)
    guard case .data(let inner) = try Edited.value(edited, "held") else {
      Issue.record("no data is at the path")
      return
    }
    #expect(try EditableFile(inner).value(at: ValuePath()).plainText == text)
  }

  @Test func `Objects of described classes are archived with their keys when they are written by path`()
    throws
  {
    var options = EditableFile.Options()
    options.catalog = try Self.described
    let tag = try Self.list(of: "Tag", "new")
    let output = MemoryOutput()
    _ = try EditableFile(tag, options: options)
      .write([ValuePath(parsing: "[0]")], as: WritingOptions(to: .archive), to: output)
    #expect(try Edited.value(output.bytes, "label") == "new")
    var settings = RecordSettings.values
    settings.reading.catalog = try Self.described
    let documents = Records(as: .archive, from: .bytes(tag), settings)
    #expect(try documents.results.map { try Edited.value($0.get(), "label") } == ["new"])
  }

  @Test func `A comparison and its patch show objects of described classes in decoded form`() throws {
    var comparison = FileComparison()
    comparison.reading.catalog = try Self.described
    let (old, new) = try (
      FileComparison.File(Self.list(of: "Mark", "old"), name: "old.archive"),
      FileComparison.File(Self.list(of: "Mark", "new"), name: "new.archive")
    )
    let differences = try comparison.differences(from: old, to: new)
    #expect(differences.all.map(\.newPath?.description) == ["[0].title"])
    let patch = try comparison.patch(of: differences, from: old, to: new)
    #expect(patch.untested == nil)
    #expect(String(decoding: patch.bytes, as: UTF8.self).contains("\"/0/title\""))
  }

  @Test func `Decoded forms are read and set through the library`() throws {
    let archive = try KeyedArchive(Self.archive())
    let (frame, width) = (try ValuePath(parsing: "frame"), try ValuePath(parsing: "frame.width"))
    #expect(try archive.value(at: width) == 30)
    try archive.set(20, at: width)
    #expect(try archive.value(at: frame).scalar["width"] == 20)
    try archive.set(["x": 0, "y": 0, "width": 1, "height": 2], at: frame)
    #expect(try archive.value(at: frame).scalar == ["x": 0, "y": 0, "width": 1, "height": 2])
    try archive.set("#102030FF", at: ValuePath(parsing: "color"))
    #expect(try archive.value(at: ValuePath(parsing: "color.color")) == "#102030FF")
  }
}

@Suite struct `Edits of decoded forms in real archives` {
  private struct Tally {
    var objects = 0
    /// The objects whose old value gives the file its old bytes.
    var exact = 0
    /// The objects whose old value gives an equal file with other bytes. Another value loses facts of the file: which equal scalars were
    /// one object, and which equal attributes of runs were two.
    var equal = 0
  }

  /// Returns another scalar of the same kind, or nil for other values.
  private func other(than old: Value) -> Value? {
    switch old {
    case .string(let text) where ColorText.steps(text) != nil: text == "#102030FF" ? "#304050FF" : "#102030FF"
    case .string(let text) where UUIDText.bytes(text.utf8.span) != nil: "01234567-89AB-CDEF-0123-456789ABCDEF"
    case .string(let text): .string(text + "x")
    case .integer(let value): .integer(value < 100 ? value + 1 : value - 1)
    case .real(let value): .real(value.rounded() + 1)
    case .single(let value): .single(value + 1)
    case .number: .number("1.10")
    case .boolean(let value): .boolean(!value)
    case .date(let seconds): .date(secondsSince2001: seconds + 1)
    case .data(let bytes): .data(bytes + [1])
    default: nil
    }
  }

  /// Returns the paths of the scalars of a decoded form, outside of other objects.
  private func scalars(_ value: Value) -> [[ValuePath.Step]] {
    switch value {
    case .array(let elements):
      return elements.prefix(2).enumerated().flatMap { index, value in
        scalars(value).map { [.index(index)] + $0 }
      }
    case .dictionary(let entries):
      return entries.flatMap { key, value in
        guard case .string(let key) = key else { return [[ValuePath.Step]]() }
        return key == "colorSpace" ? [] : scalars(value).map { [.key(key)] + $0 }
      }
    case .object, .set, .reference, .null: return []
    default: return [[]]
    }
  }

  private func set(_ value: Value, _ path: ValuePath, in bytes: [UInt8]) throws -> [UInt8] {
    let file = try EditableFile(bytes)
    try file.set(value, at: path)
    return try file.bytes()
  }

  @Test
  func `Real objects of known classes are set to something else and back`() throws {
    var kinds: [String: Tally] = [:]
    var wrong: [String] = []
    var refused = 0
    for name in try Corpus.files(under: "keyed") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 150_000, let file = try? EditableFile(bytes), let archive = file.archive,
        let decodedForms = file.decodedForms, let list = file.list.base as? BinaryPropertyList,
        try BinaryLayout(of: list).patch == nil
      else { continue }
      var taken: [String: Int] = [:]
      let objects = try file.walker.start([.key("$objects")]).location
      guard let entry = try file.list.entry("$objects", of: objects.node) else { continue }
      let table = try file.list.value(entry, of: objects.node)
      for number in 1..<max(archive.count, 1) {
        guard let object = try? decodedForms.object(at: file.list.element(number, of: table)),
          taken[object.type.name, default: 0] < 1, kinds[object.type.name]?.objects ?? 0 < 24
        else { continue }
        taken[object.type.name, default: 0] += 1
        let whole = ValuePath([.key("$objects"), .index(number)])
        guard let old = try? file.value(at: whole) else { continue }
        for part in scalars(old.scalar).prefix(2) {
          guard let step = try? file.value(at: ValuePath(whole.steps + part)),
            let new = other(than: step.scalar)
          else { continue }
          kinds[object.type.name, default: Tally()].objects += 1
          do {
            let there = try set(new, ValuePath(whole.steps + part), in: bytes)
            // Setting the whole value also restores parts that changed with this one.
            var back = try set(step.scalar, ValuePath(whole.steps + part), in: there)
            if back != bytes { back = try set(old, whole, in: there) }
            if back == bytes {
              kinds[object.type.name, default: Tally()].exact += 1
            } else if try EditableFile(back).value(at: whole) == old {
              kinds[object.type.name, default: Tally()].equal += 1
            } else {
              wrong.append("\(name) \(object.type.name) \(number) \(part): \(step) -> \(new)")
            }
            if try EditableFile(there).value(at: ValuePath(whole.steps + part)).scalar != new {
              wrong.append("NOT SET \(name) \(object.type.name) \(number) \(part): \(step) -> \(new)")
            }
          } catch let failure as FerryError where failure.isRefusedByClass {
            // The class, or an object that refers to this one, does not allow the other value.
            refused += 1
          } catch {
            wrong.append("FAILED \(name) \(object.type.name) \(number) \(part) \(step) -> \(new): \(error)")
          }
        }
      }
    }
    for (kind, tally) in kinds.sorted(by: { $0.key < $1.key }) {
      print("\(kind): \(tally.exact) of \(tally.objects) come back, \(tally.equal) with equal objects")
    }
    let (exact, objects) = kinds.values.reduce((0, 0)) { ($0.0 + $1.exact, $0.1 + $1.objects) }
    print("\(exact) of \(objects) give the file's bytes again, \(refused) refuse the other value")
    #expect(
      objects > 200 && exact * 100 >= (objects - refused) * 75 && refused * 4 < objects,
      "\(exact) of \(objects), \(refused) refused")
    #expect(wrong.isEmpty, "\(wrong.prefix(20).joined(separator: "\n"))")
  }
}

extension FerryError {
  /// True if the error is an edit that the class of an object does not allow.
  fileprivate var isRefusedByClass: Bool {
    if case .path(.cannotPut) = reason { true } else { false }
  }
}
