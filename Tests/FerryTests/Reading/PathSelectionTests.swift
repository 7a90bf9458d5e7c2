import TestSupport
import Testing

@testable import Ferry

/// Values that a path selects while a document is read. `EditableFile` finds the same values in a document in memory.
@Suite struct `Values that --select takes from a document` {
  private static let document =
    #"{"people":[{"name":"Ada","pets":[{"n":1,"of":{"k":[1,[2]]}},{"n":2}]},{"name":"Bo","age":7,"pets":[]},"#
    + #"[["x"],{"name":"Ada"}],5,{"name":"Ada","x":{"é y":{"z":1.5}}}],"tags":["a","b",["c"]],"n":1,"e":{},"#
    + #""d":{"p":{"q":1},"r":[{"q":2}],"s":"t"}}"#

  static let paths = [
    "", "people", "people[0]", "people[2]", "people[3]", "people[2][0]", "people[2][1].name", "people[*]",
    "people[]",
    "people[1:3]", "people[1:]", "people[:2]", "people[9:]", "people[2:1]", "people[*].name",
    "people[*].pets",
    "people[*].pets[*]", "people[0].pets[*].n", "people[0].pets[*].of.k", "people[0].pets[0].of.k[1][0]",
    "people[name=Ada]", "people[name=Ada].x.'é y'.z", "people[age=7].name", "people[name=Ada].pets[n=2]",
    "tags",
    "people.0.name", "#/people/1/name", "people.5", "tags[*]", "tags[2][0]", "n", "e", "e[*]", "d[*]",
    "d[*].q", "d.r[q=2].q", "d.p.q",
    "people[name!=Ada]", "people[age>=7].name", "people[age<7].name", "people[pets[*].n=2].name",
    "people[pets[0].of.k[1][0]=2].name", "people[.=5]", "people[.>4]", "people[.>5]",
    "people[[1].name=Ada][0][0]",
    "people[name=Ada][x.'é y'.z<2].name", "people[name!=Ada].[name=Ada]", "people[pets[n=2].n>1].name",
    "tags[.=b]", "tags[.!=b]", "tags[.>=b]", "tags[.<b]",
  ]

  @Test(arguments: paths, [Format.json, .xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive])
  func `A path selects what get prints`(_ path: String, _ format: Format) throws {
    let bytes = try Conversion(to: format).convert(Array(Self.document.utf8)).bytes
    let path = try ValuePath(parsing: path)
    let file = try EditableFile(bytes)
    let found: Value
    do throws(FerryError) { found = try file.value(at: path) } catch {
      // Where get names the step that is missing, select finds nothing.
      guard case .path = error.reason else { throw error }
      return #expect(try Self.selected(path, bytes) == ([], true))
    }
    let hasFilter = path.steps.contains { if case .filter = $0 { true } else { false } }
    let isOne = try hasFilter && !path.namesSeveral && file.count(at: path) == 1
    let expected: Value = isOne ? [found] : found
    let selected = try Self.selected(path, bytes)
    #expect(selected.value == expected)
    #expect(selected.isEmpty == (path.namesSeveral && expected == []))
  }

  @Test func `A filter compares the last of several equal keys of JSON`() throws {
    let document = #"[{"name":"Ada","name":"Bo","n":1},{"n":2,"name":"Ada"}]"#
    for name in ["Ada", "Bo"] {
      let path = try ValuePath(parsing: "[name=\(name)].n")
      let found = try EditableFile(Array(document.utf8)).value(at: path)
      #expect(try Self.selected(path, Array(document.utf8)).value == [found])
    }
  }

  private static func selected(_ path: ValuePath, _ bytes: [UInt8]) throws -> (value: Value, isEmpty: Bool) {
    var options = ReadingOptions()
    options.select = path.description
    let builder = ValueBuilder()
    let losses = LossReport()
    let detected = try DetectedInput(MemoryInput(bytes), named: nil, given: nil, budget: Budget())
    try OpenedInput(detected, options).send(into: builder, options, losses: losses)
    return (try builder.result(), losses.losses.map(\.kind) == [.nothingSelected])
  }

