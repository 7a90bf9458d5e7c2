/// The values that JSON moves from one list or key to another.
///
///     {"open": [Ada], "done": [Bo]}     →     {"open": [Bo], "done": [Ada]}
///     open[0] to done[0], done[0] to open[0]
///
/// A value that stays in its list does not move, even if its index changes.
struct JSONMoves {
  /// A value that moves.
  struct Source {
    /// The path before all changes.
    var path: ValuePath
    /// The identity of the object if the old value shares it.
    var identity: Int?
  }

  /// The values that move, by their new paths.
  private(set) var sources: [ValuePath: Source] = [:]
  private var oldPaths = PathSet()
  private var newPaths = PathSet()
  private var taken: Set<ValuePath> = []

  /// The maximum number of values that are compared.
  private static let values = 1 << 16

  /// A value whose path changes.
  private struct Node {
    var json: Value
    var path: ValuePath
    var size: Int
    var identity: Int?
  }

  /// A value with its path, which is the same for all elements of a list.
  private struct Occurrence: Hashable {
    /// The number of the value's content.
    var content: Int
    var path: ValuePath

    init(content: Int, path: ValuePath) {
      self.content = content
      self.path = path
      if case .index? = path.steps.last { self.path.steps[path.steps.count - 1] = .end }
    }
  }

  private var old: [Node] = []
  private var new: [Node] = []
  /// The JSON of scalars and empty collections that have the same JSON as others, such as dates.
  private var special: Set<Value> = []

  /// Finds the values that move.
  ///
  /// - Parameters:
  ///   - old: The old value.
  ///   - shown: The JSON that `get` prints for the old value.
  ///   - json: The new JSON.
  ///   - path: The path of the value.
  init(from old: Value, shown: Value, to json: Value, at path: ValuePath) {
    var added: [(json: Value, path: ValuePath)] = []
    compare(old, shown, json, at: path, &added)
    for (json, path) in added { addNew(json, at: path) }
    guard !self.old.isEmpty, !new.isEmpty, self.old.count + new.count < Self.values else { return }
    match()
  }

  /// Returns true if the value at an old path moves.
  func isSource(_ path: ValuePath) -> Bool { oldPaths.contains(path) }

  /// Returns the old path of a value that moves, and removes the value from those in `left`.
  mutating func take(_ newPath: ValuePath) -> ValuePath? {
    taken.insert(newPath)
    return sources[newPath]?.path
  }

  /// The moves that have not been taken, with the JSON of the values.
  var left: [(json: Value, source: ValuePath)] {
    all.filter { !taken.contains($0.newPath) }.map { ($0.json, $0.source.path) }
  }

  /// The values that move, with their JSON.
  var all: [(json: Value, newPath: ValuePath, source: Source)] {
    new.compactMap { node in sources[node.path].map { (node.json, node.path, $0) } }
  }

  // MARK: Collecting

  /// Adds the old values that are not equal to the new ones at their paths, and collects the new ones.
  private mutating func compare(
    _ old: Value, _ shown: Value, _ json: Value, at path: ValuePath,
    _ added: inout [(json: Value, path: ValuePath)]
  ) {
    guard shown != json else { return }
    addRecords(shown, json, at: path, identity: old.identity)
    switch (old.withoutClass, shown, json) {
    case (.dictionary(let values), .dictionary(let entries), .dictionary(let new))
    where values.count == entries.count:
      for ((key, shown), value) in zip(entries, values.values) {
        guard case .string(let name) = key else { continue }
        let path = path.appending(.key(name))
        if let json = new[key] {
          compare(value, shown, json, at: path, &added)
        } else {
          addOld(value, shown, at: path)
        }
      }
      for (key, json) in new where entries[key] == nil {
        if case .string(let name) = key { added.append((json, path.appending(.key(name)))) }
      }
    case (.array(let values), .array(let elements), .array(let new)),
      (.set(let values), .array(let elements), .array(let new)):
      compare(values, elements, new, at: path, &added)
    default:
      addOld(old, shown, at: path)
      added.append((json, path))
    }
  }

  /// Adds the elements of a list that are not in the other one too.
  private mutating func compare(
    _ values: [Value], _ shown: [Value], _ new: [Value], at path: ValuePath,
    _ added: inout [(json: Value, path: ValuePath)]
  ) {
    // Most elements are before or after those that change.
    let shortest = min(shown.count, new.count)
    let before = (0..<shortest).first { shown[$0] != new[$0] } ?? shortest
    let most = shortest - before
    let after = (0..<most).first { shown[shown.count - 1 - $0] != new[new.count - 1 - $0] } ?? most
    let (oldRange, newRange) = (before..<shown.count - after, before..<new.count - after)
    var left: [Value: Int] = [:]
    for index in newRange { left[new[index].sameInJSON, default: 0] += 1 }
    var kept: [Value: Int] = [:]
    for index in oldRange where index < values.count {
      let same = shown[index].sameInJSON
      if let count = left[same], count > 0 {
        left[same] = count - 1
        kept[same, default: 0] += 1
      } else {
        addOld(values[index], shown[index], at: path.appending(.index(index)))
      }
    }
    for index in newRange {
      let same = new[index].sameInJSON
      if let count = kept[same], count > 0 {
        kept[same] = count - 1
      } else {
        added.append((new[index], path.appending(.index(index))))
      }
    }
  }

  /// Adds an old and a new record at the same path, without their parts. Lists are not added, because they stay at their
  /// paths, and only their elements move.
  private mutating func addRecords(
    _ shown: Value, _ json: Value, at path: ValuePath, identity: Int?
  ) {
    guard old.count + new.count < Self.values, case .dictionary(let entries) = shown,
      case .dictionary(let others) = json, !entries.isEmpty, !others.isEmpty
    else { return }
    old.append(Node(json: shown.sameInJSON, path: path, size: shown.size, identity: identity))
    new.append(Node(json: json.sameInJSON, path: path, size: json.size))
  }

