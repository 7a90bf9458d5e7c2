import TestSupport
import Testing

@testable import Ferry

/// The source locations of losses: those that a reader finds, and those of values, for which the input is read once more.
@Suite struct `Source locations of losses` {
  /// A text with the location of its only loss, or of the second of two.
  struct Sample: CustomTestStringConvertible {
    let name: String
    let marked: String
    let kind: Loss.Kind
    var testDescription: String { "\(name): \(marked)" }

    init(_ name: String, _ marked: String, _ kind: Loss.Kind) {
      (self.name, self.marked, self.kind) = (name, marked, kind)
    }
  }

  /// Losses that a reader finds in its input.
  static let foundByReaders: [Sample] = [
    .init("a.json", "{\"a\": 1,\n \"é\": 2, 1️⃣\"a\": 3}", .duplicateKey),
    .init("a.jsonl", "{\"a\": 1}\n{\"b\": 1, 1️⃣\"\\u0062\": 2}\n", .duplicateKey),
    .init("a.jsonc", "{\n  1️⃣// one\n  \"a\": 1\n}", .comment),
    .init("a.jsonc", "{\"é\": 1️⃣/* one */ 1}", .comment),
    .init("a.xml", "<a>\n <b/>\n é1️⃣<!-- one -->\n</a>", .comment),
    .init("a.xml", "<a>\r\n <b/>\r\n 1️⃣<!-- o\r\nne -->\r\n</a>", .comment),
    .init("a.xml", "<?xml version=\"1.0\"?>\n1️⃣<!-- one -->\n<a/>", .comment),
    .init("a.xml", "<a>\n<b/> 1️⃣<?do it?></a>", .processingInstruction),
    .init("a.xml", "<a>\n1️⃣<?do x\n <?it ?></a>", .processingInstruction),
    .init("a.xml", "<a>\n<b/></a>\n1️⃣<!-- <c/> -->", .comment),
    .init("a.xml", "1️⃣<!DOCTYPE a>\n<a><b/></a>", .doctype),
    .init(
      "a.plist", "<plist><dict>\n<key>a</key>1️⃣<!-- one --><string>x</string></dict></plist>", .comment),
    .init("a.plist", "<plist>1️⃣<?do it?><true/></plist>", .processingInstruction),
    .init("a.plist", "<plist><array><true/>\n1️⃣<string id=\"1\">x</string></array></plist>", .attribute),
    .init("a.plist", "<plist><array><true/>\n<real>1️⃣1e-999</real></array></plist>", .numberAsReal),
    .init("a.strings", "\"a\" = \"1\";\n1️⃣/* one */ \"b\" = \"2\";", .comment),
    .init("a.strings", "\"a\" = \"1\";\n1️⃣\"a\" = \"2\";", .duplicateKey),
  ]

  /// Losses that a writer finds, which knows only the path.
  static let foundByWriters: [Sample] = [
    .init("a.json", "[{\"a\": 1},\n {\"é\": 1️⃣null}]", .nullLeftOut),
    .init("a.json", "{\"a\": [true, 1️⃣null]}", .nullAsText),
    .init("a.jsonl", "{\"a\": 1}\n{\"a\": 1️⃣null}\n", .nullLeftOut),
    .init("a.json", "{\"a\": {\"b\": {1️⃣\"c\": null}}}".replacing("1️⃣\"c\": ", with: "\"c\": 1️⃣"), .nullLeftOut),
  ]

  private func losses(
    of bytes: [UInt8], named name: String, to target: Format, chunk: Int = .max,
    _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> [Loss] {
    var conversion = Conversion(to: target)
    conversion.reading.matchesSchemas = false
    change(&conversion)
    return try conversion.convert(MemoryInput(bytes), named: name, to: NullOutput()).losses.listed
  }

  @Test(arguments: foundByReaders)
  func `A loss that a reader finds has its location`(_ sample: Sample) throws {
    let text = MarkedText(sample.marked)
    let found = try losses(of: text.bytes, named: sample.name, to: .json) { conversion in
      // Markup is kept in order otherwise.
      conversion.reading.xml.order = .never
    }
    let loss = try #require(found.first { $0.kind == sample.kind }, "\(found)")
    #expect(loss.location == text.location)
  }

  @Test(arguments: foundByWriters)
  func `A loss that a writer finds has the location of its value, for which the input is read again`(
    _ sample: Sample
  ) throws {
    let text = MarkedText(sample.marked)
    let found = try losses(of: text.bytes, named: sample.name, to: .xmlPropertyList) { conversion in
      conversion.locatesLosses = true
    }
    #expect(found.map(\.kind) == [sample.kind])
    #expect(found.first?.location == text.location)
    let unlocated = try losses(of: text.bytes, named: sample.name, to: .xmlPropertyList)
    #expect(unlocated == found && unlocated.allSatisfy(\.location.isEmpty))
  }

  @Test func `A loss in a binary file has the byte and the object`() throws {
    let bytes = try PropertyLists.binary([
      "a": .date(secondsSince2001: 0.5), "b": [.date(secondsSince2001: 1)],
    ])
    let found = try losses(of: bytes, named: "a.plist", to: .json) { $0.locatesLosses = true }
    #expect(found.map(\.kind) == [.dateAsText, .dateAsText])
    for loss in found { #expect(loss.location.byte != nil && loss.location.object != nil, "\(loss)") }
    #expect(Set(found.map(\.location)).count == 2)
  }

  @Test func `A loss in XML has the location of its element`() throws {
    let text = MarkedText("<a xmlns:x=\"x\">\n <b/>\n 1️⃣<c y=\"1\">one<d/></c>\n</a>")
    let found = try losses(of: text.bytes, named: "a.xml", to: .json) { conversion in
      conversion.reading.xml.order = .never
      conversion.locatesLosses = true
    }
    let loss = try #require(found.first { $0.kind == .mixedContent }, "\(found)")
    #expect(loss.location == text.location)
  }

  @Test func `Losses that differ only in the location are equal`() {
    let (one, other) = (Loss(.comment), Loss(.comment, at: InputLocation(line: 2, column: 3, byte: 9)))
    #expect(one == other && Set([one, other]).count == 1)
  }

  @Test func `A text in another encoding has no byte`() throws {
    let text = "\u{feff}\"a\" = \"1\";\n/* one */ \"b\" = \"2\";"
    let bytes = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let loss = try #require(try losses(of: bytes, named: "a.strings", to: .json).first)
    #expect(loss.location == InputLocation(line: 2, column: 1))
  }

  @Test func `A file inside data and a cell have no location in the file`() throws {
    let table = "a\n\"{\"\"k\"\":1,\"\"k\"\":2}\"\n"
    let found = try losses(of: Array(table.utf8), named: "a.csv", to: .json) {
      $0.reading.csv.infersTypes = true
    }
    #expect(found.map(\.kind) == [.duplicateKey] && found.allSatisfy(\.location.isEmpty))
  }

  @Test func `A strict conversion is refused with the location of the first loss`() throws {
    let text = MarkedText("{\"a\": 1, 1️⃣\"a\": 2}")
    var conversion = Conversion(to: .xmlPropertyList)
    conversion.isStrict = true
    let error = #expect(throws: FerryError.self) { try conversion.convert(text.bytes, named: "a.json") }
    #expect(error?.reason == .loss(.duplicateKey) && error?.location == text.location)
  }
}
