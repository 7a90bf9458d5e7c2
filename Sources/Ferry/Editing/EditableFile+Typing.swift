// What a text that is typed for a place means there.

extension EditableFile {
  func value(_ new: NewValue, at place: PathPlace) throws(Failure) -> Value {
    switch new {
    case .value(let value): return value
    case .text(let text, let type?): return try typed(text, type)
    case .text(let text, nil): return try value(of: text, like: place)
    case .contents(let bytes, .data): return .data(bytes)
    case .contents(let bytes, nil) where try walker.dataPlace(of: place) != nil: return .data(bytes)
    case .contents(let bytes, let type): return try value(.text(try Self.text(of: bytes), type), at: place)
    }
  }

  func value(
    _ new: NewValue, insertedAt step: ValuePath.Step, of place: PathPlace
  ) throws(Failure) -> Value {
    let parts = try walker.parts(of: place)
    guard parts.isList, parts.count > 0 else {
      switch new {
      case .text(let text, nil): return .string(text)
      case .contents(let bytes, nil): return .string(try Self.text(of: bytes))
      default: return try value(new, at: place)
      }
    }
    var neighbor = parts.count - 1
    if case .index(let index) = step, index != parts.count {
      neighbor = max(0, try PathWalker.place(index, count: parts.count) - 1)
    }
    return try value(new, at: try parts.place(neighbor, in: list))
  }

  /// The text that a file holds, without a line end behind it.
  private static func text(of bytes: [UInt8]) throws(Failure) -> String {
    if case .invalid(let flaw) = bytes.span.checkUTF8() {
      throw Failure(
        .path(.badText("…", type: "UTF-8 (--type data takes any bytes)", isFound: false)),
        at: Position(byte: flaw))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
  }

  private func typed(_ text: String, _ type: ValueType) throws(Failure) -> Value {
    let value = try type.value(of: text)
    guard type == .json, format != .json else { return value }
    return try ObjectNotation { name throws(Failure) in try self.type(named: name) }.value(of: value)
  }

  private func type(named name: String) throws(Failure) -> ObjectClass? {
    try editor().archive?.type(named: name)
  }

  /// The value of a text, of the type that stands at a place.
  private func value(of text: String, like place: PathPlace) throws(Failure) -> Value {
    let target = try walker.target(of: place)
    if archive != nil, let value = try value(of: text, meantAt: target) { return value }
    let kind = try list.kind(of: target.node)
    var type = ValueType(of: kind)
    switch kind {
    case .null, .uid: type = .string
    case .integer, .real, .number:
      if format == .json { return try number(text) }
    default: break
    }
    guard let type else {
      let why = "\(try walker.name(of: place)) stands here (--type json gives a whole value)"
      throw Failure(.path(.cannotStand("a text", why)))
    }
    do throws(Failure) {
      let value = try type.value(of: text)
      guard case (.single, .real(let real)) = (kind, value) else { return value }
      return .single(Float(real))
    } catch {
      throw Failure(.path(.badText(text, type: type.name, isFound: true)))
    }
  }

  /// The value of a text that an object can mean, or the part of its meaning that a place is; nil for an object that has no
  /// meaning, or one that no text says.
  private func value(of text: String, meantAt place: PathPlace) throws(Failure) -> Value? {
    let object = PathPlace(trail: place.trail, node: place.node)
    guard let meanings, let meant = try MeantObject(at: object, meanings),
      let part = try walker.meaning(at: place)
    else { return nil }
    let old = try meant.value(of: part)
    for value in old.values(like: text) {
      if try meant.revised(at: place.inner, to: value) != nil { return value }
    }
    let notation = place.inner.isEmpty ? meant.entry.meaning.notation : nil
    guard let name = notation ?? old.textType?.name else { return nil }
    throw Failure(.path(.badText(text, type: name, isFound: true)))
  }

  /// Whether what stands at a place is a scalar, or of a class that a text says: a colour, a URL.
  func isSaidByText(at place: PathPlace) throws(Failure) -> Bool {
    if try walker.isScalar(place) { return true }
    guard let meanings, let meant = try MeantObject(at: walker.target(of: place), meanings) else {
      return false
    }
    return meant.entry.meaning.notation != nil
  }

  /// A number of JSON, in its own notation.
  private func number(_ text: String) throws(Failure) -> Value {
    guard text.utf8.span.flawInJSONNumber == nil else {
      throw Failure(.path(.badText(text, type: "a number", isFound: true)))
    }
    return try Value(json: Array(text.utf8))
  }
}

extension Value {
  /// What a text that is typed for a scalar is; nil for collections.
  fileprivate var textType: ValueType? {
    switch self.scalar {
    case .null, .string, .unpairedString: .string
    case .boolean: .boolean
    case .integer: .integer
    case .real, .single, .number: .real
    case .data: .data
    case .date: .date
    default: nil
    }
  }

  /// The values that a text may be where this one stands, the likeliest first.
  fileprivate func values(like text: String) -> [Value] {
    switch self.scalar {
    case .integer, .real, .single, .number:
      guard text.utf8.span.flawInJSONNumber == nil else { return [] }
      return [Value(number: text)]
    case let scalar:
      guard let value = try? (scalar.textType ?? .string).value(of: text) else { return [] }
      return [value]
    }
  }
}
