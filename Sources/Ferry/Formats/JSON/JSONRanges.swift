/// The ranges of the values and keys in a JSON text, in the order of a reader's events.
struct JSONRanges {
  private(set) var ranges: [Range<Int>] = []
  /// For each value, the offset after the comma that follows it, or after the value itself if none does. Nil in a dialect without comments.
  private(set) var ends: [Int]?
  private let dialect: JSONDialect

  /// Finds the ranges in a text, which must be valid in the dialect.
  ///
  /// - Parameter count: The expected number of values and keys.
  init(in text: Span<UInt8>, _ dialect: JSONDialect, count: Int) {
    self.dialect = dialect
    ranges.reserveCapacity(count)
    if dialect.permits(.comments) { ends = [] }
    var open: [Int] = []
    /// The last complete value or key.
    var last = 0
    var index = text.utf8MarkCount
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(ranges.count)
        add(index..<index)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        guard let begun = open.popLast() else { continue }
        ranges[begun] = ranges[begun].lowerBound..<index
        ends?[begun] = index
        last = begun
      case UInt8(ascii: ","):
        index += 1
        if last < ranges.count { ends?[last] = index }
      case let byte where isQuote(byte):
        last = ranges.count
        let end = Self.end(ofStringIn: text, from: index)
        add(index..<end)
        index = end
      case UInt8(ascii: "/"):
        let length = text.extracting(index...).endOfComment(
          at: 0, endsAtSeparators: dialect.permits(.moreSpaces))
        index += max(length ?? text.count - index, 1)
      case let byte where JSONBytes.isBare(byte) || isName(byte):
        if let space = JSONBytes.spaceLength(text, at: index) {
          index += space
          continue
        }
        last = ranges.count
        let end = max(text.endOfJSONWord(from: index), isName(byte) ? JSONName.end(in: text, from: index) : 0)
        add(index..<end)
        index = end
      default: index += 1
      }
    }
  }

  private func isName(_ byte: UInt8) -> Bool { dialect.permits(.names) && JSONName.canBegin(byte) }

  private func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") && dialect.permits(.singleQuotes)
  }

  private mutating func add(_ range: Range<Int>) {
    ranges.append(range)
    ends?.append(range.upperBound)
  }

  /// Returns the offset after the string that begins at an offset.
  static func end(ofStringIn text: Span<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != text[start] {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }
}
