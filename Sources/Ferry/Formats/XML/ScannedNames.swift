/// The names in the tags of a document, found by their bytes, and the namespaces in scope.
///
/// A tag mostly has the same name as the one that last had the same neighbors, so this name is compared first.
struct ScannedNames: ~Copyable {
  /// A name as written, in one scope of namespaces.
  private struct Name {
    /// The range of the name in `bytes`.
    var start: Int
    var count: Int
    var isAttribute: Bool
    /// A number that attributes have in common if they have the same local name and namespace.
    var expandedNumber: Int
    /// The number of the last document that the name occurred in.
    var document: Int
  }

  /// The part of a name that a loop over tags needs: the bytes of the name and a `>`, the scope, and the names that are likely
  /// to follow.
  struct Tag {
    /// The first eight bytes. After fewer bytes, zero bytes follow.
    private var first: UInt64 = 0
    /// The mask of the bytes in `first` that belong to the name or are the `>`.
    private var mask: UInt64 = 0
    /// The last eight bytes. It is compared only if there are more than eight.
    private var last: UInt64 = 0
    /// The number of bytes.
    private let count: Int
    /// The index of the name in the bytes of all names.
    private let start: Int
    /// The scope of namespaces in which the name was found.
    let scope: Int
    /// The number of the name in the table.
    let number: Int32
    /// The names that last followed as the first child, as the first attribute, and as the next sibling or attribute; -1 for none.
    fileprivate(set) var firstChild = -1
    fileprivate(set) var firstAttribute = -1
    fileprivate(set) var next = -1
    /// True if the last start tag with attributes had only one and was not that of an empty element.
    fileprivate(set) var hasOneAttribute = false

    /// A byte after a name.
    enum Mark: UInt8 {
      case bracket = 0x3e
      case space = 0x20
      case equalsSign = 0x3d

      /// The bits in which the byte differs from a `>`.
      @inline(__always)
      fileprivate var difference: UInt64 { UInt64(rawValue ^ Self.bracket.rawValue) }
    }

    fileprivate init(_ name: Span<UInt8>, at start: Int, scope: Int, number: Int32) {
      (count, self.start, self.scope, self.number) = (name.count + 1, start, scope, number)
      for index in name.indices.suffix(7) { last = last >> 8 | UInt64(name[index]) << 56 }
      last = last >> 8 | UInt64(UInt8(ascii: ">")) << 56
      for index in name.indices.prefix(8) { first |= UInt64(name[index]) << UInt64(8 * index) }
      if name.count < 8 { first |= UInt64(UInt8(ascii: ">")) << UInt64(8 * name.count) }
      mask = ~0 >> UInt64(64 - 8 * min(8, name.count + 1))
    }

    /// Returns the index after the name and the byte after it that are at an index, or nil if other bytes are there.
    ///
    /// - Parameters:
    ///   - names: The bytes of all names.
    ///   - mark: The byte after the name.
    @inline(__always)
    func end(
      in text: Span<UInt8>, from start: Int, names: Span<UInt8>, before mark: Mark = .bracket
    ) -> Int? {
      guard start <= text.count - max(count, 8) else { return nil }
      let difference = text.littleEndianWord(at: start) & mask ^ first
      let end = start &+ count
      if count <= 8 {
        guard difference == mark.difference &<< UInt64(8 &* (count &- 1)) else { return nil }
      } else {
        guard difference == 0, text.littleEndianWord(at: end &- 8) ^ last == mark.difference << 56 else {
          return nil
        }
        guard count <= 16 || names.hasName(self.start, count - 1, equalTo: text, from: start) else {
          return nil
        }
      }
      return end
    }
  }

  /// The namespaces that are bound in an element: those of an enclosing scope, and its own.
  private struct Scope {
    var outer: Int
    var bindings: [(prefix: [UInt8], namespace: String)]
    /// The number of declarations in the document: those of the enclosing scopes, and the bindings.
    var declarationCount = 0
  }

  private struct ScopeKey: Hashable {
    var outer: Int
    var declarations: [UInt8]
  }

