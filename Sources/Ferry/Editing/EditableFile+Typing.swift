// The interpretation of text that a user types as a new value.

extension EditableFile {
  /// Returns the new value for a location. With `replaces`, the value replaces the existing one, and JSON
  /// keeps its classes and types.
  func value(_ new: NewValue, at location: ValueLocation, replaces: Bool = true) throws(FerryError) -> Value {
    guard case .text(let text, let type) = new, text.last == "\r",
      let value = try? exactValue(.text(String(text.dropLast()), type), at: location, replaces)
    else { return try exactValue(new, at: location, replaces) }
    if replaces, type == nil, let same = try self.value(shownAs: text, at: location) { return same }
    // The text of a number or a URL with CR LF line ends has a carriage return at its end, which only a string can have.
    let object = type == nil ? try decodedObject(at: location) : nil
    let isString = object?.type.isString == true
    guard value.isText || isString else { return value }
    if !isString, let object, try object.value().stringValue != nil { return value }
    return (try? exactValue(new, at: location, replaces)) ?? value
  }

  /// Returns the new value for a location, with all characters of its text.
  private func exactValue(
    _ new: NewValue, at location: ValueLocation, _ replaces: Bool
  ) throws(FerryError) -> Value {
    switch new {
    case .value(let value): return try stored(value)
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
    case .contents(let bytes, nil) where try walker.dataLocation(of: location) != nil: return .data(bytes)
    case .contents(let bytes, let type):
      return try value(.text(try Self.text(of: bytes), type), at: location, replaces: replaces)
    }
  }

  // MARK: Printed values

  /// Returns the value at a location, and the JSON that `get` prints for it.
  func shown(at location: ValueLocation) throws(FerryError) -> (value: Value, json: Value) {
    let value = try value(at: location)
    let json = try PlainForm.json { sink throws(FerryError) in try send(location, into: sink) }
    return (value, try Value(json: json, budget: options.budget))
  }

  /// Returns the value at a location if `get` prints it as this text, otherwise nil.
  func value(shownAs text: String, at location: ValueLocation) throws(FerryError) -> Value? {
    if try printsText(of: location) {
      let value = try value(at: location)
      guard (value.plainText ?? "null").utf8.elementsEqual(text.utf8) else { return nil }
      return value
    }
    return try collection(shownAs: text, at: location)
  }

  /// Returns the collection or object at a location if `get` prints it as this JSON, otherwise nil.
  private func collection(shownAs text: String, at location: ValueLocation) throws(FerryError) -> Value? {
    guard text.hasPrefix("{") || text.hasPrefix("["),
      let json = try? Value(json: Array(text.utf8), budget: options.budget)
    else {
      return nil
    }
    let shown = try shown(at: location)
    guard shown.json == json else { return nil }
    return shown.value
  }

  /// Parses JSON as a value with the classes and types of the value at a location.
  private func likened(_ text: String, at location: ValueLocation) throws(FerryError) -> Value {
    // The value may have a key twice, as `get` prints it.
    if let same = try collection(shownAs: text, at: location) { return same }
    return try likened(TextType.json.value(of: text, budget: options.budget), at: location)
  }

  private func likened(_ json: Value, at location: ValueLocation) throws(FerryError) -> Value {
    guard !format.hasOnlyJSONValues else { return json }
    let shown = try shown(at: location)
    let lost = LostNotations()
    let likeness = EditedLikeness(
      catalog: options.catalog, lost: lost,
      notation: { json throws(FerryError) in try self.value(ofJSON: json, isTyped: false, lost) },
      entry: { key, json throws(FerryError) in try self.entry(key, json, lost) },
      keepsKeyTypes: archive == nil && list.capabilities.contains(.objectKeys),
      keepsNumberText: capabilities.keepsNumberText,
      demandsReal: { path throws(FerryError) in try self.demandsReal(at: path, of: location) },
      reference: { self.printed?.reference(for: $0) },
      isMoving: { self.printed?.isMoving($0) == true },
      objects: EditedLikeness.objects(in: shown.value, shown: shown.json))
    let value = try likeness.value(
      of: json, shown: shown.json, like: shown.value, at: ValuePath())
    report(lost)
    // Between changes of parts, references mean objects of the archive.
    guard try editor().archive?.shared == nil else { return value }
    return value.completed(with: likeness.objects.mapValues(\.object))
  }

  /// Converts JSON to a value in this file's format, and reports the numbers that lose their notation.
  func value(ofJSON json: Value, isTyped: Bool = false) throws(FerryError) -> Value {
    let lost = LostNotations()
    let value = try value(ofJSON: json, isTyped: isTyped, lost)
    report(lost)
    return value
  }

