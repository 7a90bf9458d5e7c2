/// A location in a property list: a node, and the trail that leads to it.
struct ValueLocation {
  var trail: NodeTrail
  var node: NodeID
  /// True if the location is an archived key of an object. There, UID 0 means nil; in a collection, it means
  /// an NSNull.
  var isField = false
  /// True if the location is a key of a dictionary, which can be read but not changed.
  var isKey = false
  /// The steps from an object's decoded form to a part that does not exist as a node in the archive.
  var inner: [ValuePath.Step] = []

  /// Returns the location of a child of the node.
  func child(_ child: NodeTrail.Child, in nodes: any PropertyListNodes, isField: Bool = false)
    throws(FerryError) -> ValueLocation
  {
    ValueLocation(trail: trail.appending(child), node: try nodes.node(child, of: node), isField: isField)
  }

  /// Returns the location of a part of the decoded form at this location.
  func part(_ step: ValuePath.Step) -> ValueLocation {
    ValueLocation(trail: trail, node: node, inner: inner + [step])
  }
}

/// The children of a decoded value: elements or entries, independent of the layout of the collection in the
/// archive.
///
///     [1, 2]                                         elements of the node itself
///     {NS.objects: [@2, @3], $class: @4}             elements of the node in NS.objects
///     {NS.object.0: @2, NS.object.1: @3, …}          elements that are the object's own entries
///     {NS.keys: [@2], NS.objects: [@3], …}           entries with keys in one node and values in another
///     {NS.key.0: @2, NS.object.0: @3, …}             entries that are two entries of the object
///     {first: @2, …}                                 entries of the node itself: a record of some class
enum NodeParts {
  case none
  /// The elements of an array or a set.
  case elements(of: ValueLocation, count: Int)
  /// Elements that are stored as entries of the object, with the indices of these entries.
  case numbered(in: ValueLocation, entries: [Int])
  /// The entries of a dictionary, or the archived keys of an object.
  case entries(of: ValueLocation, count: Int, isObject: Bool)
  case pairs(keys: ValueLocation, values: ValueLocation, count: Int)
  case numberedPairs(in: ValueLocation, keys: [Int], values: [Int])
  /// The elements of a list that is an object's decoded form or a part of it.
  case decodedObject(in: ValueLocation, count: Int)

  /// The number of parts.
  var count: Int {
    switch self {
    case .none: 0
    case .elements(_, let count), .entries(_, let count, _), .pairs(_, _, let count),
      .decodedObject(_, let count):
      count
    case .numbered(_, let entries): entries.count
    case .numberedPairs(_, _, let values): values.count
    }
  }

  /// True if the parts are selected by index, false if by key.
  var isList: Bool {
    switch self {
    case .elements, .numbered, .decodedObject: true
    default: false
    }
  }

  /// Returns the location of the part at an index.
  func location(_ index: Int, in nodes: any PropertyListNodes) throws(FerryError) -> ValueLocation {
    switch self {
    case .none: throw FerryError(.path(.noElement(index, count: 0)))
    case .elements(let list, _): try list.child(.element(index), in: nodes)
    case .numbered(let object, let entries): try object.child(.value(entries[index]), in: nodes)
    case .entries(let location, _, let isObject):
      try location.child(.value(index), in: nodes, isField: isObject)
    case .pairs(_, let values, _): try values.child(.element(index), in: nodes)
    case .numberedPairs(let object, _, let values): try object.child(.value(values[index]), in: nodes)
    case .decodedObject(let object, _): object.part(.index(index))
    }
  }

  /// Returns the location of an entry's key. Returns nil if the parts are elements, or if the keys are
  /// strings of the dictionary itself.
  func keyLocation(_ index: Int, in nodes: any PropertyListNodes) throws(FerryError) -> ValueLocation? {
    var location: ValueLocation
    switch self {
    case .none, .elements, .numbered, .decodedObject, .entries: return nil
    case .pairs(let keys, _, _): location = try keys.child(.element(index), in: nodes)
    case .numberedPairs(let object, let keys, _): location = try object.child(.value(keys[index]), in: nodes)
    }
    location.isKey = true
    return location
  }

  /// Returns the node of an entry's key, or nil if the parts are elements.
  func key(_ index: Int, in nodes: any PropertyListNodes) throws(FerryError) -> NodeID? {
    switch self {
    case .none, .elements, .numbered, .decodedObject: nil
    case .entries(let location, _, _): try nodes.key(index, of: location.node)
    case .pairs(let keys, _, _): try nodes.element(index, of: keys.node)
    case .numberedPairs(let object, let keys, _): try nodes.value(keys[index], of: object.node)
    }
  }
}

extension NodeParts {
  /// Finds the parts of a node in a property list.
  init(of location: ValueLocation, in nodes: any PropertyListNodes) throws(FerryError) {
    switch try nodes.kind(of: location.node) {
    case .array(let count), .set(let count): self = .elements(of: location, count: count)
    case .dictionary(let count): self = .entries(of: location, count: count, isObject: false)
    default: self = .none
    }
  }

  /// Finds the parts of an object in an archive.
  init(of location: ValueLocation, type: ObjectClass, in nodes: any PropertyListNodes) throws(FerryError) {
    guard case .dictionary(let count) = try nodes.kind(of: location.node) else {
      self = .none
      return
    }
    self = .entries(of: location, count: count, isObject: true)
    // A malformed collection shows its archived keys.
    guard let collection = (try? ArchivedCollection(location.node, type, in: nodes)) ?? nil,
      collection.isWhole
    else {
      return
    }
    switch collection.layout {
    case .inline: break
    case .together(let values, nil):
      self = .elements(of: try location.child(.value(values.entry), in: nodes), count: collection.count)
    case .together(let values, let keys?):
      self = .pairs(
        keys: try location.child(.value(keys.entry), in: nodes),
        values: try location.child(.value(values.entry), in: nodes), count: collection.count)
    case .apart(let entries):
      self =
        collection.kind == .dictionary
        ? .numberedPairs(in: location, keys: entries.keys, values: entries.elements)
        : .numbered(in: location, entries: entries.elements)
    }
  }
}
