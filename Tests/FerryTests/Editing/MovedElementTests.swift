import TestSupport
import Testing

@testable import Ferry

@Suite struct `Elements of XML that move and change` {
  /// Returns the text after a patch, and the losses.
  private func patched(_ text: String, _ patch: String, named name: String = "a.xml") throws -> (
    text: String, losses: LossReport
  ) {
    let file = try EditableFile(Array(text.utf8), named: name)
    try file.apply(JSONPatch(Array(patch.utf8)))
    let losses = LossReport()
    return (String(decoding: try file.bytes(losses: losses), as: UTF8.self), losses)
  }

  /// The text of an operation of a patch that moves a value.
  private static func move(_ from: String, _ path: String) -> String {
    #"{"op":"move","from":"\#(from)","path":"\#(path)"}"#
  }

  private static let mixed = "<r><p>one <b>two</b> three <i>four</i> five</p><q/></r>"

  /// Texts with the operations of a patch, and the text after it.
  private static let changedInside: [(text: String, operations: [String], result: String)] = [
    (
      mixed, [move("/r/p", "/r/q/p"), #"{"op":"replace","path":"/r/q/p/b","value":"2"}"#],
      "<r><q><p>one <b>2</b> three <i>four</i> five</p></q></r>"
    ),
    (
      mixed, [move("/r/p", "/r/s"), #"{"op":"add","path":"/r/s/@x","value":"1"}"#],
      #"<r><s x="1">one <b>two</b> three <i>four</i> five</s><q/></r>"#
    ),
    (
      mixed, [move("/r/p", "/r/q/p"), move("/r/q/p/i", "/r/q/i")],
      "<r><q><p>one <b>two</b> three  five</p><i>four</i></q></r>"
    ),
    (
      mixed, [move("/r/p/b", "/r/p/c"), move("/r/p", "/r/s"), move("/r/q", "/r/s/q")],
      "<r><s>one <c>two</c> three <i>four</i><q/> five</s></r>"
    ),
    (
      mixed,
      [
        #"{"op":"copy","from":"/r/p","path":"/r/q/p"}"#, #"{"op":"replace","path":"/r/q/p/i","value":"4"}"#,
      ],
      "<r><p>one <b>two</b> three <i>four</i> five</p>"
        + "<q><p>one <b>two</b> three <i>4</i> five</p></q></r>"
    ),
    // Elements inside each other move to each other.
    (
      "<r><a>1<b>2<c>3</c>4</b>5</a><z/></r>",
      [move("/r/a/b/c", "/r/c"), move("/r/a/b", "/r/c/b"), move("/r/a", "/r/z/a")],
      "<r><z><a>15</a></z><c>3<b>24</b></c></r>"
    ),
    // Elements exchange their names.
    (
      "<r>x<a>1</a>y<b>2<i/>3</b>z</r>",
      [move("/r/a", "/r/t"), move("/r/b", "/r/a"), move("/r/t", "/r/b")],
      "<r>x<b>1</b>y<a>2<i/>3</a>z</r>"
    ),
    (
      "<r>\n  <p>\n    <!-- c -->\n    <b><![CDATA[<]]></b>\n  </p>\n  <q>\n    <a/>\n  </q>\n</r>",
      [move("/r/p", "/r/q/p"), #"{"op":"add","path":"/r/q/p/n","value":"1"}"#],
      "<r>\n  <q>\n    <a/>\n    <p>\n      <!-- c -->\n      <b><![CDATA[<]]></b>\n      <n>1</n>\n    </p>\n  </q>\n</r>"
    ),
    (
      "<r><a>1<i/>2</a>x<b>3</b></r>", [move("/r/a", "/r/c"), move("/r/b", "/r/a")],
      "<r><c>1<i/>2</c>x<a>3</a></r>"
    ),
    (
      "<r><a>1<i/>2</a>x<b><d>3</d></b></r>", [move("/r/a", "/r/c"), move("/r/b/d", "/r/a")],
      "<r><c>1<i/>2</c>x<b/><a>3</a></r>"
    ),
    // An element that becomes one of a list stays where it is only if the list is together, and in order.
    (
      "<r><c>1</c><c>2</c><a/><b>3</b></r>", [move("/r/b", "/r/c/-")], "<r><c>1</c><c>2</c><c>3</c><a/></r>"
    ),
    (
      "<r><c>1</c><c>2</c><b>3</b><a/></r>", [move("/r/b", "/r/c/2")], "<r><c>1</c><c>2</c><c>3</c><a/></r>"
    ),
    (
      "<r><x>s <b>1</b>t <b>2</b> u <c>3</c>v</x></r>",
      [move("/r/x/c", "/r/x/b/1"), move("/r/x", "/r/y")],
      "<r><y>s <b>1</b><b>3</b>t <b>2</b> u v</y></r>"
    ),
    // An empty tag gets contents and another name, and a text another one.
    (
      "<r><a x='1'/><b/></r>", [#"{"op":"add","path":"/r/a/n","value":"1"}"#, move("/r/a", "/r/c")],
      "<r><c x='1'><n>1</n></c><b/></r>"
    ),
    (
      "<r><a x='1'/><b/></r>", [#"{"op":"add","path":"/r/a/n","value":"1"}"#, move("/r/a", "/r/b/c")],
      "<r><b><c x='1'><n>1</n></c></b></r>"
    ),
    (
      "<r>one <a>1</a> two</r>", [#"{"op":"replace","path":"/r/a","value":"2"}"#, move("/r/a", "/r/c")],
      "<r>one <c>2</c> two</r>"
    ),
    (
      "<r><b>one<!-- c --></b><q/></r>",
      [move("/r/b", "/r/q/b"), #"{"op":"add","path":"/r/q/b/@x","value":"1"}"#],
      #"<r><q><b x="1">one<!-- c --></b></q></r>"#
    ),
  ]

  @Test(arguments: changedInside.indices)
  func `An element that moves keeps the order of its contents if something in it changes, too`(
    _ index: Int
  ) throws {
    let (text, operations, result) = Self.changedInside[index]
    let edited = try patched(text, "[\(operations.joined(separator: ","))]")
    #expect(edited.text == result)
    #expect(edited.losses.all.counts.isEmpty)
  }

  @Test func `A comment in an element that a patch moves and then removes is reported`() throws {
    let text = "<r><p>one <b><!-- c --><i/></b> two</p><q/></r>"
    let edited = try patched(
      text, #"[\#(Self.move("/r/p", "/r/q/p")),{"op":"remove","path":"/r/q/p/b"}]"#)
    #expect(edited.text == "<r><q><p>one  two</p></q></r>")
    #expect(edited.losses.all.counts.map(\.kind) == [.comment])
    let kept = try patched(
      text, #"[\#(Self.move("/r/p", "/r/q/p")),\#(Self.move("/r/q/p/b", "/r/b"))]"#)
    #expect(kept.text == "<r><q><p>one  two</p></q><b><!-- c --><i/></b></r>")
    #expect(kept.losses.all.counts.isEmpty)
  }

  @Test func `The only element with a name keeps the order of its contents if another one joins it`() throws {
    let text = "<r><b>one <y>1</y> two <z/> three</b></r>"
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    try file.insert(.string("N"), at: "r.b[0]")
    try file.insert(.string("M"), at: "r.b[1].y[0]")
    #expect(
      String(decoding: try file.bytes(), as: UTF8.self)
        == "<r><b>N</b><b>one <y>M</y><y>1</y> two <z/> three</b></r>")
  }

  /// Texts with two paths, and the text after the move.
  private static let renamed: [(text: String, from: String, to: String, result: String)] = [
    (
      "<p>one <b>1</b> two <b>2</b> three <b>3</b></p>", "p.b[1]", "p.c",
      "<p>one <b>1</b> two <c>2</c> three <b>3</b></p>"
    ),
    (
      "<p xmlns:x='u'>one <b>1</b> two<b/></p>", "p.b[0]", "p.x:c",
      "<p xmlns:x='u'>one <x:c>1</x:c> two<b/></p>"
    ),
    (
      "<p xmlns:x='u' b='1' d='2'><b>1</b><i/></p>", "p.b", "p.x:c",
      "<p xmlns:x='u' b='1' d='2'><x:c>1</x:c><i/></p>"
    ),
    (
      "<p xmlns:x='u' b='1' d='2'><i/></p>", "p.@b", "p.@x:b", "<p xmlns:x='u' x:b='1' d='2'><i/></p>"
    ),
    (
      "<r>\n  <b>1</b> <!-- 1 -->\n  <b>2</b> <!-- 2 -->\n  <d/>\n</r>", "r.b[0]", "r.c",
      "<r>\n  <c>1</c> <!-- 1 -->\n  <b>2</b> <!-- 2 -->\n  <d/>\n</r>"
    ),
    // An element stays where it is only if it is at its new index there.
    (
      "<r><b>1</b><c>2</c><c>3</c><b>4</b></r>", "r.b[0]", "r.c[0]",
      "<r><c>1</c><c>2</c><c>3</c><b>4</b></r>"
    ),
    (
      "<r><b>1</b><c>2</c><c>3</c><b>4</b></r>", "r.b[1]", "r.c[]", "<r><b>1</b><c>2</c><c>3</c><c>4</c></r>"
    ),
    (
      "<r><b>1</b><c>2</c><c>3</c><b>4</b></r>", "r.b[0]", "r.c[]", "<r><c>2</c><c>3</c><c>1</c><b>4</b></r>"
    ),
  ]

  @Test(arguments: renamed.indices)
  func `An element with another name in its parent stays where it is`(_ index: Int) throws {
    let (text, from, to, result) = Self.renamed[index]
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to))
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == result)
  }

  @Test func `A copy of an element from an entity is refused if its contents have an order`() throws {
    let text = #"<!DOCTYPE r [<!ENTITY e "<p>one <b/> two</p>">]><r>&e;<q/></r>"#
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    #expect(throws: FerryError.self) {
      try file.copy("r.p", to: "r.q.p")
      _ = try file.bytes()
    }
  }

  /// Texts with two paths, and the text after a move that replaces the value at the second.
  private static let replaced: [(name: String, text: String, from: String, to: String, result: String)] = [
    (
      "a.yaml", "a: 1 # A\nb: 2 # B\nc:\n  d: 3 # D\n  e: 4\n", "c.d", "b",
      "a: 1 # A\nb: 3 # D\n# B\nc:\n  e: 4\n"
    ),
    ("a.yaml", "a: 1 # A\nb: 2 # B\n", "a", "b", "b: 1 # A\n# B\n"),
    // A value without a comment leaves the other's where it is.
    ("a.yaml", "b: 2 # B\nc:\n  d: 3\n  e: 4\n", "c.d", "b", "b: 3 # B\nc:\n  e: 4\n"),
    (
      "a.jsonc", "{\n  \"b\": 2, // B\n  \"c\": {\n    \"d\": 3, // D\n    \"e\": 4\n  }\n}\n", "c.d", "b",
      "{\n  \"b\": 3, // D\n  // B\n  \"c\": {\n    \"e\": 4\n  }\n}\n"
    ),
    (
      "a.plist", "{\n  b = 2; // B\n  c = {\n    d = 3; // D\n    e = 4;\n  };\n}\n", "c.d", "b",
      "{\n  b = 3; // D\n  // B\n  c = {\n    e = 4;\n  };\n}\n"
    ),
    (
      "a.xml", "<r>\n  <a>1</a> <!-- A -->\n  <b>2</b> <!-- B -->\n</r>\n", "r.a", "r.b",
      "<r>\n  <b>1</b> <!-- A -->\n  <!-- B -->\n</r>\n"
    ),
    (
      "a.xml", "<r>\n  <b>2</b> <!-- B -->\n  <c>\n    <d>3</d>\n    <e/>\n  </c>\n</r>\n", "r.c.d", "r.b",
      "<r>\n  <b>3</b>\n  <!-- B -->\n  <c>\n    <e/>\n  </c>\n</r>\n"
    ),
  ]

  @Test(arguments: replaced.indices)
  func `The comment of a replaced value stays on the next line if the new value brings its own`(
    _ index: Int
  ) throws {
    let (name, text, from, to, result) = Self.replaced[index]
    let file = try EditableFile(Array(text.utf8), named: name)
    try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to), replacing: true)
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == result)
    #expect(losses.all.counts.isEmpty)
  }

  @Test func `The comments of values that a patch moves past each other go along with them`() throws {
    let text = "a: 1 # A\nb: 2 # B\nc:\n  d: 3 # D\n  e: 4 # E\n"
    for operations in [
      [Self.move("/a", "/c/a"), Self.move("/c/e", "/e")], [Self.move("/c/e", "/e"), Self.move("/a", "/c/a")],
    ] {
      let edited = try patched(text, "[\(operations.joined(separator: ","))]", named: "a.yaml")
      #expect(edited.text == "b: 2 # B\nc:\n  d: 3 # D\n  a: 1 # A\ne: 4 # E\n")
      #expect(edited.losses.all.counts.isEmpty)
    }
  }

  @Test func `The comment at the end of a block on one line is where the block is, and only there`() throws {
    for (text, operations, result) in [
      (
        "b:\n  a: 2 # two\nc: 3\n", [Self.move("/b", "/f"), Self.move("/c", "/z")], "f:\n  a: 2 # two\nz: 3\n"
      ),
      (
        "b:\n  a: 2 # two\nc: 3\n",
        [Self.move("/b", "/f"), #"{"op":"replace","path":"/c","value":4}"#], "c: 4\nf:\n  a: 2 # two\n"
      ),
      (
        "a: 1 # one\nb:\n  a:\n    a: 2 # two\n", [Self.move("/b/a", "/e"), Self.move("/a", "/b/d")],
        "b:\n  d: 1 # one\ne:\n  a: 2 # two\n"
      ),
    ] {
      let edited = try patched(text, "[\(operations.joined(separator: ","))]", named: "a.yaml")
      #expect(edited.text == result)
      #expect(edited.losses.all.counts.isEmpty)
    }
  }
}
