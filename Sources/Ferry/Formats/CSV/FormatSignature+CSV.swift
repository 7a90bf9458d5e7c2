extension FormatSignature {
  /// The signature of a format of tables: an extension of the file name. Any text can be a table with one column.
  static func table(_ extensions: [String]) -> FormatSignature {
    FormatSignature(.name, isOptional: true) { head in
      // An empty first line is a header with one unnamed column, and what looks like XML or JSON after it can be a cell. Files of XML and
      // JSON rarely begin with an empty line.
      head.fileExtension.map(extensions.contains) == true
        && (head.hasEmptyFirstLine || head.isNeitherMarkupNorJSON || head.mayBeColumn(in: extensions))
        && !OtherKind.conflict.matches(head)
    }
  }

  /// The signature of a format that no file has.
  static let none: Self = inObjects
}

extension FormatHead {
  /// True if a text that is JSON Lines may also be a table of one column: each value is a cell that a writer of tables does not change.
  ///
  ///     [1]⏎ "007"⏎         may be a column: a header and a row
  ///     {}⏎ {"a": 1}⏎       is not: an object is a record
  ///
  /// A single value is JSON, because a header alone is rare.
  var mayBeColumn: Bool { mayBeColumn(in: FormatDescription.csv.extensions) }

  /// Returns true if a text may be a table of one column in the format with some extensions.
  fileprivate func mayBeColumn(in extensions: [String]) -> Bool {
    guard let end = firstJSONValueEnd, let next = content(from: end), bytes[next] != 0,
      bytes[end..<next].contains(where: Self.isLineEnd)
    else { return false }
    let delimiter = extensions == FormatDescription.tsv.extensions ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    let lines = bytes[start...].split { Self.isLineEnd($0) }
    return lines.allSatisfy { Self.isCell(in: $0, before: delimiter) }
  }

  /// Returns true if a line of JSON is also a cell: it needs no quotation marks, or is in them without an escape.
  private static func isCell(in line: ArraySlice<UInt8>, before delimiter: UInt8) -> Bool {
    if line.first == UInt8(ascii: "\"") { return !line.contains(UInt8(ascii: "\\")) }
    return line.first != UInt8(ascii: "{") && !line.contains(UInt8(ascii: "\"")) && !line.contains(delimiter)
  }

  /// True if a text without a name is read as a table because options for tables are given. A text that is certainly of another format is not.
  var isTableByOptions: Bool {
    guard hasOnlyText, let first, !"<{".utf8.contains(first), !looksLikeYAMLBlock else { return false }
    return mayBeColumn || first != UInt8(ascii: "[") && looksLikeTable
  }
}
