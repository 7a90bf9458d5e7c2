/// A decoder of `Decodable` values from keyed archives, binary or XML.
///
///     struct Person: Codable {
///       var last: String
///       var first: String
///     }
///     let people = try KeyedArchiveDecoder().decode([Person].self, from: bytes)
///
/// An object is decoded by its archived keys: the raw values of the type's `CodingKeys`. Foundation's arrays,
/// sets and dictionaries become Swift's; the keys of a dictionary may be of any decodable type. `Date`,
/// `Data`, `URL`, `UUID` and `Decimal` are decoded from `NSDate`, `NSData`, `NSURL`, `NSUUID` and
/// `NSDecimalNumber`; `[UInt8]` from data too. Any number type that can represent a number exactly can decode
/// it (a `Float` is decoded from any real that is near enough to one).
///
/// The decoder reads only what the requested values need. It never creates an instance from a name in the
/// file: the caller and the `ClassMap` choose the types.
///
/// If the type is a struct, an object with several references is decoded for each of them. If the type is a
/// class, all of them share one instance. An object that contains itself is refused, because no initializer
/// could finish.
public struct KeyedArchiveDecoder: Sendable {
  /// The archived classes and keys of types.
  public var classes: ClassMap
  /// The limits on the depth of a value and on its size relative to the file. The depth is 256 levels by
  /// default, because types decode their contents recursively, and the stack of a thread may be small.
  public var budget = Budget.coding
  /// Values that the decoded types can read from their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder. A type that is neither in `classes` nor an `ArchivedClass` is decoded from objects of
  /// any class.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Decodes a root of an archive.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - name: The name of the root.
  ///   - bytes: The archive.
  /// - Throws: A `DecodingError` with the coding path. Its `underlyingError` is a `FerryError` with the source
  ///   location, which the description of the error contains as well.
  public func decode<T: Decodable>(
    _ type: T.Type, named name: String = "root", from bytes: some Sequence<UInt8>
  ) throws -> T {
    let objects: ArchiveObjects
    do throws(FerryError) {
      objects = try ArchiveObjects(Self.nodes(Array(bytes), budget: budget))
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try decode(type, named: name, in: objects)
  }

  /// Decodes a root of an opened archive.
  func decode<T: Decodable>(_ type: T.Type, named name: String, in objects: ArchiveObjects) throws -> T {
    let decoding = ArchiveDecoding(objects, self)
    let root: Int
    do throws(FerryError) {
      root = try decoding.root(named: name)
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try decoding.decode(type, at: ArchivedPlace(node: root))
  }

  /// Opens the property list of an archive, binary or XML.
  private static func nodes(_ bytes: [UInt8], budget: Budget) throws(FerryError) -> any PropertyListNodes {
    let detected = try DetectedInput(MemoryInput(bytes), named: nil, given: nil)
    guard detected.format.description.isPropertyList,
      let nodes = try detected.format.nodes(of: detected.input, budget: budget)
    else { throw FerryError(.archive(.malformed("this is \(detected.format.rawValue)"))) }
    return nodes
  }
}

extension Budget {
  /// The default limits for types that encode and decode themselves.
  static var coding: Budget {
    var budget = Budget()
    budget.depth = 256
    return budget
  }
}

extension Decoder {
  /// The class of the archived object that is being decoded; nil if the object has no class, or if the
  /// decoder is not one of a keyed archive.
  ///
  ///     init(from decoder: any Decoder) throws {
  ///       switch decoder.archivedClass?.name {
  ///       case "Circle": self = .circle(try Circle(from: decoder))
  ///       default: self = .square(try Square(from: decoder))
  ///       }
  ///     }
  public var archivedClass: ObjectClass? { (self as? ArchivedDecoder)?.frame.objectClass }
}
