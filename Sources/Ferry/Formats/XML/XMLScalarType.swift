/// The type of a scalar in XML.
enum XMLScalarType: String {
  case string
  case null
  case boolean
  case integer
  case decimal
  case double
  case date = "dateTime"
  case data = "base64Binary"

  /// The type of a number with a text in JSON.
  init(ofNumber text: BorrowedText) {
    var (hasPoint, hasExponent) = (false, false)
    for index in 0..<text.utf8.count {
      switch text.utf8[index] {
      case UInt8(ascii: "."): hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): hasExponent = true
      default: break
      }
    }
    self = hasExponent ? .double : hasPoint ? .decimal : .integer
  }

  /// The loss if a value of the type is written as text without a type, or nil for a string.
  var lossAsText: Loss.Kind? {
    switch self {
    case .null: .nullAsText
    case .boolean: .booleanAsText
    case .integer, .decimal, .double: .numberAsText
    case .string, .date, .data: nil
    }
  }

  /// The attribute that gives an element this type, or nil for a string.
  var attribute: (name: String, value: String)? {
    switch self {
    case .string: nil
    case .null: ("xsi:nil", "true")
    default: ("xsi:type", "xs:" + rawValue)
    }
  }

  /// The types of XML Schema that become numbers.
  private static let numbers = [
    "decimal", "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger",
    "nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
    "double", "float",
  ]

  /// Returns true if a type of XML Schema is one of numbers.
  static func isNumber(_ type: String) -> Bool { numbers.contains(exactly: type) }

  /// Sends a text as the value of a type of XML Schema. Returns false, without an effect, if the type has no other
  /// notation than text, or if the value would not have the same text.
  static func send(_ text: BorrowedText, as type: String, to sink: any ValueSink) throws(FerryError) -> Bool {
    if numbers.contains(where: { $0.equals(type) }) {
      if text.utf8.flawInJSONNumber == nil {
        // A number in the notation that Ferry gives it is not sent as a decimal, so that a property list loses nothing.
        switch DecimalText(json: text.utf8) {
        case .integer(let value): try sink.integer(value)
        case .real(let value): try sink.real(value)
        case .text: try sink.number(text)
        }
      } else if type == "double" || type == "float", let real = notFinite(text) {
        try sink.real(real)
      } else {
        return false
      }
      return true
    }
    switch type {
    case "boolean":
      guard text.equals("true") || text.equals("false") else { return false }
      try sink.boolean(text.equals("true"))
    case "dateTime":
      let string = String(text)
      guard let seconds = ISODate.seconds(string), ISODate.text(seconds)?.equals(string) == true else {
        return false
      }
      try sink.date(seconds)
    case "base64Binary":
      guard let data = Base64.decode(text.utf8) else { return false }
      var again: [UInt8] = []
      Base64.encode(data.span, into: &again)
      guard text.utf8.equals(again.span) else { return false }
      try sink.data(data.span)
    case "string": try sink.string(text)
    default: return false
    }
    return true
  }

  private static func notFinite(_ text: BorrowedText) -> Double? {
    text.equals("NaN") ? .nan : text.equals("INF") ? .infinity : text.equals("-INF") ? -.infinity : nil
  }
}
