/// A reader of the values of an archive as trees, one after the other, with the decoded forms of objects.
///
/// It counts the references in the archive once, and all of its values have one budget.
final class ArchivedValues {
  private let forms: ArchiveDecodedForms
  private let budget: Budget
  private var builder = ValueBuilder()
  /// The reader; nil before the first value, and after an error in the middle of a value.
  private var reader: ArchiveReader?
  /// The error of a value beyond the budget, after which there are no others.
  private var overBudget: FerryError?

  init(_ objects: ArchiveObjects, _ budget: Budget) {
    forms = ArchiveDecodedForms(of: objects, .standard, .all)
    self.budget = budget
  }

  /// Returns the value at a node.
  func value(at node: NodeID) throws(FerryError) -> Value {
    if let overBudget { throw overBudget }
    var current = reader.take() ?? ArchiveReader(forms, into: builder, sharing: .inFull, budget: budget)
    do throws(FerryError) {
      try current.read(from: node, isOneOfMany: true)
    } catch {
      builder = ValueBuilder()
      if case .overBudget = error.reason { overBudget = error }
      throw error
    }
    reader = consume current
    return try builder.take()
  }
}
