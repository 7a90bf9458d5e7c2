/// A description of a type of record in all formats. It preserves the types of the records in conversions.
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
  /// The name of the XML element that contains the records.
  public var collectionElement: String
  /// The key of the list of records, if documents have a dictionary around it. In XML, the collection element
  /// represents the dictionary.
  public var collectionKey: String?
  /// The key of the records' version in that dictionary. In XML, it is an attribute of the collection
  /// element.
  public var collectionVersion: String?
  /// The type of the records.
  public var record: RecordType
  /// The file extensions of documents with such records, without a dot: `pplgrp`.
  public var documentExtensions: [String]
  /// The namespaces of the names in XML, by their prefixes in the schema. If there are none, names are compared without their
  /// namespaces.
  public var namespaces: [SchemaNamespace]

  /// Creates a schema.
  public init(
    name: String, collectionElement: String, collectionKey: String? = nil, collectionVersion: String? = nil,
    record: RecordType, documentExtensions: [String] = [], namespaces: [SchemaNamespace] = []
  ) {
    (self.collectionKey, self.collectionVersion) = (collectionKey, collectionVersion)
    self.namespaces = namespaces
    self.name = name
    self.collectionElement = collectionElement
    self.record = record
    self.documentExtensions = documentExtensions
  }

  /// Returns the schema with other class names, for example with the app's module:
  /// `["Person": "MyApp.Person"]`. Objects with the old names can still be read.
  public func renamingClasses(_ names: [String: String]) -> Schema {
    var schema = self
    schema.record = record.renamingClasses(.init(exactly: names))
    return schema
  }
}

/// A type of record: its names in each format, and its fields.
public struct RecordType: Hashable, Sendable {
  /// The name of the XML element of a record.
  public var element: String
  /// The class of a record in an archive.
  public var className: String
  /// The superclasses of that class, nearest first, ending with NSObject.
  public var superclasses: [String]
  /// The older names of the class, which can still be read.
  public var classAliases: [String]
  /// The fields, in the order in which JSON, property lists and XML are written.
  public var fields: [RecordField]
  /// The names of the fields in the order in which the class encodes them, or empty if that is the order of
  /// `fields`.
  public var encodeOrder: [String]
  /// The name of the field that identifies records in a merge or a seed, or nil if there is none.
  public var key: String?
  /// The versions of the records, or nil if they have no versions.
  public var versions: RecordVersions?

