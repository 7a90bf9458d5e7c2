import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Edits of texts` {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  static let json = """
    { "name" : "Ada\\u0020L",
      "tags": [ "a",
                "b" ],   "price": 2.20,
      "empty": [], "none": {}, "big": 1E400, "yes": true, "nil": null
    }

    """

  @Test(arguments: [
    ("name", "Grace", #""Ada\u0020L""#, #""Grace""#), ("tags[1]", "z", #""b""#, #""z""#),
    ("price", "3.10", "2.20", "3.10"), ("price", "3", "2.20", "3"), ("big", "-0.0", "1E400", "-0.0"),
    ("yes", "false", "true", "false"), ("nil", "text", "null", #""text""#),
  ])
  func `An edit of JSON changes the value and nothing else`(
    path: String, value: String, old: String, new: String
  ) throws {
    let edited = try Edited.set(Array(Self.json.utf8), path, value)
    #expect(text(edited) == Self.json.replacing(old, with: new, maxReplacements: 1))
  }

  @Test(arguments: [
    ("tags[]", "c", "\"b\" ]", "\"b\",\n            \"c\" ]"),
    ("tags[1]", "c", "\"b\" ]", "\"c\",\n            \"b\" ]"),
    ("tags[0]", "c", "[ \"a\"", "[ \"c\",\n            \"a\""),
    ("more", "c", "\"nil\": null", "\"nil\": null, \"more\": \"c\""),
  ])
  func `An edit of JSON writes new values in the layout of their neighbors`(
    path: String, value: String, old: String, new: String
  ) throws {
    let edited = try Edited.insert(Array(Self.json.utf8), path, value)
    let expected = Self.json.replacing(old, with: new)
    #expect(text(edited).filter { $0 != " " } == expected.filter { $0 != " " })
    let back = try Edited.remove(edited, path == "tags[]" ? "tags[2]" : path)
    #expect(text(back) == Self.json)
  }

  @Test(arguments: [
    ("deep.json", "b", #"{"a": "#, "[", "]", #", "b": 1}"#),
    ("deep.jsonc", "b", "// A comment.\n{\"a\": ", "[", "]", #", "b": 1}"#),
    ("deep.json5", "b", "{a: ", "[", "]", ", b: 1}"),
    ("deep.jsonl", "[0].b", #"{"a": "#, "[", "]", ", \"b\": 1}\n"),
    ("deep.yaml", "b", "a: ", "[", "]", "\nb: 1\n"),
    ("deep.strings", "b", "a = ", "(", ")", #"; b = "1";"#),
    ("deep.plist", "b", "{a = ", "(", ")", "; b = 1;}"),
    (
      "deep.plist", "b", "<plist version=\"1.0\"><dict><key>a</key>", "<array>", "</array>",
      "<key>b</key><integer>1</integer></dict></plist>"
    ),
    ("deep.xml", "r.b", "<r>", "<a>", "</a>", "<b>1</b></r>"),
  ])
  func `An edit takes the limits with which the file is read`(
    name: String, path: String, before: String, open: String, close: String, after: String
  ) throws {
    let deep = String(repeating: open, count: 600) + (open == "<array>" ? "" : "1")
    let source = before + deep + String(repeating: close, count: 600) + after
    var options = EditableFile.Options()
    options.budget.depth = 1000
    let file = try EditableFile(Array(source.utf8), named: name, options: options)
    try file.set(text: "2", at: ValuePath(parsing: path))
    let expected = before + deep + String(repeating: close, count: 600) + after.replacing("1", with: "2")
    #expect(text(try file.bytes()) == expected)
  }

  @Test func `A new value takes the limits of its file`() throws {
    var options = EditableFile.Options()
    options.budget.depth = 1000
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let file = try EditableFile(Array(#"{"a":1}"#.utf8), options: options)
    try file.set(text: deep, as: .json, at: ValuePath(parsing: "a"))
    #expect(text(try file.bytes()) == #"{"a":\#(deep)}"#)
    let limited = try EditableFile(Array(#"{"a":1}"#.utf8))
    #expect(throws: FerryError.self) {
      try limited.set(text: deep, as: .json, at: ValuePath(parsing: "a"))
    }
  }

  @Test func `An edit of JSON fills and empties collections`() throws {
    let pretty = "{\n    \"a\": [],\n    \"b\": {\n        \"c\": 1\n    }\n}\n"
    let filled = try Edited.insert(Array(pretty.utf8), "a[]", #"{"x":[1,2]}"#, as: .json)
    #expect(
      text(filled)
        == "{\n    \"a\": [\n        {\n            \"x\": [\n                1,\n                2\n            ]\n        }\n    ],\n    \"b\": {\n        \"c\": 1\n    }\n}\n"
    )
    #expect(text(try Edited.remove(filled, "a[0]")) == pretty)
    #expect(
      text(try Edited.remove(Array(pretty.utf8), "b.c"))
        == pretty.replacing("{\n        \"c\": 1\n    }", with: "{}"))
    #expect(text(try Edited.insert(Array("[1, 2]".utf8), "[]", "[3,4]", as: .json)) == "[1, 2, [3, 4]]")
    #expect(text(try Edited.insert(Array("[1,2]".utf8), "[0]", "[3,4]", as: .json)) == "[[3,4],1,2]")
    #expect(text(try Edited.set(Array("5".utf8), "", "6")) == "6")
    #expect(text(try Edited.set(Array(" [5] \n".utf8), "", "{}", as: .json)) == " {} \n")
  }

  /// One edit, with the new text that it should insert.
  @Test(arguments: [
    // the objects next to it are on one line each
    (
      "[\n  {\"id\": 1, \"at\": [0, 1]},\n  {\"id\": 2, \"at\": []}\n]\n", "[1]",
      #"{"id":7,"at":[2,3],"of":{"a":{}}}"#,
      "{\"id\": 7, \"at\": [2, 3], \"of\": {\"a\": {}}}"
    ),
    // with spaces inside the brackets
    (
      "[\n  { \"id\":1 },\n  { \"id\":2,  \"x\":[ ] }\n]\n", "[]", #"{"id":7,"at":[2]}"#,
      "{ \"id\":7,  \"at\":[ 2 ] }"
    ),
    // the object around it is on one line
    ("{\n  \"a\": {\"b\": 1, \"c\": null}\n}\n", "a.c", #"{"x":[1,{}]}"#, "{\"x\": [1, {}]}"),
    ("{\n  \"a\": {\"b\": 1, \"c\": []}\n}\n", "a.c[]", #"{"x":1}"#, "{\"x\": 1}"),
    // the only object has one key, on a line of its own
    (
      "[\n  {\n    \"x\": 1\n  }\n]\n", "[]", #"{"x":3,"y":[1,2]}"#,
      "{\n    \"x\": 3,\n    \"y\": [\n      1,\n      2\n    ]\n  }"
    ),
    // an array in an object of several lines
    (
      "[\n  {\n    \"id\": 1,\n    \"at\": [0, 1]\n  }\n]\n", "[]", #"{"id":7,"at":[2,3],"to":[4]}"#,
      "{\n    \"id\": 7,\n    \"at\": [2, 3],\n    \"to\": [\n      4\n    ]\n  }"
    ),
    ("{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": 1\n  }\n}\n", "d", "[3,4]", "[3, 4]"),
    (
      "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": 1\n  }\n}\n", "d", #"{"c":[2]}"#,
      "{\n    \"c\": [\n      2\n    ]\n  }"
    ),
  ])
  func `New collections in JSON are on one line where those next to them are`(
    json: String, path: String, value: String, new: String
  ) throws {
    let bytes = Array(json.utf8)
    let edited =
      path == "a.c"
      ? try Edited.set(bytes, path, value, as: .json) : try Edited.insert(bytes, path, value, as: .json)
    #expect(text(edited).contains(new), "\(text(edited))")
  }

  @Test(arguments: [
    (#"{"name": "A"}"#, "zip", "1", #"{"name": "A", "zip": 1}"#),
    (#"{"name":"A"}"#, "zip", "1", #"{"name":"A","zip":1}"#),
    (#"{ "name": "A" }"#, "zip", "1", #"{ "name": "A", "zip": 1 }"#),
    ("[ 1 ]", "[]", "2", "[ 1, 2 ]"), ("[1]", "[]", "2", "[1,2]"),
    (#"{"a": [1]}"#, "a[]", "2", #"{"a": [1, 2]}"#), (#"{"a": [1]}"#, "a[0]", "2", #"{"a": [2, 1]}"#),
    (#"{"a":[1],"b":[2,3]}"#, "a[]", "2", #"{"a":[1,2],"b":[2,3]}"#),
    (#"[[1], [2, 3]]"#, "[0][]", "2", #"[[1, 2], [2, 3]]"#),
    (
      "{\n  \"a\": [1],\n  \"b\": {\"c\" : 2}\n}\n", "b.d", "1",
      "{\n  \"a\": [1],\n  \"b\": {\"c\" : 2, \"d\" : 1}\n}\n"
    ),
    (#"{"a" : {"b" : 1}}"#, "a.c", #"{"x":1,"y":2}"#, #"{"a" : {"b" : 1, "c" : {"x" : 1, "y" : 2}}}"#),
  ])
  func `A second child in JSON on one line has the usual space after the comma`(
    json: String, path: String, value: String, edited: String
  ) throws {
    #expect(text(try Edited.insert(Array(json.utf8), path, value, as: .json)) == edited)
  }

  @Test(arguments: ["\r\n", "\r", "\n"], ["1\n2", "x\r\ny", "\r", "\n\n", "a\r\n\nb"])
  func `A string with line ends has its value in an XML property list with any line ends`(
    _ lineEnd: String, _ value: String
  ) throws {
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>k</key>
      \t<string>ab</string>
      </dict>
      </plist>

      """.replacing("\n", with: lineEnd)
    let bytes = Array(list.utf8)
    for edited in [
      try Edited.set(bytes, "k", value), try Edited.insert(bytes, "n", value),
      try Edited.insert(bytes, "n", #"{"a":[\#(quoted(value))]}"#, as: .json),
    ] {
      let file = try EditableFile(edited)
      let found = try [file.value(at: ValuePath(parsing: "k")), try? file.value(at: ValuePath(parsing: "n"))]
      let new = try? file.value(at: ValuePath(parsing: "n.a[0]"))
      #expect(found.contains(.string(value)) || new == .string(value), "\(text(edited))")
      // Property list readers based on XML find the same value.
      let peer =
        try unsafe PropertyListSerialization.propertyList(from: Data(edited), format: nil) as? [String: Any]
      let nested = (peer?["n"] as? [String: Any])?["a"] as? [String]
      let texts = [peer?["k"] as? String, peer?["n"] as? String, nested?.first]
      #expect(texts.contains(value))
    }
  }

  private func quoted(_ text: String) -> String {
    "\"\(text.unicodeScalars.map { $0 == "\r" ? "\\r" : $0 == "\n" ? "\\n" : String($0) }.joined())\""
  }

  @Test(arguments: ["\r\n", "\r"])
  func `New records keep their line ends in a property list with others, whose strings do not change`(
    _ lineEnd: String
  ) throws {
    let list = """
      <plist version="1.0">
      <array>
      \t<dict>
      \t\t<key>id</key>
      \t\t<string>a</string>
      \t\t<key>t</key>
      \t\t<string>one
      two</string>
      \t</dict>
      </array>
      </plist>

      """.replacing("\n", with: lineEnd)
    let edited = try Edited.insert(Array(list.utf8), "[]", #"{"id":"c","t":"l1\nl2"}"#, as: .json)
    #expect(text(edited).contains("<string>one\(lineEnd)two</string>"))
    #expect(try EditableFile(edited).value(at: ValuePath(parsing: "[1].t")) == .string("l1\nl2"))
  }

  @Test func `Several edits of JSON at once are the same as one after the other`() throws {
    let file = try EditableFile(Array("[0, 1, 2, 3, [4, 5]]".utf8))
    try file.remove(at: ValuePath(parsing: "[1]"))
    try file.remove(at: ValuePath(parsing: "[1]"))
    try file.insert(.string("new"), at: ValuePath(parsing: "[0]"))
    try file.set(.integer(9), at: ValuePath(parsing: "[3][1]"))
    try file.insert(.integer(8), at: ValuePath(parsing: "[]"))
    #expect(text(try file.bytes()) == #"["new", 0, 3, [4, 9], 8]"#)
    try file.set(.integer(7), at: ValuePath(parsing: "[0]"))
    #expect(try Value(json: file.bytes(), budget: Budget()) == [7, 0, 3, [4, 9], 8])
  }

  @Test func `An edit of JSON to a value that JSON cannot hold is refused`() throws {
    let file = try EditableFile(Array("[1]".utf8))
    try file.set(.data([1]), at: ValuePath(parsing: "[0]"))
    #expect(throws: FerryError.self) { _ = try file.bytes() }
    #expect(
      try Edited.problem { _ = try Edited.set(Array("[1]".utf8), "[0]", "01") }.0
        == .badText("01", type: "a number", isFound: true))
  }

  static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <!-- <dict> is not one -->
    <plist version="1.0">
    <dict>
    \t<key>born</key> <!-- a comment -->
    \t<date>1815-12-10T00:00:00Z</date>
    \t<key>list</key>
    \t<array>
    \t\t<string>one &amp; <![CDATA[<two>]]></string>
    \t\t<integer>0x10</integer>
    \t</array>
    \t<key>empty</key>
    \t<array/>
    \t<key>icon</key>
    \t<data>
    \tAAEC
    \t</data>
    </dict>
    </plist>

    """

  @Test(arguments: [
    ("born", "2001-01-01T00:00:00Z", "1815-12-10T00:00:00Z", "2001-01-01T00:00:00Z"),
    ("list[0]", "a<b", "one &amp; <![CDATA[<two>]]>", "a&lt;b"), ("list[1]", "17", "0x10", "17"),
    ("icon", "/////w==", "AAEC", "/////w=="),
  ])
  func `An edit of an XML property list changes the value and nothing else`(
    path: String, value: String, old: String, new: String
  ) throws {
    let edited = try Edited.set(Array(Self.plist.utf8), path, value)
    #expect(text(edited) == Self.plist.replacing(old, with: new))
  }

  @Test func `An edit of an XML property list adds and removes lines`() throws {
    let bytes = Array(Self.plist.utf8)
    let added = try Edited.insert(bytes, "list[]", "18")
    #expect(
      text(added) == Self.plist.replacing("</integer>\n", with: "</integer>\n\t\t<integer>18</integer>\n"))
    #expect(try Edited.remove(added, "list[2]") == bytes)
    let filled = try Edited.insert(bytes, "empty[]", "x")
    #expect(
      text(filled)
        == Self.plist.replacing("<array/>", with: "<array>\n\t\t<string>x</string>\n\t</array>"))
    #expect(try Edited.remove(filled, "empty[0]") == bytes)
    let entry = try Edited.insert(bytes, "new", #"{"a": [1]}"#, as: .json)
    #expect(
      text(entry)
        == Self.plist.replacing(
          "</data>\n",
          with:
            "</data>\n\t<key>new</key>\n\t<dict>\n\t\t<key>a</key>\n\t\t<array>\n\t\t\t<integer>1</integer>\n\t\t</array>\n\t</dict>\n"
        ))
    #expect(try Edited.remove(entry, "new") == bytes)
  }

  @Test(arguments: [
    "<!-- it's -->", "<?p ]> <a>?>", "<!ATTLIST a b CDATA \"]> '\">", "<!-- <dict> \" ]> -->",
  ])
  func `An edit of an XML property list keeps the declarations in its document type declaration`(
    _ declaration: String
  ) throws {
    let text =
      "<!DOCTYPE plist [ \(declaration) ]>\n<plist><dict><key>a</key><string>it's</string></dict></plist>"
    let edited = try Edited.set(Array(text.utf8), "a", "new")
    #expect(self.text(edited) == text.replacing("<string>it's", with: "<string>new"))
  }

  @Test func `A new collection of an XML property list is indented by the spaces of the others`() throws {
    let text = "<plist version=\"1.0\">\n<dict>\n  <key>a</key>\n  <integer>1</integer>\n</dict>\n</plist>\n"
    let file = try EditableFile(Array(text.utf8))
    try file.insert(["x": [1], "s": "l\n\t<m"], at: ValuePath(parsing: "n"))
    let added = """
        <key>n</key>
        <dict>
          <key>x</key>
          <array>
            <integer>1</integer>
          </array>
          <key>s</key>
          <string>l
      \t&lt;m</string>
        </dict>

      """
    #expect(try self.text(file.bytes()) == text.replacing("</dict>", with: added + "</dict>"))
  }

  @Test func `A comment after a value stays on its line when another value follows`() throws {
    let text = """
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<string>1</string> <!-- about a -->
      </dict>
      </plist>

      """
    let file = try EditableFile(Array(text.utf8))
    try file.insert("2", at: ValuePath(parsing: "b"))
    let edited = try file.bytes()
    #expect(
      self.text(edited)
        == text.replacing("a -->\n", with: "a -->\n\t<key>b</key>\n\t<string>2</string>\n"))
    let back = try EditableFile(edited)
    try back.remove(at: ValuePath(parsing: "b"))
    #expect(try self.text(back.bytes()) == text)
  }

  @Test(arguments: ["<!-- a -- b -->", "<?XML?>", "<!DOCTYPE plist><!DOCTYPE plist>"])
  func `An XML property list that is not well-formed is not edited`(_ prolog: String) throws {
    let bytes = Array("\(prolog)<plist><dict><key>a</key><true/></dict></plist>".utf8)
    #expect(throws: FerryError.self) { try Edited.set(bytes, "a", "false") }
  }

  @Test(arguments: EncodedText.allCases)
  func `An edit of an XML property list keeps its encoding`(_ encoding: EncodedText) throws {
    let declared = encoding.declared(Self.plist.replacing("one", with: "eins 🎈 ü"))
    let edited = try Edited.set(encoding.bytes(declared), "list[1]", "17")
    #expect(try Edited.value(edited, "list[1]") == 17)
    let (old, new) = ("<integer>0x10</integer>", "<integer>17</integer>")
    #expect(declared.contains(old))
    #expect(edited == encoding.bytes(declared.replacing(old, with: new)))
  }

  @Test(arguments: [1, 7, 8, 9, 12, 40], ["\n", "\r\n"])
  func `An edit of data at any depth of an XML property list keeps all bytes of the data`(
    _ depth: Int, _ end: String
  ) throws {
    let data = [UInt8](0...255)
    let open = (1...depth).map { "<dict>\(end)\(String(repeating: " ", count: $0))<key>k</key>" }.joined()
    let close = String(repeating: "</dict>", count: depth)
    let gap = end + String(repeating: " ", count: depth)
    let bytes = Array("<plist>\(open)\(gap)<data>\(gap)AAEC\(gap)</data>\(close)</plist>".utf8)
    let path = Array(repeating: "k", count: depth).joined(separator: ".")
    let edited = try Edited.set(bytes, path, Value.data(data).plainText ?? "")
    #expect(try Edited.value(edited, path) == .data(data))
    let feeds = edited.indices.filter { edited[$0] == UInt8(ascii: "\n") }
    #expect(feeds.count > depth + 5)
    #expect(feeds.allSatisfy { (edited[$0 - 1] == UInt8(ascii: "\r")) == (end == "\r\n") })
    #expect(!edited.contains(UInt8(ascii: "\t")))
  }

  @Test func `An edit of an XML archive keeps numbers and text`() throws {
    let binary = try Edited.archive()
    let xml = try Conversion(to: .xmlArchive).convert(binary).bytes
    #expect(try EditableFile(xml).format == .xmlArchive)
    let edited = try Edited.set(xml, "people[1].name", "Grace")
    #expect(
      try Edited.value(edited, "people[*].name") == [
        "Ada Lovelace, countess", "Grace", "Ada Lovelace, countess",
      ])
    #expect(try Edited.set(edited, "people[1].name", "Ada Lovelace, countess") == xml)
    let json = #"{"$class": "Person", "name": "New"}"#
    let added = try Edited.insert(xml, "people[]", json, as: .json)
    #expect(try Edited.value(added, "people[3].name") == "New")
    #expect(try Edited.remove(added, "people[3]") == xml)
  }

  @Test func `An edit of a real XML property list gives the value of a rewriting`() throws {
    var count = 0
    for name in try Corpus.files(under: "plist") + Corpus.files(under: "keyed") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 60_000, let file = try? EditableFile(bytes),
        file.format == .xmlPropertyList || file.format == .xmlArchive,
        let value = try? file.value(at: ValuePath()), let path = value.stringPaths.last,
        let old = try file.value(at: path).scalar.plainText
      else { continue }
      guard let there = try? Edited.set(bytes, path.description, "x-new:<other>") else { continue }
      #expect(try Edited.value(there, path.description).scalar == "x-new:<other>", "\(name) \(path)")
      let back = try EditableFile(Edited.set(there, path.description, old)).value(at: ValuePath())
      #expect(back == value, "\(name) \(path)")
      count += 1
    }
    print("\(count) property lists in XML were edited")
    #expect(count > 200)
  }

  @Test func `An edit there and back gives every real JSON file its bytes`() throws {
    var count = 0
    for name in try Corpus.files(under: "json") {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < 60_000, let file = try? EditableFile(bytes), file.format == .json,
        let value = try? file.value(at: ValuePath()), let path = value.stringPaths.last,
        let old = try file.value(at: path).plainText
      else { continue }
      let there = try Edited.set(bytes, path.description, "other")
      #expect(there != bytes || old == "other")
      #expect(
        try EditableFile(Edited.set(there, path.description, old)).value(at: ValuePath()) == value, "\(name)")
      count += 1
    }
    print("\(count) JSON files were edited")
    #expect(count > 20)
  }

  @Test func `A text with any byte missing or changed is edited to one that opens, or refused`() throws {
    for bytes in [Array(Self.json.utf8), Array(Self.plist.utf8)] {
      let lengths = Array(stride(from: 0, to: bytes.count, by: 3))
      let damage = Damage(to: bytes, lengths: lengths, change: .flipping([0x11]))
      try damage.check(prefixes: .readOrRefused) { bytes in
        try Edited.everyEdit(of: bytes, paths: ["list[0]", "tags[0]", "[]", "new"], text: "x") { edited in
          #expect(throws: Never.self) { try EditableFile(edited) }
        }
      }
    }
  }
}
