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

extension PropertyListNodes {
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline {
    switch try kind(of: node) {
    case .array(let count): .array(count: count)
    case .set(let count): .set(count: count)
    case .dictionary(let count): .dictionary(count: count)
    case .boolean(let value): .boolean(value)
    case .uid(let object): .uid(object)
    case .string: .scalar(.string, length: try length(of: node))
    case .data: .scalar(.data, length: try length(of: node))
    case let kind: .scalar(kind.ofScalar, length: 0)
    }
  }
}
