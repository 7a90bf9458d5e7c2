import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Text in conversions` {
  /// XML whose white space is content, with the JSON that it is.
  static let space = [
    (#"<r><e a="1">  </e><e a="2"/></r>"#, ##"{"r":{"e":[{"@a":"1","#text":"  "},{"@a":"2"}]}}"##),
    ("<r>  </r>", ##"{"r":"  "}"##),
    (#"<r a="1"><![CDATA[  ]]></r>"#, ##"{"r":{"@a":"1","#text":"  "}}"##),
    (
      #"<r><e xml:space="preserve"> <b/> </e></r>"#,
      ##"{"r":{"e":{"@xml:space":"preserve","b":"","#text":"  "}}}"##
    ),
    (#"<r><b/><![CDATA[ ]]></r>"#, ##"{"r":{"b":"","#text":" "}}"##),
    ("<r>\n  <b/>\n</r>", ##"{"r":{"b":""}}"##),
    ("<r><![CDATA[a\r\nb\rc]]></r>", ##"{"r":"a\nb\nc"}"##),
    (
      "<r><![CDATA[\(String(repeating: "x\r\n", count: 400))]]></r>",
      ##"{"r":"\##(String(repeating: #"x\n"#, count: 400))"}"##
    ),
    ("<r><![CDATA[a\r]]><![CDATA[\nb]]></r>", ##"{"r":"a\n\nb"}"##),
  ]

  @Test(arguments: Self.space.indices)
  func `White space of XML is kept in content`(_ index: Int) async throws {
    let (xml, json) = Self.space[index]
    let run = try await ToolRun.ferry("convert", "--from", "xml", "--to", "json", input: xml)
    #expect(run.status == 0 && run.output == json + "\n")
    let back = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: json)
    let again = try await ToolRun.ferry(["convert", "--from", "xml", "--to", "json"], input: back.bytes)
    #expect(again.output == json + "\n", "\(back.output)")
  }

  /// JSON with keys that XML has another use for, or none.
  static let keys = [
    ##"{"r":{"dependencies":{"a":"1","@babel/core":"7.1"},"@types/node":{"version":"2","@x":["1","2"]}}}"##,
    ##"{"r":{"@a":"1","b":"2","@":"4"}}"##, ##"{"r":{"@":"1","":"2","@a":{"b":"3"}}}"##,
    ##"{"r":{"#text":"x"}}"##, ##"{"r":{"b":"1","#text":""}}"##,
    ##"{"r":{"b":"1","#text":{"c":"2"},"d":"3"}}"##,
    ##"{"r":{"@xmlns:x":"","@xmlns:xml":"u","a b":"1","1":"2","a:b":"3"}}"##,
    ##"{"r":{"b":"1","#text":"  "}}"##,
  ]

  @Test(arguments: Self.keys)
  func `Every key of JSON comes back from XML`(_ json: String) async throws {
    let xml = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: json)
    #expect(xml.status == 0, "\(xml.errors)")
    let back = try await ToolRun.ferry(["convert", "--from", "xml", "--to", "json"], input: xml.bytes)
    #expect(back.output == json + "\n", "\(xml.output)")
  }

  @Test(arguments: [
    ##"{"r":{"#text":"x","@":"1"}}"##, ##"{"r":{"#text":"x","@a":["1","2"]}}"##,
    ##"{"r":{"#text":"x","b":"1"}}"##,
  ])
  func `Text before other keys is text in XML, and reported`(_ json: String) async throws {
    let run = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: json)
    #expect(run.output.contains("<r>x<"), "\(run.output)")
    #expect(run.errors.contains("text beside elements"), "\(run.errors)")
  }

  @Test(arguments: [
    (
      ##"{"r":{"@a":"1","b":"2","@a":"3","@c":"4"}}"##,
      ##"{"r":{"@a":"1","@c":"4","#content":[{"b":"2"},{"@a":"3"}]}}"##
    ),
    (##"{"r":{"@a":"1","@a":{"c":"2"}}}"##, ##"{"r":{"@a":"1","#content":[{"@a":{"c":"2"}}]}}"##),
    (##"{"r":{"@a":"1","@a":"2","@a":"3"}}"##, ##"{"r":{"@a":"1","#content":[{"@a":"2"},{"@a":"3"}]}}"##),
    (#"{"r":{"b":"1","b":"2"}}"#, #"{"r":{"b":["1","2"]}}"#),
    (#"{"r":{"b":"1","c":"","b":"2"}}"#, ##"{"r":{"#content":[{"b":"1"},{"c":""},{"b":"2"}]}}"##),
  ])
  func `Every value of equal keys in JSON comes back from XML, in a dictionary that has each key once`(
    _ json: String, _ expected: String
  ) async throws {
    let xml = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: json)
    #expect(xml.errors.contains("keys occur twice in one dictionary"), "\(xml.errors)")
    let back = try await ToolRun.ferry(["convert", "--from", "xml", "--to", "json"], input: xml.bytes)
    #expect(back.output == expected + "\n" && back.errors == "", "\(xml.output)")
    let again = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: expected)
    #expect(again.output == xml.output && again.errors == "")
  }

  @Test func `An attribute may follow text and elements, as in JSON whose keys are sorted`() async throws {
    for (json, xml) in [
      (##"{"p":{"b":"one","@id":"1"}}"##, "<p id=\"1\">\n  <b>one</b>\n</p>"),
      (##"{"p":{"#text":"one","@id":"1"}}"##, #"<p id="1">one</p>"#),
      (##"{"p":{"@a":"1","#text":"x","@b":"2"}}"##, #"<p a="1" b="2">x</p>"#),
    ] {
      let run = try await ToolRun.ferry("convert", "--from", "json", "--to", "xml", input: json)
      #expect(run.status == 0 && run.output.hasSuffix(xml + "\n"), "\(run.output)")
      #expect(run.errors.contains("attributes after the contents of an element come before them"))
      let strict = try await ToolRun.ferry(
        "convert", "--from", "json", "--to", "xml", "--strict", input: json)
      #expect(strict.status == 1)
    }
    let sorted = try await ToolRun.shell(
      "echo '<p id=\"1\">one</p>' | ferry convert --to json --sort-keys | ferry convert --to xml")
    #expect(sorted.output.hasSuffix("<p id=\"1\">one</p>\n"), "\(sorted.output)")
  }

  @Test func `A column with the key of an attribute is one, wherever it is`() async throws {
    let run = try await ToolRun.shell(
      "printf 'name,@id\\nA,1\\n' | ferry convert --from csv --to xml --quiet")
    #expect(run.output.contains("<item id=\"1\">\n    <name>A</name>\n  </item>"), "\(run.output)")
    let inserted = try await ToolRun.shell(
      """
      echo '<r><p id="1"><n>a</n></p></r>' | ferry convert --from xml -o r.json
      ferry insert r.json 'r.p.@lang' en; ferry convert r.json --to xml --quiet; ferry get r.json --to xml --quiet
      ferry convert r.json --to xml --strict; echo $?
      """)
    let tags = inserted.output.split(separator: "\n").filter { $0.contains("<p") }
    #expect(tags == ["  <p id=\"1\" lang=\"en\">", "  <p id=\"1\" lang=\"en\">"], "\(inserted.output)")
    #expect(inserted.output.hasSuffix("1\n"))
  }

  @Test func `Selected elements stay as they are in XML`() async throws {
    try directory.write(
      "a.xml", #"<l xmlns:x="u" xmlns="d"><x:p x:id="1">a</x:p><q xmlns:x="v"><x:p>b</x:p></q></l>"#)
    let both = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--select", "//*[local-name()='p']")
    #expect(
      both.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <root>
        <x:p xmlns:x="u" xmlns="d" x:id="1">a</x:p>
        <x:p xmlns:x="v" xmlns="d">b</x:p>
        </root>

        """)
    expectQuiet(both)
    let one = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--select", "//_:q")
    #expect(one.output.contains(#"<q xmlns:x="v" xmlns="d">"#))
    let named = try await ToolRun.ferry(
      "convert", "a.xml", "--to", "xml", "--select", "//_:q", "--root", "found")
    #expect(named.output.contains("<found>\n<q "))
    let bound = try await ToolRun.ferry(
      "convert", "a.xml", "--to", "json", "--select", "//n:q", "--ns", "n=d")
    expectQuiet(bound)
    #expect(bound.output.contains("\"b\""))
    let none = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--select", "//q", "--pretty")
    #expect(none.output.hasSuffix("\n<root/>\n"))
    #expect(
      none.errors.contains(#"a.xml: the elements are in the namespace "d" (write _:name, or p:name with"#))
    let unbound = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--select", "//z:q")
    #expect(unbound.errors.contains("(--ns PREFIX=URI binds it)"))
    for binding in ["n", "=d", "n="] {
      let run = try await ToolRun.ferry(
        "convert", "a.xml", "--to", "json", "--select", "//n:q", "--ns", binding)
      #expect(run.errors.contains("expected a prefix and its namespace"), "\(run.errors)")
    }
  }

  @Test func `XML stays as it is, also in place and from a pipe`() async throws {
    let xml = "<?xml version='1.0'?>\n<!-- a --><r  b='1'\ta=\"2\"><e>1</e> text <f/><e>&#50;</e></r>\n\n"
    let piped = try await ToolRun.ferry("convert", "--from", "xml", "--to", "xml", "--strict", input: xml)
    expectQuiet(piped)
    #expect(piped.output == xml)
    try directory.write("a.xml", xml)
    expectQuiet(try await ToolRun.ferry("convert", "a.xml", "-i", "--to", "xml"))
    #expect(try directory.text("a.xml") == xml)
    let sorted = try await ToolRun.ferry("convert", "a.xml", "--to", "xml", "--sort-keys")
    #expect(sorted.output.contains(#"<r a="2" b="1"><e>"#))
    try directory.write("bad.xml", "<r><e></r>")
    let bad = try await ToolRun.ferry("convert", "bad.xml", "-i", "--to", "xml")
    #expect(bad.status == 1)
    #expect(bad.errors.hasPrefix("bad.xml:1:7: "), "\(bad.errors)")
    #expect(try directory.text("bad.xml") == "<r><e></r>")
  }

  /// Files with what they are, or what is wrong with them.
  static let files = [
    ("a.txt", "[Verse 1]\nLa la", "\"[Verse 1]\\nLa la\""), ("b.txt", "{curly} text", "\"{curly} text\""),
    ("c.txt", "<b>bold and not closed", "\"<b>bold and not closed\""), ("d.txt", #"{"a":1}"#, #"{"a":1}"#),
    ("e.txt", "<a>1</a>", #"{"a":"1"}"#), ("f.txt", "[1]\n[2]", "[[1],[2]]"),
    ("g.json", "// c = d\n{\"a\":1}", "JSON with comments"),
    ("h.json", "{ // c = d\n\"a\":1}", "JSON with comments"),
    ("i.json", "/* c */ [1]", "JSON with comments"),
    ("m.json", "// c\r// d\r{\"a\":1}\r", "JSON with comments"),
    ("n.json", "{ // c\r\"a\":1}", "JSON with comments"),
    ("o.json", "// c\u{2028}{\"a\":1}", "JSON with comments"),
    ("j.plist", "// !$*UTF8*$!\n{ a = 1; }", #"{"a":"1"}"#), ("k.json", "/* c", "the end of the comment"),
    ("l.json", "{/", "l.json:1:2"),
  ]

  @Test(arguments: Self.files.indices)
  func `An extension decides if the content does not`(_ index: Int) async throws {
    let (name, content, expected) = Self.files[index]
    try directory.write(name, content)
    let run = try await ToolRun.ferry("convert", name, "--to", "json")
    #expect((run.output + run.errors).contains(expected), "\(run.output)\(run.errors)")
  }

  @Test func `A truncated binary property list is called truncated`() async throws {
    let whole = try await ToolRun.ferry(
      "convert", "--from", "json", "--to", "plist-binary", input: #"{"a":[1,2,"three"]}"#)
    for count in [1, 5, 12, 20] {
      try directory.write("a.plist", Array(whole.bytes.dropLast(count)))
      let run = try await ToolRun.ferry("convert", "a.plist", "--to", "json")
      #expect(run.errors.contains("cut off"), "\(run.errors)")
    }
  }

  @Test func `Columns count characters`() async throws {
    try directory.write("a.json", "{\"é😀\": \"ä\", x}")
    try directory.write("b.xml", "<a>é😀ä & b</a>")
    try directory.write("c.plist", "<plist><string>é😀ä & b</string></plist>")
    try directory.write("d.json", "\u{feff}[é]")
    for (name, column) in [("a.json", 13), ("b.xml", 8), ("c.plist", 20), ("d.json", 2)] {
      let run = try await ToolRun.ferry("convert", name, "--to", "jsonl")
      #expect(run.errors.hasPrefix("\(name):1:\(column): "), "\(run.errors)")
    }
  }
}
