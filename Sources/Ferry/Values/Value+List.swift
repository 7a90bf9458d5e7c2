extension Value {
  /// The elements of a list, or of an object whose content is a list, or nil for other values.
  var listElements: [Value]? {
    switch self {
    case .array(let values), .set(let values): values
    case .object(let object): object.content.listElements
    default: nil
    }
  }

  /// Returns the value with the entry for a key replaced or added, if the value is a dictionary or an object
  /// whose content is one.
  func withEntry(_ key: String, _ value: Value) -> Value {
    switch self {
    case .dictionary(var entries):
      entries[key] = value
      return .dictionary(entries)
    case .object(var object):
      object.content = object.content.withEntry(key, value)
      return .object(object)
    default: return self
    }
  }

  /// Returns the list with its elements replaced.
  func withListElements(_ elements: [Value]) -> Value {
    switch self {
    case .array: return .array(elements)
    case .set: return .set(elements)
    case .object(var object):
      object.content = object.content.withListElements(elements)
      return .object(object)
    default: return self
    }
  }
}
