/// A problem in decoding an archived object as a value of a Swift type, or in encoding one.
public enum CodingProblem: Hashable, Sendable {
  /// A value of another kind than the type expects.
  case expected(String, found: String)
  /// A missing value that the type expects.
  case nothing(expected: String)
  /// An object of another class than the type's.
  case wrongClass(String, expected: [String])
  /// An object of a class without a known type.
  case unknownClass(String, known: [String])
  /// A key that the object does not have.
  case missingKey(String, in: String, keys: [String])
  /// An element after the last one.
  case missingElement(count: Int)
  /// A number that the type cannot represent exactly.
  case doesNotFit(String, type: String)
  /// A text or data that is invalid for the type.
  case unreadable(String, type: String)
  /// An object that contains itself, which a value cannot.
  case containsItself
  /// A root name that the archive does not have.
  case noRoot(String, names: [String])
  /// A value whose encoding an archive cannot represent.
  case notEncodable(String)
}

extension CodingProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .expected(let wanted, let found): "expected \(wanted), found \(found)"
    case .nothing(let wanted): "expected \(wanted), found nothing"
    case .wrongClass(let name, let expected):
      "the object is of class \(Self.listed([name])), not \(Self.listed(expected))"
    case .unknownClass(let name, let known):
      known.isEmpty
        ? "no type is known for the class \(Self.listed([name])) (ClassMap names them)"
        : "no type is known for the class \(Self.listed([name])); known are \(Self.listed(known))"
    case .missingKey(let key, let object, let keys):
      keys.isEmpty
        ? "\(object) has no key \(quotedForMessage(key)), and no other"
        : "\(object) has no key \(quotedForMessage(key)); its keys are \(Self.listed(keys))"
    case .missingElement(let count):
      "the list has ended: it has \(count) element\(count == 1 ? "" : "s")"
    case .doesNotFit(let number, let type): "\(type) cannot hold \(number) exactly"
    case .unreadable(let content, let type): "\(content) is not a valid \(type)"
    case .containsItself: "the object leads back to itself, which no value of a type can"
    case .noRoot(let name, let names):
      names.isEmpty
        ? "the archive has no root \(quotedForMessage(name)), and no other"
        : "the archive has no root \(quotedForMessage(name)); it has \(Self.listed(names))"
    case .notEncodable(let why): why
    }
  }

  /// Returns the first few names from a file, quoted if necessary.
  private static func listed(_ names: [String]) -> String {
    names.prefix(8).map(nameForMessage).joined(separator: ", ") + (names.count > 8 ? " …" : "")
  }
}

extension CodingProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .expected: "expected"
    case .nothing: "nothing"
    case .wrongClass: "wrong-class"
    case .unknownClass: "unknown-class"
    case .missingKey: "missing-key"
    case .missingElement: "missing-element"
    case .doesNotFit: "does-not-fit"
    case .unreadable: "unreadable"
    case .containsItself: "contains-itself"
    case .noRoot: "no-root"
    case .notEncodable: "not-encodable"
    }
  }
}
