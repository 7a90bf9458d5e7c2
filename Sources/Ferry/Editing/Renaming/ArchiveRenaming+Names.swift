extension ArchiveRenaming {
  /// The class names in archives, and the keys of the classes whose keys are to be renamed. They are used to
  /// find the rules of a renaming that match nothing.
  public struct Names: Hashable, Sendable {
    var classes: Set<ExactString> = []
    private var keys: [ExactString: Set<ExactString>] = [:]

    /// Creates an empty set of names.
    public init() {}

    /// Adds the names that another archive contains.
    public mutating func formUnion(_ other: Names) {
      classes.formUnion(other.classes)
      keys.merge(other.keys) { $0.union($1) }
    }

    /// Adds the archived keys of an object of a class or a subclass.
    mutating func addKeys(of node: NodeID, _ name: String, count: Int, _ nodes: any PropertyListNodes)
      throws(FerryError)
    {
      for index in 0..<count {
        guard let key = try nodes.string(nodes.key(index, of: node)) else { continue }
        keys[name, default: []].insert(key)
      }
    }

    /// Returns true if a class or a superclass has the name.
    public func hasClass(_ name: String) -> Bool { classes.contains(name) }

    /// Returns true if an object of the class has the key.
    public func hasKey(_ key: String, ofClass name: String) -> Bool { keys[name]?.contains(key) == true }

    /// Returns the class name nearest to `name`, or nil if none is similar.
    public func nearestClass(to name: String) -> String? {
      NearMiss.nearest(to: name, among: classes.sorted().lazy.map(\.string))
    }

    /// Returns the key nearest to `key` among those of a class's objects, or nil if none is similar.
    public func nearestKey(to key: String, ofClass name: String) -> String? {
      NearMiss.nearest(
        to: key, among: keys[name, default: []].filter { !$0.string.begins(with: "$") }.sorted().map(\.string)
      )
    }
  }
}
