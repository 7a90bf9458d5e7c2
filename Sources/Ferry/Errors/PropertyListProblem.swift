/// What can be wrong with a property list, binary or XML.
public enum PropertyListProblem: Hashable, Sendable {
  /// The objects of a binary file overlap, so that what they hold is far more than the file.
  case overlapping
  // Binary.
  /// The file ends inside this.
  case truncated(expecting: String)
  /// The first bytes are not `bplist0`.
  case notBinary
  /// A version of the binary format that is not `0`.
  case version(String)
  /// A header field of the trailer that cannot be.
  case badTrailer(String)
  /// An object's offset lies outside the object table.
  case badOffset(UInt64)
  /// A marker byte that means nothing.
  case badMarker(UInt8)
  /// A kind of object that only version `1` of the binary format has.
  case laterVersion(String)
  /// A byte above 0x7f in a string that is marked as ASCII.
  case notASCII(UInt8)
  /// A reference to an object that the file does not have.
  case badReference(UInt64, objects: Int)
  /// A container that contains itself.
  case containsItself
  /// A dictionary's key that is not a string.
  case keyIsNotString(found: String)
  /// A node of another kind than was asked for.
  case wrongKind(expected: String, found: String)
  // XML.
  /// An element that has no place in a property list.
  case unexpectedElement(String, inside: String)
  /// Text where only elements may stand.
  case unexpectedText(inside: String)
  /// A value without a key, or a key without a value.
  case missingKey
  /// A key that no value follows.
  case missingValue(key: String)
  /// An element's text that is not of its type.
  case badValue(String, type: String)
  /// An entity that the document declares itself.
  case entityDeclaration(String)
  /// The root element is not `plist`, or holds no value, or more than one.
  case badRoot(String)
}

extension PropertyListProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .truncated(let what): "the file ends inside \(what)"
    case .notBinary: "this is not a binary property list: it does not begin with bplist0"
    case .overlapping: "its objects overlap"
    case .version(let version): "binary property list version \(quotedForMessage(version)) is not known"
    case .badTrailer(let what): "the trailer is wrong: \(what)"
    case .badOffset(let offset): "the offset \(offset) lies outside the object table"
    case .badMarker(let marker): "0x\(String(marker, radix: 16)) marks no kind of object"
    case .laterVersion(let kind): "\(kind) has no place in version 0 of the binary format"
    case .notASCII(let byte):
      "the byte 0x\(String(byte, radix: 16)) has no place in a string that is marked as ASCII"
    case .badReference(let number, let objects):
      "a reference to object \(number), but the file has \(objects) objects"
    case .containsItself: "the collection contains itself, which a property list cannot"
    case .keyIsNotString(let found): "a dictionary's key is \(found), not a string"
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .unexpectedElement(let name, let parent): "<\(name)> has no place inside \(parent)"
    case .unexpectedText(let parent): "text has no place inside \(parent)"
    case .missingKey: "a value of the dictionary has no <key>"
    case .missingValue(let key): "the key \(quotedForMessage(key)) has no value"
    case .badValue(let text, let type): "\(quotedForMessage(text)) is not \(type)"
    case .entityDeclaration(let name):
      "the document declares the entity \(quotedForMessage(name)), which a property list cannot"
    case .badRoot(let what): what
    }
  }
}
