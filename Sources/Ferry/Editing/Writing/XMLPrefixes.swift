/// The namespace prefixes that the names of new elements may have in an XML document.
struct XMLPrefixes {
  private let markup: XMLMarkup
  /// True if the colon of a name whose prefix is not declared is escaped.
  private let areEscaped: Bool
  /// The prefixes that any element of the original document declares.
  private let known: Set<[UInt8]>
  /// The other prefixes that names of the original document encode; nil until a new element has a prefix that is not declared. To find
  /// them takes time in proportion to the document.
  private var encoded: Set<[UInt8]>?
  /// The prefixes that the values of compared elements declare, also by an attribute that is new or has a default value.
  private var new: [Int: [[UInt8]]] = [:]

  init(in markup: XMLMarkup, areEscaped: Bool) {
    (self.markup, self.areEscaped) = (markup, areEscaped)
    known = markup.declaredPrefixes
  }

  /// Adds a prefix that the value of an element declares.
  mutating func declare(_ prefix: [UInt8], in element: Int) { new[element, default: []].append(prefix) }

  /// Returns the prefixes that an element and the elements around it declare after the change.
  func declared(in element: Int?) -> [[UInt8]] {
    guard let element else { return [] }
    var prefixes = markup.prefixes(in: element)
    var next: Int? = element
    while let index = next {
      prefixes += new[index] ?? []
      next = markup.elements[index].parent
    }
    return prefixes
  }

  /// Returns a name in the value of a new element with a prefix that is not declared; nil if there is none, or if such prefixes are a part of
  /// names in the document. Without its declaration, the prefix would be a part of another name.
  mutating func undeclared(
    in value: Value, under key: [UInt8], besides declared: Set<[UInt8]>
  ) -> (prefix: [UInt8], name: [UInt8])? {
    var names: [[UInt8]: [UInt8]] = [:]
    value.addNames(under: key, declared: declared, to: &names)
    names[[]] = nil
    guard !names.isEmpty else { return nil }
    if areEscaped {
      names = names.filter { known.contains($0.key) }
    } else {
      // A document made of data that has colons in its keys takes more of them.
      let encoded = encoded ?? markup.encodedPrefixes.subtracting(known)
      self.encoded = encoded
      names = names.filter { !encoded.contains($0.key) }
    }
    return names.min { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
