extension Value {
  /// The text of a scalar, with strings unquoted, or nil for collections. Keys that are not strings are
  /// written like this in the plain form.
  package var plainText: String? {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value.notation
    case .real(let value): value.notation
    case .single(let value): Double(value).notation
    case .number(let text), .string(let text): text
    case .unpairedString(let units): String(decoding: units, as: UTF16.self)
    case .data(let bytes): String(decoding: Base64.encode(bytes.span), as: UTF8.self)
    case .date(let seconds): ISODate.text(seconds) ?? seconds.notation
    case .object(let object): object.content.plainText
    case .uid, .array, .set, .dictionary, .reference: nil
    }
  }

  /// True for integers, reals and decimals, and for the objects that represent them.
  var isNumber: Bool {
    switch scalar {
    case .integer, .real, .single, .number: true
    default: false
    }
  }
}
