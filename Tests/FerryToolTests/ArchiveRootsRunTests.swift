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
