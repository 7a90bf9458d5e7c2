/// A parser of class files in the form of a value. Its errors have the path of the invalid part.
///
///     { "ferry": 1, "classes": [
///       { "class": "MyPoint", "superclasses": ["NSObject"], "fields": [
///         { "name": "x", "archiveKey": "px", "type": "real" },
///         { "name": "y", "archiveKey": "py", "type": "real" }]},
///       { "class": "MyTag", "value": { "archiveKey": "tag", "type": "string" }}]}
///
/// Top level: `ferry` (1, the version of this notation), `classes`. Class: `class`, `superclasses`
/// (`NSObject` by default), `aliases` (other names of the class), and either `fields`, in the order in which
/// the class encodes them, or `value`: the single key whose value is the decoded form, as a key name or as a
/// field without a name. Field: `name`, `archiveKey` (the name by default), `type` (`any` by default),
/// `optional`.
struct ClassFile {
  private let value: Value
  private let path: ValuePath

  /// Parses the classes in a value.
  static func catalog(_ value: Value) throws(FerryError) -> ClassCatalog {
    let file = ClassFile(value: value, path: ValuePath())
    if let problem = value.problemOfNotation { throw file.wrong(problem) }
    try file.allow(["ferry", "classes"])
    guard let classes = file.list("classes"), !classes.isEmpty else { throw file.wrong("classes is missing") }
    var entries: [ClassCatalogEntry] = []
    for each in classes { entries += try each.entries() }
    var names: Set<ExactString> = []
    for entry in entries where !names.insert(entry.type.name).inserted {
      throw file.wrong("two classes are named \(entry.type.name)")
    }
    return ClassCatalog(entries)
  }

  private func wrong(_ why: String) -> FerryError { FerryError(.record(.badClasses(why)), path: path) }

  private func step(_ key: String, _ value: Value) -> ClassFile {
    ClassFile(value: value, path: ValuePath(path.steps + [.key(key)]))
  }

  /// Returns the elements of a list. By the XML convention a list of one element is the element itself.
  private func list(_ key: String) -> [ClassFile]? {
    guard let value = value[key] else { return nil }
    let elements = if case .array(let elements) = value { elements } else { [value] }
    return elements.enumerated().map { index, element in
      ClassFile(value: element, path: ValuePath(path.steps + [.key(key), .index(index)]))
    }
  }

  private func allow(_ keys: [String]) throws(FerryError) {
    guard case .dictionary(let entries) = value else { throw wrong("this is not a dictionary") }
    for key in entries.keys {
      guard case .string(let name) = key, keys.contains(name) else {
        throw wrong("\(key.words) is not a key of it; those are \(keys.joined(separator: ", "))")
      }
    }
  }

  private func text(_ key: String) throws(FerryError) -> String? {
    switch value[key] {
    case nil: return nil
    case .string(let text) where !text.isEmpty: return text
    case let other?: throw step(key, other).wrong("\(key) is not a string")
    }
  }

  private func texts(_ key: String) throws(FerryError) -> [String] {
    var texts: [String] = []
    for element in list(key) ?? [] {
      guard case .string(let text) = element.value else { throw element.wrong("this is not a string") }
      texts.append(text)
    }
    return texts
  }

  /// Returns the entries of a class, one for each of its names.
  private func entries() throws(FerryError) -> [ClassCatalogEntry] {
    try allow(["class", "superclasses", "aliases", "fields", "value"])
    guard let name = try text("class") else { throw wrong("class is missing") }
    let codec: any ClassCodec
    switch (list("fields"), value["value"]) {
    case (let fields?, nil): codec = try record(fields)
    case (nil, .string(let key)):
      codec = SingleKeyCodec(field: ArchivedField(.any, key, key))
    case (nil, let single?): codec = SingleKeyCodec(field: try step("value", single).field(named: ""))
    default: throw wrong("a class has either fields or a value")
    }
    let given = try texts("superclasses")
    let superclasses = given.isEmpty ? ["NSObject"] : given
    var entries: [ClassCatalogEntry] = []
    for name in [name] + (try texts("aliases")) {
      let type = ObjectClass(name: name, chain: [name] + superclasses)
      entries.append(ClassCatalogEntry(type, codec, isGiven: true))
    }
    return entries
  }

  private func record(_ fields: [ClassFile]) throws(FerryError) -> RecordCodec {
    var found: [ArchivedField] = []
    for each in fields { found.append(try each.field(named: nil)) }
    guard !found.isEmpty else { throw wrong("fields is empty") }
    for (index, field) in found.enumerated() {
      guard !found[..<index].contains(where: { $0.name.equals(field.name) }) else {
        throw wrong("two fields are named \(field.name)")
      }
      guard !found[..<index].contains(where: { $0.key.equals(field.key) }) else {
        throw wrong("two fields have the archive key \(field.key)")
      }
      // The archived keys of an object must be distinguishable from its decoded form.
      guard !found.contains(where: { $0 != field && $0.key.equals(field.name) }) else {
        throw wrong("\(field.name) is a field and the archive key of another one")
      }
    }
    return RecordCodec(found)
  }

  private func field(named fixed: String?) throws(FerryError) -> ArchivedField {
    try allow(fixed == nil ? ["name", "archiveKey", "type", "optional"] : ["archiveKey", "type"])
    let given = try text("name")
    guard let name = fixed ?? given else { throw wrong("name is missing") }
    let key = try text("archiveKey")
    guard let key = key ?? (fixed == nil ? name : nil) else { throw wrong("archiveKey is missing") }
    return ArchivedField(try kind(), name, key, try isOptional() ? .optional : .required)
  }

  private func isOptional() throws(FerryError) -> Bool {
    switch value["optional"] {
    case .boolean(let flag): return flag
    // XML and OpenStep text have no booleans.
    case .string("true"): return true
    case .string("false"), nil: return false
    case let other?: throw step("optional", other).wrong("optional is not true or false")
    }
  }

  private func kind() throws(FerryError) -> ArchivedField.Kind {
    let given = try text("type")
    let name = given ?? "any"
    guard let kind = ArchivedField.Kind(rawValue: name) else {
      let known = ArchivedField.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong("\(quotedForMessage(name)) is not a type; those are \(known)")
    }
    return kind
  }
}

extension ClassCatalog {
  /// Parses the classes in a value, in the notation of a class file (`Documentation/Classes.md`).
  ///
  /// - Throws: `RecordProblem.badClasses` with the path of the invalid part.
  public init(classesIn value: Value) throws(FerryError) { self = try ClassFile.catalog(value) }
}
