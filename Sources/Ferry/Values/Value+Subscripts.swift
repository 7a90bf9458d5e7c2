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
    // A nested assignment changes the part in place: a setter would copy each collection on the way.
    _modify {
      var part = take(key)
      defer { assign(part, key) }
      yield &part
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
    _modify {
      var part = take(index)
      defer { assign(part, index) }
      yield &part
    }
  }

  /// Moves the value for a key out of the collection, in which a null holds its place.
  mutating func take(_ key: String) -> Value? {
    change { content in
      guard case .dictionary(var entries) = content, let part = entries[key] else { return nil }
      content = .null  // `entries` is then the only owner of its storage, which is changed without a copy.
      entries[key] = .null
      content = .dictionary(entries)
      return part
    }
  }

  /// Moves the element at an index out of the collection, in which a null holds its place.
  mutating func take(_ index: Int) -> Value? {
    change { content in
      content.changeElements { elements in
        guard elements.indices.contains(index) else { return nil }
        let part = elements[index]
        elements[index] = .null
        return part
      } ?? nil
    }
  }

  /// Sets, adds or removes the value for a key.
  mutating func assign(_ part: Value?, _ key: String) {
    change { content in
      switch content {
      case .dictionary(var entries):
        content = .null
        entries[key] = part
        content = .dictionary(entries)
      case .null:
        if let part { content = [key: part] }
      default: break
      }
    }
  }

  /// Sets, appends or removes the element at an index.
  mutating func assign(_ part: Value?, _ index: Int) {
    change { content in content.changeElements { $0.assign(part, at: index) } }
  }

  /// Changes the value, or the content of an object, in place.
  private mutating func change<R>(_ body: (inout Value) -> R) -> R {
    guard case .object(var object) = self else { return body(&self) }
    self = .null
    defer { self = .object(object) }
    return object.content.change(body)
  }

  /// Changes the elements of an array or a set in place. Returns nil for other values.
  private mutating func changeElements<R>(_ body: (inout [Value]) -> R) -> R? {
    switch self {
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      return body(&elements)
    case .set(var elements):
      self = .null
      defer { self = .set(elements) }
      return body(&elements)
    default: return nil
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
