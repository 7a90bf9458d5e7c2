/// A schema that has been found in documents, with the reasons for it.
public struct InferredSchema: Hashable, Sendable {
  /// A decision about one field.
  public struct Decision: Hashable, Sendable {
    /// The names of the fields from the record to this one: `["publisher", "city"]`. The items of a list are `[]`.
    public var path: [String]
    /// The location in XML: `title`, `@isbn`, `#text` or `#items`.
    public var xml: String
    /// The type, as in a schema file; a list with the type of its items: `list of string`.
    public var type: String
    /// True if some records lack the field, or have null for it.
    public var isOptional: Bool
    /// The number of records that have the field.
    public var present: Int
    /// The number of all records.
    public var total: Int
    /// The first distinct values, shortened, if the value is a scalar.
    public var examples: [String]
    /// The reason for the type, if it is not the one that a reader would expect.
    public var reason: String?
  }

  /// The schema.
  public var schema: Schema
  /// The number of records.
  public var recordCount: Int
  /// The decisions about the fields, in the order of the schema.
  public var decisions: [Decision]
  /// Notes about what the schema does not describe.
  public var notes: [Note]
}

extension FieldType {
  /// The type, including the type of items or values: `list of string`.
  var summary: String {
    switch self {
    case .record(let type): "record \(type.element)"
    case .enclosing(let element): "record \(element), again"
    case .list(let items, _): "list of \(items.summary)"
    case .dictionary(let values): "dictionary of \(values.summary)"
    default: name
    }
  }
}