  @Test func `Many records arrive whole`() throws {
    let records = (0..<20_000).map { #"{"n":\#($0),"of":[{"m":"é"},[]],"t":{"u":null}}"# }
    let document = Array("{\"a\":{\"l\":[]},\"l\":[\(records.joined(separator: ","))],\"m\":[1]}".utf8)
    let all = records.map { $0 + "\n" }.joined()
    let nulls = String(repeating: "null\n", count: records.count)
    let selections = [("l[*]", all), ("l", all), ("l[*].t.u", nulls), ("l[n=19999].of[0].m", "\"é\"\n")]
    for (path, expected) in selections {
      var conversion = Conversion(to: .jsonLines)
      conversion.reading.select = path
      #expect(try conversion.convert(document).bytes == Array(expected.utf8), "\(path)")
    }
  }

  @Test func `A schema maps the selected records`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = .person
    conversion.reading.select = "of.people[0:1]"
    let document = #"{"of":{"people":[{"firstName":"Ada","lastName":"Byron"},{"bad":1}]},"v":2}"#
    let found = try conversion.convert(Array(document.utf8)).bytes
    #expect(found == Array("[{\"firstName\":\"Ada\",\"lastName\":\"Byron\"}]\n".utf8))
  }

  private static let refusals: [(select: String, format: Format, code: String)] = [
    ("people[-1]", .json, "path.counts-from-end"), ("people[-2:]", .json, "path.counts-from-end"),
    ("/people/person", .json, "path.bad-syntax"), ("people[", .json, "path.bad-syntax"),
  ]

  @Test func `A path selects from the values of an archive, and not from the typed form`() throws {
    let bytes = try Conversion(to: .archive).convert(Array(Self.document.utf8)).bytes
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.select = "people[name=Ada].pets[*].n"
    #expect(try conversion.convert(bytes).bytes == Array("1\n2\n".utf8))
    (conversion.writing.format, conversion.writing.representation) = (.json, .typed)
    let error = #expect(throws: FerryError.self) { try conversion.convert(bytes) }
    #expect(error?.code == "xml.not-xml")
  }

