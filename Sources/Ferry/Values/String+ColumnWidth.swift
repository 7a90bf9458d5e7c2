extension String {
  /// The number of columns that a terminal uses for the text: two for wide characters, none for combining ones.
  package var columnWidth: Int { reduce(0) { $0 + $1.columnWidth } }
}

extension Character {
  /// The number of columns that a terminal uses for the character.
  package var columnWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}")
    return first.isWide || isEmoji ? 2 : 1
  }
}

extension Unicode.Scalar {
  /// True for the scripts whose characters are wide (Unicode Standard Annex 11).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
      0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
      0x1b000...0x1b2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }
}
