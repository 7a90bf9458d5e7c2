/// An element delegate that counts the elements of an XML document. The same instance handles all elements.
final class ElementSurvey: ElementDelegate {
  private var elements: [ElementCount] = []
  private var namespaces: [ExactString: [String]] = [:]
  private var namespaceOrder: [String] = []
  private var document = Inspection.Document(root: "")
  /// The open elements, with the number of the name, and true if text was found.
  private var open: [(name: Int, hasText: Bool)] = []
  private static let limit = 1 << 14

  fileprivate struct ElementCount {
    let name: String
    var count = 0
    var depths: ClosedRange<Int>
    var attributes = Tally<String>(limit: 1 << 10)
    var withText = 0
  }

  /// Returns the counts. Adds the comments and other parts that only the report of losses counted.
  func result(_ losses: LossReport) -> Inspection.Document {
    var document = document
    document.elements = elements.filter { $0.count > 0 }.map { element in
      Inspection.Document.Element(
        name: element.name, count: element.count, depths: element.depths, attributes: element.attributes,
        withText: element.withText)
    }.sorted { $0.count > $1.count }
    document.namespaces = namespaceOrder.map { .init(name: $0, prefixes: namespaces[$0] ?? []) }
    for found in losses.counts {
      switch found.kind {
      case .comment: document.comments = found.count
      case .processingInstruction: document.processingInstructions = found.count
      case .doctype: document.hasDoctype = true
      default: break
      }
    }
    return document
  }

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? {
    let name = child.name
    open.append((name.number, false))
    if open.count == 1 { document.root = name.qualified }
    document.elementCount += 1
    document.depth = max(document.depth, open.count)
    addNamespaces(child)
    guard name.number < Self.limit else {
      document.hasAllNames = false
      return self
    }
    // Attributes and elements share one numbering, so the numbers of elements have gaps.
    while elements.count <= name.number { elements.append(ElementCount(name: "", depths: 0...0)) }
    if elements[name.number].count == 0 {
      elements[name.number] = ElementCount(name: name.qualified, depths: open.count...open.count)
    }
    elements[name.number].add(depth: open.count)
    for index in 0..<child.attributeCount {
      elements[name.number].attributes.add(child.attributeName(index).qualified)
    }
    return self
  }

  override func text(_ text: BorrowedText) {
    guard let last = open.indices.last, !open[last].hasText else { return }
    for index in text.utf8.indices where text.utf8[index] > 0x20 {
      open[last].hasText = true
      if open[last].name < elements.count { elements[open[last].name].withText += 1 }
      return
    }
  }

  override func didEnd() { _ = open.popLast() }

  private func addNamespaces(_ element: borrowing XMLStartTag) {
    for index in 0..<element.declarationCount {
      let value = element.declarationValue(index)
      let name = String(value)
      let prefix = String(element.declarationName(index).qualified.dropFirst("xmlns:".count))
      if namespaces[name] == nil {
        guard namespaceOrder.count < Self.limit else {
          document.hasAllNames = false
          return
        }
        namespaceOrder.append(name)
      }
      if namespaces[name]?.contains(exactly: prefix) != true, namespaces[name, default: []].count < 100 {
        namespaces[name, default: []].append(prefix)
      }
    }
  }
}

extension ElementSurvey.ElementCount {
  fileprivate mutating func add(depth: Int) {
    count += 1
    if !depths.contains(depth) { depths = min(depths.lowerBound, depth)...max(depths.upperBound, depth) }
  }
}
