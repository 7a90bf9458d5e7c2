import Testing

@testable import Ferry

@Suite struct `Escapes in XML` {
  private static func escaped(_ text: String, isAttribute: Bool) throws -> String {
    let output = MemoryOutput()
    var buffer = OutputBuffer(to: output)
    try buffer.append(xml: BorrowedText(text.utf8.span), isAttribute: isAttribute)
    try buffer.flush()
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private static func escape(_ character: Character, isAttribute: Bool) -> String {
    switch character {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\r": "&#13;"
    case "\"" where isAttribute: "&quot;"
    case "\t" where isAttribute: "&#9;"
    case "\n" where isAttribute: "&#10;"
    default: String(character)
    }
  }

  /// All characters of ASCII that XML allows, and neighbors of those that it does not allow.
  private static let allowed: [Character] =
    (["\t", "\n", "\r"] as [Character]) + (0x20..<0x80).map { Character(UnicodeScalar($0)) }
    + ["é", "\u{d7ff}", "\u{e000}", "\u{fffd}", "\u{10ffff}", "한", "！"]

  @Test(arguments: [false, true])
  func `A character has the same escape in XML wherever in a text it is`(isAttribute: Bool) throws {
    for character in Self.allowed {
      let escape = Self.escape(character, isAttribute: isAttribute)
      for before in 0..<10 {
        let start = String(repeating: "a", count: before)
        let text = try Self.escaped("\(start)\(character)bcdefghi", isAttribute: isAttribute)
        #expect(text == "\(start)\(escape)bcdefghi")
      }
    }
  }

  @Test func `A character that XML does not allow is refused wherever in a text it is`() {
    for character in ["\0", "\u{1}", "\u{b}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
      for before in 0..<10 {
        let text = String(repeating: "a", count: before) + character + "bcdefghi"
        #expect(throws: FerryError.self) { try Self.escaped(text, isAttribute: false) }
      }
    }
  }
}
