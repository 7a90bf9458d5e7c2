/// The kind of a node, with the value of a scalar except for text and data.
enum NodeKind: Hashable {
  case null
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case single(Float)
  /// A decimal stored as text, which `withText` returns.
  case number
  case string
  case data
  case date(Double)
  case uid(UInt64)
  case array(count: Int)
  case set(count: Int)
  case dictionary(count: Int)
}

extension NodeKind {
  /// The name of the kind with an article, for messages: "a string", "an array".
  var name: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real, .single: "a real number"
    case .number: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uid: "a reference of an archive"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }

  /// A hash of a scalar without text or data.
  var hashOfNumber: UInt64 {
    switch self {
    case .null: WordHash.hash(of: 1)
    case .boolean(let value): WordHash.hash(of: value ? 2 : 3)
    case .integer(let value):
      WordHash.hash(of: UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64))
    case .real(let value), .date(let value): WordHash.hash(of: value.bitPattern)
    case .single(let value): WordHash.hash(of: UInt64(value.bitPattern))
    case .uid(let number): WordHash.hash(of: number, 4)
    case .string, .number, .data, .array, .set, .dictionary: 0
    }
  }

  /// Returns true if the kinds and their bits are equal. A NaN equals itself.
  func isSameScalar(as other: NodeKind) -> Bool {
    switch (self, other) {
    case (.real(let a), .real(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.single(let a), .single(let b)): a.bitPattern == b.bitPattern
    default: self == other
    }
  }
}
