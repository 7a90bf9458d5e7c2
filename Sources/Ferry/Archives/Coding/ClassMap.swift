/// A type that declares the class name of its objects in an archive.
///
///     struct Person: Codable, ArchivedClass {
///       static let archivedClassName = "MyApp.Person"
///       var last: String
///       var first: String
///     }
///
/// Encoding gives the object this class. Decoding accepts objects of this class, of a class that inherits
/// from it, and of its former names; an object of any other class is an error.
public protocol ArchivedClass {
  /// The name of the class, with its module if the app's class has one: `Person`, `MyApp.Person`.
  static var archivedClassName: String { get }
  /// The superclasses, nearest first, without `NSObject`. Empty by default.
  static var archivedSuperclassNames: [String] { get }
  /// The names of the class in older archives. Empty by default.
  static var formerClassNames: [String] { get }
}

extension ArchivedClass {
  /// Returns no superclasses.
  public static var archivedSuperclassNames: [String] { [] }
  /// Returns no former names.
  public static var formerClassNames: [String] { [] }
}

/// A map from types to archived classes, for types that do not declare their class, and from coding keys to
/// archived keys.
///
///     var classes = ClassMap()
///     classes.add(Person.self, as: "MyApp.Person", keys: ["firstName": "first", "lastName": "last"])
///     let people = try KeyedArchiveDecoder(classes: classes).decode([Person].self, from: bytes)
///
/// An entry of the map takes precedence over the type's own declaration. A type with neither is decoded from
/// an object of any class, and encoded with the type's name, without its module, as the class name.
public struct ClassMap: Sendable {
  /// The class and the keys of one type.
  struct Entry: Sendable {
    var objectClass: ObjectClass
    /// The class names that are accepted in decoding, the class's own name first.
    var names: [String]
    /// The archived keys by coding key, for those that differ.
    var keys: [ExactString: String]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var types: [ExactString: any Any.Type] = [:]

  /// Creates an empty map.
  public init() {}

  /// Adds a type with the name of its class.
  ///
  /// - Parameters:
  ///   - type: The type to add.
  ///   - name: The class name of its objects in an archive.
  ///   - superclasses: The superclasses, nearest first, without `NSObject`.
  ///   - former: The names of the class in older archives.
  ///   - keys: The archived keys by coding key, inherited ones included, for those that differ.
  public mutating func add(
    _ type: any Any.Type, as name: String, superclasses: [String] = [], formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(
      type, as: ObjectClass(name: name, chain: [name] + superclasses + ["NSObject"]), formerly: former,
      keys: keys)
  }

  /// Adds a type with its class, including the chain of superclasses and the fallback classes that an archive
  /// stores.
  public mutating func add(
    _ type: any Any.Type, as objectClass: ObjectClass, formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(type, Entry(objectClass: objectClass, names: [objectClass.name] + former, keys: .init(exactly: keys)))
  }

  /// Adds a type under its declared class names, so that `Polymorphic` values of it can be decoded.
  public mutating func add(_ type: any ArchivedClass.Type) { add(type, Entry(type)) }

  private mutating func add(_ type: any Any.Type, _ entry: Entry) {
    entries[ObjectIdentifier(type)] = entry
    for name in entry.names { types[name] = type }
  }

  /// Returns the entry of a type, from this map or from the type's own declaration.
  func entry(for type: any Any.Type) -> Entry? {
    if let entry = entries[ObjectIdentifier(type)] { return entry }
    return (type as? any ArchivedClass.Type).map(Entry.init)
  }

  /// Returns the type for a class of an archive, or for one of the fallback classes that the archive names.
  func type(for objectClass: ObjectClass) -> (any Any.Type)? {
    for name in [objectClass.name] + objectClass.hints {
      if let type = types[name] { return type }
    }
    return nil
  }

  /// The class names in the map, sorted.
  var knownNames: [String] { types.keys.sorted().map(\.string) }
}

extension ClassMap.Entry {
  init(_ type: any ArchivedClass.Type) {
    let name = type.archivedClassName
    objectClass = ObjectClass(name: name, chain: [name] + type.archivedSuperclassNames + ["NSObject"])
    names = [name] + type.formerClassNames
    keys = [:]
  }

  /// Returns true if objects of a class can be decoded as this type.
  func accepts(_ found: ObjectClass) -> Bool { names.contains { found.inherits(from: $0) } }
}
