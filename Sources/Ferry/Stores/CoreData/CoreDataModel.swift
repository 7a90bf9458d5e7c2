/// The names and types of a store's properties. They come from the model that Core Data stores in the
/// database (`Z_MODELCACHE`) as a compressed archive of an `NSManagedObjectModel`.
///
///     ZPERSON.ZFIRSTNAME    firstName, a string
///     ZPERSON.ZGROUP        group, a relationship to one Group; the inverse is people
///
/// The objects of the archive are read individually; no class is instantiated.
struct CoreDataModel {
  struct Property {
    enum Kind: Hashable {
      /// An attribute, with its type or nil if it is unknown.
      case attribute(CoreDataType?)
      /// A to-one relationship, with the target entity and the name of the inverse.
      case toOne(entity: String, inverse: String?)
      /// A to-many relationship, with the target entity and the name of the inverse.
      case toMany(entity: String, inverse: String?)
    }

    let name: String
    let kind: Kind
    /// True if the value may be missing.
    let isOptional: Bool
    /// The value of new objects, or nil if there is none.
    let defaultValue: Value?
    /// True if Core Data may store the data in a separate file. Then the first byte in the row indicates
    /// where the data is.
    let isExternal: Bool
  }

  /// The properties of each entity, sorted by name, excluding inherited ones.
  private(set) var properties: [ExactString: [Property]] = [:]

  /// Reads the model from the contents of `Z_MODELCACHE`. Fails if they are not such an archive.
  init?(cache: [UInt8], budget: Budget) {
    let bytes =
      FileSignature.binaryPropertyList.begins(cache)
      ? cache : Zlib.inflate(cache, wrapping: .none, limit: budget.amplificationFloor)
    guard let bytes else { return nil }
    do throws(FerryError) {
      try self.init(archive: BinaryPropertyList(bytes, budget: budget))
    } catch {
      return nil
    }
  }

  private init(archive nodes: BinaryPropertyList) throws(FerryError) {
    let objects = ModelObjects(try ArchiveObjects(nodes))
    // Overlapping objects may each have the keys of all others; a valid file has fewer keys than bytes.
    var rest = nodes.byteCount
    for number in objects.archive.numbers {
      guard let (node, count) = try objects.dictionary(number) else { continue }
      rest -= count
      guard rest >= 0 else { throw FerryError(.propertyList(.overlapping)) }
      let className = try objects.archive.type(of: node, count: count)?.name
      guard let kind = try Self.kind(ofProperty: node, className, objects),
        let entity = try objects.object("NSEntity", of: node),
        let entityName = try objects.string("NSEntityName", of: entity),
        let name = try objects.string("NSPropertyName", of: node)
      else { continue }
      // The third bit of the flags is `allowsExternalBinaryDataStorage` of NSAttributeDescription.
      let flags = try objects.integer("NSFlagsKey", of: node) ?? 0
      properties[entityName, default: []].append(
        Property(
          name: name, kind: kind, isOptional: try objects.isTrue("NSIsOptional", of: node),
          defaultValue: try objects.scalar("NSDefaultValue", of: node), isExternal: flags & 4 != 0))
    }
    for entity in properties.keys { properties[entity]?.sort { $0.name.precedes($1.name) } }
  }

  /// Returns the kind of the property that an object describes; nil for an object of another class, and for an attribute without a column.
  private static func kind(
    ofProperty node: NodeID, _ className: String?, _ objects: ModelObjects
  ) throws(FerryError) -> Property.Kind? {
    switch className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription":
      guard try !objects.isTrue("NSIsTransient", of: node) else { return nil }
      let type = try objects.integer("NSAttributeType", of: node).flatMap { Int(exactly: $0) }
      return .attribute(type.flatMap(CoreDataType.init(rawValue:)))
    case "NSRelationshipDescription": return try relationship(node, objects)
    default: return nil
    }
  }

  private static func relationship(_ node: NodeID, _ objects: ModelObjects) throws(FerryError)
    -> Property.Kind
  {
    var entity = try objects.string("_NSDestinationEntityName", of: node)
    if entity == nil, let destination = try objects.object("NSDestinationEntity", of: node) {
      entity = try objects.string("NSEntityName", of: destination)
    }
    var inverse = try objects.string("_NSInverseRelationshipName", of: node)
    if inverse == nil, let other = try objects.object("NSInverseRelationship", of: node) {
      inverse = try objects.string("NSPropertyName", of: other)
    }
    let isToOne = try objects.integer("NSMaxCount", of: node) == 1
    return isToOne
      ? .toOne(entity: entity ?? "", inverse: inverse) : .toMany(entity: entity ?? "", inverse: inverse)
  }
}

/// A reader of the objects in an archived model, by key.
private final class ModelObjects {
  let archive: ArchiveObjects
  private var nodes: any PropertyListNodes { archive.nodes }
  /// The number of bytes of strings that may still be read. In a hostile file, many properties share a long name.
  private var restOfText: Int

  init(_ archive: ArchiveObjects) {
    self.archive = archive
    restOfText = (1 << 20) + 16 * min(archive.nodes.byteCount, .max / 64)
  }

  /// Returns the object with a number, and the number of its keys, if it is a dictionary.
  func dictionary(_ number: ObjectNumber) throws(FerryError) -> (node: NodeID, count: Int)? {
    let node = try archive.node(of: number)
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    return (node, count)
  }

  /// Returns the value for a key, following a reference.
  func object(_ key: StaticString, of node: NodeID) throws(FerryError) -> NodeID? {
    guard let value = try nodes.value(key, of: node) else { return nil }
    guard case .uid(let uid) = try nodes.kind(of: value) else { return value }
    return try archive.node(of: uid, referredFrom: value)
  }

  func string(_ key: StaticString, of node: NodeID) throws(FerryError) -> String? {
    guard let value = try object(key, of: node) else { return nil }
    // A mutable string is an object that contains the string.
    let text = try nodes.kind(of: value).isDictionary ? try object("NS.string", of: value) : value
    guard let text, let string = try nodes.string(text), string != "$null" else { return nil }
    restOfText -= string.utf8.count
    guard restOfText >= 0 else { throw FerryError(.propertyList(.overlapping)) }
    return string
  }

  func integer(_ key: StaticString, of node: NodeID) throws(FerryError) -> Int128? {
    guard let value = try object(key, of: node), case .integer(let number) = try nodes.kind(of: value) else {
      return nil
    }
    return number
  }

  /// Returns true if the value for a key is true. False values are not stored.
  func isTrue(_ key: StaticString, of node: NodeID) throws(FerryError) -> Bool {
    guard let value = try object(key, of: node) else { return false }
    return try nodes.kind(of: value) == .boolean(true)
  }

  /// Returns the number, string or date for a key, or nil for null and other values.
  func scalar(_ key: StaticString, of node: NodeID) throws(FerryError) -> Value? {
    guard let value = try object(key, of: node) else { return nil }
    switch try nodes.kind(of: value) {
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .single(let single): return .real(Double(single))
    case .dictionary:
      guard let time = try object("NS.time", of: value) else { break }
      if case .real(let seconds) = try nodes.kind(of: time) { return .date(secondsSince2001: seconds) }
    default: break
    }
    return try string(key, of: node).map { .string($0) }
  }
}

extension NodeKind {
  fileprivate var isDictionary: Bool {
    if case .dictionary = self { true } else { false }
  }
}
