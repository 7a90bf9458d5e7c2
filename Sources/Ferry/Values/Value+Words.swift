extension Value {
  /// A short description of the value for messages: `"Ada"`, `42`, `Person {first: "Ada", …}`, `a list of 3`.
  public var words: String {
    switch self {
    case .null: return "null"
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let number): return number.notation
    case .real(let number): return number.notation
    case .single(let number): return number.notation
    case .number(let text): return MessageText.number(text)
    case .string(let text): return MessageText.quoted(text)
    case .unpairedString: return "a string with unpaired surrogates"
    case .data(let bytes): return "\(bytes.count) bytes of data"
    case .date(let seconds): return ISODate.text(seconds) ?? "the date \(seconds)"
    case .uid(let number): return "the reference \(number)"
    case .array(let values): return values.count == 1 ? "a list of 1" : "a list of \(values.count)"
    case .set(let values): return "a set of \(values.count)"
    case .dictionary(let entries): return Self.words(entries)
    case .object(let object):
      if case .dictionary(let entries) = object.content {
        return "\(MessageText.name(object.type.name)) \(Self.words(entries))"
      }
      return object.type.name.isEmpty
        ? object.content.words : "\(MessageText.name(object.type.name)) \(object.content.words)"
    case .reference: return "an object that is elsewhere"
    }
  }

  private static func words(_ entries: KeyedValues) -> String {
    let shown = entries.prefix(3).map { key, value in
      let name = key.pathText.map(MessageText.fieldName) ?? key.words
      switch value {
      case .dictionary, .object, .array, .set: return "\(name): …"
      default: return "\(name): \(value.words)"
      }
    }
    return "{\(shown.joined(separator: ", "))\(entries.count > 3 ? ", …" : "")}"
  }

  /// The kind of the value with an article, for messages.
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .real, .single, .number: "a number"
    case .string, .unpairedString: "a string"
    case .data: "data"
    case .date: "a date"
    case .uid, .reference: "a reference"
    case .array(let elements):
      elements.count == 1 ? "an array of 1 element" : "an array of \(elements.count) elements"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object(let object): "an object of class \(MessageText.name(object.type.name))"
    }
  }

  /// True for a string, but not for an object that represents one, such as an NSURL.
  var isText: Bool { if case .string = self { true } else { false } }

  /// True for an array, a set or a dictionary.
  var isCollection: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// True for an array, a set, a dictionary or an object.
  var isCollectionOrObject: Bool { if case .object = self { true } else { isCollection } }

  /// True for a dictionary, or an object whose content is a dictionary.
  var isRecord: Bool {
    switch self {
    case .dictionary: return true
    case .object(let object): if case .dictionary = object.content { return true } else { return false }
    default: return false
    }
  }

  /// Returns true if two values are equal, ignoring the order of keys, which has no meaning in most files.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.array(let mine), .array(let others)), (.set(let mine), .set(let others)):
      return mine.count == others.count && zip(mine, others).allSatisfy { $0.isSame(as: $1) }
    case (.dictionary(let mine), .dictionary(let others)):
      return mine.count == others.count
        && mine.allSatisfy { key, value in others[key].map { value.isSame(as: $0) } ?? false }
    case (.object(let mine), .object(let others)):
      return mine.type == others.type && mine.identity == others.identity
        && mine.content.isSame(as: others.content)
    default: return self == other
    }
  }
}
