import TestSupport
import Testing

/// A document in which one side adds a comment or an instruction to a value that the other side removes.
private struct Removal: CustomTestStringConvertible, Sendable {
  let name: String
  /// Returns the document with a comment or a space in the value, or without the value, and with another value.
  let text: @Sendable (_ added: String?, _ other: Int) -> String

  var testDescription: String { name }

  static let all = [
    Removal(name: "list.plist") { added, other in
      let entry = added.map { "<key>a</key><array>\($0)<integer>1</integer></array>\n" } ?? ""
      return propertyList("\(entry)<key>c</key><integer>\(other)</integer>")
    },
    Removal(name: "text.plist") { added, other in
      let entry = added.map { "<key>a</key>\n<dict>\n<key>x</key>\($0)\n<string>y</string>\n</dict>\n" } ?? ""
      return propertyList("<key>c</key><integer>\(other)</integer>\n\(entry)<key>d</key><true/>")
    },
    Removal(name: "element.plist") { added, other in
      let element = added.map { "<dict>\($0)<key>n</key><integer>1</integer></dict>\n" } ?? ""
      return propertyList(
        "<key>l</key>\n<array>\n\(element)<dict><key>n</key><integer>2</integer></dict>\n</array>\n"
          + "<key>c</key><integer>\(other)</integer>")
    },
    Removal(name: "element.xml") { added, other in
      "<r>\(added.map { "<a>\($0)<x>1</x></a>" } ?? "")<c>\(other)</c></r>"
    },
    Removal(name: "lines.xml") { added, other in
      let element = added.map { "  <a>\n    \($0)<x>1</x>\n    <y>2</y>\n  </a>\n" } ?? ""
      return "<r>\n  <c>\(other)</c>\n\(element)  <d>3</d>\n</r>\n"
    },
    Removal(name: "first.xml") { added, other in
      let element = added.map { "\t<a>\n\t\t\($0)<c>2</c>\n\t</a>\n" } ?? ""
      return "<r>\n\(element)\t<c>\(other)</c>\n\t<d>3</d>\n</r>\n"
    },
    Removal(name: "last.xml") { added, other in
      let element = added.map { "  <a>\r\n    <x>2</x>\($0)\r\n    <y>1</y>\r\n  </a>\r\n" } ?? ""
      return "<r>\r\n  <b>2</b>\r\n  <c>\(other)</c>\r\n\(element)</r>\r\n"
    },
    Removal(name: "inside.xml") { added, other in
      let element = added.map { "<a><b><x>1</x>\($0)<c>2</c></b></a>" } ?? ""
      return "<r><s><c>\(other)</c>\(element)<d>2</d></s><c>\(other)</c></r>"
    },
    Removal(name: "records.xml") { added, other in
      func record(_ id: Int, _ count: Int, _ added: String = "") -> String {
        "  <item id=\"\(id)\">\n    <n>\(count)</n>\(added)\n    <m>4</m>\n  </item>\n"
      }
      let element = added.map { record(2, 2, $0) } ?? ""
      return "<items>\n\(record(1, other))\(element)\(record(3, other + 3))</items>\n"
    },
    Removal(name: "numbers.plist") { added, other in
      let entry = added.map { "\t<key>a</key>\n\t\($0)<dict><key>n</key><integer>2</integer></dict>\n" } ?? ""
      return propertyList(
        "\t<key>c</key>\n\t<dict><key>n</key><integer>\(other)</integer></dict>\n\(entry)"
          + "\t<key>e</key>\n\t<dict><key>n</key><integer>2</integer></dict>")
    },
    Removal(name: "people.xml") { added, other in
      func person(_ first: String, _ last: String, _ added: String = "") -> String {
        "  <person>\n    \(added)<firstName>\(first)</firstName>\n    <lastName>\(last)</lastName>\n  </person>\n"
      }
      return "<people>\n\(added.map { person("Ada", "Byron", $0) } ?? "")\(person("Grace", "Hopper\(other)"))"
        + "\(person("Alan", "Turing"))</people>\n"
    },
  ]

  static func propertyList(_ entries: String) -> String {
    "<plist version=\"1.0\">\n<dict>\n\(entries)\n</dict>\n</plist>\n"
  }
}

@Suite(.temporaryDirectory) struct `A comment in a value that the other side of a merge removes` {
  private func write(_ removal: Removal, _ added: String) throws {
    try directory.write("b-\(removal.name)", removal.text("", 1))
    try directory.write("added-\(removal.name)", removal.text(added, 1))
    try directory.write("removed-\(removal.name)", removal.text(nil, 2))
  }

  private func merged(_ removal: Removal, _ sides: [String], _ options: String...) async throws -> ToolRun {
    try await .ferry(
      ["merge", "b-\(removal.name)"] + sides.map { "\($0)-\(removal.name)" } + options)
  }

  private static let sides = [["added", "removed"], ["removed", "added"]]
  private static let additions = ["<!--note-->", "<?note?>"]

