/// A value that a format cannot represent.
public enum ValueProblem: Hashable, Sendable {
  /// A kind of value that the format does not have.
  case kind(String, format: String)
  /// An integer outside −2⁶³ … 2⁶⁴−1.
  case integerRange(String, format: String)
  /// Events in an invalid order; `what` names the event.
  case misplaced(String)
}

extension ValueProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .kind(let kind, let format): "\(format) cannot hold \(kind)"
    case .integerRange(let number, let format): "\(format) cannot hold the integer \(number)"
    case .misplaced(let what): "\(what) comes where no value can begin or end"
    }
  }
}

extension ValueProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .kind: "kind"
    case .integerRange: "integer-range"
    case .misplaced: "misplaced"
    }
  }
}
