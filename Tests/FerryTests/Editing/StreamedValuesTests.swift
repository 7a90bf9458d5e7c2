import TestSupport
import Testing

@testable import Ferry

/// Values that are written while a file is read, and those of the whole file.
@Suite(.temporaryDirectory) struct `Streamed values` {
  private var folder: TemporaryDirectory { .current }

  private static let documents =
    `Outlines of paths`.documents + [
      ("i.json", #"[{"a":1,"b":{"x":1,"x":2},"a":2},{"b":[3]}]"#),
      ("l.json", #"[{"a":[{"$ferry":1},3,{"$ferry":2}]},{"a":{"$ferry":"v"}},{"$ferry":1}]"#),
      ("m.yaml", "- a: {c: [.inf, .nan, 1]}\n- a: {c: .inf}\n- a: {c: {d: .nan}}\n"),
      ("j.yaml", "- a: !!binary W3siYiI6MX1d\n  c: .inf\n- a: x\n- a: {c: [.inf, .nan, 1]}\n"),
      ("k.yaml", "a: 1\n---\na: [1, {b: 2}]\n"),
    ]

  private func streamed(
    _ path: ValuePath, of name: String, as writing: WritingOptions? = nil
  ) throws(FerryError) -> StreamedValues? {
    try StreamedValues.opening(
      path, in: FileInput(path: name), named: name, EditableFile.Options(), as: writing, from: 0)
  }

  private func text(
    _ write: (MemoryOutput) throws(FerryError) -> Losses
  ) throws(FerryError) -> String {
    let output = MemoryOutput()
    let losses = try write(output)
    let listed = losses.listed.map { "\($0.kind) \($0.path)" }
    return String(decoding: output.bytes, as: UTF8.self) + "\(losses.counts.map(\.count)) \(listed)"
  }

  @Test(arguments: documents.map(\.name))
  func `Streamed values have the same text and the same losses as those of the whole file`(_ name: String)
    throws
  {
    let document = try #require(Self.documents.first { $0.name == name })
    let file = folder.path(name)
    try folder.write(name, document.text)
    for path in `Outlines of paths`.paths + [
      "[*].a[*].b", "[*].a[*]", "[*].a.c", "[*].b", "[*].c", "[1:].a", "[0:]",
    ] {
      let path = try ValuePath(parsing: path)
      let whole = try EditableFile(path: file)
      for style in [OutputStyle.compact, .pretty] {
        guard let values = try streamed(path, of: file) else { continue }
        let expected = try text { output throws(FerryError) in
          try whole.writeText([path], style: style, to: output)
        }
        let found = try text { output throws(FerryError) in try values.writeText(style: style, to: output) }
        #expect(found == expected, "\(path) in \(name)")
      }
      for format in [Format.json, .jsonLines, .yaml, .xmlPropertyList] {
        let writing = WritingOptions(to: format)
        guard let values = try streamed(path, of: file, as: writing) else { continue }
        let expected = try text { output throws(FerryError) in
          try whole.write([path], as: writing, to: output)
        }
        let found = try text { output throws(FerryError) in try values.write(as: writing, to: output) }
        #expect(found == expected, "\(path) in \(name) to \(format)")
      }
    }
  }

  @Test(arguments: [
    ("a.json", #"[{"a":1},{"b":2},{"a":[3]}]"#, "[*].a", true),
    ("a.jsonl", "{\"a\":1}\n{\"a\":2}\n", "[1:].a", true),
    ("a.csv", "a,b\n1,2\n", "[a=1].b", true), ("a.yaml", "- a: 1\n- a: 2\n", "[*]", true),
    ("a.xml", "<l><i><a>1</a></i><i/></l>", "l.i[*].a", true),
    // The last element, and the last value for a key, are known at the end.
    ("a.json", "[1,2]", "[-1:]", false), ("a.json", #"[{"a":1,"a":2}]"#, "[*].a", false),
    // There is a mistake after the value, or no value.
    ("a.json", #"[{"a":1},]"#, "[*].a", false), ("a.json", #"[{"b":1}]"#, "[*].a", false),
    // The data may hold a file.
    ("a.yaml", "- a: !!binary W3siYiI6MX1d\n- a: [{b: 1}]\n", "[*].a[*].b", false),
    // One value is read without reading the file twice.
    ("a.json", #"{"a":1}"#, "a", false),
  ])
  func `Values are streamed if they are known as they are read`(
    _ name: String, _ contents: String, _ path: String, _ areStreamed: Bool
  ) throws {
    try folder.write(name, contents)
    let values = try streamed(ValuePath(parsing: path), of: folder.path(name))
    #expect((values != nil) == areStreamed)
  }
}
