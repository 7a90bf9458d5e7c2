import TestSupport
import Testing

@testable import Ferry

/// Dictionaries that become lists of their entries, and back.
@Suite struct `Entries of a dictionary` {
  private static let json = #"{"b":"x","a":"ü \"q\" <&>, 1","empty":"","7":"7"}"#
  private static let list =
    #"[{"key":"b","value":"x"},{"key":"a","value":"ü \"q\" <&>, 1"},{"key":"empty","value":""},{"key":"7","value":"7"}]"#

  private static let dictionaries: [Format] = [
    .json, .jsonc, .json5, .yaml, .xml, .xmlPropertyList, .binaryPropertyList, .openStepPropertyList,
    .gnustepPropertyList, .strings, .archive, .xmlArchive, .typedstream,
  ]
  private static let lists: [Format] = [
    .json, .jsonLines, .jsonSequence, .nulSeparatedJSON, .concatenatedJSON, .jsonc, .json5, .yaml, .csv, .tsv,
    .xml, .xmlPropertyList, .binaryPropertyList, .openStepPropertyList, .gnustepPropertyList, .archive,
    .xmlArchive, .typedstream, .sqlite,
  ]

  private func convert(
    _ bytes: [UInt8], from source: Format = .json, to target: Format = .json, _ entries: EntryChange? = nil,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws(FerryError) -> (bytes: [UInt8], report: Conversion.Report) {
    var conversion = Conversion(to: target)
    (conversion.reading.format, conversion.entries) = (source, entries)
    change(&conversion)
    return try conversion.convert(bytes)
  }

  private func text(
    _ text: String, from source: Format = .json, to target: Format = .json, _ entries: EntryChange?,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws(FerryError) -> String {
    let result = try convert(Array(text.utf8), from: source, to: target, entries, change)
    return String(decoding: result.bytes, as: UTF8.self)
  }

  @Test(arguments: dictionaries, lists)
  func `A dictionary in any format becomes records in any format, and the same dictionary again`(
    _ source: Format, _ target: Format
  ) throws {
    let dictionary = try convert(Array(Self.json.utf8), to: source).bytes
    let records = try convert(dictionary, from: source, to: target, .toRecords())
    let written = try convert(records.bytes, from: target, target == .xml ? .fromRecords() : nil).bytes
    #expect(
      String(decoding: written, as: UTF8.self) == (target == .xml ? Self.json : Self.list) + "\n",
      "\(source) to \(target)")
    let back = try convert(records.bytes, from: target, to: source, .fromRecords()).bytes
    let again = try convert(back, from: source).bytes
    #expect(try again == convert(dictionary, from: source).bytes, "\(target) to \(source)")
  }

  @Test(arguments: [
    ("{}", "[]"), (#"{"a":null}"#, #"[{"key":"a","value":null}]"#),
    (
      #"{"n":1.50,"l":[1,{"x":[]}],"d":{"key":{"value":true}}}"#,
      #"[{"key":"n","value":1.50},{"key":"l","value":[1,{"x":[]}]},{"key":"d","value":{"key":{"value":true}}}]"#
    ),
    (#"{"":"","\ud800":"x"}"#, #"[{"key":"","value":""},{"key":"\ud800","value":"x"}]"#),
  ])
  func `Values of all kinds stay as they are`(_ dictionary: String, _ list: String) throws {
    #expect(try text(dictionary, .toRecords()) == list + "\n")
    #expect(try text(list, .fromRecords()) == dictionary + "\n")
  }

  @Test func `The names of the key and the value are given`() throws {
    #expect(
      try text(#"{"a":"x"}"#, to: .csv, .toRecords(key: "id", value: "key")) == "id,key\na,x\n")
    #expect(
      try text("key,id\nx,a\n", from: .csv, .fromRecords(key: "id", value: "key")) == #"{"a":"x"}"# + "\n")
  }

  @Test func `An empty dictionary becomes a table without rows, and back`() throws {
    #expect(try text("{}", to: .csv, .toRecords()) == "key,value\n")
    #expect(try text("key,value\n", from: .csv, .fromRecords()) == "{}\n")
  }

  @Test(arguments: [
    (
      "<r><e><key>a</key><value>1</value><value>2</value></e><e><key>b</key><value>3</value></e></r>",
      #"{"a":["1","2"],"b":"3"}"#
    ),
    (
      "<r><e><key>b</key><value>3</value></e><e><value>1</value><value>2</value><key>a</key></e></r>",
      #"{"b":"3","a":["1","2"]}"#
    ),
    (
      "<r><e><value><x>1</x></value><key>b</key></e><e><key>a</key><value>1</value><value>2</value></e></r>",
      #"{"b":{"x":"1"},"a":["1","2"]}"#
    ),
  ]) func `A value of XML is not a list because that of another record is one`(
    _ xml: String, _ json: String
  ) throws {
    #expect(try text(xml, from: .xml, .fromRecords()) == json + "\n")
  }

  @Test func `A value of XML stays the list that an option names`() throws {
    let xml = "<r><e><key>a</key><value>1</value></e><e><key>b</key><value>3</value></e></r>"
    #expect(
      try text(xml, from: .xml, .fromRecords()) { $0.reading.xml.lists = [ValuePath([.key("value")])] }
        == #"{"a":["1"],"b":["3"]}"# + "\n")
    #expect(
      try text(#"[{"key":"a","value":[1]},{"value":[[]],"key":"b"}]"#, .fromRecords())
        == #"{"a":[1],"b":[[]]}"# + "\n")
  }

  @Test func `Equal names of the key and the value are refused`() {
    for change in [EntryChange.toRecords(key: "a", value: "a"), .fromRecords(key: "a", value: "a")] {
      let error = #expect(throws: FerryError.self) { try text("{}", change) }
      #expect(error?.reason == .record(.repeatedField("a")))
    }
  }

  @Test func `A value before its key belongs to it`() throws {
    let list = #"[{"value":[1,{"x":null}],"key":"a"},{"key":"b","value":2},{"value":"z","key":"c"}]"#
    #expect(try text(list, .fromRecords()) == #"{"a":[1,{"x":null}],"b":2,"c":"z"}"# + "\n")
  }

  @Test func `A selected dictionary becomes records, and selected records a dictionary`() throws {
    #expect(
      try text(#"{"v":1,"de":{"a":"x"}}"#, .toRecords()) { $0.reading.select = "de" }
        == #"[{"key":"a","value":"x"}]"# + "\n")
    #expect(
      try text(#"{"v":1,"de":[{"key":"a","value":"x"}]}"#, .fromRecords()) { $0.reading.select = "de" }
        == #"{"a":"x"}"# + "\n")
    let xml = "<r><en><a>x</a></en><de><a>y</a><b>z</b></de></r>"
    #expect(
      try text(xml, from: .xml, .toRecords()) { $0.reading.select = "/r/de" }
        == #"[{"key":"a","value":"y"},{"key":"b","value":"z"}]"# + "\n")
    let error = #expect(throws: FerryError.self) {
      try text(xml, from: .xml, .toRecords()) { $0.reading.select = "/r/*" }
    }
    #expect(error?.reason == .record(.notADictionary(found: "several selected values")))
  }

  @Test func `Sorted entries are records in the order of their keys`() throws {
    #expect(
      try text(#"{"b":{"z":1,"y":2},"a":3}"#, .toRecords()) { $0.writing.sortsKeys = true }
        == #"[{"key":"a","value":3},{"key":"b","value":{"y":2,"z":1}}]"# + "\n")
    #expect(
      try text(#"[{"key":"b","value":1},{"key":"a","value":2}]"#, .fromRecords()) {
        $0.writing.sortsKeys = true
      } == #"{"a":2,"b":1}"# + "\n")
  }

  private static let refusals: [(EntryChange, String, RecordProblem, String)] = [
    (.toRecords(), "[1]", .notADictionary(found: "a list"), ""),
    (.toRecords(), "5", .notADictionary(found: "a number"), ""),
    (.fromRecords(), #"{"a":1}"#, .notEntries(found: "a dictionary"), ""),
    (.fromRecords(), #""x""#, .notEntries(found: "a string"), ""),
    (
      .fromRecords(), #"[{"key":"a","value":1}, 2]"#, .notARecord(found: "a number", record: "record"), "[1]"
    ),
    (
      .fromRecords(), #"[{"key":"a","value":1},{"key":"b","value":1},{"key":"a","value":2}]"#,
      .repeatedKey("a"), "[2].key"
    ),
    (.fromRecords(), #"[{"value":1}]"#, .missingField("key", record: "record"), "[0]"),
    (.fromRecords(), #"[{"key":"a"}]"#, .missingField("value", record: "record"), "[0]"),
    (
      .fromRecords(), #"[{"key":1,"value":1}]"#, .badField("key", wanted: "a string", found: "a number"),
      "[0].key"
    ),
    (
      .fromRecords(), #"[{"value":1,"key":null}]"#, .badField("key", wanted: "a string", found: "null"),
      "[0].key"
    ),
    (
      .fromRecords(), #"[{"key":{"key":"a"},"value":1}]"#,
      .badField("key", wanted: "a string", found: "a dictionary"), "[0].key"
    ),
    (
      .fromRecords(), #"[{"key":"a","value":1,"note":2}]"#, .otherField("note", known: ["key", "value"]),
      "[0].note"
    ),
    (.fromRecords(), #"[{"key":"a","key":"b","value":1}]"#, .repeatedField("key"), "[0].key"),
  ]

  @Test(arguments: refusals)
  func `What is not a dictionary, or no list of entries, is refused where it is`(
    _ entries: EntryChange, _ json: String, _ problem: RecordProblem, _ path: String
  ) throws {
    for target in [Format.json, .xmlPropertyList, .yaml] {
      let error = #expect(throws: FerryError.self) { try convert(Array(json.utf8), to: target, entries) }
      #expect(error?.reason == .record(problem), "\(json) to \(target)")
      #expect(error?.path.description == path, "\(json) to \(target)")
      #expect(error?.location.line == 1, "\(json) to \(target)")
    }
  }

  @Test(arguments: [
    (Value.null, "null"), (true, "a boolean"), (1, "a number"), (1.5, "a number"), (.single(1.5), "a number"),
    (.number("1e400"), "a number"), ("x", "a string"), (.data([1]), "data"),
    (.date(secondsSince2001: 0), "a date"), (.uid(1), "a reference"), (.array([1]), "a list"),
    (.set([1]), "a set"),
  ]) func `The kind of a value that is not a dictionary is named`(_ value: Value, _ words: String) throws {
    let change = EntryChange.toRecords()
    let sink = change.adapter(to: TapeSink(), isSelected: false, EntryPosition(change))
    let error = #expect(throws: FerryError.self) { try value.replay(into: sink) }
    #expect(error?.reason == .record(.notADictionary(found: words)))
  }

  @Test func `An error in a table has the line of its row`() throws {
    let error = #expect(throws: FerryError.self) {
      try text("key,value\na,1\nb,2\na,3\n", from: .csv, .fromRecords())
    }
    #expect(error?.reason == .record(.repeatedKey("a")) && error?.location.line == 4)
  }

  @Test func `Losses have the paths of the input`() throws {
    let dictionary = Array(#"{"a":"x","b":{"n":null},"c":1}"#.utf8)
    let records = Array(#"[{"value":{"n":null},"key":"b"},{"key":"c","value":null}]"#.utf8)
    func paths(_ bytes: [UInt8], _ entries: EntryChange, to target: Format) throws -> [String] {
      try convert(bytes, to: target, entries).report.losses.listed.map { "\($0.kind.rawValue) \($0.path)" }
    }
    #expect(try paths(dictionary, .toRecords(), to: .xmlPropertyList) == ["null-left-out b.n"])
    #expect(try paths(dictionary, .toRecords(), to: .csv).contains("number-as-text c"))
    #expect(
      try paths(records, .fromRecords(), to: .xmlPropertyList)
        == ["null-left-out [0].value.n", "null-left-out [1].value"])
  }

  @Test func `An entry is written as soon as the next one begins`() throws {
    let tape = TapeSink()
    let change = EntryChange.toRecords()
    let sink = change.adapter(to: tape, isSelected: false, EntryPosition(change))
    try sink.beginDictionary(count: nil)
    try sink.key("a")
    try sink.integer(1)
    try sink.key("b")
    // The list, the whole first record, and the beginning of the second one.
    let sent = tape.tape
    #expect(sent.count == 1 + 6 + 4)
    try sink.integer(2)
    try sink.endDictionary()
    #expect(tape.tape.count == 1 + 6 + 6 + 1)
  }

  @Test func `A value that a program sends becomes records, too`() throws {
    var conversion = Conversion(to: .csv)
    conversion.entries = .toRecords()
    let output = MemoryOutput()
    try conversion.write(["title": "Hello"], to: output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "key,value\ntitle,Hello\n")
  }
}
