import TestSupport
import Testing

/// A text format with comments.
private struct CommentFormat: CustomTestStringConvertible, Sendable {
  let name: String
  /// The beginning and the end of a document.
  let (begin, end): (String, String)
  /// Returns the lines of an entry with a comment on a line of its own and one on the line of the entry.
  let entry: @Sendable (_ key: String, _ value: Int, _ above: String?, _ beside: String?) -> String
  /// Returns a comment.
  let comment: @Sendable (String) -> String

  var testDescription: String { name }

  func document(_ entries: (key: String, value: Int, above: String?, beside: String?)...) -> String {
    begin + entries.map { entry($0.key, $0.value, $0.above, $0.beside) }.joined() + end
  }

  /// Returns a document with comments of its first entry.
  func text(above: String? = nil, beside: String? = nil, value: Int = 1) -> String {
    document(("a", value, above, beside), ("b", 2, nil, nil), ("c", 3, nil, nil))
  }

  private init(
    _ name: String, _ begin: String = "", _ end: String = "", comment: @escaping @Sendable (String) -> String,
    line: @escaping @Sendable (_ key: String, _ value: Int, _ beside: String) -> String
  ) {
    (self.name, self.begin, self.end, self.comment) = (name, begin, end, comment)
    entry = { key, value, above, beside in
      (above.map { "  \(comment($0))\n" } ?? "") + line(key, value, beside.map { " \(comment($0))" } ?? "")
    }
  }

  static let all = [
    CommentFormat("x.yaml", "all:\n", comment: { "# \($0)" }) { "  \($0): \($1)\($2)\n" },
    CommentFormat("x.json5", "{\n", "}\n", comment: { "// \($0)" }) { "  \($0): \($1),\($2)\n" },
    CommentFormat("x.jsonc", "{\n", "}\n", comment: { "/* \($0) */" }) { "  \"\($0)\": \($1),\($2)\n" },
    CommentFormat("x.strings", comment: { "/* \($0) */" }) { "  \"\($0)\" = \"\($1)\";\($2)\n" },
    CommentFormat("o.plist", "{\n", "}\n", comment: { "// \($0)" }) { "  \($0) = \"\($1)\";\($2)\n" },
    CommentFormat("x.xml", "<r>\n", "</r>\n", comment: { "<!-- \($0) -->" }) {
      "  <\($0)>\($1)</\($0)>\($2)\n"
    },
    CommentFormat(
      "x.plist", "<plist version=\"1.0\">\n<dict>\n", "</dict>\n</plist>\n", comment: { "<!-- \($0) -->" }
    ) { "  <key>\($0)</key><integer>\($1)</integer>\($2)\n" },
  ]
}

@Suite(.temporaryDirectory) struct `Comments in merges` {
  /// The comments of base, ours and theirs, of which both sides changed one differently.
  private static let conflicts: [(base: String, ours: String?, theirs: String?)] = [
    ("old", "ours", "theirs"), ("old", nil, "theirs"), ("old", "ours", nil),
    ("the old one", "the new one", "an old one"),
    ("Button to save", "Action to store", "Action that keeps"),
  ]

  @Test(arguments: CommentFormat.all, conflicts)
  fileprivate func `A merge is in conflict if both sides changed one comment, or one side removed it`(
    _ format: CommentFormat, _ comments: (base: String, ours: String?, theirs: String?)
  ) async throws {
    for text in [{ format.text(above: $0) }, { format.text(beside: $0) }] as [(String?) -> String] {
      let (base, ours, theirs) = (text(comments.base), text(comments.ours), text(comments.theirs))
      let run = try await mergeVersions(of: format.name, base, ours, theirs, ["--report", "r.json"])
      #expect(run.status == 1 && run.output == "")
      #expect(run.errors.contains("o-\(format.name): conflict in the text of line "), "\(run.errors)")
      #expect(run.errors.contains("base \"\(format.comment(comments.base))\""), "\(run.errors)")
      for (side, comment) in [("ours", comments.ours), ("theirs", comments.theirs)] {
        let words = comment.map { "\"\(format.comment($0))\"" } ?? "nothing"
        #expect(run.errors.contains("\(side) \(words)"), "\(run.errors)")
      }
      #expect(!run.errors.contains("layout"))
      #expect(try directory.text("r.json").contains("\"line\": "))
      for (side, result) in [("ours", ours), ("theirs", theirs)] {
        let favored = try await mergeVersions(of: format.name, base, ours, theirs, ["--favor", side, "-q"])
        #expect(favored.status == 0)
        #expect(favored.output == result)
      }
    }
  }

