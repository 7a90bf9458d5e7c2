/// The ways in which an archive stores its scalars: those of objects by class and key, and its roots by name.
///
///     {"bytes": <000102>, "count": @9, "$class": @5}     data inline, and a number as an object
///     $top: {root: @1, "version": @7}                    a root that is a number as an object
///
/// Usually numbers and booleans are stored inline, and strings and data as objects. A program that encodes them
/// otherwise (`encodeBytes(_:length:forKey:)`, an `NSNumber` as an object) also reads them only in that way.
struct ArchivedStorage: Sendable {
  /// A key of the objects of a class, or the name of a root.
  struct Key: Hashable, Sendable {
    /// The name of the class, or nil for a root.
    let type: ExactString?
    /// The key as it is archived.
    let key: ExactString
  }

  /// The ways in which the archives store the values of each key.
  private var uses: [Key: Uses] = [:]
  /// True if a key is stored in an unusual way.
  private var isUnusual = false

  /// Creates the usual storage.
  init() {}

  /// Collects the keys of an archive. A key that is stored in both ways is stored in the usual way. Objects that
  /// cannot be read are left out, because they are reported where they are needed.
  init(of archive: ArchiveObjects) {
    var found: [Entry: Uses] = [:]
    var classes: [UInt64: ObjectClass] = [:]
    var visited: Set<NodeID> = []
    for number in archive.numbers {
      guard let object = try? archive.node(of: number), visited.insert(object).inserted else { continue }
      try? Self.add(object, of: archive, to: &found, &classes)
    }
    for (entry, uses) in found {
      guard let type = classes[entry.type], let key = try? archive.nodes.string(entry.key) else { continue }
      add(uses, of: Key(type: ExactString(type.name), key: ExactString(key)))
    }
    for root in archive.top {
      guard let use = try? Self.use(root.node, in: archive) else { continue }
      add(use, of: Key(type: nil, key: ExactString(root.name)))
    }
  }

  private mutating func add(_ uses: Uses, of key: Key) {
    self.uses[key, default: []].formUnion(uses)
    if uses.isUnusual { isUnusual = true }
  }

  /// Adds the keys of another storage. The keys that are known keep their storage.
  mutating func add(_ other: Self) {
    for (key, new) in other.uses {
      let known = uses[key] ?? []
      for kind in [Uses.numbers, .texts] where known.isDisjoint(with: kind) {
        add(new.intersection(kind), of: key)
      }
    }
  }

  /// Returns the storage for objects whose classes or keys get other names.
  ///
  /// - Parameter newKeys: Returns the keys under which the value of a key may be stored.
  func renamed(_ newKeys: (Key) -> [Key]) -> Self {
    var renamed = Self()
    for (key, uses) in uses {
      for new in newKeys(key) { renamed.add(uses, of: new) }
    }
    return renamed
  }

  private static func add(
    _ object: NodeID, of archive: ArchiveObjects, to uses: inout [Entry: Uses],
    _ classes: inout [UInt64: ObjectClass]
  ) throws(FerryError) {
    let nodes = archive.nodes
    guard case .dictionary(let count) = try nodes.kind(of: object),
      let type = try nodes.value("$class", of: object), case .uid(let number) = try nodes.kind(of: type)
    else { return }
    if classes[number] == nil { classes[number] = try archive.type(of: object, count: count) }
    for index in 0..<count {
      guard let use = try use(nodes.value(index, of: object), in: archive) else { continue }
      uses[Entry(type: number, key: try nodes.key(index, of: object)), default: []].insert(use)
    }
  }

  /// A key of a class. In a binary file, all objects of a class share the string of the key.
  private struct Entry: Hashable {
    let type: UInt64
    let key: NodeID
  }

  /// The ways in which objects store the values of a key.
  private struct Uses: OptionSet {
    let rawValue: UInt8
    static let inlineNumber = Uses(rawValue: 1)
    static let objectNumber = Uses(rawValue: 2)
    static let inlineText = Uses(rawValue: 4)
    static let objectText = Uses(rawValue: 8)
    static let numbers: Uses = [.inlineNumber, .objectNumber]
    static let texts: Uses = [.inlineText, .objectText]

    var isUnusual: Bool { !isDisjoint(with: [.objectNumber, .inlineText]) }
  }

  private static func use(_ node: NodeID, in archive: ArchiveObjects) throws(FerryError) -> Uses? {
    switch try archive.nodes.kind(of: node) {
    case .boolean, .integer, .real, .single: return .inlineNumber
    case .string, .data: return .inlineText
    case .uid(let uid):
      guard uid > 0, let number = archive.number(uid) else { return nil }
      switch try archive.nodes.kind(of: archive.node(of: number)) {
      case .boolean, .integer, .real, .single: return .objectNumber
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
