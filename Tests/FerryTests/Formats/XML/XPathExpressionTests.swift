import TestSupport
import Testing

@testable import Ferry

/// The tokens of XPaths, and what they tell without a document.
@Suite struct `Texts of XPaths` {
  private static let unions: [(String, [String]?)] = [
    ("//a", ["//a/self::node()[f()]"]), ("/", ["/self::node()[f()]"]),
    (" (//a | (b/@c)) | //text()[1] ", ["//a", "b/@c", "//text()[1]"].map { "\($0)/self::node()[f()]" }),
    ("(//a | b)[1]", ["(//a | b)[1]/self::node()[f()]"]), ("(//a)/b", ["(//a)/b/self::node()[f()]"]),
    ("(//a)/(b)", nil),
    ("//a['|'] | id('x')", ["//a['|']/self::node()[f()]", "id('x')/self::node()[f()]"]),
    ("/é", ["/child::é/self::node()[f()]"]),
    ("/a/é | /é", ["/a/child::é", "/child::é"].map { "\($0)/self::node()[f()]" }), ("'/é'", nil),
    ("count(//a)", nil), ("//a = 1", nil),
    ("-//a", nil), ("//a * 2", nil), ("//a | 'b'", nil), ("//a and //b", nil), ("f(//a) | //b", nil),
    ("1", nil), ("$a", nil), ("//a |", nil), ("", nil), ("//a[", nil), ("'a", nil),
  ]

  @Test(arguments: unions)
  func `A union of paths is divided into them`(_ xpath: String, _ paths: [String]?) {
    #expect(XPathExpression(xpath).paths(withCondition: "f()") == paths)
  }

  @Test(arguments: [
    ("//div/div div div", ["name", "name", "operation", "name"]), ("* * *", ["name", "operation", "name"]),
    ("text() | text (1)", ["nodeType", "nodeType", "number"]),
    ("a:* | child :: b", ["name", "axis", "name"]), ("a:b(1.5 - .5)", ["function", "number", "number"]),
    ("a-b.c", ["name"]), ("@and = 'x'", ["name", "literal"]), ("$a:b", ["variable"]),
  ])
  func `A word of an XPath is a name or an operator by the words before it`(
    _ xpath: String, _ kinds: [String]
  ) throws {
    let tokens = try #require(XPathToken.tokens(of: xpath))
    let words = tokens.filter { $0.kind != .mark && !["/", "//", "|", "-", "="].contains($0.text) }
    #expect(words.map { "\($0.kind)" } == kinds)
  }

  @Test func `The calls of an XPath come after those in their arguments, also in predicates and parentheses`()
  {
    let xpath = "f(a(), b(1, -c())[d()])/x[(e() | g())[2]]/@y"
    let calls = XPathExpression(xpath).calls.map { "\($0.function.text) \($0.arguments.count)" }
    #expect(calls == ["a 0", "c 0", "b 2", "d 0", "f 2", "e 0", "g 0"])
  }

  @Test(arguments: [
    "//a]", "//a[]", "//a[@]", "(//a", "//a)", "a |", "| a", "a / / b", "a//", "//", "..[1]", "a::b::c",
    "text(1)",
    "f(,)", "f(a,)", "@@a", "a, b", "1 2", "=", "()",
  ])
  func `Tokens in an order that XPath does not allow have no syntax`(_ xpath: String) {
    #expect(XPathExpression(xpath).syntax == nil)
  }

  @Test func `An XPath is as long as it likes, and nested as deeply as 32 parentheses and brackets`() {
    func nested(_ count: Int) -> [String] {
      let parentheses = String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
      let brackets = String(repeating: "a[", count: count) + "a" + String(repeating: "]", count: count)
      let calls = String(repeating: "f(", count: count) + "a" + String(repeating: ")", count: count)
      return [parentheses, brackets, calls]
    }
    for xpath in nested(32) { #expect(XPathExpression(xpath).syntax != nil) }
    for xpath in nested(33) + nested(100_000) { #expect(XPathExpression(xpath).syntax == nil) }
    for join in ["|", "+", "/", "=-"] {
      let xpath = Array(repeating: "a", count: 100_000).joined(separator: join)
      #expect(XPathExpression(xpath).syntax != nil)
    }
  }

  @Test(arguments: ["'a", "a b", "#", "a:", "a{", "1 a", "a:1"])
  func `Other texts have no tokens of XPath`(_ text: String) { #expect(XPathToken.tokens(of: text) == nil) }

  @Test(arguments: [
    (" //a", true), (".//s", true), ("1+count(//a)", true), ("(1 + count(//a)) * 2", true), ("a/b", true),
    ("true()", true), ("descendant::a", true), ("a[1]/@b", true), ("name", false), ("a.b[0].c", false),
    ("@id", false), ("a[b=c/d]", false), ("a[\"x/y\"].z", false), ("[\"x/y\"]", false), ("a/0/b", false),
    ("{urn:x/y}a", false), ("#/a", false), ("a[*].b", false), (".", false), ("a[-1]", false), ("", false),
  ])
  func `An argument with a slash or a function outside of conditions cannot be a path to a value of XML`(
    _ argument: String, _ isXPath: Bool
  ) { #expect(XPathExpression(argument).isXPathAlone == isXPath) }

  @Test(arguments: [
    ("//a", true), ("a//b", true), ("/a[1]/@id", true), ("/a[@id='1']", true), ("count(/a)", true),
    ("/a/text()", true), ("/a/b", false), ("/a[1]", false), ("a/b", false), ("total/net (EUR)", false),
    ("/é/b", false), ("dependencies.@types/node", false), ("@types/node", false), ("a (b)", false),
    ("a@b/c", false),
  ])
  func `A JSON pointer and a key with a slash, a parenthesis or @ are not taken for an XPath`(
    _ argument: String, _ isXPath: Bool
  ) { #expect(XPathExpression(argument).isNotAPointer == isXPath) }

  @Test(arguments: [
    ("//b/l", "//b | l"), (" //b [1] / l ", "//b [1] | l"), ("//b/@k", "//b | @k"), ("/r", "/ | r"),
    ("/", nil),
    ("(//a | //b)/p:l", "(//a | //b) | p:l"), ("//b/attribute::k", "//b | @k"), ("//b/child :: l", "//b | l"),
    ("a/div", "a | div"), ("//b/self::l", nil), ("//b/*", nil), ("//b/p:*", nil), ("//b/l[1]", nil),
    ("//l", nil),
    ("//@k", nil), ("//a/l | //b/l", nil), ("1 + //b/l", nil), ("//b/text()", nil), ("//b/..", nil),
    ("//b[l", nil),
    ("child::r", "/ | r"), ("", nil),
  ])
  func `The last step of an XPath may name a new element or attribute`(_ xpath: String, _ parts: String?) {
    var found: String?
    if case .target(let target) = XPathTarget.ending(of: xpath) {
      found = "\(target.parents) | \(target.isAttribute ? "@" : "")\(target.qualifiedName)"
    }
    #expect(found == parts)
  }
}