  @Test(arguments: CommentFormat.all)
  fileprivate func `A merge has what one side alone did to a comment`(_ format: CommentFormat) async throws {
    func text(_ above: String?, _ beside: String?, _ value: Int = 1) -> String {
      format.text(above: above, beside: beside, value: value)
    }
    for (old, new) in [("old", "new"), (nil, "new"), ("old", nil)] as [(String?, String?)] {
      for (base, changed, other, both) in [
        (text(old, "b"), text(new, "b"), text(old, "c"), text(new, "c")),
        (text("a", old), text("a", new), text("a", old, 9), text("a", new, 9)),
      ] {
        for (ours, theirs) in [(changed, other), (other, changed)] {
          let run = try await mergeVersions(of: format.name, base, ours, theirs)
          expectQuiet(run)
          #expect(run.output == both)
        }
      }
    }
  }

  @Test(arguments: CommentFormat.all)
  fileprivate func `A merge has the comments that both sides added, ours first, and equal ones once`(
    _ format: CommentFormat
  ) async throws {
    let (ours, theirs) = (format.text(above: "ours"), format.text(above: "theirs"))
    let both = try await mergeVersions(of: format.name, format.text(), ours, theirs)
    expectQuiet(both)
    let (first, second) = ("  \(format.comment("ours"))\n", "  \(format.comment("theirs"))\n")
    #expect(both.output == theirs.replacing(second, with: first + second))
    let once = try await mergeVersions(of: format.name, format.text(), both.output, theirs)
    expectQuiet(once)
    #expect(once.output == both.output)
  }

  @Test(arguments: CommentFormat.all)
  fileprivate func `An entry inserted before another leaves the comment of the other to the other side`(
    _ format: CommentFormat
  ) async throws {
    func text(_ comment: String, inserting isInserting: Bool) -> String {
      isInserting
        ? format.document(
          ("cancel", 1, "Button to cancel", nil), ("save", 2, comment, nil), ("last", 3, nil, nil))
        : format.document(("save", 2, comment, nil), ("last", 3, nil, nil))
    }
    let (old, new) = ("Button to save", "Action that saves")
    let versions = [text(old, inserting: true), text(new, inserting: false)]
    for sides in [versions, versions.reversed()] {
      let run = try await mergeVersions(of: format.name, text(old, inserting: false), sides[0], sides[1])
      expectQuiet(run)
      #expect(run.output == text(new, inserting: true))
    }
  }

  @Test(arguments: CommentFormat.all)
  fileprivate func `A changed comment of a removed entry is a conflict`(_ format: CommentFormat) async throws
  {
    func text(_ above: String, _ beside: String) -> String {
      format.document(("a", 1, above, beside), ("b", 2, nil, nil))
    }
    let (base, removed) = (text("old", "tail"), format.document(("b", 2, nil, nil)))
    for changed in [text("new", "tail"), text("old", "new")] {
      for (ours, theirs) in [(removed, changed), (changed, removed)] {
        let run = try await mergeVersions(of: format.name, base, ours, theirs)
        #expect(run.status == 1)
        #expect(run.errors.contains("conflict in the text of line "), "\(run.errors)")
        #expect(run.errors.contains(format.comment("new")), "\(run.errors)")
      }
    }
  }

