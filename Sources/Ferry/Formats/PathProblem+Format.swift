extension PathProblem {
  /// The problem of a change by path in a format that supports none; `isInData` is true if the file is inside
  /// data.
  package static func notEditable(_ format: Format, isInData: Bool) -> PathProblem {
    .notEditable(
      format: format.rawValue,
      hint: isInData ? "use set to replace the data as a whole" : format.description.editingHint ?? "")
  }
}
