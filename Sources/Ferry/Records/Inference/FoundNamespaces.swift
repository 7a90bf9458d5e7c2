/// The namespaces of the elements and attributes of documents, each with the prefix that it has in a schema: the first one in the
/// documents, unless another namespace has it.
///
///     <feed xmlns="urn:a"><b:id xmlns:b="urn:b" b:x="1"/></feed>
///
///     keys of elements      :feed  b:id          of attributes   @b:x
///     prefixes              "" urn:a  b urn:b
struct FoundNamespaces {
  /// The namespaces in the order of their first occurrence.
  private var uris: [String] = []
  private var prefixesOfElements: [ExactString: String] = [:]
  /// The prefixes of attributes in namespaces whose elements have none.
  private var prefixesOfAttributes: [ExactString: String] = [:]
  private var taken: Set<ExactString> = ["xml", "xmlns"]
  /// For each stem of made-up prefixes, the last number: 3 after `svg`, `svg2` and `svg3`.
  private var lastNumbers: [ExactString: Int] = [:]
  /// The namespaces that root elements declare.
  private var declared: [SchemaNamespace] = []
  /// True if an element has no namespace. Then the elements of all namespaces need prefixes.
  private(set) var hasBareElements = false

  /// Returns the key of an element.
  mutating func key(ofElement name: XMLName) -> String {
    guard let uri = name.namespace, !uri.isEmpty else {
      hasBareElements = true
      return name.local
    }
    return "\(prefix(ofElementsIn: uri, now: name.prefix ?? "")):\(name.local)"
  }

  /// Returns the key of an attribute.
  mutating func key(ofAttribute name: XMLName) -> String {
    guard let uri = name.namespace, !uri.isEmpty else { return "@\(name.local)" }
    return "@\(prefix(ofAttributesIn: uri, now: name.prefix ?? "")):\(name.local)"
  }

  /// Notes the namespaces that a root element declares, which a value such as a list of prefixes may need.
  mutating func noteDeclarations(of root: borrowing XMLStartTag) {
    for index in 0..<root.declarationCount {
      let (name, uri) = (root.declarationName(index), String(root.declarationValue(index)))
      guard !uri.isEmpty, declared.count < 1 << 8 else { continue }
      declared.append(SchemaNamespace(prefix: name.prefix == nil ? "" : name.local, uri: uri))
    }
  }

  private mutating func prefix(ofElementsIn uri: String, now prefix: String) -> String {
    if let known = prefixesOfElements[uri] { return known }
    let chosen = prefixesOfAttributes[uri] ?? newPrefix(for: uri, now: prefix)
    prefixesOfElements[uri] = chosen
    return chosen
  }

  private mutating func prefix(ofAttributesIn uri: String, now prefix: String) -> String {
    if let known = prefixesOfElements[uri], !known.isEmpty { return known }
    if let known = prefixesOfAttributes[uri] { return known }
    let chosen = newPrefix(for: uri, now: prefix)
    prefixesOfAttributes[uri] = chosen
    return chosen
  }

  /// Takes a prefix for a namespace: the given one if it is free.
  private mutating func newPrefix(for uri: String, now prefix: String) -> String {
    if uri.equals(XMLNamespace.xml) { return "xml" }
    // A namespace whose elements have a prefix is in `uris` already.
    if prefixesOfElements[uri] == nil { uris.append(uri) }
    guard !taken.insert(ExactString(prefix)).inserted else { return prefix }
    return freePrefix(for: uri)
  }

  /// Takes a free prefix made from the last word of a namespace, with a number if it is taken: `svg` for `http://www.w3.org/2000/svg`.
  private mutating func freePrefix(for uri: String) -> String {
    let words = uri.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
    let word = words.last { $0.first?.isLetter == true && $0.count > 1 }
    let stem = word.map { String($0).lowercased() } ?? "ns"
    var number = lastNumbers[stem] ?? 1
    var candidate = number == 1 ? stem : "\(stem)\(number)"
    while !taken.insert(ExactString(candidate)).inserted {
      number += 1
      candidate = "\(stem)\(number)"
    }
    lastNumbers[stem] = number
    return candidate
  }

  /// Returns the namespaces of a schema, and the prefix in it of the elements whose keys have the empty prefix.
  func table() -> (namespaces: [SchemaNamespace], emptyPrefix: String) {
    var copy = self
    var (namespaces, emptyPrefix): ([SchemaNamespace], String) = ([], "")
    for uri in uris {
      var own: [String] = []
      if let prefix = prefixesOfElements[uri] {
        // Elements without a namespace have no prefix in the schema.
        let final =
          prefix.isEmpty && hasBareElements ? prefixesOfAttributes[uri] ?? copy.freePrefix(for: uri) : prefix
        if prefix.isEmpty { emptyPrefix = final }
        own.append(final)
      }
      if let prefix = prefixesOfAttributes[uri], !own.contains(exactly: prefix) { own.append(prefix) }
      namespaces += own.map { SchemaNamespace(prefix: $0, uri: uri) }
    }
    guard !namespaces.isEmpty else { return ([], "") }
    for other in declared where !namespaces.contains(where: { $0.uri.equals(other.uri) }) {
      let isTaken = namespaces.contains { $0.prefix.equals(other.prefix) }
      guard !isTaken, !other.prefix.isEmpty, !other.uri.equals(XMLNamespace.xml) else { continue }
      namespaces.append(other)
    }
    return (namespaces, emptyPrefix)
  }
}
