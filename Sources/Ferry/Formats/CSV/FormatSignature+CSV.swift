extension FormatSignature {
  /// The signature of a format of tables: an extension of the file name. Any text can be a table with one column.
  static func table(_ extensions: [String]) -> FormatSignature {
    FormatSignature(.name, isOptional: true) { head in
      // An empty first line is a header with one unnamed column, and what looks like XML or JSON after it can be a cell. Files of XML and
      // JSON rarely begin with an empty line.
      head.fileExtension.map(extensions.contains) == true
        && (head.hasEmptyFirstLine || head.isNeitherMarkupNorJSON) && !OtherKind.conflict.matches(head)
    }
  }

  /// The signature of a format that no file has.
  static let none: Self = inObjects
}
