/// A parser of schema files, given as a value. Its errors contain the path of the invalid part.
///
/// - Top level: `ferry` (the version of this notation, 1), `name`, `namespaces`, `collection`, `record`, `fields`,
///   `documentExtensions` (a list), `key`, and the versions. `collection` has `element`, and `key` and
///   `version` if there is a dictionary around the records. `key` is the field that identifies records. `namespaces` has
///   the URI of each prefix, and of the empty prefix.
///   `RecordVersions` documents `version`, `versionField` and `versions`.
/// - Record: `element`, `class` (by default, the name of the element), `superclasses`, `aliases` (older class
///   names), `encodeOrder` (names of fields).
/// - Field: `name`, `type` (string, integer, real, decimal, boolean, date, data, url, uuid, record, list, dictionary
///   or any; by default, string), `xml` (`element`, `@attribute`, `#text`, `#items` or the name of an element),
///   `archiveKey`, `aliases`, `alsoWrite` (older keys to write in addition), `optional`, `default`.
/// - Field of the type record: also `record`, `fields`, `key`, `version`, `versionField` and `versions`, as
///   at the top level. If `record` is a string, it is the element of a record that contains the field, and the
///   field has the type of that record.
/// - Field of the type list: also `items`, a field without a name. Its `element` is the XML element of each
///   value (by default, `item`).
/// - Field of the type dictionary: also `values`, a field without a name.
struct SchemaFile: DescriptionPart {
  let value: Value
  let path: ValuePath
  /// The elements of the records that contain the part.
  var enclosing: [String] = []
  /// The names of elements and attributes, if the schema has namespaces.
  var names: SchemaNames?

  /// Parses a schema.
  static func schema(_ value: Value) throws(FerryError) -> Schema {
    if let language = value.otherSchemaLanguage { throw FerryError(.record(.otherSchema(language))) }
    var file = SchemaFile(value: value, path: ValuePath())
    try file.checkFile(keys: ["name", "namespaces", "collection", "documentExtensions"] + recordKeys)
    let name = try file.text("name", default: nil)
    let namespaces = try file.namespaces()
    file.names = SchemaNames(namespaces)
    let collection = try file.member("collection")
    try collection?.allow(["element", "key", "version"])
    var element = "\(name)s"
    if let collection, let given = try collection.text("element") {
      element = try collection.canonical(element: given)
    }
    var schema = Schema(
      name: name, collectionElement: element,
      record: try file.record(named: name), documentExtensions: try file.texts("documentExtensions"),
      namespaces: namespaces)
    if let collection { try collection.addEnvelope(to: &schema) }
    if let element = schema.record.ambiguousElement {
      throw file.wrong("two records with the element \(MessageText.quoted(element)) contain themselves")
    }
    return schema
  }

  /// The keys that describe a record, both at the top level and in a field.
  private static let recordKeys = ["record", "fields", "key", "version", "versionField", "versions"]

  func part(_ value: Value, at path: ValuePath) -> SchemaFile {
    SchemaFile(value: value, path: path, enclosing: enclosing, names: names)
  }

  /// Returns the part as one of a record with an element.
  private func inside(_ element: String) -> SchemaFile {
    SchemaFile(value: value, path: path, enclosing: enclosing + [element], names: names)
  }

  static func problem(_ why: String) -> RecordProblem { .badSchema(why) }

  /// Parses the type of a record from the keys `record` and `fields` of a schema or a field.
  private func record(named name: String) throws(FerryError) -> RecordType {
    let record = try member("record")
    try record?.allow(["element", "class", "superclasses", "aliases", "encodeOrder"])
    let element = try canonical(element: try record?.text("element", default: name) ?? name)
    let superclasses = try record?.texts("superclasses") ?? []
    let className = element.withoutPrefix
    var type = RecordType(
      element: element, className: try record?.text("class", default: className) ?? className,
      superclasses: superclasses.isEmpty ? ["NSObject"] : superclasses,
      classAliases: try record?.texts("aliases") ?? [], fields: try inside(element).fields(),
      encodeOrder: try record?.texts("encodeOrder") ?? [])
    try addVersions(to: &type)
    try check(type)
    if let record, record.value["element"] != nil {
      try record.checkName(element.withoutPrefix, at: "element")
    } else {
      try checkName(element.withoutPrefix, at: "name")
    }
    try addKey(to: &type)
    return type
  }

  private func fields() throws(FerryError) -> [RecordField] {
    var fields: [RecordField] = []
    for element in try requiredList("fields") { fields.append(try element.field()) }
    return fields
  }

  private static let fieldKeys =
    [
      "name", "type", "xml", "archiveKey", "aliases", "alsoWrite", "optional", "default", "items", "values",
    ] + recordKeys

