/// A check that the attributes in a start tag are well-formed, for a reader that ignores their values.
struct AttributeCheck {
  private var names: Set<[UInt8]> = []

  /// Checks a start tag from the end of its name on, and returns the number of its attributes.
  static func check(_ tag: Span<UInt8>, from nameEnd: Int) throws(MarkupFlaw) -> Int {
    var check = AttributeCheck()
    var index = nameEnd
    while true {
      let start = tag.endOfSpace(from: index)
      guard start < tag.count else { return check.names.count }
      guard start > index else {
        throw MarkupFlaw(index == nameEnd ? XMLWords.nameExpected : XMLWords.spaceExpected, at: start)
      }
      index = try check.endOfAttribute(in: tag, at: start)
    }
  }

  private mutating func endOfAttribute(in tag: Span<UInt8>, at start: Int) throws(MarkupFlaw) -> Int {
    guard isXMLNameStart(tag.scalar(at: start).scalar) else {
      throw MarkupFlaw(XMLWords.nameExpected, at: start)
    }
    let nameEnd = tag.endOfName(from: start)
    let name = tag.extracting(start..<nameEnd)
    let quote: Int
    switch tag.valueOpening(after: nameEnd) {
    case .noSign: throw MarkupFlaw(XMLWords.noValue(name.decodedString), at: start)
    case .noQuotationMark(let end): throw MarkupFlaw(XMLWords.valueExpected, at: end)
    case .quotationMark(let index): quote = index
    }
    let end = tag.firstIndex(of: tag[quote], from: quote + 1) ?? tag.count
    try Self.check(value: quote + 1..<end, in: tag)
    guard names.insert([UInt8](copying: name)).inserted else {
      throw MarkupFlaw(.xml(.duplicateAttribute(name.decodedString)), at: start)
    }
    return min(end + 1, tag.count)
  }

  private static func check(value range: Range<Int>, in tag: Span<UInt8>) throws(MarkupFlaw) {
    var reference = XMLReferenceScan()
    var start: Int?
    for index in range {
      if tag[index] == UInt8(ascii: "<") { throw MarkupFlaw(XMLWords.bareLessInValue, at: index) }
      if let scalar = tag.forbiddenCharacter(at: index) {
        throw MarkupFlaw(.xml(.forbiddenCharacter(scalar)), at: index)
      }
      if let ampersand = start {
        do throws(FerryError) {
          if try reference.take(tag[index]) != nil { start = nil }
        } catch {
          throw MarkupFlaw(error.reason, at: ampersand)
        }
      } else if tag[index] == UInt8(ascii: "&") {
        reference.begin()
        start = index
      }
    }
    if let start { throw MarkupFlaw(reference.error.reason, at: start) }
  }
}

extension Span<UInt8> {
  /// Returns the character that begins at `index` if XML does not allow it, otherwise nil.
  fileprivate func forbiddenCharacter(at index: Int) -> UInt32? {
    guard self[index] & 0xc0 != 0x80 else { return nil }
    let scalar = self.scalar(at: index).scalar
    return isXMLCharacter(scalar) ? nil : scalar
  }
}
