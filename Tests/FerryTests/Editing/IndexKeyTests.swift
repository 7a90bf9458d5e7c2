import TestSupport
import Testing

@testable import Ferry

/// Keys such as `0` and `-`, which are positions in lists, in XML, whose elements cannot have such names.
@Suite struct `Positions in XML elements that are not lists` {
  private static let types =
    #"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" "#
    + #"xmlns:ferry="urn:ferry:types""#

  /// Elements `q` with text in an element `r`, with the value in words.
  private static let texts = [
    ("<r><q>a</q></r>", "a string"), ("<r><q/></r>", "a string"), ("<r><q> </q></r>", "a string"),
    ("<r><q><!-- c --></q></r>", "a string"), ("<r>t<q>a</q>u</r>", "a string"),
    (#"<r><q id="1">a</q></r>"#, "a string with attributes"),
    (#"<r \#(types)><q>a</q></r>"#, "a string"),
    (#"<r \#(types)><q xsi:type="xs:integer">1</q></r>"#, "an integer"),
  ]

  @Test(arguments: texts.indices, ["0", "1", "-", "12", "-1"])
  func `A position in an element with only text is refused, as in a string`(_ index: Int, _ key: String)
    throws
  {
    let (text, name) = Self.texts[index]
    let path = ValuePath([.key("r"), .key("q"), .key(key)])
    let expected = PathProblem.noStep("key \"\(key)\"", into: name)
    let insertion = try EditableFile(Array(text.utf8), named: "a.xml")
    let refused = #expect(throws: FerryError.self) { try insertion.insert("x", at: path) }
    #expect(refused?.reason == .path(expected))
    let setting = try EditableFile(Array(text.utf8), named: "a.xml")
    #expect(throws: FerryError.self) { try setting.set("x", at: path, insertsMissing: true) }
    for operation in [
      #"{"op":"add","path":"/r/q/\#(key)","value":["x"]}"#,
      #"{"op":"copy","from":"/r/q","path":"/r/q/\#(key)"}"#,
    ] {
      let patched = try EditableFile(Array(text.utf8), named: "a.xml")
      #expect(throws: FerryError.self) { try patched.apply(JSONPatch(Array("[\(operation)]".utf8))) }
      #expect(try patched.bytes() == Array(text.utf8))
    }
  }

  @Test func `A position beside the only element with a name makes a list of both`() throws {
    for (path, expected) in [
      ("r.q[0]", "<r><q>x</q><q>a</q></r>"), ("r.q[1]", "<r><q>a</q><q>x</q></r>"),
      ("r.q[]", "<r><q>a</q><q>x</q></r>"),
    ] {
      let edited = try Edited.text("<r><q>a</q></r>", in: .xml) {
        try $0.insert("x", at: ValuePath(parsing: path))
      }
      #expect(edited == expected)
    }
  }

  @Test(arguments: [
    ("<r><q><n>1</n></q></r>", "<r><q><n>1</n><_x0030_>x</_x0030_></q></r>", true),
    (#"<r><q id="1"/></r>"#, #"<r><q id="1"><_x0030_>x</_x0030_></q></r>"#, true),
    // The element has such keys, so that another one is expected.
    ("<r><q><_x0031_>1</_x0031_></q></r>", "<r><q><_x0031_>1</_x0031_><_x0030_>x</_x0030_></q></r>", false),
  ])
  func `A key that looks like a position is added to a dictionary, as in JSON, and noted if it is the first`(
    _ text: String, _ expected: String, _ isNoted: Bool
  ) throws {
    let file = try EditableFile(Array(text.utf8), named: "a.xml")
    try file.apply(JSONPatch(Array(#"[{"op":"add","path":"/r/q/0","value":"x"}]"#.utf8)))
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == expected)
    let path = ValuePath([.key("r"), .key("q"), .key("0")])
    let noted: [ValuePath] = isNoted ? [path] : []
    #expect(file.indexKeys.map(\.path) == noted)
    let element: String? = isNoted ? "_x0030_" : nil
    #expect(file.indexKeys.first?.element == element)
  }

  @Test(arguments: [
    ("a.json", #"{"a":[1,2]}"#, "a.0", "7", #"{"a":[7,1,2]}"#),
    ("a.json", #"{"a":[1,2]}"#, "a.2", "7", #"{"a":[1,2,7]}"#),
    ("a.yaml", "a: [1, 2]\n", "a.2", "7", "a: [1, 2, 7]\n"), ("a.yaml", "a: [1, 2]\n", "a.0", "x", nil),
  ])
  func `A new element gets the type of its neighbor also if its index is written as a key`(
    _ name: String, _ text: String, _ path: String, _ value: String, _ expected: String?
  ) throws {
    let file = try EditableFile(Array(text.utf8), named: name)
    guard let expected else {
      #expect(throws: FerryError.self) { try file.insert(text: value, at: ValuePath(parsing: path)) }
      return
    }
    try file.insert(text: value, at: ValuePath(parsing: path))
    #expect(String(decoding: try file.bytes(), as: UTF8.self) == expected)
  }
}
