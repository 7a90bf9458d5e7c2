/// A property that is an attribute in XML.
///
///     struct Book: Codable {
///       @XMLAttribute var id: Int
///       @XMLAttribute var lang: String?
///       var title: String
///     }
///     // <book id="1" lang="en"><title>Notes</title></book>
///
/// `FerryEncoder` writes the attributes of an element before its other contents, in the order of the properties, and `FerryDecoder` reads the
/// property from an attribute alone: a child element with the same name is not read. In all other formats, also with other encoders and
/// decoders, the property is a value for its key. So it is in XML with a schema, which says itself which fields are attributes, and with
/// `reading.matchesSchemas`, with which a built-in schema may say it. In XML with types (`writing.xml.types`), whose attributes are those types,
/// it is an element `_x0040_id`.
///
/// An optional is nil if the attribute is missing, and needs no initial value. (In a generic type, `XMLAttribute<Wrapped>` is not known to be
/// optional, so that a missing attribute is an error.) The name of the attribute is that of the coding key, without `@`.
/// A list or a dictionary cannot be encoded as an attribute.
@propertyWrapper
public struct XMLAttribute<Wrapped> {
  /// The value of the attribute.
  public var wrappedValue: Wrapped

  /// Creates an attribute with a value.
  public init(wrappedValue: Wrapped) { self.wrappedValue = wrappedValue }
}

extension XMLAttribute where Wrapped: ExpressibleByNilLiteral {
  /// Creates a missing attribute.
  public init() { wrappedValue = nil }
}

extension XMLAttribute: Equatable where Wrapped: Equatable {}
extension XMLAttribute: Hashable where Wrapped: Hashable {}
extension XMLAttribute: Sendable where Wrapped: Sendable {}

extension XMLAttribute: CustomStringConvertible {
  public var description: String { "\(wrappedValue)" }
}

extension XMLAttribute: Decodable where Wrapped: Decodable {
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Wrapped.self)
  }
}

extension XMLAttribute: Encodable where Wrapped: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
    (encoder as? ArchivedEncoder)?.markAttribute()
  }
}

// The code that Swift makes for a type calls these functions in place of the generic ones, because it knows the type of the property.

extension KeyedDecodingContainer {
  /// Decodes an attribute that may be missing.
  public func decode<Wrapped: Decodable>(
    _ type: XMLAttribute<Wrapped?>.Type, forKey key: Key
  ) throws -> XMLAttribute<Wrapped?> {
    let attribute = try decodeIfPresent(XMLAttribute<Wrapped>.self, forKey: key)
    return XMLAttribute(wrappedValue: attribute?.wrappedValue)
  }
}

extension KeyedEncodingContainer {
  /// Encodes an attribute, or nil as for any other optional property.
  public mutating func encode<Wrapped: Encodable>(_ value: XMLAttribute<Wrapped?>, forKey key: Key) throws {
    if value.wrappedValue == nil {
      try encodeIfPresent(Wrapped?.none, forKey: key)
    } else {
      try encodeIfPresent(Optional(value), forKey: key)
    }
  }
}

/// A type of the values of attributes.
private protocol AttributeType {}
extension XMLAttribute: AttributeType {}

/// The types that were found to be those of attributes, or not. The cast takes time.
struct AttributeTypes {
  private var known: [ObjectIdentifier: Bool] = [:]

  /// Returns true for the type of an attribute.
  mutating func contains(_ type: any Any.Type) -> Bool {
    if let isAttribute = known[ObjectIdentifier(type)] { return isAttribute }
    let isAttribute = type is any AttributeType.Type
    known[ObjectIdentifier(type)] = isAttribute
    return isAttribute
  }
}
