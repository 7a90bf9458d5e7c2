import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Invalid input` {
  /// A file that cannot be converted, the target, more arguments, and the line that says why.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let bytes: [UInt8]
    let arguments: [String]
    /// With `1️⃣` where the place of the mark in the file stands.
    let line: String

    init(_ description: String, _ name: String, _ marked: String, _ arguments: String..., line: String) {
      let text = MarkedText(marked)
      let place = text.location?.description
      (testDescription, self.name, self.bytes, self.arguments) = (description, name, text.bytes, arguments)
      self.line = line.replacing("1️⃣", with: place ?? "")
    }

    init(_ description: String, _ name: String, bytes: [UInt8], line: String) {
      (testDescription, self.name, self.bytes) = (description, name, bytes)
      (arguments, self.line) = ([], line)
    }
  }

  static let cases: [Case] = [
    Case("XML cut off", "a.xml", "<people><person>1️⃣", "--schema", "person", line: "a.xml:1️⃣: "),
    Case(
      "XML that is not well-formed", "a.xml", "<people>\n<person>1️⃣</people>",
      "--schema", "person", line: "a.xml:1️⃣: </people> cannot close <person>, which began on line 2 (at [0])"),
    Case(
      "XML cut off", "a.xml", "<people>\n<person><firstName>A1️⃣", "--schema", "person",
      line: "a.xml:1️⃣: the document ends inside <firstName> (at [0])"),
    Case(
      "JSON", "a.json", "[1,\n 1️⃣]",
      line:
        "a.json:1️⃣: expected a value, found \"]\" (JSON has no comma after the last value; use --from jsonc) (at [1])"
    ),
    Case(
      "JSON cut off", "a.json", #"{"a": [1️⃣"#,
      line: "a.json:1️⃣: the text ends where a value or \"]\" is expected (at a[0])"),
    Case(
      "a control character in JSON", "a.json", "{\"a\": 1️⃣\u{1b}[31m}",
      line: #"a.json:1️⃣: expected a value, found "#),
    Case(
      "an XML property list", "a.plist", "<plist><dict><key>a</key>1️⃣</dict></plist>",
      line: #"a.plist:1️⃣: the key "a" has no value (at a)"#),
    Case(
      "a binary property list cut off", "a.plist", bytes: Array("bplist00\u{8}".utf8), line: "a.plist: byte "),
    Case(
      "a binary property list with a bad reference", "a.plist",
      bytes: Array("bplist00".utf8) + [0xa1, 0x09, 0x08] + [UInt8](repeating: 0, count: 6) + [1, 1]
        + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10],
      line: "a.plist: byte 9, object 0: a reference to object 9, but the file has 1 objects"),
    Case(
      "JSON Lines with a bracket after a record", "a.jsonl", "{\"a\":1}\n{\"a\":2}1️⃣}\n{\"a\":3}\n",
      line: #"a.jsonl:1️⃣: expected the end of the line, found "}" (at [1])"#),
    Case("an empty file", "a.json", "", line: "a.json: the file is empty"),
    Case("white space", "a.json", " \r\n\t", line: "a.json: the file is empty"),
    Case("a byte order mark alone", "a.json", "\u{feff}", line: "a.json: the file is empty"),
    Case(
      "a picture", "people.xml", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      line: "people.xml: this is a PNG image, which is not supported"),
    Case(
      "JSON with a conflict", "a.json", "{\n1️⃣<<<<<<< HEAD\n\"a\":1\n=======\n\"a\":2\n>>>>>>> b\n}",
      line:
        #"a.json:1️⃣: expected a key or "}", found "<"; a conflict of a merge begins in line 2 (resolve it first)"#
    ),
    Case(
      "long JSON with a conflict", "a.json",
      "{\n" + String(repeating: " \n", count: 40_000) + "1️⃣<<<<<<< HEAD\n=======\n\"a\":2\n>>>>>>> b\n}",
      line:
        #"a.json:1️⃣: expected a key in double quotes or "}", found "<"; a conflict of a merge begins in line 40002 (resolve it first)"#
    ),
    Case(
      "XML with a conflict", "a.xml", "<a>\n1️⃣<<<<<<< HEAD\n<b/>\n=======\n<c/>\n>>>>>>> b\n</a>",
      line: "a.xml:1️⃣: a bare < (write &lt;); a conflict of a merge begins in line 2 (resolve it first)"),
    Case(
      "YAML with a conflict", "a.yaml", "a: 1\n<<<<<<< HEAD\n1️⃣b: 1\n=======\nb: 2\n>>>>>>> b\n",
      line:
        "a.yaml:1️⃣: not valid YAML: could not find expected ':' (while scanning a simple key); a conflict of a merge begins in line 2"
    ),
    Case(
      "a table with a conflict", "a.csv", "a,b\n1️⃣<<<<<<< HEAD\n1,2\n=======\n1,3\n>>>>>>> b\n",
      line:
        "a.csv:1️⃣: the row has 1 cell, but the table has 2 columns; a conflict of a merge begins in line 2 (resolve it"
    ),
    Case(
      "JSON with a line between the versions of a conflict", "a.json", "{\"a\": 1,\n1️⃣=======\n\"b\": 2\n}",
      line:
        #"a.json:1️⃣: expected a key in double quotes, found "="; line 2 is left over from a conflict of a merge (remove it)"#
    ),
    Case(
      "a strings file with the end of a conflict", "a.strings",
      "\"a\" = \"b\";\r\n1️⃣>>>>>>> topic\r\n\"c\" = \"d\";\r\n",
      line:
        #"a.strings:1️⃣: expected a key or the end of the text, found ">"; line 2 is left over from a conflict of a merge (remove it)"#
    ),
    Case(
      "YAML with a conflict, without an extension", "a",
      "a: 1\n1️⃣<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> b\n",
      line: "a:1️⃣: this is a text with a conflict of a merge, which is not supported (resolve the"),
    Case(
      "a table with a conflict, without an extension", "a",
      "a,b\r\n1️⃣<<<<<<< HEAD\r\n1,2\r\n=======\r\n1,3\r\n>>>>>>> b\r\n",
      line: "a:1️⃣: this is a text with a conflict of a merge, which is not supported (resolve the"),
    Case(
      "prose with a line of signs", "notes.md", "Notes\n=======\n",
      line: "notes.md: no format that Ferry reads begins with these bytes"),
    Case(
      "prose", "notes.md", "Dear diary",
      line: "notes.md: no format that Ferry reads begins with these bytes"),
    Case(
      "a record without a field", "a.xml", "<people>1️⃣<person><firstName>Ada</firstName></person></people>",
      "--schema", "person", line: "a.xml:1️⃣: the person has no lastName (at [0])"),
    Case(
      "a record with a field of another type", "a.json", #"[{"firstName": "Ada", "lastName": 7}]"#,
      "--schema", "person", line: "a.json:1:"),
    Case(
      "what JSON cannot hold exactly", "a.plist",
      "<plist><array><date>2001-01-01T00:00:00Z</date></array></plist>",
      "--strict", line: "a.plist: not exact: dates become text (--strict refuses what is not exact) (at [0])"),
    Case(
      "nesting", "a.json", "[[1️⃣[1]]]", "--max-depth", "2",
      line: "a.json:1️⃣: nested deeper than 2 levels (--max-depth raises the limit) (at [0][0])"),
    Case(
      "a schema that is wrong", "a.json", "[]", "--schema", "./a.json",
      line: "./a.json:1:1: invalid schema: "),
    Case(
      "a schema that is not there", "a.json", "[]", "--schema", "b.json",
      line: "b.json: no such file or directory"),
    Case(
      "a file name that speaks to the terminal", "a\u{1b}[31m\n\u{9b}.json", "[1️⃣",
      line: #"a\u{1b}[31m\n\u{9b}.json:1️⃣: "#),
    Case(
      "a file name that turns the text after it", "a\u{202e}b.json", "[1️⃣", line: #"a\u{202e}b.json:1️⃣: "#),
    Case(
      "an element that speaks to the terminal", "a.plist", "<plist><\u{9b}2J/></plist>", line: "a.plist:1:"),
  ]

  @Test(arguments: cases)
  func `Invalid input is refused in one line`(bad: Case) async throws {
    try directory.write(bad.name, bad.bytes)
    for arguments in [["--to", "json"], ["-o", "out.json"], ["--to", "json", "--out-dir", "out"]] {
      let run = try await ToolRun.ferry(["convert"] + bad.arguments + arguments + ["--", bad.name])
      #expect(run.status == 1)
      #expect(run.output == "")
      let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 2 && lines.last == "", "\(run.errors)")
      #expect(run.errors.hasPrefix(bad.line), "\(run.errors)")
      #expect(!run.errors.dropLast().unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(try directory.names().filter { $0 != "out" } == [bad.name])
    }
    #expect(
      try !FileManager.default.fileExists(atPath: directory.path("out")) || directory.names(in: "out") == [])
  }

  @Test(arguments: ["json", "jsonl", "xml", "yaml", "plist", "strings", "csv", "archive"])
  func `A file that is not a text of its format says what it seems to be, also if the format is given`(
    name: String
  ) async throws {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"
    let files: [([UInt8], String)] = [
      (Array(pointer.utf8), "a Git LFS pointer, which is not supported (run git lfs pull to get its file)"),
      (
        [UInt8](repeating: 0, count: 100),
        "a file of nothing but zero bytes, which is not supported (it was not written completely; restore it from a copy)"
      ),
      (
        Array(129...255) + Array(0...128),
        #"a binary file of an unknown kind, which is not supported (the command "file" may name it)"#
      ),
      (
        Array("<<<<<<< HEAD\n[1]\n=======\n[2]\n>>>>>>> b\n".utf8),
        "a text with a conflict of a merge, which is not supported (resolve the conflict first)"
      ),
    ]
    for (bytes, kind) in files {
      try directory.write("a.\(name)", bytes)
      let run = try await ToolRun.ferry("convert", "a.\(name)", "--to", "json")
      #expect(run.status == 1 && run.errors.hasPrefix("a.\(name): this is \(kind)"), "\(run)")
    }
    try directory.write("pointer", pointer)
    let given = try await ToolRun.ferry("convert", "pointer", "--from", "json", "--to", "yaml")
    expectFailure(
      given, "pointer: this is a Git LFS pointer, which is not supported (run git lfs pull to get its file)")
    // Without the hash of a file, it is a text.
    try directory.write("a.txt", "version https://git-lfs.github.com/spec/v1\na: 1\n")
    let text = try await ToolRun.ferry("convert", "a.txt", "--to", "json")
    #expect(
      text.status == 0 && text.output == #""version https://git-lfs.github.com/spec/v1\na: 1\n""# + "\n")
  }

  @Test(arguments: [
    ("d.json", "{\"a\":1}\n", "2:1"), ("d.yaml", "{\"a\":1}\n", "2:1"), ("d.json5", "{\"a\":1}", "1:8"),
    ("d.txt", "{\"a\":1}\n", "2:1"), ("d", "[{\"a\":1}]\n", "2:1"), ("cut.json", "[\n1,", "2:3"),
    ("d.xml", "<a/>\n", "2:1"),
    ("cut.xml", "<?xml version=\"1.0\"?>\n", "2:1"), ("d.yaml", "a: 1\n", "2:1"),
    ("d.strings", "\"a\" = \"b\";\n", "2:1"),
    ("d.jsonl", "{\"a\":1}\n{\"a\":2}\n", "3:1"),
  ])
  func `Zero bytes after a text, as a power cut leaves them, are an error with their location`(
    _ name: String, _ text: String, _ location: String
  ) async throws {
    for count in [2, 4, 100] {
      try directory.write(name, Array(text.utf8) + [UInt8](repeating: 0, count: count))
      let run = try await ToolRun.ferry("check", name)
      #expect(
        run.status == 1
          && run.errors.hasPrefix("\(name):\(location): this is a text with a run of zero bytes"), "\(run)")
    }
  }

  @Test func `A damaged text in a folder is not passed over as a file of another kind`() async throws {
    try directory.makeDirectory("d")
    try directory.write(
      "d/r.layout", Array("<?xml version=\"1.0\"?>\n<r><a>\n".utf8) + [UInt8](repeating: 0, count: 7))
    let run = try await ToolRun.ferry("check", "d")
    #expect(
      run.status == 1 && run.errors.contains("r.layout:3:1: this is a text with a run of zero bytes"),
      "\(run)")
  }

  @Test
  func
    `One NUL after a value is an error that names the format with NULs, and NULs between lines are no separators`()
    async throws
  {
    try directory.write("one.json", "{\"a\":1}\0")
    try directory.write("gap.jsonl", "{\"a\":1}\n\0\0\0\0{\"a\":2}\n")
    try directory.write("short.json", "1\0\0")
    let one = try await ToolRun.ferry("check", "one.json")
    #expect(one.status == 1 && one.errors.contains("--from json-nul"), "\(one)")
    let given = try await ToolRun.ferry("convert", "one.json", "--from", "json-nul", "--to", "json")
    #expect(given.status == 0 && given.output == "[{\"a\":1}]\n", "\(given)")
    let gap = try await ToolRun.ferry("check", "gap.jsonl")
    #expect(
      gap.status == 1 && gap.errors.hasPrefix("gap.jsonl:2:1: this is a text with a run of zero bytes"),
      "\(gap)")
    let short = try await ToolRun.ferry("check", "short.json")
    #expect(
      short.status == 1
        && short.errors.hasPrefix("short.json: this is a file of one byte and zero bytes after it"),
      "\(short)")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func `The error of a text in UTF-16 says where its conflict begins`(encoding: String.Encoding) async throws
  {
    for count in [1, 7_000] {
      let text =
        String(repeating: "\"a\" = \"b\";\n", count: count)
        + "<<<<<<< HEAD\n\"c\" = \"d\";\n=======\n>>>>>>> b\n"
      try directory.write("a.strings", Array(#require(("\u{feff}" + text).data(using: encoding))))
      let run = try await ToolRun.shell(
        """
        for command in show check 'find --key a' get 'plutil -lint'; do ferry $command a.strings 2>&1; done
        """)
      let conflict = "; a conflict of a merge begins in line \(count + 1) (resolve it first)"
      #expect(run.output.split(separator: "\n").count { $0.contains(conflict) } == 5, "\(run)")
    }
  }

  @Test func `A conflict in rows of one cell is refused, and single marks are rows`() async throws {
    let conflict = "<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> x\n"
    try directory.write("c.csv", "a\n0\n" + conflict)
    try directory.write("d.csv", "a,b\n0,1\n" + conflict)
    for (name, options) in [("c.csv", []), ("d.csv", ["--ragged"])] as [(String, [String])] {
      let run = try await ToolRun.ferry(["convert", name, "--to", "json", "-o", "out.json"] + options)
      let start =
        "\(name):3:1: this is a text with a conflict of a merge, which is not supported (resolve the conflict first)"
      #expect(run.status == 1 && run.errors.hasPrefix(start), "\(run)")
    }
    try directory.write(
      "m.csv", "a\n=======\n>>>>>>> x\n\"<<<<<<< HEAD\"\n<<<<<<< HEAD\n>>>>>>> x\n")
    let marks = try await ToolRun.ferry("convert", "m.csv", "--to", "json")
    #expect(marks.status == 0 && marks.output.contains(#""a":">>>>>>> x""#), "\(marks)")
  }

  @Test(arguments: [
    (
      "c.csv", "a,b\n1,2\n<<<<<<< HEAD\n3,4\n=======\n3,5\n>>>>>>> y\n",
      "3:1: the row has 1 cell, but the table has 2 columns; a conflict of a merge begins in line 3 (resolve it first) (at [1])",
      #"[{"a":"1","b":"2"},{"a":"3","b":"4"},{"a":"3","b":"5"}]"#
    ),
    (
      "c.jsonl", "{\"a\":1}\n<<<<<<< HEAD\n{\"a\":2}\n=======\n{\"a\":3}\n>>>>>>> y\n",
      "2:1: expected a value, found \"<\"; a conflict of a merge begins in line 2 (resolve it first) (at [1])",
      #"[{"a":1},{"a":2},{"a":3}]"#
    ),
    (
      "c.yaml", "---\na: 1\n---\n<<<<<<< HEAD\na: 2\n=======\na: 3\n>>>>>>> y\n---\na: 4\n",
      "5:2: not valid YAML: mapping values are not allowed in this context; a conflict of a merge begins in line 4 (resolve it first)",
      #"[{"a":1},{"a":4}]"#
    ),
  ])
  func `A conflict is not a record that --keep-going leaves out`(
    name: String, text: String, error: String, others: String
  ) async throws {
    try directory.write(name, text)
    let run = try await ToolRun.ferry("convert", name, "--to", "json", "--keep-going", "-o", "out.json")
    expectFailure(run, "\(name):\(error)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("out.json")))
    // Marks of which the first one is missing, or is not at the beginning of a line, are faulty records.
    try directory.write(name, text.replacing("<<<<<<< HEAD", with: " <<<<<<< HEAD"))
    let indented = try await ToolRun.ferry("convert", name, "--to", "json", "--keep-going")
    #expect(indented.status == 1 && indented.output == others + "\n", "\(indented)")
  }

  @Test func `An error of a row has its index among all rows`() async throws {
    try directory.write("a.csv", "a,b\n1,2\n3\n4,5\n6\n")
    let run = try await ToolRun.ferry("convert", "a.csv", "--to", "json", "--keep-going")
    let flaw = "the row has 1 cell, but the table has 2 columns (--ragged accepts such rows)"
    #expect(run.errors == "a.csv:3:1: \(flaw) (at [1])\na.csv:5:1: \(flaw) (at [3])\n")
    try directory.write("b.csv", "a,b\n0,1\n<<<<<<< HEAD\n1,2\n=======\n2,3\n>>>>>>> x\n")
    for options in [[], ["--keep-going"]] {
      let ragged = try await ToolRun.ferry(["convert", "b.csv", "--to", "json", "--ragged"] + options)
      #expect(ragged.errors.hasSuffix(" (at [1])\n"), "\(ragged)")
    }
  }

  @Test func `The standard output gets all records before an error`() async throws {
    let run = try await ToolRun.shell(
      #"""
      seq 3000 | sed 's/.*/{"id":&,"text":"a text that fills the buffer of the output"}/' > good.jsonl
      (cat good.jsonl; echo '{"id":1') > bad.jsonl; ferry convert bad.jsonl --to jsonl | cmp - good.jsonl && echo lines
      ferry convert bad.jsonl --to csv --columns id,text | wc -l | tr -d ' '; ferry convert bad.jsonl --to jsonl -o out.jsonl; ls out.jsonl
      (echo '['; sed 's/$/,/' good.jsonl; echo '{"id":1') | ferry convert - --to jsonl | cmp - good.jsonl && echo list
      """#)
    #expect(run.output == "lines\n3001\nlist\n", "\(run)")
    #expect(run.errors.hasPrefix("bad.jsonl:3001:8: "), "\(run.errors)")
  }

  @Test func `Invalid input on the standard input is named`() async throws {
    expectFailure(
      try await .ferry("convert", "-", "--to", "json", input: "[1,\n]"),
      "standard input:2:1: expected a value, found \"]\" "
        + "(JSON has no comma after the last value; use --from jsonc) (at [1])")
  }

  @Test func `A missing file or a directory as the input is refused`() async throws {
    expectFailure(try await .ferry("convert", "no.xml", "--to", "json"), "no.xml: no such file or directory")
    expectFailure(
      try await .ferry("convert", ".", "--to", "json"),
      ".: this folder is not a known package (known: things (.mystuff); --types FILE adds others); "
        + "ferry convert -r takes the files in a folder, and ferry diff compares two folders"
    )
    expectFailure(try await .ferry("show", "no.xml"), "no.xml: no such file or directory")
  }

  @Test func `The format of an input is recognized by its content, whatever the name`() async throws {
    try directory.write("x.plist", "{\"a\":1}")
    let run = try await ToolRun.ferry("convert", "x.plist", "--to", "json")
    expectQuiet(run)
    #expect(run.output == "{\"a\":1}\n")
  }

  @Test(arguments: ["\u{feff}", "\r\n", " \n\t"])
  func `An input that begins oddly is read`(beginning: String) async throws {
    let json = try await ToolRun.ferry("convert", "--to", "jsonl", input: beginning + "[1,\r\n2]\r\n")
    expectQuiet(json)
    #expect(json.output == "1\n2\n")
  }

  @Test func `An XML document with a mark and the line ends of Windows is read`() async throws {
    let text = "\u{feff}" + folks.replacing("\n", with: "\r\n")
    let run = try await ToolRun.ferry("convert", "--to", "json", input: text)
    expectQuiet(run)
    #expect(run.output == folksJSON)
  }

  @Test(arguments: [
    ("no/out.json", #"no/out.json: the folder "no" does not exist"#),
    ("folks.xml/out.json", "folks.xml/out.json: not a directory"),
    ("folder", "folder: this is a directory, not a file"),
    ("/dev/full", "/dev/full: no space left on device"),
  ])
  func `An output that cannot be written is refused`(output: String, line: String) async throws {
    if output == "/dev/full", !FileManager.default.fileExists(atPath: output) {
      try Test.cancel("no /dev/full here")
    }
    try directory.write("folks.xml", folks)
    try directory.makeDirectory("folder")
    expectFailure(try await .ferry("convert", "folks.xml", "--to", "json", "-o", output), line)
    #expect(try directory.names() == ["folder", "folks.xml"])
    #expect(try directory.names(in: "folder") == [])
  }

  @Test func `An output folder that is a file, or that may not be written, is refused`() async throws {
    try directory.write("folks.xml", folks)
    expectFailure(
      try await .ferry("convert", "folks.xml", "--to", "json", "--out-dir", "folks.xml"),
      "folks.xml: this is a file, not a directory")
    guard getuid() != 0 else { try Test.cancel("root may write anywhere") }
    try directory.makeDirectory("locked")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path("locked"))
    expectFailure(
      try await .ferry("convert", "folks.xml", "-o", "locked/out.json"), "locked/out.json: permission denied")
  }

  @Test func `A full standard output is reported`() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { try Test.cancel("no /dev/full here") }
    try directory.write("folks.xml", folks)
    for command in ["convert folks.xml --to json", "show folks.xml --schema person"] {
      expectFailure(
        try await .shell("ferry \(command) > /dev/full"), "standard output: no space left on device")
    }
  }

  @Test func `Records that break their schema are left out on request`() async throws {
    try directory.write(
      "a.xml",
      """
      <people>
        <person><firstName>Ada</firstName><lastName>Lovelace</lastName></person>
        <person><firstName>Plato</firstName></person>
        <person><firstName>Alan</firstName><lastName>Turing</lastName></person>
      </people>
      """)
    let run = try await ToolRun.ferry("convert", "a.xml", "--keep-going", "--to", "jsonl")
    #expect(run.status == 1)
    #expect(
      run.output == """
        {"firstName":"Ada","lastName":"Lovelace"}
        {"firstName":"Alan","lastName":"Turing"}

        """)
    #expect(run.errors.hasPrefix("a.xml:"))
    #expect(run.errors.hasSuffix("the person has no lastName (at [1])\n"))
  }

  @Test func `Control characters in messages are escaped`() async throws {
    try directory.write("a.json", #"{"a\u001b[2J\u009b": "b\u001b\n", "c\"": 1}"#)
    let run = try await ToolRun.ferry("show", "a.json")
    expectQuiet(run)
    #expect(
      run.output == #"""
        { "a\u{1b}[2J\u{9b}": "b\u{1b}\n", "c\"": 1 }

        """#)
  }
}
