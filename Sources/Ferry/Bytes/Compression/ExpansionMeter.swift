/// A meter of the expansion of compressed data, which all layers of an input share.
final class ExpansionMeter {
  let budget: Budget
  /// The size of the compressed input, or nil if it is not known in advance.
  private let size: Int?
  /// The number of bytes that the outermost layer has consumed.
  private var consumed = 0

  init(_ budget: Budget, size: Int?) { (self.budget, self.size) = (budget, size) }

  /// Notes the number of bytes that the outermost layer has consumed.
  func note(consumed: Int) { self.consumed = consumed }

  /// Throws if a layer has produced more than the input may expand to.
  func check(produced: Int) throws(FerryError) {
    guard produced > budget.allowance(forInputBytes: size ?? consumed) else { return }
    throw budget.overAmplification
  }
}
