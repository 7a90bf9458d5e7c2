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

/// The default namespace of a document, found in its first bytes.
final class RootNamespace: ElementDelegate {
  private var namespace: String?

  /// Returns the namespace that the root element declares without a prefix. Returns nil if there is none, or if the
  /// root element does not start in these bytes.
  static func find(in head: [UInt8], budget: Budget) -> String? {
    let document = RootNamespace()
    // The reader will report the errors of the document.
    try? XMLStream(document: document, budget: budget).read(head.span)
    return document.namespace
  }

  override func delegate(for child: borrowing XMLElement) -> ElementDelegate? {
    namespace = child.defaultNamespace
    return nil
  }
}

extension XMLElement {
  /// The namespace that the element declares without a prefix, or nil.
  fileprivate var defaultNamespace: String? {
    for index in 0..<declarationCount where declarationName(index).qualified.equals("xmlns") {
      let namespace = String(declarationValue(index))
      return namespace.isEmpty ? nil : namespace
    }
    return nil
  }
}

/// The steps of a path that an element and those around it fulfill. Steps are counted from 0, and a set of steps is
/// a word with a bit for each.
private struct PathProgress {
  /// The steps that a child may fulfill.
  private var forChildren: UInt64
  /// The steps that elements at any depth may fulfill.
  private var forDescendants: UInt64
  /// True if the element fulfills the last step.
  private(set) var isSelected = false
  /// The number of children so far for each position in the conditions of a step.
  private var counts: [PositionCondition: Int] = [:]

  private struct PositionCondition: Hashable {
    var step: Int
    var condition: Int
  }

  /// The progress in the document.
  init(documentOf path: [XPathPattern.Step]) {
    self.init()
    fulfill(stepBefore: 0, path)
  }

  private init() { (forChildren, forDescendants) = (0, 0) }

  /// True if elements inside the element may be selected.
  var mayContinue: Bool { forChildren | forDescendants != 0 }

  /// Notes that the element fulfills all steps before one.
  private mutating func fulfill(stepBefore step: Int, _ path: [XPathPattern.Step]) {
    if step == path.count {
      isSelected = true
    } else if path[step].isAtAnyDepth {
      forDescendants |= 1 << UInt64(step)
    } else {
      forChildren |= 1 << UInt64(step)
    }
  }

  /// Returns the progress in a child element.
  mutating func enter(
    _ child: borrowing XMLElement, _ path: [XPathPattern.Step], defaultNamespace: String?
  ) -> PathProgress {
    var inside = PathProgress()
    inside.forDescendants = forDescendants
    var steps = forChildren | forDescendants
    while steps != 0 {
      let step = steps.trailingZeroBitCount
      steps &= steps - 1
      if fulfills(child, path[step], step, defaultNamespace) {
        inside.fulfill(stepBefore: step + 1, path)
      }
    }
    return inside
  }

  private mutating func fulfills(
    _ child: borrowing XMLElement, _ step: XPathPattern.Step, _ number: Int, _ defaultNamespace: String?
  ) -> Bool {
    if let name = step.name {
      let namespace = step.isInDefaultNamespace ? defaultNamespace : nil
      let found = child.name
      guard found.local.equals(name), (found.namespace ?? "").equals(namespace ?? "") else { return false }
    }
    for (index, condition) in step.conditions.enumerated() {
      switch condition {
      case .attribute(let name, let value):
        guard Self.attribute(name, hasValue: value, in: child) else { return false }
      case .position(let position):
        let counter = PositionCondition(step: number, condition: index)
        counts[counter, default: 0] += 1
        guard counts[counter] == position else { return false }
      }
    }
    return true
  }

  private static func attribute(
    _ name: String, hasValue value: String?, in element: borrowing XMLElement
  ) -> Bool {
    for index in 0..<element.attributeCount {
      let found = element.attributeName(index)
      guard found.namespace == nil, found.local.equals(name) else { continue }
      return value.map { element.attributeValue(index).utf8.equals($0.utf8.span) } ?? true
    }
    return false
  }
}
