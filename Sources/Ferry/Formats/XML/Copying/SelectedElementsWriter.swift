/// A writer of elements that are selected from an XML document. It writes them as they are, with the namespaces in scope.
///
///     no element         <root/>
///     one element        <p>a</p>
///     several            <root>
///                        <p>a</p>
///                        <p>b</p>
///                        </root>
final class SelectedElementsWriter: PromptWriter {
  /// Sends an element to a delegate of a document. It can be called several times.
  typealias Element = (ElementDelegate) throws(FerryError) -> Void

  private let output: any ByteOutput
  /// The name of the root element of several elements.
  private let root: [UInt8]
  /// True if a single element is put into the root element, too.
  private let hasRootName: Bool
  private let style: ElementCopier.Style
  private let budget: Budget
  /// The first element until a second one follows: alone, and inside a root element.
  private var held: (alone: [UInt8], inside: [UInt8]) = ([], [])
  /// The copier of the elements inside the root element.
  private var copier: ElementCopier?
  private(set) var count = 0
  /// The count of the namespaces in scope, which each element gets.
  let namespaces: NamespaceMeter

  /// Creates a writer.
  ///
  /// - Parameter root: The name of the root element, or nil if a single element needs none.
  init(to output: any ByteOutput, root: String?, _ style: ElementCopier.Style, budget: Budget)
    throws(FerryError)
  {
    self.root = try XMLKeyName.rootName(Array((root ?? "root").utf8))
    (self.output, hasRootName, self.style, self.budget) = (output, root != nil, style, budget)
    namespaces = NamespaceMeter(budget)
  }

  /// Writes an element.
  func write(in context: ElementContext, _ element: Element) throws(FerryError) {
    let paths = style.isIndented ? try paths(of: element) : nil
    count += 1
    guard count > 1 || hasRootName else { return try hold(element, in: context, paths) }
    let copier = try insideRoot()
    try copier.beginElement(in: context, paths: paths)
    try element(copier)
  }

  private func paths(of element: Element) throws(FerryError) -> XMLPaths {
    let shape = XMLShape(budget: budget, findsMixedContent: true)
    try element(shape)
    return shape.paths
  }

  private func hold(
    _ element: Element, in context: ElementContext, _ paths: XMLPaths?
  ) throws(FerryError) {
    let alone = try text(of: element, in: context, paths, indent: [])
    held = (
      alone,
      try style.indentation.map { indentation throws(FerryError) in
        try text(of: element, in: context, paths, indent: indentation.text)
      } ?? alone
    )
  }

  /// Returns the text of an element whose lines after the first begin with spaces.
  private func text(
    of element: Element, in context: ElementContext, _ paths: XMLPaths?, indent: [UInt8]
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    var layout = XMLPrinter.Layout(spaces: paths == nil ? 0 : 2)
    layout.outer = indent
    let copier = ElementCopier(
      to: XMLPrinter(to: output, layout), style, paths: paths, context: context)
    try element(copier)
    try copier.finish()
    return output.bytes.dropLast()
  }

  /// Returns the copier inside the root element. Begins that element first, with the element that is held.
  private func insideRoot() throws(FerryError) -> ElementCopier {
    if let copier { return copier }
    let (root, first) = (root, held.inside)
    var xml = try XMLPrinter(to: output, indentation: style.indentation)
    try xml.startElement(root.span)
    if !first.isEmpty {
      if !style.isIndented { try xml.text(BorrowedText("\n".utf8.span)) }
      try xml.element(written: first.span)
    }
    held = ([], [])
    let copier = ElementCopier(to: xml, style, paths: nil, namespaces: namespaces)
    self.copier = copier
    return copier
  }

  /// Ends the document.
  func finish() throws(FerryError) {
    if let copier {
      if !style.isIndented { try copier.text(BorrowedText("\n".utf8.span)) }
      return try copier.finish(endingElement: true)
    }
    let element = count == 0 ? Array("<".utf8) + root + Array("/>".utf8) : held.alone
    let document = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) + element + [UInt8(ascii: "\n")]
    try output.write(document.span)
  }

  func flushComplete() throws(FerryError) { try copier?.flush() }
}
