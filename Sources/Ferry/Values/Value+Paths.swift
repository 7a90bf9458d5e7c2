// Parts of a value by path, in memory. `EditableFile` has the same functions for the values of a file.

extension Value {
  /// Accesses the part at a path. Nil if the path matches no part or several.
  ///
  ///     var value: Value = ["people": [["first": "Ada"]]]
  ///     value[path: "people[0].first"]             // .string("Ada")
  ///     value[path: "people[0].age"] = 36          // a new entry of an existing dictionary
  ///     value[path: "people[first=Ada]"] = nil     // removes the element
  ///
  /// An assignment sets the part, adds an entry with the last key of the path, or appends an element if the path ends with `[]` or the
  /// index after the last element. It has no effect if the path matches nothing else; `set(_:at:)` and `insert(_:at:)` throw an error instead.
  public subscript(path path: ValuePath) -> Value? {
    get { try? value(at: path) }
    set {
      // `try?`: an error means no effect, as documented.
      if let newValue {
        let isSet: Void? = try? set(newValue, at: path)
        if isSet == nil { try? insert(newValue, at: path) }
      } else {
        try? remove(at: path)
      }
    }
  }

  /// Returns the part at a path.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no part or several. The error's path is the part that
  ///   exists.
  public func value(at path: ValuePath) throws(FerryError) -> Value {
    var found = self
    for (index, step) in path.steps.enumerated() {
      do throws(FerryError) {
        switch try found.part(of: step) {
        case .entry(let key): found = found.dictionaryValue?[key] ?? .null
        case .element(let index): found = found[index] ?? .null
        }
      } catch {
        throw error.placed(path: ValuePath(Array(path.steps.prefix(index))))
      }
    }
    return found
  }

  /// Replaces the part at a path.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no part or several. The value is then unchanged.
  public mutating func set(_ value: Value, at path: ValuePath) throws(FerryError) {
    guard let last = path.steps.last else { return self = value }
    try change(path.steps.dropLast()) { parent throws(FerryError) in
      switch try parent.part(of: last) {
      case .entry(let key): parent.assign(value, key)
      case .element(let index): parent[index] = value
      }
    }
  }

  /// Inserts an element before the one at the path, or at the end (`items[]`). In a dictionary, adds an entry with a new key.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.exists` if the key exists, or another `PathProblem` if the path before the last
  ///   step matches no part or several. The value is then unchanged.
  public mutating func insert(_ value: Value, at path: ValuePath) throws(FerryError) {
    guard let last = path.steps.last else {
      throw FerryError(.path(.cannotInsert("a value has only one root")))
    }
    try change(path.steps.dropLast()) { parent throws(FerryError) in
      switch last {
      case .key(let key) where parent.elementCount == nil:
        guard try !parent.hasKey(key) else { throw FerryError(.path(.exists(key))) }
        parent.assign(value, Value(pathText: key))
      default:
        guard let count = parent.elementCount else { throw parent.noStep(last) }
        parent.insertElement(value, at: try parent.insertionIndex(of: last, count: count))
      }
    }
  }

  /// Removes the element or the entry at a path.
  ///
  /// - Throws: A `FerryError` with a `PathProblem` as its reason if the path matches no part or several, or if it is the root. The value is
  ///   then unchanged.
  public mutating func remove(at path: ValuePath) throws(FerryError) {
    guard let last = path.steps.last else { throw FerryError(.path(.isRoot)) }
    try change(path.steps.dropLast()) { parent throws(FerryError) in
      switch try parent.part(of: last) {
      case .entry(let key): parent.assign(nil, key)
      case .element(let index): parent[index] = nil
      }
    }
  }

  /// A part to which a step leads.
  private enum Part {
    case entry(Value)
    case element(Int)
  }

  /// Changes the part to which steps lead. The parts on the way are moved out of their collections and back, so that no
  /// collection is copied.
  private mutating func change(
    _ steps: ArraySlice<ValuePath.Step>, _ body: (inout Value) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard let step = steps.first else { return try body(&self) }
    let part = try part(of: step)
    var child = take(part)
    defer { put(child, part) }
    do throws(FerryError) {
      try child.change(steps.dropFirst(), body)
    } catch {
      throw error.placed(under: step)
    }
  }

  private mutating func take(_ part: Part) -> Value {
    switch part {
    case .entry(let key): take(key) ?? .null
    case .element(let index): take(index) ?? .null
    }
  }

  private mutating func put(_ value: Value, _ part: Part) {
    switch part {
    case .entry(let key): assign(value, key)
    case .element(let index): assign(value, index)
    }
  }

  /// Returns the existing part to which a step leads. It is not inlined: its references to the collection must have ended before a
  /// change, which would otherwise copy the collection.
  @inline(never) private func part(of step: ValuePath.Step) throws(FerryError) -> Part {
    switch step {
    case .slice: throw FerryError(.path(.severalValues))
    case .key(let key):
      if let elements = listElements, let index = step.indexInList {
        return .element(try ValuePath.elementIndex(index, count: elements.count))
      }
      guard let entries = dictionaryValue else { throw noStep(step) }
      if let key = entries.key(named: key) { return .entry(key) }
      throw FerryError(.path(.noKey(key, among: firstKeys, count: entries.count)))
    case .index(let index):
      guard let elements = listElements else { throw noStep(step) }
      return .element(try ValuePath.elementIndex(index, count: elements.count))
    case .filter(let filter):
      guard let elements = listElements else { throw noStep(step) }
      let test = FilterTest(filter)
      let found = elements.indices.filter { test.accepts(elements[$0]) }
      guard found.count == 1 else {
        throw FerryError(.path(.notOneElement(filter, count: found.count)))
      }
      return .element(found[0])
    case .end:
      guard listElements != nil else { throw noStep(step) }
      throw FerryError(.path(.afterLast))
    }
  }

  // Like `part(of:)`, these are not inlined: their references to the collection end before the change.

  /// The number of elements of a list; nil for other values.
  @inline(never) private var elementCount: Int? { listElements?.count }

  /// Returns true if a dictionary has a key.
  @inline(never) private func hasKey(_ key: String) throws(FerryError) -> Bool {
    guard let entries = dictionaryValue else { throw noStep(.key(key)) }
    return entries.key(named: key) != nil
  }

  private func insertionIndex(of step: ValuePath.Step, count: Int) throws(FerryError) -> Int {
    switch step {
    case .end: return count
    case .index(count), .key("\(count)"): return count
    default:
      guard case .element(let index) = try part(of: step) else { return count }
      return index
    }
  }

  private func noStep(_ step: ValuePath.Step) -> FerryError {
    FerryError(.path(.noStep(step.inWords, into: kindInWords)))
  }
}
