/// A check that the attributes in a start tag are well-formed, for a reader that ignores their values.
struct AttributeCheck {
  /// The first mistake in a tag, with its offset.
  struct Flaw: Error {
    let reason: FerryError.Reason
    let offset: Int

    init(_ words: String, at offset: Int) { self.init(.xml(.notWellFormed(words)), at: offset) }
    init(_ reason: FerryError.Reason, at offset: Int) { (self.reason, self.offset) = (reason, offset) }
  }

  private var names: Set<[UInt8]> = []

  /// Checks a start tag from the end of its name on, and returns the number of its attributes.
  static func check(_ tag: Span<UInt8>, from nameEnd: Int) throws(Flaw) -> Int {
    var check = AttributeCheck()
    var index = nameEnd
    while true {
      let start = tag.endOfSpace(from: index)
      guard start < tag.count else { return check.names.count }
      guard start > index else {
        throw Flaw(index == nameEnd ? XMLWords.nameExpected : XMLWords.spaceExpected, at: start)
      }
      index = try check.endOfAttribute(in: tag, at: start)
    }
  }

  private mutating func endOfAttribute(in tag: Span<UInt8>, at start: Int) throws(Flaw) -> Int {
    guard isXMLNameStart(tag.scalar(at: start).scalar) else { throw Flaw(XMLWords.nameExpected, at: start) }
    let nameEnd = tag.endOfName(from: start)
    let name = tag.extracting(start..<nameEnd)
    let sign = tag.endOfSpace(from: nameEnd)
    guard sign < tag.count, tag[sign] == UInt8(ascii: "=") else {
      throw Flaw(XMLWords.noValue(name.decodedString), at: start)
    }
    let quote = tag.endOfSpace(from: sign + 1)
    guard quote < tag.count, tag[quote] == UInt8(ascii: "\"") || tag[quote] == UInt8(ascii: "'") else {
      throw Flaw(XMLWords.valueExpected, at: quote)
    }
    let end = tag.firstIndex(of: tag[quote], from: quote + 1) ?? tag.count
    try Self.check(value: quote + 1..<end, in: tag)
    guard names.insert([UInt8](copying: name)).inserted else {
      throw Flaw(.xml(.duplicateAttribute(name.decodedString)), at: start)
    }
    return min(end + 1, tag.count)
  }

  private static func check(value range: Range<Int>, in tag: Span<UInt8>) throws(Flaw) {
    var reference = XMLReferenceScan()
    var start: Int?
    for index in range {
      if tag[index] == UInt8(ascii: "<") { throw Flaw(XMLWords.bareLessInValue, at: index) }
      if let ampersand = start {
        do throws(FerryError) {
          if try reference.take(tag[index]) != nil { start = nil }
        } catch {
          throw Flaw(error.reason, at: ampersand)
        }
      } else if tag[index] == UInt8(ascii: "&") {
        reference.begin()
        start = index
      }
    }
    if let start { throw Flaw(reference.error.reason, at: start) }
  }
}

extension Span<UInt8> {
  /// Returns the index of the first byte, from `start` on, that is not white space.
  func endOfSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isSpace { index += 1 }
    return index
  }

  /// Returns the index of the first byte, from `start` on, that ends a name in a tag.
  func endOfName(from start: Int) -> Int {
    var index = start
    while index < count, !self[index].isSpace, !self[index].endsName { index += 1 }
    return index
  }
}

extension UInt8 {
  fileprivate var endsName: Bool {
    switch self {
    case UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "/"), UInt8(ascii: "&"):
      true
    default: false
    }
  }
}
