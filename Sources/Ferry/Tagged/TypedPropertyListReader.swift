/// A reader of the nodes of a property list from the typed form. It is the inverse of `TypedPropertyListWriter`.
struct TypedPropertyListReader {
  private let tape: EventTape
  private let tree: PropertyListTree
  /// The nodes by identity.
  private var identities: [Int: NodeID] = [:]
  private var steps: [Step] = []

  /// A part of the remaining work. The last step is done first.
  private enum Step {
    case elements(from: TapeIndex, to: TapeIndex)
    case entries(from: TapeIndex, to: TapeIndex)
    case pairs(from: TapeIndex, to: TapeIndex)
    case value(TapeIndex)
    case endKey
    case endArray, endSet, endDictionary

    /// The tape index of the value, or of the next element.
    var tapeIndex: TapeIndex {
      switch self {
      case .elements(let index, _), .entries(let index, _), .pairs(let index, _), .value(let index): index
      case .endKey, .endArray, .endSet, .endDictionary: .start
      }
    }
  }

  /// Creates a reader of a tape without tagged scalars.
  init(_ tape: EventTape, into tree: PropertyListTree) {
    self.tape = tape
    self.tree = tree
  }

  /// Reads the value at a tape index.
  mutating func read(valueAt tapeIndex: TapeIndex) throws(FerryError) {
    steps.append(.value(tapeIndex))
    while let step = steps.popLast() {
      do throws(FerryError) { try take(step) } catch {
        throw error.placed(at: tape.location(at: step.tapeIndex))
      }
    }
  }

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .value(let tapeIndex): try begin(tapeIndex)
    case .elements(let tapeIndex, let end):
      guard tapeIndex < end else { return }
      steps.append(.elements(from: tape.next(after: tapeIndex), to: end))
      try begin(tapeIndex)
    case .entries(let tapeIndex, let end):
      guard tapeIndex < end else { return }
      guard tape.kind(at: tapeIndex) == .key else {
        throw FerryError(.typed(.otherKey), at: tape.location(at: tapeIndex))
      }
      let value = tape.next(after: tapeIndex)
      steps.append(.entries(from: tape.next(after: value), to: end))
      try tree.key(TypedNotation.userKey(tape.text(at: tapeIndex)))
      try begin(value)
    case .pairs(let tapeIndex, let end):
      guard tapeIndex < end else { return }
      steps.append(.pairs(from: tape.next(after: tapeIndex), to: end))
      guard tape.kind(at: tapeIndex) == .beginArray, tape.elements(of: tapeIndex).count == 2 else {
        throw FerryError(.typed(.badTag("$dictionary", found: "something other than a pair")))
      }
      let pair = tape.elements(of: tapeIndex)
      steps.append(.value(pair[1]))
      steps.append(.endKey)
      steps.append(.value(pair[0]))
      try tree.beginKey()
    case .endKey: try tree.endKey()
    case .endArray: try tree.endArray()
    case .endSet: try tree.endSet()
    case .endDictionary: try tree.endDictionary()
    }
  }

  private mutating func begin(_ tapeIndex: TapeIndex) throws(FerryError) {
    let end = tape.next(after: tapeIndex) - 1
    switch tape.kind(at: tapeIndex) {
    case .beginArray:
      try tree.beginArray(count: nil)
      steps.append(.endArray)
      steps.append(.elements(from: tapeIndex + 1, to: end))
    case .beginDictionary:
      if let tag = tape.tag(at: tapeIndex) { return try begin(tag, tapeIndex) }
      try tree.beginDictionary(count: nil)
      steps.append(.endDictionary)
      steps.append(.entries(from: tapeIndex + 1, to: end))
    default: try tape.replay(valueAt: tapeIndex, into: tree)
    }
  }

  /// Begins the collection or object that a tagged dictionary represents.
  private mutating func begin(_ tag: String, _ tapeIndex: TapeIndex) throws(FerryError) {
    let parts = try tape.parts(of: tapeIndex)
    switch tag {
    case "$set":
      let (start, end) = try list(tapeIndex, tag)
      try tree.beginSet(count: nil)
      steps.append(.endSet)
      steps.append(.elements(from: start, to: end))
    case "$dictionary":
      let (start, end) = try list(tapeIndex, tag)
      try tree.beginDictionary(count: nil)
      steps.append(.endDictionary)
      steps.append(.pairs(from: start, to: end))
    case "$id", "$value":
      guard let identity = try tape.integer("$id", in: parts), let value = parts["$value"], parts.count == 2
      else { throw FerryError(.typed(.missing("\"$id\" with a \"$value\""))) }
      guard identities.updateValue(NodeID(tree.nodeCount), forKey: identity) == nil else {
        throw FerryError(.typed(.repeatedIdentity(identity)))
      }
      steps.append(.value(value))
    case "$ref":
      guard let identity = try tape.integer(tag, in: parts), parts.count == 1 else {
        throw FerryError(.typed(.crowded("another key")))
      }
      guard let node = identities[identity] else { throw FerryError(.typed(.unknownReference(identity))) }
      try tree.addAgain(node)
    default:
      // A key is directly before its value.
      let value = parts[tag] ?? tapeIndex
      throw FerryError(.typed(.unknownTag(tag)), at: tape.location(at: value - 1))
    }
  }

  private func list(
    _ dictionary: TapeIndex, _ tag: String
  ) throws(FerryError) -> (start: TapeIndex, end: TapeIndex) {
    let list = try tape.onlyPart(tag, of: dictionary)
    guard tape.kind(at: list) == .beginArray else {
      throw FerryError(.typed(.badTag(tag, found: "something other than an array")))
    }
    return (list + 1, tape.next(after: list) - 1)
  }
}