  private struct ExpandedName: Hashable {
    var local: ExactString
    var namespace: ExactString?
  }

  private(set) var table: XMLNameTable
  private var names: [Name] = []
  /// The tags of the names.
  private(set) var tags: [Tag] = []
  /// The bytes of all names.
  private(set) var bytes: [UInt8] = []
  /// The indices of the names, by their bytes, scopes and kinds.
  private var indices = HashedNumbers()
  private var expandedNumbers: [ExpandedName: Int] = [:]
  private var scopes = [Scope(outer: -1, bindings: [(Array("xml".utf8), XMLNamespace.xml)])]
  private var scopeNumbers: [ScopeKey: Int] = [:]

  /// The maximum number of scopes.
  private static let scopeLimit = 1024

  private var limit: Int
  /// The number of the document, if names of earlier documents are kept for it.
  private var document = 0
  /// The number of names in the document.
  private var count = 0

  init(budget: Budget) {
    table = XMLNameTable(budget: budget)
    limit = budget.names
    // Room for the names of most small documents.
    names.reserveCapacity(16)
    tags.reserveCapacity(16)
    bytes.reserveCapacity(128)
  }

  /// The table of the names.
  consuming func takeTable() -> XMLNameTable { table }

  /// Exchanges the tags and the bytes of the names with others. A loop takes them out to read them, because copies would be counted for
  /// each loop.
  mutating func exchangeTags(_ tags: inout [Tag], _ bytes: inout [UInt8]) {
    swap(&tags, &self.tags)
    swap(&bytes, &self.bytes)
  }

  /// Adds names of another table, which count for the limit.
  mutating func add(_ others: [XMLName]) { table.add(others) }

  /// True if the names need little memory, so that they can be kept for other documents, which often have the same.
  var isWorthKeeping: Bool {
    max(names.count, table.names.count) <= 128 && bytes.count <= 1 << 12 && scopes.count <= 32
      && !table.isOverBudget
  }

  /// Begins another document. The names are kept for it, and count when they occur in it. No name is likely to follow another one until both
  /// have occurred, so that each name of the document is searched, and counted, once.
  mutating func beginDocument(budget: Budget) {
    table.beginDocument(budget: budget)
    document += 1
    (count, limit) = (0, budget.names)
    for index in tags.indices {
      (tags[index].firstChild, tags[index].firstAttribute, tags[index].next) = (-1, -1, -1)
      tags[index].hasOneAttribute = false
    }
  }

  /// Returns true if the bytes at an index are a name, which ends there.
  func matches(_ name: Int, _ text: Span<UInt8>, from start: Int) -> Bool {
    bytes.span.hasName(names[name].start, names[name].count, equalTo: text, from: start)
  }

  /// Returns true if the bytes at an index are a name with a `>` after it, or with a space if the name had one attribute.
  func isTag(_ name: Int, _ text: Span<UInt8>, from start: Int) -> Bool {
    let (tag, names) = (tags[name], bytes.span)
    return tag.end(in: text, from: start, names: names) != nil
      || tag.hasOneAttribute && tag.end(in: text, from: start, names: names, before: .space) != nil
  }

  /// Returns the length of a name in bytes.
  func count(of name: Int) -> Int { names[name].count }

