import Foundation
import TestSupport
import Testing

/// A program finds the objects of its archive by the names of the roots, and may read only archives of its own archiver.
@Suite(.temporaryDirectory) struct `Archives with several roots, written anew` {
  /// Returns an archive in XML with the roots State, who and version.
  private static func archive(name: String = "Ada", version: Int = 7) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>$archiver</key><string>SCNKeyedArchiver</string><key>$objects</key><array>
    <string>$null</string>
    <dict><key>$class</key><dict><key>CF$UID</key><integer>3</integer></dict><key>name</key>
    <dict><key>CF$UID</key><integer>2</integer></dict></dict>
    <string>\(name)</string>
    <dict><key>$classes</key><array><string>Thing</string><string>NSObject</string></array>
    <key>$classname</key><string>Thing</string></dict>
    <string>Bob</string>
    </array><key>$top</key><dict><key>State</key><dict><key>CF$UID</key><integer>1</integer></dict>
    <key>version</key><integer>\(version)</integer>
    <key>who</key><dict><key>CF$UID</key><integer>4</integer></dict></dict>
    <key>$version</key><integer>100000</integer></dict></plist>
    """
  }

  /// Expects the roots and the archiver in a file.
  private func expectRoots(in file: String, version: Int = 7) async throws {
    let bytes = Data(try directory.bytes(file))
    let list = try unsafe PropertyListSerialization.propertyList(from: bytes, format: nil)
    let archive = try #require(list as? [String: Any])
    #expect(archive["$archiver"] as? String == "SCNKeyedArchiver")
    let top = try #require(archive["$top"] as? [String: Any])
    #expect(top.keys.sorted() == ["State", "version", "who"])
    #expect(top["version"] as? Int == version)
    let value = try await ToolRun.ferry("get", file, "--compact")
    #expect(value.output.hasSuffix(#""version":\#(version),"who":"Bob"}"# + "\n"))
  }

  @Test(arguments: ["archive", "archive-xml"])
  func `A conversion with other names of classes keeps the roots`(_ format: String) async throws {
    try directory.write("a.plist", Self.archive())
    let run = try await ToolRun.ferry(
      "convert", "a.plist", "--class", "Thing=App.Thing", "--to", format, "-o", "b.archive")
    #expect(run.status == 0, "\(run.errors)")
    try await expectRoots(in: "b.archive")
  }

  @Test func `A copy of the whole value keeps the roots, and a part of it has one root`() async throws {
    try directory.write("a.plist", Self.archive())
    let whole = try await ToolRun.ferry("get", "a.plist", "-o", "b.archive")
    #expect(whole.status == 0, "\(whole.errors)")
    try await expectRoots(in: "b.archive")
    expectQuiet(try await ToolRun.ferry("get", "a.plist", "who", "-o", "c.archive"))
    let value = try await ToolRun.ferry("get", "c.archive")
    #expect(value.output == "Bob\n")
  }

  @Test func `A merge in another format keeps the roots`() async throws {
    try directory.write("base.plist", Self.archive())
    try directory.write("ours.plist", Self.archive(name: "Eve"))
    try directory.write("theirs.plist", Self.archive(version: 8))
    let run = try await ToolRun.ferry(
      "merge", "base.plist", "ours.plist", "theirs.plist", "--to", "archive", "-o", "m.archive")
    #expect(run.status == 0, "\(run.errors)")
    try await expectRoots(in: "m.archive", version: 8)
  }

  /// Writes documents with two roots and with one root that has their names as keys, in the typed form and as archives.
  private func writeRoots() async throws {
    let start = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":"#
    let value = #"{"State":{"a":1},"Other":5}"#
    try directory.write("two.json", start + value + "}\n")
    try directory.write("one.json", start + #"{"root":\#(value)}}"# + "\n")
    try directory.write("changed.json", start + value.replacing("5", with: "6") + "}\n")
    for name in ["two", "one", "changed"] {
      expectQuiet(try await .ferry("convert", "\(name).json", "--to", "archive", "-o", "\(name).archive"))
    }
  }

  @Test(arguments: ["json", "archive"], ["json", "archive"])
  func `Several roots differ from one root with their names as keys`(_ old: String, _ new: String)
    async throws
  {
    try await writeRoots()
    let run = try await ToolRun.ferry("diff", "two.\(old)", "one.\(new)")
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.output == "--- two.\(old)\n+++ one.\(new)\n~ $top: \"State, Other\" → \"root\"\n")
    expectQuiet(try await .ferry("diff", "one.\(old)", "one.\(new)"))
    expectQuiet(try await .ferry("diff", "two.\(old)", "two.\(new)"))
  }

  @Test func `A patch changes the roots in the typed form, and is refused in an archive`() async throws {
    try await writeRoots()
    let patch = try await ToolRun.shell(
      "ferry diff two.json one.archive --json > p.json; ferry patch two.json p.json && ferry diff two.json one.json"
    )
    #expect(patch.status == 0, "\(patch.errors)")
    let refused = try await ToolRun.ferry("diff", "one.archive", "changed.archive", "--json")
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.errors.contains("a patch does not change the roots of an archive ($top)"), "\(refused.errors)")
  }

  @Test(arguments: ["json", "archive"])
  func `A merge takes changed roots, or reports a conflict`(_ format: String) async throws {
    try await writeRoots()
    let (two, one, changed) = ("two.\(format)", "one.\(format)", "changed.\(format)")
    expectQuiet(try await .ferry("merge", two, two, one, "-o", "a.\(format)"))
    expectQuiet(try await .ferry("diff", "a.\(format)", one))
    expectQuiet(try await .ferry("merge", two, one, two, "-o", "b.\(format)"))
    expectQuiet(try await .ferry("diff", "b.\(format)", one))
    let conflict = try await ToolRun.ferry("merge", two, changed, one, "-o", "c.\(format)")
    #expect(conflict.status == 1)
    #expect(
      conflict.errors.hasPrefix(
        "\(changed): conflict at $top: ours \"State, Other\", theirs \"root\", base \"State, Other\"\n"))
    for (side, file) in [("ours", changed), ("theirs", one)] {
      let run = try await ToolRun.ferry(
        "merge", two, changed, one, "--favor", side, "-o", "\(side).\(format)")
      #expect(run.status == 0, "\(run.errors)")
      expectQuiet(try await .ferry("diff", "\(side).\(format)", file))
    }
  }

  @Test(arguments: ["json", "archive"])
  func `A merge of archives with several roots keeps them`(_ format: String) async throws {
    try await writeRoots()
    try directory.write(
      "ours.json", try directory.text("two.json").replacing("\"a\":1", with: "\"a\":2"))
    try directory.write(
      "merged.json", try directory.text("changed.json").replacing("\"a\":1", with: "\"a\":2"))
    expectQuiet(try await .ferry("convert", "ours.json", "--to", "archive", "-o", "ours.archive"))
    expectQuiet(
      try await .ferry(
        "merge", "two.\(format)", "ours.\(format)", "changed.\(format)", "-o", "m.\(format)"))
    expectQuiet(try await .ferry("diff", "m.\(format)", "merged.json"))
  }

  @Test func `The time for many roots grows with their number`() async throws {
    let roots = (0..<40_000).map { "<key>k\($0)</key><integer>\($0)</integer>" }.joined()
    try directory.write(
      "a.plist",
      """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$objects</key><array><string>$null</string></array><key>$top</key><dict>\(roots)</dict>
      <key>$version</key><integer>100000</integer></dict></plist>
      """)
    let run = try await ToolRun.shell(
      "ulimit -t 10; ferry get a.plist -o b.archive && ferry get b.archive k39999")
    #expect(run.output == "39999\n", "\(run.errors)")
  }
}