  /// The archive of an object with a list, whose elements are its child twice. The child refers to the object around it.
  private static let sharing = #"""
    {"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":{"CF$UID":1}},"$objects":["$null",
    {"$class":{"CF$UID":5},"child":{"CF$UID":2},"list":{"CF$UID":4}},
    {"$class":{"CF$UID":6},"name":{"CF$UID":3},"parent":{"CF$UID":1}},"Ada",
    {"$class":{"CF$UID":7},"NS.objects":[{"CF$UID":2},{"CF$UID":2}]},
    {"$classname":"Root","$classes":["Root","NSObject"]},{"$classname":"Child","$classes":["Child","NSObject"]},
    {"$classname":"NSArray","$classes":["NSArray","NSObject"]}]}
    """#

  @Test(arguments: [
    ("child.name", ["Ada"]), ("list[*].name", ["Ada", "Ada"]), ("list[1].parent.child.name", ["Ada"]),
    ("child.parent.list[0:1].name", ["Ada"]), ("list[name=Ada].name", ["Ada", "Ada"]),
  ])
  func `A path into an archive follows references`(_ path: String, _ names: [String]) throws {
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.select = path
    let lines = try conversion.convert(Array(Self.sharing.utf8)).bytes
    #expect(String(decoding: lines, as: UTF8.self) == names.map { "\"\($0)\"\n" }.joined())
  }

  @Test(arguments: [
    ("child", ##"{"name":"Ada","parent":{"child":{"$ref":"#"},"list":[{"$ref":"#"},{"$ref":"#"}]}}"##),
    ("root.child.name", #""Ada""#), ("root.list[0].name", #""Ada""#), ("root", nil), ("root.root", nil),
    ("list[0]", nil), ("child.parent", nil), ("child.parent.list[1].parent", nil),
  ])
  func `A path selects from an archive what get prints`(_ path: String, _ expected: String?) throws {
    let bytes = try Conversion(to: .archive).convert(Array(Self.sharing.utf8)).bytes
    var conversion = Conversion(to: .json)
    conversion.reading.select = path
    let selected = try conversion.convert(bytes)
    let found = String(decoding: selected.bytes, as: UTF8.self)
    let output = MemoryOutput()
    let file = try EditableFile(bytes)
    do throws(FerryError) {
      _ = try file.write([ValuePath(parsing: path)], as: WritingOptions(to: .json), to: output)
      #expect(found == String(decoding: output.bytes, as: UTF8.self))
    } catch {
      #expect(selected.report.losses.hasEmptySelection)
    }
    if let expected { #expect(found == expected + "\n") }
  }

  @Test func `Objects that a selected object refers to refer back to it`() throws {
    let archive = #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Node","$id":1,"name":"x",
      "child":{"$class":"Node","name":"y","parent":{"$ref":1}}}]}}
      """#
    let bytes = try Conversion(to: .archive).convert(Array(archive.utf8)).bytes
    let selections = [
      ("[0].child", ##"{"name":"y","parent":{"name":"x","child":{"$ref":"#"}}}"##),
      ("[0].child.parent.child", ##"{"name":"y","parent":{"name":"x","child":{"$ref":"#"}}}"##),
    ]
    for (path, expected) in selections {
      for style in [SharedObjectStyle.reference, .inFull] {
        var conversion = Conversion(to: .json)
        (conversion.reading.select, conversion.writing.shared) = (path, style)
        let found = try conversion.convert(bytes).bytes
        #expect(String(decoding: found, as: UTF8.self) == expected + "\n", "\(style)")
      }
    }
  }

  /// An archive of people, each with itself, the list and the next one.
  private static let circle = #"""
    {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"Club","$id":1,"name":"x","people":[
    {"$class":"P","$id":2,"age":1,"me":{"$ref":2},"club":{"$ref":1},"next":{"$ref":3}},
    {"$class":"P","$id":3,"age":3,"me":{"$ref":3},"club":{"$ref":1},"next":{"$ref":2},"only":{"$class":"Q","n":5}},
    {"$class":"P","age":4,"club":{"$ref":1},"next":{"$ref":2}}]}}}
    """#

  @Test(arguments: [
    "people[age=3].me.age", "people[age=4].club", "people[age=4].club.name", "people[age>=3].next.age",
    "people[me.me.age=3].next.me.next.age", "people[next.age=1].age", "people[only.n=5].only",
    "people[club.people[0].age=1].age", "people[age=3].next.next.club.people[age=4].age",
    "people[club.people[*].next.age=3].age", "people[age=9].me", "people[next.next.age!=3].age",
  ])
  func `A path with a filter selects from an archive with cycles what get prints`(_ text: String) throws {
    let bytes = try Conversion(to: .archive).convert(Array(Self.circle.utf8)).bytes
    let output = MemoryOutput()
    let path = try ValuePath(parsing: text)
    let file = try EditableFile(bytes)
    let found = (try? file.matchedPaths(of: path)) ?? []
    if !found.isEmpty { _ = try file.write([path], as: WritingOptions(to: .json), to: output) }
    var conversion = Conversion(to: .json)
    conversion.reading.select = text
    let selected = String(decoding: try conversion.convert(bytes).bytes, as: UTF8.self)
    #expect(selected == (found.isEmpty ? "[]\n" : String(decoding: output.bytes, as: UTF8.self)))
  }

  @Test func `A shared object that is selected once is not reported, although a filter drops the first one`()
    throws
  {
    let archive = #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"P","age":1,"kid":{"$class":"Q","$id":2,"n":1}},
      {"$class":"P","age":3,"kid":{"$ref":2}}]}}
      """#
    let bytes = try Conversion(to: .archive).convert(Array(archive.utf8)).bytes
    var conversion = Conversion(to: .archive)
    (conversion.reading.select, conversion.isStrict) = ("[age=3].kid", true)
    let selected = try conversion.convert(bytes).bytes
    let found = try Conversion(to: .json).convert(selected).bytes
    #expect(String(decoding: found, as: UTF8.self) == "[{\"n\":1}]\n")
  }

  @Test func `Visits of a filter to the same objects again and again are limited`() throws {
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.select = "[[*][*].name=y]"
    let error = #expect(throws: FerryError.self) { try conversion.convert(Self.fan(600)) }
    #expect(error?.code.hasPrefix("budget.") == true, "\(String(describing: error))")
  }

  @Test func `An object that a path selects twice becomes a copy, which is reported`() throws {
    let archive = #"""
      {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[{"$class":"Node","$id":1,"name":"x",
      "child":{"$class":"Node","$id":2,"name":"y","o":{"$ref":1}}},{"$class":"Node","name":"z","child":{"$ref":2}}]}}
      """#
    let bytes = try Conversion(to: .archive).convert(Array(archive.utf8)).bytes
    for target in [Format.json, .archive] {
      var conversion = Conversion(to: target)
      conversion.reading.select = "[*].child"
      let selected = try conversion.convert(bytes)
      #expect(selected.report.losses.counts.contains { $0.kind == .sharedInFull && $0.count == 1 })
      guard target == .archive else { continue }
      let found = try Conversion(to: .json).convert(selected.bytes).bytes
      #expect(
        String(decoding: found, as: UTF8.self)
          == ##"[{"name":"y","o":{"name":"x","child":{"$ref":"#/0"}}},{"name":"y","o":{"$ref":"#/0/o"}}]"##
          + "\n")
    }
  }

  @Test(arguments: ["child", "list", "root.list[0:1]", "child.parent", "list[*].name", "list[0].name"])
  func `A path selects the same values of an archive for another archive`(_ path: String) throws {
    for source in [Format.archive, .xmlArchive] {
      let bytes = try Conversion(to: source).convert(Array(Self.sharing.utf8)).bytes
      for target in [Format.archive, .xmlArchive, .json] {
        var conversion = Conversion(to: target)
        conversion.reading.select = path
        let selected = try conversion.convert(bytes).bytes
        let found = try Conversion(to: .json).convert(selected).bytes
        conversion.writing.format = .json
        let expected = try conversion.convert(bytes).bytes
        #expect(
          String(decoding: found, as: UTF8.self) == String(decoding: expected, as: UTF8.self), "\(target)")
      }
    }
  }

  @Test(arguments: [SharedObjectStyle.reference, .inFull])
  func `A selected value of an archive has the objects outside of it`(_ style: SharedObjectStyle) throws {
    for path in ["child", "list", "list[*]", "list[name=Ada]", "child.parent"] {
      var conversion = Conversion(to: .json)
      (conversion.reading.select, conversion.writing.shared) = (path, style)
      let text = String(decoding: try conversion.convert(Array(Self.sharing.utf8)).bytes, as: UTF8.self)
      #expect(text.contains(#""name":"Ada""#) && text.contains("parent"), "\(path) \(text)")
    }
  }

  /// An archive of a list of references to a list of as many references to a third list, whose elements are the same text.
  private static func fan(_ count: Int) -> [UInt8] {
    let list = { (object: Int) in
      let reference = "{\"CF$UID\":\(object)}"
      let references = Array(repeating: reference, count: count).joined(separator: ",")
      return "{\"$class\":{\"CF$UID\":1},\"NS.objects\":[\(references)]}"
    }
    let archive = """
      {"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":{"CF$UID":2}},"$objects":["$null",
      {"$classname":"NSArray","$classes":["NSArray","NSObject"]},\(list(3)),\(list(4)),\(list(5)),"x"]}
      """
    return Array(archive.utf8)
  }

  @Test func `Visits to the same objects again and again are limited`() throws {
    var conversion = Conversion(to: .jsonLines)
    // The path selects nothing, but leads to the text 216,000,000 times.
    conversion.reading.select = "[*][*][*].name"
    let error = #expect(throws: FerryError.self) { try conversion.convert(Self.fan(600)) }
    #expect(error?.code.hasPrefix("budget.") == true, "\(String(describing: error))")
  }

  @Test(arguments: refusals)
  func `A path that cannot be followed is refused`(_ refusal: (select: String, format: Format, code: String))
    throws
  {
    let bytes = try Conversion(to: refusal.format).convert(Array(Self.document.utf8)).bytes
    var conversion = Conversion(to: .json)
    conversion.reading.select = refusal.select
    #expect {
      try conversion.convert(bytes)
    } throws: { error in
      (error as? FerryError)?.code == refusal.code
    }
  }

  @Test(arguments: [Format.json, .xmlPropertyList, .binaryPropertyList])
  func `A key that occurs twice selects what get prints, or is refused`(_ format: Format) throws {
    let bytes = try Conversion(to: format).convert(Array(#"{"d":{"a":1,"b":{"c":2},"a":3}}"#.utf8)).bytes
    let found = try EditableFile(bytes).value(at: ValuePath(parsing: "d.a"))
    for path in ["d.a", "d"] {
      var conversion = Conversion(to: .json)
      conversion.reading.select = path
      let result = Result { try conversion.convert(bytes) }
      switch (path, format) {
      case ("d.a", .binaryPropertyList):
        #expect(found == 1)
        #expect(try result.get().bytes == Array("1\n".utf8))
      case ("d.a", _):
        #expect(found == 3)
        #expect { try result.get() } throws: { ($0 as? FerryError)?.code == "path.repeated-key" }
      default:
        let losses = try result.get().report.losses.counts
        #expect(losses.first { $0.kind == .duplicateKey }?.count == 1, "\(path)")
      }
    }
  }
}
