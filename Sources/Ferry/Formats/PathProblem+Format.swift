extension PathProblem {
  /// The problem of a change by path in a format that supports none; `isInData` is true if the file is inside
  /// data.
  package static func notEditable(_ format: Format, isInData: Bool) -> PathProblem {
    .notEditable(
      format: format.rawValue,
      hint: isInData ? "use set to replace the data as a whole" : format.editingHint)
  }
}

extension Format {
  /// The way to change a file of a format whose values cannot be changed by path.
  fileprivate var editingHint: String {
    switch self {
    case .typedstream: "use ferry convert FILE -o FILE.archive to make a keyed archive, which can be edited"
    case .sqlite: "use sqlite3 to edit a database"
    default: "use ferry edit to open the file"
    }
  }
}
