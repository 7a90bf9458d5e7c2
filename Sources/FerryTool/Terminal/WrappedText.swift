/// Text whose lines are broken at spaces to fit a width. A word that is wider stays whole.
///
///     objects     522: 158 instances of classes, 346 plain values, 17 class
///                 descriptions, 0 unreachable
struct WrappedText {
  let width: Int

  /// Returns the text with its wide lines broken. Each continues under its second column.
  func wrapped(_ text: String) -> String {
    var result = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      result += (Self.width(of: line) <= width ? String(line) : broken(line)) + "\n"
    }
    return result
  }

  private func broken(_ line: Substring) -> String {
    let indent = min(Self.secondColumn(of: line), width / 2)
    var (result, column) = ("", 0)
    var spaces = ""
    for piece in Self.pieces(of: line) {
      if piece.first == " " {
        spaces += piece
        continue
      }
      let wordWidth = Self.width(of: piece)
      if column > indent, column + spaces.count + wordWidth > width {
        result += "\n" + String(repeating: " ", count: indent)
        column = indent
      } else {
        result += spaces
        column += spaces.count
      }
      spaces = ""
      result += piece
      column += wordWidth
    }
    return result
  }

  /// Returns the words of a line and the runs of spaces between them.
  private static func pieces(of line: Substring) -> [Substring] {
    var pieces: [Substring] = []
    var rest = line
    while let first = rest.first {
      let piece = rest.prefix { ($0 == " ") == (first == " ") }
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }

  /// Returns the column of the first word that follows two or more spaces after another word; if there is
  /// none, the column of the first word plus two.
  private static func secondColumn(of line: Substring) -> Int {
    var (column, firstWord) = (0, Int?.none)
    var wasWide = false
    for piece in pieces(of: line) {
      guard piece.first != " " else {
        wasWide = piece.count > 1
        column += piece.count
        continue
      }
      if firstWord != nil, wasWide { return column }
      firstWord = firstWord ?? column
      column += width(of: piece)
    }
    return (firstWord ?? 0) + 2
  }

  /// Returns the number of terminal columns of a text, without its color codes.
  private static func width(of text: Substring) -> Int {
    guard text.contains("\u{1b}") else { return text.count }
    var (width, isInCode) = (0, false)
    for character in text {
      if character == "\u{1b}" { isInCode = true }
      if !isInCode { width += 1 }
      if isInCode, character == "m" { isInCode = false }
    }
    return width
  }
}
