/// The kind of a node with no more than a walk over all nodes needs: without the value of a number or a date, which takes longer to read.
enum NodeOutline {
  case array(count: Int)
  case set(count: Int)
  case dictionary(count: Int)
  case boolean(Bool)
  case uid(UInt64)
  /// Another scalar, with the length of a string or data.
  case scalar(ScalarKind, length: Int)
}

/// The kind of a scalar that may share an object with equal scalars.
enum ScalarKind {
  case null, string, data, date, integer, real
  /// A decimal stored as text.
  case text
}

extension NodeKind {
  /// The kind of a scalar.
  var ofScalar: ScalarKind {
    switch self {
    case .null: .null
    case .string: .string
    case .data: .data
    case .date: .date
    case .integer: .integer
    case .number: .text
    default: .real
    }
  }
}

extension NodeOutline {
  /// - Parameter length: The length of a string or data.
  @inline(__always)
  init(_ kind: NodeKind, length: @autoclosure () throws(FerryError) -> Int) throws(FerryError) {
    switch kind {
    case .array(let count): self = .array(count: count)
    case .set(let count): self = .set(count: count)
    case .dictionary(let count): self = .dictionary(count: count)
    case .boolean(let value): self = .boolean(value)
    case .uid(let object): self = .uid(object)
    case .string, .data: self = .scalar(kind.ofScalar, length: try length())
    default: self = .scalar(kind.ofScalar, length: 0)
    }
  }
}

extension PropertyListNodes {
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline {
    try NodeOutline(kind(of: node), length: length(of: node))
  }
}
