/// Which object of an archive refers to which: what a drawing of it needs.
///
///     let graph = inspection.archive!.graph
///     graph.roots                  // [1]
///     graph.objects[1].kind        // .object
///     graph.references(from: 1)    // [(key: "NS.objects", object: 2), (key: "NS.objects", object: 5)]
///
/// Objects have their numbers in `$objects`. References to classes are not among the references: an object knows its class.
/// What an object holds in place is looked through, and its references are the object's, under the key it stands at.
public struct ObjectGraph: Sendable {
  /// An object, as far as a drawing needs it.
  public struct Object: Hashable, Sendable {
    /// What it is; nil when it cannot be read.
    public internal(set) var kind: ValueKind?
    /// The place of its class in the archive's `classes`; nil when it has none.
    public internal(set) var classIndex: Int?
    /// Whether it is the description of a class.
    public internal(set) var isDescription = false
  }

  /// A reference from an object to another.
  public struct Reference: Hashable, Sendable {
    /// The key it stands at.
    public let key: String
    /// The object's number in `$objects`.
    public let object: Int
  }

  /// The objects, by their numbers; the first is `$null`.
  public internal(set) var objects: [Object] = []
  /// The objects that `$top` refers to.
  public internal(set) var roots: [Int] = []
  /// Whether all references are here; a hostile file may have more of them than it has bytes.
  public internal(set) var isComplete = true
  var edges = Adjacency()
  /// For each edge, the number of its key's name plus one; 0 when the name is not kept.
  var labels: [UInt32] = []
  var names: [String] = []

  /// How many references there are.
  public var referenceCount: Int { labels.count }

  /// What an object refers to, in its order; nothing when there is no object of this number.
  public func references(from object: Int) -> [Reference] {
    guard objects.indices.contains(object) else { return [] }
    return edges.range(of: object).map { edge in
      let label = Int(labels[edge])
      return Reference(key: label == 0 ? "…" : names[label - 1], object: edges.target(edge))
    }
  }
}
