/// The key of a record, compared by the value of its field's type.
///
///     uuid       E621E1F8-C36C-495A-93FC-0C247A3E6E5F    e621e1f8-c36c-495a-93fc-0c247a3e6e5f
///     decimal    1                                       1.00
///     data       "AQI="                                  "A Q I ="
///
/// A key without a type, or with a value that is not of its type, is equal to the same value only.
struct RecordKey: Hashable {
  private enum Content: Hashable {
    case value(Value)
    case decimal(DecimalDigits)
  }

  private let content: Content

  /// Creates the key for a value of a type, or of any type.
  init(_ value: Value, _ type: FieldType?) {
    content = Self.content(of: value, type)
  }

  private static func content(of value: Value, _ type: FieldType?) -> Content {
    guard case .object(var object) = value else {
      return type.flatMap { typed(value, $0) } ?? .value(value)
    }
    if let type, let content = typed(object.content, type) { return content }
    object.identity = nil
    return .value(.object(object))
  }

  /// Returns the content for a scalar of a type, or nil if the value is not of the type.
  private static func typed(_ value: Value, _ type: FieldType) -> Content? {
    switch type {
    case .string, .url:
      if case .string = value { .value(value) } else { nil }
    case .integer: integer(value).map { .value(.integer($0)) }
    case .real: real(value).map { .value(.real($0 == 0 ? 0 : $0)) }
    case .decimal: decimal(value).map { .decimal($0) }
    case .boolean: boolean(value).map { .value(.boolean($0)) }
    case .date: date(value).map { .value(.date(secondsSince2001: $0 == 0 ? 0 : $0)) }
    case .data: data(value).map { .value(.data($0)) }
    case .uuid: uuid(value).map { .value(.data($0)) }
    case .record, .list, .dictionary, .enclosing, .any: nil
    }
  }

  private static func integer(_ value: Value) -> Int128? {
    switch value {
    case .integer(let number): number
    case .string(let text): Int128(text.trimmed)
    default: nil
    }
  }

  private static func real(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .single(let number): Double(number)
    case .number(let text), .string(let text): Double(text.trimmed)
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> DecimalDigits? {
    switch value {
    case .integer(let number): DecimalDigits(number.description)?.withoutSignOfZero
    case .real(let number): DecimalDigits(number.description)?.withoutSignOfZero
    case .single(let number): DecimalDigits(number.description)?.withoutSignOfZero
    case .number(let text), .string(let text): DecimalDigits(text.trimmed)?.withoutSignOfZero
    default: nil
    }
  }

  private static func boolean(_ value: Value) -> Bool? {
    switch value {
    case .boolean(let flag): return flag
    case .integer(let number) where number == 0 || number == 1: return number == 1
    case .string(let text): return Bool(text: text)
    default: return nil
    }
  }

  private static func date(_ value: Value) -> Double? {
    switch value {
    case .date(let seconds): seconds
    case .string(let text): ISODate.seconds(text.trimmed)
    default: nil
    }
  }

  private static func data(_ value: Value) -> [UInt8]? {
    switch value {
    case .data(let bytes): bytes
    case .string(let text): Base64.decode(text.utf8.span)
    default: nil
    }
  }

  private static func uuid(_ value: Value) -> [UInt8]? {
    switch value {
    case .data(let bytes) where bytes.count == 16: bytes
    case .string(let text): UUIDText.bytes(text.utf8.span)
    default: nil
    }
  }
}
