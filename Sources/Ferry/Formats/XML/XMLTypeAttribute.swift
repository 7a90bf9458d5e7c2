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
