/// A scanner of a reference after its ampersand: one of the five predefined entities, or a character's number.
///
///     amp;     U+0026
///     #x41;    U+0041
struct XMLReferenceScan {
  /// The reference so far, with its ampersand.
  private var text: [UInt8] = []

  /// The number of bytes so far.
  var count: Int { text.count }

  /// Begins a reference after its ampersand.
  mutating func begin() {
    text.removeAll(keepingCapacity: true)
    text.append(UInt8(ascii: "&"))
  }

  /// Takes the next byte of the reference. Returns the character if it is the last byte, otherwise nil.
  mutating func take(_ byte: UInt8) throws(FerryError) -> UInt32? {
    if byte == UInt8(ascii: ";") { return try character }
    guard continues(with: byte) else { throw error }
    text.append(byte)
    return nil
  }

  /// The error of a reference that ends here without a semicolon.
  var error: FerryError {
    guard text.count > 1 else { return FerryError(.xml(.notWellFormed(XMLWords.bareAmpersand))) }
    guard text[1] == UInt8(ascii: "#") else {
      return FerryError(.xml(.notWellFormed(XMLWords.openReference(String(decoding: text, as: UTF8.self)))))
    }
    return FerryError(.xml(XMLWords.problem(ofReference: text.span)))
  }

  private func continues(with byte: UInt8) -> Bool {
    // A colon, or a character beyond ASCII, may be anywhere in the name of an entity.
    let fitsAnywhere = byte >= 0x80 || byte == UInt8(ascii: ":")
    guard text.count > 1 else { return fitsAnywhere || byte.isXMLNameStart || byte == UInt8(ascii: "#") }
    guard text[1] == UInt8(ascii: "#") else { return fitsAnywhere || byte.isInXMLName }
    if text.count == 2, byte == UInt8(ascii: "x") { return true }
    let isHexadecimal = text.count > 2 && text[2] == UInt8(ascii: "x")
    return byte.hexDigit.map { isHexadecimal || $0 < 10 } ?? false
  }

  /// The character of the whole reference.
  private var character: UInt32 {
    get throws(FerryError) {
      let name = text.span.extracting(1...)
      if let character = XMLCharacterReference.predefined(name) { return character }
      if name.isEmpty { throw error }
      guard name.starts(with: "#") else { throw FerryError(.xml(.undeclaredEntity(name.decodedString))) }
      guard let number = XMLCharacterReference.number(in: text.span), isXMLCharacter(number) else {
        let whole = text + [UInt8(ascii: ";")]
        throw FerryError(.xml(XMLWords.problem(ofReference: whole.span)))
      }
      return number
    }
  }
}
