extension FormatSignature {
  /// The signature of a format of tables: an extension of the file name. Any text can be a table with one column.
  static func table(_ extensions: [String]) -> FormatSignature {
    FormatSignature(.name, isOptional: true) { head in
      // After an empty first line, which is a header with one column, the rest may be a cell: files of XML and JSON rarely begin with such a
      // line.
      head.fileExtension.map(extensions.contains) == true
        && (head.hasEmptyFirstLine || head.isNeitherMarkupNorJSON) && !OtherKind.conflict.matches(head)
    }
  }

  /// The signature of a format that no file has.
  static let none: Self = inObjects
}
