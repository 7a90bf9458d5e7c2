/// The paths of element names in a document.
struct XMLPaths {
  private struct Open {
    var path: Int
    var element: Int
    /// True if the element has attributes or declarations.
    var hasAttributes = false
    /// True if the element is sent as a dictionary, because of its attributes or markup in it. Children make it one, too.
    var isDictionary = false
    /// True if the key of the element is reserved.
    var isReserved = false
    var lastChild = 0
    /// True if the element has more than one child.
    var hasSeveralChildren = false
    /// True as long as all children would be attributes or text in a dictionary.
    var isBeginning = true
    /// The path of the last child whose key is `#text` and that has only text, or 0.
    var textChild = 0
    var hasText = false
    /// True if the element contains an element, a comment or an instruction.
    var hasItems = false
    /// True if attributes mark the element as a list of its children.
    var isMarkedList = false
  }

  /// The paths in the earlier parts of a document.
  private struct PathsBefore {
    let paths: XMLPathNames
    /// Their numbers by the numbers of the paths in the present part; nil for other paths.
    var numbers: [Int?] = [0]
    /// The number of those that do not occur in the present part.
    var absentCount: Int

    /// Adds a path of the present part. Returns true if it occurs before.
    mutating func add(_ name: String, in parent: Int) -> Bool {
      let path = numbers[parent].map { XMLPathNames.Path(parent: $0, name: ExactString(name)) }
      let number = path.flatMap(paths.number)
      numbers.append(number)
      if number != nil { absentCount -= 1 }
      return number != nil
    }
  }

  /// The element, mostly a record, whose outline the next one with its path may have. Such an element adds nothing to the shape, because the
  /// properties of paths without reserved keys are only added in a document, and never removed.
  private struct RepeatedElement {
    var outline = ElementOutline()
    var path = 0
    /// The number of open elements around it. The elements in it are not compared.
    var depth = Int.max
    /// The number of elements that may have another outline before no more are compared.
    var tries = mostTries
    static let mostTries = 8
  }

  /// The paths. The first one is that of the document, which is its own parent.
  private(set) var paths = [Path(name: "", key: [], parent: 0)]
  /// The paths by their parents and names.
  private var index = HashedNumbers()
  private var open = [Open(path: 0, element: 0)]
  private var elements = 0
  private var document = 0
  private let limit: Int
  /// The paths in the earlier parts of the document, which count for the limit; nil for a whole document.
  private var before: PathsBefore?
  /// True if `isMixed` is found.
  let findsMixedContent: Bool
  /// The markup that counts for `isMixed`: comments and instructions like an element, and CDATA sections like text even if
  /// they are blank.
  private let items: XMLMarkupKinds
  /// The markup that is a part of the contents.
  let markup: XMLMarkupKinds
  /// The elements whose contents are a list in document order.
  let order: XMLOrder
  /// True if the document was written with types, so that attributes mark the lists.
  private(set) var marksLists = false
  /// True if an attribute of types marks the root element as no part of the value.
  private(set) var hasWrapper = false
  private var findsTypes: Bool
  /// The numbers of the elements of a document with marked lists that are the first of several in their parent, and that no
  /// attribute marks. These are lists too, because a dictionary has each key once.
  private(set) var unmarkedLists: Set<Int> = []
  /// The keys of children that are like those of attributes.
  private(set) var keysLikeAttributes = KeysLikeAttributes()
  /// The beginning of the text of the innermost element with a reserved key.
  private var reservedText: [UInt8] = []
  /// The maximum length of this beginning, which is compared with namespaces that are shorter.
  private static let reservedTextLength = 64
  /// True if attributes may give the values types, which `XMLTypedValues` reads. The names of elements are the keys then, which it
  /// decodes, and only the keys of attributes begin with `@`.
  private(set) var readsTypes: Bool
  /// The style of the names.
  let namespaces: XMLNamespaceStyle
  /// The paths that are always lists.
  private let lists: XMLListPaths
  /// The indices of those that an element has had.
  private(set) var usedLists: Set<Int> = []
  /// The shape of several documents, of which this is one.
  private let common: XMLCommonShape?
  /// The outline of the last element that was a document, and true if each element with it has the present shape.
  private var outline = ElementOutline()
  private var hasShapeOfOutline = false
  /// True if a path has a reserved key, so that the shape depends on texts and on the names of attributes. No outlines are compared then.
  private var hasReservedKeys = false
  private var repeated = RepeatedElement()
  /// True if the root element contains text.
  private(set) var hasTextInRoot = false
  /// True if the root element has attributes other than declarations.
  private(set) var hasAttributesInRoot = false
  /// True if the root element contains a CDATA section, also an empty one.
  private(set) var hasCDATAInRoot = false
  /// True if the root element has attributes that say more than where its schema is.
  private var hasAttributesOfValueInRoot = false
  /// The declarations of namespaces on the root element.
  private(set) var declarationsOfRoot: [NamespaceDeclaration] = []

