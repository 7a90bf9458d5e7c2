/// A delegate of a document that sends the attributes and text nodes which a pattern selects, in document order.
///
/// A text node is all text between two tags, comments or instructions, with its CDATA sections and entities. Only the current one is kept.
final class TextSelector: ElementDelegate {
  /// The progress of a path in an element.
  private struct Progress {
    var steps: PathProgress
    /// True if the path selects attributes or texts of the element.
    var isReached: Bool
  }

  private let paths: [XPathTextPattern.Path]
  private let receive: (BorrowedText) throws(FerryError) -> Void
  /// The progress of each path in the document, followed by that in each open element.
  private var open: [Progress]
  /// True for each open element whose texts are selected, after the document.
  private var selectsText = [false]
  /// The progress in the element that is about to start.
  private var next: [Progress] = []
  private var defaultNamespace: String?
  /// The text node that has begun.
  private var text: [UInt8] = []
  /// The number of attributes and texts that were selected.
  private(set) var count = 0

  /// Creates a delegate.
  init(_ pattern: XPathTextPattern, receive: @escaping (BorrowedText) throws(FerryError) -> Void) {
    (paths, self.receive) = (pattern.paths, receive)
    open = pattern.paths.map { path in
      Progress(steps: PathProgress(documentOf: path.steps), isReached: path.isInside && path.steps.isEmpty)
    }
    super.init()
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    try endText()
    if selectsText.count == 1 { defaultNamespace = child.defaultNamespace }
    var (hasText, mayContinue, hasAttributes) = (false, false, false)
    let outer = open.count - paths.count
    next.removeAll(keepingCapacity: true)
    for (index, path) in paths.enumerated() {
      let steps = open[outer + index].steps.enter(child, path.steps, defaultNamespace: defaultNamespace)
      let isReached = steps.isSelected || path.isInside && open[outer + index].isReached
      next.append(Progress(steps: steps, isReached: isReached))
      if steps.mayContinue || path.isInside && isReached { mayContinue = true }
      guard isReached else { continue }
      if path.target.isText { hasText = true } else { hasAttributes = true }
    }
    if hasAttributes { try sendAttributes(of: child) }
    guard hasText || mayContinue else { return nil }
    open.append(contentsOf: next)
    selectsText.append(hasText)
    return self
  }

  private func sendAttributes(of element: borrowing XMLStartTag) throws(FerryError) {
    for index in 0..<element.attributeCount where selects(element.attributeName(index)) {
      count += 1
      try receive(element.attributeValue(index))
    }
  }

  /// Returns true if a path selects an attribute of the element that is about to start.
  private func selects(_ name: XMLName) -> Bool {
    for (index, path) in paths.enumerated() where next[index].isReached {
      guard case .attribute(let local, let namespace) = path.target else { continue }
      guard let local else { return true }
      if name.local.equals(local), namespace.contains(name, defaultNamespace: defaultNamespace) {
        return true
      }
    }
    return false
  }

  override func text(_ text: BorrowedText) {
    if selectsText.last == true { self.text.append(copying: text.utf8) }
  }

  override func comment(_ text: BorrowedText) throws(FerryError) { try endText() }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) throws(FerryError) {
    try endText()
  }

  override func didEnd() throws(FerryError) {
    try endText()
    open.removeLast(paths.count)
    selectsText.removeLast()
  }

  /// Sends the text node that has begun.
  func endText() throws(FerryError) {
    guard !text.isEmpty else { return }
    count += 1
    // A span is of a variable that no other call can change.
    var joined: [UInt8] = []
    swap(&joined, &text)
    try receive(BorrowedText(joined.span))
    swap(&joined, &text)
    text.removeAll(keepingCapacity: true)
  }
}
