/// The keys whose scalars the objects of an archive store differently from what archivers usually do.
///
///     {"bytes": <000102>, "count": @9, "$class": @5}     data inline, and a number as an object
///
/// Usually numbers and booleans are stored inline, and strings and data as objects. A program that encodes them
/// otherwise (`encodeBytes(_:length:forKey:)`, an `NSNumber` as an object) also reads them only in that way.
struct ArchivedStorage: Sendable {
  private struct Key: Hashable {
    let type: ExactString
    let key: ExactString
  }

  /// The keys whose numbers and booleans are objects.
  private var objects: Set<Key> = []
  /// The keys whose strings and data are inline.
  private var inline: Set<Key> = []

  /// Creates the usual storage.
  init() {}

  /// Adds the keys of an archive. A key that is stored in both ways is not added.
  mutating func learn(from archive: ArchiveObjects) throws(FerryError) {
    var uses: [Entry: Uses] = [:]
    var classes: [UInt64: ObjectClass] = [:]
    var visited: Set<NodeID> = []
    let nodes = archive.nodes
    for number in archive.numbers {
      let object = try archive.node(of: number)
      guard case .dictionary(let count) = try nodes.kind(of: object), visited.insert(object).inserted,
        let type = try nodes.value("$class", of: object), case .uid(let typeNumber) = try nodes.kind(of: type)
      else { continue }
      for index in 0..<count {
        guard let use = try Self.use(nodes.value(index, of: object), in: archive) else { continue }
        uses[Entry(type: typeNumber, key: try nodes.key(index, of: object)), default: []].insert(use)
      }
      if classes[typeNumber] == nil { classes[typeNumber] = try archive.type(of: object, count: count) }
    }
    for (entry, uses) in uses where uses.isUnusual {
      guard let type = classes[entry.type], let key = try nodes.string(entry.key) else { continue }
      let name = Key(type: ExactString(type.name), key: ExactString(key))
      if uses.contains(.objectNumber), !uses.contains(.inlineNumber) { objects.insert(name) }
      if uses.contains(.inlineText), !uses.contains(.objectText) { inline.insert(name) }
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

  /// Returns true if the value of an object's key is stored inline.
  ///
  /// - Parameters:
  ///   - value: The tape index of the value.
  ///   - key: The tape index of the key.
  ///   - type: The class of the object.
  func isInline(_ value: TapeIndex, key: TapeIndex, of type: ObjectClass?, on tape: EventTape) -> Bool {
    switch tape.kind(at: value) {
    case .null: true
    case .boolean, .integer, .real, .single: !contains(key, of: type, in: objects, on: tape)
    case .string, .data: contains(key, of: type, in: inline, on: tape)
    default: false
    }
  }

  private func contains(_ key: TapeIndex, of type: ObjectClass?, in keys: Set<Key>, on tape: EventTape)
    -> Bool
  {
    guard !keys.isEmpty, let type else { return false }
    let key = ExactString(tape.string(at: key).asArchivedKey)
    return keys.contains(Key(type: ExactString(type.name), key: key))
  }
}
