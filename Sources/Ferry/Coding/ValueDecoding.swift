/// The state shared by all decoders and containers of one call to decode a value.
final class ValueDecoding {
  let decoder: FerryDecoder
  /// True if the scalars of the file are text, so that the requested type decides what they mean.
  let isText: Bool
  private var foundationTypes = FoundationTypes()
  /// The types that were found not to be scalars, because finding out takes several casts.
  private var notScalars: Set<ObjectIdentifier> = []
  /// The types that were found to be dictionaries that decode their keys as names.
  private var dictionaries: Set<ObjectIdentifier> = []
  /// The types that were found to be lists of elements of several names.
  private var elementChoices: Set<ObjectIdentifier> = []

  /// The types of attributes.
  private var attributeTypes = AttributeTypes()

  /// True if collections are JSON in text, as in the cells of a table.
  let hasJSONInText: Bool
  /// True if the file consists of elements.
  let hasElements: Bool
  /// True if the contents of elements may be in their order.
  let hasContents: Bool
  /// True if names in the file have their prefixes, so that their namespaces are found by declarations.
  let readsPrefixes: Bool
  /// The namespaces that are declared around the value.
  let outerNamespaces: OuterNamespaces
  /// True if the file has no nulls, so that a missing key may represent nil.
  let leavesOutNulls: Bool
  /// True if a null in the file may be an empty text, as an empty cell of a table is, and an empty element in some conventions.
  private let nullIsEmptyText: Bool
  /// True if a text in the file represents nil.
  private let hasNullText: Bool
  /// True if 0 and 1 may be booleans.
  private let booleansAreIntegers: Bool
  /// True if keys may be other values than text.
  private let mayHaveOtherKeys: Bool
  /// True if a real in the file is a decimal number, such as `1e+23`, and not the bits of a real.
  private let realsAreDecimals: Bool
  /// True while a custom strategy decodes a date or data. A date or data inside has the default strategy, so that the function does not call
  /// itself.
  private var isInStrategy = false
  /// The decoding of keys that are text.
  private lazy var keys = ValueDecoding(keysBy: decoder)

  /// - Parameters:
  ///   - format: The format of the file, or nil for a value in memory.
  ///   - outerNamespaces: The namespaces that are declared around the value.
  init(_ decoder: FerryDecoder, of format: Format?, _ outerNamespaces: OuterNamespaces = .none) {
    self.decoder = decoder
    let namespaces = decoder.reading.xml.namespaces
    self.outerNamespaces = namespaces == .stripped ? .unknown : outerNamespaces
    let dialect = format?.recordDialect
    isText = dialect?.scalarsAreText ?? false
    hasJSONInText = format?.description.shape == .rows
    hasElements = dialect?.hasElements ?? false
    hasContents = hasElements && decoder.reading.xml.order != .never
    readsPrefixes = hasElements && namespaces != .expanded
    hasNullText = format?.hasNullText ?? false
    leavesOutNulls = isText || !(format?.capabilities.contains(.nulls) ?? true)
    nullIsEmptyText = dialect.map { $0.nullIsEmptyText || $0.hasElements } ?? false
    booleansAreIntegers = dialect?.booleansAreIntegers ?? false
    mayHaveOtherKeys = format?.capabilities.contains(.objectKeys) ?? true
    // XML with types has them, too.
    realsAreDecimals = hasElements || format?.capabilities.contains(.decimals) ?? false
  }

  /// Creates a decoding of texts that are keys. A key that is a collection is JSON.
  private init(keysBy decoder: FerryDecoder) {
    self.decoder = decoder
    (isText, hasJSONInText, leavesOutNulls) = (true, true, false)
    (hasElements, hasContents, hasNullText) = (false, false, false)
    (readsPrefixes, outerNamespaces) = (false, .none)
    (nullIsEmptyText, booleansAreIntegers, mayHaveOtherKeys) = (false, false, false)
    realsAreDecimals = false
  }

  var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

  /// True for the type of an attribute in XML. Values that were read by a schema have the names of its fields, and those that a built-in
  /// schema may match may have them.
  func isAttribute(_ type: any Any.Type) -> Bool {
    hasElements && attributeTypes.contains(type) && decoder.reading.schema == nil
      && !decoder.reading.matchesSchemas
  }

