import Ferry
import Testing

/// The examples in `ConvertingArchives.md`.
@Suite struct `The guide to converting archives` {
  private let bytes: [UInt8]
  private var printed = Printed()

  init() throws { bytes = try GuideExample.people() }

  @Test func `An archive is converted in one step`() throws {
    let result = try Conversion(to: .json).convert(bytes)
    print(String(decoding: result.bytes, as: UTF8.self))
    // [{"firstName":"Matt","lastName":"Neuburg"}]
    #expect(printed.text == #"[{"firstName":"Matt","lastName":"Neuburg"}]"#)
  }

  @Test func `A conversion reports what was lost`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.matchesSchemas = false
    let (json, report) = try conversion.convert(bytes)
    for loss in report.losses.counts { print(loss.count, loss.kind.message) }
    // 1 class names are dropped
    #expect(printed.text == "1 class names are dropped")
    #expect(!json.isEmpty)
    printed.clear()
    conversion.isStrict = true
    do throws(FerryError) {
      _ = try conversion.convert(bytes)
    } catch {
      print(error)  // not exact: class names are dropped (at [0])
    }
    #expect(
      printed.text == "not exact: class names are dropped (at [0])")
  }

  @Test func `An archive is converted as it is stored`() throws {
    var raw = Conversion(to: .json)
    raw.writing.representation = .raw
    let stored = String(decoding: try raw.convert(bytes).bytes, as: UTF8.self)
    print(stored.prefix(84))
    // {"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"CF$UID":1}},"$obje
    #expect(
      printed.text
        == #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"CF$UID":1}},"$obje"#)
  }

  @Test func `A file is converted to a value`() throws {
    let value = try Value(reading: MemoryInput(bytes))
    if case .object(let object)? = value[0] { print(object.type.name) }  // Person
    print(value[0]?["last"] ?? .null)  // "Neuburg"
    #expect(printed.text == "Person\n\"Neuburg\"")
  }

  private func print(_ items: Any...) { printed.add(items) }
}
