/// Walks over a typedstream and owns every bound; all that is below values: heads, integers, reals and byte strings.
struct TypedstreamCursor {
  /// The bytes that say what follows. A number that one byte can hold, and whose byte is none of these, is that byte.
  enum Head {
    static let int16: UInt8 = 0x81
    static let int32: UInt8 = 0x82
    static let real: UInt8 = 0x83
    static let new: UInt8 = 0x84
    static let null: UInt8 = 0x85
    static let endOfObject: UInt8 = 0x86
    static let int64: UInt8 = 0x87
    /// All that are set aside, used or not; references count from the first number behind them.
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

  /// The next byte, which stays.
  var peeked: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func failure(_ problem: TypedstreamProblem, at offset: Int) -> Failure {
    Failure(.typedstream(problem), at: Position(byte: offset))
  }

  /// The next byte.
  mutating func byte(_ expecting: @autoclosure () -> String) throws(Failure) -> UInt8 {
    guard offset < bytes.count else { throw failure(.truncated(expecting: expecting()), at: offset) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Where the next bytes lie; `count` comes from a file and is compared with what is left before anything else.
  mutating func take(_ count: Int, _ expecting: @autoclosure () -> String) throws(Failure) -> Range<Int> {
    guard count >= 0, count <= remaining else {
      throw failure(.truncated(expecting: expecting()), at: offset)
    }
    guard count <= tokenLimit else {
      throw Failure(.overBudget(.tokenBytes(tokenLimit)), at: Position(byte: offset))
    }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Whether bytes that nothing says the encoding of are UTF-8.
  func isText(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
    return true
  }

  /// A number of 2, 4 or 8 bytes in the stream's byte order.
  private mutating func bits(width: Int, _ expecting: @autoclosure () -> String) throws(Failure) -> UInt64 {
    let range = try take(width, expecting())
    var number: UInt64 = 0
    for step in 0..<width {
      let index = isBigEndian ? range.lowerBound + step : range.upperBound - 1 - step
      number = number << 8 | UInt64(bytes[index])
    }
    return number
  }

  /// A signed integer: its head, when the head is no mark, or the 2, 4 or 8 bytes behind the mark.
  mutating func integer(_ expecting: @autoclosure () -> String) throws(Failure) -> Int64 {
    let start = offset
    let head = try byte(expecting())
    switch head {
    case Head.int16: return Int64(Int16(truncatingIfNeeded: try bits(width: 2, expecting())))
    case Head.int32: return Int64(Int32(truncatingIfNeeded: try bits(width: 4, expecting())))
    case Head.int64: return Int64(bitPattern: try bits(width: 8, expecting()))
    case Head.reserved: throw failure(.badHead(head, expecting: expecting()), at: start)
    default: return Int64(Int8(bitPattern: head))
    }
  }

  /// A real of 4 or 8 bytes, given by its bits; one that is a small integer is stored as such.
  mutating func real(width: Int, _ expecting: @autoclosure () -> String) throws(Failure) -> Real {
    guard peeked == Head.real else { return .integer(try integer(expecting())) }
    offset += 1
    return .bits(try bits(width: width, expecting()))
  }

  /// How a real is stored.
  enum Real {
    case integer(Int64)
    case bits(UInt64)
  }

  /// A length: never negative, so its bytes are all of it.
  private mutating func length(_ expecting: @autoclosure () -> String) throws(Failure) -> Int {
    let start = offset
    let head = try byte(expecting())
    switch head {
    case Head.int16: return Int(try bits(width: 2, expecting()))
    case Head.int32: return Int(try bits(width: 4, expecting()))
    case Head.int64: return Int(clamping: try bits(width: 8, expecting()))
    case Head.reserved: throw failure(.badHead(head, expecting: expecting()), at: start)
    default: return Int(head)
    }
  }

  /// A string of bytes with its length before it, or nil.
  mutating func string(_ expecting: @autoclosure () -> String) throws(Failure) -> Range<Int>? {
    if peeked == Head.null {
      offset += 1
      return nil
    }
    let length = try length("the length of \(expecting())")
    return try take(length, "\(expecting()) of \(length) bytes")
  }

  /// Whether the next byte is this head, which is then passed.
  mutating func skip(_ head: UInt8) -> Bool {
    guard peeked == head else { return false }
    offset += 1
    return true
  }

  /// The number that a reference is about, from 0.
  mutating func reference(_ expecting: @autoclosure () -> String) throws(Failure) -> Int {
    // Eight bytes may hold a number so large that nothing can be subtracted from it.
    Int(
      clamping: try integer(expecting()).subtractingReportingOverflow(Int64(Head.firstReference)).partialValue
    )
  }
}
