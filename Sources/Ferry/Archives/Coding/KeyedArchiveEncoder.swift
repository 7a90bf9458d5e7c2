/// An encoder of `Encodable` values as keyed archives, as `NSKeyedArchiver` writes them on a Mac.
///
///     let bytes = try KeyedArchiveEncoder().encode([Person(last: "Neuburg", first: "Matt")])
///
/// A value with keys becomes an object of a class, with its properties in the order in which they are
/// encoded. An app whose class has that name and decodes those keys opens the archive with
/// `NSKeyedUnarchiver`. The class name comes from the type (`ArchivedClass`), from the `ClassMap`, or else is
/// the type's own name, without its module.
///
///     Array, Set, Dictionary      NSArray, NSSet, NSDictionary
///     Date, URL, UUID, Decimal    NSDate, NSURL, NSUUID, NSDecimalNumber
///     Data, [UInt8]               NSData
///     String, numbers, Bool       stored inline in an object; NSString and NSNumber in a collection
///     nil                         nil in an object, if it is encoded at all; NSNull in a collection
///
/// Equal values give equal bytes: the entries of a dictionary and the elements of a set are sorted if their
/// type is comparable. An instance of a Swift class that is encoded several times becomes one object of the
/// archive, also in a cycle.
public struct KeyedArchiveEncoder: Sendable {
  /// The property list format in which an archive is stored.
  public enum OutputFormat: Sendable {
    case binary
    case xml
  }

  /// The archived classes and keys of types.
  public var classes: ClassMap
  /// The format of the output. Binary by default, as in apps' documents.
  public var outputFormat = OutputFormat.binary
  /// The limit on the depth of a value: 256 levels by default, as in `KeyedArchiveDecoder`.
  public var budget = Budget.coding
  /// Values that the encoded types can read from their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder with the archived classes and keys of types.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Encodes a value as the root of an archive.
  ///
  /// - Returns: The bytes of the archive.
  /// - Throws: An `EncodingError` with the coding path, and a `FerryError` as its `underlyingError`, if an
  ///   archive cannot represent the value.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoding = ArchiveEncoding(self)
    let encoded = try encoding.encode(value, at: nil, in: EncodingFrame())
    let output = MemoryOutput()
    do throws(FerryError) {
      if let problem = encoding.problem { throw problem }
      let writer =
        switch outputFormat {
        case .binary:
          ArchiveWriter(to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
        case .xml: ArchiveWriter(to: XMLPropertyListWriter(to: output), keyOrder: .sorted)
        }
      try encoded.send(to: writer)
      try writer.finish()
    } catch {
      throw error.encodingError(of: value, path: error.path.isEmpty ? [] : error.path.codingPath)
    }
    return output.bytes
  }
}
