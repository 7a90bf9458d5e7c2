/// A problem in a typedstream.
public enum TypedstreamProblem: Hashable, Sendable {
  /// The file ends inside this item.
  case truncated(expecting: String)
  /// The first bytes are not those of a typedstream.
  case notTypedstream
  /// A version of the format that is not 4.
  case version(Int)
  /// A byte that is not allowed here.
  case badHead(UInt8, expecting: String)
  /// A reference to an item that has not occurred yet, or has another kind.
  case badReference(Int, to: String, known: Int)
  /// An invalid type encoding.
  case badType(String, why: String)
  /// A C type that typedstreams cannot represent.
  case unsupportedType(String, kind: String)
  /// A required value is nil.
  case isNil(String)
  /// A name or a type that is not valid UTF-8.
  case notText(String)
  /// A boolean other than 0 and 1.
  case badBoolean(UInt8)
  /// A class that is its own superclass.
  case circularClass(String)
  /// A value that a C type cannot hold.
  case wrongType(String)
  /// A number that is out of the range of its C type.
  case outOfRange(String, type: String)
  /// An object whose class alone knows how it is archived.
  case noEncoding(String)
}

extension TypedstreamProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .truncated(let what): "the file ends where \(what) was expected"
    case .notTypedstream: "this is not a typedstream: it begins with neither typedstream nor streamtyped"
    case .version(let version):
      "typedstream version \(version) is not supported (version 4 is what NSArchiver writes; 3 is early NeXTSTEP)"
    case .badHead(let byte, let what): "expected \(what), found the byte 0x\(String(byte, radix: 16))"
    case .badReference(let number, let kind, let known):
      "a reference to \(kind) \(number), which is not one of the \(known) before it"
    case .badType(let text, let why): "the type \(MessageText.quoted(text)) is not well formed: \(why)"
    case .unsupportedType(let text, let kind):
      "the type \(MessageText.quoted(text)) holds \(kind), which typedstreams do not support"
    case .isNil(let what): "\(what) is nil"
    case .notText(let what): "\(what) is not UTF-8 text"
    case .badBoolean(let byte): "expected a boolean, 0 or 1, found \(byte)"
    case .circularClass(let name): "the class \(MessageText.quoted(name)) inherits from itself"
    case .wrongType(let code):
      "the value has the C type \(MessageText.quoted(code)), which cannot hold the new value"
    case .outOfRange(let number, let code):
      "\(number) is out of the range of the C type \(MessageText.quoted(code))"
    case .noEncoding(let name):
      "Ferry does not know how an object of the class \(MessageText.quoted(name)) is archived (set one of its values)"
    }
  }
}

extension TypedstreamProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .truncated: "truncated"
    case .notTypedstream: "not-typedstream"
    case .version: "version"
    case .badHead: "bad-head"
    case .badReference: "bad-reference"
    case .badType: "bad-type"
    case .unsupportedType: "unsupported-type"
    case .isNil: "is-nil"
    case .notText: "not-text"
    case .badBoolean: "bad-boolean"
    case .circularClass: "circular-class"
    case .wrongType: "wrong-type"
    case .outOfRange: "out-of-range"
    case .noEncoding: "no-encoding"
    }
  }
}
