import Ferry
import Testing

/// The examples in `DescribingRecords.md`.
@Suite struct `The guide to schemas` {
  private var printed = Printed()

  @Test func `A schema of one's own maps records`() throws {
    let text = try GuideExample.block(0, of: "json", in: "DescribingRecords.md")
    let schema = try Schema(Value(reading: MemoryInput(Array(text.utf8))))
    var conversion = Conversion(to: .json)
    conversion.reading.schema = schema

    let xml = "<books><book><title>Emma</title><pages>474</pages></book></books>"
    let json = try conversion.convert(Array(xml.utf8)).bytes
    print(String(decoding: json, as: UTF8.self))  // [{"title":"Emma","pages":474}]
    #expect(printed.text == #"[{"title":"Emma","pages":474}]"#)
    printed.clear()

    conversion.writing.format = .archive
    let archive = try conversion.convert(Array(xml.utf8)).bytes
    print(try Value(reading: MemoryInput(archive))[0]?["pageCount"] ?? .null)  // 474
    #expect(printed.text == "474")
    printed.clear()

    conversion.keepsGoing = true
    let broken = "<books><book><title>Emma</title><pages>many</pages></book></books>"
    let errors = try conversion.convert(Array(broken.utf8)).report.errors
    print(errors[0].reason)  // expected an integer in the field pages, found "many"
    #expect(printed.text == #"expected an integer in the field pages, found "many""#)
  }

  private func print(_ items: Any...) { printed.add(items) }
}
