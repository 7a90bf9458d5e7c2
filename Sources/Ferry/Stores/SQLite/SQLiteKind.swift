/// The five kinds of value that SQLite has.
enum SQLiteKind: String {
  case null, integer, real, text, blob
}

/// A name in a statement, in the quotes that any name can have.
///
///     quotedName("a \"b\"")    // "a ""b"""
func quotedName(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
