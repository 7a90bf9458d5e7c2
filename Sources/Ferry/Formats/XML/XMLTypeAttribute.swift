/// The attributes that give elements types, so that values come back from XML as they were:
///
///     {"name": "Ada", "age": 36, "tags": ["x"], "notes": [], "end": null}
///
///     <root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"
///       xmlns:ferry="urn:ferry:types" ferry:wrapper="true">
///       <name>Ada</name>
///       <age xsi:type="xs:integer">36</age>
///       <tags ferry:list="true">x</tags>
///       <notes ferry:type="list"/>
///       <end xsi:nil="true"/>
///     </root>
///
/// `ferry:list` is at the first of the elements that are a list. `ferry:type` is `list` for an element whose child elements
/// are the elements of a list, and `dictionary` for an empty dictionary. `ferry:wrapper` is at a root element that is not part
/// of the value.
enum XMLTypeAttribute {
  /// The namespace of XML Schema's attributes, such as `xsi:nil`.
  static let instance = "http://www.w3.org/2001/XMLSchema-instance"
  /// The namespace of XML Schema's types, such as `xs:integer`.
  static let schema = "http://www.w3.org/2001/XMLSchema"
  /// The namespace of Ferry's attributes.
  static let ferry = "urn:ferry:types"

  /// The declarations of the prefixes that a writer uses.
  static let declarations = [("xmlns:xsi", instance), ("xmlns:xs", schema), ("xmlns:ferry", ferry)]

  /// Returns true if a namespace declares a prefix for types.
  static func declares(_ namespace: Span<UInt8>) -> Bool {
    namespace.equals(instance.utf8.span) || namespace.equals(schema.utf8.span)
      || namespace.equals(ferry.utf8.span)
  }

  /// Returns true if the namespace of Ferry's attributes occurs in a text, which may then be a document with types.
  static func mayBeDeclared(in text: Span<UInt8>) -> Bool {
    text.end(ofFirst: "urn:ferry:types", from: 0) != nil
  }

  /// Returns true if a namespace is that of Ferry's attributes. A document was written with types if its root element declares it.
  static func isOfFerry(_ namespace: Span<UInt8>) -> Bool { namespace.equals(ferry.utf8.span) }

  /// Returns true if an attribute with a namespace may give a type, or declares a prefix.
  static func mayBelong(to namespace: String?) -> Bool {
    guard let namespace else { return false }
    return namespace.equals(instance) || namespace.equals(ferry)
      || namespace.equals(XMLNamespace.declarations)
  }
}

extension XMLStartTag {
  /// True if the element declares a prefix for Ferry's attributes.
  var declaresTypes: Bool {
    for index in 0..<declarationCount where XMLTypeAttribute.isOfFerry(declarationValue(index).utf8) {
      return true
    }
    return false
  }
}

/// The notation of types in XML without a schema.
public enum XMLTypeNotation: String, Sendable, CaseIterable {
  /// No types: all values are text.
  case none
  /// Attributes such as `xsi:type="xs:integer"` and `xsi:nil="true"`.
  case attributes
}

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
