/// The paths of elements in a document, and whether they repeat. A reader needs this information to read the
/// first of several elements as an element of an array.
///
/// A first pass over the document finds its shape. `XMLValueReader` then reads the document a second time.
///
///     let shape = XMLShape()
///     try XMLStream(document: shape).readAll(bytes.span)
///     try XMLValueReader(into: sink, shape: shape).readAll(bytes.span)
///
/// The shape is a tree of paths of element names, whose size does not depend on the number of elements. A
/// path repeats if anywhere in the document two elements with this path have the same parent:
///
///     <people><person><name/></person><person><name/><name/></person></people>
///
///     people
///       person    repeats
///         name    repeats, so the names of every person are read as an array
public final class XMLShape: ElementBatchDelegate {
  private(set) var paths: XMLPaths

  /// Creates an empty shape. It can be used for one document.
  public convenience init(budget: Budget = Budget(), options: XMLReadingOptions = XMLReadingOptions()) {
    self.init(budget: budget, options: options, findsMixedContent: false)
  }

  /// Creates an empty shape. With `findsMixedContent`, the paths show which elements contain text beside others.
  init(budget: Budget, options: XMLReadingOptions = XMLReadingOptions(), findsMixedContent: Bool) {
    paths = XMLPaths(limit: budget.names, options, findsMixedContent: findsMixedContent)
    super.init()
  }

  public override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    try paths.start(child.name, hasAttributes: child.attributeCount > 0)
    return self
  }

  public override func text(_ text: BorrowedText) {
    if paths.findsMixedContent, !text.isBlank { paths.noteText() }
  }

  public override func cdata(_ text: BorrowedText) { paths.noteText() }

  public override func comment(_ text: BorrowedText) { paths.noteItem() }

  public override func processingInstruction(target: BorrowedText, data: BorrowedText) { paths.noteItem() }

  public override func didEnd() { paths.end() }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    try paths.receive(events)
    for index in 0..<events.count where events[index].kind == .comment { markupLosses?.add(.comment) }
  }

  /// Forgets the shape of the document, for another one. The paths are kept, because it may have the same.
  func beginAnotherDocument() { paths.beginAnotherDocument() }
}

/// The paths of element names in a document.
struct XMLPaths {
  struct Path {
    /// The name in the style of the options. `key` is the name as a key.
    var name: String
    /// The number of the name as it occurred last, and of its table, by which names are compared faster than as text.
    var lastNumber = -1
    var lastTable = -1
    var key: [UInt8]
    var parent: Int
    /// True if somewhere two elements with this path have the same parent, or if it is always a list.
    var repeats = false
    /// True if the options make it a list everywhere.
    var isAlwaysList = false
    /// True if an element with this path has attributes or children.
    var isDictionary = false
    /// True if every byte of the key is less than 0x80.
    var isKeyASCII = false
    /// True if the key has no control characters, quotation marks or backslashes.
    var isKeyPlain = false
    /// True if somewhere an element with another name is between two elements with this path.
    var isScattered = false
    /// True if somewhere an element with this path contains text beside elements, comments or instructions.
    var isMixed = false
    /// The number of the last parent of an element with this path. Elements are counted in document order.
    var lastParent = -1
    /// The number of the document for which these properties were found.
    var document = 0
    /// The paths that last followed as the first child and as the next sibling. They are tried first.
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
    var hasText = false
    /// True if the element contains an element, a comment or an instruction.
    var hasItems = false
  }

  /// The paths. The first one is that of the document, which is its own parent.
  private var paths = [Path(name: "", key: [], parent: 0)]
  private var index: [Key: Int] = [:]
  private var open = [Open(path: 0, element: 0)]
  private var elements = 0
  private var document = 0
  private let limit: Int
  /// True if `isMixed` is found.
  let findsMixedContent: Bool
  /// The style of the names.
  let namespaces: XMLNamespaceStyle
  /// The keys at the ends of paths that are always lists.
  private let lists: [[ExactString]]

  init(
    limit: Int, _ options: XMLReadingOptions = XMLReadingOptions(), findsMixedContent: Bool = false
  ) {
    (self.limit, namespaces, self.findsMixedContent) = (limit, options.namespaces, findsMixedContent)
    lists = options.lists.map { path in
      path.steps.map { step in if case .key(let key) = step { ExactString(key) } else { ExactString("") } }
    }
  }

  subscript(path: Int) -> Path { _read { yield paths[path] } }

  /// Returns the path of a child element, or nil if the document has no such element.
  mutating func child(_ name: XMLName, of parent: Int, after sibling: Int) -> Int? {
    if let likely = likelyChild(number: name.number, table: name.table, of: parent, after: sibling) {
      return likely
    }
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    let text = namespaces.text(of: name)
    if likely != 0, paths[likely].parent == parent, paths[likely].name.equals(text) {
      (paths[likely].lastTable, paths[likely].lastNumber) = (name.table, name.number)
      return likely
    }
    return index[Key(parent: parent, name: ExactString(text))]
  }