  init(
    limit: Int, _ options: XMLReadingOptions = XMLReadingOptions(), findsMixedContent: Bool = false
  ) {
    (self.limit, namespaces) = (limit, options.namespaces)
    (order, markup, findsTypes) = (options.order, options.markup, options.findsTypes)
    readsTypes = options.types == .attributes
    common = options.commonShape
    if common != nil { paths[0].common = 0 }
    self.findsMixedContent = findsMixedContent || options.order != .never || !options.markup.isEmpty
    items = findsMixedContent ? .all : options.markup
    lists = XMLListPaths(options.lists)
  }

  /// The number of paths.
  var count: Int { paths.count }

  /// The paths by their names.
  var pathNames: [XMLPathNames.Path] {
    paths.dropFirst().map { XMLPathNames.Path(parent: $0.parent, name: ExactString($0.name)) }
  }

  /// Counts the paths in the earlier parts of the document for the limit. No path must have been added yet.
  mutating func count(_ before: XMLPathNames) {
    self.before = PathsBefore(paths: before, absentCount: before.count)
  }

  subscript(path: Int) -> Path { _read { yield paths[path] } }

  /// Returns the key that the elements with a path have as values. `XMLTypedValues` decodes those in a document with types.
  func decodedKey(of path: Int) -> [UInt8] {
    let key = paths[path].key
    return readsTypes ? namespaces.key(for: key.span) : key
  }

  /// The key of the elements that are the records of all documents with the root element; nil if it is not known. It is empty, as that of no
  /// element, if all inputs are documents with nothing but this root element.
  ///
  /// - Parameter rootMayBeRecord: True if the root element may be a record itself.
  func keyOfCommonRecords(rootMayBeRecord: Bool) -> [UInt8]? {
    guard count > 1, let common, let root = paths[1].common else { return nil }
    if let name = common.nameOfRecords(inRoot: root, rootMayBeRecord: rootMayBeRecord) {
      return namespaces.key(for: name.utf8.span)
    }
    return hasEmptyRoot && common.isAlwaysEmpty ? [] : nil
  }

  /// Returns the path of a child element, or nil if the document has no such element.
  mutating func child(_ name: XMLName, of parent: Int, after sibling: Int) -> Int? {
    if let likely = likelyChild(number: name.number, table: name.table, of: parent, after: sibling) {
      return likely
    }
    let text = namespaces.text(of: name)
    if let likely = likelyChild(name, text, of: parent, after: sibling) { return likely }
    var probe = index.probe(for: Self.hash(of: text, in: parent))
    return known(text, of: parent, at: &probe)
  }

  /// Returns the path of a child element with the text of its name if it followed the last time, otherwise nil.
  private mutating func likelyChild(
    _ name: XMLName, _ text: String, of parent: Int, after sibling: Int
  ) -> Int? {
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    guard likely != 0, paths[likely].parent == parent, paths[likely].name.equals(text) else { return nil }
    note(name, of: likely)
    return likely
  }

  /// Notes the name with which a path occurred, by whose number it is found faster the next time.
  private mutating func note(_ name: XMLName, of path: Int) {
    (paths[path].lastTable, paths[path].lastNumber) = (name.table, name.number)
    let (key, qualified) = (paths[path].key, name.qualified)
    paths[path].isKeyWritten = key.span.equals(qualified.utf8.span)
  }

  private static func hash(of name: String, in parent: Int) -> UInt64 {
    WordHash.hash(of: name.utf8.span.hashOfBytes, UInt64(parent))
  }

  /// Returns the path of a child element that was added before. Advances the probe to the end if there is none.
  private func known(_ name: String, of parent: Int, at probe: inout HashedNumbers.Probe) -> Int? {
    while let path = index.next(at: &probe) {
      if paths[path].parent == parent, paths[path].name.equals(name) { return path }
    }
    return nil
  }

  /// Returns the path of a child element if it followed the last time, otherwise nil.
  func likelyChild(number: Int, table: Int, of parent: Int, after sibling: Int) -> Int? {
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    guard likely != 0, paths[likely].parent == parent, paths[likely].isLast(number, table) else { return nil }
    return likely
  }

