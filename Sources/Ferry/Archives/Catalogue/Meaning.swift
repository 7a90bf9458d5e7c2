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
  /// The same for an object that is archived already, in its own way where the class has several.
  func keys(
    for meaning: GivenMeaning, of type: ObjectClass, like object: ArchivedObject
  ) throws(Failure) -> [ArchivedKey]?
  /// What an object means once the part at a path is another, or all of it when the path is empty: what else follows from
  /// that part changes with it. Nil when there is no such part.
  ///
  ///     {"color": "#545454FF", "colorSpace": "deviceWhite", "components": [0.33]}   color: "#FF0000FF"
  ///     {"color": "#FF0000FF", "colorSpace": "deviceRGB"}
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value?
  /// Why an object has no meaning, with the object as its subject: "has no key px".
  func misfit(of object: ArchivedObject) throws(Failure) -> String?
  /// What a text has to be that is typed for an object, in words, where that is more than its kind.
  var notation: String? { get }
  /// Why a value of the right shape is none that the class could take, or nil. A file is read whatever it holds; an edit
  /// writes no such value.
  ///
  ///     flaw(of: [["object": "a", "count": 0]])     // of NSCountedSet: "each object is in the set at least once"
  func flaw(of value: Value) -> String?
  /// A value without the flaw that an edit gave it, where it is clear what is meant; otherwise nil.
  ///
  ///     {"string": "Hi", "runs": [{"length": 5, "attributes": …}]}     // whose string was "Hello": the run gets the length 2
  func mended(_ value: Value, since old: Value) -> Value?
}

extension ClassMeaning {
  var partNames: [String] { [] }
  var archivedNames: [String] { [] }
  var notation: String? { nil }

  func flaw(of value: Value) -> String? { nil }
  func mended(_ value: Value, since old: Value) -> Value? { nil }
  func misfit(of object: ArchivedObject) throws(Failure) -> String? { nil }

  func keys(
    for meaning: GivenMeaning, of type: ObjectClass, like object: ArchivedObject
  ) throws(Failure) -> [ArchivedKey]? {
    try keys(for: meaning, of: type)
  }

  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    old.replacing(path, by: new)
  }
}

extension Value {
  /// The value with another part, which has to be there; nil when it is not. Objects are looked through.
  ///
  ///     {"x": 1, "y": [2, 3]}, y[0], 7     // {"x": 1, "y": [7, 3]}
  func replacing(_ path: ArraySlice<ValuePath.Step>, by new: Value) -> Value? {
    guard let step = path.first else { return new }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.dictionary(var entries), .key(let key)):
      guard let part = entries[key]?.replacing(rest, by: new) else { return nil }
      entries[key] = part
      return .dictionary(entries)
    case (.array(var elements), .index(let index)) where elements.indices.contains(index):
      guard let part = elements[index].replacing(rest, by: new) else { return nil }
      elements[index] = part
      return .array(elements)
    case (.object(var object), _):
      guard let content = object.content.replacing(path, by: new) else { return nil }
      object.content = content
      return .object(object)
    default: return nil
    }
  }
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
