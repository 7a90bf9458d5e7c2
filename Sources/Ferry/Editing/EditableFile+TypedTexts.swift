// Texts as values with the type of the value that they replace.

extension EditableFile {
  /// Parses a text as a value with the type of the value at a location.
  func value(of text: String, like location: ValueLocation) throws(FerryError) -> Value {
    let target = try walker.target(of: location)
    if archive != nil, let value = try value(of: text, decodedAt: target) { return value }
    let kind = try list.kind(of: target.node)
    if case .uid = kind, archive == nil { return try reference(text) }
    var type = TextType(of: kind)
    switch kind {
    case .null, .uid: type = .string
    case .integer, .real, .number:
      guard capabilities.contains(.decimals) else { break }
      if format.isJSON || text.utf8.span.flawInJSONNumber == nil { return try number(text, at: target) }
      // YAML has other notations, too. 007 and some others, which look like numbers, are text in it.
      switch YAMLScalar(plain: text.utf8.span) {
      case .number(let digits): return try number(String(decoding: digits, as: UTF8.self), at: target)
      case .notFinite(let real): return .real(real)
      case .null, .boolean, .string: throw FerryError(.path(.badText(text, type: "a number", isFound: true)))
      }
    default: break
    }
    guard let type else {
      if let entries = try entriesWithoutElements(of: location) {
        let hasText = entries.contains { key, _ in key.stringValue?.equals("#text") == true }
        throw FerryError(.path(.cannotPut("a text", .attributes(hasText: hasText))))
      }
      throw FerryError(.path(.cannotPut("a text", .current(try walker.name(of: location)))))
    }
    if let number = typedNumber(text, type) { return number }
    try type.checkDigits(of: text)
    do throws(FerryError) {
      let value = try type.value(of: text, budget: options.budget)
      guard case (.single, .real(let real)) = (kind, value) else { return value }
      if let single = real.single { return .single(single) }
      let nearest = Float(real)
      throw Float.cannotRepresent(text, nearest: nearest.isFinite ? nearest.description : nil)
    } catch {
      if case .path(.cannotPut) = error.reason { throw error }
      throw FerryError(.path(.badText(text, type: type.name, isFound: true)))
    }
  }

  /// Parses a reference to an object: `{"CF$UID": 5}` or `5`.
  private func reference(_ text: String) throws(FerryError) -> Value {
    if let number = UInt64(text) { return .uid(number) }
    if let reference = reference(in: text) { return reference }
    throw FerryError(.path(.badText(text, type: "a reference ({\"CF$UID\": 5}, or 5)", isFound: true)))
  }

  /// Returns the reference that a text expresses in raw form, `{"CF$UID": 5}`; nil for other texts and forms.
  func reference(in text: String) -> Value? {
    guard options.representation == .raw, !format.hasOnlyJSONValues,
      let json = try? TextType.json.value(of: text, budget: options.budget),
      case .dictionary(let parts) = json, parts.count == 1,
      let number = parts["CF$UID"]?.wholeNumber.flatMap({ UInt64(exactly: $0) })
    else { return nil }
    return .uid(number)
  }

  /// Parses a text as a value for an object with a decoded form, or for a part of it. Returns nil if the
  /// object has no decoded form, or if no text can express its decoded form.
  private func value(of text: String, decodedAt location: ValueLocation) throws(FerryError) -> Value? {
    let object = ValueLocation(trail: location.trail, node: location.node)
    guard let decodedForms, let decodedObject = try DecodedObject(at: object, decodedForms),
      let part = try walker.decodedForm(at: location)
    else { return nil }
    let old = try decodedObject.value(of: part)
    for value in old.values(like: text) {
      if try decodedObject.revised(at: location.inner, to: value) != nil { return value }
    }
    if case .integer = old.scalar, let flaw = try decodedObject.flaw(at: location.inner, of: text) {
      throw FerryError(
        .path(.cannotPut("this value", "\(MessageText.name(decodedObject.type.name)): \(flaw)")))
    }
    // A text replaces an NSNull as it does nil.
    if old == .null, location.inner.isEmpty { return .string(text) }
    let codec = decodedObject.entry.codec
    var notation = location.inner.isEmpty ? codec.notation : nil
    if location.inner.count == 1, case .key(let part)? = location.inner.first {
      notation = codec.notation(ofPart: part)
    }
    guard let name = notation ?? old.textType?.name else { return nil }
    throw FerryError(.path(.badText(text, type: name, isFound: true)))
  }

  /// Returns true if the value at a location is a scalar, or an object that a text can express, such as a
  /// color or a URL.
  func isExpressibleAsText(at location: ValueLocation) throws(FerryError) -> Bool {
    if try walker.isScalar(location) { return true }
    guard let decodedForms,
      let decodedObject = try DecodedObject(at: walker.target(of: location), decodedForms)
    else {
      return false
    }
    return decodedObject.entry.codec.notation != nil
  }

  /// Returns true for a value whose type JSON does not have and a text can express: a date, data, a reference, or an object such as a color
  /// or a URL.
  func hasTypeBesidesJSON(at location: ValueLocation) throws(FerryError) -> Bool {
    guard !format.hasOnlyJSONValues else { return false }
    let target = try walker.target(of: location)
    if let decodedForms, let part = try walker.decodedForm(at: target),
      let object = try DecodedObject(at: ValueLocation(trail: target.trail, node: target.node), decodedForms)
    {
      guard try isExpressibleAsText(at: location) else { return false }
      switch try object.value(of: part).scalar {
      case .null, .boolean, .integer, .real, .single, .number: return false
      default: return true
      }
    }
    switch try list.kind(of: target.node) {
    case .date, .data: return true
    case .uid: return archive == nil
    default: return false
    }
  }
}

extension Value {
  /// The type with which a text replaces this scalar, or nil for collections.
  fileprivate var textType: TextType? {
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

  /// Returns the values that a text may mean as a replacement of this value, the most likely first.
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
