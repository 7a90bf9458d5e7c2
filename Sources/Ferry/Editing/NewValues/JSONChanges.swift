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
    /// The path that the new value had before all changes, if it moves.
    var source: ValuePath?
    /// True if the new value is another value that refers to the old one, and not a changed version of it.
    var isAnother = false
  }

  /// An object with its new value as JSON.
  struct PartObject {
    var path: ValuePath
    var json: Value
  }

  private(set) var all: [Located] = []
  /// The moves inside of new values.
  private(set) var innerMoves: [(json: Value, source: ValuePath)] = []
  /// The new paths of elements and of values that move, by their old paths. All begin at the value.
  private(set) var newPaths: [ValuePath: ValuePath] = [:]
  private let start: Int
  private var moves: JSONMoves
  /// The objects around the value that is compared.
  private var objects: [PartObject] = []

  private mutating func add(_ change: Change, at path: ValuePath, to newPath: ValuePath? = nil) {
    let source = newPath.flatMap { moves.take($0) }
    all.append(Located(change: change, path: path, objects: objects, source: source))
  }

  /// Finds the changes of a value. Fails if its parts cannot be told apart.
  ///
  /// - Parameters:
  ///   - old: The old value.
  ///   - shown: The JSON that `get` prints for the old value.
  ///   - json: The new JSON.
  ///   - path: The path of the value.
  init?(of old: Value, shown: Value, to json: Value, at path: ValuePath) {
    moves = JSONMoves(from: old, shown: shown, to: json, at: path)
    start = path.steps.count
    guard compare(old, shown: shown, with: json, at: Paths(now: path, old: path, new: path)) else {
      return nil
    }
    innerMoves = moves.left
    for move in moves.all { note(move.newPath, of: move.source.path) }
  }

  private mutating func note(_ newPath: ValuePath, of oldPath: ValuePath) {
    newPaths[inner(oldPath)] = inner(newPath)
  }

  /// Returns the path that begins at the value.
  private func inner(_ path: ValuePath) -> ValuePath { ValuePath(Array(path.steps[start...])) }

  /// The values that move, with their JSON and their old paths, which begin at the value.
  var allMoves: [(json: Value, oldPath: ValuePath, identity: Int?)] {
    moves.all.map { ($0.json, inner($0.source.path), $0.source.identity) }
  }

  /// The path of a part: after the changes that are made first, before all changes, and in the new value.
  private struct Paths {
    var now: ValuePath
    var old: ValuePath
    var new: ValuePath

    func appending(_ step: ValuePath.Step) -> Paths {
      Paths(now: now.appending(step), old: old.appending(step), new: new.appending(step))
    }
  }

  /// Adds the changes of a value. Returns false if its parts cannot be told apart.
  private mutating func compare(_ old: Value, shown: Value, with new: Value, at paths: Paths) -> Bool {
    let json = new.withoutClass(of: old, shown: shown)
    if shown == json { return true }
    // A value that moves must not be changed into the value that takes its old path.
    if moves.sources[paths.new] != nil || moves.isSource(paths.old) {
      add(.set(json), at: paths.now, to: paths.new)
      return true
    }
    var content = old
    if case .object(let object) = old {
      content = object.content
      objects.append(PartObject(path: paths.now, json: json))
    }
    defer { if case .object = old { objects.removeLast() } }
    switch (content, shown, json) {
    case (.dictionary, .dictionary(let known), .dictionary(let new))
    where !new.isEmpty && !new.keys.contains { known[$0] != nil } && json.refers(to: inner(paths.old)):
      add(.set(json), at: paths.now)
      all[all.count - 1].isAnother = true
      return true
    case (.dictionary(let entries), .dictionary(let known), .dictionary(let new))
    where !known.hasTags && !new.hasTags && entries.count == known.count:
      return compare(entries, shown: known, with: new, at: paths)
    case (.array(let elements), .array(let known), .array(let new)) where elements.count == known.count:
      return compare(elements, shown: known, with: new, at: paths)
    default:
      add(.set(json), at: paths.now)
      return true
    }
  }

  private mutating func compare(
    _ old: KeyedValues, shown: KeyedValues, with new: KeyedValues, at paths: Paths
  ) -> Bool {
    for ((key, known), value) in zip(shown, old.values) {
      guard case .string(let name) = key else { return false }
      guard let json = new[key] else { continue }
      guard compare(value, shown: known, with: json, at: paths.appending(.key(name))) else { return false }
    }
    for key in shown.keys where new[key] == nil {
      guard case .string(let name) = key else { return false }
      add(.remove, at: paths.now.appending(.key(name)))
    }
    for (key, json) in new where shown[key] == nil {
      guard case .string(let name) = key else { return false }
      add(.insert(json), at: paths.now.appending(.key(name)), to: paths.new.appending(.key(name)))
    }
    return true
  }

  /// Moves elements to the order of their new values, and then changes them from the end of the list to its start, so
  /// that the smaller indices stay valid.
  private mutating func compare(
    _ old: [Value], shown: [Value], with new: [Value], at paths: Paths
  ) -> Bool {
    var partners = partners(of: new, in: shown, old, at: paths)
    let kept = partners.compactMap(\.self)
    var order = Array(old.indices)
    if !zip(kept, kept.dropFirst()).allSatisfy(<) {
      for (slot, index) in zip(kept.sorted(), kept) { order[slot] = index }
      add(.order(order), at: paths.now)
      let slots = Dictionary(uniqueKeysWithValues: zip(kept, kept.sorted()))
      partners = partners.map { $0.flatMap { slots[$0] } }
    }
    var (end, isLast) = (old.count, true)
    for (index, partner) in partners.enumerated().reversed() {
      let json = new[index]
      guard let partner else {
        let newPath = paths.new.appending(.index(index))
        add(.insert(json), at: paths.now.appending(isLast ? .end : .index(end)), to: newPath)
        isLast = false
        continue
      }
      remove(partner + 1..<end, at: paths.now)
      var inner = paths.appending(.index(partner))
      inner.old = paths.old.appending(.index(order[partner]))
      inner.new = paths.new.appending(.index(index))
      if inner.old != inner.new { note(inner.new, of: inner.old) }
      guard compare(old[order[partner]], shown: shown[order[partner]], with: json, at: inner) else {
        return false
      }
      (end, isLast) = (partner, false)
    }
    remove(0..<end, at: paths.now)
    return true
  }

  /// Returns the old elements on which new ones are based. Elements that move from or to another path are left out.
  private func partners(of new: [Value], in shown: [Value], _ old: [Value], at paths: Paths) -> [Int?] {
    let stays = new.indices.filter { moves.sources[paths.new.appending(.index($0))] == nil }
    let stayed = old.indices.filter { !moves.isSource(paths.old.appending(.index($0))) }
    let found = ElementPartners(
      of: stays.map { new[$0] }, in: stayed.map { shown[$0] }, stayed.map { old[$0] }
    ).indices
    var partners = [Int?](repeating: nil, count: new.count)
    for (index, partner) in zip(stays, found) { partners[index] = partner.map { stayed[$0] } }
    return partners
  }

  /// The paths in the references of new values.
  var pointers: Set<ExactString> {
    var pointers: Set<ExactString> = []
    for change in all {
      switch change.change {
      case .set(let json), .insert(let json): pointers.formUnion(json.pointers)
      case .remove, .order: break
      }
    }
    return pointers
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

extension Value {
  /// Returns the JSON of an object without its `$class`, if this names the class that the old object has. Returns other JSON as it is.
  ///
  /// The old object then changes for all references to it, as without `$class`.
  fileprivate func withoutClass(of old: Value, shown: Value) -> Value {
    guard case .object(let object) = old, case .dictionary(let known) = shown, known["$class"] == nil,
      case .dictionary(var entries) = self, case .string(let name)? = entries["$class"],
      name.equals(object.type.name)
    else { return self }
    entries["$class"] = nil
    return entries.hasTags ? self : .dictionary(entries)
  }

  /// Returns true if JSON has a reference to the value at a path.
  fileprivate func refers(to path: ValuePath) -> Bool {
    guard let pointer else { return parts.contains { $0.refers(to: path) } }
    guard let target = try? ValuePath(parsing: pointer.string) else { return false }
    return target.steps.map(\.inPointer) == path.steps.map(\.inPointer)
  }
}

extension ValuePath.Step {
  /// The key or the index of a step, which are alike in the path of a reference.
  fileprivate var inPointer: ExactString? {
    switch self {
    case .key(let key): ExactString(key)
    case .index(let index): ExactString("\(index)")
    default: nil
    }
  }
}

extension KeyedValues {
  /// True if a key begins with `$`, as those of tags such as `$date` do.
  fileprivate var hasTags: Bool {
    keys.contains { if case .string(let name) = $0 { name.utf8.first == UInt8(ascii: "$") } else { true } }
  }
}
