/// A filter whose operands have been read, for the test of many elements.
struct FilterTest {
  /// A condition whose operand has been read.
  struct Condition {
    let path: [ValuePath.Step]
    let comparison: ValuePath.Comparison
    let operand: FilterOperand

    /// Returns true if the condition is true for an element.
    func isMet<Tree: FilterableTree>(
      by element: Tree.FilteredPart, in tree: Tree
    ) throws(FerryError) -> Bool {
      // An element without the value does not have the operand as its value.
      let isUnequal = comparison == .notEqual
      for part in try tree.filteredParts(at: path, from: element) {
        guard let scalar = try tree.filteredScalar(of: part) else { continue }
        if operand.isMet(by: scalar, isUnequal ? .equal : comparison) { return !isUnequal }
      }
      return isUnequal
    }
  }

  let conditions: [Condition]

  init(_ filter: ValuePath.Filter) {
    conditions = filter.conditions.map { condition in
      Condition(
        path: condition.path.steps, comparison: condition.comparison,
        operand: FilterOperand(condition.operand))
    }
  }

  /// Returns true if an element meets all conditions.
  func accepts<Tree: FilterableTree>(_ element: Tree.FilteredPart, in tree: Tree) throws(FerryError) -> Bool {
    for condition in conditions where try !condition.isMet(by: element, in: tree) { return false }
    return true
  }
}
