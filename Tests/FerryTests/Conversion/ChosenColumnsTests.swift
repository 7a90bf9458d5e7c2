import Ferry
import TestSupport
import Testing

@Suite struct `Chosen keys of records` {
  private func text(
    _ source: String, named name: String = "a.json", _ columns: [String], to target: Format = .json,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> String {
    var conversion = Conversion(to: target)
    conversion.writing.csv.columns = columns
    change(&conversion)
    return String(decoding: try conversion.convert(Array(source.utf8), named: name).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (#"[{"a":1,"b":2,"c":3},{"b":[4]},{}]"#, ["b", "a"], #"[{"b":2,"a":1},{"b":[4]},{}]"#),
    (#"[1,{"a":1,"b":2},null]"#, ["b"], #"[1,{"b":2},null]"#),
    (#"{"a":1,"b":2}"#, ["b"], #"{"b":2}"#),
    (#"{"v":2,"people":[{"a":1,"b":2}]}"#, ["a"], #"[{"a":1}]"#),
    (
      #"[{"id":1,"p":{"x":"X","y":"Y","z":{"q":1,"r":2}}},{"p":null}]"#, ["p.y", "id", "p.z.r", "p.x"],
      #"[{"p":{"y":"Y","z":{"r":2},"x":"X"},"id":1},{}]"#
    ),
    (#"[{"p.x":1,"p":{"x":2,"y":3}}]"#, ["p.x", "p.y"], #"[{"p.x":1,"p":{"y":3}}]"#),
    (#"[{"p":{"x":2,"y":3}}]"#, ["p.y", "p", "p.x"], #"[{"p":{"x":2,"y":3}}]"#),
    (#"[{"p.q":{"x.y":2}}]"#, ["p.q.x.y"], #"[{"p.q":{"x.y":2}}]"#),
  ])
  func `Records have only the chosen keys, in their order`(
    _ source: String, _ columns: [String], _ expected: String
  ) throws {
    #expect(try text(source, columns) == expected + "\n")
    #expect(try text(source, columns) { $0.writing.sortsKeys = true }.utf8.count == expected.utf8.count + 1)
  }

  @Test func `Lines, documents of YAML and the records of XML have only the chosen keys`() throws {
    let records = #"[{"a":1,"b":2},{"a":3}]"#
    #expect(try text(records, ["b", "a"], to: .jsonLines) == "{\"b\":2,\"a\":1}\n{\"a\":3}\n")
    #expect(try text(records, ["b", "a"], to: .yaml) == "- b: 2\n  a: 1\n- a: 3\n")
    #expect(
      try text(records, ["a", "b"]) { $0.writing.sortsKeys = true } == "[{\"a\":1,\"b\":2},{\"a\":3}]\n")
    #expect(try text(records, ["b", "a"]) { $0.writing.sortsKeys = true }.hasPrefix(#"[{"b":2,"a":1}"#))
    let xml = "<r><p k='1'><a>1</a><b>2</b></p><p k='2'><a>3</a></p></r>"
    #expect(
      try text(xml, named: "a.xml", ["b", "@k"]) == "[{\"b\":\"2\",\"@k\":\"1\"},{\"@k\":\"2\"}]\n")
    #expect(try text("<r><a>1</a><b>2</b></r>", named: "a.xml", ["b"]) == "{\"b\":\"2\"}\n")
    let people = "<people><person><firstName>Ada</firstName><lastName>L</lastName></person></people>"
    #expect(try text(people, named: "p.xml", ["lastName"]) == "[{\"lastName\":\"L\"}]\n")
    #expect(try text("a: 1\nb: 2\n", named: "a.yaml", ["b"], to: .yaml) == "b: 2\n")
    #expect(try text("a,b\n1,2\n", named: "a.csv", ["b"]) == "[{\"b\":\"2\"}]\n")
  }

  @Test func `No loss is reported for a value that is not chosen`() throws {
    let document = #"{"a":1,"b":2}"#
    var conversion = Conversion(to: .json)
    conversion.writing.csv.columns = ["a"]
    let list = "<plist><array><dict><key>a</key><true/><key>d</key><data>AA==</data></dict></array></plist>"
    let result = try conversion.convert(Array(list.utf8), named: "a.plist")
    #expect(String(decoding: result.bytes, as: UTF8.self) == "[{\"a\":true}]\n")
    #expect(result.report.losses.counts.isEmpty, "\(result.report.losses.counts)")
    conversion.writing.representation = .typed
    #expect(try conversion.convert(Array(document.utf8)).bytes.count > document.utf8.count)
  }

  @Test(arguments: [Format.json, .jsonLines, .yaml])
  func `A column that no record has is an error`(_ format: Format) throws {
    let error = #expect(throws: FerryError.self) { try text(#"[{"a":1},{}]"#, ["a", "b"], to: format) }
    #expect("\(String(describing: error))".contains("no record has the column \"b\""))
    #expect(try text("[]", ["b"]) == "[]\n")
  }

  @Test(arguments: [
    ("frist", Format.json, #"no record has the column "frist" (did you mean "first"?)"#),
    ("frist", .csv, #"no record has the column "frist" (did you mean "first"?)"#),
    ("zip", .yaml, #"no record has the column "zip"; the columns are "b", "first""#),
    ("zip", .csv, #"no record has the column "zip"; the columns are "b", "first""#),
    ("b.ciyt", .jsonLines, #"no record has the column "b.ciyt" (did you mean "b.city"?)"#),
    ("b.city", .csv, #"no record has the column "b.city", but "b" is a dictionary"#),
    ("first.x.y", .csv, #"no record has the column "first.x.y"; the columns are "b", "first""#),
  ])
  func `The error of a column that no record has names those that records have`(
    _ column: String, _ format: Format, _ message: String
  ) throws {
    let error = #expect(throws: FerryError.self) {
      try text(#"[{"first":"Ada","b":{"city":"Rome"}},{}]"#, [column], to: format)
    }
    #expect(error?.message == message)
  }
}