  private static let besideAdditions:
    [(name: String, base: String, ours: String, theirs: String, merged: String)] = [
      (
        "x.yaml", "a: 1\nb: 2\n", "a: 1\n# about b\nb: 3\n", "a: 1\nm: 9\nb: 2\n",
        "a: 1\nm: 9\n# about b\nb: 3\n"
      ),
      (
        "x.yaml", "b:\n  image: x:1\n  k: 2\n", "b:\n  image: x:1   # pinned\n  k: 2\n",
        "b:\n  image: x:2\n  user: me\n  k: 2\n", "b:\n  image: x:2   # pinned\n  user: me\n  k: 2\n"
      ),
      (
        "x.yaml", "- id: 1\n", "# about one\n- id: 1\n", "- id: 0\n- id: 1\n",
        "- id: 0\n# about one\n- id: 1\n"
      ),
      (
        "x.yaml", "---\n- id: 1\n---\n- id: 5\n", "---\n- id: 1\n---\n# about five\n- id: 5\n",
        "---\n- id: 1\n---\n- id: 4\n- id: 5\n", "---\n- id: 1\n---\n- id: 4\n# about five\n- id: 5\n"
      ),
      (
        "x.yaml", "- id: 1\n", "# the file\n\n- id: 1\n", "- id: 0\n- id: 1\n",
        "# the file\n\n- id: 0\n- id: 1\n"
      ),
      ("x.json5", "[1, 2]\n", "[\n// one\n1, 2]\n", "[0, 1, 2]\n", "[\n0,\n// one\n1, 2]\n"),
      ("x.yaml", "a: 1\nb: 2\n", "a: 1\nb: 2  # b\n", "a: 1\nb: 3\nm: 9\n", "a: 1\nb: 3  # b\nm: 9\n"),
      ("x.yaml", "k0: 2\nk1: 2  # c\n", "k0: 2\n# x\nk1: 3  # c\n", "k0: 5\nk1: 2\n", "k0: 5\n# x\nk1: 3\n"),
      (
        "x.strings", "\"k0\" = \"v1\";\n\"k1\" = \"v2\";\n",
        "\"k0\" = \"v1\";\n\"k1\" = \"v2\";  // about k1\n",
        "\"k0\" = \"v1\";\n\"k1\" = \"v3\";\n/* new */\n\"t9\" = \"v\";\n",
        "\"k0\" = \"v1\";\n\"k1\" = \"v3\";  // about k1\n/* new */\n\"t9\" = \"v\";\n"
      ),
      (
        "x.jsonc", "{\n  \"z\": 0,\n  \"a\": 1,\n  \"b\": 2\n}\n",
        "{\n  \"a\": 1,\n  \"b\": 2,\n  // about n\n  \"n\": 9\n}\n",
        "{\n  \"z\": 0,\n  \"a\": 1,\n  \"b\": 2  // b\n}\n",
        "{\n  \"a\": 1,\n  \"b\": 2,  // b\n  // about n\n  \"n\": 9\n}\n"
      ),
      (
        "x.xml", "<r>\n  <a>1</a>\n</r>\n", "<r>\n  <a>1</a>\n  <!-- about n -->\n  <n>9</n>\n</r>\n",
        "<r>\n  <a>1</a>  <!-- a -->\n</r>\n",
        "<r>\n  <a>1</a>  <!-- a -->\n  <!-- about n -->\n  <n>9</n>\n</r>\n"
      ),
      (
        "x.plist", "<plist version=\"1.0\">\n<dict>\n<key>a</key><true/>\n</dict>\n</plist>\n",
        "<plist version=\"1.0\">\n<dict>\n<key>a</key><true/>\n<key>n</key><true/>\n</dict>\n</plist>\n",
        "<plist version=\"1.0\">\n<dict>\n<key>a</key><true/> <!-- a -->\n</dict>\n</plist>\n",
        "<plist version=\"1.0\">\n<dict>\n<key>a</key><true/> <!-- a -->\n<key>n</key><true/>\n</dict>\n</plist>\n"
      ),
    ]

  @Test(arguments: besideAdditions)
  fileprivate func `A comment stays at its entry if the other side adds or changes entries around it`(
    _ test: (name: String, base: String, ours: String, theirs: String, merged: String)
  ) async throws {
    let run = try await mergeVersions(of: test.name, test.base, test.ours, test.theirs)
    expectQuiet(run)
    #expect(run.output == test.merged)
  }

  @Test func `A comment above the first entry of a file is a conflict if the other side removed the entry`()
    async throws
  {
    for (name, base, removed) in [
      ("x.yaml", "- id: 1\n- id: 2\n", "- id: 2\n"), ("x.yaml", "a: 1\nb: 2\n", "b: 2\n"),
    ] {
      let run = try await mergeVersions(of: name, base, removed, "# about one\n" + base)
      #expect(run.status == 1)
      #expect(run.errors.contains("conflict in the text of line 1: "), "\(run.errors)")
      #expect(run.errors.contains("theirs \"# about one\""), "\(run.errors)")
      // A comment before a blank line is that of the file.
      let kept = try await mergeVersions(of: name, base, removed, "# the file\n\n" + base)
      expectQuiet(kept)
      #expect(kept.output == "# the file\n\n" + removed)
    }
  }

  @Test func `Comments of neighbors that each side removed with their entries are merged`() async throws {
    let yaml = (1...3).map { "# \($0)\n- id: \($0)\n" }
    let merged = try await mergeVersions(of: "x.yaml", yaml.joined(), yaml[1] + yaml[2], yaml[0] + yaml[2])
    expectQuiet(merged)
    #expect(merged.output == yaml[2])
    func json(_ ids: [Int]) -> String {
      "[\n" + ids.map { "  // \($0)\n  {\"id\": \($0)}" }.joined(separator: ",\n") + "\n]\n"
    }
    for (ours, theirs) in [([1, 3], [1, 2]), ([1, 2], [1, 3])] {
      let run = try await mergeVersions(of: "x.jsonc", json([1, 2, 3]), json(ours), json(theirs))
      expectQuiet(run)
      #expect(run.output == json([1]))
    }
  }

