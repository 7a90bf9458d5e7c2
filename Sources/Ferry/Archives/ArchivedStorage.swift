/// The ways in which an archive stores its scalars and nulls (those of objects by class and key, and its roots by name), and the elements of
/// collections by class.
///
///     {"bytes": <000102>, "count": @9, "$class": @5}          data inline, and a number as an object
///     $top: {root: @1, "version": @7}                         a root that is a number as an object
///     {"delegate": @3, "$class": @5}     3: $null             a null as an object
///     {NS.key.0: @7, NS.object.0: @8, "$class": @6}           the pairs of a dictionary, each as an entry of its own
///
/// Usually numbers and booleans are stored inline, and strings and data as objects. A program that encodes them
/// otherwise (`encodeBytes(_:length:forKey:)`, an `NSNumber` as an object) also reads them only in that way. Null usually is a reference to
/// object 0. It is one to another string `$null` in place of an object that was encoded conditionally (`encodeConditionalObject`) and that nothing
/// else refers to. A subclass of `NSKeyedArchiver` makes the elements of arrays, sets and dictionaries entries of the object, and for an empty
/// one none.
struct ArchivedStorage: Sendable {
  /// A key of the objects of a class, the collections of a class (with the key `NS.objects`), or the name of a root.
  struct Key: Hashable, Sendable {
    /// The name of the class, or nil for a root.
    let type: ExactString?
    /// The key as it is archived.
    let key: ExactString
  }

  /// The ways in which the archives store the values of each key.
  private var uses: [Key: Uses] = [:]
  /// True if a scalar is stored in an unusual way.
  private var isUnusual = false
  /// True if a null is an object of its own.
  private var hasNullObjects = false
  /// True if collections of a class are stored in an unusual way.
  private(set) var hasUnusualCollections = false
  /// The ways in which collections of Foundation are stored, except ordered sets.
  private var collections: Uses = []

  /// Creates the usual storage.
  init() {}

  /// Collects the keys of an archive. A key that is stored in both ways is stored in the usual way. Objects that
  /// cannot be read are left out, because they are reported where they are needed.
  ///
  /// In a hostile file, the objects lie over each other, and each has the keys of all others. Its storage is the
  /// usual one, because such objects are refused where they are read.
  init(of archive: ArchiveObjects) {
    let nodes = archive.nodes
    // A valid file has fewer keys than bytes, and the names of its keys are shorter than the file.
    var rest = 2 * nodes.byteCount + archive.count
    var found: [Entry: Uses] = [:]
    var classes: [UInt64: FoundClass] = [:]
    var visited: Set<NodeID> = []
    for number in archive.numbers {
      guard let object = try? archive.node(of: number), visited.insert(object).inserted,
        case .dictionary(let count)? = try? nodes.kind(of: object)
      else { continue }
      rest -= count
      guard rest >= 0 else { return }
      try? Self.add(object, count: count, of: archive, to: &found, &classes)
    }
    var names: [NodeID: ExactString] = [:]
    for key in Set(found.keys.map(\.key)) {
      guard let length = try? nodes.lengthOfString(key) else { continue }
      rest -= length
      guard rest >= 0 else { return }
      names[key] = (try? nodes.string(key)).map { ExactString($0) }
    }
    for (entry, uses) in found {
      guard let found = classes[entry.type], let name = names[entry.key] else { continue }
      add(uses, of: Key(type: ExactString(found.type.name), key: name))
    }
    for found in classes.values where !found.collections.isEmpty {
      addCollections(found.collections, of: found.type)
    }
    for root in archive.top {
      guard let use = try? Self.use(root.node, in: archive) else { continue }
      add(use, of: Key(type: nil, key: ExactString(root.name)))
    }
  }

  private mutating func add(_ uses: Uses, of key: Key) {
    self.uses[key, default: []].formUnion(uses)
    if uses.isUnusual { isUnusual = true }
    if uses.contains(.nullObject) { hasNullObjects = true }
  }

  private mutating func addCollections(_ uses: Uses, of type: ObjectClass) {
    add(uses, of: Self.collectionKey(type))
    if type.isOrderedSet {
      if !uses.isDisjoint(with: .together) { hasUnusualCollections = true }
    } else {
      if !uses.isDisjoint(with: .apart) { hasUnusualCollections = true }
      // A class of a program may have its own way.
      if type.name.begins(with: "NS") { collections.formUnion(uses) }
    }
  }

  private static func collectionKey(_ type: ObjectClass) -> Key {
    Key(type: ExactString(type.name), key: ExactString("NS.objects"))
  }

