extension OutputBuffer {
  /// Writes text, or the value of an attribute, escaped if necessary. Characters that a parser would change are
  /// escaped too: line ends and tabs in attributes, carriage returns everywhere.
  mutating func append(xml text: BorrowedText, isAttribute: Bool = false) throws(FerryError) {
    let bytes = text.utf8
    var start = 0
    var index = 0
    while let special = bytes.firstXMLSpecial(from: index, isASCII: text.isASCII, isAttribute: isAttribute) {
      let (scalar, length) = bytes.scalar(at: special)
      index = special + length
      let escape: StaticString
      switch bytes[special] {
      case UInt8(ascii: "&"): escape = "&amp;"
      case UInt8(ascii: "<"): escape = "&lt;"
      case UInt8(ascii: ">"): escape = "&gt;"
      case UInt8(ascii: "\""): escape = "&quot;"
      case UInt8(ascii: "\t") where isAttribute: escape = "&#9;"
      case UInt8(ascii: "\n") where isAttribute: escape = "&#10;"
      case UInt8(ascii: "\r"): escape = "&#13;"
      default:
        guard isXMLCharacter(scalar) else { throw FerryError(.xml(.forbiddenCharacter(scalar))) }
        continue
      }
      try append(bytes.extracting(start..<special))
      try append(escape)
      start = index
    }
    try append(bytes.extracting(start..<bytes.count))
  }
}
