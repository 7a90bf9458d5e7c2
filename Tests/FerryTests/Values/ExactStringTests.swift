import Testing

@testable import Ferry

/// Three texts that Swift's `String` takes for one: the Ångström sign, the letter Å, and A with a ring.
private let rings = ["\u{212b}", "\u{c5}", "A\u{30a}"]

@Suite struct `Canonically equivalent text` {
  @Test func `Canonically equivalent texts are one String and three keys`() {
    #expect(Set(rings).count == 1)
    #expect(Set(rings.map { ExactString($0) }).count == 3)
    #expect(
      rings.map { ExactString($0) }.sorted().map(\.string).equals(rings.reversed()))
  }

  @Test func `Canonically equivalent texts make different values, paths, classes and entries of a tally`() {
    let (strings, numbers) = (rings.map { Value.string($0) }, rings.map { Value.number($0) })
    #expect(Set(strings).count == 3 && Set(numbers).count == 3)
    #expect(Set(rings.map { ValuePath([.key($0)]) }).count == 3)
    let named = rings.map { ObjectClass(name: $0, chain: []) }
    #expect(Set(named).count == 3)
    #expect(Set(rings.map { ObjectClass(name: "A", chain: [$0]) }).count == 3)
    var (tally, entries) = (Tally<String>(), KeyedValues())
    for (index, ring) in rings.enumerated() {
      tally.add(ring)
      entries[ring] = .integer(Int128(index))
    }
    #expect(tally.count == 3 && rings.allSatisfy { tally[$0] == 1 })
    #expect(entries.count == 3 && entries[rings[1]] == 1)
  }

  @Test func `Canonically equivalent texts name different elements of XML`() throws {
    let document = "<r>" + rings.map { "<\($0) \($0)=''>\($0)</\($0)>" }.joined() + "</r>"
    let builder = ValueBuilder()
    try XMLValueReader.readAll(Array(document.utf8).span, into: builder)
    let record = try #require(try builder.result()["r"])
    for ring in rings { #expect(record[ring] == ["@\(ring)": "", "#text": .string(ring)]) }
    let tree = try XMLTree(parsing: Array(document.utf8).span)
    #expect(tree.root.children.map { $0.attribute(rings[0]) } == ["", nil, nil])
  }

  @Test func `Canonically equivalent texts name different fields of a schema`() throws {
    let fields = rings.map { ["name": .string($0), "xml": .string("@\($0)")] as Value }
    let schema = try Schema(["ferry": 1, "name": "r", "record": ["element": "r"], "fields": .array(fields)])
    #expect(schema.record.fields.count == 3)
  }
}
