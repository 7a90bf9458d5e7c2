/// The ways in which the objects of an archive store their scalars, by class and key.
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

  /// The ways in which the archives store the values of each key.
  private var uses: [Key: Uses] = [:]
  /// True if a key is stored in an unusual way.
  private var isUnusual = false

  /// Creates the usual storage.
  init() {}

  /// Adds the keys of an archive. A key that is stored in both ways is stored in the usual way. Objects that
  /// cannot be read are left out, because they are reported where they are needed.
  mutating func learn(from archive: ArchiveObjects) {
    var found: [Entry: Uses] = [:]
    var classes: [UInt64: ObjectClass] = [:]
    var visited: Set<NodeID> = []
    for number in archive.numbers {
      guard let object = try? archive.node(of: number), visited.insert(object).inserted else { continue }
      try? Self.add(object, of: archive, to: &found, &classes)
    }
    for (entry, uses) in found {
      guard let type = classes[entry.type], let key = try? archive.nodes.string(entry.key) else { continue }
      self.uses[Key(type: ExactString(type.name), key: ExactString(key)), default: []].formUnion(uses)
      if uses.isUnusual { isUnusual = true }
    }
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
    case .boolean, .integer, .real, .single:
      !isUnusual || isInline(isNumber: true, tape.string(at: key).asArchivedKey, of: type)
    case .string, .data: isUnusual && isInline(isNumber: false, tape.string(at: key).asArchivedKey, of: type)
    default: false
    }
  }

  /// Returns true if a value is stored inline under an archived key of an object of a class.
  func isInline(_ value: Value, key: String, of type: ObjectClass?) -> Bool {
    switch value {
    case .boolean, .integer, .real, .single: isInline(isNumber: true, key, of: type)
    case .string, .data: isInline(isNumber: false, key, of: type)
    default: false
    }
  }

  private func isInline(isNumber: Bool, _ key: String, of type: ObjectClass?) -> Bool {
    let known = type.map { Key(type: ExactString($0.name), key: ExactString(key)) }
    let uses = known.flatMap { self.uses[$0] } ?? []
    return isNumber
      ? !uses.contains(.objectNumber) || uses.contains(.inlineNumber)
      : uses.contains(.inlineText) && !uses.contains(.objectText)
  }
}
