/// The layout of the text of a list, from which it follows how the texts of two lists become that of a longer one.
enum ListLayout: Sendable {
  /// Each element has a text of its own, as a line of JSON Lines.
  case lines
  /// The rows follow a header, as in CSV. The text is complete only when the columns are known.
  case rows
  /// The elements are between brackets, with commas between them, as in JSON.
  case brackets

  /// True if the text up to the end of any element can be read without the rest.
  var hasSeparateRecords: Bool { self != .brackets }
}
