/// The storage classes of SQLite values.
enum SQLiteKind: String {
  case null, integer, real, text, blob
}

/// Returns a name quoted for use in a statement.
///
///     quotedName("a \"b\"")    // "a ""b"""
func quotedName(_ name: String) -> String {
  "\"" + name.replacing("\"", by: "\"\"") + "\""
}
