/// A type that says how the class of its objects is called in an archive.
///
///     struct Person: Codable, ArchivedClass {
///       static let archivedClassName = "MyApp.Person"
///       var last: String
///       var first: String
///     }
///
/// Encoding gives the object this class. Decoding takes objects of this class, of one that inherits from it, and of the
/// names it had formerly; any other is an error.
public protocol ArchivedClass {
  /// The class's name, with its module where the app's class has one: `Person`, `MyApp.Person`.
  static var archivedClassName: String { get }
  /// The classes it inherits from, the nearest first, without `NSObject`. None unless said otherwise.
  static var archivedSuperclassNames: [String] { get }
  /// Names that the class had in older archives. None unless said otherwise.
  static var formerClassNames: [String] { get }
}

extension ArchivedClass {
  /// None.
  public static var archivedSuperclassNames: [String] { [] }
  /// None.
  public static var formerClassNames: [String] { [] }
}

/// Which class in an archive belongs to which type, for types that do not say it themselves, and under which keys a type's
/// properties are archived.
///
///     var classes = ClassMap()
///     classes.add(Person.self, as: "MyApp.Person", keys: ["firstName": "first", "lastName": "last"])
///     let people = try KeyedArchiveDecoder(classes: classes).decode([Person].self, from: bytes)
///
/// What a map says of a type comes before what the type says itself. A type that neither names is decoded from an object
/// of any class, and encoded as a class of the type's own name, without its module.
public struct ClassMap: Sendable {
  /// What is said of a type.
  struct Entry: Sendable {
    var objectClass: ObjectClass
    /// The names that are decoded, the class's own first.
    var names: [String]
    /// Archived keys by coding keys, where they differ.
    var keys: [ExactString: String]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var types: [ExactString: any Any.Type] = [:]

  /// A map that says nothing.
  public init() {}

  /// Names the class of a type: its superclasses from the nearest, without `NSObject`; the names it had formerly; and the
  /// archived keys of coding keys that are called otherwise in the archive, inherited ones among them.
  public mutating func add(
    _ type: any Any.Type, as name: String, superclasses: [String] = [], formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(
      type, as: ObjectClass(name: name, chain: [name] + superclasses + ["NSObject"]), formerly: former,
      keys: keys)
  }

  /// Gives a type a class with the chain, and the classes to fall back to, that an archive shall have.
  public mutating func add(
    _ type: any Any.Type, as objectClass: ObjectClass, formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(type, Entry(objectClass: objectClass, names: [objectClass.name] + former, keys: .init(exactly: keys)))
  }

  /// Makes a type known by the names that it says itself, to decode `Polymorphic` values.
  public mutating func add(_ type: any ArchivedClass.Type) { add(type, Entry(type)) }

  private mutating func add(_ type: any Any.Type, _ entry: Entry) {
    entries[ObjectIdentifier(type)] = entry
    for name in entry.names { types[name] = type }
  }

  /// What is known of a type, by this map or by itself.
  func entry(for type: any Any.Type) -> Entry? {
    if let entry = entries[ObjectIdentifier(type)] { return entry }
    return (type as? any ArchivedClass.Type).map(Entry.init)
  }

  /// The type of a class in an archive, or of one that the archive says to fall back to.
  func type(for objectClass: ObjectClass) -> (any Any.Type)? {
    for name in [objectClass.name] + objectClass.hints {
      if let type = types[name] { return type }
    }
    return nil
  }

  /// The class names that a type is known for, sorted.
  var knownNames: [String] { types.keys.sorted().map(\.string) }
}

extension ClassMap.Entry {
  init(_ type: any ArchivedClass.Type) {
    let name = type.archivedClassName
    objectClass = ObjectClass(name: name, chain: [name] + type.archivedSuperclassNames + ["NSObject"])
    names = [name] + type.formerClassNames
    keys = [:]
  }

  /// Whether objects of a class are of the type.
  func accepts(_ found: ObjectClass) -> Bool { names.contains { found.inherits(from: $0) } }
}
