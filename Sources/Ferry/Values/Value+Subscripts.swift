extension Value {
  /// Accesses the value for a key of a dictionary, or of an object whose content is one. Nil if there is none.
  ///
  ///     var person: Value = ["first": "Ada", "age": 36]
  ///     person["age"] = 37
  ///     person["title"] = "Countess"       // a new entry, at the end
  ///     person["first"] = nil              // removes the entry
  ///     person["title"]?.stringValue       // "Countess"
  ///
  /// An assignment to `null` makes it a dictionary. An assignment to any other value that has no keys has no effect;
  /// `set(_:at:)` throws an error instead.
  public subscript(key: String) -> Value? {
    get {
      switch self {
      case .dictionary(let entries): entries[key]
      case .object(let object): object.content[key]
      default: nil
      }
    }
    set {
      switch self {
      case .dictionary(var entries):
        self = .null  // `entries` is then the only owner of its storage, which is changed without a copy.
        entries[key] = newValue
        self = .dictionary(entries)
      case .object(var object):
        self = .null
        object.content[key] = newValue
        self = .object(object)
      case .null:
        if let newValue { self = [key: newValue] }
      default: break
      }
    }
  }

  /// Accesses the element at an index of an array or a set, or of an object whose content is one. Nil if there is none.
  ///
  ///     var list: Value = ["a", "b"]
  ///     list[0] = "A"
  ///     list[2] = "c"       // appends, because the list has two elements
  ///     list[1] = nil       // removes the element: ["A", "c"]
  ///
  /// An assignment to the index after the last element appends an element. An assignment to any other index without an element has
  /// no effect; `set(_:at:)` throws an error instead.
  public subscript(index: Int) -> Value? {
    get { listElements.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
    set {
      switch self {
      case .array(var elements):
        self = .null
        elements.assign(newValue, at: index)
        self = .array(elements)
      case .set(var elements):
        self = .null
        elements.assign(newValue, at: index)
        self = .set(elements)
      case .object(var object):
        self = .null
        object.content[index] = newValue
        self = .object(object)
      default: break
      }
    }
  }
}

extension [Value] {
  fileprivate mutating func assign(_ value: Value?, at index: Int) {
    switch value {
    case let value? where index == count: append(value)
    case let value? where indices.contains(index): self[index] = value
    case nil where indices.contains(index): remove(at: index)
    default: break
    }
  }
}
