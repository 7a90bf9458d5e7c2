import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Damaged documents inside data` {
  /// A keyed archive whose root object refers to a missing object.
  private static let damagedArchive = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>
    <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>
    <key>a</key><dict><key>CF$UID</key><integer>9</integer></dict></dict>
    <dict><key>$classes</key><array><string>Foo</string></array><key>$classname</key><string>Foo</string></dict>
    </array><key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
    <key>$version</key><integer>100000</integer></dict></plist>
    """

  /// Writes a property list with a damaged archive between two texts.
  private func writeList() throws {
    let list: [String: Any] = ["a": "first", "blob": Data(Self.damagedArchive.utf8), "z": "needle"]
    let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    try directory.write("l.plist", Array(bytes))
  }

  @Test func `Values beside a damaged document are found`() async throws {
    try writeList()
    let run = try await ToolRun.ferry("find", "needle", "l.plist")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("needle"))
  }

  @Test(arguments: [["show", "--expand"], ["convert", "--expand", "--to", "json"], ["show", "--html"]])
  func `A damaged document stays data where data is expanded`(_ words: [String]) async throws {
    try writeList()
    let run = try await ToolRun.ferry([words[0], "l.plist"] + words.dropFirst())
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("needle"))
  }
}
