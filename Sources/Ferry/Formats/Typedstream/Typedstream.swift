/// A typedstream: the format of `NSArchiver`, and of NeXTSTEP before it.
///
///     let stream = try Typedstream(bytes)
///     try stream.replay(into: writer)
///
/// A file consists of a header and groups of values. A group begins with the types of its values, in the
/// notation of the Objective-C runtime, and is followed by the values. Values have no names, only an order.
/// The bytes for the `NSString` "Ada" are:
///
///     offset 0   04                         the version of the format
///            1   0B 73 74 72 65 61 6D 74    the length of the signature, and the signature: streamtyped
///                79 70 65 64                for little-endian numbers, typedstream for big-endian
///           13   81 E8 03                   the system version, 1000; 81 marks a number of two bytes
///           16   84 01 40                   a group with one object: a new string (84) of 1 byte, "@"
///           19   84                         a new object
///           20   84 84 08 4E 53 …  01       its class, which is new: a new string, and the version 1
///           32   84 84 08 4E 53 …  00       its superclass NSObject, with the version 0
///           44   85                         nil: NSObject has no superclass
///           45   84 01 2B                   a group with one string of bytes, "+"
///           48   03 41 64 61                3 bytes, "Ada"
///           52   86                         the end of the object's groups
///
/// A number that fits in one byte, and whose byte is not a mark (80 … 91), is that byte. Other numbers follow
/// a mark: 81 for two bytes, 82 for four, 87 for eight. A real with an integral value is stored as an
/// integer, and any other real follows the mark 83.
///
/// Each string of types and names is numbered when it first occurs. Objects, classes and C strings are
/// numbered in a separate sequence, an object before its class. A repeated item is stored as its number plus
/// 92, as a signed byte: the second `@` of a file is 92.
///
/// Opening a file reads all of it, because the end of a value is only known after reading the value. The
/// result is a list of all values with their byte ranges. Bytes are borrowed, and shared objects are not
/// copied.
public final class Typedstream {
  /// The byte order of numbers.
  public enum ByteOrder: Hashable, Sendable {
    /// The byte order of Intel and Apple processors, with the signature `streamtyped`.
    case littleEndian
    /// The byte order of PowerPC and the NeXT computer, with the signature `typedstream`.
    case bigEndian
  }

  let byteOrder: ByteOrder
  let version: Int
  let systemVersion: Int64
  let shapes: TypedstreamShapes
  let structures: [TypedstreamStructure]
  let budget: Budget
  let valueCount: Int
  /// The shared strings.
  let strings: [TypedstreamString]
  let depth: Int

  /// The version of the format.
  static let supportedVersion: UInt8 = 4

  /// Returns true if bytes begin with the signature of a typedstream, even if its version is not supported.
  static func begins(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= headerSize, (1...8).contains(bytes[0]) else { return false }
    return bytes[1] == headerSize - 2 && ByteOrder(signature: bytes.extracting(2..<headerSize)) != nil
  }

  /// Returns true if bytes begin with the signature of a typedstream whose version is supported.
  static func beginsSupported(_ bytes: Span<UInt8>) -> Bool {
    begins(bytes) && bytes[0] == supportedVersion
  }

  /// The number of bytes of the version and the signature, with the length of the signature.
  private static let headerSize = 13

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - budget: The limits on the depth, on the length of a string, and on the memory for the list of values
  ///     relative to the size of the file.
  /// - Throws: A `FerryError` with a `TypedstreamProblem` and the offset of the first invalid byte.
  public init(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    guard Self.begins(bytes.span) else {
      throw FerryError(.typedstream(.notTypedstream), at: InputLocation(byte: 0))
    }
    version = Int(bytes[0])
    guard bytes[0] == Self.supportedVersion else {
      throw FerryError(.typedstream(.version(version)), at: InputLocation(byte: 0))
    }
    byteOrder = bytes[2] == UInt8(ascii: "s") ? .littleEndian : .bigEndian
    var header = TypedstreamCursor(
      bytes, at: Self.headerSize, isBigEndian: byteOrder == .bigEndian, budget: budget)
    systemVersion = try header.integer("the version of the system")
    var parser = TypedstreamParser(bytes, at: header.offset, isBigEndian: header.isBigEndian, budget: budget)
    try parser.parse()
    shapes = TypedstreamShapes(
      bytes: bytes, entries: parser.entries, objects: parser.objects, classes: parser.classes)
    structures = parser.structures
    valueCount = parser.valueCount
    strings = parser.strings
    depth = parser.deepest
    self.budget = budget
  }

  /// Returns the types of the values of a group.
  func types(of group: TypedstreamStringNumber) -> ArraySlice<UInt8> { shapes.bytes[strings[group].range] }

  /// Sends the value to a sink, or an array if the file contains several values. Does not call `finish`.
  ///
  /// An object with more than one reference gets an identity, and every later occurrence is sent as
  /// `reference`.
  ///
  /// - Throws: A `FerryError` with the limit `amplification` as its reason if shared objects expand beyond the budget, or an error of
  ///   the sink.
  public func replay(into sink: any ValueSink) throws(FerryError) {
    try replay(into: sink, sharing: .identities)
  }

  /// Sends the values to a sink, with the treatment of objects that the sink needs.
  func replay(into sink: any ValueSink, sharing: ObjectSharing) throws(FerryError) {
    let reader = TypedstreamReader(
      self, into: sink, sharing: sharing, representation: .plain, keys: .words, losses: LossReport())
    try reader.read()
  }
}
