internal import Synchronization

/// The name of an element or attribute.
///
/// Names are interned: within one document, two elements of the same name have the same `XMLName` object, so
/// that names are compared by identity and never as strings.
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
  /// The prefix it is written with; nil when it has none.
  public let prefix: String?
  /// The namespace it belongs to; nil when it belongs to none.
  public let namespace: String?
  /// The name as it is written.
  public let qualified: String
  /// Counted from 0 in its table, so that what is known about names can be kept in an array.
  let number: Int
  /// The table it belongs to; no two tables ever made have the same.
  let table: Int

  init(local: String, prefix: String?, namespace: String?, number: Int, table: Int) {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
    self.qualified = prefix.map { "\($0):\(local)" } ?? local
    self.number = number
    self.table = table
  }
}

extension XMLName: Hashable {
  /// Whether this is the same name of the same document.
  public static func == (a: XMLName, b: XMLName) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension XMLName: CustomStringConvertible {
  /// The name as it is written.
  public var description: String { qualified }
}

/// The names of one document, each made once.
struct XMLNameTable: ~Copyable {
  private struct Key: Hashable {
    var local: ExactString
    var prefix: ExactString?
    var namespace: ExactString?

    init(_ local: String, _ prefix: String?, _ namespace: String?) {
      self.local = ExactString(local)
      self.prefix = prefix.map { ExactString($0) }
      self.namespace = namespace.map { ExactString($0) }
    }
  }

  private var names: [Key: XMLName] = [:]
  private var bytes = 0
  private let number: Int
  private let limit: Int
  private static let made = Atomic(0)

  init(budget: Budget) {
    number = Self.made.add(1, ordering: .relaxed).newValue
    limit = budget.names
  }

  /// Whether there are more names, or longer ones, than a document may have.
  var isOverBudget: Bool {
    // A few very long names weigh as much as many short ones.
    names.count > limit || bytes / 256 > limit
  }

  /// The failure of a document for which `isOverBudget` is true.
  var overBudget: Failure { Failure(.overBudget(.names(limit))) }

  /// The name made of these parts.
  mutating func name(local: String, prefix: String?, namespace: String?) -> XMLName {
    let key = Key(local, prefix, namespace)
    if let name = names[key] { return name }
    bytes += local.utf8.count + (prefix?.utf8.count ?? 0) + (namespace?.utf8.count ?? 0)
    let name = XMLName(
      local: local, prefix: prefix, namespace: namespace, number: names.count, table: number)
    names[key] = name
    return name
  }
}