  /// Adds the keys of another storage. The keys that are known keep their storage.
  mutating func add(_ other: Self) {
    for (key, new) in other.uses {
      let known = uses[key] ?? []
      for kind in [Uses.numbers, .texts, .nulls, .filled, .empty] where known.isDisjoint(with: kind) {
        add(new.intersection(kind), of: key)
      }
    }
    addFacts(of: other)
  }

  /// Adds the properties of the collections of all classes. Those that are known stay.
  private mutating func addFacts(of other: Self) {
    if other.hasUnusualCollections { hasUnusualCollections = true }
    if collections.isEmpty { collections = other.collections }
  }

  /// Returns the storage for objects whose classes or keys get other names.
  ///
  /// - Parameter newKeys: Returns the keys under which the value of a key may be stored.
  func renamed(_ newKeys: (Key) -> [Key]) -> Self {
    var renamed = Self()
    for (key, uses) in uses {
      for new in newKeys(key) { renamed.add(uses, of: new) }
    }
    renamed.addFacts(of: self)
    return renamed
  }

  private static func add(
    _ object: NodeID, count: Int, of archive: ArchiveObjects, to uses: inout [Entry: Uses],
    _ classes: inout [UInt64: FoundClass]
  ) throws(FerryError) {
    let nodes = archive.nodes
    guard let type = try nodes.value("$class", of: object), case .uid(let number) = try nodes.kind(of: type)
    else { return }
    if classes[number] == nil {
      classes[number] = try archive.type(of: object, count: count).map(FoundClass.init)
    }
    if classes[number]?.isCollection == true, let use = try collectionUse(object, count: count, nodes) {
      classes[number]?.collections.insert(use)
    }
    for index in 0..<count {
      guard let use = try use(nodes.value(index, of: object), in: archive) else { continue }
      uses[Entry(type: number, key: try nodes.key(index, of: object)), default: []].insert(use)
    }
  }

  /// A class, and the ways in which its collections are stored.
  private struct FoundClass {
    let type: ObjectClass
    let isCollection: Bool
    var collections: Uses = []

    init(_ type: ObjectClass) {
      self.type = type
      isCollection = ArchivedCollection.Kind(of: type) != nil
    }
  }

  /// Returns the way in which a collection is stored, or nil for an object with other keys.
  private static func collectionUse(
    _ object: NodeID, count: Int, _ nodes: any PropertyListNodes
  ) throws(FerryError) -> Uses? {
    if count == 1 { return .emptyApart }
    if let list = try nodes.value("NS.objects", of: object) {
      guard case .array(let count) = try nodes.kind(of: list) else { return nil }
      return count == 0 ? .emptyTogether : .filledTogether
    }
    return try nodes.entry("NS.object.0", of: object) == nil ? nil : .filledApart
  }

  /// A key of a class. In a binary file, all objects of a class share the string of the key.
  private struct Entry: Hashable {
    let type: UInt64
    let key: NodeID
  }

  /// The ways in which objects store the values of a key, or in which a class stores the elements of collections.
  private struct Uses: OptionSet {
    let rawValue: UInt16
    static let inlineNumber = Uses(rawValue: 1)
    static let objectNumber = Uses(rawValue: 2)
    static let inlineText = Uses(rawValue: 4)
    static let objectText = Uses(rawValue: 8)
    static let nullReference = Uses(rawValue: 16)
    static let nullObject = Uses(rawValue: 32)
    /// Collections whose elements are in a list, or are entries of the object.
    static let filledTogether = Uses(rawValue: 64)
    static let filledApart = Uses(rawValue: 128)
    static let emptyTogether = Uses(rawValue: 256)
    static let emptyApart = Uses(rawValue: 512)
    static let numbers: Uses = [.inlineNumber, .objectNumber]
    static let texts: Uses = [.inlineText, .objectText]
    static let nulls: Uses = [.nullReference, .nullObject]
    static let filled: Uses = [.filledTogether, .filledApart]
    static let empty: Uses = [.emptyTogether, .emptyApart]
    static let together: Uses = [.filledTogether, .emptyTogether]
    static let apart: Uses = [.filledApart, .emptyApart]

    var isUnusual: Bool { !isDisjoint(with: [.objectNumber, .inlineText]) }
  }

