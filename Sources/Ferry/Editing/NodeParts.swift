/// A place in a property list: the trail to it and the node that stands there.
struct PathPlace {
  var trail: NodeTrail
  var node: Int
  /// Whether an object's own archived key leads here, where nothing is UID 0; in a collection it is an NSNull.
  var isField = false
  /// The steps from what the object here means to a part of that which is no place of the archive by itself.
  var inner: [ValuePath.Step] = []

  /// The place of a child of the node.
  func child(_ child: NodeTrail.Child, in nodes: any PropertyListNodes, isField: Bool = false)
    throws(Failure) -> PathPlace
  {
    PathPlace(trail: trail.appending(child), node: try nodes.node(child, of: node), isField: isField)
  }

  /// The place of a part of what the object here means.
  func part(_ step: ValuePath.Step) -> PathPlace {
    PathPlace(trail: trail, node: node, inner: inner + [step])
  }
}

/// What the parts of a value are, by meaning: however an archive stores a collection, it has elements or entries.
///
///     [1, 2]                                         elements of the node itself
///     {NS.objects: [@2, @3], $class: @4}             elements of the node in NS.objects
///     {NS.object.0: @2, NS.object.1: @3, …}          elements that are the object's own entries
///     {NS.keys: [@2], NS.objects: [@3], …}           entries whose keys are in one node and whose values in another
///     {NS.key.0: @2, NS.object.0: @3, …}             entries that are two entries of the object
///     {first: @2, …}                                 entries of the node itself: a record of some class
enum NodeParts {
  case none
  /// The elements of an array or a set.
  case elements(of: PathPlace, count: Int)
  /// Elements that are entries of the object, by the numbers of those entries.
  case numbered(in: PathPlace, entries: [Int])
  /// The entries of a dictionary, or the archived keys of an object.
  case entries(of: PathPlace, count: Int, isObject: Bool)
  case pairs(keys: PathPlace, values: PathPlace, count: Int)
  case numberedPairs(in: PathPlace, keys: [Int], values: [Int])
  /// The elements of a list that an object means, or that is a part of what it means.
  case meant(in: PathPlace, count: Int)

  /// How many there are.
  var count: Int {
    switch self {
    case .none: 0
    case .elements(_, let count), .entries(_, let count, _), .pairs(_, _, let count), .meant(_, let count):
      count
    case .numbered(_, let entries): entries.count
    case .numberedPairs(_, _, let values): values.count
    }
  }

  /// Whether they have numbers instead of keys.
  var isList: Bool {
    switch self {
    case .elements, .numbered, .meant: true
    default: false
    }
  }

  /// The place of a part, by its number.
  func place(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> PathPlace {
    switch self {
    case .none: throw Failure(.path(.noElement(index, count: 0)))
    case .elements(let list, _): try list.child(.element(index), in: nodes)
    case .numbered(let object, let entries): try object.child(.value(entries[index]), in: nodes)
    case .entries(let place, _, let isObject):
      try place.child(.value(index), in: nodes, isField: isObject)
    case .pairs(_, let values, _): try values.child(.element(index), in: nodes)
    case .numberedPairs(let object, _, let values): try object.child(.value(values[index]), in: nodes)
    case .meant(let object, _): object.part(.index(index))
    }
  }

  /// The node of an entry's key, nil where parts have numbers.
  func key(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int? {
    switch self {
    case .none, .elements, .numbered, .meant: nil
    case .entries(let place, _, _): try nodes.key(index, of: place.node)
    case .pairs(let keys, _, _): try nodes.element(index, of: keys.node)
    case .numberedPairs(let object, let keys, _): try nodes.value(keys[index], of: object.node)
    }
  }
}

extension NodeParts {
  /// The parts of a node of a property list.
  init(of place: PathPlace, in nodes: any PropertyListNodes) throws(Failure) {
    switch try nodes.kind(of: place.node) {
    case .array(let count), .set(let count): self = .elements(of: place, count: count)
    case .dictionary(let count): self = .entries(of: place, count: count, isObject: false)
    default: self = .none
    }
  }

  /// The parts of an object of an archive.
  init(of place: PathPlace, type: ObjectClass, in nodes: any PropertyListNodes) throws(Failure) {
    guard case .dictionary(let count) = try nodes.kind(of: place.node) else {
      self = .none
      return
    }
    self = .entries(of: place, count: count, isObject: true)
    // What is no well-formed collection is shown by its archived keys.
    guard let collection = (try? ArchivedCollection(place.node, type, in: nodes)) ?? nil, collection.isWhole
    else {
      return
    }
    switch collection.layout {
    case .inPlace: break
    case .together(let values, nil):
      self = .elements(of: try place.child(.value(values.entry), in: nodes), count: collection.count)
    case .together(let values, let keys?):
      self = .pairs(
        keys: try place.child(.value(keys.entry), in: nodes),
        values: try place.child(.value(values.entry), in: nodes), count: collection.count)
    case .apart(let entries):
      self =
        collection.kind == .dictionary
        ? .numberedPairs(in: place, keys: entries.keys, values: entries.elements)
        : .numbered(in: place, entries: entries.elements)
    }
  }
}

extension PropertyListNodes {
  /// The number of a dictionary's entry, or nil.
  func entry(_ key: StaticString, of node: Int) throws(Failure) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    for index in 0..<count where try isString(self.key(index, of: node), key) { return index }
    return nil
  }
}
