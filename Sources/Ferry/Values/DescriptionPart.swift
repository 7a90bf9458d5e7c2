/// A part of a description that a user writes: a schema, a class file, a file of document types. Its errors
/// have the path of the part.
protocol DescriptionPart {
  /// The value of the part.
  var value: Value { get }
  /// The path of the part in its file.
  var path: ValuePath { get }

  /// Returns another part of the same file.
  func part(_ value: Value, at path: ValuePath) -> Self
  /// Returns the problem of an invalid file of this kind.
  static func problem(_ why: String) -> RecordProblem
}

extension DescriptionPart {
  /// Throws if the value, a whole file, has no known version of the notation, or other keys than `keys`.
  func checkFile(keys: [String]) throws(FerryError) {
    guard case .dictionary = value else { throw wrong("this is not a dictionary") }
    if let problem = value.problemOfNotation { throw wrong(problem) }
    try allow(["ferry"] + keys)
  }

  func wrong(_ why: String) -> FerryError { FerryError(.record(Self.problem(why)), path: path) }

  /// Returns the part under a key.
  func step(_ key: String, _ value: Value) -> Self { part(value, at: path.appending(.key(key))) }

  /// Throws unless the part is a dictionary with no other keys than these.
  func allow(_ keys: [String]) throws(FerryError) {
    guard case .dictionary(let entries) = value else { throw wrong("this is not a dictionary") }
    for key in entries.keys {
      guard case .string(let name) = key, keys.contains(exactly: name) else {
        throw wrong("\(key.words) is not a key of it; those are \(keys.joined(separator: ", "))")
      }
    }
  }

  /// Returns the dictionary under a key; nil if there is none.
  func member(_ key: String) throws(FerryError) -> Self? {
    guard let value = value[key] else { return nil }
    guard case .dictionary = value else { throw step(key, value).wrong("\(key) is not a dictionary") }
    return step(key, value)
  }

  /// Returns the part under a key. Throws if there is none.
  func required(_ key: String) throws(FerryError) -> Self {
    guard let value = value[key] else { throw wrong("\(key) is missing") }
    return step(key, value)
  }

  /// Returns the elements of a list. By the XML convention a list of one element is the element itself.
  func list(_ key: String) -> [Self]? {
    guard let value = value[key] else { return nil }
    let elements = if case .array(let elements) = value { elements } else { [value] }
    let place = path.appending(.key(key))
    return elements.enumerated().map { part($1, at: place.appending(.index($0))) }
  }

  /// Returns the text under a key; nil if there is none.
  func text(_ key: String) throws(FerryError) -> String? {
    switch value[key] {
    case nil: return nil
    case .string(""): throw wrong("\(key) is empty")
    case .string(let text): return text
    case let other?: throw step(key, other).wrong("\(key) is not a string")
    }
  }

  /// Returns the text under a key, or a default. Throws if there is neither.
  func text(_ key: String, default fallback: String?) throws(FerryError) -> String {
    guard let text = try text(key) ?? fallback else { throw wrong("\(key) is missing") }
    return text
  }

  /// Returns the texts in a list.
  func texts(_ key: String) throws(FerryError) -> [String] {
    var texts: [String] = []
    for element in list(key) ?? [] {
      guard case .string(let text) = element.value else {
        throw try required(key).wrong("\(key) is not a list of strings")
      }
      texts.append(text)
    }
    return texts
  }

  /// Returns a boolean under a key; false if there is none.
  func flag(_ key: String) throws(FerryError) -> Bool {
    switch value[key] {
    case .boolean(let flag): return flag
    // XML and OpenStep text have no booleans.
    case .string("true"): return true
    case .string("false"), nil: return false
    case let other?: throw step(key, other).wrong("\(key) is not true or false")
    }
  }
}
