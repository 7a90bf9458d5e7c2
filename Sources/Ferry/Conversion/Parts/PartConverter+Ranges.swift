/// The parts of a binary file, which are ranges of its elements.
extension PartConverter {
  /// Converts a range of the elements of a binary file.
  func convert(
    _ elements: Range<Int>, of ranges: NodeRanges, listsLosses: Bool, reusing spare: consuming [UInt8]
  ) -> Text? {
    var costs = NodeCosts()
    var text = try? text(
      of: ranges.open(), listsLosses: listsLosses, into: spare, accepting: areOfRecordsInRange
    ) { source, sink, losses throws(FerryError) in
      costs = try source.send(elements, of: ranges, into: sink, options, losses: losses)
      return XMLPathForms()
    }
    text?.costs = costs
    return text
  }

  /// Returns the text of a list without elements, whose losses are those of the list itself.
  func emptyList(of ranges: NodeRanges) -> Text? {
    try? text(of: ranges.open(), into: [], accepting: { _ in true }) {
      source, sink, losses throws(FerryError) in
      _ = try source.send(0..<0, of: ranges, into: sink, options, losses: losses)
      return XMLPathForms()
    }
  }

  /// Returns a check of the costs of all ranges of a binary file; nil for a text.
  func costCheck() throws(FerryError) -> NodeCostCheck? { try parts.ranges?.costCheck(options) }

  /// Returns true if losses are those of records. Nothing follows the list, so those that are only counted are those of records, too. The
  /// texts of all keys that are objects share a budget.
  private func areOfRecordsInRange(_ losses: Losses) -> Bool {
    losses.haveIndices && !losses.counts.contains { $0.kind == .objectKey }
  }
}
