import TestSupport
import Testing

@testable import Ferry

private func condition(
  _ path: ValuePath, _ comparison: ValuePath.Comparison, _ operand: String
) -> ValuePath.Condition {
  ValuePath.Condition(path, comparison, operand)
}

private func filter(
  _ path: ValuePath, _ comparison: ValuePath.Comparison, _ operand: String
) -> ValuePath.Step {
  .filter(ValuePath.Filter(condition(path, comparison, operand)))
}

@Suite struct `Paths` {
  static let notations: [(String, [ValuePath.Step])] = [
    ("", []), (".", []), ("$", []), ("a", [.key("a")]), (".a", [.key("a")]), ("$.a", [.key("a")]),
    ("a.b", [.key("a"), .key("b")]), ("$class", [.key("$class")]),
    ("$top.root", [.key("$top"), .key("root")]),
    ("[0]", [.index(0)]), ("a[3].b", [.key("a"), .index(3), .key("b")]), ("[-1]", [.index(-1)]),
    ("$[0]", [.index(0)]), ("a[][0]", [.key("a"), .end, .index(0)]),
    ("[1:3]", [.slice(from: 1, to: 3)]), ("[:3]", [.slice(from: nil, to: 3)]),
    ("[-2:]", [.slice(from: -2, to: nil)]),
    ("[*]", [.slice(from: nil, to: nil)]), ("[:]", [.slice(from: 0, to: nil)]),
    (#"["a key.with dots"]"#, [.key("a key.with dots")]), ("['it']", [.key("it")]),
    (#"["\"\\\n\u{e9}"]"#, [.key("\"\\\né")]), (#"a.["b"].c"#, [.key("a"), .key("b"), .key("c")]),
    (#"["\ud800a"].b"#, [.key(#"\ud800a"#), .key("b")]), (#"["\\ud800"]"#, [.key(#"\ud800"#)]),
    (#"["\u00e9\ud83d\ude00"]"#, [.key("é😀")]), (#"["\\\uDFFF"=a]"#, [.element(where: #"\\udfff"#, is: "a")]),
    (#""b.c".'d e'[0]"#, [.key("b.c"), .key("d e"), .index(0)]),
    (#"a."x\ty"."b\"""#, [.key("a"), .key("x\ty"), .key("b\"")]),
    (#""a"b"#, [.key(#""a"b"#)]), ("a.'tis", [.key("a"), .key("'tis")]), (#""""#, [.key("")]),
    ("a b", [.key("a b")]), ("naïve.ключ", [.key("naïve"), .key("ключ")]), ("a-b:c", [.key("a-b:c")]),
    ("#/people/3/a~1b~0", [.key("people"), .key("3"), .key("a/b~")]), ("#", []),
    ("[\"\"]", [.key("")]),
    (#"people[name="Ada"].age"#, [.key("people"), .element(where: "name", is: "Ada"), .key("age")]),
    ("[id=7]", [.element(where: "id", is: "7")]), ("[7=]", [.element(where: "7", is: "")]),
    (#"["a=]b"='c]"']"#, [.element(where: "a=]b", is: "c]\"")]),
    ("[a='=b']", [.element(where: "a", is: "=b")]),
    (#"["a!"=b]"#, [.element(where: "a!", is: "b")]), ("[a=!b]", [.element(where: "a", is: "!b")]),
    ("[a!b=~c]", [.element(where: "a!b", is: "~c")]), ("[a=' b']", [.element(where: "a", is: " b")]),
    ("[a b=c d]", [.element(where: "a b", is: "c d")]),
    ("[age>=30]", [filter("age", .greaterOrEqual, "30")]), ("[age>-3]", [filter("age", .greater, "-3")]),
    ("[age<='3']", [filter("age", .lessOrEqual, "3")]), ("[a<b=c]", [filter("a", .less, "b=c")]),
    ("[a!=]", [filter("a", .notEqual, "")]), (#"[a>""]"#, [filter("a", .greater, "")]),
    (#"["a<b"=7]"#, [.element(where: "a<b", is: "7")]), ("[a=<b>]", [.element(where: "a", is: "<b>")]),
    (#"["?a"=7]"#, [.element(where: "?a", is: "7")]), ("[$class=P]", [.element(where: "$class", is: "P")]),
    ("[address.city=Graz]", [filter("address.city", .equal, "Graz")]),
    ("[.address.city=Graz]", [filter("address.city", .equal, "Graz")]),
    (#"["a.b"=1]"#, [.element(where: "a.b", is: "1")]), (#"[['a.b']=1]"#, [.element(where: "a.b", is: "1")]),
    (#"['a.b'.c["d e"][-1]!=1]"#, [filter(#"["a.b"].c["d e"][-1]"#, .notEqual, "1")]),
    ("[tags[*]=x]", [filter("tags[*]", .equal, "x")]), ("[tags[]=x]", [filter("tags[]", .equal, "x")]),
    ("[[0]<x]", [filter("[0]", .less, "x")]), ("[.>3]", [filter("", .greater, "3")]),
    ("[pets[kind=cat].age>2]", [filter("pets[kind=cat].age", .greater, "2")]),
    (
      "[a>1][b!='x]'].c",
      [
        .filter(ValuePath.Filter(condition("a", .greater, "1"), [condition("b", .notEqual, "x]")])),
        .key("c"),
      ]
    ),
    ("[a>1].[b=x]", [filter("a", .greater, "1"), .element(where: "b", is: "x")]),
    ("[a>1].b[c=x]", [filter("a", .greater, "1"), .key("b"), .element(where: "c", is: "x")]),
    (#"["a"="b"]"#, [.element(where: "a", is: "b")]),
    ("/people/0/a~1b", [.key("people"), .key("0"), .key("a/b")]), ("/", [.key("")]),
    (":people:0:name", [.key("people"), .key("0"), .key("name")]), (":", []),
    (".people[].name", [.key("people"), .end, .key("name")]),
    ("paths./users", [.key("paths"), .key("/users")]),
    // A combining character after a sign of the notation is the first of a key.
    ("/\u{301}a/b~1\u{301}~0\u{301}", [.key("\u{301}a"), .key("b/\u{301}~\u{301}")]),
    (":\u{301}a:\u{301}b", [.key("\u{301}a"), .key("\u{301}b")]),
    ("a.\u{301}b", [.key("a"), .key("\u{301}b")]),
    ("[\"a=\u{301}b\"=c]", [.element(where: "a=\u{301}b", is: "c")]),
    ("[\"*\u{301}\"=c]", [.element(where: "*\u{301}", is: "c")]),
  ]

  @Test(arguments: notations) func `Paths are read`(text: String, steps: [ValuePath.Step]) throws {
    #expect(try ValuePath(parsing: text).steps == steps)
  }

  @Test(arguments: notations) func `Paths are written so that they are read again`(
    text: String, steps: [ValuePath.Step]
  ) throws {
    #expect(try ValuePath(parsing: ValuePath(steps).description).steps == steps)
  }

  @Test(arguments: [
    "a.1️⃣.b", "a.1️⃣", "a[1️⃣", "a[1️⃣x]", "a[11️⃣x]", #"a[1️⃣"b]"#, #"a["b"1️⃣"#, "a1️⃣]", "[0]1️⃣a", #"["1️⃣\q"]"#,
    #"["1️⃣\u{zz}"]"#, #"["a1️⃣\u00g0"]"#, "[1:21️⃣:3]", "[1️⃣99999999999999999999]", "[1️⃣-]", "[*1️⃣", "[1️⃣=a]", "[a=b1️⃣",
    "[a=1️⃣[b]",
    #"[a="b"1️⃣c]"#, #"[a=1️⃣"b]"#, "[a=1️⃣=b]", "[a1️⃣~=b]", "[a1️⃣|=b]", "[a^=1️⃣]", "[a*=1️⃣=b]", #"[a$=1️⃣""]"#, "[*1️⃣=b]",
    "[a1️⃣ = b]", "[a=1️⃣ b]", "[a1️⃣ >1]", "[a<1️⃣ 1]",
    #"["a"=1️⃣=b]"#, #"["a"1️⃣~=b]"#, #"["a"1️⃣b>c]"#, "[a!=1️⃣=b]", "[a1️⃣!!=b]", "[age>1️⃣>3]", "[age>=1️⃣=3]",
    "[age<1️⃣>3]",
    "[age>1️⃣]", "[age<=1️⃣]", "[1️⃣>3]", "[1️⃣!=3]", "[a.1️⃣=3]", "[a.1️⃣.b=3]", #"[1️⃣"a>3]"#, #"[a>1️⃣"3]"#, "[a>31️⃣",
    "[a[1️⃣x]=3]", "[age<501️⃣ or x=a]", "[age>=501️⃣ ]", "[age<51️⃣,x=a]", "[age>51️⃣&&n<9]", "[v>1.21️⃣.3]",
    "[age!=1️⃣>5]",
    "[day<2001-01-011️⃣ 10:00]", "[age>-71️⃣x]",
    "[1️⃣a.b]", "[1️⃣?a>3]", "[a>1][b>1️⃣]", "[a[b[c[d[e[f[g[h[1️⃣i=1]=1]=1]=1]=1]=1]=1]=1]=1]",
  ])
  func `Invalid paths are refused with the place`(marked: String) throws {
    let marked = MarkedText(marked)
    do throws(FerryError) {
      let path = try ValuePath(parsing: marked.text)
      Issue.record("read as \(path)")
    } catch {
      guard case .path(.badSyntax(marked.text, let offset, _)) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(offset == marked.location?.byte, "\(error)")
    }
  }

  @Test func `Paths with keys of any characters are read again`() throws {
    for key in [
      "", ".", "a.b", "[0]", "\"", "\\", "'", "\n", "\u{1b}[31m", "$", "#/a", "/a", ":a", "#", "a/b", "a ",
      "\u{85}", "é", "*", #"\ud800"#, #"\\udfffa\"#, #"\ud83d\ude00"#, #"\uD800\ud7ff"#,
    ] {
      let path = ValuePath([.key(key), .index(0), .key(key)])
      #expect(try ValuePath(parsing: path.description) == path, "\(path)")
    }
  }
}
