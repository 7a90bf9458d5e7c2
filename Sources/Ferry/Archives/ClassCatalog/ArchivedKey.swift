/// A key of an object to archive, and its value.
struct ArchivedKey {
  enum Content {
    /// Nil: a reference to `$null`.
    case nothing
    /// An inline scalar.
    case inline(Value)
    /// A scalar of the decoded form, stored inline.
    case scalar(at: TapeIndex)
    /// A reference to a value of the decoded form.
    case value(at: TapeIndex)
    /// A reference to a value that the codec makes.
    case made(Value)
    /// A reference to a collection of this class, made from values of the decoded form.
    case list(ObjectClass, [TapeIndex])
  }

  /// The key without the `$` that an archiver adds to names that begin with `$`.
  var name: String
  var content: Content

  init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// True if the content is an inline scalar or nil, and therefore no reference to an object.
  var refersToNothing: Bool {
    switch content {
    case .nothing, .inline, .scalar: true
    case .value, .made, .list: false
    }
  }
}
