/// A delegate that writes what it receives, with comments and processing instructions.
///
/// Elements are written as they are, or indented. Indentation changes white space only where it is layout: in elements
/// that contain elements and no text, and outside of `xml:space="preserve"`.
final class ElementCopier: ElementDelegate {
  /// The style in which elements are written.
  struct Style {
    /// One level of indentation, to begin a line for each element, where white space is layout. Nil keeps the layout.
    var indentation: Indentation?
    /// True to sort the attributes by their names.
    var sortsAttributes = false

    /// True to begin a line for each element, where white space is layout.
    var isIndented: Bool { indentation != nil }
    /// True if elements are written as they are.
    var isPlain: Bool { !isIndented && !sortsAttributes }
  }

  private let style: Style
  private var xml: XMLPrinter
  /// The paths of the document if it is indented, otherwise nil. They show which elements contain text beside elements.
  private var paths: XMLPaths?
  /// The context of the first element, which is added to its own attributes and declarations.
  private var context: ElementContext
  private var open: [Open] = []
  private var space: SpaceScopes
  /// True if comments and instructions before the root element are written.
  private let writesProlog: Bool
  private var hasStarted = false
  /// Counts the namespaces of the outermost elements; nil for a document.
  private let namespaces: NamespaceMeter?
  /// White space that is layout if an element, a comment or an instruction follows.
  private var heldSpace: [UInt8] = []

  private struct Open {
    var path: Int
    var hasChildren = false
    var lastChild = 0
  }

  /// Creates a copier.
  ///
  /// - Parameters:
  ///   - xml: The output, with indentation if `paths` are given.
  ///   - style: The style of the elements.
  ///   - paths: The paths of the document if it is indented, otherwise nil.
  ///   - context: What the first element gets from the elements around it.
  ///   - writesProlog: True to write comments and instructions before the root element.
  init(
    to xml: consuming XMLPrinter, _ style: Style, paths: XMLPaths?,
    context: ElementContext = ElementContext(),
    writesProlog: Bool = true, namespaces: NamespaceMeter? = nil
  ) {
    self.xml = xml
    (self.style, self.paths, self.context, self.writesProlog) = (style, paths, context, writesProlog)
    self.namespaces = namespaces
    space = SpaceScopes(keepsSpace: context.keepsSpace)
    super.init()
  }

  /// Begins another element, on a line of its own.
  func beginElement(in context: ElementContext, paths: XMLPaths?) throws(FerryError) {
    (self.context, self.paths) = (context, paths)
    space = SpaceScopes(keepsSpace: context.keepsSpace)
    if !style.isIndented { try xml.text(BorrowedText("\n".utf8.span)) }
  }

  /// Writes the buffered output.
  func flush() throws(FerryError) { try xml.flush() }

  /// Ends the document.
  ///
  /// - Parameter endsElement: True to end an element around the document.
  func finish(endingElement endsElement: Bool = false) throws(FerryError) {
    if endsElement { try xml.endElement() }
    try xml.finish()
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    beginItem()
    hasStarted = true
    var path = 0
    if let last = open.indices.last {
      path = paths?.child(child.name, of: open[last].path, after: open[last].lastChild) ?? 0
      open[last].lastChild = path
    } else {
      path = paths?.child(child.name, of: 0, after: 0) ?? 0
    }
    open.append(Open(path: path))
    return self
  }

  /// Begins an element, a comment or an instruction.
  private func beginItem() {
    if let last = open.indices.last { open[last].hasChildren = true }
    heldSpace.removeAll(keepingCapacity: true)
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    try xml.startElement(element.name.qualified.utf8.span)
    let attributes = element.attributeCount
    for index in attributes..<attributes + element.declarationCount { try writeAttribute(index, of: element) }
    if open.count == 1 {
      for index in attributes..<attributes + element.declarationCount {
        try count(element.attributeName(index), element.attributeValue(index).utf8.count)
      }
      for (name, namespace) in context.declarations where !element.declares(name) {
        try count(name, namespace.count)
        try xml.attribute(name.qualified.utf8.span, BorrowedText(namespace.span))
      }
    }
    var order = Array(0..<attributes)
    if style.sortsAttributes {
      let names = order.map { ExactString(element.attributeName($0).qualified) }
      order.sort { names[$0] < names[$1] }
    }
    for index in order { try writeAttribute(index, of: element) }
    if open.count == 1, context.keepsSpace, !element.hasSpace {
      try xml.attribute("xml:space".utf8.span, BorrowedText("preserve".utf8.span))
    }
    space.open(element)
    if let paths, paths[open[open.count - 1].path].isMixed { xml.beginMixedContent() }
  }

  private func count(_ name: XMLName, _ valueBytes: Int) throws(FerryError) {
    try namespaces?.add(name.qualified.utf8.count + valueBytes)
  }

  /// Writes an attribute or, after the attributes, a namespace declaration.
  private func writeAttribute(_ index: Int, of element: borrowing XMLStartTag) throws(FerryError) {
    try xml.attribute(element.attributeName(index).qualified.utf8.span, element.attributeValue(index))
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    guard isLayout(text) else {
      try sendHeldSpace()
      return try xml.text(text)
    }
    if open.last?.hasChildren == false { heldSpace.append(copying: text.utf8) }
  }

  /// Returns true if text may be layout, which is replaced by the writer's own.
  private func isLayout(_ text: BorrowedText) -> Bool {
    guard let paths, let last = open.last else { return false }
    return !paths[last.path].isMixed && !space.keepsSpace && text.isBlank
  }

  private func sendHeldSpace() throws(FerryError) {
    guard !heldSpace.isEmpty else { return }
    let space = heldSpace
    heldSpace.removeAll(keepingCapacity: true)
    try xml.text(BorrowedText(space.span))
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    try sendHeldSpace()
    try xml.cdata(text)
  }

  override func comment(_ text: BorrowedText) throws(FerryError) {
    guard hasStarted || writesProlog else { return }
    beginItem()
    try xml.comment(text)
  }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    guard hasStarted || writesProlog else { return }
    beginItem()
    try xml.processingInstruction(target: target.utf8, data: data)
  }

  override func didEnd() throws(FerryError) {
    guard !open.isEmpty else { return }
    try sendHeldSpace()
    space.close()
    open.removeLast()
    try xml.endElement()
  }
}

/// The part of an element's meaning that is written on the elements around it.
struct ElementContext {
  /// True if `xml:space` preserves all white space.
  var keepsSpace = false
  /// The namespace declarations in scope, the innermost first, with one for each prefix.
  var declarations: [(name: XMLName, namespace: [UInt8])] = []
  /// True if the document was written with types. Only known if a selector looks for that.
  var hasTypes = false
  /// True if no element in the element is selected, and none is in other elements with the same name and parent whose tags are the same.
  var isAlone = false
}

extension XMLStartTag {
  /// True if the element has the attribute `xml:space`.
  fileprivate var hasSpace: Bool {
    for index in 0..<attributeCount where attributeName(index).isSpace { return true }
    return false
  }

  /// Returns true if the element has a namespace declaration with this name.
  fileprivate func declares(_ name: XMLName) -> Bool {
    for index in 0..<declarationCount where declarationName(index) === name { return true }
    return false
  }
}
