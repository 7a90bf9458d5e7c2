/// A description of a record type in every format, by which records keep their types in conversions.
///
/// A schema is a small file in any format that Ferry reads. In JSON:
///
///     { "ferry": 1, "name": "person",
///       "collection": { "element": "people" },
///       "record": { "element": "person", "class": "Person", "encodeOrder": ["lastName", "firstName"] },
///       "fields": [
///         { "name": "firstName", "type": "string", "archiveKey": "first" },
///         { "name": "lastName",  "type": "string", "archiveKey": "last" } ] }
///
/// `SchemaFile` documents every key.
public struct Schema: Hashable, Sendable {
  /// The name of the schema on the command line.
  public var name: String
  /// The XML element around the records.
  public var collectionElement: String
  /// The key of the records in the dictionary around them, for documents with such a dictionary. In XML the
  /// collection's element represents the dictionary.
  public var collectionKey: String?
  /// The key of the version in that dictionary; in XML an attribute of the collection.
  public var collectionVersion: String?
  /// The type of the records.
  public var record: RecordType
  /// The extensions of documents with such records: `pplgrp`.
  public var documentExtensions: [String]

  /// Creates a schema.
  public init(
    name: String, collectionElement: String, collectionKey: String? = nil, collectionVersion: String? = nil,
    record: RecordType, documentExtensions: [String] = []
  ) {
    (self.collectionKey, self.collectionVersion) = (collectionKey, collectionVersion)
    self.name = name
    self.collectionElement = collectionElement
    self.record = record
    self.documentExtensions = documentExtensions
  }

  /// Returns the schema with classes renamed, as an app's module needs it: `["Person": "MyApp.Person"]`.
  /// Objects with the old names are still read.
  public func renamingClasses(_ names: [String: String]) -> Schema {
    var schema = self
    schema.record = record.renamingClasses(.init(exactly: names))
    return schema
  }
}

/// A type of record: its names and its fields.
public struct RecordType: Hashable, Sendable {
  /// The XML element of a record.
  public var element: String
  /// The class of a record's object in an archive.
  public var className: String
  /// The superclasses, ending with NSObject.
  public var superclasses: [String]
  /// The older names of the class, which are still read.
  public var classAliases: [String]
  /// The fields, in their order in JSON, property lists and XML.
  public var fields: [Field]
  /// The names of the fields in the order in which the class encodes them; empty if that is the order of
  /// `fields`.
  public var encodeOrder: [String]
  /// The name of the field that identifies a record for merging and seeding; nil if there is none.
  public var key: String?
  /// The versions of the records; nil if they have no versions.
  public var versions: RecordVersions?

  /// Creates a record type.
  public init(
    element: String, className: String, superclasses: [String] = ["NSObject"], classAliases: [String] = [],
    fields: [Field], encodeOrder: [String] = [], key: String? = nil, versions: RecordVersions? = nil
  ) {
    self.key = key
    self.versions = versions
    self.element = element
    self.className = className
    self.superclasses = superclasses
    self.classAliases = classAliases
    self.fields = fields
    self.encodeOrder = encodeOrder
  }

  /// Returns true if objects of a class are such records: by its name, in any module (`MyApp.Person`), or by
  /// an older name.
  public func accepts(className: String) -> Bool {
    className.equals(self.className) || classAliases.contains(exactly: className) || isInModule(className)
  }

  /// Returns true if a name is that of the class in a module.
  func isInModule(_ name: String) -> Bool {
    name.utf8.reversed().starts(with: ".\(className)".utf8.reversed())
  }

  /// The names of the class and of the classes of records in fields, older names too.
  var classNames: Set<ExactString> {
    fields.reduce(into: Set(([className] + classAliases).map { ExactString($0) })) { names, field in
      names.formUnion(field.type.classNames)
    }
  }

  func renamingClasses(_ names: [ExactString: String]) -> RecordType {
    var type = self
    if let new = names[className] {
      type.classAliases.append(className)
      type.className = new
    }
    for index in fields.indices { type.fields[index].type = fields[index].type.renamingClasses(names) }
    return type
  }

