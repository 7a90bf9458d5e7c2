import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `OpenStep property lists at the shell` {
  private static let project = """
    // !$*UTF8*$!
    {
    \tobjects = {

    /* Begin XCBuildConfiguration section */
    \t\tC1 /* Debug */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tSWIFT_VERSION = 5.0;
    \t\t\t};
    \t\t\tname = Debug;
    \t\t};
    /* End XCBuildConfiguration section */
    \t};
    \trootObject = R1;
    }

    """

  @Test func `A setting of a project is changed in one line`() async throws {
    try directory.makeDirectory("App.xcodeproj")
    try directory.write("App.xcodeproj/project.pbxproj", Self.project)
    let run = try await ToolRun.shell(
      """
      set -e; cd App.xcodeproj; cp project.pbxproj before
      ferry set project.pbxproj 'objects.C1.buildSettings.SWIFT_VERSION' 6.0
      diff before project.pbxproj || true
      ferry get project.pbxproj 'objects[*]' 2>/dev/null || true
      ferry convert project.pbxproj --to json -o p.json
      ferry convert p.json -o copy.pbxproj && cmp copy.pbxproj project.pbxproj && echo same
      ferry inspect project.pbxproj | head -2
      """)
    #expect(
      run.output.contains("< \t\t\t\tSWIFT_VERSION = 5.0;\n---\n> \t\t\t\tSWIFT_VERSION = 6.0;\n"),
      "\(run.output)\(run.errors)")
    #expect(run.output.contains("same\n"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("pbxproj: Xcode project"), "\(run.output)\(run.errors)")
  }

  @Test func `A project on the standard input keeps the name in its comments`() async throws {
    try directory.write(
      "p.pbxproj",
      """
      // !$*UTF8*$!
      {
      \tobjects = {

      /* Begin PBXProject section */
      \t\tP1 /* Project object */ = {
      \t\t\tisa = PBXProject;
      \t\t\tbuildConfigurationList = L1 /* Build configuration list for PBXProject "My App" */;
      \t\t};
      /* End PBXProject section */

      /* Begin XCConfigurationList section */
      \t\tL1 /* Build configuration list for PBXProject "My App" */ = {
      \t\t\tisa = XCConfigurationList;
      \t\t};
      /* End XCConfigurationList section */
      \t};
      \trootObject = P1 /* Project object */;
      }

      """)
    expectQuiet(try await ToolRun.shell("ferry convert --to pbxproj < p.pbxproj | cmp - p.pbxproj"))
  }

  @Test func `Strings files are converted, edited and merged`() async throws {
    try directory.write("base.strings", "/* A */\n\"a\" = \"1\";\n/* B */\n\"b\" = \"2\";\n")
    let run = try await ToolRun.shell(
      """
      cp base.strings ours.strings; cp base.strings theirs.strings
      ferry set ours.strings a one; ferry set theirs.strings b two
      ferry merge base.strings ours.strings theirs.strings -o merged.strings; cat merged.strings
      ferry convert merged.strings --to plist-xml | ferry convert --to strings --from plist-xml
      EDITOR='sed -i s/two/TWO/' ferry edit merged.strings && tail -n 1 merged.strings
      """)
    #expect(
      run.output
        == "/* A */\n\"a\" = \"one\";\n/* B */\n\"b\" = \"two\";\n\"a\" = \"one\";\n\"b\" = \"two\";\n\"b\" = \"TWO\";\n",
      "\(run.output)\(run.errors)")
  }

  /// Texts that Ferry's writer would write in another way, with the formats that they have.
  private static let texts: [(format: String, text: String)] = [
    ("strings", "/* A */\n\n\"a\" = \"1\";   // one\r\n\n\nb = 'é';"), ("strings", "// nothing\n"),
    ("strings", "{ \"a\" = \"1\"; }\n"), ("strings", "\"a\" = \"1\"; \"a\" = \"2\";\n"), ("strings", ""),
    ("openstep", "// c\n{ b = (x,y); /* d */ a = <0fbd 77>; }"),
    ("gnustep", "{ b = <*I5>; /* d */ a = <*BY> }"),
  ]

  @Test(arguments: texts) func `A text is copied to its own format byte for byte`(
    _ format: String, _ text: String
  ) async throws {
    var utf16: [UInt8] = [0xff, 0xfe]
    for unit in text.utf16 { utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    let marked: [UInt8] = [0xef, 0xbb, 0xbf] + Array(text.utf8)
    for bytes: [UInt8] in [Array(text.utf8), marked, utf16]
    where !text.isEmpty || bytes.isEmpty {
      let run = try await ToolRun.ferry(
        ["convert", "--from", format, "--to", format, "--strict"], input: bytes)
      expectQuiet(run)
      #expect(run.bytes == bytes, "\(text)")
      try directory.write("x", bytes)
      expectQuiet(
        try await ToolRun.ferry("convert", "x", "--from", format, "--to", format, "-i", "--strict"))
      #expect(try directory.bytes("x") == bytes, "\(text)")
    }
  }

  @Test func `A text is written anew if an option changes something`() async throws {
    try directory.write("x.strings", "/* A */\n'b' = 'é';\n\"a\" = 1;\n")
    for (options, output) in [
      (["--sort-keys"], "\"a\" = \"1\";\n\"b\" = \"é\";\n"),
      (["--ascii"], "\"b\" = \"\\U00e9\";\n\"a\" = \"1\";\n"),
      (["--to-encoding", "utf-8-bom"], "\u{feff}\"b\" = \"é\";\n\"a\" = \"1\";\n"),
      (["--encoding", "utf-8"], "\"b\" = \"é\";\n\"a\" = \"1\";\n"),
    ] {
      let run = try await ToolRun.ferry(["convert", "x.strings", "--to", "strings"] + options)
      #expect(run.bytes == Array(output.utf8), "\(options)")
      #expect(run.errors == "x.strings: not exact: comments are left out (1)\n", "\(options)")
    }
  }

  @Test func `A text that is copied is read to its end, and errors and notes are reported`() async throws {
    for (text, error) in [
      ("a = b;\n/* c */ d", "standard input:2:10: the text ends where \"=\" or \";\" is expected"),
      ("( a )", "standard input:1:1: a strings file cannot hold an array"),
    ] {
      let run = try await ToolRun.ferry("convert", "--from", "strings", "--to", "strings", input: text)
      #expect(run.status == 1 && run.output == "" && run.errors.hasPrefix(error), "\(run.errors)")
    }
    let run = try await ToolRun.ferry(
      "convert", "--from", "strings", "--to", "strings", input: "\"c\" = \"\\u672a\";")
    #expect(run.status == 0 && run.output == "\"c\" = \"\\u672a\";")
    #expect(run.errors.hasPrefix("standard input:1:8: 1 escape \\u is read as the letter u"), "\(run.errors)")
  }

  /// Command lines that fail, with the beginning of the message.
  private static let refused = [
    (
      "printf '{ a = b }' | ferry convert --to json",
      "standard input:1:9: expected \";\" after the value, found \"}\""
    ),
    ("echo '[1]' | ferry convert --to strings", "standard input:1:1: a strings file cannot hold an array"),
    (
      "echo '[1]' | ferry convert --to pbxproj",
      "standard input: an Xcode project cannot hold an array of 1 element"
    ),
    (
      "echo '{}' | ferry convert --to openstep --form typed",
      "standard input: the typed form cannot be written as plist-openstep"
    ),
    (
      "printf '{ a = b; }' > x.plist; ferry set x.plist a 1 --type integer",
      "x.plist: cannot put a number here: this format has only text and data (write \"1\") (at a)"
    ),
    (
      "printf '{ a = b; }' > x.plist; ferry set x.plist a '{\"k\":[true]}' --type json",
      "x.plist: cannot put a boolean here: this format has only text and data (write \"true\") (at a)"
    ),
    (
      "echo '{}' | ferry convert --to plist-binary | ferry convert --to json --encoding latin1",
      "standard input: an encoding cannot be given for plist-binary, which is not text"
    ),
  ]

  @Test(arguments: refused) func `A mistake is named`(_ line: String, _ message: String) async throws {
    let run = try await ToolRun.shell(line)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.errors.hasPrefix(message), "\(run.errors)")
  }

  @Test(arguments: ["strings", "pbxproj"])
  func `A new key of an empty dictionary has the syntax of the file's extension`(_ name: String) async throws
  {
    let key = name == "strings" ? "\"a\"" : "a"
    for command in ["insert x.\(name) a b", "plutil -insert a -string b x.\(name)"] {
      let run = try await ToolRun.shell("printf '{}' > x.\(name); ferry \(command); cat x.\(name)")
      #expect(run.status == 0 && run.output.contains("\(key) = "), "\(command): \(run.output)\(run.errors)")
    }
  }

  @Test func `A note on lowercase escapes has the location of the first of them`() async throws {
    try directory.write("u.strings", "a = b;\n\"c\" = \"\\u672a\\u672b\";\n")
    let note =
      "2 escapes \\u are read as the letter u, as Apple's programs do (\\U is the escape of a character)"
    let converted = try await ToolRun.ferry("convert", "u.strings", "--to", "json")
    #expect(converted.output == #"{"a":"b","c":"u672au672b"}"# + "\n")
    #expect(converted.errors == "u.strings:2:8: \(note)\n")
    let checked = try await ToolRun.ferry("check", "u.strings")
    #expect(checked.status == 0 && checked.output == "u.strings: OK (strings)\n")
    #expect(checked.errors == "u.strings:2:8: \(note)\n")
    for command in [
      ["check", "u.strings", "--json"], ["convert", "u.strings", "-o", "u.json", "--report", "-"],
    ] {
      let run = try await ToolRun.ferry(command)
      let entry = #"{"file":"u.strings","code":"lowercase-escapes","message":"2 escapes"#
      let text = run.output.replacing(#/": /#, with: #"":"#).replacing(#/\n */#, with: "")
      #expect(text.contains(entry) && text.contains(#""line":2,"column":8,"#), "\(run.output)")
    }
    let quiet = try await ToolRun.ferry("check", "u.strings", "-q")
    #expect(quiet.errors.isEmpty)
  }
}
