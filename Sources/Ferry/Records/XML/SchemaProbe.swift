/// A detector of the built-in schema that matches an XML document. It examines the first bytes of the
/// document.
///
/// A document matches a schema if its root element is the schema's collection or a single record, and if its
/// first record has exactly the fields of the schema: every required field with a valid value, and no other
/// elements. The collection, the record and its fields have no undeclared attributes, no text beside elements
/// and no namespace. An unrelated document with an element `<items>` therefore loses nothing. If the first
/// record is longer than the examined bytes, only its beginning is checked.
struct SchemaProbe {
  /// The matching schema, or nil if there is none.
  private(set) var schema: Schema?
  /// The reason why the document does not match a schema although it has the schema's names, or nil.
  private(set) var mismatch: Note?

  /// Examines the first bytes of a document.
  ///
  /// - Parameter elements: The elements of the document, if it was read before and the first bytes are all of it.
  init(_ head: [UInt8], _ elements: KeptElements? = nil, budget: Budget) {
    // A parser is much slower than this comparison, which decides most documents.
    if let root = PrologScan.rootName(in: head), !Schema.builtIn.contains(where: { $0.allows(root: root) }) {
      return
    }
    let document = ProbeDelegate(levels: 3)
    // The first bytes end anywhere, so the end of the document is not checked. The reader will report its
    // errors.
    if let elements {
      try? elements.replay(to: document, budget: budget, losses: nil, ends: false)
    } else {
      try? XMLStream(document: document, budget: budget).read(head.span)
    }
    guard let (named, record) = Self.namedSchema(of: document) else { return }
    let flaw = Self.isValidByNames(record, named) ? nil : Self.flaw(ofFirstRecordIn: head, named, budget)
    if let why = Self.unknownPart(of: record, named) ?? flaw?.reason.description {
      mismatch = named.mismatch(why, isReadable: flaw == nil)
    } else {
      schema = named
    }
  }

  /// The first record in a document.
  private struct Record {
    /// The delegate of the document.
    let document: ProbeDelegate
    let root: ProbeDelegate.Seen
    let first: ProbeDelegate.Seen
    /// The delegate of the contents of the record.
    let element: ProbeDelegate
    /// True if the root element is the record.
    let isRoot: Bool
  }

  /// Returns the built-in schema whose element names a document has, with the first record; nil if there is none.
  private static func namedSchema(of document: ProbeDelegate) -> (schema: Schema, record: Record)? {
    for schema in Schema.builtIn {
      guard let record = record(of: schema, document), record.element.first != nil,
        record.isRoot || record.root.name.equals(schema.collectionElement)
      else { continue }
      return (schema, record)
    }
    return nil
  }

  /// Returns the first record in a document.
  private static func record(of schema: Schema, _ document: ProbeDelegate) -> Record? {
    guard let root = document.first else { return nil }
    for level in [document, document.child] {
      guard let level, let seen = level.first, let child = level.child else { return nil }
      if seen.name.equals(schema.record.element) {
        return Record(
          document: document, root: root, first: seen, element: child,
          isRoot: root.name.equals(schema.record.element))
      }
    }
    return nil
  }

  /// Describes the first part of a document that the schema does not declare. Returns nil if there is none.
  private static func unknownPart(of record: Record, _ schema: Schema) -> String? {
    let root = record.root
    if let found = namespaced(in: record) {
      return "<\(found.name)> declares the namespace \(MessageText.quoted(found.namespace ?? ""))"
    }
    if !record.isRoot, record.document.child?.elementsBeforeText == 0 {
      return "<\(root.name)> has text beside its elements"
    }
    if record.element.elementsBeforeText != nil {
      return "<\(record.first.name)> has text beside its elements"
    }
    return unknownName(record, schema)
  }

  /// Returns the first element that declares a namespace, or nil.
  private static func namespaced(in record: Record) -> ProbeDelegate.Seen? {
    if !record.isRoot, record.root.namespace != nil { return record.root }
    if record.first.namespace != nil { return record.first }
    return record.element.seen.first { $0.namespace != nil }
  }

  /// Describes an attribute or element that the schema does not declare. Returns nil if there is none.
  private static func unknownName(_ record: Record, _ schema: Schema) -> String? {
    let (root, fields) = (record.root, schema.record.fields)
    if !record.isRoot, let name = root.attributes.first(where: { !schema.collectionVersion.equals($0) }) {
      return "<\(root.name)> has the attribute \(name)"
    }
    if let name = record.first.attributes.first(where: { name in
      !fields.contains { $0.isAttribute(name) }
    }) {
      return "<\(record.first.name)> has the attribute \(name)"
    }
    if let seen = record.element.seen.first(where: { seen in
      !fields.contains { $0.isElement(seen.name) }
    }) {
      return "<\(record.first.name)> has an element <\(seen.name)>"
    }
    let field = record.element.seen.first { !$0.attributes.isEmpty }
    return field.map { "<\($0.name)> has the attribute \($0.attributes[0])" }
  }

