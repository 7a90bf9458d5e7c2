/// The types of a document that was written with them, as its root element declares them.
struct RootTypes: Hashable, Sendable {
  /// The name of a root element that only wraps the value, otherwise nil.
  let wrapper: String?

  /// Finds the declaration in the first bytes of a document. Returns nil if the root element declares no types, or does not
  /// start in these bytes, or if the types are not read.
  static func find(in head: [UInt8], _ options: XMLReadingOptions, budget: Budget) -> RootTypes? {
    guard options.findsTypes, options.convention == .ferry else { return nil }
    // A parser is much slower than this search, which decides most documents.
    let text = FormatHead(head, name: nil).bytes
    guard XMLTypeAttribute.mayBeDeclared(in: text.span) else { return nil }
    let document = RootElement()
    // The reader will report the errors of the document.
    try? XMLStream(document: document, budget: budget).read(head.span)
    return document.types
  }
}

/// A delegate that finds the types of the root element.
private final class RootElement: ElementDelegate {
  private(set) var types: RootTypes?

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? {
    guard child.declaresTypes else { return nil }
    var isWrapper = false
    for index in 0..<child.attributeCount {
      let name = child.attributeName(index)
      guard name.local.equals("wrapper"), name.namespace?.equals(XMLTypeAttribute.ferry) == true else {
        continue
      }
      isWrapper = child.attributeValue(index).equals("true")
    }
    types = RootTypes(wrapper: isWrapper ? child.name.qualified : nil)
    return nil
  }
}
