import Foundation
import TestSupport
import Testing

/// A document in three versions: as it was, with a change of its bytes alone, and with a change of a value.
private struct Sample: CustomTestStringConvertible, Sendable {
  let name: String
  let base, layout, value: String
  /// The version that has both changes.
  let both: String

  var testDescription: String { name }

  init(_ name: String, base: String, layout: String, value: String, both: String) {
    (self.name, self.base, self.layout, self.value, self.both) = (name, base, layout, value, both)
  }

  private static func propertyList(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \(entries)
    </dict>
    </plist>

    """
  }

  private static func archive(_ comment: String, _ name: String) -> String {
    propertyList(
      """
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$objects</key><array><string>$null</string>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>3</integer></dict>\(comment)<key>name</key>
      <dict><key>CF$UID</key><integer>2</integer></dict></dict><string>\(name)</string>
      <dict><key>$classes</key><array><string>Robot</string><string>NSObject</string></array>
      <key>$classname</key><string>Robot</string></dict></array>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$version</key><integer>100000</integer>
      """)
  }

  private static func lines(_ records: String...) -> String {
    records.map { $0 + "\n" }.joined()
  }

  static let all = [
    Sample(
      "comment.xml", base: "<r><a>1</a><b>2</b></r>", layout: "<r><a>1</a><!--keep--><b>2</b></r>",
      value: "<r><a>1</a><b>3</b></r>", both: "<r><a>1</a><!--keep--><b>3</b></r>"),
    Sample(
      "instruction.xml", base: "<r><a>1</a></r>", layout: "<?keep me?><r><a>1</a></r>",
      value: "<r><a>3</a></r>", both: "<?keep me?><r><a>3</a></r>"),
    Sample(
      "lines.xml", base: "<r><a>1</a><b>2</b></r>", layout: "<r>\n  <a>1</a>\n  <b>2</b>\n</r>\n",
      value: "<r><a>1</a><b>3</b></r>", both: "<r>\n  <a>1</a>\n  <b>3</b>\n</r>\n"),
    Sample(
      "records.xml", base: "<r><a id=\"1\">x</a><a id=\"2\">y</a></r>",
      layout: "<r><a id='1'>x</a><a id=\"2\">y</a><!--end--></r>",
      value: "<r><a id=\"1\">x</a><a id=\"2\">z</a></r>",
      both: "<r><a id='1'>x</a><a id=\"2\">z</a><!--end--></r>"),
    Sample(
      "lines.json", base: #"{"a":1,"b":2}"#, layout: "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
      value: #"{"a":1,"b":3}"#,
      both: "{\n  \"a\": 1,\n  \"b\": 3\n}\n"),
    Sample(
      "order.json", base: #"{"a":1,"b":2}"#, layout: #"{"b":2,"a":1}"#, value: #"{"a":1,"b":3}"#,
      both: #"{"b":3,"a":1}"#),
    Sample(
      "order.jsonl", base: lines(#"{"id":1,"a":1,"b":2}"#, #"{"id":2}"#),
      layout: lines(#"{"b":2,"id":1,"a":1}"#, #"{"id":2}"#),
      value: lines(#"{"id":1,"a":3,"b":2}"#, #"{"id":2}"#),
      both: lines(#"{"b":2,"id":1,"a":3}"#, #"{"id":2}"#)),
    Sample(
      "added.jsonl", base: lines(#"{"a":1,"b":2}"#), layout: lines(#"{"b":2,"a":1}"#),
      value: lines(#"{"c":1}"#, #"{"a":3,"b":2}"#), both: lines(#"{"c":1}"#, #"{"b":2,"a":3}"#)),
    Sample(
      "nested.jsonl", base: lines(#"{"o":{"a":1,"b":[{"x":1,"y":2}]}}"#),
      layout: lines(#"{"o":{"b":[{"y":2,"x":1}],"a":1}}"#),
      value: lines(#"{"o":{"a":3,"b":[{"x":1,"y":4}]}}"#),
      both: lines(#"{"o":{"b":[{"y":4,"x":1}],"a":3}}"#)),
    Sample(
      "order.plist", base: propertyList("<key>a</key><integer>1</integer>\n<key>b</key><integer>2</integer>"),
      layout: propertyList("<key>b</key><integer>2</integer>\n<key>a</key><integer>1</integer>"),
      value: propertyList("<key>a</key><integer>3</integer>\n<key>b</key><integer>2</integer>"),
      both: propertyList("<key>b</key><integer>2</integer>\n<key>a</key><integer>3</integer>")),
    Sample(
      "attributes.xml", base: #"<r><p id="1" a="1" b="2"/><p id="2"/></r>"#,
      layout: #"<r><p b="2" a="1" id="1"/><p id="2"/></r>"#,
      value: #"<r><p id="1" a="3" b="2"/><p id="2"/></r>"#,
      both: #"<r><p b="2" a="3" id="1"/><p id="2"/></r>"#),
    Sample(
      "elements.xml", base: "<r><a>1</a><b>2</b></r>", layout: "<r><b>2</b><a>1</a></r>",
      value: "<r><a>3</a><b>2</b></r>", both: "<r><b>2</b><a>3</a></r>"),
    Sample(
      "twice.json", base: #"{"a":1,"b":2}"#, layout: #"{"a":1,"a":1,"b":2}"#, value: #"{"a":1,"b":3}"#,
      both: #"{"a":1,"a":1,"b":3}"#),
    Sample(
      "spelling.json", base: #"{"a":"é","b":2}"#, layout: #"{"a":"\u00e9","b":2}"#,
      value: #"{"a":"é","b":3}"#,
      both: #"{"a":"\u00e9","b":3}"#),
    Sample(
      "spaces.jsonl", base: "{\"a\":1}\n{\"a\":2}\n", layout: "{\"a\": 1}\n{\"a\":2}\n",
      value: "{\"a\":1}\n{\"a\":3}\n", both: "{\"a\": 1}\n{\"a\":3}\n"),
    Sample(
      "comment.plist", base: propertyList("<key>a</key><integer>1</integer>"),
      layout: propertyList("<!-- keep --><key>a</key><integer>1</integer>"),
      value: propertyList("<key>a</key><integer>3</integer>"),
      both: propertyList("<!-- keep --><key>a</key><integer>3</integer>")),
    Sample(
      "comment.keyed", base: archive("", "R"), layout: archive("<!-- keep -->", "R"), value: archive("", "S"),
      both: archive("<!-- keep -->", "S")),
  ]
}

@Suite(.temporaryDirectory) struct `Layout in merges` {
  @Test(arguments: Sample.all)
  fileprivate func `A merge keeps the layout of the only side with values unchanged, whichever it is`(
    _ sample: Sample
  ) async throws {
    let (base, layout) = (sample.base, sample.layout)
    for (ours, theirs) in [(layout, base), (base, layout), (layout, layout)] {
      let run = try await mergeVersions(of: sample.name, base, ours, theirs)
      expectQuiet(run)
      #expect(run.output == layout)
    }
  }

  @Test(arguments: Sample.all)
  fileprivate func `A merge keeps the layout of one side beside the values of the other side`(
    _ sample: Sample
  ) async throws {
    for (ours, theirs) in [(sample.layout, sample.value), (sample.value, sample.layout)] {
      let run = try await mergeVersions(of: sample.name, sample.base, ours, theirs)
      expectQuiet(run)
      #expect(run.output == sample.both)
    }
  }

  @Test(arguments: ["plist-binary", "archive"])
  func `A merge keeps the order of a side's keys in binary files`(_ format: String) async throws {
    try directory.write("b.json", #"{"a":1,"b":"x"}"#)
    try directory.write("order.json", #"{"b":"x","a":1}"#)
    try directory.write("value.json", #"{"a":1,"b":"y"}"#)
    let run = try await ToolRun.shell(
      """
      for n in b order value; do ferry convert $n.json --to \(format) -o $n.bin || exit 2; done
      cmp -s b.bin order.bin && exit 3
      ferry merge b.bin order.bin b.bin | cmp - order.bin || exit 4
      ferry merge b.bin b.bin order.bin | cmp - order.bin || exit 5
      ferry merge b.bin order.bin value.bin -o both.bin && ferry convert both.bin --to json || exit 6
      ferry merge b.bin value.bin order.bin -o swapped.bin && ferry convert swapped.bin --to json
      """)
    expectQuiet(run)
    #expect(run.output == "{\"b\":\"y\",\"a\":1}\n{\"b\":\"y\",\"a\":1}\n")
  }

  @Test func `A merge keeps the layout of one side in packages`() async throws {
    let run = try await ToolRun.shell(
      """
      for n in B O T; do mkdir $n.mystuff; done
      echo '[{"name":"R","n":1}]' | ferry convert --schema none --to archive-xml > B.mystuff/things.data
      sed 's|<string>R</string>|<!-- keep --><string>R</string>|' B.mystuff/things.data > O.mystuff/things.data
      cp B.mystuff/things.data T.mystuff
      cmp -s B.mystuff/things.data O.mystuff/things.data && exit 2
      ferry merge B.mystuff O.mystuff T.mystuff -o 1.mystuff || exit 3
      ferry merge B.mystuff T.mystuff O.mystuff -o 2.mystuff || exit 4
      cmp O.mystuff/things.data 1.mystuff/things.data && cmp O.mystuff/things.data 2.mystuff/things.data
      """)
    expectQuiet(run)
  }

  @Test func `A merge combines the layouts of both sides`() async throws {
    let run = try await mergeVersions(
      of: "a.xml", "<r><a>1</a><b>2</b></r>", "<r><!--ours--><a>1</a><b>2</b></r>",
      "<r><a>1</a><b>2</b><!--theirs--></r>")
    expectQuiet(run)
    #expect(run.output == "<r><!--ours--><a>1</a><b>2</b><!--theirs--></r>")
  }

  @Test func `A merge is in conflict if both sides changed the same comment`() async throws {
    func text(_ comment: String) -> String { "<r>\n<!--\(comment)-->\n<a>1</a></r>" }
    expectFailure(
      try await mergeVersions(of: "a.xml", text("b"), text("o"), text("t"), ["--report", "r.json"]),
      """
      o-a.xml: conflict in the text of line 2: ours "<!--o-->", theirs "<!--t-->", base "<!--b-->"
      o-a.xml: 1 conflict, so nothing was written (--favor ours or --favor theirs decides)
      """)
    #expect(try directory.text("r.json").contains(#""theirs": "<!--t-->""#))
    let favored = try await mergeVersions(
      of: "a.xml", text("b"), text("o"), text("t"), ["--favor", "theirs", "-q"])
    #expect(favored.status == 0)
    #expect(favored.output == text("t"))
  }

  @Test(arguments: [
    ("[1,2]", "[1, 2]", "[1,  2]", "[1, 2]"), ("[1,2]", "[ 1,2]", "[\t1,3]", "[ 1,3]"),
  ])
  func `A merge says that a layout is lost if both sides changed it`(
    _ base: String, _ ours: String, _ theirs: String, _ result: String
  ) async throws {
    let run = try await mergeVersions(of: "a.json", base, ours, theirs)
    #expect(run.status == 0)
    #expect(run.output == result)
    #expect(
      run.errors
        == "o-a.json: not exact: changes of the layout alone (white space, order and repetition of keys) are left out (1)\n"
    )
  }

  @Test(arguments: [
    ("a.json", #"{"a":1,"b":2,"c":3}"#, #"{"b":2,"a":1,"c":3}"#, #"{"c":3,"b":2,"a":1}"#),
    ("a.jsonl", #"{"a":1,"b":2,"c":3}"#, #"{"b":2,"a":1,"c":3}"#, #"{"c":3,"b":2,"a":1}"#),
    ("a.xml", #"<r a="1" b="2" c="3"/>"#, #"<r b="2" a="1" c="3"/>"#, #"<r c="3" b="2" a="1"/>"#),
    (
      "a.plist", "<plist><dict><key>a</key><true/><key>b</key><true/><key>c</key><true/></dict></plist>",
      "<plist><dict><key>b</key><true/><key>a</key><true/><key>c</key><true/></dict></plist>",
      "<plist><dict><key>c</key><true/><key>b</key><true/><key>a</key><true/></dict></plist>"
    ),
  ])
  func `A merge has its order of keys if both sides changed it, and reports the other order`(
    _ name: String, _ base: String, _ ours: String, _ theirs: String
  ) async throws {
    let run = try await mergeVersions(of: name, base, ours, theirs)
    #expect(run.status == 0)
    #expect(run.output == ours)
    #expect(run.errors.contains("changes of the layout alone"))
  }

  @Test func `A merge keeps layouts as git's merge driver`() async throws {
    let run = try await ToolRun.shell(
      """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
      export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
      git --version >/dev/null 2>&1 || { echo 'no git'; exit 77; }
      mkdir r && cd r && git init -q -b main . 2>/dev/null || exit 70
      git config merge.ferry.driver 'ferry merge --git %P %O %A %B'
      printf '*.xml merge=ferry\\n' > .gitattributes
      echo '<r><a>1</a><b>2</b></r>' > x.xml; cp x.xml y.xml; git add -A && git commit -qm base || exit 71
      git checkout -qb other
      echo '<r><a>1</a><b>3</b></r>' > x.xml; echo '<r><a>1</a><!--t--><b>2</b></r>' > y.xml
      git commit -qam theirs && git checkout -q main || exit 72
      echo '<r><a>1</a><!--o--><b>2</b></r>' > x.xml; echo '<r><a>4</a><b>2</b></r>' > y.xml
      git commit -qam ours && git merge -q -m merged other >/dev/null || exit 73
      git status --short; cat x.xml y.xml
      """)
    if run.status == 77 { try Test.cancel("git is not installed here") }
    expectQuiet(run)
    #expect(run.output == "<r><a>1</a><!--o--><b>3</b></r>\n<r><a>4</a><!--t--><b>2</b></r>\n")
  }

  @Test(arguments: [
    // A key that occurs twice.
    (
      [#"{"id":1,"a":1}"#, #"{"id":2}"#], [#"{"id":1,"a":0,"a":1}"#, #"{"id":2}"#],
      [#"{"id":1,"a":1}"#, #"{"id":2,"x":1}"#], [#"{"id":1,"a":0,"a":1}"#, #"{"id":2,"x":1}"#]
    ),
    (
      [#"{"id":1,"a":1}"#, #"{"id":2}"#], [#"{"id":1,"a":1}"#, #"{"id":2,"x":1}"#],
      [#"{"id":1,"a":0,"a":1}"#, #"{"id":2}"#], [#"{"id":1,"a":0,"a":1}"#, #"{"id":2,"x":1}"#]
    ),
  ])
  func `A merge keeps keys that occur twice in JSON Lines`(
    _ base: [String], _ ours: [String], _ theirs: [String], _ merged: [String]
  ) async throws {
    for (name, lines) in [("b", base), ("o", ours), ("t", theirs)] {
      try directory.write("\(name).jsonl", lines.joined(separator: "\n") + "\n")
    }
    let run = try await ToolRun.ferry("merge", "b.jsonl", "o.jsonl", "t.jsonl", "-o", "-")
    expectQuiet(run)
    #expect(run.output == merged.joined(separator: "\n") + "\n")
  }

  /// A binary property list of `{"a": 1, "b": …}` whose outermost object is the last one, or the first.
  private func list(b: UInt8, isRootLast: Bool) -> [UInt8] {
    let first: UInt8 = isRootLast ? 0 : 1
    let root: [UInt8] = [0xd2, first, first + 1, first + 2, first + 3]
    let others: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62], [0x10, 1], [0x10, b]]
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in isRootLast ? others + [root] : [root] + others {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let end = UInt8(bytes.count)
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 5]
    return bytes + offsets + trailer + [0, 0, 0, 0, 0, 0, 0, isRootLast ? 4 : 0] + [0, 0, 0, 0, 0, 0, 0, end]
  }

  @Test func `A merge keeps the layout of a binary property list that follows no rule`() async throws {
    try directory.write("b.plist", list(b: 2, isRootLast: false))
    try directory.write("layout.plist", list(b: 2, isRootLast: true))
    try directory.write("value.plist", list(b: 9, isRootLast: false))
    for sides in [["layout.plist", "value.plist"], ["value.plist", "layout.plist"]] {
      let run = try await ToolRun.ferry(["merge", "b.plist"] + sides + ["-o", "-"])
      #expect(run.bytes == list(b: 9, isRootLast: true))
      #expect(run.errors == "")
    }
    let kept = try await ToolRun.ferry("merge", "b.plist", "layout.plist", "b.plist", "-o", "-")
    #expect(kept.bytes == list(b: 2, isRootLast: true))
    #expect(kept.errors == "")
  }

  @Test(arguments: [(true, false), (false, true)])
  func `A merge has the line ends of the side that changed them`(_ isOurs: Bool, _ isTheirs: Bool)
    async throws
  {
    let base = "/* A */\n\"a\" = \"1\";\n/* B */\n\"b\" = \"2\";\n"
    let (ours, theirs) = ("/* O */\n\"o\" = \"x\";\n", "/* T */\n\"t\" = \"y\";\n")
    func ends(_ text: String, _ isChanged: Bool) -> String {
      isChanged ? text.replacing("\n", with: "\r\n") : text
    }
    try directory.write("b.strings", base)
    try directory.write("o.strings", ends(base + ours, isOurs))
    try directory.write("t.strings", ends(base + theirs, isTheirs))
    let run = try await ToolRun.ferry("merge", "b.strings", "o.strings", "t.strings")
    expectQuiet(run)
    #expect(run.bytes == Array(ends(base + ours + theirs, true).utf8), "\(run.output)")
  }

  @Test func `A merge and a set keep the outermost object of a binary property list last`() async throws {
    try directory.write("a.plist", list(b: 2, isRootLast: true))
    expectQuiet(try await ToolRun.ferry("set", "a.plist", "b", "9"))
    #expect(try directory.bytes("a.plist") == list(b: 9, isRootLast: true))
    expectQuiet(try await ToolRun.ferry("insert", "a.plist", "c", "2.5", "--type", "real"))
    expectQuiet(try await ToolRun.ferry("remove", "a.plist", "c"))
    #expect(try directory.bytes("a.plist") == list(b: 9, isRootLast: true))
  }
}