  /// Returns a name, or nil if its prefix is not declared, or the names exceed the budget.
  ///
  /// - Parameter guess: The name that is compared first, or -1.
  mutating func name(
    _ text: Span<UInt8>, scope: Int, isAttribute: Bool, guess: Int
  ) -> Int? {
    if guess >= 0, tags[guess].scope == scope, names[guess].count == text.count,
      matches(guess, text, from: 0)
    {
      return guess
    }
    var probe = indices.probe(for: hash(of: text, scope: scope, isAttribute: isAttribute))
    if let known = known(text, scope: scope, isAttribute: isAttribute, at: &probe) {
      return occur(known) ? known : nil
    }
    let colon = text.firstIndex(of: UInt8(ascii: ":"), from: 0)
    let local = text.extracting(droppingFirst: colon.map { $0 + 1 } ?? 0)
    guard text.beginsName, local.beginsName,
      local.firstIndex(of: UInt8(ascii: ":"), from: 0) == nil
    else { return nil }
    let prefix = colon.map { [UInt8](copying: text.extracting(first: $0)) } ?? []
    let namespace = isAttribute && prefix.isEmpty ? "" : self.namespace(of: prefix, in: scope)
    guard let namespace, prefix.isEmpty || !namespace.isEmpty else { return nil }
    let encoded = XMLKeyName.encodedPrefix(of: local).map { Array($0.utf8) } ?? []
    let encodesDeclared = !encoded.isEmpty && self.namespace(of: encoded, in: scope) != nil
    let name = table.name(
      local: local.decodedString, prefix: prefix.isEmpty ? nil : String(decoding: prefix, as: UTF8.self),
      namespace: namespace.isEmpty ? nil : namespace, encodesDeclaredPrefix: encodesDeclared)
    return add(name, text, scope: scope, isAttribute: isAttribute, at: probe)
  }

  private func hash(of text: Span<UInt8>, scope: Int, isAttribute: Bool) -> UInt64 {
    WordHash.hash(of: text.hashOfBytes, UInt64(bitPattern: Int64(scope &* 2 + (isAttribute ? 1 : 0))))
  }

  /// Returns a name that was added before. Advances the probe to the end if there is none.
  private func known(
    _ text: Span<UInt8>, scope: Int, isAttribute: Bool, at probe: inout HashedNumbers.Probe
  ) -> Int? {
    while let index = indices.next(at: &probe) {
      let name = names[index]
      let isSame = tags[index].scope == scope && name.isAttribute == isAttribute && name.count == text.count
      if isSame, matches(index, text, from: 0) { return index }
    }
    return nil
  }

  private mutating func add(
    _ name: XMLName, _ text: Span<UInt8>, scope: Int, isAttribute: Bool, at probe: HashedNumbers.Probe
  ) -> Int? {
    guard !table.isOverBudget, count < limit, let number = Int32(exactly: name.number) else { return nil }
    count += 1
    indices.add(names.count, at: probe)
    names.append(
      Name(
        start: bytes.count, count: text.count, isAttribute: isAttribute,
        expandedNumber: isAttribute ? expandedNumber(of: name) : -1, document: document))
    tags.append(Tag(text, at: bytes.count, scope: scope, number: number))
    bytes.append(copying: text)
    return names.count - 1
  }

  /// Counts a known name if it occurs in the document for the first time. Returns false if the names exceed the budget.
  private mutating func occur(_ name: Int) -> Bool {
    guard names[name].document != document else { return true }
    table.noteUse(of: Int(tags[name].number))
    guard !table.isOverBudget, count < limit else { return false }
    names[name].document = document
    count += 1
    return true
  }

  /// Returns the namespace of a prefix, or of elements without one; nil if the prefix is not declared.
  private func namespace(of prefix: [UInt8], in scope: Int) -> String? {
    var scope = scope
    while scope >= 0 {
      if let binding = scopes[scope].bindings.first(where: { $0.prefix == prefix }) {
        return binding.namespace
      }
      scope = scopes[scope].outer
    }
    return prefix.isEmpty ? "" : nil
  }

  /// Returns the name of a namespace declaration, `xmlns` or `xmlns:prefix`, or nil if the names exceed the budget.
  mutating func declaration(of prefix: [UInt8]) -> Int? {
    let text = Array("xmlns".utf8) + (prefix.isEmpty ? [] : [UInt8(ascii: ":")] + prefix)
    var probe = indices.probe(for: hash(of: text.span, scope: -1, isAttribute: true))
    if let known = known(text.span, scope: -1, isAttribute: true, at: &probe) {
      return occur(known) ? known : nil
    }
    let name =
      prefix.isEmpty
      ? table.name(local: "xmlns", prefix: nil, namespace: XMLNamespace.declarations)
      : table.name(
        local: String(decoding: prefix, as: UTF8.self), prefix: "xmlns",
        namespace: XMLNamespace.declarations)
    return add(name, text.span, scope: -1, isAttribute: true, at: probe)
  }

