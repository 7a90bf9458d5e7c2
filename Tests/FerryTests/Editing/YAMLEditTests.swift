import TestSupport
import Testing

@testable import Ferry

/// Changes by path in YAML, which keep comments, anchors and layout, or are refused.
@Suite(.enabled(if: PackageTraits.hasYAML)) struct `Changes in YAML` {
  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .yaml, change)
  }

  private static let text = """
    # Service
    name: web   # the name
    replicas: 2
    env:
      - key: A   # first
        value: "1"
      - key: B
        value: two words
    ports: [80, 443]   # open
    empty:
    note: |
      one
      two
    last: x

    """

  @Test func `A changed value leaves comments and layout as they are`() throws {
    let text = Self.text
    for (path, value, old, new) in [
      ("name", "api", "name: web", "name: api"), ("replicas", "3", "replicas: 2", "replicas: 3"),
      ("env[0].value", "2", "\"1\"", "\"2\""), ("env[1].value", "no", "two words", "'no'"),
      ("ports[1]", "8443", "443]", "8443]"), ("last", "007", "last: x", "last: '007'"),
      ("note", "short", "|\n  one\n  two", "|-\n  short"),
    ] {
      let edited = try edit(text) { try $0.set(text: value, at: ValuePath(parsing: path)) }
      let wanted = text.replacing(old, with: new)
      #expect(edited == wanted || edited == wanted.replacing("\"2\"", with: "'2'"), "\(path)")
    }
    #expect(
      try edit(text) { try $0.set(.string("x"), at: ValuePath(parsing: "empty")) }
        == text.replacing("empty:", with: "empty: x"))
  }

  @Test(arguments: [".nan", ".inf", "-.inf", "1.5", "1e3"])
  func `An integer in place of a real is written as an integer`(_ old: String) throws {
    for text in ["a: \(old)  # c\n", "a: {b: [\(old)]}  # c\n"] {
      let path = try ValuePath(parsing: text.contains("[") ? "a.b[0]" : "a")
      let edited = try edit(text) { try $0.set(text: "5", as: .json, at: path) }
      #expect(edited == text.replacing(old, with: "5"))
    }
  }

  @Test(arguments: ["  b \n", "  b\t\n", "  b\n   \n", "  a\n  b  \n", "  b\n   \n    \n"])
  func `A block that ends in blanks is replaced as a whole`(_ block: String) throws {
    let path = try ValuePath(parsing: "a")
    for mark in ["|", "&x |", "|+"] {
      let text = "c: 1  # c\na: \(mark)\n\(block)d: 2\n"
      let anchor = mark.hasPrefix("&") ? "&x " : ""
      #expect(try edit(text) { try $0.set(5, at: path) } == "c: 1  # c\na: \(anchor)5\nd: 2\n")
      #expect(
        try edit(text) { try $0.set("x", at: path) } == "c: 1  # c\na: \(anchor)|-\n  x\nd: 2\n")
      #expect(try edit(text) { try $0.insert(3, at: ValuePath(parsing: "e")) } == text + "e: 3\n")
    }
    let last = "c: 1  # c\na: |\n  b  "
    #expect(try edit(last) { try $0.set(5, at: path) } == "c: 1  # c\na: 5")
  }

  @Test(arguments: [
    "x,y", "x[y", "x]", "{x", "x}", "?a", ":a", "a?", "a: b", "it's, so", "#a", "no", "-a", "x y",
  ])
  func `A key or a text in brackets has quotation marks if it needs them there`(_ text: String) throws {
    for old in ["# c\nm: {a: 1}  # d\n", "# c\nm:\n  - {a: 1}  # d\n"] {
      let isList = old.contains("-")
      let map = try ValuePath(parsing: isList ? "m[0]" : "m")
      let edited = try edit(old) { try $0.insert(5, at: map.appending(.key(text))) }
      #expect(edited.hasPrefix(String(old.prefix { $0 != "}" }) + ", "), "\(edited)")
      #expect(edited.hasSuffix("}  # d\n"), "\(edited)")
      let entries: Value = ["a": 1, text: 5]
      #expect(try values(of: edited) == ["m": isList ? [entries] : entries], "\(edited)")
    }
    let list = try edit("# c\nm: [a]  # d\n") { try $0.insert(.string(text), at: ValuePath(parsing: "m[]")) }
    #expect(list.hasPrefix("# c\nm: [a, "), "\(list)")
    #expect(try values(of: list) == ["m": ["a", .string(text)]], "\(list)")
  }

  /// Documents with blocks of text, and the documents with a new value at a path, or without the value there.
  private static let keptLines: [(String, String, Value?, String)] = [
    ("b: \"x\"\nd: |+\n  keep\n\n", "f", 1, "b: \"x\"\nd: |+\n  keep\n\nf: 1\n"),
    ("b: \"x\"\nd: >2+ # c\n  keep\n\n\n# end\n", "f", 1, "b: \"x\"\nd: >2+ # c\n  keep\n\n\nf: 1\n# end\n"),
    ("a:\n  d: |+\n    keep\n\nb: 2\n", "a.f", 1, "a:\n  d: |+\n    keep\n\n  f: 1\nb: 2\n"),
    ("a:\n  d: |+\n    keep\n\n", "f", 1, "a:\n  d: |+\n    keep\n\nf: 1\n"),
    ("- |+\n  keep\n\n- \"x\"\n", "[1]", 1, "- |+\n  keep\n\n- 1\n- \"x\"\n"),
    ("- &a |+\r\n  keep\r\n\r\n", "[]", 1, "- &a |+\r\n  keep\r\n\r\n- 1\r\n"),
    ("d: |\n  keep\n\n", "f", 1, "d: |\n  keep\nf: 1\n\n"),
    ("b: \"x\"\nd: |+\n  keep\n\n\ne: end\n", "e", nil, "b: \"x\"\nd: |+\n  keep\n\n\n"),
    ("d: |+\n  keep\n\ne: end\n\n# end\nf: \"1\"\n", "e", nil, "d: |+\n  keep\n\n# end\nf: \"1\"\n"),
    ("d: |+\n  keep\n\ne: |+\n  x\n\n\nf: \"1\"\n", "e", nil, "d: |+\n  keep\n\nf: \"1\"\n"),
    ("d: |+\n  keep\n\ne: end", "e", nil, "d: |+\n  keep\n\n"),
    ("- |+\n  keep\n\n- a: \"1\"\n  b: 2\n", "[1]", nil, "- |+\n  keep\n\n"),
    ("d: \"x\"\ne: |+\n  keep\n\nf: 1\n", "e", nil, "d: \"x\"\n\nf: 1\n"),
    // Space at the end of a line, or alone on a line, may be a part of a block.
    ("# c\nd: |\n  x  \n", "f", 1, "# c\nd: |\n  x  \nf: 1\n"),
    ("# c\n- >-\n  x  \n\n     \n- 2\n", "[1]", 1, "# c\n- >-\n  x  \n\n     \n- 1\n- 2\n"),
    ("# c\na:\n d: >-\n  x\n   \n\nb: 2\n", "a.f", 1, "# c\na:\n d: >-\n  x\n   \n f: 1\n\nb: 2\n"),
    ("# c\n- |-\n  x\n- 1\n     \n- 2\n", "[1]", nil, "# c\n- |-\n  x\n- 2\n"),
    ("# c\n- |\n  x\n\n- 1\n\n- 2\n", "[1]", nil, "# c\n- |\n  x\n\n- 2\n"),
    // The last line has no line end.
    ("# c\nd: |\n  x", "f", 1, "# c\nd: |-\n  x\nf: 1\n"),
    ("# c\nd: >2+ # e\n  x", "f", 1, "# c\nd: >2- # e\n  x\nf: 1\n"),
    ("# c\na:\n- |\n  x", "f", 1, "# c\na:\n- |-\n  x\nf: 1\n"),
    ("# c\nd: |-\n  x  ", "f", 1, "# c\nd: |-\n  x  \nf: 1"),
    ("# c\nd: |+\n  x\n\n  ", "f", 1, "# c\nd: |+\n  x\n\nf: 1\n"),
    ("# c\n- 1\n---\n|\n x", "[]", 2, "# c\n- 1\n---\n|-\n x\n---\n2\n"),
    ("# c\n- |\n  x\n- 2", "[1]", nil, "# c\n- |\n  x\n"),
    ("# c\nd: x\ne: 2", "f", 1, "# c\nd: x\ne: 2\nf: 1"),
  ]

  @Test func `A real that is set to an integer with many digits keeps the rest of the file`() throws {
    let edited = try edit("r: 1.5 # c\nl: [1,  x]\n") { file in
      try file.set(text: "9007199254740993", as: .real, at: ValuePath(parsing: "r"))
    }
    #expect(edited == "r: 9007199254740993 # c\nl: [1,  x]\n")
  }

  @Test(arguments: keptLines)
  func `A line is added or removed after a block, whose text and blank lines stay`(
    _ text: String, _ path: String, _ new: Value?, _ expected: String
  ) throws {
    let edited = try edit(text) { file in
      let path = try ValuePath(parsing: path)
      if let new { try file.insert(new, at: path) } else { try file.remove(at: path) }
    }
    #expect(edited == expected)
  }

  /// The line ends of YAML 1.1, which are also those of libyaml.
  @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
  func `Entries and elements are removed as lines whatever the line ends are`(_ end: String) throws {
    for (text, path, expected) in [
      ("- 1|- b|", "[0]", "- b|"), ("x:\n- 1|- 2\n", "x[0]", "x:\n- 2\n"),
      ("? a|: 1|? b|: 2|", "a", "? b|: 2|"), ("x:|- 1|- 2|", "x[0]", "x:|- 2|"),
      // Before a line end of several bytes, a blank line is left.
      ("a: 1|b: 2|c: 3|", "b", end.utf8.contains { $0 > 0x7f } ? "a: 1||c: 3|" : "a: 1|c: 3|"),
    ] as [(String, String, String)] {
      let file = try EditableFile(Array(text.replacing("|", with: end).utf8), named: "a.yaml")
      try file.remove(at: ValuePath(parsing: path))
      #expect(String(decoding: try file.bytes(), as: UTF8.self) == expected.replacing("|", with: end))
    }
  }

  @Test func `Entries and elements are inserted and removed as lines`() throws {
    let text = Self.text
    #expect(
      try edit(text) { try $0.insert("new", at: ValuePath(parsing: "more")) } == text + "more: new\n")
    #expect(
      try edit(text) { try $0.insert(["key": "C", "value": "3"], at: ValuePath(parsing: "env[]")) }
        == text.replacing("two words\n", with: "two words\n  - key: C\n    value: '3'\n"))
    #expect(
      try edit(text) { try $0.insert("z", at: ValuePath(parsing: "env[0].other")) }
        == text.replacing("\"1\"\n", with: "\"1\"\n    other: z\n"))
    #expect(
      try edit(text) { try $0.insert(.integer(8080), at: ValuePath(parsing: "ports[]")) }
        == text.replacing("443]", with: "443, 8080]"))
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "replicas")) }
        == text.replacing("replicas: 2\n", with: ""))
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "env[1]")) }
        == text.replacing("  - key: B\n    value: two words\n", with: ""))
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "ports[0]")) } == text.replacing("80, ", with: "")
    )
    #expect(try edit("a: 1\nb: 2\n") { try $0.remove(at: ValuePath(parsing: "a")) } == "b: 2\n")
    #expect(try edit("- 1\n- 2\n") { try $0.remove(at: ValuePath(parsing: "[0]")) } == "- 2\n")
    #expect(
      try edit("- 1\n- 2\n") { try $0.insert(.integer(0), at: ValuePath(parsing: "[0]")) }
        == "- 0\n- 1\n- 2\n")
  }

  @Test func `A text that YAML does not read as a number is refused in place of one`() throws {
    for text in ["007", "1_000", "12:30", "0o8"] {
      let (problem, path) = try Edited.problem {
        _ = try edit("n: 5\n") { try $0.set(text: text, at: ValuePath(parsing: "n")) }
      }
      #expect(problem == .badText(text, type: "a number", isFound: true) && path == "n")
    }
    for (text, number) in [("0x1F", "31"), ("+5", "5"), (".5", "0.5"), ("-.inf", "-.inf")] {
      #expect(try edit("n: 5\n") { try $0.set(text: text, at: ValuePath(parsing: "n")) } == "n: \(number)\n")
    }
  }

  @Test func `A new value in place of an alias is reported`() throws {
    var options = EditableFile.Options()
    options.format = .yaml
    let text = "k: &s text\nm: &m {a: 1}\nj: *s\nl: [*s, *m]\n"
    for (path, old, new) in [("j", "j: *s", "j: z"), ("l[0]", "[*s", "[z"), ("l[1]", "*m]", "z]")] {
      let file = try EditableFile(Array(text.utf8), options: options)
      try file.set("z", at: ValuePath(parsing: path))
      let losses = LossReport()
      #expect(
        try String(decoding: file.bytes(losses: losses), as: UTF8.self) == text.replacing(old, with: new))
      #expect(losses.counts.map(\.kind) == [.anchor] && losses.counts.map(\.count) == [1])
    }
  }

  @Test(arguments: [
    ("# one\n\n# two\n", "# one\n\n# two\n"), ("# c", "# c\n"), ("# c\r\n", "# c\r\n"),
    ("---\n# b\n", "---\n# b\n"),
  ]) func `A text with only comments gets its first value below them`(_ text: String, _ kept: String) throws {
    let end = text.utf8.contains(0x0d) ? "\r\n" : "\n"
    for path: ValuePath in ["a", "[]"] {
      let expected = kept + (path == "a" ? "a: 1" : "- 1") + end
      #expect(try edit(text) { try $0.insert(1, at: path) } == expected)
      #expect(try edit(text) { try $0.set(1, at: path, insertsMissing: true) } == expected)
    }
    #expect(try edit(text) { try $0.merge(["a": 1, "b": .null]) } == kept + "a: 1" + end)
    #expect(
      try edit(text) { file in
        try file.insert(1, at: "a")
        try file.insert(2, at: "b")
      } == kept + "a: 1\(end)b: 2\(end)")
    #expect(throws: FerryError.self) { try edit("null # c\n") { try $0.insert(1, at: "a") } }
  }

  @Test func `A value beside anchors is changed, and one that an alias shares is refused`() throws {
    let text = "a: &x {p: 1}\nb: *x\nc: 1  # c\n"
    #expect(
      try edit(text) { try $0.set(text: "2", at: ValuePath(parsing: "c")) }
        == text.replacing("c: 1", with: "c: 2"))
    let failure = #expect(throws: FerryError.self) {
      try edit(text) { try $0.set(text: "2", at: ValuePath(parsing: "b.p")) }
    }
    #expect(failure?.reason == .yaml(.sharedValue(anchor: "x")))
    #expect(failure?.location.line == 2)
    let inAnchor = #expect(throws: FerryError.self) {
      try edit(text) { try $0.set(text: "2", at: ValuePath(parsing: "a.p")) }
    }
    #expect(inAnchor?.reason == .yaml(.sharedValue(anchor: "x")))
  }

  @Test(
    arguments: [
      ("- &A {n: 1}\n- *A\n- {n: 2}\n", "[*].n", "- &A {n: 5}\n- *A\n- {n: 5}\n"),
      ("- &A {n: 1}\n- *A", "[*].n", "- &A {n: 5}\n- *A"),
      ("- &A {n: 1}\n- {k: *A}\n- *A\n", "[0:2].n", nil),
      ("a: &A\n  n: 1  # c\nb:\n  <<: *A\n  m: 2\n", "[*].n", "a: &A\n  n: 5  # c\nb:\n  <<: *A\n  m: 2\n"),
      ("- k: &A {n: [1, 2]}\n- k: *A\n", "[*].k.n[0]", "- k: &A {n: [5, 2]}\n- k: *A\n"),
    ] as [(String, String, String?)])
  func `A value that aliases share is changed once if it is changed at all of them`(
    _ text: String, _ path: String, _ edited: String?
  ) throws {
    func change() throws -> String { try edit(text) { try $0.set(text: "5", at: ValuePath(parsing: path)) } }
    if let edited {
      #expect(try change() == edited)
    } else {
      let error = #expect(throws: FerryError.self) { try change() }
      #expect(error?.reason == .yaml(.sharedValue(anchor: "A")))
    }
  }

  @Test func `Entries are removed and added once if they are removed and added at all aliases`() throws {
    let text = "- &A {n: 1, m: 2}\n- *A\n"
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: "[*].n")) } == "- &A {m: 2}\n- *A\n")
    #expect(
      try edit(text) { try $0.insert(3, at: ValuePath(parsing: "[*].k")) }
        == "- &A {n: 1, m: 2, k: 3}\n- *A\n")
  }

  static let textsWithAnchors = [
    "a: &A\n  x: 1\n  y: [1]\nb: *A\nc:\n  k: *A\n  l: 2\n",
    "a: &A {x: 1, y: {z: 1}}\nb: {k: *A, l: [*A, *A]}\n",
    "a: &A\n  x: 1\n  y: 2\nb:\n  <<: *A\n  z: 3\nc:\n  <<: *A\n",
    "a: &A {x: 1}\nb: &B\n  <<: *A\n  y: {z: 1}\nc:\n  <<: [*A, *B]\n  w: 1\n  <<: {v: 1, y: 2}\n",
    "a: &A {x: 1}\nb: {<<: {<<: *A, v: 1, u: {t: 1}}, w: 1}\nc: {<<: [*A, {v: 1}]}\n",
    "a: &A\n- &E {x: 1}\n- *E\nb: *A\nc:\n- *A\n- *E\n- k: *E\n",
    "&K a: 1\nb: {*K : 2, ? *K : 3}\nc: &C [&D d, *D]\nd: [*C, *D]\n",
    "x: &A 1\ny: *A\nz:\n  ? a\n  b: 2\n",
    "x: &A 1\ny: *A\nz:\n  ? a # c\n  ? b\n  c: 1\n  ? d\n  : 2\n  ? # e\n    f\n  : *A\n",
    // Several documents.
    "a: &A {x: 1}\nb: *A\n---\n# c\n- &A 1\n- *A\n---\n--- x\n...\n%YAML 1.1\n---\n!!str y\n",
    "--- &r\nk: 1\n---\nx: &A [1]\ny: *A\n... # e\n---\n|\n t\n---\n{a: 1}\n",
  ]

  @Test(arguments: textsWithAnchors)
  func `A change of any part of a text with anchors is made or refused`(
    _ text: String
  ) throws {
    let values = try values(of: text)
    var refused = 0
    for path in Self.paths(in: values, from: ValuePath()) {
      for change in Change.allCases {
        guard let wanted = change.applied(to: values, at: path) else { continue }
        do {
          let edited = try edit(text) { try change.apply(to: $0, at: path) }
          #expect(try self.values(of: edited) == wanted, "\(change) \(path) gave \(edited)")
        } catch let error as FerryError {
          guard case .yaml(let problem) = error.reason else { throw error }
          switch problem {
          case .sharedValue, .mergedEntry, .removedAnchor, .notChanged: refused += 1
          default: Issue.record("\(change) \(path): \(error)")
          }
        }
      }
    }
    #expect(refused > 0)
  }

  private func editWithAliases(
    _ text: String, _ change: (EditableFile) throws -> Void
  ) throws -> (text: String, copies: Int) {
    var options = EditableFile.Options()
    (options.format, options.changesAliases) = (.yaml, true)
    let file = try EditableFile(Array(text.utf8), options: options)
    try change(file)
    let edited = String(decoding: try file.bytes(), as: UTF8.self)
    #expect(try values(of: edited) == file.value(at: ValuePath()))
    return (edited, file.changedCopies)
  }

  @Test(arguments: textsWithAnchors)
  func `A change of any part of a text with anchors is made at all aliases or refused`(
    _ text: String
  ) throws {
    let values = try values(of: text)
    var made = 0
    for path in Self.paths(in: values, from: ValuePath()) {
      for change in Change.allCases where change.applied(to: values, at: path) != nil {
        do {
          let edited = try editWithAliases(text) { try change.apply(to: $0, at: path) }.text
          made += 1
          if let (place, value) = change.result(at: path) {
            #expect(try self.values(of: edited).value(at: place) == value, "\(change) \(path) gave \(edited)")
          }
        } catch let error as FerryError {
          guard case .yaml(let problem) = error.reason else { throw error }
          switch problem {
          case .notAtAliases, .removedAnchor, .notChanged: break
          default: Issue.record("\(change) \(path): \(error)")
          }
        }
      }
    }
    #expect(made > 0)
  }

  @Test(
    arguments: [
      // Through the anchor, an alias, and an alias inside another anchor's value.
      ("a: &A {n: 1}  # c\nb: *A\n", "a.n", "a: &A {n: 5}  # c\nb: *A\n", 1),
      ("a: &A {n: 1}  # c\nb: *A\n", "b.n", "a: &A {n: 5}  # c\nb: *A\n", 1),
      (
        "a: &A\n  n: 1\nb: &B\n  k: *A\nc: [*B, *A]\n", "c[0].k.n",
        "a: &A\n  n: 5\nb: &B\n  k: *A\nc: [*B, *A]\n", 3
      ),
      // Aliases of scalars, and in a list.
      ("a: &A 1\nb: *A\n", "b", "a: &A 5\nb: *A\n", 1),
      ("l:\n- &A 1\n- *A\n- 1\n", "l[1]", "l:\n- &A 5\n- *A\n- 1\n", 1),
      // Merged entries, and those that a mapping overrides.
      (
        "a: &A {n: 1}\nb:\n  <<: *A\nc:\n  <<: *A\n  n: 2\n", "b.n",
        "a: &A {n: 5}\nb:\n  <<: *A\nc:\n  <<: *A\n  n: 2\n", 1
      ),
      ("a: &A {n: 1}\nc:\n  <<: *A\n  n: 2\n", "c.n", "a: &A {n: 1}\nc:\n  <<: *A\n  n: 5\n", 0),
      // Several documents, and an anchor that is defined twice.
      (
        "a: &A {n: 1}\nb: *A\n---\na: &A {n: 1}\nb: *A\n", "[1].b.n",
        "a: &A {n: 1}\nb: *A\n---\na: &A {n: 5}\nb: *A\n", 1
      ),
      ("a: &A {n: 1}\nb: *A\nc: &A {n: 1}\nd: *A\n", "b.n", "a: &A {n: 5}\nb: *A\nc: &A {n: 1}\nd: *A\n", 1),
      // All copies are selected.
      ("- &A {n: 1}\n- *A\n- <<: *A\n", "[*].n", "- &A {n: 5}\n- *A\n- <<: *A\n", nil),
    ] as [(String, String, String, Int?)])
  func `A value that aliases share is changed at its anchor`(
    _ text: String, _ path: String, _ wanted: String, _ copies: Int?
  ) throws {
    let edited = try editWithAliases(text) { try $0.set(text: "5", at: ValuePath(parsing: path)) }
    #expect(edited.text == wanted)
    if let copies { #expect(edited.copies == copies) }
  }

  @Test func `Entries and elements are inserted and removed at all aliases and merge keys`() throws {
    let text = "a: &A\n  x: 1\n  y: 2\nb: *A\nc:\n  <<: *A\n  y: 3\nd: *A\nl: &L [1]\nm: *L\n"
    let inserted = try editWithAliases(text) { file in
      try file.insert(4, at: ValuePath(parsing: "b.z"))
      try file.insert(2, at: ValuePath(parsing: "m[]"))
    }
    #expect(
      inserted.text == text.replacing("  y: 2\n", with: "  y: 2\n  z: 4\n").replacing("[1]", with: "[1, 2]"))
    // `a`, `d` and `c`, and the list.
    #expect(inserted.copies == 4)
    let removed = try editWithAliases(text) { file in
      try file.remove(at: ValuePath(parsing: "c.x"))
      try file.remove(at: ValuePath(parsing: "m[0]"))
    }
    #expect(removed.text == text.replacing("  x: 1\n", with: "").replacing("[1]", with: "[]"))
    // An alias is an entry of its own.
    let alias = try editWithAliases(text) { try $0.remove(at: ValuePath(parsing: "b")) }
    #expect(alias.text == text.replacing("b: *A\n", with: ""))
    var count = 0
    let all = try editWithAliases(text) { count = try $0.remove(at: ValuePath(parsing: "[*].x")) }
    #expect(count == 4)
    #expect(all.text == text.replacing("  x: 1\n", with: ""))
  }

  @Test func `A value that moves by the path of an alias keeps its notation`() throws {
    let text = "a: &A\n  x: 0xFF\n  y: 2\nb: *A\nl: &L [0x10, 0x11]\nm: *L\n"
    let moved = try editWithAliases(text) { try $0.move("b.x", to: "c") }
    #expect(moved.text == text.replacing("  x: 0xFF\n", with: "") + "c: 0xFF\n")
    let inList = try editWithAliases(text) {
      try $0.move(ValuePath(parsing: "m[0]"), to: ValuePath(parsing: "l[1]"))
    }
    #expect(inList.text == text.replacing("[0x10, 0x11]", with: "[0x11, 0x10]"))
  }

  @Test func `A removed entry gives way to that of another merged mapping`() throws {
    let text = "a: &A {x: 1, y: 2}\nb: &B {x: 3}\nc:\n  <<: [*A, *B]\n"
    let edited = try editWithAliases(text) { try $0.remove(at: ValuePath(parsing: "a.x")) }
    #expect(edited.text == text.replacing("x: 1, ", with: ""))
    #expect(try values(of: edited.text).value(at: ValuePath(parsing: "c")) == ["y": 2, "x": 3])
  }

  @Test func `The list of a merge key may have a mapping beside an alias`() throws {
    let first = "a: &A {x: 1}\nd:\n  <<: [{b: 1}, *A]\n"
    let inserted = try editWithAliases(first) { try $0.insert(5, at: ValuePath(parsing: "a.b")) }
    #expect(inserted.text == first.replacing("x: 1", with: "x: 1, b: 5"))
    #expect(inserted.copies == 0)
    let set = try editWithAliases(first) { try $0.set(["x": 3, "b": 4], at: ValuePath(parsing: "a")) }
    #expect(try values(of: set.text).value(at: ValuePath(parsing: "d")) == ["b": 1, "x": 3])
    let last = "a: &A {x: 1}\nd:\n  <<: [*A, {x: 2}]\n"
    let removed = try editWithAliases(last) { try $0.remove(at: ValuePath(parsing: "a.x")) }
    #expect(removed.text == last.replacing("{x: 1}", with: "{}"))
  }

  @Test func `All values that a path selects are counted, with and without their aliases`() throws {
    let text = "- &A {n: 1}\n- *A\n- <<: *A\n- {n: 2}\n"
    var counts: [Int] = []
    let file = try edit(text) { counts.append(try $0.set(5, at: ValuePath(parsing: "[*].n"))) }
    let edited = try editWithAliases(text) { counts.append(try $0.set(5, at: ValuePath(parsing: "[*].n"))) }
    #expect(counts == [4, 4] && file == edited.text && edited.copies == 0)
    let some = try editWithAliases(text) { counts.append(try $0.set(5, at: ValuePath(parsing: "[1:4].n"))) }
    #expect(counts.last == 3 && some.text == file && some.copies == 1)
  }

  @Test func `Values at which a change is made are not counted among the other ones`() throws {
    let text = "a: &A {n: 1, m: 2}\nb: *A\nc: *A\n"
    let all = try editWithAliases(text) { file in
      for path in ["a.n", "b.n"] { try file.set(5, at: ValuePath(parsing: path)) }
    }
    #expect(all.copies == 1)
    let patch = #"[{"op": "move", "from": "/a/m", "path": "/a/k"}]"#
    let moved = try editWithAliases(text) { try $0.apply(JSONPatch(Array(patch.utf8))) }
    #expect(moved.copies == 2)
  }

  /// A text with many aliases, and changes of their values.
  enum ManyAliases: CaseIterable {
    case ofManyAnchors, ofOneAnchor, ofMergedMapping

    func text(_ count: Int) -> String {
      switch self {
      case .ofManyAnchors: (0..<count).map { "- &a\($0) {x: 0}\n- *a\($0)\n" }.joined()
      case .ofOneAnchor: "- &a {x: 0}\n" + String(repeating: "- *a\n", count: count)
      case .ofMergedMapping:
        "a: &a\n" + (0..<count).map { "  k\($0): 0\n" }.joined() + "b:\n  <<: *a\n  own: 1\n"
      }
    }

    func change(_ file: EditableFile, _ count: Int) throws(FerryError) {
      switch self {
      case .ofManyAnchors:
        for round in 1...2 {
          for index in 0..<count {
            try file.set(.integer(Int128(round)), at: ValuePath([.index(2 * index), .key("x")]))
          }
        }
      case .ofOneAnchor:
        for round in 1...4 { try file.set(["x": .integer(Int128(round))], at: ValuePath([.index(round)])) }
      case .ofMergedMapping:
        let mapping = try file.value(at: ValuePath([.key("a")]))
        for index in 0..<count / 4 {
          try file.insert(1, at: ValuePath([.key("a"), .key("new\(index)")]))
        }
        try file.set(mapping, at: ValuePath([.key("a")]))
      }
    }
  }

  @Test(arguments: ManyAliases.allCases)
  func `Many changes at anchors take time in proportion to their number`(_ shape: ManyAliases) throws {
    try expectGrowth(from: 1000, to: 8000, lessThan: 24) { count in
      var options = EditableFile.Options()
      (options.format, options.changesAliases) = (.yaml, true)
      let file = try EditableFile(Array(shape.text(count).utf8), options: options)
      return try processorTime {
        try file.edit { file throws(FerryError) in try shape.change(file, count) }
        _ = try file.bytes()
      }
    }
  }

  @Test func `The operations of a patch are made at all aliases, one after the other`() throws {
    let text = "a: &A\n  x: 1\nb: *A\nc:\n  <<: *A\n"
    let patch = #"""
      [{"op": "add", "path": "/b/y", "value": {"z": 1}}, {"op": "replace", "path": "/c/y/z", "value": 2},
       {"op": "move", "from": "/a/x", "path": "/a/w"}]
      """#
    let edited = try editWithAliases(text) { try $0.apply(JSONPatch(Array(patch.utf8))) }
    #expect(try values(of: edited.text) == values(of: "a: &A {y: {z: 2}, w: 1}\nb: *A\nc: {<<: *A}\n"))
    #expect(edited.text.hasSuffix("\nb: *A\nc:\n  <<: *A\n"))
  }

  @Test(
    arguments: [
      ("a: &A 1\nb: *A\n", "a", .removedAnchor("A")), ("- &A 1\n- [*A]\n", "[0]", .removedAnchor("A")),
      ("a: &A {k: &K 1}\nb: *A\nc: *K\n", "b.k", .removedAnchor("K")),
    ] as [(String, String, YAMLProblem)])
  func `A removal that an anchor or a merge key prevents is refused`(
    _ text: String, _ path: String, _ problem: YAMLProblem
  ) throws {
    let error = #expect(throws: FerryError.self) {
      try editWithAliases(text) { try $0.remove(at: ValuePath(parsing: path)) }
    }
    #expect(error?.reason == .yaml(problem))
  }

  @Test func `An anchor beside a refused change is not called removed`() throws {
    let text = "l: &L {x: 1}\ne:\n  <<: *L\n  k: &K 2\n  x: 3\nz: *K\n"
    let error = #expect(throws: FerryError.self) {
      try edit(text) { file in
        try file.insert(4, at: ValuePath(parsing: "l.y"))
        try file.remove(at: ValuePath(parsing: "e.x"))
      }
    }
    #expect(error?.reason == .yaml(.mergedEntry(key: "x", anchor: "L")))
    #expect(error?.location.line == 5)
  }

  /// Texts whose mapping `c` has an entry `x` in place of that of a merge key, without that entry, and the anchor of the other one.
  static let overridingEntries: [(String, String, String?)] = [
    ("b: &B {x: 1, y: 1}\nc:\n  <<: *B\n  x: 2 # c\n", "b: &B {x: 1, y: 1}\nc:\n  <<: *B\n  # c\n", "B"),
    ("b: &B {x: 1}\nc:\n  <<: *B\n  x: 2\n", "b: &B {x: 1}\nc:\n  <<: *B\n", "B"),
    ("b: &B {x: 1}\nc: {<<: *B, x: 2}\n", "b: &B {x: 1}\nc: {<<: *B}\n", "B"),
    ("b: &B {x: 1}\nc: {x: 2, <<: *B}\n", "b: &B {x: 1}\nc: {<<: *B}\n", "B"),
    ("b: &B {x: 1}\nc:\n  x: 2\n  <<: *B\n  z: 3\n", "b: &B {x: 1}\nc:\n  <<: *B\n  z: 3\n", "B"),
    // The first mapping with the key takes precedence.
    (
      "a: &A {y: 1}\nb: &B {x: 1}\nc:\n  <<: [*A, *B]\n  x: 2\n",
      "a: &A {y: 1}\nb: &B {x: 1}\nc:\n  <<: [*A, *B]\n",
      "B"
    ),
    (
      "a: &A {x: 1}\nb: &B\n  <<: *A\n  y: 1\nc: &C\n  <<: *B\n  x: 2\nd: *C\n",
      "a: &A {x: 1}\nb: &B\n  <<: *A\n  y: 1\nc: &C\n  <<: *B\nd: *C\n", "A"
    ),
    ("b: &B {y: 1}\nc:\n  <<: [{x: 1}, *B]\n  x: 2\n", "b: &B {y: 1}\nc:\n  <<: [{x: 1}, *B]\n", nil),
  ]

  @Test(arguments: overridingEntries)
  func `An entry in whose place a merge key adds another one is removed with that in mind`(
    _ text: String, _ removed: String, _ anchor: String?
  ) throws {
    let path = try ValuePath(parsing: "c.x")
    let error = #expect(throws: FerryError.self) { try edit(text) { try $0.remove(at: path) } }
    #expect(error?.reason == .yaml(.mergedEntry(key: "x", anchor: anchor)))
    #expect(try editWithAliases(text) { try $0.remove(at: path) }.text == removed)
    #expect(try values(of: removed).value(at: path) == 1)
  }

  @Test func `All own entries of a mapping are removed beside its merge key`() throws {
    for (text, removed) in [
      ("b: &B {}\nc: {<<: *B, x: 2, y: 3}\n", "b: &B {}\nc: {<<: *B}\n"),
      ("b: &B {}\nc: {x: 2, <<: *B, y: 3}\n", "b: &B {}\nc: {<<: *B}\n"),
      ("b: &B {}\nc:\n  x: 2\n  <<: *B\n  y: 3\n", "b: &B {}\nc:\n  <<: *B\n"),
    ] {
      let edited = try edit(text) { file in
        for path in ["c.x", "c.y"] { try file.remove(at: ValuePath(parsing: path)) }
      }
      #expect(edited == removed)
    }
  }

  @Test(
    arguments: [
      ("m: &M {x: 1}\nb: &B {y: 2}\ni:\n  <<: [*M, *B]\n", "i.x", "M", 4, 8),
      ("m: &M {x: 1}\nb: &B {y: 2}\ni:\n  <<: [*M, *B]\n", "i.y", "B", 4, 12),
      // The merged mapping merges another one.
      ("b: &B {y: 2}\nm: &M\n  <<: *B\ni:\n  <<: *M\n", "i.y", "B", 5, 7),
      // An anchor around another one, and one that is defined twice.
      ("a: &A {k: &K {x: 1}}\nb: *A\nc: *K\n", "a.k.x", "A", 1, 18),
      ("a: &A {k: &K {x: 1}}\nb: *A\nc: *K\n", "c.x", "K", 3, 4),
      ("a: &A {k: &K {x: 1}}\nb: *A\nc: *K\n", "b.k.x", "A", 2, 4),
      ("a: &A {x: 1}\nb: *A\na2: &A {y: 1}\nc: {<<: *A}\n", "c.y", "A", 4, 9),
    ] as [(String, String, String, Int, Int)])
  func `A refused change names the anchor of the value and its alias`(
    _ text: String, _ path: String, _ anchor: String, _ line: Int, _ column: Int
  ) throws {
    let error = #expect(throws: FerryError.self) {
      try edit(text) { try $0.set(text: "5", at: ValuePath(parsing: path)) }
    }
    #expect(error?.reason == .yaml(.sharedValue(anchor: anchor)))
    #expect(error?.location.line == line && error?.location.column == column)
  }

  @Test func `A value that is also a key, or that merge keys need, is not changed at its aliases`() throws {
    for text in ["a: &A x\nb: {*A : 1}\n", "a: &A {x: 1}\nb:\n  <<: *A\n"] {
      let error = #expect(throws: FerryError.self) {
        try editWithAliases(text) { try $0.set(.string("y"), at: ValuePath(parsing: "a")) }
      }
      #expect(error?.reason == .yaml(.notAtAliases(anchor: "A")), "\(text)")
    }
  }

  @Test func `The copies of a large value count against the budget`() throws {
    var options = EditableFile.Options()
    (options.format, options.changesAliases) = (.yaml, true)
    (options.budget.amplification, options.budget.amplificationFloor) = (1, 200_000)
    let text = "- &A x\n" + String(repeating: "- *A\n", count: 10)
    let file = try EditableFile(Array(text.utf8), options: options)
    let error = #expect(throws: FerryError.self) {
      try file.set(.string(String(repeating: "y", count: 100_000)), at: "[0]")
    }
    #expect(error?.reason == .overBudget(.amplification(1)))
    #expect(try file.bytes() == Array(text.utf8))
  }

  @Test func `Changes at aliases are for YAML`() throws {
    var options = EditableFile.Options()
    options.changesAliases = true
    let error = #expect(throws: FerryError.self) {
      try EditableFile(Array("[1]".utf8), named: "a.json", options: options)
    }
    #expect(error?.reason == .yaml(.notYAML(format: "json")))
  }

  /// A change at a path.
  private enum Change: CaseIterable {
    case set, setEmpty, setList, insert, remove

    private var value: Value {
      switch self {
      case .set, .insert, .remove: 7
      case .setEmpty: [:]
      case .setList: ["n", ["m": 1]]
      }
    }

    func applied(to value: Value, at path: ValuePath) -> Value? {
      var copy = value
      do {
        switch self {
        case .set, .setEmpty, .setList: try copy.set(self.value, at: path)
        case .insert: try copy.insert(self.value, at: path.appending(.key("new")))
        case .remove: try copy.remove(at: path)
        }
        return copy
      } catch { return nil }
    }

    /// Returns the path of the new value, and the value; nil for a removal.
    func result(at path: ValuePath) -> (path: ValuePath, value: Value)? {
      switch self {
      case .set, .setEmpty, .setList: (path, value)
      case .insert: (path.appending(.key("new")), value)
      case .remove: nil
      }
    }

    func apply(to file: EditableFile, at path: ValuePath) throws {
      switch self {
      case .set, .setEmpty, .setList: try file.set(value, at: path)
      case .insert: try file.insert(value, at: path.appending(.key("new")))
      case .remove: try file.remove(at: path)
      }
    }
  }

  private func values(of text: String) throws -> Value {
    let builder = ValueBuilder()
    try YAMLReader(into: builder, ReaderContext(budget: Budget())).readAll(Array(text.utf8).span)
    return try builder.result()
  }

  private static func paths(in value: Value, from path: ValuePath) -> [ValuePath] {
    var paths = [path]
    for (key, value) in value.dictionaryValue ?? [:] {
      paths += Self.paths(in: value, from: path.appending(.key(key.stringValue ?? "")))
    }
    for (index, value) in (value.arrayValue ?? []).enumerated() {
      paths += Self.paths(in: value, from: path.appending(.index(index)))
    }
    return paths
  }

  @Test(arguments: [
    ("e: &e {}\nm:\n  <<: *e\n", "m.x", "e: &e {}\nm:\n  <<: *e\n  x: 7\n"),
    ("e: &e {}\nm:\n  <<: *e # c\n  # d\n", "m.x", "e: &e {}\nm:\n  <<: *e # c\n  x: 7\n  # d\n"),
    ("m:\n  <<: {}\nn: 1 # c\n", "m.x", "m:\n  <<: {}\n  x: 7\nn: 1 # c\n"),
    ("e: &e {}\nm:\n  <<: [*e, {}]\n", "m.x", "e: &e {}\nm:\n  <<: [*e, {}]\n  x: 7\n"),
    ("e: &e {}\nm:\n  <<: *e\n  <<: {}\n", "m.x", "e: &e {}\nm:\n  <<: *e\n  <<: {}\n  x: 7\n"),
    ("e: &e {}\nm: {<<: *e} # c\n", "m.x", "e: &e {}\nm: {<<: *e, x: 7} # c\n"),
    ("e: &e {}\nm: {<<: *e, }\n", "m.x", "e: &e {}\nm: {<<: *e, x: 7, }\n"),
    ("e: &e {}\nm: {<<: [*e, {}]}\n", "m.x", "e: &e {}\nm: {<<: [*e, {}], x: 7}\n"),
    ("m: {\n  <<: {}\n}\n", "m.x", "m: {\n  <<: {},\n  x: 7\n}\n"),
    ("e: &e {}\nl: [<<: *e]\n", "l[0].x", "e: &e {}\nl: [{<<: *e, x: 7}]\n"),
    ("m: {<<: {a: 1}} # c\n", "m.x", "m: {<<: {a: 1}, x: 7} # c\n"),
    ("m:\n  <<: {a: 1} # c\nn: 1\n", "m.x", "m:\n  <<: {a: 1} # c\n  x: 7\nn: 1\n"),
  ]) func `A new entry follows the merge key of a mapping without entries of its own`(
    _ text: String, _ path: String, _ wanted: String
  ) throws {
    #expect(try edit(text) { try $0.insert(7, at: ValuePath(parsing: path)) } == wanted)
  }

  @Test(arguments: [
    ("l: [a: 1, b] # c\n", ["l[0].c"], "l: [{a: 1, c: 7}, b] # c\n"),
    ("l: [x, a: {k: 1} ] # c\n", ["l[1].c", "l[1].d"], "l: [x, {a: {k: 1}, c: 7, d: 7} ] # c\n"),
    ("l: [\n  b: 1 # c\n ]\n", ["l[0].c"], "l: [\n  {b: 1, # c\n  c: 7}\n ]\n"),
    ("l: [\n  b: 1 # c\n ]\n", ["l[]"], "l: [\n  b: 1, # c\n  7\n ]\n"),
    ("l: [b: 1 ] # c\n", ["l[0].c", "l[]"], "l: [{b: 1, c: 7}, 7 ] # c\n"),
    ("l: [[x]: 1, b] # c\n", ["l[0].c"], "l: [{[x]: 1, c: 7}, b] # c\n"),
    ("b: &B {x: 1}\nl: [<<: *B]\n", ["l[0].c"], "b: &B {x: 1}\nl: [{<<: *B, c: 7}]\n"),
    ("l: [? a : 1 , b] # c\n", ["l[0].c"], "l: [{? a : 1, c : 7} , b] # c\n"),
    ("l: [a: 1, ? b\n ] # c\n", ["l[1].c"], "l: [a: 1, {? b, c: 7}\n ] # c\n"),
  ]) func `A pair in a list gets brackets with its second entry`(
    _ text: String, _ paths: [String], _ wanted: String
  ) throws {
    let edited = try edit(text) { file in
      for path in paths { try file.insert(7, at: ValuePath(parsing: path)) }
    }
    #expect(edited == wanted)
  }

  @Test(arguments: [
    ("l:\n  - 1 # c\n", "l:\n  - 1 # c\n  - 4\nz: 1\n"),
    ("l: # c\n  - 1", "l: # c\n  - 1\n  - 4\nz: 1"),
    ("k: 1\nl:\n  - 1\n  # c\n", "k: 1\nl:\n  - 1\n  - 4\nz: 1\n  # c\n"),
    ("l:\n  - 1\n\nm: 2 # c\n", "l:\n  - 1\n  - 4\n\nm: 2 # c\nz: 1\n"),
  ]) func `Insertions at the end of the last collection and of the document are in their order`(
    _ text: String, _ wanted: String
  ) throws {
    for isReversed in [false, true] {
      let edited = try edit(text) { file in
        if isReversed { try file.insert(1, at: "z") }
        try file.insert(4, at: "l[]")
        if !isReversed { try file.insert(1, at: "z") }
      }
      #expect(edited == wanted, "\(text)")
    }
  }

  @Test func `A comment after the last line of a replaced block is not left to another value`() throws {
    let text = "x:\n  a: 1 # one\n  b: 2 # two\ny: 1 # three\nz:\n- a: 1 # four\n"
    var options = EditableFile.Options()
    options.format = .yaml
    for (path, wanted, count) in [
      ("x", text.replacing("\n  a: 1 # one\n  b: 2 # two", with: "\n  b:\n    - 2"), 2),
      ("y", text.replacing("y: 1", with: "y: {\"b\": [2]}"), 0),
      ("z[0]", text.replacing("a: 1 # four", with: "b:\n    - 2 # four"), 0),
    ] {
      let (file, losses) = (try EditableFile(Array(text.utf8), options: options), LossReport())
      try file.set(["b": [2]], at: ValuePath(parsing: path))
      #expect(try String(decoding: file.bytes(losses: losses), as: UTF8.self) == wanted)
      #expect(losses.all.counts.first { $0.kind == .comment }?.count ?? 0 == count, "\(path)")
    }
  }

  /// Changes of blocks: the text, the path, the JSON of the new value or nil to remove it, and the text after that. The beginning of the
  /// text shows that it is not written anew.
  private static let blocks: [(text: String, path: String, json: String?, wanted: String)] = [
    ("args:\n- -v\n", "args", #"["-q"]"#, "args:\n- -q\n"),
    ("args:\n- -v\n- b\n", "args", "true", "args: true\n"),
    ("args:\n  - -v\n  - b\nb: 2\n", "args", #"{"x":[1]}"#, "args:\n  x:\n    - 1\nb: 2\n"),
    ("args:\n- a\nb: 2\n", "args", #"{"x":1}"#, "args:\n  x: 1\nb: 2\n"),
    ("args:\n- -v\nb: 2\n", "args[0]", nil, "args: []\nb: 2\n"),
    ("m:\n  a: 1\nb: 2\n", "m.a", nil, "m: {}\nb: 2\n"),
    ("m:\n  a: 1\nb: 2\n", "m", "[]", "m: []\nb: 2\n"),
    ("? a\n? b\n", "a", nil, "? b\n"), ("? a\n? b\n", "a", "1", "? a\n: 1\n? b\n"),
    ("b: {a, c: 2, d}\n", "b.a", "1", "b: {a: 1, c: 2, d}\n"),
    ("b: {a, c: 2, d}\n", "b.d", "1", "b: {a, c: 2, d: 1}\n"),
    ("l:\n- - 1\n  - 2\n- c\n", "l[0]", #"{"x":1}"#, "l:\n- x: 1\n- c\n"),
    ("l:\n- - 1\n  - 2\n- c\n", "l[0]", "3", "l:\n- 3\n- c\n"),
    ("a: # c\n- x\nb: 1\n", "a", "true", "a: # c\n  true\nb: 1\n"),
    ("l:\n- # c ?\n  k: 1\n- 2\n", "l[0]", "true", "l:\n- # c ?\n  true\n- 2\n"),
    ("a: # c\n- x\nb: 1\n", "a", #"{"k":1}"#, "a: # c\n  k: 1\nb: 1\n"),
    ("a:\n- x\n# c\n- y\nb: 1\n", "a[1]", nil, "a:\n- x\n# c\nb: 1\n"),
    ("a: &x\n  - 1\nb: 1\n", "a", "[2]", "a: &x\n  - 2\nb: 1\n"),
    ("a: |\n  x\nb: 1\n", "a", #""p\nq\n""#, "a: |\n  p\n  q\nb: 1\n"),
    ("a: |\n    x\nb: 1\n", "a", #""p\n\nq""#, "a: |-\n    p\n\n    q\nb: 1\n"),
    ("a: >-\n  one\n  two\nb: 1\n", "a", #""three""#, "a: >-\n  three\nb: 1\n"),
    ("l:\n- |\n  x\n- b\n", "l[0]", #""y\n""#, "l:\n- |\n  y\n- b\n"),
    ("a: 'x'\n", "a", #""it's""#, "a: 'it''s'\n"), ("a: \"x\"\n", "a", #""y""#, "a: \"y\"\n"),
    ("a: 'x'\n", "a", #""p\nq""#, "a: \"p\\nq\"\n"),
  ]

  @Test(arguments: blocks.indices) func `A block is replaced in its place`(_ index: Int) throws {
    let (text, path, json, wanted) = Self.blocks[index]
    let start = "q: [1,   0x1F]\nz: \"s\"\n"
    let losses = LossReport()
    var options = EditableFile.Options()
    options.format = .yaml
    let file = try EditableFile(Array((start + text).utf8), options: options)
    if let json {
      try file.set(Value(json: Array(json.utf8), budget: Budget()), at: ValuePath(parsing: path))
    } else {
      try file.remove(at: ValuePath(parsing: path))
    }
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == start + wanted)
    #expect(losses.isEmpty)
  }

  @Test func `A text that has to be written anew is reported`() throws {
    // The trailing blank lines would belong to the block that is kept with them.
    let text = "n: 0x1F\na: |\n  x\n\n\nb: 1\n"
    var options = EditableFile.Options()
    options.format = .yaml
    let (file, losses) = (try EditableFile(Array(text.utf8), options: options), LossReport())
    try file.set(.string("p\n\n"), at: ValuePath(parsing: "a"))
    _ = try file.bytes(losses: losses)
    #expect(losses.counts.map(\.kind) == [.textLayout])
  }

  @Test(arguments: [
    ("a: &l\n  - 1\nb: *l\n", "a[]", YAMLProblem.sharedValue(anchor: "l")),
    ("a: &l\n  - 1 # c\nb: *l\n", "a[]", .sharedValue(anchor: "l")),
    ("a: &l\n  - 1 # c\n  # d\nb: *l\n", "a[]", .sharedValue(anchor: "l")),
    ("d: &l {x: 1}\ne:\n  <<: *l\n  x: 2\n  q: 3\n", "e.x", .mergedEntry(key: "x", anchor: "l")),
    ("d: &l {x: 1}\ne:\n  <<: *l\n  x: 2\n", "e.x", .mergedEntry(key: "x", anchor: "l")),
    ("d: &l {x: 1}\ne: {<<: [*l], x: 2, y: 3}\n", "e.x", .mergedEntry(key: "x", anchor: "l")),
  ]) func `A refusal names the anchor that stands in the way`(
    _ text: String, _ path: String, _ problem: YAMLProblem
  ) throws {
    let error = #expect(throws: FerryError.self) {
      try edit(text) { file in
        let path = try ValuePath(parsing: path)
        if path.steps.last == .end { try file.insert(2, at: path) } else { try file.remove(at: path) }
      }
    }
    #expect(error?.reason == .yaml(problem))
  }

  @Test(arguments: [
    ("a: !!str 42 # c\n", "a: !!str '43' # c\n", "43", false),
    ("a: !!str 'x' # c\n", "a: !!str 'y' # c\n", "y", false),
    ("a: !!str 'x' # c\n", "a: !!str ''': b' # c\n", "': b", false),
    ("a: !!str 'x' # c\n", "a: !!str 'a''''b: c' # c\n", "a''b: c", false),
    ("a: ! 5 # c\n", "a: ! '6' # c\n", "6", false), ("a: !!int \"7\" # c\n", "a: !!int 8 # c\n", "8", false),
    ("a: &x !!float 1.5 # c\n", "a: &x !!float 2.5 # c\n", "2.5", false),
    ("a: !!float &x 1.5 # c\n", "a: !!float &x 3.0 # c\n", "3", false),
    ("a: !!float 1.5\n", "a: !!float -0.0\n", "-0", false),
    ("a: !!float 1.5\n", "a: 9007199254740993\n", "9007199254740993", true),
    ("a: !!int 3\n", "a: 1.5\n", "1.5", true),
    ("a: !!bool \"true\"\n", "a: !!bool false\n", "false", false),
    ("a: !!str # c\n  text # d\n", "a: !!str # c\n  more # d\n", "more", false),
    ("a: !!str |\n  one\n  two\nb: 1\n", "a: !!str |-\n  three\nb: 1\n", "three", false),
    ("a: !!null ''\n", "a: '5'\n", "5", true),
    (
      "a: !!timestamp 2014-06-01T09:30:00Z # c\n", "a: !!timestamp 2015-06-01T09:30:00Z # c\n",
      "2015-06-01T09:30:00Z", false
    ),
    ("[!!str 1, !!str 2]\n", "[!!str '3', !!str 2]\n", "3", false),
  ])
  func `A changed value keeps a tag of its type, and loses another with a report`(
    _ old: String, _ new: String, _ value: String, _ isLost: Bool
  ) throws {
    var options = EditableFile.Options()
    options.format = .yaml
    let (file, losses) = (try EditableFile(Array(old.utf8), options: options), LossReport())
    try file.set(text: value, at: ValuePath(parsing: old.hasPrefix("[") ? "[0]" : "a"))
    #expect(try String(decoding: file.bytes(losses: losses), as: UTF8.self) == new)
    #expect(losses.all.counts.map(\.kind) == (isLost ? [.typeTag] : []))
  }

  @Test func `A negative zero as a real keeps the tag of a real`() throws {
    let edited = try edit("a: !!float 1.5 # c\nb: 2.5\n") { file in
      for key in ["a", "b"] { try file.set(text: "-0", as: .real, at: ValuePath(parsing: key)) }
    }
    #expect(edited == "a: !!float -0.0 # c\nb: -0\n")
  }

  @Test(arguments: [nil, TextType.json])
  func `An integer in place of a real with a tag is written as a real`(_ type: TextType?) throws {
    let text = "a: !!float 1.5 # c\nb: &x !!float 2.5\nc: !!float .inf\n"
    let edited = try edit(text) { file in
      for key in ["a", "b", "c"] { try file.set(text: "5", as: type, at: ValuePath(parsing: key)) }
    }
    #expect(edited == "a: !!float 5.0 # c\nb: &x !!float 5.0\nc: !!float 5.0\n")
    let plain = try edit(text) { try $0.set(text: "5", as: .integer, at: ValuePath(parsing: "a")) }
    #expect(plain == text.replacing("!!float 1.5", with: "5"))
  }

  @Test(arguments: [
    ("a: | # note\n  one\n  two\nb: 1\n", "a: |- # note\n  three\nb: 1\n", "three"),
    ("a: !!str | # note\n  one\nb: 1\n", "a: !!str |- # note\n  three\nb: 1\n", "three"),
    ("a: >  # note\n  one\n  two\n# after\nb: 1\n", "a: >-  # note\n  three\n# after\nb: 1\n", "three"),
    ("a: >\n  one\nb: 1\n", "a: >\n  three\n\n  four\nb: 1\n", "three\nfour\n"),
    ("a: >\n  one\nb: 1\n", "a: |\n  three\n    four\nb: 1\n", "three\n  four\n"),
  ])
  func `A text in a block keeps the comment after its header, and the kind of its block`(
    _ old: String, _ new: String, _ value: String
  ) throws {
    var options = EditableFile.Options()
    options.format = .yaml
    let (file, losses) = (try EditableFile(Array(old.utf8), options: options), LossReport())
    try file.set(.string(value), at: ValuePath(parsing: "a"))
    #expect(try String(decoding: file.bytes(losses: losses), as: UTF8.self) == new)
    #expect(losses.all.isEmpty)
  }

  @Test func `A collection in place of another keeps a tag of its type`() throws {
    let text = "a: !!seq [1, 2] # c\nb: !!map {a: 1} # d\n"
    let edited = try edit(text) {
      try $0.set([3], at: ValuePath(parsing: "a"))
      try $0.set(["k": 2], at: ValuePath(parsing: "b"))
    }
    #expect(edited == "a: !!seq [3] # c\nb: !!map {\"k\": 2} # d\n")
    let other = try edit(text) { try $0.set("x", at: ValuePath(parsing: "a")) }
    #expect(other == "a: x # c\nb: !!map {a: 1} # d\n")
  }

  @Test func `A changed value keeps its anchor and its class`() throws {
    let text = "a: &x 1\nb: !Ref r # c\nc: &y\n  p: 1\nd: &z !!str 5\n"
    #expect(
      try edit(text) { try $0.set(text: "2", at: ValuePath(parsing: "a")) }
        == text.replacing("&x 1", with: "&x 2"))
    #expect(
      try edit(text) { try $0.set(text: "s", at: ValuePath(parsing: "b")) }
        == text.replacing("!Ref r", with: "!Ref s"))
    #expect(
      try edit(text) { try $0.insert(.integer(2), at: ValuePath(parsing: "c.q")) }
        == text.replacing("p: 1\n", with: "p: 1\n  q: 2\n"))
    #expect(
      try edit(text) { try $0.set(text: "6", at: ValuePath(parsing: "d")) }
        == text.replacing("!!str 5", with: "!!str '6'"))
  }

  @Test func `An entry is inserted into a mapping that merges another`() throws {
    let text = "base: &b {p: 1}\nv:\n  <<: *b\nw: 1\n"
    #expect(
      try edit(text) { try $0.insert(.integer(2), at: ValuePath(parsing: "v.q")) }
        == text.replacing("*b\n", with: "*b\n  q: 2\n"))
  }

  @Test(arguments: [
    ("b: &b {p: 1, q: 2}\nv:\n  <<: *b # c\n  r: 3", "b: &b {p: 1, q: 2}\nv:\n  <<: *b # c\n  r: 3\n  p: 7"),
    ("b: &b {p: 1}\nv:\n  <<: *b # c\nw: 1\n", "b: &b {p: 1}\nv:\n  <<: *b # c\n  p: 7\nw: 1\n"),
    ("b: &b {p: 1}\nv: {<<: [*b], r: 1} # c\n", "b: &b {p: 1}\nv: {<<: [*b], r: 1, p: 7} # c\n"),
    ("b: &b {p: 1}\nv: {<<: *b}", "b: &b {p: 1}\nv: {<<: *b, p: 7}"),
  ])
  func `An inserted entry takes precedence over an entry that a merge key adds`(
    _ text: String, _ expected: String
  ) throws {
    let path = try ValuePath(parsing: "v.p")
    #expect(try edit(text) { try $0.insert(7, at: path) } == expected)
    // An entry of its own is in the way of another one.
    let error = #expect(throws: FerryError.self) { try edit(expected) { try $0.insert(8, at: path) } }
    #expect(error?.reason == .path(.exists("p")))
  }

  @Test func `A merged entry is overridden beside other changes, and not in a copy`() throws {
    let text = "b: &b {p: 1, q: 2}\nv: &v\n  <<: *b\n  r: 3\n  s: 4\nw: *v\n"
    let edited = try edit(text.replacing("w: *v\n", with: "")) { file in
      try file.insert(7, at: ValuePath(parsing: "v.q"))
      try file.remove(at: ValuePath(parsing: "v.r"))
      try file.insert(8, at: ValuePath(parsing: "v.p"))
    }
    #expect(edited == "b: &b {p: 1, q: 2}\nv: &v\n  <<: *b\n  s: 4\n  q: 7\n  p: 8\n")
    for path in ["v.p", "w.p"] {
      let error = #expect(throws: FerryError.self) {
        try edit(text) { try $0.insert(7, at: ValuePath(parsing: path)) }
      }
      #expect([.yaml(.sharedValue(anchor: "v")), .path(.exists("p"))].contains(error?.reason), "\(path)")
    }
  }

  @Test func `A new root is written in blocks, and its lost anchors and comments are reported`() throws {
    var options = EditableFile.Options()
    options.format = .yaml
    let text = "base: &b {p: 1}  # c\r\nuse: *b\r\n"
    let file = try EditableFile(Array(text.utf8), options: options)
    try file.set(["a": ["b", ["c": "d"]]], at: ValuePath())
    let losses = LossReport()
    #expect(
      String(decoding: try file.bytes(losses: losses), as: UTF8.self) == "a:\r\n  - b\r\n  - c: d\r\n")
    #expect(losses.all.counts.map(\.kind) == [.comment, .anchor])
    #expect(losses.all.counts.map(\.count) == [1, 2])
  }

  @Test func `A value beside a key that is a collection is changed`() throws {
    let text = "a: 1\n? [x, {y: z}] # c\n: c\nt: !foo 4\nb: 2\n"
    #expect(
      try edit(text) { try $0.set(text: "3", at: ValuePath(parsing: "b")) }
        == text.replacing("b: 2", with: "b: 3"))
    #expect(
      try edit(text) { try $0.remove(at: ValuePath(parsing: "a")) } == text.replacing("a: 1\n", with: ""))
  }

  @Test func `A text in another encoding or with a byte order mark keeps both`() throws {
    func bytes(_ text: String, _ encoding: String, _ mark: [UInt8]) throws -> [UInt8] {
      var encoder = try TextEncoder(
        to: OutputEncoding(name: encoding, mark: mark), escape: Format.yaml.characterEscape,
        declaresEncoding: false)
      var bytes: [UInt8] = []
      try encoder.append(Array(text.utf8).span, to: &bytes)
      try encoder.finish(to: &bytes)
      return bytes
    }
    var options = EditableFile.Options()
    options.format = .yaml
    for (encoding, mark) in [
      ("UTF-8", [0xef, 0xbb, 0xbf]), ("UTF-16LE", [0xff, 0xfe]), ("UTF-16BE", [0xfe, 0xff]),
      ("UTF-32LE", [0xff, 0xfe, 0, 0]), ("UTF-32BE", [0, 0, 0xfe, 0xff]), ("UTF-16LE", []),
    ] as [(String, [UInt8])] {
      let file = try EditableFile(try bytes("a: 1 # é\r\nb: 2\r\n", encoding, mark), options: options)
      try file.set(text: "3", at: ValuePath(parsing: "b"))
      #expect(try file.bytes() == bytes("a: 1 # é\r\nb: 3\r\n", encoding, mark), "\(encoding)")
    }
  }

  @Test func `Comments of a collection in brackets stay with their entries`() throws {
    let text = "{a: 1, # one\n b: 2} # two\n"
    #expect(
      try edit(text) { try $0.insert(.integer(3), at: ValuePath(parsing: "c")) }
        == "{a: 1, # one\n b: 2,\n c: 3} # two\n")
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: "a")) } == "{ # one\n b: 2} # two\n")
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: "b")) } == "{a: 1 # one\n} # two\n")
  }

  @Test func `A block of which all entries are removed keeps the comments beside them`() throws {
    #expect(
      try edit("a:\n  # b\n  b: 1 # c\nd: 2\n") { try $0.remove(at: ValuePath(parsing: "a.b")) }
        == "a:\n  # b\n  {} # c\nd: 2\n")
  }

  @Test(arguments: [
    ("a: 1\n# above b\nb: # bs\n  # in\n  x: y # side\nc: 2\n", "b", "a: 1\n# above b\nc: 2\n"),
    ("b:\n  x: y # side\n# c\nc: 2\n", "b", "# c\nc: 2\n"),
    ("a: 1\nb:\n  x: y # side\n", "b", "a: 1\n"),
    ("- a: 1 # s\n  b: 2 # t\n- c\n", "[0]", "- c\n"),
    ("- c\n- a: 1 # s\n  b: 2 # t\n- d\n", "[1]", "- c\n- d\n"),
    ("b:\n  x: |\n    t\n# o\nc: 2\n", "b", "# o\nc: 2\n"),
    // A comment beside a value on one line is beside the entry.
    ("a: 1\nb: {x: y} # side\nc: 2\n", "b", "a: 1\n# side\nc: 2\n"),
  ])
  func `A removed block takes the comment beside its last line along`(
    _ text: String, _ path: String, _ wanted: String
  ) throws {
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: path)) } == wanted)
  }

  @Test(arguments: [
    ("# c\na:\n  k: |\n    x\n  q: 0x1F\n", "a.q", "z", "# c\na:\n  k: |\n    x\nz: 0x1F\n"),
    ("# c\na:\n- |\n  x\n- q\n", "a[1]", "z", "# c\na:\n- |\n  x\nz: q\n"),
    ("# c\r\na:\r\n  k: |\r\n    x\r\n  q: 1\r\n", "a.q", "z", "# c\r\na:\r\n  k: |\r\n    x\r\nz: 1\r\n"),
    // White space at the end of the removed line.
    ("# c\na:\n  k: 1\n  q: 2  \n", "a.q", "z", "# c\na:\n  k: 1\nz: 2\n"),
  ])
  func `The last entry of a block moves to a key after the block`(
    _ text: String, _ path: String, _ newPath: String, _ wanted: String
  ) throws {
    let moved = try edit(text) {
      try $0.move(ValuePath(parsing: path), to: ValuePath(parsing: newPath))
    }
    #expect(moved == wanted)
  }

  @Test func `Entries follow a block of text of which a patch removes the entry below it`() throws {
    let text = "# c\na:\n  b:\n    k: |\n      x\n    q: 1\n"
    let merged = try edit(text) {
      try $0.merge(["a": ["b": ["q": .null], "z": 2], "m": 3])
    }
    #expect(merged == "# c\na:\n  b:\n    k: |\n      x\n  z: 2\nm: 3\n")
  }

  @Test(arguments: [
    ("{? k : 1, b: 2}\n", "k", "{b: 2}\n"), ("{b: 2, ? k : 1}\n", "k", "{b: 2}\n"),
    ("{a: 1, ? # why?\n k : 2, c: 3}\n", "k", "{a: 1, c: 3}\n"),
    ("{? k, b: 2, ? m}\n", "m", "{? k, b: 2}\n"), ("{? k : 1, ?b: 2}\n", "b", "{? k : 1}\n"),
  ])
  func `The question mark before a key in brackets is removed with its entry`(
    _ text: String, _ path: String, _ wanted: String
  ) throws {
    #expect(try edit(text) { try $0.remove(at: ValuePath(parsing: path)) } == wanted)
  }

  @Test func `Random changes give the wanted values or are refused`() throws {
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for round in 0..<300 {
      let count = Int.random(in: 1...5, using: &random)
      let isFlow = Bool.random(using: &random)
      var text = isFlow ? "[" : ""
      for index in 0..<count {
        if isFlow {
          text += "\(index)" + (index + 1 < count ? ", " : "]")
        } else {
          text += ["", "# c\n"].randomElement(using: &random) ?? ""
          text += "- \(index)" + (["\n", " # d\n"].randomElement(using: &random) ?? "")
        }
      }
      var values = (0..<count).map { Value.integer(Int128($0)) }
      let place = Int.random(in: 0..<count, using: &random)
      let kind = Int.random(in: 0..<3, using: &random)
      do {
        let edited = try edit(text) { file in
          let path = try ValuePath(parsing: "[\(place)]")
          switch kind {
          case 0:
            values[place] = ["k": "v"]
            try file.set(["k": "v"], at: path)
          case 1:
            values.insert(["k": ["v"]], at: place)
            try file.insert(["k": ["v"]], at: path)
          default:
            values.remove(at: place)
            try file.remove(at: path)
          }
        }
        #expect(try self.values(of: edited) == .array(values), "round \(round): \(text) became \(edited)")
        #expect(
          edited.ranges(of: "#").count == text.ranges(of: "#").count,
          "round \(round): \(text) became \(edited)")
      } catch let error as FerryError {
        #expect(error.reason == .yaml(.notChanged))
        refused += 1
      }
    }
    #expect(refused < 30)
  }

  @Test(arguments: [
    ("1: a   # one\n2: b\n", "3", "1: a   # one\n2: b\n3: c\n"),
    ("{1: a, 2: b}\n", "1.5", "{1: a, 2: b, 1.5: c}\n"),
    ("true: a\n", "false", "true: a\nfalse: c\n"), ("1: a\n", "null", "1: a\nnull: c\n"),
    ("1: a\nb: c\n", "3", "1: a\nb: c\n3: c\n"),
    ("'1': a\nb: c\n2: d\n'3': e\n", "4", "'1': a\nb: c\n2: d\n'3': e\n'4': c\n"),
    ("1: a\n", "x", "1: a\nx: c\n"), ("b: a\n", "3", "b: a\n'3': c\n"), ("1: a\n", "007", "1: a\n'007': c\n"),
    ("1: a\nb: c\n", "true", "1: a\nb: c\n'true': c\n"),
    (
      "!!timestamp 2001-01-01T00:00:00Z: a\n", "2002-03-04T05:06:07Z",
      "!!timestamp 2001-01-01T00:00:00Z: a\n!!timestamp 2002-03-04T05:06:07Z: c\n"
    ),
  ])
  func `A new key has the type of the keys beside it`(_ text: String, _ key: String, _ wanted: String) throws
  {
    #expect(try edit(text) { try $0.insert("c", at: ValuePath([.key(key)])) } == wanted)
    let patch = try JSONPatch(Array(#"[{"op":"add","path":"/\#(key)","value":"c"}]"#.utf8))
    #expect(try edit(text) { try $0.apply(patch) } == wanted)
    // The key is found again by its text.
    #expect(try edit(wanted) { try $0.remove(at: ValuePath([.key(key)])) } == text)
  }

  @Test func `Keys that are numbers are replaced and renamed, and stay numbers`() throws {
    let text = "1: a   # one\n2: b\n"
    let json = #"{"1":"a","3":"c"}"#
    #expect(try edit("1: a\n2: b\n") { try $0.set(text: json, as: .json, at: ValuePath()) } == "1: a\n3: c\n")
    let move = try JSONPatch(Array(#"[{"op":"move","from":"/2","path":"/3"}]"#.utf8))
    #expect(try edit(text) { try $0.apply(move) } == "1: a   # one\n3: b\n")
    #expect(try edit("2: b\n") { try $0.apply(move) } == "3: b\n")
  }
}
