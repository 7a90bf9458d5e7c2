/// An element that is read without the document around it.
struct SelectedElement {
  /// The index in the selection.
  let index: Int
  /// True if `xml:space` of an element around it preserves white space.
  let keepsSpace: Bool
}

/// The objects that all delegates of a document share.
final class RecordContext {
  let losses: LossReport
  /// Receives the source location of each record, or nil if no sink needs it.
  let locator: SourceLocator?
  /// The values of `xml:space` for the open elements.
  var space: SpaceScopes
  /// True if the keys are for a writer of XML, which writes each name as it is in the input.
  private let keepsNames: Bool
  /// True if children are put together by name, and text is put together, in elements that the schema does not describe.
  let groupsContents: Bool
  /// Receives the errors of records that are left out; nil to throw the first of them.
  private let failed: FailedRecords?
  /// The index of the current record among those that the sink receives; nil for the only one.
  private var record: Int?
  /// True if the document is an element of a selection, whose records are the elements.
  let isSelected: Bool
  /// The types of records that contain themselves, by element.
  let enclosingTypes: [ExactString: RecordType]
  /// The names in a schema with namespaces; nil for local names.
  let names: SchemaNames?

  /// Creates the parts for a document, or for an element of a selection.
  init(
    losses: LossReport, locator: SourceLocator?, failed: FailedRecords?, selected: SelectedElement?,
    keepsNames: Bool, groupsContents: Bool, _ schema: Schema
  ) {
    enclosingTypes = schema.record.enclosingTypes
    names = schema.names
    (self.losses, self.locator, self.failed) = (losses, locator, failed)
    (self.keepsNames, self.groupsContents) = (keepsNames, groupsContents)
    (record, isSelected) = (selected?.index, selected != nil)
    space = SpaceScopes(keepsSpace: selected?.keepsSpace ?? false)
  }

  /// Returns the name of an element as the schema has it.
  func name(of element: XMLName) -> String { names?.element(element) ?? element.local }

  /// Returns true if an element declares namespaces that the schema does not have.
  func hasOtherNamespaces(_ element: borrowing XMLStartTag) -> Bool {
    guard let names else { return element.declarationCount > 0 }
    for index in 0..<element.declarationCount {
      let uri = element.declarationValue(index).utf8
      if !uri.isEmpty, !names.declares(uri) { return true }
    }
    return false
  }

  /// Returns the source location of an element for a loss that may be listed.
  func lossLocation(of element: borrowing XMLStartTag) -> InputLocation {
    losses.usesLocations ? element.location : InputLocation()
  }

  /// Returns the key for the name of an element or attribute that the schema does not declare.
  func key(for name: String, isAttribute: Bool = false) -> String {
    guard name.utf8.span.end(ofFirst: "_x", from: 0) != nil else { return name }
    if names.keepsName(name, isAttribute: isAttribute) { return name }
    return String(decoding: XMLKeyName.key(for: name.utf8.span, keepsNames: keepsNames), as: UTF8.self)
  }

  /// Begins a record of the collection.
  func begin(record index: Int?) {
    if !isSelected { record = index }
  }

  /// Leaves the current record out because of an error, or throws the error if it ends the conversion. The
  /// record is sent nevertheless, to be counted; the mapper leaves it out.
  func leaveOut(because error: FerryError) throws(FerryError) {
    guard let failed, let record else { throw error }
    failed.add(error, inRecord: record)
  }
}

extension XMLStartTag {
  /// Calls a function with the name and value of each attribute. The name is the local name, or the name with
  /// its prefix if the prefix is `xml`, which needs no declaration, or if another attribute has the local name. In a schema with
  /// namespaces, it is the name in the schema.
  func forEachAttribute<E: Error>(
    _ names: SchemaNames?, _ body: (String, BorrowedText) throws(E) -> Void
  ) throws(E) {
    if let names {
      for index in 0..<attributeCount {
        try body(names.attribute(attributeName(index)), attributeValue(index))
      }
      return
    }
    let qualified = qualifiedAttributes
    for index in 0..<attributeCount {
      let name = attributeName(index)
      let keepsPrefix = name.isOfXML || qualified.contains(index)
      try body(keepsPrefix ? name.qualified : name.local, attributeValue(index))
    }
  }

  /// The indices of the attributes with a prefix whose local name is that of an earlier attribute or of one
  /// without a prefix.
  private var qualifiedAttributes: Set<Int> {
    var prefixed: [Int] = []
    for index in 0..<attributeCount {
      let name = attributeName(index)
      if name.prefix != nil, !name.isOfXML { prefixed.append(index) }
    }
    guard !prefixed.isEmpty, attributeCount > 1 else { return [] }
    var locals: Set<ExactString> = []
    for index in 0..<attributeCount where attributeName(index).prefix == nil {
      locals.insert(ExactString(attributeName(index).local))
    }
    var qualified: Set<Int> = []
    for index in prefixed where !locals.insert(ExactString(attributeName(index).local)).inserted {
      qualified.insert(index)
    }
    return qualified
  }
}

extension XMLName {
  /// True if the prefix is `xml`, which needs no declaration.
  fileprivate var isOfXML: Bool { qualified.utf8.starts(with: "xml:".utf8) }
}
