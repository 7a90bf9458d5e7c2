import TestSupport
import Testing

@testable import Ferry

/// Changes by path in XML without a schema, which keep everything else in the text.
@Suite struct `Changes in XML documents` {
  private static let text = """
    <?xml version="1.0"?>
    <!-- boxes -->
    <boxes xmlns:k='urn:k'>
    \t<box  id='1'>
    \t\t<pen>red</pen> <!-- first -->
    \t\t<size><![CDATA[10 < 20]]></size>
    \t\t<note k:lang="en">hi <b>there</b></note>
    \t</box>
    \t<box id="2"><pen>blue</pen><empty/><?go?></box>
    </boxes>

    """

  private func edit(
    _ bytes: [UInt8], losses: LossReport = LossReport(), _ change: (EditableFile) throws -> Void
  ) throws -> [UInt8] {
    try Edited.bytes(bytes, in: .xml, losses: losses, change)
  }

  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .xml, change)
  }

  private enum Change {
    case set(String)
    case json(String)
    case insert(String)
    case insertJSON(String)
    case remove
  }

  /// Paths, changes, and the text that is replaced, with the new text.
  private static let changes: [(path: String, change: Change, old: String, new: String)] = [
    ("boxes.box[0].pen", .set("a & b"), "red", "a &amp; b"),
    ("boxes.box[0].pen", .set(""), "<pen>red</pen>", "<pen/>"),
    ("boxes.box[0].@id", .set("it's <\n"), "'1'", "'it&apos;s &lt;&#10;'"),
    ("boxes.box[0].size", .set("5 > 3"), "10 < 20", "5 > 3"),
    ("boxes.box[0].size", .set("]]>"), "<![CDATA[10 < 20]]>", "]]&gt;"),
    ("boxes.box[0].note.@k:lang", .set("de"), "\"en\"", "\"de\""),
    ("boxes.box[0].note.#text", .set(" "), "hi ", "<![CDATA[ ]]>"),
    ("boxes.box[0].note.b", .set("x"), "there", "x"),
    ("boxes.box[1].empty", .set("full"), "<empty/>", "<empty>full</empty>"),
    ("boxes.box[1].empty", .json(#"{"@a":"b"}"#), "<empty/>", #"<empty a="b"/>"#),
    (
      "boxes.box[]", .insertJSON(#"{"@id":"3","pen":["a","b"]}"#), "</box>\n</boxes>",
      "</box>\n\t<box id=\"3\">\n\t\t<pen>a</pen>\n\t\t<pen>b</pen>\n\t</box>\n</boxes>"
    ),
    ("boxes.box[0]", .insertJSON(#"{"@id":"0"}"#), "\t<box  id", "\t<box id=\"0\"/>\n\t<box  id"),
    (
      "boxes.box[1]", .insertJSON("\"x\""), "</box>\n\t<box id=\"2\"",
      "</box>\n\t<box>x</box>\n\t<box id=\"2\""
    ),
    ("boxes.box[1].lid", .insert("yes"), "<empty/>", "<empty/><lid>yes</lid>"),
    (
      "boxes.box[0].lid", .insertJSON(#"{"k:c":"x"}"#), "</note>",
      "</note>\n\t\t<lid>\n\t\t\t<k:c>x</k:c>\n\t\t</lid>"
    ),
    ("boxes.box[0].@new", .insert("\"<"), "id='1'", "id='1' new=\"&quot;&lt;\""),
    ("boxes.@new", .insert("1"), "'urn:k'>", "'urn:k' new=\"1\">"),
    ("boxes.lid", .insert("x"), "</box>\n</boxes>", "</box>\n\t<lid>x</lid>\n</boxes>"),
    ("boxes.box[0].pen", .remove, "<pen>red</pen> ", ""),
    ("boxes.box[0].size", .remove, "\n\t\t<size><![CDATA[10 < 20]]></size>", ""),
    ("boxes.box[0].@id", .remove, "  id='1'", ""),
    ("boxes.box[0].note.#text", .remove, "hi ", ""),
    ("boxes.box[1].pen", .remove, "<pen>blue</pen>", ""),
    (
      "boxes.box[0].pen", .json(#"["a","b"]"#), "<pen>red</pen> <!-- first -->",
      "<pen>a</pen> <!-- first -->\n\t\t<pen>b</pen>"
    ),
    (
      "boxes.box[0].note", .json(#"{"@k:lang":"fr","b":"x","c":["1","2"]}"#),
      "\"en\">hi <b>there</b></note>", "\"fr\"><b>x</b><c>1</c><c>2</c></note>"
    ),
  ]

  @Test(arguments: changes.indices) func `A change replaces its part of the text only`(_ index: Int) throws {
    let (path, change, old, new) = Self.changes[index]
    #expect(Self.text.ranges(of: old).count == 1)
    let edited = try edit(Self.text) { file in
      try Self.make(change, at: path, of: file)
    }
    #expect(edited == Self.text.replacing(old, with: new))
  }

  @Test(arguments: ["5", "1.50", "1e5", "0.10", "-0", "1e400", "123456789012345678901234567890"])
  func `A number keeps its text`(_ text: String) throws {
    for type in [TextType.json, .real] {
      let edited = try edit(#"<r a="x"><b>x</b><c>1</c><c>2</c></r>"#) { file in
        for path in ["r.@a", "r.b", "r.c[1]"] {
          try file.set(text: text, as: type, at: ValuePath(parsing: path))
        }
        try file.insert(text: text, as: type, at: ValuePath(parsing: "r.d"))
      }
      #expect(edited == #"<r a="\#(text)"><b>\#(text)</b><c>1</c><c>\#(text)</c><d>\#(text)</d></r>"#)
    }
    let patched = try edit("<r><b>x</b></r>") { file in
      try file.apply(JSONPatch(Array(#"[{"op":"replace","path":"/r/b","value":[1,\#(text)]}]"#.utf8)))
    }
    #expect(patched == "<r><b>1</b><b>\(text)</b></r>")
  }

  @Test func `A scalar of a given type becomes the text of an element, whose attributes stay`() throws {
    let text = #"<r><a x="1">5</a><b x="2"/><c x="3">4</c></r>"#
    let edited = try edit(text) { file in
      try file.set(text: "6", as: .json, at: ValuePath(parsing: "r.a"))
      try file.set(text: "new", as: .string, at: ValuePath(parsing: "r.b"))
      try file.set(text: #"{"d":"8"}"#, as: .json, at: ValuePath(parsing: "r.c"))
    }
    #expect(edited == #"<r><a x="1">6</a><b x="2">new</b><c><d>8</d></c></r>"#)
    // A patch has the whole value.
    let patched = try edit(text) { file in
      try file.apply(JSONPatch(Array(#"[{"op":"replace","path":"/r/a","value":"6"}]"#.utf8)))
    }
    #expect(patched == #"<r><a>6</a><b x="2"/><c x="3">4</c></r>"#)
    for (path, hasText) in [("r.a", true), ("r.b", false)] {
      let error = #expect(throws: FerryError.self) {
        try edit(text) { try $0.set(text: "6", at: ValuePath(parsing: path)) }
      }
      #expect(error?.reason == .path(.cannotPut("a text", .attributes(hasText: hasText))), "\(path)")
    }
  }

  @Test func `An element is inserted beside the only one with its name`() throws {
    let path = try ValuePath(parsing: "a.b[1]")
    #expect(
      try edit("<a><b>x</b></a>") { try $0.insert(text: "y", at: path) } == "<a><b>x</b><b>y</b></a>")
    let text = "<a><b><c>1</c></b></a>"
    #expect(
      try edit(text) { try $0.insert(["c": "2"], at: path) }
        == "<a><b><c>1</c></b><b><c>2</c></b></a>")
    for step in ["a.b[]", "a.b[0]", "a.b[1]"] {
      let error = #expect(throws: FerryError.self) {
        try edit(text) { try $0.insert(text: "hi", at: ValuePath(parsing: step)) }
      }
      #expect(error?.reason == .path(.cannotPut("a text", .neighbor("a dictionary"))), "\(step)")
    }
  }

  @Test func `Elements that become empty, and those that are filled`() throws {
    let text = "<a>\n  <b>1</b>\n  <c/>\n</a>\n"
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: "a.b")) } == "<a>\n  <c/>\n</a>\n")
    #expect(
      try edit(text) { file in
        try file.remove(at: ValuePath(parsing: "a.b"))
        try file.remove(at: ValuePath(parsing: "a.c"))
      } == "<a/>\n")
    #expect(
      try edit("<a><!-- n -->\n <b/>\n</a>") { try $0.remove(at: ValuePath(parsing: "a.b")) }
        == "<a><!-- n --></a>")
    #expect(
      try edit(text) { file in
        try file.set(text: #"{"d":["1","2"],"e":{"@x":"y"}}"#, as: .json, at: ValuePath(parsing: "a.c"))
      } == "<a>\n  <b>1</b>\n  <c>\n    <d>1</d>\n    <d>2</d>\n    <e x=\"y\"/>\n  </c>\n</a>\n")
    let lines = text.replacing("\n", with: "\r\n")
    #expect(
      try edit(lines) { try $0.insert("2", at: ValuePath(parsing: "a.d")) }
        == "<a>\r\n  <b>1</b>\r\n  <c/>\r\n  <d>2</d>\r\n</a>\r\n")
  }

  private static let shapes: [(before: String, path: String, change: Change, after: String)] = [
    (
      "<a><b>t</b></a>", "a.b", .json(##"{"#text":"t","c":"9","@x":"1"}"##), "<a><b x=\"1\">t<c>9</c></b></a>"
    ),
    (
      "<a><p>one <i>two</i> &#233; <!-- n --> three</p><z/></a>", "a.p[]", .insertJSON(#"{"i":"q"}"#),
      "<a><p>one <i>two</i> &#233; <!-- n --> three</p><p><i>q</i></p><z/></a>"
    ),
    (
      "<a><p>one <i>two</i> three</p><z/></a>", "a",
      .json(##"{"p":{"i":"two","#text":"one  three"},"z":"1"}"##),
      "<a><p>one <i>two</i> three</p><z>1</z></a>"
    ),
    (
      "<a><d>x<!--m-->y</d> <d>z<!--n-->w</d></a>", "a.d", .json(#"["0","xy","zw"]"#),
      "<a><d>0</d><d>x<!--m-->y</d> <d>z<!--n-->w</d></a>"
    ),
    ("<a><b>t</b><c/></a>", "a.b.@x", .insert("1"), "<a><b x=\"1\">t</b><c/></a>"),
    ("<a>\n  <c/>\n</a>", "a.c.d", .insert("1"), "<a>\n  <c>\n    <d>1</d>\n  </c>\n</a>"),
    ("<a>\n</a>", "a.b", .insert("1"), "<a>\n  <b>1</b>\n</a>"),
    ("<a><c>1</c></a>", "a.c[]", .insert("2"), "<a><c>1</c><c>2</c></a>"),
    ("<a>\n <c>1</c> <!-- n -->\n</a>", "a.c[0]", .insert("0"), "<a>\n <c>0</c>\n <c>1</c> <!-- n -->\n</a>"),
    ("<a><c i='1'/></a>", "a.c[]", .insertJSON(#"{"@i":"2"}"#), "<a><c i='1'/><c i=\"2\"/></a>"),
    ("<a><b x=\"1\">t</b><c/></a>", "a.b.@x", .remove, "<a><b>t</b><c/></a>"),
    ("<a>t1<b>1</b>t2</a>", "a.b", .remove, "<a>t1t2</a>"),
    ("<a b='1'>t</a>", "a[\"#text\"]", .set(""), "<a b='1'></a>"),
    ("<a>b<!-- n -->c</a>", "a", .set("t"), "<a>t<!-- n --></a>"),
    (
      "<a>\n  <b>1</b> <!-- 1 -->\n  <b>2</b> <!-- 2 -->\n  <b>3</b> <!-- 3 -->\n</a>", "a.b",
      .json(#"["1","3"]"#),
      "<a>\n  <b>1</b> <!-- 1 -->\n  <!-- 2 -->\n  <b>3</b> <!-- 3 -->\n</a>"
    ),
    ("<a>\n  <b>1</b>\n  <b>2</b>\n</a>", "a.b", .json(#"["1"]"#), "<a>\n  <b>1</b>\n</a>"),
    (
      "<a>\n  <b>1</b>\n  <b>2</b>\n</a>", "a.b", .json(#"["0","1","2"]"#),
      "<a>\n  <b>0</b>\n  <b>1</b>\n  <b>2</b>\n</a>"
    ),
  ]

  @Test(arguments: shapes.indices) func `Elements get and lose attributes, text and siblings`(_ index: Int)
    throws
  {
    let (before, path, change, after) = Self.shapes[index]
    let edited = try edit(before) { file in try Self.make(change, at: path, of: file) }
    #expect(edited == after)
  }

  private static func make(_ change: Change, at path: String, of file: EditableFile) throws {
    let path = try ValuePath(parsing: path)
    switch change {
    case .set(let text): try file.set(text: text, at: path)
    case .json(let text): try file.set(text: text, as: .json, at: path)
    case .insert(let text): try file.insert(text: text, at: path)
    case .insertJSON(let text): try file.insert(text: text, as: .json, at: path)
    case .remove: try file.remove(at: path)
    }
  }

  @Test func `A list of one element and empty collections are reported`() throws {
    let reports: [(Change, String, Set<Loss.Kind>)] = [
      (.insertJSON("[]"), "a.d", [.emptyCollection]), (.insertJSON("{}"), "a.d", [.emptyCollection]),
      (.insertJSON(#"["x"]"#), "a.d", [.arrayOfOne]), (.json("[]"), "a.b", [.emptyCollection]),
      (.json(#"["1","2","3"]"#), "a.b", []),
      (.json(#"{"c":true,"d":null,"e":1.5}"#), "a.b[0]", [.booleanAsText, .nullAsText, .numberAsText]),
    ]
    for (change, path, kinds) in reports {
      let losses = LossReport()
      _ = try edit(Array("<a><b>1</b><b>2</b></a>".utf8), losses: losses) { file in
        try Self.make(change, at: path, of: file)
      }
      #expect(Set(losses.counts.map(\.kind)) == kinds, "\(path)")
    }
  }

  /// Changes with the number of losses of each kind.
  private static let counted: [(path: String, change: Change, losses: [Loss.Kind: Int])] = [
    (
      "a.b", .json(#"{"p":{},"q":[],"s":null,"t":1}"#),
      [.emptyCollection: 2, .nullAsText: 1, .numberAsText: 1]
    ),
    (
      "a.c", .json(#"{"p":{},"q":[],"s":null,"t":1}"#),
      [.emptyCollection: 2, .nullAsText: 1, .numberAsText: 1]
    ),
    ("a.d", .insertJSON("{}"), [.emptyCollection: 1]),
    ("a.d", .insertJSON(#"{"p":[1],"q":[]}"#), [.emptyCollection: 1, .numberAsText: 1, .arrayOfOne: 1]),
    ("a.d", .insertJSON("[{},{}]"), [.emptyCollection: 2]),
    ("a.d", .insertJSON("[true]"), [.booleanAsText: 1, .arrayOfOne: 1]),
  ]

  @Test(arguments: counted.indices) func `Each loss is counted once`(_ index: Int) throws {
    let (path, change, expected) = Self.counted[index]
    let losses = LossReport()
    _ = try edit(Array("<a><b>1</b><c><e/></c></a>".utf8), losses: losses) { file in
      try Self.make(change, at: path, of: file)
    }
    let found = Dictionary(uniqueKeysWithValues: losses.counts.map { ($0.kind, $0.count) })
    #expect(found == expected, "\(path): \(losses.counts)")
  }

  @Test func `Comments in an element that an empty list replaces are reported once`() throws {
    let losses = LossReport()
    let edited = try edit(Array("<a><b>1<!-- c --></b><c/></a>".utf8), losses: losses) { file in
      try file.set(text: "[]", as: .json, at: ValuePath(parsing: "a.b"))
    }
    #expect(String(decoding: edited, as: UTF8.self) == "<a><c/></a>")
    #expect(losses.counts.first { $0.kind == .comment }?.count == 1)
  }

  /// Documents with 50,000 elements, and patches that change many of them.
  private static let large: [(document: String, patch: String, part: String)] = {
    let numbers = 0..<50_000
    let list = "<r>\n" + numbers.map { "  <a>\($0)</a>\n" }.joined() + "</r>\n"
    let kept = numbers.filter { $0 % 2 == 1 }.map { "\"\($0)\"" }.joined(separator: ",")
    let doubled = numbers.map { "\"\($0)\",\"x\"" }.joined(separator: ",")
    let parents = "<r>" + numbers.map { "<p><a>\($0)</a></p>" }.joined() + "</r>"
    let emptied = numbers.map { #"{"op":"remove","path":"/r/p/\#($0)/a"}"# }.joined(separator: ",")
    let marked = numbers.prefix(10_000).map {
      ##"{"op":"replace","path":"/r/a/\##($0)","value":{"@k":"v","#text":"x"}}"##
    }
    let encoded = "<r>" + numbers.map { "<p><q_x003A_a>\($0)</q_x003A_a></p>" }.joined() + "</r>"
    let prefixed = numbers.prefix(10_000).map { #"{"op":"add","path":"/r/p/\#($0)/q:b","value":"x"}"# }
    return [
      (list, #"[{"op":"replace","path":"/r/a","value":[\#(kept)]}]"#, "<r>\n  <a>1</a>\n  <a>3</a>\n"),
      (list, #"[{"op":"replace","path":"/r/a","value":[\#(doubled)]}]"#, "\n  <a>x</a>\n  <a>1</a>\n"),
      (parents, "[\(emptied)]", "<r><p></p><p></p>"),
      (list, "[\(marked.joined(separator: ","))]", "<r>\n  <a k=\"v\">x</a>\n"),
      (
        encoded, "[\(prefixed.joined(separator: ","))]",
        "<r><p><q_x003A_a>0</q_x003A_a><q_x003A_b>x</q_x003A_b></p>"
      ),
    ]
  }()

  @Test(arguments: large.indices)
  func `A patch of many elements takes time in proportion to their number`(_ index: Int) throws {
    let (document, patch, part) = Self.large[index]
    let operations = try JSONPatch(Array(patch.utf8))
    // A search of the content of the parent for each element would be one of five billion elements.
    let edited = try expectProcessorTime(atMost: .seconds(15)) {
      try edit(document) { try $0.apply(operations) }
    }
    #expect(edited.contains(part), "\(edited.prefix(80))")
  }

  /// Changes inside elements in which white space is text.
  private static let preserved: [(content: String, path: String, change: Change, edited: String?)] = [
    ("\n<b>x</b>\n", "r.b", .remove, "\n\n"), ("<b>x</b>", "r.b", .remove, nil),
    ("\n<b>x</b>\n", "r.b[]", .insert("z"), "\n<b>x</b><b>z</b>\n"),
    ("\n<b>x</b>\n", "r.b[0]", .insert("z"), "\n<b>z</b><b>x</b>\n"),
    ("\n<b>x</b>\n", "r.c", .insertJSON(#"{"d":"1"}"#), "\n<b>x</b><c><d>1</d></c>\n"),
    ("\n", "r.c", .insert("z"), "\n<c>z</c>"), ("", "r.c", .insert("z"), "<c>z</c>"),
    ("\n  <b>x</b>\n", "r.b", .json(#"["1","2"]"#), "\n  <b>1</b><b>2</b>\n"),
    ("\n <b>x</b>\n <b>y</b>\n", "r.b[0]", .remove, "\n \n <b>y</b>\n"),
    ("\n <b>x</b> <!-- c -->\n", "r.b", .remove, "\n  <!-- c -->\n"),
    ("<p>\n<b>x</b>\n</p>", "r.p[\"#text\"]", .set("q"), "<p><b>x</b>q</p>"),
    ("<p>\n<b>x</b>\n</p>", "r.p[\"#text\"]", .set(" "), "<p><b>x</b> </p>"),
    ("<p>\n<b>x</b>\n</p>", "r.p[\"#text\"]", .remove, "<p><b>x</b></p>"),
  ]

  @Test(arguments: preserved.indices) func `Elements are added to and removed from white space that is text`(
    _ index: Int
  ) throws {
    let (content, path, change, expected) = Self.preserved[index]
    let edited = try edit("<r xml:space=\"preserve\">\(content)</r>") { file in
      try Self.make(change, at: path, of: file)
    }
    let empty = "<r xml:space=\"preserve\"></r>"
    #expect(edited == (expected.map { "<r xml:space=\"preserve\">\($0)</r>" } ?? empty))
  }

  /// Changes of elements with the key of an attribute or of text.
  private static let marked: [(content: String, path: String, change: Change, edited: String?)] = [
    ("<_x0040_x>1</_x0040_x>", "r[\"@x\"]", .remove, nil),
    ("<_x0040_x>1</_x0040_x>", "r[\"@x\"]", .set("2"), "<_x0040_x>2</_x0040_x>"),
    ("<_x0040_x>1</_x0040_x>", "r[\"@x\"].@y", .insert("2"), "<_x0040_x y=\"2\">1</_x0040_x>"),
    ("<_x0040_x>1</_x0040_x>", "r[\"@x\"][]", .insert("2"), "<_x0040_x>1</_x0040_x><_x0040_x>2</_x0040_x>"),
    ("<_x0040_x><c>1</c></_x0040_x>", "r[\"@x\"].c", .set("2"), "<_x0040_x><c>2</c></_x0040_x>"),
    (
      "<_x0040_x><c>1</c></_x0040_x>", "r[\"@x\"]", .json(#"{"c":"3","d":"4"}"#),
      "<_x0040_x><c>3</c><d>4</d></_x0040_x>"
    ),
    ("<_x0040_x>1</_x0040_x><_x0040_x>2</_x0040_x>", "r[\"@x\"][0]", .remove, "<_x0040_x>2</_x0040_x>"),
    ("<a/>", "r[\"@x\"]", .insertJSON(#"{"c":"1"}"#), "<a/><_x0040_x><c>1</c></_x0040_x>"),
    ("<_x0023_text>1</_x0023_text><a/>", "r[\"#text\"]", .set("2"), "<_x0023_text>2</_x0023_text><a/>"),
    ("<_x0023_text>1</_x0023_text><a/>", "r[\"#text\"]", .remove, "<a/>"),
  ]

  @Test(arguments: marked.indices) func `Elements with the key of an attribute or of text are changed`(
    _ index: Int
  ) throws {
    let (content, path, change, expected) = Self.marked[index]
    let edited = try edit("<r>\(content)</r>") { try Self.make(change, at: path, of: $0) }
    #expect(edited == (expected.map { "<r>\($0)</r>" } ?? "<r></r>"))
  }

  @Test func `Elements and attributes whose names encode a declared prefix are changed`() throws {
    let text = #"<r xmlns:a="u" a_x003A_c="1"><a_x003A_b>1</a_x003A_b><a:b>2</a:b></r>"#
    let set = try edit(text) { try $0.set(text: "3", at: ValuePath(parsing: "r.a_x003A_b")) }
    #expect(set == text.replacing("<a_x003A_b>1", with: "<a_x003A_b>3"))
    let attribute = try edit(text) { try $0.set(text: "3", at: ValuePath(parsing: "r.@a_x003A_c")) }
    #expect(attribute == text.replacing("_c=\"1\"", with: "_c=\"3\""))
    let inserted = try edit(text) { try $0.insert("3", at: ValuePath(parsing: "r.@a_x003A_d")) }
    #expect(inserted == text.replacing("_c=\"1\"", with: "_c=\"1\" a_x003A_d=\"3\""))
  }

  @Test(arguments: ["<?xml version='1.1'?>", "\u{feff}<?xml version=\"1.1\" encoding=\"UTF-8\"?>"])
  func `A document of XML 1.1 gets references for characters that its readers take for line ends`(
    _ declaration: String
  ) throws {
    let text = declaration + "\n<a b=\"1\"><c>x</c><d><![CDATA[<y>]]></d></a>"
    let (new, written) = ("p\u{85}q\u{2028}r\u{7f}s", "p&#133;q&#8232;r&#127;s")
    let changes: [(String, String, String)] = [
      ("a.c", "<c>x", "<c>" + written), ("a.@b", #""1""#, "\"" + written + "\""),
      ("a.d", "<![CDATA[<y>]]>", written),
    ]
    for (path, before, after) in changes {
      let edited = try edit(text) { try $0.set(.string(new), at: ValuePath(parsing: path)) }
      #expect(edited == text.replacing(before, with: after))
      // In XML 1.0, they are characters like others.
      let usual = text.replacing("1.1", with: "1.0")
      let raw = try edit(usual) { try $0.set(.string(new), at: ValuePath(parsing: path)) }
      #expect(raw == usual.replacing(before, with: after.replacing(written, with: new)) || path == "a.d")
      #expect(raw.contains(new))
    }
    let inserted = try edit(text) { try $0.insert(.string(new), at: ValuePath(parsing: "a.e")) }
    #expect(inserted == text.replacing("</d>", with: "</d><e>\(written)</e>"))
    let attribute = try edit(text) { try $0.insert(.string(new), at: ValuePath(parsing: "a.@e")) }
    #expect(attribute == text.replacing(#"b="1""#, with: #"b="1" e="\#(written)""#))
  }

  @Test func `A property list in XML 1.1 gets references for characters that its readers take for line ends`()
    throws
  {
    let text = """
      <?xml version="1.1"?>
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<string>x</string>
      \t<key>b</key>
      \t<string><![CDATA[<y>]]></string>
      </dict>
      </plist>

      """
    for (key, before) in [("a", ">x<"), ("b", "><![CDATA[<y>]]><")] {
      let file = try EditableFile(Array(text.utf8), named: "a.plist")
      try file.set(.string("p\u{85}q\u{2028}r"), at: ValuePath([.key(key)]))
      let edited = String(decoding: try file.bytes(losses: LossReport()), as: UTF8.self)
      #expect(edited == text.replacing(before, with: ">p&#133;q&#8232;r<"))
    }
  }

  @Test func `A value that XML cannot hold there is refused`() throws {
    let refused: [(String, String)] = [
      ("boxes", #"["a","b"]"#), ("boxes.box[0].@id", #"{"a":"b"}"#), ("boxes.box[0].pen", #""\u0001""#),
      ("boxes.box[0].note", ##"{"@k:lang":"en","b":"there","#text":{"a":"b"}}"##),
    ]
    for (path, json) in refused {
      #expect(throws: FerryError.self, "\(path)") {
        try edit(Self.text) { try $0.set(text: json, as: .json, at: ValuePath(parsing: path)) }
      }
    }
    #expect(throws: FerryError.self) {
      try edit(Self.text) { try $0.remove(at: ValuePath(parsing: "boxes")) }
    }
    #expect(throws: FerryError(.path(.exists("#text")))) {
      do throws(FerryError) {
        let file = try EditableFile(Array("<a><b>t</b></a>".utf8), named: "a.xml")
        try file.insert("u", at: ValuePath([.key("a"), .key("b"), .key("#text")]))
      } catch { throw FerryError(error.reason) }
    }
    for text in ["<a xml:space='preserve'><b>\n</b></a>", "<a><b>&#13;</b></a>"] {
      #expect(throws: FerryError.self, "\(text)") {
        try edit(text) { try $0.insert("1", at: ValuePath(parsing: "a.b.c")) }
      }
    }
    let losses = LossReport()
    _ = try edit(Array(Self.text.utf8), losses: losses) { file in
      try file.set(.integer(5), at: ValuePath(parsing: "boxes.box[1].pen"))
      try file.remove(at: ValuePath(parsing: "boxes.box[0]"))
    }
    #expect(Set(losses.counts.map(\.kind)) == [.numberAsText, .comment])
  }

  /// Documents with paths at which an element is inserted and removed again.
  @Test(arguments: [
    (
      "<r>\n  <a>1</a>\n  <b>2</b>\n  <c>3</c>\n</r>\n",
      ["r.z", "r.a[0]", "r.a[]", "r.b[0]", "r.c[0]", "r.c[]"]
    ),
    ("<r><a>1</a><b>2</b><c>3</c></r>\n", ["r.z", "r.a[0]", "r.a[]", "r.b[]", "r.c[0]", "r.c[]"]),
    ("<r> <a>1</a> <b>2</b>  <c>3</c> </r>\n", ["r.z", "r.a[0]", "r.b[0]", "r.b[]", "r.c[]"]),
    ("<r>\n\n  <a>1</a>\n\n  <b>2</b>\n\n</r>\n", ["r.z", "r.a[0]", "r.a[]", "r.b[]"]),
    ("<r>\n  <a>1</a>\n</r>\n", ["r.z", "r.a[0]", "r.a[]"]),
    ("<r><a>1</a>\n  <b>2</b></r>\n", ["r.z", "r.a[0]", "r.a[]", "r.b[0]", "r.b[]"]),
    (
      """
      <r>
        <!-- 0 -->
        <a>1</a> <!-- A -->
        <!-- B -->
        <b>2</b><!-- C -->
        <c>3</c> <!-- D -->
        <!-- E -->
      </r>

      """, ["r.z", "r.a[0]", "r.a[]", "r.b[0]", "r.b[]", "r.c[]"]
    ),
    ("<r>\r\n  <a>1</a>\r\n  <b>2</b>\r\n</r>\r\n", ["r.z", "r.a[0]", "r.b[]"]),
    ("<r>\n\t<a>1</a>\n\t<b>\n\t\t<c/>\n\t</b>\n</r>", ["r.z", "r.b.c[]", "r.b.c[0]", "r.b.d", "r.a[0]"]),
    // An element without content has one tag or two, as others in the document, and two if there are none.
    ("<r></r>\n", ["r.z"]), ("<r><a></a></r>\n", ["r.z", "r.a.z", "r.a[0]"]),
    ("<r>\n  <a k=\"1\"></a>\n  <b>1</b>\n</r>\n", ["r.a.z", "r.b[]"]),
    ("<r><a/><b/></r>\n", ["r.z", "r.a.z", "r.a[0]"]), ("<r><a/></r>\n", ["r.z", "r.a[0]"]),
    ("<r>\n  <a k=\"1\"/>\n  <b/>\n</r>\n", ["r.a.z", "r.b.z", "r.z"]),
    ("<r>\n  <a k=\"1\"></a>\n  <b></b>\n</r>\n", ["r.a.z", "r.b.z", "r.z"]),
    ("<r>\n  <a k=\"1\" />\n  <b />\n</r>\n", ["r.a.z", "r.b.z", "r.z"]),
  ])
  func `An element that is inserted and removed again leaves the bytes as they were`(
    _ document: String, _ paths: [String]
  ) throws {
    for path in paths {
      let filled = try edit(document) { try $0.insert("x", at: ValuePath(parsing: path)) }
      #expect(filled != document, "\(path)")
      let place = path.hasSuffix("[]") ? path.dropLast(2) + "[-1]" : path[...]
      let back = try edit(filled) { try $0.remove(at: ValuePath(parsing: String(place))) }
      #expect(back == document, "\(path): \(filled)")
    }
  }

  @Test func `Several elements at the beginning are removed together, and others inserted`() throws {
    let text = "<r>\n  <a>1</a>\n  <a>2</a>\n  <b>3</b>\n  <c>4</c>\n</r>\n"
    let edited = try edit(text) { file in
      try file.remove(at: ValuePath(parsing: "r.a"))
      try file.insert("5", at: ValuePath(parsing: "r.b[0]"))
      try file.remove(at: ValuePath(parsing: "r.c"))
    }
    #expect(edited == "<r>\n  <b>5</b>\n  <b>3</b>\n</r>\n")
    let filled = try edit("<r>\n  <a/>\n</r>\n") { file in
      try file.remove(at: ValuePath(parsing: "r.a"))
      try file.insert("x", at: ValuePath(parsing: "r.z"))
    }
    #expect(filled == "<r>\n  <z>x</z>\n</r>\n")
    // An insertion after a removed element is not in the text that is removed with it.
    let replaced = try edit("<r>\n  <k/>\n  <a>1</a> <!-- c\n d -->\n</r>") { file in
      try file.set(text: #"{"k":"","z":"x"}"#, as: .json, at: ValuePath(parsing: "r"))
    }
    #expect(replaced == "<r>\n  <k/>\n  <z>x</z> <!-- c\n d -->\n</r>")
  }

  @Test(
    arguments: [
      ("<a x=\"1\">\n</a>", "a.b", "<a x=\"1\">\n  <b>v</b>\n</a>"),
      ("<a xmlns:c=\"urn:c\">\n<!-- c --></a>", "a.b", "<a xmlns:c=\"urn:c\">\n<!-- c -->\n  <b>v</b>\n</a>"),
      ("<a><b x=\"1\">\n  </b></a>", "a.b.c", "<a><b x=\"1\"><c>v</c></b></a>"),
      ("<a x=\"1\" xml:space=\"preserve\"> </a>", "a.b", "<a x=\"1\" xml:space=\"preserve\"> <b>v</b></a>"),
      ("<a>\n</a>", "a.@x", "<a x=\"v\">\n</a>"), ("<a> </a>", "a.@x", "<a x=\"v\"> </a>"),
      // White space beside a comment or an instruction is layout.
      ("<r><a> <!-- k --> </a></r>", "r.a.b", "<r><a> <!-- k --><b>v</b></a></r>"),
      ("<r><a x=\"1\"> <?k?></a></r>", "r.a.b", "<r><a x=\"1\"> <?k?><b>v</b></a></r>"),
      // White space beside text is text.
      ("<r>mixed\n  <p/>\n</r>", "r.p[]", "<r>mixed\n  <p/><p>v</p>\n</r>"),
      ("<r>\n  <p/>\n  mixed\n</r>", "r.p[0]", "<r>\n  <p>v</p><p/>\n  mixed\n</r>"),
      ("<r>mixed\n  <p/>\n</r>", "r.q", "<r>mixed\n  <p/><q>v</q>\n</r>"),
    ])
  func `An inserted element is laid out beside white space, but not beside text`(
    _ document: String, _ path: String, _ expected: String
  ) throws {
    let path = try ValuePath(parsing: path)
    let edited = try edit(document) { file in try file.insert("v", at: path) }
    #expect(edited == expected)
  }

  @Test func `A new element has its text before the elements that are added after it`() throws {
    let edited = try edit("<r><x>1</x></r>") { file in
      try file.insert("2", at: ValuePath(parsing: "r.z"))
      for path in ["r.x.y", "r.z.y", "r.z.@k"] { try file.insert("3", at: ValuePath(parsing: path)) }
    }
    #expect(edited == "<r><x>1<y>3</y></x><z k=\"3\">2<y>3</y></z></r>")
  }

  @Test(arguments: [
    ("<a x=\"1\"><![CDATA[\n]]></a>", "<a x=\"1\"><![CDATA[\n]]>|</a>", "\n"),
    ("<a x=\"1\">\n &#10;</a>", "<a x=\"1\"><![CDATA[\n \n]]>|</a>", "\n \n"),
    ("<a><![CDATA[ \n]]></a>", "<a><![CDATA[ \n]]>|</a>", " \n"),
    ("<a>\n<![CDATA[\n]]></a>", "<a><![CDATA[\n\n]]>|</a>", "\n\n"),
    ("<a>&#10;</a>", "<a><![CDATA[\n]]>|</a>", "\n"), ("<a>&#32;</a>", "<a><![CDATA[ ]]>|</a>", " "),
    ("<a> </a>", "<a><![CDATA[ ]]>|</a>", " "),
  ])
  func `White space in a CDATA section or of references stays text beside an inserted element`(
    _ content: String, _ expected: String, _ text: String
  ) throws {
    let edited = try edit("<r><a/>\(content)</r>") { try $0.insert("v", at: ValuePath(parsing: "r.a[1].b")) }
    #expect(edited == "<r><a/>\(expected.replacing("|", with: "<b>v</b>"))</r>")
    let read = try EditableFile(Array(edited.utf8), named: "a.xml")
    #expect(try read.value(at: ValuePath(parsing: "r.a[1][\"#text\"]")) == .string(text))
  }

  @Test func `A child is removed from mixed content with the white space beside it as it was`() throws {
    let edited = try edit("<r><a k=\"1\">x <b>y</b> z</a></r>") {
      try $0.remove(at: ValuePath(parsing: "r.a.b"))
    }
    #expect(edited == "<r><a k=\"1\">x  z</a></r>")
  }

  /// Documents with the path of an element, and the documents without the element.
  @Test(arguments: [
    ("<p>one <b>two</b> </p>", "p.b", "<p>one </p>"), ("<p> <b>two</b> one</p>", "p.b", "<p> one</p>"),
    ("<p>one<b>two</b>\n</p>", "p.b", "<p>one</p>"),
    ("<p>one <b>two</b> <!-- c --> </p>", "p.b", "<p>one <!-- c --></p>"),
    ("<p>one <b>two</b> <b>3</b> </p>", "p.b", "<p>one </p>"),
    ("<p>one <b>two</b> <b>3</b> </p>", "p.b[1]", "<p>one <b>two</b>  </p>"),
    ("<p>one<b/>\n<c/>two</p>", "p.b", "<p>one<c/>two</p>"),
    ("<note id=\"7\">\n  <to>Ann</to>Hello\n</note>", "note.to", "<note id=\"7\">Hello\n</note>"),
    ("<note id=\"7\">Hello<to/>\n</note>", "note.to", "<note id=\"7\">Hello</note>"),
    ("<p>one<b/>\n<c/> two</p>", "p.c", "<p>one<b/> two</p>"),
    ("<p k=\"1\">one <b>two</b> </p>", "p.b", "<p k=\"1\">one </p>"),
    ("<p xml:space=\"preserve\">one <b>two</b> </p>", "p.b", "<p xml:space=\"preserve\">one  </p>"),
  ])
  func `An element is removed from text with the white space that would become text`(
    _ document: String, _ path: String, _ expected: String
  ) throws {
    #expect(try edit(document) { try $0.remove(at: ValuePath(parsing: path)) } == expected)
  }

  @Test(arguments: [
    ("<r>text\n  <c>1</c>\n  more\n</r>", "r.c", "<r>text\n  more\n</r>"),
    ("<r>text\n  <c>1</c>\n</r>", "r.c", "<r>text\n</r>"),
    ("<r>text\n<c>1</c>\nmore</r>", "r.c", "<r>text\nmore</r>"),
    ("<r>text\r\n\t<c>\r\n\t</c> \r\n\tmore</r>", "r.c", "<r>text\r\n\tmore</r>"),
    ("<r>text\n  <c/>\n  <d/>\n  more</r>", "r.c", "<r>text\n  <d/>\n  more</r>"),
    ("<r>text\n  <c/>\n  <d/>\n  more</r>", "r.d", "<r>text\n  <c/>\n  more</r>"),
    ("<r>text\n  <c/>\n  <c/>\n  more</r>", "r.c", "<r>text\n  more</r>"),
    ("<r>text\n<c/>\n<c/>\nmore</r>", "r.c", "<r>text\nmore</r>"),
    ("<r>text\n  <c/>\n  <c/>\n  <d/>\n</r>", "r.c", "<r>text\n  <d/>\n</r>"),
    ("<r>text<b/>\n  <c/>\n  more</r>", "r.c", "<r>text<b/>\n  more</r>"),
    // Nothing else is removed beside an element with other things on its line.
    ("<r>text\n  <c/> <!-- c -->\n  more</r>", "r.c", "<r>text\n   <!-- c -->\n  more</r>"),
    ("<r>text\n  <c/>more</r>", "r.c", "<r>text\n  more</r>"),
    ("<r>text <c/>\n  more</r>", "r.c", "<r>text \n  more</r>"),
    ("<r xml:space='preserve'>a\n  <c/>\n  b</r>", "r.c", "<r xml:space='preserve'>a\n  \n  b</r>"),
  ])
  func `An element that stands alone in a line of a text is removed with its line`(
    _ document: String, _ path: String, _ expected: String
  ) throws {
    #expect(try edit(document) { try $0.remove(at: ValuePath(parsing: path)) } == expected)
  }

  @Test(arguments: [
    ("<p>Say <b>Hello</b> <br/>world</p>", "p.br", "<p>Say <b>Hello</b> world</p>"),
    ("<p>Say<b/> <b/>world</p>", "p.b", "<p>Say world</p>"),
    ("<p>Say<b/> <b/>\n<b/>world</p>", "p.b", "<p>Say world</p>"),
    ("<p>Say<b/> <b>world</b></p>", "p.b[0]", "<p>Say <b>world</b></p>"),
    ("<p><b>Say</b> <b/>world</p>", "p.b[1]", "<p><b>Say</b> world</p>"),
    ("<p><b><i>Say</i></b> <c/>world</p>", "p.c", "<p><b><i>Say</i></b> world</p>"),
  ])
  func `White space that keeps words apart stays if an element beside it is removed`(
    _ document: String, _ path: String, _ expected: String
  ) throws {
    #expect(try edit(document) { try $0.remove(at: ValuePath(parsing: path)) } == expected)
  }

  @Test(arguments: ["<x/>", "<x></x>", "<x>1</x>", "<x a='1'/>", "<x a='1'>1</x>"])
  func `An element gets a text and a child in one edit, empty or not`(_ element: String) throws {
    let edited = try edit("<r>\(element)</r>") { file in
      let text = element.contains("a=") ? ##"r.x["#text"]"## : "r.x"
      try file.set("5", at: ValuePath(parsing: text), insertsMissing: true)
      try file.insert("2", at: ValuePath(parsing: "r.x.y"))
    }
    #expect(edited == "<r><x\(element.contains("a=") ? " a='1'" : "")>5<y>2</y></x></r>")
  }

  @Test func `White space that keeps words apart changes no other text and is not added to a new one`() throws
  {
    let document = "<r><p>Say<b/> <b/>world</p><q>a b</q><s>Say<b/> <b/>world</s></r>"
    let edited = try edit(document) {
      try $0.remove(at: ValuePath(parsing: "r.p.b"))
      try $0.set("a  b", at: ValuePath(parsing: "r.q"))
      try $0.remove(at: ValuePath(parsing: "r.s.b"))
      try $0.set("Good", at: ValuePath(parsing: "r.s[\"#text\"]"))
    }
    #expect(edited == "<r><p>Say world</p><q>a  b</q><s>Good</s></r>")
  }

  @Test(arguments: [
    ("<r><n>\n  <!-- to do -->\n</n></r>", "<r><n><!-- to do -->Ada</n></r>"),
    ("<r><n>\n  <?todo?>\n</n></r>", "<r><n><?todo?>Ada</n></r>"),
    ("<r><n>\n  <!-- a -->\n  Bob</n></r>", "<r><n><!-- a -->Ada</n></r>"),
    ("<r><n>Bob <!-- a --> <!-- b --></n></r>", "<r><n>Ada<!-- a --><!-- b --></n></r>"),
    ("<r><n>  </n></r>", "<r><n>Ada</n></r>"),
  ])
  func `A text beside white space and comments is set, and the comments stay`(
    _ document: String, _ expected: String
  ) throws {
    #expect(try edit(document) { try $0.set("Ada", at: ValuePath(parsing: "r.n")) } == expected)
    let empty = try edit(document) { try $0.set("", at: ValuePath(parsing: "r.n")) }
    #expect(empty == expected.replacing("Ada", with: ""))
  }

  @Test(arguments: [
    "<r><n>\n    <!-- to do -->\n  </n></r>", "<r><n> <!-- a --> <!-- b --></n></r>",
    "<r><n>\n<?go?>\n</n></r>",
    "<r><n> </n></r>", "<r xml:space='preserve'><n>\n<!-- a --></n></r>", "<r><n><!-- a --></n></r>",
    "<r><n/></r>",
  ])
  func `The first attribute of an element leaves white space and comments in it as they are`(_ text: String)
    throws
  {
    let edited = try edit(text) { try $0.insert("5", at: ValuePath(parsing: "r.n.@id")) }
    #expect(edited == text.replacing("<n", with: "<n id=\"5\""))
    #expect(try edit(edited) { try $0.remove(at: ValuePath(parsing: "r.n.@id")) } == text)
  }

  @Test func `Attributes that replace white space beside a comment leave the comment`() throws {
    let edited = try edit("<r><n> <!-- a --> </n></r>") {
      try $0.set(.dictionary(["@id": .string("5")]), at: ValuePath(parsing: "r.n"))
    }
    #expect(edited == "<r><n id=\"5\"><!-- a --></n></r>")
  }

  @Test func `A removal that would leave another value is refused as a removal`() throws {
    let text = "<!DOCTYPE p [<!ENTITY e '<b>1</b>'>]><p>one&e;</p>"
    for path in ["p.#text", "p.b"] {
      let error = #expect(throws: FerryError.self) {
        try edit(text) { try $0.remove(at: ValuePath(parsing: path)) }
      }
      #expect(
        error?.reason.description.hasPrefix("cannot remove this: ") == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: [
    ##"{"#content":["x ",{"b":"y"}]}"##, ##"[{"@id":1,"#content":[]}]"##, ##"{"c":{"#comment":"x"}}"##,
  ])
  func `Marks of contents in their order are refused in new elements`(_ json: String) throws {
    let text = "<r><a>x</a></r>"
    let error = #expect(throws: FerryError.self) {
      try edit(text) {
        try $0.insert(Value(json: Array(json.utf8), budget: Budget()), at: ValuePath(parsing: "r.z"))
      }
    }
    guard case .path(.cannotPut(_, .markup))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Any text comes back as it was given`() throws {
    let document = "<a b='1'>\n  <c>x</c>\n  <d/>\n</a>"
    for text in `Odd texts in edits`.texts {
      for step in ["c", "@b", "d", text, "@" + text] {
        let path = ValuePath([.key("a"), .key(step)])
        let isNew = step.utf8.elementsEqual(text.utf8) || step.hasPrefix("@") && step != "@b"
        let bytes = try edit(Array(document.utf8)) { file in
          if isNew { try file.insert(.string(text), at: path) } else { try file.set(.string(text), at: path) }
        }
        var options = EditableFile.Options()
        options.format = .xml
        let back = try EditableFile(bytes, options: options)
        #expect(
          try back.value(at: path) == .string(text), "\(path) \(String(decoding: bytes, as: UTF8.self))")
        guard isNew else { continue }
        try back.remove(at: path)
        #expect(try back.bytes() == Array(document.utf8), "\(path)")
      }
    }
  }

  @Test func `The document keeps its encoding`() throws {
    func wide(_ text: String) -> [UInt8] {
      ("\u{feff}" + text).utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    let text = "<a b='\u{e9}'><c>\u{1f600}</c></a>"
    #expect(
      try edit(wide(text)) { try $0.set(text: "\u{fc}", at: ValuePath(parsing: "a.c")) }
        == wide(text.replacing("\u{1f600}", with: "\u{fc}")))
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a b='".utf8) + [0xe9] + Array("'><c>x</c></a>".utf8)
    let edited = try edit(latin) { file in
      try file.set(text: "\u{fc}\u{20ac}", at: ValuePath(parsing: "a.c"))
      try file.insert("\u{e9}", at: ValuePath(parsing: "a.d"))
    }
    let new: [[UInt8]] = [
      Array("'><c>".utf8), [0xfc], Array("&#8364;</c><d>".utf8), [0xe9], Array("</d></a>".utf8),
    ]
    #expect(edited == Array(latin.dropLast(14)) + new.joined())
  }

  @Test func `Entities, built-in schemas and declarations`() throws {
    let declared =
      "<!DOCTYPE a [<!ENTITY e \"<b>x</b>\"><!ENTITY f \"&#60;\">]>\n<a><c>1</c>&e;<d>y&amp;</d></a>"
    #expect(
      try edit(declared) { try $0.set(text: "2", at: ValuePath(parsing: "a.c")) }
        == declared.replacing("<c>1", with: "<c>2"))
    #expect(throws: FerryError.self) {
      try edit(declared) { try $0.set(text: "2", at: ValuePath(parsing: "a.b")) }
    }
    let given = "<!DOCTYPE a [<!ATTLIST a b CDATA '1'>]><a/>"
    #expect(
      try edit(given) { try $0.set(text: "2", at: ValuePath(parsing: "a.@b")) }
        == given.replacing("<a/>", with: "<a b=\"2\"/>"))
    let people =
      "<people>\n  <!-- one --><person><firstName>A</firstName><lastName>B</lastName></person>\n</people>\n"
    #expect(
      try edit(people) { try $0.set(text: "C", at: ValuePath(parsing: "[0].lastName")) }
        == people.replacing("B", with: "C"))
    #expect(
      try edit(people) { try $0.insert(["firstName": "D", "lastName": "E"], at: ValuePath(parsing: "[]")) }
        .contains("<lastName>E</lastName>"))
  }

  @Test func `Random changes keep all other values, comments and attributes`() throws {
    var random = SeededGenerator(seed: 20)
    var (changed, refused) = (0, 0)
    for _ in 0..<600 {
      let text = "<!-- top -->\n" + Self.element("a", depth: 0, &random) + "\n"
      let value = try EditableFile(Array(text.utf8)).value(at: ValuePath())
      guard let (path, isList) = Self.path(in: value, &random) else { continue }
      do {
        let edited = try edit(text) { file in
          let isText: Bool
          if case .key(let key)? = path.steps.last {
            isText = "@#".contains(key.prefix(1))
          } else {
            isText = false
          }
          switch isText ? 0 : Int.random(in: 0...3, using: &random) {
          case 0: try file.set(text: #""new""#, as: .json, at: path)
          case 1: try file.remove(at: path)
          case 2 where isList: try file.insert(text: #""new""#, as: .json, at: path)
          default: try file.set(text: #"{"@x":"1","y":["2","3"]}"#, as: .json, at: path)
          }
        }
        changed += 1
        #expect(edited.hasPrefix("<!-- top -->\n<a"), "\(text) \(path)")
        #expect(edited.hasSuffix("\n"))
      } catch let error as FerryError {
        guard case .path = error.reason else { throw error }
        Issue.record("\(text) \(path): \(error)")
        refused += 1
      }
    }
    #expect(changed > 400)
    #expect(refused == 0)
  }

  private static func element(_ name: String, depth: Int, _ random: inout SeededGenerator) -> String {
    let attributes = ["", "", " i='1'", " j=\"2\" i='3'"].randomElement(using: &random) ?? ""
    let isLaidOut = Bool.random(using: &random)
    var content = ""
    if depth < 3, Bool.random(using: &random) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if isLaidOut { content += "\n" + String(repeating: " ", count: depth + 1) }
        content += element(["b", "c", "d"].randomElement(using: &random) ?? "b", depth: depth + 1, &random)
        content += ["", "", "<!-- n -->", " <!-- m -->", "<?p?>"].randomElement(using: &random) ?? ""
      }
      if isLaidOut { content += "\n" + String(repeating: " ", count: depth) }
    } else {
      content = ["", "t", "&lt;", "<![CDATA[u]]>", "v<!-- w -->"].randomElement(using: &random) ?? ""
    }
    return content.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
  }

  /// Returns the path of a random value inside the root element.
  private static func path(in value: Value, _ random: inout SeededGenerator) -> (ValuePath, isList: Bool)? {
    var steps: [ValuePath.Step] = []
    var value = value
    var isList = false
    while true {
      switch value {
      case .dictionary(let entries):
        guard let key = entries.keys.randomElement(using: &random), let text = key.plainText,
          let inner = entries[key]
        else { return nil }
        steps.append(.key(text))
        (value, isList) = (inner, false)
      case .array(let values):
        guard let index = values.indices.randomElement(using: &random) else { return nil }
        steps.append(.index(index))
        (value, isList) = (values[index], true)
      default: return steps.count > 1 ? (ValuePath(steps), isList) : nil
      }
      if steps.count > 1, Int.random(in: 0...2, using: &random) == 0 { return (ValuePath(steps), isList) }
    }
  }

  @Test func `Real documents change only where they are changed, and change back`() throws {
    var count = 0
    for file in try Corpus.files(under: "") where file.hasSuffix(".xml") || file.hasSuffix(".xcscheme") {
      let bytes = try Corpus.bytes(file)
      guard bytes.count < 1 << 16, let format = try? Format.of(bytes), format == .xml,
        let value = try? Value(reading: MemoryInput(bytes), named: "a.xml"),
        let (path, old) = Self.firstText(in: value, at: [])
      else { continue }
      let edited: [UInt8]
      do { edited = try edit(bytes) { try $0.set(text: "changed", at: path) } } catch { continue }
      count += 1
      let start = zip(bytes, edited).prefix { $0 == $1 }.count
      let end = zip(bytes.reversed(), edited.reversed()).prefix { $0 == $1 }.count
      // A comment between two parts of the text stays.
      let changed = String(decoding: bytes[start..<max(start, bytes.count - end)], as: UTF8.self)
        .replacing(/<!--.*?-->/.dotMatchesNewlines(), with: "")
      #expect(changed.utf8.count <= 6 * old.utf8.count + 100, "\(file)")
      guard old.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && !"&<>\"'".utf8.contains($0) }),
        !old.contains("  ")
      else { continue }
      let back = try edit(edited) { try $0.set(text: old, at: path) }
      if edited.count - bytes.count == 7 - old.utf8.count { #expect(back == bytes, "\(file)") }
    }
    #expect(count > 700)
  }

  private static func firstText(in value: Value, at steps: [ValuePath.Step]) -> (ValuePath, String)? {
    switch value {
    case .string(let text): return text.isEmpty || steps.isEmpty ? nil : (ValuePath(steps), text)
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let found = firstText(in: value, at: steps + [.index(index)]) { return found }
      }
    case .dictionary(let entries):
      for (key, value) in entries {
        guard let text = key.plainText, !text.hasPrefix("@xmlns"), text != "@xml:space" else { continue }
        if let found = firstText(in: value, at: steps + [.key(text)]) { return found }
      }
    default: break
    }
    return nil
  }
}
