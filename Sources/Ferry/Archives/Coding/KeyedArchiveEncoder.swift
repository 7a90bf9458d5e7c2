/// An encoder of `Encodable` values as keyed archives, in the layout of `NSKeyedArchiver` on macOS.
///
///     let bytes = try KeyedArchiveEncoder().encode([Person(last: "Neuburg", first: "Matt")])
///
/// A value with keys becomes an object of a class, with its properties in the order of encoding. An app opens
/// the archive with `NSKeyedUnarchiver` if it has a class of this name that decodes these keys. The class
/// name comes from the type (`ArchivedClass`) or from the `ClassMap`; otherwise it is the name of the type,
/// without its module.
///
///     Array, Set, Dictionary      NSArray, NSSet, NSDictionary
///     Date, URL, UUID, Decimal    NSDate, NSURL, NSUUID, NSDecimalNumber
///     Data, [UInt8]               NSData
///     String                      NSString
///     numbers, Bool               stored inline in an object, NSNumber in a collection
///     nil                         a null reference in an object, if encoded; NSNull in a collection
///
/// Equal values have equal bytes: the entries of a dictionary and the elements of a set are sorted if their
/// type is comparable. An instance of a Swift class that is encoded several times becomes a single object of
/// the archive, even in a cycle.
public struct KeyedArchiveEncoder: Sendable {
  /// The property list format of the archive.
  public enum OutputFormat: Sendable {
    /// A binary property list.
    case binary
    /// An XML property list.
    case xml
  }

  /// The class names and archived keys of types.
  public var classes: ClassMap
  /// The format of the output; binary by default.
  public var outputFormat = OutputFormat.binary
  /// The limit on the depth of a value, by default 256 levels as in `KeyedArchiveDecoder`.
  public var budget = Budget.coding
  /// Values that the encoded types can read from `Encoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder.
  public init(classes: ClassMap = ClassMap()) { self.classes = classes }

  /// Encodes a value as the root object of an archive.
  ///
  /// - Returns: The bytes of the archive.
  /// - Throws: An `EncodingError` with the coding path if an archive cannot represent the value. Its
  ///   `underlyingError` is a `FerryError`.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoding = ArchiveEncoding(self)
    let encoded = try encoding.encode(value, at: nil, in: EncodingFrame())
    // The value may be nested without a limit, and so is not part of the error.
    if let problem = encoding.problem {
      throw problem.encodingError(of: type(of: value), path: problem.path.codingPath)
    }
    let output = MemoryOutput()
    do throws(FerryError) {
      try write(encoded, to: output)
    } catch {
      throw error.encodingError(of: encoded.part(at: error.path), path: error.path.codingPath)
    }
    return output.bytes
  }

  /// Writes an encoded value as the root object of an archive.
  func write(_ encoded: EncodedValue, to output: any ByteOutput) throws(FerryError) {
    let writer =
      switch outputFormat {
      case .binary:
        ArchiveWriter(to: BinaryPropertyListWriter(to: output, sharing: .archiver), keyOrder: .buckets)
      case .xml: ArchiveWriter(to: XMLPropertyListWriter(to: output), keyOrder: .sorted)
      }
    try encoded.send(to: writer)
    try writer.finish()
  }
}
