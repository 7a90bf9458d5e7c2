/// Goes along a path: over a property list as it is, over an archive by meaning.
///
/// A reference is followed, a collection has its elements whatever its layout, and an object has its archived keys. Of an
/// archive only what leads to the place is looked at.
struct PathWalker {
  let nodes: any PropertyListNodes
  /// Nil for a property list, and for an archive that is to be seen as one.
  let archive: ArchiveObjects?
  /// What the objects of the archive mean.
  let meanings: ArchiveMeanings?
  /// Of equal keys in one dictionary, whether the last counts, as in text formats, or the first, as in binary files.
  let lastKeyWins: Bool

  /// Where a path begins, and how many of its steps are taken by that.
  func start(_ steps: ArraySlice<ValuePath.Step>) throws(Failure) -> (place: PathPlace, taken: Int) {
    let root = PathPlace(trail: NodeTrail(), node: nodes.root)
    guard let archive else { return (root, 0) }
    if case .key(let key)? = steps.first, key == "$objects" || key == "$archiver" || key == "$version" {
      return (root, 0)
    }
    guard let entry = try nodes.entry("$top", of: nodes.root) else { return (root, 0) }
    let top = try root.child(.value(entry), in: nodes)
    if steps.first == .key("$top") { return (top, 1) }
    guard archive.hasOnlyRoot else { return (top, 0) }
    let value = try top.child(.value(0), in: nodes, isField: true)
    // The only root may be named, unless what stands there has such a key itself.
    if steps.first == .key("root"), try index(of: "root", in: try parts(of: value)) == nil {
      return (value, 1)
    }
    return (value, 0)
  }

  /// Where a reference leads to; any other place is its own target, and so is nothing.
  func target(of place: PathPlace) throws(Failure) -> PathPlace {
    guard let archive, place.inner.isEmpty, case .uid(let uid) = try nodes.kind(of: place.node), uid != 0
    else { return place }
    guard uid < UInt64(archive.count) || !archive.isLenient else { return place }
    return try object(uid, node: archive.node(of: uid, referredFrom: place.node))
  }

  private func object(_ uid: UInt64, node: Int) throws(Failure) -> PathPlace {
    let entry = try nodes.entry("$objects", of: nodes.root) ?? 0
    return PathPlace(trail: NodeTrail(children: [.value(entry), .element(Int(uid))]), node: node)
  }

  /// The class of an object; nil for everything else.
  func type(of target: PathPlace) throws(Failure) -> ObjectClass? {
    guard let archive, case .dictionary(let count) = try nodes.kind(of: target.node) else { return nil }
    return try archive.type(of: target.node, count: count)
  }

  /// The parts of what stands at a place, or of what the reference there leads to.
  func parts(of place: PathPlace) throws(Failure) -> NodeParts {
    if let list = try meantList(at: place) { return list }
    let target = try target(of: place)
    guard let type = try type(of: target) else { return try NodeParts(of: target, in: nodes) }
    return try NodeParts(of: target, type: type, in: nodes)
  }

  /// The place one step further down; nil when what stands here is data, in which the path may go on.
  func step(_ step: ValuePath.Step, from place: PathPlace) throws(Failure) -> PathPlace? {
    if !place.inner.isEmpty { return try self.step(step, fromPart: place) }
    let parts = try parts(of: place)
    switch try numbered(step, in: parts) {
    case .index(let index) where parts.isList:
      return try real(parts.place(try Self.place(index, count: parts.count), in: nodes))
    case .key(let key):
      if parts.isList, let index = Int(key) {
        return try real(parts.place(try Self.place(index, count: parts.count), in: nodes))
      }
      if let index = try self.index(of: key, in: parts) { return try parts.place(index, in: nodes) }
      let target = try target(of: place)
      if let field = try archivedField(key, of: target) { return field }
      if let part = try part(step, of: target) { return part }
      if try dataPlace(of: place) != nil { return nil }
      guard !parts.isList, try nodes.kind(of: target.node).isCollection else {
        throw Failure(.path(.noStep("the key \(quotedForMessage(key))", into: try name(of: place))))
      }
      throw try noKey(key, in: parts, of: target)
    case .end where parts.isList: throw Failure(.path(.behindLast))
    default:
      if try dataPlace(of: place) != nil { return nil }
      throw Failure(.path(.noStep("\(ValuePath([step]))", into: try name(of: place))))
    }
  }