  private func field() throws(FerryError) -> RecordField {
    try allow(Self.fieldKeys)
    let name = try text("name", default: nil)
    let alsoWritten = try texts("alsoWrite")
    let aliases = try texts("aliases")
    let field = RecordField(
      name, try type(named: name), xml: try xmlLocation(name),
      archiveKey: try text("archiveKey", default: name),
      aliases: alsoWritten.filter { !aliases.contains($0) } + aliases, alsoWritten: alsoWritten,
      isOptional: try flag("optional"), defaultValue: value["default"])
    switch field.xml {
    case .element(let name), .attribute(let name):
      let isNamedAsField = try text("xml", default: "element").equals("element")
      try checkName(name.withoutPrefix, at: isNamedAsField ? "name" : "xml")
    case .text: break
    case .items:
      guard case .list = field.type else { throw wrong(at: "xml", "#items needs a list") }
    }
    try checkDefault(of: field)
    switch (field.xml, field.type) {
    case (.element, _), (.items, _), (_, .any): return field
    case (_, let type) where type.mayBeCollection:
      throw wrong("\(type.description) needs its own element")
    default: return field
    }
  }

  /// Throws if a default value does not have the type of its field. Without this check, the error would
  /// appear only when a record lacks the field.
  private func checkDefault(of field: RecordField) throws(FerryError) {
    guard let value = field.defaultValue else { return }
    let record = RecordType(element: field.name, className: field.name, fields: [field])
    let schema = Schema(name: field.name, collectionElement: field.name, record: record)
    let mapper = RecordMapper(
      schema, from: .xml, to: .json, into: TapeSink(), options: RecordOptions(budget: Budget()),
      losses: LossReport())
    do throws(FerryError) {
      try mapper.beginDictionary(count: 0)
      try mapper.endDictionary()
    } catch {
      throw FerryError(error.reason, path: step("default", value).path)
    }
  }

  func xmlLocation(_ name: String) throws(FerryError) -> XMLLocation {
    switch try text("xml", default: "element") {
    case "element": .element(try canonical(element: name))
    case "#text": .text
    case "#items": .items
    case let notation where notation.begins(with: "@"):
      .attribute(try canonical(attribute: notation.droppingFirst()))
    case let element: .element(try canonical(element: element))
    }
  }

  /// The names of the field types.
  private static let typeNames = [
    "string", "integer", "real", "decimal", "boolean", "date", "data", "url", "uuid", "record", "list",
    "dictionary", "any",
  ]

  func type(named name: String) throws(FerryError) -> FieldType {
    switch try text("type", default: "string") {
    case "string": return .string
    case "integer": return .integer
    case "real": return .real
    case "decimal": return .decimal
    case "boolean": return .boolean
    case "date": return .date
    case "data": return .data
    case "url": return .url
    case "uuid": return .uuid
    case "any": return .any
    case "record":
      guard case .string(let name)? = value["record"] else { return .record(try record(named: name)) }
      let element = try canonical(element: name)
      guard enclosing.contains(where: { $0.equals(element) }) else {
        throw try required("record").wrong(
          "no record with the element \(MessageText.quoted(element)) contains this field (known: "
            + "\(enclosing.joined(separator: ", ")))")
      }
      return .enclosing(element)
    case "dictionary":
      guard let values = try member("values") else { throw wrong("a dictionary needs its values") }
      try values.allow(["type", "items", "values"] + Self.recordKeys)
      return .dictionary(try values.type(named: "value"))
    case "list":
      guard let items = try member("items") else { throw wrong("a list needs its items") }
      try items.allow(["type", "element", "items", "values"] + Self.recordKeys)
      let element = try items.canonical(element: try items.text("element", default: "item"))
      let type = try items.type(named: element)
      if case .record(let record) = type { return .list(type, element: record.element) }
      if case .enclosing(let element) = type, items.value["element"] == nil {
        return .list(type, element: element)
      }
      return .list(type, element: element)
    case let other:
      throw wrong(
        at: "type",
        "\(MessageText.quoted(other)) is not a type (those are \(Self.typeNames.joined(separator: ", ")))")
    }
  }

  /// Returns the canonical name of an element (see `SchemaNames`). Throws if its prefix is not declared.
  func canonical(element name: String) throws(FerryError) -> String {
    guard name.dividedAtColon != nil, let names else { return try checkPrefix(of: name) }
    guard let canonical = names.canonical(element: name) else { throw undeclaredPrefix(of: name) }
    return canonical
  }

  /// Returns the canonical name of an attribute. Throws if its prefix is not declared.
  func canonical(attribute name: String) throws(FerryError) -> String {
    guard name.dividedAtColon != nil, let names else { return try checkPrefix(of: name) }
    guard let canonical = names.canonical(attribute: name) else { throw undeclaredPrefix(of: name) }
    return canonical
  }

  /// Returns a name of a schema without namespaces. Throws if it has a prefix other than `xml`.
  private func checkPrefix(of name: String) throws(FerryError) -> String {
    guard let prefix = name.dividedAtColon?.prefix, !prefix.equals("xml") else { return name }
    throw undeclaredPrefix(of: name)
  }

  private func undeclaredPrefix(of name: String) -> FerryError {
    wrong("the prefix of \(MessageText.quoted(name)) is not in \"namespaces\"")
  }

