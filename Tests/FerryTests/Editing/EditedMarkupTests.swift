import TestSupport
import Testing

@testable import Ferry

/// A change of a value, with its path.
private enum TestEdit {
  case set(String, String, TextType? = nil)
  case insert(String, String)
  case remove(String)

  /// Returns the edited text, with the losses as `comment 1`.
  func edited(_ text: String) throws -> (text: String, losses: [String]) {
    let file = try EditableFile(Array(text.utf8))
    switch self {
    case .set(let path, let value, let type):
      try file.set(text: value, as: type, at: ValuePath(parsing: path))
    case .insert(let path, let value): try file.insert(text: value, at: ValuePath(parsing: path))
    case .remove(let path): try file.remove(at: ValuePath(parsing: path))
    }
    let losses = LossReport()
    let bytes = try file.bytes(losses: losses)
    return (String(decoding: bytes, as: UTF8.self), losses.counts.map { "\($0.kind) \($0.count)" })
  }
}

/// A property list before and after an edit.
private struct MarkupCase {
  let edit: TestEdit
  let old: String
  let new: String
  var losses: [String] = []

  init(_ edit: TestEdit, _ old: String, _ new: String, _ losses: [String] = []) {
    (self.edit, self.old, self.new, self.losses) = (edit, old, new, losses)
  }
}