  /// A step that says what an element has, as the number of that element; any other step as it is.
  func numbered(_ step: ValuePath.Step, in parts: NodeParts) throws(Failure) -> ValuePath.Step {
    guard case .element(let key, let value) = step, parts.isList else { return step }
    var found: [Int] = []
    for index in 0..<parts.count {
      let entries = try self.parts(of: try parts.place(index, in: nodes))
      guard let entry = try self.index(of: key, in: entries) else { continue }
      if try text(of: try entries.place(entry, in: nodes)) == value { found.append(index) }
    }
    guard found.count == 1 else {
      throw Failure(.path(.notOneElement(key: key, value: value, count: found.count)))
    }
    return .index(found[0])
  }

  /// An index counted from the start, of an element that is there.
  static func place(_ index: Int, count: Int) throws(Failure) -> Int {
    let place = index < 0 ? index + count : index
    guard place >= 0, place < count else { throw Failure(.path(.noElement(index, count: count))) }
    return place
  }

  /// The numbers of the elements that a slice takes; what lies outside is left out.
  static func range(from: Int?, to: Int?, count: Int) -> Range<Int> {
    func clamped(_ index: Int) -> Int { min(max(index < 0 ? index + count : index, 0), count) }
    let start = clamped(from ?? 0)
    return start..<max(start, clamped(to ?? count))
  }

  /// The place of the data that stands at a place, bare or in an object.
  func dataPlace(of place: PathPlace) throws(Failure) -> PathPlace? {
    guard place.inner.isEmpty else { return nil }
    let target = try target(of: place)
    if try nodes.kind(of: target.node) == .data { return target }
    guard case .archived(let node)? = try meaning(at: target), let held = try self.place(of: node, in: target)
    else { return nil }
    let data = try self.target(of: held)
    return try nodes.kind(of: data.node) == .data ? data : nil
  }

  // MARK: Keys

  /// The number of the entry with a key, nil when there is none.
  func index(of key: String, in parts: NodeParts) throws(Failure) -> Int? {
    switch parts {
    case .none, .elements, .numbered, .meant: return nil
    case .entries(let place, let count, let isObject):
      // An archiver puts a `$` before the keys of a program that begin with one.
      if isObject, key.hasPrefix("$"), let index = try entry("$" + key, of: place.node, count) {
        return index
      }
      return try entry(key, of: place.node, count)
    case .pairs, .numberedPairs:
      var other: Int?
      for index in 0..<parts.count {
        guard let node = try parts.key(index, in: nodes) else { continue }
        let target = try target(of: PathPlace(trail: NodeTrail(), node: node)).node
        if try nodes.kind(of: target) == .string {
          if try nodes.isText(target, key) { return index }
        } else if other == nil, try text(ofKey: node) == key {
          other = index
        }
      }
      return other
    }
  }

  private func entry(_ key: String, of node: Int, _ count: Int) throws(Failure) -> Int? {
    var found: Int?
    for index in 0..<count where try nodes.isText(nodes.key(index, of: node), key) {
      guard lastKeyWins else { return index }
      found = index
    }
    return found
  }

  /// What an archive stores under a key of an object that is known by meaning: `NS.objects`, `$class`.
  private func archivedField(_ key: String, of target: PathPlace) throws(Failure) -> PathPlace? {
    guard archive != nil, case .dictionary(let count) = try nodes.kind(of: target.node),
      let entry = try entry(key, of: target.node, count)
    else { return nil }
    return try target.child(.value(entry), in: nodes, isField: true)
  }

