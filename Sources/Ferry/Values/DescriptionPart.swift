/// A part of a file that describes data: a schema, a class file or a file of document types. Errors have the
/// path of the part.
protocol DescriptionPart {
  /// The value of the part.
  var value: Value { get }
  /// The path of the part in the file.
  var path: ValuePath { get }

  /// Returns another part of the same file.
  func part(_ value: Value, at path: ValuePath) -> Self
  /// Returns the problem for an invalid file of this kind.
  static func problem(_ why: String) -> RecordProblem
}

extension DescriptionPart {
  /// Throws if the value of a whole file has an unknown version of the notation, or keys other than `keys`.
  func checkFile(keys: [String]) throws(FerryError) {
    guard case .dictionary = value else { throw wrong("this is not a dictionary") }
    if let problem = value.problemOfNotation { throw wrong(problem) }
    try allow(["ferry"] + keys)
  }

  func wrong(_ why: String) -> FerryError { FerryError(.record(Self.problem(why)), path: path) }

  /// Returns an error at the value for a key, or at the part if the key is missing.
  func wrong(at key: String, _ why: String) -> FerryError {
    guard let value = value[key] else { return wrong(why) }
    return step(key, value).wrong(why)
  }

  /// Returns an error at an element of the list for a key.
  func wrong(at key: String, element: Int, _ why: String) -> FerryError {
    guard let elements = list(key), elements.indices.contains(element) else { return wrong(at: key, why) }
    return elements[element].wrong(why)
  }

  /// Returns the part under a key.
  func step(_ key: String, _ value: Value) -> Self { part(value, at: path.appending(.key(key))) }

  /// Throws if the part is not a dictionary, or has keys other than these.
  func allow(_ keys: [String]) throws(FerryError) {
    guard case .dictionary(let entries) = value else { throw wrong("this is not a dictionary") }
    for key in entries.keys {
      let name: String? = if case .string(let name) = key { name } else { nil }
      guard let name, keys.contains(exactly: name) else {
        let why = "\(key.words) is not a key here (known: \(keys.joined(separator: ", ")))"
        throw name.map { wrong(at: $0, why) } ?? wrong(why)
      }
    }
  }

  /// Returns the dictionary under a key, or nil if the key is missing.
  func member(_ key: String) throws(FerryError) -> Self? {
    guard let value = value[key] else { return nil }
    guard case .dictionary = value else { throw step(key, value).wrong("\(key) is not a dictionary") }
    return step(key, value)
  }

  /// Returns the part under a key. Throws if the key is missing.
  func required(_ key: String) throws(FerryError) -> Self {
    guard let value = value[key] else { throw wrong("\(key) is missing") }
    return step(key, value)
  }

  /// Returns the elements of a list. A value that is not a list counts as a list of one element, as in XML.
  func list(_ key: String) -> [Self]? {
    guard let value = value[key] else { return nil }
    let elements = if case .array(let elements) = value { elements } else { [value] }
    let listPath = path.appending(.key(key))
    return elements.enumerated().map { part($1, at: listPath.appending(.index($0))) }
  }

  /// Returns the elements of a list. Throws if the key is missing, or if there are none.
  func requiredList(_ key: String) throws(FerryError) -> [Self] {
    guard let elements = list(key) else { throw wrong("\(key) is missing") }
    guard !elements.isEmpty else { throw wrong(at: key, "\(key) is empty") }
    return elements
  }

  /// Returns the text under a key, or nil if the key is missing.
  func text(_ key: String) throws(FerryError) -> String? {
    switch value[key] {
    case nil: return nil
    case .string(""): throw wrong(at: key, "\(key) is empty")
    case .string(let text): return text
    case let other?: throw step(key, other).wrong("\(key) is not a string")
    }
  }

  /// Returns the text under a key, or the default. Throws if there is neither.
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

  /// Returns the boolean under a key, or false if the key is missing.
  func flag(_ key: String) throws(FerryError) -> Bool {
    switch value[key] {
    case .boolean(let flag): return flag
    // XML and OpenStep property lists represent booleans by text.
    case .string("true"): return true
    case .string("false"), nil: return false
    case let other?: throw step(key, other).wrong("\(key) is not true or false")
    }
  }
}
