// Paths into objects with a decoded form. If an archived key and a part of the decoded form have the same
// name, the archived key takes precedence.

extension PathWalker {
  /// Returns the decoded form of the object at a location, or the part of it that the location denotes.
  func decodedForm(at location: ValueLocation) throws(FerryError) -> DecodedForm? {
    guard var decodedForm = try decodedForms?.object(at: location.node)?.decodedForm else { return nil }
    for step in location.inner {
      guard let part = decodedForm.part(step) else { return nil }
      decodedForm = part.decodedForm
    }
    return decodedForm
  }

  /// Returns the elements of a list that is an object's decoded form or a part of it.
  func decodedList(at location: ValueLocation) throws(FerryError) -> NodeParts? {
    let target = try target(of: location)
    guard decodedForms != nil, try type(of: target) != nil else { return nil }
    switch try decodedForm(at: target) {
    case .list(let elements): return .decodedObject(in: target, count: elements.count)
    case .archived(let node) where !location.inner.isEmpty:
      return try self.location(ofObject: node).map { object throws(FerryError) in try parts(of: object) }
    case nil where location.inner.isEmpty: return nil
    default: return location.inner.isEmpty ? nil : NodeParts.none
    }
  }

  /// Returns the location of a part of an object's decoded form, or nil if there is no such part.
  func part(_ step: ValuePath.Step, of target: ValueLocation) throws(FerryError) -> ValueLocation? {
    guard let part = try decodedForm(at: target)?.part(step) else { return nil }
    return try real(target.part(part.step))
  }

  /// Follows a step from a location inside a decoded form.
  func step(_ step: ValuePath.Step, fromPart location: ValueLocation) throws(FerryError) -> ValueLocation? {
    let decodedForm = try decodedForm(at: location)
    if case .archived(let node)? = decodedForm, let object = try self.location(ofObject: node) {
      return try self.step(step, from: object)
    }
    if let part = try part(step, of: location) { return part }
    switch (decodedForm, step) {
    case (.list(let elements)?, .index(let index)):
      throw FerryError(.path(.noElement(index, count: elements.count)))
    case (.record(let parts)?, .key(let key)):
      throw FerryError(.path(.noKey(key, among: parts.prefix(8).map(\.name), count: parts.count)))
    default: throw FerryError(.path(.noStep(step.inWords, into: try name(of: location))))
    }
  }

  /// Returns the location in the archive of a part that is stored as one archived value. Returns other
  /// locations unchanged.
  func real(_ location: ValueLocation) throws(FerryError) -> ValueLocation {
    guard !location.inner.isEmpty, case .archived(let node)? = try decodedForm(at: location) else {
      return location
    }
    return try self.location(of: node, in: ValueLocation(trail: location.trail, node: location.node))
      ?? location
  }

  /// Returns the location of the object that a node refers to.
  func location(ofObject node: NodeID) throws(FerryError) -> ValueLocation? {
    let target = try target(of: ValueLocation(trail: NodeTrail(), node: node))
    return target.trail.children.isEmpty ? nil : target
  }

  /// Returns the location of a node inside an object: under one of its keys, or in an array under one of its
  /// keys. Returns nil if the node occurs several times, because changing one occurrence would not be enough.
  func location(of node: NodeID, in object: ValueLocation) throws(FerryError) -> ValueLocation? {
    guard case .dictionary(let count) = try nodes.kind(of: object.node) else { return nil }
    var found: ValueLocation?
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
        let element = try held.location(index, in: nodes)
        guard element.node == node else { continue }
        guard found == nil else { return nil }
        found = element
      }
    }
    return found
  }
}

extension PathWalker {
  /// Returns true if a part of the decoded form of an attributed string has the same archived value as other parts: runs may have one
  /// object for their attributes.
  func isShared(_ part: ValueLocation) throws(FerryError) -> Bool {
    guard let object = try decodedForms?.object(at: part.node), object.entry.codec is AttributedStringCodec,
      let node = object.decodedForm.node(at: part.inner)
    else { return false }
    return object.decodedForm.count(of: node) > 1
  }
}

extension DecodedForm {
  /// Returns the node of the part at a path, or nil if there is no part that is one archived value.
  func node(at path: [ValuePath.Step]) -> NodeID? {
    var form = self
    for step in path {
      guard let part = form.part(step) else { return nil }
      form = part.decodedForm
    }
    if case .archived(let node) = form { return node }
    return nil
  }

  /// Returns the number of parts that are a node.
  fileprivate func count(of node: NodeID) -> Int {
    switch self {
    case .scalar: 0
    case .archived(let found): found == node ? 1 : 0
    case .list(let parts): parts.reduce(0) { $0 + $1.count(of: node) }
    case .record(let parts): parts.reduce(0) { $0 + $1.decodedForm.count(of: node) }
    }
  }

  /// Returns a part, with the step to it (indices counted from the start), or nil if there is no such part.
  func part(_ step: ValuePath.Step) -> (step: ValuePath.Step, decodedForm: DecodedForm)? {
    switch (self, step) {
    case (.record(let parts), .key(let key)):
      return parts.first { $0.name.equals(key) }.map { (step, $0.decodedForm) }
    case (.list(let elements), .index), (.list(let elements), .key):
      guard let index = step.indexInList else { return nil }
      let position = index < 0 ? index + elements.count : index
      return elements.indices.contains(position) ? (.index(position), elements[position]) : nil
    default: return nil
    }
  }

  /// Returns the kind of the decoded form for a message.
  func name(in nodes: any PropertyListNodes) throws(FerryError) -> String {
    switch self {
    case .scalar(let value): value.kindName
    case .archived(let node): try nodes.kind(of: node).name
    case .list: "a list"
    case .record(let parts): "a record of \(parts.map(\.name).joined(separator: ", "))"
    }
  }
}

extension Value {
  /// The kind of the scalar for a message.
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
