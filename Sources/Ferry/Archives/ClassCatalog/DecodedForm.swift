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

extension String {
  /// The key as an archiver writes it: with a `$` added if it begins with `$`, except for the numbered keys
  /// (`$0`, `$1` …) of values that were encoded without a key.
  var asArchivedKey: String {
    guard utf8.first == UInt8(ascii: "$") else { return self }
    let number = utf8.dropFirst()
    let isNumbered = !number.isEmpty && number.allSatisfy(\.isDigit)
    return isNumbered ? self : "$" + self
  }
}