  /// Returns the index of the field with a key, and the age of the key: 0 for the newest.
  func match(_ key: Span<UInt8>, usesArchiveKeys: Bool) -> (field: Int, age: Int)? {
    if usesArchiveKeys {
      for index in fields.indices where key.equals(fields[index].archiveKey.utf8.span) { return (index, 0) }
    }
    for index in fields.indices where key.equals(fields[index].name.utf8.span) {
      return (index, usesArchiveKeys ? 1 : 0)
    }
    for index in fields.indices {
      for (age, alias) in fields[index].aliases.enumerated() where key.equals(alias.utf8.span) {
        return (index, age + 2)
      }
    }
    return nil
  }

  /// The index of the field with the version.
  var versionField: Int? {
    guard let name = versions?.field else { return nil }
    return fields.firstIndex { $0.name.equals(name) }
  }

  /// The indices of the fields in the order in which the class encodes them.
  var encodedIndices: [Int] {
    let named = encodeOrder.compactMap { name in fields.firstIndex { $0.name.equals(name) } }
    return named + fields.indices.filter { !named.contains($0) }
  }
}

/// A field of a record.
public struct Field: Hashable, Sendable {
  /// The key in JSON and property lists.
  public var name: String
  /// The type of the value.
  public var type: FieldType
  /// The location of the field in XML.
  public var xml: XMLPlace
  /// The key in an archive.
  public var archiveKey: String
  /// The older names and keys that are still read, newest first.
  public var aliases: [String]
  /// The older keys that are written too, for older apps.
  public var alsoWritten: [String]
  /// True if the field may be missing.
  public var isOptional: Bool
  /// The value for records without the field.
  public var defaultValue: Value?

  /// Creates a field. The element and the archived key are its name by default.
  public init(
    _ name: String, _ type: FieldType, xml: XMLPlace? = nil, archiveKey: String? = nil,
    aliases: [String] = [], alsoWritten: [String] = [],
    isOptional: Bool = false, defaultValue: Value? = nil
  ) {
    self.alsoWritten = alsoWritten
    self.name = name
    self.type = type
    self.xml = xml ?? .element(name)
    self.archiveKey = archiveKey ?? name
    self.aliases = aliases
    self.isOptional = isOptional
    self.defaultValue = defaultValue
  }
}

/// The location of a field in the XML of its record.
public enum XMLPlace: Hashable, Sendable {
  /// A child element with this name.
  case element(String)
  /// An attribute of the record's element.
  case attribute(String)
  /// The text of the record's element.
  case text

  /// The location in the notation of a schema file: `name`, `@name` or `#text`.
  var notation: String {
    switch self {
    case .element(let name): name
    case .attribute(let name): "@\(name)"
    case .text: "#text"
    }
  }
}

/// The type of a field's value.
public indirect enum FieldType: Hashable, Sendable {
  case string
  /// An integer from −2⁶³ to 2⁶⁴−1.
  case integer
  /// A 64-bit real.
  case real
  /// A decimal that keeps its digits: money, measurements.
  case decimal
  case boolean
  case date
  case data
  case url
  case uuid
  case record(RecordType)
  /// A list of values of a type, each in an element with this name in XML.
  case list(FieldType, element: String)

  func renamingClasses(_ names: [ExactString: String]) -> FieldType {
    switch self {
    case .record(let type): .record(type.renamingClasses(names))
    case .list(let type, let element): .list(type.renamingClasses(names), element: element)
    default: self
    }
  }

  /// The names of the classes of records in values of the type.
  var classNames: Set<ExactString> {
    switch self {
    case .record(let type): type.classNames
    case .list(let type, _): type.classNames
    default: []
    }
  }

  /// The type in words, for messages.
  var description: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .boolean: "true or false"
    case .date: "a date such as 2014-06-01T09:30:00Z"
    case .data: "data (Base64 in text)"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .record(let type): "a \(type.element)"
    case .list: "a list"
    }
  }
}
