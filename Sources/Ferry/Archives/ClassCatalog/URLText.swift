/// The syntax of URLs, as required by Foundation's `URL(string:)`.
///
/// Foundation percent-encodes characters that RFC 3986 does not allow (such as spaces and é), except in the
/// scheme and the host. A `%` that does not begin an escape is refused here, because older versions of
/// Foundation refuse it.
enum URLText {
  /// Returns the reason why a text is not a URL, or nil if it is a URL.
  ///
  ///     flaw(of: "http://[::1")     // "the bracket of a URL's host is not closed"
  static func flaw(of text: String, hasBase: Bool = false) -> String? {
    let bytes = Array(text.utf8)
    guard hasBase || !bytes.isEmpty else { return "a URL is not empty" }
    return flaw(ofEscapesIn: bytes) ?? flaw(ofSchemeIn: bytes) ?? flaw(ofAuthorityIn: bytes)
  }

  /// Returns the reason why a text is not a URL that an edit may write, or nil if it is one. Foundation encodes control characters, but
  /// they are likely a mistake of the user, such as the line end of a file.
  static func flaw(ofNew text: String, hasBase: Bool = false) -> String? {
    if let control = text.utf8.first(where: { $0 < 0x20 || $0 == 0x7f }) {
      return "a URL has no \(MessageText.quoted(String(UnicodeScalar(control))))"
    }
    return flaw(of: text, hasBase: hasBase)
  }

  private static func flaw(ofEscapesIn bytes: [UInt8]) -> String? {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      let digits = bytes[(index + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy({ $0.hexDigit != nil }) else {
        return "two hexadecimal digits follow a % in a URL (% itself is written %25)"
      }
    }
    return nil
  }

  private static func flaw(ofSchemeIn bytes: [UInt8]) -> String? {
    guard let end = schemeEnd(in: bytes), end > 0 else { return nil }
    let isScheme =
      isLetter(bytes[0])
      && bytes[..<end].allSatisfy { isLetter($0) || $0.isDigit || "+-.".utf8.contains($0) }
    return isScheme ? nil : "a URL begins with its scheme before a \":\" (https:), or with ./"
  }

  /// Returns the index of the colon after the scheme, or nil if the text has no scheme.
  private static func schemeEnd(in bytes: [UInt8]) -> Int? {
    guard let end = bytes.firstIndex(where: { ":/?#".utf8.contains($0) }), bytes[end] == UInt8(ascii: ":")
    else { return nil }
    return end
  }

  /// Returns the flaw of the host or the port in `//user@host:port`, or nil if there is none.
  private static func flaw(ofAuthorityIn bytes: [UInt8]) -> String? {
    let rest = bytes.dropFirst(schemeEnd(in: bytes).map { $0 + 1 } ?? 0)
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
    let end: Int
    if host.first == UInt8(ascii: "[") {
      guard let bracket = host.firstIndex(of: UInt8(ascii: "]")) else {
        return "the bracket of a URL's host is not closed"
      }
      end = bracket + 1
    } else {
      end = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
      if let other = host[..<end].first(where: { !mayBeInHost($0) }) {
        return "the host of a URL has no \(MessageText.quoted(String(UnicodeScalar(other))))"
      }
    }
    let port = host[end...]
    guard port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit) else {
      return "after its host a URL has a port (:80), a path, ? or #"
    }
    return nil
  }

  /// Returns true if a host may contain the character. Foundation encodes non-ASCII characters.
  private static func mayBeInHost(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isLetter(byte) || byte.isDigit || "-._~!$&'()*+,;=%".utf8.contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
