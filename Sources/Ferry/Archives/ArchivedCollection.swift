/// A collection of an archive, whichever way archivers lay it out.
///
///     [1, 2]                                         in place: elements of the node itself
///     {NS.objects: [@2, @3], $class: @4}             elements of the node in NS.objects
///     {NS.object.0: @2, NS.object.1: @3, …}          elements that are the object's own entries
///     {NS.keys: [@2], NS.objects: [@3], …}           keys in one node, values in another
///     {NS.key.0: @2, NS.object.0: @3, …}             keys and values that are entries of the object
struct ArchivedCollection {
  enum Kind {
    case array, set, dictionary
  }

  /// Where the parts are. Entries are those of the object, by their numbers.
  enum Layout {
    case inPlace
    /// In arrays under keys of the object: the entry and the node of each.
    case together(values: (entry: Int, node: Int), keys: (entry: Int, node: Int)?)
    /// In an entry for each.
    case apart(NumberedEntries)
  }

  let kind: Kind
  let layout: Layout
  /// How many elements, or pairs, there are.
  let count: Int
  /// Whether the object holds nothing else.
  let isWhole: Bool
  private let node: Int

  /// Nil when the node is no collection: a scalar, or an object of another class.
  ///
  /// - Throws: `ArchiveProblem.badCollection` for a dictionary that has not as many keys as values.
  init?(_ node: Int, _ type: ObjectClass?, in nodes: any PropertyListNodes) throws(Failure) {
    self.node = node
    guard let type, case .dictionary(let size) = try nodes.kind(of: node) else {
      guard type == nil, let (kind, count) = try nodes.kind(of: node).collection else { return nil }
      (self.kind, self.count, layout, isWhole) = (kind, count, .inPlace, true)
      return
    }
    guard let kind = Kind(of: type) else { return nil }
    self.kind = kind
    let isDictionary = kind == .dictionary
    if let values = try Self.list("NS.objects", of: node, nodes) {
      let keys = isDictionary ? try Self.list("NS.keys", of: node, nodes) : nil
      guard !isDictionary || keys?.count == values.count else {
        throw Failure(
          .archive(.badCollection("the dictionary has not as many keys as values")),
          at: nodes.position(of: node))
      }
      count = values.count
      layout = .together(values: (values.entry, values.node), keys: keys.map { ($0.entry, $0.node) })
      isWhole = size == (isDictionary ? 3 : 2)
      return
    }
    guard let entries = try NumberedEntries(of: node, count: size, in: nodes, isDictionary: isDictionary)
    else {
      return nil
    }
    (count, layout, isWhole) = (entries.elements.count, .apart(entries), true)
  }

  private static func list(_ name: StaticString, of node: Int, _ nodes: any PropertyListNodes) throws(Failure)
    -> (entry: Int, node: Int, count: Int)?
  {
    guard let entry = try nodes.entry(name, of: node) else { return nil }
    let list = try nodes.value(entry, of: node)
    guard case .array(let count) = try nodes.kind(of: list) else { return nil }
    return (entry, list, count)
  }

  /// The node of the element, or value, at an index below the count.
  func element(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int {
    switch layout {
    case .inPlace where kind == .dictionary: try nodes.value(index, of: node)
    case .inPlace: try nodes.element(index, of: node)
    case .together(let values, _): try nodes.element(index, of: values.node)
    case .apart(let entries): try nodes.value(entries.elements[index], of: node)
    }
  }

  /// The node of the key at an index below the count; of an array or a set, the element's.
  func key(_ index: Int, in nodes: any PropertyListNodes) throws(Failure) -> Int {
    switch layout {
    case .inPlace where kind == .dictionary: try nodes.key(index, of: node)
    case .together(_, let keys?): try nodes.element(index, of: keys.node)
    case .apart(let entries) where kind == .dictionary: try nodes.value(entries.keys[index], of: node)
    default: try element(index, in: nodes)
    }
  }
}

extension ArchivedCollection.Kind {
  /// What objects of a class are, nil for classes that are no collections. A counted set has counts besides.
  init?(of type: ObjectClass) {
    if type.inherits(from: "NSDictionary") {
      self = .dictionary
    } else if type.inherits(from: "NSArray") || type.inherits(from: "NSOrderedSet") {
      self = .array
    } else if type.inherits(from: "NSSet"), !type.inherits(from: "NSCountedSet") {
      self = .set
    } else {
      return nil
    }
  }
}

extension NodeKind {
  /// What a collection in place is, and how many elements or entries it has.
  fileprivate var collection: (ArchivedCollection.Kind, count: Int)? {
    switch self {
    case .array(let count): (.array, count)
    case .set(let count): (.set, count)
    case .dictionary(let count): (.dictionary, count)
    default: nil
    }
  }
}
