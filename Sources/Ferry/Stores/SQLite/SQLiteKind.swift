/// The five kinds of values in SQLite.
enum SQLiteKind: String {
  case null, integer, real, text, blob
}

/// Returns a name for a statement, in the quotes that allow any name.
///
///     quotedName("a \"b\"")    // "a ""b"""
func quotedName(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
