/// An XPath that is matched while a document streams. It is one of the common kind:
///
///     /people/person      //person      //people/*/name      /feed/_:entry[2]
///     //person[@id]       //person[@id='7'][1]               //person | //company
///     /people/*           //*[@id='7']                       people/person
///
/// A path consists of `/` or `//` and steps. Without `/`, it begins at the document. A step is a name or `*`. The prefix `_` has
/// the default namespace of the root element, other prefixes have the namespaces that are given for them, and a name without
/// a prefix has no namespace. The conditions of a step are attributes without a prefix, and positions.
struct XPathPattern: Hashable, Sendable {
  /// A step of a path.
  struct Step: Hashable, Sendable {
    /// True if the step follows `//`, so that the element may be at any depth.
    var isAtAnyDepth: Bool
    /// The local name of the element, or nil for `*`.
    var name: String?
    var namespace = Namespace.none
    var conditions: [Condition] = []

    /// True if the position of an element among others decides whether it is selected.
    fileprivate var hasPosition: Bool {
      conditions.contains { if case .position = $0 { true } else { false } }
    }
  }

  /// The namespace of the name in a step.
  enum Namespace: Hashable, Sendable {
    case none
    /// The default namespace of the root element.
    case ofRoot
    case uri(String)

    /// Returns true if a name of a document is in the namespace.
    ///
    /// - Parameter defaultNamespace: The default namespace of the root element.
    func contains(_ name: XMLName, defaultNamespace: String?) -> Bool {
      let namespace: String? =
        switch self {
        case .none: nil
        case .ofRoot: defaultNamespace
        case .uri(let uri): uri
        }
      return (name.namespace ?? "").equals(namespace ?? "")
    }
  }

  /// A condition in brackets.
  enum Condition: Hashable, Sendable {
    /// The element has an attribute, with this value unless it is nil.
    case attribute(String, value: String?)
    /// The element is the one at this position, counted from 1, among its siblings that fulfill the name and the
    /// conditions before this one.
    case position(Int)
  }

  /// The paths, joined by `|`.
  let paths: [[Step]]

  /// True if a name has the prefix `_`.
  var usesDefaultNamespace: Bool { paths.contains { $0.contains { $0.namespace == .ofRoot } } }

  /// True if a step has conditions.
  var hasConditions: Bool { paths.contains { $0.contains { !$0.conditions.isEmpty } } }

  /// Returns true if the children of a root element do not decide which elements are selected from each other, and if the root element is not
  /// selected: for `/people/person[@id]` and `//person`, but not for `/people/person[2]`.
  ///
  /// - Parameter root: The local name of the root element.
  func selectsAlone(inChildrenOf root: Span<UInt8>) -> Bool {
    paths.allSatisfy { path in
      guard let last = path.last, !path.contains(where: \.hasPosition) else { return false }
      guard last.isAtAnyDepth || path.count == 1 else { return true }
      return last.name.map { !root.equals($0.utf8.span) } ?? false
    }
  }

  /// The local names of the elements that the paths select; nil if they may have any name.
  var names: [String]? {
    let names = paths.compactMap { $0.last?.name }
    return names.count == paths.count ? names : nil
  }
}
