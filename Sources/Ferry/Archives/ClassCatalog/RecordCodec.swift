/// A codec for objects whose decoded form is a record: each archived key becomes a part with a name of its
/// own.
///
///     RecordCodec([
///       .object("domain", "NSDomain"), .integer("code", "NSCode"), .object("userInfo", "NSUserInfo"),
///     ])
///     // {"domain": "NSCocoaErrorDomain", "code": 4, "userInfo": {…}}
struct RecordCodec: ClassCodec {
  /// The fields, in the order in which the class encodes them.
  let fields: [ArchivedField]
  let partNames: [String]
  var archivedNames: [String] { fields.map(\.key) }
  private let findFlaw: @Sendable (Value) -> String?

  /// Creates a codec for records with these fields.
  ///
  /// - Parameter flaw: Returns the reason why the class does not accept a record whose parts have the right
  ///   kinds, or nil if it does.
  init(_ fields: [ArchivedField], flaw: @escaping @Sendable (Value) -> String? = { _ in nil }) {
    self.fields = fields
    partNames = fields.map(\.name)
    findFlaw = flaw
  }

  func flaw(of value: Value) -> String? { findFlaw(value) }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    var parts: [DecodedForm.Part] = []
    let isWithoutKeys = object.isEmpty
    for field in fields {
      switch try field.part(of: &object) {
      case .found(let part): parts.append(.init(field.name, part))
      case .leftOut: break
      case .mismatch: return nil
      }
    }
    // If all parts were left out, the record would look like that of an object without keys.
    return parts.isEmpty && !isWithoutKeys ? nil : .record(parts)
  }

  func misfit(of object: ArchivedObject) throws(FerryError) -> String? { try fields.misfit(of: object) }

  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? {
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    for field in fields {
      let part = parts[field.name]
      guard case .mismatch = try field.content(for: part) else { continue }
      let name = MessageText.quoted(field.name)
      return part == nil ? "\(name) is missing" : "\(name) is not \(field.kind.noun)"
    }
    return nil
  }

  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    try RecordCodec(fields.map { field throws(FerryError) in try field.like(object) }).encode(
      decodedForm, of: type)
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    var keys: [ArchivedKey] = []
    for field in fields {
      switch try field.content(for: parts[field.name]) {
      case .found(let content): keys.append(ArchivedKey(field.key, content))
      case .leftOut: break
      case .mismatch: return nil
      }
    }
    return keys
  }
}

/// A codec for objects with a single key, whose decoded form is the value of this key. An object whose value
/// is a dictionary is not decoded, because its decoded form would look like archived keys.
struct SingleKeyCodec: ClassCodec {
  let field: ArchivedField

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard case .found(let part) = try field.part(of: &object) else { return nil }
    guard case .archived(let node) = part else { return part }
    if case .dictionary = try object.kind(of: node) { return nil }
    return try object.type(resolving: node)?.inherits(from: "NSDictionary") == true ? nil : part
  }

  func misfit(of object: ArchivedObject) throws(FerryError) -> String? { try [field].misfit(of: object) }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard case .found(let content) = try field.content(for: decodedForm) else { return nil }
    return [ArchivedKey(field.key, content)]
  }

  /// Encodes also a text that is not a URL for an existing object, so that an edit finds the flaw, as in an NSURL. Otherwise the text would
  /// replace the object.
  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    if let keys = try encode(decodedForm, of: type) { return keys }
    guard field.kind == .url, decodedForm.kind == .string, let text = try decodedForm.string else {
      return nil
    }
    return [ArchivedKey(field.key, .made(.object(ObjectValue(.url, content: .string(text)))))]
  }

  func flaw(of value: Value) -> String? {
    guard field.kind == .url, case .string(let text) = value.scalar else { return nil }
    return URLText.flaw(ofNew: text)
  }
}

/// An archived key, and the corresponding part of a record.
struct ArchivedField: Hashable, Sendable {
  /// The kind of value under the key.
  enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A value of any kind. A new value is archived in the usual way: numbers and booleans inline, other
    /// values as separate objects.
    case any
    /// A reference to an object of any kind.
    case object
    // Inline:
    case integer, real, boolean, bytes
    // References to one kind of value:
    case string, number, date, data, url, uuid, decimal, list, dictionary

