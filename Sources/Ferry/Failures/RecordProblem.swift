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
  /// A record that breaks the built-in schema which its document was found to be of.
  indirect case ofBuiltIn(RecordProblem, schema: String)
  /// A value that is not of its field's type.
  case badField(String, wanted: String, found: String)
  /// Something that is not a record where the schema wants one.
  case notARecord(found: String, record: String)
  /// A record of a version that its schema does not know yet.
  case newerVersion(Int, record: String, known: Int)
  /// Two records with the same key; where the first one is.
  case duplicateKey(String, value: String, first: String)
  /// A document that would be written anew to get records, and what that would leave out.
  case addingLoses(Loss.Kind)
  /// Records are to be told apart, and nothing says by which field.
  case noKey
}

extension RecordProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .badSchema(let why): "invalid schema: \(why)"
    case .badClasses(let why): "invalid file of classes: \(why)"
    case .badTypes(let why): "invalid file of document types: \(why)"
    case .unknownSchema(let name, let known):
      "unknown schema \(quotedForMessage(name)) (built in: \(known.joined(separator: ", ")); or give a file)"
    case .missingField(let field, let record): "the \(record) has no \(field)"
    case .notAScalar(let found): "found \(found) in an element that has only text by its schema"
    case .repeatedField(let field): "the field \(field) occurs twice"
    case .ofBuiltIn(let problem, let schema):
      "\(problem) (the built-in schema \(schema) asks for it; --schema none reads the file by convention)"
    case .badField(let field, let wanted, let found): "the field \(field) wants \(wanted), found \(found)"
    case .notARecord(let found, let record): "expected a \(record), found \(found)"
    case .newerVersion(let version, let record, let known):
      "the \(record) has version \(version), but the schema describes versions up to \(known) "
        + "(use --allow-newer to read it as version \(known))"
    case .addingLoses(let kind):
      "cannot add records without writing the document anew, where \(kind.rawValue) (add them by hand, or remove that first)"
    case .noKey: "no field identifies the records (use --key FIELD, or a schema with a key)"
    case .duplicateKey(let key, let value, let first):
      "this record and \(first) have the same \(key), \(value)"
    }
  }
}
