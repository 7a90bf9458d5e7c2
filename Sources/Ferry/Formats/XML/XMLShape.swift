/// Which elements of a document repeat: what has to be known before the first of them can be read as an
/// array.
///
/// A shape is found by reading the document once; `XMLValueReader` then reads it a second time.
///
///     let shape = XMLShape()
///     try XMLStream(document: shape).readAll(bytes.span)
///     try XMLValueReader(into: sink, shape: shape).readAll(bytes.span)
///
/// It is a tree of the paths of element names, whatever the number of elements. A path repeats when two
/// elements with that path have the same parent, anywhere in the document:
///
///     <people><person><name/></person><person><name/><name/></person></people>
///
///     people
///       person    repeats
///         name    repeats: every name of every person is in an array
public final class XMLShape: ElementDelegate {
  private(set) var paths: XMLPaths

  /// An empty shape, ready to read one document.
  public init(budget: Budget = Budget()) {
    paths = XMLPaths(limit: budget.names)
    super.init()
  }

  public override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    try paths.start(child.name, hasAttributes: child.attributeCount > 0)
    return self
  }

  public override func didEnd() { paths.end() }
}

/// The paths of element names that a document has.
struct XMLPaths {
  struct Path {
    /// The name as it is written, and as a key.
    var name: String
    var key: [UInt8]
    var parent: Int
    /// Two elements with this path have the same parent.
    var repeats = false
    /// An element with this path has attributes or children.
    var isDictionary = false
    /// Between two children of the same name there is another.
    var isScattered = false
    /// The parent, counted among all elements, in which this path was met last.
    var lastParent = -1
    /// The paths that were met last as first child, and as next sibling: the next element is likely to be the
    /// same.
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

  /// The first is the document's, and its own parent.
  private var paths = [Path(name: "", key: [], parent: 0)]
  private var index: [Key: Int] = [:]
  private var open = [Open(path: 0, element: 0)]
  private var elements = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(path: Int) -> Path { paths[path] }

  /// The path of a child element; nil when the document has none such.
  func child(_ name: XMLName, of parent: Int, after sibling: Int) -> Int? {
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    if likely != 0, paths[likely].parent == parent, paths[likely].name.equals(name.qualified) {
      return likely
    }
    return index[Key(parent: parent, name: ExactString(name.qualified))]
  }

  /// An element starts.
  mutating func start(_ name: XMLName, hasAttributes: Bool = false) throws(Failure) {
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

  private mutating func path(_ name: XMLName, of parent: Int, after sibling: Int) throws(Failure) -> Int {
    if let path = child(name, of: parent, after: sibling) { return path }
    guard paths.count <= limit else { throw Failure(.overBudget(.names(limit))) }
    let qualified = name.qualified
    index[Key(parent: parent, name: ExactString(qualified))] = paths.count
    paths.append(Path(name: qualified, key: XMLKeyName.key(for: qualified.utf8.span), parent: parent))
    return paths.count - 1
  }

  /// True if the root element is around a list: its children have one name, and are more than text.
  var isListUnderRoot: Bool {
    let children = paths.indices.dropFirst(2).filter { paths[$0].parent == 1 }
    return children.count == 1 && paths[children[0]].isDictionary
  }

  /// The element started last ends, or the document.
  mutating func end() {
    if open.count > 1 { open.removeLast() }
  }
}
