/// The columns of a table if the writing options name them, which tell if a value is written at all.
struct GivenColumns {
  private let names: Set<ExactString>
  /// True if the entries of nested dictionaries have columns of their own, such as `address.city`.
  private let isDotted: Bool

  /// Fails if the output has all columns, or none.
  init?(_ writing: WritingOptions) {
    guard writing.choosesKeys || writing.format.layoutOptions.contains(.columns),
      let names = writing.csv.columns
    else { return nil }
    self.names = Set(names.map { ExactString($0) })
    isDotted = writing.choosesKeys || writing.csv.nestsDottedColumns
  }

  /// Returns a report that leaves out the losses of values that are not written.
  func report(to losses: LossReport) -> LossReport {
    LossReport(forwardingTo: losses) { loss in contain(loss.path) }
  }

  /// Returns true if the value at a path is a row, is in a column, or has parts that are columns.
  func contain(_ path: ValuePath) -> Bool {
    var steps = path.steps[...]
    if case .index? = steps.first { steps.removeFirst() }
    guard case .key(var name)? = steps.popFirst() else { return true }
    guard isDotted else { return names.contains(ExactString(name)) }
    while !names.contains(ExactString(name)) {
      guard case .key(let key)? = steps.popFirst() else {
        let beginning = (name + ".").utf8
        return names.contains { $0.string.utf8.starts(with: beginning) }
      }
      name += "." + key
    }
    return true
  }
}
