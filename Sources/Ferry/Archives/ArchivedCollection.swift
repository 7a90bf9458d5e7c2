/// A collection in an archive, in any of the layouts that archivers use.
///
///     [1, 2]                                         inline: elements of the node itself
///     {NS.objects: [@2, @3], $class: @4}             elements of the node in NS.objects
///     {NS.object.0: @2, NS.object.1: @3, …}          elements that are the object's own entries
///     {NS.keys: [@2], NS.objects: [@3], …}           keys in one node, values in another
///     {NS.key.0: @2, NS.object.0: @3, …}             keys and values that are entries of the object
struct ArchivedCollection {
  enum Kind {
    case array, set, dictionary
  }

  /// The layout of the elements or pairs.
  enum Layout {
    case inline
    /// Arrays under keys of the object: for each array, the index of the entry and its node.
    case together(values: (entry: Int, node: NodeID), keys: (entry: Int, node: NodeID)?)
    /// One entry of the object for each element, key or value.
    case apart(NumberedEntries)
  }

  let kind: Kind
  let layout: Layout
  /// The number of elements or pairs.
  let count: Int
  /// True if the object has no keys other than those of the collection.
  let isWhole: Bool
  private let node: NodeID

  /// Opens a collection. Fails if the node is a scalar, or an object that is not a collection.
  ///
  /// - Throws: A `FerryError` with the reason `ArchiveProblem.badCollection` if the numbers of keys and values differ.
  init?(_ node: NodeID, _ type: ObjectClass?, in nodes: any PropertyListNodes) throws(FerryError) {
    self.node = node
    guard let type, case .dictionary(let size) = try nodes.kind(of: node) else {
      guard type == nil, let (kind, count) = try nodes.kind(of: node).collection else { return nil }
      (self.kind, self.count, layout, isWhole) = (kind, count, .inline, true)
      return
    }
    guard let kind = Kind(of: type) else { return nil }
    self.kind = kind
    let isDictionary = kind == .dictionary
    if let values = try Self.list("NS.objects", of: node, nodes) {
      let keys = isDictionary ? try Self.list("NS.keys", of: node, nodes) : nil
      guard !isDictionary || keys?.count == values.count else {
        throw FerryError(
          .archive(.badCollection("the dictionary has not as many keys as values")),
          at: nodes.location(of: node))
      }
      count = values.count
      layout = .together(values: (values.entry, values.node), keys: keys.map { ($0.entry, $0.node) })
      isWhole = size == (isDictionary ? 3 : 2)
      return
    }
    guard let entries = try nodes.numberedEntries(of: node, count: size, isDictionary: isDictionary) else {
      return nil
    }
    (count, layout, isWhole) = (entries.elements.count, .apart(entries), true)
  }

  private static func list(_ name: StaticString, of node: NodeID, _ nodes: any PropertyListNodes)
    throws(FerryError)
    -> (entry: Int, node: NodeID, count: Int)?
  {
    guard let entry = try nodes.entry(name, of: node) else { return nil }
    let list = try nodes.value(entry, of: node)
    guard case .array(let count) = try nodes.kind(of: list) else { return nil }
    return (entry, list, count)
  }

  /// The array whose elements are those of the collection; nil for a dictionary, and for elements that are entries of the
  /// object.
  var list: NodeID? {
    switch layout {
    case .inline where kind != .dictionary: node
    case .together(let values, _) where kind != .dictionary: values.node
    default: nil
    }
  }

  /// Returns the node of an element, or of the value of a pair. The index must be less than `count`.
  func element(_ index: Int, in nodes: any PropertyListNodes) throws(FerryError) -> NodeID {
    switch layout {
    case .inline where kind == .dictionary: try nodes.value(index, of: node)
    case .inline: try nodes.element(index, of: node)
    case .together(let values, _): try nodes.element(index, of: values.node)
    case .apart(let entries): try nodes.value(entries.elements[index], of: node)
    }
  }

  /// Returns the node of the key of a pair, or of the element of an array or a set. The index must be less
  /// than `count`.
  func key(_ index: Int, in nodes: any PropertyListNodes) throws(FerryError) -> NodeID {
    switch layout {
    case .inline where kind == .dictionary: try nodes.key(index, of: node)
    case .together(_, let keys?): try nodes.element(index, of: keys.node)
    case .apart(let entries) where kind == .dictionary: try nodes.value(entries.keys[index], of: node)
    default: try element(index, in: nodes)
    }
  }
}

extension ArchivedCollection.Kind {
  /// Finds the kind of collection of a class. Fails if the class is not a collection with an archived layout
  /// like these; a counted set, for example, also has counts.
  init?(of type: ObjectClass) {
    // An archive may list only the mutable class, without its superclasses.
    func inherits(_ name: String) -> Bool {
      type.inherits(from: "NS\(name)") || type.inherits(from: "NSMutable\(name)")
    }
    if type.isDictionary {
      self = .dictionary
    } else if inherits("Array") || inherits("OrderedSet") {
      self = .array
    } else if inherits("Set"), !type.inherits(from: "NSCountedSet") {
      self = .set
    } else {
      return nil
    }
  }
}

extension ObjectClass {
  /// True if the class is a dictionary, whose keys and values an archive has in two lists.
  var isDictionary: Bool {
    inherits(from: "NSDictionary") || inherits(from: "NSMutableDictionary")
  }
}

extension NodeKind {
  /// The kind and the count of an inline collection, or nil for other nodes.
  fileprivate var collection: (ArchivedCollection.Kind, count: Int)? {
    switch self {
    case .array(let count): (.array, count)
    case .set(let count): (.set, count)
    case .dictionary(let count): (.dictionary, count)
    default: nil
    }
  }
}
