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

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? {
    namespace = child.defaultNamespace
    return nil
  }
}

extension XMLStartTag {
  /// The namespace that the element declares without a prefix, or nil.
  var defaultNamespace: String? {
    for index in 0..<declarationCount where declarationName(index).qualified.equals("xmlns") {
      let namespace = String(declarationValue(index))
      return namespace.isEmpty ? nil : namespace
    }
    return nil
  }
}