  private static func use(_ node: NodeID, in archive: ArchiveObjects) throws(FerryError) -> Uses? {
    switch try archive.nodes.kind(of: node) {
    case .boolean, .integer, .real, .single: return .inlineNumber
    case .string, .data: return .inlineText
    case .uid(let uid):
      guard uid > 0 else { return .nullReference }
      guard let number = archive.number(uid) else { return nil }
      let object = try archive.node(of: number)
      switch try archive.nodes.kind(of: object) {
      case .boolean, .integer, .real, .single: return .objectNumber
      case .string where try archive.nodes.isString(object, "$null"): return .nullObject
      case .string, .data: return .objectText
      default: return nil
      }
    default: return nil
    }
  }

  // MARK: Writing

  /// Returns true if the value of an object's key, or a root, is stored inline.
  ///
  /// - Parameters:
  ///   - value: The tape index of the value.
  ///   - key: The tape index of the key.
  ///   - type: The class of the object, or nil for a root.
  func isInline(_ value: TapeIndex, key: TapeIndex, of type: ObjectClass?, on tape: EventTape) -> Bool {
    switch tape.kind(at: value) {
    case .null: true
    case .boolean, .integer, .real, .single:
      !isUnusual || isInline(isNumber: true, Self.archivedKey(at: key, of: type, on: tape), of: type)
    case .string, .data:
      isUnusual && isInline(isNumber: false, Self.archivedKey(at: key, of: type, on: tape), of: type)
    default: false
    }
  }

  /// Returns true if a null under a key of an object, or a null root, is an object of its own.
  ///
  /// - Parameters:
  ///   - key: The tape index of the key.
  ///   - type: The class of the object, or nil for a root.
  func isNullObject(key: TapeIndex, of type: ObjectClass?, on tape: EventTape) -> Bool {
    hasNullObjects && isNullObject(Self.archivedKey(at: key, of: type, on: tape), of: type)
  }

  /// True if a null that is the only root, whose name is `root`, is an object of its own.
  var isNullRootObject: Bool { isNullObject("root", of: nil) }

  private func isNullObject(_ key: String, of type: ObjectClass?) -> Bool {
    let uses = self.uses[Key(type: type.map { ExactString($0.name) }, key: ExactString(key))] ?? []
    return uses.contains(.nullObject) && !uses.contains(.nullReference)
  }

  /// Returns true if the elements of a collection are entries of its object.
  func isApart(_ type: ObjectClass, isEmpty: Bool) -> Bool {
    guard ArchivedCollection.Kind(of: type) != nil else { return false }
    let uses = self.uses[Self.collectionKey(type)] ?? []
    // Collections of other sizes, and of other classes, show the way of the archiver.
    for known in [uses.intersection(isEmpty ? .empty : .filled), uses, type.isOrderedSet ? [] : collections] {
      let (isTogether, isApart) = (!known.isDisjoint(with: .together), !known.isDisjoint(with: .apart))
      if isTogether || isApart { return isTogether && isApart ? type.isOrderedSet : isApart }
    }
    return type.isOrderedSet
  }

  /// Returns true if the only root, whose name is `root`, is stored inline.
  ///
  /// - Parameter value: The tape index of the root.
  func isInlineRoot(_ value: TapeIndex, on tape: EventTape) -> Bool {
    switch tape.kind(at: value) {
    case .boolean, .integer, .real, .single: isInline(isNumber: true, "root", of: nil)
    case .string, .data: isInline(isNumber: false, "root", of: nil)
    default: false
    }
  }

  /// Returns true if a value is stored inline under an archived key of an object of a class, or as a root.
  func isInline(_ value: Value, key: String, of type: ObjectClass?) -> Bool {
    switch value {
    case .boolean, .integer, .real, .single: isInline(isNumber: true, key, of: type)
    case .string, .data: isInline(isNumber: false, key, of: type)
    default: false
    }
  }

  /// Returns a key as it is archived. The names of roots have no escapes.
  private static func archivedKey(at key: TapeIndex, of type: ObjectClass?, on tape: EventTape) -> String {
    type == nil ? tape.string(at: key) : tape.string(at: key).asArchivedKey
  }

  private func isInline(isNumber: Bool, _ key: String, of type: ObjectClass?) -> Bool {
    let uses = self.uses[Key(type: type.map { ExactString($0.name) }, key: ExactString(key))] ?? []
    return isNumber
      ? !uses.contains(.objectNumber) || uses.contains(.inlineNumber)
      : uses.contains(.inlineText) && !uses.contains(.objectText)
  }
}

extension ObjectClass {
  /// True for an ordered set, whose elements are entries of its object also in archives of `NSKeyedArchiver`.
  fileprivate var isOrderedSet: Bool { inherits(from: "NSOrderedSet") }
}
