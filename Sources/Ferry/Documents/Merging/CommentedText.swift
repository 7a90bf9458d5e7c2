/// A text with its comments, for a merge in which each comment is one piece, however many words and lines it has.
///
///     "a" = 1; // the first one    →    tokens  "a"  =  1;  // the first one
struct CommentedText {
  typealias Piece = TextPieces.Piece

  let bytes: [UInt8]
  let format: Format
  /// The ranges of the comments, in ascending order. Empty for XML, whose comments are tokens anyway.
  let comments: [Range<Int>]

  /// Finds the comments of a text in UTF-8. A text that is not valid has none.
  init(_ bytes: [UInt8], _ format: Format, budget: Budget) {
    (self.bytes, self.format) = (bytes, format)
    comments = format.isXML ? [] : format.comments(in: bytes, budget)
  }

  var isXML: Bool { format.isXML }

  /// All comments, processing instructions and references to entities that the text does not declare.
  var markup: [Piece] { isXML ? TextPieces.markup(of: bytes[...]) : comments.map { bytes[$0] } }

  /// Returns the comments, processing instructions, declarations and references to entities in pieces of the text.
  func markup(in pieces: ArraySlice<Piece>) -> [Piece] {
    guard isXML else { return pieces.flatMap { piece in comments(in: piece).map { bytes[$0] } } }
    return pieces.flatMap {
      TextPieces.isMarkupWithoutValue($0) ? [$0] : TextPieces.entityReferences(in: $0)
    }
  }

  /// The lines of the text, each with its line end. The lines of a comment are one piece.
  var lines: [Piece] {
    var pieces: [Piece] = []
    var (start, next) = (0, 0)
    while start < bytes.count {
      var end = TextPieces.endOfLine(in: bytes[start...])
      while next < comments.count, comments[next].lowerBound < end {
        if comments[next].upperBound > end {
          end = TextPieces.endOfLine(in: bytes[comments[next].upperBound...])
        }
        next += 1
      }
      pieces.append(bytes[start..<end])
      start = end
    }
    return pieces
  }

  /// Returns the tokens of a part of the text that contains each comment whole or not at all.
  func tokens(of part: Piece) -> [Piece] {
    var pieces: [Piece] = []
    var start = part.startIndex
    for comment in comments(in: part) {
      pieces += TextPieces.tokens(of: part[start..<comment.lowerBound], isXML: isXML)
      pieces.append(part[comment])
      start = comment.upperBound
    }
    return pieces + TextPieces.tokens(of: part[start...], isXML: isXML)
  }

  /// Returns true if a line of the text has a comment, and besides it only white space.
  func isComment(_ line: Piece) -> Bool {
    let found = comments(in: line)
    return !found.isEmpty && tokens(of: line).count { !TextPieces.isSpace($0) } == found.count
  }

  /// Returns the lines of a comment with their line ends; nil if they have more than the comment.
  func lines(of comment: Range<Int>) -> Range<Int>? {
    guard let start = CommentsAbove.startOfLine(before: comment.lowerBound, in: bytes) else { return nil }
    let end = TextPieces.endOfLine(in: bytes[comment.upperBound...])
    return bytes[comment.upperBound..<end].allSatisfy(\.isSpace) ? start..<end : nil
  }

  /// Returns the ranges of the comments in a part of the text.
  private func comments(in part: Piece) -> ArraySlice<Range<Int>> {
    let first = comments.partitioningIndex { $0.lowerBound >= part.startIndex }
    return comments[first...].prefix { $0.upperBound <= part.endIndex }
  }
}

extension Format {
  /// Returns the ranges of the comments in a text, as the syntax of its format finds them. Leaves out comments that the
  /// format's writer makes from the values.
  fileprivate func comments(in text: [UInt8], _ budget: Budget) -> [Range<Int>] {
    let marks = text.indices.contains { index in
      text[index] == UInt8(ascii: "#")
        || text[index] == UInt8(ascii: "/") && index + 1 < text.count && "/*".utf8.contains(text[index + 1])
    }
    guard marks, let finder = description.textLayout else { return [] }
    let mark = text.utf8MarkCount
    let unmarked = Array(text[mark...])
    let tree = PropertyListTree(for: description.noun, budget: budget)
    guard let syntax = try? finder(unmarked, tree).syntax, !syntax.hasGeneratedComments else { return [] }
    return syntax.markup(in: unmarked[...]).map { ($0.startIndex + mark)..<($0.endIndex + mark) }
  }
}
