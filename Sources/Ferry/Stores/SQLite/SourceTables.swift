/// The facts of the source's tables that new tables with the same records take over. Without a name, the functions return that of the
/// only table.
struct SourceTables {
  /// Returns the columns of a table, for one without records; an empty array if they are unknown.
  var columns: (_ table: String?) throws(FerryError) -> [String]
  /// Returns the stored version of a table's records; nil if there is none.
  var version: (_ table: String?) throws(FerryError) -> Int?
}
