/// The syntax of URLs (RFC 3986), as far as `NSURL` requires it.
enum URLText {
  /// Returns the reason why a text is not a URL; nil if it is one.
  ///
  ///     flaw(of: "https://example.org/a b")     // a URL has no " " (it is written %20)
  static func flaw(of text: String, hasBase: Bool = false) -> String? {
    let bytes = Array(text.utf8)
    guard hasBase || !bytes.isEmpty else { return "a URL is not empty" }
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "%") {
        let digits = bytes[(index + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
          return "two hexadecimal digits follow a % in a URL (% itself is written %25)"
        }
      } else if !isAllowed(byte) {
        let code = String(byte, radix: 16, uppercase: true)
        let written = "%" + (code.utf8.count == 1 ? "0" : "") + code
        return byte < 0x80
          ? "a URL has no \(quotedForMessage(String(UnicodeScalar(byte)))) (it is written \(written))"
          : "a URL has only ASCII (other characters are written as their UTF-8: %C3%A9)"
      }
    }
    guard bytes.filter({ $0 == UInt8(ascii: "#") }).count < 2 else { return "a URL has one # at most" }
    return flaw(ofSchemeIn: bytes)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
    }
  }

  private static func flaw(ofSchemeIn bytes: [UInt8]) -> String? {
    guard let end = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[end] == UInt8(ascii: ":")
    else { return nil }
    let scheme = bytes[..<end].map { Character(UnicodeScalar($0)) }
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    return isScheme ? nil : "a URL begins with its scheme before a \":\" (https:), or with ./"
  }
}
