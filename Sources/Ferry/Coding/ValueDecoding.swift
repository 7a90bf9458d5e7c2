/// The state shared by all decoders and containers of one call to decode a value.
final class ValueDecoding {
  let decoder: FerryDecoder
  /// True if the scalars of the file are text, so that the requested type decides what they mean.
  let isText: Bool
  private var foundationTypes = FoundationTypes()
  /// The types that were found not to be scalars, because finding out takes several casts.
  private var notScalars: Set<ObjectIdentifier> = []

  /// True if collections are JSON in text, as in the cells of a table.
  let hasJSONInText: Bool

  /// - Parameter format: The format of the file, or nil for a value in memory.
  init(_ decoder: FerryDecoder, of format: Format?) {
    self.decoder = decoder
    isText = format?.recordDialect.scalarsAreText ?? false
    hasJSONInText = format?.description.shape == .rows
  }

  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

  /// Returns true for `Data`.
  func isData(_ type: any Any.Type) -> Bool { foundationTypes[type] == .data }

  /// Decodes a value.
  func decode<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
    if !notScalars.contains(ObjectIdentifier(type)), let value = try scalar(type, coded) { return value }
    guard coded.depth < decoder.reading.budget.depth else {
      throw error(.overBudget(.depth(decoder.reading.budget.depth)), type, coded)
    }
    return try T(from: CodedValueDecoder(self, coded))
  }

  /// Returns a part of a value by its path. In a document of elements, the path begins inside the root element, or with its
  /// name.
  func part(of root: CodedValue, at path: ValuePath?, as type: any Any.Type) throws -> CodedValue {
    guard let path, !path.isEmpty else { return root }
    var found = root
    var steps = path.steps[...]
    if let element = root.rootElement, steps.first == .key(element.name) {
      found = root.part(element.content, ValueKey(stringValue: element.name), at: nil)
      steps.removeFirst()
    } else {
      found = root.with(root.content)
    }
    for step in steps {
      let next: (value: Value, key: ValueKey, step: ValuePath.Step?)?
      switch step {
      case .key(let name): next = found.content.scalar[name].map { ($0, ValueKey(stringValue: name), step) }
      case .index(let index):
        let elements = found.content.elements(isText: isText) ?? []
        let number = index < 0 ? index + elements.count : index
        next =
          elements.indices.contains(number)
          ? (elements[number], ValueKey(intValue: number), found.content.isListed ? .index(number) : nil)
          : nil
      case .slice, .element, .end: throw FerryError(.path(.severalValues)).decodingError(of: type, path: [])
      }
      guard let next else {
        throw missing(ValueKey(stringValue: "\(ValuePath([step]))"), of: type, in: found)
      }
      found = found.part(next.value, next.key, at: next.step)
    }
    return found
  }

  /// Returns the collection that a cell of a table holds as JSON; nil for other values.
  func collection(in coded: CodedValue) -> Value? {
    guard hasJSONInText, case .string(let text) = coded.content,
      text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")
    else { return nil }
    return try? Value(json: Array(text.utf8), budget: decoder.reading.budget)
  }

  // MARK: Errors

  /// The path of the last error in the file, with its coding path. A type may catch the error, and throw another one.
  private var failed: (codingPath: [any CodingKey], filePath: ValuePath)?

  /// Returns the path in the file of an error that ended the decoding, if it is one of Ferry's.
  func filePath(of context: DecodingError.Context) -> ValuePath? {
    guard let failed, ValuePath(failed.codingPath) == ValuePath(context.codingPath) else { return nil }
    return failed.filePath
  }

  func error(
    _ reason: FerryError.Reason, _ type: any Any.Type, _ coded: CodedValue, key: (any CodingKey)? = nil
  ) -> DecodingError {
    failed = (coded.codingPath, coded.filePath)
    return FerryError(reason).decodingError(of: type, path: coded.codingPath, key: key)
  }

  /// Returns the error for a key that a type needs.
  func missing(
    _ name: any CodingKey, key: (any CodingKey)? = nil, of type: any Any.Type, in coded: CodedValue
  ) -> DecodingError {
    let keys = coded.content.firstKeys
    let problem = CodingProblem.missingKey(name.stringValue, in: coded.content.kindInWords, keys: keys)
    return error(.coding(problem), type, coded, key: key)
  }

  func mismatch(_ expected: String, _ type: any Any.Type, _ coded: CodedValue) -> DecodingError {
    error(.coding(.expected(expected, found: coded.content.kindInWords)), type, coded)
  }

  private func unreadable(_ text: String, _ name: String, _ type: any Any.Type, _ coded: CodedValue)
    -> DecodingError
  {
    error(.coding(.unreadable(quotedForMessage(text), type: name)), type, coded)
  }

  // MARK: Scalars

  /// Decodes a type that is one scalar. Returns nil for other types.
  private func scalar<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T? {
    if type == Value.self { return (coded.rootElement?.content ?? coded.value) as? T }
    if type == [UInt8].self, let bytes = try? data(type, coded) { return bytes as? T }
    let found: Any
    switch type {
    case is String.Type: found = try string(type, coded)
    case is Bool.Type: found = try boolean(type, coded)
    case let integer as any FixedWidthInteger.Type: found = try self.integer(integer, coded)
    case is Double.Type: found = try real(type, coded)
    case is Float.Type: found = try single(type, coded)
    default:
      guard let known = foundationTypes[type] else {
        if type != [UInt8].self { notScalars.insert(ObjectIdentifier(type)) }
        return nil
      }
      return try decode(type, as: known, coded)
    }
    return found as? T
  }

  func string(_ type: any Any.Type, _ coded: CodedValue) throws -> String {
    switch coded.text {
    case .string(let text): return text
    case let value where isText: if let text = value.plainText, !value.isCollection { return text }
    default: break
    }
    throw mismatch("a string", type, coded)
  }

  func boolean(_ type: any Any.Type, _ coded: CodedValue) throws -> Bool {
    switch coded.text {
    case .boolean(let value): return value
    case .string(let text) where isText:
      switch text.trimmed.lowercased() {
      case "true", "yes", "1": return true
      case "false", "no", "0": return false
      default: throw unreadable(text, "boolean", type, coded)
      }
    default: throw mismatch("a boolean", type, coded)
    }
  }

  func integer<I: FixedWidthInteger>(_ type: I.Type, _ coded: CodedValue) throws -> I {
    let found: I?
    let words: String
    switch coded.text {
    case .integer(let value): (found, words) = (I(exactly: value), value.notation)
    case .real(let value): (found, words) = (I(exactly: value), value.notation)
    case .single(let value): (found, words) = (I(exactly: value), value.notation)
    case .number(let text):
      (found, words) = ((try? Double(exactNotation: text)).flatMap { I(exactly: $0) }, text)
    case .string(let text) where isText:
      let trimmed = text.trimmed
      guard let number = Int128(trimmed) else { throw unreadable(text, "integer", type, coded) }
      (found, words) = (I(exactly: number), trimmed)
    default: throw mismatch("an integer", type, coded)
    }
    guard let found else {
      throw error(.coding(.doesNotFit(words, type: "\(type)")), type, coded)
    }
    return found
  }

  func real(_ type: any Any.Type, _ coded: CodedValue) throws -> Double {
    switch coded.text {
    case .integer(let value):
      guard let real = Double(exactly: value) else {
        throw error(.coding(.doesNotFit(value.notation, type: "Double")), type, coded)
      }
      return real
    case .real(let value): return value
    case .single(let value): return Double(value)
    case .number(let text):
      guard let value = Double(text), value.isFinite else {
        throw error(.coding(.doesNotFit(text, type: "Double")), type, coded)
      }
      return value
    case .string(let text) where isText:
      guard let value = XMLPropertyListScalar.real(text.trimmed.utf8.span) else {
        throw unreadable(text, "number", type, coded)
      }
      return value
    default: break
    }
    throw mismatch("a number", type, coded)
  }

  func single(_ type: any Any.Type, _ coded: CodedValue) throws -> Float {
    if case .single(let value) = coded.text { return value }
    let real = try real(type, coded)
    let single = Float(real)
    guard single.isFinite || !real.isFinite else {
      throw error(.coding(.doesNotFit(real.notation, type: "Float")), type, coded)
    }
    return single
  }

  private func data(_ type: any Any.Type, _ coded: CodedValue) throws -> [UInt8] {
    switch coded.text {
    case .data(let bytes): return bytes
    case .string(let text):
      guard let bytes = Base64.decode(text.utf8.span) else { throw unreadable(text, "Base64", type, coded) }
      return bytes
    default: throw mismatch("data", type, coded)
    }
  }

  // MARK: Types of Foundation

  private func decode<T: Decodable>(_ type: T.Type, as known: FoundationType, _ coded: CodedValue) throws -> T
  {
    switch known {
    case .date: return try make(type, of: .real(date(type, coded)), known, coded)
    case .data:
      guard let collection = type as? any RangeReplaceableCollection<UInt8>.Type,
        let data = try collection.init(data(type, coded)) as? T
      else { throw mismatch("data", type, coded) }
      return data
    case .uuid: return try make(type, of: .string(text(type, known, coded)), known, coded)
    case .url: return try make(type, of: ["relative": .string(text(type, known, coded))], known, coded)
    case .decimal:
      let text =
        if case .string(let text) = coded.text, isText { text.trimmed } else { coded.text.decimalText }
      guard let text, let decimal = DecimalNumber(compacting: text) else {
        throw mismatch("a decimal number", type, coded)
      }
      return try make(type, of: decimal.compacted.parts, known, coded)
    }
  }

  /// Creates a value by decoding the parts that its `encode(to:)` encodes.
  private func make<T: Decodable>(
    _ type: T.Type, of parts: Value, _ known: FoundationType, _ coded: CodedValue
  ) throws -> T {
    do {
      return try T(from: ValueDecoder(parts))
    } catch {
      throw unreadable(coded.text.plainText ?? coded.content.kindInWords, known.rawValue, type, coded)
    }
  }

  private func text(_ type: any Any.Type, _ known: FoundationType, _ coded: CodedValue) throws -> String {
    guard case .string(let text) = coded.text else { throw mismatch(known.archivedName, type, coded) }
    return isText ? text.trimmed : text
  }

  private func date(_ type: any Any.Type, _ coded: CodedValue) throws -> Double {
    switch coded.text {
    case .date(let seconds): return seconds
    case .string(let text):
      guard let seconds = ISODate.seconds(text.trimmed) else { throw unreadable(text, "date", type, coded) }
      return seconds
    case .integer, .real, .single, .number:
      let number = try real(type, coded)
      return switch decoder.dates {
      case .secondsSince2001: number
      case .secondsSince1970: number - ISODate.secondsFrom1970To2001
      case .millisecondsSince1970: number / 1000 - ISODate.secondsFrom1970To2001
      }
    default: throw mismatch("a date", type, coded)
    }
  }
}

