/// A meter of the namespaces that are sent with elements. Some conventions give each element all namespaces in scope, with which a small document
/// would become a large value.
final class NamespaceMeter {
  private let budget: Budget
  /// The number of bytes of the document that have been read.
  var inputBytes = 0
  private var sentBytes = 0

  init(_ budget: Budget) { self.budget = budget }

  /// Counts the namespaces that are sent with an element, by prefix.
  ///
  /// - Throws: An error if all namespaces so far are much larger than the document.
  func add(_ namespaces: [(prefix: String, namespace: [UInt8])]) throws(FerryError) {
    for (prefix, namespace) in namespaces { try add(prefix.utf8.count + namespace.count) }
  }

  /// Counts a namespace by the number of bytes of its declaration.
  func add(_ bytes: Int) throws(FerryError) {
    sentBytes += bytes + Budget.valueCost
    guard sentBytes <= budget.allowance(forInputBytes: inputBytes) else { throw budget.overAmplification }
  }
}
