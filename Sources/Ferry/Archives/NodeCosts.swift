/// The costs of the values in a binary file, which budgets limit.
struct NodeCosts: Sendable {
  /// The cost of the values, measured like `ExpandedWeight`.
  var values = 0
  /// The number of bytes of the names of classes.
  var names = 0
}

/// A check of the costs of all ranges of elements in a file. One thread throws an error if the sum exceeds a budget.
struct NodeCostCheck {
  private let file: BinaryPropertyList
  private let mostValues: Int
  /// The largest number of bytes of the names of classes; nil for a property list, which has none.
  private let mostNames: Int?
  private var sum = NodeCosts()
  /// True if the cost of all values is known to be below the limit, or if their sum is compared with it.
  private var isWeighed: Bool

  /// Creates a check for a file.
  ///
  /// - Parameters:
  ///   - archive: The file as an archive; nil for another property list.
  ///   - budget: The limits on the cost of the values that are sent.
  init(_ file: BinaryPropertyList, _ archive: ArchiveObjects?, _ budget: Budget) {
    self.file = file
    mostValues = budget.allowance(forInputBytes: file.byteCount)
    mostNames = archive?.roomForNames
    isWeighed = archive != nil
  }

  /// Adds the costs of a range. Returns false if one thread may throw an error, or send references to values.
  mutating func add(_ costs: NodeCosts) -> Bool {
    (sum.values, sum.names) = (sum.values.addingClamped(costs.values), sum.names.addingClamped(costs.names))
    guard sum.values <= mostValues, sum.names <= mostNames ?? .max else { return false }
    guard !isWeighed, sum.values > file.weightWithoutSharing else { return true }
    isWeighed = true
    var weight = ExpandedWeight(file, limit: mostValues)
    return (try? weight.exceedsLimit(file.root)) == false
  }
}
