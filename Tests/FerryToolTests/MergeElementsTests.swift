import Foundation
import TestSupport
import Testing

/// Three versions of an XML document, and the merged document.
private struct Elements: CustomTestStringConvertible, Sendable {
  let base, ours, theirs, merged: String

  var testDescription: String { "\(base) | \(ours) | \(theirs)" }

  init(_ base: String, _ ours: String, _ theirs: String, _ merged: String) {
    (self.base, self.ours, self.theirs, self.merged) = (base, ours, theirs, merged)
  }

  static let all = [
    // A removed text stays removed beside attributes and children of both sides.
    Elements("<r>t</r>", "<r><e/>t</r>", "<r><f/></r>", "<r><e/><f/></r>"),
    Elements("<r>t</r>", "<r a=\"1\">t</r>", "<r b=\"2\"/>", "<r a=\"1\" b=\"2\"/>"),
    Elements(
      "<r><p>Hello</p></r>", "<r><p class=\"x\">Hello</p></r>", "<r><p lang=\"de\"><em>Bye</em></p></r>",
      "<r><p class=\"x\" lang=\"de\"><em>Bye</em></p></r>"),
    Elements("<r>t</r>", "<r a=\"1\">t</r>", "<r>t<b/></r>", "<r a=\"1\">t<b/></r>"),
    Elements("<r>t</r>", "<r a=\"1\">t</r>", "<r>u</r>", "<r a=\"1\">u</r>"),
    Elements("<a>1</a>", "<a k=\"1\">1</a>", "<a k=\"1\">2</a>", "<a k=\"1\">2</a>"),
    // Attributes and text stay attributes and text.
    Elements(
      "<r><q>1</q></r>", "<r><q>1</q><a><b>1</b></a></r>", "<r><q>1</q><a id=\"v\"/></r>",
      "<r><q>1</q><a id=\"v\"><b>1</b></a></r>"),
    Elements("<r><a/></r>", "<r><a><x/></a></r>", "<r><a k=\"1\"/></r>", "<r><a k=\"1\"><x/></a></r>"),
    Elements("<r><a/></r>", "<r><a><x/></a></r>", "<r><a>t</a></r>", "<r><a><x/>t</a></r>"),
    Elements(
      "<r><a k=\"1\"><e/>t</a></r>", "<r><a k=\"1\">t</a></r>", "<r><a><e/>t</a></r>", "<r><a>t</a></r>"),
    Elements("<r><a><e/><f/></a></r>", "<r><a><e/></a></r>", "<r><a><f/></a></r>", "<r><a/></r>"),
    // A single element is a list of one.
    Elements(
      "<r><a id=\"1\"><n>x</n><m/></a></r>", "<r><a id=\"1\"><m/></a><a id=\"2\"/></r>",
      "<r><a id=\"1\"><n>x</n><m/></a><a id=\"3\"/></r>",
      "<r><a id=\"1\"><m/></a><a id=\"2\"/><a id=\"3\"/></r>"),
  ]
}

@Suite(.temporaryDirectory) struct `A merge of values whose kind both sides change` {
  private func merged(
    _ versions: [String], as name: String, _ options: [String] = ["-q"]
  ) async throws -> ToolRun {
    try await mergeVersions(of: "x.\(name)", versions[0], versions[1], versions[2], options)
  }

  /// Returns the value of an XML document in JSON with sorted keys.
  private func json(_ xml: String) async throws -> String {
    try directory.write("json.xml", xml)
    return try await ToolRun.ferry("convert", "json.xml", "--to", "json", "--sort-keys", "-q").output
  }

  @Test(arguments: Elements.all)
  fileprivate func `Attributes, children and text of an XML element are merged each on its own`(
    _ elements: Elements
  ) async throws {
    let expected = try await json(elements.merged)
    let run = try await merged([elements.base, elements.ours, elements.theirs], as: "xml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.contains("_x00"), "\(run.output)")
    #expect(try await json(run.output) == expected)
    let swapped = try await merged([elements.base, elements.theirs, elements.ours], as: "xml")
    #expect(swapped.status == 0, "\(swapped.errors)")
    #expect(!swapped.output.contains("_x00"), "\(swapped.output)")
    // Additions of both sides at one position have the order of ours.
    #expect(try await json(swapped.output).utf8.sorted() == expected.utf8.sorted())
  }

  @Test func `A text that one side adds while the other moves elements is written once`() async throws {
    let versions = [
      "<r>\n<?p?><b>1</b><c/></r>\n", "<r>t6<?p?><b>1</b><c/></r>\n",
      "<r>\n<c>\n<!-- 7 --></c><b>1</b><?p?></r>\n",
    ]
    let whole = try await merged(versions, as: "xml", [])
    #expect(whole.output == "<r>\n<c>\n<!-- 7 --></c><b>1</b><?p?>t6</r>\n", "\(whole)")
    let run = try await merged(versions, as: "xml", ["-q", "--favor", "ours"])
    #expect(run.status == 0)
    #expect(run.output.components(separatedBy: "t6").count == 2, "\(run.output)")
    #expect(!run.output.contains("_x00"), "\(run.output)")
  }

  @Test func `Escaped elements and attributes of other formats stay apart`() async throws {
    // These elements come from JSON with the keys "@k" and "#text" after other keys.
    let run = try await merged(
      [
        "<r><a>1</a><_x0040_k>7</_x0040_k></r>", "<r><a>2</a><_x0040_k>7</_x0040_k></r>",
        "<r><a>1</a><_x0040_k>8</_x0040_k><b/></r>",
      ], as: "xml")
    #expect(run.output == "<r><a>2</a><_x0040_k>8</_x0040_k><b/></r>")
  }

  @Test func `Different names that both sides give the root element are a conflict`() async throws {
    let run = try await merged(["<a>1</a>", "<b>1</b>", "<c>1</c>"], as: "xml")
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.contains(": 1 conflict, so nothing was written"), "\(run.errors)")
  }

