/// The documents in the data of two versions of a value, which are opened to be compared with a document, or with a value, in the other
/// version.
struct ComparedData {
  /// An error of a document in one of the versions.
  enum Failure {
    case old(FerryError)
    case new(FerryError)
  }

  /// The documents in data of both versions.
  typealias Documents = (old: DataOpener.NestedValue, new: DataOpener.NestedValue)

  /// The values of the documents in the data of both versions.
  typealias Expansions = (old: DataExpansion, new: DataExpansion)

  /// A search for data that other values replace.
  enum ReplacementSearch {
    /// Each removed element of a list with data counts as replaced by the added ones, because the new version has no data.
    case allData
    /// A removed element of a list counts as replaced if an added one has the value of a document in its data.
    case documents
  }

  /// The values of the documents in data that the other version has as another kind of value.
  let expansions: Expansions
  /// True if the order of keys in the documents matters.
  let ordersKeys: Bool
  /// The search for data that other values replace; nil to find none.
  let replacements: ReplacementSearch?
  /// The limits on the cost of the documents of each version.
  let budget: Budget
  /// True to compare two documents by their values, and not by their bytes.
  private let opensPairs: Bool
  private let openers: Openers
  private var remainingLevels: Int
  /// The paths of the data that contains the values.
  private var oldPath = ValuePath()
  private var newPath = ValuePath()

  private final class Openers {
    let old, new: DataOpener
    var failure: Failure?

    init(budget: Budget, asStored: Bool) {
      old = DataOpener(budget: budget, asStored: asStored)
      new = DataOpener(budget: budget, asStored: asStored)
    }
  }

  /// - Parameters:
  ///   - budget: The limits on the cost of the documents of each version.
  ///   - asStored: True to compare archives as their raw property lists.
  ///   - ordersKeys: True if the order of keys in the documents matters.
  ///   - opensPairs: True to compare two documents by their values, and not by their bytes.
  ///   - expansions: The values of the documents in data that the other version has as another kind of value.
  ///   - replacements: The search for data that other values replace; nil to find none.
  init(
    budget: Budget, asStored: Bool, ordersKeys: Bool, opensPairs: Bool, expansions: Expansions,
    replacements: ReplacementSearch? = nil
  ) {
    (openers, self.ordersKeys) = (Openers(budget: budget, asStored: asStored), ordersKeys)
    self.replacements = replacements
    (self.budget, self.opensPairs, self.expansions) = (budget, opensPairs, expansions)
    remainingLevels = budget.nesting
  }

  /// The error of a document that exceeds the budget. After it, no data is opened.
  var failure: Failure? { openers.failure }

  /// The numbers of keys that occur twice in one dictionary, in the documents that were compared with documents.
  var repeatedKeys: (old: Int, new: Int) { (openers.old.repeatedKeyCount, openers.new.repeatedKeyCount) }

  /// Returns the documents in two data values. Returns nil unless both have a document, and of the same kind.
  ///
  /// - Parameter paths: The paths of the data in both versions.
  func documents(
    in old: [UInt8], _ new: [UInt8], at paths: (old: ValuePath, new: ValuePath)
  ) -> Documents? {
    guard opensPairs, remainingLevels > 0,
      let before = document(in: old, openers.old, at: oldPath.appending(paths.old.steps[...]), Failure.old),
      let after = document(in: new, openers.new, at: newPath.appending(paths.new.steps[...]), Failure.new),
      before.kind == after.kind
    else { return nil }
    return (before, after)
  }

  /// Returns true if added values have the values of documents in removed data, which may have changed.
  ///
  /// - Parameter paths: The paths of the values in both versions.
  func areDocumentsReplaced(
    in removed: [Value], by added: [Value], at paths: (old: ValuePath, new: ValuePath)
  ) -> Bool {
    guard remainingLevels > 0 else { return false }
    let (old, new) = (oldPath.appending(paths.old.steps[...]), newPath.appending(paths.new.steps[...]))
    var counts = DocumentCounts()
    for value in removed {
      counts.remove(value) { document(in: $0, openers.old, at: old, Failure.old)?.value }
    }
    guard !counts.isEmpty else { return false }
    for value in added { counts.add(value) { document(in: $0, openers.new, at: new, Failure.new)?.value } }
    return counts.areReplaced
  }

  /// Returns the value of the document in data of the old version; nil if it has no document.
  ///
  /// - Parameter other: The value in the new version, which is not data.
  func value(inOld data: [UInt8], besides other: Value) -> Value? {
    value(in: data, expansions.old, besides: other, Failure.old)
  }

  /// Returns the value of the document in data of the new version; nil if it has no document.
  ///
  /// - Parameter other: The value in the old version, which is not data.
  func value(inNew data: [UInt8], besides other: Value) -> Value? {
    value(in: data, expansions.new, besides: other, Failure.new)
  }

  /// Returns the value of the document in the data of one version. If the values are missing because of an error, notes the error when a
  /// document is compared with a collection or an object.
  private func value(
    in data: [UInt8], _ expansion: DataExpansion, besides other: Value, _ failure: (FerryError) -> Failure
  ) -> Value? {
    if openers.failure == nil, other.isCollectionOrObject, let error = expansion.failure,
      NestedData(data, budget: budget) != nil
    {
      openers.failure = failure(error)
    }
    return expansion.values[data]
  }

  /// Returns the document in the data of one version. An error gets the path of the data in the whole value.
  private func document(
    in bytes: [UInt8], _ opener: DataOpener, at path: ValuePath, _ failure: (FerryError) -> Failure
  ) -> DataOpener.NestedValue? {
    guard openers.failure == nil else { return nil }
    do throws(FerryError) { return try opener.document(in: bytes) } catch {
      // The source location is one in the document.
      openers.failure = failure(FerryError(error.reason, path: path.appending(error.path.steps[...])))
      return nil
    }
  }

  /// Returns the data in the documents at two paths.
  func inside(_ paths: (old: ValuePath, new: ValuePath)) -> ComparedData {
    var inner = self
    inner.remainingLevels -= 1
    inner.oldPath.steps += paths.old.steps
    inner.newPath.steps += paths.new.steps
    return inner
  }
}