    /// A value of the kind in words, with an article.
    var noun: String {
      switch self {
      case .any: "a value"
      case .object: "an object"
      case .integer: "an integer"
      case .real: "a real"
      case .boolean: "a boolean"
      case .bytes, .data: "data"
      case .string: "a string"
      case .number: "a number"
      case .date: "a date"
      case .url: "a URL"
      case .uuid: "a UUID"
      case .decimal: "a decimal number"
      case .list: "an array"
      case .dictionary: "a dictionary"
      }
    }
  }

  /// The treatment of a missing key and of a missing part.
  enum Presence: Hashable, Sendable {
    /// The class always encodes the key, and a record always has the part.
    case required
    /// The class encodes the key only if there is a value. The record has the part only if the object has the
    /// key.
    case optional
    /// The class always encodes the key. The record leaves the part out if the value is nil.
    case orNil
    /// The class always encodes the key. The record leaves the part out if it has this value.
    case or(Value)
  }

  /// The name of the part.
  var name: String
  /// The archived key.
  var key: String
  var kind: Kind
  var presence: Presence

  init(_ kind: Kind, _ name: String, _ key: String, _ presence: Presence = .required) {
    self.name = name
    self.key = key
    self.kind = kind
    self.presence = presence
  }

  static func object(_ name: String, _ key: String, _ presence: Presence = .required) -> Self {
    Self(.object, name, key, presence)
  }
  static func string(_ name: String, _ key: String, _ presence: Presence = .required) -> Self {
    Self(.string, name, key, presence)
  }
  static func integer(_ name: String, _ key: String, _ presence: Presence = .required) -> Self {
    Self(.integer, name, key, presence)
  }
  static func real(_ name: String, _ key: String, _ presence: Presence = .required) -> Self {
    Self(.real, name, key, presence)
  }
  static func boolean(_ name: String, _ key: String, _ presence: Presence = .required) -> Self {
    Self(.boolean, name, key, presence)
  }
}

// MARK: Reading

extension ArchivedField {
  /// The result of searching for a key or a part.
  enum Match<Found> {
    case found(Found)
    /// The part may be left out of the record, or the key out of the object.
    case leftOut
    /// A required key or part is missing, or a value has another kind.
    case mismatch
  }

  /// Takes the key from an object, and decodes its value.
  func part(of object: inout ArchivedObject) throws(FerryError) -> Match<DecodedForm> {
    guard let node = try object.take(key) else { return presence == .optional ? .leftOut : .mismatch }
    let kind = try object.kind(of: node)
    if kind == .uid(0) {
      if isInline { return .mismatch }
      return presence == .orNil ? .leftOut : .found(.scalar(.null))
    }
    guard try accepts(node, kind, in: object) else { return .mismatch }
    if case .or(let value) = presence, value.isScalar(of: kind) { return .leftOut }
    return .found(.archived(node: node))
  }

  private var isInline: Bool {
    switch kind {
    case .integer, .real, .boolean, .bytes: true
    default: false
    }
  }

  private func accepts(_ node: NodeID, _ kind: NodeKind, in object: ArchivedObject) throws(FerryError) -> Bool
  {
    guard case .uid = kind else {
      switch (self.kind, kind) {
      case (.integer, .integer), (.boolean, .boolean), (.real, .real), (.real, .single), (.bytes, .data):
        return true
      case (.any, .integer), (.any, .boolean), (.any, .real), (.any, .single): return true
      default: return false
      }
    }
    if isInline { return false }
    let target = try object.kind(of: try object.resolved(node))
    let type = try object.type(resolving: node)
    func isInstance(of name: String) -> Bool { type?.inherits(from: name) == true }
    return switch (self.kind, target) {
    case (.object, _): true
    case (.any, _): true
    case (.number, .integer), (.number, .boolean), (.number, .real), (.number, .single): true
    case (.string, .string), (.data, .data): true
    case (.string, _): isInstance(of: "NSString")
    case (.data, _): isInstance(of: "NSData")
    case (.date, _): isInstance(of: "NSDate")
    case (.url, _): isInstance(of: "NSURL")
    case (.uuid, _): isInstance(of: "NSUUID")
    case (.decimal, _): isInstance(of: "NSDecimalNumber")
    case (.list, _): isInstance(of: "NSArray")
    case (.dictionary, _): isInstance(of: "NSDictionary")
    default: false
    }
  }
}

