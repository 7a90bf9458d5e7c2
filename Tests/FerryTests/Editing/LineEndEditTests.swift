import TestSupport
import Testing

@testable import Ferry

/// Changes in texts whose lines end in carriage returns.
@Suite struct `Line ends of changed texts` {
  private static let texts: [(name: String, text: String, path: String)] = [
    ("a.yaml", "a:\n  x: 1\n  # c\n  l:\n  - 1\nb: |\n  t\n  u\n", "a"),
    ("b.yaml", "a: {x: 1, # c\n  l: [1,\n  2]}\n---\nb: 1\n", "[0].a"),
    ("a.json", "{\n  \"a\": {\n    \"x\": 1,\n    \"l\": [\n      1\n    ]\n  }\n}\n", "a"),
    ("a.json5", "{\n  a: {\n    x: 1, // c\n    l: [\n      1\n    ]\n  }\n}\n", "a"),
    ("c.plist", "{\n  a = {\n    x = 1; // c\n    l = (\n      1\n    );\n  };\n}\n", "a"),
    (
      "a.plist",
      "<plist version=\"1.0\">\n<dict>\n\t<key>a</key>\n\t<dict>\n\t\t<key>x</key>\n\t\t<string>1</string>\n"
        + "\t\t<key>l</key>\n\t\t<array>\n\t\t\t<string>1</string>\n\t\t</array>\n\t</dict>\n</dict>\n</plist>\n",
      "a"
    ),
    ("a.xml", "<r>\n  <a>\n    <x>1</x>\n    <l>\n      <e>1</e>\n    </l>\n  </a>\n</r>\n", "r.a"),
  ]

  /// The changes, by their paths inside the dictionary.
  private func changes(_ path: String) -> [(EditableFile) throws -> Void] {
    func parse(_ part: String) throws -> ValuePath { try ValuePath(parsing: path + part) }
    let list: Value = ["k": ["p", "q"]]
    return [
      { try $0.insert("2", at: parse(".n")) }, { try $0.insert(list, at: parse(".n")) },
      { try $0.set("5", at: parse(".x")) }, { try $0.set(list, at: parse(".x")) },
      { try $0.remove(at: parse(".x")) }, { try $0.remove(at: parse(".l")) },
      { try $0.set(text: #"{"x":"1","l":["1","2"],"m":"3"}"#, as: .json, at: parse("")) },
    ]
  }

  @Test(arguments: texts.indices, ["\r", "\r\n"])
  func `New lines get the line end of the file`(_ index: Int, _ lineEnd: String) throws {
    let (name, text, path) = Self.texts[index]
    guard PackageTraits.hasYAML || !name.hasSuffix("yaml") else { return }
    for (number, change) in changes(path).enumerated() {
      let usual = try EditableFile(Array(text.utf8), named: name)
      let other = try EditableFile(Array(text.replacing("\n", with: lineEnd).utf8), named: name)
      try change(usual)
      try change(other)
      let wanted = String(decoding: try usual.bytes(), as: UTF8.self).replacing("\n", with: lineEnd)
      #expect(
        String(decoding: try other.bytes(), as: UTF8.self).unicodeScalars
          .elementsEqual(wanted.unicodeScalars), "\(name) \(number)")
    }
  }

  @Test func `A row gets the line end of the table`() throws {
    let file = try EditableFile(Array("a,b\r1,2\r".utf8), named: "a.csv")
    try file.insert(["a": "3", "b": "4"], at: "[]")
    #expect(try file.bytes() == Array("a,b\r1,2\r3,4\r".utf8))
  }
}
