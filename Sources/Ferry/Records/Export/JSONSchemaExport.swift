/// A schema as JSON Schema (2020-12), which describes the JSON that Ferry writes of the records.
///
///     {"type": "array", "items": {"type": "object", "properties": {…}, "required": ["title"]}}
///
/// JSON Schema does not have the names of records in XML and archives, and older versions.
public struct JSONSchemaExport: Hashable, Sendable {
  private let schema: Schema
  private let enclosingTypes: [ExactString: RecordType]

  /// Creates the export of a schema.
  public init(_ schema: Schema) {
    self.schema = schema
    enclosingTypes = schema.record.enclosingTypes
  }

  /// The parts of the schema that JSON Schema does not have, in sentences.
  public var notes: [String] { schema.record.notesOnExport(to: "JSON Schema") }

  /// The JSON Schema of a document: a list of records, or a dictionary around the list.
  public var value: Value {
    var entries = KeyedValues()
    entries["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    entries["title"] = .string(schema.name)
    let records: Value = [
      "type": "array", "items": ["$ref": .string(Self.reference(to: schema.record.element))],
    ]
    if let key = schema.collectionKey {
      var properties: KeyedValues = KeyedValues()
      if let version = schema.collectionVersion { properties[version] = ["type": "integer"] }
      properties[key] = records
      entries["type"] = "object"
      entries["properties"] = .dictionary(properties)
      entries["required"] = [.string(key)]
    } else {
      entries["type"] = "array"
      entries["items"] = records["items"]
    }
    var definitions = KeyedValues()
    definitions[schema.record.element] = value(of: schema.record)
    for (element, type) in enclosingTypes.sorted(by: { $0.key.string.precedes($1.key.string) })
    where !element.string.equals(schema.record.element) {
      definitions[element.string] = value(of: type)
    }
    entries["$defs"] = .dictionary(definitions)
    return .dictionary(entries)
  }

  private static func reference(to element: String) -> String { "#/$defs/\(element)" }

  private func value(of record: RecordType) -> Value {
    var properties = KeyedValues()
    var required: [Value] = []
    for (index, field) in record.fields.enumerated() {
      properties[field.name] = value(of: field)
      if field.isRequired, index != record.versionField { required.append(.string(field.name)) }
    }
    var entries = KeyedValues()
    entries["type"] = "object"
    entries["properties"] = .dictionary(properties)
    if !required.isEmpty { entries["required"] = .array(required) }
    return .dictionary(entries)
  }

  private func value(of field: RecordField) -> Value {
    guard case .dictionary(var entries) = value(of: field.type) else { return .null }
    let isOfAnyType = entries.isEmpty
    // A record lacks a required field that is null.
    if isOfAnyType, field.isRequired { return ["not": ["type": "null"]] }
    if let value = field.defaultValue { entries["default"] = value }
    guard !field.isRequired, !isOfAnyType else { return .dictionary(entries) }
    if case .string(let type)? = entries["type"] {
      entries["type"] = [.string(type), "null"]
      return .dictionary(entries)
    }
    return ["anyOf": [.dictionary(entries), ["type": "null"]]]
  }

  private func value(of type: FieldType) -> Value {
    switch type {
    case .string: ["type": "string"]
    case .integer: ["type": "integer", "minimum": .integer(-(1 << 63)), "maximum": .integer((1 << 64) - 1)]
    case .real, .decimal: ["type": "number"]
    case .boolean: ["type": "boolean"]
    case .date: ["type": "string", "format": "date-time"]
    case .data: ["type": "string", "contentEncoding": "base64"]
    case .url: ["type": "string", "format": "uri-reference"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .record(let record):
      enclosingTypes[record.element] == record
        ? ["$ref": .string(Self.reference(to: record.element))] : value(of: record)
    case .list(let items, _): ["type": "array", "items": value(of: items)]
    case .dictionary(let values): ["type": "object", "additionalProperties": value(of: values)]
    case .enclosing(let element): ["$ref": .string(Self.reference(to: element))]
    case .any: .dictionary(KeyedValues())
    }
  }
}

extension RecordType {
  /// Returns sentences about the parts of the type that another schema language does not have.
  func notesOnExport(to language: String) -> [String] {
    var notes: [String] = []
    if versions != nil || hasAliases {
      notes.append("\(language) describes the newest version only, without the older keys and names")
    }
    return notes
  }

  private var hasAliases: Bool {
    fields.contains { !$0.aliases.isEmpty || !$0.alsoWritten.isEmpty || $0.type.record?.hasAliases == true }
  }
}
