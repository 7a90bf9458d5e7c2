extension Value {
  /// The value with copies of shared collections in place of the references to them. A property list shares collections
  /// without classes.
  var copyingCollections: Value {
    var shared: [Int: Value] = [:]
    note(sharedCollections: &shared)
    guard !shared.isEmpty else { return self }
    var left = Self.mostCopies
    return copying(shared, open: [], &left)
  }

  /// The maximum number of values in the copies. References beyond it stay.
  private static let mostCopies = 1 << 16

  private func note(sharedCollections shared: inout [Int: Value]) {
    switch self {
    case .object(let object):
      if object.type == .none, let identity = object.identity { shared[identity] = object.content }
      object.content.note(sharedCollections: &shared)
    case .array(let values), .set(let values):
      for value in values { value.note(sharedCollections: &shared) }
    case .dictionary(let entries):
      for (key, value) in entries {
        key.note(sharedCollections: &shared)
        value.note(sharedCollections: &shared)
      }
    default: break
    }
  }

  /// - Parameter open: The collections around the value. A reference to one of them stays, although a patch cannot have it,
  ///   because a copy would have no end.
  private func copying(_ shared: [Int: Value], open: Set<Int>, _ left: inout Int) -> Value {
    left -= 1
    switch self {
    case .object(let object):
      guard object.type == .none, let identity = object.identity else { break }
      return object.content.copying(shared, open: open.union([identity]), &left)
    case .reference(let identity):
      guard left > 0, let content = shared[identity], !open.contains(identity) else { return self }
      return content.copying(shared, open: open.union([identity]), &left)
    default: break
    }
    return mappingParts { $0.copying(shared, open: open, &left) }
  }

  /// The number of values: the value itself, and all in it.
  var valueCount: Int {
    var count = 0
    var waiting = [self]
    while let value = waiting.popLast() {
      count += 1
      waiting += value.parts
    }
    return count
  }

  /// The value in the notation of the typed form, with tags on values that JSON cannot represent.
  var tagged: Value { tagged(inArchive: false) }

  /// The key of a dictionary in the typed form. One that begins with `$`, as a tag does, gets one more.
  private var asTaggedKey: Value {
    if case .unpairedString(let units) = self {
      return units.starts(with: "$".utf16) ? .unpairedString("$".utf16 + units) : self
    }
    let name = plainText ?? words
    return .string(name.begins(with: "$") ? "$\(name)" : name)
  }

  /// Returns the value in the notation of the typed form, with tags on values that JSON cannot represent.
  ///
  /// - Parameter isInArchive: True to write a dictionary whose keys are not all strings as an archive stores it. Otherwise its keys
  ///   become their texts.
  func tagged(inArchive isInArchive: Bool) -> Value {
    func tagged(_ value: Value) -> Value { value.tagged(inArchive: isInArchive) }
    func tagged(_ entries: KeyedValues) -> KeyedValues {
      var result = KeyedValues()
      for (key, value) in entries { result[key.asTaggedKey] = tagged(value) }
      return result
    }
    func hasOtherKeys(_ entries: KeyedValues) -> Bool {
      isInArchive && entries.keys.contains { !$0.isText }
    }
    func addArchived(_ entries: KeyedValues, to object: inout KeyedValues) {
      object[.string("NS.keys")] = ["$inline": .array(entries.keys.map(tagged))]
      object[.string("NS.objects")] = ["$inline": .array(entries.values.map(tagged))]
    }
    switch self {
    case .array(let values): return .array(values.map(tagged))
    case .set(let values): return ["$set": .array(values.map(tagged))]
    case .dictionary(let entries) where hasOtherKeys(entries):
      var object: KeyedValues = ["$class": "NSDictionary"]
      addArchived(entries, to: &object)
      return .dictionary(object)
    case .dictionary(let entries): return .dictionary(tagged(entries))
    case .reference(let number): return ["$ref": .integer(Int128(number))]
    case .object(let object):
      // A shared collection of a property list has no class.
      guard object.type != .none else { return tagged(object.content) }
      var entries = KeyedValues()
      entries[.string("$class")] = .string(object.type.name)
      if let identity = object.identity { entries[.string("$id")] = .integer(Int128(identity)) }
      switch object.content {
      case .dictionary(let fields) where object.type.inherits(from: "NSDictionary"):
        if hasOtherKeys(fields) {
          addArchived(fields, to: &entries)
        } else {
          entries[.string("$entries")] = .dictionary(tagged(fields))
        }
      case .dictionary(let fields):
        for (key, value) in tagged(fields) { entries[key] = value }
      case .array(let values), .set(let values):
        entries[.string("$items")] = .array(values.map(tagged))
      default: entries[.string("$value")] = tagged(object.content)
      }
      return .dictionary(entries)
    default: return self
    }
  }
}
