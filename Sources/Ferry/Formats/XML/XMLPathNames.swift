/// The paths of elements in several parts of a document, each of which counts once for the budget.
///
///     <a><b/></a>  +  <a><c/></a>     a, a/b, a/c
struct XMLPathNames: Sendable {
  /// A path: the number of the path of the parent, and the name of the elements. The path of the document has the number 0.
  struct Path: Hashable, Sendable {
    let parent: Int
    let name: ExactString
  }

  /// The numbers of the paths, from 1 on.
  private var numbers: [Path: Int] = [:]

  /// The number of paths.
  var count: Int { numbers.count }

  /// Returns the number of a path, or nil if it is not among these.
  func number(of path: Path) -> Int? { numbers[path] }

  /// Returns the first paths that were added.
  func first(_ count: Int) -> XMLPathNames {
    var paths = self
    if count < self.count { paths.numbers = numbers.filter { $0.value <= count } }
    return paths
  }

  /// Adds the paths of a part in the order of their numbers in it. The path of a parent is before those of its children.
  mutating func add(_ paths: [Path]) {
    var known = [0]
    for path in paths {
      let path = Path(parent: known[path.parent], name: path.name)
      let number = numbers[path] ?? numbers.count + 1
      numbers[path] = number
      known.append(number)
    }
  }
}

/// The names in a part of an XML document, and the paths in its selected elements, which count for the budget.
struct XMLPartNames: Sendable {
  var names: [XMLName]
  var paths: [XMLPathNames.Path] = []
}

/// The names and paths in the earlier parts of an XML document.
struct XMLNamesBefore: Sendable {
  var names: [XMLName] = []
  var paths = XMLPathNames()
}

/// The names and paths in several parts of an XML document, which together may have as many as a budget allows.
struct XMLJoinedNames: ~Copyable {
  private var table: XMLNameTable
  private var paths = XMLPathNames()
  private let limit: Int
  /// The numbers of names and of paths in the parts that were joined.
  private var joinedCounts = (names: 0, paths: 0)

  init(budget: Budget) {
    table = XMLNameTable(budget: budget)
    limit = budget.names
  }

  /// Adds the names and paths in the next part; nil if it is not XML. Returns false if they exceed the budget.
  mutating func add(_ part: XMLPartNames?) -> Bool {
    guard let part else { return true }
    table.add(part.names)
    paths.add(part.paths)
    return !table.isOverBudget && paths.count <= limit
  }

  /// Counts the added names and paths for the rest of the document.
  mutating func join() { joinedCounts = (table.names.count, paths.count) }

  /// The names and paths in the parts that were joined.
  var joined: XMLNamesBefore {
    XMLNamesBefore(
      names: Array(table.names.prefix(joinedCounts.names)), paths: paths.first(joinedCounts.paths))
  }
}
