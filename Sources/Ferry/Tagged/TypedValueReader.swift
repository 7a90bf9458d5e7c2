/// A reader of the nodes of a property list from the typed form. It is the inverse of `TypedPropertyList`.
struct TypedValueReader {
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
    case beginKey, endKey
    case endArray, endSet, endDictionary

    /// The tape index of the value, or of the next element.
    var tapeIndex: TapeIndex {
      switch self {
      case .elements(let index, _), .entries(let index, _), .pairs(let index, _), .value(let index): index
      case .beginKey, .endKey, .endArray, .endSet, .endDictionary: .start
      }
    }
  }

  /// Creates a reader of a tape without tagged scalars.
  init(_ tape: EventTape, into tree: PropertyListTree) {
    self.tape = tape
    self.tree = tree
  }

  /// Reads the value at a tape index.
  mutating func read(valueAt place: TapeIndex) throws(FerryError) {
    steps.append(.value(place))
    while let step = steps.popLast() {
      do throws(FerryError) { try take(step) } catch {
        throw error.placed(at: tape.location(at: step.tapeIndex))
      }
    }
  }

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .value(let place): try begin(place)
    case .elements(let place, let end):
      guard place < end else { return }
      steps.append(.elements(from: tape.next(after: place), to: end))
      try begin(place)
    case .entries(let place, let end):
      guard place < end else { return }
      let value = tape.next(after: place)
      steps.append(.entries(from: tape.next(after: value), to: end))
      try tree.key(TypedNotation.userKey(tape.text(at: place)))
      try begin(value)
    case .pairs(let place, let end):
      guard place < end else { return }
      steps.append(.pairs(from: tape.next(after: place), to: end))
      guard tape.kind(at: place) == .beginArray, tape.elements(of: place).count == 2 else {
        throw FerryError(.typed(.badTag("$dictionary", found: "something other than a pair")))
      }
      let pair = tape.elements(of: place)
      steps.append(.value(pair[1]))
      steps.append(.endKey)
      steps.append(.value(pair[0]))
      try tree.beginKey()
    case .beginKey: try tree.beginKey()
    case .endKey: try tree.endKey()
    case .endArray: try tree.endArray()
    case .endSet: try tree.endSet()
    case .endDictionary: try tree.endDictionary()
    }
  }

  private mutating func begin(_ place: TapeIndex) throws(FerryError) {
    let end = tape.next(after: place) - 1
    switch tape.kind(at: place) {
    case .beginArray:
      try tree.beginArray(count: nil)
      steps.append(.endArray)
      steps.append(.elements(from: place + 1, to: end))
    case .beginDictionary:
      if let tag = tape.tag(at: place) { return try begin(tag, place) }
      try tree.beginDictionary(count: nil)
      steps.append(.endDictionary)
      steps.append(.entries(from: place + 1, to: end))
    default: try tape.replay(valueAt: place, into: tree)
    }
  }

  /// Begins the collection or object that a tagged dictionary represents.
  private mutating func begin(_ tag: String, _ place: TapeIndex) throws(FerryError) {
    let parts = try tape.parts(of: place)
    switch tag {
    case "$set":
      let (start, end) = try list(parts, tag)
      try tree.beginSet(count: nil)
      steps.append(.endSet)
      steps.append(.elements(from: start, to: end))
    case "$dictionary":
      let (start, end) = try list(parts, tag)
      try tree.beginDictionary(count: nil)
      steps.append(.endDictionary)
      steps.append(.pairs(from: start, to: end))
    case "$id", "$value":
      guard let identity = try tape.integer("$id", in: parts), let value = parts["$value"], parts.count == 2
      else { throw FerryError(.typed(.missing("\"$id\" with a \"$value\""))) }
      identities[identity] = NodeID(tree.nodeCount)
      steps.append(.value(value))
    case "$ref":
      guard let identity = try tape.integer(tag, in: parts), parts.count == 1 else {
        throw FerryError(.typed(.crowded("another key")))
      }
      guard let node = identities[identity] else { throw FerryError(.typed(.unknownReference(identity))) }
      try tree.addAgain(node)
    default: throw FerryError(.typed(.unknownTag(tag)))
    }
  }

  private func list(
    _ parts: [ExactString: TapeIndex], _ tag: String
  ) throws(FerryError) -> (start: TapeIndex, end: TapeIndex) {
    guard let list = parts[tag], parts.count == 1 else { throw FerryError(.typed(.crowded("another key"))) }
    guard tape.kind(at: list) == .beginArray else {
      throw FerryError(.typed(.badTag(tag, found: "something other than an array")))
    }
    return (list + 1, tape.next(after: list) - 1)
  }
}

extension EventTape {
  /// Returns the first key of a dictionary if it is a tag, otherwise nil.
  func tag(at place: TapeIndex) -> String? {
    guard kind(at: place) == .beginDictionary, kind(at: place + 1) == .key else { return nil }
    let key = string(at: place + 1)
    return key.begins(with: "$") && !key.begins(with: "$$") ? key : nil
  }

  /// Returns the tape indices of a dictionary's values, by key.
  func parts(of dictionary: TapeIndex) throws(FerryError) -> [ExactString: TapeIndex] {
    var parts: [ExactString: TapeIndex] = [:]
    var place = dictionary + 1
    while kind(at: place) == .key {
      let value = next(after: place)
      parts[string(at: place)] = value
      place = next(after: value)
    }
    return parts
  }

  /// Returns the tape indices of an array's elements.
  func elements(of array: TapeIndex) -> [TapeIndex] {
    var places: [TapeIndex] = []
    var place = array + 1
    let end = next(after: array) - 1
    while place < end {
      places.append(place)
      place = next(after: place)
    }
    return places
  }

  /// Returns the integer for a name, or nil if it is missing.
  func integer(_ name: String, in parts: [ExactString: TapeIndex]) throws(FerryError) -> Int? {
    guard let place = parts[name] else { return nil }
    guard kind(at: place) == .integer, let number = Int(exactly: integer(at: place)) else {
      throw FerryError(.typed(.badTag(name, found: "something other than an integer")))
    }
    return number
  }
}
