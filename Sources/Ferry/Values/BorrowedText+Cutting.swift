extension BorrowedText {
  /// Returns a copy of the first bytes of the text, or fewer, so that it does not end inside a character.
  func beginning(ofBytes count: Int) -> String {
    guard utf8.count > count else { return String(self) }
    var end = count
    while end > 0, utf8[end] & 0xc0 == 0x80 { end -= 1 }
    let beginning = utf8.extracting(first: end)
    return String(BorrowedText(checked: beginning, isASCII: isASCII, hasSurrogates: hasSurrogates))
  }

  /// Returns a copy of the text, which ends in `…` if it is cut.
  func cut(toBytes count: Int) -> String {
    utf8.count > count ? beginning(ofBytes: count) + "…" : String(self)
  }
}
