/// Encodes values of `Encodable` types as keyed archives, as `NSKeyedArchiver` on a Mac would.
///
///     let bytes = try KeyedArchiveEncoder().encode([Person(last: "Neuburg", first: "Matt")])
///
/// A value with keys becomes an object of a class, its properties in the order in which they are encoded: an app whose
/// class has that name and decodes those keys opens the archive with `NSKeyedUnarchiver`. The class is named by the type
/// (`ArchivedClass`), by the `ClassMap`, or else as the type, without its module.
///
///     Array, Set, Dictionary      NSArray, NSSet, NSDictionary
///     Date, URL, UUID, Decimal    NSDate, NSURL, NSUUID, NSDecimalNumber
///     Data, [UInt8]               NSData
///     String, numbers, Bool       themselves: in place inside an object, NSString and NSNumber in a collection
///     nil                         nil in an object, where it is encoded at all; NSNull in a collection
///
/// Equal values give equal bytes: the entries of a dictionary, and the elements of a set, are encoded in order where their
/// type has one. An instance of a Swift class that is encoded several times is one object of the archive, in a cycle too.
public struct KeyedArchiveEncoder: Sendable {
  /// The property list that an archive is stored as.
  public enum OutputFormat: Sendable {
    case binary
    case xml
  }

  /// Which classes, and which keys, belong to which types.
  public var classes: ClassMap
  /// Binary unless said otherwise, as apps write their documents.
  public var outputFormat = OutputFormat.binary
  /// How deep a value may be: 256 levels unless said otherwise, as in `KeyedArchiveDecoder`.
  public var budget = Budget.coding
  /// What types that are encoded may ask for.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Encodes a value as the root of an archive.
  ///
  /// Throws an `EncodingError` with the coding path, and a `Failure` beneath it, when a value has no place in an archive.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoding = ArchiveEncoding(self)
    let encoded = try encoding.encode(value, at: nil, in: EncodingFrame())
    let output = MemoryOutput()
    do throws(Failure) {
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