  /// Returns the scope of an element with namespace declarations, or nil if they are unusual.
  mutating func scope(
    in outer: Int, declaring bindings: [(prefix: [UInt8], namespace: [UInt8])]
  ) -> Int? {
    var declarations: [UInt8] = []
    for (index, (prefix, namespace)) in bindings.enumerated() {
      guard !prefix.elementsEqual("xml".utf8), !prefix.elementsEqual("xmlns".utf8),
        prefix.isEmpty || !namespace.isEmpty && prefix[0].isXMLNameStart,
        !namespace.elementsEqual(XMLNamespace.xml.utf8),
        !namespace.elementsEqual(XMLNamespace.declarations.utf8),
        !bindings[..<index].contains(where: { $0.prefix == prefix })
      else { return nil }
      declarations += prefix + [0] + namespace + [0]
    }
    let key = ScopeKey(outer: outer, declarations: declarations)
    if let known = scopeNumbers[key] { return known }
    guard scopes.count < Self.scopeLimit else { return nil }
    scopes.append(
      Scope(
        outer: outer, bindings: bindings.map { ($0.prefix, String(decoding: $0.namespace, as: UTF8.self)) },
        declarationCount: scopes[outer].declarationCount + bindings.count))
    scopeNumbers[key] = scopes.count - 1
    return scopes.count - 1
  }

  /// Returns the number of namespace declarations in a scope.
  func declarationCount(inScope scope: Int) -> Int { scopes[scope].declarationCount }

  private mutating func expandedNumber(of name: XMLName) -> Int {
    // Attributes without a prefix are in no namespace, so each has its own number. Those of the others are not negative.
    guard name.prefix != nil else { return -1 - names.count }
    let key = ExpandedName(
      local: ExactString(name.local), namespace: name.namespace.map { ExactString($0) })
    let number = expandedNumbers[key] ?? expandedNumbers.count
    expandedNumbers[key] = number
    return number
  }

  /// Returns a number that attributes have in common if they have the same local name and namespace.
  func expandedNumber(of attribute: Int) -> Int { names[attribute].expandedNumber }

  /// Returns the number of a name in the table.
  func number(of name: Int) -> Int32 { tags[name].number }

  /// Returns the scope of namespaces in which a name was found.
  func scope(of name: Int) -> Int { tags[name].scope }

  // MARK: Guesses

  /// Returns the names that last followed another one as its first child, its first attribute and its neighbor, or -1.
  func firstChild(of parent: Int) -> Int { tags[parent].firstChild }
  func firstAttribute(of element: Int) -> Int { tags[element].firstAttribute }
  func next(after neighbor: Int) -> Int { tags[neighbor].next }

  /// Records that a name followed another one as its first child, its first attribute or its neighbor.
  mutating func note(firstChild name: Int, of parent: Int) {
    if tags[parent].firstChild != name { tags[parent].firstChild = name }
  }

  mutating func note(firstAttribute name: Int, of element: Int) {
    if tags[element].firstAttribute != name { tags[element].firstAttribute = name }
  }

  mutating func note(hasOneAttribute: Bool, of element: Int) {
    tags[element].hasOneAttribute = hasOneAttribute
  }

  mutating func note(next name: Int, after neighbor: Int) {
    if tags[neighbor].next != name { tags[neighbor].next = name }
  }
}

extension Span<UInt8> {
  /// Returns true if a name in these bytes is at an index of a text.
  fileprivate func hasName(_ first: Int, _ count: Int, equalTo text: Span<UInt8>, from start: Int) -> Bool {
    start <= text.count - count
      && extracting(first..<first + count).equals(text.extracting(start..<start + count))
  }

  /// True if the first byte is a character of ASCII with which a name may begin.
  fileprivate var beginsName: Bool { !isEmpty && self[0].isXMLNameStart }
}
