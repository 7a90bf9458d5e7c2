/// A decoder of `Decodable` values from keyed archives, binary or XML.
///
///     struct Person: Codable {
///       var last: String
///       var first: String
///     }
///     let people = try KeyedArchiveDecoder().decode([Person].self, from: bytes)
///
/// The archived keys of an object are the raw values of the type's `CodingKeys`. An `NSArray`, `NSSet` or
/// `NSDictionary` becomes an array, a set or a dictionary; the keys of a dictionary may have any decodable
/// type. `Date`, `Data`, `URL`, `UUID` and `Decimal` are decoded from `NSDate`, `NSData`, `NSURL`, `NSUUID`
/// and `NSDecimalNumber`, and `[UInt8]` from data. A number can be decoded as any integer type that represents
/// it exactly, and as the nearest `Double` or `Float`.
///
/// The decoder reads only the parts of the file that the requested types need. Names in the file never cause
/// a type to be instantiated: only the caller and the `ClassMap` choose types.
///
/// An object with several references is decoded once for each reference if the type is a struct, and once if
/// it is a class, so that all references share the instance. An object that contains itself is an error,
/// because no initializer could finish.
public struct KeyedArchiveDecoder: Sendable {
  /// The class names and archived keys of types.
  public var classes: ClassMap
  /// The limits on the depth of a value, and on its size relative to the file. The default depth is 256
  /// levels, because types decode their contents recursively, and the stack of a thread may be small.
  public var budget = Budget.coding
  /// Values that the decoded types can read from `Decoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder. A type that is neither in `classes` nor an `ArchivedClass` is decoded from objects of
  /// any class.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Decodes a root object of an archive.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - name: The name of the root in `$top`.
  ///   - bytes: The archive, binary or XML.
  /// - Throws: A `DecodingError` with the coding path. Its `underlyingError` is a `FerryError` with the
  ///   source location, which is also part of the error's description.
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

  /// Decodes a root object of an opened archive.
  func decode<T: Decodable>(_ type: T.Type, named name: String, in objects: ArchiveObjects) throws -> T {
    let decoding = ArchiveDecoding(objects, self)
    let root: NodeID
    do throws(FerryError) {
      root = try decoding.root(named: name)
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try decoding.decode(type, at: ArchivedLocation(node: root))
  }

  /// Opens the property list of an archive, binary or XML.
  private static func nodes(_ bytes: [UInt8], budget: Budget) throws(FerryError) -> any PropertyListNodes {
    let detected = try DetectedInput(MemoryInput(bytes), named: nil, given: nil, budget: budget)
    guard let nodes = try detected.propertyList() else {
      throw FerryError(.archive(.malformed("this is \(detected.format.rawValue)")))
    }
    return nodes
  }
}

extension Budget {
  /// The default budget for encoders and decoders, whose types recurse.
  static var coding: Budget {
    var budget = Budget()
    budget.depth = 256
    return budget
  }
}

extension Decoder {
  /// The class of the archived object that is being decoded. Nil if the object has no class, or if this is
  /// not a decoder of keyed archives.
  ///
  ///     init(from decoder: any Decoder) throws {
  ///       switch decoder.archivedClass?.name {
  ///       case "Circle": self = .circle(try Circle(from: decoder))
  ///       default: self = .square(try Square(from: decoder))
  ///       }
  ///     }
  public var archivedClass: ObjectClass? { (self as? ArchivedDecoder)?.frame.objectClass }
}