  /// Adds the elements of a batch.
  mutating func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      let event = events[index]
      switch event.kind {
      case .start:
        let next = marksLists ? index : enterLikelyElements(events, from: index)
        if next > index {
          index = next
          continue
        }
        let takesOutline = mayRepeat(events, at: index)
        let taken = takesOutline ? repeated.outline.take(events, from: index) : nil
        if let taken, taken.isSame, enterRepeated(event, events) {
          elements += taken.elementCount - 1
          index = taken.end
          continue
        }
        do throws(FerryError) {
          let path = try enter(event, events)
          if takesOutline { noteOutline(ofElementAt: path, isWhole: taken != nil) }
          // An element with only text has no mixed content.
          if events.hasOnlyText(at: index) {
            if open.count == 1 { noteTextInRoot(events.text(events[index + 1])) }
            if paths[path].reserved != nil {
              noteReserved(path, isText: true, events.text(events[index + 1]).utf8)
            }
            index += 3
            continue
          }
          let hasAny = index + 1 < events.count && events[index + 1].isAttribute
          push(path, hasAttributes: event.count > 0, hasAny: hasAny)
        } catch {
          throw EventFailure(error: error, index: index)
        }
      case .end: end()
      case .text where open[open.count - 1].isReserved: note(events.text(event))
      case .text where event.isBlank: break
      case .text where !findsMixedContent: if open.count == 2 { noteTextInRoot(events.text(event)) }
      case .text: if !events.text(event).isBlank { noteText() }
      case .cdata: noteCDATA(events.text(event))
      case .comment: note(.comments)
      case .instruction: note(.instructions)
      case .declaration:
        if open.count == 2, open[1].element == 1, open[1].lastChild == 0 {
          noteDeclaration(events.name(event), events.text(event))
        }
        if !keysLikeAttributes.isEmpty { noteKey(of: events.name(event)) }
      case .attribute:
        if open.count == 2, open[1].element == 1, open[1].lastChild == 0 {
          noteAttributeOfRoot(events.name(event))
        }
        if mayMarkList { noteAttribute(events.name(event), events.text(event)) }
        if !keysLikeAttributes.isEmpty { noteKey(of: events.name(event)) }
      }
      index += 1
    }
  }

  /// Notes the elements from an index on, as long as each has the path that followed the last time and only text. Returns the
  /// index after the last one.
  private mutating func enterLikelyElements(_ events: borrowing ElementBatch, from start: Int) -> Int {
    let (last, document) = (open.count - 1, document)
    let (parent, element, table) = (open[last].path, open[last].element, events.table)
    var (index, next, sibling, found) = (start, start, open[last].lastChild, 0)
    var paths = self.paths.mutableSpan
    while events.hasOnlyText(at: next) {
      let path = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
      guard paths[path].isLast(Int(events[next].name), table), paths[path].parent == parent,
        paths[path].reserved == nil
      else { break }
      if paths[path].document != document {
        guard paths[path].common == nil else { break }
        paths[path].begin(document: document, XMLCommonShape.Properties())
      }
      if paths[path].occur(in: element), sibling != path { paths[parent].isScattered = true }
      (index, sibling, found) = (next + 3, path, found + 1)
      next = index < events.count && events[index].isBlank ? index + 1 : index
    }
    guard found > 0 else { return start }
    noteChildren(found, last: sibling)
    return index
  }

  /// Notes that the innermost open element has more children, whose paths were noted and have no reserved keys. `enter` does this for any
  /// child.
  @inline(__always)
  private mutating func noteChildren(_ count: Int, last path: Int) {
    let last = open.count - 1
    let parent = open[last].path
    paths[parent].isDictionary = true
    paths[parent].hasChildren = true
    elements += count
    if count > 1 || open[last].lastChild != 0 { open[last].hasSeveralChildren = true }
    open[last].lastChild = path
    open[last].isBeginning = false
    if findsMixedContent { noteItem() }
  }

  /// Returns true if the outline of an element should be compared with that of the one before.
  private func mayRepeat(_ events: borrowing ElementBatch, at index: Int) -> Bool {
    repeated.tries > 0 && (2...repeated.depth).contains(open.count) && !marksLists && !readsTypes
      && !hasReservedKeys && index + 1 < events.count && events[index + 1].kind != .end
      && !events.hasOnlyText(at: index)
  }

  /// Notes an element with the outline of the one before, with the elements in it. Returns false without an effect if it has another path.
  private mutating func enterRepeated(_ event: ElementBatch.Entry, _ events: borrowing ElementBatch) -> Bool {
    let (parent, sibling) = (open[open.count - 1].path, open[open.count - 1].lastChild)
    let path = likelyChild(number: Int(event.name), table: events.table, of: parent, after: sibling)
    guard let path, path == repeated.path else { return false }
    enter(path)
    repeated.tries = RepeatedElement.mostTries
    return true
  }

  /// Notes the path of an element whose outline was taken, unless it was not whole and that of the element before is kept.
  private mutating func noteOutline(ofElementAt path: Int, isWhole: Bool) {
    repeated.tries -= 1
    guard isWhole || repeated.outline.isEmpty else { return }
    (repeated.path, repeated.depth) = isWhole ? (path, open.count) : (0, .max)
  }

  /// Notes that an element of a batch starts, and returns its path.
  private mutating func enter(
    _ event: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) throws(FerryError) -> Int {
    let (parent, sibling) = (open[open.count - 1].path, open[open.count - 1].lastChild)
    let likely = likelyChild(number: Int(event.name), table: events.table, of: parent, after: sibling)
    let path =
      if let likely { likely } else { try self.path(events.name(event), of: parent, after: sibling) }
    enter(path)
    return path
  }

  /// Finds the shape of another document, which consists of an element. It is the one that was found before if the elements have the same
  /// outline.
  mutating func receive(document element: borrowing ElementBatch) throws(EventFailure) {
    let taken = outline.take(element, from: 0)
    if taken?.isSame == true, hasShapeOfOutline { return }
    beginAnotherDocument()
    try receive(element)
    // An element without an outline may have left that of an element before, whose shape is not the present one.
    hasShapeOfOutline = taken != nil && !marksLists && !readsTypes && common == nil && !hasReservedKeys
  }

  /// The maximum number of paths whose forms in several documents are noted.
  private static let mostNotedPaths = 1 << 10

  /// Notes for each path in a document whether the elements are a list. Those in a list of contents are neither that nor single.
  private mutating func noteForms() {
    guard count <= Self.mostNotedPaths else { return }
    for index in paths.indices.dropFirst()
    where paths[index].document == document && paths[index].lastParent >= 0 && !isOrdered(paths[index].parent)
    {
      paths[index].noteForm()
    }
  }

  /// Forgets everything but the names of the paths, to find the shape of another document.
  mutating func beginAnotherDocument() {
    noteForms()
    hasShapeOfOutline = false
    // Documents that are elements are compared with each other, and not the elements in them.
    repeated.tries = 0
    document += 1
    // The document around an element that is read on its own shows its types.
    findsTypes = marksLists
    elements = 0
    // The memory is kept for the next of many elements.
    open.removeAll(keepingCapacity: true)
    open.append(Open(path: 0, element: 0))
    if !unmarkedLists.isEmpty { unmarkedLists = [] }
    if !declarationsOfRoot.isEmpty { declarationsOfRoot = [] }
    keysLikeAttributes.removeAll()
    forgetShape(of: 0)
  }

  /// Begins the document again, with the properties that its paths have so far.
  mutating func beginAgain() {
    (elements, declarationsOfRoot) = (0, [])
    open = [Open(path: 0, element: 0)]
    repeated = RepeatedElement()
    for path in paths.indices { paths[path].lastParent = -1 }
  }

  /// The maximum number of paths that `add(from:)` compares.
  private static let mostComparedPaths = 256

  /// Adds the paths that another reading of the document has found since these were copied from it. Values with the new paths must not have
  /// been sent yet.
  ///
  /// - Returns: False if some elements have another form than these paths say, so that values which were sent with them may be
  ///   wrong. Nothing is known of elements that have reserved keys or types, and of very many paths.
  mutating func add(from other: XMLPaths) -> Bool {
    guard !other.readsTypes, other.count <= Self.mostComparedPaths else { return false }
    for path in other.paths.indices {
      guard other.paths[path].reserved == nil else { return false }
      guard path >= count || other.paths[path].hasForm(of: paths[path]) else { return false }
    }
    if other.count > count { self = other }
    return true
  }

  private mutating func forgetShape(of path: Int) {
    var shape = paths[path].common.flatMap { common?[$0] } ?? XMLCommonShape.Properties()
    // The elements of a document with types have the form that it gives them, also beside other documents.
    if marksLists { shape.isScattered = false }
    paths[path].begin(document: document, shape)
  }

  /// True if the values of an element, whose path is known, depend only on the outline of the element, the names of its attributes and the
  /// forms of the elements with the paths in it.
  var hasPlainForms: Bool { !marksLists && !readsTypes && !hasReservedKeys }

  /// True if the forms of the elements in another document, which consists of an element, depend only on its outline.
  var findsFormsByOutline: Bool { hasPlainForms && common == nil }

  /// True if the root element has no attributes, no children and no text.
  var hasEmptyRoot: Bool { !hasAttributesInRoot && hasNoChild && !hasTextInRoot }

  /// True if the root element has attributes or text beside its children.
  var hasContentsBesideChildren: Bool { hasAttributesOfValueInRoot || hasTextInRoot }

  /// True if the only child of a root element is a part of a record, and not the only one in a list, because the root elements of several
  /// documents have at most this child, and some have attributes or text.
  var hasRecordInRoot: Bool {
    guard count > 1, let common, let root = paths[1].common else { return false }
    return common.hasRecords(asRoots: root)
  }

  private mutating func noteAttributeOfRoot(_ name: XMLName) {
    let namespace = name.namespace
    if !namespace.equals(XMLNamespace.xml), !namespace.equals(XMLTypeAttribute.instance) {
      hasAttributesOfValueInRoot = true
    }
  }

  /// True if the root element has text and no children.
  var hasOnlyTextInRoot: Bool { hasTextInRoot && hasNoChild }

  /// True if the document has only a root element.
  private var hasNoChild: Bool { count == 2 }

  /// True if the next element is the root element.
  var isAtRoot: Bool { open.count == 1 }

  /// Notes a declaration of a namespace on the root element.
  mutating func noteDeclaration(_ name: XMLName, _ namespace: BorrowedText) {
    declarationsOfRoot.append(NamespaceDeclaration(name: name.qualified, namespace: String(namespace)))
    if findsTypes, XMLTypeAttribute.isOfFerry(namespace.utf8) { readTypes() }
  }

  /// Reads the types of the document, which was written with them.
  mutating func readTypes() {
    hasShapeOfOutline = false
    repeated.tries = 0
    (findsTypes, marksLists, readsTypes) = (true, true, true)
    for path in paths.indices {
      paths[path].isScattered = false
      paths[path].key = Array(paths[path].name.utf8)
      // The name is compared again when it occurs.
      paths[path].lastNumber = -1
    }
  }

  /// True if an attribute of the innermost element may mark lists, because it is the root element or the document was written with
  /// types.
  private var mayMarkList: Bool { findsTypes && (marksLists || open.count == 2) }

  /// Notes an attribute of the element that has just started.
  mutating func noteAttribute(_ name: XMLName, _ value: BorrowedText) {
    guard mayMarkList, let namespace = name.namespace, namespace.equals(XMLTypeAttribute.ferry) else {
      return
    }
    let last = open.count - 1
    if last == 1, name.local.equals("wrapper") { hasWrapper = value.equals("true") }
    if name.local.equals("list"), value.equals("true"),
      paths[open[last].path].firstElement == open[last].element
    {
      paths[open[last].path].isFirstMarked = true
    }
    if name.local.equals("type"), value.equals("list") { open[last].isMarkedList = true }
  }

  /// Starts an element.
  mutating func start(
    _ name: XMLName, hasAttributes: Bool = false, hasDeclarations: Bool = false
  ) throws(FerryError) {
    let (parent, sibling) = (open[open.count - 1].path, open[open.count - 1].lastChild)
    let path = try self.path(name, of: parent, after: sibling)
    enter(path)
    push(path, hasAttributes: hasAttributes, hasAny: hasAttributes || hasDeclarations)
  }

  /// Opens an element that has started.
  ///
  /// - Parameters:
  ///   - hasAttributes: True if the element has attributes other than declarations.
  ///   - hasAny: True if the element has attributes or declarations.
  private mutating func push(_ path: Int, hasAttributes: Bool, hasAny: Bool) {
    var element = Open(path: path, element: elements, hasAttributes: hasAny)
    element.isDictionary = hasAttributes || hasAny && namespaces == .kept
    element.isReserved = paths[path].reserved != nil
    if open.count == 1, hasAttributes { hasAttributesInRoot = true }
    if hasAttributes { paths[path].isDictionary = true }
    if element.isReserved { reservedText.removeAll(keepingCapacity: true) }
    open.append(element)
  }

  /// Notes that an element with a path starts in the innermost open element.
  private mutating func enter(_ path: Int) {
    let last = open.count - 1
    let (parent, sibling) = (open[last].path, open[last].lastChild)
    if paths[path].document != document { forgetShape(of: path) }
    let wasList = paths[path].repeats
    let isAnother = paths[path].occur(in: open[last].element)
    if isAnother, sibling != path, !(marksLists && open[last].isMarkedList) {
      paths[parent].isScattered = true
    }
    if marksLists { noteElement(path, isAnother: isAnother) }
    if sibling == 0 {
      paths[parent].firstChild = path
    } else {
      paths[sibling].nextSibling = path
      open[last].hasSeveralChildren = true
    }
    open[last].lastChild = path
    if findsMixedContent { noteItem() }
    paths[parent].isDictionary = true
    paths[parent].hasChildren = true
    if paths[path].reserved == nil {
      open[last].isBeginning = false
    } else {
      enterReserved(path, isFirst: sibling == 0, wasList: wasList)
    }
    elements += 1
  }

  /// Notes an element of a document with marked lists, before it is counted.
  ///
  /// - Parameter isAnother: True if its parent contains another one with its path.
  private mutating func noteElement(_ path: Int, isAnother: Bool) {
    guard isAnother else {
      (paths[path].firstElement, paths[path].isFirstMarked) = (elements + 1, false)
      return
    }
    guard !paths[path].isFirstMarked, !open[open.count - 1].isMarkedList else { return }
    unmarkedLists.insert(paths[path].firstElement)
  }

  /// Notes that an element with a reserved key starts.
  ///
  /// - Parameters:
  ///   - isFirst: True if the element is the first child of its parent.
  ///   - wasList: True if the elements with the path were known to be a list before.
  private mutating func enterReserved(_ path: Int, isFirst: Bool, wasList: Bool) {
    let isContents = paths[path].reserved == .contents
    if paths[path].reserved == .attribute {
      let outer = open[open.count - 1]
      keysLikeAttributes.note(
        decodedKey(of: path), ofChildIn: outer.element, hasAttributes: outer.hasAttributes, after: elements)
    }
    if paths[path].mayBeMisread, !wasList, paths[path].repeats {
      paths[paths[path].parent].misreadChildren += isContents ? 1 : -1
    }
    if isContents, isFirst { noteMisread(path) }
  }

  /// Notes that a child of the innermost open element, with a reserved key, has ended.
  ///
  /// - Parameter isText: True if the element is sent as its text, and not as a dictionary.
  private mutating func noteReserved(_ path: Int, isText: Bool, _ text: Span<UInt8>) {
    let last = open.count - 1
    let (key, isSingleText) = (paths[path].key, isText && !paths[path].repeats)
    switch paths[path].reserved {
    case .attribute where isSingleText && open[last].isBeginning:
      if XMLNamespace.allowsAttribute(key.span.extracting(1...), text) {
        noteMisread(path)
      } else {
        open[last].isBeginning = false
      }
    case .text where isSingleText && !text.isEmpty: open[last].textChild = path
    default: open[last].isBeginning = false
    }
  }

  /// Notes that a reader of a dictionary would take an element with a path for something else. The root element is the only entry. In a
  /// document with types, the keys are those of the values that were written.
  private mutating func noteMisread(_ path: Int) {
    let parent = paths[path].parent
    guard parent != 0, !readsTypes, !paths[path].mayBeMisread else { return }
    paths[path].mayBeMisread = true
    if paths[path].repeats == (paths[path].reserved == .contents) { paths[parent].misreadChildren += 1 }
  }

  /// Notes the key of an attribute, or a declaration, of the element that has just started, if a child of an earlier element has it.
  mutating func noteKey(of name: XMLName) {
    let element = open[open.count - 1].element
    // An attribute keeps its prefix if it may give a type, or if two attributes have one name without it.
    for style in namespaces == .kept ? [.kept] : [namespaces, .kept] {
      keysLikeAttributes.note(style.key(ofAttribute: name), ofAttributeIn: element)
    }
  }

  /// Notes text in the innermost element.
  mutating func note(_ text: BorrowedText) {
    noteReservedText(text.utf8)
    if findsMixedContent, !text.isBlank { noteText() }
    if open.count == 2, !hasTextInRoot { noteTextInRoot(text) }
  }

  /// Notes text in the root element.
  private mutating func noteTextInRoot(_ text: BorrowedText) { if !text.isBlank { hasTextInRoot = true } }

  private mutating func noteReservedText(_ text: Span<UInt8>) {
    guard open[open.count - 1].isReserved, reservedText.count < Self.reservedTextLength else { return }
    reservedText.append(copying: text.extracting(first: min(Self.reservedTextLength, text.count)))
  }

  /// Notes that the innermost element contains text which is not layout.
  mutating func noteText() {
    let last = open.count - 1
    guard !open[last].hasText else { return }
    open[last].hasText = true
    if last == 1 { hasTextInRoot = true }
    if open[last].hasItems { paths[open[last].path].isMixed = true }
  }

  /// Notes that the innermost element contains an element, a comment or an instruction.
  mutating func noteItem() {
    let last = open.count - 1
    guard !open[last].hasItems else { return }
    open[last].hasItems = true
    if open[last].hasText { paths[open[last].path].isMixed = true }
  }

  /// Notes that the innermost element contains a comment or an instruction.
  mutating func note(_ kind: XMLMarkupKinds) {
    if markup.contains(kind) { noteMarkup() }
    if items.contains(kind) { noteItem() }
  }

  /// Notes that the innermost element contains markup that is a part of its contents.
  private mutating func noteMarkup() {
    let last = open.count - 1
    paths[open[last].path].hasMarkup = true
    open[last].isDictionary = true
  }

  /// Notes that the innermost element contains a CDATA section. A blank one beside elements is text, but has no need of an
  /// order.
  mutating func noteCDATA(_ text: BorrowedText) {
    if markup.contains(.cdata) {
      // White space beside a section is text, too, unless it is left out everywhere.
      noteMarkup()
      paths[open[open.count - 1].path].isMixed = true
    }
    noteReservedText(text.utf8)
    if open.count == 2 {
      hasCDATAInRoot = true
      if !text.utf8.isEmpty { hasTextInRoot = true }
    }
    if items.contains(.cdata) || !text.isBlank { noteText() }
  }

  /// Determines if the children of the elements with a path, and of the elements around them, are put together by name.
  mutating func setGrouped(_ isGrouped: Bool, at path: Int) {
    var path = path
    while true {
      paths[path].isGrouped = isGrouped
      if path == 0 { return }
      path = paths[path].parent
    }
  }

  private mutating func path(_ name: XMLName, of parent: Int, after sibling: Int) throws(FerryError) -> Int {
    if let likely = likelyChild(number: name.number, table: name.table, of: parent, after: sibling) {
      return likely
    }
    let text = namespaces.text(of: name)
    if let likely = likelyChild(name, text, of: parent, after: sibling) { return likely }
    var probe = index.probe(for: Self.hash(of: text, in: parent))
    if let path = known(text, of: parent, at: &probe) { return path }
    let path = try addPath(text, of: parent, at: probe)
    note(name, of: path)
    return path
  }

  /// Adds the path of a child element at the end of the search for it, and returns it.
  private mutating func addPath(
    _ text: String, of parent: Int, at probe: HashedNumbers.Probe
  ) throws(FerryError) -> Int {
    let absentCount = before?.absentCount ?? 0
    guard before?.add(text, in: parent) == true || paths.count + absentCount <= limit else {
      throw FerryError(.overBudget(.names(limit)))
    }
    // Room for the paths of most small documents.
    if paths.count == 1 { paths.reserveCapacity(16) }
    index.add(paths.count, at: probe)
    let key = readsTypes ? Array(text.utf8) : namespaces.key(for: text.utf8.span)
    var (isList, isNamedList) = (false, false)
    // The root element is alone.
    for index in parent == 0 || lists.isEmpty ? [] : lists.indices(endingIn: keys(from: key, in: parent)) {
      usedLists.insert(index)
      isList = true
      if lists.isNamed(index) { isNamedList = true }
    }
    paths.append(
      Path(
        name: text, key: key, parent: parent, repeats: isList, isAlwaysList: isList,
        isNamedList: isNamedList, isKeyASCII: key.span.isASCII, isKeyPlain: key.span.isPlainJSON))
    let decoded = decodedKey(of: paths.count - 1)
    paths[paths.count - 1].reserved = XMLReservedKey(decoded.span)
    if paths[paths.count - 1].reserved != nil { hasReservedKeys = true }
    if let common, let outer = paths[parent].common, let number = common.path(text, in: outer) {
      paths[paths.count - 1].common = number
      forgetShape(of: paths.count - 1)
    }
    return paths.count - 1
  }

  /// Returns the key of the children of an element, and the keys of the elements around them, the innermost first.
  private func keys(from key: [UInt8], in parent: Int) -> [[UInt8]] {
    var (keys, path) = ([key], parent)
    while path != 0 {
      keys.append(paths[path].key)
      path = paths[path].parent
    }
    return keys
  }

  /// The forms of the elements in the elements that were documents.
  var listForms: ListForms {
    var (forms, whole) = (ListForms(), self)
    whole.noteForms()
    for path in whole.paths.dropFirst() {
      let keys = keys(from: path.key, in: path.parent).dropLast()
      let steps = keys.reversed().map { ValuePath.Step.key(String(decoding: $0, as: UTF8.self)) }
      if !steps.isEmpty { forms.add(ValuePath(steps), isList: path.wasList, isSingle: path.wasSingle) }
    }
    return forms
  }

  /// Returns the paths of a path's child elements.
  func children(of parent: Int) -> [Int] {
    paths.indices.dropFirst(parent + 1).filter { paths[$0].parent == parent }
  }

  /// Ends the innermost element, or the document if no element is open.
  mutating func end() {
    guard open.count > 1, let ended = open.popLast() else { return }
    keysLikeAttributes.end(ended.element)
    // The key `#text` means text if it is the last entry, and not the only one.
    if ended.textChild != 0, ended.textChild == ended.lastChild,
      ended.isDictionary || ended.hasSeveralChildren
    {
      noteMisread(ended.textChild)
    }
    guard ended.isReserved else { return }
    let text = reservedText
    noteReserved(ended.path, isText: !ended.isDictionary && ended.lastChild == 0, text.span)
  }
}

