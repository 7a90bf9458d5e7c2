/// A detector of the built-in schema of an XML document, from the document's first bytes.
///
/// A document matches a schema if its root is the schema's collection, or one record, and if its first record
/// is exactly one of the schema's: it has every required field, of the field's type, no other elements, and
/// neither the record nor the collection has undeclared attributes. So nothing in an unrelated `<items>` is
/// lost. If the first record is longer than the examined bytes, its beginning decides.
struct SchemaProbe {
  /// The schema; nil if the document matches none.
  private(set) var schema: Schema?
  /// The reason why a document with the names of a schema does not match it.
  private(set) var mismatch: String?

  /// Examines the first bytes of a document.
  init(_ head: [UInt8], budget: Budget) {
    let document = ProbeDelegate(levels: 3)
    // The head ends at any byte, so the end of the document is not checked, and errors are left to the
    // reader.
    try? XMLStream(document: document, budget: budget).read(head.span)
    guard let named = Schema.builtIn.first(where: { Self.hasNames(of: $0, document) }) else { return }
    let why =
      Self.unknownName(in: document, named)
      ?? Self.flaw(ofFirstRecordIn: head, named, budget)?.reason.description
    if let why {
      mismatch = named.mismatch(why)
    } else {
      schema = named
    }
  }

  /// Returns true if a document has the element names of a schema's records.
  private static func hasNames(of schema: Schema, _ document: ProbeDelegate) -> Bool {
    guard let root = document.first, let record = record(of: schema, document) else { return false }
    return record.element.first != nil
      && (root.name.equals(schema.record.element) || root.name.equals(schema.collectionElement))
  }

  /// Returns the first record of a document, and the delegate of its contents.
  private static func record(
    of schema: Schema, _ document: ProbeDelegate
  ) -> (first: ProbeDelegate.Seen, element: ProbeDelegate)? {
    for level in [document, document.child] {
      guard let level, let seen = level.first, let child = level.child else { return nil }
      if seen.name.equals(schema.record.element) { return (seen, child) }
    }
    return nil
  }

  /// Describes a part of a document that its schema does not declare; nil if there is none.
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

  /// Returns the error of the first record by a schema; nil if it is valid or incomplete.
  private static func flaw(ofFirstRecordIn head: [UInt8], _ schema: Schema, _ budget: Budget) -> FerryError? {
    let recorder = TapeRecorder()
    let losses = LossReport()
    var errors: [FerryError] = []
    let mapper = RecordMapper(
      schema, from: .xml, to: .values, into: recorder, options: RecordOptions(), losses: losses
    ) { errors.append($0) }
    do throws(FerryError) {
      let document = RecordDocumentDelegate(schema, into: mapper, losses: losses)
      try XMLStream(document: document, budget: budget).read(head.span)
    } catch {
      // An error of the text is one for every reader.
      if case .record = error.reason { errors.append(error) }
    }
    let hasFirst = recorder.tape.count > 1
    return errors.first { error in
      if case .index(let index)? = error.path.steps.first { index == 0 } else { !hasFirst }
    }
  }
}

/// A delegate that collects the first element of each level, and the names of its children.
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

  override func delegate(for element: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    let isFirst = seen.isEmpty
    if seen.count < 100 {
      var attributes: [String] = []
      for index in 0..<element.attributeCount { attributes.append(element.attributeName(index).local) }
      seen.append(Seen(name: element.name.local, attributes: attributes))
    }
    return isFirst ? child : nil
  }
}
