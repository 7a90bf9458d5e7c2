import TestSupport
import Testing

@testable import Ferry

@Suite struct `Changes in XML documents with types` {
  private func edit(_ bytes: [UInt8], _ change: (EditableFile) throws -> Void) throws -> [UInt8] {
    try Edited.bytes(bytes, in: .xml, change)
  }

  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .xml, change)
  }

  private static let person = """
    <?xml version="1.0" encoding="UTF-8"?>
    <person xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:ferry="urn:ferry:types">
      <name>Ada</name>
      <age xsi:type="xs:int">36</age> <!-- years -->
      <born xsi:nil="true"/>
      <tags ferry:list="true">x</tags>
      <pens ferry:type="list"/>
    </person>

    """

  private func json(_ bytes: [UInt8]) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.matchesSchemas = false
    return String(decoding: try conversion.convert(bytes).bytes.dropLast(), as: UTF8.self)
  }

  private func value(_ json: String) throws -> Value {
    try Value(json: Array(json.utf8), budget: Budget())
  }

  @Test func `A list of one element in a document with types is not a loss`() throws {
    let document = """
      <root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ferry="urn:ferry:types" ferry:wrapper="true" ferry:type="list">
        <item ferry:type="list">
          <item>a</item>
        </item>
        <item ferry:type="list">
          <item>b</item>
          <item>c</item>
        </item>
      </root>

      """
    let file = try EditableFile(Array(document.utf8), named: "a.xml")
    try file.apply(JSONPatch(Array(#"[{"op":"replace","path":"/1","value":{"q":"x"}}]"#.utf8)))
    let losses = LossReport()
    let bytes = try file.bytes(losses: losses)
    #expect(losses.all.counts.isEmpty)
    #expect(try json(bytes) == #"[["a"],{"q":"x"}]"#)
  }

  @Test func `Values of a document with types are read and changed by the paths of its values`() throws {
    let bytes = Array(Self.person.utf8)
    let start = #"{"person":{"name":"Ada","age":36,"born":null,"tags":["x"],"pens":[]}}"#
    #expect(try json(bytes) == start)
    func edited(_ path: String, _ change: (EditableFile, ValuePath) throws -> Void) throws -> [UInt8] {
      try edit(bytes) { file in try change(file, ValuePath(parsing: path)) }
    }
    let older = try edited("person.age") { try $0.set(text: "40", at: $1) }
    #expect(String(decoding: older, as: UTF8.self) == Self.person.replacing("36", with: "40"))
    let half = try edited("person.age") { try $0.set(value("2.5"), at: $1) }
    #expect(
      String(decoding: half, as: UTF8.self)
        == Self.person.replacing("xs:int", with: "xs:decimal").replacing("36", with: "2.5"))
    #expect(throws: FerryError.self) { try edited("person.age") { try $0.set(text: "old", at: $1) } }
    let named = try edited("person.name") { try $0.set(text: "Bo", at: $1) }
    #expect(String(decoding: named, as: UTF8.self) == Self.person.replacing("Ada", with: "Bo"))
    let changes: [(path: String, value: String?, old: String, new: String)] = [
      ("person.tags[]", #""y""#, #"["x"]"#, #"["x","y"]"#),
      ("person.tags[0]", "7", #"["x"]"#, #"[7,"x"]"#),
      ("person.tags[0]", nil, #"["x"]"#, "[]"),
      ("person.pens[]", #"{"a":[1],"b":{}}"#, #""pens":[]"#, #""pens":[{"a":[1],"b":{}}]"#),
      ("person.pens", nil, #","pens":[]"#, ""),
      ("person.new", "[[true],[]]", #""pens":[]"#, #""pens":[],"new":[[true],[]]"#),
      ("person.name[]", #""Bo""#, #""Ada""#, #"["Ada","Bo"]"#),
    ]
    for (path, text, old, new) in changes {
      let changed = try edited(path) { file, path in
        if let text { try file.insert(value(text), at: path) } else { try file.remove(at: path) }
      }
      #expect(try json(changed) == start.replacing(old, with: new), "\(path)")
      #expect(String(decoding: changed, as: UTF8.self).contains("</age> <!-- years -->"))
    }
    let born = try edited("person.born") { try $0.set(value(#""1815""#), at: $1) }
    #expect(try json(born) == start.replacing("null", with: #""1815""#))
  }

  @Test func `The root element of a document is neither removed nor made a list`() throws {
    let plain = "<person>\n  <name>Ada</name>\n</person>\n"
    for text in [Self.person, plain] {
      let removed = #expect(throws: FerryError.self) {
        try edit(Array(text.utf8)) { try $0.remove(at: ValuePath(parsing: "person")) }
      }
      #expect(
        removed?.message.contains("cannot remove this: an XML document has one root element") == true,
        "\(String(describing: removed))")
      for name in ["person[]", "person[0]", "person[1]"] {
        let inserted = #expect(throws: FerryError.self) {
          try edit(Array(text.utf8)) { try $0.insert("new", at: ValuePath(parsing: name)) }
        }
        #expect(
          inserted?.message.contains("no element [") == true
            && inserted?.message.contains("here: this is a dictionary") == true,
          "\(String(describing: inserted))")
      }
    }
    // An element in a root element that is not part of the values may become a list.
    let wrapped = Self.person.replacing("<person ", with: "<x ferry:wrapper=\"true\" ")
      .replacing("</person>", with: "</x>")
    let list = try edit(Array(wrapped.utf8)) { try $0.insert("Bo", at: ValuePath(parsing: "name[]")) }
    #expect(try json(list).hasPrefix(#"{"name":["Ada","Bo"],"#))
  }

  @Test func `Dates, data and infinities of a document with types keep their types or are refused`() throws {
    var conversion = Conversion(to: .xml)
    conversion.writing.xml.types = .attributes
    let output = MemoryOutput()
    let values: Value = [
      "d": .date(secondsSince2001: 423_307_800), "b": .data([0, 1, 2]), "r": .real(.infinity), "s": "x",
    ]
    try conversion.write(values, to: output)
    let text = String(decoding: output.bytes, as: UTF8.self)
    #expect(try EditableFile(output.bytes).value(at: ValuePath()) == values)
    func edited(_ path: String, _ change: (EditableFile, ValuePath) throws -> Void) throws -> String {
      let bytes = try edit(output.bytes) { file in try change(file, ValuePath(parsing: path)) }
      return String(decoding: bytes, as: UTF8.self)
    }
    let later = try edited("d") { try $0.set(text: "2015-01-01T00:00:00Z", at: $1) }
    #expect(later == text.replacing("2014-06-01T09:30:00Z", with: "2015-01-01T00:00:00Z"))
    let other = try edited("b") { try $0.set(text: "AQID", at: $1) }
    #expect(other == text.replacing("AAEC", with: "AQID"))
    let less = try edited("r") { try $0.set(text: "-inf", at: $1) }
    #expect(less == text.replacing("INF", with: "-INF"))
    for (path, new) in [("d", "notadate"), ("b", "!!"), ("r", "x")] {
      let error = #expect(throws: FerryError.self) { try edited(path) { try $0.set(text: new, at: $1) } }
      #expect(error?.message.contains("\"\(new)\" does not fit here: the value is") == true)
    }
    let untyped = try edited("d") { try $0.set(text: "soon", as: .string, at: $1) }
    #expect(untyped == text.replacing(#"<d xsi:type="xs:dateTime">2014-06-01T09:30:00Z"#, with: "<d>soon"))
    // A text stays a text, also if it has the form of a date.
    let date = try edited("d") { try $0.set(.string("2015-01-01T00:00:00Z"), at: $1) }
    #expect(try EditableFile(Array(date.utf8)).value(at: ValuePath([.key("d")])) == "2015-01-01T00:00:00Z")
    let dated = try edited("s") { try $0.set(text: "2015-01-01T00:00:00Z", as: .date, at: $1) }
    #expect(dated.contains(#"<s xsi:type="xs:dateTime">2015-01-01T00:00:00Z</s>"#), "\(dated)")
    let patch = #"[{"op": "replace", "path": "/d", "value": "2015-01-01T00:00:00Z"}]"#
    let patched = try edited("d") { file, _ in try file.apply(JSONPatch(Array(patch.utf8))) }
    #expect(patched == later)
  }

  @Test func `A list that is a document with types is read and changed by the paths of its values`() throws {
    var conversion = Conversion(to: .xml)
    conversion.writing.xml.types = .attributes
    let start = #"[{"name":"A","n":1},{"name":"B","n":2}]"#
    let bytes = try conversion.convert(Array(start.utf8)).bytes
    let file = try EditableFile(bytes)
    #expect(try file.value(at: ValuePath(parsing: "[1].name")) == .string("B"))
    #expect(try file.value(at: ValuePath(parsing: "[0].n")) == .integer(1))
    let changed = try edit(bytes) { file in
      try file.set(text: "5", at: ValuePath(parsing: "[1].n"))
      try file.remove(at: ValuePath(parsing: "[0].name"))
      try file.insert(value(#"{"name":"C","n":null}"#), at: ValuePath(parsing: "[]"))
    }
    #expect(try json(changed) == #"[{"n":1},{"name":"B","n":5},{"name":"C","n":null}]"#)
  }

  @Test func `A document with types declares the prefixes that new values need`() throws {
    let text = "<r xmlns:f=\"urn:ferry:types\"><a f:list=\"true\">x</a></r>"
    let declarations = [XMLTypeAttribute.instance, XMLTypeAttribute.schema]
    for (new, expected) in [("null", [true, false]), ("5", [true, true]), ("\"y\"", [false, false])] {
      let edited = try edit(text) { try $0.set(value(new), at: ValuePath(parsing: "r.a[0]")) }
      #expect(declarations.map { edited.contains("=\"\($0)\"") } == expected, "\(edited)")
      #expect(!edited.contains("_x003A_"), "\(edited)")
      #expect(try json(Array(edited.utf8)) == "{\"r\":{\"a\":[\(new)]}}")
    }
    let inside = try edit(text) { try $0.insert(value("{\"c\":true}"), at: ValuePath(parsing: "r.b")) }
    #expect(!inside.contains("_x003A_"), "\(inside)")
    #expect(try json(Array(inside.utf8)) == #"{"r":{"a":["x"],"b":{"c":true}}}"#)
  }
}
