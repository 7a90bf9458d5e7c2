import TestSupport
import Testing

@testable import Ferry

/// YAML to values.
@Suite(.enabled(if: PackageTraits.hasYAML)) struct `Reading YAML` {
  private static func value(_ text: String, chunk: Int = .max, budget: Budget = Budget()) throws(FerryError)
    -> Value
  {
    let builder = ValueBuilder()
    try YAMLReader(into: builder, ReaderContext(budget: budget)).readAll(Array(text.utf8), chunk: chunk)
    return try builder.result()
  }

  private static func json(_ text: String) throws -> String {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    return String(decoding: try conversion.convert(Array(text.utf8)).bytes.dropLast(), as: UTF8.self)
  }

  /// Texts with JSON of their values.
  private static let texts: [(String, String)] = [
    ("a: 1\nb:\n  - x\n  - y: z\n", #"{"a":1,"b":["x",{"y":"z"}]}"#), ("[a, {b: c}]", #"["a",{"b":"c"}]"#),
    ("# only a comment\n", "null"), ("---\n...\n", "null"), ("a", #""a""#), ("- \n- a\n", #"[null,"a"]"#),
    ("a: |\n  two\n  lines\n", #"{"a":"two\nlines\n"}"#),
    ("a: >-\n  folded\n  text\n", #"{"a":"folded text"}"#),
    ("\"\\x41\\u00e9\\U0001f600\\n\"", #""Aé😀\n""#), ("'it''s'", #""it's""#),
    // The core schema of YAML 1.2
    ("[null, Null, NULL, ~, ]", "[null,null,null,null]"),
    ("[true, True, TRUE, false, False, FALSE]", "[true,true,true,false,false,false]"),
    ("[0, 7, +7, -19, 0o14, 0x3A, 18446744073709551616]", "[0,7,7,-19,12,58,18446744073709551616]"),
    ("[0., -0.0, .5, +12e03, -2E+05, 1.5, 2.20]", "[0.0,-0.0,0.5,12e03,-2E+05,1.5,2.20]"),
    // Words and numbers of YAML 1.1 stay text
    ("[no, on, yes, off, y, N, NO]", #"["no","on","yes","off","y","N","NO"]"#),
    ("[0777, 012, 1_000, 12:30, 0b11, 1:30:00.5]", #"["0777","012","1_000","12:30","0b11","1:30:00.5"]"#),
    (
      "[2001-12-14, 1e, 0x, 0o8, +, ., 1.2.3, +0x1, nan, Infinity]",
      #"["2001-12-14","1e","0x","0o8","+",".","1.2.3","+0x1","nan","Infinity"]"#
    ),
    ("[+-5, --5, -+5, +.5, +-.inf, +-.5]", #"["+-5","--5","-+5",0.5,"+-.inf","+-.5"]"#),
    ("['1', \"true\", !!str 1, ! 2]", #"["1","true","1","2"]"#),
    ("[!!int 3, !!float 3, !!null '', !!bool true]", "[3,3.0,null,true]"),
    // Documents
    ("--- 1\n--- 2\n", "[1,2]"), ("a\n---\nb\n...\n# c\n---\nc\n", #"["a","b","c"]"#),
    ("--- |\n  --- a\n--- b\n", #"["--- a\n","b"]"#),
    ("%YAML 1.2\n---\na\n...\n%YAML 1.2\n---\nb\n", #"["a","b"]"#), ("a\n---\n", #"["a",null]"#),
    ("--- a\r--- b\r", #"["a","b"]"#),
    // Anchors, aliases and merge keys
    ("a: &x [1, 2]\nb: *x\n", #"{"a":[1,2],"b":[1,2]}"#), ("- &k key\n- *k : 1\n", #"["key",{"key":1}]"#),
    ("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n", #"{"a":{"p":1,"q":2},"b":{"p":1,"q":3}}"#),
    (
      "- &a {x: 1}\n- &b {x: 2, y: 2}\n- {z: 0, <<: [*a, *b]}\n",
      #"[{"x":1},{"x":2,"y":2},{"z":0,"x":1,"y":2}]"#
    ),
    ("- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b}\n", #"[{"x":1},{"x":1,"y":2},{"y":2,"x":1}]"#),
    ("{'<<': 1}", #"{"<<":1}"#),
    // Keys that are not strings
    ("1: a\ntrue: b\nnull: c\n1.5: d\n", #"{"1":"a","true":"b","null":"c","1.5":"d"}"#),
    ("? [a, b]\n: 1\n", #"{"[\"a\",\"b\"]":1}"#),
  ]

  @Test(arguments: texts.indices)
  func `A text has the value of the core schema`(_ index: Int) throws {
    let (text, json) = Self.texts[index]
    #expect(try Self.json(text) == json)
    guard !text.contains("?"), !text.contains("1.5: d") else { return }
    let whole = try Self.value(text)
    for size in [1, 3] { #expect(try Self.value(text, chunk: size) == whole, "chunks of \(size)") }
  }

  @Test func `Tags of YAML make data, dates, sets and numbers that are not finite`() throws {
    #expect(try Self.value("!!binary 'AAEC'") == .data([0, 1, 2]))
    #expect(try Self.value("!!binary |\n  AA\n  EC\n") == .data([0, 1, 2]))
    #expect(try Self.value("!!timestamp 2001-01-01") == .date(secondsSince2001: 0))
    #expect(try Self.value("!!timestamp 2001-01-01T00:00:00.5Z") == .date(secondsSince2001: 0.5))
    #expect(try Self.value("!!timestamp 2001-01-01 00:00:01 +00:00") == .date(secondsSince2001: 1))
    for text in [
      "2001-12-15T02:59:43.1Z", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5",
      "2001-12-15 2:59:43.10", "2001-12-14  21:59:43.10\t-05", "2001-12-15 3:29:43.10 +0:30",
    ] {
      #expect(try Self.value("!!timestamp \(text)") == .date(secondsSince2001: 30_077_983.1), "\(text)")
    }
    #expect(try Self.value("!!timestamp 2001-1-4 1:05:03") == .date(secondsSince2001: 263_103))
    #expect(try Self.value("!!timestamp 2002-1-4") == .date(secondsSince2001: 31_795_200))
    #expect(throws: FerryError.self) { try Self.value("!!timestamp 2001-1-4 1") }
    #expect(throws: FerryError.self) { try Self.value("!!timestamp 2001-1-4 1:05:03 -x") }
    #expect(try Self.value("!!set {a, b}") == .set(["a", "b"]))
    #expect(
      try Self.value("[.inf, -.Inf, +.INF]")
        == .array([.real(.infinity), .real(-.infinity), .real(.infinity)]))
    #expect(try Self.value("1.0e+20") == .real(1e20))
  }

  @Test(arguments: [
    ("2024-01-01T00:00:00.123456789Z", true), ("9999-12-31T23:59:59.999999Z", true),
    ("0001-01-01 00:00:00.000001", true), ("2024-01-01T00:00:00.5Z", false), ("9999-12-31T23:59:59Z", false),
  ])
  func `A timestamp that is rounded is reported with its path`(_ text: String, _ isRounded: Bool) throws {
    var conversion = Conversion(to: .binaryPropertyList)
    conversion.reading.format = .yaml
    let losses = try conversion.convert(Array("a: [!!timestamp '\(text)']\n".utf8)).report.losses.listed
    #expect(losses.map(\.kind) == (isRounded ? [.dateRounded] : []))
    #expect(losses.map(\.path.description) == (isRounded ? ["a[0]"] : []))
  }

  @Test func `Tags of numbers hold for integers of any length`() throws {
    let digits = "1" + String(repeating: "0", count: 29)
    #expect(try Self.value("!!float '\(digits)'") == .real(1e29))
    #expect(try Self.value("!!float -\(digits)") == .real(-1e29))
    #expect(try Self.value("!!float 1") == .real(1))
    #expect(try Self.json("!!int \(digits)") == digits)
    #expect(try Self.json("!!int '-\(digits)'") == "-" + digits)
    #expect(throws: FerryError.self) { try Self.value("!!int 1.5") }
    #expect(throws: FerryError.self) { try Self.value("!!int 1e30") }
    #expect(throws: FerryError.self) { try Self.value("!!float 1" + String(repeating: "0", count: 400)) }
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    let text = "a: !!float \(digits)\nb: !!float 9007199254740993\nc: !!float 9007199254740992\n"
    let losses = try conversion.convert(Array(text.utf8)).report.losses.listed
    #expect(losses.map(\.kind) == [.numberAsReal] && losses.map(\.path.description) == ["b"])
  }

  @Test func `Scalars that the version of the directive reads as other values are reported`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    let values = "a: no\nb: 0777\nc: 1e5\nd: 'on'\ne: 1.5\nf: text\ng: true\nh: 2001-12-14\n"
    let older = try conversion.convert(Array("%YAML 1.1\n---\n\(values)".utf8)).report.losses.listed
    #expect(older.map(\.kind) == Array(repeating: .olderScalar, count: 4))
    #expect(older.map(\.path.description) == ["a", "b", "c", "h"])
    for start in ["", "%YAML 1.2\n---\n"] {
      #expect(try conversion.convert(Array((start + values).utf8)).report.losses.isEmpty)
    }
    // A directive is that of one document.
    let stream = "%YAML 1.1\n---\n- no\n...\n---\n- no\n"
    let listed = try conversion.convert(Array(stream.utf8)).report.losses.listed
    #expect(listed.map(\.path.description) == ["[0][0]"])
  }

  @Test func `A set with values is a dictionary, whose tag is reported`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    let text = """
      a: !!set {p: 1, q}
      b: !!set {r: , s: ~, t: !!null '', u: null}
      c: [&x null, !!set {v: *x}]
      d: !!set {w: 'null'}

      """
    let result = try conversion.convert(Array(text.utf8))
    let json = #"{"a":{"p":1,"q":null},"b":["r","s","t","u"],"c":[null,["v"]],"d":{"w":"null"}}"# + "\n"
    #expect(String(decoding: result.bytes, as: UTF8.self) == json)
    let tags = result.report.losses.listed.filter { $0.kind == .typeTag }
    #expect(tags.map(\.path.description) == ["a", "d"])
  }

  @Test func `A tag that YAML does not have is a class, which the plain form reports`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    let result = try conversion.convert(Array("a: !Ref b\nc: !!python/object:x.Y {d: 1}\n".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "{\"a\":\"b\",\"c\":{\"d\":1}}\n")
    #expect(result.report.losses.counts.contains { $0.kind == .className && $0.count == 2 })
    conversion.writing.representation = .typed
    let text = "a: !Ref b\nc:\n- 1\n- !X {d: !Y [!Z 1]}\ne: !!set {p, !V q}\n? !W k\n: 1\n"
    let typed = try conversion.convert(Array(text.utf8)).report.losses.listed
    #expect(
      typed.filter { $0.kind == .className }.map(\.path.description) == [
        "a", "c[1]", "c[1].d", "c[1].d[0]", "e[1]", "k",
      ])
    let several = try conversion.convert(Array("--- !A [1]\n--- {b: !B c}\n".utf8)).report.losses.listed
    #expect(several.map(\.path.description) == ["[0]", "[1].b"])
  }

  @Test func `Each comment is reported once`() throws {
    let text = """
      # 1
      a: b # 2
      c: "# d" # 3
      e: f#g
      # 4
      h: | # 5
        # i
        j # k

      l: [m, # 6
        'n # o']
      p: q
        r # 7
      ...
      # 8
      %YAML 1.2
      --- # 9
      s
      ...
      # 10

      """
    for size in [1, 7, 65_536] {
      let losses = LossReport()
      let context = ReaderContext(budget: Budget(), losses: losses)
      try YAMLReader(into: NullSink(), context).readAll(Array(text.utf8), chunk: size)
      #expect(losses.losses == [Loss](repeating: Loss(.comment), count: 10), "chunks of \(size)")
    }
  }

  @Test func `Tags are ignored also if losses are reported`() throws {
    let losses = LossReport()
    let builder = ValueBuilder()
    let context = ReaderContext(budget: Budget(), losses: losses)
    try YAMLReader(into: builder, context).readAll(Array("a: !Ref [!X b]\n!Y c: 1\n".utf8).span)
    #expect(try builder.result() == ["a": ["b"], "c": 1])
    #expect(losses.isEmpty)
  }

  @Test func `UTF-16 and a byte order mark are read`() throws {
    #expect(try Self.json("\u{feff}a: é") == #"{"a":"é"}"#)
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    var wide: [UInt8] = [0xff, 0xfe]
    for unit in "a: é".utf16 { wide += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    #expect(String(decoding: try conversion.convert(wide).bytes, as: UTF8.self) == "{\"a\":\"é\"}\n")
  }

  @Test func `The time for many documents and for long lines grows with their size`() throws {
    let comment = String(repeating: "c", count: 100)
    let documents = String(repeating: "--- 1 # \(comment)\n", count: 30_000)
    let value = try expectProcessorTime(atMost: .seconds(30)) { try Self.value(documents) }
    #expect(value == .array([Value](repeating: 1, count: 30_000)))
    let line = String(repeating: "x", count: 1_000_000)
    let text = try expectProcessorTime(atMost: .seconds(30)) { try Self.value("- \(line)\n", chunk: 64) }
    #expect(text == [.string(line)])
  }

  @Test func `A mistake after many documents is located, whatever the chunks are`() {
    let text = MarkedText("--- a\n# é\n...\n--- é\n--- c\n...\n# c\n--- [é, 1️⃣*x]\n--- d\n")
    for size in [1, 5, 8, 65_536] {
      let failure = #expect(throws: FerryError.self) { try Self.value(text.text, chunk: size) }
      #expect(failure?.location == text.location, "chunks of \(size): \(String(describing: failure))")
    }
  }

  private static let refused: [(String, FerryError.Reason?)] = [
    ("a: 1️⃣*x\n", .yaml(.unknownAlias("x"))), ("&x [a, 1️⃣*x]", .yaml(.recursiveAlias("x"))),
    ("a: b: 1️⃣c\n", nil), ("[a1️⃣", nil), ("1️⃣@a", nil), ("a:\n\t1️⃣b: c\n", nil),
    ("- 1️⃣!!int x", .yaml(.badScalar(tag: "!!int", text: "x"))),
    ("%YAML 1.1\n---\n- 1️⃣!!bool yes\n", .yaml(.badScalar(tag: "!!bool", text: "yes", isOlder: true))),
    ("- 1️⃣!!bool Off", .yaml(.badScalar(tag: "!!bool", text: "Off", isOlder: true))),
    ("- 1️⃣!!bool maybe", .yaml(.badScalar(tag: "!!bool", text: "maybe"))),
    ("- 1️⃣!!int 0777", .yaml(.badScalar(tag: "!!int", text: "0777", isOlder: true))),
    ("- 1️⃣!!int 1:30", .yaml(.badScalar(tag: "!!int", text: "1:30", isOlder: true))),
    ("- 1️⃣!!int 1:30.5", .yaml(.badScalar(tag: "!!int", text: "1:30.5"))),
    ("- 1️⃣!!float 1_000.5", .yaml(.badScalar(tag: "!!float", text: "1_000.5", isOlder: true))),
    ("- 1️⃣!!int yes", .yaml(.badScalar(tag: "!!int", text: "yes"))),
    // These are values neither of YAML 1.2 nor of YAML 1.1.
    ("- 1️⃣!!bool yEs", .yaml(.badScalar(tag: "!!bool", text: "yEs"))),
    ("- 1️⃣!!int 08", .yaml(.badScalar(tag: "!!int", text: "08"))),
    ("- 1️⃣!!int 12:99", .yaml(.badScalar(tag: "!!int", text: "12:99"))),
    ("- 1️⃣!!float ._", .yaml(.badScalar(tag: "!!float", text: "._"))),
    ("- 1️⃣!!bool YES", .yaml(.badScalar(tag: "!!bool", text: "YES", isOlder: true))),
    ("- 1️⃣!!int 12:59", .yaml(.badScalar(tag: "!!int", text: "12:59", isOlder: true))),
    ("- 1️⃣!!float 1:30.5", .yaml(.badScalar(tag: "!!float", text: "1:30.5", isOlder: true))),
    ("- 1️⃣!!binary '*'", .yaml(.badScalar(tag: "!!binary", text: "*"))),
    ("1️⃣!!set [a]", .yaml(.badCollection(tag: "!!set"))),
    ("x: 1\n<<: 1️⃣1", .yaml(.badMerge)), ("a: &m {<<: 1️⃣*m}", .yaml(.recursiveAlias("m"))),
    ("a\n--- b\n--- 1️⃣*x\n", .yaml(.unknownAlias("x"))),
    ("a: é\nb: 1️⃣\u{7}x\n", .yaml(.syntax("control characters are not allowed"))),
    ("- 1️⃣!!timestamp soon", .yaml(.badScalar(tag: "!!timestamp", text: "soon"))),
  ]

  @Test(arguments: refused.indices)
  func `A mistake is refused with its place`(_ index: Int) {
    let (marked, reason) = Self.refused[index]
    let text = MarkedText(marked)
    for size in [1, 65_536] {
      let failure = #expect(throws: FerryError.self) { try Self.value(text.text, chunk: size) }
      if let reason { #expect(failure?.reason == reason) }
      #expect(failure?.location.line == text.location?.line, "\(marked): \(String(describing: failure))")
      if reason != nil {
        #expect(failure?.location == text.location, "\(marked): \(String(describing: failure))")
      }
    }
  }

  @Test func `Documents that are not YAML are left out when asked, and the others are read`() throws {
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.keepsGoing) = (.yaml, true)
    let result = try conversion.convert(Array("--- [1\n--- 2\n--- {a\n--- 3\n".utf8))
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[2,3]\n")
    #expect(result.report.errors.map(\.location.line) == [2, 4])
    // The first of several documents is an element also if no other is read.
    let first = try conversion.convert(Array("--- 1\n--- [2\n".utf8))
    #expect(String(decoding: first.bytes, as: UTF8.self) == "[1]\n")
  }

  @Test func `A billion laughs exceed the budget`() throws {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<12 {
      text +=
        "a\(level): &a\(level) [" + (0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ", ") + "]\n"
    }
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    conversion.reading.budget.amplificationFloor = 1 << 16
    let failure = #expect(throws: FerryError.self) { try conversion.convert(Array(text.utf8)) }
    #expect(failure?.reason == .overBudget(.amplification(100)))
    var merges = "m0: &m0 {a: 1}\n"
    for level in 1..<40 { merges += "m\(level): &m\(level) {<<: [*m\(level - 1), *m\(level - 1)]}\n" }
    #expect(throws: FerryError.self) { try conversion.convert(Array(merges.utf8)) }
  }

  @Test func `The prefixes of tags count as copies`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.format = .yaml
    conversion.reading.budget.amplificationFloor = 1 << 16
    func text(_ count: Int) -> [UInt8] {
      let directive = "%TAG !e! tag:" + String(repeating: "x", count: 10_000) + "\n---\n"
      return Array((directive + (0..<count).map { "- !e!a\($0) 1\n" }.joined()).utf8)
    }
    let failure = #expect(throws: FerryError.self) { try conversion.convert(text(1000)) }
    #expect(failure?.reason == .overBudget(.amplification(100)))
    #expect(failure?.location.line ?? 0 > 100)
    #expect(throws: Never.self) { try conversion.convert(text(50)) }
  }

  @Test func `Depth has a budget, also through aliases`() {
    let failure = #expect(throws: FerryError.self) { try Self.value(String(repeating: "[", count: 600)) }
    #expect(failure?.reason == .overBudget(.depth(512)))
    var chain = "- &a0 [1]\n"
    for level in 1..<600 { chain += "- &a\(level) [*a\(level - 1)]\n" }
    let deep = #expect(throws: FerryError.self) { try Self.value(chain) }
    #expect(deep?.reason == .overBudget(.depth(512)))
  }

  @Test func `Every beginning and every changed byte of YAML is read or refused`() throws {
    let sample = Array("# c\na: &x [1, 'b', \"\\u00e9\"]\nb: *x\nc: |\n  é\n\n  f\n--- !!set {p, q}\n".utf8)
    try Damage(to: sample).check(prefixes: .readOrRefused) { bytes in
      let builder = ValueBuilder()
      try YAMLReader(into: builder, ReaderContext(budget: Budget())).readAll(bytes.span)
      _ = try builder.result()
    }
  }
}
