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

  private var buffer: OutputBuffer
  /// The name of the root element of several elements.
  private let root: [UInt8]
  /// True if a single element is put into the root element, too.
  private let hasRootName: Bool
  private let style: ElementCopier.Style
  private let budget: Budget
  /// The first element until a second one follows: alone, and inside a root element.
  private var held: (alone: [UInt8], inside: [UInt8]) = ([], [])
  private(set) var count = 0

  /// Creates a writer.
  ///
  /// - Parameter root: The name of the root element, or nil if a single element needs none.
  init(
    to output: any ByteOutput, root: String?, _ style: ElementCopier.Style, budget: Budget
  ) throws(FerryError) {
    buffer = OutputBuffer(to: output)
    self.root = root.map { XMLKeyName.name(for: $0.utf8.span, keepsColon: false) } ?? Array("root".utf8)
    (hasRootName, self.style, self.budget) = (root != nil, style, budget)
    try buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Writes an element.
  func write(in context: ElementContext, _ element: Element) throws(FerryError) {
    let paths = style.isIndented ? try paths(of: element) : nil
    count += 1
    guard count > 1 || hasRootName else { return try hold(element, in: context, paths) }
    if count == (hasRootName ? 1 : 2) {
      try writeTag(isEnd: false)
      let held = held.inside
      try buffer.append(held.span)
      self.held = ([], [])
    }
    let text = try text(of: element, in: context, paths, depth: 1)
    try buffer.append(text.span)
  }

  private func paths(of element: Element) throws(FerryError) -> XMLPaths {
    let shape = XMLShape(budget: budget, findsMixedContent: true)
    try element(shape)
    return shape.paths
  }

  private func hold(
    _ element: Element, in context: ElementContext, _ paths: XMLPaths?
  ) throws(FerryError) {
    let alone = try text(of: element, in: context, paths, depth: 0)
    held = (alone, style.isIndented ? try text(of: element, in: context, paths, depth: 1) : alone)
  }

  private func text(
    of element: Element, in context: ElementContext, _ paths: XMLPaths?, depth: Int
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    var layout = XMLOutput.Layout(spaces: paths == nil ? 0 : 2)
    if paths != nil { layout.outer = [UInt8](repeating: 0x20, count: 2 * depth) }
    try output.write(layout.outer.span)
    let xml = XMLOutput(to: output, layout)
    let copier = ElementCopier(to: xml, style, paths: paths, context: context)
    try element(copier)
    try copier.finish()
    return output.bytes
  }

  private func writeTag(isEnd: Bool) throws(FerryError) {
    let root = root
    try buffer.append(isEnd ? "</" : "<")
    try buffer.append(root.span)
    try buffer.append(">\n")
  }

  /// Ends the document.
  func finish() throws(FerryError) {
    if count == 0 {
      let empty = Array("<".utf8) + root + Array("/>\n".utf8)
      try buffer.append(empty.span)
    } else if count == 1, !hasRootName {
      let held = held.alone
      try buffer.append(held.span)
    } else {
      try writeTag(isEnd: true)
    }
    try buffer.flush()
  }

  func flushComplete() throws(FerryError) { try buffer.flush() }
}
