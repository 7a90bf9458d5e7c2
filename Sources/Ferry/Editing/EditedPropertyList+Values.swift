extension EditedPropertyList {
  /// Adds a value that comes from no node of the list, and returns its node.
  ///
  /// The recursion is bounded by `ValueBuilder.depthLimit`, a fixed limit of values that are read. A program that builds a deeper value has
  /// a stack for it.
  func add(contents value: Value) throws(FerryError) -> NodeID {
    try check(isText: value)
    switch value {
    case .null: return add(.scalar(.null))
    case .boolean(let value): return add(.scalar(.boolean(value)))
    case .integer(let value): return add(.scalar(.integer(value)))
    case .real(let value): return try add(scalar: .real(value))
    case .single(let value): return try add(scalar: .single(value))
    case .date(let seconds): return try add(scalar: .date(seconds))
    case .uid(let number): return add(.scalar(.uid(number)))
    case .number(let text):
      return capabilities.keepsNumberText
        ? add(.number(Array(text.utf8))) : add(.scalar(.real(try Double(exactNotation: text))))
    case .data(let bytes): return add(.data(bytes))
    case .string(let text):
      return add(.text(Array(text.utf8), isASCII: text.utf8.span.isASCII, hasSurrogates: false))
    case .unpairedString(let units):
      try check(surrogates: units)
      return add(.text(generalizedUTF8(units), isASCII: false, hasSurrogates: true))
    case .array(let values): return add(.array(try add(all: values)))
    case .set(let values):
      // If the file contains no set, the programs that read it probably cannot read one.
      guard base.hasSet || isTypedstream else {
        let why: PathProblem.Obstacle =
          capabilities.contains(.data)
          ? "programs cannot read sets in property lists (write an array)"
          : "the format has no sets (write an array)"
        throw FerryError(.path(.cannotPut("a set", why)))
      }
      return add(.set(try add(all: values)))
    case .dictionary(let entries):
      return add(.dictionary(keys: try add(all: entries.keys), values: try add(all: entries.values)))
    case .object(let object):
      throw FerryError(
        .path(
          .cannotPut(
            "an object of the class \(MessageText.name(object.type.name))",
            .other(
              isTypedstream
                ? "a new value in a typedstream has the class of the old one, or the usual one of Foundation"
                : "only archives have objects (in a text, write the key $class as $$class)"))))
    case .reference:
      throw FerryError(.path(.cannotPut("a reference to an object", "only archives have objects")))
    }
  }

  /// Adds a scalar. Throws if the format would change it.
  private func add(scalar kind: NodeKind) throws(FerryError) -> NodeID {
    switch kind {
    case .real(let value): try check(real: value)
    case .single(let value): try check(real: Double(value))
    case .date(let seconds): try check(date: seconds)
    default: break
    }
    return add(.scalar(kind))
  }

  /// Throws for a number, a boolean or null in a format whose scalars are text.
  private func check(isText value: Value) throws(FerryError) {
    guard capabilities.contains(.data), capabilities.isDisjoint(with: [.numbers, .nulls]) else { return }
    switch value {
    case .null: throw FerryError(.path(.cannotPut("null", "this format has only text and data")))
    case .boolean, .integer, .real, .single, .number:
      let text = value.plainText ?? ""
      throw FerryError(
        .path(.cannotPut(value.kindInWords, "this format has only text and data (write \"\(text)\")")))
    default: return
    }
  }

  /// Throws for a NaN whose sign or payload the format would drop.
  private func check(real value: Double) throws(FerryError) {
    guard value.hasNaNPayload, !capabilities.contains(.nanPayloads) else { return }
    throw FerryError(
      .path(
        .cannotPut(
          "the NaN with the bits \(String(value.bitPattern, radix: 16))",
          "this format has a single NaN, with the bits 7ff8000000000000")))
  }

  /// Throws for a text with unpaired surrogates if the format would replace them.
  private func check(surrogates units: [UInt16]) throws(FerryError) {
    guard !capabilities.contains(.surrogates) else { return }
    let found = units.unpairedSurrogate.map { " U+\(String($0, radix: 16, uppercase: true))" } ?? ""
    throw FerryError(
      .path(.cannotPut("a text with the unpaired surrogate\(found)", "this format has only whole characters"))
    )
  }

  /// Throws for a date if the format would cut off its fraction of a second, or the sign of a zero, or has no such year.
  private func check(date seconds: Double) throws(FerryError) {
    guard capabilities.contains(.wholeDates) || capabilities.contains(.dates) else { return }
    guard !seconds.isNegativeZero || capabilities.hasDatesOfNegativeZero else {
      throw FerryError(
        .path(.cannotPut("a date of -0 seconds from 2001", "a date in this format has no negative zero")))
    }
    guard capabilities.hasYear(ofDate: seconds) else {
      let date = ISODate.text(seconds) ?? "\(seconds) seconds from 2001"
      throw FerryError(
        .path(.cannotPut("the date \(date)", "a date in this format has a year of four digits")))
    }
    guard !capabilities.contains(.dates), seconds.rounded(.down) != seconds else { return }
    let (date, whole) = (ISODate.text(seconds), ISODate.text(seconds.rounded(.down)))
    throw FerryError(
      .path(
        .cannotPut(
          "the date \(date ?? seconds.description)",
          "a date in this format has whole seconds\(whole.map { ", such as \($0)" } ?? "")")))
  }

  private func add(all values: [Value]) throws(FerryError) -> [NodeID] {
    var nodes: [NodeID] = []
    for value in values { nodes.append(try add(value: value)) }
    return nodes
  }

  /// Copies a node of another list with its contents. `uid` maps the UIDs of its references.
  ///
  /// The recursion is bounded: the node is an object of an archive that was just written, with few levels.
  func add(copyOf node: NodeID, in other: PropertyListTree, uid newUID: (UInt64) -> UInt64) throws(FerryError)
    -> NodeID
  {
    switch try other.kind(of: node) {
    case .uid(let uid): return add(.scalar(.uid(newUID(uid))))
    case .string:
      return try other.withText(of: node) { text throws(FerryError) in
        add(.text([UInt8](copying: text.utf8), isASCII: text.isASCII, hasSurrogates: text.hasSurrogates))
      }
    case .number:
      return try other.withText(of: node) { text throws(FerryError) in
        add(.number([UInt8](copying: text.utf8)))
      }
    case .data:
      return try other.withData(of: node) { bytes throws(FerryError) in add(.data([UInt8](copying: bytes))) }
    case .array(let count), .set(let count):
      var elements: [NodeID] = []
      for index in 0..<count {
        elements.append(try add(copyOf: other.element(index, of: node), in: other, uid: newUID))
      }
      return add(.array(elements))
    case .dictionary(let count):
      var (keys, values): ([NodeID], [NodeID]) = ([], [])
      for index in 0..<count {
        keys.append(try add(copyOf: other.key(index, of: node), in: other, uid: newUID))
        values.append(try add(copyOf: other.value(index, of: node), in: other, uid: newUID))
      }
      return add(.dictionary(keys: keys, values: values))
    case let kind: return try add(scalar: kind)
    }
  }

  // MARK: Children

  /// Adds an entry to a dictionary: at the end or, if the last entry is the class of an archived object, before it.
  func append(_ key: NodeID, _ value: NodeID, to trail: NodeTrail) throws(FerryError) {
    guard let end = try endOfEntries(of: node(at: trail)) else { return }
    try replaceEntries(end..<end, of: trail, by: [key], [value])
  }

  /// Returns the index for a new entry of a dictionary: the end or, if the last entry is the class of an archived object, the index of that.
  /// Returns nil for other nodes.
  func endOfEntries(of node: NodeID) throws(FerryError) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    guard count > 0, try isString(key(count - 1, of: node), "$class"), try isKeyedArchive else {
      return count
    }
    return count - 1
  }

  /// Removes a child of a collection.
  func remove(_ child: NodeTrail.Child, of trail: NodeTrail) throws(FerryError) {
    switch child {
    case .element(let index):
      try remove(at: index, of: trail)
    case .value(let index):
      try replaceEntries(index..<index + 1, of: trail, by: [], [])
    }
  }

  // MARK: New scalars

  /// Returns the new scalars in changed and added collections, with their roles.
  func newScalars() throws(FerryError) -> [NewScalar] {
    let objects = try value("$objects", of: root)
    var chains: Set<NodeID> = []
    var new: [NewScalar] = []
    func add(_ node: NodeID, _ role: ScalarRole) throws(FerryError) {
      guard node >= firstNewNode else { return }
      switch try kind(of: node) {
      case .array, .set, .dictionary, .boolean, .uid: break
      case let kind: new.append(NewScalar(node: node, kind: kind.ofScalar, role: role))
      }
    }
    for node in changedNodes {
      guard case .dictionary(let count) = try kind(of: node) else { continue }
      for index in 0..<count { try add(key(index, of: node), .key) }
      for index in 0..<count {
        let (key, value) = (try key(index, of: node), try value(index, of: node))
        if try isString(key, "$classes") { chains.insert(value) }
        try add(value, isString(key, "$classname") ? .className : .value)
      }
    }
    for node in changedNodes {
      let role: ScalarRole = node == objects ? .object : chains.contains(node) ? .chain : .element
      switch try kind(of: node) {
      case .array(let count), .set(let count):
        for index in 0..<count { try add(element(index, of: node), role) }
      default: break
      }
    }
    return new
  }
}

extension [UInt16] {
  /// The first surrogate that is not half of a pair, or nil.
  fileprivate var unpairedSurrogate: UInt16? {
    var index = 0
    while index < count {
      let isPair =
        UTF16.isLeadSurrogate(self[index]) && index + 1 < count && UTF16.isTrailSurrogate(self[index + 1])
      if !isPair, UTF16.isLeadSurrogate(self[index]) || UTF16.isTrailSurrogate(self[index]) {
        return self[index]
      }
      index += isPair ? 2 : 1
    }
    return nil
  }
}
