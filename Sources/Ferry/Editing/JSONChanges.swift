/// The changes of the parts of a value that turn the JSON that `get` prints for it into other JSON, in the order in
/// which they are made.
///
///     {"name": "Ada", "pets": ["Rex", "Tom"]}     →     {"name": "Ada", "pets": ["Rex"], "age": 3}
///     remove pets[1], insert age
struct JSONChanges {
  enum Change {
    case set(Value)
    case insert(Value)
    case remove
    /// Moves the elements of a list: the element at each index comes from an index.
    case order([Int])
  }

  /// A change, and the objects around it that are parts of the value, the outermost first.
  struct Located {
    var change: Change
    var path: ValuePath
    var objects: [PartObject]
  }

  /// An object with its new value as JSON.
  struct PartObject {
    var path: ValuePath
    var json: Value
  }

  private(set) var all: [Located] = []
  /// The objects around the value that is compared.
  private var objects: [PartObject] = []

  private mutating func add(_ change: Change, at path: ValuePath) {
    all.append(Located(change: change, path: path, objects: objects))
  }

  /// Adds the changes of a value. Returns false if its parts cannot be told apart.
  mutating func compare(_ old: Value, shown: Value, with json: Value, at path: ValuePath) -> Bool {
    if shown == json { return true }
    var content = old
    if case .object(let object) = old {
      content = object.content
      objects.append(PartObject(path: path, json: json))
    }
    defer { if case .object = old { objects.removeLast() } }
    switch (content, shown, json) {
    case (.dictionary(let entries), .dictionary(let known), .dictionary(let new))
    where !known.hasTags && !new.hasTags && entries.count == known.count:
      return compare(entries, shown: known, with: new, at: path)
    case (.array(let elements), .array(let known), .array(let new)) where elements.count == known.count:
      return compare(elements, shown: known, with: new, at: path)
    default:
      add(.set(json), at: path)
      return true
    }
  }

  private mutating func compare(
    _ old: KeyedValues, shown: KeyedValues, with new: KeyedValues, at path: ValuePath
  ) -> Bool {
    for ((key, known), value) in zip(shown, old.values) {
      guard case .string(let name) = key else { return false }
      guard let json = new[key] else { continue }
      guard compare(value, shown: known, with: json, at: path.appending(.key(name))) else { return false }
    }
    for key in shown.keys where new[key] == nil {
      guard case .string(let name) = key else { return false }
      add(.remove, at: path.appending(.key(name)))
    }
    for (key, json) in new where shown[key] == nil {
      guard case .string(let name) = key else { return false }
      add(.insert(json), at: path.appending(.key(name)))
    }
    return true
  }

  /// Moves elements to the order of their new values, and then changes them from the end of the list to its start, so
  /// that the smaller indices stay valid.
  private mutating func compare(
    _ old: [Value], shown: [Value], with new: [Value], at path: ValuePath
  ) -> Bool {
    var partners = ElementPartners(of: new, in: shown, old).indices
    let kept = partners.compactMap(\.self)
    guard zip(kept, kept.dropFirst()).allSatisfy(<) else {
      var order = Array(old.indices)
      for (slot, index) in zip(kept.sorted(), kept) { order[slot] = index }
      add(.order(order), at: path)
      let slots = Dictionary(uniqueKeysWithValues: zip(kept, kept.sorted()))
      partners = partners.map { $0.flatMap { slots[$0] } }
      return compare(order.map { old[$0] }, shown: order.map { shown[$0] }, with: new, partners, at: path)
    }
    return compare(old, shown: shown, with: new, partners, at: path)
  }

  private mutating func compare(
    _ old: [Value], shown: [Value], with new: [Value], _ partners: [Int?], at path: ValuePath
  ) -> Bool {
    var (end, isLast) = (old.count, true)
    for (json, partner) in zip(new, partners).reversed() {
      guard let partner else {
        add(.insert(json), at: path.appending(isLast ? .end : .index(end)))
        isLast = false
        continue
      }
      remove(partner + 1..<end, at: path)
      guard compare(old[partner], shown: shown[partner], with: json, at: path.appending(.index(partner)))
      else {
        return false
      }
      (end, isLast) = (partner, false)
    }
    remove(0..<end, at: path)
    return true
  }

  /// Returns true if a change replaces the value at a path.
  func replaces(_ path: ValuePath) -> Bool {
    all.contains { change in
      if case .set = change.change { change.path == path } else { false }
    }
  }

  private mutating func remove(_ range: Range<Int>, at path: ValuePath) {
    for index in range.reversed() { add(.remove, at: path.appending(.index(index))) }
  }
}

extension KeyedValues {
  /// True if a key begins with `$`, as those of tags such as `$date` do.
  fileprivate var hasTags: Bool {
    keys.contains { if case .string(let name) = $0 { name.utf8.first == UInt8(ascii: "$") } else { true } }
  }
}