extension EventTape {
  /// Returns the first key of a dictionary if it is a tag. Otherwise returns the first key that is a tag of objects or collections, because
  /// programs sort keys: `{"!": 1, "$class": "A"}`. Returns nil if there is none.
  func tag(at tapeIndex: TapeIndex) -> String? {
    guard kind(at: tapeIndex) == .beginDictionary, kind(at: tapeIndex + 1) == .key else { return nil }
    if TypedNotation.isTag(text(at: tapeIndex + 1)) { return string(at: tapeIndex + 1) }
    var key = next(after: next(after: tapeIndex + 1))
    while kind(at: key) == .key {
      if TypedNotation.isCollectionTag(text(at: key)) { return string(at: key) }
      key = next(after: next(after: key))
    }
    return nil
  }

  /// Throws for the first unknown key of a dictionary, at its location.
  func checkKeys(
    of parts: [ExactString: TapeIndex], _ known: Set<ExactString>,
    _ problem: (String) -> TypedProblem = { .unknownTag($0) }
  ) throws(FerryError) {
    var first: (key: ExactString, value: TapeIndex)?
    for (key, value) in parts where !known.contains(key) {
      if let found = first, found.value < value { continue }
      first = (key, value)
    }
    guard let (key, value) = first else { return }
    // A key is directly before its value.
    throw FerryError(.typed(problem(key.string)), at: location(at: value - 1))
  }

  /// Returns the tape indices of a typed document's values, by key. Throws if the document has no version that can be read, or a key that is
  /// not a string.
  func partsOfTypedDocument() throws(FerryError) -> [ExactString: TapeIndex] {
    try checkKeysAreStrings()
    let parts = try parts(of: .start)
    guard let version = try integer("$ferry", in: parts) else {
      throw FerryError(.typed(.missing("\"$ferry\"")))
    }
    guard version == TypedNotation.version else { throw FerryError(.typed(.version("\(version)"))) }
    return parts
  }

  /// Throws for a key that is not a string. The readers of the parts take a key for the beginning of a text, and other events for the end of a
  /// dictionary.
  func checkKeysAreStrings() throws(FerryError) {
    if let key = (TapeIndex.start..<end).first(where: { kind(at: $0) == .beginKey }) {
      throw FerryError(.typed(.otherKey), at: location(at: key))
    }
  }

  /// Returns the tape indices of a dictionary's values, by key. Throws if a key occurs twice, and for another value than a dictionary.
  func parts(of dictionary: TapeIndex) throws(FerryError) -> [ExactString: TapeIndex] {
    guard dictionary < end, kind(at: dictionary) == .beginDictionary else {
      throw FerryError(.typed(.missing("a dictionary")), at: location(at: dictionary))
    }
    var parts: [ExactString: TapeIndex] = [:]
    var tapeIndex = dictionary + 1
    while kind(at: tapeIndex) == .key {
      let value = next(after: tapeIndex)
      guard parts.updateValue(value, forKey: ExactString(string(at: tapeIndex))) == nil else {
        throw repeatedKeyError(at: tapeIndex)
      }
      tapeIndex = next(after: value)
    }
    return parts
  }

  /// Returns the error for a key that occurs twice in a dictionary, at its second location.
  func repeatedKeyError(at key: TapeIndex) -> FerryError {
    FerryError(.typed(.repeated(string(at: key))), at: location(at: key))
  }

  /// Returns the tape index of the value of a tag that must be the only key of a dictionary.
  func onlyPart(_ tag: String, of dictionary: TapeIndex) throws(FerryError) -> TapeIndex {
    let parts = try parts(of: dictionary)
    guard let value = parts[tag], parts.count == 1 else { throw FerryError(.typed(.crowded("another key"))) }
    return value
  }

  /// Returns the integer for a name, or nil if it is missing.
  func integer(_ name: String, in parts: [ExactString: TapeIndex]) throws(FerryError) -> Int? {
    guard let tapeIndex = parts[name] else { return nil }
    guard kind(at: tapeIndex) == .integer, let number = Int(exactly: integer(at: tapeIndex)) else {
      throw FerryError(.typed(.badTag(name, found: "something other than an integer")))
    }
    return number
  }
}