  /// Converts JSON to a value in this file's format, and counts the numbers that lose their notation.
  func value(ofJSON json: Value, isTyped: Bool, _ lost: LostNotations) throws(FerryError) -> Value {
    if format.hasOnlyJSONValues { return json }
    guard options.representation != .raw else {
      let builder = ValueBuilder()
      let references = RawReferences(to: builder)
      try json.replay(into: references)
      try references.finish()
      let value = try builder.result()
      if try list.isKeyedArchive { try value.checkReferences() }
      return try stored(value, lost)
    }
    return try notation(isTyped: isTyped, lost).value(of: json)
  }

  /// Converts an entry of a dictionary in JSON. Returns nil if the key alone is a tag.
  private func entry(
    _ key: Value, _ json: Value, _ lost: LostNotations
  ) throws(FerryError) -> (Value, Value)? {
    guard options.representation != .raw else {
      return (key, try value(ofJSON: json, isTyped: false, lost))
    }
    return try notation(isTyped: false, lost).entry(key, json)
  }

  private func notation(isTyped: Bool, _ lost: LostNotations) -> ObjectNotation {
    let hasObjects = archive != nil || format.isArchive || format.description.hasEditableObjects
    return ObjectNotation(
      isTyped: isTyped, hasObjects: hasObjects, printed: printed,
      number: { text throws(FerryError) in try self.stored(number: text, lost) },
      { name throws(FerryError) in try self.type(named: name) })
  }

  // MARK: Numbers

  /// The kinds of values that the file can represent: those of an archive, or of the property list that stores it in raw form.
  private var capabilities: FormatCapabilities { archive == nil ? list.capabilities : format.capabilities }

  /// Returns a number that neither an integer nor a real has in its own notation, as the file stores it.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if that is a real with other digits.
  private func stored(number text: String, _ lost: LostNotations) throws(FerryError) -> Value {
    let capabilities = capabilities
    guard !capabilities.keepsNumberText else { return ownValue(text) }
    if case .exact = capabilities.stored(number: BorrowedText(text.utf8.span)) { return .number(text) }
    let real = try Double(exactNotation: text)
    lost.count += 1
    return .real(real)
  }

  /// Returns the value of a number in JSON's notation. In YAML, the notation of a real has a point: `1.0e+20`.
  private func ownValue(_ text: String) -> Value {
    let value = Value(number: text)
    guard case .number = value, capabilities.contains(.decimals), !format.isJSON, let real = Double(text),
      YAMLScalar.text(of: real).equals(text)
    else { return value }
    return .real(real)
  }

  /// Returns a value with its numbers as the file stores them.
  private func stored(_ value: Value, _ lost: LostNotations) throws(FerryError) -> Value {
    guard !capabilities.keepsNumberText, value.hasNumberText else { return value }
    var failure: FerryError?
    func stored(_ value: Value) -> Value {
      guard case .number(let text) = value else { return value.mappingParts(stored) }
      do throws(FerryError) { return try self.stored(number: text, lost) } catch {
        failure = failure ?? error
        return value
      }
    }
    let result = stored(value)
    if let failure { throw failure }
    return result
  }

  /// Returns a value with its numbers as the file stores them, and reports those that lose their notation.
  private func stored(_ value: Value) throws(FerryError) -> Value {
    let lost = LostNotations()
    let value = try stored(value, lost)
    report(lost)
    return value
  }

  private func report(_ lost: LostNotations) {
    for _ in 0..<lost.count { changeLosses.add(.numberNotation) }
  }

  /// Reports the parts of a new value at a path that have another form in the file.
  func reportOtherForms(of value: Value, at path: ValuePath) {
    reportWidths(in: value, at: path)
    reportMixedContent(in: value, at: path)
  }

  /// Reports the 32-bit reals of a new value at a path that become reals of 64 bits in the file.
  private func reportWidths(in value: Value, at path: ValuePath) {
    guard !capabilities.contains(.singles) else { return }
    for _ in 0..<value.singleCount { changeLosses.add(.singleWidth, path: path) }
  }

  /// Reports the dictionaries of a new value at a path that become XML elements with text beside others. Conversions read such an element
  /// as a list of its contents, unless it is a part of a record.
  private func reportMixedContent(in value: Value, at path: ValuePath) {
    // The elements of a document with types are changed as those of one without, when the change has been reported.
    guard format.description.hasEditableElements, options.findsTypes else { return }
    // An element that moves keeps its contents in their order.
    guard !list.carries(value) else { return }
    let count = value.mixedElementCount
    guard count > 0, SchemaProbe(source.prefix(FormatDetector.headSize), budget: options.budget).schema == nil
    else { return }
    for _ in 0..<count { changeLosses.add(.contentForm, path: path) }
  }

