/// The layout options that a format accepts: those that change its text, and those that ask for the layout that it always has.
package struct FormatLayoutOptions: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Values on one line.
  package static let oneLine = FormatLayoutOptions(rawValue: 1 << 0)
  /// Values on lines of their own.
  package static let lines = FormatLayoutOptions(rawValue: 1 << 1)
  /// A number of spaces for each level.
  package static let spaces = FormatLayoutOptions(rawValue: 1 << 2)
  /// A tab for each level.
  package static let tabs = FormatLayoutOptions(rawValue: 1 << 3)
  /// Escapes for characters beyond ASCII.
  package static let escapes = FormatLayoutOptions(rawValue: 1 << 4)
  /// Chosen columns, and no row with their names.
  package static let columns = FormatLayoutOptions(rawValue: 1 << 5)
  /// Chosen keys of records, in formats whose writers know no columns.
  package static let chosenKeys = FormatLayoutOptions(rawValue: 1 << 9)
  /// A delimiter between cells, and the end of rows.
  package static let delimiters = FormatLayoutOptions(rawValue: 1 << 6)
  /// Zero spaces for each level.
  package static let noSpaces = FormatLayoutOptions(rawValue: 1 << 7)
  /// Elements of a list as documents of their own.
  package static let documents = FormatLayoutOptions(rawValue: 1 << 8)
}

extension Format {
  /// The options for the layout that have an effect on an output in the format.
  package var layoutOptions: FormatLayoutOptions { description.layoutOptions }
}
