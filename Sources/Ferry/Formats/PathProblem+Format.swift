extension PathProblem {
  /// Returns the problem of a change by path in a format that does not support it.
  ///
  /// - Parameter isInData: True if the file is nested in data.
  package static func notEditable(_ format: Format, isInData: Bool) -> PathProblem {
    .notEditable(
      format: format.rawValue,
      isInData ? .wholeValue : format.description.editingAlternative ?? .wholeFile)
  }

  /// The problem of a change in a document in the typed form whose text is XML.
  static let notEditableTypedXML = PathProblem.notEditable(format: "XML in the typed form", .wholeFile)
}
