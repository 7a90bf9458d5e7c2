import TestSupport
import Testing

@testable import Ferry

/// Values to YAML, and the agreement with PyYAML.
@Suite struct `Writing YAML` {
  private static func text(_ value: Value, _ style: OutputStyle = .compact) throws -> String {
    let output = MemoryOutput()
    let writer = YAMLWriter(to: output, style: style)
    try value.replay(into: writer)
    try writer.finish()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private static func value(_ text: String) throws -> Value {
    let builder = ValueBuilder()
    try YAMLReader(into: builder, ReaderContext(budget: Budget())).readAll(Array(text.utf8).span)
    return try builder.result()
  }

  @Test(arguments: ["hello", "x: 1\nb: evil", "", "1 # 2", "0x1F", "007"])
  func `A number whose text is not a number is refused`(_ text: String) throws {
    let number = Value.number(text)
    let reason = FerryError.Reason.cannotHold(.kind("the number \(text)", format: "YAML"))
    let values: [Value] = [number, ["a": number], .dictionary([.array([number]): 1])]
    for value in values {
      let error = #expect(throws: FerryError.self) { try Self.text(value) }
      #expect(error?.reason == reason)
    }
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .yaml).encode(["a": number]) }
    var typed = FerryEncoder(to: .xml)
    typed.writing.xml.types = .attributes
    #expect(throws: (any Error).self) { try typed.encode(["a": number, "b": 1]) }
  }

  @Test func `Collections are blocks, as people write them`() throws {
    let value: Value = [
      "name": "Ada", "tags": ["math", ["a", ["b"]], [:], []], "born": ["year": 1815, "at": [:]],
      "list": [["x": 1, "w": ["z"]], ["x": 2]], "note": "two\nlines\n", "end": "a\nb", "keep": "a\n\n",
    ]
    #expect(
      try Self.text(value) == """
        name: Ada
        tags:
          - math
          - - a
            - - b
          - {}
          - []
        born:
          year: 1815
          at: {}
        list:
          - x: 1
            w:
              - z
          - x: 2
        note: |
          two
          lines
        end: |-
          a
          b
        keep: |+
          a


        """)
    #expect(
      try Self.text(["a": ["b": ["c"]]], OutputStyle(indentation: .spaces(4))) == "a:\n    b:\n        - c\n")
    #expect(try Self.text([:]) == "{}\n")
    #expect(try Self.text("a\nb\n") == "|\n  a\n  b\n")
    #expect(try Self.text(.set(["a", ["b": 1]])) == "!!set\n? a\n? b: 1\n")
    #expect(try Self.text(["s": .set([])]) == "s: !!set {}\n")
    #expect(
      try Self.text([.data([0, 1, 2]), .date(secondsSince2001: 0.5)])
        == "- !!binary \"AAEC\"\n- !!timestamp 2001-01-01T00:00:00.5Z\n")
  }

  @Test(arguments: [
    "", " a", "a ", "no", "NO", "on", "y", "~", "null", "True", "1", "-1", "+1", "+.5", "--5", "0777",
    "1_000", "0x1F",
    "0b1", "0o7", "12:30",
    "1:30:00.5", "1.5", ".5", "1.", "1e3", "1.e+3", ".inf", "-.INF", ".NaN", "2001-12-14",
    "2001-12-14 01:02:03", "<<", "=", "- a",
    "-", "? a", ": a", "a: b", "a #b", "#a", "&a", "*a", "!a", "|", ">", "'a", "\"a", "%a", "@a", "`a", "[a",
    "{a", "a:", "---", "... a",
    "a\tb", "a\u{7f}", "a\u{85}", "\u{feff}a", "a\u{2028}", "\u{1b}", "a\r\nb", "\na", " a\nb", "a\n ",
    "a\n \n", "\n", "\t",
  ])
  func `A string that a reader would misread is in quotation marks`(_ string: String) throws {
    let text = try Self.text([.string(string)])
    #expect(text.hasPrefix("- \"") || text.hasPrefix("- '"), "\(text)")
    guard PackageTraits.hasYAML else { return }
    #expect(try Self.value(text) == [.string(string)])
    #expect(try Self.value(Self.text([string: 1])) == [string: 1])
    #expect(try Self.value(Self.text(.string(string))) == .string(string))
  }

  @Test(arguments: [
    "a", "a b", "Ada's", "a:b", "a#b", "-a", "1st", "1.2.3", "12 Main Street", "2001-12",
    "http://x.org/?a=b&c", "naïve ☃ 😀", "nope",
    "C:\\x", "a, b", "x[1]", "+", "e1", "0x", "12:a", "1,000", "w@a",
    "+-5", "-+5", "+-.5", "+-.inf",
  ])
  func `A string that no reader misreads has no quotation marks`(_ string: String) throws {
    let text = try Self.text([.string(string)])
    #expect(text == "- \(string)\n")
    guard PackageTraits.hasYAML else { return }
    #expect(try Self.value(text) == [.string(string)])
  }

  /// Random values of the kinds that YAML and Python have.
  private static func random(_ random: inout SeededGenerator, depth: Int = 0) -> Value {
    let words = [
      "a", "no", "1", "", " x", "two\nlines", "line\n", "a: b", "- a", "é☃😀", "\t", "x\n\n", "key #1", "0777",
      "true", "'", "\"", "\\",
      "---", "\u{7}", "\n", "a\n\tb", "long " + String(repeating: "word ", count: 40), "  a\n b",
      "a\n  b\nc", "[", "1_0", "y",
    ]
    let word = { (random: inout SeededGenerator) in words.randomElement(using: &random) ?? "" }
    switch Int.random(in: depth > 4 ? 0...6 : 0...9, using: &random) {
    case 0: return .null
    case 1: return .boolean(.random(using: &random))
    case 2: return .integer(Int128(Int.random(in: -1000...1000, using: &random)))
    case 3: return .real([0.5, -1.25, 1e20, 1e-7, 3.0, -0.0, 1e300].randomElement(using: &random) ?? 0)
    case 4...6: return .string(word(&random))
    case 7, 8:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.random(&random, depth: depth + 1) })
    default:
      var entries = KeyedValues()
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        entries[word(&random)] = Self.random(&random, depth: depth + 1)
      }
      return .dictionary(entries)
    }
  }

  @Test(.enabled(if: PackageTraits.hasYAML)) func `Random values come back from YAML`() throws {
    var random = SeededGenerator(seed: 1)
    for round in 0..<2000 {
      let value = Self.random(&random)
      let text = try Self.text(value)
      #expect(try Self.value(text) == value, "round \(round): \(text)")
    }
  }

  @Test(.enabled(if: PackageTraits.hasYAML)) func `Random values come back from several documents`() throws {
    var random = SeededGenerator(seed: 3)
    for round in 0..<500 {
      let values = (0..<Int.random(in: 2...4, using: &random)).map { _ in Self.random(&random) }
      let text = try Self.text(.array(values), OutputStyle(hasDocuments: true))
      #expect(try Self.value(text) == .array(values), "round \(round): \(text)")
    }
  }

  @Test func `Each element of a list is a document if the layout asks for that`() throws {
    let style = OutputStyle(hasDocuments: true)
    #expect(
      try Self.text([["a": [1]], [1, [2]], "x\ny\n", .null, [], .set(["s"])], style)
        == "a:\n  - 1\n---\n- 1\n- - 2\n---\n|\n  x\n  y\n---\nnull\n---\n[]\n---\n!!set\n? s\n")
    #expect(try Self.text([["a": 1]], style) == "a: 1\n")
    #expect(try Self.text(["a": [1, 2]], style) == "a:\n  - 1\n  - 2\n")
    #expect(try Self.text([], style) == "")
  }

  @Test func `PyYAML reads what Ferry writes, and Ferry what PyYAML writes`() async throws {
    let isThere = try await Peer.python("import yaml")
    guard isThere.succeeded else { try Test.cancel("PyYAML is not installed here") }
    var random = SeededGenerator(seed: 2)
    let values = (0..<400).map { _ in Self.random(&random) }
    let texts = try values.map { try Self.text($0) }
    let json = try JSONTest.text(.array(texts.map { .string($0) }))
    let read = try await Peer.python(
      """
      import json, sys, yaml
      texts = json.load(sys.stdin)
      print(json.dumps([yaml.safe_load(text) for text in texts]))
      """, input: Array(json.utf8))
    #expect(read.succeeded, "\(read.errors)")
    guard case .array(let found) = try JSONTest.value(read.text) else { return }
    #expect(found.count == values.count)
    for (index, value) in values.enumerated() where index < found.count {
      #expect(try plain(found[index]) == plain(value), "\(texts[index])")
    }
    guard PackageTraits.hasYAML else { return }
    let written = try await Peer.python(
      """
      import json, sys, yaml
      values = json.load(sys.stdin)
      print(json.dumps([yaml.safe_dump(value, allow_unicode=True, sort_keys=False) for value in values]
        + [yaml.safe_dump(value, default_flow_style=True, sort_keys=False) for value in values]))
      """, input: Array(try JSONTest.text(.array(values)).utf8))
    #expect(written.succeeded, "\(written.errors)")
    guard case .array(let dumps) = try JSONTest.value(written.text) else { return }
    for (index, dump) in dumps.enumerated() {
      guard case .string(let text) = dump else { continue }
      #expect(try plain(Self.value(text)) == plain(values[index % values.count]), "\(text)")
    }
  }

  /// Returns JSON of a value in which reals are compared by their value, and not by their notation.
  private func plain(_ value: Value) throws -> Value {
    try JSONTest.value(JSONTest.text(value).replacing("e+", with: "e"))
  }

  @Test(.enabled(if: PackageTraits.hasYAML)) func `Keys of any kind come back`() throws {
    var entries = KeyedValues()
    for key in [.integer(1), .real(1.5), .null, .boolean(true), ["a", ["b": 1]], .data([1]), "s"] as [Value] {
      entries[key] = "x"
    }
    var outer = KeyedValues()
    outer[.dictionary(entries)] = .dictionary(entries)
    let value = Value.array([.dictionary(entries), .dictionary(outer)])
    #expect(try Self.value(Self.text(value)) == value)
  }

  @Test(.enabled(if: PackageTraits.hasYAML)) func `Deep values are written in brackets from a depth on`()
    throws
  {
    var value: Value = [:]
    for _ in 0..<600 { value = ["a": value] }
    let text = try Self.text(value)
    #expect(text.utf8.count < 400_000)
    var budget = Budget()
    budget.depth = 1000
    let builder = ValueBuilder()
    try YAMLReader(into: builder, ReaderContext(budget: budget)).readAll(Array(text.utf8).span)
    #expect(try builder.result() == value)
  }
}