extension Value {
  /// Returns true if a node of this kind has the same value.
  fileprivate func isScalar(of kind: NodeKind) -> Bool {
    switch (self, kind) {
    case (.integer(let a), .integer(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    default: false
    }
  }
}

extension [ArchivedField] {
  /// Returns the reason why an object does not consist of these fields, or nil if it does.
  fileprivate func misfit(of object: ArchivedObject) throws(FerryError) -> String? {
    var rest = object
    for field in self {
      var copy = rest
      let hasKey = try copy.take(field.key) != nil
      guard case .mismatch = try field.part(of: &rest) else { continue }
      return hasKey ? "has under \(field.key) no \(field.kind.rawValue)" : "has no key \(field.key)"
    }
    return try rest.firstKey.map { "has the key \($0), which is not a field" }
  }
}

// MARK: Writing

extension ArchivedField {
  /// Returns the field adapted to an existing object: a number that is a separate object stays one.
  fileprivate func like(_ object: ArchivedObject) throws(FerryError) -> ArchivedField {
    var rest = object
    guard kind == .any, let node = try rest.take(key), case .uid = try object.kind(of: node) else {
      return self
    }
    return ArchivedField(.object, name, key, presence)
  }

  /// Returns the archived value for a part of a record, or for a missing part.
  func content(for part: GivenForm?) throws(FerryError) -> Match<ArchivedKey.Content> {
    guard let part else {
      switch presence {
      case .required: return .mismatch
      case .optional: return .leftOut
      case .orNil: return .found(.nothing)
      case .or(let value): return .found(.inline(value))
      }
    }
    if part.kind == .null { return isInline ? .mismatch : .found(.nothing) }
    guard let content = try content(of: part) else { return .mismatch }
    return .found(content)
  }

  private func content(of part: GivenForm) throws(FerryError) -> ArchivedKey.Content? {
    let value = ArchivedKey.Content.value(at: part.tapeIndex)
    // A reference stays a reference. Its object is encoded elsewhere.
    if part.kind == .reference { return isInline ? nil : value }
    let inner = part.unwrapped
    switch kind {
    case .integer: return part.kind == .integer ? .scalar(at: part.tapeIndex) : nil
    case .boolean: return part.kind == .boolean ? .scalar(at: part.tapeIndex) : nil
    case .real: return part.real.map { .inline($0) }
    case .bytes: return try part.bytesOrBase64.map { .inline(.data($0)) }
    case .any:
      switch part.kind {
      case .integer, .boolean, .real, .single: return .scalar(at: part.tapeIndex)
      default: return value
      }
    case .object: return value
    case .number:
      switch part.kind {
      case .integer, .boolean, .real, .single: return value
      case .number: return part.real.map { .made($0) }
      default: return nil
      }
    case .string: return inner.kind == .string ? value : nil
    case .date:
      if inner.kind == .date { return value }
      guard let text = try part.string, let seconds = ISODate.seconds(text) else { return nil }
      return .made(.date(secondsSince2001: seconds))
    case .data:
      if inner.kind == .data { return value }
      return try part.bytesOrBase64.map { .made(.data($0)) }
    case .url:
      if let text = try part.string, URLText.flaw(of: text) != nil { return nil }
      return try wrapped(part, in: .url)
    case .uuid: return try wrapped(part, in: .uuid)
    case .decimal:
      if part.kind == .beginObject { return value }
      let text = try part.string
      guard let notation = part.notation ?? text, let decimal = DecimalNumber(notation) else {
        return nil
      }
      return .made(.object(ObjectValue(.decimalNumber, content: decimal.value)))
    case .list: return inner.kind == .beginArray ? value : nil
    case .dictionary: return inner.kind == .beginDictionary ? value : nil
    }
  }

  /// Returns a part that is already an object as it is, or wraps a string in an object of a class.
  private func wrapped(_ part: GivenForm, in type: ObjectClass) throws(FerryError) -> ArchivedKey.Content? {
    if part.kind == .beginObject { return .value(at: part.tapeIndex) }
    guard let text = try part.string else { return nil }
    return .made(.object(ObjectValue(type, content: .string(text))))
  }
}

extension GivenForm {
  /// The bytes of data, or those of a string in Base64, or nil for other values.
  fileprivate var bytesOrBase64: [UInt8]? {
    get throws(FerryError) {
      if let bytes = try bytes { return bytes }
      guard let text = try string else { return nil }
      return Base64.decode(text.utf8.span)
    }
  }
}
