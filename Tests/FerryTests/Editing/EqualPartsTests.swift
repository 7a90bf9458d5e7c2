import TestSupport
import Testing

@testable import Ferry

/// JSON in place of collections of a text, some of whose parts stay equal.
@Suite struct `JSON with equal parts in place of a collection of a text` {
  private func expect(
    _ old: String, _ format: Format, _ path: ValuePath, _ json: String, _ new: String, comments: Int = 0
  ) throws {
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(Array(old.utf8), options: options)
    try file.set(text: json, as: .json, at: path)
    let losses = LossReport()
    #expect(String(decoding: try file.bytes(losses: losses), as: UTF8.self) == new)
    #expect(losses.counts.map(\.count).reduce(0, +) == comments)
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `Equal parts of YAML keep their tags, comments and notation`() throws {
    let text = "a: # c\n  x: !Ref foo # kept\n  y: 1 # one\n  # two\n  z: {q: !Sub a, r: 0x10}\nb: 1\n"
    try expect(
      text, .yaml, "a", #"{"x":"foo","y":2,"z":{"q":"a","r":16}}"#, text.replacing("y: 1", with: "y: 2"))
    try expect(
      text, .yaml, "a", #"{"x":"foo","y":1,"z":{"q":"a","r":17}}"#, text.replacing("0x10", with: "17"))
    try expect(
      text, .yaml, "a", #"{"x":"foo","z":{"q":"a","r":16},"m":3}"#,
      text.replacing("  y: 1 # one\n", with: "  # one\n").replacing("0x10}\n", with: "0x10}\n  m: 3\n"))
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `Equal elements of YAML keep their tags and aliases`() throws {
    let text = "b: &b {k: 1}\nl:\n- !Ref x # one\n- 2\n- *b\n"
    try expect(text, .yaml, "l", #"["x",3,{"k":1}]"#, text.replacing("- 2", with: "- 3"))
    try expect(text, .yaml, "l", #"["x",{"k":1}]"#, text.replacing("- 2\n", with: ""))
  }

  @Test(.enabled(if: PackageTraits.hasYAML))
  func `A mapping with merged entries is replaced as a whole if one of these changes`() throws {
    let text = "b: &b {y: 1}\na: {<<: *b, z: !T 1}\n"
    try expect(text, .yaml, "a", #"{"y":1,"z":1,"w":2}"#, text.replacing("!T 1", with: "!T 1, w: 2"))
    let file = try EditableFile(Array(text.utf8), options: Self.yaml)
    try file.set(text: #"{"y":2,"z":1}"#, as: .json, at: "a")
    #expect(try file.value(at: "a") == ["y": 2, "z": 1])
    #expect(try EditableFile(file.bytes(), options: Self.yaml).value(at: "b.y") == 1)
  }

  @Test(
    .enabled(if: PackageTraits.hasYAML),
    arguments: [
      #"{"b":2,"a":1}"#, #"{"a":1,"b":2,"d":9}"#, #"{"d":1,"b":2,"c":3}"#, #"{"c":3,"a":1,"b":2}"#,
    ])
  func `A comment does not come beside another key, but is reported`(_ json: String) throws {
    let text = "k:\n  a: 1 # about a\n  b: 2\n  c: 3 # about c\n"
    let file = try EditableFile(Array(text.utf8), options: Self.yaml)
    try file.set(text: json, as: .json, at: "k")
    let (bytes, losses) = try file.edited()
    #expect(!String(decoding: bytes, as: UTF8.self).contains("#"))
    #expect(losses.counts.map(\.count) == [2])
    #expect(try EditableFile(bytes, options: Self.yaml).value(at: "k") == TextType.json.value(of: json))
  }

  @Test(
    .enabled(if: PackageTraits.hasYAML),
    arguments: [
      ("d.2", #"{"x":1,"w":0,"y":2,"z":3}"#), ("d.2", #"{"z":4,"y":2,"x":1}"#),
      ("d", #"[{"x":1,"y":3},{"x":1,"y":2},{"x":1,"y":2,"z":3}]"#),
      ("d", #"[{"x":1,"y":2,"z":3},{"x":1,"y":2}]"#),
    ])
  func `A collection whose parts an anchor connects is replaced as a whole`(_ path: String, _ json: String)
    throws
  {
    let text = "d:\n  - &a {x: 1, y: 2}\n  - *a\n  - {<<: *a, z: 3} # c\n"
    let file = try EditableFile(Array(text.utf8), options: Self.yaml)
    try file.set(text: json, as: .json, at: ValuePath(parsing: path))
    let value = try EditableFile(file.edited().bytes, options: Self.yaml).value(at: ValuePath(parsing: path))
    #expect(try value == TextType.json.value(of: json))
  }

  private static let yaml: EditableFile.Options = {
    var options = EditableFile.Options()
    options.format = .yaml
    return options
  }()

  @Test func `Equal parts of JSON with comments and of property lists keep their comments`() throws {
    let json = "{\n  a: { // c\n    x: 'u', // kept\n    y: 0x10\n  }\n}\n"
    try expect(json, .json5, "a", #"{"x":"u","y":17}"#, json.replacing("0x10", with: "17"))
    let list = """
      <plist version="1.0"><dict><key>a</key><dict><!-- c --><key>x</key><string>u</string>
      <key>y</key><string>v</string><!-- d --></dict></dict></plist>

      """
    try expect(list, .xmlPropertyList, "a", #"{"x":"u","y":"w"}"#, list.replacing(">v<", with: ">w<"))
  }

  @Test func `A collection without equal parts is replaced as a whole, with a report`() throws {
    try expect("{ a: { x: 1 /* c */ } }\n", .json5, "a", #"{"x":2}"#, "{ a: { x: 2 } }\n", comments: 1)
  }
}
