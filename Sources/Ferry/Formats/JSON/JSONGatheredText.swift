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
  /// The quotation mark around the text.
  private var quote = UInt8(ascii: "\"")
  /// True for the escapes of ECMAScript, and for control characters.
  private var allowsMore = false
  /// The last escape, if the byte after it decides: the zero of `\0`, which is not one with a digit after it, or the
  /// carriage return of a line end.
  private var undecided: UInt8?

  /// Begins a new text.
  ///
  /// - Parameters:
  ///   - quote: The quotation mark around the text.
  ///   - allowsMore: True for the escapes of ECMAScript, and for control characters.
  mutating func begin(quote: UInt8 = UInt8(ascii: "\""), allowsMore: Bool = false) {
    bytes.removeAll(keepingCapacity: true)
    (isASCII, hasSurrogates, checked, escapeCount, high) = (true, false, 0, 0, 0)
    (self.quote, self.allowsMore, undecided) = (quote, allowsMore, nil)
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
      if undecided != nil, try !decide(chunk[index], at: index) {
        index += 1
        continue
      }
      let end = chunk.plainJSONRun(from: index, quote: quote).end
      if end > index {
        endPair()
        guard append(chunk.extracting(index..<end), limit: limit) else { throw .tooLong }
      }
      try check(upTo: end, isWhole: end < chunk.count)
      index = end
      guard end < chunk.count else { return false }
      index += 1
      switch chunk[end] {
      case quote:
        endPair()
        guard bytes.count <= limit else { throw .tooLong }
        return true
      case UInt8(ascii: "\\"): (escape, escapeCount) = (UInt64(UInt8(ascii: "\\")), 1)
      case let control:
        guard allowsMore, control != UInt8(ascii: "\n"), control != UInt8(ascii: "\r") else {
          throw .problem(.controlCharacter(control), at: end)
        }
        add(unescaped: UInt32(control))
      }
    }
    return false
  }

  /// Looks at the byte after an escape that it decides. Returns false if the byte belongs to the escape.
  private mutating func decide(_ byte: UInt8, at index: Int) throws(Flaw) -> Bool {
    defer { undecided = nil }
    if undecided == 0, byte.isDigit {
      throw .problem(.badEscape("\\0\(Character(Unicode.Scalar(byte)))"), at: index)
    }
    return undecided == 0 || byte != UInt8(ascii: "\n")
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
      default:
        guard allowsMore, addOther(byte) else { throw badEscape(at: index) }
      }
      return
    }
    let kind = UInt8(truncatingIfNeeded: escape >> (8 * UInt64(escapeCount - 2)))
    if kind == 0xe2 {
      if escapeCount == 4 { addEscapedCharacter() }
      return
    }
    guard byte.hexDigit != nil else { throw badEscape(at: index) }
    if escapeCount == (kind == UInt8(ascii: "x") ? 4 : 6) { add(unescaped: hexDigits()) }
  }

  /// Adds an escape of ECMAScript by its first byte. Returns false if there is no such escape.
  private mutating func addOther(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "x"), 0xe2: break
    case UInt8(ascii: "v"): add(unescaped: 0x0b)
    case UInt8(ascii: "0"):
      add(unescaped: 0)
      undecided = 0
    case UInt8(ascii: "1")...UInt8(ascii: "9"): return false
    case UInt8(ascii: "\n"): endEscape()
    case UInt8(ascii: "\r"):
      endEscape()
      undecided = byte
    case 0x80...:
      endEscape()
      bytes.append(byte)
    default: add(unescaped: UInt32(byte))
    }
    return true
  }

  /// Ends an escape that represents nothing, or bytes that are checked with those after them.
  private mutating func endEscape() {
    endPair()
    escapeCount = 0
    checked = bytes.count
  }

  /// Adds a character of three bytes after a backslash: itself, or nothing for the line and the paragraph
  /// separator.
  private mutating func addEscapedCharacter() {
    let character = escape & 0xff_ffff
    endEscape()
    guard character != 0xe280a8, character != 0xe280a9 else { return }
    for shift in [16, 8, 0] as [UInt64] { bytes.append(UInt8(truncatingIfNeeded: character >> shift)) }
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
