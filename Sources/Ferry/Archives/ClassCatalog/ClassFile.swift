/// A parser of class files, given as a value. Its errors contain the path of the invalid part.
///
///     { "ferry": 1, "classes": [
///       { "class": "MyPoint", "superclasses": ["NSObject"], "fields": [
///         { "name": "x", "archiveKey": "px", "type": "real" },
///         { "name": "y", "archiveKey": "py", "type": "real" }]},
///       { "class": "MyTag", "value": { "archiveKey": "tag", "type": "string" }}]}
///
/// - Top level: `ferry` (the version of this notation, 1) and `classes`.
/// - Class: `class`, `superclasses` (by default, `NSObject`), `aliases` (other names of the class), and
///   either `fields` or `value`. `fields` are in the order in which the class encodes them. `value` is the
///   only key of the object, whose value is the decoded form; it is given as an archived key or as a field
///   without a name.
/// - Field: `name`, `archiveKey` (by default, the name), `type` (by default, `any`), `optional`.
struct ClassFile: DescriptionPart {
  let value: Value
  let path: ValuePath

  /// Parses a class file.
  static func catalog(_ value: Value) throws(FerryError) -> ClassCatalog {
    let file = ClassFile(value: value, path: ValuePath())
    try file.checkFile(keys: ["classes"])
    var entries: [ClassCatalogEntry] = []
    var names: Set<ExactString> = []
    for each in try file.requiredList("classes") {
      for entry in try each.entries() {
        guard names.insert(entry.type.name).inserted else {
          throw each.wrong("two classes are named \(entry.type.name)")
        }
        entries.append(entry)
      }
    }
    return ClassCatalog(entries)
  }

  func part(_ value: Value, at path: ValuePath) -> ClassFile { ClassFile(value: value, path: path) }

  static func problem(_ why: String) -> RecordProblem { .badClasses(why) }

  /// Returns the entries of a class, one for each of its names.
  private func entries() throws(FerryError) -> [ClassCatalogEntry] {
    try allow(["class", "superclasses", "aliases", "fields", "value"])
    let name = try text("class", default: nil)
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
    guard !found.isEmpty else { throw wrong(at: "fields", "fields is empty") }
    for (index, field) in found.enumerated() {
      func wrong(_ why: String) -> FerryError { fields[index].wrong(why) }
      guard !found[..<index].contains(where: { $0.name.equals(field.name) }) else {
        throw wrong("two fields are named \(field.name)")
      }
      guard !found[..<index].contains(where: { $0.key.equals(field.key) }) else {
        throw wrong("two fields have the archive key \(field.key)")
      }
      // Otherwise the archived keys of an object could not be distinguished from its decoded form.
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
    return ArchivedField(try kind(), name, key, try flag("optional") ? .optional : .required)
  }

  private func kind() throws(FerryError) -> ArchivedField.Kind {
    let given = try text("type")
    let name = given ?? "any"
    guard let kind = ArchivedField.Kind(rawValue: name) else {
      let known = ArchivedField.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(at: "type", "\(MessageText.quoted(name)) is not a type; those are \(known)")
    }
    return kind
  }
}

extension ClassCatalog {
  /// Parses a class file, given as a value (`Documentation/Classes.md` describes the notation).
  ///
  /// - Throws: A `FerryError` with the reason `RecordProblem.badClasses` and the path of the invalid part.
  public init(classesIn value: Value) throws(FerryError) { self = try ClassFile.catalog(value) }
}
