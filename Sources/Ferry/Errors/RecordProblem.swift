/// What can be wrong with a schema, or with a record that has one.
public enum RecordProblem: Hashable, Sendable {
  /// A schema that cannot be used.
  case badSchema(String)
  /// A file of classes that cannot be used.
  case badClasses(String)
  /// A file of document types that cannot be used.
  case badTypes(String)
  /// No built-in schema and no file has this name.
  case unknownSchema(String, known: [String])
  /// A field that must be there is not.
  case missingField(String, record: String)
  /// An element inside one that is a single value.
  case notAScalar(found: String)
  /// A field that occurs twice in one record.
  case repeatedField(String)
  /// A value that is not of its field's type.
  case badField(String, wanted: String, found: String)
  /// Something that is not a record where the schema wants one.
  case notARecord(found: String, record: String)
  /// A record of a version that its schema does not know yet.
  case newerVersion(Int, record: String, known: Int)
  /// Two records with the same key; where the first one is.
  case duplicateKey(String, value: String, first: String)
  /// Records are to be told apart, and nothing says by which field.
  case noKey
}

extension RecordProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .badSchema(let why): "the schema is not usable: \(why)"
    case .badClasses(let why): "the file of classes is not usable: \(why)"
    case .badTypes(let why): "the file of document types is not usable: \(why)"
    case .unknownSchema(let name, let known):
      "there is no schema \(quotedForMessage(name)); built in are \(known.joined(separator: ", "))"
    case .missingField(let field, let record): "the \(record) has no \(field)"
    case .notAScalar(let found): "\(found) stands inside an element that the schema does not know to have any"
    case .repeatedField(let field): "the field \(field) occurs twice"
    case .badField(let field, let wanted, let found): "the field \(field) wants \(wanted), found \(found)"
    case .notARecord(let found, let record): "expected a \(record), found \(found)"
    case .newerVersion(let version, let record, let known):
      "the \(record) is of version \(version), and the schema knows versions up to \(known) "
        + "(--allow-newer reads it as version \(known))"
    case .noKey: "nothing says which field tells records apart (--key FIELD does, or a schema's key)"
    case .duplicateKey(let key, let value, let first): "the \(key) \(value) is that of \(first) already"
    }
  }
}
