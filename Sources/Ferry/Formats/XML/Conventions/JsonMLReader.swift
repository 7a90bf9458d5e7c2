/// A delegate of a document that sends its elements as JsonML, while the document is read.
///
///     <a b="1">x<c/></a>    ["a", {"b": "1"}, "x", ["c"]]
final class JsonMLReader: ElementDelegate {
  private let sink: any ValueSink
  private let namespaces: NamespaceMeter
  private var depth = 0
  private var heldText: [UInt8] = []

  init(into sink: any ValueSink, namespaces: NamespaceMeter) {
    (self.sink, self.namespaces) = (sink, namespaces)
    super.init()
  }

  private func sendText() throws(FerryError) {
    guard !heldText.isEmpty else { return }
    let text = heldText
    try sink.string(BorrowedText(text.span))
    heldText.removeAll(keepingCapacity: true)
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    try sendText()
    return self
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    depth += 1
    try sink.beginArray(count: nil)
    try sink.string(BorrowedText(element.name.qualified.utf8.span))
    let count = element.attributeCount + element.declarationCount
    guard count > 0 else { return }
    for index in element.attributeCount..<count {
      try namespaces.add(
        element.attributeName(index).qualified.utf8.count + element.attributeValue(index).utf8.count)
    }
    try sink.beginDictionary(count: count)
    for index in 0..<count {
      try sink.key(BorrowedText(element.attributeName(index).qualified.utf8.span))
      try sink.string(element.attributeValue(index))
    }
    try sink.endDictionary()
  }

  override func text(_ text: BorrowedText) { heldText.append(copying: text.utf8) }

  override func didEnd() throws(FerryError) {
    guard depth > 0 else { return }
    try sendText()
    depth -= 1
    try sink.endArray()
  }
}
