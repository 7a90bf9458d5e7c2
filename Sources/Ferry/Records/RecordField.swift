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

  /// True if an empty cell, which may stand for a missing value, is the empty text.
  var takesNullAsEmptyText: Bool { isRequired && type.hasEmptyText }

  /// True if an element or an attribute of XML without text is null, as `<stock/>` for an optional field of integers: the type has no
  /// empty text.
  var takesEmptyElementAsNull: Bool { !isRequired && type.lacksEmptyText }
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

  /// True if the value is a child element of its own in XML.
  var isElement: Bool { if case .element = xml { true } else { false } }

  /// True if the items of the list are child elements of the record's element in XML.
  var isUnwrappedList: Bool { xml == .items }

  /// True if the value may be several elements of XML with one name: the items of a list without an element of its own, or
  /// an array in a field of any type.
  var mayBeElements: Bool { isUnwrappedList || type == .any && elementName != nil }
}
