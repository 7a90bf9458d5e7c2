/// A problem in the typed form.
public enum TypedProblem: Hashable, Sendable {
  /// The version of the notation is unknown.
  case version(String)
  /// A format in which documents in the typed form cannot be written.
  case noTypedForm(String)
  /// A value of an archive or a typedstream, which are written in the typed form only as a whole.
  case partOfArchive
  /// A key that begins with a single `$`, but is not a tag.
  case unknownTag(String)
  /// A tag whose value has the wrong kind.
  case badTag(String, found: String)
  /// A list of the superclasses of a class, with its name, that does not begin with the class itself.
  case badChain(of: String)
  /// An entry in addition to a tag that must be the only entry.
  case crowded(String)
  /// A key of the typed form that occurs twice in one dictionary.
  case repeated(String)
  /// A key that is not a string, which the typed form has only in the pairs of `$dictionary`.
  case otherKey
  /// An identity that two objects or values have.
  case repeatedIdentity(Int)
  /// A key in quotes with invalid escapes.
  case badKey(String)
  /// A required entry is missing.
  case missing(String)
  /// An element without the attribute `key` inside an element `map`.
  case noKey(element: String)
  /// A reference to an unknown identity.
  case unknownReference(Int)
  /// The layout is not valid.
  case badLayout(String)
  /// The output would not restore the input. It is a defect of Ferry, detected before anything was written.
  /// The raw form is exact.
  case notExact
}

extension TypedProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .noTypedForm(let format):
      "the typed form cannot be written as \(format) (use json, yaml, xml or plist-xml)"
    case .partOfArchive: "the typed form of an archive or a typedstream is that of the whole file"
    case .version(let found): "version \(found) of the typed form is not supported (the newest is 1)"
    case .unknownTag(let tag):
      "\(MessageText.quoted(tag)) is not a tag of the typed form (write a key that begins with $ with one more $)"
    case .badTag(let tag, let found): "\(found) is not a value for \(tag)"
    case .badChain(let name):
      "the list of the superclasses of \(MessageText.name(name)) begins with \(MessageText.name(name)) itself "
        + "([\(MessageText.quoted(name)), …]; write any other list as {\"$chain\": […]})"
    case .crowded(let what): "\(what) is not allowed beside a tag"
    case .repeated(let key): "the key \(MessageText.quoted(key)) occurs twice"
    case .otherKey: "a key is not a string ({\"$dictionary\": [[key, value], …]} has keys of any kind)"
    case .repeatedIdentity(let identity):
      "{\"$id\": \(identity)} occurs twice (each object has its own number)"
    case .badKey(let key): "\(MessageText.quoted(key)) is not a valid escaped key"
    case .missing(let what): "the typed form needs \(what) here"
    case .noKey(let element):
      "<\(element)> has no key; each element in a <map> has one (<\(element) key=\"name\">)"
    case .unknownReference(let identity): "{\"$ref\": \(identity)} has no matching \"$id\""
    case .badLayout(let what): "invalid $layout: \(what)"
    case .notExact:
      "the typed form of this file would not give its bytes back; please report it with the file"
    }
  }
}

extension TypedProblem {
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .noTypedForm: "no-typed-form"
    case .version: "version"
    case .partOfArchive: "part-of-archive"
    case .unknownTag: "unknown-tag"
    case .badTag: "bad-tag"
    case .badChain: "bad-chain"
    case .crowded: "crowded"
    case .repeated: "repeated"
    case .otherKey: "other-key"
    case .repeatedIdentity: "repeated-identity"
    case .badKey: "bad-key"
    case .missing: "missing"
    case .noKey: "no-key"
    case .unknownReference: "unknown-reference"
    case .badLayout: "bad-layout"
    case .notExact: "not-exact"
    }
  }
}
