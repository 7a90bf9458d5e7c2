/// The codec of classes whose decoded form is a single scalar:
///
///     NSDate           NS.time: seconds since 2001              a date
///     NSNull           no key                                   null
///     NSMutableString  NS.string, or NS.bytes in UTF-8          a string
///     NSMutableData    NS.data or NS.bytes                      data
///     NSURL            NS.relative, and NS.base or nil          a string, or with a base {relative, base}
///     NSUUID           NS.uuidbytes: 16 bytes                   a string: E621E1F8-C36C-495A-…
///
/// GNUstep archives the bytes of an NSUUID under the key `uuid`.
enum ScalarCodec: ClassCodec {
  case null, date, string, data, url, uuid

  static let entries: [ClassCatalogEntry] = [
    ClassCatalogEntry(.null, Self.null, isScalar: true),
    ClassCatalogEntry(.date, Self.date, isScalar: true),
    ClassCatalogEntry(ObjectClass("NSString"), Self.string, isScalar: true),
    ClassCatalogEntry(.mutableString, Self.string, isScalar: true),
    ClassCatalogEntry(ObjectClass("NSData"), Self.data, isScalar: true),
    ClassCatalogEntry(.mutableData, Self.data, isScalar: true),
    ClassCatalogEntry(.url, Self.url, isScalar: true),
    ClassCatalogEntry(.uuid, Self.uuid, isScalar: true),
  ]

  /// The parts of a URL with a base. All other objects are scalars.
  var partNames: [String] { self == .url ? ["relative", "base"] : [] }
  var notation: String? { self == .uuid ? "a UUID such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F" : nil }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    switch self {
    case .null: return .scalar(.null)
    case .date: return try date(of: &object)
    case .string: return try string(of: &object)
    case .data:
      guard let data = try object.take(anyOf: ["NS.data", "NS.bytes"]) else { return nil }
      return try object.kind(of: object.resolved(data)) == .data ? .archived(node: data) : nil
    case .url: return try url(of: &object)
    case .uuid:
      let key = try object.has("uuid") ? "uuid" : "NS.uuidbytes"
      guard let bytes = try object.bytes(key), bytes.count == 16 else { return nil }
      return .scalar(.string(UUIDText.text(bytes.span)))
    }
  }

  private func date(of object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let time = try object.take("NS.time") else { return nil }
    switch try object.kind(of: object.resolved(time)) {
    case .real(let seconds): return .scalar(.date(secondsSince2001: seconds))
    case .single(let seconds): return .scalar(.date(secondsSince2001: Double(seconds)))
    case .integer(let seconds): return .scalar(.date(secondsSince2001: Double(seconds)))
    default: return nil
    }
  }

  private func string(of object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    if let string = try object.take("NS.string") {
      return try object.kind(of: object.resolved(string)) == .string ? .archived(node: string) : nil
    }
    guard let bytes = try object.bytes("NS.bytes") else { return nil }
    if case .invalid = bytes.span.checkUTF8() { return nil }
    return .scalar(.string(bytes.span.decodedString))
  }

  private func url(of object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let base = try object.take("NS.base"), let relative = try relative(of: &object) else { return nil }
    switch try object.kind(of: base) {
    case .uid(0): return relative
    case .uid: return .record([.init("relative", relative), .init("base", .archived(node: base))])
    default: return nil
    }
  }

  /// Takes the relative part of a URL. The text `$null` is an object of the class NSString, because programs read
  /// a string without a class as nil.
  private func relative(of object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let node = try object.node("NS.relative") else { return nil }
    if try object.type(resolving: node)?.name.equals("NSString") == true {
      guard let text = try object.text("NS.relative"), text.equals("$null") else { return nil }
      return .scalar(.string(text))
    }
    guard try object.kind(of: object.resolved(node)) == .string else { return nil }
    return try object.take("NS.relative").map { .archived(node: $0) }
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    switch (self, decodedForm.kind) {
    case (.null, .null): return []
    case (.date, .date):
      // Foundation archives a date as a number rather than a date of the property list.
      return decodedForm.date.map { [ArchivedKey("NS.time", .inline(.real($0)))] }
    case (.string, .string): return [ArchivedKey("NS.string", .scalar(at: decodedForm.tapeIndex))]
    case (.data, .data): return [ArchivedKey("NS.data", .scalar(at: decodedForm.tapeIndex))]
    case (.url, .string):
      return [
        ArchivedKey("NS.base", .nothing), ArchivedKey("NS.relative", .value(at: decodedForm.tapeIndex)),
      ]
    case (.url, .beginDictionary):
      guard let parts = try decodedForm.parts(named: partNames), let base = parts["base"],
        let relative = parts["relative"], relative.kind == .string
      else { return nil }
      return [
        ArchivedKey("NS.base", .value(at: base.tapeIndex)),
        ArchivedKey("NS.relative", .value(at: relative.tapeIndex)),
      ]
    case (.uuid, .string):
      guard let text = try decodedForm.string, let bytes = UUIDText.bytes(text.utf8.span) else { return nil }
      return [ArchivedKey("NS.uuidbytes", .inline(.data(bytes)))]
    default: return nil
    }
  }

  /// Encodes a date with the width that its number has in the existing object, and strings and data under
  /// their existing key.
  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    switch self {
    case .date:
      guard let seconds = decodedForm.date, let time = try object.node("NS.time") else { break }
      let number = try object.kind(of: object.resolved(time)).number(for: seconds)
      return [ArchivedKey("NS.time", .inline(number))]
    case .uuid where try object.has("uuid"):
      guard let text = try decodedForm.string, let bytes = UUIDText.bytes(text.utf8.span) else { return nil }
      return [ArchivedKey("uuid", .inline(.data(bytes)))]
    case .string where try object.has("NS.bytes"):
      return try decodedForm.string.map { [ArchivedKey("NS.bytes", .inline(.data(Array($0.utf8))))] }
    case .data where try object.has("NS.bytes"):
      return decodedForm.kind == .data ? [ArchivedKey("NS.bytes", .scalar(at: decodedForm.tapeIndex))] : nil
    default: break
    }
    return try encode(decodedForm, of: type)
  }

  func flaw(of value: Value) -> String? {
    switch (self, value.scalar) {
    case (.date, .date(let seconds)): seconds.isFinite ? nil : "a date is a finite number of seconds"
    case (.url, .string(let text)): URLText.flaw(ofNew: text)
    case (.url, .dictionary):
      (value["relative"]?.stringValue).flatMap { URLText.flaw(ofNew: $0, hasBase: true) }
    default: nil
    }
  }

  /// Replaces only the relative part of a URL with a base if the new value is a string.
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    guard path.isEmpty, self == .url, case .dictionary(let parts) = old, parts["base"] != nil,
      case .string = new
    else { return old.replacing(path, by: new) }
    return old.replacing([.key("relative")], by: new)
  }
}

extension NodeKind {
  /// Returns seconds as a number of the same kind as this value, if that is exact.
  fileprivate func number(for seconds: Double) -> Value {
    switch self {
    case .integer: Int64(exactly: seconds).map { .integer(Int128($0)) } ?? .real(seconds)
    case .single: Double(Float(seconds)) == seconds ? .single(Float(seconds)) : .real(seconds)
    default: .real(seconds)
    }
  }
}
