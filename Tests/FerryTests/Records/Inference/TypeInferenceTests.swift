import Testing

@testable import Ferry

@Suite struct `Types that are inferred` {
  /// Returns the type of the field `v` in records of XML with these values.
  private func type(of values: [String]) throws -> String {
    let records = values.map { "<r><v>\($0)</v></r>" }.joined()
    return try inferred("<rs>\(records)<r><v>\(values[0])</v></r></rs>", named: "a.xml").decisions[0].type
  }

  @Test(arguments: [
    (["42", "0", "-7"], "integer"), (["18446744073709551615"], "integer"),
    (["0.5", "-12.25"], "real"), (["1", "2.5"], "decimal"),
    (["49.90", "5.00", "12.35"], "decimal"),
    (["true", "false"], "boolean"), (["2014-06-01T09:30:00Z"], "date"),
    (["2014-06-01T09:30:00.25Z"], "date"),
    (["https://example.org/a?b=c", "file:///tmp/a"], "url"),
    (["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"], "uuid"),
    (["aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb25nZXIgdGV4dCB0aGFuIG9uZSBsaW5lIDEyMw=="], "data"),
  ])
  func `A type is inferred if every value keeps its text`(_ values: [String], _ type: String) throws {
    #expect(try self.type(of: values) == type)
  }

  @Test(arguments: [
    ["007"], ["2.20"], ["5237E8"], ["+1"], ["1e5"], ["-0"], ["0123456789"], [".5"], ["5."], ["1,5"], ["0x10"],
    ["99999999999999999999"], ["1", "x"], ["42", "007"], ["1.10", "1.20", "1.30"], [" 42"], ["42", ""],
    ["yes", "no"], ["TRUE"], ["true", "1"], ["NaN"], ["inf"],
    ["2014-06-01"], ["2014-06-01T09:30:00+02:00"], ["2014-06-01T09:30:00.0Z"], ["2014-13-01T09:30:00Z"],
    ["e621e1f8-c36c-495a-93fc-0c247a3e6e5f"], ["http//example.org"], ["example.org"], ["data"], ["abcd"],
    ["d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1d2f1"],
  ])
  func `A text whose notation the type would change stays text`(_ values: [String]) throws {
    #expect(try type(of: values) == "string")
  }

  @Test(arguments: [
    ("<integer>1</integer>", "<real>inf</real>", "real"),
    ("<integer>9007199254740993</integer>", "<real>nan</real>", "any"),
    ("<real>1.5</real>", "<real>-inf</real>", "real"),
    ("<integer>1</integer>", "<real>1.5</real>", "decimal"),
  ])
  func `Numbers that are not finite are reals`(_ one: String, _ other: String, _ type: String) throws {
    let records = [one, other].map { "<dict><key>v</key>\($0)</dict>" }.joined()
    let list = "<plist version=\"1.0\"><array>\(records)</array></plist>"
    #expect(try inferred(list, named: "a.plist").decisions[0].type == type)
  }

  /// The phone numbers, codes and versions of JSON-java#194, #369 and #826, fast-xml-parser#547 and #690.
  @Test(arguments: [
    ("5237E8", "v: text, because 5237E8 would become 523700000000.0"),
    ("007", "v: text, because 007 would become 7"),
    ("2.20", "v: text, because 2.20 would lose a zero (a decimal keeps it)"),
    ("+1", "v: text, because +1 would become 1"),
  ])
  func `The value that keeps a field from being a number is named`(_ value: String, _ reason: String) throws {
    let found = try inferred("<rs><r><v>1</v></r><r><v>\(value)</v></r></rs>", named: "a.xml")
    let decision = found.decisions[0]
    #expect("v: \(decision.reason ?? "")" == reason)
  }

  @Test func `Text in formats with types stays text, but for dates, URLs and UUIDs`() throws {
    let json =
      #"[{"a": "42", "b": "true", "c": 1, "d": 1.5, "e": 2.20, "f": true, "u": "https://a.org", "t": "2014-06-01T09:30:00Z"}]"#
    let found = try inferred(json, named: "a.json")
    #expect(
      found.decisions.map(\.type) == [
        "string", "string", "integer", "real", "decimal", "boolean", "url", "date",
      ])
  }

  @Test func `Numbers of several notations in JSON are decimals, which keep each`() throws {
    #expect(try inferred(#"[{"a": 1}, {"a": 1.5}]"#, named: "a.json").decisions[0].type == "decimal")
    #expect(try inferred(#"[{"a": 1}, {"a": "x"}]"#, named: "a.json").decisions[0].type == "any")
    #expect(try inferred(#"[{"a": null}]"#, named: "a.json").decisions[0].type == "any")
  }

  @Test func `Empty cells of CSV leave the type of their column`() throws {
    let found = try inferred("id,zip,n,tags\n1,02134,,\"[1,2]\"\n2,10001,2.5,\n", named: "a.csv")
    #expect(
      found.decisions.filter { !$0.path.contains("[]") }.map(\.type) == [
        "integer", "string", "real", "list of integer",
      ])
    #expect(found.decisions[2].isOptional)
  }
}

/// Returns the schema inferred from a text.
func inferred(_ text: String, named name: String, _ more: String...) throws -> InferredSchema {
  var inference = SchemaInference()
  for text in [text] + more { try inference.add(MemoryInput(Array(text.utf8)), named: name) }
  return try inference.schema()
}
