import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `The text of a URL` {
  static let good = [
    "a", "a b", "\u{e9}", "a%20b", "a#b#c", "a:b:c", ":x", "//", "http://", "http://[::1]",
    "http://[::1]:80/x?y",
    "http://a/[b]", "http://a:99999", "http://\u{e9}.de", "/p:x", "a^b", "<x>", "mailto:x", "a+b:c", "?", "#",
    "http://u@h:80/p?q#f", "http://a:", "a[b", "http://h?[", "{}", "http://h/a b",
  ]
  static let bad = [
    "", "http://[::1", "http://[::1]x", "http://a[b]", "http://a b/", "http://a:b", "http://h:-1", "http://]",
    "http://a\\b", "1a:b", "a_b:c", "\u{e9}:c", "-a:b", " http://a", "http:// ", "//a b",
  ]
  /// Texts that only recent versions of Foundation accept.
  static let incomplete = ["a%", "a%2", "not a url %zz", "100%"]

  @Test(arguments: good + bad)
  func `A text is a URL exactly if Foundation has a URL for it`(_ text: String) {
    #expect((URLText.flaw(of: text) == nil) == (URL(string: text) != nil))
  }

  private static let schema = Schema(
    name: "link", collectionElement: "links",
    record: RecordType(element: "link", className: "Link", fields: [RecordField("site", .url)]))

  @Test(arguments: good + bad + incomplete)
  func `A set and a schema accept the same texts as URLs`(_ text: String) throws {
    let isGood = Self.good.contains { $0.utf8.elementsEqual(text.utf8) }
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = Self.schema
    let records: Value = [["site": .string(text)]]
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try records.replay(into: writer)
    try writer.finish()
    let isConverted = (try? conversion.convert(output.bytes)) != nil
    #expect(isConverted == isGood)
    let archive = try Archived.bytes([
      "x": .object(ObjectValue(ObjectClass("NSURL"), content: "https://a.org"))
    ])
    let isSet = (try? Edited.set(archive, "x", text)) != nil
    #expect(isSet == isGood)
  }
}
