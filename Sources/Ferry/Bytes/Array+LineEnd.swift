extension Array<UInt8> {
  /// The line end of a text: that of its first line.
  var lineEnd: [UInt8] {
    guard let feed = firstIndex(of: UInt8(ascii: "\n")), feed > 0, self[feed - 1] == UInt8(ascii: "\r") else {
      return [UInt8(ascii: "\n")]
    }
    return [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// True if the lines of a text end in carriage returns alone, without line feeds.
  var hasReturnsAlone: Bool { !contains(UInt8(ascii: "\n")) && contains(UInt8(ascii: "\r")) }

  /// The text with a byte in place of each other one, as for the line ends of a text with only one kind of them.
  func replacing(_ byte: UInt8, by other: UInt8) -> [UInt8] { map { $0 == byte ? other : $0 } }

  /// The line end of a text in which all lines have the same; nil for any other text.
  var onlyLineEnd: [UInt8]? {
    let end = lineEnd
    var last: UInt8 = 0
    var count = 0
    for byte in self {
      if byte == UInt8(ascii: "\n") {
        guard (last == UInt8(ascii: "\r")) == (end.count == 2) else { return nil }
        count += 1
      } else if last == UInt8(ascii: "\r") {
        return nil
      }
      last = byte
    }
    return count > 0 && last != UInt8(ascii: "\r") ? end : nil
  }

  /// Returns the beginning of the line that contains an offset.
  func startOfLine(at offset: Int) -> Int {
    self[..<offset].lastIndex(where: \.isLineEnd).map { $0 + 1 } ?? 0
  }

  /// The text with a line feed in place of each CR LF.
  var withLineFeeds: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count)
    for byte in self {
      if byte == UInt8(ascii: "\n"), text.last == UInt8(ascii: "\r") { text.removeLast() }
      text.append(byte)
    }
    return text
  }

  /// Returns the text with another line end in place of each line feed.
  func withLineEnds(_ lineEnd: [UInt8]) -> [UInt8] {
    lineEnd == [UInt8(ascii: "\n")] ? self : flatMap { $0 == UInt8(ascii: "\n") ? lineEnd : [$0] }
  }
}
