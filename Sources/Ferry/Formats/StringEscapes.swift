/// The escapes in the strings of a text for characters that need none.
///
///     "https:\/\/x.org"     JSONSerialization escapes slashes
///     "caf\u00e9"           json.dumps of Python escapes characters beyond ASCII
///     "caf\U00e9"           so do many writers of OpenStep property lists
struct StringEscapes {
  /// The escapes that a format has.
  struct Notation {
    /// The letter after the backslash of a code unit of UTF-16.
    let letter: UInt8
    /// True if writers of the format escape slashes.
    let hasSlashes: Bool

    static let json = Notation(letter: UInt8(ascii: "u"), hasSlashes: true)
    static let openStep = Notation(letter: UInt8(ascii: "U"), hasSlashes: false)
  }

  private let notation: Notation
  /// True if slashes are escaped; nil if no string has shown it.
  private var slashes: Bool?
  /// True if the slashes of closing tags are escaped, as in `<\/script>`: some writers escape only these.
  private var slashesOfTags: Bool?
  /// True if characters beyond ASCII are escaped.
  private var others: Bool?
  /// True if the digits of escapes are capital letters.
  private var hasCapitals: Bool?

  init(_ notation: Notation) { self.notation = notation }

  /// Finds the escapes at the beginning of a text with these strings, or with other values.
  init(atBeginningOf source: [UInt8], strings: some Sequence<Range<Int>>, _ notation: Notation) {
    self.notation = notation
    for range in strings {
      guard range.lowerBound < Self.extentOfBeginning, !isKnown else { return }
      learn(from: source, range.prefix(Self.extentOfBeginning))
    }
  }

  /// Finds the escapes near a place.
  ///
  /// - Parameters:
  ///   - place: The node of a string or of another value; nil if none is near.
  ///   - count: The number of nodes of the text.
  ///   - usual: The escapes of the text.
  ///   - range: Returns the range of a node.
  init(
    near place: NodeID?, in source: [UInt8], count: Int, usual: StringEscapes, _ range: (NodeID) -> Range<Int>
  ) {
    guard let place else {
      self = usual
      return
    }
    notation = usual.notation
    var rest = Self.extent
    for node in NearbyNodes(around: place, of: count, reach: Self.reach) {
      guard rest > 0, !isKnown else { break }
      let range = range(node).prefix(rest)
      rest -= learn(from: source, range) ? range.count : 0
    }
    slashes = slashes ?? usual.slashes
    slashesOfTags = slashesOfTags ?? usual.slashesOfTags
    others = others ?? usual.others
    hasCapitals = hasCapitals ?? usual.hasCapitals
  }

  /// The number of bytes at the beginning of a text that are looked at once.
  private static let extentOfBeginning = 1 << 16
  /// The number of strings on each side of a place, and of bytes in all of them, that are looked at for each new string.
  private static let reach = 64
  private static let extent = 4096

  private var isKnown: Bool {
    guard slashes != nil || !notation.hasSlashes, let others else { return false }
    return !others || hasCapitals != nil
  }

  /// Learns from a value. Returns true if it is a string.
  @discardableResult
  private mutating func learn(from source: [UInt8], _ range: Range<Int>) -> Bool {
    guard let quote = source[range].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return false
    }
    var index = range.lowerBound + 1
    while index < range.upperBound {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: "/"): learn(slashAfter: source[index - 1], isEscaped: false)
      case 0x80...: others = others ?? false
      case UInt8(ascii: "\\"):
        index += 1
        guard index < range.upperBound else { return true }
        if source[index] == UInt8(ascii: "/") {
          learn(slashAfter: source[index - 2], isEscaped: true)
        } else if source[index] == notation.letter {
          learn(digits: source[(index + 1)..<range.upperBound].prefix(4))
        }
      default: break
      }
      index += 1
    }
    return true
  }

  private mutating func learn(slashAfter byte: UInt8, isEscaped: Bool) {
    guard notation.hasSlashes else { return }
    if byte == UInt8(ascii: "<") {
      slashesOfTags = slashesOfTags ?? isEscaped
    } else {
      slashes = slashes ?? isEscaped
    }
  }

  /// Learns from the digits of an escape. Those of characters that are not visible show nothing, because many writers escape them.
  private mutating func learn(digits: ArraySlice<UInt8>) {
    var unit: UInt32 = 0
    for digit in digits {
      guard let value = digit.hexDigit else { return }
      unit = unit << 4 | UInt32(value)
    }
    guard digits.count == 4, unit >= 0x80 else { return }
    // A code unit that is not a scalar is a part of a character beyond the first plane.
    if let scalar = Unicode.Scalar(unit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
        .nonspacingMark:
        return
      default: break
      }
    }
    others = others ?? true
    if let letter = digits.first(where: { $0 > UInt8(ascii: "9") }) {
      hasCapitals = hasCapitals ?? (letter < UInt8(ascii: "a"))
    }
  }

  /// Returns true if a string in its notation may be written with other escapes.
  static func concern(_ string: [UInt8]) -> Bool {
    string.contains { $0 == UInt8(ascii: "/") || $0 >= 0x80 }
  }

  /// Returns a string in its notation, with the escapes.
  func escaped(_ string: [UInt8]) -> [UInt8] {
    let (tags, others) = (slashesOfTags ?? slashes ?? false, others ?? false)
    guard tags || slashes == true || others else { return string }
    var text: [UInt8] = []
    text.reserveCapacity(string.count)
    let bytes = string.span
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        text += [byte, bytes[index + 1]]
        index += 2
      } else if byte >= 0x80, others {
        let (scalar, length) = bytes.scalar(at: index)
        append(scalar, to: &text)
        index += max(length, 1)
      } else {
        let isSlash = byte == UInt8(ascii: "/")
        let isOfTag = isSlash && text.last == UInt8(ascii: "<")
        if isSlash, isOfTag ? tags : slashes ?? false { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
        index += 1
      }
    }
    return text
  }

  /// Appends an escape for each code unit of a character in UTF-16.
  private func append(_ scalar: UInt32, to text: inout [UInt8]) {
    guard scalar > 0xffff else { return append(unit: scalar, to: &text) }
    let offset = scalar - 0x1_0000
    append(unit: 0xd800 | offset >> 10, to: &text)
    append(unit: 0xdc00 | offset & 0x3ff, to: &text)
  }

  private func append(unit: UInt32, to text: inout [UInt8]) {
    let digits = String(unit + 0x1_0000, radix: 16, uppercase: hasCapitals ?? false).dropFirst()
    text += [UInt8(ascii: "\\"), notation.letter] + digits.utf8
  }
}
