/// Decodes values of `Decodable` types from keyed archives, binary or XML.
///
///     struct Person: Codable {
///       var last: String
///       var first: String
///     }
///     let people = try KeyedArchiveDecoder().decode([Person].self, from: bytes)
///
/// An object is decoded by its archived keys: the raw values of a type's `CodingKeys`. Arrays, sets and dictionaries of
/// Foundation's classes become Swift's; a dictionary's keys may be of any decodable type. `Date`, `Data`, `URL`, `UUID` and
/// `Decimal` come from `NSDate`, `NSData`, `NSURL`, `NSUUID` and `NSDecimalNumber`; `[UInt8]` from data too. Numbers are
/// decoded by every type that holds them exactly (a `Float` from any real that is near enough to be one).
///
/// The decoder reads only what leads to the values that are asked for. Nothing is instantiated by a name in the file: which
/// type is decoded is said by whoever calls, and by the `ClassMap`.
///
/// An object that several others refer to is decoded for each of them, as a value; of a type that is a class there is one
/// instance, which all of them share. An object that leads back to itself is refused: no initializer could finish.
public struct KeyedArchiveDecoder: Sendable {
  /// Which classes, and which keys, belong to which types.
  public var classes: ClassMap
  /// How deep, and how far beyond the file's own size, a value may become: 256 levels unless said otherwise, because types
  /// decode what is inside them while they are decoded, and the stack of a thread may be small.
  public var budget = Budget.coding
  /// What types that are decoded may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder; without a map types are decoded from objects of any class, unless they are an `ArchivedClass`.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Decodes a root of an archive, the one called `root` unless said otherwise.
  ///
  /// Throws a `DecodingError` with the coding path; beneath it (`underlyingError`) is a `Failure` with the place in the
  /// file, which is in the error's description as well.
  public func decode<T: Decodable>(
    _ type: T.Type, named name: String = "root", from bytes: some Sequence<UInt8>
  ) throws -> T {
    let objects: ArchiveObjects
    do throws(Failure) {
      objects = try ArchiveObjects(Self.nodes(Array(bytes), budget: budget))
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try decode(type, named: name, in: objects)
  }

  /// Decodes a root of an archive that has been opened.
  func decode<T: Decodable>(_ type: T.Type, named name: String, in objects: ArchiveObjects) throws -> T {
    let decoding = ArchiveDecoding(objects, self)
    let root: Int
    do throws(Failure) {
      root = try decoding.root(named: name)
    } catch {
      throw error.decodingError(of: type, path: [])
    }
    return try decoding.decode(type, at: ArchivedPlace(node: root))
  }

  /// The property list of an archive, binary or XML.
  private static func nodes(_ bytes: [UInt8], budget: Budget) throws(Failure) -> any PropertyListNodes {
    let head = Array(bytes.prefix(FormatDetector.headSize))
    switch try FormatDetector(head: head, name: nil).detect() {
    case .binaryPropertyList, .archive: return try BinaryPropertyList(bytes, budget: budget)
    case .xmlPropertyList, .xmlArchive:
      let tree = PropertyListTree()
      let reader = XMLPropertyListReader(into: tree, budget: budget)
      try reader.readAll(bytes.span)
      try tree.finish()
      return tree
    case let other: throw Failure(.archive(.malformed("this is \(other.rawValue)")))
    }
  }
}

extension Budget {
  /// What types that encode and decode themselves may cost.
  static var coding: Budget {
    var budget = Budget()
    budget.depth = 256
    return budget
  }
}

extension Decoder {
  /// The class of the archived object that is being decoded; nil when it has none, or when this is no archive.
  ///
  ///     init(from decoder: any Decoder) throws {
  ///       switch decoder.archivedClass?.name {
  ///       case "Circle": self = .circle(try Circle(from: decoder))
  ///       default: self = .square(try Square(from: decoder))
  ///       }
  ///     }
  public var archivedClass: ObjectClass? { (self as? ArchivedDecoder)?.frame.objectClass }
}
