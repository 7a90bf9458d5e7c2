/// The keys of an archived object. A class codec takes each key that it decodes.
///
/// If a key is missing, or its value has another kind than requested, a method returns nil and the key
/// remains.
struct ArchivedObject {
  /// The class of the object.
  let type: ObjectClass
  private let objects: ArchiveObjects
  /// The keys and values of an object with few keys, which are searched in order.
  private var keys: [(key: NodeID, value: NodeID)] = []
  /// The values by key, for an object with many keys.
  private var named: [ExactString: NodeID] = [:]
  private static let few = 24

  /// Collects the keys of an object, except `$class`. The node must be a dictionary.
  init(_ type: ObjectClass, at node: NodeID, count: Int, in objects: ArchiveObjects) throws(FerryError) {
    self.type = type
    self.objects = objects
    let nodes = objects.nodes
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      if try nodes.isString(key, "$class") { continue }
      let value = try nodes.value(index, of: node)
      if count > Self.few, let name = try nodes.string(key), named[name] == nil {
        named[name] = value
      } else {
        keys.append((key, value))
      }
    }
  }

  private var nodes: any PropertyListNodes { objects.nodes }

  /// The number of remaining keys.
  var count: Int { keys.count + named.count }
  /// True if no keys remain.
  var isEmpty: Bool { keys.isEmpty && named.isEmpty }

  /// The first remaining key, or nil.
  var firstKey: String? {
    get throws(FerryError) {
      guard let key = keys.first?.key else { return named.keys.min()?.string }
      return try nodes.string(key)
    }
  }

  private func index(of archived: String) throws(FerryError) -> Int? {
    for (index, entry) in keys.enumerated() where try nodes.isText(entry.key, archived) { return index }
    return nil
  }

  /// Takes a key with any kind of value, and returns the value's node.
  mutating func take(_ name: String) throws(FerryError) -> NodeID? {
    try take(name) { node throws(FerryError) in node }
  }

  /// Takes the first of several keys that exists.
  mutating func take(anyOf names: [String]) throws(FerryError) -> NodeID? {
    for name in names {
      if let node = try take(name) { return node }
    }
    return nil
  }

  /// Takes a key if `read` returns a value for it.
  private mutating func take<T>(
    _ name: String, _ read: (NodeID) throws(FerryError) -> T?
  ) throws(FerryError) -> T? {
    let archived = name.asArchivedKey
    if let node = named[archived] {
      guard let value = try read(node) else { return nil }
      named[archived] = nil
      return value
    }
    guard let index = try index(of: archived), let value = try read(keys[index].value) else { return nil }
    keys.remove(at: index)
    return value
  }

  // MARK: Inline scalars

  /// Takes a key whose value is an inline integer.
  mutating func integer(_ name: String) throws(FerryError) -> Int128? {
    let nodes = nodes
    return try take(name) { node throws(FerryError) in
      if case .integer(let value) = try nodes.kind(of: node) { value } else { nil }
    }
  }

  /// Takes a key whose value is an inline boolean.
  mutating func boolean(_ name: String) throws(FerryError) -> Bool? {
    let nodes = nodes
    return try take(name) { node throws(FerryError) in
      if case .boolean(let value) = try nodes.kind(of: node) { value } else { nil }
    }
  }

  /// Takes a key whose value is an inline real, of 32 or 64 bits.
  mutating func real(_ name: String) throws(FerryError) -> Value? {
    let nodes = nodes
    return try take(name) { node throws(FerryError) in
      switch try nodes.kind(of: node) {
      case .real(let value): Value.real(value)
      case .single(let value): Value.single(value)
      default: nil
      }
    }
  }

  // MARK: Referenced values

  /// Takes a key whose value is data: inline, a reference, or an object that contains only data.
  mutating func bytes(_ name: String) throws(FerryError) -> [UInt8]? {
    let object = self
    return try take(name) { node throws(FerryError) in
      let target = try object.scalar(resolving: node, of: "NSData", keys: ["NS.data", "NS.bytes"])
      guard let target, try object.nodes.kind(of: target) == .data else { return nil }
      return try object.nodes.withData(of: target) { bytes throws(FerryError) in [UInt8](copying: bytes) }
    }
  }

  /// Takes a key whose value is a string: inline, a reference, or an object that contains only a string. Does
  /// not take a string with unpaired surrogates.
  mutating func text(_ name: String) throws(FerryError) -> String? {
    let object = self
    return try take(name) { node throws(FerryError) in
      let target = try object.scalar(resolving: node, of: "NSString", keys: ["NS.string"])
      guard let target, try object.nodes.kind(of: target) == .string else { return nil }
      return try object.nodes.withText(of: target) { text throws(FerryError) in
        text.hasSurrogates ? nil : String(text)
      }
    }
  }

  /// Takes a key that refers to an integer.
  mutating func number(_ name: String) throws(FerryError) -> Int128? {
    let object = self
    return try take(name) { node throws(FerryError) in
      guard case .uid = try object.nodes.kind(of: node),
        case .integer(let value) = try object.nodes.kind(of: try object.resolved(node))
      else { return nil }
      return value
    }
  }

  /// Takes a key that refers to an array object, and returns the nodes of its elements.
  mutating func elements(_ name: String) throws(FerryError) -> [NodeID]? {
    let object = self
    return try take(name) { node throws(FerryError) in
      let target = try object.resolved(node)
      guard case .uid = try object.nodes.kind(of: node),
        case .dictionary(let count) = try object.nodes.kind(of: target), count == 2,
        let type = try object.objects.type(of: target, count: count), type.inherits(from: "NSArray"),
        let list = try object.nodes.value("NS.objects", of: target),
        case .array(let size) = try object.nodes.kind(of: list)
      else { return nil }
      var elements: [NodeID] = []
      for index in 0..<size { elements.append(try object.nodes.element(index, of: list)) }
      return elements
    }
  }

  /// Returns the node of the scalar in an object of a class, or the node itself if it is a scalar.
  private func scalar(
    resolving node: NodeID, of name: String, keys: [String]
  ) throws(FerryError) -> NodeID? {
    let target = try resolved(node)
    guard case .dictionary(let count) = try nodes.kind(of: target) else { return target }
    guard count == 2, let type = try objects.type(of: target, count: count), type.inherits(from: name) else {
      return nil
    }
    var inner = try ArchivedObject(type, at: target, count: count, in: objects)
    return try inner.take(anyOf: keys)
  }

  // MARK: Examining without taking

  /// Returns true if a key exists and remains.
  func has(_ name: String) throws(FerryError) -> Bool {
    let archived = name.asArchivedKey
    if named[archived] != nil { return true }
    return try index(of: archived) != nil
  }

  /// Returns the object that a reference refers to, or the node itself if it is not a reference.
  func resolved(_ node: NodeID) throws(FerryError) -> NodeID {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return node }
    return try objects.node(of: uid, referredFrom: node)
  }

  /// Returns the node of a remaining key's value, without taking the key.
  func node(_ name: String) throws(FerryError) -> NodeID? {
    let archived = name.asArchivedKey
    if let node = named[archived] { return node }
    return try index(of: archived).map { keys[$0].value }
  }

  /// Returns the kind of a node.
  func kind(of node: NodeID) throws(FerryError) -> NodeKind { try nodes.kind(of: node) }

  /// Returns the class of the object that a node refers to, or nil if it has no class.
  func type(resolving node: NodeID) throws(FerryError) -> ObjectClass? {
    let target = try resolved(node)
    guard case .dictionary(let count) = try nodes.kind(of: target) else { return nil }
    return try objects.type(of: target, count: count)
  }

  /// Returns the value of a node.
  func value(of node: NodeID) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    var reader = ArchiveReader(
      objects, into: builder, sharing: .leavesInFull, budget: nodes.budget, decodedForms: .all)
    try reader.read(from: node)
    return try builder.result()
  }
}
