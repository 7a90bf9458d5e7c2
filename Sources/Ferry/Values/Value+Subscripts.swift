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
      let key = Value.string(key)
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

  /// Returns the part at a path of keys and indices; nil if there is none.
  func part(at path: ArraySlice<ValuePath.Step>) -> Value? {
    switch path.first {
    case nil: self
    case .key(let key): self[key]?.part(at: path.dropFirst())
    case .index(let index): self[index]?.part(at: path.dropFirst())
    case .slice, .filter, .end: nil
    }
  }

  /// Moves the value for a key out of the collection, in which a null holds its place.
  mutating func take(_ key: Value) -> Value? {
    change { content in
      content.changeEntries { entries in
        guard let part = entries[key] else { return nil }
        entries[key] = .null
        return part
      } ?? nil
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
  mutating func assign(_ part: Value?, _ key: Value) {
    change { content in
      if case .null = content {
        if let part { content = .dictionary([key: part]) }
      } else {
        content.changeEntries { $0[key] = part }
      }
    }
  }

  /// Sets, appends or removes the element at an index.
  mutating func assign(_ part: Value?, _ index: Int) {
    change { content in content.changeElements { $0.assign(part, at: index) } }
  }

  /// Inserts an element before the one at an index of a list, or at its end.
  mutating func insertElement(_ element: Value, at index: Int) {
    change { content in content.changeElements { $0.insert(element, at: index) } }
  }

  /// Changes the value, or the content of an object, in place.
  private mutating func change<R>(_ body: (inout Value) -> R) -> R {
    guard var object = takeObject() else { return body(&self) }
    defer { self = .object(object) }
    return object.content.change(body)
  }

  /// Changes the entries of a dictionary in place. Returns nil for other values.
  private mutating func changeEntries<R>(_ body: (inout KeyedValues) -> R) -> R? {
    guard var entries = takeEntries() else { return nil }
    defer { self = .dictionary(entries) }
    return body(&entries)
  }

  /// Changes the elements of an array or a set in place. Returns nil for other values.
  private mutating func changeElements<R>(_ body: (inout [Value]) -> R) -> R? {
    guard case (var elements, let isSet)? = takeElements() else { return nil }
    defer { self = isSet ? .set(elements) : .array(elements) }
    return body(&elements)
  }

  // These functions move the contents out, and leave null in their place. They are not inlined: the value's own reference to a collection must
  // have ended before the collection is changed, which would otherwise copy it.

  @inline(never) private mutating func takeObject() -> ObjectValue? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  @inline(never) private mutating func takeEntries() -> KeyedValues? {
    guard case .dictionary(let entries) = self else { return nil }
    self = .null
    return entries
  }

  @inline(never) private mutating func takeElements() -> (elements: [Value], isSet: Bool)? {
    let isSet = if case .set = self { true } else { false }
    switch self {
    case .array(let elements), .set(let elements):
      self = .null
      return (elements, isSet)
    default: return nil
    }
  }
}

extension [Value] {
  fileprivate mutating func assign(_ value: Value?, at index: Int) {
    if let value {
      if index == count { append(value) } else if indices.contains(index) { self[index] = value }
    } else if indices.contains(index) {
      remove(at: index)
    }
  }
}
