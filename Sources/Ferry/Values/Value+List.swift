extension Value {
  /// The elements of a list, or of an object whose content is a list, or nil for other values.
  var listElements: [Value]? {
    switch self {
    case .array(let values), .set(let values): values
    case .object(let object): object.content.listElements
    default: nil
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
