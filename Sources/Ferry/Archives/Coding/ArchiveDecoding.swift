/// One decoding of an archive: what all its decoders and containers share.
final class ArchiveDecoding {
  let objects: ArchiveObjects
  let nodes: any PropertyListNodes
  /// What objects mean that are one scalar.
  let meanings: ArchiveMeanings
  let classes: ClassMap
  let userInfo: [CodingUserInfoKey: Any]
  let budget: Budget
  /// Values decoded, and the bytes of their texts and data.
  private var weight = 0
  private let weightLimit: Int
  /// What instances of classes came of which objects.
  private var instances: [InstanceKey: AnyObject] = [:]
  private var foundationTypes = FoundationTypes()
  /// The texts of keys: all objects of a class share theirs in a binary file.
  private var keyTexts: [Int: String] = [:]

  private struct InstanceKey: Hashable {
    let object: Int
    let type: ObjectIdentifier
  }

  /// What a scalar costs at least, whatever its type, and what an object does: memory, and time to look into it. Even the
  /// smallest object takes a few bytes of its file, so this is far from what any file costs whose objects are not shared.
  private static let (scalarWeight, objectWeight) = (16, 256)

  init(_ objects: ArchiveObjects, _ decoder: KeyedArchiveDecoder) {
    self.objects = objects
    nodes = objects.nodes
    meanings = ArchiveMeanings(of: objects, .standard, .scalars)
    classes = decoder.classes
    userInfo = decoder.userInfo
    budget = decoder.budget
    weightLimit = budget.allowance(forInputBytes: objects.nodes.byteCount)
  }

  /// The node of a root.
  func root(named name: String) throws(Failure) -> Int {
    guard let root = objects.top.first(where: { $0.name.equals(name) }) else {
      throw Failure(.coding(.noRoot(name, names: objects.top.map(\.name))))
    }
    return root.node
  }

  // MARK: Values

  /// Decodes what stands at a place.
  func decode<T: Decodable>(_ type: T.Type, at place: ArchivedPlace) throws -> T {
    if let leaf = type as? any ArchivedLeaf.Type, let value = try decodeLeaf(leaf, at: place) as? T {
      return value
    }
    if let known = foundationTypes[type] { return try decode(known, as: type, at: place) }
    return try decodeObject(type, at: place)
  }

  @inline(never)
  private func decodeLeaf(
    _ type: any ArchivedLeaf.Type, at place: ArchivedPlace
  ) throws(DecodingError) -> any ArchivedLeaf {
    try located(type, at: place) { () throws(Failure) in
      try scalar(type.archivedName, at: place.node) { node throws(Failure) in try type.decoded(node, in: self)
      }
    }
  }

  @inline(never)
  private func decode<T: Decodable>(
    _ known: FoundationType, as type: T.Type, at place: ArchivedPlace
  ) throws(DecodingError) -> T {
    try located(type, at: place) { () throws(Failure) in
      try scalar(known.archivedName, at: place.node) { node throws(Failure) in
        try known.decode(type, node, in: self)
      }
    }
  }

  /// Decodes what a type decodes itself. This is what a deep value recurses through, so it is kept apart from what it
  /// does not need on its way.
  @inline(never)
  private func decodeObject<T: Decodable>(_ type: T.Type, at place: ArchivedPlace) throws -> T {
    let frame = try open(place, as: type)
    guard type is AnyClass, frame.target != nil, isReference(place.node), let object = frame.object else {
      return try decodeContent(type, of: frame)
    }
    // There is one instance of an object, whoever refers to it.
    let key = InstanceKey(object: object, type: ObjectIdentifier(type))
    if let known = instances[key] as? T { return known }
    let value = try decodeContent(type, of: frame)
    instances[key] = value as AnyObject
    return value
  }

  private func decodeContent<T: Decodable>(_ type: T.Type, of frame: ArchivedFrame) throws -> T {
    if let dictionary = type as? any DecodableDictionary.Type,
      let value = try dictionary.decoded(from: frame, in: self) as? T
    {
      return value
    }
    return try T(from: ArchivedDecoder(self, frame))
  }

