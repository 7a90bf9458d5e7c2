import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Texts in other encodings` {
  private static let latin = Array("name,city\nZo".utf8) + [0xe9, 0x2c, 0x5a, 0xfc] + Array("rich\n".utf8)

  @Test func `Every command that reads text takes its encoding`() async throws {
    try directory.write("a.csv", Self.latin)
    try directory.write(
      "a.strings",
      Array("/* caf".utf8) + [0xe9] + Array(" */\n\"a\" = \"x".utf8) + [0xe9] + Array("\";\n".utf8))
    for line in [
      "convert a.csv --to jsonl", "show a.csv", "get a.csv '[0].name'", "inspect a.csv",
      "convert a.strings --to json -q",
      "set a.strings a y -o -", "insert a.strings b y -o -", "remove a.strings a -o -",
      "seed out.json --from a.csv --schema none",
    ] {
      let failed = try await ToolRun.shell("ferry \(line)")
      #expect(failed.status == 1, "\(line)")
      #expect(failed.errors.contains("--encoding names the encoding"), "\(line): \(failed.errors)")
      let run = try await ToolRun.shell("ferry \(line) --encoding windows-1252")
      #expect(run.status == 0 && run.errors == "", "\(line): \(run.errors)")
    }
  }

  @Test func `An encoding that is not supported is refused, also for a text in ASCII`() async throws {
    try directory.write("a.csv", "name,city\nAda,Ulm\n")
    for line in [
      "convert a.csv --to jsonl", "set a.csv '[0].name' Zoe", "rename a.csv --key name=title",
      "rename a.csv --key none=title", "rename a.csv -n --key name=title", "merge a.csv a.csv a.csv",
      "edit a.csv",
    ] {
      let run = try await ToolRun.shell("EDITOR=true ferry \(line) --encoding klingon")
      #expect(run.status != 0, "\(line)")
      #expect(
        run.errors.contains(#"a.csv: the encoding "klingon" is not supported (iconv -l lists the names)"#),
        "\(line): \(run.errors)")
    }
    #expect(try directory.text("a.csv") == "name,city\nAda,Ulm\n")
  }

  @Test func `A text whose format shows only in its encoding becomes a table in a folder`() async throws {
    // [{"a":"x"}] in EBCDIC.
    try directory.write(
      "a.dat", [0xba, 0xc0, 0x7f, 0x81, 0x7f, 0x7a, 0x7f, 0xa7, 0x7f, 0xd0, 0xbb] as [UInt8])
    expectQuiet(
      try await ToolRun.shell("ferry convert a.dat --encoding IBM037 --to csv --out-dir out -q"))
    #expect(try directory.text("out/a.csv") == "a\nx\n")
  }

  @Test func `An edit changes nothing but the value, in the encoding of the file`() async throws {
    let (start, end) = (Array("/* caf".utf8) + [0xe9] + Array(" */\n\"a\" = \"".utf8), Array("\";\n".utf8))
    try directory.write("a.strings", start + [0xfc] + end)
    expectQuiet(try await ToolRun.ferry("set", "a.strings", "a", "é€", "--encoding", "ISO-8859-1"))
    #expect(try directory.bytes("a.strings") == start + [0xe9] + Array("\\U20ac".utf8) + end)
    let run = try await ToolRun.ferry("get", "a.strings", "a", "--encoding", "latin1")
    #expect(run.output == "é€\n", "\(run.errors)")
  }

  @Test func `A table for spreadsheets and strings for Xcode have byte order marks`() async throws {
    try directory.write("a.json", #"{"a": "é"}"#)
    expectQuiet(try await ToolRun.ferry("convert", "a.json", "-o", "a.strings", "--to-encoding", "utf-16"))
    let units = "\"a\" = \"é\";\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try directory.bytes("a.strings") == [0xff, 0xfe] + units)
    let back = try await ToolRun.ferry("convert", "a.strings", "--to", "json")
    #expect(back.output == "{\"a\":\"é\"}\n", "\(back.errors)")
    expectQuiet(
      try await ToolRun.ferry("convert", "a.json", "-o", "a.csv", "--to-encoding", "utf-8-bom", "--quiet"))
    #expect(try directory.bytes("a.csv") == [0xef, 0xbb, 0xbf] + Array("a\né\n".utf8))
  }

  @Test func `JSON in UTF-16 without a byte order mark may begin with any text`() async throws {
    for isBigEndian in [false, true] {
      func encoded(_ text: String) -> [UInt8] {
        text.utf16.flatMap { unit in
          let bytes = [UInt8(unit & 255), UInt8(unit >> 8)]
          return isBigEndian ? bytes.reversed() : bytes
        }
      }
      // The low byte of U+3000 and U+0100 is zero.
      for text in ["\"あ\"", "\"\u{3000}\"", "\"Ā\"", "\"é\"", "[\"あ\"]"] {
        try directory.write("a.json", encoded(text))
        let run = try await ToolRun.ferry("convert", "a.json", "--to", "json")
        #expect(run.status == 0 && run.output == text + "\n", "\(run.errors)")
        let piped = try await ToolRun.shell("ferry convert --to json < a.json")
        #expect(piped.status == 0 && piped.output == text + "\n", "\(piped.errors)")
      }
      try directory.write("a.json5", encoded("{あ:'b'}"))
      let run = try await ToolRun.ferry("convert", "a.json5", "--to", "json")
      #expect(run.output == "{\"あ\":\"b\"}\n", "\(run.errors)")
    }
  }

  @Test func `A character that the encoding of the output does not have leaves no file`() async throws {
    try directory.write("a.json", #"[{"a": "x"}, {"a": "y€"}]"#)
    expectFailure(
      try await ToolRun.ferry("convert", "a.json", "-o", "a.csv", "--to-encoding", "ISO-8859-1"),
      "a.json: ISO-8859-1 has no \"€\" (U+20AC), in line 3, column 2 of the output (--to-encoding utf-8 has all)"
    )
    #expect(try directory.names() == ["a.json"])
    let unknown = try await ToolRun.ferry("convert", "a.json", "--to", "csv", "--to-encoding", "klingon")
    expectFailure(unknown, "a.json: the encoding \"klingon\" is not supported (iconv -l lists the names)")
    let get = try await ToolRun.ferry("get", "a.json", "[0]", "--to-encoding", "utf-16")
    #expect(get.status == 64 && get.errors.contains("--to-encoding needs --to FORMAT"))
  }

  @Test func `A value that is printed in another format has the encoding of the output`() async throws {
    try directory.write("a.json", #"{"a": [{"b": "é"}]}"#)
    expectQuiet(
      try await ToolRun.ferry("get", "a.json", "a", "-o", "a.csv", "--to-encoding", "ISO-8859-1", "--quiet"))
    #expect(try directory.bytes("a.csv") == Array("b\n".utf8) + [0xe9, 0x0a])
    try directory.write("b.json", #"{"a": [{"b": "€"}]}"#)
    expectFailure(
      try await ToolRun.ferry("get", "b.json", "a", "-o", "b.csv", "--to-encoding", "ISO-8859-1"),
      "b.json: ISO-8859-1 has no \"€\" (U+20AC), in line 2, column 1 of the output (--to-encoding utf-8 has all)"
    )
    #expect(try directory.names() == ["a.csv", "a.json", "b.json"])
  }

  @Test func `An XML property list in a declared encoding is read and edited in it`() async throws {
    let list =
      "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>\n<plist version=\"1.0\"><dict><key>a</key><string>"
    let end = Array("</string></dict></plist>\n".utf8)
    try directory.write("a.plist", Array(list.utf8) + [0x95, 0x5c] + end)
    let run = try await ToolRun.ferry("get", "a.plist", "a")
    #expect(run.output == "表\n", "\(run.errors)")
    expectQuiet(try await ToolRun.ferry("set", "a.plist", "a", "表示é"))
    #expect(
      try directory.bytes("a.plist") == Array(list.utf8) + [0x95, 0x5c, 0x8e, 0xa6] + Array("&#233;".utf8)
        + end)
    let inspection = try await ToolRun.ferry("inspect", "a.plist")
    #expect(inspection.output.contains("Shift_JIS"), "\(inspection.output)")
  }
}
