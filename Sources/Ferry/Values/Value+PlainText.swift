extension Value {
  /// The text of a scalar, with strings unquoted, or nil for collections. Keys that are not strings are
  /// written like this in the plain form.
  var plainText: String? {
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

  /// Returns true if a filter `[key=text]` accepts the value: a scalar with this text, or a number that equals it, as 1.0 equals `1`. A
  /// string is compared by its text alone.
  func fitsFilter(_ text: String) -> Bool {
    guard let plainText else { return false }
    if plainText.equals(text) { return true }
    guard isNumber, let number = DecimalDigits(plainText), let wanted = DecimalDigits(text) else {
      return false
    }
    return number.withoutSignOfZero == wanted.withoutSignOfZero
  }

  /// True for integers, reals and decimals, and for the objects that represent them.
  var isNumber: Bool {
    switch scalar {
    case .integer, .real, .single, .number: true
    default: false
    }
  }
}
