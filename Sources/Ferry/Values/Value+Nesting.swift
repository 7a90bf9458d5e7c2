extension Value {
  /// Returns true if collections in the value are nested more than `limit` levels deep. A scalar has no level, and `[1]` has one.
  func isNested(deeperThan limit: Int) -> Bool {
    var depth = 0
    var level = [self].filter(\.isLevel)
    while !level.isEmpty {
      depth += 1
      if depth > limit { return true }
      level = level.flatMap(\.nestedValues).filter(\.isLevel)
    }
    return false
  }

  /// True for a collection or an object, in which other values may be nested.
  private var isLevel: Bool { if case .object = self { true } else { isCollection } }

  /// The elements of an array or a set, the keys and values of a dictionary, or those of an object's content.
  private var nestedValues: [Value] {
    switch self {
    case .array(let values), .set(let values): values
    case .dictionary(let entries): entries.flatMap { [$0.key, $0.value] }
    case .object(let object):
      if case .object = object.content { [object.content] } else { object.content.nestedValues }
    default: []
    }
  }
}
