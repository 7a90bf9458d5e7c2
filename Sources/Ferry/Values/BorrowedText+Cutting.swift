extension BorrowedText {
  /// Returns a copy of the first bytes of the text, or fewer, so that it does not end inside a character.
  func beginning(ofBytes count: Int) -> String { String(escapingSurrogatesOf: prefix(ofBytes: count)) }

  /// Returns the first bytes of the text, or fewer, so that it does not end inside a character.
  @_lifetime(copy self)
  func prefix(ofBytes count: Int) -> BorrowedText {
    guard utf8.count > count else { return self }
    var end = count
    while end > 0, utf8[end] & 0xc0 == 0x80 { end -= 1 }
    return BorrowedText(
      checked: utf8.extracting(first: end), isASCII: isASCII, hasSurrogates: hasSurrogates)
  }

  /// Returns a copy of the text to show, which ends in `…` if it is cut.
  func cut(toBytes count: Int) -> String {
    utf8.count > count ? beginning(ofBytes: count) + "…" : String(escapingSurrogatesOf: self)
  }
}
