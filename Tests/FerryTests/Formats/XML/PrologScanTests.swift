import Testing

@testable import Ferry

@Suite struct `The name of the root element in the first bytes of a document` {
  /// Documents, each with the name that is found, or nil if a parser is needed.
  private static let documents: [(document: String, name: String?)] = [
    ("<people>", "people"),
    ("<people/>", "people"),
    ("<people id='1'>", "people"),
    ("<people\n>", "people"),
    ("\u{feff}<people>", "people"),
    ("<?xml version='1.0'?>\n<!-- <other> --> <!DOCTYPE people [<!ENTITY e '<x>'>]> <p:people>", "people"),
    ("<é>", "é"),
    ("<people", nil),  // the name may go on
    ("<!-- <people> ", nil),
    ("<?xml version='1.0'?>", nil),
    ("text <people>", nil),
    ("", nil),
  ]

  @Test(arguments: documents)
  func `is found without a parser`(_ row: (document: String, name: String?)) {
    let name = PrologScan.rootName(in: Array(row.document.utf8))
    #expect(name.map { String(decoding: $0, as: UTF8.self) } == row.name)
  }

  @Test func `is not found in UTF-16 and UTF-32, in which it has other bytes`() {
    let text = "<map>"
    let encodings: [[UInt8]] = [
      text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
      text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
      [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
      text.unicodeScalars.flatMap { [UInt8($0.value & 0xff), 0, 0, 0] },
      text.unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value & 0xff)] },
    ]
    for bytes in encodings { #expect(PrologScan.rootName(in: bytes) == nil) }
  }
}
