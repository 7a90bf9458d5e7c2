/// A cursor over a typedstream. It reads the parts of values (heads, integers, reals and byte strings), and
/// checks all bounds.
struct TypedstreamCursor {
  /// The marks that determine the meaning of the following bytes. A number that fits in one byte, and whose
  /// byte is not a mark, is stored as that byte.
  enum Head {
    static let int16: UInt8 = 0x81
    static let int32: UInt8 = 0x82
    static let real: UInt8 = 0x83
    static let new: UInt8 = 0x84
    static let null: UInt8 = 0x85
    static let endOfObject: UInt8 = 0x86
    static let int64: UInt8 = 0x87
    /// All reserved values, including unused ones. References are numbered from the first value after these.
    static let reserved: ClosedRange<UInt8> = 0x80...0x91
    static let firstReference = -110
  }

  let bytes: [UInt8]
  private(set) var offset: Int
  let isBigEndian: Bool
  private let tokenLimit: Int

  init(_ bytes: [UInt8], at offset: Int, isBigEndian: Bool, budget: Budget) {
    self.bytes = bytes
    self.offset = offset
    self.isBigEndian = isBigEndian
    tokenLimit = budget.tokenBytes
  }

  var remaining: Int { bytes.count - offset }
  var isAtEnd: Bool { offset == bytes.count }

  /// The next byte, without advancing, or nil at the end.
  var peeked: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func error(_ problem: TypedstreamProblem, at offset: Int) -> FerryError {
    FerryError(.typedstream(problem), at: InputLocation(byte: offset))
  }

  /// Reads the next byte.
  mutating func byte(_ expecting: @autoclosure () -> String) throws(FerryError) -> UInt8 {
    guard offset < bytes.count else { throw error(.truncated(expecting: expecting()), at: offset) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Returns the range of the next bytes, and advances past them. `count` comes from the file, so it is
  /// checked first.
  mutating func take(_ count: Int, _ expecting: @autoclosure () -> String) throws(FerryError) -> Range<Int> {
    guard count >= 0, count <= remaining else {
      throw error(.truncated(expecting: expecting()), at: offset)
    }
    guard count <= tokenLimit else {
      throw FerryError(.overBudget(.tokenBytes(tokenLimit)), at: InputLocation(byte: offset))
    }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Returns true if bytes are valid UTF-8. The file does not declare their encoding.
  func isText(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
    return true
  }

  /// Reads a number of 2, 4 or 8 bytes in the stream's byte order.
  private mutating func bits(width: Int, _ expecting: @autoclosure () -> String) throws(FerryError) -> UInt64
  {
    let range = try take(width, expecting())
    var number: UInt64 = 0
    for step in 0..<width {
      let index = isBigEndian ? range.lowerBound + step : range.upperBound - 1 - step
      number = number << 8 | UInt64(bytes[index])
    }
    return number
  }

  /// Reads a signed integer: the next byte itself, or the 2, 4 or 8 bytes after a mark.
  mutating func integer(_ expecting: @autoclosure () -> String) throws(FerryError) -> Int64 {
    let start = offset
    let head = try byte(expecting())
    switch head {
    case Head.int16: return Int64(Int16(truncatingIfNeeded: try bits(width: 2, expecting())))
    case Head.int32: return Int64(Int32(truncatingIfNeeded: try bits(width: 4, expecting())))
    case Head.int64: return Int64(bitPattern: try bits(width: 8, expecting()))
    case Head.reserved: throw error(.badHead(head, expecting: expecting()), at: start)
    default: return Int64(Int8(bitPattern: head))
    }
  }

  /// Reads a real of 4 or 8 bytes as its bits. A real with an integral value may be stored as an integer.
  mutating func real(width: Int, _ expecting: @autoclosure () -> String) throws(FerryError) -> Real {
    guard peeked == Head.real else { return .integer(try integer(expecting())) }
    offset += 1
    return .bits(try bits(width: width, expecting()))
  }

  /// The stored form of a real.
  enum Real {
    case integer(Int64)
    case bits(UInt64)
  }

  /// Reads a length. A length is not negative, so its byte is read as unsigned.
  private mutating func length(_ expecting: @autoclosure () -> String) throws(FerryError) -> Int {
    let start = offset
    let head = try byte(expecting())
    switch head {
    case Head.int16: return Int(try bits(width: 2, expecting()))
    case Head.int32: return Int(try bits(width: 4, expecting()))
    case Head.int64: return Int(clamping: try bits(width: 8, expecting()))
    case Head.reserved: throw error(.badHead(head, expecting: expecting()), at: start)
    default: return Int(head)
    }
  }

  /// Reads a byte string with its length. Returns its range, or nil if it is null.
  mutating func string(_ expecting: @autoclosure () -> String) throws(FerryError) -> Range<Int>? {
    if peeked == Head.null {
      offset += 1
      return nil
    }
    let length = try length("the length of \(expecting())")
    return try take(length, "\(expecting()) of \(length) bytes")
  }

  /// Advances past the next byte and returns true if it is the given mark.
  mutating func skip(_ head: UInt8) -> Bool {
    guard peeked == head else { return false }
    offset += 1
    return true
  }

  /// Reads a reference. Returns the number of its target, counted from 0.
  mutating func reference(_ expecting: @autoclosure () -> String) throws(FerryError) -> Int {
    // The subtraction may overflow for a number of eight bytes.
    Int(
      clamping: try integer(expecting()).subtractingReportingOverflow(Int64(Head.firstReference)).partialValue
    )
  }
}
