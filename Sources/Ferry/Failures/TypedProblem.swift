/// A problem of a value in the typed form.
public enum TypedProblem: Hashable, Sendable {
  /// The version of the notation is unknown.
  case version(String)
  /// A key that begins with one `$` and is not a tag.
  case unknownTag(String)
  /// A tag with a value of the wrong kind.
  case badTag(String, found: String)
  /// An entry beside a tag that must be the only one.
  case crowded(String)
  /// A key in quotes with invalid escapes.
  case badKey(String)
  /// A required part is missing.
  case missing(String)
  /// A reference to an unknown identity.
  case unknownReference(Int)
  /// The layout is not valid.
  case badLayout(String)
  /// The output would not restore the input: a defect of Ferry, found before anything was written.
  case notExact
}

extension TypedProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .version(let found): "version \(found) of the typed form is not known (the newest known is 1)"
    case .unknownTag(let tag):
      "\(quotedForMessage(tag)) is no tag of the typed form (a key of your own gets one more $)"
    case .badTag(let tag, let found): "\(found) is no value of \(tag)"
    case .crowded(let what): "\(what) beside a tag that stands alone"
    case .badKey(let key): "\(quotedForMessage(key)) is no key with escapes"
    case .missing(let what): "the typed form has no \(what) here"
    case .unknownReference(let identity): "{\"$ref\": \(identity)} refers to no \"$id\""
    case .badLayout(let what): "the $layout is not understood: \(what)"
    case .notExact:
      "the typed form of this file would not give its bytes back; please report it with the file (--form raw is exact)"
    }
  }
}
