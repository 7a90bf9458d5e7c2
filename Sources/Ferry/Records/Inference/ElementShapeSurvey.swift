/// An element delegate that finds the shapes of the elements of XML. The same instance handles all elements.
///
///     <book isbn="1"><author>A</author><author>B</author></book>
///
///     book           a dictionary, because it has attributes or elements
///       @isbn        text
///       author       text, twice in one element: a list
final class ElementShapeSurvey: ElementDelegate {
  private(set) var table: ShapeTable
  /// The shape of the document, or of the list of selected elements. Its entries are the outermost elements.
  let document: ShapeID
  private var levels: [Level] = []
  private var depth = 0
  private var space = SpaceScopes(keepsSpace: false)
  /// The keys of the elements and attributes so far, by their names' numbers.
  private var (elementKeys, attributeKeys) = (KnownKeys(), KnownKeys())
  private var keyTable = 0

  /// An open element. Levels are reused, so that no element needs an allocation.
  private struct Level {
    var shape: ShapeID
    var text = MixedText()
    /// The number of times that each entry occurred in the element.
    var times: [Int] = []
    /// The index of the last entry.
    var entry = -1
    var hasEntries = false
  }

  /// A number of records after which the reading stops.
  struct Limit {
    var count: Int
    /// The number of elements around a record: 1, or 0 for selected elements.
    var depth: Int
  }

  /// The limit of the records; nil if there is none, or if the document does not begin with records of one name.
  private var limit: Limit?
  /// The number of records so far, and the shape that they have.
  private var (recordCount, recordShape): (Int, ShapeID?) = (0, nil)

  /// Creates a survey that continues with the shapes of other documents.
  init(_ table: ShapeTable, of document: ShapeID, limit: Limit? = nil) {
    (self.table, self.document, self.limit) = (table, document, limit)
    levels = [Level(shape: document)]
    super.init()
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    levels[depth].text.beginChild(keepsSpace: depth > 0 && space.keepsSpace)
    if depth == 0 { table.namespaces.noteDeclarations(of: child) }
    let key = self.key(ofElement: child.name)
    let shape = try note(key.utf8.span, at: depth, isElement: true)
    try stopAfterLastRecord(at: shape)
    space.open(child)
    depth += 1
    if depth == levels.count { levels.append(Level(shape: shape)) }
    levels[depth].shape = shape
    levels[depth].text.removeAll()
    levels[depth].times.removeAll(keepingCapacity: true)
    (levels[depth].entry, levels[depth].hasEntries) = (-1, false)
    table[shape].count += 1
    for index in 0..<child.attributeCount {
      let key = self.key(ofAttribute: child.attributeName(index))
      let attribute = try note(key.utf8.span, at: depth, isElement: false)
      table[attribute].count += 1
      table[attribute].scalars.add(text: child.attributeValue(index), readsTypes: .types)
    }
    return self
  }

  /// Stops the reading if an element that starts would be a record past the limit.
  private func stopAfterLastRecord(at shape: ShapeID) throws(FerryError) {
    guard let limit, depth == limit.depth else { return }
    if recordShape == nil { recordShape = shape }
    if depth > 0, shape != recordShape {
      self.limit = nil
    } else if recordCount == limit.count {
      throw .stopped
    }
    recordCount += 1
  }

  /// Ends the elements that are open after the reading was stopped.
  func endOpenElements() throws(FerryError) {
    while depth > 0 { try didEnd() }
  }

  private func key(ofElement name: XMLName) -> String {
    beginKeys(of: name)
    return elementKeys.key(name.number) { table.namespaces.key(ofElement: name) }
  }

  private func key(ofAttribute name: XMLName) -> String {
    beginKeys(of: name)
    return attributeKeys.key(name.number) { table.namespaces.key(ofAttribute: name) }
  }

  /// Forgets the keys of the names of another document.
  private func beginKeys(of name: XMLName) {
    guard name.table != keyTable else { return }
    elementKeys.removeAll()
    attributeKeys.removeAll()
    keyTable = name.table
  }

  /// Notes an attribute or an element in the element at a level. Returns its shape.
  private func note(_ key: Span<UInt8>, at level: Int, isElement: Bool) throws(FerryError) -> ShapeID {
    let shape = levels[level].shape
    levels[level].hasEntries = true
    let likely = levels[level].entry
    var index: Int?
    // Elements often repeat, or follow in the same order.
    if likely >= 0, likely < table[shape].entries.count,
      key.equals(table[shape].entries[likely].key.utf8.span)
    {
      index = likely
    } else {
      index = try table.entry(key, of: shape, likely: likely + 1, isElement: isElement)
    }
    guard let index else { return table[shape].values ?? shape }
    levels[level].entry = index
    while levels[level].times.count <= index { levels[level].times.append(0) }
    levels[level].times[index] += 1
    table[shape].note(index, times: levels[level].times[index])
    return table[shape].entries[index].shape
  }

  override func text(_ text: BorrowedText) { levels[depth].text.append(text) }

  override func cdata(_ text: BorrowedText) { levels[depth].text.append(cdata: text) }

  override func didEnd() throws(FerryError) {
    // The end of a selected element's document is not the end of an element.
    guard depth > 0 else { return }
    let keepsSpace = space.keepsSpace
    space.close()
    let level = depth
    depth -= 1
    let shape = levels[level].shape
    if levels[level].text.hasChildren { levels[level].text.endPiece(keepsSpace: keepsSpace) }
    let text = levels[level].text.bytes
    let isSpace = !text.isEmpty && !levels[level].text.hasChildren && BorrowedText(text.span).isBlank
    if isSpace { table[shape].blankTexts += 1 }
    guard levels[level].hasEntries else {
      return table[shape].scalars.add(text: BorrowedText(text.span), readsTypes: .types)
    }
    table[shape].dictionaries += 1
    guard !text.isEmpty, !isSpace else { return }
    if levels[level].text.hasChildren { table[shape].isMixed = true }
    let value = try note("#text".utf8.span, at: level, isElement: false)
    table[value].count += 1
    table[value].scalars.add(text: BorrowedText(text.span), readsTypes: .types)
  }
}

/// The keys of names by their numbers. The key of a name is found once.
private struct KnownKeys {
  private var keys: [String?] = []

  /// Returns the key of the name with a number, which a function finds the first time.
  mutating func key(_ number: Int, _ find: () -> String) -> String {
    if number < keys.count, let known = keys[number] { return known }
    while keys.count <= number { keys.append(nil) }
    let key = find()
    keys[number] = key
    return key
  }

  mutating func removeAll() { keys.removeAll(keepingCapacity: true) }
}
