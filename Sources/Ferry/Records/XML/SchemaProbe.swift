/// Finds the built-in schema of an XML document from its first bytes.
///
/// A document is of a schema's kind if its root is the schema's collection, or one record, and if its first record is one of
/// the schema's and nothing else: it has every field that it must have, of the field's type, no other elements, and neither
/// it nor the collection has attributes that the schema does not know. So nothing of an `<items>` of another kind is lost.
/// If the first record is longer than the bytes that are looked at, its part there decides.
struct SchemaProbe {
  /// The schema; nil if the document is of no schema's kind.
  private(set) var schema: Schema?
  /// Why a document with the names of a schema is not of its kind.
  private(set) var mismatch: String?

  /// Looks at the first bytes of a document.
  init(_ head: [UInt8], budget: Budget) {
    let document = ProbeDelegate(levels: 3)
    // The head ends at any byte, so the end of the document is not checked, and errors are left to the
    // reader.
    try? XMLStream(document: document, budget: budget).read(head.span)
    guard let named = Schema.builtIn.first(where: { Self.hasNames(of: $0, document) }) else { return }
    let why =
      Self.unknownName(in: document, named) ?? Self.flaw(ofFirstRecordIn: head, named, budget)?.description
    if let why {
      mismatch =
        "read by convention and not by the built-in schema \(named.name): \(why) (--schema \(named.name) reads it so)"
    } else {
      schema = named
    }
  }

  /// True if a document has the element names of a schema's records.
  private static func hasNames(of schema: Schema, _ document: ProbeDelegate) -> Bool {
    guard let root = document.first, let record = record(of: schema, document) else { return false }
    return record.element.first != nil
      && (root.name.equals(schema.record.element) || root.name.equals(schema.collectionElement))
  }

  /// The first record of a document, and the delegate that has seen its parts.
  private static func record(
    of schema: Schema, _ document: ProbeDelegate
  ) -> (first: ProbeDelegate.Seen, element: ProbeDelegate)? {
    for level in [document, document.child] {
      guard let level, let seen = level.first, let child = level.child else { return nil }
      if seen.name.equals(schema.record.element) { return (seen, child) }
    }
    return nil
  }

  /// What a document has that its schema does not know.
  private static func unknownName(in document: ProbeDelegate, _ schema: Schema) -> String? {
    guard let root = document.first, let record = record(of: schema, document) else { return nil }
    let elements = schema.record.fields.flatMap { field in
      if case .element(let element) = field.xml { [element] + field.aliases } else { field.aliases }
    }
    let attributes = schema.record.fields.compactMap { field in
      if case .attribute(let name) = field.xml { name } else { nil }
    }
    if !root.name.equals(schema.record.element),
      let name = root.attributes.first(where: { !schema.collectionVersion.equals($0) })
    {
      return "<\(root.name)> has the attribute \(name)"
    }
    if let name = record.first.attributes.first(where: { !attributes.contains(exactly: $0) }) {
      return "<\(record.first.name)> has the attribute \(name)"
    }
    if let name = record.element.seen.map(\.name).first(where: { !elements.contains(exactly: $0) }) {
      return "<\(record.first.name)> has an element <\(name)>"
    }
    return nil
  }

  /// What keeps the first record from being one of a schema's; nil if nothing does, or if it is not there as a whole.
  private static func flaw(ofFirstRecordIn head: [UInt8], _ schema: Schema, _ budget: Budget) -> Failure? {
    let recorder = TapeRecorder()
    let losses = LossReport()
    var failures: [Failure] = []
    let mapper = RecordMapper(
      schema, from: .xml, to: .values, into: recorder, options: RecordOptions(), losses: losses
    ) { failures.append($0) }
    do throws(Failure) {
      let document = RecordDocumentDelegate(schema, into: mapper, losses: losses)
      try XMLStream(document: document, budget: budget).read(head.span)
    } catch {
      // A flaw of the text is one for every reader.
      if case .record = error.reason { failures.append(error) }
    }
    let hasFirst = recorder.tape.count > 1
    return failures.first { failure in
      if case .index(let index)? = failure.path.steps.first { index == 0 } else { !hasFirst }
    }
  }
}

/// Notes the first element of each level, and the names of the children of each.
private final class ProbeDelegate: ElementDelegate {
  /// An element and the names of its attributes.
  struct Seen {
    let name: String
    let attributes: [String]
  }

  private(set) var seen: [Seen] = []
  let child: ProbeDelegate?
  var first: Seen? { seen.first }

  init(levels: Int) {
    child = levels > 1 ? ProbeDelegate(levels: levels - 1) : nil
    super.init()
  }

  override func delegate(for element: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    let isFirst = seen.isEmpty
    if seen.count < 100 {
      var attributes: [String] = []
      for index in 0..<element.attributeCount { attributes.append(element.attributeName(index).local) }
      seen.append(Seen(name: element.name.local, attributes: attributes))
    }
    return isFirst ? child : nil
  }
}