  /// Returns true if the names in the first record show that it is valid, so that it need not be read: it is in a list and has each
  /// required field once, and all fields are strings. Attributes and elements that the schema does not declare do not make a record invalid.
  private static func isValidByNames(_ record: Record, _ schema: Schema) -> Bool {
    guard record.element.isWhole, record.element.elementsBeforeText == nil, record.root.hasPlainNames,
      record.first.hasPlainNames, record.element.seen.allSatisfy(\.hasPlainNames), schema.hasOnlyStrings
    else { return false }
    return schema.record.fields.allSatisfy { field in
      guard case .element(let name) = field.xml else { return false }
      var value: ProbeDelegate.Seen?
      for seen in record.element.seen where seen.name.equals(name) {
        guard value == nil else { return false }
        value = seen
      }
      return value.map { !$0.hasElements } ?? field.isOptional
    }
  }

  /// Returns the error of reading the first record with a schema. Returns nil if the record is valid or
  /// incomplete.
  private static func flaw(ofFirstRecordIn head: [UInt8], _ schema: Schema, _ budget: Budget) -> FerryError? {
    let tapeSink = TapeSink()
    let losses = LossReport()
    let failed = FailedRecords()
    let mapper = RecordMapper(
      schema, from: .xml, to: .values, into: tapeSink, options: RecordOptions(budget: budget), losses: losses,
      failed: failed)
    do throws(FerryError) {
      let document = RecordDocumentDelegate(schema, into: mapper, losses: losses)
      try XMLStream(document: document, budget: budget).read(head.span)
    } catch {
      // Errors of the XML text itself do not depend on the schema, so they are ignored.
      if case .record = error.reason { failed.add(error) }
    }
    let hasFirst = tapeSink.tape.count > 1
    return failed.errors.first { error in
      if case .index(let index)? = error.path.steps.first { index == 0 } else { !hasFirst }
    }
  }
}

extension Schema {
  /// Returns true if the root element of the schema's documents may have a name.
  fileprivate func allows(root name: ArraySlice<UInt8>) -> Bool {
    name.elementsEqual(record.element.utf8) || name.elementsEqual(collectionElement.utf8)
  }

  /// True if each value in the records is a string that may have any text.
  fileprivate var hasOnlyStrings: Bool {
    record.key == nil && record.versions == nil && collectionKey == nil && namespaces.isEmpty
      && record.fields.allSatisfy { $0.type == .string && $0.aliases.isEmpty }
  }
}

extension RecordField {
  /// Returns true if the value is in an attribute with a name.
  fileprivate func isAttribute(_ name: String) -> Bool {
    if case .attribute(let attribute) = xml { attribute.equals(name) } else { false }
  }

  /// Returns true if the value is in an element with a name.
  fileprivate func isElement(_ name: String) -> Bool {
    if case .element(let element) = xml, element.equals(name) { return true }
    return !aliases.isEmpty && aliases.contains(exactly: name)
  }
}

/// A delegate that collects the first element of each level, with the names of its children.
private final class ProbeDelegate: ElementDelegate {
  /// An element, with the names of its attributes and the first namespace that it declares.
  struct Seen {
    let name: String
    let attributes: [String]
    let namespace: String?
    /// True if no name has a prefix or an escape, so that its key is the name.
    let hasPlainNames: Bool
    /// True if the element contains an element. Is only known for the elements of the innermost level.
    var hasElements = false
  }

  /// The number of elements that are kept at most.
  private static let limit = 100
  private(set) var seen: [Seen] = []
  /// The number of elements before the first text; nil if there is no text beside the elements.
  private(set) var elementsBeforeText: Int?
  /// True if the element is on the innermost level and has ended, and all elements in it were kept.
  private(set) var isWhole = false
  let child: ProbeDelegate?
  /// The delegate of the elements in an element of the innermost level; nil for the other levels.
  private let contents: ProbedContents?
  var first: Seen? { seen.first }

  init(levels: Int) {
    child = levels > 1 ? ProbeDelegate(levels: levels - 1) : nil
    contents = levels > 1 ? nil : ProbedContents()
    super.init()
  }

  override func delegate(for element: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    let isFirst = seen.isEmpty
    if seen.count < Self.limit {
      var attributes: [String] = []
      let elementName = element.name
      var hasPlainNames = elementName.isPlain && element.declarationCount == 0
      for index in 0..<element.attributeCount {
        let name = element.attributeName(index)
        hasPlainNames = hasPlainNames && name.isPlain
        attributes.append(name.local)
      }
      let namespace = element.declarationCount > 0 ? String(element.declarationValue(0)) : nil
      seen.append(
        Seen(
          name: elementName.local, attributes: attributes, namespace: namespace, hasPlainNames: hasPlainNames
        ))
    }
    if let contents {
      contents.hasElements = false
      return contents
    }
    return isFirst ? child : nil
  }

  override func childDidFinish(_ child: ElementDelegate) {
    if contents?.hasElements == true { seen[seen.count - 1].hasElements = true }
  }

  override func didEnd() { isWhole = contents != nil && seen.count < Self.limit }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if elementsBeforeText == nil, !text.isBlank { elementsBeforeText = seen.count }
  }
}

/// A delegate that finds out if an element contains elements.
private final class ProbedContents: ElementDelegate {
  var hasElements = false

  override func delegate(for element: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    hasElements = true
    return nil
  }
}

extension XMLName {
  /// True if the name has no prefix and no escape of another character.
  fileprivate var isPlain: Bool { prefix == nil && local.utf8.span.end(ofFirst: "_x", from: 0) == nil }
}
