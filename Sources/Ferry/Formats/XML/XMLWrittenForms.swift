/// The forms in which a reader will find the values that are written as elements.
///
/// The form of a value depends on all elements with its path: if one of them occurs twice in its parent, each is a list, and if one
/// contains text beside elements, the contents of each are a list in document order.
///
///     [{"a": ["1", "2"]}, {"a": "3"}]                                 "3" is read as a list
///     [{"#content": ["x", {"b": ""}]}, {"#content": [{"b": ""}]}]     the second list is read as a list because of the first
///
/// The values that a reader will find in another form are reported when all elements are known.
struct XMLWrittenForms {
  /// A kind of values whose form depends on other elements.
  enum Kind: Int, CaseIterable {
    /// A value of a key that is not an array.
    case single
    case arrayOfOne
    /// A list of contents.
    case contents
    /// A dictionary that document order would make a list of contents.
    case dictionary

    fileprivate var loss: Loss.Kind {
      switch self {
      case .single: .conventionForm
      case .arrayOfOne: .arrayOfOne
      case .contents, .dictionary: .contentForm
      }
    }
  }

  /// The values of one kind at a path of elements.
  private struct Values {
    var count = 0
    /// The last step of the path of the first value.
    var first = root
  }

  /// A step of a path, and the number of the step before it.
  private struct Step {
    let step: ValuePath.Step
    let previous: Int
  }

  /// The number before the first step of a path.
  private static let root = -1

  /// An open element.
  private struct Element {
    var name: [UInt8]
    var hasAttributes: Bool
    var hasDeclarations: Bool
    var hasText = false
    /// True if the element has had children that `paths` does not have.
    var hasLeftOutChildren = false
    /// True if the element is not a plain dictionary for a reader, or is reported.
    var hasContents = false

    var hasAnyAttributes: Bool { hasAttributes || hasDeclarations }
  }

  /// The paths as a reader will find them; nil if there are more than it accepts.
  private var paths: XMLPaths?
  /// The values of each kind at each path.
  private var values: [Values] = []
  /// The steps of the paths of the first values. The paths share steps, so that those in a chain take linear space.
  private var steps: [Step] = []
  private var elements: [Element] = []
  /// The number of elements in `elements` that `paths` has. Those outside of all lists are entered when a list in them begins, because no
  /// other element has their path.
  private var enteredCount = 0
  /// The number of lists around the next element.
  private var listCount = 0

  init() {
    var options = XMLReadingOptions()
    options.markup = .all
    paths = XMLPaths(limit: Budget().names, options)
  }

  // MARK: Elements

  /// Begins an element that is not a scalar.
  mutating func begin(_ name: [UInt8], hasAttributes: Bool = false, hasDeclarations: Bool = false) {
    elements.append(Element(name: name, hasAttributes: hasAttributes, hasDeclarations: hasDeclarations))
    if listCount > 0 { enterElements() }
  }

  /// Ends the innermost element. Returns its path, or nil if its form does not depend on other elements; and true if document order would
  /// make it a list of contents.
  mutating func end() -> (path: Int?, isPlainDictionary: Bool) {
    guard let element = elements.popLast() else { return (nil, false) }
    guard elements.count < enteredCount else {
      leaveOutChild()
      return (nil, false)
    }
    enteredCount -= 1
    guard let lastChild = paths?.lastChild else { return (nil, false) }
    paths?.end()
    guard listCount > 0 else { return (nil, false) }
    let isDictionary = lastChild != 0 || element.hasText && element.hasAnyAttributes
    return (paths?.lastChild, isDictionary && !element.hasContents)
  }

  /// Adds an element with only text. Returns its path, or nil if its form does not depend on other elements.
  mutating func add(_ name: Span<UInt8>, _ text: BorrowedText) -> Int? {
    guard listCount > 0 else {
      leaveOutChild()
      return nil
    }
    do throws(FerryError) { return try paths?.add(written: name, text.utf8) } catch {
      paths = nil
      return nil
    }
  }

  private mutating func leaveOutChild() {
    if let last = elements.indices.last { elements[last].hasLeftOutChildren = true }
  }

  private mutating func enterElements() {
    while enteredCount < elements.count {
      let element = elements[enteredCount]
      enteredCount += 1
      do throws(FerryError) { try enter(element) } catch { paths = nil }
    }
  }

  private mutating func enter(_ element: Element) throws(FerryError) {
    try paths?.start(
      written: element.name.span, hasAttributes: element.hasAttributes,
      hasDeclarations: element.hasDeclarations)
    // The first child of an element may have another meaning than the others. An empty name represents the children so far.
    if element.hasLeftOutChildren { _ = try paths?.add(written: Span(), Span()) }
  }

