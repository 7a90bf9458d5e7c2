/// A typedstream: what `NSArchiver`, and NeXTSTEP before it, writes. Ferry reads it and does not write it.
///
///     let stream = try Typedstream(bytes)
///     try stream.replay(into: writer)
///
/// A file is a header and groups of values. A group says the types of its values, as the Objective-C runtime spells them,
/// and then has the values; nothing has a name, only an order. The `NSString` “Ada” is
///
///     offset 0   04                         the version of the format
///            1   0B 73 74 72 65 61 6D 74    the length of the signature and the signature itself: streamtyped when numbers
///                79 70 65 64                are little-endian, typedstream when they are big-endian
///           13   81 E8 03                   the version of the system, 1000: 81 marks two bytes of a number
///           16   84 01 40                   a group of one object: a new string (84) of 1 byte, “@”
///           19   84                         a new object
///           20   84 84 08 4E 53 …  01       its class, new: the name, a new string, and its version, 1
///           32   84 84 08 4E 53 …  00       the class above that one, NSObject, of version 0
///           44   85                         nil: there is none above that one
///           45   84 01 2B                   a group of one string of bytes, “+”
///           48   03 41 64 61                3 bytes, “Ada”
///           52   86                         the object has no more groups
///
/// A number that one byte can hold is that byte; one that it cannot hold, or whose byte is a mark (80 … 91), comes behind
/// 81, 82 or 87 in two, four or eight bytes. A real that is an integer is written as one, and else behind 83.
///
/// A string that stands in the file (types, names) has a number from then on, in order; so has an object, a class or a C
/// string, in a series of their own, an object before its class. Where it is needed again its number stands instead, plus
/// 92 as a signed byte: the second `@` of a file is 92.
///
/// Opening a file reads it to its end: where a value ends is only known when it has been read. What is kept is a list of
/// all values, with their bytes where they lie. Bytes are borrowed, shared objects never copied.
public final class Typedstream {
  /// How the bytes of a number are ordered.
  public enum ByteOrder: Hashable, Sendable {
    /// As on Intel and Apple processors; the signature is `streamtyped`.
    case littleEndian
    /// As on PowerPC and the NeXT computer; the signature is `typedstream`.
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

  /// Whether bytes begin as a typedstream does, of a version that is read or not.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    guard let version = bytes.first, (1...8).contains(version) else { return false }
    return bytes.dropFirst().starts(with: "\u{b}streamtyped".utf8)
      || bytes.dropFirst().starts(with: "\u{b}typedstream".utf8)
  }

  /// Reads a file. The budget says how deep it may be, how long a string, and how much larger than the file what is kept
  /// of it may become.
  ///
  /// Throws a `Failure` of `TypedstreamProblem` with the byte where the file is not as it should be.
  public init(_ bytes: [UInt8], budget: Budget = Budget()) throws(Failure) {
    guard Self.begins(bytes) else { throw Failure(.typedstream(.notTypedstream), at: Position(byte: 0)) }
    version = Int(bytes[0])
    guard version == 4 else { throw Failure(.typedstream(.version(version)), at: Position(byte: 0)) }
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

  /// Sends the value, or an array when the file has several. Does not finish the sink.
  ///
  /// Objects that are met again have an identity, and are references from their second meeting on.
  public func replay(into sink: any ValueSink) throws(Failure) {
    let reader = TypedstreamReader(
      self, into: sink, sharing: .identities, form: .plain, keys: .words, losses: LossReport())
    try reader.read()
  }
}
