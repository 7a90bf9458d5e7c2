// The comments of dialects of JSON, and the commas before them.

extension JSONTextSyntax {
  /// True if a comma is part of the value before it, because comments may follow it.
  var endsChildrenInCommas: Bool { separator.isEmpty }
  var requiresLastTerminator: Bool { false }
  var assignment: [UInt8] { colon }

  var hasMarkup: Bool { dialect.permits(.comments) }

  func terminator(inDictionary: Bool) -> [UInt8] { endsChildrenInCommas ? [UInt8(ascii: ",")] : [] }

  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool {
    dialect.permits(.comments) && (text.starts(with: "//".utf8) || text.starts(with: "/*".utf8))
  }

  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool { markup.starts(with: "//".utf8) }

  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard dialect.permits(.comments) else { return [] }
    var found: [ArraySlice<UInt8>] = []
    var index = text.startIndex
    while index < text.endIndex {
      let rest = text[index...]
      if beginsMarkup(rest) {
        let length = rest.span.endOfComment(at: 0, endsAtSeparators: dialect.permits(.moreSpaces))
        let end = length.map { index + $0 } ?? text.endIndex
        found.append(text[index..<end])
        index = end
      } else if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") {
        index += JSONRanges.end(ofStringIn: rest.span, from: 0)
      } else {
        index += 1
      }
    }
    return found
  }

  /// Returns a text between values without its comments.
  func withoutMarkup(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let found = markup(in: text)
    guard !found.isEmpty else { return text }
    var (rest, start): ([UInt8], Int) = ([], text.startIndex)
    for comment in found {
      rest += text[start..<comment.startIndex]
      start = comment.endIndex
    }
    return (rest + text[start...])[...]
  }
}
