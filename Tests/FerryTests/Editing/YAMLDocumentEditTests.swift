import TestSupport
import Testing

@testable import Ferry

/// Changes by path in YAML with several documents, which keep the text of the others, and what is between them.
@Suite(.enabled(if: PackageTraits.hasYAML)) struct `Changes in documents of YAML` {
  private static let options: EditableFile.Options = {
    var options = EditableFile.Options()
    options.format = .yaml
    return options
  }()

  private func edit(
    _ text: String, losing kinds: [Loss.Kind] = [], _ change: (EditableFile) throws -> Void
  ) throws -> String {
    let (file, losses) = (try EditableFile(Array(text.utf8), options: Self.options), LossReport())
    try change(file)
    let bytes = try file.bytes(losses: losses)
    #expect(losses.all.counts.map(\.kind) == kinds, "\(text)")
    return String(decoding: bytes, as: UTF8.self)
  }

  private func values(of text: String) throws -> Value {
    try EditableFile(Array(text.utf8), options: Self.options).value(at: ValuePath())
  }

  private static func isScalar(_ value: Value) -> Bool {
    value.arrayValue == nil && value.dictionaryValue == nil
  }

  private static let manifests = """
    # Cluster
    apiVersion: v1
    kind: Service   # public
    spec:
      ports:
        - port: 80
    ---
    # Source: b.yaml
    kind: Deployment
    spec: {replicas: 2}

    # The end of b
    ---
    kind: ConfigMap
    data:
      a: "1"

    """

  @Test(arguments: ["\n", "\r\n"]) func `A change of a part keeps all other documents`(_ end: String) throws {
    let text = Self.manifests.replacing("\n", with: end)
    func expect(
      _ old: String, _ new: String, _ change: (EditableFile) throws -> Void
    ) throws {
      let (old, new) = (old.replacing("\n", with: end), new.replacing("\n", with: end))
      #expect(text.ranges(of: old).count == 1)
      #expect(try edit(text, change) == text.replacing(old, with: new))
    }
    try expect("port: 80", "port: 8080") {
      try $0.set(text: "8080", at: ValuePath(parsing: "[kind=\"Service\"].spec.ports[0].port"))
    }
    try expect("replicas: 2", "replicas: 3") {
      try $0.set(text: "3", at: ValuePath(parsing: "[1].spec.replicas"))
    }
    try expect("a: \"1\"\n", "a: \"1\"\n  b: x\n") {
      try $0.insert("x", at: ValuePath(parsing: "[2].data.b"))
    }
    try expect("data:\n  a: \"1\"\n", "") { try $0.remove(at: ValuePath(parsing: "[2].data")) }
    try expect("    - port: 80\n", "    - port: 80\n    - port: 81\n") {
      try $0.insert(["port": 81], at: ValuePath(parsing: "[0].spec.ports[]"))
    }
    try expect("kind: Deployment\nspec: {replicas: 2}", "kind: Job") {
      try $0.set(["kind": "Job"], at: ValuePath(parsing: "[1]"))
    }
  }

  @Test(arguments: [
    ("kind: A\n---\nkind: B\n", "[]", "kind: A\n---\nkind: B\n---\nkind: X\n"),
    ("kind: A\n---\nkind: B\n", "[1]", "kind: A\n---\nkind: X\n---\nkind: B\n"),
    ("kind: A\n---\nkind: B\n", "[0]", "kind: X\n---\nkind: A\n---\nkind: B\n"),
    ("---\nkind: A\n---\nkind: B\n", "[0]", "---\nkind: X\n---\nkind: A\n---\nkind: B\n"),
    ("# top\na: 1\n---\nb: 2\n", "[0]", "# top\nkind: X\n---\na: 1\n---\nb: 2\n"),
    ("a: 1\r\n---\r\nb: 2\r\n", "[]", "a: 1\r\n---\r\nb: 2\r\n---\r\nkind: X\r\n"),
    ("a: 1\n---\nb: 2\n# end\n", "[]", "a: 1\n---\nb: 2\n# end\n---\nkind: X\n"),
    ("a: 1\n---\nb: 2\n...\n# end\n", "[]", "a: 1\n---\nb: 2\n...\n---\nkind: X\n# end\n"),
    ("a: 1\n...\n%YAML 1.1\n---\nb: 2\n", "[1]", "a: 1\n...\n---\nkind: X\n...\n%YAML 1.1\n---\nb: 2\n"),
    ("%YAML 1.1\n---\na: 1\n---\nb: 2\n", "[0]", "---\nkind: X\n...\n%YAML 1.1\n---\na: 1\n---\nb: 2\n"),
    ("a\n...\nb\n...\nc\n", "[1]", "a\n...\n---\nkind: X\n...\nb\n...\nc\n"),
    ("---\n---\n--- |+\n  c\n\n", "[]", "---\n---\n--- |+\n  c\n\n---\nkind: X\n"),
  ])
  func `A document is added with its mark, and removed with it`(
    _ text: String, _ path: String, _ wanted: String
  ) throws {
    let path = try ValuePath(parsing: path)
    let count = try #require(try values(of: text).arrayValue).count
    let edited = try edit(text) { try $0.insert(["kind": "X"], at: path) }
    #expect(edited == wanted)
    let place = path.steps.last == .end ? ValuePath([.index(count)]) : path
    #expect(try values(of: edited).value(at: place) == ["kind": "X"])
    #expect(try edit(edited) { try $0.remove(at: place) } == text)
  }

  @Test func `A document after a last line without a line end is added as one`() throws {
    let edited = try edit("a: 1\n---\nb: 2") { try $0.insert(7, at: "[]") }
    #expect(edited == "a: 1\n---\nb: 2\n---\n7")
    #expect(try edit(edited) { try $0.remove(at: "[1]") } == "a: 1\n---\n7")
  }

  @Test(
    arguments: [
      ("a: 1\n---\nb: 2\n---\nc: 3\n", 1, "a: 1\n---\nc: 3\n", []),
      ("a: 1\n---\nb: 2\n", 0, "b: 2\n", []), ("a: 1\n---\nb: 2\n", 1, "a: 1\n", []),
      ("---\na: 1\n---\nb: 2\n", 0, "---\nb: 2\n", []), ("---\na: 1\n---\nb: 2", 1, "---\na: 1\n", []),
      ("# top\na: 1 # c\n# about b\n---\nb: 2\n", 0, "# top\n# about b\nb: 2\n", [.comment]),
      ("a: 1\n---\nb: 2\n\n# about c\n---\nc: 3\n", 1, "a: 1\n# about c\n---\nc: 3\n", []),
      ("--- 1\n--- # two\n2\n--- three\n", 1, "--- 1\n--- three\n", [.comment]),
      ("--- 1\n---\n--- three\n", 1, "--- 1\n--- three\n", []),
      ("a: 1\n--- three\n", 0, "--- three\n", []), ("a: 1\n---\n---\nb: 2\n", 0, "---\n---\nb: 2\n", []),
      ("a\n---\nb\n...\nc\n", 1, "a\n...\nc\n", []), ("a\n...\nb\n...\nc\n", 0, "b\n...\nc\n", []),
      (
        "%TAG !e! tag:e.org,2000:\n---\na: !e!x 1\n...\n%YAML 1.1\n---\nb: 2\n...\n# end\n", 0,
        "%YAML 1.1\n---\nb: 2\n...\n# end\n", [.className]
      ),
      (
        "%TAG !e! tag:e.org,2000:\n---\na: !e!x 1\n...\n%YAML 1.1\n---\nb: 2\n...\n# end\n", 1,
        "%TAG !e! tag:e.org,2000:\n---\na: !e!x 1\n...\n# end\n", []
      ),
      ("a: &x 1\nb: *x\n---\na: &x 2\nb: *x\n---\nc: 3\n", 1, "a: &x 1\nb: *x\n---\nc: 3\n", [.anchor]),
    ] as [(String, Int, String, [Loss.Kind])])
  func `A removed document takes its marks, and leaves the comments beside it`(
    _ text: String, _ index: Int, _ wanted: String, _ losses: [Loss.Kind]
  ) throws {
    #expect(try edit(text, losing: losses) { try $0.remove(at: ValuePath([.index(index)])) } == wanted)
  }

  @Test func `All documents are removed, and their comments stay`() throws {
    let edited = try edit("# a\na: 1\n# b\n---\nb: 2\n") { file in
      try file.remove(at: "[1]")
      try file.remove(at: "[0]")
    }
    #expect(edited == "# a\n# b\n")
  }

  @Test(
    arguments: [
      ("--- 1\n---\nb: 2\n", "[0]", 5, "--- 5\n---\nb: 2\n"),
      ("a: 1\n---\nb: 2\n", "[1]", 5, "a: 1\n---\n5\n"),
      ("a: 1\n---\n5\n", "[1]", ["b": 2], "a: 1\n---\nb: 2\n"),
      ("a: 1\n---\n---\nc: 3\n", "[1]", ["b": 2], "a: 1\n---\nb: 2\n---\nc: 3\n"),
      ("a: 1\n--- # e\n---\nc: 3\n", "[1]", ["b": 2], "a: 1\n--- # e\nb: 2\n---\nc: 3\n"),
      ("a: 1\n--- # e\n---\nc: 3\n", "[1]", 7, "a: 1\n--- 7 # e\n---\nc: 3\n"),
      ("--- |\n  x\n---\nb: 2\n", "[0]", "y\n", "--- |\n  y\n---\nb: 2\n"),
      ("--- 'x'\n--- y\n", "[0]", "no", "--- 'no'\n--- y\n"),
      ("---\na: 1\n---\nb: 2\n", "[0].a", [1, 2], "---\na: [1, 2]\n---\nb: 2\n"),
      ("a: 1\n---\nb: 2\n", "", [1, 2], "1\n---\n2\n"),
      ("---\na: 1\n---\nb: 2\n", "", ["c": 3], "---\nc: 3\n"),
      ("a: 1\n---\nb: 2\n", "", [1], "- 1\n"),
    ] as [(String, String, Value, String)])
  func `A new value of a document is written after its mark`(
    _ text: String, _ path: String, _ value: Value, _ wanted: String
  ) throws {
    #expect(try edit(text) { try $0.set(value, at: ValuePath(parsing: path)) } == wanted)
  }

  @Test(arguments: [
    manifests, manifests.replacing("\n", with: "\r\n"), "\u{feff}" + manifests, String(manifests.dropLast()),
    "%YAML 1.1\n---\na: 1 # c\n...\n\n# d\n--- [1,  {b: 2}]\n--- 'x'\n--- |\n  text\n...\n",
    "--- &r\nk: 1\n---\n- a\n-\n  - 0x1F\n---\nx: {}\n",
  ])
  func `A value that is set there and back, or to the output of get, gives the bytes`(_ text: String) throws {
    let all = try values(of: text)
    for (path, value) in all.placedValues where !path.isEmpty {
      guard Self.isScalar(value) else { continue }
      let there = try edit(text) { try $0.set("other", at: path) }
      let back = try edit(there) { try $0.set(value, at: path) }
      #expect(
        try back == text || value.stringValue == nil && there.contains("other") && values(of: back) == all,
        "\(path)")
    }
    for path in [ValuePath()] + all.placedValues.map(\.path) {
      let output = MemoryOutput()
      let file = try EditableFile(Array(text.utf8), options: Self.options)
      _ = try file.writeText([path], to: output)
      let printed = String(decoding: output.bytes.dropLast(), as: UTF8.self)
      let isText = Self.isScalar(try all.value(at: path))
      try file.set(text: printed, as: isText ? nil : .json, at: path)
      #expect(try file.bytes() == Array(text.utf8), "\(path)")
    }
  }

  @Test func `An anchor is one of its document alone`() throws {
    let text = "a: &x 1\nb: *x\n---\na: &x 2\nb: *x\nc: 3\n"
    #expect(
      try edit(text) { try $0.set(text: "4", at: "[1].c") } == text.replacing("c: 3", with: "c: 4"))
    let error = #expect(throws: FerryError.self) {
      try edit(text) { try $0.set(text: "4", at: "[1].a") }
    }
    #expect(error?.reason == .yaml(.sharedValue(anchor: "x")))
    #expect(error?.location.line == 4)
  }

  @Test func `A patch adds, moves and removes documents`() throws {
    let patch = #"""
      [{"op":"add","path":"/-","value":{"kind":"C"}},{"op":"remove","path":"/0"},
       {"op":"replace","path":"/0/n","value":2},{"op":"copy","from":"/0/n","path":"/1/m"}]
      """#
    let edited = try edit("kind: A\n---\nkind: B # b\nn: 1\n") { try $0.apply(JSONPatch(Array(patch.utf8))) }
    #expect(edited == "kind: B # b\nn: 2\n---\nkind: C\nm: 2\n")
    let move = try JSONPatch(Array(#"[{"op":"move","from":"/2","path":"/0"}]"#.utf8))
    #expect(
      try edit("---\na: 1\n---\nb: 2 # b\n---\nc: 3\n") { try $0.apply(move) }
        == "---\nc: 3\n---\na: 1\n---\nb: 2 # b\n")
  }

  @Test func `Every prefix and every changed byte of a stream is changed as wanted, or refused`() throws {
    let text = "%YAML 1.1\n---\na: &x 1 # c\nb: *x\n...\n# d\n--- [1, {b: 2}]\n---\n--- |\n  t\n---\n- u\n"
    try Damage(to: Array(text.utf8)).check(prefixes: .readOrRefused) { bytes in
      let file = try EditableFile(bytes, options: Self.options)
      var wanted = try file.value(at: ValuePath())
      guard wanted.arrayValue?.count ?? 0 > 1 else { return }
      try file.set("z", at: "[0]")
      try wanted.set("z", at: "[0]")
      try file.insert(["k": ["v"]], at: "[1]")
      try wanted.insert(["k": ["v"]], at: "[1]")
      try file.remove(at: "[2]")
      try wanted.remove(at: "[2]")
      try file.insert(7, at: "[]")
      try wanted.insert(7, at: "[]")
      let edited = try file.bytes()
      // A changed file that cannot be read is not a refusal.
      #expect(throws: Never.self) {
        let back = try EditableFile(edited, options: Self.options).value(at: ValuePath())
        #expect(back == wanted)
      }
    }
  }
}
