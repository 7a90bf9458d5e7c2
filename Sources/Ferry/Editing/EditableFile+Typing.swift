// The interpretation of text that a user types as a new value.

extension EditableFile {
  /// Returns the new value for a location. With `replaces`, the value replaces the existing one, and JSON
  /// keeps its classes and types.
  func value(_ new: NewValue, at location: ValueLocation, replaces: Bool = true) throws(FerryError) -> Value {
    guard case .text(let text, let type) = new, text.last == "\r",
      let value = try fittingValue(.text(String(text.dropLast()), type), at: location, replaces)
    else { return try exactValue(new, at: location, replaces) }
    if replaces, type == nil, let same = try self.value(shownAs: text, at: location) { return same }
    // The text of a number or a URL with CR LF line ends has a carriage return at its end, which only a string can have.
    let object = type == nil ? try decodedObject(at: location) : nil
    let isString = object?.type.isString == true
    guard value.isText || isString else { return value }
    if !isString, let object, try object.value().stringValue != nil { return value }
    return try fittingValue(new, at: location, replaces) ?? value
  }

  /// Returns the new value for a location, with all characters of its text. Returns nil if the text is not one of its type.
  private func fittingValue(
    _ new: NewValue, at location: ValueLocation, _ replaces: Bool
  ) throws(FerryError) -> Value? {
    do throws(FerryError) { return try exactValue(new, at: location, replaces) } catch {
      guard case .path(.badText) = error.reason else { throw error }
      return nil
    }
  }

  /// Returns the new value for a location, with all characters of its text.
  private func exactValue(
    _ new: NewValue, at location: ValueLocation, _ replaces: Bool
  ) throws(FerryError) -> Value {
    switch new {
    case .value(let value): return try stored(value)
    case .given(let value):
      return try replaces ? ofClass(stored(value), at: location) : stored(value)
    case .text(let text, .json?) where replaces:
      return try besideAttributes(likened(text, at: location), at: location)
    case .json(let json): return try replaces ? likened(json, at: location) : value(ofJSON: json)
    case .patchText(let text):
      guard replaces else { return try value(ofJSON: .string(text)) }
      guard try hasTypeBesidesJSON(at: location) else { return try likened(.string(text), at: location) }
      if let same = try value(shownAs: text, at: location) { return same }
      return try value(of: text, like: location)
    case .text(let text, .real?) where replaces:
      return try besideAttributes(demanded(typed(text, .real), at: location), at: location)
    case .text(let text, let type?):
      let value = try typed(text, type)
      return try replaces ? besideAttributes(value, at: location) : value
    case .text(let text, nil):
      if replaces, let same = try value(shownAs: text, at: location) { return same }
      return try value(of: text, like: location)
    case .contents(let bytes, .data): return .data(bytes)
    case .contents(let bytes, .propertyList?):
      let value = try stored(TextType.value(ofPropertyList: bytes, budget: options.budget))
      return try replaces ? besideAttributes(value, at: location) : value
    case .contents(let bytes, nil) where try walker.dataLocation(of: location) != nil: return .data(bytes)
    case .contents(let bytes, let type):
      return try value(.text(try Self.text(of: bytes), type), at: location, replaces: replaces)
    }
  }

  /// Returns a value for the place of an object of a class in the class catalog, such as a date for a text and an NSDate. Returns other values
  /// unchanged.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if the value is not one of the class.
  private func ofClass(_ value: Value, at location: ValueLocation) throws(FerryError) -> Value {
    switch value {
    case .null, .object, .reference: return value
    default: break
    }
    guard archive != nil, let object = try decodedObject(at: location), try object.value() != .null,
      try object.revised(at: [], to: value) == nil
    else { return value }
    var expected: String?
    if case .string(let text) = value {
      do throws(FerryError) { return try self.value(of: text, like: location) } catch {
        switch error.reason {
        case .path(.badText(_, let type, isFound: true)): expected = type
        case .path(.cannotPut(_, .current)): break
        default: throw error
        }
      }
    }
    throw FerryError(.path(.cannotPut(value.words, .objectOfClass(object.type.name, expected: expected))))
  }

