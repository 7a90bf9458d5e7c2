import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `People` {
  /// The formats that people are carried through. Those that do not say what they hold are told.
  static let formats = ["xml", "plist-xml", "plist-binary", "jsonl", "archive-xml", "archive", "json"]

  @Test func `The people of these tests are those of the example`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Examples/folks.xml")
    #expect(try String(contentsOf: root, encoding: .utf8) == folks)
  }

  @Test func `People become a document`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    let json = try await ToolRun.ferry("convert", "people.pplgrp", "--to", "json")
    expectQuiet(json)
    #expect(json.output == folksJSON)
    #expect(try directory.names() == ["folks.xml", "people.pplgrp"])
  }

  @Test(arguments: formats)
  func `People come back from every format`(format: String) async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    expectQuiet(
      try await .ferry("convert", "people.pplgrp", "--schema", "person", "--to", format, "-o", "there"))
    let json = try await ToolRun.ferry("convert", "there", "--schema", "person", "--to", "json")
    expectQuiet(json)
    #expect(json.output == folksJSON)
    expectQuiet(try await .ferry("convert", "there", "--schema", "person", "-o", "back.pplgrp"))
    #expect(try directory.bytes("back.pplgrp") == directory.bytes("people.pplgrp"))
  }

  @Test func `People come back from all formats in turn`() async throws {
    try directory.write("0", folks)
    for (index, format) in Self.formats.enumerated() {
      expectQuiet(
        try await .ferry("convert", "\(index)", "--schema", "person", "--to", format, "-o", "\(index + 1)"))
    }
    let last = try await ToolRun.ferry("convert", "\(Self.formats.count)", "--to", "json")
    expectQuiet(last)
    #expect(last.output == folksJSON)
  }

  @Test func `People are shown as a tree`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    let shown = try await ToolRun.ferry("show", "people.pplgrp")
    expectQuiet(shown)
    #expect(
      shown.output == """
        [
          Person { first: "Matt", last: "Neuburg" }
          Person { first: "Snidely", last: "Whiplash" }
          Person { first: "Dudley", last: "Doright" }
        ]

        """)
  }

  @Test func `People get the class that an app's module needs`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(
      try await .ferry("convert", "folks.xml", "--class", "Person=MyApp.Person", "-o", "people.pplgrp"))
    let raw = try await ToolRun.ferry("convert", "people.pplgrp", "--form", "raw", "--to", "json", "-q")
    expectQuiet(raw)
    #expect(raw.output.contains(#"{"$classname":"MyApp.Person","$classes":["MyApp.Person","NSObject"]}"#))
    #expect(!raw.output.contains(#""Person""#))
  }

  @Test func `People come back from an archive's raw representation byte for byte`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      ferry convert folks.xml -o people.pplgrp || exit 2
      ferry convert people.pplgrp --form raw --to json -q -o raw.json || exit 3
      ferry convert raw.json --form raw --to plist-binary -o back.plist || exit 4
      ferry convert raw.json --form raw --to archive -o back.archive || exit 5
      """)
    expectQuiet(run)
    #expect(try directory.bytes("back.plist") == directory.bytes("people.pplgrp"))
    #expect(try directory.bytes("back.archive") == directory.bytes("people.pplgrp"))
  }

  @Test(arguments: ["json", "yaml"])
  func `People come back from an archive's raw representation without --form raw`(_ format: String)
    async throws
  {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      ferry convert folks.xml -o people.pplgrp || exit 2
      ferry convert people.pplgrp --form raw --to \(format) -q -o raw.\(format) || exit 3
      ferry convert raw.\(format) --to archive -o back.archive || exit 4
      ferry convert raw.\(format) --form raw --to plist-binary -o back.plist || exit 5
      ferry show raw.\(format) > shown || exit 6
      ferry show people.pplgrp | cmp - shown || exit 7
      """)
    expectQuiet(run)
    #expect(try directory.bytes("back.archive") == directory.bytes("people.pplgrp"))
    #expect(try directory.bytes("back.plist") == directory.bytes("people.pplgrp"))
  }

  @Test func `People of a schema's file are converted`() async throws {
    try directory.write(
      "pet.json",
      """
      {"ferry": 1, "name": "pet", "collection": {"element": "pets"}, "record": {"element": "pet", "class": "Pet"},
       "fields": [{"name": "name"}, {"name": "legs", "type": "integer"}]}
      """)
    try directory.write("pets.xml", "<pets><pet><name>Tweety</name><legs>2</legs></pet></pets>")
    let run = try await ToolRun.ferry("convert", "pets.xml", "--schema", "pet.json", "--to", "json")
    expectQuiet(run)
    #expect(run.output == #"[{"name":"Tweety","legs":2}]"# + "\n")
  }
}
