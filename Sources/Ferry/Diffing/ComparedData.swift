/// The documents in the data of two versions of a value, which are opened to be compared.
struct ComparedData {
  /// An error of a document in one of the versions.
  enum Failure {
    case old(FerryError)
    case new(FerryError)
  }

  /// The documents in data of both versions.
  typealias Documents = (old: DataOpener.NestedValue, new: DataOpener.NestedValue)

  /// True if the order of keys in the documents matters.
  let ordersKeys: Bool
  /// The limits on the cost of the documents of each version.
  let budget: Budget
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
  init(budget: Budget, asStored: Bool, ordersKeys: Bool) {
    (openers, self.ordersKeys) = (Openers(budget: budget, asStored: asStored), ordersKeys)
    self.budget = budget
    remainingLevels = budget.nesting
  }

  /// The error of a document that exceeds the budget. After it, no data is opened.
  var failure: Failure? { openers.failure }

  /// Returns the documents in two data values. Returns nil unless both have a document, and of the same kind.
  ///
  /// - Parameter paths: The paths of the data in both versions.
  func documents(
    in old: [UInt8], _ new: [UInt8], at paths: (old: ValuePath, new: ValuePath)
  ) -> Documents? {
    guard remainingLevels > 0, openers.failure == nil else { return nil }
    let before: DataOpener.NestedValue
    do throws(FerryError) {
      guard let document = try openers.old.document(in: old) else { return nil }
      before = document
    } catch {
      openers.failure = .old(Self.failure(error, of: oldPath, paths.old))
      return nil
    }
    do throws(FerryError) {
      guard let after = try openers.new.document(in: new), after.kind == before.kind else { return nil }
      return (before, after)
    } catch {
      openers.failure = .new(Self.failure(error, of: newPath, paths.new))
      return nil
    }
  }

  /// Returns the error of a document with its path in the whole value. Its source location is one in the document.
  private static func failure(_ error: FerryError, of outer: ValuePath, _ path: ValuePath) -> FerryError {
    var failure = error
    failure.path.steps = outer.steps + path.steps + error.path.steps
    failure.location = InputLocation()
    return failure
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
