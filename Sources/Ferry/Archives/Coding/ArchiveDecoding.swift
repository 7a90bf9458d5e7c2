/// The state shared by all decoders and containers of one call to decode an archive.
final class ArchiveDecoding {
  let objects: ArchiveObjects
  let nodes: any PropertyListNodes
  /// The decoded forms of objects that represent a single scalar.
  let decodedForms: ArchiveDecodedForms
  let classes: ClassMap
  let userInfo: [CodingUserInfoKey: Any]
  let budget: Budget
  /// The memory for decoded values so far, in bytes, including their strings and data.
  private var weight = 0
  private let weightLimit: Int
  /// The decoded instances of classes, by object number and type.
  private var instances: [InstanceKey: AnyObject] = [:]
  private var foundationTypes = FoundationTypes()
  /// The reader of values that are decoded as trees.
  private lazy var values = ArchivedValues(objects, budget)
  /// The decoded key strings, by the index of their node. In a binary file, all objects of a class share the
  /// nodes of their keys.
  private var keyTexts: [Int: String] = [:]

  /// The description of the last error with a location whose cause is an error of others, which shows no location to the types around it.
  private var notedDescription: String?

  private struct InstanceKey: Hashable {
    let object: ObjectNumber
    let type: ObjectIdentifier
  }

  /// The minimum cost of a scalar and of an object, in memory and time.
  ///
  /// Even the smallest object takes a few bytes of the file, so a file without shared objects stays far below
  /// the limit.
  private static let (scalarWeight, objectWeight) = (16, 256)

  init(_ objects: ArchiveObjects, _ decoder: KeyedArchiveDecoder) {
    self.objects = objects
    nodes = objects.nodes
    decodedForms = ArchiveDecodedForms(of: objects, .standard, .scalars)
    classes = decoder.classes
    userInfo = decoder.userInfo
    budget = decoder.budget
    weightLimit = budget.allowance(forInputBytes: objects.nodes.byteCount)
  }

  /// Returns the node of the root with a name.
  func root(named name: String) throws(FerryError) -> NodeID {
    guard let root = objects.top.first(where: { $0.name.equals(name) }) else {
      throw FerryError(.coding(.noRoot(name, names: objects.top.map(\.name))))
    }
    return root.node
  }

  // MARK: Values

  /// Decodes the value of a node.
  func decode<T: Decodable>(_ type: T.Type, at location: ArchivedLocation) throws -> T {
    if let leaf = type as? any ArchivedLeaf.Type, let value = try decodeLeaf(leaf, at: location) as? T {
      return value
    }
    if type == Value.self, let value = try decodeValue(at: location) as? T { return value }
    if let known = foundationTypes[type] { return try decode(known, as: type, at: location) }
    return try decodeObject(type, at: location)
  }

  @inline(never)
  private func decodeLeaf(
    _ type: any ArchivedLeaf.Type, at location: ArchivedLocation
  ) throws(DecodingError) -> any ArchivedLeaf {
    try located(type, at: location) { () throws(FerryError) in
      try scalar(type.archivedName, at: location.node) { node throws(FerryError) in
        try type.decoded(node, in: self)
      }
    }
  }

  /// Returns the value at a node as a tree.
  @inline(never)
  private func decodeValue(at location: ArchivedLocation) throws(DecodingError) -> Value {
    try located(Value.self, at: location) { () throws(FerryError) in try values.value(at: location.node) }
  }

  @inline(never)
  private func decode<T: Decodable>(
    _ known: FoundationType, as type: T.Type, at location: ArchivedLocation
  ) throws(DecodingError) -> T {
    try located(type, at: location) { () throws(FerryError) in
      try scalar(known.archivedName, at: location.node) { node throws(FerryError) in
        try known.decode(type, node, in: self)
      }
    }
  }

  /// Decodes a value with the type's `init(from:)`.
  ///
  /// A deep value recurses through this function. It is separate from other code, so that its stack frame
  /// stays small.
  @inline(never)
  private func decodeObject<T: Decodable>(_ type: T.Type, at location: ArchivedLocation) throws -> T {
    let frame = try open(location, as: type)
    guard type is AnyClass, frame.target != nil, isReference(location.node), let object = frame.object else {
      return try decodeContent(type, of: frame)
    }
    // An object becomes a single instance of the class, regardless of the number of its references.
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
    do {
      let value = try T(from: ArchivedDecoder(self, frame))
      if !frame.keys.isEmpty { try checkKeys(of: type, frame) }
      return value
    } catch let error as DecodingError {
      throw noted(error, in: frame)
    }
  }

  /// Throws if a key in the map is not a coding key of the type.
  @inline(never)
  private func checkKeys(of type: any Any.Type, _ frame: ArchivedFrame) throws(DecodingError) {
    try located(type, at: frame.location) { () throws(FerryError) in try frame.unknownKeys.check(for: type) }
  }

