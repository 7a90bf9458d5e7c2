/// A cursor over a nib file. It reads numbers, texts and values, and checks all bounds.
struct NIBCursor {
  /// The number of items in a table, and the offset of the first.
  struct Table {
    var count: Int
    var offset: Int
  }

  private let bytes: [UInt8]
  private(set) var offset: Int
  private let tokenLimit: Int

  init(_ bytes: [UInt8], at offset: Int, budget: Budget) {
    (self.bytes, self.offset, tokenLimit) = (bytes, offset, budget.tokenBytes)
  }

  func malformed(_ why: String, at offset: Int? = nil) -> FerryError {
    FerryError(.archive(.badNib(why)), at: InputLocation(byte: offset ?? self.offset))
  }

  /// Returns the range of the next bytes, and advances past them. `count` comes from the file, so it is checked first.
  mutating func take(_ count: Int, _ what: @autoclosure () -> String) throws(FerryError) -> Range<Int> {
    guard count >= 0, count <= bytes.count - offset else { throw malformed("the file ends inside \(what())") }
    guard count <= tokenLimit else {
      throw FerryError(.overBudget(.tokenBytes(tokenLimit)), at: InputLocation(byte: offset))
    }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Returns the text in a range.
  func text(_ range: Range<Int>, _ what: String) throws(FerryError) -> String {
    if case .invalid = bytes.span.extracting(range).checkUTF8() {
      throw malformed("\(what) is not valid UTF-8", at: range.lowerBound)
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Reads a number of fixed width, the lowest byte first.
  private mutating func bits(_ width: Int, _ what: @autoclosure () -> String) throws(FerryError) -> UInt64 {
    let range = try take(width, what())
    var number: UInt64 = 0
    for index in range.reversed() { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  /// Reads a number of four bytes.
  mutating func fixed(_ what: @autoclosure () -> String) throws(FerryError) -> Int {
    Int(try bits(4, what()))
  }

  /// Reads the number of items in a table, and its offset.
  ///
  /// - Parameter size: The smallest number of bytes that an item takes.
  mutating func table(_ items: String, of size: Int) throws(FerryError) -> Table {
    let start = offset
    let (count, first) = (try fixed("the number of \(items)"), try fixed("the offset of the \(items)"))
    guard first <= bytes.count, count <= (bytes.count - first) / size else {
      throw malformed("\(count) \(items) at byte \(first) do not fit in the file", at: start)
    }
    return Table(count: count, offset: first)
  }

  /// Reads a number with seven bits in each byte, of which the last has the high bit.
  mutating func number(_ what: @autoclosure () -> String) throws(FerryError) -> Int {
    let start = offset
    var (number, shift) = (0, 0)
    while true {
      let byte = bytes[try take(1, what()).lowerBound]
      guard shift < 35 else { throw malformed("\(what()) has too many bytes", at: start) }
      number |= Int(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 != 0 { return number }
    }
  }

  /// Reads the type and the content of a value.
  mutating func value(objectCount: Int) throws(FerryError) -> NIBValue {
    let start = offset
    let type = try bits(1, "the type of a value")
    switch type {
    case 0: return .integer(Int64(Int8(truncatingIfNeeded: try bits(1, "an integer"))))
    case 1: return .integer(Int64(Int16(truncatingIfNeeded: try bits(2, "an integer"))))
    case 2: return .integer(Int64(Int32(truncatingIfNeeded: try bits(4, "an integer"))))
    case 3: return .integer(Int64(bitPattern: try bits(8, "an integer")))
    case 4: return .boolean(false)
    case 5: return .boolean(true)
    case 6: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(4, "a real number"))))
    case 7: return .real(Double(bitPattern: try bits(8, "a real number")))
    case 8: return .data(try take(number("the length of data"), "data"))
    case 9: return .null
    case 10:
      let object = try fixed("the number of an object")
      guard object < objectCount else { throw malformed("object \(object) does not exist", at: start) }
      return .object(object)
    default: throw malformed("\(type) is not the type of a value", at: start)
    }
  }
}
