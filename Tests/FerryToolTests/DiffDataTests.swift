import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Comparisons of files in data` {
  /// Makes two property lists, in whose data an archive differs in the first name of a person.
  private func makeLists() async throws {
    let made = try await ToolRun.shell(
      """
      set -e
      printf '[{"firstName":"Ada","lastName":"L"},{"firstName":"Bob","lastName":"M"}]' > people.json
      ferry convert people.json --schema person -o people.pplgrp
      """)
    expectQuiet(made)
    let list: [String: Any] = ["model": Data(try directory.bytes("people.pplgrp")), "launches": 3]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      try directory.write(format == .xml ? "x.plist" : "a.plist", Array(bytes))
    }
    expectQuiet(
      try await ToolRun.shell("cp a.plist b.plist; ferry set b.plist 'model[0].first' Zed"))
  }

  @Test func `A patch for other programs puts an opened value in place of the data`() async throws {
    try directory.write(
      "any.schema.json", #"{"ferry":1,"name":"s","fields":[{"name":"d","type":"any"}]}"#)
    for (name, value) in [("a", #"{"a":1}"#), ("b", #"{"a":2}"#)] {
      let data = Data(value.utf8).base64EncodedString()
      try directory.write(
        "\(name).plist", "<plist><array><dict><key>d</key><data>\(data)</data></dict></array></plist>")
    }
    expectQuiet(
      try await .ferry("convert", "b.plist", "--expand", "--to", "plist-xml", "-o", "opened.plist", "-q"))
    for (old, new, value) in [
      ("a.plist", "opened.plist", "\"a\": 2"), ("opened.plist", "a.plist", "\"$data\": \"eyJhIjoxfQ==\""),
    ] {
      let run = try await ToolRun.ferry(
        "diff", old, new, "--expand", "--json", "--schema", "any.schema.json")
      #expect(run.status == 1 && run.errors.contains("the patch is for other programs"), "\(run.errors)")
      #expect(run.output.contains("\"path\": \"/0/d\"") && run.output.contains(value), "\(run.output)")
    }
  }

  private static let line = "~ model[0].first: \"Ada\" → \"Zed\"\n"

  @Test(arguments: ["a.plist", "x.plist"])
  func `The lines have the paths that get takes, and the patch is one for patch`(_ old: String) async throws {
    try await makeLists()
    let run = try await ToolRun.ferry("diff", old, "b.plist", "--expand")
    #expect(run.status == 1 && run.errors == "", "\(run.errors)")
    #expect(run.output == "--- \(old)\n+++ b.plist\n\(Self.line)", "\(run.output)")
    try await expect("ferry get b.plist 'model[0].first'", "Zed\n")
    let whole = try await ToolRun.ferry("diff", old, "b.plist")
    #expect(whole.output.contains("~ model: <from offset "), "\(whole.output)")
    let patch = try await ToolRun.ferry("diff", old, "b.plist", "--expand", "--json", "-o", "p.json")
    #expect(patch.status == 1 && patch.errors == "", "\(patch.errors)")
    #expect(try directory.text("p.json").contains("\"/model/0/first\""))
    try await expect("ferry patch \(old) p.json && ferry diff \(old) b.plist", "")
    // Without the option, the patch has the whole data.
    try await expect(
      "cp b.plist c.plist; ferry set c.plist 'model[1].last' N; ferry diff b.plist c.plist --json > p.json; "
        + "ferry patch b.plist p.json && cmp b.plist c.plist", "")
  }

  @Test func `Folders, git and packed files are compared in the same way`() async throws {
    try await makeLists()
    let folders = try await ToolRun.shell(
      "mkdir x y; cp a.plist x/p.plist; cp b.plist y/p.plist; ferry diff x y --expand")
    #expect(folders.output == "--- x/p.plist\n+++ y/p.plist\n\(Self.line)", "\(folders)")
    let git = try await ToolRun.shell(
      "ferry diff --git --expand -- p.plist a.plist 0 100644 b.plist 1 100644")
    #expect(git.status == 0 && git.output == "--- p.plist\n+++ p.plist\n\(Self.line)", "\(git)")
    let packed = try await ToolRun.shell("gzip a.plist b.plist; ferry diff a.plist.gz b.plist.gz --expand")
    #expect(packed.output.hasSuffix(Self.line), "\(packed)")
  }

  @Test func `A conversion with the data, or with the documents in the data, is not a difference`()
    async throws
  {
    try await makeLists()
    for options in ["", "--expand", "--form typed", "--form typed --expand"] {
      let made = try await ToolRun.shell("ferry convert a.plist --to json \(options) -q -o a.json --force")
      #expect(made.status == 0, "\(made.errors)")
      let same = try await ToolRun.ferry("diff", "a.plist", "a.json", "--expand")
      #expect(same.status == 0 && same.output == "", "\(options): \(same)")
    }
    let changed = try await ToolRun.shell(
      "ferry convert a.plist --to json --expand -q -o a.json --force; ferry diff a.json b.plist --expand")
    #expect(changed.output == "--- a.json\n+++ b.plist\n\(Self.line)", "\(changed)")
  }

  private func writeData() throws {
    let (data, other) = (Data("[1]".utf8).base64EncodedString(), Data(#"{"a":2}"#.utf8).base64EncodedString())
    for (name, text) in [("a.plist", data), ("b.plist", other)] {
      try directory.write(
        name, "<plist><dict><key>l</key><array><data>\(text)</data></array></dict></plist>")
    }
  }

  @Test func `A patch that would put a text in place of data is an error`() async throws {
    try writeData()
    expectQuiet(try await .ferry("convert", "b.plist", "--expand", "-o", "opened.csv", "-q"))
    let lines = try await ToolRun.ferry("diff", "a.plist", "opened.csv", "--expand")
    #expect(lines.status == 1 && lines.output != "" && lines.errors == "", "\(lines)")
    let patch = try await ToolRun.ferry("diff", "a.plist", "opened.csv", "--expand", "--json")
    #expect(patch.status == 2 && patch.output == "", "\(patch)")
    #expect(patch.errors.contains("data would be replaced by another value at "), "\(patch.errors)")
    let way = "(ferry diff --json without --expand gives a patch that replaces it)"
    #expect(patch.errors.contains(way), "\(patch.errors)")
  }

  @Test func `A patch with a dictionary changes the document in data, which stays data`() async throws {
    try writeData()
    let run = try await ToolRun.shell(
      """
      ferry convert b.plist --expand -o opened.plist -q
      ferry diff a.plist opened.plist --expand --json > p.json; echo $?
      ferry patch a.plist p.json; ferry get a.plist 'l[0].a'; ferry diff a.plist opened.plist --expand; echo $?
      ferry get a.plist 'l[0]' --bytes | ferry convert - --to json
      """)
    #expect(run.output == "1\n2\n0\n{\"a\":2}\n", "\(run)")
  }

  @Test func `Shared objects, moved elements and objects of other classes in data have a patch`() async throws
  {
    let versions = [
      ##"{"$class":"Doc","list":[{"$class":"Node","$id":1,"n":"xx","m":"yy"},{"$ref":1},{"$class":"Node","n":"zz","m":"vv"}]}"##,
      ##"{"$class":"Doc","list":[{"$class":"Node","n":"zz","m":"vv"},{"$class":"Node","$id":1,"n":"xx","m":"ww"},{"$ref":1}]}"##,
      ##"{"$class":"Doc","list":[{"$class":"Other","n":"xx"},{"$class":"Node","n":"zz","m":"vv"}]}"##,
    ]
    for (index, root) in versions.enumerated() {
      let text = ##"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\##(root)}}"##
      let made = try await ToolRun.ferry(
        "convert", "--from", "json", "--to", "archive", "-o", "\(index).archive", input: text)
      #expect(made.status == 0, "\(made.errors)")
      let list = ["d": Data(try directory.bytes("\(index).archive"))]
      let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      try directory.write("\(index).plist", Array(bytes))
    }
    for (old, new) in [(0, 1), (1, 0), (1, 2), (2, 0)] {
      let run = try await ToolRun.shell(
        """
        cp \(old).plist c.plist; ferry diff --expand --json c.plist \(new).plist > p.json; echo $?
        ferry patch c.plist p.json && ferry diff --expand c.plist \(new).plist
        """)
      #expect(run.output == "1\n" && run.status == 0 && run.errors == "", "\(old) \(new): \(run)")
    }
  }
}