  /// Returns an error that a type has thrown on its own, such as that of an enum for an unknown case, with the location of
  /// the value.
  @inline(never)
  private func noted(_ error: DecodingError, in frame: ArchivedFrame) -> DecodingError {
    guard let node = frame.target, let context = error.context, !(context.underlyingError is FerryError),
      context.debugDescription != notedDescription
    else { return error }
    let placed = error.placed { _ in
      var location = nodes.location(of: node)
      location.object = location.object ?? frame.object?.index
      return location
    }
    notedDescription = placed.context?.debugDescription
    return placed
  }

  /// Decodes the scalar at a node, following a reference.
  private func scalar<R>(
    _ name: String, at node: NodeID, _ decode: (NodeID) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    try spend(Self.scalarWeight)
    let (target, object) = try resolve(node)
    do throws(FerryError) {
      guard let target else { throw FerryError(.coding(.nothing(expected: name))) }
      return try decode(target)
    } catch {
      throw error.placed(at: nodes.location(of: target ?? node)).placed(
        at: InputLocation(object: object?.index))
    }
  }

  /// Opens a node for the containers of a decoder. Throws if the class of the object is not one that the type
  /// accepts.
  @inline(never)
  func open(_ location: ArchivedLocation, as type: any Any.Type) throws(DecodingError) -> ArchivedFrame {
    let entry = classes.entry(for: type)
    return try located(type, at: location) { () throws(FerryError) in try open(location, of: entry) }
  }

  private func open(_ location: ArchivedLocation, of entry: ClassMap.Entry?) throws(FerryError)
    -> ArchivedFrame
  {
    try spend(Self.objectWeight)
    let (target, object) = try resolve(location.node)
    let number = object ?? location.parent?.object
    do throws(FerryError) {
      let depth = (location.parent?.depth ?? 0) + 1
      guard depth <= budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
      var objectClass: ObjectClass?
      if let target {
        guard !location.isInside(target) else { throw FerryError(.coding(.containsItself)) }
        objectClass = try self.objectClass(of: target)
        try check(objectClass, target, against: entry)
      }
      return ArchivedFrame(
        location, target: target, object: number, depth: depth, objectClass: objectClass,
        keys: entry?.keys ?? [:])
    } catch {
      throw error.placed(at: nodes.location(of: target ?? location.node))
        .placed(at: InputLocation(object: number?.index))
    }
  }

  private func check(_ found: ObjectClass?, _ node: NodeID, against entry: ClassMap.Entry?) throws(FerryError)
  {
    guard let entry else { return }
    guard let found else {
      throw FerryError(
        .coding(.expected("an object of class \(entry.names[0])", found: try description(of: node))))
    }
    guard entry.accepts(found) else {
      throw FerryError(.coding(.wrongClass(found.name, expected: entry.names)))
    }
  }

  // MARK: Nodes

  /// Returns the node and the number of the object that a reference refers to, or the node itself if it is
  /// not a reference. The target of a null reference is nil.
  func resolve(_ node: NodeID) throws(FerryError) -> (target: NodeID?, object: ObjectNumber?) {
    switch try nodes.kind(of: node) {
    case .null, .uid(0): return (nil, nil)
    case .uid(let uid):
      let target = try objects.node(of: uid, referredFrom: node)
      switch try nodes.kind(of: target) {
      case .uid: throw objects.isReference(uid, target)
      case .null: return (nil, nil)
      case .dictionary(count: 1) where try objectClass(of: target)?.name == "NSNull": return (nil, nil)
      default: return (target, ObjectNumber(Int(uid)))
      }
    default: return (node, nil)
    }
  }

  private func isReference(_ node: NodeID) -> Bool {
    if case .uid? = try? nodes.kind(of: node) { true } else { false }
  }

  /// Returns the class of an object, or nil if the node is a scalar or a collection without a class.
  func objectClass(of node: NodeID) throws(FerryError) -> ObjectClass? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    // Overlapping objects may each have the keys of all others.
    try spend(count)
    return try objects.type(of: node, count: count)
  }

  /// Returns the string of a key node. Each node is decoded once.
  func keyText(_ node: NodeID) throws(FerryError) -> String? {
    if let known = keyTexts[node.index] { return known }
    guard let text = try nodes.string(node) else { return nil }
    keyTexts[node.index] = text
    return text
  }

  /// Returns the description of a node for a message: "a string", "an object of class Person".
  func description(of node: NodeID?) throws(FerryError) -> String {
    guard let node else { return "nothing" }
    guard let name = try objectClass(of: node)?.name else { return try nodes.kind(of: node).name }
    return "an object of class \(name)"
  }

  /// Adds to the cost of decoding. Throws if shared objects have multiplied the cost beyond the budget.
  func spend(_ bytes: Int) throws(FerryError) {
    weight += bytes
    guard weight <= weightLimit else { throw budget.overAmplification }
  }

  /// Runs a function that throws a `FerryError`, and throws it as a `DecodingError` with the coding path.
  func located<R>(
    _ type: any Any.Type, at location: ArchivedLocation, _ body: () throws(FerryError) -> R
  ) throws(DecodingError) -> R {
    do throws(FerryError) {
      return try body()
    } catch {
      throw error.decodingError(of: type, path: location.codingPath, key: nil)
    }
  }
}
