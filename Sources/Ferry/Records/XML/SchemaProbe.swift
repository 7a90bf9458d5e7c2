/// A detector of the built-in schema of an XML document, from the document's first bytes.
///
/// The root element must be the schema's collection, its first child the schema's record, and the children of
/// that record fields of the schema; so an unrelated `<items>` does not match. A single record as the root
/// matches too.
enum SchemaProbe {
  static func schema(of head: [UInt8], budget: Budget) -> Schema? {
    let document = ProbeDelegate(levels: 3)
    // The head ends at any byte, so the end of the document is not checked, and errors are left to the
    // reader.
    try? XMLStream(document: document, budget: budget).read(head.span)
    return Schema.builtIn.first { matches($0, document) }
  }

  private static func matches(_ schema: Schema, _ document: ProbeDelegate) -> Bool {
    guard let root = document.firstChild else { return false }
    let fields = schema.record.fields.flatMap { field in
      if case .element(let element) = field.xml { [element] + field.aliases } else { field.aliases }
    }
    func isRecord(_ names: [String]) -> Bool { !names.isEmpty && names.allSatisfy(fields.contains) }
    if root == schema.record.element { return isRecord(document.child?.names ?? []) }
    guard root == schema.collectionElement, document.child?.firstChild == schema.record.element else {
      return false
    }
    return isRecord(document.child?.child?.names ?? [])
  }
}

/// A delegate that collects the names of the children of the first element on each level.
private final class ProbeDelegate: ElementDelegate {
  private(set) var names: [String] = []
  let child: ProbeDelegate?
  var firstChild: String? { names.first }

  init(levels: Int) {
    child = levels > 1 ? ProbeDelegate(levels: levels - 1) : nil
    super.init()
  }

  override func delegate(for element: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    let isFirst = names.isEmpty
    if names.count < 100 { names.append(element.name.local) }
    return isFirst ? child : nil
  }
}
