extension Array<UInt8> {
  /// The line end of a text: that of its first line.
  var lineEnd: [UInt8] {
    guard let feed = firstIndex(of: UInt8(ascii: "\n")), feed > 0, self[feed - 1] == UInt8(ascii: "\r") else {
      return [UInt8(ascii: "\n")]
    }
    return [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Returns the text with another line end in place of each line feed.
  func withLineEnds(_ lineEnd: [UInt8]) -> [UInt8] {
    lineEnd == [UInt8(ascii: "\n")] ? self : flatMap { $0 == UInt8(ascii: "\n") ? lineEnd : [$0] }
  }
}
