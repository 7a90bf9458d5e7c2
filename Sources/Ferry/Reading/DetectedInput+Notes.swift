extension DetectedInput {
  /// Returns notes on options for the input that are probably meant for the output: with them, the text is read otherwise than its author
  /// has written it.
  func notes(on options: ReadingOptions) -> [Note] {
    var notes: [Note] = []
    if let name = unlikelyEncoding { notes.append(.likelyUTF8(readAs: name)) }
    if format.description.columnTypes != nil, let given = options.csv.delimiter,
      let found = delimiter(inFirstRowWithout: given, after: SkippedLines(options.csv.skippedLines))
    {
      notes.append(.otherDelimiter(given: given, found: found))
    }
    return notes
  }

  /// Returns the most frequent delimiter of the first row, which does not have the given one. Returns nil if there is none, and for a row with
  /// quotation marks, in which delimiters may be text.
  private func delimiter(inFirstRowWithout given: UInt8, after lines: SkippedLines) -> UInt8? {
    var lines = lines
    let row = head.dropFirst(lines.skip(in: head)).prefix {
      $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
    }
    guard !row.contains(given), !row.contains(UInt8(ascii: "\"")) else { return nil }
    let counts = ",;\t|".utf8.map { byte in (byte, row.count { $0 == byte }) }
    return counts.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }
}
