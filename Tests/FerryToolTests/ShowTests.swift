import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `ferry show` {
  /// Shows JSON with options.
  private func show(_ json: String, _ options: String...) async throws -> String {
    let run = try await ToolRun.ferry(["show"] + options, input: Array(json.utf8))
    expectQuiet(run)
    return run.output
  }

  @Test(arguments: [["show"], ["show", "--html"], ["inspect"], ["find", "-e", "x"], ["check"]])
  func `The error of a value has its path in each command`(_ command: [String]) async throws {
    try directory.write("a.json", #"{"a": {"b": tru}}"#)
    let run = try await ToolRun.ferry(command + ["a.json"], input: [])
    #expect(run.errors.hasPrefix("a.json:1:13: expected a value, found \"tru\" (at a.b)\n"), "\(run.errors)")
  }

  @Test func `The tree of a file puts on one line what fits there`() async throws {
    let json = #"[{"a": 1, "b": [1, 2]}, {"a": 1000000, "b": [1000000, 2000000]}, [], {}]"#
    #expect(
      try await show(json, "--width", "67") == """
        [
          { a: 1, b: [1, 2] }
          { a: 1000000, b: [1000000, 2000000] }
          []
          {}
        ]

        """)
    #expect(
      try await show(json, "--width", "68") == """
        [{ a: 1, b: [1, 2] }, { a: 1000000, b: [1000000, 2000000] }, [], {}]

        """)
    #expect(
      try await show(json, "--width", "30") == """
        [
          { a: 1, b: [1, 2] }
          {
            a: 1000000
            b: [1000000, 2000000]
          }
          []
          {}
        ]

        """)
    #expect(try await show("[[[1]]]", "--width", "0") == "[\n  [\n    [\n      1\n    ]\n  ]\n]\n")
  }

  @Test(arguments: ["5", "0", "400"])
  func `The tree of a file is cut at the depth limit of text`(depth: String) async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    let run = try await ToolRun.ferry("show", "ring.archive", "--depth", depth)
    expectQuiet(run)
    if depth == "0" { #expect(run.output == "Node #1 {… 2 keys}\n") }
    let plain = try await ToolRun.ferry("convert", "ring.archive", "--to", "json", "--max-depth", "512")
    #expect(plain.status == 1)
    #expect(plain.errors.contains("(--max-depth raises the limit)"))
    #expect(plain.errors.utf8.count < 500)
  }

  @Test func `The tree of a file never goes beyond the width if it can be broken`() async throws {
    for width in stride(from: 5, through: 60, by: 5) {
      let json = #"{"k": [[1, 2, [3, 4, {"a": 5, "b": [6]}], []], {"c": {"d": [7, 8, 9]}}], "l": [10, [11]]}"#
      let shown = try await show(json, "--width", "\(width)")
      for line in shown.split(separator: "\n") where line.count > width {
        // What is left is one key with one scalar, or with the bracket of what it begins.
        #expect(
          !line.contains(", ") && line.dropLast().allSatisfy { !"[{".contains($0) }, "\(width): \(line)")
      }
    }
  }

  @Test func `The tree of a file is as deep, as wide and as long as the options say`() async throws {
    let json = #"{"a": [1, 2, 3, 4], "b": {"c": [1], "d": {}}, "e": "0123456789é"}"#
    #expect(
      try await show(json, "--depth", "1") == """
        { a: [… 4 items], b: {… 2 keys}, e: "0123456789é" }

        """)
    #expect(try await show(json, "--depth", "0") == "{… 3 keys}\n")
    #expect(
      try await show(json, "--max-items", "2") == """
        { a: [1, 2, … 2 more], b: { c: [1], d: {} }, … 1 more }

        """)
    #expect(try await show(json, "--max-items", "0") == "{ … 3 more }\n")
    #expect(
      try await show(#"["0123456789é"]"#, "--max-text", "11") == """
        ["0123456789"… 12 bytes]

        """)
  }

  @Test func `The tree of a file shows shared objects once`() async throws {
    try directory.write("bomb", HostileFile.sharedArrays.bytes)
    let run = try await ToolRun.ferry("show", "bomb", "--max-depth", "40")
    expectQuiet(run)
    #expect(run.output.hasPrefix("[\n  #1 [\n    #2 [\n      #3 ["))
    #expect(run.output.hasSuffix("\n    ]\n    → #2\n  ]\n  → #1\n]\n"))
    for (file, shown) in [
      (HostileFile.arrayInItself, "#0 [→ #0, \"a\"]\n"), (.dictionaryInItself, "#0 { me: → #0 }\n"),
      (.arrayInItselfByAnother, "#0 [#1 [→ #0], → #1]\n"),
      (
        .archiveInItself,
        "NSMutableArray #1 [→ #1, NSMutableArray #2 [→ #1, → #2], NSMutableArray #3 [→ #3]]\n"
      ),
    ] {
      try directory.write("file", file.bytes)
      let run = try await ToolRun.ferry("show", "file", "--width", "100")
      expectQuiet(run)
      #expect(run.output == shown)
    }
  }

  @Test func `The tree of a file shows dates, data, sets and keys that are objects`() async throws {
    let xml = """
      <plist><dict><key>when</key><date>2014-06-01T09:30:00Z</date><key>none</key><data></data>
      <key>some</key><data>AAEC</data><key>list</key><data>WzEsIDJd</data><key>odd key</key><true/></dict></plist>
      """
    #expect(
      try await show(xml) == """
        {
          when: 2014-06-01T09:30:00Z
          none: <0 bytes>
          some: <3 bytes: 00 01 02>
          list: <JSON, 6 bytes: 5b 31 2c 20 32 5d>
          "odd key": true
        }

        """)
  }

  @Test func `The tree of a file shows XML as paths lead through it`() async throws {
    #expect(
      try await show(folks) == """
        [
          { firstName: "Matt", lastName: "Neuburg" }
          { firstName: "Snidely", lastName: "Whiplash" }
          { firstName: "Dudley", lastName: "Doright" }
        ]

        """)
    #expect(try await show("<people><x>1</x></people>") == "{ people: { x: \"1\" } }\n")
    #expect(try await show(folks, "--schema", "none").hasPrefix("{\n  people: {\n    person: ["))
  }

  @Test func `The tree of a file has colors`() async throws {
    #expect(
      try await show(#"{"a": ["x", 1]}"#, "--color", "always") == """
        { \u{1b}[36ma\u{1b}[0m: [\u{1b}[32m"x"\u{1b}[0m, \u{1b}[33m1\u{1b}[0m] }

        """)
    #expect(try await !show("[1]", "--color", "auto").contains("\u{1b}"))
  }
}

/// Keys of dictionaries in archives that are objects.
@Suite(.temporaryDirectory) struct `Keys that are collections or objects` {
  /// An archive of a dictionary with the keys `["a.b", 5]` and an object of the class P.
  private static let archive = """
    <plist version="1.0"><dict>
    <key>$archiver</key><string>NSKeyedArchiver</string>
    <key>$objects</key><array><string>$null</string>
    <dict>\(field("$class", 2))\(fields("NS.keys", 3, 7))\(fields("NS.objects", 6, 8))</dict>
    \(type("NSDictionary"))
    <dict>\(field("$class", 5))\(fields("NS.objects", 4, 6))</dict>
    <string>a.b</string>
    \(type("NSArray"))
    <integer>5</integer>
    <dict>\(field("$class", 9))<key>q</key><string>w</string></dict>
    <dict>\(field("$class", 5))\(fields("NS.objects"))</dict>
    \(type("P"))
    </array>
    <key>$top</key><dict>\(field("root", 1))</dict>
    <key>$version</key><integer>100000</integer></dict></plist>
    """

  private static func reference(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private static func field(_ key: String, _ number: Int) -> String {
    "<key>\(key)</key>\(reference(number))"
  }

  private static func fields(_ key: String, _ numbers: Int...) -> String {
    "<key>\(key)</key><array>\(numbers.map(reference).joined())</array>"
  }

  private static func type(_ name: String) -> String {
    """
    <dict><key>$classname</key><string>\(name)</string>
    <key>$classes</key><array><string>\(name)</string><string>NSObject</string></array></dict>
    """
  }

  @Test func `Keys that are collections or objects are shown as paths name them, and lead to their values`()
    async throws
  {
    try directory.write("a.xml", Self.archive)
    let keys = [#""[\"a.b\",5]""#, #""{\"q\":\"w\"}""#]
    let tree = try await ToolRun.ferry("show", "a.xml", "--color", "never")
    expectQuiet(tree)
    #expect(tree.output == "{ \(keys[0]): 5, \(keys[1]): [] }\n")
    for (key, value) in zip(keys, ["5", "[]"]) {
      let run = try await ToolRun.ferry("get", "a.xml", "[\(key)]")
      expectQuiet(run)
      #expect(run.output == value + "\n")
    }
  }
}