  /// Decodes a value.
  func decode<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
    guard notScalars.contains(ObjectIdentifier(type)) else { return try decodeAny(type, coded) }
    return try decodeContents(type, coded)
  }

  /// Decodes a value of a type that may be a scalar. A function of its own, because the optional of a type takes time.
  @inline(never)
  private func decodeAny<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
    if let value = try scalar(type, coded) { return value }
    return try decodeContents(type, coded)
  }

  /// Decodes a value of a type that is not a scalar.
  private func decodeContents<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
    guard coded.depth < decoder.reading.budget.depth else {
      throw error(.overBudget(.depth(decoder.reading.budget.depth)), type, coded)
    }
    let keepsKeys = !dictionaries.isEmpty && dictionaries.contains(ObjectIdentifier(type))
    let isChoice = hasElements && !elementChoices.isEmpty && elementChoices.contains(ObjectIdentifier(type))
    let content = isChoice ? try children(of: coded, type) : coded
    do {
      guard keepsKeys else { return try T(from: CodedValueDecoder(self, content, as: type)) }
      return try decodeDictionary(type, content)
    } catch let error as DecodingError {
      throw noted(unknownChoice(error, type, content) ?? error, in: content)
    }
  }

  /// Returns the error for an element without a case in an `ElementChoice`, because the one of Swift does not name the element; nil for other errors.
  @inline(never)
  private func unknownChoice(
    _ error: DecodingError, _ type: any Any.Type, _ coded: CodedValue
  ) -> DecodingError? {
    guard case .typeMismatch(let mismatched, let context) = error, mismatched == type,
      context.underlyingError == nil, type is any ElementChoice.Type, let name = coded.content.firstKeys.first
    else { return nil }
    let part =
      name.equals("#text") ? "text" : "the \(hasElements ? "element" : "key") \(MessageText.quoted(name))"
    let made = self.error(.coding(.notDecodable("\(type) has no case for \(part)")), type, coded)
    return made.context.map { .typeMismatch(type, $0) }
  }

  /// Decodes a dictionary that decodes its keys as names.
  ///
  /// - Throws: An error if the dictionary has no entry for a key in the file, because the key is equal to another one, or is not a text.
  @inline(never)
  private func decodeDictionary<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
    let count = EntryCount()
    let decoded = try T(from: CodedValueDecoder(self, coded, counting: count))
    guard let dictionary = decoded as? any CodedDictionary, dictionary.count < count.entries else {
      return decoded
    }
    try checkKeys(of: Swift.type(of: dictionary), coded)
    return decoded
  }

  /// Throws an error for a key in the file of which a dictionary that decodes its keys as names has no entry.
  private func checkKeys(of type: any CodedDictionary.Type, _ coded: CodedValue) throws {
    guard let (entries, coded) = try entries(of: coded) else { return }
    var (names, parts) = ([String](), [CodedValue]())
    for (key, value) in entries where !coded.isMissingCell(value) {
      let keyOfEntry = coded.made(key)
      if case .unpairedString = key.scalar { throw unpairedSurrogate("String", type.keyType, keyOfEntry) }
      guard let name = key.plainText else { throw mismatch("a string", type.keyType, keyOfEntry) }
      names.append(name)
      parts.append(coded.part(value, ValueKey(stringValue: name), at: .key(name)))
    }
    guard let index = type.firstEqualKey(in: names) else { return }
    throw equalKey(names[index], type.keyType, parts[index])
  }

  /// Notes the path of an error that a type or a custom strategy has thrown on its own, such as that of an enum for an unknown case.
  @inline(never)
  private func noted(_ error: DecodingError, in coded: CodedValue) -> DecodingError {
    guard let context = error.context, !(context.underlyingError is FerryError) else { return error }
    if filePath(of: context) == nil {
      failed = (context.codingPath, filePath(of: context.codingPath, in: coded))
    }
    return error.withCause
  }

  /// Returns the path in the file of a part of a value, as far as it is found by the keys.
  private func filePath(of codingPath: [any CodingKey], in coded: CodedValue) -> ValuePath {
    var found = coded
    for key in codingPath.dropFirst(coded.codingPath.count) {
      if let (entries, around) = try? self.entries(of: found), let value = entries[key.stringValue] {
        found = around.part(value, key, at: .key(key.stringValue))
      } else if let index = key.intValue, let elements = found.content.listElements,
        elements.indices.contains(index)
      {
        found = found.part(elements[index], key, at: .index(index))
      } else {
        break
      }
    }
    return found.filePath
  }

  /// Returns the children of an element as a list, each as a dictionary with its name. Several elements, or none, are already such a
  /// list.
  private func children(of coded: CodedValue, _ type: any Any.Type) throws -> CodedValue {
    guard !coded.content.isListed else { return coded }
    guard let children = coded.content.children(isOrdered: hasContents) else {
      throw error(.coding(.unknownOrder), type, coded)
    }
    return coded.made(.array(children))
  }

  /// Decodes a value from an empty text of a format whose scalars are text. Returns nil if the type has no such value, because an empty
  /// text is a missing value there.
  func decodeEmptyText<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T? {
    if let known = foundationTypes[type], known != .data { return nil }
    do { return try decode(type, coded) } catch let error as DecodingError {
      guard !error.isOverBudget else { throw error }
      return nil
    }
  }

  /// Decodes a key of a dictionary.
  func key<Key: Decodable>(_ type: Key.Type, _ key: Value, in coded: CodedValue) throws -> Key {
    let made = coded.made(key.scalar)
    guard case .string = made.value else { return try decode(type, made) }
    do {
      return try keys.decode(type, made)
    } catch {
      failed = (made.codingPath, made.filePath)
      throw error
    }
  }

  /// Returns the entries of a dictionary, and the value that contains them; nil for other values.
  func entries(of coded: CodedValue) throws(DecodingError) -> (entries: KeyedValues, coded: CodedValue)? {
    let cell = try collection(in: coded)
    switch cell ?? coded.content {
    case .dictionary(let entries):
      if hasContents, let contents = entries.contents {
        let grouped = entries.grouped(contents)
        return (grouped, coded.made(.dictionary(grouped)))
      }
      return (entries, cell.map(coded.made) ?? coded)
    case .string("") where isText: return ([:], coded.made([:]))
    // An element without attributes and children. A text of another format has no keys.
    case .string(let text) where hasElements:
      let entries: KeyedValues = ["#text": .string(text)]
      return (entries, coded.made(.dictionary(entries)))
    case .null where isEmptyText(coded): return ([:], coded.made([:]))
    default: return nil
    }
  }

  /// Returns entries with their keys as text, also those that are numbers.
  func textKeyed(_ entries: KeyedValues) -> KeyedValues {
    guard mayHaveOtherKeys, entries.contains(where: { if case .string = $0.key { false } else { true } })
    else { return entries }
    var found = KeyedValues(minimumCapacity: entries.count)
    for (key, value) in entries {
      if case .unpairedString = key.scalar { continue }
      if let name = key.plainText { found[name] = value }
    }
    return found
  }

  /// Returns entries by the keys of types, with their names in the file, if a custom strategy relates them. Of several keys with the same
  /// result, the first counts, as in `JSONDecoder`.
  func converted(
    _ entries: KeyedValues, of coded: CodedValue
  ) -> (entries: KeyedValues, fileNames: [ExactString: String])? {
    guard decoder.keys.isCustom else { return nil }
    let path = coded.codingPath
    var (found, names) = (KeyedValues(minimumCapacity: entries.count), [ExactString: String]())
    for (key, value) in entries {
      guard let name = key.stringValue,
        let converted = decoder.keys.customName(of: name, in: path, hasElements: hasElements)
      else { continue }
      guard found[converted] == nil else { continue }
      found[converted] = value
      names[ExactString(converted)] = name
    }
    return (found, names)
  }

  /// The keys of types by names in the file, which are few.
  private var usualKeys: [ExactString: [String]] = [:]

  /// Returns the keys of types that a name in the file may mean by the strategy for keys; empty if a function relates the keys.
  func usualKeys(of name: String) -> [String] {
    if let known = usualKeys[ExactString(name)] { return known }
    let keys = decoder.keys.usualKeys(of: name, hasElements: hasElements)
    usualKeys[ExactString(name)] = keys
    return keys
  }

  /// True for null, and for the text that represents it in a property list.
  func isNull(_ value: Value) -> Bool { value.scalar == .null || isNullText(value.scalar) }

  /// True for the text that represents nil in a property list.
  func isNullText(_ value: Value) -> Bool {
    guard hasNullText, case .string(let text) = value else { return false }
    return text.equals(EncodedValue.nullText)
  }

  /// True for a null in the file that may be an empty text.
  func isEmptyText(_ coded: CodedValue) -> Bool {
    nullIsEmptyText && coded.isInFile && coded.text == .null
  }

  /// Returns a part of a value by its path. In a document of elements, the path begins inside the root element, or with its
  /// name.
  func part(of root: CodedValue, at path: ValuePath?, as type: any Any.Type) throws -> CodedValue {
    guard let path, !path.isEmpty else { return root }
    var (found, steps) = start(of: path, in: root)
    // The first step in a table leads to a row.
    var role: CodedValue.Role = root.role == .rows && root.value.isListed ? .row : .value
    while let step = steps.popFirst() {
      found = try part(of: found, at: step, role, as: type)
      role = .value
    }
    return found
  }

  /// Returns the value inside which a path begins, and the steps from there.
  private func start(
    of path: ValuePath, in root: CodedValue
  ) -> (CodedValue, steps: ArraySlice<ValuePath.Step>) {
    let steps = path.steps[...]
    if let element = root.rootElement, steps.first == .key(element.name) {
      return (
        root.part(element.content, ValueKey(stringValue: element.name), at: nil), steps.dropFirst()
      )
    }
    // A path begins with the number of the record, also of a single one.
    if root.role == .records || root.role == .rows { return (CodedValue(root.value), steps) }
    return (root.with(root.content), steps)
  }

  /// Returns the part of a value to which a step leads, with its role.
  private func part(
    of coded: CodedValue, at step: ValuePath.Step, _ role: CodedValue.Role, as type: any Any.Type
  ) throws -> CodedValue {
    let part: CodedValue?
    switch step {
    case .key(let name):
      let value = coded.content.dictionaryValue.flatMap { textKeyed($0)[name] }
      part = value.map { coded.part($0, ValueKey(stringValue: name), at: step, role) }
    case .index(let index): part = element(index, of: coded, role)
    case .filter(let filter):
      let elements = coded.content.elements(isText: isText) ?? []
      let test = FilterTest(filter)
      let index = try only(elements.indices.filter { test.accepts(elements[$0]) }, filter, type)
      part = element(index, of: coded, role)
    case .slice: throw FerryError(.path(.severalValues)).decodingError(of: type, path: [])
    case .end: throw FerryError(.path(.afterLast)).decodingError(of: type, path: [])
    }
    if let part { return part }
    guard case .key(let name) = step else {
      throw error(.path(.noStep(step.inWords, into: coded.content.kindInWords)), type, coded)
    }
    throw missing(ValueKey(stringValue: name), of: type, in: coded)
  }

  /// Returns the element of a list with an index, which counts from the end if it is negative; nil if there is none.
  private func element(_ index: Int, of coded: CodedValue, _ role: CodedValue.Role) -> CodedValue? {
    let elements = coded.content.elements(isText: isText) ?? []
    let number = index < 0 ? index + elements.count : index
    guard elements.indices.contains(number) else { return nil }
    let step: ValuePath.Step? = coded.content.isListed ? .index(number) : nil
    return coded.part(elements[number], ValueKey(intValue: number), at: step, role)
  }

  /// Returns the only index among those of the elements that a filter selects.
  private func only(
    _ indices: [Int], _ filter: ValuePath.Filter, _ type: any Any.Type
  ) throws(DecodingError) -> Int {
    guard indices.count == 1 else {
      throw FerryError(.path(.notOneElement(filter, count: indices.count)))
        .decodingError(of: type, path: [])
    }
    return indices[0]
  }

  /// Returns the collection that a cell of a table holds as JSON; nil for other values. Throws for one that exceeds the budget.
  func collection(in coded: CodedValue) throws(DecodingError) -> Value? {
    guard hasJSONInText, case .string(let text) = coded.content,
      text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")
    else { return nil }
    do throws(FerryError) {
      return try Value(json: Array(text.utf8), budget: decoder.reading.budget)
    } catch {
      guard case .overBudget = error.reason else { return nil }
      throw self.error(error.reason, [Any].self, coded)
    }
  }

  // MARK: Errors

  /// The path of the last error in the file, with its coding path. A type may catch the error, and throw another one.
  private var failed: (codingPath: [any CodingKey], filePath: ValuePath)?

  /// Returns the path in the file of an error that ended the decoding, if it is one of Ferry's.
  func filePath(of context: DecodingError.Context) -> ValuePath? {
    guard let failed, ValuePath(failed.codingPath) == ValuePath(context.codingPath) else { return nil }
    return failed.filePath
  }

  /// Returns the result of a function, or nil if the function throws. The last error then stays the one before.
  func attempt<Result>(_ body: () throws -> Result) -> Result? {
    let before = failed
    do { return try body() } catch {
      failed = before
      return nil
    }
  }

  func error(
    _ reason: FerryError.Reason, _ type: any Any.Type, _ coded: CodedValue, key: (any CodingKey)? = nil
  ) -> DecodingError {
    failed = (coded.codingPath, coded.filePath)
    let path = decoder.keys.isSame ? ValuePath() : coded.pathByKeysOfFile
    return FerryError(reason, path: path).decodingError(of: type, path: coded.codingPath, key: key)
  }

  /// Returns the error for a key that a type needs. It names the key as in the file, unless a function relates the keys.
  func missing(
    _ name: any CodingKey, key: (any CodingKey)? = nil, of type: any Any.Type, in coded: CodedValue
  ) -> DecodingError {
    let keys = coded.content.firstKeys
    let fileName = key.flatMap { decoder.keys.name(of: $0.stringValue, hasElements: hasElements) }
    let problem = CodingProblem.missingKey(
      fileName ?? name.stringValue, in: coded.content.kindInWords, keys: keys)
    return error(.coding(problem), type, coded, key: key)
  }

  func mismatch(_ expected: String, _ type: any Any.Type, _ coded: CodedValue) -> DecodingError {
    let found = wordsForElement(coded.content) ?? coded.content.kindInWords
    let mismatch = error(.coding(.expected(expected, found: found)), type, coded)
    // Null is the lack of a value, as in the decoders of Foundation.
    guard case .typeMismatch(_, let context) = mismatch, coded.isNull || isNull(coded.text) else {
      return mismatch
    }
    return .valueNotFound(type, context)
  }

  /// Returns the error for an entry of a dictionary whose key is equal to one before, so that one of the two values would be lost.
  func equalKey(_ key: String, _ type: any Any.Type, _ part: CodedValue) -> DecodingError {
    error(.coding(.equalKey(MessageText.quoted(key), type: "\(type)")), type, part)
  }

  private func unpairedSurrogate(_ name: String, _ type: any Any.Type, _ coded: CodedValue) -> DecodingError {
    error(.coding(.unreadable("a text with an unpaired surrogate", type: name)), type, coded)
  }

  /// Returns words for an element with child elements, which may contain what the type expects; nil for other values.
  private func wordsForElement(_ content: Value) -> String? {
    guard hasElements, let names = content.dictionaryValue?.elementNames else { return nil }
    return names.isEmpty ? nil : "an element with child elements: \(CodingProblem.listed(names))"
  }

  private func unreadable(_ text: String, _ name: String, _ type: any Any.Type, _ coded: CodedValue)
    -> DecodingError
  {
    error(.coding(.unreadable(MessageText.quoted(text), type: name)), type, coded)
  }

  // MARK: Scalars

  /// Decodes a type that is one scalar. Returns nil for other types.
  private func scalar<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T? {
    if type == Value.self { return (coded.rootElement?.content ?? coded.value) as? T }
    if type == [UInt8].self {
      if decoder.data.isCustom, !isInStrategy { return try data(type, coded) as? T }
      // A text is a list only in formats whose scalars are text, and in a cell of a table.
      if !isText, !hasJSONInText, case .string = coded.text { return try data(type, coded) as? T }
      if let bytes = try? data(type, coded) { return bytes as? T }
    }
    let found: Any
    switch type {
    case is String.Type: found = try string(type, coded)
    case is Bool.Type: found = try boolean(type, coded)
    case let integer as any FixedWidthInteger.Type: found = try self.integer(integer, coded)
    case is Double.Type: found = try real(type, coded)
    case is Float.Type: found = try single(type, coded)
    default:
      if let known = foundationTypes[type] {
        // The parts are decoded by the type itself.
        if case .dictionary(let entries) = coded.content, known.isParts(entries) { return nil }
        return try decode(type, as: known, coded)
      }
      if let dictionary = type as? any CodedDictionary.Type {
        guard dictionary.decodesKeys else { return try dictionary.decoded(coded, by: self) as? T }
        dictionaries.insert(ObjectIdentifier(type))
      }
      if type != [UInt8].self { notScalars.insert(ObjectIdentifier(type)) }
      if type is any ElementChoices.Type { elementChoices.insert(ObjectIdentifier(type)) }
      return nil
    }
    return found as? T
  }

  func string(_ type: any Any.Type, _ coded: CodedValue) throws -> String {
    switch hasElements ? coded.textOfElement : coded.text {
    case .string(let text): return text
    case .null: if isEmptyText(coded) { return "" }
    case .unpairedString: throw unpairedSurrogate("String", type, coded)
    case let value where isText: if let text = value.plainText, !value.isCollection { return text }
    default: break
    }
    throw mismatch("a string", type, coded)
  }

  func boolean(_ type: any Any.Type, _ coded: CodedValue) throws -> Bool {
    switch coded.text {
    case .boolean(let value): return value
    case .integer(let value) where booleansAreIntegers && (value == 0 || value == 1): return value == 1
    case .string(let text) where isText:
      guard let value = Bool(text: text) else { throw unreadable(text, "boolean", type, coded) }
      return value
    default: throw mismatch("a boolean", type, coded)
    }
  }

  func integer<I: FixedWidthInteger>(_ type: I.Type, _ coded: CodedValue) throws -> I {
    let found: I?
    let words: String
    switch coded.text {
    case .integer(let value): (found, words) = (I(exactly: value), value.notation)
    case .real(let value): (found, words) = (integer(of: value), value.notation)
    case .single(let value): (found, words) = (I(exactly: value), value.notation)
    case .number(let text): (found, words) = (I(decimal: text), text)
    case .string(let text) where isText:
      let trimmed = text.trimmed
      if let number = Int128(trimmed) {
        (found, words) = (I(exactly: number), trimmed)
      } else {
        guard let number = I(trimmed) else { throw unreadable(text, "integer", type, coded) }
        (found, words) = (number, trimmed)
      }
    default: throw mismatch("an integer", type, coded)
    }
    guard let found else {
      throw error(.coding(.doesNotFit(words, type: "\(type)")), type, coded)
    }
    return found
  }

  /// Returns the integer that a real equals; nil if there is none. In a format of decimal notations, that is the number in the file, which a large
  /// real only approximates.
  private func integer<I: FixedWidthInteger>(of real: Double) -> I? {
    let allAreExact = 0x1p53
    guard realsAreDecimals, real.magnitude > allAreExact else { return I(exactly: real) }
    return I(decimal: real.notation)
  }

  func real(_ type: any Any.Type, _ coded: CodedValue) throws -> Double {
    switch coded.text {
    case .integer(let value): return Double(value)
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
    // Rounding first to a Double and then to a Float can give another result.
    let nearest: Float? =
      switch coded.text {
      case .number(let text): Float(text)
      case .integer(let value): Float(value)
      default: nil
      }
    let single = nearest ?? Float(real)
    guard single.isFinite || !real.isFinite else {
      throw error(.coding(.doesNotFit(real.notation, type: "Float")), type, coded)
    }
    return single
  }

  private func data(_ type: any Any.Type, _ coded: CodedValue) throws -> [UInt8] {
    if case .custom(let decode) = decoder.data.kind, !isInStrategy {
      return try inStrategy(coded, decode)
    }
    if case .numbers = decoder.data.kind, !isInStrategy, coded.content != .null {
      if case .data(let bytes) = coded.text { return bytes }
      // The elements are decoded by a container, which knows the lists of all formats.
      return try numbers(coded)
    }
    switch hasElements ? coded.textOfElement : coded.text {
    case .data(let bytes): return bytes
    case .null where isEmptyText(coded): return []
    case .string(let text):
      guard let bytes = Base64.decode(text.utf8.span) else { throw unreadable(text, "Base64", type, coded) }
      return bytes
    default: throw mismatch("data", type, coded)
    }
  }

  /// Decodes a list of bytes.
  private func numbers(_ coded: CodedValue) throws -> [UInt8] {
    var list = try CodedValueDecoder(self, coded).unkeyedContainer()
    var bytes: [UInt8] = []
    while !list.isAtEnd { bytes.append(try list.decode(UInt8.self)) }
    return bytes
  }

  /// Calls the function of a custom strategy.
  private func inStrategy<Result>(
    _ coded: CodedValue, _ decode: (any Decoder) throws -> Result
  ) throws -> Result {
    isInStrategy = true
    defer { isInStrategy = false }
    do {
      return try decode(CodedValueDecoder(self, coded))
    } catch let error as DecodingError {
      throw noted(error, in: coded)
    }
  }

  // MARK: Types of Foundation

  private func decode<T: Decodable>(_ type: T.Type, as known: FoundationType, _ coded: CodedValue) throws -> T
  {
    switch known {
    case .date:
      guard case .custom(let decode) = decoder.dates.kind, !isInStrategy else {
        return try make(type, of: .real(date(type, coded)), known, coded)
      }
      let found = try inStrategy(coded, decode)
      if let date = found as? T { return date }
      guard let seconds = found as? Double else { throw mismatch("a date", type, coded) }
      return try make(type, of: .real(seconds), known, coded)
    case .data:
      guard let collection = type as? any RangeReplaceableCollection<UInt8>.Type,
        let data = try collection.init(data(type, coded)) as? T
      else { throw mismatch("data", type, coded) }
      return data
    case .uuid: return try make(type, of: .string(text(type, known, coded)), known, coded)
    case .url: return try make(type, of: ["relative": .string(text(type, known, coded))], known, coded)
    case .decimal:
      if let number = try? real(type, coded), number.isNaN {
        return try make(type, of: .notADecimal, known, coded)
      }
      // Formats without decimals have them as text.
      let text = if case .string(let text) = coded.text { text.trimmed } else { coded.text.decimalText }
      guard let text else { throw mismatch("a decimal number", type, coded) }
      guard let decimal = DecimalNumber(decimal: text) else {
        guard text.utf8.span.flawInJSONNumber == nil else {
          throw unreadable(text, "decimal number", type, coded)
        }
        let problem = CodingProblem.doesNotFit(MessageText.number(text), type: known.rawValue)
        throw error(.coding(problem), type, coded)
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
    if case .unpairedString = coded.text { throw unpairedSurrogate(known.rawValue, type, coded) }
    guard case .string(let text) = coded.text else { throw mismatch(known.archivedName, type, coded) }
    return isText ? text.trimmed : text
  }

  private func date(_ type: any Any.Type, _ coded: CodedValue) throws -> Double {
    switch coded.text {
    case .date(let seconds): return seconds
    case .string(let text):
      if let seconds = ISODate.seconds(text.trimmed) { return seconds }
      guard isText, let number = XMLPropertyListScalar.real(text.trimmed.utf8.span) else {
        throw unreadable(text, "date", type, coded)
      }
      return seconds(of: number)
    case .integer, .real, .single, .number: return try seconds(of: real(type, coded))
    default: throw mismatch("a date", type, coded)
    }
  }

  /// Returns the seconds since 2001 that a number means as a date.
  private func seconds(of number: Double) -> Double {
    switch decoder.dates.kind {
    case .secondsSince2001, .custom: number
    case .secondsSince1970: number - ISODate.secondsFrom1970To2001
    case .millisecondsSince1970: number / 1000 - ISODate.secondsFrom1970To2001
    }
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
