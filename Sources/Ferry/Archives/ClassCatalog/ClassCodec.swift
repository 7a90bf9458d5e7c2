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
  /// Returns the reason why a dictionary with the names of parts as its keys is not a decoded form of the class: `"code" is not an
  /// integer`. Returns nil if no single part is at fault.
  func fault(in decodedForm: GivenForm) throws(FerryError) -> String?
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
  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? { nil }

  func encode(
    _ decodedForm: GivenForm, of type: ObjectClass, like object: ArchivedObject
  ) throws(FerryError) -> [ArchivedKey]? {
    try encode(decodedForm, of: type)
  }

  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    old.replacing(path, by: new)
  }

  /// Returns the first part that is not a number, in words, for a class whose parts are all numbers. Returns nil if there is none.
  func faultOfNumbers(in decodedForm: GivenForm) throws(FerryError) -> String? {
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    for name in partNames {
      if let part = parts[name], part.notation == nil { return "\(MessageText.quoted(name)) is not a number" }
    }
    return nil
  }

  /// Returns the part `color` in words if it is not the text of a color; otherwise nil.
  func faultOfColor(in decodedForm: GivenForm) throws(FerryError) -> String? {
    guard let part = try decodedForm.parts(named: partNames)?["color"] else { return nil }
    if let text = try part.string, ColorText.normalized(text) != nil { return nil }
    return "\"color\" is not \(ColorText.notation)"
  }
}
