import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry check` {
  @Test(arguments: [
    ("a.json", #"{"a":1,1️⃣"a":2}"#), ("a.strings", #""a" = "1"; 1️⃣"a" = "2";"#), ("a.yaml", "a: 1\n1️⃣a: 2\n"),
    ("a.plist", "<plist><dict><key>a</key><true/>1️⃣<key>a</key><true/></dict></plist>"),
  ])
  func `A check notes a key that occurs twice, with its place`(_ name: String, _ marked: String) async throws
  {
    let text = MarkedText(marked)
    let location = try #require(text.location)
    try directory.write(name, text.text)
    let run = try await ToolRun.ferry("check", name)
    #expect(run.status == 0 && run.output.hasPrefix("\(name): OK"), "\(run)")
    #expect(run.errors == "\(name):\(location): 1 key occurs twice in one dictionary (at a)\n", "\(run)")
    let json = try await ToolRun.shell("ferry check \(name) --json | ferry get - notes[0]")
    #expect(
      json.output
        == #"{"file":"\#(name)","code":"repeated-keys","message":"1 key occurs twice in one dictionary (at a)","#
        + #""line":\#(location.line ?? 0),"column":\#(location.column ?? 0),"byte":\#(location.byte ?? 0),"path":"a"}"#
        + "\n", "\(json)")
  }

  @Test func `Each file gets a line, and a wrong one its error`() async throws {
    try directory.write("a.json", "[1]")
    try directory.write("b.json", "[1")
    let run = try await ToolRun.ferry("check", "a.json", "b.json", "none.json")
    #expect(run.status == 1)
    #expect(run.output == "a.json: OK (json)\n")
    #expect(run.errors.split(separator: "\n").count == 3, "\(run.errors)")
    #expect(
      run.errors.contains("b.json:1:3: ") && run.errors.hasSuffix("3 checked, 2 wrong\n"), "\(run.errors)")
    let quiet = try await ToolRun.ferry("check", "a.json", "-q")
    #expect(quiet.status == 0 && quiet.output == "" && quiet.errors == "")
  }

  @Test func `The errors of records are reported with their places`() async throws {
    try directory.write(
      "p.xml",
      "<people>\n<person><firstName>A</firstName></person>\n<person><firstName>A</firstName><lastName>B</lastName></person>\n<person/></people>"
    )
    let run = try await ToolRun.ferry("check", "p.xml", "--schema", "person")
    #expect(run.status == 1 && run.output == "")
    #expect(run.errors.contains("p.xml:2:1: ") && run.errors.contains("p.xml:4:1: "), "\(run.errors)")
    let plain = try await ToolRun.ferry("check", "p.xml")
    #expect(plain.status == 0, "\(plain.errors)")
  }

  @Test func `JSON has an object a line, with the errors of wrong files`() async throws {
    try directory.write("a.json", "[1]\n")
    try directory.write("b.json", "[1")
    let run = try await ToolRun.ferry("check", "a.json", "b.json", "--json", "--roundtrip")
    let lines = try run.output.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    try #require(lines.count == 2)
    #expect(lines[0]["ok"] as? Bool == true && lines[0]["roundTrip"] as? String == "bytes")
    let errors = try #require(lines[1]["errors"] as? [[String: Any]])
    #expect(lines[1]["ok"] as? Bool == false && errors[0]["code"] as? String == "json.unexpected-end")
    #expect(errors[0]["line"] as? Int == 1 && errors[0]["column"] as? Int == 3)
  }

  @Test(arguments: [
    ("a.json", "{\"a\":[1,2.20,1e400],\"b\":null}\n", "json, converts back byte for byte"),
    ("b.json", "{ \"a\": 1 }", "json, converts back with equal values"),
    ("c.json", "{ \"a\": 1, \"a\": 2 }", "json, converts back with equal values"),
    ("a.jsonl", "{\"a\":1}\n{\"b\":2}\n", "jsonl, converts back byte for byte"),
    ("a.xml", "<a b='1'><!-- c -->x<d/>y<d/></a>", "xml, converts back byte for byte"),
    ("a.csv", "a,b\n1,\"x\"\n", "csv, converts back with equal values"),
    ("a.strings", "\"a\" = \"b\";\n", "strings, converts back byte for byte"),
    (
      "a.plist", "<plist version=\"1.0\"><dict><key>a</key><real>1</real></dict></plist>",
      "plist-xml, converts back with equal values"
    ),
  ])
  func `A round trip is proven in every format of text`(_ name: String, _ text: String, _ proof: String)
    async throws
  {
    try directory.write(name, text)
    let run = try await ToolRun.ferry("check", name, "--roundtrip")
    #expect(run.status == 0 && run.output == "\(name): OK (\(proof))\n", "\(run.output)\(run.errors)")
  }

  @Test func `Binary files come back byte for byte, and formats that are not written say so`() async throws {
    let made = try await ToolRun.shell(
      """
      printf '[{"a":1,"d":[1.5,"x"]}]' > a.json; ferry convert a.json --to plist-binary -o a.plist
      ferry convert a.json --to archive -o a.archive; ferry convert a.json -o a.db 2>/dev/null
      """)
    #expect(made.status == 0, "\(made.errors)")
    let run = try await ToolRun.ferry("check", "a.plist", "a.archive", "a.db", "--roundtrip")
    #expect(
      run.output == """
        a.plist: OK (plist-binary, converts back byte for byte)
        a.archive: OK (archive, converts back byte for byte)
        a.db: OK (sqlite, round trip not checked)

        """, "\(run.errors)")
  }

  @Test func `Real files come back`() async throws {
    let corpus = try Corpus.path()
    let run = try await ToolRun.ferry("check", "\(corpus)/people", "\(corpus)/plist", "--roundtrip", "--json")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count > 100)
    let differing = lines.filter { $0.contains("\"differs\"") }
    #expect(differing.isEmpty, "\(differing)")
  }
}