  /// Decodes the scalar that a node is, or refers to.
  private func scalar<R>(
    _ name: String, at node: Int, _ decode: (Int) throws(Failure) -> R
  ) throws(Failure) -> R {
    try spend(Self.scalarWeight)
    let (target, object) = try resolve(node)
    do throws(Failure) {
      guard let target else { throw Failure(.coding(.nothing(expected: name))) }
      return try decode(target)
    } catch {
      throw error.placed(at: nodes.position(of: target ?? node)).placed(at: Position(object: object))
    }
  }

  /// Opens what stands at a place, to look inside, and makes sure that it is of the class that its type wants.
  @inline(never)
  func open(_ place: ArchivedPlace, as type: any Any.Type) throws(DecodingError) -> ArchivedFrame {
    let entry = classes.entry(for: type)
    return try located(type, at: place) { () throws(Failure) in try open(place, of: entry) }
  }

  private func open(_ place: ArchivedPlace, of entry: ClassMap.Entry?) throws(Failure) -> ArchivedFrame {
    try spend(Self.objectWeight)
    let (target, object) = try resolve(place.node)
    let number = object ?? place.parent?.object
    do throws(Failure) {
      let depth = (place.parent?.depth ?? 0) + 1
      guard depth <= budget.depth else { throw Failure(.overBudget(.depth(budget.depth))) }
      var objectClass: ObjectClass?
      if let target {
        guard !place.isInside(target) else { throw Failure(.coding(.containsItself)) }
        objectClass = try self.objectClass(of: target)
        try check(objectClass, target, against: entry)
      }
      return ArchivedFrame(
        place, target: target, object: number, depth: depth, objectClass: objectClass,
        keys: entry?.keys ?? [:])
    } catch {
      throw error.placed(at: nodes.position(of: target ?? place.node))
        .placed(at: Position(object: number))
    }
  }

  private func check(_ found: ObjectClass?, _ node: Int, against entry: ClassMap.Entry?) throws(Failure) {
    guard let entry else { return }
    guard let found else {
      throw Failure(
        .coding(.expected("an object of class \(entry.names[0])", found: try description(of: node))))
    }
    guard entry.accepts(found) else {
      throw Failure(.coding(.wrongClass(found.name, expected: entry.names)))
    }
  }

  // MARK: Nodes

  /// The node of the object that a reference names, with its number, or the node itself; no node for nil.
  func resolve(_ node: Int) throws(Failure) -> (target: Int?, object: Int?) {
    switch try nodes.kind(of: node) {
    case .null, .uid(0): return (nil, nil)
    case .uid(let uid):
      let target = try objects.node(of: uid, referredFrom: node)
      switch try nodes.kind(of: target) {
      case .uid:
        throw Failure(.archive(.malformed("object \(uid) is a reference")), at: nodes.position(of: target))
      case .null: return (nil, nil)
      case .dictionary(count: 1) where try objectClass(of: target)?.name == "NSNull": return (nil, nil)
      default: return (target, Int(uid))
      }
    default: return (node, nil)
    }
  }

  private func isReference(_ node: Int) -> Bool {
    if case .uid? = try? nodes.kind(of: node) { true } else { false }
  }

  /// The class of an object; nil for what stands bare or in place.
  func objectClass(of node: Int) throws(Failure) -> ObjectClass? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    return try objects.type(of: node, count: count)
  }

  /// The text of a key, each read once.
  func keyText(_ node: Int) throws(Failure) -> String? {
    if let known = keyTexts[node] { return known }
    guard try nodes.kind(of: node) == .string else { return nil }
    let text = try nodes.withText(of: node) { text throws(Failure) in String(text) }
    keyTexts[node] = text
    return text
  }

  /// What a node is, in words: “a string”, “an object of class Person”.
  func description(of node: Int?) throws(Failure) -> String {
    guard let node else { return "nothing" }
    guard let name = try objectClass(of: node)?.name else { return try nodes.kind(of: node).name }
    return "an object of class \(name)"
  }

  /// Counts what is decoded, so that objects that are referred to often stay within the budget.
  func spend(_ bytes: Int) throws(Failure) {
    weight += bytes
    guard weight <= weightLimit else { throw Failure(.overBudget(.amplification(budget.amplification))) }
  }

  /// Runs what fails with a `Failure`, and throws the error that types expect, with the coding path.
  func located<R>(
    _ type: any Any.Type, at place: ArchivedPlace, _ body: () throws(Failure) -> R
  ) throws(DecodingError) -> R {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.decodingError(of: type, path: place.codingPath, key: nil)
    }
  }
}
