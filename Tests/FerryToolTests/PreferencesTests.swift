import Foundation
import TestSupport
import Testing

/// The examples in `Documentation/Preferences.md`.
@Suite(.temporaryDirectory) struct `Preferences` {
  private func take(_ name: String) throws {
    let example = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/Preferences/\(name)").standardizedFileURL
    try directory.write(example.lastPathComponent, Array(try Data(contentsOf: example)))
  }

  @Test
  func `Preferences that hold an archive are shown, changed inside it, and changed back`() async throws {
    try take("defaults.plist")
    let original = try directory.bytes("defaults.plist")
    let shown = try await ToolRun.ferry("show", "--expand", "defaults.plist")
    #expect(
      shown.output == """
        {
          data_model: <a keyed archive, 423 bytes> [
            Person { first: "Matt", last: "Neuburg" }
            Person { first: "Snidely", last: "Whiplash" }
            Person { first: "Dudley", last: "Doright" }
          ]
          launches: 3
          lastOpened: 2026-01-02T03:04:05Z
        }

        """)
    expectQuiet(try await .ferry("set", "defaults.plist", #"data_model[last="Whiplash"].first"#, "Sly"))
    let first = try await ToolRun.ferry("get", "defaults.plist", "data_model[1].first")
    #expect(first.output == "Sly\n")
    expectQuiet(try await .ferry("set", "defaults.plist", "data_model[1].first", "Snidely"))
    #expect(try directory.bytes("defaults.plist") == original)
  }

  @Test func `Preferences go to text and back with the archives inside`() async throws {
    try take("defaults.plist")
    for representation in ["plist-xml", "plist-binary"] {
      expectQuiet(
        try await .ferry("convert", "defaults.plist", "--to", representation, "-o", "now.plist", "--force"))
      expectQuiet(
        try await .shell(
          "ferry convert now.plist --expand --form typed --to json -o now.json --force && "
            + "ferry convert now.json --to \(representation) -o back.plist --force"))
      #expect(try directory.bytes("now.plist") == directory.bytes("back.plist"), "\(representation)")
    }
    let text = try directory.text("now.json")
    #expect(text.contains(#"{"$class":"Person","last":"Neuburg","first":"Matt"}"#))
  }

  @Test func `Preferences give their records to XML and JSON, and take them again`() async throws {
    try take("defaults.plist")
    try directory.write("folks.xml", folks)
    let original = try directory.bytes("defaults.plist")
    let records = try await ToolRun.shell(
      "ferry get defaults.plist data_model --bytes | ferry convert --to json | tee records.json")
    expectQuiet(records)
    #expect(records.output == folksJSON)
    expectQuiet(try await .ferry("set", "defaults.plist", "data_model", "AAAA"))
    expectQuiet(
      try await .shell(
        "ferry convert records.json --schema person --to archive "
          + "| ferry set defaults.plist data_model --from-file -"))
    #expect(try directory.bytes("defaults.plist") == original)
    expectQuiet(
      try await .shell(
        "ferry convert folks.xml --to archive | ferry set defaults.plist data_model --from-file -"))
    #expect(try directory.bytes("defaults.plist") == original)
    let peer = try await Peer.python(
      """
      import plistlib, sys
      outer = plistlib.loads(sys.stdin.buffer.read())
      inner = plistlib.loads(outer["data_model"])
      print(outer["launches"], inner["$objects"].count("Whiplash"))
      """, input: try directory.bytes("defaults.plist"))
    #expect(peer.text == "3 1\n", "\(peer.errors)")
  }

  @Test func `Preferences of a terminal have their colors set by their notation, inside their archives`()
    async throws
  {
    try take("Ocean.terminal")
    let original = try directory.bytes("Ocean.terminal")
    let color = try await ToolRun.ferry("get", "Ocean.terminal", "BackgroundColor.color")
    #expect(color.output == "#1A334DFF\n")
    expectQuiet(try await .ferry("set", "Ocean.terminal", "BackgroundColor", "#102030FF"))
    let changed = try await ToolRun.ferry("get", "Ocean.terminal", "BackgroundColor.color")
    #expect(changed.output == "#102030FF\n")
    // A word that could be Base64 is still not a color.
    let refused = try await ToolRun.ferry("set", "Ocean.terminal", "BackgroundColor", "blue")
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(#"Ocean.terminal: "blue" does not fit here: the value is a color "#),
      "\(refused.errors)")
    expectQuiet(try await .ferry("set", "Ocean.terminal", "BackgroundColor", "#1A334DFF"))
    #expect(try directory.bytes("Ocean.terminal") == original)
  }

  @Test func `Preferences of a settings bundle have their defaults listed and changed by their keys`()
    async throws
  {
    try take("Settings.bundle/Root.plist")
    let original = try directory.text("Root.plist")
    let keys = try await ToolRun.ferry("get", "Root.plist", "PreferenceSpecifiers[*].Key")
    #expect(keys.output == "sounds\nvolume\nname\n")
    let volume = #"PreferenceSpecifiers[Key="volume"].DefaultValue"#
    expectQuiet(try await .ferry("set", "Root.plist", volume, "0.75"))
    #expect(
      try directory.text("Root.plist")
        == original.replacingOccurrences(of: "<real>0.5</real>", with: "<real>0.75</real>"))
    expectFailure(
      try await .ferry("set", "Root.plist", volume, "loud"),
      #"Root.plist: "loud" does not fit here: the value is a real number (--type sets one of another type) "#
        + #"(at PreferenceSpecifiers[2].DefaultValue)"#)
    expectFailure(
      try await .ferry("set", "Root.plist", "PreferenceSpecifiers[Key=size].DefaultValue", "1"),
      #"Root.plist: no element has the value "size" for the key "Key" (at PreferenceSpecifiers)"#)
  }
}