  @Test func `A built-in schema that does not match our version does not change the shape of the others`()
    async throws
  {
    func people(_ attribute: String, _ rest: String) -> String {
      "<people><person\(attribute)><firstName>Ada</firstName>\(rest)</person></people>"
    }
    let (base, nick) = ("<lastName>B</lastName>", " nick=\"q\"")
    let run = try await merged(
      [people("", base), people("", "<extra><x/></extra>"), people(nick, base)], as: "xml")
    #expect(run.status == 0)
    #expect(run.output == people(nick, "<extra><x/></extra>"))
  }

  /// The values of one key in three versions, none of the kind of the base.
  private static let replacements = [
    (#""t""#, #"{"a":1}"#, #"{"b":2}"#), (#""t""#, #"{"a":"t"}"#, #"{"b":"u"}"#),
    ("[1]", #"{"a":1}"#, #"{"b":2}"#), ("1", "[1,2]", "[1,3]"),
    (#"{"id":1,"n":1}"#, #"[{"id":1}]"#, #"[{"id":1,"n":1},{"id":2}]"#),
  ]

  @Test(arguments: replacements, ["json", "plist"])
  func `A value that both sides replace by different collections is a conflict`(
    _ versions: (String, String, String), _ format: String
  ) async throws {
    func document(_ value: String) async throws -> String {
      let text = "{\"x\":\(value)}"
      guard format == "plist" else { return text }
      try directory.write("value.json", text)
      return try await ToolRun.ferry("convert", "value.json", "--to", "plist-xml").output
    }
    let base = try await document(versions.0)
    let (ours, theirs) = (try await document(versions.1), try await document(versions.2))
    for sides in [[ours, theirs], [theirs, ours]] {
      let run = try await merged([base] + sides, as: format)
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.contains(": 1 conflict, so nothing was written"), "\(run.errors)")
    }
    let run = try await merged([base, ours, ours], as: format)
    #expect(run.status == 0)
    #expect(run.output == ours)
  }

  private static func element(_ attribute: String, _ children: [String]) -> String {
    "<r\(attribute)>\(children.map { "\n  " + $0 }.joined())\n</r>\n"
  }
  private static let children = ["<a>1</a>", "<b>2</b>", "<k>9</k>"]

  @Test(
    arguments: [[1, 2], [0, 2], [1, 0, 2], [2], []], ["", " id=\"1\""])
  func `An addition beside a comment is kept if the other side removes or moves elements`(
    _ kept: [Int], _ attribute: String
  ) async throws {
    let base = Self.element(attribute, Self.children)
    let changed = Self.element(attribute, kept.map { Self.children[$0] })
    for added in [["<!--note-->", "<c>3</c>"], ["<c>3</c>", "<!--note-->"]] {
      for index in 0...3 {
        var children = Self.children
        children.insert(contentsOf: added, at: index)
        let other = Self.element(attribute, children)
        for (sides, favored) in [([changed, other], "ours"), ([other, changed], "theirs")] {
          let run = try await merged([base] + sides, as: "xml", ["--favor", favored])
          #expect(run.status == 0)
          #expect(run.output.contains("<c>3</c>"), "\(index) \(added): \(run.output) \(run.errors)")
          #expect(!run.output.contains("CDATA"), "\(run.output)")
          // A comment above an element that is gone is a conflict, which names it.
          #expect((run.output + run.errors).contains("<!--note-->"), "\(run.errors)")
        }
      }
    }
  }

  @Test func `XML keeps its comments and layout if one element of a list or none is left`() async throws {
    let (one, two, three) = ("  <r a=\"1\"/>\n", "  <!-- two -->\n  <r a=\"2\"/>\n", "  <r a=\"3\"/>\n")
    for other in ["", "  <s>x</s>\n"] {
      func list(_ elements: String...) -> String { "<l>\n\(elements.joined())\(other)</l>\n" }
      for sides in [[list(one, two), list(two, three)], [list(two, three), list(one, two)]] {
        let run = try await merged([list(one, two, three)] + sides, as: "xml", [])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(run.output == list(two))
      }
    }
    let note = "  <!-- note -->\n"
    let lists = [one + note + three, one + note, note + three].map { "<l>\n\($0)</l>\n" }
    let none = try await merged(lists, as: "xml", [])
    #expect(none.status == 0 && none.errors == "", "\(none.errors)")
    #expect(none.output.contains("<!-- note -->") && !none.output.contains("<r"))
  }
}