  /// Returns the number that a user types as a real or an integer, if neither has it in its own notation but the file does.
  /// Reports the notation if the file does not keep it.
  private func ownNumber(_ text: String, _ type: TextType) -> Value? {
    guard type == .integer || type == .real else { return nil }
    guard type.isNumber(text) else {
      // A notation that JSON does not have, such as 007 and 0x1F. Infinities have no digits.
      let hasDigits = text.contains(where: \.isWholeNumber)
      if hasDigits, (try? type.value(of: text, budget: options.budget)) != nil {
        changeLosses.add(.numberNotation)
      }
      return nil
    }
    let isOwn = if case .number = ownValue(text) { true } else { false }
    guard capabilities.keepsNumberText else {
      if isOwn { changeLosses.add(.numberNotation) }
      return nil
    }
    // Text has no reals: 5 does not become 5.0.
    guard !isOwn, type != .real || capabilities.contains(.numbers) else { return .number(text) }
    guard (try? type.value(of: text, budget: options.budget)) == nil else { return nil }
    // A text that has the digits of an integer is one.
    return format.isText ? ownValue(text) : .number(text)
  }

  /// Returns true if the text makes each number at a path of a location a real, as the tag `!!float` of YAML does.
  private func demandsReal(
    at path: ValuePath = ValuePath(), of location: ValueLocation
  ) throws(FerryError) -> Bool {
    var location = location
    for step in path.steps {
      guard let next = try walker.step(step, from: location) else { return false }
      location = next
    }
    guard archive == nil, location.node < list.firstNewNode else { return false }
    // XML has another syntax, whose numbers have no types.
    guard !format.description.hasEditableElements else { return false }
    return try syntaxOfText()?.demandsReal(location.node) ?? false
  }

  /// Returns a number that replaces one without an object in an archive, or a part of a decoded form, as a real, because programs would
  /// not read an object there. Reports its notation. Returns other values as they are.
  func inlined(_ value: Value, at location: ValueLocation) throws(FerryError) -> Value {
    guard case .number(let text) = value, let editor = try editor().archive else { return value }
    let isObject = try !editor.hasInlineNumber(at: location.trail)
    guard !isObject || !location.inner.isEmpty else { return value }
    guard let real = try self.value(at: location).real(ofSame: text) else { return value }
    changeLosses.add(.numberNotation)
    return real
  }

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

  private func typed(_ text: String, _ type: TextType) throws(FerryError) -> Value {
    if let number = ownNumber(text, type) { return number }
    let value = try type.value(of: text, budget: options.budget)
    switch type {
    case .json: return try self.value(ofJSON: value)
    case .typed:
      guard !format.hasOnlyJSONValues else {
        throw FerryError(.path(.cannotPut("a value in the typed form", .noTypedSyntax)))
      }
      return try self.value(ofJSON: value, isTyped: true)
    default: return value
    }
  }

  private func type(named name: String) throws(FerryError) -> ObjectClass? {
    try editor().archive?.type(named: name)
  }

  /// Parses a text as a value with the type of the value at a location.
  private func value(of text: String, like location: ValueLocation) throws(FerryError) -> Value {
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
    if let number = ownNumber(text, type) { return number }
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
  private func reference(in text: String) -> Value? {
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

  /// Parses a JSON number that replaces the number at a location.
  private func number(_ text: String, at location: ValueLocation) throws(FerryError) -> Value {
    guard text.utf8.span.flawInJSONNumber == nil else {
      throw FerryError(.path(.badText(text, type: "a number", isFound: true)))
    }
    return try demanded(ownValue(text), at: location)
  }

  /// Returns a number as a real if the text at the location makes each number one, and a real represents it; otherwise the number.
  private func demanded(_ number: Value, at location: ValueLocation) throws(FerryError) -> Value {
    let real = number.retyped(like: .real(0))
    guard real != number, try demandsReal(of: location) else { return number }
    return real
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

  /// Throws if a dictionary in the value only looks like a reference. The depth of the value is limited
  /// by the JSON reader.
  fileprivate func checkReferences() throws(FerryError) {
    switch self {
    case .array(let values): for value in values { try value.checkReferences() }
    case .dictionary(let entries):
      guard entries.count != 1 || entries["CF$UID"] == nil else {
        throw FerryError(
          .path(.cannotPut("this CF$UID", "a reference has the number of an object: {\"CF$UID\": 5}")))
      }
      for (_, value) in entries { try value.checkReferences() }
    default: return
    }
  }

  /// True if a number in the value has a notation that neither an integer nor a real has.
  fileprivate var hasNumberText: Bool {
    if case .number = self { true } else { parts.contains(where: \.hasNumberText) }
  }

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

/// The count of numbers that lose their notation in a new value.
final class LostNotations {
  var count = 0
}

extension Value {
  /// The number of 32-bit reals in the value.
  fileprivate var singleCount: Int {
    if case .single = self { 1 } else { parts.reduce(0) { $0 + $1.singleCount } }
  }
}
