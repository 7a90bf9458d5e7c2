/// A delegate of a document that sends the elements which a pattern selects, in document order.
///
/// A selected element is kept until its end. Elements outside of selected ones are not kept, and those in which
/// nothing can be selected are skipped.
final class ElementSelector: ElementDelegate {
  /// A receiver of a selected element: the tape, and the index at which the element begins.
  typealias Receiver = (ElementTape, Int) throws(FerryError) -> Void

  private let pattern: XPathPattern
  private let receive: Receiver
  /// The progress of each path in the document, followed by that in each open element.
  private var open: [PathProgress]
  /// The progress in the element that is about to start.
  private var next: [PathProgress] = []
  private var defaultNamespace: String?
  private var tape = ElementTape()
  /// The indices of the selected elements on the tape, which begins with the outermost one.
  private var selected: [Int] = []
  /// The depth inside the outermost selected element.
  private var depth = 0

  /// Creates a delegate.
  init(_ pattern: XPathPattern, receive: @escaping Receiver) {
    self.pattern = pattern
    self.receive = receive
    open = pattern.paths.map { PathProgress(documentOf: $0) }
  }

  override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    if open.count == pattern.paths.count { defaultNamespace = child.defaultNamespace }
    var isSelected = false
    next.removeAll(keepingCapacity: true)
    let last = open.count - pattern.paths.count
    for (index, path) in pattern.paths.enumerated() {
      let progress = open[last + index].enter(child, path, defaultNamespace: defaultNamespace)
      if progress.isSelected { isSelected = true }
      next.append(progress)
    }
    if isSelected { selected.append(tape.count) }
    return isSelected || depth > 0 || next.contains(where: \.mayContinue) ? self : nil
  }

  override func didStart(_ element: borrowing XMLElement) {
    open.append(contentsOf: next)
    guard !selected.isEmpty else { return }
    depth += 1
    tape.start(element)
  }

  override func text(_ text: BorrowedText) { if depth > 0 { tape.text(text, isCDATA: false) } }

  override func cdata(_ text: BorrowedText) { if depth > 0 { tape.text(text, isCDATA: true) } }

  override func comment(_ text: BorrowedText) { if depth > 0 { tape.comment(text) } }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    if depth > 0 { tape.processingInstruction(target: target, data: data) }
  }

  override func didEnd() throws(FerryError) {
    open.removeLast(pattern.paths.count)
    guard depth > 0 else { return }
    tape.end()
    depth -= 1
    guard depth == 0 else { return }
    for start in selected { try receive(tape, start) }
    selected.removeAll(keepingCapacity: true)
    tape.removeAll()
  }
}
