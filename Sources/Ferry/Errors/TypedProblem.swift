/// What can be wrong with a value in the typed form.
public enum TypedProblem: Hashable, Sendable {
  /// The notation is of a version that is not known.
  case version(String)
  /// A key that begins with one `$` and is no tag.
  case unknownTag(String)
  /// A tag whose value is not of its kind.
  case badTag(String, found: String)
  /// Something beside a tag that stands alone.
  case crowded(String)
  /// A key in quotes whose escapes are none.
  case badKey(String)
  /// A part that has to be there is not.
  case missing(String)
  /// A reference to an identity that nothing has.
  case unknownReference(Int)
  /// The layout cannot be understood.
  case badLayout(String)
  /// What was written does not come back: a mistake of Ferry's, found before anything was written.
  case notExact
}

extension TypedProblem: CustomStringConvertible {
  /// One sentence without a full stop.
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
