extension FormatHead {
  /// The format that a text of no known format may have by its first lines; nil if they show none.
  var likelyFormat: FileProblem.LikelyFormat? {
    guard hasOnlyText else { return nil }
    if PackageTraits.hasYAML, looksLikeYAMLBlock { return .yamlBlock }
    return looksLikeTable ? .csvTable : nil
  }

  /// True if the first two lines, or the only one, have the same number of delimiters of a table. False for code, and for prose, in which a
  /// space follows each delimiter, unless it has as many delimiters in each of several lines.
  var looksLikeTable: Bool {
    let lineEnd = bytes.contains(UInt8(ascii: "\n")) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
    var lines = bytes[start...].split(separator: lineEnd, maxSplits: 4, omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true || lines.count > 4 { lines.removeLast() }
    guard let header = lines.first, header.first != UInt8(ascii: "|"),
      !header.contains(where: { "{}<>=".utf8.contains($0) })
    else { return false }
    return ",;\t|".utf8.contains { delimiter in
      let (count, isSpaced) = Self.delimiters(delimiter, in: header)
      guard count > 0, !isSpaced || lines.count > 1 else { return false }
      return lines.prefix(isSpaced ? 4 : 2).allSatisfy { line in
        Self.delimiters(delimiter, in: line).count == count
          && (delimiter == UInt8(ascii: ";") || line.last { !Self.isSpace($0) } != UInt8(ascii: ";"))
      }
    }
  }

  /// Returns the number of delimiters in a line, outside of quotation marks and before its end, and true if a space follows each of them.
  private static func delimiters(
    _ delimiter: UInt8, in line: ArraySlice<UInt8>
  ) -> (count: Int, isSpaced: Bool) {
    var (count, isQuoted, isSpaced) = (0, false, true)
    for index in line.indices.dropLast() {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted, line[index] == delimiter, line[index + 1] != UInt8(ascii: "\r") else { continue }
      count += 1
      isSpaced = isSpaced && line[index + 1] == UInt8(ascii: " ")
    }
    return (count, isSpaced)
  }
}
