/// A problem of a property list, binary or XML.
public enum PropertyListProblem: Hashable, Sendable {
  /// Objects in a binary file overlap, so that their total content is far larger than the file.
  case overlapping
  // Problems of binary property lists.
  /// The file ends inside this item.
  case truncated(expecting: String)
  /// The first bytes are not `bplist0`.
  case notBinary
  /// A version of the binary format that is not `0`.
  case version(String)
  /// The file does not end with a trailer.
  case cutOff
  /// A field of the trailer is invalid.
  case badTrailer(String)
  /// The offset of an object is not in the object section of the file.
  case badOffset(UInt64)
  /// An invalid marker byte.
  case badMarker(UInt8)
  /// A kind of object that exists only in version `1` of the binary format.
  case laterVersion(String)
  /// A byte above 0x7f in a string that is marked as ASCII.
  case notASCII(UInt8)
  /// A reference to an object that does not exist in the file.
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
  /// A value without a key.
  case missingKey
  /// A key without a value.
  case missingValue(key: String)
  /// The text of an element is invalid for the type of the element.
  case badValue(String, type: String)
  /// The document declares an entity.
  case entityDeclaration(String)
  /// The root element is not `plist`, or does not have exactly one value.
  case badRoot(String)
  // Problems of OpenStep property lists.
  /// The grammar expects something else.
  case expected(String, found: String)
  /// The text ends inside a value or a comment.
  case unexpectedEnd(expected: String)
  /// A value that only property lists of GNUstep have, which the format `gnustepPropertyList` reads.
  case gnustepValue
}

extension PropertyListProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .truncated(let what): "the file ends inside \(what)"
    case .notBinary: "this is not a binary property list: it does not begin with bplist0"
    case .overlapping: "its objects overlap"
    case .version(let version): "binary property list version \(MessageText.quoted(version)) is not supported"
    case .cutOff: "the file is cut off: it does not end with the trailer of a binary property list"
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
    case .missingValue(let key): "the key \(MessageText.quoted(key)) has no value"
    case .badValue(let text, let type): "\(MessageText.quoted(text)) is not \(type)"
    case .entityDeclaration(let name):
      "the document declares the entity \(MessageText.quoted(name)), which a property list cannot"
    case .badRoot(let what): what
    case .expected(let wanted, let found): "expected \(wanted), found \(found)"
    case .unexpectedEnd(let wanted): "the text ends where \(wanted) is expected"
    case .gnustepValue: "only property lists of GNUstep have such values"
    }
  }
}

extension PropertyListProblem {
  /// The stable identifier of the problem for programs. It never changes.
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
    case .expected: "expected"
    case .unexpectedEnd: "unexpected-end"
    case .gnustepValue: "gnustep-value"
    }
  }
}