  /// A key as the plain form shows it: a string, a number or a scalar object as text; nil for other objects.
  func text(ofKey node: Int) throws(Failure) -> String? {
    guard archive != nil else { return try nodes.string(node) }
    return try text(of: PathPlace(trail: NodeTrail(), node: node))
  }

  /// A scalar, bare or an object, as the plain form shows it; nil for anything else.
  private func text(of place: PathPlace) throws(Failure) -> String? {
    guard try isScalar(place) else { return nil }
    let builder = ValueBuilder()
    if let archive, let meanings {
      let reader = ArchiveReader(
        archive, into: builder, sharing: .leavesInFull, budget: Budget(), catalogue: meanings.catalogue,
        meanings: meanings.use)
      if place.inner.isEmpty {
        try reader.read(from: place.node)
      } else if let part = try meaning(at: place) {
        try reader.read(part, of: place.node)
      }
    } else {
      try nodes.replay(place.node, into: builder, budget: Budget())
    }
    return try builder.result().plainText
  }

  /// Whether a scalar stands at a place, bare, as an object, or as a part of what an object means.
  func isScalar(_ place: PathPlace) throws(Failure) -> Bool {
    let target = try target(of: place)
    guard let meanings, try type(of: target) != nil else {
      return try !nodes.kind(of: target.node).isCollection
    }
    switch try meaning(at: target) {
    case .scalar?: return true
    case .archived(let node)?:
      let held = try meanings.target(of: node)
      if try !nodes.kind(of: held).isCollection { return true }
      return try meanings.scalar(at: held) != nil
    case .list?, .record?, nil: return false
    }
  }

  // MARK: Words

  private func noKey(_ key: String, in parts: NodeParts, of target: PathPlace) throws(Failure) -> Failure {
    // What a person would write is what a person has to know.
    if case .record(let parts)? = try meaning(at: target) {
      return Failure(.path(.noKey(key, among: parts.prefix(8).map(\.name), count: parts.count)))
    }
    var names: [String] = []
    var count = 0
    for index in 0..<parts.count {
      let node = try parts.key(index, in: nodes)
      if case .entries(_, _, isObject: true) = parts, let node, try nodes.isString(node, "$class") {
        continue
      }
      count += 1
      if names.count < 8, let node, let name = try text(ofKey: node) { names.append(name) }
    }
    return Failure(.path(.noKey(key, among: names, count: count)))
  }

  /// What stands at a place, in words.
  func name(of place: PathPlace) throws(Failure) -> String {
    if !place.inner.isEmpty { return try meaning(at: place)?.name(in: nodes) ?? "nothing" }
    let target = try target(of: place)
    if let type = try type(of: target) { return "an object of the class \(type.name)" }
    let kind = try nodes.kind(of: target.node)
    if archive != nil, case .uid(let uid) = kind {
      return uid == 0 ? "null" : "a reference to object \(uid), which is not there,"
    }
    return kind.name
  }
}

extension PropertyListNodes {
  /// Whether a node is this string.
  func isText(_ node: Int, _ text: String) throws(Failure) -> Bool {
    guard try kind(of: node) == .string else { return false }
    return try withText(of: node) { found throws(Failure) in found.utf8.equals(text.utf8.span) }
  }
}

extension Value {
  /// A scalar as a person would write it, a string without quotes; nil for collections. So the plain form writes a key that
  /// is not a string.
  var plainText: String? {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value.description
    case .real(let value): value.description
    case .single(let value): value.description
    case .number(let text), .string(let text): text
    case .unpairedString(let units): String(decoding: units, as: UTF16.self)
    case .data(let bytes): String(decoding: Base64.encode(bytes.span), as: UTF8.self)
    case .date(let seconds): ISODate.text(seconds) ?? seconds.description
    case .object(let object): object.content.plainText
    case .uid, .array, .set, .dictionary, .reference: nil
    }
  }
}

extension Value {
  /// What an object of a class holds; any other value itself.
  var scalar: Value {
    if case .object(let object) = self { object.content } else { self }
  }
}
