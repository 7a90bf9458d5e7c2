/// The references between the objects of an archive, for example for drawing them.
///
///     let graph = inspection.archive!.graph
///     graph.roots                  // [1]
///     graph.objects[1].kind        // .object
///     graph.references(from: 1)    // [(key: "NS.objects", object: 2), (key: "NS.objects", object: 5)]
///
/// Objects are identified by their numbers in `$objects`. References to classes are left out: each object has
/// the index of its class instead. A reference inside an inline value counts as a reference of the object,
/// under the key of the inline value.
public struct ObjectGraph: Hashable, Sendable {
  /// An object, with the properties that a drawing needs.
  public struct Object: Hashable, Sendable {
    /// The kind of the object, or nil if it cannot be read.
    public internal(set) var kind: ValueKind?
    /// The index of the object's class in the archive's `classes`, or nil if the object has no class.
    public internal(set) var classIndex: Int?
    /// True if the object describes a class.
    public internal(set) var isDescription = false
  }

  /// A reference from one object to another.
  public struct Reference: Hashable, Sendable {
    /// The key of the reference.
    public let key: String
    /// The number of the target in `$objects`.
    public let object: Int
  }

  /// The objects by number; the first is `$null`.
  public internal(set) var objects: [Object] = []
  /// The objects that `$top` refers to.
  public internal(set) var roots: [Int] = []
  /// True if the graph contains all references. Only a hostile file, with more references than bytes, has an
  /// incomplete graph.
  public internal(set) var isComplete = true
  var edges = Adjacency()
  /// For each edge, the number of its key's name plus one, or 0 if the name was not stored.
  var labels: [UInt32] = []
  var names: [String] = []

  /// The number of references.
  public var referenceCount: Int { labels.count }

  /// Returns the references of an object in order. Returns an empty array if there is no such object.
  public func references(from object: Int) -> [Reference] {
    guard objects.indices.contains(object) else { return [] }
    return edges.range(of: object).map { edge in
      let label = Int(labels[edge])
      return Reference(key: label == 0 ? "…" : names[label - 1], object: edges.target(edge))
    }
  }
}
