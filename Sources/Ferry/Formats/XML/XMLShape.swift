/// The shape of a document: the paths of elements that repeat. A reader needs the shape before it can read
/// the first of such elements as an array.
///
/// A first pass over the document finds the shape; `XMLValueReader` reads the document a second time.
///
///     let shape = XMLShape()
///     try XMLStream(document: shape).readAll(bytes.span)
///     try XMLValueReader(into: sink, shape: shape).readAll(bytes.span)
///
/// The shape is a tree of the paths of element names, independent of the number of elements. A path repeats
/// if two elements with that path have the same parent anywhere in the document:
///
///     <people><person><name/></person><person><name/><name/></person></people>
///
///     people
///       person    repeats
///         name    repeats: every name of every person is in an array
public final class XMLShape: ElementDelegate {
  private(set) var paths: XMLPaths

  /// Creates an empty shape for one document.
  public init(budget: Budget = Budget()) {
    paths = XMLPaths(limit: budget.names)
    super.init()
  }

  public override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    try paths.start(child.name, hasAttributes: child.attributeCount > 0)
    return self
  }

  public override func didEnd() { paths.end() }
}

/// The paths of element names in a document.
struct XMLPaths {
  struct Path {
    /// The name as written, and as a key.
    var name: String
    var key: [UInt8]
    var parent: Int
    /// True if two elements with this path have the same parent.
    var repeats = false
    /// True if an element with this path has attributes or children.
    var isDictionary = false
    /// True if a child with another name is between two children with this name.
    var isScattered = false
    /// The last parent with this path, counted among all elements.
    var lastParent = -1
    /// The last paths seen as first child, and as next sibling. The next element is likely to have the same.
    var firstChild = 0
    var nextSibling = 0
  }

  private struct Key: Hashable {
    var parent: Int
    var name: ExactString
  }

  private struct Open {
    var path: Int
    var element: Int
    var lastChild = 0
  }

  /// The paths. The first one is the document's, and its own parent.
  private var paths = [Path(name: "", key: [], parent: 0)]
  private var index: [Key: Int] = [:]
  private var open = [Open(path: 0, element: 0)]
  private var elements = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(path: Int) -> Path { paths[path] }

  /// Returns the path of a child element; nil if the document has none.
  func child(_ name: XMLName, of parent: Int, after sibling: Int) -> Int? {
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    if likely != 0, paths[likely].parent == parent, paths[likely].name.equals(name.qualified) {
      return likely
    }
    return index[Key(parent: parent, name: ExactString(name.qualified))]
  }

  /// Starts an element.
  mutating func start(_ name: XMLName, hasAttributes: Bool = false) throws(FerryError) {
    let parent = open[open.count - 1]
    let path = try self.path(name, of: parent.path, after: parent.lastChild)
    if paths[path].lastParent == parent.element {
      paths[path].repeats = true
      if parent.lastChild != path { paths[parent.path].isScattered = true }
    }
    paths[path].lastParent = parent.element
    if parent.lastChild == 0 {
      paths[parent.path].firstChild = path
    } else {
      paths[parent.lastChild].nextSibling = path
    }
    open[open.count - 1].lastChild = path
    paths[parent.path].isDictionary = true
    if hasAttributes { paths[path].isDictionary = true }
    elements += 1
    open.append(Open(path: path, element: elements))
  }

  private mutating func path(_ name: XMLName, of parent: Int, after sibling: Int) throws(FerryError) -> Int {
    if let path = child(name, of: parent, after: sibling) { return path }
    guard paths.count <= limit else { throw FerryError(.overBudget(.names(limit))) }
    let qualified = name.qualified
    index[Key(parent: parent, name: ExactString(qualified))] = paths.count
    paths.append(Path(name: qualified, key: XMLKeyName.key(for: qualified.utf8.span), parent: parent))
    return paths.count - 1
  }

  /// True if the root element encloses a list: its children have one name, and are more than text.
  var isListUnderRoot: Bool {
    let children = paths.indices.dropFirst(2).filter { paths[$0].parent == 1 }
    return children.count == 1 && paths[children[0]].isDictionary
  }

  /// Ends the innermost element, or the document.
  mutating func end() {
    if open.count > 1 { open.removeLast() }
  }
}
