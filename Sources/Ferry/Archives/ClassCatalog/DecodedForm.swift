/// The decoded form of an archived object: a scalar, a list, or a record of named parts.
///
/// A part is a scalar made from the object's keys, or another archived value, which may itself have a decoded
/// form. For example, the decoded form of an `NSError` whose code is 4 and whose domain is node 15 is:
///
///     .record([.init("domain", .archived(node: 15)), .init("code", .scalar(4)), …])
enum DecodedForm {
  /// A value that is not a collection.
  case scalar(Value)
  /// A node of the archive: an inline scalar, or a reference.
  case archived(node: NodeID)
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
/// An object with unexpected keys or kinds of values has no decoded form and keeps all its keys, so that a
/// wrong interpretation cannot lose data.
protocol ClassCodec: Sendable {
  /// The names of the parts if the decoded form may be a record, otherwise empty.
  var partNames: [String] { get }
  /// The archived keys of the class, if some may have the names of parts.
  var archivedNames: [String] { get }
  /// Decodes an object. Returns nil if a key or a value is unexpected. The codec takes every key that it
  /// decodes; the decoded form is used only if no key remains.
  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm?
  /// Encodes a decoded form. Returns the archived keys in the order in which the class encodes them, or nil
  /// if the value is not a decoded form of the class.
  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]?
  /// Encodes a decoded form in the layout of an existing object, for a class that has several layouts.
  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]?
  /// Returns a decoded form with the part at a path changed, and with all parts that depend on it updated. An
  /// empty path means the whole form. Returns nil if there is no such part.
  ///
  ///     {"color": "#545454FF", "colorSpace": "deviceWhite", "components": [0.33]}   color: "#FF0000FF"
  ///     {"color": "#FF0000FF", "colorSpace": "deviceRGB"}
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value?
  /// Returns the reason why an object has no decoded form, as a predicate: "has no key px".
  func misfit(of object: ArchivedObject) throws(FerryError) -> String?
  /// The notation that a user must type for an object of the class, in words. Nil if the kind of value is
  /// sufficient.
  var notation: String? { get }
  /// Returns the notation of a part of the decoded form, in words. Nil if the kind of value is sufficient.
  func notation(ofPart name: String) -> String?
  /// Returns true if a part of the decoded form is a list whose elements have their meaning by their position, so that none can be
  /// inserted or removed: the components of a color.
  func hasFixedCount(ofPart name: String) -> Bool
  /// Returns the reason why the class does not accept a value of the right kind, or nil if it does. Files
  /// with such values can be read, but an edit must not write one.
  ///
  ///     flaw(of: [["object": "a", "count": 0]])   // NSCountedSet: "each object is in the set at least once"
  func flaw(of value: Value) -> String?
  /// Returns a value without the flaw that an edit caused, or nil if there is no clear repair.
  ///
  ///     {"string": "Hi", "runs": [{"length": 5, "attributes": …}]}
  ///     // the string was "Hello": the run gets the length 2
  func mended(_ value: Value, since old: Value) -> Value?
}

extension ClassCodec {
  var partNames: [String] { [] }
  var archivedNames: [String] { [] }
  var notation: String? { nil }
  func notation(ofPart name: String) -> String? { nil }
  func hasFixedCount(ofPart name: String) -> Bool { false }

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
  /// Returns the value with an existing part replaced, looking through objects to their content. Returns nil
  /// if there is no such part.
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

extension String {
  /// The key as an archiver writes it: with a `$` added if it begins with `$`, except for the numbered keys
  /// (`$0`, `$1` …) of values that were encoded without a key.
  var asArchivedKey: String {
    let isNumbered = dropFirst().allSatisfy(\.isNumber)
    return hasPrefix("$") && !isNumbered ? "$" + self : self
  }
}
