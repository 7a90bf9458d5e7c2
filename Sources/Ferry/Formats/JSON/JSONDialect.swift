/// The permissions of a dialect of JSON.
///
///     {a: 'b', /* c */ "d": [+1, .5, 0xF, NaN,],}     JSON5
struct JSONDialect: Sendable, Equatable {
  /// A deviation from the grammar of RFC 8259 that a reader accepts.
  struct Permissions: OptionSet {
    let rawValue: Int
    /// Comments: `// to the end of the line` and `/* up to the mark */`.
    static let comments = Permissions(rawValue: 1 << 0)
    /// A comma after the last element or entry.
    static let lastCommas = Permissions(rawValue: 1 << 1)
    /// Keys without quotation marks that are identifiers of ECMAScript.
    static let names = Permissions(rawValue: 1 << 2)
    /// Strings in single quotation marks.
    static let singleQuotes = Permissions(rawValue: 1 << 3)
    /// The escapes of ECMAScript, strings that go on after a line end, and control characters in strings.
    static let moreEscapes = Permissions(rawValue: 1 << 4)
    /// Hexadecimal numbers, a plus sign, a point at the beginning or end, `Infinity` and `NaN`.
    static let moreNumbers = Permissions(rawValue: 1 << 5)
    /// The white space of Unicode.
    static let moreSpaces = Permissions(rawValue: 1 << 6)
  }

  let permissions: Permissions

  func permits(_ permission: Permissions) -> Bool { permissions.contains(permission) }

  /// JSON as defined by RFC 8259.
  static let strict = JSONDialect(permissions: [])
  /// JSON with comments, as editors read it.
  static let jsonc = JSONDialect(permissions: [.comments, .lastCommas])
  /// JSON with the numbers of JSON5: a JSON patch of a JSON5 file has `Infinity` and `NaN`.
  static let jsonWithNumbers = JSONDialect(permissions: [.moreNumbers])
  /// JSON5 as defined by its specification 1.0.0.
  static let json5 = JSONDialect(
    permissions: [
      .comments, .lastCommas, .names, .singleQuotes, .moreEscapes, .moreNumbers, .moreSpaces,
    ])
}
