/// What an archived object is, in plain words: a scalar, a list, or a record of named parts.
///
/// Parts are scalars made from the object's keys, or other archived values that are sent as they would be anywhere. An
/// `NSError` whose code is 4 and whose `NSUserInfo` is node 17 means
///
///     .record([.init("domain", .archived(node: 15)), .init("code", .scalar(4)), …])
enum Meaning {
  /// A value that is no collection.
  case scalar(Value)
  /// A node of the archive: a scalar in place, or a reference.
  case archived(node: Int)
  case list([Meaning])
  case record([Part])

  /// A part of a record.
  struct Part {
    let name: String
    let meaning: Meaning

    init(_ name: String, _ meaning: Meaning) {
      self.name = name
      self.meaning = meaning
    }
  }
}

/// How the objects of a class, or of a family of classes, lie in an archive, and what they mean.
///
/// An object that has other keys than it is known to have, or other kinds of values, has no meaning and keeps every key:
/// nothing is lost by being misunderstood.
protocol ClassMeaning: Sendable {
  /// The names of the parts, when a meaning is a record; empty when it never is.
  var partNames: [String] { get }
  /// The archived keys, of a class where they may have the same names as parts.
  var archivedNames: [String] { get }
  /// What an object means, or nil. Every key that is part of the meaning is taken from the object; the meaning counts
  /// only when no key is left.
  func meaning(of object: inout ArchivedObject) throws(Failure) -> Meaning?
  /// The keys under which a meaning is archived, in the order in which the class encodes them; nil when it is no meaning
  /// of this class.
  func keys(for meaning: GivenMeaning, of type: ObjectClass) throws(Failure) -> [ArchivedKey]?
}

extension ClassMeaning {
  var partNames: [String] { [] }
  var archivedNames: [String] { [] }
}

/// A key of an object that is to be archived, and what stands there.
struct ArchivedKey {
  enum Content {
    /// Nil: a reference to `$null`.
    case nothing
    /// A scalar in place.
    case inPlace(Value)
    /// A scalar of the meaning, in place.
    case scalar(at: Int)
    /// A reference to a value of the meaning.
    case value(at: Int)
    /// A reference to a value that the class makes.
    case made(Value)
    /// A reference to a collection of this class, made of values of the meaning.
    case list(ObjectClass, [Int])
  }

  /// As the class names it: without the `$` that an archiver puts before names that begin with one.
  var name: String
  var content: Content

  init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// Whether nothing stands here but a scalar, or nil.
  var refersToNothing: Bool {
    switch content {
    case .nothing, .inPlace, .scalar: true
    case .value, .made, .list: false
    }
  }
}

extension String {
  /// An object's key as an archiver writes it: with one more `$` when it begins with one, unless it is one of the numbered
  /// keys (`$0`, `$1` …) of values that were encoded without a key.
  var asArchivedKey: String {
    let isNumbered = dropFirst().allSatisfy(\.isNumber)
    return hasPrefix("$") && !isNumbered ? "$" + self : self
  }
}
