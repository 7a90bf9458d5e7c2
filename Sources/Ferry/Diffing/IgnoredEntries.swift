/// A copy of a value without the entries that a comparison leaves out.
///
///     {owner: Person #4 {name: "Ada", updated: "May 1"}, updated: "May 2", list: [→ #4]}
///     {owner: Person #4 {name: "Ada"}, list: [→ #4]}                                          without the key updated
///     {updated: "May 2", list: [Person #4 {name: "Ada", updated: "May 1"}]}                   without the path owner
///
/// Only entries of dictionaries are left out, so that the other values keep their paths. If the first reference to an object is left out, the
/// object is at the next one.
struct IgnoredEntries {
  /// The first steps of a path, which lead to a value.
  private struct Beginning: Hashable {
    /// The index in `values`.
    let index: Int
    let stepCount: Int
  }

  private let values: [IgnoredDifferences.Values]
  /// False if the copy has all entries, and the values to leave out are only noted.
  private let leavesOut: Bool
  /// The indices of the keys in `values`.
  private var keys: [ExactString: [Int]] = [:]
  /// The shared objects of the value, by number.
  private let objects: [Int: ObjectValue]
  /// The beginnings of paths that lead to each shared object.
  private var beginnings: [Int: Set<Beginning>] = [:]
  /// The shared objects that the copy has.
  private var copied: Set<Int> = []
  /// The indices in `values` of those that were found.
  private(set) var used: Set<Int> = []

  /// Prepares a copy of a value.
  init(_ ignored: IgnoredDifferences, in value: Value, leavesOut: Bool = true) {
    (values, objects, self.leavesOut) = (ignored.values, value.sharedObjects, leavesOut)
    for (index, values) in values.enumerated() {
      if case .key(let key) = values { keys[ExactString(key), default: []].append(index) }
    }
    if !objects.isEmpty { find(value, start) }
  }

  /// The beginnings of the paths at the root.
  private var start: Set<Beginning> {
    var found: Set<Beginning> = []
    for (index, values) in values.enumerated() {
      if case .path = values { found.insert(Beginning(index: index, stepCount: 0)) }
    }
    return found
  }

  // MARK: Paths

  private func steps(_ index: Int) -> [ValuePath.Step] {
    if case .path(let path) = values[index] { path.steps } else { [] }
  }

  /// Returns the beginnings that are one step longer, and lead to a value whose step in its collection the function selects.
  private func next(_ all: Set<Beginning>, _ selects: (ValuePath.Step) -> Bool) -> Set<Beginning> {
    guard !all.isEmpty else { return all }
    var found: Set<Beginning> = []
    for beginning in all {
      let steps = steps(beginning.index)
      guard beginning.stepCount < steps.count - 1, selects(steps[beginning.stepCount]) else { continue }
      found.insert(Beginning(index: beginning.index, stepCount: beginning.stepCount + 1))
    }
    return found
  }

  private func next(_ all: Set<Beginning>, key: String?) -> Set<Beginning> {
    next(all) { step in
      switch step {
      case .key(let name): key.map(name.equals) ?? false
      case .slice(nil, nil): true
      default: false
      }
    }
  }

  private func next(
    _ all: Set<Beginning>, element: Value, at index: Int, of count: Int
  ) -> Set<Beginning> {
    next(all) { step in
      switch step {
      case .index(let wanted): (wanted < 0 ? wanted + count : wanted) == index
      case .slice(let from, let to):
        ValuePath.elementIndices(from: from, to: to, count: count).contains(index)
      case .end: true
      case .key(let name): Int(name) == index
      case .filter(let filter): FilterTest(filter).accepts(element, objects: objects)
      }
    }
  }

  /// Returns the name of a key in a path. A key of YAML that is a number, for example, has its text as its name, unless another key is this
  /// text.
  private func name(of key: Value, in entries: KeyedValues) -> String? {
    if let name = entries.pathText(of: key) { return name }
    guard key.pathText == nil, let text = key.plainText, entries[text] == nil else { return nil }
    return text
  }

  /// Returns the entries of a dictionary or an object, or nil for another value.
  private func entries(of value: Value) -> KeyedValues? {
    var value = value
    if case .reference(let number) = value, let object = objects[number] { value = .object(object) }
    while case .object(let object) = value { value = object.content }
    if case .dictionary(let entries) = value { return entries } else { return nil }
  }

  /// Finds the beginnings of paths that lead to the shared objects in a value.
  private mutating func find(_ value: Value, _ all: Set<Beginning>) {
    guard !all.isEmpty else { return }
    switch value {
    case .array(let elements), .set(let elements):
      for (index, element) in elements.enumerated() {
        find(element, next(all, element: element, at: index, of: elements.count))
      }
    case .dictionary(let entries):
      for (key, value) in entries { find(value, next(all, key: name(of: key, in: entries))) }
    case .object(let object):
      guard let number = object.identity else { return find(object.content, all) }
      find(objectWith: number, all)
    case .reference(let number): find(objectWith: number, all)
    default: break
    }
  }

  private mutating func find(objectWith number: Int, _ all: Set<Beginning>) {
    let new = all.subtracting(beginnings[number] ?? [])
    guard !new.isEmpty, let object = objects[number] else { return }
    beginnings[number, default: []].formUnion(new)
    find(object.content, new)
  }

  // MARK: Copying

  /// Returns the copy.
  mutating func copy(_ value: Value) -> Value { copy(value, start) }

  /// - Parameter all: The beginnings of paths that lead to the value.
  private mutating func copy(_ value: Value, _ all: Set<Beginning>) -> Value {
    switch value {
    case .array(let elements): return .array(copy(elements, all))
    case .set(let elements): return .set(copy(elements, all))
    case .dictionary(let entries):
      var kept = KeyedValues(minimumCapacity: entries.count)
      for (key, value) in entries {
        let name = name(of: key, in: entries)
        if let name, isIgnored(name, all), leavesOut { continue }
        kept[copy(key, [])] = copy(value, next(all, key: name))
      }
      return .dictionary(kept)
    case .object(let object): return copy(object, all)
    case .reference(let number):
      guard !copied.contains(number), let object = objects[number] else { return value }
      return copy(object, all)
    default: return value
    }
  }

  private mutating func copy(_ elements: [Value], _ all: Set<Beginning>) -> [Value] {
    var copies: [Value] = []
    copies.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      copies.append(copy(element, next(all, element: element, at: index, of: elements.count)))
    }
    return copies
  }

  private mutating func copy(_ object: ObjectValue, _ all: Set<Beginning>) -> Value {
    var (object, all) = (object, all)
    if let number = object.identity {
      guard copied.insert(number).inserted else { return .reference(number) }
      all = beginnings[number] ?? []
    }
    object.content = copy(object.content, all)
    return .object(object)
  }

  /// Returns true if the entry with a key is one of the values, and notes all that it is.
  private mutating func isIgnored(_ key: String, _ all: Set<Beginning>) -> Bool {
    var isFound = false
    if let indices = keys[ExactString(key)] {
      used.formUnion(indices)
      isFound = true
    }
    for beginning in all {
      let steps = steps(beginning.index)
      guard beginning.stepCount == steps.count - 1, case .key(let name)? = steps.last, name.equals(key)
      else { continue }
      used.insert(beginning.index)
      isFound = true
    }
    return isFound
  }
}
