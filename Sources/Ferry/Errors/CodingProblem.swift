/// A problem in decoding an archived object as a Swift type, or in encoding a value.
public enum CodingProblem: Hashable, Sendable {
  /// A value has another kind than the type expects.
  case expected(String, found: String)
  /// A value that the type expects is missing.
  case nothing(expected: String)
  /// An object is of another class than the type's.
  case wrongClass(String, expected: [String])
  /// An object is of a class without a known type, with the known classes.
  case unknownClass(String, known: [String])
  /// The object does not have a key, with the keys that it has.
  case missingKey(String, in: String, keys: [String])
  /// An element after the last one was requested.
  case missingElement(count: Int)
  /// The type cannot represent a number exactly.
  case doesNotFit(String, type: String)
  /// A text or data is invalid for the type.
  case unreadable(String, type: String)
  /// An object contains itself, which a value cannot.
  case containsItself
  /// The archive has no root with the requested name, with the names that it has.
  case noRoot(String, names: [String])
  /// An archive cannot represent the encoding of a value.
  case notEncodable(String)
  /// The order of elements of several names was not read, because `reading.xml.order` is `never`.
  case unknownOrder
  /// The namespace of a name was not read, because its prefix is declared outside of the decoded value, or because
  /// `reading.xml.namespaces` is `stripped`.
  case unknownNamespace(String)
  /// A type has thrown an error of its own when it was decoded.
  case notDecodable(String)
  /// The `ClassMap` has several types for the class of an object, so that none is chosen. With the types.
  case severalTypes(ofClass: String, [String])
  /// A key in the `ClassMap` is not a coding key of its type.
  case unknownMapKey(String, type: String)
  /// A key of a dictionary is equal to one before as a value of the dictionary's type, such as `1.0` and `1` as reals.
  case equalKey(String, type: String)
  /// The task that encodes or decodes was cancelled.
  case cancelled
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
        ? "\(object) has no key \(MessageText.quoted(key)): it has none"
        : "\(object) has no key \(MessageText.quoted(key)); its keys are \(Self.listed(keys))"
    case .missingElement(let count):
      "the list has ended: it has \(count) element\(count == 1 ? "" : "s")"
    case .doesNotFit(let number, let type):
      Self.isTooLarge(number, for: type)
        ? "\(type) cannot hold \(number): it is too large" : "\(type) cannot hold \(number) exactly"
    case .unreadable(let content, let type): "\(content) is not a valid \(type)"
    case .containsItself: "the object contains itself, which a Swift value cannot"
    case .noRoot(let name, let names):
      names.isEmpty
        ? "the archive has no root \(MessageText.quoted(name)): it has none"
        : "the archive has no root \(MessageText.quoted(name)); it has \(Self.listed(names))"
    case .unknownOrder: "the order of the elements is not known (set reading.xml.order to .needed)"
    case .unknownNamespace(let name):
      "the namespace of \(MessageText.quoted(name)) is not known (set reading.xml.namespaces to .expanded)"
    case .notEncodable(let why), .notDecodable(let why): why
    case .severalTypes(let name, let types):
      "the class \(Self.listed([name])) has several types in the ClassMap: \(Self.listed(types))"
    case .unknownMapKey(let key, let type):
      "the ClassMap has the key \(MessageText.quoted(key)), which is not a coding key of \(type)"
    case .equalKey(let key, let type): "the key \(key) is equal to one before as \(type)"
    case .cancelled: "the task was cancelled"
    }
  }

  /// Returns true for a number that a type does not hold although the type takes the nearest one of its range.
  private static func isTooLarge(_ number: String, for type: String) -> Bool {
    (type == "Double" || type == "Float") && number.utf8.contains(where: \.isDigit)
  }

  /// Returns the first few of several names for a message, quoted if necessary.
  static func listed(_ names: [String]) -> String {
    names.prefix(8).map(MessageText.name).joined(separator: ", ") + (names.count > 8 ? " …" : "")
  }
}

extension CodingProblem {
  /// The stable identifier of the problem for programs. It never changes.
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
    case .unknownOrder: "unknown-order"
    case .unknownNamespace: "unknown-namespace"
    case .notDecodable: "not-decodable"
    case .severalTypes: "several-types"
    case .unknownMapKey: "unknown-map-key"
    case .equalKey: "equal-key"
    case .cancelled: "cancelled"
    }
  }
}
