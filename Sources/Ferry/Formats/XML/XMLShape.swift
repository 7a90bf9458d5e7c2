/// The paths of elements in a document, and whether they repeat. A reader needs this information to read the
/// first of several elements as an element of an array.
///
/// A first pass over the document finds its shape. `XMLValueReader` then reads the document a second time.
///
///     let shape = XMLShape()
///     try XMLStream(document: shape).readAll(bytes.span)
///     try XMLValueReader(into: sink, shape: shape).readAll(bytes.span)
///
/// The shape is a tree of paths of element names, whose size does not depend on the number of elements. It also has the
/// numbers of a few elements: of those with the key of an attribute in a child, and, in a document with types, of those that
/// begin a list without an attribute that marks it.
///
/// A path repeats if anywhere in the document two elements with this path have the same parent:
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

  /// Creates an empty shape. With `findsMixedContent`, the paths show which elements contain text beside elements, comments
  /// or instructions.
  init(budget: Budget, options: XMLReadingOptions = XMLReadingOptions(), findsMixedContent: Bool) {
    paths = XMLPaths(limit: budget.names, options, findsMixedContent: findsMixedContent)
    super.init()
  }

  /// Creates the shape of a document, or of a part of it, whose beginning has these paths.
  init(withBudgetAndPathsOf beginning: XMLPaths) {
    paths = beginning
    super.init()
  }

  /// Reads the types of the document, which was written with them.
  func readTypes() { paths.readTypes() }

  /// Puts the children of an element and of the elements around it together by name, in spite of their order.
  func group(_ path: Int) { paths.setGrouped(true, at: path) }

  /// Leaves the children of an element and of the elements around it in their order again.
  func ungroup(_ path: Int) { paths.setGrouped(false, at: path) }

  public override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    if paths.isAtRoot {
      for index in 0..<child.declarationCount {
        paths.noteDeclaration(child.declarationName(index), child.declarationValue(index))
      }
    }
    try paths.start(
      child.name, hasAttributes: child.attributeCount > 0, hasDeclarations: child.declarationCount > 0)
    if !paths.keysLikeAttributes.isEmpty {
      for index in 0..<child.attributeCount + child.declarationCount {
        paths.noteKey(of: child.attributeName(index))
      }
    }
    if paths.marksLists {
      for index in 0..<child.attributeCount {
        paths.noteAttribute(child.attributeName(index), child.attributeValue(index))
      }
    }
    return self
  }

  public override func text(_ text: BorrowedText) { paths.note(text) }

  public override func cdata(_ text: BorrowedText) { paths.noteCDATA(text) }

  public override func comment(_ text: BorrowedText) { paths.note(.comments) }

  public override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    paths.note(.instructions)
  }

  public override func didEnd() { paths.end() }

  override func receive(_ events: borrowing ElementBatch) throws(EventFailure) {
    try paths.receive(events)
    guard let markupLosses else { return }
    var locations = OffsetLocations(from: events.location)
    for index in 0..<events.count where events[index].kind == .comment {
      let location = markupLosses.usesLocations ? events.location(ofMarkup: events[index], &locations) : nil
      markupLosses.add(.comment, at: location ?? InputLocation())
    }
  }

  /// Forgets the shape of the document, for another one. The paths are kept, because it may have the same.
  func beginAnotherDocument() { paths.beginAnotherDocument() }

  /// Begins to read the document again, with the shape that was found so far.
  func beginAgain() { paths.beginAgain() }
}
