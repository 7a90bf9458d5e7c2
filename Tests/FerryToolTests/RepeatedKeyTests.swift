import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Keys that occur twice` {
  private static let formats = ["json", "jsonl", "plist-xml", "plist-binary", "archive", "archive-xml"]

  @Test(arguments: formats)
  func `Keys that occur twice are reported from every format`(_ format: String) async throws {
    let document = #"{"a":1,"b":[{"c":1,"c":2,"c":3},{"c":1}],"a":2}"#
    try directory.write("a.json", document)
    // As JSON Lines, the conversion would write the records in b.
    try directory.write("b.jsonl", document + "\n")
    if format != "jsonl" {
      expectQuiet(try await .ferry("convert", "a.json", "--to", format, "-o", "b.\(format)", "-q"))
    }
    let words = "b.\(format): not exact: keys occur twice in one dictionary (2)\n"
    for target in ["json", "plist-xml", "plist-binary"] {
      let run = try await ToolRun.ferry("convert", "b.\(format)", "--from", format, "--to", target, "-o", "-")
      // A binary file is copied.
      guard format != target || format != "plist-binary" else { continue }
      #expect(run.status == 0)
      #expect(run.errors == words)
      let strict = try await ToolRun.ferry(
        "convert", "b.\(format)", "--strict", "--to", target, "-o", "c", "--force")
      #expect(strict.status == 1)
      #expect(strict.errors.contains("keys occur twice in one dictionary"), "\(strict.errors)")
    }
  }

  @Test func `Comparisons report keys that occur twice, also in data`() async throws {
    try directory.write("a.json", #"{"a":1,"a":2}"#)
    try directory.write("b.json", #"{"a":3,"a":2}"#)
    let words = "not exact: keys occur twice in one dictionary (1)\n"
    let run = try await ToolRun.ferry("diff", "a.json", "b.json")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
    #expect(run.errors == "a.json: \(words)b.json: \(words)")
    expectQuiet(try await .ferry("diff", "a.json", "b.json", "-q"))
    for name in ["a", "b"] {
      let bytes = try PropertyListSerialization.data(
        fromPropertyList: ["d": Data(try directory.bytes("\(name).json"))], format: .xml, options: 0)
      try directory.write("\(name).plist", Array(bytes))
    }
    let data = try await ToolRun.ferry("diff", "a.plist", "b.plist", "--expand")
    #expect(data.status == 0 && data.errors == "a.plist: \(words)b.plist: \(words)", "\(data.errors)")
    try directory.write("opened.json", #"{"d":{"a":2}}"#)
    let opened = try await ToolRun.ferry("diff", "opened.json", "a.plist", "--expand")
    #expect(opened.status == 0 && opened.errors == "a.plist: \(words)", "\(opened.errors)")
  }

  @Test func `Texts of keys that occur twice are reported, though their values differ`() async throws {
    try directory.write(
      "a.xml",
      """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>
      <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>
      <key>NS.keys</key><array><dict><key>CF$UID</key><integer>3</integer></dict>
      <dict><key>CF$UID</key><integer>4</integer></dict></array>
      <key>NS.objects</key><array><dict><key>CF$UID</key><integer>3</integer></dict>
      <dict><key>CF$UID</key><integer>4</integer></dict></array></dict>
      <dict><key>$classname</key><string>NSDictionary</string></dict><integer>1</integer><string>1</string></array>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></dict></plist>
      """)
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json")
    #expect(run.output == "{\"1\":1,\"1\":\"1\"}\n")
    #expect(run.errors.contains("keys occur twice in one dictionary (1)"), "\(run.errors)")
  }

  @Test(
    arguments: [
      ("1: a\n0x1: c\n1.0: d\nb: e\n", "1", "1: a\n0x1: X\n1.0: d\nb: e\n", "1.0: d\nb: e\n"),
      ("~: a\nnull: c\nb: e\n", "null", "~: a\nnull: X\nb: e\n", "b: e\n"),
      ("true: a\nb: e\nTRUE: c\n", "true", "true: a\nb: e\nTRUE: X\n", "b: e\n"),
    ], ["set", "remove"])
  func
    `A key of YAML that occurs twice and is not a string has the last value, and is removed with all of them`(
      _ texts: (old: String, key: String, set: String, removed: String), _ command: String
    ) async throws
  {
    try directory.write("a.yaml", texts.old)
    let before = try await ToolRun.ferry("get", "a.yaml", texts.key)
    #expect(before.output == "c\n")
    if command == "set" {
      expectQuiet(try await .ferry("set", "a.yaml", texts.key, "X"))
      #expect(try directory.text("a.yaml") == texts.set)
    } else {
      expectQuiet(try await .ferry("remove", "a.yaml", texts.key))
      #expect(try directory.text("a.yaml") == texts.removed)
    }
  }

  @Test(arguments: ["json", "plist-xml", "plist-binary", "archive", "archive-xml"])
  func `A removal of a key that occurs twice removes both, so that the key is gone`(
    _ format: String
  ) async throws {
    try directory.write("a.json", #"{"a":1,"b":[{"c":1,"c":2,"d":3,"c":4}],"a":2,"":5}"#)
    expectQuiet(try await .ferry("convert", "a.json", "--to", format, "-o", "b.\(format)", "-q"))
    for (path, rest) in [("b[0].c", #"{"a":1,"b":[{"d":3}],"a":2,"":5}"#), ("a", #"{"b":[{"d":3}],"":5}"#)] {
      expectQuiet(try await .ferry("remove", "b.\(format)", path))
      let run = try await ToolRun.ferry("convert", "b.\(format)", "--to", "json", "-q")
      #expect(run.output == rest + "\n")
    }
  }

  @Test func `Keys that occur once each are not reported`() async throws {
    try directory.write("a.json", #"[{"a":1,"b":{"a":2}},{"a":1,"":{"":1}}]"#)
    for format in Self.formats {
      expectQuiet(try await .ferry("convert", "a.json", "--to", format, "-o", "b.\(format)", "--strict"))
      expectQuiet(try await .ferry("convert", "b.\(format)", "--to", "json", "--strict", "-q"))
    }
  }
}