// MARK: - Written elements

extension XMLPaths {
  /// The path of the last child of the innermost open element, or 0 if it has none.
  var lastChild: Int { open[open.count - 1].lastChild }

  /// The path of the innermost open element.
  var innermost: Int { open[open.count - 1].path }

  /// Starts an element that is written.
  mutating func start(
    written name: Span<UInt8>, hasAttributes: Bool, hasDeclarations: Bool
  ) throws(FerryError) {
    let path: Int
    if let likely = addLikely(written: name) {
      path = likely
    } else {
      path = try self.path(written: name)
      enter(path)
    }
    push(path, hasAttributes: hasAttributes, hasAny: hasAttributes || hasDeclarations)
  }

  /// Notes that the innermost open element, which is written, gets an attribute or a declaration.
  mutating func noteWrittenAttribute(isDeclaration: Bool) {
    let last = open.count - 1
    open[last].hasAttributes = true
    if !isDeclaration || namespaces == .kept { open[last].isDictionary = true }
    if !isDeclaration { paths[open[last].path].isDictionary = true }
  }

  /// Adds an element that is written and has only text, and returns its path.
  mutating func add(written name: Span<UInt8>, _ text: Span<UInt8>) throws(FerryError) -> Int {
    if let path = addLikely(written: name) { return path }
    let path = try path(written: name)
    enter(path)
    if paths[path].reserved != nil { noteReserved(path, isText: true, text) }
    return path
  }

