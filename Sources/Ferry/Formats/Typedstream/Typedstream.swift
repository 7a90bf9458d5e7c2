/// A typedstream: the format that `NSArchiver`, and NeXTSTEP before it, writes. Ferry reads it and does not
/// write it.
///
///     let stream = try Typedstream(bytes)
///     try stream.replay(into: writer)
///
/// A file is a header followed by groups of values. A group lists the types of its values, in the notation of
/// the Objective-C runtime, followed by the values. Nothing has a name, only an order. The `NSString` "Ada"
/// is
///
///     offset 0   04                         the version of the format
///            1   0B 73 74 72 65 61 6D 74    the length of the signature, and the signature: streamtyped
///                79 70 65 64                if numbers are little-endian, typedstream if big-endian
///           13   81 E8 03                   the version of the system, 1000: 81 marks two bytes of a number
///           16   84 01 40                   a group of one object: a new string (84) of 1 byte, "@"
///           19   84                         a new object
///           20   84 84 08 4E 53 …  01       its class, new: the name, a new string, and its version, 1
///           32   84 84 08 4E 53 …  00       its superclass, NSObject, of version 0
///           44   85                         nil: NSObject has no superclass
///           45   84 01 2B                   a group of one string of bytes, "+"
///           48   03 41 64 61                3 bytes, "Ada"
///           52   86                         the object has no more groups
///
/// A number that fits in one byte is that byte. A larger number, or one whose byte is a mark (80 … 91),
/// follows 81, 82 or 87 in two, four or eight bytes. A real that is an integer is written as an integer; any
/// other real follows 83.
///
/// Every string in the file (types, names) gets the next number in order. Objects, classes and C strings are
/// numbered in a series of their own, an object before its class. A repeated item is written as its number
/// plus 92, as a signed byte: the second `@` of a file is 92.
///
/// Opening a file reads it to its end, because the end of a value is known only after reading it. The result
/// is a list of all values with their byte ranges. Bytes are borrowed; shared objects are never copied.
public final class Typedstream {
  /// The order of the bytes of a number.
  public enum ByteOrder: Hashable, Sendable {
    /// The byte order of Intel and Apple processors; the signature is `streamtyped`.
    case littleEndian
    /// The byte order of PowerPC and the NeXT computer; the signature is `typedstream`.
    case bigEndian
  }

  let byteOrder: ByteOrder
  let version: Int
  let systemVersion: Int64
  let shapes: TypedstreamShapes
  let structureNames: [String]
  let budget: Budget
  let valueCount: Int
  let stringCount: Int
  let depth: Int

  /// Returns true if bytes begin with the signature of a typedstream, of a supported version or not.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    guard let version = bytes.first, (1...8).contains(version) else { return false }
    return bytes.dropFirst().starts(with: "\u{b}streamtyped".utf8)
      || bytes.dropFirst().starts(with: "\u{b}typedstream".utf8)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - budget: The limits on the depth, on the length of a string, and on the memory of the list of values
  ///     relative to the size of the file.
  /// - Throws: A `FerryError` of `TypedstreamProblem` with the offset of the first invalid byte.
  public init(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) {
    guard Self.begins(bytes) else { throw FerryError(.typedstream(.notTypedstream), at: Position(byte: 0)) }
    version = Int(bytes[0])
    guard version == 4 else { throw FerryError(.typedstream(.version(version)), at: Position(byte: 0)) }
    byteOrder = bytes[2] == UInt8(ascii: "s") ? .littleEndian : .bigEndian
    var header = TypedstreamCursor(bytes, at: 13, isBigEndian: byteOrder == .bigEndian, budget: budget)
    systemVersion = try header.integer("the version of the system")
    var parser = TypedstreamParser(bytes, at: header.offset, isBigEndian: header.isBigEndian, budget: budget)
    try parser.parse()
    shapes = TypedstreamShapes(
      bytes: bytes, entries: parser.entries, objects: parser.objects, classes: parser.classes)
    structureNames = parser.structureNames
    valueCount = parser.valueCount
    stringCount = parser.strings.count
    depth = parser.deepest
    self.budget = budget
  }

  /// Sends the value, or an array if the file has several values. Does not finish the sink.
  ///
  /// An object with more than one reference gets an identity; every later occurrence is sent as `reference`.
  ///
  /// - Throws: `Budget.Limit.amplification` if shared objects expand beyond the budget, or an error of the
  ///   sink.
  public func replay(into sink: any ValueSink) throws(FerryError) {
    let reader = TypedstreamReader(
      self, into: sink, sharing: .identities, representation: .plain, keys: .words, losses: LossReport())
    try reader.read()
  }
}
