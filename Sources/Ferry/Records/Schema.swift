/// How a record type looks in every format, so that people and items travel between formats with their types.
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
  /// What the schema is called on the command line.
  public var name: String
  /// The XML element around the records.
  public var collectionElement: String
  /// The key under which the records stand in a dictionary, where a document has one around them; in XML that is the
  /// collection's element.
  public var collectionKey: String?
  /// The key of the version in that dictionary, and in XML the collection's attribute.
  public var collectionVersion: String?
  /// The records themselves.
  public var record: RecordType
  /// Extensions of documents that hold such records: `pplgrp`.
  public var documentExtensions: [String]

  /// A schema of these parts.
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

  /// The same schema with classes renamed, as an app's module needs it: `["Person": "MyApp.Person"]`. The old names are
  /// still read.
  public func renamingClasses(_ names: [String: String]) -> Schema {
    var schema = self
    schema.record = record.renamingClasses(.init(exactly: names))
    return schema
  }
}

/// A type of record: its names and its fields.
public struct RecordType: Hashable, Sendable {
  /// The XML element of one record.
  public var element: String
  /// The class of its objects in an archive.
  public var className: String
  /// What the class inherits from, NSObject last.
  public var superclasses: [String]
  /// Older class names that are still read.
  public var classAliases: [String]
  /// In the order in which JSON, property lists and XML show them.
  public var fields: [Field]
  /// The names of the fields in the order in which the class encodes them; empty when that is the order of `fields`.
  public var encodeOrder: [String]
  /// The name of the field that tells one record from another, as merging and seeding need it; nil when none does.
  public var key: String?
  /// The versions that such records have had; nil when they have no versions.
  public var versions: RecordVersions?

  /// A record type of these parts.
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

  /// Whether objects of a class are such records: by its name, in any module (`MyApp.Person`), or by an older name.
  public func accepts(className: String) -> Bool {
    className.equals(self.className) || classAliases.contains(exactly: className) || isInModule(className)
  }

  /// Whether a name is the class's with a module before it.
  func isInModule(_ name: String) -> Bool {
    name.utf8.reversed().starts(with: ".\(className)".utf8.reversed())
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

  /// The index of the field that a key stands for, and how old the key is: 0 for the newest.
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

  /// The index of the field that says the version.
  var versionField: Int? {
    guard let name = versions?.field else { return nil }
    return fields.firstIndex { $0.name.equals(name) }
  }

  /// The indices of the fields as the class encodes them.
  var encodedIndices: [Int] {
    let named = encodeOrder.compactMap { name in fields.firstIndex { $0.name.equals(name) } }
    return named + fields.indices.filter { !named.contains($0) }
  }
}

/// One field of a record.
public struct Field: Hashable, Sendable {
  /// The key in JSON and property lists.
  public var name: String
  /// What its value is.
  public var type: FieldType
  /// Where it stands in XML.
  public var xml: XMLPlace
  /// The key in an archive.
  public var archiveKey: String
  /// Older names and keys that are still read, the newest first.
  public var aliases: [String]
  /// Those of the older keys that are written too, for older apps.
  public var alsoWritten: [String]
  /// Whether a record may do without.
  public var isOptional: Bool
  /// The value of a record that does not have the field.
  public var defaultValue: Value?

  /// A field of these parts; its element and archive key are its name unless given.
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

/// Where a field stands in its record's XML.
public enum XMLPlace: Hashable, Sendable {
  /// A child element of this name.
  case element(String)
  /// An attribute of the record's element.
  case attribute(String)
  /// The text of the record's element.
  case text

  /// The place as a schema file names it: `name`, `@name` or `#text`.
  var notation: String {
    switch self {
    case .element(let name): name
    case .attribute(let name): "@\(name)"
    case .text: "#text"
    }
  }
}

/// What a field's value is.
public indirect enum FieldType: Hashable, Sendable {
  case string
  /// From −2⁶³ to 2⁶⁴−1.
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
  /// Any number of values of a type, each in an element of this name in XML.
  case list(FieldType, element: String)

  func renamingClasses(_ names: [ExactString: String]) -> FieldType {
    switch self {
    case .record(let type): .record(type.renamingClasses(names))
    case .list(let type, let element): .list(type.renamingClasses(names), element: element)
    default: self
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