  /// Notes that the innermost element gets an attribute, or a declaration, after its contents have begun.
  mutating func noteLateAttribute(isDeclaration: Bool) {
    guard let last = elements.indices.last else { return }
    if isDeclaration { elements[last].hasDeclarations = true } else { elements[last].hasAttributes = true }
    if enteredCount == elements.count { paths?.noteWrittenAttribute(isDeclaration: isDeclaration) }
  }

  // MARK: Lists

  /// Begins an array.
  mutating func beginArray() {
    listCount += 1
    enterElements()
  }

  /// Ends an array. Returns the path of its last element, or nil if it is not known.
  mutating func endArray() -> Int? {
    listCount -= 1
    return paths?.lastChild
  }

  /// Begins the list of the contents of the innermost element.
  mutating func beginContents() {
    beginArray()
    noteContents()
  }

  /// Ends the list of the contents of the innermost element. Returns its path, or nil if it is not known.
  mutating func endContents() -> Int? {
    listCount -= 1
    return paths?.innermost
  }

  /// Notes that the innermost element is not a plain dictionary for a reader, or is reported.
  mutating func noteContents() {
    if let last = elements.indices.last { elements[last].hasContents = true }
  }

  /// True if the innermost element has attributes or declares prefixes.
  var hasAttributes: Bool { elements.last?.hasAnyAttributes == true }

  /// True if the innermost element, in a list of contents, has a key that would make its text markup.
  var isNamedLikeMarkup: Bool {
    guard let name = elements.last?.name else { return false }
    return Self.namesLikeMarkup.contains(name)
  }

  private static let namesLikeMarkup = ["#comment", "#instruction", "#cdata"].map {
    XMLKeyName.name(for: $0.utf8.span, keepsColon: false)
  }

  // MARK: Contents

  /// Adds text to the innermost element.
  mutating func add(_ text: BorrowedText) {
    guard let last = elements.indices.last else { return }
    if !text.utf8.isEmpty { elements[last].hasText = true }
    if enteredCount == elements.count { paths?.note(text) }
  }

  /// Adds a CDATA section to the innermost element.
  mutating func addCDATA(_ text: BorrowedText) { paths?.noteCDATA(text) }

  /// Adds a comment or an instruction to the innermost element, or to the document.
  mutating func add(_ kind: XMLMarkupKinds) { paths?.note(kind) }

  // MARK: Reporting

  /// Counts a value whose form depends on the other elements with a path. Returns true for the first one, whose path is needed.
  mutating func count(_ kind: Kind, at path: Int) -> Bool {
    let index = index(of: kind, at: path)
    while values.count <= index { values.append(Values()) }
    values[index].count += 1
    return values[index].count == 1
  }

  /// Sets the path of the first value of a kind: the current path, or that of the innermost collection.
  mutating func setFirst(_ kind: Kind, at path: Int, _ tracker: inout PathTracker, isCollection: Bool) {
    values[index(of: kind, at: path)].first = tracker.step(after: Self.root, ofCollection: isCollection) {
      steps.append(Step(step: $0, previous: $1))
      return steps.count - 1
    }
  }

  private func valuePath(endingWith last: Int) -> ValuePath {
    var path: [ValuePath.Step] = []
    var number = last
    while number != Self.root {
      path.append(steps[number].step)
      number = steps[number].previous
    }
    return ValuePath(path.reversed())
  }

  private func index(of kind: Kind, at path: Int) -> Int { path * Kind.allCases.count + kind.rawValue }

  /// Reports the values that a reader will find in another form.
  func report(to losses: LossReport) {
    let kinds = Kind.allCases
    for (index, values) in values.enumerated() where values.count > 0 {
      let kind = kinds[index % kinds.count]
      guard isChanged(kind, at: index / kinds.count) else { continue }
      losses.add(kind.loss, count: values.count, firstAt: valuePath(endingWith: values.first))
    }
  }

  /// Returns true if the values of a kind at a path have another form when they are read. If there are too many paths, that is not known.
  private func isChanged(_ kind: Kind, at path: Int) -> Bool {
    guard let paths else { return kind == .arrayOfOne || kind == .contents }
    return switch kind {
    case .single: paths.isList(path)
    case .arrayOfOne: !paths.isList(path)
    case .contents: !paths.isOrdered(path)
    case .dictionary: paths.isOrdered(path)
    }
  }
}
