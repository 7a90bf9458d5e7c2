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
