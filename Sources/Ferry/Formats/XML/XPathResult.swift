/// The result of an XPath expression in a tree.
enum XPathResult {
  /// The nodes that it selects, in document order.
  case nodes([XMLTreeNode])
  case number(Double)
  case string([UInt8])
  case boolean(Bool)

  /// Sends a single value. A whole number is an integer, as XPath writes it. Sends nothing for nodes.
  func send(to sink: any ValueSink) throws(FerryError) {
    switch self {
    case .nodes: break
    case .number(let number):
      // Reals of this size still have all integers between them.
      let isInteger = number.magnitude <= 0x1p53 && number == number.rounded()
      if isInteger { try sink.integer(Int128(number)) } else { try sink.real(number) }
    case .string(let text): try sink.string(BorrowedText(text.span))
    case .boolean(let value): try sink.boolean(value)
    }
  }
}

/// A node that an XPath selects in a tree.
enum XMLTreeNode {
  case element(XMLTreeElement)
  /// The value of an attribute, or the text of a text node, with its owner.
  case text([UInt8], of: XMLTextOwner)
  /// A node without a value, with its kind in plain words.
  case other(String)

  /// The element; nil for another node.
  var element: XMLTreeElement? { if case .element(let element) = self { element } else { nil } }
}
