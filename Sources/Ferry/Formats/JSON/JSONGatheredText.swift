/// A buffer for a string that contains escapes or extends over several chunks.
///
///     "caf\u00e9 \ud83d|\ude00"         | is the end of a chunk
///      └ plain run      └ half a pair, kept in `high` until the next escape
///
/// Plain runs are checked at their end. A UTF-8 sequence that is split between chunks is checked when it is
/// complete.
struct JSONGatheredText {
  /// The reason why a string is invalid.
  enum Flaw: Error {
    /// The problem, and its offset relative to the current chunk. The offset is negative in an earlier chunk.
    case problem(JSONProblem, at: Int)
    case tooLong
  }

  private(set) var isASCII = true
  private(set) var hasSurrogates = false
  private var bytes: [UInt8] = []
  /// The number of bytes that have been checked as UTF-8.
  private var checked = 0
  /// The bytes of an incomplete escape. The last byte is the lowest.
  private var escape: UInt64 = 0
  private var escapeCount = 0
  /// A high surrogate that waits for its low surrogate, or 0.
  private var high: UInt32 = 0

  /// Begins a new text.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    (isASCII, hasSurrogates, checked, escapeCount, high) = (true, false, 0, 0, 0)
  }

  /// Returns the bytes. The caller must return them with `giveBack`.
  mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken
  }

  /// Returns the bytes to the buffer, to keep their capacity.
  mutating func giveBack(_ taken: consuming [UInt8]) { bytes = taken }

  /// Appends bytes without checking them. Returns false if the text exceeds the limit.
  mutating func append(_ piece: Span<UInt8>, limit: Int) -> Bool {
    bytes.append(copying: piece)
    return bytes.count <= limit
  }

  /// Appends the bytes up to the closing quote, and sets `index` after the quote. Returns false if the chunk
  /// ends first.
  mutating func gather(_ chunk: Span<UInt8>, from index: inout Int, limit: Int) throws(Flaw) -> Bool {
    while index < chunk.count {
      if escapeCount > 0 {
        try addToEscape(chunk[index], at: index)
        index += 1
        guard bytes.count <= limit else { throw .tooLong }
        continue
      }
      let (end, _) = chunk.plainJSONRun(from: index)
      if end > index {
        endPair()
        guard append(chunk.extracting(index..<end), limit: limit) else { throw .tooLong }
      }
      try check(upTo: end, isWhole: end < chunk.count)
      index = end
      guard end < chunk.count else { return false }
      index += 1
      switch chunk[end] {
      case UInt8(ascii: "\""):
        endPair()
        guard bytes.count <= limit else { throw .tooLong }
        return true
      case UInt8(ascii: "\\"): (escape, escapeCount) = (UInt64(UInt8(ascii: "\\")), 1)
      case let control: throw .problem(.controlCharacter(control), at: end)
      }
    }
    return false
  }

  /// Checks the bytes of the last run.
  ///
  /// - Parameter end: The end of the run in the chunk.
  private mutating func check(upTo end: Int, isWhole: Bool) throws(Flaw) {
    switch bytes.span.extracting(checked...).checkUTF8() {
    case .ascii: checked = bytes.count
    case .utf8:
      checked = bytes.count
      isASCII = false
    case .invalid(let flaw):
      checked += flaw
      let left = bytes.count - checked
      // Up to three bytes at the end of a chunk may be the beginning of a character. The next check decides.
      guard !isWhole, left < 4 else { throw .problem(.notUTF8, at: end - left) }
      isASCII = false
    }
  }

  /// Returns the number of characters that begin in the first `count` unchecked bytes.
  func scalarCount(ofUnchecked count: Int) -> Int {
    bytes.span.extracting(checked..<min(checked + count, bytes.count)).scalarCount
  }

  private mutating func addToEscape(_ byte: UInt8, at index: Int) throws(Flaw) {
    escape = escape << 8 | UInt64(byte)
    escapeCount += 1
    if escapeCount == 2 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): add(unescaped: UInt32(byte))
      case UInt8(ascii: "b"): add(unescaped: 0x08)
      case UInt8(ascii: "f"): add(unescaped: 0x0c)
      case UInt8(ascii: "n"): add(unescaped: 0x0a)
      case UInt8(ascii: "r"): add(unescaped: 0x0d)
      case UInt8(ascii: "t"): add(unescaped: 0x09)
      case UInt8(ascii: "u"): break
      default: throw badEscape(at: index)
      }
    } else {
      guard byte.hexDigit != nil else { throw badEscape(at: index) }
      if escapeCount == 6 { add(unescaped: hexDigits()) }
    }
  }

  private func badEscape(at index: Int) -> Flaw {
    let raw = (0..<escapeCount).reversed().map { UInt8(truncatingIfNeeded: escape >> (8 * UInt64($0))) }
    return .problem(.badEscape(String(decoding: raw, as: UTF8.self)), at: index)
  }

  /// Returns the value of the four digits of a complete `\uXXXX`.
  private func hexDigits() -> UInt32 {
    var unit: UInt32 = 0
    for shift in [24, 16, 8, 0] as [UInt64] {
      unit = unit << 4 | UInt32(UInt8(truncatingIfNeeded: escape >> shift).hexDigit ?? 0)
    }
    return unit
  }

  /// Adds the code unit of an escape: a code point, or half of a surrogate pair.
  private mutating func add(unescaped unit: UInt32) {
    escapeCount = 0
    switch unit {
    case 0xdc00...0xdfff where high != 0:
      bytes.append(scalar: UInt32(highSurrogate: high, low: unit))
      isASCII = false
      high = 0
    case 0xd800...0xdbff:
      endPair()
      high = unit
    default:
      endPair()
      bytes.append(scalar: unit)
      if unit >= 0x80 { isASCII = false }
      if unit & 0xf800 == 0xd800 { hasSurrogates = true }
    }
    checked = bytes.count
  }

  /// Adds a waiting high surrogate as an unpaired surrogate.
  private mutating func endPair() {
    guard high != 0 else { return }
    bytes.append(scalar: high)
    checked = bytes.count
    high = 0
    isASCII = false
    hasSurrogates = true
  }
}
