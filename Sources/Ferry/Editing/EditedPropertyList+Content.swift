extension EditedPropertyList {
  /// The content of a changed or new node.
  enum Content {
    /// A scalar without text or data: null, a boolean, an integer, a real, a date or a reference.
    case scalar(NodeKind)
    case text([UInt8], isASCII: Bool, hasSurrogates: Bool)
    case number([UInt8])
    case data([UInt8])
    case array([NodeID])
    case set([NodeID])
    case dictionary(keys: [NodeID], values: [NodeID])

    /// The number of bytes that the text or data of a scalar takes; 0 for other contents.
    var scalarBytes: Int {
      switch self {
      case .text(let bytes, _, _), .number(let bytes), .data(let bytes): bytes.count
      case .scalar, .array, .set, .dictionary: 0
      }
    }
  }
}

extension EditedPropertyList.Content {
  /// Returns the content, and leaves null. The arrays of the content then have one reference, and can be changed in place.
  mutating func take() -> Self {
    let content = self
    self = .scalar(.null)
    return content
  }

  /// Changes the elements of an array or a set. Does nothing for other contents.
  mutating func changeElements(_ body: (inout [NodeID]) -> Void) {
    guard var elements = takeElements() else { return }
    body(&elements)
    if case .set = self { self = .set(elements) } else { self = .array(elements) }
  }

  /// Changes the keys and values of a dictionary. Does nothing for other contents.
  mutating func changeEntries(_ body: (inout [NodeID], inout [NodeID]) -> Void) {
    guard var (keys, values) = takeEntries() else { return }
    body(&keys, &values)
    self = .dictionary(keys: keys, values: values)
  }

  // An array that is bound and changed in one `switch` is copied: these functions return it without another reference.

  /// Returns the elements of an array or a set, and leaves an empty one.
  private mutating func takeElements() -> [NodeID]? {
    switch self {
    case .array(let elements):
      self = .array([])
      return elements
    case .set(let elements):
      self = .set([])
      return elements
    default: return nil
    }
  }

  /// Returns the keys and values of a dictionary, and leaves an empty one.
  private mutating func takeEntries() -> (keys: [NodeID], values: [NodeID])? {
    guard case .dictionary(let keys, let values) = self else { return nil }
    self = .dictionary(keys: [], values: [])
    return (keys, values)
  }
}
