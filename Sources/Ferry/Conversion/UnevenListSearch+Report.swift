extension UnevenListSearch {
  /// Adds the next input, by the report of its conversion.
  package mutating func add(_ report: Conversion.Report) { add(report.listForms) }
}