  /// Adds such an element if it has the path that followed the last time, and no reserved key. Returns nil otherwise.
  private mutating func addLikely(written name: Span<UInt8>) -> Int? {
    guard !marksLists else { return nil }
    let (last, document) = (open.count - 1, document)
    let (parent, element, sibling) = (open[last].path, open[last].element, open[last].lastChild)
    var paths = self.paths.mutableSpan
    let path = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    guard path != 0, paths[path].parent == parent, paths[path].reserved == nil,
      paths[path].document == document
    else { return nil }
    guard name.equals(paths[path].name.utf8.span) else { return nil }
    if paths[path].occur(in: element), sibling != path { paths[parent].isScattered = true }
    noteChildren(1, last: path)
    return path
  }

  private mutating func path(written name: Span<UInt8>) throws(FerryError) -> Int {
    let (parent, sibling) = (open[open.count - 1].path, lastChild)
    let likely = sibling == 0 ? paths[parent].firstChild : paths[sibling].nextSibling
    if likely != 0, paths[likely].parent == parent {
      let known = paths[likely].name
      if name.equals(known.utf8.span) { return likely }
    }
    let text = name.decodedString
    var probe = index.probe(for: Self.hash(of: text, in: parent))
    if let path = known(text, of: parent, at: &probe) { return path }
    return try addPath(text, of: parent, at: probe)
  }
}