  /// Parses the namespaces.
  private func namespaces() throws(FerryError) -> [SchemaNamespace] {
    guard let table = try member("namespaces"), case .dictionary(let entries) = table.value else { return [] }
    var namespaces: [SchemaNamespace] = []
    for (key, value) in entries {
      guard case .string(let prefix) = key, prefix.isEmpty || Self.isPrefix(prefix) else {
        throw table.wrong(at: key.plainText ?? "", "\(key.words) cannot be a prefix")
      }
      guard case .string(let uri) = value, !uri.isEmpty else {
        throw table.step(prefix, value).wrong("a namespace is a string that is not empty")
      }
      guard ![XMLNamespace.xml, XMLNamespace.declarations].contains(exactly: uri) else {
        throw table.step(prefix, value).wrong("the namespace of the prefix xml or xmlns needs no declaration")
      }
      namespaces.append(SchemaNamespace(prefix: prefix, uri: uri))
    }
    return namespaces
  }

  /// Returns true if a text can be the prefix of a namespace.
  private static func isPrefix(_ text: String) -> Bool {
    text.utf8.span.isXMLName && !text.utf8.contains(UInt8(ascii: ":")) && !text.equals("xml")
      && !text.equals("xmlns")
  }

  /// Throws at the value for a key if a name cannot be that of an element or attribute.
  func checkName(_ name: String, at key: String) throws(FerryError) {
    guard name.utf8.span.isXMLName, !name.utf8.contains(UInt8(ascii: ":")) else {
      throw wrong(at: key, "\(MessageText.quoted(name)) cannot be the name of an element or attribute")
    }
  }

  /// Throws if two fields have the same name, XML location or archived key, or if an XML name is invalid.
  private func check(_ type: RecordType) throws(FerryError) {
    var names: Set<ExactString> = []
    var locations: Set<ExactString> = []
    var keys: Set<ExactString> = []
    // A field for the version may precede those of the list.
    let addedCount = type.fields.count - (list("fields")?.count ?? 0)
    for (index, field) in type.fields.enumerated() {
      func wrong(_ why: String) -> FerryError { self.wrong(at: "fields", element: index - addedCount, why) }
      guard names.insert(field.name).inserted else { throw wrong("two fields are named \(field.name)") }
      guard locations.insert(field.elementName ?? field.xml.notation).inserted else {
        throw wrong("two fields use the same element or attribute of XML: \(field.name)")
      }
      guard keys.insert(field.archiveKey).inserted else {
        throw wrong("two fields have the archive key \(field.archiveKey)")
      }
    }
    try checkOlderKeys(type.fields, keys, names)
    for name in type.encodeOrder where !names.contains(name) {
      throw (try member("record") ?? self).wrong(
        at: "encodeOrder", "encodeOrder names \(name), which is not a field")
    }
    if locations.contains("#text"),
      type.fields.contains(where: { $0.elementName != nil })
    {
      throw wrong("a record whose text is a field cannot have elements beside it")
    }
  }
}

extension SchemaFile {
  /// Throws if two fields have the same older key, or if an older key of a field is also its newest.
  private func checkOlderKeys(
    _ fields: [RecordField], _ keys: Set<ExactString>, _ names: Set<ExactString>
  ) throws(FerryError) {
    var taken: Set<ExactString> = []
    for field in fields {
      for alias in field.aliases {
        guard taken.insert(alias).inserted else { throw wrong("two fields have the older key \(alias)") }
      }
      for key in field.alsoWritten where keys.contains(key) || names.contains(key) {
        throw wrong("alsoWrite of \(field.name) names \(key), which is the key of a field")
      }
    }
  }

  private func addKey(to type: inout RecordType) throws(FerryError) {
    guard value["key"] != nil else { return }
    let key = try text("key", default: nil)
    guard let field = type.fields.first(where: { $0.name.equals(key) }) else {
      throw wrong(at: "key", "key names \(key), which is not a field")
    }
    guard !field.type.mayBeCollection else { throw wrong(at: "key", "the key \(key) is not a single value") }
    type.key = key
  }
}

extension Schema {
  /// Creates a schema from a value in the notation of a schema file.
  ///
  /// - Throws: A `FerryError` with the reason `RecordProblem.badSchema` and the path of the invalid part.
  public init(_ value: Value) throws(FerryError) { self = try SchemaFile.schema(value) }
}

extension Value {
  /// The name of the language of a schema that is not in this notation; nil if it is, or if the language is not known.
  fileprivate var otherSchemaLanguage: String? {
    guard self["ferry"] == nil, case .dictionary(let entries) = self else { return nil }
    // The root element of a document, if it has kept its key, has the declarations.
    let texts = ([self] + entries.values).flatMap { value -> [Value] in
      if case .dictionary(let entries) = value { Array(entries.values) } else { [] }
    }
    if texts.contains(.string("http://www.w3.org/2001/XMLSchema")) { return "XML Schema" }
    if texts.contains(.string("http://relaxng.org/ns/structure/1.0")) { return "RELAX NG" }
    let isJSONSchema = ["$schema", "$ref", "$defs", "properties"].contains { self[$0] != nil }
    return isJSONSchema ? "JSON Schema" : nil
  }
}
