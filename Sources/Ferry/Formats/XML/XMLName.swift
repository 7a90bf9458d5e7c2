internal import Synchronization

/// The name of an element or attribute.
///
/// Names are interned: all elements with the same name in one document share the same `XMLName` object. Names
/// are therefore compared by identity instead of by their text.
///
///     <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/"/>
///
///     local      title
///     prefix     dc
///     namespace  http://purl.org/dc/elements/1.1/
///     qualified  dc:title
public final class XMLName: Sendable {
  /// The name without its prefix.
  public let local: String
  /// The prefix, or nil for a name without a prefix.
  public let prefix: String?
  /// The namespace, or nil for a name without a namespace.
  public let namespace: String?
  /// The name as written.
  public let qualified: String
  /// The index of the name in its table. It can be used as an index for data about names.
  let number: Int
  /// The number of the table, which is unique in the process.
  let table: Int
  /// True if the local name encodes a key with a prefix that is declared there: `a_x003A_b` inside an element with `xmlns:a`.
  let encodesDeclaredPrefix: Bool

  init(
    local: String, prefix: String?, namespace: String?, number: Int, table: Int, encodesDeclaredPrefix: Bool
  ) {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
    self.qualified = prefix.map { "\($0):\(local)" } ?? local
    self.number = number
    self.table = table
    self.encodesDeclaredPrefix = encodesDeclaredPrefix
  }
}

extension XMLName {
  /// The name in a schema of the element with this name and its prefix, `itunes_x003A_title` for `itunes:title`;
  /// nil for a name without a prefix. A schema without namespaces needs the prefix if another element has the local name.
  var nameWithEscapedPrefix: String? { prefix == nil ? nil : XMLKeyName.elementName(for: qualified) }
}

extension XMLName: Hashable {
  /// Returns true if both are the same name in the same document.
  public static func == (a: XMLName, b: XMLName) -> Bool { a === b }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension XMLName: CustomStringConvertible {
  /// The name as written.
  public var description: String { qualified }
}

/// The interned names of a document.
struct XMLNameTable: ~Copyable {
  private var numbers = HashedNumbers()
  /// The names by their numbers.
  private(set) var names: [XMLName] = []
  /// The number of the last document that each name occurred in.
  private var documents: [Int] = []
  /// The number of the document, if names of earlier documents are kept for it.
  private var document = 0
  /// The number of names in the document, and of their bytes.
  private var (count, bytes) = (0, 0)
  private let number: Int
  private var limit: Int
  private static let made = Atomic(0)

  init(budget: Budget) {
    number = Self.made.add(1, ordering: .relaxed).newValue
    limit = budget.names
  }

  /// Begins another document. The names are kept for it, and count when they occur in it.
  mutating func beginDocument(budget: Budget) {
    document += 1
    (count, bytes, limit) = (0, 0, budget.names)
  }

  /// True if the number or length of the names in the document exceeds the budget.
  var isOverBudget: Bool {
    // Long names count like several names, so that a few of them cannot exceed the limit.
    count > limit || bytes / 256 > limit
  }

  /// The error for a document whose names exceed the budget.
  var overBudget: FerryError { FerryError(.overBudget(.names(limit))) }

  /// Returns the interned name with these parts, adding it if it is new.
  ///
  /// - Parameter encodesDeclaredPrefix: True if a prefix that the local name encodes is declared there. Such a name has another key than
  ///   the same text elsewhere, so it is another name.
  mutating func name(
    local: String, prefix: String?, namespace: String?, encodesDeclaredPrefix: Bool = false
  ) -> XMLName {
    var hash = WordHash()
    hash.combine(local.utf8.span.hashOfBytes)
    hash.combine(prefix?.utf8.span.hashOfBytes ?? 0)
    hash.combine(namespace?.utf8.span.hashOfBytes ?? 0)
    var probe = numbers.probe(for: hash.value)
    while let number = numbers.next(at: &probe) {
      let name = names[number]
      let isSame = name.local.equals(local) && name.prefix.equals(prefix) && name.namespace.equals(namespace)
      if isSame, name.encodesDeclaredPrefix == encodesDeclaredPrefix {
        noteUse(of: number)
        return name
      }
    }
    let name = XMLName(
      local: local, prefix: prefix, namespace: namespace, number: names.count, table: number,
      encodesDeclaredPrefix: encodesDeclaredPrefix)
    numbers.add(names.count, at: probe)
    // Room for the names of most small documents.
    if names.isEmpty { names.reserveCapacity(16) }
    names.append(name)
    documents.append(-1)
    noteUse(of: name.number)
    return name
  }

  /// The names in the document.
  var namesOfDocument: [XMLName] { names.filter { documents[$0.number] == document } }

  /// Adds names of another table, which count as names in the document.
  mutating func add(_ others: [XMLName]) {
    for name in others {
      _ = self.name(
        local: name.local, prefix: name.prefix, namespace: name.namespace,
        encodesDeclaredPrefix: name.encodesDeclaredPrefix)
    }
  }

  /// Counts a name if it occurs in the document for the first time.
  mutating func noteUse(of number: Int) {
    guard documents[number] != document else { return }
    documents[number] = document
    let name = names[number]
    count += 1
    bytes += name.local.utf8.count + (name.prefix?.utf8.count ?? 0) + (name.namespace?.utf8.count ?? 0)
  }
}
