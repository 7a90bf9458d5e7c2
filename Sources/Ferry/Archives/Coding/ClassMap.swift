/// A map from types to the names of their classes in archives, and from coding keys to archived keys.
///
///     var classes = ClassMap()
///     classes.add(Person.self, as: "MyApp.Person", keys: ["firstName": "first", "lastName": "last"])
///     let people = try KeyedArchiveDecoder(classes: classes).decode([Person].self, from: bytes)
///
/// An entry in the map takes precedence over a declaration by the type. A type with neither is decoded from
/// objects of any class, and encoded with the name of the type, without its module, as the class name.
///
/// Mistakes are refused when the map is used: a key that is not a coding key of its type, when a value of the type is encoded or decoded,
/// and a class with several types, when a `Polymorphic` value of the class is decoded.
public struct ClassMap: Sendable {
  /// The class and the keys of one type.
  struct Entry: Sendable {
    var objectClass: ObjectClass
    /// The class names that are accepted for decoding. The first is the name used for encoding.
    var names: [String]
    /// The archived keys that differ from their coding keys, by coding key.
    var keys: [ExactString: String]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The types by class name. Several types may be decoded from objects of one class, but not chosen by it.
  private var types: [ExactString: [any Any.Type]] = [:]

  /// Creates an empty map.
  public init() {}

  /// Adds a type, with the name of its class in archives.
  ///
  /// - Parameters:
  ///   - type: The type to add.
  ///   - name: The name of the class.
  ///   - superclasses: The names of the superclasses, nearest first, without `NSObject`.
  ///   - former: The names of the class in older archives.
  ///   - keys: The archived keys that differ from their coding keys, by coding key, including inherited keys.
  public mutating func add(
    _ type: any Any.Type, as name: String, superclasses: [String] = [], formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(
      type, as: ObjectClass(name: name, chain: [name] + superclasses + ["NSObject"]), formerly: former,
      keys: keys)
  }

  /// Adds a type with its class, including the superclasses and the fallback classes that archives contain.
  public mutating func add(
    _ type: any Any.Type, as objectClass: ObjectClass, formerly former: [String] = [],
    keys: [String: String] = [:]
  ) {
    add(type, Entry(objectClass: objectClass, names: [objectClass.name] + former, keys: .init(exactly: keys)))
  }

  /// Adds a type with the class names that it declares, so that it can be decoded in a `Polymorphic`.
  public mutating func add(_ type: any ArchivedClass.Type) { add(type, Entry(type)) }

  private mutating func add(_ type: any Any.Type, _ entry: Entry) {
    entries[ObjectIdentifier(type)] = entry
    for name in entry.names where types[ExactString(name)]?.contains(where: { $0 == type }) != true {
      types[ExactString(name), default: []].append(type)
    }
  }

  /// Returns the entry for a type: from this map, or from the type's own declaration.
  func entry(for type: any Any.Type) -> Entry? {
    if let entry = entries[ObjectIdentifier(type)] { return entry }
    return (type as? any ArchivedClass.Type).map(Entry.init)
  }

  /// Returns the types for a class in an archive, or else for one of its fallback classes.
  func types(for objectClass: ObjectClass) -> [any Any.Type] {
    for name in [objectClass.name] + objectClass.hints {
      if let types = types[ExactString(name)] { return types }
    }
    return []
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

/// The keys of a type in a `ClassMap` that none of the containers requested so far has as a coding key. A type may request several
/// containers with different coding keys.
struct UnknownKeys {
  /// The keys, or nil before the first container.
  private var names: [String]?

  /// Removes the keys that a container for a type of coding keys has.
  mutating func remove<Key: CodingKey>(knownTo type: Key.Type, of keys: [ExactString: String]) {
    guard !keys.isEmpty else { return }
    names = (names ?? keys.keys.map(\.string)).filter { Key(stringValue: $0) == nil }
  }

  /// Throws if a key is left after a value was encoded or decoded.
  func check(for type: any Any.Type) throws(FerryError) {
    guard let name = names?.min() else { return }
    throw FerryError(.coding(.unknownMapKey(name, type: "\(type)")))
  }
}
