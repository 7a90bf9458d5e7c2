/// A problem of a property list, binary or XML.
public enum PropertyListProblem: Hashable, Sendable {
  /// The objects of a binary file overlap, so that their content is far larger than the file.
  case overlapping
  // Problems of binary property lists.
  /// The file ends inside this item.
  case truncated(expecting: String)
  /// The first bytes are not `bplist0`.
  case notBinary
  /// A version of the binary format that is not `0`.
  case version(String)
  /// A binary file whose last bytes are not a trailer.
  case cutOff
  /// An invalid header field of the trailer.
  case badTrailer(String)
  /// The offset of an object is outside the object table.
  case badOffset(UInt64)
  /// An invalid marker byte.
  case badMarker(UInt8)
  /// A kind of object that only version `1` of the binary format has.
  case laterVersion(String)
  /// A byte above 0x7f in a string that is marked as ASCII.
  case notASCII(UInt8)
  /// A reference to an object that the file does not have.
  case badReference(UInt64, objects: Int)
  /// A collection that contains itself.
  case containsItself
  /// A key of a dictionary that is not a string.
  case keyIsNotString(found: String)
  /// A node of another kind than expected.
  case wrongKind(expected: String, found: String)
  // Problems of XML property lists.
  /// An element that is not allowed in a property list.
  case unexpectedElement(String, inside: String)
  /// Text between elements.
  case unexpectedText(inside: String)
  /// A value without a key, or a key without a value.
  case missingKey
  /// A key without a value.
  case missingValue(key: String)
  /// An element's text that is not of its type.
  case badValue(String, type: String)
  /// An entity that the document itself declares.
  case entityDeclaration(String)
  /// The root element is not `plist`, or has no value, or more than one.
  case badRoot(String)
}

extension PropertyListProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .truncated(let what): "the file ends inside \(what)"
    case .notBinary: "this is not a binary property list: it does not begin with bplist0"
    case .overlapping: "its objects overlap"
    case .version(let version): "binary property list version \(quotedForMessage(version)) is not supported"
    case .cutOff: "the file is cut off: its last 32 bytes are not the trailer of a binary property list"
    case .badTrailer(let what): "the trailer is wrong: \(what)"
    case .badOffset(let offset): "the offset \(offset) lies outside the object table"
    case .badMarker(let marker): "0x\(String(marker, radix: 16)) is not the marker of an object"
    case .laterVersion(let kind): "\(kind) is not allowed in version 0 of the binary format"
    case .notASCII(let byte):
      "the byte 0x\(String(byte, radix: 16)) is not allowed in a string that is marked as ASCII"
    case .badReference(let number, let objects):
      "a reference to object \(number), but the file has \(objects) objects"
    case .containsItself: "the collection contains itself, which a property list cannot"
    case .keyIsNotString(let found): "a dictionary's key is \(found), not a string"
    case .wrongKind(let expected, let found): "expected \(expected), found \(found)"
    case .unexpectedElement(let name, let parent): "<\(name)> is not allowed inside \(parent)"
    case .unexpectedText(let parent): "text is not allowed inside \(parent)"
    case .missingKey: "a value of the dictionary has no <key>"
    case .missingValue(let key): "the key \(quotedForMessage(key)) has no value"
    case .badValue(let text, let type): "\(quotedForMessage(text)) is not \(type)"
    case .entityDeclaration(let name):
      "the document declares the entity \(quotedForMessage(name)), which a property list cannot"
    case .badRoot(let what): what
    }
  }
}

extension PropertyListProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .overlapping: "overlapping"
    case .truncated: "truncated"
    case .notBinary: "not-binary"
    case .version: "version"
    case .cutOff: "cut-off"
    case .badTrailer: "bad-trailer"
    case .badOffset: "bad-offset"
    case .badMarker: "bad-marker"
    case .laterVersion: "later-version"
    case .notASCII: "not-ascii"
    case .badReference: "bad-reference"
    case .containsItself: "contains-itself"
    case .keyIsNotString: "key-is-not-string"
    case .wrongKind: "wrong-kind"
    case .unexpectedElement: "unexpected-element"
    case .unexpectedText: "unexpected-text"
    case .missingKey: "missing-key"
    case .missingValue: "missing-value"
    case .badValue: "bad-value"
    case .entityDeclaration: "entity-declaration"
    case .badRoot: "bad-root"
    }
  }
}