  /// Returns the path of a child element if it followed the last time, otherwise nil.
  func likelyChild(number: Int, table: Int, of parent: Int, after sibling: Int) -> Int? {
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    guard likely != 0, paths[likely].parent == parent, paths[likely].lastTable == table,
      paths[likely].lastNumber == number
    else { return nil }
    return likely
  }

  /// Adds the elements of a batch.
  mutating func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      let event = events[index]
      switch event.kind {
      case .start:
        do throws(FerryError) {
          let path = try enter(event, events)
          if events.hasOnlyText(at: index) {
            index += 3
            continue
          }
          open.append(Open(path: path, element: elements))
        } catch {
          throw EventFailure(error: error, index: index)
        }
      case .end: end()
      case .text where event.isBlank || !findsMixedContent: break
      case .text: if !events.text(event).isBlank { noteText() }
      case .cdata: noteText()
      case .comment, .instruction: noteItem()
      case .attribute, .declaration: break
      }
      index += 1
    }
  }

  /// Notes that an element of a batch starts, and returns its path.
  private mutating func enter(
    _ event: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) throws(FerryError) -> Int {
    let (parent, sibling) = (open[open.count - 1].path, open[open.count - 1].lastChild)
    let likely = likelyChild(number: Int(event.name), table: events.table, of: parent, after: sibling)
    let path =
      if let likely { likely } else { try self.path(events.name(event), of: parent, after: sibling) }
    enter(path, hasAttributes: event.count > 0)
    return path
  }

  /// Forgets everything but the names of the paths, to find the shape of another document.
  mutating func beginAnotherDocument() {
    document += 1
    (elements, open) = (0, [Open(path: 0, element: 0)])
    forgetShape(of: 0)
  }

  private mutating func forgetShape(of path: Int) {
    paths[path].repeats = paths[path].isAlwaysList
    paths[path].isDictionary = false
    paths[path].isScattered = false
    paths[path].isMixed = false
    paths[path].lastParent = -1
    paths[path].document = document
  }

  /// Starts an element.
  mutating func start(_ name: XMLName, hasAttributes: Bool = false) throws(FerryError) {
    let (parent, sibling) = (open[open.count - 1].path, open[open.count - 1].lastChild)
    let path = try self.path(name, of: parent, after: sibling)
    enter(path, hasAttributes: hasAttributes)
    open.append(Open(path: path, element: elements))
  }

  /// Notes that an element with a path starts in the innermost open element.
  private mutating func enter(_ path: Int, hasAttributes: Bool) {
    let last = open.count - 1
    let (parent, sibling) = (open[last].path, open[last].lastChild)
    if paths[path].document != document { forgetShape(of: path) }
    if paths[path].lastParent == open[last].element {
      paths[path].repeats = true
      if sibling != path { paths[parent].isScattered = true }
    }
    paths[path].lastParent = open[last].element
    if sibling == 0 {
      paths[parent].firstChild = path
    } else {
      paths[sibling].nextSibling = path
    }
    open[last].lastChild = path
    if findsMixedContent { noteItem() }
    paths[parent].isDictionary = true
    if hasAttributes { paths[path].isDictionary = true }
    elements += 1
  }

  /// Notes that the innermost element contains text which is not layout.
  mutating func noteText() {
    let last = open.count - 1
    guard !open[last].hasText else { return }
    open[last].hasText = true
    if open[last].hasItems { paths[open[last].path].isMixed = true }
  }

  /// Notes that the innermost element contains an element, a comment or an instruction.
  mutating func noteItem() {
    let last = open.count - 1
    guard !open[last].hasItems else { return }
    open[last].hasItems = true
    if open[last].hasText { paths[open[last].path].isMixed = true }
  }

  private mutating func path(_ name: XMLName, of parent: Int, after sibling: Int) throws(FerryError) -> Int {
    if let path = child(name, of: parent, after: sibling) { return path }
    guard paths.count <= limit else { throw FerryError(.overBudget(.names(limit))) }
    let text = namespaces.text(of: name)
    index[Key(parent: parent, name: ExactString(text))] = paths.count
    let key = XMLKeyName.key(for: text.utf8.span)
    let isKeyPlain = key.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    let isList = isList(key, in: parent)
    paths.append(
      Path(
        name: text, key: key, parent: parent, repeats: isList, isAlwaysList: isList,
        isKeyASCII: key.span.isASCII,
        isKeyPlain: isKeyPlain))
    return paths.count - 1
  }

  /// Returns true if the options make a list of the children with a key in an element.
  private func isList(_ key: [UInt8], in parent: Int) -> Bool {
    // The root element is alone.
    parent != 0
      && lists.contains { list in
        var (key, path) = (key, parent)
        for (index, wanted) in list.reversed().enumerated() {
          if index > 0 {
            guard path != 0 else { return false }
            (key, path) = (paths[path].key, paths[path].parent)
          }
          guard wanted.string.utf8.elementsEqual(key) else { return false }
        }
        return true
      }
  }

  /// Returns the paths of a path's child elements.
  func children(of parent: Int) -> [Int] {
    paths.indices.dropFirst(parent + 1).filter { paths[$0].parent == parent }
  }

  /// Ends the innermost element, or the document if no element is open.
  mutating func end() {
    if open.count > 1 { open.removeLast() }
  }
}
