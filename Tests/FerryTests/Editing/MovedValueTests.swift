import TestSupport
import Testing

@testable import Ferry

@Suite struct `Moves and copies to other paths` {
  private func edited(
    _ text: String, named name: String, _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let file = try EditableFile(Array(text.utf8), named: name)
    try change(file)
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  private static let comments = """
    {
      // one
      "a": 1, // two
      "b": {"c": [2]} /* three */
    }

    """
  private static let mapping = "# top\na: 1 # one\nb:\n  c: [x, \"y\"] # two\n  d:\n"
  private static let elements = """
    <r>
      <p n="1"><b>1</b></p> <!-- x -->
      <q/>
      <p n="2" ><b>2</b></p >
    </r>

    """
  private static let propertyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>a</key> <integer>1</integer> <!-- one -->
    \t<key>b</key>
    \t<string>x</string>
    </dict>
    </plist>

    """
  private static let strings = "/* c */\n\"a\" = \"x\"; // one\n\"b\" = \"y\";\n"

  /// Texts, a path and the path that its value gets, with the part of the text that another one replaces.
  private static let renamed: [(name: String, text: String, from: String, to: String, [(String, String)])] = [
    ("a.json", #"{ "b" : 1, "c": 2 }"#, "b", "x", [(#""b""#, #""x""#)]),
    ("a.json", #"[{"b":1},{"c":2},{"b":3}]"#, "[*].b", "[*].d", [(#""b""#, #""d""#)]),
    ("a.json", #"{"1":"a","2":"b"}"#, "1", "3", [(#""1""#, #""3""#)]),
    ("a.json", #"{"b":1,"b":2}"#, "b", "x", [(#""b""#, #""x""#)]),
    ("a.jsonc", comments, "a", "x", [(#""a""#, #""x""#)]),
    ("a.jsonc", comments, "b.c", "b.d", [(#""c""#, #""d""#)]),
    ("a.jsonl", "{\"b\":1}\n{\"c\":2}\n", "[0].b", "[0].d", [(#""b""#, #""d""#)]),
    ("a.yaml", mapping, "a", "x", [("a: 1", "x: 1")]),
    ("a.yaml", mapping, "b", "x", [("b:", "x:")]),
    ("a.yaml", mapping, "b.c", "b.x", [("c:", "x:")]),
    ("a.yaml", mapping, "b.d", "b.x", [("d:", "x:")]),
    (
      "a.xml", elements, "r.p", "r.s", [("<p ", "<s "), ("</p>", "</s>"), ("</p >", "</s >")]
    ),
    ("a.xml", elements, "r.q", "r.empty", [("<q/>", "<empty/>")]),
    ("a.xml", elements, "r.p[*].@n", "r.p[*].@id", [(" n=", " id=")]),
    ("a.xml", elements, "r.p[0].b", "r.p[0].bold", [("<b>1</b>", "<bold>1</bold>")]),
    ("a.plist", propertyList, "a", "x", [("<key>a<", "<key>x<")]),
    ("a.strings", strings, "a", "x", [(#""a""#, #""x""#)]),
    ("a.csv", "name,age\nAda,36\n\"B, o\",7\n", "[*].age", "[*].years", [("age", "years")]),
  ]

  @Test(arguments: renamed.indices)
  func `A key that is renamed keeps its place, and the comments and the layout around it`(_ index: Int) throws
  {
    let (name, text, from, to, replacements) = Self.renamed[index]
    var expected = text
    for (old, new) in replacements { expected = expected.replacing(old, with: new) }
    let result = try edited(text, named: name) { file in
      try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to))
    }
    #expect(result == expected)
    let back = try edited(result, named: name) { file in
      try file.move(ValuePath(parsing: to), to: ValuePath(parsing: from))
    }
    #expect(back == text)
  }

  @Test func `A key alone in a strings file keeps its value if it gets another name`() throws {
    let text = try edited("\"a\";\n\"b\" = \"y\";\n", named: "a.strings") { try $0.move("a", to: "x") }
    let file = try EditableFile(Array(text.utf8), named: "a.strings")
    #expect(try file.value(at: "") == ["x": "a", "b": "y"])
  }

  /// Texts in JSON, a path and another one, with the text after a move and after a copy.
  private static let moved: [(text: String, from: String, to: String, moved: String, copied: String)] = [
    (#"{"a":{"b":1},"c":{}}"#, "a.b", "c.d", #"{"a":{},"c":{"d":1}}"#, #"{"a":{"b":1},"c":{"d":1}}"#),
    (#"{"a":[1,2,3]}"#, "a[0]", "a[2]", #"{"a":[2,3,1]}"#, #"{"a":[1,2,1,3]}"#),
    (#"{"a":[1,2,3]}"#, "a[-1]", "a[0]", #"{"a":[3,1,2]}"#, #"{"a":[3,1,2,3]}"#),
    (#"{"a":[1.50],"b":[]}"#, "a[0]", "b[]", #"{"a":[],"b":[1.50]}"#, #"{"a":[1.50],"b":[1.50]}"#),
    (#"{"a":[1,2]}"#, "/a/0", "/a/1", #"{"a":[2,1]}"#, #"{"a":[1,1,2]}"#),
    (
      #"[{"n":"x","v":1},{"n":"y"}]"#, "[n=x].v", "[n=y].v", #"[{"n":"x"},{"n":"y","v":1}]"#,
      #"[{"n":"x","v":1},{"n":"y","v":1}]"#
    ),
    (
      #"[{"a":1,"c":{}},{"c":{}},{"a":2,"c":{}}]"#, "[*].a", "[*].b",
      #"[{"b":1,"c":{}},{"c":{}},{"b":2,"c":{}}]"#, #"[{"a":1,"c":{},"b":1},{"c":{}},{"a":2,"c":{},"b":2}]"#
    ),
    (#"[[1,2],[3,4]]"#, "[*][0]", "[*][]", "[[2,1],[4,3]]", "[[1,2,1],[3,4,3]]"),
    // An index from the end is that of the value at its new place.
    ("[1,2,3,4]", "[0]", "[-1]", "[2,3,4,1]", "[1,2,3,4,1]"),
    ("[1,2,3,4]", "[3]", "[-1]", "[1,2,3,4]", "[1,2,3,4,4]"),
    ("[1,2,3,4]", "[-1]", "[-2]", "[1,2,4,3]", "[1,2,3,4,4]"),
    ("[1]", "[0]", "[-1]", "[1]", "[1,1]"),
  ]

  @Test(arguments: moved.indices)
  func `A value moves to another collection, and a copy stays`(_ index: Int) throws {
    let (text, from, to, moved, copied) = Self.moved[index]
    let (path, newPath) = (try ValuePath(parsing: from), try ValuePath(parsing: to))
    #expect(try edited(text, named: "a.json") { try $0.move(path, to: newPath) } == moved)
    #expect(try edited(text, named: "a.json") { try $0.copy(path, to: newPath) } == copied)
  }

  private static let people = """
    <l>
      <k id="1"><n>a</n></k>
      <k id='2'><n>b</n><!-- b --><v w='q'><![CDATA[x]]></v></k> <!-- after b -->
      <k id="3"><n>c</n><!-- c --></k>
    </l>

    """
  private static let nested = """
    <l>
      <o>
        <b>1</b>
        <!-- c --><p>
          <q/></p>
      </o>
      <h/>
    </l>
    """

  /// Texts of XML, a path and another one, with the text after a move, or after a copy.
  private static let movedElements: [(text: String, from: String, to: String, copies: Bool, String)] = [
    (
      people, "l.k[2]", "l.k[0]", false,
      """
      <l>
        <k id="3"><n>c</n><!-- c --></k>
        <k id="1"><n>a</n></k>
        <k id='2'><n>b</n><!-- b --><v w='q'><![CDATA[x]]></v></k> <!-- after b -->
      </l>

      """
    ),
    (
      "<l><o><a>1</a><b>2</b><a>3</a></o><h/></l>", "l.o", "l.o2", true,
      "<l><o><a>1</a><b>2</b><a>3</a></o><h/><o2><a>1</a><b>2</b><a>3</a></o2></l>"
    ),
    (
      "<l><m>one <i>two</i> three</m ><h/></l>", "l.m", "l.h.n", false,
      "<l><h><n>one <i>two</i> three</n ></h></l>"
    ),
    (
      nested, "l.o", "l.h.o", false,
      """
      <l>
        <h>
          <o>
            <b>1</b>
            <!-- c --><p>
              <q/></p>
          </o>
        </h>
      </l>
      """
    ),
  ]

  @Test(arguments: movedElements.indices)
  func `An element takes its text along, and the others keep theirs`(_ index: Int) throws {
    let (text, from, to, copies, result) = Self.movedElements[index]
    let (path, newPath) = (try ValuePath(parsing: from), try ValuePath(parsing: to))
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    _ = copies ? try file.copy(path, to: newPath) : try file.move(path, to: newPath)
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == result)
    #expect(losses.all.counts.isEmpty)
  }

  @Test(arguments: [("r.@xmlns", "r.@y"), ("r.@a", "r.@xmlns"), ("r.@xmlns:p", "r.b.@xmlns:p")])
  func `An attribute that declares a namespace stays where it is`(_ from: String, _ to: String) throws {
    let text = "<r xmlns='u' xmlns:p='v' a='w'><b/></r>"
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    for copies in [false, true] {
      let problem = try Edited.problem {
        let (path, newPath) = (try ValuePath(parsing: from), try ValuePath(parsing: to))
        _ = copies ? try file.copy(path, to: newPath) : try file.move(path, to: newPath)
      }
      #expect(problem.0.code == "cannot-stand")
    }
    #expect(try file.bytes() == Array(text.utf8))
  }

  private static let nestedComments = """
    {
      "a": {
        "x": 0.10, // ten
        "y": 1e2
      },
      "l": {
        "b": 1
      }
    }

    """
  private static let nestedDictionaries = """
    <plist version="1.0">
    <dict>
    \t<key>a</key>
    \t<dict>
    \t\t<!-- c -->
    \t\t<key>x</key>
    \t\t<string><![CDATA[y]]></string>
    \t</dict>
    \t<key>b</key>
    \t<dict>
    \t\t<key>c</key>
    \t\t<string>d</string>
    \t</dict>
    </dict>
    </plist>

    """

  /// Texts, a path and another one, with the text after a move, or after a copy.
  private static let movedTexts:
    [(name: String, text: String, from: String, to: String, copies: Bool, String)] = [
      (
        "a.json", #"{"a":[1.50, 2e3 ],"b":{}}"#, "a", "b.c", false, #"{"b":{"c":[1.50, 2e3 ]}}"#
      ),
      (
        "a.jsonc", nestedComments, "a", "l.c", true,
        nestedComments.replacing(
          "\"b\": 1\n",
          with: "\"b\": 1,\n    \"c\": {\n      \"x\": 0.10, // ten\n      \"y\": 1e2\n    }\n")
      ),
      (
        "a.plist", nestedDictionaries, "a", "b.e", true,
        nestedDictionaries.replacing(
          "<string>d</string>\n",
          with: """
            <string>d</string>
            \t\t<key>e</key>
            \t\t<dict>
            \t\t\t<!-- c -->
            \t\t\t<key>x</key>
            \t\t\t<string><![CDATA[y]]></string>
            \t\t</dict>

            """)
      ),
      ("a.yaml", "a: !Ref x\n", "a", "a2", true, "a: !Ref x\na2: !Ref x\n"),
      ("a.yaml", "a: &x {k: 1}\nb: *x\n", "a", "c", true, "a: &x {k: 1}\nb: *x\nc: {k: 1}\n"),
      // A copy of an alias has the text of the anchor's value.
      ("a.yaml", "a: &x 0x10\nb: *x\n", "b", "c", true, "a: &x 0x10\nb: *x\nc: 0x10\n"),
      (
        "a.yaml", "a: &x\n  k: 0x10 # k\nb: *x\nl:\n  m: 1\n", "b", "l.b", true,
        "a: &x\n  k: 0x10 # k\nb: *x\nl:\n  m: 1\n  b:\n    k: 0x10 # k\n"
      ),
      ("a.yaml", "{q: 1, ? a : 0x10, c: {x: 2}}\n", "a", "c.z", false, "{q: 1, c: {x: 2, z: 0x10}}\n"),
      (
        "a.yaml", "l:\n  - name: a # one\n    port: 0x50\n  - {name: b}\n", "l[1]", "l[0]", false,
        "l:\n  - {name: b}\n  - name: a # one\n    port: 0x50\n"
      ),
      // The space after an anchor is one before a value.
      ("a.yaml", "b: &x\nd:\n  q: 1\n", "b", "d.f", false, "d:\n  q: 1\n  f: &x\n"),
      ("a.yaml", "b: &x\nd: [1]\n", "b", "d[]", false, "d: [1, &x]\n"),
      (
        "a.yaml", "a:\n  # in\n  k: 'v' # end\nb:\n  c:\n    d: 1\n", "a", "b.c.e", false,
        "b:\n  c:\n    d: 1\n    e:\n      # in\n      k: 'v' # end\n"
      ),
    ]

  @Test(arguments: movedTexts.indices)
  func `A value takes its text along, with its comments and the notation of numbers`(_ index: Int) throws {
    let (name, text, from, to, copies, result) = Self.movedTexts[index]
    let (path, newPath) = (try ValuePath(parsing: from), try ValuePath(parsing: to))
    let file = try EditableFile(Array(text.utf8), named: name)
    _ = copies ? try file.copy(path, to: newPath) : try file.move(path, to: newPath)
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == result)
    #expect(losses.all.counts.isEmpty)
  }

  /// Texts with a path and another one, and the text after a move that replaces the value there.
  private static let replacing: [(name: String, from: String, to: String, text: String, String)] = [
    ("a.yaml", "c", "a", "a: 1\nc:\n  # only\n  d: 1 # x\n", "a:\n  # only\n  d: 1 # x\n"),
    (
      "a.xml", "r.c", "r.a", "<r><a>1</a><c x='2'><!-- c --><d/></c></r>",
      "<r><a x='2'><!-- c --><d/></a></r>"
    ),
    // The comments of the other elements stay beside them.
    ("a.yaml", "l[2]", "l[0]", "l:\n  - a\n  - b # b\n  - c\n", "l:\n  - c\n  - b # b\n"),
    (
      "a.yaml", "l[3]", "l[1]", "l:\n  - a # a\n  - b\n  - c # c\n  - d\n  - e # e\n",
      "l:\n  - a # a\n  - d\n  - c # c\n  - e # e\n"
    ),
    (
      "a.jsonc", "l[2]", "l[0]", "{\"l\": [\n  \"a\",\n  \"b\", // b\n  \"c\"\n]}\n",
      "{\"l\": [\n  \"c\",\n  \"b\" // b\n]}\n"
    ),
    (
      "a.plist", "l[2]", "l[0]", "{ l = (\n  a,\n  b, /* b */\n  c\n); }\n",
      "{ l = (\n  c,\n  b /* b */\n); }\n"
    ),
    (
      "a.xml", "r.l[2]", "r.l[0]",
      "<r>\n  <l>a</l>\n  <l>b</l> <!-- b -->\n  <l>c</l>\n</r>\n",
      "<r>\n  <l>c</l>\n  <l>b</l> <!-- b -->\n</r>\n"
    ),
    // An element also takes its text to the place of the one before it, and to that of an equal value.
    ("a.yaml", "[1]", "[0]", "- 1\n- 0x5\n", "- 0x5\n"),
    ("a.yaml", "l[1]", "l[0]", "l:\n  - 1\n  - &x 5\nb: 1\n", "l:\n  - &x 5\nb: 1\n"),
    ("a.yaml", "l[1]", "l[0]", "l:\n  - 1\n  - &x\nb: 1\n", "l:\n  - &x\nb: 1\n"),
    ("a.yaml", "a", "d.b", "a: 0x5\nd:\n  b: 5\n", "d:\n  b: 0x5\n"),
    ("a.yaml", "a", "d.b", "a: &x\nd:\n  b:\n", "d:\n  b: &x\n"),
    // An anchor moves with its value, also to a key before it.
    ("a.yaml", "b", "a", "a: 1\nb: &x 5\n", "a: &x 5\n"),
    ("a.yaml", "b", "a", "a: 1\nb: &x\nc: *x\n", "a: &x\nc: *x\n"),
  ]

  /// Texts with comments, a path and another one, and the text after a move.
  private static let besideComments: [(name: String, text: String, from: String, to: String, String)] = [
    (
      "a.yaml", "a: 1 # c\nb: 2 # d\nz:\n  q: 1\n", "a", "z.a", "b: 2 # d\nz:\n  q: 1\n  a: 1 # c\n"
    ),
    (
      "a.yaml", "l:\n  - a # 1\n  - b # 2\n  - c # 3\n", "l[2]", "l[0]",
      "l:\n  - c # 3\n  - a # 1\n  - b # 2\n"
    ),
    (
      "a.jsonc", "{\n  \"a\": 1, // one\n  \"b\": {\n    \"x\": 1\n  }\n}\n", "a", "b.a",
      "{\n  \"b\": {\n    \"x\": 1,\n    \"a\": 1 // one\n  }\n}\n"
    ),
    (
      "a.jsonc", "{\n  \"a\": 1, /* one */\n  \"b\": [\n    0, // zero\n    2\n  ]\n}\n", "a", "b[1]",
      "{\n  \"b\": [\n    0, // zero\n    1, /* one */\n    2\n  ]\n}\n"
    ),
    ("a.yaml", "z:\n  a: 1 # c\nb: 2\n", "z.a", "a", "z: {}\nb: 2\na: 1 # c\n"),
    (
      "a.jsonc", "{\n  \"z\": {\n    \"a\": 1 // c\n  },\n  \"b\": 2\n}\n", "z.a", "a",
      "{\n  \"z\": {},\n  \"b\": 2,\n  \"a\": 1 // c\n}\n"
    ),
    // The comment of a replaced value gets the next line.
    ("a.yaml", "a: 1 # a\nd:\n  b: 2 # b\n", "a", "d.b", "d:\n  b: 1 # a\n  # b\n"),
    // The comment stays if the line of the new place has other text, and if it is not beside this value alone.
    ("a.yaml", "a: 1 # a\nd: {b: 2}\n", "a", "d.c", "# a\nd: {b: 2, c: 1}\n"),
    (
      "a.jsonc", "{\n  \"a\": 1, \"b\": 2 // both\n}\n", "b", "a",
      "{\n  \"a\": 2 // both\n}\n"
    ),
  ]

  @Test(arguments: besideComments.indices)
  func `A comment after a value on its line goes to the new line of the value`(_ index: Int) throws {
    let (name, text, from, to, result) = Self.besideComments[index]
    let file = try EditableFile(Array(text.utf8), named: name)
    try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to), replacing: !to.hasSuffix("]"))
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == result)
    #expect(losses.all.counts.isEmpty)
  }

  @Test(arguments: replacing.indices)
  func `A value that replaces another one takes its text along, and others keep their comments`(
    _ index: Int
  ) throws {
    let (name, from, to, text, result) = Self.replacing[index]
    let file = try EditableFile(Array(text.utf8), named: name)
    try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to), replacing: true)
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == result)
    #expect(losses.all.counts.isEmpty)
  }

  @Test func `A file inside data moves its values itself`() throws {
    let json = Array(#"{"a":[1.50, 2e3 ],"b":{}}"#.utf8)
    let value: Value = try ["d": .data(json), "e": .data(Edited.archive())]
    let file = try EditableFile(PropertyLists.binary(value))
    try file.move("d.a", to: "d.b.c")
    #expect(try file.value(at: "d") == .data(Array(#"{"b":{"c":[1.50, 2e3 ]}}"#.utf8)))
    try file.move("e.people[0]", to: "e.people[1]")
    try file.move("e.people[1].name", to: "e.people[1].title")
    // The third person is the same object.
    #expect(try file.value(at: "e.people[2].title") == "Ada Lovelace, countess")
  }

  private static let refused: [(from: String, to: String, code: String)] = [
    ("a", "b", "exists"), ("a", "l", "exists"), ("x", "y", "no-key"), ("d", "d.e.f", "cannot-stand"),
    ("l[-1]", "l[1].x", "cannot-stand"), ("l[0]", "x.y", "no-key"), ("a", "l[9]", "no-element"),
    ("", "x", "cannot-stand"), ("a", "", "no-new-place"), ("l[*]", "m[]", "no-new-place"),
    ("l[*].v", "b", "no-new-place"), ("d.e", "d.x.y", "no-key"),
  ]

  @Test(arguments: refused.indices)
  func `A move that cannot be made changes nothing`(_ index: Int) throws {
    let (from, to, code) = Self.refused[index]
    let text = #"{"a":1,"b":2,"l":[{"v":1},{"v":2}],"m":[],"d":{"e":{"f":1}}}"#
    let file = try EditableFile(Array(text.utf8), named: "a.json")
    let problem = try Edited.problem {
      try file.move(ValuePath(parsing: from), to: ValuePath(parsing: to))
    }
    #expect(problem.0.code == code)
    #expect(try file.bytes() == Array(text.utf8))
  }

  @Test func `A value replaces that of a key only if this is asked for`() throws {
    let text = #"{"a":1,"b":2,"c":{"d":3}}"#
    func result(_ from: ValuePath, _ to: ValuePath) throws -> Value {
      let text = try edited(text, named: "a.json") { try $0.move(from, to: to, replacing: true) }
      return try EditableFile(Array(text.utf8), named: "a.json").value(at: "")
    }
    #expect(try result("a", "b") == ["b": 1, "c": ["d": 3]])
    #expect(try result("c.d", "a") == ["a": 3, "b": 2, "c": [:]])
    #expect(try result("c.d", "c") == ["a": 1, "b": 2, "c": 3])
    #expect(try result("c", "") == ["d": 3])
  }

  /// Texts in JSON, a path and that of an element, with the text after a move that replaces this, or nil if it is refused, and after a copy.
  private static let replacedElements: [(text: String, from: String, to: String, moved: String?, String)] = [
    (#"{"a":1.50,"l":[2,3]}"#, "a", "l[0]", #"{"l":[1.50,3]}"#, #"{"a":1.50,"l":[1.50,3]}"#),
    (#"{"a":1,"l":[2,3]}"#, "a", "/l/1", #"{"l":[2,1]}"#, #"{"a":1,"l":[2,1]}"#),
    (#"{"a":1,"l":[2,3]}"#, "a", "l[-1]", #"{"l":[2,1]}"#, #"{"a":1,"l":[2,1]}"#),
    // There is no element to replace.
    (#"{"a":1,"l":[2,3]}"#, "a", "l[2]", #"{"l":[2,3,1]}"#, #"{"a":1,"l":[2,3,1]}"#),
    (#"{"a":1,"l":[2,3]}"#, "a", "l[]", #"{"l":[2,3,1]}"#, #"{"a":1,"l":[2,3,1]}"#),
    ("[1,2,3]", "[2]", "[0]", "[3,2]", "[3,2,3]"),
    ("[1,2,3]", "[0]", "[1]", nil, "[1,1,3]"),
    ("[1,2,3]", "[0]", "[2]", nil, "[1,2,1]"),
  ]

  @Test(arguments: replacedElements.indices)
  func `A value replaces the element with an index if this is asked for`(_ index: Int) throws {
    let (text, from, to, moved, copied) = Self.replacedElements[index]
    let (path, newPath) = (try ValuePath(parsing: from), try ValuePath(parsing: to))
    #expect(
      try edited(text, named: "a.json") { try $0.copy(path, to: newPath, replacing: true) } == copied)
    guard let moved else {
      let file = try EditableFile(Array(text.utf8), named: "a.json")
      let problem = try Edited.problem { try file.move(path, to: newPath, replacing: true) }
      #expect(problem.0.code == "cannot-move")
      #expect(try file.bytes() == Array(text.utf8))
      return
    }
    #expect(try edited(text, named: "a.json") { try $0.move(path, to: newPath, replacing: true) } == moved)
  }

  @Test func `A value replaces the only element of XML with a name by the index 0, too`() throws {
    let text = "<r><a>A</a><l><i>x</i></l></r>"
    for index in ["0", "-1"] {
      let newPath = try ValuePath(parsing: "r.l.i[\(index)]")
      #expect(
        try edited(text, named: "a.xml") { try $0.copy("r.a", to: newPath, replacing: true) }
          == "<r><a>A</a><l><i>A</i></l></r>")
      #expect(
        try edited(text, named: "a.xml") { try $0.move("r.a", to: newPath, replacing: true) }
          == "<r><l><i>A</i></l></r>")
    }
    #expect(
      try edited(text, named: "a.xml") { try $0.copy("r.a", to: "r.l.i[1]", replacing: true) }
        == "<r><a>A</a><l><i>x</i><i>A</i></l></r>")
    #expect(
      try edited(text, named: "a.xml") { try $0.copy("r.a", to: "r.l.i[0]") }
        == "<r><a>A</a><l><i>A</i><i>x</i></l></r>")
  }

  @Test func `An object of an archive that moves stays the same object, and a copy has its class`() throws {
    let file = try EditableFile(Edited.archive())
    let keys = try file.summaries(at: [""])[0].keys ?? []
    let page = try file.value(at: "page")
    #expect(try file.move("page", to: "link") == 1)
    #expect(try file.move("people[1]", to: "people[0]") == 1)
    #expect(try file.move("people[1].name", to: "people[1].title") == 1)
    #expect(try file.copy("people[0]", to: "last") == 1)
    let changed = try EditableFile(file.bytes())
    #expect(try changed.summaries(at: [""])[0].keys == keys.map { $0 == "page" ? "link" : $0 } + ["last"])
    #expect(try changed.value(at: "link") == page)
    #expect(try changed.value(at: "people[0].age") == 85)
    // The third person is the same object as the second one.
    #expect(try changed.value(at: "people[2].title") == "Ada Lovelace, countess")
    #expect(try changed.summaries(at: ["last", "people[2]"]).map(\.typeName) == ["Person", "Person"])
    #expect(try changed.value(at: "last.age") == 85)
  }

  @Test(arguments: [
    ("a[0]", "a[3]", "no element [3] here: the list has 3 elements, the last is [2]"),
    ("b[0]", "b[5]", "no element [5] here: the list has 1 element, [0]"),
    ("b[0]", "a[9]", "no element [9] here: the list has 3 elements, the last is [2]"),
  ])
  func `An index that no element gets by a move is named with the elements before the move`(
    path: String, newPath: String, message: String
  ) throws {
    let file = try EditableFile(Array(#"{"a":[1,2,3],"b":[7]}"#.utf8), named: "a.json")
    let (path, newPath) = (try ValuePath(parsing: path), try ValuePath(parsing: newPath))
    let (moved, place) = try Edited.problem { try file.move(path, to: newPath) }
    let expected = "cannot put the value at the new path: \(message)"
    #expect(moved.description == expected && place == newPath.parent.description)
    let pointers = [path, newPath].map { $0.jsonPointer(isTyped: false) }
    let patch = #"[{"op":"move","from":"\#(pointers[0])","path":"\#(pointers[1])"}]"#
    let (patched, _) = try Edited.problem { try file.apply(JSONPatch(Array(patch.utf8))) }
    #expect(patched.description.hasSuffix(message))
    #expect(try file.value(at: "") == ["a": [1, 2, 3], "b": [7]])
  }

  @Test(arguments: [
    ("a", "zz.q", #""a", "c", "b""#, ""), ("c.d", "c.x.y", #""d", "e""#, "c"),
    ("c", "zz.q", #""a", "c", "b""#, ""),
  ])
  func `A missing key of the new path is named with the keys before the move`(
    path: String, newPath: String, keys: String, owner: String
  ) throws {
    let text = #"{"a":1,"c":{"d":5,"e":6},"b":2}"#
    let file = try EditableFile(Array(text.utf8), named: "a.json")
    let (path, newPath) = (try ValuePath(parsing: path), try ValuePath(parsing: newPath))
    let moved = try Edited.problem { try file.move(path, to: newPath) }
    let copied = try Edited.problem { try file.copy(path, to: newPath) }
    #expect(moved.0.description.hasPrefix("cannot put the value at the new path: no key "), "\(moved)")
    #expect(moved.0.description.hasSuffix("; the keys are \(keys)") && moved.1 == owner, "\(moved)")
    #expect(copied.0 == moved.0 && copied.1 == moved.1, "\(copied)")
    #expect(try file.bytes() == Array(text.utf8))
  }

  @Test func `A copy of an object in an archive has the keys in the order of the original`() throws {
    let group: Value = ["$class": .uid(3), "ada": .uid(2)]
    let person: Value = ["key0": 1, "$class": .uid(4), "key1": 2, "key2": 3]
    let types = ["Group", "Person"].map { name -> Value in
      ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
    }
    let file = try EditableFile(Archived.file([group, person] + types))
    try file.copy("ada", to: "bob")
    let objects = try Edited.objects(file.bytes())
    let people = objects.compactMap(\.dictionaryValue).filter { $0["key0"] != nil }
    #expect(people.map { $0.map(\.key) } == Array(repeating: ["key0", "$class", "key1", "key2"], count: 2))
  }

  @Test(arguments: [Format.archive, .binaryPropertyList])
  func `A key that gets another name and its old one again leaves the values as they were`(_ format: Format)
    throws
  {
    let value: Value = ["a": [["k": 1, "j": "x"], ["k": 2, "j": "y"]], "d": ["k": "z"]]
    let bytes = format == .archive ? try Archived.bytes(value) : try PropertyLists.binary(value)
    let file = try EditableFile(bytes)
    #expect(try file.move("a[*].k", to: "a[*].n") == 2)
    #expect(try file.value(at: "a[*].n") == [1, 2])
    let changed = try EditableFile(file.bytes())
    #expect(try changed.value(at: "a[*].n") == [1, 2])
    #expect(try changed.move("a[*].n", to: "a[*].k") == 2)
    #expect(try changed.value(at: "") == EditableFile(bytes).value(at: ""))
  }

  @Test func `A key of a dictionary in a typedstream gets another name, and its value stays the same object`()
    throws
  {
    let json = #"{"name":"Ada","list":["a","b"],"more":{"a":"b"}}"#
    let file = try EditableFile(Conversion(to: .typedstream).convert(Array(json.utf8)).bytes)
    try file.move("list", to: "letters")
    try file.move("name", to: "more.name")
    let changed = try EditableFile(file.bytes())
    #expect(try changed.value(at: "letters") == ["a", "b"])
    #expect(try changed.value(at: "more") == ["a": "b", "name": "Ada"])
  }

  @Test func `An anchor of YAML gets another key with its aliases`() throws {
    let text = "a: &x {k: 1, l: 2}\nb: *x\n"
    var options = EditableFile.Options()
    options.changesAliases = true
    let file = try EditableFile(Array(text.utf8), named: "a.yaml", options: options)
    try file.move("b.k", to: "b.m")
    let result = String(decoding: try file.bytes(), as: UTF8.self)
    #expect(result == "a: &x {m: 1, l: 2}\nb: *x\n")
    #expect(throws: FerryError.self) {
      try edited(text, named: "a.yaml") { try $0.move("b.k", to: "b.m") }
    }
  }

  /// The line of each value was searched from its beginning, and its line end in the whole text.
  @Test(arguments: [
    ("a.json", #"{"n":"v"}"#), ("a.yaml", "{n: v}"),
    ("a.plist", "<dict><key>n</key><string>v</string></dict>"),
  ])
  func `Values on one long line are set and copied in time in proportion to their number`(
    _ name: String, _ element: String
  ) throws {
    try expectGrowth(from: 1_500, to: 6_000, lessThan: 9) { count in
      let elements = Array(repeating: element, count: count)
      let text =
        name == "a.plist"
        ? "<plist version=\"1.0\"><array>\(elements.joined())</array></plist>"
        : "[\(elements.joined(separator: ", "))]"
      let file = try EditableFile(Array(text.utf8), named: name)
      return try processorTime {
        try file.edit { file in
          for index in 0..<count { try file.set(text: "w", at: ValuePath([.index(index), .key("n")])) }
        }
        try file.copy("[*].n", to: "[*].m")
        #expect(try EditableFile(file.bytes(), named: name).value(at: "[-1]") == ["n": "w", "m": "w"])
      }
    }
  }
}