  @discardableResult
  private mutating func addOld(_ value: Value, _ shown: Value, at path: ValuePath) -> Int {
    guard old.count < Self.values else { return 1 }
    let position = old.count
    let same = shown.sameInJSON
    if !shown.isFilledCollection {
      guard value.isSpecial else { return 1 }
      special.insert(same)
    }
    old.append(Node(json: same, path: path, size: 1, identity: value.identity))
    var size = 1
    switch (value.withoutClass, shown) {
    case (.dictionary(let values), .dictionary(let entries)) where values.count == entries.count:
      for ((key, shown), value) in zip(entries, values.values) {
        if case .string(let name) = key { size += addOld(value, shown, at: path.appending(.key(name))) }
      }
    case (.array(let values), .array(let elements)), (.set(let values), .array(let elements)):
      for (index, (value, shown)) in zip(values, elements).enumerated() {
        size += addOld(value, shown, at: path.appending(.index(index)))
      }
    default: break
    }
    old[position].size = size
    return size
  }

  @discardableResult
  private mutating func addNew(_ json: Value, at path: ValuePath) -> Int {
    guard new.count < Self.values else { return 1 }
    let position = new.count
    let same = json.sameInJSON
    guard json.isFilledCollection || special.contains(same) else { return 1 }
    new.append(Node(json: same, path: path, size: 1))
    var size = 1
    switch json {
    case .dictionary(let entries):
      for (key, value) in entries {
        if case .string(let name) = key { size += addNew(value, at: path.appending(.key(name))) }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        size += addNew(element, at: path.appending(.index(index)))
      }
    default: break
    }
    new[position].size = size
    return size
  }

  // MARK: Matching

  /// Matches equal values, the largest first, because their parts move with them.
  private mutating func match() {
    var contents: [Value: Int] = [:]
    /// For each content, the old values that have it, in order.
    var candidates: [ArraySlice<Int>] = []
    /// Returns the numbers of the contents of values.
    func numbers(of nodes: [Node]) -> [Int] {
      nodes.map { node in
        if let number = contents[node.json] { return number }
        contents[node.json] = candidates.count
        candidates.append([])
        return candidates.count - 1
      }
    }
    let (oldContents, newContents) = (numbers(of: old), numbers(of: new))
    for (index, content) in oldContents.enumerated() { candidates[content].append(index) }
    // The number of new values less the number of old ones.
    var balance: [Occurrence: Int] = [:]
    func occurrence(_ content: Int, _ node: Node) -> Occurrence {
      Occurrence(content: content, path: node.path)
    }
    for (node, content) in zip(old, oldContents) { balance[occurrence(content, node), default: 0] -= 1 }
    for (node, content) in zip(new, newContents) { balance[occurrence(content, node), default: 0] += 1 }
    let order = new.indices.sorted { (new[$1].size, $0) < (new[$0].size, $1) }
    for (node, content) in order.map({ (new[$0], newContents[$0]) }) {
      let target = occurrence(content, node)
      guard balance[target, default: 0] > 0, !newPaths.isAround(node.path) else { continue }
      // An old value that cannot move now cannot move later: its list lacks fewer values with each move, and more paths around it
      // have moved.
      while let index = candidates[content].popFirst() {
        let origin = occurrence(content, old[index])
        guard balance[origin, default: 0] < 0, !oldPaths.isInLine(with: old[index].path) else { continue }
        balance[target, default: 0] -= 1
        balance[origin, default: 0] += 1
        sources[node.path] = Source(path: old[index].path, identity: old[index].identity)
        oldPaths.insert(old[index].path)
        newPaths.insert(node.path)
        break
      }
    }
  }
}

/// Paths of which none begins with another.
private struct PathSet {
  private var paths: Set<ValuePath> = []
  /// The beginnings of the paths.
  private var beginnings: Set<ValuePath> = []

  mutating func insert(_ path: ValuePath) {
    paths.insert(path)
    for count in path.steps.indices { beginnings.insert(ValuePath(Array(path.steps.prefix(count)))) }
  }

  func contains(_ path: ValuePath) -> Bool { paths.contains(path) }

  /// Returns true if a path is one of the paths, or begins with one.
  func isAround(_ path: ValuePath) -> Bool {
    !paths.isEmpty
      && (0...path.steps.count).contains { paths.contains(ValuePath(Array(path.steps.prefix($0)))) }
  }

  /// Returns true if a path begins with one of the paths, or one of them with it.
  func isInLine(with path: ValuePath) -> Bool { beginnings.contains(path) || isAround(path) }
}

extension Value {
  /// The identity of an object, also of one that is elsewhere.
  fileprivate var identity: Int? {
    switch self {
    case .object(let object): object.identity
    case .reference(let identity): identity
    default: nil
    }
  }

  /// The number of values, with the parts.
  fileprivate var size: Int { parts.reduce(1) { $0 + $1.size } }

  /// True for a scalar or an empty collection whose type or class JSON does not show.
  fileprivate var isSpecial: Bool {
    switch self {
    case .date, .data, .object: true
    case .set(let elements): elements.isEmpty
    default: false
    }
  }
}

extension Value {
  /// True for an array, a set or a dictionary that is not empty.
  fileprivate var isFilledCollection: Bool {
    switch self {
    case .array(let elements), .set(let elements): !elements.isEmpty
    case .dictionary(let entries): !entries.isEmpty
    default: false
    }
  }
}
