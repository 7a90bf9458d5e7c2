/// A value that a format has no way to hold.
public enum ValueProblem: Hashable, Sendable {
  /// This kind of value, in this format.
  case kind(String, format: String)
  /// An integer beyond −2⁶³ … 2⁶⁴−1.
  case integerRange(String, format: String)
  /// Events in an order that makes no value; `what` names the event.
  case misplaced(String)
}

extension ValueProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .kind(let kind, let format): "\(format) cannot hold \(kind)"
    case .integerRange(let number, let format): "\(format) cannot hold the integer \(number)"
    case .misplaced(let what): "\(what) comes where no value can begin or end"
    }
  }
}
