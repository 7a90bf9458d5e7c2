/// The namespaces that the root element of an XML document declares. A document that is written again, or gets more records, keeps its
/// prefixes, although a schema has others for the same namespaces.
///
///     <b:list xmlns:b="urn:x">      the document
///     <list xmlns="urn:x">          a text that Ferry has written by the schema, which becomes one with the prefix b
struct DeclaredNamespaces {
  private struct Declaration {
    let prefix: String
    let uri: String
    /// The attribute with the white space before it.
    let text: [UInt8]
  }

  private var declarations: [Declaration] = []
  /// The prefix of the root element.
  private let rootPrefix: String

  /// Finds the declarations of a document. Returns nil if it has no root element, or if a declaration has a reference or a character beyond
  /// ASCII.
  init?(of document: [UInt8]) {
    var tags = XMLTagScanner(document.span)
    guard case .start(let root)? = tags.next() else { return nil }
    func text(_ range: Range<Int>) -> String { String(decoding: document[range], as: UTF8.self) }
    rootPrefix = text(root.name).dividedAtColon?.prefix ?? ""
    for attribute in root.attributes {
      let name = text(attribute.name)
      guard name.utf8.span.isNamespaceDeclaration else { continue }
      let declaration = Array(document[attribute.range])
      guard declaration.span.isASCII, !declaration.contains(UInt8(ascii: "&")) else { return nil }
      declarations.append(
        Declaration(
          prefix: name.dividedAtColon?.local ?? "", uri: text(attribute.value), text: declaration))
    }
  }

  /// Returns a text that was written by a schema with the prefixes of the document. Returns nil if the text has prefixes that neither of them
  /// declares in the root element, or a name that would get another namespace.
  func renamed(_ written: [UInt8], _ names: SchemaNames) -> [UInt8]? {
    let markup = XMLMarkup(written)
    guard !markup.elements.isEmpty else { return nil }
    var renaming = Renaming(self, names)
    var edits: [ByteEdit] = []
    func rename(_ range: Range<Int>, _ new: (String) -> String?) -> Bool {
      let old = String(decoding: written[range], as: UTF8.self)
      guard let new = new(old) else { return false }
      if !new.equals(old) { edits.append(ByteEdit(range: range, text: Array(new.utf8))) }
      return true
    }
    var oldDeclarations: [Range<Int>] = []
    for (index, element) in markup.elements.enumerated() {
      let tag = markup.tag(of: index)
      let name = tag.name
      guard rename(name, { renaming.element($0) }) else { return nil }
      if !element.isEmptyTag {
        let start = element.content.upperBound + 2
        guard rename(start..<start + name.count, { renaming.element($0) }) else { return nil }
      }
      for attribute in tag.attributes {
        if written.span.extracting(attribute.name).isNamespaceDeclaration {
          // The names inside could have other namespaces.
          guard index == 0 else { return nil }
          oldDeclarations.append(attribute.range)
        } else if !rename(attribute.name, { renaming.attribute($0) }) {
          return nil
        }
      }
    }
    for range in oldDeclarations { edits.append(ByteEdit(range: range, text: [])) }
    let start = oldDeclarations.first?.lowerBound ?? markup.nameRange(of: 0).upperBound
    edits.append(
      ByteEdit(range: start..<start, text: declarations.flatMap(\.text) + renaming.addedDeclarations))
    return edits.applied(to: written)
  }

  /// The names of a schema as names with the prefixes of a document.
  private struct Renaming {
    private let document: DeclaredNamespaces
    private let names: SchemaNames
    /// The namespaces of the schema that the text has and the document does not declare.
    private var added: [SchemaNamespace] = []

    init(_ document: DeclaredNamespaces, _ names: SchemaNames) {
      (self.document, self.names) = (document, names)
    }

    /// The declarations of the namespaces that the document does not have.
    var addedDeclarations: [UInt8] {
      added.flatMap { namespace in
        let name = namespace.prefix.isEmpty ? "xmlns" : "xmlns:\(namespace.prefix)"
        return Array(" \(name)=\"\(namespace.uri)\"".utf8)
      }
    }

    mutating func element(_ name: String) -> String? {
      let parts = name.dividedAtColon
      guard let uri = names.uri(ofElement: name) else {
        // Without a prefix, it has no namespace, also in the document.
        return parts == nil && document.uri(of: "").isEmpty ? name : nil
      }
      let known = document.prefix(of: uri)
      guard let prefix = known ?? add(parts?.prefix ?? "", uri) else { return nil }
      let local = parts?.local ?? name
      return prefix.isEmpty ? local : "\(prefix):\(local)"
    }

    mutating func attribute(_ name: String) -> String? {
      guard let (old, local) = name.dividedAtColon, !old.equals("xml") else { return name }
      guard let uri = names.uri(ofAttribute: name),
        let prefix = document.prefix(ofAttributesIn: uri) ?? add(old, uri)
      else { return nil }
      return "\(prefix):\(local)"
    }

    /// Declares a namespace that the document does not have. Returns its prefix in the schema, or nil if the document has the prefix for
    /// another namespace, or if the namespace cannot be declared without a reference.
    private mutating func add(_ prefix: String, _ uri: String) -> String? {
      guard document.declarations.allSatisfy({ !$0.prefix.equals(prefix) }),
        !uri.utf8.contains(where: { "&<\"".utf8.contains($0) })
      else { return nil }
      if !added.contains(where: { $0.prefix.equals(prefix) }) {
        added.append(SchemaNamespace(prefix: prefix, uri: uri))
      }
      return prefix
    }
  }

  /// Returns the namespace of a prefix; an empty string if it is not declared.
  private func uri(of prefix: String) -> String {
    declarations.first { $0.prefix.equals(prefix) }?.uri ?? ""
  }

  /// Returns the prefix of the elements in a namespace: that of the root element, or the first one.
  private func prefix(of uri: String) -> String? {
    if self.uri(of: rootPrefix).equals(uri) { return rootPrefix }
    return declarations.first { $0.uri.equals(uri) }?.prefix
  }

  /// Returns the prefix of the attributes in a namespace.
  private func prefix(ofAttributesIn uri: String) -> String? {
    declarations.first { $0.uri.equals(uri) && !$0.prefix.isEmpty }?.prefix
  }
}
