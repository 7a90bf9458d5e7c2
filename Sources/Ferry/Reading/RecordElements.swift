/// The elements of the records that leave an XML document, to become elements of another one: their names, and the declarations of namespaces
/// around them.
///
///     <p:people xmlns:p="urn:a"><p:person><p:name>Ada</p:name></p:person></p:people>
///
///     the record     {"@xmlns:p": "urn:a", "p:name": "Ada"}
///     its key        p:person
final class RecordElements {
  /// The declarations that the element around the records has in the output, too.
  private let outer: [NamespaceDeclaration]
  /// True if the records declare the namespaces in scope. Other styles of names leave the declarations out, or need none.
  let declares: Bool
  /// The key of the element of the current record; nil before the first one.
  private(set) var key: [UInt8]?
  /// The declarations that the current record needs in the output.
  private(set) var declarations: [NamespaceDeclaration] = []
  /// True to report the declarations of an input without records, which are in no element of the output.
  let reportsUnused: Bool

  init(declares: Bool, outer: [NamespaceDeclaration] = [], reportsUnused: Bool = false) {
    (self.declares, self.outer, self.reportsUnused) = (declares, outer, reportsUnused)
  }

  /// Begins the records of an element, or a record.
  ///
  /// - Parameter scope: The declarations around it.
  func begin(_ key: [UInt8], in scope: [NamespaceDeclaration]) {
    self.key = key
    // There is no default namespace in the output that an empty one would end.
    declarations = declares ? scope.filter { !$0.namespace.isEmpty && !outer.contains($0) } : []
  }

  /// Begins a record.
  ///
  /// - Parameter scope: The declarations around it, the innermost first.
  func begin(_ name: XMLName, _ style: XMLNamespaceStyle, in scope: [(name: XMLName, namespace: [UInt8])]) {
    begin(
      style.key(for: style.text(of: name).utf8.span),
      in: scope.map { name, namespace in
        NamespaceDeclaration(name: name.qualified, namespace: String(decoding: namespace, as: UTF8.self))
      })
  }
}

/// An adapter that adds the declarations of namespaces in scope to each record in a list, unless the record has a declaration of its own.
final class DeclaringRecords: ForwardingSink {
  private let elements: RecordElements
  private let namespaces: NamespaceMeter
  /// The number of open collections.
  private var depth = 0
  /// The declarations that the current record does not have so far.
  private var missing: [NamespaceDeclaration] = []

  /// - Parameter namespaces: Counts the declarations, with which a small document would become a large value.
  init(to next: any ValueSink, _ elements: RecordElements, _ namespaces: NamespaceMeter) {
    (self.elements, self.namespaces) = (elements, namespaces)
    super.init(to: next)
  }

  /// True if the next value is a record.
  private var isAtRecord: Bool { depth == 1 }

  /// Removes the declaration that the record has as an attribute with a name.
  private func remove(declaredBy name: Span<UInt8>) {
    var index = 0
    while index < missing.count {
      let other = missing[index].name
      if name.equals(other.utf8.span) { missing.remove(at: index) } else { index += 1 }
    }
  }

  private func addMissing() throws(FerryError) {
    for declaration in missing {
      let (key, namespace) = (Array("@\(declaration.name)".utf8), Array(declaration.namespace.utf8))
      try namespaces.add(key.count + namespace.count)
      try next.key(BorrowedText(key.span))
      try next.string(BorrowedText(namespace.span))
    }
    missing.removeAll(keepingCapacity: true)
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    guard isAtRecord, !elements.declarations.isEmpty else { return try next.string(text) }
    try next.beginDictionary(count: nil)
    missing = elements.declarations
    try addMissing()
    if !text.utf8.isEmpty {
      let key = Array("#text".utf8)
      try next.key(BorrowedText(key.span))
      try next.string(text)
    }
    try next.endDictionary()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if isAtRecord { missing = elements.declarations }
    depth += 1
    try next.beginDictionary(count: missing.isEmpty ? count : nil)
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if !missing.isEmpty {
      // The attributes of an element, and its declarations, are its first entries.
      if text.utf8.starts(with: "@") {
        remove(declaredBy: text.utf8.extracting(1...))
      } else {
        try addMissing()
      }
    }
    try next.key(text)
  }

  override func endDictionary() throws(FerryError) {
    try addMissing()
    depth -= 1
    try next.endDictionary()
  }

  override func beginArray(count: Int?) throws(FerryError) {
    depth += 1
    try next.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    depth -= 1
    try next.endArray()
  }
}
