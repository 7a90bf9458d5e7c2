import TestSupport
import Testing

/// The Ångström sign, the letter Å, and A with a ring: Swift's `String` takes them for one.
private let rings = ["\u{212b}", "\u{c5}", "A\u{30a}"]

@Suite(.temporaryDirectory) struct `Text of files` {
  @Test func `White space in records of a schema is kept`() async throws {
    let people = """
      <people>
        <person>
          <firstName>Ada</firstName>
          <lastName>  </lastName>
          <note xml:space="preserve" lang="en"> </note>
          <memo lang="en">  </memo>
          <group xml:space="preserve"> <inner a="1"> </inner></group>
        </person>
      </people>

      """
    let json = try await ToolRun.ferry(
      ["convert", "--from", "xml", "--schema", "person", "--to", "json", "-q"], input: Array(people.utf8))
    #expect(json.status == 0, "\(json.errors)")
    #expect(
      json.output == """
        [{"firstName":"Ada","lastName":"  ","note":{"@xml:space":"preserve","@lang":"en","#text":" "},\
        "memo":{"@lang":"en","#text":"  "},"group":{"@xml:space":"preserve","inner":{"@a":"1","#text":" "},\
        "#text":" "}}]

        """)
    let cdata = "<people><person><firstName>A</firstName><lastName>B</lastName><x a='1'><![CDATA[ ]]></x>"
    let kept = try await ToolRun.ferry(
      ["convert", "--from", "xml", "--schema", "person", "--to", "json"],
      input: Array((cdata + "</person></people>").utf8))
    #expect(kept.output.contains(##""x":{"@a":"1","#text":" "}"##))
    let back = try await ToolRun.ferry(
      ["convert", "--from", "json", "--schema", "person", "--to", "xml"], input: kept.bytes)
    expectQuiet(back)
    #expect(back.output.contains("<x a=\"1\"> </x>"))
    let space = #"[{"firstName":"A","lastName":"B","@xml:space":"preserve"}]"#
    let attribute = try await ToolRun.ferry(
      ["convert", "--from", "json", "--schema", "person", "--to", "xml"], input: Array(space.utf8))
    #expect(attribute.output.contains("xml:space=\"preserve\""))
  }

  @Test(arguments: ["convert --to json", "show", "get -", "inspect", "convert --to json --select //string"])
  func `Text whose first bytes contradict the declared encoding is refused`(_ command: String) async throws {
    for element in ["plist", "r"] where element == "r" || !command.contains("--select") {
      for encoding in ["utf-8", "utf-16be", "ISO-8859-1"] {
        let text =
          "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><\(element)><string>a</string></\(element)>"
        let units = text.utf16.flatMap { unit -> [UInt8] in
          [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        }
        let bytes: [UInt8] = [0xff, 0xfe] + units
        let run = try await ToolRun.ferry(command.split(separator: " ").map(String.init), input: bytes)
        #expect(run.status == 1)
        let found = "first bytes are UTF-16 in little-endian order"
        #expect(run.errors.contains("\(found), and it declares the encoding \"\(encoding)\""))
      }
    }
  }

  @Test func `A key with a mark after its dollar sign comes back`() async throws {
    for key in ["$\u{301}x", "@\u{301}x", "$$\u{301}"] {
      let json = "{\"\(key)\":1}\n"
      let list = try await ToolRun.ferry(
        ["convert", "--from", "json", "--to", "plist-binary", "-o", "-"], input: Array(json.utf8))
      let typed = try await ToolRun.ferry(
        ["convert", "--to", "json", "--form", "typed"], input: list.bytes)
      let again = try await ToolRun.ferry(
        ["convert", "--to", "plist-binary", "-o", "-"], input: typed.bytes)
      expectQuiet(again)
      #expect(again.bytes == list.bytes)
    }
  }

  @Test func `Text is told apart by its bytes in records, rules, tables and paths`() async throws {
    let fields = rings.map { #"{"name":"\#($0)","type":"string","optional":true}"# }.joined(separator: ",")
    try directory.write(
      "schema.json",
      #"{"ferry":1,"name":"r","collection":{"element":"rs"},"record":{"element":"r","class":"R"},"fields":[\#(fields)]}"#
    )
    let elements = rings.enumerated().map { "<\($1)>\($0)</\($1)>" }.joined()
    try directory.write("r.xml", "<rs><r>\(elements)</r></rs>")
    let record = "{" + rings.enumerated().map { "\"\($1)\":\"\($0)\"" }.joined(separator: ",") + "}"
    let json = try await ToolRun.ferry("convert", "r.xml", "--schema", "schema.json", "--to", "json")
    expectQuiet(json)
    #expect(json.bytes == Array("[\(record)]\n".utf8))
    try directory.write("r.json", json.bytes)
    expectQuiet(try await .ferry("convert", "r.json", "--schema", "schema.json", "-o", "r.db"))
    let rows = try await ToolRun.ferry("convert", "r.db", "--table", "rs", "--to", "json")
    #expect(rows.bytes == Array("[\(record)]\n".utf8))
    for (index, ring) in rings.enumerated() {
      let value = try await ToolRun.ferry("get", "r.json", "[0].\(ring)")
      #expect(value.output == "\(index)\n")
      let found = try await ToolRun.ferry("get", "r.json", "[\(ring)=\(index)].\(rings[0])")
      #expect(found.output == "0\n")
    }
    try directory.write(
      "typed.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"$class":"\#(rings[1])","\#(rings[1])":"v"}}}"#
    )
    expectQuiet(try await .ferry("convert", "typed.json", "--to", "archive", "-o", "a.archive"))
    for rule in [["--class", "\(rings[0])=B"], ["--key", "\(rings[1]).\(rings[2])=b"]] {
      let run = try await ToolRun.ferry(["rename", "a.archive", "-n"] + rule)
      #expect(run.errors.contains("0 of 1 would change"))
    }
    let run = try await ToolRun.ferry("rename", "a.archive", "-n", "--class", "\(rings[1])=B")
    #expect(run.errors.contains("1 of 1 would change"))
  }

  @Test(arguments: ["convert --to json", "show", "get", "inspect"])
  func `Text that begins like another format and fails later can be read as text, which the error says`(
    _ command: String
  ) async throws {
    // The detection reads the first 64 kB.
    let beginnings = [
      ("json", "[", "1,\n"), ("jsonl", "", "{\"a\":1}\n"), ("xml", "<a>", "<b/>\n"),
      ("plist-xml", "<plist><array>", "<true/>\n"),
    ]
    for (format, start, element) in beginnings {
      try directory.write("a.txt", start + String(repeating: element, count: 30_000) + "</c> and see below")
      let words = command.split(separator: " ").map(String.init)
      let run = try await ToolRun.ferry(words + ["a.txt"])
      #expect(run.status == 1)
      #expect(run.errors.contains(#/a\.txt:[0-9]+:[0-9]+: /#), "\(run.errors)")
      #expect(run.errors.contains("the file begins like \(format) (use --from text to read it as text)"))
      #expect(try await ToolRun.ferry(words + ["a.txt", "--from", "text"]).status == 0)
    }
  }

  @Test(arguments: ["convert --to json", "show", "get", "inspect", "check", "merge a.foo a.foo"])
  func `The error of a damaged binary file has no advice to read the file as text`(
    _ command: String
  ) async throws {
    for name in ["a.foo", "a.txt"] {
      try directory.write(name, "bplist00" + String(repeating: "\u{5}", count: 50))
      let run = try await ToolRun.ferry(command.split(separator: " ").map(String.init) + [name])
      #expect(run.status != 0)
      #expect(!run.errors.contains("--from text"), "\(run.errors)")
    }
  }

  @Test(arguments: ["a.json", "a.foo", "a.txt"])
  func `An error of the output has its path, and no hint to read the input as text`(
    _ name: String
  ) async throws {
    try directory.write(name, #"{"k":["x","\u0001"]}"#)
    for format in ["xml", "plist-xml", "archive-xml"] {
      let run = try await ToolRun.ferry("convert", name, "--to", format)
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("\(name):1:"), "\(format)")
      #expect(run.errors.hasSuffix(": XML cannot hold the character U+0001 (at k[1])\n"), "\(run.errors)")
    }
    expectQuiet(try await .ferry("convert", name, "--to", "archive", "-o", "an.archive"))
    let archive = try await ToolRun.ferry("convert", "an.archive", "--to", "archive-xml")
    #expect(
      archive.errors.hasSuffix("XML cannot hold the character U+0001 (at $objects[5])\n"), "\(archive.errors)"
    )
    expectQuiet(try await .ferry("convert", name, "--to", "plist-binary", "-o", "list.bin"))
    let list = try await ToolRun.ferry("convert", "list.bin", "--to", "xml")
    #expect(list.errors.hasSuffix("XML cannot hold the character U+0001 (at k[1])\n"), "\(list.errors)")
    let root = try await ToolRun.ferry("convert", name, "--to", "xml", "--root", "p:x")
    #expect(root.errors.contains("cannot have the name"))
    #expect(!root.errors.contains("begins like"), "\(root.errors)")
  }

  @Test func `Text is told apart by its bytes in the keys of a merge`() async throws {
    func text(_ values: [Int]) -> String {
      let records = zip(rings, values).map { "{\"k\":\"\($0)\",\"\($0)\":\($0.utf8.count),\"v\":\($1)}" }
      return "[\(records.joined(separator: ","))]\n"
    }
    try directory.write("b.json", text([1, 2, 3]))
    try directory.write("o.json", text([1, 9, 3]))
    try directory.write("t.json", text([1, 2, 8]))
    let run = try await ToolRun.ferry("merge", "b.json", "o.json", "t.json", "--key", "k", "-o", "-")
    expectQuiet(run)
    #expect(run.bytes == Array(text([1, 9, 8]).utf8))
    let other = try await ToolRun.ferry("merge", "b.json", "o.json", "t.json", "--key", rings[0], "-o", "-")
    #expect(other.status == 1)
    #expect(other.errors.contains("the record has no \(rings[0])"))
  }

  @Test func `Text is told apart by its bytes in suggestions`() async throws {
    try directory.write("a.json", "{\"\(rings[0])\":1}\n")
    for ring in rings.dropFirst() {
      for command in [["get", "a.json", ring], ["set", "a.json", ring, "5"], ["remove", "a.json", ring]] {
        let run = try await ToolRun.ferry(command)
        #expect(run.status == 1)
        #expect(run.errors.contains("no key \"\(ring)\" here"))
      }
    }
    #expect(try directory.bytes("a.json") == Array("{\"\(rings[0])\":1}\n".utf8))
  }

  @Test func `Text is told apart by its bytes in class catalogs and the name of the archiver`() async throws {
    let classes = rings.enumerated().map {
      #"{"class":"\#($1)","fields":[{"name":"f\#($0)","archiveKey":"v","type":"string"}]}"#
    }
    try directory.write("classes.json", #"{"ferry":1,"classes":[\#(classes.joined(separator: ","))]}"#)
    let objects = rings.map { #"{"$class":"\#($0)","v":"x"}"# }.joined(separator: ",")
    try directory.write(
      "t.json",
      "{\"$ferry\":1,\"$archiver\":\"NS\u{212a}eyedArchiver\",\"$top\":{\"root\":[\(objects)]}}")
    expectQuiet(try await .ferry("convert", "t.json", "--to", "archive", "-o", "a.archive"))
    let run = try await ToolRun.ferry("convert", "a.archive", "--to", "json", "--classes", "classes.json")
    #expect(run.output == #"[{"f0":"x"},{"f1":"x"},{"f2":"x"}]"# + "\n")
    #expect(run.errors.contains("archiver"))
  }

  @Test func `Text that an XPath does not find is reported by show`() async throws {
    let run = try await ToolRun.ferry("show", "--select", "//c", input: "<a><b/></a>")
    #expect(run.output == "[]\n")
    #expect(run.errors.contains("nothing matches --select"))
  }
}
