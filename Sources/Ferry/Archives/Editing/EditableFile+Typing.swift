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
    let kind = try list.kind(of: target.node)
    var type = ValueType(of: kind)
    switch kind {
    case .null, .uid: type = .string
    case .integer, .real, .number:
      if format == .json { return try number(text) }
    case .dictionary:
      if let archive, let object = try walker.type(of: target),
        let scalar = try ScalarObjectPlace(object, target, in: archive)
      {
        return try value(of: text, like: scalar)
      }
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

  /// The value of a text that an object of a scalar's class can be.
  private func value(of text: String, like scalar: ScalarObjectPlace) throws(Failure) -> Value {
    if let value = try? scalar.scalar.valueType.value(of: text),
      scalar.scalar.archived(value, as: try list.kind(of: scalar.place.node)) != nil
    {
      return value
    }
    throw Failure(.path(.badText(text, type: scalar.scalar.textName, isFound: true)))
  }

  /// A number of JSON, in its own notation.
  private func number(_ text: String) throws(Failure) -> Value {
    guard text.utf8.span.flawInJSONNumber == nil else {
      throw Failure(.path(.badText(text, type: "a number", isFound: true)))
    }
    return try Value(json: Array(text.utf8))
  }
}
