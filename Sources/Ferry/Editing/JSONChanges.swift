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
  /// The collections that the changes take away, with their paths before all changes, outer ones before their parts.
  private(set) var removed: [(json: Value, path: ValuePath)] = []
  /// The objects around the value that is compared.
  private var objects: [PartObject] = []

  private mutating func add(_ change: Change, at path: ValuePath) {
    all.append(Located(change: change, path: path, objects: objects))
  }

  /// Adds a change that takes a value away.
  private mutating func add(
    _ change: Change, at path: ValuePath, insteadOf shown: Value, at oldPath: ValuePath
  ) {
    add(change, at: path)
    addRemoved(shown, at: oldPath)
  }

  private mutating func addRemoved(_ shown: Value, at path: ValuePath) {
    guard shown.isFilledCollection else { return }
    removed.append((shown, path))
    switch shown {
    case .array(let elements), .set(let elements):
      for (index, element) in elements.enumerated() { addRemoved(element, at: path.appending(.index(index))) }
    case .dictionary(let entries):
      for (key, value) in entries {
        if case .string(let name) = key { addRemoved(value, at: path.appending(.key(name))) }
      }
    default: break
    }
  }

  /// Adds the changes of a value. Returns false if its parts cannot be told apart.
  mutating func compare(_ old: Value, shown: Value, with json: Value, at path: ValuePath) -> Bool {
    compare(old, shown: shown, with: json, at: path, from: path)
  }

  /// Adds the changes of a value, whose path was another before the changes that are made first.
  private mutating func compare(
    _ old: Value, shown: Value, with json: Value, at path: ValuePath, from oldPath: ValuePath
  ) -> Bool {
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
      return compare(entries, shown: known, with: new, at: path, from: oldPath)
    case (.array(let elements), .array(let known), .array(let new)) where elements.count == known.count:
      return compare(elements, shown: known, with: new, at: path, from: oldPath)
    default:
      add(.set(json), at: path, insteadOf: shown, at: oldPath)
      return true
    }
  }

  private mutating func compare(
    _ old: KeyedValues, shown: KeyedValues, with new: KeyedValues, at path: ValuePath, from oldPath: ValuePath
  ) -> Bool {
    for ((key, known), value) in zip(shown, old.values) {
      guard case .string(let name) = key else { return false }
      guard let json = new[key] else { continue }
      let step = ValuePath.Step.key(name)
      guard
        compare(value, shown: known, with: json, at: path.appending(step), from: oldPath.appending(step))
      else {
        return false
      }
    }
    for (key, value) in shown where new[key] == nil {
      guard case .string(let name) = key else { return false }
      let step = ValuePath.Step.key(name)
      add(.remove, at: path.appending(step), insteadOf: value, at: oldPath.appending(step))
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
    _ old: [Value], shown: [Value], with new: [Value], at path: ValuePath, from oldPath: ValuePath
  ) -> Bool {
    var partners = ElementPartners(of: new, in: shown, old).indices
    let kept = partners.compactMap(\.self)
    guard zip(kept, kept.dropFirst()).allSatisfy(<) else {
      var order = Array(old.indices)
      for (slot, index) in zip(kept.sorted(), kept) { order[slot] = index }
      add(.order(order), at: path)
      let slots = Dictionary(uniqueKeysWithValues: zip(kept, kept.sorted()))
      partners = partners.map { $0.flatMap { slots[$0] } }
      let parts = order.map { Part(old: old[$0], shown: shown[$0], oldPath: oldPath.appending(.index($0))) }
      return compare(parts, with: new, partners, at: path)
    }
    let parts = old.indices.map {
      Part(old: old[$0], shown: shown[$0], oldPath: oldPath.appending(.index($0)))
    }
    return compare(parts, with: new, partners, at: path)
  }

  /// An element of a list before the changes.
  private struct Part {
    var old: Value
    var shown: Value
    var oldPath: ValuePath
  }

  private mutating func compare(
    _ parts: [Part], with new: [Value], _ partners: [Int?], at path: ValuePath
  ) -> Bool {
    var (end, isLast) = (parts.count, true)
    for (json, partner) in zip(new, partners).reversed() {
      guard let partner else {
        add(.insert(json), at: path.appending(isLast ? .end : .index(end)))
        isLast = false
        continue
      }
      remove(parts, partner + 1..<end, at: path)
      let part = parts[partner]
      guard
        compare(
          part.old, shown: part.shown, with: json, at: path.appending(.index(partner)), from: part.oldPath)
      else {
        return false
      }
      (end, isLast) = (partner, false)
    }
    remove(parts, 0..<end, at: path)
    return true
  }

  /// Returns true if a change replaces the value at a path.
  func replaces(_ path: ValuePath) -> Bool {
    all.contains { change in
      if case .set = change.change { change.path == path } else { false }
    }
  }

  private mutating func remove(_ parts: [Part], _ range: Range<Int>, at path: ValuePath) {
    for index in range.reversed() {
      add(
        .remove, at: path.appending(.index(index)), insteadOf: parts[index].shown, at: parts[index].oldPath)
    }
  }

  // MARK: Moves

  /// The collections that the changes take away in one place and add in another, with their paths before all
  /// changes.
  var moves: [(json: Value, path: ValuePath)] {
    var places: [Value: [ValuePath]] = [:]
    for (json, path) in removed { places[json.sameInJSON, default: []].append(path) }
    var moves: [(json: Value, path: ValuePath)] = []
    var waiting: [Value] = []
    for change in all.reversed() {
      switch change.change {
      case .set(let json), .insert(let json): waiting.append(json)
      case .remove, .order: break
      }
    }
    while let json = waiting.popLast() {
      guard !places.isEmpty, json.isFilledCollection else { continue }
      let same = json.sameInJSON
      // A value does not move with another and also by itself.
      let place = places[same]?.firstIndex { path in !moves.contains { $0.path.isInLine(with: path) } }
      if let place, let path = places[same]?.remove(at: place) {
        moves.append((same, path))
      } else {
        waiting += json.parts.reversed()
      }
    }
    return moves
  }
}

extension KeyedValues {
  /// True if a key begins with `$`, as those of tags such as `$date` do.
  fileprivate var hasTags: Bool {
    keys.contains { if case .string(let name) = $0 { name.utf8.first == UInt8(ascii: "$") } else { true } }
  }
}

extension ValuePath {
  /// Returns true if one of two paths begins with the other.
  fileprivate func isInLine(with other: ValuePath) -> Bool {
    zip(steps, other.steps).allSatisfy(==)
  }
}