@Suite struct `Comments in edited property lists` {
  private static let insertions = [
    MarkupCase(
      .insert("[]", "v"), "<array><!-- c --></array>", "<array><!-- c --><string>v</string></array>"),
    MarkupCase(
      .insert("k", "v"), "<dict><!-- c --></dict>", "<dict><!-- c --><key>k</key><string>v</string></dict>"),
    MarkupCase(
      .insert("k", "v"), "<dict>\n\t<!-- c -->\n</dict>",
      "<dict>\n\t<!-- c -->\n\t<key>k</key>\n\t<string>v</string>\n</dict>"),
    MarkupCase(
      .insert("[0]", "v"), "<array>\r\n  <!-- c -->\r\n  <?p q?>\r\n</array>",
      "<array>\r\n  <!-- c -->\r\n  <?p q?>\r\n  <string>v</string>\r\n</array>"),
    MarkupCase(
      .insert("a[]", "v"), "<dict><key>a</key><!-- b --><array><?p?></array><!-- c --></dict>",
      "<dict><key>a</key><!-- b --><array><?p?><string>v</string></array><!-- c --></dict>"),
    MarkupCase(
      .insert("[]", "v"), #"<array a="1"/>"#, "<array a=\"1\">\n\t<string>v</string>\n</array>"),
    MarkupCase(
      .insert("k", "v"), #"<dict a = '>' ></dict>"#,
      "<dict a = '>'>\n\t<key>k</key>\n\t<string>v</string>\n</dict>"),
    // The comment is not repeated.
    MarkupCase(
      .insert("k", "v"), "<dict><key>a</key><!-- c --><true/></dict>",
      "<dict><key>a</key><!-- c --><true/><key>k</key><string>v</string></dict>"),
  ]

  private static let removals = [
    MarkupCase(
      .remove("k"), "<dict><!-- c --><key>k</key><string>v</string></dict>", "<dict><!-- c --></dict>"),
    MarkupCase(.remove("[0]"), "<array><string>v</string><!-- c --></array>", "<array><!-- c --></array>"),
    MarkupCase(.remove("[0]"), "<array><?p?><string>v</string></array>", "<array><?p?></array>"),
    MarkupCase(
      .remove("k"),
      "<dict>\n\t<!-- b -->\n\t<key>k</key>\n\t<string>v</string> <!-- c -->\n\t<key>l</key>\n\t<true/>\n</dict>",
      "<dict>\n\t<!-- b -->\n\t<!-- c -->\n\t<key>l</key>\n\t<true/>\n</dict>"),
    MarkupCase(
      .remove("[1]"), "<array>\n\t<true/>\n\t<false/> <!-- c -->\n\t<true/>\n</array>",
      "<array>\n\t<true/>\n\t<!-- c -->\n\t<true/>\n</array>"),
    MarkupCase(.remove("[0]"), "<array>\n\t<true/>\n</array>", "<array/>"),
    MarkupCase(.remove("[0]"), #"<array a="1"><true/></array>"#, #"<array a="1"/>"#),
    // The comments inside a removed entry go with it, with a report: in its value, and between its key and its value.
    MarkupCase(
      .remove("k"), "<dict>\n\t<key>k</key>\n\t<!-- c -->\n\t<string>v</string>\n</dict>", "<dict/>",
      ["comment 1"]),
    MarkupCase(
      .remove("k"), "<dict>\n\t<key>k</key> <!-- c -->\n\t<true/>\n\t<key>b</key>\n\t<true/>\n</dict>",
      "<dict>\n\t<key>b</key>\n\t<true/>\n</dict>", ["comment 1"]),
    MarkupCase(
      .remove("k"), "<dict><key>k</key><string>v<!-- c --></string><!-- d --></dict>",
      "<dict><!-- d --></dict>", ["comment 1"]),
    MarkupCase(.remove("[0]"), "<array><array><!-- c --></array></array>", "<array/>", ["comment 1"]),
  ]

  private static let replacements = [
    MarkupCase(
      .set("[0]", "v"), #"<array><string a="1">x</string></array>"#,
      #"<array><string a="1">v</string></array>"#),
    MarkupCase(
      .set("[0]", "5"), #"<array><real  a='"' >1</real></array>"#,
      #"<array><real  a='"' >5</real></array>"#),
    MarkupCase(
      .set("[0]", "5", .integer), #"<array><string a="1"/></array>"#,
      #"<array><integer a="1">5</integer></array>"#),
    MarkupCase(.set("[0]", "false"), #"<array><true a="1"/></array>"#, #"<array><false a="1"/></array>"#),
    MarkupCase(
      .set("[0]", "v"), "<array><!-- b --><string>x<!-- c -->y</string><!-- d --></array>",
      "<array><!-- b --><string>v</string><!-- d --></array>", ["comment 1"]),
    MarkupCase(
      .set("[0]", "v"), "<array><string>x<?p?>y<!-- c --><!-- d --></string></array>",
      "<array><string>v</string></array>", ["comment 2", "processingInstruction 1"]),
    MarkupCase(
      .set("[0]", "v"), "<array><string><![CDATA[<!-- c --><?p?>]]></string></array>",
      "<array><string><![CDATA[v]]></string></array>"),
    MarkupCase(
      .set("[0]", "{}", .json),
      #"<array><array a="1"><!-- c --><string b="x=y" c = "3">=</string><true/><?p?></array></array>"#,
      #"<array><dict a="1"/></array>"#, ["comment 1", "processingInstruction 1", "attribute 2"]),
    MarkupCase(
      .set("", "[]", .json), #"<dict a="1"><!-- c --></dict>"#, #"<array a="1"/>"#, ["comment 1"]),
  ]

  @Test
  func `An edit keeps the comments, instructions and attributes beside values, and reports those inside`()
    throws
  {
    for test in Self.insertions + Self.removals + Self.replacements {
      let edited = try test.edit.edited("<plist>\(test.old)</plist>")
      #expect(edited.text == "<plist>\(test.new)</plist>", "\(test.edit) of \(test.old)")
      #expect(edited.losses == test.losses, "\(test.edit) of \(test.old)")
    }
  }

  @Test func `An edit keeps comments between any two tags, and changes the value as without them`() throws {
    let tags = [
      "<dict>", "<key>a</key>", "<array>", "<string>x</string>", "<integer>1</integer>", "</array>",
      "<key>b</key>", "<array>", "</array>", "<key>c</key>", "<dict>", "<key>d</key>", "<true/>", "</dict>",
      "</dict>",
    ]
    // A removal takes the comment between the key and the value of its entry.
    let edits: [(edit: TestEdit, removed: String?)] = [
      (.set("a[0]", "v"), nil), (.set("c.d", "false"), nil), (.insert("a[0]", "v"), nil),
      (.insert("a[1]", "v"), nil), (.insert("a[]", "5"), nil), (.insert("b[]", "v"), nil),
      (.insert("c.e", "v"), nil), (.insert("e", "v"), nil), (.remove("a[0]"), nil), (.remove("a[1]"), nil),
      (.remove("c.d"), "<?p 12?>"),
    ]
    for gap in ["", " ", "\n", "\r\n\t"] {
      let plain = "<plist>\(gap)\(tags.joined(separator: gap))\(gap)</plist>"
      let comments = tags.indices.map { $0 % 3 == 0 ? "<?p \($0)?>" : "<!-- \($0) -->" }
      for (before, after) in [("", ""), (gap, gap), (" ", gap), (gap, "")] {
        let marked = zip(comments, tags).map { "\(before)\($0)\(after)\($1)" }.joined()
        for (edit, removed) in edits {
          let edited = try edit.edited("<plist>\(marked)\(gap)</plist>")
          #expect(edited.losses == (removed == nil ? [] : ["processingInstruction 1"]))
          #expect(
            TextPieces.markup(of: Array(edited.text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
              == comments.filter { $0 != removed }, "\(edit) of \(marked)")
          #expect(
            try Edited.value(Array(edited.text.utf8), "")
              == Edited.value(Array(edit.edited(plain).text.utf8), "")
          )
        }
      }
    }
  }

  @Test func `An edit of an archive in XML keeps comments in collections that it fills and empties`() throws {
    let xml = String(
      decoding: try Conversion(to: .xmlArchive).convert(Archived.bytes(["a": [], "b": ["only here"]])).bytes,
      as: UTF8.self)
    let reference = "<key>NS.objects</key>"
    let marked = xml.replacing("only here", with: "only <!-- s -->here")
      .replacing("<array/>", with: "<array><!-- a --></array>")
      .replacing("\(reference)\n\t\t\t<array>", with: "\(reference)\n\t\t\t<array><!-- b -->")
    let comments = ["<!-- s -->", "<!-- a -->", "<!-- b -->"]
    #expect(comments.allSatisfy { marked.contains($0) })
    let filled = try TestEdit.insert("a[]", "new").edited(marked)
    #expect(comments.allSatisfy { filled.text.contains($0) })
    #expect(try Edited.value(Array(filled.text.utf8), "a") == ["new"])
    let emptied = try TestEdit.remove("b[0]").edited(marked)
    #expect(emptied.text.contains("<!-- a -->") && emptied.text.contains("<!-- b -->"))
    #expect(try Edited.value(Array(emptied.text.utf8), "b") == [])
    let changed = try TestEdit.set("b[0]", "new").edited(marked)
    #expect(changed.losses == ["comment 1"])
    #expect(try Edited.value(Array(changed.text.utf8), "b") == ["new"])
    for losses in [filled.losses, emptied.losses] { #expect(losses == []) }
  }

  @Test func `An edit inside data keeps the comments there, and reports those that are lost with their path`()
    throws
  {
    let inner = "<plist><dict><!-- c --><key>k</key><string>a<!-- d -->b</string></dict></plist>"
    let data = try #require(Value.data(Array(inner.utf8)).plainText)
    let file = try EditableFile(Array("<plist><dict><key>x</key><data>\(data)</data></dict></plist>".utf8))
    try file.set(text: "v", at: ValuePath(parsing: "x.k"))
    try file.remove(at: ValuePath(parsing: "x.k"))
    let losses = LossReport()
    let bytes = try file.bytes(losses: losses)
    #expect(
      try EditableFile(bytes).contents(at: ValuePath(parsing: "x"))
        == Array("<plist><dict><!-- c --></dict></plist>".utf8))
    #expect(losses.losses == [Loss(.comment, path: try ValuePath(parsing: "x"))])
  }

  @Test func `A patch that fails reports no losses of the operations before`() throws {
    let inner = "<plist><dict><key>k</key><string>a<!-- c -->b</string></dict></plist>"
    let data = try #require(Value.data(Array(inner.utf8)).plainText)
    let text = "<plist><dict><key>x</key><data>\(data)</data><key>y</key><integer>1</integer></dict></plist>"
    let replacement = #"{"op": "replace", "path": "/x/k", "value": "v"}"#
    for (patch, lost) in [(replacement, 1), (replacement + #", {"op": "remove", "path": "/z"}"#, 0)] {
      let file = try EditableFile(Array(text.utf8))
      let hasFailed = (try? file.apply(JSONPatch(Array("[\(patch)]".utf8)))) == nil
      #expect(hasFailed == (lost == 0))
      try file.set(text: "2", at: ValuePath(parsing: "y"))
      let losses = LossReport()
      _ = try file.bytes(losses: losses)
      #expect(losses.losses.count == lost)
    }
  }

  @Test func `A renaming reports the comments inside the names that it replaces`() throws {
    let xml = String(
      decoding: try Conversion(to: .xmlArchive).convert(Edited.archive()).bytes, as: UTF8.self)
    let marked = xml.replacing("<string>Person</string>", with: #"<string a="1">Per<!-- c -->son</string>"#)
    var renaming = ArchiveRenaming()
    renaming.classes["Person"] = "Human"
    let outcome = try renaming.apply(to: Array(marked.utf8))
    #expect(
      String(decoding: outcome.bytes, as: UTF8.self)
        == xml.replacing("<string>Person</string>", with: #"<string a="1">Human</string>"#))
    #expect(outcome.losses.counts.map(\.kind) == [.comment])
  }
}
