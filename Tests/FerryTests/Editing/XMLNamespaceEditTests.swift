import TestSupport
import Testing

@testable import Ferry

@Suite struct `Changes of names with namespaces in XML documents` {
  private func edit(_ text: String, _ change: (EditableFile) throws -> Void) throws -> String {
    try Edited.text(text, in: .xml, change)
  }

  /// Patches that add names of namespaces.
  private static let namespaced: [(text: String, patch: String, edited: String)] = [
    (
      "<r xmlns:m='u'><a/></r>",
      #"[{"op":"add","path":"/r/@xmlns:n","value":"v"},{"op":"add","path":"/r/n:b","value":"x"}]"#,
      "<r xmlns:m='u' xmlns:n=\"v\"><a/><n:b>x</n:b></r>"
    ),
    (
      "<r xmlns:m='u'><a/></r>",
      #"[{"op":"add","path":"/r/n:b","value":"x"},{"op":"add","path":"/r/@xmlns:n","value":"v"}]"#,
      "<r xmlns:m='u' xmlns:n=\"v\"><a/><n:b>x</n:b></r>"
    ),
    (
      "<r><a/></r>", #"[{"op":"replace","path":"/r/a","value":{"@xmlns:n":"v","n:b":"x"}}]"#,
      "<r><a xmlns:n=\"v\"><n:b>x</n:b></a></r>"
    ),
    (
      "<r><a>t</a></r>",
      #"[{"op":"add","path":"/r/@xmlns:n","value":"v"},{"op":"replace","path":"/r/a","value":{"n:b":"x"}}]"#,
      "<r xmlns:n=\"v\"><a><n:b>x</n:b></a></r>"
    ),
    (
      "<!DOCTYPE r [<!ATTLIST r xmlns:m CDATA #FIXED 'u'>]><r><a/></r>",
      #"[{"op":"add","path":"/r/m:b","value":"x"}]"#,
      "<!DOCTYPE r [<!ATTLIST r xmlns:m CDATA #FIXED 'u'>]><r><a/><m:b>x</m:b></r>"
    ),
    (
      "<r xmlns:m='u'><a><m:b>1</m:b></a><c/></r>", #"[{"op":"move","from":"/r/a/m:b","path":"/r/c/m:b"}]"#,
      "<r xmlns:m='u'><a/><c><m:b>1</m:b></c></r>"
    ),
    (
      "<r><m:a xmlns:m='u'><m:b>1</m:b></m:a><c/></r>",
      #"[{"op":"copy","from":"/r/m:a/m:b","path":"/r/c/b"}]"#,
      "<r><m:a xmlns:m='u'><m:b>1</m:b></m:a><c><b>1</b></c></r>"
    ),
    (
      "<r><m:a xmlns:m='u'><b m:c='2'>1</b></m:a><c xmlns:m='u'/></r>",
      #"[{"op":"copy","from":"/r/m:a/b","path":"/r/c/b"}]"#,
      "<r><m:a xmlns:m='u'><b m:c='2'>1</b></m:a><c xmlns:m='u'><b m:c='2'>1</b></c></r>"
    ),
    // A document whose keys have a colon takes more of them.
    (
      "<r><n_x003A_a/></r>", #"[{"op":"add","path":"/r/n:b","value":"x"}]"#,
      "<r><n_x003A_a/><n_x003A_b>x</n_x003A_b></r>"
    ),
    // Names with more than one colon have no prefix.
    (
      "<r><a/></r>", #"[{"op":"add","path":"/r/n:b:c","value":"x"}]"#,
      "<r><a/><n_x003A_b_x003A_c>x</n_x003A_b_x003A_c></r>"
    ),
  ]

  @Test(arguments: namespaced.indices) func `New elements have the namespaces of their prefixes`(
    _ index: Int
  ) throws {
    let (text, patch, edited) = Self.namespaced[index]
    #expect(try edit(text) { try $0.apply(JSONPatch(Array(patch.utf8))) } == edited)
  }

