import Testing

@testable import Ferry

@Suite struct `Comparison of events with the values of a list` {
  private static let texts = [
    "1", "1.0", "1.00", "1e400", "0.0", "-0.0", "\"1\"", "\"\"", "\"\\ud800\"", "\"\u{fffd}\"",
    "true", "false", "null", "[]", "{}", "[[]]", "[1]", "[1,2]", "[2,1]", "[1,[2]]", "[[1],2]",
    "18446744073709551615",
    #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{"a":1,"a":1}"#,
    #"{"a":{"b":[{"c":null},true]}}"#, #"{"a":{"b":[{"c":null}]},"d":true}"#,
  ]

  @Test(arguments: texts) func `Only the same text has the events of the values`(_ text: String) throws {
    let list = EditedPropertyList(try PropertyListTree(json: Array(text.utf8), budget: Budget()))
    for other in Self.texts {
      let isSame = NodeComparison.finds(list) { sink throws(FerryError) in
        try JSONReader(into: sink).readAll(Array(other.utf8))
      }
      #expect(isSame == (text == other), "\(text) and \(other)")
    }
  }

  private static let documents = [
    "{1: a}", "{'1': a}", "{[1, 2]: a}", "{[1]: a}", "{{a: 1}: b, c: d}", "{{a: 1}: b, c: e}", "!!set {a, b}",
    "!!set {a, c}", "!!set {a}", "[a, b]", "!!binary AQI=", "!!binary AQM=", ".nan", ".inf",
  ]

  @Test(.enabled(if: PackageTraits.hasYAML), arguments: documents)
  func `Keys that are collections, sets and data are compared`(_ text: String) throws {
    let tree = PropertyListTree(for: "YAML", budget: Budget())
    try YAMLReader(into: tree, ReaderContext(budget: Budget())).readAll(Array(text.utf8))
    let list = EditedPropertyList(tree)
    for other in Self.documents {
      let isSame = NodeComparison.finds(list) { sink throws(FerryError) in
        try YAMLReader(into: sink, ReaderContext(budget: Budget())).readAll(Array(other.utf8))
      }
      #expect(isSame == (text == other), "\(text) and \(other)")
    }
  }

  @Test func `Changed values are compared, and events that end too early are not the same`() throws {
    let list = EditedPropertyList(
      try PropertyListTree(json: Array(#"{"a":[1,2],"b":3}"#.utf8), budget: Budget()))
    try list.put(list.add(value: "x"), at: NodeTrail(children: [.value(0), .element(1)]))
    for (text, expected) in [
      (#"{"a":[1,"x"],"b":3}"#, true), (#"{"a":[1,2],"b":3}"#, false), (#"{"a":[1,"x"]}"#, false),
    ] {
      let isSame = NodeComparison.finds(list) { sink throws(FerryError) in
        try JSONReader(into: sink).readAll(Array(text.utf8))
      }
      #expect(isSame == expected, "\(text)")
    }
    let isSame = NodeComparison.finds(list) { sink throws(FerryError) in
      try sink.beginDictionary(count: nil)
      try sink.key("a")
    }
    #expect(!isSame)
  }
}