// MARK: - Elements

extension CodedValue {
  /// The root element of a document of elements, with its content; nil for other values.
  var rootElement: (name: String, content: Value)? {
    guard isDocument, case .dictionary(let entries) = value, entries.count == 1,
      let entry = Array(entries).first,
      case .string(let name) = entry.key
    else { return nil }
    return (name, entry.value)
  }

  /// The value, without an object's class and a document's root element.
  var content: Value { (rootElement?.content ?? value).scalar }

  /// The value as a scalar: the text of an element that has attributes, too.
  var text: Value {
    guard case .dictionary(let entries) = content, let text = entries["#text"] else { return content }
    return text.scalar
  }
}

extension Value {
  /// The text of a number; nil for other values.
  fileprivate var decimalText: String? {
    switch self {
    case .integer(let value): value.notation
    case .real(let value): value.isFinite ? value.notation : nil
    case .single(let value): value.isFinite ? value.notation : nil
    case .number(let text): text
    default: nil
    }
  }

  /// True for a list, and an object whose content is a list.
  var isListed: Bool { listElements != nil }

  /// The elements of a list. If scalars are text, as in XML, one value is a list of one.
  func elements(isText: Bool) -> [Value]? {
    switch self {
    case .array(let values), .set(let values): values
    case .object(let object): object.content.elements(isText: isText)
    default: isText ? [self] : nil
    }
  }
}