  private static let outOfScope: [(text: String, patch: String, problem: String)] = [
    (
      "<r><m:a xmlns:m='u'><m:b>1</m:b></m:a><c/></r>",
      #"[{"op":"move","from":"/r/m:a/m:b","path":"/r/c/m:b"}]"#, #"the prefix of "m:b" is not declared here"#
    ),
    (
      "<r><m:a xmlns:m='u'><m:b>1</m:b></m:a><c/></r>",
      #"[{"op":"copy","from":"/r/m:a/m:b","path":"/r/c/m:b"}]"#, #"the prefix of "m:b" is not declared here"#
    ),
    (
      "<r><m:a xmlns:m='u'><b><m:d>1</m:d></b></m:a><c/></r>",
      #"[{"op":"move","from":"/r/m:a/b","path":"/r/c/e"}]"#, #"the prefix of "m:d" is not declared here"#
    ),
    (
      "<r><m:a xmlns:m='u'><m:b>1</m:b></m:a><c xmlns:m='v'/></r>",
      #"[{"op":"copy","from":"/r/m:a/m:b","path":"/r/c/m:b"}]"#, #""m:b" would be in another namespace here"#
    ),
    (
      "<r><a xmlns='u'><b>1</b></a><c/></r>", #"[{"op":"move","from":"/r/a/b","path":"/r/c/b"}]"#,
      #""b" would be in another namespace here (the attribute "@xmlns" gives it)"#
    ),
    (
      "<r><m:a xmlns:m='u'/><c/></r>", #"[{"op":"add","path":"/r/c/m:b","value":"1"}]"#,
      #"the prefix of "m:b" is not declared here (the attribute "@xmlns:m" declares it)"#
    ),
    (
      "<r><m:a xmlns:m='u'/><c/></r>", #"[{"op":"add","path":"/r/d","value":{"@m:k":"1"}}]"#,
      #"the prefix of "m:k" is not declared here"#
    ),
    (
      "<r><a/></r>", #"[{"op":"add","path":"/r/n:b","value":"x"}]"#,
      #"the prefix of "n:b" is not declared here (the attribute "@xmlns:n" declares it)"#
    ),
    (
      "<r><a/></r>", #"[{"op":"replace","path":"/r/a","value":{"c":[{"xsi:type":"x"}]}}]"#,
      #"the prefix of "xsi:type" is not declared here"#
    ),
    (
      "<r><a/></r>", #"[{"op":"add","path":"/r/d","value":{"@q:k":"1"}}]"#,
      #"the prefix of "q:k" is not declared here"#
    ),
    (
      "<r><a/></r>", #"[{"op":"add","path":"/r/xmlns:z","value":"u"}]"#,
      #"no element has the prefix xmlns (the attribute "@xmlns:z" declares a prefix)"#
    ),
    (
      "<r><m:b xmlns:m='u'>1</m:b></r>", #"[{"op":"replace","path":"/r/m:b","value":"2"}]"#,
      #"the prefix of "m:b" is not declared here"#
    ),
  ]

  @Test(arguments: outOfScope.indices)
  func `An element is refused where its prefix is not declared or has another namespace`(
    _ index: Int
  ) throws {
    let (text, patch, problem) = Self.outOfScope[index]
    let error = #expect(throws: FerryError.self) {
      try edit(text) { try $0.apply(JSONPatch(Array(patch.utf8))) }
    }
    #expect(error?.reason.description.contains(problem) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [(##"{"#comment":"x"}"##, "#comment"), (#"{"m:b":"x"}"#, "m:b")])
  func `A refused key is found in many lists in lists`(_ json: String, _ key: String) throws {
    let (begin, end) = (String(repeating: "[", count: 100), String(repeating: "]", count: 100))
    let error = #expect(throws: FerryError.self) {
      try edit("<r><m:a xmlns:m='u'/><c/></r>") {
        try $0.insert(
          Value(json: Array((begin + json + end).utf8), budget: Budget()), at: ValuePath(parsing: "r.d"))
      }
    }
    #expect(error?.reason.description.contains("\"\(key)\"") == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      ("r[\"{u:m}b\"]", "<c xmlns:m='u:n'/></r>", "<c xmlns:m='u:n'/><m:b>x</m:b></r>"),
      ("r[\"@{u:m}b\"]", "<r xmlns:m='u:m'>", "<r xmlns:m='u:m' m:b=\"x\">"),
      ("r.a[\"@{u:z}b\"]", "<a/>", "<a xmlns:ns1=\"u:z\" ns1:b=\"x\"/>"),
      (
        "r.c[\"{u:m}b\"]", "<c xmlns:m='u:n'/>",
        "<c xmlns:m='u:n' xmlns:ns1=\"u:m\"><ns1:b>x</ns1:b></c>"
      ),
    ])
  func `A name with its namespace in braces is inserted with a prefix of the namespace`(
    _ path: String, _ old: String, _ new: String
  ) throws {
    let text = "<r xmlns:m='u:m'><a/><c xmlns:m='u:n'/></r>"
    #expect(
      try edit(text) { try $0.insert(text: "x", at: ValuePath(parsing: path)) }
        == text.replacing(old, with: new))
  }

  @Test func `The key of a new attribute with a namespace in braces is read back`() throws {
    let file = try EditableFile(Array("<r><a>x</a></r>".utf8), named: "a.xml")
    try file.set(["@{u:m}b": "1"], at: ValuePath(parsing: "r.a"))
    let back = try EditableFile(file.bytes(), named: "a.xml")
    #expect(try back.value(at: ValuePath([.key("r"), .key("a"), .key("@{u:m}b")])) == "1")
  }

  @Test func `A name in a namespace is inserted into XML in data, too`() throws {
    let xml: Value = .data(Array(#"<r xmlns:p="urn:a"><p:c>1</p:c></r>"#.utf8))
    let file = try EditableFile(PropertyLists.binary(["list": [xml, xml]]))
    try file.insert("x", at: ValuePath(parsing: #"list[0].r["{urn:a}b"]"#))
    try file.insert("y", at: ValuePath(parsing: #"list[*].r["{urn:a}d"]"#))
    let wanted = ["<p:c>1</p:c><p:b>x</p:b><p:d>y</p:d>", "<p:c>1</p:c><p:d>y</p:d>"]
    let found = try file.value(at: "list")
    #expect(found == .array(wanted.map { .data(Array(#"<r xmlns:p="urn:a">\#($0)</r>"#.utf8)) }))
  }
}
