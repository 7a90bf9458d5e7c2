/// A value whose type is chosen by the class of its object in the archive.
///
///     var classes = ClassMap()
///     classes.add(Circle.self, as: "Circle")
///     classes.add(Square.self, as: "Square")
///     let shapes = try KeyedArchiveDecoder(classes: classes)
///       .decode([Polymorphic<any Shape>].self, from: bytes).map(\.value)
///
/// Only types in the decoder's `ClassMap` are decoded. An object of another class, or of a type that is not a
/// `Base`, is an error. Formats other than keyed archives have no classes: encoding to them throws, and so does decoding from them. For these,
/// use an enum with a case for each type.
public struct Polymorphic<Base>: Codable {
  /// The decoded value, or the value to encode.
  public var value: Base

  /// Wraps a value to encode it. Encoding throws if its type is not `Encodable`.
  public init(_ value: Base) { self.value = value }

  public init(from decoder: any Decoder) throws {
    guard let archived = decoder as? ArchivedDecoder else {
      throw FerryError(.coding(.notDecodable(Self.needsArchive)))
        .decodingError(of: Base.self, path: decoder.codingPath)
    }
    let (decoding, frame) = (archived.decoding, archived.frame)
    let type = try decoding.located(Base.self, at: frame.location) { () throws(FerryError) in
      guard let objectClass = frame.objectClass else {
        throw try decoding.unexpected("an object of a class", in: frame)
      }
      let types = decoding.classes.types(for: objectClass)
      guard types.count < 2 else {
        throw decoding.error(.severalTypes(ofClass: objectClass.name, types.map { "\($0)" }), in: frame)
      }
      guard let type = types.first as? any Decodable.Type else {
        throw decoding.error(
          .unknownClass(objectClass.name, known: decoding.classes.knownNames), in: frame)
      }
      return type
    }
    let decoded = try decoder.singleValueContainer().decode(type)
    guard let value = decoded as? Base else {
      throw decoding.error(.expected("a value of type \(Base.self)", found: "one of type \(type)"), in: frame)
        .decodingError(of: Base.self, path: decoder.codingPath)
    }
    self.value = value
  }

  public func encode(to encoder: any Encoder) throws {
    guard let archived = encoder as? ArchivedEncoder, archived.isForArchive else {
      throw FerryError(.coding(.notEncodable(Self.needsArchive)))
        .encodingError(of: value, path: encoder.codingPath)
    }
    guard let value = value as? any Encodable else {
      throw FerryError(.coding(.notEncodable("a value of type \(Swift.type(of: value)) is not Encodable")))
        .encodingError(of: value, path: encoder.codingPath)
    }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  private static var needsArchive: String {
    "the class of a Polymorphic value is known only in a keyed archive (use an enum with a case for each type elsewhere)"
  }
}

extension Polymorphic: Sendable where Base: Sendable {}
extension Polymorphic: Equatable where Base: Equatable {}
extension Polymorphic: Hashable where Base: Hashable {}