  @Test func `A comma in a comment separates no entries`() async throws {
    try directory.write("b.json5", "{a: 1 /* x, y */, b: 2}")
    try directory.write("o.json5", "{a: 1 /* x, y */ /* c */, b: 2}")
    try directory.write("t.json5", "{a: 1 /* x, y */}")
    let run = try await ToolRun.ferry("merge", "b.json5", "o.json5", "t.json5")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "{a: 1 /* x, y */ /* c */}")
  }

  @Test func `A comment of one side is kept beside a value in whose layout the other side has added a comma`()
    async throws
  {
    try directory.write("b.json5", "{l: [1, 2]}\n")
    try directory.write("o.json5", "{l: [1, 2,]}\n")
    try directory.write("t.json5", "{l: [2, 1]} // o\n")
    for versions in [["o.json5", "t.json5"], ["t.json5", "o.json5"]] {
      let run = try await ToolRun.ferry(["merge", "b.json5"] + versions)
      #expect(run.status == 0, "\(run.errors)")
      #expect(["{l: [2, 1]} // o\n", "{l: [2, 1,]} // o\n"].contains(run.output))
    }
  }

  @Test func `A base of YAML that has only comments is an empty one`() async throws {
    let dictionaries = try await mergeVersions(of: "x.yaml", "# c\n", "# c\na: 1\n", "# c\nb: 2\n")
    expectQuiet(dictionaries)
    #expect(dictionaries.output == "# c\na: 1\nb: 2\n")
    let lists = try await mergeVersions(of: "x.yaml", "\n# c\n", "# c\n- id: 1\n", "# c\n- id: 2\n")
    expectQuiet(lists)
    #expect(lists.output == "# c\n- id: 1\n- id: 2\n")
    // A side without a document has changed nothing.
    let one = try await mergeVersions(of: "x.yaml", "# c\n", "# c\n", "# c\nb: 2\n")
    expectQuiet(one)
    #expect(one.output == "# c\nb: 2\n")
  }

  @Test func `Comments of documents that both sides change and add are kept`() async throws {
    try directory.write("b.yaml", "a: 1\n---\nb: 2\n")
    try directory.write("o.yaml", "a: 1\n---\nb: 2\n---\nc: 3 # m\n")
    try directory.write("t.yaml", "# t\na: 1\n---\nb: 9\n---\nd: 4\n")
    let run = try await ToolRun.ferry("merge", "b.yaml", "o.yaml", "t.yaml")
    expectQuiet(run)
    #expect(run.output == "# t\na: 1\n---\nb: 9\n---\nc: 3 # m\n---\nd: 4\n")
  }

  @Test func `A comment of an entry that the other side has replaced is a conflict`() async throws {
    func text(_ line: String) -> String {
      "{\n  \"k1\": \"v\",\n\(line)\n  \"k3\": \"v\"\n}\n"
    }
    let (base, commented) = (text("  \"k2\": \"v\","), text("  \"k2\": \"v\", // k2 tail"))
    let replaced = text("  \"o645\": \"v1\",")
    for (ours, theirs) in [(commented, replaced), (replaced, commented)] {
      let run = try await mergeVersions(of: "x.jsonc", base, ours, theirs)
      #expect(run.status == 1)
      #expect(run.errors.contains("// k2 tail"), "\(run.errors)")
    }
  }

  @Test func `A strings file in UTF-16 is merged by its text, and comments are whole`() async throws {
    func utf16(_ text: String) -> [UInt8] {
      [0xff, 0xfe] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    let base = "/* Ä */\n\"a\" = \"1\";\n/* B */\n\"b\" = \"2\";\n"
    let ours = base.replacing("/* Ä */", with: "/* Ö */")
    let theirs = base.replacing("/* B */", with: "/* C */")
    for (side, text) in [("b", base), ("o", ours), ("t", theirs)] {
      try directory.write("\(side).strings", utf16(text))
    }
    let run = try await ToolRun.ferry("merge", "b.strings", "o.strings", "t.strings", "-o", "m.strings")
    expectQuiet(run)
    #expect(try directory.bytes("m.strings") == utf16(ours.replacing("/* B */", with: "/* C */")))
    try directory.write("t.strings", utf16(base.replacing("/* Ä */", with: "/* Ü */")))
    expectFailure(
      try await .ferry("merge", "b.strings", "o.strings", "t.strings"),
      """
      o.strings: conflict in the text of line 1: ours "/* Ö */", theirs "/* Ü */", base "/* Ä */"
      o.strings: 1 conflict, so nothing was written (--favor ours or --favor theirs decides)
      """)
  }
}
