// Paths through what the objects of the catalogue's classes mean. An archived key comes first: the names of parts are for
// what has no key of its own.

extension PathWalker {
  /// What the object at a place means, or the part of that which the place is.
  func meaning(at place: PathPlace) throws(Failure) -> Meaning? {
    guard var meaning = try meanings?.object(at: place.node)?.meaning else { return nil }
    for step in place.inner {
      guard let part = meaning.part(step) else { return nil }
      meaning = part.meaning
    }
    return meaning
  }

  /// The elements of the list that an object means, or that a part of what it means is.
  func meantList(at place: PathPlace) throws(Failure) -> NodeParts? {
    let target = try target(of: place)
    guard meanings != nil, try type(of: target) != nil else { return nil }
    switch try meaning(at: target) {
    case .list(let elements): return .meant(in: target, count: elements.count)
    case .archived(let node) where !place.inner.isEmpty:
      return try self.place(ofObject: node).map { object throws(Failure) in try parts(of: object) }
    case nil where place.inner.isEmpty: return nil
    default: return place.inner.isEmpty ? nil : NodeParts.none
    }
  }

  /// The place of a part of what the object at a place means; nil when there is no such part.
  func part(_ step: ValuePath.Step, of target: PathPlace) throws(Failure) -> PathPlace? {
    guard let part = try meaning(at: target)?.part(step) else { return nil }
    return try real(target.part(part.step))
  }

  /// The step from a part of what an object means.
  func step(_ step: ValuePath.Step, fromPart place: PathPlace) throws(Failure) -> PathPlace? {
    let meaning = try meaning(at: place)
    if case .archived(let node)? = meaning, let object = try self.place(ofObject: node) {
      return try self.step(step, from: object)
    }
    if let part = try part(step, of: place) { return part }
    switch (meaning, step) {
    case (.list(let elements)?, .index(let index)):
      throw Failure(.path(.noElement(index, count: elements.count)))
    case (.record(let parts)?, .key(let key)):
      throw Failure(.path(.noKey(key, among: parts.prefix(8).map(\.name), count: parts.count)))
    default: throw Failure(.path(.noStep(step.inWords, into: try name(of: place))))
    }
  }

  /// The place in the archive of a part that is one value of it; any other place as it is.
  func real(_ place: PathPlace) throws(Failure) -> PathPlace {
    guard !place.inner.isEmpty, case .archived(let node)? = try meaning(at: place) else { return place }
    return try self.place(of: node, in: PathPlace(trail: place.trail, node: place.node)) ?? place
  }

  /// The place of an object that a node refers to.
  private func place(ofObject node: Int) throws(Failure) -> PathPlace? {
    let target = try target(of: PathPlace(trail: NodeTrail(), node: node))
    return target.trail.children.isEmpty ? nil : target
  }

  /// Where in an object a node is: under one of its keys, or in an array under one. Nil when it is in several places, so
  /// that a change in one of them would not be all.
  func place(of node: Int, in object: PathPlace) throws(Failure) -> PathPlace? {
    guard case .dictionary(let count) = try nodes.kind(of: object.node) else { return nil }
    var found: PathPlace?
    for entry in 0..<count {
      let child = try object.child(.value(entry), in: nodes, isField: true)
      if child.node == node {
        guard found == nil else { return nil }
        found = child
        continue
      }
      let list = try target(of: child)
      guard let type = try type(of: list) else { continue }
      let held = try NodeParts(of: list, type: type, in: nodes)
      for index in 0..<(held.isList ? held.count : 0) {
        let element = try held.place(index, in: nodes)
        guard element.node == node else { continue }
        guard found == nil else { return nil }
        found = element
      }
    }
    return found
  }
}

extension Meaning {
  /// A part, with the step by which it is counted from the start; nil when there is none.
  func part(_ step: ValuePath.Step) -> (step: ValuePath.Step, meaning: Meaning)? {
    switch (self, step) {
    case (.record(let parts), .key(let key)):
      return parts.first { $0.name == key }.map { (step, $0.meaning) }
    case (.list(let elements), .index(let index)):
      let place = index < 0 ? index + elements.count : index
      return elements.indices.contains(place) ? (.index(place), elements[place]) : nil
    case (.list, .key(let key)): return Int(key).flatMap { part(.index($0)) }
    default: return nil
    }
  }

  /// What it is, in words.
  func name(in nodes: any PropertyListNodes) throws(Failure) -> String {
    switch self {
    case .scalar(let value): value.kindName
    case .archived(let node): try nodes.kind(of: node).name
    case .list: "a list"
    case .record(let parts): "a record of \(parts.map(\.name).joined(separator: ", "))"
    }
  }
}

extension ValuePath.Step {
  /// As an error calls it: `the key "x"`, `[3]`.
  var inWords: String {
    if case .key(let key) = self { "the key \(quotedForMessage(key))" } else { "\(ValuePath([self]))" }
  }
}

extension Value {
  /// What kind of scalar it is, in words.
  fileprivate var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real, .single, .number: "a number"
    case .string, .unpairedString: "a string"
    case .data: "data"
    case .date: "a date"
    default: "a value"
    }
  }
}
