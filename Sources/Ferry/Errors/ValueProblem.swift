/// A value that a format cannot represent.
public enum ValueProblem: Hashable, Sendable {
  /// A kind of value that the format cannot represent.
  case kind(String, format: String)
  /// An object of a typedstream, which the typed form of other formats cannot represent. The plain form can.
  case typedstreamObject
  /// An integer that is not between −2⁶³ and 2⁶⁴−1.
  case integerRange(String, format: String)
  /// An event in an invalid order.
  case misplaced(String)
}

extension ValueProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .kind(let kind, let format): "\(format) cannot hold \(kind)"
    case .typedstreamObject: Self.kind("an object of a typedstream", format: "the typed form").description
    case .integerRange(let number, let format): "\(format) cannot hold the integer \(number)"
    case .misplaced(let what): "\(what) comes where no value can begin or end"
    }
  }
}

extension ValueProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .kind, .typedstreamObject: "kind"
    case .integerRange: "integer-range"
    case .misplaced: "misplaced"
    }
  }
}