  @Test(arguments: Removal.all, additions)
  fileprivate func `A comment in a removed value is a conflict on either side`(
    _ removal: Removal, _ added: String
  ) async throws {
    try write(removal, added)
    for sides in Self.sides {
      let run = try await merged(removal, sides, "--report", "r.json")
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.contains("conflict in the text of line "), "\(run.errors)")
      #expect(run.errors.contains("1 conflict, so nothing was written"), "\(run.errors)")
      #expect(try directory.text("r.json").contains(added))
    }
  }

  @Test(arguments: Removal.all, additions)
  fileprivate func
    `A comment in a removed value is kept with the value if its side is favored, and removed otherwise`(
      _ removal: Removal, _ added: String
    ) async throws
  {
    try write(removal, added)
    for sides in Self.sides {
      for (side, name) in zip(sides, ["ours", "theirs"]) {
        let run = try await merged(removal, sides, "--favor", name, "-q")
        #expect(run.status == 0)
        #expect(run.output == removal.text(side == "added" ? added : nil, 2))
        #expect(run.errors == "\(sides[0])-\(removal.name): 1 conflict, decided for \(name)\n")
      }
    }
  }

  @Test(arguments: ["\n  ", "\n\t", "\r\n    ", ""])
  func `Only the removed values with a comment are kept if their side is favored`(_ space: String)
    async throws
  {
    func document(_ a: String?, _ b: String?, _ c: Int, _ d: Int) -> String {
      let fields = ["<c>\(c)</c>", a.map { "<a>\($0)<c>2</c></a>" }, b.map { "<b>\($0)<d>5</d></b>" }]
      let rest = ["<e><d>\(d)</d>", b.map { "<f>\($0)<d>6</d></f>" }, "</e>", "<g>2</g>"]
      return "<r>\((fields + rest).compactMap { $0 }.map { space + $0 }.joined())\n</r>\n"
    }
    try directory.write("b.xml", document("", "", 1, 4))
    try directory.write("o.xml", document("<!--note-->", "", 1, 4))
    try directory.write("t.xml", document(nil, nil, 2, 5))
    let ours = try await ToolRun.ferry("merge", "b.xml", "o.xml", "t.xml", "--favor", "ours", "-q")
    #expect(ours.output == document("<!--note-->", nil, 2, 5))
    let theirs = try await ToolRun.ferry("merge", "b.xml", "t.xml", "o.xml", "--favor", "theirs", "-q")
    #expect(theirs.output == document("<!--note-->", nil, 2, 5))
  }

  @Test(
    arguments: [("[&theirs;]", nil), (nil, nil), ("[&mine;]", "[&mine;]"), ("[&ext;]", "[&mine;]")]
      as [(String?, String?)])
  func `A changed reference to an undeclared entity is content, like the text around it`(
    theirs: String?, merged: String?
  ) async throws {
    func document(_ text: String?) -> String {
      "<!DOCTYPE r SYSTEM \"p.ent\">\n<r>\(text.map { "<j>\($0)</j>" } ?? "")<q t=\"&amp;\">a</q></r>\n"
    }
    try directory.write("b.xml", document("[&ext;]"))
    try directory.write("o.xml", document("[&mine;]"))
    try directory.write("t.xml", document(theirs))
    for (first, second, winner) in [("o.xml", "t.xml", "ours"), ("t.xml", "o.xml", "theirs")] {
      let run = try await ToolRun.ferry("merge", "b.xml", first, second, "-q")
      guard merged == nil else {
        #expect(run.output == document(merged), "\(run.errors)")
        continue
      }
      #expect(run.status == 1)
      #expect(run.errors.contains("1 conflict, so nothing was written"), "\(run.errors)")
      let favored = try await ToolRun.ferry("merge", "b.xml", first, second, "--favor", winner, "-q")
      #expect(favored.output == document("[&mine;]"), "\(favored.errors)")
    }
  }

  /// The contents of an element that one side changes and the other removes, with a place for the change.
  private static let changed = [
    "<!-- keep --><a>CHANGE</a><?pi z?>", "\n    <!-- keep -->\n    <a>CHANGE</a>\n  ",
    "<a>CHANGE</a><b><![CDATA[<&]]></b>t<c/>u", "<a> CHANGE </a>\r\n\t<b x='1'/>",
    "&#65;<a>CHANGE</a>&amp;<c></c>",
  ]

  @Test(arguments: changed, ["", " xml:space=\"preserve\""])
  func `An element that the favored side changed and the other removed keeps its text`(
    _ content: String, _ space: String
  ) async throws {
    func document(_ change: String?, _ comment: String) -> String {
      let element = change.map {
        "  <r id=\"2\"\(space)>\(content.replacing("CHANGE", with: $0))</r>\n"
      }
      return "<l>\n\(comment)  <r id=\"1\"><a>1</a></r>\n\(element ?? "")  <r id=\"3\"><a>3</a></r>\n</l>\n"
    }
    let comment = "  <!-- two -->\n"
    try directory.write("b.xml", document("2", comment))
    try directory.write("o.xml", document("zwei", comment))
    for removedComment in ["", comment] {
      try directory.write("t.xml", document(nil, removedComment))
      let expected = document("zwei", removedComment)
      let ours = try await ToolRun.ferry("merge", "b.xml", "o.xml", "t.xml", "--favor", "ours", "-q")
      #expect(ours.output == expected && ours.status == 0, "\(ours.errors)")
      let theirs = try await ToolRun.ferry("merge", "b.xml", "t.xml", "o.xml", "--favor", "theirs", "-q")
      #expect(theirs.output == expected && theirs.status == 0, "\(theirs.errors)")
      let git = try await ToolRun.shell(
        "cp o.xml g.xml; ferry merge --git=y.xml b.xml g.xml t.xml; echo $?; cat g.xml")
      #expect(git.output == "1\n\(expected)", "\(git.errors)")
    }
  }

  @Test
  func `A value of a property list that the favored side changed and the other removed keeps its comment`()
    async throws
  {
    func document(_ change: String?) -> String {
      let entry = change.map {
        "<key>a</key>\n<dict>\n<!-- keep -->\n<key>x</key>\n<string>\($0)</string>\n</dict>\n"
      }
      return Removal.propertyList("<key>c</key><integer>1</integer>\n\(entry ?? "")<key>d</key><true/>")
    }
    try directory.write("b.plist", document("2"))
    try directory.write("o.plist", document("zwei"))
    try directory.write("t.plist", document(nil))
    let ours = try await ToolRun.ferry("merge", "b.plist", "o.plist", "t.plist", "--favor", "ours", "-q")
    #expect(ours.output == document("zwei"), "\(ours.errors)")
    let theirs = try await ToolRun.ferry("merge", "b.plist", "t.plist", "o.plist", "--favor", "theirs", "-q")
    #expect(theirs.output == document("zwei"), "\(theirs.errors)")
  }

  @Test func `Comments and changes in many neighboring elements are merged without a conflict`() async throws
  {
    func document(_ added: String, _ change: Int) -> String {
      let items = (1...9).map { index in
        "  <item>\(added)<id>\(index)</id><n>\(index * change)</n><m>\(index % 2 * change)</m></item>\n"
      }
      return "<items>\n\(items.joined())</items>\n"
    }
    try directory.write("b.xml", document("", 1))
    try directory.write("o.xml", document("<!--note-->", 1))
    try directory.write("t.xml", document("", 2))
    for sides in [["o.xml", "t.xml"], ["t.xml", "o.xml"]] {
      let run = try await ToolRun.ferry(["merge", "b.xml"] + sides)
      expectQuiet(run)
      #expect(run.output == document("<!--note-->", 2))
    }
  }

  @Test(arguments: Removal.all)
  fileprivate func `A comment in a removed value is left as on our side by git's merge driver`(
    _ removal: Removal
  ) async throws {
    for sides in Self.sides {
      try write(removal, "<!--note-->")
      let run = try await merged(removal, sides, "--git", removal.name)
      #expect(run.status == 1)
      #expect(run.errors.contains("1 conflict; the file has our side"), "\(run.errors)")
      let text = try directory.text("\(sides[0])-\(removal.name)")
      #expect(text == removal.text(sides[0] == "added" ? "<!--note-->" : nil, 2))
    }
  }

  @Test(arguments: Removal.all)
  fileprivate func `White space in a removed value is not a conflict`(_ removal: Removal) async throws {
    try write(removal, "\n\t ")
    for sides in Self.sides {
      let run = try await merged(removal, sides)
      #expect(run.status == 0)
      #expect(run.output == removal.text(nil, 2))
      #expect(run.errors == "" || run.errors.contains("changes of the layout alone"), "\(run.errors)")
    }
  }

  @Test(arguments: Removal.all)
  fileprivate func `A comment of the base is removed with its value, without a conflict`(_ removal: Removal)
    async throws
  {
    try directory.write("b-\(removal.name)", removal.text("<!--old-->", 1))
    try directory.write("added-\(removal.name)", removal.text("<!--old-->", 1) + "<!--end-->\n")
    try directory.write("removed-\(removal.name)", removal.text(nil, 2))
    for sides in Self.sides {
      let run = try await merged(removal, sides)
      expectQuiet(run)
      #expect(run.output == removal.text(nil, 2) + "<!--end-->\n")
    }
  }

  @Test(arguments: [
    ("<array></array>", "<array><!--note--></array>", "<array><integer>1</integer></array>"),
    ("<dict></dict>", "<dict><!--note--></dict>", "<dict><key>a</key><true/></dict>"),
  ])
  func `A comment stays beside the first value of an empty collection`(
    _ base: String, _ added: String, _ filled: String
  ) async throws {
    for (name, text) in [("b", base), ("o", added), ("t", filled)] {
      try directory.write("\(name).plist", "<plist version=\"1.0\">\n\(text)\n</plist>\n")
    }
    for sides in [["o.plist", "t.plist"], ["t.plist", "o.plist"]] {
      let run = try await ToolRun.ferry(["merge", "b.plist"] + sides)
      expectQuiet(run)
      #expect(run.output.contains("<!--note-->"))
      #expect(run.output.contains("<integer>1</integer>") || run.output.contains("<true/>"))
    }
  }
}
