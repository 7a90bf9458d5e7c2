/// The decoded form of an archived object: a scalar, a list, or a record of named parts.
///
/// Parts are scalars made from the object's keys, or other archived values, which are decoded in turn. The
/// decoded form of an `NSError` whose code is 4 and whose `NSUserInfo` is node 17 is
///
///     .record([.init("domain", .archived(node: 15)), .init("code", .scalar(4)), …])
enum DecodedForm {
  /// A value that is not a collection.
  case scalar(Value)
  /// A node of the archive: an inline scalar, or a reference.
  case archived(node: Int)
  case list([DecodedForm])
  case record([Part])

  /// A part of a record.
  struct Part {
    let name: String
    let decodedForm: DecodedForm

    init(_ name: String, _ decodedForm: DecodedForm) {
      self.name = name
      self.decodedForm = decodedForm
    }
  }
}

/// A codec that decodes and encodes the archived objects of a class or a family of classes.
///
/// An object with unexpected keys or kinds of values has no decoded form and keeps all its keys, so nothing
/// is lost by a wrong interpretation.
protocol ClassCodec: Sendable {
  /// The names of the parts, if the decoded form may be a record; otherwise empty.
  var partNames: [String] { get }
  /// The archived keys, if they may have the same names as parts.
  var archivedNames: [String] { get }
  /// Decodes an object; nil if it is not as expected. The codec takes every key that it decodes; the decoded
  /// form is used only if no key is left.
  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm?
  /// Encodes a decoded form: returns its keys in the order in which the class encodes them; nil if the value
  /// is not a decoded form of this class.
  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]?
  /// Encodes a decoded form in the layout of an existing object, for a class with several layouts.
  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]?
  /// Returns a decoded form with the part at a path changed, or all of it if the path is empty, and with all
  /// parts that depend on it updated. Returns nil if there is no such part.
  ///
  ///     {"color": "#545454FF", "colorSpace": "deviceWhite", "components": [0.33]}   color: "#FF0000FF"
  ///     {"color": "#FF0000FF", "colorSpace": "deviceRGB"}
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value?
  /// Returns the reason why an object has no decoded form, as a predicate of the object: "has no key px".
  func misfit(of object: ArchivedObject) throws(FerryError) -> String?
  /// The notation that a user must type for an object, in words; nil if its kind of value is enough.
  var notation: String? { get }
  /// Returns the reason why a class does not accept a value of the right shape; nil if it does. Files with
  /// such values can be read, but an edit must not write one.
  ///
  ///     flaw(of: [["object": "a", "count": 0]])   // NSCountedSet: "each object is in the set at least once"
  func flaw(of value: Value) -> String?
  /// Returns a value without the flaw that an edit has given it, if the intention is clear; otherwise nil.
  ///
  ///     {"string": "Hi", "runs": [{"length": 5, "attributes": …}]}
  ///     // whose string was "Hello": the run gets the length 2
  func mended(_ value: Value, since old: Value) -> Value?
}

extension ClassCodec {
  var partNames: [String] { [] }
  var archivedNames: [String] { [] }
  var notation: String? { nil }

  func flaw(of value: Value) -> String? { nil }
  func mended(_ value: Value, since old: Value) -> Value? { nil }
  func misfit(of object: ArchivedObject) throws(FerryError) -> String? { nil }

  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    try encode(decodedForm, of: type)
  }

  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    old.replacing(path, by: new)
  }
}

extension Value {
  /// Returns the value with an existing part replaced; nil if the part is missing. Objects are replaced by
  /// their content.
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

/// A key of an object to archive, with its value.
struct ArchivedKey {
  enum Content {
    /// Nil: a reference to `$null`.
    case nothing
    /// An inline scalar.
    case inPlace(Value)
    /// A scalar of the decoded form, stored inline.
    case scalar(at: Int)
    /// A reference to a value of the decoded form.
    case value(at: Int)
    /// A reference to a value that the codec makes.
    case made(Value)
    /// A reference to a collection of this class, made from values of the decoded form.
    case list(ObjectClass, [Int])
  }

  /// The key in the class's own spelling: without the `$` that an archiver adds to names that begin with one.
  var name: String
  var content: Content

  init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// True for an inline scalar, or nil.
  var refersToNothing: Bool {
    switch content {
    case .nothing, .inPlace, .scalar: true
    case .value, .made, .list: false
    }
  }
}

extension String {
  /// The key as an archiver writes it: with one more `$` if it begins with one, unless it is one of the
  /// numbered keys (`$0`, `$1` …) of values that were encoded without a key.
  var asArchivedKey: String {
    let isNumbered = dropFirst().allSatisfy(\.isNumber)
    return hasPrefix("$") && !isNumbered ? "$" + self : self
  }
}
