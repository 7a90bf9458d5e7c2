/// A renaming of columns in the header of a table. Every other byte of the table stays.
///
///     id,name⏎         name → title         id,title⏎
///     1,"a b"⏎                               1,"a b"⏎
package struct ColumnRenaming {
  /// The result of a renaming.
  package struct Outcome {
    /// The text of the table with the new names.
    package let text: [UInt8]
    /// The names of the columns before.
    package let names: [String]
    /// The old and the new names of the renamed columns, in the order of the columns.
    package let changes: [(old: String, new: String)]
  }

  private let newNames: [ExactString: String]
  private let csv: CSVReadingOptions
  private let budget: Budget

  /// Creates a renaming.
  ///
  /// - Parameters:
  ///   - names: The old and the new names of columns. Of two for one column, the first counts.
  ///   - csv: The properties of a table that its text does not show.
  package init(
    _ names: [(old: String, new: String)], csv: CSVReadingOptions = CSVReadingOptions(), budget: Budget
  ) {
    newNames = Dictionary(names.map { (ExactString($0.old), $0.new) }) { first, _ in first }
    (self.csv, self.budget) = (csv, budget)
  }

  /// Returns true if the tables of a format have a header whose names can be changed.
  package static func takes(_ format: Format) -> Bool { format.description.editableTable != nil }

  /// Renames columns in the text of a table.
  ///
  /// - Throws: The error of a text that is not a table of the format, or `PathProblem.cannotPut` if the table would be read with other
  ///   columns.
  package func apply(to text: [UInt8], of format: Format) throws(FerryError) -> Outcome {
    guard let read = format.description.editableTable else {
      return Outcome(text: text, names: [], changes: [])
    }
    var context = ReaderContext(budget: budget)
    context.csv = csv
    let table = try read(text, context)
    var (result, copied): ([UInt8], Int) = ([], 0)
    var (names, wanted): ([String], [[UInt8]]) = ([], [])
    var changes: [(old: String, new: String)] = []
    for cell in table.header ?? [] {
      let name = String(decoding: table.content(of: cell), as: UTF8.self)
      names.append(name)
      guard let new = newNames[ExactString(name)], !new.equals(name) else {
        wanted.append(table.content(of: cell))
        continue
      }
      let content = Array(new.utf8)
      result += table.text[copied..<cell.writtenRange.lowerBound]
      result += cell.isQuoted || table.needsQuotes(content) ? table.quoted(content) : content
      copied = cell.writtenRange.upperBound
      wanted.append(content)
      changes.append((name, new))
    }
    guard !changes.isEmpty else { return Outcome(text: text, names: names, changes: []) }
    result += table.text[copied...]
    try check(result, read, context, has: wanted, rowsOf: table)
    return Outcome(text: result, names: names, changes: changes)
  }

  /// Throws unless the new text is read with exactly the wanted names, and with the delimiter and the number of rows of the old table.
  private func check(
    _ text: [UInt8], _ read: ([UInt8], ReaderContext) throws(FerryError) -> CSVTable,
    _ context: ReaderContext, has names: [[UInt8]], rowsOf table: CSVTable
  ) throws(FerryError) {
    let renamed: CSVTable
    do throws(FerryError) { renamed = try read(text, context) } catch {
      throw FerryError(.path(.cannotPut("this name", .unreadable(error.reason))))
    }
    guard (renamed.header ?? []).map(renamed.content(of:)) == names, renamed.rowCount == table.rowCount,
      renamed.delimiter == table.delimiter
    else {
      throw FerryError(.path(.cannotPut("this name", "the table would be read with other columns")))
    }
  }
}