  /// Creates a record type.
  public init(
    element: String, className: String, superclasses: [String] = ["NSObject"], classAliases: [String] = [],
    fields: [RecordField], encodeOrder: [String] = [], key: String? = nil, versions: RecordVersions? = nil
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

  /// Returns true if objects of a class are records of this type: the class has this name in any module
  /// (`MyApp.Person`), or an older name.
  public func accepts(className: String) -> Bool {
    className.equals(self.className) || classAliases.contains(exactly: className) || isInModule(className)
  }

  /// Returns true if a name is that of the class with a module.
  func isInModule(_ name: String) -> Bool {
    name.utf8.reversed().starts(with: ".\(className)".utf8.reversed())
  }

  /// Returns true if a record of a class with this name keeps its class: the class is in a module of the app.
  func keepsClass(named name: String) -> Bool {
    isInModule(name) && !classAliases.contains(exactly: name)
  }

  /// The names of the class and of the classes of nested records, including older names.
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

  /// Returns the index of the field with a key, and the age of the key: 0 for the newest key. Returns nil if
  /// no field has the key. The field at `likely` is compared first, because records mostly have their fields in order.
  func match(_ key: Span<UInt8>, usesArchiveKeys: Bool, likely: Int = 0) -> (field: Int, age: Int)? {
    if likely < fields.count,
      key.equals((usesArchiveKeys ? fields[likely].archiveKey : fields[likely].name).utf8.span)
    {
      return (likely, 0)
    }
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

  /// The index of the field that is the text of the XML element, or nil.
  var textField: Int? { fields.firstIndex { $0.xml == .text } }

  /// True if the text of the XML element is a field.
  var hasText: Bool { textField != nil }

  /// Returns true if an undeclared key `@name` can be an attribute of the XML element: no field and no
  /// namespace is declared by it.
  func mayAddAttribute(for key: Span<UInt8>) -> Bool {
    guard key.count > 1, !key.equals("@xmlns") else { return false }
    return !fields.contains { field in
      if case .attribute(let name) = field.xml { key.extracting(1...).equals(name.utf8.span) } else { false }
    }
  }

  /// The index of the field that holds the version, or nil.
  var versionField: Int? {
    guard let name = versions?.field else { return nil }
    return fields.firstIndex { $0.name.equals(name) }
  }

  /// The indices of the fields in the order in which the class encodes them.
  var encodedIndices: [Int] {
    guard !encodeOrder.isEmpty else { return Array(fields.indices) }
    let named = encodeOrder.compactMap { name in fields.firstIndex { $0.name.equals(name) } }
    return named + fields.indices.filter { !named.contains($0) }
  }
}

/// A field of a record.
public struct RecordField: Hashable, Sendable {
  /// The key in JSON, property lists and databases.
  public var name: String
  /// The type of the value.
  public var type: FieldType
  /// The location of the value in XML.
  public var xml: XMLLocation
  /// The key in archives.
  public var archiveKey: String
  /// The older names and archived keys that can still be read, newest first.
  public var aliases: [String]
  /// The older keys that are written in addition, for older apps.
  public var alsoWritten: [String]
  /// True if records may lack the field.
  public var isOptional: Bool
  /// The value of the field in records that lack it.
  public var defaultValue: Value?

  /// Creates a field. By default, its XML element and its archived key have its name.
  public init(
    _ name: String, _ type: FieldType, xml: XMLLocation? = nil, archiveKey: String? = nil,
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

extension RecordField {
  /// True if every record must have a value for the field.
  var isRequired: Bool { !isOptional && defaultValue == nil }
}

/// The location of a field's value in the XML element of a record.
public enum XMLLocation: Hashable, Sendable {
  /// The text of a child element with this name.
  case element(String)
  /// An attribute of the record's element.
  case attribute(String)
  /// The text of the record's element.
  case text
  /// The child elements with the name of the list's items. The list has no element of its own:
  /// `<book><author>Brian</author><author>Dennis</author></book>`.
  case items

  /// The notation in a schema file: `name`, `@name`, `#text` or `#items`.
  var notation: String {
    switch self {
    case .element(let name): name
    case .attribute(let name): "@\(name)"
    case .text: "#text"
    case .items: "#items"
    }
  }
}

extension RecordField {
  /// The name of the child elements in XML that are the field's value, or its items; nil if it is an attribute or text.
  var elementName: String? {
    switch (xml, type) {
    case (.element(let name), _): name
    case (.items, .list(_, let element)): element
    case (.items, _), (.attribute, _), (.text, _): nil
    }
  }

  /// True if the items of the list are child elements of the record's element in XML.
  var isUnwrappedList: Bool { xml == .items }

  /// True if the value may be several elements of XML with one name: the items of a list without an element of its own, or
  /// an array in a field of any type.
  var mayBeElements: Bool { isUnwrappedList || type == .any && elementName != nil }
}

/// The type of a field's value.
public indirect enum FieldType: Hashable, Sendable {
  /// A string.
  case string
  /// An integer from −2⁶³ to 2⁶⁴−1.
  case integer
  /// A 64-bit real.
  case real
  /// A decimal number that keeps all its digits, for example money.
  case decimal
  /// True or false.
  case boolean
  /// A date, as text in ISO 8601.
  case date
  /// Data, as text in Base64.
  case data
  /// A URL.
  case url
  /// A UUID.
  case uuid
  /// A record of another type.
  case record(RecordType)
  /// A list of values of one type. In XML, each value is an element with this name.
  case list(FieldType, element: String)
  /// A dictionary whose keys are any strings, and whose values have one type. In XML, each value is an element with the
  /// name of its key.
  case dictionary(FieldType)
  /// A record of a type that contains this field: the one whose element has this name.
  case enclosing(String)
  /// A value of any type, converted as without a schema.
  case any

  /// True if a value of the type may be a list, a dictionary or a record.
  var mayBeCollection: Bool {
    switch self {
    case .record, .list, .dictionary, .enclosing, .any: true
    default: false
    }
  }

  /// True if the empty text is a value of the type.
  var hasEmptyText: Bool { self == .string || self == .data }

  /// True if a cell with the empty text may be a value of the type.
  var canBeEmptyText: Bool { hasEmptyText || self == .url || self == .any }

  func renamingClasses(_ names: [ExactString: String]) -> FieldType {
    switch self {
    case .record(let type): .record(type.renamingClasses(names))
    case .list(let type, let element): .list(type.renamingClasses(names), element: element)
    case .dictionary(let type): .dictionary(type.renamingClasses(names))
    default: self
    }
  }

  /// The names of the classes of records that values of the type may contain.
  var classNames: Set<ExactString> {
    switch self {
    case .record(let type): type.classNames
    case .list(let type, _), .dictionary(let type): type.classNames
    default: []
    }
  }

  /// The name of the type in messages.
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
    case .dictionary: "a dictionary"
    case .enclosing(let name): "a \(name)"
    case .any: "any value"
    }
  }
}
