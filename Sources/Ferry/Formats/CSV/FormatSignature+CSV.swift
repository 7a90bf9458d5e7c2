extension FormatSignature {
  /// The signature of a format of tables: an extension of the file name. Any text can be a table with one column.
  static func table(_ extensions: [String]) -> FormatSignature {
    FormatSignature(.name, isOptional: true) { head in
      head.fileExtension.map(extensions.contains) == true && head.isNeitherMarkupNorJSON
        && !OtherKind.conflict.matches(head)
    }
  }

  /// The signature of a format that no file has.
  static let none: Self = inObjects
}
