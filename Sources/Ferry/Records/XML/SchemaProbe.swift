/// Finds the built-in schema of an XML document from its first bytes.
///
/// The root element has to be the schema's collection, its first child the schema's record, and that one's children fields
/// of it: an `<items>` of another kind is not taken for ours. A single record as the root counts too.
enum SchemaProbe {
  static func schema(of head: [UInt8], budget: Budget) -> Schema? {
    let document = ProbeDelegate(levels: 3)
    // The head is cut off somewhere, so the end of the document is not asked for, and what is wrong with it will be found
    // when it is read.
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

/// Notes the names of the children of the first element of each level.
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