  private func typed(_ text: String, _ type: TextType) throws(FerryError) -> Value {
    if let number = typedNumber(text, type) { return number }
    let value = try type.value(of: text, budget: options.budget)
    switch type {
    case .json: return try self.value(ofJSON: value)
    case .typed:
      guard !TextType.isTypedDocument(value) else {
        return try stored(TextType.value(ofTypedDocument: text, budget: options.budget))
      }
      return try self.value(ofJSON: value, isTyped: true)
    case .propertyList: return try stored(value)
    default: return value
    }
  }

  /// Returns the new value for an element or an entry that is inserted at a step. A text gets the type of the element beside it.
  func value(
    _ new: NewValue, insertedAt step: ValuePath.Step, of location: ValueLocation
  ) throws(FerryError) -> Value {
    let parts = try walker.parts(of: location)
    // A key of a list has no neighbor: the editor throws the error.
    var hasNeighbor = parts.isList && parts.count > 0
    if case .key = step { hasNeighbor = false }
    guard hasNeighbor else {
      switch new {
      case .text(let text, nil):
        if let reference = reference(in: text) { return reference }
        return try firstElement(text, of: location)
      case .contents(let bytes, nil):
        let text = try Self.text(of: bytes)
        return reference(in: text) ?? .string(text)
      default: return try value(new, at: location, replaces: false)
      }
    }
    var neighbor = parts.count - 1
    if case .index(let index) = step, index != parts.count {
      neighbor = max(0, try ValuePath.elementIndex(index, count: parts.count) - 1)
    }
    let location = try parts.location(neighbor, in: list)
    if case .text(_, nil) = new, try !isExpressibleAsText(at: location),
      try walker.dataLocation(of: location) == nil
    {
      throw FerryError(.path(.cannotPut("a text", .neighbor(try walker.name(of: location)))))
    }
    do throws(FerryError) {
      let value = try value(new, at: location, replaces: false)
      switch new {
      case .text(_, nil), .contents(_, nil): return try value.asObject(like: decodedObject(at: location))
      default: return value
      }
    } catch {
      guard case .path(.badText(let text, let type, isFound: true)) = error.reason else { throw error }
      throw FerryError(.path(.cannotPut(MessageText.quoted(text), .neighbor(type))))
    }
  }

  /// Returns the value of a text as the first element of a list: an integer in an object of a class that has only integers.
  private func firstElement(_ text: String, of location: ValueLocation) throws(FerryError) -> Value {
    guard let number = Int64(text), let codec = try decodedObject(at: location)?.entry.codec else {
      return .string(text)
    }
    let isText = codec.flaw(of: [.string(text)]) == nil
    return isText ? .string(text) : .integer(Int128(number))
  }

  /// Returns the object with a decoded form at a location. Returns nil for other values, and for a part of a decoded form.
  private func decodedObject(at location: ValueLocation) throws(FerryError) -> DecodedObject? {
    let target = try walker.target(of: location)
    guard let decodedForms, target.inner.isEmpty else { return nil }
    return try DecodedObject(at: target, decodedForms)
  }

  /// Returns the text of a file without its final line feed. A carriage return before it may be the end of a string that `get` printed.
  package static func text(of bytes: [UInt8]) throws(FerryError) -> String {
    if case .invalid(let flaw) = bytes.span.checkUTF8() {
      throw FerryError(.path(.textNotUTF8), at: InputLocation(byte: flaw))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.last == UInt8(ascii: "\n") ? String(text.unicodeScalars.dropLast()) : text
  }
}

extension Value {
  /// Returns an object of the class of another one, unless that is an NSNull.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` or `ArchiveProblem.noDecodedForm` if the class does not have the value.
  fileprivate func asObject(like other: DecodedObject?) throws(FerryError) -> Value {
    guard let other, try other.value() != .null else { return self }
    return .object(ObjectValue(other.type, content: try other.edited(at: [], to: self)))
  }
}
